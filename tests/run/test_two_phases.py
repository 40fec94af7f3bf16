"""Two phases from the command line: design, report items, continue, report pairs, estimate."""

from __future__ import annotations

import json

import numpy as np

from ppdm_formal.cli import run
from ppdm_formal.run.release import Release
from ppdm_formal.run.supports import supports


def test_two_phases_from_design_to_supports(tmp_path, capsys):
    rng = np.random.Generator(np.random.PCG64(8))
    rows = []
    for _ in range(6000):
        basket = set(rng.integers(3, 20, 1 + rng.binomial(2, 0.4)).tolist())
        basket |= {0, 1} if rng.random() < 0.4 else set()
        rows.append(basket | ({1, 2} if rng.random() < 0.3 else set()))
    shop, plan, found, second = (
        tmp_path / name for name in ("shop.dat", "plan.json", "found.txt", "second.json")
    )
    shop.write_text("".join(" ".join(map(str, sorted(row))) + "\n" for row in rows))
    levels = ["--rho1", "5%", "--rho2", "50%", "--itemsets", "2", "--items", "20"]
    asked = ["design", "--data", str(shop), *levels, "--form", "two-phase", "-o", str(plan)]
    assert run(asked) == 0

    def randomized(phase, used, name):
        target = tmp_path / name
        started = ["randomize", str(shop), "-o", str(target), "--plan", str(used)]
        more = ["--phase", phase, "--group-by", "place", "--longer", "sample", "--simulate", "4"]
        return run([*started, *more]), target

    capsys.readouterr()
    assert randomized("2", plan, "second.dat")[0] == 2
    assert "is pending" in capsys.readouterr().err
    code, first = randomized("1", plan, "first.dat")
    assert code == 0
    one = Release.read(first)
    items = supports(one, [(item,) for item in range(20)])
    least = float(json.loads(plan.read_text())["two_phase"]["threshold"])
    chosen = [item for item in range(20) if items.estimates[item] >= least]
    assert {0, 1, 2} <= set(chosen)
    found.write_text("".join(f"{item}\n" for item in chosen))
    assert run(["design", "--continue", str(plan), str(found), "-o", str(second)]) == 0
    code, later = randomized("2", second, "second.dat")
    assert code == 0
    two = Release.read(later)
    assert two.transactions.key == one.transactions.key  # continuing moves nobody
    assert two.transactions.groups[0].chosen == tuple(chosen)
    assert one.tally.rows_out + two.tally.rows_out == 6000
    for pair in supports([one, two], [(0, 1), (1, 2), (0, 2)]):
        true = sum(set(pair.itemset) <= row for row in rows) / 6000
        assert abs(pair.estimate - true) < 4.5 * pair.clients
