"""A full disk, Ctrl-C, a request to end: a clear message, and nothing half-written."""

import os
import signal
import stat
import subprocess
import sys
import threading

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from release_cases import write_model, write_plan

from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import write_text, written_together
from ppdm_formal.declare.machine.interrupts import ended_cleanly, uninterrupted
from ppdm_formal.run.release import Release


@pytest.fixture(params=["nameless", "named"])
def staging(request, monkeypatch, tmp_path):
    """What is being written has no name, where the system has such files; or a temporary one."""
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    elif not has_nameless(tmp_path):
        pytest.skip("this file system has no files without names")
    return request.param


def has_nameless(folder):
    with written_together(folder / "tried"):
        found = not os.listdir(folder)
    (folder / "tried").unlink()
    return found


def test_files_appear_together(tmp_path, staging):
    a, b = tmp_path / "a", tmp_path / "b"
    with written_together(a, b) as [first, second]:
        first.write(b"1")
        second.write(b"2")
        assert not a.exists()
        assert not b.exists()
        assert len(os.listdir(tmp_path)) == (0 if staging == "nameless" else 2)
    assert (a.read_bytes(), b.read_bytes()) == (b"1", b"2")
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]
    mask = os.umask(0)
    os.umask(mask)
    assert stat.S_IMODE(a.stat().st_mode) == 0o666 & ~mask


@pytest.mark.usefixtures("staging")
@pytest.mark.parametrize("problem", [ValueError, KeyboardInterrupt, SystemExit, OSError])
def test_or_not_at_all(tmp_path, problem):
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_bytes(b"old")

    def fail():
        with written_together(a, b) as [first, _]:
            first.write(b"new")
            raise problem

    with pytest.raises(problem):
        fail()
    assert a.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.usefixtures("staging")
def test_a_name_that_cannot_be_replaced_takes_the_other_back(tmp_path, monkeypatch):
    a, b = tmp_path / "a", tmp_path / "b"
    replace = os.replace

    def second_fails(source, target):
        if str(target) == str(b):
            raise PermissionError(13, "Permission denied", str(b))
        replace(source, target)

    monkeypatch.setattr(os, "replace", second_fails)

    def write():
        with written_together(a, b):
            pass

    with pytest.raises(PermissionError):
        write()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("place", ["/dev/null", "."])
def test_only_regular_files_are_written_together(tmp_path, place):
    def write():
        with written_together(tmp_path / "a", tmp_path / place):
            pass

    with pytest.raises(OSError, match="not a regular file"):
        write()
    assert os.listdir(tmp_path) == []


def test_interrupts_wait(tmp_path, signals_as_usual):
    reached = []

    def work():
        with uninterrupted():
            os.kill(os.getpid(), signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("end")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert reached == ["end"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_request_to_end_unwinds_and_is_set_back():
    def work():
        with ended_cleanly():
            os.kill(os.getpid(), signal.SIGTERM)
            for _ in range(10**9):
                pass

    with pytest.raises(SystemExit) as caught:
        work()
    assert caught.value.code == 128 + signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_other_threads_are_left_alone(tmp_path):
    problems = []

    def work():
        try:
            with ended_cleanly(), uninterrupted(), written_together(tmp_path / "a") as [file]:
                file.write(b"1")
        except BaseException as problem:
            problems.append(problem)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert problems == []
    assert (tmp_path / "a").read_bytes() == b"1"


def test_text_is_written_as_before(tmp_path):
    write_text(str(tmp_path / "t"), "ü\r\nx\n")
    assert (tmp_path / "t").read_bytes() == "ü\r\nx\n".encode()


# The command itself, in a process of its own


BOTH = ["--operator", "Reply=answer", "--operator", "Blur=age"]
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
from ppdm_formal.cli import main
main(sys.argv[1:])
"""
NAMED = "import os\nvars(os).pop('O_TMPFILE', None)\n"
"""Before it: what is being written has temporary names, as on systems that know no others."""


def table(folder, rows=60_000):
    write_model(folder)
    path = folder / "in.parquet"
    pq.write_table(
        pa.table({"answer": ["yes", "no", "unsure"] * (rows // 3), "age": [7] * rows}), path
    )
    return ["randomize", str(path), "--model", str(folder / "model.ppdm"), *BOTH]


@pytest.mark.parametrize("target", ["out.csv.gz", "out.parquet"])
def test_a_full_disk(tmp_path, target):
    """The limit on a file's size stands for the disk: writing fails in the same places."""
    command = [*table(tmp_path), "-o", str(tmp_path / target)]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED.format(limit=20_000), *command],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert f"{target}: File too large" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "model.ppdm"]


