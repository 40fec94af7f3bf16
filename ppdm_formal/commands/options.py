"""What several commands share: reading values and claims, choosing a model, saying what goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ppdm_formal.files import example_names, example_path

if TYPE_CHECKING:
    from ppdm_formal.claim import Claim
    from ppdm_formal.language.model import Model


class NumberType(click.ParamType[Any]):
    """An exact number: 5%, 0.05 or 1/20."""

    name = "NUMBER"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Read the number exactly."""
        from ppdm_formal.exact import parse_number

        try:
            return parse_number(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


class ValuesType(click.ParamType[tuple[str, Any]]):
    """NAME=VALUE."""

    name = "NAME=VALUE"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        """Split and read the number exactly."""
        from ppdm_formal.exact import parse_number

        name, sign, number = str(value).partition("=")
        if not sign:
            self.fail(f"{value!r} is not of the form NAME=VALUE, such as p=3/4", param, ctx)
        try:
            return name.strip(), parse_number(number)
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


class BreachType(click.ParamType[Any]):
    """r1:r2."""

    name = "R1:R2"

    def convert(self, value: Any, param: Any, ctx: Any) -> Claim:
        """A breach claim for all priors and all properties."""
        from ppdm_formal.claim import BreachClaim
        from ppdm_formal.exact import parse_number

        first, sign, second = str(value).partition(":")
        try:
            if not sign:
                raise ValueError(f"{value!r} is not of the form R1:R2, such as 1/20:1/2")
            return BreachClaim(parse_number(first), parse_number(second))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


def chosen_model(model: Path | None, example: str | None) -> Path:
    """The model file that was named, or the example."""
    if (model is None) == (example is None):
        raise click.UsageError("name a model file, or --example NAME")
    if model is not None:
        return model
    found = example_path(str(example))
    if found is None:
        raise click.UsageError(f"no example {example}; there are: {', '.join(example_names())}")
    return found


def load_model(path: Path, values: dict[str, Any]) -> Model:
    """Compile a model file, or read a matrix of numbers."""
    from ppdm_formal.language.compiler import load, load_csv

    if path.suffix.lower() == ".csv":
        if values:
            raise click.UsageError("a matrix of numbers has no parameters to --set")
        return load_csv(path)
    return load(path, values)


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Says on standard error what is being done, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status("starting") as line:
        yield lambda message: line.update(Text(message))
