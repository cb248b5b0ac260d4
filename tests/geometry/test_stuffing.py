"""Tetrahedra that fill a solid: angles, conformity, volume, order, speed, and an honest report of what was lost."""

import json
import time

import numpy as np
import pytest

from pliant import meshes
from pliant.errors import InputError, PliantWarning
from pliant.geometry.distance.sdf import Sdf, box, capsule, cylinder, plane, sphere, torus
from pliant.geometry.inspection.mesh_inspection import dihedral_angles, inspect
from pliant.geometry.mesh.mesh import TetMesh, TriMesh, unique_rows
from pliant.geometry.tetrahedra.stuffing import tetrahedralise
from pliant.geometry.tetrahedra.stuffing_fill import ALPHA_LONG, ALPHA_SHORT
from pliant.geometry.tetrahedra.stuffing_table import EDGES, POWERS, bcc_tets, stencils

BALL = 4 / 3 * np.pi


def bumpy(seed=0):
    rng = np.random.default_rng(seed)
    x = np.stack(np.meshgrid(*[np.linspace(-1.3, 1.3, 40)] * 3, indexing="ij"), axis=-1)
    waves = rng.normal(size=(6, 3)) * 6
    bumps = sum(np.sin(x @ k + p) for k, p in zip(waves, rng.uniform(0, 6, 6)))
    return Sdf.from_grid(np.linalg.norm(x, axis=-1) - 0.9 + 0.05 * bumps, (-1.3, -1.3, -1.3), 2.6 / 39)


def noise(seed=0):
    values = 0.1 * np.random.default_rng(seed).normal(size=(20, 20, 20))
    values[[0, -1]] = values[:, [0, -1]] = values[:, :, [0, -1]] = 0.1
    return Sdf.from_grid(values, (-0.95, -0.95, -0.95), 0.1)


def broken(mesh, flip, missing, seed=0):
    rng = np.random.default_rng(seed)
    triangles = mesh.triangles.copy()
    chosen = rng.random(len(triangles)) < flip
    triangles[chosen] = triangles[chosen][:, ::-1]
    return TriMesh(mesh.vertices, triangles[rng.random(len(triangles)) >= missing])


def open_bowl(mesh):
    return TriMesh(mesh.vertices, mesh.triangles[mesh.vertices[mesh.triangles].mean(axis=1)[:, 2] < 0.7])


# shape, edge, volume where it is known
SHAPES = {
    "sphere": (sphere(1.0), 0.13, BALL),
    "torus": (torus(1.0, 0.4, axis=(1, 2, 3)), 0.13, 2 * np.pi**2 * 0.16),
    "box": (box((1.0, 0.8, 0.6)), 0.1, 0.48),
    "turned box": (box((1.0, 0.77, 0.61)).rotated((1, 2, 3), 40), 0.06, 0.77 * 0.61),
    "union": (sphere(0.7) | box(1.1) | capsule((0, 0, 0), (1.2, 0.4, 0.3), 0.25), 0.1, None),
    "difference": (box(1.2) - cylinder((0, 0, -1), (0, 0, 1), 0.3) - sphere(0.5, (0.6, 0.6, 0.6)), 0.08, None),
    "dome": (sphere(1.0) & plane(point=(0, 0, 0.1), normal=(0.2, 0.1, 1)), 0.11, None),
    "bumpy": (bumpy(), 0.1, None),
    "noise": (noise(), 0.09, None),
    "icosphere": (meshes.sphere(1.0, subdivisions=4), 0.13, BALL),
    "ring mesh": (meshes.torus(1.0, 0.4), 0.13, None),
    "flipped and holed": (broken(meshes.sphere(1.0, subdivisions=4), 0.2, 0.1), 0.13, BALL),
    "bowl": (open_bowl(meshes.sphere(1.0, subdivisions=3)), 0.15, None),
}


def faces_of(mesh):
    faces = mesh.tets[:, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]].reshape(-1, 3)
    return unique_rows(np.sort(faces, axis=1))[2]


