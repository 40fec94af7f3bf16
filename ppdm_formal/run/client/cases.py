"""Cases for a client's self-test: a value, fixed bits, and the output that they lead to.

The bits are those of a hash, and words at the very edge between two outputs, where a client that
rounds anywhere goes wrong. Expected outputs come from the reference runtime.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ppdm_formal.declare.operators.canonical import digest, value_json
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.client import runtime

MOST_INPUTS = 8
"""Inputs that cases are written for."""

MOST_WRITTEN = 200_000
"""Members of sets that the outputs of all cases may have: of larger sets there are fewer cases."""

MOST_RUNS = 3
"""Runs of a row whose edges are tried."""

TAPE = 61
"""Words of a tape, which clients read again from its start when it ends."""


def client_cases(
    law: dict[str, Any], examples: Sequence[Any], identifiers: Sequence[str | None] = (None,)
) -> list[list[Any]]:
    """Cases for these inputs, each as clients with these identifiers (None: without one).

    A basket that another group takes may be outside for a client's own: that is no case.
    """
    found = []
    seed = digest(law)
    for value, identifier in product(examples, identifiers):
        for first in (None, *_edges(law, value)):
            tape = _Tape(f"{value_json(value)} {identifier} {first} {seed}", first)
            try:
                output = runtime.drawn(law, value, tape.take, identifier=identifier)
            except runtime.OutsideDomain:
                if law["kind"] != "groups":
                    raise
                continue
            shown = tuple(output) if isinstance(output, list) else output
            written = None if shown is None else value_json(shown)
            found.append([value_json(value), tape.text, written, identifier])
    return found


def example_inputs(operator: Operator) -> list[Any]:
    """The first input, the last, and some between them."""
    last, several = operator.inputs.size - 1, MOST_INPUTS
    report = operator.report
    if report.kind in ("bits", "set"):
        several = min(several, MOST_WRITTEN // report.supported)
    places = sorted({k * last // max(1, several - 1) for k in range(several)})
    return [operator.inputs[place] for place in places]


def _edges(law: dict[str, Any], value: Any) -> Iterator[int]:
    """First words just before and at the edges between runs of outputs."""
    if law["kind"] == "noise":
        yield from _noise_edges(law, value)
    if law["kind"] != "rows":
        return
    row = [
        (count, _weight(law, weight))
        for count, weight in law["rows"][law["row_of"][runtime._index(law["inputs"], value)]]
    ]
    total = sum(count * weight for count, weight in row)
    reached = 0
    for count, weight in row[:MOST_RUNS]:
        reached += count * weight
        edge = (reached << runtime.WIDTH) // total
        yield from (word for word in (edge - 1, edge) if 0 <= word < 1 << runtime.WIDTH)


def _noise_edges(law: dict[str, Any], value: Any) -> Iterator[int]:
    """First words just before and at the borders of the output nearest to a number."""
    scale = 4 * runtime.WIDTH
    first, last = (
        law["shift"] - runtime._nearest(law["grid"], value),
        runtime._size(law["outputs"]) - 1,
    )

    def at(halves: int) -> int:
        if "below" in law:
            listed = law["below"][(halves - law["start"]) // law["stride"]]
            return (int(listed, 16) << scale) // int(law["whole"], 16)
        exponent = tuple(int(part, 16) for part in law["exponent"])
        return int(runtime._laplace(exponent, halves, scale)[0])

    low, high = (at(2 * first), at(2 * (first + last))) if law["truncated"] else (0, 1 << scale)
    own = min(max(-first, 1), last - 1)
    for place in {own - 1, own} & set(range(last)):
        edge = (at(2 * (first + place) + 1) - low << runtime.WIDTH) // (high - low)
        yield from (word for word in (edge - 1, edge) if 0 <= word < 1 << runtime.WIDTH)


def _weight(law: dict[str, Any], written: Any) -> int:
    """A weight; of one with exponentials more bits than a word tells apart."""
    if "step" not in law:
        return int(written, 16)
    step = tuple(int(part, 16) for part in law["step"])
    powers = runtime._exp_powers(step, max(1, len(written)), 4 * runtime.WIDTH)
    return int(runtime._enclosed([int(c, 16) for c in written], powers)[0])


class _Tape:
    """Words of a hash, read round and round, the first one as given; `text` is what was read."""

    def __init__(self, seed: str, first: int | None) -> None:
        blocks = (hashlib.sha256(f"{place} {seed}".encode()).digest() for place in range(TAPE))
        self._words = [int.from_bytes(block[: runtime.WIDTH // 8], "big") for block in blocks]
        if first is not None:
            self._words[0] = first
        self._read = 0

    def take(self, bits: int) -> int:
        """The next word."""
        self._read += 1
        return self._words[(self._read - 1) % TAPE]

    @property
    def text(self) -> str:
        """The words that were read, in hexadecimal."""
        used = self._words[: self._read]
        return "".join(f"{word:0{runtime.WIDTH // 4}x}" for word in used)
