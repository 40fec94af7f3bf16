"""Classifiers trained on one database and tested on another: KRIMP, a tree, naive Bayes.

KRIMP's classifier has a code table for each class, and takes the class whose table codes a record
in the fewest bits. The tree (entropy, like C4.5's, on values as they are) and naive Bayes are
scikit-learn's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ppdm_formal.tables.generate.krimp import compress
from ppdm_formal.tables.generate.records import Records

Labels = npt.NDArray[np.int64]

KRIMP, TREE, BAYES = "KRIMP", "tree (C4.5-like)", "naive Bayes"


def accuracies(train: Records, test: Records, target: int) -> dict[str, float]:
    """The share of test records that each classifier puts into their class.

    target: the column of classes. Without scikit-learn, KRIMP's alone.
    """
    truth = test.codes[:, target].astype(np.int64)
    found = {}
    for name, classify in known().items():
        guessed = classify(train, test, target)
        found[name] = float((guessed == truth).mean())
    return found


def cross_validated(
    records: Records, target: int, folds: int, random: np.random.Generator
) -> dict[str, float]:
    """The same within one database: each part tested by what was trained on the others."""
    order = random.permutation(len(records))
    right: dict[str, float] = {}
    for part in np.array_split(order, folds):
        rest = np.setdiff1d(order, part)
        for name, share in accuracies(records.take(rest), records.take(part), target).items():
            right[name] = right.get(name, 0.0) + share * len(part) / len(records)
    return right


def known() -> dict[str, Callable[[Records, Records, int], Labels]]:
    """The classifiers that can be used here."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        return {KRIMP: by_code_tables}
    return {KRIMP: by_code_tables, TREE: by_tree, BAYES: by_bayes}


def by_code_tables(train: Records, test: Records, target: int) -> Labels:
    """The class whose code table has the shortest code; of equals, the more frequent class."""
    items = test.items(without=target).rows
    classes, counts = np.unique(train.codes[:, target], return_counts=True)
    best = np.full(len(test), np.inf)
    guessed = np.full(len(test), int(classes[np.argmax(counts)]), dtype=np.int64)
    for label in classes[np.argsort(-counts, kind="stable")].tolist():
        some = train.take(train.codes[:, target] == label).items(without=target)
        if not len(some.rows.items):
            continue
        lengths = compress(some, 1, "slim").lengths_of(items)
        better = lengths < best - 1e-9
        best[better], guessed[better] = lengths[better], label
    return guessed


def by_tree(train: Records, test: Records, target: int) -> Labels:
    """A decision tree on single values, at least two records a leaf."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    tree.fit(_one_hot(train, target), train.codes[:, target])
    return np.asarray(tree.predict(_one_hot(test, target)), dtype=np.int64)


def by_bayes(train: Records, test: Records, target: int) -> Labels:
    """Naive Bayes, every count one more than it is."""
    from sklearn.naive_bayes import CategoricalNB

    others = [number for number in range(len(train.columns)) if number != target]
    sizes = [len(train.columns[number].values) for number in others]
    model = CategoricalNB(alpha=1.0, min_categories=sizes)
    model.fit(train.codes[:, others], train.codes[:, target])
    return np.asarray(model.predict(test.codes[:, others]), dtype=np.int64)


def _one_hot(records: Records, target: int) -> npt.NDArray[np.float32]:
    parts = [
        records.codes[:, [number]] == np.arange(len(column.values))
        for number, column in enumerate(records.columns)
        if number != target
    ]
    return np.concatenate(parts, axis=1).astype(np.float32)
