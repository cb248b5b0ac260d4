"""How contacts give way: the ways to make W agree to rounding, and only new unknowns are solved for."""

import time
from dataclasses import replace

import numpy as np
import pytest
import warp as wp
from scipy import sparse

import pliant as pl
from pliant.contact.complementarity.accelerated_jacobi import AcceleratedJacobi
from pliant.contact.complementarity.contact_compliance import Delassus, Dense, SelectedInverse
from pliant.contact.complementarity.gauss_seidel import solve_contacts
from pliant.contact.complementarity.matrix_free import MatrixFree
from pliant.contact.complementarity.narrow_phase import Rows
from pliant.linear.cholesky import selected_inverse_device
from pliant.linear.cholesky.gpu.selected_inverse_plan import path_plan
from pliant.linear.cholesky.symbolic.symbolic_factor import analyse_blocks
from pliant.linear.factor.block_factor_device import DeviceFactored
from pliant.linear.factor.direct import Direct
from pliant.runtime.device import Device
from pliant.solve.newton.linear_system import linearised

HERE = Device("cpu", "f64")
SOFT = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)


def operator(size=5, device="cpu", precision="f64"):
    mesh = pl.tet_grid((0.3, 0.2, 0.2), (size + 2, size, size))
    body = pl.Body(mesh, SOFT, pinned=lambda X: X[:, 0] < X[:, 0].min() + 1e-6)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.01), device=device, precision=precision)
    sim.step()
    x = sim.state.x
    system = linearised(sim.world.objective, x, project=True)
    return Direct().operator(system), mesh


def levelled(inverse, place):
    """The same factor as a GPU computes and keeps it, which the CPU can do too."""
    if isinstance(inverse, DeviceFactored):
        return inverse
    factored = DeviceFactored(inverse.block, None)
    factored.take(wp.array(inverse.free.reshape(-1, 3), dtype=wp.vec3d, device=place), "f64")
    return factored


def rows_on(of, nodes, seed=0):
    """Contacts at pairs of nodes, of a mesh or of so many, with random weights and normals."""
    random, c = np.random.default_rng(seed), len(nodes)
    entries = random.normal(size=(c, 3))
    columns = np.stack([nodes, np.roll(nodes, 1), np.roll(nodes, 2)], axis=1)
    mixture = sparse.csr_matrix(
        (entries.ravel(), (np.repeat(np.arange(c), 3), columns.ravel())),
        (c, of if isinstance(of, int) else len(of.vertices)),
    )
    normal = random.normal(size=(c, 3))
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    law = (np.zeros(c, np.int32), np.zeros(c), np.zeros(c))
    return Rows(np.zeros((c, 4), np.int32), mixture, normal, np.zeros(c), np.zeros(c), np.zeros((c, 3)), *law)


def test_ways_to_make_it_agree_to_rounding():
    inverse, mesh = operator()
    rows = rows_on(mesh, np.arange(3, len(mesh.vertices), 7))
    plain = Dense().matrix({}, inverse, rows).numpy()
    isolated = SelectedInverse().matrix({}, inverse, rows).numpy()
    assert np.abs(plain - isolated).max() <= 1e-10 * np.abs(plain).max()
    J = rows.jacobian().toarray()
    assert np.allclose(plain, J @ inverse.solve_many(np.ascontiguousarray(J.T)), rtol=0, atol=1e-10 * np.abs(plain).max())


def test_reuse_solves_for_new_unknowns_only_and_changes_nothing():
    inverse, mesh = operator()
    kept = {}
    first, second = np.arange(3, 90, 7), np.arange(3, 120, 7)
    SelectedInverse().matrix(kept, inverse, rows_on(mesh, first))
    assert kept["inverse"].solved == 3 * len(first)
    again = SelectedInverse().matrix(kept, inverse, rows_on(mesh, second, seed=2)).numpy()
    assert kept["inverse"].solved == 3 * len(second)
    anew = SelectedInverse().matrix({}, inverse, rows_on(mesh, second, seed=2)).numpy()
    assert np.abs(again - anew).max() <= 1e-12 * np.abs(anew).max()


def test_a_new_factor_begins_anew():
    inverse, mesh = operator(3)
    kept, rows = {}, rows_on(mesh, np.arange(3, 60, 7))
    before = SelectedInverse().matrix(kept, inverse, rows).numpy().copy()
    inverse.block.values.assign(2.0 * inverse.block.values.numpy())
    inverse.take(wp.array(inverse.free.reshape(-1, 3), dtype=wp.vec3d), "f64")
    after = SelectedInverse().matrix(kept, inverse, rows).numpy()
    assert after == pytest.approx(0.5 * before, rel=1e-9, abs=1e-12 * np.abs(before).max())


