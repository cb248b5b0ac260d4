"""Bodies, obstacles and contact of a scene."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...arguments import checks
from ...arguments.checks import floats
from ...arguments.short_repr import brief
from ...arguments.typing_fields import Becomes, Many, Vector
from ...effects.base import OnBody, Where, by_name, select_held
from ...effects.contact.obstacle_contact import Contact, Obstacles
from ...effects.effect_layout import Part
from ...effects.elasticity.damping import Damping
from ...effects.elasticity.holds import Hold
from ...effects.elasticity.muscle_effect import EmbeddedMuscle, named
from ...effects.gravity import Gravity
from ...effects.joints.joint_effects import Joint, check_joints
from ...effects.joints.joint_energies import Joints
from ...effects.loads import Load, Traction
from ...effects.registry import VALUES
from ...effects.tearing import Tearing
from ...elements.base import Elements
from ...elements.hexes import Hexes
from ...elements.quadratic_tets import QuadraticTets
from ...elements.tets import Tets
from ...energy.obstacles.obstacle_energy import Obstacle
from ...errors import InputError, PliantWarning
from ...geometry.distance.sdf import Sdf
from ...geometry.lattice.hex_mesh import HexMesh
from ...geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from ...material.base import Material, engineering
from .group_values import by_group


@dataclass(frozen=True, eq=False)
class Body:
    """A body: a shape, a material, and what acts on it.

    ``shape`` is a TetMesh, a HexMesh or any elements (Tets, QuadraticTets, Hexes, Lattice, Membrane, Springs, and Rigid, which
    needs no material); ``pinned`` chooses nodes that stay where they are, True all of them, a name those of a group of the mesh:
    short for ``Hold(where)`` among the effects; ``surface`` is a finer surface carried along, drawn and grabbed in place of the
    elements' own. ``effects`` are any of what acts on a body (Hold, Load, Traction, Pressure, Wind, Tearing, EmbeddedMuscle), and
    objects of your own with a method ``energies(part, device)`` that returns a list of energies. It starts with ``velocity``
    [m/s], one for all nodes or one for each, and turns by ``spin`` [rad/s] about its centre of mass.
    """

    shape: Becomes[TetMesh | HexMesh | Elements, Elements]
    material: Material | None = None
    pinned: Where | None = None
    surface: TriMesh | None = None
    effects: Many[Any] = ()
    damping: Damping = field(default_factory=Damping)
    velocity: Vector = (0.0, 0.0, 0.0)
    name: str = ""
    spin: Vector = (0.0, 0.0, 0.0)
    __repr__ = brief

    def __post_init__(self):
        checks.instance("Body(name=…)", self.name, str, "text")
        if isinstance(self.shape, TetMesh):
            kind = Tets if self.shape.middles is None else QuadraticTets
            object.__setattr__(self, "shape", kind(self.shape))
        if isinstance(self.shape, HexMesh):
            object.__setattr__(self, "shape", Hexes(self.shape))
        if isinstance(self.shape, TriMesh):
            raise InputError(
                "Body(TriMesh): a surface is either filled, tetrahedralise(surface, edge=…), or a sheet, "
                "Membrane(surface, thickness=…), or a flat body, planar.Triangles(surface, thickness=…)"
            )
        if isinstance(self.shape, Sdf):
            raise InputError("Body(Sdf): say how fine its cells are, Lattice(shape, spacing=…)")
        if isinstance(self.shape, EdgeMesh):
            raise InputError("Body(EdgeMesh): say how thick the threads are, Springs(mesh, radius=…)")
        if not isinstance(self.shape, Elements):
            raise InputError(
                f"Body(shape={type(self.shape).__name__}): expected a TetMesh, HexMesh, Tets, Hexes, Lattice, Membrane or Springs"
            )
        if self.material is None and self.shape.material is not None:
            object.__setattr__(self, "material", self.shape.material)
        if self.material is None:
            raise InputError("Body(material=None): expected a material such as StableNeoHookean(young=1e4)")
        if not isinstance(self.material, Material):
            raise InputError(
                f"Body(material={type(self.material).__name__}): expected a material such as StableNeoHookean(young=1e4)"
            )
        if self.shape.material is not None and type(self.material) is not type(self.shape.material):
            raise InputError(
                f"Body({type(self.shape).__name__}(…), material={type(self.material).__name__}): it has its own law and "
                "mass; leave the material out"
            )
        if self.shape.dimension != 3:
            for law in self.material.terms:
                if not law.rotation_invariant:
                    free = f"on {type(self.shape).__name__}, which rotates freely; use Corotated"
                    flat = "in plane stress; use Corotated, which is the same for small strain, or PlaneStrain()"
                    given = f"{type(law).__name__} does not work"
                    raise InputError(f"{given} {flat if self.shape.held_axes else free}")
            if self.shape.dimension == 1 and not self.material.isotropic:
                raise InputError("Springs have one direction only: use an isotropic material without fibres or muscle")
        object.__setattr__(self, "material", by_group(self.material, self.shape))
        if np.any(np.asarray(self.material.density) <= 0):
            raise InputError(f"{self.material.name} has no density; add it to a material that has one")
        self.rows()  # says now what does not fit
        self._check_effects()
        if not isinstance(self.damping, Damping):
            raise InputError(f"Body(damping={self.damping!r}): expected Damping(mass=…, stiffness=…, viscosity=…)")
        velocity = floats(self.velocity)
        if velocity.shape not in ((3,), self.shape.rest.shape) or not np.all(np.isfinite(velocity)):
            raise InputError(f"Body(velocity=…) has shape {velocity.shape}; expected (3,) or {self.shape.rest.shape}, finite")
        object.__setattr__(self, "spin", tuple(checks.vector("Body(spin=…)", self.spin, "rad/s").tolist()))
        if self.surface is not None and not (isinstance(self.surface, TriMesh) and self.shape.dimension == 3):
            raise InputError("Body(surface=…): expected a TriMesh carried by a solid")
        if self.pinned is not None:
            given = self.pinned[0] if isinstance(self.pinned, list | tuple) and len(self.pinned) else self.pinned
            if isinstance(given, Hold):
                raise InputError(
                    "Body(pinned=Hold(…)): expected a condition, a mask or node numbers; give Hold as effects=[Hold(…)]"
                )
            object.__setattr__(self, "pinned", by_name(self.shape, self.pinned, "Body(pinned=…)"))
            select_held(self.shape, self.pinned, "pinned")
        self._warn_of_locking()

    def _warn_of_locking(self) -> None:
        moduli, limit = self.material.moduli, self.shape.locks_from
        if moduli is None or limit is None:
            return
        poisson = float(np.max(engineering(*moduli)[1]))
        if poisson >= limit - 1e-9:
            warnings.warn(
                f"{type(self.shape).__name__} with Poisson's ratio {poisson:.4g} locks: from {limit:g} on it is 10 % or more too "
                f"stiff in bending, near 0.5 several times; use {self.shape.unlocked}",
                PliantWarning,
                stacklevel=5,
            )

    def valued(self, material: Material, effects: Sequence[Any], damping: Damping) -> Body:
        """The same body with other values in what acts on it; what they have no part in is not looked at again."""
        if not isinstance(damping, Damping):
            raise InputError(f"Body(damping={damping!r}): expected Damping(mass=…, stiffness=…, viscosity=…)")
        body = copy(self)
        object.__setattr__(body, "material", material)
        object.__setattr__(body, "effects", tuple(effects))
        object.__setattr__(body, "damping", damping)
        body.rows()  # says now what does not fit
        return body

    def reshaped(self, shape: Elements, **parts: Any) -> Body:
        """The same body of other elements, as many and of the same kind, and with other parts; nothing is checked again."""
        body = copy(self)
        for name, value in {"shape": shape, **parts}.items():
            object.__setattr__(body, name, value)
        return body

    def of(self, *kinds: type) -> list[Any]:
        """The effects of some classes, in the order given."""
        return [effect for effect in self.effects if isinstance(effect, kinds)]

    def _check_effects(self) -> None:
        effects = _effects("Body", self.effects, "energies(part, device)")
        for effect in effects:
            if isinstance(effect, VALUES) and not isinstance(effect, OnBody):
                raise InputError(f"Body(effects=…) holds {type(effect).__name__}, which acts on a scene; give it to Scene")
        effects = [_on_numbers(effect, self.shape) for effect in effects]
        object.__setattr__(self, "effects", named(effects))
        if self.of(EmbeddedMuscle) and not self.shape.has_inside:
            raise InputError(f"EmbeddedMuscle: {type(self.shape).__name__} has no inside; expected Lattice, Tets or Hexes")
        for hold in self.of(Hold):
            hold.by.check(hold, self.shape)
        tearing = self.of(Tearing)
        if len(tearing) > 1 or (tearing and self.surface is not None):
            raise InputError("Body(effects=…): expected one Tearing(…), and no surface=…")
        for effect in tearing:
            effect.check(self.shape)

    def rows(self) -> np.ndarray | None:
        """Row of the material's parameter table for each element, or None where one row serves all."""
        return Part(self.shape, self.material).rows()

    @property
    def densities(self) -> np.ndarray:
        """(m,) or () density of each element [kg/m³]."""
        return Part(self.shape, self.material).densities

    @property
    def start(self) -> np.ndarray:
        """(3,) or (n, 3) velocity at the start [m/s]: v + ω × (X − c), c being the centre of mass."""
        velocity = floats(self.velocity)
        if not any(self.spin):
            return velocity
        X, mass = self.shape.rest, Part(self.shape, self.material).mass
        return velocity + np.cross(self.spin, X - mass @ X / mass.sum())

    @property
    def acting(self) -> tuple[Any, ...]:
        """All effects on the body."""
        pinned = () if self.pinned is None else (Hold(self.pinned, name="pinned"),)
        return (*pinned, self.damping, *self.effects)


