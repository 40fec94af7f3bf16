"""The independent checker of certificates (docs/certificate.md), with the standard library only.

    python -I ppdm_formal/check.py [--allow-solver-trusted] CERTIFICATE...

It shares no code with what made the certificate: it derives the verdict and the thresholds again
from the views and the evidence, in Fractions, and rejects whatever it cannot derive.
Exit codes: 0 all accepted, 2 unreadable, 4 rejected, 3 solver-trusted without permission.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

MAX_BYTES, MAX_CHARACTERS, MAX_DEPTH, MAX_DIGITS, MAX_POWER = 1 << 26, 100_000, 200, 2000, 10_000
LARGEST_PLAIN = 10**15
RELATIONS = {"<": (-1,), "<=": (-1, 0), "==": (0,), ">=": (0, 1), ">": (1,)}
_INTEGER = re.compile(r"0|-?(?:[1-9][0-9]{0,3998}|0x[1-9a-f][0-9a-f]*)")
_FORGERY = re.compile(r"[{}();]| (?:under|for|knowing|all priors) ")


class Rejected(Exception):
    """Why a certificate does not hold."""


@dataclass(frozen=True)
class CheckResult:
    """What came of a check: "accepted", "rejected" or "solver-trusted" (without permission)."""

    status: str
    reason: str
    claim: str = ""
    verdict: str = ""

    @property
    def accepted(self) -> bool:
        """Whether the certificate was verified."""
        return self.status == "accepted"

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value: ask for .accepted")


def need(holds: object, why: str) -> None:
    """Reject unless something holds."""
    if not holds:
        raise Rejected(why)


def dot(*factors: Iterable[Any]) -> Any:
    """The sum of products."""
    return sum(math.prod(row, start=Fraction(1)) for row in zip(*factors, strict=True))


def sign(value: Any) -> int:
    """-1, 0 or 1."""
    return int(value > 0) - int(value < 0)


# --- Reading JSON


def canonical(thing: object) -> bytes:
    """The canonical JSON of a thing."""
    return json.dumps(
        thing, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def digest(thing: object) -> str:
    """SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical(thing)).hexdigest()


def parse(data: bytes) -> Any:
    """JSON in canonical form, followed by one line feed."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key is given twice")
        return dict(pairs)

    def refuse(text: str) -> Any:
        raise Rejected(f"{text[:20]} is not an exact number, or one to be written as text")

    need(len(data) <= MAX_BYTES, f"longer than {MAX_BYTES} bytes")
    thing = json.loads(
        data.decode(),
        object_pairs_hook=unique,
        parse_int=lambda text: int(text) if len(text) < 18 else refuse(text),
        parse_float=refuse,
        parse_constant=refuse,
    )
    need(canonical(thing) + b"\n" == data, "not in canonical form, ended by one line feed")
    return thing


def spell(value: Fraction | int) -> str:
    """A number as it must be written."""
    parts = value.as_integer_ratio()[: 1 if value.denominator == 1 else 2]
    return "/".join(str(part) if abs(part) < 10**3999 else hex(part) for part in parts)


def number(thing: Any, where: str) -> Fraction:
    """num or num/den in lowest terms."""
    parts = thing.split("/") if type(thing) is str else ["?"]
    good = all(len(p) <= MAX_CHARACTERS and _INTEGER.fullmatch(p) for p in parts)
    need(good and len(parts) <= 2, f"{where}: {ascii(thing)[:40]} is not a number in text")
    top, bottom = (int(p, 16 if "x" in p else 10) for p in (*parts, "1")[:2])
    found = Fraction(top, bottom or 1)
    need(spell(found) == thing, f"{where}: {thing[:40]} is not in canonical form")
    return found


def count(thing: Any, where: str) -> int:
    """How many: a JSON integer up to 10^15, text above."""
    if type(thing) is int and 0 <= thing <= LARGEST_PLAIN:
        return int(thing)
    found = number(thing, where)
    need(found.denominator == 1 and found > LARGEST_PLAIN, f"{where} is not a count")
    return int(found)


def text(thing: Any, where: str) -> str:
    """A printable string (no control characters, nothing that turns the text around)."""
    need(type(thing) is str and thing.isprintable(), f"{where} is not a printable text")
    return str(thing)


def name(thing: Any, where: str) -> str:
    """A name that cannot make the claim's text say something else."""
    need(not _FORGERY.search(f" {text(thing, where)} "), f"{where} would forge the claim's text")
    return str(thing)


