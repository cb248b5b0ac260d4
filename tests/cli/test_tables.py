"""Functions of time as tables: in Python, in scene files and in checkpoints."""

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.scene_file import SceneError, read_scene
from pliant.errors import InputError

SCENE = """precision = "f64"
gravity = [0.0, 0.0, 0.0]

[[obstacles]]
[obstacles.Obstacle]
shape = { sphere = 0.02 }
name = "ball"
motion = { Keyframes = { times = [0.0, 0.1], offsets = [[0, 0, 1], [0, 0, 0.9]] } }

[[bodies]]
name = "bar"
shape = { tet_grid = { size = [0.2, 0.05, 0.05], cells = [4, 1, 1] } }
material = { StableNeoHookean = { young = 1e5, poisson = 0.3 } }
pinned = { below = { x = 1e-6 } }

[[bodies.effects]]
[bodies.effects.Hold]
where = { above = { x = 0.1999 } }
motion = { Keyframes = { times = [0.0, 0.2], turns = [0.0, 30.0], axis = [1, 0, 0], about = [0, 0.025, 0.025] } }
name = "grip"

[[bodies.effects]]
[bodies.effects.Load]
force = [0, 0, 1]
where = { above = { x = 0.1 } }
course = { Table = { times = [0.0, 0.1], values = [0.0, 3.0] } }

[run]
seconds = 0.1
"""


def test_tables_change_evenly_and_stay_at_their_ends():
    ramp = pl.schedule.Table([1.0, 2.0, 4.0], [0.0, 10.0, 0.0])
    assert [ramp(t) for t in (0.0, 1.5, 2.0, 3.0, 9.0)] == [0.0, 5.0, 10.0, 5.0, 0.0]
    path = pl.schedule.Keyframes([0.0, 2.0], offsets=[[0, 0, 0], [0, 0, 4.0]], turns=[0.0, 180.0], about=(1.0, 0, 0))
    points = np.array([[0.0, 0, 0], [1.0, 0, 5.0]])
    assert path(points, 0.0) == pytest.approx(points)
    assert path(points, 2.0) == pytest.approx(np.array([[2.0, 0, 4.0], [1.0, 0, 9.0]]))
    assert path(points, 1.0) == pytest.approx(np.array([[1.0, -1.0, 2.0], [1.0, 0, 7.0]]))
    pose = path(1.0)
    assert points @ pose[:3, :3].T + pose[:3, 3] == pytest.approx(path(points, 1.0))
    for wrong in ({"times": []}, {"times": [1.0, 1.0]}, {"values": [1.0]}, {"values": [0.0, np.nan]}):
        with pytest.raises(InputError):
            pl.schedule.Table(**{"times": [0.0, 1.0], "values": [0.0, 1.0]} | wrong)
    with pytest.raises(InputError, match="nothing moves"):
        pl.schedule.Keyframes([0.0, 1.0])


def test_a_scene_file_moves_holds_and_obstacles_and_a_checkpoint_keeps_it(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text(SCENE)
    sim = read_scene(file).simulation()
    for _ in range(6):
        assert sim.step().kept
    grip = sim.world.rest[:, 0] > 0.1999
    turned = pl.schedule.Keyframes([0.0, 0.2], turns=[0.0, 30.0], axis=(1, 0, 0), about=(0, 0.025, 0.025))
    assert sim.state.x.numpy()[grip] == pytest.approx(turned(sim.world.rest[grip], sim.t), abs=1e-12)
    assert sim.scene.obstacles[0].pose(sim.t)[2, 3] == pytest.approx(max(1 - sim.t, 0.9))
    assert sim.scene.bodies[0].of(pl.Load)[0].course(0.05) == 1.5
    sim.save(tmp_path / "kept.npz")
    again = pl.Simulation.load(tmp_path / "kept.npz")
    for one in (sim, again):
        assert one.step().kept
    assert np.array_equal(again.state.x.numpy(), sim.state.x.numpy())


def test_what_is_no_table_is_said(tmp_path):
    file = tmp_path / "scene.toml"
    file.write_text(SCENE.replace("values = [0.0, 3.0]", "values = [0.0]"))
    with pytest.raises(SceneError, match="2 numbers, one for each time"):
        read_scene(file)
    file.write_text(SCENE.replace("course = { Table = { times = [0.0, 0.1], values = [0.0, 3.0] } }", "course = 3.0"))
    with pytest.raises(SceneError, match="expected Table or Keyframes"):
        read_scene(file)
