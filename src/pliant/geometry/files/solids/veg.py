"""Vega's text format: points, tets and named regions."""

from __future__ import annotations

from operator import itemgetter

import numpy as np

from ....errors import InputError, did_you_mean
from ...mesh.mesh import TetMesh
from ..source import Source, number_lines, numbered_lines, show

HOLDS = ("tets", "regions")
# Vega's own defaults: density 1000 kg/m³, Young's modulus 1e6 Pa, Poisson's ratio 0.45.
_MATERIAL = "ENU, 1000, 1000000, 0.45"
_SECTIONS = ("VERTICES", "ELEMENTS", "MATERIAL", "SET", "REGION")


def read(source: Source) -> TetMesh:
    """Read points and tets; each ``*REGION`` becomes one region, numbered in file order; materials are dropped.

    Numbers may start at 0 or 1, as the first point does. Cubes and ``*INCLUDE`` are not read.
    """
    sections = _sections(source)
    points, first = _vertices(source, _only(source, sections, "VERTICES"))
    tets = _tets(source, _only(source, sections, "ELEMENTS"), len(points), first)
    regions = _regions(source, sections, len(tets), first)
    return source.build(TetMesh, points, tets, regions)


def _sections(source: Source) -> list[tuple[str, str, int, list[tuple[int, list[bytes]]]]]:
    """Each section as (keyword, its argument, line, [(line, words)])."""
    sections = []
    for line, text in enumerate(source.lines(), 1):
        words = text.replace(b",", b" ").split()
        if not words:
            continue
        if not words[0].startswith(b"*"):
            if not sections:
                raise source.error(f"starts with {show(words[0])}; expected a section such as '*VERTICES'", line)
            sections[-1][3].append((line, words))
            continue
        keyword = words[0][1:].decode("ascii", "replace").upper()
        if keyword == "INCLUDE":
            raise source.error("*INCLUDE is not read; paste the included file in its place", line)
        if keyword not in _SECTIONS:
            known = ", ".join("*" + name for name in _SECTIONS)
            raise source.error(f"section {show(words[0])}{did_you_mean(keyword, _SECTIONS)}; expected {known}", line)
        sections.append((keyword, b" ".join(words[1:]).decode("latin-1"), line, []))
    return sections


def _only(source: Source, sections: list, keyword: str) -> tuple[int, list[tuple[int, list[bytes]]]]:
    matching = [(line, rows) for name, _, line, rows in sections if name == keyword]
    if len(matching) != 1:
        line = matching[1][0] if matching else None
        raise source.error(f"has {len(matching)} sections *{keyword}; expected one", line)
    return matching[0]


def _body(source: Source, rows: list, line: int, width: int, kind: type, what: str) -> np.ndarray:
    """The rows after a header row (count, values per row, …), as (n, 1 + width) with their own numbers first."""
    if not rows:
        raise source.error(f"the section ends before its count of {what}s", line)
    count, given = source.table([rows[0][1]], [rows[0][0]], 2, int, "the count line")[0].tolist()
    if given != width:
        raise source.error(f"gives {given} numbers to {what}; expected {width}", rows[0][0])
    if count != len(rows) - 1:
        raise source.error(f"promises {count} rows of {what}, but {len(rows) - 1} follow", rows[0][0])
    lines, words = [n for n, _ in rows[1:]], [w for _, w in rows[1:]]
    table = source.table(words, lines, 1 + width, kind, what)
    bad = np.flatnonzero(table[:, 0] != (table[0, 0] if count else 0) + np.arange(count))
    if len(bad):
        raise source.error(f"{what} is out of order: number {table[bad[0], 0]:g}", lines[bad[0]])
    return table


def _vertices(source: Source, section: tuple) -> tuple[np.ndarray, int]:
    table = _body(source, section[1], section[0], 3, float, "a vertex")
    if len(table) and table[0, 0] not in (0, 1):
        raise source.error(f"the first vertex has number {table[0, 0]:g}; expected 0 or 1", section[0])
    return table[:, 1:], int(table[0, 0]) if len(table) else 0


