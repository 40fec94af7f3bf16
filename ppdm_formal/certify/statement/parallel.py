"""Deciding many statements: in processes of their own, as many as there are processors.

A statement is a function of a file and does not travel between processes: workers load the same
folder and are told names. What they found comes back as outcomes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from pathlib import Path

from ppdm_formal.certify.statement.loader import load_statements
from ppdm_formal.certify.statement.outcome import Outcome
from ppdm_formal.certify.statement.statement import DecidedStatement, Statement, decide


def decide_all(
    statements: Sequence[Statement],
    timeout: float,
    directory: Path | None = None,
    jobs: int | None = None,
) -> Iterator[DecidedStatement]:
    """Each statement with its outcome, as they come; one after another where jobs is 1.

    directory: the folder of proofs that the statements were loaded from.
    """
    many = min(jobs or os.cpu_count() or 1, len(statements))
    if many <= 1:
        yield from (decide(statement, timeout) for statement in statements)
        return
    # spawned, not forked: threads and solvers of this process stay its own
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(many, mp_context=context)
    finished = False
    try:
        asked: dict[Future[_Found], Statement] = {
            pool.submit(_decided, str(directory or ""), one.name, timeout): one
            for one in statements
        }
        for future in as_completed(asked):
            yield _attached(asked[future], future)
        finished = True
    finally:
        if finished:
            pool.shutdown()
        else:
            _abandon(pool)


_Found = tuple[Outcome, tuple[Outcome, ...], float]


def _attached(statement: Statement, future: Future[_Found]) -> DecidedStatement:
    try:
        outcome, neighbours, seconds = future.result()
    except BrokenProcessPool:
        lost = Outcome("unknown", "the process that decided it ended")
        return DecidedStatement(statement, lost, (lost,) * len(statement.neighbours), 0.0)
    return DecidedStatement(statement, outcome, neighbours, seconds)


def _abandon(pool: ProcessPoolExecutor) -> None:
    """After an interrupt: nothing more is begun, and what runs is ended."""
    running = list((pool._processes or {}).values())  # there is no public way to end them
    pool.shutdown(wait=False, cancel_futures=True)
    for process in running:
        process.terminate()


@cache
def _by_name(directory: str) -> dict[str, Statement]:
    loaded = load_statements(Path(directory) if directory else None)
    return {statement.name: statement for statement in loaded}


def _decided(directory: str, name: str, timeout: float) -> _Found:
    """In the worker: a statement by its name."""
    found = decide(_by_name(directory)[name], timeout)
    return found.outcome, found.neighbours, found.seconds
