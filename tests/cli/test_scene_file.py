"""Scenes as TOML: what they build, and every fault at once."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.object_builder import MISSING, Builder
from pliant.cli.inputs.scene_file import SceneError, read_scene
from pliant.cli.main import main

SCENES = Path(__file__).parents[2] / "examples" / "scenes"
BODY = """
[[bodies]]
shape = { tet_grid = { size = [1, 0.2, 0.2], cells = [4, 1, 1] } }
material = { StableNeoHookean = { young = 1e4, poisson = 0.45 } }
"""
RUN = "\n[run]\nseconds = 0.05\n"


def scene_from(tmp_path, text: str):
    path = tmp_path / "scene.toml"
    path.write_text(text)
    return read_scene(path)


def test_ten_node_tets_in_a_file(tmp_path):
    """By the method of a mesh, bent onto a shape, and by the class."""
    bodies = [
        "{ tetrahedralise = { shape = { sphere = 0.1 }, edge = 0.08 }, quadratic = { onto = { sphere = 0.1 } } }",
        "{ tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] }, QuadraticTets = {} }",
    ]
    text = "".join(f"[[bodies]]\nshape = {shape}\nmaterial = {{ Corotated = {{ young = 1e4 }} }}\n" for shape in bodies)
    read = scene_from(tmp_path, text + "[run]\nseconds = 1\n")
    assert [type(body.shape).__name__ for body in read.scene.bodies] == ["QuadraticTets", "QuadraticTets"]
    assert read.scene.bodies[0].shape.bent.any() and not read.scene.bodies[1].shape.bent.any()


def faults_of(tmp_path, text: str) -> tuple[str, ...]:
    with pytest.raises(SceneError) as caught:
        scene_from(tmp_path, text)
    assert "\n" not in str(caught.value) and str(tmp_path / "scene.toml") in str(caught.value)
    return caught.value.faults


def test_joints(tmp_path):
    text = """
[[bodies]]
name = "arm"
shape = { Rigid = { shape = { meshes.box = [0.6, 0.05, 0.05] }, density = 1000 } }
[[joints]]
[joints.Hinge]
name = "pin"
one = "arm"
point = [-0.3, 0, 0]
axis = [0, 1, 0]
limits = [-1, 1]
motor = { target = 0.2, stiffness = 5 }
[[joints]]
Tendon = { path = [[0, 0, 0.5], ["arm", [0.3, 0, 0]]], tension = { Table = { times = [0, 1], values = [0, 2] } } }
"""
    read = scene_from(tmp_path, text + RUN)
    hinge, cord = read.scene.joints
    assert hinge.other is None and hinge.motor.stiffness == 5 and list(hinge.limits) == [-1, 1]
    assert [name for name, _ in cord.path] == [None, "arm"] and cord.tension(0.5) == 1.0
    sim = read.simulation()
    sim.run(**read.run)
    assert sim.joint_position("pin") > 0
    (fault,) = faults_of(tmp_path, text.replace('one = "arm"', 'one = "amr"') + RUN)
    assert "did you mean 'arm'" in fault


@pytest.mark.parametrize(
    "words, response",
    [
        ("Barrier = { reach = 0.002 }", pl.contact.Barrier(reach=0.002)),
        ("Complementarity = { gap = 1e-3 }", pl.contact.Complementarity(gap=1e-3)),
        ("Penalty = { damping = 0.1 }", pl.contact.Penalty(damping=0.1)),
        ("contact.Intersection = {}", pl.contact.Intersection()),
    ],
)
def test_responses_of_contact(tmp_path, words, response):
    read = scene_from(tmp_path, f"contact = {{ friction = 0.3, response = {{ {words} }} }}\n{BODY}{RUN}")
    assert read.scene.contact == pl.Contact(friction=0.3, response=response)


def test_self_contact_has_a_new_name(tmp_path):
    read = scene_from(tmp_path, f"contact = {{ self_contact = true, response = {{ Penalty = {{}} }} }}\n{BODY}{RUN}")
    assert read.scene.contact == pl.Contact(self_contact=True, response=pl.contact.Penalty())
    (fault,) = faults_of(tmp_path, f"contact = {{ response = {{ Penalty = {{ itself = true }} }} }}\n{BODY}{RUN}")
    assert "unknown key 'itself'; it is now Contact(self_contact=…)" in fault
    for kind in (pl.contact.Penalty, pl.contact.Intersection):
        with pytest.raises(pl.errors.InputError, match=r"has no argument 'itself'; it is now Contact\(self_contact=…\)"):
            kind(itself=True)


def test_looks_and_embeddings(tmp_path):
    text = """
