"""Large decoders in floating point, with a proof that nothing is lost and a bound on their bias.

If every row sum of |P D - I| is below 1, then P D is invertible and so the rows of P are
independent; and the mean of an estimate differs from the truth by at most max |P D - I|.
Rounding errors of the product are bounded as well: (outputs + 2) * epsilon * |P| |D|.
"""

from __future__ import annotations

import numpy as np

from ppdm_formal.declare.operators.matrix import CodedMatrix
from ppdm_formal.declare.operators.recoverable import Recoverable, rank_modulo
from ppdm_formal.infer.undoing.counts import Floats
from ppdm_formal.infer.undoing.decoder import NotRecoverable, TableDecoder

_EPSILON = float(np.finfo(np.float64).eps)


def rounded_decoder(matrix: CodedMatrix, masses: Floats) -> TableDecoder:
    """Solve in doubles, refine once, then verify."""
    forward = np.array([float(value) for value in matrix.palette])[matrix.codes]
    outputs = masses @ forward
    reached = outputs > 0
    inside = forward[:, reached]
    try:
        scores = _solved(inside, outputs[reached])
    except np.linalg.LinAlgError:
        raise _refusal(matrix) from None
    wrong = np.abs(inside @ scores - np.eye(len(inside)))
    rounding = (inside.shape[1] + 2) * _EPSILON * (inside @ np.abs(scores))
    if not (wrong + rounding).sum(axis=1).max() < 0.5:
        raise _refusal(matrix)
    full = np.zeros((matrix.shape[1], matrix.shape[0]))
    full[reached] = scores
    everything = Recoverable.everything(matrix.shape[0])
    return TableDecoder(full, everything, outputs, False, float((wrong + rounding).max()))


def _solved(forward: Floats, outputs: Floats) -> Floats:
    inputs, reached = forward.shape
    identity = np.eye(inputs)
    if inputs > reached:
        raise np.linalg.LinAlgError
    if inputs == reached:
        scores = np.linalg.inv(forward)
        return np.asarray(scores + scores @ (identity - forward @ scores))
    weighted = forward.T / outputs[:, None]
    middle = np.linalg.inv(forward @ weighted)
    scores = weighted @ middle
    return np.asarray(scores + weighted @ (middle @ (identity - forward @ scores)))


def _refusal(matrix: CodedMatrix) -> NotRecoverable:
    """Why there is no decoder: rows that depend on others, or too nearly so for doubles."""
    rows, first = np.unique(matrix.codes, axis=0, return_index=True)
    rank = rank_modulo(rows, matrix.palette)
    inputs = matrix.shape[0]
    if rank == inputs:
        return NotRecoverable(
            "not recoverable in floating point: the operator's rows are independent, but so nearly "
            "dependent that rounding would decide the estimate"
        )
    alike = inputs - len(first)
    same = f", {alike} of them because inputs have equal rows" if alike else ""
    return NotRecoverable(
        f"not recoverable: of the distribution on {inputs} inputs, {inputs - rank} directions are "
        f"lost{same}"
    )
