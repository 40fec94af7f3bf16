"""Claims about a client among a crowd: what they say, in any order, and what is refused where."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.language.compiler import compile_text
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.operators.crowd import MAX_CLIENTS, Crowd

BEFORE = """
domain D = 0..3
param n in [1, 10^9] = 40
prior P on D = uniform
prior Far on 0..9 = uniform
property Q on D = x == 0
operator Z(x: D) -> D { return uniform(D) }
operator R(x: D) -> D { with 1/2 { return x } else { return uniform(D) } }
"""
MODEL = compile_text(BEFORE)
P, Q = MODEL.priors["P"], MODEL.properties["Q"]
RARELY = F(1, 10**6)


def claimed(text):
    (claim,) = compile_text(f"{BEFORE}audit R {{ {text} }}").audits[0].claims
    return claim


def breach(*crowd, exception=RARELY, **told):
    return BreachClaim(F(1, 20), F(1, 2), crowd=Crowd(*crowd), exception=exception, **told)


def delta(*crowd):
    return BoundClaim("delta", "<=", RARELY, at=F(1, 4), crowd=Crowd(*crowd))


READ = {
    "require delta(1/4) <= 1e-6 after shuffling 1000": delta(1000),
    "require delta(1/4) <= 1e-6 after summing 1e3": delta(1000, "summing"),
    "require delta(1/4) <= 1e-6 after shuffling n + 1": delta(41),
    "require delta(1/4) <= 1e-6 after shuffling 1000 colluding 10 others under P": delta(
        1000, "shuffling", 10, 0, P
    ),
    "require delta(1/4) <= 1e-6 after shuffling 1000 colluding 10 at most 50 missing others under "
    "P": delta(1000, "shuffling", 10, 50, P),
    "require delta(1/4) <= 1e-6 after shuffling 1000 colluding 0": delta(1000),
    "forbid breach 1/20 -> 1/2 except with probability 1e-6 after shuffling 1000": breach(1000),
    "forbid upward breach 1/20 -> 1/2 for Q except with probability 1e-6 after summing 9": breach(
        9, "summing", direction="upward", about=Q
    ),
    "forbid downward breach 1/2 -> 1/20 except with probability 1e-6 after shuffling 9": breach(
        9, direction="downward"
    ),
    "forbid breach 1/20 -> 1/2 under P for Q except with probability 1e-6 after shuffling 1000 "
    "colluding 10": breach(1000, "shuffling", 10, under=P, about=Q),
    "forbid breach 1/20 -> 1/2 after shuffling 1000": breach(1000, exception=None),
    "require amplification <= 19 after shuffling 1000": BoundClaim(
        "amplification", "<=", 19, crowd=Crowd(1000)
    ),
    "require local_dp < 3 after shuffling 1000": BoundClaim("epsilon", "<", 3, crowd=Crowd(1000)),
}


@pytest.mark.parametrize("text", READ)
def test_what_is_said_is_claimed(text):
    assert claimed(text) == READ[text]


def test_clauses_of_a_crowd_stand_in_any_order():
    for parts in permutations(("colluding 3", "at most 5 missing", "others under P")):
        text = f"require delta(1/4) <= 1e-6 after shuffling 90 {' '.join(parts)}"
        assert claimed(text) == delta(90, "shuffling", 3, 5, P), text


def test_clauses_of_a_claim_stand_in_any_order():
    hidden, rarely = "after shuffling 90 others under P", "except with probability 1e-6"
    for clauses in permutations(("under P", "for Q", rarely, hidden)):
        text = f"forbid breach 1/20 -> 1/2 {' '.join(clauses)}"
        assert claimed(text) == breach(90, "shuffling", 0, 0, P, under=P, about=Q), text


@st.composite
def crowds(draw):
    clients = draw(st.integers(1, MAX_CLIENTS))
    colluding = draw(st.one_of(st.just(0), st.integers(0, clients - 1)))
    missing = draw(st.one_of(st.just(0), st.integers(0, clients - 1 - colluding)))
    how = draw(st.sampled_from(["shuffling", "summing"]))
    return Crowd(clients, how, colluding, missing, draw(st.sampled_from([None, P])))


SHARES = st.fractions(0, 1, max_denominator=10**9).filter(lambda share: 0 < share < 1)


@st.composite
def claims(draw):
    crowd = draw(crowds())
    if draw(st.booleans()):
        at, bound = draw(st.fractions(0, 9, max_denominator=99)), draw(SHARES)
        return BoundClaim("delta", draw(st.sampled_from(["<", "<="])), bound, at=at, crowd=crowd)
    if draw(st.booleans()) and crowd.how == "shuffling":
        measure = draw(st.sampled_from(["amplification", "epsilon"]))
        return BoundClaim(measure, "<=", draw(st.integers(1, 99)), crowd=crowd)
    low, high = sorted(draw(st.lists(SHARES, min_size=2, max_size=2, unique=True)))
    exception = draw(SHARES if crowd.how == "summing" else st.one_of(st.none(), SHARES))
    direction = draw(st.sampled_from(["both", "upward", "downward"]))
    under, about = draw(st.sampled_from([None, P])), draw(st.sampled_from([None, Q]))
    return BreachClaim(low, high, direction, under, about, crowd=crowd, exception=exception)


@settings(max_examples=60, deadline=None)
@given(st.lists(claims(), min_size=1, max_size=12))
def test_a_claims_text_is_read_as_the_claim(made):
    text = "\n".join(map(str, made))
    (audit,) = compile_text(f"{BEFORE}audit R {{\n{text}\n}}").audits
    assert list(audit.claims) == made


DELTA = "require delta(1/4) <= 1e-6 after shuffling"
BREACH = "forbid breach 1/20 -> 1/2"
REFUSED = [
    (f"{DELTA} «0", "0 clients: expected a whole number from 1 on"),
    (f"{DELTA} «-5", "-5 clients: expected a whole number"),
    (f"{DELTA} «5/2", "5/2 clients: expected a whole number"),
    (f"{DELTA} «exp(1)", "expected a rational number"),
    (f"{DELTA} «1e13", "more than 1,000,000,000,000 clients"),
    (f"{DELTA} 10 colluding «10", "no report is left"),
    (f"{DELTA} 10 colluding «1/2", "1/2 colluding: expected a whole number from 0 on"),
    (f"{DELTA} 10 at most «3 missing colluding 7", "no report is left"),
    (f"{DELTA} 10 at most «-3 missing", "-3 missing: expected a whole number"),
    (f"{DELTA} 10 colluding 1 colluding «2", "a second 'colluding' in one claim"),
    (f"{DELTA} 10 others under P others under «P", "a second 'others' in one claim"),
    (f"{DELTA} 10 others under «Far", "the prior Far is on 0..9"),
    (f"{DELTA} 10 others under «Later", "declared only later, in line 11"),
    (f"{DELTA} 10 others under «X", "unknown prior X"),
    (f"{DELTA} 10 after «3 reports", "among a crowd every client sends one report"),
    (f"{BREACH} after 3 reports after «shuffling 10", "a second 'after' in one claim"),
    (f"{BREACH} except with probability «0 after shuffling 9", "0 is not a probability between"),
    (f"{BREACH} except with probability «1 after shuffling 9", "1 is not a probability between"),
    (f"{BREACH} except with probability «exp(-9) after shuffling 9", "a rational number"),
    (f"{BREACH} except with probability «1e-6", "say among how many: after shuffling 1000"),
    (f"{BREACH} except with probability «1e-6 after 3 reports", "say among how many"),
    (f"{BREACH} after «summing 10", "except with probability 1e-6"),
    (
        f"{BREACH} knowing «Z except with probability 1e-6 after shuffling 10",
        "for no knowledge of x",
    ),
    (
        f"{BREACH} under {{ «mass(Q) < 1/2 }} except with probability 1e-6 after shuffling 10",
        "for all priors or under one",
    ),
    ("require delta(1) <= 0 except with probability «1e-6 after shuffling 9", "is for breaches"),
    (
        "require «mutual_information(P) <= 1 bit after shuffling 10",
        "expected one of amplification, epsilon, delta",
    ),
    ("require «amplification <= 3 after summing 10", "after summing delta is bounded"),
    ("require delta(1/4) <= 1 after shufling «10", "did you mean shuffling?"),
    (f"{DELTA} 10 «coluding 3", "did you mean colluding?"),
    (f"{DELTA} 10 «other under P", "did you mean others?"),
    (f"{DELTA} 10 at most 5 «mising", "did you mean missing?"),
    (f"{DELTA} 10 «clients", "expected the end of the line, after, at, colluding"),
    (f"{BREACH} «exept with probability 1e-6 after shuffling 9", "did you mean except?"),
    (f"{BREACH} except with «probablity 1e-6 after shuffling 9", "did you mean probability?"),
    (f"{BREACH} except with «1e-6 after shuffling 9", "expected probability"),
    (f"{BREACH} after «shuffling reports", "unknown name shuffling"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_makes_no_sense_is_refused_where_it_stands(text, said):
    before, _, after = text.partition("«")
    with pytest.raises(ModelError) as caught:
        claimed(f"\n{before}{after} }}\nprior Later on D = uniform\naudit Z {{")
    shown = str(caught.value)
    assert said in shown
    assert caught.value.place is not None
    assert (caught.value.place.line, caught.value.place.column) == (10, len(before) + 1), shown


def test_parts_of_a_record_are_not_hidden_in_a_crowd():
    text = BEFORE + "parts T { a: R; require record <= 3 after shuffling 100 }"
    with pytest.raises(ModelError, match="about one report of each") as caught:
        compile_text(text)
    assert caught.value.place.column == text.splitlines()[-1].index("shuffling") + 1


@pytest.mark.parametrize("word", ["shuffling", "summing"])
def test_a_parameter_that_is_called_as_the_clause_still_counts_reports(word):
    text = f"param {word} in [1, 9] = 3\noperator R(x: 0..1) -> 0..1 {{ return uniform(0..1) }}\n"
    found = compile_text(f"{text}audit R {{ forbid breach 1/4 -> 1/2 after {word} reports }}")
    assert found.audits[0].claims[0].reports == 3
    found = compile_text(f"{text}audit R {{ require epsilon <= 1 after shuffling {word} }}")
    assert found.audits[0].claims[0].crowd == Crowd(3)


def test_words_of_claims_are_no_remedy_elsewhere():
    with pytest.raises(ModelError) as caught:
        compile_text("operator R(x: 0..1) -> 0..1 { other = x\n if other = 1 { return 0 } }")
    assert "others" not in str(caught.value)
    assert "equality is written ==" in str(caught.value)
