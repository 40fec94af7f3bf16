"""Replay: a counterexample made an operator and a claim, and decided by the certifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_formal.certify.statement.outcome import Outcome
from ppdm_formal.declare.machine.deadline import Deadline

if TYPE_CHECKING:
    from ppdm_formal.certify.finding import Verdict
    from ppdm_formal.declare.claim import BreachClaim


def replay_breach(
    rows: Sequence[Sequence[object]],
    claim: BreachClaim,
    expected: Verdict,
    deadline: Deadline,
    output: int | None = None,
) -> Outcome:
    """Refuted if the operator with these rows gets the expected verdict on the claim.

    output: where the breach must be, if it is one. Any other verdict leaves it unknown: what
    the solver found did not survive.
    """
    from ppdm_formal.certify import certify
    from ppdm_formal.declare.operators.randomization import Operator

    found = certify(Operator.from_matrix(rows), claim, timeout=deadline.left)
    witness = found.witness
    elsewhere = (
        output is not None and witness is not None and found.views[witness.view].output != output
    )
    if found.verdict is not expected or elsewhere:
        return Outcome("unknown", "the counterexample did not survive its replay")
    trust = str(found.trust or "")
    return Outcome("refuted", found.reason, means=("exact arithmetic",), trust=trust)
