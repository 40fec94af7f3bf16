"""Priors: a mass for each value listed, 0 for the others, 1 in all."""

from __future__ import annotations

import numpy as np

from ppdm_formal.declare.arithmetic.exact import ZERO, Exact
from ppdm_formal.declare.arithmetic.signs import not_probability
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.columns import Index
from ppdm_formal.declare.language.distributions import check_one_value
from ppdm_formal.declare.language.domains import declared_domain
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.language.finite_set import FiniteSet
from ppdm_formal.declare.language.scope import describe
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.matrix import Palette
from ppdm_formal.declare.operators.prior import Prior


def build_prior(node: s.PriorDeclaration, evaluator: Evaluator) -> Prior:
    """The prior of a declaration."""
    domain = declared_domain(node.on, evaluator)
    if node.masses is None:
        return Prior.uniform(domain, node.name)
    codes = np.zeros(domain.size, dtype=np.int64)
    listed = np.zeros(domain.size, dtype=bool)
    palette = Palette([ZERO])
    for mass in node.masses:
        where = _positions(mass, domain, evaluator)
        if listed[where].any():
            twice = domain[int(where[listed[where]][0])]
            raise ModelError(f"{describe(twice)} is listed twice", mass.at)
        listed[where] = True
        codes[where] = palette.code(_probability(mass.probability, evaluator))
    try:
        return Prior(domain, codes, palette.values, node.name, evaluator.scope.free())
    except ValueError as problem:
        raise ModelError(
            str(problem), node.at, "the probabilities of all values must sum to 1"
        ) from None


def _probability(node: s.Expr, evaluator: Evaluator) -> Exact:
    number = evaluator.scope.number(evaluator.constant(node), node.at)
    wrong = not_probability(number, evaluator.scope.free())
    if wrong:
        raise ModelError(f"the probability {describe(number)} {wrong}", node.at)
    return number


def _positions(mass: s.Mass, domain: Domain, evaluator: Evaluator) -> Index:
    """Where the values of an item stand in the domain."""
    if mass.each:
        members = evaluator.constant_set(mass.values)
    else:
        check_one_value(mass, evaluator.scope)
        members = FiniteSet([evaluator.constant_member(mass.values)])
    whole = domain.integers
    if (
        whole is not None
        and isinstance(members.values, range)
        and members.values.start >= whole.start
        and members.values.stop <= whole.stop
    ):
        first = members.values.start - whole.start
        return np.arange(first, first + len(members))
    for value in members:
        if value not in domain:
            raise ModelError(f"{describe(value)} is not in {domain}", mass.at)
    return np.array([domain.index(value) for value in members], dtype=np.int64)
