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
import operator
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

MAX_BYTES, MAX_HEXADECIMAL, MAX_SIDE = 1 << 26, 2_000_000, 10_000  # file, integer, side of a /
MAX_DEPTH, MAX_DIGITS, MAX_BITS = 200, 2000, 10**6
LARGEST_PLAIN, LEAST_HEXADECIMAL = 10**15, 10**3999
ZERO, ONE = Fraction(0), Fraction(1)
RELATIONS: Any = {"<": operator.lt, "<=": operator.le, "==": operator.eq}
RELATIONS |= {">=": operator.ge, ">": operator.gt}
INTEGER = re.compile(r"0|-?(?:[1-9][0-9]{0,3998}|0x[1-9a-f][0-9a-f]*)")
# A name must not make the claim's text say something else.
NAME = r"(?!all priors$|(?:.* )?(?:under|for|knowing)(?: .*)?$)[^{}();]*"
ROOT = r"-?[0-9]+\.[0-9]{6}\.\.\. \(a root of [^()]+\)"


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


def dot(*factors: Any) -> Any:
    """The sum of products."""
    return sum(map(math.prod, zip(*factors, strict=True)))


# --- Reading: canonical JSON, of which every key is known and every type is right


def canonical(thing: object) -> bytes:
    """The canonical JSON of a thing."""
    compact: Any = {"sort_keys": True, "separators": (",", ":"), "ensure_ascii": False}
    return json.dumps(thing, allow_nan=False, **compact).encode()


def digest(data: bytes) -> str:
    """SHA-256."""
    return hashlib.sha256(data).hexdigest()


def parse(data: bytes) -> Any:
    """JSON in canonical form (hence no key twice), followed by one line feed."""

    def whole(text: str) -> int:
        need(re.fullmatch("-?[0-9]{1,16}", text), f"{text[:20]}: not exact, or to be a text")
        return int(text)

    need(len(data) <= MAX_BYTES, f"longer than {MAX_BYTES} bytes")
    thing = json.loads(data.decode(), parse_float=whole, parse_constant=whole, parse_int=whole)
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
    longest = MAX_HEXADECIMAL if len(parts) == 1 else MAX_SIDE  # lowest terms take long to find
    good = all(len(p) <= longest and INTEGER.fullmatch(p) for p in parts)
    need(good and len(parts) <= 2, f"{ascii(thing)[:40]} is not a number in text")
    top, bottom = (int(p, 16 if "x" in p else 10) for p in (*parts, "1")[:2])
    found = Fraction(top, bottom or 1)
    need(spell(found) == thing, f"{thing[:40]} is not in canonical form")
    return found


def count(thing: Any) -> int:
    """How many: a JSON integer up to 10^15, text above."""
    plain = type(thing) is int
    found = Fraction(thing) if plain else number(thing)
    whole = found.denominator == 1 and found >= 0
    need(whole and (found <= LARGEST_PLAIN) == plain, "not a count")
    return int(found)


def text(thing: Any, pattern: str = ".*") -> str:
    """A printable string (no control characters, nothing that turns the text around)."""
    need(type(thing) is str and thing.isprintable(), "not a printable text")
    need(re.fullmatch(pattern, thing), f"{ascii(thing)[:80]} is not allowed here")
    return str(thing)


def entries(thing: Any, length: int | None = None) -> list[Any]:
    """A list, of a length if given."""
    good = type(thing) is list and length in (None, len(thing))
    need(good, "not a list" if length is None else f"not a list of {length} entries")
    return list(thing)


def pick(sequence: Sequence[Any], at: Any) -> Any:
    """The entry at a position."""
    good = type(at) is int and 0 <= at < len(sequence)
    need(good, f"{ascii(at)[:40]} is not a position below {len(sequence)}")
    return sequence[at]


READERS: dict[str, Callable[[Any], Any]] = {"number": number, "count": count, "list": entries}
READERS |= {"text": text, "name": functools.partial(text, pattern=NAME), "value": canonical}
READERS |= {"digest": functools.partial(text, pattern="[0-9a-f]{64}"), "any": lambda thing: thing}
TYPES = {"int": (int,), "bool": (bool,), "dict": (dict,), "optional": (dict, type(None))}


def shape(thing: Any, where: str, keys: str, form: Callable[[Any], Any] = number) -> list[Any]:
    """The fields of an object with exactly the keys listed as "key:reader key:reader"."""
    readers, found = [key.split(":") for key in keys.split()], []
    need(type(thing) is dict, f"{where} is not an object")
    wrong = sorted({key for key, _ in readers} ^ set(thing))
    need(not wrong, f"{where}: missing or unknown: {ascii(wrong)[:99]}")
    for key, how in readers:
        try:
            if how in TYPES:
                need(type(thing[key]) in TYPES[how], f"not of type {how}")
            read = form if how == "form" else READERS.get(how, READERS["any"])
            found.append(read(thing[key]))
        except Rejected as error:
            raise Rejected(f"{where}.{key}: {error}") from None
    return found


# --- The claim and the views


