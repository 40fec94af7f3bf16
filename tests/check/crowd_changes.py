"""Changes to certificates about crowds: who is in the crowd, what is sent, and what proves it."""

from __future__ import annotations

import json
import random
from fractions import Fraction as F
from typing import Any

Document = dict[str, Any]


def changed(document: Document, chance: random.Random, others: list[Document]) -> None:
    """One change that means something to a crowd."""
    way = chance.choice([of_the_crowd, of_the_limits, of_what_is_sent, of_proofs, of_the_witness,
                         of_another, of_thresholds, of_rows])  # fmt: skip
    way(document, chance, others)


def moved(text: str, chance: random.Random) -> str:
    """A number near another, or far from it."""
    q = F(text)
    return str(chance.choice([
        q * F(9, 10), q * F(11, 10), q / 2, q * 2, q / 10, q * 10, q + F(1, 40), q - F(1, 40),
        q * F(999, 1000), q * F(1001, 1000), 1 - q,
    ]))  # fmt: skip


def of_the_crowd(document: Document, chance: random.Random, others: list[Document]) -> None:
    crowd = document["claim"]["crowd"]
    key = chance.choice(["clients", "clients", "colluding", "missing", "how", "others"])
    if key == "how":
        crowd["how"] = chance.choice(["shuffling", "summing"])
    elif key == "others":
        rows = document["operator"].get("rows", [])
        if isinstance(crowd["others"], dict):
            of_the_family(crowd["others"], document, chance)
        elif crowd["others"] is None:
            crowd["others"] = "S"
            whole = sum(int(row["count"]) for row in rows)
            for row in rows:
                row["others"] = str(F(1, whole))
        else:
            crowd["others"] = None
            for row in rows:
                row.pop("others", None)
    else:
        many = crowd[key]
        new = [many + 1, many - 1, many + 2, many * 2, many // 2, 1, 0, -1]
        crowd[key] = chance.choice(new)
        if chance.random() < 0.3:  # the same number counted
            crowd["clients" if key != "clients" else "missing"] += abs(crowd[key] - many)


def of_the_family(family: Document, document: Document, chance: random.Random) -> None:
    """Which priors the others may have, and what proves how likely outputs are at least."""
    constraint = chance.choice(family["constraints"])
    described = document["operator"].get("family")
    way = chance.randrange(5) if described else 0
    if way == 0:
        constraint["bound"] = moved(constraint["bound"], chance)
    elif way == 1:
        constraint["relation"] = chance.choice(["<", "<=", ">", ">=", "=="])
    elif way == 2:
        row = chance.choice(document["operator"]["rows"])["others"]
        at = chance.randrange(len(row))
        row[at] = not row[at]
    elif way == 3:
        row = chance.choice(described["multipliers"])
        at = chance.randrange(len(row))
        row[at] = chance.choice([moved(row[at], chance), str(-F(row[at])), "1", "-1", "100"])
    else:
        shifted(described["prior"], [1] * len(described["prior"]), chance)


def of_the_limits(document: Document, chance: random.Random, others: list[Document]) -> None:
    claim = document["claim"]
    if claim["kind"] == "bound":
        key = chance.choice(["bound", "bound", "at", "relation"])
        if key == "at":
            powers = ["0", "1/4", "1/2", "1", "ln(3)", "ln(2)", "ln(3/2)", "ln(9)", "-1"]
            claim["at"] = chance.choice(powers)
        elif key == "relation":
            claim["relation"] = chance.choice(["<", "<="])
        else:
            claim["bound"] = moved(claim["bound"], chance)
        return
    key = chance.choice(["except", "except", "rho1", "rho2", "direction", "for"])
    if key == "direction":
        claim["direction"] = chance.choice(["both", "upward", "downward"])
    elif key == "for":
        rows = document["operator"].get("rows", [])
        if claim["for"] is None:
            claim |= {"for": 0, "properties": ["q"]}
            for row in rows:
                row["member"] = chance.random() < 0.5
        elif chance.random() < 0.5:
            claim |= {"for": None, "properties": []}
            for row in rows:
                row.pop("member", None)
        else:
            row = chance.choice(rows)
            row["member"] = not row["member"]
    else:
        claim[key] = moved(claim[key], chance)


def shifted(numbers: list[str], weights: list[int], chance: random.Random) -> None:
    """Mass from one place to another, so that the sum stays."""
    one, two = chance.sample(range(len(numbers)), 2)
    most = F(numbers[one]) * weights[one]
    step = most * chance.choice([F(1), F(1, 2), F(1, 10), F(1, 100), F(3, 2)])
    numbers[one] = str(F(numbers[one]) - step / weights[one])
    numbers[two] = str(F(numbers[two]) + step / weights[two])


def of_what_is_sent(document: Document, chance: random.Random, others: list[Document]) -> None:
    operator = document["operator"]
    if "rows" in operator:
        rows = operator["rows"]
        key = chance.choice(["likelihoods", "likelihoods", "prior", "others"])
        if key == "likelihoods":
            weights = [int(column["outputs"]) for column in operator["columns"]]
            shifted(chance.choice(rows)["likelihoods"], weights, chance)
        elif key in rows[0] and not isinstance(rows[0][key], list):
            numbers = [row[key] for row in rows]
            shifted(numbers, [int(row["count"]) for row in rows], chance)
            for row, number in zip(rows, numbers, strict=True):
                row[key] = number
        return
    if "bits" in operator:
        bits = operator["bits"]
        key = chance.choice(["held", "lacking", "ahead", "behind", "third"])
        if key in ("held", "lacking"):
            bits[key] = moved(bits[key], chance)
        elif key == "third":
            bits[key] = chance.choice([None, bits["inputs"][0]])
        else:
            bits[key] = chance.choice([0, 1, bits[key] + 1, max(0, bits[key] - 1)])
        return
    pair = chance.choice(operator["pairs"])
    kinds = pair["kinds"]
    place = chance.randrange(len(kinds[0]))
    if place == 2:
        kind = chance.choice(kinds)
        kind[2] = chance.choice([moved(kind[2], chance), min(*kind[:2], *kind[3:], key=F)])
        return
    numbers = [kind[place] for kind in kinds]
    shifted(numbers, [1] * len(kinds), chance)
    for kind, number in zip(kinds, numbers, strict=True):
        kind[place] = number
        kind[2] = str(min(map(F, kind)))


def of_rows(document: Document, chance: random.Random, others: list[Document]) -> None:
    """Rows or pairs that are copied, split, lost or exchanged."""
    operator = document["operator"]
    if "bits" in operator:
        of_what_is_sent(document, chance, others)
        return
    rows = operator.get("rows") or operator["pairs"]
    at = chance.randrange(len(rows))
    way = chance.randrange(4)
    if way == 0 and "rows" in operator:  # the row of another, its prior kept
        other = json.loads(json.dumps(chance.choice(rows)["likelihoods"]))
        rows[at]["likelihoods"] = other
    elif way == 1 and "rows" in operator:  # an input twice, which halves its prior
        for key in ("prior", "others"):
            if isinstance(rows[at].get(key), str):
                rows[at][key] = str(F(rows[at][key]) / 2)
        rows.append(json.loads(json.dumps(rows[at])))
        operator["inputs"] = int(operator["inputs"]) + int(rows[at]["count"])
    elif way == 2 and len(rows) > 1:
        gone = rows.pop(at)
        operator["inputs"] = int(operator["inputs"]) - int(gone.get("count", 0))
    else:
        one = rows.pop(at)
        rows.insert(chance.randrange(len(rows) + 1), one)


def bodies(document: Document) -> list[Document]:
    """What bounds: the evidence, or what of it says how many would do."""
    evidence = document["evidence"]
    found = [evidence] if "proofs" in evidence else []
    return found + ([evidence["enough"]] if evidence.get("enough") else [])


def of_proofs(document: Document, chance: random.Random, others: list[Document]) -> None:
    for body in bodies(document):
        way = chance.randrange(6)
        proofs = body["proofs"]
        if way == 0:
            body["clients"] = chance.choice([body["clients"] - 1, body["clients"] + 1, 1])
        elif way == 1 and "factor" in body:
            body["factor"] = chance.choice([moved(body["factor"], chance), "1", "1/2", "1/1000"])
        elif way == 2 and proofs:
            chance.shuffle(proofs)
        elif way == 3 and proofs:
            proofs[chance.randrange(len(proofs))] = chance.choice([
                {"by": "local"}, {"by": "tilt", "theta": moved("1", chance)},
                {"by": "lattice", "unit": "1/10", "base": "11/10", "period": 50},
            ])  # fmt: skip
        elif way == 4 and proofs:
            body["proofs"] = chance.choice([proofs[:-1], [*proofs, proofs[0]]])
        elif proofs:
            proof = chance.choice(proofs)
            key = chance.choice(sorted(set(proof) - {"by"}) or ["by"])
            if key in ("steps", "reach"):
                proof[key] = chance.choice([1, 2, proof[key] // 2, proof[key] + 1, 4 * proof[key]])
            elif key in ("parts", "turns"):
                at = chance.randrange(len(proof[key]))
                step = chance.choice([-5, -1, 1, 5])
                proof[key][at] = max(0, proof[key][at] + step)
                if chance.random() < 0.4:
                    proof[key].pop(at)
            elif key == "period":
                proof[key] = chance.choice([3, 4, 5, 8, proof[key] // 2, proof[key] + 1])
            elif key != "by":
                proof[key] = moved(proof[key], chance)


def of_the_witness(document: Document, chance: random.Random, others: list[Document]) -> None:
    witness = document["witness"]
    if witness is None:
        return
    if "scores" not in witness:
        key = chance.choice(["other", "cut", "compared"])
        if key == "other":
            witness[key] = chance.choice(["first", "second", "third"])
        elif key == "cut":
            witness[key] += chance.choice([-2, -1, 1, 2])
        else:
            witness[key] = [0, chance.choice([True, False])]
        return
    key = chance.choice(["compared", "other", "scores", "cut", "window", "unit"])
    rows = document["operator"].get("rows", [])
    if key == "compared":
        one, two = witness["compared"]
        if isinstance(one, str):
            places = [None, *range(len(rows))]
            ways = ["upward", "downward"]
            witness[key] = [chance.choice(ways), chance.choice([two, chance.choice(places)])]
        else:
            witness[key] = chance.choice([[two, one], [one, chance.randrange(len(rows) or 1)]])
    elif key == "other":
        witness[key] = chance.choice([None, "first", "second", *range(len(rows))])
    elif key == "scores":
        at = chance.randrange(len(witness[key]))
        old = witness[key][at]
        if old is None:
            witness[key][at] = chance.choice([0, 1, -1, 100])
        else:
            witness[key][at] = chance.choice([old + 1, old - 1, old + 10, old * 2, -old, 0, None])
    elif key == "cut":
        cut = witness[key]
        witness[key] = chance.choice([cut + 1, cut - 1, cut + 10, cut - 10, cut + 60, 0, -cut])
    elif key == "unit":
        units = ["1", "1/100", "1/1000000", moved(witness.get("unit", "1"), chance)]
        witness[key] = chance.choice(units)
        if chance.random() < 0.3:
            witness.pop(key)
    else:
        frame = witness["window"]
        inner = chance.choice(sorted(frame))
        if inner in ("period", "start"):
            old = frame[inner]
            frame[inner] = chance.choice([old + 1, old - 1, old + 9, old - 9, old // 2, old * 2, 4])
        else:
            frame[inner] = moved(frame[inner], chance)


def of_another(document: Document, chance: random.Random, others: list[Document]) -> None:
    """The verdict with what proves it, from another certificate."""
    other = json.loads(json.dumps(chance.choice(others)))
    for key in ("verdict", "evidence", "witness", "thresholds"):
        document[key] = other[key]
    if chance.random() < 0.5:
        for key in chance.choice([("claim",), ("operator",), ("claim", "vacuous")]):
            document[key] = other[key]


def of_thresholds(document: Document, chance: random.Random, others: list[Document]) -> None:
    thresholds = document["thresholds"]
    if thresholds is None:
        document["thresholds"] = {"clients_from": document["claim"]["crowd"]["clients"]}
    else:
        many = thresholds["clients_from"]
        document["thresholds"] = chance.choice([None, {"clients_from": many - 1}])


def text_of(crowd: Document) -> str:
    """The end of the claim's text."""
    said = f" after {crowd['how']} {crowd['clients']}"
    said += f" colluding {crowd['colluding']}" if crowd["colluding"] else ""
    said += f" at most {crowd['missing']} missing" if crowd["missing"] else ""
    others = others_text(crowd["others"])
    return said + (f" others under {others}" if others is not None else "")


def others_text(others: Any) -> str | None:
    """A prior's name, or the constraints of a family."""
    if not isinstance(others, dict):
        return others
    said = []
    for row in others["constraints"]:
        shown = ""
        for factor, place in row["terms"]:
            size = str(factor).removeprefix("-")
            sign = "-" if size != str(factor) else "+"
            shown += f" {sign} " if shown else sign.strip("+")
            shown += "" if size == "1" else f"{size} * "
            shown += f"mass({others['properties'][place]})"
        said.append(f"{shown or '0'} {row['relation']} {row['bound']}")
    return "{ " + "; ".join(said) + " }"


def assumed(crowd: Document) -> str:
    """What must be trusted, as the claim has it."""
    counted = crowd["clients"] - crowd["colluding"] - crowd["missing"]
    hides = "the shuffler hides" if crowd["how"] == "shuffling" else "the servers that add hide"
    said = f"it rests on this: {hides} who sent what, and what else was sent along; each of "
    said += f"{counted:,} clients draws one report as described, with its own coins"
    if crowd["others"] is None:
        return said + "; whatever values the others have"
    each = ", each from a prior with" if isinstance(crowd["others"], dict) else " from"
    return said + f"; the others' values are independent draws{each} {others_text(crowd['others'])}"
