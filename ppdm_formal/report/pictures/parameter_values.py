"""A few values of a free parameter: the edges of regions, and one value on each side of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from ppdm_formal.certify.region import Region
from ppdm_formal.declare.arithmetic.algebraic import ends
from ppdm_formal.declare.arithmetic.parameter import Parameter
from ppdm_formal.report.words.decided import Decided

_MOST = 7


def sample_values(parameter: Parameter, claims: Sequence[Decided]) -> list[Fraction]:
    """Rational edges of the claims' regions, and between them values of examples, or the middle.

    Quarters where there are no edges.
    """
    edges: dict[Fraction, bool] = {}
    for region in (claim.certificate.region for claim in claims):
        for piece in () if region is None else region.intervals:
            for end in (piece.start, piece.end):
                low, high = ends(end)
                edges[(low + high) / 2] = low == high
    inner = sorted(edge for edge in edges if parameter.lower < edge < parameter.upper)
    inner = inner[: _MOST // 2]
    if not inner:
        width = parameter.upper - parameter.lower
        return [parameter.lower + width * Fraction(k, 4) for k in (1, 2, 3)]
    shown = [dict(c.certificate.witness.parameters or {}) for c in claims if c.certificate.witness]
    examples = [values[parameter.name] for values in shown if parameter.name in values]
    between = [
        next((example for example in examples if a < example < b), (a + b) / 2)
        for a, b in pairwise([parameter.lower, *inner, parameter.upper])
    ]
    return sorted([*between, *(edge for edge in inner if edges[edge])])


def holds_at(region: Region, value: Fraction) -> bool:
    """Whether a value that is no root lies in a region."""
    for piece in region.intervals:
        low, high = ends(piece.start)[1], ends(piece.end)[0]
        after = value > low or (value == low and piece.start_included)
        if after and (value < high or (value == high and piece.end_included)):
            return True
    return False
