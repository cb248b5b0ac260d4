"""What a run remembers: after a failed step, a reset and a checkpoint every effect goes on bit for bit, under every solver."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant import integrate
from pliant.effects.registry import EFFECTS
from pliant.energy.base import Energy
from pliant.integrate.base import Implicit
from pliant.integrate.explicit import Explicit
from pliant.integrate.state import Provenance

SOFT = pl.Corotated(young=2e4, poisson=0.3, density=1000)
FLESH = pl.NeoHookean(young=2e4, poisson=0.45, density=1000)
BLOCK = pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1))
CELLS = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05)
MEANS = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05, volume=pl.quadrature.Averaged())
STRICT = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05, volume=pl.quadrature.Averaged(incompressible=True))
CENTRES = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05, quadrature=pl.quadrature.Centre())
CLOTH = pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)), thickness=2e-3)


def left(X):
    return X[:, 0] < X[:, 0].min() + 0.02


def right(X):
    return X[:, 0] > X[:, 0].max() - 0.02


def held(shape=BLOCK, law=SOFT, **given):
    return pl.Scene([pl.Body(shape, law, pinned=left, **given)])


def flows(rule):
    return pl.Plastic(pl.StableNeoHookean(young=2e4, poisson=0.3), yield_stress=20.0, hardening=500.0, creep_time=0.01, flow=rule)


MUSCLE = pl.muscles.EmbeddedMuscle(pl.box((0.15, 0.06, 0.06)), (1, 0, 0), activation=0.4, peak_stress=2e3)


# file of the effect → a scene in which it is at work
def beside(height):
    """A ball that the upper of two blocks meets with a face, its corners far away."""
    middle, end = 0.5 * (BLOCK.vertices.min(axis=0) + BLOCK.vertices.max(axis=0)), BLOCK.vertices[:, 0].max()
    return pl.sphere(0.03, centre=(end + 0.051, middle[1], middle[2] + height))


APART = pl.Contact(response=None)
SCENES = {
    "inertia": lambda: pl.Scene([pl.Body(BLOCK, SOFT, velocity=(0.1, 0.2, 0.3))]),
    "gravity": lambda: pl.Scene([pl.Body(BLOCK, SOFT)], gravity=(0.1, 0, -3)),
    "elasticity": held,
    "plastic_effect": lambda: pl.Scene(
        [
            pl.Body(BLOCK, flows(pl.plasticity.Multiplicative()), pinned=left),
            *(pl.Body(shape, flows(pl.plasticity.Additive()), pinned=left) for shape in (BLOCK, CLOTH)),
        ],
        contact=APART,  # in one place
    ),
    "dapd_effect": lambda: held(law=pl.Dapd(young=2e4, poisson=0.3, rotation=pl.rotations.Polar())),  # that all solvers take
    "sheet_bending": lambda: held(CLOTH),
    "hourglass_control": lambda: held(CENTRES),
    "volume_averaging": lambda: held(MEANS, FLESH),
    "muscle_effect": lambda: held(CELLS, effects=[MUSCLE]),
    "grabs": held,
    "holds": lambda: pl.Scene(
        [
            pl.Body(
                CELLS,
                SOFT,
                effects=[
                    pl.Hold(left, by=pl.hold.Rigidly("yz")),
                    pl.Hold(right, by=pl.hold.Springs(50.0)),
                    pl.Hold([[0.05, 0.0, 0.0]], by=pl.hold.Springs(20.0)),
                    pl.Hold(lambda X: X[:, 0] < -0.099, by=pl.hold.Weakly()),
                ],
            ),
            pl.Body(CELLS, FLESH, effects=[pl.Hold(lambda X: X[:, 0] < -0.099, by=pl.hold.Weakly())]),
        ],
        contact=APART,  # in one place
    ),
    "loads": lambda: held(effects=[pl.Load((0, 1.0, 0), right), pl.Traction((0, 50.0, 0), right), pl.Pressure(100.0)]),
    "wind": lambda: held(CLOTH, effects=[pl.Wind((1.0, 0.5, 2.0))]),
    "tearing": lambda: held(CLOTH, effects=[pl.Tearing(stretch=3.0)]),
    "damping": lambda: held(damping=pl.Damping(0.5, 0.01, 2.0)),
    "obstacle_contact": lambda: pl.Scene(
        [pl.Body(BLOCK.translated((0, 0, 1e-3)), SOFT, velocity=(0.5, 0.2, -0.1))],
        obstacles=[pl.plane(z=0.0)],
        contact=pl.Contact(friction=0.4),
    ),
    "body_contact": lambda: pl.Scene(
        [
            pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < X[:, 2].min() + 1e-9, name="below"),
            pl.Body(BLOCK.translated((0.02, 0.01, np.ptp(BLOCK.vertices[:, 2]) + 2e-3)), SOFT, velocity=(0.3, 0.1, -0.2)),
        ],
        obstacles=[pl.plane(z=BLOCK.vertices[:, 2].min() - 2e-3), beside(0.102)],
        contact=pl.Contact(friction=0.4, response=pl.contact.Barrier()),
    ),
    "complementarity": lambda: pl.Scene(
        [
            pl.Body(BLOCK.translated((0, 0, 0.051)), SOFT, velocity=(0.3, 0.1, -0.2), name="below"),
            pl.Body(BLOCK.translated((0.02, 0.01, 0.153)), SOFT, velocity=(0.5, 0.1, -0.4)),
        ],
        obstacles=[pl.plane(z=0.0), beside(0.153)],
        contact=pl.Contact(friction=0.4, response=pl.contact.Complementarity()),
    ),
    "penalty_contact": lambda: pl.Scene(
        [
            pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < X[:, 2].min() + 1e-9, name="below"),
            pl.Body(BLOCK.translated((0.02, 0.01, np.ptp(BLOCK.vertices[:, 2]) - 1e-3)), SOFT, velocity=(0.3, 0.1, -0.2)),
        ],
        obstacles=[beside(0.099)],
        contact=pl.Contact(friction=0.4, response=pl.contact.Penalty()),
    ),
    "joint_energies": lambda: pl.Scene(
        [
            pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < X[:, 2].min() + 1e-9, name="below"),
            pl.Body(
                BLOCK.translated((0, 0, 1.2 * np.ptp(BLOCK.vertices[:, 2]))),
                SOFT,
                velocity=(0.3, 0.1, -0.2),
                name="above",
            ),
        ],
        contact=pl.Contact(response=None),
        joints=[
            pl.joint.Ball("above", "below", np.add(BLOCK.vertices.mean(axis=0), (0.0, 0.0, 0.6 * np.ptp(BLOCK.vertices[:, 2])))),
            pl.joint.Tendon(
                [("below", BLOCK.vertices.max(axis=0)), ("above", np.add(BLOCK.vertices.max(axis=0), (0, 0, 0.1)))],
                length=0.08,
            ),
        ],
    ),
    "intersection_contact": lambda: pl.Scene(
        [
            pl.Body(BLOCK, SOFT, pinned=lambda X: X[:, 2] < X[:, 2].min() + 1e-9, name="below"),
            pl.Body(BLOCK.translated((0.02, 0.01, 0.6 * np.ptp(BLOCK.vertices[:, 2]))), SOFT, velocity=(0.3, 0.1, -0.2)),
        ],
        contact=pl.Contact(friction=0.4, response=pl.contact.Intersection()),
    ),
}
RESPONSES = ("complementarity",)  # others than the one that stands for their effect
SOLVERS = {
    "Newton": pl.Newton,
    "Direct": lambda: pl.Newton(linear=pl.linear.Direct()),
    "QuasiNewton": lambda: pl.QuasiNewton(iterations=6),
    "ProjectiveDynamics": lambda: pl.ProjectiveDynamics(iterations=6),
    "Mixed": pl.Mixed,
}
EXPLICIT = {"SymplecticEuler": pl.SymplecticEuler, "CentralDifferences": pl.CentralDifferences}
ARAP = pl.Arap(young=2e4, density=1000)
NOT_PROJECTIVE = (
    "volume_averaging",
    "plastic_effect",
    "dapd_effect",
    "intersection_contact",
    "muscle_effect",
    "wind",
    "grabs",
    "obstacle_contact",
    "body_contact",
    "complementarity",
    "penalty_contact",
    "joint_energies",
)
# effects of which projective dynamics takes a part: that part of them
PROJECTIVE = {
    "holds": lambda: held(
        CELLS,
        ARAP,
        effects=[pl.Hold(right, by=pl.hold.Springs(50.0)), pl.Hold([[0.05, 0.0, 0.0]], by=pl.hold.Springs(20.0))],
    ),
    "loads": lambda: held(law=ARAP, effects=[pl.Load((0, 1.0, 0), right), pl.Traction((0, 50.0, 0), right)]),
    "damping": lambda: held(law=ARAP, damping=pl.Damping(0.5, 0.01)),
}
CASES = [
    (effect, solver)
    for effect in SCENES
    for solver in (*SOLVERS, *EXPLICIT)
    if not (solver == "ProjectiveDynamics" and effect in NOT_PROJECTIVE)
    and (solver == "Mixed") <= (effect == "volume_averaging")
    and not (effect in ("body_contact", "complementarity") and solver not in ("Newton", "Direct"))
    and not (effect == "joint_energies" and solver in EXPLICIT)
    and (effect, solver)
    != ("intersection_contact", "Direct")  # the order of elimination follows what touched before, to rounding
]


def projective(effect):
    if effect in PROJECTIVE:
        return PROJECTIVE[effect]()
    scene = SCENES[effect]()
    return replace(scene, bodies=[replace(b, material=ARAP) for b in scene.bodies])


def begun(effect, solver):
    if solver in EXPLICIT:
        return pl.Simulation(SCENES[effect](), EXPLICIT[solver](dt=1e-4))
    scene = projective(effect) if solver == "ProjectiveDynamics" else SCENES[effect]()
    if solver == "Mixed":  # where pressures are no function of positions, the memory is all there is of them
        scene = replace(scene, bodies=[replace(b, shape=STRICT) for b in scene.bodies])
    return pl.Simulation(scene, pl.ImplicitEuler(dt=0.01, solver=SOLVERS[solver]()))


def advance(sim, steps, effect):
    """Step, with a hand where hands are the effect; returns all that can be seen."""
    seen = []
    for _ in range(steps):
        if effect == "grabs" and not sim.hands.points:
            sim.grab(5, (0.3, 0.1, 0.2))
        report = sim.step()
        assert report.kept, report.why
        seen += [sim.x, sim.v, np.array([report.residual]), np.array(list(sim.energies().values()))]
    return seen


def equal(one, other):
    return len(one) == len(other) and all(np.array_equal(a, b) for a, b in zip(one, other))


def test_no_effect_escapes():
    assert set(SCENES) - set(RESPONSES) == {effect.__name__.rpartition(".")[2] for effect in EFFECTS}


def test_what_remembers_is_among_the_scenes():
    """Every energy class with a memory of its own is at work, and has something in it, in a scene above."""
    sims = [begun(effect, "Newton") for effect in SCENES]
    at_work = {type(energy).__mro__[1:] for sim in sims for energy in sim.world.energies}
    kinds = {kind for mro in at_work for kind in mro} | {type(e) for sim in sims for e in sim.world.energies}

    def every(kind):
        return {kind}.union(*(every(sub) for sub in kind.__subclasses__()))

    own = {k for k in every(Energy) if "memory" in vars(k) and k.__module__.startswith("pliant.")}
    assert own and own <= kinds


@pytest.mark.parametrize("effect", NOT_PROJECTIVE)
def test_projective_dynamics_takes_no_more(effect):
    """What is not among the cases above is refused, with the elements' own law put aside."""
    with pytest.raises(pl.errors.InputError, match="ProjectiveDynamics"):
        scene = SCENES[effect]() if effect in ("volume_averaging", "plastic_effect", "dapd_effect") else projective(effect)
        sim = pl.Simulation(scene, pl.ImplicitEuler(0.01, pl.ProjectiveDynamics()))
        sim.grab(5, (0.3, 0.1, 0.2))


