"""The contract of energies."""

from pliant.device import Device
from pliant.energy.base import Energy
from pliant.energy.majorised import Majorised


def test_an_energy_is_nothing_unless_told():
    energy = Energy(Device())
    assert energy.value(None) == 0.0
    assert energy.cells() is None
    bound = Majorised()
    assert bound.laplacian(3) is None and bound.tethers is None and not bound.local_step(None, None)
