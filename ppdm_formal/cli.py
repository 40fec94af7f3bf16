"""The command ppdm: thin, and quick to start (heavy packages are imported where they are used)."""

from __future__ import annotations

import gc
import os
import pkgutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

import click

from ppdm_formal import __version__, commands
from ppdm_formal.commands._bounds import bounded
from ppdm_formal.commands._shown import TASKS
from ppdm_formal.declare.machine.interrupts import ended_cleanly

BAD_INPUT, UNKNOWN, INTERNAL = 2, 3, 5
OBJECTS = 100_000
"""After so many new objects cycles are looked for, not after 700: hardly any are found."""


class Commands(click.Group):
    """The files of ppdm_formal/commands that hold a command; each is imported when it is used."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; where there is none, the nearest ones are named."""
        name, known = args[0], self.list_commands(ctx)
        if name not in known and not name.startswith("-"):
            near = get_close_matches(name.lower(), known)
            hint = f"Did you mean {' or '.join(near)}?" if near else "ppdm --help lists them."
            raise click.UsageError(f"No such command {name}. {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """By task: a line for the first ones, the names of the others."""
        shown = {
            name: import_module(f"{commands.__name__}.{name}").SHOWN
            for name in self.list_commands(ctx)
        }
        width = max(map(len, shown))
        for task in TASKS:
            own = [name for name, one in shown.items() if one.task == task]
            first = sorted(
                (name for name in own if shown[name].place), key=lambda name: shown[name].place
            )
            rows = [(name.ljust(width), shown[name].line) for name in first]
            others = ", ".join(name for name in own if name not in first)
            with formatter.section(task.capitalize()):
                formatter.write_dl([*rows, *([("also", others)] if others else [])])

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands by name."""
        names = sorted(module.name for module in pkgutil.iter_modules(commands.__path__))
        return [name for name in names if not name.startswith("_")]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command in the file of its name."""
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = import_module(f"ppdm_formal.commands.{cmd_name}").command
        return bounded(found)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ppdm")
def cli() -> None:
    """Exact audits and breach certificates for randomized data collection.

    Declare how clients randomize what they send (y = R(x)), and learn exactly what an
    output reveals, whether a privacy breach is possible, and with which evidence.

    \b
    Exit codes: 0 everything asked holds; 1 a breach or refuted statement was found;
    2 bad usage or input; 3 unknown, or a claim says nothing; 4 a certificate was
    rejected; 5 internal error. ppdm COMMAND --help says more of each command.
    """  # noqa: D301


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; every ending is one of the exit codes, and no stack trace is shown."""
    gc.set_threshold(OBJECTS, 20, 20)
    with ended_cleanly():
        code = run(arguments)
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a command line."""
    from ppdm_formal.declare.language.errors import ModelError
    from ppdm_formal.declare.machine.deadline import DeadlinePassed
    from ppdm_formal.declare.machine.room import MemoryNeeded
    from ppdm_formal.run.errors import DataError

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a label must not stop a terminal that lacks it
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(args=arguments, prog_name="ppdm", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return 130
    except DeadlinePassed as problem:
        click.echo(f"{problem}: a longer --timeout may help", err=True)
        return UNKNOWN
    except MemoryError as problem:
        why = str(problem) if isinstance(problem, MemoryNeeded) else "not finished: too much memory"
        click.echo(f"{why}; a larger --memory may help", err=True)
        return UNKNOWN
    except click.ClickException as problem:
        problem.show()
        return BAD_INPUT
    except ModelError as problem:
        click.echo(str(problem), err=True)
        return BAD_INPUT
    except DataError as problem:
        click.echo(_visible(str(problem)), err=True)
        return BAD_INPUT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        name = f"{problem.filename}: " if problem.filename else ""
        click.echo(f"{name}{problem.strerror or problem}", err=True)
        return BAD_INPUT
    except Exception as problem:
        if os.environ.get("PPDM_DEBUG"):
            raise
        click.echo(f"internal error: {type(problem).__name__}: {problem}", err=True)
        click.echo("This is a bug in ppdm_formal. PPDM_DEBUG=1 shows where it happened.", err=True)
        return INTERNAL


def _visible(text: str) -> str:
    from ppdm_formal.report.words.visible import visible

    return visible(text)


if __name__ == "__main__":
    main()
