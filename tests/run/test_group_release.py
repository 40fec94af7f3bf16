"""Groups of a plan at work: the exact law of every report, assignment, phases and refusals."""

from __future__ import annotations

import io
import json
from collections import defaultdict
from fractions import Fraction

import numpy as np
import plan_cases
import pytest
from draw_oracle import induced
from plan_cases import group, plan, write

from ppdm_formal.cli import run
from ppdm_formal.design.plan_file import plan_of
from ppdm_formal.run.assignment import Assignment, hashed
from ppdm_formal.run.basket_files import BasketBlock, Items
from ppdm_formal.run.basket_release import BasketJob, BasketRandomizer, ItemReports, Spool
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.group_reports import Policy, padded, projected
from ppdm_formal.run.plan_groups import PhaseError, assignment_key, plan_run
from ppdm_formal.run.release import Origin, Release, ReleasedSize
from ppdm_formal.run.simulation import Simulation

RNG = np.random.Generator(np.random.PCG64(3))


class Reader:
    """One block of transactions, as an open file gives them."""

    place = "line"

    def __init__(self, rows, identifiers=None):
        places = range(1, len(rows) + 1)
        self._block = BasketBlock(Baskets.of(rows), places, identifiers)

    def blocks(self):
        yield self._block

    def share(self):
        return 1.0


class Writer:
    def __init__(self):
        self.rows = []

    def write(self, group, size, baskets):
        self.rows += [(group, size, tuple(row)) for row in baskets.lists()]


def job_of(content, phase=None, by=None, policy=None):
    made = plan_of(content)
    chosen = plan_run(made, phase, by)

    def sizes(one):
        return [ReleasedSize(p.size, 0, one.operator(p.size, made.items)) for p in one.sizes]

    return BasketJob(
        Items(made.items), Origin("plan.json", "0" * 64), chosen.released(sizes),
        policy or Policy("error"), chosen.assignment, chosen.taking_part, chosen.phase,
    )  # fmt: skip


def reports(job, rows, bits, identifiers=None):
    """What is written for these transactions, and what the release counts."""
    kind = ItemReports(job)
    runner = BasketRandomizer(job, kind, bits, "in.dat")
    writer, spool = Writer(), Spool(io.BytesIO(), kind)
    runner.run(Reader(rows, identifiers), writer, spool)
    return writer.rows, runner.counted(spool), runner.tally


# Each: the plan's groups, the items that there are, a basket, and the phase to run.
LAWS = {
    "a coin between items and pairs": (
        [group("items", "1/3", (2,)), group("pairs", "2/3", (2,), lifted=2)], 3, (0, 2), None,
    ),
    "three groups": (
        [group("items", "1/2", (3,)), group("pairs", "1/5", (3,), 2),
         group("triples", "3/10", (3,), 3)], 3, (0, 1, 2), None,
    ),
    "pairs of three items": ([group("pairs", "1", (3,), 2, insert="1/8")], 3, (0, 1, 2), None),
    "padded": ([group("all", "1", (2,), hidden="pad")], 2, (1,), None),
    "an empty basket, padded": ([group("all", "1", (2,), hidden="pad")], 2, (), None),
    "padded pairs": ([group("pairs", "1", (2,), 2, hidden="pad")], 2, (0,), None),
    "projected": ([group("later", "1", (2,), 1, 2, [1, 3, 4])], 6, (1, 4), None),
    "projected and padded": ([group("later", "1", (2,), 1, 2, [0, 3], "pad")], 6, (3,), None),
}  # fmt: skip


@pytest.mark.parametrize("name", LAWS)
def test_all_draws_together_are_the_plan(name):
    """Coins, choices and insertions enumerated: the law of (group, size, report) is exact."""
    groups, items, basket, phase = LAWS[name]
    job = job_of(plan(*groups, items=items), phase)
    found = induced(lambda bits: tuple(reports(job, [list(basket)], bits)[0]))
    expected = defaultdict(Fraction)
    for made in plan_of(plan(*groups, items=items)).groups:
        size = made.sizes[0].size
        held = plan_cases.members(made, basket, items)
        for report, mass in plan_cases.law(made, size, held, items).items():
            expected[((made.name, size, report),)] += made.share * mass
    assert found == dict(expected)


