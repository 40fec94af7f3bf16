"""Parts of a record and events, by listing whole records, all events and many priors."""

import itertools
import random
from fractions import Fraction

import measures_oracle as oracle
import pytest

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.arithmetic.logarithm import Ln
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.parts import Parts, SanitizedPart
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.dependence import dependence
from ppdm_formal.derive.measures.event_dependence import event_dependence
from ppdm_formal.derive.measures.parts_cost import parts_cost


def random_row(width, rng):
    weights = [rng.randint(1, 6) for _ in range(width)]
    return [Fraction(w, sum(weights)) for w in weights]


def random_rows(rng):
    width = rng.randint(2, 3)
    return [random_row(width, rng) for _ in range(rng.randint(2, 3))]


def whole_record(matrices):
    """p[(x1, ..., xn) -> (y1, ..., yn)], all records listed."""
    inputs = itertools.product(*(range(len(m)) for m in matrices))
    outputs = list(itertools.product(*(range(len(m[0])) for m in matrices)))
    rows = []
    for x in inputs:
        row = []
        for y in outputs:
            chance = Fraction(1)
            for matrix, a, b in zip(matrices, x, y, strict=True):
                chance *= matrix[a][b]
            row.append(chance)
        rows.append(row)
    return rows


@pytest.mark.parametrize("seed", range(12))
def test_budgets_of_parts_add_up_to_the_records_cost(seed):
    rng = random.Random(seed)
    matrices = [random_rows(rng) for _ in range(rng.randint(1, 3))]
    parts = Parts(
        "D",
        tuple(
            SanitizedPart(f"p{i}", Operator.from_matrix(m, name=f"R{i}"))
            for i, m in enumerate(matrices)
        ),
    )
    found = parts_cost(parts)
    assert found.ratio == oracle.amplification(whole_record(matrices))
    assert [cost.ratio for cost in found.costs] == [oracle.amplification(m) for m in matrices]


@pytest.mark.parametrize("seed", range(30))
def test_theorem_4_with_dependent_parts(seed):
    """Two parts with a joint prior: X_1 and (Y, X_2) keep within e^(epsilon_1 + epsilon_d)."""
    rng = random.Random(seed)
    first, second = random_rows(rng), random_rows(rng)
    n, m = len(first), len(second)
    weights = [[rng.randint(1, 5) for _ in range(m)] for _ in range(n)]
    total = sum(map(sum, weights))
    joint = [[Fraction(w, total) for w in row] for row in weights]
    one = [sum(row) for row in joint]
    other = [sum(joint[a][b] for a in range(n)) for b in range(m)]
    among = max(
        max(joint[a][b] / (one[a] * other[b]), one[a] * other[b] / joint[a][b])
        for a in range(n)
        for b in range(m)
    )
    parts = Parts(
        "D",
        (
            SanitizedPart("a", Operator.from_matrix(first, name="A")),
            SanitizedPart("b", Operator.from_matrix(second, name="B")),
        ),
        Ln(among) if among > 1 else Fraction(0),
    )
    bound = parts_cost(parts).costs[0].ratio
    assert bound == oracle.amplification(first) * among
    worst = Fraction(1)
    for b, y1, y2 in itertools.product(range(m), range(len(first[0])), range(len(second[0]))):
        chances = [joint[a][b] * first[a][y1] * second[b][y2] for a in range(n)]
        for a in range(n):
            after = chances[a] / sum(chances)
            worst = max(worst, after / one[a], one[a] / after)
    assert worst <= bound


