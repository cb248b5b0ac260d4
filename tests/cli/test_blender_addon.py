"""The Blender add-on: what it writes is a scene, what it starts is pliant, and Blender itself gets its objects back."""

import ast
import io
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import blender, blender_addon
from pliant.cli.blender_addon import exchange
from pliant.cli.inputs.scene_file import read_scene
from pliant.cli.main import main
from pliant.material.laws.presets import PRESETS

BLENDER = shutil.which("blender")
FOLDER = Path(blender_addon.__file__).parent


def body(**given) -> dict:
    usual = {
        "name": "a cube", "file": "cube.ply", "kind": "SOLID", "preset": "rubber", "edge": 0.5, "thickness": 0.01, "pins": [],
        "young": 2e4, "poisson": 0.4, "density": 900.0,
    }  # fmt: skip
    return usual | given


def write_scene(folder: Path, bodies: list[dict], obstacles=(), frames: int = 2) -> Path:
    cube = pl.meshes.box((1.0, 1.0, 1.0), (0, 0, 0.6))
    exchange.write_ply(folder / "cube.ply", cube.vertices, cube.triangles)
    given = {"floor": True, "gravity": (0, 0, -9.81), "friction": 0.5, "device": "cpu", "exact": False}
    text = exchange.scene_text(bodies, list(obstacles), frames, 24.0, 2, **given)
    (folder / "scene.toml").write_text(text, encoding="utf-8")
    return folder / "scene.toml"


def test_presets_are_those_of_pliant_and_so_is_the_version():
    assert {name: preset.young for name, preset in PRESETS.items()} == exchange.PRESETS
    manifest = tomllib.loads((FOLDER / "blender_manifest.toml").read_text())
    assert manifest["version"] == pl.__version__ == ".".join(map(str, blender_addon.bl_info["version"]))


def test_the_scene_is_one_that_pliant_reads(tmp_path):
    cube = pl.meshes.box((1.0, 1.0, 1.0), (0, 0, 0.6))
    left = np.flatnonzero(cube.vertices[:, 0] < 0)
    pins = exchange.pinned_points(cube.vertices, cube.triangles, left.tolist(), 0.2)
    bodies = [body(name='an "odd" näme 😀', pins=pins, edge=0.25), body(name="own", preset=exchange.OWN, edge=None)]
    bodies += [body(name="sheet", kind="SHEET", pins=left.tolist())]
    read = read_scene(write_scene(tmp_path, bodies, [{"name": "wall", "file": "cube.ply", "spacing": 0.1}]))
    odd, own, sheet = read.scene.bodies
    assert odd.name == 'an "odd" näme 😀' and odd.material.young == PRESETS["rubber"].young
    assert own.material.young == 2e4 and own.material.density == 900.0
    X, (hold,) = odd.shape.rest, odd.effects
    held = np.isin(np.arange(len(X)), hold.where)
    assert held[X[:, 0] < -0.499].all() and not held[X[:, 0] > -0.25].any()  # the whole face, though it has but corners
    assert isinstance(sheet.shape, pl.Membrane) and sheet.pinned == left.tolist()
    assert read.run == {"seconds": 2 / 24, "frames_per_second": 24.0, "fields": []}
    assert read.scene.contact.thickness and read.scene.contact.response == pl.contact.Penalty()
    assert isinstance(read.settings["integrator"].solver, pl.QuasiNewton) and read.settings["precision"] == "f32"
    assert [o.name for o in read.scene.obstacles] == ["floor", "wall"]


def test_a_job_says_how_far_it_is_and_brings_every_vertex_back(tmp_path):
    write_scene(tmp_path, [body()])
    job = exchange.Job([sys.executable, "-m", "pliant.cli.main"], tmp_path)
    while not job.poll()[0]:
        time.sleep(0.1)
    assert job.poll()[2] == 1.0 or "writing" in job.poll()[1]
    assert any("simulating 0/4" in line for line in job.lines())
    places = job.result()
    cube = pl.read(tmp_path / "cube.ply")
    assert places.shape == (3, len(cube.vertices), 3)
    np.testing.assert_allclose(places[0], cube.vertices, atol=1e-6)
    fall = 9.81 * (1 / 48) ** 2 * (1 + 2 + 3 + 4)  # of implicit Euler, in four steps
    np.testing.assert_allclose(places[2] - places[0], np.tile([0, 0, -fall], (len(cube.vertices), 1)), atol=1e-5)
    again = tmp_path / "again.pc2"
    exchange.write_pc2(again, places)
    assert again.read_bytes() == (tmp_path / "motion.pc2").read_bytes()
    job.close()
    assert not tmp_path.exists()


def test_a_job_that_fails_or_is_stopped_says_so(tmp_path):
    job = exchange.Job([sys.executable, "-c", "import sys; sys.exit('simulating 1/4\\npliant: the step failed')"], tmp_path)
    job.process.wait(timeout=120)
    assert job.poll()[0] and job.poll()[2] == 0.25
    with pytest.raises(exchange.Problem, match=r"^the step failed$"):
        job.result()
    job = exchange.Job([sys.executable, "-m", "no_such_module"], tmp_path)
    job.process.wait(timeout=120)
    with pytest.raises(exchange.Problem, match="this Python has no pliant"):
        job.result()
    stopped = exchange.Job([sys.executable, "-c", "import time; time.sleep(600)"], tmp_path)
    assert stopped.poll()[0] is False
    stopped.cancel()
    assert stopped.poll()[0] is True
    with pytest.raises(exchange.Problem, match="cannot be started"):
        exchange.Job([str(tmp_path)], tmp_path)
    with pytest.raises(exchange.Problem, match="not a whole point cache"):
        (tmp_path / "short.pc2").write_bytes(b"POINTCACHE2\0" + bytes(20) + b"more")
        exchange.read_pc2(tmp_path / "short.pc2")


