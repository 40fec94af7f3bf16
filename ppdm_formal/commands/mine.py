"""ppdm mine: frequent itemsets and association rules of transactions, randomized or plain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import (
    NumberType,
    ThresholdType,
    check_outputs,
    progress_steps,
    say_written,
)
from ppdm_formal.commands._shown import Shown
from ppdm_formal.files import write_text, written_together

if TYPE_CHECKING:
    from ppdm_formal.report.parts.blocks import Document
    from ppdm_formal.run.mine.compare import Compared
    from ppdm_formal.run.mine.ledger import Ledger
    from ppdm_formal.run.mine.mined import Mined
    from ppdm_formal.run.mine.randomized import MinedRelease
    from ppdm_formal.run.mine.release_counts import MakeEngine


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
@click.option("--json", "json_file", metavar="FILE|-", help="Write everything as JSON.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write itemsets (and FILE's .rules.csv).")
@click.option("--parquet", "parquet_file", metavar="FILE", help="The same as Parquet.")
@click.option("--html", "html_file", metavar="FILE|-", help="Write the tables as a page.")
def command(
    sources: tuple[Path, ...],
    plain: bool,
    truth: tuple[Path, ...],
    column: str | None,
    engine: str,
    scheduler: str | None,
    resume: Path | None,
    json_file: str | None,
    csv_file: str | None,
    parquet_file: str | None,
    html_file: str | None,
    **asked: Any,
) -> int:
    """Find the itemsets that many transactions of FILE hold, and rules between them.

    FILE is a release that ppdm randomize wrote, or several of one plan (of a plan of two phases:
    those of both), or with --plain original transactions: .dat (FIMI), .csv or .parquet. Supports
    are estimated from releases, with standard errors. With --csv out.csv and --min-confidence,
    rules go to out.rules.csv beside it; Parquet likewise.
    """
    from ppdm_formal.interrupts import ended_cleanly
    from ppdm_formal.report.formats.terminal import console, print_document

    _check_options(plain, truth, column, engine, scheduler, resume, asked)
    if "-" in (csv_file, parquet_file):
        raise click.UsageError("only --json and --html can go to standard output (-)")
    rules = asked["min_confidence"] is not None
    tables = [(csv_file, "csv", False), (parquet_file, "parquet", False)]
    if rules:
        tables += [(_beside(name), kind, True) for name, kind, _ in tables]
    targets = [json_file, html_file, *(name for name, _, _ in tables)]
    state = None if resume is None else str(resume)
    check_outputs([*targets, state], [*sources, *truth, *_beside_data(sources)])
    names, shown_as = [source.name for source in sources], _together(sources)
    with ended_cleanly(), progress_steps() as shown, _resumable(resume) as ledger:
        say, share = shown
        asked |= {"say": say, "share": share}
        found: Mined | MinedRelease
        compared = None
        try:
            if plain:
                asked.pop("lowered")
                found = _plain(sources, column, asked)
            else:
                with _engine(engine, scheduler, say) as made:
                    asked |= {"ledger": ledger, "engine": made}
                    found, compared = _release(sources, truth, column, asked)
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
        say("writing")
        outputs = [(json_file, "json", False), (html_file, "html", False), *tables]
        _write(found, compared, names, outputs, shown_as)
    if "-" not in (json_file, html_file):
        print_document(_document(found, compared, shown_as, pictures=False), console())
    say_written(targets)
    return 0


def _check_options(
    plain: bool,
    truth: Sequence[Path],
    column: str | None,
    engine: str,
    scheduler: str | None,
    resume: Path | None,
    asked: Any,
) -> None:
    if plain and (truth or asked["lowered"] is not None):
        raise click.UsageError("--truth and --lowered are for releases, not for --plain")
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
    from ppdm_formal.run.mine.ledger import Ledger

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
    from ppdm_formal.run.mine.dask_engine import DaskEngine, cluster

    say("starting workers" if scheduler is None else f"connecting to {scheduler}")
    with cluster(scheduler) as client:
        yield lambda layout: DaskEngine(layout, client)


def _plain(sources: Sequence[Path], column: str | None, asked: Any) -> Mined:
    from ppdm_formal.run.mine.plain import mine_plain
    from ppdm_formal.run.mine.plain_data import PlainData

    asked["say"]("reading " + _together(sources))
    return mine_plain(PlainData.read(sources, column, asked["share"]), **asked)


def _release(
    sources: Sequence[Path], truth: Sequence[Path], column: str | None, asked: Any
) -> tuple[MinedRelease, Compared | None]:
    from ppdm_formal.run.errors import ReleaseError
    from ppdm_formal.run.mine.compare import compared
    from ppdm_formal.run.mine.plain_data import PlainData
    from ppdm_formal.run.mine.randomized import mine_release
    from ppdm_formal.run.release import Release

    asked["say"]("reading " + _together(sources))
    try:
        releases = [Release.read(source) for source in sources]
    except ReleaseError as problem:
        if "is missing" in str(problem):
            raise ReleaseError(f"{problem}; original transactions need --plain") from None
        raise
    original = PlainData.read(truth, column) if truth else None
    if asked["lowered"] is None:
        asked.pop("lowered")
    found = mine_release(releases, **asked)
    against = None
    if original is not None:
        asked["say"]("comparing with the original transactions")
        against = compared(found, original)
    return found, against


def _document(
    found: Mined | MinedRelease, compared: Compared | None, name: str, *, pictures: bool
) -> Document:
    from ppdm_formal.report.parts.mined import mined_document
    from ppdm_formal.report.parts.mined_release import release_document
    from ppdm_formal.run.mine.mined import Mined

    if isinstance(found, Mined):
        return mined_document(found, name, pictures=pictures)
    return release_document(found, name, compared, pictures=pictures)


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


def _write(
    found: Mined | MinedRelease,
    compared: Compared | None,
    names: Sequence[str],
    outputs: Sequence[tuple[str | None, str, bool]],
    shown_as: str,
) -> None:
    """All files appear together, or none; then what goes to standard output."""
    from ppdm_formal.report.formats import mine_files
    from ppdm_formal.report.formats.html import document_html

    def text(kind: str, rules: bool) -> Iterable[str]:
        if kind == "json":
            return mine_files.mined_json(found, names, compared)
        if kind == "html":
            return [document_html(_document(found, compared, shown_as, pictures=True))]
        return mine_files.mined_csv(found, rules=rules)

    files = [(name, kind, rules) for name, kind, rules in outputs if name not in (None, "-")]
    with written_together(*(Path(str(name)) for name, _, _ in files)) as opened:
        for (_, kind, rules), raw in zip(files, opened, strict=True):
            if kind == "parquet":
                mine_files.mined_parquet(found, raw, rules=rules)
            else:
                _write_text(raw, text(kind, rules))
    for name, kind, rules in outputs:
        if name == "-":
            write_text("-", "".join(text(kind, rules)))


def _write_text(raw: IO[bytes], parts: Iterable[str]) -> None:
    for part in parts:
        raw.write(part.encode())
