"""The command line: help, exit codes, and every command in short."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import bench, examples
from pliant.cli.main import ABOUT, COMMANDS, main


def call(capsys, *argv) -> tuple[int, str, str]:
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


def shell(*argv, **env) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pliant.cli.main", *map(str, argv)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ | env)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_line_of_a_command_is_the_first_of_its_own_words(command):
    assert ABOUT[command] == COMMANDS[command].__doc__.strip().splitlines()[0]


@pytest.mark.alone
def test_help_is_quick_and_imports_nothing_heavy():
    code = (
        "import sys, time; begin = time.process_time(); from pliant.cli.main import main; main(['--help'])\n"
        "print(time.process_time() - begin, [m for m in ('numpy', 'warp', 'scipy', 'rich') if m in sys.modules])"
    )
    spent = []
    for _ in range(7):  # the least, since a busy machine only adds to it
        last = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.splitlines()[-1]
        seconds, heavy = last.split(" ", 1)
        assert heavy == "[]"
        spent.append(float(seconds))
    assert min(spent) < 0.1


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_every_help_has_an_example(capsys, command):
    code, out, _ = call(capsys, *([command] if command else []), "--help")
    assert code == 0
    assert "example: pliant " in out and (command is None or f"example: pliant {command}" in out)


def test_without_a_command_it_shows_help(capsys):
    code, out, _ = call(capsys)
    assert code == 0 and "usage: pliant" in out


def test_version(capsys):
    assert call(capsys, "--version")[:2] == (0, f"pliant {pl.__version__}\n")


@pytest.mark.parametrize(
    "argv, words",
    [
        (["rnu"], "there is no command 'rnu' (did you mean 'run'?)"),
        (["run"], "required: scene"),
        (["mesh", "a.stl"], "required: output"),
        (["run", "a.toml", "--seconds", "soon"], "invalid float value: 'soon'"),
        (["demo", "--colour", "red"], "pliant demo has no --colour; see pliant demo --help"),
        (["materials", "StableNeoHokean"], "did you mean 'StableNeoHookean'?"),
        (["examples", "nope"], "there is no example 'nope'"),
        (["bench", "nope"], "there is no benchmark 'nope'"),
    ],
)
def test_wrong_words_are_one_sentence_and_code_2(capsys, argv, words):
    code, out, err = call(capsys, *argv)
    assert code == 2 and out == ""
    assert err.startswith("pliant: ") and words in err and err.count("\n") == 1


def test_unexpected_faults_and_ctrl_c_have_codes(capsys, monkeypatch):
    def break_down(args):
        raise ZeroDivisionError("oh")

    def stop(args):
        raise KeyboardInterrupt

    def fail(args):
        raise pl.errors.StepError("step 3 failed")

    cases = [(break_down, 1, "ZeroDivisionError: oh"), (stop, 130, "stopped"), (fail, 1, "step 3 failed")]
    for function, code, words in cases:
        monkeypatch.setattr(COMMANDS["doctor"], "run", function)
        assert call(capsys, "doctor")[0] == code
        main(["doctor"])
        err = capsys.readouterr().err
        assert words in err and "Traceback" not in err
    monkeypatch.setenv("PLIANT_DEBUG", "1")
    monkeypatch.setattr(COMMANDS["doctor"], "run", break_down)
    assert "Traceback" in call(capsys, "doctor")[2]


def test_a_closed_pipe_is_no_fault():
    line = f"{sys.executable} -m pliant.cli.main materials | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr and done.stdout.startswith("law")


def test_materials_lists_every_law(capsys):
    from pliant import material

    code, out, _ = call(capsys, "materials")
    assert code == 0 and all(name in out for name in material.__all__)
    assert "0 < young < inf" in out and "kg/m³" in out
    laws = json.loads(call(capsys, "materials", "--json")[1])
    assert [law["name"] for law in laws] == material.__all__
    young = next(p for p in laws[material.__all__.index("StableNeoHookean")]["parameters"] if p["name"] == "young")
    assert young["unit"] == "Pa" and young["lower"] == 0 and young["upper"] is None and young["required"]
    code, out, _ = call(capsys, "materials", "Ogden")
    assert code == 0 and "Ogden" in out and "Corotated" not in out and "ψ" in out


def test_doctor_tries_a_step_and_never_fails_with_a_traceback(capsys, monkeypatch):
    code, out, _ = call(capsys, "doctor", "--json")
    found = json.loads(out)
    assert code == 0 and found["ok"] and found["numpy"] == np.__version__
    assert "works on cpu" in found["a small step"] and "MB" in found["kernel cache"]
    monkeypatch.setenv("PLIANT_THREADS", "none")
    code, out, err = call(capsys, "doctor", "--device", "tpu")
    assert code == 1 and "Traceback" not in out + err
    assert "FAILED: PLIANT_THREADS is 'none'" in out and "FAILED: device is 'tpu'" in out


@pytest.fixture
def ball(tmp_path) -> Path:
    path = tmp_path / "ball.obj"
    pl.write(pl.meshes.sphere(50.0, 2), path)
    return path


def test_mesh_fills_a_surface(capsys, tmp_path, ball):
    code, out, _ = call(capsys, "mesh", ball, tmp_path / "ball.msh", "--scale", "0.001", "--edge", "0.02", "--json")
    found = json.loads(out)
    made = pl.read(tmp_path / "ball.msh")
    assert code == 0 and isinstance(made, pl.TetMesh) and found["cells"] == len(made.tets)
    assert made.volume == pytest.approx(4 / 3 * np.pi * 0.05**3, rel=0.15)


def test_mesh_converts(capsys, tmp_path, ball):
    code, out, _ = call(capsys, "mesh", ball, tmp_path / "ball.ply")
    assert code == 0 and "wrote" in out and "watertight  yes" in out
    assert np.array_equal(pl.read(tmp_path / "ball.ply").triangles, pl.read(ball).triangles)


def test_mesh_makes_ten_nodes(capsys, tmp_path, ball):
    """Bent as the surface is, where tets are made for one; straight where they are read."""
    options = ("--scale", "0.001", "--edge", "0.03")
    code, out, _ = call(capsys, "mesh", ball, tmp_path / "ten.msh", *options, "--quadratic")
    assert code == 0 and "ten nodes" in out
    ten, surface = pl.read(tmp_path / "ten.msh"), pl.read(ball).scaled(0.001)
    call(capsys, "mesh", ball, tmp_path / "four.msh", *options)
    four = pl.read(tmp_path / "four.msh")
    assert ten.middles is not None and np.array_equal(ten.tets, four.tets)
    assert abs(ten.volume / surface.volume - 1) < 0.3 * abs(four.volume / surface.volume - 1)
    assert call(capsys, "mesh", tmp_path / "four.msh", tmp_path / "ten.vtu", "--quadratic")[0] == 0
    assert pl.read(tmp_path / "ten.vtu").volume == pytest.approx(four.volume)
    code, _, err = call(capsys, "mesh", ball, tmp_path / "a.veg", *options, "--quadratic")
    assert code == 2 and "cannot hold middles" in err
    code, _, err = call(capsys, "mesh", ball, tmp_path / "a.msh", "--quadratic")
    assert code == 2 and "expected tets, or --edge to make them" in err


def test_mesh_refuses_what_it_cannot_do(capsys, tmp_path, ball):
    code, _, err = call(capsys, "mesh", ball, tmp_path / "a.ply", "--grading", 2)
    assert code == 2 and "without --edge" in err
    pl.write(pl.PointCloud(np.eye(3)), tmp_path / "cloud.ply")
    code, _, err = call(capsys, "mesh", tmp_path / "cloud.ply", tmp_path / "a.msh", "--edge", 0.1)
    assert code == 2 and "holds a PointCloud; expected a surface" in err
    assert not (tmp_path / "a.msh").exists() and not (tmp_path / "a.ply").exists()


def test_inspect(capsys, ball):
    code, out, _ = call(capsys, "inspect", ball)
    assert code == 0 and "162 vertices" in out and "problems" in out
    assert json.loads(call(capsys, "inspect", ball, "--json")[1])["watertight"] is True


@pytest.fixture
def scan(tmp_path) -> Path:
    """A ball of 12 mm, label 3, beside a small cube, label 1, in millimetre voxels."""
    at = np.stack(np.meshgrid(*[np.arange(30.0)] * 3, indexing="ij"), axis=-1)
    values = (3 * (np.linalg.norm(at - 15.2, axis=-1) <= 12)).astype(np.uint8)
    values[:4, :4, :4] = 1
    pl.write(pl.Volume(values, 0.001), tmp_path / "scan.nrrd")
    return tmp_path / "scan.nrrd"


def test_mesh_fills_a_label_of_a_scan(capsys, tmp_path, scan):
    made = tmp_path / "ball.msh"
    code, out, _ = call(capsys, "mesh", scan, made, "--label", 3, "--edge", 0.002)
    assert code == 0 and "TetMesh" in out
    assert pl.read(made).volume == pytest.approx(4 / 3 * np.pi * 0.012**3, rel=0.03)
    code, out, _ = call(capsys, "mesh", scan, made, "--level", 1.5, "--edge", 0.002, "--smooth", 1, "--scale", 2, "--json")
    assert code == 0 and json.loads(out)["volume"] == pytest.approx(8 * 4 / 3 * np.pi * 0.012**3, rel=0.05)
    code, out, _ = call(capsys, "mesh", scan, tmp_path / "scan.npz")
    assert code == 0 and np.array_equal(pl.read(tmp_path / "scan.npz").values, pl.read(scan).values)


def test_mesh_refuses_what_a_scan_lacks(capsys, tmp_path, scan, ball):
    for argv, words in [
        ([scan, "a.msh", "--label", 7, "--edge", 0.002], "no voxel has the label 7; the labels are 1, 3"),
        ([scan, "a.msh", "--label", 3], "expected a volume and --edge"),
        ([ball, "a.msh", "--level", 3, "--edge", 1], "expected a volume and --edge"),
        ([scan, "a.msh"], "cannot hold voxels; use npz, nrrd"),
        ([scan, "a.msh", "--label", 3, "--level", 1, "--edge", 0.002], "expected one of them"),
    ]:
        code, _, err = call(capsys, "mesh", argv[0], tmp_path / argv[1], *argv[2:])
        assert code == 2 and words in err and not (tmp_path / "a.msh").exists()


def test_inspect_a_scan(capsys, scan):
    code, out, _ = call(capsys, "inspect", scan)
    assert code == 0 and "30 × 30 × 30 voxels of type uint8" in out and "1 × 1 × 1 mm" in out
    assert "1: 0.064 ml" in out and "0 … 3" in out
    found = json.loads(call(capsys, "inspect", scan, "--json")[1])
    assert found["labels"]["3"] == pytest.approx(4 / 3 * np.pi * 0.012**3, rel=0.01) and found["shape"] == [30, 30, 30]


def test_inspect_draws_what_it_read(capsys, tmp_path, scan, ball):
    for file in (scan, ball):
        code, out, _ = call(capsys, "inspect", file, "--picture", tmp_path / f"{file.stem}.png")
        assert code == 0 and out and (tmp_path / f"{file.stem}.png").read_bytes()[:4] == b"\x89PNG"
    across = ("inspect", scan, "--picture", tmp_path / "z.png", "--slice", "z=0.012", "--label", "ball=3")
    assert call(capsys, *across)[0] == 0 and (tmp_path / "z.png").read_bytes()[:4] == b"\x89PNG"
    for options, why in (
        (("inspect", scan, "--slice", "z"), "--slice chooses the plane of --picture"),
        (("inspect", scan, "--slice", "up", "--picture", "a.png"), "expected an axis, x, y or z"),
        (("inspect", scan, "--slice", "z=far", "--picture", "a.png"), "expected an axis, x, y or z"),
        (("inspect", ball, "--slice", "z", "--picture", "a.png"), "--slice is for volumes"),
    ):
        code, _, err = call(capsys, *options)
        assert code == 2 and why in err
    code, _, err = call(capsys, "inspect", scan, "--picture", tmp_path / "a.jpg")
    assert code == 2 and ".png" in err
    (tmp_path / "scene.toml").write_text("")
    code, _, err = call(capsys, "inspect", tmp_path / "scene.toml", "--picture", tmp_path / "a.png")
    assert code == 2 and "use pliant run" in err


def test_bench_runs_modules_by_discovery(capsys, tmp_path, monkeypatch):
    package = tmp_path / "some_benches"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "speed.py").write_text(
        '"""How fast."""\ndef run(size=3, kind="a"):\n    yield f"speed {kind}", size * 1.5, "m/s"\n'
    )
    (package / "helpers.py").write_text('"""Not a benchmark."""\n')
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(bench, "PACKAGE", "some_benches")
    assert bench.benchmark_names() == ["speed"]
    assert call(capsys, "bench")[1].splitlines()[-1].split() == ["speed", "How", "fast."]
    assert call(capsys, "bench", "speed", "--set", "size=4", "--set", "kind=b")[1] == "speed b 6 m/s\n"
    code = (package / "speed.py").read_text()
    (package / "speed.py").write_text(code + '\n\ndef table(rows):\n    return ("m/s",), [(str(r["value"]),) for r in rows]\n')
    monkeypatch.delitem(sys.modules, "some_benches.speed")
    assert call(capsys, "bench", "speed")[1] == "speed a 4.5 m/s\n\nm/s\n4.5\n"
    assert json.loads(call(capsys, "bench", "speed", "--json")[1]) == [{"name": "speed a", "value": 4.5, "unit": "m/s"}]
    assert call(capsys, "bench", "speed", "--set", "sise=4")[0] == 2
    assert "--set size=" in call(capsys, "bench", "speed", "--options")[1]
    assert "expected KEY=VALUE" in call(capsys, "bench", "speed", "--set", "size")[2]
    monkeypatch.setattr(bench, "PACKAGE", "no_such_package")
    assert bench.benchmark_names() == []


def test_examples_run_and_draw(capsys, tmp_path, monkeypatch):
    (tmp_path / "scenes").mkdir()
    (tmp_path / "tiny.py").write_text(
        '"""A tiny example."""\nimport pliant as pl\ndef main():\n'
        "    body = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.StableNeoHookean(young=1e4))\n"
        "    return pl.Simulation(pl.Scene(body)).run(0.05)\n"
        "def draw(run, path):\n    pl.picture(run, path, size=(160, 120))\n"
    )
    (tmp_path / "scenes" / "fall.toml").write_text(
        "# Falls.\n[[bodies]]\nshape = { tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] } }\n"
        "material = { StableNeoHookean = { young = 1e4 } }\n[run]\nseconds = 0.05\n[output]\npage = 'fall.html'\n"
    )
    monkeypatch.setattr(examples, "folder", lambda: tmp_path)
    code, out, _ = call(capsys, "examples")
    assert code == 0 and "A tiny example." in out and "scenes/fall" in out and "Falls." in out
    code, out, _ = call(capsys, "examples", "tiny", "--out", tmp_path / "out", "--json")
    assert code == 0 and json.loads(out)["steps"] == 3
    assert call(capsys, "examples", "scenes/fall", "--out", tmp_path / "out")[0] == 0
    assert {f.name for f in (tmp_path / "out").iterdir()} == {"tiny.png", "tiny.html", "fall.html"}


def test_examples_are_found_in_this_checkout():
    assert "scenes/cantilever" in examples.all_examples()


def test_demo_writes_its_picture_and_page(capsys, tmp_path):
    code, out, _ = call(capsys, "demo", "--out", tmp_path, "--seconds", "0.05", "--json")
    found = json.loads(out)
    assert code == 0 and found["steps"] == 3 and found["worst_residual"] <= 1e-7 and found["bodies"] == 2
    assert found["ms_per_step"] > 0 and found["real_time_factor"] > 0
    assert {f.name for f in tmp_path.iterdir()} == {"demo.png", "demo.html"}
    code, out, _ = call(capsys, "demo", "--out", tmp_path, "--seconds", "0.02")
    assert code == 0 and "time per step" in out and "ms" in out and "real-time factor" in out


def test_exit_codes_of_the_real_program(tmp_path):
    scene = tmp_path / "s.toml"
    scene.write_text("[run]\nseconds = 1\n")
    done = shell("run", scene)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1] == f"pliant: {scene}: bodies: is missing; expected a list"
    assert shell("--version").returncode == 0
