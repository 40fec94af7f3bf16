"""The pool: genuine certificates of every kind, from seeds, small enough to be judged by listing.

A kind is a function from a source of chance to a certificate (as JSON), or to None where that draw
led to none (an unknown verdict, a family without priors).
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction as F
from typing import Any
from unittest.mock import patch

from test_mutations import RHOS, random_case, row

import ppdm_formal.declare.families.single_values as single_values
from ppdm_formal import BoundClaim, BreachClaim, Operator, Parameter, Prior, Property
from ppdm_formal.certify import certify
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.arithmetic.logarithm import ln
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.fixed_size import fixed_size
from ppdm_formal.declare.families.flip import flip
from ppdm_formal.declare.families.pad_and_sample import pad_and_sample
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.noises.named import Normal, parse_noise
from ppdm_formal.declare.operators.crowd import Crowd
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.parts import Parts, PartsClaim, SanitizedPart
from ppdm_formal.declare.operators.prior import Constraint, PriorFamily
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Density, Flat
from ppdm_formal.declare.reals.reals import RealProperty, Reals

Document = dict[str, Any]
Chance = random.Random


def plain(found: Any) -> Document | None:
    """A certificate as its file says it; None where there is none."""
    if found.verdict.value == "unknown":
        return None
    return dict(json.loads(json.dumps(found.to_json())))


def rhos(chance: Chance) -> tuple[F, F]:
    low, high = sorted(chance.sample(RHOS, 2))
    return low, high


def direction(chance: Chance) -> Any:
    return chance.choice(["both", "upward", "downward"])


def matrix(chance: Chance, inputs: int, outputs: int) -> list[list[F]]:
    rows = [row(chance, outputs) for _ in range(inputs)]
    if chance.random() < 0.4:
        rows[chance.randrange(inputs)] = rows[chance.randrange(inputs)]
    return rows


def some_prior(chance: Chance, domain: Domain) -> Prior:
    return Prior.of(domain, dict(zip(domain, row(chance, len(domain)), strict=True)), "X")


def some_property(chance: Chance, domain: Domain, name: str) -> Property:
    return Property.of(domain, [x for x in domain if chance.random() < 0.5], name)


def some_family(chance: Chance, domain: Domain) -> PriorFamily:
    relation = chance.choice(["<=", ">=", "<", ">", "=="])
    terms = ((F(1), some_property(chance, domain, "A")),)
    return PriorFamily((Constraint(terms, relation, F(chance.randint(0, 4), 4)),))


def finite(chance: Chance) -> Document | None:
    """Breaches and bounds on a small matrix: every evidence of the oldest format."""
    operator, claim = random_case(chance)
    of_family = getattr(getattr(claim, "under", None), "constraints", None) is not None
    if len(operator.inputs) > (3 if of_family else 4):
        return None
    return plain(certify(operator, claim))


def formula(chance: Chance) -> Document | None:
    """Measures that the certificate defines."""
    operator = Operator.from_matrix(matrix(chance, 3, 2), name="R")
    prior = some_prior(chance, operator.inputs)
    measure, unit = chance.choice([
        ("mutual_information", "bit"), ("mutual_information", "nat"), ("total_variation", None),
        ("vulnerability", None), ("inverse_worst_case_information", "nat"),
    ])  # fmt: skip
    limit = F(chance.randint(0, 16), 16)
    relation = chance.choice(["<", "<="])
    return plain(certify(operator, BoundClaim(measure, relation, limit, prior, unit)))


def rows(chance: Chance) -> Document | None:
    """Measures that follow inputs: people of a database, values, channels."""
    values = [(a, b) for a in range(2) for b in range(chance.randint(1, 2))]
    told = matrix(chance, len(values), 2)
    operator = Operator.from_matrix(told, inputs=Domain(values), outputs=Domain(range(2)), name="R")
    relation, limit = chance.choice(["<", "<="]), F(chance.randint(0, 12), 16)
    which = chance.randrange(3)
    if which == 0:
        unit = chance.choice(["bit", "nat"])
        return plain(
            certify(operator, BoundClaim("mutual_information_dp", relation, limit, None, unit))
        )
    prior = some_prior(chance, operator.inputs)
    if which == 1:
        return plain(certify(operator, BoundClaim("event_leakage", relation, limit, prior, "nat")))
    operator = Operator.from_matrix(matrix(chance, 3, 2), name="R")
    prior = some_prior(chance, operator.inputs)
    return plain(certify(operator, BoundClaim("variance_gain", relation, limit, prior)))


def capacity(chance: Chance) -> Document | None:
    """Channel capacities alone, of which one group has more to tell."""
    operator = Operator.from_matrix(matrix(chance, chance.randint(2, 3), 2), name="R")
    limit, unit = F(chance.randint(0, 16), 20), chance.choice(["bit", "nat"])
    relation = chance.choice(["<", "<="])
    claim = BoundClaim("mutual_information_dp", relation, limit, None, unit)
    return plain(certify(operator, claim))


def pairs(chance: Chance) -> Document | None:
    """Delta, by pairs of inputs."""
    operator = Operator.from_matrix(matrix(chance, chance.randint(2, 3), 3), name="R")
    at = chance.choice([F(0), F(1, 2), F(1), ln(F(3)), ln(F(2))])
    limit = F(chance.randint(0, 12), 20)
    return plain(certify(operator, BoundClaim("delta", chance.choice(["<", "<="]), limit, at=at)))


def summed(chance: Chance) -> Document | None:
    """Delta of families on many values, outputs with one ratio added up."""
    if chance.random() < 0.5:
        operator = unary_encoding(4, keep=F(chance.randint(5, 9), 10), flip=F(1, 4), name="U")
    else:
        operator = subset_selection(5, gamma=F(chance.randint(2, 9), 2), chosen=2, name="U")
    at = chance.choice([F(0), F(1, 2), ln(F(3)), ln(F(2))])
    claim = BoundClaim("delta", chance.choice(["<", "<="]), F(chance.randint(0, 12), 20), at=at)
    with patch.object(single_values, "MAX_PAIR_ITEMS", 0):
        return plain(certify(operator, claim))


@functools.cache
def of_duchi(gamma: int, place: int) -> Document | None:
    """One of three claims about a one-bit mean of many values, by its extreme view."""
    claims = [
        BreachClaim(F(1, 4), F(2, 3), "upward"),
        BoundClaim("amplification", "<=", F(4)),
        BoundClaim("epsilon", "<=", ln(F(3))),
    ]
    return plain(certify(duchi_mean(10**6, gamma=F(gamma), name="S"), claims[place]))


def relative(chance: Chance) -> Document | None:
    """Extreme views, of a family on very many values; or views of transactions up to a factor."""
    if chance.random() < 0.5:
        return of_duchi(chance.choice([2, 3]), chance.randrange(3))
    size = chance.choice([1, 2, 3])
    sent = row(chance, size + 1)
    operator = chance.choice(
        [
            lambda: select_a_size(5000, size, F(chance.randint(1, 7), 8), keep=sent, name="S"),
            lambda: fixed_size(500, size, chance.randint(1, 99), F(chance.randint(1, 40), 2), 0),
            lambda: pad_and_sample(500, size, chance.randint(1, 20), chance.randint(1, 99)),
        ]
    )()
    low, high = rhos(chance)
    bound = BoundClaim("amplification", "<=", F(chance.randint(4, 40), 4))
    return plain(
        certify(operator, chance.choice([BreachClaim(low, high, direction(chance)), bound]))
    )


def sets(chance: Chance) -> Document | None:
    """Outputs that are sets of values."""
    values = chance.randint(2, 4)
    if chance.random() < 0.5:
        keep, flip = (F(chance.randint(1, 9), 10) for _ in range(2))
        operator = unary_encoding(values, keep=keep, flip=flip, name="U")
    else:
        gamma, chosen = F(chance.randint(1, 20), 5), chance.randint(1, values - 1)
        operator = subset_selection(values, gamma=gamma, chosen=chosen, name="U")
    prior = some_prior(chance, operator.inputs)
    told = [F(chance.choice([0, 1, 1, 2]), 3) for _ in range(values)]
    knowing = Operator.from_matrix([[p, 1 - p] for p in told], range(values), ["a", "b"], "Z")
    unders = [prior, prior, None, *([some_family(chance, operator.inputs)] if values < 4 else [])]
    low, high = rhos(chance)
    claim = BreachClaim(
        low, high, direction(chance), chance.choice(unders),
        chance.choice([None, some_property(chance, operator.inputs, "q")]),
        knowing if chance.random() < 0.3 else None,
    )  # fmt: skip
    with patch.object(single_values, "MAX_KINDS", 0):
        return plain(certify(operator, claim))


def rounded(chance: Chance) -> Document | None:
    """Matrices that are known up to rounding."""
    inputs, outputs, digits = chance.randint(2, 3), chance.randint(2, 3), chance.choice([1, 2])
    told = []
    for exact in matrix(chance, inputs, outputs):
        told.append([F(round(p * 10**digits), 10**digits) for p in exact])
    operator = Operator.from_matrix(told, rounded=digits, name="R")
    prior = some_prior(chance, operator.inputs)
    low, high = rhos(chance)
    if chance.random() < 0.2:
        limit = F(chance.randint(4, 40), 4)
        return plain(certify(operator, BoundClaim("amplification", "<=", limit)))
    knowing = Operator.from_matrix(matrix(chance, inputs, 2), name="Z")
    under = chance.choice([None, prior, prior, some_family(chance, operator.inputs)])
    about = chance.choice([None, some_property(chance, operator.inputs, "q")])
    reports = 2 if under is None and chance.random() < 0.3 else 1
    claim = BreachClaim(
        low, high, direction(chance), under, about,
        knowing if chance.random() < 0.3 else None, reports,
    )  # fmt: skip
    return plain(certify(operator, claim))


def reports(chance: Chance) -> Document | None:
    """Several reports of one input."""
    inputs = chance.randint(2, 3)
    operator = Operator.from_matrix(matrix(chance, inputs, 2), name="R")
    prior = some_prior(chance, operator.inputs)
    many = chance.randint(2, 3)
    low, high = rhos(chance)
    knowing = Operator.from_matrix(matrix(chance, inputs, 2), name="Z")
    if chance.random() < 0.2:
        limit = F(chance.randint(4, 60), 4)
        claim: Any = chance.choice([
            BoundClaim("amplification", "<=", limit, reports=many),
            BoundClaim("worst_case_information", "<=", F(1, 2), prior, "bit", reports=many),
        ])  # fmt: skip
    else:
        unders = [None, prior, prior, some_family(chance, operator.inputs)]
        claim = BreachClaim(
            low, high, direction(chance), chance.choice(unders),
            chance.choice([None, some_property(chance, operator.inputs, "q")]),
            knowing if chance.random() < 0.3 else None, many,
        )  # fmt: skip
    return plain(certify(operator, claim))


def exponentials(chance: Chance) -> Document | None:
    """Likelihoods with powers of e, and claims that meet them exactly."""
    inputs = chance.randint(2, 3)
    told = []
    for _ in range(inputs):
        weights = [
            chance.randint(0, 2) + chance.randint(0, 1) * exp_of(F(chance.randint(1, 3), 2))
            for _ in range(2)
        ]
        weights[0] = weights[0] + 1
        told.append([w / sum(weights, F(0)) for w in weights])
    if chance.random() < 0.4:
        keep = exp_of(F(1)) / (1 + exp_of(F(1)))
        told = [[keep, 1 - keep], [1 - keep, keep]]
    operator = Operator.from_matrix(told, name="R")
    prior = some_prior(chance, operator.inputs)
    low, high = rhos(chance)
    e = exp_of(F(1))
    claim = chance.choice([
        BreachClaim(low, high, direction(chance), chance.choice([None, prior])),
        BreachClaim(F(1, 2), e / (1 + e), direction(chance)),
        BreachClaim(low, high, "both", prior, some_property(chance, operator.inputs, "q")),
        BoundClaim("epsilon", chance.choice(["<", "<="]), chance.choice([F(1), F(1, 2), F(3, 2)])),
        BoundClaim("amplification", "<=", chance.choice([e, F(3), e**2])),
        BoundClaim("delta", "<=", F(chance.randint(0, 8), 20), at=chance.choice([F(1), F(1, 2)])),
        BoundClaim("dependence", "<=", F(chance.randint(1, 8), 8), prior),
        BoundClaim("mutual_information", "<=", F(chance.randint(1, 8), 16), prior, "bit"),
    ])  # fmt: skip
    return plain(certify(operator, claim))


def free(chance: Chance) -> Document | None:
    """One free parameter, or two."""
    ends = (chance.random() < 0.5, chance.random() < 0.5)
    p = Parameter("p", F(1, chance.choice([2, 3, 4])), F(chance.randint(4, 6), 6), *ends)
    x, parameters = p.symbol, [p]
    other = (1 - x) / 2
    which = chance.randrange(5)
    told: list[list[Any]] = [[x, 1 - x], [1 - x, x]]
    if which == 1:
        told = [[x if i == j else other for j in range(3)] for i in range(3)]
    elif which == 2:
        told = [[x**2, 1 - x**2], [F(1, 3), F(2, 3)]]
    elif which == 3:
        q = Parameter("q", F(0), F(1, 3))
        y, parameters = q.symbol, [p, q]
        told = [[x * (1 - y), (1 - x) * (1 - y), y], [(1 - x) * (1 - y), x * (1 - y), y]]
    operator = Operator.from_matrix(told, name="W", parameters=parameters)
    prior = some_prior(chance, operator.inputs)
    first = Property.of(operator.inputs, [0], "first")
    low, high = rhos(chance)
    claims: list[Any] = [
        BreachClaim(low, high, direction(chance), chance.choice([None, None, prior]), first),
        BreachClaim(low, high, direction(chance)),
        BoundClaim("amplification", chance.choice(["<", "<="]), F(chance.randint(4, 40), 4)),
    ]
    return plain(certify(operator, chance.choice(claims)))


LINE = Reals(F(0), F(10), "Line")
NOISES = [
    "laplace(5)",
    "laplace(2)",
    "normal(4)",
    "uniform(-4, 4)",
    "uniform(-12, 12)",
    "triangular(-6, 6)",
    "triangular(-15, 15)",
    "uniform(-3, 9)",
    "triangular(-2, 14)",
]
WINDOWS = [None, ("clamped", 0, 10), ("clamped", -2, 13), ("truncated", 0, 10),
           ("truncated", -3, 12), ("truncated", 2, 8), ("clamped", 3, 7)]  # fmt: skip


def some_density(chance: Chance) -> Density:
    flat = Flat(F(1, 2), F(0), F(chance.randint(2, 5)))
    last = chance.choice([
        Flat(F(1, 2), F(chance.randint(3, 6)), F(10)),
        Bell(F(1, 2), F(chance.randint(2, 8)), Normal(F(chance.randint(1, 4))), F(0), F(10)),
    ])  # fmt: skip
    if chance.random() < 0.4:
        return Density(LINE, (Flat(F(1), F(0), F(10)),), "P")
    return Density(LINE, (flat, last), "P")


def continuous_operator(chance: Chance) -> ContinuousOperator:
    window = chance.choice(WINDOWS)
    made = None if window is None else Window(window[0], F(window[1]), F(window[2]))
    return ContinuousOperator(LINE, parse_noise(chance.choice(NOISES)), made, "C")


def extremes(chance: Chance) -> Document | None:
    """Noise on real numbers under all priors; limits that are met exactly among them."""
    operator = continuous_operator(chance)
    low, high = rhos(chance)
    about = RealProperty(LINE, ((F(chance.randint(0, 4)), F(chance.randint(5, 9))),), "q")
    limit = chance.choice([F(9), F(4), F(3), F(2), F(3, 2), F(6), F(12)])
    claim = chance.choice([
        BreachClaim(low, high, direction(chance)),
        BreachClaim(F(1, 10), F(1, 2), direction(chance)),
        BreachClaim(low, high, direction(chance), about=about),
        BoundClaim("amplification", chance.choice(["<", "<="]), limit),
        BoundClaim("epsilon", chance.choice(["<", "<="]), chance.choice([F(2), F(5), ln(limit)])),
    ])  # fmt: skip
    return plain(certify(operator, claim, timeout=20))


def cells(chance: Chance) -> Document | None:
    """Noise on real numbers under a density, one property."""
    start = chance.randint(0, 8)
    about = RealProperty(LINE, ((F(start), F(start + chance.randint(1, 10 - start))),), "q")
    if about.intervals == ((F(0), F(10)),):
        return None
    low, high = chance.choice(
        [(F(1, 4), F(1, 2)), (F(1, 2), F(4, 5)), (F(1, 3), F(9, 10)), rhos(chance)]
    )
    claim = BreachClaim(low, high, direction(chance), some_density(chance), about)
    return plain(certify(continuous_operator(chance), claim, timeout=20))


def levels(chance: Chance) -> Document | None:
    """Noise on real numbers under a density, every property."""
    low, high = chance.choice([(F(1, 4), F(9, 10)), (F(1, 5), F(4, 5)), (F(1, 10), F(1, 2))])
    claim = BreachClaim(low, high, chance.choice(["upward", "downward"]), some_density(chance))
    return plain(certify(continuous_operator(chance), claim, timeout=20))


def parts(chance: Chance) -> Document | None:
    """Records in parts, independent or not."""
    made = []
    for name in "abc"[: chance.randint(1, 3)]:
        inputs = chance.choice([1, 2, 2, 3])
        told = matrix(chance, inputs, 2)
        if chance.random() < 0.7:
            told = [[F(1, 2) * p + F(1, 4) for p in own] for own in told]
        made.append(SanitizedPart(name, Operator.from_matrix(told, name=name.upper())))
    among = chance.choice([None, ln(F(6, 5)), F(1, 10), ln(F(3, 2))])
    record = Parts("D", tuple(made), among)
    bound = chance.choice([ln(F(3)), ln(F(5, 2)), F(1), ln(F(9, 2)), F(2), ln(F(9))])
    of = chance.choice(["record", "dependence"])
    relation = chance.choice(["<", "<="]) if of == "record" else "<="
    named = chance.choice([None, made[0].name]) if of == "dependence" else None
    return plain(certify(record, PartsClaim(of, named, relation, bound)))


def some_crowd(chance: Chance, clients: int, domain: Domain) -> Crowd:
    """So many that count, with some that collude or are missing beside them."""
    colluding, missing = (chance.choice([0, 0, 0, 1, 2]) for _ in range(2))
    others: Prior | PriorFamily | None = None
    if chance.random() < 0.3:
        told = row(chance, len(domain))
        others = Prior.of(domain, dict(zip(domain, told, strict=True)), "S")
    elif chance.random() < 0.3:
        others = family_that_is_met(chance, domain)
    how: Any = "summing" if chance.random() < 0.05 else "shuffling"
    return Crowd(clients + colluding + missing, how, colluding, missing, others)


def family_that_is_met(chance: Chance, domain: Domain) -> PriorFamily:
    """One or two masses kept within bounds, which some prior meets."""
    told = row(chance, len(domain))
    found = []
    for name in ("r", "s")[: chance.choice([1, 1, 2])]:
        chosen = Property.of(domain, [x for x in domain if chance.random() < 0.5], name)
        mass = sum((p for x, p in zip(domain, told, strict=True) if x in chosen), F(0))
        relation: Any = chance.choice(["<=", ">=", "==", "<", ">"])
        bound = mass + {"<": F(1, 8), ">": -F(1, 8)}.get(relation, F(0))
        found.append(Constraint(((F(1), chosen),), relation, bound))
    return PriorFamily(tuple(found))


EXPONENTS = [F(0), F(1, 4), F(1, 2), F(1), ln(F(3)), ln(F(2)), ln(F(3, 2)), ln(F(9))]


def about_a_crowd(chance: Chance, domain: Domain, among: Crowd, chances: list[F]) -> Any:
    """Delta, or a breach with an exception."""
    limit = chance.choice(chances)
    if chance.random() < 0.45:
        relation = chance.choice(["<", "<=", "<="])
        limit = chance.choice([limit, limit, F(0)])
        return BoundClaim("delta", relation, limit, at=chance.choice(EXPONENTS), crowd=among)
    low, high = rhos(chance)
    under, about = None, None
    if chance.random() < 0.4:
        under = Prior.of(domain, dict(zip(domain, row(chance, len(domain)), strict=True)), "X")
    if chance.random() < 0.4:
        about = Property.of(domain, [x for x in domain if chance.random() < 0.5], "q")
    way = direction(chance)
    return BreachClaim(low, high, way, under, about, crowd=among, exception=limit)


def crowd(chance: Chance) -> Document | None:
    """Reports hidden among those of a few others: every form of the claim."""
    told = matrix(chance, chance.randint(2, 3), chance.randint(2, 3))
    if chance.random() < 0.3:  # no zeros
        told = [[p / 2 + F(1, 2 * len(own)) for p in own] for own in told]
    operator = Operator.from_matrix(told, name="R")
    among = some_crowd(chance, chance.choice([1, 2, 2, 3, 3, 4, 5, 6]), operator.inputs)
    chances = [F(k, 40) for k in (1, 2, 4, 6, 8, 12, 16, 24, 32)]
    return plain(certify(operator, about_a_crowd(chance, operator.inputs, among, chances)))


def large_crowd(chance: Chance) -> Document | None:
    """Many others: tilts, lattices, windows; rows, or pairs of inputs in closed form."""
    many = chance.choice([20, 50, 50, 100, 200, 300])
    which = chance.randrange(4)
    if which == 0:
        rows = [[p / 2 + F(1, 4) for p in own] for own in matrix(chance, 2, 2)]
        operator = Operator.from_matrix(rows, name="R")
    elif which == 1:
        values, gamma = chance.choice([2, 3, 10, 100]), F(chance.randint(3, 16), 2)
        operator = randomized_response(values, gamma / (gamma + values - 1), name="R")
    elif which == 2:
        operator = unary_encoding(4, keep=F(chance.randint(5, 9), 10), flip=F(1, 4), name="R")
    else:
        operator = subset_selection(5, gamma=F(chance.randint(2, 9), 2), chosen=2, name="R")
    chances = [F(1, 10**k) for k in (1, 2, 3, 4, 6)]
    if len(operator.inputs) <= 3:
        among = some_crowd(chance, many, operator.inputs)
        claim = about_a_crowd(chance, operator.inputs, among, chances)
    else:
        among = Crowd(many, "shuffling", chance.choice([0, 0, 5]))
        claim = about_a_crowd(chance, Domain(range(2)), among, chances)
        if isinstance(claim, BreachClaim):
            claim = replace(claim, under=None, about=None)
    return plain(certify(operator, claim))


def columns(chance: Chance) -> Document | None:
    """Sums of independent bits; and two outputs, of which parts of the others are covered."""
    chances = [F(k, 40) for k in (1, 2, 4, 8, 16)] + [F(1, 100), F(1, 1000)]
    few = chance.choice([1, 2, 2, 3, 3, 4, 5, 6, 20, 50])
    if chance.random() < 0.3:
        told = [[p / 2 + F(1, 4) for p in own] for own in matrix(chance, 2, 2)]
        operator = Operator.from_matrix(told, name="R")
        how: Any = chance.choice(["shuffling", "summing"])
    else:
        held, lacking = (F(chance.randint(1, 9), 10) for _ in range(2))
        if chance.random() < 0.7:
            operator = unary_encoding(chance.randint(2, 3), keep=held, flip=lacking, name="R")
        else:
            operator = flip(chance.choice([3, 4]), 2, held, name="R")
        how = "summing"
    gone = chance.choice([0, 0, 1])
    among = Crowd(few + gone, how, colluding=gone)
    claim = about_a_crowd(chance, Domain(range(2)), among, chances)
    if isinstance(claim, BreachClaim):
        claim = replace(claim, under=None, about=None)
    return plain(certify(operator, claim))


KINDS: dict[str, Callable[[Chance], Document | None]] = {
    kind.__name__: kind
    for kind in (
        finite, formula, rows, capacity, pairs, summed, relative, sets, rounded, reports,
        exponentials, free, extremes, cells, levels, parts, crowd, large_crowd, columns,
    )
}  # fmt: skip


def drawn(kind: str, chance: Chance) -> Iterator[Document]:
    """Genuine certificates of a kind, without end."""
    while True:
        try:
            found = KINDS[kind](chance)
        except ValueError:  # no prior satisfies the constraints, rows that no distribution can be
            continue
        if found is not None:
            yield found
