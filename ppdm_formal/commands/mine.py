"""ppdm mine: frequent itemsets and association rules of transactions, randomized or plain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import (
    NumberType,
    ThresholdType,
    progress_steps,
)
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.machine.files import Writer, text_writer

if TYPE_CHECKING:
    from ppdm_formal.infer.baskets.ledger import Ledger
    from ppdm_formal.infer.baskets.mined import Mined
    from ppdm_formal.infer.baskets.mined_rounds import MinedRounds
    from ppdm_formal.infer.baskets.randomized import MinedRelease
    from ppdm_formal.infer.baskets.release_counts import MakeEngine


SHOWN = Shown("analyse", "Find frequent itemsets and rules.", 2)


@click.command("mine")
@click.argument(
    "sources", metavar="FILE...", type=click.Path(path_type=Path), nargs=-1, required=True
)
@click.option("--plain", is_flag=True, help="FILE holds original transactions: count exactly.")
@click.option(
    "--min-support",
    type=ThresholdType(),
    required=True,
    help="Least support: a share such as 0.5%, or a count such as 50.",
)
@click.option("--min-confidence", type=NumberType(), help="Also rules, of that confidence or more.")
@click.option("--max-size", type=click.IntRange(1), help="Largest itemsets to look for.")
@click.option(
    "--lowered",
    type=click.FloatRange(0, 100),
    help="Pursue sets from so many standard errors below the least support on.  [default: 1]",
)
@click.option(
    "--false-discoveries",
    type=ThresholdType(),
    help="Of a list, on average at most that share is below the least support.  [default: 5%]",
)
@click.option(
    "--truth",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Compare with original transactions.",
)
@click.option("--column", metavar="COLUMN", help="The list column of plain or original Parquet.")
@click.option(
    "--engine",
    type=click.Choice(["local", "dask"]),
    default="local",
    show_default=True,
    help="Who counts: this process, or the workers of a cluster.",
)
@click.option("--scheduler", metavar="ADDRESS", help="The cluster's; without it, one is started.")
@click.option(
    "--resume",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Keep what has been counted in FILE, and go on from it; removed at the end.",
)
@click.option("--csv", "csv_file", metavar="FILE", help="Write itemsets (and FILE's .rules.csv).")
@click.option("--parquet", "parquet_file", metavar="FILE", help="The same as Parquet.")
@writes_result
def command(
    sources: tuple[Path, ...],
    plain: bool,
    truth: tuple[Path, ...],
    column: str | None,
    engine: str,
    scheduler: str | None,
    resume: Path | None,
    csv_file: str | None,
    parquet_file: str | None,
    out: Outputs,
    **asked: Any,
) -> Answer:
    """Find the itemsets that many transactions of FILE hold, and rules between them.

    FILE is a release that ppdm randomize wrote, or several of one plan (of a plan of two phases:
    those of both), or with --plain original transactions: .dat (FIMI), .csv or .parquet. Supports
    are estimated from releases, with standard errors. With --csv out.csv and --min-confidence,
    rules go to out.rules.csv beside it; Parquet likewise.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly

    _check_options(plain, truth, column, engine, scheduler, resume, asked)
    if "-" in (csv_file, parquet_file):
        raise click.UsageError("only --json, --html and --markdown can go to standard output (-)")
    tables = [(csv_file, "csv", False), (parquet_file, "parquet", False)]
    if asked["min_confidence"] is not None:
        tables += [(_beside(name), kind, True) for name, kind, _ in tables]
    targets = [name for name, _, _ in tables]
    state = None if resume is None else str(resume)
    read = [*sources, *truth, *_beside_data(sources)]
    out.check(read, *targets, state)
    out.check(read, *targets)
    with ended_cleanly(), progress_steps() as shown, _resumable(resume) as ledger:
        say, share = shown
        asked |= {"say": say, "share": share}
        found: Mined | MinedRelease | MinedRounds
        try:
            if plain:
                asked.pop("lowered")
                asked.pop("false_discoveries")
                found = _plain(sources, column, asked)
            else:
                with _engine(engine, scheduler, say) as made:
                    asked |= {"ledger": ledger, "engine": made}
                    found = _release(sources, truth, column, asked)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
        say("writing")
        found = replace(found, files=tuple(source.name for source in sources))
        answer = Answer(found, files=[_table(found, *one) for one in tables])
        out.write(answer)  # while what was counted is kept
    return answer


