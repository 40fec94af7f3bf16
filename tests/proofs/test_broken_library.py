"""Mistakes put into this package, one at a time: a statement of a paper must notice each.

A mistake is one piece of a function's text replaced by another. The function gets the code that
the changed text compiles to, in place, so that everything that uses it is broken alike; proof
files keep what they computed in caches, which are emptied before and after.
"""

from __future__ import annotations
import __future__

import ast
import functools
import importlib
import inspect
import sys
import textwrap
from dataclasses import dataclass, replace
from types import CodeType, FunctionType

import pytest

from ppdm_formal.certify.statement import decide, load_statements

STATEMENTS = {statement.name: statement for statement in load_statements()}


@dataclass(frozen=True)
class Mistake:
    """`before` in the text of a function becomes `after`; `noticed` is who must see it."""

    what: str
    function: str
    before: str
    after: str
    noticed: str


MISTAKES = [
    Mistake(
        "amplification that ignores one column",
        "derive.measures.amplification:_largest",
        "for view in views:",
        "for view in views[1:]:",
        "egs03/statement_1",
    ),
    Mistake(
        "amplification that ignores inputs that cannot give an output",
        "derive.measures.amplification:_ratios",
        "if zero is not None:",
        "if False:",
        "egs03/statement_1",
    ),
    Mistake(
        "amplification as the least ratio to the most likely input",
        "declare.operators.view:View.extremes",
        "min(everything if unlikely is None else unlikely, key=sizes.__getitem__)",
        "max(everything if unlikely is None else unlikely, key=sizes.__getitem__)",
        "dor18/counting",
    ),
    Mistake(
        "a posterior with the wrong normalizer",
        "derive.measures.posterior:_share",
        "inside / mass",
        "inside / (mass + inside)",
        "egs03/example_2",
    ),
    Mistake(
        "evidence that forgets how many inputs a class has",
        "derive.measures.posterior:joint_mass",
        "top = part.count * prior.numerator",
        "top = prior.numerator",
        "egs03/table_1",
    ),
    Mistake(
        "logarithms in the wrong base",
        "declare.arithmetic.enclosure:ball_log",
        "ball.log() / arb.const_log2()",
        "ball.log() / arb(10).log()",
        "egs03/example_2",
    ),
    Mistake(
        "mutual information that counts outputs with the same view once",
        "derive.measures.information:_enclosed",
        "shift.view.outputs * mass * there",
        "mass * there",
        "egs03/example_2",
    ),
    Mistake(
        "worst-case information as the least distance",
        "derive.measures.information:_largest",
        "best.max(ball)",
        "best.min(ball)",
        "egs03/table_2",
    ),
    Mistake(
        "a distance without the logarithm of the evidence",
        "derive.measures.information:_divergences",
        "weighted / mass - log_mass",
        "weighted / mass",
        "dor18/knowledge_gain_is_mutual_information",
    ),
    Mistake(
        "inverse information with prior and posterior exchanged",
        "derive.measures.f_information:_power_of_shift",
        "-f.power if inverse else f.power + 1",
        "f.power + 1",
        "egs03/statement_7",
    ),
    Mistake(
        "inputs that an output rules out are dropped",
        "derive.measures.f_information:_constant",
        "to_flint(f.offset) + to_flint(bare) * shift.excluded_weight",
        "to_flint(f.offset)",
        "egs03/statement_6",
    ),
    Mistake(
        "dependence by the upper inequality alone",
        "derive.measures.dependence:dependence",
        "mass / least.likelihood",
        "least.likelihood / mass",
        "dor18/definition_1",
    ),
    Mistake(
        "condition (3) at equality counts as safe",
        "certify.all_priors:decide_all_priors",
        "most >= rho2 * (1 - rho1) * least",
        "most > rho2 * (1 - rho1) * least",
        "egs03/statement_1",
    ),
    Mistake(
        "condition (3) with 1 - rho1 left out",
        "certify.all_priors:decide_all_priors",
        "most >= rho2 * (1 - rho1) * least",
        "most >= rho2 * least",
        "egs03/statement_1",
    ),
    Mistake(
        "a posterior given z and y that forgets z",
        "certify.beliefs:beliefs",
        "seen = known * part.likelihood",
        "seen = part.likelihood",
        "egs03/background_knowledge",
    ),
    Mistake(
        "downward breaches looked for among upward ones",
        "certify.one_property:decide_one_property",
        "if found is None and after <= rho1:",
        "if found is None and after >= rho1:",
        "egs03/background_knowledge",
    ),
    Mistake(
        "under a known prior, properties half as likely only",
        "certify.known_prior:decide_every_property",
        "search.most(after_wanted, claim.rho1, claim.rho2)",
        "search.most(after_wanted, claim.rho1 / 2, claim.rho2)",
        "egs03/definition_1_directions",
    ),
    Mistake(
        "select-a-size that forgets how many ways there are to keep j items",
        "declare.families.select_a_size:SelectASize._chance",
        "/ math.comb(self.size, overlap)",
        "",
        "egs03/select_a_size_law",
    ),
    Mistake(
        "balanced probabilities multiplied by the default ones",
        "declare.families.select_a_size:balance",
        "p / d",
        "p * d",
        "egs03/condition_5",
    ),
    Mistake(
        "flips with rho = p",
        "declare.families.flip:flip",
        "keep = default_probabilities(size, stays)",
        "keep = default_probabilities(size, rho)",
        "evf02/mask_is_select_a_size",
    ),
    Mistake(
        "form (6) with its cutoff one too low",
        "declare.families.select_a_size:cutoff_ratios",
        "j > cutoff",
        "j >= cutoff",
        "egs03/statement_2",
    ),
    Mistake(
        "a transition matrix P transposed",
        "design.recovery:transition_matrix",
        "return tuple(zip(*columns, strict=True))",
        "return tuple(columns)",
        "evf02/partial_support_expectation",
    ),
    Mistake(
        "an estimator with Q transposed",
        "design.recovery:Recovery.estimate",
        "apply(self.Q, randomized)",
        "apply(transpose(self.Q), randomized)",
        "evf02/support_estimator",
    ),
    Mistake(
        "an estimator whose divisor is another moment",
        "design.closed_form:NoiseMoments.weights",
        "self._divisor(itemset)",
        "self._divisor(itemset - 1)",
        "evf02/support_estimator",
    ),
    Mistake(
        "a covariance without the product of the means",
        "design.recovery:Recovery.D",
        "- a * b",
        "",
        "evf02/partial_support_covariance",
    ),
    Mistake(
        "a variance estimate without the mean squared",
        "design.recovery:Recovery.variance_estimate",
        "w * w - w",
        "w * w",
        "evf02/variance_estimator",
    ),
    Mistake(
        "replacement that draws from all items",
        "design.recovery:replacement_matrix",
        "* keep ** (stay + other)",
        "* keep ** other",
        "evf02/replacement_98",
    ),
    Mistake(
        "a bound on amplification with rho1 and rho2 exchanged",
        "design.design:gamma_bound",
        "rho2 * (1 - rho1) / (rho1 * (1 - rho2))",
        "rho2 * (1 - rho2) / (rho1 * (1 - rho1))",
        "egs03/figure_text",
    ),
    Mistake(
        "an entropy of one side only",
        "design.seed_size:coin_entropy",
        "(insert, 1 - insert)",
        "(insert,)",
        "egs03/seed_sizes",
    ),
    Mistake(
        "an entropy in the wrong base",
        "design.seed_size:coin_entropy",
        'LogSum.log(side, "bit")) for side in sides], "bit"',
        'LogSum.log(side, "nat")) for side in sides], "nat"',
        "egs03/seed_sizes",
    ),
    Mistake(
        "a field one degree too small",
        "design.seed_size:bch_degree",
        "(bits * items).bit_length()",
        "(bits * items).bit_length() - 1",
        "egs03/seed_sizes",
    ),
    Mistake(
        "a generator with one column repeated",
        "run.compress.bch:BCH.functionals",
        "columns + np.uint64(1 - self.parity)",
        "np.maximum(columns, 1) + np.uint64(1 - self.parity)",
        "egs03/definition_5",
    ),
    Mistake(
        "a Goppa code whose polynomial has roots",
        "run.compress.goppa:Goppa.functionals",
        "^ points ^ np.uint64(self.constant)",
        "^ points",
        "egs03/definition_5",
    ),
    Mistake(
        "a cap with a line in it",
        "run.compress.cap:Cap.functionals",
        "norm = field.times(u, u)",
        "norm = u",
        "egs03/definition_5",
    ),
    Mistake(
        "parities that fold too little",
        "run.compress.generator:parities",
        "(32, 16, 8, 4, 2, 1)",
        "(32, 16, 8, 4, 2)",
        "egs03/statement_4",
    ),
    Mistake(
        "randomized response that keeps as often as it should lie",
        "declare.families.randomized_response:randomized_response",
        "KeepOrReplace(values, kept, other)",
        "KeepOrReplace(values, other, kept)",
        "dor18/counting",
    ),
    Mistake(
        "information of noise that forgets the noise's own entropy",
        "derive.reals.privacy:information",
        "_given_input(operator, density) - _of_outputs(operator, density)",
        "-_of_outputs(operator, density)",
        "aa01/uniform_privacy_loss",
    ),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what.replace(" ", "-"))
