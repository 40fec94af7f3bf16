"""R3 of EGS03 Example 1 on 10,001 values (10^8 entries), audited from its model file."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from benchmarks.result import IMPORTS, Result, run

MODEL = """
domain Number = 0..10000

prior X on Number {{
    0        : 1/100
    1..10000 : 99/1000000 each
}}

property zero on Number = x == 0
property far  on Number = not (2000 <= x <= 8000)

operator R2(x: Number) -> Number {{
    shift ~ uniform(-{reach}..{reach})
    return (x + shift) mod 10001
}}

operator R3(x: Number) -> Number {{
    with 1/2 {{ return R2(x) }}
    else     {{ return uniform(Number) }}
}}

audit R3 {{
    prior X
    property zero, far
    given 0
    forbid breach 1/7 -> 1/2
    forbid breach 1/7 -> 1/2 under X
    require amplification < {bound}
}}
"""


def measure() -> list[Result]:
    """Time and memory of the whole command, for wide and for narrow noise."""
    found = []
    for reach, bound in ((1000, 6), (100, 51)):
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "scaled.ppdm"
            model.write_text(MODEL.format(reach=reach, bound=bound), encoding="utf-8")
            imports = run(IMPORTS)
            done = run([sys.executable, "-m", "ppdm_formal.cli", "audit", str(model)], 0, 1)
        found.append(
            Result(
                f"R3 on 10,001 values, shift -{reach}..{reach}, from its model file",
                f"{done.seconds:.1f} s ({done.processor:.1f} s of processors), "
                f"{done.memory / 2**30:.2f} GiB",
                "under 60 s and 2 GiB",
                done.seconds < 60 and done.memory < 2 * 2**30,
                f"10,001 values, shift {reach}",
                done.processor / imports.processor,
            )
        )
    return found
