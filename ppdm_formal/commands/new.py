"""ppdm new: write a model to start from."""

from __future__ import annotations

from pathlib import Path

import click

from ppdm_formal.files import write_text


@click.command("new")
@click.argument("name")
def command(name: str) -> int:
    """Write a commented model to start from, as NAME.ppdm."""
    from ppdm_formal.starter import STARTER

    path = Path(name if name.endswith(".ppdm") else f"{name}.ppdm")
    if path.exists():
        raise click.UsageError(f"{path} exists already; choose another name")
    write_text(str(path), STARTER)
    click.echo(f"Wrote {path}. Next: ppdm audit {path}")
    return 0