def _check_options(
    plain: bool,
    truth: Sequence[Path],
    column: str | None,
    engine: str,
    scheduler: str | None,
    resume: Path | None,
    asked: Any,
) -> None:
    told = [name for name in ("lowered", "false_discoveries") if asked[name] is not None]
    if plain and (truth or told):
        raise click.UsageError(
            "--truth, --lowered and --false-discoveries are for releases, not for --plain"
        )
    if plain and (engine != "local" or resume is not None):
        raise click.UsageError("--engine and --resume are for releases, not for --plain")
    if scheduler is not None and engine != "dask":
        raise click.UsageError("--scheduler is for --engine dask")
    if not plain and not truth and column is not None:
        raise click.UsageError("--column is for original transactions (--plain, --truth)")


def _beside_data(sources: Sequence[Path]) -> list[Path]:
    from ppdm_formal.run.release import SUFFIX

    return [Path(f"{source}{SUFFIX}") for source in sources]


@contextmanager
def _resumable(path: Path | None) -> Iterator[Ledger]:
    """Where counts are kept; what was counted is saved where anything goes wrong."""
    from ppdm_formal.infer.baskets.ledger import Ledger

    ledger = Ledger(path)
    try:
        yield ledger
    except BaseException:
        if ledger.save():
            click.echo(f"What has been counted is in {path}: the same command goes on.", err=True)
        raise
    ledger.remove()


@contextmanager
def _engine(name: str, scheduler: str | None, say: Any) -> Iterator[MakeEngine | None]:
    """What makes the engine; a cluster that was started here is gone afterwards."""
    if name == "local":
        yield None
        return
    from ppdm_formal.infer.baskets.dask_engine import DaskEngine
    from ppdm_formal.run.cluster import cluster

    say("starting workers" if scheduler is None else f"connecting to {scheduler}")
    with cluster(scheduler) as client:
        yield lambda layout: DaskEngine(layout, client)


def _plain(sources: Sequence[Path], column: str | None, asked: Any) -> Mined:
    from ppdm_formal.infer.baskets.plain import mine_plain
    from ppdm_formal.infer.baskets.plain_data import PlainData

    asked["say"]("reading " + _together(sources))
    return mine_plain(PlainData.read(sources, column, asked["share"]), **asked)


def _release(
    sources: Sequence[Path], truth: Sequence[Path], column: str | None, asked: Any
) -> MinedRelease | MinedRounds:
    from ppdm_formal.infer.baskets.compare import compared, with_truth
    from ppdm_formal.infer.baskets.mined_rounds import in_rounds, mine_rounds
    from ppdm_formal.infer.baskets.plain_data import PlainData
    from ppdm_formal.infer.baskets.randomized import mine_release
    from ppdm_formal.run.errors import ReleaseError
    from ppdm_formal.run.release import Release

    asked["say"]("reading " + _together(sources))
    try:
        releases = [Release.read(source) for source in sources]
    except ReleaseError as problem:
        if "is missing" in str(problem):
            raise ReleaseError(f"{problem}; original transactions need --plain") from None
        raise
    original = PlainData.read(truth, column) if truth else None
    rate = asked.pop("false_discoveries")
    if rate is not None:
        asked["false_discoveries"] = float(rate.share(1))
    if in_rounds(releases):
        if asked["lowered"] is not None:
            raise click.UsageError("--lowered is not for plans in rounds, which name candidates")
        asked["say"]("estimating")
        names = ("min_support", "min_confidence", "max_size", "false_discoveries")
        told = mine_rounds(releases, **{key: asked[key] for key in names if key in asked})
        return told if original is None else with_truth(told, original)
    if asked["lowered"] is None:
        asked.pop("lowered")
    found = mine_release(releases, **asked)
    if original is None:
        return found
    asked["say"]("comparing with the original transactions")
    return replace(found, truth=compared(found, original))


def _together(sources: Sequence[Path]) -> str:
    """The files for people: by name, if there are few."""
    names = [source.name for source in sources]
    if len(names) > 3:
        return f"{names[0]} and {len(names) - 1} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)


def _beside(target: str | None) -> str | None:
    """The file of the rules: out.rules.csv for out.csv."""
    if target is None:
        return None
    path = Path(target)
    return str(path.with_name(f"{path.stem}.rules{path.suffix}"))


def _table(
    found: Mined | MinedRelease | MinedRounds, target: str | None, kind: str, rules: bool
) -> tuple[str | None, Writer]:
    """A table of itemsets or of rules."""
    from ppdm_formal.infer.baskets import mine_files

    if kind == "parquet":
        return target, lambda raw: mine_files.mined_parquet(found, raw, rules=rules)
    return target, text_writer(lambda: mine_files.mined_csv(found, rules=rules))
