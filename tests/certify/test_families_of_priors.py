"""Families of priors: exact linear programming against vertices, its multipliers, z3."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

import pytest
from certify_cases import distribution, matrix

from ppdm_formal.certify import EXACTLY, InconsistentConstraints, Verdict, certify
from ppdm_formal.certify.inequalities import Row, solve
from ppdm_formal.certify.solver.by_solver import decide_by_solver
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.deadline import Deadline
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Constraint, PriorFamily, Property
from ppdm_formal.declare.operators.randomization import Operator

RELATIONS = ("<=", "<", ">=", ">", "==")


def solved(equations, right):
    """The solution of a square system, or None."""
    size = len(equations)
    rows = [[*map(Fraction, row), Fraction(r)] for row, r in zip(equations, right, strict=True)]
    for column in range(size):
        pivot = next((r for r in range(column, size) if rows[r][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [cell / rows[column][column] for cell in rows[column]]
        for other in range(size):
            if other != column and rows[other][column]:
                factor = rows[other][column]
                rows[other] = [
                    a - factor * b for a, b in zip(rows[other], rows[column], strict=True)
                ]
    return [row[-1] for row in rows]


def strictly_feasible(rows, size):
    """Whether a x + d >= 0 / > 0 / == 0 has a solution x >= 0 with sum 1, by all vertices.

    One variable more, t, is a slack of the strict rows; wanted is a vertex with t > 0.
    """
    equal = [([1] * size + [0], -1)]
    least = [([int(i == j) for j in range(size + 1)], 0) for i in range(size + 1)]
    least.append(([0] * size + [-1], 1))
    for coefficients, constant, relation in rows:
        if relation == "==":
            equal.append(([*coefficients, 0], constant))
        else:
            least.append(([*coefficients, -1 if relation == ">" else 0], constant))
    for active in itertools.combinations(least, size + 1 - len(equal)):
        system = [*equal, *active]
        point = solved([a for a, _ in system], [-d for _, d in system])
        if point is None or point[-1] <= 0:
            continue
        if all(sum(a * x for a, x in zip(row, point, strict=True)) + d >= 0 for row, d in least):
            return True
    return False


def constraint_rows(size, constraints):
    rows = []
    for terms, relation, bound in constraints:
        weights = [sum(f for f, members in terms if members >> x & 1) for x in range(size)]
        sign = -1 if relation in ("<=", "<") else 1
        kind = "==" if relation == "==" else ">" if relation in ("<", ">") else ">="
        rows.append(([sign * w for w in weights], -sign * bound, kind))
    return rows


def brute_force(matrix_rows, constraints, about, direction, rho1, rho2):
    """Whether some property, output and prior of the family are a breach, one by one."""
    size = len(matrix_rows)
    family = constraint_rows(size, constraints)
    for members in range(1 << size) if about is None else [about]:
        inside = [members >> x & 1 for x in range(size)]
        for column in range(len(matrix_rows[0])):
            seen = [row[column] for row in matrix_rows]
            tries = []
            if direction != "downward":
                tries.append((1, rho1, rho2))
            if direction != "upward":
                tries.append((-1, rho2, rho1))
            for sign, before, after in tries:
                rows = [
                    ([sign * (before - i) for i in inside], 0, ">="),
                    ([sign * s * (i - after) for s, i in zip(seen, inside, strict=True)], 0, ">="),
                    (seen, 0, ">"),
                    *family,
                ]
                if strictly_feasible(rows, size):
                    return True
    return False


def random_family_case(seed):
    chance = random.Random(seed)
    size = chance.choice((2, 2, 3))
    rows = matrix(chance, size, 2)
    constraints = []
    for _ in range(chance.choice((0, 1, 1, 1))):
        terms = [
            (Fraction(chance.choice((1, 1, 2, -1))), chance.randrange(1, 1 << size))
            for _ in range(chance.choice((1, 1, 2)))
        ]
        terms = list({members: (factor, members) for factor, members in terms}.values())
        bound = Fraction(chance.randrange(0, 11), 10)
        relation = chance.choice(RELATIONS)
        if chance.random() < 0.5:  # much mass on one input, which may not split
            terms = [(Fraction(1), 1 << chance.randrange(size))]
            relation, bound = chance.choice(("==", ">=", ">")), Fraction(chance.randrange(3, 9), 10)
        constraints.append((terms, relation, bound))
    about = chance.randrange(1 << size) if chance.random() < 0.3 else None
    low, high = sorted(chance.sample(range(1, 10), 2))
    direction = chance.choice(("both", "upward", "downward"))
    return rows, constraints, about, direction, Fraction(low, 10), Fraction(high, 10)


def as_claim(rows, constraints, about, direction, rho1, rho2):
    domain = Domain(range(len(rows)))

    def named(members):
        chosen = [x for x in range(len(rows)) if members >> x & 1]
        return Property.of(domain, chosen, f"q{members}")

    family = PriorFamily(
        tuple(
            Constraint(tuple((f, named(members)) for f, members in terms), relation, bound)
            for terms, relation, bound in constraints
        )
    )
    property = None if about is None else named(about)
    return BreachClaim(rho1, rho2, direction, family, property)


def refutes(rows, multipliers):
    """Motzkin's condition, written a second time."""
    if any(m < 0 for m, row in zip(multipliers, rows, strict=True) if row[2] != "=="):
        return False
    width = len(rows[0][0])
    for column in range(width):
        if sum(m * row[0][column] for m, row in zip(multipliers, rows, strict=True)) > 0:
            return False
    constant = sum(m * row[1] for m, row in zip(multipliers, rows, strict=True))
    strict = any(m > 0 for m, row in zip(multipliers, rows, strict=True) if row[2] == ">")
    return constant < 0 or (constant == 0 and strict)


