"""Looks as USD has them: texture points and colours of corners, and materials bound to subsets of the faces.

Materials are preview surfaces under ``/run/materials``. A picture is named here, and lies beside the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...geometry.mesh.mesh_looks import NONE, Finish, Looks
from .drawn_objects import file_name

ROOT = "/run/materials"


def put(prim: Any, looks: Looks, code: float | None, colours: bool, made: dict[Finish, str]) -> None:
    """Add what a mesh looks like, from a time on or for good; ``colours``: those of corners, too.

    ``made`` are the materials that are there already, with their paths.
    """
    from pxr import Sdf, UsdGeom, Vt

    def corners(name: str, kind: Any, values: Any) -> None:
        primvar = UsdGeom.PrimvarsAPI(prim).CreatePrimvar(name, kind, UsdGeom.Tokens.faceVarying)
        primvar.Set(values) if code is None else primvar.Set(values, code)

    def packed(kind: Any, values: np.ndarray) -> Any:
        return kind.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))

    if looks.uv is not None:
        corners("st", Sdf.ValueTypeNames.TexCoord2fArray, packed(Vt.Vec2fArray, looks.uv))
    if looks.colours is not None and colours:
        corners("displayColor", Sdf.ValueTypeNames.Color3fArray, packed(Vt.Vec3fArray, looks.colours[:, :3]))
        if np.any(looks.colours[:, 3] < 1):
            corners("displayOpacity", Sdf.ValueTypeNames.FloatArray, packed(Vt.FloatArray, looks.colours[:, 3]))
    if looks.finish is not None:
        _bind(prim, looks, code, made)


def _bind(prim: Any, looks: Looks, code: float | None, made: dict[Finish, str]) -> None:
    """Materials of all faces, or of subsets where there are several."""
    from pxr import Tf, UsdGeom, UsdShade, Vt

    numbers = np.unique(looks.finish).tolist()
    for number in numbers:
        if number == NONE:
            continue
        finish = looks.finishes[number]
        material = _material(prim.GetPrim().GetStage(), finish, made)
        at = prim.GetPrim()
        if len(numbers) > 1 or code is not None:
            name = "subset_" + Tf.MakeValidIdentifier(finish.name or "material")
            subset = UsdGeom.Subset.Define(at.GetStage(), at.GetPath().AppendChild(name))
            subset.CreateElementTypeAttr(UsdGeom.Tokens.face)
            subset.CreateFamilyNameAttr(UsdShade.Tokens.materialBind)
            indices = Vt.IntArray.FromNumpy(np.flatnonzero(looks.finish == number).astype(np.int32))
            attribute = subset.CreateIndicesAttr()
            attribute.Set(indices) if code is None else attribute.Set(indices, code)
            at = subset.GetPrim()
        UsdShade.MaterialBindingAPI.Apply(at).Bind(material)


def _material(stage: Any, finish: Finish, made: dict[Finish, str]) -> Any:
    """The preview surface of a finish, made where it is not there yet."""
    from pxr import Gf, Sdf, Tf, UsdGeom, UsdShade

    if finish in made:
        return UsdShade.Material.Get(stage, made[finish])
    path = f"{ROOT}/{Tf.MakeValidIdentifier(finish.name or 'material')}"
    if path in made.values():  # of two that are called alike
        path = f"{path}_{len(made)}"
    made[finish] = path
    UsdGeom.Scope.Define(stage, ROOT)
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, f"{path}/surface")
    shader.CreateIdAttr("UsdPreviewSurface")
    values = {"roughness": finish.roughness, "metallic": finish.metallic, "opacity": finish.colour[3]}
    for name, value in values.items():
        shader.CreateInput(name, Sdf.ValueTypeNames.Float).Set(value)
    base = shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
    base.Set(Gf.Vec3f(*finish.colour[:3]))
    if file_name(finish):
        reader = UsdShade.Shader.Define(stage, f"{path}/st")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
        picture = UsdShade.Shader.Define(stage, f"{path}/picture")
        picture.CreateIdAttr("UsdUVTexture")
        picture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(Sdf.AssetPath(f"./{file_name(finish)}"))
        found = reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
        picture.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(found)
        for name in ("wrapS", "wrapT"):
            picture.CreateInput(name, Sdf.ValueTypeNames.Token).Set("repeat")
        picture.CreateInput("fallback", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(*finish.colour))
        base.ConnectToSource(picture.CreateOutput("rgb", Sdf.ValueTypeNames.Float3))
    material.CreateSurfaceOutput().ConnectToSource(shader.CreateOutput("surface", Sdf.ValueTypeNames.Token))
    return material
