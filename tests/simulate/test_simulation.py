"""The simulation: state, loads, several bodies, runs, changes while running."""

import numpy as np
import pytest

import pliant as pl

BLOCK = pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1), 6)
LEFT, RIGHT = (lambda X: X[:, 0] < 1e-9), (lambda X: X[:, 0] > 0.4 - 1e-9)
RUBBER = pl.StableNeoHookean(young=1e5, poisson=0.3)
STILL = {"gravity": (0, 0, 0)}


def block(**options) -> pl.Body:
    return pl.Body(BLOCK, options.pop("material", RUBBER), **options)


def reaction(sim: pl.Simulation) -> np.ndarray:
    """Sum of the elastic forces on all nodes held at the left end [N]."""
    out = sim.vectors.new()
    for energy in sim.world["elastic"]:
        energy.gradient(sim.state.x, out)
    return out.numpy()[LEFT(BLOCK.vertices)].sum(axis=0)


def still(body: pl.Body, **scene) -> pl.Simulation:
    sim = pl.Simulation(pl.Scene([body], **(STILL | scene)), pl.QuasiStatic(solver=pl.Newton(tolerance=1e-9)))
    report = sim.step()
    assert report.kept, report
    return sim


def test_loads_reach_the_support():
    """Whatever acts on the body, the clamp takes it up: force, traction over its area, weight."""
    force = np.array([3.0, 1.0, -2.0])
    area = 0.1 * 0.1
    weight = BLOCK.volume * 1000 * 9.81
    assert np.abs(reaction(still(block(pinned=LEFT, effects=pl.Load(force, RIGHT)))) + force).max() <= 1e-6
    assert np.abs(reaction(still(block(pinned=LEFT, effects=pl.Traction(force / area, RIGHT)))) + force).max() <= 1e-6
    assert np.abs(reaction(still(block(pinned=LEFT, effects=pl.Load(force, [BLOCK.tets[-1][0]])))) + force).max() <= 1e-6
    hanging = still(block(pinned=LEFT), gravity=(0, 0, -9.81))
    carried = weight - 9.81 * hanging.world.mass[LEFT(BLOCK.vertices)].sum()  # held nodes bear their own weight
    assert reaction(hanging)[2] == pytest.approx(carried, rel=1e-6)


def test_pressure_swells_evenly():
    """Pressure inside a free block is a hydrostatic tension: every stretch is the same, and no net force acts."""
    pins = [
        pl.Hold([0]),
        pl.Hold([np.flatnonzero(RIGHT(BLOCK.vertices))[0]], by=pl.hold.Rigidly("yz")),
        pl.Hold(
            [int(np.argmax(BLOCK.vertices[:, 1] - BLOCK.vertices[:, 0] - BLOCK.vertices[:, 2]))],
            by=pl.hold.Rigidly("z"),
        ),
    ]
    sim = still(block(material=pl.LinearElastic(young=1e5, poisson=0.3), effects=[*pins, pl.Pressure(100.0)]))
    strain = 100.0 * (1 - 2 * 0.3) / 1e5
    assert np.abs(sim.x - BLOCK.vertices * (1 + strain)).max() <= 2e-3 * strain
    cloth = pl.Membrane(pl.cloth_grid((1, 1), (2, 2)), 0.01)
    with pytest.raises(pl.errors.InputError, match="not closed"):
        pl.Simulation(pl.Scene([pl.Body(cloth, pl.Corotated(young=1e5), effects=pl.Pressure(1.0))]))


def test_courses_follow_time():
    body = block(pinned=LEFT, effects=pl.Load((1.0, 0, 0), RIGHT, course=lambda t: 10 * t))
    sim = pl.Simulation(pl.Scene([body], **STILL), pl.QuasiStatic(dt=0.1, solver=pl.Newton(tolerance=1e-9)))
    found = []
    for _ in range(3):
        assert sim.step().kept
        found.append(reaction(sim)[0])
    assert np.allclose(found, [-1, -2, -3], atol=1e-6)


def test_attachments_follow_their_target():
    body = block(effects=pl.Hold(LEFT, motion=lambda X, t: X + np.array([0, 0, t]), by=pl.hold.Springs(1e4)))
    sim = pl.Simulation(pl.Scene([body], **STILL), pl.ImplicitEuler(dt=0.02))
    for _ in range(50):
        assert sim.step().kept
    assert np.abs(sim.x[LEFT(BLOCK.vertices), 2] - BLOCK.vertices[LEFT(BLOCK.vertices), 2] - 1.0).max() < 0.02


def test_bodies_do_not_disturb_each_other():
    """Two bodies in one scene move as each does alone."""
    cloth = pl.Body(pl.Membrane(pl.cloth_grid((0.3, 0.3), (3, 3)), 0.005), pl.Corotated(young=1e5), pinned=[0, 3])
    solver = pl.Newton(tolerance=1e-10)
    apart = pl.Contact(response=None)  # they are in one place
    together = pl.Simulation(pl.Scene([block(pinned=LEFT), cloth], contact=apart), pl.ImplicitEuler(dt=0.01, solver=solver))
    alone = [pl.Simulation(pl.Scene([b]), pl.ImplicitEuler(dt=0.01, solver=solver)) for b in (block(pinned=LEFT), cloth)]
    for _ in range(10):
        assert all(s.step().kept for s in (together, *alone))
    for view, sim in zip(together.bodies, alone):
        assert np.abs(view.x - sim.x).max() <= 1e-8
        assert np.abs(view.v - sim.v).max() <= 1e-6
    assert together.bodies[1].name == "body 1" and len(together.bodies[1].surface) == 16