def read_constraint(raw: Any, names: list[str]) -> tuple[str, Any]:
    """A linear constraint on masses of properties: its text, and (terms, relation, bound)."""
    raw_terms, relation, bound = shape(raw, "under", "terms:list relation:text bound:number")
    need(relation in RELATIONS, "unknown relation in a constraint")
    terms, said = [], ""
    for raw_factor, i in (entries(term, 2) for term in raw_terms):
        factor, mass = number(raw_factor), f"mass({pick(names, i)})"
        mark = "-" if factor < 0 else "+"
        said += f" {mark} " if said else mark.strip("+")
        said += mass if abs(factor) == 1 else f"{spell(abs(factor))} * {mass}"
        terms.append((factor, i))
    return f"{said or '0'} {relation} {spell(bound)}", (terms, relation, bound)


def read_claim(raw: Any) -> SimpleNamespace:
    """The claim, with the text that its other fields determine; `measure` is "" for breaches."""
    claim = SimpleNamespace(measure="", prior=None, constraints=None, about=None, knowing=None)
    claim.directions, claim.properties = (), []
    if raw.get("kind") == "bound":
        keys = "kind:text text:text measure:text relation:text bound:number prior:any unit:any"
        fields = shape(raw, "claim", keys + " properties:list")
        _, _, claim.measure, claim.relation, claim.bound, claim.prior, claim.unit, names = fields
        units: Any = {"worst_case_information": ("bit", "nat")}
        units |= {"amplification": (None,), "dependence": (None,)}
        need(claim.unit in units.get(claim.measure, ()), "unknown measure, or not its unit")
        need(claim.relation in ("<", "<=") and not names, "unknown relation, or properties")
        claim.relates = RELATIONS[claim.relation]
        need((claim.prior is None) == (claim.measure == "amplification"), "a prior too many or few")
        of = f"({text(claim.prior, NAME)})" if claim.prior is not None else ""
        unit = f" {claim.unit}" if claim.unit else ""
        claim.text = f"require {claim.measure}{of} {claim.relation} {spell(claim.bound)}{unit}"
        return claim
    keys = "kind:text text:text direction:text rho1:number rho2:number under:any"
    fields = shape(raw, "claim", keys + " properties:list for:any knowing:any")
    kind, _, direction, claim.rho1, claim.rho2, under, names, claim.about, claim.knowing = fields
    need(kind == "breach" and direction in ("both", "upward", "downward"), "unknown sort of claim")
    need(0 < claim.rho1 < claim.rho2 < 1, "not 0 < rho1 < rho2 < 1")
    need(len({text(entry, NAME) for entry in names}) == len(names), "two properties of one name")
    arrow = [spell(claim.rho1), "->", spell(claim.rho2)][:: -1 if direction == "downward" else 1]
    said = ["forbid", *[direction] * (direction != "both"), "breach", *arrow]
    if type(under) is dict and "prior" in under:
        (claim.prior,) = shape(under, "under", "prior:name")
        said.append(f"under {claim.prior}")
    elif under != "all priors":
        (rows,) = shape(under, "under", "constraints:list")
        read = [read_constraint(row, names) for row in rows]
        claim.constraints = [constraint for _, constraint in read]
        said.append("under { " + "; ".join(shown for shown, _ in read) + " }")
    said += [] if claim.knowing is None else [f"knowing {text(claim.knowing, NAME)}"]
    said += [] if claim.about is None else [f"for {pick(names, claim.about)}"]
    claim.directions = ("upward", "downward") if direction == "both" else (direction,)
    claim.properties, claim.text = names, " ".join(said)
    return claim


class View(NamedTuple):
    """What an output shows, by class; prior and knowledge are 1 where there is none."""

    likelihood: tuple[Fraction, ...]
    size: tuple[int, ...]
    member: tuple[tuple[bool, ...], ...]
    prior: tuple[Fraction, ...]
    knowledge: tuple[Fraction, ...]
    seen: tuple[Fraction, ...]  # likelihood * knowledge
    output: bytes
    known: bytes


def read_view(raw: Any, where: str, claim: SimpleNamespace, form: Any) -> tuple[View, int]:
    """A view by itself, and how many outputs show it."""
    knows, named, properties = claim.knowing is not None, claim.prior is not None, claim.properties
    keys = "classes:list outputs:count output:value" + " known:value" * knows
    classes, outputs, output, *known = shape(raw, where, keys)
    keys = "likelihood:form count:count example:value" + " member:list" * bool(properties)
    keys += " prior:form" * named + " knowledge:form" * knows
    rows, examples = [], set()
    for part in classes:
        likelihood, size, example, *rest = shape(part, where, keys, form)
        member = tuple(rest.pop(0)) if properties else ()
        prior, knowledge = rest.pop(0) if named else ONE, rest.pop() if knows else ONE
        need([type(m) for m in member] == [bool] * len(properties), f"{where}: bad membership")
        need(size >= 1 and outputs >= 1, f"{where}: a class without inputs, or no output")
        need(likelihood >= 0, f"{where}: a likelihood below 0")
        need(0 <= prior <= 1 and 0 <= knowledge <= 1, f"{where}: a probability not in [0, 1]")
        rows.append((likelihood, size, member, prior, knowledge, likelihood * knowledge))
        examples.add(example)
    need(rows and len(examples) == len(rows), f"{where}: an example twice")
    columns: list[Any] = [*zip(*rows, strict=True), output, known[0] if known else b""]
    return View(*columns), outputs


