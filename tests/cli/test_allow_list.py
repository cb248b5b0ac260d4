"""A scene file of a stranger makes parts of a scene: it reaches no other code and no file outside its results."""

import types

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.allow_list import CLASSES, NAMES, method, methods
from pliant.cli.inputs.scene_file import SceneError, read_scene
from pliant.cli.main import main

RUN = "\n[run]\nseconds = 0.02\n"
BODY = "[[bodies]]\nshape = { box = 0.1, Lattice = 0.05 }\nmaterial = { LinearElastic = { young = 1e4 } }\n"
GRADIENT = "sphere = { radius = 0.1 }, gradient = { points = [[0.0, 0.0, 0.2]] }"


def refused(tmp_path, text: str) -> str:
    path = tmp_path / "scene.toml"
    path.write_text(text)
    with pytest.raises(SceneError) as caught:
        read_scene(path)
    return str(caught.value)


@pytest.mark.parametrize(
    "shape",
    [
        f'{{ {GRADIENT}, dump = "victim.txt" }}',
        f'{{ {GRADIENT}, tofile = {{ fid = "victim.txt" }} }}',
        f"{{ {GRADIENT} }}",
        '{ Volume = { values = [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]] }, at = [[0, 0, 0]], dump = "victim.txt" }',
        '{ sphere = 0.1, write = "victim.txt" }',
        '{ meshes.sphere = 0.1, write = { path = "victim.stl" } }',
        '{ sphere = 0.1, picture = "victim.png" }',
        '{ tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] }, Tets = {}, lumped = [1, 1, 1, 1, 1, 1], dump = "victim.txt" }',
        '{ Simulation = { load = { path = "victim.npz" } } }',
        '{ Batch = { scenes = [] }, run = {} }',
        '{ export = "victim.ply" }',
        '{ view = {} }',
        '{ Chart = { save = "victim.png" } }',
        '{ read_run = "victim.txt" }',
        '{ sphere = 0.1, __class__ = {} }',
        '{ sphere = 0.1, _evaluated = { points = [[0, 0, 0]] } }',
        '{ sphere = 0.1, __init__ = { program = [] } }',
        '{ Corotated = { _from = {} } }',
        '{ Corotated = { young = 1 }, functions = { precision = "f64" } }',
        '{ __import__ = "os" }',
        '{ import_module = "os" }',
    ],
)  # fmt: skip
def test_a_chain_reaches_values_only(tmp_path, shape, capsys):
    """Not methods of arrays, not what writes, not what is private: refused, and every file is as it was."""
    victims = [tmp_path / f"victim.{ending}" for ending in ("txt", "stl", "png", "npz", "ply")]
    for victim in victims:
        victim.write_text("precious")
    file = tmp_path / "scene.toml"
    said = refused(tmp_path, f"[[bodies]]\nshape = {shape}\nmaterial = {{ LinearElastic = {{ young = 1 }} }}" + RUN)
    assert "bodies[0].shape" in said
    assert main(["inspect", str(file)]) == 2 and main(["run", str(file)]) == 2
    capsys.readouterr()
    assert {v.read_text() for v in victims} == {"precious"} and len(list(tmp_path.iterdir())) == 6


def test_only_frozen_classes_and_what_returns_them_are_allowed():
    writers = {"write", "export", "picture", "filmstrip", "animation", "video", "page", "view", "widget"}
    assert not set(NAMES) & (writers | {"Simulation", "Batch", "Chart", "read_run", "inspect"})
    assert {"sphere", "read", "Lattice", "Body", "Newton", "Corotated", "tetrahedralise", "render.Slice"} <= set(NAMES)
    assert all(kind.__dataclass_params__.frozen for kind in CLASSES)
    assert set(methods(pl.Sdf)) == {"translated", "rotated", "scaled", "resampled", "rounded"}
    assert method(pl.Sdf, "gradient") is None and method(np.ndarray, "dump") is None and method(types, "new_class") is None


def test_what_a_step_makes_is_looked_at_as_well(tmp_path, monkeypatch):
    """A method that promises a shape and hands out an array is stopped after it."""
    monkeypatch.setattr(pl.Sdf, "scaled", lambda self, factor: np.zeros(3))
    pl.Sdf.scaled.__annotations__["return"] = pl.Sdf
    said = refused(tmp_path, '[[bodies]]\nshape = { sphere = 0.1, scaled = 2.0, dump = "victim.txt" }' + RUN)
    assert "scaled: makes a ndarray" in said and not (tmp_path / "victim.txt").exists()


@pytest.mark.parametrize(
    "output",
    [
        "page = '../a.html'",
        "page = 'deep/../../a.html'",
        "page = '{outside}/a.html'",
        "picture = {{ path = '{outside}/a.png' }}",
        "export = 'link/a.npz'",
        "export = 'link/frame_{{:04d}}.ply'",
        "export = 'link'",
        "export = 'link.pvd'",
        "save = 'link/deep/a.npz'",
        "save = 'through.npz'",
        'save = "a\\u0000.npz"',
    ],
)
@pytest.mark.parametrize("option", [[], ["--out"]])
def test_results_stay_in_their_folder(tmp_path, capsys, output, option):
    """No whole paths, no .. and no links that lead out, with and without --out."""
    outside, folder = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    folder.mkdir()
    (outside / "kept.npz").write_text("precious")
    (folder / "link").symlink_to(outside)
    (folder / "through.npz").symlink_to(outside / "kept.npz")
    file = (folder if not option else tmp_path) / "scene.toml"
    file.write_text(BODY + RUN + "[output]\n" + output.format(outside=outside) + "\n")
    assert main(["run", str(file), *(["--out", str(folder)] if option else [])]) == 2
    assert "output." in capsys.readouterr().err
    assert [f.name for f in outside.iterdir()] == ["kept.npz"] and (outside / "kept.npz").read_text() == "precious"
    assert {f.name for f in folder.iterdir()} <= {"link", "through.npz", "scene.toml"}


def test_folders_below_are_fine(tmp_path, capsys):
    (tmp_path / "there").mkdir()
    (tmp_path / "linked").symlink_to(tmp_path / "there")  # a link that stays inside
    file = tmp_path / "scene.toml"
    file.write_text(BODY + RUN + "[output]\nexport = 'deep/er/a.npz'\nsave = 'linked/b.npz'\n")
    assert main(["run", str(file)]) == 0
    capsys.readouterr()
    assert (tmp_path / "deep" / "er" / "a.npz").exists() and (tmp_path / "there" / "b.npz").exists()
