"""Edges against edges by springs: what crosses with no point inside the other is kept apart."""

import numpy as np
import pytest

import pliant as pl
from pliant.contact.pairs.contact_surface import Surface, joined
from pliant.contact.penalty.penalty_springs import PenaltyContact
from pliant.energy.base import Step
from pliant.runtime.device import Device

from .test_barrier_energy import gradient
from .test_penalty_springs import PENALTY, block, simulated, steps

FIRM = pl.StableNeoHookean(young=5e5, poisson=0.4, density=1000.0)
STIFF = pl.StableNeoHookean(young=1e7, poisson=0.3, density=1000.0)


def pressing_edges(sim) -> int:
    """How many pairs of two edges press."""
    near = sim.world["body contact"][0]._near
    return int(np.sum((near["gaps"].numpy() < 0) & (near["kinds"].numpy() == 1)))


def bar(size, cells, at, axis, degrees):
    """A bar with its middle at ``at``, turned about one axis."""
    mesh = pl.tet_grid(size=size, cells=cells, origin=tuple(-0.5 * s for s in size))
    return mesh.rotated(axis, degrees).translated(at)


def crossed(angle=90.0, lift=0.0, cells=(2, 1, 1)):
    """Two bars of square section, each with an edge towards the other, that touch in one place between their points."""
    wide = 0.05 * np.sqrt(0.5)
    size = (0.4, 0.05, 0.05)
    below = bar(size, cells, (0.011, 0, 0), (1, 0, 0), 45.0)
    above = bar(size, cells, (0, 0.017, 2 * wide + lift), (1, 0, 0), 45.0).rotated((0, 0, 1), angle)
    return below, above


def pinned_ends(mesh):
    low, high = mesh.vertices[:, 0].min(), mesh.vertices[:, 0].max()
    return (mesh.vertices[:, 0] < low + 0.01) | (mesh.vertices[:, 0] > high - 0.01)


@pytest.mark.parametrize("solver", [pl.Newton(), pl.QuasiNewton(iterations=10)], ids=["Newton", "quasi-Newton"])
def test_crossed_bars_do_not_pass(solver):
    below, above = crossed(70.0, 0.002)
    bodies = [pl.Body(below, FIRM, pinned=pinned_ends(below)), pl.Body(above, FIRM, damping=pl.Damping(mass=2.0))]
    sim = simulated(bodies, 0.6, solver=solver)
    steps(sim, 25)
    heights = [sim.x[body.rows][:, 2].mean() for body in sim.bodies]
    assert heights[1] > heights[0] + 0.05 and pressing_edges(sim) > 0
    assert np.abs(sim.v[sim.bodies[1].rows].mean(axis=0)[2]) < 0.15


def edges_alone(friction, angle, precision="f64"):
    """Two tetrahedra with an edge each towards the other, that cross at an angle; friction that has been pulled."""
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    low = np.array([[-0.5, 0, 0], [0.6, 0, 0], [0, 0.3, -0.5], [0, -0.4, -0.5]])
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    high = np.array([[-0.45, 0.02, 0], [0.5, 0, 0.01], [0, 0.35, 0.5], [0, -0.3, 0.55]])
    high = high @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + [0.03, 0.02, -0.05]
    tri = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    surfaces, first = [], 0
    for vertices, triangles in ((low, tri[:, ::-1]), (high, tri)):
        edges = np.array([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)])
        nodes = np.arange(4)[:, None] + first
        area, thin = np.full(4, 0.02), np.zeros(4)
        rest = vertices @ turn.T
        surfaces.append(Surface(nodes, np.ones((4, 1)), triangles, edges, np.zeros(4, int), area, thin, rest, np.array([False])))
        first += 4
    surface, x = joined(surfaces), np.concatenate([s.rest for s in surfaces])
    device = Device("cpu", precision)
    energy = PenaltyContact(
        device, surface, np.full(2, 1e4), np.full(8, 0.3), 0.3, 8, np.zeros(2, int), np.ones(2, int), friction
    )
    at = device.array(x, device.types.position)
    energy.begin(Step(at, 0.0))
    energy.accept(at, 0.0)
    x = x + 0.01 * (np.arange(8) >= 4)[:, None] * (turn @ [1.0, 0.4, 0.0])
    energy.begin(Step(device.array(x, device.types.position), 0.0))
    return energy, x