def test_cutting_takes_every_part_alike():
    """A basket of three, cut to one: the law is the mean over the three parts."""
    content = plan(group("all", "1", (1,), hidden="cut"), items=3)
    job = job_of(content)
    found = induced(lambda bits: tuple(reports(job, [[0, 1, 2]], bits)[0]))
    (made,) = plan_of(content).groups
    expected = defaultdict(Fraction)
    for part in ((0,), (1,), (2,)):
        for report, mass in plan_cases.law(made, 1, part, 3).items():
            expected[(("all", 1, report),)] += mass / 3
    assert found == dict(expected)


def test_a_longer_basket_is_cut_without_being_asked_only_where_the_plan_cuts():
    rows = [[0, 1, 2], [0]]
    _, counted, tally = reports(
        job_of(plan(group("all", "1", (2,), hidden="cut"))), rows, Simulation(1)
    )
    assert (tally.rows_out, tally.sampled, counted[0].sizes[0].rows) == (2, 1, 2)
    padding = plan(group("all", "1", (2,), hidden="pad"))
    with pytest.raises(DataError, match=r"in\.dat, line 1: a transaction longer"):
        reports(job_of(padding), rows, Simulation(1))
    _, counted, tally = reports(
        job_of(padding, policy=Policy("error", "sample")), rows, Simulation(1)
    )
    assert (tally.rows_out, tally.sampled) == (2, 1)


TWO = plan(
    group("items", "1/4", (1, 2, 3)),
    group("pairs", "3/4", (2, 3), 2, 2, [0, 2, 3, 5]),
)


def test_a_client_takes_part_in_exactly_one_phase():
    """The same identifier falls in the same group in both runs, also where pairs are split anew."""
    names = [f"client {k}" for k in range(2000)]
    rows = [[k % 6, (k + 2) % 6] for k in range(2000)]
    pending = plan(TWO["groups"][0], {**TWO["groups"][1], "chosen": None})
    later = plan(
        TWO["groups"][0],
        {**TWO["groups"][1], "share": "1/2", "name": "p"},
        {**TWO["groups"][1], "share": "1/4", "name": "q", "lifted": 1, "sizes": [
            plan_cases.entry(2), plan_cases.entry(3)]},
    )  # fmt: skip
    first = job_of(pending, 1, "identifier")
    assert first.assignment.key == job_of(TWO, 2, "identifier").assignment.key
    for second in (job_of(TWO, 2, "identifier"), job_of(later, 2, "identifier")):
        one = first.assignment.of_identifiers(names) == 0
        two = np.isin(second.assignment.of_identifiers(names), [1, 2])
        assert (one ^ two).all()
        _, _, before = reports(first, rows, Simulation(1), names)
        _, _, after = reports(second, rows, Simulation(2), names)
        assert before.rows_out == after.dropped[None, "phase"] == np.count_nonzero(one)
        assert after.rows_out == before.dropped[None, "phase"] == np.count_nonzero(two)
    assert abs(np.count_nonzero(one) - 500) < 5 * (2000 * 3 / 16) ** 0.5


def test_another_first_phase_is_another_key():
    other = plan(group("items", "1/4", (1, 2, 3), insert="1/5"), TWO["groups"][1])
    assert assignment_key(plan_of(other)) != assignment_key(plan_of(TWO))
    fewer = plan(*TWO["groups"], items=7)
    assert assignment_key(plan_of(fewer)) != assignment_key(plan_of(TWO))


def test_silent_sizes_are_counted_and_send_nothing():
    """Projected baskets of no or one item hold no pair: only their size is known."""
    rows = [[1, 4], [0, 1], [0, 2], [0, 2, 5], [], [0, 5]]
    only = plan({**TWO["groups"][1], "share": "1"})
    written, counted, tally = reports(job_of(only), rows, Simulation(1))
    found = [(part.size, part.rows, part.operator is None) for part in counted[0].sizes]
    assert found == [(0, 2, True), (1, 1, True), (2, 2, False), (3, 1, False)]
    assert [(name, size) for name, size, _ in written] == [
        ("pairs", 2), ("pairs", 2), ("pairs", 3),
    ]  # fmt: skip
    assert tally.rows_out == 6