def test_free_fall():
    sim = pl.Simulation(pl.Scene([block(velocity=(1, 0, 0))]), pl.ImplicitMidpoint(dt=0.01))
    for _ in range(50):
        assert sim.step().kept
    assert np.abs(sim.x - BLOCK.vertices - [0.5, 0, -9.81 * 0.125]).max() <= 1e-6
    assert np.abs(sim.v - [1, 0, -9.81 * 0.5]).max() <= 1e-6


def test_drag_decays_by_its_rate():
    """v = v₀ e^(−αt): 5 % at this step with implicit Euler, 1e-3 with the midpoint rule."""
    for scheme, accuracy in ((pl.ImplicitEuler, 0.05), (pl.ImplicitMidpoint, 1e-3)):
        sim = pl.Simulation(pl.Scene([block(velocity=(1, 0, 0), damping=pl.Damping(mass=2.0))], **STILL), scheme(dt=0.02))
        for _ in range(50):
            assert sim.step().kept
        assert sim.v.mean(axis=0)[0] == pytest.approx(np.exp(-2.0), rel=accuracy)


@pytest.mark.parametrize("damping", [pl.Damping(stiffness=0.02), pl.Damping(viscosity=50.0)])
def test_inner_damping_spares_rigid_motion(damping):
    """A body that flies and turns slowly keeps its momentum; a shaken one loses its wobble."""
    shake = np.array([1.0, 0, 0]) + np.random.default_rng(0).standard_normal(BLOCK.vertices.shape) * 0.3
    kinetic = []
    for used in (pl.Damping(), damping):
        sim = pl.Simulation(pl.Scene([block(velocity=shake, damping=used)], **STILL), pl.ImplicitMidpoint(dt=0.002))
        m = sim.world.mass[:, None]
        before = (m * sim.v).sum(axis=0)
        for _ in range(40):
            assert sim.step().kept
        assert np.abs((m * sim.v).sum(axis=0) - before).max() <= 1e-6 * np.abs(before).max()
        inner = sim.v - (m * sim.v).sum(axis=0) / m.sum()
        kinetic.append(np.sum(m * inner**2))
    assert kinetic[1] < 0.5 * kinetic[0]


def test_run_gives_frames_energies_and_reports():
    sim = pl.Simulation(pl.Scene([block(pinned=LEFT)], obstacles=[pl.plane(z=-1.0)]), pl.ImplicitEuler(dt=0.01))
    seen = []
    run = sim.run(seconds=0.1, frames_per_second=50, on_step=lambda s, r: seen.append(s.t))
    assert len(run) == 6 and len(run.reports) == 10 and len(seen) == 10
    assert np.allclose(run.times, np.arange(6) * 0.02)
    assert np.array_equal(run.positions[-1], sim.x) and np.array_equal(run.positions[0], BLOCK.vertices)
    assert {"kinetic", "elastic", "gravity", "contact", "total"} <= set(run.energies)
    assert run.energies["total"][0] == pytest.approx(sum(v[0] for k, v in run.energies.items() if k != "total"))
    assert run.fields["stress"].shape == (6, len(BLOCK.vertices)) and run.fields["stress"][-1].max() > 0
    assert len(run.props) == 1 and run.real_time_factor > 0
    assert len(sim.frame()) == 1
    for bad in ({"seconds": 0}, {"seconds": "long"}, {"seconds": 0.1, "fields": ["heat"]}):
        with pytest.raises(pl.errors.InputError):
            sim.run(**bad)


def test_reset_goes_back():
    sim = pl.Simulation(pl.Scene([block(pinned=LEFT, velocity=(0, 0, 1.0))]), pl.BDF2(dt=0.01))
    first = [sim.step() and sim.x for _ in range(5)]
    sim.reset()
    assert sim.t == 0 and np.array_equal(sim.x, BLOCK.vertices)
    again = [sim.step() and sim.x for _ in range(5)]
    assert all(np.array_equal(a, b) for a, b in zip(first, again))


def test_state_can_be_set_and_is_a_copy():
    sim = pl.Simulation(pl.Scene([block()]))
    x = sim.x
    x[:] = 7
    assert not np.any(sim.x == 7)
    sim.x = BLOCK.vertices + 1.0
    assert np.array_equal(sim.x, BLOCK.vertices + 1.0)
    for bad in (np.zeros((3, 3)), np.full(BLOCK.vertices.shape, np.nan)):
        with pytest.raises(pl.errors.InputError, match="expected"):
            sim.v = bad


