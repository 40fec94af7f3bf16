"""Baskets against rivals: top items, pairs and links at equal privacy, sizes hidden in all.

Ours (benchmarks/basket_rounds.py: rounds of fixed-size reports, analysed by infer/baskets) beside
SVIM and SVSM, PrivSet, the independence guess and today's plans (benchmarks/basket_rivals.py), on
retail, groceries, msnbc and T10I4D100K at gamma 19 and 99. Scores: how many of the true 50 most
frequent items and pairs, and of the 20 strongest links among the 200 most frequent pairs, are among
ours of the same number; squared errors on the true first ones, where what is not estimated counts 0
(msnbc, of 17 items: 10 items, 50 pairs, links among all 136). Constants were fixed on retail and
groceries. Needs PPDM_DATA; PPDM_COLLECTIONS (20) repetitions, PPDM_BASKETS ("retail:19") to choose.
Prints the rows of the table in docs/baskets.md.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.basket_data import FILES, Judge, Owned, read
from benchmarks.basket_rivals import guess, privset, svim, svsm, todays_plan
from benchmarks.basket_rounds import items_in_rounds, pairs_in_rounds
from benchmarks.result import Result

REPETITIONS = int(os.environ.get("PPDM_COLLECTIONS", "20"))
CELLS = ("items", "items: squared error", "pairs", "pairs: squared error", "links")
OURS = "ours"

Scores = dict[str, dict[str, list[float]]]


def collected(b: Owned, judge: Judge, gamma: float, repetitions: int) -> tuple[Scores, float]:
    """All scores of all protocols, and how often ours asked about pairs."""
    scores: Scores = defaultdict(lambda: defaultdict(list))
    asked = []

    def add(name: str, found: dict[str, float]) -> None:
        for cell, score in found.items():
            scores[name][cell].append(score)

    for seed in range(repetitions):
        rng = np.random.default_rng([seed, int(gamma), 27])
        add(OURS, judge.of_items(items_in_rounds(b, gamma, rng)))
        ours = pairs_in_rounds(b, gamma, rng)
        asked.append(ours.asked)
        add(OURS, judge.of_pairs(ours.pairs, ours.estimates, ours.links))
        add("SVIM, SVSM", judge.of_items(svim(b, np.arange(b.n), gamma, rng, judge.top_items)))
        rivals = (
            ("SVIM, SVSM", svsm(b, gamma, rng)),
            ("PrivSet", privset(b, gamma, rng)),
            ("guess", guess(b, gamma, rng)),
            ("today's plan", todays_plan(b, gamma, rng)),
        )
        for name, one in rivals:
            if name != "SVIM, SVSM":
                add(name, judge.of_items(one.items))
            add(name, judge.of_pairs(one.pairs, one.estimates, one.links))
    return scores, float(np.mean(asked))


def shown(cell: str, values: list[float]) -> str:
    mean, error = np.mean(values), np.std(values) / max(1, len(values) - 1) ** 0.5
    if "squared" in cell:
        return f"{1e6 * mean:.1f} ± {1e6 * error:.1f}"
    return f"{mean:.1f} ± {error:.1f}"


def behind(cell: str, ours: list[float], rival: list[float]) -> float:
    """By how many standard errors of the difference ours is worse."""
    x, y = np.array(ours), np.array(rival)
    error = np.sqrt((x.var() + y.var()) / max(1, len(x) - 1))
    worse = (x.mean() - y.mean()) * (1 if "squared" in cell else -1)
    return float(worse / error) if error > 0 else (0.0 if worse <= 0 else np.inf)


def chosen() -> Iterator[tuple[str, float]]:
    asked = os.environ.get("PPDM_BASKETS", " ".join(f"{n}:{g}" for n in FILES for g in (19, 99)))
    for part in asked.split():
        name, _, gamma = part.partition(":")
        yield name, float(gamma)


def measure() -> Iterator[Result]:
    if "PPDM_DATA" not in os.environ:
        print("baskets_against: PPDM_DATA does not name the data's folder", file=sys.stderr)
        return
    print(f"| data | gamma | protocol | {' | '.join(CELLS)} |", flush=True)
    far: list[float] = []
    for name, gamma in chosen():
        b = read(name, Path(os.environ["PPDM_DATA"]))
        scores, asked = collected(b, Judge(b), gamma, REPETITIONS)
        for protocol, found in scores.items():
            row = [shown(cell, found[cell]) for cell in CELLS]
            print(f"| {name} | {gamma:g} | {protocol} | {' | '.join(row)} |", flush=True)
        rivals = [found for protocol, found in scores.items() if protocol != OURS]
        here = {
            cell: max(behind(cell, scores[OURS][cell], rival[cell]) for rival in rivals)
            for cell in CELLS
        }
        far += here.values()
        guessed = np.mean(scores["guess"]["links"])
        yield Result(
            f"{name}, gamma {gamma:g}: standard errors behind the best rival, by cell",
            ", ".join(f"{cell} {value:.1f}" for cell, value in here.items()),
            "at most 4",
            max(here.values()) <= 4,
        )
        yield Result(
            f"{name}, gamma {gamma:g}: links, where pairs are asked ({asked:.0%} of collections)",
            f"{np.mean(scores[OURS]['links']):.1f} against {guessed:.1f} of the guess",
            "above the guess, or pairs are not asked",
            bool(asked < 0.5 or np.mean(scores[OURS]["links"]) > guessed),
        )
    share = float(np.mean(np.array(far) <= 2))
    yield Result(
        "cells within two standard errors of the best", f"{share:.0%}", "95%", share >= 0.95
    )
