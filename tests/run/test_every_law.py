"""What every law says of itself, for every family that is found by its place.

Spelled and built again it is the same law, also through the text of a release; and clients of both
languages draw it. Nothing here names a family.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from fractions import Fraction

import pytest
from family_cases import cases

from ppdm_formal.cli import run
from ppdm_formal.declare.arithmetic.exponential import exp_of
from ppdm_formal.declare.families.by_place import built_again, family_names
from ppdm_formal.declare.families.exponential_mechanism import DecayLaw
from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.cases import client_cases, example_inputs
from ppdm_formal.run.client.description import client_law
from ppdm_formal.run.client.generate import ClientText
from ppdm_formal.run.described import operator_json, operator_of

F = Fraction
NAMES = family_names()


def fixed(name):
    """The cases without free parameters; of very many, some."""
    found = [operator for _, operator in cases(name) if not operator.parameters]
    assert len(found) >= 4
    return found[:: -(-len(found) // 12)]


@pytest.mark.parametrize("name", NAMES)
def test_spelled_and_built_again_it_is_the_same_law(name):
    """Free parameters and all."""
    for _, operator in cases(name):
        spelled = operator.law.spelled()
        assert spelled is not None
        found = built_again(
            spelled.family,
            spelled.arguments,
            operator.inputs,
            operator.outputs,
            parameters=operator.parameters,
        )
        assert found.law == operator.law
        assert (found.inputs, found.outputs) == (operator.inputs, operator.outputs)


@pytest.mark.parametrize("name", NAMES)
def test_a_release_holds_the_law(name):
    for operator in fixed(name):
        written = json.loads(json.dumps(operator_json(operator)))
        assert operator_of(written).law == operator.law
        assert operator_json(operator_of(written)) == written


class Ended(Exception):
    """The tape is at its end."""


def tapes(draw, width):
    """What a client makes of every tape of bits that it reads, and how likely each is.

    A tape is a row of words; one that is too short raises, and is lengthened by every word.
    """
    found, waiting = {}, [()]
    rest = F(0)
    while waiting:
        tape = waiting.pop()
        words = list(tape)

        def take(count, words=words):
            if not words:
                raise Ended
            return words.pop(0)

        try:
            output = draw(take)
        except Ended:
            if len(tape) == LONGEST:
                rest += F(1, 1 << width * len(tape))
            else:
                waiting += [(*tape, word) for word in range(1 << width)]
            continue
        share = F(1, 1 << width * len(tape))
        found[output] = found.get(output, 0) + share
    return found, rest


LONGEST = 11


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_client_draws_the_law(name):
    """Every tape of bits up to a length: no output gets more or less than its probability."""
    small = [operator for operator in fixed(name) if operator.outputs.size <= 8]
    tried = sorted(small, key=lambda operator: -operator.outputs.size)[:4]
    assert tried
    for operator in tried:
        check_client(operator, most=F(1, 2))


def check_client(operator, most):
    """The last input, on tapes of bits whose ends leave less than `most` open."""
    law = client_law(operator)
    x = operator.inputs[operator.inputs.size - 1]
    value = sorted(x) if isinstance(x, frozenset) else x

    def draw(take):
        found = runtime.drawn(law, value, take, 1)
        return frozenset(found) if isinstance(found, list) else found

    shares, rest = tapes(draw, 1)
    assert rest < most
    for y in operator.outputs:
        exact, seen = operator.probability(x, y), shares.pop(y, F(0))
        assert seen <= exact
        assert exact <= seen + rest
    assert not shares


@pytest.mark.parametrize("decay", [F(1, 9), F(2, 3), F(9, 10), F(1), exp_of(F(-1, 4))], ids=str)
def test_clients_draw_distances_by_their_bits(decay):
    """As the mechanism on more values than have their weights listed, here on three and five."""
    for size in (3, 5):
        line = Domain(range(size))
        check_client(Operator(line, line, DecayLaw(size, decay)), most=F(3, 4))


def test_the_javascript_client_draws_every_family(tmp_path):
    """Its self-test: fixed bits lead to the outputs of the reference client."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    files = []
    for name in NAMES:
        for place, operator in enumerate(fixed(name)[::3]):
            law = client_law(operator)
            written = client_cases(law, example_inputs(operator))
            assert written
            client = ClientText(name, [], [], law, written)
            path = tmp_path / f"{name}{place}.mjs"
            path.write_text(client.written("javascript"), encoding="utf-8")
            files.append(path)
    every = tmp_path / "run.mjs"
    every.write_text(
        "\n".join(
            f'import * as m{k} from "./{path.name}";\nconsole.log(m{k}.selfTest());'
            for k, path in enumerate(files)
        ),
        encoding="utf-8",
    )
    done = subprocess.run([node, str(every)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == len(files)


def test_a_changed_case_fails_the_javascript_self_test(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    operator = next(one for one in fixed(NAMES[0]) if one.outputs.size > 1)
    law = client_law(operator)
    written = client_cases(law, example_inputs(operator))
    other = next(y for y in operator.outputs if value_json(y) != written[0][2])
    written[0][2] = value_json(other)
    path = tmp_path / "client.mjs"
    text = ClientText("", [], [], law, written).written("javascript")
    path.write_text(f"{text}\nselfTest();", encoding="utf-8")
    assert subprocess.run([node, str(path)], capture_output=True, check=False).returncode != 0


def test_a_law_of_ones_own_in_one_file_goes_all_the_way(contributed, tmp_path, capsys):
    """The one that CONTRIBUTING.md shows: audited, randomized, estimated, shipped, tested."""
    contributed("neighbours")
    model, data = tmp_path / "circle.ppdm", tmp_path / "data.csv"
    model.write_text(
        "operator R = neighbours(values: 3, keep: 1/2)\n"
        "audit R {\n    forbid breach 1/10 -> 1/2\n    require epsilon <= 1\n}\n"
    )
    data.write_text("v\n" + "0\n1\n2\n2\n" * 500)
    assert run(["audit", str(model)]) == 0
    assert "2 claims hold" in capsys.readouterr().out
    target = tmp_path / "answers.csv"
    asked = ["randomize", str(data), "-o", str(target), "--model", str(model)]
    assert run([*asked, "--operator", "R=v"]) == 0
    release = json.loads((tmp_path / "answers.csv.release.json").read_text())
    law = release["columns"][0]["operator"]["law"]
    assert law == {"kind": "family", "name": "neighbours", "arguments": {"keep": "1/2"}}
    estimates = tmp_path / "estimates.csv"
    assert run(["estimate", str(target), "--csv", str(estimates)]) == 0
    for language, command in (("python", [sys.executable, "-I"]), ("javascript", ["node"])):
        client = tmp_path / f"client.{'py' if language == 'python' else 'mjs'}"
        asked = ["client", str(model), "--operator", "R", "--language", language, "-o", str(client)]
        assert run(asked) == 0
        if shutil.which(command[0]):
            if language == "javascript":
                with client.open("a", encoding="utf-8") as file:
                    file.write("\nconsole.log(`self-test passed: ${selfTest()} cases`);\n")
            done = subprocess.run(
                [*command, str(client)], capture_output=True, text=True, check=True
            )
            assert done.stdout.startswith("self-test passed: ")
    for test in (
        test_spelled_and_built_again_it_is_the_same_law,
        test_a_release_holds_the_law,
        test_the_reference_client_draws_the_law,
    ):
        test("neighbours")
