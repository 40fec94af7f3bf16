"""Every certificate that an audit writes is accepted by the checker, with and without the model.

By hand at length: python -m tests.check.own_certificates --models 800 --seed 7
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from ppdm_formal.cli import run

sys.path.insert(0, str(Path(__file__).parent))
from random_models import KINDS, Maker, models

GOOD = {0, 1, 3}
"""What an audit of a right model and a check of its certificates may end with."""


def said(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it printed."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        code = run(arguments)
    return code, out.getvalue()


def problems(make: Maker, folder: Path) -> tuple[list[str], Counter[str]]:
    """What goes wrong with a model's certificates, and how many claims ended in which way."""
    folder.mkdir(parents=True)
    for name, text in make.files.items():
        (folder / name).write_text(text)
    model, kept, found = folder / "m.ppdm", folder / "certificates", folder / "audit.json"
    model.write_text(make.text)
    code, printed = said(
        *("audit", str(model), "--no-solver", "--timeout", "20"),
        *("--certificates", str(kept), "--json", str(found)),
    )
    if code == 2 and "no prior satisfies" in printed:
        return [], Counter()  # random constraints that contradict each other: bad input
    if code not in GOOD:
        return [f"audit: exit {code}\n{printed}"], Counter()
    audited = json.loads(found.read_text())
    claims = [
        claim
        for room in ("operators", "continuous", "parts")
        for one in audited.get(room, ())
        for claim in one.get("certificates", one.get("claims", ()))
    ]
    ended = Counter(claim["verdict"] for claim in claims)
    # An audit asks the checker too, and tells no verdict that it rejects.
    wrong = [claim["reason"] for claim in claims if "DISAGREEMENT" in claim["reason"]]
    if kept.exists():
        permits = ("--allow-vacuous", "--allow-solver-trusted")
        for more in ((), ("--model", str(model))):
            code, printed = said("check", str(kept), *permits, *more)
            if code not in GOOD or "rejected" in printed or "not verified" in printed:
                wrong.append(f"check {' '.join(more)}: exit {code}\n{printed}")
    return wrong, ended


def tried(seed: object, count: int, kinds: list[str] | None = None, progress: bool = False) -> dict:
    """All models tried: what went wrong by name, and how claims ended by kind."""
    wrong: dict[str, str] = {}
    ended: dict[str, Counter[str]] = {kind: Counter() for kind in kinds or KINDS}
    top = Path(tempfile.mkdtemp())
    started = time.monotonic()
    for number, (name, make) in enumerate(models(seed, count, kinds)):
        found, counted = problems(make, top / name)
        ended[name.split("-")[-2]] += counted
        if found:
            wrong[name] = make.text + "".join(f"{k}:\n{v}" for k, v in make.files.items())
            wrong[name] += "\n".join(found)
            if progress:
                print(f"=== {name}\n{wrong[name]}", flush=True)
        shutil.rmtree(top / name, ignore_errors=True)
        if progress and number % 20 == 19:
            claims = sum(map(Counter.total, ended.values()))
            spent = time.monotonic() - started
            print(
                f"{number + 1} models, {claims} claims, {len(wrong)} wrong, {spent:.0f} s",
                flush=True,
            )
    shutil.rmtree(top, ignore_errors=True)
    return {"wrong": wrong, "ended": ended}


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--models", type=int, default=800)
    options.add_argument("--seed", default="0")
    options.add_argument("--kinds", nargs="*", choices=list(KINDS))
    given = options.parse_args()
    result = tried(given.seed, given.models, given.kinds, progress=True)
    for kind, counted in result["ended"].items():
        print(kind, dict(counted))
    print(f"{len(result['wrong'])} models with something wrong")
    sys.exit(bool(result["wrong"]))
