"""What a scene is made of: bodies with their pins, attachments, loads and damping; obstacles; contact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..elements.base import Elements
from ..elements.lattice import Lattice
from ..elements.quadrature import Centre
from ..elements.tets import Tets
from ..energy.obstacles import Obstacle
from ..errors import InputError, first_few, floats, positive
from ..geometry.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from ..geometry.sdf import Sdf
from ..material.base import Material
from .muscles import EmbeddedMuscle, named

Where = Callable[[np.ndarray], np.ndarray] | Sequence[int] | np.ndarray  # mask function of X, indices, or mask
Motion = Callable[[np.ndarray, float], np.ndarray]  # (rest positions, time) → positions


def select(X: np.ndarray, where: Where, what: str, noun: str = "node") -> np.ndarray:
    """Return the numbers of the nodes, or of what else ``noun`` names, that ``where`` picks among rest positions X."""
    chosen = where(X) if callable(where) else where
    chosen = np.asarray(chosen)
    if chosen.dtype == bool:
        if chosen.shape != (len(X),):
            raise InputError(f"{what}: the mask has shape {chosen.shape}; expected ({len(X)},), one entry per {noun}")
        chosen = np.flatnonzero(chosen)
    if chosen.size and not np.issubdtype(chosen.dtype, np.integer):
        raise InputError(f"{what}: got {chosen.dtype} values; expected a mask or {noun} numbers")
    chosen = chosen.astype(np.int64).reshape(-1)
    bad = chosen[(chosen < 0) | (chosen >= len(X))]
    if len(bad):
        raise InputError(f"{what}: {len(bad)} {noun} numbers lie outside 0…{len(X) - 1}, first {first_few(bad)}")
    if not len(chosen):
        raise InputError(
            f"{what}: no {noun} was selected; check the condition against the body's bounds "
            f"{X.min(axis=0).round(6).tolist()} … {X.max(axis=0).round(6).tolist()} m"
        )
    return np.unique(chosen)


@dataclass(frozen=True, eq=False)
class Pins:
    """Nodes held at their rest positions, or moved by ``motion(X, t)``; ``axes`` names the components held."""

    where: Where
    motion: Motion | None = None
    axes: str = "xyz"

    def __post_init__(self):
        if not isinstance(self.axes, str) or not self.axes or set(self.axes) - set("xyz"):
            raise InputError(f"Pins(axes={self.axes!r}): expected some of 'x', 'y', 'z'")


@dataclass(frozen=True, eq=False)
class Clamp:
    """A part of a lattice's surface held where it rests, or where ``motion(X, t)`` takes it, weakly (Nitsche).

    ``where`` chooses triangles of the surface of the material by their centres (``lattice.boundary.centres``). ``eta`` [N/m³]
    is the strength; None takes it from the material. For Linear, Corotated and Arap.
    """

    where: Where
    motion: Motion | None = None
    eta: float | None = None

    def __post_init__(self):
        if self.eta is not None and not positive(self.eta):
            raise InputError(f"Clamp(eta={self.eta!r}): expected a positive number of N/m³, or None")


@dataclass(frozen=True, eq=False)
class Attachment:
    """Springs of ``stiffness`` [N/m] from each chosen node to its rest position, or to ``target(X, t)``."""

    where: Where
    stiffness: float
    target: Motion | None = None

    def __post_init__(self):
        if (
            isinstance(self.stiffness, bool)
            or not isinstance(self.stiffness, int | float)
            or not 0 < self.stiffness < np.inf
        ):
            raise InputError(f"Attachment(stiffness={self.stiffness!r}): expected a positive number of N/m")


@dataclass(frozen=True, eq=False)
class Tether:
    """Springs of ``stiffness`` [N/m] from points of a solid to where they rest, or to ``target(X, t)``: bones and handles.

    ``points`` are positions (k, 3) at rest [m], or the vertices of a mesh; they need not be nodes, and each rides on the
    element that holds it. ``stiffness`` is one number, or one for each point.
    """

    points: TriMesh | PointCloud | Sequence[Sequence[float]] | np.ndarray
    stiffness: float | Sequence[float]
    target: Motion | None = None

    def __post_init__(self):
        given = self.points.vertices if isinstance(self.points, TriMesh | PointCloud) else self.points
        points, stiffness = floats(given), floats(self.stiffness)
        if points.ndim != 2 or points.shape[1] != 3 or not len(points) or not np.all(np.isfinite(points)):
            raise InputError(
                f"Tether(points=…) has shape {points.shape}; expected (k, 3) finite positions in metres, or a mesh"
            )
        fits = stiffness.shape in ((), (len(points),)) and not isinstance(self.stiffness, bool)
        if not fits or not np.all((stiffness > 0) & np.isfinite(stiffness)):
            raise InputError(
                f"Tether(stiffness={self.stiffness!r}): expected a positive number of N/m, or {len(points)} of them"
            )
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "stiffness", stiffness if stiffness.ndim else float(stiffness))


@dataclass(frozen=True, eq=False)
class Load:
    """A force [N] in all, spread over the chosen nodes (by area over faces, else equally), times ``course(t)``.

    On a lattice ``where`` chooses triangles of the cut surface by their centres (``lattice.cut.centres``).
    """

    force: Sequence[float]
    where: Where
    course: Callable[[float], float] | None = None


@dataclass(frozen=True, eq=False)
class Traction:
    """A force per rest area [Pa] on the boundary faces whose nodes are all chosen, times ``course(t)``.

    On a lattice ``where`` chooses triangles of the cut surface by their centres (``lattice.cut.centres``).
    """

    stress: Sequence[float]
    where: Where
    course: Callable[[float], float] | None = None


@dataclass(frozen=True, eq=False)
class Pressure:
    """Pressure [Pa] inside the body's closed surface, times ``course(t)``."""

    pascals: float
    course: Callable[[float], float] | None = None

    def __post_init__(self):
        if isinstance(self.pascals, bool) or not isinstance(self.pascals, int | float) or not np.isfinite(self.pascals):
            raise InputError(f"Pressure(pascals={self.pascals!r}): expected a finite number of Pa")


