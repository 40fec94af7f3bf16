"""ppdm compare and the reports of ppdm audit, as a user runs them."""

import pytest
from page_reader import assert_harmless

from ppdm_formal.cli import run
from ppdm_formal.declare.machine.files import example_path


def test_compare_on_the_terminal_and_as_html(tmp_path, capsys):
    target = tmp_path / "compared.html"
    models = [str(example_path(name)) for name in ("example1", "warner", "k_ary")]
    assert run(["compare", *models, "--html", str(target)]) == 1
    shown = capsys.readouterr().out
    for expected in (
        "R1",
        "250",
        "1202/201",
        "below 14.32%",
        "p/(1 - p)",
        "Holds for p < 9/10 only",
    ):
        assert expected in shown
    page = assert_harmless(target.read_text())
    assert "Breach frontiers, all priors" in page.text
    assert page.text.count("Trade-off along p") >= 2


def test_compare_with_values(capsys):
    names = ["--example", "warner", "--example", "k_ary"]
    assert run(["compare", *names, "--set", "p=3/4"]) == 1
    assert "Holds for p < 9/10 only" not in capsys.readouterr().out
    assert run(["compare", *names, "--set", "q=3/4"]) == 2
    assert run(["compare"]) == 2


def test_claims_that_say_nothing_pass_only_where_they_may(tmp_path, capsys):
    text = """domain A = {yes, no}
        prior V on A { yes : 3/5; no : 2/5 }
        operator R(x: A) -> A { [x -> y] = 9/10 if y == x | 1/10 otherwise }
        audit R { forbid downward breach 7/10 -> 1/10 under V }"""
    model, page = tmp_path / "silent.ppdm", tmp_path / "silent.html"
    model.write_text(text)
    assert run(["compare", str(model)]) == 3
    assert "Says nothing" in capsys.readouterr().out
    assert run(["compare", str(model), "--allow-vacuous", "--html", str(page)]) == 0
    assert "Says nothing" in capsys.readouterr().out
    assert '<span class="badge vacuous">Says nothing</span>' in page.read_text()
    folder = ["--certificates", str(tmp_path / "c")]
    assert run(["audit", str(model), "--html", str(page), *folder]) == 3
    shown = assert_harmless(page.read_text()).text
    assert "ppdm check . --model model/silent.ppdm --allow-vacuous" in shown
    assert "python3 -I check.py . --allow-vacuous" in shown


def test_a_free_parameter_has_a_cost_at_a_few_of_its_values(tmp_path, capsys):
    assert run(["audit", "--example", "warner", "--markdown", str(tmp_path / "a.md")]) == 1
    rows = (tmp_path / "a.md").read_text().split("At a few values of p")[1].splitlines()
    fields = [[cell.strip() for cell in row.split("|")] for row in rows if row.startswith("|")]
    people = fields[0].index("people for one point")
    # 1.96^2 q (1 - q) / (2 p - 1)^2 / 0.01^2 with q = p/10 + 9 (1 - p)/10, at p = 7/10
    assert next(row for row in fields if row[1].startswith("7/10"))[people] == "53,900"
    shown = capsys.readouterr().out
    assert shown.count("ln(amplification)") == shown.count("depends on p") - 1 == 3


def test_one_name_in_two_models_is_told_apart(tmp_path, capsys):
    source = example_path("warner").read_text()
    for name in ("a", "b"):
        (tmp_path / f"{name}.ppdm").write_text(source)
    run(["compare", str(tmp_path / "a.ppdm"), str(tmp_path / "b.ppdm")])
    shown = capsys.readouterr().out
    assert "a: Warner" in shown
    assert "b: Warner" in shown


@pytest.mark.parametrize(("option", "start"), [("--html", "<!DOCTYPE"), ("--markdown", "# Priv")])
def test_a_report_to_standard_output_is_the_report_alone(option, start, capsys):
    assert run(["audit", "--example", "example2", option, "-"]) == 1
    assert capsys.readouterr().out.startswith(start)


def test_reports_and_certificates_together(tmp_path, capsys):
    arguments = ["--html", "a.html", "--markdown", "a.md", "--certificates", "c"]
    arguments = [str(tmp_path / a) if not a.startswith("--") else a for a in arguments]
    assert run(["audit", "--example", "example2", *arguments]) == 1
    page = assert_harmless((tmp_path / "a.html").read_text())
    assert "ppdm check . --model model/example2.ppdm" in page.text
    assert "Flip-1.json" in (tmp_path / "a.md").read_text()
    assert str(tmp_path) not in (tmp_path / "a.html").read_text()
    assert "Claims" in capsys.readouterr().out
