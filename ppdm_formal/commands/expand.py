"""ppdm expand: write the transactions that seeds stand for."""

from __future__ import annotations

from pathlib import Path

import click

from ppdm_formal.commands._options import announced, progress_bar
from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.report.words.counted import counted

SHOWN = Shown("collect", "Write out transactions that were sent as seeds.")


@click.command("expand")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option("-o", "target", metavar="OUT", type=click.Path(path_type=Path), required=True)
@click.option("--plan", type=click.Path(path_type=Path), help="Refuse seeds of any other plan.")
@writes_result
def command(source: Path, target: Path, plan: Path | None, out: Outputs) -> Answer:
    """Write the transactions of FILE, seeds of ppdm randomize --compress, to OUT.

    OUT is .dat, .csv (also with .gz or .xz) or .parquet, and gets a release description of its
    own. Nothing becomes less private: a transaction follows from its seed.
    """
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.run.basket_files import BasketFile
    from ppdm_formal.run.compress.expand_release import expand_release
    from ppdm_formal.run.errors import ReleaseError
    from ppdm_formal.run.release import SUFFIX, Release
    from ppdm_formal.run.streams import sha256_of

    written = BasketFile.named(target)
    out.check([source, plan], str(target), f"{target}{SUFFIX}")
    release = Release.read(source)
    found = release.transactions
    if found is None or not release.sent_seeds:
        raise ReleaseError(f"{source}: holds no seeds: ppdm randomize --compress writes them")
    if plan is not None and sha256_of(plan) != found.plan.sha256:
        raise ReleaseError(f"{source}: drawn for another plan than {plan} ({found.plan.file})")
    with ended_cleanly(), progress_bar(f"expanding {source.name}") as say:
        expanded = expand_release(release, written, say, announced)
    rows = counted(expanded.tally.rows_out, "randomized transaction")
    out.say(f"Wrote {target} ({rows}) and {target.name}{SUFFIX}")
    return Answer(expanded, said=True)
