"""Is what a certificate says true of the operator it describes? By brute force over single inputs.

From the definitions of docs/certificate.md ("What the claim says"), not from its evidence: all
properties are enumerated; for families of priors each property's linear system goes to z3.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction as F
from typing import Any

Column = list[tuple[F, F, F, tuple[bool, ...], int]]  # likelihood, knowledge, prior, member, class


def column(view: dict[str, Any]) -> Column:
    """A view input by input."""
    return [
        (
            F(c["likelihood"]),
            F(c.get("knowledge", 1)),
            F(c.get("prior", 0)),
            tuple(c.get("member", ())),
            i,
        )
        for i, c in enumerate(view["classes"])
        for _ in range(int(c["count"]))
    ]


def properties(inputs: Column, about: int | None) -> Iterator[tuple[bool, ...]]:
    if about is not None:
        yield tuple(x[3][about] for x in inputs)
    else:
        yield from itertools.product((False, True), repeat=len(inputs))


def directions(claim: dict[str, Any]) -> tuple[str, ...]:
    return ("upward", "downward") if claim["direction"] == "both" else (claim["direction"],)


def shifts(claim: dict[str, Any], views: list[Any]) -> Iterator[tuple[F, F]]:
    """(low, high) of each direction, under a named prior: a breach is low <= rho1, high >= rho2."""
    for view in views:
        inputs = column(view)
        known = sum(x[1] * x[2] for x in inputs)
        seen = sum(x[0] * x[1] * x[2] for x in inputs)
        if not seen:
            continue
        for q in properties(inputs, claim["for"]):
            chosen = [x for x, inside in zip(inputs, q, strict=True) if inside]
            before = sum((x[1] * x[2] for x in chosen), F(0)) / known
            after = sum((x[0] * x[1] * x[2] for x in chosen), F(0)) / seen
            for direction in directions(claim):
                yield (before, after) if direction == "upward" else (after, before)


def pairs(claim: dict[str, Any], views: list[Any]) -> Iterator[tuple[F, F]]:
    """All priors: likelihoods of an input inside and one outside (downward: the other way)."""
    for view in views:
        inputs = [x for x in column(view) if x[1] > 0]
        for direction in directions(claim):
            for a, b in itertools.permutations(inputs, 2):
                if claim["for"] is not None:
                    inside = direction == "upward"
                    if (a[3][claim["for"]], b[3][claim["for"]]) != (inside, not inside):
                        continue
                if a[0] > 0:
                    yield a[0], b[0]


@functools.cache
def _family_breached(told: str) -> bool:
    import z3

    claim, views = json.loads(told)

    rho1, rho2 = (z3.Q(*F(claim[k]).as_integer_ratio()) for k in ("rho1", "rho2"))

    def exact(value: F) -> Any:
        return z3.Q(*value.as_integer_ratio())

    for view in views:
        inputs = column(view)
        solver = z3.Solver()
        mass = [z3.Real(f"m{i}") for i in range(len(inputs))]
        solver.add(*(m >= 0 for m in mass), z3.Sum(mass) == 1)
        for row in claim["under"]["constraints"]:
            total = z3.Sum([
                exact(F(f)) * m
                for f, j in row["terms"] for m, x in zip(mass, inputs, strict=True) if x[3][j]
            ])  # fmt: skip
            limit, relation = exact(F(row["bound"])), row["relation"]
            compared = {"<=": total <= limit, "<": total < limit, ">=": total >= limit}
            compared |= {">": total > limit, "==": total == limit}
            solver.add(compared[relation])
        known = z3.Sum([exact(x[1]) * m for x, m in zip(inputs, mass, strict=True)])
        seen = z3.Sum([exact(x[0] * x[1]) * m for x, m in zip(inputs, mass, strict=True)])
        solver.add(seen > 0)
        for q in properties(inputs, claim["for"]):
            part = [(x, m) for x, m, inside in zip(inputs, mass, q, strict=True) if inside]
            before = z3.Sum([exact(x[1]) * m for x, m in part])
            after = z3.Sum([exact(x[0] * x[1]) * m for x, m in part])
            for direction in directions(claim):
                solver.push()
                if direction == "upward":
                    solver.add(before <= rho1 * known, after >= rho2 * seen)
                else:
                    solver.add(before >= rho2 * known, after <= rho1 * seen)
                answer = solver.check()
                solver.pop()
                if answer == z3.sat:
                    return True
    return False


def family_breached(claim: dict[str, Any], views: list[Any]) -> bool:
    """Some prior of the family, some property, some reached view: z3 on single inputs."""
    return _family_breached(json.dumps([claim, views]))


def breach_facts(claim: dict[str, Any], views: list[Any]) -> tuple[bool, F | None, F | None]:
    """Whether it is breached, and both exact thresholds before clipping (None: not known)."""
    rho1, rho2 = F(claim["rho1"]), F(claim["rho2"])
    if claim["under"] == "all priors":
        found = list(pairs(claim, views))
        above = max((rho1 * a / (rho1 * a + (1 - rho1) * b) for a, b in found), default=F(0))
        below = min((rho2 * b / (rho2 * b + (1 - rho2) * a) for a, b in found), default=F(1))
        return above >= rho2, above, below
    if "prior" in claim["under"]:
        moved = list(shifts(claim, views))
        above = max((high for low, high in moved if low <= rho1), default=F(0))
        below = min((low for low, high in moved if high >= rho2), default=F(1))
        return above >= rho2, above, below
    return family_breached(claim, views), None, None


def bound_broken(claim: dict[str, Any], views: list[Any]) -> bool | None:
    """Whether some view breaks a bound claim; None where 60 digits do not tell."""
    limit = F(claim["bound"])
    if claim["measure"] == "amplification":
        for view in views:
            found = [x[0] for x in column(view)]
            if max(found) > 0:
                ratio = max(found) / min(found) if min(found) else math.inf
                if ratio > limit or (claim["relation"] == "<" and ratio == limit):
                    return True
        return False
    answer: bool | None = False
    with localcontext() as context:
        context.prec = 80

        def decimal(value: F) -> Decimal:
            return Decimal(value.numerator) / Decimal(value.denominator)

        for view in views:
            inputs = column(view)
            seen = sum(x[0] * x[2] for x in inputs)
            if not seen:
                continue
            ratios = [(x[2], x[0] / seen) for x in inputs if x[2] > 0]
            if claim["measure"] == "dependence":
                if any(f == 0 for _, f in ratios):
                    return True
                value = max(abs(decimal(f).ln()) for _, f in ratios)
            else:
                value = sum((decimal(p * f) * decimal(f).ln() for p, f in ratios if f), Decimal(0))
                value /= Decimal(2).ln() if claim["unit"] == "bit" else 1
            gap = value - decimal(limit)
            if abs(gap) < Decimal(10) ** -60:
                answer = None
            elif gap > 0:
                return True
    return answer


def replayed(claim: dict[str, Any], views: list[Any], witness: dict[str, Any]) -> bool:
    """Whether a witness of a breach is one."""
    view = views[witness["view"]]
    if witness["output"] != view["output"] or witness.get("known") != view.get("known"):
        return False
    if claim["kind"] == "bound":
        return bool(bound_broken(claim, [view])) or claim["measure"] != "amplification"
    listed = {row["class"]: row for row in witness["classes"]}
    u, w = [], []
    for i, part in enumerate(view["classes"]):
        row, size = listed.get(i, {"inside": 0}), int(part["count"])
        inside = int(row["inside"])
        if claim["for"] is not None and inside != size * part["member"][claim["for"]]:
            return False
        if "prior" in part:
            u.append(inside * F(part["prior"]))
            w.append((size - inside) * F(part["prior"]))
        else:
            u.append(F(row.get("mass_inside", 0)))
            w.append(F(row.get("mass_outside", 0)))
        good = 0 <= inside <= size and min(u[-1], w[-1]) >= 0
        if not good or (u[-1] and not inside) or (w[-1] and inside == size):
            return False
    if sum(u) + sum(w) != 1:
        return False
    parts = view["classes"]
    if isinstance(claim["under"], dict) and "constraints" in claim["under"]:
        for row in claim["under"]["constraints"]:
            total = sum(
                F(f) * (u[c] + w[c])
                for f, j in row["terms"] for c, p in enumerate(parts) if p["member"][j]
            )  # fmt: skip
            limit = F(row["bound"])
            if not {
                "<=": total <= limit, "<": total < limit, ">=": total >= limit,
                ">": total > limit, "==": total == limit,
            }[row["relation"]]:  # fmt: skip
                return False
    know = [F(p.get("knowledge", 1)) for p in parts]
    seen = [k * F(p["likelihood"]) for k, p in zip(know, parts, strict=True)]
    total = sum(s * (a + b) for s, a, b in zip(seen, u, w, strict=True))
    if not total:
        return False
    before = sum(k * a for k, a in zip(know, u, strict=True)) / sum(
        k * (a + b) for k, a, b in zip(know, u, w, strict=True)
    )
    after = sum(s * a for s, a in zip(seen, u, strict=True)) / total
    if (str(before), str(after)) != (witness["before"], witness["after"]):
        return False
    rho1, rho2 = F(claim["rho1"]), F(claim["rho2"])
    up = before <= rho1 and after >= rho2
    down = before >= rho2 and after <= rho1
    named = witness["direction"] in directions(claim)
    return named and (up if witness["direction"] == "upward" else down)


def clipped(value: F, claim: dict[str, Any], above: bool) -> F:
    if above:
        return min(max(value, F(claim["rho1"])), F(1))
    return max(min(value, F(claim["rho2"])), F(0))


def states_threshold(stated: Any, value: F, nothing: F) -> bool:
    if stated is None:
        return value == nothing
    if isinstance(stated, dict):
        return F(stated["lo"]) <= value <= F(stated["hi"])
    return F(stated) == value != nothing


def is_true(certificate: dict[str, Any]) -> bool | None:
    """Whether verdict, thresholds and witness hold of the views; None where it is not decided."""
    claim, views = certificate["claim"], certificate["operator"]["views"]
    breached = certificate["verdict"] == "breached"
    if breached and not replayed(claim, views, certificate["witness"]):
        return False
    if claim["kind"] == "bound":
        found = bound_broken(claim, views)
        return None if found is None else found == breached and certificate["thresholds"] is None
    found, above, below = breach_facts(claim, views)
    if found != breached:
        return False
    stated = certificate["thresholds"]
    if above is None or below is None or stated is None:
        return stated is None
    return states_threshold(
        stated["rho2_above"], clipped(above, claim, True), F(1)
    ) and states_threshold(stated["rho1_below"], clipped(below, claim, False), F(0))
