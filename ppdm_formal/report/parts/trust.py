"""Answers for a report as a whole: who can check it, what must be trusted, what is not covered."""

from __future__ import annotations

import shlex

from ppdm_formal.report.parts.blocks import Pairs
from ppdm_formal.report.parts.part import Material
from ppdm_formal.report.words.crowd_words import all_rest_words
from ppdm_formal.report.words.question import solver_names, theorem_file


def whole_answers(material: Material) -> Pairs:
    """Questions with their answers."""
    return [
        ("Who else can check this?", checking_words(material)),
        ("What must be trusted?", _trusted(material)),
        (
            "What is not covered?",
            "More than one report of the same value or of related values by one person: that "
            "discloses more than is said here. All assumptions are in the appendix.",
        ),
    ]


def checking_words(material: Material) -> list[str]:
    """Who can check the verdicts, and how."""
    claims, file = material.judged, shlex.quote(material.file)
    if not claims:
        return [f"Anyone: ppdm audit {file} measures it again."]
    solved = any(solver_names(claim.certificate) for claim in claims)
    but = ", save what rests on a prover's answers" if solved else ""
    said = [
        "Anyone, without trusting this tool: check.py is one separate file, to be read and run "
        "alone with any Python (python -I check.py CERTIFICATE), that derives the verdict of a "
        f"certificate again{but}."
    ]
    if any(claim.file for claim in claims):
        said.append("The certificates, their digests and the commands are in the appendix.")
    else:
        said.append(
            "No certificates were written in this run; "
            f"ppdm audit {file} --certificates DIR writes them."
        )
    return said


def _trusted(material: Material) -> list[str]:
    # A bare matrix has no text of its own.
    text = material.result.model.source
    where = "the text of the model" if text else "the digest of the model's file"
    said = [
        "That the software in use does what the model says. Nothing here checks that; "
        f"{where} is in the appendix, to be compared."
    ]
    said += all_rest_words((claim.number, claim.claim) for claim in material.claims)
    if material.judged:
        said.append("Who checks a certificate: check.py and the Python that runs it.")
    covered = [str(c.number) for c in material.claims if theorem_file(c.certificate)]
    if covered:
        word = "claim" if len(covered) == 1 else "claims"
        said.append(
            f"For {word} {', '.join(covered)} ppdm theorem writes the certificate as a theorem "
            "that Coq proves: then Coq is trusted instead."
        )
    solvers: dict[str, list[str]] = {}
    for claim in material.judged:
        name = solver_names(claim.certificate)
        if name:
            solvers.setdefault(name, []).append(str(claim.number))
    for name, numbers in solvers.items():
        word = "claim" if len(numbers) == 1 else "claims"
        said.append(
            f"For {word} {', '.join(numbers)} also {name}, a theorem prover: --certificates keeps "
            "each question put to it as an .smt2 file, which any other prover of that kind reads."
        )
    return said
