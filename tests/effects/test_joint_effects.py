"""Joints against closed forms: pendulums, motors, limits, slopes, pulleys, welds; their forces, and what is refused."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import pliant as pl
from pliant import joint
from pliant.contact import Rigid
from pliant.errors import InputError

G = 9.81
APART = pl.Contact(response=None)


def bar(name="bar", length=1.0, thick=0.05, start=0.0, density=1000.0, **more) -> pl.Body:
    """Along x from ``start`` on."""
    mesh = pl.meshes.box((length, thick, thick)).translated((start + 0.5 * length, 0.0, 0.0))
    return pl.Body(Rigid(mesh, density=density), name=name, **more)


def simulation(bodies, joints, scheme=None, precision="f64", contact=APART, **scene) -> pl.Simulation:
    scene = pl.Scene(bodies, joints=joints, contact=contact, **scene)
    return pl.Simulation(scene, scheme or pl.ImplicitEuler(1 / 60), precision=precision)


def gap(sim: pl.Simulation) -> float:
    """The greatest distance of points that are to be together [m], from positions alone."""
    points = [energy for energy in sim.world.energies if energy.name == "joined points"]
    found = [np.einsum("pk,pkc->pc", e.weights, sim.x[e.elements.nodes]) - e.goal.numpy() for e in points]
    return max(np.linalg.norm(one, axis=1).max() for one in found)


def advance(sim: pl.Simulation, steps: int, look=lambda: None) -> list:
    seen = []
    for _ in range(steps):
        report = sim.step()
        assert report.kept and report.converged, report.why
        seen.append(look())
    return seen


def inertia(body: pl.Body, arm: float, axis: int = 1) -> tuple[float, float]:
    """Mass, and moment of inertia about an axis that far from the centre."""
    mass = body.shape.moments.volume * 1000.0
    return mass, body.shape.inertia[axis, axis] + mass * arm**2


def period(sim: pl.Simulation, steps: int) -> float:
    """Twice the time between the first two passages of the lowest point."""
    angle = np.array(advance(sim, steps, lambda: sim.joint_position(0))) - np.pi / 2
    passed = np.flatnonzero(angle[1:] * angle[:-1] < 0)
    times = [(i + 1 + angle[i] / (angle[i] - angle[i + 1])) * sim.integrator.dt for i in passed]
    return 2 * (times[1] - times[0])


def damped(dt: float, **more) -> pl.NewmarkTheta:
    """Newmark's θ form as it holds joints of rigid bodies."""
    return pl.NewmarkTheta(dt, theta=0.7, **more)


@pytest.mark.parametrize(("kind", "share"), [(pl.BDF2, 3e-4), (damped, 1e-2)])
def test_a_pendulum_of_large_amplitude_has_its_period(kind, share):
    body = bar()
    mass, about = inertia(body, 0.5)
    exact = 4 * np.sqrt(about / (mass * G * 0.5)) * ellipk(0.5)  # released a right angle from the lowest point
    sim = simulation([body], [joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0))], kind(1 / 240))
    assert period(sim, 400) == pytest.approx(exact, rel=share)
    assert gap(sim) < 1e-6


def test_schemes_whose_forces_swing_refuse_joints_of_rigid_bodies():
    """The trapezoidal rule: forces of a pendulum would change sign from step to step, and grow a thousandfold in 2 s."""
    hinge = joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0))
    for scheme in (pl.Newmark(), pl.NewmarkTheta(), pl.Newmark(beta=0.3025, gamma=0.6)):
        with pytest.raises(InputError, match=r"cannot use joints where contact\.Rigid bodies move; expected .*theta=0\.7"):
            simulation([bar()], [hinge], scheme)
    for scheme in (damped(1 / 60), pl.BDF2()):
        sim = simulation([bar()], [hinge], scheme)
        forces = np.linalg.norm(advance(sim, 300, lambda sim=sim: sim.force("joint 0")), axis=1)
        assert forces.max() < 2.7 * inertia(bar(), 0.5)[0] * G  # 5/2 m g of a thin bar at its lowest point
    soft = pl.Body(pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1)), pl.StableNeoHookean(young=1e6, poisson=0.3), name="bar")
    advance(simulation([soft], [joint.Ball("bar", None, (0.05, 0.05, 0.05))], pl.Newmark()), 10)


