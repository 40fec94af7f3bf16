"""`ppdm audit --timeout 10` ends within 15 s: on every model of models/ and on five heavy ones."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.free_parameters import rappor
from benchmarks.result import Result, run

SECONDS, MOST = 10, 15

HEAVY = {
    "RAPPOR, 10 bits, three free parameters": rappor(10, 40)
    + "audit Once { forbid breach 1/12 -> 1/2; require amplification <= 1000 }",
    "geometric noise, a thousand reports, a free": """
param a in (0, 1)
operator Noise = truncated_geometric(values: 60, ratio: a)
audit Noise { forbid breach 1/10 -> 1/2 after 1000 reports; require amplification <= 1000000 }
""",
    "every property of 40 unequal inputs": """
domain Value = 1..40
prior Unequal on Value { 1..40 : 1/40 each }
prior Skewed on Value { 1 : 181/1000; 2..39 : 21/1000 each; 40 : 21/1000 }
param p in (0, 1)
operator Mixed(x: Value) -> 0..6 {
    with p { return x^3 mod 7 } else { return uniform(0..6) }
}
audit Mixed { forbid breach 1/7 -> 1/2 under Skewed; forbid breach 1/7 -> 1/2 under Unequal }
""",
    "four free parameters": """
param a in (1/10, 1/4)
param b in (1/10, 1/4)
param c in (1/10, 1/4)
param d in (1/10, 1/4)
operator Four(x: 0..4) -> 0..3 {
    matrix {
        0 : a b c (1 - a - b - c)
        1 : b c d (1 - b - c - d)
        2 : c d a (1 - a - c - d)
        3 : d (a*b + 1/10) c (9/10 - d - a*b - c)
        4 : (a*c + 1/10) b d (9/10 - a*c - b - d)
    }
}
prior Even on 0..4 = uniform
audit Four { forbid breach 1/5 -> 4/5 under Even; require amplification <= 7 }
""",
    "two reports of sums, under a prior": """
prior Even on 0..40 = uniform
operator Sum(x: 0..40) -> 0..80 {
    a ~ binomial(20, 1/3)
    b ~ binomial(20, 2/7)
    return x + a + b
}
audit Sum {
    prior Even
    forbid breach 1/10 -> 1/2 under Even after 2 reports
    require worst_case_information(Even) <= 2 bits after 2 reports
}
""",
}
"""What some step of an audit does not get done in a short time."""


def measure() -> list[Result]:
    """The slowest of the models that come with the package, and each heavy one."""
    found = []
    shipped = sorted((Path(__file__).parents[1] / "models").glob("*.ppdm"))
    slowest = max(((_seconds(model), model.name) for model in shipped), default=(0.0, "none"))
    found.append(_result(f"models/: {slowest[1]}, the slowest of {len(shipped)}", slowest[0]))
    with tempfile.TemporaryDirectory() as folder:
        for name, text in HEAVY.items():
            path = Path(folder) / "heavy.ppdm"
            path.write_text(text, encoding="utf-8")
            found.append(_result(name, _seconds(path)))
    return found


def _seconds(model: Path) -> float:
    audit = [sys.executable, "-m", "ppdm_formal.cli", "audit", str(model)]
    return run([*audit, "--timeout", str(SECONDS)], 0, 1, 3).seconds


def _result(question: str, seconds: float) -> Result:
    return Result(
        f"--timeout {SECONDS}: {question}", f"{seconds:.1f} s", f"<= {MOST} s", seconds <= MOST
    )
