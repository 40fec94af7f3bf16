"""Claims for every property under a density: the best property of an output, or levels for all.

Given z, the property of probability at most r that is likeliest holds where the likelihood of z is
highest. The most telling outputs are tried for a breach by it (derive/reals/telling.py);
otherwise levels show for all z at once that no property gets as far (every_property.py), and where
they do not, the output at which that proof is stuck is tried as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.certify.real_cases import (
    far_out,
    odds_of,
    reaches,
    starts_at,
    too_far,
    ways,
)
from ppdm_formal.certify.real_witness import TakenFar, Way, breached
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.density import Density
from ppdm_formal.declare.reals.reals import RealProperty
from ppdm_formal.derive.reals.belief import Belief
from ppdm_formal.derive.reals.every_property import BeliefLevels, EveryProperty, stays_below
from ppdm_formal.derive.reals.search import Above, at_or_around
from ppdm_formal.derive.reals.telling import BestProperty, Telling, most_telling

PARTS = (16, 48, 128)
"""Into how many cells pieces are cut, until that is enough."""

_TRIED = 6
"""Outputs, the likeliest to show a breach first."""


def decide_every_property(
    operator: ContinuousOperator, claim: BreachClaim, density: Density, deadline: Deadline
) -> Finding:
    """A property and outputs that break the claim, or levels by which none does."""
    rows: list[dict[str, Any]] = []
    for way in ways(claim):
        start, reach = starts_at(claim, way), reaches(claim, way)
        best = BestProperty(operator, density, start)
        found = _broken(best, _to_try(best, reach), reach, deadline)
        if found is None and far_out(operator):
            return _in_the_limit(best, way)
        for parts in PARTS if found is None else ():
            answer = stays_below(EveryProperty(operator, density, parts), start, reach, deadline)
            if isinstance(answer, BeliefLevels):
                rows.append(_levels_json(answer, way, parts))
                break
            assert answer.output is not None
            # Where the proof is stuck, there may be a breach.
            hardest = Telling(answer.output, best.belief(answer.output))
            found = _broken(best, [hardest], reach, deadline)
            if found is not None:
                break
        else:
            if found is None:
                return Finding(
                    Verdict.UNKNOWN,
                    "the likeliest property comes too close to what the claim allows",
                    vacuous=None,
                )
        if found is not None:
            return _breach(*found, way)
    return Finding(
        Verdict.CERTIFIED,
        "no output takes any property as far: not even where its likelihood is highest",
        {"kind": "levels", "ways": rows},
    )


def _to_try(best: BestProperty, reach: Fraction) -> list[Telling]:
    """The most telling outputs; first one that tells enough and lies far from all ends.

    The very end of the outputs often tells most, where hardly any output lies.
    """
    outputs = most_telling(best)
    most = max((one.belief for one in outputs), default=0.0)
    enough = [one for one in outputs if one.belief >= (most + float(reach)) / 2]
    return [*sorted(enough, key=best.room)[-1:], *outputs[:_TRIED]]


def _broken(
    best: BestProperty, outputs: Sequence[Telling], reach: Fraction, deadline: Deadline
) -> tuple[RealProperty, Above, int] | None:
    """A property, outputs that take it too far, and how many cells show it."""
    for telling in outputs:
        if telling.belief < float(reach) * (1 - 1e-6):
            continue
        about = best.likeliest(telling.output)
        if about is None:
            continue
        for parts in (1, 8, 32):
            deadline.check()
            seen = Belief(best.operator, best.density, about, parts)
            answer = at_or_around(seen, telling.output, odds_of(reach))
            if answer is not None and not too_far(best.operator, answer):
                return about, answer, parts
            if seen.exact:
                break
    return None


def _breach(about: RealProperty, answer: Above, parts: int, way: Way) -> Finding:
    witness = TakenFar(way, parts, answer.atom, answer.low, answer.high, about=about)
    return breached(f"outputs show that x lies in {about}", "cells", witness)


def _in_the_limit(best: BestProperty, way: Way) -> Finding:
    """The greatest x: the largest outputs take the belief in them as close to 1 as one likes."""
    density, top, start = best.density, best.hi, best.start
    length = top - best.lo
    about = RealProperty(density.domain, ((top - length, top),))
    while density.mass(about).hi > start:
        length /= 2
        about = RealProperty(density.domain, ((top - length, top),))
    words = f"the larger the output, the surer it is that x lies in {about}"
    return breached(words, "cells", TakenFar(way, limit="top", about=about))


def _levels_json(levels: BeliefLevels, way: Way, parts: int) -> dict[str, Any]:
    def texts(numbers: tuple[Fraction | None, ...]) -> list[str | None]:
        return [None if number is None else number_text(number) for number in numbers]

    return {
        "direction": way,
        "parts": parts,
        "cuts": texts(levels.cuts),
        "levels": texts(levels.levels),
        "tails": texts(levels.tails),
        "atoms": texts(levels.atoms),
    }