def test_a_size_that_could_hold_a_set_is_not_silent():
    content = plan(group("pairs", "1", (3,), 2))
    with pytest.raises(DataError, match="line 2: a transaction shorter"):
        reports(job_of(content), [[0], [0, 1]], Simulation(1))
    _, counted, tally = reports(
        job_of(content, policy=Policy("error", None, "drop")), [[0], [0, 1], [0, 1, 2]],
        Simulation(1),
    )  # fmt: skip
    assert [(p.size, p.rows) for p in counted[0].sizes] == [(1, 1), (3, 1)]
    assert tally.dropped[None, "shorter"] == 1


def test_shares_of_coins_and_hashes_are_cut_exactly():
    split = Assignment((Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)), "coin")
    law = induced(lambda bits: int(split.drawn(1, bits)[0]))
    assert law == {0: Fraction(1, 3), 1: Fraction(1, 6), 2: Fraction(1, 2)}
    assert split.cuts == [-(-(1 << 256) // 3), 1 << 255]
    whole = Assignment((Fraction(1),), "place")
    assert whole.of_identifiers(range(5)).tolist() == [0] * 5
    halves = Assignment((Fraction(1, 2), Fraction(1, 2)), "place", "k")
    by_top_bit = [hashed("k", str(n)) >> 255 for n in range(100)]
    assert halves.of_identifiers(range(100)).tolist() == by_top_bit
    assert set(by_top_bit) == {0, 1}
    for wrong in [(Fraction(1, 2),), (Fraction(3, 2), Fraction(-1, 2)), (Fraction(1), Fraction(0))]:
        with pytest.raises(ValueError, match="sum to 1"):
            Assignment(wrong, "coin")


@pytest.mark.parametrize(
    ("content", "phase", "by", "why"),
    [
        (TWO, None, "place", "has two phases"),
        (TWO, 1, None, "takes part in one of the two phases"),
        (TWO, 2, "coin", "takes part in one of the two phases"),
        (plan(TWO["groups"][0], {**TWO["groups"][1], "chosen": None}), 2, "place", "is pending"),
        (plan({**TWO["groups"][1], "chosen": None, "share": "1"}), None, None, "is pending"),
        (plan(group("all")), 2, None, "no phase 2"),
        (plan(group("all")), None, "place", "in one group"),
    ],
)
def test_what_cannot_be_run_like_this_is_refused(content, phase, by, why):
    with pytest.raises(PhaseError, match=why):
        plan_run(plan_of(content), phase, by)


def test_projecting_and_padding():
    some = projected(Baskets.of([[5, 0, 2], [1], [2, 5]]), (0, 2, 5), 6)
    assert some.lists() == [[0, 1, 2], [], [1, 2]]
    assert padded(some, 3, 3).tolist() == [[0, 1, 2], [3, 4, 5], [1, 2, 3]]
    assert padded(Baskets.of([]), 3, 3).shape == (0, 3)


# Through files, from the command line.


@pytest.fixture
def shop(tmp_path):
    rows = [sorted(RNG.permutation(6)[: 1 + k % 3].tolist()) for k in range(600)]
    (tmp_path / "shop.dat").write_text("".join(" ".join(map(str, r)) + "\n" for r in rows))
    return tmp_path


def randomized(folder, name, *more):
    asked = ["randomize", str(folder / "shop.dat"), "-o", str(folder / name)]
    return run([*asked, "--plan", str(folder / "plan.json"), *more])


@pytest.mark.parametrize("name", ["out.dat", "out.csv.gz", "out.parquet"])
def test_a_plan_of_groups_through_files(shop, capsys, name):
    write(shop, plan(group("items", "1/3"), group("pairs", "2/3", (2, 3), 2)))
    assert randomized(shop, name) == 0
    out = capsys.readouterr().out
    assert "sent as sets of 2" in out
    assert "nothing sent but the size" in out
    release = Release.read(shop / name)
    items, pairs = release.transactions.groups
    assert items.rows + pairs.rows == release.tally.rows_out == 600
    assert (pairs.lifted, pairs.sizes[0].operator) == (2, None)
    assert release.transactions.assigned == "coin"
    assert [part.size for part in pairs.sizes] == [1, 2, 3]
    read = [(g.name, part.size, len(b)) for g, part, b in release.baskets()]
    counts = defaultdict(int)
    for group_name, size, rows in read:
        counts[group_name, size] += rows
    sent = [(g, p) for g in release.transactions.groups for p in g.sizes if p.operator]
    assert counts == {(g.name, p.size): p.rows for g, p in sent}
    assert max(b.items.max() for g, _, b in release.baskets() if g.lifted == 2) == 14


def test_two_phases_through_files(shop, capsys):
    write(shop, TWO)
    for phase in ("1", "2"):
        assert randomized(shop, f"{phase}.dat", "--phase", phase, "--group-by", "place") == 0
    assert "belong to the other phase" in capsys.readouterr().out
    first, second = (Release.read(shop / f"{k}.dat") for k in (1, 2))
    assert (first.transactions.phase, second.transactions.phase) == (1, 2)
    assert first.transactions.key == second.transactions.key
    assert first.tally.rows_out + second.tally.rows_out == 600
    assert second.transactions.groups[0].chosen == (0, 2, 3, 5)


def test_clients_of_a_parquet_column(shop, capsys):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    write(shop, TWO)
    lists = [[k % 6, (k + 1) % 6] for k in range(100)]
    names = [f"c{k // 2}" for k in range(100)]  # every client twice: both rows in one group
    table = {"who": names, "basket": pa.array(lists, pa.list_(pa.int32())), "x": [1.5] * 100}
    parquet.write_table(pa.table(table), shop / "shop.parquet")
    asked = ["randomize", str(shop / "shop.parquet"), "-o", str(shop / "out.dat")]
    asked += ["--plan", str(shop / "plan.json"), "--phase", "1", "--group-by"]
    assert run([*asked, "column:who"]) == 0
    release = Release.read(shop / "out.dat")
    assert release.transactions.assigned == "identifier"
    assert release.tally.rows_out % 2 == 0
    expected = Assignment((Fraction(1, 4), Fraction(3, 4)), "identifier", release.transactions.key)
    assert release.tally.rows_out == np.count_nonzero(expected.of_identifiers(names) == 0)
    capsys.readouterr()
    for wrong, why in [
        ("column:nobody", "no column named nobody"),
        ("column:x", "whole numbers or text"),
        ("column:basket", "whole numbers or text"),
    ]:
        assert run([*asked, wrong]) == 2
        assert why in capsys.readouterr().err
    table["who"] = [None, *names[1:]]
    parquet.write_table(pa.table(table), shop / "shop.parquet")
    assert run([*asked, "column:who"]) == 2
    assert "row 1: a client without who" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "more", "why"),
    [
        (TWO, [], "two phases"),
        (TWO, ["--phase", "3"], "has no phase 3"),
        (TWO, ["--phase", "1"], "state --group-by place"),
        (TWO, ["--phase", "1", "--group-by", "coin"], "state --group-by place"),
        (TWO, ["--phase", "1", "--group-by", "basket"], "neither coin, place nor column:NAME"),
        (TWO, ["--phase", "1", "--group-by", "column:who"], "only a Parquet file has columns"),
        (plan(group("all")), ["--group-by", "coin"], "in one group"),
        (plan(group("p", lifted=3, sizes=(3,)), items=500), [], "use --compress"),
        (plan(group("a", "1/2"), group("b", "1/3")), [], "do not sum to 1"),
    ],
)
def test_bad_plans_and_phases_leave_nothing(shop, capsys, content, more, why):
    write(shop, content)
    assert randomized(shop, "out.dat", *more) == 2
    assert why in capsys.readouterr().err
    assert sorted(path.name for path in shop.iterdir()) == ["plan.json", "shop.dat"]


