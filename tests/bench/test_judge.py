"""The judge of contact finds what was made to intersect, and nothing else."""

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.bench.judge import (
    Judge,
    crossings,
    depth_in_one_another,
    edges_of,
    is_closed,
    judge,
    winding_numbers,
    writhe,
)

CUBE = pl.meshes.box((1.0, 1.0, 1.0))  # from −0.5 to 0.5


def together(*meshes):
    """Triangles, parts and places of some meshes as one."""
    first = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    triangles = np.concatenate([mesh.triangles + i for mesh, i in zip(meshes, first)])
    part = np.repeat(np.arange(len(meshes)), np.diff(first))
    return triangles, part, np.concatenate([mesh.vertices for mesh in meshes])


def found(*meshes):
    """Vertices inside, the depth of the deepest, and crossings."""
    triangles, part, x = together(*meshes)
    return *depth_in_one_another(triangles, part, x), int(crossings(edges_of(triangles), triangles, x).sum())


def test_a_corner_in_a_cube_is_found_and_how_deep_it_is():
    corner = CUBE.rotated((1.0, 2.0, 3.0), 40.0)
    lowest = corner.vertices[np.argmin(corner.vertices[:, 2])]
    other = corner.translated((0.1, 0.05, 0.5 - 0.02 - lowest[2]) - lowest * [1, 1, 0])
    inside, depth, crossed = found(CUBE, other)
    assert inside == 1 and depth == pytest.approx(0.02, rel=1e-9) and crossed >= 3


@pytest.mark.parametrize("gap", [1e-6, 1e-9])
def test_a_corner_a_micrometre_outside_is_not(gap):
    corner = CUBE.rotated((1.0, 2.0, 3.0), 40.0)
    lowest = corner.vertices[np.argmin(corner.vertices[:, 2])]
    assert found(CUBE, corner.translated((0.1, 0.05, 0.5 + gap - lowest[2]) - lowest * [1, 1, 0])) == (0, 0.0, 0)
    assert found(CUBE, corner.translated((0.1, 0.05, 0.5 - gap - lowest[2]) - lowest * [1, 1, 0]))[0] == 1


def test_cubes_side_by_side_and_one_in_another():
    assert found(CUBE, CUBE.translated((1.0 + 1e-6, 0.0, 0.0))) == (0, 0.0, 0)
    inside, depth, crossed = found(CUBE, pl.meshes.box((0.5, 0.5, 0.5)).translated((0.1, 0.0, 0.0)))
    assert inside == 8 and depth == pytest.approx(0.25) and crossed == 0


def sheets(turn, way):
    """Two sheets of 10 cm, the other one turned and moved."""
    sheet = pl.cloth_grid((0.1, 0.1), (5, 5), origin=(-0.05, -0.05, 0.0))
    law = pl.Corotated(young=1e6, poisson=0.3, density=500.0)
    meshes = [sheet, sheet.rotated((1.0, 0.1, 0.0), turn).translated(way)]
    return pl.Simulation(pl.Scene([pl.Body(pl.Membrane(m, 1e-3), law) for m in meshes], contact=pl.Contact(response=None)))


@pytest.mark.filterwarnings("ignore")
def test_two_sheets_that_cross_have_no_inside_but_crossings():
    assert judge(sheets(70.0, (0.003, 0.001, 0.01))).crossings >= 10
    assert judge(sheets(70.0, (0.003, 0.001, 0.01))).inside == 0
    assert judge(sheets(0.0, (0.003, 0.001, 1e-6))).clean


@pytest.mark.filterwarnings("ignore")
def test_a_sheet_that_is_folded_through_itself_crosses_and_points_in_obstacles_are_measured():
    sim = sheets(0.0, (0.0, 0.0, 0.05))
    look = Judge.of(sim)
    x = sim.x
    assert look.look(x).clean
    x[:6, 0] += 0.05  # one side is carried over the sheet and through it
    x[:6, 2] += np.linspace(-0.01, 0.013, 6)
    verdict = look.look(x, pl.Scene(sim.scene.bodies, [pl.plane(z=-0.004)]).obstacles)
    assert verdict.crossings > 0 and verdict.below == pytest.approx(0.006)
    assert verdict.worse(look.look(sim.x)) == verdict and not verdict.clean


def test_it_agrees_with_trimesh_on_two_bodies_at_random():
    rng = np.random.default_rng(4)
    for _ in range(3):
        one, other = (pl.meshes.sphere(0.5, 2).rotated(rng.normal(size=3), 50.0) for _ in range(2))
        one = pl.TriMesh(one.vertices * rng.uniform(0.6, 1.4, 3), one.triangles)
        other = other.translated(rng.uniform(-0.4, 0.4, 3))
        a, b = (trimesh.Trimesh(m.vertices, m.triangles, process=False) for m in (one, other))
        common = trimesh.boolean.intersection([a, b], engine="manifold")
        distance = lambda p, q: np.linalg.norm(p[:, None] - q[None], axis=2).min(axis=1)
        within = [m[distance(m, common.vertices) < 1e-6] for m in (one.vertices, other.vertices)]
        depths = [trimesh.proximity.closest_point_naive(m, p)[1].max() for m, p in ((b, within[0]), (a, within[1]))]
        inside, depth, crossed = found(one, other)
        assert inside == sum(map(len, within)) > 0 and depth == pytest.approx(max(depths), rel=1e-6) and crossed > 0


def test_winding_numbers_are_whole_and_open_surfaces_have_no_inside():
    points = np.array([[0.0, 0.0, 0.0], [0.4999999, 0.1, 0.2], [0.5000001, 0.1, 0.2], [2.0, 0.0, 0.0]])
    assert np.allclose(winding_numbers(CUBE.vertices[CUBE.triangles], points), [1, 1, 0, 0], atol=1e-12)
    assert is_closed(CUBE.triangles, CUBE.vertices) and not is_closed(CUBE.triangles[1:], CUBE.vertices)


def test_the_writhe_of_a_thread_jumps_by_two_where_it_passes_through_itself():
    t = np.linspace(0, 2 * np.pi, 61)
    curve = lambda height: np.stack([np.sin(2 * t), np.sin(t), height * np.cos(t)], axis=1)  # crosses itself at the origin
    values = [writhe(curve(h)) for h in (0.2, 0.01, -0.01, -0.2)]
    assert abs(values[2] - values[1]) == pytest.approx(2.0, abs=0.1)
    assert abs(values[1] - values[0]) < 0.5 and values[3] == pytest.approx(-values[0])
