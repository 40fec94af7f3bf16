"""Run every benchmark of this folder (or those named), print what was measured, keep ratios."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.history import record

NOT_A_QUESTION = {
    "__init__", "__main__", "history", "result",
    "basket_data", "basket_forms", "basket_rounds", "basket_rivals",
}  # fmt: skip


def main(chosen: list[str]) -> int:
    """0 if every target is met, else 1; ratios are added to history.csv."""
    found = {path.stem for path in Path(__file__).parent.glob("*.py")} - NOT_A_QUESTION
    unknown = set(chosen) - found
    if unknown:
        print(f"no benchmark {', '.join(sorted(unknown))}; there are: {', '.join(sorted(found))}")
        return 2
    table = Table("question", "measured", "target", "met")
    results = []
    for name in chosen or sorted(found):
        print(f"{name} ...", file=sys.stderr, flush=True)
        for result in import_module(f"benchmarks.{name}").measure():
            results.append(result)
            table.add_row(
                result.question, result.measured, result.target, "yes" if result.met else "NO"
            )
    Console(width=None if sys.stdout.isatty() else 160).print(table)
    for sentence in record(results):
        print(sentence)
    return 0 if all(result.met for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
