"""Values of parameters and readings of a matrix, changed in a file together with all that follows.

A certificate made at one value (read in one way) is true there. Whatever its file then says of the
model, it is accepted only against the model as the caller states it, if that is the same one.
"""

from __future__ import annotations

import itertools
import json

import pytest
from certificate_builder import as_file
from changes import sealed

from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

MODEL = """param p in [1/2, 1) = 3/4
operator R(x: 0..1) -> 0..1 { [x -> y] = p if x == y | 1 - p otherwise }
audit R { forbid breach 1/4 -> 1/2 }
"""
STATED = {"3/4": [], "3/5": ["--set", "p=3/5"], "2/3": ["--set", "p=2/3"]}


def made(folder, *arguments):
    assert run(["audit", *map(str, arguments), "--certificates", str(folder), "--no-solver"]) < 2
    (path,) = folder.glob("R-1.json") if (folder / "R-1.json").exists() else folder.glob("*-1.json")
    return json.loads(path.read_bytes())


def checked(folder, documents, *arguments):
    """What the checker says of each, all in one command."""
    files = {}
    for place, (key, document) in enumerate(documents.items()):
        files[key] = folder / f"forged-{place}.json"
        files[key].write_bytes(as_file(sealed(document)))
    answer = folder / "answer.json"
    answer.unlink(missing_ok=True)
    run(["check", *map(str, files.values()), "--json", str(answer), *map(str, arguments)])
    rows = json.loads(answer.read_text())["certificates"]
    return {key: row["status"] for key, row in zip(files, rows, strict=True)}


def test_a_certificate_at_one_value_is_none_at_another(tmp_path):
    """It holds at 3/5, and not at 3/4, which the model itself has."""
    model = tmp_path / "m.ppdm"
    model.write_text(MODEL)
    genuine = {p: made(tmp_path / p.replace("/", "-"), model, *STATED[p]) for p in STATED}
    assert {p: one["verdict"] for p, one in genuine.items()} == {
        "3/4": "breached", "3/5": "certified", "2/3": "certified",
    }  # fmt: skip
    blocks = [{}, *({"p": p} for p in STATED)]
    forged = {
        (value, str(block)): one | {"model": one["model"] | {"set": block}}
        for value, one in genuine.items()
        for block in blocks
    }
    for stated, options in STATED.items():
        found = checked(tmp_path, forged, "--model", model, *options)
        for (value, block), status in found.items():
            assert value == stated or status == "rejected", (value, stated, block)
        assert found[stated, str(genuine[stated]["model"]["set"])] == "accepted"


def test_a_certificate_of_one_reading_is_none_of_another(tmp_path):
    table = tmp_path / "m.csv"
    table.write_text(",u,v\na,0.334,0.667\nb,0.666,0.333\n")
    ways = {"normalize": ["--normalize"], "rounded": ["--rounded", "3"]}
    claim = ["--forbid", "1/4:1/2"]
    genuine = {way: made(tmp_path / way, table, *options, *claim) for way, options in ways.items()}
    reads = [one["model"].get("read") for one in genuine.values()]
    forged = {}
    for (way, one), read in itertools.product(genuine.items(), [*reads, None]):
        block = {key: value for key, value in one["model"].items() if key != "read"}
        block |= {} if read is None else {"read": read}
        forged[way, str(read)] = one | {"model": block}
    for stated, options in ways.items():
        found = checked(tmp_path, forged, "--model", table, *options)
        for (way, read), status in found.items():
            assert way == stated or status == "rejected", (way, stated, read)
        assert found[stated, str(genuine[stated]["model"].get("read"))] == "accepted"
