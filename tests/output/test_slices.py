"""Slices and ray-cast pictures: values in the right place, surfaces of the right size, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from runs import box_tets, swinging_run

import pliant as pl
from pliant.errors import InputError
from pliant.output.colours import colour as colours
from pliant.output.colours.label_colours import labels_of
from pliant.output.raster.plane_cuts import cut_tets, cut_triangles, tets_of
from pliant.output.raycast import RayRenderer
from pliant.output.slices import SliceRenderer

Image = pytest.importorskip("PIL.Image")
SIZE = (200, 150)


def read(path):
    return np.asarray(Image.open(path).convert("RGB"), dtype=float) / 255.0


def sliced(thing, colour=None, samples=1, limits=None, frames=1, **look):
    return SliceRenderer(thing, np.arange(frames), colour, SIZE, pl.render.Slice(**look), samples, limits)


def pixels(stage):
    """(h, w, 3) places of the pixels [m]."""
    return stage._points(*SIZE).reshape(SIZE[1], SIZE[0], 3)


@pytest.fixture(scope="module")
def bent():
    """A lattice capsule, bent by hand, as a run of one frame."""
    shape = pl.Lattice(pl.capsule((-0.08, 0, 0), (0.08, 0, 0), 0.03), 0.01)
    sim = pl.Simulation(pl.Scene(pl.Body(shape, pl.StableNeoHookean(young=1e4), name="worm"), gravity=(0, 0, 0)))
    x = sim.x
    x[:, 2] += 8 * x[:, 0] ** 2
    sim.x = x
    return sim.frame()


def test_a_field_is_linear_in_the_cut_elements(bent):
    """The height of the material at a pixel is the pixel's own height, to rounding; it fills the body's cross-section."""
    for look in ({}, {"normal": (1.0, -2.0, 0.5), "point": (0.0, 0.0, 0.02)}):
        stage = sliced(bent, "height", **look)
        found = stage._sampled(0, 1)
        there = np.isfinite(found)
        assert found[there] == pytest.approx(pixels(stage)[there][:, 2], abs=1e-6)
    stage = sliced(bent, "height")
    area = np.isfinite(stage._sampled(0, 1)).sum() * stage.pixel**2
    assert area == pytest.approx(0.16 * 0.06 + np.pi * 0.03**2, rel=0.03)  # shear keeps the area


def test_a_distance_agrees_with_the_run_and_its_contour_with_the_surface(bent):
    stage = sliced(bent)
    found = stage._sampled(0, 1)
    assert found.ravel() == pytest.approx(bent.sdf(0)(pixels(stage).reshape(-1, 3)), abs=1e-12)
    inside = np.isfinite(sliced(bent, "height")._sampled(0, 1))
    assert np.mean(inside != (found < 0)) < 0.025  # a fifth of a cell all round
    lined, plain = stage.render(0), sliced(bent, contour=False).render(0)
    dark = (lined.sum(axis=2) < 0.6) & (plain.sum(axis=2) > 0.7)
    assert dark.sum() > 100 and np.abs(found[dark]).max() < 2 * stage.pixel


def test_tets_have_slices_too(run):
    for colour in ("stress", "height", "distance"):
        stage = sliced(run, colour, frames=2, point=_inside(run))
        assert np.isfinite(stage._sampled(1, 1)).any() and stage.render(0).shape == (150, 200, 3)
    stage = sliced(_still(box_tets()), "height")
    found, z = stage._sampled(0, 1), pixels(stage)[..., 2]
    there = np.isfinite(found)
    assert there.sum() * stage.pixel**2 == pytest.approx(0.04, rel=0.02) and found[there] == pytest.approx(z[there], abs=1e-6)
    edged = sliced(_still(box_tets()), "height", cells=True, contour=False).render(0)
    assert (edged.sum(axis=2) < stage.render(0).sum(axis=2) - 0.1).sum() > 200


def _inside(run):
    """The middle of the first body."""
    return run.positions[0, run.skins[0].start : run.skins[0].stop].mean(axis=0)


def _still(mesh):
    from pliant.output.frames import as_run

    return as_run(mesh)


def test_solids_and_volumes():
    stage = sliced(pl.sphere(0.1), normal=(0, 0, 1), point=(0, 0, 0.06))
    found = stage._sampled(0, 1)
    assert (found < 0).sum() * stage.pixel**2 == pytest.approx(np.pi * 0.08**2, rel=0.01)
    values = np.arange(4 * 5 * 6).reshape(4, 5, 6)
    volume = pl.Volume(values, (0.01, 0.02, 0.03), origin=(1, 2, 3))
    stage = sliced(volume, point=(1.0, 2.041, 3.0))
    found, place = stage._sampled(0, 1), pixels(stage)
    there = np.isfinite(found)
    assert found[there] == pytest.approx(volume.at(place[there])) and set(np.unique(found[there])) == set(values[:, 2].ravel())
    assert there.sum() * stage.pixel**2 == pytest.approx(0.04 * 0.18, rel=0.03)
    assert stage.limits == (0.0, pytest.approx(values[:, 2].max(), abs=0.5))


def test_planes_through_tets_and_triangles():
    """The cut of a tet has the area known by hand, for each way the plane may lie."""
    X = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
    for height, area in ((X[:, 2] - 0.5, 0.125), (0.5 - X[:, 2], 0.125), (X[:, 0] + X[:, 1] - 0.5, 0.5 * np.sqrt(0.5))):
        found = cut_tets(np.array([[0, 1, 2, 3]]), height, X)
        size = 0.5 * np.linalg.norm(np.cross(found[:, 1] - found[:, 0], found[:, 2] - found[:, 0]), axis=1).sum()
        assert size == pytest.approx(area, rel=1e-12)
        lines = cut_triangles(np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]), height, X)
        assert len(lines) == (3 if area == 0.125 else 4)
    assert len(tets_of(_still(box_tets()).skins[0])) == len(box_tets().tets)


def test_pictures_strips_and_moving_ones(bent, tmp_path):
    for name, options in {
        "a": {"look": pl.render.Slice()},
        "b": {"look": pl.render.Slice(cells=True), "colour": "stress"},
    }.items():
        first = pl.picture(bent, tmp_path / f"{name}.png", size=SIZE, **options).read_bytes()
        assert pl.picture(bent, tmp_path / f"{name}2.png", size=SIZE, **options).read_bytes() == first
    run = swinging_run(frames=3)
    look = pl.render.Slice(point=_inside(run))
    assert read(pl.filmstrip(run, tmp_path / "s.png", frames=2, size=SIZE, look=look, colour="stress")).shape == (
        150,
        400,
        3,
    )
    pl.animation(run, tmp_path / "m.png", size=(80, 60), samples=1, look=look, colour="stress", fps=5)
    pl.picture(pl.Volume(np.eye(5)[None].repeat(5, 0), 0.01), tmp_path / "v.png", size=SIZE)


def test_a_cast_ball_covers_its_disc_and_is_lit_from_above():
    stage = RayRenderer(pl.sphere(0.1), np.zeros(1, int), (240, 240), (0, 0), pl.render.RayCast(), 2)
    image = stage.render(0)
    hue = colours.parsed(colours.body_colour(0))
    chroma, wanted = image - image.mean(axis=2, keepdims=True), hue - hue.mean()
    ball = (chroma @ wanted) > 0.3 * wanted @ wanted
    distance = np.linalg.norm(stage.camera.eye)
    radius = np.tan(np.arcsin(0.1 / distance)) / stage.camera.half / 2
    assert ball.mean() == pytest.approx(np.pi * radius**2, rel=0.02)
    rows = np.flatnonzero(ball.any(axis=1))
    light = image.sum(axis=2)
    middle = light.shape[1] // 2
    assert light[rows[0] + 15 : rows[0] + 30, middle].mean() > light[rows[-1] - 30 : rows[-1] - 15, middle].mean() + 0.3


def test_casting_runs_volumes_and_hidden_bodies(bent, tmp_path):
    both = bent.beside(bent, (0, 0.3, 0))
    for side, near in ((-90, 0), (90, 1)):  # the nearer one hides the other
        stage = RayRenderer(both, np.zeros(1, int), SIZE, (side, 1), pl.render.RayCast(), 1)
        spot = np.array([[[0.0, 0.3 * near, 0.0]] * 3])
        column, row = stage.camera.corners(spot, *SIZE, 0.01)[0][0, 0, :2].astype(int)
        seen = stage.render(0)[row, column]
        hues = [colours.parsed(h) for h in colours.BODIES[:2]]
        assert np.argmin([np.linalg.norm(seen / seen.sum() - h / h.sum()) for h in hues]) == near
    grey = np.linalg.norm(np.stack(np.meshgrid(*[np.arange(20)] * 3), -1) - 9.5, axis=-1)
    for look in (pl.render.RayCast(label=1), pl.render.RayCast()):
        pl.picture(pl.Volume((grey < 6).astype(np.uint8), 0.01), tmp_path / "v.png", size=SIZE, look=look)
    pl.picture(pl.Volume(-grey, 0.01), tmp_path / "v.png", size=SIZE, look=pl.render.RayCast(level=-6.0))
    beam = _still(box_tets())
    assert (read(pl.picture(beam, tmp_path / "t.png", size=SIZE, look=pl.render.RayCast())).std(axis=2) > 0.05).mean() > 0.05


def test_refusals(run, bent, tmp_path):
    path = tmp_path / "x.png"
    cloth = pl.Simulation(pl.Scene(pl.Body(pl.Membrane(pl.cloth_grid((1, 1), (2, 2)), 0.01), pl.Corotated(young=1e4)))).frame()
    cases = [
        (lambda: pl.render.Slice(normal=(0, 0, 0)), "normal"), (lambda: pl.render.Slice(point=(1, 2)), "point"),
        (lambda: pl.render.Slice(advection=3), "is 3; expected DirectForward"), (lambda: pl.render.RayCast(spacing=-1), "is -1"),
        (lambda: pl.picture(bent, path, look="slice"), "look is 'slice'"),
        (lambda: pl.picture(bent, path, look=pl.render.Slice(), wire=True), "cells=True"),
        (lambda: pl.picture(bent, path, look=pl.render.Slice(), colour="heat"), "no field 'heat'"),
        (lambda: pl.picture(bent, path, look=pl.render.Slice(), colour="height", limits=(1, 0)), "low < high"),
        (lambda: pl.picture(bent, path, look=pl.render.Slice(point=(0, 9, 0)), colour="height"), "meets nothing"),
        (lambda: pl.picture(bent, path, look=pl.render.RayCast(), colour="stress"), "one hue per body"),
        (lambda: pl.picture(bent, path, look=pl.render.RayCast(level=1)), "for a Volume"),
        (lambda: pl.picture(run, path, look=pl.render.RayCast()), "no solid"),
        (lambda: pl.picture(cloth, path, look=pl.render.Slice()), "no body of this run is solid"),
        (lambda: pl.picture(pl.plane(0), path), "no end"),
        (lambda: pl.picture(pl.plane(0), path, look=pl.render.Slice()), "no end"),
        (lambda: pl.picture(pl.sphere(1), path, look=pl.render.Slice(), colour="stress"), "shows its distance"),
        (lambda: pl.picture(pl.sphere(1), path, size=(1, 1)), "size is"),
    ]  # fmt: skip
    for act, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            act()
    assert not path.exists()


def test_labels_have_flat_colours_and_names_and_a_plane_through_their_middle(tmp_path):
    values = np.zeros((12, 10, 8), np.int16)
    values[:6, 7:9], values[6:, 7:9] = 3, 9
    scan = pl.Volume(values, 0.01)
    stage = sliced(scan)
    assert [(label.value, label.name) for label in stage.labels] == [(3, "3"), (9, "9")]
    assert stage.point[1] == pytest.approx(0.075)  # the middle of the grid has none of them
    seen = {tuple(np.round(255 * stage.render(0)[row, 40]).astype(int)) for row in range(24, 72)}
    assert tuple(int("#d9654f"[i : i + 2], 16) for i in (1, 3, 5)) in seen
    named = sliced(scan, labels={"tumour": 9})
    assert [(label.value, label.name) for label in named.labels] == [(9, "tumour")]
    with pytest.raises(InputError, match=r"no voxel has that label; the labels are 3, 9"):
        sliced(scan, labels={"tumour": 4})
    assert sliced(pl.Volume(values + 0.5, 0.01)).labels == ()  # numbers on a scale
    assert len({label.colour for label in labels_of(pl.Volume(np.arange(24).reshape(2, 3, 4), 0.01), None)}) == 23
    assert pl.picture(scan, tmp_path / "a.png", size=(120, 90)).stat().st_size > 500
