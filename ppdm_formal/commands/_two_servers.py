"""ppdm demo --two-servers: operators certified, clients written, and sums of shares on loopback."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from ppdm_formal.commands._result import Outputs
from ppdm_formal.declare.machine.files import write_text

if TYPE_CHECKING:
    from ppdm_formal.report.parts.demo import DemoStep
    from ppdm_formal.report.parts.two_servers import Cheat, CollectedBy, TwoServers
    from ppdm_formal.run.two_servers.collection import Client

WIDTH = 10
NAMES = ("Respond", "Encode")
TIMES, MOVED = 1000, 10

MODEL = f"""# One of {WIDTH} values, sent as itself or another, and as a bit for each value.
operator Respond = randomized_response(values: {WIDTH}, keep: 1/2)
operator Encode  = unary_encoding(values: {WIDTH}, keep: 3/4, flip: 1/4)
audit Respond, Encode {{ forbid breach 5% -> 50% }}
"""

STEPS = [
    (
        "certify",
        "ppdm audit two-servers.ppdm --certificates certificates",
        "Decide what one report shows, whoever sees it.",
    ),
    (
        "check",
        "ppdm check certificates --model two-servers.ppdm",
        "Check the certificates again, with a program of its own.",
    ),
    *(
        (
            f"client {name}",
            f"ppdm client two-servers.ppdm --operator {name} --language python -o {name}.py",
            "Write the code that randomizes a value where it lives, exactly as certified.",
        )
        for name in NAMES
    ),
]


def demonstrated(
    folder: Path, clients: int, out: Outputs, run: Callable[[str, str, str], DemoStep]
) -> TwoServers:
    """Certify, write clients, and let them report to two servers; a page at the end."""
    from ppdm_formal.report.formats.html_page import document_html
    from ppdm_formal.report.parts.two_servers import TwoServers, summary

    write_text(str(folder / "two-servers.ppdm"), MODEL)
    steps = tuple(run(*step) for step in STEPS)
    out.say(f"Two servers on loopback, and {clients:,} clients of each operator.")
    result = TwoServers(steps, tuple(_summed(folder, name, clients) for name in NAMES))
    for line in summary(result):
        out.say(line)
    write_text(str(folder / "two-servers.html"), document_html(result.document()))
    out.say(f"The page: {(folder / 'two-servers.html').resolve()}")
    return result


def _summed(folder: Path, name: str, clients: int) -> CollectedBy:
    from ppdm_formal.report.parts.two_servers import CollectedBy
    from ppdm_formal.run.two_servers.collection import collect

    code = folder / f"{name}.py"
    ones = name == "Respond"
    keep, flip = (Fraction(1, 2), Fraction(1, 18)) if ones else (Fraction(3, 4), Fraction(1, 4))
    made = _made_up(clients)
    truth = Counter(client.value for client in made if client.reaches == "ab")
    return CollectedBy(
        name,
        "One value a report, added up" if ones else "A bit for each value, added up",
        "forbid breach 1/20 -> 1/2 is certified",
        keep,
        flip,
        ones,
        collect(code, WIDTH, made, clients * 3 // 4, kill=True),
        tuple(truth[value] for value in range(WIDTH)),
        tuple(_cheats(code, clients, ones)),
    )


def _made_up(clients: int) -> list[Client]:
    """Clients whose values are not equally frequent; one in ten loses a server, or both."""
    from ppdm_formal.run.two_servers.collection import Client

    draw = random.SystemRandom()
    values = draw.choices(range(WIDTH), range(WIDTH, 0, -1), k=clients)
    reached = draw.choices(["ab", "a", "b", ""], [90, 3, 3, 4], k=clients)
    return [Client(value, reaches) for value, reaches in zip(values, reached, strict=True)]


def _cheats(code: Path, clients: int, ones: bool) -> list[Cheat]:
    """One client of a smaller collection does not send a report."""
    from ppdm_formal.report.parts.two_servers import Cheat
    from ppdm_formal.run.two_servers.collection import Client, collect

    last = [0] * (WIDTH - 1)
    sent: list[tuple[str, Sequence[int]]] = [
        (f"counts {TIMES:,} times", [*last, TIMES]),
    ]
    if ones:
        moves = f"moves {MOVED} reports of others from value 0 to value {WIDTH - 1}"
        sent.append((moves, [-MOVED, *last[1:], MOVED + 1]))
    found = []
    for what, vector in sent:
        honest = [Client(client.value) for client in _made_up(max(250, clients // 2))]
        some = [Client(WIDTH - 1, sends=tuple(vector)), *honest]
        found.append(Cheat(what, collect(code, WIDTH, some, len(some))))
    return found
