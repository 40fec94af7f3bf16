"""Random small models of every kind, with claims near the limit that decides them, as text.

Nothing of the package is imported: what a model says is for others to find out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any


class Maker:
    """One random model: its text, and the files that lie beside it."""

    def __init__(self, seed: object) -> None:
        self.random = random.Random(str(seed))
        self.lines: list[str] = []
        self.files: dict[str, str] = {}

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def pick(self, options: Sequence[Any]) -> Any:
        return self.random.choice(options)

    def add(self, text: str) -> None:
        self.lines.append(text)

    def fraction(self, low: int = 1, most: int = 12) -> Fraction:
        """Strictly between 0 and 1, most of them with small denominators."""
        below = self.random.randint(2, most)
        return Fraction(self.random.randint(low, below - 1), below)

    def shares(self, count: int, zeros: bool = True) -> list[Fraction]:
        """So many probabilities that sum to 1."""
        while True:
            parts = [self.random.randint(0 if zeros else 1, 6) for _ in range(count)]
            if sum(parts):
                return [Fraction(part, sum(parts)) for part in parts]

    def two(self) -> tuple[Fraction, Fraction]:
        """rho1 < rho2, both inside (0, 1)."""
        while True:
            one, other = sorted((self.fraction(), self.fraction()))
            if one < other:
                return one, other

    def breach(self, *endings: str) -> str:
        low, high = self.two()
        way = self.pick(["", "", "upward ", "downward "])
        arrow = f"{high} -> {low}" if way == "downward " else f"{low} -> {high}"
        return f"forbid {way}breach {arrow} {self.pick(endings or ('',))}".rstrip()

    def relation(self) -> str:
        return self.pick(["<=", "<="] if self.random.random() < 0.7 else ["<"])

    def beliefs(self, values: list[str], domain: str) -> None:
        """Two priors X and U and two properties first and some on a domain."""
        masses = self.shares(len(values), zeros=self.random.random() < 0.3)
        self.add(f"prior X on {domain} {{")
        self.lines += [f"    {value} : {mass}" for value, mass in zip(values, masses, strict=True)]
        self.add("}")
        self.add(f"prior U on {domain} = uniform")
        self.add(f"property first on {domain} = x == {values[0]}")
        some = self.random.sample(values, self.random.randint(1, len(values)))
        self.add(f"property some on {domain} = x in {{{', '.join(some)}}}")

    def family(self) -> str:
        bound = self.fraction()
        how = self.pick(["<=", ">="])
        more = f"; mass(some) >= {self.fraction()}" if self.random.random() < 0.4 else ""
        return f"under {{ mass(first) {how} {bound}{more} }}"

    def audit(self, claims: list[str], operator: str = "R") -> None:
        self.add(f"audit {operator} {{")
        self.lines += [f"    {claim}" for claim in claims]
        self.add("}")

    def sometimes(self, claims: list[str], least: int = 3) -> list[str]:
        count = min(len(claims), self.random.randint(least, least + 2))
        return self.random.sample(claims, count)

    def matrix(self, inputs: int, outputs: int) -> None:
        """Operator R on 0..inputs-1, of which no output is always impossible."""
        while True:
            rows = [self.shares(outputs) for _ in range(inputs)]
            if all(any(row[y] for row in rows) for y in range(outputs)):
                break
        self.add(f"operator R(x: 0..{inputs - 1}) -> 0..{outputs - 1} {{\n    matrix {{")
        for x, row in enumerate(rows):
            self.add(f"        {x} : " + " ".join(map(str, row)))
        self.add("    }\n}")


def finite(make: Maker) -> None:
    """Matrices of rationals; known priors, families, knowledge, several reports, measures."""
    inputs, outputs = make.random.randint(2, 5), make.random.randint(2, 4)
    make.beliefs([str(k) for k in range(inputs)], f"0..{inputs - 1}")
    make.matrix(inputs, outputs)
    make.add(f"operator Z(x: 0..{inputs - 1}) -> 0..1 {{ return x mod 2 }}")
    small = make.fraction()
    claims = [
        make.breach(),
        make.breach("for first", "for some"),
        make.breach("under X", "under U"),
        make.breach("under X for some", "under U for first"),
        make.breach(make.family(), make.family() + " for some"),
        make.breach("under X knowing Z", "knowing Z", "under U for some knowing Z"),
        make.breach(
            "after 2 reports", "under X after 2 reports", "under X for some after 3 reports"
        ),
        f"require amplification {make.relation()} {make.random.randint(1, 9)}",
        f"require epsilon {make.relation()} ln({make.random.randint(2, 9)})",
        f"require delta({make.pick(['0', '1/2', 'ln(2)', '1'])}) <= {small}",
        f"require total_variation(X) {make.relation()} {small}",
        f"require mutual_information(X) <= {small} bit",
        f"require worst_case_information(U) <= {small} nat",
        f"require inverse_worst_case_information(U) <= {small + 1} bit",
        f"require dependence(X) <= {small}",
        f"require vulnerability(X) <= {small}",
        f"require bayes_risk_gain(X) < {small}",
        f"require variance_gain(X) <= {small}",
        f"require amplification <= {make.random.randint(1, 99)} after 2 reports",
    ]
    make.audit(make.sometimes(claims, 5))


def exponentials(make: Maker) -> None:
    """Entries with e^q: mixtures of k-ary response, laws of noise, single rows."""
    values = make.random.randint(2, 4)
    power = make.pick(["1", "1/2", "2", "ln(3)", "1/3"])
    make.beliefs([str(k) for k in range(values)], f"0..{values - 1}")
    space = f"operator R(x: 0..{values - 1}) -> 0..{values - 1}"
    match make.random.randrange(3):
        case 0:
            keep = f"exp({power})/(exp({power}) + {values - 1})"
            make.add(f"operator R = randomized_response(values: {values}, keep: {keep})")
        case 1:
            make.add(f"{space} {{\n    with exp(-{power}) {{ return x }}")
            make.add(f"    else {{ return uniform(0..{values - 1}) }}\n}}")
        case _:
            make.add(f"{space} {{\n    matrix {{")
            for x in range(values):
                row = ["0"] * values
                one, other = make.random.sample(range(values), 2)
                row[one] = f"(exp({power})/(exp({power}) + 1))"
                row[other] = f"(1/(exp({power}) + 1))"
                if make.random.random() < 0.3:
                    row = [str(share) for share in make.shares(values)]
                make.add(f"        {x} : {' '.join(row)}")
            make.add("    }\n}")
    claims = [
        make.breach(),
        make.breach("under X", "under U"),
        make.breach("under X for some", "under U for first", "for first"),
        make.breach(make.family()),
        make.breach(
            "after 2 reports", "under X after 2 reports", "under U for some after 2 reports"
        ),
        f"require epsilon {make.relation()} {make.pick([power, '1', 'ln(3)', '2'])}",
        f"require amplification {make.relation()} exp({make.pick(['1', '1/2', '2'])})",
        f"require delta({make.pick(['0', '1/2', '1'])}) <= {make.fraction()}",
        f"require dependence(X) <= {make.fraction()}",
        f"require mutual_information(X) <= {make.fraction()} bit",
        f"require total_variation(U) <= {make.fraction()}",
    ]
    make.audit(make.sometimes(claims, 4))


def sets(make: Maker) -> None:
    """Outputs that are sets of values, on few and on many; priors flat but for one value."""
    values = make.pick([3, 5, 12, 200, 30000])
    gamma = make.pick(["3", "2", "9/2", "exp(1)"])
    make.add(
        make.pick(
            [
                f"operator R = unary_encoding(values: {values}, gamma: {gamma})",
                f"operator R = unary_encoding(values: {values}, keep: 3/4, flip: 1/5)",
                f"operator R = subset_selection(values: {values}, gamma: {gamma})",
                f"operator R = local_hashing(values: {values}, buckets: 2, gamma: {gamma})",
            ]
        )
    )
    mass = make.fraction()
    rest = (1 - mass) / (values - 1)
    make.add(f"prior X on 0..{values - 1} {{ 0 : {mass}; 1..{values - 1} : {rest} each }}")
    make.add(f"property first on 0..{values - 1} = x == 0")
    make.add(f"property some on 0..{values - 1} = x < {max(2, values // 3)}")
    claims = [
        make.breach(),
        make.breach("under X"),
        make.breach("under X for first", "under X for some", "for some"),
        make.breach(make.family()),
        f"require epsilon {make.relation()} {make.pick(['1', 'ln(3)', 'ln(9)'])}",
        f"require delta({make.pick(['0', '1/2', '1'])}) <= {make.fraction()}",
        f"require amplification <= {make.random.randint(2, 20)} after 2 reports",
    ]
    make.audit(make.sometimes(claims, 3))


def lines(make: Maker) -> None:
    """Other ready-made operators: noise on a line, Hadamard's, one-bit means, RAPPOR, baskets."""
    make.add(
        "operator R = "
        + make.pick(
            [
                f"truncated_geometric(values: {make.pick([3, 8, 5000])}, ratio: {make.fraction()})",
                f"exponential_mechanism(values: {make.pick([4, 900])}, weights: [5, 2, 1])",
                f"duchi_mean(values: {make.pick([3, 101])}, gamma: {make.pick(['3', 'exp(1)'])})",
                f"hadamard_response(values: {make.pick([3, 100])}, gamma: 3)",
                "rappor(bits: 8, hashes: 2, f: 1/2, p: 1/2, q: 3/4)",
                f"select_a_size(items: 9, size: 3, insert: {make.fraction()}, cutoff: 2, gamma: 9)",
                "cut_and_paste(items: 40, size: 4, cutoff: 2, insert: 1/10)",
                f"flip(items: 20, size: 3, stay: {make.pick(['9/10', '2/3'])})",
            ]
        )
    )
    claims = [
        make.breach(),
        make.breach("after 2 reports"),
        f"require epsilon {make.relation()} {make.pick(['1', 'ln(3)', '4'])}",
        f"require amplification {make.relation()} {make.random.randint(2, 40)}",
        f"require delta({make.pick(['0', '1/2', '1'])}) <= {make.fraction()}",
    ]
    make.audit(make.sometimes(claims, 3))


