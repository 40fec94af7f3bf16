"""The parser's tables, computed once: read in a tenth of the time that computing them takes.

They stand in grammar_tables.json with the grammar's digest and the version of lark that computed
them. Where either differs they are computed anew. After the grammar was changed, this writes them:

    python -m ppdm_formal.declare.language.grammar_tables
"""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Transformer
from lark.grammar import Rule
from lark.lark import PostLex
from lark.lexer import TerminalDef

_HERE = files("ppdm_formal.declare.language")
_TABLES = "grammar_tables.json"


def parser(postlex: PostLex, transformer: Transformer[Any, Any]) -> Lark:
    """The parser of the language, from its tables where they are those of the grammar."""
    grammar = _HERE.joinpath("grammar.lark").read_text("utf-8")
    tables = _stored(grammar)
    if tables is None:
        return _built(grammar, postlex, transformer)
    data, memo = tables
    # Without a type, but what lark's own stand-alone parsers call.
    read: Lark = Lark._load_from_dict(  # type: ignore[no-untyped-call]
        data, memo, postlex=postlex, transformer=transformer
    )
    return read


def _built(grammar: str, postlex: PostLex, transformer: Transformer[Any, Any] | None) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        postlex=postlex,
        transformer=transformer,
        maybe_placeholders=True,
    )


def _stamp(grammar: str) -> dict[str, str]:
    """What tables are good for: this grammar, read by this version of lark."""
    return {"grammar": hashlib.sha256(grammar.encode()).hexdigest(), "lark": lark.__version__}


def _stored(grammar: str) -> tuple[dict[str, Any], dict[int, Any]] | None:
    """The tables of the file; None where there are none of this grammar and version."""
    try:
        held = json.loads(_HERE.joinpath(_TABLES).read_text("utf-8"))
    except FileNotFoundError:
        return None
    if held["of"] != _stamp(grammar):
        return None
    data = held["data"]
    tables = data["parser"]["parser"]
    tables["states"] = _by_number(tables["states"])
    return data, _by_number(held["memo"])


def _by_number(named: dict[str, Any]) -> dict[int, Any]:
    """The numbers that lark looks up; keys of JSON are text."""
    return {int(number): value for number, value in named.items()}


def tables_text(postlex: PostLex) -> str:
    """The tables as JSON, one state, token and rule a line."""
    grammar = _HERE.joinpath("grammar.lark").read_text("utf-8")
    built = _built(grammar, postlex, None)
    built.options.options["postlex"] = None  # handed over when the tables are read
    data, memo = built.memo_serialize([TerminalDef, Rule])
    text = json.dumps({"of": _stamp(grammar), "memo": memo, "data": data}, separators=(",", ":"))
    return text.replace('},"', '},\n"') + "\n"


if __name__ == "__main__":
    from ppdm_formal.declare.language.line_ends import LineEnds

    Path(str(_HERE.joinpath(_TABLES))).write_text(tables_text(LineEnds()), "utf-8")
