"""The contract of energies."""

from pliant.energy.base import Energy
from pliant.energy.quadratic_bound import Majorised
from pliant.runtime.device import Device


def test_an_energy_is_nothing_unless_told():
    energy = Energy(Device())
    assert energy.value(None) == 0.0
    assert energy.cells() is None
    bound = Majorised()
    assert bound.laplacian(3) is None and bound.tethers is None and not bound.local_step(None, None)