def test_a_mistake_is_noticed(mistake, monkeypatch):
    function = _function(mistake.function)
    code = _broken(function, mistake.before, mistake.after)
    statement = STATEMENTS[mistake.noticed]
    _forget()
    try:
        monkeypatch.setattr(function, "__code__", code)
        # The neighbours, which take as long again, are decided only where they are needed.
        alone = decide(replace(statement, neighbours=()), timeout=60)
        decided = alone if not alone.as_expected else decide(statement, timeout=60)
        assert not decided.as_expected, f"{mistake.noticed} did not notice"
        assert decided.exit_code in (1, 3)
    finally:
        monkeypatch.undo()
        _forget()


def test_there_are_twenty_mistakes_and_each_is_another_one():
    assert len(MISTAKES) >= 20
    assert len({(m.function, m.before, m.after) for m in MISTAKES}) == len(MISTAKES)


def test_without_a_mistake_all_is_as_expected():
    """What is put back is whole again: the same statements, after all that was done to them."""
    _forget()
    for name in ("egs03/example_2", "egs03/seed_sizes", "egs03/definition_5", "dor18/counting"):
        assert decide(STATEMENTS[name], timeout=60).as_expected, name


def _function(path: str) -> FunctionType:
    """module:name or module:Class.name, as the plain function behind caches and properties."""
    module, _, names = path.partition(":")
    found = importlib.import_module(f"ppdm_formal.{module}")
    for name in names.split("."):
        found = inspect.getattr_static(found, name)
    if isinstance(found, functools.cached_property):
        found = found.func
    if isinstance(found, property):
        found = found.fget
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType)
    return found


def _broken(function: FunctionType, before: str, after: str) -> CodeType:
    """The code of the function with one piece of its text replaced."""
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(before) == 1, f"{before!r} is {text.count(before)} times in {function}"
    tree = ast.parse(text.replace(before, after))
    tree.body[0].decorator_list = []
    compiled = compile(
        tree, function.__code__.co_filename, "exec", flags=__future__.annotations.compiler_flag
    )
    code = next(constant for constant in compiled.co_consts if isinstance(constant, CodeType))
    assert code.co_freevars == function.__code__.co_freevars
    return code


def _forget() -> None:
    """Empty every cache of this package and of the proof files."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("ppdm_formal", "ppdm_proofs_")):
            for holder in [module, *filter(inspect.isclass, vars(module).values())]:
                for value in list(vars(holder).values()):
                    clear = getattr(value, "cache_clear", None)
                    if callable(clear):
                        clear()
