"""ppdm theorem: write a certificate as a theorem, for Coq to check."""

from __future__ import annotations

from pathlib import Path

import click

from ppdm_formal.commands._options import timeout_option
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.commands._written import Written
from ppdm_formal.declare.machine.files import text_writer

NOT_COVERED = 3


SHOWN = Shown("audit", "Write a certificate as a theorem for Coq.")


@click.command("theorem")
@click.argument("certificate", type=click.Path(path_type=Path))
@click.option(
    "-o", "target", metavar="FILE.v", required=True, help="Write here (- for the screen)."
)
@click.option(
    "--plain",
    is_flag=True,
    help="Write the question for the extracted checker instead, which answers true or false.",
)
@timeout_option
@writes_result
def command(
    certificate: Path, target: str, plain: bool, timeout: float, out: Outputs
) -> Answer | int:
    """Write CERTIFICATE as a theorem that Coq proves by computation.

    Its statement speaks of every operator that the certificate's views describe, in the words of
    Definitions 1 and 2. The certificate is checked first, as by ppdm check. After make theorems:
    coqc -Q build/theorems PPDM FILE.v. See docs/verified.md for what is covered; exit code 3
    where it is not. With --plain the same computation is written for the second checker, which
    is extracted from the proofs: make checker, then build/theorems/checker < FILE.
    """
    from ppdm_formal.certify.theorem import NotCovered
    from ppdm_formal.certify.theorem.text import plain_line, theorem_text
    from ppdm_formal.checker import EXITS, Worker
    from ppdm_formal.checker.canonical import parse
    from ppdm_formal.commands.check import examine
    from ppdm_formal.report.words.visible import clean

    out.check([certificate], target)
    worker = Worker(examine)
    result = worker.ask(timeout, certificate, False, None, timeout)
    worker.close()
    if result.status != "accepted":
        click.echo(f"{certificate}: no theorem: {clean(result.reason, 400)}", err=True)
        return EXITS[result.status]
    try:
        text = (plain_line if plain else theorem_text)(parse(certificate.read_bytes()))
    except NotCovered as why:
        click.echo(f"{certificate}: no theorem: not covered: {why} (docs/verified.md)", err=True)
        return NOT_COVERED
    said = "a question for the extracted checker" if plain else "a theorem for Coq"
    facts = {
        "certificate": {"file": certificate.name, "sha256": result.sha256},
        "operator": result.operator,
        "claim": result.claim,
        "verdict": result.verdict,
        "plain": plain,
    }
    lines = (f"{said}, from {certificate.name}", f"{result.operator}: {result.claim}")
    files = [(target, text_writer(lambda: [text]))]
    answer = Answer(Written("theorem", (target,), lines, facts), files=files, said=True)
    out.write(answer)
    if target != "-":
        out.say(f"Wrote {target}")
    return answer
