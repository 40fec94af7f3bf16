"""Frame: what every certificate holds, its digests, and the questions that solvers were asked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .canonical import canonical, digest
from .certificate import Certificate, Question, Subject
from .claim import read_exponent
from .limits import MAX_BYTES
from .reading import Fields, read_number, read_position
from .result import EXACTLY, need
from .table import table_of

FORMAT = "ppdm-certificate/2"
OLDER = ("ppdm-certificate/1", "ppdm-continuous/1", "ppdm-parts/1")
KEYS = (
    "format claim model operator verdict vacuous tested trust reason evidence witness thresholds "
    "region smt versions sha256"
)
"""Of every certificate; where one says nothing of a key, that is null (of smt an empty list)."""


def read_certificate(raw: Any, directory: Path | None) -> Certificate:
    """The frame: shape, digests, subject and claim, and that trust is what the evidence earns."""
    older = type(raw) is dict and raw.get("format") in OLDER
    need(not older, "this is a certificate of an older format: audit the model again")
    fields = Fields(raw, "certificate", KEYS)
    need(fields.text("format") == FORMAT, "unknown format")
    need(fields.text("verdict") in ("certified", "partly", "breached"), "unknown verdict")
    verdict, witness, evidence = raw["verdict"], raw["witness"], raw["evidence"]
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
    described, kinds = raw["operator"], table_of(Subject)
    need(type(described) is dict, "operator is not an object")
    need(type(described.get("kind")) is str, "operator: unknown kind")
    need(described["kind"] in kinds, "operator: unknown kind")
    kind: type[Subject] = kinds[described["kind"]]
    claim = kind.read_claim(raw["claim"])
    subject = kind.read(described, claim)
    return Certificate(claim, subject, verdict, evidence, witness, questions, trust, raw)


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


def read_question(raw: Any) -> Question:
    """A question that was asked."""
    fields = Fields(raw, "smt", "file sha256 solver answer")
    file, answer = fields.text("file"), fields.text("answer")
    need(answer in ("sat", "unsat", "unknown"), "smt: unknown answer")
    need(re.fullmatch(r"[^/\\:]+", file) and file.strip("."), "smt: not the name of a file")
    return Question(file, fields.digest("sha256"), fields.text("solver"), answer)


def read_questions(evidence: dict[str, Any], asked: list[Question]) -> tuple[Question, ...]:
    """The questions on which the evidence rests, all answered by unsat."""
    if "questions" not in evidence:
        return ()
    fields = Fields(evidence, "evidence", "kind questions")
    places = [read_position(place, len(asked)) for place in fields.list("questions")]
    need(places and len(set(places)) == len(places), "no question, or one twice")
    questions = tuple(asked[place] for place in places)
    good = all(question.answer == "unsat" for question in questions)
    need(good, "an answer that is not unsat")
    return questions


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
