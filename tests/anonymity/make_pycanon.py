"""Golden numbers of pycanon 1.0.1.post2 for random tables: by hand, where it is installed.

    python tests/anonymity/make_pycanon.py > tests/anonymity/pycanon.json

The current pycanon pins an old numpy; this older one takes any, and needs typer and tabulate beside
pandas: more than it is worth to install for every run of the tests.
"""

import json
import random

SEEDS = range(30)


def rows_of(seed):
    """A table of two quasi-identifiers and a sensitive number, as text."""
    rng = random.Random(seed)
    ages, zips, values = rng.randint(1, 3), rng.randint(1, 2), rng.randint(1, 4)
    rows = [
        [str(rng.randrange(ages)), f"z{rng.randrange(zips)}", str(rng.randrange(values))]
        for _ in range(rng.randint(4, 30))
    ]
    return [*rows, ["0", "z0", "0"], ["0", "z0", "1"]]  # pycanon divides by the values less 1


def measured(rows):
    """What pycanon says: the sensitive column once as numbers, once as names."""
    import pandas as pd
    from pycanon import anonymity

    names, quasi, sensitive = ["age", "zip", "ill"], ["age", "zip"], ["ill"]
    numbers = pd.DataFrame([[a, z, int(v)] for a, z, v in rows], columns=names)
    words = pd.DataFrame([[a, z, f"v{v}"] for a, z, v in rows], columns=names)
    return {
        "k": int(anonymity.k_anonymity(words, quasi)),
        "l": int(anonymity.l_diversity(words, quasi, sensitive)),
        "entropy l": int(anonymity.entropy_l_diversity(words, quasi, sensitive)),
        "t": float(anonymity.t_closeness(words, quasi, sensitive)),
        "ordered t": float(anonymity.t_closeness(numbers, quasi, sensitive)),
    }


if __name__ == "__main__":
    print(json.dumps([measured(rows_of(seed)) for seed in SEEDS], indent=0))
