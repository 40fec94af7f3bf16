"""Compare with an earlier commit: audits, clients and release descriptions of many models.

    .venv/bin/python tests/as_before/run.py COMMIT [--random 500] [--seed 1]

By hand, after a change that should change nothing: every JSON of an audit, every client's law and
cases and every operator as a release describes it must be as the commit wrote it, or be a change
that you meant. So must the audits of random models (tests/check/random_models.py, this tree's for
both). Differences are listed; the exit code is 1 where there are some.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]

FAMILIES = (
    "randomized_response(values: 5, keep: 3/5)",
    "randomized_response(values: 100000, keep: 1/2)",
    "randomized_response(values: 7, keep: exp(1)/(exp(1) + 6))",
    "select_a_size(items: 6, size: 2, insert: 1/3, cutoff: 1, gamma: 19)",
    "select_a_size(items: 1000, size: 5, insert: 51/100, cutoff: 4, gamma: 19)",
    "select_a_size(items: 5, size: 2, insert: 1/4, keep: [1/6, 1/3, 1/2])",
    "cut_and_paste(items: 6, size: 3, cutoff: 2, insert: 1/5)",
    "flip(items: 6, size: 2, stay: 4/5)",
    "replace_items(items: 8, size: 2, keep: 2/3)",
    "unary_encoding(values: 6, keep: 3/4, flip: 1/5)",
    "unary_encoding(values: 2000, gamma: 3)",
    "unary_encoding(values: 6, epsilon: 1)",
    "subset_selection(values: 7, gamma: 3)",
    "subset_selection(values: 40, epsilon: 1)",
    "local_hashing(values: 6, buckets: 4, gamma: 3)",
    "rappor(bits: 16, hashes: 2, f: 1/2, p: 1/2, q: 3/4)",
    "hadamard_response(values: 6, gamma: 3)",
    "hadamard_response(values: 1000, epsilon: 1)",
    "truncated_geometric(values: 6, ratio: 1/2)",
    "truncated_geometric(values: 300, epsilon: 1)",
    "exponential_mechanism(values: 6, decay: 1/2)",
    "exponential_mechanism(values: 12, epsilon: 1)",
    "exponential_mechanism(values: 40, weights: [5, 3, 1])",
    "duchi_mean(values: 9, gamma: 3)",
    "duchi_mean(values: 1001, epsilon: 1)",
)
NOISES = ("uniform(-30, 30)", "triangular(-40, 40)", "laplace(20)", "normal(15)")
GRIDS = tuple(
    f"x + {noise} {window} to -10..20 rounded to {step}"
    for noise in NOISES
    for window in ("clamped", "truncated")
    for step in ("5", "1")
)
CONTINUOUS = tuple(f"x + {noise}" for noise in NOISES)


def models() -> dict[str, str]:
    """The models of the repository, one for each family, and noise on grids and on the line."""
    found = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for folder in ("models", "tests")
        for path in sorted((ROOT / folder).rglob("*.ppdm"))
    }
    for call in FAMILIES:
        found[call] = (
            f"operator R = {call}\n"
            "audit R {\n    forbid breach 1/10 -> 1/2\n    require epsilon <= 2\n}\n"
        )
    for body in (*GRIDS, *CONTINUOUS):
        found[body] = (
            "domain D = reals 0..10\nprior P on D {\n"
            "    uniform(0, 4) : 1/2\n    uniform(4, 10) : 1/2\n}\n"
            "property low on D = x <= 3\n"
            f"operator R(x: D) -> reals {{ return {body} }}\n"
            "audit R {\n    prior P\n    property low\n    forbid breach 1/10 -> 1/2\n"
            "    forbid breach 1/2 -> 9/10 under P for low\n}\n"
        )
    return found


def write(folder: Path) -> None:
    """What the package that is imported makes of every model."""
    from ppdm_formal.declare.language.compiler import compile_text
    from ppdm_formal.declare.language.errors import ModelError
    from ppdm_formal.run.client.cases import client_cases, example_inputs
    from ppdm_formal.run.client.description import client_law
    from ppdm_formal.run.described import operator_json

    for place, (name, text) in enumerate(models().items()):
        stem = f"{place:03d} " + re.sub(r"[^\w.-]+", "_", name)[:80]
        path = ROOT / name if name.endswith(".ppdm") else folder / f"{stem}.ppdm"
        if not path.is_relative_to(ROOT):
            path.write_text(text, encoding="utf-8")
        target = folder / f"{stem}.audit.json"
        if (folder / f"{stem}.audit.txt").exists():
            continue  # of a run that was stopped
        start = [sys.executable, "-c", "from ppdm_formal.cli import main; main()"]
        done = subprocess.run(
            [*start, "audit", str(path), "--no-solver", "--json", str(target)],
            capture_output=True,
            text=True,
            check=False,
        )
        (folder / f"{stem}.audit.txt").write_text(f"{done.returncode}\n{done.stdout}{done.stderr}")
        try:
            model = compile_text(text, folder=path.parent)
        except ModelError:
            continue  # the audit has said why
        for operator in model.operators.values():
            try:
                written = json.dumps(operator_json(operator), indent=1)
            except ValueError as problem:
                written = f"{problem}"
            (folder / f"{stem}.{operator.name}.release.json").write_text(written)
            try:
                law = client_law(operator)
                cases = client_cases(law, example_inputs(operator))
                written = json.dumps([law, cases], indent=1)
            except ValueError as problem:
                written = f"{problem}"
            (folder / f"{stem}.{operator.name}.client.json").write_text(written)


def write_random(folder: Path, count: int, seed: int) -> None:
    """Audits of random models, all in one process, through the command line alone."""
    sys.path.insert(0, str(ROOT / "tests" / "check"))
    from random_models import models as random_models

    from ppdm_formal.cli import run as command

    for name, make in random_models(seed, count):
        own = folder / f"random {name}"
        own.mkdir()
        for beside, text in make.files.items():
            (own / beside).write_text(text)
        (own / "m.ppdm").write_text(make.text)
        asked = ["audit", str(own / "m.ppdm"), "--no-solver", "--timeout", "60"]
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            code = command([*asked, "--json", str(folder / f"{own.name}.audit.json")])
        (folder / f"{own.name}.audit.txt").write_text(f"{code}\n{out.getvalue()}")
        shutil.rmtree(own)


def run(tree: Path, folder: Path, random: int, seed: int) -> None:
    """In processes that import the package from this tree, by the tree's own names."""
    folder.mkdir()
    here = Path(__file__).resolve()
    own = tree / "tests" / "as_before" / "run.py"
    drawn = ["--random", str(random), "--seed", str(seed)]
    asked = [(own if own.exists() else here, []), *([(here, drawn)] if random else [])]
    for script, more in asked:
        subprocess.run(
            [sys.executable, str(script), "--write", str(folder), *more],
            env={**os.environ, "PYTHONPATH": str(tree)},
            cwd=tree,
            check=True,
        )


