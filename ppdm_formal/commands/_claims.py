"""Claims on the command line: --forbid, and the crowd among which reports are hidden."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ppdm_formal.commands._options import NumberType
from ppdm_formal.commands._param_type import ParamType

if TYPE_CHECKING:
    from ppdm_formal.declare.claim import BreachClaim

Result = TypeVar("Result")


class BreachType(ParamType[Any]):
    """r1:r2."""

    name = "R1:R2"

    def convert(self, value: Any, param: Any, ctx: Any) -> BreachClaim:
        """A breach claim for all priors and all properties."""
        from ppdm_formal.declare.arithmetic.exact import parse_number
        from ppdm_formal.declare.claim import BreachClaim

        first, sign, second = str(value).partition(":")
        try:
            if not sign:
                raise ValueError(f"{value!r} is not of the form R1:R2, such as 1/20:1/2")
            return BreachClaim(parse_number(first), parse_number(second))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)


class CountType(ParamType[int]):
    """How many clients: a whole number."""

    name = "N"

    def __init__(self, least: int) -> None:
        self.least = least

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        """Read the number exactly: 1000, 1e3."""
        from ppdm_formal.declare.arithmetic.exact import parse_number

        try:
            number = parse_number(str(value))
        except ValueError as problem:
            self.fail(str(problem), param, ctx)
        if number.denominator != 1 or number < self.least:
            self.fail(f"{value!r}: expected a whole number from {self.least} on", param, ctx)
        return int(number)


_CROWD = (
    click.option(
        "--except-with",
        type=NumberType(),
        help="With --forbid and --shuffled: let a breach pass with at most that probability.",
    ),
    click.option(
        "--shuffled",
        type=CountType(1),
        help="With --forbid: the server sees the reports of N clients without who sent them.",
    ),
    click.option(
        "--summed",
        type=CountType(1),
        help="With --forbid: the server sees the sums of the reports of N clients.",
    ),
    click.option(
        "--colluding",
        type=CountType(0),
        help="With --shuffled or --summed: so many clients tell the server what they sent.",
    ),
    click.option(
        "--missing",
        type=CountType(0),
        help="With --shuffled or --summed: at most so many reports are lost.",
    ),
)


def forbid_options(said: str) -> Callable[[Callable[..., Result]], Callable[..., Result]]:
    """--forbid, which the help describes so, and its crowd; the command gets claims as `forbid`."""

    def gathers(command: Callable[..., Result]) -> Callable[..., Result]:
        @wraps(command)
        def gathered(
            *args: Any,
            forbid: Sequence[BreachClaim],
            except_with: Any,
            shuffled: int | None,
            summed: int | None,
            colluding: int | None,
            missing: int | None,
            **others: Any,
        ) -> Result:
            claims = _among(forbid, except_with, shuffled, summed, colluding, missing)
            return command(*args, forbid=claims, **others)

        found: Callable[..., Result] = gathered
        for option in reversed(_CROWD):
            found = option(found)
        return click.option("--forbid", type=BreachType(), multiple=True, help=said)(found)

    return gathers


def _among(
    forbid: Sequence[BreachClaim],
    chance: Any,
    shuffled: int | None,
    summed: int | None,
    colluding: int | None,
    missing: int | None,
) -> tuple[BreachClaim, ...]:
    """The claims with what the options say of the crowd; options that do not fit are bad usage."""
    given = {
        "--except-with": chance,
        "--shuffled": shuffled,
        "--summed": summed,
        "--colluding": colluding,
        "--missing": missing,
    }
    named = [option for option, value in given.items() if value is not None]
    if not named:
        return tuple(forbid)
    if not forbid:
        raise click.UsageError(
            f"{', '.join(named)}: for claims made here; add --forbid R1:R2. A model's own claims "
            "say it themselves: after shuffling 1000"
        )
    if shuffled is not None and summed is not None:
        raise click.UsageError("--shuffled and --summed exclude each other")
    if shuffled is None and summed is None:
        raise click.UsageError(
            f"{', '.join(named)}: among how many clients? Add --shuffled N or --summed N"
        )
    if summed is not None and chance is None:
        raise click.UsageError(
            "--summed needs --except-with: a breach is forbidden except with a probability, such "
            "as --except-with 1e-6"
        )
    from ppdm_formal.declare.operators.crowd import Crowd

    try:
        crowd = Crowd(
            shuffled or summed or 0,
            "shuffling" if summed is None else "summing",
            colluding or 0,
            missing or 0,
        )
        return tuple(replace(claim, crowd=crowd, exception=chance) for claim in forbid)
    except ValueError as problem:
        raise click.UsageError(str(problem)) from None


def claim_options(claims: Sequence[BreachClaim]) -> str:
    """The options that make these claims, each as after a space; their crowd is one."""
    said = dict.fromkeys(f" --forbid {claim.rho1}:{claim.rho2}" for claim in claims)
    for claim in claims:
        if claim.exception is not None:
            said[f" --except-with {claim.exception}"] = None
        if claim.crowd is not None:
            how = "shuffled" if claim.crowd.how == "shuffling" else "summed"
            clients = claim.crowd.told_apart_from or claim.crowd.clients
            said[f" --{how} {clients}"] = None
            for word, number in (
                ("colluding", claim.crowd.colluding),
                ("missing", claim.crowd.missing),
            ):
                if number:
                    said[f" --{word} {number}"] = None
    return "".join(said)
