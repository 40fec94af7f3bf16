"""Audit blocks: what to report, and claims with their names resolved."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeVar

from ppdm_formal.declare.arithmetic.logarithm import Exponent
from ppdm_formal.declare.arithmetic.parameter import FreeLn
from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.claim import BoundClaim, BreachClaim, Claim
from ppdm_formal.declare.families.grid import Grid
from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.language.model import Audit, RealAudit
from ppdm_formal.declare.language.real_names import RealNames, check_forbid, check_require
from ppdm_formal.declare.language.scope import describe
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS, Crowd
from ppdm_formal.declare.operators.prior import Constraint, Prior, PriorFamily, Property, Relation
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.repeated import check_reports
from ppdm_formal.declare.reals.additive import ContinuousOperator
from ppdm_formal.declare.reals.reals import Reals
from ppdm_formal.derive.measures.discovery import claim_names

Kind = TypeVar("Kind")

_UNITS = {"bit": "bit", "bits": "bit", "nat": "nat", "nats": "nat"}
_MIRRORED: dict[str, Relation] = {"<=": ">=", "<": ">", ">=": "<=", ">": "<", "==": "=="}


class AuditCompiler:
    """Compiles audit blocks, one Audit for each operator that a block names."""

    def __init__(
        self,
        evaluator: Evaluator,
        priors: Mapping[str, Prior],
        properties: Mapping[str, Property],
        real: RealNames,
    ) -> None:
        self.evaluator = evaluator
        self.scope = evaluator.scope
        self.priors = priors
        self.properties = properties
        self.real = real

    def compile(self, node: s.AuditDeclaration) -> list[Audit | RealAudit]:
        """One Audit for each operator."""
        known: dict[str, Operator | ContinuousOperator] = {
            **self.scope.operators,
            **self.scope.continuous,
        }
        return [
            self._audit(node, _known(name, known, "operator"))
            for name in {name.text: name for name in node.operators}.values()
        ]

    def _audit(
        self, node: s.AuditDeclaration, operator: Operator | ContinuousOperator
    ) -> Audit | RealAudit:
        priors: list[Any] = []
        properties: list[Any] = []
        given: list[Any] = []
        claims: list[Claim] = []
        for request in node.requests:
            match request:
                case s.Listing(kind="prior"):
                    priors += [self._prior(name, operator) for name in request.names]
                case s.Listing():
                    properties += [self._property(name, operator) for name in request.names]
                case s.Given():
                    given += [self._output(output, operator) for output in request.outputs]
                case s.Forbid():
                    claims.append(self._forbid(request, operator))
                case s.Require():
                    claims.append(self._require(request, operator))
        kind: Any = RealAudit if isinstance(operator, ContinuousOperator) else Audit
        found: Audit | RealAudit = kind(
            operator,
            tuple(dict.fromkeys(priors)),
            tuple(dict.fromkeys(properties)),
            tuple(dict.fromkeys(given)),
            tuple(claims),
        )
        return found

    def _prior(self, name: s.Name, operator: Operator | ContinuousOperator) -> Any:
        known = {**self.priors, **self.real.priors_of(operator, name)}
        prior = _known(name, known, "prior")
        _check_domain(name, prior, operator, "prior")
        return prior

    def _property(self, name: s.Name, operator: Operator | ContinuousOperator) -> Any:
        known = {**self.properties, **self.real.properties_of(operator, name)}
        property = _known(name, known, "property")
        _check_domain(name, property, operator, "property")
        return property

    def _output(self, node: s.Expr, operator: Operator | ContinuousOperator) -> Any:
        if isinstance(operator, ContinuousOperator):
            return self.real.output(node, operator)
        if isinstance(operator.outputs, Grid):
            return self.real.grid_output(node, operator.outputs)
        value = self.evaluator.constant_member(node)
        if value not in operator.outputs:
            raise ModelError(
                f"{describe(value)} is not an output of {operator.name}",
                node.at,
                f"expected one of {operator.outputs}",
            )
        return value

    # -- claims ---------------------------------------------------------------------------------

    def _forbid(self, node: s.Forbid, operator: Operator | ContinuousOperator) -> BreachClaim:
        if isinstance(operator, ContinuousOperator):
            check_forbid(node)
        first, second = (
            self.evaluator.constant_number(node.first),
            self.evaluator.constant_number(node.second),
        )
        downward = node.direction == "downward"
        low, high = (second, first) if downward else (first, second)
        for number, place in ((first, node.first.at), (second, node.second.at)):
            if not 0 < number < 1:
                raise ModelError(
                    f"{number} is not a probability between 0 and 1 (exclusive)", place
                )
        if isinstance(operator, ContinuousOperator):
            low, high = (self.evaluator.constant_rational(end) for end in (node.first, node.second))
            low, high = (high, low) if downward else (low, high)
        if low >= high:
            wanted = "falls: r2 -> r1 with r1 < r2" if downward else "rises: r1 -> r2 with r1 < r2"
            kind = "a downward breach" if downward else "a breach"
            raise ModelError(f"{first} -> {second}: {kind} {wanted}", node.first.at)
        under: Any = None
        if isinstance(node.under, s.Name):
            under = self._prior(node.under, operator)
        elif node.under is not None:
            under = PriorFamily(tuple(self._constraint(item, operator) for item in node.under))
        about = None if node.about is None else self._property(node.about, operator)
        knowing = None
        if node.knowing is not None:
            knowing = _known(node.knowing, self.scope.operators, "operator")
            if isinstance(operator, Operator) and not knowing.inputs.same_members(operator.inputs):
                raise ModelError(
                    f"{knowing.name} does not have the inputs of {operator.name}", node.knowing.at
                )
        direction = node.direction or "both"
        reports = self._reports(node.reports)
        crowd, exception = self._crowd(node.crowd, operator), self._exception(node)
        told: dict[str, Any] = {"rho1": low, "rho2": high, "direction": direction}
        told |= {"under": under, "about": about, "knowing": knowing}
        return BreachClaim(**told, reports=reports, crowd=crowd, exception=exception)

    def _reports(self, node: s.Expr | None) -> int:
        """How many reports a claim is about: one, unless it says so."""
        if node is None:
            return 1
        number = self.evaluator.constant_rational(node)
        try:
            return check_reports(number.numerator if number.denominator == 1 else number)
        except ValueError as problem:
            raise ModelError(str(problem), node.at, "such as after 10 reports") from None

    def _crowd(self, node: s.Crowd | None, operator: Operator | ContinuousOperator) -> Crowd | None:
        """Among whose reports a claim says that one is hidden."""
        if node is None:
            return None
        clients = self._count(node.clients, "clients", 1)
        if clients > MAX_CLIENTS:
            raise ModelError(f"more than {MAX_CLIENTS:,} clients", node.clients.at)
        gone, counts = 0, {}
        for word, said in (("colluding", node.colluding), ("missing", node.missing)):
            counts[word] = 0 if said is None else self._count(said, word, 0)
            gone += counts[word]
            if said is not None and gone >= clients:
                raise ModelError(
                    f"of {show_count(clients)} clients {show_count(gone)} are gone: no report is "
                    "left among which one could be hidden",
                    said.at,
                    f"colluding and missing together are fewer than the {show_count(clients)}",
                )
        return Crowd(clients, node.how, others=self._others(node.others, operator), **counts)

    def _others(
        self, node: s.Name | tuple[s.Expr, ...] | None, operator: Operator | ContinuousOperator
    ) -> Prior | PriorFamily | None:
        """What the values of the others are drawn from."""
        if node is None:
            return None
        if isinstance(node, s.Name):
            named: Prior = self._prior(node, operator)
            return named
        if isinstance(operator, ContinuousOperator):
            raise ModelError("families of priors are for finite domains", node[0].at)
        return PriorFamily(tuple(self._constraint(item, operator) for item in node))

    def _count(self, node: s.Expr, what: str, least: int) -> int:
        """How many clients: a whole number."""
        number = self.evaluator.constant_rational(node)
        if number.denominator != 1 or number < least:
            raise ModelError(
                f"{number_text(number)} {what}: expected a whole number from {least} on", node.at
            )
        return number.numerator

    def _exception(self, node: s.Forbid) -> Fraction | None:
        """With which probability a claim lets a breach pass; what it cannot be said with."""
        if node.exception is None:
            if node.crowd is not None and node.crowd.how == "summing":
                raise ModelError(
                    "after summing, a breach is forbidden except with a probability",
                    node.crowd.at,
                    "add it before after: except with probability 1e-6",
                )
            return None
        chance = self.evaluator.constant_rational(node.exception)
        if not 0 < chance < 1:
            raise ModelError(
                f"{number_text(chance)} is not a probability between 0 and 1 (exclusive)",
                node.exception.at,
            )
        if node.crowd is None:
            raise ModelError(
                "except with probability needs the crowd that hides a report",
                node.exception.at,
                "say among how many: after shuffling 1000",
            )
        alone = "except with probability is for all priors or under one, and for no knowledge of x"
        if node.knowing is not None:
            raise ModelError(f"knowing in a claim with an exception: {alone}", node.knowing.at)
        if isinstance(node.under, tuple):
            raise ModelError(f"a family in a claim with an exception: {alone}", node.under[0].at)
        return chance

    def _require(self, node: s.Require, operator: Operator | ContinuousOperator) -> BoundClaim:
        if isinstance(operator, ContinuousOperator):
            check_require(node)
        name = node.measure.text
        measure = _known(node.measure, claim_names(), "measure", "known")
        if measure.all_priors and node.argument is None:
            if node.relation != "<=":
                raise ModelError(f"{name} for all priors is bounded by <=", node.measure.at)
            measure = claim_names()[measure.all_priors]
            name = measure.name
        if (measure.prior or bool(measure.argument)) != (node.argument is not None):
            raise ModelError(f"{name} is written {measure.written}", node.measure.at)
        prior, epsilon = None, None
        if node.argument is not None and measure.argument:
            epsilon = self._epsilon(node.argument, operator)
        elif node.argument is not None:
            if not isinstance(node.argument, s.Name):
                raise ModelError(f"{name} is written {measure.written}", node.argument.at)
            prior = self._prior(node.argument, operator)
        unit = None if node.unit is None else node.unit.text
        if measure.unit == "asked":
            if unit is None or unit not in _UNITS:
                at = node.unit.at if node.unit is not None else node.bound.at
                raise ModelError(
                    "a bound on information needs its unit", at, "expected bit or nat after it"
                )
            unit = _UNITS[unit]
        elif node.unit is not None:
            raise ModelError(f"{name} has no unit", node.unit.at)
        bound: Any
        if measure.name == "epsilon":
            bound = self._epsilon(node.bound, operator)
        else:
            bound = self.evaluator.constant_number(node.bound)
        reports = self._reports(node.reports)
        crowd = self._crowd(node.crowd, operator)
        try:
            return BoundClaim(name, node.relation, bound, prior, unit, reports, epsilon, crowd)  # type: ignore[arg-type]
        except ValueError as problem:
            raise ModelError(str(problem), node.measure.at) from None

    def _epsilon(self, node: s.Expr, operator: Operator | ContinuousOperator) -> Exponent:
        """An epsilon that a claim names; a free one where the operator does not use it plainly."""
        if isinstance(operator, ContinuousOperator):
            return self.evaluator.constant_exponent(node)
        epsilon = self.evaluator.claimed_exponent(node)
        if isinstance(epsilon, FreeLn) and epsilon.parameter.told in operator.parameters:
            name = epsilon.parameter.told.name
            raise ModelError(
                f"{operator.name} depends on {name} itself, not on {epsilon.parameter.name}",
                node.at,
                f"give it a value: --set {name}=VALUE",
            )
        return epsilon

    # -- families of priors -----------------------------------------------------------------------

    def _constraint(self, node: s.Expr, operator: Operator | ContinuousOperator) -> Constraint:
        """A linear comparison of masses: mass(a) + 2 * mass(b) <= 1/3."""
        if not isinstance(node, s.Comparison) or len(node.rest) != 1:
            raise ModelError(
                "expected one linear constraint on masses", node.at, "such as mass(zero) <= 1/50"
            )
        relation, at, right = node.rest[0]
        if relation not in _MIRRORED:
            raise ModelError(f"{relation} in a constraint", at, "expected <= < >= > or ==")
        terms, constant = self._linear(node.first, operator)
        others, other = self._linear(right, operator)
        for property, coefficient in others.items():
            terms[property] = terms.get(property, Fraction(0)) - coefficient
        kept = tuple((c, property) for property, c in terms.items() if c != 0)
        if not kept:
            raise ModelError("a constraint without a mass", node.at, "such as mass(zero) <= 1/50")
        bound = other - constant
        if len(kept) == 1 and kept[0][0] < 0:
            scale = kept[0][0]
            return Constraint(((Fraction(1), kept[0][1]),), _MIRRORED[relation], bound / scale)
        return Constraint(kept, relation, bound)  # type: ignore[arg-type]

    def _linear(
        self, node: s.Expr, operator: Operator | ContinuousOperator
    ) -> tuple[dict[Property, Fraction], Fraction]:
        match node:
            case s.Call(name="mass"):
                if len(node.arguments) != 1 or not isinstance(node.arguments[0], s.Name):
                    raise ModelError("mass takes the name of a property", node.at)
                return {self._property(node.arguments[0], operator): Fraction(1)}, Fraction(0)
            case s.Negative():
                return _scaled(self._linear(node.operand, operator), Fraction(-1))
            case s.Chain() if _mentions_mass(node):
                return self._linear_chain(node, operator)
            case _:
                return {}, self.evaluator.constant_rational(node)

    def _linear_chain(
        self, node: s.Chain, operator: Operator | ContinuousOperator
    ) -> tuple[dict[Property, Fraction], Fraction]:
        terms, constant = self._linear(node.first, operator)
        for operation, at, operand in node.rest:
            others, other = self._linear(operand, operator)
            if operation in ("+", "-"):
                sign = Fraction(1 if operation == "+" else -1)
                for property, coefficient in others.items():
                    terms[property] = terms.get(property, Fraction(0)) + sign * coefficient
                constant += sign * other
            elif operation == "*" and not (terms and others):
                factor, scaled = (
                    (other, (terms, constant)) if not others else (constant, (others, other))
                )
                terms, constant = _scaled(scaled, factor)
            elif operation == "/" and not others and other != 0:
                terms, constant = _scaled((terms, constant), 1 / other)
            else:
                raise ModelError("not linear in the masses", at)
        return terms, constant


def _scaled(
    linear: tuple[dict[Property, Fraction], Fraction], factor: Fraction
) -> tuple[dict[Property, Fraction], Fraction]:
    terms, constant = linear
    return {property: factor * c for property, c in terms.items()}, factor * constant


def _mentions_mass(node: Any) -> bool:
    if isinstance(node, s.Call):
        return node.name == "mass"
    if isinstance(node, s.Negative):
        return _mentions_mass(node.operand)
    if isinstance(node, s.Chain):
        return any(map(_mentions_mass, (node.first, *(operand for _, _, operand in node.rest))))
    return False


def _known(name: s.Name, table: Mapping[str, Kind], what: str, listed: str = "declared") -> Kind:
    if name.text in table:
        return table[name.text]
    close = difflib.get_close_matches(name.text, table, n=1)
    hint = f"did you mean {close[0]}?" if close else f"{listed}: {', '.join(table) or 'none'}"
    raise ModelError(f"unknown {what} {name.text}", name.at, hint)


def _check_domain(
    name: s.Name, part: Any, operator: Operator | ContinuousOperator, what: str
) -> None:
    if isinstance(operator, ContinuousOperator) or isinstance(part.domain, Reals):
        same = part.domain == operator.inputs
    else:
        same = part.domain.same_members(operator.inputs)
    if not same:
        raise ModelError(
            f"the {what} {name.text} is on {part.domain}, but {operator.name}"
            f" takes its inputs from {operator.inputs}",
            name.at,
        )
