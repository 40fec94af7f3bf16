"""Survey: what came of all certificates that were asked about, and which claims lack one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .canonical import parse
from .limits import MAX_BYTES
from .manifest import MANIFEST, Manifest, need_kept_model, read_manifest
from .result import CheckResult, Permits, Rejected, exit_codes, worst

ALONE = (
    f"Without a model it cannot be seen whether claims were taken out of {MANIFEST} together with "
    "their certificates."
)
SINGULAR = {
    "hold": "holds",
    "hold in part": "holds in part",
    "fail": "fails",
    "say nothing": "says nothing",
    "are not verified": "is not verified",
    "lack a certificate": "lacks a certificate",
}
STANDING = {"certified": "hold", "partly": "hold in part", "breached": "fail"}
Stated = tuple[str, str]
"""A claim of a model's audit: the operator's name, and the claim's text."""


@dataclass(frozen=True)
class Checked:
    """A certificate and what came of it; listed: its claim is one that a model or manifest has."""

    path: Path
    result: CheckResult
    listed: bool


@dataclass(frozen=True)
class Lacking:
    """A claim without a certificate, as none was made (undecided) or none is there."""

    operator: str
    claim: str
    undecided: bool

    @property
    def words(self) -> str:
        """One line."""
        why = "not decided, so that it has" if self.undecided else "lacks"
        return f"{self.operator}: {self.claim}: {why} {'no' if self.undecided else 'a'} certificate"


@dataclass(frozen=True)
class Survey:
    """All that was found. faults: what is wrong with a folder; whole: of folders, not of files."""

    checked: tuple[Checked, ...]
    lacking: tuple[Lacking, ...]
    faults: tuple[str, ...]
    notes: tuple[str, ...]
    whole: bool

    def count(self, what: str) -> int:
        """How many claims hold, fail, say nothing or were not verified."""
        return sum(standing(one.result) == what for one in self.checked if one.listed)

    @property
    def words(self) -> str:
        """How many claims hold, fail, say nothing, or lack a certificate."""
        counts = {what: self.count(what) for what in SINGULAR}
        counts["lack a certificate"] = len(self.lacking)
        for rare in ("hold in part", "are not verified"):
            if not counts[rare]:
                del counts[rare]
        total = sum(counts.values())
        said = [f"{n} {SINGULAR[what] if n == 1 else what}" for what, n in counts.items()]
        return f"{total} claim{'s' * (total != 1)}: {', '.join(said)}"

    def exit_code(self, permits: Permits) -> int:
        """Of all certificates and folders together."""
        codes = {4 for _ in self.faults}
        codes |= {3 if one.undecided else 4 for one in self.lacking}
        for one in self.checked:
            codes |= exit_codes(one.result, permits)
        return worst(codes)


def standing(result: CheckResult) -> str:
    """What a result says of its claim."""
    if not result.accepted:
        return "are not verified"
    if result.vacuous is not False:
        return "say nothing"
    return STANDING[result.verdict]


def survey(
    named: Sequence[Path],
    ask: Callable[[Path], CheckResult],
    say: Callable[[Path, CheckResult], None],
    stated: Sequence[Stated] | None = None,
) -> Survey:
    """Check certificates, and folders of them by their manifests.

    stated: the claims of which certificates are asked for, where a model says which; otherwise
    those that manifests list.
    """
    checked: list[Checked] = []
    lacking: list[Lacking] = []
    faults: list[str] = []
    notes: list[str] = []
    undecided: set[Stated] = set()
    wanted = Counter(stated or ())
    shown: set[Stated] = set()
    whole = False
    for folder, paths in gathered_files(named):
        manifest = None
        if folder is not None:
            whole = True
            manifest = folder_manifest(folder, stated is not None, faults, notes)
        in_manifest = {row.file for row in manifest.claims} if manifest else set()
        for path in paths:
            result = ask(path)
            if manifest is not None:
                result = manifest.confirmed(path.name, result)
            key = (result.operator, result.claim) if result.claim else about(path)
            shown.add(key)
            listed = manifest is None or path.name in in_manifest
            if stated is not None and key in stated:
                listed = wanted[key] > 0
                wanted[key] -= 1
            elif stated is not None:
                result = result._replace(unstated=bool(result.claim))
                listed = listed and manifest is not None
            elif not listed:
                notes.append(f"{path.name} is not listed in {MANIFEST}, and is not counted.")
            checked.append(Checked(path, result, listed))
            say(path, result)
        there = {path.name for path in paths}
        for row in () if manifest is None else manifest.claims:
            key = (row.operator, row.claim)
            if row.file is None:
                undecided.add(key)
            if row.file not in there and (stated is None or key not in stated):
                lacking.append(Lacking(*key, row.file is None))
    if whole and stated is not None:
        more = sum(one.result.unstated for one in checked)
        if more:
            which = "1 certificate is" if more == 1 else f"{more} certificates are"
            notes.append(f"{which} of claims that the model's audit does not state.")
        for key in dict.fromkeys(stated):
            if key not in shown:
                lacking.append(Lacking(*key, key in undecided))
    return Survey(tuple(checked), tuple(lacking), tuple(faults), tuple(notes), whole)


def about(path: Path) -> Stated:
    """Of what a certificate speaks that was not verified; it proves nothing."""
    if not path.is_file():  # nobody may ever write to a pipe
        return "", ""
    try:
        with path.open("rb") as file:
            raw = parse(file.read(MAX_BYTES + 1))
        name, text = raw["operator"]["name"], raw["claim"]["text"]
    except Exception:  # it says nothing of the kind
        return "", ""
    return (name, text) if type(name) is str and type(text) is str else ("", "")


def folder_manifest(
    folder: Path, with_model: bool, faults: list[str], notes: list[str]
) -> Manifest | None:
    """A folder's manifest, with what is wrong with it, or what cannot be seen."""
    try:
        manifest = read_manifest(folder)
        if manifest is not None:
            need_kept_model(folder, manifest)
    except Rejected as error:
        faults.append(f"{folder}: rejected: {error}")
        return None
    except Exception as error:  # whatever cannot be read does not hold
        faults.append(f"{folder}: {MANIFEST} cannot be read: {type(error).__name__}")
        return None
    if with_model:
        return manifest
    if manifest is None:
        faults.append(f"{folder}: {MANIFEST} is missing: it cannot be seen which claims lack one")
        return None
    notes.append(ALONE)
    if manifest.operators is not None:
        names = ", ".join(ascii(name)[1:-1][:60] for name in manifest.operators[:20])
        notes.append(f"{MANIFEST} speaks of some operators of the model only: {names}.")
    return manifest


def gathered_files(named: Sequence[Path]) -> Iterator[tuple[Path | None, list[Path]]]:
    """The certificates that are named, and the folders, each with those that lie in it."""
    for path in named:
        folder = path.parent if path.name == MANIFEST else path
        if path.name == MANIFEST or path.is_dir():
            yield folder, sorted(folder.glob("*.json"), key=by_number)
        else:
            yield None, [path]


def by_number(path: Path) -> list[tuple[int, str]]:
    """By name, numbers in it by their size: R-2 before R-10."""
    parts = re.split(r"(\d+)", path.name)
    return [(int(part), "") if part.isdecimal() else (0, part) for part in parts]
