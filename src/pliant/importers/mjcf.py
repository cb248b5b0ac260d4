"""MuJoCo's models (MJCF): bodies, joints, flexes, gravity."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..elements.rigid import Inertia
from ..errors import InputError, did_you_mean
from ..geometry.mesh.mesh import TriMesh
from ..geometry.mesh.solid_moments import solid_moments
from . import flex
from .flex_shapes import MOST
from .link_shapes import SIZES, Form
from .links import Joint, Link, checked_values, made
from .mjcf_settings import Given, Settings
from .omissions import Included, LeftOut, tags
from .poses import from_z, moved, pose, quaternion
from .referenced_files import found, surface_in
from .scene_contents import Contents

SECTIONS = ("actuator", "tendon", "sensor", "keyframe", "custom", "extension")  # whose children are counted
NAMES = {"key": "keyframe", "numeric": "custom number", "text": "custom text", "exclude": "contact exclusion"}
COUNTED = ("site", "camera", "light", "composite", "plugin", "replicate", "attach")  # in bodies
HARMLESS = (
    "angle", "eulerseq", "meshdir", "assetdir", "texturedir", "strippath", "balanceinertia", "inertiafromgeom", "autolimits",
    "coordinate", "convexhull", "usethread", "discardvisual", "fusestatic", "alignfree",
)  # fmt: skip  # settings that are heeded, or change nothing here


def read(file: Path, root: ET.Element, joints: Mapping[str, object] | None) -> Contents:
    """The bodies of a model, at the given values of their joints."""
    try:
        Included(file, root)
        return _Model(file, root).contents(joints)
    except InputError as error:
        text = str(error)
        raise InputError(text if text.startswith(str(file)) else f"{file}: {text}") from None


class _Model:
    def __init__(self, file: Path, root: ET.Element):
        self.file, self.root, self.left_out = file, root, LeftOut()
        self.settings = Settings(file.parent.absolute(), root)
        self.meshes: dict[str, Given] = {}
        self.links: list[Link] = []
        self.frictions: list[float] = []
        self.flexes: list[flex.Flex] = []
        self.gravity, self.dt, self._unnamed = np.array([0.0, 0.0, -9.81]), 0.002, 0
        self.names = {"world"}

    def contents(self, joints: Mapping[str, object] | None) -> Contents:
        self._sections()
        world = Link("world", None, np.eye(4))
        self.links.append(world)
        for element in self.root.findall("worldbody"):
            self._children(element, world, np.eye(4), "main")  # whatever its mass
        grouped = [(element, self.settings.given(element)) for part in self.root.findall("deformable") for element in tags(part)]
        soft = {name for element, given in grouped if element.tag == "flex" for name in given.values.get("body", "").split()}
        joined = [joint for link in self.links if link.name not in soft for joint in link.joints]
        values = checked_values(joints, joined)
        bodies, obstacles, poses = made(self.links, values, self.left_out)
        still = [j for link in self.links if link.base is None and link.name not in soft for j in link.joints]
        self.left_out.count("joint without a value (held as it is)", sum(j.name not in values for j in still))
        for element, given in grouped:
            if element.tag == "flex":
                self.flexes += flex.direct(element, given, self.links, poses, self.left_out)
            else:
                self.left_out.count(element.tag)
        for one in self.flexes:
            bodies.append(one.body(poses, self.left_out))
        friction = max(self.frictions, default=1.0)
        if self.frictions and min(self.frictions) != friction:
            self.left_out.note(f"frictions that differ (all have the largest, {friction:g})")
        return Contents(
            self.file, tuple(bodies), tuple(obstacles), tuple(self.gravity.tolist()), friction, self.dt,
            poses, self.left_out.lines,
        )  # fmt: skip

    def _sections(self) -> None:
        """Options and assets; what else there is is counted."""
        for section in tags(self.root):
            if section.tag == "option":
                self._option(section)
            elif section.tag == "asset":
                for asset in tags(section):
                    if asset.tag == "mesh":
                        given = self.settings.given(asset)
                        self.meshes[given.text("name", Path(given.text("file")).stem)] = given
                    else:
                        self.left_out.count("height field" if asset.tag == "hfield" else asset.tag)
            elif section.tag == "compiler":
                for name in section.attrib:
                    self.left_out.count(f"compiler {name}", name not in HARMLESS)
            elif section.tag in SECTIONS:
                for thing in tags(section):
                    self.left_out.count(NAMES.get(thing.tag, section.tag))
            elif section.tag == "equality":
                for thing in tags(section):
                    self.left_out.count(f"{thing.tag} equality")
            elif section.tag == "contact":
                for thing in tags(section):
                    self.left_out.count(NAMES.get(thing.tag, f"contact {thing.tag}"))
            elif section.tag not in ("worldbody", "default", "size", "statistic", "deformable"):
                self.left_out.count(f"{section.tag} section")

    def _option(self, section: ET.Element) -> None:
        given = self.settings.given(section)
        self.gravity = given.array("gravity", 3, self.gravity)
        self.dt = given.number("timestep", self.dt)
        if not self.dt > 0:
            raise InputError(f'option timestep="{self.dt:g}": expected a positive number of seconds')
        given.tell(self.left_out)
        for flag in section.findall("flag"):
            for name, value in flag.attrib.items():
                if name == "gravity" and value == "disable":
                    self.gravity = np.zeros(3)
                else:
                    self.left_out.count(f"flag {name}")

    def _children(
        self, element: ET.Element, link: Link, frame: np.ndarray, inherited: str
    ) -> tuple[list[Inertia], list[Inertia]]:
        """Take over what is in a body, or in a frame of it; masses that it gives itself, and those of its geoms."""
        own, geoms = list[Inertia](), list[Inertia]()
        for child in tags(element):
            if child.tag == "geom":
                geoms += self._geom(child, link, frame, inherited)
            elif child.tag == "inertial":
                own.append(self._inertial(link.name, self.settings.given(child, inherited), frame))
            elif child.tag == "body":
                self._body(child, link, frame, inherited)
            elif child.tag == "frame":
                given = self.settings.given(child, inherited)
                more = self._children(child, link, frame @ given.pose(), given.text("childclass", inherited))
                own, geoms = own + more[0], geoms + more[1]
            elif child.tag in ("joint", "freejoint"):
                self._joint(child, link, inherited)
            elif child.tag == "flexcomp":
                self.flexes.append(flex.composed(child, self.settings, link, frame, self.left_out))
                if sum(len(one.points) for one in self.flexes) > MOST:
                    raise InputError(f"its flexes have more than {MOST} points; expected fewer")
            elif child.tag in COUNTED:
                self.left_out.count(child.tag)
            else:
                raise InputError(f"body {link.name!r} has <{child.tag[:40]}>; expected geoms, joints, bodies and the like")
        return own, geoms

    def _body(self, element: ET.Element, parent: Link, frame: np.ndarray, inherited: str) -> None:
        given = self.settings.given(element, inherited)
        name = given.text("name")
        if not name:
            self._unnamed += 1
            name = f"body {self._unnamed}"
        if name in self.names:
            raise InputError(f"two bodies are called {name!r}; expected names that differ")
        self.names.add(name)
        link = Link(name, parent, frame @ given.pose())
        self.links.append(link)
        given.text("mocap")  # held by hand there, still here
        given.tell(self.left_out)
        own, geoms = self._children(element, link, np.eye(4), given.text("childclass", inherited))
        if own and self.settings.inertia != "true":
            link.masses = own
        elif self.settings.inertia != "false":
            link.masses = geoms

    def _joint(self, element: ET.Element, link: Link, inherited: str) -> None:
        given = self.settings.given(element, inherited)
        kind = "free" if element.tag == "freejoint" else given.one_of("type", "hinge", ("hinge", "slide", "ball", "free"))
        if kind == "free":
            link.free = True
        elif kind == "ball":
            self.left_out.count("ball joint (held as it is)")
        else:
            axis, neutral = given.array("axis", 3, (0, 0, 1)), given.number("ref", 0.0)
            turns = kind == "hinge"
            name = given.text("name", f"{link.name} joint {len(link.joints)}")
            through = given.array("pos", 3, (0, 0, 0))
            link.joints.append(Joint(name, turns, axis, through, given.radians(neutral) if turns else neutral))
        for name in ("pos", "axis", "type", "ref", "limited", "range"):  # those of joints that move no more
            given.text(name)
        given.tell(self.left_out)

    def _geom(self, element: ET.Element, link: Link, frame: np.ndarray, inherited: str) -> list[Inertia]:
        """Add a shape to a link where it touches others; its mass."""
        given = self.settings.given(element, inherited)
        kind = given.one_of("type", "sphere", (*SIZES, "hfield", "sdf"))
        if kind in ("hfield", "sdf"):
            self.left_out.count("height field" if kind == "hfield" else "geom given by a plugin")
            return []
        form = self._form(given, kind, frame)
        density, mass = given.number("density", 1000.0), given.number("mass", 0.0) if "mass" in given else None
        friction = float(given.array("friction", (1, 2, 3), (1.0,))[0])
        touches = given.number("contype", 1.0) or given.number("conaffinity", 1.0)
        given.number("conaffinity", 1.0)
        given.tell(self.left_out)
        if touches:
            link.forms.append(form)
            self.frictions.append(friction)
        else:
            self.left_out.count("geom that touches nothing")
        if kind == "plane" or mass == 0 or (mass is None and density == 0):
            return []
        if form.mesh is not None:
            try:
                solid_moments(form.mesh)
            except InputError:
                self.left_out.count("mass of a mesh that is not closed")
                return []
        return [form.inertia(density, mass)]

    def _form(self, given: Given, kind: str, frame: np.ndarray) -> Form:
        name, size = given.text("name", given.text("mesh") or kind), given.array("size", None)
        if "mesh" in given:
            if kind != "mesh":
                self.left_out.note(f"the {kind} fitted to mesh {given.text('mesh')!r} (the mesh itself is taken)")
            at = frame @ given.pose()
            return Form("mesh", (), at, self._mesh(given.text("mesh")), name)
        if kind == "mesh":
            raise InputError(f"geom {name!r} is a mesh without a name; expected mesh=")
        if "fromto" in given and kind in ("capsule", "cylinder", "box", "ellipsoid"):
            ends = given.array("fromto", 6)
            given.array("pos", 3)
            given.turn()
            half = 0.5 * float(np.linalg.norm(ends[:3] - ends[3:]))
            at = pose(0.5 * (ends[:3] + ends[3:]), from_z(ends[:3] - ends[3:]))
            across = [float(size[0])] if len(size) else []
            across = across if kind in ("capsule", "cylinder") else across * 2
            return Form(kind, (*across, half), frame @ at, name=name)
        return Form(kind, tuple(map(float, size[: SIZES[kind]])), frame @ given.pose(), name=name)

    def _mesh(self, name: str) -> TriMesh:
        if name not in self.meshes:
            raise InputError(f"there is no mesh {name!r}{did_you_mean(name, self.meshes)}; expected one among the assets")
        given = self.meshes[name]
        scale = given.array("scale", 3, (1, 1, 1))
        file = given.text("file")
        if file:
            path = Path(file).name if self.settings.strip else file
            mesh = surface_in(found(path, self.settings.meshes), np.ones(3))
            x, triangles = mesh.vertices, mesh.triangles
        elif "vertex" in given:
            x = given.rows("vertex", 3)
            faces = given.rows("face", 3, whole=True) if "face" in given else _hull(x)
            x, triangles = TriMesh(x, faces).vertices, faces
        else:
            raise InputError(f"mesh {name!r} has neither a file nor vertices, or is built in; expected file=")
        x = moved(
            np.linalg.inv(pose(given.array("refpos", 3, (0, 0, 0)), quaternion(given.array("refquat", 4, (1, 0, 0, 0))))), x
        )
        given.tell(self.left_out)
        return TriMesh(x * scale, triangles if np.prod(scale) > 0 else triangles[:, ::-1])

    def _inertial(self, owner: str, given: Given, frame: np.ndarray) -> Inertia:
        mass, at = given.number("mass", 0.0), frame @ given.pose()
        if "fullinertia" in given:
            xx, yy, zz, xy, xz, yz = given.array("fullinertia", 6)
            tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        else:
            tensor = np.diag(given.array("diaginertia", 3, (0, 0, 0)))
        values = np.linalg.eigvalsh(tensor)
        if self.settings.balance and values[2] > values[0] + values[1]:
            tensor = values.mean() * np.eye(3)
        R = at[:3, :3]
        try:
            return Inertia(mass, at[:3, 3], R @ tensor @ R.T)
        except InputError as error:
            raise InputError(f"body {owner!r}: {error}") from None


def _hull(x: np.ndarray) -> np.ndarray:
    """Triangles of the convex hull of points, facing outwards."""
    from scipy.spatial import ConvexHull, QhullError

    try:
        faces = ConvexHull(x).simplices
    except (QhullError, ValueError):
        raise InputError(f"{len(x)} vertices span no solid; expected four or more that do") from None
    corners = x[faces]
    out = np.einsum(
        "mi,mi->m", np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), corners[:, 0] - x.mean(axis=0)
    )
    return np.where(out[:, None] > 0, faces, faces[:, ::-1])