@pytest.mark.parametrize("friction", [0.0, 0.4], ids=["smooth", "rough"])
@pytest.mark.parametrize("angle", [80.0, 12.0, 8.0], ids="{:.0f}°".format)
def test_gradient_and_tangent_are_derivatives(angle, friction):
    """Also where edges are so near to parallel that their energy fades, from 17° on."""
    energy, x = edges_alone(friction, angle)
    device, types = energy.device, energy.device.types
    u = np.random.default_rng(1).normal(size=x.shape)
    value = lambda y: energy.value(device.array(y, types.position))
    tangent = device.zeros(len(x), types.vec3)
    assert value(x) > 0 and np.sum(energy._near["kinds"].numpy()[energy.gaps.numpy() < 0]) > 0
    energy.tangent(device.array(x, types.position), device.array(u, types.vec3), tangent)
    h = 1e-7
    slope = (value(x + h * u) - value(x - h * u)) / (2 * h)
    forces = gradient(energy, x)
    assert np.sum(forces * u) == pytest.approx(slope, rel=1e-6, abs=1e-9)
    change = (gradient(energy, x + h * u) - gradient(energy, x - h * u)) / (2 * h)
    assert tangent.numpy() == pytest.approx(change, abs=1e-5 * np.abs(change).max())
    size = np.abs(forces).max()
    assert forces.sum(axis=0) == pytest.approx(0, abs=1e-9 * size)
    if not friction:
        assert np.cross(x, forces).sum(axis=0) == pytest.approx(0, abs=1e-9 * size)


def test_the_matrix_has_the_whole_tangent_unless_it_is_projected():
    """Of points on faces and of crossing edges, turned away from all axes: k n nᵀ and what the turning of normals adds."""
    law = pl.StableNeoHookean(young=2e4, poisson=0.3, density=1000.0)
    above = pl.tet_grid((0.07, 0.07, 0.05), (2, 2, 1)).rotated((0.02, 0.03, 1), 11)
    above = above.translated((0.06, 0.045, 0.0491 - above.vertices[:, 2].min()))
    bodies = [pl.Body(mesh, law) for mesh in (pl.tet_grid((0.1, 0.1, 0.05), (2, 2, 1)), above)]
    sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0), contact=pl.Contact(response=pl.contact.Penalty())))
    energy, x = sim.world["body contact"][0], sim.state.x
    energy.look(x, x)
    energy.value(x)
    kinds = energy._near["kinds"].numpy()[energy.gaps.numpy() < 0]
    assert np.sum(kinds == 0) > 2 and np.sum(kinds == 1) > 1
    matrix, types = sim.world.objective.matrix(), sim.device.types
    d = sim.device.array(np.random.default_rng(2).normal(size=(len(x), 3)), types.vec3)
    for project in (False, True):
        matrix.clear()
        energy.blocks(x, matrix, project=project)
        product, tangent = sim.device.zeros(len(x), types.vec3), sim.device.zeros(len(x), types.vec3)
        matrix.multiply(1.0, d, product)
        energy.tangent(x, d, tangent, project)
        size = np.abs(tangent.numpy()).max()
        assert product.numpy() == pytest.approx(tangent.numpy(), abs=1e-6 * size)
    energy.tangent(x, d, product)
    assert np.abs(product.numpy() - tangent.numpy()).max() > 1e-3 * size


def crossing(energy, x) -> tuple[float, float]:
    """The share of k g²/2 that the pairs of the two edges have which cross, and their gap."""
    energy.value(energy.device.array(x, energy.device.types.position))
    near = energy._near
    own = (np.sort(near.pairs.pairs.numpy(), axis=1) == [0, 1, 4, 5]).all(axis=1)
    gap = near["gaps"].numpy()[own].min()
    whole = 0.5 * near["stiffness"].numpy()[own].sum() * gap**2
    return near.pairs.value.numpy()[own].sum() / (whole or 1.0), gap


def places(x) -> tuple[float, float]:
    """s and r of the nearest points of the lines of these edges."""
    u, v = x[1] - x[0], x[5] - x[4]
    return np.linalg.lstsq(np.stack([u, -v], axis=1), x[4] - x[0], rcond=None)[0]


