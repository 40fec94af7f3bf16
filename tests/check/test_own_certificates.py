"""What an audit writes, the checker accepts: random claims of every kind, fixed and fresh ones."""

import secrets
from collections import Counter

from own_certificates import tried


def test_fixed_models():
    result = tried("fixed", 20)
    assert not result["wrong"], "\n".join(result["wrong"].values())
    ended = sum(result["ended"].values(), start=Counter())
    assert ended["certified"] > 5
    assert ended["breached"] > 5


def test_fresh_models():
    seed = secrets.token_hex(4)
    result = tried(seed, 10)
    shown = "\n".join(f"{name}:\n{what}" for name, what in result["wrong"].items())
    assert not result["wrong"], f"python -m tests.check.own_certificates --seed {seed}\n{shown}"
