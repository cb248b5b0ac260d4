"""The command that sweeps: a scene file and values of its keys in, a data set, its journal and a page out."""

import json

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main
from pliant.cli.sweep import changed

xarray = pytest.importorskip("xarray")
SCENE = """
gravity = [0, 0, -9.81]

[[bodies]]
name = "beam"
shape = { tet_grid = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
material = { StableNeoHookean = { young = 3e4, poisson = 0.3, density = 1000 } }
pinned = { below = { x = 0.001 } }

[integrator.ImplicitEuler]
dt = 0.02
solver = { QuasiNewton = { tolerance = 1e-9 } }

[run]
seconds = 0.06

[output]
picture = { path = "beam.png" }
"""
YOUNG = "bodies.0.material.young"


@pytest.fixture
def scene(tmp_path):
    (tmp_path / "beam.toml").write_text(SCENE)
    return tmp_path / "beam.toml"


def call(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_grid_is_the_runs_of_the_scene(scene, tmp_path, capsys):
    out = tmp_path / "results" / "study.zarr"
    argv = [
        "sweep",
        scene,
        "--set",
        f"{YOUNG}=1e4:1e6:3log",
        "--set",
        "gravity.2=-9.81,-5",
        "--at",
        "0.2,0,0",
        "--out",
        out,
    ]
    code, text, err = call(capsys, *argv, "--measure", "lowest,stress,energy", "--json")
    assert code == 0, err
    assert json.loads(text)["members"] == 6 and json.loads(text)["failed"] == 0
    with xarray.open_zarr(out) as found:
        assert dict(found.sizes) == {YOUNG: 3, "gravity.2": 2, "time": 4, "at 0.2,0,0_1": 3}
        assert np.allclose(found[YOUNG], [1e4, 1e5, 1e6])
        mesh, law = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000)
        body = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-3)
        steps = pl.ImplicitEuler(0.02, solver=pl.QuasiNewton(tolerance=1e-9))
        run = pl.Simulation(pl.Scene(body, gravity=(0, 0, -5.0)), steps).run(0.06)
        one = found.sel({YOUNG: 1e5, "gravity.2": -5.0}, method="nearest")
        assert np.allclose(one.lowest, run.positions[:, :, 2].min(1), atol=1e-8)
        assert np.allclose(one["at 0.2,0,0"], run.at([(0.2, 0, 0)], "position")[:, 0], atol=1e-8)
        assert np.allclose(one.stress, run.values("stress").max(1), rtol=1e-4) and found.stress.attrs["units"] == "Pa"
    assert "<svg" in out.with_suffix(".html").read_text() and not (tmp_path / "beam.png").exists()
    code, text, err = call(capsys, *argv, "--measure", "lowest,stress,energy")
    assert code == 0 and "6, 0 failed" in text, "the finished study is read"


def test_a_design_and_a_failure(scene, tmp_path, capsys):
    options = ["--design", "lhs:4", "--seed", "2", "--seconds", "0.02", "--out", tmp_path / "study.zarr", "--json"]
    code, text, err = call(capsys, "sweep", scene, "--set", f"{YOUNG}=1e4:1e6:log", *options)
    assert code == 0 and json.loads(text)["members"] == 4, err
    keys = ["--set", "integrator.dt=0.02,-1,0.01", "--seconds", "0.02", "--measure", "lowest", "--json"]
    code, text, err = call(capsys, "sweep", scene, *keys, "--out", tmp_path / "steps.zarr")
    assert code == 0 and json.loads(text)["failed"] == 2, err
    assert "dt" in json.loads(text)["failures"][0] and "shape (3,)" in json.loads(text)["failures"][1]


def test_classes_may_be_left_out_of_keys():
    data = {
        "bodies": [{"material": {"Corotated": {"young": 1.0}}, "pinned": {"below": {"x": 1.0}}}],
        "gravity": [0, 0, 1],
    }
    values = {YOUNG: 2.0, "bodies.0.pinned.below.x": 3.0, "gravity.2": 4.0, "contact.friction": 5.0}
    with pytest.raises(pl.errors.InputError, match="the scene file has no 'contact'"):
        changed(data, values)
    now = changed(data | {"contact": {}}, values)
    assert now["bodies"][0] == {"material": {"Corotated": {"young": 2.0}}, "pinned": {"below": {"x": 3.0}}}
    assert now["gravity"] == [0, 0, 4.0] and now["contact"] == {"friction": 5.0} and data["gravity"] == [0, 0, 1]
    full = changed(data, {"bodies.0.material.Corotated.young": 7.0})
    assert full["bodies"][0]["material"] == {"Corotated": {"young": 7.0}}


BAD = {
    "nothing": ([], "nothing is swept"),
    "no such key": (["--set", "bodies.0.material.yuong=1,2"], "unknown key 'yuong'; expected density, young, poisson"),
    "no such table": (
        ["--set", "bodeis.0.material.young=1,2"],
        "the scene file has no 'bodeis' (did you mean 'bodies'?)",
    ),
    "no such body": (["--set", "bodies.1.material.young=1,2"], "bodies has 1 entries, counted from 0"),
    "within a number": (["--set", f"{YOUNG}.now=1,2"], "bodies.0.material.young is 30000.0; expected a table"),
    "no values": (["--set", YOUNG], "expected KEY=VALUES"),
    "no members": (["--set", f"{YOUNG}=1:2:0"], "has no values, and a grid with it no members"),
    "values": (["--set", f"{YOUNG}=1:2:3:4"], "expected values as 1,2,5"),
    "factors of zero": (["--set", f"{YOUNG}=0:2:3log"], "between positive bounds"),
    "twice": (["--set", f"{YOUNG}=1,2", "--set", f"{YOUNG}=3"], "was given twice"),
    "a design": (["--set", f"{YOUNG}=1:2", "--design", "grid:3"], "--design grid:3: expected lhs, sobol, random"),
    "a count": (["--set", f"{YOUNG}=1:2", "--design", "sobol:6"], "expected a power of two"),
    "bounds": (["--set", f"{YOUNG}=1,2", "--design", "lhs:6"], "expected LOW:HIGH or LOW:HIGH:log"),
    "a measure": (["--set", f"{YOUNG}=1e4,2e4", "--measure", "strss"], "(did you mean 'stress'?)"),
    "a point": (["--set", f"{YOUNG}=1e4,2e4", "--at", "0,0"], "expected X,Y,Z in metres"),
    "where": (["--set", f"{YOUNG}=1e4,2e4", "--on", "moon"], "--on moon: expected here, local"),
    "no scheduler": (["--set", f"{YOUNG}=1e4,2e4", "--on", "dask://"], "no Dask scheduler answers"),
    "a member": (["--set", "bodies.0.material.poisson=0.3,0.6"], "poisson"),
    "a place": (["--set", f"{YOUNG}=1e4,2e4", "--out", "study.nc"], "a name ending in .zarr"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_told_in_a_sentence(name, scene, tmp_path, capsys):
    given, words = BAD[name]
    code, _, err = call(capsys, "sweep", scene, "--out", tmp_path / "study.zarr", *given)
    assert code == 2 and words in err and err.count("\n") == 1, err
    assert not (tmp_path / "study.zarr").exists() and not (tmp_path / "study.journal").exists()
