"""Release descriptions: what is written is read back exactly, and anything else is refused."""

import hashlib
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from release_cases import schema_checker

from ppdm_formal.declare.families.randomized_response import randomized_response
from ppdm_formal.declare.families.replace_items import replace_items
from ppdm_formal.declare.families.select_a_size import select_a_size
from ppdm_formal.declare.language.compiler import load
from ppdm_formal.declare.machine.files import example_path
from ppdm_formal.declare.operators.canonical import canonical, digest
from ppdm_formal.declare.operators.domain import Domain
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.described import (
    operator_json,
    operator_of,
    prior_json,
    prior_of,
)
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.release import (
    DataFile,
    DecidedClaim,
    Origin,
    Override,
    Release,
    ReleasedColumn,
    ReleasedGroup,
    ReleasedSize,
    Transactions,
)
from ppdm_formal.run.streams import sha256_of
from ppdm_formal.run.tally import Tally

MODEL = Origin("model.ppdm", "0" * 64, {"p": "3/4"})
COIN = Operator.from_matrix(
    [["3/4", "1/4"], ["1/4", "3/4"]], inputs=["yes", "no"], outputs=["yes", "no"], name="Coin"
)


def released(folder: Path, rows: list[str], columns=None, **more) -> Path:
    """Data and description, as ppdm randomize writes them."""
    data = folder / "out.csv"
    data.write_text("\n".join(rows) + "\n")
    many = len(rows) - 1
    release = Release(
        DataFile("out.csv", "csv", None, sha256_of(data)),
        Tally(many, many),
        columns or (ReleasedColumn("answer", COIN, MODEL),),
        **more,
    )
    data.with_name("out.csv.release.json").write_text(release.text())
    return data


OPERATORS = [
    COIN,
    randomized_response(7, "19/28", "RR"),
    randomized_response(1, "1", "one"),
    select_a_size(8, 3, "1/3", cutoff=1, gamma=19, name="basket"),
    select_a_size(100_000, 5, "131/256", cutoff=4, gamma=19, name="large"),
    replace_items(12, 2, "1/5", name="replaced"),
    Operator.from_matrix([[1, 0]], inputs=[(1, "a")], outputs=[frozenset({1, 2}), 10**20]),
    Operator.from_matrix([[Fraction(1, 10**5000), 1 - Fraction(1, 10**5000)]]),
    *load(example_path("example1")).operators.values(),
]


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_an_operator_is_read_back_exactly(operator):
    written = json.loads(canonical(operator_json(operator)))
    found = operator_of(written)
    assert operator_json(found) == written
    assert (found.name, found.inputs, found.outputs) == (
        operator.name,
        operator.inputs,
        operator.outputs,
    )
    if operator.inputs.size <= 2000 and operator.outputs.size <= 2000:
        assert found == operator


def test_a_prior_is_read_back_exactly():
    inputs = Domain(["a", "b", "c"])
    prior = Prior.of(Domain(["c", "a", "b"]), {"a": "1/3", "c": "2/3"}, "X")
    found = prior_of(json.loads(canonical(prior_json(prior, inputs))), inputs)
    assert found is not None
    assert found.name == "X"
    assert [found.probability(x) for x in inputs] == [Fraction(1, 3), 0, Fraction(2, 3)]
    assert prior_of(None, inputs) is None


def full_release():
    prior = Prior.of(COIN.inputs, {"yes": "1/10", "no": "9/10"}, "X")
    claims = (
        DecidedClaim("forbid breach 1/4 -> 1/2", "breached", False, "1" * 64),
        DecidedClaim("forbid breach 1/4 -> 1/3", "unknown", True, None),
    )
    tally = Tally(10, 7)
    tally.dropped["answer", "empty"] += 2
    tally.dropped["other", "outside"] += 1
    return Release(
        DataFile("out.csv", "csv", "gzip", "2" * 64),
        tally,
        (
            ReleasedColumn("answer", COIN, MODEL, prior, claims),
            ReleasedColumn("other", randomized_response(3, "1/2", "RR"), MODEL),
        ),
        kept=("id",),
        overrides=(Override("--although-breached", "answer", "breached"),),
        seed=7,
    )


def basket_release():
    sizes = tuple(
        ReleasedSize(m, 5 * m, select_a_size(9, m, "1/3", cutoff=0, gamma=9, name=f"size {m}"))
        for m in (1, 2)
    )
    tally = Tally(17, 15, 3)
    tally.dropped[None, "longer"] += 2
    return Release(
        DataFile("out.dat", "fimi", None, "2" * 64),
        tally,
        transactions=Transactions(
            9, tuple("abcdefghi"), Origin("plan.json", "3" * 64), (ReleasedGroup("all", sizes),)
        ),
    )


