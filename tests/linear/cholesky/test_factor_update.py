"""Factors after nodes were doubled: those of a rebuild bit for bit, and only paths from what changed to the root are redone."""

import itertools

import numpy as np
import pytest
from scipy import sparse

from pliant.errors import InputError
from pliant.linear.cholesky import analyse, factor, factorise
from pliant.linear.cholesky.cpu.numeric_factor import Numeric
from pliant.linear.cholesky.factor_update import grown
from pliant.linear.cholesky.selected_inverse import PathInverse
from pliant.linear.cholesky.symbolic.symbolic_factor import Order

from .matrices import grid

FIELDS = (
    "permutation",
    "start",
    "parent",
    "row_start",
    "rows",
    "relative",
    "entry_order",
    "entry_start",
    "entry_place",
)


class Net:
    """Springs between nodes of a grid that come apart: where edges (m, 2) end, and how stiff they are."""

    def __init__(self, size=7, seed=0):
        self.X, matrix = grid(size)
        pairs = sparse.triu(matrix, 1).tocoo()
        self.edges = np.stack([pairs.row, pairs.col], axis=1).astype(np.int64)
        self.stiffness = np.random.default_rng(seed).uniform(1.0, 5.0, len(self.edges))
        self.mass = np.ones(len(self.X))

    @property
    def matrix(self):
        i, j = self.edges.T
        n, k = len(self.X), self.stiffness
        entries = (np.concatenate([k, k, -k, -k]), (np.concatenate([i, j, i, j]), np.concatenate([i, j, j, i])))
        return (sparse.coo_matrix(entries, (n, n)) + sparse.diags(self.mass)).tocsr()

    def part(self, nodes, normal):
        """Double some nodes: the copies have the edges that go to one side; returns whose copies all are."""
        copy = np.full(len(self.X), -1)
        copy[nodes] = len(self.X) + np.arange(len(nodes))
        away = (self.X[self.edges[:, ::-1]] - self.X[self.edges]) @ np.asarray(normal, float)
        to = np.where((copy[self.edges] >= 0) & (away > 1e-9), copy[self.edges], self.edges)
        self.edges = to
        origin = np.concatenate([np.arange(len(self.X)), nodes])
        self.X, self.mass = self.X[origin], np.concatenate([self.mass, np.full(len(nodes), 0.5)])
        return origin

    def plane(self, axis, at, until):
        """Part the nodes of a plane, up to some height along the next axis."""
        nodes = np.flatnonzero((np.abs(self.X[:, axis] - at) < 1e-9) & (self.X[:, (axis + 1) % 3] < until))
        return self.part(nodes, np.eye(3)[axis])


def check(made, matrix, order, **options):
    """The factor is the one that is made of the matrix alone, in the same order, and is laid out as that is."""
    whole = factorise(analyse(matrix, order=order), matrix, **options)
    for name in FIELDS:
        assert np.array_equal(getattr(made.analysis, name), getattr(whole.analysis, name)), name
    assert np.array_equal(made.lower, whole.lower)
    mine, other = made.numeric.tiles, whole.numeric.tiles
    assert np.array_equal(mine.sizes, other.sizes)
    spans = sorted((at, at + size) for at, size in zip(mine.at, mine.sizes))
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans)) and spans[-1][1] <= len(mine.array)
    for f in range(whole.analysis.fronts):
        one, two = (s.array.numpy()[s.at[f] : s.at[f] + s.sizes[f]] for s in (mine, other))
        assert np.array_equal(one, two), f"front {f}"
    b = np.random.default_rng(1).standard_normal((matrix.shape[0], 3))
    assert np.array_equal(made.solve(b), whole.solve(b))
    return whole


@pytest.fixture
def counted(monkeypatch):
    """How many fronts each factorisation redid."""
    counts, run = [], Numeric._run

    def counting(self, lower, plan, *rest):
        counts.append(sum(map(len, plan.schedule.bins)) + len(plan.schedule.top))
        run(self, lower, plan, *rest)

    monkeypatch.setattr(Numeric, "_run", counting)
    return counts


