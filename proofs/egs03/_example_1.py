"""Example 1 of EGS03 as a model: one prior, two properties, three randomizations."""

from functools import cache

from ppdm_formal import Model, load
from ppdm_formal.declare.machine.files import shipped


@cache
def example_1() -> Model:
    """The model that comes with the package."""
    return load(str(shipped("models") / "example1.ppdm"))
