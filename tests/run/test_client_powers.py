"""Powers of e in clients: integers around 2^scale e^(k step), whatever the step."""

from __future__ import annotations

import mpmath
import pytest

from ppdm_formal.run.client.runtime import _exp_powers


@pytest.mark.parametrize("step", [(1, 2), (1, 1), (7, 3), (20, 1), (1, 1000), (99, 10)])
@pytest.mark.parametrize("scale", [4, 64, 200])
def test_powers_of_e_are_enclosed_closely(step, scale):
    with mpmath.workdps(400):
        t = mpmath.mpf(step[0]) / step[1]
        for k, (low, high) in enumerate(_exp_powers(step, 6, scale)):
            value = mpmath.exp(k * t) * 2**scale
            assert low <= value <= high, k
            assert high - low <= 2
