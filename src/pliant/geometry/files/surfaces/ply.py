"""PLY, text and binary of either byte order: surfaces, edges and points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from operator import itemgetter

import numpy as np

from ...mesh.mesh import EdgeMesh, PointCloud, TriMesh
from ...mesh.mesh_looks import Looks, light
from ..source import Source, fan, number_lines, show

HOLDS = ("triangles", "edges", "points", "normals")
_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_ORDERS = {"ascii": None, "binary_little_endian": "<", "binary_big_endian": ">"}
_POSITION, _NORMAL, _ENDS = ("x", "y", "z"), ("nx", "ny", "nz"), ("vertex1", "vertex2")
_COLOUR, _UV = ("red", "green", "blue"), (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
_CLEAR = (*_COLOUR, "alpha")
_FACE_LISTS, _CORNER_UV = ("vertex_indices", "vertex_index"), "texcoord"
_GROUPS = (_POSITION, _NORMAL, _ENDS, _COLOUR, _CLEAR, *_UV)  # columns that are read together
_WANTED = frozenset((*_FACE_LISTS, _CORNER_UV, *(name for group in _GROUPS for name in group)))


@dataclass
class _Element:
    """One table of the file: its columns, each a type, or a pair (count type, item type) for a list."""

    name: str
    count: int
    line: int
    columns: dict[str, str | tuple[str, str]] = field(default_factory=dict)
    values: dict[str, object] = field(default_factory=dict)  # name → (n,) array, (n, k) array, or list of sequences


def read(source: Source) -> TriMesh | EdgeMesh | PointCloud:
    """Faces make a TriMesh, else edges an EdgeMesh, else a PointCloud (with nx, ny, nz as normals).

    Polygons are cut into triangles as a fan around their first corner; they, colours and texture points (s, t or u, v of
    vertices, or texcoord of faces) are the ``looks`` of the mesh, and every other property is dropped.
    """
    order, elements, start = _header(source)
    if order is None:
        _text_body(source, elements, start)
    else:
        _binary_body(source, elements, start, order)
    table = {element.name: element for element in elements}
    if "vertex" not in table:
        raise source.error("has no element 'vertex'; it has " + (", ".join(table) or "none"))
    points = _stacked(source, table["vertex"], _POSITION)
    if "face" in table and table["face"].count:
        triangles = _triangles(source, table["face"], len(points))
        looks = _looks(source, table["vertex"], table["face"])
        return source.build(TriMesh, points, triangles, looks=looks)
    if "tristrips" in table and table["tristrips"].count:
        raise source.error("holds triangle strips, which are not read; save it with faces", table["tristrips"].line)
    if "edge" in table and table["edge"].count:
        return source.build(EdgeMesh, points, _stacked(source, table["edge"], _ENDS))
    if set(_NORMAL) <= table["vertex"].columns.keys():
        return source.build(PointCloud, points, _stacked(source, table["vertex"], _NORMAL))
    return source.build(PointCloud, points)


def _header(source: Source) -> tuple[str | None, list[_Element], int]:
    """Byte order (None for text), elements, and the byte where the data begin."""
    data = source.data
    ending = next((e for e in (b"\r\n", b"\n", b"\r") if data.startswith(b"ply" + e)), None)
    if ending is None:
        raise source.error(f"starts with {show(data[:8])}; expected 'ply' on a line of its own", byte=0)
    order, elements, names, at, line = "", [], set(), 0, 0
    while True:
        stop = data.find(ending, at)
        if stop < 0:
            raise source.error("ends before 'end_header'", line + 1)
        words = data[at:stop].decode("latin-1").split()
        at, line = stop + len(ending), line + 1
        match words:
            case ["end_header"]:
                break
            case ["format", kind, _]:
                if kind not in _ORDERS:
                    raise source.error(f"format {kind!r}; expected one of {', '.join(_ORDERS)}", line)
                order = _ORDERS[kind]
            case ["element", name, count]:
                if not (count.isascii() and count.isdigit() and len(count) < 19):
                    raise source.error(f"element {name!r} has count {count[:24]!r}; expected a whole number", line)
                if name in names:
                    raise source.error(f"element {name!r} is declared twice", line)
                names.add(name)
                elements.append(_Element(name, int(count), line))
            case ["property", *rest, name] if elements and all(r in _TYPES for r in rest if r != "list"):
                if name in elements[-1].columns:
                    raise source.error(f"property {name!r} is declared twice", line)
                if len(rest) == 1 and rest[0] != "list":
                    elements[-1].columns[name] = _TYPES[rest[0]]
                elif len(rest) == 3 and rest[0] == "list" and "list" not in rest[1:] and _TYPES[rest[1]][0] in "iu":
                    elements[-1].columns[name] = (_TYPES[rest[1]], _TYPES[rest[2]])
                else:
                    raise source.error(f"property {name!r} has an unreadable type", line)
            case ["ply"] if line == 1:
                pass
            case [] | ["comment", *_] | ["obj_info", *_]:
                pass
            case _:
                raise source.error(f"unreadable header line {show(' '.join(words).encode())}", line)
    if order == "":
        raise source.error("has no 'format' line in its header")
    return order, elements, at


def _text_body(source: Source, elements: list[_Element], start: int) -> None:
    """Fill in the elements from text, one line each; lines without a word are skipped."""
    source.require_text()
    before = len(source.data[:start].splitlines())
    rows = [(n, w) for n, text in enumerate(source.data[start:].splitlines(), before + 1) if (w := text.split())]
    at = 0
    for element in elements:
        part = rows[at : at + element.count]
        at += element.count
        if len(part) < element.count:
            what = f"{element.count} lines of element {element.name!r}"
            raise source.error(f"ends after {len(part)} of {what}", element.line)
        lines, words = [n for n, _ in part], [w for _, w in part]
        if not any(isinstance(kind, tuple) for kind in element.columns.values()):
            _text_numbers(source, element, words, lines)
            continue
        element.values = {name: [] for name in element.columns}
        for row, line in zip(words, lines):
            _text_row(source, element, row, line)


def _text_numbers(source: Source, element: _Element, rows: list[list[bytes]], lines: list[int]) -> None:
    """Read the columns that a mesh needs from an element without lists."""
    for row, line in zip(rows, lines):
        if len(row) < len(element.columns):
            raise source.error(f"a {element.name} has {len(row)} values; expected {len(element.columns)}", line)
    places = {name: column for column, name in enumerate(element.columns)}
    for names in _GROUPS:
        if element.count and places.keys() >= set(names):
            pick = itemgetter(*[places[name] for name in names])
            kind = int if names is _ENDS else float
            table = source.table([*map(pick, rows)], lines, len(names), kind, f"a {element.name}")
            element.values |= dict(zip(names, table.T))


def _text_row(source: Source, element: _Element, row: list[bytes], line: int) -> None:
    """Walk one line of an element that has lists."""
    if len(element.columns) == 1 and row[0].isdigit() and int(row[0][:9]) == len(row) - 1:
        ((name, kind),) = element.columns.items()
        if kind[1][0] != "f":  # faces and nothing else: the usual case, quickly
            element.values[name].append(source.integers(row[1:], name, line))
            return
    at = 0
    for name, kind in element.columns.items():
        size = 1
        if isinstance(kind, tuple):
            size = source.number(row[at] if at < len(row) else b"", int, f"the length of {name}", line)
            at += 1
        words = row[at : at + size] if size >= 0 else []
        if len(words) != size:
            raise source.error(f"{name} of a {element.name} has {len(words)} of {size} values", line)
        at += size
        item = kind[1] if isinstance(kind, tuple) else kind
        values = [source.number(w, float if item[0] == "f" else int, name, line) for w in words]
        element.values[name].append(values if isinstance(kind, tuple) else values[0])


def _binary_body(source: Source, elements: list[_Element], at: int, order: str) -> None:
    """Fill in the elements from bytes; nothing is allocated from a count that the file cannot hold."""
    for element in elements:
        kinds = element.columns.values()
        least = sum(np.dtype(k[0] if isinstance(k, tuple) else k).itemsize for k in kinds)
        if element.count * least > len(source.data) - at:
            raise source.error(
                f"promises {element.count} of element {element.name!r}, at least {element.count * least} bytes, "
                f"but {len(source.data) - at} bytes are left",
                byte=at,
            )
        if not least or not element.count:
            continue
        at = _uniform(source, element, at, order) or _ragged(source, element, at, order)


def _uniform(source: Source, element: _Element, at: int, order: str) -> int | None:
    """Read an element whose lists are all as long as the first ones; None where they are not."""
    columns, counts, step = [], [], 0  # (name, type, shape of one item, place in a row) and (type, value, place)
    for name, kind in element.columns.items():
        if not isinstance(kind, tuple):
            columns.append((name, order + kind, (), step))
        else:
            width = np.dtype(kind[0]).itemsize
            raw = source.data[at + step : at + step + width]
            if len(raw) < width or not 0 <= (size := int(np.frombuffer(raw, order + kind[0])[0])) <= len(source.data):
                return None
            counts.append((order + kind[0], size, step))
            step += width
            columns.append((name, order + kind[1], (size,), step))
        step += np.dtype(columns[-1][1]).itemsize * math.prod(columns[-1][2])
    if at + element.count * step > len(source.data):
        return None

    def column(kind: str, shape: tuple[int, ...], place: int) -> np.ndarray:
        steps = (step, *[np.dtype(kind).itemsize for _ in shape])
        return np.ndarray((element.count, *shape), kind, source.data, at + place, steps)

    if any((column(kind, (), place) != size).any() for kind, size, place in counts):
        return None
    element.values = {name: column(kind, shape, place) for name, kind, shape, place in columns if name in _WANTED}
    return at + element.count * step


def _ragged(source: Source, element: _Element, at: int, order: str) -> int:
    """Read an element whose lists differ in length, item by item."""
    element.values = {name: [] for name in element.columns}
    columns = [
        (element.values[name], *[np.dtype(order + k) for k in (kind if isinstance(kind, tuple) else (kind,))])
        for name, kind in element.columns.items()
    ]
    data, end = source.data, len(source.data)
    for item in range(element.count):
        for values, *kinds in columns:
            size = 1
            if len(kinds) == 2:
                if at + kinds[0].itemsize > end:
                    raise source.error(f"ends in {element.name} {item} of {element.count}", byte=end)
                size = int(np.frombuffer(data, kinds[0], 1, at)[0])
                at += kinds[0].itemsize
            if size < 0 or at + size * kinds[-1].itemsize > end:
                raise source.error(f"{element.name} {item} holds a list of {size} values, beyond the file", byte=at)
            items = np.frombuffer(data, kinds[-1], size, at)
            values.append(items.tolist() if len(kinds) == 2 else items[0])
            at += size * kinds[-1].itemsize
    return at


def _stacked(source: Source, element: _Element, names: tuple[str, ...]) -> np.ndarray:
    """(n, k) values of k scalar columns."""
    for name in names:
        if name not in element.columns or isinstance(element.columns[name], tuple):
            raise source.error(f"element {element.name!r} has no number {name!r}", element.line)
    if not element.count:
        return np.zeros((0, len(names)))
    columns = [np.asarray(element.values[name]) for name in names]
    whole = all(column.dtype.kind in "iu" for column in columns)
    return np.stack([column.astype(np.int64 if whole else np.float64) for column in columns], axis=1)


def _looks(source: Source, vertex: _Element, face: _Element) -> Looks | None:
    """The polygons, colours and texture points; None where there are triangles alone."""
    name = next(n for n in _FACE_LISTS if isinstance(face.columns.get(n), tuple))
    sizes, corners = _flat(face.values[name])
    colours = uv = None
    names = next((group for group in (_CLEAR, _COLOUR) if vertex.columns.keys() >= set(group)), None)
    if names is not None:
        kind = vertex.columns[names[0]]
        scale = 1.0 if kind[0] == "f" else float(np.iinfo(kind).max)
        rgb = np.clip(_stacked(source, vertex, names) / scale, 0.0, 1.0)
        colours = np.concatenate([light(rgb[:, :3]), rgb[:, 3:] if len(names) == 4 else np.ones((len(rgb), 1))], axis=1)
    names = next((group for group in _UV if vertex.columns.keys() >= set(group)), None)
    if isinstance(face.columns.get(_CORNER_UV), tuple):
        pairs, flat = _flat(face.values[_CORNER_UV])
        uv = flat.reshape(-1, 2) if np.array_equal(pairs, 2 * sizes) else None  # some faces may have none
    elif names is not None:
        uv = _stacked(source, vertex, names).astype(float)[corners]
    if colours is None and uv is None and np.all(sizes == 3):
        return None
    return source.build(Looks, sizes, corners, uv, colours=None if colours is None else colours[corners])


def _flat(lists: np.ndarray | list) -> tuple[np.ndarray, np.ndarray]:
    """The lengths of all lists of a column, and all of their items."""
    if isinstance(lists, np.ndarray):
        return np.full(*lists.shape), lists.ravel()
    return np.array([*map(len, lists)]), np.concatenate([np.asarray(items) for items in lists])


def _triangles(source: Source, element: _Element, count: int) -> np.ndarray:
    name = next((n for n in _FACE_LISTS if isinstance(element.columns.get(n), tuple)), None)
    if name is None or element.columns[name][1][0] == "f":
        raise source.error("element 'face' has no list of whole numbers 'vertex_indices'", element.line)
    faces = element.values[name]
    sizes = [faces.shape[1]] if isinstance(faces, np.ndarray) else [*map(len, faces)]
    if min(sizes) < 3:
        raise source.error(f"face {sizes.index(min(sizes))} has {min(sizes)} corners; expected 3 or more")
    return fan(source, faces, None, count)


def encode(mesh: TriMesh | EdgeMesh | PointCloud, text: bool) -> bytes:
    """Write 64-bit floats: little-endian binary, or text with the digits that read back exactly."""
    names, points = ["x", "y", "z"], mesh.vertices
    if isinstance(mesh, PointCloud) and mesh.normals is not None:
        names, points = [*names, "nx", "ny", "nz"], np.concatenate([points, mesh.normals], axis=1)
    head = ["ply", f"format {'ascii' if text else 'binary_little_endian'} 1.0", f"element vertex {len(points)}"]
    head += [f"property double {name}" for name in names]
    cells = np.zeros((0, 0), np.int32)
    if isinstance(mesh, TriMesh):
        head += [f"element face {len(mesh.triangles)}", "property list uchar int vertex_indices"]
        cells = np.concatenate([np.full((len(mesh.triangles), 1), 3, np.int32), mesh.triangles], axis=1)
    elif isinstance(mesh, EdgeMesh):
        head += [f"element edge {len(mesh.edges)}", "property int vertex1", "property int vertex2"]
        cells = mesh.edges
    out = "\n".join([*head, "end_header\n"])
    if text:
        return (out + number_lines(points) + (number_lines(cells) if len(cells) else "")).encode()
    if isinstance(mesh, TriMesh):
        rows = np.empty(len(cells), [("size", "u1"), ("corners", "<i4", 3)])
        rows["size"], rows["corners"] = 3, mesh.triangles
    else:
        rows = cells.astype("<i4")
    return out.encode() + points.astype("<f8").tobytes() + rows.tobytes()
