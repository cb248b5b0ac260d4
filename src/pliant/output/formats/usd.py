"""USD export: moving points, fields, obstacles (extra pliant[usd])."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from ...arguments.atomic_files import whole_file, write_bytes
from ...arguments.progress import track
from ...errors import InputError
from ...geometry.mesh.mesh_looks import Finish
from ...simulate.record.run import Moment, Prop, Run, Skin
from ..colours import colour as colours
from ..raster.frame_shapes import is_rod, rod_radius, vertex_values, vertices
from . import usd_looks
from .drawn_objects import Piece, pictures, pieces
from .merged_mesh import Paint

_KEPT = 64 * 2**20  # [bytes] of samples held in memory before they go to the file


def write(run: Run, frames: np.ndarray, path: Path, colour: str | None = None) -> None:
    """Write meshes and curves with time-sampled points in metres, z up; the run's frames are whole time codes.

    ``colour`` names a field that becomes the display colour of the vertices. Normals are left to the reader, which
    makes them from the points of each frame.
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
    for name, data in pictures(skin for chapter in run.chapters for skin in chapter.skins).items():
        write_bytes(path.with_name(name), data)


class _Layer:
    """The prims of a run in a layer."""

    def __init__(self, layer: Any, run: Run, frames: np.ndarray, colour: str | None):
        from pxr import Usd, UsdGeom

        self.run, self.frames, self.taken, self.above = run, frames, set(), {}
        self.materials: dict[Finish, str] = {}
        self.names = ["displacement", "speed", *run.field_names]
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
        numbers = [self.run.chapter_of(int(frame)) for frame in self.frames]
        bodies, held, last = self._bodies(sorted(set(numbers))), 0, None
        several = len(set(numbers)) > 1
        for frame, code, k in zip(track(self.frames, "writing usd"), self.codes, numbers):
            if k != last:
                last = k
                for body in bodies:
                    body.turn(k, code if several else None)
            moment = self.run.moment(int(frame))
            fields = {name: moment.values(name) for name in self.names}
            shade = colours.linear(self.paint.colours(int(frame))) if self.paint else None
            for body in bodies:
                held += body.sample(moment, code, fields, shade)
            if held > _KEPT:
                save()
                held = 0
        for prop in self.run.props:
            self._obstacle(prop)

    def _bodies(self, chapters: list[int]) -> list[_Body]:
        """A prim for each name and kind of body, the same through all chapters that have it."""
        bodies: dict[tuple, _Body] = {}
        for k in chapters:
            seen: dict[tuple, int] = {}
            for index, skin in enumerate(self.run.chapters[k].skins):
                kind = (skin.name, is_rod(skin))
                seen[kind] = seen.get(kind, 0) + 1  # of several with one name, each is its own
                key = (*kind, seen[kind])
                for piece in [None] if kind[1] else pieces(skin):
                    part = "" if piece is None else piece.name
                    if (*key, part) not in bodies:
                        bodies[*key, part] = _Body(self, index, skin, self.run.chapters[k].rest, self._named(key, part), part)
                    bodies[*key, part].skins[k] = skin, piece
        return list(bodies.values())

    def _named(self, key: tuple, part: str) -> str:
        """Where a body stands: under the root, or its objects under a prim of its own."""
        from pxr import UsdGeom

        if not part:
            return self._place(key[0])
        if key not in self.above:
            self.above[key] = self._place(key[0])
            UsdGeom.Xform.Define(self.stage, self.above[key])
        return self._place(part, self.above[key])

    def _place(self, name: str, above: str = "/run") -> str:
        """A path under another that no other prim has."""
        from pxr import Tf

        base = f"{above}/{Tf.MakeValidIdentifier(name or 'body')}"
        unique = base if base not in self.taken else next(c for k in count(1) if (c := f"{base}_{k}") not in self.taken)
        self.taken.add(unique)
        return unique

    def surface(self, place: str) -> Any:
        from pxr import UsdGeom

        prim = UsdGeom.Mesh.Define(self.stage, place)
        prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        prim.CreateDoubleSidedAttr(True)
        return prim

    def curves(self, skin: Skin, rest: np.ndarray, place: str) -> Any:
        from pxr import UsdGeom

        extent = float(np.linalg.norm(np.ptp(rest, axis=0))) or 1.0
        prim = UsdGeom.BasisCurves.Define(self.stage, place)
        prim.CreateTypeAttr(UsdGeom.Tokens.linear)
        prim.CreateWidthsAttr([2.0 * rod_radius(rest, skin, extent)])
        prim.SetWidthsInterpolation(UsdGeom.Tokens.constant)
        return prim

    def _obstacle(self, prop: Prop) -> None:
        from pxr import Gf

        prim = self.surface(self._place(prop.name))
        _set_faces(prim, np.full(len(prop.mesh.triangles), 3), prop.mesh.triangles)
        prim.CreatePointsAttr(_points(prop.mesh.vertices))
        if len(prop.mesh.vertices):
            prim.CreateExtentAttr(_points(prop.mesh.bounds))
        _tint(prim, colours.OBSTACLE)
        transform = prim.AddTransformOp()
        for frame, code in zip(self.frames, self.codes):
            transform.Set(Gf.Matrix4d(prop.poses[frame].T.tolist()), code)  # USD multiplies rows from the left


