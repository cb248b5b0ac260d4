"""``pliant view``: examples, scene files and meshes become something to pull at; the rest is refused in one sentence."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli.common.example_settings import PACES
from pliant.cli.examples import all_examples
from pliant.cli.main import main
from pliant.cli.view import VIEWS, from_mesh, library, reader
from pliant.errors import InputError
from pliant.view.live_loop import Loop


def said(capsys, *argv) -> str:
    assert main(["view", *map(str, argv)]) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("pliant: compiled ")]
    assert len(lines) == 1 and lines[0].startswith("pliant: ")
    return lines[0]


def test_a_run_is_played_again(tmp_path, monkeypatch, capsys):
    from pliant.view.pages.replay import Replay
    from pliant.view.viewer import Viewer

    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), pl.StableNeoHookean(young=1e4))
    file = pl.export(pl.Simulation(pl.Scene([body])).run(0.05), tmp_path / "fall.npz")
    shown = []
    monkeypatch.setattr(Viewer, "wait", lambda viewer: shown.append(viewer))
    assert main(["view", str(file), "--no-open", "--port", "0"]) == 0
    assert isinstance(shown[0].loop, Replay) and len(shown[0].recording) == 4 and shown[0].loop.name == "fall"
    assert "fall.npz is at http://127.0.0.1:" in capsys.readouterr().out
    assert "--hang is for simulations" in said(capsys, file, "--hang")


@pytest.mark.parametrize(
    "argv, words",
    [
        (["drop_on_spere"], "did you mean 'drop_on_sphere'"),
        (["missing.stl"], "missing.stl"),
        (["missing.toml"], "missing.toml"),
        (["script.py"], "call pl.view(sim) in the script itself"),
        (["demo", "--size", "2"], "--size is for a mesh file"),
        (["demo", "--port", "99999"], "0 … 65535"),
        (["demo", "--device", "tpu"], "tpu"),
    ],
)
def test_what_cannot_be_viewed_is_refused(capsys, argv, words):
    assert words in said(capsys, *argv, "--no-open")


def test_the_library_has_examples_and_scenes():
    made = library()
    assert made.keys() == {"demo", *all_examples()}  # every one
    assert isinstance(made["scenes/cantilever"](), pl.Simulation)
    assert made["drop_on_sphere"]().bodies[0].name == "jelly"


def test_examples_come_at_real_time_settings_and_as_given():
    makers = library()
    assert [name for name, maker in makers.items() if maker.quick is None] == ["demo"]  # which is made for it
    given, quick = makers["hanging_beam"](), makers["hanging_beam"].quick()
    assert given.device.precision == "f64" and given.integrator.solver.iterations is None
    assert quick.device.precision == "f32" and quick.integrator.solver.iterations == 1
    assert np.array_equal(given.world.rest, quick.world.rest) and type(given.integrator) is type(quick.integrator)
    assert set(PACES) | set(VIEWS) <= makers.keys() and makers["bowl_of_jelly"].view[1] == 40.0
    flexed = makers["muscle_flex"]
    sim = flexed.quick()
    sim.t = 1.0
    flexed.control(sim, None)
    assert sim.scene.bodies[0].material.terms[1].activation.max() == 0.5


def test_a_fast_scene_is_shown_in_slow_motion_and_a_large_one_on_a_coarser_mesh():
    makers = library()
    bars = makers["drawn_bars"]
    fine, coarse = bars(), bars.quick()
    assert coarse.world.count < 0.5 * fine.world.count
    assert np.isclose(*(sim.scene.bodies[0].shape.volumes.sum() for sim in (fine, coarse)))
    fork = makers["tuning_fork"]
    assert fork.speed == 1 / 100 and fork.other == ""
    loop = Loop(coarse, library=makers, name="drawn_bars", quick=True)
    words = loop._said(coarse, "drawn_bars")
    assert loop.speed == 1.0 and words.endswith(", steps of 1/20 s, Mixed, contact by Penalty, a coarser mesh")
    loop.adopt(fork.quick(), "tuning_fork")
    assert loop.speed == loop.state["speed"] == 1 / 100  # as the slider of the page has it
    assert loop._said(loop.sim, "tuning_fork").endswith(", Newton × 1, shown 100 times slower")
    loop.speed = 1 / 50
    loop.adopt(fork.quick(), "tuning_fork")
    assert loop.speed == 1 / 50  # as chosen, while the scene is the same
    loop.adopt(fine, "drawn_bars")
    assert loop.speed == 1.0


def test_scenes_of_fewer_bodies_in_real_time_say_how_many():
    for name, words, count in (("bowl_of_jelly", "twelve bodies", 12), ("tori_on_pillars", "four rings", 4)):
        maker = library()[name]
        assert maker.other == words and len(maker.quick().scene.bodies) == count


def test_a_cylinder_rolls_without_slipping_at_real_time_settings():
    """What rolls down a slope goes g sin θ t² / 3; iterations that end too soon would hold it back."""
    sim = library()["rolling_cylinder"].quick()
    mass, begin, along = sim.world.mass, sim.x, np.array([np.cos(np.radians(12)), 0, -np.sin(np.radians(12))])
    while sim.t < 0.8 - 1e-9:
        assert sim.step().kept
    way, speed = (mass @ values @ along / mass.sum() for values in (sim.x - begin, sim.v))
    away = sim.x - mass @ sim.x / mass.sum()
    spin = (mass @ np.cross(away, sim.v))[1] / (mass @ (away[:, [0, 2]] ** 2).sum(axis=1))
    assert 0.88 < way / (9.81 * np.sin(np.radians(12)) * 0.8**2 / 3) < 1
    assert 0.05 * spin == pytest.approx(speed, rel=0.05)


def test_every_example_of_the_menu_keeps_up_as_measured():
    """The records of ``benchmarks/examples.py``: on one thread, at least as fast as it is shown."""
    file = Path(__file__).parents[2] / "benchmarks" / "results" / "examples.json"
    rows = {name: row for record in json.loads(file.read_text()) for name, row in record["examples"].items()}
    lacking = library().keys() - rows.keys()
    assert not lacking, f"python benchmarks/examples.py {' '.join(lacking)} --out {file.name} has not been run"
    rows = {name: row for name, row in rows.items() if name in library()}
    found = {name: row.get("real time", row["as given"]) for name, row in rows.items()}
    slow = {name: row for name, row in found.items() if row.get("of what is shown", row["of real time"]) < 1}
    assert not slow and not [name for name, row in found.items() if "failed" in row]
    makers = library()
    assert {name: row.get("times slower", 1) for name, row in found.items()} == {
        name: round(1 / maker.speed) for name, maker in makers.items()
    }


def test_the_lines_of_a_scene_file_at_real_time_settings_make_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "box.toml"
    grid, law = "tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] }", "StableNeoHookean = { young = 1e4 }"
    file.write_text(f"[[bodies]]\nshape = {{ {grid} }}\nmaterial = {{ {law} }}\n[run]\nseconds = 1.0\n")
    maker = reader(None)(file)
    made: dict = {}
    exec(maker.hastened, made)
    shown = maker.quick()
    assert shown.device.precision == made["sim"].device.precision == "f32"
    assert made["sim"].integrator == shown.integrator != maker().integrator


def test_a_mesh_becomes_a_body_above_a_floor_or_hangs(tmp_path, capsys):
    file = tmp_path / "ring.stl"
    pl.write(pl.meshes.torus(60.0, 24.0, segments=24, sides=12), file)  # millimetres
    sim = from_mesh(file)
    assert "168 units taken as millimetres" in capsys.readouterr().err
    surface = sim.bodies[0].surface
    assert np.ptp(surface, axis=0).max() == pytest.approx(0.168, rel=0.01) and surface[:, 2].min() > 0.01
    assert sim.bodies[0].name == "ring" and len(sim.skins[0].parents) == 24 * 12 and not sim.world.held
    hanging = from_mesh(file, size=0.1, young=5e3, hang=True)
    held = hanging.world.held.rows
    assert len(held) and hanging.world.rest[held, 2].min() > 0.09
    assert float(hanging.scene.bodies[0].material.young) == 5e3


def test_a_volume_and_tets_become_bodies(tmp_path):
    pl.write(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), tmp_path / "cube.msh")
    assert len(from_mesh(tmp_path / "cube.msh").skins[0].tets) == 8 * 5
    label = np.zeros((12, 12, 12), np.uint8)
    label[2:10, 2:10, 2:10] = 1
    pl.write(pl.Volume(label, spacing=(0.01, 0.01, 0.01)), tmp_path / "scan.npz")
    assert np.ptp(from_mesh(tmp_path / "scan.npz").world.rest, axis=0) == pytest.approx([0.08] * 3, abs=0.012)
    label[3:9, 3:9, 3:9] = 2
    pl.write(pl.Volume(label, spacing=(0.01, 0.01, 0.01)), tmp_path / "scan.npz")
    assert np.ptp(from_mesh(tmp_path / "scan.npz", label=2).world.rest, axis=0) == pytest.approx([0.06] * 3, abs=0.012)
    with pytest.raises(InputError, match="--label is for a volume"):
        from_mesh(tmp_path / "cube.msh", label=2)


@pytest.mark.usefixtures("default_signals")
def test_the_command_serves_until_interrupted(tmp_path):
    command = [
        sys.executable,
        "-m",
        "pliant.cli.main",
        "view",
        "scenes/cantilever",
        "--no-open",
        "--port",
        "0",
        "--json",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        try:
            text = "".join(iter(process.stdout.readline, "}\n")) + "}"
            told = json.loads(text)
            page = urllib.request.urlopen(told["url"], timeout=30).read()
            assert b"<main>" in page and str(told["port"]) in told["url"]
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()


def test_an_interrupt_before_it_waits_ends_it_as_well(monkeypatch, capsys):
    from pliant.view.viewer import Viewer

    begun = []

    def interrupted(viewer):
        begun.append(viewer)
        raise KeyboardInterrupt

    monkeypatch.setattr(Viewer, "wait", interrupted)
    assert main(["view", "scenes/cantilever", "--no-open", "--port", "0"]) == 0
    assert "closed" in repr(begun[0]) and "is at http://127.0.0.1:" in capsys.readouterr().out


def test_a_dropped_file_is_read_as_the_shell_reads_it(tmp_path):
    pl.write(pl.meshes.sphere(0.1, 3).scaled(1000), tmp_path / "ball.obj")
    make = reader(None)(tmp_path / "ball.obj", up="y")
    assert np.array_equal(make().world.rest, from_mesh(tmp_path / "ball.obj", up="y").world.rest)
    assert make.notes[0] == "ball.obj is 0.2 × 0.2 × 0.2 m, y up, 200 units taken as millimetres."
    assert make.python == "from pliant.cli.view import from_mesh\nsim = from_mesh('ball.obj', up='y')"


def test_a_dropped_scene_names_only_what_came_with_it(tmp_path):
    scene = tmp_path / "scene.toml"
    for name in ("/etc/hostname", "../ball.obj"):
        shape = f'{{ read = "{name}", tetrahedralise = {{ edge = 0.1 }} }}'
        scene.write_text(
            f"[run]\nseconds = 1\n[[bodies]]\nshape = {shape}\nmaterial = {{ StableNeoHookean = {{ young = 1e4 }} }}\n"
        )
        with pytest.raises(InputError, match="leads out of"):
            reader(None)(scene)()
    with pytest.raises(InputError, match="in metres with z up"):
        reader(None)(scene, up="y")


def test_a_sheet_of_a_file_is_cloth_that_falls_over_a_ball_or_hangs(tmp_path, capsys):
    file = tmp_path / "towel.obj"
    pl.write(pl.cloth_grid((60, 40), (3, 2)), file)
    sim = from_mesh(file, unit="cm", cloth=True)
    shape = sim.scene.bodies[0].shape
    assert isinstance(shape, pl.Membrane) and shape.mesh.bounds[1] - shape.mesh.bounds[0] == pytest.approx([0.6, 0.4, 0])
    assert 16 * 12 < len(shape.mesh.triangles) < 5000 and shape.mesh.areas.sum() == pytest.approx(0.24)
    assert [o.name for o in sim.scene.obstacles] == ["ball", "floor"]
    for _ in range(12):
        assert sim.step().kept
    assert sim.x[:, 2].min() > 0.0 and np.ptp(sim.x[:, 2]) > 0.01  # it hangs down around the ball
    hung = from_mesh(file, unit="cm", cloth=True, hang=True, edge=0.1, young=1e6)
    held = ~hung.world.objective.free.numpy().any(axis=1)
    rest = hung.world.rest
    assert 2 <= held.sum() < 0.3 * len(held) and np.allclose(rest[held, 1], rest[:, 1].max())
    pl.write(pl.tet_grid((1, 1, 1), (1, 1, 1)), tmp_path / "solid.msh")
    with pytest.raises(InputError, match=r"--cloth is for a surface; .* holds a TetMesh"):
        from_mesh(tmp_path / "solid.msh", cloth=True)
    with pytest.raises(InputError, match="--cloth is a surface of one material"):
        from_mesh(file, cloth=True, young=[1e4, 1e5])
