"""Origin: the model that a certificate was made from, its values and how its matrix was read."""

from __future__ import annotations

from typing import Any

from .canonical import canonical

SHOWN = 5


def difference(made: dict[str, Any] | None, stated: dict[str, Any], whose: str) -> str:
    """In what a certificate's origin is not the stated one, naming both; empty where in nothing.

    whose: where the stated one is from, such as "in the model as it is checked".
    """
    if made is None:
        return "made from no model file"
    if made["sha256"] != stated["sha256"]:
        one, other = str(made["sha256"])[:16], str(stated["sha256"])[:16]
        return f"made from another model (its SHA-256 begins with {one}, not with {other})"
    if canonical(made["files"]) != canonical(stated["files"]):
        return f"made from other CSV files: {files_text(made)}; {whose}: {files_text(stated)}"
    names = sorted({*made["set"], *stated["set"]})
    other_values = [n for n in names if made["set"].get(n) != stated["set"].get(n)]
    if other_values:
        told = other_values[:SHOWN]
        mine = ", ".join(value_text(name, made["set"]) for name in told)
        theirs = ", ".join(value_text(name, stated["set"]) for name in told)
        return f"made with {mine}; {whose}: {theirs}"
    if told_reading(made) != told_reading(stated):
        return f"its matrix was read {reading_text(made)}; {whose}: {reading_text(stated)}"
    return ""


def values_text(origin: dict[str, Any] | None) -> str:
    """With which values of parameters it was made, and how its matrix was read; each after "; "."""
    if origin is None:
        return ""
    names = sorted(origin["set"])
    said = ", ".join(value_text(name, origin["set"]) for name in names[:SHOWN])
    told = f"; made with {said}{', ...' * (len(names) > SHOWN)}" if names else ""
    if told_reading(origin) != {"way": "exact"}:
        told += f"; its matrix was read {reading_text(origin)}"
    return told


def value_text(name: str, values: dict[str, Any]) -> str:
    """A parameter with its value, or that it is free."""
    shown = ascii(name)[1:-1][:60]
    return f"{shown} = {str(values[name])[:60]}" if name in values else f"{shown} free"


def files_text(origin: dict[str, Any]) -> str:
    """The CSV files that a model reads, with the beginnings of their digests."""
    rows = origin["files"][:SHOWN]
    found = [f"{ascii(row['file'])[1:-1][:60]} {str(row['sha256'])[:16]}" for row in rows]
    return ", ".join(found) or "none"


def told_reading(origin: dict[str, Any]) -> dict[str, Any]:
    """How a matrix was read, by what was said of it."""
    told = {"way": "exact", **origin.get("read", {})}
    return {key: value for key, value in told.items() if value is not None}


def reading_text(origin: dict[str, Any]) -> str:
    """The same as options."""
    told = told_reading(origin)
    way, digits = told.pop("way"), told.pop("digits", None)
    by_way = {"normalize": ["--normalize"], "rounded": [f"--rounded {str(digits)[:20]}"]}
    words = by_way.get(str(way), [])
    words += [f"--{'' if value is True else 'no-'}{key}" for key, value in sorted(told.items())]
    return "with " + " ".join(words) if words else "without options"