class _Body:
    """A prim that shows one body or an object of it, as it is in each chapter; in chapters without it, it has no points."""

    def __init__(self, layer: _Layer, index: int, skin: Skin, rest: np.ndarray, place: str, part: str):
        from pxr import Sdf, Tf, UsdGeom

        self.rod, self.skins, self.skin = is_rod(skin), dict[int, tuple[Skin, Piece | None]](), None
        self.prim = prim = layer.curves(skin, rest, place) if self.rod else layer.surface(place)
        self.materials = layer.materials
        if part and part != place.rpartition("/")[2]:
            prim.GetPrim().SetDisplayName(part)
        self.shades = None
        if layer.paint is None:
            _tint(prim, skin.colour or colours.body_colour(index))
        else:
            self.shades = prim.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex)
        data, kind = UsdGeom.PrimvarsAPI(prim), Sdf.ValueTypeNames.FloatArray
        primvars = {n: data.CreatePrimvar(Tf.MakeValidIdentifier(n), kind, UsdGeom.Tokens.vertex) for n in layer.names}
        self.points, self.extent, self.primvars = prim.CreatePointsAttr(), prim.CreateExtentAttr(), primvars

    def turn(self, chapter: int, code: float | None) -> None:
        """Take the cells of a chapter, from a time on, or for good where there is none."""
        self.skin, piece = self.skins.get(chapter, (None, None))
        if self.rod:
            edges = np.zeros((0, 2), int) if self.skin is None else np.asarray(self.skin.edges)
            self.pick = edges.ravel()  # each edge is a curve of its own
            _set(self.prim.CreateCurveVertexCountsAttr(), _ints(np.full(len(edges), 2)), code)
        else:
            none = np.zeros(0, int)
            self.pick = none if piece is None else piece.pick
            sizes, corners = (none, none) if piece is None else (piece.looks.sizes, piece.looks.corners)
            _set_faces(self.prim, sizes, corners, code)
            if piece is not None:
                usd_looks.put(self.prim, piece.looks, code, self.shades is None, self.materials)

    def sample(self, moment: Moment, code: float, fields: dict[str, np.ndarray], shade: np.ndarray | None) -> int:
        """Set all that changes in one frame; returns about how many bytes that took."""
        from pxr import Vt

        skin, pick = self.skin, self.pick
        x = np.zeros((0, 3)) if skin is None else vertices(skin, moment.x)[pick]
        self.points.Set(_points(x), code)
        if len(x):
            self.extent.Set(_points(np.stack([x.min(axis=0), x.max(axis=0)])), code)
        for name, primvar in self.primvars.items():
            values = np.zeros(0) if skin is None else vertex_values(skin, fields[name])[pick]
            primvar.Set(Vt.FloatArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32)), code)
        if self.shades is not None:
            self.shades.Set(_points(x if skin is None else vertex_values(skin, shade)[pick]), code)
        return len(x) * (12 + 4 * len(self.primvars) + (12 if self.shades is not None else 0))


def _set(attribute: Any, value: Any, code: float | None) -> None:
    """Set a value from a time on, or for all times."""
    attribute.Set(value) if code is None else attribute.Set(value, code)


def _set_faces(prim: Any, sizes: np.ndarray, corners: np.ndarray, code: float | None = None) -> None:
    _set(prim.CreateFaceVertexCountsAttr(), _ints(sizes), code)
    _set(prim.CreateFaceVertexIndicesAttr(), _ints(corners), code)


def _points(values: np.ndarray) -> Any:
    from pxr import Vt

    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))


def _ints(values: np.ndarray) -> Any:
    from pxr import Vt

    return Vt.IntArray.FromNumpy(np.ascontiguousarray(values, dtype=np.int32).ravel())


def _tint(prim: Any, text: str) -> None:
    from pxr import Gf

    prim.CreateDisplayColorAttr([Gf.Vec3f(*colours.linear(colours.parsed(text)).tolist())])
