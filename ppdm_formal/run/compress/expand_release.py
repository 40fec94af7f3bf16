"""A release of seeds written out: the same reports as lists of items, with their description."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ppdm_formal.declare.machine.files import written_together
from ppdm_formal.run.basket_files import BasketFile, create_baskets
from ppdm_formal.run.foretold import Foretold, silent
from ppdm_formal.run.release import SUFFIX, DataFile, Release, report_items
from ppdm_formal.run.table_release import described


def expand_release(
    release: Release,
    target: BasketFile,
    say: Callable[[float], None] = lambda _: None,
    announce: Callable[[str], None] = silent,
) -> Release:
    """Write the transactions of seeds into a file and its description; both appear, or neither.

    The description keeps the generators: only so many items together are independent.
    """
    assert release.transactions is not None
    foretold = Foretold(target.path, release.path or target.path, announce)
    beside = Path(f"{target.path}{SUFFIX}")
    expanded = replace(
        release, data=DataFile(target.path.name, target.format, target.compression), path=None
    )
    done = 0
    with written_together(target.path, beside) as [data, description]:
        with create_baskets(target, data, report_items(release.transactions)) as writer:
            for group, part, baskets in release.baskets():
                writer.write(group.name, part.size, baskets)
                done += len(baskets)
                foretold.look(done, data.tell(), release.tally.rows_out)
                say(done / max(1, release.tally.rows_out))
            writer.finish(expanded.metadata)
        return described(expanded, data, description)
