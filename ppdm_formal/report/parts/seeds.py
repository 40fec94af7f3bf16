"""Seeds as blocks: the generators with their bits, bounds, and what seeds are instead of."""

from __future__ import annotations

from ppdm_formal.declare.arithmetic.people import show_count
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.report.parts.blocks import Document, Facts, Section, Table
from ppdm_formal.run.compress.survey import Survey

_KINDS = {
    "bch": "parity check of a BCH code, as in the paper",
    "extended-bch": "a BCH code with a parity row",
    "polynomial": "values of polynomials over GF(2^r)",
    "twisted-bch": "polynomials, without coefficients that b bits do not need",
    "goppa": "parity check of a Goppa code",
    "cap": "points of which no three are on a line",
    "direct": "bits of its own for every item",
}


def _counted(bits: int) -> str:
    return show_count(bits, separated=True)


def document(found: Survey, **_: object) -> Document:
    """What `ppdm seeds` shows."""
    best = found.best
    title = (
        f"Seeds for transactions of {_counted(found.size)} of {_counted(best.items)} items, "
        f"itemsets of up to {found.itemsets}: rho = {number_text(best.insert)}, q = {best.q}"
    )
    paper = found.paper_bits
    rows = [
        [
            one.name,
            _counted(one.seed_bits),
            f"{100 * one.seed_bits / paper:.0f}%",
            f"{100 * one.seed_bits / found.level_bound_bits:.0f}%",
            _KINDS[one.name],
        ]
        for one in found.generators
    ]
    table = Table(
        ["generator", "bits", "of the paper's", "of the bound", "what it is"],
        rows,
        numbers=range(1, 4),
    )
    tried = (
        f"all sets of q items tried, {_counted(found.checked.sets)} in all: they are independent"
        if found.checked.all
        else f"proved; {found.checked.sets} sets of q items tried, all independent"
        if found.checked.sets
        else "proved"
    )
    facts = Facts(
        [
            (
                "shortest",
                f"{best.name}, {_counted(best.seed_bits)} bits: "
                f"{_counted(best.seed_bits - found.level_bound_bits)} above the bound",
            ),
            ("paper", f"{_counted(paper)} bits (BCH, EGS03 section 5)"),
            (
                "bounds",
                f"{_counted(found.level_bound_bits)} bits where each item has an independent "
                f"{best.bits}-bit number, as here; {_counted(found.bound_bits)} bits by "
                "Definition 5 alone (Rao)",
            ),
            (
                "uncompressed",
                f"at least {_counted(found.uncompressed_bits)} bits on average (n H(rho): every "
                "item inserted alike; the items of t can change that by one bit each), "
                f"{_counted(best.items)} as a bit vector",
            ),
            (
                "privacy",
                f"as without seeds, since q = {best.q} >= m = {found.size} (EGS03 Statement 4)",
            ),
            (
                "supports",
                f"as without seeds for itemsets of up to {_counted(found.guarantee.itemsets)} "
                "items (Statement 3)",
            ),
            ("Definition 5", tried),
        ]
    )
    return Document(title, "", "", "", [Section("", [table, facts])], "")
