"""What several commands share: reading values, choosing a model, saying what goes on."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ppdm_formal.commands._param_type import ParamType
from ppdm_formal.declare.machine.files import example_names, example_path

if TYPE_CHECKING:
    from ppdm_formal.declare.language.model import Model
    from ppdm_formal.declare.operators.outside import MatrixReading
    from ppdm_formal.declare.operators.prior import Prior
    from ppdm_formal.declare.operators.randomization import Operator
    from ppdm_formal.infer.baskets.threshold import Threshold

Result = TypeVar("Result")


class NumberType(ParamType[Any]):
    """An exact number: 5%, 0.05 or 1/20."""

    name = "NUMBER"

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Read the number exactly."""
        from ppdm_formal.declare.arithmetic.exact import parse_number

        try:
            return parse_number(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


class ThresholdType(ParamType[Any]):
    """A least support: 0.5%, 0.005 or 1/200 as a share, 50 as a count."""

    name = "SUPPORT"

    def convert(self, value: Any, param: Any, ctx: Any) -> Threshold:
        """Read it exactly."""
        from ppdm_formal.infer.baskets.threshold import Threshold

        try:
            return Threshold.of(value)
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


class ValuesType(ParamType[tuple[str, Any]]):
    """NAME=VALUE."""

    name = "NAME=VALUE"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, Any]:
        """Split and read the number exactly."""
        name, sign, number = str(value).partition("=")
        if not sign or not name.strip():
            self.fail(f"{value!r} is not of the form NAME=VALUE, such as p=3/4", param, ctx)
        try:
            return name.strip(), self.read(number)
        except ValueError as problem:
            self.fail(str(problem), param, ctx)

    def read(self, text: str) -> Any:
        """One value."""
        from ppdm_formal.declare.language.given import given_value

        return given_value(text)


class DelimiterType(ParamType[str]):
    """What stands between the cells of a table: one character, or tab."""

    name = "CHARACTER"

    def convert(self, value: Any, param: Any, ctx: Any) -> str:
        """Read it; a tab may be spelled."""
        text = {"tab": "\t", "\\t": "\t"}.get(str(value), str(value))
        mark = text.isprintable() and not text.isalnum() and text not in ('"', "'")
        if len(text) != 1 or not (mark or text == "\t"):
            self.fail(f"{value!r} is no delimiter such as ';' or tab", param, ctx)
        return text


delimiter_option = click.option(
    "--delimiter",
    type=DelimiterType(),
    default=",",
    show_default=True,
    help="What stands between the cells of a CSV table: ';', tab, '|'.",
)


class ItemsType(ParamType[int | Path]):
    """How many items there are, or a file with their names."""

    name = "N|FILE"

    def convert(self, value: Any, param: Any, ctx: Any) -> int | Path:
        """A number, or else a path."""
        text = str(value).strip()
        if not (text.isascii() and text.isdigit()):
            return Path(text)
        if not 1 <= len(text) <= 18 or int(text) < 1:
            self.fail(f"{text} items: at least 1 and fewer than 10^18 are needed", param, ctx)
        return int(text)


class SweepType(ValuesType):
    """NAME=VALUE, NAME=VALUE,VALUE,... or NAME=FROM..TO:STEP."""

    name = "NAME=VALUES"

    def read(self, text: str) -> tuple[Any, ...]:
        """One value, or several."""
        from ppdm_formal.declare.language.given import given_values

        return given_values(text)


MAX_SETTINGS = 200
"""Most combinations of values that are gone through."""


def settings(values: Sequence[tuple[str, tuple[Any, ...]]]) -> list[dict[str, Any]]:
    """Every combination of the values that --set lists; of a name given twice, the last."""
    lists = dict(values)
    if math.prod(map(len, lists.values())) > MAX_SETTINGS:
        raise click.UsageError(f"--set lists more than {MAX_SETTINGS} combinations of values")
    return [dict(zip(lists, chosen, strict=True)) for chosen in product(*lists.values())]


sweep_option = click.option(
    "--set",
    "values",
    type=SweepType(),
    multiple=True,
    help="Give a parameter a value, or several: p=1/2,3/5 or p=1/2..9/10:1/10.",
)


def chosen_model(model: Path | None, example: str | None) -> Path:
    """The model file that was named, or the example."""
    if (model is None) == (example is None):
        raise click.UsageError("name either a model file or --example NAME")
    if model is not None:
        return model
    found = example_path(str(example))
    if found is None:
        raise click.UsageError(f"no example {example}; there are: {', '.join(example_names())}")
    return found


_normalize_option = click.option(
    "--normalize", is_flag=True, help="For a matrix: divide each row by its sum."
)
_rounded_option = click.option(
    "--rounded",
    type=click.IntRange(0, 300),
    metavar="DIGITS",
    help="For a matrix: decide for every matrix that rounds to it, with so many decimals.",
)
index_option = click.option(
    "--index/--no-index",
    default=None,
    help="For a matrix: the first column holds labels, or numbers; guessed otherwise.",
)
header_option = click.option(
    "--header/--no-header",
    default=None,
    help="For a matrix: the first line holds labels, or numbers; guessed otherwise.",
)


