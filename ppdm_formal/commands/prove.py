"""ppdm prove: decide the papers' statements anew, with their false neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import progress, timeout_option
from ppdm_formal.files import write_text

if TYPE_CHECKING:
    from ppdm_formal.statement import Decided

_CODES = {"holds": 0, "refuted": 1, "unknown": 3}


@click.command("prove")
@click.argument("names", nargs=-1)
@click.option("--json", "json_file", metavar="FILE|-", help="Write the outcomes as JSON.")
@timeout_option
def command(names: Sequence[str], json_file: str | None, timeout: float) -> int:
    """Decide the papers' statements: all, or those whose NAMES are given.

    Each statement stands beside false neighbours (a hypothesis dropped, a constant moved)
    that must be refuted, so that no proof passes vacuously.
    """
    from ppdm_formal.audit import worst_exit
    from ppdm_formal.report.formats.json import dumps
    from ppdm_formal.statement import decide, load_statements

    statements = load_statements()
    known = [statement.name for statement in statements]
    for name in names:
        if name not in known:
            raise click.UsageError(f"no statement {name}; there are: {', '.join(known)}")
    decided = []
    with progress() as say:
        for statement in statements:
            if not names or statement.name in names:
                say(f"{statement.paper}: {statement.title}")
                decided.append(decide(statement, timeout))
    if json_file is not None:
        content: dict[str, Any] = {
            "format": "ppdm-proofs/1",
            "statements": [found.to_json() for found in decided],
        }
        write_text(json_file, dumps(content))
    if json_file != "-":
        for found in decided:
            _show(found)
    return worst_exit([_CODES[found.verdict] for found in decided])


def _show(found: Decided) -> None:
    statement, outcome = found.statement, found.outcome
    click.echo(f"{found.verdict:<8} {statement.paper}, {statement.title} ({statement.name})")
    click.echo(f"         {statement.text}")
    for hypothesis in statement.hypotheses:
        click.echo(f"         given: {hypothesis}")
    trust = f" [{outcome.trust}]" if outcome.trust else ""
    click.echo(f"         {outcome.kind}: {outcome.detail}{trust}")
    _show_counterexample(outcome.counterexample)
    for neighbour, other in zip(statement.neighbours, found.neighbours, strict=True):
        click.echo(f"         false neighbour: {neighbour.text}")
        click.echo(f"           {other.kind}: {other.detail}")
        _show_counterexample(other.counterexample)


def _show_counterexample(counterexample: Any) -> None:
    if counterexample:
        shown = ", ".join(f"{name} = {value}" for name, value in counterexample.items())
        click.echo(f"           counterexample: {shown}")
