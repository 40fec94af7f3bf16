"""A second oracle of truth, from EGS03 Definitions 1 and 2 alone: single inputs, brute force.

Definition 1: there is an upward rho1-to-rho2 breach with respect to Q if for some y with
P[Y = y] > 0, P[Q] <= rho1 and P[Q | Y = y] >= rho2; Definition 2: a downward one if P[Q] >= rho2
and P[Q | Y = y] <= rho1. With background knowledge all of it is given Z = z.

Free priors are decided by the corners of the polytope of priors, with no rule about ratios and no
multipliers; thresholds by deciding the claim at and just beyond them. It shares no code with
the checker, with what made the certificates, or with truth_oracle.py.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction as F
from functools import lru_cache
from typing import Any, NamedTuple

TINY = F(1, 10**12)
EQUAL = F(1, 10**60)
"""Numbers with exponentials, computed to 100 digits, are equal if they differ by less."""


LOG_RATIO = {"over": "max", "of": ["log", ["/", ["max", "likelihood"], ["min", "likelihood"]]]}
"""Epsilon as a formula."""


class Input(NamedTuple):
    """One input as an output y (and a known z) shows it."""

    seen: F  # P[y | x]
    known: F  # P[z | x]
    prior: F
    member: tuple[bool, ...]
    value: F = F(0)  # the input itself, where it is a whole number


Shown = tuple[Input, ...]


@lru_cache(maxsize=10_000)
def e_to(exponent: F) -> F:
    """e^exponent to 100 digits."""
    with localcontext() as context:
        context.prec = 100
        return F((Decimal(exponent.numerator) / Decimal(exponent.denominator)).exp())


def valued(text: Any) -> F:
    """A number as it is written: a rational, or one with exponentials, to 100 digits."""
    return closed_form(text, {}) if isinstance(text, str) and "exp(" in text else F(text)


def listed(view: dict[str, Any], number: Callable[[str], F] = valued) -> Shown:
    """The inputs of a view, one by one."""
    found = []
    for part in view["classes"]:
        one = Input(
            number(part["likelihood"]),
            number(part.get("knowledge", "1")),
            number(part.get("prior", "0")),
            tuple(part.get("member", ())),
            F(part["example"]) if type(part.get("example")) is int else F(0),
        )
        found += [one] * int(part["count"])
    return tuple(found)


def solved(rows: list[list[F]]) -> list[F] | None:
    """The only solution of as many equations as unknowns (the last entry is the right side)."""
    size = len(rows)
    rows = [list(row) for row in rows]
    for at in range(size):
        pivot = next((i for i in range(at, size) if abs(rows[i][at]) > EQUAL), None)
        if pivot is None:
            return None
        rows[at], rows[pivot] = rows[pivot], rows[at]
        rows[at] = [entry / rows[at][at] for entry in rows[at]]
        for i in range(size):
            if i != at and rows[i][at]:
                factor = rows[i][at]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[at], strict=True)]
    return [row[-1] for row in rows]


Linear = tuple[F, ...]  # coefficients of the masses: at least 0, or above 0


def possible(size: int, at_least: Sequence[Linear], above: Sequence[Linear]) -> bool:
    """Whether some prior makes all of `at_least` >= 0 and all of `above` > 0.

    The priors that make them all >= 0 are a polytope; by convexity it is enough that each
    strict one is above 0 at some corner (the mean of the corners then serves all).
    """
    walls = [*at_least, *above]
    strict = set()
    some = False
    for count in range(1, size + 1):
        for support in itertools.combinations(range(size), count):
            for tight in itertools.combinations(range(len(walls)), count - 1):
                rows = [[F(1)] * count + [F(1)]]
                rows += [[walls[w][x] for x in support] + [F(0)] for w in tight]
                corner = solved(rows)
                if corner is None or min(corner) < -EQUAL:
                    continue
                values = [
                    sum(wall[x] * p for x, p in zip(support, corner, strict=True)) for wall in walls
                ]
                if min(values, default=F(0)) < -EQUAL:
                    continue
                some = True
                strict |= {i for i in range(len(above)) if values[len(at_least) + i] > EQUAL}
                if len(strict) == len(above):
                    return True
    return some and len(strict) == len(above)


def family_rows(under: Any, inputs: Shown) -> tuple[list[Linear], list[Linear]]:
    """The constraints, each as a linear function of masses that sum to 1."""
    at_least, above = [], []
    for row in under["constraints"] if isinstance(under, dict) else ():
        excess = []
        for x in inputs:
            total = sum((valued(f) for f, j in row["terms"] if x.member[j]), F(0))
            excess.append(total - valued(row["bound"]))
        short = tuple(-e for e in excess)
        if row["relation"] in (">=", "=="):
            at_least.append(tuple(excess))
        if row["relation"] in ("<=", "=="):
            at_least.append(short)
        if row["relation"] == ">":
            above.append(tuple(excess))
        if row["relation"] == "<":
            above.append(short)
    return at_least, above


def properties(claim: dict[str, Any], inputs: Shown) -> Iterator[tuple[bool, ...]]:
    """The property of the claim, or every one."""
    if claim["for"] is not None:
        yield tuple(x.member[claim["for"]] for x in inputs)
    else:
        yield from itertools.product((False, True), repeat=len(inputs))


def directions(claim: dict[str, Any]) -> list[str]:
    return [d for d in ("upward", "downward") if claim["direction"] in (d, "both")]


def by_counts(claim: dict[str, Any]) -> bool:
    """Whether the views of several reports are those of all their sequences."""
    several = claim.get("reports", 1) > 1
    if claim["kind"] == "breach":
        return several and claim["under"] != "all priors"
    ratio = claim["measure"] in ("amplification", "epsilon") or claim.get("formula") == LOG_RATIO
    return several and not ratio


def named_prior(claim: dict[str, Any]) -> bool:
    if claim.get("kind") == "bound":
        return claim["prior"] is not None
    return isinstance(claim["under"], dict) and "prior" in claim["under"]


def breached(claim: dict[str, Any], views: Sequence[Shown], rho1: F, rho2: F) -> bool:
    """Definitions 1 and 2."""
    return any(
        _breached_by(claim, inputs, chosen, direction, rho1, rho2)
        for inputs in views
        for direction in directions(claim)
        for chosen in properties(claim, inputs)
    )


def _breached_by(
    claim: dict[str, Any], inputs: Shown, chosen: tuple[bool, ...], direction: str, rho1: F, rho2: F
) -> bool:
    known = [x.known for x in inputs]
    seen = [x.known * x.seen for x in inputs]
    before, after = (rho1, rho2) if direction == "upward" else (rho2, rho1)
    sign = 1 if direction == "upward" else -1
    # P[Q | z] against `before`, P[Q | y, z] against `after`, without dividing
    first = tuple(sign * k * (before - q) for k, q in zip(known, chosen, strict=True))
    second = tuple(sign * s * (q - after) for s, q in zip(seen, chosen, strict=True))
    if named_prior(claim):
        mass = [x.prior for x in inputs]
        reached = sum(s * p for s, p in zip(seen, mass, strict=True)) > EQUAL
        return reached and all(
            sum(c * p for c, p in zip(line, mass, strict=True)) >= -EQUAL
            for line in (first, second)
        )
    return _possible_breach(_key(claim), inputs, first, second, tuple(seen))


def _key(claim: dict[str, Any]) -> str:
    return repr(claim["under"])


@lru_cache(maxsize=200_000)
def _possible_breach(
    under: str, inputs: Shown, first: Linear, second: Linear, seen: Linear
) -> bool:
    at_least, above = family_rows(ast.literal_eval(under), inputs)
    return possible(len(inputs), [first, second, *at_least], [seen, *above])


def vacuous(claim: dict[str, Any], views: Sequence[Shown]) -> bool:
    """No prior, z and property with 0 < P[Q | z] <= rho1, nor downward rho2 <= P[Q | z] < 1."""
    rho1, rho2 = valued(claim["rho1"]), valued(claim["rho2"])
    for inputs in views:
        known = [x.known for x in inputs]
        for direction in directions(claim):
            for chosen in properties(claim, inputs):
                # the small set: Q, or downward its complement
                small = chosen if direction == "upward" else tuple(not q for q in chosen)
                most = rho1 if direction == "upward" else 1 - rho2
                mass = tuple(k * q for k, q in zip(known, small, strict=True))
                room = tuple(most * k - m for k, m in zip(known, mass, strict=True))
                if named_prior(claim):
                    prior = [x.prior for x in inputs]
                    have = sum(m * p for m, p in zip(mass, prior, strict=True))
                    left = sum(r * p for r, p in zip(room, prior, strict=True))
                    if have > EQUAL and left >= -EQUAL:
                        return False
                elif _possible_case(_key(claim), inputs, room, mass):
                    return False
    return True


@lru_cache(maxsize=200_000)
def _possible_case(under: str, inputs: Shown, room: Linear, mass: Linear) -> bool:
    at_least, above = family_rows(ast.literal_eval(under), inputs)
    return possible(len(inputs), [room, *at_least], [mass, *above])


def empty_family(claim: dict[str, Any], views: Sequence[Shown]) -> bool:
    """Whether no prior satisfies the constraints."""
    at_least, above = family_rows(claim["under"], views[0])
    return not possible(len(views[0]), at_least, above)


def threshold_holds(
    stated: Any, claim: dict[str, Any], views: Sequence[Shown], above: bool
) -> bool:
    """With rho1 as given the claim holds exactly for rho2 > rho2_above; the like for rho1_below."""
    rho1, rho2 = valued(claim["rho1"]), valued(claim["rho2"])

    def broken(at: F) -> bool:
        return breached(claim, views, rho1, at) if above else breached(claim, views, at, rho2)

    step = TINY if above else -TINY
    nothing = F(1) if above else F(0)
    trivial = rho1 if above else rho2
    if stated is None:  # it holds for none
        return broken(nothing - step)
    ends = (stated["lo"], stated["hi"]) if isinstance(stated, dict) else (stated, stated)
    low, high = (valued(end) for end in ends)
    # the threshold is not below `first` (broken there), and not beyond `last` (holds after it)
    first, last = (low, high) if above else (high, low)
    inside = rho1 <= low <= high <= 1 if above else 0 <= low <= high <= rho2
    good = inside and (first in (trivial, nothing) or broken(first))
    beyond = last + step
    return good and (last == nothing or not 0 < beyond < 1 or not broken(beyond))


def witnessed(claim: dict[str, Any], views: list[Any], witness: dict[str, Any]) -> bool:
    """Whether a witness is a breach of the definitions, with the probabilities that it states."""
    view = views[witness["view"]]
    reports = 1 if by_counts(claim) else claim.get("reports", 1)
    if witness["output"] != view["output"] or witness.get("known") != view.get("known"):
        return False
    rows = {row["class"]: row for row in witness["classes"]}
    held = total = held_seen = total_seen = everything = F(0)
    masses = []
    for c, part in enumerate(view["classes"]):
        row, count = rows.get(c, {}), int(part["count"])
        n = int(row.get("inside", 0))
        if named_prior(claim):
            u, w = n * valued(part["prior"]), (count - n) * valued(part["prior"])
        else:
            u, w = valued(row.get("mass_inside", 0)), valued(row.get("mass_outside", 0))
        fits = 0 <= n <= count and u >= 0 and w >= 0 and (n or not u) and (n < count or not w)
        if claim["for"] is not None:
            fits = fits and n == (count if part["member"][claim["for"]] else 0)
        if not fits:
            return False
        known, seen = valued(part.get("knowledge", 1)), valued(part["likelihood"]) ** reports
        held, total = held + known * u, total + known * (u + w)
        held_seen, total_seen = held_seen + known * seen * u, total_seen + known * seen * (u + w)
        everything += u + w
        masses.append((u + w, part.get("member", [])))
    if abs(everything - 1) > EQUAL or total_seen <= 0:
        return False
    for row in claim["under"].get("constraints", ()) if isinstance(claim["under"], dict) else ():
        value = sum((valued(f) * m for f, j in row["terms"] for m, q in masses if q[j]), F(0))
        limit = valued(row["bound"])
        kept = {"<=": value <= limit, "<": value < limit, "==": value == limit,
                ">=": value >= limit, ">": value > limit}  # fmt: skip
        if not kept[row["relation"]]:
            return False
    before, after = held / total, held_seen / total_seen
    said = (valued(witness["before"]) - before, valued(witness["after"]) - after)
    if max(map(abs, said)) > EQUAL:
        return False
    rho1, rho2 = valued(claim["rho1"]), valued(claim["rho2"])
    if witness["direction"] not in directions(claim):
        return False
    if witness["direction"] == "upward":
        return before <= rho1 + EQUAL and after >= rho2 - EQUAL
    return before >= rho2 - EQUAL and after <= rho1 + EQUAL


def ln(x: F) -> Decimal:
    return Decimal(x.numerator).ln() - Decimal(x.denominator).ln()


def dec(x: F) -> Decimal:
    return Decimal(x.numerator) / Decimal(x.denominator)


def measured(
    claim: dict[str, Any], views: Sequence[Shown], outputs: Sequence[int], known: Sequence[Any]
) -> Decimal:
    """The measure of a bound claim in 80 digits, from its definition or its formula.

    What is known with a view is whose it is, where a measure is the greatest of several people's.
    """
    base = Decimal(2).ln() if claim["unit"] == "bit" else Decimal(1)
    found: dict[str, list[tuple[int, Decimal]]] = {}
    whose = known or [None] * len(views)
    for inputs, times, who in zip(views, outputs, whose, strict=True):
        own = found.setdefault(repr(who), [])
        if claim["prior"] is None:
            if any(x.seen for x in inputs):
                own.append((times, _of_view(claim, inputs, F(0), base)))
            continue
        allowed = tuple(x for x in inputs if x.prior)
        evidence = sum(x.prior * x.seen for x in allowed)
        if evidence:
            own.append((times, _of_view(claim, allowed, F(evidence), base)))
    if claim.get("formula", {}).get("over") == "sum":
        sums = [sum((times * value for times, value in own), Decimal(0)) for own in found.values()]
        return max(sums)
    return max(value for own in found.values() for _, value in own)


def _of_view(claim: dict[str, Any], inputs: Shown, evidence: F, base: Decimal) -> Decimal:
    endless = Decimal("Infinity")
    if claim["measure"] == "dependence":
        if any(x.seen == 0 for x in inputs):
            return endless
        return max(abs(ln(x.seen / evidence)) for x in inputs)
    if claim["measure"] == "worst_case_information":
        shares = [(x.prior * x.seen / evidence, x.seen / evidence) for x in inputs if x.seen]
        return sum((dec(p) * ln(f) / base for p, f in shares), Decimal(0))

    def value(part: Any, at: Input | None) -> Decimal:
        if isinstance(part, str):
            names = {"evidence": evidence}
            if at is not None:
                names |= {"likelihood": at.seen, "prior": at.prior, "value": at.value}
            return dec(names[part] if part in names else valued(part))
        name, *rest = part
        if name in ("sum", "max", "min"):
            each = [value(rest[0], x) for x in inputs]
            return (
                sum(each, Decimal(0))
                if name == "sum"
                else max(each)
                if name == "max"
                else min(each)
            )
        of = [value(r, at) for r in rest]
        if name == "+":
            return sum(of, Decimal(0))
        if name == "*":
            result = Decimal(1)
            for factor in of:
                result = Decimal(0) if factor == 0 or result == 0 else result * factor
            return result
        if name == "-":
            return of[0] - of[1]
        if name == "/":
            return of[0] / of[1] if of[1] else endless
        if name == "abs":
            return abs(of[0])
        return of[0].ln() / base if of[0] else -endless

    return value(claim["formula"]["of"], None)


def exceeds(
    claim: dict[str, Any],
    views: Sequence[Shown],
    outputs: Sequence[int],
    known: Sequence[Any] = (),
    point: dict[str, F] | None = None,
) -> bool | None:
    """Whether the measure breaks its bound; None where 60 digits do not tell."""
    if claim["measure"] in ("amplification", "epsilon", "delta"):
        value, bound = of_likelihoods(claim, views, outputs, known, point or {})
        if value is None:
            return True
        return claim["relation"] == "<" if abs(value - bound) < EQUAL else value > bound
    with localcontext() as context:
        context.prec = 80
        gap = measured(claim, views, outputs, known) - dec(valued(claim["bound"]))
        return None if abs(gap) < Decimal(10) ** -60 else gap > 0


def of_likelihoods(
    claim: dict[str, Any],
    views: Sequence[Shown],
    outputs: Sequence[int],
    known: Sequence[Any],
    point: dict[str, F],
) -> tuple[F | None, F]:
    """The greatest ratio (None: infinity) or delta, and what it must not exceed."""
    if claim["measure"] == "delta":
        factor = e_to_epsilon(claim["at"], point)
        deltas: dict[tuple[str, int], F] = {}
        for inputs, times, pair in zip(views, outputs, known, strict=True):
            for x in (0, 1):
                excess = times * max(F(0), inputs[x].seen - factor * inputs[1 - x].seen)
                deltas[repr(pair), x] = deltas.get((repr(pair), x), F(0)) + excess
        return max(deltas.values()), closed_form(claim["bound"], point)
    seen = [sorted(x.seen for x in inputs) for inputs in views]
    ratios = [each[-1] / each[0] if each[0] else None for each in seen if each[-1]]
    worst = None if None in ratios else max(F(ratio) for ratio in ratios if ratio is not None)
    of = e_to_epsilon if claim["measure"] == "epsilon" else closed_form
    return worst and worst ** claim.get("reports", 1), of(claim["bound"], point)


def e_to_epsilon(text: str, point: dict[str, F]) -> F:
    """e^epsilon of a number, ln(number), or 3*NAME/2 where e^NAME, or a root of it, is free."""
    if text.startswith("ln("):
        return closed_form(text[3:-1], point)
    multiple = re.fullmatch(r"(?:(\d+)\*)?([A-Za-z]\w*)(?:/(\d+))?", text)
    if multiple is None:
        return e_to(F(text))
    ((name, value),) = point.items()
    step = re.fullmatch(r"exp\((?:(\d+)\*)?([A-Za-z]\w*)(?:/(\d+))?\)", name)
    if step is None or step[2] != multiple[2]:
        raise ValueError(text)
    power = F(int(multiple[1] or 1), int(multiple[3] or 1)) / F(
        int(step[1] or 1), int(step[3] or 1)
    )
    if power.denominator != 1:
        raise ValueError(text)
    return value ** int(power)


def an_operator(claim: dict[str, Any], described: dict[str, Any], views: Sequence[Shown]) -> bool:
    """Counts add up, and so does the probability of all outputs together."""
    each = claim.get("formula", {}).get("each") or claim.get("measure") in ("delta", CAPACITY)
    if each:
        return rows_of_an_operator(claim, described, views)
    extreme = described["likelihoods"] == "extreme"
    sizes, whole = {len(inputs) for inputs in views}, int(described["inputs"])
    if not views or (min(sizes) < 1 or max(sizes) > whole if extreme else sizes != {whole}):
        return False
    by_known: dict[str, F] = {}
    kinds, chances = set(), {}
    for raw, inputs in zip(described["views"], views, strict=True):
        if any(not 0 <= x.known <= 1 or not 0 <= x.prior <= 1 or x.seen < 0 for x in inputs):
            return False
        if named_prior(claim) and abs(sum(x.prior for x in inputs) - 1) > EQUAL:
            return False
        key = repr(raw.get("known"))
        mass = int(raw["outputs"]) * sum(x.seen for x in inputs)
        by_known[key] = by_known.get(key, F(0)) + mass
        kinds.add(repr(sorted((x.prior, x.member) for x in inputs)))
        chances[key] = sum((x.known for x in inputs), F(0))
    if not extreme and len(kinds) != 1:
        return False
    knowing = claim.get("knowing") is not None
    if knowing and abs(sum(chances.values()) - whole) > EQUAL:
        return False
    relative = described["likelihoods"] in ("relative", "extreme")
    return relative or all(abs(mass - whole) < EQUAL for mass in by_known.values())


CAPACITY = "mutual_information_dp"


def rows_of_an_operator(
    claim: dict[str, Any], described: dict[str, Any], views: Sequence[Shown]
) -> bool:
    """The same inputs on all views of a pair, a person or a channel; rows that sum to 1."""
    sums: dict[str, list[F]] = {}
    inputs_of: dict[str, Any] = {}
    summed = described["likelihoods"] == "summed"
    pair = claim.get("measure") == "delta"
    for raw, inputs in zip(described["views"], views, strict=True):
        key = repr(raw.get("known"))
        shown = [(repr(part["example"]), part.get("prior")) for part in raw["classes"]]
        if inputs_of.setdefault(key, shown) != shown or len(shown) != len(inputs):
            return False
        if any(x.seen < 0 for x in inputs) or (pair and len(inputs) != 2):
            return False
        own = sums.setdefault(key, [F(0)] * (len(inputs) + 1))
        for place, value in enumerate([x.seen for x in inputs] + [F(1)]):
            own[place] += int(raw["outputs"]) * value
    return all(
        all(abs(mass - 1) < EQUAL for mass in own[:-1])
        and (summed or own[-1] == int(described["outputs"]))
        for own in sums.values()
    )


def to_power(inputs: Shown, reports: int) -> Shown:
    """What an output shows that was seen in every one of so many reports."""
    return tuple(x._replace(seen=x.seen**reports) for x in inputs)


def is_true(certificate: dict[str, Any], as_listed: list[Any] | None = None) -> bool | None:
    """Whether all that a certificate says of its views is so; None where it is not decided.

    as_listed: the views of which its witness speaks, where fewer inputs stand for them here.
    """
    claim, described = certificate["claim"], certificate["operator"]
    if described["parameters"]:
        return region_true(certificate)
    raw = described["views"]
    views = [listed(view) for view in raw]
    if not an_operator(claim, described, views):
        return False
    of_ratio = claim.get("measure") in ("amplification", "epsilon")  # raised to the power there
    if claim.get("reports", 1) > 1 and not by_counts(claim) and not of_ratio:
        views = [to_power(inputs, claim["reports"]) for inputs in views]
    said = certificate["verdict"] == "breached"
    stated = certificate.get("vacuous")
    if claim["kind"] == "bound":
        known = [view.get("known") for view in raw]
        found = exceeds(claim, views, [int(view["outputs"]) for view in raw], known)
        if stated or certificate["thresholds"] is not None:
            return False
        if said and claim["measure"] == "amplification":
            classes = raw[certificate["witness"]["view"]]["classes"]
            ends = (certificate["witness"][key] for key in ("likely", "unlikely"))
            most, least = (valued(classes[c]["likelihood"]) for c in ends)
            power = (most / least) ** claim.get("reports", 1) if least else None
            if power and abs(valued(certificate["witness"]["value"]) - power) > EQUAL:
                return False
        return None if found is None else found == said
    if claim["under"] != "all priors" and not named_prior(claim) and empty_family(claim, views):
        return False
    if said and not witnessed(claim, as_listed or raw, certificate["witness"]):
        return False
    if breached(claim, views, valued(claim["rho1"]), valued(claim["rho2"])) != said:
        return False
    if stated is not None and stated != vacuous(claim, views):
        return False
    limits = certificate["thresholds"]
    return limits is None or all(
        threshold_holds(limits[key], claim, views, key == "rho2_above")
        for key in ("rho2_above", "rho1_below")
    )


def closed_form(text: str, point: dict[str, F]) -> F:
    """The value of a closed form, by Python's own parser of arithmetic."""

    def value(node: ast.AST) -> F:
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return F(node.value)
        if isinstance(node, ast.Name):
            return point[node.id]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "exp":
            name = ast.unparse(node).replace(" ", "")  # of a parameter, or a power of e
            return point[name] if name in point else e_to(value(node.args[0]))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            if isinstance(node.op, ast.Pow):
                return a ** int(b)
            if isinstance(node.op, ast.Add):
                return a + b
            if isinstance(node.op, ast.Sub):
                return a - b
            return a * b if isinstance(node.op, ast.Mult) else a / b
        raise ValueError(text)

    return value(parsed(text))


