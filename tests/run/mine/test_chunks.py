"""Chunks of files, and several releases as one: all reports are read, each once."""

import numpy as np
import pytest
from plan_cases import group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.infer.baskets import chunks
from ppdm_formal.infer.baskets.chunks import ChunkPart, Layout
from ppdm_formal.infer.baskets.pooled import pooled
from ppdm_formal.infer.baskets.randomized import mine_release
from ppdm_formal.run import parquet_baskets
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.compress import wire_parquet
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release

ITEMS = 6
DRAW = np.random.default_rng(5)
SHOP = [sorted(DRAW.permutation(ITEMS)[: 1 + k % 3].tolist()) for k in range(3000)]
LAW = {"insert": "1/8", "gamma": 60}
PLAN = plan(
    group("items", "2/3", cutoff=1, **LAW),
    group("pairs", "1/3", (2, 3), 2, **LAW),
    itemsets=3,
    rho2="80%",
)
ONE = plan(group("all", cutoff=1, **LAW), itemsets=3, rho2="80%")
FILES = {"out.dat": [], "out.parquet": [], "out.seeds": ["--compress"], "s.parquet": ["--compress"]}


@pytest.fixture
def small(monkeypatch):
    """Chunks and row groups of few rows."""
    monkeypatch.setattr(chunks, "CHUNK_ROWS", 300)
    monkeypatch.setattr(parquet_baskets, "ROW_GROUP_ITEMS", 400)
    monkeypatch.setattr(wire_parquet, "ROW_GROUP", 100)


def randomized(folder, content, name, *more, rows=SHOP, seed=1):
    shop = folder / "shop.dat"
    shop.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    asked = ["-o", str(folder / name), "--plan", str(write(folder, content))]
    assert run(["randomize", str(shop), *asked, "--simulate", str(seed), *more]) == 0
    return Release.read(folder / name)


def layout_of(*releases):
    phases = pooled(releases)
    parts = [
        ChunkPart(number, one, size)
        for number, phase in enumerate(phases)
        for one, size in phase.transactions.parts()
    ]
    return Layout.of(phases, parts), parts


def rows_of(layout, numbers, lifted):
    """{part: reports as lists or seeds}, by chunk."""
    found = {}
    for chunk, pieces in layout.reports(numbers, lifted):
        for part, reports in pieces:
            rows = (
                reports.baskets.lists() if hasattr(reports, "baskets") else reports.seeds.tolist()
            )
            found.setdefault(chunk, {}).setdefault(part, []).extend(rows)
    return found


@pytest.mark.parametrize("name", FILES)
def test_chunks_hold_every_report_once(tmp_path, small, name):
    release = randomized(tmp_path, PLAN, name, *FILES[name])
    layout, parts = layout_of(release)
    assert len(layout.chunks) >= 5
    every = range(len(layout.chunks))
    for lifted in (1, 2):
        truth = {}
        for one, size, reports in release.seeds() if release.sent_seeds else release.baskets():
            if one.lifted == lifted:
                at = next(
                    k
                    for k, part in enumerate(parts)
                    if (part.group.name, part.size.size) == (one.name, size.size)
                )
                rows = reports.lists() if isinstance(reports, Baskets) else reports.tolist()
                truth.setdefault(at, []).extend(rows)
        found = rows_of(layout, every, lifted)
        joined = {}
        for chunk in sorted(found):
            for part, rows in found[chunk].items():
                joined.setdefault(part, []).extend(rows)
            assert {part: len(rows) for part, rows in found[chunk].items()} == layout.rows_of(
                chunk, lifted
            )
        assert joined == truth
        some = [k for k in every if k % 3 == 1]
        assert rows_of(layout, some, lifted) == {k: found[k] for k in some if k in found}


def test_few_chunks_of_many_rows(tmp_path, small, monkeypatch):
    monkeypatch.setattr(chunks, "MOST_CHUNKS", 3)
    for name in ("out.dat", "out.parquet"):
        layout, _ = layout_of(randomized(tmp_path, PLAN, name))
        assert len(layout.chunks) <= 3
        assert [chunk.first for chunk in layout.chunks][1:] == [c.last for c in layout.chunks[:-1]]


def test_a_file_that_another_machine_sees_otherwise(tmp_path, small):
    release = randomized(tmp_path, PLAN, "out.parquet")
    layout, _ = layout_of(release)
    layout.check_file(0)
    randomized(tmp_path, PLAN, "out.parquet", seed=2)
    with pytest.raises(ReleaseError, match="another file, as a worker sees it"):
        layout.check_file(0)
    release.path.unlink()
    with pytest.raises(ReleaseError, match="files must be shared"):
        layout.check_file(0)


@pytest.mark.parametrize("name", FILES)
def test_several_files_are_one_collection(tmp_path, small, name):
    """The estimator is a mean over clients: that of both files is the mean of the two."""
    more = FILES[name]
    both = []
    for place, rows in enumerate((SHOP[:1000], SHOP[1000:])):
        folder = tmp_path / str(place)
        folder.mkdir()
        both.append(randomized(folder, ONE, name, *more, rows=rows, seed=place))
    found = mine_release(both, "10%", lowered=0)
    assert found.transactions == len(SHOP)
    parts = [mine_release(one, 1, lowered=100) for one in both]
    supports = [{one.items: one for one in part.itemsets()} for part in parts]
    checked = 0
    for one in found.itemsets():
        if all(one.items in known for known in supports):
            first, second = (known[one.items] for known in supports)
            assert one.support == pytest.approx((first.support + 2 * second.support) / 3)
            error = (first.se**2 + 4 * second.se**2) ** 0.5 / 3
            assert one.se == pytest.approx(error, rel=0.05)
            checked += 1
    assert checked >= ITEMS


def test_releases_that_are_no_collection(tmp_path):
    one = randomized(tmp_path, ONE, "one.dat")
    again = tmp_path / "again.dat"
    again.write_bytes(one.path.read_bytes())
    text = (tmp_path / "one.dat.release.json").read_text()
    (tmp_path / "again.dat.release.json").write_text(text)
    with pytest.raises(ReleaseError, match=r"again\.dat: the data of .*one\.dat again"):
        mine_release([one, Release.read(again)], "10%")
    other = plan(group("all", cutoff=1, insert="1/8", gamma=50), itemsets=3, rho2="80%")
    folder = tmp_path / "other"
    folder.mkdir()
    with pytest.raises(ReleaseError, match="not randomized by one plan"):
        mine_release([one, randomized(folder, other, "other.dat")], "10%")
    with pytest.raises(ReleaseError, match="not randomized by one plan"):
        mine_release([one, randomized(folder, ONE, "seeds.dat", "--compress")], "10%")
