"""The dask engine: the same numbers as the local one, also where workers die."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import fields

import numpy as np
import pytest
from how_many import MANY
from plan_cases import group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.infer.baskets import chunks, dask_engine
from ppdm_formal.infer.baskets.dask_engine import DaskEngine
from ppdm_formal.infer.baskets.randomized import mine_release
from ppdm_formal.run import cluster as clusters
from ppdm_formal.run import parquet_baskets
from ppdm_formal.run.cluster import ClusterError
from ppdm_formal.run.compress import wire_parquet
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

DRAW = np.random.default_rng(11)
SHOP = [sorted(DRAW.permutation(8)[: 1 + k % 3].tolist()) for k in range(4000)]
LAW = {"insert": "1/8", "gamma": 60}
PLAN = plan(
    group("items", "2/3", cutoff=1, **LAW),
    group("pairs", "1/3", (2, 3), 2, **LAW),
    items=8,
    itemsets=3,
    rho2="80%",
)
LEAST = ("2%", "10%")
"""Support and confidence: a pair is in 5% of the baskets, and many are sure to be in 2%."""


@pytest.fixture(scope="module")
def client():
    """Two workers in processes of their own, without certificates, so that others can connect."""
    made = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    with made, distributed.Client(made) as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Releases in Parquet with small row groups: lists, seeds, and lists in two files."""
    found = tmp_path_factory.mktemp("shop")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_baskets, "ROW_GROUP_ITEMS", 400)
        patch.setattr(wire_parquet, "ROW_GROUP", 150)
        for name, rows, more in (
            ("lists", SHOP, []),
            ("seeds", SHOP, ["--compress"]),
            ("first", SHOP[:1500], []),
            ("second", SHOP[1500:], []),
        ):
            shop = found / "shop.dat"
            shop.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
            options = ["--plan", str(write(found, PLAN)), "--simulate", "1", *more]
            out = found / f"{name}.parquet"
            assert run(["randomize", str(shop), "-o", str(out), *options]) == 0
    return found


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_ROWS", 200)


def releases(folder, *names):
    return [Release.read(folder / f"{name}.parquet") for name in names]


def same(one, other):
    """All that was estimated, of sets that are pursued and not listed as well."""
    assert list(one.itemsets()) == list(other.itemsets())
    assert list(one.rules()) == list(other.rules())
    assert list(one.links()) == list(other.links())
    assert one.seen == other.seen
    for part in fields(one.estimates):
        assert np.array_equal(
            getattr(one.estimates, part.name), getattr(other.estimates, part.name)
        )
    assert len(one) > 10


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        (("lists",), True),
        (("seeds",), False),
        (("first", "second"), True),
        *([(("lists",), False), (("seeds",), True), (("first", "second"), False)] if MANY else []),
    ],
)
def test_the_same_numbers_as_the_local_engine(folder, client, small, names, kept, monkeypatch):
    if not kept:
        monkeypatch.setattr(dask_engine, "KEPT_SHARE", 0.0)
        monkeypatch.setattr(dask_engine, "MEMORY", 0)
    files = releases(folder, *names)

    def engine(layout):
        assert len(layout.chunks) >= 5
        return DaskEngine(layout, client)

    same(mine_release(files, *LEAST, engine=engine), mine_release(files, *LEAST))


def test_a_worker_that_dies_costs_nothing_but_time(folder, client, small):
    """Both workers are killed in turn while pairs are counted; their columns are made again."""
    files = releases(folder, "seeds")
    workers, killed = list(client.run(os.getpid).values()), []

    class Deadly(DaskEngine):
        def count(self, candidates, numbers):
            for place, found in enumerate(super().count(candidates, numbers)):
                if place in (1, 3) and workers:
                    killed.append(workers.pop())
                    os.kill(killed[-1], signal.SIGKILL)
                yield found

    found = mine_release(files, *LEAST, engine=lambda layout: Deadly(layout, client))
    assert len(killed) == 2
    same(found, mine_release(files, *LEAST))
    client.wait_for_workers(2, timeout=60)


