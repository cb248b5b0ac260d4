"""M⁻¹ = D⁻¹ + Z C⁻¹ Zᵀ: aggregates that move as rigid bodies, beside the inverse blocks of the nodes."""

import numpy as np
import pytest
import warp as wp
from scipy import sparse
from scipy.sparse.csgraph import shortest_path

import pliant as pl
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.linear.preconditioner.aggregates import Aggregates
from pliant.linear.preconditioner.preconditioners import BlockJacobi
from pliant.linear.preconditioner.two_level import Coarse, TwoLevel, _with_numbers, sweep
from pliant.linear.preconditioner.two_level_kernels import six_by_six, two_level_kernels
from pliant.runtime.device import Device
from pliant.solve.newton.linear_system import linearised

LAW = pl.StableNeoHookean(young=1e5)


def bar(place: str = "cpu", precision: str = "f64", young: float = 1e6, cells=(10, 2, 2)) -> pl.Simulation:
    mesh = pl.tet_grid(size=(1.0, 0.2, 0.2), cells=cells)
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(1 / 60), device=place, precision=precision)
    turn = np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    sim.x = sim.x @ turn.T + 0.002 * np.random.default_rng(0).standard_normal(sim.x.shape)
    return sim


def dense(system) -> np.ndarray:
    matrix, n = system.matrix, system.vectors.count
    A = sparse.bsr_matrix((matrix.values.numpy(), matrix.columns, matrix.row_start), shape=(3 * n, 3 * n)).toarray()
    free = system.free.numpy().ravel()
    return free[:, None] * A * free


def aggregates(x: np.ndarray, rows: tuple[np.ndarray, np.ndarray], count: int) -> np.ndarray:
    """(n,) the aggregate of each node."""
    return found(x, rows, count).of


def found(x: np.ndarray, rows: tuple[np.ndarray, np.ndarray], *asked: int) -> Aggregates:
    made = Aggregates(x, *rows, *asked)
    made.find()
    return made


def motions(x: np.ndarray, of: np.ndarray) -> np.ndarray:
    """(3n, 6k) shifts and turns of each aggregate."""
    Z = np.zeros((len(x), 3, 6 * (of.max() + 1)))
    for i, a in enumerate(of):
        d = x[i] - x[of == a].mean(axis=0)
        Z[i, :, 6 * a : 6 * a + 3] = np.eye(3)
        Z[i, :, 6 * a + 3 : 6 * a + 6] = np.stack([np.cross(e, d) for e in np.eye(3)], axis=1)
    return Z.reshape(3 * len(x), -1)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_what_it_applies_is_the_formula(place, count):
    sim = bar(place)
    system = linearised(sim.world.objective, sim.state.x, 1.0)
    apply = TwoLevel(count).prepare(system)
    of = apply.of.numpy()
    assert of.max() + 1 == count
    r, z = (system.vectors.new() for _ in range(2))
    right = np.random.default_rng(1).standard_normal((system.vectors.count, 3))
    free = system.free.numpy()
    r.assign(free * right)
    apply(r, z)
    blocks = BlockJacobi().prepare(system).numpy()
    Z = free.ravel()[:, None] * motions(sim.x, of)
    A, f = dense(system), (free * right).ravel()
    expected = free * np.einsum("nij,nj->ni", blocks, free * right)
    expected += (Z @ np.linalg.lstsq(Z.T @ A @ Z, Z.T @ f, rcond=1e-12)[0]).reshape(-1, 3)
    assert np.abs(z.numpy() - expected).max() < 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize("young", [1e4, 1e9])
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_iterations_hardly_depend_on_the_stiffness(young, precision):
    counts = {}
    for kind in (TwoLevel(), BlockJacobi()):
        sim = bar("cpu", precision, young, (20, 3, 3))
        system = linearised(sim.world.objective, sim.state.x, 1.0)
        b, d = (system.vectors.new() for _ in range(2))
        b.assign(np.tile([0.0, 0.3, -1.0], (system.vectors.count, 1)))
        system.mask(b)
        counts[kind] = pl.linear.PCG(preconditioner=kind).solve(system, b, d, 1e-3).iterations
    assert counts[TwoLevel()] < 40 and counts[TwoLevel()] <= counts[BlockJacobi()]