@dataclass(frozen=True, eq=False)
class Scene:
    """Bodies and obstacles under gravity [m/s²], and ``joints`` between bodies (joint.Hinge and others).

    ``effects`` are objects of your own that act on all of it, with a method ``energies(layout, device)`` that returns a list of
    energies.
    """

    bodies: Many[Body]
    obstacles: Becomes[Sequence[Sdf | Obstacle] | Sdf | Obstacle, tuple[Obstacle, ...]] = ()
    gravity: Vector = (0.0, 0.0, -9.81)
    contact: Contact = field(default_factory=Contact)
    effects: Many[Any] = ()
    joints: Many[Joint] = ()
    __repr__ = brief

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
                raise InputError(f"Scene(obstacles=…) holds {type(obstacle).__name__}; expected shapes such as plane(z=0)")
            made.append(obstacle)
        gravity = checks.vector("Scene(gravity=…)", self.gravity, "m/s²")
        if not isinstance(self.contact, Contact):
            raise InputError(f"Scene(contact={self.contact!r}): expected Contact(friction=…)")
        names = [b.name or f"body {i}" for i, b in enumerate(bodies)]
        if len(set(names)) != len(names):
            raise InputError(f"Scene(bodies=…): two bodies share a name among {names}; give each its own")
        object.__setattr__(self, "bodies", bodies)
        object.__setattr__(self, "obstacles", tuple(made))
        object.__setattr__(self, "gravity", tuple(gravity.tolist()))
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "joints", check_joints(self.joints, names))
        for pair in self.contact.pairs:
            pair.sides([*names, *(obstacle.name for obstacle in made)])  # says now what is not there
        for body, name in zip(bodies, names):
            _warn_of_gravity_across(gravity, body, name)
        object.__setattr__(self, "effects", _effects("Scene", self.effects, "energies(layout, device)"))
        for effect in self.effects:
            if isinstance(effect, VALUES):
                where = "Body(effects=…)" if isinstance(effect, OnBody) else "gravity=, obstacles=, contact= or joints="
                raise InputError(f"Scene(effects=…) holds {type(effect).__name__}; give it to {where}")

    @property
    def acting(self) -> tuple[Any, ...]:
        """All effects on the scene as a whole."""
        before = len(getattr(self.contact.response, "joints", ()))
        return (
            Gravity(self.gravity),
            Obstacles(self.obstacles, self.contact.at_work),
            *([Joints(self.joints, before)] if self.joints else []),
            *self.effects,
        )