def test_the_program_is_what_was_asked_for_or_a_sentence(monkeypatch):
    assert exchange.program(sys.executable) == [sys.executable, "-m", "pliant.cli.main"]
    with pytest.raises(exchange.Problem, match="no/such is no program: in Preferences > Add-ons > Pliant"):
        exchange.program("no/such")
    monkeypatch.setattr(exchange, "PROGRAM", sys.executable)
    assert exchange.program("") == [sys.executable, "-m", "pliant.cli.main"]
    monkeypatch.setattr(exchange, "PROGRAM", "")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(exchange.Problem, match="pliant was not found"):
        exchange.program("")


def test_the_command_writes_one_file_that_knows_where_pliant_is(tmp_path, capsys):
    assert main(["blender", str(tmp_path)]) == 0 and "Install" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "pliant_blender.zip") as file:
        names = {name.removeprefix("pliant_blender/") for name in file.namelist()}
        text = {name: file.read(f"pliant_blender/{name}").decode() for name in names}
    assert names == {"__init__.py", "exchange.py", "objects.py", "blender_manifest.toml"}
    assert f"PROGRAM = {sys.executable!r}" in text["exchange.py"]
    for name in names - {"blender_manifest.toml"}:  # Python of Blender 3.4, and nothing that only we have
        tree = ast.parse(text[name], feature_version=(3, 10))
        asked = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and not n.level}
        asked |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        known = {*sys.stdlib_module_names, "bpy", "bpy.props", "numpy"}
        assert asked <= known
    assert main(["blender", str(tmp_path / "addon.py")]) == 2
    assert zipfile.ZipFile(io.BytesIO(blender.archive("x"))).testzip() is None


@pytest.mark.slow
@pytest.mark.skipif(BLENDER is None, reason="blender is not installed; apt-get install blender python3-numpy")
def test_blender_itself(tmp_path):
    main(["blender", str(tmp_path / "a.zip")])
    source = str(Path(pl.__file__).parents[1])
    env = os.environ | {"BLENDER_USER_RESOURCES": str(tmp_path / "blender"), "PYTHONPATH": source}
    script = Path(__file__).with_name("blender_addon_script.py")
    command = [BLENDER, "-b", "--factory-startup", "--python-exit-code", "3", "--python", str(script), "--"]
    call = [*command, str(tmp_path / "a.zip"), str(tmp_path / "found.json")]
    done = subprocess.run(call, capture_output=True, text=True, timeout=900, env=env)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    check(json.loads((tmp_path / "found.json").read_text()))


def check(found: dict) -> None:
    """What Blender has after the script, be it started as a program or imported."""
    bar = {name: np.array(value) for name, value in found["bar"].items() if name in ("before", "first", "last", "again")}
    np.testing.assert_allclose(bar["first"], bar["before"], atol=2e-5)  # in centimetres, of 30
    held = np.array(found["bar"]["weights"]) > 0.5
    moved = np.linalg.norm(bar["last"] - bar["before"], axis=1)
    assert held.any() and moved[held].max() < 2e-5 and moved[~held].max() > 5
    assert bar["last"][~held, 2].mean() < bar["before"][~held, 2].mean() - 2
    np.testing.assert_allclose(bar["again"], bar["last"], atol=1e-6)
    assert found["bar"]["order"] == found["bar"]["order again"] == ["cut corners", "Pliant", "smooth"]
    assert found["bar"]["cleared"] == ["cut corners", "smooth"] and found["bar"]["base"] == 8
    assert found["bar"]["faces"] == [4] * 6 and found["bar"]["uv"] == 1 and found["bar"]["materials"] == ["paint"]

    first, falling, last = (np.array(found["ball"][name]) for name in ("first", "falling", "last"))
    fall = 9.81 * (1 / 72) ** 2 * 12 * 13 / 2  # four frames of three steps of implicit Euler
    np.testing.assert_allclose(falling - first, np.tile([0, 0, -fall], (len(first), 1)), atol=2e-5)
    assert abs(last[:, 2].min()) < 0.01 and abs(last[:, 0].mean()) < 0.01  # on the floor, not carried off by its animation
    np.testing.assert_allclose(found["ball"]["again"], last, atol=1e-6)
    assert (found["ball"]["keys"], found["ball"]["keys again"], found["ball"]["cleared"]) == (26, 26, 1)

    sheet, cube = np.array(found["sheet"]), np.array(found["cube"])
    middle = np.linalg.norm(sheet[:, :2], axis=1) < 0.03
    assert sheet[middle, 2].min() > 0.19 and sheet[:, 2].min() < 0.15  # on the ball, and down around it
    assert abs(cube[:, 2].min()) < 0.01

    assert "choose Mesh cache" in found["keys beside modifiers"]
    assert "no mesh is selected" in found["nothing"] and "no vertex group 'gone'" in found["no group"]
    assert "no/such/pliant is no program" in found["nowhere"]
