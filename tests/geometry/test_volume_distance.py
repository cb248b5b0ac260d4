"""Solids from labels, levels and distances of volumes: where the surface lies, and what is refused."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.errors import InputError
from pliant.geometry.distance.level_set import distances_to_level

VOXEL = 0.002


def grid(shape, spacing=VOXEL):
    return np.stack(np.meshgrid(*[np.arange(n) for n in shape], indexing="ij"), axis=-1) * spacing


def ball(radius, shape=(34, 34, 34), spacing=VOXEL):
    """Distance to a ball off the middle of a grid, its centre, and its volume."""
    centre = 0.5 * (np.array(shape) - 1) * spacing + np.array([0.13, -0.27, 0.31]) * VOXEL
    return np.linalg.norm(grid(shape, spacing) - centre, axis=-1) - radius, centre, 4 / 3 * np.pi * radius**3


def around(centre, radius, count=4000):
    """Points no farther from the surface of a ball than a fifth of its radius."""
    rng = np.random.default_rng(1)
    out = rng.normal(size=(count, 3))
    return centre + out / np.linalg.norm(out, axis=1)[:, None] * radius * rng.uniform(0.8, 1.2, (count, 1))


def samples_of(sdf):
    """The distances that a grid holds, and where."""
    step = sdf.program[0]
    at = grid(step.values.shape, np.array(step.shape)).reshape(-1, 3) @ step.rotation.T + step.origin
    return step.values.ravel(), at


def true_distance(at, centre, radius):
    return np.linalg.norm(at - centre, axis=1) - radius


@pytest.mark.parametrize("voxels", [10, 12])
def test_level_of_a_grey_ball(voxels):
    """Between the samples the surface is found to a tenth of a voxel, whatever the grey values are."""
    radius = voxels * VOXEL
    distance, centre, size = ball(radius)
    pictures = (np.exp(-distance / radius), np.rint(300 - 40 * np.clip(distance / VOXEL, -3, 3)).astype(np.int16))
    for values, level in zip(pictures, (1.0, 300)):
        found = pl.sdf.from_volume(pl.Volume(values, VOXEL), level=level)
        held, at = samples_of(found)
        assert np.abs(held - true_distance(at, centre, radius)).max() < 0.1 * VOXEL
        assert pl.surface(found, 0.5 * VOXEL).volume == pytest.approx(size, rel=0.01)


def test_label_of_a_ball():
    """Stairs vanish: half a voxel everywhere, a tenth on average; the volume stays."""
    radius = 12 * VOXEL
    distance, centre, size = ball(radius)
    values = np.where(distance <= 0, 5, 0).astype(np.uint8)
    values[:6, :6, :6] = 3
    volume = pl.Volume(values, VOXEL)
    found = pl.sdf.from_volume(volume, label=5)
    held, at = samples_of(found)
    error = held - true_distance(at, centre, radius)
    assert np.abs(error).max() < 0.5 * VOXEL
    skin = pl.surface(found, 0.5 * VOXEL)
    off = true_distance(skin.vertices, centre, radius)
    assert np.sqrt((off**2).mean()) < 0.1 * VOXEL and skin.volume == pytest.approx(size, rel=0.01)
    rough = pl.surface(pl.sdf.from_volume(volume, label=5, smooth=0), 0.5 * VOXEL)
    assert np.std(true_distance(rough.vertices, centre, radius)) > 1.5 * off.std()
    for both in (pl.sdf.from_volume(volume, label=(3, 5)), pl.sdf.from_volume(volume)):
        skin = pl.surface(both, 0.5 * VOXEL)
        assert pl.inspect(skin).components == 2
        assert skin.volume == pytest.approx(size + 6**3 * VOXEL**3, rel=0.015)  # the cube loses its corners


def test_smoothing_moves_no_curved_surface_to_first_order():
    """A plain Gaussian would take 3 σ²/R² off the volume of a ball."""
    radius, width = 12 * VOXEL, 2.0
    distance, _, size = ball(radius)
    values = (distance <= 0).astype(np.uint8)
    skin = pl.surface(pl.sdf.from_volume(pl.Volume(values, VOXEL), smooth=width), 0.5 * VOXEL)
    assert abs(skin.volume / size - 1) < 0.25 * 3 * width**2 / 12**2


def test_place_and_turn_of_a_volume():
    radius = 10 * VOXEL
    distance, centre, _ = ball(radius, (30, 32, 34))
    turn = Rotation.from_euler("xyz", [20, -35, 50], degrees=True).as_matrix() @ np.diag([1, 1, -1])
    moved = turn @ centre + [1, 2, 3]
    found = pl.sdf.from_volume(pl.Volume(-distance, VOXEL, (1, 2, 3), turn), level=0.0)
    points = around(moved, radius)
    assert np.abs(found(points) - true_distance(points, moved, radius)).max() < 0.2 * VOXEL
    assert np.all(found.bounds[0] < moved - radius) and np.all(found.bounds[1] > moved + radius)


def test_sheared_volumes_are_straightened():
    """A scanner whose table moves askew: columns of the matrix that are not at right angles."""
    radius, matrix = 10 * VOXEL, VOXEL * np.array([[1, 0, 0.2], [0, 1, 0], [0, 0, 0.98]])
    index = np.stack(np.meshgrid(*[np.arange(34)] * 3, indexing="ij"), axis=-1)
    centre = matrix @ [16.2, 17.1, 16.7]
    distance = np.linalg.norm(index @ matrix.T - centre, axis=-1) - radius
    volume = pl.Volume.from_affine(-distance, np.column_stack([matrix, np.zeros(3)]))
    points = around(centre, radius)
    error = pl.sdf.from_volume(volume, level=0.0)(points) - true_distance(points, centre, radius)
    assert np.abs(error).max() < 0.2 * VOXEL


def test_thick_slices():
    radius, spacing = 20 * VOXEL, np.array([1, 1, 4]) * VOXEL
    distance, centre, size = ball(radius, (50, 50, 14), spacing)
    found = pl.sdf.from_volume(pl.Volume(-distance, spacing), level=0.0)
    held, at = samples_of(found)
    assert np.abs(held - true_distance(at, centre, radius)).max() < 0.1 * spacing[2]
    assert pl.surface(found, VOXEL).volume == pytest.approx(size, rel=0.02)


def test_a_solid_cut_by_the_border_is_closed():
    """Half of it is in the picture; it ends half a voxel beyond the outermost samples."""
    radius = 10 * VOXEL
    distance, centre, size = ball(radius, (34, 34, 34))
    cut = slice(17, None)
    left = centre[2] - (17 - 0.5) * VOXEL
    cap = np.pi * (2 * radius**3 / 3 + radius**2 * left - left**3 / 3)
    for given in ({"level": 0.0}, {"label": 1}):
        values = -distance if "level" in given else (distance <= 0).astype(np.int16)
        found = pl.sdf.from_volume(pl.Volume(values[:, :, cut], VOXEL, (0, 0, 17 * VOXEL)), **given)
        skin = pl.surface(found, 0.5 * VOXEL)
        assert pl.inspect(skin).watertight and skin.volume == pytest.approx(cap, rel=0.03) and cap < 0.6 * size


def test_distances_are_taken_as_they_are():
    distance, centre, _ = ball(0.02)
    found = pl.sdf.from_volume(pl.Volume(distance, VOXEL), distance=True)
    points = around(centre, 0.02)
    assert np.allclose(found(points), pl.Sdf.from_grid(distance, (0, 0, 0), VOXEL)(points), atol=1e-15)


def test_coarser_samples():
    """A third of the samples along each axis, the same ball within a few parts of a voxel; nothing is made finer."""
    radius = 12 * VOXEL
    distance, centre, _ = ball(radius)
    volume = pl.Volume((distance < 0).astype(np.uint8), VOXEL)
    full, coarse, fine = (pl.sdf.from_volume(volume, spacing=s) for s in (None, 3 * VOXEL, 0.5 * VOXEL))
    assert samples_of(coarse)[0].size < samples_of(full)[0].size / 12
    assert samples_of(coarse)[0].size and np.array_equal(*(samples_of(s)[0] for s in (full, fine)))
    at = around(centre, radius)
    assert np.abs(coarse(at) - true_distance(at, centre, radius)).max() < 0.6 * VOXEL
    with pytest.raises(InputError, match="spacing is -1"):
        pl.sdf.from_volume(volume, spacing=-1)
    with pytest.raises(InputError, match="vanishes"):
        pl.sdf.from_volume(volume, spacing=1.0, smooth=1.0)


def test_resampled():
    shape = pl.sphere(0.1, (0.3, 0, 0)) - pl.box(0.06, (0.3, 0, 0.1))
    again = shape.resampled(0.005)
    points = around(np.array([0.3, 0, 0]), 0.1)
    points = points[np.abs(shape(points)) < 0.008]  # within the samples
    assert len(again.program) == 1 and np.abs(again(points) - shape(points)).max() < 0.003
    with pytest.raises(InputError, match="has no end"):
        pl.plane(0).resampled(0.1)
    with pytest.raises(InputError, match="use a spacing of at least"):
        shape.resampled(1e-5)


def test_a_body_from_a_label_stands_on_its_regions():
    """Labels become regions of the tets by looking them up."""
    distance, _, _ = ball(12 * VOXEL)
    values = np.where(distance <= 0, 1, 0)
    values[:, :, 17:] *= 2
    volume = pl.Volume(values, VOXEL)
    mesh = pl.tetrahedralise(pl.sdf.from_volume(volume), edge=3 * VOXEL)
    labels = volume.at(mesh.vertices[mesh.tets].mean(axis=1))
    upper = mesh.vertices[mesh.tets].mean(axis=1)[:, 2] > 16.5 * VOXEL
    assert np.mean((labels == 2) == upper) > 0.97


ONES = np.ones((3, 3, 3), int)


@pytest.mark.parametrize(
    "values, given, words",
    [
        (ONES, {"label": 2}, "no voxel has the label 2; the values are 1"),
        (0 * ONES, {}, "no voxel has the label ≠ 0; the values are 0"),
        (ONES, {"label": "liver"}, "label is 'liver'"),
        (ONES, {"label": 1, "level": 0.5}, "given together"),
        (ONES, {"smooth": -1}, "smooth is -1"),
        (ONES, {"level": 3}, "level is 3, but the values reach from 1 to 1"),
        (ONES, {"level": 1}, "expected one between"),
        (ONES, {"level": np.nan}, "level is nan"),
        (ONES * 0.5, {}, "not all labels"),
        (ONES - 3, {}, "not all labels"),
        (ONES * np.nan, {"level": 1.0}, "27 of 27 values of the volume are not finite"),
        (ONES, {"label": 1, "smooth": 19}, "vanishes when smoothed"),
        (ONES[:1] * 1.0, {"distance": True}, "at least two samples"),
    ],
)
def test_what_cannot_be_used(values, given, words):
    with pytest.raises(InputError) as caught:
        pl.sdf.from_volume(pl.Volume(values, 1.0), **given)
    assert words in str(caught.value)


def test_huge_solids_are_refused_before_they_are_made():
    values = np.broadcast_to(np.uint8(0), (600, 600, 100)).copy()
    values[0, 0, 0] = values[-1, -1, -1] = 1
    with pytest.raises(InputError, match="expected at most 3e"):
        pl.sdf.from_volume(pl.Volume(values, 0.001))
    with pytest.raises(InputError, match="expected a Volume"):
        pl.sdf.from_volume(values)


def test_no_sample_is_left_out():
    """Far from a small surface in a large grid, also with long voxels, the way is that to the surface."""
    spacing = np.array([1.0, 2.0, 5.0])
    at = grid((60, 30, 12), spacing)
    field = 12.0 - np.linalg.norm(at - [30.3, 29.1, 27.4], axis=-1)
    found = distances_to_level(field, spacing)
    assert np.abs(found + field).max() < 0.5  # a tenth of the longest voxel
    assert np.array_equal(np.sign(found), -np.sign(field))
