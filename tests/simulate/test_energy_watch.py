"""Energy without any work done, under schemes that lose energy by themselves."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.errors import PliantWarning
from pliant.simulate.scene import energy_watch

HARD = pl.Contact(friction=0.3, hardness=1e3)
WHOLE = pl.Newton(iterations=1, line_search=None)  # one whole step, whatever it does to the energy


def dropped(integrator, **more):
    cube = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, 0.3))
    body = pl.Body(cube, pl.StVenantKirchhoff(young=1e6, poisson=0.4, density=1000), **more)
    return pl.Simulation(pl.Scene([body], [pl.plane(z=0.0)], contact=HARD), integrator)


@pytest.mark.parametrize("scheme", [pl.ImplicitEuler, pl.BDF2])
def test_an_impact_that_gains_energy_is_named_once_and_in_the_report(scheme):
    sim = dropped(scheme(1 / 60, WHOLE))
    first, why, most = sim.energies()["total"], [], 0.0
    with pytest.warns(PliantWarning, match="without any work done") as seen:
        for _ in range(40):
            why.append(sim.step().why)
            most = max(most, sim.energies()["total"])
    assert [w.filename for w in seen if "without any work done" in str(w.message)] == [__file__]
    assert any("without any work done" in sentence for sentence in why)
    assert most > 2 * first


def test_a_warning_of_an_explicit_step_names_who_asked_for_it(monkeypatch):
    monkeypatch.setattr(energy_watch, "RUNAWAY", -1e9)  # any change is a gain
    monkeypatch.setattr(energy_watch, "NOISE", -1e9)
    sim = dropped(pl.SymplecticEuler(1e-5))
    with pytest.warns(PliantWarning, match="without any work done") as seen:
        for _ in range(40):
            sim.step()
    assert [w.filename for w in seen] == [__file__]


@pytest.mark.parametrize("scheme", [pl.ImplicitEuler, pl.BDF2])
def test_a_solved_impact_gains_nothing_and_is_not_named(scheme):
    sim = dropped(scheme(1 / 60))
    first = sim.energies()["total"]
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        for _ in range(60):
            sim.step()
    assert sim.energies()["total"] < 1.01 * first


def test_what_is_driven_or_put_elsewhere_is_no_gain():
    """A held end that is lifted, a hand, and a body put higher by its user, between any two looks."""
    lifted = pl.Hold(lambda X: X[:, 2] > 0.399, motion=lambda X, t: X + np.array([0, 0, 0.5 * t]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", PliantWarning)
        sim = dropped(pl.ImplicitEuler(1 / 60), effects=[lifted])
        for _ in range(40):
            sim.step()
        assert sim.energies()["total"] > 3.5
        sim = dropped(pl.ImplicitEuler(1 / 60))
        sim.grab(vertex=0, target=(0, 0, 2.0), stiffness=2e3)
        for _ in range(40):
            sim.step()
        sim = dropped(pl.ImplicitEuler(1 / 60))
        for _ in range(20):
            sim.step()
        sim.x = sim.x + np.array([0.0, 0.0, 3.0])
        for _ in range(20):
            sim.step()
