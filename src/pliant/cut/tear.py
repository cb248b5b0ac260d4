"""Tears of a mesh across the largest stretch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..geometry.mesh.mesh import rows_of, unique_rows
from .node_copies import Copied
from .split import facets_of, split

SHARP = 4  # exponent of the load in the weights of elements at a node
TIP = 0.6  # of the full angle: a rim node with more material around it is the tip of a notch or a tear


@dataclass(frozen=True, eq=False)
class Torn(Copied):
    """Elements after a tear, as many and in the same order, on more vertices, and the old vertex of each new one."""

    elements: np.ndarray  # (m, k)
    origin: np.ndarray  # (n,) the old ones come first
    vertices: np.ndarray  # (t,) vertices before the tear at which it began
    rim: np.ndarray | None = None  # (n,) whether vertices are on the rim now


def torn(
    elements: np.ndarray,
    rest: np.ndarray,
    volumes: np.ndarray,
    load: np.ndarray,
    tensor: Callable[[np.ndarray], np.ndarray],
    may: np.ndarray,
    affords: Callable[[np.ndarray, np.ndarray], bool],
    rim: np.ndarray | None = None,
) -> Torn | None:
    """Tear triangles or tets at overloaded nodes; None if there are none.

    ``load`` (m,) is the load of each element over its strength, and ``tensor(some)`` (s, 3, 3) the same with directions of the
    rest shape. ``may`` (n,) marks nodes that may start, ``affords(around, facets)`` tells whether the elements around one have
    the energy for new faces. ``rim`` (n,) is that of the mesh, if known.
    """
    count = len(rest)
    heavy = np.zeros(count, bool)
    heavy[elements[load >= 1.0]] = True
    heavy &= may
    if not heavy.any():
        return None
    rim = rim_of(elements, count) if rim is None else rim
    chosen, started, tips = [], [], np.zeros(count, bool)
    for of_tips in (True, False):  # tears grow before others begin
        some = heavy & (rim if of_tips else ~tips)
        near = rows_of(some[elements])
        if not len(near):
            continue
        # among the elements around these nodes alone, whose nodes are numbered in the same order
        own, local = np.unique(elements[near], return_inverse=True)
        local, X, nodes = local.reshape(-1, elements.shape[1]), rest[own], np.flatnonzero(some[own])
        if of_tips:
            nodes = nodes[_angles(local, X)[nodes] > TIP]
            tips[own[nodes]] = True
        blocked = np.zeros(len(own), bool)
        for v, around, across in _by_load(local, volumes[near], load[near], lambda few, near=near: tensor(near[few]), nodes):
            if blocked[local[around]].any():
                continue
            facets = _between(local[around], X, v, across)
            if len(facets) and affords(near[around], own[facets]):
                blocked[local[around]] = True
                chosen.append(own[facets])
                started.append(own[v])
                if not of_tips:
                    break
        if chosen:
            break
    if not chosen:
        return None
    facets = np.concatenate(chosen)
    new, origin = split(elements, count, facets)
    if len(origin) == count:
        return None
    return Torn(new, origin, np.array(started), _rim_after(rim, new, origin, facets))


def rim_of(elements: np.ndarray, count: int) -> np.ndarray:
    """(count,) vertices of boundary facets."""
    facets, rim = facets_of(elements).reshape(-1, elements.shape[1] - 1), np.zeros(count, bool)
    first, _, number = unique_rows(facets)
    rim[facets[first[number == 1]]] = True
    return rim


def _rim_after(rim: np.ndarray, elements: np.ndarray, origin: np.ndarray, facets: np.ndarray) -> np.ndarray:
    """(n,) vertices of the rim after the old ``facets`` (b, k − 1) were opened."""
    hit, now = np.zeros(len(rim), bool), rim[origin]
    hit[facets] = True
    near = elements[rows_of(hit[origin[elements]])]
    sides = facets_of(near).reshape(-1, facets.shape[1])
    _, number, _ = unique_rows(np.concatenate([np.sort(facets, axis=1), np.sort(origin[sides], axis=1)]))
    sides = sides[np.isin(number[len(facets) :], number[: len(facets)])]
    once, _, times = unique_rows(sides)
    now[sides[once[times == 1]]] = True
    return now


def _by_load(
    elements: np.ndarray, volumes: np.ndarray, load: np.ndarray, tensor: Callable[[np.ndarray], np.ndarray], nodes: np.ndarray
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """The nodes by falling load, with the elements around each and the direction of its largest load."""
    if not len(nodes):
        return
    count = int(elements.max()) + 1
    at = np.zeros(count, bool)
    at[nodes] = True
    near = rows_of(at[elements])
    # the most loaded elements set the direction: the flanks of a tear are unloaded, and elements ahead bear all
    weight = volumes[near] * np.maximum(load[near], 1e-12) ** SHARP
    share, total, weights = tensor(near) * weight[:, None, None], np.zeros((count, 3, 3)), np.zeros(count)
    for column in elements[near].T:
        np.add.at(total, column, share)
        np.add.at(weights, column, weight)
    value, axes = np.linalg.eigh(total[nodes] / weights[nodes, None, None])
    bears, across = value[:, -1], axes[:, :, -1]
    corners = elements[near].ravel()
    by_node = np.argsort(corners, kind="stable")
    starts = np.searchsorted(corners[by_node], np.arange(count + 1))
    for i in np.lexsort((nodes, -bears.round(9))).tolist():
        v = int(nodes[i])
        yield v, near[by_node[starts[v] : starts[v + 1]] // elements.shape[1]], across[i]


def _fan(around: list[list[int]], v: int) -> list[tuple[tuple[int, ...], int, int]]:
    """Facets at v that two elements around it share, and these elements, in the order of the facets."""
    owners: dict[tuple[int, ...], list[int]] = {}
    for e, corners in enumerate(around):
        for other in corners:
            if other != v:
                owners.setdefault(tuple(sorted([c for c in corners if c != other])), []).append(e)
    return [(facet, *pair) for facet, them in sorted(owners.items()) for pair in pairwise(them)]


def _between(around: np.ndarray, rest: np.ndarray, v: int, across: np.ndarray) -> np.ndarray:
    """(b, k − 1) facets at v between the elements before and behind the plane through v with normal ``across``.

    Elements not connected to most of their side move to the other, so that a tear continues at its tip. For a few elements
    lists are many times as fast as arrays.
    """
    fan = _fan(around.tolist(), v)
    middle = rest[around].mean(axis=1) - rest[v]
    before = (middle @ across > 0).tolist()
    size = (np.linalg.norm(middle, axis=1) ** (around.shape[1] - 1)).tolist()
    for _ in range(2):
        part = _parts(len(before), [(i, j) for _, i, j in fan if before[i] == before[j]])
        sizes: dict[int, float] = {}
        for own, more in zip(part, size):
            sizes[own] = sizes.get(own, 0.0) + more
        for side in (True, False):
            own = sorted({p for p, there in zip(part, before) if there == side})
            if len(own) > 1:
                most = max(own, key=sizes.__getitem__)
                before = [not side if p in own and p != most else there for p, there in zip(part, before)]
    chosen = [facet for facet, i, j in fan if before[i] != before[j]]
    return np.array(chosen, dtype=around.dtype).reshape(-1, around.shape[1] - 1)


def _parts(count: int, pairs: list[tuple[int, int]]) -> list[int]:
    """The first item of each item's component, for a few items connected by pairs."""
    part = list(range(count))
    for i, j in pairs:
        old, new = max(part[i], part[j]), min(part[i], part[j])
        if old != new:
            part = [new if one == old else one for one in part]
    return part


