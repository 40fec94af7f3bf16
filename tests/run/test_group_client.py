"""Clients of plans with groups: the exact law in both languages, identifiers, phases, refusals."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction

import plan_cases
import pytest
from client_oracle import LANGUAGES, ask, every_string, in_process
from plan_cases import group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.description import groups_law
from ppdm_formal.run.client.generate import ClientText
from ppdm_formal.run.plan_groups import assignment_key, plan_run

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
EACH_LANGUAGE = ["python", pytest.param("javascript", marks=needs_node)]


def law_of(content, phase=None):
    made = plan_of(content)
    chosen = plan_run(made, phase, "identifier" if len(made.groups) > 1 else None)
    laws = {
        (g.name, p.size): g.operator(p.size, made.items).law for g in chosen.active for p in g.sizes
    }
    return groups_law(made.items, chosen, laws, assignment_key(made))


def entry(size, insert, *keep):
    return {"size": size, "insert": insert, "keep": list(keep)}


def halves(name, share, size, lifted=1, phase=1, chosen=None, hidden=None, **sizes):
    """A group whose every draw is decided by few bits."""
    keep = {1: ["1/4", "3/4"], 2: ["1/4", "1/4", "1/2"], 3: ["1/4", "1/4", "1/4", "1/4"]}
    written = group(name, share, (size,), lifted, phase, chosen, hidden)
    held = len(written["sizes"][0]["keep"]) - 1
    return {**written, "sizes": [entry(size, "1/2", *keep[held])]}


LAWS = {
    "a coin between items and pairs": (
        [halves("items", "1/4", 2), halves("pairs", "3/4", 2, 2)], 3, (0, 2)),
    "lifted": ([halves("pairs", "1", 2, 2)], 3, (1, 2)),
    "padded": ([halves("all", "1", 2, hidden="pad")], 2, (1,)),
    "padded pairs": ([halves("pairs", "1", 2, 2, hidden="pad")], 2, (1,)),
    "projected": ([halves("later", "1", 2, 1, 2, [1, 3, 4])], 6, (1, 4)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, "python") for name in LAWS]
    + [
        pytest.param(name, "javascript", marks=needs_node)
        for name in ("a coin between items and pairs", "padded pairs")
    ],
)
def test_all_bit_strings_induce_the_plan(tmp_path, name, language):
    groups, items, basket = LAWS[name]
    content = plan(*groups, items=items)
    law = law_of(content)
    path = tmp_path / f"client{LANGUAGES[language]}"
    path.write_text(ClientText("a test", [], [], law, []).written(language))

    def answers(cases):
        if language == "javascript":
            return ask(path, cases, 1)
        found = in_process(law, cases, 1)
        return [None if y is None else plain(y) for y in found]

    found, left = every_string(answers, basket, 15)
    assert left == 0
    expected = defaultdict(Fraction)
    for made in plan_of(content).groups:
        size = made.sizes[0].size
        held = plan_cases.members(made, basket, items)
        for report, mass in plan_cases.law(made, size, held, items).items():
            expected[json.dumps(plain((made.name, size, report)))] += made.share * mass
    assert found == dict(expected)


def plain(y):
    return {"tuple": [plain(part) for part in y]} if isinstance(y, tuple) else y


def test_a_basket_that_is_cut_is_cut_uniformly():
    """Four items cut to one, two bits say which; all bit strings."""
    content = plan(halves("all", "1", 1, hidden="cut"), items=4)
    law = law_of(content)
    found, left = every_string(
        lambda cases: [None if y is None else plain(y) for y in in_process(law, cases, 1)],
        (0, 1, 2, 3), 12,
    )  # fmt: skip
    (made,) = plan_of(content).groups
    expected = defaultdict(Fraction)
    for item in range(4):
        for report, mass in plan_cases.law(made, 1, [item], 4).items():
            expected[json.dumps(plain(("all", 1, report)))] += mass / 4
    assert left == 0
    assert found == dict(expected)


TWO = plan(
    group("items", "1/4", (1, 2, 3)),
    group("pairs", "3/4", (2, 3), 2, 2, [0, 2, 3, 5]),
)


def test_an_identifier_decides_the_phase_as_at_the_server():
    laws = {phase: law_of(TWO, phase) for phase in (1, 2)}
    server = plan_run(plan_of(TWO), 1, "identifier").assignment
    names = [f"client {k}" for k in range(300)] + ["Jürgen", "花", "", "a:b"]
    for name, place in zip(names, server.of_identifiers(names).tolist(), strict=True):
        for phase, law in laws.items():
            answer = runtime.drawn(law, (0, 2), lambda _: 1 << 62, identifier=name)
            assert (answer is None) == (place != phase - 1)
    with pytest.raises(TypeError, match="two phases: call randomize_for"):
        runtime.drawn(laws[1], (0, 2), lambda _: 0)


def test_sizes_that_send_nothing_and_sizes_that_are_outside():
    law = law_of(plan({**TWO["groups"][1], "share": "1"}))

    def answer(*basket):
        return runtime.drawn(law, basket, lambda _: 1 << 63)

    assert answer(1, 4) == ("pairs", 0, ())
    assert answer(0, 1, 4) == ("pairs", 1, ())
    assert answer(0, 1, 2)[:2] == ("pairs", 2)
    with pytest.raises(runtime.OutsideDomain, match="of this size"):
        answer(0, 2, 3, 5)
    padded = law_of(plan(group("all", "1", (2,), hidden="pad")))
    with pytest.raises(runtime.OutsideDomain, match="of this size"):
        runtime.drawn(padded, (0, 1, 2), lambda _: 1 << 63)
    assert runtime.drawn(padded, (), lambda _: 1 << 63)[1] == 2


@needs_node
def test_sha_256_in_javascript_is_sha_256(tmp_path):
    """Lengths around the ends of blocks, and text beyond ASCII."""
    text = ClientText("a test", [], [], law_of(TWO, 1), []).written("javascript")
    path = tmp_path / "client.mjs"
    path.write_text(text + "\nexport { sha256 };\n")
    words = ["", "abc", *("x" * n for n in (54, 55, 56, 63, 64, 65, 119, 120, 1000)), "Jürgen 花"]
    script = (
        f"const c = await import({json.dumps(path.as_uri())});"
        f"const words = {json.dumps(words)};"
        "const e = new TextEncoder();"
        "console.log(JSON.stringify(words.map((w) => c.sha256(e.encode(w)).toString(16))));"
    )
    done = subprocess.run([shutil.which("node"), "--input-type=module", "-e", script],
                          capture_output=True, text=True, check=True)  # fmt: skip
    expected = [hashlib.sha256(word.encode()).hexdigest().lstrip("0") for word in words]
    assert json.loads(done.stdout) == expected


PLANS = {
    "groups": plan(group("items", "1/3"), group("pairs", "2/3", (2, 3), 2)),
    "padded": plan(group("all", "1", (3,), hidden="pad")),
    "cut": plan(group("all", "1", (2,), hidden="cut")),
}


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("name", [*PLANS, "1", "2"])
def test_clients_from_the_command_line_test_themselves(tmp_path, capsys, name, language):
    path = write(tmp_path, PLANS.get(name, TWO))
    target = tmp_path / f"client{LANGUAGES[language]}"
    asked = ["client", "--plan", str(path), "--language", language, "-o", str(target)]
    assert run([*asked, *(["--phase", name] if name in "12" else [])]) == 0
    assert "certified: forbid breach" in capsys.readouterr().out
    text = target.read_text()
    if language == "python":
        command = [sys.executable, "-I", str(target)]
    else:
        script = f"const c = await import({json.dumps(target.as_uri())}); console.log(c.selfTest())"
        command = [shutil.which("node"), "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int("".join(c for c in done.stdout if c.isdigit())) >= 2
    header = text.split("\n\n")[0]
    assert ("is not hidden" in header) == (name not in ("padded", "cut"))
    assert ("phase" in header) == (name in "12")
    assert ("2/3 of all clients" in header) == (name == "groups")
    # a client that draws otherwise is noticed
    broken = text.replace(r"[\"0x1\",\"0x4\"]", r"[\"0x3\",\"0x4\"]")
    assert broken != text
    target.write_text(broken)
    assert subprocess.run(command, capture_output=True, check=False).returncode != 0


@pytest.mark.parametrize(
    ("content", "more", "why"),
    [
        (TWO, [], "two phases"),
        (plan(TWO["groups"][0], {**TWO["groups"][1], "chosen": None}), ["--phase", "2"], "pending"),
        (plan(group("p", lifted=3, sizes=(3,)), items=500), [], "at most 16,777,216 are"),
        (PLANS["groups"], ["--phase", "2"], "no phase 2"),
        (PLANS["groups"], ["--items", "7"], "is for 6 items"),
    ],
)
def test_clients_that_cannot_be_are_refused(tmp_path, capsys, content, more, why):
    path = write(tmp_path, content)
    target = tmp_path / "client.py"
    asked = ["client", "--plan", str(path), "--language", "python", "-o", str(target)]
    assert run([*asked, *more]) == 2
    assert why in capsys.readouterr().err
    assert not target.exists()