def test_a_pendulum_of_small_amplitude_has_its_period():
    mesh = pl.meshes.box((0.05, 0.05, 1.0)).translated((0.0, 0.0, -0.5))
    body = pl.Body(Rigid(mesh, density=1000.0), name="bar", spin=(0.0, 0.1, 0.0), velocity=(-0.05, 0.0, 0.0))
    mass, about = inertia(body, 0.5)
    sim = simulation([body], [joint.Ball("bar", None, (0, 0, 0))], pl.BDF2(1 / 240))
    way = np.array(advance(sim, 500, lambda: sim.x.mean(axis=0)[0]))
    passed = np.flatnonzero(way[1:] * way[:-1] < 0)
    times = [(i + 1 + way[i] / (way[i] - way[i + 1])) / 240 for i in passed]
    assert 2 * (times[1] - times[0]) == pytest.approx(2 * np.pi * np.sqrt(about / (mass * G * 0.5)), rel=5e-3)


def two_links(time: np.ndarray, mass: float, length: float, about: float) -> np.ndarray:
    """(2, t) angles below the horizontal of two equal uniform links released from it, by Lagrange's equations."""

    def slope(_, y):
        a, b, u, v = y
        c = 0.5 * mass * length**2 * np.cos(a - b)
        M = np.array([[about + 1.25 * mass * length**2, c], [c, about + 0.25 * mass * length**2]])
        s = 0.5 * mass * length**2 * np.sin(a - b)
        force = [-s * v**2 + 1.5 * mass * G * length * np.cos(a), s * u**2 + 0.5 * mass * G * length * np.cos(b)]
        return [u, v, *np.linalg.solve(M, force)]

    return solve_ivp(slope, (0, time[-1]), np.zeros(4), t_eval=time, rtol=1e-9, atol=1e-9).y[:2]


def test_a_double_pendulum_follows_lagrange_and_keeps_its_energy():
    bodies, dt = [bar("upper", 0.4), bar("lower", 0.4, start=0.4)], 1 / 500
    joints = [joint.Hinge("upper", None, (0, 0, 0), (0, 1, 0)), joint.Hinge("lower", "upper", (0.4, 0, 0), (0, 1, 0))]
    sim = simulation(bodies, joints, pl.BDF2(dt))
    first = sim.energies()["total"]
    angles = np.array(advance(sim, 250, lambda: (sim.joint_position(0), sim.joint_position(1))))
    mass, about = inertia(bodies[0], 0.0)
    exact = two_links(dt * np.arange(1, 251), mass, 0.4, about)
    assert np.abs(angles[:, 0] - exact[0]).max() < 0.02
    assert np.abs(angles.sum(axis=1) - exact[1]).max() < 0.02
    assert sim.energies()["total"] == pytest.approx(first, abs=0.01 * sim.energies()["kinetic"])


@pytest.mark.parametrize("solver", [pl.Newton(), pl.Newton(linear=pl.linear.Direct())])
@pytest.mark.parametrize("heavy", [1.0, 1000.0])
def test_a_chain_with_a_heavy_end_stays_together(heavy, solver):
    bodies = [bar(f"link {i}", 0.2, 0.04, 0.2 * i, 1000.0 * (heavy if i == 4 else 1)) for i in range(5)]
    joints = [joint.Ball(f"link {i}", f"link {i - 1}" if i else None, (0.2 * i, 0, 0)) for i in range(5)]
    with pytest.warns(pl.errors.PliantWarning, match="density") if heavy > 100 else np.errstate():
        sim = simulation(bodies, joints, pl.ImplicitEuler(1 / 60, solver=solver))
    iterations = []
    for _ in range(30):
        report = sim.step()
        assert report.converged, report.why
        assert gap(sim) < 1e-6 * 0.2
        iterations.append(report.iterations)
    assert np.mean(iterations) < 20


def test_a_joint_between_free_bodies_keeps_the_momentum():
    bodies = [bar("a", 0.4, spin=(3.0, 1.0, 2.0)), bar("b", 0.4, start=0.4, velocity=(0.0, 1.0, 0.5))]
    scheme = pl.BDF2(1 / 500, solver=pl.Newton(tolerance=1e-11, linear=pl.linear.Direct()))
    sim = simulation(bodies, [joint.Ball("a", "b", (0.4, 0, 0), tolerance=1e-10)], scheme, gravity=(0, 0, 0))
    mass = sim.world.mass[:, None]

    def momenta():
        return np.array([(mass * sim.v).sum(axis=0), (mass * np.cross(sim.x, sim.v)).sum(axis=0)])

    first = momenta()
    for now in advance(sim, 60, momenta):
        assert np.abs(now[0] - first[0]).max() < 1e-12 * np.linalg.norm(first[0])
        assert np.abs(now[1] - first[1]).max() < 3e-4 * np.linalg.norm(first[1])


