"""Statements of papers, decided anew: what a proof file in proofs/<paper>/ is written with."""

from ppdm_formal.statement.lemma import Lemma, ask, prove_all, refute
from ppdm_formal.statement.loader import NotAStatementFile, load_statements
from ppdm_formal.statement.outcome import Outcome
from ppdm_formal.statement.printed import Printed, compare_printed, refute_misprints
from ppdm_formal.statement.replay import replay_breach
from ppdm_formal.statement.statement import Decided, Neighbour, Statement, decide
from ppdm_formal.statement.term import Formula, Term, reals

__all__ = [
    "Decided",
    "Formula",
    "Lemma",
    "Neighbour",
    "NotAStatementFile",
    "Outcome",
    "Printed",
    "Statement",
    "Term",
    "ask",
    "compare_printed",
    "decide",
    "load_statements",
    "prove_all",
    "reals",
    "refute",
    "refute_misprints",
    "replay_breach",
]