@lru_cache(maxsize=10_000)
def parsed(text: str) -> ast.expr:
    return ast.parse(text.replace("^", "**"), mode="eval").body


def end_of(raw: Any) -> tuple[F, F]:
    low, high = (raw, raw) if isinstance(raw, str) else raw["between"]
    return closed_form(low, {}), closed_form(high, {})


def at_point(certificate: dict[str, Any], point: dict[str, F]) -> bool | None:
    """Whether the claim is broken at values of the parameters; None where that is no operator."""
    claim, described = certificate["claim"], certificate["operator"]
    try:
        views = [listed(view, lambda text: closed_form(text, point)) for view in described["views"]]
    except ZeroDivisionError:
        return None
    if not an_operator(claim, described, views):
        return None
    if claim["kind"] == "bound":
        outputs = [int(view["outputs"]) for view in described["views"]]
        known = [view.get("known") for view in described["views"]]
        return bool(exceeds(claim, views, outputs, known, point))
    return breached(claim, views, valued(claim["rho1"]), valued(claim["rho2"]))


class Declared(NamedTuple):
    """The range of a parameter."""

    low: F
    high: F
    low_in: bool
    high_in: bool

    def holds(self, x: F) -> bool:
        above = x > self.low or (x == self.low and self.low_in)
        return above and (x < self.high or (x == self.high and self.high_in))


