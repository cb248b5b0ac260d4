"""Coarse simulations first: the fine one begins where they ended, and needs fewer runs for the same answer."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, PliantWarning
from pliant.inverse import Free, GaussNewton, Markers, MultiStart, NodePositions, coarse_to_fine

PLACES = np.array([[0.3, 0.03, 0.02], [0.3, 0.09, 0.07], [0.2, 0.05, 0.1], [0.12, 0.0, 0.06]])
FREE = {(0, "young"): Free(2e3, 1e6, log=True), (None, "observation 0.delay"): Free(-0.02, 0.02)}


def beam(cells, young):
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1100)
    body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), cells), law, pinned=lambda X: X[:, 0] < 1e-9)
    return pl.Simulation(pl.Scene(body), pl.BDF2(0.02))


@pytest.fixture(scope="module")
def seen():
    """Markers of a fine beam of 20 kPa, whose clock is 5 ms late."""
    run = beam((6, 2, 2), 2e4).run(0.12)
    nodes, weights, _ = pl.Tets(pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2))).locate(PLACES)
    positions = np.einsum("mk,fmkc->fmc", weights, run.positions[:, nodes])
    return Markers(positions, run.times - 0.005, at=PLACES, sigma=1e-4)


def test_the_fine_one_begins_where_the_coarse_one_ended(seen, tmp_path):
    sims = [beam((3, 1, 1), 2e5), beam((6, 2, 2), 2e5)]
    coarse, fine = coarse_to_fine(sims, seen, FREE, progress=False, checkpoint=tmp_path / "fit.npz")
    assert fine.values[0, "young"] == pytest.approx(2e4, rel=1e-4)
    assert fine.values[None, "observation 0.delay"] == pytest.approx(0.005, abs=1e-6)
    assert coarse.values[0, "young"] != pytest.approx(2e4, rel=0.02)  # a coarse beam is too stiff
    for key in FREE:
        assert fine.path[key][0] == pytest.approx(coarse.values[key])
    assert coarse.uncertainty is None and fine.uncertainty is not None
    assert sims[1].scene.bodies[0].material.young == pytest.approx(2e4, rel=1e-4)  # it keeps what was found
    alone = pl.fit(beam((6, 2, 2), 2e5), seen, FREE, progress=False)
    assert fine.runs < alone.runs and fine.values[0, "young"] == pytest.approx(float(alone.values[0, "young"]), rel=1e-6)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["fit.0.npz", "fit.npz"]


def test_errors_of_mesh_and_step():
    """The truth has cells and steps of half the size of the finest fit; noise alone is a hundredth of what those miss."""

    def made(cells, dt, young=2e4):
        law = pl.StableNeoHookean(young=young, poisson=0.3, density=1100)
        body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), cells), law, pinned=lambda X: X[:, 0] < 1e-9)
        return pl.Simulation(pl.Scene(body), pl.BDF2(dt))

    def markers(run, cells):
        nodes, weights, _ = pl.Tets(pl.tet_grid((0.3, 0.1, 0.1), cells)).locate(PLACES)
        positions = np.einsum("mk,fmkc->fmc", weights, run.positions[:, nodes])
        return Markers(positions + 1e-5 * np.random.default_rng(0).standard_normal(positions.shape), run.times, at=PLACES)

    free = {(0, "young"): Free(2e3, 1e6, log=True)}
    seen = markers(made((12, 4, 4), 0.02).run(0.12), (12, 4, 4))
    sims = [made((3, 1, 1), 0.02, 3e4), made((6, 2, 2), 0.02, 3e4)]
    with pytest.warns(PliantWarning, match="the mesh does not explain"):
        _, fine = coarse_to_fine(sims, seen, free, GaussNewton(), progress=False)
    off = abs(float(fine.values[0, "young"]) - 2e4)
    assert float(fine.errors[0, "young"]) < 0.5 * off  # noise says nothing of it
    assert off < fine.discretisation["mesh"][0, "young"] < 10 * off
    assert "(noise)" in repr(fine) and "(mesh)" in repr(fine) and "(step)" in repr(fine)
    seen = markers(made((3, 1, 1), 0.0025).run(0.2), (3, 1, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        (alone,) = coarse_to_fine([made((3, 1, 1), 0.01, 3e4)], seen, free, GaussNewton(), progress=False)
        (twice,) = coarse_to_fine([made((3, 1, 1), 0.02, 3e4)], seen, free, GaussNewton(), progress=False)
    moved = abs(float(twice.values[0, "young"]) - float(alone.values[0, "young"]))
    assert set(alone.discretisation) == {"step"}
    assert float(alone.discretisation["step"][0, "young"]) == pytest.approx(moved, rel=0.2)  # as a whole fit says
    assert abs(float(alone.values[0, "young"]) - 2e4) < moved


def test_several_starts_are_for_the_coarse_one(seen):
    sims = [beam((3, 1, 1), 2e5), beam((3, 1, 1), 2e5)]
    free = {(0, "young"): FREE[0, "young"]}
    first, second = coarse_to_fine(sims, seen, free, MultiStart(GaussNewton(), 4, 1), progress=False)
    assert second.runs < 4 <= first.runs and second.values[0, "young"] == pytest.approx(float(first.values[0, "young"]))


def test_what_does_not_fit_together(seen):
    def many():
        law = pl.StableNeoHookean(young=np.full(24 * 5, 2e5), poisson=0.3, density=1100)
        body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2)), law, pinned=lambda X: X[:, 0] < 1e-9)
        return pl.Simulation(pl.Scene(body), pl.BDF2(0.02))

    nodes = NodePositions(beam((3, 1, 1), 2e4).run(0.04).positions)
    free = {(0, "young"): FREE[0, "young"]}
    for call, sentence in [
        (lambda: coarse_to_fine([], seen, free), "expected a list of simulations, the coarsest first"),
        (
            lambda: coarse_to_fine([beam((3, 1, 1), 2e5), many()], seen, free, GaussNewton(1)),
            "1 numbers in one simulation",
        ),
        (lambda: coarse_to_fine([beam((3, 1, 1), 2e5), beam((6, 2, 2), 2e5)], nodes, free, GaussNewton(1)), "expected"),
    ]:
        with pytest.raises(InputError, match=sentence):
            call()
