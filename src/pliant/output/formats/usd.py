"""USD: points that move in time, fields as primvars, obstacles with moving transforms. Needs the extra pliant[usd]."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ...errors import InputError
from ...simulate.run import Run
from .. import colour as colours
from ..atomic import whole_file
from ..progress import track
from ..shapes import is_rod, rod_radius, vertex_values, vertices


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write meshes and curves with time-sampled points in metres, z up; the run's frames are whole time codes."""
    try:
        from pxr import Gf, Sdf, Tf, Usd, UsdGeom, Vt
    except ImportError:
        raise InputError(f"cannot write {path.name!r}: USD is not installed; pip install pliant[usd]") from None
    # USD keeps layers by name in a registry; a file written in memory and exported leaves nothing behind in it.
    layer = Sdf.Layer.CreateAnonymous(path.suffix)
    stage = Usd.Stage.Open(layer)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    frames = frames[np.argsort(run.times[frames], kind="stable")]
    times = run.times[frames]
    step = float(np.median(np.diff(times))) if len(times) > 1 else 1.0
    codes = (times - times[0]) / step if step > 0 else np.arange(len(times), dtype=float)
    codes = np.where(np.abs(codes - codes.round()) < 1e-6, codes.round(), codes)
    stage.SetTimeCodesPerSecond(1.0 / step if step > 0 else 1.0)
    stage.SetFramesPerSecond(stage.GetTimeCodesPerSecond())
    stage.SetStartTimeCode(float(codes[0]))
    stage.SetEndTimeCode(float(codes[-1]))
    root = UsdGeom.Xform.Define(stage, "/run")
    stage.SetDefaultPrim(root.GetPrim())
    taken: set[str] = set()

    def place_for(name: str) -> str:
        """A path under the root that no other prim has."""
        base = Tf.MakeValidIdentifier(name or "body")
        found = next(c for c in (base, *(f"{base}_{k}" for k in range(1, 10**6))) if c not in taken)
        taken.add(found)
        return f"/run/{found}"

    def points(values: np.ndarray) -> Vt.Vec3fArray:
        return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))

    def ints(values: np.ndarray) -> Vt.IntArray:
        return Vt.IntArray.FromNumpy(np.ascontiguousarray(values, dtype=np.int32).ravel())

    def tint(prim: UsdGeom.Gprim, text: str) -> None:
        prim.CreateDisplayColorAttr([Gf.Vec3f(*colours.linear(colours.parsed(text)).tolist())])

    extent = float(np.linalg.norm(np.ptp(run.rest, axis=0))) or 1.0
    fields = ["displacement", "speed", *run.fields]
    scalars = {name: run.values(name) for name in fields}
    for i, skin in enumerate(track(run.skins, "writing usd")):
        where = place_for(skin.name)
        if is_rod(skin):
            prim = UsdGeom.BasisCurves.Define(stage, where)
            prim.CreateTypeAttr(UsdGeom.Tokens.linear)
            prim.CreateCurveVertexCountsAttr(ints(np.full(len(skin.edges), 2)))
            prim.CreateWidthsAttr([2.0 * rod_radius(run, skin, extent)])
            prim.SetWidthsInterpolation(UsdGeom.Tokens.constant)
            pick = np.asarray(skin.edges).ravel()  # each edge is a curve of its own
        else:
            prim = UsdGeom.Mesh.Define(stage, where)
            prim.CreateFaceVertexCountsAttr(ints(np.full(len(skin.triangles), 3)))
            prim.CreateFaceVertexIndicesAttr(ints(skin.triangles))
            prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
            prim.CreateDoubleSidedAttr(True)
            pick = np.arange(len(skin.parents))
        tint(prim, skin.colour or colours.body_colour(i))
        moving, spans = prim.CreatePointsAttr(), prim.CreateExtentAttr()
        data = UsdGeom.PrimvarsAPI(prim)
        kinds = (Sdf.ValueTypeNames.FloatArray, UsdGeom.Tokens.vertex)
        primvars = {name: data.CreatePrimvar(Tf.MakeValidIdentifier(name), *kinds) for name in fields}
        for frame, code in zip(frames, codes.tolist()):
            x = vertices(run, skin, int(frame))[pick]
            moving.Set(points(x), code)
            if len(x):
                spans.Set(points(np.stack([x.min(axis=0), x.max(axis=0)])), code)
            for name, primvar in primvars.items():
                values = vertex_values(skin, scalars[name][frame])[pick]
                primvar.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32)), code)
    for prop in run.props:
        prim = UsdGeom.Mesh.Define(stage, place_for(prop.name))
        prim.CreatePointsAttr(points(prop.mesh.vertices))
        prim.CreateFaceVertexCountsAttr(ints(np.full(len(prop.mesh.triangles), 3)))
        prim.CreateFaceVertexIndicesAttr(ints(prop.mesh.triangles))
        prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        prim.CreateDoubleSidedAttr(True)
        tint(prim, colours.OBSTACLE)
        transform = prim.AddTransformOp()
        for frame, code in zip(frames, codes.tolist()):
            transform.Set(Gf.Matrix4d(prop.poses[frame].T.tolist()), code)  # USD multiplies rows from the left
    with whole_file(path) as temporary:
        if not layer.Export(str(temporary)):
            raise InputError(f"cannot write {str(path)!r}: USD refused; choose another place")
