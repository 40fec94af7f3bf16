"""randomize: values of a column through an operator, exactly; back comes what was given.

Lists, NumPy arrays, pandas Series and pyarrow arrays (chunked ones too) are taken; sets of items
as lists of sets or lists, arrays with a row a set, and list columns. Bits are cryptographic. With
a seed they are not: the result is then a `Simulated`, which says so.
"""

from __future__ import annotations

from typing import Any

from ppdm_formal.families.overlap import NotATransaction, OverlapLaw
from ppdm_formal.families.single_values import SingleValues
from ppdm_formal.operator.draw import Bits
from ppdm_formal.operator.operator import Operator, check_known_exactly
from ppdm_formal.run.baskets import Baskets
from ppdm_formal.run.column import column_of
from ppdm_formal.run.errors import DataError, nothing_quoted
from ppdm_formal.run.keystream import Keystream
from ppdm_formal.run.simulation import Simulated, Simulation


def randomize(operator: Operator, values: Any, *, seed: int | None = None) -> Any:
    """Draw y = R(x) for each value x, independently; the result is of the kind that was given.

    DataError for a value that the operator does not take: it says which one by its position, and
    never shows the value.

    >>> from ppdm_formal.families.randomized_response import randomized_response
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
    if isinstance(operator.law, OverlapLaw):
        before, sizes = column.baskets(), operator.law.output_sizes
        after = Baskets(*operator.law.draw_sets(before.items, before.offsets, bits))
        return column.of_baskets(after, sizes.start if len(sizes) == 1 else None)
    if isinstance(operator.law, SingleValues):
        rows = column.positions(operator.inputs)
        sets = Baskets(*operator.law.draw_sets(rows, bits))
        return column.of_sets(sets)
    return column.of_positions(
        operator.law.draw(column.positions(operator.inputs), bits), operator.outputs
    )
