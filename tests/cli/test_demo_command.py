"""ppdm demo: the whole way in small, and what its page shows."""

import json
import re

import pytest

from ppdm_formal.cli import run


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """6,400 baskets of 20 items: too few to see much, and quick."""
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("demo") / "made" / "here"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ppdm_formal.commands.demo.PARTS", (4, 1))
        asked = ["demo", "--out", str(folder), "--transactions", "6400", "--items", "20"]
        written = {kind: folder / f"result.{kind}" for kind in ("json", "html", "markdown")}
        assert run([*asked, *(w for k, p in written.items() for w in (f"--{k}", str(p)))]) == 0
    return folder


def test_every_step_left_its_files(demo):
    plan = json.loads((demo / "plan.json").read_text())
    assert (plan["rho1"], plan["rho2"], plan["items"]) == ("1/20", "1/2", 20)
    certificates = list((demo / "certificates").glob("*.json"))
    assert len(certificates) == len(plan["sizes"]) == 5
    found = json.loads((demo / "found.json").read_text())
    assert (found["kind"], found["transactions"]) == ("sampled", 6400)
    assert found["truth"]["sizes"][0]["true_positives"] > 5
    assert run(["check", *map(str, certificates), "--model", str(demo / "plan.json")]) == 0


def test_the_result_is_written_as_that_of_other_commands(demo):
    data = json.loads((demo / "result.json").read_text())
    assert (data["format"], data["transactions"], data["items"]) == ("ppdm-demo/1", 6400, 20)
    assert data["simulated"] is True
    assert [part["transactions"] for part in data["mined"]] == [1600, 6400]
    assert (demo / "result.html").read_text() == (demo / "demo.html").read_text()
    assert "Estimated against true supports" in (demo / "result.markdown").read_text()


def test_the_page_has_every_picture_and_the_same_numbers(demo):
    page = (demo / "demo.html").read_text()
    for title in (
        "Estimated against true supports",
        "Found and missed: items",
        "Found and missed: pairs",
        "Frequent itemsets found, by the number of transactions",
    ):
        assert f"<h4>{title}</h4><svg" in page
    assert "<script" not in page
    found = json.loads((demo / "found.json").read_text())
    plan = json.loads((demo / "plan.json").read_text())
    lds = {pool["itemset"]: float(pool["lds"]) for pool in plan["pooled"]}
    for size in (1, 2):
        assert f"lowest discoverable support of the plan, {lds[size]:.2%}" in page
    rows = re.findall(r"<tr>(.*?)</tr>", page)
    cells = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]
    for part in found["truth"]["sizes"]:
        told = [part[key] for key in ("size", "frequent", "listed", "true_positives")]
        told += [part[key] for key in ("false_drops", "false_positives")]
        assert any(row[:6] == [f"{number:,}" for number in told] for row in cells)
    assert [row[0] for row in cells if row and row[0] in ("1,600", "6,400")] == ["1,600", "6,400"]


def test_what_is_lacking_is_said_before_anything_is_done(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        "ppdm_formal.commands.demo.find_spec", lambda name: None if name == "numba" else name
    )
    assert run(["demo", "--out", str(tmp_path / "d")]) == 2
    said = capsys.readouterr()
    assert "the demo needs numba: make install" in said.err
    assert "made up" not in said.out
    assert not (tmp_path / "d").exists()


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--two-servers", "--items", "20"], "--items is not for --two-servers"),
        (["--clients", "200"], "--clients is only for --two-servers"),
    ],
)
def test_options_of_the_other_demo_are_refused(asked, says, capsys, tmp_path):
    assert run(["demo", "--out", str(tmp_path / "d"), *asked]) == 2
    assert says in capsys.readouterr().err
    assert not (tmp_path / "d").exists()


def test_a_step_that_fails_is_said(tmp_path, capsys, monkeypatch):
    """Something stands where the plan should go."""
    (tmp_path / "plan.json").mkdir()
    asked = ["demo", "--out", str(tmp_path), "--transactions", "1600", "--items", "20"]
    assert run(asked) == 2
    shown = capsys.readouterr().err
    assert "ppdm design" in shown
    assert "ended with exit code 2" in shown
    assert not (tmp_path / "demo.html").exists()
