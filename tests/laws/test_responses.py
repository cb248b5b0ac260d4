"""What each response of contact keeps to, for a pair of free bodies and for one that lies on another."""

import numpy as np
import pytest

import pliant as pl

RESPONSES = {
    "barrier": pl.contact.Barrier(reach=0.004),
    "complementarity": pl.contact.Complementarity(),
    "penalty": pl.contact.Penalty(),
}
SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)
LARGE = pl.tet_grid((0.1, 0.08, 0.06), (2, 1, 1), origin=(0, 0, 0))
SMALL = pl.tet_grid((0.04, 0.03, 0.03), (1, 1, 1)).rotated((1, 2, 0.3), 25.0)
SMALL = SMALL.translated((0.045, 0.035, 0.065 - SMALL.vertices[:, 2].min()))
TURN = ((0.3, 1.0, -0.4), 70.0)


def met(response, turned: bool, friction: float = 0.3) -> tuple[pl.Simulation, list[pl.extend.Report], np.ndarray]:
    """A small body that flies against a large one and slips on it, both free; reports, and the total energy all the way."""
    place = (lambda mesh: mesh.rotated(*TURN)) if turned else (lambda mesh: mesh)
    speed = place(pl.PointCloud([(0.3, 0.1, -1.0)])).vertices[0]
    bodies = [pl.Body(place(LARGE), SOFT, name="large"), pl.Body(place(SMALL), SOFT, velocity=speed, name="small")]
    scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=pl.Contact(friction=friction, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 200, pl.Newton(tolerance=1e-9)))
    energy, reports = [sim.energies()["total"]], []
    for _ in range(10):
        reports.append(sim.step())
        assert reports[-1].kept, reports[-1].why
        energy.append(sim.energies()["total"])
    return sim, reports, np.array(energy)


@pytest.mark.parametrize("name", RESPONSES)
def test_a_free_pair_keeps_its_momentum_gains_no_energy_and_turns_with_the_scene(name):
    sim, reports, energy = met(RESPONSES[name], False)
    mass, count = sim.world.mass[:, None], len(LARGE.vertices)
    brought = mass[count:].sum() * np.array([0.3, 0.1, -1.0])
    assert max(report.contacts for report in reports) > 0
    assert np.abs((mass * sim.v).sum(axis=0) - brought).max() < 1e-7 * np.linalg.norm(brought)
    assert (mass[:count] * sim.v[:count]).sum(axis=0)[2] < 0.5 * brought[2]  # it was pushed
    assert np.diff(energy).max() <= 1e-9 * energy[0]
    assert all(report.friction_loss >= 0 for report in reports) and sum(r.friction_loss for r in reports) > 0
    other, _, _ = met(RESPONSES[name], True)
    turned = pl.PointCloud(sim.x).rotated(*TURN).vertices
    assert np.abs(other.x - turned).max() < 1e-5 * np.abs(sim.x - sim.world.rest).max()


@pytest.mark.parametrize("name", RESPONSES)
def test_a_body_that_lies_on_another_gains_no_energy(name):
    """Nor does it begin to move, once it has come to rest; and reports tell what was found and how long that took."""
    flat = pl.tet_grid((0.06, 0.05, 0.03), (1, 1, 1)).rotated((0, 0, 1), 17.0)
    gap = 0.0039 if name == "barrier" else 0.0005
    above = flat.translated((0.05, 0.04, 0.06 + gap - flat.vertices[:, 2].min()))
    low = pl.Body(LARGE, SOFT, pinned=lambda X: X[:, 2] < 1e-9, name="low")
    high = pl.Body(above, SOFT, damping=pl.Damping(stiffness=5e-3), name="high")
    scene = pl.Scene([low, high], contact=pl.Contact(friction=0.4, response=RESPONSES[name]))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    energy, height = [sim.energies()["total"]], []
    for _ in range(30):
        report = sim.step()
        assert report.kept and 0 < report.seconds["detection"] < report.seconds["total"]
        energy.append(sim.energies()["total"])
        height.append(sim.x[:, 2].mean())
    assert report.contacts > 0 and report.iterations >= 0 and np.isfinite(report.worst_gap)
    assert np.diff(energy).max() <= 1e-4 * np.ptp(energy)  # what the tolerance of a step leaves
    assert np.ptp(height[-10:]) < 1e-5 and np.abs(sim.v).max() < 1e-3
