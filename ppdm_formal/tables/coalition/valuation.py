"""Valuation: what was found of a game: the Shapley value, the core, and whether they agree."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.result import Result
from ppdm_formal.tables.coalition.answers import Worth
from ppdm_formal.tables.coalition.core import Core, core, objections
from ppdm_formal.tables.coalition.game import Game
from ppdm_formal.tables.coalition.shapley import Sampled, shapley


@dataclass(frozen=True)
class Valuation(Result):
    """A game whose coalitions were all listed, and what was found; all of it exact."""

    shown_in: ClassVar[str] = "valuation"

    game: Game
    shares: tuple[Fraction, ...]
    core: Core
    objection: int | None
    """A coalition that gets less by the Shapley value than it earns, where there is one."""
    worth: Worth | None = None
    """How the payoffs came about, where they are those of answers."""

    @classmethod
    def of(cls, game: Game, worth: Worth | None = None) -> Valuation:
        """Everything about a game."""
        shares = shapley(game)
        objecting = objections(game, shares)
        return cls(game, shares, core(game), objecting[0] if objecting else None, worth)

    @property
    def everything(self) -> Fraction:
        """What is to be divided."""
        return self.game.payoff(self.game.everybody)

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-value/1."""
        game, found = self.game, self.core
        point = _shares(game, found.point)
        return {
            "format": "ppdm-value/1",
            "players": list(game.players),
            "payoff": number_text(self.everything),
            "shapley": {"trust": "exact", "shares": _shares(game, self.shares)},
            "shapley_in_core": self.objection is None,
            "core": {
                "empty": found.empty,
                "trust": "re-checked exactly",
                "point": None if found.empty else point,
                "least_total": number_text(found.least),
                "least_total_point": point,
                "collection": [
                    {
                        "coalition": list(game.named(coalition)),
                        "weight": number_text(weight),
                        "payoff": number_text(game.payoff(coalition)),
                    }
                    for coalition, weight in found.collection
                ]
                if found.empty
                else None,
            },
        }


@dataclass(frozen=True)
class SampledValuation(Result):
    """Providers too many to list their coalitions: sampled shares, and what is known of the core.

    point: shares by people where they are in the core. apart: disjoint coalitions that earn more
    than everybody, whose sum that is: then it is empty. Where there is neither it is undecided.
    """

    shown_in: ClassVar[str] = "valuation"

    players: tuple[str, ...]
    everything: Fraction
    sampled: Sampled
    point: tuple[Fraction, ...] | None
    apart: tuple[tuple[int, ...], ...] | None = None
    apart_payoff: Fraction = Fraction(0)
    worth: Worth | None = None

    @property
    def undecided(self) -> bool:
        """Whether it is unknown if the core is empty."""
        return self.point is None and self.apart is None

    @property
    def exit_code(self) -> int:
        """3 where the core is undecided."""
        return 3 if self.undecided else 0

    def to_json(self) -> dict[str, Any]:
        """Format ppdm-value/1; decimals of sampled numbers have their standard error beside."""
        found = self.sampled
        return {
            "format": "ppdm-value/1",
            "players": list(self.players),
            "payoff": number_text(self.everything),
            "shapley": {
                "trust": "sampled",
                "orders": found.orders,
                "shares": {
                    name: f"{share:.10g}"
                    for name, share in zip(self.players, found.shares, strict=True)
                },
                "standard_errors": {
                    name: f"{error:.3g}"
                    for name, error in zip(self.players, found.errors, strict=True)
                },
            },
            "shapley_in_core": None,
            "core": {
                "empty": None if self.undecided else self.point is None,
                "trust": "unknown" if self.undecided else "re-checked exactly",
                "point": None
                if self.point is None
                else {
                    name: number_text(share)
                    for name, share in zip(self.players, self.point, strict=True)
                },
                "collection": None
                if self.apart is None
                else [
                    {"coalition": [self.players[i] for i in members], "weight": "1"}
                    for members in self.apart
                ],
            },
        }


def _shares(game: Game, shares: tuple[Fraction, ...]) -> dict[str, str]:
    return {name: number_text(share) for name, share in zip(game.players, shares, strict=True)}
