"""Every command ends within its time and its memory, with a sentence and nothing half-written."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ppdm_formal.cli import cli, run
from ppdm_formal.commands import _bounds
from ppdm_formal.declare.machine import room
from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed
from ppdm_formal.declare.machine.interrupts import uninterrupted
from ppdm_formal.run import foretold

COMMANDS = cli.list_commands(click.Context(cli))
MODEL = """
domain Answer = {yes, no}
operator R(x: Answer) -> Answer { [x -> y] = 3/4 if y == x | 1/4 otherwise }
audit R { require amplification <= 3 }
operator U = unary_encoding(values: 1000, keep: 1/2, flip: 1/4)
audit U { require amplification <= 3 }
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.ppdm"
    path.write_text(MODEL)
    return path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_both(name):
    command = cli.get_command(click.Context(cli), name)
    options = [option for param in command.params for option in param.opts]
    assert options.count("--timeout") == 1
    assert options.count("--memory") == 1
    assert cli.get_command(click.Context(cli), name) is command  # and once only


def command(folder, *asked):
    """In a process of its own: what is being imported when time is up stays half imported."""
    done = subprocess.run(
        [sys.executable, "-m", "ppdm_formal.cli", *map(str, asked)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def test_a_command_is_ended_at_its_time(model):
    """200 providers and a million orders of arrival take many minutes."""
    people = ",".join(str(number) for number in range(100, 300))
    asked = ["value", "--model", model, "--operator", "R", "--people", people, "--error", "1/100"]
    found = command(model.parent, *asked, "--orders", "1000000", "--timeout", "1")
    assert found == (3, "not finished within 1 s: a longer --timeout may help\n")


def test_cells_beyond_number_are_ended_at_their_time(tmp_path):
    values = np.random.default_rng(1).normal(50, 10, 21_000)
    (tmp_path / "z.csv").write_text("z\n" + "\n".join(map(str, values)) + "\n")
    asked = ["reconstruct", "z.csv", "--column", "z", "--cells", "0:100:20000"]
    found = command(tmp_path, *asked, "--noise", "laplace(10)", "--timeout", "1")
    assert found == (3, "not finished within 1 s: a longer --timeout may help\n")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize(
    "asked",
    [
        ["audit", "pipe.ppdm"],
        ["compare", "pipe.ppdm", "model.ppdm"],
        ["client", "pipe.ppdm", "--operator", "R", "--language", "python", "-o", "c.py"],
        ["randomize", "pipe.csv", "--model", "model.ppdm", "--operator", "R=a", "-o", "o.csv"],
        ["mine", "pipe.dat", "--plain", "--min-support", "5%"],
        ["krimp", "pipe.dat"],
    ],
)
def test_a_pipe_that_nobody_writes_to(tmp_path, model, asked):
    os.mkfifo(tmp_path / next(word for word in asked if word.startswith("pipe")))
    code, shown = command(tmp_path, *asked, "--timeout", "2")
    assert code == 3
    assert "not finished within 2 s" in shown or "not compiled within 2 s" in shown
    assert "pipe" in shown
    assert not {"c.py", "o.csv"} & set(os.listdir(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_that_somebody_writes_to(tmp_path):
    pipe = tmp_path / "pipe.dat"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text("1 2\n1 2\n1\n"))
    writer.start()
    assert command(tmp_path, "mine", pipe, "--plain", "--min-support", "50%")[0] == 0
    writer.join()


def test_a_time_limit_waits_for_files_that_are_put_in_place():
    begun, done = [], []

    def work():
        while True:
            with uninterrupted():
                begun.append(time.monotonic())
                while time.monotonic() < begun[-1] + 1.2:
                    sum(range(100))
                done.append("whole")
            until = time.monotonic() + 1
            while time.monotonic() < until:  # here it may be stopped
                sum(range(100))

    with pytest.raises(DeadlinePassed):
        Deadline.after(0.01).enforce(work)
    assert len(done) == len(begun) >= 1


HANGING = """
import sys, time
from ppdm_formal.commands import _bounds
_bounds.HARD = 0.5
from ppdm_formal.declare.machine import files
from ppdm_formal.declare.machine import interrupts
import ppdm_formal.commands._result as results

def hang(*_):
    with interrupts.uninterrupted():  # as a call into compiled code that never looks up
        time.sleep(60)

results.write_all = hang
from ppdm_formal.cli import main
main(["new", "start", "--timeout", "0.2"])
"""


def test_what_does_not_come_back_is_ended_all_the_same(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", HANGING], cwd=tmp_path, capture_output=True, text=True, timeout=50
    )
    assert done.returncode == 3
    assert "not finished within 0.2 s" in done.stderr
    assert os.listdir(tmp_path) == []


def test_no_memory_is_said_and_is_no_bug(monkeypatch, model, capsys):
    def needy(*_, **__):
        return np.ones(1 << 58)

    monkeypatch.setattr("ppdm_formal.commands._options.load_model", needy)
    assert run(["leakage", str(model), "--operator", "R"]) == 3
    shown = capsys.readouterr().err
    assert "too much memory; a larger --memory may help" in shown
    assert "internal error" not in shown


def test_a_time_limit_without_memory_for_its_thread(monkeypatch, tmp_path, capsys):
    def refused(*_):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr("_thread.start_new_thread", refused)
    assert run(["new", str(tmp_path / "start"), "--timeout", "60"]) == 3
    assert "too much memory; a larger --memory may help" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


NEEDY = """
import sys
import ppdm_formal.commands._options as options
def needy(*_, **__):
    kept = []
    while True:
        kept.append(bytearray(10_000_000))
options.load_model = needy
from ppdm_formal.cli import main
main(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="bounds memory by RLIMIT_DATA")
def test_the_memory_bound_is_kept(model):
    """A loop that would eat the machine ends at its bound, whatever it does."""
    done = subprocess.run(
        [sys.executable, "-c", NEEDY, "leakage", str(model), "--operator", "R", "--memory", "400M"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3, done.stderr
    assert done.stderr == "not finished: too much memory; a larger --memory may help\n"


def test_the_bound_ends_with_the_command(model):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    run(["new", "--help"])
    with _bounds.memory_bound(1 << 40):
        assert resource.getrlimit(resource.RLIMIT_DATA)[0] <= 1 << 40
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize(
    ("text", "size"), [("4GB", 4 * 10**9), ("1.5g", 1_500_000_000), ("500 M", 5 * 10**8)]
)
def test_sizes_are_read(text, size):
    assert _bounds.SizeType().convert(text, None, None) == size


@pytest.mark.parametrize("text", ["", "4X", "-4G", "nan", "1M", "1e9"])
def test_what_is_no_size(text, tmp_path, capsys):
    assert run(["new", str(tmp_path / "x"), "--memory", text]) == 2
    assert "Traceback" not in capsys.readouterr().err


# Parquet files that unfold


def asked(folder, source, *more):
    return ["randomize", str(folder / source), "--model", str(folder / "model.ppdm"),
            "--operator", "R=a", "-o", str(folder / "out.parquet"), *more]  # fmt: skip


def release(folder, source, *more):
    return run(asked(folder, source, *more))


def repeated(text, rows):
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([text]))


@pytest.mark.usefixtures("model")
def test_texts_that_are_repeated_are_not_unfolded(tmp_path):
    """A kept column of three gigabytes in some kilobytes is copied in parts."""
    rows = 3000
    table = pa.table({"a": ["yes", "no"] * (rows // 2), "note": repeated("x" * 1_000_000, rows)})
    pq.write_table(table, tmp_path / "in.parquet", compression="zstd", store_schema=False)
    assert (tmp_path / "in.parquet").stat().st_size < 50_000
    bounded = asked(tmp_path, "in.parquet", "--keep", "note", "--memory", "2GB")
    assert command(tmp_path, *bounded) == (0, "")
    found = pq.ParquetFile(tmp_path / "out.parquet", read_dictionary=["note"])
    assert found.metadata.num_rows == rows
    batch = next(found.iter_batches(10))
    assert batch.column("note")[3].as_py() == "x" * 1_000_000


@pytest.mark.usefixtures("model")
def test_a_page_that_is_larger_than_memory_is_not_called_damaged(tmp_path, monkeypatch, capsys):
    numbers = np.zeros(10_000_000, dtype=np.int64)
    pq.write_table(
        pa.table({"a": numbers}), tmp_path / "in.parquet", compression="zstd",
        use_dictionary=False, data_page_size=1 << 30, row_group_size=10_000_000,
    )  # fmt: skip
    monkeypatch.setattr(room, "free_memory", lambda: 10_000_000)
    assert release(tmp_path, "in.parquet") == 3
    shown = capsys.readouterr().err
    assert "needs about 80 MB of memory, and there are 10 MB" in shown
    assert "damaged" not in shown
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.usefixtures("model")
def test_rows_that_do_not_fit_are_refused_before_they_are_read(tmp_path, monkeypatch, capsys):
    pq.write_table(pa.table({"z": np.zeros(5_000_000)}), tmp_path / "z.parquet")
    monkeypatch.setattr(room, "free_memory", lambda: 10_000_000)
    asked = ["reconstruct", str(tmp_path / "z.parquet"), "--column", "z", "--cells", "0:1:5"]
    assert run([*asked, "--noise", "laplace(1)"]) == 3
    assert "5,000,000 rows needs about 80 MB of memory" in capsys.readouterr().err


def test_texts_of_kept_columns_are_what_they_were(tmp_path, model):
    """Also with empty cells, and with parts that end in the middle of a block."""
    rows = 1000
    notes = [None if k % 7 == 0 else "" if k % 5 == 0 else f"note {k % 11}" for k in range(rows)]
    table = pa.table({"a": ["yes", "no"] * (rows // 2), "note": notes, "a.b": notes})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=300)
    from ppdm_formal.run import parquet_table

    for at_once in (1 << 26, 50):
        parquet_table.UNFOLDED, before = at_once, parquet_table.UNFOLDED
        try:
            assert release(tmp_path, "in.parquet", "--keep", "note", "--keep", "a.b") == 0
        finally:
            parquet_table.UNFOLDED = before
        found = pq.read_table(tmp_path / "out.parquet")
        assert found.column("note").to_pylist() == notes
        assert found.column("a.b").to_pylist() == notes
        assert found.schema.field("note").type == pa.string()


# Large outputs are announced


def announced(shown):
    """The bytes of "... will have about 504 kB, made of ...", as a number."""
    number, unit = shown.split(" will have about ")[1].split(",")[0].split()
    return float(number) * {"kB": 1e3, "MB": 1e6}[unit]


@pytest.mark.usefixtures("model")
def test_a_large_release_is_announced_before_it_is_written(tmp_path, monkeypatch, capsys):
    (tmp_path / "age.csv").write_text("age\n" + "".join(f"{k % 1000}\n" for k in range(3000)))
    out = tmp_path / "out.csv"
    asked = ["randomize", str(tmp_path / "age.csv"), "--model", str(tmp_path / "model.ppdm"),
             "--operator", "U=age", "-o", str(out)]  # fmt: skip
    monkeypatch.setattr(foretold, "LARGE", 100_000)
    assert run(asked) == 0
    size, shown = out.stat().st_size, capsys.readouterr().err
    assert shown.startswith(f"{out} will have about ")
    assert 0.9 < announced(shown) / size < 1.1
    monkeypatch.setattr(foretold, "free_disk", lambda _: 1000)
    before = out.read_bytes()
    assert run(asked) == 2
    assert "1 kB are free there" in capsys.readouterr().err
    assert out.read_bytes() == before


def test_a_large_release_of_transactions_is_announced(tmp_path, monkeypatch, capsys):
    sys.path.insert(0, str(Path(__file__).parents[1] / "run"))
    try:
        from release_cases import write_plan
    finally:
        sys.path.pop(0)
    write_plan(tmp_path, items=400)
    (tmp_path / "in.dat").write_text("1 2 3\n" * 3000)
    out = tmp_path / "out.dat"
    asked = ["randomize", str(tmp_path / "in.dat"), "--plan", str(tmp_path / "plan.json")]
    monkeypatch.setattr(foretold, "LARGE", 10_000)
    monkeypatch.setattr(foretold, "TIMES", 1)
    assert run([*asked, "-o", str(out)]) == 0
    shown = capsys.readouterr().err
    assert "--compress sends seeds" in shown
    assert 0.5 < announced(shown) / out.stat().st_size < 2


def test_a_small_release_is_not_announced(tmp_path, model, capsys):
    (tmp_path / "in.csv").write_text("a\n" + "yes\nno\n" * 500)
    assert release(tmp_path, "in.csv") == 0
    assert capsys.readouterr().err == ""


def test_signals_of_others_are_left_alone():
    """Waking a call that waits takes a signal that nobody else handles."""
    if not hasattr(signal, "SIGURG"):
        pytest.skip("the system has no such signal")
    seen = []
    before = signal.signal(signal.SIGURG, lambda *_: seen.append(1))
    try:
        assert Deadline.after(5).enforce(lambda: 7) == 7
        assert signal.getsignal(signal.SIGURG) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGURG, before)
