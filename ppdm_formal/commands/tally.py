"""ppdm tally: count the reports of many files, so that counts can be merged and estimated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._bare_reports import bare_operator, bare_options
from ppdm_formal.commands._options import progress_steps
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.machine.files import text_writer

if TYPE_CHECKING:
    from ppdm_formal.infer.tables.tally import TallyEngine

SHOWN = Shown("analyse", "Count reports: counts that merge.")


@click.command("tally")
@click.argument("sources", metavar="FILE...", type=click.Path(path_type=Path), nargs=-1)
@click.option("-o", "target", metavar="FILE", required=True, help="Write the counts there.")
@bare_options
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Who counts: this process, or the workers of a cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="The cluster's; without it, one is started.")
@click.option(
    "--follow",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Go on with new files of a folder, rewriting the counts and the estimate.",
)
@click.option("--estimate", metavar="FILE", help="With --follow: write the estimate's JSON there.")
@click.option(
    "--every",
    type=click.FloatRange(0.1),
    default=2.0,
    show_default=True,
    help="Seconds between looks.",
)
@writes_result
def command(
    sources: tuple[Path, ...],
    target: str,
    model: Path | None,
    operator: str | None,
    values: Sequence[tuple[str, Any]],
    reports: tuple[Path, ...],
    column: str | None,
    engine: str,
    scheduler: str | None,
    follow: Path | None,
    estimate: str | None,
    every: float,
    out: Outputs,
) -> Answer:
    """Count the reports in FILE... and write counts that can be merged (ppdm-counts/1).

    FILE is a release of ppdm randomize or ppdm collect, or a file of counts. With --model and
    --operator, --reports names files of bare reports: CSV, Parquet or JSON lines. A file that is
    given twice is refused, whatever its name. ppdm estimate reads what is written, also together
    with other counts and releases of the same operators.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.infer.tables.tally import sources_of, tally

    if scheduler is not None and engine != "dask":
        raise click.UsageError("--scheduler is for --engine dask")
    if estimate is not None and follow is None:
        raise click.UsageError("--estimate is for --follow; ppdm estimate reads what is written")
    known = bare_operator(model, operator, values, reports, column)
    if follow is not None:
        if sources or reports or engine != "local":
            raise click.UsageError(
                "--follow DIR takes no files and no engine: it counts those of DIR"
            )
        return _follow(follow, target, estimate, every, known, column, out)
    if not sources and not reports:
        raise click.UsageError("name at least one FILE, or --reports FILE with --model")
    out.check([*sources, *reports], target)
    with ended_cleanly(), progress_steps() as (say, share), _engine(engine, scheduler, say) as made:
        try:
            say("reading")
            found = sources_of(sources)
            if known is not None:
                found += sources_of(reports, known, column)
            say("counting")
            counted = tally(found, made, share)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
    return Answer(counted, files=[(target, text_writer(lambda: [counted.text()]))])


@contextmanager
def _engine(name: str, scheduler: str | None, say: Any) -> Iterator[TallyEngine | None]:
    """Who counts; a cluster that was started here is gone afterwards."""
    if name == "local":
        yield None
        return
    from ppdm_formal.infer.tables.tally_dask import DaskTally
    from ppdm_formal.run.cluster import cluster

    say("starting workers" if scheduler is None else f"connecting to {scheduler}")
    with cluster(scheduler) as client:
        yield DaskTally(client)


def _follow(
    folder: Path,
    target: str,
    estimate: str | None,
    every: float,
    operator: Any,
    column: str | None,
    out: Outputs,
) -> Answer:
    """Until it is interrupted; what was counted is in the files at any time."""
    import time

    from ppdm_formal.infer.tables.followed import Followed

    if not folder.is_dir():
        raise click.UsageError(f"{folder} is no folder")
    out.check([], target, estimate)
    followed = Followed(
        folder, Path(target), None if estimate is None else Path(estimate), operator, column
    )
    try:
        while True:
            for line in followed.look():
                out.say(line)
            time.sleep(every)
    except KeyboardInterrupt:
        if followed.counted is None:
            raise click.ClickException(f"{folder}: no file was counted") from None
        return Answer(followed.counted)