[[bodies]]
shape = { Lattice = { shape = { sphere = { radius = 0.1 } }, spacing = 0.05, embedding = { Tricubic = {} } } }
material = { StableNeoHookean = { young = 1e4 } }
[run]
seconds = 0.05
[output]
picture = { path = "a.png", look = { Slice = { normal = [1, 0, 0], cells = true } }, colour = "stress" }
filmstrip = { path = "b.png", look = { RayCast = { spacing = 0.03, advection = { Shepard = { radius = 2.5 } } } } }
page = { path = "c.html", look = { colour = "stress" } }
"""
    read = scene_from(tmp_path, text)
    assert read.scene.bodies[0].shape.embedding == pl.embedding.Tricubic()
    assert read.output["picture"]["look"] == pl.render.Slice(normal=[1, 0, 0], cells=True)
    assert read.output["filmstrip"]["look"] == pl.render.RayCast(spacing=0.03, advection=pl.sdf.Shepard(2.5))
    assert read.output["page"]["look"] == pl.render.Slice(colour="stress")
    (fault,) = faults_of(tmp_path, text.replace("cells = true", "cels = true"))
    assert "cels" in fault


def test_a_body_from_a_scan(tmp_path):
    """Reading, choosing a label and filling it are steps of one chain."""
    values = np.zeros((16, 16, 16), np.uint8)
    values[2:14, 2:14, 2:14], values[5:11, 5:11, 5:11] = 1, 4
    pl.write(pl.Volume(values, 0.01), tmp_path / "scan.nrrd")
    shape = '{ read = "scan.nrrd", sdf.from_volume = { label = [1, 4] }, tetrahedralise = { edge = 0.03 } }'
    read = scene_from(tmp_path, BODY.replace("{ tet_grid = { size = [1, 0.2, 0.2], cells = [4, 1, 1] } }", shape) + RUN)
    (body,) = read.scene.bodies
    assert body.shape.lumped(np.ones(body.shape.count)).sum() == pytest.approx(0.12**3, rel=0.1)


def test_builds_what_python_would(tmp_path):
    pl.write(pl.meshes.sphere(100.0, 2), tmp_path / "ball.stl")
    read = scene_from(
        tmp_path,
        """
        gravity = [0, 0, -1.62]
        contact = { friction = 0.3 }
        obstacles = [ { plane = { z = 0 } }, { sphere = { radius = 0.2 }, translated = [1, 0, 0] } ]
        precision = "f32"
        [[bodies]]
        shape = { read = "ball.stl", scaled = 0.001, tetrahedralise = { edge = 0.05 }, translated = [0, 0, 1] }
        material = [ { StableNeoHookean = { young = 1e4, poisson = 0.45 } }, { Fibres = { stiffness = 50 } } ]
        pinned = { below = { z = 0.95 } }
        name = "ball"
        [[bodies]]
        shape = { cloth_grid = { size = [1, 1], cells = [2, 2] }, Membrane = { thickness = 0.001, bending = false } }
        material = { Corotated = { from_lame = { mu = 10, lam = 20 } } }
        effects = [
            { Hold = { where = { box = [[0, 0, -1], [0, 0, 1]] }, by = { Rigidly = "xy" } } },
            { Hold = { where = [4] } },
            { Load = { force = [0, 0, 1], where = { above = { x = 0.9 }, below = { y = 0.1 } } } },
        ]
        damping = { mass = 0.5 }
        [integrator.Newmark]
        beta = 0.3
        gamma = 0.6
        dt = 0.01
        solver = { tolerance = 1e-6, linear = { Direct = {} }, hessian = { Exact = {} } }
        [run]
        seconds = 2
        frames_per_second = 30
        [output]
        picture = { path = "a.png", colour = "stress", size = [64, 48] }
        """,
    )
    ball, cloth = read.scene.bodies
    assert read.scene.names == ("ball", "body 1") and read.scene.gravity == (0, 0, -1.62)
    assert ball.shape.mesh.volume == pytest.approx(4 / 3 * np.pi * 1e-3, rel=0.2)
    assert ball.shape.rest[:, 2].mean() == pytest.approx(1.0, abs=0.01)
    assert ball.material.name == "StableNeoHookean + Fibres"
    assert isinstance(cloth.shape, pl.Membrane) and not cloth.shape.bending
    assert float(cloth.material.mu) == pytest.approx(10) and float(cloth.material.lam) == pytest.approx(20)
    assert [h.by.axes for h in cloth.of(pl.Hold)] == ["xy", "xyz"]
    X = cloth.shape.rest
    assert np.array_equal(X[cloth.effects[0].where(X)], [[0, 0, 0]])
    assert np.array_equal(X[cloth.effects[2].where(X)], [[1, 0, 0]])
    assert cloth.damping == pl.Damping(mass=0.5) and read.scene.contact == pl.Contact(friction=0.3)
    assert read.scene.obstacles[1].shape(np.array([[1.0, 0, 0]]))[0] == pytest.approx(-0.2)
    solver = pl.Newton(tolerance=1e-6, linear=pl.linear.Direct(), hessian=pl.solver.Exact())
    assert read.settings == {"integrator": pl.Newmark(0.01, solver, 0.3, 0.6), "precision": "f32"}
    assert read.run == {"seconds": 2, "frames_per_second": 30}
    assert read.output["picture"] == {"path": str(tmp_path / "a.png"), "colour": "stress", "size": [64, 48]}


def test_lists_every_fault_at_once(tmp_path):
    found = faults_of(
        tmp_path,
        """
        gravty = [0, 0, 0]
        obstacles = [ { plane = { z = "low" } }, { spere = { radius = 1 } } ]
        contact = { friction = -1.0 }
        [[bodies]]
        shape = { tet_grid = { size = [1, 0.2], cells = [2, 4, 4] } }
        material = { StableNeoHookean = { yuong = 1e4 } }
        pinned = { bellow = { x = 0 } }
        [[bodies]]
        material = { LinearElastic = { young = "stiff" } }
        shape = { read = "missing.stl" }
        [integrator.ImplicitEuler]
        dt = 0.0
        [output]
        pcture = "a.png"
        page = "a.pdf"
        """,
    )
    places = {
        "unknown key 'gravty' (did you mean 'gravity'?)",
        "obstacles[0].plane.z: is text 'low'; expected a number",
        "obstacles[1]: unknown name 'spere' (did you mean 'sphere'?)",
        "contact: Contact(friction=…) is -1.0",
        "bodies[0].shape.tet_grid: size is [1, 0.2]",
        "bodies[0].material.StableNeoHookean: unknown key 'yuong' (did you mean 'young'?)",
        "bodies[0].pinned: unknown key 'bellow' (did you mean 'below'?)",
        "bodies[1].material.LinearElastic.young: is text 'stiff'; expected a number",
        "bodies[1].shape.read: there is no file",
        "integrator.ImplicitEuler: ImplicitEuler(dt=0.0)",
        "output: unknown key 'pcture' (did you mean 'picture'?)",
        "output.page: ends in '.pdf'; expected .html",
        "run.seconds: is missing; expected a number",
    }
    assert len(found) == len(places)
    for start in places:
        assert any(fault.startswith(start) for fault in found), start


@pytest.mark.parametrize(
    "body, words",
    [
        ("effects = [ { Hold = { where = [0], motion = 3 } } ]", "effects[0].Hold.motion: is a function"),
        ("surface = 3", "surface: is 3; expected one of TriMesh"),
        ("velocity = ['a', 0, 0]", "velocity[0]: is text 'a'"),
        ("name = 3", "name: is 3; expected text"),
        ("damping = {}\npinned = {}", "pinned"),
        ("effects = [ { Pressure = 5.0 }, { Lode = {} } ]", "effects[1]: unknown name 'Lode' (did you mean 'Load'?)"),
        ("pinned = { below = 3 }", "pinned.below: is 3; expected metres by axis"),
        ("pinned = { below = { x = 'a' } }", "pinned.below.x: is text 'a'"),
        ("pinned = { box = [1, 2] }", "pinned.box: is [1, 2]; expected two corners"),
        (
            "effects = [ { Hold = { where = [0], by = { Springs = {} } } } ]",
            "by.Springs.stiffness: is missing; expected a number",
        ),
        ("pinned = [999]", "bodies[0]: pinned: 1 node numbers lie outside 0…19"),
        ("pinned = { below = { x = -5 } }", "no node was selected"),
    ],
)
def test_faults_of_bodies_name_their_place(tmp_path, body, words):
    (fault,) = faults_of(tmp_path, BODY + body + RUN)
    assert fault.startswith("bodies[0]") and words in fault


@pytest.mark.parametrize(
    "shape, words",
    [
        (
            "{ tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] }, rotate = {} }",
            "unknown step 'rotate' (did you mean 'rotated'?)",
        ),
        ("{ meshes.sphere = { radius = 1 } }", "a surface is either filled"),
        ("{ write = 'a.msh' }", "unknown name 'write'"),
        ("{}", "is an empty table"),
        ("[1, 2]", "is [1, 2]; expected one of"),
        ("{ tet_grid = { size = [1, 1, 1], cells = [1, 1, 1], origin = true } }", "origin: is true; expected a list"),
    ],
)
def test_faults_of_shapes(tmp_path, shape, words):
    (fault,) = faults_of(tmp_path, f"[[bodies]]\nshape = {shape}\nmaterial = {{ LinearElastic = {{ young = 1 }} }}" + RUN)
    assert words in fault


@pytest.mark.parametrize(
    "text, words",
    [
        (
            "material = [ { LinearElastic = { young = 1 } }, { sphere = { radius = 1 } } ]",
            "cannot add Sdf to LinearElastic",
        ),
        ("material = { Arap = { from_lame = { mu = -1, lam = 0 } } }", "material.Arap.from_lame: Arap(mu=…) is -1 Pa"),
        ("material = { Corotated = 5 }", "material.Corotated: is 5; expected a table with density, young, poisson"),
    ],
)
def test_faults_of_materials(tmp_path, text, words):
    shape = "shape = { tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] } }\n"
    (fault,) = faults_of(tmp_path, "[[bodies]]\n" + shape + text + RUN)
    assert words in fault


@pytest.mark.parametrize(
    "text, words",
    [
        ("integrator = { PCG = {} }", "integrator: is a PCG; expected one such as ImplicitEuler"),
        ("integrator = { BDF2 = { solver = { hessian = { Exact = 3 } } } }", "is 3; expected an empty table {}"),
        ("threads = 0.5", "threads: is 0.5; expected a whole number"),
        ("device = 3", "device: is 3; expected text"),
        ("obstacles = [ { box = { size = [1, 'a', 1] } } ]", "obstacles[0].box.size[1]: is text 'a'; expected"),
    ],
)
def test_faults_of_settings(tmp_path, text, words):
    (fault,) = faults_of(tmp_path, text + "\n" + BODY + RUN)
    assert words in fault


@pytest.mark.parametrize(
    "data, words",
    [
        (b"a = [1,", "is not TOML"),
        (b"a = 1\na = 2", "is not TOML"),
        (b"\xff\xfe\x00", "is not text (byte 0 is not UTF-8)"),
        (b"", "2 faults: run.seconds: is missing; expected a number; bodies: is missing"),
        (b"run = 3\noutput = 4\nbodies = 5", "run: is 3; expected a table [run]"),
        (b"[[bodies]]\n", "bodies[0].shape: is missing"),
    ],
)
def test_broken_files(tmp_path, data, words):
    path = tmp_path / "s.toml"
    path.write_bytes(data)
    with pytest.raises(pl.errors.InputError) as caught:
        read_scene(path)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_missing_file_suggests_another(tmp_path):
    (tmp_path / "scene.toml").write_text("")
    with pytest.raises(pl.errors.InputError, match=r"did you mean 'scene\.toml'"):
        read_scene(tmp_path / "scen.toml")


@pytest.mark.parametrize("name", ["cantilever", "cloth", "curtain", "drop", "splines"])
def test_shipped_scenes_run(tmp_path, capsys, name):
    code = main(["run", str(SCENES / f"{name}.toml"), "--out", str(tmp_path), "--seconds", "0.1", "--json"])
    found = json.loads(capsys.readouterr().out)
    budgeted = name in ("curtain", "splines")  # ten iterations of quasi-Newton a step, kept whatever they reach
    assert code == 0 and found["steps"] >= 3 and (budgeted or found["steps_not_converged"] == 0)
    assert {Path(f) for f in found["files"]} == set(tmp_path.iterdir()) and len(found["files"]) >= 2


def test_run_on_the_shell_replaces_settings_and_resumes(tmp_path, capsys):
    path = tmp_path / "scene.toml"
    path.write_text(BODY + RUN + "[output]\nsave = 'deep/a.npz'\nexport = 'deep/frames.npz'\n")
    assert main(["run", str(path), "--precision", "f32", "--seconds", "0.04"]) == 0
    assert "2 steps" in capsys.readouterr().out
    again = pl.Simulation.load(tmp_path / "deep" / "a.npz")
    assert again.device.precision == "f32" and again.t == pytest.approx(2 / 60)


def test_colours_are_checked_before_the_run(tmp_path, capsys):
    path = tmp_path / "scene.toml"
    path.write_text(BODY + RUN + "[output]\npage = 'a.html'\npicture = { path = 'a.png', colour = 'strss' }\n")
    assert main(["run", str(path)]) == 2
    assert "did you mean 'stress'" in capsys.readouterr().err
    assert {f.name for f in tmp_path.iterdir()} == {"scene.toml"}


def test_a_step_that_fails_is_code_1_and_keeps_what_was_done(tmp_path, capsys, monkeypatch):
    from pliant.simulate.simulation import Simulation
    from pliant.solve.objective.report import Report

    path = tmp_path / "scene.toml"
    path.write_text(BODY + RUN + "[output]\npage = 'a.html'\n")
    step = Simulation.step
    good = {"left": 2}

    def failing(self):
        good["left"] -= 1
        return step(self) if good["left"] >= 0 else Report(False, "it would not", seconds={"total": 0.0})

    monkeypatch.setattr(Simulation, "step", failing)
    assert main(["run", str(path)]) == 1
    assert "failed: it would not" in capsys.readouterr().err and (tmp_path / "a.html").exists()
    good["left"] = 0
    (tmp_path / "a.html").unlink()
    assert main(["run", str(path)]) == 1
    assert "the first step failed: it would not" in capsys.readouterr().err and not (tmp_path / "a.html").exists()


def test_inspect_reads_scenes(tmp_path, capsys):
    assert main(["inspect", str(SCENES / "drop.toml")]) == 0
    out = capsys.readouterr().out
    assert "StableNeoHookean + Fibres" in out and "27 kg" in out
    assert main(["inspect", str(SCENES / "drop.toml"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["bodies"][0]["nodes"] == 125


def test_a_lattice_held_by_its_surface_and_by_points(tmp_path):
    """Clamps, tethers, loads on the cut surface and smooth contact from plain data."""
    file = tmp_path / "ball.toml"
    file.write_text("""