@pytest.mark.parametrize("seed", range(25))
def test_dependence_of_every_event(seed):
    """Under a prior over all sets of inputs and of outputs; for all priors by priors near it."""
    rng = random.Random(seed)
    rows = random_rows(rng)
    n, width = len(rows), len(rows[0])
    operator = Operator.from_matrix(rows, inputs=Domain(range(n)), outputs=Domain(range(width)))
    prior = random_row(n, rng)
    known = Prior.of(operator.inputs, dict(enumerate(prior)))
    total = dependence(operator, known).ratio
    worst = Fraction(1)
    for size in range(1, n):
        for chosen in itertools.combinations(range(n), size):
            event = Property.of(operator.inputs, chosen, "Q")
            before = sum(prior[x] for x in chosen)
            ratio = Fraction(1)
            for outputs in range(1, 1 << width):  # sets of outputs tell no more than single ones
                seen = [y for y in range(width) if outputs >> y & 1]
                mass = sum(prior[x] * rows[x][y] for x in range(n) for y in seen)
                after = sum(prior[x] * rows[x][y] for x in chosen for y in seen) / mass
                ratio = max(ratio, after / before, before / after)
            found = event_dependence(operator, event, known)
            assert found.ratio == ratio
            worst = max(worst, ratio)
            everywhere = event_dependence(operator, event).ratio
            assert ratio <= everywhere <= oracle.amplification(rows)
            assert _reached(rows, chosen, everywhere)
    assert worst == total


def _reached(rows, chosen, bound):
    """Two-point priors come as near to the bound as one likes, and none exceeds it."""
    tiny = Fraction(1, 10**9)
    best = Fraction(1)
    for inside, outside in itertools.product(range(len(rows)), repeat=2):
        if (inside in chosen) and (outside not in chosen):
            for y in range(len(rows[0])):
                mass = tiny * rows[inside][y] + (1 - tiny) * rows[outside][y]
                factor = rows[inside][y] / mass
                best = max(best, factor, 1 / factor)
    return best <= bound < best * (1 + Fraction(1, 10**6))


def test_impossible_and_certain_events():
    operator = Operator.from_matrix([["1", "0"], ["1/2", "1/2"]])
    zero, one = (Property.of(operator.inputs, [x], "Q") for x in operator.inputs)
    sure = Prior.of(operator.inputs, {next(iter(operator.inputs)): 1})
    assert event_dependence(operator, zero, sure).ratio == 1
    assert event_dependence(operator, one, sure).ratio == 1
    assert str(event_dependence(operator, one).ratio) == "infinity"
    assert str(event_dependence(operator, zero, Prior.uniform(operator.inputs)).ratio) == "infinity"


def test_only_parts_that_can_depend_on_each_other_share(coin):
    """One part alone, and a part of one value, have nothing to depend on."""
    sure = Operator.from_matrix([["1"]], name="S")
    alone = Parts("D", (SanitizedPart("a", coin),), Fraction(1))
    assert [cost.ratio for cost in parts_cost(alone).costs] == [3]
    beside = Parts("D", (SanitizedPart("a", coin), SanitizedPart("b", sure)), Fraction(1))
    assert [cost.ratio for cost in parts_cost(beside).costs] == [3, 1]


@pytest.fixture
def coin():
    return Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]], name="C")


MODEL = """
param p in (1/2, 1)
operator A(x: 0..1) -> 0..1 { with 2/3 { return x } else { return 1 - x } }
operator B(x: 0..1) -> 0..1 { with p { return x } else { return 1 - x } }
operator C(x: 0..1) -> 0..1 { return x }
parts Record { a: A; b: B; require record <= 2; require dependence(a) <= 1 }
parts Open { a: A; c: C; require record <= 2; require dependence(c) <= 1 }
prior X on 0..1 = uniform
property one on 0..1 = x == 1
audit A { prior X; property one; require dependence <= ln(2); require free_lunch <= 1 }
"""


def verdicts(record):
    return [certificate.verdict.value for certificate in record.certificates]


def test_records_of_a_model():
    result = audit(compile_text(MODEL))
    record, open_one = result.parts
    assert record.cost.ratio is None  # p is free
    assert verdicts(record) == ["unknown", "certified"]
    assert str(open_one.cost.ratio) == "infinity"
    assert verdicts(open_one) == ["breached", "breached"]
    assert result.exit_code == 1
    assert [c.verdict.value for c in result.operators[0].certificates] == ["certified"] * 2
    assert [(e.prior is None, str(e.ratio)) for e in result.operators[0].events] == [
        (True, "2"),
        (False, "3/2"),
    ]
    given = audit(compile_text(MODEL, values={"p": "3/4"})).parts[0]
    assert given.cost.ratio == 6
    assert verdicts(given) == ["certified", "certified"]
