"""Noise on a grid: x plus noise, rounded to steps: p[x -> y] by how many steps y lies above x.

With F(k) = P[noise < (k + 1/2) step], and y = x + k steps:

    p[x -> y] = F(k) - F(k - 1)        clamped: the ends take what lies beyond them
    truncated: divided by the sum of these over all y

So n inputs and m outputs take n + m numbers, and the matrix is written out only where it is small.
For uniform, triangular and Laplace noise F is an exact number. For normal noise it is not: the law
is declared to be the one whose F is rounded to a multiple of 2^-bits, with enough bits for 64 in
the least likely output (docs/decisions/0009-continuous-operators.md).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from flint import ctx

from ppdm_formal.families.grid import Grid
from ppdm_formal.noises.by_place import parse_noise
from ppdm_formal.noises.noise import Noise
from ppdm_formal.numbers.enclosure import ball_of, enclose
from ppdm_formal.numbers.exact import ONE, ZERO, Exact, exact, is_rational, parse_number
from ppdm_formal.numbers.exponential import ExpNumber, exp_of
from ppdm_formal.numbers.parameter import Parameter
from ppdm_formal.operator.cut import Steps, cut_of
from ppdm_formal.operator.domain import Domain
from ppdm_formal.operator.draw import Bits
from ppdm_formal.operator.law import Floats, Integers, Law, MatrixLaw, Spelled, check_rows
from ppdm_formal.operator.matrix import CodedMatrix, Palette, TooLarge, check_cells
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.pair import PairClass, pair_classes
from ppdm_formal.operator.shipped import step_json, values_json
from ppdm_formal.operator.view import InputClass, View

MAX_POINTS = 250_000
"""Most inputs and outputs together."""

MAX_WRITTEN = 4_000_000
"""Entries of a matrix whose numbers all differ."""

MAX_EXPONENTIALS = 60_000
"""Entries of a matrix with exponentials."""

MAX_QUOTIENTS = 1_000_000
"""The same where each row is divided by its sum, times their highest power."""

MAX_POWERS = 4_000
"""Highest power in the exponentials of the extreme view: what is certified must be re-checked."""

MAX_BITS = 20_000
"""Longest denominator 2^bits of a law that is rounded."""

_OWN_BITS = 64
"""Bits of the least likely output, where a law is rounded."""

_OFTEN = 1 / 64
"""Outputs that lie in the window as often as this are drawn until one does."""

_FLOAT_BITS = 128

NoiseText: TypeAlias = str
"""A noise as models write it: laplace(5/2)."""

Window: TypeAlias = Literal["clamped", "truncated"]


def check_points(inputs: int, outputs: int) -> None:
    """Refuse grids that are too fine, before they are listed."""
    if inputs + outputs > MAX_POINTS:
        raise TooLarge(
            f"{inputs:,} inputs and {outputs:,} outputs: a grid has at most {MAX_POINTS:,} "
            "together; round to a larger step"
        )


@dataclass(frozen=True)
class GridLaw(Law):
    """`rows` inputs and `columns` outputs, the first one `shift` steps above the first input.

    noise: log-concave, as all that there are.
    """

    noise: Noise
    step: Fraction
    rows: int
    columns: int
    shift: int
    truncated: bool
    rows_without_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_points(self.rows, self.columns)
        if not self._exact and self.bits > MAX_BITS:
            raise TooLarge(f"the least likely output needs {self.bits:,} bits: narrow the window")
        if self.truncated:  # log-concave in x: least at an end
            for row in (0, self.rows - 1):
                if self.share(row) == ZERO:
                    end = "first" if row == 0 else "last"
                    raise ValueError(f"from the {end} input no output lies in the window")

    def spelled(self) -> Spelled:
        """Noise, step and window; of a rounded law also to how many bits it is rounded."""
        window = "truncated" if self.truncated else "clamped"
        given = {"noise": str(self.noise), "step": self.step, "window": window}
        bits = {} if self.rounded_to is None else {"bits": self.rounded_to}
        return Spelled("noise_on_grid", given | bits)

    # -- the distribution at the borders between outputs -----------------------------------------

    def border(self, place: int) -> Fraction:
        """How far above x the border lies that is half a step above `place` steps."""
        return (place + Fraction(1, 2)) * self.step

    @cached_property
    def _exact(self) -> bool:
        return self.noise.exact_cdf(self.border(0)) is not None

    @cached_property
    def bits(self) -> int:
        """Of a law that is rounded: enough for the least likely cell, the farthest one."""
        farthest = self.border(max(self.rows - self.shift, self.shift + self.columns))
        tail = self.noise.ball_cdf
        least = enclose(
            lambda: tail(ball_of(self.step - farthest)) - tail(ball_of(-farthest)), nonzero=True
        )
        return _OWN_BITS + math.floor(1 / least.lo).bit_length()

    @property
    def rounded_to(self) -> int | None:
        """The bits of a law that is rounded; None for an exact one."""
        return None if self._exact else self.bits

    @cached_property
    def _known(self) -> dict[int, Any]:
        return {}

    def below(self, place: int) -> Any:
        """F(place)."""
        if place not in self._known:
            v = self.border(place)
            self._known[place] = self.noise.exact_cdf(v) if self._exact else self._rounded(v)
        return self._known[place]

    def _rounded(self, v: Fraction) -> Fraction:
        """The distribution rounded to the nearest multiple of 2^-bits."""
        whole = 1 << self.bits
        digits = self.bits // 3 + 10
        while True:
            found = enclose(lambda: self.noise.ball_cdf(ball_of(v)), digits)
            low, high = (math.floor(end * whole + Fraction(1, 2)) for end in (found.lo, found.hi))
            if low == high:
                return Fraction(low, whole)
            digits *= 2

    def chance(self, place: int) -> Any:
        """How likely y is `place` steps above x, without a window."""
        return self.below(place) - self.below(place - 1)

    def share(self, row: int) -> Any:
        """How likely the window is for an input."""
        first = self.shift - row
        return self.below(first + self.columns - 1) - self.below(first - 1)

    # -- the law ---------------------------------------------------------------------------------

    def entry(self, row: int, column: int) -> Exact:
        """p[x -> y] by positions."""
        place = self.shift + column - row
        if self.truncated:
            return self.chance(place) / self.share(row)
        if column == 0:
            return self.below(place)
        if column == self.columns - 1:
            return ONE - self.below(place - 1)
        return self.chance(place)

    def mass(self) -> Exact:
        """The differences of F add up to 1, and what is truncated to its own sum."""
        return ONE

    def values(self) -> Sequence[Exact]:
        """One of them: all are rational, or some have exponentials; none has a parameter."""
        return (self.below(0),)

    def map(self, change: Callable[[Exact], Exact]) -> GridLaw:
        """There is no parameter to change."""
        return self

    def matrix(self) -> CodedMatrix:
        """The matrix written out, where it is small or has few different numbers."""
        return self._written.coded

    @cached_property
    def _written(self) -> MatrixLaw:
        check_cells(self.rows, self.columns)
        self._check_few()
        return MatrixLaw(self._coded())

    def _check_few(self) -> None:
        """Refuse numbers that are too many to write out."""
        entries, points = self.rows * self.columns, self.rows + self.columns
        rational = isinstance(self.below(0), Fraction)
        if not rational:
            few = entries <= MAX_EXPONENTIALS
            few = few and (not self.truncated or entries * points <= MAX_QUOTIENTS)
        else:
            few = entries <= MAX_WRITTEN
            if not few and not self.truncated:
                different = len({self.chance(place) for place in self.places[1:]})
                few = different * self.columns <= MAX_WRITTEN
        if not few:
            what = "different numbers" if rational else "numbers with exponentials"
            raise TooLarge(
                f"{self.rows:,} x {self.columns:,} {what} are too many to write out: for "
                "this, round to a larger step"
            )

    def _coded(self) -> CodedMatrix:
        palette = Palette()
        codes = np.zeros((self.rows, self.columns), dtype=np.uint32)
        if self.truncated:
            for row, column in np.ndindex(self.rows, self.columns):
                codes[row, column] = palette.code(self.entry(row, column))
            return CodedMatrix(codes, palette.values)
        first = self.shift - self.rows + 1
        places = range(first, self.shift + self.columns)
        cells = np.array([palette.code(self.chance(place)) for place in places])
        for row in range(self.rows):
            start = self.shift - row - first
            codes[row] = cells[start : start + self.columns]
        for column in (0, self.columns - 1):
            codes[:, column] = [palette.code(self.entry(row, column)) for row in range(self.rows)]
        return CodedMatrix(codes, palette.values)

    def certain(self) -> bool:
        """Whether the output is a function of the input: the noise never reaches a border."""
        return all(self.below(place) in (ZERO, ONE) for place in self.places)

    # -- views -----------------------------------------------------------------------------------

    def extreme(self, inputs: Domain, outputs: Domain) -> View:
        """The first or the last output that occurs, told from the first and the last input.

        F is the distribution of a log-concave law, and so are its differences log-concave: for
        x1 < x2 the ratio p[x1 -> y] / p[x2 -> y] does not rise with y. Joining outputs at an end
        and dividing rows by what they sum to keep that. So each ratio is greatest at the first or
        the last output that occurs. There, p[x -> first] falls with x: clamped it is F; truncated,
        1 / p[x -> first] is the sum over y of the ratios (F(k) - F(k - 1)) at y and at first, each
        of which rises. That a rounded law is log-concave is checked, not assumed.
        """
        self._check_concave()
        last_row, last = self.rows - 1, self.columns - 1
        sides = (
            (next(c for c in range(self.columns) if self.entry(0, c) != ZERO), 0, last_row),
            (next(c for c in range(last, -1, -1) if self.entry(last_row, c) != ZERO), last_row, 0),
        )
        found = []
        for column, likely, unlikely in sides:
            most, least = self.entry(likely, column), self.entry(unlikely, column)
            found.append((None if least == ZERO else most / least, column, likely, unlikely))
        ratio, column, likely, unlikely = max(
            found, key=lambda side: (side[0] is None, ZERO if side[0] is None else side[0])
        )
        most, least = (ONE, ZERO) if ratio is None else _split(ratio)
        if most == least:
            classes: tuple[InputClass, ...] = (InputClass(most, self.rows, inputs[0]),)
        else:
            parts = sorted([(likely, most), (unlikely, least)], key=lambda part: part[0])
            classes = tuple(InputClass(number, 1, inputs[row]) for row, number in parts)
        return View(classes, self.columns, outputs[column], relative=True, extreme=True)

    def _check_concave(self) -> None:
        """chance(k)^2 >= chance(k - 1) chance(k + 1); exact laws are so by their formulas."""
        if self._exact:
            return
        whole = 1 << self.bits
        borders = [int(self.below(place) * whole) for place in self.places]
        cells = [b - a for a, b in itertools.pairwise(borders)]
        if any(b * b < a * c for a, b, c in zip(cells, cells[1:], cells[2:], strict=False)):
            raise TooLarge("a step too small for the noise: rounding shows; round to a larger step")

    def pair(self, first: int, second: int) -> tuple[PairClass, ...]:
        """Two rows, entry by entry."""
        if not isinstance(self.below(0), Fraction):
            return self._written.pair(first, second)
        columns = range(self.columns)
        return pair_classes((self.entry(first, c), self.entry(second, c), 1) for c in columns)

    def unlike_pairs(self) -> Iterable[tuple[int, int]]:
        """All of them."""
        return itertools.combinations(range(self.rows), 2)

    # -- numbers to draw and to reckon with ------------------------------------------------------

    def draw(self, rows: Integers, bits: Bits) -> Integers:
        """One number of steps for each input; of a truncated law again until y lies in the window.

        Where that would take long, by the cuts of the input's own row.
        """
        check_rows(rows, self.rows)
        if not self.truncated:
            return np.clip(self._moved(rows, bits), 0, self.columns - 1)
        found = np.empty(rows.size, dtype=np.int64)
        rare = self._rare(np.unique(rows))
        for row in rare.tolist():
            values = [self.entry(row, column) for column in range(self.columns)]
            those = np.flatnonzero(rows == row)
            found[those] = bits.choose(Steps.distribution(values, bits.width), those.size)
        waiting = np.flatnonzero(~np.isin(rows, rare))
        while waiting.size:
            columns = self._moved(rows[waiting], bits)
            inside = (columns >= 0) & (columns < self.columns)
            found[waiting[inside]] = columns[inside]
            waiting = waiting[~inside]
        return found

    def client(self, inputs: Domain, outputs: Domain) -> dict[str, Any]:
        """The distribution at the borders of outputs, listed or by its formula."""
        if not isinstance(inputs, Grid):
            return super().client(inputs, outputs)
        found: dict[str, Any] = {
            "kind": "noise",
            "grid": {"first": inputs.first, "last": inputs.last, **step_json(inputs.step)},
            "outputs": values_json(outputs),
            "shift": self.shift,
            "truncated": self.truncated,
        }
        formula = self.noise.client(self.step)
        if formula is not None:
            return found | formula
        borders = [self.below(place) for place in self.places]
        whole = math.lcm(*(number.denominator for number in borders))
        below = [hex(int(number * whole)) for number in borders]
        return found | {"start": self.places[0], "whole": hex(whole), "below": below}

    def _rare(self, rows: Integers) -> Integers:
        """Inputs from which the window is seldom reached; both ways of drawing are exact."""
        first = self.shift - rows
        low, high = (
            self.noise.cdf((places + 0.5) * float(self.step))
            for places in (first - 1, first + self.columns - 1)
        )
        return np.asarray(rows[high - low < _OFTEN])

    def _moved(self, rows: Integers, bits: Bits) -> Integers:
        """The position of x plus noise among the outputs; all beyond is one step beyond."""
        if bits.width not in self._kept:
            cuts = [cut_of(self.below(place)) for place in self.places]
            self._kept[bits.width] = Steps.of(cuts, bits.width)
        lowest = self.places[0] - self.shift  # below the first cut
        return np.asarray(rows + bits.choose(self._kept[bits.width], rows.size) + lowest)

    @property
    def places(self) -> range:
        """The borders of all outputs, for all inputs."""
        return range(self.shift - self.rows, self.shift + self.columns)

    @cached_property
    def _kept(self) -> dict[int, Steps]:
        return {}

    def float_rows(self, rows: Integers) -> Floats:
        """Some rows of the matrix in floating point, each number to nearly all its digits."""
        places = self.shift + np.arange(self.columns) - rows[:, None]
        found: Floats = self._chances[places - self.places[1]]
        if self.truncated:
            return np.asarray(found / found.sum(axis=1, keepdims=True))
        for side, column in enumerate((0, self.columns - 1)):
            found[:, column] = [self._beyond(int(place), side) for place in places[:, column]]
        return found

    @cached_property
    def _chances(self) -> Floats:
        """chance(k) for every k that occurs."""
        places = self.places[1:]
        if not self._exact:
            return np.array([float(self.chance(place)) for place in places])
        borders = [self._tails(place) for place in self.places]
        found = []
        with ctx.workprec(_FLOAT_BITS):
            for place, (one, other) in zip(places, itertools.pairwise(borders), strict=True):
                # The smaller tails on either side: nothing cancels that matters.
                found.append(float(other[0] - one[0] if place < 0 else one[1] - other[1]))
        return np.maximum(np.array(found, dtype=np.float64), 0.0)

    def _tails(self, place: int) -> tuple[Any, Any]:
        """F and 1 - F at a border, as balls."""
        v = self.border(place)
        with ctx.workprec(_FLOAT_BITS):
            mirrored = self.noise.mirrored()
            return self.noise.ball_cdf(ball_of(v)), mirrored.ball_cdf(ball_of(-v))

    def _beyond(self, place: int, side: int) -> float:
        """What an end of a clamped output takes: F(place), or 1 - F(place - 1)."""
        if not self._exact:
            return float(self.below(place) if side == 0 else 1 - self.below(place - 1))
        return float(self._tails(place - side)[side].mid())


def noise_on(inputs: Grid, outputs: Grid, noise: Noise, *, truncated: bool) -> GridLaw:
    """The law of noise between two grids of the same step."""
    shift = outputs.first - inputs.first
    return GridLaw(noise, inputs.step, inputs.size, outputs.size, shift, truncated)


def noise_on_grid(
    inputs: Domain,
    outputs: Domain,
    noise: NoiseText,
    step: object,
    window: Window,
    bits: int | None = None,
    name: str = "",
    parameters: Sequence[Parameter] = (),
) -> Operator:
    """Noise between two grids; models write it as x + noise, rounded to a step.

    bits: to which the distribution of normal noise is rounded, where that is to be checked.

    >>> line = Domain(range(4))
    >>> str(noise_on_grid(line, line, "uniform(-1, 1)", 1, "clamped").probability(0, 1))
    '1/4'
    """
    size = exact(step)
    if not is_rational(size) or size <= 0:
        raise ValueError("a step is above 0")
    check_points(inputs.size, outputs.size)
    grids = [grid_of(domain, size) for domain in (inputs, outputs)]
    law = noise_on(grids[0], grids[1], parse_noise(noise), truncated=window == "truncated")
    if bits is not None and law.rounded_to != bits:
        raise ValueError("the distribution is rounded to other bits than it says")
    return Operator(grids[0], grids[1], law, name, parameters)


def grid_of(domain: Domain, step: Fraction) -> Grid:
    """The grid whose values these are."""
    ends = [parse_number(str(domain[place])) for place in (0, -1)]
    if ends[0] <= ends[1] and (ends[1] - ends[0]) / step == domain.size - 1:
        found = Grid(ends[0], ends[1], step)
        if found == domain:
            return found
    raise ValueError("the values are no grid of this step")


def _split(ratio: Any) -> tuple[Any, Any]:
    """Two numbers with this ratio, the greatest power of e in it left to the second.

    High powers then stand alone, and all others stay low.
    """
    if not isinstance(ratio, ExpNumber):
        return ratio, ONE
    above, below = ratio.terms()
    gained = min(q for q, _ in above) - min(q for q, _ in below)
    rest = ratio * exp_of(-gained)
    if isinstance(rest, ExpNumber):
        powers = max(int(q / rest.step) for part in rest.terms() for q, _ in part)
        if powers > MAX_POWERS:
            raise TooLarge(
                f"numbers in {powers:,} powers of e^({rest.step}): clamp to this window instead, "
                "or round to a larger step"
            )
    return rest, exp_of(-gained)
