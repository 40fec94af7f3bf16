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
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

MAX_BYTES, MAX_CHARACTERS, MAX_DEPTH, MAX_DIGITS, MAX_BITS = 1 << 26, 100_000, 200, 2000, 10**6
LARGEST_PLAIN, LEAST_HEXADECIMAL = 10**15, 10**3999
ZERO, ONE, MILLIONTH = Fraction(0), Fraction(1), Fraction(1, 10**6)
RELATIONS = {"<": (-1,), "<=": (-1, 0), "==": (0,), ">=": (0, 1), ">": (1,)}
INTEGER = re.compile(r"0|-?(?:[1-9][0-9]{0,3998}|0x[1-9a-f][0-9a-f]*)")
# A name must not make the claim's text say something else.
NAME = r"(?!all priors$|(?:.* )?(?:under|for|knowing)(?: .*)?$)[^{}();]*"
ROOT = r"(-?[0-9]+\.[0-9]{6})\.\.\. \(a root of ([^()]+)\)"


class Rejected(Exception):
    """Why a certificate does not hold."""


class CheckResult(NamedTuple):
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
    return sum((math.prod(row) for row in zip(*factors, strict=True)), ZERO)


def sign(x: Any) -> int:
    """-1, 0 or 1."""
    return int(x > 0) - int(x < 0)


# --- Reading JSON, numbers, values and closed forms


def canonical(thing: object) -> bytes:
    """The canonical JSON of a thing."""
    compact: Any = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
    return json.dumps(thing, allow_nan=False, **compact).encode()


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
    hooks: Any = {"object_pairs_hook": unique, "parse_float": refuse, "parse_constant": refuse}
    hooks["parse_int"] = lambda text: int(text) if len(text) < 18 else refuse(text)
    thing = json.loads(data.decode(), **hooks)
    need(canonical(thing) + b"\n" == data, "not in canonical form, ended by one line feed")
    return thing


def spell(number: Fraction | int) -> str:
    """A number as it must be written."""
    parts = number.as_integer_ratio()[: 1 if number.denominator == 1 else 2]
    return "/".join(str(p) if abs(p) < LEAST_HEXADECIMAL else hex(p) for p in parts)


@functools.lru_cache(maxsize=1 << 16)
def number(thing: Any) -> Fraction:
    """A rational in lowest terms, in text."""
    parts = thing.split("/") if type(thing) is str else [""]
    longest = MAX_CHARACTERS // (1 if len(parts) == 1 else 10)  # fractions cost more than integers
    good = all(len(p) <= longest and INTEGER.fullmatch(p) for p in parts)
    need(good and len(parts) <= 2, f"{ascii(thing)[:40]} is not a number in text")
    top, bottom = (int(p, 16 if "x" in p else 10) for p in (*parts, "1")[:2])
    found = Fraction(top, bottom or 1)
    need(spell(found) == thing, f"{thing[:40]} is not in canonical form")
    return found


def count(thing: Any) -> int:
    """How many: a JSON integer up to 10^15, text above."""
    if type(thing) is int and 0 <= thing <= LARGEST_PLAIN:
        return int(thing)
    found = number(thing)
    need(found.denominator == 1 and found > LARGEST_PLAIN, "not a count")
    return int(found)


def text(thing: Any, pattern: str = ".*") -> str:
    """A printable string (no control characters, nothing that turns the text around)."""
    need(type(thing) is str and thing.isprintable(), "not a printable text")
    need(re.fullmatch(pattern, thing), f"{ascii(thing)[:80]} is not allowed here")
    return str(thing)


def value(thing: Any) -> bytes:
    """An input or output, as its canonical text."""
    if type(thing) is dict and set(thing) == {"int"}:
        whole = number(thing["int"])
        need(whole.denominator == 1 and abs(whole) > LARGEST_PLAIN, "an integer not canonical")
    elif type(thing) is dict and set(thing) in ({"tuple"}, {"set"}):
        parts = [value(part) for part in entries(next(iter(thing.values())))]
        ordered = all(a < b for a, b in pairwise(parts))
        need("tuple" in thing or ordered, "a set that is not sorted")
    else:
        small = type(thing) is int and abs(thing) <= LARGEST_PLAIN
        need(small or type(thing) is str, "not a value")
    return canonical(thing)


def exactly(kind: type) -> Callable[[Any], Any]:
    """A reader of one type of JSON (a truth value is not an integer)."""

    def read(thing: Any) -> Any:
        need(kind is object or type(thing) is kind, f"not a JSON {kind.__name__}")
        return thing

    return read


def entries(thing: Any, length: int | None = None) -> list[Any]:
    """A list, of a length if given."""
    need(type(thing) is list, "not a list")
    need(length in (None, len(thing)), f"not a list of {length} entries")
    return list(thing)


def pick(sequence: Sequence[Any], at: Any) -> Any:
    """The entry at a position."""
    good = type(at) is int and 0 <= at < len(sequence)
    need(good, f"{ascii(at)[:40]} is not a position below {len(sequence)}")
    return sequence[at]


