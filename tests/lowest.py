"""By hand (make lowest): real commands with the lowest versions that pyproject.toml allows.

    python tests/lowest.py FOLDER [--python PYTHON] [--extras a,b] [--pinned]

makes a virtual environment in FOLDER, installs the lowest declared version of every package (or,
with --pinned, those of constraints.txt), and runs commands whose exit codes must be as expected.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

CORE = (
    (0, "--help"),
    (1, "audit {root}/models/example1.ppdm --html a.html --json a.json --certificates c"),
    (1, "audit {root}/models/warner.ppdm"),
    (1, "check c --model {root}/models/example1.ppdm"),
    (0, "check c --model {root}/models/example1.ppdm --allow-breached"),
    (0, "compare --example warner --set p=3/5,3/4"),
    (1, "audit {root}/models/noisy_age.ppdm --no-solver"),
    (0, "prove egs03/statement_1"),
    (0, "design --items 100 --sizes 3 --transactions 1000 --rho1 5% --rho2 50% -o plan.json"),
    (0, "audit plan.json"),
    (0, "leakage matrix.csv"),
    (0, "rate loss.csv --max-loss 0.3"),
    (0, "anonymity table.csv --quasi age"),
    (0, "value --game game.csv"),
    (0, "new survey"),
    (2, "audit damaged.csv"),
)
RUN = (
    (
        0,
        "randomize table.csv -o out.csv --model matrix.csv --operator matrix=age"
        " --forbid 1/100:99/100",
    ),
    (0, "estimate out.csv --model matrix.csv"),
    (0, "client matrix.csv --operator matrix --language python -o c.py --forbid 1/100:99/100"),
    (0, "mine baskets.dat --plain --min-support 40%"),
    (0, "krimp baskets.dat"),
)
NUMERIC = (
    (3, "reconstruct table.csv --column age --noise uniform(-1,1) --cells 0:2:2"),
    (0, "classify --functions F1 --train 200 --test 50 --strategies original --privacy 25%"),
)
SOLVERS = ((0, "audit matrix.csv --forbid 1/100:99/100 --cross-check"),)
FILES = {
    "matrix.csv": "0.6,0.4\n0.4,0.6\n",
    "damaged.csv": "0.999,0.00l\n0.5,0.5\n",
    "loss.csv": "0,1\n1,0\n",
    "table.csv": "age\n" + "0\n1\n1\n" * 60,
    "game.csv": "coalition,payoff\nA,1\nB,1\nA+B,3\n",
    "baskets.dat": "1 2 3\n1 2\n2 3\n1 3\n" * 20,
}


def requirements(extras: list[str], pinned: bool) -> list[str]:
    """What to install: the lowest of all, or the names alone."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"]]
    for extra in extras:
        asked += project["optional-dependencies"][extra]
    named = [one.partition(">=") for one in dict.fromkeys(asked)]
    return [name if pinned else f"{name}=={least}" for name, _, least in named]


def main() -> int:
    """Install, run, and say what was not as expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--extras", default="")
    parser.add_argument("--pinned", action="store_true")
    asked = parser.parse_args()
    extras = [extra for extra in asked.extras.split(",") if extra]
    folder = asked.folder.resolve()
    if not (folder / "bin").exists():
        subprocess.run([asked.python, "-m", "venv", folder], check=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    pins = ["-c", ROOT / "constraints.txt"] if asked.pinned else []
    subprocess.run([*pip, *pins, *requirements(extras, asked.pinned)], check=True)
    subprocess.run([*pip, "--no-deps", ROOT], check=True)
    work = folder / "work"
    work.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (work / name).write_text(text)
    (work / "survey.ppdm").unlink(missing_ok=True)
    commands = [*CORE]
    commands += RUN if {"run", "cluster"} & set(extras) else ()
    commands += NUMERIC if "numeric" in extras else ()
    commands += SOLVERS if "solvers" in extras else ()
    wrong = 0
    for expected, command in commands:
        words = command.format(root=ROOT).split()
        found = subprocess.run(
            [folder / "bin" / "ppdm", *words], cwd=work, capture_output=True, text=True
        )
        good = found.returncode == expected and "Traceback" not in found.stderr
        wrong += not good
        print("ok  " if good else f"{found.returncode}, not {expected}:", " ".join(words)[:90])
        if not good:
            print(found.stderr[-1500:])
    print(f"{len(commands) - wrong} of {len(commands)} commands as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
