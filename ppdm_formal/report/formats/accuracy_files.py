"""Accuracies as JSON (format ppdm-accuracy/1), as a page, and on a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence

from rich.console import Console

import ppdm_formal
from ppdm_formal.numbers.spelling import number_text
from ppdm_formal.numeric.classify.experiment import Accuracy, Task
from ppdm_formal.report.formats.grid import grid, line
from ppdm_formal.report.formats.html import document_html
from ppdm_formal.report.parts.accuracy import accuracy_document, accuracy_table
from ppdm_formal.report.words.sampled import sampled

FORMAT = "ppdm-accuracy/1"


def accuracy_text(found: Sequence[Accuracy], tasks: Sequence[Task], seed: int) -> str:
    """The document as a file holds it."""
    made = {
        "format": FORMAT,
        "tool": {"name": "ppdm_formal", "version": ppdm_formal.__version__},
        "kind": "sampled",
        "seed": seed,
        "tasks": [
            {
                "name": task.name,
                "train": len(task.train),
                "test": len(task.test),
                "majority": sampled(task.majority),
            }
            for task in tasks
        ],
        "accuracies": [
            {
                "task": one.task,
                "noise": one.noise,
                "privacy": None if one.privacy is None else number_text(one.privacy),
                "strategy": one.strategy,
                "accuracy": sampled(one.share),
                "leaves": one.leaves,
                "depth": one.depth,
            }
            for one in found
        ],
    }
    return json.dumps(made, indent=2, ensure_ascii=False) + "\n"


def accuracy_page(found: Sequence[Accuracy], tasks: Sequence[Task], seed: int) -> str:
    """One self-contained HTML file."""
    return document_html(accuracy_document(found, tasks, seed))


def print_accuracies(
    found: Sequence[Accuracy], tasks: Sequence[Task], seed: int, to: Console
) -> None:
    """The table under its lead."""
    to.print(line(accuracy_document(found, tasks, seed).lead))
    to.print(grid(accuracy_table(found, tasks), to.width))
