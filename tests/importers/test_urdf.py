"""Robots in URDF: where links are, what becomes of them, and faults in sentences."""

import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl

ARM = """<?xml version="1.0"?>
<robot name="arm">
 <link name="base"><collision><geometry><cylinder radius="0.1" length="0.2"/></geometry></collision></link>
 <link name="upper">
  <inertial><origin xyz="0 0 0.1" rpy="0.1 0.2 0.3"/><mass value="2"/>
   <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="package://stuff/far/box.obj"/></geometry></visual>
  <visual><origin xyz="0 0 0.15"/><geometry><box size="0.06 0.06 0.3"/></geometry></visual>
  <collision><origin xyz="0 0 0.15"/><geometry>
   <mesh filename="package://stuff/far/box.obj" scale="0.1 0.1 -0.3"/></geometry></collision>
 </link>
 <link name="hand"><visual><origin xyz="0.1 0 0"/><geometry><sphere radius="0.05"/></geometry></visual></link>
 <link name="finger"><collision><geometry><capsule radius="0.01" length="0.1"/></geometry></collision></link>
 <joint name="shoulder" type="revolute">
  <parent link="base"/><child link="upper"/><origin xyz="0 0 0.1" rpy="0.3 -0.2 0.5"/><axis xyz="0 1 0"/>
  <limit lower="-2" upper="2" effort="1" velocity="1"/>
 </joint>
 <joint name="slide" type="prismatic"><parent link="upper"/><child link="hand"/><origin xyz="0 0 0.3"/><axis xyz="0 0 2"/></joint>
 <joint name="spin" type="continuous"><parent link="hand"/><child link="finger"/>
  <mimic joint="shoulder" multiplier="2" offset="0.1"/></joint>
 <transmission name="t"/><gazebo/><gazebo/>
</robot>"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "stuff" / "far").mkdir(parents=True)
    (tmp_path / "stuff" / "urdf").mkdir()
    pl.write(pl.meshes.box((1, 1, 1)), tmp_path / "stuff" / "far" / "box.obj")
    (tmp_path / "stuff" / "urdf" / "arm.urdf").write_text(ARM)
    return tmp_path / "stuff" / "urdf" / "arm.urdf"


def test_links_are_where_their_joints_put_them(arm):
    found = pl.scenes.read(arm, {"shoulder": 0.7, "slide": 0.2})
    turn = Rotation.from_euler("ZYX", [0.5, -0.2, 0.3]) * Rotation.from_rotvec([0, 0.7, 0])
    upper = found.poses["upper"]
    assert np.allclose(upper[:3, :3], turn.as_matrix()) and np.allclose(upper[:3, 3], [0, 0, 0.1])
    assert np.allclose(found.poses["hand"][:3, 3], np.array([0, 0, 0.1]) + turn.apply([0, 0, 0.5]))
    spun = turn * Rotation.from_rotvec([2 * 0.7 + 0.1, 0, 0])
    assert np.allclose(found.poses["finger"][:3, :3], spun.as_matrix())  # follows the shoulder
    solids = {o.name: o.shape for o in found.obstacles}
    assert list(solids) == ["base", "upper", "hand", "finger"] and not found.bodies
    assert solids["hand"](found.poses["hand"][:3, 3] + turn.apply([[0.1, 0, 0]]))[0] == pytest.approx(-0.05)
    middle = upper[:3, 3] + turn.apply([[0, 0, 0.15], [0.05, 0, 0.15], [0, 0, 0.31]])
    assert np.allclose(solids["upper"](middle), [-0.05, 0, 0.01], rtol=0, atol=3e-3)  # the mesh, scaled and mirrored
    assert found.left_out == (
        "1 transmission", "2 gazebos", "1 limit of a joint", "2 shapes for looks (those for collision are taken)",
        "1 mass of a link that is held",
    )  # fmt: skip


def test_a_free_robot_is_one_rigid_body(arm):
    found = pl.scenes.read(arm, free=True)
    (body,) = found.bodies
    assert body.name == "base" and not found.obstacles
    assert "3 joints of a free body (held at its value)" in found.left_out
    assert body.shape.lumped(body.densities).sum() == pytest.approx(2.0)
    turn = Rotation.from_euler("ZYX", [0.5, -0.2, 0.3])
    assert np.allclose(body.shape.centre, np.array([0, 0, 0.1]) + turn.apply([0, 0, 0.1]))
    own = (turn * Rotation.from_euler("ZYX", [0.3, 0.2, 0.1])).as_matrix()
    tensor = own @ np.array([[0.02, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.04]]) @ own.T
    assert np.allclose(body.shape.inertia, tensor, rtol=1e-9, atol=1e-12)


def test_a_single_link_with_a_mass_falls_and_a_floating_one_too(tmp_path):
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    ball = f'<link name="ball">{mass}<collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
    (tmp_path / "ball.urdf").write_text(f"<robot>{ball}</robot>")
    assert [b.name for b in pl.scenes.read(tmp_path / "ball.urdf").bodies] == ["ball"]
    assert not pl.scenes.read(tmp_path / "ball.urdf", free=False).bodies
    joint = '<joint name="j" type="floating"><parent link="world"/><child link="ball"/></joint>'
    (tmp_path / "ball.urdf").write_text(f'<robot><link name="world"/>{ball}{joint}</robot>')
    found = pl.scenes.read(tmp_path / "ball.urdf")
    scene = found.scene(obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.1))
    assert [b.name for b in scene.bodies] == ["ball"] and scene.contact.friction == 0.1 and "1 body" in repr(found)


LINKS = '<link name="a"/><link name="b"/>'
JOINT = '<joint name="j" type="{}"><parent link="{}"/><child link="{}"/></joint>'
BALL = '<collision><geometry><sphere radius="{}"/></geometry></collision>'
FAULTS = {
    "hang in a circle": LINKS + JOINT.format("fixed", "a", "b") + JOINT.format("fixed", "b", "a").replace('"j"', '"k"'),
    "have 2 beginnings": LINKS,
    "hangs on two joints": LINKS + JOINT.format("fixed", "a", "b") + JOINT.format("fixed", "a", "b").replace('"j"', '"k"'),
    "two joints called 'j'": LINKS + JOINT.format("fixed", "a", "b") * 2,
    "two links called 'a'": '<link name="a"/>' * 2,
    "expected a link of the file": LINKS + JOINT.format("fixed", "a", "c"),
    "did you mean 'revolute'": LINKS + JOINT.format("revolut", "a", "b"),
    "has no link": "",
    "expected 1 positive": f'<link name="a">{BALL.format("-1")}</link>',
    "expected 1 number": f'<link name="a">{BALL.format("big")}</link>',
    "without geometry": '<link name="a"><collision/></link>',
    "has the shape 'cone'": '<link name="a"><visual><geometry><cone/></geometry></visual></link>',
    "packages={'none': FOLDER}": '<link name="a"><visual><geometry><mesh filename="package://none/a.stl"/></geometry></visual></link>',
    "not on this machine": '<link name="a"><visual><geometry><mesh filename="http://a/b.stl"/></geometry></visual></link>',
    "link 'a': Inertia": f'<link name="a"><inertial><mass value="1"/><inertia ixx="0"/></inertial>{BALL.format("1")}</link>',
    "a mass of -1 kg": '<link name="a"><inertial><mass value="-1"/></inertial></link>',
    "xacro": '<xacro:macro xmlns:xacro="http://ros.org/wiki/xacro" name="m"/>',
}  # fmt: skip


@pytest.mark.parametrize("backwards", [False, True])
def test_a_long_chain_of_links_is_read(tmp_path, backwards):
    """2,000 links were a RecursionError, 900 took six seconds."""
    n, origin = 2000, '<origin xyz="0 0 0.01" rpy="0 0 0.1"/>'
    joints = [JOINT.format("revolute", f"l{i}", f"l{i + 1}").replace('"j"', f'"j{i}"') for i in range(n - 1)]
    joints = [joint.replace("<parent", f"{origin}<parent") for joint in joints[:: -1 if backwards else 1]]
    last = f'<link name="l{n - 1}">{BALL.format("0.1")}</link>'
    links = "".join(f'<link name="l{i}"/>' for i in range(n - 1))
    (tmp_path / "chain.urdf").write_text(f"<robot>{links}{last}{''.join(joints)}</robot>")
    start = time.process_time()
    found = pl.scenes.read(tmp_path / "chain.urdf", {"j5": pl.schedule.Table([0, 1], [0, 1])})
    assert time.process_time() - start < 15
    assert np.allclose(found.poses[f"l{n - 1}"][:3, 3], (0, 0, 0.01 * (n - 1)))
    assert np.allclose(found.poses[f"l{n - 1}"][:2, 0], (np.cos(0.1 * (n - 1)), np.sin(0.1 * (n - 1))))
    turned = found.obstacles[0].motion(1.0)  # about x, 1 rad, at the sixth joint
    assert turned[2, 3] == pytest.approx(0.06 + 0.01 * (n - 7) * np.cos(1.0))


@pytest.mark.parametrize("name", ["package://stuff/..%2f..%2fb.stl", "package://../b.stl", "package://stuff//etc/b.stl"])
def test_a_package_is_not_left(tmp_path, name):
    (tmp_path / "stuff").mkdir()
    pl.write(pl.meshes.sphere(1.0, 1), tmp_path / "b.stl")
    mesh = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    (tmp_path / "stuff" / "robot.urdf").write_text(f'<robot><link name="a">{mesh}</link></robot>')
    with pytest.raises(pl.errors.InputError, match="leads out of its package"):
        pl.scenes.read(tmp_path / "stuff" / "robot.urdf")


@pytest.mark.parametrize("sentence", FAULTS)
def test_faults_are_told_in_a_sentence(tmp_path, sentence):
    (tmp_path / "robot.urdf").write_text(f"<robot>{FAULTS[sentence]}</robot>")
    with pytest.raises(pl.errors.InputError) as caught:
        pl.scenes.read(tmp_path / "robot.urdf")
    assert sentence in str(caught.value) and str(caught.value).startswith(str(tmp_path / "robot.urdf"))


def test_packages_and_endings(arm, tmp_path):
    with pytest.raises(pl.errors.InputError, match=r"expected \.urdf, \.mjcf, \.xml"):
        pl.scenes.read(tmp_path / "robot.sdf")
    moved = tmp_path / "elsewhere.xml"
    moved.write_text(ARM.replace("package://stuff/", "package://other/"))
    with pytest.raises(pl.errors.InputError, match="packages="):
        pl.scenes.read(moved)
    assert len(pl.scenes.read(moved, packages={"other": tmp_path / "stuff"}).obstacles) == 4
    with pytest.raises(pl.errors.InputError, match="names and folders"):
        pl.scenes.read(moved, packages=["stuff"])
