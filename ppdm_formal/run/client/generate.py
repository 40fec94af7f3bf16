"""Client files: a header that says what is certified, constants, and the runtime of a language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import ppdm_formal
from ppdm_formal.run.released import DecidedClaim

Language: TypeAlias = Literal["python", "javascript"]

LARGEST = 20_000_000
"""Characters of the longest client that is written: nobody ships a longer one."""


@dataclass(frozen=True)
class ClientText:
    """What goes into a client: its origin and claims for the header, its law and its cases."""

    about: str
    origin: Sequence[str]
    claims: Sequence[DecidedClaim]
    law: Mapping[str, Any]
    cases: Sequence[Any]

    def written(self, language: Language) -> str:
        """The whole file."""
        text = _WRITERS[language](self)
        if len(text) > LARGEST:
            raise ValueError(
                f"the client would have {len(text):,} characters, more than {LARGEST:,}: "
                "an operator with fewer or more regular probabilities is needed"
            )
        return text

    def header(self, mark: str) -> str:
        """Comment lines; every text from a model is quoted, so that none ends its comment."""
        lines = [
            f"Randomizes one value where it lives: {_quoted(self.about)}.",
            f"Written by ppdm_formal {ppdm_formal.__version__}; nothing else is needed to run it.",
            *(_quoted(line) for line in self.origin),
        ]
        for claim in self.claims:
            says = " (says nothing: no case can test it)" if claim.vacuous else ""
            lines.append(f"{claim.verdict}: {_quoted(claim.text)}{says}")
            if claim.sha256 is not None:
                lines.append(f"  certificate sha256 {claim.sha256}")
        return "".join(f"{mark} {line}\n" for line in lines)


def _quoted(text: str) -> str:
    """ASCII on one line, whatever the text."""
    return json.dumps(text)


def _constant(value: Any) -> str:
    return json.dumps(json.dumps(value, separators=(",", ":")))


def _python(client: ClientText) -> str:
    runtime = _runtime("runtime.py")
    for name, empty, value in (("LAW", "{}", client.law), ("CASES", "[]", client.cases)):
        placeholder = f'{name} = json.loads("{empty}")\n'
        before, found, after = runtime.partition(placeholder)
        assert found, f"the runtime has no placeholder for {name}"
        runtime = f"{before}{name} = json.loads({_constant(value)})\n{after}"
    return client.header("#") + "\n" + runtime


def _javascript(client: ClientText) -> str:
    constants = "".join(
        f"const {name} = JSON.parse({_constant(value)});\n"
        for name, value in (("LAW", client.law), ("CASES", client.cases))
    )
    return client.header("//") + "\n" + constants + "\n" + _runtime("runtime.mjs")


_WRITERS = {"python": _python, "javascript": _javascript}


def _runtime(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
