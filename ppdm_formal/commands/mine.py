"""ppdm mine: frequent itemsets and association rules of transactions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from ppdm_formal.commands._options import NumberType, check_outputs, progress, say_written
from ppdm_formal.files import write_text, written_together

if TYPE_CHECKING:
    from ppdm_formal.run.mine.mined import Mined
    from ppdm_formal.run.mine.threshold import Threshold


class ThresholdType(click.ParamType[Any]):
    """A least support: 0.5%, 0.005 or 1/200 as a share, 50 as a count."""

    name = "SUPPORT"

    def convert(self, value: Any, param: Any, ctx: Any) -> Threshold:
        """Read it exactly."""
        from ppdm_formal.run.mine.threshold import Threshold

        try:
            return Threshold.of(value)
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


@click.command("mine")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--plain", is_flag=True, help="FILE holds original transactions: count exactly.")
@click.option(
    "--min-support",
    type=ThresholdType(),
    required=True,
    help="Least support: a share such as 0.5%, or a count such as 50.",
)
@click.option("--min-confidence", type=NumberType(), help="Also rules, of that confidence or more.")
@click.option("--max-size", type=click.IntRange(1), help="Largest itemsets to look for.")
@click.option("--column", metavar="COLUMN", help="The list column of a Parquet file.")
@click.option("--json", "json_file", metavar="FILE|-", help="Write everything as JSON.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write itemsets (and FILE's .rules.csv).")
@click.option("--parquet", "parquet_file", metavar="FILE", help="The same as Parquet.")
def command(
    source: Path,
    plain: bool,
    min_support: Threshold,
    min_confidence: Any,
    max_size: int | None,
    column: str | None,
    json_file: str | None,
    csv_file: str | None,
    parquet_file: str | None,
) -> int:
    """Find the itemsets that many transactions of FILE hold, and rules between them.

    FILE is .dat (FIMI), .csv or .parquet; its items need not be listed anywhere. With --csv
    out.csv and --min-confidence, rules go to out.rules.csv beside it; Parquet likewise.
    """
    from ppdm_formal.interrupts import ended_cleanly
    from ppdm_formal.report.formats.terminal import console, print_document
    from ppdm_formal.report.parts.mined import mined_document
    from ppdm_formal.run.mine.plain import mine_plain

    if not plain:
        raise click.UsageError(
            "randomized releases are not mined yet; for original transactions say --plain"
        )
    for target in (csv_file, parquet_file):
        if target == "-":
            raise click.UsageError("only --json can go to standard output (-)")
    targets = _targets(json_file, csv_file, parquet_file, rules=min_confidence is not None)
    check_outputs(list(targets), [source])
    with ended_cleanly(), progress() as say:
        try:
            found = mine_plain(
                source, min_support, min_confidence, max_size, column=column, say=say
            )
        except ValueError as problem:
            raise click.ClickException(str(problem)) from None
        say("writing")
        _write(targets, found, source.name)
    if json_file != "-":
        print_document(mined_document(found, source.name), console())
    say_written(list(targets))
    return 0


Writer = Callable[["Mined", str, IO[bytes]], None]


def _targets(
    json_file: str | None, csv_file: str | None, parquet_file: str | None, *, rules: bool
) -> dict[str, Writer]:
    """The files to write, and what writes each."""
    from ppdm_formal.report.formats import mine_files as write

    def text(parts: Callable[[Mined, str], Iterator[str]]) -> Writer:
        def into(found: Mined, name: str, raw: IO[bytes]) -> None:
            for part in parts(found, name):
                raw.write(part.encode())

        return into

    wanted: list[tuple[str | None, Writer]] = [
        (json_file, text(write.mined_json)),
        (csv_file, text(lambda found, _: write.itemsets_csv(found))),
        (parquet_file, lambda found, _, raw: write.itemsets_parquet(found, raw)),
    ]
    if rules:
        wanted += [
            (_beside(csv_file), text(lambda found, _: write.rules_csv(found))),
            (_beside(parquet_file), lambda found, _, raw: write.rules_parquet(found, raw)),
        ]
    named = [target for target, _ in wanted if target is not None]
    check_outputs(named, [])
    return {target: writer for target, writer in wanted if target is not None}


def _beside(target: str | None) -> str | None:
    """The file of the rules: out.rules.csv for out.csv."""
    if target is None:
        return None
    path = Path(target)
    return str(path.with_name(f"{path.stem}.rules{path.suffix}"))


def _write(targets: dict[str, Writer], found: Mined, name: str) -> None:
    """All files appear together, or none."""
    from ppdm_formal.report.formats.mine_files import mined_json

    files = [target for target in targets if target != "-"]
    with written_together(*map(Path, files)) as opened:
        for target, raw in zip(files, opened, strict=True):
            targets[target](found, name, raw)
    if "-" in targets:
        write_text("-", "".join(mined_json(found, name)))
