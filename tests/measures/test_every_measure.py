"""Every measure, found by its place: its definition, bounds on it, its certificate, its words."""

from __future__ import annotations

import json
from fractions import Fraction

import how_many
import measures_oracle as oracle
import mpmath
import pytest
from hypothesis import given, settings
from measures_definitions import DEFINITIONS
from measures_strategies import build, cases

import ppdm_formal
from ppdm_formal.certify import Verdict, certify
from ppdm_formal.certify.audit.audit import audit
from ppdm_formal.certify.audit.comparison import Comparison
from ppdm_formal.checker import check_certificate
from ppdm_formal.declare.arithmetic.enclosure import Enclosure
from ppdm_formal.declare.arithmetic.value import INFINITY
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.declare.operators.prior import Prior
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.derive.measures.discovery import all_measures, claimable, measure_named
from ppdm_formal.derive.measures.formula import Formula
from ppdm_formal.derive.measures.formula_value import measured_by_tree
from ppdm_formal.derive.measures.record import Asked, CannotCompute
from ppdm_formal.report.formats.html_page import document_html
from ppdm_formal.report.formats.terminal import console, print_document

MEASURES = pytest.mark.parametrize("measure", all_measures(), ids=lambda m: m.name)
# Those over pairs of inputs and channels have none: see tests/certify, test_delta and test_rows.
ON_VIEWS = [measure for measure in claimable() if measure.tree is not None]
CLAIMABLE = pytest.mark.parametrize("measure", ON_VIEWS, ids=lambda m: m.name)
SOME = settings(max_examples=how_many.cases(20, 50), derandomize=True, deadline=None, database=None)
FEWER = settings(max_examples=10, derandomize=True, deadline=None, database=None)
WITHOUT_FORMS = {m.name for m in all_measures() if m.compute is None} | {
    "vulnerability",
    "event_leakage",
}
TINY = Fraction(1, 10**12)


@pytest.fixture(autouse=True, scope="module")
def _digits():
    with mpmath.workdps(oracle.DPS):
        yield


def agrees(found, unit, expected):
    """Whether a value is that of the definition."""
    if expected is None:
        return found is INFINITY
    if isinstance(expected, Fraction):
        return found == expected
    scale = mpmath.log(2) if unit == "bit" else 1
    if isinstance(expected, tuple):
        low, high = (end / float(scale) for end in expected)
        close = float(found.hi - found.lo) < 1e-9
        return close and low - 1e-9 <= found.hi and found.lo <= high + 1e-9
    return isinstance(found, Enclosure) and oracle.encloses(found, expected / scale)


def asked(measure, rows, prior, unit="bit"):
    operator, known = build(rows, prior)
    return Asked(operator, known if measure.prior else None, unit)


def test_every_measure_has_a_definition_and_every_definition_a_measure():
    assert set(DEFINITIONS) == {measure.name for measure in all_measures()}


@MEASURES
def test_value_is_that_of_the_definition(measure):
    @SOME
    @given(cases())
    def run(case):
        for unit in ("bit", "nat") if measure.unit == "asked" else ("bit",):
            found = measure.measure(asked(measure, *case, unit))
            assert agrees(found.value, found.unit, DEFINITIONS[measure.name](*case))

    run()


@CLAIMABLE
def test_formula_is_that_of_the_definition(measure):
    """Also where the measure computes its value in another way."""

    @SOME
    @given(cases())
    def run(case):
        found = measured_by_tree(measure, asked(measure, *case))
        assert agrees(found.value, found.unit, DEFINITIONS[measure.name](*case))

    run()


def bounds(value, most=10**30):
    """Bounds with the verdicts of <= and of <, around a value."""
    if value is INFINITY:
        return [(Fraction(most), False, False)]
    low, high = (value, value) if isinstance(value, Fraction) else (value.lo, value.hi)
    found = [(low - TINY, False, False), (high + TINY, True, True)]
    return [*found, (value, True, False)] if isinstance(value, Fraction) else found


@CLAIMABLE
def test_bounds_are_decided_and_certificates_accepted(measure):
    @FEWER
    @given(cases())
    def run(case):
        operator, prior = build(*case)
        unit = "nat" if measure.unit == "asked" else None
        under = prior if measure.prior else None
        value = measure.measure(Asked(operator, under, "nat")).value
        most = 1000 if measure.name == "epsilon" else 10**30
        for bound, at_most, below in bounds(value, most):
            for relation, holds in (("<=", at_most), ("<", below)):
                claim = BoundClaim(measure.name, relation, bound, under, unit)
                found = certify(operator, claim)
                assert found.verdict is (Verdict.CERTIFIED if holds else Verdict.BREACHED)
                document = json.loads(json.dumps(found.to_json()))
                assert check_certificate(document).accepted
                forged = document | {"verdict": "breached" if holds else "certified"}
                assert not check_certificate(forged).accepted

    run()


