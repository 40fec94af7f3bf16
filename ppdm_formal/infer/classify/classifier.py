"""PerturbedTreeClassifier: decision trees over perturbed records, for scikit-learn.

Original: records as they are. Randomized: perturbed ones taken for original. Global: each attribute
is reconstructed once, at the root. ByClass: once for each class. Local: for each class at each
node, but for attributes that were split on above (there the records were chosen by their z, which
is then no longer x + noise of the known law). New records are classified unperturbed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from ppdm_formal.declare.noises.named import Noise, parse_noise
from ppdm_formal.infer.classify.association import Codes, Reconstructed, coded
from ppdm_formal.infer.classify.tree import Tree, grow, prune
from ppdm_formal.infer.reals.cells import Partition
from ppdm_formal.infer.reals.stopping import Rule
from ppdm_formal.infer.undoing.channel import Floats

Strategy = Literal["original", "randomized", "global", "byclass", "local"]
STRATEGIES: tuple[Strategy, ...] = ("original", "randomized", "global", "byclass", "local")


class PerturbedTreeClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A decision tree from perturbed records.

    noise: one law for each column ("uniform(-1, 1)", a Noise, or None where a column was not
    perturbed), or None for no noise at all. cells: where each column's x can be ("LO:HI:K", Cells,
    or None for `intervals` cells over the values, which only unperturbed columns may have).
    strategy: "original" and "randomized" take values as they are; "global", "byclass" and "local"
    reconstruct. local_least: records of a class that a node needs to be reconstructed anew.
    """

    def __init__(
        self,
        noise: Sequence[str | Noise | None] | None = None,
        cells: Sequence[str | Partition | None] | None = None,
        strategy: Strategy = "byclass",
        intervals: int = 50,
        stop: str = "gain:0.5",
        min_samples_leaf: int = 5,
        max_depth: int = 25,
        pruned: bool = True,
        local_least: int = 500,
    ) -> None:
        self.noise = noise
        self.cells = cells
        self.strategy = strategy
        self.intervals = intervals
        self.stop = stop
        self.min_samples_leaf = min_samples_leaf
        self.max_depth = max_depth
        self.pruned = pruned
        self.local_least = local_least

    def fit(self, X: Any, y: Any) -> PerturbedTreeClassifier:
        """Grow the tree from perturbed records X with classes y."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self._check()
        self.classes_, labels = np.unique(y, return_inverse=True)
        laws = self._laws(X.shape[1])
        self.cells_ = self._cells(X, laws)
        sizes = [cells.count for cells in self.cells_]
        codes = np.stack([coded(X[:, k], cells) for k, cells in enumerate(self.cells_)], axis=1)
        recode = None
        if self.strategy in ("global", "byclass", "local"):
            rule = Rule.parse(self.stop)
            perturbed = {
                k: Reconstructed(X[:, k], law, self.cells_[k], rule)
                for k, law in enumerate(laws)
                if law is not None
            }
            everyone = np.arange(len(X))
            groups = [everyone] if self.strategy == "global" else _by_class(everyone, labels)
            for k, attribute in perturbed.items():
                for group in groups:
                    codes[group, k] = attribute.codes(group)
            if self.strategy == "local":
                recode = _local(perturbed, labels, self.local_least)
        self.tree_ = grow(
            codes,
            labels.astype(np.int64),
            len(self.classes_),
            sizes,
            least=self.min_samples_leaf,
            deepest=self.max_depth,
            recode=recode,
        )
        if self.pruned:
            prune(self.tree_)
        return self

    def predict_proba(self, X: Any) -> Floats:
        """The share of each class among the training records of a record's leaf."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        codes = np.stack([coded(X[:, k], cells) for k, cells in enumerate(self.cells_)], axis=1)
        tree: Tree = self.tree_
        counts = np.stack([node.counts for node in tree.nodes])
        found = counts[tree.leaves_of(codes)]
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The likeliest class; ties go to the first."""
        likeliest = np.argmax(self.predict_proba(X), axis=1)
        return np.asarray(self.classes_[likeliest])

    def _check(self) -> None:
        if self.strategy not in STRATEGIES:
            raise ValueError(f"strategy is one of {', '.join(STRATEGIES)}, not {self.strategy!r}")
        for name in ("intervals", "min_samples_leaf", "max_depth", "local_least"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or value < 1:
                raise ValueError(f"{name} is a whole number from 1 on, not {value!r}")

    def _laws(self, width: int) -> list[Noise | None]:
        given = [None] * width if self.noise is None else list(self.noise)
        if len(given) != width:
            raise ValueError(f"{len(given)} noise laws for {width} columns")
        return [parse_noise(law) if isinstance(law, str) else law for law in given]

    def _cells(self, X: Floats, laws: Sequence[Noise | None]) -> list[Partition]:
        given = [None] * X.shape[1] if self.cells is None else list(self.cells)
        if len(given) != X.shape[1]:
            raise ValueError(f"{len(given)} cells for {X.shape[1]} columns")
        found = []
        for k, cells in enumerate(given):
            if cells is None and laws[k] is not None:
                raise ValueError(f"column {k} was perturbed: say where x can be, as LO:HI:K")
            if cells is None:
                low, high = float(X[:, k].min()), float(X[:, k].max())
                top = high if high > low else low + max(1.0, abs(low) * 1e-6)
                cells = Partition(Fraction(low), Fraction(top), int(self.intervals))
            found.append(Partition.parse(cells) if isinstance(cells, str) else cells)
        return found


def _by_class(records: Codes, labels: Codes) -> list[Codes]:
    return [records[labels[records] == k] for k in np.unique(labels[records])]


def _local(perturbed: dict[int, Reconstructed], labels: Codes, least: int) -> Any:
    """Codes of a node's records, reconstructed from them alone, a class at a time."""

    def recode(records: Codes, codes: Codes, used: frozenset[int]) -> Codes:
        new = codes.copy()
        mine = labels[records]
        for kind in np.unique(mine):
            group = np.flatnonzero(mine == kind)
            if len(group) < least:
                continue
            for k, attribute in perturbed.items():
                if k not in used:
                    new[group, k] = attribute.codes(records[group])
        return new

    return recode
