"""Identifiability: singular values of the derivatives before a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ...arguments.checks import instance
from ...effects.elasticity.holds import Hold
from ...simulate.simulation import Simulation
from ..observations.node_positions import NodePositions
from ..observations.observation import Observation
from ..observations.pin_forces import PinForces
from .fit import Freed
from .fit_problem import Problem
from .fit_result import labels
from .uncertainty import BLIND, WIDE

HARDLY = 1e-3  # of the largest singular value, below which combinations are not identifiable where no noise is stated
SAY = 0.1  # of the largest share in a combination: numbers above it are named
MORE = 10.0  # gain of the smallest singular value that makes an observation useful


@dataclass(frozen=True, eq=False)
class Identifiable:
    """``values`` (p,), largest first, by how much residuals change with the ``ways`` (p, p), rows of shares of the bounds.

    ``errors`` (p,) are the 95 % half intervals that independent noise of the stated ``sigma`` would leave to each number, as
    shares of its bounds, infinite where nothing is seen of it; NaN where no sigma is stated. ``sentences`` say which combination
    cannot be told, and what to observe to tell it. It holds near the values that the simulation has.
    """

    labels: list[str]
    values: np.ndarray
    ways: np.ndarray
    errors: np.ndarray
    sentences: tuple[str, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether all numbers can be told."""
        return not self.sentences

    def __repr__(self) -> str:
        lines = [f"{'singular value':>14}  combination, in shares of the bounds"]
        for value, way in zip(self.values, self.ways):
            terms = " ".join(f"{share:+.3f} {label}" for label, share in zip(self.labels, way))
            lines.append(f"{value:14.4g}  {terms}")
        if np.isfinite(self.errors).any():
            widths = (f"{label} ± {100 * width:.3g} %" for label, width in zip(self.labels, self.errors))
            lines.append(f"expected, of the bounds: {', '.join(widths)}")
        return "\n".join([*lines, *(self.sentences or ("all numbers can be told",))])


def identifiable(sim: Simulation, free: Freed, observed: Observation | Sequence[Observation]) -> Identifiable:
    """Say which numbers, or combinations of them, ``observed`` can tell near the values of ``sim``: one run with derivatives.

    ``free`` and ``observed`` are those of ``fit``; what was measured does not matter, only what it is of, when, and with which
    noise. Where something cannot be told it tries positions of all nodes and forces at what is held, and says which would.
    """
    instance("identifiable(sim=…)", sim, Simulation, "a Simulation")
    given = [observed] if isinstance(observed, Observation) else observed
    first = Problem(sim, given, free, 1)
    others = _others(sim, first.watch.steps)
    problem = Problem(sim, [*given, *others.values()], free, 1)
    stated = all(unit == "sigma" for unit in first.watch.units)
    try:
        _, jacobian = problem.linearised(problem.start)
    finally:
        problem.parameters.put(problem.parameters.start)
    rows = {number: [] for number in range(len(given) + len(others))}
    for spot in problem.watch.spots:
        rows[spot.observation].append(jacobian[spot.rows])
    parts = [np.concatenate(some) for some in rows.values()]
    # weighed against nothing where no sigma is
    priors = [problem.priors(problem.parameters.start)[1]] if stated else []
    whole = np.concatenate([*parts[: len(given)], *priors])
    _, values, ways = np.linalg.svd(whole, full_matrices=False)
    values = np.pad(values, (0, len(problem.start) - len(values)))
    ways = np.linalg.svd(whole, full_matrices=True)[2] if len(ways) < len(problem.start) else ways
    seen = np.maximum(values, 1e-300)
    errors = np.where(stated, 1.96 * np.sqrt(np.sum((ways / seen[:, None]) ** 2, axis=0)), np.nan)
    hidden = values <= BLIND * values[0]
    lost = (np.abs(ways[hidden]) > SAY).any(axis=0)
    errors = np.where(lost & stated, np.inf, errors)
    weak = hidden | ((1.96 / seen > WIDE) if stated else (values <= HARDLY * values[0]))
    names = labels(problem.parameters.start)
    slopes = np.concatenate(
        [np.ravel(bounds.slope(problem.parameters.start[key])) for key, bounds in problem.parameters.free.items()]
    )
    start = np.concatenate([np.ravel(value) for value in problem.parameters.start.values()])
    sentences = [
        _sentence(names, way, slopes, start, bool(none), _better(way, whole, dict(zip(others, parts[len(given) :]))))
        for way, bad, none in zip(ways, weak, hidden)
        if bad
    ]
    return Identifiable(names, values, ways, errors, tuple(sentences))


def _others(sim: Simulation, steps: int) -> dict[str, Observation]:
    """Further possible observations: positions of all nodes at every step, and forces at held nodes."""
    found: dict[str, Observation] = {"the positions of all nodes": NodePositions(np.repeat(sim.x[None], steps + 1, axis=0))}
    times = np.arange(1, steps + 1) * sim.integrator.dt
    for i, (body, view) in enumerate(zip(sim.scene.bodies, sim.bodies)):
        held = np.flatnonzero((sim.world.free[view.rows] == 0).any(axis=1))
        if len(held) and (body.pinned is not None or body.of(Hold)):
            name = f"the force at what is held of body {i}" if len(sim.bodies) > 1 else "the force at what is held"
            found[name] = PinForces(np.zeros((steps, 3)), times, held, body=i)
    return found


def _better(way: np.ndarray, whole: np.ndarray, others: dict[str, np.ndarray]) -> list[str]:
    """Those that see a combination, by the change that they see with it as a share of the largest that they see."""

    def share(jacobian: np.ndarray) -> float:
        largest = np.linalg.svd(jacobian, compute_uv=False)[0] if jacobian.size else 0.0
        return float(np.linalg.norm(jacobian @ way) / largest) if largest > 0 else 0.0

    now = share(whole)
    return [name for name, jacobian in others.items() if share(jacobian) > max(MORE * now, HARDLY)]


def _sentence(names: list[str], way: np.ndarray, slopes: np.ndarray, start: np.ndarray, hidden: bool, better: list[str]) -> str:
    """Which numbers change together by how much without being seen, and what would tell them."""
    part = np.flatnonzero(np.abs(way) > SAY * np.abs(way).max())
    change = way * slopes
    relative = np.where(start != 0, change / np.where(start != 0, np.abs(start), 1.0), 0.0)
    largest = np.abs(relative[part]).max()
    if largest > 0:
        moves = " and ".join(f"{names[i]} by {10 * relative[i] / largest:+.3g} %" for i in part)
    else:
        moves = " and ".join(f"{names[i]} by {change[i] / np.abs(change[part]).max():+.3g}" for i in part)
    told = f"observe {' or '.join(better)} as well, or " if better else ""
    nothing = "changes nothing" if hidden else "changes hardly anything"
    return f"changing {moves} {nothing} that is observed; {told}fix {names[int(np.argmax(np.abs(way)))]} or give it a prior"
