"""Clients that send seeds: the law of R', both languages, every kind of generator."""

from __future__ import annotations

import ast
import json
import math
import shutil
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction

import numpy as np
import plan_cases
import pytest
from client_oracle import LANGUAGES, ask, every_string, in_process, old_python
from plan_cases import group, plan, write
from seed_cases import as_words, held_by

from ppdm_formal.cli import run
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.cases import client_cases
from ppdm_formal.run.client.description import MAX_NUMBER, check_numbers, groups_law
from ppdm_formal.run.client.generate import ClientText
from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.cap import Cap
from ppdm_formal.run.compress.chooser import KINDS
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.expand import holds
from ppdm_formal.run.compress.goppa import Goppa
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.terms import generator_terms
from ppdm_formal.run.compress.twisted import TwistedBCH
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.plan_groups import assignment_key, plan_run

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
EACH_LANGUAGE = ["python", pytest.param("javascript", marks=needs_node)]

GENERATORS = [
    BCH(30, 4, 1, 1), BCH(30, 3, 5, 3), ExtendedBCH(32, 5, 1, 1), ExtendedBCH(20, 3, 3, 2),
    Polynomial(17, 4, 3, 2), Polynomial(10**12, 3, 9, 4), Direct(5, 5, 1, 2),
    Goppa(32, 6, 1, 1), Goppa(33, 7, 1, 1), Goppa(65537, 5, 1, 1), Cap(100, 3, 1, 2),
    Cap(10**6, 3, 5, 3), Cap(3, 3, 1, 4),
TwistedBCH(15, 10, 1, 2), TwistedBCH(17, 12, 5, 3), TwistedBCH(64, 10, 1, 1),
    TwistedBCH(16, 11, 1, 3), *(TwistedBCH(n, q, 1, 2) for n in (33, 65, 4096) for q in (3, 8)),
]  # fmt: skip


def integers(rows):
    return [[sum(int(w) << 64 * k for k, w in enumerate(row)) for row in item] for item in rows]


