"""What a prompt or a notebook shows of values: a line without arrays, and a picture."""

import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import pliant as pl
from pliant.arguments.short_repr import brief, shown
from pliant.output.notebook_pictures import drawn

MESH = pl.tet_grid((0.2, 0.05, 0.05), (4, 1, 1))
LAW = pl.StableNeoHookean(young=1e5)
SCENE = pl.Scene([pl.Body(MESH, LAW, pinned=lambda X: X[:, 0] < 1e-9, name="bar")], [pl.plane(z=-0.1)])
LINES = {
    "TetMesh(20 vertices, 20 tets, 0.2 × 0.05 × 0.05 m)": MESH,
    "TetMesh(77 vertices, 20 tets, with middles, 0.2 × 0.05 × 0.05 m)": MESH.quadratic(),
    "TriMesh(42 vertices, 80 triangles, 0.2 × 0.2 × 0.2 m)": pl.meshes.sphere(0.1, 1),
    "PointCloud(2 vertices, 1 × 0 × 0 m)": pl.PointCloud([[0, 0, 0], [1, 0, 0]]),
    "PointCloud(0 vertices)": pl.PointCloud(np.zeros((0, 3))),
    "Sdf(0.2 × 0.2 × 0.2 m)": pl.sphere(0.1),
    "Sdf(without end)": pl.plane(z=0),
    "Sdf(0.2 × 0.2 × 0.2 m, of 2 shapes)": pl.sphere(0.1) - pl.box((0.1, 0.1, 0.1)),
    "Volume(2 × 3 × 4 samples of uint8, 1 × 1 × 1 mm apart)": pl.Volume(np.zeros((2, 3, 4), np.uint8), 1e-3),
    "Body(Tets(TetMesh(20 vertices, 20 tets, 0.2 × 0.05 × 0.05 m)), material=StableNeoHookean(young=100000), "
    "pinned=a function, name='bar')": SCENE.bodies[0],
    "Chart(title='a')": pl.render.Chart(title="a"),
}


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split("(")[0])
def test_values_are_said_in_a_line(line):
    assert repr(LINES[line]) == line


def test_scenes_and_runs_are_short_whatever_they_hold():
    sim = pl.Simulation(SCENE)
    run = sim.run(seconds=0.05)
    assert repr(SCENE).startswith("Scene([Body(") and len(repr(SCENE)) < 300
    assert repr(run) == "Run(4 frames from 0 to 0.05 s; 20 nodes of bar; fields stress)"
    assert repr(run.selected(np.array([], int))) == "Run(no frames)"
    assert repr(sim.bodies) == "(BodyView('bar', 20 nodes),)"
    assert len(repr(run.chapters[0])) < 300


def test_what_a_cut_did_is_said_in_a_line():
    law = pl.StableNeoHookean(young=2e4, poisson=0.4)
    blade = pl.Blade(path=[(0.2, -0.3, 0.3), (0.2, 0.3, 0.3)], depth=0.6, into=(0, 0, -1.0))
    said = []
    for shape in (pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1)), pl.Lattice(pl.box((0.4, 0.1, 0.1), (0.21, 0, 0)), 0.05)):
        said.append(repr(pl.Simulation(pl.Scene([pl.Body(shape, law)])).cut(blade)))
    assert said[0] == "(Opened(20 tets, 2 faces opened, 4 new vertices),)"
    assert said[1].startswith("(Parted(") and said[1].endswith("in 2 pieces),)") and "\n" not in said[1]


def test_fields_as_by_default_are_left_out():
    assert brief(pl.Contact()) == "Contact()" and brief(pl.Contact(friction=0.25)) == "Contact(friction=0.25)"
    assert shown({"a": np.zeros((2, 4))}) == "{'a': float64 2 × 4}" and shown([np.arange(3)]) == "[[0, 1, 2]]"


def test_notebooks_draw_what_can_be_drawn():
    for thing in (MESH, SCENE.bodies[0], SCENE, pl.Simulation(SCENE), pl.sphere(0.1)):
        assert drawn(thing).startswith(b"\x89PNG")
    assert drawn(pl.plane(z=0)) is None
    assert pl.render.Chart().line([0, 1], [0, 1])._repr_svg_().startswith("<svg")


def test_what_moves_is_drawn_where_it_is(tmp_path):
    from pliant.output.frames import as_run

    sim = pl.Simulation(SCENE)
    sim.run(seconds=0.05)
    run = as_run(sim)
    assert np.array_equal(run.positions[0], sim.x) and run.times[0] == sim.t and len(run.props) == 1
    assert pl.picture(sim, tmp_path / "a.png", size=(80, 60)).exists()


def test_a_notebook_is_told_what_can_be_drawn(monkeypatch):
    offered = {}
    images = SimpleNamespace(for_type_by_name=lambda module, name, draw: offered.update({(module, name): draw}))
    shell = SimpleNamespace(display_formatter=SimpleNamespace(formatters={"image/png": images}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    pl._offer_pictures()
    assert all(getattr(import_module(module), name) for module, name in offered) and len(offered) == 11
    assert offered["pliant.geometry.mesh.mesh", "TetMesh"](MESH).startswith(b"\x89PNG")


def test_the_path_of_a_picture_is_shown_as_the_picture(tmp_path):
    drawn = pl.picture(pl.tet_grid((1, 1, 1), (1, 1, 1)), tmp_path / "a.png", size=(80, 60))
    assert drawn == tmp_path / "a.png" and isinstance(drawn, Path) and str(drawn) == str(tmp_path / "a.png")
    assert drawn._repr_png_() == (tmp_path / "a.png").read_bytes() and drawn._repr_png_().startswith(b"\x89PNG")
    assert drawn.with_suffix(".txt")._repr_png_() is None and (drawn.parent / "b.png")._repr_png_() is None