def test_nothing_is_added_where_the_small_system_is_indefinite():
    sim = bar()
    system = linearised(sim.world.objective, sim.state.x, 1.0)
    system.matrix.values.assign(-system.matrix.values.numpy())
    blocks = BlockJacobi().prepare(system)
    rows = (system.matrix.row_start, system.matrix.columns)
    coarse = Coarse(system, blocks, found(system.positions, rows, 1), TwoLevel(1))
    coarse.take(system)
    r, z = (system.vectors.new() for _ in range(2))
    r.assign(np.ones((system.vectors.count, 3)))
    system.mask(r)
    coarse(r, z)
    expected = np.einsum("nij,nj->ni", blocks.numpy(), r.numpy())
    assert np.abs(z.numpy() - expected).max() <= 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_the_passes_over_aggregates_do_what_separate_launches_do(precision):
    sim = bar(precision=precision)
    system = linearised(sim.world.objective, sim.state.x, 1.0)
    coarse, n = TwoLevel(5).prepare(system), system.vectors.count
    rng, scalars = np.random.default_rng(0), system.device.zeros(8, wp.float64)
    scalars.assign(np.array([0, 0.3, 0, 0, 0, 0, 0, 0.0]))
    p, q, x, r, z, expected = (system.vectors.new() for _ in range(6))
    before = {name: rng.standard_normal((n, 3)).astype(system.device.types.numpy) for name in "pqxr"}
    for array, values in zip((p, q, x, r), before.values()):
        array.assign(values)
    dots = coarse.advance(scalars, p, q, x, r, z)
    coarse(r, expected)
    close = 1e-12 if precision == "f64" else 1e-5
    assert np.allclose(x.numpy(), before["x"] + 0.3 * before["p"], rtol=close, atol=close)
    assert np.allclose(r.numpy(), before["r"] - 0.3 * before["q"], rtol=close, atol=close)
    assert np.abs(z.numpy() - expected.numpy()).max() <= close * np.abs(expected.numpy()).max()
    assert np.isclose(dots.numpy().sum(), np.sum(r.numpy().astype(float) * z.numpy()), rtol=1e-9)


def test_aggregates_keep_to_connected_parts_and_take_all_nodes():
    one = pl.tet_grid(size=(1.0, 0.1, 0.1), cells=(10, 1, 1))
    two = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(1, 1, 1), origin=(5, 0, 0))
    scene = pl.Scene([pl.Body(one, LAW), pl.Body(two, LAW)])
    matrix = pl.Simulation(scene).world.objective.matrix()
    x = np.concatenate([one.vertices, two.vertices])
    rows = (matrix.row_start, matrix.columns)
    of = aggregates(x, rows, 4)
    n = len(one.vertices)
    assert not set(of[:n]) & set(of[n:]) and set(of) == set(range(of.max() + 1))
    assert np.bincount(of).max() <= 1.5 * np.ceil(len(x) / 4)


def test_pairs_of_aggregates_have_all_entries_of_the_upper_half():
    """More of them than there is room for at first, of two bodies: each entry once, ascending in its pair."""
    mesh = pl.tet_grid((1.0, 1.0, 1.0), (9, 9, 9), 6)
    n = len(mesh.vertices)
    matrix = BlockMatrix(Device(), 2 * n, [mesh.tets, mesh.tets + n])
    x, rows = np.concatenate([mesh.vertices, mesh.vertices]), np.repeat(np.arange(2 * n), np.diff(matrix.row_start))
    for wanted in (1, 7, 120):
        made = found(x, (matrix.row_start, matrix.columns), wanted)
        bounds, entries, of_entry, first_part = made.pairs
        first, second = made.of[rows], made.of[matrix.columns]
        assert made.count == made.of.max() + 1 == {1: 2, 7: 8, 120: 120}[wanted]
        assert np.array_equal(of_entry, rows[entries]) and np.array_equal(np.sort(entries), np.flatnonzero(first <= second))
        starts, sizes = bounds[first_part], np.diff(bounds)
        for (a, b), begin, end in zip(zip(*np.triu_indices(made.count)), starts[:-1], starts[1:]):
            assert np.array_equal(entries[begin:end], np.flatnonzero((first == a) & (second == b)))
        assert sizes.min() > 0 and sizes.max() <= 32 and len(first_part) == made.count * (made.count + 1) // 2 + 1


@pytest.mark.parametrize("cells", [(1, 1, 1), (7, 2, 2), (30, 1, 2)])
def test_lengths_are_counted_from_end_to_end(cells):
    meshes = [pl.tet_grid((1, 1, 1), (2, 1, 1), 5), pl.tet_grid((1, 1, 1), cells, 5)]
    nodes = [mesh.tets + first for mesh, first in zip(meshes, (0, len(meshes[0].vertices)))]
    matrix = BlockMatrix(Device(), sum(len(mesh.vertices) for mesh in meshes), nodes)
    graph = sparse.csr_matrix((np.ones(matrix.entries), matrix.columns, matrix.row_start))
    steps = shortest_path(graph, unweighted=True)
    rows = (matrix.row_start, matrix.columns)
    x, longest = np.concatenate([mesh.vertices for mesh in meshes]), steps[np.isfinite(steps)].max()
    for most in (3, 1000):
        made = found(x, rows, 4, most)
        assert made.length == min(most, longest) and (made.count > 0) == (longest >= most)


