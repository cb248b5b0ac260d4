"""Distances against closed forms, gradients against differences, set operations, moves, grids, refusals."""

import numpy as np
import pytest
import warp as wp

from pliant.errors import InputError
from pliant.geometry.distance.sdf import Sdf, box, capsule, cylinder, plane, sphere, spindle, torus, upload
from pliant.geometry.distance.sdf_kernels import make_signed_distance
from pliant.runtime.device import Device, family

POINTS = np.random.default_rng(1).uniform(-1.5, 1.5, (4000, 3))
AXIS = np.array([1.0, 2.0, -0.5]) / np.linalg.norm([1.0, 2.0, -0.5])
START, END = np.array([0.2, -0.3, 0.1]), np.array([0.2, -0.3, 0.1]) + 0.9 * AXIS


def norm(v):
    return np.linalg.norm(v, axis=-1)


def along_and_across(p, origin, axis):
    along = (p - origin) @ axis
    return along, norm(p - origin - along[:, None] * axis)


def rod_distance(p):
    along, across = along_and_across(p, 0.5 * (START + END), AXIS)
    q = np.stack([across - 0.3, np.abs(along) - 0.45], axis=1)
    return norm(np.maximum(q, 0)) + np.minimum(q.max(axis=1), 0)


def ring_distance(p):
    along, across = along_and_across(p, np.array([0.1, 0.0, 0.2]), AXIS)
    return np.hypot(across - 0.8, along) - 0.25


def box_distance(p):
    q = np.abs(p - [0.1, 0.2, 0.3]) - [0.5, 0.4, 0.3]
    return norm(np.maximum(q, 0)) + np.minimum(q.max(axis=1), 0)


def capsule_distance(p):
    along = np.clip((p - START) @ AXIS, 0, 0.9)
    return norm(p - START - along[:, None] * AXIS) - 0.3


PRIMITIVES = {
    "sphere": (sphere(0.7, (0.1, 0.2, 0.3)), lambda p: norm(p - [0.1, 0.2, 0.3]) - 0.7),
    "box": (box((1.0, 0.8, 0.6), (0.1, 0.2, 0.3)), box_distance),
    "capsule": (capsule(START, END, 0.3), capsule_distance),
    "cylinder": (cylinder(START, END, 0.3), rod_distance),
    "torus": (torus(0.8, 0.25, (0.1, 0.0, 0.2), AXIS), ring_distance),
    "plane": (plane(0.2), lambda p: p[:, 2] - 0.2),
    "tilted plane": (plane(point=(0.1, 0.2, 0.3), normal=AXIS), lambda p: (p - [0.1, 0.2, 0.3]) @ AXIS),
}
COMBINED = (PRIMITIVES["box"][0] | PRIMITIVES["torus"][0]) - PRIMITIVES["capsule"][0] & sphere(1.1)
SHAPES = {
    **{name: shape for name, (shape, _) in PRIMITIVES.items()},
    "combined": COMBINED,
    "moved": COMBINED.rotated((1, 1, 0), 35).scaled(0.8).translated((0.1, -0.2, 0.3)),
    "grid": Sdf.from_grid(np.random.default_rng(3).normal(size=(5, 6, 7)), (-1, -1, -1), (0.4, 0.35, 0.3)).rotated((0, 1, 1), 20),
}


@pytest.mark.parametrize("name", PRIMITIVES)
def test_distance_is_the_closed_form(name):
    shape, exact = PRIMITIVES[name]
    np.testing.assert_allclose(shape(POINTS), exact(POINTS), atol=1e-12)