def test_a_motor_gives_its_torque_over_the_inertia():
    body = bar()
    _, about = inertia(body, 0.5, axis=2)
    motor = joint.Motor(torque=0.3)
    sim = simulation([body], [joint.Hinge("bar", None, (0, 0, 0), (0, 0, 1), motor=motor, name="elbow")])
    advance(sim, 60)
    assert sim.joint_position("elbow") == pytest.approx(0.5 * 0.3 / about * 61 / 60, rel=1e-3)
    assert sim.torque("elbow", about=(0, 0, 0))[2] == pytest.approx(-0.3, rel=1e-4)
    sim.set(joints={"elbow": joint.Motor(damping=1e6)})  # a brake
    stopped = sim.joint_position("elbow")
    advance(sim, 10)
    assert sim.joint_position("elbow") == pytest.approx(stopped, abs=1e-5)


@pytest.mark.parametrize(("torque", "scheme"), [(1.0, pl.ImplicitEuler), (2.0, pl.ImplicitEuler), (1.0, pl.BDF2), (1.0, damped)])
def test_a_brake_at_speed_balances_the_torque(torque, scheme):
    """Up to 1.7 rad a step; the brake is linear in the angle of a step, not in its chord or tangent."""
    motor, dt = joint.Motor(torque=torque, damping=0.02), 1 / 60
    fan = bar("fan", 0.2, 0.1).shape
    hinge = joint.Hinge("fan", None, (0.1, 0, 0), (0, 0, 1), motor=motor, name="axle")
    sim = simulation([pl.Body(fan, name="fan")], [hinge], scheme(dt), gravity=(0, 0, 0))
    steps = int(12 * inertia(pl.Body(fan, name="fan"), 0.0, 2)[1] / 0.02 / dt)  # twelve times the time it takes
    angles = advance(sim, steps, lambda: sim.joint_position("axle"))
    assert abs((angles[-1] - angles[-2]) / dt / (torque / 0.02) - 1) < 1e-3


def test_the_angle_of_a_hinge_counts_its_turns():
    spin = pl.Body(Rigid(pl.meshes.box(0.1), density=1000.0), name="wheel", spin=(0, 0, 20.0))
    sim = simulation([spin], [joint.Hinge("wheel", None, (0, 0, 0), (0, 0, 1))], gravity=(0, 0, 0))
    advance(sim, 120)
    assert sim.joint_position(0) == pytest.approx(40.0, rel=1e-5)


@pytest.mark.parametrize("stiffness", [1e-2, 1.0, 1e2, 1e4, 1e6, 1e8])
def test_a_motor_with_a_target_holds_against_gravity_at_any_gain(stiffness):
    body = bar()
    mass, about = inertia(body, 0.5)
    motor = joint.Motor(target=0.3, stiffness=stiffness, damping=2 * np.sqrt(stiffness * about) + 5.0)
    sim = simulation([body], [joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0), motor=motor)])
    advance(sim, 600)
    angle = sim.joint_position(0)
    assert angle == pytest.approx(0.3 + mass * G * 0.5 * np.cos(angle) / stiffness, rel=1e-3, abs=1e-6)
    assert np.abs(sim.v).max() < 1e-3


def test_a_motor_follows_a_target_in_time():
    target = pl.schedule.Table([0.0, 0.5], [0.0, 1.0])
    motor = joint.Motor(target=target, stiffness=1e6, damping=1e3)
    sim = simulation([bar()], [joint.Slider("bar", None, (0, 0, 0), (0, 0, 1), motor=motor)])
    advance(sim, 30)
    assert sim.joint_position(0) == pytest.approx(1.0, abs=5e-3)


def test_a_slider_on_a_slope_falls_with_its_part_of_gravity():
    axis = np.array([np.cos(0.4), 0.0, -np.sin(0.4)])
    sim = simulation([bar()], [joint.Slider("bar", None, (0.5, 0, 0), axis, name="rail")])
    first = sim.x
    advance(sim, 60)
    assert sim.joint_position("rail") == pytest.approx(0.5 * G * np.sin(0.4) * 61 / 60, rel=1e-5)
    assert sim.x - first == pytest.approx(np.tile(sim.joint_position(0) * axis, (4, 1)), abs=1e-6)
    across = np.array([np.sin(0.4), 0.0, np.cos(0.4)])
    weight = sim.world.mass.sum() * G
    assert sim.force("rail") == pytest.approx(-weight * np.cos(0.4) * across, abs=1e-3 * weight)


