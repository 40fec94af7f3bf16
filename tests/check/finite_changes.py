"""Changes to certificates of views: claim, views, evidence, witness, region, range and names.

A genuine certificate of a small operator gets another claim, other views, evidence, witness,
verdict, thresholds, region, or those of another certificate; its text, directions and digests are
made to match, and where the checker says which numbers it expects, they are written in.
"""

from __future__ import annotations

import json
import random
from fractions import Fraction as F
from typing import Any

from certificate_builder import bound, breach, seal
from changes import helped
from definition_oracle import closed_form
from test_formula import EPSILON, MUTUAL, VULNERABILITY, WORST, built
from test_mutations import genuine, parametric, row

from ppdm_formal import BoundClaim, BreachClaim, Operator, Parameter, Prior, Property
from ppdm_formal.certify import certify
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.language.compiler import compile_text

NUMBERS = [F(n, d) for d in (1, 2, 3, 4, 5, 8, 10) for n in range(d + 1)]
RHOS = [x for x in NUMBERS if 0 < x < 1]
RELATIONS = ["<=", "<", ">=", ">", "=="]
EPSILONS = ["1", "1/2", "2", "ln(3)", "ln(2)", "eps", "2*eps", "eps/2", "3*eps"]
POWERS = ["exp(1)", "exp(1/2)", "exp(2)", "exp(1/3)", "exp(100001/100000)", "1457/536", "3", "1"]
FLIPPED = {"certified": "breached", "breached": "certified", "partly": "certified"}


def copied(thing: Any) -> Any:
    return json.loads(json.dumps(thing))


def formulas(chance: random.Random) -> list[dict[str, Any]]:
    """Certificates by formula, true or not: the checker keeps the true ones."""
    found = []
    for tree, unit in ((EPSILON, "nat"), (MUTUAL, "bit"), (VULNERABILITY, None), (WORST, "nat")):
        for _ in range(40):
            matrix = [row(chance, 2) for _ in range(3)]
            prior = None if tree is EPSILON else row(chance, 3)
            limit, verdict = chance.choice(NUMBERS), chance.choice(["certified", "breached"])
            one = built(matrix, tree, chance.choice(["<", "<="]), limit, verdict, prior, unit)
            if check_certificate(one).accepted:
                found.append(one)
    return found


def small(certificate: dict[str, Any]) -> bool:
    """Small enough for the corners of a polytope of priors."""
    family = (
        isinstance(certificate["claim"].get("under"), dict)
        and "constraints" in certificate["claim"]["under"]
    )
    return int(certificate["operator"]["inputs"]) <= (3 if family else 4)


def free_pool() -> list[dict[str, Any]]:
    """Certificates with free parameters: Warner's, k-ary, with cuts and with boxes."""
    found = []
    for low, high, *ends in ((F(1, 2), F(1)), (F(0), F(1), True, True), (F(1, 3), F(4, 5), True)):
        p = Parameter("p", low, high, *ends)
        x = p.symbol
        other = (1 - x) / 2
        k_ary = [[x if i == j else other for j in range(3)] for i in range(3)]
        for rows in ([[x, 1 - x], [1 - x, x]], k_ary, [[x**2, 1 - x**2], [F(1, 3), F(2, 3)]]):
            operator = Operator.from_matrix(rows, name="W", parameters=[p])
            prior = Prior.uniform(operator.inputs, "U")
            first = Property.of(operator.inputs, [0], "first")
            for claim in (
                BreachClaim(F(1, 10), F(1, 2)),
                BreachClaim(F(1, 5), F(3, 4), "downward"),
                BreachClaim(F(1, 2), F(3, 4), "both", prior, first),
                BreachClaim(F(1, 3), F(1, 2), "upward", None, first),
                BoundClaim("amplification", "<=", F(4)),
                BoundClaim("amplification", "<", F(20)),
            ):
                found.append(certify(operator, claim))
    p, q = Parameter("p", F(1, 2), F(3, 4), True, True), Parameter("q", F(0), F(1, 3))
    x, y = p.symbol, q.symbol
    rows = [[x * (1 - y), (1 - x) * (1 - y), y], [(1 - x) * (1 - y), x * (1 - y), y]]
    operator = Operator.from_matrix(rows, name="T", parameters=[p, q])
    for bound_on in (F(3), F(16, 5), F(4), F(2)):
        found.append(certify(operator, BoundClaim("amplification", "<=", bound_on)))
        found.append(certify(operator, BreachClaim(F(1, 2 + 2 * bound_on), F(1, 2))))
    return [one.to_json() for one in (*found, *eps_pool()) if one.verdict.value != "unknown"]