def evidence_holds(view, claim, direction, tree, excluded=frozenset()):
    """The farkas evidence of docs/certificate.md for one view, written a second time."""
    if isinstance(tree, dict):
        index = tree["class"]
        assert view.classes[index].count == 1
        return evidence_holds(
            view, claim, direction, tree["inside"], excluded | {(index, False)}
        ) and evidence_holds(view, claim, direction, tree["outside"], excluded | {(index, True)})
    upward = direction == "upward"
    low, high = (claim.rho1, claim.rho2) if upward else (1 - claim.rho2, 1 - claim.rho1)
    columns = []
    for index, part in enumerate(view.classes):
        sides = (True, False) if claim.about is None else (part.member[0] == upward,)
        columns += [(part, side) for side in sides if (index, side) not in excluded]
    rows = [
        ([1] * len(columns), -1, "=="),
        ([low - side for _, side in columns], 0, ">="),
        ([c.likelihood * (side - high) for c, side in columns], 0, ">="),
        ([c.likelihood for c, _ in columns], 0, ">"),
    ]
    properties = claim.properties
    for constraint in claim.under.constraints:
        sign = -1 if constraint.relation in ("<=", "<") else 1
        kind = {"==": "==", "<": ">", ">": ">"}.get(constraint.relation, ">=")
        weights = [
            sign * sum(f for f, p in constraint.terms if c.member[properties.index(p)])
            for c, _ in columns
        ]
        rows.append((weights, -sign * constraint.bound, kind))
    return refutes(rows, [Fraction(m) for m in tree])


def check_evidence(operator, claim, found):
    """All multipliers re-checked; how many trees split a single input."""
    splits = 0
    views = claim.views(operator)
    for direction in ("upward", "downward"):
        if claim.direction in ("both", direction):
            trees = found.evidence[direction]
            assert len(trees) == len(views)
            for view, tree in zip(views, trees, strict=True):
                assert evidence_holds(view, claim, direction, tree)
                splits += isinstance(tree, dict)
    return splits


