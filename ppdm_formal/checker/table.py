"""Tables of kinds: of operators, of evidence and of noise, each kind a class with its name.

A kind is found by being there: no list of them has to be edited.
"""

from __future__ import annotations

from typing import Any


def table_of(base: type) -> dict[str, Any]:
    """The classes below one that have a name of their own, `kind`, in the order of names."""
    found: dict[str, Any] = {}
    waiting: list[Any] = [base]
    while waiting:
        for one in waiting.pop().__subclasses__():
            waiting.append(one)
            if "kind" in vars(one):
                assert found.setdefault(one.kind, one) is one, f"two kinds {one.kind}"
    return dict(sorted(found.items()))
