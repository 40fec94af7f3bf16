"""Ledger: the counts of chunks so far, kept in a file so that a long run can be resumed.

Format ppdm-mine-state/1 (docs/scale.md): a line of JSON, then the counts as 64-bit integers, the
lowest byte first. The line names the data by their digest, and for each step the digest of what
was asked, which chunks have been counted, and how many counts there are of each part.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_formal.declare.machine.files import written_together
from ppdm_formal.declare.operators.canonical import canonical
from ppdm_formal.infer.baskets.kernels import Counts
from ppdm_formal.run.errors import DataError, ReleaseError
from ppdm_formal.run.json_parts import fields, list_of, text_of, whole_of

FORMAT = "ppdm-mine-state/1"

SAVE_SECONDS = 15.0
"""The file is written anew when its last writing is so long ago."""

MAX_HEAD = 1 << 24
"""Bytes of the longest first line."""


@dataclass
class Step:
    """One question: which chunks have been counted, and the sums of their counts, by part."""

    done: np.ndarray[Any, np.dtype[np.bool_]]
    counts: list[Counts]

    @classmethod
    def new(cls, chunks: int, lengths: Sequence[int]) -> Step:
        """Nothing has been counted."""
        zero = [np.zeros(length, dtype=np.int64) for length in lengths]
        return cls(np.zeros(chunks, dtype=bool), zero)

    def missing(self) -> list[int]:
        """The chunks that have not been counted, rising."""
        return np.flatnonzero(~self.done).tolist()

    def add(self, chunk: int, found: Mapping[int, Counts]) -> None:
        """Add the counts of a chunk."""
        for part, counts in found.items():
            self.counts[part] += counts
        self.done[chunk] = True


class Ledger:
    """Steps by the digest of their question; without a path they are in memory only."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._data = ""
        self._chunks = 0
        self._steps: dict[str, Step] = {}
        self._saved = time.monotonic()
        self.resumed = 0
        """Chunks of all steps that had been counted before."""

    def open(self, data: Callable[[], str], chunks: int) -> None:
        """Go on with the file, if there is one; it must be of the same data and chunks."""
        self._chunks = chunks
        if self.path is None:
            return
        self._data = data()
        if self.path.exists():
            self._steps = _read(self.path, self._data, chunks)
            self.resumed = sum(int(step.done.sum()) for step in self._steps.values())

    def step(self, question: str, lengths: Sequence[int]) -> Step:
        """The step of a question, with what has been counted."""
        found = self._steps.get(question)
        if found is None or [len(part) for part in found.counts] != list(lengths):
            found = Step.new(self._chunks, lengths)
            if self.path is not None:
                self._steps[question] = found
        return found

    def save_if_due(self) -> None:
        """Write the file if that has not been done for a while."""
        if self.path is not None and time.monotonic() >= self._saved + SAVE_SECONDS:
            self.save()

    def save(self) -> bool:
        """Write the file, whole or not at all; False where there is nothing to write."""
        if self.path is None or not any(step.done.any() for step in self._steps.values()):
            return False
        body = b"".join(
            part.astype("<i8").tobytes() for step in self._steps.values() for part in step.counts
        )
        head = {
            "format": FORMAT,
            "data": self._data,
            "chunks": self._chunks,
            "sha256": hashlib.sha256(body).hexdigest(),
            "steps": [
                {
                    "question": question,
                    "done": np.packbits(step.done).tobytes().hex(),
                    "lengths": [len(part) for part in step.counts],
                }
                for question, step in self._steps.items()
            ],
        }
        with written_together(self.path) as [file]:
            file.write(canonical(head).encode() + b"\n")
            file.write(body)
        self._saved = time.monotonic()
        return True

    def remove(self) -> None:
        """Everything is done: the file is not needed any more."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def question_digest(kind: str, *asked: int | np.ndarray[Any, Any]) -> str:
    """Of arrays and numbers, each with its shape."""
    found = hashlib.sha256(kind.encode())
    for one in asked:
        table = np.asarray(one, dtype="<i8")
        found.update(f"|{table.shape}|".encode())
        found.update(np.ascontiguousarray(table).data)
    return found.hexdigest()


def _read(path: Path, data: str, chunks: int) -> dict[str, Step]:
    try:
        with path.open("rb") as raw:
            line = raw.readline(MAX_HEAD)
            head = fields(
                json.loads(line), "the state", "format", "data", "chunks", "sha256", "steps"
            )
            if head["format"] != FORMAT:
                raise ReleaseError(f"not of the format {FORMAT}")
            if head["data"] != data or head["chunks"] != chunks:
                raise ReleaseError("of other data, or of files cut otherwise")
            steps = [_step(one, chunks) for one in list_of(head["steps"], "the steps")]
            total = sum(sum(lengths) for _, _, lengths in steps)
            if path.stat().st_size != len(line) + 8 * total:
                raise ReleaseError("not as long as it says")
            body = raw.read()
    except DataError as problem:
        raise ReleaseError(
            f"{path}: no state to go on from: {problem}; remove it, or name another file"
        ) from None
    except (ValueError, RecursionError):
        raise ReleaseError(
            f"{path}: not a state of ppdm mine; remove it, or name another file"
        ) from None
    if hashlib.sha256(body).hexdigest() != head["sha256"]:
        raise ReleaseError(f"{path}: damaged: its digest is another; remove it")
    counts = np.frombuffer(body, dtype="<i8").astype(np.int64)
    found, at = {}, 0
    for question, done, lengths in steps:
        ends = at + np.cumsum([0, *lengths])
        parts = [counts[a:b].copy() for a, b in pairwise(ends)]
        found[question] = Step(done, parts)
        at = int(ends[-1])
    return found


def _step(
    written: object, chunks: int
) -> tuple[str, np.ndarray[Any, np.dtype[np.bool_]], list[int]]:
    found = fields(written, "a step", "question", "done", "lengths")
    bits = np.frombuffer(bytes.fromhex(text_of(found["done"], "the chunks done")), dtype=np.uint8)
    if len(bits) != -(-chunks // 8):
        raise ReleaseError("a step is about other chunks")
    lengths = [whole_of(one, "a length") for one in list_of(found["lengths"], "lengths")]
    done = np.unpackbits(bits)[:chunks].astype(bool)
    return text_of(found["question"], "a question"), done, lengths