def sha256(thing: Any, where: str) -> str:
    """A digest."""
    need(re.fullmatch(r"[0-9a-f]{64}", text(thing, where)), f"{where} is not a digest")
    return str(thing)


def value(thing: Any, where: str) -> bytes:
    """An input or output, as its canonical text."""
    if type(thing) is dict and set(thing) == {"int"}:
        whole = number(thing["int"], where)
        need(whole.denominator == 1 and abs(whole) > LARGEST_PLAIN, f"{where} is not canonical")
    elif type(thing) is dict and set(thing) in ({"tuple"}, {"set"}):
        parts = [value(part, where) for part in exactly(list)(next(iter(thing.values())), where)]
        ordered = all(a < b for a, b in pairwise(parts))
        need("tuple" in thing or ordered, f"{where}: a set that is not sorted")
    else:
        small = type(thing) is int and abs(thing) <= LARGEST_PLAIN
        need(small or type(thing) is str, f"{where} is not a value")
    return canonical(thing)


def exactly(kind: type) -> Callable[[Any, str], Any]:
    """A reader of one type of JSON (a truth value is not an integer)."""

    def read(thing: Any, where: str) -> Any:
        need(kind is object or type(thing) is kind, f"{where} is not a JSON {kind.__name__}")
        return thing

    return read


Reader = Callable[[Any, str], Any]
READERS: dict[str, Reader] = {"n": number, "c": count, "v": value, "t": text, "N": name, "d": sha256}
READERS |= {"a": exactly(object), "l": exactly(list), "i": exactly(int), "b": exactly(bool)}


def shape(thing: Any, where: str, keys: str, read: Reader = number) -> list[Any]:
    """The fields of an object with exactly the keys that are listed as "key:reader key:reader"."""
    pairs = [key.split(":") for key in keys.split()]
    need(type(thing) is dict, f"{where} is not an object")
    wrong = sorted({key for key, _ in pairs} ^ set(thing))
    need(not wrong, f"{where}: missing or unknown: {ascii(wrong)[:99]}")
    readers = READERS | {"f": read}
    return [readers[how](thing[key], f"{where}.{key}") for key, how in pairs]


def pick(sequence: Sequence[Any], at: Any, where: str) -> Any:
    """The entry at a position."""
    good = type(at) is int and 0 <= at < len(sequence)
    need(good, f"{where}: {ascii(at)[:40]} is not a position below {len(sequence)}")
    return sequence[at]


def same_length(raw: Any, length: int, where: str) -> list[Any]:
    """A list of a given length."""
    need(type(raw) is list and len(raw) == length, f"{where} is not a list of {length} entries")
    return list(raw)


LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


def evaluate(form: Any, where: str, point: Mapping[str, Fraction]) -> Fraction:
    """A closed form at a point, by climbing over the precedence of + - * / ^."""
    need(type(form) is str and len(form) <= MAX_CHARACTERS, f"{where} is not a closed form")
    tokens = ["", *re.findall(r"[0-9]+|[^\W\d]\w*|\S", form)[::-1]]

    def climb(level: int) -> Fraction:
        token = tokens.pop() if len(tokens) > 1 else ""
        if token == "-":
            left = -climb(3)
        elif token == "(":
            left = climb(0)
            need(len(tokens) > 1 and tokens.pop() == ")", f"{where}: a parenthesis is missing")
        elif re.fullmatch("[0-9]{1,4000}", token):
            left = Fraction(int(token))
        else:
            need(token in point, f"{where}: {ascii(token)[:40]} is not a parameter")
            left = point[token]
        while LEVELS.get(tokens[-1], -1) >= level:
            sort = tokens.pop()
            right = climb(LEVELS[sort] + (sort != "^"))
            if sort == "^":
                size = max(map(abs, left.as_integer_ratio())).bit_length() * abs(right)
                wild = right.denominator > 1 or abs(right) > MAX_POWER or size > 10**6
                need(not wild and (left or right >= 0), f"{where}: a wild power")
                left = left ** int(right)
            else:
                need(sort != "/" or right, f"{where}: division by zero")
                left = left / right if sort == "/" else left * right if sort == "*" else (
                    left + right if sort == "+" else left - right
                )  # fmt: skip
        return left

    found = climb(0)
    need(tokens == [""], f"{where}: {ascii(form)[:40]} is not a closed form")
    return found


# --- The claim and the views