def test_energy_fades_to_nothing_towards_parallel():
    """m = (2 − c) c, c = sin²/0.04, of the angle between the edges."""
    for angle in (40.0, 15.0, 9.0, 7.5, 6.0):
        energy, x = edges_alone(0.0, angle)
        u, v = x[1] - x[0], x[5] - x[4]
        c = min(np.sum(np.cross(u, v) ** 2) / (np.sum(u**2) * np.sum(v**2)) / 0.04, 1.0)
        assert np.all(np.abs(places(x) - 0.5) < 0.4)
        assert crossing(energy, x)[0] == pytest.approx((2 - c) * c, rel=1e-9)
    assert c < 0.3


@pytest.mark.parametrize("angle", [80.0, 8.0], ids="{:.0f}°".format)
@pytest.mark.parametrize("end", [0.96, 1.0, 1.05], ids="{:.2f}".format)
def test_energy_fades_to_nothing_where_edges_end(end, angle):
    """The upper edge is moved along itself until the lower one crosses near its end: half of the energy is left at the end, and
    none a tenth of its length beyond it; force and tangent are derivatives there."""
    energy, x = edges_alone(0.0, angle)
    (whole, gap), r = crossing(energy, x), places(x)[1]
    moved = lambda s: x + np.where(np.arange(8) >= 4, r - s, 0.0)[:, None] * (x[5] - x[4])
    device, types = energy.device, energy.device.types
    t = np.clip((1 - end + 0.1) / 0.2, 0, 1)
    y = moved(end)
    energy.begin(Step(device.array(y, types.position), 0.0))
    share, still = crossing(energy, y)
    assert share == pytest.approx(whole * t**3 * (10 - 15 * t + 6 * t**2), rel=1e-9) and still == pytest.approx(gap)
    d, h = np.random.default_rng(1).normal(size=x.shape), 1e-7
    total = lambda z: energy.value(device.array(z, types.position))
    assert np.sum(gradient(energy, y) * d) == pytest.approx((total(y + h * d) - total(y - h * d)) / (2 * h), rel=1e-6)
    tangent = device.zeros(len(x), types.vec3)
    energy.tangent(device.array(y, types.position), device.array(d, types.vec3), tangent)
    change = (gradient(energy, y + h * d) - gradient(energy, y - h * d)) / (2 * h)
    assert tangent.numpy() == pytest.approx(change, abs=1e-5 * np.abs(change).max())
    assert crossing(energy, moved(1.11)) == (0.0, 0.0)


def test_boxes_that_meet_edge_on_edge_keep_their_momentum():
    """Free, with friction, in flight towards each other: nothing but the edges meets."""
    below, above = crossed(90.0, 0.004)
    bodies = [pl.Body(below, FIRM), pl.Body(above, FIRM, velocity=(0.05, 0.02, -0.6))]
    sim = simulated(bodies, 0.3, gravity=(0, 0, 0), solver=pl.Newton(tolerance=1e-10))
    mass = sim.world.mass[:, None]
    before, energy = (mass * sim.v).sum(axis=0), np.sum(0.5 * mass * sim.v**2)
    touched = [pressing_edges(sim) for _ in range(8) if sim.step().kept]
    assert len(touched) == 8 and max(touched) > 0
    assert (mass * sim.v).sum(axis=0) == pytest.approx(before, abs=1e-8 * np.abs(mass * sim.v).sum())
    assert np.sum(0.5 * mass * sim.v**2) < energy
    speeds = [np.average(sim.v[b.rows], axis=0, weights=mass[b.rows][:, 0])[2] for b in sim.bodies]
    assert speeds[1] > speeds[0] - 0.05  # they part, or stay together


def test_a_sheet_hangs_over_an_edge():
    """Four cells of cloth on the ridge of a roof: its points are beside the ridge, and those of the roof beside the cloth."""
    roof = bar((0.6, 0.1, 0.1), (1, 1, 1), (0, 0, 0), (1, 0, 0), 45.0)
    top = roof.vertices[:, 2].max()
    sheet = pl.Membrane(pl.cloth_grid((0.2, 0.2), (4, 3)).translated((-0.1, -0.1, top + 0.003)), thickness=0.002)
    cloth = pl.Body(sheet, pl.Corotated(young=1e5, poisson=0.3, density=500.0), damping=pl.Damping(mass=5.0))
    sim = simulated([pl.Body(roof, FIRM, pinned=True), cloth], 0.5)
    steps(sim, 40)
    assert pressing_edges(sim) > 3
    own = sim.x[sim.bodies[1].rows]
    assert own[:, 2].mean() > top - 0.07 and np.abs(own.mean(axis=0)[:2]).max() < 0.04
    above = top - np.abs(own[:, 1]) - 0.004  # the planes of the roof
    assert np.all(own[:, 2] > above)


