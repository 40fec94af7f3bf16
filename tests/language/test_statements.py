"""Every statement of the language's description, each as a small model with its exact law."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from ppdm_formal.declare.claim import BoundClaim, BreachClaim
from ppdm_formal.declare.language.compiler import compile_text, load, load_csv
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.parser import parse
from ppdm_formal.declare.language.syntax_errors import RESERVED
from ppdm_formal.declare.operators.prior import PriorFamily


def law(text, name="R", **values):
    """{x: {y: p}} without zeros."""
    operator = compile_text(text, values=values).operators[name]
    return {
        x: {y: p for y in operator.outputs if (p := operator.probability(x, y)) != 0}
        for x in operator.inputs
    }


def value(expression, header=""):
    """What an expression without variables returns, as the only output that occurs."""
    outputs = "(-1000..1000) | {yes, no} | (0..3) * (0..3) | {(1, 2, 3)}"
    found = law(f"{header}\noperator R(x: {{0}}) -> {outputs} {{ return {expression} }}")
    ((y, p),) = found[0].items()
    assert p == 1
    return y


def holds(condition, header="", x="0..0"):
    property = compile_text(f"{header}\nproperty P on {x} = {condition}").properties["P"]
    return list(property.members)


def audits(claims, before=""):
    text = f"""
        domain D = 0..3
        prior X on D = uniform
        property zero on D = x == 0
        property far on D = x > 1
        operator Z(x: D) -> D {{ return uniform(D) }}
        operator R(x: D) -> D {{ with 1/2 {{ return x }} else {{ return uniform(D) }} }}
        {before}
        audit R {{
            {claims}
        }}"""
    return compile_text(text).audits


# -- EGS03, Example 1 --------------------------------------------------------------------------

EXAMPLE_1 = """
    domain Number = 0..1000

    prior X on Number {          # or: prior U on Number = uniform
        0       : 1/100
        1..1000 : 99/100000 each
    }

    property zero on Number = x == 0
    property far  on Number = not (200 <= x <= 800)

    operator R1(x: Number) -> Number {
        with 1/5 { return x }
        else     { return uniform(Number \\ {x}) }
    }

    operator R2(x: Number) -> Number {
        shift ~ uniform(-100..100)
        return (x + shift) mod 1001
    }

    operator R3(x: Number) -> Number {
        with 1/2 { return R2(x) }
        else     { return uniform(Number) }
    }

    audit R1, R2, R3 {
        prior X
        property zero, far
        given 0
        forbid breach 1/7 -> 1/2
        forbid breach 1/7 -> 1/2 under X
        require amplification < 6
    }
