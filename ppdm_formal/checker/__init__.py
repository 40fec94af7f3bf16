"""The independent checker of certificates (docs/certificate.md), with the standard library only.

It shares no code with what made a certificate: it derives the verdict and the thresholds again from
the views and the evidence, in Fractions, and rejects whatever it cannot derive. Certificates are
hostile input: sizes are bounded, and a process that takes too long is ended.

Read it beside docs/certificate.md, which has the same order: how things are written; the claim; the
views of the operator; what a claim says of them; each kind of evidence; witnesses; free parameters;
continuous operators. Then all is put together, and compared with a model. docs/GUIDE.md lists the
files in that order. They import each other by their place alone, so that the folder runs anywhere.
"""

import importlib
import pkgutil

from .against_model import FromModel, check_certificate, check_file, need_origin, remarks
from .main import main
from .result import EXITS, CheckResult, Permits, Rejected
from .survey import Stated, Survey, survey
from .worker import Worker

for _file in pkgutil.iter_modules(__path__):  # a kind is found by its place (table.py)
    importlib.import_module(f"{__name__}.{_file.name}")

__all__ = [
    "EXITS",
    "CheckResult",
    "FromModel",
    "Permits",
    "Rejected",
    "Stated",
    "Survey",
    "Worker",
    "check_certificate",
    "check_file",
    "main",
    "need_origin",
    "remarks",
    "survey",
]
