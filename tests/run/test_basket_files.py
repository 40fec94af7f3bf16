"""Transactions read and written, cut down, and randomized: against lists and sets of Python."""

import gzip
import itertools
import lzma
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from draw_oracle import induced
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.run.basket_files import BasketFile, Items, create_baskets, open_baskets
from ppdm_formal.run.basket_release import BasketJob, release_baskets
from ppdm_formal.run.baskets import Baskets, sampled
from ppdm_formal.run.cells import EMPTY, OUTSIDE
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.group_reports import Policy
from ppdm_formal.run.release import Origin, Release, ReleasedGroup, ReleasedSize
from ppdm_formal.run.simulation import Simulation

NAMES = ["milk", "bread, white", "käse", 'the "best"', "7"]
transactions = st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=8)


@given(transactions, st.data())
def test_baskets_are_lists(rows, data):
    baskets = Baskets.of(rows)
    assert baskets.lists() == rows
    assert baskets.sizes.tolist() == list(map(len, rows))
    assert baskets.distinct().lists() == [sorted(set(row)) for row in rows]
    which = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=9)) if rows else []
    assert baskets.take(np.array(which, dtype=np.int64)).lists() == [rows[k] for k in which]


@pytest.mark.parametrize(("size", "target"), [(3, 1), (4, 2), (4, 3), (3, 0), (3, 3)])
def test_every_part_of_a_long_transaction_is_equally_likely(size, target):
    """All outcomes of the draws, enumerated; a second transaction does not disturb the first."""
    baskets = Baskets.of([range(size), [8, 9, 7][: max(target, 1)]])
    if target == 0:
        baskets = Baskets.of([range(size)])
    law = induced(lambda bits: tuple(map(tuple, sampled(baskets, target, bits).lists())))
    alone = {}
    for outcome, mass in law.items():
        alone[outcome[0]] = alone.get(outcome[0], Fraction(0)) + mass
    parts = list(itertools.combinations(range(size), target))
    assert alone == dict.fromkeys(parts, Fraction(1, len(parts)))


def read(path, items, column=None):
    with open_baskets(BasketFile.named(path), items, column) as reader:
        blocks = list(reader.blocks())
    return [row for b in blocks for row in b.baskets.lists()], [p for b in blocks for p in b.places]


@pytest.mark.parametrize("name", ["in.dat", "in.dat.gz", "in.dat.xz"])
def test_fimi(tmp_path, name):
    path = tmp_path / name
    packed = {".gz": gzip.compress, ".xz": lzma.compress}.get(path.suffix, bytes)
    path.write_bytes(packed("\ufeff1 2 3 \n\n 0\t4\r\n5 x -1".encode()))
    assert read(path, Items(5)) == (
        [[1, 2, 3], [], [0, 4], [OUTSIDE, OUTSIDE, OUTSIDE]],
        [1, 2, 3, 4],
    )


def test_csv_baskets_by_name(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text('milk,"bread, white"\n\nkäse,"the ""best""",7,\n"mi\nlk",milk\n')
    assert read(path, Items(5, NAMES)) == (
        [[0, 1], [], [2, 3, 4, EMPTY], [OUTSIDE, 0]],
        [1, 2, 3, 4],
    )


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[0, 1], None, [], [2, None, 9]]),
        pa.array([["milk", "bread, white"], None, [], ["käse", None, "x"]]),
        pa.array([[0, 1], None, [], [2, None, 9]], pa.large_list(pa.uint8())),
    ],
    ids=["numbers", "names", "large"],
)
def test_parquet_lists(tmp_path, column):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"who": [1, 2, 3, 4], "what": column}), path)
    items = Items(5, NAMES) if pa.types.is_string(column.type.value_type) else Items(5)
    expected = [[0, 1], [EMPTY], [], [2, EMPTY, OUTSIDE]]
    assert read(path, items) == (expected, [1, 2, 3, 4])
    assert read(path, items, "what") == (expected, [1, 2, 3, 4])
    with pytest.raises(DataError, match="no column of lists named who"):
        read(path, items, "who")


def test_parquet_needs_one_column_of_lists(tmp_path):
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"a": [[1]], "b": [[2]], "c": [[True]]}), path)
    with pytest.raises(DataError, match="3 columns hold lists; name one with --column"):
        read(path, Items(5))
    assert read(path, Items(5), "b")[0] == [[2]]
    with pytest.raises(DataError, match="type bool"):
        read(path, Items(5), "c")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\nb\n a \n", "line 3: the item of line 1 again"),
        (b"a\n\nb\n", "line 2: an item needs a name"),
        (b"", "empty"),
        (b"a\n\xff\n", "line 2: not UTF-8"),
    ],
)
def test_bad_lists_of_items(tmp_path, content, why):
    path = tmp_path / "items.txt"
    path.write_bytes(content)
    with pytest.raises(DataError, match=why):
        Items.read(path)


def test_items_have_a_limit():
    with pytest.raises(DataError, match="at most 16,777,216"):
        Items(2**24 + 1)


def test_names_that_fimi_cannot_hold(tmp_path):
    for use in (open_baskets, lambda file, items: create_baskets(file, None, items)):
        with (
            pytest.raises(DataError, match="separate items by blanks"),
            use(BasketFile.named(tmp_path / "x.dat"), Items(5, NAMES)),
        ):
            pass


