"""The report of a plan: its sections, numbers, pictures and words."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from page_reader import assert_harmless

from ppdm_formal.certify.audit.plan_audit import Designed, audit_plan
from ppdm_formal.certify.audit.plan_model import model_of
from ppdm_formal.design.at_hand import AtHand
from ppdm_formal.design.forecast import seen_in
from ppdm_formal.design.levels import levels, typical_size
from ppdm_formal.design.plan_file import plan_content, plan_of
from ppdm_formal.design.planning import plan_for
from ppdm_formal.design.request import Request
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown
from ppdm_formal.report.words.plan_words import bits_words, support_words

F = Fraction
LEVELS = {"rho1": F(1, 20), "rho2": F(1, 2)}
ROWS = [[0, 1, 2], [1, 2], [2], [3, 4, 5], [1, 2], [0, 1, 2, 3]] * 4000


def audited(around=True, **request):
    data = AtHand.of(6, ROWS)
    given = {"histogram": data.histogram, "itemsets": 2, "items": 6, "data": data, **LEVELS}
    plan = plan_for(Request(**given | request))
    return audit_plan(plan, model_of(plan, "plan.json", "0" * 64), data=data, around=around)


@pytest.fixture(scope="module")
def found():
    return audited()


def test_every_section_is_found_by_its_place(found):
    document = found.document()
    titles = [section.title for section in document.sections]
    assert titles == [
        "Summary",
        "What it is, and what it sees",
        "What would be found in the data at hand",
        "Sizes of baskets",
        "Cost against privacy",
        "What hiding sizes costs",
        "Verdicts",
    ]
    assert document.outcome == "certified"
    assert "sizes are public" in document.outcome_words


def test_the_page_has_its_pictures_and_no_script(found):
    page = document_html(found.document())
    assert page.count("<svg") == 4
    assert "<script" not in page
    assert_harmless(page)
    assert "Lowest discoverable support by size" in document_markdown(found.document())


def test_the_brief_report_has_no_pictures(found):
    document = Designed(found, replace(found.plan, notes=("a note",))).document(brief=True)
    assert "svg" not in str(document)
    assert "a note" in str(document)


def test_what_is_seen_adds_up_chances(found):
    data = AtHand.of(6, ROWS)
    for part in seen_in(found.plan, data):
        assert part.supports == tuple(sorted(part.supports, reverse=True))
        by_hand = {}
        for row in ROWS:
            for item in set(row):
                by_hand[item] = by_hand.get(item, 0) + 1
        if part.itemset == 1:
            assert len(part.supports) == 6
            assert part.supports[0] == max(by_hand.values()) / len(ROWS)
            assert part.found == pytest.approx(sum(map(part.pool.chance, part.supports)))
            assert part.likely == sum(s >= 4 * part.pool.deviation for s in part.supports)
            assert part.alarms == 0


def test_the_second_phase_sees_sets_of_its_items_only(found):
    content = {k: v for k, v in plan_content(found.plan).items() if k not in ("sizes", "hidden")}
    entry = {"size": 2, "insert": "1/4", "balance": [["1", 1], ["19", 1]], "baskets": 12_000}
    items = {"name": "items", "share": "1/2", "lifted": 1, "phase": 1, "chosen": None,
             "hidden": None, "sizes": [plan_content(found.plan)["sizes"][1]]}  # fmt: skip
    pairs = items | {
        "name": "pairs",
        "lifted": 2,
        "phase": 2,
        "chosen": [0, 1, 3],
        "sizes": [entry],
    }
    data = AtHand.of(6, ROWS)
    plan = plan_of({**content, "groups": [items, pairs]})
    _, second = seen_in(plan, data)
    assert second.supports == (1 / 3, 1 / 6, 1 / 6)  # {0, 1}, {0, 3}, {1, 3}
    assert second.alarms == 0
    pending = plan_of({**content, "groups": [items, pairs | {"chosen": None}]})
    _, second = seen_in(pending, data)
    assert second.supports[0] == 2 / 3  # {1, 2}
    assert second.alarms is None
    shown = audit_plan(pending, model_of(pending, "p.json", "0" * 64), data=data)
    assert "if the first phase has found their items" in str(shown.document(brief=True))


def test_less_privacy_sees_more(found):
    gammas = [level.gamma for level in found.levels]
    assert gammas == sorted(gammas)
    assert 19 in gammas
    for k in (1, 2):
        lds = [level.lds[k] or 1 for level in found.levels]
        assert lds == sorted(lds, reverse=True)
    assert typical_size(found.pools) == found.level_size == 2
    alone = levels(2, 1000, 2, None, F(19))
    assert all(level.cost is None for level in alone)


def test_forms_are_told_from_the_probabilities_alone(found):
    sizes = {size.part.size: size for size in found.sizes}
    assert sizes[1].cutoff == 0
    cut = audited(around=False, hidden="cut", longest=2)
    (size,) = cut.sizes
    assert (size.cutoff, size.complement) in ((1, None), (None, 1))
    assert not cut.sizes_told(cut.plan.only)
    remains = cut.remains(cut.pools[0])
    assert 0 < remains.least <= remains.evenly < 1


def test_a_plan_that_says_no_counts_still_has_a_report(found):
    said = plan_content(found.plan)
    content = {key: said[key] for key in ("format", "rho1", "rho2", "itemsets")}
    sizes = [{k: e[k] for k in ("size", "insert", "keep")} for e in said["sizes"]]
    plan = plan_of({**content, "sizes": sizes})
    bare = audit_plan(plan, model_of(plan, "bare.json", "0" * 64), around=True)
    assert (bare.pools, bare.levels, bare.ways, bare.seen) == ((), (), (), ())
    assert "forecasts nothing" in document_html(bare.document())


@pytest.mark.parametrize(
    "wrong",
    [
        {"histogram": {"a": 1}},
        {"histogram": {"1": -1}},
        {"histogram": [1]},
        {"histogram": {"1": True}},
        {"hiding": [{"sizes": "public"}]},
        {"hiding": [{"sizes": "pad", "size": 3, "lds": {"1": "x"}, "needed": {}}]},
        {"hiding": [{"sizes": "pad", "size": 3, "lds": {"1": "nan"}, "needed": {}}]},
        {"hiding": "<b>"},
    ],
)
def test_what_a_plan_says_beside_its_groups_is_not_trusted(found, wrong):
    plan = plan_of({**plan_content(found.plan), **wrong})
    again = audit_plan(plan, model_of(plan, "plan.json", "0" * 64))
    key = next(iter(wrong))
    assert again.plan.histogram is None if key == "histogram" else again.ways == ()
    document_html(again.document())


def test_hostile_names_stay_text(found):
    content = {k: v for k, v in plan_content(found.plan).items() if k not in ("sizes", "hidden")}
    entry = plan_content(found.plan)["sizes"][1]
    names = ["<script>alert(1)</script>", "[red]x[/red] & \u202e"]
    names[1] = names[1].replace("\u202e", "")
    groups = [
        {"name": name, "share": "1/2", "lifted": 1, "phase": 1, "chosen": None, "hidden": None,
         "sizes": [entry]}
        for name in names
    ]  # fmt: skip
    plan = plan_of({**content, "groups": groups})
    page = document_html(audit_plan(plan, model_of(plan, "<b>.json", "0" * 64)).document())
    assert_harmless(page)
    assert "&lt;script&gt;" in page


def test_a_seed_longer_than_the_plain_report_is_no_gain(found):
    for size in found.sizes:
        assert size.cost.bits <= 6
        assert size.cost.seed is None or size.cost.worthwhile == (size.cost.seed < size.cost.plain)
    assert bits_words(None) == "-"


@pytest.mark.parametrize(
    ("support", "shown"),
    [(None, "none"), (1.0, "100%"), (0.105, "10.5%"), (0.0, "0.00%"), (1e-6, "0.000100%")],
)
def test_supports_in_percent(support, shown):
    assert support_words(support) == shown
