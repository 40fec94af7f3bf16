"""ppdm design: choose the parameters of select-a-size for given privacy and data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ppdm_formal.commands._options import NumberType, limited, progress, timeout_option
from ppdm_formal.files import write_text

MAX_SIZE = 1000


class SizesType(click.ParamType[list[int]]):
    """3..10, or 3,5,8."""

    name = "SIZES"

    def convert(self, value: Any, param: Any, ctx: Any) -> list[int]:
        """All sizes that are listed."""
        sizes: list[int] = []
        for part in str(value).split(","):
            first, dots, last = part.strip().partition("..")
            ends = (first, last if dots else first)
            if not all(end.isascii() and end.isdigit() and len(end) < 7 for end in ends):
                self.fail(f"{value!r} is not a list of sizes such as 3..10 or 3,5,8", param, ctx)
            low, high = map(int, ends)
            if low > high or high > MAX_SIZE or low < 1:
                self.fail(f"{part}: sizes go from 1 up to {MAX_SIZE}", param, ctx)
            sizes += range(low, high + 1)
        return sorted(set(sizes))


@click.command("design")
@click.option("--sizes", type=SizesType(), required=True, help="Transaction sizes: 3..10 or 3,5,8.")
@click.option("--transactions", type=click.IntRange(min=1), required=True, help="How many of each.")
@click.option("--rho1", type=NumberType(), required=True, help="A property below this before ...")
@click.option("--rho2", type=NumberType(), required=True, help="... never reaches this after.")
@click.option(
    "--itemsets",
    type=click.IntRange(1, 20),
    default=3,
    show_default=True,
    help="Largest itemset to find.",
)
@click.option("--items", type=click.IntRange(min=1), help="How many items there are in all.")
@click.option("--bits", type=click.IntRange(1, 30), help="Bits of the insertion probability.")
@click.option("--paper", is_flag=True, help="Use gamma with equality, as the paper's figures do.")
@click.option("--json", "json_file", metavar="FILE|-", help="Write the plan as JSON.")
@click.option("-o", "plan_file", metavar="PLAN", help="Write the plan to this file.")
@click.option("--certificates", type=click.Path(path_type=Path), help="Write certificates there.")
@timeout_option
def command(
    sizes: list[int],
    transactions: int,
    rho1: Any,
    rho2: Any,
    itemsets: int,
    items: int | None,
    bits: int | None,
    paper: bool,
    json_file: str | None,
    plan_file: str | None,
    certificates: Path | None,
    timeout: float,
) -> int:
    """Choose how to randomize transactions so that no rho1-to-rho2 breach is possible.

    For each transaction size, picks the insertion probability (a fraction a/2^b) and the
    probabilities of keeping j items so that the lowest discoverable support is smallest, and
    certifies the result.
    """
    from ppdm_formal.audit import EXIT_CODES, worst_exit
    from ppdm_formal.itemsets.design import design
    from ppdm_formal.itemsets.plan import write_plan
    from ppdm_formal.report.formats.terminal import console, print_document
    from ppdm_formal.report.parts.plan import plan_document, plan_table

    with progress() as say:
        say("searching parameters")
        try:
            plan = limited(
                timeout,
                "no plan was found",
                lambda: design(sizes, transactions, rho1, rho2, itemsets, items, bits, paper),
            )
        except ValueError as problem:
            raise click.UsageError(str(problem)) from None
        say("certifying")
        verdicts = _certify(plan, items, certificates, timeout)
    for target in (json_file, plan_file):
        if target is not None:
            write_text(target, write_plan(plan))
    if json_file != "-":
        print_document(plan_document(plan_table(plan), plan), console())
    return 0 if paper else worst_exit([EXIT_CODES[verdict] for verdict in verdicts])


def _certify(
    plan: dict[str, Any], items: int | None, folder: Path | None, timeout: float
) -> set[str]:
    """Decide the plan's claim for each size; the plan records the verdicts."""
    from fractions import Fraction

    from ppdm_formal.certify import certify
    from ppdm_formal.claim import BreachClaim
    from ppdm_formal.itemsets.plan import Plan

    claim = BreachClaim(Fraction(plan["rho1"]), Fraction(plan["rho2"]))
    group = Plan.of(plan).only
    verdicts = set()
    for entry in plan["sizes"]:
        # From twice the size on, the views do not depend on how many items there are.
        size = entry["size"]
        operator = group.witness(size) if items is None else group.operator(size, items)
        certificate = certify(operator, claim, timeout=timeout)
        file = None
        if folder is not None:
            written = certificate.write(folder, f"size-{entry['size']}")
            file = None if written is None else written.name
        entry["certificate"] = {
            "claim": str(claim),
            "verdict": certificate.verdict.value,
            "trust": str(certificate.trust or ""),
            "file": file,
        }
        verdicts.add(certificate.verdict.value)
    return verdicts
