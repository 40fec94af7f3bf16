"""Size: 10^5-valued families, 1001 inputs under a prior, 300 different probabilities."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from how_many import cases

from ppdm_formal.certify import EXACTLY, Verdict, certify
from ppdm_formal.certify.finding import BreachWitness, WitnessPart
from ppdm_formal.certify.solver.by_solver import decide_by_solver
from ppdm_formal.certify.witness import Concrete, replay
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator

FORBIDDEN = (Fraction(1, 7), Fraction(1, 2))


def shifts(size: int, reach: int) -> Operator:
    """Like R3 of Example 1: uniform noise, half of the time over everything."""
    place = np.arange(size)
    distance = (place[:, None] - place[None, :]) % size
    codes = (np.minimum(distance, size - distance) > reach).astype(np.int64)
    flat = Fraction(1, size)
    near = (Fraction(1, 2 * reach + 1) + flat) / 2
    domain = Domain(range(size))
    return Operator.from_codes(domain, domain, CodedMatrix(codes, [near, flat / 2]), "R")


def prior_of(weights: list[int]) -> Prior:
    palette = list(dict.fromkeys(weights))
    codes = np.array([palette.index(weight) for weight in weights])
    total = sum(weights)
    return Prior(Domain(range(len(weights))), codes, [Fraction(w, total) for w in palette], "X")


def test_all_priors_on_a_family_of_a_hundred_thousand_values():
    operator = randomized_response(100_000, "1/20000", name="G")
    good = certify(operator, BreachClaim(*FORBIDDEN))
    bad = certify(operator, BreachClaim(Fraction(1, 5), Fraction(1, 2)))
    assert good.verdict is Verdict.CERTIFIED
    assert bad.verdict is Verdict.BREACHED


@pytest.mark.parametrize("items", [8, 1000, 100_000])
def test_select_a_size_at_its_own_gamma(items):
    operator = select_a_size(items, 3, "51/100", cutoff=2, gamma=19, name="S")
    # rho2 (1 - rho1) / (rho1 (1 - rho2)) is 19 exactly, so the non-strict breach is there.
    at = certify(operator, BreachClaim(Fraction(1, 20), Fraction(1, 2)))
    assert at.verdict is Verdict.BREACHED
    assert sorted(at.summary()["witness"]["prior"].values()) == ["1/20", "19/20"]
    above = certify(operator, BreachClaim(Fraction(1, 20), Fraction(1, 2) + Fraction(1, 10**30)))
    assert above.verdict is Verdict.CERTIFIED


def test_a_known_prior_on_1001_inputs_is_decided_by_the_solver_too():
    prior = prior_of([1000] + [99] * 1000)
    operator = shifts(1001, 100)
    claim = BreachClaim(*FORBIDDEN, under=prior)
    views = operator.views(prior)
    found = decide_by_solver(views, claim, Deadline.after(60))
    assert found.verdict is Verdict.CERTIFIED
    assert certify(operator, claim).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("rough", [False, True])
def test_hundreds_of_different_probabilities_are_decided_exactly(rough):
    chance, many = random.Random(1), cases(150, 300)
    weights = [chance.randrange(10**8, 10**9) if rough else 1 + k for k in range(many)]
    prior = prior_of(weights)
    operator = shifts(many, many // 10)
    found = certify(operator, BreachClaim(*FORBIDDEN, under=prior))
    assert found.verdict is Verdict.CERTIFIED
    assert found.trust == EXACTLY
    above = found.thresholds.rho2_above
    if isinstance(above, Enclosure):
        assert above.hi - above.lo < Fraction(1, 10**3)
        above = above.lo
    low = certify(operator, BreachClaim(FORBIDDEN[0], above - Fraction(1, 10**9), "upward", prior))
    assert low.verdict is Verdict.BREACHED


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


@pytest.mark.parametrize(
    ("parts", "members"),
    [
        ([(0, 1, QUARTER, 0), (1, 0, 0, 3 * QUARTER)], 1),
        ([(0, 1, QUARTER, 0), (1, 2, 0, 3 * QUARTER)], None),  # the property holds two of a class
        ([(0, 1, QUARTER, 0), (1, 1, HALF, QUARTER)], None),  # mass on both sides of one class
    ],
)
def test_a_large_witness_is_on_real_inputs_only_where_one_of_each_class_will_do(parts, members):
    """30,000 values: classes have one example each, which cannot stand for two inputs."""
    operator = randomized_response(30_000, HALF, "R")
    (view,) = operator.views()
    assert [part.count for part in view.classes] == [1, 29_999]
    likely, other = (part.likelihood for part in view.classes)
    own = tuple(WitnessPart(index, some, Fraction(a), Fraction(b)) for index, some, a, b in parts)
    weights = (likely, other)
    before = sum(part.mass_inside for part in own)
    held = sum(part.mass_inside * weights[part.index] for part in own)
    rest = sum(part.mass_outside * weights[part.index] for part in own)
    witness = BreachWitness("upward", 0, own, before, held / (held + rest))
    claim = BreachClaim(before, held / (held + rest))
    found = replay(operator, claim, view, witness)
    if members is None:
        assert found is None
    else:
        first, second = (part.example for part in view.classes)
        assert found == Concrete({first: QUARTER, second: 3 * QUARTER}, (first,))