def read_views(described: Any, claim: SimpleNamespace, form: Any = number) -> list[View]:
    """The views, which must be able to belong to an operator; `form` reads their numbers."""
    inputs, all_outputs = count(described["inputs"]), count(described["outputs"])
    relative = described["likelihoods"] == "relative"
    # A relative view stands for outputs with other counts, too: only for what no count decides.
    counted = (claim.prior, claim.constraints, claim.knowing) != (None,) * 3 or claim.properties
    need(not (relative and counted), "relative likelihoods: all priors only")
    views: list[View] = []
    shown: Counter[bytes] = Counter()  # by what is known: how many outputs,
    kinds: dict[bytes, Counter[Any]] = {}  # inputs of each kind (member, prior, knowledge),
    masses: dict[bytes, Any] = {}  # and the sum of all their likelihoods
    for i, raw in enumerate(described["views"]):
        view, outputs = read_view(raw, f"views[{i}]", claim, form)
        here: Counter[Any] = Counter()
        mass = masses.setdefault(view.known, Counter())
        for likelihood, n, *kind in zip(*view[:5], strict=True):
            here[tuple(kind)] += n
            mass[tuple(kind)] += 0 if relative else outputs * n * likelihood
        need(relative or max(view.likelihood) <= 1, f"views[{i}]: a likelihood above 1")
        need(sum(view.size) == inputs, f"views[{i}]: counts do not sum to the inputs")
        same = kinds.setdefault(view.known, here) == here
        need(same, f"views[{i}]: kinds of inputs not as elsewhere")
        total = ONE if claim.prior is None else dot(view.size, view.prior)
        need(total == 1, f"views[{i}]: the prior does not sum to 1")
        shown[view.known] += outputs
        views.append(view)
    need(views and len({v[-2:] for v in views}) == len(views), "no views, or an output twice")
    need(set(shown.values()) == {all_outputs}, "outputs do not sum to the operator's")
    need(any(any(view.likelihood) for view in views), "no output is ever seen")
    # The likelihoods of each input sum to 1, so those of the inputs of a kind sum to their number.
    need(relative or masses == kinds, "likelihoods do not sum to 1 for inputs of a kind")
    # So do, over all that may be known, the probabilities of knowing it.
    sums: Counter[Any] = Counter()
    sizes: dict[bytes, Counter[Any]] = {known: Counter() for known in kinds}
    for known, group in kinds.items():
        for (*kind, knowledge), n in group.items():
            sums[tuple(kind)] += n * knowledge
            sizes[known][tuple(kind)] += n
    good = all(size == sums for size in sizes.values())
    need(good, "probabilities of what is known do not sum to 1")
    return views


# --- Deciding: is there a breach, and the raw thresholds (both ends of rho2_above, of rho1_below)

Decision = tuple[bool, tuple[Fraction, Fraction, Fraction, Fraction] | None]


def ratio(views: list[View], claim: SimpleNamespace, _: Any) -> Decision:
    """All priors: Statement 1 of EGS03 and its converse on each view; and amplification."""
    above, below, breached = ZERO, ONE, False
    for view, direction in product(views, claim.directions or ("",)):
        rows = [row for row in zip(*view[:5:2], strict=True) if row[2]]  # what is known may exclude
        inside, outside = (
            [p for p, member, _ in rows if claim.about is None or member[claim.about] == side]
            for side in (direction == "upward", direction != "upward")
        )
        if not outside or not any(inside):
            continue
        # The worst prior has two points: the likeliest input inside Q, the least likely outside.
        most, least = max(inside), min(outside)
        if claim.measure:
            breached |= not (least and claim.relates(most, claim.bound * least))
            continue
        rho1, rho2 = claim.rho1, claim.rho2
        breached |= rho1 * (1 - rho2) * most >= rho2 * (1 - rho1) * least
        above = max(above, rho1 * most / (rho1 * most + (1 - rho1) * least))
        below = min(below, rho2 * least / (rho2 * least + (1 - rho2) * most))
    return breached, None if claim.measure else (above, above, below, below)


def shift(view: View, inside: Any, everywhere: Any) -> list[Fraction]:
    """P[Q | z] and P[Q | y, z] from the masses of Q and of all inputs; [] if not reached."""
    if not dot(view.seen, everywhere):
        return []
    return [dot(side, inside) / dot(side, everywhere) for side in (view.knowledge, view.seen)]


def arithmetic(views: list[View], claim: SimpleNamespace, _: Any) -> Decision:
    """One prior and one property: compute before and after on each reached view."""
    above, below, breached = ZERO, ONE, False
    for view in views:
        masses = [n * p for n, p in zip(view.size, view.prior, strict=True)]
        own = [m * q[claim.about] for m, q in zip(masses, view.member, strict=True)]
        found = shift(view, own, masses)
        for direction in claim.directions if found else ():
            low, high = found[:: 1 if direction == "upward" else -1]
            above = max(above, high) if low <= claim.rho1 else above
            below = min(below, low) if high >= claim.rho2 else below
            breached |= low <= claim.rho1 and high >= claim.rho2
    return breached, (above, above, below, below)


