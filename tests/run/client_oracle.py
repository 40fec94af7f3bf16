"""Clients run on given bits, whatever their language, and the law that all bits together induce."""

from __future__ import annotations

import atexit
import itertools
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from functools import cache
from pathlib import Path

from ppdm_formal.declare.operators.canonical import value_json
from ppdm_formal.run.client import runtime

LANGUAGES = {"python": ".py", "javascript": ".mjs"}

# Each driver answers line by line {"path": of a client, "width": w, "cases": [[value, bits as 0 and
# 1], ...]} with what each case gives: an output, or null where the bits do not decide. A client is
# loaded anew where its text is another one.
PYTHON = """
import json, sys, traceback, types
class Spent(Exception): pass
def plain(y):
    if isinstance(y, (tuple, list)): return {"tuple": [plain(part) for part in y]}
    if isinstance(y, frozenset):
        return {"set": sorted((plain(part) for part in y), key=lambda p: json.dumps(p))}
    return y
def answers(client, asked):
    found = []
    for value, bits in asked["cases"]:
        place = [0]
        def take(count):
            if place[0] + count > len(bits): raise Spent
            place[0] += count
            return int(bits[place[0] - count:place[0]], 2)
        drawn = client.drawn
        try: found.append(plain(drawn(client.LAW, client._native(value), take, asked["width"])))
        except Spent: found.append(None)
        except client.OutsideDomain as wrong: found.append({"error": str(wrong)})
    return found
last, client = None, None
for line in sys.stdin:
    asked = json.loads(line)
    try:
        with open(asked["path"], encoding="utf-8") as file: text = file.read()
        if text != last:
            client = types.ModuleType("client")
            exec(compile(text, asked["path"], "exec"), client.__dict__)
            last = text
        answer = answers(client, asked)
    except BaseException: answer = {"failed": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
"""
JAVASCRIPT = """
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
const native = (one) => one === null || typeof one !== "object" ? one
  : "tuple" in one ? one.tuple.map(native)
  : "set" in one ? new Set(one.set.map(native)) : BigInt(one.int);
const plain = (y) => Array.isArray(y) ? { tuple: y.map(plain) }
  : y instanceof Set ? { set: [...y].map(plain).sort((a, b) =>
      JSON.stringify(a) < JSON.stringify(b) ? -1 : 1) } : y;
const answers = (client, asked) => asked.cases.map(([value, bits]) => {
  let place = 0;
  const take = (count) => {
    if (place + count > bits.length) throw "spent";
    place += count;
    return BigInt("0b" + bits.slice(place - count, place));
  };
  try { return plain(client.drawn(native(value), take, asked.width)); }
  catch (wrong) {
    if (wrong === "spent") return null;
    if (wrong instanceof client.OutsideDomain) return { error: wrong.message };
    throw wrong;
  }
});
let last = null, client = null, loaded = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  let answer;
  try {
    const text = readFileSync(asked.path, "utf8");
    if (text !== last) {
      client = await import(`${pathToFileURL(asked.path)}?${loaded++}`);
      last = text;
    }
    answer = answers(client, asked);
  } catch (wrong) { answer = { failed: String(wrong.stack) }; }
  process.stdout.write(JSON.stringify(answer) + "\\n");
}
"""


@cache
def old_python() -> str:
    """The oldest Python at hand that clients promise to run on, or this one."""
    old = shutil.which("python3.8")
    works = old and subprocess.run([old, "-c", ""], capture_output=True).returncode == 0
    return old if works else sys.executable


@cache
def driver(suffix: str) -> subprocess.Popen[str]:
    """The process that runs the clients of a language for all tests of this process."""
    if suffix == ".py":
        command = [old_python(), "-I", "-B", "-c", PYTHON]
    else:
        command = [str(shutil.which("node")), "--input-type=module", "-e", JAVASCRIPT]
    started = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )

    def end() -> None:
        with started:  # its input ends, and so does it
            pass

    atexit.register(end)
    return started


