"""What the quasi-Newton solver must do: descend for every kind of law, know no direction, recover, and keep its factor."""

import numpy as np
import pytest
from scipy import linalg, sparse
from scipy.sparse.linalg import spsolve

import pliant as pl
from pliant.elements.base import Elements
from pliant.simulate.step.step_stages import aim
from pliant.solve.quasi_newton.constant_factor import prefactored

SIX = {
    "corotated": pl.Corotated(young=4e4, poisson=0.3),
    "St Venant–Kirchhoff": pl.StVenantKirchhoff(young=4e4, poisson=0.3),
    "neo-Hookean": pl.NeoHookean(young=4e4, poisson=0.3),
    "polynomial": pl.ValanisLandel.polynomial(4e4),
    "spline A": pl.ValanisLandel.neo_hookean_like(4e4, 0.3, compression=3.0),
    "spline B": pl.ValanisLandel.neo_hookean_like(4e4, 0.3, tension=3.0),
}
QUARTER = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])  # 90° about z


class Frozen:
    """The step that a simulation would take next, with x⁽¹⁾ = y."""

    def __init__(self, sim):
        aim(sim.world, sim.integrator, sim.state, sim.work)
        sim.world.approach.guess(sim.integrator, sim.state, sim.work)
        self.objective = sim.world.objective
        self.free = self.objective.free.numpy() > 0
        self.start = np.where(self.free, sim.world["inertia"][0].target.numpy(), sim.work["z"].numpy())
        self.x = self.objective.vectors.new()
        self.g = self.objective.vectors.new()

    def value(self, x):
        self.x.assign(x)
        return self.objective.value(self.x)

    def gradient(self, x):
        self.x.assign(x)
        self.objective.gradient(self.x, self.g)
        return self.g.numpy().copy()

    def hessian(self, x, project=False):
        """(3n, 3n) sparse; nothing is held in the scenes that ask for it."""
        self.x.assign(x)
        pattern = self.objective.assemble(self.x, project)
        parts = (pattern.values.numpy().copy(), pattern.columns, pattern.row_start)
        return sparse.bsr_matrix(parts, (3 * pattern.count, 3 * pattern.count))

    def solved(self, solver):
        """The x at which a solver arrives from x⁽¹⁾, and its report."""
        self.x.assign(self.start)
        report = solver.solve(self.objective, self.x).report
        assert report.kept, report
        return self.x.numpy().copy(), report

    def errors(self, solvers):
        """Relative errors (Eq 7.15) at which solvers arrive; the minimum is Newton's."""
        best, report = self.solved(pl.Newton(tolerance=1e-11, linear=pl.linear.Direct()))
        assert report.converged
        low, high = self.value(best), self.value(self.start)
        return [(self.value(self.solved(s)[0]) - low) / (high - low) for s in solvers]


def turning(angle):
    """A motion about the x axis, ``angle`` rad/s."""

    def motion(X, t):
        c, s = np.cos(angle * t), np.sin(angle * t)
        return X @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).T

    return motion


def twisting_bar(law, solver=None, cells=(12, 3, 3), steps=4):
    """A bar twisted at both ends, a few converged steps into the motion."""
    mesh = pl.tet_grid((0.3, 0.05, 0.05), cells, origin=(-0.15, -0.025, -0.025))
    ends = [
        pl.Hold(lambda X: X[:, 0] < -0.1499, motion=turning(-6.0)),
        pl.Hold(lambda X: X[:, 0] > 0.1499, motion=turning(6.0)),
    ]
    sim = pl.Simulation(
        pl.Scene(pl.Body(mesh, law, effects=ends), gravity=(0, 0, 0)), pl.ImplicitEuler(1 / 30, solver or pl.Newton())
    )
    for _ in range(steps):
        report = sim.step()
        assert report.kept, report
    return sim


# --- descent


@pytest.mark.parametrize("name", SIX)
def test_objective_falls_in_each_of_ten_iterations_from_the_target(name):
    frame = Frozen(twisting_bar(SIX[name]))
    values = [frame.value(frame.start)]
    values += [frame.value(frame.solved(pl.QuasiNewton(iterations=k))[0]) for k in range(1, 11)]
    assert np.all(np.diff(values) < 0), values


