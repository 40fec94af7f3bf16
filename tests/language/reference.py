"""A naive interpreter of the model language: one input, one world at a time, in Fractions.

It shares the parser with the package and nothing else: no columns, no palettes, no sharing
of work. Values are int, Fraction, str (labels), bool, tuple and frozenset; numbers with
exponentials are kept in 120 digits.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath

from ppdm_formal.declare.language import syntax as s
from ppdm_formal.declare.language.parser import parse


class Refused(Exception):
    """The model has no meaning: the compiler must refuse it, too."""


DIGITS = 120


class Approximate:
    """A number with exponentials, in so many digits: good enough to be compared with."""

    def __init__(self, value):
        self.value = value

    @staticmethod
    def of(value):
        if isinstance(value, Approximate):
            return value.value
        with mpmath.workdps(DIGITS):
            return mpmath.mpf(value.numerator) / value.denominator

    def __add__(self, other):
        return self._with(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other):
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other):
        return self._with(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other):
        return self._with(other, lambda a, b: b / a)

    def __pow__(self, exponent):
        with mpmath.workdps(DIGITS):
            return Approximate(self.value**exponent)

    def __neg__(self):
        return Approximate(-self.value)

    def __abs__(self):
        return Approximate(abs(self.value))

    def __lt__(self, other):
        return self.value < Approximate.of(other)

    def __gt__(self, other):
        return self.value > Approximate.of(other)

    def __le__(self, other):
        return self == other or self < other

    def __ge__(self, other):
        return self == other or self > other

    def __eq__(self, other):
        """Equal as far as can be told."""
        if not isinstance(other, (int, Fraction, Approximate)):
            return False
        with mpmath.workdps(DIGITS):
            return abs(self.value - Approximate.of(other)) < mpmath.mpf(10) ** (20 - DIGITS)

    __hash__ = None
    __radd__, __rmul__ = __add__, __mul__

    def _with(self, other, combine):
        with mpmath.workdps(DIGITS):
            return Approximate(combine(self.value, Approximate.of(other)))


def exp(exponent):
    if isinstance(exponent, Approximate):
        raise Refused("exp of an exponential")
    with mpmath.workdps(DIGITS):
        return Approximate(mpmath.exp(Approximate.of(exponent)))


class Law(dict):
    """x -> {y: probability}, with the outputs in their declared order."""

    def __init__(self, rows, outputs):
        super().__init__(rows)
        self.outputs = outputs


def interpret(text, scope=None, values=None):
    """The laws of all operators of a model; `scope` is what was declared before."""
    scope = {kind: dict((scope or {}).get(kind, {})) for kind in ("domains", "values", "operators")}
    for node in parse(text):
        if isinstance(node, s.DomainDeclaration):
            scope["domains"][node.name] = members(node.values, {}, scope)
        elif isinstance(node, s.ParamDeclaration):
            chosen = (values or {}).get(node.name, "")
            given = Fraction(chosen) if chosen != "" else evaluate(node.default, {}, scope)
            scope["values"][node.name] = tidy(given)
        elif isinstance(node, s.OperatorDeclaration):
            scope["operators"][node.name] = operator_law(node, scope)
    return scope


def tidy(value):
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value


def operator_law(node, scope):
    inputs, outputs = members(node.inputs, {}, scope), members(node.outputs, {}, scope)
    rows = {}
    for x in inputs:
        if isinstance(node.body, s.Program):
            row, going_on = run(node.body.statements, {node.variable: x}, scope)
            if going_on:
                raise Refused("a path does not return")
        elif isinstance(node.body, s.Rule):
            row = [(y, rule_entry(node.body, x, y, scope)) for y in outputs]
        else:
            row = matrix_row(node.body, x, outputs, scope)
        law = dict.fromkeys(outputs, Fraction(0))
        for y, p in row:
            if isinstance(y, bool) or y not in law:
                raise Refused(f"returns {y}")
            law[y] += p
        if sum(law.values()) != 1 or any(not 0 <= p <= 1 for p in law.values()):
            raise Refused(f"a row sums to {sum(law.values())}")
        rows[x] = law
    return Law(rows, outputs)


def rule_entry(rule, x, y, scope):
    variables = {rule.source: x, rule.target: y}
    for case in rule.cases:
        if case.condition is None or truth(case.condition, variables, scope):
            return number(evaluate(case.value, variables, scope))
    return Fraction(0)


def matrix_row(matrix, x, outputs, scope):
    rows = {evaluate(row.value, {}, scope): row.entries for row in matrix.rows}
    entries = [number(evaluate(entry, {}, scope)) for entry in rows[x]]
    return list(zip(outputs, entries, strict=True))


# -- programs ---------------------------------------------------------------------------------


def run(block, variables, scope):
    """What the block returns, with probabilities; and the worlds that go on after it."""
    returned, worlds = [], [(variables, Fraction(1))]
    for statement in block:
        following = []
        for world, p in worlds:
            found, going_on = step(statement, world, scope)
            returned += [(value, p * q) for value, q in found]
            following += [(after, p * q) for after, q in going_on]
        worlds = following
    return returned, worlds


def step(statement, world, scope):
    if isinstance(statement, s.Let):
        return [], [({**world, statement.name: evaluate(statement.value, world, scope)}, 1)]
    if isinstance(statement, s.Draw):
        drawn = distribution(statement.distribution, world, scope)
        if drawn is None:
            raise Refused("not a distribution")
        return [], [({**world, statement.name: value}, p) for value, p in drawn]
    if isinstance(statement, s.Return):
        drawn = distribution(statement.value, world, scope)
        return (
            [(datum(evaluate(statement.value, world, scope)), 1)] if drawn is None else drawn
        ), []
    returned, going_on, left = [], [], Fraction(1)
    for arm in statement.arms:
        if not left:
            break
        if arm.is_coin:
            chance = probability(arm.test, world, scope)
        else:
            chance = Fraction(truth(arm.test, world, scope))
        if chance:
            found, after = run(arm.then, world, scope)
            returned += [(value, left * chance * p) for value, p in found]
            going_on += [(state, left * chance * p) for state, p in after]
        left *= 1 - chance
    if left:
        found, after = run(statement.otherwise or (), world, scope)
        returned += [(value, left * p) for value, p in found]
        going_on += [(state, left * p) for state, p in after]
    return returned, going_on


def probability(node, world, scope):
    p = number(evaluate(node, world, scope))
    if not 0 <= p <= 1:
        raise Refused(f"the probability {p}")
    return p


def distribution(node, world, scope):
    """Pairs (value, probability > 0); None where the expression is no distribution."""
    if isinstance(node, s.Choose):
        listed = []
        for mass in node.masses:
            p = probability(mass.probability, world, scope)
            if mass.each:
                listed += [(value, p) for value in members(mass.values, world, scope)]
            else:
                listed.append((datum(evaluate(mass.values, world, scope)), p))
        if len({value for value, _ in listed}) < len(listed):
            raise Refused("listed twice")
        if sum(p for _, p in listed) != 1:
            raise Refused("does not sum to 1")
        return [(value, p) for value, p in listed if p]
    if isinstance(node, s.Conditional) and (
        drawn(node.then, scope) or drawn(node.otherwise, scope)
    ):
        side = node.then if truth(node.condition, world, scope) else node.otherwise
        law = distribution(side, world, scope)
        return [(datum(evaluate(side, world, scope)), Fraction(1))] if law is None else law
    if isinstance(node, s.ForEach) and drawn(node, scope):
        laws = [
            distribution(node.element, {**world, node.index: i}, scope)
            for i in nonempty(members(node.over, world, scope))
        ]
        rows = [((), Fraction(1))]
        for law in laws:
            parts = [(v if isinstance(v, tuple) else (v,), q) for v, q in law]
            rows = [(done + part, p * q) for done, p in rows for part, q in parts]
        return [(flat(row), p) for row, p in rows]
    if not isinstance(node, s.Call):
        return None
    if node.name == "uniform":
        values = members(node.arguments[0], world, scope)
        if not values:
            raise Refused("uniform over an empty set")
        return [(value, Fraction(1, len(values))) for value in values]
    if node.name in ("bernoulli", "binomial"):
        n = 1 if node.name == "bernoulli" else evaluate(node.arguments[0], world, scope)
        p = probability(node.arguments[-1], world, scope)
        if type(n) is not int or n < 0:
            raise Refused("the number of trials")
        law = [(k, math.comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]
        return [(k, q) for k, q in law if q]
    if node.name in scope["operators"]:
        x = datum(evaluate(node.arguments[0], world, scope))
        law = scope["operators"][node.name]
        if x not in law:
            raise Refused("not an input")
        return [(y, p) for y, p in law[x].items() if p]
    return None


def drawn(node, scope):
    """Whether an expression is a distribution in some world."""
    match node:
        case s.Call():
            return node.name in (*scope["operators"], "uniform", "bernoulli", "binomial")
        case s.Conditional():
            return drawn(node.then, scope) or drawn(node.otherwise, scope)
        case s.ForEach():
            return not node.is_set and drawn(node.element, scope)
    return isinstance(node, s.Choose)


def nonempty(values):
    if not values:
        raise Refused("an index without values")
    return values


# -- expressions --------------------------------------------------------------------------------


def number(value):
    if isinstance(value, Approximate):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise Refused(f"{value} is not a number")
    return Fraction(value)


def integer(value):
    if type(value) is not int:
        raise Refused(f"{value} is not an integer")
    return value


def datum(value):
    if isinstance(value, bool):
        raise Refused("a truth value")
    return value


def truth(node, world, scope):
    value = evaluate(node, world, scope)
    if not isinstance(value, bool):
        raise Refused(f"{value} is not a truth value")
    return value


def evaluate(node, world, scope):
    match node:
        case s.Number():
            return tidy(node.value)
        case s.Label():
            return node.text
        case s.Name():
            if node.text in world:
                return world[node.text]
            if node.text in scope["domains"]:
                return frozenset(scope["domains"][node.text])
            return scope["values"].get(node.text, node.text)
        case s.Negative():
            return tidy(-number(evaluate(node.operand, world, scope)))
        case s.Chain():
            result = evaluate(node.first, world, scope)
            for sign, _, operand in node.rest:
                result = arithmetic(sign, result, evaluate(operand, world, scope))
            return result
        case s.Power():
            base = number(evaluate(node.base, world, scope))
            exponent = integer(evaluate(node.exponent, world, scope))
            if base == 0 and exponent < 0:
                raise Refused("division by zero")
            return tidy(base**exponent)
        case s.Not():
            return not truth(node.operand, world, scope)
        case s.Connective():
            parts = (truth(part, world, scope) for part in node.parts)
            return all(parts) if node.kind == "and" else any(parts)
        case s.Comparison():
            return comparison(node, world, scope)
        case s.TupleOf():
            values = [datum(evaluate(part, world, scope)) for part in node.parts]
            return flat(values)
        case s.PartOf():
            whole = evaluate(node.whole, world, scope)
            if not isinstance(whole, tuple) or not 1 <= node.index <= len(whole):
                raise Refused("no such part")
            return whole[node.index - 1]
        case s.Call():
            if node.name == "size":
                return len(members(node.arguments[0], world, scope))
            values = [evaluate(part, world, scope) for part in node.arguments]
            return function(node.name, values)
        case s.Conditional():
            side = node.then if truth(node.condition, world, scope) else node.otherwise
            return evaluate(side, world, scope)
        case s.ForEach() if not node.is_set:
            indices = nonempty(members(node.over, world, scope))
            values = [evaluate(node.element, {**world, node.index: i}, scope) for i in indices]
            return flat([datum(value) for value in values])
        case _:
            return frozenset(members(node, world, scope))


def function(name, values):
    if name in ("min", "max", "sum", "xor"):
        values = [part for v in values for part in (v if isinstance(v, tuple) else (v,))]
    numbers = [number(value) for value in values]
    if name == "exp":
        return tidy(exp(*numbers))
    if name in ("xor", "bit", "comb") and any(n.denominator > 1 for n in numbers):
        raise Refused("not an integer")
    if (name in ("xor", "bit") and min(numbers) < 0) or (name == "comb" and numbers[0] < 0):
        raise Refused("negative")
    match name:
        case "abs":
            (value,) = numbers
            return tidy(max(value, -value))
        case "min":
            return tidy(sorted(numbers)[0])
        case "max":
            return tidy(sorted(numbers)[-1])
        case "sum":
            total = Fraction(0)
            for value in numbers:
                total += value
            return tidy(total)
        case "xor":
            digits = [bin(int(value))[2:].zfill(64) for value in numbers]
            columns = zip(*digits, strict=True)
            return int("".join(str(sum(map(int, column)) % 2) for column in columns), 2)
        case "bit":
            digits = bin(int(numbers[0]))[:1:-1]
            place = int(numbers[1])
            return int(digits[place]) if place < len(digits) else 0
        case "comb":
            n, k = map(int, numbers)
            return len(list(itertools.combinations(range(n), k))) if k >= 0 else 0


def arithmetic(sign, first, second):
    a, b = number(first), number(second)
    if sign in ("/", "//", "mod") and b == 0:
        raise Refused("division by zero")
    if sign == "mod":
        if b < 0:
            raise Refused("mod of a negative number")
        return tidy(a - b * math.floor(a / b))
    if sign == "//":
        return math.floor(a / b)
    return tidy({"+": a + b, "-": a - b, "*": a * b}[sign] if sign != "/" else a / b)


def comparison(node, world, scope):
    left = node.first
    for sign, _, right in node.rest:
        if sign in ("in", "not in"):
            inside = datum(evaluate(left, world, scope)) in members(right, world, scope)
            holds = inside == (sign == "in")
        else:
            a, b = evaluate(left, world, scope), evaluate(right, world, scope)
            if sign in ("==", "!="):
                equal = isinstance(a, bool) == isinstance(b, bool) and a == b
                holds = equal == (sign == "==")
            else:
                a, b = number(a), number(b)
                holds = {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]
        if not holds:
            return False
        left = right
    return True


def flat(values):
    found = tuple(part for v in values for part in (v if isinstance(v, tuple) else (v,)))
    return found if len(found) > 1 else found[0]


def members(node, world, scope):
    """A set as a list without repetition, in the order written."""
    found = []
    match node:
        case s.Name() if node.text in scope["domains"]:
            found = scope["domains"][node.text]
        case s.Range():
            low = integer(evaluate(node.low, world, scope))
            found = range(low, integer(evaluate(node.high, world, scope)) + 1)
        case s.SetOf():
            for part in node.parts:
                if isinstance(part, s.Range):
                    found += members(part, world, scope)
                else:
                    found.append(datum(evaluate(part, world, scope)))
        case s.Union():
            found = [value for part in node.parts for value in members(part, world, scope)]
        case s.Difference():
            first, *others = [members(part, world, scope) for part in node.parts]
            found = [value for value in first if not any(value in other for other in others)]
        case s.Chain() if all(sign == "*" for sign, _, _ in node.rest):
            parts = [members(p, world, scope) for p in (node.first, *(o for _, _, o in node.rest))]
            found = [flat(row) for row in itertools.product(*parts)]
        case s.Power():
            of = members(node.base, world, scope)
            times = integer(evaluate(node.exponent, world, scope))
            if times < 1:
                raise Refused("no such power")
            found = [flat(row) for row in itertools.product(of, repeat=times)]
        case s.Conditional():
            side = node.then if truth(node.condition, world, scope) else node.otherwise
            found = members(side, world, scope)
        case s.ForEach() if node.is_set:
            indices = nonempty(members(node.over, world, scope))
            values = [evaluate(node.element, {**world, node.index: i}, scope) for i in indices]
            found = [datum(value) for value in values]
        case s.Subsets():
            size = integer(evaluate(node.size, world, scope))
            of = members(node.of, world, scope)
            if not 0 <= size <= len(of):
                raise Refused("no such subsets")
            found = [frozenset(chosen) for chosen in itertools.combinations(of, size)]
        case _:
            value = evaluate(node, world, scope)
            if not isinstance(value, frozenset):
                raise Refused("not a set")
            found = value
    return list(dict.fromkeys(found))
