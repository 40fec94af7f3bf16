"""Columns of sets: reports of unary encodings and subset selection, 2^n of them, in tables."""

import csv
import itertools
import json
from fractions import Fraction

import numpy as np
import pyarrow.parquet as pq
import pytest

from ppdm_formal.cli import run
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.subsets import Subsets
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.recoverable import Recoverable
from ppdm_formal.infer.tables.collected import estimate
from ppdm_formal.infer.tables.set_reports import Holding, support_moments
from ppdm_formal.infer.undoing.counts import Counts
from ppdm_formal.infer.undoing.decoder import NotEstimable, TableDecoder
from ppdm_formal.infer.undoing.operator_channel import DenseChannel
from ppdm_formal.infer.undoing.scores import Scores
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.cells import Cells
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.randomize import randomize
from ppdm_formal.run.release import Release
from ppdm_formal.run.set_cells import MAX_SET_VALUES, SetCells

SMALL = [
    unary_encoding(5, keep="3/4"),
    unary_encoding(5, gamma=3),
    unary_encoding(4, keep=1, flip="1/5"),
    unary_encoding(4, keep="1/2", flip=0),
    unary_encoding(4, keep="1/2", flip=1),
    local_hashing(5, 3, gamma=4),
    subset_selection(5, gamma=3, chosen=2),
]


@pytest.mark.parametrize("domain", [Subsets(12), Subsets(12, 2)])
def test_cells_are_written_and_read_as_listed_ones_are(domain):
    listed, never = Cells(domain), SetCells(domain)
    texts = never.texts(Baskets.of(map(sorted, domain)))
    assert texts == listed.texts
    assert [frozenset(row) for row in never.sets(texts).lists()] == list(domain)
    odd = ["{}", " { 3 ,11} ", "{+3,011.0}", "{3, 3}", "{3,,4}", "{,}", "{12, 1}", "3", "", "{a}"]
    odd += ["{-1, 2}", "{3, 4", "{{3}, 4}", "nan", "{3 4}", "{٣, 4}", "{99999999999999999999, 1}"]
    odd += ["{3, 11,}", "(3, 11)", "{1_1, 3}", "{\n3, 11}"]
    for cell in odd:
        [place] = listed.positions([cell]).tolist()
        [found] = never.sets([cell]).lists()
        assert found == ([-1] if place < 0 else sorted(domain[place])), cell


def test_wrong_sets_among_others_keep_their_places():
    cells = SetCells(Subsets(5, 2))
    found = cells.sets(["{1, 2}", "x", "{4, 3}", "{1}", "{0, 1, 2}", "{0, 7}", "{0, 4}"])
    assert found.lists() == [[1, 2], [-1], [3, 4], [-1], [-1], [-1], [0, 4]]


def test_the_longest_cell_is_one_that_readers_of_csv_take():
    everything = Baskets.of([range(MAX_SET_VALUES)])
    [text] = SetCells(Subsets(MAX_SET_VALUES)).texts(everything)
    assert len(text) == 128_890 < csv.field_size_limit()
    with pytest.raises(DataError, match="at most 20,000"):
        SetCells(Subsets(MAX_SET_VALUES + 1))


