"""Bad input: refused with its place and a message that helps, quickly, in little memory."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import bad_models
import pytest

from ppdm_formal.declare.language.compiler import compile_text, load, load_csv
from ppdm_formal.declare.language.errors import ModelError

MARK = "«"


def place(text):
    before = text.partition(MARK)[0]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def test_there_are_many():
    groups = ("SYNTAX", "NAMES", "VALUES", "PROBABILITIES", "CLAIMS", "SIZES")
    assert len(bad_models.ALL) == sum(len(getattr(bad_models, group)) for group in groups)
    assert len(bad_models.ALL) > 150


@pytest.mark.parametrize("name", bad_models.ALL)
def test_bad_model(name):
    text, fragment = bad_models.ALL[name]
    with pytest.raises(ModelError) as caught:
        compile_text(text.replace(MARK, ""), "bad.ppdm")
    error = caught.value
    shown = str(error)
    assert fragment in shown
    assert shown.startswith("bad.ppdm")
    if name in bad_models.PLACED_ANYWHERE:
        assert error.place is not None
    elif MARK not in text:
        assert error.place is None
    else:
        assert (error.place.line, error.place.column) == place(text), shown
        lines = shown.splitlines()
        assert lines[0].startswith("bad.ppdm:{}:{}: ".format(*place(text)))
        carets = [k for k, line in enumerate(lines) if line.strip(" |") == "^"]
        if carets:
            source, caret = lines[carets[0] - 1], lines[carets[0]]
            column = caret.index("^")
            marked = text.partition(MARK)[2][:1]
            assert source[column : column + 1].strip() == (
                marked.strip() if marked.isprintable() else ""
            )


# -- files -------------------------------------------------------------------------------------


def refused(function, *arguments):
    with pytest.raises(ModelError) as caught:
        function(*arguments)
    return caught.value


def test_files_that_are_no_models(tmp_path):
    empty = tmp_path / "empty.ppdm"
    empty.write_bytes(b"")
    assert "the model is empty" in str(refused(load, empty))
    binary = tmp_path / "binary.ppdm"
    binary.write_bytes(b"domain A = 0..1\n# caf\xe9\n")
    error = refused(load, binary)
    assert (error.place.line, error.place.column) == (2, 6)
    assert "not UTF-8" in str(error)
    assert "a directory" in str(refused(load, tmp_path))
    missing = refused(load, tmp_path / "missing.ppdm")
    assert "No such file" in str(missing)
    assert str(missing).startswith(str(tmp_path / "missing.ppdm"))
    assert "cannot be read" in str(refused(load, "a\0b.ppdm"))
    large = tmp_path / "large.ppdm"
    large.write_bytes(b"#" * 9_000_000)
    assert "larger than" in str(refused(load, large))
    zeros = tmp_path / "zeros.ppdm"
    zeros.write_bytes(bytes(1000))
    assert "U+0000" in str(refused(load, zeros))


def test_a_byte_order_mark_and_carriage_returns_are_fine(tmp_path):
    file = tmp_path / "m.ppdm"
    file.write_bytes(b"\xef\xbb\xbfoperator R(x: 0..1) -> 0..1 {\r\n    return x\r\n}\r\n")
    assert load(file).operators["R"].probability(1, 1) == 1
    file.write_bytes(b"operator R(x: 0..1) -> 0..1 {\r\n    return xx\r\n}\r\n")
    error = refused(load, file)
    assert (error.place.line, error.place.column) == (2, 12)
    assert "    return xx\n" in str(error)


def test_the_caret_stands_under_wide_characters_and_tabs():
    text = 'operator R(x: {"日本", "é"}) -> {0} {\n\treturn "日本" + nowhere }'
    shown = str(refused(compile_text, text)).splitlines()
    assert shown[0].startswith("model:2:16: unknown name nowhere")
    assert shown[1] == '  2 |  return "日本" + nowhere }'
    assert shown[2] == "    |                  ^"


def test_other_line_separators_do_not_count_as_lines():
    error = refused(compile_text, "domain A = 0..1 # \u2028 \x0b \x85\ndomain A = 0..2")
    assert (error.place.line, error.place.column) == (2, 8)
    assert "domain A = 0..2" in str(error)


# -- matrices ----------------------------------------------------------------------------------

MATRICES = {
    "empty": ("", "the matrix is empty"),
    "blank lines": ("\n ,\n\n", "the matrix is empty"),
    "only a header": ("x,a,b\n", "no rows"),
    "one word": ("«hello\n", "without outputs"),
    "ragged": ("1/2,1/2\n«1\n", "a row of 1 entries; expected 2"),
    "ragged with labels": ("x,a,b\ny,1,0\n«z,1,0,0\n", "a row of 3 entries; expected 2"),
    "word among numbers": ("1/2,1/2\n0,«one\n", "one is not a number"),
    "empty cell": ("1/2,1/2\n1,«\n", "an empty cell"),
    "division by zero": ("1/2,1/2\n«1/0,1\n", "1/0 is not a number"),
    "a power of ten beyond reason": ("x,a,b\ny,«5e-1001,5e-1\n", "is not a number"),
    "semicolons": ("x,a,b\ny,«1;0,0\n", "kept apart by commas"),
    "two outputs alike": ("x,a,«a\ny,1,0\n", "the output a occurs twice"),
    "two inputs alike": ("x,a,b\ny,1,0\n«y,1,0\n", "the input y occurs twice"),
    "nameless output": ("x,a,«\ny,1,0\n", "an output without a name"),
    "nameless input": ("x,a,b\n«,1,0\n", "an input without a name"),
    "quote inside": ('x,a,b\n«"y"z,1,0\n', "not a CSV file"),
    "unfinished quote": ('x,a,b\n«"y,1,0\n', "not a CSV file"),
    "zero byte": ("1,0\0\n", "zero byte"),
    "long number": ("x,a,b\ny,«" + "1" * 2000 + ",0\n", "is not a number"),
    "row sum": ("1/2,1/2\n«1/2,1/3\n", "the row of 1 sums to 5/6, not to 1"),
    "row sum with labels": ("x,a,b\ny,1,0\n«z,1/2,1/3\n", "the row of z sums to 5/6"),
    "below 0": ("«3/2,-1/2\n0,1\n", "3/2 is not between 0 and 1"),
}


@pytest.mark.parametrize("name", MATRICES)
def test_bad_matrix(name, tmp_path):
    text, fragment = MATRICES[name]
    file = tmp_path / "matrix.csv"
    file.write_bytes(text.replace(MARK, "").replace("\n", "\r\n").encode())
    error = refused(load_csv, file)
    assert fragment in str(error)
    assert str(error).startswith(str(file))
    if MARK in text:
        assert (error.place.line, error.place.column) == place(text), str(error)


def test_csv_files_of_a_model(tmp_path):
    model = tmp_path / "models" / "m.ppdm"
    model.parent.mkdir()
    (tmp_path / "outside.csv").write_text("1,0\n0,1\n")

    def complaint(path, content=None, sets="(x: {a, b}) -> {c, d}"):
        if content is not None:
            (model.parent / path).write_text(content)
        model.write_text(f'operator R{sets} = csv("{path}")')
        return str(refused(load, model))

    for path in ("../outside.csv", str(tmp_path / "outside.csv"), "x/../../outside.csv", "", "."):
        assert "is not beside the model" in complaint(path)
    assert "No such file" in complaint("missing.csv")
    assert "file name too long" in complaint("x" * 5000).lower()
    assert "4 x 1 numbers, not 2 x 2" in complaint("m.csv", "1\n1\n1\n1\n")
    assert "lacks the input b" in complaint("m.csv", "x,c,d\na,1,0\n")
    assert "has the output e, which is not in {c, d}" in complaint(
        "m.csv", "x,c,d,e\na,1,0,0\nb,1,0,0"
    )
    shown = complaint("m.csv", "x,d,c\nb,1/2,1/3\na,1,0\n")
    assert "the row of b sums to 5/6, not to 1" in shown
    assert "line 2 of m.csv" in shown
    shown = complaint("m.csv", "x,c,d\na,1,zero\nb,1,0")
    assert shown.startswith(str(model.parent / "m.csv") + ":2:5: zero is not a number")


# -- time and memory ---------------------------------------------------------------------------

CHILD = """
    import re, sys, time
    import bad_models
    from ppdm_formal.declare.language.compiler import compile_text
    from ppdm_formal.declare.language.errors import ModelError

    compile_text("domain D = 0..1")
    for name, (text, _) in bad_models.ALL.items():
        started = time.process_time()
        try:
            compile_text(text.replace("«", ""))
        except ModelError:
            pass
        else:
            sys.exit(f"{name}: not refused")
        spent = time.process_time() - started
        if spent > 2:
            sys.exit(f"{name}: {spent:.1f} s")
    # Not ru_maxrss: a child inherits that of the process that forked it.
    used = int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1])
    if used > 512 * 1024:
        sys.exit(f"{used // 1024} MiB")
