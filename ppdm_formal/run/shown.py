"""Shown: what results show besides randomized values: public beforehand, or not protected.

An epsilon is of what it covers. The number of records, columns and values, items: each is public
before anything is computed from the data, or is taken from the data as it is; then it is not
protected, and every statement of an epsilon says so in the same sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.json_parts import fields, text_of


@dataclass(frozen=True)
class ShownAsIs:
    """Something that is shown as it is; public: known or declared beforehand, not from the data."""

    what: str
    public: bool

    def to_json(self) -> dict[str, Any]:
        """`status` is "public" or "not protected"."""
        return {"what": self.what, "status": "public" if self.public else "not protected"}

    @classmethod
    def of(cls, written: object) -> ShownAsIs:
        """What to_json wrote."""
        found = fields(written, "what is shown", "what", "status")
        if found["status"] not in ("public", "not protected"):
            raise ReleaseError('what is shown is "public" or "not protected"')
        return cls(text_of(found["what"], "what is shown"), found["status"] == "public")


def covered(shown: Sequence[ShownAsIs]) -> str:
    """The end of a sentence that states an epsilon.

    >>> covered([ShownAsIs("the number of rows", True), ShownAsIs("the items there are", False)])
    ', the number of rows being public; NOT protected by it: the items there are'
    """
    public = _listed([one.what for one in shown if one.public])
    bare = _listed([one.what for one in shown if not one.public])
    said = f", {public} being public" if public else ""
    return said + (f"; NOT protected by it: {bare}" if bare else "")


def _listed(parts: Sequence[str]) -> str:
    """Parts as in a sentence."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