@pytest.mark.parametrize("name", PRIMITIVES)
def test_gradient_leads_to_the_nearest_surface_point(name):
    shape, _ = PRIMITIVES[name]
    d, g = shape(POINTS), shape.gradient(POINTS)
    np.testing.assert_allclose(norm(g), 1.0, atol=1e-12)
    np.testing.assert_allclose(shape(POINTS - d[:, None] * g), 0.0, atol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_gradient_is_the_derivative(name):
    shape, h = SHAPES[name], 1e-4
    steps = h * np.eye(3)
    g = shape.gradient(POINTS)
    bends = [shape.gradient(POINTS + 2 * s) - 2 * g + shape.gradient(POINTS - 2 * s) for s in steps]
    smooth = np.max([norm(bend) for bend in bends], axis=0) < 1e-5  # no crease or change of curvature within the steps
    assert smooth.mean() > 0.9
    p = POINTS[smooth]
    slope = [(8 * (shape(p + s) - shape(p - s)) - shape(p + 2 * s) + shape(p - 2 * s)) / (12 * h) for s in steps]
    np.testing.assert_allclose(np.stack(slope, axis=1), g[smooth], atol=1e-9)


@pytest.mark.parametrize("name", SHAPES)
def test_no_distance_changes_faster_than_its_slope(name):
    shape = SHAPES[name]
    near = np.random.default_rng(3).uniform(-1.5, 1.5, (500, 3))
    far = near + np.random.default_rng(4).normal(0, 0.3, near.shape)
    change, way = np.abs(shape(far) - shape(near)), np.linalg.norm(far - near, axis=1)
    assert np.all(change <= shape.slope * way * (1 + 1e-12))


def test_singular_points_have_a_unit_gradient():
    ends = (0, 0, -1), (0, 0, 1)
    for shape in (sphere(1.0), capsule(*ends, 0.5), cylinder(*ends, 0.5), torus(1, 0.3)):
        for p in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)):
            g = shape.gradient(np.array([p]))
            assert np.isfinite(g).all() and abs(norm(g)[0] - 1) < 1e-12


def test_set_operations():
    a, b = sphere(0.8), box(1.0, (0.5, 0.2, 0.0))
    da, db = a(POINTS), b(POINTS)
    for shape, expected in ((a | b, np.minimum(da, db)), (a & b, np.maximum(da, db)), (a - b, np.maximum(da, -db)),
                            (b - a, np.maximum(db, -da)), (~a, -da), (~(a | b), -np.minimum(da, db))):  # fmt: skip
        np.testing.assert_array_equal(shape(POINTS), expected)
    nearer = (da < db)[:, None]
    np.testing.assert_array_equal((a | b).gradient(POINTS), np.where(nearer, a.gradient(POINTS), b.gradient(POINTS)))
    with pytest.raises(InputError, match=r"is 3\.0; expected another Sdf"):
        a | 3.0


def test_moves_match_those_of_meshes():
    from pliant.geometry.mesh.mesh import PointCloud

    cloud = PointCloud(POINTS)
    d = COMBINED(POINTS)
    offset, axis = (0.3, -0.2, 0.5), (1.0, -2.0, 0.5)
    np.testing.assert_allclose(COMBINED.translated(offset)(cloud.translated(offset).vertices), d, atol=1e-13)
    np.testing.assert_allclose(COMBINED.rotated(axis, 50)(cloud.rotated(axis, 50).vertices), d, atol=1e-13)
    np.testing.assert_allclose(COMBINED.scaled(2.5)(cloud.scaled(2.5).vertices), 2.5 * d, atol=1e-13)


def test_rounding_keeps_planes_and_shrinks_balls_by_their_curvature():
    """σ²/R off a ball; nothing off a face; a corner of a box recedes, and the crease between two balls fills."""
    blur, step = 0.02, 0.01
    ball, block = sphere(0.2).rounded(blur, step), box(0.4).rounded(blur, step)
    p = np.random.default_rng(0).standard_normal((200, 3))
    p *= 0.2 / norm(p)[:, None]
    np.testing.assert_allclose(ball(p), blur**2 / 0.2, atol=2e-4)
    assert abs(block(np.array([[0.2, 0.03, 0.02]]))[0]) < 1e-6 and block(np.full((1, 3), 0.2))[0] > 0.01
    pair = sphere(0.2, (-0.15, 0, 0)) | sphere(0.2, (0.15, 0, 0))
    crease = np.array([[0.0, np.sqrt(0.2**2 - 0.15**2), 0.0]])
    assert abs(pair(crease)[0]) < 1e-9 and pair.rounded(blur, step)(crease)[0] < -0.005
    with pytest.raises(InputError, match="no end"):
        plane(0.0).rounded(blur, step)


