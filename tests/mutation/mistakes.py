"""Mistakes by name: plausible ones that some review or reader put in, and the tests that notice.

Each replaces one text of a file by another. They are kept so that no test that notices one is lost:

    .venv/bin/python tests/mutation/run.py --mistakes [WORD]

puts each (whose name holds the word) into a copy, and runs its tests, which must fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

CHECKER = "ppdm_formal/checker"


@dataclass(frozen=True)
class Mistake:
    """A text of a file, what stands there by mistake, and the tests that fail then."""

    name: str
    file: str
    before: str
    after: str
    tests: str

    def applied(self, source: str) -> str:
        """The file's text with the mistake in it."""
        assert source.count(self.before) == 1, f"{self.name}: not once in {self.file}"
        return source.replace(self.before, self.after)

    def fits(self, root: Path) -> bool:
        """Whether the file still has the text, once."""
        return (root / self.file).read_text(encoding="utf-8").count(self.before) == 1


def checker(name: str, file: str, before: str, after: str, tests: str) -> Mistake:
    return Mistake(name, f"{CHECKER}/{file}", before, after, f"tests/check/{tests}")


LIES, SPANS = "test_lies.py", "test_spans.py"

MISTAKES = [
    # -- the checker: continuous operators
    checker("reached outputs of truncated noise: always", "extremes.py",
            'constant = noise.law == "uniform" or (noise.law == "laplace" and (hi > x1 or hi <= x2))',
            "constant = True", LIES),
    checker("reached outputs of truncated noise: never", "extremes.py",
            'constant = noise.law == "uniform" or (noise.law == "laplace" and (hi > x1 or hi <= x2))',
            "constant = False", LIES),
    checker("reached outputs of truncated noise: laplace", "extremes.py",
            '(noise.law == "laplace" and (hi > x1 or hi <= x2))', '(noise.law == "laplace")', LIES),
    checker("the upper atom is not looked at (cells)", "cells.py",
            'for atom in ("lo", "hi"):', 'for atom in ("lo",):', LIES),
    checker("the lower atom is not looked at (cells)", "cells.py",
            'for atom in ("lo", "hi"):', 'for atom in ("hi",):', LIES),
    checker("the upper atom is not looked at (levels)", "levels.py",
            'in zip(("lo", "hi"), fields.list("atoms", 2), strict=True)',
            'in zip(("lo",), fields.list("atoms", 2), strict=False)', LIES),
    checker("the upper atom is the lower one's mirror", "slices.py",
            "noise, a, b = noise.mirrored(), part.lo - hi, part.hi - hi",
            "noise, a, b = noise, part.lo - hi, part.hi - hi", SPANS),
    checker("tail cells: all cells outside", "cells.py",
            "if not part.inside and part.lo >= edge]", "if not part.inside]", LIES),
    checker("tail cells: all cells outside, at the bottom", "cells.py",
            "if not part.inside and part.hi <= edge]", "if not part.inside]", LIES),
    checker("tail cells: out of reach from the edge on", "cells.py",
            "out_of_reach = most is not None and end >= edge + most",
            "out_of_reach = most is not None and end >= edge", LIES),
    checker("tails: laplace odds are final anywhere", "cells.py",
            '(end >= last if side == "top" else end <= first)', "True", LIES),
    checker("tails: levels are final anywhere", "levels.py",
            'need(operator.noise.law == "laplace" and alike,',
            'need(operator.noise.law == "laplace",', LIES),
    checker("the bell's peak", "slices.py",
            "points = [low, high, *([mean] if low < mean < high else [])]",
            "points = [low, high]", SPANS),
    checker("the peak of the share", "slices.py",
            "peak = (lo + hi) / 2 - operator.noise.center", "peak = low", SPANS),
    checker("the peak of a cell's mass", "slices.py",
            "peak = (part.lo + part.hi) / 2 + noise.center", "peak = low", SPANS),
    checker("Gruess's bound is left out", "slices.py",
            "slack = width * (part.weight[1] - part.weight[0]) * (likelihood[1] - likelihood[0]) / 4",
            "slack = ZERO", SPANS),
    checker("Gruess's bound is halved", "slices.py",
            "(likelihood[1] - likelihood[0]) / 4", "(likelihood[1] - likelihood[0]) / 8", SPANS),
    checker("Gruess's bound of what is drawn again", "slices.py",
            "slack = (high - low) * (weight[1] - weight[0]) * (inverse[1] - inverse[0]) / 4",
            "slack = ZERO", SPANS),
    checker("lost digits of the normal series", "spans.py",
            "total + missing + 2 * lost", "total + 2 * lost", SPANS),
    checker("lost digits of its rest", "spans.py",
            "total + missing + 2 * lost", "total + missing", SPANS),
    checker("lost digits of pi", "spans.py",
            "return total - 3 * k - 3, total + 3 * k + 3", "return total, total", SPANS),
    checker("digits rounded inward", "spans.py",
            "Fraction(math.floor(low * unit), unit), Fraction(math.ceil(high * unit), unit)",
            "Fraction(math.ceil(low * unit), unit), Fraction(math.floor(high * unit), unit)", SPANS),
    # -- the checker: parts
    checker("the law of parts: more dependent than given", "parts.py",
            "good = ratio <= record.among and ratio * record.among >= 1",
            "good = ratio * record.among >= 1", LIES),
    checker("the law of parts: less than given", "parts.py",
            "good = ratio <= record.among and ratio * record.among >= 1",
            "good = ratio <= record.among", LIES),
    checker("the law of parts: its sum", "parts.py",
            'need(sum(rows, ZERO) == 1, "the law does not sum to 1")', "", LIES),
    checker("the law of parts: negative", "parts.py",
            "need(all(cell > 0 for row in law for cell in row)", "need(True", LIES),
    checker("the law of parts: the part itself beside it", "parts.py",
            "need(other != place and record.parts[other].inputs > 1,",
            "need(record.parts[other].inputs > 1,", LIES),
    # -- the checker: sets and placings
    checker("boxes of placing: the upper half starts lower", "placing.py",
            '("above", (at + 1, high))', '("above", (high, high))', LIES),
    checker("boxes of placing: the lower half ends lower", "placing.py",
            '(("below", (low, at)),', '(("below", (low, low)),', LIES),
    checker("boxes of placing: one that no placing fits", "placing.py",
            "if left < 0 or sum(high for _, high in row) < kind.count:",
            "if left <= 0 or sum(high for _, high in row) < kind.count:", LIES),
    checker("at_most of placing", "placing.py",
            "need(here <= most and type(tree) is dict,", "need(type(tree) is dict,", LIES),
    checker("placing: sizes left out", "placing.py",
            "limit = self.group.most if size > 0 else self.group.least",
            "limit = self.group.least", LIES),
    checker("a set of no size", "sets.py",
            "need(few and least <= sum(counts) <= most,", "need(few,", LIES),
    checker("a set that holds more than there is", "sets.py",
            "need(few and least <= sum(counts) <= most,",
            "need(least <= sum(counts) <= most,", LIES),
    checker("all shapes of sets: sizes forgotten", "sets.py",
            "need(any(covers(large, shape) for large in listed),", "need(any(listed),", LIES),
    # -- the checker: capacity, several reports, rounded matrices
    checker("negative shares", "capacity.py",
            "need(all(share >= 0 for share in found) and whole == 1,", "need(whole == 1,", LIES),
    checker("shares that do not sum to 1", "capacity.py",
            "need(all(share >= 0 for share in found) and whole == 1,",
            "need(all(share >= 0 for share in found),", LIES),
    checker("rows by knowledge", "reports.py",
            'need(len(laws) == 1, "one_report: rows that depend on what is known")', "", LIES),
    checker("views that are not those of so many reports", "reports.py",
            'need(shown == stated, "the views are not those of so many reports")', "", LIES),
    checker("a prior outside its family (rounded, breached)", "rounded.py",
            'need(admitted(view, masses, claim), "a prior that the claim does not admit")', "", LIES),
    checker("a prior outside its family (rounded, certified)", "rounded.py",
            'need(admitted(view, prior, claim), "evidence.prior is not of the family")', "", LIES),
    checker("a prior outside its family (farkas)", "farkas.py",
            "FARKAS_BEFORE", "FARKAS_AFTER", LIES),
    checker("a prior outside its family (witness)", "witness.py",
            'need(admitted(view, everywhere, claim), "the witness\'s prior is not admitted")', "",
            LIES),
    checker("where a cut starts", "rounded.py",
            'need(starts, "the cut does not start where the claim does")', "", LIES),
    checker("a cut of another property", "rounded.py",
            'need(inside == own, "the cut has another property than the claim")', "", LIES),
    checker("cuts without weight", "rounded.py",
            "need(cuts and all(w > 0 for w in weights),", "need(cuts,", LIES),
]  # fmt: skip
