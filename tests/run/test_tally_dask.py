"""The tally by a cluster: the counts of one process, also where a worker dies on the way."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.infer.tables import tally_dask
from ppdm_formal.infer.tables.tally import sources_of, tally
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.report_columns import to_arrow

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of ports and sockets that others hold


def dying(text: str, groups: tuple[int, ...] | None, mark: str):
    """Counts a part; the first to come here dies with its process before it is done."""
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return tally_dask.on_worker(text, groups)
    os._exit(1)


def test_a_worker_that_dies_changes_no_count(tmp_path, monkeypatch):
    from ppdm_formal.run.cluster import cluster

    mark = tmp_path / "died"
    paths = {}
    for operator in (
        unary_encoding(300, epsilon=1, name="U"),
        randomized_response(9, "1/2", name="K"),
    ):
        for number in range(4):
            path = tmp_path / f"{operator.name}{number}.parquet"
            drawn = operator.law.draw_batch(np.arange(2000) % operator.inputs.size, Keystream())
            column = pa.array(drawn) if operator.name == "K" else to_arrow(operator.report, drawn)
            pq.write_table(pa.table({"r": column}), path)
            paths.setdefault(operator, []).append(path)

    class Dying:
        """Hands out tasks that may kill their worker."""

        def __init__(self, client):
            self.client = client

        def submit(self, function, text, groups, **options):
            return self.client.submit(dying, text, groups, str(mark), **options)

    with cluster(None) as client:
        client.run(lambda: None)
        client.upload_file(str(Path(__file__)))
        for operator, files in paths.items():
            alone = tally(sources_of(files, operator))
            found = tally(sources_of(files, operator), tally_dask.DaskTally(Dying(client)))
            assert found.rows == alone.rows == 8000
            assert found.to_json() == alone.to_json()
    assert mark.exists()
