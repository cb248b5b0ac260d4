"""Scenes over many decades of stiffness, density, size and step, pulled about at random: what is called ok is finite."""

import numpy as np
import pytest

import pliant as pl

LAWS = (pl.StableNeoHookean, pl.NeoHookean, pl.Corotated, pl.Ogden, pl.StVenantKirchhoff)
SOLVERS = (
    pl.Newton(iterations=15),
    pl.Newton(iterations=15, linear=pl.linear.Direct()),
    pl.QuasiNewton(),
    pl.QuasiNewton(tolerance=1e-3),
)
SCHEMES = (pl.ImplicitEuler, pl.ImplicitMidpoint, pl.BDF2, pl.Newmark, pl.HHT)


def chosen(rng, options):
    return options[rng.integers(len(options))]


def decades(rng, low, high):
    return float(10 ** rng.uniform(low, high))


def scene(rng) -> tuple[pl.Scene, float]:
    """A cube, held or free, over a floor or not, and its size [m]."""
    size = decades(rng, -3, 2)
    law = chosen(rng, LAWS)(young=decades(rng, 0, 11), poisson=rng.uniform(0, 0.49), density=decades(rng, 0, 5))
    pinned = (lambda X: X[:, 2] < 1e-9 * size) if rng.random() < 0.5 else None
    body = pl.Body(pl.tet_grid((size,) * 3, (2, 2, 2)), law, pinned=pinned)
    return pl.Scene(body, obstacles=[pl.plane(z=-0.1 * size)] if rng.random() < 0.3 else []), size


@pytest.mark.parametrize("block", range(6))
def test_what_is_ok_is_finite(block):
    for seed in range(180 + 10 * block, 190 + 10 * block):
        rng = np.random.default_rng(seed)
        made, size = scene(rng)
        scheme = chosen(rng, SCHEMES)(dt=decades(rng, -5, 1), solver=chosen(rng, SOLVERS))
        sim = pl.Simulation(made, scheme, precision=chosen(rng, ("f32", "f64")))
        for step in range(5):
            if step in (0, 2):
                target = rng.normal(size=3) * size * decades(rng, -1, 2)
                force = {"stiffness": decades(rng, 0, 8)} if rng.random() < 0.5 else {}
                sim.grab(int(rng.integers(26)), tuple(target), handle=0, **force)
            report = sim.step()
            kept = (sim.x, sim.v, list(sim.energies().values()))
            assert all(np.isfinite(values).all() for values in kept), (seed, step, report)
            assert not report.kept or np.isfinite(report.residual), (seed, step, report)
