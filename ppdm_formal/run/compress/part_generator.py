"""The generator of an operator: what its reports are seeds of, q = m + s."""

from __future__ import annotations

from ppdm_formal.families.select_a_size import select_a_size_law
from ppdm_formal.operator.cut import drawable
from ppdm_formal.operator.operator import Operator
from ppdm_formal.run.compress.chooser import best_generator
from ppdm_formal.run.compress.generator import Generator
from ppdm_formal.run.compress.guarantee import guarantee


def part_generator(operator: Operator, itemsets: int) -> Generator:
    """The shortest seeds that serve a select-a-size operator and itemsets of up to s items."""
    law = select_a_size_law(operator)
    if law is None:
        raise ValueError("only select-a-size is sent as seeds")
    return best_generator(law.items, law.size, itemsets, drawable(law.insert))


def independent(generator: Generator, operator: Operator) -> int:
    """How many items beside a basket's are distributed as the operator says (Statement 3)."""
    law = select_a_size_law(operator)
    assert law is not None
    return guarantee(generator, law.size).itemsets
