"""Lattices in motion against linear algebra: rigid modes, corotation, Newmark's θ scheme, Rayleigh damping (Weiß 2018)."""

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import eigh

import pliant as pl
from pliant.linear.matrix.block_matrix import BlockMatrix

RULES = {
    "Moments": pl.quadrature.Moments(),
    "Gauss": pl.quadrature.Gauss(),
    "Corners": pl.quadrature.Corners(),
    "Centre": pl.quadrature.Centre(),
}
SOLID = pl.sphere(0.1, centre=(0.003, 0.001, 0.0)) | pl.capsule((0, 0, 0), (0.1, 0.05, 0.02), 0.06)
TIGHT = pl.Newton(tolerance=1e-11, linear=pl.linear.Direct())


def body(rule: str, law, **options) -> pl.Body:
    return pl.Body(pl.Lattice(SOLID, 0.06, RULES[rule]), law, **options)


def potential(sim: pl.Simulation) -> list:
    """The energies of the material."""
    return [*sim.world["elastic"], *sim.world["hourglass"]]


def stiffness(sim: pl.Simulation) -> np.ndarray:
    """(3n, 3n) Hessian of the material at the present positions."""
    n, energies = sim.world.count, potential(sim)
    pattern = BlockMatrix(sim.device, n, [e.cells() for e in energies])
    for energy in energies:
        energy.attach(pattern)
        energy.blocks(sim.state.x, pattern, project=False)
    return sparse.bsr_matrix((pattern.values.numpy(), pattern.columns, pattern.row_start), (3 * n, 3 * n)).toarray()


def forces(sim: pl.Simulation, x: np.ndarray) -> np.ndarray:
    out = sim.vectors.new()
    for energy in potential(sim):
        energy.gradient(sim.device.array(x, sim.device.types.vec3), out)
    return out.numpy()


@pytest.mark.parametrize("rule", list(RULES))
def test_six_rigid_modes_and_no_other(rule):
    sim = pl.Simulation(pl.Scene([body(rule, pl.LinearElastic(young=1e4))]))
    K = stiffness(sim)
    assert np.abs(K - K.T).max() <= 1e-11 * np.abs(K).max()
    found = eigh(K, np.diag(np.repeat(sim.world.mass, 3)), eigvals_only=True)
    assert np.abs(found[:6]).max() <= 1e-9 * found[-1]
    assert found[6] > 1e-6 * found[-1]


@pytest.mark.parametrize("rule", ["Moments", "Centre"])
def test_a_rigid_motion_wakes_no_corotated_force(rule):
    """30° and a shift: no force at all under Corotated; under LinearElastic as much as a strain of 1 − cos 30° makes."""
    c, s = np.cos(np.pi / 6), 0.5
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    force = {}
    for law in (pl.Corotated(young=1e4, poisson=0.3), pl.LinearElastic(young=1e4, poisson=0.3)):
        sim = pl.Simulation(pl.Scene([body(rule, law)]))
        force[law.key] = np.abs(forces(sim, sim.x @ R.T + [1.0, 2.0, 3.0])).max()
    assert force["Corotated"] <= 1e-10 * force["LinearElastic"]
    assert force["LinearElastic"] > 0.05 * 1e4 * (1 - c) * 0.06**2


def swinging(rule: str, damping: pl.Damping, integrator) -> pl.Simulation:
    shape = pl.Lattice(SOLID, 0.08, RULES[rule])
    random = np.random.default_rng(0).standard_normal(shape.rest.shape)
    velocity = np.cross([0, 0, 1.0], shape.rest) * shape.rest[:, :1] * 5 + 0.02 * random
    scene = pl.Scene([pl.Body(shape, pl.LinearElastic(young=2e3), velocity=velocity, damping=damping)], gravity=(0, 0, 0))
    return pl.Simulation(scene, integrator)


