r"""Text from a model made visible: controls and invisible characters as escapes, and not too long.

Labels may hold anything. A bidirectional control could reverse a sentence on paper and an ANSI
escape could recolour a terminal, so both are shown as what they are: \u202e, \x1b.
"""

from __future__ import annotations

LONGEST = 400
"""No single piece of text in a report is longer, save a program."""


def visible(text: str) -> str:
    r"""The same text with every character that does not print as its escape.

    >>> print(visible("a\u202eb\x1b[31m\n"))
    a\u202eb\x1b[31m\n
    """
    if text.isprintable():
        return text
    return "".join(ch if ch.isprintable() else _escape(ch) for ch in text)


def clean(label: str, width: int = 40) -> str:
    """A label that prints, not longer than its column.

    >>> clean("a" * 50, 10)
    'aaaaaaa...'
    """
    shown = visible(label[: width + 1])
    return shown if len(shown) <= width else shown[: width - 3] + "..."


def program_lines(source: str, most: int = 200, width: int = 160) -> list[str]:
    """The lines of a program, tabs as spaces; what is left out is said."""
    lines = source.replace("\r\n", "\n").split("\n")
    shown = [clean(line.expandtabs(4), width) for line in lines[:most]]
    if len(lines) > most:
        shown.append(f"... {len(lines) - most} more lines")
    return shown


def _escape(ch: str) -> str:
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
    if ch in named:
        return named[ch]
    code = ord(ch)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
