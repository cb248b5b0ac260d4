"""Springs between bodies: their derivatives, their symmetries, and that what is pushed out goes the right way."""

from itertools import pairwise

import numpy as np
import pytest

import pliant as pl
from pliant.contact.penalty.penalty_springs import PenaltyContact
from pliant.energy.base import Step
from pliant.errors import InputError
from pliant.runtime.compilation import Compilation
from pliant.runtime.device import Device

from .test_barrier_energy import gradient, near_surface

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0)
PENALTY = pl.contact.Penalty()
DT = 1 / 60


def block(size, cells, at, degrees=0.0):
    """Tets of a box whose bottom has its middle at ``at``, turned about the upright."""
    mesh = pl.tet_grid(size=size, cells=cells, origin=(-0.5 * size[0], -0.5 * size[1], 0.0))
    return mesh.rotated((0, 0, 1), degrees).translated(at)


def simulated(
    bodies,
    friction=0.0,
    obstacles=(),
    gravity=(0, 0, -9.81),
    solver=None,
    response=PENALTY,
    self_contact=None,
    **options,
):
    law = pl.Contact(friction=friction, response=response, self_contact=self_contact)
    scene = pl.Scene(bodies, list(obstacles), gravity, law)
    return pl.Simulation(scene, pl.ImplicitEuler(DT, solver or pl.Newton()), **options)


def steps(sim, count):
    for _ in range(count):
        report = sim.step()
        assert report.kept, report.why
    return sim.world["body contact"][0].gaps.numpy()


def pressed(mixed, friction, precision="f64"):
    """A ball some way inside a box, with friction that partly sticks and partly slides; the energy, and where."""
    surface, x = near_surface(mixed)
    device, bodies = Device("cpu", precision), len(surface.alone)
    moduli, lengths = np.full(bodies, 1e4), np.full(surface.count, 0.3)
    energy = PenaltyContact(device, surface, moduli, lengths, 0.2, len(x), np.zeros(bodies, int), np.ones(bodies, int), friction)
    ball = np.arange(len(x)) >= 8
    x = x - 0.2 * ball[:, None] * [0, 0, 1]
    at = device.array(x, device.types.position)
    energy.begin(Step(at, 0.0))
    energy.accept(at, 0.0)
    x = x + 0.02 * ball[:, None] * (np.array([1.0, 0.5, 0.0]) + x[:, [1]])
    energy.begin(Step(device.array(x, device.types.position), 0.0))
    return energy, x


@pytest.mark.parametrize("friction", [0.0, 0.4], ids=["smooth", "rough"])
@pytest.mark.parametrize("mixed", [False, True], ids=["nodes", "mixtures"])
def test_gradient_and_tangent_are_derivatives(mixed, friction):
    energy, x = pressed(mixed, friction)
    device, types = energy.device, energy.device.types
    u = np.random.default_rng(1).normal(size=x.shape)
    value = lambda y: energy.value(device.array(y, types.position))

    def product(project):
        out = device.zeros(len(x), types.vec3)
        energy.tangent(device.array(x, types.position), device.array(u, types.vec3), out, project)
        return out.numpy()

    h = 1e-7
    assert value(x) > 0 and np.sum(energy.gaps.numpy() < 0) > 5
    slope = (value(x + h * u) - value(x - h * u)) / (2 * h)
    assert np.sum(gradient(energy, x) * u) == pytest.approx(slope, rel=1e-6)
    change = (gradient(energy, x + h * u) - gradient(energy, x - h * u)) / (2 * h)
    scale = np.abs(change).max()
    assert product(False) == pytest.approx(change, abs=1e-5 * scale)
    assert np.sum(product(True) * u) > 0 and product(True) == pytest.approx(change, abs=0.5 * scale)
    forces = gradient(energy, x)
    assert forces.sum(axis=0) == pytest.approx(0, abs=1e-9 * np.abs(forces).max())
    if not friction:  # anchors of friction are as far apart as bodies are in one another, and turn them by that much
        assert np.cross(x, forces).sum(axis=0) == pytest.approx(0, abs=1e-9 * np.abs(forces).max())


