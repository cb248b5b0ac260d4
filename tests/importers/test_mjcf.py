"""MuJoCo's models: where everything is, what it weighs, what becomes of it, and what is said of the rest."""

import time

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.importers import mjcf, omissions

MODEL = """<mujoco>
<compiler angle="degree" eulerseq="xYz"/>
<option gravity="0 1 -9" timestep="0.004"/>
<default>
  <geom density="500"/>
  <default class="arm">
    <geom type="capsule" size="0.02 0.1" euler="10 20 30"/><joint type="hinge" axis="0 1 0"/>
  </default>
</default>
<asset>
  <mesh name="wedge" vertex="0 0 0  0.3 0 0  0 0.2 0  0 0 0.1 0.1 0.1 0.2" scale="1 2 1" refpos="0.1 0 0" refquat="1 0.2 0 0"/>
</asset>
<worldbody>
 <geom type="plane" size="1 1 .1" pos="0 0 -1" zaxis="0 0.1 1"/>
 <frame pos="0.1 0.2 0.3" axisangle="1 1 0 33">
  <body name="a" pos="1 0 0" euler="10 20 30" childclass="arm">
   <geom name="a1"/><geom name="a2" class="arm" type="box" size="0.1 0.2 0.3" quat="1 2 3 4" pos="0.1 0 0"/>
   <body name="b" pos="0 0 0.5" xyaxes="1 1 0 0 1 1">
    <joint name="j1" pos="0 0.1 0.1" ref="15"/><joint name="j2" type="slide" axis="1 2 3"/>
    <geom name="b1" type="cylinder" fromto="0 0 0 0.3 0.1 -0.2" size="0.05"/>
    <geom name="b2" type="ellipsoid" size="0.1 0.2 0.3" pos="1 1 1"/>
    <frame euler="0 0 45"><geom name="b3" type="box" fromto="0 0 0 0 -0.1 0.2" size="0.05"/></frame>
    <body name="c" pos="0 0.2 0">
     <joint name="j3" axis="0 0 1"/><geom name="c1" type="mesh" mesh="wedge" pos="0.1 0.1 0.1" euler="40 0 0"/>
    </body>
   </body>
  </body>
 </frame>
 <body name="f" pos="0 0 3" euler="30 0 0">
  <freejoint/>
  <geom name="f1" type="box" size="0.1 0.2 0.3" pos="0.1 0 0"/>
  <geom name="f2" type="capsule" fromto="0 0 0 0.5 0.5 0" size="0.04" mass="0.3"/>
  <body name="g" pos="0 0 0.4" euler="0 50 0">
   <geom name="g1" type="sphere" size="0.1"/><geom name="g2" type="ellipsoid" size="0.1 0.2 0.05" pos="0.3 0 0"/>
   <geom name="g3" type="cylinder" size="0.1 0.2" pos="0 0.4 0"/>
  </body>
 </body>
</worldbody>
<actuator><motor joint="j1"/><motor joint="j2"/></actuator><sensor><jointpos joint="j1"/></sensor>
</mujoco>"""
VALUES = {"j1": 0.4, "j2": -0.2, "j3": 1.1}
# of MuJoCo 4.0.1 after mj_forward: positions, and quaternions of bodies, or some of the matrices of geoms
BODIES = {
    "a": ([1.019335283973, 0.280664716027, -0.085117954958], [0.857625992643, 0.361578361831, 0.281952624085, 0.232897966435]),
    "b": ([1.157917680133, 0.045082298769, 0.122440425722], [0.395601917066, 0.684606737461, 0.386475694646, 0.474814991007]),
    "c": ([1.188616137623, -0.032571965496, 0.304174902224], [0.089080603368, 0.785649941536, -0.028355191646, 0.611567493066]),
    "f": ([0.0, 0.0, 3.0], [0.965925826289, 0.258819045103, 0.0, 0.0]),
    "g": ([0.0, -0.2, 3.346410161514], [0.875426098066, 0.23456971601, 0.408217893677, 0.109381654947]),
}  # fmt: skip
GEOMS = {
    "a1": ([1.019335283973, 0.280664716027, -0.085117954958], [0.381637347482, -0.269654044401, 0.884103857782, 0.132196699493]),
    "a2": ([1.092587534973, 0.341002179543, -0.116637761744], [-0.401389672769, 0.771436015814, 0.493733535522, -0.585837708549]),
    "b1": ([1.107558059516, 0.178860665096, 0.24313531921], [0.890479399676, 0.3668605795, 0.269183494966, -0.543231806629]),
    "b2": ([2.517688626294, 0.386999579074, 1.139355145551], [0.081622666809, 0.324701360223, 0.942288048811, -0.764290583142]),
    "b3": ([1.256933397956, 0.0733353432, 0.078878365346], [0.285576960738, -0.366219619087, -0.885623503579, 0.895945311327]),
}  # fmt: skip
MASS, CENTRE = 34.771975511965984, [0.082792976933, 0.011151969186, 3.129555495378]
INERTIA = [
    [2.972156977575, 0.059999014744, 0.27279554315],
    [0.059999014744, 2.51083773111, -0.112894800475],
    [0.27279554315, -0.112894800475, 0.956854819852],
]


