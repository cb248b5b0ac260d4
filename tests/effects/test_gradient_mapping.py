"""Gradients by what a user writes, through every effect, against scenes that are made anew with other values."""

import numpy as np
import pytest

import pliant as pl
from pliant.effects.contact.body_contact import BodyContact
from pliant.effects.contact.penalty_contact import BodyPenalty
from pliant.effects.gradient_mapping import pulled_back, undifferentiable
from pliant.effects.registry import EFFECTS, placed
from pliant.energy.base import Step
from pliant.energy.loads.wind_energy import WindEnergy
from pliant.energy.plasticity.plastic_energy import PlasticEnergy
from pliant.runtime.device import Device
from pliant.simulate.scene.scene_layout import layout_of

DEVICE = Device("cpu", "f64")
NOTHING = (0, 0, 0)
NORMAL = tuple(np.array([0.1, 0.2, 1.0]) / np.sqrt(1.05))
YOUNG, POISSON, STIFF = (tuple(np.linspace(*ends, 8)) for ends in ((1e5, 4e5), (0.3, 0.2), (1e4, 3e4)))


def block(**more):
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))
    return pl.TetMesh(mesh.vertices, mesh.tets, **more)


def elastic(young=(1e4, 3e4), poisson=0.3, density=(900.0, 1100.0), gravity=(1.0, 2.0, -9.81)):
    mesh = block(regions=np.arange(len(block().tets)) % 2)
    law = pl.StableNeoHookean(young=young, poisson=poisson, density=density)
    return pl.Scene([pl.Body(mesh, law)], gravity=gravity)


def of_sum(young=1e4, stiffness=2e4, density=900.0):
    law = pl.NeoHookean(young=young, poisson=0.3, density=density) + pl.laws.Fibres(stiffness=stiffness, direction=(1, 2, 0))
    return pl.Scene([pl.Body(block(), law)], gravity=NOTHING)


def two_bodies(first=1e4, second=(2e4, 3e4)):
    mesh = block(regions=np.arange(len(block().tets)) % 2)
    bodies = [pl.Body(block(), pl.Corotated(young=first)), pl.Body(mesh, pl.Corotated(young=second))]
    return pl.Scene(bodies, gravity=NOTHING, contact=pl.Contact(response=None))


def damped(young=1e4, mass=0.7, stiffness=0.02, viscosity=3.0, density=1000.0):
    damping = pl.Damping(mass, stiffness, viscosity, exact=True)
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=density)
    return pl.Scene([pl.Body(block(), law, damping=damping)], gravity=NOTHING)


def sheet(young=YOUNG, poisson=POISSON, viscosity=20.0):
    """A value for each triangle."""
    mesh = pl.cloth_grid((0.2, 0.2), (2, 2))
    law = pl.Corotated(young=young, poisson=poisson)
    cloth = pl.Body(pl.Membrane(mesh, thickness=0.01), law, damping=pl.Damping(viscosity=viscosity))
    return pl.Scene([cloth], gravity=NOTHING)


def sheet_with_fibres(young=(1e5,), stiffness=STIFF):
    """Directions are laid into the plane of each triangle, so that every one has a row."""
    mesh = pl.cloth_grid((0.2, 0.2), (2, 2))
    law = pl.Corotated(young=young, poisson=0.3) + pl.laws.Fibres(stiffness=stiffness, direction=(1, 2, 0.5))
    return pl.Scene([pl.Body(pl.Membrane(mesh, thickness=0.01), law)], gravity=NOTHING)


def lattice(young=1e4, poisson=0.4, density=1000.0):
    """Averaged volume and one point per cell, so that the law is split and stabilised."""
    law = pl.NeoHookean(young=young, poisson=poisson, density=density)
    shape = pl.Lattice(pl.sphere(0.1), 0.06, pl.quadrature.Centre(), volume=pl.quadrature.Averaged())
    return pl.Scene([pl.Body(shape, law)], gravity=(0, 0, -9.81))


def of_invariants(young=1e4, poisson=0.4, split=0.25):
    law = pl.MooneyRivlin(young=young, poisson=poisson, split=split)
    return pl.Scene([pl.Body(pl.Lattice(pl.sphere(0.1), 0.06, volume=pl.quadrature.Averaged()), law)], gravity=NOTHING)


def clamped(young=1e4, poisson=0.3):
    law = pl.Corotated(young=young, poisson=poisson)
    clamp = pl.Hold(lambda X: X[:, 2] > 0.05, by=pl.hold.Weakly())
    return pl.Scene([pl.Body(pl.Lattice(pl.sphere(0.1), 0.06), law, effects=clamp)], gravity=NOTHING)


