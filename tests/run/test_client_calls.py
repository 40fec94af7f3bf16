"""Clients are called with a value and nothing else counts; no error quotes what they were given."""

import json
import shutil
import subprocess
import traceback

import pytest
from plan_cases import group, plan
from test_client import EACH_LANGUAGE, written
from test_group_client import law_of
from test_noise_client import made

from ppdm_formal import Operator
from ppdm_formal.declare.families.duchi_mean import duchi_mean
from ppdm_formal.declare.families.exponential_mechanism import exponential_mechanism
from ppdm_formal.declare.families.hadamard_response import hadamard_response
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.truncated_geometric import truncated_geometric
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.description import client_law, sizes_law

SECRET = "often-4711"


def labels(*names):
    rows = [["3/4" if i == j else "1/4" for j in range(2)] for i in range(2)]
    return Operator.from_matrix(rows, list(names), list(names))


LAWS = {
    "labels": (lambda: client_law(labels("never", "often")), ["never", "often"]),
    "numbers": (lambda: client_law(randomized_response(9, "1/2")), [1, 2, 8]),
    "sizes": (
        lambda: sizes_law(5, {2: select_a_size(5, 2, "1/2", cutoff=0, gamma=3).law}),
        [[0, 1], [2, 4]],
    ),
    "replacement": (lambda: client_law(replace_items(5, 2, "1/2")), [[0, 1], [2, 4]]),
    "bits": (lambda: client_law(unary_encoding(4, "3/4", "1/4")), [0, 3]),
    "chosen": (lambda: client_law(subset_selection(6, 2)), [0, 5]),
    "hadamard": (lambda: client_law(hadamard_response(3, epsilon=1)), [0, 2]),
    "geometric": (lambda: client_law(truncated_geometric(9, "1/2")), [0, 8]),
    "sign": (lambda: client_law(duchi_mean(5, epsilon=1)), [0, 4]),
    "distance": (lambda: client_law(exponential_mechanism(8, [3, 1, "1/2"])), [0, 7]),
    "grid": (lambda: client_law(made("laplace(3)", (0, 4), (-1, 5))), [0, 1.3, "3.7"]),
    "grid, listed": (lambda: client_law(made("normal(3)", (0, 4), (-1, 5))), [0, 1.3, "3.7"]),
    "groups": (lambda: law_of(plan(group("all", "1", (1, 2)))), [[0], [1, 2]]),
}
WRONG = [
    SECRET, [SECRET], [[SECRET]], {"a": SECRET}, [SECRET, SECRET], 47110815, -47110815,
    [47110815], 4711.0815, "4711e99", "4711/0", "0x4711", None, [], True,
]  # fmt: skip


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("name", LAWS)
def test_map_randomizes_in_javascript_and_nothing_is_quoted(tmp_path, name):
    law, values = LAWS[name]
    path = written(tmp_path, "javascript", law())
    script = f"""
        const c = await import({json.dumps(path.as_uri())});
        const values = {json.dumps(values)};
        const rows = values.map(c.randomize);
        for (const row of rows) if (row === undefined) throw new Error("nothing drawn");
        const hostile = [
          {{ [Symbol.iterator]() {{ throw new Error("{SECRET}"); }} }},
          {{ get length() {{ throw new TypeError("{SECRET}"); }} }},
          new Proxy([], {{ get() {{ throw new SyntaxError("{SECRET}"); }} }}),
          Symbol("{SECRET}"), 47110815n, new Set(["{SECRET}"]), () => "{SECRET}", undefined,
        ];
        const said = [];
        const tried = (work) => {{
          try {{ work(); }} catch (e) {{
            said.push([e.name, String(e), e.stack, String(e.cause)]);
          }}
        }};
        for (const value of [...{json.dumps(WRONG)}, ...hostile]) {{
          tried(() => c.randomize(value, value, value));
          tried(() => c.randomizeFor(value, value));
          tried(() => [value].map(c.randomizeFor));
          tried(() => [value].map(c.drawn));
        }}
        console.log(JSON.stringify([rows.length, said]));
    """
    done = subprocess.run(
        [shutil.which("node"), "--input-type=module"],
        input=script, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows, said = json.loads(done.stdout)
    assert rows == len(values)
    assert len(said) >= 3 * len(WRONG)
    for kind, message, stack, cause in said:
        assert "4711" not in message + stack.replace(str(tmp_path), "") + cause, (kind, message)
        assert kind in ("OutsideDomain", "TypeError", "Error")


class Hostile:
    """Whose own methods quote it."""

    def fail(self, *_):
        raise ValueError(SECRET)

    __index__ = __float__ = __iter__ = __str__ = __eq__ = __len__ = fail
    __hash__ = object.__hash__


@pytest.mark.parametrize("name", LAWS)
def test_nothing_is_quoted_in_python(name, monkeypatch):
    law, values = LAWS[name]
    monkeypatch.setattr(runtime, "LAW", law())
    assert all(answer is not None for answer in map(runtime.randomize, values))
    wrong = [*WRONG, Hostile(), [Hostile()], (SECRET,), {SECRET}, SECRET.encode(), 4711j]
    calls = [
        *((runtime.randomize, (value,)) for value in wrong),
        *((runtime.randomize, (values[0], value)) for value in wrong),
        *((runtime.randomize_for, (value, value)) for value in wrong),
        (runtime.randomize_for, (SECRET + "\udc00", values[0])),
    ]
    problems = [problem for call, given in calls if (problem := raised(call, given))]
    assert len(problems) >= 2 * len(wrong)
    for problem in problems:
        text = "".join(traceback.format_exception_only(problem))
        assert "4711" not in text, text
        assert problem.__cause__ is problem.__context__ is None


def raised(call, given):
    try:
        call(*given)
    except Exception as problem:
        return problem
    return None


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_client_has_no_parameters_for_tests(tmp_path, language):
    """An array that map hands over, or bits of a caller's choice, change nothing."""
    text = written(tmp_path, language, client_law(labels("never", "often"))).read_text()
    first = "export function randomize(value) {" if language == "javascript" else "(value):"
    assert first in text
