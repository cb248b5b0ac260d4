"""Real Blender, headless, imports what we export: the vertices of a middle frame are ours. Slow; only where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.output.formats.merged_mesh import Merged
from pliant.output.raster.frame_shapes import posed

BLENDER = shutil.which("blender")
FRAME = 7
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BLENDER is None, reason="blender is not installed; apt-get install blender python3-numpy"),
]


@pytest.fixture(scope="module")
def found(run, tmp_path_factory) -> dict:
    """File → object → its vertices in the world, and its faces, as Blender has them in the middle frame."""
    folder = tmp_path_factory.mktemp("blender")
    for name in ("cache.pc2", "cache.mdd", "run.glb", "run.usdc"):
        pl.export(run, folder / name)
    for name in ("one.ply", "one.obj"):
        pl.export(run, folder / name, frames=FRAME)
    beam = pl.TriMesh(run.skins[0].of(run.positions[FRAME]), run.skins[0].triangles)
    for name in ("beam.stl", "beam.glb"):
        pl.write(beam, folder / name)
    fps = 1 / (run.times[1] - run.times[0])
    script = Path(__file__).with_name("blender_script.py")
    command = [BLENDER, "-b", "--factory-startup", "--python-exit-code", "3", "--python", str(script), "--"]
    done = subprocess.run([*command, str(folder), str(FRAME), str(fps)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return json.loads((folder / "found.json").read_text())["files"]


@pytest.mark.parametrize("name", ["cache.pc2", "cache.mdd", "one.ply"])
def test_all_bodies_as_one_object(run, found, name):
    (thing,) = (k for k in found[name] if not k.endswith("faces"))
    merged = Merged(run)
    np.testing.assert_allclose(found[name][thing], merged.places(FRAME), atol=1e-6)
    np.testing.assert_array_equal(found[name][thing + " faces"], np.concatenate(merged.triangles))


@pytest.mark.parametrize("name", ["run.glb", "run.usdc", "one.obj"])
def test_each_body_and_obstacle_is_an_object(run, found, name):
    if name not in found:
        pytest.skip("this Blender is built without USD")
    for skin in run.skins[:2]:
        np.testing.assert_allclose(found[name][skin.name], skin.of(run.positions[FRAME]), atol=2e-6)
        np.testing.assert_array_equal(found[name][skin.name + " faces"], skin.triangles)
    if name != "one.obj":
        ball = run.props[1]
        np.testing.assert_allclose(found[name]["ball"], posed(ball, FRAME), atol=2e-6)


@pytest.mark.parametrize("name", ["beam.stl", "beam.glb"])
def test_meshes(run, found, name):
    (thing,) = (k for k in found[name] if not k.endswith("faces"))
    skin = run.skins[0]
    places, want = np.array(found[name][thing]), skin.of(run.positions[FRAME])
    np.testing.assert_allclose(places[np.array(found[name][thing + " faces"])], want[skin.triangles], atol=1e-6)
