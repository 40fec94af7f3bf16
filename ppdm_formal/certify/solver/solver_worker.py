"""The solver's own process: SMT-LIB 2 questions in, one a line as JSON, answers out the same way.

Run as a script with the solver's name and a memory limit in bytes. It needs nothing of this
package, ends when its input closes, and dies with its parent. A question is {"text": ...}; an
answer is {"answer": "sat", "model": {"s0": "1/3"}}, "unsat", or "unknown" with a "why".
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
from collections.abc import Callable
from typing import Any

Answer = dict[str, Any]


def z3_solver() -> tuple[str, Callable[[str], Answer]]:
    """Its version, and how to ask z3."""
    import z3

    def ask(text: str) -> Answer:
        logic = re.search(r"\(set-logic (\w+)\)", text)
        solver = z3.SolverFor(logic[1]) if logic else z3.Solver()
        solver.from_string(text)
        found = solver.check()
        if found == z3.unsat:
            return {"answer": "unsat"}
        if found != z3.sat:
            return {"answer": "unknown", "why": solver.reason_unknown()}
        model = solver.model()
        values = {}
        for declared in model.decls():
            value = model[declared]
            if z3.is_int_value(value) or z3.is_rational_value(value):
                values[declared.name()] = str(
                    value.as_fraction() if z3.is_rational_value(value) else value
                )
        return {"answer": "sat", "model": values}

    return z3.get_version_string(), ask


def cvc5_solver() -> tuple[str, Callable[[str], Answer]]:
    """Its version, and how to ask cvc5."""
    import cvc5

    def ask(text: str) -> Answer:
        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        solver.setOption("produce-models", "true")
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        names = parser.getSymbolManager()
        said = ""
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, names)
        answer = said.strip()
        if answer == "unsat":
            return {"answer": "unsat"}
        if answer != "sat":
            return {"answer": "unknown", "why": answer}
        values = {}
        for term in names.getDeclaredTerms():
            value = solver.getValue(term)
            if value.isIntegerValue():
                values[str(term)] = str(value.getIntegerValue())
            elif value.isRealValue():
                values[str(term)] = str(value.getRealValue())
        return {"answer": "sat", "model": values}

    return str(cvc5.__version__), ask


def _limit(memory: int) -> None:
    """Bound the memory, and end with the parent process (where the system can do so)."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if sys.platform == "linux":
        import ctypes
        import signal

        set_death_signal = 1
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def main(name: str, memory: int) -> None:
    """Answer questions until the input ends."""
    _limit(memory)
    answers = sys.stdout
    sys.stdout = sys.stderr  # what a library prints must not be taken for an answer
    try:
        version, ask = {"z3": z3_solver, "cvc5": cvc5_solver}[name]()
    except ImportError as missing:
        print(json.dumps({"missing": str(missing)}), file=answers, flush=True)
        return
    print(json.dumps({"version": version}), file=answers, flush=True)
    for line in sys.stdin:
        try:
            answer = ask(json.loads(line)["text"])
        except MemoryError:
            answer = {"answer": "unknown", "why": "out of memory"}
        except Exception as failure:  # whatever a solver throws is no answer
            answer = {"answer": "unknown", "why": f"{type(failure).__name__}: {failure}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