EPS_OPERATORS = {
    "= randomized_response(values: 3, keep: exp(eps)/(exp(eps) + 2))": "eps",
    "= randomized_response(values: 2, keep: exp(eps/2)/(exp(eps/2) + 1))": "eps/2",
    """(x: 0..1) -> 0..1 { matrix {
        0 : (exp(2*eps)/(exp(2*eps) + exp(eps) + 1)) ((exp(eps) + 1)/(exp(2*eps) + exp(eps) + 1))
        1 : (1/2) (1/2) } }""": "2*eps",
}
EPS_AUDIT = """audit R { require epsilon <= 1; require epsilon < 1; require epsilon <= eps
require epsilon <= ln(3); require delta(1) <= 1/10; require delta(%s) < 1/4
require amplification <= exp(1); require epsilon <= 2 after 3 reports; require epsilon <= 5
forbid breach 10%% -> 30%% }"""


def eps_pool() -> list[Any]:
    """Certificates with eps free: regions in t = e^eps whose bounds and ends are powers of e."""
    found = []
    for operator, epsilon in EPS_OPERATORS.items():
        text = f"param eps in (0, 5)\noperator R {operator}\n{EPS_AUDIT % epsilon}"
        (audit,) = compile_text(text).audits
        found += [certify(audit.operator, claim) for claim in audit.claims]
    return found


def pool(seed: int) -> list[dict[str, Any]]:
    """What the attack starts from."""
    chance = random.Random(seed)
    found = [one for one in (*genuine(), *parametric(), *formulas(chance)) if small(one)]
    return [copied(one) for one in found]


# --- Changes, each to the certificate itself


def moved(number: str, step: F) -> str:
    """A number and a step more: rational, or a power of e."""
    if not number.startswith("exp("):
        return str(F(number) + step)
    if step == 0:
        return number
    many = "" if step.denominator == 1 else f"{step.denominator}*"
    over = f"{step.numerator} + {many}{number}"
    return over if step.denominator == 1 else f"({over})/{step.denominator}"


