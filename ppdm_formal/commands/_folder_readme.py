"""README.txt of a folder of certificates: what lies there, and the commands that check it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from ppdm_formal.checker.manifest import KEPT, MANIFEST
from ppdm_formal.report.words.again import model_options
from ppdm_formal.report.words.visible import clean

if TYPE_CHECKING:
    from ppdm_formal.commands._certificates import Numbered
    from ppdm_formal.declare.language.model import Model


def folder_readme(
    model: Model,
    entries: Sequence[Numbered],
    names: Sequence[str],
    operators: Sequence[str] | None,
    checker: str,
) -> str:
    """The text; checker: the digest of check.py."""
    found = [entry.certificate for entry in entries]
    permits = " --allow-vacuous" * any(one.says_nothing for one in found)
    solved = any(one.trust is not None and not one.trust.exact for one in found)
    permits += " --allow-solver-trusted" * solved
    name = clean(PurePath(model.file).name, 200)
    listed = "\n".join(f"    {one}" for one in names) or "    (no claim was decided)"
    options = model_options(model) + _forbidden(model, entries, operators)
    for one in operators or ():
        options += f" --operator {shlex.quote(clean(one, 200))}"
    inside = shlex.quote(f"{KEPT}/{name}")
    return f"""Certificates of {name} (SHA-256 {model.sha256})

Each file states one claim about one operator (or record in parts), its verdict and evidence. The
number at the end of its name is the number of the claim in the report.

{listed}

{MANIFEST} lists every claim with its verdict and the digest of its certificate, and the values of
the model's parameters. {KEPT}/ holds the model and the files that it reads.

To check them without trusting the tool that wrote them, run the checker that lies here. It is one
file that needs nothing but Python 3.11 or later, and is meant to be read:

    python3 -I check.py .{permits}

Compare its digest with one that you have from elsewhere, such as another folder of certificates:

    SHA-256 of check.py: {checker}

"accepted" means that the verdict follows from the operator as the certificate describes it: without
the model, the numbers of the operator are taken from the file. That they are those of the model,
and that no claim is missing, ppdm_formal shows with a model file that you trust in place of this
one, and with values that you state:

    ppdm check . --model {inside}{options}{permits}

Exit codes: 0 every claim holds, 1 a verified certificate says breached, or that its claim holds in
part only (0 with --allow-breached),
2 a file cannot be read, 3 not verified (undecided, says nothing, rests on a solver, out of time),
4 a certificate is rejected, altered or missing. Where several apply: 2, then 4, 1, 3.
"""


def _forbidden(model: Model, entries: Sequence[Numbered], operators: Sequence[str] | None) -> str:
    """Claims that were made beside those of the model, as options."""
    from ppdm_formal.certify.audit.stated import stated_claims
    from ppdm_formal.commands._claims import claim_options
    from ppdm_formal.declare.claim import BreachClaim

    known = {(one.operator, one.text) for one in stated_claims(model, (), operators)}
    found = [(entry.operator, entry.certificate.claim) for entry in entries]
    return claim_options(
        [
            claim
            for operator, claim in found
            if isinstance(claim, BreachClaim) and (operator, str(claim)) not in known
        ]
    )