def written(folder, text, name="model.xml"):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def whole(inside, more=""):
    return f"<mujoco>{more}<worldbody>{inside}</worldbody></mujoco>"


def test_everything_is_where_mujoco_has_it(tmp_path):
    """Nested bodies and frames, five ways to turn, defaults, hinges and slides about any axis."""
    file = written(tmp_path, MODEL)
    model = mjcf._Model(file, omissions.parsed(file))
    found = model.contents(VALUES)
    for name, (place, wxyz) in BODIES.items():
        assert np.allclose(found.poses[name][:3, 3], place, rtol=0, atol=1e-9), name
        turn = Rotation.from_quat(np.roll(wxyz, -1)).as_matrix()
        assert np.allclose(found.poses[name][:3, :3], turn, rtol=0, atol=1e-9), name
    forms = {form.name: found.poses[link.name] @ form.pose for link in model.links for form in link.forms}
    for name, (place, turn) in GEOMS.items():
        assert np.allclose(forms[name][:3, 3], place, rtol=0, atol=1e-9), name
        assert np.allclose(forms[name][:3, :3].ravel()[[0, 1, 2, 4]], turn, rtol=0, atol=1e-9), name
    assert found.gravity == (0, 1, -9) and found.dt == 0.004
    assert [o.name for o in found.obstacles] == ["plane", "a", "b", "c"]
    assert found.left_out == ("2 actuators", "1 sensor") and "not taken over: 2 actuators" in found.summary


def test_a_free_body_weighs_and_turns_as_in_mujoco(tmp_path):
    (body,) = pl.scenes.read(written(tmp_path, MODEL), VALUES).bodies
    assert body.name == "f" and body.shape.lumped(body.densities).sum() == pytest.approx(MASS, rel=1e-12)
    assert np.allclose(body.shape.centre, CENTRE, rtol=0, atol=1e-9)
    assert np.allclose(body.shape.inertia, INERTIA, rtol=0, atol=1e-9)
    X, mass = body.shape.rest, body.shape.lumped(body.densities)
    r = X - np.asarray(CENTRE)
    nodes = np.einsum("n,ni,nj->ij", mass, r, r)
    assert np.allclose(np.trace(nodes) * np.eye(3) - nodes, INERTIA, rtol=0, atol=1e-8)  # of the four nodes themselves