@pytest.mark.parametrize("release", [full_release(), basket_release()])
def test_a_release_is_read_back_exactly(release):
    found = Release.of(release.text())
    assert found == release
    assert found.to_json() == release.to_json()


def test_what_is_shown_besides_randomized_values_is_said():
    def bare(release):
        return [one["what"] for one in release.to_json()["shown"] if one["status"] != "public"]

    rows, baskets = "the number of rows and their order", "the number of transactions and their"
    out = "how many rows were left out, and why"
    assert bare(full_release()) == [rows, out, "column id"]
    assert bare(basket_release())[:2] == [f"{baskets} order", "sizes of transactions"]
    older = {k: v for k, v in full_release().to_json().items() if k not in ("sha256", "shown")}
    assert Release.of(canonical(signed_again(older))) == full_release()


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [((None, None), True), (("pad", None), True), ((None, "cut"), True), (("pad", "cut"), False)],
)
def test_sizes_are_shown_unless_every_group_hides_them(hidden, shown):
    release = basket_release()
    (group,) = release.transactions.groups
    groups = tuple(replace(group, name=str(k), hidden=how) for k, how in enumerate(hidden))
    some = replace(release, transactions=replace(release.transactions, groups=groups))
    assert ("sizes of transactions" in [one.what for one in some.shown]) == shown


@pytest.mark.parametrize("release", [full_release(), basket_release()], ids=["table", "baskets"])
def test_the_schema_fits_and_can_fail(release):
    validate, invalid = schema_checker()
    text = release.text()
    validate(json.loads(text))
    for path in edits(json.loads(text)):
        if path:
            document = json.loads(text)
            at(document, path[:-1])[path[-1]] = [{"wrong": True}]
            with pytest.raises(invalid):
                validate(document)


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_the_schema_fits_every_operator(operator):
    column = ReleasedColumn("x", operator, MODEL)
    release = Release(DataFile("out.csv", "csv", None, "2" * 64), Tally(), (column,))
    schema_checker()[0](release.to_json())


def test_a_probability_too_long_to_be_read_is_not_written():
    long = Operator.from_matrix([[Fraction(1, 10**50_000), 1 - Fraction(1, 10**50_000)]])
    with pytest.raises(ReleaseError, match="more than 20,000 digits"):
        operator_json(long)
    length = Fraction(1, 10**19_000)
    fits = Operator.from_matrix([[length, 1 - length]])
    assert operator_of(json.loads(canonical(operator_json(fits)))) == fits


def test_a_description_has_a_limit(monkeypatch, tmp_path):
    text = full_release().text()
    monkeypatch.setattr("ppdm_formal.run.release.MAX_BYTES", len(text) - 1)
    with pytest.raises(ReleaseError, match="would be longer"):
        full_release().text()
    (tmp_path / "out.csv.release.json").write_text(text)
    with pytest.raises(ReleaseError, match="longer than"):
        Release.read(tmp_path / "out.csv.release.json")


def test_a_key_given_twice_is_refused():
    text = full_release().text()
    with pytest.raises(ReleaseError, match="a key occurs twice"):
        Release.of(text.replace('"seed":7', '"seed":7,"seed":7'))


def test_names_that_are_no_text_are_refused():
    release = Release(DataFile("\udcff.csv", "csv", None), Tally(), full_release().columns)
    with pytest.raises(ReleaseError, match="not Unicode"):
        release.text()


def test_the_digest_is_over_the_canonical_rest():
    document = full_release().to_json()
    claimed = document.pop("sha256")
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert claimed == hashlib.sha256(text.encode()).hexdigest()


def edits(document, path=()):
    """Every place in a JSON document."""
    yield path
    inside = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in inside:
        if isinstance(value, dict | list):
            yield from edits(value, (*path, key))
        else:
            yield (*path, key)


def at(document, path):
    for key in path:
        document = document[key]
    return document


def sets(items, size):
    return {"subsets": {"items": items, "size": size}}


def signed_again(document):
    """The document with the digests of its operators and its own made to fit."""
    if isinstance(document, list):
        return [signed_again(part) for part in document]
    if not isinstance(document, dict):
        return document
    found = {key: signed_again(part) for key, part in document.items()}
    if {"inputs", "outputs", "law", "sha256"} <= set(found):
        found["sha256"] = digest({key: found[key] for key in ("inputs", "outputs", "law")})
    if "format" in found and "tool" in found:
        found["sha256"] = digest({key: found[key] for key in found if key != "sha256"})
    return found


