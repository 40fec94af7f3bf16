"""DensityReconstruction: reconstruction as an estimator of scikit-learn (which it needs)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ppdm_formal.declare.arithmetic.exact import parse_number
from ppdm_formal.declare.noises.named import Noise, parse_noise
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.design import Method
from ppdm_formal.infer.reals.in_family import reconstruct_family
from ppdm_formal.infer.reals.lattice import EquallySpaced
from ppdm_formal.infer.reals.of_operator import operator_channel, reconstruct_operator
from ppdm_formal.infer.reals.reconstruct import reconstruct
from ppdm_formal.infer.reals.result import Reconstruction, Sent
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Floats

_CHUNK = 1 << 14
_CELLS = "0:1:10"


class DensityReconstruction(BaseEstimator):  # type: ignore[misc]
    """The density of x from z = x + noise, or from the outputs z of an operator on numbers.

    noise: "uniform(-1, 1)", "normal(10)", ..., or a Noise; cells: "LO:HI:K", or Cells; method: "em"
    or "as"; stop: a rule such as "gain:0.5" (stopping.py); family: "normal", "normals:K" or
    "exponential" instead of free cells; rounded: the step that z was rounded to, such as "1/100";
    operator: an Operator that z comes from, instead of noise and rounded; cells are then its inputs
    unless they are named.

    >>> import numpy as np
    >>> z = np.random.default_rng(0).uniform(1, 5, 400)
    >>> model = DensityReconstruction(noise="uniform(-1, 1)", cells="1:5:8").fit(z)
    >>> round(float(model.masses_.sum()), 9), model.density_.shape
    (1.0, (8,))
    """

    def __init__(
        self,
        noise: str | Noise = "uniform(-1, 1)",
        cells: str | Partition | None = None,
        method: Method = "em",
        stop: str | None = None,
        family: str | None = None,
        accelerate: bool = False,
        rounded: str | Fraction | None = None,
        operator: Operator | None = None,
    ) -> None:
        self.noise = noise
        self.cells = cells
        self.method = method
        self.stop = stop
        self.family = family
        self.accelerate = accelerate
        self.rounded = rounded
        self.operator = operator

    def fit(self, z: npt.ArrayLike, y: Any = None) -> DensityReconstruction:
        """Reconstruct from z, one number a record (a column of one feature is taken as well)."""
        cells = Partition.parse(self.cells) if isinstance(self.cells, str) else self.cells
        rule = None if self.stop is None else Rule.parse(self.stop)
        values = _column(z)
        if self.operator is not None:
            found = self._of_operator(self.operator, values, cells, rule)
        else:
            found = self._of_noise(values, cells or Partition.parse(_CELLS), rule)
        self.result_ = found
        self.masses_ = found.masses
        self.density_ = found.density
        self.se_ = found.se
        self.edges_ = found.cells.edges
        self.n_iter_ = found.iterations
        return self

    def _of_noise(self, values: Floats, cells: Partition, rule: Rule | None) -> Reconstruction:
        noise = parse_noise(self.noise) if isinstance(self.noise, str) else self.noise
        step = parse_number(self.rounded) if isinstance(self.rounded, str) else self.rounded
        if self.family is None:
            return reconstruct(
                values, noise, cells, self.method, rule, accelerate=self.accelerate, step=step
            )
        if self.method == "as" or self.accelerate or step is not None:
            raise ValueError("a family is fitted by the general EM alone: it takes stop only")
        return reconstruct_family(values, noise, cells, self.family, rule)

    def _of_operator(
        self, operator: Operator, values: Floats, cells: Partition | None, rule: Rule | None
    ) -> Reconstruction:
        if self.rounded is not None:
            raise ValueError("an operator says by itself how its outputs are rounded")
        outputs = EquallySpaced.of(operator.outputs, f"outputs of {operator.name}")
        counts = np.bincount(outputs.places_of(values), minlength=outputs.size)
        return reconstruct_operator(
            counts.astype(np.float64),
            operator,
            cells,
            rule,
            method=self.method,
            family=self.family,
            accelerate=self.accelerate,
        )

    def score_samples(self, z: npt.ArrayLike) -> Floats:
        """Ln f_Z(z) for each z: sum over cells of theta_i Pr(Y in z - cell i).

        For an operator, the logarithm of each output's probability.
        """
        check_is_fitted(self)
        values = _column(z)
        found = np.empty(len(values))
        applied = self.result_.applied
        if isinstance(applied, Sent):
            parts = applied.operator, applied.inputs, applied.outputs, self.result_.cells
            masses = np.empty(applied.outputs.size)
            masses[applied.outputs.places] = operator_channel(*parts).forward(self.masses_)
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(masses)[applied.outputs.places_of(values)])
        for start in range(0, len(values), _CHUNK):
            some = values[start : start + _CHUNK]
            below = applied.cdf(some[:, None] - self.edges_)
            with np.errstate(divide="ignore"):
                found[start : start + _CHUNK] = np.log(
                    (below[:, :-1] - below[:, 1:]) @ self.density_
                )
        return found

    def score(self, z: npt.ArrayLike, y: Any = None) -> float:
        """The log-likelihood of all z, as KernelDensity of scikit-learn scores."""
        return float(self.score_samples(z).sum())

    def plot(self) -> Reconstruction:
        """A picture for a notebook; `ppdm reconstruct --html` writes a page."""
        check_is_fitted(self)
        found: Reconstruction = self.result_
        return found


def _column(z: npt.ArrayLike) -> Floats:
    values = np.asarray(z, dtype=np.float64)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"z is one number a record, not an array of shape {values.shape}")
    return values
