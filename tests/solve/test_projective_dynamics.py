"""Projective dynamics: the same step as the quasi-Newton method, descent without a line search, fast mass–spring."""

import itertools

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import splu

import pliant as pl
from pliant.solve.quasi_newton.constant_factor import prefactored
from pliant.solve.quasi_newton.projective_dynamics import GlobalStep, local_step

RIGID = pl.Arap(young=1e5)
LIMIT = pl.laws.StrainLimit(stiffness=3e5, low=0.95, high=1.02)
VOLUME = pl.laws.VolumePreservation(stiffness=2e5, density=1000.0)
LAWS = {
    "ARAP": RIGID,
    "strain limit": LIMIT,
    "volume": VOLUME,
    "mix": RIGID + LIMIT + VOLUME,
}
SHAPES = {
    "tets": lambda: pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), 5),
    "membrane": lambda: pl.Membrane(pl.cloth_grid((0.3, 0.3), (6, 6)), thickness=2e-3, bending=False),
    "springs": lambda: pl.Springs(pl.meshes.net((0.3, 0.3), (5, 5)), radius=2e-3),
}
HELD = {"pinned": lambda X: X[:, 0] < 1e-9}


def pulled(solver, law=RIGID, shape="tets", scheme=pl.ImplicitEuler, precision="f64", size=1.0, **options):
    """A body held at x = 0, thrown out of shape by a given size, about to make one step of 1/30 s."""
    body = pl.Body(SHAPES[shape]() if isinstance(shape, str) else shape, law, **(HELD | options))
    sim = pl.Simulation(pl.Scene(body), scheme(dt=1 / 30, solver=solver), precision=precision)
    X = sim.x
    bend = np.column_stack([0.2 * X[:, 0], 0.5 * X[:, 0] ** 2, -0.8 * X[:, 0] ** 2])
    sim.x = X + size * sim.world.free * (bend + 0.005 * np.random.default_rng(0).standard_normal(X.shape))
    return sim


def both(**options):
    """Positions after one iteration of each method."""
    found = []
    for solver in (pl.ProjectiveDynamics(iterations=1), pl.QuasiNewton(iterations=1, window=0)):
        sim = pulled(solver, **options)
        assert sim.step().kept
        found.append(sim.x)
    return found


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", LAWS)
def test_one_iteration_is_one_plain_quasi_newton_step(name, shape):
    """x = A⁻¹(M y/h² + J p + …) is x − A⁻¹∇g (Eq 7.10–7.11): with pins, an attachment, a load and damping."""
    attached = pl.Hold(lambda X: X[:, 0] > 0.29, motion=lambda X, t: X + np.array([0, 0, 0.05]), by=pl.hold.Springs(40.0))
    load = pl.Load((0, 0.3, 0), lambda X: X[:, 1] > 0.09)
    damping = pl.Damping(mass=0.5, stiffness=1e-3)
    local, quasi = both(law=LAWS[name], shape=shape, effects=[attached, load], damping=damping)
    assert np.abs(local - quasi).max() <= 1e-12
    rest = SHAPES[shape]()
    assert np.abs(local - getattr(rest, "rest", getattr(rest, "vertices", None))).max() > 1e-3


def test_bending_has_a_projection_too():
    """Bending of flat and of curved sheets."""
    flat = pl.cloth_grid((0.3, 0.3), (6, 6))
    X = flat.vertices
    curved = pl.TriMesh(np.column_stack([X[:, 0], X[:, 1], 0.5 * X[:, 0] ** 2]), flat.triangles)
    for mesh in (flat, curved):
        local, quasi = both(shape=pl.Membrane(mesh, thickness=5e-3))
        assert np.abs(local - quasi).max() <= 1e-12


def test_regions_of_different_stiffness():
    mesh = SHAPES["tets"]()
    count = len(mesh.tets)
    law = pl.Arap(young=np.linspace(1e4, 1e6, count)) + pl.laws.StrainLimit(stiffness=np.linspace(1e6, 1e4, count))
    local, quasi = both(law=law, shape=mesh)
    assert np.abs(local - quasi).max() <= 1e-12