def test_ten_iterations_come_nearer_than_one_of_newton():
    """Relative errors on one frame of the twisting bar; what each costs is printed by ``python -m benchmarks.convergence``."""
    frame = Frozen(twisting_bar(SIX["neo-Hookean"]))
    quasi, newton = frame.errors([pl.QuasiNewton(iterations=10), pl.Newton(iterations=1, linear=pl.linear.Direct())])
    assert 0 < quasi < newton < 0.1


def test_history_of_five_beats_none():
    frame = Frozen(twisting_bar(SIX["neo-Hookean"]))
    plain, five = frame.errors([pl.QuasiNewton(iterations=20, window=w) for w in (0, 5)])
    assert 0 < five < 0.3 * plain


# --- no preferred direction (Table 7.1)


def cube(solver=None, gravity=(0, 0, 0)):
    """A free cube: 384 tets, 1 kg/m³, μ = λ = 20 Pa, h = 1/30 s."""
    body = pl.Body(pl.tet_grid((1, 1, 1), (4, 4, 4), 6), pl.NeoHookean.from_lame(20.0, 20.0, density=1.0))
    return pl.Simulation(pl.Scene(body, gravity=gravity), pl.ImplicitEuler(1 / 30, solver or pl.Newton()))


def test_condition_numbers_of_the_stretched_and_turned_cube():
    """cond(A⁽⁰⁾⁻¹ ∇²g) at a stretch of 15 %: the rest-pose Hessian suffers from a turn, ours does not notice."""
    frame = Frozen(cube())
    X = frame.start
    rest = frame.hessian(X).toarray()
    ours = np.kron(frame.objective.laplacian().toarray(), np.eye(3))
    found = []
    for x in (X * [1.15, 1, 1], X * [1.15, 1, 1] @ QUARTER.T):
        H = frame.hessian(x).toarray()
        for A in (rest, ours):
            values = linalg.eigh(H, A, eigvals_only=True)
            found.append(values[-1] / values[0])
    assert found == pytest.approx([1.31, 3.72, 8.87, 3.72], rel=0.03)
    assert found[3] == pytest.approx(found[1], rel=1e-9)


def bent(X):
    return X * [1.15, 1, 1] + 0.2 * np.column_stack([X[:, 1] ** 2, 0 * X[:, 0], X[:, 0] * X[:, 1]])


@pytest.mark.parametrize("iterations", [1, 5, 10])
def test_iterates_turn_with_the_scene(iterations):
    """The same deformed state lying and turned by 90°, gravity too, on the same rest shape."""
    found = []
    for Q in (np.eye(3), QUARTER):
        sim = cube(pl.QuasiNewton(iterations=iterations), gravity=Q @ [0, -9.81, 0])
        sim.x = bent(sim.x) @ Q.T
        assert sim.step().kept
        found.append(sim.x @ Q)
    assert np.abs(found[0] - found[1]).max() <= 1e-9
    assert np.abs(found[0] - bent(cube().x)).max() > 1e-3  # it has moved at all


def test_rest_pose_hessian_would_not_turn():
    """A direction from the rest-pose Hessian changes when the state turns; one from M/h² + L does not."""
    sim = cube()
    X = sim.x
    changes = {}
    for name in ("rest", "ours"):
        directions = []
        for Q in (np.eye(3), QUARTER):
            sim.x = bent(X) @ Q.T
            frame = Frozen(sim)
            g = frame.gradient(frame.start)
            if name == "rest":
                d = spsolve(frame.hessian(X).tocsc(), g.reshape(-1)).reshape(-1, 3)
            else:
                d = spsolve(frame.objective.laplacian().tocsc(), g)
            directions.append(d @ Q)
        changes[name] = np.linalg.norm(directions[0] - directions[1]) / np.linalg.norm(directions[0])
    assert changes["ours"] <= 1e-12 and changes["rest"] > 0.1


# --- hard starts


def volume_ratios(sim):
    elements = sim.scene.bodies[0].shape
    F = np.einsum("mki,mkj->mij", sim.x[elements.nodes], elements.gradients[:, 0])
    return np.linalg.det(F)


def test_meshes_with_right_angles_have_a_symmetric_matrix():
    """Entries that cancel exactly must vanish on both sides of the diagonal, or the factorisation refuses the pattern."""
    mesh = pl.tetrahedralise(pl.sphere(0.05), edge=0.016)
    sim = pl.Simulation(pl.Scene(pl.Body(mesh, SIX["corotated"])), pl.ImplicitEuler(1 / 30, pl.QuasiNewton()))
    A = Frozen(sim).objective.laplacian()
    assert A.nnz and (A != A.T).nnz == 0
    pattern = A.copy()
    pattern.data[:] = 1.0
    assert (pattern != pattern.T).nnz == 0