def _tets(source: Source, section: tuple, count: int, first: int) -> np.ndarray:
    line, rows = section
    kind = rows[0][1][0].upper() if rows else b""
    if kind not in (b"TET", b"TETS"):
        raise source.error(f"elements of type {show(kind)}; only TET is read", line)
    table = _body(source, rows[1:], line, 4, int, "a tet")
    bad = np.flatnonzero(((table[:, 1:] < first) | (table[:, 1:] >= first + count)).any(axis=1))
    if len(bad):
        last = first + count - 1
        raise source.error(f"{len(bad)} tets name a vertex outside {first}…{last}, this is the first", rows[2 + bad[0]][0])
    return table[:, 1:] - first


def _regions(source: Source, sections: list, count: int, first: int) -> np.ndarray | None:
    """(m,) number of the ``*REGION`` that holds each tet; None where there is none, or one that holds them all."""
    sets = {name: (line, rows) for keyword, name, line, rows in sections if keyword == "SET"}
    named = [(line, rows) for keyword, _, line, rows in sections if keyword == "REGION"]
    names = []
    for line, rows in named:
        if not rows or len(rows[0][1]) < 2:
            raise source.error("a region needs a set and a material", line)
        names.append((rows[0][1][0].decode("latin-1"), rows[0][0]))
    if not names or [name for name, _ in names] == ["allElements"]:
        return None
    regions = np.full(count, -1)
    last = {name: (number, line) for number, (name, line) in enumerate(names)}  # the last region of a set counts
    for name, (number, line) in sorted(last.items(), key=itemgetter(1)):
        if name == "allElements":
            members = np.arange(count)
        elif name not in sets:
            raise source.error(f"no set {name!r}{did_you_mean(name, sets)}", line)
        else:
            words = [(n, [word]) for n, row in sets[name][1] for word in row]
            members = source.table([w for _, w in words], [n for n, _ in words], 1, int, "a set")[:, 0] - first
            if len(members) and not (members.min() >= 0 and members.max() < count):
                raise source.error(f"set {name!r} names a tet outside {first}…{first + count - 1}", sets[name][0])
        regions[members] = number
    if (regions < 0).any():
        missing = np.flatnonzero(regions < 0)
        raise source.error(f"{len(missing)} tets belong to no region, first tet {missing[0] + first}")
    return regions


def encode(mesh: TetMesh, text: bool) -> bytes:
    """Write digits that read back exactly; Vega needs a material, so its own default is written as a placeholder."""
    count, cells = len(mesh.vertices), len(mesh.tets)
    points = numbered_lines(mesh.vertices, 1)
    tets = number_lines(np.concatenate([np.arange(cells)[:, None], mesh.tets], axis=1) + np.int64(1))
    out = [f"*VERTICES\n{count} 3 0 0\n{points}\n*ELEMENTS\nTET\n{cells} 4 0\n{tets}"]
    out.append(f"\n# The mesh carries no material; these are Vega's defaults.\n*MATERIAL default\n{_MATERIAL}\n")
    if mesh.regions is None:
        out.append("\n*REGION\nallElements, default\n")
        return "".join(out).encode()
    total = int(mesh.regions.max(initial=-1)) + 1
    if total > max(cells, 1000):
        raise InputError(f"the regions go up to {total - 1}, too many to name as Vega sets; number them from 0 up")
    order = np.argsort(mesh.regions, kind="stable")
    ends = np.searchsorted(mesh.regions[order], np.arange(total + 1))
    for region in range(total):
        members = (order[ends[region] : ends[region + 1]] + 1).tolist()
        rows = [", ".join(map(str, members[i : i + 8])) + ",\n" for i in range(0, len(members), 8)]
        out.append(f"\n*SET region{region}\n{''.join(rows)}\n*REGION\nregion{region}, default\n")
    return "".join(out).encode()