def test_a_tangent_may_be_multiplied_again_and_again():
    """As conjugate gradients do: each product is that of its own direction alone."""
    energy, x = pressed(True, 0.4)
    device, types = energy.device, energy.device.types
    energy.linearise(device.array(x, types.position))
    ways, products = np.random.default_rng(3).standard_normal((2, *x.shape)), []
    for i in (0, 1, 0):
        out = device.zeros(len(x), types.vec3)
        energy.multiply(device.array(ways[i], types.vec3), out)
        products.append(out.numpy())
    assert np.abs(products[0]).max() > 1 and np.array_equal(products[0], products[2])
    assert np.vdot(ways[1], products[0]) == pytest.approx(np.vdot(ways[0], products[1]))


def test_matrices_are_the_projected_tangent():
    energy, x = pressed(True, 0.4)
    device, types = energy.device, energy.device.types
    from pliant.linear.matrix.block_matrix import BlockMatrix

    pattern = BlockMatrix(device, len(x), [energy.cells()])
    energy.attach(pattern)
    at, u = device.array(x, types.position), np.random.default_rng(2).normal(size=x.shape)
    energy.blocks(at, pattern)
    d, product, expected = (
        device.array(u, types.vec3),
        device.zeros(len(x), types.vec3),
        device.zeros(len(x), types.vec3),
    )
    pattern.multiply(1.0, d, product)
    energy.tangent(at, d, expected, True)
    assert product.numpy() == pytest.approx(expected.numpy(), abs=1e-9 * np.abs(expected.numpy()).max())


def test_two_bodies_that_meet_keep_their_momentum():
    one = pl.Body(block((0.1, 0.1, 0.1), (2, 2, 2), (0, 0, 0)), SOFT, velocity=(0.4, 0, 0))
    other = pl.Body(block((0.08, 0.08, 0.08), (3, 3, 3), (0.1, 0.03, 0.02), 20.0), SOFT, velocity=(-0.6, 0, 0.1))
    sim = simulated([one, other], 0.3, gravity=(0, 0, 0), solver=pl.Newton(tolerance=1e-10))
    mass = sim.world.mass[:, None]
    before = (mass * sim.v).sum(axis=0), np.sum(0.5 * mass * sim.v**2)
    deepest = min(steps(sim, 1).min() for _ in range(12))
    assert deepest < -1e-5
    size = np.abs(mass * sim.v).sum()
    assert (mass * sim.v).sum(axis=0) == pytest.approx(before[0], abs=1e-8 * size)
    assert np.sum(0.5 * mass * sim.v**2) < before[1]
    mean = [sim.v[body.rows].mean(axis=0)[0] for body in sim.bodies]
    assert mean[0] < mean[1] + 1e-3  # they part, or stay together


@pytest.mark.release
def test_what_is_turned_moves_alike():
    turn = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))

    def moved(R):
        meshes = (
            block((0.1, 0.1, 0.1), (2, 2, 2), (0, 0, 0)),
            block((0.07, 0.07, 0.07), (2, 2, 2), (0.011, 0.007, 0.1), 31),
        )
        bodies = [
            pl.Body(
                pl.TetMesh(m.vertices @ R.T, m.tets),
                SOFT,
                pinned=(lambda X, R=R: (X @ R)[:, 2] < 1e-9) if not i else None,
            )
            for i, m in enumerate(meshes)
        ]
        sim = simulated(bodies, 0.3, gravity=R @ [1.0, 0.5, -9.81], solver=pl.Newton(tolerance=1e-9))
        assert steps(sim, 12).min() < -1e-5
        return sim.x

    straight, oblique = moved(np.eye(3)), moved(turn)
    assert oblique @ turn == pytest.approx(straight, abs=1e-6)


def test_a_stack_on_a_slope_stands_without_creeping():
    """Two bodies on a floor that leans by 14°, 25 % of the weight: friction 0.5 holds both, 0.1 holds neither."""
    moved = {}
    for friction in (0.1, 0.5):
        bodies = [
            pl.Body(block((0.1, 0.1, 0.05), (2, 2, 1), (0, 0, 0)), SOFT),
            pl.Body(block((0.06, 0.06, 0.04), (2, 2, 1), (0.01, 0.005, 0.05), 17.0), SOFT),
        ]
        sim = simulated(bodies, friction, [pl.plane(z=0.0)], (0.25 * 9.81, 0, -9.81), pl.Newton(tolerance=1e-9))
        steps(sim, 60)
        before = sim.x
        steps(sim, 15)
        moved[friction] = [(sim.x - before)[body.rows].mean(axis=0)[0] for body in sim.bodies]
    assert min(moved[0.1]) > 0.05
    assert np.abs(moved[0.5]).max() < 2.5e-6  # 0.01 mm/s over a quarter of a second


