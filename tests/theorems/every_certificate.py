"""In CI every certificate that any test makes is put to the extracted checker too.

Where PPDM_REQUIRE_COQ=1 asks for Coq: each process of the tests writes down the certificates that
the package makes in it; when all tests are done the extracted checker is asked once. What the
checker in Python accepts and a theorem covers must be proved, or the whole run fails. (Tests that
put mistakes into the package make false certificates, which both must refuse.)
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from built import made

from ppdm_formal.certify.certificate import Certificate
from ppdm_formal.certify.theorem import NotCovered
from ppdm_formal.certify.theorem.text import plain_line
from ppdm_formal.checker import check_certificate

FOLDER = "PPDM_CERTIFICATES"  # where the processes of one run meet


def question(document: dict[str, Any]) -> str:
    """What to ask about a certificate; or why there is nothing to ask, without a parenthesis."""
    if document["verdict"] == "unknown":
        return "no verdict"
    try:
        return plain_line(document).strip()
    except NotCovered:
        return "not covered"
    except Exception as problem:  # counts only if the certificate is accepted
        return f"no question: {problem!r}".replace("\n", " ").replace("\t", " ")


class EveryCertificate:
    """The plugin: hears of certificates, and asks at the end."""

    def __init__(self) -> None:
        self.made: list[Certificate] = []
        self.known: set[str] = set()
        self.counts = Counter[str]()
        self.folder = Path(os.environ.get(FOLDER) or tempfile.mkdtemp(prefix="ppdm-certificates-"))
        os.environ[FOLDER] = str(self.folder)  # processes that are started from here write there
        self.target = self.folder / str(os.getpid())
        self.plain = Certificate.__init__

    def pytest_sessionstart(self) -> None:
        """Hear of every certificate that the package itself makes."""

        @functools.wraps(self.plain)
        def heard(certificate: Certificate, *parts: Any, **named: Any) -> None:
            self.plain(certificate, *parts, **named)
            if sys._getframe(1).f_globals["__name__"].startswith("ppdm_formal."):
                self.made.append(certificate)

        Certificate.__init__ = heard  # type: ignore[method-assign]

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Write down what the test made."""
        rows = []
        for certificate in self.made:
            try:
                document = certificate.to_json()
            except Exception:  # half of one, which the test broke
                self.counts["cannot be written"] += 1
                continue
            rows += self.row(item.nodeid, document)
        self.made.clear()
        with self.target.open("a", encoding="utf-8") as file:
            file.writelines(rows)

    def row(self, test: str, document: dict[str, Any]) -> list[str]:
        """The line of a certificate: the test, what to ask, and the certificate; once."""
        if document["sha256"] in self.known:
            return []
        self.known.add(document["sha256"])
        return [f"{test}\t{question(document)}\t{json.dumps(document)}\n"]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Ask about all certificates of all processes, in the one that started the others."""
        Certificate.__init__ = self.plain  # type: ignore[method-assign]
        if hasattr(session.config, "workerinput"):
            return
        texts = [path.read_text(encoding="utf-8") for path in self.folder.iterdir()]
        shutil.rmtree(self.folder)
        rows = [row.split("\t") for text in texts for row in text.splitlines()]
        lines = [asked + "\n" for _, asked, _ in rows if asked.startswith("(")]
        said = iter(answers(lines, session.config._tmp_path_factory.getbasetemp()))
        for test, asked, document in rows:
            answer = next(said) if asked.startswith("(") else asked
            silent = answer in ("true", "not covered", "no verdict")
            if not silent and check_certificate(json.loads(document)).accepted:
                self.counts[f"DIFFERENCE: {answer}, by {test}"] += 1
                session.exitstatus = pytest.ExitCode.TESTS_FAILED
            else:
                words = {"true": "accepted by both"}
                self.counts[words.get(answer, answer if silent else "rejected by both")] += 1

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """What came of it."""
        said = ", ".join(f"{number} {what}" for what, number in sorted(self.counts.items()))
        terminalreporter.write_line(f"certificates of the tests, asked twice: {said}")


def answers(lines: list[str], shared: Path) -> list[str]:
    """What the extracted checker says."""
    if not lines:
        return []
    checker = made("checker", shared) / "checker"
    said = subprocess.run(
        [checker], input="".join(lines), capture_output=True, text=True, check=True
    )
    found = said.stdout.splitlines()
    assert len(found) == len(lines)
    return found
