"""Crowds by listing: what the histogram of n reports shows, from the definition.

A client has x and sends a report; n - 1 others send theirs. M_x(h) is how likely the histogram h of
all is. For every x, x' and all values of the others delta is the sum over h of
max(0, M_x(h) - e^eps M_x'(h)); a breach happens where the belief in Q is rho2 or more, and its
chance is given that x has Q. Small crowds are listed whole. Of larger ones others that all have one
value give less than the truth, and others that send every report with its least chance give more.
Nothing is shared with the checker, nor with what makes certificates.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction as F
from functools import lru_cache
from typing import Any, NamedTuple

import sums_by_hand
from definition_oracle import directions, e_to, valued

MOST_LISTED = 150_000
"""Histograms, times values of the others, times pairs, that are listed."""
MOST_TERMS = 20_000
"""Histograms of others that are alike."""
FEW = 8
"""Inputs whose sets are all tried."""
TINY = F(1, 10**25)
"""What is computed to 60 digits is as good as equal from here on."""

Law = tuple[F, ...]
Seen = dict[tuple[int, ...], F]


class Row(NamedTuple):
    """One input."""

    law: Law
    prior: F
    others: F
    member: bool
    within: tuple[bool, ...]


class Case(NamedTuple):
    """One law of the client's report against another; gain: of odds, that makes it a breach."""

    first: Law
    second: Law
    gain: F | None


class Model(NamedTuple):
    """What a certificate describes.

    rows: of all inputs, or none where pairs describe them. laws: that others may have; all: whether
    they are all there are. blanket: how likely each report is from one of the others at least.
    """

    rows: list[Row]
    laws: list[Law]
    every: bool
    cases: list[tuple[Case, Law]]
    exact: bool  # the chance of a breach is that of a case, not only bounded by delta


def factor_of(at: str) -> F:
    """e^eps."""
    return F(at[3:-1]) if at.startswith("ln(") else e_to(F(at))


# ---- the document ------------------------------------------------------------------------------


def distribution(numbers: Iterable[F]) -> Law:
    law = tuple(numbers)
    if min(law) < 0 or abs(sum(law) - 1) > TINY:
        raise ValueError("no distribution")
    return law


def read_rows(claim: dict[str, Any], described: dict[str, Any]) -> list[Row]:
    """Every input; outputs that are alike are listed one by one if they are few."""
    outputs = [int(column["outputs"]) for column in described["columns"]]
    if min(outputs) < 1 or sum(outputs) != int(described["outputs"]):
        raise ValueError("not every output")
    single = sum(outputs) <= 4
    found = []
    for row in described["rows"]:
        numbers = [valued(text) for text in row["likelihoods"]]
        law: list[F] = []
        for many, number in zip(outputs, numbers, strict=True):
            law += [number] * many if single else [number * many]
        one = Row(
            distribution(law),
            valued(row.get("prior", "0")),
            F(0) if isinstance(row.get("others"), list) else valued(row.get("others", "0")),
            bool(row.get("member", False)),
            tuple(row["others"]) if isinstance(row.get("others"), list) else (),
        )
        if int(row["count"]) < 1 or min(one.prior, one.others) < 0:
            raise ValueError("no input, or less than nothing")
        found += [one] * int(row["count"])
    if len(found) != int(described["inputs"]):
        raise ValueError("not every input")
    if named(claim) and abs(sum(row.prior for row in found) - 1) > TINY:
        raise ValueError("no prior")
    if (
        isinstance(claim["crowd"]["others"], str)
        and abs(sum(row.others for row in found) - 1) > TINY
    ):
        raise ValueError("no prior of the others")
    return found


def named(claim: dict[str, Any]) -> bool:
    return claim["kind"] == "breach" and isinstance(claim["under"], dict)


def of_rows(claim: dict[str, Any], described: dict[str, Any]) -> Model:
    rows = read_rows(claim, described)
    laws = list(dict.fromkeys(row.law for row in rows))
    blanket = tuple(min(column) for column in zip(*laws, strict=True))
    exact = named(claim) or len(rows) <= 2
    if isinstance(claim["crowd"]["others"], dict):
        laws = family_laws(claim, rows)
        blanket = tuple(min(column) for column in zip(*laws, strict=True))
        exact = False
    elif claim["crowd"]["others"] is not None:
        blanket = mean([(row.others, row.law) for row in rows])[1]
        laws = [blanket]
    cases = [(case, blanket) for case in dict.fromkeys(cases_of(claim, rows))]
    return Model(rows, laws, True, cases, exact)


