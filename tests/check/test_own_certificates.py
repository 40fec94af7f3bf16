"""What an audit writes, the checker accepts: random claims of every kind, fixed and fresh ones."""

import random
import secrets
from collections import Counter

import pytest
from how_many import cases
from own_certificates import KINDS, tried

pytestmark = pytest.mark.usefixtures("one_checker")


def test_fixed_models():
    result = tried("fixed", cases(10, 20))  # there are ten kinds
    assert not result["wrong"], "\n".join(result["wrong"].values())
    ended = sum(result["ended"].values(), start=Counter())
    assert ended["certified"] > 5
    assert ended["breached"] > 5


def test_fresh_models():
    seed, many = secrets.token_hex(4), cases(3, 10)
    kinds = random.sample(list(KINDS), many)
    result = tried(seed, many, kinds)
    shown = "\n".join(f"{name}:\n{what}" for name, what in result["wrong"].items())
    again = f"--seed {seed} --models {many} --kinds {' '.join(kinds)}"
    assert not result["wrong"], f"python -m tests.check.own_certificates {again}\n{shown}"