def test_a_slider_between_two_bodies_turns_with_them():
    bodies = [bar("rod", 0.4, spin=(0, 0, 4.0)), bar("tube", 0.4, 0.1, velocity=(0.0, 0.0, 0.0), spin=(0, 0, 4.0))]
    sim = simulation(bodies, [joint.Slider("rod", "tube", (0.2, 0, 0), (1, 0, 0))], gravity=(0, 0, 0))
    sim.v = sim.v + np.array([0.1, 0, 0]) * (np.arange(8) < 4)[:, None]
    advance(sim, 90)
    turned = [np.linalg.svd(x.T @ body.shape.gradients[0, 0])[0::2] for x, body in zip((sim.x[:4], sim.x[4:]), bodies)]
    (a, b), (c, d) = turned
    assert a @ b == pytest.approx(c @ d, abs=1e-6)
    off = sim.x[:4].mean(axis=0) - sim.x[4:].mean(axis=0)
    along = (c @ d)[:, 0]
    assert np.linalg.norm(off - (off @ along) * along) < 1e-6 and sim.joint_position(0) > 0.1


@pytest.mark.parametrize("kind", [joint.Hinge, joint.Slider])
def test_limits_stop(kind):
    axis = (0, 1, 0) if kind is joint.Hinge else (0, 0, -1)
    sim = simulation([bar()], [kind("bar", None, (0, 0, 0), axis, limits=(-1.0, 0.5))])
    seen = advance(sim, 90, lambda: sim.joint_position(0))
    assert max(seen) < 0.5 + 1e-6 and seen[-1] == pytest.approx(0.5, abs=1e-6)
    arm = 0.5 * np.cos(0.5)
    weight = sim.world.mass.sum() * G
    if kind is joint.Hinge:
        assert sim.torque("joint 0", about=(0, 0, 0))[1] == pytest.approx(weight * arm, rel=2e-3)
    else:
        assert sim.force("joint 0")[2] == pytest.approx(-weight, rel=1e-4)


def test_the_force_of_joints_is_the_weight_that_hangs_on_them():
    bodies = [bar("upper", 0.4), bar("lower", 0.4, start=0.4)]
    joints = [joint.Weld("upper", None, name="wall"), joint.Weld("lower", "upper")]
    sim = simulation(bodies, joints)
    advance(sim, 5)
    weight = sim.world.mass[:4].sum() * G
    assert sim.force("wall")[2] == pytest.approx(-2 * weight, rel=1e-4)
    assert sim.force("joint 1")[2] == pytest.approx(-weight, rel=1e-4)
    assert sim.torque("wall", about=(0, 0, 0))[1] == pytest.approx(2 * weight * 0.4, rel=1e-3)
    assert sim.force("upper") == pytest.approx([0, 0, weight], abs=1e-3 * weight)  # of all that holds it


def test_a_tendon_balances_a_torque_at_a_pulley():
    """A bar on a hinge whose tip hangs on a cord over a pulley of the world: T times the arm of the cord is its torque."""
    body = bar()
    mass, _ = inertia(body, 0.5)
    pulley, tip = np.array([0.0, 0.0, 0.8]), np.array([1.0, 0.0, 0.0])
    way = (pulley - tip) / np.linalg.norm(pulley - tip)
    tension = mass * G * 0.5 / np.cross(tip, way)[1] * -1
    path = [(None, (-0.5, 0, 0.0)), (None, pulley), ("bar", tip)]
    hinge = joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0))
    brake = joint.Motor(damping=1e3)
    for factor, sign in ((1.0, 0), (1.05, -1), (0.95, 1)):
        cord = joint.Tendon(path, tension=factor * abs(tension), name="cord")
        sim = simulation([body], [hinge, cord])
        advance(sim, 20)
        assert np.linalg.norm(sim.force("cord")) == pytest.approx(factor * abs(tension), rel=1e-6)
        if sign == 0:
            assert abs(sim.joint_position(0)) < 1e-4
        else:
            assert sign * sim.joint_position(0) > 1e-3
    held = simulation(
        [body],
        [
            joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0), motor=brake),
            joint.Tendon(path, length=0.5 + 1e-9 + 2.0, name="cord"),
        ],
    )
    advance(held, 2)
    assert np.linalg.norm(held.force("cord")) == 0.0  # it hangs loose


def test_a_tendon_is_felt_where_it_last_meets_a_body():
    """Whichever way its path runs, and at a pulley along both ways."""
    body, ends = bar(), [(0.0, 0.0, 1.0), (1.0, 0.0, 1.0)]
    for path, force in (
        ([ends[1], ("bar", (1.0, 0, 0))], (0, 0, -5)), ([("bar", (1.0, 0, 0)), ends[1]], (0, 0, -5)),
        ([(0.0, 0, 0.75), ("bar", (1.0, 0, 0)), (2.0, 0, 0.75)], (0, 0, -2 * 5 * 0.6)),
    ):  # fmt: skip
        sim = simulation([body], [joint.Weld("bar"), joint.Tendon(path, tension=5.0, name="cord")])
        advance(sim, 2)
        assert sim.force("cord") == pytest.approx(force, abs=1e-4)