def change_claim(c: dict[str, Any], chance: random.Random) -> None:
    """Another bound, direction, relation, constraint, property, unit or measure."""
    claim = c["claim"]
    if claim["kind"] == "bound":
        part = chance.choice(["bound", "relation", "unit", "measure", "formula"])
        if part == "bound" and claim["measure"] == "epsilon":
            claim["bound"] = chance.choice(EPSILONS)
        elif part == "bound" and "at" in claim and chance.random() < 0.5:
            claim["at"] = chance.choice(EPSILONS)
        elif part == "bound":
            claim["bound"] = moved(claim["bound"], F(chance.randint(-8, 8), 16))
        elif part == "relation":
            claim["relation"] = "<" if claim["relation"] == "<=" else "<="
        elif part == "unit" and claim["unit"]:
            claim["unit"] = "nat" if claim["unit"] == "bit" else "bit"
        elif part == "measure" and claim["measure"] in ("amplification", "epsilon"):
            other = {"amplification": "epsilon", "epsilon": "amplification"}[claim["measure"]]
            claim |= {"measure": other, "bound": chance.choice(EPSILONS[:3])}
        elif part == "measure" and claim["prior"] and "formula" not in claim:
            claim["measure"] = chance.choice(["dependence", "worst_case_information"])
            claim["unit"] = "bit" if claim["measure"] == "worst_case_information" else None
        elif "formula" in claim:
            claim["formula"] = chance.choice([EPSILON, MUTUAL, VULNERABILITY, WORST])
        return
    part = chance.choice(["rhos", "rhos", "direction", "under", "for", "swap", "complement"])
    if part == "rhos":
        rho1, rho2 = sorted(chance.sample([*RHOS, F(claim["rho1"]), F(claim["rho2"])], 2))
        claim |= {"rho1": str(rho1), "rho2": str(rho2)} if rho1 < rho2 else {}
    elif part == "complement":
        rho1, rho2 = 1 - F(claim["rho2"]), 1 - F(claim["rho1"])
        claim |= {"rho1": str(rho1), "rho2": str(rho2)}
    elif part == "direction":
        claim["direction"] = chance.choice(["both", "upward", "downward"])
    elif part == "under" and isinstance(claim["under"], dict) and "constraints" in claim["under"]:
        line = chance.choice(claim["under"]["constraints"] or [{}])
        line["relation"] = chance.choice(RELATIONS)
        line["bound"] = str(chance.choice(NUMBERS))
        for term in line.get("terms", []):
            term[0] = chance.choice([term[0], str(chance.randint(-2, 2))])
            term[1] = chance.choice([term[1], chance.randrange(len(claim["properties"]))])
    elif part == "for" and claim["properties"]:
        claim["for"] = chance.choice([None, *range(len(claim["properties"]))])
    elif part == "swap" and len(claim["properties"]) > 1:
        # the forgery: names and positions exchanged, the columns of the views as they were
        claim["properties"] = claim["properties"][::-1]
        last = len(claim["properties"]) - 1
        if claim["for"] is not None:
            claim["for"] = last - claim["for"]
        for line in (
            claim["under"].get("constraints", ()) if isinstance(claim["under"], dict) else ()
        ):
            for term in line["terms"]:
                term[1] = last - term[1]


def change_views(c: dict[str, Any], chance: random.Random) -> None:
    """Move likelihood, or exchange likelihoods, priors, members or knowledge between classes."""
    views = c["operator"]["views"]
    one, two = chance.choice(views), chance.choice(views)
    a, b = chance.choice(one["classes"]), chance.choice(two["classes"])
    part = chance.choice(["move", "move", "likelihood", "prior", "member", "knowledge", "count",
                          "column", "outputs", "certain"])  # fmt: skip
    if part == "move" and not c["operator"]["parameters"]:
        step = F(1, chance.choice([2, 4, 8, 100])) * chance.choice([1, -1])
        for place, sign, view in ((a, 1, one), (b, -1, two)):
            weight = int(view["outputs"]) * int(place["count"])
            place["likelihood"] = str(F(place["likelihood"]) + sign * step / weight)
    elif part == "column":
        for view in views:
            for place in view["classes"]:
                if len(place.get("member", [])) > 1:
                    place["member"] = place["member"][::-1]
    elif part == "certain":
        for view in views:
            for place in view["classes"]:
                place["member"] = [not m for m in place["member"]] if "member" in place else []
                if not place["member"]:
                    del place["member"]
    elif part == "count":
        here = chance.choice([1, 2, 3]) - a["count"]
        a["count"] += here
        c["operator"]["inputs"] += here
        for view in views:
            if view is not one:
                view["classes"][0]["count"] += here
    elif part == "outputs":
        here = chance.choice([1, -1])
        one["outputs"] = max(1, one["outputs"] + here)
        c["operator"]["outputs"] = sum(v["outputs"] for v in views)
    elif part in a and part in b:
        a[part], b[part] = b[part], a[part]


def change_verdict(c: dict[str, Any], chance: random.Random, others: list[Any]) -> None:
    """The opposite verdict, with the witness of another certificate if it needs one."""
    c["verdict"] = FLIPPED[c["verdict"]]
    witnesses = [o["witness"] for o in others if o["witness"]
                 and o["claim"]["kind"] == c["claim"]["kind"]]  # fmt: skip
    c["witness"] = (
        copied(chance.choice(witnesses)) if c["verdict"] == "breached" and witnesses else None
    )


