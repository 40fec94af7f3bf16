"""Parts of a JSON document that came from a file: of the type expected, or a ReleaseError."""

from __future__ import annotations

from typing import Any

from ppdm_formal.run.errors import ReleaseError


def fields(written: object, what: str, *keys: str) -> dict[str, Any]:
    """An object with exactly these keys."""
    if not isinstance(written, dict) or set(written) != set(keys):
        raise ReleaseError(f"{what} must have the keys {', '.join(keys)}, and no others")
    return written


def text_of(written: object, what: str) -> str:
    """Text."""
    if not isinstance(written, str):
        raise ReleaseError(f"{what} is not text")
    return written


def text_or_none(written: object, what: str) -> str | None:
    """Text, or null."""
    return None if written is None else text_of(written, what)


def texts_of(written: object, what: str) -> tuple[str, ...]:
    """A list of text."""
    return tuple(text_of(part, f"one of {what}") for part in list_of(written, what))


def list_of(written: object, what: str) -> list[Any]:
    """A list."""
    if not isinstance(written, list):
        raise ReleaseError(f"{what} must be a list")
    return written


def whole_of(written: object, what: str) -> int:
    """A whole number from 0 on."""
    if not isinstance(written, int) or isinstance(written, bool) or written < 0:
        raise ReleaseError(f"{what} is not a number of 0 or more")
    return written