def test_against_vertices_and_z3():
    seen = {Verdict.CERTIFIED: 0, Verdict.BREACHED: 0, "inconsistent": 0}
    for seed in range(90):
        case = random_family_case(seed)
        rows, constraints = case[0], case[1]
        operator, claim = Operator.from_matrix(rows, name="R"), as_claim(*case)
        if not strictly_feasible(constraint_rows(len(rows), constraints), len(rows)):
            with pytest.raises(InconsistentConstraints):
                certify(operator, claim)
            seen["inconsistent"] += 1
            continue
        found = certify(operator, claim)
        truth = Verdict.BREACHED if brute_force(*case) else Verdict.CERTIFIED
        assert found.verdict is truth, case
        assert found.trust == EXACTLY
        assert decide_by_solver(claim.views(operator), claim, Deadline.after(60)).verdict is truth
        seen[truth] += 1
        if truth is Verdict.CERTIFIED:
            check_evidence(operator, claim, found)
    assert min(seen.values()) >= 5, seen


def test_cases_of_single_inputs_against_z3():
    """Much mass on single inputs that an output nearly singles out: relaxing them would breach."""
    chance = random.Random(8)
    seen = {Verdict.CERTIFIED: 0, Verdict.BREACHED: 0}
    splits = 0
    for _ in range(120):
        rows = [distribution(chance, 2, 0.0) for _ in range(chance.randrange(2, 5))]
        rows[0] = [Fraction(9, 10), Fraction(1, 10)]
        low, high = sorted(chance.sample(range(1, 10), 2))
        constraints = [([(Fraction(1), 1)], "==", Fraction(chance.randrange(low, 10), 10))]
        direction = chance.choice(("upward", "downward"))
        case = (rows, constraints, None, direction, Fraction(low, 10), Fraction(high, 10))
        operator, claim = Operator.from_matrix(rows, name="R"), as_claim(*case)
        found = certify(operator, claim)
        assert (
            decide_by_solver(claim.views(operator), claim, Deadline.after(60)).verdict
            is found.verdict
        )
        seen[found.verdict] += 1
        if found.verdict is Verdict.CERTIFIED:
            splits += check_evidence(operator, claim, found)
    assert min(seen.values()) >= 10, seen
    assert splits >= 10


def test_a_single_input_may_not_split():
    # All mass on one input: its property has mass 0 or 1, whatever u + w = 1 would allow.
    domain = Domain(range(2))
    first = Property.of(domain, [0], "first")
    family = PriorFamily((Constraint(((Fraction(1), first),), "==", Fraction(1)),))
    secret = Operator.from_matrix([[1, 0], [0, 1]], name="R")
    found = certify(secret, BreachClaim(Fraction(1, 4), Fraction(1, 2), under=family))
    assert found.verdict is Verdict.CERTIFIED
    assert certify(secret, BreachClaim(Fraction(1, 4), Fraction(1, 2))).verdict is Verdict.BREACHED


def test_inconsistent_constraints_are_bad_input():
    domain = Domain(range(2))
    first = Property.of(domain, [0], "first")
    family = PriorFamily(
        (
            Constraint(((Fraction(1), first),), "<", Fraction(1, 3)),
            Constraint(((Fraction(1), first),), ">=", Fraction(1, 3)),
        )
    )
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    with pytest.raises(InconsistentConstraints, match="no prior satisfies"):
        certify(coin, BreachClaim(Fraction(1, 4), Fraction(1, 2), under=family))


def test_simplex_on_random_rows():
    chance = random.Random(2)
    answers = set()
    for _ in range(300):
        width = chance.randrange(1, 6)
        rows = [Row([Fraction(1)] * width, Fraction(-1), "==")]
        for _ in range(chance.randrange(1, 6)):
            coefficients = [Fraction(chance.randrange(-3, 4)) for _ in range(width)]
            constant = Fraction(chance.randrange(-2, 3), chance.choice((1, 2)))
            rows.append(Row(coefficients, constant, chance.choice((">=", ">", "=="))))
        outcome = solve(rows)
        plain = [(row.coefficients, row.constant, row.relation) for row in rows]
        answers.add(outcome.solution is None)
        if outcome.solution is None:
            assert refutes(plain, outcome.multipliers)
        else:
            assert min(outcome.solution) >= 0
            for coefficients, constant, relation in plain:
                value = constant + sum(
                    a * x for a, x in zip(coefficients, outcome.solution, strict=True)
                )
                assert value == 0 if relation == "==" else value >= 0
                assert relation != ">" or value > 0
    assert answers == {True, False}
