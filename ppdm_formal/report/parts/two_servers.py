"""The page of two servers: what was published against the truth, and what nothing here prevents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.result import Result
from ppdm_formal.report.parts.blocks import (
    Block,
    Code,
    Document,
    Facts,
    Points,
    Section,
    Table,
    Text,
)
from ppdm_formal.report.parts.demo import DemoStep
from ppdm_formal.run.two_servers.collection import Collected

PREVENTED_BY = "Prio3"

TRUSTED = (
    "That the two servers do not put their shares together: whoever has both has every report "
    "(which is still randomized: that much holds without any server).",
    "That so many clients are honest people, one report each. A server that lets pass one client "
    "and its own inventions learns that client's report.",
    "The lines: here they are plain text on one machine. Elsewhere they must be encrypted, and "
    "each server must know that it speaks with the other.",
    "Servers see who takes part and when, and could leave out whom they like; not what is said. "
    "Whether a client drops out must not depend on its value.",
)


@dataclass(frozen=True)
class Cheat:
    """One client that sends something else than a report: in words, and what came of it."""

    what: str
    found: Collected

    def fits(self, ones: bool) -> bool | None:
        """Whether the total is that of as many reports; None where reports have no fixed total."""
        return sum(self.found.published) == self.found.counted if ones else None


@dataclass(frozen=True)
class CollectedBy:
    """The collection with one operator: what it says of a value x, and of any other.

    ones: a report is one value, so that the sum of all is how many reports there are. truth: how
    many of the clients that are counted have each value, which nobody knows.
    """

    operator: str
    words: str
    claim: str
    keep: Fraction
    flip: Fraction
    ones: bool
    found: Collected
    truth: tuple[int, ...]
    cheats: tuple[Cheat, ...]

    def estimates(self) -> list[float]:
        """(c/n - flip)/(keep - flip): the shares of values, without bias."""
        many, gap = self.found.counted, self.keep - self.flip
        return [float((Fraction(c, many) - self.flip) / gap) for c in self.found.published]

    def to_json(self) -> dict[str, Any]:
        """As the result's JSON holds it."""
        return {
            "operator": self.operator,
            "claim": self.claim,
            "keep": number_text(self.keep),
            "flip": number_text(self.flip),
            **_counts(self.found),
            "truth": list(self.truth),
            "estimates": [repr(one) for one in self.estimates()],
            "malformed": [
                {"what": one.what, "total_fits": one.fits(self.ones), **_counts(one.found)}
                for one in self.cheats
            ],
        }


def _counts(found: Collected) -> dict[str, Any]:
    return {
        "clients": found.clients,
        "kept": list(found.kept),
        "counted": found.counted,
        "killed": found.killed,
        "published": list(found.published),
        "expected": list(found.expected),
        "exact": found.exact,
    }


