"""How long coqc takes for theorems of certificates, and for a view of 5,000 classes: by hand.

    make theorems
    python -m tests.theorems.timed build/theorems CERTIFICATE...

Seconds are those of the processor that coqc used, so that a busy machine does not count.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from ppdm_formal import BreachClaim, Operator
from ppdm_formal.certify import certify
from ppdm_formal.certify.theorem import NotCovered
from ppdm_formal.certify.theorem.text import theorem_text

MOST, MOST_OF_LARGE = 2.0, 15.0  # seconds
CLASSES = 5000


def large() -> dict[str, Any]:
    """A certificate of one output that all inputs give with another probability."""
    chances = [Fraction(CLASSES + i, 3 * CLASSES) for i in range(CLASSES)]
    operator = Operator.from_matrix([[chance, 1 - chance] for chance in chances], name="Large")
    found = certify(operator, BreachClaim(Fraction(1, 4), Fraction(1, 2))).to_json()
    return dict(json.loads(json.dumps(found)))


def seconds(library: Path, text: str) -> tuple[bool, float]:
    """Whether a theorem compiles, and how long that takes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Certificate.v"
        path.write_text(text, encoding="utf-8")
        before = os.times()
        command = ["coqc", "-q", "-Q", str(library), "PPDM", str(path)]
        done = subprocess.run(command, cwd=folder, capture_output=True)
        after = os.times()
    used = after.children_user + after.children_system
    return done.returncode == 0, used - before.children_user - before.children_system


def main() -> int:
    """Compile them one by one; 1 if one does not compile, or takes too long."""
    library, good, worst, skipped = Path(sys.argv[1]).resolve(), True, 0.0, 0
    for name in sys.argv[2:]:
        try:
            text = theorem_text(json.loads(Path(name).read_text(encoding="utf-8")))
        except NotCovered as why:
            print(f"          {name}: not covered: {why}")
            skipped += 1
            continue
        compiled, used = seconds(library, text)
        good, worst = good and compiled and used <= MOST, max(worst, used)
        print(f"{used:8.2f}  {name}{'' if compiled else ': DOES NOT COMPILE'}")
    compiled, used = seconds(library, theorem_text(large()))
    print(f"{used:8.2f}  a view of {CLASSES} classes{'' if compiled else ': DOES NOT COMPILE'}")
    count = len(sys.argv) - 2 - skipped
    print(f"{count} theorems, the slowest {worst:.2f} s; {skipped} not covered")
    return 0 if good and compiled and used <= MOST_OF_LARGE else 1


if __name__ == "__main__":
    sys.exit(main())
