"""Result: what a command found, as a typed record; it knows its JSON, and asks how it is shown.

A record stands in the room that computes it, and writers of text stand in `report`, above all of
these rooms. So a record does not import a writer: it asks whoever has registered with `shown_by`
(the package does, for `report`), and says by `shown_in` which file of report/parts shows it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar

_SHOWN_BY: list[str] = []


def shown_by(module: str) -> None:
    """Register who shows records: a module with `document(found, **how)` and `display(found)`."""
    _SHOWN_BY[:] = [module]


class Displayed:
    """What can be shown to people: as a document of blocks, and by itself in a notebook."""

    shown_in: ClassVar[str]
    """The file of report/parts that has its `document`."""

    def document(self, **how: Any) -> Any:
        """Blocks, which writers make HTML, Markdown or lines of; brief=True: for a terminal."""
        return import_module(*_SHOWN_BY).document(self, **how)

    def _repr_html_(self) -> str:
        shown: str = import_module(*_SHOWN_BY).display(self)
        return shown


class Result(Displayed, ABC):
    """What a command found: a record that every writer takes, and that has an exit code."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The record as plain JSON data, its format first; keys are stable."""

    @property
    def exit_code(self) -> int:
        """0 everything asked holds, 1 a breach, 3 unknown or says nothing, 4 rejected."""
        return 0

    def json_text(self) -> Iterator[str]:
        """The JSON as it is written, in pieces: one, but for records that are long."""
        import json

        yield json.dumps(self.to_json(), indent=2, ensure_ascii=False) + "\n"
