"""Answers for a report as a whole: who can check it, what must be trusted, what is not covered."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from ppdm_formal.report.parts.decided import Decided
from ppdm_formal.report.words.visible import clean


def model_file(data: Any) -> str:
    """The model's file name as a shell takes it."""
    return shlex.quote(clean(data["model"]["file"], 120))


def whole_answers(
    data: Any, claims: Sequence[Decided], source: str
) -> list[tuple[str, str | Sequence[str]]]:
    """Questions with their answers; source: the model's text, empty where it is a matrix."""
    return [
        ("Who else can check this?", checking_words(data, claims)),
        ("What must be trusted?", _trusted(claims, source)),
        (
            "What is not covered?",
            "More than one report of the same value or of related values by one person: that "
            "discloses more than is said here. All assumptions are in the appendix.",
        ),
    ]


def checking_words(data: Any, claims: Sequence[Decided]) -> list[str]:
    """Who can check the verdicts, and how."""
    if not claims:
        return [f"Anyone: ppdm audit {model_file(data)} measures it again."]
    solved = any(str(claim.summary["trust"]).startswith("solver") for claim in claims)
    but = ", save what rests on a prover's answers" if solved else ""
    said = [
        "Anyone, without trusting this tool: check.py is one separate file, to be read and run "
        "alone with any Python (python -I check.py CERTIFICATE), that derives the verdict of a "
        f"certificate again{but}."
    ]
    if any(claim.summary["file"] for claim in claims):
        said.append("The certificates, their digests and the commands are in the appendix.")
    else:
        said.append(
            "No certificates were written in this run; "
            f"ppdm audit {model_file(data)} --certificates DIR writes them."
        )
    return said


def _trusted(claims: Sequence[Decided], source: str) -> list[str]:
    where = "the text of the model" if source else "the digest of the model's file"
    said = [
        "That the software in use does what the model says. Nothing here checks that; "
        f"{where} is in the appendix, to be compared."
    ]
    if claims:
        said.append("Who checks a certificate: check.py and the Python that runs it.")
    solvers: dict[str, list[str]] = {}
    for claim in claims:
        trust = str(claim.summary["trust"])
        if trust.startswith("solver"):
            name = clean(trust.partition("(")[2].rstrip(")"), 80)
            solvers.setdefault(name, []).append(str(claim.number))
    for name, numbers in solvers.items():
        word = "claim" if len(numbers) == 1 else "claims"
        said.append(
            f"For {word} {', '.join(numbers)} also {name}, a theorem prover: --certificates keeps "
            "each question put to it as an .smt2 file, which any other prover of that kind reads."
        )
    return said