@pytest.mark.slow
def test_poses_beside_mujoco_itself(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    file = written(tmp_path, MODEL)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    for name, value in VALUES.items():
        data.qpos[model.joint(name).qposadr[0]] = value
    mujoco.mj_forward(model, data)
    found = pl.scenes.read(file, VALUES)
    for name in BODIES:
        assert np.allclose(found.poses[name][:3, 3], data.body(name).xpos, rtol=0, atol=1e-9)
        assert np.allclose(found.poses[name][:3, :3].ravel(), data.body(name).xmat, rtol=0, atol=1e-9)


def test_a_joint_with_a_course_moves_what_hangs_on_it(tmp_path):
    file = written(tmp_path, whole(
        '<body name="post"><geom type="box" size="0.1 0.1 0.1"/><body name="arm" pos="0 0 1">'
        '<joint name="turn" axis="0 0 1"/><geom type="sphere" size="0.1" pos="1 0 0"/></body></body>'
    ))  # fmt: skip
    post, arm = pl.scenes.read(file, {"turn": pl.schedule.Table([0, 1], [0, np.pi / 2])}).obstacles
    assert post.motion is None and post.shape([[0, 0, 0]])[0] == pytest.approx(-0.1)
    assert np.allclose(arm.pose(0.0) @ [1, 0, 0, 1], [1, 0, 1, 1]) and np.allclose(arm.pose(1.0) @ [1, 0, 0, 1], [0, 1, 1, 1])
    assert arm.shape([[1, 0, 0]])[0] == pytest.approx(-0.1)  # the shape stays in the axes of its link


def test_files_are_included_and_meshes_found(tmp_path):
    (tmp_path / "parts").mkdir()
    pl.write(pl.meshes.box((2, 2, 2)), tmp_path / "parts" / "block.obj")
    written(
        tmp_path,
        '<mujocoinclude><body name="in" pos="0 0 5"><freejoint/><geom type="mesh" mesh="block"/></body></mujocoinclude>',
        "in.xml",
    )
    head = '<compiler meshdir="parts"/><asset><mesh file="block.obj" scale="0.1 0.1 -0.2"/></asset>'
    (body,) = pl.scenes.read(written(tmp_path, whole('<include file="in.xml"/>', head))).bodies
    assert body.name == "in" and np.allclose(np.ptp(body.shape.mesh.vertices, axis=0), [0.2, 0.2, 0.4])
    assert body.shape.lumped(body.densities).sum() == pytest.approx(1000 * 0.2 * 0.2 * 0.4)


def test_what_does_not_map_is_listed(tmp_path):
    inside = (
        '<light pos="0 0 1"/><geom type="plane" size="1 1 1" condim="1" rgba="1 0 0 1"/><geom type="hfield" hfield="h"/>'
        '<body name="a"><joint type="ball"/><geom size="0.1" contype="0" conaffinity="0"/><geom size="0.2" friction="0.3"/>'
        "<site/><site/></body>"
    )
    more = (
        '<compiler settotalmass="3"/><option integrator="RK4"><flag gravity="disable"/></option><asset>'
        '<hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset><tendon><spatial/></tendon>'
        '<equality><weld body1="a"/></equality><contact><exclude body1="a" '
        'body2="b"/></contact><keyframe><key qpos="1"/></keyframe><visual/>'
    )
    found = pl.scenes.read(written(tmp_path, whole(inside, more)))
    assert found.gravity == (0, 0, 0) and found.friction == 1.0 and not found.bodies
    for line in (
        "1 compiler settotalmass", "1 integrator of an option", "2 height fields", "1 tendon", "1 weld equality",
        "1 contact exclusion", "1 keyframe", "1 visual section", "1 light", "1 look of a geom", "1 condim of a geom", "2 sites",
        "1 ball joint (held as it is)", "1 geom that touches nothing", "frictions that differ (all have the largest, 1)",
    ):  # fmt: skip
        assert line in found.left_out, line
    with pytest.raises(pl.errors.InputError, match="nothing that moves by itself"):
        found.scene()


FAULTS = {
    "no mesh 'hed' (did you mean 'head'?)": whole(
        '<geom type="mesh" mesh="hed"/>', '<asset><mesh name="head" file="x.stl"/></asset>'
    ),
    "there is no mesh file": whole('<geom type="mesh" mesh="x"/>', '<asset><mesh file="x.stl"/></asset>'),
    "two bodies are called 'a'": whole('<body name="a"/><body name="a"/>'),
    "has the class 'big'": whole('<geom class="big"/>'),
    "type=\"shpere\" (did you mean 'sphere'?)": whole('<geom type="shpere"/>'),
    "has size 0.1; expected 3 positive": whole('<geom type="box" size="0.1"/>'),
    "expected 3 numbers": whole('<body name="a" pos="0 0"/>'),
    "which no thing has": whole('<body name="a"><freejoint/><inertial mass="1" diaginertia="1 1 9"/><geom size="1"/></body>'),
    "has quat and euler": whole('<body name="a" euler="0 0 1" quat="1 0 0 0"/>'),
    "is free and has no mass": whole('<body name="a"><freejoint/><geom size="1" density="0"/></body>'),
    "an axis has no length": whole('<body name="a"><joint name="j" axis="0 0 0"/><geom size="1"/></body>'),
    "has <gem>": whole("<gem/>"),
    "DOCTYPE": '<!DOCTYPE x [<!ENTITY a "aaaa">]><mujoco>&a;</mujoco>',
    "is not XML": "<mujoco><worldbody></mujoco>",
    "begins with <sdf>": "<sdf/>",
    "includes 'none.xml', which is not there": whole('<include file="none.xml"/>'),
    "includes model.xml in itself": whole('<include file="model.xml"/>'),
    "mesh 'm' vertex has 5 numbers; expected 3 for each row": whole(
        '<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" vertex="0 0 0 1 0"/></asset>'
    ),
    "mesh 'm' face has 2 numbers": whole(
        '<geom type="mesh" mesh="m"/>', '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0" face="0 1"/></asset>'
    ),
    "its flexes have more than 2000000 points": whole("".join(f'<flexcomp name="{i}" count="1200 1000 1"/>' for i in range(2))),
    "deep": "<mujoco>" + "<worldbody>" * 300 + "</worldbody>" * 300 + "</mujoco>",
    "eulerseq": whole("", '<compiler eulerseq="abc"/>'),
    "timestep": whole("", '<option timestep="0"/>'),
}


@pytest.mark.parametrize("sentence", FAULTS)
def test_faults_are_told_in_a_sentence(tmp_path, sentence):
    with pytest.raises(pl.errors.InputError) as caught:
        pl.scenes.read(written(tmp_path, FAULTS[sentence]))
    text = str(caught.value)
    assert sentence in text and text.startswith(str(tmp_path / "model.xml")) and "\n" not in text


def test_includes_neither_multiply_nor_go_down_for_ever(tmp_path):
    """Ten includes of ten, and so on, took ten times as long for each file; a chain of files was a RecursionError."""
    for i in range(9):
        many = f'<include file="f{i + 1}.xml"/>' * 10
        (tmp_path / f"f{i}.xml").write_text(f"<mujocoinclude>{many}</mujocoinclude>")
    (tmp_path / "f9.xml").write_text("<mujocoinclude/>")
    start = time.process_time()
    with pytest.raises(pl.errors.InputError, match="includes multiply 103 elements to more than 100"):
        pl.scenes.read(written(tmp_path, whole('<include file="f0.xml"/>')))
    assert time.process_time() - start < 10
    assert pl.scenes.read(written(tmp_path, whole('<include file="f7.xml"/>' * 3))).obstacles == ()
    for i in range(1500):
        (tmp_path / f"c{i}.xml").write_text(f'<mujocoinclude><include file="c{i + 1}.xml"/></mujocoinclude>')
    with pytest.raises(pl.errors.InputError, match="more than 200 deep"):
        pl.scenes.read(written(tmp_path, whole('<include file="c0.xml"/>')))


def test_the_same_file_is_included_twice_with_what_it_includes(tmp_path):
    (tmp_path / "ball.xml").write_text('<mujocoinclude><geom size="0.1"/></mujocoinclude>')
    (tmp_path / "balls.xml").write_text('<mujocoinclude><frame pos="1 0 0"><include file="ball.xml"/></frame></mujocoinclude>')
    inside = '<body name="a"><include file="balls.xml"/></body><body name="b"><include file="balls.xml"/></body>'
    assert [thing.name for thing in pl.scenes.read(written(tmp_path, whole(inside))).obstacles] == ["a", "b"]


def test_bodies_take_time_in_proportion_to_their_number(tmp_path):
    def seconds(n: int) -> float:
        file = written(tmp_path, whole("".join(f'<body name="a body with the number {i}"/>' for i in range(n))))
        start = time.process_time()
        pl.scenes.read(file)
        return time.process_time() - start

    seconds(100)
    few, many = (min(seconds(n) for _ in range(3)) for n in (1000, 8000))
    assert many < 20 * few  # was 50 times


def test_joints_and_files_that_are_not_there_are_told(tmp_path):
    file = written(tmp_path, MODEL)
    with pytest.raises(pl.errors.InputError, match=r"there is no joint 'j11'.*did you mean 'j1'"):
        pl.scenes.read(file, {"j11": 1.0})
    for bad in (True, "1", None, float("nan")):
        with pytest.raises(pl.errors.InputError, match="expected a"):
            pl.scenes.read(file, {"j1": bad})
    with pytest.raises(pl.errors.InputError, match="names its free bodies itself"):
        pl.scenes.read(file, free=True)
    with pytest.raises(pl.errors.InputError, match="cannot be read"):
        pl.scenes.read(tmp_path / "none.xml")


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_a_large_body_of_no_weight_falls_as_any_other(tmp_path, precision):
    """200 g in a box of 2 m: with the stiffness of others, rounding in f32 is more than its weight; it fell by a third less."""
    (tmp_path / "box.xml").write_text(
        '<mujoco><worldbody><body name="b" pos="3 2 24"><freejoint/><geom type="box" size="1 1 1" mass="0.2"/></body>'
        "</worldbody></mujoco>"
    )
    sim = pl.Simulation(pl.scenes.read(tmp_path / "box.xml").scene(), pl.ImplicitEuler(dt=0.01), precision=precision)
    for _ in range(20):
        assert sim.step().kept
    assert sim.v[:, 2].mean() == pytest.approx(-9.81 * 0.2, rel=0.01)
