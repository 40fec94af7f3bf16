"""Outputs that are sets of values: stated as a whole, and which of them dominate all others.

Up to a factor of the output y alone, a value in y has the likelihood `held` and any other one
`lacking`, and every set of `least` to `most` values is an output. So much is stated, with how many
values there are of each kind; views are listed only where evidence speaks of them.
docs/decisions/0011-views-of-sets.md says why the ones asked for here are enough.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .certificate import Certificate, Subject
from .claim import BreachClaim, Claim
from .decision import is_vacuous
from .limits import MAX_SHAPES, ONE
from .reading import Fields, read_count, read_number
from .result import need
from .view import InputClass, View, check_views_digest
from .views import bound_denominators, check_known, kinds_of
from .witness import replay


@dataclass(frozen=True)
class Kind:
    """Values that the claim does not tell apart; prior and knowledge are 1 where there is none."""

    count: int
    member: tuple[bool, ...]
    prior: Fraction
    knowledge: Fraction

    @property
    def weight(self) -> Any:
        """Of one value."""
        return self.prior * self.knowledge


@dataclass(frozen=True)
class Group:
    """All outputs, and the values by kind, with what is known besides."""

    held: Any
    lacking: Any
    least: int
    most: int
    kinds: tuple[Kind, ...]
    known: bytes

    def view(self, counts: Sequence[int], output: bytes = b"") -> View:
        """What a set shows that holds so many values of each kind."""
        classes = []
        for place, (kind, some) in enumerate(zip(self.kinds, counts, strict=True)):
            for likelihood, many in ((self.held, some), (self.lacking, kind.count - some)):
                if many:
                    about = (kind.member, kind.prior, kind.knowledge)
                    name = f"{place} {likelihood is self.held}".encode()
                    classes.append(InputClass(likelihood, many, *about, name))
        return View(tuple(classes), 1, output, self.known)

    def extreme(self, about: int, upward: bool) -> View:
        """Where the property is likeliest (or least likely) under the prior.

        The likely side of a set (what it holds, if that is likelier) should be the property: all of
        it, else its heaviest values, or the lightest others besides.
        """
        least, most, whole = self.least, self.most, sum(kind.count for kind in self.kinds)
        if self.held < self.lacking:
            least, most = whole - most, whole - least
        ranked = sorted(enumerate(self.kinds), key=lambda pair: pair[1].weight)
        inside = [(k, kind) for k, kind in reversed(ranked) if kind.member[about] == upward]
        outside = [(k, kind) for k, kind in ranked if kind.member[about] != upward]
        room = min(max(sum(kind.count for _, kind in inside), least), most)
        likely = [0] * len(self.kinds)
        for k, kind in inside + outside:
            likely[k] = min(room, kind.count)
            room -= likely[k]
        if self.held < self.lacking:
            likely = [kind.count - n for kind, n in zip(self.kinds, likely, strict=True)]
        return self.view(likely)


@dataclass(frozen=True)
class Chosen(Subject):
    """What is stated of all sets, and the views that are listed, each with its group's place."""

    kind = "sets"
    name: str
    claim: BreachClaim
    groups: tuple[Group, ...]
    views: list[View]
    held: list[tuple[int, tuple[int, ...]]]

    @classmethod
    def read(cls, raw: Any, claim: Claim) -> Chosen:
        """The statement about all sets, and the listed views, which must be of such sets."""
        return read_chosen(raw, claim)

    @property
    def deciding(self) -> list[View]:
        """The views that speak for all sets.

        Of one property under the prior the extremes: no other set takes it further.
        """
        about = self.claim.about
        if self.claim.prior is not None and about is not None:
            return [group.extreme(about, up) for group in self.groups for up in (True, False)]
        need(self.views, "no views")
        self.need_all_shapes()
        return self.views

    def replay(self, certificate: Certificate) -> None:
        """On the view that is listed."""
        replay(certificate.witness, self.views, self.claim, certificate.evidence)

    def vacuous(self, certificate: Certificate) -> bool:
        """By what is known beforehand, whatever the set."""
        return is_vacuous(self.beforehand(), self.claim)

    def beforehand(self) -> list[View]:
        """A view for each z, for what does not depend on the output."""
        return [group.view([0] * len(group.kinds)) for group in self.groups]

    def need_all_shapes(self) -> None:
        """Every set holds and lacks of each kind no more values than a listed one, 2 for several.

        On classes as large, or of two inputs at least, any prior does what it does elsewhere.
        """
        for place, group in enumerate(self.groups):
            listed = {shape_of(group, held) for where, held in self.held if where == place}
            options = [shapes_of(kind.count) for kind in group.kinds]
            need(math.prod(map(len, options)) <= MAX_SHAPES, "too many kinds of values")
            for choice in itertools.product(*options):
                fewest, greatest = sum(low for _, low, _ in choice), sum(h for _, _, h in choice)
                if fewest > group.most or greatest < group.least:
                    continue
                shape = [row[0] for row in choice]
                need(any(covers(large, shape) for large in listed), "a set that no view covers")