SCENES = {
    "aligned cubes": lambda: [block((0.1,) * 3, (1, 1, 1), (0, 0, 0.1 * i)) for i in range(3)],
    "a plate on a small cube": lambda: [
        block((0.05,) * 3, (2, 2, 2), (0, 0, 0)),
        block((0.2, 0.2, 0.02), (4, 4, 1), (0.003, 0.002, 0.051)),
    ],
    "unlike meshes": lambda: [
        block((0.1,) * 3, (2, 2, 2), (0, 0, 0)),
        block((0.09,) * 3, (5, 5, 4), (0.01, 0, 0.101), 20),
    ],
    "begun inside": lambda: [block((0.1,) * 3, (3, 3, 3), (0, 0, 0)), block((0.09,) * 3, (3, 3, 3), (0, 0, 0.08), 20)],
}


@pytest.mark.parametrize("name", SCENES)
def test_bodies_lie_on_each_other(name):
    bodies = [pl.Body(mesh, SOFT, damping=pl.Damping(mass=5.0)) for mesh in SCENES[name]()]
    sim = simulated(bodies, 0.4, [pl.plane(z=0.0)])
    gaps = steps(sim, 60)
    assert -4e-3 < gaps.min() < -1e-6
    heights = [sim.x[body.rows][:, 2].mean() for body in sim.bodies]
    assert all(b > a + 0.01 for a, b in pairwise(heights)) and np.abs(sim.v).max() < 0.02


def test_a_fast_ball_does_not_pass_a_thin_plate():
    """It goes eight times the thickness of the plate in a step."""
    plate = pl.Body(block((0.3, 0.3, 0.02), (6, 6, 1), (0, 0, 0)), SOFT, pinned=lambda X: np.abs(X[:, 0]) > 0.149)
    ball = pl.Body(block((0.05,) * 3, (2, 2, 2), (0.01, 0, 0.1), 30), SOFT, velocity=(0, 0, -10.0))
    sim = simulated([plate, ball], 0.3)
    steps(sim, 12)
    plate, ball = (sim.x[body.rows] for body in sim.bodies)
    below = plate[np.argmin(np.linalg.norm(plate[:, :2] - ball[:, :2].mean(axis=0), axis=1))]
    assert ball[:, 2].mean() > below[2] + 0.01


@pytest.mark.parametrize("solver", [pl.QuasiNewton(iterations=10), pl.Newton()], ids=["quasi-Newton", "Newton"])
def test_a_stiff_body_in_single_precision(solver):
    stiff = pl.StableNeoHookean(young=1e7, poisson=0.3, density=1000.0)
    bodies = [pl.Body(block((0.1,) * 3, (2, 2, 2), (5.0, 3.0, 0)), SOFT)]
    bodies += [pl.Body(block((0.06,) * 3, (2, 2, 2), (5.01, 3.0, 0.1), 20.0), stiff)]
    sim = simulated(bodies, 0.3, [pl.plane(z=0.0)], solver=solver, precision="f32")
    gaps = steps(sim, 30)
    assert -3e-3 < gaps.min() < 0 and sim.x[sim.bodies[1].rows][:, 2].min() > 0.08


def test_sheets_and_threads_lie_on_a_ball():
    light = pl.Corotated(young=1e5, poisson=0.3, density=500.0)
    ball = pl.tetrahedralise(pl.sphere(0.05, centre=(0, 0, 0.05)), edge=0.04)
    cloth = pl.Membrane(pl.cloth_grid((0.2, 0.2), (5, 5)).translated((-0.1, -0.1, 0.105)), thickness=0.002)
    thread = pl.Springs(pl.meshes.rod((-0.15, 0.01, 0.15), (0.15, 0.01, 0.15), 12), radius=0.002)
    bodies = [pl.Body(ball, SOFT, pinned=True)] + [pl.Body(s, light, damping=pl.Damping(mass=5.0)) for s in (cloth, thread)]
    contact = pl.Contact(friction=0.3, thickness=True, response=PENALTY)
    sim = pl.Simulation(pl.Scene(bodies, [pl.plane(z=-0.1)], contact=contact), pl.ImplicitEuler(DT))
    steps(sim, 25)
    middle = np.linalg.norm(sim.x[:, :2], axis=1) < 0.03
    ball, cloth, thread = (sim.x[body.rows][middle[body.rows]][:, 2] for body in sim.bodies)
    assert cloth.min() > 0.075 and cloth.max() > ball.max() and thread.min() > 0.095


