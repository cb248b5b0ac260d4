"""Bodies whose parameters are to be found again: a torus that swings, a body thrown at a ground, a dragon hung up by its head.

The thesis (S. Weiß, Physically-based Action Reconstruction, 2018) states values, starts, cameras and noise, but neither sizes
nor density, gravity and time step; those are ours, and so are the shapes that are no torus.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from pliant.bench.dragon import HEAD, dragon
from pliant.effects.contact.obstacle_contact import Contact
from pliant.effects.elasticity.damping import Damping
from pliant.elements.lattice.lattice import Lattice
from pliant.geometry.distance.sdf import Sdf, plane, sphere, torus
from pliant.integrate.schemes import NewmarkTheta
from pliant.inverse import Camera
from pliant.linear import PCG, Cholesky
from pliant.material.laws.corotated import Corotated
from pliant.simulate.scene.body import Body, Scene
from pliant.simulate.simulation import Simulation
from pliant.solve.newton.newton_solver import Newton

TRUE = {"young": 2000.0, "poisson": 0.3, "damping.mass": 0.1, "damping.stiffness": 0.01}
DRAGON = TRUE | {"young": 5000.0}
# the thesis' bunny, with z up: true, where it began, where it ended
NORMALS = {"truth": (-0.011, -0.091, 0.996), "start": (0.151, 0.245, 0.957), "thesis": (-0.075, -0.075, 0.994)}
HEIGHTS = {"truth": 0.0, "start": 0.03, "thesis": -0.042}  # [m]
FLOOR = -0.62  # [m], that heights count from
DT = 0.01
DENSITY = 10.0
VOXEL = 0.042  # [m]: with it the torus has about the 7180 cells of the thesis
FINE = 0.0241  # [m]: with it the dragon has the 9968 cells of the thesis', within a per cent


@cache
def _lattice(shape: str, spacing: float) -> Lattice:
    solids: dict[str, Sdf] = {
        "torus": torus(0.5, 0.2, axis=(0, 1, 0)),
        "thrown": sphere(0.45) | sphere(0.28, (0.42, 0.1, 0.34)) | sphere(0.2, (-0.4, -0.1, 0.15)),
        "dragon": dragon(),
    }
    return Lattice(solids[shape], spacing)


def _body(shape: str, spacing: float, given: dict[str, float], **options: object) -> Body:
    law = Corotated(young=given["young"], poisson=given["poisson"], density=DENSITY)
    damping = Damping(given["damping.mass"], given["damping.stiffness"], exact=True)
    return Body(_lattice(shape, spacing), law, damping=damping, **options)


def _simulation(scene: Scene, device: str, precision: str = "f64") -> Simulation:
    tolerance = 1e-8 if precision == "f64" else 1e-4
    linear = PCG() if device == "cpu" else PCG(preconditioner=Cholesky())  # a GPU waits for iterations more than for factors
    scheme = NewmarkTheta(DT, Newton(tolerance=tolerance, linear=linear), theta=0.6)
    return Simulation(scene, scheme, device=device, precision=precision)


def swinging(spacing: float, device: str = "cpu", **values: float) -> Simulation:
    """A torus that is held at its top and swings."""
    body = _body("torus", spacing, TRUE | values, pinned=lambda X: X[:, 2] > 0.55)
    return _simulation(Scene(body, gravity=(4.0, 3.0, -9.0)), device)


def hanging(spacing: float, device: str = "cpu", precision: str = "f64", **values: float) -> Simulation:
    """A dragon that is held by its head and swings."""
    body = _body("dragon", spacing, DRAGON | values, pinned=lambda X: (X[:, 2] > HEAD) & (X[:, 0] < -0.45))
    return _simulation(Scene(body, gravity=(2.0, 3.0, -9.0)), device, precision)


def bouncing(spacing: float, device: str = "cpu", of: str = "truth") -> Simulation:
    """A body without symmetry, about as large as the torus, that is thrown at a ground."""
    body = _body("thrown", spacing, TRUE, velocity=(0.0, 0.0, -2.0))
    ground = plane(point=(0.0, 0.0, FLOOR + HEIGHTS[of]), normal=NORMALS[of])
    scene = Scene(body, [ground], gravity=(0.0, 0.0, -10.0), contact=Contact(smoothing=0.005))
    return _simulation(scene, device)


def lean(normal: Sequence[float], other: Sequence[float] = NORMALS["truth"]) -> float:
    """The angle between two normals [degrees]."""
    a, b = (np.asarray(n) / np.linalg.norm(n) for n in (normal, other))
    return float(np.degrees(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)))


def cameras(count: int, pixels: int, distance: float = 3.0) -> list[Camera]:
    """So many around a body, on a spiral over a sphere of that radius [m], all looking at its middle."""
    out = []
    for k in range(count):
        height, turn = 1 - (2 * k + 1) / count, k * np.pi * (3 - np.sqrt(5))
        away = np.array([np.sqrt(1 - height**2) * np.cos(turn), np.sqrt(1 - height**2) * np.sin(turn), height])
        out.append(Camera.looking(distance * away, (0.0, 0.0, 0.0), (pixels, pixels), 1.6 * pixels))
    return out
