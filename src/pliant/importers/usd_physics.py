"""Physics of a USD stage: rigid bodies, colliders, materials, gravity."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..elements.rigid import Inertia
from ..errors import InputError
from ..geometry.files.source import Source
from ..geometry.files.surfaces.usd import Stage, opened, reported
from ..geometry.mesh.solid_moments import solid_moments
from . import usd_deformable
from .links import Link, made, total
from .omissions import LeftOut
from .poses import moved, pose, quaternion
from .scene_contents import Contents
from .usd_shapes import form_of

DENSITY, FRICTION, EARTH = 1000.0, 0.5, 9.81  # [kg/m³], and [m/s²] where a stage asks for the usual


def has_physics(file: Path) -> bool:
    """Whether a stage has rigid bodies, colliders or deformables."""
    try:
        source = Source(file, file.read_bytes())
        with reported(source):
            stage = opened(source)
            named = (name for prim in stage.Traverse() for name in _schemas(prim))
            return any(name in ("PhysicsRigidBodyAPI", "PhysicsCollisionAPI") or "Deformable" in name for name in named)
    except (InputError, OSError):
        return False


def _schemas(prim: Any) -> list[str]:
    """Names of what is applied to a prim, those that this USD does not know as well."""
    return [str(name) for name in prim.GetPrimTypeInfo().GetAppliedAPISchemas()]


def read(file: Path) -> Contents:
    """What moves as rigid and soft bodies, what does not as obstacles."""
    try:
        source = Source(file, file.read_bytes())
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    stage = opened(source)
    try:
        with reported(source):
            return _Physics(source, stage).contents()
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(str(file)) else f"{file}: {text}") from None


class _Physics:
    def __init__(self, source: Source, stage: Any):
        from pxr import UsdGeom, UsdPhysics

        self.file, self.stage, self.left_out = source.path, stage, LeftOut()
        self.reader = Stage(source, lambda name: source, stage)
        self.unit, self.kilogram = UsdGeom.GetStageMetersPerUnit(stage), UsdPhysics.GetStageKilogramsPerUnit(stage)
        y_up = UsdGeom.GetStageUpAxis(stage) == UsdGeom.Tokens.y
        self.turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]) if y_up else np.eye(3)
        self.frictions: list[float] = []
        self.names: set[str] = set()

    def at(self, prim: Any) -> np.ndarray:
        """The 4×4 matrix from a prim's own axes and unit to metres, z up."""
        world = np.array(self.reader.places.GetLocalToWorldTransform(prim)).T
        return pose((0, 0, 0), self.unit * self.turn) @ world

    def contents(self) -> Contents:
        from pxr import Usd, UsdGeom, UsdPhysics

        bodies, links, static = {}, list[Link](), list[Link]()
        soft, velocities = [], {}
        for prim in Usd.PrimRange(self.stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
            names = _schemas(prim)
            if "PhysicsRigidBodyAPI" in names and self._value(UsdPhysics.RigidBodyAPI(prim).GetRigidBodyEnabledAttr()):
                api = UsdPhysics.RigidBodyAPI(prim)
                kinematic = bool(self._value(api.GetKinematicEnabledAttr()))
                link = Link(self._named(prim), None, np.eye(4), free=not kinematic)
                bodies[prim.GetPath()] = link, prim
                links.append(link)
                velocities[link.name] = self._speeds(api, prim)
                self.left_out.count("rigid body that starts asleep", bool(self._value(api.GetStartsAsleepAttr())))
            deformable = [name for name in names if "Deformable" in name and "Material" not in name]
            if deformable and (prim.IsA(UsdGeom.Mesh) or prim.IsA(UsdGeom.TetMesh)):
                soft.append((prim, deformable))
            elif "PhysicsCollisionAPI" in names and self._value(UsdPhysics.CollisionAPI(prim).GetCollisionEnabledAttr()):
                found = self._owner(prim, bodies)
                link = found[0] if found else Link(self._named(prim), None, np.eye(4))
                static += [] if found else [link]
                self._collider(prim, link, found[1] if found else None)
            elif prim.IsA(UsdGeom.Gprim):
                self.left_out.count("shape without physics")
            self._rest(prim, names)
        for link, prim in bodies.values():
            if link.free:
                self._weigh(link, prim)
        rigid, obstacles, _ = made([*links, *static], {}, self.left_out)
        rigid = [body.reshaped(body.shape, **dict(zip(("velocity", "spin"), velocities.get(body.name, ())))) for body in rigid]
        made_soft = [usd_deformable.body(self, prim, self._named(prim), names) for prim, names in soft]
        friction = max(self.frictions, default=FRICTION)
        if self.frictions and min(self.frictions) != friction:
            self.left_out.note(f"frictions that differ (all have the largest, {friction:g})")
        poses = {link.name: self._frame(prim) for link, prim in bodies.values()}
        return Contents(
            self.file, (*rigid, *made_soft), tuple(obstacles), self._gravity(), friction, None, poses, self.left_out.lines
        )  # fmt: skip

    def _value(self, attribute: Any) -> Any:
        return attribute.Get(self.reader.time) if attribute else None

    def _named(self, prim: Any) -> str:
        name = prim.GetName() if prim.GetName() not in self.names else str(prim.GetPath())
        self.names.add(name)
        return name

    def _owner(self, prim: Any, bodies: dict) -> tuple[Link, Any] | None:
        while prim and not prim.IsPseudoRoot():
            if prim.GetPath() in bodies:
                return bodies[prim.GetPath()]
            prim = prim.GetParent()
        return None

    def _frame(self, prim: Any) -> np.ndarray:
        """The pose of a prim without its scale."""
        at = self.at(prim)
        at[:3, :3] /= np.linalg.norm(at[:3, :3], axis=0)
        return at

    def _speeds(self, api: Any, prim: Any) -> tuple[tuple, tuple]:
        """Velocity [m/s] and spin [rad/s] at the start; both are given in the axes of the prim's parent, spins in degrees."""
        turn = self._frame(prim.GetParent())[:3, :3]
        speed, spin = (
            np.array(self._value(a) or (0, 0, 0), float) for a in (api.GetVelocityAttr(), api.GetAngularVelocityAttr())
        )
        return tuple((turn @ speed * self.unit).tolist()), tuple((turn @ np.deg2rad(spin)).tolist())

    def _collider(self, prim: Any, link: Link, owner: Any) -> None:
        """Add the shape of a collider to its link, with the mass that it would have."""
        from pxr import UsdPhysics

        form = form_of(self, prim)
        if form is None:
            self.left_out.count(f"{prim.GetTypeName() or 'shapeless'} collider")
            return
        if prim.HasAPI(UsdPhysics.MeshCollisionAPI):
            near = self._value(UsdPhysics.MeshCollisionAPI(prim).GetApproximationAttr()) or "none"
            self.left_out.count("approximated mesh (the mesh itself is taken)", near != "none")
        link.forms.append(form)
        material = self._material(prim)
        if material is not None:
            self._touch(material)
        if owner is None or form.kind == "plane":
            return
        mass, density = self._mass_of(prim)
        if density is None:
            density = self._mass_of(owner)[1] or self._density(material) or DENSITY
        if form.mesh is not None:
            try:
                solid_moments(form.mesh)
            except InputError:
                self.left_out.count("mass of a mesh that is not closed")
                return
        link.masses.append(form.inertia(density, mass))

    def _material(self, prim: Any) -> Any:
        from pxr import UsdPhysics, UsdShade

        api = UsdShade.MaterialBindingAPI(prim)
        for purpose in ("physics", ""):
            material = api.ComputeBoundMaterial(purpose)[0]
            if material and material.GetPrim().HasAPI(UsdPhysics.MaterialAPI):
                return UsdPhysics.MaterialAPI(material.GetPrim())
        return None

    def _touch(self, material: Any) -> None:
        slides = self._value(material.GetDynamicFrictionAttr())
        self.frictions.append(float(slides or 0.0))
        self.left_out.count("restitution", bool(self._value(material.GetRestitutionAttr())))

    def _density(self, material: Any) -> float | None:
        value = None if material is None else self._value(material.GetDensityAttr())
        return float(value) * self.kilogram / self.unit**3 if value else None

    def _mass_of(self, prim: Any) -> tuple[float | None, float | None]:
        """Mass [kg] and density [kg/m³] that a prim gives itself."""
        from pxr import UsdPhysics

        if not prim.HasAPI(UsdPhysics.MassAPI):
            return None, None
        api = UsdPhysics.MassAPI(prim)
        mass, density = self._value(api.GetMassAttr()) or 0.0, self._value(api.GetDensityAttr()) or 0.0
        if mass < 0 or density < 0:
            raise InputError(f"{prim.GetPath()} has mass {mass:g} and density {density:g}; expected positive ones")
        return mass * self.kilogram or None, density * self.kilogram / self.unit**3 or None

    def _weigh(self, link: Link, prim: Any) -> None:
        """What a body says of its own mass goes before that of its colliders."""
        from pxr import UsdPhysics

        shapes = total(link.masses)
        mass = self._mass_of(prim)[0]
        if not prim.HasAPI(UsdPhysics.MassAPI) or (mass is None and shapes is None):
            return
        api = UsdPhysics.MassAPI(prim)
        centre, moments = (np.array(self._value(a) or (0, 0, 0), float) for a in
                           (api.GetCenterOfMassAttr(), api.GetDiagonalInertiaAttr()))  # fmt: skip
        axes = self._value(api.GetPrincipalAxesAttr())
        whole = mass if mass is not None else shapes.mass if shapes is not None else 0.0
        middle, tensor = None, None
        if np.isfinite(centre).all() and api.GetCenterOfMassAttr().HasAuthoredValue():
            middle = moved(self.at(prim), centre[None])[0]
        if moments.any():
            turn = self._frame(prim)[:3, :3] @ _turn(axes)
            tensor = turn @ np.diag(moments * self.kilogram * self.unit**2) @ turn.T
        if shapes is None and (middle is None or tensor is None):
            raise InputError(f"{prim.GetPath()} has a mass and no solid shape; expected its centerOfMass and diagonalInertia")
        if middle is None:
            assert shapes is not None
            middle = shapes.centre
        if tensor is None:
            assert shapes is not None
            tensor = shapes.tensor * (whole / shapes.mass)
        link.masses = [Inertia(whole, middle, tensor)]

    def _gravity(self) -> tuple[float, ...]:
        from pxr import UsdPhysics

        down = (0.0, 0.0, -EARTH)
        scenes = [UsdPhysics.Scene(prim) for prim in self.stage.Traverse() if prim.IsA(UsdPhysics.Scene)]
        self.left_out.count("further physics scene", max(len(scenes) - 1, 0))
        if not scenes:
            return down
        way = self.turn @ np.array(self._value(scenes[0].GetGravityDirectionAttr()) or (0, 0, 0), float)
        size = self._value(scenes[0].GetGravityMagnitudeAttr())
        size = EARTH if size is None or not np.isfinite(size) or size < 0 else float(size) * self.unit
        length = np.linalg.norm(way)
        return tuple((way / length * size).tolist()) if length > 0 else (0.0, 0.0, -size)

    def _rest(self, prim: Any, names: list[str]) -> None:
        """Count what else of physics a prim has."""
        from pxr import UsdPhysics

        if prim.IsA(UsdPhysics.Joint):
            self.left_out.count(" ".join(_words(str(prim.GetTypeName()).removeprefix("Physics"))))
        if prim.IsA(UsdPhysics.CollisionGroup):
            self.left_out.count("collision group")
        taken = ("RigidBody", "Collision", "Mass", "Material", "MeshCollision", "Deformable")
        for name in names:
            short = name.partition(":")[0].removesuffix("API").removeprefix("Physics")
            if name.startswith(("Physics", "Physx")) and short not in taken and "Deformable" not in name:
                self.left_out.count(" ".join(_words(short)))


def _turn(given: Any) -> np.ndarray:
    parts = [0.0] * 4 if given is None else [given.GetReal(), *given.GetImaginary()]
    return quaternion(np.array(parts)) if any(parts) else np.eye(3)


def _words(name: str) -> Iterator[str]:
    """RevoluteJoint as revolute joint."""
    return (word.lower() for word in re.findall("[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name) or [name])
