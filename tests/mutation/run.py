"""Mutation testing, by hand: put one mistake after another into a copy, and see that a test fails.

    .venv/bin/python tests/mutation/run.py --reach
    .venv/bin/python tests/mutation/run.py --count 150 --minutes 25
    .venv/bin/python tests/mutation/run.py --mistakes [WORD]

The first runs every test once and writes down which functions each reaches (reached.py); the last
puts in the mistakes of mistakes.py (those whose name holds the word), each against its own tests.

Mutants are drawn with a seed, spread over all files. Each is run against the tests that reach its
function, quickest first, until one fails; these passed without it. Where nothing is known of who
reaches it, against the tests that concern its file. Results are kept in a file, so that a run that
was stopped goes on where it was. A survivor that changes an answer asks for a test; one that
cannot is equivalent: it goes into tests/mutation/README.md.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import importlib
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
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


OTHERS = (
    *("numpy", "scipy.special", "scipy.stats", "scipy.optimize", "sympy", "mpmath", "z3", "lark"),
    *("flint", "pytest", "click", "rich.console", "pandas", "pyarrow.parquet"),
    "markupsafe",
)
"""Packages that a process has loaded before it forks: a second less for each mutant."""


NEAREST, MOST_TESTS = 3, 12
"""Files of tests that a mutant meets first, and tests of each; then three times as many files."""

OUTSIDE = ("tests/theorems", "tests/docs", "tests/proofs", "tests/report/test_browser")
"""Tests that are about other programs, or about all of the package at once."""


def main() -> int:
    """0 if no mutant of this and earlier runs survives, else 1."""
    options = _options()
    copy = Path(tempfile.mkdtemp(prefix="mutants-")) / "copy"
    ignored = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".hypothesis")
    shutil.copytree(ROOT, copy, ignore=ignored)
    compileall.compile_dir(copy / "ppdm_formal", quiet=2)  # mutants write no bytecode
    ends = time.monotonic() + 60 * options.minutes
    for package in OTHERS:
        with contextlib.suppress(ImportError):
            importlib.import_module(package)
    try:
        if options.reach:
            return _reach(copy, options, ends)
        if options.mistakes is not None:
            return _mistakes(options.mistakes, copy)
        return _mutants(copy, options, ends)
    finally:
        shutil.rmtree(copy.parent)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=150, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=25, help="time limit of the whole run")
    parser.add_argument("--seconds", type=float, default=150, help="time limit of one mutant")
    parser.add_argument(
        "--only", nargs="+", default=["ppdm_formal"], help="files, folders, or lines: FILE:LINE"
    )
    parser.add_argument("--mistakes", nargs="?", const="", help="those of mistakes.py, by a word")
    parser.add_argument("--reach", action="store_true", help="write down what each test reaches")
    parser.add_argument("--results", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--reached", type=Path, default=Path("reached.jsonl"))
    return parser.parse_args()


def _reach(copy: Path, options: argparse.Namespace, ends: float) -> int:
    """Every test file once, those left out that an earlier run had; 0 where none is missing."""
    reached = options.reached.resolve()
    done = {test.partition("::")[0] for test, _, _ in _lines(reached)}
    files = [str(file.relative_to(copy)) for file in sorted(copy.glob("tests/**/test_*.py"))]
    files += [
        str(p.relative_to(copy))
        for p in sorted(copy.glob("ppdm_formal/**/*.py"))
        if ">>>" in p.read_text()
    ]
    names = [name for name in files if not name.startswith(OUTSIDE)]
    for name in names:
        if name in done:
            continue
        if time.monotonic() > ends:
            print("out of time")
            return 1
        starts = time.monotonic()
        code, _ = _forked([name], copy, options.seconds, {"PPDM_REACHED": str(reached)}, stop=False)
        print(f"{time.monotonic() - starts:6.1f} s, exit code {code}: {name}", flush=True)
    return 0


def _lines(path: Path) -> list[Any]:
    """The records of a file with one a line, none where it is not there."""
    return [json.loads(line) for line in path.open()] if path.exists() else []


def _mutants(copy: Path, options: argparse.Namespace, ends: float) -> int:
    """Those that are drawn, one after another, as far as time goes."""
    results = {name: verdict for name, verdict, _ in _lines(options.results)}
    reached = [(test, taken, set(ran)) for test, taken, ran in _lines(options.reached)]
    budget = options.seconds / 10  # the unmutated run is far below the limit
    near = {mutant: _reaching(mutant, copy, reached, budget) for mutant in _chosen(options)}
    for mutant in sorted(near, key=lambda mutant: not near[mutant]):  # known ones first
        if time.monotonic() > ends:
            print("out of time")
            break
        if mutant.name not in results:
            results[mutant.name], by = _verdict(mutant, copy, near[mutant], options)
            print(f"{results[mutant.name]:<10} {mutant.name}  {by}", flush=True)
            with options.results.open("a") as file:
                file.write(json.dumps([mutant.name, results[mutant.name], by]) + "\n")
    return _report(results)


def _chosen(options: argparse.Namespace) -> list[Mutant]:
    """So many mutants, one a file in turn, in an order that the seed fixes."""
    chance = random.Random(options.seed)
    queues = []
    for asked in options.only:
        name, _, line = asked.partition(":")
        place = ROOT / name
        files = [place] if place.is_file() else sorted(place.rglob("*.py"))
        for path in files:
            queues.append([one for one in mutants(path, ROOT) if line in ("", str(one.line))])
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


def _verdict(
    mutant: Mutant, copy: Path, near: list[list[str]], options: argparse.Namespace
) -> tuple[str, str]:
    """killed, survived, or slow where the tests did not end in time; and by which test."""
    target = copy / mutant.file
    source = target.read_text(encoding="utf-8")
    target.write_text(mutant.applied(source), encoding="utf-8")
    ends = time.monotonic() + options.seconds
    try:
        for tests in near or _tests(mutant.file, copy):
            code, by = _forked(tests, copy, ends - time.monotonic())
            if code is None:
                return "slow", f"{len(tests)} tests"
            if code in (1, 2):  # a test fails, or cannot even be read
                return "killed", by
            if code not in (0, 5):
                return "unclear", f"exit code {code}"
        return "survived", f"{sum(map(len, near))} tests that reach it"
    finally:
        target.write_text(source, encoding="utf-8")


def _reaching(mutant: Mutant, copy: Path, reached: list[Any], seconds: float) -> list[list[str]]:
    """The tests that reach the mutant's function, nearest files first, a few files at a time.

    Nearest: files that name its module, then those that reach few other functions. Of each the
    quickest tests, as many as take so long together. Of a mutant outside of functions: the tests
    that reach any function of its file.
    """
    inside = mutant.file.removeprefix("ppdm_formal/")
    first = _first_line(mutant, (copy / mutant.file).read_text(encoding="utf-8"))
    module = ".".join(Path(mutant.file).with_suffix("").parts)
    files: dict[str, list[tuple[float, int, str]]] = {}
    for test, taken, ran in reached:
        place = f"{inside}:{first or ''}"
        if taken is not None and (place in ran if first else any(place in p for p in ran)):
            files.setdefault(test.partition("::")[0], []).append((taken, len(ran), test))

    def distance(file: str) -> tuple[bool, int]:
        text = (copy / file).read_text(encoding="utf-8")
        return module not in text, min(ran for _, ran, _ in files[file])

    order = sorted(files, key=distance)
    batches = []
    for some in (order[:NEAREST], order[NEAREST : 4 * NEAREST]):
        total, batch = 0.0, list[str]()
        for file in some:
            for taken, _, test in sorted(files[file])[:MOST_TESTS]:
                if total + taken <= seconds or not batch:
                    batch.append(test)
                    total += taken
        batches.append(batch)
    return [batch for batch in batches if batch]


def _first_line(mutant: Mutant, source: str) -> int | None:
    """Where the function begins that the mutant is in, decorators included."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    around = [
        min(node.lineno, *(d.lineno for d in node.decorator_list), node.lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, functions)
        and node.body[0].lineno <= mutant.line <= (node.end_lineno or 0)
    ]
    return max(around, default=None)


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
        code, _ = _forked(mistake.tests.split(), copy, 600)
    finally:
        target.write_text(source, encoding="utf-8")
    print(f"{'killed' if code == 1 else 'SURVIVED':<10} {mistake.name}", flush=True)
    return code == 1