@dataclass(frozen=True)
class MatrixOptions:
    """What the command line says of how a bare matrix (.csv) is to be read."""

    normalize: bool = False
    rounded: int | None = None
    index: bool | None = None
    header: bool | None = None

    @property
    def named(self) -> str:
        """The options that were given, for messages; empty where none was."""
        given = {
            "--normalize": self.normalize,
            "--rounded": self.rounded is not None,
            "--index": self.index is not None,
            "--header": self.header is not None,
        }
        return ", ".join(option for option, was in given.items() if was)

    def reading(self) -> MatrixReading:
        """The same as the package takes it; options that exclude each other are bad usage."""
        from ppdm_formal.declare.operators.outside import MatrixReading

        try:
            return MatrixReading.of(self.normalize, self.rounded, self.index, self.header)
        except ValueError:
            raise click.UsageError("--normalize and --rounded exclude each other") from None


def matrix_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """The options of every command that reads a matrix; it gets them as `matrix`."""
    return _as_matrix(_rounded_option(command))


def exact_matrix_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """The same without --rounded, for commands that run one matrix and no other."""
    return _as_matrix(command)


def _as_matrix(command: Callable[..., Result]) -> Callable[..., Result]:
    @wraps(command)
    def gathered(
        *args: Any,
        normalize: bool,
        index: bool | None,
        header: bool | None,
        rounded: int | None = None,
        **others: Any,
    ) -> Result:
        matrix = MatrixOptions(normalize, rounded, index, header)
        return command(*args, matrix=matrix, **others)

    return _normalize_option(index_option(header_option(gathered)))


def load_model(
    path: Path,
    values: dict[str, Any],
    seconds: float = math.inf,
    reading: MatrixReading | None = None,
) -> Model:
    """Compile a model file, or read a matrix or a plan; DeadlinePassed where it takes longer.

    reading: how the numbers of a bare matrix are to be read.
    """
    from ppdm_formal.declare.language.compiler import load, load_csv
    from ppdm_formal.declare.operators.outside import MatrixReading

    kind = path.suffix.lower()
    if reading not in (None, MatrixReading()) and kind != ".csv":
        raise click.UsageError(
            "--normalize, --rounded, --index and --header are for a bare matrix (.csv); a model "
            'says it of each file: csv("file.csv", rounded: 4)'
        )
    if kind in (".csv", ".json") and values:
        what = "a matrix of numbers" if kind == ".csv" else "a plan"
        raise click.UsageError(f"{what} has no parameters to --set")

    def work() -> Model:
        if kind == ".json":
            from ppdm_formal.certify.audit.plan_model import (
                load_plan,  # plans bring transactions along
            )

            return load_plan(path)[1]
        return load_csv(path, reading or MatrixReading()) if kind == ".csv" else load(path, values)

    return limited(seconds, f"{path}: not compiled", work)


def chosen_operator(
    path: Path, values: dict[str, Any], name: str | None, reading: MatrixReading | None = None
) -> tuple[Model, Operator]:
    """A model and the operator of it that was named, or the only one that it has."""
    model = load_model(path, values, reading=reading)
    names = list(model.operators)
    if name is None and len(names) == 1:
        name = names[0]
    if name is None or name not in model.operators:
        raise click.UsageError(f"--operator must be one of: {', '.join(names)}")
    return model, model.operator(name)


def chosen_prior(model: Model, name: str | None) -> Prior | None:
    """The prior of a model that was named, where one was."""
    if name is not None and name not in model.priors:
        there = ", ".join(model.priors) or "none"
        raise click.UsageError(f"{model.file} has no prior {name}; there are: {there}")
    return None if name is None else model.prior(name)


def limited(seconds: float, what: str, work: Callable[[], Result]) -> Result:
    """The work's result; DeadlinePassed says what did not end within the time limit."""
    from ppdm_formal.declare.machine.deadline import Deadline, DeadlinePassed

    try:
        return Deadline.after(seconds).enforce(work)
    except DeadlinePassed:
        raise DeadlinePassed(f"{what} within {seconds:g} s") from None


class SecondsType(click.FloatRange):
    """Seconds: above zero, and few enough for every clock."""

    def __init__(self) -> None:
        super().__init__(min=0, max=1_000_000, min_open=True)

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        """Also refuse what is not a number at all."""
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        return seconds


STEP_SECONDS = 60.0
"""How long a model, the measures of an operator or a claim may take where nothing else is said."""

timeout_option = click.option(
    "--timeout",
    type=SecondsType(),
    default=STEP_SECONDS,
    show_default=True,
    help="Seconds for the model, for the measures of an operator, and for each claim or statement.",
)
unit_option = click.option(
    "--unit",
    type=click.Choice(["bit", "nat"]),
    default="bit",
    show_default=True,
    help="Unit of information.",
)


def announced(text: str) -> None:
    """What a user should know before it is done, on standard error."""
    click.echo(text, err=True)


def model_files(model: Model) -> list[Path]:
    """The model's file and the CSV files that it reads."""
    folder = Path(model.file).parent
    return [Path(model.file), *(folder / name for name in model.csv_files)]


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


@contextmanager
def progress_steps() -> Iterator[tuple[Callable[[str], None], Callable[[float], None]]]:
    """Says what is being done, and shows a bar for its share, on a terminal only."""
    if not sys.stderr.isatty():
        yield (lambda _: None), (lambda _: None)
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("starting", total=None)

        def say(message: str) -> None:
            shown.reset(task, description=escape(message), total=None)

        def share(done: float) -> None:
            shown.update(task, total=1.0, completed=done)

        yield say, share


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float], None]]:
    """A bar on standard error for a share between 0 and 1, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(what, total=1.0)
        yield lambda share: shown.update(task, completed=share)
