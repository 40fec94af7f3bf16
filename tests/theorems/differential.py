"""Two checkers on the same certificates: check.py, and the one extracted from the Coq proofs.

    make -C proofs/coq checker
    python -m tests.theorems.differential build/theorems/checker [HOW_MANY [SEED]]

Certificates are those of the attack (tests/check/finite_changes.py), as they are and changed
in meaning. The extracted checker is given the claim, the views and the evidence, and says whether
these prove the verdict. So it is compared twice: what check.py accepts, it must accept; and on the
very question that it is asked, check.py's own rules must answer the same. That the file is well
made, that the views are those of some operator and the thresholds sharp, only check.py asks.
One difference is explained: a branch at a number that a class cannot have splits off nothing, which
is sound; check.py refuses it, as no certificate needs it.
"""

from __future__ import annotations

import math
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent / "check"))

from finite_changes import mutant, pool

from ppdm_formal.certify.theorem import NotCovered, library_of
from ppdm_formal.certify.theorem.text import plain_line
from ppdm_formal.checker import Rejected, check_certificate
from ppdm_formal.checker.arithmetic import arithmetic
from ppdm_formal.checker.claim import BreachClaim, read_bound_claim, read_breach_claim
from ppdm_formal.checker.decision import shift
from ppdm_formal.checker.exponential import Exponential
from ppdm_formal.checker.farkas import breach_system, refute
from ppdm_formal.checker.knapsack import Knapsack, whole_shares
from ppdm_formal.checker.likelihood_ratio import keeps_amplification, ratio
from ppdm_formal.checker.pairs import excess
from ppdm_formal.checker.reading import read_number
from ppdm_formal.checker.reports import to_power
from ppdm_formal.checker.result import need
from ppdm_formal.checker.view import View, read_view
from ppdm_formal.checker.views import by_known
from ppdm_formal.checker.witness import read_masses

UNSUITED = (KeyError, ValueError, IndexError, TypeError, AttributeError, ZeroDivisionError)