@pytest.mark.parametrize("operator", SMALL)
def test_scores_and_possible_sizes_against_the_matrix(operator):
    """Sum over all sets by brute force: unbiased, and the same moments as through a table."""
    k, outputs = operator.inputs.size, list(operator.outputs)
    matrix = [[operator.law.entry(x, y) for y in range(len(outputs))] for x in range(k)]
    support = operator.law.support()
    apart = support.own - support.other
    table = [[((x in y) - support.other) / apart for x in range(k)] for y in outputs]
    for row, x in itertools.product(range(k), repeat=2):
        mean = sum(p * score[x] for p, score in zip(matrix[row], table, strict=True))
        assert mean == (row == x)
    for size in {len(y) for y in outputs}:
        given = [y for y, output in enumerate(outputs) if len(output) == size]
        assert operator.law.gives_size(size) == any(row[y] > 0 for row in matrix for y in given)
    rng = np.random.default_rng(3)
    real = np.array(matrix, dtype=float)
    drawn = rng.choice(len(outputs), 40, p=real[1])
    holding = Holding.of(k, [Baskets.of(sorted(outputs[y]) for y in drawn)])
    moments = support_moments(support.own, support.other, holding)
    scores = np.array(table, dtype=float)
    made = TableDecoder(scores, Recoverable.everything(k), real.mean(axis=0), True)
    counts = Counts.of_answers([len(outputs)], [drawn])
    oracle = Scores([made], counts, DenseChannel(real)).cells()
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
audit U { require amplification <= 81 }
audit S { require amplification <= 9 }
audit E { require epsilon <= 4 }
audit B { require amplification <= 8 }
"""
ALL = [part for name in "USEB" for part in ("--operator", f"{name}={name.lower()}")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("sets")
    (path / "model.ppdm").write_text(MODEL)
    rng = np.random.default_rng(7)
    rows = [np.minimum(rng.geometric(0.3, 3000) - 1, most) for most in (99, 39, 29, 2)]
    lines = [",".join(map(str, row)) for row in zip(*rows, range(3000), strict=True)]
    (path / "in.csv").write_text("u,s,e,b,id\n" + "\n".join(lines) + "\n")
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


def test_a_table_of_sets_from_end_to_end(folder, capsys):
    written = list(csv.reader((folder / "out.csv").read_text().splitlines()))
    assert written[0] == ["u", "s", "e", "b", "id"]
    assert [row[4] for row in written[1:]] == [str(k) for k in range(3000)]
    table = pq.read_table(folder / "out.parquet")
    assert table["u"].to_pylist() == [row[0] for row in written[1:]]
    assert all(cell.count(",") == 4 for cell in table["s"].to_pylist())
    truth = np.loadtxt(folder / "in.csv", delimiter=",", skiprows=1, dtype=int)
    found = estimate(folder / "out.csv")
    again = estimate(folder / "out.parquet")
    assert found.tables == again.tables
    assert found.simulated
    for column, part in enumerate(found.tables):
        cells = part.estimated
        shares = np.bincount(truth[:, column], minlength=len(cells)) / 3000
        off = [(c.estimate - share) / c.se_coins for c, share in zip(cells, shares, strict=True)]
        assert np.abs(off).max() < 4.5
        assert 0.6 < np.std(off) < 1.5 or len(cells) < 10
    held = sum("7" in row[0][1:-1].split(", ") for row in written[1:])
    wanted = (Fraction(held, 3000) - Fraction(1, 10)) / Fraction(8, 10)
    assert found.tables[0].estimated[7].estimate == pytest.approx(float(wanted), abs=1e-12)
    assert run(["estimate", str(folder / "out.csv"), "--json", "-"]) == 0
    operators = json.loads(capsys.readouterr().out)["operators"]
    assert [part["outputs"] for part in operators] == [str(2**100), 658008, 2**30, 3]


def test_what_sets_do_not_allow_is_said(folder):
    with pytest.raises(NotEstimable, match="column u holds sets of too many values"):
        estimate(folder / "out.csv", columns=["b", "u"])
    with pytest.raises(NotEstimable, match="use the unbiased method"):
        estimate(folder / "out.csv", columns=["u"], method="mle")
    release = Release.read(folder / "out.csv")
    with pytest.raises(ReleaseError, match="holds no sets"):
        list(release.set_blocks("b"))


def test_sets_in_python_are_estimated_in_any_container():
    operator = unary_encoding(60, keep="9/10", name="U")
    answers = randomize(operator, [3] * 200 + [5] * 100)
    found = estimate(operator, answers).tables[0]
    as_array = estimate(operator, np.array([*answers, None], dtype=object)[:-1]).tables[0]
    assert found == as_array
    assert found.estimated[3].low < 2 / 3 < found.estimated[3].high
    with pytest.raises(NotEstimable, match="value number 1"):
        estimate(operator, [{1}, {60}])
    with pytest.raises(NotEstimable, match="no value can give"):
        estimate(unary_encoding(60, keep="1/2", flip=0), [{1, 2}])
    with pytest.raises(NotEstimable, match="do not depend on the values"):
        estimate(unary_encoding(60, keep="1/2", flip="1/2"), [{1, 2}])


def test_numbers_of_outputs_with_thousands_of_digits_are_shown_as_powers():
    found = estimate(unary_encoding(20_000, keep="9/10"), [{3}, {3, 19_999}])
    assert "2^20000 outputs" in found._repr_html_()
