"""An audit keeps its time limit while it measures, and says what it did not compute."""

from __future__ import annotations

import pytest

import ppdm_formal
from ppdm_formal.certify.audit.audit import audit, audit_events
from ppdm_formal.certify.audit.audited import (
    ClaimDecided,
    ClaimStarted,
    MeasureTaken,
    OperatorAudited,
    OperatorStarted,
)
from ppdm_formal.declare.claim import BoundClaim
from ppdm_formal.derive.measures.discovery import all_measures
from ppdm_formal.derive.measures.record import NotComputed, Reading

SLOW = """
domain V = 0..10
param p in (0, 1)
prior X on V = uniform
property zero on V = x == 0
operator R(x: V) -> {a, b} {
    [x -> y] = p^(x + 1) * (1 - p)^(10 - x) if y == a
             | 1 - p^(x + 1) * (1 - p)^(10 - x) otherwise
}
audit R { prior X; property zero; given a }
"""


@pytest.fixture(scope="module")
def slow():
    return ppdm_formal.compile_text(SLOW)


def test_measures_that_do_not_finish_are_said_to_be_so(slow, monkeypatch):
    """How long sympy takes depends on the machine; an endless loop is too long on all of them."""

    def endless(*_args):
        while True:
            sum(range(100))

    monkeypatch.setattr("ppdm_formal.certify.audit.audit._take", endless)
    result = audit(slow, timeout=0.05)
    found = result.operators[0]
    late = [one for one in found.readings if isinstance(one, NotComputed)]
    assert len(late) == len(found.readings)
    assert {one.reason for one in late} == {"time limit"}
    assert found.amplification is None
    assert found.gain is None
    assert found.priors[0].information is None
    operator = result.to_json()["operators"][0]
    assert operator["amplification"] == {"not_computed": "time limit"}
    assert operator["information"][0]["mutual"] == {"not_computed": "time limit"}
    assert operator["posteriors_not_computed"] == {"count": 1, "why": "time limit"}
    assert operator["posteriors"] == []


def test_no_time_at_all_still_gives_an_answer_for_everything(slow):
    found = audit(slow, timeout=1e-9).operators[0]
    measured = [*found.readings, *found.priors[0].readings]
    assert {one.measure for one in measured} == set(all_measures())
    assert all(isinstance(one, NotComputed) for one in measured)


def test_other_models_are_measured_whole():
    fast = ppdm_formal.compile_text(
        "operator R(x: 0..1) -> 0..1 { with 1/2 { return x } else { return 0 } }\n"
        "prior X on 0..1 = uniform\naudit R { prior X }"
    )
    found = audit(fast, timeout=60).operators[0]
    assert all(isinstance(one, Reading) for one in (*found.readings, *found.priors[0].readings))
    assert "posteriors_not_computed" not in audit(fast).to_json()["operators"][0]


def test_events_come_in_order():
    model = ppdm_formal.compile_text(
        "prior X on 0..1 = uniform\n"
        "operator A(x: 0..1) -> 0..1 { return x }\noperator B(x: 0..1) -> 0..1 { return 0 }\n"
        "audit A, B { prior X; require amplification <= 2 }"
    )
    events = list(audit_events(model, [BoundClaim("local_dp", "<=", 1)]))
    one = [
        OperatorStarted,
        *[MeasureTaken] * len(all_measures()),
        *[ClaimStarted, ClaimDecided] * 2,
        OperatorAudited,
    ]
    assert [type(event) for event in events] == one * 2
    assert [(e.position, e.operators) for e in events if isinstance(e, OperatorStarted)] == [
        (1, 2),
        (2, 2),
    ]
    told = []
    result = audit(model, [BoundClaim("local_dp", "<=", 1)], progress=told.append)
    assert [type(event) for event in told] == [type(event) for event in events]
    assert [e.found for e in told if isinstance(e, OperatorAudited)] == list(result.operators)


def test_sums_over_outputs_are_not_computed_from_relative_likelihoods():
    model = ppdm_formal.compile_text(
        "operator S = select_a_size(items: 5000, size: 5, insert: 51/100, cutoff: 4, gamma: 19)\n"
        "audit S { require amplification <= 19; require local_dp <= 3 }"
    )
    found = audit(model).operators[0]
    assert found.capacity is None
    assert [one.reason for one in found.readings if isinstance(one, NotComputed)] == [
        "relative likelihoods",
        "size limit",  # what follows every input through all outputs
    ]
    assert [c.verdict.value for c in found.certificates] == ["certified", "certified"]


def test_what_is_too_large_is_said_and_not_an_error():
    """A million bits under one prior: beliefs and breaches are decided, best guesses not."""
    model = ppdm_formal.compile_text(
        """
        domain V = 0..999999
        operator U = unary_encoding(values: 1000000, gamma: 3)
        prior X on V = uniform
        property first on V = x == 0
        audit U {
            prior X
            property first
            forbid breach 1/4 -> 3/4
            forbid breach 1/4 -> 3/4 under X
            require vulnerability(X) <= 1/4
        }
        """
    )
    result = audit(model)
    operator = result.to_json()["operators"][0]
    assert operator["amplification"]["value"] == "3"
    assert operator["information"][0]["vulnerability"] == {"not_computed": "size limit"}
    assert [row["after"] for row in operator["worst_posteriors"]] == ["1/333334", "1/2999998"]
    verdicts = [c["verdict"] for c in operator["certificates"]]
    assert verdicts == ["certified", "certified", "unknown"]
    assert "1,000,000 values of 1 kind" in result.operators[0].certificates[2].reason


def test_an_operator_without_views_does_not_end_the_audit():
    model = ppdm_formal.compile_text(
        """
        operator G = truncated_geometric(values: 100000, ratio: 1/2)
        operator R = randomized_response(values: 4, keep: 1/2)
        audit G, R { forbid breach 1/10 -> 1/2 }
        """
    )
    result = audit(model)
    large, small = result.to_json()["operators"]
    assert large["views"] is None
    assert large["amplification"] == {"not_computed": "size limit"}
    assert [c["verdict"] for c in large["certificates"]] == ["unknown"]
    assert "too long to write" in result.operators[0].certificates[0].reason
    assert small["views"] == 1
    assert [c["verdict"] for c in small["certificates"]] == ["certified"]
    assert result.exit_code == 3