def test_spindle_is_an_arc_about_its_chord():
    """Exact inside: the distance to points of the arc; never more than that outside, and touching its ends."""
    a, r = 0.45, 0.2
    shape = spindle(START, END, r)
    arc = (a * a / r + r) / 2
    along, across = along_and_across(POINTS, 0.5 * (START + END), AXIS)
    turn = np.linspace(-1, 1, 4001) * np.arcsin(a / arc)
    away = np.hypot(along[:, None] - arc * np.sin(turn), across[:, None] - (arc * np.cos(turn) - (arc - r))).min(axis=1)
    inside = np.hypot(along, across + arc - r) < arc
    assert np.array_equal(shape(POINTS) < 0, inside) and inside.sum() > 5
    np.testing.assert_allclose(shape(POINTS)[inside], -away[inside], atol=1e-5)
    assert np.all(shape(POINTS)[~inside] <= away[~inside] + 1e-9)
    np.testing.assert_allclose(shape(np.stack([START, END])), 0.0, atol=1e-12)
    assert np.abs(spindle((0, 0, 0), (0, 0, 0.9), r).bounds - [[-r, -r, 0], [r, r, 0.9]]).max() < 1e-12


@pytest.mark.parametrize("name", ["sphere", "box", "capsule", "cylinder", "torus"])
def test_bounds_hold_the_solid_and_touch_it(name):
    shape = SHAPES[name].rotated((1, 2, 3), 25)
    low, high = shape.bounds
    rng = np.random.default_rng(0)
    seeds = rng.uniform(low - 0.1, high + 0.1, (20_000, 3))
    surface = seeds - shape(seeds)[:, None] * shape.gradient(seeds)
    assert (surface >= low - 1e-12).all() and (surface <= high + 1e-12).all()
    assert np.allclose(surface.min(axis=0), low, atol=0.02) and np.allclose(surface.max(axis=0), high, atol=0.02)


def test_bounds_of_combinations():
    a, b = sphere(1.0), sphere(1.0, (1.5, 0, 0))
    np.testing.assert_allclose((a | b).bounds, [[-1, -1, -1], [2.5, 1, 1]])
    np.testing.assert_allclose((a & b).bounds, [[0.5, -1, -1], [1, 1, 1]])
    np.testing.assert_allclose((a - b).bounds, a.bounds)
    np.testing.assert_allclose((b - (a | a)).bounds, b.bounds)
    assert np.isinf((~a).bounds).all()
    np.testing.assert_allclose((~~a).bounds, a.bounds)
    assert plane(0.3).bounds[1, 2] == 0.3 and np.isinf(plane(0.3).bounds).sum() == 5
    np.testing.assert_allclose((box(2.0) & plane(0.0)).bounds, [[-1, -1, -1], [1, 1, 0]])


def test_grid_is_trilinear_inside_and_grows_outside():
    origin, step = np.array([-1.0, -0.5, 0.2]), np.array([0.3, 0.4, 0.5])
    axes = [origin[i] + step[i] * np.arange(n) for i, n in enumerate((6, 5, 4))]
    x, y, z = np.meshgrid(*axes, indexing="ij")

    def f(x, y, z):
        return 0.3 + 0.5 * x - 0.2 * y + 0.1 * z + 0.4 * x * y - 0.3 * y * z + 0.2 * x * y * z

    shape = Sdf.from_grid(f(x, y, z), origin, step)
    high = np.array([a[-1] for a in axes])
    p = np.random.default_rng(0).uniform(origin, high, (500, 3))
    np.testing.assert_allclose(shape(p), f(*p.T), atol=1e-13)
    far = np.random.default_rng(1).uniform(origin - 1, high + 1, (500, 3))
    near = np.clip(far, origin, high)
    np.testing.assert_allclose(shape(far), f(*near.T) + norm(far - near), atol=1e-13)


def test_deep_programs():
    leaves = [sphere(0.05, p) for p in POINTS[:256]]
    exact = norm(POINTS[:, None, :] - POINTS[None, :50]).min(axis=1) - 0.05
    chain, reverse = leaves[0], leaves[49]
    for leaf in leaves[1:50]:
        chain = chain | leaf
    for leaf in leaves[48::-1]:
        reverse = leaf | reverse
    np.testing.assert_allclose(chain(POINTS), exact, atol=1e-13)
    np.testing.assert_allclose(reverse(POINTS), exact, atol=1e-13)
    level = leaves
    while len(level) > 1:
        level = [a | b for a, b in zip(level[::2], level[1::2])]
    assert level[0].depth <= 8
    np.testing.assert_allclose(level[0](POINTS), norm(POINTS[:, None] - POINTS[None, :256]).min(axis=1) - 0.05, atol=1e-13)
    level, layer = leaves, 0
    with pytest.raises(InputError, match="9 deep; the evaluation stack holds 8"):
        while len(level) > 1:  # unions of intersections of unions … cannot be written as a chain
            layer += 1
            level = [a | b if layer % 2 else a & b for a, b in zip(level[::2], level[1::2])]
    assert layer == 8


