"""USD meshes of a stage with their looks (extra pliant[usd])."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ....errors import InputError, PliantWarning
from ...mesh.mesh import TriMesh
from ...mesh.mesh_looks import NONE, Finish, Looks, equal_rows, shared
from ..sandbox import apart
from ..source import Source, fan
from .obj_looks import picture

HOLDS = ()
SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
PRIM = 10_000  # [bytes] that a prim takes, with a small mesh in it
_TRIED: set[tuple[Path, bytes]] = set()  # the last file that did no harm


def read(source: Source, beside: Callable[[str], Source]) -> TriMesh:
    """All visible meshes at the first time of a stage, in metres, z up; polygons are cut as fans.

    The stage says its axis and its unit. Texture points (``st`` or else the first there are), display colours, which corners
    share a normal, materials (preview surfaces) and names of prims are the ``looks``. Subdivision, skeletons, point instancers
    and physics are not read; of physics, which ``scenes.read`` takes over, a warning tells.
    """
    with reported(source):
        return Stage(source, beside, opened(source)).joined()


@contextlib.contextmanager
def reported(source: Source) -> Iterator[None]:
    """One sentence about what USD raises on a damaged file, of many kinds and wherever a value is asked for."""
    try:
        yield
    except (InputError, Warning):
        raise
    except Exception as error:
        try:
            words = " ".join(str(error).split())[-120:]
        except UnicodeDecodeError:  # it quotes bytes that are no text
            words = "it holds bytes that are no text"
        raise source.error(f"USD could not read it ({words})") from None


def opened(source: Source) -> Any:
    """The stage of a file, tried in a process of its own first: it may be damaged, or its references multiply its prims."""
    try:
        from pxr import Usd
    except ImportError:
        raise source.error("USD is not installed; pip install 'pliant[usd]'") from None
    if (key := (source.path.absolute(), source.data)) not in _TRIED:
        own, composed = map(int, apart(source, "USD").split())
        source.claim(PRIM * max(composed - own, 0), f"composing {composed} prims, which usdcat --flatten puts into one file,")
        _TRIED.clear()
        _TRIED.add(key)  # the shell asks whether a file has physics, then reads it
    with reported(source):
        return Usd.Stage.Open(str(source.path))


class Stage:
    """The meshes of a stage while they are gathered."""

    def __init__(self, source: Source, beside: Callable[[str], Source], stage: Any):
        from pxr import Usd, UsdGeom

        self.source, self.beside, self.stage = source, beside, stage
        self.time = Usd.TimeCode(stage.GetStartTimeCode()) if stage.HasAuthoredTimeCodeRange() else Usd.TimeCode.Default()
        self.places = UsdGeom.XformCache(self.time)
        self.finishes: dict[str, tuple[int, Finish]] = {}  # path → number and what it is
        self.parts: dict[str, int] = {}

    def joined(self) -> TriMesh:
        from pxr import Usd, UsdGeom

        points, found, count, physics = [], list[dict[str, Any]](), 0, list[str]()
        for prim in Usd.PrimRange(self.stage.GetPseudoRoot(), Usd.TraverseInstanceProxies()):
            physics += [prim.GetName()] if any(s.startswith("Physics") for s in prim.GetAppliedSchemas()) else []
            if not prim.IsA(UsdGeom.Mesh):
                continue
            seen = UsdGeom.Imageable(prim)
            if seen.ComputePurpose() in ("guide", "proxy") or seen.ComputeVisibility(self.time) == "invisible":
                continue
            x, own = self._mesh(UsdGeom.Mesh(prim))
            self.source.claim(48 * len(x) + 64 * len(own["corners"]), f"mesh {prim.GetName()!r}")
            own["corners"] = own["corners"] + count
            points.append(x)
            found.append(own)
            count += len(x)
        if not any(len(own["sizes"]) for own in found):
            raise self.source.error("holds no visible mesh with faces; expected a surface")
        if physics:
            warnings.warn(
                f"{self.source.path.name}: the physics of {', '.join(physics[:3])}{', …' if len(physics) > 3 else ''} "
                "(mass, rigid bodies, collision) is not in a mesh; scenes.read takes it over",
                PliantWarning,
                stacklevel=6,
            )
        x = np.concatenate(points) * UsdGeom.GetStageMetersPerUnit(self.stage)
        if UsdGeom.GetStageUpAxis(self.stage) == UsdGeom.Tokens.y:
            x = np.stack([x[:, 0], -x[:, 2], x[:, 1]], axis=1) + 0.0
        looks = self._looks(found)
        triangles = fan(self.source, np.split(looks.corners, looks.starts[1:]), None, len(x))
        return self.source.build(TriMesh, x, triangles, looks=looks)

    def surface(self, mesh: Any) -> TriMesh:
        """The triangles of one mesh where it stands in the stage, in the stage's own axes and unit."""
        x, own = self._mesh(mesh)
        self.source.claim(48 * len(x) + 64 * len(own["corners"]), f"mesh {mesh.GetPrim().GetName()!r}")
        polygons = np.split(own["corners"], np.cumsum(own["sizes"])[:-1]) if len(own["sizes"]) else []
        return self.source.build(TriMesh, x, fan(self.source, polygons, None, len(x)))

    def _mesh(self, mesh: Any) -> tuple[np.ndarray, dict[str, Any]]:
        """(n, 3) points in the stage, and the faces with what is said of them."""
        prim, name = mesh.GetPrim(), mesh.GetPrim().GetName()

        def array(attribute: Any, kind: type) -> np.ndarray:
            value = attribute.Get(self.time)
            return np.zeros(0, kind) if value is None else np.array(value, dtype=kind)

        x, sizes = array(mesh.GetPointsAttr(), float).reshape(-1, 3), array(mesh.GetFaceVertexCountsAttr(), int)
        corners = array(mesh.GetFaceVertexIndicesAttr(), int)
        if sizes.sum() != len(corners) or np.any(sizes < 3):
            raise self.source.error(f"mesh {name!r} has {len(corners)} corners; its faces need {sizes.sum()}, 3 or more each")
        if len(corners) and (corners.min() < 0 or corners.max() >= len(x)):
            raise self.source.error(f"mesh {name!r} names a point outside 0…{len(x) - 1}")
        turn = np.array(self.places.GetLocalToWorldTransform(prim))
        own = {"sizes": sizes, "corners": corners} | self._corners(mesh, sizes, corners, len(x))
        own["finish"] = self._bound(prim, len(sizes))
        part = prim.GetDisplayName() or name
        if part in self.parts:
            part = f"{prim.GetParent().GetName()}/{name}"
        own["part"] = np.full(len(sizes), self.parts.setdefault(part, len(self.parts)))
        if (mesh.GetOrientationAttr().Get() == "leftHanded") != (np.linalg.det(turn[:3, :3]) < 0):
            own = _reversed(own)
        return x @ turn[:3, :3] + turn[3, :3], own

    def _corners(self, mesh: Any, sizes: np.ndarray, corners: np.ndarray, count: int) -> dict[str, np.ndarray | None]:
        """Texture points, colours and normals of all corners, where there are some."""
        from pxr import UsdGeom

        data = UsdGeom.PrimvarsAPI(mesh)
        at = {
            "faceVarying": np.arange(len(corners)), "vertex": corners, "varying": corners,
            "uniform": np.repeat(np.arange(len(sizes)), sizes), "constant": np.zeros(len(corners), int),
        }  # fmt: skip

        def spread(primvar: Any, wide: int) -> np.ndarray | None:
            if not primvar or not primvar.HasValue():
                return None
            values = primvar.ComputeFlattened(self.time)
            values = np.zeros(0) if values is None else np.array(values, dtype=float)
            values, rows = values.reshape(-1, wide), at.get(primvar.GetInterpolation())
            fits = rows is not None and len(values) and (not len(rows) or rows.max() < len(values))
            return values[rows] if fits and np.isfinite(values).all() else None

        named = [data.FindPrimvarWithInheritance("st")]
        named += [p for p in data.GetPrimvarsWithValues() if str(p.GetTypeName()).startswith("texCoord2")]
        uv = next((v for p in named if (v := spread(p, 2)) is not None), None)
        colours = spread(mesh.GetDisplayColorPrimvar(), 3)
        if colours is not None:
            opacity = spread(mesh.GetDisplayOpacityPrimvar(), 1)
            colours = np.concatenate([colours, np.ones((len(corners), 1)) if opacity is None else opacity], axis=1)
        normals = spread(data.GetPrimvar("normals"), 3)
        if normals is None and (given := mesh.GetNormalsAttr().Get(self.time)) is not None:
            rows = at.get(mesh.GetNormalsInterpolation())
            given = np.array(given, dtype=float).reshape(-1, 3)
            normals = given[rows] if rows is not None and len(rows) and rows.max() < len(given) else None
        return {"uv": uv, "colours": None if colours is None else np.clip(colours, 0, 1), "normals": normals}

    def _bound(self, prim: Any, count: int) -> np.ndarray:
        """(count,) numbers of the materials of the faces."""
        from pxr import UsdShade

        api = UsdShade.MaterialBindingAPI(prim)
        finish = np.full(count, self._finish(api.ComputeBoundMaterial()[0]))
        for subset in api.GetMaterialBindSubsets():
            faces = np.array(subset.GetIndicesAttr().Get(self.time) or [], dtype=int)
            number = self._finish(UsdShade.MaterialBindingAPI(subset.GetPrim()).ComputeBoundMaterial()[0])
            finish[faces[(faces >= 0) & (faces < count)]] = number
        return finish

    def _finish(self, material: Any) -> int:
        if not material:
            return NONE
        path = str(material.GetPath())
        if path not in self.finishes:
            made = Finish(material.GetPrim().GetDisplayName() or material.GetPrim().GetName())
            found = material.ComputeSurfaceSource("")
            shader = found[0] if isinstance(found, tuple) else found
            if shader and shader.GetIdAttr().Get() == "UsdPreviewSurface":
                made = self._previewed(made, shader)
            self.finishes[path] = len(self.finishes), made
        return self.finishes[path][0]

    def _previewed(self, finish: Finish, shader: Any) -> Finish:
        def number(name: str, usual: float) -> float:
            value = shader.GetInput(name).Get() if shader.GetInput(name) else None
            return min(max(float(value), 0.0), 1.0) if isinstance(value, int | float) else usual

        base, colour = shader.GetInput("diffuseColor"), finish.colour[:3]
        if base and base.Get() is not None:
            colour = tuple(np.clip(np.array(base.Get(), dtype=float), 0, 1).tolist())
        made = Finish(finish.name, (*colour, number("opacity", 1.0)), number("metallic", 0.0), number("roughness", 0.5))
        if not base or not base.HasConnectedSource():
            return made
        from pxr import UsdShade

        file = UsdShade.Shader(base.GetConnectedSource()[0].GetPrim()).GetInput("file")
        asset = file.Get() if file else None
        return made if asset is None else replace(made, texture=asset.path[:200], image=self._picture(asset))

    def _picture(self, asset: Any) -> np.ndarray | None:
        """The bytes of a picture beside the file, or inside a package."""
        from pxr import Ar

        if "[" in asset.resolvedPath:  # in a package of its own
            with contextlib.suppress(Exception):
                held = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(asset.resolvedPath))
                return np.frombuffer(bytes(held.GetBuffer()), np.uint8)
            return None
        return picture(asset.path.removeprefix("./"), self.beside)

    def _looks(self, found: list[dict[str, Any]]) -> Looks:
        counts = [len(own["corners"]) for own in found]

        def rows(name: str, wide: int, fill: float) -> np.ndarray | None:
            if all(own[name] is None for own in found):
                return None
            return np.concatenate([np.full((n, wide), fill) if o[name] is None else o[name] for o, n in zip(found, counts)])

        sizes, corners, finish, part = (np.concatenate([own[n] for own in found]) for n in ("sizes", "corners", "finish", "part"))
        normals = rows("normals", 3, 0.0)
        try:
            return Looks(
                sizes, corners, rows("uv", 2, 0.0), None if normals is None else shared(corners, equal_rows(normals)),
                rows("colours", 4, 1.0), finish if self.finishes else None, tuple(f for _, f in self.finishes.values()),
                part, tuple(self.parts),
            )  # fmt: skip
        except InputError as error:
            raise self.source.error(str(error)) from None


def _reversed(own: dict[str, Any]) -> dict[str, Any]:
    """Faces the other way round, each from the same first corner."""
    sizes = own["sizes"]
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    order = first + (-(np.arange(len(own["corners"])) - first)) % np.repeat(sizes, sizes)
    turned = {n: None if own[n] is None else own[n][order] for n in ("corners", "uv", "colours", "normals")}
    return own | turned
