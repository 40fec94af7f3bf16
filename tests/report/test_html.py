"""The HTML report: one harmless file, the same each time, with the numbers of the JSON."""

import base64
import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from page_reader import assert_harmless

from ppdm_formal.certify import certify
from ppdm_formal.certify.finding import Finding, Verdict
from ppdm_formal.declare.claim import BreachClaim
from ppdm_formal.declare.machine.files import example_names
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.markdown import document_markdown, plain
from ppdm_formal.report.parts.sections.verdicts import verdict_block


@pytest.mark.parametrize("name", example_names())
def test_every_model_gives_a_harmless_page(name, page_of):
    source = page_of(name)
    page = assert_harmless(source)
    assert source.startswith("<!DOCTYPE html>")
    assert "http://" not in source
    assert "https://" not in source
    assert "url(" not in source
    ids = [value for _, key, value in page.attributes if key == "id"]
    assert len(ids) == len(set(ids))
    linked = {value[1:] for _, key, value in page.attributes if key == "href"}
    assert linked <= set(ids)


def test_the_policy_allows_the_one_style_sheet_and_nothing_else(page_of):
    source = page_of("example2")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', source).group(1)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    style = re.search(r"<style>(.*?)</style>", source, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert source.index("Content-Security-Policy") < source.index("<style>")


def test_a_page_is_that_of_its_document(audited, page_of, document_of):
    assert document_html(audited("example2").document()) == page_of("example2")
    assert document_markdown(audited("example2").document()) == document_markdown(
        document_of("example2")
    )


def test_example_1_is_small(page_of):
    assert len(page_of("example1").encode()) < 500 * 1024


def test_byte_identical_whatever_the_hash_seed(tmp_path):
    script = (
        "import sys; from ppdm_formal.cli import run; "
        "[run(['audit', '--example', name, '--html', f'{name}.html', '--markdown', f'{name}.md'])"
        " for name in sys.argv[1:]]"
    )
    names = ("example1", "k_ary")
    found = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        subprocess.run(
            [sys.executable, "-c", script, *names],
            cwd=folder,
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
            check=True,
            capture_output=True,
        )
        files = [folder / f"{name}.{kind}" for name in names for kind in ("html", "md")]
        found.append([path.read_bytes() for path in files])
    assert found[0] == found[1]


def numbers(data):
    """Every exact number of an operator's JSON that a report must show."""
    yield data["amplification"]["value"]
    for row in (*data["posteriors"], *data["worst_posteriors"]):
        yield row["before"]
        yield row["after"]
    for part in data["information"]:
        for value in (part["mutual"], part["worst_case"], part["inverse_worst_case"]):
            yield from value.values() if isinstance(value, dict) else [value]
    for summary in data["certificates"]:
        for value in (summary["thresholds"] or {}).values():
            yield from value.values() if isinstance(value, dict) else [value or "none"]
        for key in ("before", "after"):
            yield (summary["witness"] or {}).get(key)


@pytest.mark.parametrize("name", example_names())
def test_the_numbers_are_those_of_the_json(name, audited, page_of, document_of):
    result = audited(name)
    page = assert_harmless(page_of(name))
    markdown = document_markdown(document_of(name))
    data = result.to_json()
    exact = "\n".join(cell for row in page.cells for cell in row)
    for operator in data["operators"]:
        for number in numbers(operator):
            if number is not None:
                assert number[:200] in exact
                assert plain(number[:200]) in markdown
    words = {"certified": "Holds", "breached": "Fails", "partly": "Holds", "unknown": "Not"}
    badges = re.findall(r'<h4><span class="badge (\w+)">(\w+)', page_of(name))
    found = [*data["operators"], *data.get("continuous", [])]
    summaries = [s for record in data.get("parts", []) for s in record["claims"]]
    summaries += [s for operator in found for s in operator["certificates"]]
    assert [word for _, word in badges] == [words[s["verdict"]] for s in summaries]
    for (shade, _), summary in zip(badges, summaries, strict=True):
        assert shade == summary["verdict"]


def test_example_1_in_words(page_of):
    text = assert_harmless(page_of("example1")).text
    for expected in (
        "R1 and R2: not safe, every claim fails. R3: every claim holds.",
        # 601/1204 = 0.499169...: a bound on what can be learned is rounded up ...
        "suspicion of ~14.29% (1/7) or less to at most 49.92%, narrowly within the limit of 50%",
        "could be lowered to anything above ~49.92% (601/1204), no further",
        # ... and 201/1403 = 0.143264..., up to which it is safe, down.
        "could be raised to anything below ~14.32% (201/1403), no further",
        "the amplification is ~5.98 (1202/201), narrowly within the limit of 6",
        # 131633/174500 = 0.754344...: the same number everywhere.
        "from ~14.27% (7133/50000) to ~75.44% (131633/174500)",
        "it would pass only with a limit above ~75.44% (131633/174500) instead of 50% (1/2)",
        "No limit below 100% would make it pass.",
        "occurs in ~0.28% (349/125000) of all reports under the prior X",
        "20% (1/5) of the reports of the most exposed true value, 0.",
        "no output is as much as 6 times as likely from one true value as from another (claim 9)",
        "python -I check.py CERTIFICATE",
        "ppdm audit example1.ppdm --certificates DIR writes them",
        "That the software in use does what the model says.",
        "It is about one report per person",
        "exactly 125/128 (~97.66%)",
        "for every input the probabilities are at least 0 and sum to exactly 1",
        "EGS03 Definition 3",
        "Each client sends one report of a value.",
        "operator R3(x: Number) -> Number {",
    ):
        assert expected in text