def _angles(elements: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """(n,) fraction of the full angle filled around each node, given all its elements."""
    k, angle = elements.shape[1], np.zeros(len(rest))
    for j in range(k):
        edges = rest[np.delete(elements, j, axis=1)] - rest[elements[:, j]][:, None]
        edges /= np.linalg.norm(edges, axis=2, keepdims=True)
        if k == 3:
            own = np.arccos(np.clip(np.einsum("ei,ei->e", edges[:, 0], edges[:, 1]), -1, 1)) / (2 * np.pi)
        else:  # solid angles by Van Oosterom & Strackee 1983
            a, b, c = edges[:, 0], edges[:, 1], edges[:, 2]
            below = 1 + sum(np.einsum("ei,ei->e", p, q) for p, q in ((a, b), (b, c), (c, a)))
            own = 2 * np.arctan2(np.abs(np.linalg.det(edges)), below) / (4 * np.pi)
        np.add.at(angle, elements[:, j], own)
    return angle


def broken(edges: np.ndarray, count: int, load: np.ndarray, may: np.ndarray) -> Torn | None:
    """Detach the most overloaded thread from the node of its two where more threads meet; None if none is overloaded."""
    degree = np.bincount(edges.ravel(), minlength=count)
    load = np.where((may[edges] & (degree[edges] > 1)).any(axis=1), load, 0.0)
    worst = int(np.argmax(load))
    if load[worst] < 1.0:
        return None
    ends = edges[worst]
    end = int(np.argmax(np.where(may[ends], degree[ends], 0)))
    new = edges.copy()
    new[worst, end] = count
    return Torn(new, np.append(np.arange(count), ends[end]), ends[end : end + 1])