@pytest.mark.parametrize("grading", [1.0, 2.0, 8.0])
@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_is_filled_well(name, grading):
    shape, edge, volume = SHAPES[name]
    mesh = tetrahedralise(shape, edge, grading)
    smallest, largest, _ = dihedral_angles(mesh.vertices, mesh.tets)
    assert smallest.min() >= 10.7 and largest.max() <= 164.8
    assert mesh.volumes.min() > 0.001 * edge**3
    assert faces_of(mesh).max() == 2
    assert mesh.boundary.volume == pytest.approx(mesh.volume, rel=1e-9)  # no gap inside, none covered twice
    assert len(np.unique(mesh.tets)) == len(mesh.vertices)
    if volume is not None:
        assert mesh.volume == pytest.approx(volume, rel=0.012)


def test_aligned_boxes_are_exact():
    mesh = tetrahedralise(box((1.0, 0.5, 0.3), (0.2, 0.1, 0.0)), 0.1)
    assert mesh.volume == pytest.approx(0.15, rel=1e-12)
    np.testing.assert_allclose(mesh.bounds, [[-0.3, -0.15, -0.15], [0.7, 0.35, 0.15]], atol=1e-12)


def test_boundary_vertices_lie_on_the_surface():
    shape = torus(1.0, 0.4)
    mesh = tetrahedralise(shape, 0.15)
    assert np.abs(shape(mesh.vertices[mesh.boundary_vertices])).max() < 1e-5
    assert (shape(mesh.vertices) < 1e-5).all()


def test_volume_converges_with_order_two():
    for shape, volume in ((sphere(1.0), BALL), (torus(1.0, 0.4), 2 * np.pi**2 * 0.16)):
        errors = [abs(tetrahedralise(shape, h).volume / volume - 1) for h in (0.2, 0.1, 0.05)]
        orders = np.log2(np.array(errors[:-1]) / errors[1:])
        assert (orders > 1.7).all() and (orders < 2.5).all(), errors


def test_grading_saves_tets_and_keeps_the_surface():
    uniform, two, four = (tetrahedralise(sphere(1.0), 0.06, g) for g in (1.0, 2.0, 4.9))
    assert len(four.tets) < len(two.tets) < 0.55 * len(uniform.tets)
    for mesh in (two, four):
        np.testing.assert_array_equal(np.unique(mesh.boundary.vertices, axis=0), np.unique(uniform.boundary.vertices, axis=0))
        assert mesh.volume == pytest.approx(uniform.volume, rel=1e-12)
    lengths = [np.linalg.norm(np.diff(m.vertices[m.edges], axis=1)[:, 0], axis=1).max() for m in (uniform, two, four)]
    assert lengths[0] < 0.1 and lengths[1] == pytest.approx(0.12) and lengths[2] == pytest.approx(0.24)


def test_twice_the_same():
    for shape in (bumpy(), SHAPES["flipped and holed"][0]):
        a, b = (tetrahedralise(shape, 0.2, 2.0) for _ in range(2))
        np.testing.assert_array_equal(a.vertices, b.vertices)
        np.testing.assert_array_equal(a.tets, b.tets)


def test_mesh_moves_with_the_shape():
    shape = SHAPES["union"][0]
    a, b = tetrahedralise(shape, 0.25), tetrahedralise(shape.scaled(1e-3).translated((5, 6, 7)), 0.25e-3)
    assert len(b.tets) == pytest.approx(len(a.tets), rel=0.01)
    assert b.volume * 1e9 == pytest.approx(a.volume, rel=1e-3)


@pytest.mark.alone
def test_speed():
    tetrahedralise(sphere(1.0), 0.5)  # compiles
    begin = time.perf_counter()
    mesh = tetrahedralise(sphere(1.0), 0.07)
    assert len(mesh.tets) / (time.perf_counter() - begin) > 50_000