def declared(interval: str) -> Declared:
    low, high = (closed_form(end, {}) for end in interval[1:-1].split(", "))
    return Declared(low, high, interval[0] == "[", interval[-1] == "]")


def region_true(certificate: dict[str, Any]) -> bool | None:
    """Whether the claim holds where the certificate says so, at many points of its parameters."""
    described = certificate["operator"]
    if len(described["parameters"]) != 1 or certificate["region"] is None:
        return several_true(certificate)
    (parameter,) = described["parameters"]
    interval = declared(parameter["interval"])
    low, high = interval.low, interval.high
    points = {low + (high - low) * F(i, 97) for i in range(1, 97)}
    points |= {low, high, low + (high - low) * TINY, high - (high - low) * TINY}
    holds = [(end_of(h["from"]), h["from_included"], end_of(h["to"]), h["to_included"])
             for h in certificate["region"]["holds"]]  # fmt: skip
    for a, _, b, _ in holds:
        points |= {x + d for x in (*a, *b) for d in (-TINY * 10**6, F(0), TINY * 10**6)}
    for x in sorted(filter(interval.holds, points)):
        if any(e[0] < x < e[1] for a, _, b, _ in holds for e in (a, b)):
            continue  # within what encloses a root
        said = any(
            (x > a[1] or (x == a[1] and (ai or a[0] != a[1])))
            and (x < b[0] or (x == b[0] and (bi or b[0] != b[1])))
            for a, ai, b, bi in holds
        )
        if at_point(certificate, {parameter["name"]: x}) is not (not said):
            return False
    # Of a part, "breached" is what older certificates say: it fails for some values.
    if not vacuity_true(certificate, [{parameter["name"]: x} for x in list(points)[::9]]):
        return False
    where = certificate["region"]["text"].partition(" ")[0]
    said_of = {"every": ("certified",), "no": ("breached",)}
    return certificate["verdict"] in said_of.get(where, ("partly", "breached"))


