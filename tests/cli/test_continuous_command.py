"""Continuous operators from the command line: audit, check, randomize, and what is refused."""

import json

from ppdm_formal.cli import run

MODEL = """
domain Age = reals 0..100
prior Even on Age = uniform
property old on Age = x >= 80
operator Noisy(x: Age) -> reals { return x + laplace(50) }
operator Sent(x: Age) -> reals { return x + uniform(-300, 300) clamped to -20..120 rounded to 20 }
audit Noisy, Sent {
    prior Even
    property old
    forbid breach 1/3 -> 1/2 under Even for old
    require epsilon <= 2
}
"""


def test_from_a_model_to_certificates_and_a_release(tmp_path, capsys):
    model, folder = tmp_path / "m.ppdm", tmp_path / "proofs"
    model.write_text(MODEL)
    found = tmp_path / "found.json"
    assert run(["audit", str(model), "--certificates", str(folder), "--json", str(found)]) == 0
    noisy = json.loads(found.read_text())["continuous"][0]
    assert noisy["amplification"]["value"] == "exp(2)"
    assert noisy["epsilon"] == {"lo": "2", "hi": "2"}
    files = sorted(map(str, folder.glob("*.json")))
    assert len(files) == 4
    assert run(["check", *files, "--model", str(model)]) == 0
    model.write_text(MODEL.replace("laplace(50)", "laplace(60)"))
    assert run(["check", str(folder / "Noisy-3.json"), "--model", str(model)]) == 4
    model.write_text(MODEL)
    table, sent = tmp_path / "in.csv", tmp_path / "out.csv"
    table.write_text("age\n17.5\n44\n100\n")
    assert run(["randomize", str(table), "-o", str(sent), "--model", str(model),
                "--operator", "Sent=age"]) == 0  # fmt: skip
    assert {int(cell) % 20 for cell in sent.read_text().split()[1:]} == {0}
    capsys.readouterr()
    assert run(["randomize", str(table), "-o", str(sent), "--model", str(model),
                "--operator", "Noisy=age"]) == 2  # fmt: skip
    assert "real outputs" in capsys.readouterr().err