READERS: dict[str, Callable[[Any], Any]] = {"n": number, "c": count, "v": value, "t": text}
READERS |= {"a": exactly(object), "b": exactly(bool), "i": exactly(int), "l": entries}
READERS |= {"N": functools.partial(text, pattern=NAME)}
READERS |= {"d": functools.partial(text, pattern="[0-9a-f]{64}")}


@functools.lru_cache(maxsize=64)
def split_keys(keys: str) -> list[list[str]]:
    """The pairs of "key:reader key:reader"."""
    return [key.rsplit(":", 1) for key in keys.split()]


def shape(thing: Any, where: str, keys: str, closed: Callable[[Any], Any] = number) -> list[Any]:
    """The fields of an object with exactly the keys that are listed as "key:reader key:reader"."""
    pairs = split_keys(keys)
    need(type(thing) is dict, f"{where} is not an object")
    wrong = sorted({key for key, _ in pairs} ^ set(thing))
    need(not wrong, f"{where}: missing or unknown: {ascii(wrong)[:99]}")
    found = []
    for key, how in pairs:
        try:
            found.append(closed(thing[key]) if how == "f" else READERS[how](thing[key]))
        except Rejected as error:
            raise Rejected(f"{where}.{key}: {error}") from None
    return found


LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


def evaluate(form: Any, point: Mapping[str, Fraction]) -> Fraction:
    """A closed form at a point, by climbing over the precedence of + - * / ^."""
    need(type(form) is str and len(form) <= MAX_CHARACTERS, "not a closed form")
    tokens = ["", *re.findall(r"[0-9]+|[^\W\d]\w*|\S", form)[::-1]]

    def bits(x: Fraction) -> int:
        return max(map(abs, x.as_integer_ratio())).bit_length()

    def climb(level: int) -> Fraction:
        token = tokens.pop() if len(tokens) > 1 else ""
        if token == "-":
            left = -climb(3)
        elif token == "(":
            left = climb(0)
            need(len(tokens) > 1 and tokens.pop() == ")", "a parenthesis is missing")
        elif re.fullmatch("[0-9]{1,4000}", token):
            left = Fraction(int(token))
        else:
            need(token in point, f"{ascii(token)[:40]} is not a parameter")
            left = point[token]
        while LEVELS.get(tokens[-1], -1) >= level:
            sort = tokens.pop()
            right = climb(LEVELS[sort] + (sort != "^"))
            if sort == "^":
                wild = right.denominator > 1 or bits(left) * abs(right) > MAX_BITS
                need(not wild and (left or right >= 0), "a wild power")
                left = left ** int(right)
            elif sort in "*/":
                need(sort == "*" or right, "division by zero")
                left = left * right if sort == "*" else left / right
            else:
                left = left + right if sort == "+" else left - right
            need(bits(left) <= MAX_BITS, "too large a number")
        return left

    found = climb(0)
    need(tokens == [""], f"{ascii(form)[:40]} is not a closed form")
    return found


# --- The claim and the views


class Claim(NamedTuple):
    """What was claimed; `about`: the position of the one property; `measure`: "" for breaches."""

    text: str
    prior: str | None
    measure: str = ""
    relation: str = ""
    bound: Fraction = ZERO
    unit: str | None = None
    directions: tuple[str, ...] = ()
    rho1: Fraction = ZERO
    rho2: Fraction = ZERO
    constraints: list[tuple[list[tuple[Fraction, int]], str, Fraction]] | None = None
    properties: Sequence[str] = ()
    about: int | None = None
    knowing: str | None = None


def read_claim(raw: Any) -> Claim:
    """The claim, with the text that its other fields determine."""
    if type(raw) is dict and raw.get("kind") == "bound":
        keys = "kind:t text:t measure:t relation:t bound:n prior:a unit:a properties:l"
        _, _, measure, relation, bound, prior, unit, names = shape(raw, "claim", keys)
        units: Any = {"amplification": (None,), "dependence": (None,)}
        units["worst_case_information"] = ("bit", "nat")
        need(unit in units.get(measure, ()), "unknown measure, or a unit that it does not have")
        need(relation in ("<", "<=") and not names, "unknown relation, or properties")
        need((prior is None) == (measure == "amplification"), "a prior too many or missing")
        said = f"require {measure}" + (f"({text(prior, NAME)})" if prior is not None else "")
        said += f" {relation} {spell(bound)}" + (f" {unit}" if unit else "")
        return Claim(said, prior, measure, relation, bound, unit)
    keys = "kind:t text:t direction:t rho1:n rho2:n under:a properties:l for:a knowing:a"
    kind, _, direction, rho1, rho2, under, names, about, knowing = shape(raw, "claim", keys)
    need(kind == "breach" and direction in ("both", "upward", "downward"), "unknown sort of claim")
    need(0 < rho1 < rho2 < 1, "not 0 < rho1 < rho2 < 1")
    need(len({text(entry, NAME) for entry in names}) == len(names), "two properties of one name")
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
            terms, sums = [], ""
            for raw_factor, i in (entries(term, 2) for term in raw_terms):
                factor, of = number(raw_factor), f"mass({pick(names, i)})"
                mark = "-" if factor < 0 else "+"
                sums += f" {mark} " if sums else mark.strip("+")
                sums += of if abs(factor) == 1 else f"{spell(abs(factor))} * {of}"
                terms.append((factor, i))
            constraints.append((terms, relation, bound))
            shown.append(f"{sums or '0'} {relation} {spell(bound)}")
        said += " under { " + "; ".join(shown) + " }"
    said += "" if knowing is None else f" knowing {text(knowing, NAME)}"
    said += "" if about is None else f" for {pick(names, about)}"
    both = ("upward", "downward") if direction == "both" else (direction,)
    rest = (constraints, names, about, knowing)
    return Claim(said, prior, "", "", ZERO, None, both, rho1, rho2, *rest)


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


