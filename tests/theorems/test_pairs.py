"""Theorems of delta: every set of outputs, by brute force too; e^epsilon rational or enclosed."""

import copy
import itertools
import json
import random
import re
import subprocess
from fractions import Fraction as F

import pytest
from differential import changed, compared
from test_library import REALS
from together import together

from ppdm_formal import BoundClaim, Operator
from ppdm_formal.certify import certify
from ppdm_formal.certify.theorem import NotCovered, library_of, theorem_of
from ppdm_formal.certify.theorem.text import theorem_text
from ppdm_formal.declare.arithmetic.logarithm import ln

MATRICES = [
    [[F(1, 2), F(1, 4), F(1, 4)], [F(1, 4), F(1, 2), F(1, 4)], [F(1, 4), F(1, 4), F(1, 2)]],
    [[F(3, 4), F(1, 4), F(0)], [F(1, 4), F(1, 2), F(1, 4)]],
]
EPSILONS = [F(0), ln(F(3, 2)), ln(F(3)), F(1), F(1, 3)]
LIMITS = [(F(1, 20), "<="), (F(1, 4), "<="), (F(1, 4), "<"), (F(2, 5), "<"), (F(3, 5), "<=")]


@pytest.fixture(scope="module")
def documents():
    found = []
    for rows, epsilon, (limit, relation) in itertools.product(MATRICES, EPSILONS, LIMITS):
        operator = Operator.from_matrix(rows, name="R")
        made = certify(operator, BoundClaim("delta", relation, limit, at=epsilon))
        found.append(json.loads(json.dumps(made.to_json())))
    return found


def of_kind(documents, library, verdict):
    return [d for d in documents if (library_of(d), d["verdict"]) == (library, verdict)]


@pytest.mark.parametrize("covers", ["Pairs.v", "PairsExp.v"])
def test_delta_becomes_theorems(documents, coqc, covers):
    held, broken = (of_kind(documents, covers, v) for v in ("certified", "breached"))
    assert len(held) >= 5
    assert len(broken) >= 5
    found = coqc(together([theorem_text(document) for document in [*held[:5], *broken[:5]]]))
    assert found.returncode == 0, found.stderr
    if covers == "Pairs.v":
        assert found.stdout == "Closed under the global context\n"
    else:
        assert set(re.findall(r"^(\w+\.\w+)(?: :|$)", found.stdout, flags=re.M)) == REALS


def test_the_statements_can_be_read(documents):
    held = of_kind(documents, "Pairs.v", "certified")[0]
    text = theorem_text(held)
    assert "R: require delta(0) <= 1/4: the claim holds." in text
    assert "Kind 1 (1#2) (1#4)" in text
    assert "sum (on T (p x1)) outputs <= 1 * sum (on T (p x2)) outputs + (1#4)." in text
    real = theorem_text(of_kind(documents, "PairsExp.v", "certified")[0])
    assert "<= exp (1/1) * Q2R (sum (on T (p x2)) outputs) + Q2R (1#20)." in real


def most(kinds, factor):
    """The most by which a set of outputs is likelier from the first: all sets are tried."""
    outputs = [(one, two) for many, one, two in kinds for _ in range(many)]
    sets = itertools.chain(*(itertools.combinations(outputs, k) for k in range(len(outputs) + 1)))
    return max(sum((a for a, _ in s), F(0)) - factor * sum((b for _, b in s), F(0)) for s in sets)


def test_the_checker_against_all_sets_of_outputs(checker):
    chance, lines, truths = random.Random(4), [], []
    for _ in range(150):
        kinds = [
            (chance.randint(1, 2), F(chance.randint(0, 6), 12), F(chance.randint(0, 6), 12))
            for _ in range(chance.randint(1, 3))
        ]
        factor, strict = F(chance.randint(2, 6), 2), chance.random() < 0.5
        deltas = [most(k, factor) for k in (kinds, [(n, b, a) for n, a, b in kinds])]
        bound = chance.choice([*deltas, max(deltas), F(chance.randint(0, 12), 12)])
        listed = " ".join(f"(Kind {n} {a} {b})" for n, a, b in kinds)
        flag = "true" if strict else "false"
        kept = [(delta < bound) if strict else (delta <= bound) for delta in deltas]
        lines.append(f"(check_pairs (({listed})) {factor} {bound} {flag})\n")
        lines.append(f"(check_pair_broken ({listed}) {factor} {bound} {flag})\n")
        truths += [all(kept), not kept[0]]
    said = subprocess.run([checker], input="".join(lines), capture_output=True, text=True)
    assert said.stdout.splitlines() == ["true" if truth else "false" for truth in truths]
    assert min(truths.count(True), truths.count(False)) > 50


def test_both_checkers_agree(checker, documents):
    counts = compared(checker, [*documents, *changed(documents, 300, seed=2)])
    assert not [what for what in counts if what.split(":")[0].isupper()], counts
    assert counts["accepted by both"] >= 100
    assert counts["rejected by both"] >= 10


def test_below_the_smallest_delta_there_is_no_theorem(documents, coqc):
    texts = []
    for document in of_kind(documents, "Pairs.v", "certified")[:10]:
        other = copy.deepcopy(document)
        other["claim"]["bound"] = "0"
        other["claim"]["relation"] = "<"
        head, _ = theorem_text(other).split("Proof. vm_cast_no_check (eq_refl true). Qed.")
        texts.append(head + "Proof. vm_cast_no_check (eq_refl true). Fail Qed. Abort.")
    assert len(texts) == 10
    assert coqc(together(texts)).returncode == 0
    for document in of_kind(documents, "PairsExp.v", "certified")[:10]:
        other = copy.deepcopy(document)
        other["claim"]["bound"] = "0"
        other["claim"]["relation"] = "<"
        with pytest.raises(NotCovered, match="by a hair"):
            theorem_of(other)
