"""ppdm new: write a model to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ppdm_formal.commands._result import Answer, Outputs, writes_result
from ppdm_formal.commands._shown import Shown
from ppdm_formal.commands._written import Written
from ppdm_formal.declare.machine.files import text_writer

SHOWN = Shown("audit", "Write a commented model to start from.", 1)


@click.command("new")
@click.argument("name")
@writes_result
def command(name: str, out: Outputs) -> Answer:
    """Write a commented model to start from, as NAME.ppdm."""
    from ppdm_formal.commands._starter import STARTER

    if not Path(name).stem.strip("."):
        raise click.UsageError("the model needs a name")
    path = Path(name if name.endswith(".ppdm") else f"{name}.ppdm")
    if path.exists():
        raise click.UsageError(f"{path} exists already; choose another name")
    out.check([], str(path))
    following = f"ppdm audit {shlex.quote(str(path))}"
    lines = (f"Next: {following}",)
    answer = Answer(
        Written("new", (str(path),), lines, {"next": following}),
        files=[(str(path), text_writer(lambda: [STARTER]))],
        said=True,
    )
    out.write(answer)
    out.say(f"Wrote {path}. {lines[0]}")
    return answer
