"""Changes to a certificate of any kind: meaning is changed, in one place or in several together.

Numbers move, or become others of the same certificate; a number changes wherever it stands; places
of one name are exchanged; lists lose, double, turn round; flags and words turn; whole parts come
from another certificate. Then text and digests are made to match.
"""

from __future__ import annotations

import ast
import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction as F
from typing import Any

import crowd_changes
from certificate_builder import bound, breach, digest

from ppdm_formal.checker import check_certificate

Document = dict[str, Any]
Path = tuple[Any, ...]

ROOMS = (
    "claim",
    "operator",
    "evidence",
    "witness",
    "thresholds",
    "region",
    "verdict",
    "vacuous",
    "tested",
)
KEPT = {"text", "sha256", "views_sha256", "name", "kind", "format"}
WORDS = [
    {"certified", "breached", "partly"},
    {"upward", "downward", "both"},
    {"<", "<=", ">", ">=", "=="},
    {"top", "bottom"},
    {"lo", "hi"},
    {"atom", "from", "limit"},
    {"clamped", "truncated"},
    {"uniform", "triangular"},
    {"normal", "laplace"},
    {"bit", "nat"},
    {"record", "dependence"},
    {"probabilities", "relative", "extreme", "summed"},
    {"finite", "sets", "rounded", "additive", "parts", "crowd"},
    {"shuffling", "summing"},
    {"local", "tilt", "lattice"},
    {"crowd", "event"},
    {"max", "min", "sum"},
    {"amplification", "epsilon", "delta", "dependence", "worst_case_information"},
    {"ratio", "arithmetic", "knapsack", "witness", "farkas", "placing", "formula", "pairs"},
    {"extremes", "cells", "levels"},
]
BOUNDS = ["1", "1/2", "2", "ln(3)", "ln(2)", "ln(9)", "0", "3"]


def copied(thing: Any) -> Any:
    return json.loads(json.dumps(thing))