def strongly_clamped(young=1e4, eta=1e6):
    law = pl.Corotated(young=young, poisson=0.3)
    clamp = pl.Hold(lambda X: X[:, 2] > 0.05, by=pl.hold.Weakly(eta))
    return pl.Scene([pl.Body(pl.Lattice(pl.sphere(0.1), 0.06), law, effects=clamp)], gravity=NOTHING)


def loaded(force=(1.0, 2.0, 3.0), stress=(30.0, 10.0, 20.0), pascals=200.0, stiffness=50.0):
    def half(t):
        return 0.5

    loads = [
        pl.Load(force, lambda X: X[:, 0] > 0.19, course=half),
        pl.Traction(stress, lambda X: X[:, 0] < 0.01),
        pl.Pressure(pascals, course=half),
    ]
    attached = pl.Hold(lambda X: X[:, 2] < 0.01, lambda X, t: X + 0.01, pl.hold.Springs(stiffness))
    body = pl.Body(block(), pl.Corotated(young=1e4), effects=[*loads, attached])
    return pl.Scene([body], gravity=NOTHING)


def pressed_lattice(pascals=200.0, stiffness=(30.0, 40.0)):
    points = [[0.01, 0.02, 0.0], [0.0, -0.02, 0.03]]
    tether = pl.Hold(points, lambda X, t: X + 0.01, pl.hold.Springs(stiffness))
    body = pl.Body(pl.Lattice(pl.sphere(0.1), 0.06), pl.Corotated(young=1e4), effects=[pl.Pressure(pascals), tether])
    return pl.Scene([body], gravity=NOTHING)


def muscular(peak=1e4, optimal=0.95, activation=0.4):
    muscle = pl.muscles.EmbeddedMuscle(pl.sphere(0.08), (1, 2, 3), activation, peak, optimal, name="biceps")
    body = pl.Body(pl.Lattice(pl.sphere(0.1), 0.06), pl.Corotated(young=1e4), effects=muscle)
    return pl.Scene([body], gravity=NOTHING)


def touching(young=(1e4, 3e4), height=0.003):
    mesh = block(regions=np.arange(len(block().tets)) % 2)
    contact = pl.Contact(smoothing=2e-3)
    return pl.Scene([pl.Body(mesh, pl.Corotated(young=young))], [pl.plane(z=height)], NOTHING, contact)


def bare(stiffness=(1e4, 3e4), peak=1e4, optimal=1.1, height=0.003):
    """Laws without moduli, so that the stiffness of contact is that of their stress at rest."""
    mesh = block(regions=np.arange(len(block().tets)) % 2)
    muscle = pl.laws.Muscle(peak_stress=peak, activation=0.4, optimal_stretch=optimal, direction=(1, 0.2, 0))
    law = pl.laws.VolumePreservation(stiffness=stiffness, density=1000) + muscle
    return pl.Scene([pl.Body(mesh, law)], [pl.plane(z=height)], NOTHING, pl.Contact(smoothing=2e-3))


def on_a_slope(stiffness=300.0, normal=NORMAL):
    contact = pl.Contact(stiffness=stiffness, smoothing=2e-3)
    slope = pl.plane(point=(0.1, 0.05, 0.01), normal=normal)
    return pl.Scene([pl.Body(block(), pl.Corotated(young=1e4))], [slope], NOTHING, contact)


CASES = {
    elastic: {"young": (0, "young"), "poisson": (0, "poisson"), "density": (0, "density"), "gravity": (None, "gravity")},
    of_sum: {"young": (0, "NeoHookean.young"), "stiffness": (0, "Fibres.stiffness"), "density": (0, "NeoHookean.density")},
    two_bodies: {"first": (0, "young"), "second": (1, "young")},
    damped: {
        "young": (0, "young"),
        "mass": (0, "damping.mass"),
        "stiffness": (0, "damping.stiffness"),
        "viscosity": (0, "damping.viscosity"),
        "density": (0, "density"),
    },
    sheet: {"young": (0, "young"), "poisson": (0, "poisson"), "viscosity": (0, "damping.viscosity")},
    sheet_with_fibres: {"young": (0, "Corotated.young"), "stiffness": (0, "Fibres.stiffness")},
    lattice: {"young": (0, "young"), "poisson": (0, "poisson"), "density": (0, "density")},
    of_invariants: {"young": (0, "young"), "poisson": (0, "poisson"), "split": (0, "split")},
    clamped: {"young": (0, "young"), "poisson": (0, "poisson")},
    strongly_clamped: {"young": (0, "young"), "eta": (0, "hold 0.eta")},
    loaded: {
        "force": (0, "load 0.force"),
        "stress": (0, "load 1.stress"),
        "pascals": (0, "pressure 0.pascals"),
        "stiffness": (0, "hold 0.stiffness"),
    },
    pressed_lattice: {"pascals": (0, "pressure 0.pascals"), "stiffness": (0, "hold 0.stiffness")},
    muscular: {
        "peak": (0, "biceps.peak_stress"),
        "optimal": (0, "biceps.optimal_stretch"),
        "activation": (0, "biceps.activation"),
    },
    touching: {"young": (0, "young"), "height": (None, "obstacle 0.height")},
    bare: {
        "stiffness": (0, "VolumePreservation.stiffness"),
        "peak": (0, "Muscle.peak_stress"),
        "optimal": (0, "Muscle.optimal_stretch"),
        "height": (None, "obstacle 0.height"),
    },
    on_a_slope: {"stiffness": (None, "contact.stiffness"), "normal": (None, "obstacle 0.normal")},
}  # fmt: skip


