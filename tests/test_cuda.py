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
