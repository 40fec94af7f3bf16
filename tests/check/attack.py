"""The attack on the checker: certificates of every kind, changed in meaning in several places.

    python -m tests.check.attack [--seconds 600] [--kinds sets,parts] [--seed 7]

Genuine certificates (pool.py) get another claim, other views, evidence, witness, verdict, or parts
of another one, consistently (changes.py, finite_changes.py). What is then accepted must be true, as
an oracle decides that shares no code with the checker (every_oracle.py); and against the model of
the genuine certificate only what says the same may be accepted. A case that fails is printed whole.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import changes
import finite_changes
from every_oracle import judged
from pool import KINDS, drawn

from ppdm_formal.checker import check_certificate

OLDEST = ("finite", "formula", "free")
"""Kinds that finite_changes.py knows as well."""
MOST_SECONDS = 20.0
"""Of processor, for what the oracle says of one certificate."""
FRESH = 40
"""After so many changed certificates, one that they start from is drawn anew."""
NOT_MADE = (KeyError, ValueError, IndexError, TypeError, AttributeError, ZeroDivisionError)


def said(c: dict[str, Any]) -> str:
    """What a certificate says, apart from how it proves it."""
    keys = ("claim", "operator", "verdict", "thresholds", "region", "vacuous", "trust")
    return json.dumps([c.get(key) for key in keys], sort_keys=True)


def judged_in_time(certificate: dict[str, Any]) -> bool | None:
    """What the oracle says, or None: a fresh case that it takes too long over stops no run."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        return judged(certificate)
    except TimeoutError:
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def attack(
    kind: str,
    seed: int,
    how_many: int | None = None,
    seconds: float | None = None,
    starts: list[dict[str, Any]] | None = None,
) -> tuple[Counter[str], list[dict[str, Any]]]:
    """What came of so many changed certificates, or of so much time; and all that failed."""
    chance, counts, failed = random.Random(f"{kind} {seed}"), Counter[str](), []
    source = drawn(kind, chance)
    starts = starts or list(itertools.islice(source, 5))
    ends = None if seconds is None else time.process_time() + seconds
    while (how_many is None or counts["changed"] < how_many) and (
        ends is None or time.process_time() < ends
    ):
        if (counts["changed"] + counts["meaning kept"] + counts["not made"]) % FRESH == FRESH - 1:
            starts[chance.randrange(len(starts))] = next(source)
        base = chance.choice(starts)
        older = kind in OLDEST and chance.random() < 0.6
        try:
            changed = (finite_changes if older else changes).mutant(base, chance, starts)
        except NOT_MADE:
            counts["not made"] += 1  # parts that do not fit together
            continue
        if said(changed) == said(base):
            counts["meaning kept"] += 1
            continue
        counts["changed"] += 1
        if not check_certificate(changed, allow_solver_trusted=True).accepted:
            counts["rejected"] += 1
            continue
        truth = judged_in_time(changed)
        counts[f"accepted, {truth}"] += 1
        against = check_certificate(
            changed, views=base["operator"], claim=base["claim"], allow_solver_trusted=True
        )
        other = against.accepted and changed["verdict"] != base["verdict"]
        counts["accepted against the model"] += against.accepted
        if truth is False or other:
            failed.append(changed)
    return counts, failed


def shown(kind: str, seed: int, failed: list[dict[str, Any]]) -> str:
    """What a failure says: whole, and how to get it again."""
    lines = [f"accepted, and not true (kind {kind}, PPDM_ATTACK_SEED={seed}):"]
    return "\n".join([*lines, *(json.dumps(one, sort_keys=True) for one in failed[:3])])


def main() -> int:
    """Attack by hand: say what came of it; 1 if anything false was accepted."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=600, help="of processor, for all kinds")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    kinds = options.kinds.split(",")
    wrong = total = 0
    for kind in kinds:
        counts, failed = attack(kind, options.seed, seconds=options.seconds / len(kinds))
        told = ", ".join(f"{n} {what}" for what, n in sorted(counts.items()))
        print(f"{kind:>14}  {told}", flush=True)
        if failed:
            print(shown(kind, options.seed, failed), flush=True)
        wrong, total = wrong + len(failed), total + counts["changed"]
    print(f"{total} changed certificates, seed {options.seed}: {wrong} accepted that are not true")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