def test_a_stiff_bar_in_single_precision_on_a_soft_one():
    below, above = (mesh.translated((5.0, 3.0, 0)) for mesh in crossed(80.0, 0.001))
    bodies = [pl.Body(below, FIRM, pinned=pinned_ends(below)), pl.Body(above, STIFF, damping=pl.Damping(mass=5.0))]
    sim = simulated(bodies, 0.6, solver=pl.Newton(), precision="f32")
    steps(sim, 20)
    heights = [sim.x[body.rows][:, 2].mean() for body in sim.bodies]
    assert heights[1] > heights[0] + 0.05 and pressing_edges(sim) > 0


def test_a_fast_bar_of_another_size():
    """20 m/s, a third of a metre in a step, and edges of 1 : 20: a small bar does not fly through the edge of a large one.

    Whether it bounces off or slides down the side hangs on the last digit of where it begins.
    """
    large = bar((2.0, 0.5, 0.5), (1, 1, 1), (0, 0, 0), (1, 0, 0), 45.0)
    small = bar((0.3, 0.03, 0.03), (3, 1, 1), (0.07, 0.02, 0.8), (1, 0, 0), 45.0).rotated((0, 0, 1), 83.0)
    bodies = [pl.Body(large, STIFF, pinned=True), pl.Body(small, STIFF, velocity=(0, 0, -20.0))]
    sim = simulated(bodies, 0.3)
    steps(sim, 6)
    x, speed = sim.x[sim.bodies[1].rows], sim.v[sim.bodies[1].rows, 2].mean()
    assert np.all(np.abs(x[:, 1]) + np.abs(x[:, 2]) > large.vertices[:, 2].max() - 0.02)  # outside of the large one,
    assert x[:, 2].mean() > 0 and speed > -1.0  # on this side of it, and stopped


def test_friction_holds_a_bar_on_an_edge():
    """A bar lies across two others whose ridges lean by 11°: μ = 0.5 holds it, μ = 0.05 does not."""
    moved = {}
    for friction in (0.05, 0.5):
        rails = [bar((0.4, 0.05, 0.05), (1, 1, 1), (0, y, 0), (1, 0, 0), 45.0) for y in (-0.1, 0.1)]
        top = rails[0].vertices[:, 2].max()
        flat = bar((0.4, 0.05, 0.05), (1, 1, 1), (0, 0, top + 0.025), (0, 0, 1), 90.0)
        bodies = [pl.Body(rail, FIRM, pinned=True) for rail in rails]
        bodies.append(pl.Body(flat, FIRM, damping=pl.Damping(mass=1.0)))
        sim = simulated(bodies, friction, gravity=(0.2 * 9.81, 0, -9.81))
        steps(sim, 20)
        before = sim.x[sim.bodies[2].rows].mean(axis=0)
        steps(sim, 10)
        moved[friction] = (sim.x[sim.bodies[2].rows].mean(axis=0) - before)[0]
        assert pressing_edges(sim) > 1
    assert moved[0.05] > 0.02 and abs(moved[0.5]) < 1e-4


def test_scenes_of_a_batch_have_their_own_edges():
    def scene(friction_free):
        below, above = crossed(70.0, -0.001)
        bodies = [pl.Body(below, FIRM, pinned=pinned_ends(below)), pl.Body(above, friction_free)]
        return pl.Scene(bodies, contact=pl.Contact(friction=0.2, response=PENALTY))

    laws = [pl.StableNeoHookean(young=young, poisson=0.3) for young in (2e4, 5e4)]
    solver = pl.ImplicitEuler(1 / 60, pl.QuasiNewton(tolerance=1e-6, iterations=200))
    batch, alone = pl.Batch([scene(law) for law in laws], solver), pl.Simulation(scene(laws[1]), solver)
    for _ in range(4):
        reports = batch.step()
        assert all(report.kept for report in reports)
        own = alone.step()
        assert own.kept and own.contacts == reports[1].contacts > 0
    assert np.asarray(batch.x)[1] == pytest.approx(alone.x, abs=2e-6)


