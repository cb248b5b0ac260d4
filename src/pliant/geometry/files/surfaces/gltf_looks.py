"""Looks of a glTF scene: texture points, colours, normals, materials."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ....errors import InputError
from ...mesh.mesh_looks import NONE, Finish, Looks, equal_rows, shared
from .gltf_arrays import Document
from .obj_looks import picture

_FLOAT, _SHARES = (5126,), (5126, 5121, 5123)


@dataclass(frozen=True, eq=False)
class Piece:
    """The corners of one primitive, (m, 3, …) each, where it has them."""

    count: int
    uv: np.ndarray | None
    normals: np.ndarray | None
    colours: np.ndarray | None
    material: int

    @staticmethod
    def of(doc: Document, primitive: dict, triangles: np.ndarray, count: int, what: str) -> Piece:
        """What a primitive of ``count`` vertices says of the corners of its triangles (m, 3)."""
        attributes = doc.table(primitive, "attributes", what)

        def corners(name: str, kinds: tuple[str, ...], codes: tuple[int, ...]) -> np.ndarray | None:
            if name not in attributes:
                return None
            kind = doc.item("accessors", attributes[name]).get("type")
            kind = kind if kind in kinds else kinds[0]
            values = doc.array(attributes[name], kind, codes, count, f"{name} of {what}", True).astype(float)
            if len(values) != count:
                raise doc.source.error(f"{name} of {what} has {len(values)} items; expected {count}, one a vertex")
            if not np.isfinite(values).all():
                raise doc.source.error(f"{name} of {what} holds numbers that are not finite")
            return values[triangles]

        uv = corners("TEXCOORD_0", ("VEC2",), _SHARES)
        colours = corners("COLOR_0", ("VEC4", "VEC3"), _SHARES)
        if colours is not None and colours.shape[2] == 3:
            colours = np.concatenate([colours, np.ones((*colours.shape[:2], 1))], axis=2)
        if uv is not None:
            uv = np.stack([uv[..., 0], 1.0 - uv[..., 1]], axis=-1)
        normals = corners("NORMAL", ("VEC3",), (5126, 5120, 5122))
        number = primitive.get("material")
        number = NONE if number is None else doc.whole(number, f"the material of {what}")
        return Piece(len(triangles), uv, normals, None if colours is None else np.clip(colours, 0.0, 1.0), number)

    def mirrored(self) -> Piece:
        """With the corners of each triangle the other way round."""
        turned = {n: None if (v := getattr(self, n)) is None else v[:, [0, 2, 1]] for n in ("uv", "normals", "colours")}
        return replace(self, **turned)


class Drawn:
    """The looks of a scene while its nodes are gathered."""

    def __init__(self, document: Document):
        self.doc, self.pieces = document, list[tuple[str, Piece]]()

    def add(self, node: dict, mesh: dict, pieces: list[Piece]) -> None:
        """A node with the primitives of its mesh."""
        name = next((n for n in (node.get("name"), mesh.get("name")) if isinstance(n, str) and n), "")
        self.pieces += [(name, piece) for piece in pieces]

    def looks(self, triangles: np.ndarray) -> Looks | None:
        """The looks of all triangles (m, 3); None where nothing is said of them."""
        pieces = [piece for _, piece in self.pieces]
        counts = [piece.count for piece in pieces]
        rows = {name: self._all(name, pieces) for name in ("uv", "normals", "colours")}
        corners = triangles.ravel()
        smooth = None if rows["normals"] is None else shared(corners, equal_rows(rows["normals"]))
        used = sorted({piece.material for piece in pieces} - {NONE})
        finishes = tuple(self._finish(number) for number in used)
        finish = np.repeat([used.index(p.material) if p.material != NONE else NONE for p in pieces], counts)
        parts = tuple(dict.fromkeys(name for name, _ in self.pieces if name))
        part = np.repeat([parts.index(name) if name else NONE for name, _ in self.pieces], counts)
        if not used and not parts and smooth is None and rows["uv"] is None and rows["colours"] is None:
            return None
        sizes = np.full(len(triangles), 3)
        return self.doc.source.build(
            Looks, sizes, corners, rows["uv"], smooth, rows["colours"], finish if used else None, finishes,
            part if parts else None, parts,
        )  # fmt: skip

    @staticmethod
    def _all(name: str, pieces: list[Piece]) -> np.ndarray | None:
        """(c, k) of all corners; where only some primitives have texture points or normals, 0 for the rest, and white."""
        some = next((v for piece in pieces if (v := getattr(piece, name)) is not None), None)
        if some is None:
            return None
        wide, fill = some.shape[2], 1.0 if name == "colours" else 0.0
        own = [getattr(piece, name) for piece in pieces]
        return np.concatenate([
            np.full((3 * piece.count, wide), fill) if v is None else v.reshape(-1, wide) for piece, v in zip(pieces, own)
        ])  # fmt: skip

    def _finish(self, number: int) -> Finish:
        doc, what = self.doc, f"material {number}"
        about = doc.item("materials", number)
        surface = doc.table(about, "pbrMetallicRoughness", what)
        colour = doc.numbers(surface.get("baseColorFactor", [1, 1, 1, 1]), 4, f"baseColorFactor of {what}")
        rough, metal = (
            float(doc.numbers([surface.get(n, 1.0)], 1, f"{n} of {what}")[0]) for n in ("roughnessFactor", "metallicFactor")
        )
        name = about.get("name") if isinstance(about.get("name"), str) else ""
        made = Finish(name, tuple(np.clip(colour, 0, 1).tolist()), min(max(metal, 0.0), 1.0), min(max(rough, 0.0), 1.0))
        if "baseColorTexture" not in surface:
            return made
        texture = doc.item("textures", doc.table(surface, "baseColorTexture", what).get("index"))
        return made if "source" not in texture else self._pictured(made, doc.item("images", texture["source"]))

    def _pictured(self, finish: Finish, image: dict) -> Finish:
        """With the picture of an image: in the file, in a data URI or beside it, by name where it is not there."""
        doc, uri = self.doc, image.get("uri")
        name = image.get("name") if isinstance(image.get("name"), str) else ""
        if isinstance(uri, str) and not uri.startswith("data:"):
            return replace(finish, texture=uri[:200], image=picture(uri[:200], doc.beside))
        if isinstance(uri, str):
            try:
                data = bytes(doc.fetched(uri, "an image"))
            except InputError:
                return replace(finish, texture=name)
        else:
            view = doc.item("bufferViews", image.get("bufferView"))
            held = doc.buffer(doc.whole(view.get("buffer"), "the buffer of an image"))
            start = doc.whole(view.get("byteOffset", 0), "byteOffset of an image")
            data = bytes(held[start : start + doc.whole(view.get("byteLength"), "byteLength of an image")])
        end = ".jpg" if image.get("mimeType") == "image/jpeg" else ".png"
        named = name or finish.name or "texture"
        named = named if named.lower().endswith((".png", ".jpg", ".jpeg")) else named + end
        return replace(finish, texture=named, image=np.frombuffer(data, np.uint8))
