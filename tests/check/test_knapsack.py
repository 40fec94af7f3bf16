"""Branch trees over exponentials: what enclosures show is so, and what is tight is decided exactly.

The oracle tries all n in decimal numbers of 150 digits, and imports nothing of the checker.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction as F
from functools import cached_property

import how_many
import pytest
from changes import copied
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from own_certificates import said

from ppdm_formal.checker.exponential import e_to
from ppdm_formal.checker.frame import read_certificate
from ppdm_formal.checker.knapsack import (
    SHARE_BITS,
    Enclosed,
    Knapsack,
    enclosed_maximum,
    share_ends,
    whole_shares,
)
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.result import Rejected
from ppdm_formal.checker.spelling import spell
from ppdm_formal.checker.view import InputClass, View

HAIRS = (F(1, 10**6), F(1, 10**40), F(1, 2 ** (SHARE_BITS - 2)), F(1, 10**75))
"""What a goal is moved by: clear to the enclosures, near what they tell, and below that."""
DIGITS = 150


@dataclass(frozen=True)
class Amount:
    """A sum of c e^q: as the checker has it, and in digits."""

    terms: tuple[tuple[int, F], ...]

    @property
    def exact(self):
        return sum((c * e_to(q) for c, q in self.terms), F(0))

    @property
    def digits(self) -> Decimal:
        return sum((c * digits_of(q).exp() for c, q in self.terms), Decimal(0))


def digits_of(q: F) -> Decimal:
    return Decimal(q.numerator) / Decimal(q.denominator)


powers = st.builds(F, st.integers(-6, 6), st.sampled_from((1, 2, 8)))
amounts = st.lists(st.tuples(st.integers(0, 5), powers), min_size=1, max_size=3).map(
    lambda terms: Amount(tuple(terms))
)
positive = amounts.filter(lambda amount: any(c for c, _ in amount.terms))
rationals = st.builds(F, st.integers(0, 30), st.integers(1, 9))
classes = st.lists(st.tuples(amounts, amounts, st.integers(1, 3)), min_size=1, max_size=4)


@st.composite
def trees(draw, low, high, room, weights, depth=0):
    """Any tree over a box: branches anywhere, multipliers of both sorts."""
    open_places = [c for c, (a, b) in enumerate(zip(low, high, strict=True)) if a < b]
    if depth < 3 and open_places and draw(st.booleans()):
        place = draw(st.sampled_from(open_places))
        at = draw(st.integers(low[place], high[place] - 1))
        below, above = list(high), list(low)
        below[place], above[place] = at, at + 1
        return {
            "class": place,
            "at": at,
            "below": draw(trees(low, below, room, weights, depth + 1)),
            "above": draw(trees(above, high, room, weights, depth + 1)),
        }
    if sum(n * w for n, w in zip(low, weights, strict=True)) > room and draw(st.booleans()):
        return "over"
    return spell(draw(st.one_of(rationals, positive.map(lambda amount: amount.exact))))


@dataclass(frozen=True)
class Case:
    """A knapsack, how much room there is in shares, and a tree."""

    parts: list[tuple[Amount, Amount, int]]
    room: F
    tree: object

    @cached_property
    def sack(self) -> Knapsack:
        return sack_of(self.parts)

    @cached_property
    def units(self):
        return self.room * self.sack.weights.total

    def shown(self, goal=None):
        """What the tree proves: exactly, or with the ends of a goal."""
        sack = self.sack
        none, every = (0,) * len(self.parts), tuple(count for *_, count in self.parts)
        ends = None if goal is None else sack.between(self.units, goal)
        assert goal is None or ends is not None
        return sack.most_by_tree(self.tree, none, every, self.units, ends)

    def most(self) -> Decimal:
        """The most of all n that fit, as a share of all values, by trying them."""
        values, weights = ([part[i].digits for part in self.parts] for i in (0, 1))
        counts = [count for *_, count in self.parts]
        room = digits_of(self.room) * sum(map(lambda n, w: n * w, counts, weights))
        best = Decimal(0)
        for n in itertools.product(*(range(count + 1) for count in counts)):
            if sum(map(lambda n, w: n * w, n, weights)) <= room * (1 + Decimal(10) ** -100):
                best = max(best, sum(map(lambda n, v: n * v, n, values)))
        return best / sum(map(lambda n, v: n * v, counts, values))


def sack_of(parts) -> Knapsack:
    made = [
        InputClass(value.exact, count, (), weight.exact, F(1), b"")
        for value, weight, count in parts
    ]
    view = View(tuple(made), 1, b"", b"")
    weights = whole_shares(view, lambda part: part.prior)
    return Knapsack(view, weights, whole_shares(view, lambda part: part.likelihood))


@st.composite
def cases(draw):
    parts = draw(classes)
    assume(all(any(any(c for c, _ in part[i].terms) for part in parts) for i in (0, 1)))
    sack = sack_of(parts)
    assume(not (sack.weights.whole or sack.values.whole))
    room = draw(st.builds(F, st.integers(0, 12), st.just(12)))
    none, every = [0] * len(parts), [count for *_, count in parts]
    tree = draw(trees(none, every, room * sack.weights.total, sack.weights.units))
    return Case(parts, room, tree)


@given(case=cases(), hair=st.sampled_from(HAIRS))
@settings(max_examples=how_many.cases(30, 80), deadline=None)
def test_enclosures_accept_what_exact_numbers_do_and_nothing_else(case, hair):
    exact = case.shown()
    share = exact / case.sack.values.total
    for goal, kept in ((share, True), (share + hair, True), (share - hair, False)):
        if goal < 0:
            continue
        found = case.shown(goal)
        assert (found <= goal * case.sack.values.total) == kept
    with localcontext() as context:
        context.prec = DIGITS
        low, _ = share.ends(600) if hasattr(share, "ends") else (share, share)
        assert case.most() <= digits_of(F(low)) + Decimal(10) ** -90


@given(case=cases())
@settings(max_examples=how_many.cases(20, 40), deadline=None)
def test_a_clear_goal_takes_no_exact_number(case):
    goal = case.shown() / case.sack.values.total + F(1, 10**9)
    assert case.shown(goal) == 0


@given(number=amounts, whole=positive)
@settings(max_examples=how_many.cases(80, 200), deadline=None)
def test_ends_enclose(number, whole):
    low, high = share_ends(number.exact, whole.exact)
    with localcontext() as context:
        context.prec = DIGITS
        value = number.digits / whole.digits * 2**SHARE_BITS
        assert low - Decimal(10) ** -50 <= value <= high + Decimal(10) ** -50
        assert high - low <= 2 + value / 2 ** (SHARE_BITS - 40)


SIXTEENTH = 1 << (SHARE_BITS - 4)
spans = st.tuples(st.integers(0, 40), st.sampled_from((0, 0, 1, 5))).map(
    lambda pair: (pair[0] * SIXTEENTH, (pair[0] + pair[1]) * SIXTEENTH)
)
wide = st.tuples(spans, spans, st.integers(0, 2), st.integers(0, 2))  # value, weight, lo, hi - lo


@given(
    parts=st.lists(wide, min_size=1, max_size=3),
    others=st.tuples(spans, spans, spans),
    nudge=st.sampled_from((0, 0, 1)),
)
@settings(max_examples=how_many.cases(120, 300), deadline=None)
def test_what_wide_ends_show_is_so_of_all_between_them(parts, others, nudge):
    """Both ways where both ends are one, and at all corners where they are not."""
    low = tuple(lo for *_, lo, _ in parts)
    high = tuple(lo + more for *_, lo, more in parts)
    values, weights = tuple(part[0] for part in parts), tuple(part[1] for part in parts)
    multiplier, room, goal = others
    goal = goal[0] - min(nudge, goal[0]), goal[1]  # by the least that there is
    others = multiplier, room, goal
    ends = Enclosed(values, weights, room, goal)
    kept, over = ends.kept(multiplier, low, high), ends.over(low)
    corners = list(itertools.product(*values, *weights, *others))
    bounds, weighty = [], []
    for corner in corners:
        *amounts, x, space, most = (F(end, 2**SHARE_BITS) for end in corner)
        v, w = amounts[: len(parts)], amounts[len(parts) :]
        gains = [a - x * b for a, b in zip(v, w, strict=True)]
        best = sum(max(g * a, g * b) for g, a, b in zip(gains, low, high, strict=True))
        bounds.append(x * space + best <= most)
        weighty.append(sum(n * b for n, b in zip(low, w, strict=True)) > space)
    points = all(least == most for least, most in (*values, *weights, *others[:2]))
    assert all(bounds) if kept else not (points and all(bounds))
    assert all(weighty) == over


def test_a_goal_below_by_the_least_that_there_is_is_not_kept():
    one = 1 << SHARE_BITS
    for goal, kept in ((one, True), (one - 1, False)):
        ends = Enclosed(((one, one),), ((one, one),), (one, one), (goal, one))
        assert ends.kept((0, 0), (0,), (1,)) == kept
        assert ends.kept((one, one), (0,), (1,)) == kept


def test_negative_goals_and_rooms_have_no_ends():
    parts = [(Amount(((1, F(1)),)), Amount(((1, F(2)),)), 1), (*[Amount(((1, F(0)),))] * 2, 1)]
    sack = sack_of(parts)
    assert sack.between(F(1, 2), F(1, 2)) is not None
    assert sack.between(F(1, 2), F(-1, 10**9)) is None
    assert sack.between(F(-1, 10**9), F(1, 2)) is None


# -- certificates

MODEL = """domain D = reals 0..5
prior U on D = uniform
operator R(x: D) -> reals { return x + laplace(8) truncated to -5..10 rounded to 1 }
audit R { forbid breach 3/10 -> 1/2 under U }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """With the model and its certificates."""
    found = tmp_path_factory.mktemp("grid")
    (found / "m.ppdm").write_text(MODEL)
    code, printed = said(
        *("audit", str(found / "m.ppdm"), "--no-solver", "--certificates", str(found / "kept"))
    )
    assert code == 0, printed
    assert "Evidence: re-checked exactly" in printed
    return found