def change_witness(c: dict[str, Any], chance: random.Random) -> None:
    """Other masses, another view, output or direction."""
    witness = c["witness"]
    if not witness:
        return
    part = chance.choice(["view", "masses", "direction", "numbers", "inside"])
    views = c["operator"]["views"]
    if part == "view":
        witness["view"] = chance.randrange(len(views))
        witness["output"] = views[witness["view"]]["output"]
        if "known" in witness:
            witness["known"] = views[witness["view"]]["known"]
    elif part == "direction" and "direction" in witness:
        witness["direction"] = "upward" if witness["direction"] == "downward" else "downward"
    elif part == "numbers" and "before" in witness:
        witness[chance.choice(["before", "after"])] = str(chance.choice(NUMBERS))
    elif witness.get("classes"):
        place = chance.choice(witness["classes"])
        if part == "inside":
            place["inside"] = max(0, place["inside"] + chance.choice([1, -1]))
        elif "mass_inside" in place:
            other = chance.choice(witness["classes"])
            step = F(chance.randint(-4, 4), 16)
            place["mass_inside"] = str(F(place["mass_inside"]) + step)
            other["mass_outside"] = str(F(other["mass_outside"]) - step)


def change_evidence(thing: Any, chance: random.Random) -> None:
    """Some number of the evidence is another one: multipliers, bounds, branches."""
    places = []

    def walk(inner: Any) -> None:
        keys = inner.keys() if isinstance(inner, dict) else range(len(inner))
        for key in keys:
            if isinstance(inner[key], dict | list):
                walk(inner[key])
            elif key != "kind":
                places.append((inner, key))

    walk(thing)
    for _ in range(chance.randint(1, 2)):
        if not places:
            return
        inner, key = chance.choice(places)
        old = inner[key]
        if isinstance(old, bool) or old is None:
            inner[key] = chance.choice(["0", "over", None])
        elif isinstance(old, int):
            inner[key] = max(0, old + chance.choice([1, -1]))
        else:
            try:
                number = F(old)
            except ValueError:
                number = F(0)
            inner[key] = str(
                chance.choice([number + F(1, 8), number * 2, F(0), 1 - number, number / 2])
            )


def change_thresholds(c: dict[str, Any], chance: random.Random) -> None:
    if c["thresholds"]:
        key = chance.choice(list(c["thresholds"]))
        lo, hi = sorted(chance.sample(RHOS, 2))
        other = {"lo": str(lo), "hi": str(hi)}
        c["thresholds"][key] = chance.choice([None, str(lo), other, c["claim"]["rho1"]])


def change_region(c: dict[str, Any], chance: random.Random) -> None:
    """Another region, its text to match where its ends are numbers."""
    region = c["region"]
    if not region:
        return
    holds = region["holds"]
    if holds and chance.random() < 0.8:
        side = chance.choice(["from", "to"])
        chosen = chance.choice(holds)
        if chance.random() < 0.3:
            chosen[f"{side}_included"] = not chosen[f"{side}_included"]
        elif isinstance(chosen[side], str):
            step = F(chance.choice([1, -1]), chance.choice([10, 100, 10**5]))
            of_e = "exp(" in region["parameter"] and chance.random() < 0.5
            chosen[side] = chance.choice(POWERS) if of_e else moved(chosen[side], step)
    else:
        region["holds"] = []
    change_region_text(region)


