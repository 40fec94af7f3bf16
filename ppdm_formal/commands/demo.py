"""ppdm demo: the whole way once, on made-up baskets, from a plan to rules and one page."""

from __future__ import annotations

import shlex
import subprocess
import sys
from fractions import Fraction
from glob import glob
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.declare.machine.files import write_text

if TYPE_CHECKING:
    from ppdm_formal.report.parts.demo import DemoStep, Forecast, Mining
    from ppdm_formal.run.market import Market

SEED = 1
NEEDED = "cryptography", "numba", "pyarrow"
"""Packages of the extra `run`, without which some step would stop."""

PARTS = 16, 8, 4, 2, 1
"""Collections of so large a part of all baskets show what more of them bring."""


SHOWN = Shown("collect", "Go the whole way once, on made-up baskets.")


@click.command("demo")
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("demo"),
    show_default=True,
    help="Where everything is written.",
)
@click.option(
    "--transactions",
    type=click.IntRange(1600),
    default=400_000,
    show_default=True,
    help="How many baskets are made up.",
)
@click.option(
    "--items",
    type=click.IntRange(20, 10_000),
    default=200,
    show_default=True,
    help="How many items there are.",
)
@click.option(
    "--two-servers",
    is_flag=True,
    help="Another demo: clients split their reports between two servers that add them up.",
)
@click.option(
    "--clients",
    type=click.IntRange(100, 10_000),
    default=500,
    show_default=True,
    help="With --two-servers: how many clients report.",
)
@writes_result
def command(
    folder: Path, transactions: int, items: int, two_servers: bool, clients: int, out: Outputs
) -> Answer:
    """Design, certify, randomize, compress, mine and compare with the truth, on made-up baskets.

    Every step is a command that is shown and that you can type yourself. The end is one page,
    DIR/demo.html: estimates against true supports, what was found and missed, and what more
    transactions would bring.

    With --two-servers: clients randomize a value and send additive shares of the report to two
    servers (processes on this machine); some drop out, a server dies and comes back, and what is
    published is exactly the sum of the reports (DIR/two-servers.html). Also what that does not
    prevent.
    """
    given = click.get_current_context().get_parameter_source
    for name in ("transactions", "items") if two_servers else ("clients",):
        if given(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"--{name} is {'not' if two_servers else 'only'} for --two-servers"
            )
    if two_servers:
        return _two_servers(folder, clients, out)
    _check_packages()
    from ppdm_formal.declare.machine.interrupts import ended_cleanly
    from ppdm_formal.report.formats.html_page import document_html
    from ppdm_formal.report.parts.demo import Demo
    from ppdm_formal.run.market import Market

    folder.mkdir(parents=True, exist_ok=True)
    market = Market(
        transactions, items, 4, pattern_size=3, patterns=items, smallest=2, largest=6, seed=SEED
    )
    with ended_cleanly():
        out.say(f"{transactions:,} baskets of 2 to 6 of {items:,} items are made up.")
        market.write(folder / "baskets.dat")
        steps = [_run(folder, out, *step) for step in _to_seeds(items)]
        forecasts = _forecasts(folder / "plan.json")
        least = _least(forecasts)
        steps += [_run(folder, out, *step) for step in _to_rules(least)]
        out.say("What more baskets bring: the same with a part of them, and with all.")
        found = [_mined(folder, out, market, transactions // part, least) for part in PARTS]
        sizes = {
            name: (folder / name).stat().st_size
            for name in ("baskets.dat", "randomized.parquet", "written-out.parquet")
        }
        result = Demo(market, tuple(steps), forecasts, least, tuple(found), sizes)
        write_text(str(folder / "demo.html"), document_html(result.document()))
    out.say(f"The page: {(folder / 'demo.html').resolve()}")
    return Answer(result, said=True)


def _two_servers(folder: Path, clients: int, out: Outputs) -> Answer:
    from ppdm_formal.commands._two_servers import demonstrated
    from ppdm_formal.declare.machine.interrupts import ended_cleanly

    folder.mkdir(parents=True, exist_ok=True)
    with ended_cleanly():
        found = demonstrated(folder, clients, out, lambda *step: _run(folder, out, *step))
    return Answer(found, said=True)


def _check_packages() -> None:
    """Say what is lacking before anything is made up: steps far down need these."""
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise click.ClickException(
            f"the demo needs {', '.join(lacking)}: make install, or pip install 'ppdm_formal[run]'"
        )


def _to_seeds(items: int) -> list[tuple[str, str, str]]:
    """Commands that need no forecast: a name, the command, and what it is for."""
    levels = "--rho1 5% --rho2 50% --itemsets 2"
    seeds = f"ppdm randomize baskets.dat --plan plan.json --compress --simulate {SEED}"
    return [
        (
            "design",
            f"ppdm design --data baskets.dat --items {items} {levels} -o plan.json",
            "Choose for each size of baskets the randomization that shows most, while no report "
            "raises any belief of 5% to 50%.",
        ),
        (
            "certify",
            "ppdm audit plan.json --certificates certificates",
            "Decide that claim for every randomization of the plan, in exact arithmetic.",
        ),
        (
            "check",
            "ppdm check certificates --model plan.json",
            "Check the certificates again, with a program of its own.",
        ),
        (
            "randomize, compress",
            f"{seeds} -o randomized.parquet",
            "Randomize every basket; what is sent is a short seed that stands for the report.",
        ),
        (
            "write out",
            "ppdm expand randomized.parquet -o written-out.parquet",
            "Write the reports out, to see what seeds save (mining does not need it).",
        ),
    ]


def _to_rules(least: Fraction) -> list[tuple[str, str, str]]:
    limits = f"--min-support {float(100 * least):g}% --min-confidence 30% --max-size 2"
    files = "--truth baskets.dat --json found.json --html found.html"
    return [
        (
            "mine, compare",
            f"ppdm mine randomized.parquet {limits} {files}",
            "Find itemsets and rules in the randomized baskets, and compare with the originals.",
        )
    ]


def _run(folder: Path, out: Outputs, name: str, line: str, words: str) -> DemoStep:
    """Run a command as a user would, in the folder; its output is shown only where it fails."""
    from ppdm_formal.report.parts.demo import DemoStep

    out.say(f"$ {line}")
    program, *arguments = shlex.split(line)
    assert program == "ppdm"
    files = [
        name
        for one in arguments
        for name in (sorted(glob(one, root_dir=folder)) if "*" in one else [one])
    ]
    command = [sys.executable, "-m", "ppdm_formal.cli", *files]
    done = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        click.echo(done.stdout.decode(errors="replace"), err=True)
        raise click.ClickException(f"{line}: ended with exit code {done.returncode}")
    return DemoStep(name, line, words)


def _forecasts(path: Path) -> dict[int, Forecast]:
    """By size of itemsets, what the plan expects to see of all baskets."""
    from ppdm_formal.design.plan_file import read_plan
    from ppdm_formal.report.parts.demo import Forecast

    return {
        pool.itemset: Forecast(pool.deviation, None if pool.lds is None else float(pool.lds))
        for pool in read_plan(path.read_text()).pooled or ()
    }


def _least(forecasts: dict[int, Forecast]) -> Fraction:
    """A least support somewhat below the LDS of pairs, in two digits."""
    lds = forecasts[2].lds or 1.0
    return Fraction(f"{0.75 * lds:.1e}")


def _mined(folder: Path, out: Outputs, market: Market, baskets: int, least: Fraction) -> Mining:
    """What is found in the first baskets, against their originals."""
    from dataclasses import replace

    from ppdm_formal.infer.baskets.compare import compared
    from ppdm_formal.infer.baskets.plain_data import PlainData
    from ppdm_formal.infer.baskets.randomized import mine_release
    from ppdm_formal.report.parts.demo import Mining
    from ppdm_formal.run.release import Release

    original, sent = folder / "baskets.dat", folder / "randomized.parquet"
    if baskets < market.transactions:
        original, sent = folder / f"first-{baskets}.dat", folder / f"first-{baskets}.parquet"
        replace(market, transactions=baskets).write(original)
        asked = [original.name, "-o", sent.name, "--plan", "plan.json", "--compress"]
        line = shlex.join(["ppdm", "randomize", *asked, "--simulate", str(SEED)])
        _run(folder, out, "randomize", line, "fewer baskets")
    found = mine_release(Release.read(sent), least, "30%", max_size=2)
    return Mining(found, compared(found, PlainData.read(original)))
