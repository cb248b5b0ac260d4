"""Flexes become soft bodies: points and pins as MuJoCo numbers them, mass, elasticity, and the sag of a beam."""

import numpy as np
import pytest

import pliant as pl

BEAM = """<mujoco><worldbody><body name="p" pos="1 2 3" euler="0 0 30">
<flexcomp name="beam" type="grid" dim="3" count="5 3 4" spacing="0.1 0.2 0.1" pos="0.2 0 1" radius="0.001" mass="4">
  <elasticity young="5e5" poisson="0.3" damping="0.02"/><pin gridrange="0 0 0 0 2 3"/>
</flexcomp></body></worldbody></mujoco>"""


def read(folder, flexcomp, body='<body name="p" pos="1 2 3">'):
    file = folder / "model.xml"
    file.write_text(f"<mujoco><worldbody>{body}{flexcomp}</body></worldbody></mujoco>", encoding="utf-8")
    return pl.scenes.read(file)


def comp(words, inside=""):
    return f'<flexcomp name="s" radius="0.001" {words}><elasticity young="1e5"/>{inside}</flexcomp>'


def test_a_grid_of_tets_with_its_pins_and_its_law(tmp_path):
    (tmp_path / "beam.xml").write_text(BEAM)
    found = pl.scenes.read(tmp_path / "beam.xml")
    (body,) = found.bodies
    number = np.stack(np.meshgrid(*map(np.arange, (5, 3, 4)), indexing="ij"), axis=-1).reshape(-1, 3)
    own = (number - [2, 1, 1.5]) * [0.1, 0.2, 0.1] + [0.2, 0, 1]
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    assert np.allclose(body.shape.rest, own @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + [1, 2, 3], rtol=0, atol=1e-12)
    assert np.array_equal(body.pinned, np.flatnonzero(number[:, 0] == 0))
    assert body.shape.lumped(body.densities).sum() == pytest.approx(4) and body.damping.stiffness == 0.02
    assert float(body.material.young) == 5e5 and float(body.material.poisson) == 0.3 and not found.left_out


SHAPES = {  # words → points, of which some are pinned; where the last point is, in the axes of the body [m]
    'type="grid" dim="2" count="3 4 1" spacing="0.1 0.2 1"': (12, (0.1, 0.3, 0)),
    'type="grid" dim="1" count="5 1 1" spacing="0.1 1 1"': (5, (0.2, 0, 0)),
    'type="circle" dim="1" count="5 1 1" spacing="0.1 1 1"': (4, (0, -0.1 / np.sqrt(2), 0)),
    'type="box" dim="3" count="4 5 6" spacing="0.1 0.2 0.1"': (97, (0.15, 0.2, 0.15)),
    'type="cylinder" dim="3" count="4 5 6" spacing="0.1 0.1 0.1"': (
        97,
        (0.15 * 2 / np.sqrt(5), 0.2 / np.sqrt(5), 0.15),
    ),
    'type="ellipsoid" dim="3" count="3 3 3" spacing="0.1 0.1 0.1"': (27, (0.1, 0, 0)),
    'type="ellipsoid" dim="2" count="4 5 6" spacing="0.1 0.2 0.1"': (90, None),
    'type="disc" count="5 5 1" spacing="0.1 0.1 1"': (25, (0.04 / np.sqrt(2), 0.04 / np.sqrt(2), 0)),
    'type="square" count="6 4 1" spacing="0.1 0.1 1"': (24, (0.25, 0.15, 0)),
    'type="direct" dim="3" point="0 0 0 1 0 0 0 1 0 0 0 1 5 5 5" element="0 2 1 3" scale="1 1 2"': (4, (0, 0, 2)),
}


@pytest.mark.parametrize("words", SHAPES)
def test_shapes_have_their_points_in_order(tmp_path, words):
    (body,) = read(tmp_path, comp(words, '<pin id="1 2"/>')).bodies
    count, last = SHAPES[words]
    assert len(body.shape.rest) == count and body.pinned.tolist() == [1, 2]
    assert body.shape.lumped(body.densities).sum() == pytest.approx(1.0)
    if last is not None:
        assert np.allclose(body.shape.rest[-1], np.add(last, (1, 2, 3)), rtol=0, atol=1e-12)


