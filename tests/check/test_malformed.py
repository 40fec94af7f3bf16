"""Whatever the bytes, the checker answers: it never raises, nor accepts what it cannot read."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction as F
from typing import Any

import pytest
from certificate_builder import as_file, breach, certificate, seal, views_of
from how_many import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from test_handwritten import BUILDERS, all_priors, several_parameters, warner_region

from ppdm_formal.checker import check_certificate
from ppdm_formal.checker.closed_form import evaluate
from ppdm_formal.checker.enclosure import log_bounds, logs_cancel

GOOD = as_file(all_priors())
DEEP = 100_000
BAD_BYTES = {
    "empty": b"",
    "not JSON": b"ppdm\n",
    "no line feed": GOOD[:-1],
    "two line feeds": GOOD + b"\n",
    "byte order mark": b"\xef\xbb\xbf" + GOOD,
    "not UTF-8": GOOD.replace(b"so it is", b"\xff\xfe"),
    "UTF-16": GOOD.decode().encode("utf-16"),
    "NUL": GOOD.replace(b"so it is", b"so\x00it"),
    "white space": json.dumps(json.loads(GOOD), indent=1).encode() + b"\n",
    "unsorted": json.dumps(json.loads(GOOD), separators=(",", ":")).replace("so", "os").encode(),
    "a key twice": GOOD.replace(b'{"claim"', b'{"claim":null,"claim"', 1),
    "escaped": GOOD.replace(b"so it is", b"\\u0073o it is"),
    "NaN": GOOD.replace(b'"inputs":2', b'"inputs":NaN'),
    "infinity": GOOD.replace(b'"inputs":2', b'"inputs":-Infinity'),
    "float": GOOD.replace(b'"inputs":2', b'"inputs":2.0'),
    "exponent": GOOD.replace(b'"inputs":2', b'"inputs":2e0'),
    "minus zero": GOOD.replace(b'"example":0', b'"example":-0'),
    "long integer": GOOD.replace(b'"inputs":2', b'"inputs":' + b"2" * 10_000),
    "lone surrogate": GOOD.replace(b"so it is", b"\\ud800"),
    "deep list": b"[" * DEEP + b"]" * DEEP + b"\n",
    "deep object": b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"\n",
    "a list": b"[]\n",
    "null": b"null\n",
    "a number": b"1\n",
}


@pytest.mark.parametrize("data", BAD_BYTES.values(), ids=BAD_BYTES)
def test_bad_bytes_are_rejected(data):
    assert check_certificate(data).status == "rejected"


@pytest.mark.parametrize("thing", [None, 1, [], {}, {"format": 1.5}, {1: 2}, {"a": {1, 2}}, "x"])
def test_bad_objects_are_rejected(thing):
    assert check_certificate(thing).status == "rejected"


def test_a_cycle_is_rejected():
    built = all_priors()
    built["reason"] = built
    assert check_certificate(built).status == "rejected"


@pytest.mark.parametrize(
    "text",
    ["", "1/0", "1/1", "2/4", "01", "-0", "+1", "1/-2", "0/2", "1e3", "0x10", "0xg", "1 ", "١",
     "1_0",
     "--1", "1//2", "1/2/3", "/", "9" * 4000, "9" * 10**6, "0x" + "f" * 10**6, "1/" + "9" * 5000],
)  # fmt: skip
def test_numbers_are_canonical(text):
    built = all_priors()
    built["claim"]["rho1"] = text
    assert check_certificate(seal(built)).status == "rejected"


def test_huge_counts_are_hexadecimal_text():
    built = all_priors()
    huge = 10**4100
    for part, count in zip(built["operator"]["views"][0]["classes"], (huge, huge + 1), strict=True):
        part["count"] = hex(count)
    built["operator"]["inputs"] = hex(2 * huge + 1)
    # 3/4 of the first and 1/4 of the others no longer sum to 1 for each input
    assert "sum to 1" in check_certificate(seal(built)).reason
    built["operator"]["likelihoods"] = "relative"
    assert check_certificate(seal(built)).accepted
    for spelled in (hex(huge).upper(), "0x0" + hex(huge)[2:]):
        built["operator"]["views"][0]["classes"][0]["count"] = spelled
        assert not check_certificate(seal(built)).accepted


def chain(length: int) -> dict[str, Any]:
    """A thousand equal inputs, of which 250 fit, shown by a tree that is one long branch."""
    tree: Any = "0"
    for at in range(250, 250 + length):
        tree = {"class": 0, "at": at, "below": tree, "above": "over"}
    views = views_of([[F(1)]] * 1000, [F(1, 1000)] * 1000)
    cell = {"at_least": "1/4", "view": 0, "inside": [[0, 250]], "at_most": "1/4", "trees": [tree]}
    cells = {"rho2_above": cell, "rho1_below": {**cell, "at_most": "1/4"}}
    limits = {"rho2_above": "1/4", "rho1_below": "3/4"}
    claim = breach(F(1, 4), F(3, 4), "upward", {"prior": "X"})
    evidence = {"kind": "knapsack", "upward": cells}
    return certificate(views, claim, "certified", evidence, None, limits)


def test_deep_trees_are_rejected():
    assert check_certificate(chain(190)).accepted
    assert "branch" in check_certificate(chain(300)).reason
    assert not check_certificate(chain(5000 // 7)).accepted


@pytest.mark.parametrize(
    "form",
    ["", "p p", "(p", "p)", "p +", "* p", "p/0", "p/(p - p)", "0^(-1)", "p^(1/2)", "p^9999999",
     "2^(2^(2^9))", "x", "p**2", "__import__('os')", "p.real", "p if p else p", "(" * 10**5,
     "-" * 10**5 + "p", "1.5", "p^", "*".join(["p^300000"] * 99),
     "9" * 5000, None, 1, ["p"], "p" * 10**6],
)  # fmt: skip
def test_bad_closed_forms_are_rejected(form):
    for build in (several_parameters, warner_region):
        built = build()
        built["operator"]["views"][0]["classes"][0]["likelihood"] = form
        assert check_certificate(seal(built), allow_solver_trusted=True).status == "rejected"


@pytest.mark.parametrize(
    ("form", "value"),
    [("-p^2", F(-1, 9)), ("2 - 3 - p", F(-4, 3)), ("1/2*p", F(1, 6)), ("1/p/2", F(3, 2)),
     ("p^-1", F(3)),     ("p^(-2)*q", F(18)), ("2^3^2", F(512)), ("-(p + q)*-3", F(7)),
     ("(p - 1)^3", F(-8, 27)), ("q/(1 - p)", F(3))],
)  # fmt: skip
def test_closed_forms_are_evaluated_with_the_usual_precedence(form, value):
    assert evaluate(form, {"p": F(1, 3), "q": F(2)}) == value


@settings(max_examples=150, derandomize=True, deadline=None)
@given(st.fractions(min_value=F(1, 10**6), max_value=10**6), st.sampled_from([16, 64, 300]))
def test_logarithms_are_enclosed(x, bits):
    from flint import arb, ctx, fmpq

    lo, hi = log_bounds(x, bits)
    with ctx.workprec(2 * bits + 64):
        exact = arb(fmpq(x.numerator, x.denominator)).log() * arb(2) ** bits
        assert not exact < lo
        assert not exact > hi
    assert hi - lo <= 50 * bits


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.fractions(F(1, 40), 40)), min_size=1, max_size=5))
def test_logarithms_cancel_exactly_if_their_product_is_one(terms):
    product = F(1)
    for power, x in terms:
        product *= x**power
    assert logs_cancel([(F(power), x) for power, x in terms]) == (product == 1)
    closed = [*terms, (-1, product)]
    assert logs_cancel([(F(power, 7), x) for power, x in closed])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**16) | st.text(max_size=4)
    | st.sampled_from(["0", "1", "1/2", "-1", "ratio", "over", "p"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)  # fmt: skip


def places(thing: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    entries = (
        thing.items()
        if isinstance(thing, dict)
        else enumerate(thing)
        if isinstance(thing, list)
        else ()
    )
    for key, inner in entries:
        found += places(inner, (*path, key))
    return found


ALL = [build() for build in (*BUILDERS, warner_region)]
DIGESTS = ("sha256", "views_sha256")  # computed anew
PLACES = [
    (i, path)
    for i, built in enumerate(ALL)
    for path in places(built)
    if path and path[-1] not in DIGESTS
]
PROVES_NOTHING = {"reason", "versions", "smt", "name", "output", "example"}


@settings(max_examples=cases(150, 600), derandomize=True, deadline=None)
@given(st.sampled_from(PLACES), JSON)
def test_any_json_anywhere_never_raises(place, thing):
    i, path = place
    changed = copy.deepcopy(ALL[i])
    inner: Any = changed
    for step in path[:-1]:
        inner = inner[step]
    same = inner[path[-1]] == thing and type(inner[path[-1]]) is type(thing)
    inner[path[-1]] = thing
    result = check_certificate(seal(changed), views=ALL[i]["operator"], allow_solver_trusted=True)
    equivalent = path[0] == "evidence" or PROVES_NOTHING & set(path) or path[0] == "model"
    said = path == ("vacuous",) and thing is result.vacuous  # where nothing was said of it
    assert result.status == "rejected" or same or equivalent or said


def test_random_damage_never_raises_nor_passes():
    chance = random.Random(0)
    for built in ALL:
        data = as_file(built)
        for _ in range(60):
            damaged = bytearray(data)
            for _ in range(chance.randint(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            cut = bytes(damaged[: chance.choice([len(damaged), chance.randrange(len(damaged))])])
            result = check_certificate(cut, allow_solver_trusted=True)
            assert cut == data or result.status == "rejected"
