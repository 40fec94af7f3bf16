"""Client files: the law that they draw is the operator's, in Python and in JavaScript."""

from __future__ import annotations

import ast
import bisect
import itertools
import json
import math
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from client_oracle import LANGUAGES, ask, check_draw, every_string, in_process, pinned
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal import Operator, load
from ppdm_formal.declare.families.cut_and_paste import cut_and_paste
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism
from ppdm_formal.declare.families.fixed_size import fixed_size
from ppdm_formal.declare.families.flip import flip
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.pad_and_sample import pad_and_sample
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.machine.files import shipped
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.matrix import TooLarge
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.cases import client_cases, example_inputs
from ppdm_formal.run.client.description import client_law, sizes_law
from ppdm_formal.run.client.generate import LARGEST, ClientText
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import DecidedClaim

MODELS = sorted(path.stem for path in shipped("models").glob("*.ppdm"))

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
EACH_LANGUAGE = ["python", pytest.param("javascript", marks=needs_node)]


def written(tmp_path: Path, language: str, law, cases=()) -> Path:
    path = tmp_path / f"client{LANGUAGES[language]}"
    path.write_text(ClientText("a test", [], [], law, cases).written(language), encoding="utf-8")
    return path


def operators(name: str):
    """The operators of a model, free parameters set to the middle of their intervals."""
    model = load(str(shipped("models") / f"{name}.ppdm"))
    for operator in model.operators.values():
        middle = {p.name: (p.lower + p.upper) / 2 for p in operator.parameters}
        yield operator.substitute(middle) if middle else operator


def row(operator: Operator, x) -> list[Fraction]:
    return [operator.probability(x, y) for y in operator.outputs]


def shown(y):
    return value_json(y)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("name", MODELS)