"""


def test_absurd_models_take_little_time_and_memory():
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(CHILD)],
        env={"PYTHONPATH": f"{here}:{here.parents[1]}", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_what_is_large_but_reasonable_works():
    terms = "+".join(["x"] * 10_000)
    compile_text(f"operator R(x: 0..9) -> 0..9 {{ return ({terms}) mod 10 }}")
    arms = "\nelse ".join(f"if x == {k} {{ return {k % 10} }}" for k in range(1000))
    operator = compile_text(
        f"operator R(x: 0..999) -> 0..9 {{\n{arms}\nelse {{ return 0 }}\n}}"
    ).operators["R"]
    assert operator.probability(999, 9) == 1
    deep = "(" * 90 + "x" + ")" * 90
    compile_text(f"operator R(x: 0..9) -> 0..9 {{ return {deep} }}")
    nested = "if x == 0 { " * 50 + "return 1" + " }" * 50
    compile_text(f"operator R(x: 0..9) -> 0..9 {{ {nested}\nreturn 0 }}")
    deeper = "min(" * 90 + "x" + ", 9)" * 90
    compile_text(f"operator R(x: 0..9) -> 0..9 {{ return {deeper} }}")
    sets = "(" * 90 + "0..9" + " \\ {x})" * 90
    compile_text(f"operator R(x: 0..9) -> 0..9 {{ return uniform({sets}) }}")
    compile_text("operator R(x: 0..999) -> 0..999 { return uniform(0..x) }")
    compile_text("domain D = 0..999999\nprior X on D = uniform\nproperty P on D = x mod 7 == 3")


def test_a_link_out_of_the_models_folder_is_not_followed(tmp_path):
    """What the file holds is not shown either."""
    folder = tmp_path / "models"
    folder.mkdir()
    (tmp_path / "secret.csv").write_text("password,hunter2\n")
    (folder / "real.csv").write_text("1,0\n0,1\n")
    (folder / "m.csv").symlink_to(tmp_path / "secret.csv")
    (folder / "n.csv").symlink_to("real.csv")
    (folder / "out").symlink_to(tmp_path)
    model = folder / "model.ppdm"
    for name in ("m.csv", "out/secret.csv"):
        model.write_text(f'operator R(x: 0..1) -> 0..1 = csv("{name}")')
        shown = str(refused(load, model))
        assert "outside the model's folder" in shown
        assert "hunter2" not in shown
        assert "password" not in shown
    model.write_text('operator R(x: 0..1) -> 0..1 = csv("n.csv")')
    assert load(model).operators["R"].probability(1, 1) == 1
    linked = tmp_path / "elsewhere"
    linked.symlink_to(folder)  # the folder itself may be reached through a link
    assert load(linked / "model.ppdm").operators["R"].probability(1, 1) == 1


def test_values_that_look_alike_in_a_file(tmp_path):
    (tmp_path / "m.csv").write_text("x,a,b\n1,1,0\n2,0,1\n")
    model = tmp_path / "model.ppdm"
    model.write_text('operator R(x: {"1", "2"}) -> {a, b} = csv("m.csv")')
    assert load(model).operators["R"].probability("1", "a") == 1
    model.write_text('operator R(x: {1, "1"}) -> {a, b} = csv("m.csv")')
    assert "look alike" in str(refused(load, model))