def test_scenes_of_a_batch_touch_alone():
    def scene(young):
        law = pl.StableNeoHookean(young=young, poisson=0.3)
        meshes = block((0.1,) * 3, (2, 2, 2), (0, 0, 0)), block((0.06,) * 3, (2, 2, 2), (0.01, 0, 0.099), 20.0)
        return pl.Scene([pl.Body(m, law) for m in meshes], ground, contact=pl.Contact(friction=0.2, response=PENALTY))

    ground = [pl.Obstacle(pl.plane(z=0.0))]
    solver = pl.ImplicitEuler(DT, pl.QuasiNewton(tolerance=1e-5))
    batch, alone = pl.Batch([scene(2e4), scene(5e4)], solver), pl.Simulation(scene(5e4), solver)
    for _ in range(5):
        assert all(report.kept for report in batch.step()) and alone.step().kept
    assert np.asarray(batch.x)[1] == pytest.approx(alone.x, abs=2e-6)


def test_sentences():
    with pytest.raises(InputError, match=r"Penalty\(stiffness=…\) is -1; expected .*N/m, or None"):
        pl.contact.Penalty(stiffness=-1)
    with pytest.raises(InputError, match=r"Penalty\(damping=…\) is -1; expected seconds, at least 0"):
        pl.contact.Penalty(damping=-1)
    with pytest.raises(InputError, match=r"expected contact.Penalty\(\), .*, or None"):
        pl.Contact(response="penalty")
    lattice, thread = (
        pl.Lattice(pl.box(0.1), 0.05),
        pl.Body(pl.Springs(pl.meshes.rod((0, 0, 0), (0.1, 0, 0), 4), 1e-3), pl.Arap(young=1e5)),
    )
    with pytest.raises(InputError, match=r"none of body 0, body 1 has faces .* surface=…"):
        simulated([thread, thread])
    one = pl.Simulation(pl.Scene([pl.Body(lattice, SOFT)], contact=pl.Contact(response=PENALTY)))
    assert not one.world["body contact"]


def test_the_viewer_shows_where_bodies_touch():
    from pliant.view.scene.snapshots import Snapshots

    meshes = block((0.1,) * 3, (2, 2, 2), (0, 0, 0)), block((0.06,) * 3, (2, 2, 2), (0.01, 0, 0.0995), 20.0)
    sim = simulated([pl.Body(mesh, SOFT) for mesh in meshes])
    report = sim.step()
    shown = Snapshots(sim)._touching()
    assert len(shown) > 3 and np.abs(shown[:, 2] - 0.1).max() < 0.01
    assert np.abs(shown[:, 5]) == pytest.approx(np.linalg.norm(shown[:, 3:], axis=1), rel=0.05)
    assert report.contacts > 3 and -3e-3 < report.worst_gap < 0


def test_ten_iterations_know_what_touches(monkeypatch):
    """Two bodies pressed together and onto a floor: quasi-Newton leaves a tenth over with contact in its matrix."""
    from pliant.solve.quasi_newton import contact_solve

    def left(aware):
        if not aware:
            monkeypatch.setattr(
                contact_solve.ContactSolve, "solve", lambda self, factor, x, b, d: self._precondition(factor, x, b, d)
            )
        meshes = block((0.1,) * 3, (3, 3, 3), (0, 0, 0)), block((0.08,) * 3, (3, 3, 3), (0.01, 0, 0.101), 20.0)
        floor = [pl.plane(z=0.0)]
        sim = simulated([pl.Body(m, SOFT) for m in meshes], 0.3, floor, solver=pl.QuasiNewton(iterations=10))
        reports = [sim.step() for _ in range(15)]
        assert all(report.kept for report in reports)
        return np.median([report.residual for report in reports])

    assert left(True) < 0.1 * left(False)  # a hundredth, as measured