def _noise(make: Maker) -> str:
    wide = make.pick([3, 8, 10, 20])
    return make.pick(
        [
            f"laplace({wide})",
            f"normal({wide})",
            f"uniform(-{wide}, {make.pick([wide, 20])})",
            f"triangular(-{wide}, {wide})",
        ]
    )


def _real_beliefs(make: Maker) -> None:
    mass = make.fraction()
    make.add("domain D = reals 0..10")
    make.add(f"prior X on D {{ uniform(0, 4) : {mass}; uniform(4, 10) : {1 - mass} }}")
    make.add("prior U on D = uniform")
    start = make.random.randint(0, 8)
    end = make.random.randint(start + 1, 10 if start else 9)  # not every number has the property
    make.add(f"property first on D = {start} <= x <= {end}")
    make.add("property some on D = x >= 7")


def _window(make: Maker) -> str:
    low, high = make.pick([(0, 10), (-5, 12), (-10, 20), (-2, 10)])
    return f" {make.pick(['clamped', 'truncated'])} to {low}..{high}"


def continuous(make: Maker) -> None:
    """Noise on real numbers, with and without a window."""
    _real_beliefs(make)
    window = _window(make) if make.random.random() < 0.7 else ""
    make.add(f"operator R(x: D) -> reals {{ return x + {_noise(make)}{window} }}")
    claims = [
        make.breach(),
        make.breach("under U for first", "under X for some", "under X for first"),
        make.breach("under U", "under X"),
        make.breach("for first"),
        f"require epsilon {make.relation()} {make.pick(['1', '2', '1/2', 'ln(3)', '10'])}",
        f"require amplification {make.relation()} {make.pick(['2', '3', 'exp(1)', '100'])}",
    ]
    make.audit(make.sometimes(claims, 3))


