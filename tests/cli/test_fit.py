"""The command that fits: a scene file and scans in, values with intervals, a report and a replay out."""

import argparse
import json
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.cli import fit as command
from pliant.cli.main import main
from pliant.errors import InputError
from pliant.inverse import Camera, photographed, read_clouds
from pliant.view.pages.overlay import overlaid

SCENE = """
[[bodies]]
name = "beam"
shape = { tet_grid = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] } }
material = { StableNeoHookean = { young = %g, poisson = 0.3, density = 1000 } }
pinned = { below = { x = 0.001 } }

[integrator.BDF2]
dt = 0.02
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Five scans at 50 Hz of a beam of 20 kPa, and a scene file that says 30."""
    folder = tmp_path_factory.mktemp("fit")
    (folder / "beam.toml").write_text(SCENE % 3e4)
    law = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000)
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))
    run = pl.Simulation(pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-3)), pl.BDF2(0.02)).run(0.08)
    draw = np.random.default_rng(0)
    for k, x in enumerate(run.positions):
        faces = x[mesh.boundary_vertices][mesh.boundary.triangles]
        weights = draw.dirichlet(np.ones(3), (len(faces), 4))
        points = np.einsum("fsc,fcd->fsd", weights, faces).reshape(-1, 3) + 1e-4 * draw.standard_normal((4 * len(faces), 3))
        pl.write(pl.PointCloud(points), folder / f"scan_{k + 8}.ply")
    return folder


def call(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


def test_values_report_and_replay(folder, capsys, tmp_path):
    scans = list(folder.glob("scan_*.ply"))
    scene = folder / "beam.toml"
    code, out, err = call(capsys, "fit", scene, *scans, "--fps", 50, "--free", "young=5e3:1e5", "--out", tmp_path, "--json")
    assert code == 0, err
    (number,) = json.loads(out)["numbers"]
    (residuals,) = json.loads(out)["residuals"]
    assert isinstance(json.loads(out)["explained"], bool) and residuals["unit"] == "m" and residuals["size"] < 2e-4
    assert number["name"] == "young" and number["interval"][0] < 2e4 < number["interval"][1]
    assert number["value"] == pytest.approx(2e4, rel=0.02)
    assert json.loads((tmp_path / "beam.fit.json").read_text())["numbers"] == [number]
    assert "beam.fit.replay.html" in (tmp_path / "beam.fit.html").read_text(encoding="utf-8")
    assert "data:image/png;base64," in (tmp_path / "beam.fit.html").read_text(encoding="utf-8")
    assert (tmp_path / "beam.fit.replay.html").stat().st_size > 10_000 and not (tmp_path / "beam.fit.npz").exists()


@pytest.fixture(scope="module")
def swinging():
    """Positions of the corners of the beam's end over four steps, and their places at rest."""
    law = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000)
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-3)
    run = pl.Simulation(pl.Scene(body), pl.BDF2(0.02)).run(0.08)
    return run.times, run.positions[:, run.rest[:, 0] > 0.199]


def test_markers_in_a_table(folder, capsys, tmp_path, swinging):
    """In millimetres, one of them hidden in the second frame and another, which is left out, in the first."""
    times, x = swinging
    lines = ["time," + ",".join(f"m{i}.{axis}" for i in range(4) for axis in "xyz")]
    for k, (time, frame) in enumerate(zip(times, 1000 * x)):
        cells = [f"{v:.6f}" for v in frame.ravel()]
        if k < 2:
            cells[3 * k : 3 * k + 3] = ["", "", ""]
        lines.append(f"{time:g}," + ",".join(cells))
    (tmp_path / "tip.csv").write_text("\n".join(lines))
    argv = [
        "fit",
        folder / "beam.toml",
        tmp_path / "tip.csv",
        "--unit",
        0.001,
        "--free",
        "young=5e3:1e5",
        "--out",
        tmp_path,
    ]
    code, out, err = call(capsys, *argv, "--json")
    assert code == 0, err
    (number,) = json.loads(out)["numbers"]
    assert number["value"] == pytest.approx(2e4, rel=1e-3)
    code, _, err = call(capsys, *argv[:3], folder / "scan_8.ply", *argv[3:])
    assert code == 2 and "is a file of markers and there are 2 files; expected it alone" in err