@pytest.mark.parametrize(("effect", "solver"), CASES)
def test_goes_on_bit_for_bit(tmp_path, effect, solver):
    sim = begun(effect, solver)
    first = advance(sim, 2, effect)
    kept = sim.state.copy()
    sim.save(tmp_path / "a.npz")
    then = advance(sim, 2, effect)

    again = pl.Simulation.load(tmp_path / "a.npz")
    assert np.array_equal(first[-1], list(again.energies().values())), "energies of a checkpoint"
    assert equal(advance(again, 2, effect), then), "a checkpoint"

    sim.assign(kept)
    assert equal(advance(sim, 2, effect), then), "a state that was kept"

    sim.assign(kept)
    spoil(sim)
    assert not sim.step().kept and sim.t == kept.t
    mend(sim)
    assert equal(advance(sim, 2, effect), then), "a failed step"

    sim.reset()
    assert sim.t == 0 and not sim.hands.points
    assert equal(advance(sim, 2, effect), first), "a reset"


SCHEMES = (
    "ImplicitEuler",
    "ImplicitMidpoint",
    "BDF2",
    "Newmark",
    "NewmarkTheta",
    "QuasiStatic",
    "HHT",
    "LinearAcceleration",
    "SymplecticEuler",
    "CentralDifferences",
)