class Claim(NamedTuple):
    """What was claimed; `about`: the position of the one property; `measure`: "" for breaches."""

    text: str
    prior: str | None
    measure: str = ""
    relation: str = ""
    bound: Fraction = Fraction(0)
    unit: str | None = None
    directions: tuple[str, ...] = ()
    rho1: Fraction = Fraction(0)
    rho2: Fraction = Fraction(0)
    constraints: list[tuple[list[tuple[Fraction, int]], str, Fraction]] | None = None
    properties: Sequence[str] = ()
    about: int | None = None
    knowing: str | None = None


def read_claim(raw: Any) -> Claim:
    """The claim, with the text that its other fields determine."""
    where, said = "claim", ""
    if type(raw) is dict and raw.get("kind") == "bound":
        keys = "kind:t text:t measure:t relation:t bound:n prior:a unit:a properties:l"
        _, _, measure, relation, bound, prior, unit, properties = shape(raw, where, keys)
        units = {"amplification": (None,), "dependence": (None,)}
        units["worst_case_information"] = ("bit", "nat")  # type: ignore[assignment]
        need(unit in units.get(measure, ()), "unknown measure, or a unit that it does not have")
        need(relation in ("<", "<=") and properties == [], "unknown relation, or properties")
        need((prior is None) == (measure == "amplification"), "a prior too many or missing")
        of = "" if prior is None else f"({name(prior, 'claim.prior')})"
        said = f"require {measure}{of} {relation} {spell(bound)}" + (f" {unit}" if unit else "")
        return Claim(said, prior, measure, relation, bound, unit)
    keys = "kind:t text:t direction:t rho1:n rho2:n under:a properties:l for:a knowing:a"
    kind, _, direction, rho1, rho2, under, names, about, knowing = shape(raw, where, keys)
    need(kind == "breach" and direction in ("both", "upward", "downward"), "unknown sort of claim")
    need(0 < rho1 < rho2 < 1, "not 0 < rho1 < rho2 < 1")
    names = [name(thing, "claim.properties") for thing in names]
    need(len(set(names)) == len(names), "two properties of one name")
    prior, constraints, shown = None, None, []
    arrow = [spell(rho1), "->", spell(rho2)][:: -1 if direction == "downward" else 1]
    said = " ".join(["forbid", *[direction] * (direction != "both"), "breach", *arrow])
    if type(under) is dict and "prior" in under:
        (prior,) = shape(under, "under", "prior:N")
        said += f" under {prior}"
    elif under != "all priors":
        constraints = []
        for row in shape(under, "under", "constraints:l")[0]:
            raw_terms, relation, bound = shape(row, "a constraint", "terms:l relation:t bound:n")
            need(relation in RELATIONS, "unknown relation in a constraint")
            terms, sums = [], []
            for factor_raw, i in (same_length(term, 2, "a term") for term in raw_terms):
                factor, of = number(factor_raw, "a term"), f"mass({pick(names, i, 'a term')})"
                terms.append((factor, i))
                sums.append(of if factor == 1 else f"{spell(factor)} * {of}")
            constraints.append((terms, relation, bound))
            shown.append(f"{' + '.join(sums) or '0'} {relation} {spell(bound)}")
        said += " under { " + "; ".join(shown) + " }"
    said += "" if knowing is None else f" knowing {name(knowing, 'claim.knowing')}"
    said += "" if about is None else f" for {pick(names, about, 'claim.for')}"
    directions = ("upward", "downward") if direction == "both" else (direction,)
    return Claim(said, prior, "", "", Fraction(0), None, directions, rho1, rho2, constraints, names,
                 about, knowing)  # fmt: skip


class View(NamedTuple):
    """What an output shows, by class; prior and knowledge are 1 where there is none."""

    likelihood: list[Fraction]
    size: list[int]
    prior: list[Fraction]
    member: list[tuple[bool, ...]]
    knowledge: list[Fraction]
    seen: list[Fraction]  # likelihood * knowledge
    output: bytes
    known: bytes