def test_a_late_clock_and_a_prior(folder, capsys, tmp_path, swinging):
    """Markers whose clock is 10 ms late; the density is known to 1 %."""
    times, x = swinging
    lines = ["time," + ",".join(f"m{i}.{axis}" for i in range(4) for axis in "xyz")]
    noisy = x + 1e-5 * np.random.default_rng(0).standard_normal(x.shape)
    lines += [f"{t - 0.01:g}," + ",".join(f"{v:.9f}" for v in frame.ravel()) for t, frame in zip(times, noisy)]
    (tmp_path / "late.csv").write_text("\n".join(lines))
    argv = ["fit", folder / "beam.toml", tmp_path / "late.csv", "--sigma", 1e-5, "--free", "young=5e3:1e5"]
    argv += ["--free", "delay=-0.03:0.03", "--free", "density=500:2000:1000:10", "--out", tmp_path, "--json"]
    code, out, err = call(capsys, *argv)
    assert code == 0, err
    values = {number["name"]: number["value"] for number in json.loads(out)["numbers"]}
    assert values["observation 0.delay"] == pytest.approx(0.01, abs=1e-3)
    assert values["young"] == pytest.approx(2e4, rel=0.05) and values["density"] == pytest.approx(1000, abs=25)


def test_depth_images(folder, capsys, tmp_path):
    """One camera whose numbers are in a file; without them, or with others, there is a sentence."""
    law = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000)
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), law, pinned=lambda X: X[:, 0] < 1e-3)
    run = pl.Simulation(pl.Scene(body), pl.BDF2(0.02)).run(0.08)
    camera = Camera.looking((0.15, -0.5, 0.25), (0.1, 0.05, 0.0), size=(24, 18))
    np.save(tmp_path / "depth.npy", 1000 * photographed(run, camera, 50.0).images)
    numbers = {"size": camera.size, "focal": camera.focal.tolist(), "pose": camera.pose.tolist()}
    (tmp_path / "camera.json").write_text(json.dumps(numbers))
    argv = [
        "fit",
        folder / "beam.toml",
        tmp_path / "depth.npy",
        "--fps",
        50,
        "--free",
        "young=5e3:1e5",
        "--out",
        tmp_path,
    ]
    code, out, err = call(capsys, *argv, "--camera", tmp_path / "camera.json", "--json")
    assert code == 0, err
    assert json.loads(out)["numbers"][0]["value"] == pytest.approx(2e4, rel=0.02)
    (tmp_path / "camera.json").write_text('{"size": [24, 18]}')
    code, _, err = call(capsys, *argv, "--camera", tmp_path / "camera.json")
    assert code == 2 and 'camera.json has size; expected {"size": [width, height]' in err


def test_one_number_for_each_region(capsys, tmp_path):
    """Halves of 20 and 40 kPa, whose scene file says 30 for both; every corner is a marker."""
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))
    half = (mesh.vertices[mesh.tets].mean(axis=1)[:, 0] > 0.1).astype(int)
    pl.write(replace(mesh, regions=half), tmp_path / "halves.vtu")
    given = SCENE.replace("tet_grid = { size = [0.2, 0.1, 0.1], cells = [2, 1, 1] }", 'read = "halves.vtu"')
    (tmp_path / "halves.toml").write_text(given.replace("%g", "[3e4, 3e4]"))
    law = pl.StableNeoHookean(young=np.array([2e4, 4e4])[half], poisson=0.3, density=1000)
    run = pl.Simulation(pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-3)), pl.BDF2(0.02)).run(0.12)
    lines = ["time," + ",".join(f"m{i}.{axis}" for i in range(len(run.rest)) for axis in "xyz")]
    lines += [f"{t:g}," + ",".join(f"{v:.9f}" for v in x.ravel()) for t, x in zip(run.times, run.positions)]
    (tmp_path / "corners.csv").write_text("\n".join(lines))
    code, said, err = call(capsys, "fit", tmp_path / "halves.toml", tmp_path / "corners.csv", "--free", "young=5e3:1e5", "--json")
    assert code == 0, err
    (number,) = json.loads(said)["numbers"]
    assert number["value"] == pytest.approx([2e4, 4e4], rel=1e-4) and np.shape(number["interval"]) == (2, 2)