def family_laws(claim: dict[str, Any], rows: list[Row]) -> list[Law]:
    """Of others under the family's extreme priors: delta is convex in each of the others' laws."""
    rules, strict = [], []
    for part in claim["crowd"]["others"]["constraints"]:
        factors = [sum((F(f) for f, k in part["terms"] if row.within[k]), F(0)) for row in rows]
        sign = -1 if "<" in part["relation"] else 1
        rule = [sign * f for f in factors], sign * F(part["bound"])
        rules.append(rule)
        if part["relation"] == "==":
            rules.append(([-f for f in rule[0]], -rule[1]))
        strict += [rule] if part["relation"] in ("<", ">") else []
    width = len(rows)
    rules += [([F(k == place) for k in range(width)], F(0)) for place in range(width)]
    if len(rows) > FEW:
        raise TimeoutError
    priors = set()
    for active in itertools.combinations(rules, width - 1):
        point = solved([*active, ([F(1)] * width, F(1))])
        if point is not None and all(dot(a, point) >= b for a, b in rules):
            priors.add(point)
    if not priors:
        raise ValueError("no prior is in the family")
    centre = [sum(column) / len(priors) for column in zip(*priors, strict=True)]
    if any(dot(a, centre) <= b for a, b in strict):
        raise ValueError("no prior is in the family")
    if strict and claim["kind"] == "breach":  # extremes are in no such family
        raise TimeoutError
    shares = [list(zip(prior, (row.law for row in rows), strict=True)) for prior in priors]
    return list(dict.fromkeys(mean(each)[1] for each in shares))


def dot(one: Iterable[F], two: Iterable[F]) -> F:
    return sum((a * b for a, b in zip(one, two, strict=True)), F(0))


def solved(rows: Sequence[tuple[list[F], F]]) -> tuple[F, ...] | None:
    """The only solution of as many equations as unknowns."""
    left = [[*a, b] for a, b in rows]
    for k in range(len(left)):
        pivot = next((row for row in left[k:] if row[k]), None)
        if pivot is None:
            return None
        left.remove(pivot)
        left.insert(k, [number / pivot[k] for number in pivot])
        for at, row in enumerate(left):
            if at != k:
                left[at] = [a - row[k] * b for a, b in zip(row, left[k], strict=True)]
    return tuple(row[-1] for row in left)


def mean(shares: Sequence[tuple[F, Law]]) -> tuple[F, Law]:
    whole = sum((share for share, _ in shares), F(0))
    columns = zip(*(law for _, law in shares), strict=True)
    sums = (sum((s[0] * p for s, p in zip(shares, c, strict=True)), F(0)) for c in columns)
    return whole, tuple(total / whole for total in sums)


def cases_of(claim: dict[str, Any], rows: list[Row]) -> Iterator[Case]:
    """All that the claim speaks of."""
    if named(claim):
        for chosen in chosen_sets(claim, rows):
            yield from under_the_prior(claim, rows, chosen)
        return
    gain = claimed_gain(claim) if claim["kind"] == "breach" else None
    for one, two in itertools.permutations(rows, 2):
        if claim["kind"] == "breach" and claim["for"] is not None:
            ways = {(True, False): "upward", (False, True): "downward"}
            if ways.get((one.member, two.member)) not in directions(claim):
                continue
        if one.law != two.law:
            yield Case(one.law, two.law, gain)


def chosen_sets(claim: dict[str, Any], rows: list[Row]) -> Iterator[tuple[bool, ...]]:
    if claim["for"] is not None:
        yield tuple(row.member for row in rows)
    elif len(rows) <= FEW:
        yield from itertools.product((False, True), repeat=len(rows))
    else:
        raise TimeoutError


