"""Materials of daily life by name."""

import numpy as np
import pytest

import pliant as pl
from pliant.material.laws.presets import PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_a_law_with_its_values(name):
    law = pl.preset(name)
    assert (law.young, law.poisson, law.density) == tuple(PRESETS[name].values.values()) and len(PRESETS[name].source) > 20


def test_several_are_materials_of_regions():
    law = pl.preset(["jelly", "rubber"])
    np.testing.assert_array_equal(law.young, [1.2e3, 1.2e6])
    mesh = pl.tet_grid((1, 1, 1), (1, 1, 1))
    halves = pl.TetMesh(mesh.vertices, mesh.tets, regions=np.arange(len(mesh.tets)) % 2)
    assert set(pl.Body(halves, law).densities) == {1310.0, 930.0}


@pytest.mark.parametrize("name, words", [("rubbr", "did you mean 'rubber'"), ([], "jelly, liver"), (3, "jelly, liver")])
def test_others_are_refused(name, words):
    with pytest.raises(pl.errors.InputError, match=words):
        pl.preset(name)