@pytest.mark.parametrize("release", [full_release(), basket_release()], ids=["table", "baskets"])
def test_a_wrong_type_in_any_place_is_refused(release):
    """By the digest; and where someone makes that fit, by what is written there."""
    text = release.text()
    for path in edits(json.loads(text)):
        if not path or (path[-1] == "sha256" and (len(path) == 1 or "operator" in path)):
            continue
        document = json.loads(text)
        at(document, path[:-1])[path[-1]] = [{"wrong": True}]
        with pytest.raises(ReleaseError, match=r"digest|format"):
            Release.of(canonical(document))
        with pytest.raises(ReleaseError):
            Release.of(canonical(signed_again(document)))


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("data", "file"), "../other.csv", "plain file name"),
        (("data", "file"), "", "plain file name"),
        (("data", "format"), "exe", "format of the data"),
        (("counts", "rows_out"), 8, "add up"),
        (("counts", "rows_in"), -1, "0 or more"),
        (("counts", "sampled"), 8, "add up"),
        (("kind",), "transactions", "kind"),
        (("kept",), ["answer"], "occur twice"),
        (("columns",), [], "do not fit"),
        (("columns", 0, "operator", "law", "palette"), ["3/4", "1/3"], "sums to"),
        (("columns", 0, "operator", "law", "palette"), ["3/0", "1/4"], "divides by zero"),
        (("columns", 0, "operator", "law", "palette"), ["9" * 5000, "1/4"], "digits"),
        (("columns", 0, "operator", "law", "rows"), [[[0, 1], [1, 1]]], "row for each input"),
        (("columns", 0, "operator", "law", "rows", 0), [[0, 10**9]], "does not fit|not a list"),
        (("columns", 0, "operator", "law", "rows", 0), [[0, 1], [7, 1]], "does not fit"),
        (("columns", 0, "operator", "inputs"), ["yes", "yes"], "twice"),
        (("columns", 0, "operator", "inputs"), {"range": [0, 10**12]}, "neither a list"),
        (("columns", 0, "operator", "inputs"), sets(60, 7), "entries"),
        (("columns", 0, "operator", "inputs"), sets(10**7, 999), "sets"),
        (
            ("columns", 0, "operator", "outputs"),
            sets(10**7, None),
            "sets",
        ),
        (
            ("columns", 0, "operator", "inputs"),
            sets(10**7, 10**6),
            "list",
        ),
        (("columns", 0, "operator", "law", "palette"), ["0x" + "f" * 10**6, "1/4"], "digits"),
        (("columns", 1, "operator", "law", "arguments", "keep"), "3/2", "not between 0 and 1"),
        (("columns", 1, "operator", "law", "name"), "select_a_size", "no family"),
        (("columns", 0, "prior", "masses"), [[0, 2]], "sum"),
        (("columns", 0, "claims", 0, "verdict"), "fine", "verdict"),
    ],
)
def test_what_makes_no_sense_is_refused_even_with_a_fitting_digest(path, value, why):
    document = json.loads(full_release().text())
    at(document, path[:-1])[path[-1]] = value
    with pytest.raises(ReleaseError, match=why):
        Release.of(canonical(signed_again(document)))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "[" * 100_000, '{"format": "ppdm-release/2"}', '{"format": NaN}', "\0"],
)
def test_what_is_no_description_is_refused(text):
    with pytest.raises(ReleaseError, match="not a release description"):
        Release.of(text)


def test_a_release_is_found_by_either_file(tmp_path):
    data = released(tmp_path, ["answer", "yes", "no", "no"])
    for name in ("out.csv", "out.csv.release.json"):
        release = Release.read(tmp_path / name)
        assert release.path == data
        assert release.counts(["answer"]).tolist() == [1, 2]
    (tmp_path / "elsewhere.json").write_text((tmp_path / "out.csv.release.json").read_text())
    assert Release.read(tmp_path / "elsewhere.json").counts(["answer"]).tolist() == [1, 2]


def test_both_files_may_be_renamed_together(tmp_path):
    data = released(tmp_path, ["answer", "yes"])
    data.rename(tmp_path / "new.csv")
    (tmp_path / "out.csv.release.json").rename(tmp_path / "new.csv.release.json")
    assert Release.read(tmp_path / "new.csv").counts(["answer"]).tolist() == [1, 0]


