"""Records in parts from the definitions: pairs of records, and laws of two parts."""

from __future__ import annotations

import itertools
from fractions import Fraction as F
from typing import Any

from definition_oracle import EQUAL, an_operator, e_to_epsilon, listed, valued

RATIOS = {"kind": "bound", "measure": "amplification", "prior": None}
SMALL = F(1, 10**30)
ENDLESS = F(10**40)
"""What stands for a ratio that has no bound."""


def likelihoods(part: dict[str, Any]) -> list[list[F]] | None:
    """Those of every output of a part; None where its operator is none."""
    described = part["operator"]
    views = [listed(view) for view in described["views"]]
    if int(described["inputs"]) != int(part["inputs"]) or described["parameters"]:
        return None
    if described["likelihoods"] not in ("probabilities", "relative", "extreme"):
        return None
    if not an_operator(RATIOS, described, views):
        return None
    return [[x.seen for x in inputs] for inputs in views]


def worst_pair(columns: list[list[F]]) -> F:
    """The greatest ratio of the likelihoods of an output, over all pairs of inputs."""
    worst = F(1)
    for column in columns:
        for a, b in itertools.permutations(column, 2):
            if a > 0:
                worst = max(worst, a / b if b > 0 else ENDLESS)
    return worst


def belief_moves(likely: F, unlikely: F, among: F) -> F:
    """By which factor an output raises a belief, at most: nearly no one has the likely value.

    Two values of the part and two of another one, as dependent as is given: P[a, b] is `among`
    times P[a] P[b] for the likely value and the first of the other part.
    """
    a = b = SMALL
    law = [[a * b * among, a - a * b * among], [b - a * b * among, 1 - a - b + a * b * among]]
    if min(min(row) for row in law) < 0:
        return F(1)
    for row, p in zip(law, (a, 1 - a), strict=True):
        for cell, q in zip(row, (b, 1 - b), strict=True):
            assert 1 / among - EQUAL <= cell / (p * q) <= among + EQUAL
    seen = law[0][0] * likely
    after = seen / (seen + law[1][0] * unlikely)
    return after / a


def parts_true(certificate: dict[str, Any]) -> bool | None:
    """Whether the verdict is right of the record that is described, and so is its witness."""
    claim, record = certificate["claim"], certificate["operator"]
    limit = e_to_epsilon(claim["bound"], {})
    among = F(1) if record["dependence"] is None else e_to_epsilon(record["dependence"], {})
    if among < 1 or len({part["name"] for part in record["parts"]}) != len(record["parts"]):
        return False
    if certificate["vacuous"]:
        return False
    said = certificate["verdict"] == "breached"
    columns = {}
    for place, part in enumerate(record["parts"]):
        named = claim["part"] in (None, part["name"])
        if named != (part["operator"] is not None):
            return False
        if named:
            found = likelihoods(part)
            if found is None:
                return False
            columns[place] = found
    if not columns:
        return False
    if claim["of"] == "record":
        value = F(1)
        for own in columns.values():
            value = min(value * worst_pair(own), ENDLESS)
        if abs(value - limit) < EQUAL:
            broken = claim["relation"] == "<"
        else:
            broken = value > limit
    else:
        value = F(1)
        several = [int(part["inputs"]) > 1 for part in record["parts"]]
        for place, own in columns.items():
            depends = among if several[place] and sum(several) > 1 else F(1)
            if not several[place]:
                continue
            for column in own:
                pairs = itertools.permutations(column, 2)
                moves = [belief_moves(a, b, depends) for a, b in pairs if a > 0]
                value = max([value, *moves])
        # the greatest factor is approached, not reached; SMALL is how nearly
        broken = value > limit * (1 + F(1, 10**15))
    if broken != said:
        return False
    if not said:
        return True
    witness = certificate["witness"]
    if claim["of"] == "record":
        return records_differ(witness, record, limit, claim["relation"])
    return law_moves(witness, record, claim, limit, among)


def place_of(raw: dict[str, Any], part: dict[str, Any]) -> tuple[F, F] | None:
    """The likelihoods of the output that a witness names."""
    view = part["operator"]["views"][raw["view"]]
    if repr(view["output"]) != repr(raw["output"]):
        return None
    found = [valued(view["classes"][raw[key]]["likelihood"]) for key in ("likely", "unlikely")]
    return found[0], found[1]


def records_differ(
    witness: dict[str, Any], record: dict[str, Any], limit: F, relation: str
) -> bool:
    """Two records whose outputs differ in likelihood as stated."""
    over, under = F(1), F(1)
    for raw, part in zip(witness["parts"], record["parts"], strict=True):
        pair = place_of(raw, part)
        if pair is None or pair[0] <= 0:
            return False
        over, under = over * pair[0], under * pair[1]
    if under == 0:
        return bool(witness["value"] == "infinity")
    value = over / under
    if witness["value"] == "infinity" or abs(valued(witness["value"]) - value) > EQUAL:
        return False
    return value > limit + EQUAL or (relation == "<" and abs(value - limit) <= EQUAL)


def law_moves(
    witness: dict[str, Any], record: dict[str, Any], claim: dict[str, Any], limit: F, among: F
) -> bool:
    """A law of the parts that is allowed, under which a belief rises too far."""
    part, parts = record["parts"][witness["part"]], record["parts"]
    if part["operator"] is None or int(part["inputs"]) < 2:
        return False
    if claim["part"] not in (None, part["name"]):
        return False
    pair = place_of(witness["place"], part)
    if pair is None or witness["place"]["likely"] == witness["place"]["unlikely"]:
        return False
    law = [[valued(cell) for cell in row] for row in witness["law"]]
    width = 1 if witness["other"] is None else 2
    if witness["other"] is not None:
        beside = parts[witness["other"]]
        if witness["other"] == witness["part"] or int(beside["inputs"]) < 2:
            return False
    if len(law) != 2 or any(len(row) != width or min(row) <= 0 for row in law):
        return False
    if abs(sum(map(sum, law)) - 1) > EQUAL:
        return False
    columns = [sum(column) for column in zip(*law, strict=True)]
    for row in law:
        for cell, beside_mass in zip(row, columns, strict=True):
            ratio = cell / (sum(row) * beside_mass)
            if not 1 / among - EQUAL <= ratio <= among + EQUAL:
                return False
    joint = [law[0][0] * pair[0], law[1][0] * pair[1]]
    before, after = sum(law[0]), joint[0] / sum(joint)
    if abs(valued(witness["before"]) - before) > EQUAL:
        return False
    return abs(valued(witness["after"]) - after) <= EQUAL and after / before > limit + EQUAL
