"""Marker observations, with or without names, seen at times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linear_sum_assignment

from ...arguments import checks
from ...arguments.typing_fields import Vector
from ...errors import InputError, did_you_mean, first_few
from ...simulate.simulation import Simulation
from .alignment import Placed, by_placing, check_units, placed
from .observation import BoundObservation, Own, Residual, checked_times, of_axes
from .robust_loss import Loss, Quadratic

OUTSIDE = 1.0  # of the size of a body, how far from it a marker may be


@dataclass(frozen=True, eq=False)
class Markers(Placed):
    """``positions`` (frames, m, 3) [m] of markers at ``times`` [s], NaN where one was not seen.

    ``at`` says where they are on the body at rest [m]: (m, 3), or by name where there are ``names``, which also chooses among
    them; None for where the first frame has them. They may stand off from the body and then follow its nearest element.
    """

    positions: np.ndarray
    times: Vector
    at: Any = None
    names: Sequence[str] = ()
    body: int = 0
    loss: Loss = field(default_factory=Quadratic)

    def __post_init__(self):
        self._check_placed()
        positions = _checked_positions("Markers", self.positions)
        object.__setattr__(self, "times", checked_times("Markers", self.times, len(positions)))
        checks.instance("Markers(loss=…)", self.loss, Loss, "Quadratic(), Huber(width) or GemanMcClure(width)")
        names = self.names
        if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
            raise InputError(f"Markers(names={checks.shown(names)}): expected a list of names")
        if names and (len(names) != positions.shape[1] or len(set(names)) != len(names)):
            raise InputError(
                f"Markers: {positions.shape[1]} markers and {len(names)} names, {len(set(names))} of them distinct; "
                "expected a name for each"
            )
        at = self.at
        if isinstance(at, Mapping):
            for name in at:
                if name not in names:
                    raise InputError(
                        f"Markers(at=…): there is no marker {checks.shown(name)}{did_you_mean(str(name), list(names))}; "
                        f"expected of {', '.join(names) or 'none: give names='}"
                    )
            if not at:
                raise InputError("Markers(at={}): expected the places of one marker or more")
            positions = positions[:, [list(names).index(name) for name in at]]
            object.__setattr__(self, "names", tuple(at))
            at = list(at.values())
        object.__setattr__(self, "positions", positions)
        if at is None:
            at = placed(positions[0], self.own)
            lost = np.flatnonzero(~np.isfinite(at).all(axis=1))
            if len(lost):
                raise InputError(
                    f"Markers: {len(lost)} of {len(at)} are not seen in the first frame, first {first_few(lost)}; "
                    "expected at=… with their places at rest"
                )
        object.__setattr__(self, "at", _checked_places("Markers", at, positions.shape[1]))

    def bound(self, sim: Simulation) -> BoundObservation:
        attached = Attached(sim, self.body, self.at, "Markers")
        _check_first(self, sim)
        return _SeenMarkers(self, attached)


@dataclass(frozen=True, eq=False)
class UnlabelledMarkers(Placed):
    """``positions`` (frames, p, 3) [m] at ``times`` [s] of points that nobody has told apart, NaN for none.

    ``at`` (m, 3) [m] says where markers are on the body at rest. In each frame points and markers are paired anew, one to one, so
    that squares of distances sum to least; what is left over, ghosts or hidden markers, does not count.
    """

    positions: np.ndarray
    times: Vector
    at: np.ndarray
    body: int = 0
    loss: Loss = field(default_factory=Quadratic)

    def __post_init__(self):
        self._check_placed()
        positions = _checked_positions("UnlabelledMarkers", self.positions)
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "times", checked_times("UnlabelledMarkers", self.times, len(positions)))
        object.__setattr__(self, "at", _checked_places("UnlabelledMarkers", self.at, None))
        checks.instance("UnlabelledMarkers(loss=…)", self.loss, Loss, "Quadratic(), Huber(width) or GemanMcClure(width)")

    def bound(self, sim: Simulation) -> BoundObservation:
        attached = Attached(sim, self.body, self.at, "UnlabelledMarkers")
        _check_first(self, sim)
        return _SeenUnlabelled(self, attached)


class Attached:
    """Points on a body: a sparse matrix (m, nodes) and what is left between them and where they were said to be."""

    def __init__(self, sim: Simulation, body: int, at: np.ndarray, what: str):
        rows, elements = body_rows(sim, body, what), sim.scene.bodies[body].shape
        check_units(f"{what}(at=…)", at, sim, rows)
        nodes, weights, away = elements.locate(at)
        size = np.linalg.norm(np.ptp(elements.rest, axis=0))
        far = np.flatnonzero(away > OUTSIDE * size)
        if len(far):
            raise InputError(
                f"{what}(at=…): {len(far)} of {len(at)} markers are further from the body than it is large, {size:.3g} m, "
                f"first {first_few(far)}; expected places on it at rest [m]: give rotation= and shift= (see aligned)"
            )
        m, k = nodes.shape
        columns = (nodes + rows.start).ravel()
        self.matrix = sparse.csr_array((weights.ravel(), columns, k * np.arange(m + 1)), shape=(m, sim.world.count))
        self.at, self.offset = at, at - self.matrix @ sim.world.rest

    def of(self, x: np.ndarray) -> np.ndarray:
        """(m, 3) where they are now."""
        return self.matrix @ x + self.offset

    def rows(self, chosen: np.ndarray, by: np.ndarray) -> sparse.csr_array:
        """(3·s, 3·nodes) derivatives of three residuals for each of the chosen (s,) points, from (s, 3, 3) by the points."""
        s = len(chosen)
        columns = 3 * np.repeat(np.arange(s), 9).reshape(s, 3, 3) + np.arange(3)
        own = sparse.csr_array((by.ravel(), columns.ravel(), 3 * np.arange(3 * s + 1)), shape=(3 * s, 3 * s))
        return own @ sparse.kron(self.matrix[chosen], sparse.eye_array(3), format="csr")


class _SeenMarkers(BoundObservation):
    def __init__(self, markers: Markers, attached: Attached):
        self.times, self.parameters = markers.times, markers.own
        self.positions, self.sigma, self.loss, self.attached = (markers.positions, markers.scale, markers.loss, attached)
        self.numbers = 3 * int(np.isfinite(self.positions).all(axis=2).sum())

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        chosen = np.flatnonzero(np.isfinite(self.positions[frame]).all(axis=1))
        return paired(self, self.positions[frame][chosen], chosen, x, own)


class _SeenUnlabelled(_SeenMarkers):
    def __init__(self, markers: UnlabelledMarkers, attached: Attached):
        super().__init__(markers, attached)
        there = np.isfinite(self.positions).all(axis=2)
        self.numbers = 3 * int(np.minimum(there.sum(axis=1), len(attached.offset)).sum())

    def at(self, frame: int, x: np.ndarray, own: Own) -> Residual:
        seen = self.positions[frame][np.isfinite(self.positions[frame]).all(axis=1)]
        away = placed(seen, own)[:, None] - self.attached.of(x)[None]
        point, marker = linear_sum_assignment(np.sum(away**2, axis=2))
        return paired(self, seen[point], marker, x, own)


def paired(seen: _SeenMarkers, points: np.ndarray, chosen: np.ndarray, x: np.ndarray, own: Own) -> Residual:
    """Residuals of points (s, 3) that are markers ``chosen`` (s,)."""
    attached, sigma = seen.attached, seen.sigma
    r, by = seen.loss.vectors(attached.of(x)[chosen] - placed(points, own))
    by = by / sigma
    by_own = by_placing(np.repeat(points, 3, axis=0), own, -by.reshape(-1, 3))
    rows = attached.rows(chosen, by)
    return Residual(r.ravel() / sigma, rows, by_own, sites=lambda: of_axes(attached.at[chosen]))


def body_rows(sim: Simulation, body: int, what: str) -> slice:
    """Rows of a body in the positions of a scene."""
    if not isinstance(body, int | np.integer) or isinstance(body, bool) or not 0 <= body < len(sim.bodies):
        raise InputError(f"{what}(body={checks.shown(body)}): expected the number of a body, 0 … {len(sim.bodies) - 1}")
    return sim.bodies[body].rows


def _check_first(markers: Markers | UnlabelledMarkers, sim: Simulation) -> None:
    """The first frame in which some are seen is about as large as the body, and near it."""
    there = np.isfinite(markers.positions).all(axis=2)
    frame = int(np.argmax(there.any(axis=1)))
    points = placed(markers.positions[frame][there[frame]], markers.own)
    check_units(f"{type(markers).__name__}: frame {frame}", points, sim, body_rows(sim, markers.body, "Markers"))


def _checked_positions(what: str, positions: Any) -> np.ndarray:
    array = checks.floats(positions)
    if array.ndim != 3 or array.shape[2] != 3 or not array.size:
        raise InputError(f"{what}(positions of shape {array.shape}): expected (frames, markers, 3)")
    if np.isinf(array).any() or not np.isfinite(array).all(axis=2).any():
        raise InputError(f"{what}(positions=…): expected finite numbers, and NaN for markers that were not seen")
    return array


def _checked_places(what: str, at: Any, count: int | None) -> np.ndarray:
    array = checks.floats(at)
    if array.ndim != 2 or array.shape[1] != 3 or not len(array) or not np.isfinite(array).all():
        raise InputError(f"{what}(at of shape {array.shape}): expected finite places (markers, 3) [m]")
    if count is not None and len(array) != count:
        raise InputError(f"{what}: {count} markers were seen and {len(array)} have a place; expected as many")
    return array