def read_view(raw: Any, where: str, claim: Claim, closed: Any) -> tuple[View, int, list[Any]]:
    """A view by itself, how many outputs show it, and (kind, example) of each class."""
    knows, named, properties = claim.knowing is not None, claim.prior is not None, claim.properties
    keys = "classes:l outputs:c output:v" + " known:v" * knows
    classes, outputs, output, *known = shape(raw, where, keys)
    need(outputs >= 1, f"{where} is the view of no output")
    keys = "likelihood:f count:c example:v" + " member:l" * bool(properties)
    keys += " prior:f" * named + " knowledge:f" * knows
    rows, marks = [], []
    for part in classes:
        likelihood, size, example, *rest = shape(part, where, keys, closed)
        member = tuple(rest.pop(0)) if properties else ()
        prior, knowledge = rest.pop(0) if named else ONE, rest.pop() if knows else ONE
        good = len(member) == len(properties) and all(type(m) is bool for m in member)
        need(good, f"{where}: bad membership")
        need(size >= 1, f"{where}: a class without inputs")
        need(likelihood >= 0, f"{where}: a likelihood below 0")
        need(0 <= prior <= 1 and 0 <= knowledge <= 1, f"{where}: a probability not in [0, 1]")
        rows.append((likelihood, size, prior, member, knowledge, likelihood * knowledge))
        marks.append(((part.get("prior"), member, part.get("knowledge")), example))
    need(rows and len({example for _, example in marks}) == len(rows), f"{where}: an example twice")
    columns: Any = [*map(list, zip(*rows, strict=True)), output, known[0] if known else b""]
    return View(*columns), outputs, marks


def read_views(operator: dict[str, Any], claim: Claim, closed: Any = number) -> list[View]:
    """The views, which must be able to belong to an operator."""
    inputs, all_outputs = count(operator["inputs"]), count(operator["outputs"])
    relative = operator["likelihoods"] == "relative"
    bare = claim.prior is None and claim.constraints is None and claim.knowing is None
    need(not relative or (bare and not claim.properties), "relative likelihoods: all priors only")
    views: list[View] = []
    shown: Counter[bytes] = Counter()
    kinds: dict[bytes, Counter[Any]] = {}  # by what is known: how many inputs of each kind,
    masses: dict[bytes, Any] = {}  # and the sum of all their likelihoods
    totals: dict[Any, Any] = {}  # by kind but for knowledge: the sum of knowledge
    kind_of: dict[Any, Any] = {}
    for i, raw in enumerate(operator["views"]):
        where = f"views[{i}]"
        view, outputs, marks = read_view(raw, where, claim, closed)
        here: Counter[Any] = Counter()
        mass = masses.setdefault(view.known, Counter())
        for (kind, example), n, likelihood in zip(marks, view.size, view.likelihood, strict=True):
            here[kind] += n
            mass[kind] += outputs * n * likelihood
            same = kind_of.setdefault(example, kind[:2]) == kind[:2]
            same = same and kind_of.setdefault((view.known, example), kind) == kind
            need(same, f"{where}: an example is of another kind than elsewhere")
        if view.known not in kinds:
            for (kind, _), n, knowledge in zip(marks, view.size, view.knowledge, strict=True):
                totals[kind[:2]] = totals.get(kind[:2], 0) + n * knowledge
        need(relative or max(view.likelihood) <= 1, f"{where}: a likelihood above 1")
        need(sum(view.size) == inputs, f"{where}: counts do not sum to the inputs")
        alike = kinds.setdefault(view.known, here) == here
        need(alike, f"{where}: kinds of inputs not as elsewhere")
        good = claim.prior is None or dot(view.size, view.prior) == 1
        need(good, f"{where}: the prior does not sum to 1")
        shown[view.known] += outputs
        views.append(view)
    need(views and len({v[-2:] for v in views}) == len(views), "no views, or an output twice")
    need(set(shown.values()) == {all_outputs}, "outputs do not sum to the operator's")
    need(relative or masses == kinds, "likelihoods do not sum to 1 for each input")
    need(any(map(any, (view.likelihood for view in views))), "no output is ever seen")
    for group in kinds.values() if claim.knowing is not None else ():
        left = dict(totals)
        for kind, n in group.items():
            left[kind[:2]] = left.get(kind[:2], 0) - n
        need(not any(left.values()), "probabilities of what is known do not sum to 1")
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
    above, below, breached = ZERO, ONE, False
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