def test_on_a_device_it_stays_there_and_is_the_same(place):
    inverse, mesh = operator(device=place)
    inverse, kept = levelled(inverse, place), {}
    few, more = np.arange(3, 90, 7), np.arange(3, len(mesh.vertices), 5)
    for nodes, seed, solved in ((few, 0, 3 * len(few)), (more, 1, None), (more, 2, None), (few, 3, None)):
        rows = rows_on(mesh, nodes, seed)
        plain, here = Dense().matrix({}, inverse, rows).numpy(), SelectedInverse().matrix(kept, inverse, rows)
        assert here.values.device == inverse.device.warp
        W = here.numpy().copy()
        assert np.array_equal(W, W.T)
        assert np.abs(W - plain).max() <= 1e-10 * np.abs(plain).max()
        assert solved is None or kept["inverse"].solved == solved
    assert kept["inverse"].solved == 3 * len(np.union1d(few, more))  # each unknown once
    anew = SelectedInverse(reuse=False).matrix(kept, inverse, rows)
    assert np.abs(anew.numpy() - W).max() <= 1e-12 * np.abs(W).max()
    assert kept["inverse"].solved > 3 * len(np.union1d(few, more))


def test_on_a_device_another_factor_replays_what_is_known_and_many_batches_become_one(place, monkeypatch):
    monkeypatch.setattr(selected_inverse_device, "BATCHES", 3)
    inverse, mesh = operator(3, place)
    inverse, kept = levelled(inverse, place), {}
    for count in (20, 30, 40, 50, 60):
        rows = rows_on(mesh, np.arange(3, count))
        W = SelectedInverse().matrix(kept, inverse, rows).numpy()
        plain = Dense().matrix({}, inverse, rows).numpy()
        assert np.abs(W - plain).max() <= 1e-10 * np.abs(plain).max()
        assert len(kept["inverse"].batches) <= 3
    known = kept["inverse"]
    for factor in (2.0, 3.0, 5.0):  # at first as it comes, then recorded, then replayed
        inverse.block.values.assign(2.0 * inverse.block.values.numpy())
        inverse.take(inverse.held, "f64")
        W, plain = SelectedInverse().matrix(kept, inverse, rows).numpy(), Dense().matrix({}, inverse, rows).numpy()
        assert kept["inverse"] is known and np.abs(W - plain).max() <= 1e-10 * np.abs(plain).max(), factor
    one = rows_on(mesh, np.arange(3, 6))  # a few of many: computed alone
    inverse.take(inverse.held, "f64")
    before = known.solved
    SelectedInverse().matrix(kept, inverse, one)
    assert known.solved - before == 9


def test_on_a_device_contacts_of_a_body_follow_those_of_another(place):
    """Two bodies share no path of the elimination."""
    bodies = [pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(z, 0, 0)), SOFT) for z in (0.0, 1.0)]
    sim = pl.Simulation(pl.Scene(bodies), pl.ImplicitEuler(dt=0.01), device=place, precision="f64")
    sim.step()
    inverse = levelled(Direct().operator(linearised(sim.world.objective, sim.state.x, project=True)), place)
    half, kept = 27, {}
    for nodes in (np.arange(5), half + np.arange(6), np.arange(3, 2 * half, 2)):
        rows = rows_on(2 * half, nodes)
        W, plain = SelectedInverse().matrix(kept, inverse, rows).numpy(), Dense().matrix({}, inverse, rows).numpy()
        assert np.abs(W - plain).max() <= 1e-10 * np.abs(plain).max()


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_unbuilt_it_does_the_same_to_forces(place, precision):
    inverse, mesh = operator(3, place, precision)
    kept, device = {}, inverse.block.device
    for count, seed in ((20, 0), (60, 1), (40, 2)):  # room grows, and is too much
        rows = rows_on(mesh, np.arange(3, count), seed)
        W = Dense().matrix({}, inverse, rows).numpy()
        unbuilt = MatrixFree().matrix(kept, inverse, rows)
        force = np.random.default_rng(seed).normal(size=len(W))
        given, out = (wp.array(force, dtype=wp.float64, device=device.name) for _ in range(2))
        unbuilt.apply(unbuilt.sizes, given, out)
        assert np.abs(out.numpy() - W @ force).max() <= 1e-9 * np.abs(W @ force).max()
        law = (rows.kind, np.full(rows.count, 0.3), rows.bound)
        b = np.random.default_rng(seed).normal(size=len(W)) - 0.5
        near = {"start": np.zeros(len(W)), "sweeps": 3000, "enough": 1e-9}
        swept = solve_contacts(HERE, Delassus.of(W, HERE), b, *law, **near)
        found = AcceleratedJacobi(device).solve(unbuilt, b, *law, **near)
        assert found.change <= 1e-9 and found.sweeps < 3000
        assert np.abs(found.gap - swept.gap).max() <= 1e-6 * np.abs(swept.gap).max()