def ask(path: Path, cases, width: int):
    """What a client file makes of each (value, bits)."""
    asked = {
        "path": str(path),
        "width": width,
        "cases": [[value_json(value), bits] for value, bits in cases],
    }
    process = driver(path.suffix)
    process.stdin.write(json.dumps(asked) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline() or '{"failed": "it ended"}')
    assert isinstance(answer, list), answer["failed"]
    return answer


def in_process(law, cases, width: int):
    """The same of the reference runtime, without a process."""

    def one(value, bits):
        places = iter(range(0, len(bits), width))

        def take(count):
            place = next(places, None)
            if place is None:
                raise Spent
            return int(bits[place : place + count], 2)

        try:
            return runtime.drawn(law, value, take, width)
        except Spent:
            return None

    return [one(value, bits) for value, bits in cases]


class Spent(Exception):
    """The bits are used up."""


def pinned(t: int, total: int) -> str:
    """Bits that pin u to [t / total, (t + 1) / total)."""
    width = runtime.WIDTH
    while total >= 1 << (width - 8):
        width += runtime.WIDTH
    return f"{-(-(t << width) // total):0{width}b}"


def check_draw(run, value, cuts, outputs, width: int) -> int:
    """AssertionError unless all bit strings together induce the law of the cuts; how many states.

    cuts: rising, inside (0, 1), with outputs[k] between the k-th and the one before. A string
    that does not decide leaves u uniform in a small interval: the cuts inside it, seen from there,
    are its state. Each state is met by one string and asked with every next word. The true laws
    of the states must solve the equations between them; the solution is unique, because every
    state leads to one in which something is decided.
    """
    each = Fraction(1, 1 << width)
    words = [f"{word:0{width}b}" for word in range(1 << width)]
    waiting = [((tuple(enumerate(cuts)), 0), "")]
    leads: dict[object, set[object]] = {}
    while waiting:
        (state, lowest), prefix = waiting.pop()
        if (state, lowest) in leads:
            continue
        after = leads[state, lowest] = set()
        induced: dict[int, Fraction] = defaultdict(Fraction)
        for number, outcome in enumerate(run([(value, prefix + word) for word in words])):
            below = [k + 1 for k, cut in state if cut <= number * each]
            first = max([lowest, *below])
            if outcome is not None:
                induced[outputs.index(outcome)] += each
                after.add("decided")
                continue
            left = tuple(
                (k, cut / each - number) for k, cut in state if number < cut / each < number + 1
            )
            for k, mass in _law(left, first):
                induced[k] += each * mass
            after.add((left, first))
            waiting.append(((left, first), prefix + words[number]))
        assert {k: mass for k, mass in induced.items() if mass} == dict(_law(state, lowest))
    ending: set[object] = {"decided"}
    while more := {state for state, after in leads.items() if after & ending} - ending:
        ending |= more
    assert set(leads) <= ending, "a state from which nothing is ever decided"
    return len(leads)


def _law(state, lowest):
    """The outputs between the cuts of a state, with their probabilities."""
    ends = [Fraction(0), *(cut for _, cut in state), Fraction(1)]
    numbers = [lowest, *(k + 1 for k, _ in state)]
    masses = [after - before for before, after in itertools.pairwise(ends)]
    return [(k, mass) for k, mass in zip(numbers, masses, strict=True) if mass]


def every_string(run, value, length: int) -> tuple[dict[str, Fraction], Fraction]:
    """What strings of single bits decide, up to a length, and the probability left open."""
    found: dict[str, Fraction] = defaultdict(Fraction)
    prefixes = [""]
    for size in range(1, length + 1):
        strings = [prefix + bit for prefix in prefixes for bit in "01"]
        outcomes = run([(value, string) for string in strings])
        prefixes = []
        for string, outcome in zip(strings, outcomes, strict=True):
            if outcome is None:
                prefixes.append(string)
            else:
                found[json.dumps(outcome)] += Fraction(1, 1 << size)
    return found, Fraction(len(prefixes), 1 << length)
