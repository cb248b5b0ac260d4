"""Five equal balls in a row: what a strike at one end does at the other, and what schemes take from it."""

import numpy as np
import pytest

import pliant as pl
from examples.newtons_cradle import ball

SPEED = 0.5  # m/s
DIRECT = pl.Newton(linear=pl.linear.Direct())


def struck(gap: float, integrator) -> tuple[np.ndarray, float, float]:
    """(5,) speeds along the row over that of the first after all impacts, of free balls; energy left, and momentum lost."""
    mesh = ball()
    spacing = np.ptp(mesh.vertices[:, 0]) + gap
    bodies = [
        pl.Body(
            pl.contact.Rigid(mesh.translated((spacing * i, 0, 0)), density=7800.0),
            velocity=(SPEED, 0, 0) if i == 0 else (0, 0, 0),
            name=f"ball {i}",
        )
        for i in range(5)
    ]
    contact = pl.Contact(response=pl.contact.Penalty(stiffness=1e5, reach=0.002))
    sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0), contact=contact), integrator)
    mass = sim.world.mass[:, None]
    energy, momentum = np.sum(mass * sim.v**2), (mass * sim.v).sum(axis=0)
    while sim.t < (4 * gap + 0.006) / SPEED:
        assert sim.step().kept
    left = np.abs((mass * sim.v).sum(axis=0) - momentum).max() / momentum[0]
    speeds = [np.average(sim.v[body.rows], axis=0, weights=sim.world.mass[body.rows])[0] for body in sim.bodies]
    return np.array(speeds) / SPEED, float(np.sum(mass * sim.v**2) / energy), float(left)


def test_a_strike_goes_through_a_row_of_balls():
    """Gaps wider than an impact is deep: impacts of two balls, one after the other, each an exchange of speeds."""
    speeds, energy, lost = struck(0.001, pl.Newmark(2e-4, solver=DIRECT))
    assert speeds == pytest.approx([0, 0, 0, 0, 1], abs=0.02)
    assert energy == pytest.approx(1, abs=0.01) and lost < 1e-9


@pytest.mark.slow
def test_a_row_that_touches_passes_on_less():
    """Springs that all press at once: m ẍ = k (max(x₋ − x, 0) − max(x − x₊, 0)) leaves −0.13, −0.08, −0.03, 0.30 and 0.94."""
    speeds, energy, lost = struck(0.0, pl.Newmark(2e-4, solver=DIRECT))
    assert speeds == pytest.approx([-0.132, -0.075, -0.031, 0.296, 0.942], abs=0.06)
    assert energy == pytest.approx(1, abs=0.02) and lost < 1e-9


@pytest.mark.parametrize("scheme, dt, kept", [(pl.ImplicitEuler, 5e-4, 0.21), (pl.BDF2, 5e-4, 0.71), (pl.Newmark, 2e-3, 2.65)])
def test_schemes_that_damp_take_energy_of_each_impact_and_long_steps_give_it(scheme, dt, kept):
    _, energy, lost = struck(0.001, scheme(dt, solver=DIRECT))
    assert energy == pytest.approx(kept, rel=0.1) and lost < 1e-9