def compared(before: Path, after: Path) -> list[str]:
    """What differs, by file."""
    found = []
    names = {path.name for folder in (before, after) for path in folder.iterdir()}
    for name in sorted(names):
        one, two = before / name, after / name
        if not (one.exists() and two.exists()):
            found.append(f"{name}: only {'after' if two.exists() else 'before'}")
        elif _plain(one, before) != _plain(two, after):
            found.append(f"{name}: differs")
    return found


def _plain(path: Path, folder: Path) -> str:
    """A file without folders and times."""
    text = path.read_text(encoding="utf-8").replace(str(folder), "")
    return re.sub(r'("seconds": [\d.e-]+|in [\d.]+ (s|ms)\b|[\d.]+ s\b)', "", text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", nargs="?")
    parser.add_argument("--write", type=Path)
    parser.add_argument("--random", type=int, default=0, help="random models, so many")
    parser.add_argument("--seed", type=int, default=1, help="of the random models")
    parser.add_argument("--keep", type=Path, help="folder for what was written; kept")
    options = parser.parse_args()
    if options.write:
        if options.random:
            write_random(options.write, options.random, options.seed)
        else:
            write(options.write)
        sys.exit()
    with tempfile.TemporaryDirectory() as temporary:
        kept = options.keep or Path(temporary)
        tree = Path(temporary) / "tree"
        if not (kept / "before").exists():
            git = ["git", "-C", str(ROOT), "worktree"]
            subprocess.run([*git, "add", "--detach", str(tree), options.commit], check=True)
            try:
                run(tree, kept / "before", options.random, options.seed)
            finally:
                subprocess.run([*git, "remove", "--force", str(tree)], check=True)
        run(ROOT, kept / "after", options.random, options.seed)
        different = compared(kept / "before", kept / "after")
        print("\n".join([*different, f"{len(different)} files differ"]))
        sys.exit(1 if different else 0)
