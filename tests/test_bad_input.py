"""The catalogue of bad input to Python: each case gives one clear sentence; see bad_files and bad_shell for the others."""

import numpy as np
import pytest
from every import check_every
from sentences import check_sentence

import pliant as pl

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


def muscle(**changes) -> pl.muscles.EmbeddedMuscle:
    return pl.muscles.EmbeddedMuscle(**({"shape": pl.sphere(3.0), "fibres": (1, 0, 0), "name": "biceps"} | changes))


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
        lambda: simulation(shape=pl.TetMesh([*CORNERS, [5, 5, 5]], [[0, 1, 2, 3]])),
        "1 of 5 nodes belong to no",
    ),
    "triangle without area": (lambda: pl.Membrane(pl.TriMesh(CORNERS, [[0, 1, 1]]), 0.01), "have no area, first at 0"),
    "edge without length": (lambda: pl.Springs(pl.EdgeMesh(CORNERS, [[1, 1]])), "have no length, first at 0"),
    "bounds of nothing": (lambda: pl.PointCloud(np.zeros((0, 3))).bounds, "no vertices"),
    "normals of others": (lambda: pl.PointCloud(CORNERS, [[0, 0, 1]]), "one per point"),
    "scaled by zero": (lambda: SHAPE.scaled(0), "expected one positive number, or three"),
    "scaled by text": (lambda: SHAPE.scaled("mm"), "one positive number, or three"),
    "moved by two numbers": (lambda: SHAPE.translated((1, 2)), "expected three finite numbers"),
    "turned about nothing": (lambda: SHAPE.rotated((0, 0, 0), 30), "direction of non-zero length"),
    "turned by infinity": (lambda: SHAPE.rotated((0, 0, 1), INF), "expected a finite number"),
    # grids and solids
    "negative size": (lambda: pl.tet_grid((1, -1, 1), (1, 1, 1)), "expected 3 positive numbers in metres"),
    "no cells": (lambda: pl.tet_grid((1, 1, 1), (0, 1, 1)), "whole number of at least 1"),
    "too many cells": (lambda: pl.tet_grid((1, 1, 1), (10**6,) * 3), "expected fewer cells"),
    "fractional cells": (lambda: pl.cloth_grid((1, 1), (1.5, 1)), "whole number"),
    "seven tets per cell": (lambda: pl.tet_grid((1, 1, 1), (1, 1, 1), 7), "expected 5 or 6"),
    "rod of no length": (lambda: pl.meshes.rod((0, 0, 0), (0, 0, 0), 3), "expected two different points"),
    "negative radius": (lambda: pl.sphere(-1), "sphere radius is -1; expected a positive number"),
    "spindle of a ball": (lambda: pl.sdf.spindle((0, 0, 0), (1, 0, 0), 0.6), "expected less than half its length"),
    "nan plane": (lambda: pl.plane(NAN), "expected a finite number"),
    "plane twice": (lambda: pl.plane(0, normal=(0, 0, 1)), "expected one or the other"),
    "box of text": (lambda: pl.box("big"), "expected"),
    "edge of zero": (lambda: pl.tetrahedralise(pl.sphere(1), edge=0), "edge"),
    "edge too long": (lambda: pl.tetrahedralise(pl.sphere(0.01), edge=5.0), "edge"),
    "endless solid": (lambda: pl.tetrahedralise(pl.plane(0), edge=0.1), "not bounded; intersect it with a box"),
    "open edges filled": (lambda: pl.tetrahedralise(pl.meshes.rod((0, 0, 0), (1, 0, 0), 2), edge=0.1), "EdgeMesh"),
    # materials
    "negative modulus": (lambda: pl.StableNeoHookean(young=-1), "is -1 Pa; expected 0 < young < inf Pa"),
    "no modulus": (lambda: pl.Corotated(young=0.0), "expected 0 < young"),
    "nan modulus": (lambda: pl.LinearElastic(young=NAN), "is nan Pa"),
    "infinite modulus": (lambda: pl.NeoHookean(young=INF), "is inf Pa"),
    "text modulus": (lambda: pl.StableNeoHookean(young="soft"), "is 'soft'; expected a number in Pa"),
    "boolean modulus": (lambda: pl.StableNeoHookean(young=True), "expected a number in Pa"),
    "poisson of a half": (lambda: pl.StableNeoHookean(young=1e4, poisson=0.5), "expected -1 < poisson < 0.5"),
    "poisson of minus one": (lambda: pl.StVenantKirchhoff(young=1e4, poisson=-1), "expected -1 < poisson < 0.5"),
    "one bad element": (lambda: pl.Corotated(young=[1e4, -1, 1e4]), "outside at 1 places, first 1"),
    "negative density": (lambda: pl.Corotated(young=1, density=-5), "expected 0 < density"),
    "activation of two": (lambda: pl.laws.Muscle(activation=2), "expected 0 ≤ activation ≤ 1"),
    "direction of nothing": (lambda: pl.laws.Fibres(stiffness=1, direction=(0, 0, 0)), "zero length"),
    "direction in a plane": (lambda: pl.laws.Fibres(stiffness=1, direction=(1, 0)), "expected (3,) or (rows, 3)"),
    "unbalanced curves": (lambda: pl.ValanisLandel(a=lambda x: x), "expected 0, so that the body rests"),
    "weights over one": (lambda: pl.Ogden(young=1, weights=(1, 1, 1)), "sum to 1"),
    "law plus number": (lambda: SOFT + 3, "expected another material"),
    "fibres alone": (lambda: body(material=pl.laws.Fibres(stiffness=1)), "has no density"),
    "rows that fit nothing": (lambda: body(material=pl.Corotated(young=[1, 2, 3])), "3 rows of parameters; expected 1"),
    "linear on cloth": (lambda: body(shape=CLOTH, material=pl.LinearElastic(young=1)), "use Corotated"),
    # bodies
    "surface as a body": (lambda: body(shape=pl.meshes.sphere(1)), "tetrahedralise(surface, edge=…)"),
    "threads without radius": (lambda: body(shape=pl.meshes.rod((0, 0, 0), (1, 0, 0), 2)), "Springs(mesh, radius=…)"),
    "number as a body": (
        lambda: body(shape=3),
        "expected a TetMesh, HexMesh, Tets, Hexes, Lattice, Membrane or Springs",
    ),
    "name of a material": (lambda: body(material="rubber"), "expected a material such as"),
    "negative thickness": (lambda: pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), -0.01), "positive number of metres"),
    "text radius": (
        lambda: pl.Springs(pl.meshes.rod((0, 0, 0), (1, 0, 0), 2), radius="thin"),
        "positive number of metres",
    ),
    "nothing pinned": (lambda: body(pinned=lambda X: X[:, 0] < -5), "no node was selected; check the condition"),
    "pinned far away": (lambda: body(pinned=[99]), "lie outside 0…7, first 99"),
    "mask too short": (lambda: body(pinned=lambda X: np.array([True])), "expected (8,), one entry per node"),
    "pinned by fractions": (lambda: body(pinned=np.array([0.5])), "expected a mask or node numbers"),
    "pinned along w": (lambda: pl.Hold(LEFT, by=pl.hold.Rigidly("w")), "expected some of 'x', 'y', 'z'"),
    "pins that fly off": (
        lambda: simulation(effects=pl.Hold(LEFT, motion=lambda X, t: X[:2])),
        "Hold.motion returned shape (2, 3)",
    ),
    "attachment of text": (lambda: pl.Hold(LEFT, by=pl.hold.Springs("stiff")), "positive number of N/m"),
    "tether of text": (
        lambda: body(effects=pl.Hold("bone", by=pl.hold.Springs(5.0))),
        "there is no group 'bone'; the mesh has none",
    ),
    "tether of no points": (
        lambda: pl.Hold(np.zeros((0, 3)), by=pl.hold.Springs(5.0)),
        "expected (k, 3) finite positions",
    ),
    "tether of nan": (lambda: pl.Hold(with_nan(), by=pl.hold.Springs(5.0)), "expected (k, 3) finite positions"),
    "slack tether": (
        lambda: pl.Hold(CORNERS, by=pl.hold.Springs(0.0)),
        "positive number of N/m, or one for each point",
    ),
    "too few tethers": (
        lambda: pl.Hold(CORNERS, by=pl.hold.Springs([1.0, 2.0])),
        "expected one number, or 4 of them, one for each point",
    ),
    "tether in the air": (
        lambda: simulation(effects=pl.Hold([[0.5, 0.5, 0.5], [0, 0, 4.0]], by=pl.hold.Springs(5.0))),
        "1 of 2 points lie outside the body, first 1, the worst by 3 m",
    ),
    "tether of a sheet": (
        lambda: simulation(shape=CLOTH, effects=pl.Hold(CORNERS, by=pl.hold.Springs(5.0))),
        "has no inside",
    ),
    "clamp of text": (lambda: pl.Hold(LEFT, by=pl.hold.Weakly("stiff")), "positive number of N/m³"),
    "clamped tets": (
        lambda: body(effects=[pl.Hold(LEFT, by=pl.hold.Weakly())]),
        "hold.Weakly is for the cut cells of a Lattice, not for Tets",
    ),
    "pinned by a hold": (lambda: body(**{"pinned": pl.Hold(LEFT)}), "give Hold as effects=[Hold(…)]"),
    "pinned by holds": (lambda: body(**{"pinned": [pl.Hold(LEFT)]}), "give Hold as effects=[Hold(…)]"),
    "held by text": (lambda: pl.Hold(LEFT, by="rigidly"), "expected hold.Rigidly(), hold.Springs(stiffness)"),
    "points held weakly": (lambda: pl.Hold(CORNERS, by=pl.hold.Weakly()), "or by=hold.Springs(stiffness)"),
    "springs for some nodes": (
        lambda: pl.Hold([0], by=pl.hold.Springs([1.0, 2.0])),
        "expected one number, as nodes are chosen",
    ),
    "clamped water": (
        lambda: body(
            shape=pl.Lattice(pl.sphere(1), 0.8, volume=pl.quadrature.Averaged(incompressible=True)),
            effects=[pl.Hold(LEFT, by=pl.hold.Weakly())],
        ),
        "which Averaged(incompressible=True) lacks",
    ),
    "clamped centres": (
        lambda: body(
            shape=pl.Lattice(pl.sphere(1), 0.8, pl.quadrature.Centre()),
            material=pl.LinearElastic(young=1),
            effects=[pl.Hold(LEFT, by=pl.hold.Weakly())],
        ),
        "use Moments(), not Centre()",
    ),
    "clamped in the air": (
        lambda: simulation(
            shape=BALL,
            material=pl.LinearElastic(young=1),
            effects=[pl.Hold(lambda X: X[:, 0] > 5, by=pl.hold.Weakly())],
        ),
        "no triangle of the surface was selected",
    ),
    "clamp that flies off": (
        lambda: simulation(
            shape=BALL,
            material=pl.LinearElastic(young=1),
            effects=pl.Hold(LEFT, lambda X, t: X[0], by=pl.hold.Weakly()),
        ),
        "Hold.motion returned shape (3,)",
    ),
    "negative damping": (lambda: pl.Damping(mass=-1), "number of at least 0"),
    "load in a plane": (lambda: simulation(effects=pl.Load((1, 2), LEFT)), "expected three finite numbers"),
    "load of text": (lambda: simulation(effects=pl.Load("hard", LEFT)), "expected three"),
    "pressure of text": (lambda: simulation(effects=pl.Pressure("high")), "expected"),
    "nan pressure": (lambda: simulation(effects=pl.Pressure(NAN)), "expected"),
    "pressure in an open sheet": (lambda: simulation(shape=CLOTH, effects=pl.Pressure(5.0)), "not closed"),
    "traction on no face": (
        lambda: simulation(effects=pl.Traction((1, 0, 0), [0])),
        "no boundary face has all its nodes",
    ),
    "velocity of two": (lambda: body(velocity=(1, 2)), "expected (3,) or (8, 3)"),
    "velocity of text": (lambda: body(velocity="fast"), "expected (3,)"),
    "drawn by a cloud": (lambda: body(surface=pl.PointCloud(CORNERS)), "expected a TriMesh"),
    "muscle of a mesh": (lambda: pl.muscles.EmbeddedMuscle(SHAPE, (1, 0, 0)), "expected an Sdf"),
    "muscle without direction": (lambda: muscle(fibres=(0, 0, 0)), "expected a direction, a function of points"),
    "muscle too active": (lambda: muscle(activation=1.5), "expected 0 ≤ activation ≤ 1"),
    "muscle of many strengths": (lambda: muscle(peak_stress=[1, 2]), "has 2 values; expected one number"),
    "muscle that shrinks to nothing": (lambda: muscle(optimal_stretch=0), "expected 0 < optimal_stretch"),
    "muscle outside": (lambda: simulation(effects=muscle(shape=pl.sphere(0.1, (9, 0, 0)))), "contains no point of body 0"),
    "muscles of one name": (lambda: body(effects=[muscle(name="a")] * 2), "two muscles share a name"),
    "muscle in cloth": (lambda: body(shape=CLOTH, effects=muscle()), "Membrane has no inside"),
    "fibres of another shape": (lambda: simulation(effects=muscle(fibres=lambda X: X[:2])), "expected (5, 3)"),
    "fibres of no length": (lambda: simulation(effects=muscle(fibres=lambda X: 0 * X)), "no direction at 5 points"),
    "activation over time": (
        lambda: simulation(effects=muscle(activation=lambda t: 2.0)),
        "is 2.0 at t = 0 s; expected a number from 0 to 1",
    ),
    "unknown muscle": (lambda: simulation(effects=muscle()).set(activation={"bicep": 1.0}), "did you mean 'biceps'?"),
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
        lambda: simulation(obstacles=pl.Obstacle(pl.plane(0), motion=lambda t: np.eye(3))),
        "expected",
    ),
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
    "no iterations": (lambda: pl.Newton(iterations=0), "whole number from 1 to 100000"),
    "hessian by name": (lambda: pl.Newton(hessian="exact"), "Adaptive(), Projected() or Exact()"),
    "linear by name": (lambda: pl.Newton(linear="cg"), "expected PCG(), Direct() or GMRES()"),
    "slope of one": (lambda: pl.solver.Armijo(slope=1.0), "slope < 0.5"),
    "linear system to one": (lambda: pl.solver.LinearlyImplicit(tolerance=1.0), "expected a number below 1"),
    "linear solver of a step": (lambda: pl.solver.LinearlyImplicit(linear=3), "expected PCG(), Direct() or GMRES()"),
    "integrator by name": (lambda: simulation("euler"), "expected one such as ImplicitEuler(dt=1/60)"),
    "body as a scene": (lambda: pl.Simulation(body()), "expected a Scene"),
    "device of dreams": (lambda: pl.Simulation(pl.Scene(body()), device="tpu"), "expected 'cpu', 'cuda' or 'cuda:0'"),
    "precision of dreams": (lambda: pl.Simulation(pl.Scene(body()), precision="f16"), "expected 'f32' or 'f64'"),
    "no threads": (lambda: pl.Simulation(pl.Scene(body()), threads=0), "whole number from 1 to 1024"),
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
    "effects as a number": (lambda: body(effects=3), "expected effects, objects with a method energies(part, device)"),
    "damping as a number": (lambda: body(damping=0.1), "expected Damping(mass=…"),
    "text damping": (lambda: pl.Damping(viscosity="thick"), "number of at least 0"),
    "axes as a number": (lambda: pl.Hold(LEFT, by=pl.hold.Rigidly(3)), "expected some of 'x', 'y', 'z'"),
    "pinned by text": (lambda: body(pinned="left"), "there is no group 'left'; the mesh has none"),
    "target of another shape": (
        lambda: simulation(effects=pl.Hold(LEFT, motion=lambda X, t: X[0], by=pl.hold.Springs(5.0))),
        "Hold.motion returned shape (3,)",
    ),
    "obstacles as a number": (lambda: pl.Scene(body(), 3), "expected shapes such as plane(z=0)"),
    "obstacle of a mesh": (
        lambda: pl.Obstacle(SHAPE),
        "expected a solid such as sphere(0.1); of a surface sdf.from_mesh",
    ),
    "hardness of text": (
        lambda: pl.Contact(hardness="stone"),
        "positive number of times the stiffness of the material",
    ),
    "hardness and stiffness": (
        lambda: pl.contact.Penalty(stiffness=1e3, hardness=30),
        "hardness scales a stiffness taken from the material; expected one of the two",
    ),
    "hardness of a barrier": (
        lambda: pl.Contact(hardness=30, response=pl.contact.Barrier()),
        "Contact(hardness=…, response=Barrier()): a barrier has none",
    ),
    "stiffness of text": (lambda: pl.Contact(stiffness="hard"), "positive number of N/m, or None"),
    "sliding solver options": (lambda: pl.solver.Armijo(shrink="a"), "expected"),
    "text tolerance": (lambda: pl.Newton(tolerance="fine"), "number between 0 and 1"),
    "fractional iterations": (lambda: pl.linear.PCG(iterations=2.5), "whole number of at least 1"),
    "text exponents": (lambda: pl.Ogden(young=1, exponents=("a",), weights=(1,)), "expected"),
    "text stretch": (lambda: pl.ValanisLandel(a=lambda x: x - 1, stretch=("a", "b")), "expected"),
    "curve of five": (lambda: pl.ValanisLandel(a=[1, 2, 3, 4, 5]), "expected 11 finite ones"),
    "field of a run": (lambda: simulation().frame().values("strain"), "no field 'strain' in this run"),
}


def test_python():
    check_every(API, check_case)


def check_case(name: str) -> None:
    action, words = API[name]
    with pytest.raises(pl.errors.InputError) as caught:
        action()
    assert words in check_sentence(caught.value)


def test_threads_of_text(monkeypatch):
    monkeypatch.setenv("PLIANT_THREADS", "many")
    with pytest.raises(pl.errors.InputError, match="PLIANT_THREADS is 'many'; expected a whole number of at least 1"):
        simulation()
