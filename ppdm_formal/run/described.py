"""Operators, domains and priors as a release describes them: exactly, in canonical JSON, and back.

A description comes from a file, so everything in it is checked again before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from inspect import Parameter
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import Exact, is_symbolic
from ppdm_formal.declare.arithmetic.reading import read_real
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.families.by_place import built_again, family_function, takes, told_by
from ppdm_formal.declare.families.pairs import Pairs
from ppdm_formal.declare.families.subsets import MAX_LISTED, Subsets
from ppdm_formal.declare.operators.canonical import digest
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.matrix import CodedMatrix, check_cells
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.declare.operators.shipped import domain_json, runs
from ppdm_formal.run.errors import ReleaseError
from ppdm_formal.run.json_parts import fields

MAX_VALUES = 20_000_000
"""Most inputs or outputs that a description may have where they are not sets of items."""

LISTED_ITEMS = 64
"""Sets of more items have no matrix: to count them alone could take for ever."""

MAX_SET = 5000
"""Largest size of the sets of items that are read."""

MAX_ITEMS = (1 << 63) - 1
"""Most items that sets may be of: items may be sets themselves, known by their numbers."""

MAX_DIGITS = 20_000
"""Longest numerator or denominator: longer ones are mistakes or attacks."""

MAX_DEPTH = 20
"""Deepest nesting of tuples and sets that is read."""

_NUMBER = re.compile(r"(0x[0-9a-f]+|[0-9]+)(?:/(0x[0-9a-f]+|[0-9]+))?", re.ASCII)

MAX_LIST = 10_000
"""Most numbers that an argument of a family lists."""

MAX_TEXT = 1000
"""Longest text of an argument."""

_ONCE = {"exponential_decay": "exponential_mechanism"}
"""Names that families had in releases of earlier versions."""


def _number(value: Exact) -> str:
    """Text "num/den"; a release has no free parameters."""
    if is_symbolic(value):
        raise ReleaseError(f"{number_text(value)} depends on a free parameter: give it a value")
    written = number_text(value)
    if len(written) > 2 * MAX_DIGITS:
        raise ReleaseError(f"a probability of more than {MAX_DIGITS:,} digits")
    return written


def number_of(written: object) -> Any:
    """The number that number_text wrote: 0 or above."""
    if isinstance(written, str) and "exp(" in written and len(written) <= 2 * MAX_DIGITS:
        try:
            found = read_real(written)
        except (ValueError, ZeroDivisionError):
            raise ReleaseError("a probability is not written as numbers with exp are") from None
        if found < 0:
            raise ReleaseError("a probability is below 0")
        return found
    match = _NUMBER.fullmatch(written) if isinstance(written, str) else None
    if match is None:
        raise ReleaseError("a probability is not text such as 3/4")
    top, bottom = (_integer(part or "1") for part in match.groups())
    if bottom == 0:
        raise ReleaseError("a probability divides by zero")
    return Fraction(top, bottom)


def _integer(digits: str) -> int:
    if len(digits) > 2 * MAX_DIGITS:
        raise ReleaseError("a number has too many digits")
    try:
        return int(digits, 16) if digits.startswith("0x") else int(digits)
    except ValueError:
        raise ReleaseError("a number has too many digits") from None


def value_of(written: object, depth: int = MAX_DEPTH) -> Value:
    """The value that value_json wrote."""
    if isinstance(written, str) or (isinstance(written, int) and not isinstance(written, bool)):
        return written
    if isinstance(written, dict) and len(written) == 1 and depth:
        [(kind, inside)] = written.items()
        if kind == "int" and isinstance(inside, str) and re.fullmatch(r"-?(0x)?\w+", inside):
            sign = -1 if inside.startswith("-") else 1
            return sign * _integer(inside.removeprefix("-"))
        if kind in ("tuple", "set") and isinstance(inside, list):
            parts = [value_of(part, depth - 1) for part in inside]
            return tuple(parts) if kind == "tuple" else frozenset(parts)
        if kind == "runs" and isinstance(inside, list):
            return frozenset(_members(inside))
    raise ReleaseError("an input or output is neither a number, a label, a tuple nor a set")


def _members(runs: list[Any]) -> Iterator[int]:
    """The integers of runs, each a first and a last, as long as they are not too many."""
    many = 0
    for run in runs:
        ends = [value_of(end, 1) for end in run] if isinstance(run, list) else []
        numbers = [end for end in ends if isinstance(end, int)]
        if len(ends) != 2 or len(numbers) != 2:
            raise ReleaseError("a run of numbers has a first and a last")
        first, last = numbers
        many += max(0, last - first + 1)
        if many > MAX_LISTED:
            raise ReleaseError("a set has too many members")
        yield from range(first, last + 1)


def domain_of(written: object) -> Domain:
    """The domain that domain_json wrote."""
    if isinstance(written, dict) and len(written) == 1:
        [(kind, inside)] = written.items()
        if kind == "range" and isinstance(inside, list) and len(inside) == 2:
            first, last = map(value_of, inside)
            if isinstance(first, int) and isinstance(last, int) and 0 <= last - first < MAX_VALUES:
                return Domain(range(first, last + 1))
        if kind == "subsets" and isinstance(inside, dict) and set(inside) == {"items", "size"}:
            items, size = inside["items"], inside["size"]
            known = _count(items, MAX_ITEMS)
            if known and (size is None or (_count(size) and size <= min(items, MAX_SET))):
                return Subsets(items, size)
        numbers = inside if kind == "pairs" and isinstance(inside, list) else []
        if len(numbers) == 2 and all(_count(number, MAX_ITEMS) and number for number in numbers):
            return Pairs(*numbers)
    elif isinstance(written, list):
        try:
            return Domain(map(value_of, written))
        except ValueError as wrong:
            raise ReleaseError(f"the values of an operator: {wrong}") from None
    raise ReleaseError(
        "the values of an operator are neither a list, a range, sets of items nor pairs"
    )


def _count(number: object, most: int = MAX_VALUES) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most


def codes_of(written: object, size: int, distinct: int) -> npt.NDArray[np.int64]:
    """The codes that runs wrote: `size` of them, each below `distinct`."""
    if not isinstance(written, list) or not all(
        isinstance(pair, list) and len(pair) == 2 and all(map(_count, pair)) for pair in written
    ):
        raise ReleaseError("a row of probabilities is not a list of [code, run]")
    pairs = np.array(written, dtype=np.int64).reshape(-1, 2)
    if int(pairs[:, 1].sum()) != size or (pairs[:, 0] >= distinct).any():
        raise ReleaseError("a row of probabilities does not fit the values of its operator")
    return np.repeat(pairs[:, 0], pairs[:, 1])


def law_json(operator: Operator) -> dict[str, Any]:
    """The exact law: a family by its name and arguments, any other as a matrix by runs."""
    spelled = operator.law.spelled()
    if spelled is not None:
        arguments = {key: _argument_json(value) for key, value in spelled.arguments.items()}
        return {"kind": "family", "name": spelled.family, "arguments": arguments}
    coded = operator.matrix()
    return {
        "kind": "matrix",
        "palette": [_number(value) for value in coded.palette],
        "rows": [runs(row) for row in coded.codes],
    }


def _argument_json(value: Any) -> Any:
    """Text and integers as they are, other numbers as text, and lists and runs of them."""
    if isinstance(value, str | int):
        return value
    if isinstance(value, Sequence):
        return [
            [_number(one[0]), one[1]] if isinstance(one, tuple) else _number(one) for one in value
        ]
    return _number(value)


def operator_json(operator: Operator) -> dict[str, Any]:
    """An operator by its values and its exact law, with their digest (the name is not in it)."""
    described = {
        "inputs": domain_json(operator.inputs),
        "outputs": domain_json(operator.outputs),
        "law": law_json(operator),
    }
    return {"name": operator.name, "sha256": digest(described), **described}


def operator_of(written: object) -> Operator:
    """The operator that operator_json wrote; its rows are checked to be distributions."""
    document = fields(written, "an operator", "name", "sha256", "inputs", "outputs", "law")
    name = document["name"]
    if not isinstance(name, str):
        raise ReleaseError("the name of an operator is not text")
    inside = {key: document[key] for key in ("inputs", "outputs", "law")}
    if document["sha256"] != digest(inside):
        raise ReleaseError(f"the operator {name} does not have the digest that is written there")
    inputs, outputs = domain_of(document["inputs"]), domain_of(document["outputs"])
    law = document["law"]
    try:
        if isinstance(law, dict) and law.get("kind") == "family":
            found = _family_of(law, inputs, outputs, name)
        else:
            found = _matrix_of(law, inputs, outputs, name)
    except ReleaseError:
        raise
    except (ValueError, TypeError) as wrong:
        raise ReleaseError(f"the operator {name}: {wrong}") from None
    return found


def _matrix_of(written: object, inputs: Domain, outputs: Domain, name: str) -> Operator:
    law = fields(written, "a law", "kind", "palette", "rows")
    for domain in (inputs, outputs):
        if isinstance(domain, Subsets) and domain.items > LISTED_ITEMS:
            raise ReleaseError(f"the law of {name} is a matrix on too many sets")
    check_cells(inputs.size, outputs.size)
    palette, rows = law["palette"], law["rows"]
    if law["kind"] != "matrix" or not isinstance(palette, list) or not isinstance(rows, list):
        raise ReleaseError(f"the law of {name} is not a matrix")
    if len(rows) != inputs.size:
        raise ReleaseError(f"the law of {name} does not have a row for each input")
    values = [number_of(value) for value in palette]
    kind = np.min_scalar_type(max(1, len(values)))
    codes = np.empty((inputs.size, outputs.size), dtype=kind)
    for position, row in enumerate(rows):
        codes[position] = codes_of(row, outputs.size, len(values))
    return Operator.from_codes(inputs, outputs, CodedMatrix(codes, values), name)


def _family_of(written: Mapping[str, Any], inputs: Domain, outputs: Domain, name: str) -> Operator:
    """A family, found by its place, which checks what it is given."""
    law = fields(written, "a law", "kind", "name", "arguments")
    family = law["name"]
    family = _ONCE.get(family, family) if isinstance(family, str) else ""
    function = family_function(family)
    if function is None:
        raise ReleaseError(f"the law of {name} is of a family that is not known here")
    told, known = told_by(inputs, outputs), takes(function)
    if {"items", "size"} & set(known) - set(told):
        raise ReleaseError(f"the law of {name} is no family on these inputs")
    own = [key for key in known if key not in told]
    arguments = law["arguments"]
    given = [key for key in own if isinstance(arguments, dict) and key in arguments]
    needed = [key for key in own if known[key].default is Parameter.empty]
    document = fields(arguments, family, *dict.fromkeys([*given, *needed]))
    read = {
        key: _argument_of(document[key], str(known[key].annotation), f"{family}: {key}")
        for key in document
    }
    found = built_again(family, read, inputs, outputs, name)
    spelled = law_json(found)
    if (spelled.get("name"), spelled.get("arguments")) != (family, dict(document)):
        raise ReleaseError(f"the law of {name} is not spelled as {family} spells it")
    return found


def _argument_of(written: object, kind: str, what: str) -> Any:
    """An argument of a family, as the annotation says."""
    if kind.startswith("object"):
        return number_of(written)
    if kind.startswith("int"):
        if not _count(written):
            raise ReleaseError(f"{what} is not an integer")
        return written
    if kind.startswith(("Sequence", "Runs")):
        if not isinstance(written, list) or len(written) > MAX_LIST:
            raise ReleaseError(f"{what} is not a list of numbers")
        if kind.startswith("Sequence"):
            return [number_of(one) for one in written]
        return [_run_of(one, what) for one in written]
    if not isinstance(written, str) or len(written) > MAX_TEXT:
        raise ReleaseError(f"{what} is not a text")
    return written


def _run_of(written: object, what: str) -> tuple[Any, int]:
    """A number, and how many times in a row."""
    if not isinstance(written, list) or len(written) != 2 or not _count(written[1], MAX_LIST):
        raise ReleaseError(f"{what} is not a list of [value, count]")
    return number_of(written[0]), written[1]


def prior_json(prior: Prior | None, inputs: Domain) -> dict[str, Any] | None:
    """A prior on an operator's inputs, in their order."""
    if prior is None:
        return None
    aligned = prior.aligned(inputs)
    palette = [_number(value) for value in aligned.palette]
    return {"name": prior.name, "palette": palette, "masses": runs(aligned.codes)}


def prior_of(written: object, inputs: Domain) -> Prior | None:
    """The prior that prior_json wrote."""
    if written is None:
        return None
    document = fields(written, "a prior", "name", "palette", "masses")
    if not isinstance(document["palette"], list) or not isinstance(document["name"], str):
        raise ReleaseError("a prior has no palette or no name")
    palette = [number_of(value) for value in document["palette"]]
    if inputs.size > MAX_VALUES:
        raise ReleaseError("a prior on too many inputs")
    codes = codes_of(document["masses"], inputs.size, len(palette))
    try:
        return Prior(inputs, codes, palette, document["name"])
    except ValueError as wrong:
        raise ReleaseError(f"the prior {document['name']}: {wrong}") from None
