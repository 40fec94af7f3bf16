"""randomize: values of a column through an operator, exactly; back comes what was given.

Lists, NumPy arrays, pandas Series and pyarrow arrays (chunked ones too) are taken; sets of items
as lists of sets or lists, arrays with a row a set, and list columns. Bits are cryptographic. With
a seed they are not: the result is then a `Simulated`, which says so.
"""

from __future__ import annotations

from typing import Any

from ppdm_formal.declare.families.overlap import NotATransaction
from ppdm_formal.declare.operators.draw import Bits
from ppdm_formal.declare.operators.randomization import Operator, check_known_exactly
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.column import column_of
from ppdm_formal.run.errors import DataError, nothing_quoted
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.simulation import Simulated, Simulation


def randomize(operator: Operator, values: Any, *, seed: int | None = None) -> Any:
    """Draw y = R(x) for each value x, independently; the result is of the kind that was given.

    DataError for a value that the operator does not take: it says which one by its position, and
    never shows the value.

    >>> from ppdm_formal.declare.families.randomized_response import randomized_response
    >>> randomize(randomized_response(3, 1), [2, 0, 1])
    [2, 0, 1]
    >>> randomize(randomized_response(3, "1/2"), [2, 0, 1], seed=7).seed
    7
    """
    if operator.parameters:
        names = ", ".join(parameter.name for parameter in operator.parameters)
        raise ValueError(f"give values to the free parameters first: {names}")
    check_known_exactly(operator, but="run")
    bits: Bits = Keystream() if seed is None else Simulation(seed)
    with nothing_quoted():
        try:
            drawn = _drawn(operator, values, bits)
        except NotATransaction as wrong:
            raise DataError(str(wrong)) from None
    return drawn if seed is None else Simulated(drawn, seed)


def _drawn(operator: Operator, values: Any, bits: Bits) -> Any:
    column = column_of(values)
    law = operator.law
    if law.takes_sets:
        before = column.baskets()
        after = Baskets(*law.draw_sets(before.items, before.offsets, bits))
        _, size = operator.outputs.subsets or (0, None)
        return column.of_baskets(after, size)
    rows = column.positions(operator.inputs)
    if law.gives_sets:
        return column.of_sets(Baskets(*law.draw_reports(rows, bits)))
    if operator.report.kind == "hashed":
        return column.of_pairs(law.draw_batch(rows, bits))
    return column.of_positions(law.draw(rows, bits), operator.outputs)