def change_region_text(region: dict[str, Any]) -> None:
    """The text that the ends of a region have, where all are numbers."""
    p, declared = region["parameter"], region["declared"]
    low, high = declared[1:-1].split(", ")
    texts = []
    first, last = declared[0] == "[", declared[-1] == "]"
    whole = {"from": low, "from_included": first, "to": high, "to_included": last}
    if region["holds"] == [whole]:
        region["text"] = f"every {p} in {declared}"
        return
    for h in region["holds"]:
        less = "<=" if h["to_included"] else "<"
        if not isinstance(h["from"], str) or not isinstance(h["to"], str):
            return
        if (h["from"], h["from_included"]) == (low, declared[0] == "["):
            texts.append(f"{p} {less} {h['to']}")
        elif (h["to"], h["to_included"]) == (high, declared[-1] == "]"):
            texts.append(f"{p} >{'=' * h['from_included']} {h['from']}")
        else:
            texts.append(f"{h['from']} <{'=' * h['from_included']} {p} {less} {h['to']}")
    region["text"] = " or ".join(texts) or f"no {p} in {declared}"


def change_range(c: dict[str, Any], chance: random.Random) -> None:
    """Another range of a parameter, which the region is then declared for."""
    row = chance.choice(c["operator"]["parameters"])
    interval = row["interval"]
    low, high = first, last = interval[1:-1].split(", ")
    left, right = interval[0], interval[-1]
    part = chance.choice(["low", "high", "left", "right"])
    step = F(chance.choice([1, -1]), chance.choice([4, 10, 100, 10**6]))
    if part in ("left", "right"):
        left = chance.choice("[(") if part == "left" else left
        right = chance.choice(")]") if part == "right" else right
    elif part == "low":
        low = moved(low, step)
    else:
        high = moved(high, step)
    row["interval"] = f"{left}{low}, {high}{right}"
    if c["region"]:
        c["region"]["declared"] = row["interval"]
        for h in c["region"]["holds"]:  # what began or ended as declared still does
            if h["from"] == first:
                h |= {"from": low, "from_included": left == "["}
            if h["to"] == last:
                h |= {"to": high, "to_included": right == "]"}


def change_name(c: dict[str, Any], chance: random.Random) -> None:
    """Another power of e is the parameter, wherever it stands."""
    old = chance.choice(c["operator"]["parameters"])["name"]
    if old.startswith("exp("):
        new = chance.choice(["exp(eps)", "exp(eps/2)", "exp(2*eps)", "exp(3*eps/2)", "exp(other)"])
        again = json.loads(json.dumps(c).replace(old, new))
        c.clear()
        c.update(again)


def change_forms(c: dict[str, Any], chance: random.Random) -> None:
    """Other closed forms, of the same sums or not; also those that agree at some points only."""
    parameter = chance.choice(c["operator"]["parameters"])["name"]
    views = c["operator"]["views"]
    one, two = chance.choice(views), chance.choice(views)
    a, b = chance.choice(one["classes"]), chance.choice(two["classes"])
    size = chance.choice(["1/8", "1/100", "1/10000000", "-1/50"])
    root = chance.choice(["1/2", "3/4", "9/10", "2/3", "1/7", "2", "5", "exp(1)"])
    bump = f"{size}*{parameter}*(1 - {parameter})"
    if chance.random() < 0.5:
        bump = f"{size}*({parameter} - {root})^2"
    if "exp(" in parameter:  # likelihoods stay likelihoods for large values, too
        bump += f"/{parameter}^3"
    if chance.random() < 0.3:  # it hides from most points
        bump += "".join(f"*({parameter} - {F(i, 8)})" for i in range(5, 8))
    if chance.random() < 0.2:
        bump = f"0/({parameter} - {root})"
    for place, sign, view in ((a, "+", one), (b, "-", two)):
        weight = int(view["outputs"]) * int(place["count"])
        place["likelihood"] = f"{place['likelihood']} {sign} ({bump})/{weight}"