@pytest.mark.parametrize("name", LAWS)
def test_objective_never_rises_though_nothing_is_searched(name):
    """From a body thrown about at random: every local and every global step lowers g, or leaves it."""
    sim = pulled(pl.ProjectiveDynamics(), LAWS[name], damping=pl.Damping(stiffness=1e-3))
    X = sim.x
    sim.x = np.where(sim.world.free > 0, np.random.default_rng(1).uniform(X.min(axis=0), X.max(axis=0), X.shape), X)
    assert sim.step().kept  # sets up inertia and damping
    objective = sim.world.objective
    x = sim.device.array(np.where(sim.world.free > 0, np.random.default_rng(2).uniform(0, 0.3, X.shape), X), x_type(sim))
    step, right, d = GlobalStep(objective), sim.vectors.new(), sim.vectors.new()
    values = [objective.value(x)]
    for _ in range(40):
        local_step(objective, x, right)
        step.solve(right, x, d)
        sim.vectors.move(x, 1.0, d, x)
        values.append(objective.value(x))
    assert values[-1] < 0.5 * values[0]
    assert all(b <= a + 1e-12 * abs(a) for a, b in itertools.pairwise(values))


def x_type(sim):
    return sim.device.types.vec3


@pytest.mark.parametrize(("name", "shape"), [("ARAP", "tets"), ("mix", "tets"), ("ARAP", "membrane"), ("ARAP", "springs")])
def test_converges_to_newtons_solution(name, shape):
    newton = pulled(pl.Newton(tolerance=1e-10), LAWS[name], shape)
    local = pulled(pl.ProjectiveDynamics(tolerance=1e-9), LAWS[name], shape)
    assert newton.step().kept
    report = local.step()
    assert report.kept and report.converged and report.residual <= 1e-9, report
    assert np.abs(newton.x - local.x).max() < 1e-6
    assert set(report.seconds) == {"matrix", "elements", "linear", "total"}


def test_nodes_held_along_some_axes():
    """The global step is the exact one: each axis has a matrix of its own, without the nodes held along it."""
    pins = [
        pl.Hold(lambda X: X[:, 0] < 1e-9, by=pl.hold.Rigidly("x")),
        pl.Hold(lambda X: X[:, 2] < 1e-9, by=pl.hold.Rigidly("yz")),
        pl.Hold([0]),
    ]
    sim = pulled(pl.ProjectiveDynamics(iterations=1), pinned=None, effects=pins)
    assert sim.step().kept
    objective = sim.world.objective
    right, d, x = sim.vectors.new(), sim.vectors.new(), sim.work["z"]
    local_step(objective, x, right)
    GlobalStep(objective).solve(right, x, d)
    A = sum(e.laplacian(objective.count) for e in objective.energies if e.laplacian(objective.count) is not None)
    for axis in range(3):
        free = sim.world.free[:, axis] > 0
        gap = right.numpy()[:, axis] - A @ x.numpy()[:, axis]
        expected = splu(sparse.csc_matrix(A[free][:, free])).solve(gap[free])
        assert np.abs(d.numpy()[free, axis] - expected).max() <= 1e-11 * np.abs(expected).max()
        assert np.all(d.numpy()[~free, axis] == 0)
    newton = pulled(pl.Newton(tolerance=1e-10), pinned=None, effects=pins)
    many = pulled(pl.ProjectiveDynamics(tolerance=1e-9), pinned=None, effects=pins)
    assert newton.step().kept and many.step().kept
    assert np.abs(newton.x - many.x).max() < 1e-6


@pytest.mark.parametrize("scheme", [pl.ImplicitEuler, pl.ImplicitMidpoint, pl.BDF2, pl.Newmark, pl.NewmarkTheta, pl.QuasiStatic])
def test_every_implicit_integrator(scheme):
    """Three steps to convergence are Newton's, with moving pins; from near rest, since far off there are several minima."""
    moving = pl.Hold(lambda X: X[:, 0] < 1e-9, motion=lambda X, t: X + np.array([0, 0, 0.2 * t]))
    found = []
    for solver in (pl.Newton(tolerance=1e-9, linear=pl.linear.Direct()), pl.ProjectiveDynamics(tolerance=1e-9)):
        sim = pulled(solver, pl.Arap(young=1e6), scheme=scheme, size=0.1, pinned=None, effects=moving)
        for _ in range(3):
            report = sim.step()
            assert report.kept, report
        found.append(sim.x)
    assert np.abs(found[0] - found[1]).max() < 1e-5


