"""From a release to the density of a number before it was randomized."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import Method
from ppdm_formal.infer.reals.of_operator import reconstruct_operator
from ppdm_formal.infer.reals.result import Reconstruction, ReleaseFacts
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release


def only_column(release: Release) -> str:
    """The name of the one randomized column; ReleaseError where there are several or none."""
    names = [column.name for column in release.columns]
    if len(names) != 1:
        known = ", ".join(names) or "none, it holds transactions"
        raise ReleaseError(f"say which randomized column is meant (there are: {known})")
    return names[0]


def reconstruct_release(
    source: Release | Path | str,
    column: str | None = None,
    cells: Partition | None = None,
    rule: Rule | None = None,
    *,
    method: Method = "em",
    family: str | None = None,
    accelerate: bool = False,
) -> Reconstruction:
    """The density of x in a randomized column, by the exact law that the release describes.

    ReleaseError for what is amiss with the release; ValueError for an operator whose values are no
    equally spaced numbers, and for cells that do not fit it.
    """
    release = source if isinstance(source, Release) else Release.read(source)
    name = only_column(release) if column is None else column
    described = release.column(name)
    facts = ReleaseFacts(
        "" if release.path is None else release.path.name,
        str(release.to_json()["sha256"]),
        tuple(f"{claim.verdict}: {claim.text}" for claim in described.claims),
        release.simulated,
    )
    counts = release.counts([name]).astype(np.float64)
    return reconstruct_operator(
        counts,
        described.operator,
        cells,
        rule,
        method=method,
        family=family,
        accelerate=accelerate,
        release=facts,
    )
