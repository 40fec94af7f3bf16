"""ppdm randomize --compress and ppdm expand from the command line."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest
from release_cases import ROOT, schema_checker, write_plan

from ppdm_formal.cli import run
from ppdm_formal.run.compress.bch import BCH, ExtendedBCH
from ppdm_formal.run.compress.cap import Cap
from ppdm_formal.run.compress.chooser import KINDS
from ppdm_formal.run.compress.direct import Direct
from ppdm_formal.run.compress.goppa import Goppa
from ppdm_formal.run.compress.polynomial import Polynomial
from ppdm_formal.run.compress.twisted import TwistedBCH
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.release import Release

ITEMS = 50


@pytest.fixture(scope="module")
def plan_text(tmp_path_factory):
    return write_plan(tmp_path_factory.mktemp("plan")).read_text()


@pytest.fixture
def shop(tmp_path, plan_text):
    (tmp_path / "plan.json").write_text(plan_text)
    rows = [sorted({k % 50, k * k % 50, (k + 7) % 50}) for k in range(2000)]
    (tmp_path / "in.dat").write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    return tmp_path


def compress(folder, *arguments, target="out.seeds"):
    given = ("--plan", str(folder / "plan.json"), "--compress", *arguments)
    return run(["randomize", str(folder / "in.dat"), "-o", str(folder / target), *given])


def expand(folder, *arguments, source="out.seeds", target="whole.dat"):
    return run(["expand", str(folder / source), "-o", str(folder / target), *arguments])


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def lists(release):
    return [row for _, _, part in release.baskets() for row in part.lists()]


@pytest.mark.parametrize("target", ["out.seeds", "out.parquet", "out"])
def test_transactions_travel_as_seeds(shop, capsys, target):
    assert compress(shop, target=target) == 0
    shown = capsys.readouterr().out
    assert "2,000 randomized transactions" in shown
    assert "1,840 transactions of 3 items, as seeds of " in shown
    document = json.loads((shop / f"{target}.release.json").read_text())
    schema_checker()[0](document)
    assert document["data"]["format"] == ("seeds-parquet" if "parquet" in target else "seeds")
    release = Release.read(shop / target)
    plan = (shop / "plan.json").read_bytes()
    assert release.transactions.plan.sha256 == hashlib.sha256(plan).hexdigest()
    for group, part in release.transactions.parts():
        assert group.name == "all"
        assert part.generator.q == part.size + 2
        assert part.generator.insert == part.operator.law.insert
    assert sum(len(seeds) for _, _, seeds in release.seeds()) == 2000
    assert len(lists(release)) == 2000


@pytest.mark.parametrize("source", ["out.seeds", "out.parquet"])
@pytest.mark.parametrize("target", ["whole.dat", "whole.csv.gz", "whole.parquet"])
def test_expanded_transactions_are_those_of_the_seeds(shop, capsys, source, target):
    assert compress(shop, "--simulate", "5", target=source) == 0
    assert expand(shop, "--plan", str(shop / "plan.json"), source=source, target=target) == 0
    assert "(2,000 randomized transactions)" in capsys.readouterr().out
    seeds, whole = Release.read(shop / source), Release.read(shop / target)
    assert lists(whole) == lists(seeds)
    assert replace(whole, data=seeds.data) == replace(seeds, path=whole.path)
    assert whole.simulated
    schema_checker()[0](json.loads((shop / f"{target}.release.json").read_text()))
    with pytest.raises(ReleaseError, match="written out, not seeds"):
        next(whole.seeds())
    assert expand(shop, source=target, target="again.dat") == 2
    assert "holds no seeds" in capsys.readouterr().err


def test_a_seed_repeats_and_what_stays_is_as_for_coins(shop):
    """The same choice of j and of the items that stay: the law before the seeds is one law."""
    assert compress(shop, "--simulate", "1") == 0
    first = (shop / "out.seeds").read_bytes()
    assert compress(shop, "--simulate", "1") == 0
    assert (shop / "out.seeds").read_bytes() == first
    assert compress(shop) == 0
    one = (shop / "out.seeds").read_bytes()
    assert compress(shop) == 0
    assert (shop / "out.seeds").read_bytes() != one


def test_items_stay_and_come_as_often_as_the_operator_says(shop):
    """Of the items of a basket a share E j / m is in its report, of the others a share rho."""
    (shop / "in.dat").write_text("1 2 3\n" * 20_000)
    assert compress(shop, "--simulate", "3") == 0
    release = Release.read(shop / "out.seeds")
    held = np.zeros((20_000, ITEMS), dtype=bool)
    rows = lists(release)
    for row, items in enumerate(rows):
        held[row, items] = True
    [(_, part)] = [(g, p) for g, p in release.transactions.parts() if p.rows]
    law = part.operator.law
    kept = held[:, [1, 2, 3]].sum(axis=1)
    for j, p in enumerate(law.keep):
        assert abs(np.mean(kept == j) - float(p)) < 5 * (float(p * (1 - p)) / 20_000) ** 0.5
    rho = float(law.insert)
    others = np.delete(held, [1, 2, 3], axis=1).mean(axis=0)
    assert np.abs(others - rho).max() < 5 * (rho * (1 - rho) / 20_000) ** 0.5


def test_what_was_changed_is_refused(shop, capsys):
    assert compress(shop) == 0
    content = (shop / "out.seeds").read_bytes()
    for changed in (content[:-100], content[:500] + b"\xff" + content[501:], content + b"x"):
        (shop / "out.seeds").write_bytes(changed)
        assert expand(shop) == 2
        assert "digest is another" in capsys.readouterr().err
    # The stream guards itself as well: also where nobody compares the file's digest.
    for changed in (content[:-100], content[: len(content) // 2] + b"\0\0\0\0" + content[1004:]):
        (shop / "out.seeds").write_bytes(changed)
        release = Release.read(shop / "out.seeds", check_data=False)
        with pytest.raises(DataError, match=r"cut short|damaged"):
            lists(release)
    assert "whole.dat" not in left(shop)


def test_seeds_of_another_plan_are_refused(shop, capsys):
    assert compress(shop) == 0
    other = shop / "other"
    other.mkdir()
    write_plan(other, items=50, sizes=(2, 3))
    (other / "in.dat").write_text("1 2\n1 2 3\n")
    assert compress(other) == 0
    assert expand(shop, "--plan", str(other / "plan.json")) == 2
    assert "drawn for another plan" in capsys.readouterr().err
    # The other's seeds beside this description, its digest made to fit.
    release = Release.read(shop / "out.seeds")
    mixed = replace(
        release,
        data=replace(
            release.data, sha256=hashlib.sha256((other / "out.seeds").read_bytes()).hexdigest()
        ),
    )
    (shop / "out.seeds").write_bytes((other / "out.seeds").read_bytes())
    (shop / "out.seeds.release.json").write_text(mixed.text())
    assert expand(shop) == 2
    assert "these seeds were drawn for another plan" in capsys.readouterr().err


def edit(folder, change):
    """A description changed in one place, with a digest of its own."""
    from ppdm_formal.run.release import signed

    path = folder / "out.seeds.release.json"
    document = json.loads(path.read_text())
    document.pop("sha256")
    change(document["transactions"]["groups"][0]["sizes"][2], document)
    path.write_text(json.dumps(signed(document)))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda part, _: part.update(generator=None), "some clients sent seeds"),
        (lambda part, _: part["generator"].update(q=2, seed_bits=24), "q >= m"),
        (lambda part, _: part["generator"].update(numerator=1), "another probability"),
        (lambda part, _: part["generator"].update(items=51), "other items"),
        (lambda part, _: part["generator"].update(name="mine"), "no generator of this name"),
        (lambda part, _: part["generator"].update(seed_bits=1), "not how"),
        (lambda part, whole: whole["data"].update(format="seeds-parquet"), "Parquet"),
        (lambda part, whole: part.update(rows=1839), "do not add up"),
    ],
)
def test_descriptions_that_do_not_fit_are_refused(shop, capsys, change, why):
    assert compress(shop) == 0
    edit(shop, change)
    assert expand(shop) == 2
    assert why in capsys.readouterr().err
    assert "whole.dat" not in left(shop)


def test_probabilities_that_are_no_fractions_of_powers_of_two_are_refused(shop, capsys):
    plan = json.loads((shop / "plan.json").read_text())
    entry = plan["sizes"][0]
    entry["insert"] = "1/17"
    entry["cutoff"], entry["bits"] = None, None
    entry["keep"] = ["1/2", "1/2"]
    entry.pop("amplification", None)
    (shop / "plan.json").write_text(json.dumps(plan))
    assert compress(shop, "--although-breached") == 2
    shown = capsys.readouterr().err
    assert "size 1: rho = 1/17 is not a/2^b" in shown
    assert left(shop) == ["in.dat", "plan.json"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["randomize", "in.dat", "-o", "out.seeds.gz", "--plan", "plan.json", "--compress"],
         "nothing compresses further"),
        (["randomize", "in.dat", "-o", "out.csv", "--model", "m.ppdm", "--compress"],
         "--compress is not for tables"),
        (["expand", "in.dat", "-o", "out.dat"], "release description"),
        (["expand", "plain.dat", "-o", "out.dat"], "holds no seeds"),
        (["expand", "missing.seeds", "-o", "out.dat"], "no such file"),
        (["expand", "in.dat", "-o", "in.dat"], "in.dat"),
        (["expand", "in.dat", "-o", "out.seeds"], "transactions are in .dat"),
    ],
)  # fmt: skip
def test_bad_usage(shop, capsys, monkeypatch, arguments, why):
    monkeypatch.chdir(shop)
    assert run(["randomize", "in.dat", "-o", "plain.dat", "--plan", "plan.json"]) == 0
    before = left(shop)
    assert run(arguments) == 2
    assert why in capsys.readouterr().err
    assert left(shop) == before


@pytest.mark.parametrize("command", ["randomize", "expand"])
def test_killed_half_way_nothing_is_left(shop, command):
    """Stopped as soon as something is being written, with many more transactions to come."""
    if command == "expand":
        assert compress(shop) == 0
    before = left(shop)
    script = (
        "import os, sys, time\n"
        "vars(os).pop('O_TMPFILE', None)\n"  # temporary names, which can be seen from here
        "from ppdm_formal.run.compress import seed_reports, expand\n"
        "def slow(*_):\n"
        "    print('now', flush=True)\n"
        "    time.sleep(60)\n"
        "seed_reports.SeedReports.load = expand.packed_rows = slow\n"
        "from ppdm_formal.cli import main\n"
        "main(sys.argv[1:])\n"
    )
    given = (
        ["randomize", str(shop / "in.dat"), "-o", str(shop / "new.seeds"), "--plan",
         str(shop / "plan.json"), "--compress"]
        if command == "randomize"
        else ["expand", str(shop / "out.seeds"), "-o", str(shop / "whole.dat")]
    )  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-c", script, *given], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"now\n"
        assert len(left(shop)) > len(before)  # temporary files, at work
        os.kill(process.pid, signal.SIGTERM)
        process.communicate()
    assert process.returncode != 0
    assert left(shop) == before


def test_the_schema_knows_every_generator():
    schema = json.loads((ROOT / "docs/release.schema.json").read_text())["$defs"]["generator"]
    assert set(schema["properties"]["name"]["enum"]) == set(KINDS)
    made = [BCH(16, 3, 1, 1), ExtendedBCH(16, 3, 1, 1), Polynomial(16, 3, 1, 1), Cap(16, 3, 1, 2),
            TwistedBCH(16, 3, 1, 2), Goppa(16, 4, 1, 1), Direct(16, 16, 1, 1)]  # fmt: skip
    assert {type(one) for one in made} == set(KINDS.values())
    keys = {key for one in made for key in one.to_json()}
    assert keys == set(schema["properties"])


def test_without_numba_the_same_seeds_are_drawn(shop, monkeypatch):
    from ppdm_formal.run.compress import kernels

    assert compress(shop, "--simulate", "4") == 0
    assert expand(shop) == 0
    expected = [(shop / name).read_bytes() for name in ("out.seeds", "whole.dat")]
    monkeypatch.setitem(sys.modules, "numba", None)
    kernels.compiled.cache_clear()
    try:
        assert kernels.compiled(kernels.solve) is None
        assert compress(shop, "--simulate", "4") == 0
        assert expand(shop) == 0
    finally:
        kernels.compiled.cache_clear()
    assert [(shop / name).read_bytes() for name in ("out.seeds", "whole.dat")] == expected


def test_a_parquet_file_of_seeds_has_a_binary_column_of_one_width(shop):
    assert compress(shop, target="out.parquet") == 0
    table = pq.read_table(shop / "out.parquet")
    assert table.column_names == ["group", "size", "seed"]
    release = Release.read(shop / "out.parquet")
    widest = max(part.generator.seed_bits for _, part in release.transactions.parts())
    assert table["seed"].type.byte_width == -(-widest // 8)
    assert sorted(set(table["size"].to_pylist())) == [2, 3]
    (shop / "out.parquet.release.json").unlink()
    assert lists(Release.read(shop / "out.parquet")) == lists(release)  # by its own metadata