def test_single_precision_follows_double():
    shape = pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), 5).translated((10.0, 0, 5.0))
    ends = {"pinned": lambda X: X[:, 0] < 10.0 + 1e-6}
    found = []
    for precision in ("f32", "f64"):
        scene = pl.Scene(pl.Body(shape, LAWS["mix"], **ends))
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 30, solver=pl.ProjectiveDynamics()), precision=precision)
        for _ in range(10):
            report = sim.step()
            assert report.kept and np.isfinite(report.residual)
        found.append(sim.x)
    assert np.abs(found[1] - shape.vertices).max() > 5e-3
    assert np.abs(found[0] - found[1]).max() < 2e-4


def test_matrix_is_kept_until_it_changes():
    sim = pulled(pl.ProjectiveDynamics())
    sim.step()
    kept, matrix = prefactored(sim.world.objective), GlobalStep(sim.world.objective).matrix
    sim.step()
    assert kept.factorisations == 1 and GlobalStep(sim.world.objective).matrix is matrix
    sim.set(young=2e5)
    sim.step()
    assert kept.factorisations == 2 and GlobalStep(sim.world.objective).matrix is not matrix
    again = pulled(pl.ProjectiveDynamics(iterations=1), pl.Arap(young=2e5))
    changed = pulled(pl.ProjectiveDynamics(iterations=1))
    changed.set(young=2e5)
    again.step()
    changed.step()
    assert np.abs(again.x - changed.x).max() <= 1e-12


BALL = pl.meshes.sphere(0.1, 1)
REFUSED = {
    "StableNeoHookean": lambda: pl.Scene(pl.Body(SHAPES["tets"](), pl.StableNeoHookean(young=1e4))),
    "Fibres": lambda: pl.Scene(pl.Body(SHAPES["tets"](), RIGID + pl.laws.Fibres(stiffness=1e4))),
    "contact": lambda: pl.Scene(pl.Body(SHAPES["tets"](), RIGID), obstacles=[pl.plane(z=-1.0)]),
    "pressure": lambda: pl.Scene(pl.Body(pl.Membrane(BALL, 1e-3), RIGID, effects=pl.Pressure(10.0))),
    "viscosity": lambda: pl.Scene(pl.Body(SHAPES["tets"](), RIGID, damping=pl.Damping(viscosity=1.0))),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_has_no_projection_is_refused_by_name(what):
    with pytest.raises(pl.errors.InputError, match=rf"{what}.* has no projection; use QuasiNewton\(\)"):
        pl.Simulation(REFUSED[what](), pl.ImplicitEuler(solver=pl.ProjectiveDynamics()))


def test_a_hand_is_refused_and_leaves_no_trace():
    sim = pulled(pl.ProjectiveDynamics())
    with pytest.raises(pl.errors.InputError, match="not support grabs"):
        sim.grab(vertex=5, target=(0.5, 0.0, 0.2))
    assert not sim.hands.points and sim.step().kept


def test_budget_is_kept_and_a_tolerance_out_of_reach_is_a_failure(monkeypatch):
    kept = pulled(pl.ProjectiveDynamics(iterations=2, tolerance=1e-9)).step()
    assert kept.kept and not kept.ok and not kept.converged and kept.iterations == 2
    assert pulled(pl.ProjectiveDynamics()).step().iterations == 10
    monkeypatch.setattr(pl.ProjectiveDynamics, "MOST", 20)
    sim = pulled(pl.ProjectiveDynamics(tolerance=1e-30))
    before = sim.x
    failed = sim.step()
    assert not failed.kept and "no convergence in 20 iterations" in failed.why and np.array_equal(sim.x, before)


@pytest.mark.parametrize("options", [{"iterations": 0}, {"iterations": 2.5}, {"iterations": True}, {"tolerance": 2.0}])
def test_refuses_bad_options(options):
    with pytest.raises(pl.errors.InputError, match="expected"):
        pl.ProjectiveDynamics(**options)


# --- fast mass–spring (Ch. 5): a net of Hooke's springs


def curtain(solver, radius=2e-3):
    """441 nodes, stretch, shear and skip-one bending springs, held at two corners, dropped from level."""
    net = pl.meshes.net((1.0, 1.0), (20, 20))
    body = pl.Body(pl.Springs(net, radius=radius), pl.Arap(young=1e6, density=1000.0), pinned=[0, 420])
    return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 30, solver=solver))


