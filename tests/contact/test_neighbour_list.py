"""The neighbour list: pairs stay as long as no point has left its skin, and none is missed."""

import numpy as np
import warp as wp

import pliant as pl
from pliant.contact.barrier.barrier_energy import BarrierContact

LAW = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)


def energy_of(sim: pl.Simulation) -> BarrierContact:
    return next(energy for energy in sim.world.energies if isinstance(energy, BarrierContact))


def blocks() -> pl.Simulation:
    grid = pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3))
    bodies = [pl.Body(grid, LAW), pl.Body(grid.translated((0.013, 0.021, 0.104)), LAW)]
    contact = pl.Contact(friction=0.3, response=pl.contact.Barrier(reach=0.004))
    return pl.Simulation(pl.Scene(bodies, contact=contact, gravity=(0, 0, 0)), pl.ImplicitEuler(1 / 60))


def names(energy: BarrierContact) -> set[tuple[int, ...]]:
    """The pairs in the list that are within reach at ``at``."""
    gaps, pairs = energy.gaps.numpy()[: energy.near.count], energy.near.pairs.numpy()[: energy.near.count]
    return {tuple(pair) for pair in pairs[gaps < energy.reach].tolist()}


def test_pairs_within_the_skin_are_those_of_a_fresh_look():
    sim = blocks()
    energy, rng = energy_of(sim), np.random.default_rng(0)
    position, vec3 = sim.device.types.position, sim.device.types.vec3
    x = sim.device.array(sim.x, position)
    energy.look(x)
    for _ in range(5):
        d = 0.5 * energy.neighbours.skin * rng.uniform(-1, 1, sim.x.shape) / np.sqrt(3)
        moved = sim.device.array(sim.x + d, position)
        assert not energy.neighbours.look_along(x, sim.device.array(d, vec3))  # nothing was looked for
        energy._evaluate(moved)
        known = names(energy)
        energy.look(moved)
        energy._evaluate(moved)
        assert known == names(energy) and len(known) > 3
        energy.look(x)


def test_what_all_bodies_do_together_needs_no_other_pairs():
    sim = blocks()
    energy = energy_of(sim)
    position, vec3 = sim.device.types.position, sim.device.types.vec3
    x = sim.device.array(sim.x, position)
    energy.look(x)
    fall = np.tile((0.0, 0.3, -2.0), (len(sim.x), 1))
    assert not energy.neighbours.look_along(x, sim.device.array(fall, vec3))
    fall[:64, 2] = 0.0  # one of them stays
    assert energy.neighbours.look_along(x, sim.device.array(fall, vec3)) and not energy.neighbours.covers


def test_pairs_of_a_motion_are_those_of_all_that_stays_near_it():
    """Half of a way, what is left of it, and ways that are corrected a little, need no other pairs, and miss none."""
    sim = blocks()
    energy, rng = energy_of(sim), np.random.default_rng(1)
    position, vec3 = sim.device.types.position, sim.device.types.vec3
    around = lambda: 0.7 * energy.neighbours.skin * rng.uniform(-1, 1, sim.x.shape) / np.sqrt(3)
    d = np.zeros_like(sim.x)
    d[64:, 2] = -0.003  # the upper block, nearly onto the lower one, and all bodies far away together
    d += (0.0, 0.5, 1.0)
    fresh = energy_of(blocks())
    energy._look_along(sim.device.array(sim.x, position), sim.device.array(d, vec3))
    for share, rest in ((0.0, 1.0), (0.5, 0.5), (0.3, 0.6)):
        at, way = sim.x + share * d + around(), rest * d
        assert not energy.neighbours.look_along(sim.device.array(at, position), sim.device.array(way, vec3))
        for part in (0.0, 0.4, 1.0):
            x = sim.device.array(at + part * way, position)
            energy._evaluate(x)
            known, pairs, seen = names(energy), energy.near.count, energy.neighbours.seen.numpy()
            fresh.look(x)
            fresh._evaluate(x)
            assert known == names(fresh) and len(known) > 3
    assert energy.near.count == pairs and np.array_equal(energy.neighbours.seen.numpy(), seen)
    d[64:, 2] -= 0.02
    assert energy.neighbours.look_along(sim.device.array(sim.x, position), sim.device.array(d, vec3))


def test_room_that_one_long_motion_needed_is_given_back(monkeypatch):
    monkeypatch.setattr("pliant.contact.detect.broad_phase.SPARE", 3)
    sim = blocks()
    energy = energy_of(sim)
    x = sim.device.array(sim.x, sim.device.types.position)
    d = np.zeros_like(sim.x)
    d[64:, 2] = -0.2  # one through the other
    few = energy.candidates.capacity
    energy._look_along(x, sim.device.array(d, sim.device.types.vec3))
    many = energy.candidates.capacity
    energy.look(x)
    assert energy.candidates.capacity == many > 3 * few  # within a step
    energy.look(x, rebuild=True)
    assert energy.candidates.capacity < many / 3 and energy.near.capacity == energy.candidates.capacity
    assert sim.step().converged


def test_the_active_set_alone_is_in_the_matrix():
    sim = blocks()
    for _ in range(3):
        sim.step()
    energy, objective = energy_of(sim), sim.world.objective
    x = sim.device.array(sim.x, sim.device.types.position)
    energy.look(x)
    objective.assemble(x, True)
    press = energy.press.numpy()[: energy.near.count]
    order = energy.active.order.numpy()[: energy.active.count]
    assert 0 < energy.active.count < energy.near.count
    np.testing.assert_array_equal(order, np.flatnonzero(press > 0))


def test_bodies_that_begin_close_together_are_not_thrown_apart():
    """The reach is no more than the least gap of two bodies at rest, unless told."""
    grid = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2))
    bodies = [pl.Body(grid, LAW), pl.Body(grid.translated((0.0, 0.0, 0.1 + 2e-4)), LAW)]

    def fastest(response):
        scene = pl.Scene(bodies, contact=pl.Contact(response=response), gravity=(0, 0, 0))
        sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
        sim.run(0.2, fields=())
        return np.abs(sim.v).max(), energy_of(sim).reach

    speed, reach = fastest(pl.contact.Barrier())
    assert reach == wp.float64(2e-4) or abs(reach - 2e-4) < 1e-12
    assert speed < 1e-6 < fastest(pl.contact.Barrier(reach=0.005))[0]