def under_the_prior(
    claim: dict[str, Any], rows: list[Row], chosen: tuple[bool, ...]
) -> Iterator[Case]:
    rho1, rho2 = valued(claim["rho1"]), valued(claim["rho2"])
    inside = [(row.prior, row.law) for row, q in zip(rows, chosen, strict=True) if q and row.prior]
    outside = [
        (row.prior, row.law) for row, q in zip(rows, chosen, strict=True) if not q and row.prior
    ]
    if not inside or not outside:
        return
    (before, has), (_, lacks) = mean(inside), mean(outside)
    if "upward" in directions(claim) and before <= rho1:
        yield Case(has, lacks, rho2 / (1 - rho2) * (1 - before) / before)
    if "downward" in directions(claim) and before >= rho2:
        yield Case(lacks, has, (1 - rho1) / rho1 * before / (1 - before))


def claimed_gain(claim: dict[str, Any]) -> F:
    rho1, rho2 = valued(claim["rho1"]), valued(claim["rho2"])
    return rho2 / (1 - rho2) * (1 - rho1) / rho1


def of_pairs(claim: dict[str, Any], described: dict[str, Any]) -> Model:
    """The others have any values that a pair names; what the least chances say is more."""
    if named(claim) or claim["crowd"]["others"] is not None or claim["properties"]:
        raise ValueError("pairs say nothing of single inputs")
    gain = claimed_gain(claim) if claim["kind"] == "breach" else None
    cases, laws = [], []
    if (int(described["inputs"]) > 1) != bool(described["pairs"]):
        raise ValueError("no pairs")
    for pair in described["pairs"]:
        columns = list(zip(*(map(valued, kind) for kind in pair["kinds"]), strict=True))
        if len(columns) != 3 + ("other" in pair):
            raise ValueError("chances of something else")
        p, q, *rest = (distribution(columns[k]) for k in (0, 1, 3)[: len(columns) - 1])
        least = columns[2]
        if min(least) < 0 or any(
            m > min(column) for m, *column in zip(least, p, q, *rest, strict=True)
        ):
            raise ValueError("more than the least")
        cases += [(Case(p, q, gain), least), (Case(q, p, gain), least)]
        laws.append([p, q, *rest])
    if len(laws) == 1 and len(laws[0][0]) == 2 and int(described["outputs"]) == 2:
        # Two outputs: any others are between two laws, at one of which delta is largest.
        zero, one = least
        return Model([], [(1 - one, one), (zero, 1 - zero)], True, cases, False)
    # Kinds of one pair are not those of another: each is listed with its own others.
    if len(laws) > 1:
        return Model([], [], False, cases, False)
    return Model([], laws[0] if laws else [], False, cases, False)


# ---- listed whole ------------------------------------------------------------------------------


def sent(before: Seen, law: Law) -> Seen:
    """One more report."""
    found: Seen = {}
    for h, chance in before.items():
        for y, p in enumerate(law):
            if p:
                after = (*h[:y], h[y] + 1, *h[y + 1 :])
                found[after] = found.get(after, F(0)) + chance * p
    return found


def listed(laws: Sequence[Law], others: int) -> Iterator[Seen]:
    """The histogram of the others, whatever values they have."""

    def more(seen: Seen, first: int, left: int) -> Iterator[Seen]:
        if not left:
            yield seen
            return
        for k in range(first, len(laws)):
            yield from more(sent(seen, laws[k]), k, left - 1)

    yield from more({(0,) * len(laws[0]): F(1)}, 0, others)


def listed_work(model: Model, clients: int) -> int:
    if not model.laws or not model.cases:
        return 0 if not model.cases else MOST_LISTED + 1
    kinds, many = len(model.laws[0]), len(model.laws)
    histograms = math.comb(clients + kinds - 1, kinds - 1)
    return math.comb(clients + many - 2, many - 1) * histograms * len(model.cases)


def delta_listed(case: Case, others: Seen, factor: F) -> F:
    """The definition."""
    one, two = sent(others, case.first), sent(others, case.second)
    return sum((max(F(0), m - factor * two.get(h, F(0))) for h, m in one.items()), F(0))


def breach_listed(case: Case, others: Seen) -> F:
    """How likely the odds are multiplied by the gain or more, given the first."""
    assert case.gain is not None
    one, two = sent(others, case.first), sent(others, case.second)
    return sum((m for h, m in one.items() if m >= case.gain * two.get(h, F(0))), F(0))


# ---- others that are alike ---------------------------------------------------------------------


