"""One case of every energy: how it is made, and where nodes are."""

import functools

import numpy as np
import pytest

from pliant import material
from pliant.elements.lattice.lattice import Lattice
from pliant.elements.quadrature import Centre, Corners, Moments
from pliant.elements.sheets.plates import plates
from pliant.energy.base import Step
from pliant.energy.clamp.nitsche_clamp import ClampEnergy
from pliant.energy.clamp.nitsche_linearised import LinearisedClamp
from pliant.energy.damping.damping_energy import StiffnessDamping, Viscosity
from pliant.energy.elastic.dapd_energy import DapdEnergy
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.elastic.muscle_energy import MuscleEnergy
from pliant.energy.embedded_points import EmbeddedPoints
from pliant.energy.loads.pressure import PressureEnergy
from pliant.energy.loads.wind_energy import WindEnergy
from pliant.energy.obstacles.obstacle_energy import Obstacle, ObstacleContact
from pliant.energy.plasticity.plastic_energy import AdditiveEnergy, PlasticEnergy
from pliant.energy.points.grabs import Grabs
from pliant.energy.points.joint_points import JoinedPoints
from pliant.energy.points.joint_rows import ANGLE, DOT, LENGTH, JointRows, Row
from pliant.energy.points.node_energies import DeadForces, Pull
from pliant.energy.points.tethers import TetherEnergy
from pliant.energy.sheets.bending_energy import BendingEnergy, BendingViscosity
from pliant.energy.volume.hourglass_energy import Hourglass
from pliant.energy.volume.volume_energy import AveragedVolume, CellPressure
from pliant.geometry.distance.sdf import plane, sphere, torus
from pliant.material.laws.bending_law import Bending
from pliant.material.laws.dapd_law import Dapd
from pliant.material.laws.degenerate_rotations import Identity
from pliant.material.laws.rotation_tangents import Warped
from pliant.material.plasticity.plastic_law import Additive, Multiplicative, Plastic
from pliant.runtime.device import Device

from .cases import TEN, Gathered, body_of, brick, elastic, make


def shaken(X: np.ndarray, size: float = 0.004, seed: int = 0) -> np.ndarray:
    return X + size * np.random.default_rng(seed).standard_normal(X.shape)


def of_elastic():
    energy = elastic("StableNeoHookean")
    return energy, shaken(energy.energy.elements.rest)


def of_rows():
    """One set of parameters per element, beside other bodies' nodes."""
    elements, device = body_of("Corotated", 3), Device("cpu", "f64")
    from pliant.material import Corotated

    law = Corotated(young=np.linspace(1e3, 1e5, elements.count), poisson=0.3)
    energy = ElasticEnergy(device, elements, law, first=5, rows=np.arange(elements.count))
    return Gathered(energy, device), np.concatenate([np.ones((5, 3)), shaken(elements.rest), np.ones((2, 3))])


def of_ten_nodes():
    """Bent tets of ten nodes and four points."""
    energy = elastic("StableNeoHookean", TEN)
    return energy, shaken(energy.energy.elements.rest, 0.002)


def of_plastic(flow=Multiplicative, kind=PlasticEnergy):
    """In a step that flows, after another that did, beside other bodies' nodes."""
    body, device = body_of("StableNeoHookean", 3), Device("cpu", "f64")
    law = Plastic(make("StableNeoHookean"), yield_stress=300.0, hardening=2e3, creep_time=0.1, limit=0.1, flow=flow())
    energy = kind(device, body, law, first=5)
    apart = [np.concatenate([np.ones((5, 3)), shaken(body.rest, 0.01 * k), np.ones((2, 3))]) for k in (1, 2)]
    first, second = (device.array(x, device.types.position) for x in apart)
    energy.begin(Step(first, 0.5, lasts=0.5))
    energy.accept(first, 0.5)
    energy.begin(Step(second, 0.6, lasts=0.1))
    return Gathered(energy, device), apart[1]


def of_dapd():
    """Some elements turned inside out, with the one frame whose tangent is exact and symmetric there, beside other bodies'."""
    body, device = body_of("Corotated", 3), Device("cpu", "f64")
    law = Dapd(young=1e4, poisson=0.3, rotation=Identity(), tangent=Warped())
    energy = DapdEnergy(device, body, law, first=5)
    return Gathered(energy, device), np.concatenate([np.ones((5, 3)), shaken(body.rest, 0.05), np.ones((2, 3))])