def test_stencils_conform_and_cover():
    """Across each face both tets leave the same piece, and the pieces of a tet have the volume that is inside."""
    count, table = stencils()
    corners = bcc_tets()
    points = np.concatenate([corners, corners[:, EDGES].mean(axis=2)], axis=1).astype(float)
    for kind in range(12):
        for pattern in range(81):
            sign = pattern // POWERS % 3 - 1
            tets = table[kind, pattern, : count[kind, pattern]]
            p = points[kind][tets]
            volumes = np.linalg.det(p[:, 1:] - p[:, :1]) / 6 if len(tets) else np.zeros(0)
            assert (volumes > 0).all()
            plus, minus = (sign > 0).sum(), (sign < 0).sum()
            # a corner that is cut off at the middle of its edges takes 1/2 of the volume per edge to the other side
            whole = 2 / 3 if plus else 0.0
            expected = {(3, 1): 7 / 8, (1, 3): 1 / 8, (2, 2): 1 / 2, (2, 1): 3 / 4, (1, 2): 1 / 4, (1, 1): 1 / 2}
            assert volumes.sum() == pytest.approx(whole * expected.get((plus, minus), 1.0))
    assert count.max() == 3


def test_no_stencil_has_a_bad_angle():
    """Search over moved corners and cut points: 10.78° at worst, which the two thresholds are chosen for."""
    rng = np.random.default_rng(0)
    count, table = stencils()
    at = bcc_tets()[0].astype(float)
    short = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    ways = np.concatenate([short, 2 * np.eye(3), -2 * np.eye(3)])
    reach = np.array([ALPHA_SHORT] * 8 + [ALPHA_LONG] * 6)
    worst = 180.0
    for pattern in np.flatnonzero(count[0]):
        sign = pattern // POWERS % 3 - 1
        tries = 15_000
        origin = np.where(sign == 0, rng.choice([-1, 1], size=(tries, 4)), sign)  # what a zero was before it moved
        corners, possible = np.repeat(at[None], tries, axis=0), np.ones(tries, dtype=bool)
        target = np.full((tries, 4), -1)
        for i in np.flatnonzero(sign == 0):
            way = rng.integers(14, size=tries)
            part = np.where(rng.random(tries) < 0.7, 1.0, rng.random(tries))
            corners[:, i] += ways[way] * (reach[way] * part)[:, None]
            for j in range(4):
                hit = (at[i] + ways[way] == at[j]).all(axis=1)
                target[hit, i] = j
                possible &= ~(hit & (origin[:, i] == origin[:, j]))  # only edges with a sign change are cut
        for i, j in EDGES:
            possible &= ~((target[:, i] == j) & (target[:, j] == i))  # and cut once
        cuts = []
        for i, j in EDGES:
            alpha = ALPHA_LONG if np.count_nonzero(at[i] - at[j]) == 1 else ALPHA_SHORT
            part = np.where(rng.random(tries) < 0.8, rng.integers(2, size=tries), rng.random(tries))
            part = (alpha + (1 - 2 * alpha) * part)[:, None]
            cuts.append((1 - part) * at[i] + part * at[j])
        points = np.concatenate([corners, np.stack(cuts, axis=1)], axis=1)[possible]
        for tet in table[0, pattern, : count[0, pattern]]:
            chosen = points[:, tet]
            assert (np.linalg.det(chosen[:, 1:] - chosen[:, :1]) > 0).all()
            mesh = TetMesh(chosen.reshape(-1, 3), np.arange(4 * len(chosen)).reshape(-1, 4))
            worst = min(worst, dihedral_angles(mesh.vertices, mesh.tets)[0].min())
    assert 10.77 < worst < 11.0


def test_report_of_a_good_mesh():
    shape = sphere(1.0)
    mesh = tetrahedralise(shape, 0.15)
    whole = inspect(mesh, of=shape)
    report = whole.likeness
    assert whole.cells == len(mesh.tets) and report.mesh_volume == mesh.volume
    assert report.edge == pytest.approx(0.15, rel=0.1)
    assert report.shape_volume == pytest.approx(BALL, rel=1e-3)
    assert report.volume_error == pytest.approx(mesh.volume / BALL - 1, abs=1e-3)
    assert report.samples > 500 and not len(report.missed) and report.pieces == 1 and not len(report.lost)
    assert report.warnings == () and whole.ok and "\nsolid  " in str(whole)
    assert whole.as_dict()["likeness"]["volume_error"] == report.volume_error
    json.dumps(whole.as_dict())
    assert inspect(mesh).likeness is None


