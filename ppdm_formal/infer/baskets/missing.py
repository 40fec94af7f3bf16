"""What a list may lack: sets that reach the least support and are not listed, and what would help.

Given its estimate, a candidate's support is about normal around the shrunken (or raw) estimate. The
sum of the chances that it reaches the least support is how many are to be expected among those not
listed. With n times the clients all standard errors are smaller by sqrt(n); a set is then listed
where its estimate is z errors above the least support, z being what the last of the list needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, inf, sqrt

import numpy as np
import numpy.typing as npt

from ppdm_formal.run.estimated_supports import Floats

NEXT = 10
"""How many more are asked for."""

MOST_TIMES = 1e6


@dataclass(frozen=True)
class Lacking:
    """What is expected beyond a list.

    unlisted: sets that reach the least support. more_clients: how many clients more would list NEXT
    of them, on average; None where no number would.
    """

    unlisted: float
    more_clients: int | None


def _upper(z: Floats) -> Floats:
    return np.array([(1 - erf(x / sqrt(2))) / 2 for x in z.ravel()]).reshape(z.shape)


def lacking(
    estimates: Floats,
    errors: Floats,
    least: float,
    listed: npt.NDArray[np.bool_],
    clients: int,
    more: int = NEXT,
) -> Lacking:
    """Of candidates' (shrunken) estimates with their errors, and which are listed.

    >>> some = np.array([0.05, 0.03, 0.025]), np.full(3, 0.01), 0.02, np.array([True, False, False])
    >>> lacking(*some, 1000, more=1).more_clients
    15000
    """
    left, errs = estimates[~listed], np.maximum(errors[~listed], 1e-300)
    reach = _upper((least - left) / errs)
    unlisted = float(reach.sum())
    if unlisted < more:
        return Lacking(unlisted, None)
    needed = max(
        2.0,
        float(((estimates[listed] - least) / np.maximum(errors[listed], 1e-300)).min())
        if listed.any()
        else 3.0,
    )

    def found(times: float) -> float:
        # the support itself is uncertain by `errs`, and then measured anew with smaller errors
        line = least + needed * errs / sqrt(times)
        return float(_upper((line - left) / errs).sum())

    low, high = 1.0, 1.0
    while found(high) < more:
        high *= 2
        if high > MOST_TIMES:
            return Lacking(unlisted, None)
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if found(middle) < more else (low, middle)
    wanted = (high - 1) * clients
    return Lacking(unlisted, _round_up(wanted) if wanted < inf else None)


def _round_up(value: float) -> int:
    """To two digits: it is a forecast."""
    unit = 10 ** max(0, len(str(int(value))) - 2)
    return int(-(-value // unit) * unit)