def test_every_integer_below_the_denominator_gives_the_row(tmp_path, name, language):
    """The outputs of t = 0, 1, ..., D - 1 are as many as p[x -> y] D, for each of them."""
    for operator in operators(name):
        try:
            operator.matrix()
        except TooLarge:
            continue
        if not all(isinstance(p, Fraction) for p in operator.matrix().palette):
            continue  # e^q has no denominator
        law = client_law(operator)
        if law["kind"] not in ("rows", "diagonal"):
            continue
        path = written(tmp_path, language, law)
        for x in {operator.inputs[0], operator.inputs[operator.inputs.size // 2]}:
            p = row(operator, x)
            total = math.lcm(*(q.denominator for q in p))
            counts = [int(q * total) for q in p]
            ends = list(itertools.accumulate(counts))
            tried = range(total)
            if total > 5000:  # outputs rise with t: the edges between them tell all
                edges = [t for end in (0, *ends) for t in (end - 1, end) if 0 <= t < total]
                tried = sorted(set(edges))
            names = [shown(y) for y in operator.outputs]
            expected = [names[bisect.bisect_right(ends, t)] for t in tried]
            strings = [pinned(t, total) for t in tried]
            assert ask(path, [(x, bits) for bits in strings], 64) == expected


@given(st.lists(st.integers(0, 12), min_size=2, max_size=6).filter(any), st.integers(1, 4))
def test_all_bit_strings_induce_the_row(weights, width):
    """The lazy comparison is exact, whatever the weights and however bits are drawn."""
    total = sum(weights)
    operator = Operator.from_matrix([[Fraction(w, total) for w in weights]] * 2)
    law = client_law(operator)
    cuts = [Fraction(sum(weights[: k + 1]), total) for k in range(len(weights) - 1)]
    inside = [(k, cut) for k, cut in enumerate(cuts) if 0 < cut < 1]
    outputs = list(operator.outputs)
    run = lambda cases: in_process(law, cases, width)  # noqa: E731
    check_rows(run, 0, cuts, outputs, width, inside)


def check_rows(run, value, cuts, outputs, width, inside):
    """Repeated cuts (outputs of probability 0) are one cut, passed by several outputs at once."""
    kept: dict[Fraction, int] = {}
    for k, cut in inside:
        kept[cut] = k + 1
    first = sum(cut == 0 for cut in cuts)
    names = [first, *kept.values()]
    simple = [outputs[name] for name in names]
    assert check_draw(run, value, list(kept), simple, width) >= 1


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("width", [1, 3])
def test_all_bit_strings_induce_the_row_in_each_language(tmp_path, language, width):
    operator = Operator.from_matrix([["1/7", "2/7", "4/7"], ["1/3", "1/4", "5/12"]], ["a", "b"])
    path = written(tmp_path, language, client_law(operator))
    for x in operator.inputs:
        p = row(operator, x)
        cuts = [p[0], p[0] + p[1]]
        states = check_draw(lambda c: ask(path, c, width), x, cuts, list(operator.outputs), width)
        assert states > 1


FAMILIES = {
    "select_a_size": select_a_size(3, 2, "1/4", keep=["1/4", "1/4", "1/2"]),
    "cut_and_paste": cut_and_paste(3, 2, 1, "1/2"),
    "flip": flip(3, 1, "3/4"),
    "replace_items": replace_items(4, 2, "1/2"),
    "fixed_size": fixed_size(4, 2, 2, gamma=3),
    "pad_and_sample": pad_and_sample(3, 2, 3, buckets=4),
}

VALUES = {
    "unary_encoding": unary_encoding(3, "3/4", "1/4"),
    "subset_selection": subset_selection(3, 2, 2),
    "local_hashing": local_hashing(3, 2, keep="3/4"),
    "hadamard_response": hadamard_response(6, 3),
    "truncated_geometric": truncated_geometric(4, "1/3"),
    "duchi_mean": duchi_mean(3, 3),
    "exponential_mechanism": exponential_mechanism(8, [3, 1, "1/2"]),
    "unary_encoding, e^1": unary_encoding(2, epsilon=1),
    "subset_selection, e^1": subset_selection(3, epsilon=1),
    "hadamard_response, e^1": hadamard_response(3, epsilon=1),
    "truncated_geometric, e^1": truncated_geometric(3, epsilon=1),
    "duchi_mean, e^1": duchi_mean(3, epsilon=1),
    "exponential_mechanism, e^1": exponential_mechanism(5, epsilon=1),
}


@pytest.mark.parametrize("name", VALUES)
def test_local_randomizers_draw_their_law(name):
    """All strings of up to 13 bits: what they decide, and what they leave open, is the row."""
    operator = VALUES[name]
    law = client_law(operator)
    assert law["kind"] != "rows"
    for x in {operator.inputs[0], operator.inputs[1], operator.inputs[operator.inputs.size - 1]}:
        found, left = every_string(lambda cases: in_process(law, cases, 1), x, 13)
        assert left <= Fraction(1, 8)
        for y in operator.outputs:
            name = sorted(y) if isinstance(y, frozenset) else y
            decided = found.pop(json.dumps(name), 0)
            assert decided <= operator.probability(x, y) <= decided + left
        assert not found


@needs_node
def test_local_randomizers_draw_alike_in_javascript(tmp_path):
    strings = [f"{number:09b}" for number in range(512)]
    for name, operator in VALUES.items():
        law = client_law(operator)
        cases = [(x, bits) for x in operator.inputs for bits in strings]
        found = ask(written(tmp_path, "javascript", law), cases, 1)
        drawn = in_process(law, cases, 1)
        tuples = [{"tuple": list(y)} if isinstance(y, list | tuple) else y for y in drawn]
        assert found == tuples, name
        assert any(y is not None for y in found)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_local_randomizers_need_no_matrix(tmp_path, language):
    for operator in (
        unary_encoding(10**6, "3/4", "1/4"),
        subset_selection(10**4, 3),
        hadamard_response(10**6, 3),
        truncated_geometric(10**6, "1/3"),
        duchi_mean(10**6, 3),
        exponential_mechanism(10**6, [3, 1, "1/2"]),
    ):
        assert len(json.dumps(client_law(operator))) < 300
    operator = hadamard_response(10**6, 3)
    law = client_law(operator)
    path = written(tmp_path, language, law)
    (found,) = ask(path, [(999_999, "0" * 64 + "1" * 64)], 64)  # even, and the last column
    assert operator.probability(999_999, found) == Fraction(3, 4 * 2**19)
    wrong = ask(path, [(10**6, "0" * 128), (-1, "0" * 128)], 64)
    assert wrong == [{"error": "the value is not in the domain"}] * 2


def test_large_sets_have_fewer_cases():
    assert example_inputs(unary_encoding(10**5, "1/2")) == [0, 99_999]
    assert example_inputs(unary_encoding(10**6, "1/2")) == []


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("name", FAMILIES)
def test_families_of_sets_draw_their_law(tmp_path, name, language):
    """All strings of up to 16 bits: with halves and quarters, these decide every draw."""
    operator = FAMILIES[name]
    path = written(tmp_path, language, client_law(operator))
    x = operator.inputs[operator.inputs.size - 1]

    def run(cases):
        if language == "javascript":
            return ask(path, cases, 1)
        law = client_law(operator)
        return [None if y is None else {"tuple": y} for y in in_process(law, cases, 1)]

    found, left = every_string(run, x, 16)
    assert left == 0
    expected = {
        json.dumps({"tuple": sorted(y)}): operator.probability(x, y) for y in operator.outputs
    }
    assert found == {y: p for y, p in expected.items() if p}


@given(
    st.lists(st.integers(1, 5), min_size=3, max_size=3),
    st.fractions(min_value="1/9", max_value="8/9", max_denominator=9),
)
def test_families_with_any_numbers_stay_within_what_is_left_open(weights, insert):
    total = sum(weights)
    keep = [Fraction(weight, total) for weight in weights]
    operator = select_a_size(3, 2, insert, keep=keep)
    x = operator.inputs[1]
    law = client_law(operator)
    found, left = every_string(lambda c: in_process(law, c, 1), x, 11)
    for y in operator.outputs:
        p = operator.probability(x, y)
        assert found[json.dumps(sorted(y))] <= p <= found[json.dumps(sorted(y))] + left


def test_examples_are_the_first_input_the_last_and_some_between():
    assert example_inputs(randomized_response(3, "1/2")) == [0, 1, 2]
    assert example_inputs(randomized_response(71, "1/2")) == list(range(0, 71, 10))


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_k_ary_response_needs_no_matrix(tmp_path, language):
    operator = randomized_response(1_000_000, "1/3")
    law = client_law(operator)
    assert len(json.dumps(law)) < 300
    path = written(tmp_path, language, law, client_cases(law, example_inputs(operator)))
    kept = f"{(1 << 64) // 3 + 5:064b}"
    assert ask(path, [(0, "0" * 64), (999_999, "1" * 64)], 64) == [0, 999_999]
    assert ask(path, [(500_000, kept)], 64)[0] not in (500_000, None)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_weights_of_any_size(tmp_path, language):
    """A denominator of 400 digits: 64 bits leave its edge open, 2,000 do not."""
    small = Fraction(1, 10**400)
    operator = Operator.from_matrix([[small, 1 - small], [1 - small, small]])
    path = written(tmp_path, language, client_law(operator))
    found = ask(path, [(0, "0" * 64), (0, "0" * 64 * 32), (0, "1" * 64), (1, "1" * 64 * 32)], 64)
    assert found == [None, 0, 1, 1]


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_plan_has_a_law_for_each_size(tmp_path, language):
    laws = {m: select_a_size(5, m, "1/2", cutoff=0, gamma=3).law for m in (1, 2)}
    path = written(tmp_path, language, sizes_law(5, laws))
    wrong = ask(path, [((0, 1, 2), "0" * 640), ((1, 1), "0" * 640), ((7,), "0" * 640)], 64)
    assert all("error" in answer for answer in wrong)
    assert "of this size" in wrong[0]["error"]
    assert wrong[1] == wrong[2] == {"error": "a transaction holds different items 0 to 4"}
    fine = ask(path, [((2,), "1" * 6400), ((2, 4), "1" * 6400), ((4, 2), "1" * 6400)], 64)
    assert fine[1] == fine[2]
    assert all("tuple" in answer for answer in fine)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_value_outside_is_refused_and_not_repeated(tmp_path, language):
    inputs = ["yes", 1, "1", ("a", 2), frozenset({3, "b"})]
    identity = [[int(i == j) for j in range(5)] for i in range(5)]
    operator = Operator.from_matrix(identity, inputs, inputs)
    path = written(tmp_path, language, client_law(operator))
    assert ask(path, [(x, "0" * 64) for x in inputs], 64) == [shown(x) for x in inputs]
    for secret in ("secret4711", 4711, ("a", 4711), frozenset({3})):
        [answer] = ask(path, [(secret, "0" * 64)], 64)
        assert "4711" not in answer["error"]


BASKETS = [
    lambda: sizes_law(5, {2: select_a_size(5, 2, "1/2", cutoff=0, gamma=3).law}),
    lambda: client_law(replace_items(5, 2, "1/2")),
]
NO_VALUES = [None, "", "01", "a", [[0], [1]], [0, "1"], [0, None], [0, 1.5], 3, True, [True, 0]]


@pytest.mark.parametrize("law", BASKETS)
def test_what_is_no_transaction_is_outside_in_python(law):
    import numpy as np

    others = [b"\x00\x01", {0: 1, 1: 2}, object(), np.array([[0], [1]]), np.array([0.0, 1.0])]
    for value in [*NO_VALUES, *others]:
        with pytest.raises(runtime.OutsideDomain):
            runtime.drawn(law(), value, lambda bits: 0)
    for value in ([0, 1], (1, 0), {0, 1}, np.array([0, 1]), iter([0, 1])):
        assert runtime.drawn(law(), value, lambda bits: 0) is not None


@pytest.mark.parametrize("values", [range(3), ["a", 1, (1, 2)]])
def test_what_is_no_value_is_outside_in_python(values):
    import numpy as np

    identity = [[int(i == j) for j in range(3)] for i in range(3)]
    law = client_law(Operator.from_matrix(identity, values, values))
    for value in (None, [], [[1]], "", 1.0, True, np.array([1, 2, 3]), np.array([[1], [2]])):
        with pytest.raises(runtime.OutsideDomain):
            runtime.drawn(law, value, lambda bits: 0)
    assert runtime.drawn(law, np.int8(1), lambda bits: 0) == 1


@needs_node
@pytest.mark.parametrize("law", [*BASKETS, lambda: client_law(randomized_response(3, "1/2"))])
def test_what_is_no_value_is_outside_in_javascript(tmp_path, law):
    path = written(tmp_path, "javascript", law())
    asked = json.dumps([value for value in NO_VALUES if value != 3] + [7])
    script = (
        f"const c = await import({json.dumps(path.as_uri())});"
        f"const asked = [...{asked}, undefined, 1n, [0, 1n], Symbol(), [0, Symbol()], {{}}];"
        "console.log(JSON.stringify(asked.map((value) => {"
        "  try { return c.randomize(value); }"
        "  catch (e) { return [e.name, e instanceof c.OutsideDomain]; }"
        "})))"
    )
    done = subprocess.run([shutil.which("node"), "--input-type=module", "-e", script],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert json.loads(done.stdout) == [["OutsideDomain", True]] * (len(NO_VALUES) + 6)


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_the_self_test_passes_and_can_fail(tmp_path, language):
    operator = Operator.from_matrix([["3/4", "1/8", "1/8"], ["1/8", "3/4", "1/8"]])
    law = client_law(operator)
    cases = client_cases(law, example_inputs(operator))
    for broken in (False, True):
        if broken:
            law = json.loads(json.dumps(law))
            law["rows"][0][0][1] = hex(int(law["rows"][0][0][1], 16) * 3)
        path = written(tmp_path, language, law, cases)
        if language == "python":
            command = [shutil.which("python3"), "-I", str(path)]
        else:
            script = (
                f"const c = await import({json.dumps(path.as_uri())}); console.log(c.selfTest())"
            )
            command = [shutil.which("node"), "--input-type=module", "-e", script]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) is not broken, done.stderr
        if not broken:
            assert str(len(cases)) in done.stdout


def test_secure_bits_are_the_default_and_fresh(tmp_path):
    """Two runs of the file as shipped differ, and stay within the outputs."""
    law = client_law(randomized_response(10**9, "0"))
    path = written(tmp_path, "python", law)
    script = f"import runpy; c = runpy.run_path({str(path)!r}); print(c['randomize'](5))"
    drawn = {
        subprocess.run([shutil.which("python3"), "-c", script], capture_output=True, text=True,
                       check=True).stdout for _ in range(2)
    }  # fmt: skip
    assert len(drawn) == 2
    assert all(0 <= int(y) < 10**9 for y in drawn)


@needs_node
def test_web_crypto_is_the_default_and_fresh(tmp_path):
    law = client_law(randomized_response(10**9, "0"))
    path = written(tmp_path, "javascript", law)
    script = (
        f"const c = await import({json.dumps(path.as_uri())});"
        "console.log(JSON.stringify(Array.from({length: 1000}, () => c.randomize(5))))"
    )
    done = subprocess.run([shutil.which("node"), "--input-type=module", "-e", script],
                          capture_output=True, text=True, check=True)  # fmt: skip
    drawn = json.loads(done.stdout)
    assert len(set(drawn)) > 990
    assert all(0 <= y < 10**9 and y != 5 for y in drawn)


def test_names_never_leave_their_comment(tmp_path):
    evil = "x\nimport os\u2028os.system('true')*/ \"quoted\" é"
    claims = [DecidedClaim(evil, "certified", True, "0" * 64)]
    law = client_law(Operator.from_matrix([[1]], [evil], [evil]))
    for language, mark in (("python", "#"), ("javascript", "//")):
        text = ClientText(evil, [evil], claims, law, client_cases(law, [evil])).written(language)
        assert text.isascii()
        header = text.split("\n\n", 1)[0].split("\n")
        assert all(line.startswith(mark) for line in header)
        path = tmp_path / f"client{LANGUAGES[language]}"
        path.write_text(text)
        if language == "python" or shutil.which("node"):
            assert ask(path, [(evil, "0" * 64)], 64) == [evil]
    assert "says nothing" in text


def test_python_clients_are_python_3_8(tmp_path):
    path = written(tmp_path, "python", client_law(randomized_response(3, "1/2")))
    ast.parse(path.read_text(), feature_version=(3, 8))


def test_free_parameters_and_endless_clients_are_refused():
    free = next(
        operator
        for operator in load(str(shipped("models") / "warner.ppdm")).operators.values()
        if operator.parameters
    )
    with pytest.raises(DataError, match="--set"):
        client_law(free)
    with pytest.raises(ValueError, match="more than"):
        ClientText("x", [], [], {"kind": "x" * LARGEST}, []).written("python")