class Alike(NamedTuple):
    """V = (p - g q)/m with chance m, else 0, in units that make it whole; sure: recognized."""

    values: tuple[int, ...]
    chances: tuple[F, ...]
    unit: F
    first: dict[int, F]  # chances of values, from the first law
    more: F  # recognized: what p exceeds g q by
    seen: F  # and p where it does not fall short


def alike(case: Case, law: Law, factor: F) -> Alike:
    ratios, more, seen = [], F(0), F(0)
    for p, q, m in zip(case.first, case.second, law, strict=True):
        if m:
            ratios.append(((p - factor * q) / m, p, m))
        else:
            more += max(F(0), p - factor * q)
            seen += p if p >= factor * q else 0
    unit = F(1, math.lcm(*(v.denominator for v, _, _ in ratios)))
    chances: dict[int, F] = {}
    first: dict[int, F] = {}
    for v, p, m in ratios:
        value = int(v / unit)
        chances[value] = chances.get(value, F(0)) + m
        first[value] = first.get(value, F(0)) + p
    left = 1 - sum(chances.values())
    if left > TINY:
        chances[0] = chances.get(0, F(0)) + left
    return Alike(tuple(chances), tuple(chances.values()), unit, first, more, seen)


@lru_cache(maxsize=64)
def sum_law(values: tuple[int, ...], chances: tuple[F, ...], summands: int) -> dict[int, F]:
    """The law of a sum of so many, to 60 digits."""
    if math.comb(summands + len(values) - 1, len(values) - 1) > MOST_TERMS:
        raise TimeoutError
    with localcontext() as context:
        context.prec = 60
        context.Emin, context.Emax = -(10**9), 10**9
        factorial = [Decimal(1)]
        for k in range(1, summands + 1):
            factorial.append(factorial[-1] * k)
        powers = []
        for chance in chances:
            m, row = Decimal(chance.numerator) / Decimal(chance.denominator), [Decimal(1)]
            for _ in range(summands):
                row.append(row[-1] * m)
            powers.append([power / k for power, k in zip(row, factorial, strict=True)])
        found: dict[int, Decimal] = {}

        def add(kind: int, left: int, at: int, weight: Decimal) -> None:
            if kind == len(values) - 1:
                at += left * values[kind]
                found[at] = found.get(at, Decimal(0)) + weight * powers[kind][left]
                return
            for k in range(left + 1):
                add(kind + 1, left - k, at + k * values[kind], weight * powers[kind][k])

        add(0, summands, 0, factorial[summands])
        return {at: F(weight) for at, weight in found.items()}


def delta_alike(case: Case, law: Law, factor: F, clients: int) -> F:
    """Of others with this law; of more than that, where the law lacks of 1."""
    v = alike(case, law, factor)
    if not v.values or max(v.values) <= 0:
        return v.more
    sums = sum_law(v.values, v.chances, clients)
    return v.more + v.unit * sum(s * m for s, m in sums.items() if s > 0) / clients


def breach_alike(case: Case, law: Law, clients: int) -> F:
    assert case.gain is not None
    v = alike(case, law, case.gain)
    if not v.values:
        return v.seen
    sums = sum_law(v.values, v.chances, clients - 1)
    rest = sum(
        p * sum(m for s, m in sums.items() if s + value >= 0) for value, p in v.first.items()
    )
    return v.seen + rest


# ---- together ----------------------------------------------------------------------------------


def between(claim: dict[str, Any], model: Model, clients: int) -> tuple[F, F]:
    """What the claim bounds lies between these two."""
    if not model.cases:
        return F(0), F(0)
    if listed_work(model, clients) <= MOST_LISTED:
        found = by_listing(claim, model, clients)
    else:
        found = by_alike(claim, model, clients)
    return found[0], min(found[1], F(1))


def by_listing(claim: dict[str, Any], model: Model, clients: int) -> tuple[F, F]:
    crowds = list(listed(model.laws, clients - 1))
    cases = [case for case, _ in model.cases]
    if claim["kind"] == "bound":
        factor = factor_of(claim["at"])
        low = max(delta_listed(case, others, factor) for case in cases for others in crowds)
        return low, low if model.every else from_above(claim, model, clients)
    low = max(breach_listed(case, others) for case in cases for others in crowds)
    if model.exact:
        return low, low
    if not model.every:
        return low, from_above(claim, model, clients)
    gain = claimed_gain(claim)
    bounds = [
        max(delta_listed(case, others, g) for case in cases for others in crowds) / (1 - g / gain)
        for g in factors(gain, cases)
    ]
    return low, min(bounds)


