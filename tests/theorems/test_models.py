"""Certificates of models/: those of covered kinds compile, and the extracted checker agrees."""

import json
from pathlib import Path

import pytest
from differential import compared, covered
from together import together

from ppdm_formal.certify.theorem.text import theorem_text
from ppdm_formal.cli import run

MODELS = Path(__file__).parent.parent.parent / "models"
NAMES = ["example1", "knowledge", "warner", "local_hashing"]  # all of them by hand: timed.py


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    found = []
    for name in NAMES:
        folder = tmp_path_factory.mktemp(name)
        run(["audit", str(MODELS / f"{name}.ppdm"), "--certificates", str(folder)])
        paths = sorted(folder.glob("*.json"))
        assert paths
        found += [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    return found


def test_all_compile(documents, coqc):
    assert covered(documents) == documents
    compiled = coqc(together([theorem_text(document) for document in documents]))
    assert compiled.returncode == 0, compiled.stderr


def test_both_checkers_accept_all(documents, checker):
    assert compared(checker, documents) == {"accepted by both": len(documents)}
