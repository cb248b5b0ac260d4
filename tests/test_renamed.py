"""Old public names: they work, with one warning that says the new one."""

import importlib
import json
import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.arguments.renamed import FLAT, NAMES, SPACES
from pliant.cli.inputs.scene_file import read_scene
from pliant.errors import ArgumentError, PliantWarning

BLOCK = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))


def test_old_namespaces_work_and_say_the_new_ones():
    assert len(SPACES) > 5 and not set(SPACES) & set(pl._NAMESPACES)
    for old, new in SPACES.items():
        space = getattr(pl, new)
        for name in space.__all__:
            with pytest.warns(PliantWarning, match=rf"pliant\.{old}\.{name} is now pliant\.{new}\.{name}") as said:
                assert getattr(getattr(pl, old), name) is getattr(space, name)
            assert len(said) == 1 and said[0].filename == __file__
        with pytest.raises(AttributeError, match=f"pliant.{new}"):
            getattr(pl, old).Nothing  # noqa: B018
        assert importlib.import_module(f"pliant.{old}") is getattr(pl, old)


def test_old_names_work_and_say_the_new_ones():
    for old, place in NAMES.items():
        space, _, new = place.rpartition(".")
        with pytest.warns(PliantWarning, match=rf"pliant\.{space}\.{old} is now pliant\.{place}") as said:
            assert getattr(getattr(pl, space), old) is getattr(getattr(pl, space), new)
        assert len(said) == 1 and said[0].filename == __file__
        with pytest.raises(AttributeError, match=f"it is now pliant.{place}"):
            getattr(pl, old)


def test_old_flat_names_work_and_say_where_they_are():
    for old, place in FLAT.items():
        assert old not in pl.__all__
        space, _, name = place.partition(".")
        with pytest.warns(PliantWarning, match=rf"pliant\.{old} is now pliant\.{place}") as said:
            assert getattr(pl, old) is getattr(getattr(pl, space), name)
        assert len(said) == 1 and said[0].filename == __file__


def test_old_arguments_work_and_say_the_new_ones():
    smooth = pl.inverse.Smooth(0.1)
    with pytest.warns(PliantWarning, match="is now spatial_prior"):
        assert pl.inverse.Free(1.0, 2.0, across=smooth).spatial_prior is smooth
    with pytest.raises(ArgumentError, match="across"):
        pl.inverse.Free(1.0, 2.0, across=smooth, spatial_prior=smooth)


def test_scene_files_with_old_names_are_read(tmp_path):
    text = """
[[bodies]]
shape = { tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
material = [{ Corotated = { young = 1e4 } }, { terms.Fibres = { stiffness = 1e4 } }]
[integrator]
ImplicitEuler = { dt = 0.01, solver = { Linearised = { tolerance = 0.1 } } }
[run]
seconds = 0.05
"""
    file = tmp_path / "scene.toml"
    file.write_text(text)
    with pytest.warns(PliantWarning, match="Linearised is now LinearlyImplicit"):
        old = read_scene(file)
    file.write_text(text.replace("terms", "laws").replace("Linearised", "LinearlyImplicit"))
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        new = read_scene(file)
    assert repr(old) == repr(new).replace("new.toml", "old.toml")
    assert old.settings["integrator"].solver == pl.solver.LinearlyImplicit(tolerance=0.1)


def test_checkpoints_with_old_names_are_read(tmp_path):
    response = pl.contact.Complementarity(compliance=pl.contact.MatrixFree())
    sim = pl.Simulation(pl.Scene(pl.Body(BLOCK, pl.Corotated(young=1e4)), contact=pl.Contact(response=response)))
    file = sim.save(tmp_path / "new.npz") or tmp_path / "new.npz"
    arrays = dict(np.load(file))
    about = bytes(arrays["about"]).decode()
    assert '"MatrixFree"' in about and json.loads(about)
    arrays["about"] = np.frombuffer(about.replace('"MatrixFree"', '"Unbuilt"').encode(), np.uint8)
    np.savez(tmp_path / "old.npz", **arrays)
    again = pl.Simulation.load(tmp_path / "old.npz")
    assert again.scene.contact.response.compliance == pl.contact.MatrixFree()
