"""Vacuity, exactly: a claim that no case can test, whatever the operator does.

A case is a belief beforehand from which the claim forbids a change: some z of positive
probability, a prior and a property that the claim speaks of, with 0 < P[Q | z] <= rho1
(upward) or rho2 <= P[Q | z] < 1 (downward). Outputs play no part, so one view for each z will
do, and inputs that differ in their likelihoods only are merged.

For every property single inputs decide: a part of Q with positive mass starts even lower, and
downward the complement of one input starts highest.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from ppdm_formal.certify.deciding import fixed
from ppdm_formal.certify.family import constraint_rows, normalized
from ppdm_formal.certify.finding import NoCase
from ppdm_formal.certify.inequalities import Row, solve
from ppdm_formal.certify.region import find_region
from ppdm_formal.certify.violations import Alternative, Inequality, settled
from ppdm_formal.declare.arithmetic.exact import ZERO, Exact, substitute
from ppdm_formal.declare.arithmetic.line import Line
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.signs import sign_over
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import NEVER, Deadline, DeadlinePassed
from ppdm_formal.declare.operators.prior import Prior, PriorFamily
from ppdm_formal.declare.operators.view import View

MAX_POINTS = 1000
"""How many values of several parameters are tried."""


CaseFound: TypeAlias = dict[str, Fraction] | Literal[False] | None
"""Where there is a case (at these values of the parameters that matter), none, or not decided."""


@dataclass(frozen=True)
class AlikeInputs:
    """Inputs alike beforehand: prior, likelihood of z, members of the same properties."""

    count: int
    prior: Exact | None
    known: Exact
    member: tuple[bool, ...]

    @property
    def held(self) -> Any:
        """P[x, z] of one of the inputs."""
        assert self.prior is not None
        return self.prior * self.known


def vacuity(
    views: Sequence[View],
    claim: BreachClaim,
    parameters: Sequence[Parameter] = (),
    deadline: Deadline = NEVER,
) -> tuple[bool | None, NoCase | None, dict[str, Fraction] | None]:
    """Whether no case can test the claim, and why; None where that was not decided.

    Where a case depends on free parameters, values of theirs come with it at which it is one.
    """
    groups = groups_beforehand(views)
    try:
        found = _some_case(groups, claim, parameters, deadline, anywhere=False)
        if isinstance(found, dict):
            return False, None, _whole(found, parameters) if found else None
        if found is None:
            return None, None, None
        uncertain = _some_case(groups, claim, parameters, deadline, anywhere=True)
    except DeadlinePassed:
        return None, None, None
    return True, NoCase.CERTAIN if uncertain is False else NoCase.ELSEWHERE, None


def _whole(point: dict[str, Fraction], parameters: Sequence[Parameter]) -> dict[str, Fraction]:
    """The point with a value of every parameter, those in the middle that do not matter."""
    return {p.name: point.get(p.name, (p.lower + p.upper) / 2) for p in parameters}


def groups_beforehand(views: Sequence[View]) -> list[list[AlikeInputs]]:
    """For each z the inputs by what is known of them beforehand."""
    return [_groups(view) for view in {view.known: view for view in views}.values()]


def _groups(view: View) -> list[AlikeInputs]:
    counts: dict[tuple[Any, ...], int] = {}
    for part in view.classes:
        # Inputs that z excludes stay: a family may demand that they have mass.
        key = (part.prior, part.known, part.member)
        counts[key] = counts.get(key, 0) + part.count
    return [AlikeInputs(count, *key) for key, count in counts.items()]


def _some_case(
    beforehand: Sequence[Sequence[AlikeInputs]],
    claim: BreachClaim,
    parameters: Sequence[Parameter],
    deadline: Deadline,
    *,
    anywhere: bool,
) -> CaseFound:
    """Whether some belief is where the claim starts (anywhere: strictly between 0 and 1)."""
    if isinstance(claim.under, PriorFamily):
        return _some_case_of_family(beforehand, claim, parameters, deadline, anywhere=anywhere)
    cases = _all_priors if claim.under is None else _one_prior
    open_ones: dict[Alternative, None] = {}
    for groups in beforehand:
        for alternative in cases(groups, claim, anywhere):
            deadline.check()
            left = settled(alternative)
            if left == ():
                return {}
            if left is not None:
                open_ones[left] = None
    return _satisfiable(list(open_ones), parameters, deadline)


def _all_priors(
    groups: Sequence[AlikeInputs], claim: BreachClaim, anywhere: bool
) -> Iterator[Alternative]:
    """Two inputs that z allows, on different sides of the property: some prior starts anywhere."""
    for first, second in itertools.combinations_with_replacement(groups, 2):
        if first is second and first.count == 1:
            continue
        if claim.about is None or first.member[0] != second.member[0]:
            yield Inequality(first.known, True), Inequality(second.known, True)


def _one_prior(
    groups: Sequence[AlikeInputs], claim: BreachClaim, anywhere: bool
) -> Iterator[Alternative]:
    total = sum((group.count * group.held for group in groups), ZERO)
    if claim.about is not None:
        inside: Any = sum((g.count * g.held for g in groups if g.member[0]), ZERO)
        base = (Inequality(inside, True), Inequality(total - inside, True))
        if anywhere:
            yield base
        elif claim.direction != "downward":
            yield (*base, Inequality(claim.rho1 * total - inside, False))
        if not anywhere and claim.direction != "upward":
            yield (*base, Inequality(inside - claim.rho2 * total, False))
        return
    for group in groups:
        base = (Inequality(group.held, True), Inequality(total - group.held, True))
        if anywhere:
            yield base
        else:
            for most in _most_of_one(claim):
                yield (*base, Inequality(most * total - group.held, False))


def _most_of_one(claim: BreachClaim) -> list[Fraction]:
    """The greatest mass of a single input that makes a case of it, or of its complement."""
    most = [claim.rho1] if claim.direction != "downward" else []
    return most + ([1 - claim.rho2] if claim.direction != "upward" else [])


def _satisfiable(
    alternatives: Sequence[Alternative], parameters: Sequence[Parameter], deadline: Deadline
) -> CaseFound:
    """Whether some alternative holds for some values of the parameters."""
    if not alternatives:
        return False
    values = [part.value for alternative in alternatives for part in alternative]
    free = free_parameters(values, parameters)
    if len(free) == 1:
        line = Line(free[0], deadline, exactly=True)
        region, _ = find_region(fixed(alternatives, line), line)
        if region.complete:
            return False
        values = [value for value in region.violated if value in free[0]]
        return {free[0].name: values[0]} if values else None  # at irrational values only
    for point in _points(free):
        deadline.check()
        if any(all(_holds(part, point) for part in parts) for parts in alternatives):
            return point
    for parts in alternatives:
        deadline.check()
        if not any(part.strict and sign_over(part.value, free) in (-1, 0) for part in parts):
            return None
    return False


def _points(parameters: Sequence[Parameter]) -> Iterable[dict[str, Fraction]]:
    """A coarse grid of the parameters' ranges, ends that belong among them."""
    axes = [
        [v for share in range(5) if (v := p.lower + (p.upper - p.lower) * share / 4) in p]
        for p in parameters
    ]
    names = [parameter.name for parameter in parameters]
    for point in itertools.islice(itertools.product(*axes), MAX_POINTS):
        yield dict(zip(names, point, strict=True))


