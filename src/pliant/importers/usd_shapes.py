"""Shapes of a USD stage as link shapes."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ..geometry.files.surfaces.usd import Stage
from ..geometry.mesh.mesh import TriMesh
from .link_shapes import Form
from .poses import moved, pose

ALONG = {"X": [1, 2, 0], "Y": [2, 0, 1], "Z": [0, 1, 2]}  # axes in the order that makes the long one z


class Placed(Protocol):
    """What knows the stage and where its prims are."""

    reader: Stage
    unit: float
    turn: np.ndarray

    def at(self, prim: Any) -> np.ndarray:
        """From the axes of a prim to metres, z up."""


def form_of(stage: Placed, prim: Any) -> Form | None:
    """The shape of a prim in the axes of the world, or None where it is of no kind known here."""
    from pxr import UsdGeom

    def value(attribute: Any) -> Any:
        return attribute.Get(stage.reader.time)

    name, at = prim.GetName(), stage.at(prim)
    if prim.IsA(UsdGeom.Mesh):
        return Form("mesh", (), np.eye(4), surface_of(stage, prim), name)
    if prim.IsA(UsdGeom.Cube):
        return _placed("box", 3 * (0.5 * float(value(UsdGeom.Cube(prim).GetSizeAttr())),), at, name)
    if prim.IsA(UsdGeom.Sphere):
        return _placed("ellipsoid", 3 * (float(value(UsdGeom.Sphere(prim).GetRadiusAttr())),), at, name)
    for kind, made in (("capsule", UsdGeom.Capsule), ("cylinder", UsdGeom.Cylinder), ("plane", UsdGeom.Plane)):
        if prim.IsA(made):
            shape = made(prim)
            order = ALONG[str(value(shape.GetAxisAttr()))]
            turned = at.copy()
            turned[:3, :3] = at[:3, :3][:, order]
            if kind == "plane":
                return _placed("plane", (), turned, name)
            return _placed(kind, (float(value(shape.GetRadiusAttr())), 0.5 * float(value(shape.GetHeightAttr()))), turned, name)
    return None


def surface_of(stage: Placed, prim: Any) -> TriMesh:
    """The triangles of a mesh in metres, z up."""
    from pxr import UsdGeom

    mesh = stage.reader.surface(UsdGeom.Mesh(prim))
    return TriMesh(moved(pose((0, 0, 0), stage.unit * stage.turn), mesh.vertices), mesh.triangles)


def _placed(kind: str, size: tuple[float, ...], at: np.ndarray, name: str) -> Form:
    """A shape under a matrix that may scale it."""
    scale = np.linalg.norm(at[:3, :3], axis=0)
    turn = at[:3, :3] / scale
    if np.linalg.det(turn) < 0:  # all of these are their own mirror images
        turn[:, 0] *= -1
    straight = np.abs(turn.T @ turn - np.eye(3)).max() < 1e-6
    place = pose(at[:3, 3], turn)
    if kind == "plane" and straight:
        return Form("plane", (), place, name=name)
    if kind == "box" and straight:
        return Form("box", tuple(np.multiply(size, scale).tolist()), place, name=name)
    if kind == "ellipsoid" and straight:
        radii = np.multiply(size, scale)
        even = np.ptp(radii) < 1e-9 * radii.max()
        return (
            Form("sphere", (float(radii[0]),), place, name=name) if even else Form(kind, tuple(radii.tolist()), place, name=name)
        )
    if kind in ("capsule", "cylinder") and straight and np.ptp(scale[: 3 if kind == "capsule" else 2]) < 1e-9 * scale.max():
        return Form(kind, (size[0] * float(scale[0]), size[1] * float(scale[2])), place, name=name)
    mesh = Form(kind, size, np.eye(4), name=name).outline
    triangles = mesh.triangles if np.linalg.det(at[:3, :3]) > 0 else mesh.triangles[:, ::-1]
    return Form("mesh", (), np.eye(4), TriMesh(moved(at, mesh.vertices), triangles), name)