@dataclass(frozen=True)
class TwoServers(Result):
    """All that the demonstration did."""

    shown_in: ClassVar[str] = "two_servers"

    steps: tuple[DemoStep, ...]
    sums: tuple[CollectedBy, ...]

    @property
    def exit_code(self) -> int:
        """5 where a published sum is not that of the reports: the protocol is broken."""
        return 0 if all(one.found.exact for one in self.sums) else 5

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-servers/1."""
        return {
            "format": "ppdm-servers/1",
            "steps": [{"name": one.name, "command": one.line} for one in self.steps],
            "collections": [one.to_json() for one in self.sums],
            "trusted": list(TRUSTED),
            "not_prevented": {"what": "malformed reports", "prevented_by": PREVENTED_BY},
        }


def document(shown: TwoServers, **_: object) -> Document:
    """The whole page."""
    lead = (
        "Clients randomized a value with certified code and split the report into two shares, one "
        "for each of two servers. A share alone is random bits. Each server added up its shares; "
        "the two sums together are the sum of the reports, and nothing else was published."
    )
    sections = [
        Section(
            "What was done",
            [
                Facts([(step.name, step.words) for step in shown.steps]),
                Code([step.line for step in shown.steps]),
            ],
            2,
            "steps",
        ),
        *(
            Section(one.words, _summed(one), 2, f"sums-{number}")
            for number, one in enumerate(shown.sums)
        ),
        Section("What nothing here prevents", _cheats(shown), 2, "malformed"),
        Section("What must be trusted", [Points(list(TRUSTED))], 2, "trusted"),
    ]
    footer = "Written by ppdm_formal. Values are made up; coins, shares and processes are real."
    return Document("Two servers and a sum", lead, "", "", sections, footer)


def _summed(one: CollectedBy) -> list[Block]:
    found = one.found
    many = sum(one.truth)
    only = [kept - found.counted for kept in found.kept]
    said = (
        f"{found.clients:,} clients; {only[0]:,} reached the first server alone, {only[1]:,} the "
        f"second alone, {found.clients - found.counted - sum(only):,} none. The servers agreed by "
        f"the numbers of reports which are whole: {found.counted:,} are counted."
    )
    if found.killed:
        said += " The second server was killed in the middle, and went on from its disk."
    rows = [
        [str(value), f"{count:,}", f"{honest:,}", f"{share:.3f}", f"{true / many:.3f}"]
        for value, (count, honest, share, true) in enumerate(
            zip(found.published, found.expected, one.estimates(), one.truth, strict=True)
        )
    ]
    what = (
        f"the histogram of {found.counted:,} reports: just what shuffling them would show"
        if one.ones
        else f"the column sums of {found.counted:,} reports: less than shuffling them would show"
    )
    equal = "exactly equal to" if found.exact else "NOT EQUAL TO"
    head = ["value", "published", "reports", "estimated share", "true share"]
    return [
        Text(said),
        Table(head, rows, numbers=(1, 2, 3, 4)),
        Text(
            f"What was published is {equal} the sum of the reports that count. It is {what}, and "
            f"what a certificate about so many reports after summing speaks of. Of each report by "
            f"itself, whoever sees it: {one.claim}."
        ),
    ]


def _cheats(shown: TwoServers) -> list[Block]:
    rows = []
    for one in shown.sums:
        for cheat in one.cheats:
            found = cheat.found
            moved = [
                f"value {value}: {count:,} instead of {honest:,}"
                for value, (count, honest) in enumerate(
                    zip(found.published, found.expected, strict=True)
                )
                if abs(count - honest) > 1
            ]
            rows.append([one.operator, cheat.what, "; ".join(moved), _noticed(cheat, one.ones)])
    return [
        Text(
            "One client sends something else than a report. Its shares look like all others; no "
            "server can tell."
        ),
        Table(["operator", "one client of many", "published", "noticed"], rows),
        Text(
            f"{PREVENTED_BY} (of the IRTF's draft on verifiable distributed aggregation functions) "
            "prevents this: a client proves to both servers that its shares are those of a report, "
            "without showing it. It is not rebuilt here: use an implementation that was reviewed."
        ),
    ]


def _noticed(cheat: Cheat, ones: bool) -> str:
    fits = cheat.fits(ones)
    if fits is None:
        return "unnoticed (such reports have no fixed total)"
    return (
        "unnoticed (even the total is right)"
        if fits
        else "only that the total is wrong can be seen, not whose report it is"
    )


def summary(shown: TwoServers) -> Sequence[str]:
    """A few lines for the terminal."""
    lines = []
    for one in shown.sums:
        found = one.found
        equal = "exactly the sum of their reports" if found.exact else "NOT the sum of the reports"
        back = ", the second server killed and back" if found.killed else ""
        lines.append(
            f"{one.operator}: {found.clients:,} clients{back}; {found.counted:,} counted, and the "
            f"published sum is {equal}."
        )
        lines += [f"  one client {cheat.what}: {_noticed(cheat, one.ones)}" for cheat in one.cheats]
    return [
        *lines,
        f"Malformed reports are prevented by {PREVENTED_BY}, which is not rebuilt here.",
    ]