obstacles = [ { plane = -0.2 } ]
contact = { friction = 0.3, smoothing = 0.001 }

[[bodies]]
shape = { sphere = 0.1, Lattice = { spacing = 0.05 } }
material = { Corotated = { young = 1e4 } }
effects = [
    { Hold = { where = { below = { x = -0.05 } }, by = { Weakly = {} } } },
    { Hold = { where = [[0.0, 0.0, 0.0], [0.01, 0.02, 0.0]], by = { Springs = [5.0, 6.0] } } },
    { Hold = { where = { meshes.sphere = 0.02 }, by = { hold.Springs = 5.0 } } },
    { Load = { force = [0, 0, 1], where = { above = { z = 0.05 } } } },
    { Pressure = 10.0 },
]

[run]
seconds = 0.1
""")
    sim = pl.Simulation(read_scene(file).scene)
    assert (
        len(sim.world["held weakly"]) == 1
        and len(sim.world["held by springs"]) == 2
        and sim.world["contact"][0].smoothing == 0.001
    )
    assert sim.step().kept


def test_names_of_two_namespaces_are_told_apart_by_what_fits():
    builder = Builder(Path("."))

    def made(data):
        found = builder.value(data, Any, "here")
        assert builder.faults == []
        return found

    sheet = made({"Membrane": {"mesh": {"sphere": 0.1}, "thickness": 0.01}})
    cells = made({"Lattice": {"shape": {"sphere": 0.1}, "spacing": 0.05}})
    assert len(sheet.mesh.triangles) == 1280 and isinstance(cells.shape, pl.Sdf)
    held = made({"Hold": {"where": {"meshes": {"box": 0.02}}, "by": {"Springs": 5.0}}})
    assert held.where.shape == (8, 3) and isinstance(held.by, pl.hold.Springs)
    thread = made({"rod": {"start": [0, 0, 0], "end": [0, 0, 1], "segments": 3}, "Springs": {"radius": 0.1}})
    assert isinstance(thread, pl.Springs)
    assert builder.value({"meshes": {"cube": 1.0}}, Any, "here") is MISSING and "unknown name 'meshes'" in builder.faults[0]


def test_cuts_in_a_file_are_made_while_it_runs(tmp_path):
    """At a time, and along a stroke that grows; faults are found with all others."""
    cuts = """