def bounced(damping, integrator, speed=0.5):
    """A cube thrown onto a plate: the share of its speed with which it leaves, and ω = √(K/m) of its springs [1/s]."""
    firm = pl.StableNeoHookean(young=2e6, poisson=0.3, density=1000.0)
    plate = pl.Body(block((0.2, 0.2, 0.05), (2, 2, 1), (0, 0, -0.05)), firm, pinned=True)
    cube = pl.Body(block((0.05,) * 3, (1, 1, 1), (0.01, 0.02, 0.001), 20.0), firm, velocity=(0, 0, -speed))
    contact = pl.Contact(response=pl.contact.Penalty(stiffness=300.0, damping=damping))
    sim = pl.Simulation(pl.Scene([plate, cube], gravity=(0, 0, 0), contact=contact), integrator)
    mass, rows = sim.world.mass[:, None], sim.bodies[1].rows
    energy, near, stiffness, inside = 0.5 * np.sum(mass * sim.v**2), sim.world["body contact"][0]._near, 0.0, False
    for _ in range(400):
        report = sim.step()
        assert report.kept and 0.5 * np.sum(mass * sim.v**2) < energy * (1 + 1e-3), report.why
        if inside and not report.contacts:
            break
        inside |= report.contacts > 0
        stiffness = max(stiffness, near["stiffness"].numpy()[near["gaps"].numpy() < 0].sum())
    assert inside
    stiffness /= 1 + damping / integrator.dt
    return np.average(sim.v[rows][:, 2], weights=mass[rows][:, 0]) / speed, np.sqrt(stiffness / mass[rows].sum())


def test_damping_takes_energy_and_never_gives_any():
    """e = exp(−ζ/√(1−ζ²) (π − φ)), tan φ = 2ζ√(1−ζ²)/(1−2ζ²), of a damped spring that cannot pull, with ζ = damping ω / 2."""
    integrator = pl.BDF2(dt=1 / 4000, solver=pl.Newton(tolerance=1e-8))
    for damping in (0.0, 1e-3, 3e-3):
        left, frequency = bounced(damping, integrator)
        zeta = 0.5 * damping * frequency
        root = np.sqrt(1 - zeta**2)
        expected = np.exp(-zeta / root * (np.pi - np.arctan2(2 * zeta * root, 1 - 2 * zeta**2)))
        assert left == pytest.approx(expected, abs=0.015)


def test_ten_iterations_of_quasi_newton_set_a_rigid_box_down():
    """On a soft block: within a tenth of a millimetre of where Newton's method has it, standing still."""
    ends = []
    for solver in (pl.Newton(), pl.QuasiNewton(iterations=10)):
        below = pl.Body(block((0.2, 0.2, 0.1), (3, 3, 2), (0, 0, 0)), SOFT, pinned=lambda X: X[:, 2] < 1e-9)
        box = pl.meshes.box((0.08, 0.08, 0.05)).rotated((0, 0, 1), 20).translated((0, 0, 0.126))
        sim = simulated([below, pl.Body(pl.contact.Rigid(box, density=1500.0))], 0.4, solver=solver)
        steps(sim, 30)
        ends.append(sim.x)
        assert np.abs(sim.v).max() < 0.02
    assert ends[1] == pytest.approx(ends[0], abs=1e-4)


@pytest.mark.slow
def test_points_that_slip_there_and_back_do_not_keep_newton_from_converging():
    """Eight blocks in a pile: where a corner would stick but for steps that are longer than what friction gives way by."""
    soft, blocks = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0), []
    for z, shift, turned in ((0.001, 0.0, 0.0), (0.121, 0.035, 20.0)):
        for i, (x, y) in enumerate([(-0.072, -0.072), (0.072, -0.072), (-0.072, 0.072), (0.072, 0.072)]):
            grid = pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3), origin=(-0.05, -0.05, 0.0)).rotated((0, 0, 1), 5 * i + turned)
            at = (x + shift, y + 0.5 * shift, z)
            blocks.append(pl.Body(grid.translated(at), soft, damping=pl.Damping(stiffness=0.002)))
    scene = pl.Scene(blocks, [pl.plane(z=0.0)], contact=pl.Contact(friction=0.5, response=PENALTY))
    steps(pl.Simulation(scene, pl.ImplicitEuler(0.01, pl.Newton()), threads=1), 120)


