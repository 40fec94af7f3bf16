"""Every command on files and numbers that were damaged: it ends by itself, and never in exit 5.

By hand at length: python -m tests.cli.fuzz --cases 3000 --seed 7
A case is a command line, of which one file or argument was changed; each runs in a process of its
own, with a limit of time. Half-written files (what a rename would have put in place) count too.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ppdm_formal.cli import run

SECONDS = 60

MODEL = """
param p in [1/4, 9/10] = 1/2
domain D = 0..3
prior X on D { 0 : 1/10; 1..3 : 3/10 each }
property zero on D = x == 0
operator R(x: D) -> D { with p { return x } else { return uniform(D) } }
operator S = subset_selection(values: 4, gamma: 3)
audit R { prior X; property zero; given 0; forbid breach 1/20 -> 1/2; require epsilon <= 3 }
audit S { forbid breach 1/10 -> 1/2 under X for zero }
"""
REALS = """
domain Age = reals 0..100
prior Even on Age = uniform
property old on Age = x >= 65
operator L(x: Age) -> reals { return x + laplace(50) }
operator G(x: Age) -> reals { return x + laplace(50) clamped to -20..120 rounded to 20 }
audit L, G {
    forbid breach 1/10 -> 1/2; forbid breach 1/8 -> 2/5 under Even for old; require epsilon <= 2
}
"""
PARTS = """
operator A(x: 0..1) -> 0..1 { [x -> y] = 3/4 if x == y | 1/4 otherwise }
operator B(x: 0..1) -> 0..1 { [x -> y] = exp(1)/(exp(1) + 1) if x == y | 1/(exp(1) + 1) otherwise }
parts Record { a : A; b : B; dependence <= 1/5; require record <= 4; require dependence(a) <= 2 }
"""
FREE = """
param p in (1/2, 1)
operator W(x: {yes, no}) -> {yes, no} { [x -> y] = p if y == x | 1 - p otherwise }
prior Rare on {yes, no} { yes : 1/10; no : 9/10 }
audit W { prior Rare; forbid breach 1/10 -> 1/2; forbid upward breach 1/10 -> 2/5 under Rare }
"""

BASES: list[tuple[str, ...]] = [
    ("audit", "model.ppdm", "--no-solver", "--json", "out.json", "--html", "out.html"),
    ("audit", "reals.ppdm", "--no-solver", "--certificates", "outdir"),
    ("audit", "parts.ppdm", "--no-solver", "--json", "-"),
    ("audit", "free.ppdm", "--no-solver", "--set", "p=3/4"),
    ("audit", "matrix.csv", "--forbid", "5%:50%", "--no-solver"),
    ("audit", "matrix.csv", "--forbid", "5%:50%", "--no-solver", "--rounded", "2"),
    ("audit", "plan.json", "--no-solver"),
    ("check", "c_model/R-1.json", "--model", "model.ppdm"),
    ("check", "c_model/S-3.json", "--model", "model.ppdm"),
    ("check", "c_reals/L-4.json", "--model", "reals.ppdm"),
    ("check", "c_reals/L-5.json"),
    ("check", "c_parts/Record-1.json", "--model", "parts.ppdm"),
    ("check", "c_free/W-1.json", "--model", "free.ppdm"),
    ("check", "c_free"),
    ("client", "model.ppdm", "--operator", "R", "--language", "javascript", "-o", "out.mjs"),
    ("client", "reals.ppdm", "--operator", "G", "--language", "python", "-o", "out.py"),
    ("client", "--plan", "plan.json", "--items", "20", "-o", "out.py"),
    ("compare", "model.ppdm", "free.ppdm", "matrix.csv"),
    ("leakage", "model.ppdm", "--operator", "R", "--prior", "X"),
    ("theorem", "c_model/R-1.json", "-o", "out.v"),
    ("randomize", "table.csv", "-o", "out.csv", "--model", "model.ppdm", "--operator", "R=a"),
    (
        "randomize",
        "table.parquet",
        "-o",
        "out.parquet",
        "--model",
        "model.ppdm",
        "--operator",
        "R=a",
    ),
    ("randomize", "baskets.dat", "-o", "out.dat", "--plan", "plan.json"),
    ("randomize", "baskets.dat", "-o", "out.seeds", "--plan", "plan.json", "--compress"),
    (
        "randomize",
        "baskets.dat",
        "-o",
        "out.dat",
        *["--plan", "rounds.json", "--phase", "1", "--group-by", "place"],
    ),
    ("expand", "seeds.dat", "-o", "out.dat"),
    ("tally", "released.csv", "-o", "out.json"),
    ("estimate", "released.csv"),
    ("estimate", "released.csv", "--method", "mle", "--html", "out.html"),
    ("estimate", "released.parquet", "--json", "-"),
    ("mine", "mined.dat", "--min-support", "5%", "--min-confidence", "50%"),
    ("mine", "baskets.dat", "--plain", "--min-support", "2", "--csv", "out.csv"),
    ("design", "--data", "baskets.dat", "--rho1", "5%", "--rho2", "50%", "-o", "out.json"),
    ("design", "--continue", "rounds.json", "round1.dat", "-o", "out.json"),
    ("design", "--histogram", "sizes.csv", "--items", "30", "--rho1", "5%", "--rho2", "50%"),
    ("seeds", "--items", "100", "--size", "5", "--itemsets", "2", "--insert", "1/2"),
    ("krimp", "baskets.dat", "--algorithm", "slim", "--json", "out.json"),
    (
        "generate",
        "people.csv",
        "-o",
        "out.csv",
        "--epsilon",
        "1",
        "--method",
        "groups",
        "--trust",
        "central",
        "--columns",
        "columns.csv",
    ),
    (
        "generate",
        "people.csv",
        "-o",
        "out.csv",
        "--epsilon",
        "1",
        "--method",
        "code-tree",
        "--columns",
        "columns.csv",
    ),
    ("evaluate", "people.csv", "people2.csv", "--class", "b", "--folds", "2"),
    ("itemsets", "baskets.dat", "--epsilon", "1", "--count", "3", "--items", "20"),
    ("count", "baskets.dat", "--itemset", "1,2", "--epsilon", "1/2"),
    ("count", "--exact", "3,4", "--epsilon", "1", "--prior", "1/2,1/2"),
    ("anonymity", "people.csv", "--quasi", "a", "--sensitive", "b", "--k", "2"),
    ("rate", "loss.csv", "--max-loss", "0.3", "-o", "out.csv"),
    ("value", "--game", "game.csv"),
    (
        "value",
        "--model",
        "model.ppdm",
        "--operator",
        "R",
        "--people",
        "1000,500",
        "--error",
        "0.01",
    ),
    ("reconstruct", "numbers.csv", "--column", "z", "--noise", "laplace(8)", "--cells", "0:100:10"),
    ("reconstruct", "grid.csv"),
    (
        "classify",
        "labelled.csv",
        "--label",
        "c",
        "--columns",
        "a,z",
        "--train",
        "100",
        "--privacy",
        "50%",
        "--strategies",
        "original,byclass",
    ),
    ("prove", "egs03/statement_1", "--json", "-"),
    ("figures", "egs03", "--out", "outdir"),
    ("new", "out"),
    ("domains", "people.csv", "-o", "out.csv"),
]
SLOW = {"demo", "collect"}
"""Commands without a line: collect goes on until it is asked to end."""


def prepared(folder: Path) -> None:
    """All files that the command lines name, small and right."""
    chooser = random.Random(5)
    write = lambda name, text: (folder / name).write_text(text)  # noqa: E731
    write("model.ppdm", MODEL)
    write("reals.ppdm", REALS)
    write("parts.ppdm", PARTS)
    write("free.ppdm", FREE)
    write("matrix.csv", ",u,v,w\na,0.5,0.25,0.25\nb,0.2,0.4,0.4\nc,0.3,0.3,0.4\n")
    rows = [
        (chooser.randrange(4), chooser.choice("xyz"), chooser.gauss(50, 15)) for _ in range(200)
    ]
    write("table.csv", "a,b\n" + "".join(f"{a},{b}\n" for a, b, _ in rows))
    write("labelled.csv", "a,z,c\n" + "".join(f"{a},{z:.3f},{int(z > 50)}\n" for a, _, z in rows))
    write("numbers.csv", "z\n" + "".join(f"{z:.3f}\n" for _, _, z in rows))
    write("ages.csv", "z\n" + "".join(f"{min(100, max(0, round(z)))}\n" for _, _, z in rows))
    write("people.csv", "a,b\n" + "".join(f"{a},{b}\n" for a, b, _ in rows[:60]))
    write("people2.csv", "a,b\n" + "".join(f"{a},{b}\n" for a, b, _ in rows[60:120]))
    write("columns.csv", "a,0,1,2,3\nb,x,y,z\n")
    baskets = [sorted(chooser.sample(range(20), chooser.randint(2, 4))) for _ in range(150)]
    write("baskets.dat", "".join(" ".join(map(str, one)) + "\n" for one in baskets))
    write("sizes.csv", "size,count\n2,500\n3,700\n4,300\n")
    write("loss.csv", "0,1,1\n1,0,1\n1,1,0\n")
    write("game.csv", "coalition,payoff\nA,0\nB,0\nC,0\nA+B,1\nA+C,1\nB+C,1\nA+B+C,1\n")
    import pyarrow.parquet as pq
    from pyarrow import csv

    pq.write_table(csv.read_csv(folder / "table.csv"), folder / "table.parquet")
    made = "--although-breached"
    for line in (
        "audit model.ppdm --no-solver --certificates c_model",
        "audit reals.ppdm --no-solver --certificates c_reals",
        "audit parts.ppdm --no-solver --certificates c_parts",
        "audit free.ppdm --no-solver --certificates c_free",
        "design --data baskets.dat --rho1 5% --rho2 50% --form best -o plan.json",
        "design --data baskets.dat --rho1 5% --rho2 50% -o rounds.json --anyway",
        f"randomize table.csv -o released.csv --model model.ppdm --operator R=a {made}",
        f"randomize table.parquet -o released.parquet --model model.ppdm --operator R=a {made}",
        f"randomize ages.csv -o grid.csv --model reals.ppdm --operator G=z {made}",
        f"randomize baskets.dat -o mined.dat --plan plan.json {made}",
        f"randomize baskets.dat -o seeds.dat --plan plan.json --compress {made}",
        f"randomize baskets.dat -o round1.dat --plan rounds.json --phase 1 --group-by place {made}",
    ):
        code = quiet(line.split())
        if code not in (0, 1, 3):
            raise SystemExit(f"exit {code} of what must work: {line}")


def quiet(arguments: list[str], log: str = os.devnull) -> int:
    with open(log, "w") as out, contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        return run(arguments)


WORDS = [
    *("0", "1", "-1", "2", "1/2", "1/0", "0/0", "NaN", "inf", "-inf", "1e999", "1e-999", "0x10"),
    *(
        "9" * 400,
        "0." + "0" * 50 + "1",
        "5%",
        "",
        " ",
        ",",
        ";",
        "\t",
        '"',
        "'",
        "\0",
        "é",
        "\ufeff",
    ),
    *(
        "null",
        "true",
        "[]",
        "{}",
        "[[[[[[[[",
        "<b>",
        "../x",
        "exp(1)",
        "ln(3)",
        "ln(0)",
        "exp(99999)",
    ),
    *("99999999999999999999", "-0", "1_000", "١", "a" * 5000, "\n", "\r\n", "\x1b[31m"),
]
TOKEN = re.compile(rb'"[^"]*"|[0-9.]+|\w+|\s+|.', re.S)


def damaged(data: bytes, chooser: random.Random) -> bytes:
    """A few bytes or words changed; JSON also where it stays JSON."""
    kind = chooser.randrange(10)
    if kind == 0:
        return b""
    if kind == 1:
        return data[: chooser.randrange(len(data) + 1)]
    if kind == 2 and data:
        place = chooser.randrange(len(data))
        return data[:place] + bytes([chooser.randrange(256)]) + data[place + 1 :]
    if kind <= 5:
        with contextlib.suppress(ValueError):
            document = json.loads(data)
            for _ in range(chooser.choice([1, 1, 2, 3])):
                document = damaged_json(document, chooser)
            return resigned(document)
    tokens = TOKEN.findall(data[:200_000])
    for _ in range(chooser.choice([1, 1, 1, 2, 3])):
        if not tokens:
            break
        place = chooser.randrange(len(tokens))
        match chooser.randrange(5):
            case 0:
                del tokens[place]
            case 1:
                tokens[place] = chooser.choice(WORDS).encode()
            case 2:
                tokens.insert(place, chooser.choice(WORDS).encode())
            case 3:
                tokens[place] = chooser.choice(tokens)
            case _:
                other = chooser.randrange(len(tokens))
                tokens[place], tokens[other] = tokens[other], tokens[place]
    return b"".join(tokens)


def damaged_json(value: object, chooser: random.Random) -> object:
    """One place of a document changed, its kind or its content."""
    if isinstance(value, dict) and value and chooser.random() < 0.9:
        key = chooser.choice(sorted(value))
        if chooser.random() < 0.15:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: damaged_json(value[key], chooser)}
    if isinstance(value, list) and value and chooser.random() < 0.9:
        place = chooser.randrange(len(value))
        match chooser.randrange(5):
            case 0:
                return value[:place] + value[place + 1 :]
            case 1:
                return [*value, value[place]]
            case _:
                return [*value[:place], damaged_json(value[place], chooser), *value[place + 1 :]]
    others: list[object] = [None, True, False, 0, 1, -1, 10**30, 0.5, "", "x", [], {}, [value]]
    return chooser.choice([*others, *WORDS[:14], str(value), f"{value}0"])


def resigned(document: object) -> bytes:
    """As the canonical document, with a digest that is right: what a forger would send."""
    import hashlib

    def canonical(value: object) -> bytes:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return text.encode(errors="surrogatepass")

    if isinstance(document, dict) and isinstance(document.get("operator"), dict):
        own = document["operator"]
        if "views_sha256" in own:
            own["views_sha256"] = hashlib.sha256(canonical(own.get("views"))).hexdigest()
    if isinstance(document, dict) and "sha256" in document:
        rest = {k: v for k, v in document.items() if k != "sha256"}
        document["sha256"] = hashlib.sha256(canonical(rest)).hexdigest()
    return canonical(document) + b"\n"


@dataclass(frozen=True)
class Ending:
    """How a case ended: its exit code (or a signal below 0), what it said, and how long it took."""

    line: tuple[str, ...]
    changed: str
    code: int
    said: str
    seconds: float
    left: tuple[str, ...]

    @property
    def bad(self) -> bool:
        crashed = self.code not in (0, 1, 2, 3, 4, 130) or "Traceback" in self.said
        return crashed or bool(self.left) or "internal error" in self.said


def changed_case(
    line: tuple[str, ...], folder: Path, chooser: random.Random
) -> tuple[list[str], str]:
    """The command line with one file or one argument changed, in a folder of its own."""
    files = [k for k, part in enumerate(line) if k and (folder / part).is_file()]
    places = [k for k in range(1, len(line)) if not line[k].startswith("out")]
    if files and chooser.random() < 0.75:
        name = line[chooser.choice(files)]
        description = folder / f"{name}.release.json"
        path = description if description.exists() and chooser.random() < 0.5 else folder / name
        path.write_bytes(damaged(path.read_bytes(), chooser))
        return list(line), path.name
    if not places:
        return [*line, chooser.choice(WORDS)], "one more argument"
    place = chooser.choice(places)
    word = chooser.choice(WORDS).replace("\0", "")
    new = [*line[:place], word, *line[place + 1 :]]
    return new, f"argument {place}: {word[:40]!r}"


def ending(line: tuple[str, ...], base: Path, work: Path, seed: str) -> Ending:
    """Run one changed case in a child."""
    chooser = random.Random(seed)
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(base, work)
    arguments, what = changed_case(line, work, chooser)
    log = str(work.parent / "log.txt")
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.chdir(work)
        os.setsid()
        code = 99
        try:
            code = quiet(arguments, log)
        except SystemExit as end:
            code = int(end.code or 0)
        except BaseException as problem:
            with open(log, "a") as file:
                file.write(f"Traceback: {problem!r}")
        finally:
            os._exit(code)
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        spent = time.monotonic() - started
        if done:
            code = os.waitstatus_to_exitcode(status)
            break
        if spent > SECONDS:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            code = -9
            break
        time.sleep(0.005)
    said = Path(log).read_text(errors="replace")
    left = tuple(
        str(path.relative_to(work))
        for path in work.rglob("*")
        if path.name.startswith(".") or path.suffix in (".tmp", ".part")
    )
    return Ending(tuple(arguments), what, code, said[-3000:], spent, left)


def tried(seed: object, cases: int, only: list[str] | None = None, progress: bool = False):
    """All endings that are bad, and how many there were of each exit code by command."""
    top = Path(tempfile.mkdtemp())
    base = top / "base"
    base.mkdir()
    here = Path.cwd()
    os.chdir(base)
    try:
        prepared(base)
    finally:
        os.chdir(here)
    from ppdm_formal.cli import cli

    known = set(cli.list_commands(None))  # type: ignore[attr-defined,arg-type]
    lines = [line for line in BASES if line[0] in known and (not only or line[0] in only)]
    codes: dict[str, Counter[int]] = {}
    bad: list[tuple[str, Ending]] = []
    for number in range(cases):
        line = lines[number % len(lines)]
        name = f"{seed}-{number}"
        found = ending(line, base, top / "work", name)
        codes.setdefault(line[0], Counter())[found.code] += 1
        if found.bad:
            bad.append((name, found))
            if progress:
                print(f"=== {name}: exit {found.code} after {found.seconds:.0f} s: {found.changed}")
                print(f"    ppdm {' '.join(found.line)[:300]}\n    left: {found.left}")
                print("    " + found.said[-600:].replace("\n", "\n    "), flush=True)
        if progress and number % 100 == 99:
            print(f"{number + 1} cases, {len(bad)} bad", flush=True)
    shutil.rmtree(top, ignore_errors=True)
    return bad, codes, sorted(known - {line[0] for line in lines} - SLOW)


if __name__ == "__main__":
    options = argparse.ArgumentParser()
    options.add_argument("--cases", type=int, default=3000)
    options.add_argument("--seed", default="0")
    options.add_argument("--only", nargs="*")
    given = options.parse_args()
    bad, codes, missing = tried(given.seed, given.cases, given.only, progress=True)
    for command, counted in sorted(codes.items()):
        print(command, dict(sorted(counted.items())))
    print(f"{len(bad)} bad; commands without a line: {', '.join(missing) or 'none'}")
    sys.exit(bool(bad))