def test_a_breached_group_is_refused_and_named(shop, capsys):
    write(shop, plan(group("items", "1/2"), group("pairs", "1/2", (2, 3), 2, gamma="30")))
    assert randomized(shop, "out.dat") == 1
    err = capsys.readouterr().err
    assert "pairs, size 2: refused" in err
    assert "items, size" not in err
    assert randomized(shop, "out.dat", "--although-breached") == 0
    assert "pairs, size 2: released ALTHOUGH" in capsys.readouterr().out


def test_an_interrupted_run_leaves_nothing(shop, monkeypatch):
    from ppdm_formal.run import basket_release

    write(shop, plan(group("items", "1/3"), group("pairs", "2/3", (2, 3), 2)))

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(basket_release.Spool, "drain", interrupted)
    assert randomized(shop, "out.dat") not in (0, 1, 3)
    assert sorted(path.name for path in shop.iterdir()) == ["plan.json", "shop.dat"]


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("groups",), [], "none, or two"),
        (("groups", 1, "name"), "items", "none, or two"),
        (("groups", 1, "share"), "1", "more than all clients"),
        (("groups", 1, "share"), "0", "not between 0 and 1"),
        (("groups", 1, "lifted"), 0, "1 to 32 items"),
        (("groups", 1, "lifted"), 3, "on other transactions"),
        (("groups", 1, "chosen"), [3, 2], "do not rise"),
        (("groups", 1, "chosen"), [5, 6], "do not rise"),
        (("groups", 1, "chosen"), [1, 2, 3], "on other transactions"),
        (("groups", 1, "hidden"), "somehow", "not known"),
        (("groups", 1, "hidden"), "pad", "has one"),
        (("groups", 1, "sizes", 1, "operator"), None, "has no operator"),
        (("groups", 1, "sizes", 2, "operator"), None, "has no operator"),
        (("groups", 1, "sizes", 0, "size"), 2, "do not rise"),
        (("groups", 1, "sizes", 0, "rows"), 10**6, "do not add up"),
        (("phase",), 3, "does not fit"),
        (("phase",), True, "not one of 1 to 9"),
        (("phase",), 1, "does not fit"),
        (("assigned",), "basket", "not known"),
        (("assigned",), None, "does not fit"),
        (("assigned",), "place", "hashed with a key"),
        (("key",), "0" * 64, "hashed with a key"),
    ],
)
def test_descriptions_of_groups_that_make_no_sense_are_refused(shop, path, value, why):
    from ppdm_formal.declare.operators.canonical import canonical
    from ppdm_formal.run.errors import ReleaseError
    from ppdm_formal.run.release import signed

    write(shop, plan(group("items", "1/3"), group("pairs", "1/2", (2, 3), 2), group("q", "1/6")))
    assert randomized(shop, "out.dat") == 0
    document = json.loads((shop / "out.dat.release.json").read_text())
    del document["sha256"]
    at = document["transactions"]
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    described = shop / "out.dat.release.json"
    described.write_text(canonical(signed(document)))
    with pytest.raises(ReleaseError, match=why):
        for _ in Release.read(shop / "out.dat").baskets():
            pass