def exact(sim: pl.Simulation, seconds: float) -> np.ndarray:
    """Displacements of M u″ + (α M + β K) u′ + K u = 0 by its modes; K is that of the whole energy."""
    mass = np.repeat(sim.world.mass, 3)
    w2, modes = eigh(stiffness(sim), np.diag(mass))
    w2 = np.maximum(w2, 0.0)
    d = sim.scene.bodies[0].damping
    rate = 0.5 * (d.mass + d.stiffness * w2)
    w = np.sqrt((w2 - rate**2).astype(complex))
    start = modes.T @ (mass * sim.v.ravel())
    still = np.abs(w) * seconds < 1e-6
    w = np.where(still, 1.0, w)
    wave = (np.exp((1j * w - rate) * seconds) - np.exp((-1j * w - rate) * seconds)) / (2j * w)  # e^{−rt} sin(wt) / w
    return (modes @ (np.where(still, seconds * np.exp(-rate * seconds), wave.real) * start)).reshape(-1, 3)


def errors(rule: str, damping: pl.Damping, theta: float, counts, seconds: float = 0.08) -> np.ndarray:
    found = []
    for count in counts:
        sim = swinging(rule, damping, pl.NewmarkTheta(seconds / count, TIGHT, theta=theta))
        expected = exact(sim, seconds)
        for _ in range(count):
            assert sim.step().kept
        away = sim.x - sim.world.rest - expected
        found.append(np.sqrt(np.sum(sim.world.mass[:, None] * away**2)))
    return np.array(found)


RAYLEIGH = pl.Damping(mass=2.0, stiffness=5e-3)


@pytest.mark.parametrize(
    ("rule", "damping"), [("Moments", pl.Damping()), ("Centre", RAYLEIGH)], ids=["undamped, Moments", "damped, Centre"]
)
def test_newmark_with_theta_one_half_is_of_second_order(rule, damping):
    """Against the modes; with Centre() the damping must act on hourglass modes, or the reference is never reached."""
    found = errors(rule, damping, 0.5, (30, 60))
    assert found[0] / found[1] == pytest.approx(4, rel=0.15)


def test_newmark_with_larger_theta_is_of_first_order():
    found = errors("Moments", pl.Damping(), 0.6, (40, 80))
    assert 1.5 < found[0] / found[1] < 2.3


def test_newmark_keeps_energy_at_one_half_and_loses_it_beyond():
    left = {}
    for theta in (0.5, 0.6):
        sim = swinging("Centre", pl.Damping(), pl.NewmarkTheta(0.01, TIGHT, theta=theta))
        course = [sim.energies()["total"]]
        for _ in range(40):
            assert sim.step().kept
            course.append(sim.energies()["total"])
        left[theta] = np.array(course) / course[0]
    assert np.abs(left[0.5] - 1).max() <= 1e-8
    assert np.diff(left[0.6]).max() <= 1e-12 and left[0.6][-1] < 0.9


def test_averaged_volumes_are_damped_too():
    """Breathing dies out under stiffness damping where nearly all the stiffness is in the volume."""
    kept = []
    for seconds in (0.0, 1e-3):
        shape = pl.Lattice(pl.sphere(0.1), 0.06, volume=pl.quadrature.Averaged())
        law = pl.NeoHookean(young=2e3, poisson=0.49)
        material = pl.Body(shape, law, velocity=0.5 * shape.rest, damping=pl.Damping(stiffness=seconds))
        sim = pl.Simulation(pl.Scene([material], gravity=(0, 0, 0)), pl.Newmark(5e-4, TIGHT))
        assert len(sim.world["damping"]) == (2 if seconds else 0)
        start = sim.energies()["total"]
        for _ in range(20):
            assert sim.step().kept
        kept.append(sim.energies()["total"] / start)
    assert kept[0] == pytest.approx(1, abs=0.01) and kept[1] < 0.8


def test_projective_dynamics_agrees_on_damped_hourglasses():
    options = {
        "effects": pl.Hold(lambda X: X[:, 0] < -0.05, by=pl.hold.Springs(100.0)),
        "damping": pl.Damping(stiffness=0.01),
    }
    ends = []
    for solver in (pl.Newton(tolerance=1e-9), pl.ProjectiveDynamics(tolerance=1e-6)):
        sim = pl.Simulation(pl.Scene([body("Centre", pl.Arap(young=2e3), **options)]), pl.ImplicitEuler(dt=0.02, solver=solver))
        for _ in range(4):
            report = sim.step()
            assert report.kept, report.why
        ends.append(sim.x)
    assert np.abs(ends[0] - ends[1]).max() <= 1e-5
