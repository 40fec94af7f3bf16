"""Operator: a randomization y = R(x) with exact transition probabilities p[x -> y]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ppdm_formal.declare.arithmetic.exact import (
    ONE,
    ZERO,
    Exact,
    exact,
    simplify,
    substitute,
    total,
)
from ppdm_formal.declare.arithmetic.parameter import Parameter, free_parameters
from ppdm_formal.declare.arithmetic.people import said, show_count
from ppdm_formal.declare.arithmetic.signs import not_probability
from ppdm_formal.declare.operators import domain as domains
from ppdm_formal.declare.operators.domain import Domain, Value, show_value
from ppdm_formal.declare.operators.law import Law, MatrixLaw
from ppdm_formal.declare.operators.matrix import (
    CodedMatrix,
    Palette,
    TooLarge,
    check_cells,
    combine,
)
from ppdm_formal.declare.operators.outside import (
    MatrixOrigin,
    MatrixReading,
    Misread,
    decimal_entry,
    misses_by_floating,
    misses_by_rounding,
    plain_rows,
    read_outside,
)
from ppdm_formal.declare.operators.pair import PairClass
from ppdm_formal.declare.operators.prior import Prior, Property
from ppdm_formal.declare.operators.report import Report
from ppdm_formal.declare.operators.sets import ValueSets
from ppdm_formal.declare.operators.view import Enough, InputLabels, View, check_mass
from ppdm_formal.declare.operators.within import Within
from ppdm_formal.declare.result import Displayed

MAX_KNOWING_CLASSES = 500_000
"""Views with background knowledge hold at most so many classes: beyond, memory would run out."""


class Operator(Displayed):
    """A randomization operator with exact transition probabilities p[x -> y].

    >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
    >>> [(str(c.likelihood), c.count) for c in coin.views()[0].classes]
    [('3/4', 1), ('1/4', 1)]
    """

    shown_in = "sections.operators"
    subject: ClassVar[str] = "finite"
    """The file of certify/subjects that decides what is claimed of it."""

    def __init__(
        self,
        inputs: Domain,
        outputs: Domain,
        law: Law,
        name: str = "",
        parameters: Sequence[Parameter] = (),
        source: str = "",
    ) -> None:
        if law.written_out() is None and law.mass() != ONE:
            raise ValueError(f"the rows of {name or 'the law'} sum to {said(law.mass())}, not to 1")
        self.inputs = inputs
        self.outputs = outputs
        self.law = law
        self.name = name
        self.parameters = tuple(free_parameters(law.values(), parameters))
        self.source = source
        self.within: Within | None = None
        self.origin: MatrixOrigin | None = None
        self._views: dict[Any, tuple[View, ...]] = {}

    @classmethod
    def from_codes(
        cls,
        inputs: Domain,
        outputs: Domain,
        coded: CodedMatrix,
        name: str = "",
        parameters: Sequence[Parameter] = (),
        source: str = "",
    ) -> Operator:
        """An operator from a coded matrix, after checking that each row is a distribution."""
        for code, value in enumerate(coded.palette):
            wrong = not_probability(value, parameters)
            if wrong:
                row, column = (int(k[0]) for k in np.nonzero(coded.codes == code))
                entry = f"p[{show_value(inputs[row])} -> {show_value(outputs[column])}]"
                raise NotStochastic(f"{entry} = {said(value)} {wrong}", inputs[row])
        for row, value in coded.row_sums():
            if value != ONE:
                raise NotStochastic(
                    f"the row of {show_value(inputs[row])} sums to {said(value)}, not to 1",
                    inputs[row],
                )
        return cls(inputs, outputs, MatrixLaw(coded), name, parameters, source)

    @classmethod
    def from_matrix(
        cls,
        rows: Sequence[Sequence[object]],
        inputs: Iterable[Value] | None = None,
        outputs: Iterable[Value] | None = None,
        name: str = "",
        parameters: Sequence[Parameter] = (),
        *,
        exact: bool = False,
        normalize: bool = False,
        rounded: int | None = None,
    ) -> Operator:
        """An operator from its matrix, one row an input; entries as text, Fractions or sympy.

        NumPy arrays and pandas frames (whose labels are inputs and outputs) are taken too. Floats
        need one of three ways, and rows that miss 1 by rounding one of the last two: exact=True
        (each is the shortest decimal that stands for it), normalize=True (rows are divided by
        their sums), rounded=4 (to so many decimals; every verdict is then for all matrices that
        round to these numbers, and `within` holds them).

        >>> Operator.from_matrix([["1/2", "50%"], [0, 1]], inputs=["a", "b"]).probability("a", 1)
        Fraction(1, 2)
        >>> thirds = Operator.from_matrix([[0.33, 0.67], [0.5, 0.5]], rounded=2)
        >>> str(thirds.within.least[0][0]), str(thirds.within.most[0][0])
        ('13/40', '67/200')
        """
        rows, own_inputs, own_outputs = plain_rows(rows)
        inputs = own_inputs if inputs is None else inputs
        outputs = own_outputs if outputs is None else outputs
        if len({len(row) for row in rows}) != 1 or not rows[0]:
            raise ValueError("a matrix needs at least one row and column, and rows of equal length")
        source = Domain(range(len(rows)) if inputs is None else inputs)
        target = Domain(range(len(rows[0])) if outputs is None else outputs)
        if (source.size, target.size) != (len(rows), len(rows[0])):
            raise ValueError(
                "the matrix does not have a row for each input and a column for each output"
            )
        check_cells(source.size, target.size)
        if exact and (normalize or rounded is not None):
            raise ValueError("exact excludes normalize and rounded")
        chosen = exact or normalize or rounded is not None
        read = decimal_entry if chosen else _entry
        entries = [[read(entry) for entry in row] for row in rows]
        return cls.from_outside(
            source, target, entries, MatrixReading.of(normalize, rounded), name, parameters
        )

    @classmethod
    def from_outside(
        cls,
        inputs: Domain,
        outputs: Domain,
        entries: Sequence[Sequence[Exact]],
        reading: MatrixReading,
        name: str = "",
        parameters: Sequence[Parameter] = (),
    ) -> Operator:
        """An operator from numbers that are exact, to be scaled, or rounded; see outside.py."""
        try:
            found = read_outside(entries, reading)
        except Misread as problem:
            x = inputs[problem.row]
            raise NotStochastic(f"the row of {show_value(x)}: {problem}", x) from None
        coded = CodedMatrix.from_rows(found.rows)
        try:
            operator = cls.from_codes(inputs, outputs, coded, name, parameters)
        except NotStochastic as problem:
            row = entries[inputs.index(problem.row)]
            problem.digits = misses_by_rounding(row)
            problem.floating = misses_by_floating(row)
            raise
        operator.within, operator.origin = found.within, found.labelled(inputs, outputs)
        return operator

    @classmethod
    def from_function(
        cls,
        inputs: Iterable[Value],
        outputs: Iterable[Value],
        p: Callable[[Any, Any], object],
        name: str = "",
        parameters: Sequence[Parameter] = (),
    ) -> Operator:
        """An operator from a Python function p(x, y) that gives p[x -> y] exactly.

        >>> keep = lambda x, y: "1/2" if x == y else "1/4"
        >>> Operator.from_function(range(3), range(3), keep).views()[0].outputs
        3
        """
        source, target = Domain(inputs), Domain(outputs)
        check_cells(source.size, target.size)
        rows = [[exact(p(x, y)) for y in target] for x in source]
        return cls.from_codes(source, target, CodedMatrix.from_rows(rows), name, parameters)

    @cached_property
    def report(self) -> Report:
        """How a client's report is written, packed, counted and checked; the law says it."""
        return self.law.report(self.outputs)

    def probability(self, x: Value, y: Value) -> Exact:
        """p[x -> y]; ValueError for an x or a y that the operator does not have."""
        return self.law.entry(self.inputs.index(x), self.outputs.index(y))

    def matrix(self) -> CodedMatrix:
        """The whole coded matrix; TooLarge for a family that is too big to write out."""
        return self.law.matrix()

    def views(
        self,
        prior: Prior | None = None,
        properties: Sequence[Property] = (),
        knowing: Operator | None = None,
        enough: Enough = Enough.ALL,
    ) -> tuple[View, ...]:
        """The distinct views; refined by a prior, by properties, by what Z(x) tells.

        Views of outputs that no input reaches are included (see `View.reachable`). Where all are
        too many, the few that are enough for the question, if the law knows them.
        """
        try:
            if knowing is not None:
                return tuple(self._views_knowing(prior, properties, knowing))
            return self._all_views(prior, tuple(properties))
        except TooLarge:
            found = self._fewer(prior, properties, knowing, enough)
            if not found:
                raise
            return found

    def _all_views(self, prior: Prior | None, properties: tuple[Property, ...]) -> tuple[View, ...]:
        key = (prior, properties)
        if key not in self._views:
            labels = InputLabels.of(self.inputs, prior, properties)
            found = tuple(self.law.views(self.inputs, self.outputs, labels))
            if self.law.written_out() is None:
                check_mass(found)
            self._views[key] = found
        return self._views[key]

    def _fewer(
        self,
        prior: Prior | None,
        properties: Sequence[Property],
        knowing: Operator | None,
        enough: Enough,
    ) -> tuple[View, ...]:
        """The extreme view, or those of some sets of values; none where they are not known."""
        if enough is Enough.ALL:
            return ()
        if enough is Enough.RATIOS:
            refined = prior is not None or properties or knowing is not None
            extreme = None if refined else self.law.extreme(self.inputs, self.outputs)
            return () if extreme is None else (extreme,)
        found = self.value_sets(prior, properties, knowing)
        if enough is Enough.ANY_PROPERTY:
            return tuple(one.view(one.smallest()) for one in found)
        return tuple(
            one.view(held)
            for one in found
            for held in (one.shapes() if prior is None else one.extremes(0))
        )

    def value_sets(
        self,
        prior: Prior | None = None,
        properties: Sequence[Property] = (),
        knowing: Operator | None = None,
    ) -> tuple[ValueSets, ...]:
        """Where outputs are sets of values: the values by kind, for each z; otherwise nothing."""
        odds = self.law.set_odds()
        if odds is None:
            return ()
        if knowing is None:
            labels = InputLabels.of(self.inputs, prior, properties)
            return (ValueSets.of(odds, self.inputs, labels),)
        return tuple(
            ValueSets.of(odds, self.inputs, labels, known)
            for known, labels in self._labels_knowing(prior, properties, knowing)
        )

    def _labels_knowing(
        self, prior: Prior | None, properties: Sequence[Property], knowing: Operator
    ) -> Iterator[tuple[Value, InputLabels]]:
        """For everything that may be known, what the question asks of each input."""
        if not knowing.inputs.same_members(self.inputs):
            raise ValueError(
                f"{knowing.name or 'the background'} is on {knowing.inputs}, not on {self.inputs}"
            )
        order = np.arange(self.inputs.size)
        if knowing.inputs != self.inputs:
            order = np.array([knowing.inputs.index(x) for x in self.inputs], dtype=np.int64)
        coded = knowing.matrix()
        for column, known in enumerate(knowing.outputs):
            codes = coded.codes[order, column].astype(np.int64)
            yield known, InputLabels.of(self.inputs, prior, properties, (codes, coded.palette))

    def _views_knowing(
        self, prior: Prior | None, properties: Sequence[Property], knowing: Operator
    ) -> list[View]:
        found: list[View] = []
        classes = 0
        for known, labels in self._labels_knowing(prior, properties, knowing):
            for view in self.law.views(self.inputs, self.outputs, labels):
                classes += len(view.classes)
                if classes > MAX_KNOWING_CLASSES:
                    raise TooLarge(
                        f"{self.name or 'the operator'} with {knowing.name or 'what is known'}: "
                        f"pairs of outputs show more than {MAX_KNOWING_CLASSES:,} classes of inputs"
                    )
                found.append(replace(view, known=known))
        return found

    def view_of(
        self, output: Value, prior: Prior | None = None, properties: Sequence[Property] = ()
    ) -> View:
        """The view that one output shows."""
        labels = InputLabels.of(self.inputs, prior, properties)
        return self.law.view_of_output(output, self.inputs, self.outputs, labels)

    def pair(self, first: Value, second: Value) -> tuple[PairClass, ...]:
        """What two inputs show together: their two likelihoods, and of how many outputs.

        >>> coin = Operator.from_matrix([["3/4", "1/4"], ["1/4", "3/4"]])
        >>> [(str(part.first), str(part.second), part.outputs) for part in coin.pair(0, 1)]
        [('3/4', '1/4', 1), ('1/4', '3/4', 1)]
        """
        return self.law.pair(self.inputs.index(first), self.inputs.index(second))

    def then(self, after: Operator, name: str = "") -> Operator:
        """Post-processing: draw y = R(x), then z = after(y)."""
        if not set(self.outputs) <= set(after.inputs):
            raise ValueError(f"{after.name or 'the second operator'} does not take every output")
        check_known_exactly(self, after)
        check_cells(self.inputs.size, after.outputs.size)
        second = after.matrix()
        order = np.array([after.inputs.index(y) for y in self.outputs])
        coded = self.matrix().times(CodedMatrix(second.codes[order], second.palette))
        parameters = _merged(self.parameters, after.parameters)
        # Stochastic because both parts are: nothing is left to check, here and below.
        return Operator(self.inputs, after.outputs, MatrixLaw(coded), name, parameters)

    @classmethod
    def mixture(
        cls,
        parts: Sequence[tuple[object, Operator]],
        name: str = "",
        parameters: Sequence[Parameter] = (),
    ) -> Operator:
        """Use each operator with its probability: the coin is not shown.

        parameters: those of the weights, where they are closed forms.
        """
        if not parts:
            raise ValueError("a mixture needs at least one part")
        weights = [exact(weight) for weight, _ in parts]
        known = _merged(parameters, *(part.parameters for _, part in parts))
        for weight in weights:
            wrong = not_probability(weight, known)
            if wrong:
                raise ValueError(f"the weight {said(weight)} of a mixture {wrong}")
        mass = total((1, weight) for weight in weights)
        if mass != ONE:
            raise ValueError(f"the weights of a mixture sum to {said(mass)}, not to 1")
        inputs = parts[0][1].inputs
        outputs = Domain(dict.fromkeys(y for _, part in parts for y in part.outputs))
        check_cells(inputs.size, outputs.size)
        codes = np.zeros((inputs.size, outputs.size), dtype=np.int64)
        values: list[Exact] = [ZERO]
        for weight, (_, part) in zip(weights, parts, strict=True):
            if not part.inputs.same_members(inputs):
                raise ValueError("the parts of a mixture need the same inputs")
            check_known_exactly(part)
            coded = _placed(part, inputs, outputs)
            scaled = coded.map(lambda value, weight=weight: simplify(value * weight))  # type: ignore[misc]
            codes, values = combine(
                codes, values, scaled.codes, scaled.palette, lambda a, b: simplify(a + b)
            )
        return cls(inputs, outputs, MatrixLaw(CodedMatrix(codes, values)), name, known)

    def product(self, other: Operator, name: str = "") -> Operator:
        """Both operators side by side, with independent coins, on pairs of inputs."""
        check_known_exactly(self, other)
        check_cells(self.inputs.size * other.inputs.size, self.outputs.size * other.outputs.size)
        first, second = self.matrix(), other.matrix()
        width = len(second.palette)
        codes = np.kron(first.codes.astype(np.int64) * width, np.ones(second.shape, dtype=np.int64))
        codes += np.tile(second.codes, first.shape)
        palette = Palette()
        numbers = np.array(
            [palette.code(simplify(a * b)) for a in first.palette for b in second.palette]
        )
        return Operator(
            domains.product([self.inputs, other.inputs]),
            domains.product([self.outputs, other.outputs]),
            MatrixLaw(CodedMatrix(numbers[codes], palette.values)),
            name,
            _merged(self.parameters, other.parameters),
        )

    def substitute(self, values: Mapping[str, object]) -> Operator:
        """The operator with parameters given values (by name)."""
        known = {p.name: p for p in self.parameters}
        chosen: dict[str, Fraction] = {}
        for key, value in values.items():
            number = exact(value)
            if key not in known:
                raise ValueError(f"{self.name or 'the operator'} has no free parameter {key}")
            if number not in known[key]:
                raise ValueError(f"{key} = {said(number)} is outside {known[key].interval}")
            chosen[key] = number
        law = self.law.map(lambda value: substitute(value, chosen))
        found = Operator(self.inputs, self.outputs, law, self.name, self.parameters, self.source)
        found.within, found.origin = self.within, self.origin
        return found

    def __eq__(self, other: object) -> bool:
        """Equal by exact law: same inputs, same p[x -> y] (outputs never produced count as 0)."""
        if not isinstance(other, Operator):
            return NotImplemented
        if self.within != other.within:
            return False
        if (self.inputs, self.outputs, self.law) == (other.inputs, other.outputs, other.law):
            return True  # the only answer there is for families too large to write out
        if not self.inputs.same_members(other.inputs):
            return False
        outputs = Domain(dict.fromkeys([*self.outputs, *other.outputs]))
        return _placed(self, self.inputs, outputs) == _placed(other, self.inputs, outputs)

    def __hash__(self) -> int:
        return hash(frozenset([self.inputs.size]))

    def to_numpy(self) -> npt.NDArray[np.float64]:
        """p[x -> y] in floating point: an input a row, an output a column."""
        return self.matrix().to_numpy()

    def to_pandas(self) -> Any:
        """The same as a frame, with inputs and outputs as its labels."""
        import pandas as pd

        index = pd.Index(list(self.inputs), tupleize_cols=False)
        columns = pd.Index(list(self.outputs), tupleize_cols=False)
        return pd.DataFrame(self.to_numpy(), index=index, columns=columns)

    def __repr__(self) -> str:
        return (
            f"<Operator {self.name or '?'}: {show_count(self.inputs.size)} inputs, "
            f"{show_count(self.outputs.size)} outputs>"
        )


