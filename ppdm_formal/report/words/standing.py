"""How a claim stands: its verdict as a colour and in a word or two.

Five ways and not three: a claim may fail for some values of a free parameter only, and one that
no case can test holds without saying anything, so that it is never shown as safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from ppdm_formal.certify.finding import Verdict
from ppdm_formal.certify.region_words import region_words
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.certify.audit.audited import AnyCertificate

Shade: TypeAlias = Literal["certified", "breached", "unknown", "partly", "vacuous"]

_BADGES: dict[Shade, str] = {
    "certified": "Holds",
    "breached": "Fails",
    "unknown": "Not decided",
    "vacuous": "Says nothing",
}


_LONGEST = 16
"""Characters of a region in a badge."""


def shade(certificate: AnyCertificate) -> Shade:
    """The verdict as a page colours it."""
    if certificate.verdict is Verdict.CERTIFIED:
        return "vacuous" if certificate.vacuous else "certified"
    if certificate.verdict is Verdict.PARTLY:
        return "partly"
    return "breached" if certificate.verdict is Verdict.BREACHED else "unknown"


def badge(certificate: AnyCertificate) -> str:
    """The verdict in a word or two."""
    standing = shade(certificate)
    if standing == "partly" and certificate.region is not None:
        where = clean(region_words(certificate.region), 120)
        if len(where) > _LONGEST:
            where = f"some {clean(certificate.region.parameter.told.name, 20)}"
        return f"Holds for {where} only"
    return _BADGES[standing]


def verdict_word(certificate: AnyCertificate) -> str:
    """The verdict as JSON and certificates say it, or that it says nothing."""
    return "says nothing" if shade(certificate) == "vacuous" else certificate.verdict.value
