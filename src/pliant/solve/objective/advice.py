"""Advice after a failed solve, by the settings in use."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph

from ...energy.capabilities import Invertible, OfStep
from .step_objective import Objective

FLOATING = 1e-14  # of a matrix's diagonal: below it the support of a piece is rounding


def advice(objective: Objective, *ideas: str) -> str:
    """“try a, b or c” for sentences: a smaller dt, the solver's own ``ideas``, a safer material, more digits."""
    free = floating(objective, objective.laplacian(cut=False))
    if free:
        return f"nothing holds {free}: give it pinned=… or a Hold, or use an integrator with inertia and a smaller dt"
    tries = ["a smaller dt", *ideas]
    unsafe = [e for e in objective.having(Invertible) if not (e.inversion_safe or isinstance(e, OfStep))]
    if unsafe:  # viscosity has no other law
        tries.append("an inversion-safe material such as StableNeoHookean")
    if objective.device.precision == "f32":
        tries.append('precision="f64"')
    return f"try {', '.join(tries[:-1])} or {tries[-1]}" if len(tries) > 1 else f"try {tries[0]}"


def floating(objective: Objective, matrix: sparse.csr_matrix) -> str:
    """Names of the bodies with a piece that moves along some axis without force; empty where there is none.

    Determined by the constant ``matrix`` of the objective, without contact and grabs.
    """
    residuals, count = objective.residuals, matrix.shape[0]
    if np.all(np.abs(matrix @ np.ones(count)) > FLOATING * matrix.diagonal()):
        return ""  # as with inertia: every node has a diagonal term
    loose = np.zeros(count, bool)
    for axis in range(3):
        rows = np.flatnonzero(objective.moves[:count, axis])
        if not len(rows):
            continue
        part = matrix[rows][:, rows]
        pieces, piece = csgraph.connected_components(part, directed=False)
        # the rows of an unsupported piece sum to zero
        held, whole = (np.bincount(piece, np.abs(v), pieces) for v in (part @ np.ones(len(rows)), part.diagonal()))
        loose[rows[(held <= FLOATING * whole)[piece]]] = True
    bodies = np.unique(np.searchsorted(residuals.starts, np.flatnonzero(loose), "right") - 1)
    if len(residuals.names) != residuals.count:
        return "the body" if len(bodies) else ""
    return ", ".join(dict.fromkeys(repr(residuals.names[body]) for body in bodies))
