"""ppdm check --model: the whole claim, the views and the questions are those of the model."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from certificate_builder import as_file, seal

from ppdm_formal.checker.against_model import FromModel, compare
from ppdm_formal.checker.result import Rejected
from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

TWO_PROPERTIES = """
domain D = 0..3
property zero on D = x == 0
property far on D = x >= 2
operator R(x: D) -> 0..1 {
  matrix {
    0 : 9/10 1/10
    1 : 1/10 9/10
    2 : 1/5 4/5
    3 : 1/5 4/5
  }
}
audit R {
  forbid upward breach 1/10 -> 1/2 under { mass(far) <= 9/10 } for zero
  forbid upward breach 1/10 -> 1/2 under { mass(zero) <= 9/10 } for far
}
"""


def audited(folder: Path, text: str, *options: str) -> tuple[Path, list[Path]]:
    """A model, and the certificates of its audit in order."""
    model = folder / "m.ppdm"
    model.write_text(text)
    written = folder / "written"
    assert run(["audit", str(model), "--certificates", str(written), *options]) in (0, 1, 3)
    return model, sorted(written.glob("*.json"))


def check(capsys: Any, *arguments: object) -> tuple[int, list[str]]:
    """The exit code of ppdm check, and what it printed."""
    capsys.readouterr()
    code = run(["check", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, [*captured.out.splitlines(), *captured.err.splitlines()]


def read(path: Path) -> Any:
    return json.loads(path.read_bytes())


def written(folder: Path, document: dict[str, Any], name: str = "forged.json") -> Path:
    path = folder / name
    path.write_bytes(as_file(seal(document)))
    return path


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    return audited(tmp_path_factory.mktemp("two"), TWO_PROPERTIES)


def test_a_certificate_of_another_claim_is_rejected(tmp_path, two, capsys):
    """The properties in another order were read by the wrong columns of the views."""
    model, (broken, holds) = two
    first, second = read(broken), read(holds)
    assert (first["verdict"], second["verdict"]) == ("breached", "certified")
    assert check(capsys, holds, "--model", model)[0] == 0
    assert check(capsys, broken, holds, "--model", model)[0] == 1
    assert check(capsys, broken, holds, "--model", model, "--allow-breached")[0] == 0
    claim = {**first["claim"], "properties": ["far", "zero"], "for": 1}
    claim["under"] = {"constraints": [{"terms": [["1", 0]], "relation": "<=", "bound": "9/10"}]}
    assert claim["text"] == first["claim"]["text"]
    forged = written(tmp_path, {**second, "operator": first["operator"], "claim": claim})
    code, lines = check(capsys, forged, "--model", model)
    assert code == 4, lines
    assert "not in their order" in lines[0]  # so it is found out without the model as well


def test_the_claim_must_be_the_models_to_the_last_field(two):
    _, (broken, holds) = two
    from ppdm_formal.checker import FromModel, check_certificate

    document = read(holds)
    other = read(broken)["claim"]
    assert check_certificate(document, claim=document["claim"]).accepted
    assert not check_certificate(document, claim=other).accepted
    for key in document["claim"]:
        changed = {**document["claim"], key: "else"}
        assert not check_certificate(document, claim=changed).accepted

        def derive(_: Any, changed: Any = changed) -> FromModel:
            return FromModel(claim=changed)

        assert not check_certificate(document, derive=derive).accepted


BAD = {
    "a list for a name": lambda c: c["operator"].update(name=["R"]),
    "an object for a name": lambda c: c["operator"].update(name={}),
    "rho1 1/0": lambda c: c["claim"].update(rho1="1/0"),
    "rho1 tiny": lambda c: c["claim"].update(rho1="1e-999999999"),
    "bound with an exponent": lambda c: c["claim"]["under"]["constraints"][0].update(
        bound="9e99999999"
    ),
    "a position beyond": lambda c: c["claim"].update({"for": 10**9}),
    "no claim": lambda c: c.update(claim=None),
    "no operator": lambda c: c.update(operator=None),
    "a model of numbers": lambda c: c.update(model=7),
    "a value that is no number": lambda c: c["model"].update(set={"p": "1e99999999"}),
    "a value for no parameter": lambda c: c["model"].update(set={"p": "1/2"}),
    "an operator of no model": lambda c: c["operator"].update(name="S"),
    "a property of no model": lambda c: c["claim"].update(
        properties=["one", "far"], text=c["claim"]["text"].replace("zero", "one")
    ),
}  # fmt: skip


def test_bad_certificates_are_rejected_and_the_rest_are_checked(tmp_path, two, capsys):
    model, (broken, holds) = two
    paths = []
    for name, damage in BAD.items():
        document = read(broken)
        damage(document)
        paths.append(written(tmp_path, document, f"{name.replace('/', ' ')}.json"))
    deep = tmp_path / "deep.json"
    deep.write_bytes(b'{"claim":' * 50_000 + b"1" + b"}" * 50_000 + b"\n")
    code, lines = check(capsys, *paths, deep, holds, "--model", model)
    assert code == 4, lines
    assert len(lines) == len(paths) + 2
    for line in lines[:-1]:
        assert ": rejected: " in line, lines
    assert ": accepted: " in lines[-1]


OTHER_DOMAIN = """
domain D = 0..1
domain E = 0..2
prior X on D = uniform
prior Y on E = uniform
operator R(x: D) -> D {
  [x -> y] = 3/4 if y == x | 1/4 otherwise
}
audit R { forbid breach 1/10 -> 1/2 under X }
"""


def test_a_prior_on_another_domain_is_no_internal_error(tmp_path, capsys):
    text = OTHER_DOMAIN
    model, (path,) = audited(tmp_path, text)
    document = read(path)
    document["claim"]["under"]["prior"] = "Y"
    document["claim"]["text"] = document["claim"]["text"].replace("under X", "under Y")
    forged = written(tmp_path, document)
    assert check(capsys, forged)[0] == 0  # true of the operator that it describes
    code, lines = check(capsys, forged, path, "--model", model)
    assert code == 4
    assert "not of this model" in lines[0]
    assert "accepted" in lines[1]


def test_a_bad_model_is_bad_input_and_worse_than_a_rejection(tmp_path, two, capsys):
    _, (broken, holds) = two
    bad_model = tmp_path / "bad.ppdm"
    bad_model.write_text("operator R(\n")
    bad = written(tmp_path, {**read(broken), "verdict": "certified"})
    assert check(capsys, holds, bad, "--model", bad_model)[0] == 2
    assert check(capsys, holds, "--model", tmp_path / "none.ppdm")[0] == 2
    assert check(capsys, tmp_path / "none.json", bad, holds)[0] == 2
    assert check(capsys, bad, holds)[0] == 4


NAMES = """
domain D = 0..1
prior {prior} on D {{ 0 : 1/4; 1 : 3/4 }}
property {about} on D = x == 0
operator {knowing}(x: D) -> D {{
  [x -> y] = 2/3 if y == x | 1/3 otherwise
}}
operator R(x: D) -> D {{
  [x -> y] = 3/4 if y == x | 1/4 otherwise
}}
audit R {{
  forbid breach 1/10 -> 1/2 under {prior}
  forbid breach 1/10 -> 1/2 under {prior} knowing {knowing} for {about}
  forbid breach 1/10 -> 1/2 for {about}
  forbid breach 1/10 -> 1/2 under {{ mass({about}) <= 1/2 }} for {about}
  require dependence({prior}) <= 2
}}
"""


@pytest.mark.parametrize("names", [("under", "for", "knowing"), ("for", "knowing", "under")])
def test_any_name_of_the_language_may_be_checked(names, tmp_path, capsys):
    text = NAMES.format(**dict(zip(("prior", "about", "knowing"), names, strict=True)))
    model, paths = audited(tmp_path, text)
    assert len(paths) == 5
    code, lines = check(capsys, *paths, "--model", model, "--allow-vacuous")
    assert code == 0, lines


def test_a_matrix_file_takes_no_values(tmp_path, capsys):
    matrix = tmp_path / "m.csv"
    matrix.write_text("3/4,1/4\n1/4,3/4\n")
    folder = tmp_path / "c"
    options = ["--forbid", "1/10:1/2", "--certificates", str(folder)]
    assert run(["audit", str(matrix), *options]) == 0
    (path,) = folder.glob("*.json")
    document = read(path)
    document["model"]["set"] = {"p": "1/2"}
    forged = written(tmp_path, document)
    code, lines = check(capsys, path, forged, "--model", matrix)
    assert code == 4
    assert ": accepted: " in lines[0]
    assert "made with p = 1/2; in the model as it is checked: p free" in lines[1]


FORMULAS = """
domain D = 0..1
prior X on D = uniform
operator R(x: D) -> D {
  [x -> y] = 3/4 if y == x | 1/4 otherwise
}
audit R {
  require inverse_worst_case_information(X) <= 2 nat
  require inverse_worst_case_information(X) < 1/10 nat
  require mutual_information(X) <= 1/5 bit
  require mutual_information(X) < 1/10 nat
}
"""


def test_measures_that_the_checker_does_not_know_by_name(tmp_path, capsys):
    from ppdm_formal.certify import certify
    from ppdm_formal.certify.audit.audit import provenance
    from ppdm_formal.declare.language.compiler import load

    model = tmp_path / "m.ppdm"
    model.write_text(FORMULAS)
    loaded = load(model, {})
    (request,) = loaded.audits
    paths = []
    for i, claim in enumerate(request.claims):
        found = certify(request.operator, claim, provenance=provenance(loaded))
        paths.append(found.write(tmp_path / "written", f"R-{i}"))
    assert len(paths) == 4
    document = read(paths[0])
    assert document["evidence"] == {"kind": "formula"}
    # the formula of another measure under this one's name, and a measure of no model
    other = json.loads(json.dumps(document))
    other["claim"]["formula"] = {"over": "max", "of": ["min", "likelihood"]}
    unknown = json.loads(json.dumps(document))
    unknown["claim"]["measure"] = "novel"
    text = unknown["claim"]["text"].replace("inverse_worst_case_information", "novel")
    unknown["claim"]["text"] = text
    forged = [written(tmp_path, one, f"{i}.json") for i, one in enumerate((other, unknown))]
    code, lines = check(capsys, *paths, *forged, "--model", model)
    assert code == 4, lines
    assert all(": accepted: " in line and "the measure is" in line for line in lines[:4]), lines
    assert "the formula is not that of inverse_worst_case_information" in lines[4]
    assert "unknown measure novel" in lines[5]
    code, lines = check(capsys, *forged)
    assert code == 4  # no other formula under a known name, model or not
    code, lines = check(capsys, forged[1])
    assert code == 0  # true by itself, and it says what it is about
    assert "the measure is what this file says that it is: the greatest over outputs" in lines[0]


@pytest.mark.parametrize(
    ("field", "said"),
    [("region", "region is not that"), ("claim", "the claim is not"), ("operator", "the views")],
)
def test_each_part_that_the_model_says_is_compared(field, said):
    """A part that differs is rejected, one that agrees or was not derived is not."""
    stated = {"region": {"text": "p < 1/3"}, "claim": {"rho1": "1/3"}, "operator": {"name": "R"}}
    certificate = SimpleNamespace(raw=stated, questions=())
    compare(certificate, FromModel())
    compare(certificate, FromModel(**{field: dict(stated[field])}))
    with pytest.raises(Rejected, match=said):
        compare(certificate, FromModel(**{field: {**stated[field], "more": "1"}}))
