"""Which declaration uses which: against a second reading, and what is said of wrong orders."""

import itertools

import pytest

from ppdm_formal.declare.language.compiler import compile_text, load
from ppdm_formal.declare.language.errors import ModelError
from ppdm_formal.declare.machine.files import example_names, example_path

DECLARED = {
    "D": "domain D = 0..1",
    "p": "param p in (0, 1)",
    "P": "prior P on D { 0 : p; 1 : 1 - p }",
    "Q": "property Q on D = x == 0",
    "A": "operator A(x: D) -> D { with p { return x }\n return 1 - x }",
    "B": "operator B(x: D) -> D { y ~ A(x)\n return A(y) }",
    "C": "operator C(x: D) -> D { return x }",
}
USES = {"P": "Dp", "Q": "D", "A": "Dp", "B": "DA", "C": "D"}


def edges_of(found):
    return {(used.name, user.name) for used, user in found.uses}


def edges(model):
    return edges_of(model.dependencies)


def test_every_use_is_found():
    model = compile_text("\n".join(DECLARED.values()))
    assert edges(model) == {
        (used, user) for user, all_of_them in USES.items() for used in all_of_them
    }
    assert [[one.name for one in part] for part in model.dependencies.generations()] == [
        ["D", "p"],
        ["P", "Q", "A", "C"],
        ["B"],
    ]


def test_uses_by_way_of_others_are_not_direct():
    found = compile_text("\n".join(DECLARED.values())).dependencies
    direct = {(used.name, user.name) for used, user in found.direct()}
    assert direct == edges_of(found) - {("D", "B")}


def test_every_order_compiles_or_says_what_stands_too_late():
    """All orders of five declarations: those that respect the uses compile, the others name one."""
    names = "DpPAB"
    for order in itertools.permutations(names):
        late = [
            (user, used)
            for user in order
            for used in USES.get(user, "")
            if order.index(used) > order.index(user)
        ]
        text = "\n".join(DECLARED[name] for name in order)
        if not late:
            assert edges(compile_text(text)) <= {(u, v) for v, us in USES.items() for u in us}
            continue
        with pytest.raises(ModelError, match="declared only later") as raised:
            compile_text(text)
        assert any(f" {used} is declared" in raised.value.message for _, used in late)


@pytest.mark.parametrize(
    ("source", "message", "line"),
    [
        ("operator A(x: 0..1) -> 0..1 { return A(x) }", "A uses A", 1),
        (
            "operator A(x: 0..1) -> 0..1 { return B(x) }\n"
            "operator B(x: 0..1) -> 0..1 { return C(x) }\n"
            "operator C(x: 0..1) -> 0..1 { return A(x) }",
            "A uses B uses C uses A",
            1,
        ),
        (
            "operator A(x: 0..1) -> 0..1 { return x }\naudit A { prior P }\n"
            "prior P on 0..1 = uniform",
            "prior P is declared only later, in line 3",
            2,
        ),
        (
            "operator A(x: 0..1) -> 0..1 { return x }\naudit A, B { }\n"
            "operator B(x: 0..1) -> 0..1 { return x }",
            "operator B is declared only later, in line 3",
            2,
        ),
        ("operator A(x: 0..1) -> 0..1 { return Missing(x) }", "unknown function Missing", 1),
        ("property Q on D = x == 0", "unknown name D", 1),
    ],
)
def test_cycles_and_what_is_missing_are_named(source, message, line):
    with pytest.raises(ModelError) as raised:
        compile_text(source)
    assert message in raised.value.message
    assert raised.value.place.line == line


def test_a_variable_is_not_a_later_declaration():
    source = (
        "operator A(x: 0..1) -> 0..1 { v = 1 - x\n return v }\n"
        "param v in (0, 1)\noperator B(x: 0..1) -> 0..1 { with v { return A(x) } return 0 }"
    )
    assert edges(compile_text(source)) == {("A", "B"), ("v", "B")}


@pytest.mark.parametrize("name", example_names())
def test_models_are_written_in_an_order_that_works(name):
    found = load(example_path(name), {}).dependencies
    place = {declared: number for number, declared in enumerate(found.declared)}
    assert all(place[used] < place[user] for used, user in found.uses)
    generations = found.generations()
    assert sum(len(part) for part in generations) == len(found.declared)
    level = {one: number for number, part in enumerate(generations) for one in part}
    assert all(level[used] < level[user] for used, user in found.uses)