def test_set_while_running():
    """Gravity, modulus and density take effect at once: the settled shape is that of a scene built with the new values."""
    sim = still(block(pinned=LEFT), gravity=(0, 0, -9.81), obstacles=[pl.plane(z=-5.0)])
    sim.set(gravity=(0, 0, -5.0), young=3e5, poisson=0.4, friction=0.2)
    assert sim.step().kept
    other = still(block(pinned=LEFT, material=pl.StableNeoHookean(young=3e5, poisson=0.4)), gravity=(0, 0, -5.0))
    assert np.abs(sim.x - other.x).max() <= 1e-6
    with pytest.raises(pl.errors.InputError, match="did you mean 'young'"):
        sim.set(yuong=3e5)
    with pytest.raises(pl.errors.InputError, match="body"):
        sim.set(body=4, young=1e5)
    with pytest.raises(pl.errors.InputError, match="poisson"):
        sim.set(poisson=0.7)


def test_surface_rides_on_the_body():
    ball = pl.meshes.sphere(0.04, 2, centre=(0.2, 0.05, 0.05))
    sim = pl.Simulation(pl.Scene([block(surface=ball)]))
    A = np.array([[1.1, 0.1, 0], [0, 0.9, 0.2], [0.1, 0, 1.2]])
    sim.x = BLOCK.vertices @ A.T + [1, 2, 3]
    assert np.abs(sim.bodies[0].surface - ball.vertices @ A.T - [1, 2, 3]).max() <= 1e-12


def test_stress_of_a_pulled_bar():
    """Uniaxial tension σ: von Mises stress is σ at every node."""
    aside = int(np.argmax(BLOCK.vertices[:, 1] - BLOCK.vertices[:, 0] - BLOCK.vertices[:, 2]))
    pins = [
        pl.Hold(LEFT, by=pl.hold.Rigidly("x")),
        pl.Hold([0], by=pl.hold.Rigidly("yz")),
        pl.Hold([aside], by=pl.hold.Rigidly("z")),
    ]
    sim = still(block(material=pl.LinearElastic(young=1e5, poisson=0.3), effects=[*pins, pl.Traction((1000.0, 0, 0), RIGHT)]))
    assert np.abs(sim.stress() / 1000.0 - 1).max() <= 0.03
    assert "Simulation(1 body" in repr(sim)


def test_loose_nodes_are_named():
    mesh = pl.TetMesh(np.concatenate([BLOCK.vertices, [[9, 9, 9]]]), BLOCK.tets)
    with pytest.raises(pl.errors.InputError, match="1 of 21 nodes belong to no element, first at"):
        pl.Simulation(pl.Scene([pl.Body(mesh, RUBBER)]))


def test_a_slider_touches_only_what_follows_from_it():
    """Activation of a muscle or gravity redoes no parameters, masses or selections of the body."""
    asked = []

    def left(X):
        asked.append(1)
        return X[:, 0] < -0.09

    muscle = pl.muscles.EmbeddedMuscle(pl.box((0.15, 0.06, 0.06)), (1, 0, 0), peak_stress=2e3, name="m")
    body = pl.Body(pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05), RUBBER, pinned=left, effects=[muscle])
    sim = pl.Simulation(pl.Scene([body]))
    (elastic,), (inertia,), mass = sim.world["elastic"], sim.world["inertia"], sim.world.mass
    versions, times = (elastic.version, inertia.version), len(asked)
    sim.set(activation={"m": 0.7})
    sim.set(gravity=(0, 0, -5.0))
    assert (elastic.version, inertia.version) == versions and sim.world.mass is mass and len(asked) == times
    assert sim.bodies[0].muscles["m"].activation == 0.7 and sim.scene.gravity == (0, 0, -5.0)
    sim.set(young=3e5)
    assert elastic.version > versions[0] and inertia.version == versions[1] and len(asked) == times
    sim.set(density=500.0)
    assert inertia.version > versions[1] and sim.world.mass.sum() == pytest.approx(mass.sum() * 500 / float(RUBBER.density))


def test_energies_of_what_is_held_have_the_words_of_hold():
    shape = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05)
    effects = [
        pl.Hold(lambda X: X[:, 0] < -0.099, by=pl.hold.Weakly()),
        pl.Hold([[0.05, 0.0, 0.0]], by=pl.hold.Springs(20.0)),
    ]
    run = pl.Simulation(pl.Scene([pl.Body(shape, RUBBER, effects=effects)])).frame()
    assert {"held weakly", "held by springs"} <= run.energies.keys()


@pytest.mark.parametrize("kind", [pl.Simulation, lambda scene: pl.Batch([scene])])
def test_names_of_other_packages_are_refused(kind):
    sim = kind(pl.Scene([block()]))
    for name, meant in {"time": "t", "positions": "x", "velocity": "v", "dt": "integrator.dt"}.items():
        sentence = rf"no attribute '{name}' \(did you mean '{meant}'\?\)"
        with pytest.raises(AttributeError, match=sentence):
            getattr(sim, name)
        with pytest.raises(AttributeError, match=sentence):
            setattr(sim, name, 0.0)
    assert not hasattr(sim, "no such name") and sim.t == 0.0
