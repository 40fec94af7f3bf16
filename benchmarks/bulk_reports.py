"""Reports in bulk: drawn and counted, against naive NumPy in floats and multi-freq-ldpy.

Processor seconds of one run. Naive draws are made of a tenth of the people, in blocks, since they
need 8 GB for a million people and 1,000 values at once, and counted ten times.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks.result import Result
from ppdm_formal.declare.families.local_hashing import local_hashing
from ppdm_formal.declare.families.rappor import rappor
from ppdm_formal.declare.families.subset_selection import subset_selection
from ppdm_formal.declare.families.unary_encoding import unary_encoding
from ppdm_formal.declare.operators.randomization import Operator
from ppdm_formal.run.keystream import Keystream

PEOPLE, VALUES, BLOCK = 1_000_000, 1000, 10_000
MIB = 1 << 20
FEW = 300
"""People of multi-freq-ldpy, which takes them one by one."""

MODEL = """
operator U = unary_encoding(values: 1000, epsilon: 1)
operator H = local_hashing(values: 1000, buckets: 4, epsilon: 1)
operator S = subset_selection(values: 1000, epsilon: 1)
audit U { require epsilon <= 1 }
audit H { require epsilon <= 1 }
audit S { require epsilon <= 1 }
"""
MAKE = """
import sys, numpy as np, pyarrow as pa, pyarrow.parquet as pq
draw = np.random.default_rng(1)
pq.write_table(pa.table({"v": draw.integers(0, 1000, 1_000_000)}), sys.argv[1])
"""


def seconds(call: Callable[[], object]) -> float:
    """Processor seconds of this process, all its threads."""
    start = time.process_time()
    call()
    return time.process_time() - start


def command(*words: str) -> tuple[float, int]:
    """Processor seconds and largest memory of a ppdm command."""
    with subprocess.Popen(
        [sys.executable, "-m", "ppdm_formal.cli", *words], stdout=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"ppdm {words[0]} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def drawn_and_counted(operator: Operator, people: int) -> tuple[float, float]:
    """Of the library, in memory: seconds to draw and to count."""
    rows = np.random.default_rng(1).integers(0, operator.inputs.size, people)
    bits, report = Keystream(), operator.report
    counts = np.zeros(report.counted, dtype=np.int64)
    report.add(operator.law.draw_batch(rows[:100], bits), counts)  # kernels are compiled
    drawing = counting = 0.0
    for start in range(0, people, BLOCK):
        before = time.process_time()
        batch = operator.law.draw_batch(rows[start : start + BLOCK], bits)
        between = time.process_time()
        report.add(batch, counts)
        drawing += between - before
        counting += time.process_time() - between
    return drawing, counting


def naive_unary(people: int) -> None:
    """The line that everybody writes."""
    draw = np.random.default_rng(1)
    for _ in range(0, people, BLOCK):
        (draw.random((BLOCK, VALUES)) < 0.27).sum(axis=0)


def naive_hashing(people: int) -> tuple[float, float]:
    """The affine functions, in NumPy: drawn, and compared with every value."""
    draw = np.random.default_rng(1)
    values = np.arange(VALUES)
    drawing = counting = 0.0
    for _ in range(0, people, BLOCK):
        start = time.process_time()
        a, b = draw.integers(1, 1009, BLOCK), draw.integers(0, 1009, BLOCK)
        x = draw.integers(0, VALUES, BLOCK)
        own = (a * x + b) % 1009 % 4
        bucket = np.where(draw.random(BLOCK) < 0.475, own, (own + draw.integers(1, 4, BLOCK)) % 4)
        between = time.process_time()
        ((a[:, None] * values + b[:, None]) % 1009 % 4 == bucket[:, None]).sum(axis=0)
        drawing += between - start
        counting += time.process_time() - between
    return drawing, counting


def naive_subsets(people: int) -> tuple[float, float]:
    """The 269 least of 1,000 random numbers, and their counts."""
    draw = np.random.default_rng(1)
    drawing = counting = 0.0
    for _ in range(0, people, BLOCK):
        start = time.process_time()
        sets = np.argpartition(draw.random((BLOCK, VALUES)), 269, axis=1)[:, :269]
        between = time.process_time()
        np.bincount(sets.ravel(), minlength=VALUES)
        drawing += between - start
        counting += time.process_time() - between
    return drawing, counting


def against_ldpy() -> list[Result]:
    """Client and aggregator of multi-freq-ldpy, a person at a time; nothing where it is not."""
    try:
        from multi_freq_ldpy.long_freq_est import L_SUE
        from multi_freq_ldpy.pure_frequency_oracles import LH, SS, UE
    except ImportError:
        return [Result("against multi-freq-ldpy", "it is not installed", "", False)]
    rows = np.random.default_rng(1).integers(0, VALUES, FEW).tolist()
    found = []
    for name, most, client, aggregate, operator in (
        ("OUE, 1,000 values", 50, lambda x: UE.UE_Client(x, VALUES, 1.0, True),
         lambda y: UE.UE_Aggregator_MI(y, 1.0, True), unary_encoding(VALUES, epsilon=1)),
        ("local hashing, 1,000 values", 50, lambda x: LH.LH_Client(x, VALUES, 1.0, True),
         lambda y: LH.LH_Aggregator_MI(y, VALUES, 1.0, True), local_hashing(VALUES, 4, epsilon=1)),
        ("subset selection, 1,000 values", 50, lambda x: SS.SS_Client(x, VALUES, 1.0),
         lambda y: SS.SS_Aggregator_MI(y, VALUES, 1.0), subset_selection(VALUES, epsilon=1)),
        ("RAPPOR, 128 bits", 20, lambda x: L_SUE.L_SUE_Client(x % 128, 128, 2.0, 1.0),
         lambda y: L_SUE.L_SUE_Aggregator_MI(y, 2.0, 1.0),
         rappor(128, 2, "1/2", "1/2", "3/4")),
    ):  # fmt: skip
        try:
            client(rows[0])
        except TypeError as problem:  # its hash function takes no text any more
            found.append(Result(f"{name}: multi-freq-ldpy", f"does not run: {problem}", "", False))
            continue
        reports: list[object] = []
        theirs = seconds(lambda c=client, r=reports: r.extend(c(x) for x in rows))
        theirs += seconds(lambda a=aggregate, r=reports: a(r))
        ours = sum(drawn_and_counted(operator, 100_000)) * FEW / 100_000
        ratio = theirs / ours
        found.append(
            Result(
                f"{name}: multi-freq-ldpy's client and aggregator against ours",
                f"{ratio:,.0f} times ({theirs / FEW * 1e6:,.0f}, {ours / FEW * 1e6:.2f} us each)",
                f"at least {most} times",
                ratio >= most,
            )
        )
    return found


def measure() -> list[Result]:
    """In memory, as commands, against others."""
    tenth = PEOPLE // 10
    naive = 10 * seconds(lambda: naive_unary(tenth))
    found = []
    unary = unary_encoding(VALUES, epsilon=1)
    drawing, counting = drawn_and_counted(unary, PEOPLE)
    batch = unary.law.draw_batch(np.zeros(tenth, dtype=np.int64), Keystream())
    words = np.bitwise_count
    popcount = 10 * seconds(lambda: words(batch).sum())
    found.append(
        Result("OUE, 10^9 bits drawn, against the naive line (tossed and summed)",
               f"{drawing / naive:.2f} times ({drawing:.2f} s and {naive:.1f} s)", "at most 3",
               drawing <= 3 * naive))  # fmt: skip
    found.append(
        Result("OUE, 10^9 bits counted by column, against one popcount of all packed bytes",
               f"{counting / popcount:.2f} times ({counting:.3f} s and {popcount:.3f} s)",
               "at most 2", counting <= 2 * popcount))  # fmt: skip
    for name, operator, line in (
        ("local hashing", local_hashing(VALUES, 4, epsilon=1), naive_hashing),
        ("subset selection", subset_selection(VALUES, epsilon=1), naive_subsets),
    ):
        ours, theirs = drawn_and_counted(operator, PEOPLE), line(tenth)
        for what, most, a, b in zip(("drawn", "counted"), (3, 2), ours, theirs, strict=True):
            found.append(
                Result(f"{name}, {what}, against naive NumPy",
                       f"{a / (10 * b):.2f} times ({a:.2f} s and {10 * b:.1f} s)",
                       f"at most {most}", a <= most * 10 * b))  # fmt: skip
    return [*found, *commands(naive), *against_ldpy()]


def commands(naive: float) -> list[Result]:
    """From a Parquet file to a Parquet file, and from it to counts."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        source, model = Path(folder, "in.parquet"), Path(folder, "m.ppdm")
        model.write_text(MODEL)
        subprocess.run([sys.executable, "-c", MAKE, str(source)], check=True)
        for name in "UHS":
            target = str(Path(folder, f"{name}.parquet"))
            asked = ["--model", str(model), "--operator", f"{name}=v"]
            randomized, memory = command("randomize", str(source), "-o", target, *asked)
            counted, other = command("tally", target, "-o", str(Path(folder, "c.json")))
            most = max(memory, other) / MIB
            found.append(
                Result(f"{name} on 1,000 values, a million people, as commands",
                       f"randomize {randomized:.1f} s, tally {counted:.1f} s, {most:.0f} MiB "
                       f"(the naive OUE line: {naive:.1f} s)",
                       "randomize at most 3 naive lines, 512 MiB",
                       randomized <= 3 * naive and most < 512))  # fmt: skip
    return found
