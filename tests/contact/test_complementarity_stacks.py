"""Contact by complementarity where bodies depend on each other through many contacts, and directions turn within a step."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest

import pliant as pl
from pliant.contact.complementarity.contact_compliance import Delassus, SelectedInverse

ONCE = pl.Newton(iterations=1)
SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)


@dataclass(frozen=True)
class Diagonal(SelectedInverse):
    """Each contact row for itself: what the compliance must not be."""

    def matrix(self, kept, inverse, rows):
        W = super().matrix(kept, inverse, rows)
        return Delassus.of(np.diag(np.diag(W.numpy())), W.device)


def stack(densities, stiffnesses, steps, compliance=None, cells=(1, 1, 1), gap=1e-3):
    """Blocks on each other, each turned a little, on a floor; how far they have moved from one another, and the last report."""
    bodies = []
    for i, (density, young) in enumerate(zip(densities, stiffnesses)):
        mesh = pl.tet_grid((0.1, 0.1, 0.1), cells).rotated((0, 0, 1), 7 * i)
        mesh = mesh.translated((0, 0, i * (0.1 + gap) - mesh.vertices[:, 2].min()))
        bodies.append(pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3, density=density), name=f"block {i}"))
    response = pl.contact.Complementarity(gap=gap, compliance=compliance or SelectedInverse())
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=ONCE))
    start, report = sim.x, None
    for _ in range(steps):
        report = sim.step()
        if not report.kept or np.abs(sim.x - start).max() > 1.0:
            break
    return np.abs(sim.x - start).max(), report


def test_a_report_says_where_sweeps_were_too_few():
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 1), origin=(0, 0, 0))
    for sweeps, said in ((1, True), (1000, False)):
        response = pl.contact.Complementarity(sweeps=sweeps)
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, density=1000.0), velocity=(0, 0, -1.0))
        scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3, response=response))
        report = pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=ONCE)).step()
        assert ("sweeps" in report.why) == said


def test_a_block_256_times_as_heavy_lies_on_another():
    moved, report = stack((1000.0, 256e3), (1e7, 1e7), 40)
    assert report.kept and report.contacts >= 8
    assert moved < 0.01 and report.worst_gap > -1e-4  # it yields by 4 mm under 2.5 kN


def test_a_stack_of_soft_and_stiff_blocks_stands_and_would_not_with_each_contact_by_itself():
    densities, stiffnesses = (1000.0,) * 4, (1e5, 1e6, 1e5, 1e6)
    moved, report = stack(densities, stiffnesses, 20, cells=(2, 2, 1))
    assert report.kept and moved < 0.03 and report.worst_gap > -1e-4
    moved, report = stack(densities, stiffnesses, 20, Diagonal(), (2, 2, 1))
    assert not report.kept or moved > 0.1


def test_a_body_that_falls_with_the_one_below_does_not_go_into_it_when_that_one_lands():
    """Without forces they fall side by side: only the floor's force makes them meet, within the step."""
    bodies = [
        pl.Body(pl.tet_grid((0.1, 0.1, 0.03), (3, 3, 1), origin=(0, 0, 0.001 + 0.031 * k)), SOFT, name=f"pad {k}")
        for k in range(3)
    ]
    response = pl.contact.Complementarity()
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.5, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=ONCE))
    for _ in range(8):
        assert sim.step().kept
        pads = np.split(sim.x[:, 2], 3)
        assert all(upper.min() > lower.max() for lower, upper in pairwise(pads))


@pytest.mark.parametrize("refresh", [1, 3])
def test_directions_taken_anew_keep_out_of_what_is_curved(refresh):
    """A block that slides fast over a ball, linearised once in a step: directions of where it leads keep it outside."""
    depth = []
    for recursions in (1, 4):
        mesh = pl.tet_grid((0.05, 0.05, 0.05), (1, 1, 1))
        mesh = mesh.translated((-0.025, -0.025, 0.1 - mesh.vertices[:, 2].min()))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000.0), velocity=(1.5, 0, -0.5))
        response = pl.contact.Complementarity(recursions=recursions, refresh=refresh)
        scene = pl.Scene([body], obstacles=[pl.sphere(0.1)], contact=pl.Contact(response=response))
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=ONCE))
        worst = 0.0
        for _ in range(6):
            assert sim.step().kept
            worst = min(worst, (np.linalg.norm(sim.x, axis=1) - 0.1).min())
        depth.append(-worst)
    assert depth[1] <= 0.2 * depth[0] or depth[1] < 1e-6


@pytest.mark.parametrize(("young", "precision"), [(1e9, "f32"), (1e10, "f64")])
def test_what_is_as_stiff_as_plastic_or_wood_lands_as_a_softer_body_does(young, precision):
    """Askew on a floor, with what is chosen unless told: in f32 solves and compliance had parted by what rounding does to either
    half of a matrix, and parts of steps, once taken, never grew again."""
    mesh = pl.tet_grid((0.1, 0.08, 0.06), (2, 2, 2)).rotated((1, 0.3, 0.2), 7.0)
    mesh = mesh.translated((0, 0, 0.01 - mesh.vertices[:, 2].min()))

    def landed(young, precision):
        body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3, density=1000))
        contact = pl.Contact(friction=0.3, response=pl.contact.Complementarity())
        scene = pl.Scene([body], obstacles=[pl.plane(z=0)], contact=contact)
        sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision)
        run = sim.run(seconds=0.1, fields=())
        assert run.worst_gap.min() > -1e-6
        return run.positions[-1]

    assert np.abs(landed(young, precision) - landed(1e8, "f64")).max() < 2e-4  # m: it fell by a hundred times that
