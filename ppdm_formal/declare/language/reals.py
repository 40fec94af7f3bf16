"""Real numbers in models: intervals as domains, densities, properties, and x + noise."""

from __future__ import annotations

from fractions import Fraction
from operator import ge, gt, le, lt

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.errors import ModelError, Place
from ppdm_formal.declare.language.evaluate import Evaluator
from ppdm_formal.declare.noises.named import LARGEST, Noise, Normal, noise_laws, noise_of
from ppdm_formal.declare.reals.additive import ContinuousOperator, Window
from ppdm_formal.declare.reals.density import Bell, Component, Density, Flat
from ppdm_formal.declare.reals.reals import Interval, RealProperty, Reals, common, merged

MAX_INTERVALS = 1000
"""Most intervals of a property, and most parts of a density."""

_FORM = "such as return x + laplace(10) clamped to 0..100"
_SIGNS = {"<": lt, "<=": le, ">": gt, ">=": ge}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


class RealsCompiler:
    """Compiles what a model says of real numbers."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.scope = evaluator.scope

    def named(self, node: s.Expr) -> Reals | None:
        """The interval that a name stands for, if it does."""
        return self.scope.reals.get(node.text) if isinstance(node, s.Name) else None

    def domain(self, node: s.RealsDeclaration) -> None:
        """An interval, under its name."""
        self.scope.check_new(node.name, node.at)
        low, high = self._number(node.low), self._number(node.high)
        try:
            self.scope.reals[node.name] = Reals(low, high, node.name)
        except ValueError as problem:
            raise ModelError(str(problem), node.at) from None

    def _number(self, node: s.Expr) -> Fraction:
        number = self.evaluator.constant_rational(node)
        if abs(number) > LARGEST:
            raise ModelError("a number beyond 10^30", node.at)
        return number

    # -- densities -----------------------------------------------------------------------------

    def density(self, node: s.PriorDeclaration, domain: Reals) -> Density:
        """A mixture: laws with their weights, or uniform."""
        parts: tuple[Component, ...]
        if node.masses is None:
            parts = (Flat(Fraction(1), domain.lo, domain.hi),)
        else:
            if len(node.masses) > MAX_INTERVALS:
                raise ModelError(f"more than {MAX_INTERVALS:,} parts", node.at)
            parts = tuple(self._component(mass, domain) for mass in node.masses)
        try:
            return Density(domain, parts, node.name)
        except ValueError as problem:
            hint = "the weights of all parts must sum to 1"
            raise ModelError(str(problem), node.at, hint) from None

    def _component(self, mass: s.Mass, domain: Reals) -> Component:
        law = mass.values
        if not isinstance(law, s.Call) or law.name not in ("uniform", "normal") or mass.each:
            raise ModelError(
                "a density is made of uniform(LO, HI) and normal(MEAN, SD)",
                mass.at,
                "such as uniform(18, 30) : 7/10",
            )
        if len(law.arguments) != 2:
            raise ModelError(f"{law.name} takes two numbers here", law.at)
        weight = self.evaluator.constant_rational(mass.probability)
        if weight <= 0:
            raise ModelError(f"the weight {weight} is not above 0", mass.probability.at)
        first, second = map(self._number, law.arguments)
        try:
            if law.name == "normal":
                return Bell(weight, first, Normal(second), domain.lo, domain.hi)
            if not domain.lo <= first < second <= domain.hi:
                raise ValueError(f"uniform({first}, {second}) does not lie in {domain.ends}")
            return Flat(weight, first, second)
        except ValueError as problem:
            raise ModelError(str(problem), law.at) from None

    # -- properties ----------------------------------------------------------------------------

    def property(self, node: s.PropertyDeclaration, domain: Reals) -> RealProperty:
        """A union of intervals."""
        found = self._intervals(node.condition, domain)
        if not found or found == ((domain.lo, domain.hi),):
            which = "no number" if not found else "every number"
            raise ModelError(f"{which} of {domain} has the property", node.condition.at)
        if len(found) > MAX_INTERVALS:
            raise ModelError(f"more than {MAX_INTERVALS:,} intervals", node.at)
        return RealProperty(domain, found, node.name)

    def _intervals(self, node: s.Expr, domain: Reals) -> tuple[Interval, ...]:
        match node:
            case s.Not():
                inner = RealProperty(domain, self._intervals(node.operand, domain))
                return inner.complement.intervals
            case s.Connective():
                parts = [self._intervals(part, domain) for part in node.parts]
                if node.kind == "or":
                    return merged(interval for part in parts for interval in part)
                found = parts[0]
                for part in parts[1:]:
                    found = common(found, part)
                return found
            case s.Comparison():
                return self._compared(node, domain)
        raise ModelError(
            "a property of real numbers compares x with numbers", node.at, "such as 18 <= x < 65"
        )

    def _compared(self, node: s.Comparison, domain: Reals) -> tuple[Interval, ...]:
        lo, hi = domain.lo, domain.hi
        left = node.first
        for sign, at, right in node.rest:
            if sign not in _TURNED:
                raise ModelError(f"{sign} between real numbers", at, "expected < <= > or >=")
            if _is_x(left) == _is_x(right):
                raise ModelError("expected x on one side and a number on the other", at)
            bound = self._number(right if _is_x(left) else left)
            if (sign if _is_x(left) else _TURNED[sign]) in ("<", "<="):
                hi = min(hi, bound)
            else:
                lo = max(lo, bound)
            left = right
        return merged([(lo, hi)])

    def holds(self, node: s.Expr, point: Fraction) -> bool:
        """Whether one number has the property, ends of intervals as they are written."""
        match node:
            case s.Not():
                return not self.holds(node.operand, point)
            case s.Connective():
                found = (self.holds(part, point) for part in node.parts)
                return any(found) if node.kind == "or" else all(found)
            case s.Comparison():
                left = node.first
                for sign, _, right in node.rest:
                    one, other = (
                        point if _is_x(side) else self._number(side) for side in (left, right)
                    )
                    if not _SIGNS[sign](one, other):
                        return False
                    left = right
                return True
        raise AssertionError("compiled before")

    # -- operators -----------------------------------------------------------------------------

    def operator(
        self, node: s.OperatorDeclaration, domain: Reals, source: str
    ) -> tuple[ContinuousOperator, Fraction | None, Place]:
        """X + noise with its window, the step that it is rounded to (or None), and its place."""
        if not isinstance(node.outputs, s.Name) or node.outputs.text != "reals":
            raise ModelError(
                "an operator on real numbers has real outputs",
                node.outputs.at,
                f"expected operator {node.name}({node.variable}: {domain}) -> reals",
            )
        body = node.body
        if (
            not isinstance(body, s.Program)
            or len(body.statements) != 1
            or not isinstance(body.statements[0], s.Return)
        ):
            raise ModelError("an operator on real numbers only returns x + noise", body.at, _FORM)
        returned = body.statements[0]
        noise = self._noise(returned.value, node.variable)
        window, step = self._output(returned)
        try:
            made = ContinuousOperator(domain, noise, window, node.name, source)
        except ValueError as problem:
            raise ModelError(str(problem), returned.at) from None
        return made, step, returned.at

    def _noise(self, node: s.Expr, variable: str) -> Noise:
        if isinstance(node, s.Chain) and len(node.rest) == 1 and node.rest[0][0] == "+":
            sides = [node.first, node.rest[0][2]]
            if isinstance(sides[1], s.Name):
                sides.reverse()
            x, law = sides
            if isinstance(x, s.Name) and x.text == variable and isinstance(law, s.Call):
                if law.name not in noise_laws():
                    raise ModelError(
                        f"{law.name} is no noise",
                        law.at,
                        f"expected one of {', '.join(noise_laws())}",
                    )
                try:
                    return noise_of(law.name, [self._number(part) for part in law.arguments])
                except ValueError as problem:
                    raise ModelError(str(problem), law.at) from None
        raise ModelError(f"expected {variable} + noise", node.at, _FORM)

    def _output(self, node: s.Return) -> tuple[Window | None, Fraction | None]:
        window: Window | None = None
        step: Fraction | None = None
        for part in node.output:
            if part.kind == "rounded":
                if step is not None:
                    raise ModelError("rounded twice", part.at)
                step = self._number(part.ends[0])
                continue
            if window is not None or step is not None:
                raise ModelError("the window comes first, once, and then the rounding", part.at)
            lo, hi = map(self._number, part.ends)
            try:
                window = Window(part.kind, lo, hi)  # type: ignore[arg-type]
            except ValueError as problem:
                raise ModelError(str(problem), part.at) from None
        return window, step


def check_discrete(node: s.OperatorDeclaration) -> None:
    """Windows and rounding are for real outputs."""
    stack: list[object] = [node.body]
    while stack:
        part = stack.pop()
        if isinstance(part, s.Return) and part.output:
            raise ModelError(
                f"{part.output[0].kind} to: for operators on real numbers only",
                part.output[0].at,
                "min and max clamp other numbers: max(0, min(x, 100))",
            )
        stack.extend(s.parts(part))


def _is_x(node: s.Expr) -> bool:
    return isinstance(node, s.Name) and node.text == "x"
