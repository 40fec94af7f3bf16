"""Free parameters: Duchi on 101 points, RAPPOR on 8 bits, certificates checked and attacked."""

from __future__ import annotations

import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from benchmarks.result import Result, run

ROOT = Path(__file__).parents[1]

DUCHI = """
param t in (1, 100)
operator Sign(x: -50..50) -> {-1, 1} { [x -> y] = 1/2 + y * x/50 * (t - 1) / (2 * (t + 1)) }
audit Sign { forbid breach 10% -> 30%; require amplification <= 3; require epsilon <= ln(20) }
"""


def rappor(bits: int, values: int) -> str:
    """RAPPOR written out, its three parameters free."""
    return f"""{_NOISE}
operator Once(x: 0..{values - 1}) -> Bit^{bits} {{
    return [Report(1 if i in {{x mod {bits}, (3*x + 5) mod {bits}}} else 0) for i in 0..{bits - 1}]
}}
"""


_NOISE = """
param f in (0, 1)
param p in (0, 1/2)
param q in (1/2, 1)
domain Bit = {0, 1}
operator Permanent(b: Bit) -> Bit { with f { return uniform(Bit) } else { return b } }
operator Report(b: Bit) -> Bit { kept ~ Permanent(b); return bernoulli(q if kept == 1 else p) }
"""

MUTATIONS = 2000


def measure() -> list[Result]:
    """Seconds of whole commands, and what came of the attack on certificates."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            _timed("Duchi on 101 points, t free, three claims decided", DUCHI, 10, folder, 1),
            _timed("RAPPOR on 8 bits, f, p, q free: amplification", rappor(8, 12), 20, folder, 0),
            _checked_alone(Path(folder)),
            _attacked(),
        ]


def _timed(question: str, text: str, most: float, folder: str, expected: int) -> Result:
    path = Path(folder) / "model.ppdm"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ppdm_formal.cli", "audit", str(path)]
    seconds = run(command, expected).seconds  # 3 where a claim stayed unknown
    return Result(question, f"{seconds:.1f} s", f"< {most:g} s", seconds < most)


def _checked_alone(folder: Path) -> Result:
    """The checker alone (python -I -S): no package of this environment can be imported."""
    for name in ("warner", "k_ary"):
        model = str(ROOT / "models" / f"{name}.ppdm")
        audit = [sys.executable, "-m", "ppdm_formal.cli", "audit", model]
        run([*audit, "--certificates", str(folder / name)], 0, 1)
    paths = [*(folder / "warner").glob("*.json"), *(folder / "k_ary").glob("Free-*.json")]
    checker = str(ROOT / "ppdm_formal" / "check.py")
    run([sys.executable, "-I", "-S", checker, *map(str, paths)])
    said = f"{len(paths)} verified"
    return Result("Warner, k-ary: certificates with free p", said, "exit 0, no solver", True)


def _attacked() -> Result:
    sys.path.insert(0, str(ROOT / "tests" / "check"))
    start = time.perf_counter()
    counts = import_module("attack").attack(MUTATIONS, 7, free=True)
    wrong = counts["accepted, false"] + counts["accepted against the model, OTHER statement"]
    kept = counts["accepted, true"]
    said = f"{wrong} false ones accepted, {kept} were true; {time.perf_counter() - start:.0f} s"
    return Result(
        f"{MUTATIONS:,} changed certificates of regions", said, "none accepted", not wrong
    )