def test_meshes_are_sheets_or_filled_from_a_point(tmp_path):
    pl.write(pl.meshes.sphere(0.1, 1), tmp_path / "ball.obj")
    (sheet,) = read(tmp_path, comp('type="mesh" file="ball.obj" dim="2" scale="1 1 2"')).bodies
    assert isinstance(sheet.shape, pl.Membrane) and np.ptp(sheet.shape.rest[:, 2]) > 0.35
    (solid,) = read(tmp_path, comp('type="mesh" file="ball.obj" dim="3"')).bodies
    assert isinstance(solid.shape, pl.Tets) and len(solid.shape.rest) == len(sheet.shape.rest) + 1
    with pytest.raises(pl.errors.InputError, match="do not face away"):
        read(tmp_path, comp('type="mesh" file="ball.obj" dim="3" origin="1 0 0"'))
    pl.write(pl.tet_grid((0.1, 0.1, 0.2), (1, 1, 2)), tmp_path / "bar.msh")
    (solid,) = read(tmp_path, comp('type="gmsh" file="bar.msh" dim="3"')).bodies
    assert len(solid.shape.rest) == 12


def test_points_that_are_bodies(tmp_path):
    """As MuJoCo writes a flex out: every point is a body with three slides, or the one that holds it."""
    bodies = "".join(
        f'<body name="v{i}" pos="{x} {y} {z}"><inertial mass="0.5" pos="0 0 0" diaginertia="1e-4 1e-4 1e-4"/>'
        '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/></body>'
        for i, (x, y, z) in enumerate([(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    )
    flex = '<flex name="t" dim="3" body="p v0 v1 v2" vertex="0 0 0 0 0 0 0 0 0 0 0 0" element="0 1 2 3">'
    flex = f'<deformable>{flex}<elasticity young="9e3"/></flex></deformable>'
    file = tmp_path / "model.xml"
    file.write_text(f'<mujoco><worldbody><body name="p" pos="0 0 2">{bodies}</body></worldbody>{flex}</mujoco>')
    found = pl.scenes.read(file)
    (body,) = found.bodies
    assert np.allclose(body.shape.rest, [[0, 0, 2], [1, 0, 2], [0, 1, 2], [0, 0, 3]]) and body.pinned.tolist() == [0]
    assert body.shape.lumped(body.densities).sum() == pytest.approx(2.0) and not found.left_out


def test_what_is_taken_otherwise_is_said(tmp_path):
    found = read(
        tmp_path,
        '<flexcomp name="c" dim="1" count="3 1 1" dof="radial"><edge equality="true" solref="1 1"/></flexcomp>',
    )
    assert set(found.left_out) == {
        "dof=radial of flex 'c' (all of its points move)", "1 edge constraint of a flex (its material holds it)",
        "1 solref of an edge", "flex 'c' has no Young's modulus (100000 Pa is taken)",
    }  # fmt: skip
    found = read(tmp_path, '<flexcomp name="c" dim="1" count="3 1 1"><edge stiffness="50"/></flexcomp>')
    assert float(found.bodies[0].material.young) == pytest.approx(50 * 0.02 / (np.pi * 0.005**2)) and not found.left_out


FAULTS = {
    "expected id, range, grid or gridrange": comp("", '<pin ids="1"/>'),
    "names a missing object": comp('count="3 3 1"', '<pin id="9"/>'),
    "of a grid of dim 2 or 3": comp('dim="1" count="3 1 1"', '<pin grid="1"/>'),
    "expected 2 or more points": comp('count="1 3 1"'),
    "names a point outside": comp('type="direct" dim="1" point="0 0 0 1 0 0" element="0 2"'),
    "did you mean 'ellipsoid'": comp('type="elipsoid"'),
    "there is no mesh file": comp('type="mesh" file="none.obj"'),
    "expected positive ones": comp('mass="0"'),
    "has <elastic>": "<flexcomp><elastic/></flexcomp>",
    "is 4; expected 1, 2 or 3": comp('dim="4"'),
    "flex vertex has 5 numbers; expected 3 for each row": (
        '<body name="a"/><body name="b"/></body></worldbody><deformable>'
        '<flex dim="1" body="a b" vertex="0 0 0 1 0" element="0 1"/></deformable><worldbody><body>'
    ),
}


@pytest.mark.parametrize("sentence", FAULTS)
def test_faults_are_told_in_a_sentence(tmp_path, sentence):
    with pytest.raises(pl.errors.InputError) as caught:
        read(tmp_path, FAULTS[sentence])
    assert sentence in str(caught.value)


@pytest.mark.slow
def test_a_beam_sinks_as_far_as_in_mujoco(tmp_path):
    """Within 3 %: MuJoCo cuts cells into other tets and gives every node the same mass."""
    pytest.importorskip("mujoco")
    from benchmarks.peers import mujoco_beam

    file = tmp_path / "beam.xml"
    file.write_text(mujoco_beam.SCENE)
    found = pl.scenes.read(file)
    sim = pl.Simulation(found.scene(), pl.QuasiStatic())
    sim.step()
    X = found.bodies[0].shape.rest
    tip = X[:, 0] > X[:, 0].max() - 1e-6
    assert (X - sim.x)[tip, 2].mean() == pytest.approx(mujoco_beam.main(), rel=0.03)