[[cuts]]
at = 0.02
until = 0.06
blade = { path = [[0.4, -1, 1], [0.42, 1, 1]], depth = 2 }
[[cuts]]
at = 0.05
body = 0
blade = { path = [[0.7, -1, 1], [0.7, 1, 1]], depth = 2, into = [0, 0, -1] }
"""
    body = BODY.replace("cells = [4, 1, 1]", "cells = [8, 2, 2]")
    read = scene_from(tmp_path, body + cuts + "[run]\nseconds = 0.1\n")
    assert [(plan.at, plan.until, plan.body) for plan in read.cuts] == [(0.02, 0.06, None), (0.05, None, 0)]
    run = read.simulation().run(0.1, fields=())
    assert len(run.chapters) >= 2
    last = run.chapters[-1]
    assert pl.inspect(pl.TriMesh(last.skins[0].of(last.positions[-1]), last.skins[0].triangles)).components == 3
    faults = faults_of(tmp_path, BODY + RUN + "[[cuts]]\nat = -1\nblade = { path = [[0, 0, 0], [1, 0, 0]], depth = 1 }")
    assert any("cuts[0]" in fault and "at" in fault for fault in faults)
    assert any("cuts" in fault for fault in faults_of(tmp_path, "cuts = 3\n" + BODY + RUN))


def test_a_step_may_end_by_distance(tmp_path):
    read = scene_from(
        tmp_path,
        """
        [[bodies]]
        shape = { tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] } }
        material = { StableNeoHookean = { young = 1e4 } }
        [integrator.ImplicitEuler]
        dt = 0.01
        solver = { Newton = { tolerance = { Distance = { share = 1e-3 } } } }
        [run]
        seconds = 1
        """,
    )
    assert read.settings["integrator"].solver == pl.Newton(tolerance=pl.solver.Distance(share=1e-3))
