"""Statements of papers, decided anew: what a proof file in proofs/<paper>/ is written with."""

from ppdm_formal.certify.statement.derivation import DerivationStep, derive
from ppdm_formal.certify.statement.exhaustive import check_all
from ppdm_formal.certify.statement.identity import prove_identities
from ppdm_formal.certify.statement.lemma import Lemma, ask, prove_all, refute
from ppdm_formal.certify.statement.loader import (
    NotAStatementFile,
    load_definitions,
    load_statements,
)
from ppdm_formal.certify.statement.outcome import (
    EXACT,
    Outcome,
    PaperFinding,
    argued,
    by_induction,
    corrected,
    together,
    with_findings,
)
from ppdm_formal.certify.statement.printed import Printed, compare_printed, refute_misprints
from ppdm_formal.certify.statement.replay import replay_breach
from ppdm_formal.certify.statement.statement import (
    DecidedStatement,
    Definition,
    Neighbour,
    Proofs,
    Statement,
    decide,
)
from ppdm_formal.certify.statement.term import RealFormula, Term, reals

__all__ = [
    "EXACT",
    "DecidedStatement",
    "Definition",
    "DerivationStep",
    "Lemma",
    "Neighbour",
    "NotAStatementFile",
    "Outcome",
    "PaperFinding",
    "Printed",
    "Proofs",
    "RealFormula",
    "Statement",
    "Term",
    "argued",
    "ask",
    "by_induction",
    "check_all",
    "compare_printed",
    "corrected",
    "decide",
    "derive",
    "load_definitions",
    "load_statements",
    "prove_all",
    "prove_identities",
    "reals",
    "refute",
    "refute_misprints",
    "replay_breach",
    "together",
    "with_findings",
]
