"""Several labels of a scan from the shell and from scene files: regions of one body, or bodies."""

import json

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.scene_file import read_scene
from pliant.cli.main import main
from pliant.cli.view import from_mesh


def call(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def scan(tmp_path):
    """A block of label 1 with a core of label 2 at its one end, and a small block of label 5 that stands on it."""
    values = np.zeros((24, 14, 20), np.uint8)
    values[2:22, 2:12, 2:10] = 1
    values[12:20, 4:10, 3:9] = 2
    values[4:12, 3:11, 10:17] = 5
    pl.write(pl.Volume(values, 0.005), tmp_path / "scan.nrrd")
    return tmp_path / "scan.nrrd"


def test_regions_of_one_mesh(capsys, tmp_path, scan):
    names = ("--label", "organ=1", "--label", "core=2")
    code, out, _ = call(capsys, "mesh", scan, tmp_path / "organ.vtu", *names, "--edge", 0.012)
    mesh = pl.read(tmp_path / "organ.vtu")
    assert code == 0 and "region 0 is organ (label 1), " in out and "region 1 is core (label 2), " in out
    assert np.bincount(mesh.regions, mesh.volumes)[1] == pytest.approx(8 * 6 * 6 * 0.005**3, rel=0.25)
    code, out, _ = call(capsys, "mesh", scan, tmp_path / "a.msh", "--labels", "1,2", "--edge", 0.012, "--json")
    assert code == 0 and json.loads(out)["regions"] == [
        {"name": "label 1", "label": 1},
        {"name": "label 2", "label": 2},
    ]


def test_inspect_says_what_touches_what(capsys, scan):
    code, out, _ = call(capsys, "inspect", scan, "--label", "core=2", "--labels", "1,5", "--json")
    found = {label["name"]: label for label in json.loads(out)["asked"]}
    assert code == 0 and found["core"]["touches"] == [1] and found["label 1"]["touches"] == [2, 5]
    assert found["label 5"]["size_m"] == pytest.approx([0.04, 0.04, 0.035]) and found["core"]["parts"] == 1
    assert "core" in call(capsys, "inspect", scan, "--label", "core=2")[1]


def test_a_run_of_regions_and_of_bodies(capsys, tmp_path, scan):
    brief = ("--seconds", 0.02, "--spacing", 0.02, "--young", "1e4,1e5", "--out", tmp_path / "a.html", "--json")
    code, out, _ = call(capsys, "run", scan, "--labels", "1,2", *brief)
    found = json.loads(out)
    assert code == 0 and found["young_Pa"] == {"label 1": 1e4, "label 2": 1e5} and found["bodies"] == 1
    code, out, _ = call(capsys, "run", scan, "--label", "organ=1", "--label", "cap=5", "--apart", *brief)
    found = json.loads(out)
    assert code == 0 and found["bodies"] == 2 and "organ (label 1)" in found["found"] and "cap" in found["found"]


def test_the_viewer_divides_or_separates(scan):
    lines = []
    sim = from_mesh(scan, label={"organ": 1, "core": 2}, young=[1e4, 1e5], edge=0.015, up="y", say=lines.append)
    (body,) = sim.scene.bodies
    mesh = body.shape.mesh
    middle = mesh.vertices[mesh.tets[mesh.regions == 1]].mean(axis=(0, 1)) - mesh.bounds.mean(axis=0)
    # y of the file is up, so that its z points backwards; the core lies beyond the middle along x
    assert body.material.young.tolist() == [1e4, 1e5] and 0.01 < middle[0] < 0.03 and abs(middle[1]) < 0.006
    assert lines[-1].startswith("region 0 is organ (label 1), ")
    two = from_mesh(scan, label={"organ": 1, "cap": 5}, young=[1e4, 1e5], edge=0.01, apart=True, say=lines.append)
    assert [b.name for b in two.scene.bodies] == ["organ", "cap"] and two.scene.contact.response is not None
    low = [b.shape.mesh.bounds[0, 2] for b in two.scene.bodies]
    assert low[1] - low[0] == pytest.approx(0.04, abs=0.005)  # each where the scan has it


def test_in_a_scene_file(tmp_path, scan):
    (tmp_path / "scene.toml").write_text(
        '[[bodies]]\nshape = { read = "scan.nrrd", from_labels = { labels = [1, 2], edge = 0.015 } }\n'
        "material = { StableNeoHookean = { young = [1e4, 1e5], density = 1000 } }\n[run]\nseconds = 0.1\n"
    )
    body = read_scene(tmp_path / "scene.toml").scene.bodies[0]
    assert set(body.shape.mesh.regions) == {0, 1}


@pytest.mark.parametrize(
    "command, options, words",
    [
        ("run", ["--labels", "1,7"], "no voxel has the label 7; the labels are 1, 2, 5"),
        ("view", ["--label", "organ=1", "--label", "rib=8", "--no-open"], "no voxel has the label 8; the labels are 1, 2, 5"),
        ("inspect", ["--labels", "1,x"], "--label x: expected a whole number or a name and one"),
        ("run", ["--labels", "1,1"], "expected each once"), ("run", ["--labels", "1", "--apart"], "expected several"),
        ("run", ["--labels", "1,2", "--young", "1e4,1e5,1e6"], "--young has 3 numbers for 2 labels"),
        ("run", ["--labels", "1,2", "--level", 1], "given together"),
    ],
)  # fmt: skip
def test_what_cannot_be_used(capsys, scan, command, options, words):
    code, _, err = call(capsys, command, scan, *options)
    assert code == 2 and words in err and err.count("\n") == 1
