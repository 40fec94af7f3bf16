"""View: what one output shows, as classes of inputs that it does not tell apart.

What an output y shows the server is the column p[. -> y]. Group its inputs by equal
likelihood (and by whatever else a question names: prior probability, properties,
background knowledge) and you have a view. Outputs that show the same view are counted,
not repeated. Every privacy question of this package is answered on views alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from flint import fmpq

from ppdm_formal.declare.arithmetic.exact import ONE, ZERO, Exact, total
from ppdm_formal.declare.arithmetic.exponential import ExpNumber
from ppdm_formal.declare.arithmetic.spelling import number_text
from ppdm_formal.declare.operators.domain import Domain, Value
from ppdm_formal.declare.operators.matrix import MAX_CELLS, Labels
from ppdm_formal.declare.operators.prior import Prior, Property

if TYPE_CHECKING:
    from ppdm_formal.declare.operators.sets import ValueSets


class ViewKind(Enum):
    """What the likelihoods of a view are, by the name that certificates have for it.

    relative: up to a common factor. The view stands for all outputs whose views differ from it in
    that factor and in the counts alone; the counts are those of the output shown. What depends on
    the set of likelihood ratios (amplification, breaches under all priors) is the same for all of
    them; sums over inputs or outputs are not.

    extreme: relative, and the view stands for all outputs: none shows a greater ratio of
    likelihoods. Of the inputs it lists one of the most and one of the least likely only. That ratio
    is all that amplification and breaches under all priors depend on.

    summed: of a pair of inputs, for outputs that tell the two apart equally: the likelihoods are
    theirs, added up, and the outputs count once.
    """

    PROBABILITIES = "probabilities"
    RELATIVE = "relative"
    EXTREME = "extreme"
    SUMMED = "summed"

    @property
    def up_to_a_factor(self) -> bool:
        """Whether all likelihoods of a view may be multiplied by one number."""
        return self in (ViewKind.RELATIVE, ViewKind.EXTREME)


@dataclass(frozen=True)
class ChosenSet:
    """The kind of a view of sets: relative, and of one output, with `held` values of each kind.

    It was chosen among all outputs of `sets` because it dominates others for the question asked.
    """

    sets: ValueSets = field(compare=False)
    held: tuple[int, ...]
    value: ClassVar[str] = "sets"
    up_to_a_factor: ClassVar[bool] = True


class Enough(Enum):
    """How many views a question needs where all of them would be too many."""

    ALL = "every output's: what is summed over outputs"
    RATIOS = "those with the greatest ratio of likelihoods, if that is all that counts"
    FIRST_PROPERTY = "those at which the first property can be most and least likely"
    ANY_PROPERTY = "one for each z, from which all sets of values are searched"


@dataclass(frozen=True)
class InputClass:
    """Inputs that a view does not tell apart, and one of them as an example."""

    likelihood: Exact
    count: int
    example: Value
    prior: Exact | None = None
    member: tuple[bool, ...] = ()
    knowledge: Exact | None = None

    @property
    def known(self) -> Exact:
        """P[z | x], the likelihood of what is known besides y: 1 where nothing is."""
        return ONE if self.knowledge is None else self.knowledge

    @property
    def held(self) -> Any:
        """P[x, z] of one input of the class, under the view's prior."""
        assert self.prior is not None, "a view without a prior"
        return self.prior if self.knowledge is None else self.prior * self.knowledge