def test_a_union_of_two_thousand_shapes():
    places = np.random.default_rng(5).uniform(-1, 1, (2000, 3))
    shape = sphere(0.01, places[0])
    for place in places[1:]:
        shape = sphere(0.01, place) | shape
    assert shape.depth == 2 and len(shape.program) == 3999
    np.testing.assert_allclose(shape(POINTS[:20]), norm(POINTS[:20, None] - places[None]).min(axis=1) - 0.01, atol=1e-13)


def probing(t, smooth):
    """How another family calls the shared function: shape ``i % count`` at point ``i``."""
    signed_distance = make_signed_distance(t, smooth)

    @t.kernel
    def probe(
        start: int,
        count: int,
        starts: wp.array(dtype=int),
        code: wp.array(dtype=int),
        numbers: wp.array(dtype=t.real),
        grids: wp.array(dtype=t.real),
        points: wp.array(dtype=t.vec3),
        found: wp.array(dtype=t.vec4),
    ):
        i = start + wp.tid()
        found[i] = signed_distance(i % count, starts, code, numbers, grids, points[i])

    return {"probe": probe}


@family
def probe_kernels(t):
    return probing(t, False)


@family
def smooth_kernels(t):
    """The distances that contact takes."""
    return probing(t, True)


@pytest.mark.parametrize("precision, tolerance", [("f64", 1e-14), ("f32", 2e-5)])
def test_other_families_evaluate_many_shapes(place, precision, tolerance):
    device = Device(place, precision)
    shapes = [*SHAPES.values(), SHAPES["grid"] | SHAPES["sphere"]]
    there = upload(shapes, device)
    assert there.count == len(shapes)
    assert there.grids.size == 5 * 6 * 7  # stored once
    points, found = device.array(POINTS, device.types.vec3), device.zeros(len(POINTS), device.types.vec4)
    device.launch(probe_kernels(precision).probe, len(POINTS), there.count, *there.arrays, points, found)
    distances = np.stack([shape(POINTS) for shape in shapes])
    expected = distances[np.arange(len(POINTS)) % len(shapes), np.arange(len(POINTS))]
    np.testing.assert_allclose(found.numpy()[:, 3], expected, atol=tolerance)


def test_nothing_is_uploaded_without_shapes():
    assert upload([], Device("cpu", "f64")).count == 0


def test_no_points():
    assert sphere(1.0)(np.zeros((0, 3))).shape == (0,)


@pytest.mark.parametrize("call, text", [
    (lambda: sphere(0.0), "sphere radius is 0.0; expected a positive number"),
    (lambda: sphere(np.nan), "sphere radius is nan; expected a positive number"),
    (lambda: sphere("big"), "expected a positive number of metres"),
    (lambda: sphere(1.0, (0, 0)), "expected three finite numbers"),
    (lambda: box((1, -1, 1)), "box size is .*-1"),
    (lambda: box((1, 1)), "box size"),
    (lambda: capsule((0, 0, 0), (0, 0, 0), 1), "expected two different points"),
    (lambda: cylinder((0, 0, 0), (0, 0, 1), 0), "cylinder radius"),
    (lambda: torus(1, -1), "torus minor radius"),
    (lambda: torus(1, 0.1, axis=(0, 0, 0)), "torus axis"),
    (lambda: plane(0.0, normal=(0, 0, 1)), "both z and point or normal"),
    (lambda: plane(normal=(0, 0, 0)), "non-zero length"),
    (lambda: plane(np.inf), "plane z"),
    (lambda: sphere(1.0).scaled(-1), "scale factor is -1; expected a positive number"),
    (lambda: sphere(1.0).translated((1, np.nan, 0)), "offset"),
    (lambda: sphere(1.0).rotated((0, 0, 0), 3), "rotation axis"),
    (lambda: sphere(1.0)(np.zeros((4, 2))), r"points have shape \(4, 2\)"),
    (lambda: sphere(1.0)([[0, 0, np.nan]]), "1 of 1 points are not finite"),
    (lambda: sphere(1.0)("here"), "cannot be read as numbers"),
    (lambda: Sdf.from_grid(np.zeros((3, 3)), (0, 0, 0), 1.0), r"shape \(3, 3\)"),
    (lambda: Sdf.from_grid(np.zeros((3, 3, 1)), (0, 0, 0), 1.0), "each at least 2"),
    (lambda: Sdf.from_grid(np.full((3, 3, 3), np.inf), (0, 0, 0), 1.0), "27 of 27 grid values are not finite"),
    (lambda: Sdf.from_grid(np.zeros((3, 3, 3)), (0, 0, 0), 0.0), "grid spacing is 0.0"),
])  # fmt: skip
def test_refusals(call, text):
    with pytest.raises(InputError, match=text):
        call()


