"""The history of benchmarks: ratios alone are kept, and what grew since the last run is said."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent))
from benchmarks.history import record
from benchmarks.result import Result


def test_what_got_slower_is_said(tmp_path):
    def result(name, ratio):
        return Result("a question", "3 s", "soon", True, name, ratio)

    file = tmp_path / "history.csv"
    assert record([result("a, b", 1.0), result("c", 2.0), result("", None)], file) == []
    assert record([result("a, b", 1.2), result("d", 9.0)], file) == []
    said = record([result("a, b", 1.4), result("c", 2.6)], file)
    assert said == ["slower: c, 2.6 times its peer, 2 in the last run"]
    assert record([result("a, b", 1.8)], file) == [
        "slower: a, b, 1.8 times its peer, 1.4 in the last run"
    ]
    assert file.read_text().splitlines() == [
        "run,name,ratio", '1,"a, b",1', "1,c,2", '2,"a, b",1.2', "2,d,9",
        '3,"a, b",1.4', "3,c,2.6", '4,"a, b",1.8',
    ]  # fmt: skip
