"""Branch trees over exponentials: what enclosures show is so, and what is tight is decided exactly.

The oracle tries all n in decimal numbers of 150 digits, and imports nothing of the checker.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction as F

import pytest
from changes import copied
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from own_certificates import said

from ppdm_formal.checker.against_model import read_certificate
from ppdm_formal.checker.exponential import e_to
from ppdm_formal.checker.knapsack import BITS, Knapsack, enclosed, knapsack, whole_shares
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.result import Rejected
from ppdm_formal.checker.spelling import spell
from ppdm_formal.checker.view import InputClass, View

HAIRS = (F(1, 10**6), F(1, 10**40), F(1, 2 ** (BITS - 2)), F(1, 10**75))
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

    @property
    def sack(self) -> Knapsack:
        return sack_of(self.parts)

    @property
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
@settings(max_examples=150, deadline=None)
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
@settings(max_examples=80, deadline=None)
def test_a_clear_goal_takes_no_exact_number(case):
    goal = case.shown() / case.sack.values.total + F(1, 10**9)
    assert case.shown(goal) == 0


@given(number=amounts, whole=positive)
@settings(max_examples=200, deadline=None)
def test_ends_enclose(number, whole):
    low, high = enclosed(number.exact, whole.exact)
    with localcontext() as context:
        context.prec = DIGITS
        value = number.digits / whole.digits * 2**BITS
        assert low - Decimal(10) ** -50 <= value <= high + Decimal(10) ** -50
        assert high - low <= 2 + value / 2 ** (BITS - 40)


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


def bounds(evidence):
    for direction in ("upward", "downward"):
        yield from evidence[direction].values()


def leaves(tree):
    """Where the multipliers of a tree stand: a branch and a key."""
    for key in ("below", "above"):
        if isinstance(tree[key], dict):
            yield from leaves(tree[key])
        elif tree[key] != "over":
            yield tree, key


def every_leaf(evidence):
    for bound in bounds(evidence):
        for tree in bound["trees"]:
            yield from leaves({"below": tree, "above": "over"})


def test_only_tight_leaves_have_long_multipliers(document):
    written = [branch[key] for branch, key in every_leaf(document["evidence"])]
    assert len(written) > 100
    assert 0 < sum("exp(" in leaf for leaf in written) < len(written) / 10
    assert max(len(leaf) for leaf in written if "exp(" not in leaf) < 40


@pytest.mark.parametrize("with_model", [False, True])
def test_the_checker_accepts_it(folder, with_model):
    more = ("--model", str(folder / "m.ppdm")) if with_model else ()
    code, printed = said("check", str(folder / "kept"), *more)
    assert code == 0, printed
    assert "1 claim: 1 holds" in printed


def decided(document, evidence) -> bool:
    """Whether evidence is accepted for the claim and the views of a certificate."""
    certificate = read_certificate(document, None)
    try:
        knapsack(certificate.subject.views, certificate.claim, evidence)
    except Rejected as error:
        if "a tree does not show at_most" not in str(error):
            raise
        return False
    return True


@pytest.mark.parametrize("hair", HAIRS)
def test_a_goal_below_what_is_attained_is_not_shown(document, hair):
    for place in range(4):
        forged = copied(document["evidence"])
        bound = list(bounds(forged))[place]
        assert bound["at_most"] == bound["at_least"]
        bound["at_most"] = spell(read_number(bound["at_most"]) - hair)
        assert not decided(document, forged)


@pytest.mark.parametrize("moved", [F(1, 10**75), F(1, 50), F(3)])
def test_other_multipliers_are_accepted_only_where_exact_numbers_do(document, moved, monkeypatch):
    rejected = 0
    for place in range(0, len(list(every_leaf(document["evidence"]))), 12):
        forged = copied(document["evidence"])
        branch, key = list(every_leaf(forged))[place]
        branch[key] = spell(read_number(branch[key]) + moved)
        found = decided(document, forged)
        with monkeypatch.context() as patch:
            patch.setattr(Knapsack, "between", lambda *_: None)
            assert decided(document, forged) == found
        rejected += not found
    assert rejected
