"""Changed certificates: the theorem does not compile, or states something else that is true.

Which of the two is foretold by check.py's own rules on the same claim, views and evidence.
"""

import copy
import json
import re
from fractions import Fraction as F
from itertools import product

import pytest
from differential import UNSUITED, covered, follows
from together import together

from ppdm_formal import BreachClaim, Constraint, Operator, Prior, PriorFamily, Property
from ppdm_formal.certify import certify
from ppdm_formal.certify.theorem.term import NotCovered
from ppdm_formal.certify.theorem.text import theorem_text
from ppdm_formal.checker import Rejected
from ppdm_formal.declare.operators.canonical import digest

PROVED = "Proof. vm_cast_no_check (eq_refl true). Qed."
REFUSED = "Proof. vm_cast_no_check (eq_refl true). Fail Qed. Abort."


MATRICES = [
    [[F(2, 5) if x == y else F(1, 5) for y in range(4)] for x in range(4)],
    [[F(1, 2), F(1, 3), F(1, 6)], [F(1, 6), F(1, 2), F(1, 3)], [F(1, 4), F(1, 4), F(1, 2)]],
    [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)], [F(1, 2), F(1, 2)]],
]
MASSES = [[F(1, 10), F(1, 5), F(3, 10), F(2, 5)], [F(1, 2), F(1, 3), F(1, 6)], [F(1, 4)] * 2]


@pytest.fixture(scope="module")
def documents():
    """Certificates of all covered kinds, whose rho2 lies above its threshold."""
    found = []
    for matrix, masses in zip(MATRICES, MASSES, strict=True):
        operator = Operator.from_matrix(matrix, name="R")
        masses = [*masses, 1 - sum(masses)][: len(matrix)]
        prior = Prior.of(operator.inputs, dict(zip(operator.inputs, masses, strict=True)), "P")
        first = Property.of(operator.inputs, [0], "first")
        low = Property.of(operator.inputs, [0, 1], "low")
        terms = ((F(1), first), (F(-1), low))
        family = PriorFamily(
            (Constraint(terms[:1], ">=", F(1, 10)), Constraint(terms, "<=", F(-1, 10)))
        )
        for direction, under, about in product(
            ("both", "upward"), (None, prior, family), (None, first)
        ):
            rho2 = F(99, 100)
            sure = certify(operator, BreachClaim(F(1, 4), rho2, direction, under, about)).to_json()
            limit = (sure["thresholds"] or {}).get("rho2_above")
            if isinstance(limit, str) and F(1, 4) < F(limit):
                rho2 = (F(limit) + 1) / 2
            claim = BreachClaim(F(1, 4), rho2, direction, under, about)
            found.append(json.loads(json.dumps(certify(operator, claim).to_json())))
            if about is not None and under is None:
                claim = BreachClaim(F(1, 4), F(26, 100), direction, under, about)
                found.append(json.loads(json.dumps(certify(operator, claim).to_json())))
    return covered(found)


def refused(text):
    """The theorem's file up to the computation, which Coq must refuse."""
    head, _ = text.split(PROVED)
    return head + REFUSED


def theorems(changed):
    """The texts of changed certificates that are said to fail, and of those that still prove."""
    failing, true = [], []
    for document in changed:
        try:
            text = theorem_text(document).replace("Print Assumptions certificate.\n", "")
        except (NotCovered, Rejected, *UNSUITED):
            continue  # no theorem at all
        if follows(document) == "yes":
            true.append(text)
        else:
            failing.append(refused(text))
    return failing, true


def certified(documents, kinds):
    return [
        copy.deepcopy(d)
        for d in documents
        if d["verdict"] == "certified" and d["evidence"]["kind"] in kinds
    ]


def at_the_threshold(documents):
    for document in certified(documents, ("ratio", "arithmetic", "knapsack")):
        limit = (document["thresholds"] or {}).get("rho2_above")
        if isinstance(limit, str):
            document["claim"]["rho2"] = limit
            yield document


def leaves(tree):
    """The lists of multipliers of a tree of cases, or of a branch tree (its own list then)."""
    if isinstance(tree, list):
        yield tree
    elif isinstance(tree, dict):
        for key in ("inside", "outside"):
            yield from leaves(tree[key])


def with_other_multipliers(documents):
    for document in certified(documents, ("farkas",)):
        for way in ("upward", "downward"):
            for i, tree in enumerate(document["evidence"].get(way, ())):
                for place in range(min(4, *(len(leaf) for leaf in leaves(tree)))):
                    other = copy.deepcopy(document)
                    for leaf in leaves(other["evidence"][way][i]):
                        leaf[place] = "0" if leaf[place] != "0" else "1"
                    yield other
    for document in certified(documents, ("knapsack",)):
        for way in ("upward", "downward"):
            side = document["evidence"].get(way, {"rho2_above": {"trees": []}})
            trees = side["rho2_above"]["trees"]
            for i in [i for i, tree in enumerate(trees) if isinstance(tree, str)]:
                for multiplier in ("0", "7"):
                    other = copy.deepcopy(document)
                    other["evidence"][way]["rho2_above"]["trees"][i] = multiplier
                    yield other


def with_its_digest(document):
    document["operator"]["views_sha256"] = digest(document["operator"]["views"])
    return document


def without_a_class(documents):
    for document in certified(documents, ("ratio", "arithmetic", "knapsack", "farkas")):
        for view in document["operator"]["views"]:
            if len(view["classes"]) > 1:
                del view["classes"][0]
        yield with_its_digest(document)


def with_properties_in_another_order(documents):
    for document in documents:
        if len(document["claim"].get("properties", ())) > 1:
            other = copy.deepcopy(document)
            for view in other["operator"]["views"]:
                for part in view["classes"]:
                    part["member"].reverse()
            if other["operator"] != document["operator"]:
                yield with_its_digest(other)


def shown(text):
    """The data of a theorem: what a reader sees of the views."""
    return re.findall(r"Definition (?:views|seen).*?\.\n", text, flags=re.S)


@pytest.mark.parametrize(
    "change",
    [
        at_the_threshold,
        with_other_multipliers,
        without_a_class,
        with_properties_in_another_order,
    ],
)
def test_ten_of_each_kind(documents, coqc, change):
    failing, true = theorems(change(documents))
    assert len(failing) + len(true) >= 10
    assert len(failing) >= (10 if change is not with_properties_in_another_order else 3)
    assert not true or change is not at_the_threshold
    found = coqc(together([*failing[:12], *true[:8]]))
    assert found.returncode == 0, found.stderr
    if change in (without_a_class, with_properties_in_another_order):
        genuine_data = {str(shown(theorem_text(document))) for document in documents}
        assert all(str(shown(text)) not in genuine_data for text in true)