@pytest.mark.parametrize("name", ["out.dat", "out.dat.gz", "out.csv", "out.csv.xz", "out.parquet"])
@pytest.mark.parametrize("named", [False, True])
def test_what_is_written_is_read_back(tmp_path, name, named):
    names = NAMES if ".dat" not in name else ["a", "b,c", '"', "9", "0"]
    items = Items(5, names) if named else Items(5)
    file = BasketFile.named(tmp_path / name)
    rows = [[0, 4], [], [1, 2, 3], []]
    with file.path.open("wb") as raw, create_baskets(file, raw, items) as writer:
        writer.write("all", 2, Baskets.of(rows[:2]))
        writer.write("all", 3, Baskets.of(rows[2:]))
        writer.finish({})
    assert read(file.path, items, "items" if name.endswith("parquet") else None)[0] == rows


def plan_sizes(items, sizes):
    return [
        ReleasedSize(m, 0, select_a_size(items, m, "1/3", cutoff=0, gamma=9, name=f"size {m}"))
        for m in sizes
    ]


def job(items, sizes, policy):
    groups = (ReleasedGroup("all", tuple(sizes)),)
    return BasketJob(Items(items), Origin("plan.json", "0" * 64), groups, policy)


def run(tmp_path, rows, policy, sizes=(2, 4), name="out.dat", items=6):
    source = tmp_path / "in.dat"
    source.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    return release_baskets(
        BasketFile.named(source),
        BasketFile.named(tmp_path / name),
        job(items, plan_sizes(items, sizes), policy),
        Simulation(1),
        seed=1,
    )


MIXED = [[0, 1], [0], [2, 2, 3], [1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3, 4], [], [5, 77]]


def test_sizes_that_the_plan_lacks_are_counted(tmp_path):
    release = run(tmp_path, MIXED, Policy("drop", "drop", "drop"))
    assert release.tally.to_json() == {
        "rows_in": 8,
        "rows_out": 3,
        "sampled": 0,
        "dropped": [
            {"column": None, "why": "longer", "rows": 2},
            {"column": None, "why": "outside", "rows": 1},
            {"column": None, "why": "shorter", "rows": 2},
        ],
    }
    assert [(part.size, part.rows) for part in release.transactions.groups[0].sizes] == [
        (2, 2),
        (4, 1),
    ]
    release = run(tmp_path, MIXED, Policy("drop", "sample", "drop"))
    assert release.tally.sampled == 2
    assert [(part.size, part.rows) for part in release.transactions.groups[0].sizes] == [
        (2, 3),
        (4, 2),
    ]
    assert Release.read(tmp_path / "out.dat") == release


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (Policy("error", "drop", "drop"), "line 8, item 2: not among the items"),
        (Policy("drop", None, "drop"), "line 4: a transaction longer .* --longer drop or sample"),
        (Policy("drop", "sample", None), "line 2: a transaction shorter .* --shorter drop"),
    ],
)
def test_what_no_policy_covers_is_refused(tmp_path, policy, why):
    with pytest.raises(DataError, match=why):
        run(tmp_path, MIXED, policy)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.dat"]


@pytest.mark.parametrize("name", ["out.dat", "out.csv.gz", "out.parquet"])
def test_transactions_come_back_by_their_sizes(tmp_path, name):
    """With rho near 0 and everything kept, what comes out is what went in, by size."""
    source = tmp_path / "in.dat"
    rows = [[k % 5, 5 + k % 7, 12 + k % 3][: 1 + k % 3] for k in range(5000)]
    source.write_text("".join(" ".join(map(str, row)) + "\n" for row in rows))
    tiny = Fraction(1, 10**18)
    sizes = [
        ReleasedSize(m, 0, select_a_size(20, m, tiny, keep=[0] * m + [1], name=f"size {m}"))
        for m in (1, 2, 3)
    ]
    release = release_baskets(
        BasketFile.named(source), BasketFile.named(tmp_path / name),
        job(20, sizes, Policy("error")), Simulation(1), seed=1,
    )  # fmt: skip
    found = [
        (size.size, row)
        for _, size, part in Release.read(tmp_path / name).baskets()
        for row in part.lists()
    ]
    assert found == sorted(((len(row), row) for row in rows), key=lambda pair: pair[0])
    assert release.tally.rows_out == 5000


def test_other_numbers_of_transactions_are_noticed(tmp_path):
    from dataclasses import replace

    run(tmp_path, [[0, 1]] * 10, Policy("error"))
    release = Release.read(tmp_path / "out.dat")
    for many in (9, 11):
        (group,) = release.transactions.groups
        fewer = (replace(group, sizes=(replace(group.sizes[0], rows=many),)),)
        wrong = replace(release, transactions=replace(release.transactions, groups=fewer))
        with pytest.raises(DataError, match="not the number of transactions"):
            list(wrong.baskets())


def test_supports_of_the_released_transactions(tmp_path):
    """P[item in t'] is known exactly; 20,000 seeded draws agree within five standard errors."""
    sizes = plan_sizes(6, [2])
    run(tmp_path, [[0, 1]] * 20_000, Policy("error"), sizes=[2])
    [(_, _, part)] = [*Release.read(tmp_path / "out.dat").baskets()]
    law = sizes[0].operator.law
    stays = float(sum(j * p for j, p in enumerate(law.keep)) / 2)
    found = np.bincount(part.items, minlength=6) / 20_000
    for item, expected in enumerate([stays, stays, *[1 / 3] * 4]):
        assert abs(found[item] - expected) < 5 * (expected * (1 - expected) / 20_000) ** 0.5
