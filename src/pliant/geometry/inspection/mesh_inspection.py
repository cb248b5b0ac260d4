"""Inspection of meshes: counts, quality and topology in one report."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ...arguments import checks
from ...errors import InputError, first_few
from ..distance.volume import Volume, VolumeReport, volume_report
from ..lattice.hex_mesh import EDGES, HexMesh
from ..mesh import tet10
from ..mesh.groups import Group
from ..mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh, unique_rows
from .hex_inspection import hexahedra

if TYPE_CHECKING:
    from ..distance.sdf import Sdf
    from ..tetrahedra.fill_error import Likeness

_CELLS = {TetMesh: "tets", HexMesh: "hexes", TriMesh: "triangles", EdgeMesh: "edges"}
_TETS_AT_ONCE = 1 << 17


@dataclass(frozen=True)
class MeshReport:
    """The findings of :func:`inspect`; a number that means nothing for this kind of mesh is None."""

    kind: str
    vertices: int
    cells: int  # tets, hexahedra, triangles or edges; 0 for a cloud
    lower: tuple[float, ...] | None  # corner of the bounding box [m]
    upper: tuple[float, ...] | None  # corner of the bounding box [m]
    edge_lengths: tuple[float, ...] | None = None  # shortest, mean, longest [m]; to the nearest point for a cloud
    length: float | None = None  # of all edges [m]
    area: float | None = None  # of the surface [m²]
    volume: float | None = None  # [m³]; of a surface, only where it is watertight
    components: int | None = None
    holes: int | None = None  # boundary loops of the surface; loops that touch count as one
    watertight: bool | None = None  # every edge of the surface has two triangles
    oriented: bool | None = None  # neighbours agree on which side is out
    regions: int | None = None
    groups: tuple[str, ...] = ()  # named parts, with what they have
    inverted: int = 0
    flat: int = 0  # cells of no volume, area or length
    slivers: int = 0
    duplicate_vertices: int = 0
    duplicate_cells: int = 0
    unreferenced_vertices: int = 0
    non_manifold: int = 0  # edges with more than two triangles, faces with more than two tets
    dihedral_range: tuple[float, ...] | None = None  # smallest and largest angle between faces of one tet [degrees]
    dihedral_histogram: tuple[int, ...] | None = None  # angles in 18 bins of 10 degrees
    evenness: float | None = None  # least det J of ten-node tets, over that of straight ones
    problems: tuple[str, ...] = ()  # what should be mended, one sentence each
    notes: tuple[str, ...] = ()  # what may be as intended
    likeness: Likeness | None = None  # to the solid that it was compared with

    @property
    def ok(self) -> bool:
        """Whether nothing needs mending; an open surface is a note, no problem: see ``watertight``."""
        return not self.problems

    def as_dict(self) -> dict:
        """Every finding by name, ready for JSON."""
        plain = asdict(self) | {"ok": self.ok}
        if self.likeness is not None:
            arrays = {name: getattr(self.likeness, name).tolist() for name in ("missed", "lost")}
            plain["likeness"] |= arrays | {"volume_error": self.likeness.volume_error}
        return plain

    def __str__(self) -> str:
        rows = [(self.kind, f"{self.vertices:,} vertices" + (f", {self.cells:,} {self._noun}" if self.cells else ""))]
        if self.lower and self.upper:
            size = " × ".join(f"{b - a:.4g}" for a, b in zip(self.lower, self.upper))
            corners = " … ".join("(" + ", ".join(f"{x:.4g}" for x in c) + ")" for c in (self.lower, self.upper))
            rows.append(("bounds", f"{size} m, {corners} m"))
        if self.edge_lengths:
            label = "spacing" if self.kind == "PointCloud" else "edges"
            rows.append((label, "{:.4g} … {:.4g} m, mean {:.4g} m".format(*np.array(self.edge_lengths)[[0, 2, 1]])))
        for name, unit in (("length", "m"), ("area", "m²"), ("volume", "m³")):
            if getattr(self, name) is not None:
                rows.append((name, f"{getattr(self, name):.6g} {unit}"))
        if self.likeness is not None:
            rows.append(("solid", f"{self.likeness.shape_volume:.6g} m³ ({self.likeness.volume_error:+.2%})"))
        for name in ("regions", "components", "holes"):
            if getattr(self, name) is not None:
                rows.append((name, f"{getattr(self, name):,}"))
        rows += [("" if i else "groups", words) for i, words in enumerate(self.groups)]
        for name in ("watertight", "oriented"):
            if getattr(self, name) is not None:
                rows.append((name, "yes" if getattr(self, name) else "no"))
        if self.dihedral_range and self.dihedral_histogram:
            rows.append(("dihedral", "{:.2f}° … {:.2f}°".format(*self.dihedral_range)))
            top = max(self.dihedral_histogram) or 1
            bars = "".join(" ▁▂▃▄▅▆▇█"[-(-8 * n // top)] for n in self.dihedral_histogram)
            rows.append(("", f"0° |{bars}| 180°"))
        if self.evenness is not None:
            rows.append(("ten nodes", f"least det J {self.evenness:.3g} of that of straight tets"))
        rows.append(("problems", self.problems[0] if self.problems else "none"))
        rows += [("", sentence) for sentence in self.problems[1:]]
        rows += [("notes" if i == 0 else "", sentence) for i, sentence in enumerate(self.notes)]
        return "\n".join(f"{name:<12}{value}" for name, value in rows)

    @property
    def _noun(self) -> str:
        return {kind.__name__: noun for kind, noun in _CELLS.items()}.get(self.kind, "")


@dataclass
class Draft:
    """A report while it is being filled in."""

    facts: dict = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, name: str, where: np.ndarray, one: str, many: str, advice: str) -> None:
        """Record how many there are and, where any, the sentence about them."""
        self.facts[name] = self.facts.get(name, 0) + len(where)
        if len(where):
            what = one if len(where) == 1 else many
            self.problems.append(f"{len(where):,} {what}: {first_few(where)}; {advice}")


def inspect(
    mesh: TetMesh | HexMesh | TriMesh | EdgeMesh | PointCloud | Volume,
    sliver_degrees: float = 5.0,
    flat: float = 1e-12,
    of: TriMesh | Sdf | None = None,
) -> MeshReport | VolumeReport:
    """Look a mesh over: counts, bounds, volume, bad cells, duplicates, holes, components, orientation.

    Of a Volume: shape, spacing, range, and the labels with their volumes.

    ``sliver_degrees``: a tet with a dihedral angle below this is a sliver [degrees], and a
    hexahedron with a corner whose scaled Jacobian is below the sine of it; ``flat``: a cell is flat where its
    volume (area, length) is below this times that of a cube (square, edge) on its longest edge (the box). ``of``: the
    solid that tets were made for, as a surface or a signed distance; the report then has its ``likeness``, and what was
    lost is among the problems.
    """
    shapes = (TetMesh, HexMesh, TriMesh, EdgeMesh, PointCloud, Volume)
    checks.instance("mesh", mesh, shapes, "TetMesh, HexMesh, TriMesh, EdgeMesh, PointCloud or Volume")
    checks.number("sliver_degrees", sliver_degrees, 0, 180, "a number of degrees from 0 to 180")
    checks.number("flat", flat, 0, expected="a number from 0 up")
    if of is not None:
        if not isinstance(mesh, TetMesh) or not len(mesh.tets):
            raise InputError(f"of=… compares tets with a solid; this {type(mesh).__name__} has no tets")
        from ..tetrahedra.fill_error import likeness

        report, compared = inspect(mesh, sliver_degrees, flat), likeness(mesh, of)
        return replace(report, problems=(*report.problems, *compared.warnings), likeness=compared)
    if isinstance(mesh, Volume):
        return volume_report(mesh)
    cells = getattr(mesh, _CELLS[type(mesh)]) if type(mesh) in _CELLS else np.zeros((0, 1), np.int32)
    draft = Draft()
    draft.facts |= {"kind": type(mesh).__name__, "vertices": len(mesh.vertices), "cells": len(cells)}
    bounds = mesh.bounds if len(mesh.vertices) else None
    lower, upper = (None, None) if bounds is None else (tuple(map(float, corner)) for corner in bounds)
    draft.facts |= {"lower": lower, "upper": upper, "groups": tuple(map(_group, getattr(mesh, "groups", ())))}
    if bounds is None:
        draft.problems.append("it has no vertices; check the file or the code it comes from")
        return MeshReport(**draft.facts, problems=tuple(draft.problems))
    size = float(np.max(bounds[1] - bounds[0])) or 1.0
    # Angles and shapes do not depend on place or size; with both taken out no product overflows or underflows.
    X = (mesh.vertices - bounds[0]) / size
    _vertices(draft, mesh.vertices, mesh.cells if isinstance(mesh, TetMesh) else cells)
    if isinstance(mesh, PointCloud):
        _cloud(draft, mesh, X, size)
    elif not len(cells):
        draft.problems.append(f"it has no {_CELLS[type(mesh)]}; check the file or the code it comes from")
    else:
        _cells(draft, X, cells, size, _CELLS[type(mesh)])
        of_kind = {TetMesh: _solid, HexMesh: hexahedra, TriMesh: _surface, EdgeMesh: _edges}[type(mesh)]
        of_kind(draft, mesh, X, size, sliver_degrees, flat)
        if draft.facts["components"] > 1:
            draft.notes.append(f"it is in {draft.facts['components']:,} parts that share no vertex")
    return MeshReport(**draft.facts, problems=tuple(draft.problems), notes=tuple(draft.notes))


def _group(group: Group) -> str:
    """The name of a group and what it has, as "clamp: 12 nodes, 14 faces"."""
    parts = [(part, getattr(group, part)) for part in ("nodes", "faces", "cells")]
    return f"{group.name}: " + ", ".join(f"{len(own):,} {part}" for part, own in parts if own is not None)


def _vertices(draft: Draft, vertices: np.ndarray, cells: np.ndarray) -> None:
    """Coinciding and unused vertices."""
    order = np.lexsort(vertices.T)
    same = np.concatenate([[False], (vertices[order][1:] == vertices[order][:-1]).all(axis=1)])
    repeated = np.sort(order[same])  # lexsort is stable, so the first of each group is the one kept
    draft.count(
        "duplicate_vertices", repeated, "vertex lies exactly on another", "vertices lie exactly on another",
        "cells on either side are not joined there",
    )  # fmt: skip
    if len(cells):
        used = np.zeros(len(vertices), bool)
        used[cells.ravel()] = True
        draft.count(
            "unreferenced_vertices", np.flatnonzero(~used), "vertex belongs to no cell", "vertices belong to no cell",
            "they would be loose points without mass",
        )  # fmt: skip


def _cells(draft: Draft, X: np.ndarray, cells: np.ndarray, size: float, noun: str) -> None:
    """Repeated cells, edge lengths and connected parts, for every kind of cell."""
    first, inverse, count = unique_rows(np.sort(cells, axis=1))
    repeated = np.flatnonzero(first[inverse] != np.arange(len(cells))) if (count > 1).any() else np.zeros(0, int)
    draft.count(
        "duplicate_cells", repeated, f"of the {noun} repeats the vertices of an earlier one",
        f"of the {noun} repeat the vertices of earlier ones", "remove them",
    )  # fmt: skip
    shortest, longest, total, pairs = np.inf, 0.0, 0.0, 0
    ends = EDGES if noun == "hexes" else np.argwhere(np.tri(cells.shape[1], k=-1))  # of the edges, among its nodes
    for i, j in ends:
        lengths = np.linalg.norm(X[cells[:, i]] - X[cells[:, j]], axis=1)
        shortest, longest = min(shortest, lengths.min()), max(longest, lengths.max())
        total, pairs = total + lengths.sum(), pairs + len(lengths)
    draft.facts["edge_lengths"] = (float(shortest * size), float(total / pairs * size), float(longest * size))
    draft.facts["components"] = _components(cells, len(X))


def _components(cells: np.ndarray, count: int) -> int:
    """Parts that share no vertex; vertices of no cell do not count."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    hub, spokes = np.repeat(cells[:, 0], cells.shape[1] - 1), cells[:, 1:].ravel()
    graph = coo_array((np.ones(len(hub), np.int8), (hub, spokes)), shape=(count, count))
    labels = connected_components(graph, directed=False)[1]
    return len(np.unique(labels[cells[:, 0]]))