def test_report_of_meshes_uses_their_volume():
    ball = meshes.sphere(1.0, subdivisions=3)
    for shape in (ball, broken(ball, 0.2, 0.0), broken(ball, 0.1, 0.1)):
        report = inspect(tetrahedralise(shape, 0.2), of=shape).likeness
        assert report.shape_volume == pytest.approx(ball.volume, rel=0.01)
        assert not len(report.missed) and not len(report.lost)


def test_report_names_what_vanished():
    needle = sphere(0.5) | capsule((0, 0, 0), (1.5, 0.02, 0.03), 0.02)
    report = inspect(tetrahedralise(needle, 0.15), of=needle).likeness
    assert len(report.missed) > 10 and (report.missed[:, 0] > 0.5).all()
    assert any("thin parts vanished" in text for text in report.warnings)

    crumb = sphere(0.5) | sphere(0.05, (0.03, 1.04, 0.03)) | sphere(0.3, (0, -1.5, 0))
    report = inspect(tetrahedralise(crumb, 0.15), of=crumb).likeness
    assert report.pieces == 3 and len(report.lost) == 1
    np.testing.assert_allclose(report.lost[0], [0.03, 1.04, 0.03], atol=0.02)
    assert any("1 of 3 separate pieces" in text for text in report.warnings)

    coarse = box((1.0, 1.0, 0.2)).rotated((1, 1, 0), 30)
    report = inspect(tetrahedralise(coarse, 0.3), of=coarse).likeness
    assert any("volume of the mesh is off by" in text for text in report.warnings)


@pytest.mark.parametrize("call, text", [
    (lambda: tetrahedralise(sphere(1.0), 0.0), "edge is 0.0; expected a positive number of metres"),
    (lambda: tetrahedralise(sphere(1.0), -1), "edge is -1"),
    (lambda: tetrahedralise(sphere(1.0), np.nan), "edge is nan"),
    (lambda: tetrahedralise(sphere(1.0), np.inf), "edge is inf"),
    (lambda: tetrahedralise(sphere(1.0), "0.1"), "edge is '0.1'"),
    (lambda: tetrahedralise(sphere(1.0), 0.1, grading=0.5), "grading is 0.5; expected a number of at least 1"),
    (lambda: tetrahedralise(sphere(1.0), 1e-4), r"points; expected at most 8e\+06 .* use an edge of at least 0.01"),
    (lambda: tetrahedralise(box((1, 1, 0.01), (0, 0, 0.21)), 0.3), "no lattice point lies inside .* try edge="),
    (lambda: tetrahedralise(plane(0.0), 0.1), "not bounded"),
    (lambda: tetrahedralise([1, 2, 3], 0.1), "shape is a list; expected a TriMesh or an Sdf"),
    (lambda: tetrahedralise(TriMesh(np.zeros((0, 3)), np.zeros((0, 3), int)), 0.1), "0 triangles"),
    (lambda: inspect(TetMesh(np.zeros((0, 3)), np.zeros((0, 4), int)), of=sphere(1.0)), "no tets"),
    (lambda: inspect(meshes.sphere(1.0), of=sphere(1.0)), "this TriMesh has no tets"),
    (lambda: inspect(tetrahedralise(sphere(1.0), 0.5), of=3), "of is 3; expected the TriMesh or Sdf"),
])  # fmt: skip
def test_refusals(call, text):
    with pytest.raises(InputError, match=text):
        call()


def test_without_an_edge_thin_parts_are_kept_and_no_more_tets_taken_than_that_needs():
    ball = tetrahedralise(sphere(1.0))
    assert np.array_equal(ball.tets, tetrahedralise(sphere(1.0), 2 / 12).tets)
    tail = box((1.0, 1.0, 1.0)) | box((3.0, 0.1, 0.1), (1.5, 0.0, 0.0))
    found = tetrahedralise(tail)
    assert found.bounds[1, 0] > 2.95 and len(found.tets) > 2 * len(tetrahedralise(tail, 3.5 / 12).tets)
    with pytest.raises(InputError, match="has no end"):
        tetrahedralise(plane(z=0.0))


def test_what_no_edge_keeps_is_warned_of():
    hair = box((1.0, 1.0, 1.0)) | box((3.0, 0.004, 0.004), (1.5, 0.0, 0.0))
    with pytest.warns(PliantWarning, match=r"vanished.* edge=.* may keep them"):
        tetrahedralise(hair)
