"""Powers of e in clients: integers around 2^scale e^(k step), and what these decide."""

from __future__ import annotations

import json
import random
import re
import subprocess
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path

import mpmath
import pytest
from test_client import EACH_LANGUAGE

from ppdm_formal.run.client import runtime
from ppdm_formal.run.client.runtime import _enclosed, _exp_powers, _exp_runs


def powers_in(language, folder, step, many, scale):
    """The same function of either client."""
    if language == "python":
        return _exp_powers(step, many, scale)
    text = Path(runtime.__file__).with_suffix(".mjs").read_text()
    function = re.search(r"^function expPowers\(.*?^}", text, re.S | re.M)[0]
    up = re.search(r"^const up = .*?;$", text, re.S | re.M)[0]
    call = f"expPowers([{step[0]}n, {step[1]}n], {many}, {scale}n)"
    said = f"console.log(JSON.stringify({call}.map((ends) => ends.map(String))));"
    (folder / "powers.mjs").write_text("\n".join([up, function, said]))
    done = subprocess.run(["node", str(folder / "powers.mjs")], capture_output=True, check=True)
    return [tuple(map(int, ends)) for ends in json.loads(done.stdout)]


@pytest.mark.parametrize("step", [(1, 2), (1, 1), (7, 3), (20, 1), (1, 1000), (99, 10)])
@pytest.mark.parametrize("scale", [4, 64, 200])
def test_powers_of_e_are_enclosed_closely(step, scale):
    with mpmath.workdps(400):
        t = mpmath.mpf(step[0]) / step[1]
        for k, (low, high) in enumerate(_exp_powers(step, 6, scale)):
            value = mpmath.exp(k * t) * 2**scale
            assert low <= value <= high, k
            assert high - low <= 2


@pytest.mark.parametrize("language", EACH_LANGUAGE)
@pytest.mark.parametrize("scale", [286, 287, 288])
def test_a_power_just_above_an_integer_is_enclosed(tmp_path, language, scale):
    """2^286 e^(1/67) is so little above an integer that the series, cut off, falls below it."""
    (_, (low, high)) = powers_in(language, tmp_path, (1, 67), 2, scale)
    with mpmath.workdps(400):
        value = mpmath.exp(mpmath.mpf(1) / 67) * 2**scale
        assert value - mpmath.floor(value) < 2**-17
        assert low <= value <= high
        assert high - low <= 2


POLYNOMIALS = ([1], [0, 1], [5, -1], [-1, 1], [-7, 3, 0, 1], [9, -2, -1], [3, 0, -1, 1])


@pytest.mark.parametrize("scale", [4, 64, 200])
@pytest.mark.parametrize("weight", POLYNOMIALS)
def test_polynomials_are_enclosed_also_where_coefficients_are_below_0(weight, scale):
    low, high = _enclosed(weight, _exp_powers((1, 2), 4, scale))
    with mpmath.workdps(400):
        value = sum(c * mpmath.exp(mpmath.mpf(k) / 2) for k, c in enumerate(weight)) * 2**scale
        assert max(0, low) <= max(0, value) <= high
        assert high - low <= 2 * sum(map(abs, weight))


@pytest.mark.parametrize("bits", [1, 5, 12, 40])
def test_what_is_drawn_lies_between_the_ends_that_are_decided(bits):
    """Between word and word + 1 over 2^bits: all outputs there are left, and hardly others."""
    runs = [(3, [1, 1]), (0, [2]), (2, [5, -1]), (1, [-1, 1]), (4, [0, 0, 1])]
    where, draw = _exp_runs(runs, (1, 2)), random.Random(5)
    words = range(1 << bits) if bits < 10 else [draw.getrandbits(bits) for _ in range(300)]
    with mpmath.workdps(200):
        t = mpmath.exp(mpmath.mpf(1) / 2)
        each = [sum(c * t**k for k, c in enumerate(w)) for count, w in runs for _ in range(count)]
        ends = list(accumulate(each))
        edges = [end / ends[-1] * 2**bits for end in ends[:-1]]
        for word in words:
            first, last = where(word, bits)
            assert first <= bisect_right(edges, word) <= bisect_right(edges, word + 1) <= last
            assert bisect_right(edges, word - 1) <= first
            assert last <= bisect_right(edges, word + 2)
