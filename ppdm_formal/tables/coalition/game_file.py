"""Games from CSV files: a line "coalition,payoff", then a line for each coalition.

A coalition is written as the names of its players with + between them: A+B+C.
"""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.run.errors import DataError
from ppdm_formal.run.streams import compression_of, reading
from ppdm_formal.tables.coalition.game import MAX_PLAYERS, Game

HEADER = ["coalition", "payoff"]
MAX_NAME = 200


def read_game(path: Path, missing_is_zero: bool = False) -> Game:
    """The game of a file; a DataError says where it is none."""
    players: dict[str, int] = {}
    payoffs: dict[int, Fraction] = {}
    with reading(path, compression_of(path)) as source:
        rows = csv.reader(source.lines(), strict=True)
        try:
            first = next(rows, None)
            if first is None or [cell.strip().lower() for cell in first] != HEADER:
                raise DataError(f'{path}, line 1: expected "coalition,payoff"')
            for row in rows:
                where = f"{path}, line {rows.line_num}"
                if row:
                    coalition, payoff = _line(row, players, where)
                    if coalition in payoffs:
                        raise DataError(f"{where}: this coalition has a payoff already")
                    payoffs[coalition] = payoff
        except csv.Error as problem:
            raise DataError(f"{path}, line {rows.line_num}: not CSV: {problem}") from None
    if not players:
        raise DataError(f"{path}: no coalition; a game has at least one player")
    _check_missing(path, list(players), payoffs, missing_is_zero)
    try:
        return Game.of(tuple(players), lambda coalition: payoffs.get(coalition, Fraction(0)))
    except ValueError as problem:
        raise DataError(f"{path}: {problem}") from None


def _line(row: list[str], players: dict[str, int], where: str) -> tuple[int, Fraction]:
    if len(row) != 2:
        raise DataError(f"{where}: {len(row)} cells where a coalition and its payoff are expected")
    coalition = 0
    names = [name.strip() for name in row[0].split("+")] if row[0].strip() else []
    for name in names:
        if not name or len(name) > MAX_NAME:
            raise DataError(f"{where}: a player's name is empty or longer than {MAX_NAME}")
        bit = 1 << players.setdefault(name, len(players))
        if len(players) > MAX_PLAYERS:
            raise DataError(f"{where}: more than {MAX_PLAYERS} players")
        if coalition & bit:
            raise DataError(f"{where}: a player is named twice in one coalition")
        coalition |= bit
    try:
        payoff = parse_number(row[1])
    except ValueError as problem:
        raise DataError(f"{where}: {problem}") from None
    return coalition, payoff


def _check_missing(
    path: Path, players: list[str], payoffs: dict[int, Fraction], missing_is_zero: bool
) -> None:
    """Every coalition but that of nobody must be there, unless the others are to earn nothing."""
    everybody = (1 << len(players)) - 1
    absent = [s for s in range(1, everybody + 1) if s not in payoffs]
    if everybody not in payoffs:
        raise DataError(f"{path}: the coalition of all {len(players)} players has no payoff")
    if absent and not missing_is_zero:
        example = "+".join(name for i, name in enumerate(players) if absent[0] >> i & 1)
        raise DataError(
            f"{path}: {len(absent):,} of {everybody:,} coalitions have no payoff, such as "
            f"{example}; write them, or take --missing-zero where they earn nothing"
        )
