"""Markers on a body: residuals and derivatives, gaps, names, pairs found anew, and where they are in the scene."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import GemanMcClure, Huber, Markers, Quadratic, UnlabelledMarkers, aligned

from .differences import check

TURN, SHIFT = np.array([0.2, -0.5, 0.9]), np.array([0.3, 0.1, -0.2])
AT = np.array([[0.28, 0.02, 0.03], [0.2, 0.07, 0.11], [0.11, 0.05, 0.05], [0.3, 0.1, 0.0]])  # the second stands off


def beam(shape=None):
    law = pl.StableNeoHookean(young=2e4, poisson=0.35, density=1100)
    shape = pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)) if shape is None else shape
    return pl.Simulation(pl.Scene(pl.Body(shape, law, pinned=lambda X: X[:, 0] < 1e-9)), pl.BDF2(0.02))


def bent(sim: pl.Simulation) -> np.ndarray:
    x = sim.x
    return x + np.random.default_rng(0).normal(scale=0.004, size=x.shape) + 0.3 * x[:, :1] ** 2 * (0, 0, -1)


def away(points: np.ndarray) -> np.ndarray:
    """As a camera that stands elsewhere sees them: R p + shift gives them back."""
    from scipy.spatial.transform import Rotation

    return (points - SHIFT) @ Rotation.from_rotvec(TURN).as_matrix()


@pytest.mark.parametrize("loss", [Quadratic(), Huber(0.005), GemanMcClure(0.004)], ids=lambda loss: type(loss).__name__)
@pytest.mark.parametrize("kind", [Markers, UnlabelledMarkers])
def test_derivatives(kind, loss):
    sim = beam()
    x = bent(sim)
    positions = np.repeat(away(AT)[None], 3, axis=0)
    positions[1, 2] = np.nan
    seen = kind(positions, [0, 0.1, 0.2], at=AT, loss=loss, sigma=0.1, rotation=TURN, shift=SHIFT).bound(sim)
    assert seen.numbers == 33
    residual = check(seen, x, frame=1)
    assert residual.r.shape == (9,) and check(seen, x).r.shape == (12,)
    still = seen.at(0, sim.world.rest, seen.parameters)
    assert np.abs(still.r).max() < 1e-12  # the body at rest is where it was seen


def test_markers_ride_on_lattices_and_sheets():
    bar = pl.Lattice(pl.box((0.3, 0.1, 0.1), (0.15, 0.05, 0.05)), 0.05)
    cloth = pl.Membrane(pl.cloth_grid((0.3, 0.1), (6, 2)), thickness=1e-3)
    for shape in (bar, cloth):
        sim = beam(shape)
        seen = Markers(AT[None] + 0.01, [0.0], at=AT).bound(sim)
        residual = check(seen, bent(sim))
        assert residual.r.shape == (12,)
        assert np.allclose(seen.at(0, sim.world.rest, seen.parameters).r, -0.01)


def test_pairs_are_the_nearest():
    """Points in any order, with a ghost or with one missing."""
    sim = beam()
    order = [2, 0, 3, 1]
    frames = np.full((2, 5, 3), np.nan)
    frames[0, :4], frames[0, 4], frames[1, :3] = AT[order], (0.4, 0.4, 0.4), AT[order[:3]]
    seen = UnlabelledMarkers(frames, [0, 1], at=AT).bound(sim)
    assert seen.numbers == 21
    for frame in (0, 1):
        assert np.abs(seen.at(frame, sim.world.rest, seen.parameters).r).max() < 1e-12


def test_names_choose_and_the_first_frame_places():
    frames = np.repeat(AT[None], 2, axis=0)
    named = Markers(frames, [0, 1], names=["a", "b", "c", "d"], at={"d": AT[3], "a": AT[0]})
    assert named.names == ("d", "a") and np.array_equal(named.positions[0], AT[[3, 0]])
    assert np.array_equal(Markers(frames, [0, 1]).at, AT)


def test_aligned_finds_the_motion():
    seen = away(AT)
    rotation, shift = aligned(np.vstack([seen, [np.nan] * 3]), np.vstack([AT, [0, 0, 0]]))
    assert np.allclose(rotation, TURN) and np.allclose(shift, SHIFT)


def test_losses_are_smooth_and_bounded():
    d = np.linspace(0, 0.05, 2001)
    for loss in (Quadratic(), Huber(0.01), GemanMcClure(0.01), GemanMcClure(0.01, far=0.0)):
        g, slope = loss.root(d)
        step = d[1] - d[0]
        assert np.abs((g[2:] - g[:-2]) / (2 * step) - slope[1:-1]).max() < 0.02
        assert g[0] == 0 and slope[0] == pytest.approx(1.0)
    pulls = {loss.far: loss.root(np.array([1.0])) for loss in (GemanMcClure(0.01, far=0.0), GemanMcClure(0.01))}
    assert pulls[0.0][0] * pulls[0.0][1] < 1e-7  # far points have no pull without a far field
    assert pulls[0.05][0] * pulls[0.05][1] == pytest.approx(0.05 * 0.01, rel=1e-3)


def test_what_cannot_be_is_said():
    sim, frames = beam(), np.repeat(AT[None], 2, axis=0)
    hidden = frames.copy()
    hidden[0, 1] = np.nan
    for wrong, sentence in [
        (lambda: Markers(frames, [0.0]), "2 frames"),
        (lambda: Markers(frames, [0.0, 0.0]), "not later"),
        (lambda: Markers(hidden, [0, 1]), "not seen in the first frame"),
        (lambda: Markers(frames[0], [0, 1]), "frames, markers, 3"),
        (lambda: Markers(np.full((2, 3, 3), np.nan), [0, 1]), "NaN for markers"),
        (lambda: Markers(frames, [0, 1], names=["tip", "b", "c", "d"], at={"tipp": AT[0]}), "did you mean 'tip'"),
        (lambda: Markers(frames, [0, 1], names=["a", "a", "c", "d"]), "3 of them distinct"),
        (lambda: Markers(frames, [0, 1], at=AT[:2]), "2 have a place"),
        (lambda: Markers(frames, [0, 1], body=1).bound(sim), "number of a body"),
        (lambda: Markers(1e3 * frames, [0, 1]).bound(sim), "are these millimetres"),
        (lambda: Markers(1e3 * frames, [0, 1], at=AT).bound(sim), "frame 0 extends.*are these millimetres.*0.001"),
        (lambda: UnlabelledMarkers(1e3 * frames, [0, 1], at=AT).bound(sim), "are these millimetres"),
        (lambda: Markers(frames + 9, [0, 1]).bound(sim), "aligned"),
        (lambda: aligned(AT[:2], AT[:2]), "three or more"),
        (lambda: Huber(-1.0), "positive"),
        (lambda: GemanMcClure(0.1, far=2.0), "share"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()
