"""The part of a Python client that draws: exact, standard library only, Python 3.8 and later.

`ppdm client` copies this text into the file that it writes, behind the constants LAW and CASES.
A random number u in [0, 1) is known by its first bits: word <= 2^bits u < word + 1. What a
distribution makes of the least and of the greatest such u is compared, and further bits are
drawn only while the two differ. A distribution is a function (word, bits) -> (first, last), so
that one whose probabilities are irrational fits in: it refines its enclosures as bits grow.
"""

import base64
import hashlib
import json
import re
import secrets
from bisect import bisect_right
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, cycle, islice
from math import comb, floor

LAW = json.loads("{}")
CASES = json.loads("[]")

WIDTH = 64
"""Bits that are drawn at a time."""


class OutsideDomain(ValueError):
    """The value is none that the randomization takes. The value itself is not repeated here."""


class NotAReport(ValueError):
    """What was sent is no output of the randomization. It is not repeated here."""


class Misused(TypeError):
    """Called otherwise than it can be."""


def randomize(value):
    """The randomized value. Nothing else is taken."""
    return _unquoted(value, lambda: None)


def randomize_for(identifier, value):
    """The same where clients are in groups, this one's by a hash of its identifier, not by a coin.

    None where the client takes part in the other phase of the plan, and sends nothing now.
    """
    return _unquoted(value, lambda: str(identifier))


def encoded(report):
    """What is sent of a report, as JSON has it.

    Of bits their text in base64url, of a hash two numbers, of a set its members, else the value.
    """
    return _encoded(LAW, report)


def decoded(sent):
    """The report that was sent; NotAReport where it is none of this operator's."""
    return _decoded(LAW, sent)


def _unquoted(value, identifier):
    """No error that leaves a client quotes what it was given: not even one of a value's methods."""
    kind = ""
    try:
        return drawn(LAW, value, secrets.randbits, WIDTH, identifier())
    except (OutsideDomain, Misused):
        raise
    except Exception as problem:
        kind = type(problem).__name__
    raise RuntimeError("not randomized (%s); the error itself could quote the value" % kind)


def drawn(law, value, take, width=WIDTH, identifier=None):
    """What a law makes of a value and of bits: take gives them, width says how many at once."""

    def draw(where):
        return _draw(where, take, width)

    if law["kind"] == "groups":
        return _by_groups(law, value, draw, identifier)
    return _KINDS[law["kind"]](law, value, draw)


def _draw(where, take, width):
    word, bits = 0, 0
    while True:
        word, bits = word << width | take(width), bits + width
        first, last = where(word, bits)
        if first == last:
            return first


def _below(total, position=None):
    """The distribution of a uniform integer 0 <= t < total, or of what position makes of t."""

    def where(word, bits):
        first, last = word * total >> bits, (word + 1) * total - 1 >> bits
        return (first, last) if position is None else (position(first), position(last))

    return where


def _coin(odds):
    """The distribution of a coin, true with the probability [numerator, denominator]."""
    if isinstance(odds, dict):  # the weights of true and false, with exponentials
        where = _listed(odds)
        return lambda word, bits: tuple(side == 0 for side in where(word, bits))
    top, total = (int(number, 16) for number in odds)
    return _below(total, lambda t: t < top)


def _runs(runs):
    """The distribution on 0, 1, ... whose weights are given as runs [how many, weight each]."""
    starts, ends, weights, total, number = [], [], [], 0, 0
    for count, weight in runs:
        starts.append((number, total))
        total, number = total + count * weight, number + count
        ends.append(total)
        weights.append(weight)

    def position(t):
        run = bisect_right(ends, t)
        start, before = starts[run]
        return start + (t - before) // weights[run]

    return _below(total, position)