def test_a_tendon_pulls_two_points_together():
    """Its length has a kink there, which no search along a line would pass."""
    boxes = [pl.Body(Rigid(pl.meshes.box(0.1).translated((x, 0, 0)), mass=1.0), name=f"at {x}") for x in (-0.1, 0.1)]
    damped = [pl.Body(body.shape, name=body.name, damping=pl.Damping(mass=20.0)) for body in boxes]
    path = [("at -0.1", (-0.05, 0, 0)), ("at 0.1", (0.05, 0, 0))]
    sim = simulation(damped, [joint.Tendon(path, tension=20.0)], gravity=(0, 0, 0))
    advance(sim, 90)
    assert sim.joint_position(0) < 2e-3 and np.abs(sim.v).max() < 0.1


def test_a_tendon_of_fixed_length_carries_what_hangs_on_it():
    """Two weights of 1 : 2 over a pulley: a = g/3, and the tension is 4/3 of the lighter weight."""
    boxes = [
        pl.Body(Rigid(pl.meshes.box(0.1).translated((x, 0, -0.5)), mass=m), name=n)
        for x, m, n in ((-0.2, 1, "light"), (0.2, 2, "heavy"))
    ]
    path = [("light", (-0.2, 0, -0.5)), (-0.2, 0, 0.5), (0.2, 0, 0.5), ("heavy", (0.2, 0, -0.5))]
    sim = simulation(boxes, [joint.Tendon(path, length=2.4, name="rope")])
    advance(sim, 30)
    assert sim.x[4:, 2].mean() + 0.5 == pytest.approx(-0.5 * G / 3 * 0.25 * 31 / 30, rel=1e-4)
    assert sim.force("rope") == pytest.approx([0, 0, -4 / 3 * G], abs=1e-3)
    assert sim.joint_position("rope") == pytest.approx(2.4, rel=2e-6)


@pytest.mark.parametrize("solver", [pl.Newton(), pl.QuasiNewton(tolerance=1e-6)])
def test_soft_bodies_hang_on_each_other(solver):
    mesh, law = pl.tet_grid((0.2, 0.05, 0.05), (4, 1, 1)), pl.StableNeoHookean(young=1e5)
    bodies = [pl.Body(mesh.translated((0.2 * i, 0, 0)), law, name=f"b{i}") for i in range(2)]
    low = bodies[0].shape.rest.min(axis=0)
    joints = [joint.Ball(f"b{i}", f"b{i - 1}" if i else None, low + np.array([0.2 * i, 0.025, 0.025])) for i in range(2)]
    sim = simulation(bodies, joints, pl.ImplicitEuler(1 / 60, solver=solver))
    advance(sim, 10)
    assert gap(sim) < 1e-6 * 0.2


def block_and_plate():
    block = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), pl.StableNeoHookean(young=5e4), name="block")
    low, high = block.shape.rest.min(axis=0), block.shape.rest.max(axis=0)
    middle = 0.5 * (low + high)
    plate = pl.Body(
        Rigid(pl.meshes.box((0.12, 0.12, 0.02)).translated((*middle[:2], high[2] + 0.01)), density=7800.0), name="plate"
    )
    return block, plate


@pytest.mark.parametrize("scheme", [pl.ImplicitEuler(1 / 60), pl.QuasiStatic(1.0)])
def test_a_rigid_plate_welded_to_a_soft_block_carries_it(scheme):
    block, plate = block_and_plate()
    top = plate.shape.mesh.vertices.mean(axis=0)
    held = pl.Body(plate.shape, name="plate", pinned=True)
    sim = simulation([block, held], [joint.Weld("block", "plate", name="glue")], scheme)
    advance(sim, 1 if isinstance(scheme, pl.QuasiStatic) else 300)
    weight = sim.world.mass[sim.bodies[0].rows].sum() * G
    assert sim.force("glue") == pytest.approx([0, 0, -weight], abs=0.02 * weight)
    assert gap(sim) < 1e-6 * 0.1 and len(top) == 3
    assert sim.x[sim.bodies[0].rows, 2].min() < block.shape.rest[:, 2].min() - 1e-5


