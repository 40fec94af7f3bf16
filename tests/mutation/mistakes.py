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


LIES, SPANS, KINDS = "test_lies.py", "test_spans.py", "test_kinds.py"

MISTAKES = [
    # -- the checker: continuous operators
    checker("reached outputs of truncated noise: always", "extremes.py",
            "Top(False, noise.constant(hi - x1, hi - x2), over / under)",
            "Top(False, True, over / under)", LIES + "::test_a_limit_that_is_met_counts_where_outputs_reach_it"),
    checker("reached outputs of truncated noise: never", "extremes.py",
            "Top(False, noise.constant(hi - x1, hi - x2), over / under)",
            "Top(False, False, over / under)", LIES + "::test_a_limit_that_is_met_counts_where_outputs_reach_it"),
    checker("reached outputs of truncated noise: laplace", "noise_laplace.py",
            "return one > 0 or other <= 0", "return True", LIES + "::test_a_limit_that_is_met_counts_where_outputs_reach_it"),
    checker("the upper atom is not looked at (cells)", "cells.py",
            'for atom in ("lo", "hi"):', 'for atom in ("lo",):', LIES + "::test_a_breach_at_one_end_of_the_window_alone"),
    checker("the lower atom is not looked at (cells)", "cells.py",
            'for atom in ("lo", "hi"):', 'for atom in ("hi",):', LIES + "::test_a_breach_at_one_end_of_the_window_alone"),
    checker("the upper atom is not looked at (levels)", "levels.py",
            'in zip(("lo", "hi"), fields.list("atoms", 2), strict=True)',
            'in zip(("lo",), fields.list("atoms", 2), strict=False)', LIES + "::test_a_breach_at_the_upper_end_alone_by_levels"),
    checker("the upper atom is the lower one's mirror", "slices.py",
            "noise, a, b = noise.mirrored(), part.lo - hi, part.hi - hi",
            "noise, a, b = noise, part.lo - hi, part.hi - hi", SPANS),
    checker("tail cells: all cells outside", "cells.py",
            "if not part.inside and part.lo >= edge]", "if not part.inside]", LIES + "::test_the_cells_beyond_the_property_bound_a_tail"),
    checker("tail cells: all cells outside, at the bottom", "cells.py",
            "if not part.inside and part.hi <= edge]", "if not part.inside]", LIES + "::test_the_cells_beyond_the_property_bound_a_tail"),
    checker("tail cells: out of reach from the edge on", "cells.py",
            "out_of_reach = most is not None and end >= edge + most",
            "out_of_reach = most is not None and end >= edge", LIES + "::test_bounded_noise_reaches_beyond_the_property"),
    checker("tails: laplace odds are final anywhere", "cells.py",
            '(end >= last if side == "top" else end <= first)', "True", LIES + "::test_laplace_odds_still_change_between_the_inputs"),
    checker("tails: levels are final anywhere", "levels.py",
            "need(operator.noise.settles and alike,",
            "need(operator.noise.settles,", LIES + "::test_levels_still_change_between_the_inputs"),
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
            "good = ratio * record.among >= 1", LIES + "::test_the_law_of_a_witness_is_one_that_is_given"),
    checker("the law of parts: less than given", "parts.py",
            "good = ratio <= record.among and ratio * record.among >= 1",
            "good = ratio <= record.among", LIES + "::test_the_law_of_a_witness_is_one_that_is_given"),
    checker("the law of parts: its sum", "parts.py",
            'need(sum(rows, ZERO) == 1, "the law does not sum to 1")', "", LIES + "::test_the_law_of_a_witness_is_one_that_is_given"),
    checker("the law of parts: negative", "parts.py",
            "need(all(cell > 0 for row in law for cell in row)", "need(True", LIES + "::test_the_law_of_a_witness_is_one_that_is_given"),
    checker("the law of parts: the part itself beside it", "parts.py",
            "need(other != place and record.parts[other].inputs > 1,",
            "need(record.parts[other].inputs > 1,", LIES + "::test_the_law_of_a_witness_is_one_that_is_given"),
    # -- the checker: sets and placings
    checker("boxes of placing: the upper half starts lower", "placing.py",
            '("above", (at + 1, high))', '("above", (high, high))', LIES + "::test_a_placing_that_breaks_the_claim_is_in_one_of_both_halves"),
    checker("boxes of placing: the lower half ends lower", "placing.py",
            '(("below", (low, at)),', '(("below", (low, low)),', LIES + "::test_a_placing_that_breaks_the_claim_is_in_one_of_both_halves"),
    checker("boxes of placing: one that no placing fits", "placing.py",
            "if left < 0 or sum(high for _, high in row) < kind.count:",
            "if left <= 0 or sum(high for _, high in row) < kind.count:", LIES + "::test_a_placing_that_breaks_the_claim_is_in_one_of_both_halves"),
    checker("at_most of placing", "placing.py",
            "need(here <= most and type(tree) is dict,", "need(type(tree) is dict,", LIES + "::test_a_bound_is_not_below_what_its_trees_show"),
    checker("placing: sizes left out", "placing.py",
            "limit = self.group.most if size > 0 else self.group.least",
            "limit = self.group.least", LIES + "::test_what_is_shown_of_a_box_is_so_of_every_placing_in_it"),
    checker("a set of no size", "sets.py",
            "need(few and least <= sum(counts) <= most,", "need(few,", LIES + "::test_a_set_of_another_size_is_no_output"),
    checker("a set that holds more than there is", "sets.py",
            "need(few and least <= sum(counts) <= most,",
            "need(least <= sum(counts) <= most,", LIES + "::test_a_set_holds_no_more_values_than_there_are"),
    checker("all shapes of sets: sizes forgotten", "sets.py",
            "need(any(covers(large, shape) for large in listed),", "need(any(listed),", "test_sets.py::test_a_family_of_priors_needs_all_shapes_of_sets"),
    # -- the checker: capacity, several reports, rounded matrices
    checker("negative shares", "capacity.py",
            "need(all(share >= 0 for share in found) and whole == 1,", "need(whole == 1,", LIES + "::test_a_law_of_outputs_is_one"),
    checker("shares that do not sum to 1", "capacity.py",
            "need(all(share >= 0 for share in found) and whole == 1,",
            "need(all(share >= 0 for share in found),", LIES + "::test_a_law_of_outputs_is_one"),
    checker("rows by knowledge", "reports.py",
            'need(len(laws) == 1, "one_report: rows that depend on what is known")', "", LIES + "::test_what_comes_out_does_not_depend_on_what_is_known"),
    checker("views that are not those of so many reports", "reports.py",
            'need(shown == stated, "the views are not those of so many reports")', "", LIES + "::test_no_view_of_two_reports_is_left_out"),
    checker("a prior outside its family (rounded, breached)", "rounded.py",
            'need(admitted(view, masses, claim), "a prior that the claim does not admit")', "", LIES + "::test_a_cut_has_a_prior_of_the_family"),
    checker("a prior outside its family (rounded, certified)", "rounded.py",
            'need(admitted(view, prior, claim), "evidence.prior is not of the family")', "", LIES + "::test_a_family_without_priors_is_not_certified_rounded"),
    checker("a prior outside its family (farkas)", "farkas.py",
            'need(admitted(views[0], prior, claim), "evidence.prior is not of the family")', "", LIES + "::test_a_family_without_priors_is_not_certified"),
    checker("a prior outside its family (witness)", "witness.py",
            'need(admitted(view, everywhere, claim), "the witness\'s prior is not admitted")', "",
            LIES + "::test_a_witness_has_a_prior_of_the_family"),
    checker("where a cut starts", "rounded.py",
            'need(starts, "the cut does not start where the claim does")', "", LIES + "::test_a_cut_starts_where_the_claim_does"),
    checker("a cut of another property", "rounded.py",
            'need(inside == own, "the cut has another property than the claim")', "", LIES + "::test_a_cut_is_about_the_property_of_the_claim"),
    checker("cuts without weight", "rounded.py",
            "need(cuts and all(w > 0 for w in weights),", "need(cuts,", LIES + "::test_a_cut_has_weight"),
    # -- the checker: kinds of evidence
    checker("a solver's word where arithmetic decides", "solver_word.py",
            "return claim.prior is None or claim.about is None", "return True", KINDS + "::test_evidence_suits_what_the_specification_says"),
    checker("evidence of another kind of operator", "verdict.py",
            "if subject.kind in evidence.of and evidence.suits(subject, claim)",
            "if evidence.suits(subject, claim)", KINDS + "::test_evidence_suits_what_the_specification_says"),
    checker("a breach under some prior, for one under the density", "extremes.py",
            "need(operator.density is None or witness is None,", "need(True,", KINDS + "::test_a_breach_under_some_prior_is_none_under_the_density"),
    checker("the verdict is not compared", "verdict.py",
            "need(decision.verdict == said,", "need(True,", "test_handwritten.py"),
    checker("a witness is not replayed", "verdict.py",
            "        subject.replay(certificate)\n", "        pass\n", "test_handwritten.py"),
    checker("certificates of an older format", "frame.py",
            "    need(not older,", "    need(True,", "test_handwritten.py"),
    # -- other rooms
    Mistake("concavity is never checked", "ppdm_formal/declare/families/grid_law.py",
            "        self._check_concave()\n", "", "tests/numeric/test_grid_law.py"),
    Mistake("concavity: any cells will do", "ppdm_formal/declare/families/grid_law.py",
            "if any(b * b < a * c for", "if any(b * b < 0 * a * c for", "tests/numeric/test_grid_law.py"),
    Mistake("degrees of freedom of a step", "ppdm_formal/infer/reals/stopping.py",
            "max(1, len(old) - 1)", "max(1, len(old))",
            "tests/numeric/test_reconstruct.py::test_a_small_change_is_one_of_a_degree_less_than_cells"),
    Mistake("degrees of freedom of the fit", "ppdm_formal/infer/reals/reconstruct.py",
            "freedom = len(wanted) - 1", "freedom = len(wanted)",
            "tests/numeric/test_reconstruct.py::test_the_fit_has_a_degree_less_than_groups"),
    Mistake("the stop is always met", "ppdm_formal/infer/reals/iterate.py",
            'met = met or rule.kind == "iterations"', "met = True",
            "tests/numeric/test_reconstruct.py::test_a_rule_is_met_or_the_iterations_ran_out"),
    Mistake("a gain is met at once", "ppdm_formal/infer/reals/iterate.py",
            "met = climbed[-1] - climbed[-2] < rule.value", "met = climbed[-1] > rule.value",
            "tests/numeric/test_reconstruct.py::test_a_rule_is_met_or_the_iterations_ran_out"),
    Mistake("clear at one error", "ppdm_formal/tables/generate/sanitized.py",
            "self.share > 2 * self.error", "self.share > self.error",
            "tests/generate/test_sanitized.py::test_an_estimate_is_clear_two_errors_above_nothing"),
    Mistake("the sign of a covariance", "ppdm_formal/infer/baskets/estimated_rules.py",
            "c**2 * variances[1] - 2 * c * with_first", "c**2 * variances[1] + 2 * c * with_first",
            "tests/run/mine/test_rule_errors.py"),
    Mistake("the sign of a covariance, of lifts", "ppdm_formal/infer/baskets/estimated_rules.py",
            "+ 2 * apart / (a * b)", "- 2 * apart / (a * b)", "tests/run/mine/test_rule_errors.py"),
    Mistake("silent below a size less", "ppdm_formal/run/group_reports.py",
            "    if group.lifted > 1:\n        return group.lifted",
            "    if group.lifted > 1:\n        return group.lifted - 1",
            "tests/run/test_supports.py::test_baskets_that_hold_no_set_that_is_asked_for_are_silent"),
    Mistake("trust at two deviations", "ppdm_formal/run/supports.py",
            "16 * max(alone, CERTAIN)", "4 * max(alone, CERTAIN)",
            "tests/run/test_supports.py::test_what_few_hold_is_trusted_by_how_sure_it_is"),
    Mistake("the published size of subsets", "ppdm_formal/declare/families/subset_selection.py",
            "max(1, round(values / (ratio + 1)))", "max(1, round(values / ratio))",
            "tests/families/test_local_families.py::test_subsets_have_the_published_size"),
]  # fmt: skip
