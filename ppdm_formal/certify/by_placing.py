"""One prior, every property, outputs that are sets: set and property are chosen together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from ppdm_formal.certify.beliefs import beliefs
from ppdm_formal.certify.finding import BreachWitness, WitnessPart
from ppdm_formal.certify.known_prior import Most
from ppdm_formal.certify.placing import Greatest, PlacingSearch, Problem
from ppdm_formal.declare.arithmetic.spelling import count_json, number_text
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.sets import groups_of
from ppdm_formal.declare.operators.view import View


class ByPlacing:
    """The search over all sets, for each z; the sets that it finds are added to the views."""

    kind = "placing"

    def __init__(self, views: Sequence[View], deadline: Deadline) -> None:
        self.deadline = deadline
        self.groups = list(groups_of(views))
        self.views: Sequence[View] = views

    def most(self, after_wanted: bool, capacity: Fraction, target: Fraction | None) -> Most:
        """See known_prior.Search."""
        found: list[Greatest | None] = []
        for sets in self.groups:
            possible = any(kind.weight for kind in sets.kinds)
            problem = Problem(sets, after_wanted, capacity)
            found.append(
                PlacingSearch(problem).greatest(target, self.deadline) if possible else None
            )
        best = max((one for one in found if one is not None), key=lambda one: one.at_least)
        view = self.groups[found.index(best)].view(best.placing.held)
        if view not in self.views:
            self.views = [*self.views, view]
        return _Placed(
            best.at_least,
            max(one.at_most for one in found if one is not None),
            tuple(None if one is None else _proof(one) for one in found),
            list(self.views).index(view),
            view,
            tuple(_inside(best.placing.inside, best.placing.held, view)),
        )


def _proof(found: Greatest) -> dict[str, Any]:
    """What is shown for one z."""
    return {"at_most": number_text(found.at_most), "tree": found.tree}


def _inside(rows: Sequence[tuple[int, int]], held: Sequence[int], view: View) -> list[int]:
    """How many inputs of each class of the view have the property."""
    assert view.chosen is not None
    found = []
    for count, some, (own, other) in zip(view.chosen.sets.counts, held, rows, strict=True):
        found += [own] if some else []
        found += [other] if some < count else []
    return found


@dataclass(frozen=True)
class _Placed:
    """The greatest of all sets and properties; see known_prior.Most."""

    at_least: Any
    at_most: Any
    trees: tuple[Any, ...]
    place: int
    view: View
    chosen: tuple[int, ...]

    def evidence(self) -> dict[str, Any]:
        """As it stands in a certificate."""
        return {
            "at_least": number_text(self.at_least),
            "view": self.place,
            "inside": [[c, count_json(n)] for c, n in enumerate(self.chosen) if n],
            "at_most": number_text(self.at_most),
            "trees": list(self.trees),
        }

    def witness(self, upward: bool, inverted: bool = False) -> BreachWitness:
        """The property that was found, or its complement."""
        parts, masses = [], []
        for index, (part, own) in enumerate(zip(self.view.classes, self.chosen, strict=True)):
            inside = part.count - own if inverted else own
            assert part.prior is not None
            prior: Any = part.prior
            masses.append((part, inside * prior, (part.count - inside) * prior))
            if inside:
                parts.append(WitnessPart(index, inside))
        changes = beliefs(masses)
        assert changes is not None, "every set is seen"
        word: Literal["upward", "downward"] = "upward" if upward else "downward"
        return BreachWitness(word, self.place, tuple(parts), *changes)