def test_a_checkpoint_goes_on_bit_for_bit(tmp_path):
    below, above = crossed(70.0, 0.001)
    bodies = [pl.Body(below, FIRM, pinned=pinned_ends(below)), pl.Body(above, FIRM)]
    sim = simulated(bodies, 0.4)
    steps(sim, 8)
    assert pressing_edges(sim) > 0
    sim.save(tmp_path / "bars.npz")
    other = pl.Simulation.load(tmp_path / "bars.npz")
    steps(sim, 3), steps(other, 3)
    assert np.array_equal(sim.x, other.x)


def test_what_is_far_apart_is_not_looked_at():
    bodies = [pl.Body(block((0.1,) * 3, (2, 2, 2), (0.5 * i, 0, 0)), FIRM) for i in range(2)]
    sim = simulated(bodies, 0.3)
    steps(sim, 2)
    energy = sim.world["body contact"][0]
    assert not energy.is_near and not energy._both


def test_edges_that_turn_past_each_other_keep_their_sides():
    """u × v points the other way then, and what is apart would be deep."""
    energy, x = edges_alone(0.0, 20.0)

    def deepest(y):
        """The gap of the two edges that cross."""
        energy.value(energy.device.array(y, energy.device.types.position))
        own = (np.sort(energy._near.pairs.pairs.numpy(), axis=1) == [0, 1, 4, 5]).all(axis=1)
        assert own.any()
        return energy.gaps.numpy()[own].min()

    up, c, s = np.cross(x[1] - x[0], x[5] - x[4]), np.cos(np.radians(40)), np.sin(np.radians(40))
    up *= np.sign(np.dot(up, x[6] - x[4])) / np.linalg.norm(up)  # away from the lower one
    across = np.cross(up, np.eye(3))
    arm = x[4:] - x[4:6].mean(axis=0)
    turned = {way: c * arm + way * s * arm @ across + (1 - c) * np.outer(arm @ up, up) for way in (-1, 1)}
    signs = {}
    for way, there in turned.items():
        y = np.concatenate([x[:4], there + x[4:6].mean(axis=0)])
        signs[way] = np.sign(np.dot(np.cross(y[1] - y[0], y[5] - y[4]), np.cross(x[1] - x[0], x[5] - x[4])))
        assert deepest(y) == pytest.approx(deepest(x), rel=0.3)  # they cross where they did, as deep
        apart = np.concatenate([y[:4], y[4:] + 0.2 * up])
        assert deepest(apart) == 0
    assert sorted(signs.values()) == [-1, 1]  # one of the two has turned past


@pytest.mark.parametrize(
    "cells, turn, along, young, friction, steps",
    [
        pytest.param((10, 6), 24.3, 0.154, 2e5, 0.0, 12, id="parallel where a step begins"),
        pytest.param((9, 5), 88.9, 0.182, 2e5, 0.6, 20, id="slid behind while parallel", marks=pytest.mark.slow),
    ],
)
def test_coarse_sheets_drape_over_the_edges_of_a_beam(cells, turn, along, young, friction, steps):
    """Pairs of edges that have been parallel, centimetres apart, were taken for deep ones: every other sheet did not converge."""
    cloth = pl.cloth_grid((0.4, 0.25), cells, origin=(-0.2, -0.125, 0)).rotated((0, 0, 1), turn)
    sheet = pl.Body(pl.Membrane(cloth.translated((along, 0.05, 0.16)), thickness=1e-3), pl.StableNeoHookean(young=1e5))
    beam = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2))
    held = pl.Body(beam, pl.StableNeoHookean(young=young), pinned=lambda X: X[:, 0] < 1e-9)
    contact = pl.Contact(friction=friction, response=pl.contact.Penalty())
    sim = pl.Simulation(pl.Scene([held, sheet], [pl.plane(z=-0.01)], contact=contact))
    for _ in range(steps):
        assert sim.step().kept
    low = sim.bodies[1].x[:, 2].min()
    assert low > -0.011 and sim.energies()["body contact"] < 1e-2