def by_hand(sim, iterations):
    """Eq 5.9 in NumPy: p = l₀ d/‖d‖, then (M/h² + L) x = M/h² y + J p + f; returns the positions after one step."""
    shape, h = sim.scene.bodies[0].shape, sim.integrator.dt
    X, (i, j), n = shape.rest, shape.nodes.T, len(shape.rest)
    rest = np.linalg.norm(X[i] - X[j], axis=1)
    k = 1e6 * np.pi * np.broadcast_to(shape.radius, rest.shape) ** 2 / rest
    m = len(rest)
    G = sparse.csr_matrix((np.tile([1.0, -1.0], m), (np.stack([i, j], 1).ravel(), np.repeat(np.arange(m), 2))), (n, m))
    mass = np.zeros(n)
    for end in (i, j):
        np.add.at(mass, end, 0.5 * 1000.0 * np.pi * shape.radius**2 * rest)
    L, J = G @ sparse.diags(k) @ G.T, G @ sparse.diags(k)
    A = sparse.csr_matrix(sparse.diags(mass / h**2) + L)
    free = np.setdiff1d(np.arange(n), [0, n - 21])
    factor = splu(sparse.csc_matrix(A[free][:, free]))
    y = sim.x + h * sim.v
    x = y.copy()
    for _ in range(iterations):
        d = x[i] - x[j]
        p = rest[:, None] * d / np.linalg.norm(d, axis=1)[:, None]
        b = mass[:, None] / h**2 * y + J @ p + mass[:, None] * [0, 0, -9.81]
        held = np.setdiff1d(np.arange(n), free)
        x[free] = factor.solve(b[free] - A[free][:, held] @ X[held])
    return x


@pytest.mark.parametrize("iterations", [1, 7])
def test_springs_are_the_fast_mass_spring_method(iterations):
    sim = curtain(pl.ProjectiveDynamics(iterations=iterations))
    for _ in range(3):  # into motion
        assert sim.step().kept
    expected = by_hand(sim, iterations)
    assert sim.step().kept
    assert np.abs(sim.x - expected).max() <= 1e-12
    assert np.abs(sim.v).max() > 0.1


def test_relative_error_falls_steadily_to_newtons_solution():
    """(g − g*)/(g₀ − g*) over the iterations of one step of the curtain (Eq 5.10): monotone, linear, below 1e-2."""
    start = curtain(pl.ProjectiveDynamics())
    for _ in range(15):
        assert start.step().kept
    x, v = start.x, start.v
    values, counts = {}, (0, 1, 10, 100, 1000)

    def solved(solver):
        sim = curtain(solver)
        sim.x, sim.v = x, v
        assert sim.step().kept
        return sim.world.objective.value(sim.work["z"]), sim

    best, sim = solved(pl.Newton(tolerance=1e-11, linear=pl.linear.Direct()))
    y = sim.device.array(np.where(sim.world.free > 0, x + v / 30, x), sim.device.types.vec3)
    values[0] = sim.world.objective.value(y)
    for count in counts[1:]:
        values[count] = solved(pl.ProjectiveDynamics(iterations=count))[0]
    error = np.array([(values[count] - best) / (values[0] - best) for count in counts])
    assert np.all(np.diff(error) < 0) and error[-1] > -1e-9
    assert error[2] < 0.2 and error[-1] < 1e-2
    rate = -np.diff(np.log10(np.maximum(error[2:], 1e-12))) / np.diff(counts[2:])  # decades per iteration
    assert np.all(rate > 0)


def test_springs_without_length_are_no_trouble():
    """Two nodes in one place have no direction: nothing pushes them, nothing is NaN; a disturbance parts them."""
    rod = pl.meshes.rod((0, 0, 0), (1, 0, 0), 4)
    for precision in ("f32", "f64"):
        body = pl.Body(pl.Springs(rod, 0.01), pl.Arap(young=1e5), pinned=[0])
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(solver=pl.ProjectiveDynamics()), precision=precision)
        sim.x = np.tile(rod.vertices[:1], (5, 1))
        for _ in range(5):
            report = sim.step()
            assert report.kept and np.isfinite(sim.x).all(), report
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(solver=pl.ProjectiveDynamics(iterations=50)))
    sim.x = np.tile(rod.vertices[:1], (5, 1)) + 1e-9 * np.arange(5)[:, None]
    for _ in range(20):
        assert sim.step().kept
    assert np.linalg.norm(np.diff(sim.x, axis=0), axis=1).min() > 0.2