def of_bent_faces():
    """Pressure on the bent faces of ten-node tets: triangles with factors."""
    base = elastic("StableNeoHookean", TEN)
    triangles, factors = base.energy.elements.enclosing
    X = base.energy.elements.rest
    pressure = PressureEnergy(base.device, triangles, len(X), 800.0, factors)
    return Gathered(pressure, base.device, beside=base.energy), shaken(X)


def of_bending():
    """Curved at rest by so much that some plates are bent more and some less."""
    (group,), device = plates(body_of("Corotated", 2).mesh), Device("cpu", "f64")
    random, m = np.random.default_rng(2), group.count
    stiffness, poisson = random.uniform(0.5, 2, m), random.uniform(-0.3, 0.49, m)
    law = Bending(stiffness=stiffness, poisson=poisson, rest=random.uniform(-3, 3, (m, 3)))
    return Gathered(BendingEnergy(device, group, law, 0, np.arange(m)), device), shaken(group.rest)


def of_hourglass():
    """Two regions of different stiffness, beside other bodies' nodes."""
    from pliant.material import Corotated

    lattice, device = Lattice(sphere(0.1), 0.06, Centre()), Device("cpu", "f64")
    rows = np.arange(lattice.count) % 2
    energy = Hourglass(device, lattice, Corotated(young=[1e4, 3e4], poisson=0.3), first=5, rows=rows)
    return Gathered(energy, device), np.concatenate([np.ones((5, 3)), shaken(lattice.rest), np.ones((2, 3))])


def of_muscles():
    """Points of two muscles that overlap, each with its own direction and strength, beside other bodies' nodes."""
    from pliant.effects.effect_layout import Part
    from pliant.effects.elasticity.muscle_effect import EmbeddedMuscle, Muscles

    lattice, device = Lattice(sphere(0.1), 0.06), Device("cpu", "f64")
    one = EmbeddedMuscle(sphere(0.08), lambda X: X + np.array([0.2, 0, 0]), 0.7, 1e4, name="one")
    two = EmbeddedMuscle(sphere(0.08, (0.05, 0, 0)), (1, 2, 3), 0.2, 3e4, 0.95, name="two")
    muscles = Muscles(device, Part(lattice, material.LinearElastic(young=1e4), 5, "ball", (one, two)))
    return Gathered(muscles, device), np.concatenate([np.ones((5, 3)), shaken(lattice.rest), np.ones((2, 3))])


def of_pull():
    device, random = Device("cpu", "f64"), np.random.default_rng(1)
    pull = Pull(device, random.uniform(0, 5, 9))
    pull.target.assign(random.standard_normal((9, 3)))
    pull.factor = 3.7
    return Gathered(pull, device), random.standard_normal((9, 3))


def of_dead_forces():
    device, random = Device("cpu", "f64"), np.random.default_rng(1)
    return Gathered(DeadForces(device, random.standard_normal((9, 3))), device), random.standard_normal((9, 3))


def of_grabs():
    """Three points that share nodes: on four nodes, on one, and on eight, of which two pairs are the same."""
    base = elastic("StableNeoHookean")
    grabs, tets = Grabs(base.device), base.energy.elements.nodes
    grabs.put(0, tets[3], np.array([0.1, 0.2, 0.3, 0.4]), 50.0, np.array([0.1, 0.2, 0.3]))
    grabs.put(1, tets[3][:1], np.array([1.0]), 70.0, np.array([0.3, 0.0, 0.1]))
    eight = np.concatenate([tets[3], tets[3][:2], tets[3][1:3]])
    grabs.put(2, eight, np.linspace(0.3, -0.05, 8), 20.0, np.array([0.1, 0.2, 0.1]))
    return Gathered(grabs, base.device, beside=base.energy), shaken(base.energy.elements.rest)


def of_tethers():
    """Points in the cells of a lattice, two of them in one cell, beside other bodies' nodes."""
    lattice, device, random = Lattice(sphere(0.1), 0.06), Device("cpu", "f64"), np.random.default_rng(3)
    points = random.uniform(-0.05, 0.05, (7, 3))
    points[6] = points[5] + 1e-3
    nodes, weights = lattice.embedded(points)
    energy = TetherEnergy(device, lattice.rest, nodes, weights, random.uniform(10, 90, 7), first=5)
    energy.aim(points + 0.01 * random.standard_normal((7, 3)))
    return Gathered(energy, device), np.concatenate([np.ones((5, 3)), shaken(lattice.rest), np.ones((2, 3))])


