"""ppdm randomize --shuffle: every kind of output, what the release says, and what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from plan_cases import group, plan, write
from release_cases import schema_checker, write_model

from ppdm_formal.cli import run
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.run.compress.wire import open_seeds
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.release import Origin, Release, ReleasedColumn, signed
from ppdm_formal.run.table_release import release_table
from ppdm_formal.run.tables import TableFile

ROWS = 400
TRUSTED = "Still to be trusted: whoever shuffled"

SETS = """
operator U = unary_encoding(values: 5, keep: 3/4, flip: 1/4)
audit U { require amplification <= 9 }
"""


@pytest.fixture
def folder(tmp_path):
    write_model(tmp_path)
    (tmp_path / "sets.ppdm").write_text(SETS)
    draw = np.random.Generator(np.random.PCG64(7))
    ages = draw.integers(0, 100, ROWS).tolist()
    rows = [f"{k},{('yes', 'no', 'unsure')[k % 3]},{age}\n" for k, age in enumerate(ages)]
    (tmp_path / "in.csv").write_text("id,answer,age\n" + "".join(rows))
    (tmp_path / "five.csv").write_text("v\n" + "".join(f"{age % 5}\n" for age in ages))
    baskets = [sorted(draw.permutation(6)[: 1 + k % 3].tolist()) for k in range(600)]
    (tmp_path / "in.dat").write_text("".join(" ".join(map(str, r)) + "\n" for r in baskets))
    return tmp_path


def randomize(folder, source, target, *more):
    return run(["randomize", str(folder / source), "-o", str(folder / target), *more])


def table(folder, target, *more, operators=("Blur=age",)):
    named = [part for one in operators for part in ("--operator", one)]
    return randomize(folder, "in.csv", target, "--model", str(folder / "model.ppdm"), *named, *more)


def cells(folder, name):
    if name.endswith(".parquet"):
        return [tuple(row.values()) for row in pq.read_table(folder / name).to_pylist()]
    return [tuple(line.split(",")) for line in (folder / name).read_text().splitlines()[1:]]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("operators", [("Blur=age",), ("Reply=answer", "Blur=age")])
def test_tables_hold_the_same_rows_in_another_order(folder, ending, operators, capsys):
    """The same seed draws the same answers: only their order is another."""
    seeded = ("--simulate", "4")
    assert table(folder, f"plain.{ending}", *seeded, operators=operators) == 0
    capsys.readouterr()
    assert table(folder, f"mixed.{ending}", *seeded, "--shuffle", operators=operators) == 0
    said = capsys.readouterr().out
    plain, mixed = (cells(folder, f"{name}.{ending}") for name in ("plain", "mixed"))
    assert plain != mixed
    assert Counter(plain) == Counter(mixed)
    assert "Shuffled, every order being equally likely: each of 400 reports may be anyone" in said
    assert TRUSTED in said
    assert ("Rows stay whole" in said) == (len(operators) > 1)
    assert "and their order" not in said
    described = json.loads((folder / f"mixed.{ending}.release.json").read_text())
    assert described["shuffled"] == {"reports": ROWS, "least": ROWS}
    assert all("order" not in one["what"] for one in described["shown"])
    schema_checker()[0](described)
    assert json.loads((folder / f"plain.{ending}.release.json").read_text())["shuffled"] is None
    one, other = (Release.read(folder / f"{name}.{ending}") for name in ("plain", "mixed"))
    assert (one.shuffled, other.shuffled) == (False, True)
    assert np.array_equal(one.counts(["age"]), other.counts(["age"]))


def test_sets_in_cells(folder):
    asked = ("--model", str(folder / "sets.ppdm"), "--operator", "U=v", "--simulate", "2")
    assert randomize(folder, "five.csv", "plain.csv", *asked) == 0
    assert randomize(folder, "five.csv", "mixed.csv", *asked, "--shuffle") == 0
    plain, mixed = ((folder / f"{n}.csv").read_text().splitlines() for n in ("plain", "mixed"))
    assert plain[0] == mixed[0] == "v"
    assert plain != mixed
    assert Counter(plain) == Counter(mixed)
    assert Release.read(folder / "mixed.csv").shuffled


@pytest.mark.parametrize("spill", [False, True])
def test_rows_of_a_table_go_anywhere(tmp_path, monkeypatch, spill):
    """100,000 rows that an operator leaves as they are: where they come from and go to."""
    from ppdm_formal.run import shuffle

    if spill:
        monkeypatch.setattr(shuffle.Held, "exceeded_by", lambda _, rows, size: rows > 20_000)
    count = 100_000
    (tmp_path / "in.csv").write_text("v\n" + "".join(f"{k}\n" for k in range(count)))
    column = ReleasedColumn("v", randomized_response(count, 1), Origin("none", "0"))
    files = (TableFile.named(tmp_path / name) for name in ("in.csv", "out.csv"))
    release_table(*files, [column], Keystream(), shuffle=True)
    out = np.array([int(line) for line in (tmp_path / "out.csv").read_text().split()[1:]])
    assert np.array_equal(np.sort(out), np.arange(count))
    assert abs(np.corrcoef(np.arange(count), out)[0, 1]) < 6 / count**0.5
    assert sorted(os.listdir(tmp_path)) == ["in.csv", "out.csv", "out.csv.release.json"]


GROUPS = plan(group("items", "1/3"), group("pairs", "2/3", (2, 3), 2))


def parts(release):
    """The reports of each group and size, in their order."""
    found = defaultdict(list)
    for one, part, baskets in release.baskets():
        found[one.name, part.size] += map(tuple, baskets.lists())
    return dict(found)


@pytest.mark.parametrize("ending", ["dat", "csv.gz", "parquet"])
def test_transactions_are_shuffled_within_what_the_data_show(folder, ending, capsys):
    write(folder, GROUPS)
    asked = ("--plan", str(folder / "plan.json"), "--simulate", "4")
    assert randomize(folder, "in.dat", f"plain.{ending}", *asked) == 0
    capsys.readouterr()
    assert randomize(folder, "in.dat", f"mixed.{ending}", *asked, "--shuffle") == 0
    said = capsys.readouterr().out
    one, other = (Release.read(folder / f"{name}.{ending}") for name in ("plain", "mixed"))
    plain, mixed = parts(one), parts(other)
    assert list(plain) == list(mixed)
    for key, reports in plain.items():
        assert reports != mixed[key]
        assert Counter(reports) == Counter(mixed[key])
    rows = [len(reports) for reports in plain.values()]
    assert other.among == tuple(rows)
    assert other.to_json()["shuffled"] == {"reports": sum(rows), "least": min(rows)}
    assert f"a report is one of {min(rows)} to {max(rows)} ({sum(rows)} reports in all)" in said
    assert "the number of transactions, sizes of transactions" in said
    schema_checker()[0](other.to_json())


@pytest.mark.parametrize("target", ["mixed.seeds", "mixed.parquet"])
def test_seeds(folder, target, tmp_path):
    write(folder, plan(group("all", insert="1/4"), items=6))
    asked = ("--plan", str(folder / "plan.json"), "--simulate", "4", "--compress")
    plain = target.replace("mixed", "plain")
    assert randomize(folder, "in.dat", plain, *asked) == 0
    assert randomize(folder, "in.dat", target, *asked, "--shuffle") == 0

    def seeds(name):
        found = defaultdict(list)
        for _, part, words in Release.read(folder / name).seeds():
            found[part.size] += map(tuple, words.tolist())
        return found

    before, after = seeds(plain), seeds(target)
    assert before != after
    assert {k: Counter(v) for k, v in before.items()} == {k: Counter(v) for k, v in after.items()}
    assert run(["expand", str(folder / target), "-o", str(folder / "out.dat")]) == 0
    assert Release.read(folder / "out.dat").shuffled


def test_blocks_of_seeds_do_not_tell_how_clients_came(folder, monkeypatch):
    """Otherwise a block would hold the clients of a part of the input, and their number tell it."""
    from ppdm_formal.run import basket_files

    monkeypatch.setattr(basket_files, "BLOCK_TRANSACTIONS", 50)
    write(folder, plan(group("all", insert="1/4"), items=6))
    asked = ("--plan", str(folder / "plan.json"), "--compress")
    blocks = {}
    for name, more in (("plain", ()), ("mixed", ("--shuffle",))):
        assert randomize(folder, "in.dat", f"{name}.seeds", *asked, *more) == 0
        with open_seeds(folder / f"{name}.seeds", False) as reader:
            blocks[name] = [(number, len(words)) for number, words in reader.blocks()]
    assert len(blocks["plain"]) > 3
    assert blocks["mixed"] == [(0, 200), (1, 200), (2, 200)]


def test_clients_by_identifier(folder, capsys):
    """Who is in which group may be known; the identifiers themselves are not written."""
    rows = [[int(x) for x in line.split()] for line in (folder / "in.dat").read_text().splitlines()]
    people = [f"person {k}" for k in range(len(rows))]
    pq.write_table(pa.table({"who": people, "items": rows}), folder / "in.parquet")
    write(folder, GROUPS)
    asked = ("--plan", str(folder / "plan.json"), "--group-by", "column:who", "--shuffle")
    assert randomize(folder, "in.parquet", "out.parquet", *asked, "--column", "items") == 0
    assert pq.read_schema(folder / "out.parquet").names == ["group", "size", "items"]
    assert b"person" not in (folder / "out.parquet").read_bytes()
    assert "within each group and size" in capsys.readouterr().out


def test_mining_a_shuffled_release_finds_the_same(folder):
    write(folder, plan(group("all", insert="1/4"), items=6))
    found = []
    for name, more in (("plain", ()), ("mixed", ("--shuffle",))):
        asked = ("--plan", str(folder / "plan.json"), "--simulate", "9", *more)
        assert randomize(folder, "in.dat", f"{name}.dat", *asked) == 0
        mined = ("--min-support", "10%", "--max-size", "1", "--json", str(folder / "found.json"))
        assert run(["mine", str(folder / f"{name}.dat"), *mined]) in (0, 3)
        found.append(json.loads((folder / "found.json").read_text())["itemsets"])
    assert found[0] == found[1]


def test_kept_columns_cannot_be_shuffled(folder, capsys):
    there = sorted(os.listdir(folder))
    assert table(folder, "out.csv", "--shuffle", "--keep", "id") == 2
    assert "--shuffle is not for --keep: a column that is kept as it is" in capsys.readouterr().err
    assert sorted(os.listdir(folder)) == there
    column = ReleasedColumn("age", randomized_response(100, "1/2"), Origin("none", "0"))
    files = (TableFile.named(folder / name) for name in ("in.csv", "out.csv"))
    with pytest.raises(DataError, match="kept as it is"):
        release_table(*files, [column], Keystream(), keep=["id"], shuffle=True)


@pytest.mark.parametrize(
    "said", [{"reports": 399, "least": 399}, {"reports": 400, "least": 1}, {"reports": 400}, True]
)
def test_a_description_that_says_another_number_is_refused(folder, said):
    assert table(folder, "out.csv", "--shuffle") == 0
    path = folder / "out.csv.release.json"
    document = json.loads(path.read_text())
    del document["sha256"]
    assert Release.of(json.dumps(signed(document))).shuffled
    with pytest.raises(ReleaseError, match="shuffling does not fit"):
        Release.of(json.dumps(signed({**document, "shuffled": said})))
    older = {key: value for key, value in document.items() if key != "shuffled"}
    assert not Release.of(json.dumps(signed(older))).shuffled


WAITING = """
import sys
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from ppdm_formal.run import shuffle

shuffle.Held.exceeded_by = lambda _, rows, size: rows > 50
drawn = shuffle.Shuffle.drain

def slowly(mixed):
    for number, rows in enumerate(drawn(mixed)):
        yield rows
        if number == 2:
            print("running", flush=True)
            sys.stdin.readline()

shuffle.Shuffle.drain = slowly
from ppdm_formal.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
@pytest.mark.parametrize("source", ["in.csv", "in.dat"])
def test_stopped_in_the_middle(folder, number, code, source):
    """What waits has no name: nothing is left, however the process ends."""
    write(folder, plan(group("all", insert="1/4"), items=6))
    named = ["--model", str(folder / "model.ppdm"), "--operator", "Blur=age"]
    asked = named if source == "in.csv" else ["--plan", str(folder / "plan.json")]
    there = sorted(os.listdir(folder))
    target = str(folder / f"out{source[2:]}")
    command = ["randomize", str(folder / source), "-o", target, *asked, "--shuffle"]
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "running\n"
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in errors
    assert sorted(os.listdir(folder)) == there