def test_a_soft_block_carries_a_rigid_plate_welded_on_it():
    block, plate = block_and_plate()
    foot = pl.Body(block.shape, block.material, name="block", pinned=lambda X: X[:, 2] < X[:, 2].min() + 1e-6)
    sim = simulation([foot, plate], [joint.Weld("plate", "block", name="glue")], damping := pl.ImplicitEuler(1 / 60))
    advance(sim, 200)
    weight = sim.world.mass[sim.bodies[1].rows].sum() * G
    assert sim.force("glue") == pytest.approx([0, 0, -weight], abs=0.02 * weight) and damping.dt == 1 / 60


def test_single_precision_holds_them():
    sim = simulation(
        [bar("a", 0.4), bar("b", 0.4, start=0.4)],
        [joint.Ball("a", None, (0, 0, 0)), joint.Ball("b", "a", (0.4, 0, 0))],
        precision="f32",
    )
    for _ in range(30):
        report = sim.step()
        assert report.kept, report.why
        assert gap(sim) < 2e-7 * 0.4


@pytest.mark.parametrize("response", [pl.contact.Penalty(), pl.contact.Barrier()])
def test_joints_hold_where_bodies_touch(response):
    """A bar on a hinge falls on a block that lies on the floor, and rests there."""
    bodies = [
        bar("arm", 0.6),
        pl.Body(Rigid(pl.meshes.box(0.2).translated((0.5, 0, -0.3)), density=1000.0), name="block"),
    ]
    contact = pl.Contact(response=response)
    hinge = joint.Hinge("arm", None, (0, 0, 0), (0, 1, 0), name="pin")
    sim = simulation(bodies, [hinge], contact=contact, obstacles=[pl.plane(z=-0.41)])
    for _ in range(60):
        report = sim.step()
        assert report.kept, report.why
        assert gap(sim) < 1e-6 * 0.2
    assert 0.2 < sim.joint_position("pin") < 0.5  # on the block, not through it


def test_a_checkpoint_goes_on_bit_for_bit(tmp_path):
    def made():
        motor = joint.Motor(target=0.3, stiffness=20.0, damping=1.0)
        return simulation([bar()], [joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0), motor=motor, limits=(-1, 1))])

    sim = made()
    advance(sim, 10)
    sim.save(str(tmp_path / "joints.npz"))
    advance(sim, 10)
    other = pl.Simulation.load(str(tmp_path / "joints.npz"))
    advance(other, 10)
    assert np.array_equal(sim.x, other.x) and sim.joint_position(0) == other.joint_position(0)


def test_a_failed_step_leaves_the_forces_as_they_were():
    sim = simulation([bar()], [joint.Ball("bar", None, (0, 0, 0))])
    advance(sim, 5)
    state = sim.state.copy()
    first = advance(sim, 3, lambda: sim.x)
    sim.state.assign(state)
    again = advance(sim, 3, lambda: sim.x)
    assert np.array_equal(first, again)


def test_a_body_that_is_cut_stays_on_its_joints():
    mesh = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2))
    low = mesh.vertices.min(axis=0)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5), name="beam")
    wall = joint.Weld("beam", None, points=low + np.array([[0, 0, 0], [0, 0.1, 0], [0, 0.1, 0.1]]), name="wall")
    sim = simulation([body], [wall, joint.Ball("beam", None, low + np.array([0.4, 0.05, 0.05]), name="end")])
    advance(sim, 5)
    before = sim.world.alive
    path = [low + np.array([0.21, -0.02, 0.2]), low + np.array([0.21, 0.12, 0.2])]
    sim.cut(pl.Blade(path=path, depth=0.3, into=(0, 0, -1)))
    advance(sim, 8)
    assert sim.world.alive > before and gap(sim) < 1e-6 * 0.1
    assert sim.force("wall")[2] < 0 and sim.force("end")[2] < 0


def test_a_hinge_finds_its_equilibrium():
    motor = joint.Motor(target=0.0, stiffness=100.0)
    body = bar()
    mass, _ = inertia(body, 0.5)
    sim = simulation([body], [joint.Hinge("bar", None, (0, 0, 0), (0, 1, 0), motor=motor)], pl.QuasiStatic(1.0))
    advance(sim, 1)
    angle = sim.joint_position(0)
    assert 100.0 * angle == pytest.approx(mass * G * 0.5 * np.cos(angle), rel=1e-4)


def test_threads_change_no_bit():
    bodies = [bar(f"link {i}", 0.2, 0.04, 0.21 * i) for i in range(4)]
    joints = [
        joint.Hinge(f"link {i}", f"link {i - 1}" if i else None, (0.21 * i - 0.005, 0, 0), (0, 1, 0), limits=(-0.5, 0.5))
        for i in range(4)
    ]
    scene, found = pl.Scene(bodies, joints=joints, contact=APART), []
    for threads in (1, 2):
        sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), threads=threads)
        advance(sim, 20)
        found.append(sim.x)
    assert np.array_equal(*found)


