"""Every command's result: the same three options, the same facts in each, and a notebook display.

Commands and records are found by their place: one that has no example here fails.
"""

import importlib
import json
import pkgutil
import random
import re
from html import unescape

import click
import pytest
from page_reader import Page

import ppdm_formal
from ppdm_formal import commands
from ppdm_formal.cli import cli, run
from ppdm_formal.commands._result import Outputs
from ppdm_formal.declare.result import Result
from ppdm_formal.report.parts import blocks as b

NAMES = sorted(
    one.name for one in pkgutil.iter_modules(commands.__path__) if not one.name.startswith("_")
)
MODEL = """operator A = randomized_response(values: 4, keep: 1/2)
operator B = randomized_response(values: 2, keep: 3/4)
param p in (1/2, 1)
operator C = randomized_response(values: 2, keep: p)
audit A { forbid breach 1/20 -> 1/2 }
audit B { forbid breach 1/20 -> 1/2 }
"""
ROUND = "--group-by place --simulate 4"
EXAMPLES = {
    "new": ["new started"],
    "audit": [
        "audit model.ppdm --set p=3/4",
        "audit model.ppdm --set p=3/4,2/3",
        "audit plan.json",
    ],
    "compare": ["compare model.ppdm"],
    "check": ["check certificates"],
    "leakage": ["leakage model.ppdm --operator B"],
    "rate": ["rate loss.csv --max-loss 1/4 -o mechanism.csv"],
    "theorem": ["theorem certificates/A-1.json -o A.v"],
    "design": [
        "design --data b.dat --items 8 --rho1 5% --rho2 50% --itemsets 2 -o again.json",
        "design --data b.dat --items 8 --rho1 5% --rho2 90% --top 3 --anyway -o rounds.json",
        "design --histogram sizes.csv --items 50 --rho1 5% --rho2 50% --find items --top 9",
    ],
    "client": ["client model.ppdm --operator B --language python -o client.py"],
    "randomize": ["randomize t.csv -o r2.csv --model model.ppdm --operator B=sex --simulate 5"],
    "collect": ["collect model.ppdm --operator B --out collected --for 0.1s"],
    "expand": ["expand seeds.parquet -o out.dat"],
    "seeds": ["seeds --items 100 --size 3 --itemsets 2 --insert 1/16"],
    "estimate": ["estimate r.csv --csv cells.csv"],
    "tally": ["tally r.csv -o counts.json"],
    "mine": [
        "mine b.dat --plain --min-support 5% --min-confidence 10%",
        "mine rb.dat --min-support 20% --max-size 2 --truth b.dat --csv found.csv",
        "mine round1.dat round2.dat --min-support 10% --min-confidence 20% --truth l.dat",
    ],
    "reconstruct": ["reconstruct n.csv --column z --noise uniform(-1,1) --cells 0:6:4"],
    "classify": [
        "classify --functions F1 --noise uniform --privacy 50% --train 200 --test 50 "
        "--strategies original,global"
    ],
    "value": [
        "value --game game.csv",
        f"value --model model.ppdm --operator B --people {','.join(['90'] * 18)} --error 9% "
        "--orders 20",
    ],
    "generate": ["generate t.csv -o g.csv --method groups --columns columns.csv --seed 3"],
    "domains": ["domains t.csv --header -o declared.csv"],
    "evaluate": ["evaluate t.csv t.csv --columns columns.csv"],
    "anonymity": ["anonymity t.csv --quasi age --sensitive sex"],
    "itemsets": ["itemsets b.dat --items 8 --epsilon 1 --count 3 --simulate 2"],
    "count": [
        "count b.dat --epsilon 1 --itemset 1,2 --simulate 3",
        "count --exact 480,520 --epsilon 1 --prior 1/2,1/2",
        "count --exact 1,2 --epsilon 1 --priors priors.txt",
    ],
    "krimp": ["krimp b.dat --min-support 20%"],
    "prove": ["prove egs03/statement_1"],
    "figures": ["figures egs03 --out figures"],
    "demo": ["demo --two-servers --clients 100 --out two"],  # tests/cli/test_demo_command.py
}
ENDS = {0, 1, 3}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    """A folder with small inputs of every kind."""
    pytest.importorskip("pyarrow")
    pytest.importorskip("sklearn")
    folder, coins = tmp_path_factory.mktemp("shop"), random.Random(1)
    (folder / "model.ppdm").write_text(MODEL)
    (folder / "loss.csv").write_text("0,1\n1,0\n")
    (folder / "sizes.csv").write_text("1,500000\n3,400000\n")
    (folder / "priors.txt").write_text("1/2\n1/3\n1/4\n")
    (folder / "game.csv").write_text("coalition,payoff\nA,1\nB,2\nA+B,10\n")
    (folder / "columns.csv").write_text("age,0,1,2,3\nsex,0,1\n")
    baskets = [coins.sample(range(8), coins.choice([2, 3])) for _ in range(200)]
    (folder / "b.dat").write_text("".join(" ".join(map(str, row)) + "\n" for row in baskets))
    linked = [coins.choice([[0, 1], [2, 3], [0, 1, 4], [5]]) for _ in range(3000)]
    (folder / "l.dat").write_text("".join(" ".join(map(str, row)) + "\n" for row in linked))
    rows = [f"{coins.randrange(4)},{coins.randrange(2)}" for _ in range(200)]
    (folder / "t.csv").write_text("\n".join(["age,sex", *rows]) + "\n")
    numbers = [f"{coins.gauss(3, 1) + coins.uniform(-1, 1):.4f}" for _ in range(200)]
    (folder / "n.csv").write_text("\n".join(["z", *numbers]) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in (
            "audit model.ppdm --set p=3/4 --certificates certificates",
            "design --data b.dat --items 8 --rho1 5% --rho2 50% --itemsets 2 -o plan.json",
            "randomize t.csv -o r.csv --model model.ppdm --operator A=age --simulate 5",
            "randomize b.dat -o rb.dat --plan plan.json --simulate 4",
            "randomize b.dat -o seeds.parquet --plan plan.json --compress --simulate 4",
            "design --data l.dat --items 6 --rho1 5% --rho2 90% --top 2 -o items.json",
            f"randomize l.dat -o round1.dat --plan items.json {ROUND} --phase 1",
            "design --continue items.json round1.dat -o pairs.json",
            f"randomize l.dat -o round2.dat --plan pairs.json {ROUND} --phase 2",
        ):
            assert run(line.split()) == 0, line
    return folder


def test_every_command_has_the_three_options():
    context = click.Context(cli)
    assert set(EXAMPLES) == set(NAMES), "give each command an example here"
    for name in NAMES:
        options = {o for one in cli.get_command(context, name).params for o in one.opts}
        assert {"--json", "--html", "--markdown"} <= options, name


RECORDS = (
    "Written",
    "AuditResult",
    "Sweep",
    "PlanAudit",
    "Comparison",
    "Check",
    "Leakage",
    "Rate",
    "Written",
    "Designed",
    "RoundsChoice",
    "RoundsChoice",
    "Written",
    "Release",
    "Written",
    "Release",
    "Survey",
    "Estimate",
    "Tallied",
    "Mined",
    "MinedRelease",
    "MinedRounds",
    "Reconstruction",
    "Accuracies",
    "Valuation",
    "SampledValuation",
    "GeneratedFile",
    "Written",
    "Evaluation",
    "Anonymity",
    "DrawnItemsets",
    "PrivateCounts",
    "ExactCounts",
    "RowCounts",
    "Compressed",
    "Proofs",
    "Written",
    "TwoServers",
)
"""What each example is the result of, in their order."""


@pytest.mark.parametrize(
    ("line", "record"),
    list(zip([line for lines in EXAMPLES.values() for line in lines], RECORDS, strict=True)),
)
def test_one_result_in_every_format(line, record, shop, monkeypatch, capsys):
    monkeypatch.chdir(shop)
    found, show = [], Outputs.show

    def seen(out, answer):
        found.append(answer.result)
        return show(out, answer)

    monkeypatch.setattr(Outputs, "show", seen)
    targets = {kind: shop / f"result.{kind}" for kind in ("json", "html", "markdown")}
    options = [word for kind, path in targets.items() for word in (f"--{kind}", str(path))]
    code = run([*line.split(), *options])
    (result,) = found
    assert type(result).__name__ == record
    said = capsys.readouterr()
    assert code in ENDS
    assert f"Wrote {targets['html']}" in said.out
    data = json.loads(targets["json"].read_text())
    assert re.fullmatch(r"ppdm-[a-z]+/1", data["format"])
    plain(result.to_json())
    assert data == result.to_json()
    page, text = targets["html"].read_text(), targets["markdown"].read_text()
    Page(page)
    for word in ("<script", "http:", "https:", "src=", "@import"):
        assert word not in page.replace("http://www.w3.org/", "")
    in_page, in_text = bare(page), bare(text)
    for fact in facts(result.document()):
        assert bare(fact) in in_page, fact
        assert bare(fact) in in_text, fact
    shown = result._repr_html_()
    assert shown.startswith("<style>")
    assert result.document(brief=True).title


def plain(value):
    """Only what JSON has: no Fraction, no number of numpy, no tuple."""
    if isinstance(value, dict):
        assert all(type(key) is str for key in value)
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            plain(part)
    else:
        assert value is None or type(value) in (str, int, bool, float), type(value)


def facts(document):
    """What a document says that every writer must: its title, its outcome, all cells of tables."""
    yield document.title
    yield document.outcome_words

    def within(block):
        if isinstance(block, b.Section):
            for part in block.blocks:
                yield from within(part)
        elif isinstance(block, b.Table):
            yield from (cell for row in block.rows for cell in row)
        elif isinstance(block, b.Text):
            yield block.words
        elif isinstance(block, b.Points):
            yield from block.items

    for section in document.sections:
        yield from within(section)


def bare(text):
    """Letters and digits alone: writers escape, and break lines, in their own ways."""
    shown = unescape(unescape(re.sub(r"<[^>]*>", "", text)))
    return re.sub(r"[^A-Za-z0-9]", "", shown)


def test_every_record_has_an_example_and_is_shown_by_a_part():
    """A record that no command returns has no reason to be one."""
    for module in pkgutil.walk_packages(ppdm_formal.__path__, "ppdm_formal."):
        if module.name.rpartition(".")[2] not in ("__main__", "dask_engine", "tally_dask"):
            importlib.import_module(module.name)
    records = set(concrete(Result))
    assert len(records) > 20
    for record in records:
        part = importlib.import_module(f"ppdm_formal.report.parts.{record.shown_in}")
        assert callable(part.document), record
    unmet = {record.__name__ for record in records} - set(RECORDS)
    assert unmet == {"Demo"}, "shown by tests/cli/test_demo_command.py"


def concrete(kind):
    for one in kind.__subclasses__():
        if not one.__abstractmethods__ and one.__module__.startswith("ppdm_formal"):
            yield one
        yield from concrete(one)


def test_standard_output_holds_the_json_alone(shop, monkeypatch, capsys):
    monkeypatch.chdir(shop)
    for line in ("compare model.ppdm", "check certificates", "new another"):
        run([*line.split(), "--json", "-"])
        said = capsys.readouterr()
        assert json.loads(said.out)["format"].startswith("ppdm-")
    assert run(["compare", "model.ppdm", "--json", "-", "--html", "-"]) == 2
    assert "only one output" in capsys.readouterr().err


def test_all_files_appear_or_none(shop, monkeypatch, capsys):
    """What cannot be written takes back the files beside it."""
    monkeypatch.chdir(shop)
    line = "seeds --items 100 --size 3 --itemsets 2 --insert 1/16 --json whole.json"
    assert run([*line.split(), "--html", "nowhere/page.html"]) == 2
    assert not (shop / "whole.json").exists()
    assert "nowhere" in capsys.readouterr().err