def of_joined_points():
    """Points of two tets that hold together, with forces found once, and one that hangs on the world."""
    base, random = elastic("StableNeoHookean"), np.random.default_rng(4)
    X, tets = base.energy.elements.rest, base.energy.elements.nodes
    nodes = np.concatenate([tets[[0, 3, 5]], tets[[9, 8, 7]]], axis=1)
    weights = np.array([0.1, 0.2, 0.3, 0.4, -0.4, -0.3, -0.2, -0.1]) * np.ones((3, 1))
    weights[2, 4:] = 0.0
    goal, ones = 0.01 * random.standard_normal((3, 3)), np.ones(3)
    energy = JoinedPoints(base.device, X, nodes, weights, goal, ones, 50.0 * ones, 1e-7 * ones)
    energy.find_multipliers(base.array(shaken(X, seed=1)))
    energy.take_multipliers()
    return Gathered(energy, base.device, beside=base.energy), shaken(X)


def of_joint_rows(lengths: bool):
    """Products and angles that are kept, limited, sprung and pushed, or lengths of paths, with forces found once."""
    base, random = elastic("StableNeoHookean"), np.random.default_rng(5)
    X, tets = base.energy.elements.rest, base.energy.elements.nodes
    spring, push = {"spring": 30.0, "damping": 2.0, "goal": 0.2}, {"keeps": False, "effort": -3.0}
    ways = [{}, {"side": 1, "goal": -9.0}, spring, push]
    kinds, rows = [LENGTH] * 4 if lengths else [DOT, ANGLE, ANGLE, DOT], []
    for i, (kind, way) in enumerate(zip(kinds, ways)):
        nodes = np.unique(tets[[i, -1 - i]])
        weights, shift = random.standard_normal((3, len(nodes))), random.standard_normal((3, 3))
        rows.append(Row(kind, nodes, weights, shift, lambda n, s: np.full((2, 1, 1), 0.02), 1e-7, **way))
    energy = JointRows(base.device, X, rows)
    at = base.array(shaken(X, seed=1))
    energy.begin(Step(at, 0.1, rate=10.0, anchor=at, inertia=3.0, lasts=0.1))
    energy.find_multipliers(at)
    energy.take_multipliers()
    return Gathered(energy, base.device, beside=base.energy), shaken(X)


def of_clamp(name: str, rule):
    """A piece of the surface of a ball, with two regions, moved away from where it belongs; beside other bodies' nodes."""
    lattice, device = Lattice(sphere(0.1), 0.06, rule), Device("cpu", "f64")
    law = getattr(material, name)(young=[1e4, 3e4], **({} if name == "Arap" else {"poisson": 0.3}))
    points = lattice.boundary_points(np.flatnonzero(lattice.boundary.centres[:, 2] > 0.05))
    energy = ClampEnergy(device, lattice, points, law, first=5, rows=np.arange(lattice.count) % 2)
    energy.aim(points.positions.reshape(-1, 3) + np.array([0.01, 0.0, -0.02]))
    return Gathered(energy, device), np.concatenate([np.ones((5, 3)), shaken(lattice.rest), np.ones((2, 3))])


def of_linearised_clamp():
    """The same of a law whose stress grows faster than its strain, linear about a state nearby."""
    lattice, device = Lattice(sphere(0.1), 0.06), Device("cpu", "f64")
    law = material.NeoHookean(young=[1e4, 3e4], poisson=0.3)
    points = lattice.boundary_points(np.flatnonzero(lattice.boundary.centres[:, 2] > 0.05))
    energy = LinearisedClamp(device, lattice, points, law, first=5, rows=np.arange(lattice.count) % 2)
    x = np.concatenate([np.ones((5, 3)), shaken(lattice.rest), np.ones((2, 3))])
    energy.linearise(device.array(shaken(x, seed=1), device.types.vec3))
    energy.aim(points.positions.reshape(-1, 3) + np.array([0.01, 0.0, -0.02]))
    return Gathered(energy, device), x


def of_pressure():
    base = elastic("StableNeoHookean")
    mesh = base.energy.elements.mesh
    pressure = PressureEnergy(base.device, mesh.boundary_triangles, len(mesh.vertices), 800.0)
    return Gathered(pressure, base.device, beside=base.energy), shaken(mesh.vertices)


def of_wind(two_sided):
    """On the sheet or the solid's surface, as it moves away from where the step began, beside other bodies' nodes."""
    base = elastic("StableNeoHookean")
    mesh, device, random = base.energy.elements.mesh, base.device, np.random.default_rng(4)
    wind = WindEnergy(device, mesh.boundary_triangles, len(mesh.vertices), two_sided)
    wind.blow(1.1, 0.9, 1.3, random.standard_normal((len(mesh.boundary_triangles), 3)))
    at, anchor = (base.array(shaken(mesh.vertices, 0.01, seed)) for seed in (1, 2))
    wind.begin(Step(at, 0.5, 60.0, anchor))
    return Gathered(wind, device, beside=base.energy), shaken(mesh.vertices)