def test_a_lump_recovers_from_random_vertices():
    """Corotated, μ = 20 Pa, λ = 100 Pa, window 5, ten iterations a step: a body with a head and legs (Fig 7.2)."""
    trunk = pl.capsule((-0.04, 0, 0), (0.04, 0, 0), 0.035) | pl.sphere(0.03, centre=(0.08, 0, 0.025))
    legs = [pl.capsule((x, y, -0.01), (x, y, -0.06), 0.014) for x in (-0.035, 0.035) for y in (-0.02, 0.02)]
    shape = trunk | legs[0] | legs[1] | legs[2] | legs[3]
    mesh = pl.tetrahedralise(shape, edge=0.016)
    law = pl.Corotated.from_lame(mu=20.0, lam=100.0, density=10.0)
    sim = pl.Simulation(pl.Scene(pl.Body(mesh, law), gravity=(0, 0, 0)), pl.ImplicitEuler(1 / 30, pl.QuasiNewton(window=5)))
    X = mesh.vertices
    sim.x = np.random.default_rng(3).uniform(X.min(axis=0), X.max(axis=0), X.shape)
    assert np.mean(volume_ratios(sim) <= 0) > 0.3
    before = sim.energies()["elastic"]
    for _ in range(90):
        report = sim.step()
        assert report.kept, report
    assert volume_ratios(sim).min() > 0
    assert sim.energies()["elastic"] <= 1e-4 * before
    assert prefactored(sim.world.objective).factorisations == 1


BLOCK = pl.tet_grid((0.4, 0.2, 0.2), (4, 2, 2), 6)
SAFE = {
    "corotated": pl.Corotated(young=1e4, poisson=0.3),
    "stable neo-Hookean": pl.StableNeoHookean(young=1e4, poisson=0.3),
    "neo-Hookean": pl.NeoHookean(young=1e4, poisson=0.3),
}


@pytest.mark.parametrize("start", [(1, 1, 0), (-1, 1, 1)], ids=["flattened", "mirrored"])
@pytest.mark.parametrize("name", SAFE)
def test_flat_and_mirrored_starts(name, start):
    """Squashed into a plane, or turned inside out; two seconds of ten iterations a step bring it back to rest."""
    sim = pl.Simulation(pl.Scene(pl.Body(BLOCK, SAFE[name]), gravity=(0, 0, 0)), pl.ImplicitEuler(1 / 30, pl.QuasiNewton()))
    sim.x = BLOCK.vertices * start
    assert volume_ratios(sim).max() <= 1e-12
    before = sim.energies()["elastic"]
    for _ in range(60):
        report = sim.step()
        assert report.kept, report
    assert volume_ratios(sim).min() > 0
    assert sim.energies()["elastic"] <= 1e-3 * before


# --- one factor for a whole run


def test_contact_and_fibres_leave_the_factor_alone():
    """A cube with fibres falls on the ground and stays on it; each of the last steps still descends to its minimum."""
    law = pl.Corotated.from_lame(mu=1e4, lam=4e4) + pl.laws.Fibres(stiffness=5e4, direction=(0, 0, 1))
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3), origin=(0, 0, 0.01)), law, velocity=(0, 0, -0.5))
    scene = pl.Scene(body, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, pl.QuasiNewton(iterations=20)))
    lowest = []
    for _ in range(45):
        report = sim.step()
        assert report.kept, report
        lowest.append(sim.x[:, 2].min())
    assert prefactored(sim.world.objective).factorisations == 1
    assert min(lowest) > -5e-3 and abs(lowest[-1]) < 2e-3  # it met the ground, and lies on it
    frame = Frozen(sim)
    found, report = frame.solved(pl.QuasiNewton(tolerance=1e-7))
    exact, _ = frame.solved(pl.Newton(tolerance=1e-10))
    assert report.converged and np.abs(found - exact).max() < 1e-6