"""


def test_example_1():
    model = compile_text(EXAMPLE_1)
    x = model.priors["X"]
    assert x.mass(model.properties["zero"]) == F(1, 100)
    assert x.mass(model.properties["far"]) == F(40501, 100000)
    r1, r2, r3 = (model.operators[name] for name in ("R1", "R2", "R3"))
    assert (r1.probability(5, 5), r1.probability(5, 6)) == (F(1, 5), F(4, 5) / 1000)
    assert (r2.probability(0, 1000), r2.probability(0, 101)) == (F(1, 201), 0)
    assert r3.probability(1000, 99) == F(1, 402) + F(1, 2002)
    assert r3.probability(0, 500) == F(1, 2002)
    assert [audit.operator.name for audit in model.audits] == ["R1", "R2", "R3"]
    audit = model.audits[0]
    assert [p.name for p in audit.properties] == ["zero", "far"]
    assert (audit.priors, audit.given) == ((x,), (0,))
    assert list(map(str, audit.claims)) == [
        "forbid breach 1/7 -> 1/2",
        "forbid breach 1/7 -> 1/2 under X",
        "require amplification < 6",
    ]


def test_source_is_the_operators_own_text():
    source = compile_text(EXAMPLE_1).operators["R2"].source
    assert source.startswith("operator R2(x: Number)")
    assert source.endswith("mod 1001\n    }")


# -- line ends ---------------------------------------------------------------------------------

LINES = {
    "a line for each": "y = x\n return y",
    "semicolons": "y = x; return y",
    "a semicolon and a line end": "y = x;\n return y;",
    "after an operator": "y = x +\n 0 *\n 1\n return y",
    "after and": "if x == 0 and\n x == 0 { return 0 }\n return x",
    "after a comma": "y = max(x,\n 0)\n return y",
    "after an open bracket": "y = (\n x\n )\n return y",
    "inside round brackets": "y = (x\n + 0)\n return y",
    "before else": "if x == 0 { return 0 }\n\n # here\n else { return x }",
    "after a block": "if x == 0 { return 0 } return x",
    "comments": "y = x # a note; with { signs\n return y # end",
    "blank lines": "\n\n y = x\n\n\n return y\n\n",
    "carriage returns": "y = x\r\n return y\r\n",
    "a set over lines": "y ~ uniform({x,\n x\n })\n return y",
}


@pytest.mark.parametrize("body", LINES.values(), ids=LINES)
def test_line_ends(body):
    assert law(f"operator R(x: 0..3) -> 0..3 {{ {body}\n}}") == {x: {x: 1} for x in range(4)}


def test_outside_braces_line_ends_do_not_matter():
    text = "domain\nD\n=\n0..1 |\n{a}\noperator R(x:\nD) -> D\n{ return x }\naudit R,\nR { }"
    assert law(text) == {0: {0: 1}, 1: {1: 1}, "a": {"a": 1}}


def test_a_case_goes_on_with_a_bar():
    text = "operator R(x: 0..1) -> 0..1 {\n [x -> y] = 1 if y == x\n\n # and\n | 0 otherwise\n}"
    assert law(text) == {0: {0: 1}, 1: {1: 1}}


@pytest.mark.parametrize(
    "body",
    [
        "y = x\n + 0\n return y",
        "if x == 0\n { return 0 }\n return x",
        "return\n x",
        "y = {0\n , 1}\n return x",
    ],
)
def test_lines_that_end_too_early(body):
    with pytest.raises(ModelError):
        compile_text(f"operator R(x: 0..3) -> 0..3 {{ {body} }}")


# -- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number", ["1/4", "0.25", "25%", "0.250", "25.0%", "1 / 4", "2^-2", "25e-2"]
)
def test_numbers_are_exact(number):
    text = (
        f"operator R(x: {{0}}) -> {{0, 1}} {{ with {number} {{ return 1 }} else {{ return 0 }} }}"
    )
    assert law(text) == {0: {1: F(1, 4), 0: F(3, 4)}}


@pytest.mark.parametrize("number", [".01", "1.", "1e", "1e1.5", "1e-2000", "0x10", "1_000", "1,5"])
def test_other_numbers_are_refused(number):
    with pytest.raises(ModelError):
        compile_text(f"domain D = 0..{number}")


def test_a_tenth_of_a_percent():
    text = "operator R(x: {0}) -> {0, 1} { return bernoulli(0.1%) }"
    assert law(text)[0][1] == F(1, 1000)


# -- labels and names --------------------------------------------------------------------------


def test_labels_are_names_or_quoted_text():
    text = 'operator R(x: {yes, "if", "<=50K"}) -> {"yes", "if", "<=50K"} { return x }'
    assert list(law(text)) == ["yes", "if", "<=50K"]


def test_equal_spelling_is_the_same_label():
    text = 'domain A = {a, "b"}\noperator R(x: {"a", b}) -> A { if x == "b" { return a } return b }'
    assert law(text) == {"a": {"b": 1}, "b": {"a": 1}}


def test_labels_mixed_with_integers_are_never_equal_to_them():
    text = 'operator R(x: {1, "1", e}) -> 0..1 { if x == 1 { return 1 } return 0 }'
    assert law(text) == {1: {1: 1}, "1": {0: 1}, "e": {0: 1}}


def test_escapes_in_labels():
    text = r'operator R(x: {"a\"b", "c\\d"}) -> {0} { return 0 }'
    assert list(law(text)) == ['a"b', "c\\d"]


FREE = [
    *("on", "each", "for", "under", "given", "of", "bit", "nat", "breach", "upward", "downward"),
    *("knowing", "uniform", "bernoulli", "binomial", "csv", "mass", "subsets", "abs", "min"),
    *("max", "amplification", "true", "false", "x_1", "é"),
    *("after", "reports", "shuffling", "summing", "colluding", "others", "except", "probability"),
    *("at", "most", "missing", "clients"),
]


@pytest.mark.parametrize("word", FREE)
def test_free_words_are_names_and_labels(word):
    text = f"""
        domain {word}_set = {{{word}, other}}
        prior {word} on {word}_set = uniform
        property {word} on {word}_set = x == {word}
        operator R(x: {word}_set) -> {word}_set {{ return {word} }}
        audit R {{ prior {word}; property {word}; given {word}
                   forbid breach 1/4 -> 1/2 under {word} for {word} }}"""
    assert law(text) == {word: {word: 1}, "other": {word: 1}}
    as_variable = f"operator R(x: 0..1) -> 0..1 {{ {word} = x\n return {word} }}"
    assert law(as_variable) == {0: {0: 1}, 1: {1: 1}}
    as_parameter = f"param {word} in (0, 1) = 1/2\noperator R(x: {{0}}) -> {{0}} {{ return 0 }}"
    assert compile_text(as_parameter).values == {word: F(1, 2)}


def test_free_words_as_operators_and_domains():
    text = """
        domain on = 0..1
        operator each(for: on) -> on { return for }
        operator given(of: on) -> on { under ~ each(of); return under }
        audit each, given { given 0 }"""
    assert law(text, "given") == {0: {0: 1}, 1: {1: 1}}


def test_reserved_words_are_those_of_the_grammar():
    said = (
        "domain prior property operator param audit with if else return choose matrix otherwise"
        " forbid require and or not in mod parts"
    )
    assert set(said.split()) == RESERVED
    for word in RESERVED:
        with pytest.raises(ModelError):
            parse(f"domain {word} = 0..1")
        with pytest.raises(ModelError):
            parse(f"domain D = {{{word}}}")
        assert parse(f'domain D = {{"{word}"}}\ndomain {word}s = 0..1')


# -- priors and properties ---------------------------------------------------------------------


def test_values_not_listed_have_probability_0():
    prior = compile_text("prior X on 0..9 { 1 : 1/2\n 3..4 : 1/4 each }").priors["X"]
    assert [prior.probability(v) for v in (0, 1, 2, 3, 4)] == [0, F(1, 2), 0, F(1, 4), F(1, 4)]


def test_priors_list_sets_and_tuples():
    text = """
        domain Pair = (0..1) * {a, b}
        prior X on Pair { (0, a) : 1/2; Pair \\ {(0, a)} : 1/6 each }
        prior Y on {a, b} | 0..1 { {a, 1} : 30% each; b : 0.4 }
        prior Z on subsets(1 of 0..1) { {0} : 1/3; {1} : 2/3 }
        prior U on Pair = uniform"""
    priors = compile_text(text).priors
    assert priors["X"].probability((1, "b")) == F(1, 6)
    assert priors["Y"].probability("b") == F(2, 5)
    assert priors["Z"].probability(frozenset([1])) == F(2, 3)
    assert priors["U"].probability((0, "b")) == F(1, 4)


def test_a_prior_with_a_free_parameter():
    text = "param p in (0, 1)\nprior X on {a, b} { a : p; b : 1 - p }"
    assert compile_text(text, values={"p": "1/3"}).priors["X"].probability("b") == F(2, 3)
    assert [p.name for p in compile_text(text).priors["X"].parameters] == ["p"]


def test_properties_speak_of_x():
    assert holds("x mod 2 == 0 and x != 4", x="0..6") == [0, 2, 6]
    assert holds("x.2 == b", x="(0..1) * {a, b}") == [(0, "b"), (1, "b")]
    assert holds("3 in x", x="subsets(2 of 1..3)") == [frozenset({1, 3}), frozenset({2, 3})]


# -- [x -> y] and parameters -------------------------------------------------------------------

WARNER = """
    param p in (1/2, 1)

    operator Warner(x: {yes, no}) -> {yes, no} {
        [x -> y] = p      if y == x
                 | 1 - p  otherwise
    }

    audit Warner { forbid breach 1/10 -> 1/2 }