def test_the_first_contact_compiles_nothing(monkeypatch):
    """What only pairs need is loaded before the first step, so that none of those that follow has to wait for it."""
    monkeypatch.setattr(Compilation, "loaded", set())
    law = pl.StableNeoHookean(young=1e4, poisson=0.3, density=1000.0)
    blocks = [pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), origin=(0, 0, 0.104 * k)), law) for k in range(2)]
    contact = pl.Contact(response=pl.contact.Penalty())
    scene = pl.Scene(blocks, gravity=(0, 0, 0), contact=contact)
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 100, pl.QuasiNewton(iterations=4)), precision="f32")
    sim.step()
    before, sim.v = set(Compilation.loaded), sim.v * 0 - [0, 0, 1.0] * (sim.x[:, 2:] > 0.102)
    assert max(sim.step().contacts for _ in range(3)) > 0
    assert Compilation.loaded == before


def test_a_sheet_that_slides_and_sticks_on_a_body_takes_few_iterations():
    """What is held together slides and is to stick again: one step took 79 iterations, from one side of its anchors to the other,
    before tangents expected the friction that the iteration before told."""
    rubber = pl.StableNeoHookean(young=1.2e6, density=1100)
    mesh = pl.cloth_grid((0.3, 0.3), (10, 10), origin=(-0.15, -0.15, 0.25))
    sheet = pl.Body(pl.Membrane(mesh, thickness=2e-3), rubber, damping=pl.Damping(stiffness=0.003))
    ball = pl.tetrahedralise(pl.meshes.sphere(0.1, 3).translated((0, 0, 0.1)), edge=0.03)
    scene = pl.Scene(
        [sheet, pl.Body(ball, rubber, pinned=lambda X: X[:, 2] < 0.1)],
        contact=pl.Contact(friction=0.2, response=pl.contact.Penalty()),
    )
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 24, solver=pl.Newton(1e-3)))
    reports = [sim.step() for _ in range(9)]
    assert all(report.kept and report.converged for report in reports), reports
    assert max(report.iterations for report in reports) < 40
    contact = sim.world["body contact"][0]
    assert contact.remembered.limit.numpy().any()
    assert not contact._held["drag"].numpy().any()  # tangents are those of the energy again


def test_a_body_that_is_pushed_into_another_within_a_step_is_stopped_there():
    """The first hits the second, which rests 12 mm from a third: further than what it looks for. It was 4 mm in it."""
    size = (0.05, 0.05, 0.05)
    bodies = [
        pl.Body(block(size, (3, 3, 3), (-0.055, 0.002, 0.001)), SOFT, velocity=(2.5, 0, 0)),
        pl.Body(block(size, (3, 3, 3), (0, 0, 0)), SOFT),
        pl.Body(block(size, (3, 3, 3), (0.062, 0.003, -0.002)), SOFT, pinned=lambda X: X[:, 0] > 0.08),
    ]
    sim = simulated(bodies, gravity=(0, 0, 0))
    report = sim.step()
    assert report.ok and report.converged, report.why
    second, third = (sim.x[body.rows][:, 0] for body in sim.bodies[1:])
    assert -0.002 < third.min() - second.max() < 0  # they touch


def test_the_worst_gap_is_that_where_the_step_ended():
    """The same under a budget, which looks for nothing more: what went into the third is reported, whose face is a plane."""
    bodies = [
        pl.Body(block((0.05,) * 3, (3, 3, 3), (-0.055, 0.002, 0.001)), SOFT, velocity=(2.5, 0, 0)),
        pl.Body(block((0.05,) * 3, (3, 3, 3), (0, 0, 0)), SOFT),
        pl.Body(block((0.07,) * 3, (3, 3, 3), (0.072, 0.003, -0.01)), SOFT, pinned=True),
    ]
    sim = simulated(bodies, gravity=(0, 0, 0), solver=pl.Newton(iterations=20))
    report = sim.step()
    second, third = (sim.x[body.rows][:, 0] for body in sim.bodies[1:])
    depth = second.max() - third.min()
    assert depth > 2e-3 and -report.worst_gap == pytest.approx(depth, rel=0.05)