def grids(make: Maker) -> None:
    """The same on a grid."""
    _real_beliefs(make)
    step = make.pick(["1", "2", "5"])
    low, high = make.pick([(0, 10), (-10, 20)])
    how = make.pick(["clamped", "truncated"])
    make.add(
        f"operator R(x: D) -> reals {{ return x + {_noise(make)} {how} to {low}..{high}"
        f" rounded to {step} }}"
    )
    claims = [
        make.breach(),
        make.breach("under U for first", "under X for some"),
        make.breach("under U", "under X"),
        f"require epsilon {make.relation()} {make.pick(['1', '2', 'ln(3)'])}",
        f"require delta(1/2) <= {make.fraction()}",
    ]
    make.audit(make.sometimes(claims, 3))


def parts(make: Maker) -> None:
    """A record in parts, independent or nearly so."""
    names = ["one", "two", "three"][: make.random.randint(2, 3)]
    for name in names:
        keep = make.pick(["3/4", "2/3", "exp(1)/(exp(1) + 1)", "9/10"])
        make.add(
            f"operator P{name}(x: 0..1) -> 0..1 {{"
            f" [x -> y] = {keep} if x == y | 1 - {keep} otherwise }}"
        )
    make.add("parts R {")
    make.lines += [f"    {name} : P{name}" for name in names]
    if make.random.random() < 0.5:
        make.add(f"    dependence <= {make.fraction()}")
    for name in names:
        bound = make.pick(["1", "2", "ln(3)", "ln(9)", "1/2"])
        make.add(f"    require dependence({name}) <= {bound}")
    make.add(
        f"    require record {make.relation()} {make.pick(['2', '3', 'ln(27)', '4', 'ln(6)'])}"
    )
    make.add("}")


