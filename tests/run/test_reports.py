"""Reports: written, packed, read again, checked and counted, for every family; both clients."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pytest
from draw_oracle import induced
from family_cases import cases, rational
from hypothesis import given
from hypothesis import strategies as st

from ppdm_formal.declare.families import chosen_sets
from ppdm_formal.declare.families.by_place import family_names
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators import bit_counts, report_hashed
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.report import Listed, NotAReport
from ppdm_formal.infer.tables.report_counts import ReportCounts
from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.description import client_law
from ppdm_formal.run.client.generate import ClientText
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.simulation import Simulation

F = Fraction


def given_outputs(operator):
    """The outputs that some input gives: closed ends give fewer sizes of sets."""
    size = operator.inputs.size
    return [
        y
        for place, y in enumerate(operator.outputs)
        if any(operator.law.entry(x, place) != 0 for x in range(size))
    ]


@pytest.mark.parametrize("name", family_names())
def test_every_report_is_read_as_it_was_written(name):
    """As JSON, as cells, as a batch; positions are those of the outputs."""
    for operator in rational(name)[::9]:
        report, outputs = operator.report, given_outputs(operator)
        if operator.outputs.size > 300:
            outputs = outputs[::37]
        batch = report.of_values(outputs)
        report.check(batch)
        assert report.values(batch) == outputs
        sent = json.loads(json.dumps([report.encoded(y) for y in outputs]))
        assert report.values(report.of_json(sent)) == outputs
        assert report.values(report.of_texts(report.texts(batch))) == outputs
        places = [operator.outputs.index(y) for y in outputs]
        assert report.positions(batch).tolist() == places
        assert [report.decoded(one) for one in sent] == outputs


@pytest.mark.parametrize("name", family_names())
def test_clients_encode_and_read_as_the_law_says(name):
    for _, operator in [case for case in cases(name) if not case[1].parameters][::11]:
        law, report = client_law(operator), operator.report
        for y in given_outputs(operator)[:40]:
            native = sorted(y) if report.kind in ("bits", "set") else y
            sent = json.loads(json.dumps(runtime._encoded(law, native)))
            assert sent == report.encoded(y)
            found = runtime._decoded(law, sent)
            assert found == native


BITS, SETS = unary_encoding(10, "3/4"), subset_selection(10, 3, 2)
HASHED = local_hashing(10, 4, gamma=3)
LABELS = Operator.from_matrix([["1/2", "1/2"]] * 2, ["a", "b"], [("a", 1), frozenset({2, 10})])
WRONG = {
    BITS: ["", "AA", "AAAA", "AAB", "AA=", "++A", None, 7, ["AA"], "AÄA", "{1}"],
    SETS: [[1], [1, 1], [1, 10], [-1, 2], [1, 2, 3], ["1", 2], [True, 2], [1.0, 2], "12", None],
    HASHED: [[110, 0], [0, 4], [-1, 0], [0, -1], [0], [0, 0, 0], [0.0, 1], [True, 1], "00", {}],
    LABELS: ["a", 1, None, ["a", 1], {"tuple": ["a", 2]}, {"set": [2, 10]}, {"tuple": [["a"], 1]}],
}


@pytest.mark.parametrize("operator", WRONG, ids=lambda operator: operator.report.kind)
def test_what_is_no_report_is_refused_by_its_place_and_not_quoted(operator):
    report = operator.report
    good = report.encoded(operator.outputs[0] if report.kind != "bits" else frozenset({9}))
    law = client_law(operator)
    for wrong in WRONG[operator]:
        with pytest.raises(NotAReport) as refused:
            report.of_json([good, wrong])
        assert refused.value.place == 1
        assert not isinstance(wrong, str) or len(wrong) < 2 or wrong not in str(refused.value)
        with pytest.raises(runtime.NotAReport):
            runtime._decoded(law, wrong)
    with pytest.raises(NotAReport):
        report.of_texts(["x"])


def test_javascript_encodes_and_refuses_alike(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    lines = []
    for place, (operator, wrong) in enumerate(WRONG.items()):
        client = ClientText("", [], [], client_law(operator), [])
        (tmp_path / f"c{place}.mjs").write_text(client.written("javascript"), encoding="utf-8")
        outputs = given_outputs(operator)
        sent = [operator.report.encoded(y) for y in outputs[:: max(1, len(outputs) // 60)]]
        bad = [one for one in wrong if one not in ({"set": [2, 10]}, [1.0, 2], [0.0, 1])]
        lines.append(
            f'import * as m{place} from "./c{place}.mjs";\n'
            f"for (const sent of {json.dumps(sent)}) {{\n"
            f"  const again = m{place}.encoded(m{place}.decoded(sent));\n"
            "  if (JSON.stringify(again) !== JSON.stringify(sent)) throw new Error('other');\n}\n"
            f"for (const sent of {json.dumps(bad)}) {{\n"
            f"  let refused = false;\n  try {{ m{place}.decoded(sent); }}\n"
            f"  catch (e) {{ refused = e instanceof m{place}.NotAReport; }}\n"
            "  if (!refused) throw new Error('taken: ' + JSON.stringify(sent));\n}\n"
        )
    (tmp_path / "run.mjs").write_text("\n".join(lines) + "console.log('alike');")
    done = subprocess.run([node, tmp_path / "run.mjs"], capture_output=True, text=True, check=False)
    assert done.stdout == "alike\n", done.stderr


def test_sizes_that_no_input_gives_are_refused():
    certain = unary_encoding(20, 1, 0).report
    assert certain.values(certain.of_texts(["{3}"])) == [frozenset({3})]
    for cell in ("{}", "{3, 4}", "{20}", "{+3}", "{3,}"):
        with pytest.raises(NotAReport):
            certain.of_texts([cell])
    with pytest.raises(NotAReport):
        rappor(8, 2, 1, 1, 1).report.of_values([frozenset({1})])  # every bit is set


@given(st.lists(st.sets(st.integers(0, 9)), max_size=6), st.booleans())
def test_bits_are_base64url_of_the_lowest_bit_first(sets, braces):
    report = BITS.report
    batch = report.of_values([frozenset(one) for one in sets])
    masks = [sum(1 << x for x in one) for one in sets]
    plain = [base64.urlsafe_b64encode(mask.to_bytes(2, "little")) for mask in masks]
    assert report.texts(batch) == [text.decode().rstrip("=") for text in plain]
    cells = ["{" + ", ".join(map(str, one)) + "}" for one in sets] if braces else []
    mixed = [*cells, *report.texts(batch)]
    assert report.of_texts(mixed).tolist() == [*batch.tolist()] * (2 if braces else 1)


@pytest.mark.parametrize("name", ["unary_encoding", "subset_selection", "local_hashing", "rappor"])
def test_the_packed_draw_is_the_operator(name):
    """Every outcome of every elementary draw."""
    small = [op for op in rational(name) if op.outputs.size <= 16 and op.inputs.size > 1]
    assert len(small) >= 3
    for operator in small[:: -(-len(small) // 12)]:
        report, row = operator.report, operator.inputs.size - 1
        rows = np.array([row])
        law = induced(
            lambda bits, o=operator, r=rows: o.report.values(o.law.draw_batch(r, bits))[0]
        )
        entries = ((y, operator.law.entry(row, j)) for j, y in enumerate(operator.outputs))
        assert law == {y: p for y, p in entries if p}
        report.check(operator.law.draw_batch(np.full(40, row), Keystream()))


@pytest.mark.parametrize(("items", "chosen"), [(5, 3), (6, 3), (7, 5)])
def test_sets_mended_bit_by_bit_are_uniform(items, chosen, monkeypatch):
    """Coins, then what is put in or taken out: compiled, and its twin."""
    own = np.array([1])
    for held in (False, True):
        wanted = np.array([chosen - held])

        def draw(bits, held=held, wanted=wanted):
            batch = chosen_sets.many_of(items, own, np.array([held]), wanted, bits)
            return int(batch[0, 0])

        compiled = induced(draw) if items < 7 else None
        monkeypatch.setattr(chosen_sets, "compiled", lambda function: None)
        plain = induced(draw) if items < 7 else {}
        monkeypatch.undo()
        if compiled is None:
            continue
        assert compiled == plain
        assert len(set(compiled.values())) == 1
        assert all(mask.bit_count() == chosen and bool(mask & 2) == held for mask in compiled)


LARGE = [
    unary_encoding(1000, gamma=3),
    subset_selection(1000, 3),
    subset_selection(1000, 200),
    subset_selection(70_000, 1000, 300),
    local_hashing(1000, 4, gamma=3),
    rappor(128, 2, "1/2", "1/2", "3/4"),
]


@pytest.mark.parametrize("operator", LARGE, ids=str)
def test_counts_are_those_of_the_reports_one_by_one(operator, monkeypatch):
    """Compiled and not; and own and other values are supported as often as the law says."""
    report, rows = operator.report, np.arange(300) % operator.inputs.size
    batch = operator.law.draw_batch(rows, Keystream())
    report.check(batch)
    counts = np.zeros(report.counted, dtype=np.int64)
    report.add(batch, counts)
    expected = np.zeros_like(counts)
    if report.kind == "hashed":
        for x in range(report.supported):
            buckets = [report.functions.bucket(int(n), x) for n in batch[:, 0]]
            expected[x] = sum(a == b for a, b in zip(buckets, batch[:, 1].tolist(), strict=True))
    else:
        for one in report.values(batch):
            expected[sorted(one)] += 1
    assert counts.tolist() == expected.tolist()
    monkeypatch.setattr(bit_counts, "compiled", lambda function: None)
    monkeypatch.setattr(report_hashed, "compiled", lambda function: None)
    again = np.zeros_like(counts)
    report.add(batch, again)
    assert again.tolist() == counts.tolist()


def test_supports_are_as_frequent_as_the_law_says():
    """40,000 reports of one value: own and other supports within six standard deviations."""
    n = 40_000
    for operator in LARGE[:3] + LARGE[4:5]:
        counts = np.zeros(operator.report.counted, dtype=np.int64)
        operator.report.add(operator.law.draw_batch(np.full(n, 7), Keystream()), counts)
        support = operator.law.support()
        own, other = float(support.own), float(support.other)
        assert abs(counts[7] - n * own) < 6 * (n * own * (1 - own)) ** 0.5
        others = np.delete(counts, 7)
        assert (abs(others - n * other) < 6 * (n * other * (1 - other)) ** 0.5).all()
        assert abs(others.mean() - n * other) < 6 * (n * other * (1 - other)) ** 0.5


def test_reports_of_listed_outputs_are_numbers_labels_and_marked_values():
    report = Listed(Domain([5, "5", ("a", 1), frozenset({2, 10})]))
    sent = [5, "5", {"tuple": ["a", 1]}, {"set": [10, 2]}]
    assert report.of_json(sent).tolist() == [0, 1, 2, 3]
    assert [report.encoded(value) for value in report.domain] == sent
    for wrong in (True, 5.0, "6", {"set": [2, 10, 10]}, {"tuple": ["a", True]}, [5]):
        with pytest.raises(NotAReport):
            report.of_json([wrong])
    assert randomized_response(300, "1/2").report.width == 2


@pytest.mark.parametrize("operator", LARGE[:2] + LARGE[4:5], ids=str)
def test_intervals_cover_the_truth(operator):
    """40 collections by the sampler itself: of 40,000 intervals 94% to 96%, or near it."""
    size, people, times = operator.inputs.size, 2000, 40
    truth = np.full(size, 0.5 / (size - 1))
    truth[3] = 0.5
    rng, hit = np.random.default_rng(5), 0
    for _ in range(times):
        rows = rng.choice(size, people, p=truth)
        empty = ReportCounts.create(operator)
        counted = empty.add_batch(operator.law.draw_batch(rows, Simulation(int(rng.integers(1e9)))))
        cells = counted.extract().tables[0].estimated
        hit += sum(cell.low <= p <= cell.high for cell, p in zip(cells, truth, strict=True))
    assert 0.935 < hit / (times * size) < 0.965
