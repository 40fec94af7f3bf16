"""Dor18: definitions of section 1.3 on examples, numbers of the conclusion, Tables 1 to 8."""

import itertools
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from flint import arb

from ppdm_formal.certify.statement import (
    Neighbour,
    Outcome,
    PaperFinding,
    Printed,
    Statement,
    check_all,
    compare_printed,
    corrected,
    refute_misprints,
)
from ppdm_formal.declare.arithmetic.enclosure import enclose
from ppdm_formal.declare.arithmetic.log_sum import LogSum
from ppdm_formal.declare.machine.deadline import Deadline

from ._joint import entropy

# quasi-identifier, sensitive value
TABLE = (
    ("1066*", "flu"), ("1066*", "cold"), ("1066*", "flu"), ("1066*", "none"),
    ("1102*", "flu"), ("1102*", "flu"), ("1102*", "cold"), ("1102*", "none"),
)  # fmt: skip


def _classes(table: tuple[tuple[str, str], ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for quasi, sensitive in table:
        found.setdefault(quasi, []).append(sensitive)
    return found


def anonymity(table: tuple[tuple[str, str], ...]) -> int:
    """k: the smallest equivalence class."""
    return min(len(values) for values in _classes(table).values())


def diversity(table: tuple[tuple[str, str], ...]) -> int:
    """l: the fewest different sensitive values in a class."""
    return min(len(set(values)) for values in _classes(table).values())


def _shares(values: list[str]) -> list[Fraction]:
    return [Fraction(values.count(value), len(values)) for value in sorted(set(values))]


def entropy_diverse(table: tuple[tuple[str, str], ...], least: int) -> bool:
    """-sum p log p >= log l in every class."""
    bound = LogSum.log(Fraction(least))
    return all(
        (entropy(_shares(values)) - bound).sign() >= 0 for values in _classes(table).values()
    )


def closeness(table: tuple[tuple[str, str], ...]) -> Fraction:
    """t: the largest distance of a class from the whole, with equal distances between values."""
    whole = [sensitive for _, sensitive in table]
    kinds = sorted(set(whole))
    total = [Fraction(whole.count(kind), len(whole)) for kind in kinds]
    return max(
        sum(abs(Fraction(values.count(kind), len(values)) - share)
            for kind, share in zip(kinds, total, strict=True)) / 2
        for values in _classes(table).values()
    )  # fmt: skip


def decide_anonymity(deadline: Deadline) -> Outcome:
    """An example of each, and the sign that is missing in entropy l-diversity."""

    def fails(counts: tuple[int, ...]) -> Mapping[str, object] | None:
        shares = [Fraction(count, sum(counts)) for count in counts]
        printed = entropy(shares).times(Fraction(-1))  # sum of p log p
        return None if printed.sign() <= 0 else {"counts": str(counts)}

    tried = check_all(itertools.product(range(1, 5), repeat=3), fails, "", deadline)
    as_said = (
        anonymity(TABLE) == 4
        and diversity(TABLE) == 3
        and entropy_diverse(TABLE, 2)
        and not entropy_diverse(TABLE, 3)
        and closeness(TABLE) == 0
        and closeness((*TABLE, ("1234*", "rare"))) > Fraction(1, 2)
    )
    if tried.kind != "checked" or not as_said:
        return tried if tried.kind != "checked" else Outcome("refuted", "the example differs")
    finding = PaperFinding(
        "misprint",
        "1.3, entropy l-diversity",
        "sum of p_s log p_s >= log l.",
        "-sum of p_s log p_s >= log l: as printed no class satisfies it for l > 1, because the "
        "sum is "
        "never above 0.",
        "All classes of three values with counts up to 4 were tried: the sum is negative in each.",
    )
    scope = "the definitions, on an example of eight rows"
    return corrected(replace(tried, scope=scope), finding)


def refute_sign(deadline: Deadline) -> Outcome:
    """As printed, for l = 2: even four equally frequent values fail."""

    def fails(counts: tuple[int, ...]) -> Mapping[str, object] | None:
        shares = [Fraction(count, sum(counts)) for count in counts]
        printed = entropy(shares).times(Fraction(-1)) - LogSum.log(Fraction(2))
        return {"counts": str(counts)} if printed.sign() < 0 else None

    return check_all([(1, 1, 1, 1)], fails, "", deadline)


def _numbers() -> tuple[Printed, ...]:
    return (
        Printed("e^0.1", "1.11", enclose(lambda: (arb(1) / 10).exp())),
        Printed("0.1 nats in bits", "0.144", enclose(lambda: arb(1) / 10 / arb.const_log2())),
    )


def decide_numbers(deadline: Deadline) -> Outcome:
    """1.11 and 0.144."""
    return compare_printed(_numbers())


def misprints(deadline: Deadline) -> Outcome:
    """Each last digit moved by one."""
    return refute_misprints(_numbers())


# Table 2: frequent itemsets of the database, generated, in both, FN, FP; means over 100 runs
TABLE_2 = {
    "adult": ("21519", "20577.2", "20231.3", "1288.9", "346.4"),
    "led7": ("411", "472.2", "316.3", "95.8", "156.7"),
    "letrecog": ("9172", "4465.2", "3898.5", "5253.8", "542.1"),
    "nursery": ("179", "184.3", "156.0", "23.1", "28.8"),
    "pendigits": ("684", "380.0", "270.9", "414.1", "110.6"),
    "msnbc": ("99", "97.2", "96.5", "2.4", "1.1"),
    "uscensus": ("1241", "1258.3", "1232.8", "24.1", "27.3"),
}
# Krimp compression: Table 1, and the two columns of Tables 7 and 8
COMPRESSION = {
    "adult": ("24.4", "24.4", "24.9", "24.1", "24.7"),
    "led7": ("38.6", "38.6", "41.3", "38.2", "40.9"),
    "letrecog": ("35.7", "35.7", "40.3", "35.1", "38.8"),
    "nursery": ("47.2", "47.2", "49.8", "46.5", "49.4"),
    "pendigits": ("42.3", "42.3", "45.2", "41.3", "44.2"),
    "msnbc": ("32.5", "32.5", "32.5", "32.5", "32.5"),
    "uscensus": ("44.3", "44.3", "44.4", "44.3", "44.3"),
}
SLACK = Fraction(3, 20)
"""Three numbers rounded to one decimal may miss their sum by so much."""


def _gaps(row: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """Both + FN - database, both + FP - generated: zero in every run, so zero in the means."""
    original, generated, both, missed, invented = (Fraction(text) for text in row)
    return both + missed - original, both + invented - generated


def decide_tables(deadline: Deadline) -> Outcome:
    """Tables 1, 7 and 8 agree; Table 2 does not add up."""

    def fails(name: str) -> Mapping[str, object] | None:
        table_1, original, _, _, _ = COMPRESSION[name]
        worse = all(
            Fraction(COMPRESSION[name][k + 1]) >= Fraction(COMPRESSION[name][k]) for k in (1, 3)
        )
        return None if table_1 == original and worse else {"database": name}

    tried = check_all(COMPRESSION, fails, "", deadline)
    if tried.kind != "checked":
        return tried
    wrong = {name: _gaps(row) for name, row in TABLE_2.items()}
    wrong = {name: gaps for name, gaps in wrong.items() if max(map(abs, gaps)) > SLACK}
    if not wrong:
        return tried
    said = "; ".join(f"{name} {float(a):+.1f}, {float(b):+.1f}" for name, (a, b) in wrong.items())
    finding = PaperFinding(
        "wrong",
        "4, Table 2",
        "means of itemsets in both databases, false negatives and false positives.",
        "In both + FN must be the database's number and in both + FP the generated one, in "
        "every run and so "
        "in the mean; rounding explains 0.15 at most. The rows named do not add up.",
        f"In both + FN - database, in both + FP - generated: {said}.",
    )
    detail = (
        f"Tables 1, 7 and 8 agree; {len(wrong)} of {len(TABLE_2)} rows of Table 2 do not add up"
    )
    proof = replace(tried, scope="the numbers printed", means=("exact arithmetic",))
    return corrected(proof, finding, detail=detail)


def refute_tables(deadline: Deadline) -> Outcome:
    """Every row of Table 2 adds up."""

    def fails(name: str) -> Mapping[str, object] | None:
        gaps = _gaps(TABLE_2[name])
        return (
            {"row": name, "gaps": f"{gaps[0]}, {gaps[1]}"} if max(map(abs, gaps)) > SLACK else None
        )

    return check_all(TABLE_2, fails, "", deadline)


STATEMENTS = (
    Statement(
        "dor18/k_anonymity_l_diversity_t_closeness",
        "Dor18",
        "k-anonymity, l-diversity and t-closeness",
        "The definitions, on a table of eight rows.",
        (),
        decide_anonymity,
        (Neighbour("entropy l-diversity as printed", refute_sign),),
        section="1.3",
        formulas=(r"-\sum_{s \in S} p_s \log p_s \ge \log l",),
        expected="corrected",
    ),
    Statement(
        "dor18/conclusion_numbers",
        "Dor18",
        "Numbers of the conclusion",
        "At epsilon = 0.1 a probability changes by at most the factor 1.11, and a cell tells "
        "0.144 bits.",
        (),
        decide_numbers,
        (Neighbour("any last digit moved by one", misprints),),
        section="5",
        uses=("dor18/theorem_1", "dor18/theorem_9"),
        expected="enclosed",
    ),
    Statement(
        "dor18/table_consistency",
        "Dor18",
        "Tables 1 to 8 among themselves",
        "Frequent itemsets in both databases, missed and invented add up; compression is "
        "repeated rightly.",
        (),
        decide_tables,
        (Neighbour("every row of Table 2 adds up", refute_tables),),
        section="4",
        expected="corrected",
    ),
)