def factors(gain: F, cases: Sequence[Case]) -> list[F]:
    """Some between 1 and the gain, the greatest ratio of one report among them."""
    found = [1 + (gain - 1) * k / 8 for k in range(8)]
    pairs = [(p, q) for case in cases for p, q in zip(case.first, case.second, strict=True) if p]
    if all(q for _, q in pairs):
        ratio = max(p / q for p, q in pairs)
        found += [ratio] if 1 <= ratio < gain else []
    return found


def by_alike(claim: dict[str, Any], model: Model, clients: int) -> tuple[F, F]:
    low = F(0)
    for case, _ in model.cases:
        for law in model.laws:
            try:
                if claim["kind"] == "bound":
                    value = delta_alike(case, law, factor_of(claim["at"]), clients)
                else:
                    value = breach_alike(case, law, clients)
            except TimeoutError:
                continue
            low = max(low, value)
    return low, from_above(claim, model, clients)


def from_above(claim: dict[str, Any], model: Model, clients: int) -> F:
    """By the least chances: of delta itself, of a breach through delta."""
    try:
        if claim["kind"] == "bound":
            factor = factor_of(claim["at"])
            return max(delta_alike(case, law, factor, clients) for case, law in model.cases)
        most = F(0)
        for case, law in model.cases:
            assert case.gain is not None
            bounds = (
                delta_alike(case, law, g, clients) / (1 - g / case.gain)
                for g in factors(case.gain, [case])
            )
            most = max(most, min(bounds))
        return most
    except TimeoutError:
        return F(1)


def vacuous(claim: dict[str, Any], model: Model, inputs: int) -> bool:
    """No prior and property that the claim speaks of."""
    if claim["kind"] == "bound":
        return False
    if not named(claim):
        members = {row.member for row in model.rows}
        return inputs < 2 if claim["for"] is None else len(members) < 2
    # every case with its laws, though they may be alike
    return next(cases_of(claim, model.rows), None) is None


def crowd_true(certificate: dict[str, Any]) -> bool | None:
    """Whether a certificate about a crowd says what is true; None where that is not known."""
    claim, described = certificate["claim"], certificate["operator"]
    crowd, verdict = claim["crowd"], certificate["verdict"]
    counts = [crowd[key] for key in ("clients", "colluding", "missing")]
    counted = counts[0] - counts[1] - counts[2]
    if min(counts) < 0 or counted < 1 or verdict not in ("certified", "breached"):
        return False
    if not speaks(claim, described, counted):
        return False
    try:
        if "bits" in described:
            return columns_true(certificate, counted, counts)
        model = (of_rows if "rows" in described else of_pairs)(claim, described)
        if certificate["vacuous"] != vacuous(claim, model, int(described["inputs"])):
            return False
    except TimeoutError:
        return None
    how = crowd["how"]
    if "sums" in described:  # one-hot reports: their sums are the histogram
        if (how, described["sums"]) != ("summing", "one-hot"):
            return False
        how = "shuffling"
    told = [judged(claim, model, counted, verdict == "certified", how)]
    if verdict == "certified" and counts[2]:  # that none is missing is worse for nobody
        told.append(judged(claim, model, counted + counts[2], True, how))
    thresholds = certificate["thresholds"]
    if thresholds is not None:
        enough = thresholds["clients_from"] - counts[1] - counts[2]
        if set(thresholds) != {"clients_from"} or enough < 1:
            return False
        if verdict == "certified" and enough > counted:
            return False
        told.append(judged(claim, model, enough, True, how))
    if False in told:
        return False
    return None if None in told else True


def speaks(claim: dict[str, Any], described: dict[str, Any], counted: int) -> bool:
    """Whether it says what must be trusted, of a claim that a crowd's size decides."""
    breach = claim["kind"] == "breach"
    if breach and not 0 < F(claim["except"]) < 1:
        return False
    if breach and not 0 < valued(claim["rho1"]) < valued(claim["rho2"]) < 1:
        return False
    if breach and (claim["knowing"] is not None or "constraints" in claim["under"]):
        return False
    if not breach and (claim["measure"] != "delta" or claim["prior"] is not None):
        return False
    others = claim["crowd"]["others"]
    whose = "whatever values the others have"
    if others is not None:
        whose = f"the others' values are independent draws from {others}"
    if isinstance(others, dict):
        whose = claim["text"].partition(" others under ")[2]
        whose = f"the others' values are independent draws, each from a prior with {whose}"
    says: str = described["assumes"]
    return f"each of {counted:,} clients" in says and says.endswith(whose)