def test_scenes_of_a_batch_have_their_own_joints():
    def scene(density):
        mesh = pl.tet_grid((0.2, 0.05, 0.05), (4, 1, 1))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, density=density), name="beam")
        return pl.Scene([body], joints=[joint.Ball("beam", None, mesh.vertices.min(axis=0))], contact=APART)

    solver = pl.QuasiNewton(tolerance=1e-8)
    scenes, scheme = [scene(1000.0), scene(3000.0)], pl.ImplicitEuler(1 / 60, solver=solver)
    batch, alone = pl.Batch(scenes, scheme), [pl.Simulation(one, scheme) for one in scenes]
    for _ in range(5):
        assert all(report.kept for report in batch.step())
        for sim in alone:
            sim.step()
    assert batch.x[0] == pytest.approx(alone[0].x, abs=1e-7)
    assert batch.x[1] == pytest.approx(alone[1].x, abs=1e-7)


def test_joints_of_contact_keep_their_numbers():
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    corner = mesh.vertices.min(axis=0)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5), name="block")
    contact = pl.Contact(response=pl.contact.Complementarity(joints=[pl.contact.Weld("block", [corner])]))
    sim = simulation([body], [joint.Ball("block", None, corner + np.array([0.1, 0, 0]))], contact=contact)
    advance(sim, 3)
    assert {"joint 0", "joint 1"} <= set(sim.forces())
    assert sum(sim.force(f"joint {i}")[2] for i in range(2)) < 0