def test_a_disk_that_holds_the_data_and_not_their_description(tmp_path):
    command = [*table(tmp_path, 30), "-o", str(tmp_path / "out.csv")]
    done = subprocess.run(
        [sys.executable, "-c", LIMITED.format(limit=700), *command], capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    assert "out.csv: File too large" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["in.parquet", "model.ppdm"]


@pytest.mark.parametrize("target", ["out.dat", "out.parquet"])
def test_a_full_disk_with_transactions(tmp_path, target):
    write_plan(tmp_path)
    (tmp_path / "in.dat").write_text("1 2 3\n" * 5000)
    command = ["randomize", str(tmp_path / "in.dat"), "--plan", str(tmp_path / "plan.json")]
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            LIMITED.format(limit=20_000),
            *command,
            "-o",
            str(tmp_path / target),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert f"{target}: File too large" in done.stderr
    assert sorted(os.listdir(tmp_path)) == ["in.dat", "plan.json"]


WAITING = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored where the tests were started so
from ppdm_formal.run import table_release

judged = table_release._judged

def slowly(*arguments):
    print("running", flush=True)
    sys.stdin.readline()
    return judged(*arguments)

table_release._judged = slowly
from ppdm_formal.cli import main
main(sys.argv[1:])
"""


@pytest.mark.parametrize(
    ("number", "code", "target"),
    [
        (signal.SIGINT, 130, "out.parquet"),
        (signal.SIGTERM, 143, "out.csv.gz"),
        (signal.SIGHUP, 129, "out.parquet"),
    ],
)
def test_stopped_in_the_middle(tmp_path, number, code, target, signals_as_usual):
    command = [*table(tmp_path), "-o", str(tmp_path / target)]
    before = tmp_path / f"{target}.release.json"
    before.write_text("earlier")
    with subprocess.Popen(
        [sys.executable, "-c", NAMED + WAITING, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "running\n"
        assert len(os.listdir(tmp_path)) > 3  # it is writing, under temporary names
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in errors
    assert sorted(os.listdir(tmp_path)) == sorted(["in.parquet", "model.ppdm", before.name])
    assert before.read_text() == "earlier"


@pytest.mark.parametrize("before", ["", NAMED])
def test_a_killed_process_leaves_no_release(tmp_path, before):
    """Nobody can catch SIGKILL: nothing is left, or under a temporary name, and no release."""
    nothing = not before and has_nameless(tmp_path)
    command = [*table(tmp_path), "-o", str(tmp_path / "out.csv")]
    there = set(os.listdir(tmp_path))
    with subprocess.Popen(
        [sys.executable, "-c", before + WAITING, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout.readline() == b"running\n"
        process.kill()
    left = set(os.listdir(tmp_path)) - there
    assert not left & {"out.csv", "out.csv.release.json"}
    assert len(left) == (0 if nothing else 2)


def test_data_without_their_description_are_refused(tmp_path):
    """What a crash between the two names could leave: refused, not guessed at."""
    command = [*table(tmp_path, 300), "-o", str(tmp_path / "out.csv")]
    from ppdm_formal.cli import run

    assert run(command) == 0
    first = (tmp_path / "out.csv").read_bytes()
    assert run(command) == 0
    (tmp_path / "out.csv").write_bytes(first)
    with pytest.raises(ValueError, match="not the data that were released"):
        Release.read(tmp_path / "out.csv")


@pytest.mark.parametrize(
    "line",
    ["mine FILE --plain --min-support 2", "estimate FILE", "reconstruct FILE", "expand FILE -o x"],
)
@pytest.mark.parametrize("name", ["", ".", ".release.json"])
def test_a_name_that_names_no_file(line, name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run([name if word == "FILE" else word for word in line.split()]) == 2
    assert "internal error" not in capsys.readouterr().err
