"""Prior, Property and families of priors: what may be known of x before y is seen.

A prior is coded like an operator's matrix: a code for each input and the tuple of
distinct probabilities. A property is a set of inputs. A family of priors is every
prior whose masses of named properties satisfy linear constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, Exact, exact, substitute, total
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.people import said
from ppdm_formal.declare.arithmetic.signs import not_probability
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.domain import Domain, Value, show_value
from ppdm_formal.declare.operators.matrix import Palette


def _order(have: Domain, want: Domain, what: str) -> npt.NDArray[np.int64] | None:
    """Positions that bring values stored along `have` into the order of `want`."""
    if have == want:
        return None
    if not have.same_members(want):
        raise ValueError(f"{what} is on {have}, not on the operator's inputs {want}")
    return np.array([have.index(value) for value in want], dtype=np.int64)


class Property:
    """A named set of inputs: Q(x) is true exactly for its members."""

    def __init__(self, domain: Domain, members: npt.NDArray[np.bool_], name: str = "") -> None:
        if members.shape != (domain.size,):
            raise ValueError("a property needs one truth value for each input")
        self.domain = domain
        self.name = name
        self.mask = members.astype(bool)
        self.mask.setflags(write=False)

    @classmethod
    def of(cls, domain: Domain, members: Iterable[Value], name: str = "") -> Property:
        """The property that holds for the listed inputs."""
        mask = np.zeros(domain.size, dtype=bool)
        for value in members:
            mask[domain.index(value)] = True
        return cls(domain, mask, name)

    @classmethod
    def where(cls, domain: Domain, test: Callable[[Value], bool], name: str = "") -> Property:
        """The property that holds where a Python function says so."""
        mask = np.fromiter((bool(test(value)) for value in domain), dtype=bool, count=domain.size)
        return cls(domain, mask, name)

    @property
    def members(self) -> list[Value]:
        """The inputs that have the property."""
        return [self.domain[int(position)] for position in np.flatnonzero(self.mask)]

    def complement(self) -> Property:
        """The inputs that do not have it."""
        return Property(self.domain, ~self.mask, f"not {self.name}" if self.name else "")

    def aligned(self, domain: Domain) -> Property:
        """The same property with its members in another order."""
        order = _order(self.domain, domain, f"the property {self.name}".rstrip())
        return self if order is None else Property(domain, self.mask[order], self.name)

    def __contains__(self, value: object) -> bool:
        return value in self.domain and bool(self.mask[self.domain.index(value)])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Property):
            return NotImplemented
        return (
            self.name == other.name
            and self.domain == other.domain
            and bool(np.array_equal(self.mask, other.mask))
        )

    def __hash__(self) -> int:
        return hash((self.name, self.domain, int(self.mask.sum())))

    def __repr__(self) -> str:
        return f"<Property {self.name or '?'}: {int(self.mask.sum())} of {self.domain.size} inputs>"


class Prior:
    """A probability distribution of x: a code for each input, and the distinct probabilities."""

    def __init__(
        self,
        domain: Domain,
        codes: npt.NDArray[np.integer],
        palette: Sequence[Exact],
        name: str = "",
        parameters: Sequence[Parameter] = (),
    ) -> None:
        if codes.shape != (domain.size,):
            raise ValueError("a prior needs one probability for each input")
        self.domain = domain
        self.name = name
        # Used values only, each once, in the order of the inputs: equal priors have equal codes.
        used, first = np.unique(codes, return_index=True)
        distinct = Palette(palette[int(code)] for code in used[np.argsort(first)])
        renumber = np.zeros(len(palette), dtype=np.int64)
        renumber[used] = [distinct.code(palette[int(code)]) for code in used]
        self.codes = renumber[codes]
        self.codes.setflags(write=False)
        self.palette = tuple(distinct.values)
        self.parameters = tuple(free_parameters(self.palette, parameters))
        for code, value in enumerate(self.palette):
            wrong = not_probability(value, parameters)
            if wrong:
                where = show_value(domain[int(np.argmax(self.codes == code))])
                raise ValueError(f"the probability {said(value)} of {where} {wrong}")
        mass = self.mass()
        if mass != ONE:
            raise ValueError(f"the prior's probabilities sum to {said(mass)}, not to 1")

    @classmethod
    def uniform(cls, domain: Domain, name: str = "") -> Prior:
        """Every input equally likely."""
        return cls(domain, np.zeros(domain.size, dtype=np.int64), [Fraction(1, domain.size)], name)

    @classmethod
    def of(cls, domain: Domain, probabilities: Mapping[Value, object], name: str = "") -> Prior:
        """The prior with the listed probabilities, 0 for inputs not listed.

        >>> Prior.of(Domain(["yes", "no"]), {"yes": "10%", "no": "0.9"}).probability("yes")
        Fraction(1, 10)
        """
        palette = Palette([ZERO])
        codes = np.zeros(domain.size, dtype=np.int64)
        for value, probability in probabilities.items():
            codes[domain.index(value)] = palette.code(exact(probability))
        return cls(domain, codes, palette.values, name)

    def probability(self, value: Value) -> Exact:
        """P[X = value]."""
        return self.palette[int(self.codes[self.domain.index(value)])]

    def mass(self, property: Property | None = None) -> Exact:
        """P[Q(X)], or the total mass."""
        codes = self.codes if property is None else self.codes[property.aligned(self.domain).mask]
        counts = np.bincount(codes, minlength=len(self.palette))
        return total((int(count), value) for count, value in zip(counts, self.palette, strict=True))

    def aligned(self, domain: Domain) -> Prior:
        """The same prior with its inputs in another order."""
        order = _order(self.domain, domain, f"the prior {self.name}".rstrip())
        return (
            self
            if order is None
            else Prior(domain, self.codes[order], self.palette, self.name, self.parameters)
        )

    def substitute(self, values: Mapping[str, Fraction]) -> Prior:
        """The prior with parameters given values."""
        palette = [substitute(value, values) for value in self.palette]
        return Prior(self.domain, self.codes, palette, self.name, self.parameters)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Prior):
            return NotImplemented
        return (
            self.name == other.name
            and self.domain == other.domain
            and self.palette == other.palette
            and bool(np.array_equal(self.codes, other.codes))
        )

    def __hash__(self) -> int:
        return hash((self.name, self.domain, self.palette))

    def __repr__(self) -> str:
        distinct = len(self.palette)
        return f"<Prior {self.name or '?'} on {self.domain}: {distinct} distinct probabilities>"


Relation: TypeAlias = Literal["<=", "<", ">=", ">", "=="]


@dataclass(frozen=True)
class Constraint:
    """A linear constraint on a prior: sum of coefficient * mass(property) against a bound."""

    terms: tuple[tuple[Fraction, Property], ...]
    relation: Relation
    bound: Fraction

    def __post_init__(self) -> None:
        for number in (self.bound, *(coefficient for coefficient, _ in self.terms)):
            if not isinstance(number, Fraction):
                raise TypeError(f"a constraint needs exact numbers (Fractions), not {number!r}")

    def __str__(self) -> str:
        shown = ""
        for coefficient, property in self.terms:
            sign = "-" if coefficient < 0 else "+"
            shown += f" {sign} " if shown else sign.strip("+")
            size = abs(coefficient)
            factor = "" if size == 1 else f"{number_text(size)} * "
            shown += f"{factor}mass({property.name})"
        return f"{shown or '0'} {self.relation} {number_text(self.bound)}"


@dataclass(frozen=True)
class PriorFamily:
    """Every prior that satisfies all the constraints."""

    constraints: tuple[Constraint, ...]

    @property
    def properties(self) -> tuple[Property, ...]:
        """The properties that the constraints name, each once."""
        return tuple(dict.fromkeys(p for c in self.constraints for _, p in c.terms))

    def labels(self, domain: Domain) -> tuple[Any, list[tuple[bool, ...]]]:
        """Which of the properties each input has: a code for it, and what codes mean."""
        for named in self.properties:
            if not named.domain.same_members(domain):
                raise ValueError(f"{named.name} is on {named.domain}, not on {domain}")
        masks = [named.aligned(domain).mask for named in self.properties]
        found, codes = np.unique(np.column_stack(masks), axis=0, return_inverse=True)
        return codes.reshape(-1), [tuple(bool(one) for one in row) for row in found]

    @property
    def name(self) -> str:
        """As a claim says it where it could name one prior."""
        return str(self)

    def __str__(self) -> str:
        return "{ " + "; ".join(map(str, self.constraints)) + " }"
