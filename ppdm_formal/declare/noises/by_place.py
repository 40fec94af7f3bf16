"""Noises by their names: found by their place, and read from the text that models have."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import fields
from fractions import Fraction
from functools import cache
from importlib import import_module
from inspect import isabstract

from ppdm_formal.declare import noises
from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.noises.noise import Noise

_WRITTEN = re.compile(r"\s*([a-z]+)\s*\(([^()]*)\)\s*", re.ASCII)


@cache
def noise_laws() -> dict[str, type[Noise]]:
    """All noises by name: noises/NAME.py holds a class whose name in models is NAME.

    >>> noise_laws()["normal"].example
    'normal(10)'
    """
    found: dict[str, type[Noise]] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(noises.__path__)):
        held = vars(import_module(f"ppdm_formal.declare.noises.{module}")).values()
        found |= {
            law.name: law
            for law in held
            if isinstance(law, type) and issubclass(law, Noise) and not isabstract(law)
            if law.name == module
        }
    return found


def parse_noise(text: str) -> Noise:
    """Read "uniform(-1, 1)", "normal(10)", "laplace(5/2)" or "triangular(-3, 3)".

    >>> print(parse_noise("laplace(2.5)"))
    laplace(5/2)
    """
    match = _WRITTEN.fullmatch(text) if len(text) <= 4000 else None
    if match is None or match[1] not in noise_laws():
        *some, last = (law.example for law in noise_laws().values())
        raise ValueError(f"{text[:60]!r} is no noise; it is written as {', '.join(some)} or {last}")
    return noise_of(match[1], [parse_number(part) for part in match[2].split(",")])


def noise_of(name: str, values: list[Fraction]) -> Noise:
    """The noise of a name with its parameters, or what is wrong with them."""
    law = noise_laws()[name]
    wanted = [field.name for field in fields(law)]
    if len(values) != len(wanted):
        raise ValueError(f"{name}({', '.join(wanted)}) takes {len(wanted)}, not {len(values)}")
    return law(*values)