PAIR = [bar("upper arm", 0.4), bar("lower arm", 0.4, start=0.4)]
SOFT = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), pl.StableNeoHookean(young=1e5), name="soft")
REFUSED = {
    "an unknown body": (lambda: pl.Scene(PAIR, joints=[joint.Ball("uper arm", None, (0, 0, 0))]), "did you mean 'upper arm'"),
    "itself": (lambda: joint.Ball("a", "a", (0, 0, 0)), "expected the names of two bodies"),
    "no point": (lambda: joint.Ball("a", "b"), "three finite numbers in metres"),
    "no axis": (lambda: joint.Hinge("a", "b", (0, 0, 0), (0, 0, 0)), "a direction of non-zero length"),
    "limits turned round": (lambda: joint.Hinge("a", "b", (0, 0, 0), (0, 0, 1), limits=(1, -1)), "the least and the greatest"),
    "no joint": (lambda: pl.Scene(PAIR, joints=["hinge"]), "expected joint.Ball, joint.Hinge"),
    "a hinge on a soft body": (
        lambda: simulation([SOFT], [joint.Hinge("soft", None, (0, 0, 0), (0, 0, 1))]),
        "for contact.Rigid bodies and the world; expected a joint.Weld",
    ),
    "an idle motor": (lambda: joint.Motor(), "drives nothing"),
    "a target that nothing follows": (lambda: joint.Motor(torque=1, target=0.2), "no gain follows the target"),
    "a course that a brake would follow": (lambda: joint.Motor(target=np.sin, damping=1.0), "no gain follows the target"),
    "a negative gain": (lambda: joint.Motor(stiffness=-1.0), "at least 0"),
    "one point of a tendon": (lambda: joint.Tendon([(0, 0, 0)], tension=1.0), "two or more pairs"),
    "a tendon of one body": (lambda: joint.Tendon([("a", (0, 0, 0)), ("a", (1, 0, 0))], tension=1.0), "points of two bodies"),
    "a tendon of nothing": (lambda: joint.Tendon([("a", (0, 0, 0)), (1, 0, 0)]), "has neither; expected one"),
    "a weld of bodies apart": (
        lambda: simulation([SOFT, bar("far", start=3.0)], [joint.Weld("soft", "far")]), "0 points of the surfaces",
    ),
    "a soft body welded to the world": (lambda: simulation([SOFT], [joint.Weld("soft")]), "expected points=…, or Hold"),
    "two of a name": (
        lambda: pl.Scene(PAIR, joints=[joint.Weld(body.name, name="w") for body in PAIR]), "two joints are called",
    ),
    "quasi-Newton": (
        lambda: simulation(PAIR, [joint.Weld("upper arm")], pl.ImplicitEuler(solver=pl.QuasiNewton())), "expected Newton()",
    ),
    "the midpoint": (
        lambda: simulation(PAIR, [joint.Weld("upper arm")], pl.ImplicitMidpoint(1 / 60)), "expected ImplicitEuler()",
    ),
    "an explicit scheme": (
        lambda: simulation([SOFT], [joint.Ball("soft", None, (0, 0, 0))], pl.SymplecticEuler(1e-5)), "cannot use joints",
    ),
    "derivatives": (
        lambda: pl.inverse.Adjoint(simulation([SOFT], [joint.Ball("soft", None, (0, 0, 0))])), "without joints",
    ),
    "an unknown joint": (
        lambda: simulation(PAIR, [joint.Weld("upper arm", name="wall")]).joint_position("wal"), "did you mean 'wall'",
    ),
    "a weld that is driven": (
        lambda: simulation(PAIR, [joint.Weld("upper arm")]).set(joints={0: joint.Motor(torque=1)}), "no motor, tension or length",
    ),
    "the angle of a weld": (lambda: simulation(PAIR, [joint.Weld("upper arm")]).joint_position(0), "no angle"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_bad_joints_are_refused(name):
    make, sentence = REFUSED[name]
    with pytest.raises(pl.errors.InputError) as caught:
        make()
    assert sentence in str(caught.value)


WHOLE = {
    "barrier": pl.contact.Barrier(),
    "penalty": pl.contact.Penalty(),
    "complementarity": pl.contact.Complementarity(),
}
INSIDE = {"intersection": pl.contact.Intersection(), "patches": pl.contact.Complementarity(patches=True)}


@pytest.mark.parametrize("response", WHOLE)
def test_a_link_that_overlaps_another_at_its_hinge_has_the_period_of_a_pendulum(response):
    body = bar()
    base = pl.Body(Rigid(pl.meshes.box(0.2), density=1000.0), pinned=True, name="base")
    mass, about = inertia(body, 0.5)
    exact = 4 * np.sqrt(about / (mass * G * 0.5)) * ellipk(0.5)
    law = pl.Contact(friction=0.5, response=WHOLE[response])
    sim = simulation([base, body], [joint.Hinge("bar", "base", (0, 0, 0), (0, 1, 0))], pl.BDF2(1 / 240), contact=law)
    assert period(sim, 400) == pytest.approx(exact, rel=1e-3)
    assert not sim.doubts and not len(sim.contacts())


@pytest.mark.parametrize("response", WHOLE | INSIDE)
def test_soft_bodies_that_overlap_at_a_joint_move_as_if_alone(response):
    law = pl.StableNeoHookean(young=1e6)
    base, link = (
        pl.Body(pl.tet_grid((0.1,) * 3, (1, 1, 1), origin=corner), law, pinned=(name == "base") or None, name=name)
        for name, corner in (("base", (-0.05, -0.05, -0.05)), ("link", (-0.02, -0.045, -0.04)))
    )
    contact = pl.Contact(response=(WHOLE | INSIDE)[response])
    sim = simulation([base, link], [joint.Ball("link", "base", (0, 0, 0))], contact=contact)
    alone = simulation([link], [joint.Ball("link", None, (0, 0, 0))])
    advance(sim, 10)
    advance(alone, 10)
    assert sim.bodies[1].x == pytest.approx(alone.x, abs=1e-6) and not len(sim.contacts())


def test_joined_bodies_touch_where_their_joint_says_so():
    """A lid that turns down onto its box stops there, or passes through it; a pair that means all does not change that."""
    lid = pl.Body(Rigid(pl.meshes.box((0.4, 0.2, 0.02)).translated((0.2, 0, 0.1)), density=500.0), name="lid")
    box = pl.Body(Rigid(pl.meshes.box((0.3, 0.2, 0.1)).translated((0.2, 0, 0.0)), density=500.0), pinned=True, name="box")
    law = pl.Contact(response=pl.contact.Barrier(), pairs=[pl.contact.Pair("*", "*", friction=0.1)])
    for touch in (True, False):
        hinge = joint.Hinge("lid", "box", (0, 0, 0.1), (0, 1, 0), touch=touch)
        sim = simulation([lid, box], [hinge], contact=law)
        advance(sim, 30)
        assert (sim.joint_position(0) > 0.5) != touch and bool(len(sim.contacts())) == touch
    with pytest.raises(pl.errors.InputError, match=r"Hinge\(touch=…\)"):
        joint.Hinge("lid", "box", (0, 0, 0.1), (0, 1, 0), touch=1)
    with pytest.raises(pl.errors.InputError, match=r"(lid and box|box and lid)"):
        inside = pl.Body(Rigid(pl.meshes.box(0.2), density=500.0), name="lid")
        simulation([inside, box], [joint.Ball("lid", "box", (0, 0, 0), touch=True)], contact=law)