def places(thing: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every place within a certificate's rooms that may be changed, containers among them."""
    items: Any = thing.items() if isinstance(thing, dict) else ()
    items = enumerate(thing) if isinstance(thing, list) else items
    for key, inner in items:
        if (not path and key not in ROOMS) or key in KEPT - {"kind"}:
            continue
        yield (*path, key), inner
        yield from places(inner, (*path, key))


def parent(document: Any, path: Path) -> Any:
    for key in path[:-1]:
        document = document[key]
    return document


def is_number(thing: Any) -> bool:
    return type(thing) is str and re.fullmatch(r"-?[0-9]+(/[0-9]+)?", thing) is not None


def other_leaf(old: Any, chance: random.Random, numbers: list[str]) -> Any:
    """Something else that could stand in the same place."""
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return max(0, old + chance.choice([1, -1, 1, -1, 2]))
    if old is None:
        return chance.choice([0, "1/2", False, []])
    if is_number(old):
        q = F(old)
        near = [q + F(1, 100), q - F(1, 100), q + F(1, 8), q - F(1, 8), q * 2, q / 2, 1 - q, -q,
                q + 1, q - 1, F(0), F(1)]  # fmt: skip
        return chance.choice([str(chance.choice(near)), chance.choice(numbers)])
    if type(old) is str and (old.startswith("ln(") or "exp(" in old):
        return chance.choice([*BOUNDS, chance.choice(numbers)])
    for words in WORDS:
        if old in words:
            return chance.choice(sorted(words - {old}))
    return old


def change(document: Document, chance: random.Random, others: list[Document]) -> None:
    """One change, to the certificate itself."""
    if document["operator"].get("kind") == "crowd" and chance.random() < 0.7:
        crowd_changes.changed(document, chance, others)
        return
    found = [(path, inner) for path, inner in places(document)]
    leaves = [(p, i) for p, i in found if not isinstance(i, dict | list)]
    numbers = [i for _, i in leaves if is_number(i)] or ["1/2"]
    way = chance.randrange(10)
    if way <= 3:
        room = chance.choice(["claim", "operator", "evidence", "witness", "thresholds", "region"])
        own = [pair for pair in leaves if pair[0][0] == room] or leaves
        path, old = chance.choice(own)
        parent(document, path)[path[-1]] = other_leaf(old, chance, numbers)
    elif way == 4:  # a number, wherever it stands
        old = chance.choice(numbers)
        new = other_leaf(old, chance, numbers)
        for path, inner in leaves:
            if inner == old:
                parent(document, path)[path[-1]] = new
    elif way == 5:  # two places of one name
        path, old = chance.choice(leaves)
        alike = [p for p, i in leaves if p[-1] == path[-1] and p[0] == path[0] and i != old]
        if alike:
            other = chance.choice(alike)
            parent(document, path)[path[-1]] = parent(document, other)[other[-1]]
            parent(document, other)[other[-1]] = old
    elif way == 6:
        lists = [(p, i) for p, i in found if isinstance(i, list) and i]
        if lists:
            path, old = chance.choice(lists)
            at = chance.randrange(len(old))
            parent(document, path)[path[-1]] = chance.choice([
                old[:at] + old[at + 1 :], [*old, copied(old[at])], old[::-1],
                [*old[1:], old[0]], old[:1],
            ])  # fmt: skip
    elif way == 7:  # mass from one place to another: sums stay
        moving = [p for p, i in leaves if is_number(i) and p[0] in ("operator", "witness")]
        if len(moving) >= 2:
            one = chance.choice(moving)
            alike = [p for p in moving if p != one and len(p) == len(one)] or moving
            two = chance.choice(alike)
            step = F(chance.choice([1, -1]), chance.choice([4, 8, 20, 100]))
            for path, sign in ((one, 1), (two, -1)):
                here = parent(document, path)
                here[path[-1]] = str(F(here[path[-1]]) + sign * step)
    elif way == 8:  # a part of another certificate, from the same place
        other = chance.choice(others)
        shared = [p for p, i in found if isinstance(i, dict | list) and reached(other, p)]
        if shared:
            path = chance.choice(shared)
            parent(document, path)[path[-1]] = copied(parent(other, path)[path[-1]])
    else:
        other = copied(chance.choice(others))
        everything = ("claim", "evidence", "witness", "verdict", "thresholds", "vacuous")
        groups = [("evidence", "witness", "verdict"), ("operator",), ("claim",), everything,
                  ("operator", "claim"), ("evidence",), ("verdict", "witness")]  # fmt: skip
        for key in chance.choice(groups):
            if key in other:
                document[key] = other[key]


def reached(document: Any, path: Path) -> bool:
    try:
        parent(document, path)[path[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def sealed(document: Document) -> Document:
    """With every digest computed anew, those of the parts of a record as well."""
    found: Document = copied(document)
    operator = found.get("operator")
    blocks = [operator]
    if isinstance(operator, dict):
        rows = operator.get("parts")
        blocks += [row.get("operator") for row in rows] if isinstance(rows, list) else []
    for block in blocks:
        if isinstance(block, dict) and "views" in block:
            block["views_sha256"] = digest(block["views"])
    found.pop("sha256", None)
    found["sha256"] = digest(found)
    return found


def worded(document: Document) -> None:
    """The claim's text, and the directions of the evidence, as the claim has them."""
    claim = document["claim"]
    after = f" after {claim['reports']} reports" if "reports" in claim else ""
    if "crowd" in claim:
        after = crowd_changes.text_of(claim["crowd"])
        if "assumes" in document["operator"]:
            document["operator"]["assumes"] = crowd_changes.assumed(claim["crowd"])
    if "except" in claim:
        after = f" except with probability {claim['except']}{after}"
    if claim["kind"] == "parts":
        named = "" if claim["part"] is None else f"({claim['part']})"
        claim["text"] = f"require {claim['of']}{named} {claim['relation']} {claim['bound']}"
    elif claim["kind"] == "bound":
        measure = f"delta({claim['at']})" if "at" in claim else claim["measure"]
        again = bound(measure, claim["relation"], claim["bound"], claim["prior"], claim["unit"])
        claim["text"] = again["text"] + after
    else:
        again = breach(
            claim["rho1"], claim["rho2"], claim["direction"], claim["under"],
            claim["properties"], claim["for"], claim["knowing"],
        )  # fmt: skip
        claim["text"] = again["text"] + after
        redirected(document)


def redirected(document: Document) -> None:
    """Evidence for each direction that the claim names: its own, or a copy of the other's."""
    evidence, direction = document["evidence"], document["claim"]["direction"]
    names = ["upward", "downward"] if direction == "both" else [direction]
    own = [evidence[d] for d in ("upward", "downward") if d in evidence]
    if own:
        rest = {k: v for k, v in evidence.items() if k not in ("upward", "downward")}
        document["evidence"] = rest | {d: copied(evidence.get(d, own[0])) for d in names}
    elif isinstance(evidence.get("ways"), list) and evidence["ways"]:
        by_name = {row["direction"]: row for row in evidence["ways"]}
        spare = evidence["ways"][0]
        ways = [{**copied(by_name.get(name, spare)), "direction": name} for name in names]
        document["evidence"] = {**evidence, "ways": ways}


EXPECTED = re.compile(r"the witness's (?:ratio|delta) is (.*)|the witness goes from (.*) to (.*)")


def helped(c: Document) -> Document:
    """Write what the checker says that it expects, and try again."""
    for _ in range(5):
        reason = check_certificate(c, allow_solver_trusted=True).reason
        match = EXPECTED.fullmatch(reason)
        if reason.startswith("the thresholds are "):
            c["thresholds"] = ast.literal_eval(reason.removeprefix("the thresholds are "))
        elif reason.startswith("before and after are "):
            numbers = reason.removeprefix("before and after are ").split(" and ")
            c["witness"]["before"], c["witness"]["after"] = numbers
        elif match and match[1]:
            c["witness"]["value"] = match[1]
        elif match:
            c["witness"]["before"], c["witness"]["after"] = match[2], match[3]
        elif reason.startswith("the witness is not {"):
            c["witness"] = ast.literal_eval(reason.removeprefix("the witness is not "))
        elif reason in ("the claim is vacuous", "the claim is not vacuous"):
            c["vacuous"] = reason == "the claim is vacuous"
        elif reason.endswith("do not say breached"):
            c |= {"verdict": "certified", "witness": None}
        elif reason.startswith("the evidence of such a claim is "):
            kind = reason.removeprefix("the evidence of such a claim is ").split(" ")[0]
            plain = kind in ("ratio", "arithmetic", "formula", "pairs")
            c["evidence"] = {"kind": kind} if plain else c["evidence"]
            if c["evidence"]["kind"] != kind:
                return c
        else:
            return c
        c = sealed(c)
    return c


def mutant(base: Document, chance: random.Random, others: list[Document]) -> Document:
    """A certificate changed in one to four ways, made consistent."""
    c = copied(base)
    for _ in range(chance.choice([1, 1, 2, 3, 4])):
        change(c, chance, others)
    if c["verdict"] == "certified":
        c["witness"] = None
    assumes = c["operator"].get("assumes")
    worded(c)
    if assumes is not None and chance.random() < 0.03:  # what must be trusted, as it was
        c["operator"]["assumes"] = assumes
    return helped(sealed(c))