def whole_shares(view: View) -> list[Any] | None:
    """What one input of each class adds to before and to after: integers, and their total."""
    found: list[Any] = []
    for likely in (view.knowledge, view.seen):
        parts = [k * p for k, p in zip(likely, view.prior, strict=True)]
        common = math.lcm(*(part.denominator for part in parts))
        divisor = math.gcd(*(int(part * common) for part in parts)) or 1
        scaled = [int(part * common) // divisor for part in parts]
        found.append((scaled, dot(scaled, view.size)))
    return found if found[1][1] else None  # None: not reached


def most_by_tree(tree: Any, lo: Any, hi: Any, w: Any, v: Any, room: int, depth: int) -> int:
    """What a branch tree proves to be the most of sum(n v), lo <= n <= hi, sum(n w) <= room."""
    if tree == "over":
        need(dot(lo, w[0]) > room, "a part is not over")
        return 0
    if type(tree) is str:
        # Lagrange: sum(n v) <= x room + sum(n (v - x w)) for x >= 0, at most where each n is at
        # the end that its sign wants; x = s/t in units of whole shares. Values are whole: round.
        need(number(tree) >= 0, "a negative multiplier")
        s, t = (number(tree) * v[1] / w[1]).as_integer_ratio()
        gains = [t * a - s * b for a, b in zip(v[0], w[0], strict=True)]
        ends = [g * (h if g > 0 else k) for g, k, h in zip(gains, lo, hi, strict=True)]
        return int((s * room + sum(ends)) // t)
    c, at, *parts = shape(tree, "a branch", "class:int at:count below:any above:any")
    need(pick(lo, c) <= at < hi[c] and depth < MAX_DEPTH, "a bad branch")
    ranges = (lo, (*hi[:c], at, *hi[c + 1 :])), ((*lo[:c], at + 1, *lo[c + 1 :]), hi)
    both = zip(parts, ranges, strict=True)
    return max(most_by_tree(part, a, b, w, v, room, depth + 1) for part, (a, b) in both)


def enclosed_maximum(raw: Any, views: list[View], shares: Any, room: Fraction) -> list[Fraction]:
    """The most of the values v with weights w <= room: attained below, above by trees."""
    keys = "at_least:number view:int inside:list at_most:number trees:list"
    least, at, inside, most, trees = shape(raw, "a bound", keys)
    for view, share, tree in zip(views, shares, entries(trees, len(views)), strict=True):
        need((tree is None) == (share is None), "a tree is null iff its view is not reached")
        if share is not None:
            (w, v), lo = share, (0,) * len(view.size)
            bound = most_by_tree(tree, lo, view.size, w, v, math.floor(room * w[1]), 0)
            need(bound <= most * v[1], "a tree does not show at_most")
    need(pick(shares, at) is not None, "a bound's view is not reached")
    (w, v), chosen = shares[at], [entries(entry, 2) for entry in inside]
    fits = all(count(n) <= pick(views[at].size, c) for c, n in chosen)
    need(fits and all(a[0] < b[0] for a, b in pairwise(chosen)), "inside is not in order")
    weight, found = (sum(count(n) * share[0][c] for c, n in chosen) for share in (w, v))
    need(weight <= room * w[1], "inside is not admitted")
    need(found == least * v[1], "inside does not attain at_least")
    return [least, most]


def knapsack(views: list[View], claim: SimpleNamespace, cert: Any) -> Decision:
    """One prior, every property: enclosures of the greatest after (or before) by branch trees."""
    keys = "kind:any" + "".join(f" {direction}:dict" for direction in claim.directions)
    _, *sides = shape(cert["evidence"], "evidence", keys)
    shares, above, below = [whole_shares(view) for view in views], [], []
    swapped = [share and share[::-1] for share in shares]
    for direction, side in zip(claim.directions, sides, strict=True):
        a, b = (shares, swapped)[:: 1 if direction == "upward" else -1]
        one, two = shape(side, direction, "rho2_above:dict rho1_below:dict")
        above.append(enclosed_maximum(one, views, a, claim.rho1))
        below.append(enclosed_maximum(two, views, b, 1 - claim.rho2))
    least, most = map(max, zip(*above, strict=True))
    need(most < claim.rho2 or least >= claim.rho2, "the bounds leave the claim open")
    high, low = (1 - max(ends) for ends in zip(*below, strict=True))
    return least >= claim.rho2, (least, most, low, high)


def admitted(view: View, masses: Sequence[Fraction], claim: SimpleNamespace) -> bool:
    """Whether masses by class are a prior that the claim's family admits."""
    good = min(masses) >= 0 and sum(masses) == 1
    for terms, relation, bound in claim.constraints or []:
        found = sum(f * dot(masses, (q[j] for q in view.member)) for f, j in terms)
        good = good and RELATIONS[relation](found, bound)
    return good


def refute(tree: Any, view: View, left: Mapping[Any, Any], rows: list[tuple[str, Any]]) -> None:
    """Show that rows (relation to 0, constant) have no solution in the variables that are left."""
    if type(tree) is dict:  # a single input is in Q or not: two cases, each without a variable
        c, *cases = shape(tree, "a branch", "class:int inside:any outside:any")
        good = pick(view.size, c) == 1 and {(c, True), (c, False)} <= set(left)
        need(good, "a class that cannot be split")
        for case, gone in zip(cases, ((c, False), (c, True)), strict=True):
            refute(case, view, {key: left[key] for key in left if key != gone}, rows)
        return
    # At a solution the sum of multiplier * row is >= 0 (> 0 with a strict row that counts), but
    # no variable adds to it, for all are >= 0; so its constant must not be below that.
    y = [number(m) for m in entries(tree, len(rows))]
    used = [(m, relation) for m, (relation, _) in zip(y, rows, strict=True)]
    need(all(m >= 0 or relation == "==" for m, relation in used), "a negative multiplier")
    need(all(dot(y, column) <= 0 for column in left.values()), "a positive coefficient")
    constant = dot(y, (bound for _, bound in rows))
    strict = any(m > 0 and relation == ">" for m, relation in used)
    need(constant < 0 or (constant == 0 and strict), "no contradiction")


def farkas(views: list[View], claim: SimpleNamespace, cert: Any) -> Decision:
    """A family of priors, not empty: multipliers show that no view's system has a solution."""
    keys = "kind:any prior:list" + "".join(f" {direction}:list" for direction in claim.directions)
    _, prior, *sides = shape(cert["evidence"], "evidence", keys)
    masses = [number(mass) for mass in entries(prior, len(views[0].size))]
    need(admitted(views[0], masses, claim), "evidence.prior is not of the family")
    constraints = [(t, r, b, -1 if "<" in r else 1) for t, r, b in claim.constraints]
    rows: list[tuple[str, Any]] = [("==", -1), (">=", 0), (">=", 0), (">", 0)]
    rows += [(r.replace("<", ">"), -turn * b) for _, r, b, turn in constraints]
    for direction, trees in zip(claim.directions, sides, strict=True):
        up = direction == "upward"  # downward is upward for the complement of Q
        a, b = (claim.rho1, claim.rho2) if up else (1 - claim.rho2, 1 - claim.rho1)
        for view, tree in zip(views, entries(trees, len(views)), strict=True):
            columns, classes = {}, zip(view.member, view.knowledge, view.seen, strict=True)
            for (c, (q, k, kl)), inside in product(enumerate(classes), (True, False)):
                if claim.about is None or (q[claim.about] == up) == inside:
                    tail = [turn * sum(f for f, j in t if q[j]) for t, _, _, turn in constraints]
                    columns[c, inside] = [1, k * (a - inside), kl * (inside - b), kl, *tail]
            refute(tree, view, columns, rows)
    return False, None


# --- Logarithms: dependence and worst-case information


def log_bounds(x: Fraction, bits: int) -> tuple[int, int]:
    """Integers around 2^bits ln(x); Decimal.ln is documented to be correctly rounded."""
    # 2^bits < 10^(bits/3) and ln(n) < 10^20 for any n that memory holds: errors far below 1.
    context = Context(prec=bits // 3 + 30)
    top, bottom = (Fraction(Decimal(n).ln(context)) for n in x.as_integer_ratio())
    scaled = (top - bottom) * 2**bits
    return math.floor(scaled) - 1, math.ceil(scaled) + 1


def logs_cancel(terms: list[tuple[Fraction, Fraction]]) -> bool:
    """Whether sum of e ln(x) is 0: over pairwise coprime bases every exponent must vanish."""
    powers: dict[int, Fraction] = {}
    left = [(x.numerator, e) for e, x in terms] + [(x.denominator, -e) for e, x in terms]
    while left:
        base, e = left.pop()
        other = next((b for b in powers if math.gcd(b, base) > 1), None)
        if other is not None:  # base^e other^f = (base/g)^e (other/g)^f g^(e + f)
            f, g = powers.pop(other), math.gcd(base, other)
            left += [(base // g, e), (other // g, f), (g, e + f)]
        elif base > 1:
            powers[base] = e
    return not any(powers.values())


def side_of_bound(view: View, claim: SimpleNamespace, digits: int) -> int:
    """-1, 0, 1: below (or not reached), at or above the bound."""
    shown = dot(view.size, view.prior, view.likelihood)
    rows = zip(view.size, view.prior, view.likelihood, strict=True)
    ratios = [(m * p, likelihood / shown) for m, p, likelihood in rows if p and shown]
    bits, rest = 4 * digits + 128, ZERO if claim.unit == "bit" else -claim.bound
    terms = [(m * f, f) for m, f in ratios if f]
    terms += [(-claim.bound, Fraction(2))] if claim.unit == "bit" else []
    if not ratios:
        return -1
    if claim.measure == "dependence":
        if not all(f for _, f in ratios):
            return 1  # infinite
        terms = [(ONE, max(max(f, 1 / f) for _, f in ratios))]
    logs = [(e, log_bounds(x, bits)) for e, x in terms]
    lo, hi = (rest * 2**bits + sum(e * log[(e < 0) ^ i] for e, log in logs) for i in (0, 1))
    # Such a sum of logarithms is never a rational other than 0 (Baker).
    equal = rest == 0 and lo <= 0 <= hi and logs_cancel(terms)
    need(equal or lo > 0 or hi < 0, f"{digits} digits do not decide")
    return 0 if equal else 1 if lo > 0 else -1


def enclosure(views: list[View], claim: SimpleNamespace, cert: Any) -> Decision:
    """Interval arithmetic decides each view, exact arithmetic those that meet the bound."""
    _, digits, equal = shape(cert["evidence"], "evidence", "kind:any digits:int equal:list")
    need(0 < digits <= MAX_DIGITS, f"digits are not from 1 to {MAX_DIGITS}")
    # A breach needs one view, which the witness replays; its absence needs them all.
    looked = [cert["witness"].get("view"), *equal] if cert["witness"] else range(len(views))
    sides = {i: side_of_bound(pick(views, i), claim, digits) for i in looked}
    meet = sorted(i for i, side in sides.items() if side == 0)
    need(canonical(equal) == canonical(meet), "equal does not list the views that meet the bound")
    return not all(claim.relates(side, 0) for side in sides.values()), None


# --- Witnesses


def read_masses(raw: Any, view: View, claim: SimpleNamespace) -> tuple[list[Any], list[Any]]:
    """The masses of the witness's property, and of all inputs, by class."""
    listed, free, inside, everywhere = {}, claim.prior is None, [], []
    keys = "class:int inside:count" + " mass_inside:number mass_outside:number" * free
    for row in raw:
        c, *listed[c] = shape(row, "a class of the witness", keys)
        pick(view.size, c)
    growing = len(listed) == len(raw) and list(listed) == sorted(listed)
    need(growing, "the witness's classes are in disorder")
    for c, (size, member, prior) in enumerate(zip(*view[1:4], strict=True)):
        n, *masses = listed.get(c, [0, ZERO, ZERO])
        u, w = masses if free else (n * prior, (size - n) * prior)
        own = claim.about is None or n == size * member[claim.about]
        need(n <= size and own, "the witness's property is not the claim's, or too large")
        need(u >= 0 and w >= 0, "the witness has a negative mass")
        need((n > 0 or u == 0) and (n < size or w == 0), "the witness has mass on no input")
        inside.append(u)
        everywhere.append(u + w)
    need(sum(everywhere) == 1, "the witness's prior does not sum to 1")
    need(admitted(view, everywhere, claim), "the witness's prior is not admitted")
    return inside, everywhere


def replay(cert: Any, views: list[View], claim: SimpleNamespace, free: str = "") -> None:
    """Replay the witness in exact arithmetic."""
    keys = "view:int output:value" + " known:value" * (claim.knowing is not None) + free
    keys += " likely:int unlikely:int value:any" * (claim.measure == "amplification")
    keys += " direction:text classes:list before:number after:number" * (not claim.measure)
    at, *seen = shape(cert["witness"], "witness", keys)
    view, witness = pick(views, at), cert["witness"]
    known = seen[1] if claim.knowing is not None else b""
    need((seen[0], known) == view[-2:], "the witness is of another output than its view")
    if claim.measure == "amplification":
        most, least = (pick(view.likelihood, witness[k]) for k in ("likely", "unlikely"))
        need(most > 0, "the witness's likely input cannot produce the output")
        shown = spell(most / least) if least else "infinity"
        need(witness["value"] == shown, f"the witness's ratio is {shown}")
        broken = not (least and claim.relates(most, claim.bound * least))
    elif claim.measure:
        broken = not claim.relates(side_of_bound(view, claim, cert["evidence"]["digits"]), 0)
    else:
        moved = shift(view, *read_masses(witness["classes"], view, claim))
        need(moved, "the witness's output is never seen")
        said = [number(witness[key]) for key in ("before", "after")]
        need(said == moved, f"before and after are {' and '.join(map(spell, moved))}")
        need(witness["direction"] in claim.directions, "a breach of a direction not claimed")
        low, high = moved[:: 1 if witness["direction"] == "upward" else -1]
        broken = low <= claim.rho1 and high >= claim.rho2
    need(broken, "the witness does not break the claim")


# --- Free parameters: a region is a solver's word; its text and the witness are checked

LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


def evaluate(form: Any, point: Mapping[str, Fraction]) -> Fraction:
    """A closed form at a point, by climbing over the precedence of + - * / ^."""
    need(type(form) is str and len(form) <= 10 * MAX_SIDE, "not a closed form")
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
        else:
            whole = re.fullmatch("[0-9]{1,4000}", token)
            need(whole or token in point, f"{ascii(token)[:40]} is not a parameter")
            left = Fraction(int(token)) if whole else point[token]
        while LEVELS.get(tokens[-1], -1) >= level:
            sort = tokens.pop()
            right = climb(LEVELS[sort] + (sort != "^"))
            size = bits(left) * abs(right) if sort == "^" else bits(left) + bits(right)
            whole_power = sort != "^" or right.denominator == 1
            need(size <= MAX_BITS and whole_power, "a wild power, or too large a number")
            if sort in "+-":
                left += right if sort == "+" else -right
            elif sort in "*/":
                left = left * right if sort == "*" else left / right
            else:
                left = left ** int(right)
        return left

    found = climb(0)
    need(tokens == [""], f"{ascii(form)[:40]} is not a closed form")
    return found


Interval = tuple[Fraction, bool, Fraction, bool]  # the flags say whether the ends belong


def within(x: Fraction, interval: Interval) -> bool:
    """Whether a number lies in an interval."""
    low, low_in, high, high_in = interval
    return low < x < high or (x == low and low_in) or (x == high and high_in)


def read_interval(raw: str) -> Interval:
    """An interval as it is declared."""
    match = re.fullmatch(r"([(\[])([^,]+), ([^,]+)([)\]])", raw)
    left, low, high, right = match.groups() if match else ("", "0", "0", "")
    need(number(low) < number(high), f"{raw} is not an interval")
    return number(low), left == "[", number(high), right == "]"


def read_end(raw: Any) -> list[Fraction]:
    """An end of an interval: a rational, or the two around a polynomial's change of sign."""
    if type(raw) is not dict:
        return [number(raw)]
    coefficients, between = shape(raw, "region", "polynomial:list between:list")
    found = [number(x) for x in entries(between, 2)]
    values = [sum(number(c) * x**i for i, c in enumerate(coefficients)) for x in found]
    need(found[0] < found[1] and math.prod(values) < 0, "region: no change of sign at an end")
    return found


def read_region(raw: Any, declared: Interval, parameter: Any) -> list[Interval]:
    """Where the claim is said to hold, as the text says (irrational ends rounded outwards)."""
    keys = "parameter:text declared:text holds:list text:text"
    p, interval, rows, said = shape(raw, "region", keys)
    need({"name": p, "interval": interval} == parameter, "region of another parameter")
    holds: list[Interval] = []
    parts, roots, last = [], re.findall(ROOT, said)[::-1], declared[0]

    def show(end: list[Fraction]) -> str:
        shown = spell(end[0]) if len(end) == 1 else roots.pop()
        gap = Fraction(len(end) - 1, 10**6)  # a root's decimals are cut
        near = end[0] - gap <= Fraction(shown.partition("...")[0]) <= end[-1] + gap
        need(near, "the region's text shows another root")
        return shown

    for row in rows:
        keys = "from:any from_included:bool to:any to_included:bool"
        _, low_in, _, high_in = shape(row, "region", keys)
        low, high = read_end(row["from"]), read_end(row["to"])
        need(low[0] < high[-1] or (low_in and high_in), "region: an empty interval")
        ordered = last <= low[0] and (low == high or low[-1] <= high[0]) and high[-1] <= declared[2]
        need(ordered, "region: intervals in disorder")
        inside = all(within(end[0], declared) for end in [low] * low_in + [high] * high_in)
        need(inside, "region: out of the declared range")
        last = high[-1]
        holds.append((low[0], low_in or len(low) == 2, last, high_in or len(high) == 2))
        if low == high:
            parts.append(f"{p} = {show(low)}")
        elif holds[-1][:2] == declared[:2]:
            parts.append(f"{p} <{'=' * high_in} {show(high)}")
        elif holds[-1][2:] == declared[2:]:
            parts.append(f"{p} >{'=' * low_in} {show(low)}")
        else:
            parts.append(f"{show(low)} <{'=' * low_in} {p} <{'=' * high_in} {show(high)}")
    whole = f"{'every' if holds else 'no'} {p} in {interval}"
    expected = whole if holds in ([], [declared]) else " or ".join(parts)
    need(said == expected, "the region's text does not say what it holds")
    return holds


def check_parametric(cert: Any, claim: Any, kind: str, intervals: dict[str, Interval]) -> None:
    """Free parameters: the views at the witness's point (else in the middle), and the witness."""
    described, witness, breached = cert["operator"], cert["witness"], cert["verdict"] == "breached"
    region, said, (declared, *_) = [], kind == "witness", intervals.values()
    if kind == "region":
        region = read_region(cert["region"], declared, described["parameters"][0])
        said = region != [declared]
    need(breached == said, "the verdict is not that of the region or evidence")
    point = {key: (low + high) / 2 for key, (low, _, high, _) in intervals.items()}
    if breached:
        keys = " ".join(f"{key}:number" for key in intervals)
        found = shape(witness.get("parameters"), "witness.parameters", keys)
        point = dict(zip(intervals, found, strict=True))
        inside = all(within(x, intervals[key]) for key, x in point.items())
        need(inside, "the witness's parameters are out of range")
        need(not any(within(found[0], part) for part in region), "the witness is in the region")
    views = read_views(described, claim, functools.partial(evaluate, point=point))
    if breached:
        replay(cert, views, claim, " parameters:dict instance:dict")
        raw, closed = described["views"][witness["view"]], ("likelihood", "prior", "knowledge")
        classes = [
            {k: spell(evaluate(v, point)) if k in closed else v for k, v in part.items()}
            for part in raw["classes"]
        ]
        same = canonical(witness["instance"]) == canonical({**raw, "classes": classes})
        need(same, "the witness's instance is not its view at these parameters")


# --- The certificate as a whole


def thresholds_of(ends: Any, claim: SimpleNamespace) -> Any:
    """The thresholds as they must be written, clipped to what rho1 and rho2 allow."""
    if ends is None:
        return None
    above = [min(max(end, claim.rho1), ONE) for end in ends[:2]]
    below = [max(min(end, claim.rho2), ZERO) for end in ends[2:]]
    shown: dict[str, Any] = {}
    for key, (low, high), nothing in (("rho2_above", above, 1), ("rho1_below", below, 0)):
        shown[key] = {"lo": spell(low), "hi": spell(high)} if low < high else spell(low)
        shown[key] = None if low == high == nothing else shown[key]
    return shown


def check_frame(cert: Any, directory: Path | None) -> None:
    """Everything but claim and proof: shape, digests, and that trust is what the evidence earns."""
    keys = "format:text claim:dict model:optional operator:dict verdict:text trust:text reason:text"
    keys += " evidence:dict witness:optional thresholds:any region:any smt:list versions:dict"
    keys += " vacuous:any" * (type(cert) is dict and "vacuous" in cert)  # older ones have none
    shape(cert, "certificate", keys + " sha256:digest")
    described, evidence, smt = cert["operator"], cert["evidence"], cert["smt"]
    need(cert["format"] == "ppdm-certificate/1", "unknown format")
    need(cert["verdict"] in ("certified", "breached"), "unknown verdict")
    need((cert["witness"] is None) == (cert["verdict"] == "certified"), "a breach has a witness")
    body = {key: cert[key] for key in cert if key != "sha256"}
    need(cert["sha256"] == digest(canonical(body)), "sha256 is not the certificate's digest")
    keys = "name:text inputs:count outputs:count likelihoods:text parameters:list views:list"
    shape(described, "operator", keys + " views_sha256:digest")
    found = digest(canonical(described["views"]))
    need(described["views_sha256"] == found, "views_sha256 is not the views' digest")
    need(described["likelihoods"] in ("probabilities", "relative"), "unknown sort of likelihoods")
    need({"ppdm_formal", "python"} <= set(cert["versions"]), "versions are missing")
    if cert["model"] is not None:
        shape(cert["model"], "model", "file:text sha256:digest set:dict files:list")
    questions, trust = [], "re-checked exactly"
    for entry in smt:
        file, _, _, answer = shape(entry, "smt", "file:text sha256:digest solver:text answer:text")
        need(answer in ("sat", "unsat", "unknown"), "smt: unknown answer")
        need(re.fullmatch(r"[^/\\:]+", file) and file.strip("."), "smt: not the name of a file")
    if evidence.get("kind") in ("solver", "region"):
        _, places = shape(evidence, "evidence", "kind:text questions:list")
        questions = [pick(smt, at) for at in places]
        need(places and len(set(places)) == len(places), "no question, or one twice")
        need(all(q["answer"] == "unsat" for q in questions), "an answer that is not unsat")
        trust = f"solver-trusted ({', '.join(dict.fromkeys(q['solver'] for q in questions))})"
    need(cert["trust"] == trust, f"the evidence is {trust}")
    for entry in smt if directory is not None else []:
        path = Path(directory or "", entry["file"])
        need(path.is_file() or entry not in questions, f"{path.name} is not beside the certificate")
        good = not path.is_file() or digest(path.read_bytes()) == entry["sha256"]
        need(good, f"{path.name} is not the question that was asked")


def suitable_evidence(claim: SimpleNamespace, parameters: int) -> list[str]:
    """What evidence suits a claim; where arithmetic decides, no solver is trusted."""
    if parameters:
        return ["witness", "solver", *["region"] * (parameters == 1)]
    if claim.measure in ("dependence", "worst_case_information"):
        return ["enclosure"]
    if claim.prior is None and claim.constraints is None:
        return ["ratio", *["witness"] * (not claim.measure)]
    if claim.prior is not None and claim.about is not None:
        return ["arithmetic", "witness"]
    return ["farkas" if claim.prior is None else "knapsack", "witness", "solver"]


DECIDERS: dict[str, Callable[..., Decision]] = {
    **{f.__name__: f for f in (ratio, arithmetic, knapsack, farkas, enclosure)},
    "witness": lambda *_: (True, None),
    "solver": lambda *_: (False, None),
}


def verify(cert: Any, directory: Path | None) -> str:
    """Check a certificate, apart from what is compared with the model; the claim's text."""
    check_frame(cert, directory)
    claim, described, evidence = read_claim(cert["claim"]), cert["operator"], cert["evidence"]
    need(cert["claim"]["text"] == claim.text, f"the claim's text does not say {claim.text}")
    rows = [shape(raw, "parameters", "name:text interval:text") for raw in described["parameters"]]
    intervals = {key: read_interval(interval) for key, interval in rows}
    good = len(intervals) == len(rows) and all(map(str.isidentifier, intervals))
    need(good, "a parameter twice, or one without a name")
    suits, kind = suitable_evidence(claim, len(rows)), evidence.get("kind")
    need(kind in suits, f"the evidence of such a claim is {' or '.join(suits)}")
    need(kind == "region" or cert["region"] is None, "a region without its evidence")
    if kind in ("ratio", "arithmetic", "witness"):
        shape(evidence, "evidence", "kind:text")
    ends = None
    if intervals:
        check_parametric(cert, claim, kind, intervals)
    else:
        views = read_views(described, claim)
        breached, ends = DECIDERS[kind](views, claim, cert)
        good = breached == (cert["verdict"] == "breached")
        need(good, f"the views and the evidence do not say {cert['verdict']}")
        if breached:
            replay(cert, views, claim)
    shown = thresholds_of(ends, claim)
    need(canonical(cert["thresholds"]) == canonical(shown), f"the thresholds are {shown}")
    return str(claim.text)


def check_certificate(
    data: bytes | dict[str, Any],
    *,
    views: list[Any] | dict[str, Any] | None = None,
    model: dict[str, Any] | None = None,
    directory: Path | None = None,
    allow_solver_trusted: bool = False,
) -> CheckResult:
    """Check one certificate, whose solver questions lie in `directory`; never raises.

    `views` (or the whole `operator`) and `model` are what was derived anew from the model file.
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
    exact = cert["trust"] == "re-checked exactly"
    status = "accepted" if exact or allow_solver_trusted else "solver-trusted"
    return CheckResult(status, cert["trust"], claim, cert["verdict"])


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