def vacuity_true(certificate: dict[str, Any], points: list[dict[str, F]]) -> bool:
    """Whether what is said of cases that test the claim holds, as far as these values tell."""
    claim, stated = certificate["claim"], certificate.get("vacuous")
    if stated is None or claim["kind"] == "bound" or certificate["verdict"] != "certified":
        return not stated
    ranges = {
        row["name"]: declared(row["interval"]) for row in certificate["operator"]["parameters"]
    }
    tested = certificate.get("tested")
    if tested is not None:
        points = [{name: closed_form(text, {}) for name, text in tested.items()}]
    some = False
    for point in points:
        if all(ranges[name].holds(x) for name, x in point.items()):
            views = [
                listed(view, lambda text, point=point: closed_form(text, point))  # type: ignore[misc]
                for view in certificate["operator"]["views"]
            ]
            some = some or not vacuous(claim, views)
    return not some if stated else some


def several_true(certificate: dict[str, Any]) -> bool | None:
    """Several parameters: certified for all of them, or breached at the witness's."""
    parameters = certificate["operator"]["parameters"]
    ranges = {row["name"]: declared(row["interval"]) for row in parameters}
    if certificate["verdict"] == "breached":
        at = {
            name: closed_form(value, {})
            for name, value in certificate["witness"]["parameters"].items()
        }
        inside = all(interval.holds(at[name]) for name, interval in ranges.items())
        return inside and at_point(certificate, at) is True
    axes = []
    for interval in ranges.values():
        width = interval.high - interval.low
        steps = (F(0), TINY, *(F(i, 7) for i in range(1, 7)), 1 - TINY, F(1))
        axes.append([x for s in steps if interval.holds(x := interval.low + width * s)])
    middle = {name: (one.low + one.high) / 2 for name, one in ranges.items()}
    return vacuity_true(certificate, [middle]) and all(
        at_point(certificate, dict(zip(ranges, chosen, strict=True))) is False
        for chosen in itertools.product(*axes)
    )
