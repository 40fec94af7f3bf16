"""Data and their description change together, whatever stops the writer: the old pair or the new.

Every call to the system that changes a folder is, one after the other, the last one that a writer
makes (it is killed), or fails. Afterwards a reader finds both old files, or both new ones.
"""

import errno
import gc
import hashlib
import json
import os
import shutil
import stat
import subprocess
import sys

import pytest
from release_cases import write_model

from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import note_beside, settle, write_text, written_together
from ppdm_formal.run.release import Release

CALLS = ("link", "rename", "replace", "unlink", "fsync", "fchmod")
OLD, NEW, NONE = (b"old data", b"old words"), (b"new data", b"new words"), (None, None)


@pytest.fixture(autouse=True)
def _quick_disk(monkeypatch):
    """What reaches the disk cannot be tested here; when it is asked for can."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def _quick_collector():
    """gc.collect() looks at what is made from here on, not at all that the tests have loaded."""
    gc.collect()
    gc.freeze()  # for good, as in conftest.py: to unfreeze would bring back all


class Killed(BaseException):
    """No process goes on after this."""


class Faults:
    """The n-th call fails: then all others too (killed), or none, or all with an error."""

    def __init__(self, monkeypatch, at, kind):
        self.at, self.kind, self.made = at, kind, 0
        for name in CALLS:
            monkeypatch.setattr(os, name, self.around(getattr(os, name)))

    def around(self, call):
        def made(*arguments, **named):
            self.made += 1
            if self.made == self.at or (self.made > self.at and self.kind != "once"):
                if self.kind == "killed":
                    raise Killed
                code = errno.ENOSPC if self.kind == "full" else errno.EIO
                raise OSError(code, os.strerror(code))
            return call(*arguments, **named)

        return made


def contents(paths):
    return tuple(path.read_bytes() if path.exists() else None for path in paths)


def write_pair(paths):
    with written_together(*paths) as files:
        for file, content in zip(files, NEW, strict=True):
            file.write(content)


def until_all_is_done(folder, monkeypatch, kind, before):
    """For each number of calls: the folder after a writer that was stopped there."""
    for at in range(1, 100):
        here = folder / f"{kind}{at}"
        here.mkdir()
        paths = (here / "d.csv", here / "d.csv.release.json")
        for path, content in zip(paths, before, strict=True):
            if content is not None:
                path.write_bytes(content)
        with monkeypatch.context() as patch:
            faults = Faults(patch, at, kind)
            try:
                write_pair(paths)
                failed = False
            except (Killed, OSError):
                failed = True
        yield at, paths, failed
        if faults.made < at:
            assert not failed
            return
    raise AssertionError("more calls than expected")


@pytest.fixture(params=["nameless", "named"])
def staging(request, monkeypatch):
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    return request.param


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("_quick_collector")
@pytest.mark.parametrize("before", [OLD, NONE, (OLD[0], None), (None, OLD[1])])
def test_a_killed_writer_leaves_the_old_pair_or_the_new(tmp_path, monkeypatch, staging, before):
    seen = set()
    for at, paths, _ in until_all_is_done(tmp_path, monkeypatch, "killed", before):
        gc.collect()  # the system closes the files of a dead process
        left = contents(paths)
        settle(paths[0])
        found = contents(paths)
        assert found in (before, NEW), at
        seen.add((left == found, found == NEW))
        write_pair(paths)  # and the next writer is not in anyone's way
        assert contents(paths) == NEW
        if staging == "nameless":
            assert sorted(os.listdir(paths[0].parent)) == [path.name for path in paths], at
    assert seen == {(True, False), (True, True), (False, True)}  # also pairs that are put together


@pytest.mark.usefixtures("staging")
@pytest.mark.parametrize("kind", ["once", "always", "full"])
@pytest.mark.parametrize("before", [OLD, NONE, (OLD[0], None)])
def test_a_writer_that_fails_destroys_nothing(tmp_path, monkeypatch, kind, before):
    monkeypatch.setattr("ppdm_formal.declare.machine.appearing.PATIENCE", 0.1)  # nobody is at work
    for at, paths, failed in until_all_is_done(tmp_path, monkeypatch, kind, before):
        left = contents(paths)
        settle(paths[0])
        assert contents(paths) in (before, NEW), at
        if kind == "once" and failed:
            assert left == before, at
            assert not [name for name in os.listdir(paths[0].parent) if "before" in name]


def test_a_file_that_can_get_no_name_is_written_again(tmp_path, monkeypatch):
    """As where /proc is not mounted."""

    def no_proc(*_):
        raise FileNotFoundError(errno.ENOENT, "No such file or directory")

    monkeypatch.setattr("ppdm_formal.declare.machine.staging._link", no_proc)
    write_pair((tmp_path / "d", tmp_path / "e"))
    assert contents((tmp_path / "d", tmp_path / "e")) == NEW
    assert sorted(os.listdir(tmp_path)) == ["d", "e"]


def test_an_error_at_the_second_name_keeps_the_older_pair(tmp_path, monkeypatch):
    paths = (tmp_path / "d", tmp_path / "e")
    for path, content in zip(paths, OLD, strict=True):
        path.write_bytes(content)
    replace = os.replace

    def second_fails(source, target):
        if str(target) == str(paths[1]):
            raise OSError(errno.EIO, "Input/output error", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", second_fails)
    with pytest.raises(OSError, match="Input/output error"):
        write_pair(paths)
    assert contents(paths) == OLD
    assert sorted(os.listdir(tmp_path)) == ["d", "e"]


def test_where_files_have_no_second_names_an_error_waits_for_the_next_start(tmp_path, monkeypatch):
    """Without os.link the older data cannot be brought back: the newer pair is completed."""
    paths = (tmp_path / "d", tmp_path / "e")
    for path, content in zip(paths, OLD, strict=True):
        path.write_bytes(content)
    replace = os.replace

    def second_fails(source, target):
        if str(target) == str(paths[1]):
            raise OSError(errno.EIO, "Input/output error", str(target))
        replace(source, target)

    def no_links(*_, **__):
        raise OSError(errno.EPERM, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.delattr(os, "O_TMPFILE", raising=False)
        patch.setattr(os, "link", no_links)
        patch.setattr(os, "replace", second_fails)
        with pytest.raises(OSError, match="the next command that reads or writes it"):
            write_pair(paths)
    assert contents(paths) == (NEW[0], OLD[1])
    settle(paths[0])
    assert contents(paths) == NEW
    assert sorted(os.listdir(tmp_path)) == ["d", "e"]


def killed_between(paths, monkeypatch):
    """A writer that was killed between the two names."""
    replace = os.replace

    def second_kills(source, target):
        if str(target) == os.path.realpath(paths[1]):
            raise Killed
        replace(source, target)

    def dead(*_, **__):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", second_kills)
        patch.setattr("ppdm_formal.declare.machine.appearing._taken_back", dead)
        with pytest.raises(Killed):
            write_pair(paths)


def test_links_are_followed_when_a_pair_is_completed(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    real = (tmp_path / "a" / "d", tmp_path / "b" / "e")
    links = (tmp_path / "d", tmp_path / "e")
    for path, link, content in zip(real, links, OLD, strict=True):
        path.write_bytes(content)
        link.symlink_to(path)
    killed_between(links, monkeypatch)
    assert contents(links) == (NEW[0], OLD[1])
    settle(links[0])
    assert contents(links) == NEW
    assert all(link.is_symlink() for link in links)
    assert os.listdir(tmp_path / "a") == ["d"]
    assert os.listdir(tmp_path / "b") == ["e"]


def test_a_folder_may_be_moved_before_the_pair_is_completed(tmp_path, monkeypatch):
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    killed_between((here / "d", here / "e"), monkeypatch)
    shutil.move(here, there)
    settle(there / "d")
    assert contents((there / "d", there / "e")) == NEW


@pytest.mark.parametrize("damage", ["edit", "remove"])
def test_only_what_was_staged_is_put_in_place(tmp_path, monkeypatch, damage):
    """A staged file that is not the one noted is nobody's: back to the older pair."""
    paths = (tmp_path / "d", tmp_path / "e")
    for path, content in zip(paths, OLD, strict=True):
        path.write_bytes(content)
    killed_between(paths, monkeypatch)
    [staged] = [
        name for name in os.listdir(tmp_path) if name.startswith(".e.") and "before" not in name
    ]
    if damage == "edit":
        (tmp_path / staged).write_bytes(b"other")
    else:
        (tmp_path / staged).unlink()
    settle(paths[0])
    assert contents(paths) == OLD
    assert sorted(os.listdir(tmp_path)) == ["d", "e"]


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"{}",
        b"[]",
        b'{"format": "ppdm-pending/1", "token": "../x", "files": []}',
        json.dumps(
            {
                "format": "ppdm-pending/1",
                "token": "00000000",
                "files": [{"place": "other", "sha256": hashlib.sha256(b"x").hexdigest()}] * 2,
            }
        ).encode(),
    ],
)
def test_a_note_that_is_none_moves_nothing(tmp_path, written):
    paths = (tmp_path / "d", tmp_path / "e")
    note_beside(paths[0]).write_bytes(written)
    (tmp_path / ".other.00000000").write_bytes(b"x")
    with pytest.raises(OSError, match="not a note"):
        settle(paths[0])
    assert not (tmp_path / "other").exists()