def judged(claim: dict[str, Any], model: Model, clients: int, holds: bool, how: str) -> bool | None:
    """Whether it is true that the claim holds, or that it does not, of so many."""
    low, high = between(claim, model, clients)
    breach = claim["kind"] == "breach"
    limit = valued(claim["except"] if breach else claim["bound"])
    slack = TINY * abs(limit)
    strict = not breach and claim["relation"] == "<"
    if high < limit - slack or (high == limit and not strict):
        return holds
    if how == "summing":  # less is seen than the histogram
        return None if holds else False
    if low > limit + slack or (low == limit and strict):
        return not holds
    return None


# ---- sums of columns of bits -------------------------------------------------------------------


def columns_true(certificate: dict[str, Any], counted: int, counts: list[int]) -> bool | None:
    """The same of sums of independent bits."""
    claim, bits = certificate["claim"], certificate["operator"]["bits"]
    held, lacking = valued(bits["held"]), valued(bits["lacking"])
    apart = bits["ahead"], bits["behind"]
    family = isinstance(claim["crowd"]["others"], dict)
    if claim["crowd"]["how"] != "summing" or named(claim) or claim["properties"] or family:
        return False
    if not (0 <= held <= 1 and 0 <= lacking <= 1) or min(apart) < 0 or not sum(apart):
        return False
    if int(certificate["operator"]["inputs"]) < 2 or certificate["vacuous"]:
        return False
    hi, lo = max(held, lacking), min(held, lacking)
    others = ["first", "second"] + (["third"] if bits["third"] is not None else [])
    if claim["crowd"]["others"] is not None:
        others = []
    sizes = [(counted, certificate["verdict"] == "certified")]
    thresholds = certificate["thresholds"]
    if thresholds is not None:
        enough = thresholds["clients_from"] - counts[1] - counts[2]
        if set(thresholds) != {"clients_from"} or enough < 1:
            return False
        if sizes[0][1] and enough > counted:
            return False
        sizes.append((enough, True))
    told = [columns_judged(claim, hi, lo, apart, others, many, holds) for many, holds in sizes]
    if False in told:
        return False
    return None if None in told else True


def columns_judged(
    claim: dict[str, Any],
    hi: F,
    lo: F,
    apart: tuple[int, int],
    others: list[str],
    clients: int,
    holds: bool,
) -> bool | None:
    """Of so many: against others who all have one value, and against any in each column."""
    ways = {apart, apart[::-1]}
    if (clients * (clients + 1)) ** sum(apart) > MOST_LISTED // 10:
        return None
    breach = claim["kind"] == "breach"
    limit = valued(claim["except"] if breach else claim["bound"])
    gain = claimed_gain(claim) if breach else F(1)
    low, high = F(0), F(1)
    for way in ways:
        for other in others:
            held = sums_by_hand.alike(way, clients, other)
            if breach:
                low = max(low, sums_by_hand.breach(hi, lo, way, clients, held, gain))
            else:
                factor = factor_of(claim["at"])
                low = max(low, sums_by_hand.delta(hi, lo, way, clients, held, factor))
    if breach:
        ratio = (
            (hi / lo) ** apart[0] * ((1 - lo) / (1 - hi)) ** apart[1] if 0 < lo <= hi < 1 else F(0)
        )
        steps = [1 + (gain - 1) * k / 8 for k in range(8)] + ([ratio] if 1 <= ratio < gain else [])
        high = min(
            max(sums_by_hand.worst(hi, lo, way, clients, g) for way in ways) / (1 - g / gain)
            for g in steps
        )
    else:
        high = max(sums_by_hand.worst(hi, lo, way, clients, factor_of(claim["at"])) for way in ways)
    strict = not breach and claim["relation"] == "<"
    slack = TINY * abs(limit)
    if high < limit - slack or (high == limit and not strict):
        return holds
    if low > limit + slack or (low == limit and strict):
        return not holds
    return None