def test_numbers_beyond_a_groups_universe_are_refused(shop):
    """The file holds numbers of all groups; each must be one of its own group."""
    from ppdm_formal.run.errors import ReleaseError

    write(shop, plan(group("items", "1/3"), group("pairs", "2/3", (2, 3), 2)))
    assert randomized(shop, "out.dat") == 0
    data = shop / "out.dat"
    lines = data.read_text().splitlines()
    data.write_text("\n".join(["6", *lines[1:]]) + "\n")
    release = Release.read(data, check_data=False)
    with pytest.raises(ReleaseError, match="line 1: not such items"):
        list(release.baskets())
    data.write_text("\n".join(["5", *lines[1:]]) + "\n")
    assert sum(len(b) for *_, b in release.baskets()) == len(lines)


def test_descriptions_of_groups_fit_the_schema(shop):
    from release_cases import schema_checker

    check, _ = schema_checker()
    for content, more in [
        (plan(group("items", "1/3"), group("pairs", "2/3", (2, 3), 2)), []),
        (TWO, ["--phase", "2", "--group-by", "place"]),
        (plan(group("all", "1", (3,), hidden="cut")), []),
    ]:
        write(shop, content)
        assert randomized(shop, "out.dat", *more) == 0
        check(json.loads((shop / "out.dat.release.json").read_text()))


def test_a_long_law_is_written_by_its_balance(tmp_path):
    """C(30, 2) sets of one client: p[j] would take megabytes, b[j] a line."""
    from ppdm_formal.run.described import operator_json, operator_of

    content = plan(items=60)
    balance = [["1", 1], ["18", 435]]
    sizes = [{"size": 30, "insert": "21/65536", "balance": balance}]
    content["groups"] = [{**group("pairs", lifted=2, sizes=(2,)), "sizes": sizes}]
    (made,) = plan_of(content).groups
    operator = made.operator(30, 60)
    described = operator_json(operator)
    assert len(json.dumps(described)) < 1000
    assert operator_of(json.loads(json.dumps(described))).law == operator.law
