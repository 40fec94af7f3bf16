"""Columns of sets: reports of unary encodings and subset selection, 2^n of them, in tables."""

import csv
import itertools
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ppdm_formal.cli import run
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.recoverable import Recoverable
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.infer.tables.set_reports import support_moments
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.decoder import NotEstimable, TableDecoder
from ppdm_formal.infer.undoing.operator_channel import DenseChannel
from ppdm_formal.infer.undoing.scores import Scores
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.randomize import randomize
from ppdm_formal.run.release import Release

SMALL = [
    unary_encoding(5, keep="3/4"),
    unary_encoding(5, gamma=3),
    unary_encoding(4, keep=1, flip="1/5"),
    unary_encoding(4, keep="1/2", flip=0),
    unary_encoding(4, keep="1/2", flip=1),
    local_hashing(5, 3, gamma=4),
    subset_selection(5, gamma=3, chosen=2),
]


@pytest.mark.parametrize("operator", SMALL)
def test_scores_against_the_matrix(operator):
    """Sum over all outputs by brute force: unbiased, and the same moments as through a table."""
    k, outputs, report = operator.inputs.size, list(operator.outputs), operator.report
    matrix = [[operator.law.entry(x, y) for y in range(len(outputs))] for x in range(k)]
    possible = [j for j in range(len(outputs)) if any(row[j] for row in matrix)]
    speaks = {}
    for j in possible:
        counts = np.zeros(k, dtype=np.int64)
        report.add_supports(report.of_values([outputs[j]]), counts)
        speaks[j] = counts
    support = operator.law.support()
    apart = support.own - support.other
    table = [[(int(n) - support.other) / apart for n in speaks[j]] for j in possible]
    for row, x in itertools.product(range(k), repeat=2):
        chances = [matrix[row][j] for j in possible]
        assert sum(p * score[x] for p, score in zip(chances, table, strict=True)) == (row == x)
    rng = np.random.default_rng(3)
    real = np.array(matrix, dtype=float)[:, possible]
    drawn = rng.choice(len(possible), 40, p=real[1])
    times = sum(speaks[possible[y]] for y in drawn)
    moments = support_moments(support.own, support.other, 40, times)
    scores = np.array(table, dtype=float)
    made = TableDecoder(scores, Recoverable.everything(k), real.mean(axis=0), True)
    counted = Counts.of_answers([len(possible)], [drawn])
    oracle = Scores([made], counted, DenseChannel(real)).cells()
    for found, wanted in zip(
        [moments.first, moments.second, *moments.fitted],
        [oracle.first, oracle.second, *oracle.fitted],
        strict=True,
    ):
        assert np.allclose(found, wanted, rtol=1e-9, atol=1e-12)


