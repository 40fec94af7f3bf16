"""Code tables: SLIM against scikit-mine's on led7 and nursery, and larger data in minutes.

scikit-mine needs an older scikit-learn than this project: PPDM_SCIKIT_MINE names the Python of an
environment with scikit-mine 1.0 and scikit-learn below 1.6. Its code table is measured with the
sizes of this project's, from its usages.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.result import Result, median_seconds
from ppdm_formal.infer.baskets.plain_data import PlainData
from ppdm_formal.tables.generate.code_table import CodeTable, Element
from ppdm_formal.tables.generate.krimp import compress

PEER = """
import json, sys, time
from skmine.itemsets import SLIM
rows = json.load(open(sys.argv[1]))
start = time.perf_counter()
found = SLIM().fit(rows)
taken = time.perf_counter() - start
table = [[sorted(map(int, x)), len(used)] for x, used in found.codetable_.items()]
print(json.dumps([taken, table]))
"""


def measure() -> list[Result]:
    """Against the peer where it is there, and the larger data alone."""
    folder = os.environ.get("PPDM_DATA")
    if folder is None:
        return [Result("code tables", "PPDM_DATA names no folder with data", "", False)]
    compress(PlainData.of([["a", "b"]] * 3), 1, "slim")  # kernels are compiled before
    found = [_against_peer(Path(folder), name) for name in ("led7", "nursery")]
    return [*found, *(_alone(Path(folder), name) for name in ("adult", "pendigits", "letrecog"))]


def _read(folder: Path, name: str) -> PlainData:
    files = [file for file in folder.iterdir() if file.name.lower().startswith(f"{name}.d")]
    return PlainData.read(files[0])


def _against_peer(folder: Path, name: str) -> Result:
    data = _read(folder, name)
    table = compress(data, 1, "slim")
    ours = median_seconds(lambda: compress(data, 1, "slim"), 3)
    python = os.environ.get("PPDM_SCIKIT_MINE")
    question = f"SLIM on {name}, against scikit-mine"
    target = "20 times faster, a ratio no worse by a point"
    if python is None:
        return Result(question, f"{ours:.2f} s, {table.ratio():.1%}; no peer", target, False)
    offsets, items = data.rows.offsets.tolist(), data.rows.items.tolist()
    rows = [items[a:b] for a, b in pairwise(offsets)]
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(rows, file)
        file.flush()
        done = subprocess.run(
            [python, "-W", "ignore", "-c", PEER, file.name], capture_output=True, check=True
        )
    theirs, peer = json.loads(done.stdout)
    counts = data.rows.item_counts().tolist()
    known = {tuple(items): used for items, used in peer}
    singles = {(item,): known.pop((item,), 0) for item in range(len(data.labels))}
    elements = [Element(items, 0, used) for items, used in known.items()]
    elements += [Element((i,), counts[i], used) for (i,), used in singles.items()]
    ratio = CodeTable(data.labels, tuple(elements), len(data.rows)).ratio()
    return Result(
        question,
        f"{ours:.2f} s and {table.ratio():.2%}, against {theirs:.1f} s and {ratio:.2%}: "
        f"{theirs / ours:.0f} times faster",
        target,
        theirs >= 20 * ours and table.ratio() <= ratio + 0.01,
    )


def _alone(folder: Path, name: str) -> Result:
    data = _read(folder, name)
    start = time.perf_counter()
    table = compress(data, 1, "slim")
    taken = time.perf_counter() - start
    return Result(
        f"SLIM on {name}", f"{taken:.0f} s, {table.ratio():.1%}", "5 minutes", taken < 300
    )
