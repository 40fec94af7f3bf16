"""Hierarchies: levels, nearest ancestors, what a file must not say; coarsening with noise."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.declare.language.compiler import load
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.language.hierarchy import parse_hierarchy
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.derive.measures.amplification import amplification
from ppdm_formal.report.parts.blocks import Text

CHAINS = "Bonn,west,all\nTrier,west\n\n12,Jena,east,all\nJena\nalone\n"


def compiled(folder, model, chains=CHAINS):
    (folder / "places.csv").write_text(chains)
    (folder / "model.ppdm").write_text(model)
    return load(folder / "model.ppdm")


def images(operator):
    return {
        x: next(y for y in operator.outputs if operator.probability(x, y) == 1)
        for x in operator.inputs
    }


def test_levels():
    tree = parse_hierarchy(CHAINS)
    assert tree.level(0) == ["Bonn", "Trier", 12, "alone"]
    assert tree.level(1) == ["west", "Jena", "alone"]
    assert tree.level(2) == ["all", "east", "alone"]
    assert tree.level(3) == tree.level(99) == ["all", "alone"]


@pytest.mark.parametrize(
    ("outputs", "expected"),
    [
        ("{west, east}", {"Bonn": "west", "Trier": "west", 12: "east"}),
        ("{west, all, Jena}", {"Bonn": "west", "Trier": "west", 12: "Jena"}),
        ("{all, Trier}", {"Bonn": "all", "Trier": "Trier", 12: "all"}),
        ('level(1 of "places.csv")', {"Bonn": "west", "Trier": "west", 12: "Jena"}),
    ],
)
def test_each_input_goes_to_its_nearest_ancestor_among_the_outputs(tmp_path, outputs, expected):
    text = f'operator R(x: {{Bonn, Trier, 12}}) -> {outputs} = hierarchy("places.csv")'
    model = compiled(tmp_path, text)
    assert images(model.operators["R"]) == expected
    assert list(model.csv_files) == ["places.csv"]


def test_a_level_may_be_drawn_from(tmp_path):
    text = """
        domain Place = level(0 of "places.csv") \\ {alone}
        operator R(x: Place) -> level(0 of "places.csv") | level(2 of "places.csv") {
            return uniform(level(2 if x == Bonn else 0 of "places.csv"))
        }"""
    row = compiled(tmp_path, text).operators["R"]
    assert row.probability("Bonn", "east") == F(1, 3)
    assert row.probability(12, "Trier") == F(1, 4)


@pytest.mark.parametrize(
    ("chains", "said"),
    [
        ("", "the hierarchy is empty"),
        ("a,b\na,c\n", "a has two parents, b and c"),
        ("a,b\nb,c\nc,a\n", "among its own ancestors"),
        ("a,a\n", "among its own ancestors"),
        ("a,,b\n", "a value without a name"),
        ('a,"b\n', "not a CSV file"),
        ("a\0,b\n", "zero byte"),
        ("\n".join(f"{k},{k + 1}" for k in range(101)), "more than 100 ancestors"),
        ("a,b", "no ancestor of Bonn among the outputs"),
    ],
)
def test_bad_files(tmp_path, chains, said):
    text = 'operator R(x: {Bonn}) -> {west} = hierarchy("places.csv")'
    with pytest.raises(ModelError, match=said):
        compiled(tmp_path, text, chains)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('domain D = level(-1 of "places.csv")', "the leaves are level 0"),
        ("domain D = level(1 of 0..3)", "a file of parents"),
        ('domain D = level(1 of "../places.csv")', "not beside the model"),
        ('domain D = level(1 of "none.csv")', "cannot be read"),
        ('domain D = levels(1 of "places.csv")', "expected subsets"),
        (
            'operator R(x: {Bonn}) -> {all} = hierarchy("p.csv", index: yes)',
            "a hierarchy has no index",
        ),
    ],
)
def test_bad_models(tmp_path, text, said):
    with pytest.raises(ModelError, match=said):
        compiled(tmp_path, text)


def test_ninety_nine_steps_up():
    tree = parse_hierarchy("\n".join(f"{k},{k + 1}" for k in range(100)))
    assert tree.level(100) == [100]
    assert tree.nearest(0, {100}) == 100


# -- coarsening, alone and with noise ----------------------------------------------------------


def test_coarsening_is_what_its_words_say():
    model = load(example_path("coarsening"))
    assert images(model.operators["Rounded"]) == {x: (x + 5) // 10 * 10 for x in range(100)}
    assert images(model.operators["Interval"]) == {
        x: (x - x % 20, x - x % 20 + 19) for x in range(100)
    }
    cities = {"Aachen": "west", "Bonn": "west", "Trier": "west"}
    cities |= dict.fromkeys(("Dresden", "Jena", "Weimar"), "east")
    assert images(model.operators["Place"]) == cities
    kept = {"Aachen", "Bonn", "Jena"}
    assert images(model.operators["Suppressed"]) == {x: x if x in kept else "*" for x in cities}
    # Noise on cities: 3/8 for the city, 1/8 for each other; three cities make a region.
    for x, region in cities.items():
        for y in ("west", "east"):
            before = model.operators["NoiseThenPlace"].probability(x, y)
            assert before == (F(5, 8) if y == region else F(3, 8))
            after = model.operators["PlaceThenNoise"].probability(x, y)
            assert after == (F(3, 4) if y == region else F(1, 4))
    gains = {name: amplification(found).text for name, found in model.operators.items()}
    assert gains == {
        **dict.fromkeys(("Rounded", "Interval", "Place", "Suppressed"), "infinity"),
        **dict.fromkeys(("NoisyCity", "NoisyRegion", "PlaceThenNoise"), "3"),
        "NoiseThenPlace": "5/3",
    }


def test_reports_say_plainly_that_nothing_is_drawn():
    result = audit(load(example_path("coarsening")))
    for document in (result.document(), result.document(brief=True)):
        said = [
            block.words
            for section in document.sections
            for block in section.blocks
            if isinstance(block, Text) and "nothing at random" in block.words
        ]
        (words,) = said
        assert words.startswith("Rounded, Interval, Place and Suppressed draw nothing at random")
    verdicts = {
        found.operator.name: {certificate.verdict.value for certificate in found.certificates}
        for found in result.operators
    }
    assert verdicts == {
        **{key: {"breached"} for key in ("Rounded", "Interval", "Place", "Suppressed")},
        **{key: {"certified"} for key in ("PlaceThenNoise", "NoiseThenPlace")},
    }
