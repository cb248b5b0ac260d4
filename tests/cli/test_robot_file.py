"""Robots and MuJoCo's models in the shell: inspected, run and viewed as scene files are."""

import json
import re

import pytest

import pliant as pl
from pliant.cli.inputs.scene_file import is_scene, read_scene
from pliant.cli.main import main
from pliant.cli.view import of_robot

ARM = """<robot name="arm"><link name="base"><visual><geometry><box size="0.4 0.4 0.1"/></geometry></visual></link>
<link name="arm"><visual><origin xyz="0 0 0.1"/><geometry><cylinder radius="0.02" length="0.2"/></geometry></visual></link>
<joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""
BALL = """<mujoco><option timestep="0.01"/><worldbody><geom type="plane" size="1 1 1"/>
<body name="ball" pos="0 0 0.2"><freejoint/><geom size="0.1" rgba="1 0 0 1"/></body></worldbody></mujoco>"""


def call(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def files(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    (tmp_path / "ball.xml").write_text(BALL)
    (tmp_path / "other.xml").write_text("<dolfin/>")
    return tmp_path


def test_descriptions_are_told_from_other_xml(files):
    assert is_scene(files / "arm.urdf") and is_scene(files / "ball.xml") and is_scene("a.toml")
    assert not is_scene(files / "other.xml") and not is_scene("none.xml") and not is_scene("a.stl")


def test_inspect_says_what_is_there_and_what_is_not(files, capsys):
    code, out, _ = call(capsys, "inspect", files / "ball.xml")
    assert code == 0 and re.search(r"ball +1 rigid +4 +Arap +4.189 kg", out) and "obstacles: 1; run: 1 s" in out
    assert "not taken over: 1 look of a geom" in out
    code, out, _ = call(capsys, "inspect", files / "ball.xml", "--json")
    assert code == 0 and json.loads(out)["not_taken_over"] == ["1 look of a geom"]


def test_a_robot_that_nothing_moves_gets_a_ball(files, capsys):
    code, out, _ = call(capsys, "inspect", files / "arm.urdf")
    assert code == 0 and "a soft ball falls on it" in out and "not taken over: 1 joint without a value (held at 0)" in out
    read = read_scene(files / "arm.urdf", joints={"elbow": 1.5707963267948966})
    assert read.scene.names == ("ball",) and len(read.scene.obstacles) == 2 and not read.left_out
    assert read.scene.obstacles[1].shape([[0.1, 0, 0]])[0] == pytest.approx(-0.02)  # lies along x now
    ball = read.scene.bodies[0].shape.rest
    assert 0.05 < ball[:, 2].min() < 0.2


def test_run_falls_as_the_file_says_and_writes_what_shapes_write(files, capsys):
    code, out, err = call(capsys, "run", files / "ball.xml", "--out", files / "out", "--seconds", "0.05", "--json")
    numbers = json.loads(out)
    assert code == 0 and {f.rpartition("/")[2] for f in numbers["files"]} == {"ball.png", "ball.html"}
    assert "pliant: ball.xml: 1 body and 1 obstacle; not taken over: 1 look of a geom" in err
    assert numbers["steps"] == 5


def test_view_takes_longer_steps_and_notes_what_was_left_out(files, capsys):
    maker = of_robot(files / "arm.urdf", "arm.urdf", None, {"elbow": 0.3})
    sim = maker()
    assert isinstance(sim, pl.Simulation) and maker.notes[0].startswith("arm.urdf: 0 bodies and 2 obstacles")
    assert maker.python.endswith("read_scene('arm.urdf', device=None, joints={'elbow': 0.3}, live=True).simulation()")
    assert "soft ball" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command, sentence",
    [
        (("run", "arm.urdf", "--joint", "elbow"), "expected a name and a number"),
        (("run", "arm.urdf", "--joint", "knee=1"), "there is no joint 'knee'"),
        (("run", "arm.urdf", "--young", "1e4"), "--young is for shapes"),
        (("run", "other.stl", "--joint", "a=1"), "--joint is for robots"),
        (("view", "arm.urdf", "--hang"), "--hang is for a mesh file"),
        (("view", "demo", "--joint", "a=1"), "--joint is for robots"),
        (("inspect", "arm.urdf", "--picture", "a.png"), "--picture draws meshes and volumes"),
    ],
)
def test_faults_are_told(files, capsys, monkeypatch, command, sentence):
    monkeypatch.chdir(files)
    (files / "other.stl").write_text("solid")
    code, _, err = call(capsys, *command)
    assert code == 2 and sentence in err and err.count("\n") == 1
