"""Mutation testing, by hand: put one mistake after another into a copy, and see that a test fails.

    .venv/bin/python tests/mutation/run.py --count 150 --minutes 25
    .venv/bin/python tests/mutation/run.py --mistakes [WORD]

The second puts in the mistakes of mistakes.py (those whose name holds the word), each against its
own tests.

Mutants are drawn with a seed, spread over all files. Each is run against the tests that concern
its file, nearest first, until one fails; no test is known to fail without it. Results are kept in
a file, so that a run that was stopped goes on where it was. A survivor that changes an answer
asks for a test; one that cannot is equivalent: it goes into tests/mutation/README.md.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from mistakes import MISTAKES, Mistake
from mutants import Mutant, mutants

ROOT = Path(__file__).parent.parent.parent

ROOMS = {
    "declare/arithmetic": ["core", "measures", "families", "certify"],
    "declare/machine": ["core", "cli", "certify"],
    "declare/operators": ["core", "families", "measures", "certify", "run"],
    "declare/noises": ["numeric/test_every_noise.py", "numeric"],
    "declare/families": ["families", "run", "itemsets", "measures"],
    "declare/reals": ["numeric", "certify/test_continuous.py", "language"],
    "declare/language": ["language", "models", "cli"],
    "declare/claim.py": ["certify", "language", "check"],
    "declare/result.py": ["report/test_every_result.py", "cli"],
    "derive/measures": ["measures", "models"],
    "derive/information": ["information", "cli/test_information_commands.py"],
    "derive/reals": ["numeric", "certify/test_continuous.py", "report/test_continuous_report.py"],
    "certify/audit": [
        *("report/test_continuous_report.py", "cli/test_plan_audit_command.py"),
        *("report", "models", "cli", "itemsets", "run"),
    ],
    "certify/statement": ["proofs", "cli"],
    "certify/theorem": ["theorems", "certify"],
    "certify": [
        *("certify/test_example_1.py", "certify/test_bounds.py", "certify/test_boundary.py"),
        *("certify/test_knowledge.py", "certify/test_families_of_priors.py"),
        *("certify/test_vacuity.py", "certify/test_regions.py"),
        *("certify", "report/test_report_numbers.py", "check", "models"),
    ],
    "checker": ["check"],
    "design": ["itemsets", "families"],
    "run": ["run", "itemsets"],
    "infer/undoing": ["run", "numeric"],
    "infer/tables": ["run", "cli"],
    "infer/reals": ["numeric", "cli/test_reconstruct_command.py"],
    "infer/baskets": ["run", "cli/test_mine_command.py", "itemsets"],
    "infer/classify": ["numeric"],
    "tables/generate": ["generate", "cli/test_generate_command.py", "cli/test_evaluate_command.py"],
    "tables/coalition": ["coalition", "cli/test_value_command.py"],
    "tables/anonymity": ["anonymity", "cli/test_anonymity_command.py"],
    "report": ["report", "models", "cli"],
    "commands": ["cli", "run", "report"],
    "cli.py": ["cli"],
}
"""The tests that concern a part of the package, files or folders, nearest and quickest first."""


def main() -> int:
    """0 if no mutant of this and earlier runs survives, else 1."""
    options = _options()
    copy = Path(tempfile.mkdtemp(prefix="mutants-")) / "copy"
    ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=ignored)
    compileall.compile_dir(copy / "ppdm_formal", quiet=2)  # mutants write no bytecode
    results = _read(options.results)
    ends = time.monotonic() + 60 * options.minutes
    try:
        if options.mistakes is not None:
            return _mistakes(options.mistakes, copy)
        for mutant in _chosen(options):
            if time.monotonic() > ends:
                print("out of time")
                break
            if mutant.name not in results:
                results[mutant.name] = _verdict(mutant, copy, options)
                print(f"{results[mutant.name]:<10} {mutant.name}", flush=True)
                with options.results.open("a") as file:
                    file.write(json.dumps([mutant.name, results[mutant.name]]) + "\n")
    finally:
        shutil.rmtree(copy.parent)
    return _report(results)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=150, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=25, help="time limit of the whole run")
    parser.add_argument("--seconds", type=float, default=150, help="time limit of one mutant")
    parser.add_argument("--near", action="store_true", help="only tests that import the file")
    parser.add_argument("--only", default="ppdm_formal", help="a file or folder")
    parser.add_argument("--mistakes", nargs="?", const="", help="those of mistakes.py, by a word")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"))
    return parser.parse_args()


def _read(results: Path) -> dict[str, str]:
    if not results.exists():
        return {}
    return dict(json.loads(line) for line in results.read_text().splitlines())


def _chosen(options: argparse.Namespace) -> list[Mutant]:
    """So many mutants, one a file in turn, in an order that the seed fixes."""
    chance = random.Random(options.seed)
    place = ROOT / options.only
    files = [place] if place.is_file() else sorted(place.rglob("*.py"))
    queues = [mutants(path, ROOT) for path in files]
    for queue in queues:
        chance.shuffle(queue)
    chance.shuffle(queues)
    chosen: list[Mutant] = []
    while len(chosen) < options.count and any(queues):
        drawn = [queue.pop() for queue in queues if queue]
        sources = [(ROOT / mutant.file).read_text(encoding="utf-8") for mutant in drawn]
        pairs = zip(drawn, sources, strict=True)
        chosen += [mutant for mutant, source in pairs if mutant.compiles(source)]
    return chosen[: options.count]


def _verdict(mutant: Mutant, copy: Path, options: argparse.Namespace) -> str:
    """killed, survived, or slow where the tests did not end in time."""
    target = copy / mutant.file
    source = target.read_text(encoding="utf-8")
    target.write_text(mutant.applied(source), encoding="utf-8")
    ends = time.monotonic() + options.seconds
    try:
        for tests in islice(_tests(mutant.file, copy), 1 if options.near else None):
            left = ends - time.monotonic()
            if left <= 0:
                return "slow"
            code = _pytest(tests, copy, left)
            if code is None:
                return "slow"
            if code != 0:
                return "killed"
        return "survived"
    finally:
        target.write_text(source, encoding="utf-8")


def _mistakes(word: str, copy: Path) -> int:
    """Every mistake by name against its tests: 0 if all are noticed."""
    chosen = [mistake for mistake in MISTAKES if word in mistake.name or word in mistake.file]
    alive = [mistake for mistake in chosen if not _noticed(mistake, copy)]
    print(f"{len(chosen) - len(alive)} of {len(chosen)} mistakes noticed")
    return 1 if alive else 0


def _noticed(mistake: Mistake, copy: Path) -> bool:
    target = copy / mistake.file
    source = target.read_text(encoding="utf-8")
    target.write_text(mistake.applied(source), encoding="utf-8")
    try:
        failed = _forked(mistake.tests.split(), copy)
    finally:
        target.write_text(source, encoding="utf-8")
    print(f"{'killed' if failed else 'SURVIVED':<10} {mistake.name}", flush=True)
    return failed


def _forked(tests: list[str], copy: Path) -> bool:
    """Whether tests fail: in a process that has all other packages loaded already."""
    import importlib
    import multiprocessing

    for package in ("numpy", "scipy.special", "sympy", "mpmath", "z3", "lark", "flint", "pytest"):
        importlib.import_module(package)

    def run(box: Any) -> None:
        import pytest

        os.chdir(copy)
        sys.path[:0] = [str(copy), str(Path(__file__).parent)]
        sys.dont_write_bytecode = True
        quiet = open(os.devnull, "w")  # noqa: SIM115
        os.dup2(quiet.fileno(), 1)
        os.dup2(quiet.fileno(), 2)
        options = ["-q", "-x", "--no-header", "-p", "no_shrinking", "-o", "python_functions=test_*"]
        box.value = int(pytest.main([*options, *tests]))

    fork = multiprocessing.get_context("fork")
    box = fork.Value("i", 99)
    process = fork.Process(target=run, args=(box,))
    process.start()
    process.join()
    return box.value == 1


def _tests(file: str, copy: Path) -> Iterator[list[str]]:
    """The file's own doctests and the tests that import it; then the others of its room."""
    parts = Path(file).with_suffix("").parts
    module = ".".join(parts)
    inside = "/".join(Path(file).parts[1:])
    room = next((room for room in ROOMS if inside.startswith(room)), "")  # the narrowest first
    places = [copy / "tests" / name for name in ROOMS.get(room, [])]
    found = [[p] if p.is_file() else sorted(p.glob("test_*.py")) for p in places]
    nearby = list(dict.fromkeys(test for tests in found for test in tests))
    direct = [test for test in nearby if module in test.read_text(encoding="utf-8")]
    first = ["tests/test_imports.py"] if not nearby else []
    yield [file, *first, *(str(test.relative_to(copy)) for test in direct)]
    rest = [str(test.relative_to(copy)) for test in nearby if test not in direct]
    if rest:
        yield rest


def _pytest(tests: list[str], copy: Path, seconds: float) -> int | None:
    """Its exit code (nothing collected is fine); None where it takes longer."""
    path = os.pathsep.join([str(copy), str(Path(__file__).parent)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    # A function of the package whose name begins with "tests" is none.
    options = ["--no-header", "-p", "no_shrinking", "-o", "python_functions=test_*"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", *options, *tests]
    with subprocess.Popen(
        command,
        cwd=copy,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            code = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return None
    return 0 if code == 5 else code


def _report(results: dict[str, str]) -> int:
    counts = {verdict: list(results.values()).count(verdict) for verdict in set(results.values())}
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    survivors = sorted(name for name, verdict in results.items() if verdict == "survived")
    for name in survivors:
        print(f"survived: {name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