def covered(certificates: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those of kinds that theorems cover."""
    return [certificate for certificate in certificates if library_of(certificate)]


def changed(starts: list[dict[str, Any]], how_many: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many certificates, each changed in one to four ways and made consistent."""
    chance, made = random.Random(seed), 0
    while made < how_many:
        try:
            found = mutant(chance.choice(starts), chance, starts)
        except UNSUITED:
            continue  # parts that do not fit together
        made += 1
        yield found


def compared(checker: Path, certificates: Iterable[dict[str, Any]]) -> Counter[str]:
    """What came of the certificates; a difference between the two is in capitals."""
    expected: list[tuple[bool, str]] = []
    lines, counts = [], Counter[str]()
    for certificate in certificates:
        accepted = check_certificate(certificate).accepted
        try:
            line = plain_line(certificate)
        except NotCovered:
            counts["not covered"] += 1
            continue
        except (Rejected, *UNSUITED) as problem:  # a changed certificate may be anything
            counts[f"NO QUESTION: {problem!r}" if accepted else "rejected, no question"] += 1
            continue
        expected.append((accepted, follows(certificate)))
        lines.append(line)
    asked = subprocess.run(
        [checker], input="".join(lines), capture_output=True, text=True, check=True
    )
    for (accepted, rules), answer in zip(expected, asked.stdout.splitlines(), strict=True):
        proved = answer == "true"
        if rules == "a region":  # check.py asks for more of it at once: its word is all there is
            rules = "yes" if proved else "no"
        if proved and rules == "a bad branch":
            counts["explained: a branch that splits off nothing"] += 1
        elif proved != (rules == "yes") or (accepted and not proved):
            counts[f"DIFFERENCE: {accepted}, by its rules {rules}, extracted {answer}"] += 1
        elif accepted:
            counts["accepted by both"] += 1
        else:
            counts["rejected, evidence right" if proved else "rejected by both"] += 1
    return counts


def follows(certificate: dict[str, Any]) -> str:
    """Whether the verdict follows from claim, views and evidence, by the rules of check.py."""
    try:
        return "yes" if _follows(certificate) else "no"
    except (Rejected, *UNSUITED) as problem:
        return str(problem)


def _follows(certificate: dict[str, Any]) -> bool:
    raw, rows = certificate["claim"], certificate["operator"]["views"]
    need(certificate["evidence"]["kind"] != "region", "a region")
    bound = raw.get("kind") == "bound"
    claim: Any = read_bound_claim(raw) if bound else read_breach_claim(raw)
    views = [read_view(row, "", claim, read_number) for row in rows]
    kind, evidence = certificate["evidence"]["kind"], certificate["evidence"]
    if claim.reports > 1 and not claim.by_counts:
        views = [to_power(view, claim.reports) for view in views]
    numbers = [part.likelihood for view in views for part in view.classes]
    if kind == "ratio" and any(isinstance(number, Exponential) for number in numbers):
        found = ratio(views, claim).breached  # whatever its witness
        return bool(found == (certificate["verdict"] == "breached"))
    if kind == "pairs":
        found = [(pair, way, 1 - way) for pair in by_known(views).values() for way in (0, 1)]
        if certificate["verdict"] == "breached":
            shown = certificate["witness"]
            found = [
                (by_known(views)[views[shown["view"]].known], shown["likely"], shown["unlikely"])
            ]
        kept = all(claim.allows(excess(*order, claim.factor), claim.bound) for order in found)
        return bool(kept == (certificate["verdict"] == "certified"))
    if bound and certificate["verdict"] == "breached":
        view, pair = views[certificate["witness"]["view"]], certificate["witness"]
        likely, unlikely = (view.classes[pair[key]].likelihood for key in ("likely", "unlikely"))
        kept = unlikely > 0 and claim.allows(likely / unlikely, claim.limit)
        return bool(likely > 0 and not kept)
    if bound:
        return all(keeps_amplification(view, claim) for view in views)
    if certificate["verdict"] == "breached":
        witness = certificate["witness"]
        view, keys = views[witness["view"]], ["class", "inside"]
        keys += [] if claim.prior is not None else ["mass_inside", "mass_outside"]
        listed = [{key: row[key] for key in keys} for row in witness["classes"]]
        moved = shift(view, *read_masses(listed, view, claim))
        return moved is not None and any(claim.breached(way, *moved) for way in claim.directions)
    if kind == "ratio":
        return not ratio(views, claim).breached
    if kind == "farkas":
        for way in claim.directions:
            for view, tree in zip(views, evidence[way], strict=True):
                refute(tree, view, breach_system(view, claim, way))
        return True
    if any(view.mass_of(lambda part: part.prior) != 1 for view in views):
        return False
    if kind == "arithmetic":
        return not arithmetic(views, claim).breached
    return all(
        _bounded(view, tree, way, claim)
        for way in claim.directions
        for view, tree in zip(views, evidence[way]["rho2_above"]["trees"], strict=True)
    )


def _bounded(view: View, tree: Any, way: str, claim: BreachClaim) -> bool:
    """Whether a branch tree keeps what it bounds below rho2."""
    before = whole_shares(view, lambda part: part.prior * part.knowledge)
    after = whole_shares(view, lambda part: part.prior * part.seen)
    if after.total == 0:
        return True
    weights, values = (before, after) if way == "upward" else (after, before)
    none, every = (0,) * len(view.classes), tuple(part.count for part in view.classes)
    sack, room = Knapsack(view, weights, values), math.floor(claim.rho1 * weights.total)
    return bool(sack.most_by_tree(tree, none, every, room) < claim.rho2 * values.total)


def main() -> int:
    """Compare by hand: say what came of it; 1 if the two differ."""
    how_many = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    start, starts = time.monotonic(), covered(pool(seed))
    counts = compared(Path(sys.argv[1]), [*starts, *changed(starts, how_many, seed)])
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")
    print(f"{time.monotonic() - start:8.0f} seconds")
    return 1 if any(what.isupper() for what in (w.split(":")[0] for w in counts)) else 0


if __name__ == "__main__":
    sys.exit(main())
