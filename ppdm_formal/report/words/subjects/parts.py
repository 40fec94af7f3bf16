"""Claims about records in parts, in words: what is asked, what is assumed, and how it went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from ppdm_formal.certify.audit.audited import RecordAudit
from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.finding import BoundWitness, Verdict
from ppdm_formal.certify.parts import LawOfParts, TwoRecords
from ppdm_formal.declare.arithmetic.logarithm import exponent_words
from ppdm_formal.declare.arithmetic.people import share, short
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.domain import show_value
from ppdm_formal.declare.operators.parts import Parts, PartsClaim
from ppdm_formal.derive.measures.parts_cost import logarithm, parts_cost
from ppdm_formal.report.words.subject import Details, Words, evidence, trusted
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.report.words.decided import AnyDecided

_LISTED = 6
"""Most parts of a record that a sentence names."""


_CHECKED = (
    "Re-checked exactly: ppdm check derives the greatest ratios of the parts and their product by "
    "itself. That parts of the data depend on each other no more than is given is not checked."
)

Certified: TypeAlias = Certificate[Parts, PartsClaim]


class OfRecords(Words[Parts, PartsClaim]):
    """Of claims about records in parts."""

    def against(self, certificate: Certified) -> str:
        """Whom the claim guards against."""
        who = "whatever the observer believed before"
        if certificate.claim.of == "record":
            return who
        return f"{who}, if {assumed_words(certificate.operator)}"

    def asked(self, certificate: Certified) -> str:
        """The claim as a sentence for those who do not write models."""
        claim, parts = certificate.claim, certificate.operator
        factor = f"e^({number_text(claim.bound)})"
        if claim.of == "record":
            how = "as much as" if claim.relation == "<" else "more than"
            return (
                f"All outputs together must not be {how} {factor} times as likely from one record "
                "as from another (whatever the observer believed before, and however the parts "
                "depend on each other)."
            )
        whose = "any part" if claim.part is None else clean(claim.part)
        return (
            f"If {assumed_words(parts)}, all outputs and the other parts together must not make a "
            f"value of {whose} more or less likely by a factor of more than {factor}."
        )

    def finding(self, certificate: Certified, found: RecordAudit | None = None) -> str:
        """Holds, fails, or is not decided, and why."""
        claim = certificate.claim
        if certificate.verdict is Verdict.UNKNOWN:
            return f"Not decided: {clean(certificate.reason, 200)}."
        if certificate.verdict is Verdict.BREACHED:
            return f"Fails: {_broken_words(certificate)}."
        cost = parts_cost(certificate.operator) if found is None else found.cost
        limit = exponent_words(claim.bound)
        if claim.of == "record":
            whole = logarithm(cost.ratio)
            return f"Holds: the whole record costs {whole}, within the limit of {limit}."
        named = [
            (clean(one.part.name), one.epsilon)
            for one in cost.costs
            if claim.part in (None, one.part.name)
        ]
        said = ", ".join(f"{name} costs {epsilon}" for name, epsilon in named[:_LISTED])
        more = f" and {len(named) - _LISTED} more keep" if len(named) > _LISTED else ""
        return f"Holds: {said}{more}, within the limit of {limit}."

    def details(
        self, certificate: Certified, decided: AnyDecided | None, theorems: bool
    ) -> Details:
        """What must be trusted."""
        return [("Trust", trusted(certificate.trust, _CHECKED))]

    def compact(self, certificate: Certified, decided: AnyDecided | None) -> list[str]:
        """The evidence."""
        return evidence(certificate)


WORDS = OfRecords()


def assumed_words(parts: Parts) -> str:
    """What is taken for granted of the parts, as part of a sentence."""
    if parts.among is None:
        return "the parts are independent of each other"
    return f"each part and all others together are {exponent_words(parts.among)}-dependent"


def _broken_words(certificate: Certified) -> str:
    broken = certificate.finding.broken
    if isinstance(broken, TwoRecords):
        places = list(enumerate(broken.extremes))
        output, likely, unlikely = (
            _listed([_of_part(certificate, i, one, which) for i, one in places])
            for which in ("output", "likely", "unlikely")
        )
        if broken.value is None:
            return f"the outputs {output} are possible from {likely}, and not from {unlikely}"
        times = short(broken.value)
        return f"the outputs {output} are {times} times as likely from {likely} as from {unlikely}"
    assert isinstance(broken, LawOfParts)
    name = clean(certificate.operator.parts[broken.part].name)
    output, value = (
        _of_part(certificate, broken.part, broken.extreme, which) for which in ("output", "likely")
    )
    beside = ""
    if broken.other is not None:
        other = clean(certificate.operator.parts[broken.other].name)
        factor = broken.law[0][0] / (broken.before * sum(row[0] for row in broken.law))
        beside = f" and a value of {other} beside which it is {short(factor)} times as likely"
    return (
        f"under a law of the parts that is allowed, the output {output} of {name}{beside} "
        f"{'take' if beside else 'takes'} the belief in {value} from {share(broken.before)} to "
        f"{share(broken.after)}, by a factor of "
        f"{short(broken.after / broken.before)}"
    )


def _of_part(certificate: Certified, part: int, extreme: BoundWitness, which: str) -> str:
    """An output or a value of a part."""
    view = certificate.finding.in_parts[part][extreme.view]
    at: Any = view.output
    if which != "output":
        place = extreme.likely if which == "likely" else extreme.unlikely
        at = view.classes[place or 0].example
    return clean(show_value(at), 30)


def _listed(values: Sequence[str]) -> str:
    more = f", and {len(values) - _LISTED} more" if len(values) > _LISTED else ""
    return f"({', '.join(values[:_LISTED])}{more})"