def test_a_free_parameter_gets_its_region(page_of):
    text = assert_harmless(page_of("warner")).text
    assert "Claim 1 holds exactly for p < 9/10 and fails for every other p in (1/2, 1)." in text
    assert "Yes if p < 9/10 (claim 1); no for every other p in (1/2, 1)." in text
    assert "Holds for p < 9/10 only" in text
    assert "about one report in 6" in text
    assert "Where each claim holds, along p" in text


def test_a_free_parameter_is_sampled_at_the_edge_and_on_both_sides(page_of):
    page = assert_harmless(page_of("warner"))
    for p, verdict, odds, reach in (
        (Fraction(7, 10), "holds", "~2.333 (7/3)", "20.59%"),
        (Fraction(9, 10), "fails", "9", "50%"),
        (Fraction(19, 20), "fails", "19", "67.86%"),
    ):
        row = next(row for row in page.cells if row and row[0].startswith(f"{p} ("))
        assert row[1:4] == [verdict, odds, reach]
        # Bayes' rule for a belief of 1/10 and the answer yes, rounded up.
        after = p / (p + 9 * (1 - p))
        assert 0 <= Fraction(reach[:-1]) / 100 - after < Fraction(1, 10**4)
        assert (after < Fraction(1, 2)) == (verdict == "holds")


def test_an_example_that_is_not_the_worst_says_so(page_of):
    text = assert_harmless(page_of("age")).text
    assert "Fails: for example, output 117 takes the property old" in text
    assert "The example is not the worst: output 120 takes it to 100%." in text
    assert "would then no longer count" in text


def test_the_whole_model_is_in_the_report(audited):
    result = audited("age")
    text = assert_harmless(document_html(result.document())).text
    for line in result.model.source.splitlines():
        assert line in text


def test_written_certificates_are_listed_with_their_digests(tmp_path, audited):
    found = audited("example2").operators[1]
    path = found.certificates[0].write(tmp_path, "Erase-1")
    files = {("Erase", 0): path.name}
    text = assert_harmless(document_html(replace(audited("example2"), files=files).document())).text
    assert "ppdm check . --model model/example2.ppdm" in text
    assert "Erase-1.json" in text
    digest = re.search(r'"sha256":"([0-9a-f]{64})"', path.read_text().rpartition('"smt"')[0])
    assert found.certificates[0].to_json("Erase-1")["sha256"] in text
    assert digest is not None


def test_what_is_not_decided_is_said_to_be_so(audited):
    certificate = audited("example1").operators[2].certificates[1]
    late = Finding(Verdict.UNKNOWN, "the time ran out")
    block = verdict_block(replace(certificate, finding=late))
    assert (block.badge, block.finding) == ("Not decided", "Not decided: the time ran out.")
    assert ("Trust", "Nothing was proved either way.") in block.details


def test_a_downward_claim_flips_downward():
    coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    claim = BreachClaim(Fraction(1, 4), Fraction(1, 2), "downward")
    block = verdict_block(certify(coin, claim))
    assert block.details[0][1] == [
        "With the lower limit of 25% (1/4), it would pass only with a starting belief above "
        "50% (1/2); it just misses that.",
        "With the starting belief of 50% (1/2), it would pass only with a lower limit below "
        "25% (1/4); it just misses that.",
    ]
    assert "must not lower the belief in any yes-or-no property" in block.asked


def test_priors_and_properties_are_spelled_out(page_of):
    text = assert_harmless(page_of("example1")).text
    assert "1/100 for 0; 99/100000 for each of 1000 inputs such as 1" in text
    assert "true of 400 of 1001 inputs: 0 to 199, 801 to 1000" in text


def test_markdown_has_the_same_headings(page_of, document_of):
    for name in ("example1", "warner"):
        source = page_of(name)
        titles = re.findall(r"<h([23])>(.*?)</h", source)
        lines = document_markdown(document_of(name)).splitlines()
        headings = [line for line in lines if re.match(r"###? ", line)]
        assert [f"{'#' * int(level)} {title}" for level, title in titles] == headings
