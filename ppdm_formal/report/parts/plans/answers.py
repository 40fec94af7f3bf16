"""Page one of a plan: is it safe, against whom, at what cost, what was assumed, who checks."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from ppdm_formal.report.parts.blocks import Facts, Section, Signatures
from ppdm_formal.report.parts.outcome import outcome
from ppdm_formal.report.parts.part import Part
from ppdm_formal.report.parts.plan import PlanMaterial
from ppdm_formal.report.parts.sections.summary import ASSUMED, SIGNED
from ppdm_formal.report.words.plan_words import pool_support, sets_words, support_words
from ppdm_formal.report.words.question import against_words, promise_words


def answers(material: PlanMaterial) -> list[Section]:
    """The questions of whoever signs."""
    claims = [decided.claim for decided in material.claims]
    promises = [f"{words[0].upper()}{words[1:]}." for words in _each(map(promise_words, claims))]
    told = any(map(material.found.sizes_told, material.found.plan.groups))
    public = ["That somebody's basket has a certain size is not hidden: sizes are public."]
    against = "; ".join(_each(map(against_words, claims))) or "nothing was claimed"
    return [
        Section(
            "Summary",
            [
                Facts(
                    [
                        ("Is it safe?", [outcome(material.claims)[1], *promises]),
                        (
                            "Against whom?",
                            [
                                "Anyone who sees one report of a client and knows the plan: "
                                f"{against}.",
                                *(public if told else []),
                            ],
                        ),
                        ("At what cost?", _costs(material)),
                        ("What was assumed?", f"That {ASSUMED}"),
                        (
                            "Who can check this?",
                            "Anyone, without trusting this tool: ppdm audit "
                            f"{shlex.quote(material.file)} --certificates DIR writes certificates "
                            "and beside them check.py, one file to be read and run alone, and "
                            "how to run it.",
                        ),
                    ]
                ),
                Signatures(SIGNED),
            ],
            2,
            "summary",
        )
    ]


def _each(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(words))


def _costs(material: PlanMaterial) -> list[str]:
    """From which supports on itemsets are seen, and how many bits a report takes."""
    said = []
    for pool in material.found.pools:
        seen = pool_support(pool)
        if seen is None:
            said.append(f"{sets_words(pool.itemset).capitalize()} cannot be seen.")
        else:
            said.append(
                f"{sets_words(pool.itemset).capitalize()} are seen from a support of "
                f"{support_words(seen)} on, with {float(pool.clients):,.0f} clients."
            )
    return said or ["The plan does not say how many baskets there are: it forecasts nothing."]


PART = Part(5, answers)