def read_views(operator: dict[str, Any], claim: Claim, read: Reader = number) -> list[View]:
    """The views, which must be able to belong to an operator."""
    relative, knows = operator["likelihoods"] == "relative", claim.knowing is not None
    bare = claim.prior is None and claim.constraints is None and not knows and not claim.properties
    need(not relative or bare, "relative likelihoods decide claims under all priors only")
    keys = "likelihood:f count:c example:v" + " prior:f" * (claim.prior is not None)
    keys += " member:l" * bool(claim.properties) + " knowledge:f" * knows
    views: list[View] = []
    shown: Counter[bytes] = Counter()
    kinds: dict[bytes, Counter[Any]] = {}  # by what is known: how many inputs of each kind
    masses: dict[bytes, Counter[Any]] = {}
    kind_of: dict[Any, Any] = {}
    for i, raw in enumerate(operator["views"]):
        where, here, examples = f"views[{i}]", Counter[Any](), set()
        classes, outputs, output, *rest = shape(
            raw, where, "classes:l outputs:c output:v" + " known:v" * knows
        )
        known = rest[0] if rest else b""
        view = View([], [], [], [], [], [], output, known)
        for part in classes:
            got = dict(zip((key[:-2] for key in keys.split()), shape(part, where, keys, read),
                           strict=True))  # fmt: skip
            likelihood, size, prior = got["likelihood"], got["count"], got.get("prior", Fraction(1))
            member, knowledge = tuple(got.get("member", ())), got.get("knowledge", Fraction(1))
            booleans = all(type(m) is bool for m in member)
            need(booleans and len(member) == len(claim.properties), f"{where}: bad membership")
            need(0 <= prior <= 1 and 0 <= knowledge <= 1, f"{where}: a probability not in [0, 1]")
            need(likelihood >= 0 and (relative or likelihood <= 1), f"{where}: a bad likelihood")
            need(size >= 1, f"{where}: a class without inputs")
            kind, example = (prior, member, knowledge), got["example"]
            same = kind_of.setdefault(example, kind[:2]) == kind[:2]
            same = same and kind_of.setdefault((known, example), kind) == kind
            need(same, f"{where}: an example is of another kind than elsewhere")
            need(example not in examples, f"{where}: an example twice")
            examples.add(example)
            here[kind] += size
            masses.setdefault(known, Counter())[kind] += outputs * size * likelihood
            for column, entry in zip(view, (likelihood, size, *kind, likelihood * knowledge),
                                     strict=False):  # fmt: skip
                column.append(entry)  # type: ignore[union-attr]
        need(outputs >= 1, f"{where} is the view of no output")
        need(sum(view.size) == operator["inputs"], f"{where}: counts do not sum to the inputs")
        need(kinds.setdefault(known, here) == here, f"{where}: kinds of inputs not as elsewhere")
        total = dot(view.size, view.prior)
        need(claim.prior is None or total == 1, f"{where}: the prior does not sum to 1")
        shown[known] += outputs
        views.append(view)
    need(views and len({v[-2:] for v in views}) == len(views), "no views, or an output twice")
    need(set(shown.values()) == {operator["outputs"]}, "outputs do not sum to the operator's")
    need(relative or masses == kinds, "likelihoods do not sum to 1 for each input")
    if knows:
        totals: Counter[Any] = Counter()
        sizes = [Counter[Any]() for _ in kinds]
        for group, inputs in zip(kinds.values(), sizes, strict=True):
            for (prior, member, knowledge), size in group.items():
                inputs[prior, member] += size
                totals[prior, member] += size * knowledge
        need(all(inputs == totals for inputs in sizes), "what is known does not sum to 1")
    return views


# --- Deciding: is there a breach, and the raw thresholds (both ends of rho2_above, of rho1_below)

Ends = tuple[Fraction, Fraction, Fraction, Fraction]
Decision = tuple[bool, Ends | None]


def breaks(side: int | None, claim: Claim) -> bool:
    """Whether a value on that side of a bound claim's bound breaks it."""
    return side == 1 or (side == 0 and claim.relation == "<")


def ratio(views: list[View], claim: Claim) -> Decision:
    """All priors: Statement 1 of EGS03 and its converse on each view; and amplification."""
    rho1, rho2, about = claim.rho1, claim.rho2, claim.about
    above, below, breached = Fraction(0), Fraction(1), False
    for view, direction in product(views, claim.directions or ("",)):
        rows = list(zip(view.likelihood, view.member, view.knowledge, strict=True))
        up = direction == "upward"
        inside = [p for p, member, k in rows if k and (about is None or member[about] == up)]
        outside = [p for p, member, k in rows if k and (about is None or member[about] != up)]
        if not inside or not outside or max(inside) == 0:
            continue
        most, least = max(inside), min(outside)
        if claim.measure:
            breached |= not least or breaks(sign(most - claim.bound * least), claim)
        else:
            breached |= rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least
            above = max(above, rho1 * most / (rho1 * most + (1 - rho1) * least))
            below = min(below, rho2 * least / (rho2 * least + (1 - rho2) * most))
    return breached, None if claim.measure else (above, above, below, below)