def shift(view: View, inside: list[Any], everywhere: list[Any]) -> list[Fraction]:
    """P[Q | z] and P[Q | y, z] from the masses of Q and of all inputs; [] if not reached."""
    sides = (view.knowledge, view.seen)
    if not dot(view.seen, everywhere):
        return []
    return [dot(side, inside) / dot(side, everywhere) for side in sides]


def arithmetic(views: list[View], claim: Claim) -> Decision:
    """One prior and one property: compute before and after on each reached view."""
    above, below, breached = ZERO, ONE, False
    for view in views:
        masses = [n * p for n, p in zip(view.size, view.prior, strict=True)]
        own = [m * q[claim.about or 0] for m, q in zip(masses, view.member, strict=True)]
        found = shift(view, own, masses)
        for direction in claim.directions if found else ():
            low, high = found[:: 1 if direction == "upward" else -1]
            above = max(above, high) if low <= claim.rho1 else above
            below = min(below, low) if high >= claim.rho2 else below
            breached |= low <= claim.rho1 and high >= claim.rho2
    return breached, (above, above, below, below)


Shares = tuple[list[int], int]


def whole_shares(view: View) -> list[Shares] | None:
    """What one input of each class adds to before and to after: integers, and their total."""
    found: list[Shares] = []
    for likely in (view.knowledge, view.seen):
        parts = [k * p for k, p in zip(likely, view.prior, strict=True)]
        common = math.lcm(*(part.denominator for part in parts))
        scaled = [int(part * common) for part in parts]
        divisor = math.gcd(*scaled) or 1
        scaled = [part // divisor for part in scaled]
        found.append((scaled, sum(map(int.__mul__, scaled, view.size))))
    return found if found[1][1] else None


def most_by_tree(tree: Any, sizes: list[int], w: Shares, v: Shares, room: int) -> Fraction:
    """What a branch tree proves to be the most of sum(n v) with sum(n w) <= room, as a share."""
    most, stack = 0, [(tree, [0] * len(sizes), sizes, 0)]
    while stack:
        node, lo, hi, depth = stack.pop()
        if node == "over":
            need(sum(map(int.__mul__, lo, w[0])) > room, "a part is not over")
        elif type(node) is str:
            need(number(node) >= 0, "a negative multiplier")
            s, t = (number(node) * v[1] / w[1]).as_integer_ratio()
            gains = [t * a - s * b for a, b in zip(v[0], w[0], strict=True)]
            ends = (g * (h if g > 0 else k) for g, k, h in zip(gains, lo, hi, strict=True))
            most = max(most, (s * room + sum(ends)) // t)  # rounded: values are whole
        else:
            c, at, below, above = shape(node, "a branch", "class:i at:c below:a above:a")
            need(pick(lo, c) <= at < hi[c] and depth < MAX_DEPTH, "a bad branch")
            stack.append((below, lo, [*hi[:c], at, *hi[c + 1 :]], depth + 1))
            stack.append((above, [*lo[:c], at + 1, *lo[c + 1 :]], hi, depth + 1))
    return Fraction(most, v[1])


def enclosed_maximum(
    raw: Any, views: list[View], shares: list[Any], room: Fraction, swap: bool
) -> tuple[Fraction, Fraction]:
    """A(room), or B(room) if `swap`: attained below, proved above by a tree for each view."""
    keys = "at_least:n view:i inside:l at_most:n trees:l"
    least, at, inside, most, trees = shape(raw, "a bound", keys)
    for i, tree in enumerate(entries(trees, len(views))):
        need((tree is None) == (shares[i] is None), f"trees[{i}]: null iff not reached")
        if tree is not None:
            w, v = shares[i][:: -1 if swap else 1]
            bound = most_by_tree(tree, views[i].size, w, v, math.floor(room * w[1]))
            need(bound <= most, f"trees[{i}] does not show at_most")
    need(pick(shares, at) is not None, "a bound's view is not reached")
    w, v = shares[at][:: -1 if swap else 1]
    values, weights, last = 0, 0, -1
    for c, raw_count in (entries(entry, 2) for entry in inside):
        n = count(raw_count)
        need(n <= pick(views[at].size, c) and c > last, "inside is not in order")
        values, weights, last = values + n * v[0][c], weights + n * w[0][c], c
    need(weights <= room * w[1], "inside is not admitted")
    need(Fraction(values, v[1]) == least, "inside does not attain at_least")
    return least, most


def knapsack(views: list[View], claim: Claim, evidence: Any) -> Decision:
    """One prior, every property: enclosures of the greatest after (or before) by branch trees."""
    _, *sides = shape(evidence, "evidence", " ".join(f"{d}:a" for d in ("kind", *claim.directions)))
    shares, above, below = [whole_shares(view) for view in views], [], []
    for direction, side in zip(claim.directions, sides, strict=True):
        down = direction == "downward"
        one, two = shape(side, direction, "rho2_above:a rho1_below:a")
        above.append(enclosed_maximum(one, views, shares, claim.rho1, down))
        below.append(enclosed_maximum(two, views, shares, 1 - claim.rho2, not down))
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
        for view, tree in zip(views, entries(side, len(views)), strict=True):
            columns = {}
            for c, (q, k, kl) in enumerate(zip(*view[3:6], strict=True)):
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
                    c, inside, outside = shape(node, "a branch", "class:i inside:a outside:a")
                    both = {(c, "inside"), (c, "outside")} <= set(left)
                    need(pick(view.size, c) == 1 and both, "a class that cannot be split")
                    for part, gone in ((inside, (c, "outside")), (outside, (c, "inside"))):
                        stack.append((part, {k: left[k] for k in left if k != gone}))
                    continue
                y = [number(m) for m in entries(node, len(relations))]
                negative = any(m < 0 and r != "==" for m, r in zip(y, relations, strict=True))
                need(not negative, "a negative multiplier")
                rising = any(dot(y, column) > 0 for column in left.values())
                need(not rising, "a variable with a positive coefficient")
                strict = any(m > 0 and r == ">" for m, r in zip(y, relations, strict=True))
                constant = dot(y, constants)
                need(constant < 0 or (constant == 0 and strict), "no contradiction")
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

    def total(b: int) -> Fraction:
        return sum((e * (power(x.numerator, b) - power(x.denominator, b)) for e, x in terms), ZERO)

    return not any(map(total, base))


def side_of_bound(view: View, claim: Claim, digits: int) -> int | None:
    """-1, 0, 1: below, at or above the bound; None if the view is not reached."""
    shown = dot(view.size, view.prior, view.likelihood)
    if not shown:
        return None
    rows = zip(view.size, view.prior, view.likelihood, strict=True)
    ratios = [(m * p, likelihood / shown) for m, p, likelihood in rows if p]
    bits, rest = 4 * digits + 128, ZERO if claim.unit == "bit" else -claim.bound
    sums = [[(m * f, f) for m, f in ratios if f]]
    if claim.unit == "bit":
        sums[0].append((-claim.bound, Fraction(2)))
    if claim.measure == "dependence":
        if not all(f for _, f in ratios):
            return 1
        sums = [[(ONE, max(f, 1 / f))] for _, f in ratios]
    sides = []
    for terms in sums:
        logs = [(e, log_bounds(x, bits)) for e, x in terms]
        lo, hi = (rest * 2**bits + sum(e * log[(e < 0) ^ i] for e, log in logs) for i in (0, 1))
        # Such a sum of logarithms is never a rational other than 0 (Baker).
        equal = rest == 0 and lo <= 0 <= hi and logs_cancel(terms)
        need(equal or lo > 0 or hi < 0, f"{digits} digits do not decide")
        sides.append(0 if equal else sign(lo))
    return max(sides)


def enclosure(views: list[View], claim: Claim, evidence: Any, witness: Any) -> Decision:
    """Interval arithmetic decides each view, exact arithmetic those that meet the bound."""
    _, digits, equal = shape(evidence, "evidence", "kind:a digits:i equal:l")
    need(0 < digits <= MAX_DIGITS, f"digits are not from 1 to {MAX_DIGITS}")
    meet = [side_of_bound(pick(views, i), claim, digits) == 0 for i in equal]
    growing = all(a < b for a, b in pairwise(equal))
    need(all(meet) and growing, "equal is not a list of views that meet the bound")
    # A breach needs one view, which the witness replays; its absence needs them all.
    looked = range(len(views)) if type(witness) is not dict else [witness.get("view")]
    sides = {i: side_of_bound(pick(views, i), claim, digits) for i in looked}
    need(all((side == 0) == (i in equal) for i, side in sides.items()), "equal lacks a view")
    return any(breaks(side, claim) for side in sides.values()), None


# --- Witnesses


def read_masses(raw: list[Any], view: View, claim: Claim) -> tuple[list[Any], list[Any]]:
    """The masses of the witness's property, and of all inputs, by class."""
    listed, last, free = {}, -1, claim.prior is None
    keys = "class:i inside:c" + " mass_inside:n mass_outside:n" * free
    for row in raw:
        c, *listed[c] = shape(row, "a class of the witness", keys)
        need(pick(view.size, c) and c > last, "the witness's classes are in disorder")
        last = c
    inside, everywhere = [], []
    for c, (size, prior, member) in enumerate(zip(*view[1:4], strict=True)):
        n, *masses = listed.get(c, [0, ZERO, ZERO])
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
    keys = "view:i output:a" + " known:a" * (claim.knowing is not None)
    keys += " parameters:a instance:a" * free
    keys += " likely:i unlikely:i value:a" * (claim.measure == "amplification")
    keys += " direction:t classes:l before:n after:n" * (not claim.measure)
    shape(witness, "witness", keys)
    view = pick(views, witness["view"])
    seen = (canonical(witness["output"]), canonical(witness["known"]) if view.known else b"")
    need(seen == view[-2:], "the witness is of another output than its view")
    if claim.measure == "amplification":
        most, least = (pick(view.likelihood, witness[k]) for k in ("likely", "unlikely"))
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
        moved = shift(view, inside, everywhere)
        need(moved, "the witness's output is never seen")
        said = [number(witness[key]) for key in ("before", "after")]
        need(said == moved, f"before and after are {' and '.join(map(spell, moved))}")
        need(witness["direction"] in claim.directions, "a breach of a direction not claimed")
        low, high = moved[:: 1 if witness["direction"] == "upward" else -1]
        broken = low <= claim.rho1 and high >= claim.rho2
    need(broken, "the witness does not break the claim")


# --- Free parameters


class End(NamedTuple):
    """A rational, or the root of a polynomial between two rationals where its sign changes."""

    low: Fraction
    high: Fraction
    polynomial: Sequence[Fraction] = ()

    def side(self, x: Any) -> int:
        """The sign of x - end."""
        if not self.low < x < self.high:
            return sign(x - self.low) or -int(bool(self.polynomial))
        return -sign(self.at(x)) * sign(self.at(self.low))

    def at(self, x: Fraction) -> Fraction:
        """The polynomial's value."""
        return functools.reduce(lambda total, c: total * x + c, self.polynomial[::-1], ZERO)


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


def read_interval(raw: str) -> Interval:
    """An interval as it is declared."""
    match = re.fullmatch(r"([(\[])([^,]+), ([^,]+)([)\]])", raw)
    left, *ends, right = match.groups() if match else ("", "0", "0", "")
    low, high = map(number, ends)
    need(low < high, f"{raw} is not an interval")
    return Interval(End(low, low), left == "[", End(high, high), right == "]")


def read_end(raw: Any) -> End:
    """An end of an interval of the region."""
    if type(raw) is str:
        return End(number(raw), number(raw))
    coefficients, between = shape(raw, "region", "polynomial:l between:l")
    low, high = map(number, entries(between, 2))
    end = End(low, high, [number(c) for c in coefficients])
    need(low < high and end.at(low) * end.at(high) < 0, "region: no change of sign at an end")
    return end


def read_region(raw: Any, declared: Interval, parameter: Any) -> list[Interval]:
    """The intervals in which the claim is said to hold, with the text that they determine."""
    p, interval, rows, said = shape(raw, "region", "parameter:t declared:t holds:l text:t")
    need({"name": p, "interval": interval} == parameter, "region of another parameter")
    holds: list[Interval] = []
    parts, roots = [], []

    def show(end: End) -> str:
        roots.extend([end] if end.polynomial else [])
        return ROOT if end.polynomial else re.escape(spell(end.low))

    for row in rows:
        low, low_in, high, high_in = shape(
            row, "region", "from:a from_included:b to:a to_included:b"
        )
        part = Interval(read_end(low), low_in, read_end(high), high_in)
        low, high = part.low, part.high
        need(low.low < high.high or (low_in and high_in), "region: an empty interval")
        inside = all(end.low in declared for end, flag in (part[:2], part[2:]) if flag)
        apart = not holds or holds[-1].high != low or not (holds[-1].high_included or low_in)
        need(inside and apart, "region: intervals that touch, or leave the declared range")
        signs = ["<" + "=" * low_in, "<" + "=" * high_in, ">" + "=" * low_in]
        if low == high:
            parts.append(f"{p} = {show(low)}")
        elif part[:2] == declared[:2]:
            parts.append(f"{p} {signs[1]} {show(high)}")
        elif part[2:] == declared[2:]:
            parts.append(f"{p} {signs[2]} {show(low)}")
        else:
            parts.append(f"{show(low)} {signs[0]} {p} {signs[1]} {show(high)}")
        holds.append(part)
    ends = [declared.low, *(end for part in holds for end in part[::2]), declared.high]
    need(all(a.high <= b.low for a, b in pairwise(ends)), "region: intervals in disorder")
    every = re.escape(f"{'every' if holds else 'no'} {p} in {interval}")
    match = re.fullmatch(every if holds in ([], [declared]) else " or ".join(parts), said)
    need(match, "the region's text does not say what it holds")
    found = match.groups() if match else ()
    for root, decimal, form in zip(roots, found[::2], found[1::2], strict=False):
        near = Fraction(decimal)
        around = (near, near + (-MILLIONTH if "-" in decimal else MILLIONTH))
        turns = math.prod(root.side(x) for x in around) < 0
        turns = turns and math.prod(evaluate(form, {p: x}) for x in around) < 0
        need(turns, "the region's text shows another root")
    return holds


def sample_points(region: list[Interval], declared: Interval) -> Iterator[Fraction]:
    """Points at, beside and between the ends of a region, inside the declared range."""
    ends = {e for part in (declared, *region) for end in part[::2] for e in end[:2]}
    step = (declared.high.high - declared.low.low) / 10**9
    near = {e + k * step for e in ends for k in (-1, 0, 1)}
    middles = {(a + b) / 2 for a, b in pairwise(sorted(ends))}
    yield from (x for x in sorted(near | middles) if x in declared)


def check_parametric(cert: Any, claim: Claim, kind: str, intervals: dict[str, Interval]) -> None:
    """Free parameters: closed forms at sample points, the witness at its own point."""
    operator, witness, breached = cert["operator"], cert["witness"], cert["verdict"] == "breached"

    def views_at(point: Mapping[str, Fraction]) -> list[View]:
        return read_views(operator, claim, functools.partial(evaluate, point=point))

    region: list[Interval] = []
    only, declared = next(iter(intervals.items()))
    if kind == "region":
        region = read_region(cert["region"], declared, operator["parameters"][0])
        need(breached == (region != [declared]), "the verdict is not that of the region")
        rule = {"ratio": ratio, "arithmetic": arithmetic}.get(kinds_of_evidence(claim, 0)[0])
        for x in sample_points(region, declared):
            views = views_at({only: x})
            wrong = rule and rule(views, claim)[0] == any(x in part for part in region)
            need(not wrong, f"the region is wrong at {x}")
    else:
        need(breached == (kind == "witness"), f"evidence {kind} for {cert['verdict']}")
        for share in (Fraction(1, 2), Fraction(1, 7)):
            ends = {key: (i.low.low, i.high.low) for key, i in intervals.items()}
            views_at({key: low + share * (high - low) for key, (low, high) in ends.items()})
    if breached:
        need(type(witness) is dict, "witness is not an object")
        keys = " ".join(f"{key}:n" for key in intervals)
        values = shape(witness.get("parameters"), "witness.parameters", keys)
        point = dict(zip(intervals, values, strict=True))
        inside = all(x in intervals[key] for key, x in point.items())
        need(inside, "the witness's parameters are out of range")
        need(not any(point[only] in part for part in region), "the witness lies in the region")
        replay(witness, views_at(point), claim, True, 99)
        raw = operator["views"][witness["view"]]
        closed = ("likelihood", "prior", "knowledge")
        classes = [
            {k: spell(evaluate(v, point)) if k in closed else v for k, v in part.items()}
            for part in raw["classes"]
        ]
        same = canonical(witness["instance"]) == canonical({**raw, "classes": classes})
        need(same, "the witness's instance is not its view at these parameters")


# --- The certificate as a whole


def thresholds_of(ends: Ends | None, claim: Claim) -> Any:
    """The thresholds as they must be written, clipped to what rho1 and rho2 allow."""
    if ends is None:
        return None
    above = [min(max(end, claim.rho1), ONE) for end in ends[:2]]
    below = [max(min(end, claim.rho2), ZERO) for end in ends[2:]]
    shown = []
    for (low, high), nothing in ((above, 1), (below, 0)):
        enclosed = {"lo": spell(low), "hi": spell(high)}
        shown.append(enclosed if low < high else None if low == nothing else spell(low))
    return dict(zip(("rho2_above", "rho1_below"), shown, strict=True))


def kinds_of_evidence(claim: Claim, parameters: int) -> list[str]:
    """What evidence suits a claim; where arithmetic decides, no solver is trusted."""
    if parameters:
        return ["witness", "solver", *["region"] * (parameters == 1)]
    if claim.measure:
        return ["ratio" if claim.measure == "amplification" else "enclosure"]
    if claim.constraints is not None:
        return ["farkas", "witness", "solver"]
    if claim.prior is None or claim.about is not None:
        return ["ratio" if claim.prior is None else "arithmetic", "witness"]
    return ["knapsack", "witness", "solver"]


def check_frame(cert: Any, directory: Path | None) -> None:
    """Everything but claim and proof: shape, digests, and that trust is what the evidence earns."""
    keys = "format:t claim:a model:a operator:a verdict:t trust:t reason:t evidence:a witness:a"
    shape(cert, "certificate", keys + " thresholds:a region:a smt:l versions:a sha256:d")
    need(cert["format"] == "ppdm-certificate/1", "unknown format")
    need(cert["verdict"] in ("certified", "breached"), "unknown verdict")
    need((cert["witness"] is None) == (cert["verdict"] == "certified"), "a breach has a witness")
    body = {key: cert[key] for key in cert if key != "sha256"}
    need(cert["sha256"] == digest(body), "sha256 is not the digest of the certificate")
    operator, evidence, model = cert["operator"], cert["evidence"], cert["model"]
    keys = "name:t inputs:c outputs:c likelihoods:t parameters:l views:l views_sha256:d"
    shape(operator, "operator", keys)
    need(operator["views_sha256"] == digest(operator["views"]), "views_sha256 is not their digest")
    need(operator["likelihoods"] in ("probabilities", "relative"), "unknown sort of likelihoods")
    versions = cert["versions"]
    good = type(versions) is dict and {"ppdm_formal", "python"} <= set(versions)
    need(good and all(map(text, versions.values())), "versions are missing")
    if model is not None:
        _, _, chosen, files = shape(model, "model", "file:t sha256:d set:a files:l")
        need(type(chosen) is dict, "model.set is not an object")
        for entry in chosen.values():
            number(entry)
        for file in files:
            shape(file, "model.files", "file:t sha256:d")
    need(type(evidence) is dict, "evidence is not an object")
    questions, trust = [], "re-checked exactly"
    for entry in cert["smt"]:
        file, _, _, answer = shape(entry, "smt", "file:t sha256:d solver:t answer:t")
        need(answer in ("sat", "unsat", "unknown"), "smt: unknown answer")
        need(re.fullmatch(r"[^/\\:]+", file) and file.strip("."), "smt: not the name of a file")
    if evidence.get("kind") in ("solver", "region"):
        _, places = shape(evidence, "evidence", "kind:t questions:l")
        questions = [pick(cert["smt"], at) for at in places]
        need(places and len(set(places)) == len(places), "no question, or one twice")
        need(all(q["answer"] == "unsat" for q in questions), "an answer that is not unsat")
        trust = f"solver-trusted ({', '.join(dict.fromkeys(q['solver'] for q in questions))})"
    need(cert["trust"] == trust, f"the evidence is {trust}")
    for entry in cert["smt"] if directory is not None else []:
        path = Path(directory or "", entry["file"])
        need(path.is_file() or entry not in questions, f"{path.name} is not beside the certificate")
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else entry["sha256"]
        need(found == entry["sha256"], f"{path.name} is not the question that was asked")


def verify(cert: Any, directory: Path | None) -> Claim:
    """Check a certificate, apart from what is compared with the model; its claim."""
    check_frame(cert, directory)
    claim, operator, evidence = read_claim(cert["claim"]), cert["operator"], cert["evidence"]
    need(cert["claim"]["text"] == claim.text, f"the claim's text does not say {claim.text}")
    rows = [shape(raw, "parameters", "name:t interval:t") for raw in operator["parameters"]]
    intervals = {key: read_interval(interval) for key, interval in rows}
    good = len(intervals) == len(rows) and all(map(str.isidentifier, intervals))
    need(good, "a parameter twice, or one without a name")
    suits, kind = kinds_of_evidence(claim, len(rows)), evidence.get("kind")
    need(kind in suits, f"the evidence of such a claim is {' or '.join(suits)}")
    need(kind == "region" or cert["region"] is None, "a region without its evidence")
    if kind in ("ratio", "arithmetic", "witness"):
        shape(evidence, "evidence", "kind:t")
    ends = None
    if intervals:
        check_parametric(cert, claim, kind, intervals)
    else:
        views, breached = read_views(operator, claim), kind == "witness"
        if kind in ("ratio", "arithmetic"):
            breached, ends = (ratio if kind == "ratio" else arithmetic)(views, claim)
        elif kind in ("knapsack", "farkas"):
            breached, ends = (knapsack if kind == "knapsack" else farkas)(views, claim, evidence)
        elif kind == "enclosure":
            breached, ends = enclosure(views, claim, evidence, cert["witness"])
        said = cert["verdict"] == "breached"
        need(breached == said, f"the views and the evidence do not say {cert['verdict']}")
        if breached:
            replay(cert["witness"], views, claim, False, evidence.get("digits", 1))
    shown = thresholds_of(ends, claim)
    need(canonical(cert["thresholds"]) == canonical(shown), f"the thresholds are {shown}")
    return claim


def check_certificate(
    data: bytes | dict[str, Any],
    *,
    views: list[Any] | dict[str, Any] | None = None,
    model: dict[str, Any] | None = None,
    directory: Path | None = None,
    allow_solver_trusted: bool = False,
) -> CheckResult:
    """Check one certificate; never raises.

    views: the views derived anew from the model (or the whole `operator` object), to be the same
    as the certificate's. model: the `model` object derived anew, of which the digests and the
    values set must be the same. directory: where the solver questions lie.
    """
    try:
        cert = parse(data if isinstance(data, bytes) else canonical(data) + b"\n")
        claim = verify(cert, directory)
        if views is not None:
            mine = cert["operator"] if isinstance(views, dict) else cert["operator"]["views"]
            need(canonical(mine) == canonical(views), "the views are not those of the model")
        if model is not None:
            mine = {**(cert["model"] or {}), "file": ""}
            need(canonical(mine) == canonical({**model, "file": ""}), "made from another model")
    except Rejected as error:
        return CheckResult("rejected", str(error))
    except Exception as error:  # whatever cannot be read does not hold
        return CheckResult("rejected", f"cannot be read: {type(error).__name__}: {error}"[:200])
    finally:
        number.cache_clear()
        log_bounds.cache_clear()
    exact = cert["trust"] == "re-checked exactly"
    status = "accepted" if exact or allow_solver_trusted else "solver-trusted"
    return CheckResult(status, cert["trust"], claim.text, cert["verdict"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the certificates that are named on the command line."""
    parser = argparse.ArgumentParser(description="Check certificates of ppdm_formal.")
    parser.add_argument("certificates", nargs="+", type=Path, metavar="CERTIFICATE")
    parser.add_argument("--allow-solver-trusted", action="store_true")
    options = parser.parse_args(arguments)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    allow, codes = options.allow_solver_trusted, {0}
    for path in options.certificates:
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            print(f"{path}: cannot be read: {error.strerror}")
            codes.add(2)
            continue
        result = check_certificate(data, directory=path.parent, allow_solver_trusted=allow)
        codes.add({"accepted": 0, "rejected": 4, "solver-trusted": 3}[result.status])
        said = f"{result.verdict}: {result.claim}; " if result.claim else ""
        print(f"{path}: {result.status}: {said}{result.reason}")
    return next(code for code in (2, 4, 3, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main())