MODEL = """
operator U = unary_encoding(values: 100, keep: 9/10)
operator S = subset_selection(values: 40, gamma: 9, chosen: 5)
operator E = unary_encoding(values: 30, epsilon: 4)
operator B = randomized_response(values: 3, keep: 4/5)
operator H = local_hashing(values: 150, buckets: 12, gamma: 40)
operator R = rappor(bits: 20, hashes: 2, f: 1/4)
audit U { require amplification <= 81 }
audit S { require amplification <= 9 }
audit E { require epsilon <= 4 }
audit B { require amplification <= 8 }
audit H { require amplification <= 40 }
audit R { require amplification <= 2401 }
"""
ALL = [part for name in "USEBHR" for part in ("--operator", f"{name}={name.lower()}")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets")
    (path / "model.ppdm").write_text(MODEL)
    rng = np.random.default_rng(7)
    rows = [np.minimum(rng.geometric(0.3, 3000) - 1, most) for most in (99, 39, 29, 2, 149)]
    filters = [f'"{{{x}, {x + 7}}}"' for x in rows[3]]
    lines = [",".join(map(str, row)) for row in zip(*rows, filters, range(3000), strict=True)]
    (path / "in.csv").write_text("u,s,e,b,h,r,id\n" + "\n".join(lines) + "\n")
    for target in ("out.csv", "out.parquet"):
        given = [
            str(path / "in.csv"),
            "-o",
            str(path / target),
            "--model",
            str(path / "model.ppdm"),
        ]
        assert run(["randomize", *given, *ALL, "--keep", "id", "--simulate", "5"]) == 0
    return path


def test_a_table_of_packed_reports_from_end_to_end(folder, capsys):
    written = list(csv.reader((folder / "out.csv").read_text().splitlines()))
    assert written[0] == ["u", "s", "e", "b", "h", "r", "id"]
    assert [row[6] for row in written[1:]] == [str(k) for k in range(3000)]
    table = pq.read_table(folder / "out.parquet")
    assert [str(table.schema.field(name).type) for name in "useb"] == [
        "fixed_size_binary[13]", "fixed_size_binary[5]", "fixed_size_binary[4]", "int64",
    ]  # fmt: skip
    assert str(table.schema.field("h").type) == "struct<hash: int64, bucket: int32>"
    bits = unary_encoding(100, keep="9/10").report
    assert [row[0] for row in written[1:]] == bits.texts(bits.of_values(in_bits(table["u"])))
    assert [row[4] for row in written[1:]] == [
        f"({pair['hash']}, {pair['bucket']})" for pair in table["h"].to_pylist()
    ]
    truth = np.loadtxt(folder / "in.csv", delimiter=",", skiprows=1, dtype=int, usecols=range(5))
    names = ["u", "s", "e", "b", "h"]
    for column, name in enumerate(names):
        [part] = estimate(folder / "out.csv", columns=[name]).tables
        assert estimate(folder / "out.parquet", columns=[name]).tables == (part,)
        cells = part.estimated
        shares = np.bincount(truth[:, column], minlength=len(cells)) / 3000
        off = [(c.estimate - share) / c.se_coins for c, share in zip(cells, shares, strict=True)]
        assert np.abs(off).max() < 4.5
        assert 0.6 < np.std(off) < 1.5 or len(cells) < 10
    with pytest.raises(NotEstimable, match="is not estimated"):
        estimate(folder / "out.csv", columns=["r"])
    held = sum(7 in one for one in in_bits(table["u"]))
    wanted = (Fraction(held, 3000) - Fraction(1, 10)) / Fraction(8, 10)
    found = estimate(folder / "out.csv", columns=["u"])
    assert found.simulated
    assert found.tables[0].estimated[7].estimate == pytest.approx(float(wanted), abs=1e-12)
    assert run(["estimate", str(folder / "out.csv"), "--columns", "s", "--json", "-"]) == 0
    operators = json.loads(capsys.readouterr().out)["operators"]
    assert [part["outputs"] for part in operators] == [658008]


def in_bits(column):
    """The sets of packed bits, by Python's integers."""
    masks = [int.from_bytes(one, "little") for one in column.to_pylist()]
    return [frozenset(x for x in range(mask.bit_length()) if mask >> x & 1) for mask in masks]


def test_sets_in_cells_of_earlier_releases_are_read(folder, tmp_path):
    """The same reports, written as {2, 10}: the same counts, with a description of its own."""
    from ppdm_formal.infer.tables.tallied import Tallied
    from ppdm_formal.run.release import DataFile
    from ppdm_formal.run.streams import sha256_of

    release = Release.read(folder / "out.csv")
    sets = in_bits(pq.read_table(folder / "out.parquet")["u"])
    old = tmp_path / "old.csv"
    cells = ["{" + ", ".join(sorted(map(str, one))) + "}" for one in sets]
    old.write_text("u\n" + "".join(f'"{cell}"\n' for cell in cells))
    data = DataFile("old.csv", "csv", None, sha256_of(old))
    again = replace(
        release, data=data, columns=release.columns[:1], kept=(), path=old, checked=None
    )
    assert (
        Tallied.of(again).columns[0].counts.tolist()
        == Tallied.of(replace(release, columns=release.columns[:1])).columns[0].counts.tolist()
    )


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_a_damaged_report_is_refused_by_its_place(folder, tmp_path, format):
    target = tmp_path / f"out.{format}"
    release = Release.read(folder / f"out.{format}")
    if format == "csv":
        lines = (folder / "out.csv").read_text().splitlines()
        lines[4] = "!" + lines[4][1:]
        target.write_text("\n".join(lines))
        said = "line 5, column u: no output of U"
    else:
        table = pq.read_table(folder / "out.parquet")
        cells = table["u"].to_pylist()
        cells[3] = cells[3][:-1] + b"\xff"
        column = pa.array(cells, pa.binary(13))
        pq.write_table(table.set_column(0, "u", column), target)
        said = "row 4, column u: no output of U"
    damaged = replace(release, path=target, checked=None)
    with pytest.raises(ReleaseError, match=said):
        list(damaged.report_blocks("u"))


def test_what_sets_do_not_allow_is_said(folder):
    with pytest.raises(NotEstimable, match="column u holds sets of too many values"):
        estimate(folder / "out.csv", columns=["b", "u"])


def test_sets_in_python_are_estimated_in_any_container():
    operator = unary_encoding(60, keep="9/10", name="U")
    answers = randomize(operator, [3] * 200 + [5] * 100)
    found = estimate(operator, answers).tables[0]
    as_array = estimate(operator, np.array([*answers, None], dtype=object)[:-1]).tables[0]
    assert found == as_array
    assert found.estimated[3].low < 2 / 3 < found.estimated[3].high
    with pytest.raises(NotEstimable, match="value number 1"):
        estimate(operator, [{1}, {60}])
    with pytest.raises(NotEstimable, match="value number 0"):
        estimate(unary_encoding(60, keep="1/2", flip=0), [{1, 2}])
    with pytest.raises(NotEstimable, match="do not depend on the values"):
        estimate(unary_encoding(60, keep="1/2", flip="1/2"), [{1, 2}])


def test_numbers_of_outputs_with_thousands_of_digits_are_shown_as_powers():
    found = estimate(unary_encoding(20_000, keep="9/10"), [{3}, {3, 19_999}])
    assert "2^20000 outputs" in found._repr_html_()
