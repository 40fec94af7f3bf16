"""How many cases a test draws: few at hand, many where PPDM_CASES=many asks for them (CI does)."""

import os

MANY = os.environ.get("PPDM_CASES") == "many"


def cases(few, many):
    """A number of cases: enough at hand to notice what breaks a kind of case, many to find more."""
    assert 0 < few <= many
    return many if MANY else few