BY_FLOATING = "it misses 1 by as little as floating-point arithmetic does"


class NotStochastic(ValueError):
    """A row that is not a probability distribution; `row` is the input.

    digits: to how many decimals its entries seem rounded, if that is why it does not sum to 1.
    floating: whether it misses 1 by no more than floating-point arithmetic does.
    """

    def __init__(self, message: str, row: Value) -> None:
        super().__init__(message)
        self.row = row
        self.digits: int | None = None
        self.floating = False

    def __str__(self) -> str:
        said = str(self.args[0])
        if self.digits is None and self.floating:
            return f"{said}; {BY_FLOATING}: normalize=True divides each row by its sum"
        if self.digits is None:
            return said
        return (
            f"{said}; it misses 1 by rounding: normalize=True divides each row by its sum, "
            f"rounded={self.digits} decides for every matrix that rounds to these numbers"
        )

    @property
    def plain(self) -> str:
        """What is wrong, without the remedy, which a file's reader says in its own words."""
        return str(self.args[0])


def _entry(value: object) -> Exact:
    """An exact entry; a float is refused with the ways there are."""
    if isinstance(value, float):
        raise TypeError(
            f"{value} is a float: say exact=True (it is the decimal that it shows), "
            "normalize=True (rows are divided by their sums), or rounded=4 (rounded to so many "
            "decimals: verdicts for every matrix that rounds to it); or write it as text"
        )
    return exact(value)


