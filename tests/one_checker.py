"""One process that checks for all commands of a test process, instead of a new one for each.

Each command finds it as if it had just begun: in its folder, with no model read.
"""

import os

from ppdm_formal.checker.worker import Worker
from ppdm_formal.commands import check

_served = None


def in_turn(turn, folder, function, *arguments):
    """In the process: what a command asks; what was kept for the one before is forgotten."""
    global _served
    if turn != _served:
        _served = turn
        os.chdir(folder)
        check._loaded.cache_clear()
    return function(*arguments)


class OneChecker:
    """What stands in for Worker: each command's is a turn of the one process."""

    shared = Worker(in_turn)
    turns = 0

    def __init__(self, function):
        OneChecker.turns += 1
        self.turn, self.function = OneChecker.turns, function

    def ask(self, seconds, *arguments):
        """What the function answers there, or that it took too long."""
        return self.shared.ask(seconds, self.turn, os.getcwd(), self.function, *arguments)

    def close(self):
        """It stays for the next command."""
