"""The examples of docs/collect.md that send reports, in both languages, to a real collector."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from killed import Collector, stored

from ppdm_formal.cli import run

DOCUMENT = Path(__file__).parents[2] / "docs" / "collect.md"
USE = {
    "python": 'from send import send\nprint(send("ADDRESS", [5, 5, 7])["taken"])\n',
    "javascript": 'import { send } from "./send.mjs";\n'
    'console.log((await send("ADDRESS", [5, 5, 7])).taken);\n',
}
ENDINGS = {"python": "py", "javascript": "mjs"}


def test_both_examples_send_what_their_clients_draw(tmp_path, one_checker):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    collector = Collector(tmp_path)
    collector.start()
    programs = {"python": sys.executable, "javascript": node}
    for language, ending in ENDINGS.items():
        example = re.search(rf"```{language}\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)[1]
        (tmp_path / f"send.{ending}").write_text(example)
        client = str(tmp_path / f"client.{ending}")
        model = str(tmp_path / "model.ppdm")
        asked = ["client", model, "--operator", "R", "--language", language, "-o", client]
        assert run(asked) == 0
        use = tmp_path / f"use.{ending}"
        use.write_text(USE[language].replace("ADDRESS", f"http://127.0.0.1:{collector.port}"))
        done = subprocess.run([programs[language], use], capture_output=True, text=True, timeout=60)
        assert done.stdout.strip() == "3", done.stderr
    assert collector.end() == 0
    assert stored(collector.files()).total() == 6