def test_short_bodies_have_their_blocks_alone_unless_told():
    for cells, long in (((8, 3, 3), False), ((14, 2, 2), True)):
        system = linearised((sim := bar(cells=cells)).world.objective, sim.state.x, 1.0)
        assert callable(TwoLevel().prepare(system)) is long and callable(TwoLevel(3).prepare(system))


def test_few_nodes_and_very_many_bodies_have_their_blocks_alone():
    small = pl.Simulation(pl.Scene([pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), LAW)]))
    cubes = [pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(0.3 * i, 0, 0)) for i in range(70)]
    bodies = [pl.Body(cube, LAW) for cube in cubes]
    for sim in (small, pl.Simulation(pl.Scene(bodies))):
        assert not callable(TwoLevel().prepare(linearised(sim.world.objective, sim.state.x, 1.0)))


def test_aggregates_never_reach_over_a_cut():
    """Two legs that hang together below: no aggregate has nodes of both, where they could not move apart."""
    mesh = pl.tet_grid((0.1, 0.1, 0.4), (4, 4, 16), 6)
    high = mesh.vertices[:, 2] > 0.1 + 1e-9
    apart = np.abs(mesh.vertices[:, 0] - 0.05) < 1e-9
    keep = ~(high & apart)[mesh.tets].any(axis=1)  # without a sheet of tets in the middle
    used, nodes = np.unique(mesh.tets[keep], return_inverse=True)
    x = mesh.vertices[used]
    matrix = BlockMatrix(Device(), len(x), [nodes.reshape(-1, 4)])
    rows = (matrix.row_start, matrix.columns)
    for count in (2, 5, 8, 13):
        of = aggregates(x, rows, count)
        high = x[:, 2] > 0.1 + 1e-9
        left, right = (set(of[high & side]) for side in (x[:, 0] < 0.05, x[:, 0] > 0.05))
        sizes = np.bincount(of)
        assert sizes.min() > 0 and count <= len(sizes) <= 1.5 * count
        low = set(of[~high])  # those that hold both legs together may have nodes of both
        assert not (left & right) - low
        assert len(left & right) <= max(1, count // 4)


@pytest.mark.parametrize("count", [1, 2, 7])
def test_the_small_matrix_is_inverted_in_place_and_where_it_cannot_be_that_is_said(count):
    device, random = Device("cpu", "f64"), np.random.default_rng(count)
    n = 6 * count
    A = random.normal(size=(n, n))
    A = A @ A.T + n * np.eye(n)
    apart = np.arange(n) // 6 == count - 1  # the last one touches no other, so that its blocks beside the diagonal are 0
    A[np.ix_(apart, ~apart)] = A[np.ix_(~apart, apart)] = 0.0
    for matrix, sound in ((A, 1.0), (A - 2 * n * np.outer(apart, apart), 0.0)):
        blocks = device.array(matrix.reshape(count, 6, count, 6).transpose(0, 2, 1, 3), six_by_six)
        scratch, flag = device.zeros((3, count), six_by_six), device.array([1.0], wp.float64)
        device.launch(two_level_kernels("f64").invert, 1, count, blocks, scratch, flag)
        assert flag.numpy()[0] == sound
        if sound:
            found = blocks.numpy().transpose(0, 2, 1, 3).reshape(n, n)
            assert np.abs(found @ matrix - np.eye(n)).max() < 1e-12
            assert np.array_equal(found, found.T) or np.abs(found - found.T).max() < 1e-15


@pytest.mark.parametrize("count", [1, 2, 7])
def test_sweeps_of_a_gpu_find_the_inverse(count):
    """Its kernels, run here: a thread for each number, and the next pivot beside them."""
    device, n = Device("cpu", "f64"), 6 * count
    half = np.random.default_rng(3).standard_normal((n, n))
    for shift, sound in ((0.1, 1.0), (-3.0, 0.0)):  # the second is not positive definite
        A = half @ half.T + shift * np.eye(n)
        blocks = A.reshape(count, 6, count, 6).transpose(0, 2, 1, 3)
        both = [
            _with_numbers(device.array(blocks, six_by_six)),
            _with_numbers(device.zeros((count, count), six_by_six)),
        ]
        pivots, told = [_with_numbers(device.zeros(1, six_by_six)) for _ in range(2)], device.array([1.0], wp.float64)
        sweep(device, both, pivots, told)
        assert told.numpy()[0] == sound
        if sound:
            found = both[count % 2][0].numpy().transpose(0, 2, 1, 3).reshape(n, n)
            np.testing.assert_allclose(found @ A, np.eye(n), atol=1e-10)