def multiplications(cells, contacts):
    """For W of contacts that come first on the floor of a block: along paths, and by a solve for each row."""
    mesh = pl.tet_grid(tuple(0.01 * n for n in cells), cells)
    pairs = np.unique(mesh.tets[:, [[a, b] for a in range(4) for b in range(4)]].reshape(-1, 2), axis=0)
    analysis = analyse_blocks(*pairs.T, 3, mesh.vertices, len(mesh.vertices), 15)
    low = np.flatnonzero(mesh.vertices[:, 2] < mesh.vertices[:, 2].min() + 1e-9)[:contacts]
    unknowns = (3 * low[:, None] + np.arange(3)).reshape(-1)
    width = path_plan(analysis, unknowns, HERE).width.astype(float)
    c, b = analysis.pivots, analysis.below
    return (width * c * (c / 2 + b + width / 2)).sum(), 2.0 * len(unknowns) * analysis.nnz


def test_the_cost_grows_no_faster_than_that_of_solves():
    """In a cube both meet the largest separators."""
    costs = np.array([multiplications((cells, cells, cells), 20) for cells in (6, 12)])
    assert (costs[:, 0] < 0.5 * costs[:, 1]).all(), costs
    assert (costs[1] / costs[0])[0] < (costs[1] / costs[0])[1], costs


def test_the_cost_hardly_grows_with_a_body_that_grows_away_from_its_contacts():
    """Zeng 2023, Fig 4.10: a bar eight times as long has three separators more on the paths, and eight times the factor."""
    paths, solves = np.divide(multiplications((128, 6, 6), 49), multiplications((16, 6, 6), 49))
    assert paths < 2.5 and solves > 8, (paths, solves)


def test_other_directions_cost_products_and_no_solves(place):
    """W = C W_H Cᵀ with C the directions (Zeng 2023, eq 6.8): five turns of recursion solve for nothing."""
    inverse, mesh = operator(3, place)
    nodes = np.arange(3, 60, 4)
    kept, rows = {}, rows_on(mesh, nodes)
    along = replace(rows, normal=np.tile([1.0, 0.0, 0.0], (rows.count, 1)))
    turn = along.frames[0]
    block = np.kron(np.eye(rows.count), turn)
    whole = block.T @ SelectedInverse().matrix(kept, inverse, along).numpy() @ block
    solved = kept["inverse"].solved
    for seed in range(5):
        rows = replace(rows, normal=rows_on(mesh, nodes, seed).normal)
        C = sparse.block_diag(list(rows.frames)).toarray()
        W = SelectedInverse().matrix(kept, inverse, rows).numpy()
        assert np.abs(W - C @ whole @ C.T).max() <= 1e-12 * np.abs(W).max()
    assert kept["inverse"].solved == solved == 3 * len(nodes)


@pytest.mark.alone
def test_five_turns_of_recursion_cost_less_than_a_third_of_rebuilding():
    """Processor time of W for five sets of directions; a little more than one W, so nearly a fifth of five."""
    inverse, mesh = operator(6)
    nodes = np.arange(3, len(mesh.vertices), 7)
    turns = [rows_on(mesh, nodes, seed) for seed in range(5)]
    turns = [replace(turns[0], normal=rows.normal) for rows in turns]

    def spent(compliance: SelectedInverse) -> float:
        kept, begin = {}, time.process_time()
        for rows in turns:
            compliance.matrix(kept, inverse, rows)
        return time.process_time() - begin

    spent(SelectedInverse())  # compiles
    assert min(spent(SelectedInverse(reuse=False)) for _ in range(2)) > 3 * min(spent(SelectedInverse()) for _ in range(2))