def test_clouds_in_one_file(folder, capsys, tmp_path, swinging):
    """All frames in an NPZ."""
    _, x = swinging
    np.savez(tmp_path / "scan.npz", points=x)
    scene, out = folder / "beam.toml", tmp_path / "out"
    code, said, err = call(
        capsys, "fit", scene, tmp_path / "scan.npz", "--fps", 50, "--free", "young=5e3:1e5", "--out", out, "--json"
    )
    assert code == 0, err
    assert json.loads(said)["numbers"][0]["value"] == pytest.approx(2e4, rel=1e-2)


@pytest.mark.parametrize(
    "line, says",
    [
        ("--free young=1e5:1e3", "1e5 is not below 1e3; expected the smaller bound first"),
        ("--free young", "expected NAME=LOW:HIGH"),
        ("--free yong=1e3:1e5", "there is no such number (did you mean 'young'?)"),
        ("--free bean:young=1e3:1e5", "there is no body 'bean' (did you mean 'beam'?)"),
        ("--free young=1e2:1e3", "outside of its bounds"),
        ("--free young=1e3:1e5:2e4", "or with a prior NAME=LOW:HIGH:VALUE:DEVIATION"),
        ("--free young=1e3:1e5 --free density=500:2000:1000:20", "expected --sigma METRES too"),
        ("--free young=1e3:1e5 --fps 0", "--fps 0: expected a positive number"),
        ("--free young=1e3:1e5 --unit 1000", "metres"),
        ("--free young=1e3:1e5 --fps 1e-9", "frames end at"),
        ("--free young=1e3:1e5 --start 1.7e9", "take off the time of the first frame"),
        ("", "nothing is to be found; expected such as --free"),
    ],
)
def test_what_cannot_be_fitted_is_one_sentence(folder, capsys, tmp_path, line, says):
    scans = [folder / "scan_8.ply", folder / "scan_9.ply"]
    code, _, err = call(capsys, "fit", folder / "beam.toml", *scans, *line.split(), "--out", tmp_path)
    assert code == 2 and says in err and err.startswith("pliant: ") and err.count("\n") == 1, err


def test_frames_are_those_that_read_clouds_has(folder, tmp_path):
    """In the order of the numbers in their names, however they are given; files of two kinds are refused."""
    args = argparse.Namespace(fps=50.0, unit=None, start=0.5, robust=None, sigma=None, camera=None)
    files = sorted(folder.glob("*.ply"))  # scan_10 before scan_8
    seen, points = command._observed(files, args)
    whole = read_clouds(folder / "*.ply", 50.0, start=0.5)
    assert np.array_equal(seen.times, whole.times) and len(points) == 5
    assert all(np.array_equal(a, b) for a, b in zip(points, whole.points))
    np.savez(tmp_path / "scan_1.npz", points=points[0])
    with pytest.raises(InputError, match=r"files of several kinds, \.npz, \.ply"):
        command._observed([*files, tmp_path / "scan_1.npz"], args)
    with pytest.raises(InputError, match="there is no file"):
        read_clouds([folder / "scan_99.ply"], 50.0)


def test_points_are_drawn_beside_the_bodies():
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), pl.Arap(young=1e4), pinned=[0, 1, 2])
    run = pl.Simulation(pl.Scene(body), pl.BDF2(0.02)).run(0.04)
    points = [np.zeros((3, 3)), np.ones((700, 3))]
    both = overlaid(run, [0.0, 0.04], points)
    skin = both.chapters[0].skins[-1]
    assert skin.name == "observed" and len(skin.triangles) == 8 * 400
    marks = skin.of(both.positions)
    assert np.allclose(marks[0].mean(axis=0), 0) and np.allclose(marks[-1].mean(axis=0), 1)
    assert np.array_equal(both.positions[:, : run.positions.shape[1]], run.positions)
