"""Conservative forces: whether a law derives from an energy (Civit-Flores, A.2).

One node of a tetrahedron is moved over a grid in a plane. Its force, summed by the trapezoidal rule along one axis and then
along the other, gives a potential; along the other axis first, a second one. Both agree if there is a potential at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arguments import checks
from ...effects.contact.obstacle_contact import Contact
from ...elements.tets import Tets
from ...geometry.mesh.mesh import TetMesh
from ...material.base import Material
from ...runtime.device import Device
from .body import Body, Scene
from .world import World

CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.1, 0.0], [0.2, 0.9, 0.1], [0.3, 0.25, 0.8]])  # aligned with nothing
ALONG = np.array([[0.8, 0.5, 0.33], [-0.28, -0.18, 0.94]])  # the plane in which the last node moves, nearly across its face
SIDE, UP = (-0.5, 0.5), (-1.6, 0.3)  # [m] how far, as seen from where it is at rest: from upright to inside out
UPRIGHT = (-0.45, 0.3)  # the same for laws that have no forces beyond collapse


@dataclass(frozen=True, eq=False)
class Conservativeness:
    """What ``check_conservative`` found: ``gap`` is the largest difference of the two potentials over the range of the first."""

    gap: float
    tolerance: float
    along_first: np.ndarray  # (samples, samples) [J] potential summed along the first axis, then along the second
    across_first: np.ndarray  # (samples, samples) [J] along the second axis, then along the first

    @property
    def ok(self) -> bool:
        """Whether the forces have a potential."""
        return self.gap <= self.tolerance

    def __str__(self) -> str:
        word = "have a potential" if self.ok else "have no potential"
        return f"forces {word}: two ways to sum them differ by {100 * self.gap:.3g} % (at most {100 * self.tolerance:g} %)"


def potentials(force: np.ndarray, spacing: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Both (nx, ny) potentials h of a field (nx, ny, 2) that is sampled ``spacing`` apart, 0 in the middle of the grid.

    (h_{i+1,j} − h_{i,j})/Δx = (gˣ_{i+1,j} + gˣ_{i,j})/2 and the same along y (Civit-Flores, A.2).
    """
    g = checks.floats(force)
    middle = g.shape[0] // 2, g.shape[1] // 2

    def summed(values: np.ndarray, step: float, axis: int) -> np.ndarray:
        a = np.moveaxis(values, axis, 0)
        total = np.concatenate([0 * a[:1], np.cumsum(0.5 * step * (a[1:] + a[:-1]), axis=0)])
        return np.moveaxis(total - total[middle[axis]], 0, axis)

    along, across = summed(g[..., 0], spacing[0], 0), summed(g[..., 1], spacing[1], 1)
    return along[:, middle[1], None] + across, across[None, middle[0]] + along


def check_conservative(law: Material, samples: int = 201, tolerance: float = 1e-3) -> Conservativeness:
    """Move a node of one tetrahedron of the law over a grid and compare the two potentials of its force.

    Laws that are ``inversion_safe`` are tried from upright to inside out, others while det F > 0. ``samples`` along each axis;
    the error of the sums falls with their square where forces have no kinks.
    """
    law = checks.instance("law of check_conservative", law, Material, "a material such as Corotated(young=1e4)")
    count = checks.whole("check_conservative(samples=…)", samples, 9)
    tolerance = checks.number("check_conservative(tolerance=…)", tolerance, 0, 1, "0 ≤ tolerance ≤ 1")
    u = np.linspace(*SIDE, count)
    v = np.linspace(*(UP if law.inversion_safe else UPRIGHT), count)
    rest = np.tile(CORNERS, (count * count, 1))
    mesh = TetMesh(rest, np.arange(len(rest)).reshape(-1, 4))
    scene = Scene([Body(Tets(mesh), law)], gravity=(0, 0, 0), contact=Contact(response=None))  # tets in one place
    world = World([scene], Device("cpu", "f64"))
    x = rest.copy()
    x[3::4] += (u[:, None, None] * ALONG[0] + v[None, :, None] * ALONG[1]).reshape(-1, 3)
    out, device = world.objective.vectors.new(), world.device
    place = device.array(x, device.types.position)
    world.still(place, 0.0)
    world.objective.gradient(place, out)
    force = (out.numpy().astype(float)[3::4] @ ALONG.T).reshape(count, count, 2)
    first, second = potentials(force, (u[1] - u[0], v[1] - v[0]))
    gap = float(np.abs(first - second).max() / max(np.ptp(first), 1e-300))
    return Conservativeness(gap, tolerance, first, second)