def smooth(shape, points, place="cpu"):
    device = Device(place, "f64")
    found = device.zeros(len(points), wp.vec4d)
    args = (1, *upload([shape], device).arrays, device.array(np.asarray(points, float), wp.vec3d), found)
    device.launch(smooth_kernels("f64").probe, len(points), *args)
    return found.numpy()


def test_smooth_grids_have_a_gradient_without_jumps_that_is_the_derivative(place):
    values = np.random.default_rng(3).normal(size=(5, 2, 4))  # rough: any jump shows
    grid = Sdf.from_grid(values, (0.1, -0.2, 0.3), (0.2, 0.3, 0.1))
    points = np.random.default_rng(4).uniform((-0.1, -0.4, 0.1), (1.1, 0.3, 0.8), (3000, 3))
    on = (
        np.arange(3000),
        np.arange(3000) % 3,
    )  # one coordinate of each between cells or in the middle of one, where pieces meet
    low, step = np.array([0.1, -0.2, 0.3]), np.array([0.2, 0.3, 0.1])
    points[on] = (low + 0.5 * step * np.round(2 * (points - low) / step))[on]
    high = low + step * (np.array(values.shape) - 1)
    inside = ((points > low + 1e-6) & (points < high - 1e-6)).all(axis=1)
    border = ((np.abs(points - low) < 1e-6) | (np.abs(points - high) < 1e-6)).any(axis=1)
    here, h = smooth(grid, points, place), 1e-7
    for axis in range(3):
        aside = h * np.eye(3)[axis]
        after, before = smooth(grid, points + aside, place), smooth(grid, points - aside, place)
        difference = (after[:, 3] - before[:, 3]) / (2 * h)
        assert np.abs(difference - here[:, axis])[~border].max() < 1e-4 * np.abs(here[:, :3]).max()
        assert np.abs(after - before)[inside, :3].max() < 2e-4 * np.abs(here[:, :3]).max()
        # no steeper than the samples, which is what continuous detection relies on
        steepest = np.abs(np.diff(values, axis=axis)).max() / grid.program[0].shape[axis]
        assert np.abs(here[inside, axis]).max() <= steepest
    jumps = grid.gradient(points + h) - grid.gradient(points - h)
    assert np.abs(jumps[inside]).max() > 0.1 * np.abs(here[:, :3]).max()  # the trilinear one has them


def test_smooth_grids_keep_planes_and_shift_a_ball_by_what_the_spline_takes(place):
    axes = 0.1 * np.arange(-6, 7)
    at = np.stack(np.meshgrid(axes, axes, axes, indexing="ij"), axis=-1)
    slope = np.array([0.6, -0.64, 0.48])
    points = np.random.default_rng(5).uniform(-0.6, 0.6, (500, 3))
    found = smooth(Sdf.from_grid(at @ slope, (-0.6,) * 3, 0.1), points, place)
    assert np.abs(found - np.c_[np.tile(slope, (500, 1)), points @ slope]).max() < 1e-13
    near = points[np.abs(norm(points) - 0.4) < 0.1]
    ball = smooth(Sdf.from_grid(norm(at) - 0.4, (-0.6,) * 3, 0.1), near, place)[:, 3] - (norm(near) - 0.4)
    assert np.abs(ball * norm(near) - 2 * 0.1**2 / 8).max() < 1e-3  # h²/8 of its Laplacian, 2/r