def shift(view: View, inside: list[Any], everywhere: list[Any]) -> tuple[Fraction, Fraction] | None:
    """P[Q | z] and P[Q | y, z] from the masses of Q and of all inputs; None if not reached."""
    reached = dot(view.seen, everywhere)
    before = dot(view.knowledge, inside) / (dot(view.knowledge, everywhere) or 1)
    return (before, dot(view.seen, inside) / reached) if reached else None


def arithmetic(views: list[View], claim: Claim) -> Decision:
    """One prior and one property: compute before and after on each reached view."""
    above, below, breached = Fraction(0), Fraction(1), False
    for view in views:
        masses = [n * p for n, p in zip(view.size, view.prior, strict=True)]
        own = [m * q[claim.about or 0] for m, q in zip(masses, view.member, strict=True)]
        found = shift(view, own, masses)
        for direction in claim.directions if found else ():
            low, high = (found or ())[:: 1 if direction == "upward" else -1]
            above = max(above, high) if low <= claim.rho1 else above
            below = min(below, low) if high >= claim.rho2 else below
            breached |= low <= claim.rho1 and high >= claim.rho2
    return breached, (above, above, below, below)


Shares = tuple[list[int], int]


def whole_shares(view: View) -> tuple[Shares, Shares] | None:
    """What one input of each class adds to before and to after: integers, and their total."""

    def whole(likely: list[Fraction]) -> Shares:
        parts = [k * p for k, p in zip(likely, view.prior, strict=True)]
        common = math.lcm(*(part.denominator for part in parts))
        scaled = [int(part * common) for part in parts]
        divisor = math.gcd(*scaled) or 1
        scaled = [part // divisor for part in scaled]
        return scaled, sum(map(int.__mul__, scaled, view.size))

    return (whole(view.knowledge), whole(view.seen)) if dot(view.seen, view.prior) else None


def most_by_tree(tree: Any, where: str, sizes: list[int], v: Shares, w: Shares, room: int) -> Any:
    """What a branch tree proves to be the most of sum(n v) with sum(n w) <= room, as a share."""
    most, stack = 0, [(tree, [0] * len(sizes), sizes, 0)]
    while stack:
        node, lo, hi, depth = stack.pop()
        if node == "over":
            need(sum(map(int.__mul__, lo, w[0])) > room, f"{where}: a part is not over")
        elif type(node) is str:
            multiplier = number(node, where)
            need(multiplier >= 0, f"{where}: a negative multiplier")
            s, t = (multiplier * v[1] / w[1]).as_integer_ratio()
            gains = [t * a - s * b for a, b in zip(v[0], w[0], strict=True)]
            ends = (g * (h if g > 0 else k) for g, k, h in zip(gains, lo, hi, strict=True))
            most = max(most, (s * room + sum(ends)) // t)  # rounded: values are whole
        else:
            c, at, below, above = shape(node, where, "class:i at:c below:a above:a")
            inside = pick(lo, c, where) <= at < pick(hi, c, where)
            need(inside and depth < MAX_DEPTH, f"{where}: a bad branch")
            stack.append((below, lo, [*hi[:c], at, *hi[c + 1 :]], depth + 1))
            stack.append((above, [*lo[:c], at + 1, *lo[c + 1 :]], hi, depth + 1))
    return Fraction(most, v[1])


def enclosed_maximum(
    raw: Any, where: str, views: list[View], shares: list[Any], room: Fraction, swap: bool
) -> tuple[Fraction, Fraction]:
    """A(room), or B(room) if `swap`: attained below, proved above by a tree for each view."""
    keys = "at_least:n view:i inside:l at_most:n trees:l"
    least, at, inside, most, trees = shape(raw, where, keys)
    for i, tree in enumerate(same_length(trees, len(views), where)):
        need((tree is None) == (shares[i] is None), f"{where}.trees[{i}]: null iff not reached")
        if tree is not None:
            w, v = shares[i][:: -1 if swap else 1]
            whole_room = math.floor(room * w[1])
            bound = most_by_tree(tree, f"{where}.trees[{i}]", views[i].size, v, w, whole_room)
            need(bound <= most, f"{where}.trees[{i}] does not show at_most")
    need(pick(shares, at, where) is not None, f"{where}: its view is not reached")
    w, v = shares[at][:: -1 if swap else 1]
    values, weights, last = 0, 0, -1
    for c, raw_count in (same_length(entry, 2, where) for entry in inside):
        n = count(raw_count, where)
        need(n <= pick(views[at].size, c, where) and c > last, f"{where}: inside is not in order")
        values, weights, last = values + n * v[0][c], weights + n * w[0][c], c
    need(weights <= room * w[1], f"{where}: inside is not admitted")
    need(Fraction(values, v[1]) == least, f"{where}: inside does not attain at_least")
    return least, most


def knapsack(views: list[View], claim: Claim, evidence: Any) -> Decision:
    """One prior, every property: enclosures of the greatest after (or before) by branch trees."""
    _, *sides = shape(evidence, "evidence", " ".join(f"{d}:a" for d in ("kind", *claim.directions)))
    shares, above, below = [whole_shares(view) for view in views], [], []
    for direction, side in zip(claim.directions, sides, strict=True):
        down = direction == "downward"
        one, two = shape(side, direction, "rho2_above:a rho1_below:a")
        where = f"{direction}.rho2_above"
        above.append(enclosed_maximum(one, where, views, shares, claim.rho1, down))
        where = f"{direction}.rho1_below"
        below.append(enclosed_maximum(two, where, views, shares, 1 - claim.rho2, not down))
    least, most = (max(ends) for ends in zip(*above, strict=True))
    need(most < claim.rho2 or least >= claim.rho2, "the bounds leave the claim open")
    high, low = (1 - max(ends) for ends in zip(*below, strict=True))
    return least >= claim.rho2, (least, most, low, high)


def farkas(views: list[View], claim: Claim, evidence: Any) -> Decision:
    """A family of priors: rational multipliers show that no view's system has a solution."""
    _, *sides = shape(evidence, "evidence", " ".join(f"{d}:a" for d in ("kind", *claim.directions)))
    rows, about = claim.constraints or [], claim.about
    relations = ["==", ">=", ">=", ">", *(r.replace("<", ">") for _, r, _ in rows)]
    turned = [-1 if "<" in relation else 1 for _, relation, _ in rows]
    constants = [-1, 0, 0, 0, *(-t * row[2] for t, row in zip(turned, rows, strict=True))]
    for direction, side in zip(claim.directions, sides, strict=True):
        up = direction == "upward"
        a, b = (claim.rho1, claim.rho2) if up else (1 - claim.rho2, 1 - claim.rho1)
        for i, tree in enumerate(same_length(side, len(views), direction)):
            where, columns = f"{direction}[{i}]", {}
            for c, (k, kl, q) in enumerate(zip(*views[i][4:6], views[i].member, strict=True)):
                sums = [sum(f for f, j in terms if q[j]) for terms, _, _ in rows]
                tail = [t * s for t, s in zip(turned, sums, strict=True)]
                if about is None or q[about] == up:
                    columns[c, "inside"] = [1, k * (a - 1), kl * (1 - b), kl, *tail]
                if about is None or q[about] != up:
                    columns[c, "outside"] = [1, k * a, -kl * b, kl, *tail]
            stack = [(tree, columns)]
            while stack:
                node, left = stack.pop()
                if type(node) is dict:
                    c, inside, outside = shape(node, where, "class:i inside:a outside:a")
                    alone = pick(views[i].size, c, where) == 1
                    both = {(c, "inside"), (c, "outside")} <= set(left)
                    need(alone and both, f"{where}: a class that cannot be split")
                    for part, gone in ((inside, (c, "outside")), (outside, (c, "inside"))):
                        stack.append((part, {k: left[k] for k in left if k != gone}))
                    continue
                y = [number(m, where) for m in same_length(node, len(relations), where)]
                negative = any(m < 0 and r != "==" for m, r in zip(y, relations, strict=True))
                need(not negative, f"{where}: a negative multiplier")
                rising = any(dot(y, column) > 0 for column in left.values())
                need(not rising, f"{where}: a variable with a positive coefficient")
                strict = any(m > 0 and r == ">" for m, r in zip(y, relations, strict=True))
                constant = dot(y, constants)
                need(constant < 0 or (constant == 0 and strict), f"{where}: no contradiction")
    return False, None


# --- Logarithms: dependence and worst-case information


@functools.lru_cache(maxsize=4096)
def log_bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits ln(x): ln(2^k m) = k ln 2 + 2 atanh((m - 1)/(m + 1))."""
    k = x.numerator.bit_length() - x.denominator.bit_length()
    if k and x != 2:
        ln2, rest = log_bounds(Fraction(2), bits), log_bounds(x / Fraction(2) ** k, bits)
        return k * ln2[k < 0] + rest[0], k * ln2[k > 0] + rest[1]
    if x <= 1:
        lo, hi = log_bounds(1 / x, bits) if x < 1 else (0, 0)
        return -hi, -lo
    z = (x - 1) / (x + 1) * 2**bits  # from 0 to 1/3, scaled
    p, q, lo, hi = math.floor(z), math.ceil(z), 0, 0
    low, high = p * p >> bits, -(-q * q >> bits)
    for n in range(1, 2 * (bits // 3 + 2), 2):
        lo, hi = lo + p // n, hi - (-q // n)
        p, q = p * low >> bits, -(-q * high >> bits)
    return 2 * lo, 2 * (hi + 2 * q + 2)  # the tail is at most 9/8 of the first term left out


def logs_cancel(terms: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether sum of e ln(x) is 0: logarithms of pairwise coprime integers are independent."""
    base: list[int] = []
    todo = [n for _, x in terms for n in x.as_integer_ratio() if n > 1]
    while todo:
        n = todo.pop()
        shared = next((b for b in base if math.gcd(n, b) > 1), 0)
        if shared:
            g = math.gcd(n, shared)
            base.remove(shared)
            todo += [part for part in (g, shared // g, n // g) if part > 1]
        else:
            base.append(n)

    def power(n: int, b: int, k: int = 0) -> int:
        while n % b == 0:
            n, k = n // b, k + 1
        return k

    return not any(
        sum(e * (power(x.numerator, b) - power(x.denominator, b)) for e, x in terms) for b in base
    )


def side_of_bound(view: View, claim: Claim, digits: int) -> int | None:
    """-1, 0, 1: below, at or above the bound; None if the view is not reached."""
    shown = dot(view.size, view.prior, view.likelihood)
    if not shown:
        return None
    rows = zip(view.size, view.prior, view.likelihood, strict=True)
    ratios = [(m * p, likelihood / shown) for m, p, likelihood in rows if p]
    bits, rest = 4 * digits + 128, Fraction(0) if claim.unit == "bit" else -claim.bound
    sums = [[(m * f, f) for m, f in ratios if f]]
    if claim.unit == "bit":
        sums[0].append((-claim.bound, Fraction(2)))
    if claim.measure == "dependence":
        if not all(f for _, f in ratios):
            return 1
        sums = [[(Fraction(1), max(f, 1 / f))] for _, f in ratios]
    sides = []
    for terms in sums:
        logs = [(e, log_bounds(x, bits)) for e, x in terms]
        lo = rest * 2**bits + sum(e * log[e < 0] for e, log in logs)
        hi = rest * 2**bits + sum(e * log[e > 0] for e, log in logs)
        # Such a sum of logarithms is never a rational other than 0 (Baker).
        equal = rest == 0 and lo <= 0 <= hi and logs_cancel(terms)
        need(equal or lo > 0 or hi < 0, f"{digits} digits do not decide")
        sides.append(0 if equal else sign(lo))
    return max(sides)


def enclosure(views: list[View], claim: Claim, evidence: Any) -> Decision:
    """Interval arithmetic decides each view, exact arithmetic those that meet the bound."""
    _, digits, equal = shape(evidence, "evidence", "kind:a digits:i equal:l")
    need(0 < digits <= MAX_DIGITS, f"digits are not from 1 to {MAX_DIGITS}")
    sides = [side_of_bound(view, claim, digits) for view in views]
    meet = [i for i, side in enumerate(sides) if side == 0]
    need(canonical(equal) == canonical(meet), "equal does not list the views that meet the bound")
    return any(breaks(side, claim) for side in sides), None


# --- Witnesses


def read_masses(raw: list[Any], view: View, claim: Claim) -> tuple[list[Any], list[Any]]:
    """The masses of the witness's property, and of all inputs, by class."""
    listed, last, free = {}, -1, claim.prior is None
    for row in raw:
        keys = "class:i inside:c" + " mass_inside:n mass_outside:n" * free
        c, *numbers = shape(row, "a class of the witness", keys)
        pick(view.size, c, "a class of the witness")
        need(c > last, "the witness's classes are in disorder")
        listed[c], last = numbers, c
    inside, everywhere = [], []
    for c, (size, prior, member) in enumerate(zip(*view[1:4], strict=True)):
        n, *masses = listed.get(c, [0, Fraction(0), Fraction(0)])
        u, w = masses if free else (n * prior, (size - n) * prior)
        own = claim.about is None or n == size * member[claim.about]
        need(n <= size and own, "the witness's property is not the claim's, or too large")
        need(u >= 0 and w >= 0, "the witness has a negative mass")
        need((n > 0 or u == 0) and (n < size or w == 0), "the witness has mass on no input")
        inside.append(u)
        everywhere.append(u + w)
    need(sum(everywhere) == 1, "the witness's prior does not sum to 1")
    return inside, everywhere


def replay(witness: Any, views: list[View], claim: Claim, free: bool, digits: int) -> None:
    """Replay a witness in exact arithmetic."""
    keys = "view:i output:v" + " known:a" * (claim.knowing is not None)
    keys += " parameters:a instance:a" * free
    if claim.measure:
        keys += " likely:i unlikely:i value:a" * (claim.measure == "amplification")
    else:
        keys += " direction:t classes:l before:n after:n"
    shape(witness, "witness", keys)
    view = pick(views, witness["view"], "witness.view")
    seen = (canonical(witness["output"]), canonical(witness["known"]) if view.known else b"")
    need(seen == view[-2:], "the witness is of another output than its view")
    if claim.measure == "amplification":
        most, least = (pick(view.likelihood, witness[k], k) for k in ("likely", "unlikely"))
        need(most > 0, "the witness's likely input cannot produce the output")
        shown = spell(most / least) if least else "infinity"
        need(witness["value"] == shown, f"the witness's ratio is {shown}")
        broken = not least or breaks(sign(most / least - claim.bound), claim)
    elif claim.measure:
        broken = breaks(side_of_bound(view, claim, digits), claim)
    else:
        inside, everywhere = read_masses(witness["classes"], view, claim)
        for terms, relation, bound in claim.constraints or []:
            found = sum(f * dot(everywhere, (q[j] for q in view.member)) for f, j in terms)
            need(sign(found - bound) in RELATIONS[relation], "the witness's prior is not admitted")
        before, after = shift(view, inside, everywhere) or (Fraction(0), Fraction(0))
        need(witness["before"] == spell(before), f"the witness's before is {spell(before)}")
        need(witness["after"] == spell(after), f"the witness's after is {spell(after)}")
        need(witness["direction"] in claim.directions, "a breach of a direction not claimed")
        low, high = (before, after)[:: 1 if witness["direction"] == "upward" else -1]
        broken = low <= claim.rho1 and high >= claim.rho2
    need(broken, "the witness does not break the claim")


# --- Free parameters


class Interval(NamedTuple):
    """From low to high; the flags say whether the ends belong."""

    low: End
    low_included: bool
    high: End
    high_included: bool

    def __contains__(self, x: object) -> bool:
        low, high = self.low.side(x), self.high.side(x)
        above = low > 0 or (low == 0 and self.low_included)
        return above and (high < 0 or (high == 0 and self.high_included))


class End(NamedTuple):
    """A rational, or the root of a polynomial between two rationals where its sign changes."""

    low: Fraction
    high: Fraction
    polynomial: Sequence[Fraction] = ()

    def side(self, x: Any) -> int:
        """The sign of x - end."""
        if not self.low < x < self.high:
            return sign(x - self.low) or (1 if x >= self.high and self.polynomial else 0)
        return -sign(self.at(x)) * sign(self.at(self.low))

    def at(self, x: Fraction) -> Fraction:
        """The polynomial's value."""
        return functools.reduce(lambda sum_, c: sum_ * x + c, self.polynomial[::-1], Fraction(0))

    def show(self, name: str) -> str:
        """As it is written for people."""
        if not self.polynomial:
            return spell(self.low)
        low, high = math.floor(self.low * 10**6), math.ceil(self.high * 10**6)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self.side(Fraction(middle, 10**6)) > 0 else (middle, high)
        digits = low if low >= 0 else -high
        common = math.lcm(*(c.denominator for c in self.polynomial))
        whole = [int(c * common) for c in self.polynomial]
        terms = []
        for power, c in enumerate(c // math.gcd(*whole) for c in whole):
            factor = ("" if power == 0 else name) + (f"^{power}" if power > 1 else "")
            scale = "" if abs(c) == 1 and power else str(abs(c)) + ("*" if power else "")
            terms += [("-" if c < 0 else "+", scale + factor)] if c else []
        shown = " ".join(f"{mark} {term}" for mark, term in terms)
        shown = ("-" if shown[0] == "-" else "") + shown[2:]
        minus = "-" if low < 0 else ""
        return f"{minus}{digits // 10**6}.{digits % 10**6:06}... (a root of {shown})"
