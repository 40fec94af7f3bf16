"""Tables 1 to 8 of Dor18 as they are printed (section 4); all with epsilon 0.1, support 10%."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Printed:
    """One database's rows of all tables."""

    records: int
    items: int
    ratio: float
    """Table 1: KRIMP's ratio in percent."""
    itemsets: tuple[float, float, float, float, float]
    """Table 2: frequent in the original, in the generated database, in both, missed, invented."""
    nfd: tuple[float, float, float]
    """Table 3: of itemsets in common, missed, invented."""
    accuracy: tuple[float, float, float, float, float, float]
    """Table 4, in percent: KRIMP, C4.5, naive Bayes, each of the original and the generated."""
    common: float
    """Table 5: records in both."""
    absent: float
    """Table 6: itemsets of support 1 that are not in the generated database."""
    by_original: tuple[float, float]
    """Table 7, in percent: original, generated."""
    by_generated: tuple[float, float]
    """Table 8, in percent: generated, original."""


PRINTED = {
    "adult": Printed(
        48842,
        97,
        24.4,
        (21519, 20577.2, 20231.3, 1288.9, 346.4),
        (0.093, 0.121, 0.105),
        (84.3, 83.9, 85.5, 85.2, 80.2, 79.9),
        0.000369,
        0.9981,
        (24.4, 24.9),
        (24.1, 24.7),
    ),
    "led7": Printed(
        3200,
        24,
        38.6,
        (411, 472.2, 316.3, 95.8, 156.7),
        (0.193, 0.306, 0.203),
        (75.3, 72.4, 75.3, 73.2, 75.4, 74.1),
        0.00368,
        0.9935,
        (38.6, 41.3),
        (38.2, 40.9),
    ),
    "letrecog": Printed(
        20000,
        102,
        35.7,
        (9172, 4465.2, 3898.5, 5253.8, 542.1),
        (0.250, 0.283, 0.118),
        (70.9, 62.6, 75.3, 64.1, 75.4, 62.2),
        0.0,
        0.99923,
        (35.7, 40.3),
        (35.1, 38.8),
    ),
    "nursery": Printed(
        12960,
        32,
        47.2,
        (179, 184.3, 156.0, 23.1, 28.8),
        (0.049, 0.129, 0.094),
        (92.3, 91.5, 99.5, 99.3, 92.2, 89.7),
        0.000309,
        0.9973,
        (47.2, 49.8),
        (46.5, 49.4),
    ),
    "pendigits": Printed(
        10992,
        86,
        42.3,
        (684, 380.0, 270.9, 414.1, 110.6),
        (0.169, 0.204, 0.130),
        (95.0, 93.4, 95.6, 92.2, 84.2, 81.5),
        0.0,
        0.9937,
        (42.3, 45.2),
        (41.3, 44.2),
    ),
    "msnbc": Printed(
        989818,
        18,
        32.5,
        (99, 97.2, 96.5, 2.4, 1.1),
        (0.0142, 0.0125, 0.0161),
        (95.7, 95.7, 98.3, 98.1, 97.2, 97.2),
        0.0324,
        0.983,
        (32.5, 32.5),
        (32.5, 32.5),
    ),
    "uscensus": Printed(
        2458285,
        69,
        44.3,
        (1241, 1258.3, 1232.8, 24.1, 27.3),
        (0.01812, 0.01923, 0.01752),
        (64.5, 64.5, 72.3, 72.2, 74.1, 73.9),
        0.000957,
        0.99942,
        (44.3, 44.4),
        (44.3, 44.3),
    ),
}
