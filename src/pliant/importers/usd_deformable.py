"""Deformables of a USD stage, known by the names of their schemas, as soft bodies: solids of tets, and sheets."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..elements.sheets.membrane import Membrane
from ..elements.tets import Tets
from ..errors import InputError
from ..geometry.mesh.mesh import TetMesh
from ..geometry.tetrahedra.stuffing import tetrahedralise
from ..material.laws.neo_hookean import StableNeoHookean
from ..simulate.scene.body import Body
from .omissions import LeftOut
from .poses import moved
from .usd_shapes import Placed, surface_of

YOUNG, POISSON, DENSITY, THICK = 1e5, 0.3, 1000.0, 0.001  # [Pa], –, [kg/m³], [m] of what does not say
POISSONS, FINE = 0.49, 12  # the most that tets are given; tets along the longest side of a surface


class Told(Placed, Protocol):
    """What knows the stage, and what is not taken over of it."""

    left_out: LeftOut
    kilogram: float


def body(stage: Told, prim: Any, name: str, schemas: list[str]) -> Body:
    """A prim with a deformable schema as a soft body; its material is that of the first bound one with moduli."""
    from pxr import UsdGeom

    values = _values(stage, prim)
    for missing, usual in (("young", f"{YOUNG:g} Pa"), ("poisson", f"{POISSON:g}"), ("density", f"{DENSITY:g} kg/m³")):
        if missing not in values:
            stage.left_out.note(f"deformable {name!r} has no {missing} ({usual} is taken)")
    young, poisson = values.get("young", YOUNG), min(values.get("poisson", POISSON), POISSONS)
    law = StableNeoHookean(young=young, poisson=poisson, density=values.get("density", DENSITY))
    if prim.IsA(UsdGeom.TetMesh):
        tets = UsdGeom.TetMesh(prim)
        x = np.array(tets.GetPointsAttr().Get(stage.reader.time) or [], float).reshape(-1, 3)
        cells = np.array(tets.GetTetVertexIndicesAttr().Get(stage.reader.time) or [], int).reshape(-1, 4)
        if not len(cells) or cells.min() < 0 or cells.max() >= len(x):
            raise InputError(f"{prim.GetPath()} has no tets, or names points that it has not; expected a solid")
        used, cells = np.unique(cells, return_inverse=True)
        x, cells = moved(stage.at(prim), x[used]), cells.reshape(-1, 4)
        inside_out = np.linalg.det(x[cells[:, 1:]] - x[cells[:, :1]]) < 0
        cells[inside_out] = cells[inside_out][:, [0, 2, 1, 3]]
        return Body(Tets(TetMesh(x, cells)), law, name=name)
    surface = surface_of(stage, prim)
    if any("Surface" in schema for schema in schemas):
        return Body(Membrane(surface, values.get("thickness", THICK)), law, name=name)
    long = float(np.ptp(surface.vertices, axis=0).max())
    return Body(Tets(tetrahedralise(surface, edge=long / FINE)), law, surface=surface, name=name)


def _values(stage: Told, prim: Any) -> dict[str, float]:
    """Moduli, density and thickness, by how the names of attributes end, of the prim or a material bound to it."""
    from pxr import UsdShade

    api = UsdShade.MaterialBindingAPI(prim)
    bound = [api.ComputeBoundMaterial(purpose)[0] for purpose in ("physics", "")]
    ends = {"youngsModulus": "young", "poissonsRatio": "poisson", "density": "density", "thickness": "thickness"}
    ends["surfaceThickness"] = "thickness"
    mass = stage.kilogram / stage.unit**3
    units = {"young": stage.kilogram / stage.unit, "poisson": 1.0, "density": mass, "thickness": stage.unit}
    found: dict[str, float] = {}
    for owner in (prim, *(material.GetPrim() for material in bound if material)):
        for attribute in owner.GetAuthoredAttributes():
            name, value = ends.get(attribute.GetName().rpartition(":")[2]), attribute.Get(stage.reader.time)
            if name is not None and isinstance(value, int | float) and value > 0:
                found.setdefault(name, float(value) * units[name])
    return found
