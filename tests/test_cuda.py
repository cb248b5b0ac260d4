"""The same source on CUDA: every law, energy and a whole run agree with the CPU."""

import numpy as np
import pytest

import pliant as pl
from pliant.bench.elements import Problem, example_laws
from pliant.device import Device
from pliant.energy.base import Pattern

pytestmark = pytest.mark.cuda


@pytest.fixture(scope="module", autouse=True)
def _needs_cuda():
    import warp as wp

    if not wp.is_cuda_available():
        pytest.skip("no CUDA device")


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("name", sorted(example_laws()))
def test_law_agrees_with_cpu(name, precision):
    law = example_laws()[name]
    found = {}
    for device in ("cpu", "cuda"):
        problem = Problem(3_000, law, Device(device, precision))
        energy, x, d = problem.energy, problem.x, problem.d
        values = [np.array(energy.value(x))]
        for project in (None, False, True):
            problem.out.zero_()
            if project is None:
                energy.gradient(x, problem.out)
            else:
                energy.tangent(x, d, problem.out, project=project)
            values.append(problem.out.numpy().astype(float))
        pattern = Pattern(problem.device, problem.nodes, [energy.cells()])
        energy.attach(pattern)
        energy.blocks(x, pattern)
        values.append(pattern.values.numpy().astype(float))
        found[device] = values
    bound = 2e-4 if precision == "f32" else 1e-9
    for cpu, cuda in zip(found["cpu"], found["cuda"]):
        assert np.isfinite(cuda).all()
        assert np.abs(cpu - cuda).max() <= bound * np.abs(cpu).max()


def _scene():
    mesh = pl.tet_grid((0.2, 0.2, 0.2), (4, 4, 4), 5).translated((0, 0, 0.02))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.4), damping=pl.Damping(stiffness=0.002))
    cloth = pl.Membrane(pl.cloth_grid((0.3, 0.3), (8, 8), origin=(0.0, 0.0, 0.4)), thickness=1e-3)
    sheet = pl.Body(cloth, pl.StVenantKirchhoff(young=1e5, poisson=0.3), pinned=[0, 8])
    return pl.Scene([body, sheet], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.4))


def test_run_agrees_with_cpu():
    ends = {}
    for device in ("cpu", "cuda"):
        sim = pl.Simulation(_scene(), pl.ImplicitEuler(dt=1 / 100), device=device)
        for _ in range(20):
            report = sim.step()
            assert report.ok, report.why
        ends[device] = sim.x
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-6


def test_two_cuda_runs_are_identical():
    ends = []
    for _ in range(2):
        sim = pl.Simulation(_scene(), pl.ImplicitEuler(dt=1 / 100), device="cuda", precision="f32")
        for _ in range(10):
            assert sim.step().ok
        ends.append(sim.x)
    assert np.array_equal(*ends)


def test_quasi_newton_agrees_with_cpu():
    """To convergence: on a budget, rounding alone sends the two along different paths."""
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2), 5)
    ends = {}
    for device in ("cpu", "cuda"):
        body = pl.Body(mesh, pl.StableNeoHookean(young=5e4, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9)
        solver = pl.QuasiNewton(tolerance=1e-8)
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 60, solver=solver), device=device)
        for _ in range(10):
            report = sim.step()
            assert report.ok, report.why
        ends[device] = sim.x
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-7


def _on_both(make, steps: int, act=lambda sim, k: None) -> dict:
    """Positions after some steps on the CPU and on CUDA; on the latter, most steps are replays of a graph."""
    ends = {}
    for device in ("cpu", "cuda"):
        sim = make(device)
        for k in range(steps):
            act(sim, k)
            found = sim.step()
            for report in found if isinstance(found, list) else [found]:
                assert report.ok, report.why
        ends[device] = sim.x
    return ends


def test_quasi_newton_with_floor_hand_and_sliding_pins_agrees_with_cpu():
    """A hand that takes hold, moves and lets go; a barrier law; pins along one axis; all while graphs are replayed."""
    mesh = pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), 5)

    def make(device):
        moved = pl.Pins(lambda X: X[:, 0] < 1e-9, motion=lambda X, t: X + np.array([0, 0, 0.05 * t]))
        body = pl.Body(mesh, pl.Ogden(young=5e4, poisson=0.4), pinned=[moved, pl.Pins([40, 41], axes="y")])
        scene = pl.Scene(body, obstacles=[pl.plane(z=-0.05)])
        return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-9)), device=device)

    def act(sim, k):
        if 4 <= k < 9:
            sim.grab(30, (0.35, 0.05, 0.1 + 0.01 * k), stiffness=200.0, handle=0)
        elif k == 9:
            sim.release(0)

    ends = _on_both(make, 12, act)
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-7


def test_batch_agrees_with_cpu():
    mesh = pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), 5)

    def make(device):
        scenes = [
            pl.Scene(
                pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9),
                gravity=(0, 0, gravity),
            )
            for young, gravity in ((2e4, -9.81), (1e5, -9.81), (5e4, 3.0))
        ]
        return pl.Batch(scenes, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-9)), device=device)

    ends = _on_both(make, 8)
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-7


def test_projective_dynamics_agrees_with_cpu():
    law = pl.Arap(young=5e4) + pl.StrainLimit(stiffness=1e5, low=0.9, high=1.05) + pl.VolumePreservation(stiffness=1e5)

    def make(device):
        mesh = pl.tet_grid((0.3, 0.1, 0.1), (6, 2, 2), 5)
        body = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9)
        solver = pl.ProjectiveDynamics(iterations=8)
        return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 60, solver=solver), device=device)

    ends = _on_both(make, 8)
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-9