def _solid(draft: Draft, mesh: TetMesh, X: np.ndarray, size: float, sliver_degrees: float, flat: float) -> None:
    """Tets: volumes, dihedral angles, faces."""
    a, b, c, d = (X[mesh.tets[:, i]] for i in range(4))
    volumes = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) / 6.0
    longest = np.max([np.einsum("ij,ij->i", p - q, p - q) for p, q in ((a, b), (a, c), (a, d), (b, c), (b, d), (c, d))], axis=0)
    thin = np.abs(volumes) <= flat * longest**1.5
    draft.facts |= {"volume": _times(volumes.sum(), size, 3), "inverted": 0, "flat": 0}
    inverted = np.flatnonzero((volumes < 0) & ~thin)
    draft.count("inverted", inverted, "tet is inverted", "tets are inverted", "swap two of its corners, or mesh again")
    draft.count("flat", np.flatnonzero(thin), "tet has no volume", "tets have no volume", "remove it, or mesh again")
    smallest, largest, histogram = dihedral_angles(X, mesh.tets)
    draft.facts |= {
        "dihedral_range": (float(smallest.min()), float(largest.max())),
        "dihedral_histogram": tuple(histogram.tolist()),
    }
    slivers = np.flatnonzero((smallest < sliver_degrees) & ~thin)
    degrees = f"a dihedral angle below {sliver_degrees:g}°"
    draft.count("slivers", slivers, f"tet has {degrees}", f"tets have {degrees}", "mesh again for a steadier simulation")
    faces = np.sort(mesh.tets[:, [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]].reshape(-1, 3), axis=1)
    first, _, count = unique_rows(faces)
    crowded = np.sort(first[count > 2] // 4)
    draft.count(
        "non_manifold", crowded, "face belongs to more than two tets, first seen in tet",
        "faces belong to more than two tets, first seen in tets", "the solid overlaps itself there",
    )  # fmt: skip
    outer = first[count == 1]
    p, q, r = X[faces[outer]].transpose(1, 0, 2)
    draft.facts["area"] = _times(np.linalg.norm(np.cross(q - p, r - p), axis=1).sum() / 2, size, 2)
    pairs = faces[outer][:, [0, 1, 1, 2, 0, 2]].reshape(-1, 2)
    once, _, shared = unique_rows(pairs)
    draft.facts |= {
        "oriented": not len(inverted),
        "watertight": bool((shared == 2).all()),
        "holes": _loops(pairs[once[shared == 1]], len(X)),
    }
    if (shared > 2).any():
        pinched = pairs[np.sort(once[shared > 2])][:, 0]
        draft.notes.append(f"the solid touches itself along {len(pinched):,} edges, at vertices {first_few(pinched)}")
    if mesh.middles is not None:
        _ten_nodes(draft, mesh, X, size)
    if mesh.regions is not None:
        draft.facts["regions"] = len(np.unique(mesh.regions))


def _ten_nodes(draft: Draft, mesh: TetMesh, X: np.ndarray, size: float) -> None:
    """Tets with nodes on their edges: volume and area of what is bent, tets that turn over, edges that do not fit."""
    evenness = tet10.evenness(X[mesh.cells])
    p, q, r = X[mesh.boundary_triangles].transpose(1, 0, 2)
    area = np.linalg.norm(np.cross(q - p, r - p), axis=1).sum() / 2
    volume = tet10.volumes(X[mesh.cells]).sum()
    draft.facts |= {"volume": _times(volume, size, 3), "area": _times(area, size, 2), "evenness": float(evenness.min())}
    upright = np.linalg.det(X[mesh.tets[:, 1:]] - X[mesh.tets[:, :1]]) > 0  # the others are named already
    draft.count(
        "inverted", np.flatnonzero((evenness <= 0) & upright), "ten-node tet turns over, so much is it bent",
        "ten-node tets turn over, so much are they bent", "check the order of nodes, or take mesh.linear().quadratic()",
    )  # fmt: skip
    pairs, middles = np.sort(mesh.tets[:, tet10.EDGES].reshape(-1, 2), axis=1), mesh.middles.ravel()
    first, inverse, _ = unique_rows(pairs)
    torn = np.unique(np.flatnonzero(middles != middles[first][inverse]) // 6)
    if len(torn):
        draft.problems.append(
            f"{len(torn):,} tets have other nodes on edges than their neighbours, first tet {torn[0]}; the solid is torn there"
        )


def dihedral_angles(X: np.ndarray, tets: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (m,) smallest and (m,) largest angle of each tet [degrees], and (18,) counts of all in bins of 10°.

    Works on a hundred thousand tets at a time, so that memory stays small.
    ``X``: (n, 3) vertices; ``tets``: (m, 4). The angles of a tet with a face of no area are 0 and 180.
    """
    smallest, largest = np.empty(len(tets)), np.empty(len(tets))
    histogram = np.zeros(18, np.int64)
    for start in range(0, len(tets), _TETS_AT_ONCE):
        part = slice(start, start + _TETS_AT_ONCE)
        a, b, c, d = (X[tets[part, i]] for i in range(4))
        normals = [np.cross(p - q, r - q) for p, q, r in ((c, b, d), (d, a, c), (b, a, d), (c, a, b))]  # all out, or all in
        lengths = [np.sqrt(np.einsum("ij,ij->i", n, n)) for n in normals]
        units = [np.divide(n, l[:, None], out=np.zeros_like(n), where=l[:, None] > 0) for n, l in zip(normals, lengths)]
        cosines = [-np.einsum("ij,ij->i", units[i], units[j]) for i in range(4) for j in range(i)]
        angles = np.degrees(np.arccos(np.clip(np.stack(cosines), -1.0, 1.0)))
        collapsed = (np.stack(lengths) == 0).any(axis=0)
        angles[:, collapsed] = np.array([0, 0, 0, 180, 180, 180])[:, None]
        smallest[part], largest[part] = angles.min(axis=0), angles.max(axis=0)
        histogram += np.histogram(angles, bins=18, range=(0, 180))[0]
    return smallest, largest, histogram


def _surface(draft: Draft, mesh: TriMesh, X: np.ndarray, size: float, sliver_degrees: float, flat: float) -> None:
    """Triangles: area, edges, loops, orientation."""
    a, b, c = (X[mesh.triangles[:, i]] for i in range(3))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    longest = np.max([np.einsum("ij,ij->i", p - q, p - q) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    thin = np.flatnonzero(areas <= flat * longest)
    draft.count("flat", thin, "triangle has no area", "triangles have no area", "remove it, or mesh again")
    draft.facts["area"] = _times(areas.sum(), size, 2)
    pairs = mesh.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    ordered = np.sort(pairs, axis=1)
    first, inverse, count = unique_rows(ordered)
    draft.count(
        "non_manifold", np.sort(first[count > 2] // 3), "edge has more than two triangles, first seen in triangle",
        "edges have more than two triangles, first seen in triangles", "the surface has no clear inside there",
    )  # fmt: skip
    forward = np.bincount(inverse, pairs[:, 0] == ordered[:, 0], minlength=len(first))
    clash = np.sort(first[(count == 2) & (forward != 1)] // 3)
    sides = "the two triangles disagree on which side is out, first seen in"
    if len(clash):
        edges = f"edge, {sides} triangle" if len(clash) == 1 else f"edges {sides} triangles"
        draft.problems.append(f"at {len(clash):,} {edges}: {first_few(clash)}; turn the odd ones round")
    rim = ordered[first[count == 1]]
    watertight = bool((count == 2).all())
    draft.facts |= {"oriented": not len(clash), "watertight": watertight, "holes": _loops(rim, len(X))}
    if len(rim):
        loops = draft.facts["holes"]
        draft.notes.append(
            f"the surface is open: {loops:,} boundary loop{'s' * (loops != 1)} of {len(rim):,} edges in all, "
            f"at vertices {first_few(np.unique(rim))}"
        )
    if watertight and not len(clash):
        volume = float(np.einsum("ij,ij->i", np.cross(a - X.mean(0), b - X.mean(0)), c - X.mean(0)).sum() / 6)
        draft.facts["volume"] = _times(volume, size, 3)
        if volume < 0:
            draft.problems.append("the surface is inside out: its triangles face inwards; reverse each of them")


def _edges(draft: Draft, mesh: EdgeMesh, X: np.ndarray, size: float, sliver_degrees: float, flat: float) -> None:
    """Edges: lengths and loose ends."""
    lengths = np.linalg.norm(X[mesh.edges[:, 0]] - X[mesh.edges[:, 1]], axis=1)
    draft.facts["length"] = float(lengths.sum() * size)
    short = np.flatnonzero(lengths <= flat)
    draft.count("flat", short, "edge has no length", "edges have no length", "remove it, or move an end")
    ends = np.flatnonzero(np.bincount(mesh.edges.ravel(), minlength=len(X)) == 1)
    if len(ends):
        draft.notes.append(f"{len(ends):,} loose end{'s' * (len(ends) != 1)}, at vertices {first_few(ends)}")


def _cloud(draft: Draft, mesh: PointCloud, X: np.ndarray, size: float) -> None:
    """Points: spacing and normals."""
    from scipy.spatial import cKDTree

    if len(X) > 1:
        sample = X[:: 1 + len(X) // 20_000]  # evenly through the file: enough for the spacing, and no random choice
        gaps = cKDTree(X).query(sample, k=2)[0][:, 1] * size
        draft.facts["edge_lengths"] = (float(gaps.min()), float(gaps.mean()), float(gaps.max()))
    if mesh.normals is None:
        draft.notes.append("the points have no normals")
        return
    with np.errstate(over="ignore"):
        odd = np.flatnonzero(np.abs(np.linalg.norm(mesh.normals, axis=1) - 1) > 1e-3)
    if len(odd):
        draft.problems.append(f"{len(odd):,} normals are not of length 1: {first_few(odd)}; divide them by their length")


def _loops(rim: np.ndarray, count: int) -> int:
    return _components(rim, count) if len(rim) else 0


def _times(value: float, size: float, power: int) -> float:
    """A number of the unit-sized mesh at its true size."""
    return float(value) * size**power
