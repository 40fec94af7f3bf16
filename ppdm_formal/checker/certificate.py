"""Certificate: its frame, digests, and the questions that solvers were asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .canonical import canonical, digest
from .claim import Claim, read_claim, read_exponent
from .limits import MAX_BYTES
from .reading import Fields, read_number, read_position
from .result import EXACTLY, need
from .view import Described, read_described


@dataclass(frozen=True)
class Question:
    """A question that a solver was asked, and its answer."""

    file: str
    sha256: str
    solver: str
    answer: str


@dataclass(frozen=True)
class Certificate:
    """A certificate whose frame is right; what it proves is still to be checked."""

    claim: Claim
    described: Described
    verdict: str
    kind: str
    evidence: dict[str, Any]
    witness: dict[str, Any] | None
    questions: tuple[Question, ...]  # those on which the evidence rests
    trust: str
    raw: dict[str, Any]

    @property
    def breached(self) -> bool:
        """Whether it says that the claim fails, for some values of a free parameter at least."""
        return self.verdict != "certified"

    @property
    def derived_verdict(self) -> str:
        """What was shown, of a certificate that is right: "partly" where a region is a part.

        Older certificates call that breached.
        """
        part = self.kind == "region" and self.breached and self.raw["region"]["holds"]
        return "partly" if part else self.verdict


def read_frame(fields: Fields) -> tuple[str, Any, Any]:
    """What every certificate has: a verdict, evidence, where it came from, and its own digest."""
    raw = fields.raw
    verdict = fields.text("verdict")
    verdicts = ("certified", "breached", "partly")[: 2 + (raw.get("region") is not None)]
    need(verdict in verdicts, "unknown verdict")
    witness, evidence = raw["witness"], raw["evidence"]
    need(type(witness) in (dict, type(None)), "witness is not an object")
    need((witness is None) == (verdict == "certified"), "a breach has a witness")
    body = {key: raw[key] for key in raw if key != "sha256"}
    good = fields.digest("sha256") == digest(canonical(body))
    need(good, "sha256 is not the certificate's digest")
    need(type(evidence) is dict and type(evidence.get("kind")) is str, "evidence has no kind")
    fields.text("reason")
    versions = raw["versions"]
    good = type(versions) is dict and {"ppdm_formal", "python"} <= set(versions)
    need(good, "versions are missing")
    if raw["model"] is not None:
        read_origin(raw["model"])
    return verdict, witness, evidence


def read_origin(raw: Any) -> None:
    """The model that it was made from: digests, values of parameters, how a matrix was read."""
    model = Fields(raw, "model", "file sha256 set files", "read")
    if "read" in model.raw:
        Fields(model.raw["read"], "model.read", "way digits index", "header")
    model.text("file")
    model.digest("sha256")
    for entry in model.list("files"):
        Fields(entry, "model.files", "file sha256").digest("sha256")
    need(type(model.raw["set"]) is dict, "model.set is not an object")
    for value in model.raw["set"].values():
        logarithm = type(value) is str and value.startswith("ln(")
        (read_exponent if logarithm else read_number)(value)


def read_certificate(raw: Any, directory: Path | None) -> Certificate:
    """The frame: shape, digests, and that trust is what the evidence earns."""
    keys = "format claim model operator verdict trust reason evidence witness thresholds region"
    fields = Fields(raw, "certificate", keys + " smt versions sha256", "vacuous tested")
    need(fields.text("format") == "ppdm-certificate/1", "unknown format")
    verdict, witness, evidence = read_frame(fields)
    described = read_described(raw["operator"])
    asked = [read_question(entry) for entry in fields.list("smt")]
    questions = read_questions(evidence, asked)
    trust = EXACTLY
    if questions:
        solvers = dict.fromkeys(question.solver for question in questions)
        trust = f"solver-trusted ({', '.join(solvers)})"
    need(fields.text("trust") == trust, f"the evidence is {trust}")
    if directory is not None:
        for question in asked:
            check_question_file(question, directory, question in questions)
    claim = read_claim(raw["claim"])
    kind = evidence["kind"]
    return Certificate(claim, described, verdict, kind, evidence, witness, questions, trust, raw)


def read_question(raw: Any) -> Question:
    """A question that was asked."""
    fields = Fields(raw, "smt", "file sha256 solver answer")
    file, answer = fields.text("file"), fields.text("answer")
    need(answer in ("sat", "unsat", "unknown"), "smt: unknown answer")
    need(re.fullmatch(r"[^/\\:]+", file) and file.strip("."), "smt: not the name of a file")
    return Question(file, fields.digest("sha256"), fields.text("solver"), answer)


def read_questions(evidence: dict[str, Any], asked: list[Question]) -> tuple[Question, ...]:
    """The questions on which the evidence rests, all answered by unsat."""
    if evidence["kind"] != "solver" and not solver_region(evidence):
        return ()
    fields = Fields(evidence, "evidence", "kind questions")
    places = [read_position(place, len(asked)) for place in fields.list("questions")]
    need(places and len(set(places)) == len(places), "no question, or one twice")
    questions = tuple(asked[place] for place in places)
    good = all(question.answer == "unsat" for question in questions)
    need(good, "an answer that is not unsat")
    return questions


def solver_region(evidence: dict[str, Any]) -> bool:
    """Whether a region is a solver's word, as in older certificates: questions, and no cuts."""
    return evidence["kind"] == "region" and "questions" in evidence


def check_question_file(question: Question, directory: Path, needed: bool) -> None:
    """The file beside the certificate has the digest that is stated."""
    path = directory / question.file
    if not path.is_file():
        need(not needed, f"{path.name} is not beside the certificate")
        return
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    need(len(data) <= MAX_BYTES, f"{path.name} is longer than {MAX_BYTES} bytes")
    need(digest(data) == question.sha256, f"{path.name} is not the question that was asked")


def check_vacuous(raw: dict[str, Any], vacuous: bool | None) -> None:
    """What the certificate says of it, if anything, is what was found (None: nothing was)."""
    stated = raw.get("vacuous")
    good = stated is None or (type(stated) is bool and stated == vacuous)
    found = "the claim is vacuous" if vacuous else "the claim is not vacuous"
    need(good, "whether the claim is vacuous is not shown" if vacuous is None else found)