def of_cell_pressure():
    """Whole and cut cells of a ball, beside other bodies' nodes."""
    lattice, device = Lattice(sphere(0.1), 0.06), Device("cpu", "f64")
    pressure = CellPressure(device, lattice, 800.0, first=5)
    return Gathered(pressure, device), np.concatenate([np.ones((5, 3)), shaken(lattice.rest), np.ones((2, 3))])


def _contact(shape, motion=None, smoothing=0.0, friction=0.4):
    """Nodes that stick, that slide and that do not touch."""
    device, random = Device("cpu", "f64"), np.random.default_rng(6)
    x = random.uniform(-1, 1, (40, 3)) * [0.3, 0.3, 0.02]
    stiffness, offset = np.where(np.arange(40) % 7, 300.0, 0.0), np.where(np.arange(40) % 5, 0.0, 0.004)
    contact = ObstacleContact(device, [Obstacle(shape, motion)], stiffness, friction, offset, smoothing)
    contact.place(0.3)
    contact.settle(device.array(x, device.types.vec3))
    x = x + random.standard_normal((40, 3)) * np.where(np.arange(40) % 2, 1e-3, 1e-2)[:, None]
    return Gathered(contact, device), x


def of_carried_contact():
    """Points on three nodes each, some of them on one node alone; obstacles of every kind of curvature."""
    device, random = Device("cpu", "f64"), np.random.default_rng(6)
    nodes = np.stack([random.permutation(30)[:3] for _ in range(40)])
    weights = random.dirichlet((1.0, 1.0, 1.0), 40)
    weights[::4] = [1.0, 0.0, 0.0]
    x = random.uniform(-1, 1, (30, 3)) * [0.3, 0.3, 0.02]
    shapes = [Obstacle(sphere(0.5, centre=(0.0, 0.0, -0.4))), Obstacle(torus(0.3, 0.1, centre=(0.0, 0.0, -0.09)))]
    stiffness = np.where(np.arange(40) % 7, 300.0, 0.0)
    contact = ObstacleContact(device, shapes, stiffness, 0.4, carrier=EmbeddedPoints(device, nodes, weights))
    contact.settle(device.array(x, device.types.vec3))
    return Gathered(contact, device), x + random.standard_normal((30, 3)) * 3e-3


def of_contact():
    return _contact(plane(z=0.0))


def of_smooth_contact():
    return _contact(plane(z=0.0), smoothing=2e-3, friction=0.0)  # nodes that hardly slide want smaller steps, see below


def of_moving_contact():
    def motion(t):
        pose = np.eye(4)
        c, s = np.cos(t), np.sin(t)
        pose[:2, :2], pose[:3, 3] = [[c, -s], [s, c]], [0.1, 0.2, 0.005]
        return pose

    return _contact(plane(z=0.0), motion)


def of_stiffness_damping(exact: bool = False):
    base = elastic("StableNeoHookean")
    X = base.energy.elements.rest
    damping = StiffnessDamping(base.device, base.energy, 0.02, len(X), exact)
    damping.begin(Step(base.array(shaken(X)), 0.0, 60.0, base.array(shaken(X, seed=1))))
    return Gathered(damping, base.device, beside=base.energy), shaken(X, seed=2)


def of_stiffness_damping_of_volume(exact: bool = False):
    base, x = of_volume("log", False)
    damping = StiffnessDamping(base.device, base.energy, 0.02, len(x), exact)
    damping.begin(Step(base.array(shaken(x)), 0.0, 60.0, base.array(shaken(x, seed=1))))
    return Gathered(damping, base.device, beside=base.energy), shaken(x, seed=2)


def of_stiffness_damping_of_hourglass(exact: bool = False):
    base, x = of_hourglass()
    damping = StiffnessDamping(base.device, base.energy, 0.02, len(x), exact)
    damping.begin(Step(base.array(shaken(x)), 0.0, 60.0, base.array(shaken(x, seed=1))))
    return Gathered(damping, base.device, beside=base.energy), shaken(x, seed=2)