def test_no_scheme_escapes():
    assert set(SCHEMES) == {name for name in integrate.__all__ if issubclass(getattr(integrate, name), Implicit | Explicit)}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_goes_on_bit_for_bit(tmp_path, scheme):
    """Schemes that look at earlier steps, and those that keep a balance of energy."""
    sim = pl.Simulation(held(damping=pl.Damping(0.5, 0.01, 2.0)), getattr(pl, scheme)(dt=5e-4 if scheme in EXPLICIT else 2e-3))
    first = advance(sim, 3, "damping")
    kept = sim.state.copy()
    sim.save(tmp_path / "a.npz")
    then = advance(sim, 2, "damping")
    assert equal(advance(pl.Simulation.load(tmp_path / "a.npz"), 2, "damping"), then)
    sim.assign(kept)
    assert equal(advance(sim, 2, "damping"), then)
    sim.reset()
    assert equal(advance(sim, 3, "damping"), first)


def spoil(sim):
    """Make the next step fail after its solve, when all that a solver remembers has changed."""
    sim.whole = sim.integrator
    if isinstance(sim.integrator, Explicit):
        advance = type(sim.integrator).advance

        class Torn(type(sim.integrator)):
            def advance(self, state, vectors, new, force, hold):
                advance(self, state, vectors, new, force, hold)
                new[0].fill_(np.nan)

        sim.integrator = Torn(sim.integrator.dt)
        return
    tableau = type(sim.integrator).tableau

    class Spoilt:
        def __init__(self, rows):
            self.rows = rows

        def __getattr__(self, name):
            return getattr(self.rows, name)

        def read(self, state, vectors, parts, x, v, a):
            self.rows.read(state, vectors, parts, x, v, a)
            x.fill_(np.nan)

    class Broken(type(sim.integrator)):
        def tableau(self, state):
            return Spoilt(tableau(self, state))

    sim.integrator = Broken(sim.integrator.dt, sim.integrator.solver)


