"""Namesake: a module that is called as the function of its own name, so that both can be imported.

`from ppdm_formal import audit` gives the function; so does the module of that name in
certify/audit, which called as audit(model) does what its function audit does.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class Namesake(ModuleType):
    """A module whose function of the same name answers calls."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call that function."""
        return getattr(self, self.__name__.rpartition(".")[2])(*arguments, **named)


def called_as_its_function(module: str) -> None:
    """Make a module that is being imported a namesake of its function."""
    sys.modules[module].__class__ = Namesake