def asked(shape: Elements, item: Any) -> tuple[np.ndarray, str]:
    """Positions that the ``where`` of ``item`` is asked about, and what they are: nodes, or triangles of a lattice."""
    if isinstance(shape, Lattice) and isinstance(item, Load | Traction | Clamp):
        surface = shape.boundary if isinstance(item, Clamp) else shape.cut
        return surface.centres, "triangle of the surface"
    return shape.rest, "node"


@dataclass(frozen=True)
class Damping:
    """Rayleigh damping D = mass·M + stiffness·K ([1/s], [s]), and viscosity of the material [Pa s]."""

    mass: float = 0.0
    stiffness: float = 0.0
    viscosity: float = 0.0

    def __post_init__(self):
        for name in ("mass", "stiffness", "viscosity"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < np.inf:
                raise InputError(f"Damping({name}={value!r}): expected a number of at least 0")


@dataclass(frozen=True, eq=False)
class Body:
    """A soft body: a shape, a material, and what acts on it.

    ``shape`` is a TetMesh or any elements (Tets, Lattice, Membrane, Springs); ``surface`` a finer surface carried along,
    drawn and grabbed in place of the elements' own.
    """

    shape: TetMesh | Elements
    material: Material
    pinned: Where | Pins | Sequence[Pins] | None = None
    surface: TriMesh | None = None
    loads: Sequence[Load | Traction | Pressure] = ()
    attachments: Sequence[Attachment | Tether] = ()
    damping: Damping = field(default_factory=Damping)
    velocity: Sequence[float] | np.ndarray = (0.0, 0.0, 0.0)
    name: str = ""
    muscles: Sequence[EmbeddedMuscle] = ()
    clamped: Where | Clamp | Sequence[Clamp] | None = None

    def __post_init__(self):
        if isinstance(self.shape, TetMesh):
            object.__setattr__(self, "shape", Tets(self.shape))
        if isinstance(self.shape, TriMesh):
            raise InputError(
                "Body(TriMesh): a surface is either filled, tetrahedralise(surface, edge=…), or a sheet, "
                "Membrane(surface, thickness=…)"
            )
        if isinstance(self.shape, Sdf):
            raise InputError("Body(Sdf): say how fine its cells are, Lattice(shape, spacing=…)")
        if isinstance(self.shape, EdgeMesh):
            raise InputError("Body(EdgeMesh): say how thick the threads are, Springs(mesh, radius=…)")
        if not isinstance(self.shape, Elements):
            raise InputError(f"Body(shape={type(self.shape).__name__}): expected a TetMesh, Tets, Lattice, Membrane or Springs")
        if not isinstance(self.material, Material):
            raise InputError(
                f"Body(material={type(self.material).__name__}): expected a material such as StableNeoHookean(young=1e4)"
            )
        if self.shape.dimension != 3:
            for law in self.material.terms:
                if not law.rotation_invariant:
                    raise InputError(
                        f"{type(law).__name__} does not work on {type(self.shape).__name__}, which turns freely; use Corotated"
                    )
            if self.shape.dimension == 1 and not self.material.isotropic:
                raise InputError("Springs have one direction only: use an isotropic material without fibres or muscle")
        if np.any(np.asarray(self.material.density) <= 0):
            raise InputError(f"{self.material.key} has no density; add it to a material that has one")
        self.rows()  # says now what does not fit
        parts = {"loads": (Load, Traction, Pressure), "attachments": (Attachment, Tether), "muscles": (EmbeddedMuscle,)}
        for key, kinds in parts.items():
            items = getattr(self, key)
            items = tuple(items) if isinstance(items, list | tuple) else (items,)
            for item in items:
                if not isinstance(item, kinds):
                    raise InputError(
                        f"Body({key}=…) holds {type(item).__name__}; expected {' or '.join(k.__name__ for k in kinds)}"
                    )
            object.__setattr__(self, key, items)
        if self.muscles and not isinstance(self.shape, Lattice | Tets):
            raise InputError(f"Body(muscles=…): {type(self.shape).__name__} has no inside; expected Lattice or Tets")
        object.__setattr__(self, "muscles", named(self.muscles))
        if not isinstance(self.damping, Damping):
            raise InputError(f"Body(damping={self.damping!r}): expected Damping(mass=…, stiffness=…, viscosity=…)")
        velocity = floats(self.velocity)
        if velocity.shape not in ((3,), self.shape.rest.shape) or not np.all(np.isfinite(velocity)):
            raise InputError(
                f"Body(velocity=…) has shape {velocity.shape}; expected (3,) or {self.shape.rest.shape}, finite"
            )
        if self.surface is not None and not (isinstance(self.surface, TriMesh) and self.shape.dimension == 3):
            raise InputError("Body(surface=…): expected a TriMesh carried by a solid")
        for pins in self.pins:
            if not isinstance(pins, Pins):
                raise InputError(f"Body(pinned=…) holds {type(pins).__name__}; expected Pins, a mask or node numbers")
            select(self.shape.rest, pins.where, "pinned")
        self._check_clamps()

    def _check_clamps(self) -> None:
        for clamp in self.clamps:
            if not isinstance(clamp, Clamp):
                raise InputError(f"Body(clamped=…) holds {type(clamp).__name__}; expected Clamp, or a condition on the surface")
            if not isinstance(self.shape, Lattice):
                raise InputError(f"Clamp is for the cut cells of a Lattice, not for {type(self.shape).__name__}; use pinned")
            if isinstance(self.shape.quadrature, Centre):
                raise InputError("Clamp needs a rule that integrates the material of cut cells; use Moments(), not Centre()")
            if not hasattr(type(self.material), "second_differential"):
                raise InputError(
                    f"Clamp: the stress of {self.material.key} may outgrow any eta; expected Linear, Corotated or Arap, or use "
                    "pinned=… or Tether"
                )

    @property
    def pins(self) -> tuple[Pins, ...]:
        """``pinned`` as a sequence of Pins."""
        return _listed(self.pinned, Pins)

    @property
    def clamps(self) -> tuple[Clamp, ...]:
        """``clamped`` as a sequence of Clamps."""
        return _listed(self.clamped, Clamp)

    def rows(self) -> np.ndarray | None:
        """Row of the material's parameter table for each element, or None where one row serves all."""
        count = max(len(self.material.table()), np.size(self.material.density))
        regions = getattr(getattr(self.shape, "mesh", None), "regions", None)
        if count == 1:
            return None
        if count == self.shape.count:
            return np.arange(count)
        if regions is not None and count == regions.max() + 1:
            return np.asarray(regions)
        known = f" or {regions.max() + 1} (one per region)" if regions is not None else ""
        raise InputError(
            f"{self.material.key} has {count} rows of parameters; expected 1 (for the body), {self.shape.count} (one per "
            f"element){known}"
        )

    @property
    def densities(self) -> np.ndarray:
        """(m,) or () density of each element [kg/m³]."""
        density, rows = np.asarray(self.material.density), self.rows()
        return density if density.ndim == 0 else density[rows if rows is not None else 0]


def _listed(given: Any, kind: type) -> tuple:
    """One or several of a kind, or what ``where`` of one may be, as a sequence of them."""
    if given is None:
        return ()
    if isinstance(given, kind):
        return (given,)
    if isinstance(given, list | tuple) and given and not isinstance(given[0], int | np.integer | bool | np.bool_):
        return tuple(given)
    return (kind(given),)


@dataclass(frozen=True)
class Contact:
    """How nodes meet obstacles: Coulomb ``friction``; ``stiffness`` [N/m] per node, or None to take it from the material.

    From the material: 10 E V^⅓ of each surface node, V being the volume that the node stands for; for the nodes of
    a lattice 10 E A/h, A being the area that the node stands for. ``smoothing`` s [m] lets the force set in smoothly, as
    k s log(1 + e^{−φ/s}) of the distance φ, for what needs derivatives; 0 is a sharp contact.
    """

    friction: float = 0.0
    stiffness: float | None = None
    smoothing: float = 0.0

    def __post_init__(self):
        if (
            isinstance(self.friction, bool)
            or not isinstance(self.friction, int | float)
            or not 0 <= self.friction < np.inf
        ):
            raise InputError(f"Contact(friction={self.friction!r}): expected a number of at least 0")
        if self.stiffness is not None and not (isinstance(self.stiffness, int | float) and 0 < self.stiffness < np.inf):
            raise InputError(f"Contact(stiffness={self.stiffness!r}): expected a positive number of N/m, or None")
        if self.smoothing != 0 and not positive(self.smoothing):
            raise InputError(f"Contact(smoothing={self.smoothing!r}): expected a length in metres, or 0")


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies and obstacles under gravity [m/s²]."""

    bodies: Sequence[Body]
    obstacles: Sequence[Sdf | Obstacle] = ()
    gravity: Sequence[float] = (0.0, 0.0, -9.81)
    contact: Contact = field(default_factory=Contact)

    def __post_init__(self):
        bodies = tuple(self.bodies) if isinstance(self.bodies, list | tuple) else (self.bodies,)
        if not bodies or not all(isinstance(b, Body) for b in bodies):
            raise InputError("Scene(bodies=…): expected one Body or more")
        obstacles = tuple(self.obstacles) if isinstance(self.obstacles, list | tuple) else (self.obstacles,)
        made = []
        for i, obstacle in enumerate(obstacles):
            if isinstance(obstacle, Sdf):
                obstacle = Obstacle(obstacle, name=f"obstacle {i}")
            if not isinstance(obstacle, Obstacle):
                raise InputError(
                    f"Scene(obstacles=…) holds {type(obstacle).__name__}; expected shapes such as plane(z=0)"
                )
            made.append(obstacle)
        gravity = floats(self.gravity)
        if gravity.shape != (3,) or not np.all(np.isfinite(gravity)):
            raise InputError(f"Scene(gravity={self.gravity!r}): expected three finite numbers in m/s²")
        if not isinstance(self.contact, Contact):
            raise InputError(f"Scene(contact={self.contact!r}): expected Contact(friction=…)")
        names = [b.name or f"body {i}" for i, b in enumerate(bodies)]
        if len(set(names)) != len(names):
            raise InputError(f"Scene(bodies=…): two bodies share a name among {names}; give each its own")
        object.__setattr__(self, "bodies", bodies)
        object.__setattr__(self, "obstacles", tuple(made))
        object.__setattr__(self, "gravity", tuple(gravity.tolist()))
        object.__setattr__(self, "names", tuple(names))