def test_budget_of_time_picks_iterations():
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (16, 4, 4), 5)
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e4, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-9)
    found = {}
    for seconds in (0.003, 0.012):
        solver = pl.QuasiNewton(iterations=pl.Budget(seconds))
        sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(1 / 60, solver), device="cuda", precision="f32")
        reports = [sim.step() for _ in range(25)]
        found[seconds] = np.median([r.iterations for r in reports[8:]])
        assert np.median([r.seconds["total"] for r in reports[8:]]) < seconds + 0.002
    assert found[0.012] > 2 * found[0.003] >= 2


def test_two_replays_are_identical():
    ends = []
    for _ in range(2):
        sim = pl.Simulation(
            _scene(), pl.ImplicitEuler(dt=1 / 100, solver=pl.QuasiNewton()), device="cuda", precision="f32"
        )
        for _ in range(10):
            assert sim.step().ok
        ends.append(sim.x)
    assert np.array_equal(*ends)


@pytest.mark.parametrize("kind", ["moments", "averaged", "centre"])
def test_lattice_agrees_with_cpu(kind):
    def make(device):
        rule = pl.Centre() if kind == "centre" else pl.Moments()
        shape = pl.Lattice(pl.sphere(0.1), 0.04, rule, volume=pl.Averaged() if kind == "averaged" else None)
        body = pl.Body(shape, pl.NeoHookean(young=2e4, poisson=0.45), pinned=lambda X: X[:, 2] > 0.07)
        scene = pl.Scene(body, obstacles=[pl.plane(z=-0.11)])
        return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60), device=device)

    def act(sim, k):
        if k == 2:
            sim.grab(10, (0.1, 0.0, -0.1), stiffness=50.0)

    ends = _on_both(make, 6, act)
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-6


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize(("order", "fix", "aggregate"), [(1, "psd", False), (1, "paper", False), (2, "none", True)])
def test_cell_operator_agrees_with_cpu(order, fix, aggregate, precision):
    from pliant.energy.cell_operator import CellOperator

    shape = pl.Lattice(pl.torus(0.1, 0.04), 0.02)
    psi, kappa, measure = pl.NeoHookean(young=1e4, poisson=0.49).without_volume()
    found = {}
    for name in ("cpu", "cuda"):
        device, random = Device(name, precision), np.random.default_rng(0)
        t = device.types
        operator = CellOperator(device, shape, psi, kappa, measure, aggregate, order, fix=fix)
        x = device.array(shape.rest + 0.002 * random.standard_normal(shape.rest.shape), t.vec3)
        d = device.array(random.standard_normal(shape.rest.shape), t.vec3)
        p, dp = (device.array(100 * random.standard_normal(shape.count), t.real) for _ in range(2))
        out, out_p = device.zeros(len(shape.rest), t.vec3), device.zeros(shape.count, t.real)
        operator.linearise(x, p)
        operator.apply(d, dp, out, out_p)
        found[name] = out.numpy(), out_p.numpy()
    for cpu, cuda in zip(found["cpu"], found["cuda"]):
        assert np.abs(cpu - cuda).max() <= (2e-4 if precision == "f32" else 1e-9) * np.abs(cpu).max()


@pytest.mark.parametrize("order", [1, 2])
def test_mixed_agrees_with_cpu(order):
    def make(device):
        shape = pl.Lattice(pl.capsule((0, 0, 0), (0.2, 0, 0), 0.05), 0.025, volume=pl.Averaged())
        body = pl.Body(shape, pl.NeoHookean(young=2e4, poisson=0.499), pinned=lambda X: X[:, 0] < -0.01)
        solver = pl.Mixed(order=order, iterations=8 if order == 1 else None)  # K₁ comes near slowly
        return pl.Simulation(pl.Scene(body), pl.QuasiStatic(1.0, solver), device=device)

    ends = _on_both(make, 2)
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-5


def test_boundaries_muscles_and_pressure_agree_with_cpu():
    """Tethers, clamps, tractions and pressure on the cut surface, and an embedded muscle."""

    def lifted(X, t):
        return X + np.array([0.0, 0.0, 0.1 * t])

    def make(device):
        shape = pl.Lattice(pl.capsule((0, 0, 0), (0.2, 0, 0), 0.05), 0.03)
        bone = np.linspace([0.15, 0, 0], [0.2, 0, 0], 4)
        muscle = pl.EmbeddedMuscle(pl.capsule((0.05, 0, 0), (0.15, 0, 0), 0.02), (1.0, 0.0, 0.0), 0.5, name="muscle")
        body = pl.Body(
            shape, pl.Corotated(young=1e5, poisson=0.3), clamped=pl.Clamp(lambda X: X[:, 0] < 0, lifted),
            attachments=pl.Tether(bone, 300.0, lifted), muscles=[muscle],
            loads=[pl.Pressure(200.0), pl.Traction((0.0, 50.0, 0.0), lambda X: X[:, 0] > 0.2)],
            damping=pl.Damping(stiffness=0.002),
        )  # fmt: skip
        return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(dt=1 / 60), device=device)

    ends = _on_both(make, 5)
    assert np.abs(ends["cpu"] - ends["cuda"]).max() < 1e-6


def test_carried_distance_agrees_with_cpu():
    found = {}
    for device in ("cpu", "cuda"):
        body = pl.Body(pl.Lattice(pl.sphere(0.1), 0.02), pl.StableNeoHookean(young=1e4), pinned=lambda X: X[:, 2] > 0.08)
        sim = pl.Simulation(pl.Scene(body), device=device)
        sim.x = sim.x @ np.diag([1.2, 0.9, 1.0]) + np.array([0.0, 0.0, 0.05])
        found[device] = sim.sdf()(np.random.default_rng(0).uniform(-0.12, 0.12, (500, 3)))
    assert np.abs(found["cpu"] - found["cuda"]).max() < 1e-6