def test_what_workers_see_is_checked(folder, client, small, tmp_path):
    """Errors of tasks reach the user as they are."""
    for name in ("lists.parquet", "lists.parquet.release.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    release = Release.read(tmp_path / "lists.parquet")

    def engine(layout):
        (tmp_path / "lists.parquet").unlink()
        return DaskEngine(layout, client)

    with pytest.raises(ReleaseError, match="files must be shared"):
        mine_release(release, "5%", engine=engine)


def test_only_parquet_is_read_by_workers(folder, client, tmp_path):
    out = tmp_path / "out.dat"
    options = ["--plan", str(write(tmp_path, PLAN)), "--simulate", "1"]
    assert run(["randomize", str(folder / "shop.dat"), "-o", str(out), *options]) == 0
    with pytest.raises(ClusterError, match=r"randomize to a file named \.parquet"):
        mine_release(Release.read(out), "5%", engine=lambda layout: DaskEngine(layout, client))


def test_the_command(folder, client, small, tmp_path, capsys):
    source = str(folder / "lists.parquet")
    asked = ["mine", source, "--min-support", "5%", "--min-confidence", "10%", "--json"]
    assert run([*asked, str(tmp_path / "local.json")]) == 0
    address = client.scheduler.address
    state = tmp_path / "state"
    cluster = ["--engine", "dask", "--scheduler", address, "--resume", str(state)]
    assert run([*asked, str(tmp_path / "dask.json"), *cluster]) == 0
    assert (tmp_path / "local.json").read_bytes() == (tmp_path / "dask.json").read_bytes()
    assert json.loads((tmp_path / "dask.json").read_text())["itemsets"]
    assert not state.exists()
    assert client.run(os.getpid)  # somebody else's cluster is left as it was


def test_no_cluster(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1)
    source = str(folder / "lists.parquet")
    out = tmp_path / "out.json"
    asked = ["mine", source, "--min-support", "5%", "--json", str(out), "--engine", "dask"]
    for address in ("tcp://127.0.0.1:9", "nowhere", ""):
        assert run([*asked, "--scheduler", address]) == 2
        assert f"no scheduler at {address}" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("deaths", [1, 9])
def test_a_worker_that_dies_while_it_starts(folder, tmp_path, deaths):
    """Once: the cluster is started again. Always: that is said, and nothing is written."""
    (tmp_path / "die.py").write_text(
        "import os, pathlib, tempfile\n"
        f"folder = pathlib.Path({str(tmp_path)!r})\n"
        f"if len(list(folder.glob('dead-*'))) < {deaths}:\n"
        "    tempfile.mkstemp(prefix='dead-', dir=folder)\n"
        "    os._exit(1)\n"
    )
    source, out = str(folder / "lists.parquet"), tmp_path / "out.json"
    asked = ["mine", source, "--min-support", "5%", "--json", str(out), "--engine", "dask"]
    (tmp_path / "mine.py").write_text(  # alone: clusters of other tests share a process's loop
        "import sys, dask\n"
        "from ppdm_formal.cli import run\n"
        "from ppdm_formal.run import cluster\n"
        "if __name__ == '__main__':\n"
        "    cluster.processors = lambda: 1\n"
        f"    preload = [{str(tmp_path / 'die.py')!r}]\n"
        "    with dask.config.set({'distributed.worker.preload': preload}):\n"
        f"        sys.exit(run({asked!r}))\n"
    )
    done = subprocess.run(
        [sys.executable, str(tmp_path / "mine.py")], capture_output=True, text=True, check=False
    )
    said = done.stderr
    assert "Traceback" not in said
    assert done.returncode == (0 if deaths == 1 else 2), said
    assert out.exists() == (deaths == 1)
    assert ("a worker died while it started" in said) == (deaths > 1)
    assert len(list(tmp_path.glob("dead-*"))) == min(deaths, clusters.STARTS)