Shape = Sequence[tuple[int, int]]


def covers(large: Shape, small: Shape) -> bool:
    """Whether one set holds and lacks as many of each kind as another."""
    return all(a >= c and b >= d for (a, b), (c, d) in zip(large, small, strict=True))


def shape_of(group: Group, held: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """How many values of each kind are held and lacking, 2 for several."""
    rows = zip(group.kinds, held, strict=True)
    return tuple((min(n, 2), min(kind.count - n, 2)) for kind, n in rows)


def shapes_of(count: int) -> list[tuple[tuple[int, int], int, int]]:
    """The shapes of a kind of so many values, with the fewest and the most that are held."""
    few = list(range(min(count, 4) + 1)) if count <= 4 else [0, 1, 2, count - 1, count]
    found = []
    for n in few:
        several = count > 4 and n == 2
        found.append(((min(n, 2), min(count - n, 2)), n, count - 2 if several else n))
    return found


def read_chosen(raw_operator: Any, claim: Claim) -> Chosen:
    """The statement about all sets, and the listed views, which must be of such sets."""
    need(isinstance(claim, BreachClaim) and claim.reports == 1, "sets: of breaches by one report")
    assert isinstance(claim, BreachClaim)
    described = Fields(raw_operator, "operator", "kind name inputs outputs sets views views_sha256")
    inputs, outputs = described.count("inputs"), described.count("outputs")
    check_views_digest(described)
    fields = Fields(described.raw["sets"], "sets", "held lacking least most groups")
    held, lacking = fields.number("held"), fields.number("lacking")
    need(held > 0 and lacking > 0, "sets: a likelihood that is not above 0")
    least, most = fields.count("least"), fields.count("most")
    need(least <= most <= inputs, "sets: impossible sizes")
    every = least == 0 and most == inputs
    need(not every or outputs == 1 << most, "the outputs are not as many as the sets")
    groups = []
    for raw in fields.list("groups"):
        row = Fields(raw, "a group", "kinds" + (" known" if claim.knowing is not None else ""))
        kinds = tuple(read_kind(part, claim) for part in row.list("kinds"))
        need(sum(kind.count for kind in kinds) == inputs, "counts are not the inputs")
        told = [(kind.member, kind.prior, kind.knowledge) for kind in kinds]
        need(len(set(told)) == len(told), "a kind of values twice")
        if claim.prior is not None:
            total = sum(kind.count * kind.prior for kind in kinds)
            need(total == 1, "the prior does not sum to 1")
        known = row.value("known") if claim.knowing is not None else b""
        groups.append(Group(held, lacking, least, most, kinds, known))
    need(groups and len({group.known for group in groups}) == len(groups), "no group, or one twice")
    need(claim.knowing is not None or len(groups) == 1, "groups without anything known")
    views, places = [], []
    for raw in described.raw["views"]:
        row = Fields(raw, "a view of a set", "group held output")
        group = groups[row.position("group", len(groups))]
        counts = tuple(map(read_count, row.list("held", len(group.kinds))))
        few = all(n <= kind.count for n, kind in zip(counts, group.kinds, strict=True))
        need(few and least <= sum(counts) <= most, "a view of no set")
        views.append(group.view(counts, row.value("output")))
        places.append((raw["group"], counts))
    need(len({(view.output, view.known) for view in views}) == len(views), "an output twice")
    need(len(set(places)) == len(places), "a view twice")
    chosen = Chosen(described.text("name"), claim, tuple(groups), views, places)
    bound_denominators(chosen.beforehand())
    check_known([kinds_of(view) for view in chosen.beforehand()])
    return chosen


def read_kind(raw: Any, claim: Claim) -> Kind:
    """A kind of values."""
    keys = "count" + (" member" if claim.properties else "")
    keys += " prior" if claim.prior is not None else ""
    keys += " knowledge" if claim.knowing is not None else ""
    fields = Fields(raw, "a kind", keys)
    count = fields.count("count")
    member = tuple(fields.list("member", len(claim.properties))) if claim.properties else ()
    need(count >= 1 and all(type(m) is bool for m in member), "a kind without values, or not told")
    prior = read_number(raw["prior"]) if claim.prior is not None else ONE
    knowledge = read_number(raw["knowledge"]) if claim.knowing is not None else ONE
    need(0 <= prior <= 1 and 0 <= knowledge <= 1, "a kind with a probability not in [0, 1]")
    return Kind(count, member, prior, knowledge)