def mend(sim):
    sim.integrator = sim.whole


def test_a_scene_of_a_batch_that_fails_keeps_its_memory():
    scenes = [
        pl.Scene(
            [pl.Body(BLOCK.translated((0, 0, 1e-3)), SOFT, velocity=(0.5, speed, -0.1))],
            obstacles=FLOOR,
            contact=pl.Contact(friction=0.4),
        )
        for speed in (0.0, 0.3)
    ]
    batch = pl.Batch(scenes, pl.ImplicitEuler(dt=0.01, solver=pl.QuasiNewton(iterations=6)))
    for _ in range(3):
        assert all(report.kept for report in batch.step())
    memory = {name: a.numpy().copy() for name, a in batch.world["contact"][0].memory.items()}
    tableau, n = type(batch.integrator).tableau, len(BLOCK.vertices)

    class Broken(pl.ImplicitEuler):
        def tableau(self, state):
            rows = tableau(self, state)
            read = type(rows).read

            class Spoilt(type(rows)):
                def read(self, state, vectors, parts, x, v, a):
                    read(self, state, vectors, parts, x, v, a)
                    values = x.numpy().copy()
                    values[:n] = np.nan
                    x.assign(values)

            object.__setattr__(rows, "__class__", Spoilt)
            return rows

    batch.integrator = Broken(batch.integrator.dt, batch.integrator.solver)
    assert [report.kept for report in batch.step()] == [False, True]
    now = {name: a.numpy() for name, a in batch.world["contact"][0].memory.items()}
    assert all(np.array_equal(now[name][:, :n], memory[name][:, :n]) for name in memory)
    assert not np.array_equal(now["anchor"][:, n:], memory["anchor"][:, n:])


