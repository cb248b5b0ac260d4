"""Base of effects: node selection, motions and courses in time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np

from ..arguments import checks
from ..arguments.checks import floats
from ..cut.change import Change
from ..elements.base import Elements
from ..errors import InputError, first_few

# mask function of X, indices, mask, True for all, or the name of a group of the mesh
Where = Callable[[np.ndarray], np.ndarray] | Sequence[int] | np.ndarray | bool | str
Motion = Callable[[np.ndarray, float], np.ndarray]  # (rest positions, time) → positions
Course = Callable[[float], float]  # time → factor


class Changing:
    """A value of which some parts, named in ``CHANGES``, may be others while a simulation runs."""

    CHANGES: ClassVar[tuple[str, ...]] = ()

    def check_change(self, now: Any) -> None:
        """Refuse what cannot become ``now``, of the same class, in a running simulation."""
        check_same(type(self).__name__, self, now, self.CHANGES)

    def keeps_rows(self, change: Change, body: Any) -> bool:
        """Whether it goes on in the same arrays where the mesh of a body has more nodes."""
        return False


class OnBody(Changing):
    """An effect on one body. What its ``where`` chooses among, if it has one, are nodes unless a class says otherwise."""

    where: Where

    def candidates(self, elements: Elements) -> tuple[np.ndarray, str]:
        """Positions at rest that ``where`` chooses among, and what they are."""
        return elements.rest, "node"

    def chosen(self, elements: Elements, what: str) -> np.ndarray:
        """What its ``where`` picks there, which says the same without a function."""
        return select(self.candidates(elements)[0], self.where, what)


def check_same(what: str, before: Any, now: Any, changes: Sequence[str] = ()) -> None:
    """Refuse a value that differs in any part but ``changes``, which a running simulation takes over."""
    for item in fields(before):
        if item.name not in changes and not _same(getattr(before, item.name), getattr(now, item.name)):
            raise InputError(
                f"{what}: {item.name} cannot change in a running simulation; expected the same as before, or build a new one"
            )


def _same(one: Any, other: Any) -> bool:
    if one is other or callable(one) or callable(other):
        return one is other
    if isinstance(one, np.ndarray | list | tuple):
        return isinstance(other, np.ndarray | list | tuple) and np.array_equal(one, other)
    return type(one) is type(other) and one == other


def select(X: np.ndarray, where: Where, what: str, noun: str = "node") -> np.ndarray:
    """Return the numbers of the nodes, or of what else ``noun`` names, that ``where`` picks among rest positions X."""
    chosen = checks.called(what, where, X) if callable(where) else where
    try:
        chosen = np.asarray(chosen)
    except Exception:  # rows that differ in length, and whatever the methods of a stranger's class raise
        raise checks.refusal(what, where, f"a mask or {noun} numbers") from None
    if chosen.ndim == 0 and chosen.dtype == bool and chosen:
        return np.arange(len(X))
    if chosen.dtype == bool:
        if chosen.shape != (len(X),):
            raise InputError(f"{what}: the mask has shape {chosen.shape}; expected ({len(X)},), one entry per {noun}")
        chosen = np.flatnonzero(chosen)
    if chosen.size and not np.issubdtype(chosen.dtype, np.integer):
        raise InputError(f"{what}: got {chosen.dtype} values; expected a mask or {noun} numbers")
    chosen = chosen.astype(np.int64).reshape(-1)
    bad = chosen[(chosen < 0) | (chosen >= len(X))]
    if len(bad):
        raise InputError(f"{what}: {len(bad)} {noun} numbers lie outside 0…{len(X) - 1}, first {first_few(bad)}")
    if not len(chosen):
        raise InputError(
            f"{what}: no {noun} was selected; check the condition against the body's bounds "
            f"{X.min(axis=0).round(6).tolist()} … {X.max(axis=0).round(6).tolist()} m"
        )
    return chosen if (chosen[1:] > chosen[:-1]).all() else np.unique(chosen)


def by_name(elements: Elements, where: Any, what: str) -> Any:
    """What ``where`` says without the name of a group, of which it is the nodes."""
    if not isinstance(where, str):
        return where
    groups = getattr(getattr(elements, "mesh", None), "groups", None)
    if groups is None or elements.held_whole:
        raise InputError(
            f"{what}: {type(elements).__name__} has no named groups such as {where!r}; expected a condition or numbers"
        )
    return groups.nodes_of(what, where)


def select_held(elements: Elements, where: Where, what: str) -> np.ndarray:
    """The nodes that ``where`` picks to be held; of a body that is held as a whole all of them, or it is refused."""
    nodes = select(elements.rest, where, what)
    if elements.held_whole and len(nodes) < len(elements.rest):
        raise InputError(
            f"{what}: {type(elements).__name__} has four nodes that are not points of it, and {len(nodes)} of them were chosen; "
            "expected True, which holds it as a whole, or points and by=hold.Springs(stiffness)"
        )
    return nodes


def moved(what: str, motion: Motion, X: np.ndarray, time: float) -> np.ndarray:
    """Where ``motion`` puts points that rest at X at ``time`` [s]."""
    positions = floats(motion(X, time))
    if positions.shape != X.shape or not np.all(np.isfinite(positions)):
        raise InputError(f"{what} returned shape {positions.shape} at t = {time:g} s; expected {X.shape}, finite")
    return positions


def factor(course: Course | None, time: float) -> float:
    """The factor of a load at ``time`` [s]."""
    if course is None:
        return 1.0
    value = course(time)
    if isinstance(value, bool) or not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise InputError(f"a load's course returned {value!r} at t = {time:g} s; expected a finite number")
    return float(value)