def one_free(make: Maker) -> None:
    """One free parameter: a probability, or eps as an exponent."""
    values = make.random.randint(2, 3)
    make.beliefs([str(k) for k in range(values)], f"0..{values - 1}")
    space = f"operator R(x: 0..{values - 1}) -> 0..{values - 1}"
    bounds = ["1", "2", "ln(3)", "1/2"]
    if make.random.random() < 0.5:
        make.add("param p in " + make.pick(["(1/2, 1)", "(0, 1)", "[1/4, 3/4]", "(1/3, 9/10]"]))
        make.add(f"{space} {{ with p {{ return x }} else {{ return uniform(0..{values - 1}) }} }}")
        delta = "1/2"
    else:
        make.add("param eps in " + make.pick(["(0, 5)", "[0, 2]", "(1/2, 3)"]))
        make.add(
            f"operator R = randomized_response(values: {values},"
            f" keep: exp(eps)/(exp(eps) + {values - 1}))"
        )
        bounds += ["eps", "2*eps", "eps/2"]
        delta = make.pick(["1/2", "eps/2", "eps"])
    claims = [
        make.breach(),
        make.breach("under X for some", "under U for first"),
        make.breach("under X", "under U"),
        make.breach("after 2 reports"),
        f"require epsilon {make.relation()} {make.pick(bounds)}",
        f"require amplification {make.relation()} {make.random.randint(2, 9)}",
        f"require delta({delta}) <= {make.fraction()}",
    ]
    make.audit(make.sometimes(claims, 3))


def several_free(make: Maker) -> None:
    """Two free parameters."""
    make.beliefs(["0", "1"], "0..1")
    make.add("param p in " + make.pick(["(1/2, 1)", "[1/4, 3/4]", "(0, 1)"]))
    make.add("param q in " + make.pick(["(0, 1/2)", "[1/5, 2/5]"]))
    make.add("operator R(x: 0..1) -> 0..1 { matrix { 0 : p (1 - p); 1 : q (1 - q) } }")
    claims = [
        make.breach(),
        make.breach("under X for some", "under U for first", "under X"),
        f"require epsilon {make.relation()} {make.pick(['1', '2', 'ln(3)'])}",
        f"require amplification {make.relation()} {make.random.randint(2, 9)}",
    ]
    make.audit(make.sometimes(claims, 3))


def rounded(make: Maker) -> None:
    """A matrix whose entries were rounded to two digits."""
    inputs, outputs = make.random.randint(2, 3), make.random.randint(2, 3)
    make.beliefs([str(k) for k in range(inputs)], f"0..{inputs - 1}")
    rows = []
    for _ in range(inputs):
        cuts = sorted(make.random.randint(0, 100) for _ in range(outputs - 1))
        ends = [0, *cuts, 100]
        rows.append([f"{(b - a) / 100:.2f}" for a, b in pairwise(ends)])
    make.files["m.csv"] = "".join(",".join(row) + "\n" for row in rows)
    make.add(f'operator R(x: 0..{inputs - 1}) -> 0..{outputs - 1} = csv("m.csv", rounded: 2)')
    claims = [
        make.breach(),
        make.breach("under X for some", "under U for first"),
        make.breach("under X", "under U"),
        make.breach("after 2 reports"),
        f"require epsilon {make.relation()} {make.pick(['1', '2', 'ln(3)'])}",
        f"require amplification {make.relation()} {make.random.randint(2, 9)}",
    ]
    make.audit(make.sometimes(claims, 3))


KINDS: dict[str, Callable[[Maker], None]] = {
    one.__name__: one
    for one in (
        *(finite, exponentials, sets, lines, continuous, grids, parts),
        *(one_free, several_free, rounded),
    )
}


def models(seed: object, count: int, kinds: list[str] | None = None) -> Iterator[tuple[str, Maker]]:
    """So many models, the kinds by turns; each with the name that makes it again."""
    chosen = kinds or list(KINDS)
    for number in range(count):
        kind = chosen[number % len(chosen)]
        name = f"{seed}-{kind}-{number}"
        make = Maker(name)
        KINDS[kind](make)
        yield name, make
