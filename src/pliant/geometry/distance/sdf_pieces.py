"""Pieces of a signed distance between its hollow edges.

In a hollow edge, where two faces meet, the distance of a union has a kink, and a body that lies there has no smooth energy. With
a distance of each face it has one. A − B is what A and ∁B have in common, and all that is outside of a box are a box that lies
deeper behind all faces but two, and plates behind those. Plates end near the hole, so that all else touches A once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_

import numpy as np

from .sdf import Sdf
from .sdf_codes import BOX, COMPLEMENT, CYLINDER, UNION
from .sdf_program import Instruction

MOST, FAR = 24, 1e3  # solids of a shape that are looked at; sizes of a plate, which has no end of its own
THICK = 0.25  # of the least size of a hole, how thick plates around it are
CLOSE = 1e-3  # of the least size in a shape, off two solids at which an edge between them is looked for
BENT = 0.985  # the cosine of 10°: faces whose normals differ by more have an edge
SEEDS, TURNS = 64, 16  # places from which edges are looked for, and steps from there


def pieces(shape: Sdf) -> tuple[Sdf, ...]:
    """Solids that are ``shape`` together, without hollow edges where primitives meet; itself where there are none."""
    steps = [step for step in shape.program if step.op < UNION]
    solids = _solids(shape) if len(shape.program) > 1 and len(steps) <= MOST else [shape]
    if len(solids) == 1:
        return (shape,)
    ends = np.concatenate([np.where(np.isfinite(step.bounds), step.bounds, step.origin) for step in steps])
    near = CLOSE * min((step.scale * min(map(abs, step.shape)) for step in steps if step.shape), default=1.0)
    around = np.stack([ends.min(axis=0), ends.max(axis=0)]) + (np.ptp(ends) or 1.0) * np.array([[-0.1], [0.1]])
    groups: list[list[Sdf]] = []
    for solid in solids:  # each goes to the first that it has no hollow edge with
        free = (group for group in groups if not any(_hollow(shape, solid, other, around, near) for other in group))
        if (group := next(free, None)) is None:
            groups.append(group := [])
        group.append(solid)
    return (shape,) if len(groups) == 1 else tuple(reduce(or_, group) for group in groups)


def _solids(shape: Sdf) -> list[Sdf]:
    """Solids whose union is ``shape``, none of them a union itself."""
    stack: list[tuple[list[Sdf], list[Sdf]]] = []  # what is inside, and what is outside
    for step in shape.program:
        if step.op < UNION:
            stack.append(([Sdf((step,))], _outside(step)))
            continue
        inside, outside = stack.pop()
        if step.op == COMPLEMENT:
            stack.append((outside, inside))
        else:
            first, outer = stack.pop()
            union = step.op == UNION
            stack.append((first + inside, _both(outer, outside)) if union else (_both(first, inside), outer + outside))
    return stack[0][0]


def _both(some: Sequence[Sdf], others: Sequence[Sdf]) -> list[Sdf]:
    if len(some) * len(others) > MOST:
        return [reduce(or_, some) & reduce(or_, others)]
    every = [a & b for a in some for b in others]
    return [solid for solid in every if np.all(np.diff(solid.bounds, axis=0) > 0)] or every[:1]


def _outside(step: Instruction) -> list[Sdf]:
    """Solids that are all that is outside of a primitive, without hollow edges that bodies could reach."""
    solid = lambda sizes, op=step.op: Sdf((replace(step, op=op, shape=tuple(map(float, sizes))),))
    if step.op not in (BOX, CYLINDER):
        return [~Sdf((step,))]
    sizes = np.array(step.shape)
    wide, far = sizes + THICK * sizes.min(), FAR * sizes.max()
    if step.op == BOX:
        deeper, slabs = (sizes[0], *wide[1:]), [(far, sizes[1], far), (far, far, sizes[2])]
    else:
        deeper, slabs = (wide[0], sizes[1]), [(far, far, sizes[0])]
    return [~solid(deeper), *(solid(wide) & ~solid(slab, BOX) for slab in slabs)]


def _hollow(shape: Sdf, one: Sdf, other: Sdf, around: np.ndarray, near: float) -> bool:
    """Whether some place outside of ``shape`` is as near to one of its solids as to another, in different directions."""
    low, high = (least([a, b, c], axis=0) for least, a, b, c in zip((np.max, np.min), one.bounds, other.bounds, around))
    if np.any(low > high + 2 * near):
        return False
    wide = 0.1 * np.max(high - low) + near  # what lies flat between two solids leads nowhere
    at = low - wide + np.random.default_rng(0).random((SEEDS, 3)) * (high - low + 2 * wide)
    for _ in range(TURNS):  # Gauss and Newton's method
        both = np.stack([one.evaluated(at), other.evaluated(at)], axis=1)
        normals, off = both[..., :3], both[..., 3] - near
        found = np.all(np.abs(off) < CLOSE * near, axis=1) & (np.einsum("nj,nj->n", normals[:, 0], normals[:, 1]) < BENT)
        if found.any() and np.any(shape(at[found]) > 0.9 * near):
            return True
        square = normals @ normals.transpose(0, 2, 1) + 1e-6 * np.eye(2)
        at = at - np.einsum("nij,ni->nj", normals, np.linalg.solve(square, off[..., None])[..., 0])
    return False