def of_bending_viscosity():
    base, X = of_bending()
    random = np.random.default_rng(5)
    viscosity = BendingViscosity(base.device, base.energy, random.uniform(0.5, 2, base.energy.count), len(X))
    viscosity.begin(Step(base.array(shaken(X)), 0.0, 60.0, base.array(shaken(X, seed=1))))
    return Gathered(viscosity, base.device, beside=base.energy), shaken(X, seed=2)


def of_viscosity():
    base = elastic("StableNeoHookean")
    X = base.energy.elements.rest
    viscosity = Viscosity(base.device, base.energy, 3.0)
    viscosity.begin(Step(base.array(shaken(X)), 0.0, 60.0, base.array(shaken(X, seed=1))))
    return Gathered(viscosity, base.device), shaken(X, seed=2)


def of_viscosity_of_bricks():
    """Eight points in an element, each with a strain of its own to return to."""
    mesh, device = brick((2, 1, 1), 0.1), Device("cpu", "f64")
    base = ElasticEnergy(device, mesh, make("StableNeoHookean"))
    viscosity = Viscosity(device, base, 3.0)
    anchor = device.array(shaken(mesh.rest, 0.01, seed=1), device.types.vec3)
    viscosity.begin(Step(anchor, 0.0, 60.0, anchor))
    assert viscosity.value(anchor) == pytest.approx(0.0, abs=1e-20)
    return Gathered(viscosity, device), shaken(mesh.rest, 0.01, seed=2)


def of_volume(measure: str, aggregate: bool):
    """Crooked bricks of eight nodes and eight points, each with a modulus of its own."""
    mesh = brick((3, 2, 2), 0.1)
    device, random = Device("cpu", "f64"), np.random.default_rng(6)
    kappa = random.uniform(1e3, 1e5, mesh.count)
    energy = AveragedVolume(device, mesh, kappa, measure, aggregate, first=2)
    return Gathered(energy, device), np.concatenate([np.ones((2, 3)), shaken(1.1 * mesh.rest, 0.008)])


CASES = {
    **{
        f"volume, {measure}{' of the mean' if aggregate else ''}": (
            functools.partial(of_volume, measure, aggregate),
            AveragedVolume,
        )
        for measure in ("log", "excess", "trace", "stretch", "green")
        for aggregate in ((False, True) if measure in ("log", "excess") else (False,))
    },
    "elastic": (of_elastic, ElasticEnergy),
    "elastic with rows": (of_rows, ElasticEnergy),
    "elastic of ten nodes": (of_ten_nodes, ElasticEnergy),
    "bending": (of_bending, BendingEnergy),
    "hourglass": (of_hourglass, Hourglass),
    "muscles": (of_muscles, MuscleEnergy),
    "pull": (of_pull, Pull),
    "dead forces": (of_dead_forces, DeadForces),
    "grabs": (of_grabs, Grabs),
    "tethers": (of_tethers, TetherEnergy),
    "joined points": (of_joined_points, JoinedPoints),
    "joints": (functools.partial(of_joint_rows, False), JointRows),
    "tendons": (functools.partial(of_joint_rows, True), JointRows),
    **{
        f"clamp, {name} {type(rule).__name__}": (functools.partial(of_clamp, name, rule), ClampEnergy)
        for name, rule in (("LinearElastic", Corners()), ("Corotated", Moments()), ("Arap", Moments()))
    },
    "linear clamp": (of_linearised_clamp, LinearisedClamp),
    "plastic": (of_plastic, PlasticEnergy),
    "plastic, additive": (lambda: of_plastic(Additive, AdditiveEnergy), AdditiveEnergy),
    "dapd": (of_dapd, DapdEnergy),
    "pressure": (of_pressure, PressureEnergy),
    "pressure on bent faces": (of_bent_faces, PressureEnergy),
    "cell pressure": (of_cell_pressure, CellPressure),
    "wind": (functools.partial(of_wind, True), WindEnergy),
    "wind on a solid": (functools.partial(of_wind, False), WindEnergy),
    "contact": (of_contact, ObstacleContact),
    "contact of points": (of_carried_contact, ObstacleContact),
    "smooth contact": (of_smooth_contact, ObstacleContact),
    "moving contact": (of_moving_contact, ObstacleContact),
    "stiffness damping": (of_stiffness_damping, StiffnessDamping),
    "stiffness damping of volume": (of_stiffness_damping_of_volume, StiffnessDamping),
    "stiffness damping of hourglass": (of_stiffness_damping_of_hourglass, StiffnessDamping),
    "viscosity": (of_viscosity, Viscosity),
    "viscosity of bending": (of_bending_viscosity, BendingViscosity),
    "viscosity of bricks": (of_viscosity_of_bricks, Viscosity),
}
