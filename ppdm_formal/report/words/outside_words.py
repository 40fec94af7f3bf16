"""Numbers from outside in words: which cells were labels, what was scaled, what rounding means."""

from __future__ import annotations

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import Verdict
from ppdm_formal.declare.arithmetic.people import rounded, short
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.outside import MatrixOrigin
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.within import Within
from ppdm_formal.report.words.counted import counted
from ppdm_formal.report.words.visible import clean


def origin_words(operator: Operator) -> list[str]:
    """How an operator's matrix was read; nothing where it was simply declared."""
    origin = operator.origin
    if origin is None or not (origin.file or origin.reading.way != "exact"):
        return []
    said = [_layout(operator, origin)] if origin.file else []
    if origin.reading.way == "normalize":
        said.append(_scaled(origin))
    if operator.within is not None:
        said += _rounded(operator.within, origin)
    return said


def _layout(operator: Operator, origin: MatrixOrigin) -> str:
    """How many inputs and outputs a file gave, and which of its cells were taken for labels."""
    file = clean(origin.file, 80)
    held = {
        (True, True): "outputs in its first line and inputs in its first column",
        (True, False): "outputs in its first line, and numbers from the first column on",
        (False, True): "inputs in its first column, and numbers from the first line on",
        (False, False): "numbers only",
    }[bool(origin.header), bool(origin.index)]
    inputs = counted(operator.inputs.size, "input")
    outputs = counted(operator.outputs.size, "output")
    said = f"{file} was read as {inputs} and {outputs}, with {held}"
    others = []
    if origin.header_guessed:
        others.append(_otherwise(origin.header, "header", "first line"))
    if origin.guessed:
        others.append(_otherwise(origin.index, "index", "first column"))
    if others:
        said += f", as it seems; {' and '.join(others)}"
    return f"{said}."


def _otherwise(labels: bool | None, option: str, where: str) -> str:
    """How to say that a guess about the first line or column is wrong."""
    if labels:
        return f"--no-{option} (in models {option}: no) reads its {where} as numbers"
    return f"--{option} (in models {option}: yes) reads its {where} as labels"


def _scaled(origin: MatrixOrigin) -> str:
    if origin.at is None:
        return "Its rows were to be divided by their sums, which are all 1: no entry changed."
    x, y = (clean(show_value(value), 30) for value in origin.at)
    return (
        f"Each row was divided by its sum. Entries moved by at most {rounded(origin.change, 3)}, "
        f"at p[{x} -> {y}]."
    )


def _rounded(within: Within, origin: MatrixOrigin) -> list[str]:
    least, most = within.ratios()
    said = [
        f"Its entries are known to {counted(origin.reading.digits or 0, 'decimal')}. Verdicts are "
        "for every matrix that rounds to them and whose rows sum to 1; measures and pictures are "
        "of one of these."
    ]
    top = "can be infinite" if most is None else f"is at most {short(most)}"
    low = "is infinite for all" if least is None else f"is at least {short(least)}"
    both = low if least is None else f"{low} and {top}"
    return [*said, f"Their amplification {both}."]


def for_all_words(certificate: Certificate) -> str:
    """What a verdict on a rounded matrix says of all matrices within; nothing for others."""
    if certificate.operator.within is None:
        return ""
    if certificate.verdict is Verdict.CERTIFIED and isinstance(certificate.claim, BoundClaim):
        return ""
    if certificate.verdict is Verdict.CERTIFIED:
        return " So it does for every matrix within the rounding."
    if certificate.verdict is Verdict.BREACHED:
        return " Every other matrix within the rounding fails too, if not by the same example."
    between = certificate.finding.between
    if between is None or between.holds is None:
        return ""
    return " One of each kind was found and replayed: see the report or the JSON (between)."