def with_cuts(c: dict[str, Any], chance: random.Random) -> None:
    """Cuts that fit the region, some more or some fewer."""
    evidence, region = c["evidence"], c["region"]
    if evidence["kind"] != "region" or "cuts" not in evidence or not region:
        return
    low, high = region["declared"][1:-1].split(", ")
    ends = {e for h in region["holds"] for e in (h["from"], h["to"]) if isinstance(e, str)}
    cuts = {e for e in [*ends, *evidence["cuts"]] if isinstance(e, str)} - {low, high}
    if chance.random() < 0.4:
        cuts |= {str(F(chance.randint(1, 99), 100)), "1/2"}
        cuts |= set(chance.sample(POWERS, 2)) if "exp(" in region["parameter"] else set()

    def place(end: Any) -> F:
        return closed_form(end if isinstance(end, str) else end["between"][0], {})

    cuts = {e for e in cuts if place(low) < place(e) < place(high)}
    if chance.random() < 0.2 and cuts:
        cuts.discard(chance.choice(sorted(cuts)))
    roots = [e for e in evidence["cuts"] if not isinstance(e, str)]
    evidence["cuts"] = sorted([*cuts, *roots], key=place)


def graft(c: dict[str, Any], chance: random.Random, others: list[Any]) -> None:
    """A whole part of another certificate of the same kind of claim."""
    alike = [o for o in others if o["claim"]["kind"] == c["claim"]["kind"]]
    other = copied(chance.choice(alike))
    everything = ("claim", "evidence", "witness", "verdict", "thresholds")
    parts = [("evidence", "witness"), ("operator",), ("claim",), ("witness",), ("evidence",),
             everything, ("operator", "claim")]  # fmt: skip
    for key in chance.choice(parts):
        c[key] = other[key]


# --- Making the lie consistent


def matched(c: dict[str, Any]) -> dict[str, Any]:
    """The claim's text, the evidence's directions, sizes and digests, as they must be."""
    claim = c["claim"]
    if claim["kind"] == "bound":
        measure = f"delta({claim['at']})" if "at" in claim else claim["measure"]
        again = bound(measure, claim["relation"], claim["bound"], claim["prior"], claim["unit"])
        reports = f" after {claim['reports']} reports" if "reports" in claim else ""
        c["claim"] = {**claim, "text": again["text"] + reports}
        return seal(c)
    c["claim"] = breach(
        F(claim["rho1"]), F(claim["rho2"]), claim["direction"], claim["under"],
        claim["properties"], claim["for"], claim["knowing"],
    )  # fmt: skip
    evidence = c["evidence"]
    if evidence["kind"] in ("knapsack", "farkas"):
        sides = [evidence[d] for d in ("upward", "downward") if d in evidence]
        names = [d for d in ("upward", "downward") if claim["direction"] in (d, "both")]
        kept = {d: evidence.get(d, sides[0] if sides else {}) for d in names}
        evidence = {k: v for k, v in evidence.items() if k not in ("upward", "downward")}
        c["evidence"] = evidence | kept
    return seal(c)


def mutant(base: dict[str, Any], chance: random.Random, others: list[Any]) -> dict[str, Any]:
    """A certificate changed in one to four ways, made consistent."""
    c = copied(base)
    ways = 15 if any("exp(" in p["name"] for p in base["operator"]["parameters"]) else 14
    for _ in range(chance.randint(1, 4)):
        way = chance.randrange(ways if base["operator"]["parameters"] else 10)
        if way == 14:
            change_name(c, chance)
        elif way >= 12:
            change_range(c, chance)
        elif way >= 10:
            change_forms(c, chance)
        elif way <= 2:
            change_claim(c, chance)
        elif way <= 4:
            change_views(c, chance)
        elif way == 5:
            change_verdict(c, chance, others)
        elif way == 6:
            change_witness(c, chance)
        elif way == 7:
            change_evidence(c["evidence"], chance)
        elif way == 8:
            change_region(c, chance) if c["region"] else change_thresholds(c, chance)
        else:
            graft(c, chance, others)
    if c["operator"]["parameters"] and chance.random() < 0.8:
        with_cuts(c, chance)
        if c["region"] and chance.random() < 0.5:  # the verdict that the region has
            change_region_text(c["region"])
            certified = c["region"]["text"].startswith("every")
            c |= {"verdict": "certified", "witness": None} if certified else {}
    if chance.random() < 0.1 and isinstance(c.get("vacuous"), bool):
        c["vacuous"] = not c["vacuous"]
    return helped(matched(c))
