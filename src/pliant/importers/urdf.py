"""Robots in URDF: links, masses and joints in a tree."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..elements.rigid import Inertia
from ..errors import InputError, did_you_mean
from .link_shapes import Form
from .links import Joint, Link, checked_values, made
from .omissions import LeftOut, numbers, tags
from .poses import pose, rpy
from .referenced_files import found, surface_in
from .scene_contents import Contents

FRICTION = 0.5  # of everything, as the format has none
MOVES = {"revolute": True, "continuous": True, "prismatic": False}  # whether it turns


def read(
    file: Path,
    root: ET.Element,
    joints: Mapping[str, object] | None,
    packages: Mapping[str, str | os.PathLike[str]] | None,
    free: bool | None,
) -> Contents:
    """The links of a robot: obstacles, or one rigid body where it is ``free``."""
    return _Robot(file, root, packages).contents(joints, free)


class _Robot:
    def __init__(self, file: Path, root: ET.Element, packages: Mapping[str, str | os.PathLike[str]] | None):
        self.file, self.root, self.packages = file, root, packages
        self.left_out = LeftOut()
        self.links: dict[str, Link] = {}

    def fault(self, sentence: str) -> InputError:
        return InputError(f"{self.file}: {sentence}")

    def contents(self, joints: Mapping[str, object] | None, free: bool | None) -> Contents:
        given = {"link": [], "joint": []}
        for element in tags(self.root):
            if element.tag in given:
                given[element.tag].append(element)
            elif "xacro" in element.tag:
                raise self.fault("holds xacro macros; run xacro first, xacro FILE > robot.urdf")
            else:
                self.left_out.count(element.tag.rpartition("}")[2])
        if not given["link"]:
            raise self.fault("has no link; expected a robot made of links")
        elements = {}
        for element in given["link"]:
            name = element.get("name", "")
            if not name or name in elements:
                raise self.fault(f"has {'two links' if name else 'a link'} called {name!r}; expected names that differ")
            elements[name] = element
        self._tree(given["joint"], elements)
        try:
            for name, element in elements.items():
                self._fill(self.links[name], element)
            every = [joint for link in self.links.values() for joint in link.joints]
            values = checked_values(joints, every)
            links = list(self.links.values())
            root = next(link for link in links if link.parent is None)
            root.free = bool(root.masses) and len(links) == 1 if free is None else free
            bodies, obstacles, poses = made(links, values, self.left_out)
        except InputError as error:
            raise self.fault(str(error)) from None
        still = [j for link in links if link.base is None for j in link.joints if j.name not in values]
        self.left_out.count("joint without a value (held at 0)", len([j for j in still if j.follows is None]))
        unused = sum(bool(link.masses) for link in links if link.base is None)
        self.left_out.count("mass of a link that is held", unused)
        return Contents(self.file, tuple(bodies), tuple(obstacles), friction=FRICTION, poses=poses, left_out=self.left_out.lines)

    def _tree(self, joints: list[ET.Element], elements: dict[str, ET.Element]) -> None:
        """Links by their names, each after its parent."""
        above: dict[str, tuple[str, ET.Element]] = {}
        names: set[str] = set()
        for element in joints:
            name = element.get("name", "")
            if not name or name in names:
                raise self.fault(f"has {'two joints' if name else 'a joint'} called {name!r}; expected names that differ")
            names.add(name)
            ends = {}
            for end in ("parent", "child"):
                there = element.find(end)
                ends[end] = "" if there is None else there.get("link", "")
                if ends[end] not in elements:
                    near = did_you_mean(ends[end], elements)
                    raise self.fault(f"joint {name!r} has the {end} {ends[end]!r}{near}; expected a link of the file")
            if ends["child"] in above:
                raise self.fault(f"link {ends['child']!r} hangs on two joints; expected a tree of links")
            above[ends["child"]] = ends["parent"], element
        roots = [name for name in elements if name not in above]
        if len(roots) != 1:
            what = "hang in a circle" if not roots else f"have {len(roots)} beginnings, {', '.join(roots[:4])}"
            raise self.fault(f"its links {what}; expected a tree with one")
        self.links[roots[0]] = Link(roots[0], None, np.eye(4))
        children: dict[str, list[str]] = {}
        for name, (parent, _) in above.items():
            children.setdefault(parent, []).append(name)
        order = {name: i for i, name in enumerate(above)}
        level = [roots[0]]
        while level := sorted((name for parent in level for name in children.get(parent, ())), key=order.__getitem__):
            for name in level:
                parent, element = above[name]
                self.links[name] = self._joined(name, self.links[parent], element)
        if circle := [name for name in above if name not in self.links]:
            raise self.fault(f"links {', '.join(circle[:4])} hang in a circle; expected a tree of links")

    def _joined(self, name: str, parent: Link, element: ET.Element) -> Link:
        link = Link(name, parent, self._origin(element))
        kind, called = element.get("type", "fixed"), element.get("name", "")
        if kind in MOVES:
            axis = self._vector(element.find("axis"), "xyz", (1.0, 0.0, 0.0))
            mimic, follows = element.find("mimic"), None
            if mimic is not None:
                factor, offset = (
                    float(numbers(f"mimic {what}", mimic.get(what, usual), 1)[0])
                    for what, usual in (("multiplier", "1"), ("offset", "0"))
                )
                follows = (mimic.get("joint", ""), factor, offset)
            if not np.linalg.norm(axis) > 0:
                raise self.fault(f"joint {called!r} has an axis of no length; expected a direction")
            link.joints.append(Joint(called, MOVES[kind], axis, follows=follows))
        elif kind == "floating":
            link.free = True
        elif kind != "fixed":
            if kind != "planar":
                known = [*MOVES, "fixed", "floating", "planar"]
                raise self.fault(f"joint {called!r} is {kind!r}{did_you_mean(kind, known)}; expected {', '.join(known)}")
            self.left_out.count("planar joint (held at 0)")
        for child in tags(element):
            if child.tag in ("limit", "dynamics", "calibration", "safety_controller"):
                self.left_out.count(f"{child.tag.replace('_', ' ')} of a joint")
        return link

    def _fill(self, link: Link, element: ET.Element) -> None:
        """Its shapes, those for collision where there are some, and its mass."""
        shapes = {tag: [e for e in tags(element) if e.tag == tag] for tag in ("collision", "visual")}
        if shapes["collision"]:
            self.left_out.count("shape for looks (those for collision are taken)", len(shapes["visual"]))
        for shape in shapes["collision"] or shapes["visual"]:
            link.forms.append(self._form(link.name, shape))
        for child in tags(element):
            if child.tag == "inertial":
                mass = self._inertia(link.name, child)
                link.masses += [] if mass is None else [mass]
            elif child.tag not in shapes:
                self.left_out.count(f"{child.tag} of a link")

    def _form(self, owner: str, shape: ET.Element) -> Form:
        geometry = shape.find("geometry")
        kind = next(tags(geometry), None) if geometry is not None else None
        if kind is None:
            raise self.fault(f"link {owner!r} has a shape without geometry; expected box, cylinder, sphere or mesh")
        at, name = self._origin(shape), shape.get("name", owner)

        def size(attribute: str, count: int = 1) -> np.ndarray:
            return numbers(f"{kind.tag} {attribute}", kind.get(attribute, ""), count)

        if kind.tag == "box":
            return Form("box", tuple(0.5 * size("size", 3)), at, name=name)
        if kind.tag == "sphere":
            return Form("sphere", tuple(size("radius")), at, name=name)
        if kind.tag in ("cylinder", "capsule"):
            return Form(kind.tag, (*size("radius"), 0.5 * float(size("length")[0])), at, name=name)
        if kind.tag == "mesh":
            path = found(kind.get("filename", ""), self.file.parent.absolute(), self.packages)
            scale = numbers("mesh scale", kind.get("scale", "1 1 1"), (1, 3))
            return Form("mesh", (), at, surface_in(path, np.broadcast_to(scale, 3)), name)
        raise self.fault(f"link {owner!r} has the shape {kind.tag!r}; expected box, cylinder, capsule, sphere or mesh")

    def _inertia(self, owner: str, element: ET.Element) -> Inertia | None:
        mass, tensor = element.find("mass"), element.find("inertia")
        value = 0.0 if mass is None else float(numbers("mass value", mass.get("value", ""), 1)[0])
        if value < 0:
            raise self.fault(f"link {owner!r} has a mass of {value:g} kg; expected a positive one")
        if not value:
            return None
        at = self._origin(element)
        terms = {n: numbers(n, (tensor.get(n, "0") if tensor is not None else "0"), 1)[0] for n in
                 ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}  # fmt: skip
        rows = [["ixx", "ixy", "ixz"], ["ixy", "iyy", "iyz"], ["ixz", "iyz", "izz"]]
        own, R = np.array([[terms[n] for n in row] for row in rows]), at[:3, :3]
        try:
            return Inertia(value, at[:3, 3], R @ own @ R.T)
        except InputError as error:
            raise self.fault(f"link {owner!r}: {error}") from None

    def _origin(self, element: ET.Element) -> np.ndarray:
        origin = element.find("origin")
        if origin is None:
            return np.eye(4)
        return pose(self._vector(origin, "xyz", (0, 0, 0)), rpy(self._vector(origin, "rpy", (0, 0, 0))))

    def _vector(self, element: ET.Element | None, name: str, usual: tuple[float, ...]) -> np.ndarray:
        text = None if element is None else element.get(name)
        try:
            return np.array(usual, float) if text is None else numbers(name, text, 3)
        except InputError as error:
            raise self.fault(str(error)) from None
