"""USD: points that move in time, fields as primvars, obstacles with moving transforms. Needs the extra pliant[usd]."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import InputError
from ...progress import track
from ...simulate.run import Prop, Run, Skin
from .. import colour as colours
from ..atomic import whole_file
from ..shapes import is_rod, rod_radius, vertex_values, vertices
from .merged import Paint, nodal

_KEPT = 64 * 2**20  # [bytes] of samples held in memory before they go to the file


def write(run: Run, frames: np.ndarray, path: Path, colour: str | None = None) -> None:
    """Write meshes and curves with time-sampled points in metres, z up; the run's frames are whole time codes.

    ``colour`` names a field that becomes the display colour of the vertices. Normals are left to the reader, which makes
    them from the points of each frame.
    """
    try:
        from pxr import Sdf
    except ImportError:
        raise InputError(f"cannot write {path.name!r}: USD is not installed; pip install 'pliant[usd]'") from None
    frames = frames[np.argsort(run.times[frames], kind="stable")]
    with whole_file(path) as temporary:
        if path.suffix.lower() == ".usda":  # text is written in one go
            layer = Sdf.Layer.CreateAnonymous(path.suffix)
            _Layer(layer, run, frames, colour).fill(lambda: True)
            fine = layer.Export(str(temporary))
        else:
            temporary.unlink()  # USD opens what is there, and an empty file is no layer
            layer = Sdf.Layer.CreateNew(str(temporary))
            fine = layer is not None
            if fine:
                _Layer(layer, run, frames, colour).fill(layer.Save)
                fine = layer.Save()
        del layer  # USD keeps layers by name in a registry, and the file open, as long as somebody holds them
        if not fine:
            raise InputError(f"cannot write {str(path)!r}: USD refused; choose another place")


class _Layer:
    """The prims of a run in a layer."""

    def __init__(self, layer: Any, run: Run, frames: np.ndarray, colour: str | None):
        from pxr import Usd, UsdGeom

        self.run, self.frames, self.taken = run, frames, set()
        self.names = ["displacement", "speed", *run.fields]
        self.paint = Paint(run, colour, frames) if colour is not None else None
        self.stage = stage = Usd.Stage.Open(layer)
        UsdGeom.SetStageMetersPerUnit(stage, 1.0)
        UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
        times = run.times[frames]
        step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
        codes = (times - times[0]) / step if step > 0 else np.arange(len(times), dtype=float)
        self.codes = np.where(np.abs(codes - codes.round()) < 1e-6, codes.round(), codes).tolist()
        stage.SetTimeCodesPerSecond(1.0 / step if step > 0 else 1.0)
        stage.SetFramesPerSecond(stage.GetTimeCodesPerSecond())
        stage.SetStartTimeCode(self.codes[0])
        stage.SetEndTimeCode(self.codes[-1])
        stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/run").GetPrim())

    def fill(self, save: Any) -> None:
        """Add every body and obstacle; ``save`` is called whenever much has gathered in memory."""
        bodies = [self._body(i, skin) for i, skin in enumerate(self.run.skins)]
        held = 0
        for frame, code in zip(track(self.frames, "writing usd"), self.codes):
            fields = {name: nodal(self.run, name, int(frame)) for name in self.names}
            shade = colours.linear(self.paint.colours(int(frame))) if self.paint else None
            for body in bodies:
                held += self._sample(*body, int(frame), code, fields, shade)
            if held > _KEPT:
                save()
                held = 0
        for prop in self.run.props:
            self._obstacle(prop)

    def _place(self, name: str) -> str:
        """A path under the root that no other prim has."""
        from pxr import Tf

        base = Tf.MakeValidIdentifier(name or "body")
        found = base if base not in self.taken else next(c for k in count(1) if (c := f"{base}_{k}") not in self.taken)
        self.taken.add(found)
        return f"/run/{found}"

    def _surface(self, name: str, triangles: np.ndarray) -> Any:
        from pxr import UsdGeom

        prim = UsdGeom.Mesh.Define(self.stage, self._place(name))
        prim.CreateFaceVertexCountsAttr(_ints(np.full(len(triangles), 3)))
        prim.CreateFaceVertexIndicesAttr(_ints(triangles))
        prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        prim.CreateDoubleSidedAttr(True)
        return prim

    def _curves(self, skin: Skin) -> Any:
        from pxr import UsdGeom

        extent = float(np.linalg.norm(np.ptp(self.run.rest, axis=0))) or 1.0
        prim = UsdGeom.BasisCurves.Define(self.stage, self._place(skin.name))
        prim.CreateTypeAttr(UsdGeom.Tokens.linear)
        prim.CreateCurveVertexCountsAttr(_ints(np.full(len(skin.edges), 2)))
        prim.CreateWidthsAttr([2.0 * rod_radius(self.run, skin, extent)])
        prim.SetWidthsInterpolation(UsdGeom.Tokens.constant)
        return prim

    def _body(self, index: int, skin: Skin) -> tuple:
        """A prim without points yet: its skin, which vertices it shows, and its attributes that change."""
        from pxr import Sdf, Tf, UsdGeom

        rod = is_rod(skin)
        prim = self._curves(skin) if rod else self._surface(skin.name, skin.triangles)
        pick = np.asarray(skin.edges).ravel() if rod else np.arange(len(skin.parents))  # each edge is a curve of its own
        if self.paint is None:
            _tint(prim, skin.colour or colours.body_colour(index))
            shades = None
        else:
            shades = prim.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex)
        data, kind = UsdGeom.PrimvarsAPI(prim), Sdf.ValueTypeNames.FloatArray
        made = {n: data.CreatePrimvar(Tf.MakeValidIdentifier(n), kind, UsdGeom.Tokens.vertex) for n in self.names}
        return skin, pick, prim.CreatePointsAttr(), prim.CreateExtentAttr(), made, shades

    def _sample(
        self, skin: Skin, pick: np.ndarray, points: Any, extent: Any, primvars: dict, shades: Any,
        frame: int, code: float, fields: dict[str, np.ndarray], shade: np.ndarray | None,
    ) -> int:  # fmt: skip
        """Set all that changes in one frame; returns about how many bytes that took."""
        from pxr import Vt

        x = vertices(self.run, skin, frame)[pick]
        points.Set(_points(x), code)
        if len(x):
            extent.Set(_points(np.stack([x.min(axis=0), x.max(axis=0)])), code)
        for name, primvar in primvars.items():
            values = vertex_values(skin, fields[name])[pick]
            primvar.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32)), code)
        if shades is not None:
            shades.Set(_points(vertex_values(skin, shade)[pick]), code)
        return len(x) * (12 + 4 * len(primvars) + (12 if shades is not None else 0))

    def _obstacle(self, prop: Prop) -> None:
        from pxr import Gf

        prim = self._surface(prop.name, prop.mesh.triangles)
        prim.CreatePointsAttr(_points(prop.mesh.vertices))
        if len(prop.mesh.vertices):
            prim.CreateExtentAttr(_points(prop.mesh.bounds))
        _tint(prim, colours.OBSTACLE)
        transform = prim.AddTransformOp()
        for frame, code in zip(self.frames, self.codes):
            transform.Set(Gf.Matrix4d(prop.poses[frame].T.tolist()), code)  # USD multiplies rows from the left


def _points(values: np.ndarray) -> Any:
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))


def _ints(values: np.ndarray) -> Any:
    from pxr import Vt

    return Vt.IntArray.FromNumpy(np.ascontiguousarray(values, dtype=np.int32).ravel())


def _tint(prim: Any, text: str) -> None:
    from pxr import Gf

    prim.CreateDisplayColorAttr([Gf.Vec3f(*colours.linear(colours.parsed(text)).tolist())])
