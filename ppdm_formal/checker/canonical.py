"""Canonical JSON: one spelling of everything, of bounded size and nesting, and its digest."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from .limits import MAX_BYTES, MAX_NESTING
from .result import Rejected, need

_WRITER = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
)


def canonical(thing: object) -> bytes:
    """The canonical JSON of a thing."""
    return _WRITER.encode(thing).encode()


def digest(data: bytes) -> str:
    """SHA-256."""
    return hashlib.sha256(data).hexdigest()


CERTIFICATES = ("ppdm-certificate/", "ppdm-continuous/", "ppdm-parts/")


def parse(data: bytes, what: str = "certificate", formats: tuple[str, ...] = CERTIFICATES) -> Any:
    """JSON in canonical form (hence no key twice), followed by one line feed."""

    def whole(text: str) -> int:
        need(re.fullmatch("-?[0-9]{1,16}", text), f"{text[:20]}: not exact, or to be a text")
        return int(text)

    need(len(data) <= MAX_BYTES, f"longer than {MAX_BYTES} bytes")
    need(data, "the file is empty")
    try:
        text = data.decode()
        thing = json.loads(text, parse_float=whole, parse_constant=whole, parse_int=whole)
    except UnicodeDecodeError:
        raise Rejected(f"not a {what}: not text in UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Rejected(f"not a {what}: not JSON from {where} on") from None
    except RecursionError:
        raise Rejected(f"nested deeper than {MAX_NESTING}") from None
    need(nesting(thing) <= MAX_NESTING, f"nested deeper than {MAX_NESTING}")
    other = thing.get("format") if type(thing) is dict else None
    if type(other) is str and other.startswith("ppdm-"):
        told = f"not a {what}: its format is {ascii(other)[1:-1][:40]}"
        need(other.startswith(formats), told)
    need(canonical(thing) + b"\n" == data, "not in canonical form, ended by one line feed")
    return thing


def nesting(thing: Any) -> int:
    """How deep lists and objects lie in each other."""
    depth, level = 0, [thing]
    while level := [part for part in level if type(part) in (list, dict)]:
        depth += 1
        level = [
            inner for part in level for inner in (part.values() if type(part) is dict else part)
        ]
    return depth
