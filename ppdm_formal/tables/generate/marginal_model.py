"""A model of marginals: consistent probabilities of a tree of columns, through mbi (private-pgm).

Which pairs of columns the tree has is chosen from the noisy marginals themselves: those that tell
most about each other, of those that noise does not explain. mbi then finds the distribution
that fits all chosen marginals best, weighted by their errors.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ppdm_formal.tables.generate.code_tree import distribution
from ppdm_formal.tables.generate.krimp_kernels import Floats
from ppdm_formal.tables.generate.marginals import Marginal, Marginals
from ppdm_formal.tables.generate.records import Codes

Edge = tuple[int, ...]


def excess(pair: Marginal, marginals: Marginals) -> float:
    """By how much a pair differs from independence: chi-square less what noise alone gives.

    In standard deviations of what noise alone gives.
    """
    c, d = pair.columns
    first = distribution(marginals.single[c].counts)
    second = distribution(marginals.single[d].counts)
    gap = pair.counts - marginals.records * np.outer(first, second)
    square = float((gap**2).sum()) / pair.error**2
    return (square - gap.size) / float(np.sqrt(2 * gap.size))


def information(pair: Marginal) -> float:
    """The mutual information of two columns as their noisy counts have it, in nats.

    >>> round(information(Marginal((0, 1), np.array([[50.0, 0.0], [0.0, 50.0]]), 1.0)), 4)
    0.6931
    """
    joint = distribution(pair.counts.reshape(-1)).reshape(pair.counts.shape)
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = joint > 0
    return float((joint[some] * np.log(joint[some] / apart[some])).sum())


def chosen_tree(marginals: Marginals) -> list[Edge]:
    """A forest of columns: the most informative pairs, of those that noise does not explain."""
    scored = [
        (information(pair), pair.columns) for pair in marginals.pairs if excess(pair, marginals) > 2
    ]
    group = list(range(len(marginals.sizes)))
    found: list[Edge] = []
    for _, (c, d) in sorted(scored, key=lambda one: (-one[0], one[1])):
        if group[c] != group[d]:
            found.append((c, d))
            group = [group[c] if g == group[d] else g for g in group]
    return found


def fitted(marginals: Marginals, edges: list[Edge]) -> tuple[list[Floats], dict[Edge, Floats]]:
    """Consistent probabilities of all columns and of the chosen pairs."""
    mbi = _mbi()
    names = [f"c{c}" for c in range(len(marginals.sizes))]
    domain = mbi.Domain(names, list(marginals.sizes))
    wanted = [*marginals.single, *(pair for pair in marginals.pairs if pair.columns in edges)]
    measured = [
        mbi.LinearMeasurement(
            one.counts.reshape(-1), tuple(names[c] for c in one.columns), one.error
        )
        for one in wanted
    ]
    model = mbi.estimation.MirrorDescent().estimate(
        domain, measured, known_total=float(marginals.records)
    )

    def table(*columns: int) -> Floats:
        values = np.asarray(model.project(tuple(names[c] for c in columns)).datavector())
        shape = [marginals.sizes[c] for c in columns]
        return distribution(values.reshape(-1)).reshape(shape)

    return [table(c) for c in range(len(names))], {edge: table(*edge) for edge in edges}


def draw(
    single: list[Floats], pairs: dict[Edge, Floats], count: int, random: np.random.Generator
) -> Codes:
    """Records of a forest: a column of each tree by itself, the others given their neighbour."""
    codes = np.zeros((count, len(single)), dtype=np.int32)
    done: set[int] = set()
    for root in range(len(single)):
        if root in done:
            continue
        codes[:, root] = random.choice(len(single[root]), count, p=single[root])
        done.add(root)
        waiting = [root]
        while waiting:
            known = waiting.pop()
            for (c, d), joint in pairs.items():
                other = d if c == known else c if d == known else None
                if other is None or other in done:
                    continue
                given = joint if c == known else joint.T
                for value in np.unique(codes[:, known]).tolist():
                    rows = np.flatnonzero(codes[:, known] == value)
                    shares = distribution(given[value])
                    codes[rows, other] = random.choice(len(shares), len(rows), p=shares)
                done.add(other)
                waiting.append(other)
    return codes


def _mbi() -> Any:
    """mbi, with JAX as it wants it: doubles, and no compiled programs kept on disk."""
    try:
        import jax
    except ImportError:
        raise ModuleNotFoundError(
            "marginals need mbi (private-pgm): pip install 'ppdm_formal[generate]'"
        ) from None
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_enable_compilation_cache", False)
    import mbi

    return mbi