def places(a):
    """A node in a leaf, one in a separator between, and one of the root."""
    leaf = a.permutation[a.start[0]]
    root = a.permutation[-1]
    begin, _ = a.children
    between = [f for f in range(a.fronts) if begin[f + 1] > begin[f] and a.parent[f] >= 0]
    return {"leaf": leaf, "separator": a.permutation[a.start[between[0]]], "root": root}


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("where", ["leaf", "separator", "root"])
def test_one_node_in_two(where, precision, counted):
    net = Net()
    a = analyse(net.matrix, positions=net.X)
    before = factorise(a, net.matrix, precision, threads=1, updatable=True)
    node = places(a)[where]
    origin = net.part(np.array([node]), (1.0, 0.2, 0.1))
    order = a.order.grown(origin)
    counted.clear()
    made = grown(before, net.matrix, order, origin)
    assert counted[0] < a.fronts / 3
    check(made, net.matrix, order, precision=precision, threads=1)


@pytest.mark.parametrize("kept", [2.0, 0.3, 0.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_cuts_that_go_on(kept, threads, monkeypatch):
    """A plane that grows, another across it, and edges that break: all fronts are those of a rebuild after each."""
    monkeypatch.setattr(factor, "KEPT", kept)
    net = Net(8)
    a = analyse(net.matrix, positions=net.X)
    made, order = factorise(a, net.matrix, threads=threads, updatable=True), a.order
    middle, edge = np.sort(np.unique(net.X[:, 0]))[[4, 1]]
    origins = [lambda: net.plane(0, middle, 0.2), lambda: net.plane(1, edge, 0.5), lambda: net.plane(0, middle, 0.7)]
    for cut in origins:
        origin = cut()
        order = order.grown(origin)
        made = grown(made, net.matrix, order, origin)
        check(made, net.matrix, order, threads=threads)
    rng = np.random.default_rng(2)
    for _ in range(3):  # edges go, so that fronts lose rows and hand their update to others
        stay = rng.random(len(net.edges)) > 0.03
        net.edges, net.stiffness = net.edges[stay], net.stiffness[stay]
        same = np.arange(len(net.X))
        made = grown(made, net.matrix, order, same)
        check(made, net.matrix, order, threads=threads)


def test_a_front_that_hands_its_update_to_another_parent():
    """The one before is redone too, though no entry of it has changed and nothing below it now."""
    net = Net()
    a = analyse(net.matrix, positions=net.X)
    made = factorise(a, net.matrix, threads=1, updatable=True)
    begin, _ = a.children
    leaves = [f for f in range(a.fronts) if begin[f + 1] == begin[f] and a.parent[f] >= 0]
    f = next(f for f in leaves if a.parent[a.parent[f]] >= 0)
    rest = net.matrix.tocoo()
    i, j = a.owner[a.inverse[rest.row]], a.owner[a.inverse[rest.col]]
    rest.data[((i == f) & (j == a.parent[f])) | ((j == f) & (i == a.parent[f]))] = 0.0  # the diagonal stays as it was
    rest = rest.tocsr()
    rest.eliminate_zeros()
    made = grown(made, rest, a.order, np.arange(len(net.X)))
    assert made.analysis.parent[f] not in (-1, a.parent[f])
    check(made, rest, a.order, threads=1)


def test_many_random_cuts_in_the_same_arrays():
    net, rng = Net(6, seed=3), np.random.default_rng(4)
    a = analyse(net.matrix, positions=net.X, leaf=8)
    made, order, moved = factorise(a, net.matrix, threads=1, updatable=True), a.order, 0
    for _ in range(25):
        array = made.numeric.packed
        nodes = np.unique(rng.choice(len(net.X), 3))
        origin = net.part(nodes, rng.standard_normal(3))
        net.stiffness[rng.choice(len(net.edges), 2)] *= 1.5
        order = order.grown(origin)
        made = grown(made, net.matrix, order, origin)
        check(made, net.matrix, order, threads=1)
        moved += made.numeric.packed is not array
    assert 0 < moved < 10


def test_bodies_apart_and_nodes_between():
    """Two nets in one matrix, copies of the first before the second: rows have other numbers; the second keeps all it has."""
    one, two = Net(5), Net(4, seed=5)
    n = len(one.X)
    both = sparse.block_diag([one.matrix, two.matrix]).tocsr()
    a = analyse(both)
    before = factorise(a, both, threads=1, updatable=True)
    origin = one.plane(0, np.unique(one.X[:, 0])[2], 0.5)
    origin = np.concatenate([origin, n + np.arange(len(two.X))])
    both = sparse.block_diag([one.matrix, two.matrix]).tocsr()
    order = a.order.grown(origin)
    check(grown(before, both, order, origin), both, order, threads=1)


def test_what_contact_asks_of_it():
    """Entries of the inverse along paths of elimination, after a node was doubled."""
    net = Net()
    a = analyse(net.matrix, positions=net.X)
    before = factorise(a, net.matrix, threads=1, updatable=True)
    origin = net.plane(0, np.unique(net.X[:, 0])[3], 0.5)
    order = a.order.grown(origin)
    made = grown(before, net.matrix, order, origin)
    inverse = np.linalg.inv(net.matrix.toarray())
    n = len(inverse)
    nodes = np.array([0, 3, *range(n - 5, n), *origin[n - 5 :]])
    found = made.solve_partial(nodes, np.eye(len(nodes)), nodes)
    assert np.allclose(found, inverse[np.ix_(nodes, nodes)], rtol=0, atol=1e-12)

    class Operator:
        factor, free, version = made, np.ones(n), 1

    paths = PathInverse(Operator())
    at = paths.between(nodes)
    assert np.allclose(paths._square[np.ix_(at, at)], inverse[np.ix_(nodes, nodes)], rtol=0, atol=1e-12)
    device = made.solver.device
    b, x = np.random.default_rng(6).standard_normal((n, 3)), device.zeros(n, device.types.vec3)
    made.solve_device(device.array(b, device.types.vec3), x)
    assert np.allclose(x.numpy(), inverse @ b, rtol=0, atol=1e-11)


def test_values_that_change_in_few_rows(counted):
    """``take`` and ``refactor`` redo what changed alone, nothing where nothing did, and all after a matrix was refused."""
    net = Net()
    matrix, a = net.matrix, analyse(net.matrix, positions=net.X)
    made = factorise(a, matrix, threads=1, updatable=True)
    lower = made.lower.copy()
    at = a.pattern.find(np.array([5, 9]), np.array([5, 9]))
    stiff = lower.copy()
    stiff[at] += 3.0
    counted.clear()
    made.take(stiff)
    made.take(stiff)
    assert len(counted) == 1 and counted[0] < a.fronts / 2
    assert np.array_equal(made.numeric.packed.numpy(), factorise(a, a.pattern.matrix(stiff)).numeric.packed.numpy())
    counted.clear()
    made.refactor(matrix)
    assert counted == [counted[0]] and counted[0] < a.fronts / 2
    check(made, matrix, a.order, threads=1)
    with pytest.raises(InputError, match="not positive definite"):
        made.take(np.where(np.arange(len(lower)) == at[0], -1.0, lower))
    counted.clear()
    made.take(lower)
    assert counted == [a.fronts]
    check(made, matrix, a.order, threads=1)


def test_orders_that_did_not_grow_so_are_left_alone():
    net = Net(5)
    a = analyse(net.matrix, positions=net.X)
    made = factorise(a, net.matrix, threads=1, updatable=True)
    origin = net.part(np.array([7]), (1.0, 0.0, 0.0))
    order = a.order.grown(origin)
    turned = Order(order.permutation[::-1].copy(), order.start[-1] - order.start[::-1], order.dissected)
    assert grown(made, net.matrix, turned, origin) is None
    assert grown(made, net.matrix, order, origin[::-1].copy()) is None
    assert grown(made, net.matrix, order, np.where(origin == 3, 4, origin)) is None
    check(made, Net(5).matrix, a.order, threads=1)