class Made:
    """A scene in the middle of a step, at random places."""

    def __init__(self, scene: pl.Scene):
        self.layout = layout_of([scene])
        self.placed = placed(self.layout, DEVICE)
        random, X = np.random.default_rng(0), self.layout.rest

        def near(size=0.004):
            return DEVICE.array(X + size * random.standard_normal(X.shape), DEVICE.types.vec3)

        self.x, at, anchor, target = (near() for _ in range(4))
        self.d = DEVICE.array(random.standard_normal(X.shape), DEVICE.types.vec3)
        for _, energy in self.placed:
            energy.begin(Step(at, 0.5, 60.0, anchor, 900.0, target))

    def work(self) -> float:
        """d · ∂E/∂x."""
        out = DEVICE.zeros(self.layout.count, DEVICE.types.vec3)
        for _, energy in self.placed:
            energy.gradient(self.x, out)
        return float(np.sum(out.numpy() * self.d.numpy()))

    def gradients(self) -> dict:
        arrays = [energy.parameter_arrays(self.layout.count) for _, energy in self.placed]
        for (_, energy), into in zip(self.placed, arrays):
            energy.sensitivity(self.x, self.d, into)
        return pulled_back(self.layout, self.placed, arrays)


@pytest.mark.parametrize("case", list(CASES), ids=lambda case: case.__name__)
def test_by_what_a_user_writes(case):
    made, names = Made(case()), CASES[case]
    assert undifferentiable(made.placed) == []
    found = made.gradients()
    defaults = dict(zip(case.__code__.co_varnames, case.__defaults__))
    for name, key in names.items():
        value = np.asarray(defaults[name], float)
        assert np.shape(found[key]) == value.shape, key
        for place in np.ndindex(value.shape):
            step = 1e-5 * max(abs(value[place]), 1e-2)
            moved = []
            for sign in (1, -1):
                other = value.copy()
                other[place] += sign * step
                moved.append(Made(case(**{name: other if value.shape else float(other)})).work())
            slope = (moved[0] - moved[1]) / (2 * step)
            assert np.asarray(found[key])[place] == pytest.approx(slope, rel=2e-6, abs=1e-9 * abs(made.work()) / step)


def test_every_effect_is_tried():
    """Each file of effects has an energy in some case; hands are what a person does, a tear is none, and contact of bodies, flow
    and wind say that they have none."""
    assert "no derivative" in PlasticEnergy.undifferentiable and "no derivatives" in WindEnergy.undifferentiable
    assert "no derivatives" in BodyContact.undifferentiable and "no derivatives" in BodyPenalty.undifferentiable
    seen = {type(e).__module__ for case in CASES for _, e in Made(case()).placed}
    seen |= {type(e.elastic).__module__ for case in (damped,) for _, e in Made(case()).placed if hasattr(e, "elastic")}
    contacts = ("body_contact", "penalty_contact", "intersection_contact", "joint_energies")
    without = ("grabs", "plastic_effect", "dapd_effect", "wind", "tearing", *contacts)
    for effect in EFFECTS:
        assert effect.__name__ in seen or effect.__name__.rpartition(".")[2] in without, effect.__name__


def test_every_parameter_leads_to_something_public():
    for case in CASES:
        made = Made(case())
        for _, energy in made.placed:
            if energy.parameters:
                by = {n: np.ones(a.numpy().shape) for n, a in energy.parameter_arrays(made.layout.count).items()}
                assert energy.pulled_back(made.layout, by), type(energy).__name__


def test_what_stands_in_the_way_is_named():
    law = pl.Corotated(young=1e4)
    scene = pl.Scene([pl.Body(block(), law, damping=pl.Damping(stiffness=0.01))])
    (why,) = undifferentiable(placed(layout_of([scene]), DEVICE))
    assert "exact=True" in why
