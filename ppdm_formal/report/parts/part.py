"""Part: a section of a report, in a file of its own in parts/sections, found by its place.

Reports of plans have theirs in parts/plans.

Each of those files has one record PART. `order` is where it stands in the whole report, and
`brief_order` where in the brief one, which a terminal shows; None leaves it out of that.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import Any, Generic, TypeVar

from ppdm_formal.certify.audit.audited import AnyAudit, AuditResult
from ppdm_formal.report.parts.blocks import Section
from ppdm_formal.report.words.decided import AnyDecided, Decided
from ppdm_formal.report.words.visible import clean


@dataclass(frozen=True)
class Material:
    """What sections are made of: an audit's result, and its claims in order."""

    result: AuditResult
    judged: Sequence[AnyDecided]

    @property
    def claims(self) -> list[Decided]:
        """Those about operators on finite sets."""
        return [claim for found in self.result.operators for claim in self.of(found)]

    def of(self, found: AnyAudit) -> list[AnyDecided]:
        """The claims about one operator, or one record in parts."""
        return [claim for claim in self.judged if claim.found is found]

    @property
    def file(self) -> str:
        """The model's file name, without its folder."""
        return clean(PurePath(self.result.model.file).name, 120)


NO_FILE = "none: built in Python"
"""In place of the digest of a model's file."""

Subject = TypeVar("Subject")
"""What the sections of one kind of report are made of."""


@dataclass(frozen=True)
class Part(Generic[Subject]):
    """How a section is built, where it stands, and the same for the brief report."""

    order: int
    build: Callable[[Subject], Sequence[Section]]
    brief_order: int | None = None
    build_brief: Callable[[Subject], Sequence[Section]] | None = None


def parts() -> tuple[Part[Material], ...]:
    """The sections of a model's report."""
    return parts_in("sections")


@cache
def parts_in(folder: str) -> tuple[Part[Any], ...]:
    """The records of all files in a folder of parts, in the order of the report."""
    place = import_module(f"ppdm_formal.report.parts.{folder}")
    found: list[Part[Any]] = []
    for file in pkgutil.iter_modules(place.__path__, f"{place.__name__}."):
        found.append(import_module(file.name).PART)
    return tuple(sorted(found, key=lambda part: part.order))
