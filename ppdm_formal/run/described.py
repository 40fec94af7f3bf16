"""Operators, domains and priors as a release describes them: exactly, in canonical JSON, and back.

A description comes from a file, so everything in it is checked again before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_formal.families.randomized_response import KeepOrReplace
from ppdm_formal.families.replace_items import ReplaceItems, replace_items
from ppdm_formal.families.select_a_size import (
    Randomization,
    SelectASize,
    from_balance,
    select_a_size,
)
from ppdm_formal.families.subsets import MAX_LISTED, Subsets
from ppdm_formal.itemsets.plan import law_json as plan_law
from ppdm_formal.numbers.exact import Exact, is_rational, is_symbolic
from ppdm_formal.numbers.reading import read_real
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numeric.continuous.grid_law import GridLaw
from ppdm_formal.operator.canonical import digest, value_json
from ppdm_formal.operator.domain import Domain, Value
from ppdm_formal.operator.matrix import CodedMatrix, check_cells
from ppdm_formal.operator.operator import Operator
from ppdm_formal.operator.prior import Prior
from ppdm_formal.run import described_grid
from ppdm_formal.run.described_local import local_json, local_of
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

Runs = list[list[int]]
"""Codes by runs: [code, how many times in a row]."""


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


def domain_json(domain: Domain) -> Any:
    """The values in order; ranges of integers and sets of items by their ends and sizes."""
    if isinstance(domain, Subsets):
        return {"subsets": {"items": domain.items, "size": domain.members}}
    if domain.integers is not None:
        return {"range": [value_json(domain[0]), value_json(domain[-1])]}
    return [value_json(value) for value in domain]


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
    elif isinstance(written, list):
        try:
            return Domain(map(value_of, written))
        except ValueError as wrong:
            raise ReleaseError(f"the values of an operator: {wrong}") from None
    raise ReleaseError("the values of an operator are neither a list, a range nor sets of items")


def _count(number: object, most: int = MAX_VALUES) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= most


def runs(codes: npt.NDArray[np.integer]) -> Runs:
    """Codes as [code, run] pairs.

    >>> runs(np.array([2, 2, 2, 0]))
    [[2, 3], [0, 1]]
    """
    starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
    lengths = np.diff(np.r_[starts, len(codes)])
    return [[int(code), int(run)] for code, run in zip(codes[starts], lengths, strict=True)]


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
    law = operator.law
    if isinstance(law, KeepOrReplace):
        return _family("randomized_response", {"keep": _number(law.keep)})
    if isinstance(law, SelectASize):
        return _family("select_a_size", {"insert": _number(law.insert), **_kept(law)})
    if isinstance(law, ReplaceItems):
        return _family("replace_items", {"keep": _number(law.keep)})
    if isinstance(law, GridLaw):
        return _family(described_grid.NAME, dict(described_grid.grid_json(law)))
    local = local_json(law, _number)
    if local is not None:
        return _family(*local)
    coded = operator.matrix()
    return {
        "kind": "matrix",
        "palette": [_number(value) for value in coded.palette],
        "rows": [runs(row) for row in coded.codes],
    }


def _kept(law: SelectASize) -> dict[str, Any]:
    """p[0..m] of a select-a-size as keep, or where those are long as b[j] by runs."""
    if not all(is_rational(p) for p in (law.insert, *law.keep)):
        return {"keep": [_number(p) for p in law.keep]}
    return plan_law(Randomization(law.size, law.insert, law.keep))


def _family(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "family", "name": name, "arguments": arguments}


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
    if found.outputs != outputs:
        raise ReleaseError(f"the operator {name} has other outputs than its law")
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
    law = fields(written, "a law", "kind", "name", "arguments")
    kind, arguments = law["name"], law["arguments"]
    if kind == "randomized_response":
        given = fields(arguments, "randomized_response", "keep")
        keep = number_of(given["keep"])
        if keep > 1 or (inputs.size == 1 and keep != 1):
            raise ReleaseError("randomized_response: keep is not a probability")
        other = (1 - keep) / max(1, inputs.size - 1)
        return Operator(inputs, inputs, KeepOrReplace(inputs.size, keep, other), name)
    if kind == described_grid.NAME:
        return described_grid.grid_of(arguments, inputs, outputs, name)
    local = local_of(kind, arguments, inputs.size, number_of, name)
    if local is not None:
        if local.inputs != inputs:
            raise ReleaseError(f"{kind} has other inputs than its law")
        return local
    if not isinstance(inputs, Subsets) or inputs.members is None:
        raise ReleaseError(f"the law of {name} is no family on these inputs")
    if kind == "select_a_size":
        how = "balance" if isinstance(arguments, dict) and "balance" in arguments else "keep"
        given = fields(arguments, kind, "insert", how)
        if not isinstance(given[how], list):
            raise ReleaseError(f"select_a_size: {how} is not a list")
        insert = number_of(given["insert"])
        if how == "keep":
            kept = tuple(number_of(p) for p in given["keep"])
        else:
            kept = _from_balance(given["balance"], inputs.members, insert)
        return select_a_size(inputs.items, inputs.members, insert, keep=kept, name=name)
    if kind == "replace_items":
        given = fields(arguments, kind, "keep")
        return replace_items(inputs.items, inputs.members, number_of(given["keep"]), name=name)
    raise ReleaseError(f"the law of {name} is of a family that is not known here")


def _from_balance(written: list[Any], size: int, insert: Fraction) -> tuple[Exact, ...]:
    """p[0..m] from b[0..m] as [value, how many in a row]."""
    ratios: list[Fraction] = []
    for run in written:
        if not isinstance(run, list) or len(run) != 2 or not _count(run[1], size + 1):
            raise ReleaseError("select_a_size: balance is not a list of [value, count]")
        ratios += [number_of(run[0])] * run[1]
    if not 0 < insert < 1 or len(ratios) != size + 1 or min(ratios) <= 0:
        raise ReleaseError(f"select_a_size: balance does not have {size + 1} values above 0")
    return from_balance(ratios, insert)


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
