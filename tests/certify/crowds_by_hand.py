"""Crowds by brute force: what is decided against all values of the others, and theorem T5.

    python tests/certify/crowds_by_hand.py [--cases 5000] [--seconds 600] [--seed 1]

Every sequence of reports is listed, and sequences with one histogram are added up. Nothing of the
package is used but to decide.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from fractions import Fraction as F
from typing import Any, NamedTuple

Law = dict[tuple[int, ...], F]


def distribution(chance: random.Random, width: int) -> list[F]:
    weights = [chance.choice([0, 1, 1, 2, 3, 5]) for _ in range(width)]
    weights[chance.randrange(width)] += 1
    return [F(weight, sum(weights)) for weight in weights]


def histogram(rows: list[list[F]]) -> Law:
    """How likely each histogram of one report a row is."""
    found: Law = {}
    for sequence in itertools.product(range(len(rows[0])), repeat=len(rows)):
        p = F(1)
        for row, y in zip(rows, sequence, strict=True):
            p *= row[y]
        if p:
            key = tuple(sorted(sequence))
            found[key] = found.get(key, F(0)) + p
    return found


def mixed(shares: list[F], laws: list[Law]) -> Law:
    """A client whose value is drawn."""
    found: Law = {}
    for share, law in zip(shares, laws, strict=True):
        for h, p in law.items():
            found[h] = found.get(h, F(0)) + share * p
    return found


class Crowds(NamedTuple):
    """What is seen of a client with each value, for all values of the others."""

    matrix: list[list[F]]
    clients: int
    seen: list[list[Law]]  # by the others, by the client's value

    @classmethod
    def of(cls, matrix: list[list[F]], clients: int, others: list[F] | None = None) -> Crowds:
        """others: the prior that their values are drawn from, where there is one."""
        if others is not None:
            columns = zip(*matrix, strict=True)
            mean = [sum(o * p for o, p in zip(others, column, strict=True)) for column in columns]
            rows = [[row, *[mean] * (clients - 1)] for row in matrix]
            return cls(matrix, clients, [[histogram(each) for each in rows]])
        known = itertools.combinations_with_replacement(matrix, clients - 1)
        seen = [[histogram([row, *rest]) for row in matrix] for rest in known]
        return cls(matrix, clients, seen)

    def delta(self, factor: F) -> F:
        """The definition."""
        return max(
            sum((max(F(0), p - factor * two.get(h, F(0))) for h, p in one.items()), F(0))
            for laws in self.seen
            for one in laws
            for two in laws
        )

    def breach(
        self, prior: list[F], chosen: list[bool], rho1: F, rho2: F, way: str, seen: Any = None
    ) -> F | None:
        """P[P[Q | h] >= rho2 | Q], downward P[P[Q | h] <= rho1 | not Q]; None: no such start."""
        before = sum((p for p, q in zip(prior, chosen, strict=True) if q), F(0))
        if not (0 < before <= rho1 if way == "upward" else rho2 <= before < 1):
            return None
        most = F(0)
        for laws in self.seen if seen is None else seen:
            has = mixed([p * q for p, q in zip(prior, chosen, strict=True)], laws)
            every = mixed(prior, laws)
            total = F(0)
            for h, whole in every.items():
                inside = has.get(h, F(0))
                if way == "upward" and whole and inside >= rho2 * whole:
                    total += inside
                if way == "downward" and whole and inside <= rho1 * whole:
                    total += whole - inside
            most = max(most, total / (before if way == "upward" else 1 - before))
        return most

    def threshold_bound(self, rho1: F, rho2: F) -> F:
        """T5."""
        gamma = rho2 * (1 - rho1) / (rho1 * (1 - rho2))
        steps = [1 + (gamma - 1) * k / 6 for k in range(6)]
        return min(self.delta(g) / (1 - g / gamma) for g in steps)


RHOS = [F(1, 10), F(1, 4), F(1, 3), F(1, 2), F(3, 5), F(2, 3), F(9, 10)]


class Drawn(NamedTuple):
    matrix: list[list[F]]
    clients: int
    others: list[F] | None
    crowds: Crowds


def drawn(chance: random.Random) -> Drawn:
    inputs, outputs = chance.choice([2, 2, 3, 3, 4]), chance.choice([2, 2, 3, 4])
    clients = chance.randint(1, {2: 5, 3: 4, 4: 3}[max(inputs, outputs)])
    matrix = [distribution(chance, outputs) for _ in range(inputs)]
    if chance.random() < 0.5:  # no zeros
        matrix = [[p / 2 + F(1, 2 * outputs) for p in row] for row in matrix]
    others = distribution(chance, inputs) if chance.random() < 0.3 else None
    return Drawn(matrix, clients, others, Crowds.of(matrix, clients, others))


def near(chance: random.Random, value: F) -> F:
    """A limit that the value is below, above or at."""
    limit = value * chance.choice([F(1, 2), F(9, 10), F(99, 100), 1, F(101, 100), F(6, 5), 2])
    return limit if 0 < limit < 1 else F(1, 50)


def case(chance: random.Random, counts: Counter[str]) -> None:
    """One operator: claims that are decided are true; T5 holds of any prior and property."""
    from ppdm_formal import BoundClaim, BreachClaim, Operator, Prior, Property
    from ppdm_formal.certify import certify
    from ppdm_formal.declare.arithmetic.logarithm import ln
    from ppdm_formal.declare.operators.crowd import Crowd

    matrix, clients, others, crowds = drawn(chance)
    operator = Operator.from_matrix(matrix, name="R")
    domain = operator.inputs

    def prior_of(shares: list[F], name: str) -> Any:
        return Prior.of(domain, dict(zip(domain, shares, strict=True)), name)

    colluding, missing = chance.choice([0, 0, 1, 3]), chance.choice([0, 0, 2])
    strangers = None if others is None else prior_of(others, "S")
    among = Crowd(clients + colluding + missing, "shuffling", colluding, missing, strangers)

    def settled(claim: Any, low: F, high: F, limit: F) -> None:
        """A verdict is not against what lies between two numbers."""
        found = certify(operator, claim)
        verdict = found.verdict.value
        counts[verdict] += 1
        assert "DISAGREEMENT" not in found.reason, (str(claim), matrix, found.reason)
        wrong = {"certified": low > limit, "breached": high <= limit}.get(verdict, False)
        assert not wrong, (str(claim), matrix, str(low), str(high), verdict)

    factor = chance.choice([F(1), F(3, 2), F(2), F(3)])
    value = crowds.delta(factor)
    limit = near(chance, value)
    settled(BoundClaim("delta", "<=", limit, at=ln(factor), crowd=among), value, value, limit)

    rho1, rho2 = sorted(chance.sample(RHOS, 2))
    bound = crowds.threshold_bound(rho1, rho2)
    most = F(0)
    for number in range(6):
        prior = distribution(chance, len(matrix))
        if number < 3:  # of two inputs, at the very start
            one, two = chance.sample(range(len(matrix)), 2)
            prior = [rho1 if x == one else 1 - rho1 if x == two else F(0) for x in domain]
        chosen = [chance.random() < 0.5 for _ in matrix]
        if number < 3:
            chosen = [x == one for x in range(len(matrix))]
        # what the server knows less of: others whose values are drawn, too
        shares = distribution(chance, len(crowds.seen))
        unsure = [mixed(shares, [laws[x] for laws in crowds.seen]) for x in range(len(matrix))]
        for way in ("upward", "downward"):
            for seen in (None, [unsure]):
                happens = crowds.breach(prior, chosen, rho1, rho2, way, seen)
                if happens is not None:
                    counts["T5"] += 1
                    assert happens <= bound, (matrix, clients, prior, chosen, way)
                    most = max(most, happens if seen is None else F(0))
    limit = near(chance, chance.choice([most, bound]))
    settled(BreachClaim(rho1, rho2, crowd=among, exception=limit), most, bound, limit)

    prior = distribution(chance, len(matrix))
    way = chance.choice(["upward", "downward"])
    sets = list(itertools.product((False, True), repeat=len(matrix)))
    about, tried = None, sets
    if chance.random() < 0.5:
        tried = [chance.choice(sets)]
        about = Property.of(domain, [x for x in domain if tried[0][x]], "q")
    found = [crowds.breach(prior, list(each), rho1, rho2, way) for each in tried]
    value = max((p for p in found if p is not None), default=F(0))
    limit = near(chance, value)
    claim = BreachClaim(rho1, rho2, way, prior_of(prior, "X"), about, crowd=among, exception=limit)
    settled(claim, value, value, limit)


def main() -> int:
    """So many cases, or so much time of processor."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    chance, counts, ends = random.Random(options.seed), Counter[str](), time.process_time()
    while counts["cases"] < options.cases and time.process_time() - ends < options.seconds:
        case(chance, counts)
        counts["cases"] += 1
    print(f"seed {options.seed}:", ", ".join(f"{n} {what}" for what, n in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
