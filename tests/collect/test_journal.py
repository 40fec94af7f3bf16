"""The journal and the windows: whatever is cut off, what was acknowledged is there once."""

import errno
import os
import shutil
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made import accepted

from ppdm_formal.run.collect import windows as windows_file
from ppdm_formal.run.collect.journal import (
    MAX_GROUP,
    Damaged,
    Journal,
    Kept,
    NotKept,
    Replay,
    grouped,
)
from ppdm_formal.run.collect.windows import Windows
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.release import Release

batches = st.lists(
    st.builds(
        Kept, st.binary(min_size=16, max_size=16), st.integers(0, 2**32 - 1), st.binary(max_size=40)
    ),
    max_size=5,
)


def written(folder, some, name="j"):
    path = folder / name
    path.unlink(missing_ok=True)
    journal = Journal.create(path, {"window": 1})
    journal.append(some)
    journal.close()
    return path


@given(batches, st.data())
def test_cut_anywhere_whole_batches_stay(tmp_path_factory, some, data):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder, some)
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])
    replay = Replay(path)
    found = list(replay)
    line = content.index(b"\n") + 1
    ends = [line]
    for one in some:
        ends.append(ends[-1] + one.size)
    whole = sum(end <= cut for end in ends[1:])
    assert found == some[:whole]
    if cut >= line:
        assert (replay.end, replay.torn) == (ends[whole], cut - ends[whole])
        again = Journal.opened(path, replay.end)
        again.append(some[:1])
        again.close()
        assert list(Replay(path)) == some[:whole] + some[:1]
    else:
        assert not replay.begun


@given(batches.filter(bool), st.data())
def test_a_changed_byte_is_noticed(tmp_path_factory, some, data):
    folder = tmp_path_factory.getbasetemp()
    path = written(folder, some)
    content = bytearray(path.read_bytes())
    line = content.index(b"\n") + 1
    place = data.draw(st.integers(line, len(content) - 1))
    content[place] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    found = list(Replay(path))
    assert found == some[: len(found)]
    assert len(found) < len(some)


def test_damage_that_no_killed_process_leaves_is_refused(tmp_path):
    long = Kept(b"x" * 16, 1, bytes(MAX_GROUP // 2))
    path = tmp_path / "j"
    journal = Journal.create(path, {})
    for group in grouped([long] * 3):
        journal.append(group)
    journal.close()
    with path.open("r+b") as raw:
        raw.seek(100)
        raw.write(b"damage")
    with pytest.raises(Damaged, match="restore it from a copy"):
        list(Replay(path))
    path.write_bytes(b"something else\n")
    with pytest.raises(Damaged, match="not a journal"):
        Replay(path)


def test_groups_are_never_longer_than_can_be_told_apart():
    sizes = [MAX_GROUP // 3] * 10
    found = list(grouped(Kept(b"x" * 16, 1, bytes(size)) for size in sizes))
    assert sum(map(len, found)) == 10
    assert all(sum(one.size for one in group) <= MAX_GROUP for group in found)


def test_a_full_disk_keeps_what_was_there(tmp_path, monkeypatch):
    one, two = Kept(b"1" * 16, 1, b"a"), Kept(b"2" * 16, 1, b"b" * 50)
    path = tmp_path / "j"
    journal = Journal.create(path, {})
    journal.append([one])
    raw = journal._raw

    class Full:
        def write(self, data):
            raw.write(data[:20])
            raise OSError(errno.ENOSPC, "No space left on device")

        def __getattr__(self, name):
            return getattr(raw, name)

    journal._raw = Full()
    with pytest.raises(NotKept):
        journal.append([two])
    journal._raw = raw
    journal.append([two])
    assert list(Replay(path)) == [one, two]

    def failed(_):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fdatasync", failed)
    with pytest.raises(NotKept):
        journal.append([one])
    monkeypatch.undo()
    with pytest.raises(NotKept, match="earlier"):  # what the disk holds is not known any more
        journal.append([one])
    assert journal.broken
    journal.close()


def opened(folder):
    what = accepted(folder)
    return Windows(folder, what.digest, what.release), what


def kept(what, number, reports):
    return Kept(number.to_bytes(16, "big"), len(reports), what.packed(reports))


def closed(windows):
    windows.rotate()
    for number in windows.unfinished():
        windows.finish(number)


class Killed(Exception):
    """The process ends here."""


STEPS = ("_begun", "_identifiers_kept", "_release", "written_together", "unlink", "sync_folder")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_every_step_of_closing(tmp_path, monkeypatch, step, after):
    """Before and after each thing that is done, the folder is left as it is, and opened anew."""
    folder = tmp_path / "out"
    windows, what = opened(folder)
    windows.append([kept(what, 1, [0, 1]), kept(what, 2, [2])])

    def killing(work):
        def killed(*given, **named):
            if not after:
                raise Killed
            done = work(*given, **named)
            if isinstance(done, Journal):
                done.close()
            raise Killed

        return killed

    where = windows if hasattr(windows, step) else windows_file
    if step == "unlink":
        where = windows_file.Path
    monkeypatch.setattr(where, step, killing(getattr(where, step)))
    with pytest.raises(Killed):
        closed(windows)
    monkeypatch.undo()
    shutil.copytree(folder, tmp_path / "left")  # without the lock that this process holds
    again, _ = opened(tmp_path / "left")
    assert again.taken(1, (1).to_bytes(16, "big"))
    assert again.taken(1, (2).to_bytes(16, "big"))
    assert not again.taken(1, (3).to_bytes(16, "big"))
    again.append([kept(what, 3, [4])])
    closed(again)
    again.end()
    windows._journal.close()
    windows._lock.close()
    found = Counter()
    for path in again.closed():
        for (block,) in Release.read(path).blocks(["answer"]):
            found.update(block.tolist())
    assert found == Counter([0, 1, 2, 4])


def test_one_collector_at_a_time_and_one_operator(tmp_path):
    from ppdm_formal.declare.families.randomized_response import randomized_response

    windows, _ = opened(tmp_path / "out")
    with pytest.raises(DataError, match="another collector"):
        opened(tmp_path / "out")
    windows.end()
    other = accepted(tmp_path / "out", randomized_response(5, "1/3"))
    with pytest.raises(DataError, match="another operator"):
        Windows(other.folder, other.digest, other.release)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    with pytest.raises(DataError, match="not empty"):
        opened(tmp_path / "full")


def test_a_journal_of_another_window_is_refused(tmp_path):
    windows, what = opened(tmp_path)
    windows.append([kept(what, 1, [0])])
    windows.end()
    (tmp_path / "window-000001.journal").rename(tmp_path / "window-000003.journal")
    with pytest.raises(Damaged, match="another collection or window"):
        opened(tmp_path)
