"""Sums of laws: what they are made of, and that they are the sum."""

import numpy as np
import pytest
from pliant.laws import Fibres, Muscle

from pliant import LinearElastic, NeoHookean, StableNeoHookean
from pliant.errors import InputError


def test_a_sum_knows_its_terms():
    law = StableNeoHookean(young=1e4, density=1100) + Fibres(stiffness=5.0) + Muscle()
    assert [t.key for t in law.terms] == ["StableNeoHookean", "Fibres", "Muscle"]
    assert float(law.density) == 1100
    assert not law.isotropic and law.rotation_invariant and law.inversion_safe and not law.barrier
    assert law.table().shape == (1, 2 + 4 + 6)
    assert {"StableNeoHookean.young", "Fibres.stiffness", "Muscle.activation"} <= set(law.parameters())


def test_flags_of_a_sum_are_those_of_its_weakest():
    assert (NeoHookean(young=1.0, extended_below=0.0) + Fibres(stiffness=1.0)).barrier
    assert not (LinearElastic(young=1.0) + Fibres(stiffness=1.0)).rotation_invariant


def test_rows_must_fit():
    law = StableNeoHookean(young=[1e4, 2e4]) + Fibres(stiffness=[1.0, 2.0, 3.0])
    with pytest.raises(InputError, match="rows"):
        law.table()
    assert (StableNeoHookean(young=[1e4, 2e4]) + Fibres(stiffness=1.0)).table().shape == (2, 6)


def test_what_cannot_be_added():
    with pytest.raises(InputError, match="another material"):
        StableNeoHookean(young=1.0) + 3
    with pytest.raises(InputError, match="density"):
        Fibres(stiffness=1.0) + Muscle()


def test_two_alike_in_one_sum():
    """Two sets of fibres are told apart by where their parameters lie."""
    law = StableNeoHookean(young=1.0) + Fibres(stiffness=2.0, direction=(1, 0, 0)) + Fibres(stiffness=3.0, direction=(0, 1, 0))
    assert np.allclose(law.table()[0, 2:], [1, 0, 0, 2, 0, 1, 0, 3])
