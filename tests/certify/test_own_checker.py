"""Random claims of the kinds that the checker once rejected: it accepts whatever is decided.

Numbers e^q under a known prior, whose common factors cancel; noise on real numbers, one end of the
outputs exactly at the limit; a free eps, also one that cancels in the operator.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from how_many import cases

from ppdm_formal.certify import certify
from ppdm_formal.certify.subjects.finite import rebuilt_of
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError

BELIEFS = [
    Fraction(n, d)
    for n, d in ((1, 10), (1, 5), (1, 4), (1, 3), (2, 5), (1, 2), (3, 5), (2, 3), (3, 4), (9, 10))
]
ENTRIES = (
    "1", "2", "3", "0", "1/2", "exp(1)", "exp(1/2)", "exp(2)", "2*exp(1)", "exp(1) + 1", "exp(-1)",
)  # fmt: skip
FREE = (
    ("exp(eps)/(exp(eps) + 1)", "1/(exp(eps) + 1)"),
    ("exp(eps)/exp(eps)*2/3", "1/3"),
    ("1 - exp(-eps)/2", "exp(-eps)/2"),
    ("exp(eps/2)/(2*exp(eps/2))", "1/2"),
)


def breach(chance: random.Random, rest: tuple[str, ...]) -> str:
    low, high = sorted(chance.sample(BELIEFS, 2))
    way = chance.choice(["", "upward ", "downward "])
    arrow = f"{high} -> {low}" if way == "downward " else f"{low} -> {high}"
    return f"forbid {way}breach {arrow}{chance.choice(rest)}"


def exponentials(chance: random.Random) -> str:
    inputs, outputs = chance.choice([2, 2, 3]), chance.choice([2, 3])
    rows = []
    for x in range(inputs):
        entries = [chance.choice(ENTRIES) for _ in range(outputs)]
        if set(entries) == {"0"}:
            entries[0] = "1"
        total = "+".join(f"({entry})" for entry in entries)
        rows.append(f"{x} : " + " ".join(f"(({entry})/({total}))" for entry in entries))
    masses = [chance.randint(1, 4) for _ in range(inputs)]
    prior = "; ".join(f"{x} : {Fraction(mass, sum(masses))}" for x, mass in enumerate(masses))
    claim = breach(chance, (" under X", " under X", " under X for q", " under X after 2 reports"))
    return f"""
operator R(x: 0..{inputs - 1}) -> 0..{outputs - 1} {{ matrix {{ {"; ".join(rows)} }} }}
prior X on 0..{inputs - 1} {{ {prior} }}
property q on 0..{inputs - 1} = x == 0
audit R {{ {claim} }}"""


def reals(chance: random.Random) -> str:
    down, up, size = chance.randint(1, 8), chance.randint(1, 20), chance.randint(1, 10)
    law = chance.choice(["uniform", "triangular", "laplace", "normal"])
    noise = f"{law}({size})" if law in ("laplace", "normal") else f"{law}(-{down}, {up})"
    ends = chance.choice(["-5..12", "0..10", "-3..13", "2..8", "-20..30"])
    window = chance.choice(
        [f" clamped to {ends}", f" clamped to {ends}", f" truncated to {ends}", ""]
    )
    low, high = sorted(chance.sample(range(11), 2))
    bound = chance.choice(["< 2", "<= 3/2", "< exp(1)", "<= exp(10/3)"])
    claim = breach(chance, (" for q", " for q", "", " under U for q"))
    if chance.random() < 0.2:
        claim = f"require amplification {bound}"
    return f"""
domain D = reals 0..10
property q on D = {low} <= x and x <= {high}
prior U on D {{ uniform(0, 5) : 1/2; uniform(5, 10) : 1/2 }}
operator R(x: D) -> reals {{ return x + {noise}{window} }}
audit R {{ {claim} }}"""


def free(chance: random.Random) -> str:
    same, other = chance.choice(FREE)
    bound = chance.choice(["eps", "eps/2", "2*eps", "1", "ln(2)", "3*eps/2"])
    claim = chance.choice(
        [
            breach(chance, (" for q", "", " under X for q", " under X", " under Y", " knowing Z")),
            f"require epsilon {chance.choice(['<', '<='])} {bound}",
            f"require delta({chance.choice(['eps', 'eps/2', '1/2'])}) <= 1/10",
        ]
    )
    return f"""
param eps in {chance.choice(["(0, 3)", "[1/2, 2]", "(0, 1]"])}
operator R(x: 0..1) -> 0..1 {{ [x -> y] = {same} if x == y | {other} otherwise }}
operator Z(x: 0..1) -> 0..1 {{ [x -> y] = 3/4 if x == y | 1/4 otherwise }}
prior X on 0..1 {{ 0 : 1/2; 1 : 1/2 }}
prior Y on 0..1 {{ 0 : 1/10; 1 : 9/10 }}
property q on 0..1 = x == 0
audit R {{ {claim} }}"""


@pytest.mark.parametrize(
    ("kind", "many"), [(exponentials, 60), (reals, cases(20, 60)), (free, cases(15, 40))]
)
def test_what_is_decided_is_accepted(kind, many):
    chance, counted = random.Random(35), Counter()
    for _ in range(many):
        text = kind(chance)
        try:
            model = compile_text(text)
        except ModelError:  # a property that every number has
            continue
        if model.audits:
            (asked,) = model.audits
            found = certify(asked.operator, asked.claims[0], timeout=20)
        else:
            (real,) = model.real.audits
            found = certify(real.operator, real.claims[0], timeout=20)
        counted[found.verdict.value] += 1
        if found.verdict.value == "unknown":
            continue
        document = found.to_json()
        result = check_certificate(document)
        assert result.accepted, (result.reason, text)
        assert result.verdict == found.verdict.value
        if model.audits:  # and the model says the same
            names = model.names_for("R")
            again = rebuilt_of(document, *names, model.operators, model.exponentials)
            assert again.claim == document["claim"]
            assert again.operator == document["operator"]
    assert counted["certified"] > many / 10
    assert counted["breached"] + counted["partly"] > many / 5
    assert counted["unknown"] < many / 5


ISSUES = [
    """
operator R(x: 0..1) -> 0..1 {
    matrix { 0 : (exp(1)/(exp(1)+1)) (1/(exp(1)+1)); 1 : 0 1 }
}
prior X on 0..1 { 0 : 1/3; 1 : 2/3 }
audit R { forbid breach 1/3 -> 1/2 under X }""",
    """
domain D = reals 0..10
property q on D = 2 <= x and x <= 4
operator R(x: D) -> reals { return x + uniform(-3, 20) clamped to -5..12 }
audit R { forbid breach 2/5 -> 1/2 for q }""",
]


@pytest.mark.parametrize("text", ISSUES, ids=["exponentials", "exactly at the limit"])
def test_breaches_that_were_rejected(text):
    model = compile_text(text)
    if model.audits:
        found = certify(model.audits[0].operator, model.audits[0].claims[0])
    else:
        asked = model.real.audits[0]
        found = certify(asked.operator, asked.claims[0])
    assert found.verdict.value == "breached"
    result = check_certificate(found.to_json())
    assert result.accepted, result.reason
