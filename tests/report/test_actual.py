"""What is said beside a verdict: actual changes, numbers of bounds, and why an example differs."""

from __future__ import annotations

import io
from fractions import Fraction

from rich.console import Console

from ppdm_formal.certify.actual import actual_changes
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.finding import BreachWitness
from ppdm_formal.declare.language.compiler import compile_text, load
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.report.formats.terminal import print_document

MODEL = """
domain D = {a, b, c, d}
prior P on D { a : 1/4; b : 1/4; c : 1/4; d : 1/4 }
property first on D = x == a
operator R(x: D) -> {0, 1} { [x -> y] = 1 if x == a and y == 1 | 0 if x == a
    | 1 if y == 0 | 0 otherwise }
operator S(x: D) -> D { [x -> y] = 1/2 if x == y | 1/6 otherwise }
audit R, S {
    prior P
    forbid breach 1/10 -> 9/10 under P for first
    forbid upward breach 1/4 -> 3/4 under P for first
    require dependence(P) <= 1/10
    require mutual_information(P) <= 1/10 bit
    require total_variation(P) <= 1
    require amplification <= 3
}
"""


def shown(result):
    stream = io.StringIO()
    print_document(
        result.document(brief=True), Console(file=stream, width=120, force_terminal=False)
    )
    return " ".join(stream.getvalue().split())


def test_the_actual_change_stands_beside_a_claim_that_holds_or_says_nothing():
    result = audit(compile_text(MODEL))
    nothing = result.operators[0].certificates[0]
    assert nothing.says_nothing
    found = actual_changes(nothing)
    # By hand: output 1 comes from a alone, output 0 never does.
    assert (found.highest.before, found.highest.after) == (Fraction(1, 4), 1)
    assert found.lowest.after == 0
    text = shown(result)
    assert "The belief in first, at worst: 25% (1/4) becomes 100% (output 1), and" in text
    held = result.operators[1].certificates[1]
    assert held.verdict.value == "certified"
    # 1/2 / (1/2 + 3/6) = 1/2 and 1/6 / (1/6 + 1/2 + 2/6) = 1/6.
    assert (actual_changes(held).highest.after, actual_changes(held).lowest.after) == (
        Fraction(1, 2),
        Fraction(1, 6),
    )
    assert "25% (1/4) becomes 50% (1/2) (output a)" in text


def test_bounds_print_their_numbers():
    text = shown(audit(compile_text(MODEL)))
    # dependence of S: ln(P[a | a] / P[a]) = ln 2; information: by hand below.
    assert "the dependence of output a is 0.693147..., above the limit of 0.1" in text
    # H(1/4, ...) - H(1/2, 1/6, 1/6, 1/6) = 2 - (1/2 + 1/2 log2 6) = 0.20751... bit
    assert "the mutual information is 0.207518... bit, above the limit of 0.1 bit" in text
    assert "Holds: the total variation is 0.25, within the limit of 1" in text
    assert "the amplification is 3, exactly at the limit of 3" in text
    assert "narrowly within the limit of 3" not in text


def test_an_example_that_is_not_the_worst_says_which_is():
    result = audit(load(example_path("select_a_size"), {}))
    cut = next(found for found in result.operators if found.operator.name == "Cut")
    [certificate] = cut.certificates
    worst = {case.direction: case for case in certificate.worst if isinstance(case, BreachWitness)}
    # gamma = 1111 moves 5% to 1111 / (1111 + 19), and both directions go equally far.
    assert worst["upward"].after == Fraction(1111, 1111 + 19)
    assert certificate.witness.after < worst["upward"].after
    text = shown(result)
    assert "The example is the first breach that was found, not the worst: output {0, 1," in text
    assert "to ~98.32% (1111/1130)" in text
    assert "Lowering a belief as far is a breach too" not in text
