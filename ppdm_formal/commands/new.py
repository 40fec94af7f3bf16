"""ppdm new: write a model to start from."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ppdm_formal.commands._shown import Shown
from ppdm_formal.files import write_text

SHOWN = Shown("audit", "Write a commented model to start from.", 1)


@click.command("new")
@click.argument("name")
def command(name: str) -> int:
    """Write a commented model to start from, as NAME.ppdm."""
    from ppdm_formal.starter import STARTER

    if not Path(name).stem.strip("."):
        raise click.UsageError("the model needs a name")
    path = Path(name if name.endswith(".ppdm") else f"{name}.ppdm")
    if path.exists():
        raise click.UsageError(f"{path} exists already; choose another name")
    write_text(str(path), STARTER)
    click.echo(f"Wrote {path}. Next: ppdm audit {shlex.quote(str(path))}")
    return 0