def check_known_exactly(*operators: Operator, but: str = "combined") -> None:
    """Refuse to compute with operators that are known within rounding only."""
    for operator in operators:
        if operator.within is not None:
            raise ValueError(
                f"{operator.name or 'the operator'} is known within rounding only: it can be "
                f"audited, but not {but}; read it with normalize"
            )


def _merged(*groups: Sequence[Parameter]) -> tuple[Parameter, ...]:
    """All parameters, each once; one name must mean one interval."""
    found: dict[str, Parameter] = {}
    for parameter in (parameter for group in groups for parameter in group):
        if found.setdefault(parameter.name, parameter) != parameter:
            raise ValueError(f"the parameter {parameter.name} has two different intervals")
    return tuple(found.values())


def _placed(operator: Operator, inputs: Domain, outputs: Domain) -> CodedMatrix:
    """The operator's matrix with rows and columns in another order, missing outputs as 0."""
    coded = operator.matrix()
    if operator.inputs == inputs and operator.outputs == outputs:
        return coded
    palette = Palette(coded.palette)
    codes = np.full((inputs.size, outputs.size), palette.code(ZERO), dtype=np.int64)
    columns = [outputs.index(y) for y in operator.outputs]
    rows = [operator.inputs.index(x) for x in inputs]
    codes[:, columns] = coded.codes[rows]
    return CodedMatrix(codes, palette.values)
