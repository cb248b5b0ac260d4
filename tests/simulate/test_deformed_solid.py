"""The distance of lattice bodies in simulations and runs: volume, files, runs side by side, and others that touch it."""

import numpy as np
import pytest

import pliant as pl


@pytest.fixture(scope="module")
def beam():
    """A lattice beam that hangs from one end, after it has sunk."""
    shape = pl.Lattice(pl.capsule((0, 0, 0), (0.16, 0, 0), 0.03), 0.015)
    body = pl.Body(shape, pl.StableNeoHookean(young=1e4, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9, name="beam")
    sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic(dt=1.0))
    assert sim.step().kept
    return sim


def grown(sim):
    """∫ det F over the lattice, over its volume at rest."""
    shape = sim.scene.bodies[0].shape
    F = np.einsum("mki,mqkj->mqij", sim.x[shape.nodes], shape.gradients)
    return float((np.linalg.det(F) * shape.weights).sum() / shape.weights.sum())


def test_volume_and_surface_agree_with_the_lattice(beam):
    sunk = beam.x[:, 2].min()
    assert sunk < -0.06
    volume = np.pi * 0.03**2 * (0.16 + 4 / 3 * 0.03) * grown(beam)
    coarse, found = (beam.sdf(spacing=h) for h in (0.01, 0.005))
    lost = [1 - pl.surface(f, 0.005).volume / volume for f in (coarse, found)]
    assert 0 < lost[1] < 0.05 and lost[1] < 0.4 * lost[0]  # of second order: cells of a third and a sixth of the radius
    skin = np.abs(found(beam.bodies[0].surface))
    assert skin.mean() < 0.001 and skin.max() < 0.005
    assert found.bounds[0, 2] < sunk


def test_runs_and_their_files_give_the_same_distance(beam, tmp_path):
    run = beam.frame()
    here = beam.sdf(spacing=0.0075)
    assert np.array_equal(run.sdf(spacing=0.0075).program[0].values, here.program[0].values)
    pl.export(run, tmp_path / "beam.npz")
    again = pl.read(tmp_path / "beam.npz").sdf(0, spacing=0.0075)
    points, moved = beam.bodies[0].surface, np.array([0, 0.2, 0])
    assert np.abs(again(points) - here(points)).mean() < 0.1 * 0.015  # the file holds samples of the shape, h apart
    both = run.beside(run, moved)
    assert both.sdf(body=1, spacing=0.0075)(points + moved) == pytest.approx(here(points), abs=0.05 * 0.015)


def test_damaged_files_are_refused(beam, tmp_path):
    pl.export(beam.frame(), tmp_path / "beam.npz")
    with np.load(tmp_path / "beam.npz") as archive:
        whole = dict(archive)
    cells, active = whole["skin_0_solid_cells"], whole["skin_0_solid_active"]
    for name, value in (("cells", cells + 9000), ("active", -active), ("reach", np.array(99))):
        np.savez(tmp_path / "bad.npz", **(whole | {f"skin_0_solid_{name}": value}))
        with pytest.raises(pl.errors.InputError, match=r"lattice|node"):
            pl.read(tmp_path / "bad.npz")


def test_two_bodies_touch_through_their_distances():
    """Each is the other's obstacle, in turns: a ball falls on a block, both give way, and neither goes into the other."""
    soft, h = pl.StableNeoHookean(young=2e4, poisson=0.4), 0.02
    block = pl.Lattice(pl.box((0.16, 0.16, 0.08), (0.08, 0.08, 0.04)), h)
    ball = pl.Lattice(pl.sphere(0.05, (0.08, 0.08, 0.135)), h)
    alone = {"integrator": pl.ImplicitEuler(dt=1 / 120, solver=pl.QuasiNewton(iterations=40))}
    lower = pl.Body(block, soft, pinned=lambda X: X[:, 2] < 1e-9)
    upper = pl.Body(ball, soft, velocity=(0, 0, -0.8))
    below = pl.Simulation(pl.Scene(lower, pl.Obstacle(ball.shape, name="ball")), **alone)
    above = pl.Simulation(pl.Scene(upper, pl.Obstacle(block.shape, name="block")), **alone)
    heights, depths, tops = [], [], []
    for _ in range(10):
        above.reshape("block", below.sdf())
        assert above.step().kept
        below.reshape(0, above.sdf())
        assert below.step().kept
        heights.append(above.bodies[0].x[:, 2].mean())
        depths.append(below.sdf()(above.bodies[0].surface).min())
        top = below.bodies[0].surface
        tops.append(top[np.linalg.norm(top[:, :2] - 0.08, axis=1) < 0.02, 2].max())
    assert min(tops) < 0.08 - 0.003  # the block gives way,
    assert heights[-1] > min(heights) + 0.005 and min(heights) > 0.105  # the ball comes back,
    assert min(depths) > -0.25 * h  # and they keep apart to within a quarter of a cell
    with pytest.raises(pl.errors.InputError, match="no such obstacle"):
        above.reshape("floor", block.shape)
    with pytest.raises(pl.errors.InputError, match="expected a solid"):
        above.reshape(0, block)
    with pytest.raises(pl.errors.InputError, match="no such obstacle"):
        pl.Simulation(pl.Scene(upper)).reshape(0, block.shape)
