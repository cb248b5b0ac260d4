"""MuJoCo's flexes as soft bodies: threads, sheets, solids."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..effects.elasticity.damping import Damping
from ..elements.sheets.membrane import Membrane
from ..elements.springs import Springs
from ..elements.tets import Tets
from ..errors import InputError, did_you_mean
from ..geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from ..material.laws.neo_hookean import StableNeoHookean
from ..simulate.scene.body import Body
from .flex_shapes import composed_shape
from .links import Link
from .mjcf_settings import Given, Settings
from .omissions import LeftOut, tags
from .poses import moved

YOUNG = 1e5  # [Pa] of what has no modulus
POISSONS = 0.49  # the most that tets are given
PARTS = ("edge", "elasticity", "contact", "pin", "plugin")


@dataclass(frozen=True, eq=False)
class Flex:
    """A flex: points in the body that it is in, or in the world where there is none, cells of 2, 3 or 4 of them."""

    name: str
    points: np.ndarray
    cells: np.ndarray
    pinned: np.ndarray
    mass: float
    radius: float
    elasticity: Given | None
    edge: Given | None
    owner: Link | None = None

    def body(self, poses: Mapping[str, np.ndarray], left_out: LeftOut) -> Body:
        """It as a soft body, where it stands."""
        x = self.points if self.owner is None else moved(poses[self.owner.name], self.points)
        if self.owner is not None and self.owner.base is not None and self.pinned.any():
            left_out.note(f"pins of flex {self.name!r} to a body that moves (they stay where they are)")
        dim = self.cells.shape[1] - 1
        young, poisson, thick, lag, bends = self._law(dim, left_out)
        if dim == 3:
            flipped = np.einsum("mi,mi->m", *_edges(x, self.cells)) < 0
            cells = np.where(flipped[:, None], self.cells[:, [0, 2, 1, 3]], self.cells)
            shape, volume = Tets(TetMesh(x, cells)), float(np.abs(np.einsum("mi,mi->m", *_edges(x, cells))).sum()) / 6
        elif dim == 2:
            sheet = TriMesh(x, self.cells)
            shape, volume = Membrane(sheet, thick, bends), float(sheet.areas.sum()) * thick
        else:
            ends = x[self.cells]
            length = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum())
            shape, volume = Springs(EdgeMesh(x, self.cells), 0.5 * thick), length * np.pi * (0.5 * thick) ** 2
        law = StableNeoHookean(young=young, poisson=poisson, density=self.mass / volume)
        pinned = np.flatnonzero(self.pinned) if self.pinned.any() else None
        return Body(shape, law, pinned, damping=Damping(stiffness=lag), name=self.name)

    def _law(self, dim: int, left_out: LeftOut) -> tuple[float, float, float, float, bool]:
        """Young's modulus, Poisson's ratio, thickness, lag of its damping [s], and whether it resists bending."""
        young, poisson, lag, thick, bends = 0.0, 0.0, 0.0, 2 * self.radius, False
        if self.elasticity is not None:
            given = self.elasticity
            young, poisson = given.number("young", 0.0), given.number("poisson", 0.0)
            lag, bends = given.number("damping", 0.0), given.text("elastic2d", "none") in ("bend", "both")
            size = given.number("thickness", -1.0)
            thick = size if size > 0 and dim == 2 else thick
            given.tell(left_out)
        if self.edge is not None:
            stiffness = self.edge.number("stiffness", 0.0)
            if stiffness > 0 and dim == 1 and not young:  # k = E A / l
                ends = self.points[self.cells]
                length = float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).mean())
                young = stiffness * length / (np.pi * (0.5 * thick) ** 2)
            kept = self.edge.text("equality", "false") != "false"
            left_out.count("edge constraint of a flex (its material holds it)", kept)
            self.edge.tell(left_out)
        if poisson > POISSONS:
            left_out.note(f"Poisson's ratio {poisson:g} of flex {self.name!r} ({POISSONS:g} is taken)")
            poisson = POISSONS
        if not young > 0:
            left_out.note(f"flex {self.name!r} has no Young's modulus ({YOUNG:g} Pa is taken)")
            young = YOUNG
        return young, poisson if dim > 1 else 0.0, thick, lag, bends


def _edges(x: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(m, 3) a × b and c of the edges of tets from their first corners."""
    a, b, c = (x[cells[:, i]] - x[cells[:, 0]] for i in (1, 2, 3))
    return np.cross(a, b), c