def test_a_writer_at_work_is_waited_for(tmp_path, monkeypatch):
    """Its note is held: nobody else moves its files."""
    monkeypatch.setattr("ppdm_formal.declare.machine.appearing.PATIENCE", 0.1)
    paths = (tmp_path / "d", tmp_path / "e")
    replace, tried = os.replace, []

    def reader(source, target):
        with pytest.raises(OSError, match="another process is writing"):
            settle(paths[0])
        tried.append(target)
        replace(source, target)

    monkeypatch.setattr(os, "replace", reader)
    write_pair(paths)
    assert len(tried) == 2
    assert contents(paths) == NEW


@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o444])
def test_a_mode_stays(tmp_path, many, mode):
    paths = [tmp_path / name for name in "de"[:many]]
    for path in paths:
        path.write_bytes(b"")
        path.chmod(mode)
    with written_together(*paths):
        pass
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {mode}
    (tmp_path / "t").write_text("")
    (tmp_path / "t").chmod(mode)
    write_text(str(tmp_path / "t"), "x")
    assert stat.S_IMODE((tmp_path / "t").stat().st_mode) == mode


@pytest.mark.parametrize("mask", [0o077, 0o022])
def test_a_new_file_has_the_mode_that_the_umask_says(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_text(str(tmp_path / "t"), "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "t").stat().st_mode) == 0o666 & ~mask


def test_files_and_folders_are_synced_before_and_after_the_names(tmp_path, monkeypatch):
    done = []
    sync, replace = os.fsync, os.replace
    kind = lambda handle: "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"  # noqa: E731
    monkeypatch.setattr(os, "fsync", lambda handle: (done.append(kind(handle)), sync(handle)))
    monkeypatch.setattr(os, "replace", lambda *to: (done.append("name"), replace(*to)))
    write_pair((tmp_path / "d", tmp_path / "e"))
    assert done == ["file", "file", "file", "folder", "name", "name", "folder"]
    done.clear()
    write_text(str(tmp_path / "t"), "x")
    assert done == ["file", "name", "folder"]


# The command itself


def randomized(folder):
    write_model(folder)
    (folder / "in.csv").write_text("answer,age\n" + "yes,7\nno,8\n" * 300)
    return [
        "randomize", str(folder / "in.csv"), "--model", str(folder / "model.ppdm"),
        "--operator", "Reply=answer", "-o", str(folder / "out.csv"),
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("when", [1, 2])
@pytest.mark.parametrize("older", [True, False])
def test_a_release_survives_a_kill_at_each_rename(tmp_path, when, older):
    command = randomized(tmp_path)
    before = None
    if older:
        assert run(command) == 0
        before = Release.read(tmp_path / "out.csv")
    killed = subprocess.run(
        ["strace", "-f", "-qq", "-o", os.devnull, "-e", "trace=rename",
         "-e", f"inject=rename:signal=KILL:when={when}",
         sys.executable, "-m", "ppdm_formal.cli", *command],
        capture_output=True,
    )  # fmt: skip
    if b"ptrace" in killed.stderr:
        pytest.skip("processes may not be traced here")
    assert killed.returncode != 0
    found = Release.read(tmp_path / "out.csv")
    assert found != before  # the note was complete: the newer pair is put together
    assert found.tally.rows_out == 600
    left = {"in.csv", "model.ppdm", "out.csv", "out.csv.release.json"}
    assert set(os.listdir(tmp_path)) == left


def test_a_reader_that_may_not_write_says_what_to_do(tmp_path, monkeypatch):
    command = randomized(tmp_path)
    assert run(command) == 0
    killed_between((tmp_path / "out.csv", tmp_path / "out.csv.release.json"), monkeypatch)

    def refused(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refused)
    with pytest.raises(ValueError, match="cut off: a command that may write in this folder"):
        Release.read(tmp_path / "out.csv")


def test_data_that_were_changed_are_told_by_every_reader(tmp_path, capsys):
    command = randomized(tmp_path)
    assert run(command) == 0
    out = tmp_path / "out.csv"
    rows = out.read_text().splitlines(keepends=True)
    out.write_text("".join([rows[0], *reversed(rows[1:])]))
    for reader in (["estimate", str(out)],
                   ["mine", str(out), "--min-support", "5%"],
                   ["reconstruct", str(out)],
                   ["expand", str(out), "-o", str(tmp_path / "x.dat")]):  # fmt: skip
        capsys.readouterr()
        assert run(reader) == 2
        assert "not the data that were released" in capsys.readouterr().err, reader


def test_data_that_are_replaced_after_their_digest_was_checked_are_told(tmp_path):
    """Another release of the same model would pass for this one, cell by cell."""
    command = randomized(tmp_path)
    assert run(command) == 0
    first = Release.read(tmp_path / "out.csv")
    assert first.counts(["answer"]).sum() == 600
    assert run(command) == 0
    with pytest.raises(ValueError, match="changed while it was being read"):
        first.counts(["answer"])
    assert Release.read(tmp_path / "out.csv").counts(["answer"]).sum() == 600


def test_generated_data_are_told_from_others(tmp_path, capsys):
    (tmp_path / "in.csv").write_text("a,b\n" + "x,1\ny,2\nx,2\n" * 40)
    out = tmp_path / "out.csv"
    asked = ["generate", str(tmp_path / "in.csv"), "-o", str(out), "--method", "code-tree"]
    assert run([*asked, "--epsilon", "1", "--unprotected-domain", "--header"]) == 0
    evaluated = ["evaluate", str(tmp_path / "in.csv"), str(out), "--min-support", "10%"]
    assert run(evaluated) == 0
    out.write_text(out.read_text() + "x,1\n")
    capsys.readouterr()
    assert run(evaluated) == 2
    assert "another digest" in capsys.readouterr().err