def _on_numbers(effect: Any, shape: Elements) -> Any:
    """An effect whose ``where`` is no name of a group, and a rigid hold whose is no points either."""
    if isinstance(effect, OnBody) and isinstance(getattr(effect, "where", None), str):
        name, kind = effect.where, type(effect).__name__
        effect = replace(effect, where=by_name(shape, name, f"{kind}(where=…)"))  # type: ignore[type-var]
        if isinstance(effect, Load | Traction):
            _warn_of_more_faces(shape, name, kind)
    return effect.on_nodes(shape) if isinstance(effect, Hold) else effect


def _warn_of_more_faces(shape: Elements, name: str, kind: str) -> None:
    """A load takes all outer faces between the nodes of a group, which around a sharp edge may be more than its own."""
    group = shape.mesh.groups[name]  # type: ignore[attr-defined]
    if group.faces is None or group.faces.shape[1] != 3:
        return
    between = shape.surface_faces[np.isin(shape.surface_faces, group.nodes).all(axis=1)]
    more = len(between) - len(np.unique(np.sort(group.faces, axis=1), axis=0))
    if more > 0:
        warnings.warn(
            f"{kind}(…, {name!r}) also loads {more} outer faces besides the {len(group.faces)} of the group, since all their "
            "nodes are in it; expected a finer mesh, or another group",
            PliantWarning,
            stacklevel=6,
        )


def _warn_of_gravity_across(gravity: np.ndarray, body: Body, name: str) -> None:
    """A flat body feels nothing of a gravity that points across its plane, which is seldom meant."""
    along = np.delete(gravity, body.shape.held_axes)
    if np.any(gravity) and not np.any(along):
        warnings.warn(
            f"gravity={tuple(gravity.tolist())} is normal to the plane of {name!r}, which moves only within it; use "
            "gravity=(0, -9.81, 0), or (0, 0, 0)",
            PliantWarning,
            stacklevel=5,
        )


def _effects(owner: str, given: Any, call: str) -> tuple:
    """One or several effects as a sequence."""
    effects = tuple(given) if isinstance(given, list | tuple) else (given,)
    for effect in effects:
        if not isinstance(effect, VALUES) and not callable(getattr(effect, "energies", None)):
            raise InputError(
                f"{owner}(effects=…) holds {type(effect).__name__}; expected effects, objects with a method {call} that "
                "returns a list of energies"
            )
    return effects