FLOOR = (pl.Obstacle(pl.plane(z=0.0)),)


def test_a_state_is_carried_to_other_nodes():
    sim = begun("obstacle_contact", "Newton")
    advance(sim, 3, "obstacle_contact")
    n = len(BLOCK.vertices)
    order = np.random.default_rng(0).permutation(n)
    provenance = Provenance(order[:, None], np.ones((n, 1)))
    carried = sim.state.carried(sim.vectors, provenance)
    assert np.array_equal(carried.x.numpy(), sim.x[order]) and carried.t == sim.t
    limit = sim.world["contact"][0].limit.numpy()
    assert np.any(limit > 0) and np.array_equal(carried.memory["contact"]["limit"].numpy(), limit[:, order])


def folded_clamp():
    """A block held weakly at a side, one node of which was pushed through its cells."""
    shape = pl.Lattice(pl.box(0.2), spacing=0.1)
    clamp = pl.Hold(lambda X: X[:, 0] < -0.099, by=pl.hold.Weakly())
    sim = pl.Simulation(pl.Scene([pl.Body(shape, FLESH, effects=[clamp])]), pl.ImplicitEuler(3e-4))
    x = sim.x
    x[np.argmin(np.linalg.norm(shape.rest - (-0.1, 0, 0), axis=1))] += (0.3, 0, 0)
    sim.x = x
    return sim


def test_clamps_remember_what_turned_cells_pulled_with(tmp_path):
    """A cell that is turned over where a step begins keeps the traction that it had; that is part of the state."""
    sim = folded_clamp()
    assert sim.step().kept
    before = sim.state.copy()
    sim.save(tmp_path / "clamp.npz")
    later = []
    for _ in range(40):
        assert sim.step().kept
        later.append(sim.x)
    for other in (sim, pl.Simulation.load(tmp_path / "clamp.npz")):
        other.assign(before)
        for x in later:
            assert other.step().kept and np.array_equal(other.x, x)
    loaded = pl.Simulation.load(tmp_path / "clamp.npz")
    assert loaded.step().kept and np.array_equal(loaded.x, later[0])