@dataclass(frozen=True)
class View:
    """What an output shows: classes of inputs; how many outputs show the same, and one of them.

    Classes stand in the order of their first inputs, which are their examples.

    With background knowledge Z, the view is of the pair (y, z): `known` is z. What the likelihoods
    are, and for which outputs the view stands, is its kind: the same for all views of an operator.
    """

    classes: tuple[InputClass, ...]
    outputs: int
    output: Value
    known: Value | None = None
    kind: ViewKind | ChosenSet = ViewKind.PROBABILITIES

    @property
    def relative(self) -> bool:
        """Whether its likelihoods are known up to a common factor."""
        return self.kind.up_to_a_factor

    @property
    def chosen(self) -> ChosenSet | None:
        """Among which sets it was chosen; None where it was not."""
        return self.kind if isinstance(self.kind, ChosenSet) else None

    @property
    def reachable(self) -> bool:
        """Whether some input produces the output."""
        return any(part.likelihood != ZERO for part in self.classes)

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return sum(part.count for part in self.classes)

    def extremes(
        self, likely: Iterable[int] | None = None, unlikely: Iterable[int] | None = None
    ) -> tuple[int, int]:
        """Where the most likely and the least likely class stand: of all, or of those named."""
        everything = range(len(self.classes))
        sizes: list[Any] = [part.likelihood for part in self.classes]
        if all(type(likelihood) is Fraction for likelihood in sizes):
            # FLINT compares rationals in a tenth of the time that Fractions take
            sizes = [fmpq(*likelihood.as_integer_ratio()) for likelihood in sizes]
        return (
            max(everything if likely is None else likely, key=sizes.__getitem__),
            min(everything if unlikely is None else unlikely, key=sizes.__getitem__),
        )

    def _likelihood(self, position: int) -> Any:
        return self.classes[position].likelihood

    @property
    def amplification(self) -> Fraction | None:
        """Max p[x1 -> y] / p[x2 -> y] of a reachable output, in numbers; None: it is infinite."""
        most, least = map(self._likelihood, self.extremes())
        return most / least if least else None


def extreme_view(inputs: Domain, outputs: Domain, first: Exact, last: Exact) -> View:
    """The first output, by the likelihoods (up to a factor) of the first and of the last input.

    For families on a line, where no output tells two inputs apart by more.
    """
    ends = ((first, inputs[0]), (last, inputs[inputs.size - 1]))
    classes = tuple(InputClass(likelihood, 1, x) for likelihood, x in ends)
    if first == last:
        classes = (InputClass(first, inputs.size, inputs[0]),)
    return View(classes, outputs.size, outputs[0], kind=ViewKind.EXTREME)


def has_exponentials(views: Iterable[View]) -> bool:
    """Whether a number of the views is one with exponentials."""
    return any(
        isinstance(number, ExpNumber)
        for view in views
        for part in view.classes
        for number in (part.likelihood, part.prior, part.knowledge)
    )


def check_mass(views: Sequence[View]) -> None:
    """Refuse probabilities that do not add up: outputs x count x likelihood, over all inputs.

    Each input's row sums to 1, so that all rows together make the number of inputs. Views up to
    a factor cannot be added up; their law states its mass in closed form.
    """
    if any(view.relative for view in views):
        return
    whole = total(
        (view.outputs * part.count, part.likelihood) for view in views for part in view.classes
    )
    if any(whole != view.inputs for view in views):
        raise ValueError(
            f"the views of {views[0].inputs} inputs hold probabilities that sum to "
            f"{number_text(whole)}"
        )


@dataclass(frozen=True)
class InputLabels:
    """What a question asks of each input: a label per input, and what each label means."""

    labels: Labels
    meanings: tuple[tuple[Exact | None, tuple[bool, ...], Exact | None], ...]

    @classmethod
    def of(
        cls,
        inputs: Domain,
        prior: Prior | None,
        properties: Sequence[Property],
        knowledge: tuple[Labels, Sequence[Exact]] | None = None,
    ) -> InputLabels:
        """Combine prior probability, membership in each property, and likelihood of z."""
        # Inputs too many to list (item sets) have no priors or properties, hence no labels.
        listed = inputs.size if inputs.size <= MAX_CELLS else 0
        labels = np.zeros(listed, dtype=np.int64)
        meanings: list[tuple[Any, ...]] = [()]

        def split(codes: Labels, values: Sequence[Any]) -> None:
            nonlocal labels, meanings
            found, labels = np.unique(labels * len(values) + codes, return_inverse=True)
            meanings = [(*meanings[k // len(values)], values[k % len(values)]) for k in found]

        if prior is not None:
            prior = prior.aligned(inputs)
            split(prior.codes, prior.palette)
        for property in properties:
            split(property.aligned(inputs).mask.astype(np.int64), (False, True))
        if knowledge is not None:
            split(*knowledge)
        first = 0 if prior is None else 1
        last = None if knowledge is None else -1
        return cls(
            labels,
            tuple(
                (m[0] if first else None, m[first:last], m[-1] if knowledge is not None else None)
                for m in meanings
            ),
        )
