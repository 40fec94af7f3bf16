"""Which line ends matter: those that end an item inside braces.

Outside braces, inside ( ) and [ ], and after an operator, a comma or an open bracket a
line simply goes on. (The grammar's _NEWLINE already leaves out line ends before a line
that begins with |, else or a closing bracket.)
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

from ppdm_formal.declare.language.errors import ModelError, Place

MAX_NESTING = 100
"""How deeply brackets may nest."""

_GOES_ON = {
    *("+", "-", "*", "/", "//", "mod", "^", "..", "\\", "==", "!=", "<", "<=", ">", ">="),
    *("and", "or", "not", "in", "=", ":", "->", "~", "|", ",", "(", "[", "{"),
}
_CLOSES = {")": "(", "]": "[", "}": "{"}


class LineEnds(PostLex):
    """Turns semicolons and the line ends that matter into _END, and drops the others."""

    always_accept = ("_NEWLINE", "_SEMICOLON")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Follow the brackets through the tokens."""
        open_brackets: list[Token] = []
        previous: Token | None = None
        for token in stream:
            if token.type in ("_NEWLINE", "_SEMICOLON"):
                if token.type == "_NEWLINE" and not _ends_item(open_brackets, previous):
                    continue
                if previous is not None and (previous.type == "_END" or previous == "{"):
                    continue
                token = Token.new_borrow_pos("_END", token.value, token)
            else:
                _check_apart(previous, token)
                if token.type != "STRING":
                    _follow(open_brackets, token)
            previous = token
            yield token
        if open_brackets:
            opened = open_brackets[-1]
            raise ModelError(
                f"this {opened} is never closed",
                _place(opened),
                f"expected a closing {next(k for k, v in _CLOSES.items() if v == opened)}",
            )


def _place(token: Token) -> Place:
    return Place(token.line or 1, token.column or 1)


def _ends_item(open_brackets: list[Token], previous: Token | None) -> bool:
    """Whether a line's end here ends an item."""
    if not open_brackets or open_brackets[-1] != "{" or previous is None:
        return False
    return previous.type == "STRING" or str(previous) not in _GOES_ON


def _check_apart(previous: Token | None, token: Token) -> None:
    """Words and numbers must not run together: 5mod 3 and 1each are mistakes."""
    if previous is None or previous.end_pos != token.start_pos or previous.type == "_END":
        return
    if _is_wordy(previous[-1]) and _is_wordy(token[0]):
        first, second = previous[-40:], token[:40]
        product = previous.type == "NUMBER" and token.type == "NAME"
        hint = f"{first} * {second}" if product else f"{first} {second}"
        raise ModelError(f"{first}{second} runs together", _place(previous), f"expected: {hint}")


def _is_wordy(character: str) -> bool:
    return character.isalnum() or character == "_"


def _follow(open_brackets: list[Token], token: Token) -> None:
    """Note a bracket that opens, and see that one that closes fits."""
    if token.value in ("(", "[", "{"):
        open_brackets.append(token)
        if len(open_brackets) > MAX_NESTING:
            raise ModelError(f"brackets nested more than {MAX_NESTING} deep", _place(token))
    elif token.value in _CLOSES and open_brackets:
        open_brackets.pop()