def _forked(
    tests: list[str],
    copy: Path,
    seconds: float,
    environment: dict[str, str] | None = None,
    stop: bool = True,
) -> tuple[int | None, str]:
    """Pytest's exit code, None where it takes longer; and the first test that failed.

    In a process that has all other packages loaded already. Tests are files, or names in them.
    """
    asked, failed = copy.parent / "asked.json", copy.parent / "failed.txt"
    asked.write_text(json.dumps(tests))
    failed.write_text("")
    names = any("::" in test for test in tests)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))

    def run(box: Any) -> None:
        import pytest

        os.setsid()
        os.chdir(copy)
        here = [str(copy), str(Path(__file__).parent)]
        sys.path[:0] = here
        sys.dont_write_bytecode = True
        os.environ.update(
            environment or {},
            PYTHONPATH=os.pathsep.join(here),
            PYTHONDONTWRITEBYTECODE="1",
            PPDM_FAILED=str(failed),
            **({"PPDM_TESTS": str(asked)} if names else {}),
        )
        quiet = open(os.devnull, "w")  # noqa: SIM115
        os.dup2(quiet.fileno(), 1)
        os.dup2(quiet.fileno(), 2)
        # A function of the package whose name begins with "tests" is none.
        options = ["-q", "--no-header", "-o", "python_functions=test_*"]
        plugins = ["-p", "no_shrinking", "-p", "reached"]
        box.value = int(pytest.main([*(["-x"] if stop else []), *options, *plugins, *files]))

    fork = multiprocessing.get_context("fork")
    box = fork.Value("i", 99)
    process = fork.Process(target=run, args=(box,))
    process.start()
    process.join(max(1.0, seconds))
    ended = not process.is_alive()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)  # what the tests started, too
    process.join()
    return box.value if ended else None, failed.read_text().partition("\n")[0]


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


def _report(results: dict[str, str]) -> int:
    counts = {verdict: list(results.values()).count(verdict) for verdict in set(results.values())}
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    survivors = sorted(name for name, verdict in results.items() if verdict == "survived")
    for name in survivors:
        print(f"survived: {name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
