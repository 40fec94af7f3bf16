"""Continuous operators from the command line: audit, check, randomize, and what is refused."""

import json

import pytest

from ppdm_formal.cli import run

pytestmark = pytest.mark.usefixtures("one_checker")

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


FINE = """
domain Age = reals 0..100
operator Fine(x: Age) -> reals { return x + laplace(50) clamped to 0..100 rounded to 1/100 }
audit Fine {
    forbid breach 1/20 -> 1/2
    require epsilon <= 2
    require epsilon <= 19/10
}
"""


def test_a_step_of_a_hundredth_on_a_range_of_a_hundred(tmp_path, capsys):
    """10,001 inputs and outputs: decided, re-checked, drawn by a client, and reconstructed."""
    model, folder = tmp_path / "fine.ppdm", tmp_path / "proofs"
    model.write_text(FINE)
    assert run(["audit", str(model), "--certificates", str(folder), "--no-solver"]) == 1
    said = capsys.readouterr().out
    assert "certified    Fine: forbid breach 1/20 -> 1/2" in said
    assert "breached     Fine: require epsilon <= 19/10" in said
    assert run(["check", str(folder), "--model", str(model)]) == 1
    assert run(["check", str(folder), "--model", str(model), "--allow-breached"]) == 0
    model.write_text(FINE.replace("laplace(50)", "laplace(51)"))
    assert run(["check", str(folder), "--model", str(model)]) == 4
    model.write_text(FINE.replace("    require epsilon <= 19/10\n", ""))
    client = tmp_path / "client.py"
    assert run(["client", str(model), "--operator", "Fine", "--language", "python",
                "-o", str(client)]) == 0  # fmt: skip
    names: dict = {"__name__": "client"}
    exec(compile(client.read_text(), "client.py", "exec"), names)
    assert names["self_test"]() > 20
    sent = names["randomize"](12.345)
    assert 0 <= float(sent) <= 100
    table, released = tmp_path / "in.csv", tmp_path / "out.csv"
    table.write_text("age\n" + "".join(f"{20 + k / 100}\n" for k in range(600)))
    assert run(["randomize", str(table), "-o", str(released), "--model", str(model),
                "--operator", "Fine=age"]) == 0  # fmt: skip
    found = tmp_path / "density.json"
    assert run(["reconstruct", str(released), "--cells", "0:100:10", "--json", str(found)]) == 0
    masses = [float(cell["mass"]) for cell in json.loads(found.read_text())["cells"]]
    assert abs(sum(masses) - 1) < 1e-4
    capsys.readouterr()
    assert run(["estimate", str(released)]) == 2
    assert "ppdm reconstruct" in capsys.readouterr().err