@CLAIMABLE
def test_free_parameters_are_measured_or_said_to_be_missing(measure):
    import sympy

    p = sympy.Symbol("p")
    parameter = ppdm_formal.Parameter("p", "1/2", 1)
    operator = Operator.from_matrix([[p, 1 - p], [1 - p, p]], parameters=[parameter])
    prior = Prior.uniform(operator.inputs, "U") if measure.prior else None
    if measure.name in WITHOUT_FORMS:
        with pytest.raises(CannotCompute, match="p"):
            measure.measure(Asked(operator, prior, "nat"))
        return
    form = measure.measure(Asked(operator, prior, "nat"))
    at = measure.measure(Asked(operator.substitute({"p": "3/4"}), prior, "nat")).value
    value = form.value.xreplace({s: sympy.Rational(3, 4) for s in form.value.free_symbols})
    low, high = (at, at) if isinstance(at, Fraction) else (at.lo, at.hi)
    assert low - TINY <= Fraction(str(sympy.N(value, 40))) <= high + TINY


MODEL = """
domain V = 0..2
prior X on V {{ 0 : 1/2; 1..2 : 1/4 each }}
operator R(x: V) -> V {{ [x -> y] = 2/3 if y == x | 1/6 otherwise }}
audit R {{ prior X; require {claim} }}
"""


@pytest.mark.parametrize(
    "measure", [m for m in claimable() if not m.argument], ids=lambda m: m.name
)
def test_every_writer_shows_it(measure):
    """Language, audit, JSON, terminal, HTML and comparison, without naming the measure."""
    claim = f"{measure.name}(X)" if measure.prior else measure.name
    unit = " bit" if measure.unit == "asked" else ""
    result = audit(ppdm_formal.compile_text(MODEL.format(claim=f"{claim} <= 1/1000{unit}")))
    found = result.operators[0]
    certificate = found.certificates[0]
    assert certificate.verdict is Verdict.BREACHED
    assert certificate.claim.measure == measure.name
    operator = result.to_json()["operators"][0]
    entry = operator["information"][0] if measure.prior else operator
    assert entry[measure.json_key] is not None
    page = document_html(result.document())
    assert measure.title in page
    assert str(certificate.claim).replace("<", "&lt;") in page
    screen = console()
    with screen.capture() as capture:
        print_document(result.document(brief=True), screen)
    assert claim in capture.get()
    assert not measure.column or measure.head.split()[0] in capture.get()
    compared = document_html(Comparison((result, result)).document())
    assert not measure.column or measure.head in compared


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("total_variance(X) <= 1", "did you mean total_variation?"),
        ("total_variation <= 1", "total_variation is written total_variation(PRIOR)"),
        ("local_dp(X) <= 1", "local_dp is written epsilon"),
        ("total_variation(X) <= 1 bit", "total_variation has no unit"),
        ("mutual_information(X) <= 1", "needs its unit"),
        ("min_entropy_capacity <= 1", "unknown measure min_entropy_capacity"),
    ],
)
def test_claims_that_are_written_wrongly(written, problem):
    with pytest.raises(ppdm_formal.ModelError) as caught:
        ppdm_formal.compile_text(MODEL.format(claim=written))
    assert problem in str(caught.value)


def test_claims_that_are_built_wrongly():
    prior = Prior.uniform(ppdm_formal.Domain([0, 1]), "U")
    for arguments, problem in (
        (("dependance", "<=", 1, prior), "did you mean dependence"),
        (("vulnerability", "<=", 1), "needs a prior"),
        (("dependence", "<", 1), "for all priors is bounded by <="),
        (("local_dp", "<=", 1, prior), "has no prior"),
        (("local_dp", "<=", 1, None, "nat"), "no unit to choose"),
        (("mutual_information", "<=", 1, prior), "needs its unit"),
        (("total_variation", "<=", 0.5, prior), "float"),
    ):
        with pytest.raises((ValueError, TypeError), match=problem):
            BoundClaim(*arguments)


def test_which_formulas_need_likelihoods_only_up_to_a_factor():
    """Neither a count nor a factor may matter: sums and evidence count inputs."""
    likely, unlikely = ("max", "likelihood"), ("min", "likelihood")
    joint = ("max", ("*", "prior", "likelihood"))
    assert Formula("max", ("/", likely, unlikely)).scale_free
    assert Formula("max", ("log", ("/", likely, unlikely))).scale_free
    for of in (likely, ("/", ("sum", "likelihood"), likely), ("/", joint, "evidence")):
        assert not Formula("max", of).scale_free
    assert not Formula("sum", ("/", likely, unlikely)).scale_free


def test_names_are_found_by_place():
    assert measure_named("total_variation").formula
    assert len({measure.name for measure in all_measures()}) == len(all_measures())
    assert len({measure.json_key for measure in all_measures()}) == len(all_measures())
