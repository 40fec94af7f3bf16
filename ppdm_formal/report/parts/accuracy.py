"""The table of accuracies by function, noise and privacy level, and how to read it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ppdm_formal.declare.arithmetic.people import percent
from ppdm_formal.infer.classify.experiment import Accuracies, Accuracy, Task
from ppdm_formal.report.parts.blocks import (
    Document,
    Gallery,
    Picture,
    Points,
    Section,
    Table,
)
from ppdm_formal.report.pictures.accuracy import accuracy_lines
from ppdm_formal.report.words.visible import clean

NAMES = {
    "original": "Original",
    "randomized": "Randomized",
    "global": "Global",
    "byclass": "ByClass",
    "local": "Local",
}


def accuracy_table(found: Sequence[Accuracy], tasks: Sequence[Task]) -> Table:
    """A row for each task, noise and level; a column a strategy."""
    strategies = [name for name in NAMES if any(one.strategy == name for one in found)]
    majority = {task.name: task.majority for task in tasks}
    rows = []
    settings = dict.fromkeys((one.task, one.noise, one.privacy) for one in found if one.noise)
    original = {one.task: one.share for one in found if one.strategy == "original"}
    for task, noise, privacy in settings or [(task.name, None, None) for task in tasks]:
        shares = {
            one.strategy: one.share
            for one in found
            if (one.task, one.noise, one.privacy) == (task, noise, privacy)
        }
        if task in original:
            shares["original"] = original[task]
        level = "" if privacy is None else percent(privacy)
        shown = [f"{shares[name] * 100:.1f}" if name in shares else "" for name in strategies]
        rows.append([clean(task, 40), noise or "", level, f"{majority[task] * 100:.1f}", *shown])
    head = ["task", "noise", "privacy", "majority", *(NAMES[name] for name in strategies)]
    return Table(head, rows, "Accuracy on test records, in percent", range(2, len(head)))


def accuracy_pictures(found: Sequence[Accuracy]) -> list[Picture]:
    """One for each task and noise, where there are two levels or more."""
    pictures = []
    original = {one.task: one.share for one in found if one.strategy == "original"}
    for task, noise in dict.fromkeys((one.task, one.noise) for one in found if one.noise):
        mine = [one for one in found if (one.task, one.noise) == (task, noise)]
        levels = sorted({float(one.privacy) for one in mine if one.privacy is not None})
        if len(levels) < 2:
            continue
        lines = {}
        if task in original:
            lines[NAMES["original"]] = [(level, original[task]) for level in levels]
        for name in NAMES:
            points = sorted(
                (float(one.privacy), one.share)
                for one in mine
                if one.strategy == name and one.privacy is not None
            )
            if points:
                lines[NAMES[name]] = points
        title = f"{clean(task, 40)}, {noise} noise"
        words = "Accuracy on test records against the privacy of each attribute."
        pictures.append(Picture(title, accuracy_lines(lines, title), words))
    return pictures


def document(accuracies: Accuracies, *, brief: bool = False) -> Document:
    """The table, and what it says; on a terminal, the table alone."""
    found, tasks, seed = accuracies.found, accuracies.tasks, accuracies.seed
    first = tasks[0]
    pictures = accuracy_pictures(found)
    error = 50 / math.sqrt(len(first.test))
    lead = (
        f"Decision trees from {len(first.train):,} perturbed records, tested on "
        f"{len(first.test):,} unperturbed ones. Simulation with seed {seed}."
    )
    if brief:
        return Document(lead, "", "", "", [Section("", [accuracy_table(found, tasks)])], "")
    reading = [
        "Privacy of p%: the shortest interval that holds x with 95% confidence, given its report, "
        "is p% of the attribute's range (Evf02 section 2), on every attribute.",
        "Original: trees from unperturbed records. Randomized: perturbed records taken for "
        "original ones. Global, ByClass and Local: distributions are reconstructed once, once a "
        "class, or once a class at each node.",
        "Majority: always saying the class that is most frequent in training.",
        f"The standard error of an accuracy is at most {error:.1f} points from the test records "
        "alone; other noise gives other trees as well.",
    ]
    return Document(
        "Accuracy of trees over perturbed records",
        lead,
        "",
        "",
        [
            Section(
                "Accuracies",
                [accuracy_table(found, tasks), *([Gallery(pictures)] if pictures else [])],
                2,
                "accuracies",
            ),
            Section("How to read this", [Points(reading)], 2, "reading"),
        ],
        "Written by ppdm_formal.",
        contents=False,
    )