@pytest.fixture(scope="module")
def document(folder):
    return json.loads((folder / "kept" / "R-1.json").read_text())


def test_the_one_file_accepts_it(folder):
    kept = folder / "kept"
    command = [sys.executable, "-I", "-S", str(kept / "check.py"), str(kept / "R-1.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


SIDES = [(way, key) for way in ("upward", "downward") for key in ("rho2_above", "rho1_below")]


def leaves(holder, key):
    """Where the multipliers of a tree stand."""
    tree = holder[key]
    if isinstance(tree, dict):
        yield from leaves(tree, "below")
        yield from leaves(tree, "above")
    elif tree != "over":
        yield holder, key


def test_only_tight_leaves_have_long_multipliers(document):
    written = []
    for way, side in SIDES:
        trees = document["evidence"][way][side]["trees"]
        places = (leaves(trees, place) for place in range(len(trees)))
        written += [holder[key] for holder, key in itertools.chain(*places)]
    assert len(written) > 100
    assert 0 < sum("exp(" in leaf for leaf in written) < len(written) / 10
    assert max(len(leaf) for leaf in written if "exp(" not in leaf) < 40


@pytest.mark.parametrize("with_model", [False, True])
def test_the_checker_accepts_it(folder, with_model):
    more = ("--model", str(folder / "m.ppdm")) if with_model else ()
    code, printed = said("check", str(folder / "kept"), *more)
    assert code == 0, printed
    assert "1 claim: 1 holds" in printed


@pytest.fixture(scope="module")
def sacks(document):
    """For each bound its knapsacks, as the checker makes them, and the room in them."""
    most_after, most_before = [], []
    for view in read_certificate(document, None).subject.views:
        before = whole_shares(view, lambda part: part.prior)
        after = whole_shares(view, lambda part: part.prior * part.likelihood)
        most_after.append(Knapsack(view, before, after))
        most_before.append(Knapsack(view, after, before))
    rho1, rest = F(3, 10), F(1, 2)
    found = ((most_after, rho1), (most_before, rest), (most_before, rho1), (most_after, rest))
    return dict(zip(SIDES, found, strict=True))


@pytest.mark.parametrize("side", SIDES, ids=" ".join)
def test_a_goal_below_what_is_attained_is_not_shown(document, sacks, side):
    bound = copied(document["evidence"][side[0]][side[1]])
    most = read_number(bound["at_least"])
    assert enclosed_maximum(bound, *sacks[side]) == (most, most)
    for hair in HAIRS:
        bound["at_most"] = spell(most - hair)
        with pytest.raises(Rejected, match="a tree does not show at_most"):
            enclosed_maximum(bound, *sacks[side])


@pytest.mark.parametrize("side", SIDES, ids=" ".join)
def test_other_multipliers_are_accepted_only_where_exact_numbers_do(document, sacks, side):
    bound, (all_sacks, room) = document["evidence"][side[0]][side[1]], sacks[side]
    goal, rejected = read_number(bound["at_most"]), 0
    chance = random.Random(5)
    for _ in range(12):
        trees, place = copied(bound["trees"]), chance.randrange(len(all_sacks))
        holder, key = chance.choice(list(leaves(trees, place)))
        moved = chance.choice((F(1, 10**75), F(1, 50), F(3)))
        holder[key] = spell(read_number(holder[key]) + moved)
        sack = all_sacks[place]
        box = (0,) * len(sack.view.classes), tuple(part.count for part in sack.view.classes)
        units = room * sack.weights.total
        exact, found = (
            sack.most_by_tree(trees[place], *box, units, ends) <= goal * sack.values.total
            for ends in (None, sack.between(units, goal))
        )
        assert exact == found
        rejected += not found
    assert rejected
