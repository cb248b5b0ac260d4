"""Steps that end by the distance that is left, and nodes that are guided around obstacles."""

import dataclasses

import numpy as np
import pytest

import pliant as pl
from pliant import linear, solver
from pliant.errors import InputError

STEPS = 22  # of a cloth: it falls, lands and hangs down


def landing(newton: pl.Newton, precision: str = "f64", stiffness: float | None = None) -> pl.Simulation:
    """A cloth of 100 nodes that falls askew on a ball; ``stiffness`` [N/m] of contact, None for that of the material."""
    flat = pl.cloth_grid((0.3, 0.3), (9, 9)).translated((-0.15, -0.15, 0.0)).rotated((0, 0, 1), 10)
    law = pl.StableNeoHookean(young=1e6, poisson=0.3, density=500.0)
    cloth = pl.Body(pl.Membrane(flat.translated((0.004, 0.01, 0.11)), thickness=5e-4), law)
    contact = pl.Contact(friction=0.3, thickness=True, response=None, stiffness=stiffness)
    scene = pl.Scene([cloth], obstacles=[pl.Obstacle(pl.sphere(0.1))], contact=contact)
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 60, newton, splits=0), precision=precision)


def lying(newton: pl.Newton) -> pl.Simulation:
    """A block that is dropped on a floor and slides."""
    block = pl.Body(
        pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3), origin=(0, 0, 0.003)),
        pl.StableNeoHookean(young=1e5, poisson=0.4, density=1000.0),
        velocity=(0.5, 0, -1.0),
    )
    scene = pl.Scene([block], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 60, newton, splits=0))


@dataclasses.dataclass(frozen=True)
class Compared(pl.Newton):
    """Goes on to a tight solution after each solve, and keeps the first."""

    away: list = dataclasses.field(default_factory=list, compare=False)

    def solve(self, objective, x):
        found, kept = super().solve(objective, x), x.numpy().copy()
        pl.Newton(linear=self.linear, tolerance=1e-10).solve(objective, x)
        self.away.append(np.linalg.norm(x.numpy() - kept, axis=1).max())
        x.assign(kept)
        return found


@pytest.mark.parametrize("scene", [landing, lying])
@pytest.mark.parametrize("share", [1e-2, 1e-4])
def test_what_is_left_is_below_the_share_that_was_asked(scene, share):
    newton = Compared(linear=linear.Direct(), tolerance=solver.Distance(share=share))
    sim = scene(newton)
    reports = [sim.step() for _ in range(STEPS)]
    least = 1e-6 * sim.world.objective.extents.max()
    assert all(report.converged and report.ok for report in reports)
    for report, away in zip(reports, newton.away, strict=True):
        assert away <= max(share * report.motion, least)
    ended = [report for report in reports if "within" in report.why]
    assert (ended or scene is lying) and all(0 < r.error <= max(share * r.motion, least) for r in ended)


def test_single_precision_calls_converged_only_what_is():
    newton = Compared(linear=linear.Direct(), tolerance=solver.Distance(share=1e-3))
    sim, met = (
        landing(newton, "f32", stiffness=100.0),
        0,
    )  # a stiffer contact leaves noise in f32 that no solve takes off
    for step in range(STEPS):
        report = sim.step()
        assert report.kept
        if report.converged:
            met += 1
            assert newton.away[step] <= max(1e-3 * report.motion, 1e-5 * sim.world.objective.extents.max())
    assert met > STEPS / 2


def test_a_distance_takes_fewer_iterations_than_forces():
    counts = []
    for tolerance in (None, solver.Distance(share=1e-2)):
        sim = landing(pl.Newton(linear=linear.Direct(), tolerance=tolerance))
        counts.append(sum(sim.step().iterations for _ in range(STEPS)))
    assert counts[1] < 0.9 * counts[0]


def test_conjugate_gradients_end_by_distance_too():
    newton = Compared(tolerance=solver.Distance())
    sim = lying(newton)
    for _ in range(8):
        report = sim.step()
        assert report.converged and newton.away[-1] <= max(1e-4 * report.motion, 1e-7)


def test_bad_distances_and_contact_with_gaps_are_refused():
    with pytest.raises(InputError, match=r"Distance\(share=…\)"):
        solver.Distance(share=0)
    with pytest.raises(InputError, match=r"Distance\(least=…\)"):
        solver.Distance(least=-1.0)
    floor, law = [pl.plane(z=0.0)], pl.Contact(response=pl.contact.Complementarity())
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(0, 0, 0.1)), pl.StableNeoHookean(young=1e5))
    with pytest.raises(InputError, match="judged by residuals"):
        newton = pl.Newton(tolerance=solver.Distance(), linear=linear.Direct())
        pl.Simulation(pl.Scene([body], obstacles=floor, contact=law), pl.ImplicitEuler(1 / 60, newton))
