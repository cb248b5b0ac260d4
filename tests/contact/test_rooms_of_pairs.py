"""Launches over pairs stay within the arrays that they write on."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.barrier.barrier_energy import BarrierContact
from pliant.contact.pairs.point_pairs import padded


@pytest.mark.parametrize("rubbing", [1, 64, 600, 700])
def test_friction_is_launched_on_the_room_for_its_pairs_at_most(rubbing, monkeypatch):
    """Numbers of pairs are rounded up to a power of two; arrays need not be as long as that."""
    law = pl.StableNeoHookean(young=1e4, poisson=0.3, density=1000.0)
    bodies = [pl.Body(pl.tet_grid((0.1,) * 3, (1, 1, 1), origin=(0, 0, 0.102 * k)), law) for k in range(2)]
    contact = pl.Contact(friction=0.5, response=pl.contact.Barrier(reach=5e-3))
    sim = pl.Simulation(pl.Scene(bodies, contact=contact), pl.ImplicitEuler(1 / 100))
    (energy,) = (e for e in sim.world.objective.energies if isinstance(e, BarrierContact))
    energy.candidates.capacity = 700
    energy.candidates._grow(700)
    energy._allocate()
    assert padded(600) > energy.rubbing.capacity == 700
    launched, launch = [], energy.device.launch
    monkeypatch.setattr(
        energy.device, "launch", lambda kernel, size, *a, **k: launched.append(size) or launch(kernel, size, *a, **k)
    )
    energy.rubbing.count = rubbing
    energy._rub()
    assert launched and max(launched) <= 700 and launched[0] >= rubbing
    assert not np.any(energy.loss.numpy()) and len(energy.loss) == 700
