"""ppdm prove: decide the papers' statements anew, with their false neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import progress, timeout_option
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.machine.files import text_writer

if TYPE_CHECKING:
    from ppdm_formal.certify.statement import DecidedStatement, Statement

SHOWN = Shown("papers", "Decide the papers' statements anew.", 1)


@click.command("prove")
@click.argument("names", nargs=-1)
@click.option("--paper", metavar="PAPER", help="Only the statements of a paper, such as egs03.")
@click.option("--list", "listed", is_flag=True, help="List the statements; decide nothing.")
@click.option("--graph", "graph_file", metavar="FILE", help="Draw what rests on what, as SVG.")
@click.option(
    "--findings", "findings_file", metavar="FILE|-", help="Write what is amiss in the papers."
)
@click.option(
    "--proofs",
    "folder",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of proof files of your own, PAPER/*.py, instead of those that come along.",
)
@click.option("--jobs", type=click.IntRange(1), help="Processes at a time.  [default: processors]")
@timeout_option
@writes_result
def command(
    names: Sequence[str], folder: Path | None, timeout: float, out: Outputs, **asked: Any
) -> Answer | int:
    """Decide the papers' statements: all, or those whose NAMES are given.

    Each statement stands beside false neighbours (a hypothesis dropped, a constant moved)
    that must be refuted, so that no proof passes vacuously. Exit code 0: every outcome is as its
    file expects, a statement that is on record as refuted or corrected included.
    """
    from ppdm_formal.certify.statement import NotAStatementFile, Proofs, load_statements
    from ppdm_formal.certify.statement.parallel import decide_all
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.report.formats.findings import findings_markdown

    out.check([], asked["graph_file"], asked["findings_file"])
    if asked["graph_file"] == "-":
        raise click.UsageError("the graph is a file of its own: --graph FILE.svg")
    try:
        loaded = load_statements(folder)
    except NotAStatementFile as problem:
        raise click.ClickException(str(problem)) from None
    if not loaded:
        raise click.ClickException(f"{folder}: no statements; its files hold only definitions")
    statements = _chosen(loaded, names, asked["paper"])
    if asked["listed"]:
        for statement in statements:
            click.echo(f"{statement.name:<40} {statement.paper}, {statement.title}")
        return 0
    order = {statement.name: place for place, statement in enumerate(statements)}
    decided: list[DecidedStatement] = []
    with ended_cleanly(), progress() as say:
        say(f"deciding {len(statements)} statements")
        for found in decide_all(statements, timeout, folder, asked["jobs"]):
            decided.append(found)
            say(f"{len(decided)} of {len(statements)}: {found.statement.name} {found.outcome.kind}")
    decided.sort(key=lambda found: order[found.statement.name])
    files = [
        (asked["graph_file"], text_writer(lambda: [_graph(decided, folder)])),
        (asked["findings_file"], text_writer(lambda: [findings_markdown(pairs)])),
    ]
    pairs = [(found.statement, found.outcome) for found in decided]
    return Answer(Proofs(tuple(decided)), files=files)


def _chosen(
    statements: Sequence[Statement], names: Sequence[str], paper: str | None
) -> list[Statement]:
    known = [statement.name for statement in statements]
    papers = list(dict.fromkeys(name.partition("/")[0] for name in known))
    if paper is not None and paper.lower() not in papers:
        raise click.UsageError(f"no paper {paper}; there are: {', '.join(papers)}")
    for name in names:
        if name.lower() in papers:
            raise click.UsageError(f"{name} is a paper: ppdm prove --paper {name.lower()}")
        if name not in known:
            near = [other for other in known if name.lower() in other]
            near = near or get_close_matches(name.lower(), known, n=5, cutoff=0.5)
            hint = f"did you mean {' or '.join(near)}?" if near else "ppdm prove --list lists them"
            raise click.UsageError(f"no statement {name}; {hint}")
    return [
        statement
        for statement in statements
        if (not names or statement.name in names)
        and (paper is None or statement.name.partition("/")[0] == paper.lower())
    ]


def _graph(decided: Sequence[DecidedStatement], folder: Path | None) -> str:
    """What rests on what: of few statements only what they need."""
    from ppdm_formal.certify.statement import load_definitions, load_statements
    from ppdm_formal.certify.statement.rests_on import RestsOn
    from ppdm_formal.report.parts.proofs import FEW
    from ppdm_formal.report.pictures.rests_on import rests_on_svg

    everything = RestsOn([*load_definitions(folder), *load_statements(folder)])
    outcomes = {found.statement.name: found.outcome for found in decided}
    shown = everything if len(decided) > FEW else everything.needed(list(outcomes))
    return rests_on_svg(shown, outcomes)
