"""The best select-a-size for single items: closed form, optimality, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from ppdm_formal.declare.families.select_a_size import Randomization, from_balance
from ppdm_formal.design.item_form import ItemForm, best_item_form, noise_grid
from ppdm_formal.design.recovery import Recovery

F = Fraction


@pytest.mark.parametrize("present", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("rho", [F(1, 50), F(1, 3), F(1, 2), F(9, 10)])
@pytest.mark.parametrize("gamma", [F(3, 2), F(19)])
def test_the_closed_form_is_the_recovery_of_single_items(present, rho, gamma):
    for cutoff in range(present):
        form = ItemForm(present, rho, cutoff, gamma)
        known = Recovery.of(form.randomization(), 1)
        assert form.stay == known.P[1][1]
        assert (form.noise_absent, form.noise_held) == tuple(known.noise)


def test_the_grid_is_the_closed_form_in_floating_point():
    rho = np.array([[0.001, 0.25, 0.5]] * 6)
    absent, held = noise_grid(6, rho, 19.0)
    for cutoff, column in product(range(6), range(3)):
        form = ItemForm(6, F(rho[cutoff, column]), cutoff, F(19))
        assert absent[cutoff, column] == pytest.approx(float(form.noise_absent), rel=1e-9)
        assert held[cutoff, column] == pytest.approx(float(form.noise_held), rel=1e-9)


@pytest.mark.parametrize("gamma", [F(2), F(19), F(99)])
@pytest.mark.parametrize("support", [0.0, 0.05, 0.5])
def test_no_vertex_at_any_rho_does_better(gamma, support):
    """All b in {1, gamma}^(M + 1) for M = 4, by the recovery matrix; rho on a fine grid."""

    def cost(noise):
        return (1 - support) * float(noise[0]) + support * float(noise[1])

    best = best_item_form(4, gamma, support)
    least = cost((best.noise_absent, best.noise_held))
    for rho in [F(a, 400) for a in (*range(1, 40), *range(40, 400, 10))]:
        for corner in product((F(1), gamma), repeat=5):
            keep = from_balance(corner, rho)
            stay = sum(j * p for j, p in enumerate(keep)) / 4
            if stay != rho:
                noise = rho * (1 - rho) / (stay - rho) ** 2, stay * (1 - stay) / (stay - rho) ** 2
                assert cost(noise) >= least * (1 - 3e-4)


@pytest.mark.parametrize("gamma", [1.1, 6.0, 19.0, 999.0])
@pytest.mark.parametrize("present", [1, 2, 3, 5, 7, 10, 20, 31])
def test_nothing_is_kept_below_the_first(present, gamma):
    """j* = 0 is best, of all cutoffs at all rho: any of the items that are present, or none."""
    half = np.geomspace(1e-5, 0.5, 400)
    rho = np.broadcast_to(np.concatenate([half, 1 - half]), (present, 800))
    absent, _ = noise_grid(present, rho, gamma)
    assert int(absent.min(axis=1).argmin()) == 0
    best = best_item_form(present, F(gamma))
    assert best.cutoff == 0
    assert float(best.noise_absent) <= absent.min() * 1.001


def test_noise_grows_with_what_is_present():
    found = [float(best_item_form(m, F(19)).noise_absent) for m in (1, 5, 10, 120, 3000)]
    assert found == pytest.approx([0.2346, 1.197, 2.400, 28.86, 721.7], rel=2e-3)


def test_fewer_bits_cost_more():
    free = best_item_form(10, F(19))
    for bits in range(1, 12):
        form = best_item_form(10, F(19), bits=bits)
        assert (1 << bits) % form.insert.denominator == 0
        assert form.noise_absent >= free.noise_absent * F(999, 1000)
    assert best_item_form(10, F(19), bits=1).insert == F(1, 2)


def test_the_randomization_has_the_amplification():
    form = best_item_form(6, F(19))
    randomization = form.randomization()
    assert isinstance(randomization, Randomization)
    default = [form.insert**j * (1 - form.insert) ** (6 - j) for j in range(7)]
    ways = [1, 6, 15, 20, 15, 6, 1]
    b = [p / d / w for p, d, w in zip(randomization.keep, default, ways, strict=True)]
    assert max(b) / min(b) == 19


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ItemForm(3, F(1, 2), 3, F(19)), "j\\* must be one of 0..2"),
        (lambda: ItemForm(3, F(1, 2), -1, F(19)), "j\\* must be one of 0..2"),
        (lambda: ItemForm(3, F(0), 0, F(19)), "strictly between 0 and 1"),
        (lambda: ItemForm(3, F(1), 0, F(19)), "strictly between 0 and 1"),
        (lambda: ItemForm(3, F(1, 2), 0, F(1)), "nothing to learn"),
        (lambda: best_item_form(0, F(19)), "at least one"),
        (lambda: best_item_form(3, F(1)), "nothing to learn"),
        (lambda: best_item_form(3, F(19), 1.5), "not in \\[0, 1\\]"),
        (lambda: best_item_form(3, F(19), 0.1, 31), "1 to 30 bits"),
        (lambda: best_item_form(3, F(19), 0.1, 0), "1 to 30 bits"),
    ],
)
def test_bad_input(call, said):
    with pytest.raises(ValueError, match=said):
        call()
