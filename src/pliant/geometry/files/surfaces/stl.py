"""STL, text and binary: loose triangles, joined on reading."""

from __future__ import annotations

import numpy as np

from ....errors import InputError
from ...mesh.mesh import TriMesh
from ..source import Source, join_equal, show

HOLDS = ("triangles",)
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
# The words that open each of the seven lines of a facet.
_FACET_LINES = [(b"facet", b"normal"), (b"outer", b"loop"), *[(b"vertex",)] * 3, (b"endloop",), (b"endfacet",)]
_FACET_WORDS = [w if w.isalpha() else None for w in (b"facet normal 0 0 0 outer loop" + b" vertex 0 0 0" * 3).split()]
_FACET_WORDS += [b"endloop", b"endfacet"]
_PART = 1 << 22  # bytes of text split at a time


def read(source: Source) -> TriMesh:
    """Read triangles in file order; corners become one vertex only where equal bit for bit (−0 counts as 0).

    The stored normals, attributes and names are dropped; several solids in a text file are joined.
    """
    data = source.data
    promised = int.from_bytes(data[80:84], "little")
    if len(data) < 84 or (len(data) != 84 + 50 * promised and data.lstrip()[:5].lower() == b"solid"):
        corners = _regular_corners(data)
        return _mesh(source, _text_corners(source) if corners is None else corners)
    if len(data) != 84 + 50 * promised:
        raise source.error(
            f"its header promises {promised} triangles, {84 + 50 * promised} bytes, but the file has {len(data)} bytes", byte=80
        )
    return _mesh(source, np.frombuffer(data, _FACET, promised, 84)["corners"].reshape(-1, 3))


def _mesh(source: Source, corners: np.ndarray) -> TriMesh:
    bad = np.flatnonzero(~np.isfinite(corners).all(axis=1))
    if len(bad):
        raise source.error(f"triangle {bad[0] // 3} has a corner that is not finite ({len(bad)} such corners)")
    first, rank = join_equal(corners)
    return source.build(TriMesh, corners[first], rank.reshape(-1, 3))


def _regular_corners(data: bytes) -> np.ndarray | None:
    """(3 m, 3) corners of the usual text file, one plain solid, ten times faster; None for the careful way."""
    at, stop, pieces = data.find(b"\n") + 1, data.rfind(b"endsolid"), []
    if not data.startswith(b"solid") or b"\n" in data[stop:].strip() or b"_" in data[at:stop]:
        return None
    while at < stop:
        end = data.find(b"endfacet", at + _PART, stop)
        end = stop if end < 0 else end + len(b"endfacet")
        words, at = data[at:end].split(), end
        if len(words) % len(_FACET_WORDS):
            return None
        count, columns = len(words) // len(_FACET_WORDS), []
        for i, word in enumerate(_FACET_WORDS):
            part = words[i :: len(_FACET_WORDS)]
            if word and part.count(word) != count:
                return None
            if not word and i > 4:
                columns.append(part)
        try:
            pieces.append(np.array([[*map(float, column)] for column in columns]).T.reshape(-1, 3))
        except ValueError:
            return None
    corners = np.concatenate(pieces) if pieces else np.zeros((0, 3))
    return corners if len(corners) and np.isfinite(corners).all() else None


def _text_corners(source: Source) -> np.ndarray:
    """(3 m, 3) corners of a text file, whose structure must be whole."""
    rows, lines, state, inside = [], [], 0, False
    for line, text in enumerate(source.lines(comment=b"\n"), 1):
        words = text.split()
        if not words:
            continue
        key = words[0].lower()
        if state == 0 and key in (b"solid", b"endsolid"):
            if inside == (key == b"solid"):
                raise source.error(f"unexpected {key.decode()!r}", line)
            inside = key == b"solid"
            continue
        wanted = _FACET_LINES[state]
        if not inside or key != wanted[0] or [w.lower() for w in words[1 : len(wanted)]] != list(wanted[1:]):
            expected = b" ".join(wanted).decode() if inside else "solid"
            raise source.error(f"found {show(b' '.join(words[:2]))}; expected {expected!r}", line)
        if key == b"vertex":
            rows.append(words[1:])
            lines.append(line)
        state = (state + 1) % len(_FACET_LINES)
    if inside or not lines:
        raise source.error("ends before 'endsolid'" if inside else "holds no triangles; expected STL")
    return source.table(rows, lines, 3, float, "a vertex")


def encode(mesh: TriMesh, text: bool) -> bytes:
    """Write 32-bit floats (binary, the format's only precision) or, as text, digits that read back exactly."""
    with np.errstate(all="ignore"):
        length = mesh.areas[:, None]
        normals = np.divide(mesh.area_vectors, length, out=np.zeros_like(mesh.area_vectors), where=length > 0)
    normals[~np.isfinite(normals).all(axis=1)] = 0.0
    corners = mesh.vertices[mesh.triangles]
    if not text:
        facets = np.zeros(len(corners), _FACET)
        with np.errstate(over="ignore"):
            facets["normal"], facets["corners"] = normals, corners
        if not np.isfinite(facets["corners"]).all():
            raise InputError("some coordinates are beyond the 32-bit floats of binary STL; write it with text=True")
        return b"pliant".ljust(80) + len(facets).to_bytes(4, "little") + facets.tobytes()
    facet = "facet normal %r %r %r\n outer loop\n" + "  vertex %r %r %r\n" * 3 + " endloop\nendfacet\n"
    rows = np.concatenate([normals, corners.reshape(-1, 9)], axis=1).tolist()
    return ("solid pliant\n" + "".join([facet % tuple(row) for row in rows]) + "endsolid pliant\n").encode()