def _exp_runs(runs, step):
    """The same for weights that are polynomials in t = e^step: enclosures grow with the bits."""

    def where(word, bits):
        scale = 2 * bits + 64
        low = high = least = most = number = 0
        powers = _exp_powers(step, max(len(weight) for _, weight in runs), scale)
        bounds = [_enclosed(weight, powers) for _, weight in runs]
        low_total = sum(n * b[0] for (n, _), b in zip(runs, bounds))
        high_total = sum(n * b[1] for (n, _), b in zip(runs, bounds))
        # Where u times the total lies: between these, in units of 2^-scale.
        below, above = word * low_total >> bits, ((word + 1) * high_total >> bits) + 1
        first = last = None
        for (count, _), (light, heavy) in zip(runs, bounds):
            low, high, start = least, most, number
            least, most, number = least + count * light, most + count * heavy, number + count
            if first is None and below < most and count:
                first = start + max(0, min(count - 1, (below - high) // heavy))
            if above >= low and count:
                inside = count - 1 if light <= 0 else min(count - 1, (above - low) // light)
                last = start + max(0, inside)
        if first is None:
            first = number - 1
        return first, last

    return where


def _exp_powers(step, many, scale):
    """Integers around 2^scale t^k for t = e^step, k = 0, 1, ...: series of e^(step / 2^h)."""
    top, bottom = step
    halvings = max(0, -(-top // bottom)).bit_length()
    work = scale + 2 * halvings + 2 * many * (1 + top // bottom) + 16
    low = term = 1 << work
    n = 0
    while term:
        n += 1
        term = term * top // (n * bottom << halvings)
        low += term
    high = low + 2 * n + 2
    for _ in range(halvings):
        low, high = low * low >> work, -(-high * high >> work)
    powers, least, most = [], 1 << work, 1 << work
    for _ in range(many):
        powers.append((least >> work - scale, -(-most >> work - scale)))
        least, most = least * low >> work, -(-most * high >> work)
    return powers


def _enclosed(weight, powers):
    """Integers around 2^scale times a polynomial's value, which is not negative."""
    low = sum(c * powers[k][0 if c > 0 else 1] for k, c in enumerate(weight))
    high = sum(c * powers[k][1 if c > 0 else 0] for k, c in enumerate(weight))
    return max(0, low), high


def _weighted(law, runs):
    """The distribution of runs of weights as they are written."""
    if "step" not in law:
        return _runs([(n, int(w, 16)) for n, w in runs])
    step = tuple(int(part, 16) for part in law["step"])
    return _exp_runs([(n, [int(c, 16) for c in w]) for n, w in runs], step)


def _listed(written):
    """The distribution on 0, 1, ... of weights that are listed, or of those with exponentials."""
    law, weights = (written, written["weights"]) if isinstance(written, dict) else ({}, written)
    return _weighted(law, [(1, weight) for weight in weights])


def _by_rows(law, value, draw):
    """One row of weights for each input."""
    row = law["row_of"][_index(law["inputs"], value)]
    return _member(law["outputs"], draw(_weighted(law, law["rows"][row])))


def _by_diagonal(law, value, draw):
    """One weight for the value itself, another for every other value."""
    index, size = _index(law["inputs"], value), _size(law["inputs"])
    keep, other = law["keep"], law["other"]
    runs = [(index, other), (1, keep), (size - index - 1, other)]
    return _member(law["inputs"], draw(_weighted(law, runs)))


def _by_sizes(law, value, draw):
    """Select-a-size: keep some items of the transaction, insert others."""
    items = _transaction(law, value)
    if str(len(items)) not in law["sizes"]:
        raise OutsideDomain("no transaction of this size is randomized")
    return _selected(law["sizes"][str(len(items))], items, law["items"], draw)


def _selected(chosen, held, universe, draw):
    """Some of the numbers that are held stay, and others below universe come in.

    Each by a coin (select-a-size), or so many as make `chosen` (fixed-size). With a generator, the
    seed of a report in which just these stay, in hexadecimal.
    """
    kept = draw(_listed(chosen["keep"]))
    present = set(held)
    _shuffle_first(held, kept, draw)
    if "generator" in chosen:
        return _seed(chosen["generator"], held[:kept], held[kept:], draw)
    others = [number for number in range(universe) if number not in present]
    if "chosen" in chosen:
        count = chosen["chosen"] - kept
        _shuffle_first(others, count, draw)
        return sorted(held[:kept] + others[:count])
    coin = _coin(chosen["insert"])
    return sorted(held[:kept] + [number for number in others if draw(coin)])


def _by_groups(law, value, draw, identifier):
    """(group, size, report): what a client of its group reports, and the size that it shows.

    Of a plan in rounds: of all items, of the sets asked about that it holds, or of how many.
    """
    items = _transaction(law, value)
    group = law["groups"][_group_of(law, draw, identifier)]
    if not group["active"]:
        return None
    asked = group.get("asked")
    if asked is not None and asked["sets"] is not None:
        held = set(items)
        items = [place for place, one in enumerate(asked["sets"]) if held.issuperset(one)]
    if asked is not None and asked["least"] is not None:
        own = [bisect_right(asked["least"], len(items)) - 1]
        report = _selected(group["sizes"]["1"], own, len(asked["least"]), draw)
        return (group["name"], 1, tuple(report))
    if group["chosen"] is not None:
        items = [place for place, item in enumerate(group["chosen"]) if item in items]
    real = law["items"] if group["chosen"] is None else len(group["chosen"])
    if asked is not None and asked["sets"] is not None:
        real = len(asked["sets"])
    if group["hidden"] is not None:
        (size,) = map(int, group["sizes"])
        if len(items) > size and group["hidden"] == "cut":
            _shuffle_first(items, size, draw)
            items = sorted(items[:size])
        dummies = range(real, real + size - len(items))
        items, real = items + list(dummies), real + size
    size = len(items)
    if str(size) not in group["sizes"]:
        if size < group["silent_below"]:
            return (group["name"], size, ())
        raise OutsideDomain("no transaction of this size is randomized")
    held = [
        sum(comb(item, place + 1) for place, item in enumerate(one))
        for one in combinations(items, group["lifted"])
    ]
    universe = comb(real, group["lifted"])
    report = _selected(group["sizes"][str(size)], sorted(held), universe, draw)
    return (group["name"], size, report if isinstance(report, str) else tuple(report))


def _seed(generator, stay, leave, draw):
    """Uniform among the seeds that hold all items that stay, and none that leaves.

    The items' values are drawn, and a seed, which is then moved to one that gives these values:
    in an equation without the pivots of those before, flipping its own pivot mends it alone.
    """
    below, width = int(generator["numerator"], 16), generator["bits"]
    values = [_uniform(below, draw) for _ in stay]
    values += [below + _uniform((1 << width) - below, draw) for _ in leave]
    seed = _uniform(1 << generator["seed_bits"], draw)
    solved = []
    for item, value in zip(stay + leave, values):
        for bit, row in enumerate(_functionals(generator, item)):
            wanted = value >> bit & 1
            for pivot, other, known in solved:
                if row & pivot:
                    row, wanted = row ^ other, wanted ^ known
            solved.append((row & -row, row, wanted))
    for pivot, row, wanted in reversed(solved):
        if bin(row & seed).count("1") % 2 != wanted:
            seed ^= pivot
    return seed.to_bytes((generator["seed_bits"] + 7) // 8, "little").hex()


def _uniform(total, draw):
    return draw(_below(total)) if total > 1 else 0


def _functionals(generator, item):
    """For each bit of an item's value the bits of the seed whose sum it is."""
    degree, modulus = generator["degree"], int(generator["modulus"], 16)
    if generator["form"] == "goppa":
        return [_goppa(generator, item, degree, modulus)]
    if generator["form"] == "cap":
        return _cap(generator, item, degree, modulus)
    infinite = generator["infinite"] is not None and item == int(generator["infinite"], 16)
    rows, powers, point = [], None, None
    for bit in range(generator["bits"]):
        before, point = (
            point,
            generator["scale"] * item + generator["each"] * bit + generator["first"],
        )
        if not degree:
            rows.append(1 << point)
            continue
        if powers is None or before != point:
            powers = _powers(generator, 0 if infinite else point, degree, modulus)
        row = 0
        for exponent, start, step, shift, telling in generator["terms"]:
            value = int(exponent == generator["last"]) if infinite else powers[exponent]
            for _ in range(shift * bit):
                value = _times(value, 2, degree, modulus)
            if telling is not None:
                value = sum((value >> source & 1) << place for place, source in enumerate(telling))
            row ^= value << start + step * bit
        rows.append(row)
    return rows


def _powers(generator, point, degree, modulus):
    """The point to the power of each exponent of the terms; 0^0 = 1."""
    found, last, value = {}, 0, 1
    for exponent in sorted(term[0] for term in generator["terms"]):
        while last < exponent:
            last, value = last + 1, _times(value, point, degree, modulus)
        found[exponent] = value
    return found


def _goppa(generator, point, degree, modulus):
    """A parity bit for odd q, then x^j / (x^t + x + c); one item beyond the field has no more."""
    errors, row = generator["errors"], generator["parity"]
    if point >> degree:
        return row
    g = _power(point, errors, degree, modulus) ^ point ^ int(generator["constant"], 16)
    value = _power(g, (1 << degree) - 2, degree, modulus)
    for place in range(errors):
        row ^= value << generator["parity"] + place * degree
        value = _times(value, point, degree, modulus)
    return row


def _cap(generator, item, degree, modulus):
    """The symbols 1, the digits, and u^2 + u v + D v^2 of pairs of digits, times x^bit."""
    constant = int(generator["constant"], 16)
    digits = [item >> degree * place & (1 << degree) - 1 for place in range(generator["digits"])]
    symbols = [1, *digits]
    for u, v in zip(digits[::2], [*digits[1::2], 0]):
        square = _times(constant, _times(v, v, degree, modulus), degree, modulus)
        symbols.append(_times(u, u ^ v, degree, modulus) ^ square)
    rows = []
    for _ in range(degree):
        rows.append(sum(symbol << degree * place for place, symbol in enumerate(symbols)))
        symbols = [_times(symbol, 2, degree, modulus) for symbol in symbols]
    return rows


def _power(base, exponent, degree, modulus):
    found = 1
    while exponent:
        if exponent & 1:
            found = _times(found, base, degree, modulus)
        base, exponent = _times(base, base, degree, modulus), exponent >> 1
    return found


def _times(left, right, degree, modulus):
    """The product in GF(2^degree)."""
    found = 0
    while right:
        if right & 1:
            found ^= left
        left, right = left << 1, right >> 1
        if left >> degree:
            left ^= modulus
    return found


def _group_of(law, draw, identifier):
    """By a coin, or by u = SHA-256(key:identifier) / 2^256: the same in both phases of a plan."""
    if identifier is None:
        if law["phases"]:
            raise Misused("the plan has two phases: call randomize_for(identifier, value)")
        return draw(_runs([(1, int(weight, 16)) for weight in law["shares"]]))
    digest = hashlib.sha256((law["key"] + ":" + identifier).encode()).hexdigest()
    return bisect_right([int(cut, 16) for cut in law["cuts"]], int(digest, 16))


def _by_replacement(law, value, draw):
    """Each item stays, or a new one takes its place."""
    items = _transaction(law, value)
    if len(items) != law["size"]:
        raise OutsideDomain("no transaction of this size is randomized")
    coin = _coin(law["keep"])
    kept = [item for item in items if draw(coin)]
    present = set(items)
    others = [item for item in range(law["items"]) if item not in present]
    replaced = len(items) - len(kept)
    _shuffle_first(others, replaced, draw)
    return sorted(kept + others[:replaced])


def _by_single(law, value, draw):
    """A value as a transaction of one item."""
    return _KINDS[law["law"]["kind"]](law["law"], [_index(law["inputs"], value)], draw)


def _by_chosen(law, value, draw):
    """A set of so many items, which holds the one of the transaction or not."""
    (own,) = _transaction(law, value)
    held = draw(_coin(law["holding"]))
    others = [item for item in range(law["items"]) if item != own]
    count = law["chosen"] - held
    _shuffle_first(others, count, draw)
    return sorted(others[:count] + [own] * held)


def _by_hadamard(law, value, draw):
    """Any column; if its sign is not what a coin says, one bit of the row's number changes it."""
    number = _index(law["inputs"], value) + 1
    even = draw(_coin(law["even"]))
    column = draw(_below(1 << law["order"]))
    wrong = (bin(number & column).count("1") % 2 == 0) != even
    return column ^ (number & -number) if wrong else column


def _by_hashed(law, value, draw):
    """A hash function's number, and a bucket: that of the value if a coin says so, or another."""
    place, prime, buckets = _index(law["inputs"], value), law["prime"], law["buckets"]
    a = draw(_below(prime - 1)) if prime > 2 else 0
    b = draw(_below(prime))
    own = ((a + 1) * place + b) % prime % buckets
    kept = draw(_coin(law["keep"]))
    other = draw(_below(buckets - 1)) if buckets > 2 else 0
    return (a * prime + b, own if kept else other + (other >= own))


def _by_geometric(law, value, draw):
    """No noise, or a side and one step, and another one while a coin says so, up to the end."""
    place, last = _index(law["inputs"], value), _size(law["inputs"]) - 1
    if draw(_coin(law["still"])):
        return _member(law["inputs"], place)
    step, end = ((-1, 0), (1, last))[draw(_below(2))]
    coin = _coin(law["ratio"])
    while place != end:
        place += step
        if place == end or not draw(coin):
            break
    return _member(law["inputs"], place)


def _by_sign(law, value, draw):
    """A number rounded to a sign at random, which is told truly or not."""
    place, last = _index(law["inputs"], value), _size(law["inputs"]) - 1
    up = draw(_below(last)) < place
    return 1 if up == draw(_coin(law["true"])) else -1


def _by_distance(law, value, draw):
    """Weights by distance, the last for all that are farther."""
    place, last = _index(law["inputs"], value), _size(law["inputs"]) - 1
    weights = law["weights"]
    reach = len(weights) - 1
    left = [(1, weights[d]) for d in range(min(place, reach), 0, -1)]
    right = [(1, weights[d]) for d in range(1, min(last - place, reach) + 1)]
    beyond = [(max(0, side - reach), weights[-1]) for side in (place, last - place)]
    runs = [beyond[0], *left, (1, weights[0]), *right, beyond[1]]
    return _member(law["inputs"], draw(_weighted(law, runs)))


def _by_decay(law, value, draw):
    """Weights that fall by one factor a step: a side, and a distance by its bits, until it fits."""
    place, last = _index(law["inputs"], value), _size(law["inputs"]) - 1
    low = [_coin(odds) for odds in law["low"]]
    high = None if law["high"] is None else _coin(law["high"])
    while True:
        side = 2 * draw(_below(2)) - 1
        distance = sum(draw(coin) << bit for bit, coin in enumerate(low))
        while high is not None and distance <= last and draw(high):
            distance += 1 << len(low)
        found = place + side * distance
        if 0 <= found <= last and (distance or side > 0):
            return _member(law["inputs"], found)


def _by_noise(law, value, draw):
    """A number rounded to a grid, plus noise: how many borders between outputs lie below u.

    The border after output j lies at `first + j` steps (and a half) from the number; a truncated
    window begins and ends at its first and its last output, and u is uniform between these.
    """
    first, last = law["shift"] - _nearest(law["grid"], value), _size(law["outputs"]) - 1
    ends = (2 * first, 2 * (first + last)) if law["truncated"] else None
    where = _between_borders if "below" in law else _between_exp_borders
    return _member(law["outputs"], draw(where(law, first, last, ends)))


def _between_borders(law, first, last, ends):
    """For a distribution that is listed, in integers over `whole`, every `stride` half steps."""

    def at(halves):
        return int(law["below"][(halves - law["start"]) // law["stride"]], 16)

    least, most = map(at, ends) if ends is not None else (0, int(law["whole"], 16))
    return _below(
        most - least,
        lambda t: _how_many(last, lambda j: at(2 * (first + j) + 1) <= least + t),
    )


def _between_exp_borders(law, first, last, ends):
    """For the Laplace law: enclosures grow with the bits."""
    exponent = tuple(int(part, 16) for part in law["exponent"])

    def where(word, bits):
        scale = 2 * bits + 64

        def at(halves):
            return _laplace(exponent, halves, scale)

        low, high = (0, 0), (1 << scale, 1 << scale)
        if ends is not None:
            low, high = map(at, ends)
        least = low[0] + (word * max(0, high[0] - low[1]) >> bits)
        most = low[1] + ((word + 1) * (high[1] - low[0]) >> bits) + 1
        return (
            _how_many(last, lambda j: at(2 * (first + j) + 1)[1] <= least),
            _how_many(last, lambda j: at(2 * (first + j) + 1)[0] <= most),
        )

    return where


def _laplace(exponent, halves, scale):
    """Integers around 2^scale F, so many half steps above 0: e^(-|halves| exponent)/2."""
    power = (abs(halves) * exponent[0], exponent[1])
    low, high = _exp_powers(power, 2, scale)[1]
    least, most = (1 << 2 * scale) // (2 * high), -(-(1 << 2 * scale) // (2 * low))
    return (least, most) if halves < 0 else ((1 << scale) - most, (1 << scale) - least)


def _how_many(last, passed):
    """How many of 0, 1, ..., last - 1 have passed, the first ones."""
    low, high = 0, last
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if passed(middle) else (low, middle)
    return low


def _nearest(grid, value):
    """The place on a grid that a number is rounded to, ties upward."""
    number, step = _number(value), Fraction(*(int(part, 16) for part in grid["step"]))
    if number is None or not grid["first"] * step <= number <= grid["last"] * step:
        raise OutsideDomain("the value is not in the domain")
    return floor(number / step + Fraction(1, 2)) - grid["first"]


def _number(value):
    """The number that a value is or spells: floats are the decimals that they show; else None."""
    if isinstance(value, (bool, bytes, bytearray)):
        return None
    whole = value if isinstance(value, Fraction) else _whole(value)
    if whole is not None:
        return Fraction(whole)
    if not isinstance(value, str):
        try:
            value = str(value) if isinstance(value, Decimal) else repr(float(value))
        except (TypeError, ValueError, OverflowError):
            return None
    if not re.fullmatch(
        r"-?[0-9]{1,40}((\.[0-9]{1,400})?(e[+-]?[0-9]{1,3})?|/[1-9][0-9]{0,40})", value
    ):
        return None
    return Fraction(value)


_KINDS = {
    "rows": _by_rows,
    "diagonal": _by_diagonal,
    "sizes": _by_sizes,
    "replacement": _by_replacement,
    "single": _by_single,
    "chosen": _by_chosen,
    "hadamard": _by_hadamard,
    "hashed": _by_hashed,
    "geometric": _by_geometric,
    "sign": _by_sign,
    "distance": _by_distance,
    "decay": _by_decay,
    "noise": _by_noise,
}


def _encoded(law, report):
    kind = law["report"]["kind"] if "report" in law else "value"
    if kind == "bits":
        packed = bytearray((law["report"]["bits"] + 7) // 8)
        for item in report:
            packed[item // 8] |= 1 << item % 8
        return base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
    return _spelled(report) if kind == "value" else list(report)


def _decoded(law, sent):
    told = law.get("report", {"kind": "value"})
    return _REPORTS[told["kind"]](law, told, sent)


def _read_bits(law, told, sent):
    width = (told["bits"] + 7) // 8
    if isinstance(sent, str) and re.fullmatch("[A-Za-z0-9_-]{%d}" % ((8 * width + 5) // 6), sent):
        packed = base64.urlsafe_b64decode(sent + "=" * (-len(sent) % 4))
        found = [item for item in range(8 * width) if packed[item // 8] >> item % 8 & 1]
        small = not found or found[-1] < told["bits"]
        if small and told["least"] <= len(found) <= told["most"] and _encoded(law, found) == sent:
            return found
    raise NotAReport("not %d bits in base64url" % told["bits"])


def _read_set(law, told, sent):
    found = _integers(sent, told["chosen"])
    if len(set(found)) != told["chosen"] or not all(0 <= item < told["items"] for item in found):
        raise NotAReport(
            "not %d different numbers of 0 to %d" % (told["chosen"], told["items"] - 1)
        )
    return sorted(found)


def _read_hashed(law, told, sent):
    number, bucket = _integers(sent, 2) or [-1, -1]
    if not (0 <= number < told["prime"] * (told["prime"] - 1) and 0 <= bucket < told["buckets"]):
        raise NotAReport("not the number of a hash function and a bucket")
    return (number, bucket)


def _integers(sent, many):
    whole = isinstance(sent, (list, tuple)) and len(sent) == many
    return list(sent) if whole and all(type(number) is int for number in sent) else []


def _read_value(law, told, sent):
    domain = told.get("outputs") or law.get("outputs") or law.get("inputs")
    try:
        found = _native(sent)
        if domain is not None:
            found = _member(domain, _index(domain, found))
        if _spelled(found) == sent:
            return found
    except (OutsideDomain, TypeError, ValueError, KeyError, RecursionError):
        pass
    raise NotAReport("not one of the outputs")


_REPORTS = {"bits": _read_bits, "set": _read_set, "hashed": _read_hashed, "value": _read_value}


def _spelled(value):
    """A value as JSON spells it, tuples and sets marked; see _native."""
    if isinstance(value, (list, tuple)):
        return {"tuple": [_spelled(part) for part in value]}
    if isinstance(value, (set, frozenset)):
        parts = [_spelled(part) for part in value]
        return {"set": sorted(parts, key=lambda part: json.dumps(part, ensure_ascii=False))}
    return {"int": str(value)} if isinstance(value, int) and abs(value) > 2**53 - 1 else value


def _shuffle_first(items, count, draw):
    """Put a uniformly chosen ordered subset first."""
    for start in range(count):
        other = start + draw(_below(len(items) - start))
        items[start], items[other] = items[other], items[start]


def _transaction(law, value):
    try:
        found = None if isinstance(value, (str, bytes, bytearray, dict)) else list(value)
    except TypeError:
        found = None
    items = [-1] if found is None else [_whole(item) for item in found]
    whole = all(item is not None and 0 <= item < law["items"] for item in items)
    if not whole or len(set(items)) != len(items):
        raise OutsideDomain("a transaction holds different items 0 to %d" % (law["items"] - 1))
    return sorted(items)


def _whole(item):
    """The integer that a value is, of whatever integer type; else None."""
    if isinstance(item, bool) or not hasattr(item, "__index__"):
        return None
    try:
        return item.__index__()
    except TypeError:  # an array has the method, and refuses
        return None


def _size(domain):
    return domain["range"][1] - domain["range"][0] + 1 if isinstance(domain, dict) else len(domain)


def _member(domain, index):
    return domain["range"][0] + index if isinstance(domain, dict) else _native(domain[index])


def _index(domain, value):
    if isinstance(domain, dict):
        first, last = domain["range"]
        number = _whole(value)
        if number is None or not first <= number <= last:
            raise OutsideDomain("the value is not in the domain")
        return number - first
    for index, member in enumerate(domain):
        if _same(_native(member), value):
            return index
    raise OutsideDomain("the value is not in the domain")


def _same(member, value):
    """Equal and of the same kind: 1, True and "1" are three values."""
    if isinstance(member, tuple):
        whole = isinstance(value, (tuple, list)) and len(member) == len(value)
        return whole and all(_same(a, b) for a, b in zip(member, value))
    if isinstance(member, frozenset):
        whole = isinstance(value, (set, frozenset)) and len(member) == len(value)
        return whole and all(any(_same(a, b) for b in value) for a in member)
    if isinstance(member, int):
        return _whole(value) == member
    return isinstance(value, str) and member == value


def _native(member):
    """A value as JSON spells it, as Python has it: tuples and sets are marked."""
    if not isinstance(member, dict):
        return member
    if "tuple" in member:
        return tuple(_native(part) for part in member["tuple"])
    if "set" in member:
        return frozenset(_native(part) for part in member["set"])
    return int(member["int"], 0)


def self_test():
    """How many cases there are, after fixed bits led to the outputs written down with them."""
    for value, bits, expected, identifier in CASES:
        digits = cycle(bits)

        def take(count, digits=digits):
            return int("".join(islice(digits, count // 4)), 16)

        found = drawn(LAW, _native(value), take, WIDTH, identifier)
        if found is not expected and not _same(_native(expected), found):
            raise AssertionError("this client does not draw as it was written to")
    return len(CASES)


if __name__ == "__main__":
    print("self-test passed: %d cases" % self_test())
