"""All draws of a sampler, enumerated: the law that its own code induces.

Three ways, all exact:

- `check_comparison` runs the comparison on every word of a small width, and takes what it
  leaves open as a state of the same kind. For rational cuts the states repeat, so the law is
  the solution of a finite linear system; the system has one solution if every state can end.
- `strings` feeds a sampler every string of words up to a length, and says which outcomes have
  been decided by then. Any sampler can be asked, ours or a client's.
- `induced` gives each elementary draw every outcome that it has, with its probability, and
  follows the sampler's own code through all of them.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from fractions import Fraction

import numpy as np

from ppdm_formal.declare.operators.cut import RationalCut, Steps
from ppdm_formal.declare.operators.draw import Bits, compare


def probabilities(cuts):
    """The law that rising cuts stand for."""
    ends = [Fraction(0), *cuts, Fraction(1)]
    return [after - before for before, after in itertools.pairwise(ends)]


def rational_steps(cuts, width):
    return Steps.of([RationalCut(c.numerator, c.denominator) for c in cuts], width)


def rationals(steps):
    cuts = [steps.cut(k) for k in range(steps.floors.size)]
    return tuple(Fraction(cut.top, cut.bottom) for cut in cuts)


def check_comparison(cuts, width, most=None):
    """AssertionError unless comparing random words with the cuts induces their law exactly.

    With `most`, so many states are looked at: what is decided by then, and what is left to the
    states not looked at, make the law together.
    """
    start = tuple(Fraction(c) for c in cuts if c < 1)
    words = np.arange(1 << width, dtype=np.uint64)
    each = Fraction(1, 1 << width)
    waiting, leads = [start], {}
    while waiting:
        state = waiting.pop(0)
        if state in leads:
            continue
        if most is not None and len(leads) == most:
            return
        steps = rational_steps(state, width)
        found, undecided = compare(steps, words)
        induced = defaultdict(Fraction)
        leads[state] = set()
        for word in words.tolist():
            if word not in undecided:
                induced[int(found[word])] += each
                leads[state].add("decided")
                continue
            first, rest = steps.after(word)
            left = rationals(rest)
            assert left == tuple(
                c * 2**width - word for c in state if word <= c * 2**width < word + 1
            )
            for outcome, mass in enumerate(probabilities(left)):
                induced[first + outcome] += each * mass
            leads[state].add(left)
            waiting.append(left)
        expected = probabilities(state)
        assert [induced[k] for k in range(len(expected))] == expected
        assert sum(induced.values()) == 1
    ends = {"decided"}
    while more := {state for state, after in leads.items() if after & ends} - ends:
        ends |= more
    assert set(leads) <= ends, "a state from which nothing is ever decided"


class Spent(Exception):
    """The string of words is used up."""


class Given(Bits):
    """Words from a list; Spent where there are no more."""

    def __init__(self, words, width):
        self.left = list(words)
        self.width = width

    def words(self, count):
        if count > len(self.left):
            raise Spent
        taken, self.left = self.left[:count], self.left[count:]
        return np.array(taken, dtype=np.uint64)


def strings(draw, width, length):
    """For every string: how likely each outcome of draw(bits) is decided, and what is left open.

    draw takes a `Given`, and may take any number of words from it, one string after another.
    """
    decided = defaultdict(Fraction)
    undecided = Fraction(0)
    waiting = [()]
    while waiting:
        prefix = waiting.pop()
        try:
            bits = Given(prefix, width)
            outcome = draw(bits)
            assert not bits.left, "words drawn and not used"
            decided[outcome] += Fraction(1, 1 << width * len(prefix))
        except Spent:
            if len(prefix) == length:
                undecided += Fraction(1, 1 << width * length)
            else:
                waiting += [(*prefix, word) for word in range(1 << width)]
    assert sum(decided.values()) + undecided == 1
    return decided, undecided


def decided_by(cuts, bits):
    """How much of each outcome the first `bits` bits of u decide, at best."""
    found = []
    for low, high in itertools.pairwise([Fraction(0), *cuts, Fraction(1)]):
        whole = (high * 2**bits).__floor__() - (low * 2**bits).__ceil__()
        found.append(Fraction(max(0, whole), 2**bits))
    return found


class Branch(Exception):
    """An elementary draw whose outcome the path does not say: how many outcomes it has."""

    def __init__(self, masses):
        super().__init__()
        self.masses = masses


class Path(Bits):
    """Elementary draws answered from a list of outcomes."""

    def __init__(self, outcomes):
        self.outcomes = outcomes
        self.taken = 0

    def one(self, masses):
        if self.taken == len(self.outcomes):
            raise Branch(masses)
        self.taken += 1
        return self.outcomes[self.taken - 1]

    def words(self, count):
        return np.zeros(count, dtype=np.uint64)  # `settle` below does not look at them

    def settle(self, steps, words):
        masses = probabilities(rationals(steps))
        return np.array([self.one(masses) for _ in words], dtype=np.int64)

    def coins(self, steps, count):
        masses = probabilities(rationals(steps))
        return np.array([self.one(masses) == 0 for _ in range(count)], dtype=bool)

    def below(self, limits):
        return np.array([self.one([Fraction(1, n)] * n) for n in limits.tolist()], dtype=np.int64)

    def lanes(self, width):
        return self


def induced(draw, source=Path):
    """The exact law of draw(bits), over all outcomes of its elementary draws."""
    law = defaultdict(Fraction)
    waiting = [((), Fraction(1))]
    while waiting:
        path, mass = waiting.pop()
        try:
            bits = source(path)
            law[draw(bits)] += mass
            assert bits.taken == len(path)
        except Branch as branch:
            waiting += [
                ((*path, outcome), mass * part)
                for outcome, part in enumerate(branch.masses)
                if part
            ]
    assert sum(law.values()) == 1
    return dict(law)