def test_torn_elements_leave_the_factor_alone():
    """Elements taken out of the energy only: it descends, and arrives where the matrix without them leads (Ch 8.4)."""
    frames, steps = [], []
    for refactored in (False, True):
        mesh = pl.tet_grid((0.4, 0.1, 0.1), (12, 3, 3))
        body = pl.Body(mesh, SIX["corotated"], pinned=lambda X: X[:, 0] < 1e-9)
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(1 / 30, pl.QuasiNewton()))
        for _ in range(3):
            assert sim.step().kept
        elastic = sim.world["elastic"][0]
        middle = mesh.vertices[mesh.tets].mean(axis=1)
        torn = (np.abs(middle[:, 0] - 0.2) < 0.02) & (middle[:, 2] > 0.04)
        assert 10 < torn.sum() < 40
        given = elastic.elements
        weights = np.where(torn[:, None], 0.0, given.weights)
        elastic.weight.assign(weights.T)  # what energy and gradient read; the matrix is made of the elements'
        factor = prefactored(sim.world.objective)
        assert factor.factorisations == 1
        if refactored:
            elastic.elements = Elements(given.rest, given.nodes, given.gradients, weights)
            objective = sim.world.objective
            factor.refactor(objective.laplacian(cut=False), objective.moves, objective.stamp)
        frame, made = Frozen(sim), factor.factorisations
        values = [frame.value(frame.start)]
        values += [frame.value(frame.solved(pl.QuasiNewton(iterations=k))[0]) for k in range(1, 9)]
        assert np.all(np.diff(values) < 0)
        found, report = frame.solved(pl.QuasiNewton(tolerance=1e-6))
        assert report.converged and prefactored(sim.world.objective) is factor and factor.factorisations == made
        frames.append(found)
        steps.append(report.iterations)
    assert np.abs(frames[0] - frames[1]).max() < 1e-6  # of a bar 0.4 m long
    assert steps[1] < steps[0]  # the old matrix costs iterations, nothing else


# --- springs (Ch 5)


def curtain(stiffness=100.0, cells=8):
    """A square metre of springs (1 kg) that hangs at two corners, some steps after its release."""
    net = pl.meshes.net((1.0, 1.0), (cells, cells))
    radius = np.sqrt(stiffness * net.lengths / (np.pi * 1e6))  # k = E A / l₀ is the same for all (Eq 3.18)
    law = pl.Corotated(young=1e6, poisson=0.0, density=1 / np.sum(np.pi * radius**2 * net.lengths))
    body = pl.Body(pl.Springs(net, radius=radius), law, pinned=[0, cells * (cells + 1)])
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(1 / 30))
    for _ in range(5):
        assert sim.step().kept
    return sim, net


def test_springs_iterate_local_and_global_steps():
    """x⁽ᵏ⁾ is that of p = l₀ d/‖d‖, then (M/h² + L) x = M/h² y + J p + f (Eq 5.9), written out here."""
    k = 100.0
    sim, net = curtain(k)
    frame, mass, h = Frozen(sim), sim.world.mass, sim.integrator.dt
    y, n, (a, b) = sim.world["inertia"][0].target.numpy().copy(), len(mass), net.edges.T
    ones = np.ones(len(a))
    G = sparse.coo_matrix((np.r_[ones, -ones], (np.r_[a, b], np.tile(np.arange(len(a)), 2))), (n, len(a))).tocsr()
    A = (sparse.diags(mass / h**2) + k * G @ G.T).tocsc()
    free = frame.free.all(axis=1)
    x = frame.start.copy()
    for i in range(1, 13):
        d = x[a] - x[b]
        p = net.lengths[:, None] * d / np.linalg.norm(d, axis=1, keepdims=True)
        right = mass[:, None] * (y / h**2 + sim.scene.gravity) + k * G @ p
        x[free] = spsolve(A[free][:, free], right[free] - A[free][:, ~free] @ x[~free])
        assert np.abs(frame.solved(pl.QuasiNewton(iterations=i, window=0))[0] - x).max() < 1e-10


def test_springs_converge_and_slower_when_stiff():
    """Relative errors after 1, 10 and 100 iterations: ever smaller, and larger for the stiffer cloth (Fig 5.3)."""
    solvers = [pl.QuasiNewton(iterations=i, window=0) for i in (1, 10, 100)]
    soft, stiff = (Frozen(curtain(k)[0]).errors(solvers) for k in (25.0, 1600.0))
    for errors in (soft, stiff):
        assert 1 > errors[0] > 2 * errors[1] > 4 * errors[2] > 0
    assert stiff[1] > 2 * soft[1] and stiff[2] > 100 * soft[2]