def test_other_data_or_none_are_refused(tmp_path):
    data = released(tmp_path, ["answer", "yes", "no"])
    data.write_text("answer\nno\nno\n")
    with pytest.raises(ReleaseError, match="not the data that were released"):
        Release.read(data)
    data.unlink()
    with pytest.raises(ReleaseError, match="not beside it"):
        Release.read(tmp_path / "out.csv.release.json")
    lonely = tmp_path / "lonely.csv"
    lonely.write_text("answer\nno\n")
    with pytest.raises(ReleaseError, match=r"lonely.csv.release.json is missing"):
        Release.read(lonely)
    with pytest.raises(ReleaseError, match="no such file"):
        Release.read(tmp_path / "nothing.csv")


def test_values_that_are_no_outputs_are_named_by_line_only(tmp_path):
    data = released(tmp_path, ["answer", "yes", "secret-7131"])
    with pytest.raises(ReleaseError, match="line 3, column answer: no output of Coin") as caught:
        Release.read(data).counts(["answer"])
    assert "7131" not in str(caught.value)


def test_joint_counts_have_an_axis_for_each_column(tmp_path):
    other = randomized_response(3, "1/2", "RR")
    columns = (ReleasedColumn("answer", COIN, MODEL), ReleasedColumn("n", other, MODEL))
    rows = ["n,answer", "0,yes", "2,no", "2,no", "1,yes"]
    release = Release.read(released(tmp_path, rows, columns))
    assert release.counts(["answer", "n"]).tolist() == [[1, 1, 0], [0, 0, 2]]
    assert release.counts(["n", "answer"]).tolist() == [[1, 0], [1, 0], [0, 2]]
    for wrong in ([], ["n", "n"], ["id"]):
        with pytest.raises(ReleaseError):
            release.counts(wrong)


def test_another_number_of_rows_is_noticed(tmp_path):
    data = released(tmp_path, ["answer", "yes", "no"])
    release = Release.read(data)
    for rows in (1, 3):
        with pytest.raises(ReleaseError, match="not the number of rows"):
            replace(release, tally=Tally(rows, rows)).counts(["answer"])


def test_a_description_beside_its_data_needs_their_digest(tmp_path):
    data = released(tmp_path, ["answer", "yes"])
    release = Release.read(data)
    loose = replace(release, data=replace(release.data, sha256=None))
    data.with_name("out.csv.release.json").write_text(loose.text())
    with pytest.raises(ReleaseError, match="holds their digest"):
        Release.read(data)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        (("names",), list("abcdefgh"), "one name for each item"),
        (("names",), list("aacdefghi"), "one name for each item"),
        (("items",), 10, "one name for each item"),
        (
            (
                "groups",
                0,
                "sizes",
            ),
            [],
            "do not rise",
        ),
        (("groups", 0, "sizes", 0, "size"), 2, "do not rise"),
        (("groups", 0, "sizes", 1, "size"), 3, "on other transactions"),
        (("groups", 0, "sizes", 1, "operator", "inputs"), sets(8, 2), "other outputs|on other"),
        (("groups", 0, "sizes", 1, "operator", "law", "arguments", "keep"), ["1", "0"], "need p"),
        (("groups", 0, "sizes", 1, "operator", "law", "arguments", "insert"), "2", "insert|rho"),
        (("groups", 0, "sizes", 0, "rows"), 6, "do not add up"),
    ],
)
def test_transactions_that_make_no_sense_are_refused(path, value, why):
    document = json.loads(basket_release().text())
    at(document["transactions"], path[:-1])[path[-1]] = value
    with pytest.raises(ReleaseError, match=why):
        Release.of(canonical(signed_again(document)))


def test_a_joint_table_has_a_limit(tmp_path):
    wide = randomized_response(10**6, "1/2", "wide")
    columns = (ReleasedColumn("a", wide, MODEL), ReleasedColumn("b", wide, MODEL))
    release = Release.read(released(tmp_path, ["a,b", "0,1"], columns))
    assert np.flatnonzero(release.counts(["a"])).tolist() == [0]
    with pytest.raises(ReleaseError, match="joint table"):
        release.counts(["a", "b"])


def test_the_wrong_model_is_named(tmp_path):
    release = Release.read(released(tmp_path, ["answer", "yes"]))
    release.check_operator("answer", COIN, "model.ppdm")
    other = Operator.from_matrix(
        [["2/3", "1/3"], ["1/3", "2/3"]], COIN.inputs, COIN.outputs, "Coin"
    )
    with pytest.raises(ReleaseError, match=r"other.ppdm is the wrong model for this release"):
        release.check_operator("answer", other, "other.ppdm")


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30))
def test_runs_are_the_codes(codes):
    from ppdm_formal.run.described import codes_of, runs

    assert codes_of(runs(np.array(codes)), len(codes), 4).tolist() == codes