def composed(element: ET.Element, settings: Settings, owner: Link, frame: np.ndarray, left_out: LeftOut) -> Flex:
    """A <flexcomp> in a body."""
    given = settings.given(element)
    name = given.text("name", "flex")
    parts = _parts(element, settings, name, left_out)
    points, cells, direct = composed_shape(given, lambda file: settings.meshes / file if file else Path(), left_out)
    if direct:
        points = points * given.array("scale", 3, (1, 1, 1))
    points = moved(frame @ given.pose(), points)
    pinned = np.full(len(points), given.flag("rigid"))
    kind = given.text("dof", "full")
    if kind != "full":
        left_out.note(f"dof={kind} of flex {name!r} (all of its points move)")
    for pin in [part for part in tags(element) if part.tag == "pin"]:
        if kind in ("trilinear", "quadratic"):
            left_out.note(f"pins of flex {name!r}, which are of a coarser grid")
            continue
        _pin(Given("pin", dict(pin.attrib), False, ""), given, points, cells, pinned)
    mass, radius = given.number("mass", 1.0), given.number("radius", 0.005)
    if not (mass > 0 and radius > 0):
        raise InputError(f"flexcomp {name!r} has mass {mass:g} kg and radius {radius:g} m; expected positive ones")
    given.text("inertiabox")
    given.tell(left_out)
    used, cells = np.unique(cells, return_inverse=True)
    cells = cells.reshape(-1, composed_dim(given) + 1)
    return Flex(name, points[used], cells, pinned[used], mass, radius, *parts, owner)


def composed_dim(given: Given) -> int:
    return 2 if given.text("type", "grid") in ("square", "disc") else int(given.whole("dim", 1, [2])[0])


def _parts(element: ET.Element, settings: Settings, name: str, left_out: LeftOut) -> tuple[Given | None, Given | None]:
    """The elements elasticity and edge; what else there is is counted."""
    found = {}
    for part in tags(element):
        if part.tag not in PARTS:
            raise InputError(f"flex {name!r} has <{part.tag[:40]}>{did_you_mean(part.tag, PARTS)}; expected {', '.join(PARTS)}")
        if part.tag in ("contact", "plugin"):
            left_out.count(f"{part.tag} setting of a flex")
        elif part.tag != "pin":
            found[part.tag] = Given(part.tag, dict(part.attrib), settings.degrees, settings.sequence)
    return found.get("elasticity"), found.get("edge")


def _pin(pin: Given, given: Given, points: np.ndarray, cells: np.ndarray, pinned: np.ndarray) -> None:
    """Mark the points that a <pin> names."""
    dim, count = cells.shape[1] - 1, given.whole("count", 3, (10, 10, 10))
    for name in pin.values:
        wide = {"id": 1, "range": 2, "grid": dim, "gridrange": 2 * dim}.get(name)
        if wide is None:
            raise InputError(f"pin {name!r}; expected id, range, grid or gridrange")
        rows = pin.whole(name, None)
        if len(rows) % wide or (name.startswith("grid") and (given.text("type", "grid") != "grid" or dim == 1)):
            raise InputError(f'pin {name}="{pin.text(name)}": expected {wide} numbers each, of a grid of dim 2 or 3')
        limit = np.tile(count[:dim], wide // dim) if name.startswith("grid") else np.full(wide, len(points))
        for row in rows.reshape(-1, wide):
            if np.any(row < 0) or np.any(row >= limit):
                raise InputError(f'pin {name}="{pin.text(name)}" names a missing object; expected less than {limit.tolist()}')
            if name in ("id", "range"):
                pinned[row[0] : row[-1] + 1] = True
            else:
                block = pinned.reshape(count[:dim])
                block[tuple(slice(low, high + 1) for low, high in zip(row[:dim], row[-dim:]))] = True


def direct(
    element: ET.Element, given: Given, links: Sequence[Link], poses: Mapping[str, np.ndarray], left_out: LeftOut
) -> list[Flex]:
    """A <flex> whose points are bodies."""
    name, names = given.text("name", "flex"), given.text("body").split()
    if "node" in given or not names:
        left_out.count("flex on the nodes of a coarser grid")
        return []
    known = {link.name: link for link in links}
    for body in names:
        if body not in known:
            raise InputError(f"flex {name!r} names the body {body!r}{did_you_mean(body, known)}; expected one of the file")
    dim = int(given.whole("dim", 1, [2])[0])
    cells = given.whole("element", None)
    if dim not in (1, 2, 3) or not len(cells) or len(cells) % (dim + 1):
        raise InputError(f"flex {name!r}: expected dim of 1, 2 or 3, and dim + 1 points for each element")
    own = given.rows("vertex", 3) if "vertex" in given else np.zeros((len(names), 3))
    names = names * len(own) if len(names) == 1 else names
    if len(own) != len(names) or cells.min() < 0 or cells.max() >= len(names):
        raise InputError(f"flex {name!r} has {len(names)} bodies and {len(own)} vertices; expected as many, and elements of them")
    points = np.stack([moved(poses[body], x[None])[0] for body, x in zip(names, own)])
    pinned = np.array([not any(part.joints or part.free for part in known[body].chain) for body in names])
    masses = [sum(m.mass for m in known[body].masses) for body, held in zip(names, pinned) if not held]
    if not sum(masses) > 0:
        raise InputError(f"flex {name!r} has bodies without mass; expected some that move and have one")
    mass = sum(masses) / len(masses) * len(names)
    young = {part.tag: Given(part.tag, dict(part.attrib), False, "") for part in tags(element)}
    left_out.count("contact setting of a flex", "contact" in young)
    flex = Flex(
        name, points, cells.reshape(-1, dim + 1), pinned, mass, given.number("radius", 0.005),
        young.get("elasticity"), young.get("edge"),
    )  # fmt: skip
    given.tell(left_out)
    return [flex]
