"""The catalogue of bad input: each case gives one clear sentence, exit code 2 and no file."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main

SHAPE = pl.tet_grid((1, 1, 1), (1, 1, 1))
SOFT = pl.StableNeoHookean(young=1e4)
NAN, INF = float("nan"), float("inf")
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
CLOTH = pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), 0.01)
BALL = pl.Lattice(pl.sphere(1), 0.8)
LEFT = lambda X: X[:, 0] < 0.01


def body(**changes) -> pl.Body:
    return pl.Body(**({"shape": SHAPE, "material": SOFT} | changes))


def simulation(integrator=None, obstacles=(), scene=None, **changes) -> pl.Simulation:
    return pl.Simulation(scene or pl.Scene(body(**changes), obstacles), integrator)


def muscle(**changes) -> pl.EmbeddedMuscle:
    return pl.EmbeddedMuscle(**({"shape": pl.sphere(3.0), "fibres": (1, 0, 0), "name": "biceps"} | changes))


def with_nan() -> np.ndarray:
    points = CORNERS.copy()
    points[2, 1] = NAN
    return points


# what is done, and words of the sentence that must follow
API = {
    # meshes
    "nan vertex": (lambda: pl.TetMesh(with_nan(), [[0, 1, 2, 3]]), "1 of 4 vertices are not finite, first at 2"),
    "infinite vertex": (lambda: pl.TriMesh([[0, 0, INF]] * 3, [[0, 1, 2]]), "3 of 3 vertices are not finite"),
    "flat vertices": (lambda: pl.TetMesh(CORNERS[:, :2], [[0, 1, 2, 3]]), "shape (4, 2); expected (n, 3)"),
    "text vertices": (lambda: pl.TriMesh([["a", "b", "c"]], []), "cannot be read as numbers"),
    "complex vertices": (lambda: pl.TriMesh(CORNERS * 1j, []), "cannot be read as numbers"),
    "ragged vertices": (lambda: pl.TriMesh([[0, 0], [1]], []), "expected an (n, 3) array"),
    "index too large": (lambda: pl.TetMesh(CORNERS, [[0, 1, 2, 9]]), "name a vertex outside 0…3, first at 0"),
    "negative index": (lambda: pl.TriMesh(CORNERS, [[0, 1, -1]]), "outside 0…3"),
    "fractional index": (lambda: pl.TetMesh(CORNERS, [[0, 1, 2, 2.5]]), "not whole; expected integers"),
    "triangles for tets": (lambda: pl.TetMesh(CORNERS, [[0, 1, 2]]), "shape (1, 3); expected (m, 4)"),
    "too few regions": (lambda: pl.TetMesh(CORNERS, [[0, 1, 2, 3]], [0, 1]), "expected (1,), one per tet"),
    "negative region": (lambda: pl.TetMesh(CORNERS, [[0, 1, 2, 3]], [-1]), "1 of 1 regions"),
    "inverted tet": (lambda: body(shape=pl.TetMesh(CORNERS, [[0, 2, 1, 3]])), "1 of 1 tets are inverted or flat"),
    "flat tet": (lambda: body(shape=pl.TetMesh(CORNERS * [1, 1, 0], [[0, 1, 2, 3]])), "inverted or flat"),
    "no tets": (lambda: body(shape=pl.TetMesh(CORNERS, [])), "no elements; expected at least one"),
    "loose vertex": (
        lambda: simulation(shape=pl.TetMesh([*CORNERS, [5, 5, 5]], [[0, 1, 2, 3]])), "1 of 5 nodes belong to no"),
    "triangle without area": (lambda: pl.Membrane(pl.TriMesh(CORNERS, [[0, 1, 1]]), 0.01), "have no area, first at 0"),
    "edge without length": (lambda: pl.Springs(pl.EdgeMesh(CORNERS, [[1, 1]])), "have no length, first at 0"),
    "bounds of nothing": (lambda: pl.PointCloud(np.zeros((0, 3))).bounds, "no vertices"),
    "normals of others": (lambda: pl.PointCloud(CORNERS, [[0, 0, 1]]), "one per point"),
    "scaled by zero": (lambda: SHAPE.scaled(0), "expected positive numbers"),
    "scaled by text": (lambda: SHAPE.scaled("mm"), "one positive number, or three"),
    "moved by two numbers": (lambda: SHAPE.translated((1, 2)), "expected three finite numbers"),
    "turned about nothing": (lambda: SHAPE.rotated((0, 0, 0), 30), "direction of non-zero length"),
    "turned by infinity": (lambda: SHAPE.rotated((0, 0, 1), INF), "expected a finite number"),
    # grids and solids
    "negative size": (lambda: pl.tet_grid((1, -1, 1), (1, 1, 1)), "expected 3 positive numbers in metres"),
    "no cells": (lambda: pl.tet_grid((1, 1, 1), (0, 1, 1)), "whole number from 1 up"),
    "too many cells": (lambda: pl.tet_grid((1, 1, 1), (10**6,) * 3), "expected fewer cells"),
    "fractional cells": (lambda: pl.cloth_grid((1, 1), (1.5, 1)), "whole number"),
    "seven tets per cell": (lambda: pl.tet_grid((1, 1, 1), (1, 1, 1), 7), "expected 5 or 6"),
    "rod of no length": (lambda: pl.rod_grid((0, 0, 0), (0, 0, 0), 3), "expected two different points"),
    "negative radius": (lambda: pl.sphere(-1), "sphere radius is -1; expected a positive number"),
    "spindle of a ball": (lambda: pl.spindle((0, 0, 0), (1, 0, 0), 0.6), "expected less than half its length"),
    "nan plane": (lambda: pl.plane(NAN), "expected a finite number"),
    "plane twice": (lambda: pl.plane(0, normal=(0, 0, 1)), "expected one or the other"),
    "box of text": (lambda: pl.box("big"), "expected"),
    "edge of zero": (lambda: pl.tetrahedralise(pl.sphere(1), edge=0), "edge"),
    "edge too long": (lambda: pl.tetrahedralise(pl.sphere(0.01), edge=5.0), "edge"),
    "endless solid": (lambda: pl.tetrahedralise(pl.plane(0), edge=0.1), "not bounded; intersect it with a box"),
    "open edges filled": (lambda: pl.tetrahedralise(pl.rod_grid((0, 0, 0), (1, 0, 0), 2), edge=0.1), "EdgeMesh"),
    # materials
    "negative modulus": (lambda: pl.StableNeoHookean(young=-1), "is -1 Pa; expected 0 < young < inf Pa"),
    "no modulus": (lambda: pl.Corotated(young=0.0), "expected 0 < young"),
    "nan modulus": (lambda: pl.Linear(young=NAN), "is nan Pa"),
    "infinite modulus": (lambda: pl.NeoHookean(young=INF), "is inf Pa"),
    "text modulus": (lambda: pl.StableNeoHookean(young="soft"), "is 'soft'; expected a number in Pa"),
    "boolean modulus": (lambda: pl.StableNeoHookean(young=True), "expected a number in Pa"),
    "poisson of a half": (lambda: pl.StableNeoHookean(young=1e4, poisson=0.5), "expected -1 < poisson < 0.5"),
    "poisson of minus one": (lambda: pl.StVenantKirchhoff(young=1e4, poisson=-1), "expected -1 < poisson < 0.5"),
    "one bad element": (lambda: pl.Corotated(young=[1e4, -1, 1e4]), "outside at 1 places, first 1"),
    "negative density": (lambda: pl.Corotated(young=1, density=-5), "expected 0 < density"),
    "activation of two": (lambda: pl.Muscle(activation=2), "expected 0 ≤ activation ≤ 1"),
    "direction of nothing": (lambda: pl.Fibres(stiffness=1, direction=(0, 0, 0)), "zero length"),
    "direction in a plane": (lambda: pl.Fibres(stiffness=1, direction=(1, 0)), "expected (3,) or (rows, 3)"),
    "unbalanced curves": (lambda: pl.ValanisLandel(a=lambda x: x), "expected 0, so that the body rests"),
    "weights over one": (lambda: pl.Ogden(young=1, weights=(1, 1, 1)), "sum to 1"),
    "law plus number": (lambda: SOFT + 3, "expected another material"),
    "fibres alone": (lambda: body(material=pl.Fibres(stiffness=1)), "has no density"),
    "rows that fit nothing": (lambda: body(material=pl.Corotated(young=[1, 2, 3])), "3 rows of parameters; expected 1"),
    "linear on cloth": (
        lambda: body(shape=CLOTH, material=pl.Linear(young=1)), "use Corotated"),
    # bodies
    "surface as a body": (lambda: body(shape=pl.sphere_mesh(1)), "tetrahedralise(surface, edge=…)"),
    "threads without radius": (lambda: body(shape=pl.rod_grid((0, 0, 0), (1, 0, 0), 2)), "Springs(mesh, radius=…)"),
    "number as a body": (lambda: body(shape=3), "expected a TetMesh, Tets, Lattice, Membrane or Springs"),
    "name of a material": (lambda: body(material="rubber"), "expected a material such as"),
    "negative thickness": (lambda: pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), -0.01), "positive number of metres"),
    "text radius": (
        lambda: pl.Springs(pl.rod_grid((0, 0, 0), (1, 0, 0), 2), radius="thin"), "positive number of metres"),
    "nothing pinned": (lambda: body(pinned=lambda X: X[:, 0] < -5), "no node was selected; check the condition"),
    "pinned far away": (lambda: body(pinned=[99]), "lie outside 0…7, first 99"),
    "mask too short": (lambda: body(pinned=lambda X: np.array([True])), "expected (8,), one entry per node"),
    "pinned by fractions": (lambda: body(pinned=np.array([0.5])), "expected a mask or node numbers"),
    "pinned along w": (lambda: pl.Pins(LEFT, axes="w"), "expected some of 'x', 'y', 'z'"),
    "pins that fly off": (
        lambda: simulation(pinned=pl.Pins(LEFT, motion=lambda X, t: X[:2])), "Pins.motion returned shape (2, 3)"),
    "attachment of text": (lambda: pl.Attachment(LEFT, "stiff"), "positive number of N/m"),
    "tether of text": (lambda: pl.Tether("bone", 5.0), "expected (k, 3) finite positions"),
    "tether of no points": (lambda: pl.Tether(np.zeros((0, 3)), 5.0), "expected (k, 3) finite positions"),
    "tether of nan": (lambda: pl.Tether(with_nan(), 5.0), "expected (k, 3) finite positions"),
    "slack tether": (lambda: pl.Tether(CORNERS, 0.0), "positive number of N/m, or 4 of them"),
    "too few tethers": (lambda: pl.Tether(CORNERS, [1.0, 2.0]), "positive number of N/m, or 4 of them"),
    "tether in the air": (
        lambda: simulation(attachments=pl.Tether([[0.5, 0.5, 0.5], [0, 0, 4.0]], 5.0)),
        "1 of 2 points lie outside the body, first 1, the worst by 3 m"),
    "tether of a sheet": (lambda: simulation(shape=CLOTH, attachments=pl.Tether(CORNERS, 5.0)), "has no inside"),
    "clamp of text": (lambda: pl.Clamp(LEFT, eta="stiff"), "positive number of N/m³"),
    "clamped tets": (lambda: body(clamped=LEFT), "Clamp is for the cut cells of a Lattice, not for Tets"),
    "clamped by pins": (lambda: body(shape=BALL, clamped=[pl.Pins(LEFT)]), "holds Pins; expected Clamp"),
    "clamped rubber": (lambda: body(shape=BALL, clamped=LEFT), "may outgrow any eta; expected Linear, Corotated or Arap"),
    "clamped centres": (
        lambda: body(shape=pl.Lattice(pl.sphere(1), 0.8, pl.Centre()), material=pl.Linear(young=1), clamped=LEFT),
        "use Moments(), not Centre()"),
    "clamped in the air": (
        lambda: simulation(shape=BALL, material=pl.Linear(young=1), clamped=lambda X: X[:, 0] > 5),
        "no triangle of the surface was selected"),
    "clamp that flies off": (
        lambda: simulation(shape=BALL, material=pl.Linear(young=1), clamped=pl.Clamp(LEFT, lambda X, t: X[0])),
        "Clamp.motion returned shape (3,)"),
    "negative damping": (lambda: pl.Damping(mass=-1), "number of at least 0"),
    "load in a plane": (lambda: simulation(loads=pl.Load((1, 2), LEFT)), "expected three finite numbers"),
    "load of text": (lambda: simulation(loads=pl.Load("hard", LEFT)), "expected three"),
    "pressure of text": (lambda: simulation(loads=pl.Pressure("high")), "expected"),
    "nan pressure": (lambda: simulation(loads=pl.Pressure(NAN)), "expected"),
    "pressure in an open sheet": (
        lambda: simulation(shape=CLOTH, loads=pl.Pressure(5.0)), "not closed"),
    "traction on no face": (
        lambda: simulation(loads=pl.Traction((1, 0, 0), [0])), "no boundary face has all its nodes"),
    "velocity of two": (lambda: body(velocity=(1, 2)), "expected (3,) or (8, 3)"),
    "velocity of text": (lambda: body(velocity="fast"), "expected (3,)"),
    "drawn by a cloud": (lambda: body(surface=pl.PointCloud(CORNERS)), "expected a TriMesh"),
    "muscle of a mesh": (lambda: pl.EmbeddedMuscle(SHAPE, (1, 0, 0)), "expected an Sdf"),
    "muscle without direction": (lambda: muscle(fibres=(0, 0, 0)), "expected a direction, a function of points"),
    "muscle too active": (lambda: muscle(activation=1.5), "expected 0 ≤ activation ≤ 1"),
    "muscle of many strengths": (lambda: muscle(peak_stress=[1, 2]), "has 2 values; expected one number"),
    "muscle that shrinks to nothing": (lambda: muscle(optimal_stretch=0), "expected 0 < optimal_stretch"),
    "muscle outside": (
        lambda: simulation(muscles=muscle(shape=pl.sphere(0.1, (9, 0, 0)))), "fills no part of body 0"),
    "muscles of one name": (lambda: body(muscles=[muscle(name="a")] * 2), "two muscles share a name"),
    "muscle in cloth": (lambda: body(shape=CLOTH, muscles=muscle()), "Membrane has no inside"),
    "muscles as a number": (lambda: body(muscles=3), "expected EmbeddedMuscle"),
    "fibres of another shape": (lambda: simulation(muscles=muscle(fibres=lambda X: X[:2])), "expected (5, 3)"),
    "fibres of no length": (lambda: simulation(muscles=muscle(fibres=lambda X: 0 * X)), "no direction at 5 points"),
    "activation over time": (
        lambda: simulation(muscles=muscle(activation=lambda t: 2.0)), "is 2.0 at t = 0 s; expected a number from 0 to 1"),
    "unknown muscle": (
        lambda: simulation(muscles=muscle()).set(activation={"bicep": 1.0}), "did you mean 'biceps'?"),
    # scenes
    "no bodies": (lambda: pl.Scene([]), "expected one Body or more"),
    "mesh as a body": (lambda: pl.Scene([SHAPE]), "expected one Body or more"),
    "number of bodies": (lambda: pl.Scene(3), "expected one Body or more"),
    "two of one name": (lambda: pl.Scene([body(name="a"), body(name="a")]), "two bodies share a name"),
    "obstacle of text": (lambda: pl.Scene(body(), ["floor"]), "expected shapes such as plane(z=0)"),
    "flat gravity": (lambda: pl.Scene(body(), gravity=-9.81), "expected three finite numbers in m/s²"),
    "text gravity": (lambda: pl.Scene(body(), gravity="down"), "expected three finite numbers in m/s²"),
    "negative friction": (lambda: pl.Contact(friction=-0.1), "number of at least 0"),
    "negative smoothing": (lambda: pl.Contact(smoothing=-0.1), "expected a length in metres, or 0"),
    "smoothing of text": (lambda: pl.Contact(smoothing="a lot"), "expected a length in metres, or 0"),
    "contact as a number": (lambda: pl.Scene(body(), contact=0.3), "expected Contact(friction=…)"),
    "obstacle that turns inside out": (
        lambda: simulation(obstacles=pl.Obstacle(pl.plane(0), motion=lambda t: np.eye(3))), "expected"),
    # solvers and time
    "no time step": (lambda: pl.ImplicitEuler(dt=0), "positive number of seconds, such as 1/60"),
    "negative time step": (lambda: pl.BDF2(dt=-0.1), "positive number of seconds"),
    "nan time step": (lambda: pl.SymplecticEuler(dt=NAN), "positive number of seconds"),
    "text time step": (lambda: pl.Newmark(dt="1/60"), "positive number of seconds"),
    "unstable newmark": (lambda: pl.Newmark(beta=0.1), "gamma/2 ≤ beta ≤ ½"),
    "theta of two": (lambda: pl.NewmarkTheta(theta=2), "½ ≤ theta ≤ 1"),
    "text beta": (lambda: pl.Newmark(beta="a"), "expected"),
    "step too large": (lambda: simulation(pl.SymplecticEuler(dt=1.0)).step(), "the largest stable step is"),
    "solver by name": (lambda: pl.ImplicitEuler(solver="Newton"), "expected a solver such as Newton()"),
    "tolerance of two": (lambda: pl.Newton(tolerance=2.0), "number between 0 and 1"),
    "no iterations": (lambda: pl.Newton(iterations=0), "whole number of at least 1"),
    "hessian by name": (lambda: pl.Newton(hessian="exact"), "Adaptive(), Projected() or Exact()"),
    "linear by name": (lambda: pl.Newton(linear="cg"), "expected PCG() or Direct()"),
    "slope of one": (lambda: pl.Armijo(slope=1.0), "slope < 0.5"),
    "integrator by name": (lambda: simulation("euler"), "expected one such as ImplicitEuler(dt=1/60)"),
    "body as a scene": (lambda: pl.Simulation(body()), "expected a Scene"),
    "device of dreams": (lambda: pl.Simulation(pl.Scene(body()), device="tpu"), "expected 'cpu', 'cuda' or 'cuda:0'"),
    "precision of dreams": (lambda: pl.Simulation(pl.Scene(body()), precision="f16"), "expected 'f32' or 'f64'"),
    "no threads": (lambda: pl.Simulation(pl.Scene(body()), threads=0), "whole number of at least 1"),
    # a running simulation
    "run for no time": (lambda: simulation().run(0), "positive number of seconds"),
    "run for text": (lambda: simulation().run("long"), "positive number of seconds"),
    "no frames a second": (lambda: simulation().run(0.1, frames_per_second=0), "expected"),
    "unknown field": (lambda: simulation().run(0.1, fields=["strain"]), "unknown field 'strain'"),
    "grab a missing vertex": (lambda: simulation().grab(99, (0, 0, 0)), "expected a surface vertex 0 … 7"),
    "grab a missing body": (lambda: simulation().grab(0, (0, 0, 0), body=4), "expected 0 … 0"),
    "grab to nowhere": (lambda: simulation().grab(0, (0, 0, NAN)), "three finite numbers in metres"),
    "grab to text": (lambda: simulation().grab(0, "there"), "three finite numbers in metres"),
    "view of a scene": (lambda: pl.view(pl.Scene(body())), "expected a Simulation"),
    "view on no port": (lambda: pl.view(simulation(), port=70000), "0 … 65535"),
    "grab backwards": (lambda: simulation().grab(0, (0, 0, 0), stiffness=-1.0), "expected"),
    "unknown parameter": (lambda: simulation().set(yuong=5.0), "did you mean 'young'?"),
    "set a bad value": (lambda: simulation().set(young=-5.0), "expected 0 < young"),
    "set a missing body": (lambda: simulation().set(body=3, young=5.0), "expected 0 … 0"),
    "positions of too few": (lambda: setattr(simulation(), "x", np.zeros((2, 3))), "expected (8, 3), finite"),
    "velocities not finite": (lambda: setattr(simulation(), "v", np.full((8, 3), NAN)), "expected (8, 3), finite"),
    "positions of text": (lambda: setattr(simulation(), "x", "origin"), "expected (8, 3)"),
    "set text as gravity": (lambda: simulation().set(gravity="down"), "three finite numbers in m/s²"),
    "set text as friction": (lambda: simulation().set(friction="rough"), "number of at least 0"),
    # more of the same kinds
    "loads as a number": (lambda: body(loads=3), "expected Load or Traction or Pressure"),
    "attachments of loads": (lambda: body(attachments=pl.Pressure(1.0)), "expected Attachment"),
    "damping as a number": (lambda: body(damping=0.1), "expected Damping(mass=…"),
    "text damping": (lambda: pl.Damping(viscosity="thick"), "number of at least 0"),
    "axes as a number": (lambda: pl.Pins(LEFT, axes=3), "expected some of 'x', 'y', 'z'"),
    "pinned by text": (lambda: body(pinned="left"), "expected a mask or node numbers"),
    "target of another shape": (
        lambda: simulation(attachments=pl.Attachment(LEFT, 5.0, lambda X, t: X[0])), "target returned shape (3,)"),
    "obstacles as a number": (lambda: pl.Scene(body(), 3), "expected shapes such as plane(z=0)"),
    "obstacle of a mesh": (lambda: pl.Obstacle(SHAPE), "expected a solid such as sphere(0.1)"),
    "stiffness of text": (lambda: pl.Contact(stiffness="hard"), "positive number of N/m, or None"),
    "sliding solver options": (lambda: pl.Armijo(shrink="a"), "expected"),
    "text tolerance": (lambda: pl.Newton(tolerance="fine"), "number between 0 and 1"),
    "fractional iterations": (lambda: pl.PCG(iterations=2.5), "whole number of at least 1"),
    "text slow": (lambda: pl.Adaptive(slow="a"), "expected"),
    "text exponents": (lambda: pl.Ogden(young=1, exponents=("a",), weights=(1,)), "expected"),
    "text stretch": (lambda: pl.ValanisLandel(a=lambda x: x - 1, stretch=("a", "b")), "expected"),
    "curve of five": (lambda: pl.ValanisLandel(a=[1, 2, 3, 4, 5]), "expected 11 finite ones"),
    "field of a run": (lambda: simulation().frame().values("strain"), "no field 'strain' in this run"),
}


def check_sentence(error: pl.InputError) -> str:
    """One line, of a readable length, that ends as a sentence about the input would."""
    text = str(error)
    assert "\n" not in text and 10 < len(text) < 400
    assert not any(word in text for word in ("Traceback", "NoneType", "operands could not", "object is not"))
    return text


def check_folder(folder: Path, before: set[str]) -> None:
    assert {f.name for f in folder.rglob("*")} == before, "a partial file was left behind"


@pytest.mark.parametrize("name", API)
def test_python(name):
    action, words = API[name]
    with pytest.raises(pl.InputError) as caught:
        action()
    assert words in check_sentence(caught.value)


STL = b"\0" * 80
PLY = b"ply\nformat binary_little_endian 1.0\nelement vertex 9999999999\nproperty float x\nproperty float y\n"
MSH = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n$EndNodes\n$Elements\n1\n1 4 2 0 0 1 2 3 4\n$EndElements\n"
# name of a file, its content, and words of the sentence
FILES = {
    "empty file": ("a.stl", b"", "is empty; expected a mesh"),
    "no suffix": ("mesh", b"hello", "no suffix"),
    "unknown suffix": ("a.stll", b"hello", "did you mean '.stl'?"),
    "truncated stl": ("a.stl", STL + struct.pack("<I", 2) + b"\0" * 60, "2"),
    "huge count in stl": ("a.stl", STL + struct.pack("<I", 0xFFFFFFFF) + b"\0" * 50, "4294967295"),
    "huge count in ply": ("a.ply", PLY + b"end_header\n" + b"\0" * 30, "9999999999"),
    "ply without header end": ("a.ply", PLY, "a.ply"),
    "obj index": ("a.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 7\n", "line 3"),
    "obj text": ("a.obj", b"v 0 zero 0\n", "line 1"),
    "obj without vertices": ("a.obj", b"# nothing\n", "no vertices"),
    "nan in off": (
        "a.off", b"OFF\n3 1 0\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "line 4: 'nan' in a vertex; expected a finite"),
    "off count": ("a.off", b"OFF\n99999999999 1 0\n0 0 0\n", "a.off"),
    "msh of one node": ("a.msh", MSH.format("1\n1 0 0 0").encode(), "a.msh"),
    "msh of text nodes": ("a.msh", MSH.format("x").encode(), "a.msh"),
    "msh of another kind": ("a.msh", b"MeshVersionFormatted 2\n", "a.msh"),
    "binary as veg": ("a.veg", bytes(range(256)), "a.veg"),
    "broken xml": ("a.vtu", b"<VTKFile><Piece", "a.vtu"),
    "vtu bomb of counts": (
        "a.vtu", b'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="9999999999" '
        b'NumberOfCells="1"></Piece></UnstructuredGrid></VTKFile>', "a.vtu"),
    "ele without node": ("a.ele", b"1 4 0\n1 1 2 3 4\n", "its points are missing; expected a.node"),
    "damaged npz": ("a.npz", b"PK\x03\x04 and no more", "not a whole .npz archive"),
}


@pytest.mark.parametrize("name", FILES)
def test_mesh_files(name, tmp_path, capsys):
    file, content, words = FILES[name]
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(pl.InputError) as caught:
        pl.read(path)
    assert words in check_sentence(caught.value) and file in str(caught.value)
    for argv in (["inspect", path], ["mesh", path, tmp_path / "out.msh"]):
        assert main(list(map(str, argv))) == 2
        out, err = capsys.readouterr()
        assert out == "" and err == f"pliant: {caught.value}\n"
    check_folder(tmp_path, {file})


def write_to(name, what=SHAPE, **options):
    return lambda folder: pl.write(what, folder / name, **options)


def output(function, name, **options):
    return lambda folder: getattr(pl, function)(simulation().frame(), folder / name, **options)


OUTPUT = {
    "tets in stl": (write_to("a.stl"), "stl cannot hold tets; use"),
    "no folder": (write_to("none/a.msh"), "there is no folder"),
    "write to a suffix nobody knows": (write_to("a.xyzzy"), "expected one of"),
    "write a number": (write_to("a.msh", 3), "expected TetMesh, TriMesh, EdgeMesh, PointCloud or Volume"),
    "write nothing": (write_to("a.ply", pl.TriMesh(CORNERS, [])), "has no triangles"),
    "text npz": (write_to("a.npz", text=True), "no text form"),
    "folder as a file": (lambda folder: pl.write(SHAPE, folder.parent / folder.name / ".."), "expected"),
    "picture as jpg": (output("picture", "a.jpg"), "expected a name ending in .png"),
    "picture of no field": (output("picture", "a.png", colour="colour"), "no field 'colour' in this run"),
    "picture of frame 9": (output("picture", "a.png", frame=9), "9"),
    "picture of no size": (output("picture", "a.png", size=(0, 10)), "size"),
    "page as pdf": (output("page", "a.pdf"), "expected a name ending in .html"),
    "film of one moment": (output("animation", "a.png"), "less than two pictures"),
    "video as avi": (output("video", "a.avi"), "expected a name ending in .mp4 or .webm"),
    "export as mp4": (output("export", "a.mp4"), "the formats are"),
    "save as text": (lambda folder: simulation().save(folder / "a.txt"), "expected a name ending in .npz"),
    "save nowhere": (lambda folder: simulation().save(folder / "none" / "a.npz"), "there is no folder"),
    "load nothing": (lambda folder: pl.Simulation.load(folder / "a.npz"), "cannot be read"),
    "read a folder": (lambda folder: pl.read(folder / ".."), "expected"),
    "read nothing": (lambda folder: pl.read(folder / "a.stl"), "there is no file"),
    "read a number": (lambda folder: pl.read(3), "expected the name of a file"),
}


@pytest.mark.parametrize("name", OUTPUT)
def test_files_to_write(name, tmp_path):
    action, words = OUTPUT[name]
    with pytest.raises(pl.InputError) as caught:
        action(tmp_path)
    assert words in check_sentence(caught.value)
    check_folder(tmp_path, set())


SCENE = """
[[bodies]]
shape = { tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] } }
material = { StableNeoHookean = { young = 1e4 } }
BODY
[run]
seconds = 0.05
[output]
page = "a.html"
save = "a.npz"
"""
# what replaces what in a scene that is fine, and words of the complaint
SCENES = {
    "negative modulus": (
        "young = 1e4", "young = -1e4", "material.StableNeoHookean: StableNeoHookean(young=…) is -10000 Pa"),
    "poisson of a half": ("young = 1e4", "young = 1e4, poisson = 0.5", "expected -1 < poisson < 0.5"),
    "nan modulus": ("young = 1e4", "young = nan", "is nan Pa"),
    "text modulus": ("young = 1e4", "young = '10 kPa'", "young: is text '10 kPa'; expected a number"),
    "boolean modulus": ("young = 1e4", "young = true", "young: is true; expected a number"),
    "date as modulus": ("young = 1e4", "young = 2024-01-01", "expected a number"),
    "missing modulus": ("young = 1e4", "", "young: is missing; expected a number"),
    "unknown law": ("StableNeoHookean", "StableNeoHokean", "did you mean 'StableNeoHookean'?"),
    "unknown key": ("young = 1e4", "young = 1e4, densty = 1", "did you mean 'density'?"),
    "shape as material": (
        "StableNeoHookean = { young = 1e4 }", "sphere = { radius = 1 }", "expected a material such as"),
    "cells of text": ("cells = [1, 1, 1]", "cells = ['a', 1, 1]", "cells[0]: is text 'a'; expected a whole number"),
    "huge grid": ("cells = [1, 1, 1]", "cells = [2000000, 2000000, 2]", "expected fewer cells"),
    "missing mesh": ("tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] }", "read = 'liver.msh'", "there is no file"),
    "two keys alike": ("young = 1e4", "young = 1e4, young = 2e4", "is not TOML"),
    "nothing pinned": ("BODY", "pinned = { below = { x = -1 } }", "no node was selected"),
    "pressure in nothing": ("BODY", "loads = [ { Pressure = { pascals = 'a' } } ]", "pascals: is text 'a'"),
    "friction below zero": ("[run]", "[contact]\nfriction = -1\n[run]", "Contact(friction=-1)"),
    "gravity of two": ("[run]", "[[bodies]]\n[run]", "bodies[1].shape: is missing"),
    "no time step": ("[run]", "[integrator.ImplicitEuler]\ndt = 0\n[run]", "ImplicitEuler(dt=0): expected a positive"),
    "unknown integrator": ("[run]", "[integrator.RungeKutta]\n[run]", "unknown name 'RungeKutta'; expected one of"),
    "unknown solver key": (
        "[run]", "[integrator.BDF2]\nsolver = { Newton = { tolerence = 1 } }\n[run]", "did you mean 'tolerance'?"),
    "unknown section": ("[run]", "[runn]", "unknown key 'runn' (did you mean 'run'?)"),
    "no seconds": ("seconds = 0.05", "", "run.seconds: is missing"),
    "negative seconds": ("seconds = 0.05", "seconds = -1", "run(seconds=-1): expected a positive number"),
    "no frames": ("seconds = 0.05", "seconds = 1\nframes_per_second = 0", "expected a positive number"),
    "unknown output": ("page", "pages", "did you mean 'page'?"),
    "picture as jpg": ('page = "a.html"', 'picture = "a.jpg"', "output.picture: ends in '.jpg'"),
    "page without a name": ('"a.html"', "3", "output.page.path: is 3"),
    "unstable step": ("[run]", "[integrator.SymplecticEuler]\ndt = 1.0\n[run]", "the largest stable step is"),
}


@pytest.mark.parametrize("name", SCENES)
def test_scene_files(name, tmp_path, capsys):
    old, new, words = SCENES[name]
    assert old in SCENE
    path = tmp_path / "scene.toml"
    path.write_text(SCENE.replace(old, new, 1).replace("BODY", ""))
    assert main(["run", str(path)]) == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("pliant: compiling")]
    assert out == "" and words in err and str(path) in lines[0] and "Traceback" not in err
    assert len(lines) == 1 or lines[0].endswith("faults:")
    check_folder(tmp_path, {"scene.toml"})


def test_the_scene_that_the_others_spoil_is_fine(tmp_path, capsys):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE.replace("BODY", ""))
    assert main(["run", str(path)]) == 0
    assert {f.name for f in tmp_path.iterdir()} == {"scene.toml", "a.html", "a.npz"}


COMMANDS = {
    "no such scene": (["run", "none.toml"], "cannot be read: No such file"),
    "folder as a scene": (["run", "."], "is a folder"),
    "label of a mesh": (["run", "ball.stl", "--label", "2"], "--label is for volumes"),
    "bad device": (["run", "scene.toml", "--device", "tpu"], "expected 'cpu', 'cuda' or 'cuda:0'"),
    "bad precision": (["run", "scene.toml", "--precision", "f16"], "expected 'f32' or 'f64'"),
    "negative seconds": (["run", "scene.toml", "--seconds", "-1"], "expected a positive number of seconds"),
    "nan seconds": (["run", "scene.toml", "--seconds", "nan"], "expected a positive number of seconds"),
    "out is a file": (["run", "scene.toml", "--out", "ball.stl"], "is a file; expected a folder"),
    "demo out is a file": (["demo", "--out", "ball.stl"], "is a file; expected a folder"),
    "demo of no time": (["demo", "--seconds", "0"], "positive number of seconds"),
    "demo elsewhere": (["demo", "--device", "abacus"], "expected 'cpu', 'cuda' or 'cuda:0'"),
    "edge of zero": (["mesh", "ball.stl", "a.msh", "--edge", "0"], "edge"),
    "nan edge": (["mesh", "ball.stl", "a.msh", "--edge", "nan"], "edge"),
    "edge too long": (["mesh", "ball.stl", "a.msh", "--edge", "100"], "edge"),
    "scale of zero": (["mesh", "ball.stl", "a.msh", "--scale", "0"], "expected positive numbers"),
    "tets into stl": (["mesh", "ball.stl", "a.stl", "--edge", "0.5"], "stl cannot hold tets"),
    "unknown format": (["mesh", "ball.stl", "a.ms"], "did you mean '.msh'?"),
    "inspect nothing": (["inspect", "none.stl"], "there is no file none.stl"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a good scene and a good mesh, to work in."""
    monkeypatch.chdir(tmp_path)
    Path("scene.toml").write_text(SCENE.replace("BODY", ""))
    pl.write(pl.sphere_mesh(1.0, 1), "ball.stl")
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name, folder, capsys):
    argv, words = COMMANDS[name]
    assert main(argv) == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("pliant: compiling")]
    assert out == "" and len(lines) == 1 and words in lines[0] and lines[0].startswith("pliant: ")
    check_folder(folder, {"scene.toml", "ball.stl"})


@pytest.mark.parametrize(
    "argv, words",
    [
        (["run", "scene.toml", "--device", "tpu"], "expected 'cpu', 'cuda' or 'cuda:0'"),
        (["inspect", "none.stl"], "there is no file none.stl"),
        (["mesh", "ball.stl", "a.msh", "--edge", "-1"], "edge"),
    ],
)
def test_real_processes(folder, argv, words):
    command = [sys.executable, "-m", "pliant.cli.main", *argv]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ)
    assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr
    assert words in done.stderr.splitlines()[-1]
    check_folder(folder, {"scene.toml", "ball.stl"})


def test_threads_of_text(monkeypatch):
    monkeypatch.setenv("PLIANT_THREADS", "many")
    with pytest.raises(pl.InputError, match="PLIANT_THREADS is 'many'; expected a whole number of at least 1"):
        simulation()


def test_the_catalogue_is_long_enough():
    assert len(API) + len(FILES) + len(OUTPUT) + len(SCENES) + len(COMMANDS) >= 180