def _holds(part: Inequality, point: dict[str, Fraction]) -> bool:
    value = substitute(part.value, point)
    return bool(value > 0 or (value == 0 and not part.strict))


def _some_case_of_family(
    beforehand: Sequence[Sequence[AlikeInputs]],
    claim: BreachClaim,
    parameters: Sequence[Parameter],
    deadline: Deadline,
    *,
    anywhere: bool,
) -> CaseFound:
    """Linear programs in the masses of groups; with knowledge that is free, at a few values."""
    free = free_parameters([g.known for groups in beforehand for g in groups], parameters)
    if not free:
        some = any(_in_family(groups, claim, deadline, anywhere) for groups in beforehand)
        return {} if some else False
    for point in _points(free):
        for groups in beforehand:
            at = [
                AlikeInputs(g.count, g.prior, substitute(g.known, point), g.member) for g in groups
            ]
            if _in_family(at, claim, deadline, anywhere):
                return point
    return None


def _in_family(
    groups: Sequence[AlikeInputs], claim: BreachClaim, deadline: Deadline, anywhere: bool
) -> bool:
    """Whether a prior of the family, on these inputs given z, is a case."""
    base = [normalized(len(groups)), *constraint_rows([g.member for g in groups], claim)]
    known: list[Any] = [group.known for group in groups]
    for rows in _case_rows(groups, claim, known, anywhere):
        deadline.check()
        if solve([*base, *rows]).solution is not None:
            return True
    return False


def _case_rows(
    groups: Sequence[AlikeInputs], claim: BreachClaim, known: Sequence[Fraction], anywhere: bool
) -> Iterator[list[Row]]:
    def row(coefficients: Iterable[Fraction], strict: bool) -> Row:
        return Row(list(coefficients), ZERO, ">" if strict else ">=")

    if claim.about is not None:
        inner = [group.member[0] for group in groups]
        inside = row((k if i else ZERO for k, i in zip(known, inner, strict=True)), True)
        outside = row((ZERO if i else k for k, i in zip(known, inner, strict=True)), True)
        if anywhere:
            yield [inside, outside]
            return
        if claim.direction != "downward":
            low = row((k * (claim.rho1 - i) for k, i in zip(known, inner, strict=True)), False)
            yield [inside, outside, low]
        if claim.direction != "upward":
            high = row((k * (i - claim.rho2) for k, i in zip(known, inner, strict=True)), False)
            yield [inside, outside, high]
        return
    for chosen, group in enumerate(groups):
        alone = [k if place == chosen else ZERO for place, k in enumerate(known)]
        positive = row(alone, True)
        if group.count > 1:  # a tiny share of the group's mass on one of its inputs
            yield [positive]
            continue
        rest = row((k - a for k, a in zip(known, alone, strict=True)), True)
        if anywhere:
            yield [positive, rest]
            continue
        for most in _most_of_one(claim):
            small = row((most * k - a for k, a in zip(known, alone, strict=True)), False)
            yield [positive, rest, small]


def no_case_words(claim: BreachClaim, why: NoCase) -> str:
    """One sentence that says why the claim holds for want of a case."""
    knowing = "" if claim.knowing is None else f" once {claim.knowing.name} is known"
    if why is NoCase.CERTAIN:
        what = "the property is true of no possible input, or of all"
        if claim.about is None:
            what = "only one input is possible"
        if claim.about is not None and isinstance(claim.under, Prior | PriorFamily):
            what = "the property has probability 0 or 1"
        return f"holds for want of a case: {what}{knowing}"
    starts = []
    if claim.direction != "downward":
        starts.append(f"above 0 and at most {number_text(claim.rho1)}")
    if claim.direction != "upward":
        starts.append(f"at least {number_text(claim.rho2)} and below 1")
    who = "no property has" if claim.about is None else "the property never has"
    return f"holds for want of a case: {who} a probability {' or '.join(starts)}{knowing}"
