"""The ledger: what was counted is not counted again, and nothing else is taken for it."""

import json

import numpy as np
import pytest
from plan_cases import group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.infer.baskets import chunks, ledger
from ppdm_formal.infer.baskets.engine import LocalEngine
from ppdm_formal.infer.baskets.ledger import Ledger
from ppdm_formal.infer.baskets.randomized import mine_release
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import Release

DRAW = np.random.default_rng(7)
SHOP = [sorted(DRAW.permutation(6)[: 1 + k % 3].tolist()) for k in range(3000)]
LAW = {"insert": "1/8", "gamma": 60}
PLAN = plan(
    group("items", "2/3", cutoff=1, **LAW),
    group("pairs", "1/3", (2, 3), 2, **LAW),
    itemsets=3,
    rho2="80%",
)


@pytest.fixture
def release(tmp_path, monkeypatch):
    monkeypatch.setattr(chunks, "CHUNK_ROWS", 300)
    (tmp_path / "shop.dat").write_text("".join(" ".join(map(str, row)) + "\n" for row in SHOP))
    options = ["--plan", str(write(tmp_path, PLAN)), "--simulate", "1"]
    out = tmp_path / "out.dat"
    assert run(["randomize", str(tmp_path / "shop.dat"), "-o", str(out), *options]) == 0
    return Release.read(out)


class Stopped(Exception):
    pass


class Counting(LocalEngine):
    """The local engine, which notes what it counts, and stops after so many chunks."""

    def __init__(self, layout, stop=None):
        super().__init__(layout)
        self.counted = []
        self.stop = stop

    def _noted(self, found):
        for chunk, counts in found:
            if self.stop is not None and len(self.counted) >= self.stop:
                raise Stopped
            self.counted.append(chunk)
            yield chunk, counts

    def held(self, *asked):
        return self._noted(super().held(*asked))

    def count(self, *asked):
        return self._noted(super().count(*asked))


def test_a_run_goes_on_where_it_stopped(release, tmp_path):
    engines = []

    def engine(stop):
        def make(layout):
            engines.append(Counting(layout, stop))
            return engines[-1]

        return make

    whole = mine_release(release, "10%", "20%", engine=engine(None))
    every = len(engines[0].counted)
    assert every >= 30
    for stop in (0, 1, 17, every - 1):
        state = tmp_path / f"state{stop}"
        first = Ledger(state)
        with pytest.raises(Stopped):
            mine_release(release, "10%", "20%", engine=engine(stop), ledger=first)
        assert first.save() == (stop > 0)
        assert state.exists() == (stop > 0)
        second = Ledger(state)
        again = mine_release(release, "10%", "20%", engine=engine(None), ledger=second)
        assert second.resumed == stop
        assert len(engines[-1].counted) == every - stop
        assert list(again.itemsets()) == list(whole.itemsets())
        assert list(again.rules()) == list(whole.rules())
    # Other thresholds ask other questions; what both ask is there.
    mine_release(release, "25%", engine=engine(None), ledger=Ledger(state))
    assert len(engines[-1].counted) < every
    other = mine_release(release, "25%")
    known = mine_release(release, "25%", ledger=Ledger(state))
    assert list(other.itemsets()) == list(known.itemsets())
    second.remove()
    assert not state.exists()


def test_it_is_written_now_and_then(release, tmp_path, monkeypatch):
    monkeypatch.setattr(ledger, "SAVE_SECONDS", 0.0)
    state = tmp_path / "state"
    mine_release(release, "10%", ledger=Ledger(state))
    head, _, body = state.read_bytes().partition(b"\n")
    said = json.loads(head)
    assert (said["format"], said["chunks"]) == ("ppdm-mine-state/1", 9)
    assert len(body) == 8 * sum(sum(step["lengths"]) for step in said["steps"])
    assert all(step["done"] == "ff80" for step in said["steps"])


def changed(state, change):
    head, _, body = state.read_bytes().partition(b"\n")
    said = json.loads(head)
    change(said)
    state.write_bytes(json.dumps(said).encode() + b"\n" + body)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda said: said.update(format="ppdm-mine-state/2"), "not of the format"),
        (lambda said: said.update(data="0" * 64), "of other data"),
        (lambda said: said.update(chunks=8), "of other data"),
        (lambda said: said.pop("steps"), "must have the keys"),
        (lambda said: said["steps"].pop(), "not as long as it says"),
        (lambda said: said["steps"][0].update(lengths=[1 << 60]), "not as long as it says"),
        (lambda said: said["steps"][0].update(lengths=[-1]), "not a number of 0 or more"),
        (lambda said: said["steps"][0].update(done="ff"), "about other chunks"),
        (lambda said: said["steps"][0].update(done="zz"), "not a state"),
        (lambda said: said.update(sha256="0"), "damaged"),
    ],
)
def test_what_is_no_state_of_these_data_is_refused(release, tmp_path, change, message):
    state = tmp_path / "state"
    kept = Ledger(state)
    mine_release(release, "10%", ledger=kept)
    kept.save()
    changed(state, change)
    before = state.read_bytes()
    with pytest.raises(ReleaseError, match=message):
        mine_release(release, "10%", ledger=Ledger(state))
    assert state.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"[]\n", b"\xff\n", b"{" * 100_000, b"1 2 3\n"])
def test_other_files_are_refused(release, tmp_path, content):
    state = tmp_path / "state"
    state.write_bytes(content)
    with pytest.raises(ReleaseError, match="state"):
        mine_release(release, "10%", ledger=Ledger(state))
    assert state.read_bytes() == content
