"""Values that change while a simulation runs: the next step is that of one built with them, or nothing has changed."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from laws.cases import EVERY, make

import pliant as pl
from pliant.energy.base import Energy
from pliant.errors import InputError

BLOCK = pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1))
CELLS = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05)
MEANS = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05, volume=pl.quadrature.Averaged())
CENTRES = pl.Lattice(pl.box((0.2, 0.1, 0.1)), 0.05, quadrature=pl.quadrature.Centre())
CLOTH = pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)), thickness=2e-3)
SOFT = pl.Corotated(young=2e4, poisson=0.3, density=1000)
FLESH = pl.NeoHookean(young=2e4, poisson=0.4, density=1000)
ARAP = pl.Arap(young=2e4, density=1000)


def left(X):
    return X[:, 0] < X[:, 0].min() + 0.02


def right(X):
    return X[:, 0] > X[:, 0].max() - 0.02


def up(X, t):
    return X + np.array([0.0, 0.0, 0.1 * t])


def twice(t):
    return 2.0


def body(shape=BLOCK, law=SOFT, **given):
    return pl.Body(shape, law, pinned=left, velocity=(0.1, 0.3, -0.2), **given)


def stepped(sim, count=2):
    seen = []
    for _ in range(count):
        report = sim.step()
        assert report.kept, report.why
        seen += [sim.x, sim.v, np.array(list(sim.energies().values()))]
    return seen


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def check(sim, change, fresh, acts=True):
    """``change(sim)`` acts, and acts as in a simulation ``fresh`` that was built so."""
    stepped(sim, 1)
    kept = sim.state.copy()
    before = stepped(sim)
    sim.assign(kept)
    change(sim)
    kept = sim.state.copy()
    after = stepped(sim)
    fresh.assign(kept)
    assert equal(after, stepped(fresh)), "not as in a new simulation"
    assert not acts or not equal(after, before), "no effect"


def other_value(law, name):
    """Another value of a parameter within its bounds."""
    value = law.parameters()[name]
    parameter = law.PARAMETERS[name]
    for factor in (1.1, 0.9, 0.5):
        if parameter.lower < np.min(factor * value) and np.max(factor * value) < parameter.upper:
            return factor * value
    return 0.5 * (parameter.lower + parameter.upper)


def wild(law):
    """A body that is stretched by some per cent in a step, so that limits are felt."""
    velocity = BLOCK.vertices @ np.array([[12.0, 3.0, 0.0], [0.0, -9.0, 0.0], [2.0, 0.0, -11.0]])
    return pl.Body(BLOCK, law, pinned=left, velocity=velocity)


@pytest.mark.parametrize("name", EVERY)
def test_every_parameter_of_every_law_acts(name):
    """One after the other, each on top of those before it."""
    law = make(name)
    if not np.any(np.asarray(law.terms[0].density) > 0):
        law = SOFT + law
    sim = pl.Simulation(pl.Scene([wild(law)]), pl.ImplicitEuler(0.01))
    known = {parameter: term for term in reversed(law.terms) for parameter in term.parameters()}
    if any(term.name == "Arap" for term in law.terms):
        del known["poisson"]  # which is 0
    for parameter, term in known.items():
        value = other_value(term, parameter)
        terms = tuple(
            replace(t, **{parameter: value}) if parameter in t.parameters() else t for t in sim.scene.bodies[0].material.terms
        )
        new = terms[0] if len(terms) == 1 else replace(law, laws=terms)
        fresh = pl.Simulation(pl.Scene([wild(new)]), pl.ImplicitEuler(0.01))
        sim.reset()
        below = parameter == "extended_below"  # felt by elements that are all but turned over
        check(sim, lambda sim, given={parameter: value}: sim.set(**given), fresh, acts=not below)


SCHEMES = {
    "Newton": (lambda: pl.ImplicitEuler(0.01), SOFT),
    "Direct": (lambda: pl.ImplicitEuler(0.01, pl.Newton(linear=pl.linear.Direct())), SOFT),
    "QuasiNewton": (lambda: pl.BDF2(0.01, pl.QuasiNewton(iterations=6)), SOFT),
    "ProjectiveDynamics": (lambda: pl.ImplicitEuler(0.01, pl.ProjectiveDynamics(iterations=6)), ARAP),
    "Newmark": (lambda: pl.Newmark(0.01), SOFT),
    "SymplecticEuler": (lambda: pl.SymplecticEuler(5e-4), SOFT),
    "CentralDifferences": (lambda: pl.CentralDifferences(5e-4), SOFT),
}
VALUES = {
    "young": 3e4,
    "density": 700.0,
    "gravity": (1.0, 0.0, -3.0),
    "damping": pl.Damping(mass=2.0, stiffness=0.02),
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_solver_takes_them_over(scheme, value):
    make_scheme, law = SCHEMES[scheme]
    given = {"damping": pl.Damping(mass=0.5, stiffness=0.005)}
    scene = pl.Scene([body(law=law, **given)])
    if value == "gravity":
        then = replace(scene, gravity=VALUES[value])
    elif value == "damping":
        then = pl.Scene([body(law=law, damping=VALUES[value])])
    else:
        then = pl.Scene([body(law=replace(law, **{value: VALUES[value]}), **given)])
    sims = (pl.Simulation(s, make_scheme()) for s in (scene, then))
    sim, fresh = sims
    check(sim, lambda sim: sim.set(**{value: VALUES[value]}), fresh)


def test_mixed_takes_them_over():
    sim, fresh = (
        pl.Simulation(
            pl.Scene([body(MEANS, replace(FLESH, young=young))]),
            pl.ImplicitEuler(0.01, pl.Mixed()),
        )
        for young in (2e4, 3e4)
    )
    check(sim, lambda sim: sim.set(young=3e4), fresh)


@pytest.mark.parametrize("scheme", [pl.Newmark(0.01), pl.CentralDifferences(5e-4), pl.HHT(0.01)])
def test_what_is_set_before_the_first_step_was_there_from_the_start(scheme):
    """Schemes that begin with an acceleration begin with that of the new values."""
    one, other = (pl.Simulation(pl.Scene([body()], gravity=g), scheme) for g in ((0, 0, -9.81), (0, 5.0, 0)))
    one.set(gravity=(0, 5.0, 0))
    assert equal(stepped(one, 1), stepped(other, 1))


def test_an_explicit_step_that_new_values_make_too_large_is_refused():
    sim = pl.Simulation(pl.Scene([body()]), pl.SymplecticEuler(5e-4))
    stepped(sim, 3)
    sim.set(young=2e9)
    with pytest.raises(InputError, match="unstable here; the largest stable step"):
        sim.step()


MUSCLE = pl.muscles.EmbeddedMuscle(pl.box((0.15, 0.06, 0.06)), (1, 0, 0), activation=0.4, peak_stress=2e3, name="m")
WEAK = pl.Hold(right, by=pl.hold.Weakly())
SPRINGS = pl.Hold(right, by=pl.hold.Springs(50.0))
POINTS = pl.Hold([[0.05, 0.0, 0.0], [0.05, 0.02, 0.0]], by=pl.hold.Springs((20.0, 30.0)))
FLOOR = pl.Obstacle(pl.plane(z=-0.052), name="floor")
APART = pl.Contact(response=None)  # bodies in one place
DAMPED = pl.Damping(0.5, 0.01, 2.0)


def on_floor(floor=FLOOR, shape=CELLS, law=SOFT, **contact):
    laid = pl.Contact(**({"friction": 0.3} | contact))
    return pl.Scene([pl.Body(shape, law, velocity=(0.2, 0.0, -0.5))], obstacles=[floor], contact=laid)


def scene(shape=BLOCK, law=SOFT, effects=(), **given):
    return pl.Scene([body(shape, law, effects=list(effects), **given)])


SHEET = pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)).translated((0, 0, -0.0512)), thickness=2e-3)
# what a user writes, before and after: others on the same shapes
CHANGES = {
    "Damping.mass": (scene(damping=DAMPED), scene(damping=replace(DAMPED, mass=5.0))),
    "Damping.stiffness": (scene(damping=DAMPED), scene(damping=replace(DAMPED, stiffness=0.03))),
    "Damping.viscosity": (scene(damping=DAMPED), scene(damping=replace(DAMPED, viscosity=20.0))),
    "Damping.mass of a sheet": (scene(CLOTH, damping=DAMPED), scene(CLOTH, damping=replace(DAMPED, mass=5.0))),
    "Damping.stiffness of a sheet": (
        scene(CLOTH, damping=DAMPED),
        scene(CLOTH, damping=replace(DAMPED, stiffness=0.03)),
    ),
    "Damping.viscosity of a sheet": (
        scene(CLOTH, damping=DAMPED),
        scene(CLOTH, damping=replace(DAMPED, viscosity=200.0)),
    ),
    "Damping.stiffness of centres": (
        scene(CENTRES, damping=DAMPED),
        scene(CENTRES, damping=replace(DAMPED, stiffness=0.03)),
    ),
    "Damping.stiffness of means": (
        scene(MEANS, FLESH, damping=DAMPED),
        scene(MEANS, FLESH, damping=replace(DAMPED, stiffness=0.03)),
    ),
    "no Damping any more": (scene(damping=DAMPED), scene(damping=pl.Damping())),
    "young of centres": (scene(CENTRES), scene(CENTRES, replace(SOFT, young=3e4))),
    "young of means": (scene(MEANS, FLESH), scene(MEANS, replace(FLESH, young=3e4))),
    "young of a sheet": (scene(CLOTH), scene(CLOTH, replace(SOFT, young=3e4))),
    "Load.force": (scene(effects=[pl.Load((0, 1.0, 0), right)]), scene(effects=[pl.Load((0, 0.5, 0.2), right)])),
    "Load.course": (scene(effects=[pl.Load((0, 1.0, 0), right)]), scene(effects=[pl.Load((0, 1.0, 0), right, twice)])),
    "Traction.stress": (
        scene(effects=[pl.Traction((0, 50.0, 0), right)]),
        scene(effects=[pl.Traction((0, 90.0, 0), right)]),
    ),
    "Pressure.pascals": (scene(effects=[pl.Pressure(100.0)]), scene(effects=[pl.Pressure(300.0)])),
    "Pressure.course": (scene(effects=[pl.Pressure(100.0, twice)]), scene(effects=[pl.Pressure(100.0)])),
    "Pressure in a lattice": (scene(CELLS, effects=[pl.Pressure(100.0)]), scene(CELLS, effects=[pl.Pressure(300.0)])),
    "hold.Springs.stiffness": (
        scene(effects=[SPRINGS]),
        scene(effects=[replace(SPRINGS, by=pl.hold.Springs(80.0))]),
    ),
    "hold.Springs.stiffness of points": (
        scene(CELLS, effects=[POINTS]),
        scene(CELLS, effects=[replace(POINTS, by=pl.hold.Springs((60.0, 5.0)))]),
    ),
    "Hold.motion of springs": (scene(effects=[replace(SPRINGS, motion=up)]), scene(effects=[SPRINGS])),
    "hold.Weakly.eta": (
        scene(CELLS, effects=[WEAK]),
        scene(CELLS, effects=[replace(WEAK, by=pl.hold.Weakly(5e7))]),
    ),
    "hold.Weakly.eta, linearised": (
        scene(CELLS, FLESH, effects=[WEAK]),
        scene(CELLS, FLESH, effects=[replace(WEAK, by=pl.hold.Weakly(5e7))]),
    ),
    "young under hold.Weakly": (
        scene(CELLS, FLESH, effects=[WEAK]),
        scene(CELLS, replace(FLESH, young=3e4), effects=[WEAK]),
    ),
    "Hold.motion, weakly": (scene(CELLS, effects=[replace(WEAK, motion=up)]), scene(CELLS, effects=[WEAK])),
    "EmbeddedMuscle.activation": (
        scene(CELLS, effects=[MUSCLE]),
        scene(CELLS, effects=[replace(MUSCLE, activation=0.9)]),
    ),
    "EmbeddedMuscle.peak_stress": (
        scene(CELLS, effects=[MUSCLE]),
        scene(CELLS, effects=[replace(MUSCLE, peak_stress=4e3)]),
    ),
    "EmbeddedMuscle.optimal_stretch": (
        scene(CELLS, effects=[MUSCLE]),
        scene(CELLS, effects=[replace(MUSCLE, optimal_stretch=1.1)]),
    ),
    "Contact.friction": (on_floor(), on_floor(friction=0.9)),
    "Contact.stiffness": (on_floor(), on_floor(stiffness=5e3)),
    "Contact.smoothing": (on_floor(), on_floor(smoothing=1e-3)),
    "Contact.thickness": (on_floor(shape=SHEET), on_floor(shape=SHEET, thickness=True)),
    "Obstacle.shape": (on_floor(), on_floor(replace(FLOOR, shape=pl.plane(point=(0, 0, -0.05), normal=(0.1, 0, 1))))),
    "Obstacle.motion": (on_floor(), on_floor(replace(FLOOR, motion=lambda t: lifted(0.002 + 0.01 * t)))),
    "young that contact takes its stiffness from": (on_floor(), on_floor(law=replace(SOFT, young=3e4))),
}


def lifted(height):
    pose = np.eye(4)
    pose[2, 3] = height
    return pose


@pytest.mark.parametrize("case", CHANGES)
def test_every_value_of_every_effect_is_taken_over(case):
    """With a solver that keeps its matrix until something in it changes."""
    solver = pl.QuasiNewton(iterations=6)
    sim, fresh = (pl.Simulation(scene, pl.ImplicitEuler(0.01, solver)) for scene in CHANGES[case])
    check(sim, lambda sim: sim._adopt(CHANGES[case][1]), fresh)


PINS = pl.Hold(right, up)
REFUSED = {
    "where": (scene(effects=[SPRINGS]), scene(effects=[replace(SPRINGS, where=left)]), "Hold: where cannot change"),
    "means": (
        scene(effects=[SPRINGS]),
        scene(effects=[pl.Hold(right)]),
        r"hold.Rigidly in place of hold.Springs in a running simulation",
    ),
    "motion of what is held rigidly": (
        scene(effects=[PINS]),
        scene(effects=[replace(PINS, motion=None)]),
        "Hold: motion cannot change",
    ),
    "axes": (
        scene(effects=[PINS]),
        scene(effects=[replace(PINS, by=pl.hold.Rigidly("x"))]),
        "Rigidly: axes cannot change",
    ),
    "another effect": (
        scene(effects=[SPRINGS]),
        scene(),
        r"body 0 was built with the effects \['Hold', 'Damping', 'Hold'\]",
    ),
    "a load elsewhere": (
        scene(effects=[pl.Load((0, 1.0, 0), right)]),
        scene(effects=[pl.Load((0, 1.0, 0), left)]),
        "Load: where cannot change",
    ),
    "another muscle": (
        scene(CELLS, effects=[MUSCLE]),
        scene(CELLS, effects=[replace(MUSCLE, fibres=(0, 1, 0))]),
        "EmbeddedMuscle: fibres cannot change",
    ),
    "no obstacle": (on_floor(), replace(on_floor(), obstacles=[]), "0 obstacles in place of 1"),
    "damping that was not there": (
        scene(),
        scene(damping=pl.Damping(viscosity=3.0)),
        r"Damping\(viscosity=…\) of body 0 was 0 when the simulation was built",
    ),
    "exact damping": (
        scene(damping=DAMPED),
        scene(damping=replace(DAMPED, exact=True)),
        "Damping: exact cannot change",
    ),
    "damping of one of two bodies": (
        pl.Scene([body(damping=DAMPED, name=name) for name in "ab"], contact=APART),
        pl.Scene(
            [body(damping=replace(DAMPED, stiffness=s), name=name) for name, s in (("a", 0.01), ("b", 0.02))],
            contact=APART,
        ),
        r"Damping\(stiffness=…\): a, b share one law and its damping",
    ),
    "more rows": (
        scene(),
        scene(law=pl.Corotated(young=np.full(len(BLOCK.tets), 2e4), poisson=0.3, density=500)),
        "cannot replace Corotated by Corotated",
    ),
    "another law": (scene(), scene(law=replace(FLESH, density=500)), "cannot replace Corotated by NeoHookean"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_change_is_refused_and_nothing_has_changed(case):
    before, after, sentence = REFUSED[case]
    sim, untouched = (pl.Simulation(before, pl.ImplicitEuler(0.01)) for _ in range(2))
    stepped(sim), stepped(untouched)
    with pytest.raises(InputError, match=sentence):
        sim._adopt(after)
    assert sim.scene is before and sim.world.layout.parts[0].material is before.bodies[0].material
    assert equal(stepped(sim), stepped(untouched))


@dataclass(frozen=True)
class Stubborn:
    """An effect that takes no other law than its first."""

    def energies(self, part, device):
        return [Refusing(device, part)]


class Refusing(Energy):
    name = "stubborn"

    def __init__(self, device, part):
        super().__init__(device)
        self.count, self.law = part.count, part.material

    def adopt(self, part):
        if part.material is not self.law:
            raise InputError("not with me")


def stubborn():
    """Everything that takes over values from a material, and after all of it one that does not."""
    bodies = [
        body(CELLS, FLESH, effects=[WEAK, Stubborn()], damping=DAMPED, name="a"),
        body(MEANS, FLESH, effects=[WEAK], name="b"),
        body(CENTRES, SOFT, name="c"),
    ]
    return pl.Scene(bodies, obstacles=[FLOOR], contact=pl.Contact(friction=0.4, response=None))


def test_a_set_that_raises_midway_leaves_everything_as_it_was():
    sim, untouched = (pl.Simulation(stubborn(), pl.ImplicitEuler(0.005)) for _ in range(2))
    scene, gravity = sim.scene, sim.scene.gravity
    stepped(sim), stepped(untouched)
    with pytest.raises(InputError, match="not with me"):
        sim.set(young=5e4, density=400.0, gravity=(0, 0, 5.0), friction=0.0, damping=pl.Damping(3.0, 0.2, 9.0))
    assert sim.scene is scene and sim.scene.gravity == gravity
    assert sim.energies() == untouched.energies()
    assert equal(stepped(sim), stepped(untouched))


def test_a_value_goes_to_all_laws_of_a_sum_that_know_it():
    law = SOFT + pl.StVenantKirchhoff(young=1e4, poisson=0.2)
    sim = pl.Simulation(pl.Scene([body(law=law)]))
    sim.set(young=5e3)
    assert [term.young for term in sim.scene.bodies[0].material.terms] == [5e3, 5e3]


def test_damping_is_checked():
    sim = pl.Simulation(pl.Scene([body(damping=DAMPED)]))
    with pytest.raises(InputError, match=r"expected Damping\(mass=…"):
        sim.set(damping=3.0)
    sim.set(damping=pl.Damping(0.1, 0.02, 1.0))
    assert sim.scene.bodies[0].damping == pl.Damping(0.1, 0.02, 1.0)