"""


def test_a_parameter_without_a_value_stays_symbolic():
    model = compile_text(WARNER)
    assert list(model.parameters) == ["p"]
    warner = model.operators["Warner"]
    assert str(warner.probability("yes", "no")) == "1 - p"
    assert [parameter.interval for parameter in warner.parameters] == ["(1/2, 1)"]


@pytest.mark.parametrize("given", ["3/4", "0.75", "75%", F(3, 4)])
def test_set_gives_a_value(given):
    model = compile_text(WARNER, values={"p": given})
    assert model.operators["Warner"].probability("yes", "yes") == F(3, 4)
    assert model.values == {"p": F(3, 4)}
    assert not model.parameters


def test_a_default_and_closed_ends():
    text = "param p in [1/2, 1] = {}\noperator R(x: {{0}}) -> {{0, 1}} {{ return bernoulli(p) }}"
    assert law(text.format("3/4"))[0][1] == F(3, 4)
    assert law(text.format("3/4"), p="1")[0] == {1: 1}
    assert law(text.format("1"), p="1/2")[0][1] == F(1, 2)
    model = compile_text("param n in [1, 9] = 3\ndomain D = 1..n\nprior X on D = uniform")
    assert model.values == {"n": 3}
    assert model.priors["X"].domain.size == 3


@pytest.mark.parametrize(
    ("interval", "outside"), [("(0, 1)", "0"), ("(0, 1)", "1"), ("[0, 1)", "1"), ("(0, 1]", "0")]
)
def test_open_ends_do_not_belong(interval, outside):
    text = f"param p in {interval}\nprior X on 0..1 {{ 0 : p; 1 : 1 - p }}"
    with pytest.raises(ModelError, match=r"is outside"):
        compile_text(text, values={"p": outside})


def test_values_for_unknown_parameters_are_refused():
    with pytest.raises(ModelError, match="no parameter q") as caught:
        compile_text(WARNER, values={"q": "1/2"})
    assert caught.value.hint == "the model's parameters: p"
    with pytest.raises(ModelError, match="the value of p"):
        compile_text(WARNER, values={"p": "three"})
    with pytest.raises(ModelError, match="the value of p"):
        compile_text(WARNER, values={"p": 0.5})


def test_conditions_on_parameters_are_decided_over_the_whole_range():
    text = "param p in {}\noperator R(x: {{0}}) -> {{0, 1}} {{ if {} {{ return 1 }} return 0 }}"
    for interval, condition, found in [
        ("(0, 1)", "p > 0", 1),
        ("(0, 1)", "p < 1", 1),
        ("[0, 1]", "p >= 0", 1),
        ("[0, 1]", "p < 0", 0),
        ("(0, 1)", "p == 1", 0),
        ("(0, 1)", "p^2 - p < 0", 1),
        ("(0, 1)", "p - p == 0", 1),
        ("(0, 1)", "abs(-p) == p", 1),
        ("[0, 1]", "max(p, 2) == 2 and min(p, 0) == 0", 1),
    ]:
        assert law(text.format(interval, condition))[0] == {found: 1}, condition
    for interval, condition in [
        ("[0, 1]", "p > 0"),
        ("[0, 1]", "p == 0"),
        ("(0, 1)", "p > 1/2"),
        ("(0, 1)", "(p - 1/2)^2 > 0"),
        ("(0, 1)", "p in {0, 1}"),
    ]:
        with pytest.raises(ModelError, match="free parameter"):
            compile_text(text.format(interval, condition))


def test_the_first_case_that_applies_counts():
    text = """
        operator Erase(x: {0, 1}) -> {0, 1, e} {          # EGS03 Example 2, second randomization
            [x -> y] = 9999/10000  if y == e
                     | 99/1000000  if y == x
                     | 1/1000000   otherwise
        }"""
    assert law(text, "Erase")[1] == {"e": F(9999, 10000), 1: F(99, 10**6), 0: F(1, 10**6)}
    text = "operator R(x: 0..2) -> 0..2 { [x -> y] = 1/2 if y in {0, 1} | 1 if y == 0 }"
    assert law(text) == {x: {0: F(1, 2), 1: F(1, 2)} for x in range(3)}


def test_a_union_in_a_condition_needs_parentheses():
    text = (
        "domain A = 0..0\ndomain B = 1..1\noperator R(x: 0..2) -> 0..2 {{ [x -> y] = 1/2 if {} }}"
    )
    assert law(text.format("y in (A | B)"))[0] == {0: F(1, 2), 1: F(1, 2)}
    with pytest.raises(ModelError):
        compile_text(text.format("y in A | B"))


def test_a_matrix_row_by_row():
    text = """
        param p in (0, 1) = 1/3
        operator Survey(x: {low, mid, high}) -> {a, b} {  # a matrix, row by row
            matrix {
                mid  : 1/3 2/3
                low  : 1/2 50%
                high : p (1 - p)
            }
        }"""
    third = {"a": F(1, 3), "b": F(2, 3)}
    assert law(text, "Survey") == {
        "low": {"a": F(1, 2), "b": F(1, 2)},
        "mid": third,
        "high": third,
    }


def test_entries_stand_in_the_order_of_the_outputs():
    text = "operator R(x: {0}) -> {b, 2, a, 1} { matrix { 0 : 1/2 1/4 1/8 1/8 } }"
    operator = compile_text(text).operators["R"]
    assert list(operator.outputs) == ["b", 2, "a", 1]
    assert operator.probability(0, 2) == F(1, 4)


def test_csv_beside_the_model(tmp_path):
    (tmp_path / "survey.csv").write_text("x,b,a\nhigh,3/4,25%\nlow,1/2,0.5\nmid,2/3,1/3\n")
    model = tmp_path / "m.ppdm"
    model.write_text('operator R(x: {low, mid, high}) -> {a, b} = csv("survey.csv")')
    loaded = load(model)
    operator = loaded.operators["R"]
    assert list(operator.inputs) == ["low", "mid", "high"]
    assert operator.probability("high", "a") == F(1, 4)
    assert operator.probability("mid", "b") == F(2, 3)
    assert list(loaded.csv_files) == ["survey.csv"]
    (tmp_path / "pairs.csv").write_text(',"(0, a)","(0, b)"\n0,1,0\n-1,0,1\n')
    model.write_text('operator R(x: -1..0) -> {0} * {a, b} = csv("pairs.csv")')
    assert load(model).operators["R"].probability(-1, (0, "b")) == 1
    (tmp_path / "bare.csv").write_text("1,0\n0,1\n")
    model.write_text('operator R(x: 0..1) -> {a, b} = csv("bare.csv")')
    assert load(model).operators["R"].probability(1, "b") == 1


def test_a_bare_csv_matrix(tmp_path):
    file = tmp_path / "coin.csv"
    file.write_bytes(b'\xef\xbb\xbf"",heads,tails\r\nyes,0.3,7/10\r\nno,50%,1/2\r\n')
    operator = load_csv(file).operators["coin"]
    assert (list(operator.inputs), list(operator.outputs)) == (["yes", "no"], ["heads", "tails"])
    assert operator.probability("yes", "tails") == F(7, 10)
    file.write_text("1/2, 1/2\n0, 1\n")
    assert load_csv(file).operators["coin"].probability(1, 1) == 1


# -- programs ----------------------------------------------------------------------------------


def test_statements():
    text = """
        operator R(x: 0..2) -> 0..9 {
            n ~ uniform(0..1)
            m = n + x
            if m == 3 { return 9 }
            with 1/3 { return m }
            else if m == 0 { return 8 }
            else with 1/2 { m = 7 }
            return m
        }"""
    assert law(text)[0] == {0: F(1, 6), 8: F(1, 3), 1: F(1, 6) + F(1, 6), 7: F(1, 6)}
    assert law(text)[2] == {9: F(1, 2), 2: F(1, 6) + F(1, 6), 7: F(1, 6)}


def test_distributions():
    text = """
        operator Two(x: 0..1) -> 0..3 { return uniform(0..3 \\ {x, 3}) }
        operator Choose(x: 0..1) -> {a, b, c} { return choose { a : 1/2; b : 1/3; c : 1/6 } }
        operator Binomial(x: 0..1) -> 0..3 { return binomial(2 + x, 1/3) }
        operator Bernoulli(x: 0..1) -> 0..1 { return bernoulli(1/4) }
        operator Call(x: 0..1) -> 0..3 { y ~ Bernoulli(x); return Two(1 - y) }
        operator Each(x: 0..3) -> 0..3 { return choose { x : 1/2; (0..3) \\ {x} : 1/6 each } }
        operator Walk(x: 0..3) -> 0..3 { return choose { x - 1 : x/3; x + 1 : 1 - x/3 } }"""
    assert law(text, "Two")[1] == {0: F(1, 2), 2: F(1, 2)}
    assert law(text, "Choose")[0] == {"a": F(1, 2), "b": F(1, 3), "c": F(1, 6)}
    assert law(text, "Binomial")[1] == {0: F(8, 27), 1: F(12, 27), 2: F(6, 27), 3: F(1, 27)}
    assert law(text, "Call")[0] == {0: F(3, 8), 2: F(1, 2), 1: F(1, 8)}
    assert law(text, "Each")[2] == {2: F(1, 2), 0: F(1, 6), 1: F(1, 6), 3: F(1, 6)}
    assert law(text, "Walk") == {
        0: {1: 1},
        1: {0: F(1, 3), 2: F(2, 3)},
        2: {1: F(2, 3), 3: F(1, 3)},
        3: {2: 1},
    }


def test_probabilities_are_expressions_in_parameters_and_x():
    text = """
        param p in (0, 1/4)
        operator R(x: 0..3) -> 0..1 { with p * x + 1/8 { return 1 } else { return 0 } }"""
    assert str(compile_text(text).operators["R"].probability(2, 1)) == "2*p + 1/8"


PRECEDENCE = [
    ("2 + 3 * 4", 14),
    ("2 * 3 + 4", 10),
    ("10 - 4 - 3", 3),
    ("100 / 5 / 2", 10),
    ("7 // 2 * 2", 6),
    ("-7 // 2", -4),
    ("-7 mod 3", 2),
    ("7 mod 4 * 2", 6),
    ("2 * 7 mod 4", 2),
    ("-2^2", -4),
    ("2^3^2 / 2^6", 8),
    ("2^-1 * 6", 3),
    ("(1/2)^-3", 8),
    ("- -5", 5),
    ("2 * -3", -6),
    ("(1, 2).1^3 + (1, 2).2^3", 9),
    ("-(2, 3).2", -3),
    ("0^0", 1),
    ("abs(-3) + min(4, 2, 3) + max(1)", 6),
    ("((1, 2), 3)", (1, 2, 3)),
    ("(2, (1, 2).1)", (2, 1)),
]


@pytest.mark.parametrize(("expression", "found"), PRECEDENCE, ids=lambda v: str(v))
def test_precedence_of_expressions(expression, found):
    assert value(expression) == found


CONDITIONS = [
    ("1 + 1 in 1..2 \\ {1}", True),
    ("3 in 0..1 + 2", True),
    ("1 < 2 < 3", True),
    ("1 < 3 < 2", False),
    ("3 > 2 != 1 <= 1 == 1", True),
    ("not 1 == 2", True),
    ("not 1 == 2 and 1 == 2", False),
    ("1 == 1 or 1 == 2 and 1 == 2", True),
    ("not 1 in {2, 3}", True),
    ("1 not in {2, 3}", True),
    ("not 1 not in {1}", True),
    ("1 in 0..5 \\ {1} \\ {2}", False),
    ("3 in ({1} | {2, 3})", True),
    ("1/2 in 0..1", False),
    ("2/2 in 0..1", True),
    ("(1, 2) in (0..1) * (2..3)", True),
    ("(1, 2) == (1, 2)", True),
    ("(1, 2) != (2, 1)", True),
    ("{1, 2} == {2, 1, 1}", True),
    ("{1, 2} == 1..2", True),
    ("{1, 2} in subsets(2 of 1..3)", True),
    ("0 != 0 and 1/0 == 1", False),
    ("0 == 0 or 1/0 == 1", True),
    ("1 < 0 < 1/0", False),
    ("(1 == 1) == (2 == 2)", True),
]


@pytest.mark.parametrize(("condition", "found"), CONDITIONS, ids=lambda v: str(v))
def test_precedence_of_conditions(condition, found):
    assert holds(condition) == ([0] if found else [])


SETS = [
    ("(1..2) * (3..4)", [(1, 3), (1, 4), (2, 3), (2, 4)]),
    ("(0..1) * {a} * {5}", [(0, "a", 5), (1, "a", 5)]),
    ("((0..1) * {a}) * {5}", [(0, "a", 5), (1, "a", 5)]),
    ("{b, a} | 1..2 | {a}", ["b", "a", 1, 2]),
    ("0..3 \\ {1} \\ {2}", [0, 3]),
    ("0..5 \\ 1..2 | {9}", [0, 3, 4, 5, 9]),
    ("0..1 + 1", [0, 1, 2]),
    ("{3, 1..2, 9,}", [3, 1, 2, 9]),
    ("subsets(2 of {a, b, 1})", [frozenset(v) for v in (["a", "b"], ["a", 1], ["b", 1])]),
    ("subsets(0 of 1..3)", [frozenset()]),
    ("-2..-1", [-2, -1]),
    ("7..7", [7]),
]


@pytest.mark.parametrize(("text", "found"), SETS, ids=[text for text, _ in SETS])
def test_sets_are_ordered_as_written(text, found):
    assert list(compile_text(f"prior X on {text} = uniform").priors["X"].domain) == found


def test_a_product_of_ranges_needs_parentheses():
    for text in ("1..6 * 1..6", "(1..6) * 1..6"):
        with pytest.raises(ModelError) as caught:
            compile_text(f"domain D = {text}")
        assert "(1..6) * (1..6)" in caught.value.hint


def test_exponents_up_to_ten_thousand():
    assert value("2^10000 / 2^9999") == 2
    for text in ("2^10001", "2^-10001", "2^(1/2)"):
        with pytest.raises(ModelError, match="exponent"):
            value(text)


def test_an_operator_is_called_with_one_of_its_inputs():
    text = "operator A(x: 0..1) -> 0..1 { return x }\noperator R(x: 0..2) -> 0..1 { return A(x) }"
    with pytest.raises(ModelError, match="2 is not an input of A"):
        compile_text(text)


def test_variables_may_be_given_a_new_value():
    text = "operator R(x: 0..2) -> 0..9 { x = x + 1\n x ~ choose { x : 1 }\n x = x * 2\n return x }"
    assert law(text) == {0: {2: 1}, 1: {4: 1}, 2: {6: 1}}


def test_sets_and_truth_values_in_variables():
    text = """
        operator R(x: 0..2) -> 0..2 {
            others = (0..2) \\ {x}
            small = x < 1
            if small or 0 not in others { return uniform(others) }
            return x
        }"""
    assert law(text) == {0: {1: F(1, 2), 2: F(1, 2)}, 1: {1: 1}, 2: {2: 1}}


# -- ready-made operators ----------------------------------------------------------------------


def test_ready_made_operators():
    text = """
        operator S = select_a_size(items: 1000, size: 5, insert: 51/100, cutoff: 4, gamma: 19)
        operator K = select_a_size(items: 6, size: 2, insert: 1/2, keep: [1/4, 1/4, 1/2])
        operator C = cut_and_paste(items: 1000, size: 5, cutoff: 3, insert: 1/10)
        operator F = flip(items: 1000, size: 5, stay: 9/10)
        operator G = randomized_response(values: 10, keep: 19/28)"""
    operators = compile_text(text).operators
    assert list(operators) == ["S", "K", "C", "F", "G"]
    g = operators["G"]
    assert list(g.inputs) == list(range(10))
    assert (g.probability(3, 3), g.probability(3, 4)) == (F(19, 28), F(1, 28))
    assert operators["S"].inputs.size == 8250291250200
    assert operators["F"].source.startswith("operator F = flip(")


def test_a_ready_made_operator_with_a_free_parameter_can_be_called():
    text = """
        param p in (0, 1)
        operator G = randomized_response(values: 3, keep: p)
        operator R(x: 0..2) -> {a, b} { y ~ G(x); if y == 0 { return a } return b }"""
    assert str(compile_text(text).operators["R"].probability(1, "a")) == "1/2 - p/2"


# -- claims ------------------------------------------------------------------------------------


def test_every_kind_of_claim():
    (audit,) = audits(
        """
        forbid breach 1/4 -> 1/2
        forbid upward breach 25% -> 0.5
        forbid downward breach 1/2 -> 1/4
        forbid breach 1/4 -> 1/2 under X
        forbid breach 1/4 -> 1/2 under { mass(zero) <= 1/50; mass(far) >= 1/3 }
        forbid breach 1/4 -> 1/2 for zero
        forbid breach 1/4 -> 1/2 under X for zero
        forbid breach 1/4 -> 1/2 under X knowing Z
        require amplification <= 6
        require worst_case_information(X) <= 1 bit
        require worst_case_information(X) < 0.7 nats
        require dependence(X) <= 1/10
        """
    )
    claims = audit.claims
    assert len(claims) == 12
    assert [claim.direction for claim in claims[:3]] == ["both", "upward", "downward"]
    breaches = [claim for claim in claims if isinstance(claim, BreachClaim)]
    assert {(c.rho1, c.rho2) for c in breaches} == {(F(1, 4), F(1, 2))}
    family = claims[4].under
    assert isinstance(family, PriorFamily)
    assert str(family) == "{ mass(zero) <= 1/50; mass(far) >= 1/3 }"
    assert claims[5].about.name == claims[6].about.name == "zero"
    assert claims[7].knowing.name == "Z"
    bounds = [claim for claim in claims if isinstance(claim, BoundClaim)]
    assert [(c.measure, c.relation, c.unit) for c in bounds] == [
        ("amplification", "<=", None),
        ("worst_case_information", "<=", "bit"),
        ("worst_case_information", "<", "nat"),
        ("dependence", "<=", None),
    ]
    assert str(claims[2]) == "forbid downward breach 1/2 -> 1/4"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("mass(zero) + 2 * mass(far) <= 1/3", "mass(zero) + 2 * mass(far) <= 1/3"),
        ("1/3 >= mass(zero)", "mass(zero) <= 1/3"),
        ("mass(zero) <= mass(far)", "mass(zero) - mass(far) <= 0"),
        ("mass(zero) - 1/2 == -1/3", "mass(zero) == 1/6"),
        ("mass(zero) / 2 < 10%", "1/2 * mass(zero) < 1/10"),
        ("-mass(zero) > -1/2", "mass(zero) < 1/2"),
        ("(mass(zero) + mass(far)) * 2 <= 1", "2 * mass(zero) + 2 * mass(far) <= 1"),
    ],
)
def test_linear_constraints(written, meant):
    (audit,) = audits(f"forbid breach 1/4 -> 1/2 under {{ {written} }}")
    assert str(audit.claims[0].under) == f"{{ {meant} }}"


def test_lists_of_an_audit():
    (audit,) = audits("prior X\nproperty zero, far\ngiven 0, 1 + 1\nproperty zero")
    assert [p.name for p in audit.properties] == ["zero", "far"]
    assert audit.given == (0, 2)
    (empty,) = audits("")
    assert empty.claims == ()


def test_knowledge_may_list_the_same_inputs_in_another_order():
    before = """operator K(x: {3, 2, 1, 0}) -> {even, odd} {
            if x mod 2 == 0 { return even } else { return odd }
        }"""
    (audit,) = audits("forbid breach 1/4 -> 1/2 knowing K", before)
    assert audit.claims[0].knowing.name == "K"


INNER = "operator A(x: 0..1) -> 0..2 { return uniform({1, 2}) }"


def test_what_an_operator_never_returns_need_not_be_an_output():
    """0 is among A's outputs, but has probability 0."""
    half = {1: F(1, 2), 2: F(1, 2)}
    assert law(f"{INNER} operator R(x: 0..1) -> 1..2 {{ return A(x) }}") == {0: half, 1: half}
    assert law(f"{INNER} operator R(x: 0..1) -> {{2, 1}} {{ return A(x) }}") == {0: half, 1: half}
    mixed = "with 1/3 { return A(x) } else { return 1 }"
    assert law(f"{INNER} operator R(x: 0..1) -> 1..2 {{ {mixed} }}")[0] == {1: F(5, 6), 2: F(1, 6)}
    for outputs in ("0..1", "2..2", "{0, 1}"):
        with pytest.raises(ModelError, match=r"returns (2|1) for x = 0"):
            compile_text(f"{INNER} operator R(x: 0..1) -> {outputs} {{ return A(x) }}")


def test_sets_less_a_member_reach_only_what_is_left():
    assert law("operator R(x: 0..1) -> {1, 2} { return uniform((0..2) \\ {0}) }")[0] == {
        1: F(1, 2),
        2: F(1, 2),
    }
    program = "operator R(x: 0..1) -> 1..2 { return uniform((x..2) \\ {0}) }"
    assert law(program) == {0: {1: F(1, 2), 2: F(1, 2)}, 1: {1: F(1, 2), 2: F(1, 2)}}
    with pytest.raises(ModelError, match="returns 0 for x = 1"):
        compile_text("operator R(x: 0..1) -> 1..2 { return uniform((0..2) \\ {x}) }")