@pytest.mark.parametrize("generator", GENERATORS, ids=str)
def test_terms_are_the_generator(generator):
    terms = json.loads(json.dumps(generator_terms(generator)))
    last = generator.items - 1
    items = sorted({*range(min(generator.items, 40)), last, last - 1, last // 2})
    expected = integers(generator.functionals(np.array(items, dtype=np.uint64)))
    assert [runtime._functionals(terms, item) for item in items] == expected


def test_every_kind_is_tried():
    assert {type(generator) for generator in GENERATORS} == set(KINDS.values())
    special = [generator_terms(one) for one in GENERATORS if isinstance(one, TwistedBCH)]
    assert any(terms["infinite"] for terms in special)
    assert any(term[4] and len(term[4]) > 1 for terms in special for term in terms["terms"])


def seeds_law(content, make=None):
    """The law of a client; make: the generator of an operator, else what the chooser takes."""
    from ppdm_formal.run.compress.chooser import part_generator

    made = plan_of(content)
    chosen = plan_run(made, None, "identifier" if len(made.groups) > 1 else None)
    laws, generators = {}, {}
    for g in chosen.active:
        for part in g.sizes:
            operator = g.operator(part.size, made.items)
            laws[g.name, part.size] = operator.law
            most = 1 if g.lifted > 1 else made.itemsets
            found = make(operator.law) if make else part_generator(operator, most)
            generators[g.name, part.size] = found
    law = groups_law(made.items, chosen, laws, assignment_key(made), generators)
    return json.loads(json.dumps(law)), generators


def written(tmp_path, language, law, cases=()):
    path = tmp_path / f"client{LANGUAGES[language]}"
    path.write_text(ClientText("a test", [], [], law, cases).written(language))
    return path


SMALL = {
    "a fair coin": ("1/2", ["1/4", "1/4", "1/2"], lambda law: Polynomial(3, 3, 1, 1)),
    "a quarter": ("1/4", ["1/2", "1/2", "0"], lambda law: Polynomial(3, 2, 1, 2)),
    "twisted": ("1/2", ["0", "1/2", "1/2"], lambda law: TwistedBCH(5, 3, 1, 1)),
    "direct": ("1/2", ["1/4", "0", "3/4"], lambda law: Direct(3, 3, 1, 1)),
}


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, "python") for name in SMALL]
    + [pytest.param(name, "javascript", marks=needs_node) for name in ("a quarter", "twisted")],
)
def test_all_bit_strings_induce_the_law_of_seeds(tmp_path, name, language):
    """p[j] / C(m, j) / (2^k rho^j (1 - rho)^(m - j)) for each seed; what is open stays small."""
    insert, keep, make = SMALL[name]
    generator = make(None)
    content = {
        **group("all", "1", (2,)),
        "sizes": [{"size": 2, "insert": insert, "keep": keep}],
    }
    law, _ = seeds_law(plan(content, items=generator.items), make)
    path = written(tmp_path, language, law)

    def answers(cases):
        if language == "javascript":
            return ask(path, cases, 1)
        return [None if y is None else {"tuple": list(y)} for y in in_process(law, cases, 1)]

    basket = (0, 2)
    length = 13 if name == "a quarter" else 11
    found, left = every_string(answers, basket, length)
    if name != "a quarter":  # a value of three takes any number of bits
        assert left == 0
    rho, whole = Fraction(insert), 1 << generator.seed_bits
    total = defaultdict(Fraction)
    for seed, items in enumerate(held_by(generator, range(whole))):
        j = len(items & set(basket))
        mass = Fraction(keep[j]) / math.comb(2, j) / (whole * rho**j * (1 - rho) ** (2 - j))
        text = seed.to_bytes(-(-generator.seed_bits // 8), "little").hex()
        answer = json.dumps({"tuple": ["all", 2, text]})
        assert found[answer] <= mass <= found[answer] + left
        total[answer] = mass
    assert sum(total.values()) == 1
    assert set(found) <= set(total)


@needs_node
@pytest.mark.parametrize("generator", GENERATORS, ids=str)
def test_javascript_draws_what_python_draws(tmp_path, generator):
    """The cases of the self-test come from Python's runtime; JavaScript must pass them."""
    size = min(3, generator.q, generator.items)
    keep = ["1/8", *["1/8"] * (size - 1), str(1 - Fraction(size, 8))]
    chosen = {
        "keep": [hex(int(Fraction(p) * 8)) for p in keep],
        "insert": [hex(generator.numerator), hex(1 << generator.bits)],
        "generator": generator_terms(generator),
    }
    law = {
        "kind": "groups", "items": generator.items, "phases": False, "shares": ["0x1"], "cuts": [],
        "key": "k", "groups": [{"name": "all", "active": True, "lifted": 1, "chosen": None,
                                "hidden": None, "silent_below": 0, "sizes": {str(size): chosen}}],
    }  # fmt: skip
    last = generator.items - 1
    baskets = [tuple(range(size)), tuple(range(last - size + 1, last + 1))]
    cases = client_cases(law, baskets)
    path = written(tmp_path, "javascript", law, cases)
    script = f"const c = await import({json.dumps(path.as_uri())}); console.log(c.selfTest())"
    done = subprocess.run([shutil.which("node"), "--input-type=module", "-e", script],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(len(cases))]


@pytest.mark.parametrize("language", EACH_LANGUAGE)
def test_a_client_from_the_command_line(tmp_path, language, capsys):
    """Groups of items and of pairs: the seeds hold just what stays, for generators of the plan."""
    content = plan(
        group("items", "1/2", (1, 2, 3)), group("pairs", "1/2", (2, 3), 2), items=50
    )  # fmt: skip
    path = write(tmp_path, {**content, "itemsets": 2})
    target = tmp_path / f"client{LANGUAGES[language]}"
    asked = ["client", "--plan", str(path), "--compress", "--language", language]
    assert run([*asked, "-o", str(target)]) == 0
    assert "of self-test" in capsys.readouterr().out
    text = target.read_text()
    assert "a seed in hexadecimal" in text
    if language == "python":
        ast.parse(text, feature_version=(3, 8))
        command = [old_python(), "-I", str(target)]
    else:
        script = f"const c = await import({json.dumps(target.as_uri())}); console.log(c.selfTest())"
        command = [shutil.which("node"), "--input-type=module", "-e", script]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rng = np.random.default_rng(3)
    basket = (3, 17, 49)
    cases = [(basket, "".join(map(str, rng.integers(0, 2, 64 * 40)))) for _ in range(60)]
    _, generators = seeds_law({**content, "itemsets": 2})
    seen = defaultdict(list)
    for answer in ask(target, cases, 64):
        name, size, text = answer["tuple"]
        assert size == 3
        seen[name].append(int.from_bytes(bytes.fromhex(text), "little"))
    assert set(seen) == {"items", "pairs"}
    assert len(set(seen["pairs"])) > 15
    made = {g.name: g for g in plan_of(content).groups}
    for name, seeds in seen.items():
        generator = generators[name, 3]
        assert max(seeds) < 1 << generator.seed_bits
        members = np.array(plan_cases.members(made[name], basket, 50), dtype=np.uint64)
        stay = holds(generator, as_words(seeds, generator.words), members).sum(axis=1)
        keep = made[name].sizes[-1].randomization.keep
        mean = float(sum(j * p for j, p in enumerate(keep)))
        deviation = float(sum(j * j * p for j, p in enumerate(keep)) - mean**2) ** 0.5
        assert abs(stay.mean() - mean) < 5 * deviation / len(seeds) ** 0.5


def test_seeds_are_fresh(tmp_path):
    """As shipped: two runs differ."""
    law, _ = seeds_law(plan(group("all", "1", (2,)), items=1000))
    path = written(tmp_path, "python", law)
    script = f"import runpy; print(runpy.run_path({str(path)!r})['randomize']([5, 999]))"
    drawn = {
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                       check=True).stdout for _ in range(2)
    }  # fmt: skip
    assert len(drawn) == 2


def test_what_is_not_for_seeds_is_refused(tmp_path, capsys):
    content = plan(
        {**group("all"), "sizes": [{"size": 1, "insert": "1/3", "keep": ["1/2", "1/2"]}]}
    )
    path = write(tmp_path, content)
    asked = ["client", "--language", "python", "-o", str(tmp_path / "c.py"), "--compress"]
    assert run([*asked, "--plan", str(path), "--although-breached"]) == 2
    assert "rho = 1/3 is not a/2^b" in capsys.readouterr().err
    (tmp_path / "m.ppdm").write_text("domain D = 0..1\noperator R(x: D) -> D { return x }\n")
    assert run([*asked, str(tmp_path / "m.ppdm"), "--operator", "R"]) == 2
    assert "--compress" in capsys.readouterr().err
    check_numbers({"all": MAX_NUMBER})
    with pytest.raises(DataError, match=r"clients count to 2\^53"):
        check_numbers({"all": 5, "triples": MAX_NUMBER + 1})
