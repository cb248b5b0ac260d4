"""Pair law: which bodies touch each other, and their friction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...arguments import checks
from ...arguments.typing_fields import Becomes, Vector
from ...errors import InputError, did_you_mean

Names = Becomes[str | Sequence[str], tuple[str, ...]]
ALIKE = (0.0, 0.0, 0.0, 1.0, 1.0)  # no direction, and all of the friction along and across
APART = -1.0  # in place of a friction: they pass through each other


@dataclass(frozen=True)
class Anisotropic:
    """Friction that is another ``along`` a direction than ``across`` it, as of wood, skis, scales or ribbed rubber.

    ``direction`` is one of the obstacle's frame, and turns with it; on a face it is taken as it lies in that. What slips askew is
    resisted by the force of the ellipse that takes most power from it, which is not against the slip.
    """

    along: float
    across: float
    direction: Vector

    def __post_init__(self):
        for name in ("along", "across"):
            checks.number(f"Anisotropic({name}=…)", getattr(self, name), 0, expected="a number of at least 0")
        object.__setattr__(self, "direction", tuple(checks.direction("Anisotropic(direction=…)", self.direction).tolist()))

    @property
    def largest(self) -> float:
        """The larger of the two."""
        return max(self.along, self.across)

    @property
    def shares(self) -> tuple[float, float]:
        """Of the largest, along and across."""
        most = self.largest or 1.0
        return (self.along / most, self.across / most) if self.largest else (1.0, 1.0)


@dataclass(frozen=True)
class Pair:
    """How two of a scene's bodies or obstacles touch: with another ``friction``, or not at all where ``touch`` is False.

    ``first`` and ``second`` are a name or several; "*" stands for any part of one, as in "finger *". A body with itself, and its
    pieces with each other, are a pair too. Of several pairs that say something of the same two the last holds, so that
    ``[Pair("*", "*", touch=False), Pair("cup", "hand")]`` lets these two touch and nothing else.
    """

    first: Names
    second: Names
    friction: float | Anisotropic | None = None
    touch: bool = True

    def __post_init__(self):
        for side in ("first", "second"):
            given = getattr(self, side)
            names = (given,) if isinstance(given, str) else given
            if not isinstance(names, list | tuple) or not names or not all(isinstance(n, str) and n for n in names):
                raise checks.refusal(f"Pair({side}=…)", given, "the name of a body or an obstacle, or several")
            object.__setattr__(self, side, tuple(names))
        checks.flag("Pair(touch=…)", self.touch)
        if self.friction is not None:
            if not isinstance(self.friction, Anisotropic):
                expected = "a number of at least 0, Anisotropic(along, across, direction), or None"
                checks.number("Pair(friction=…)", self.friction, 0, expected=expected)
            if not self.touch:
                raise InputError("Pair(friction=…, touch=False): what does not touch has no friction; expected one of the two")

    def sides(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """(n,) which names the first and the second mean; a name that is not there is refused."""
        return _meant("first", self.first, names), _meant("second", self.second, names)


def _meant(side: str, patterns: Sequence[str], names: Sequence[str]) -> np.ndarray:
    found = np.zeros(len(names), bool)
    for pattern in patterns:
        match = re.compile(re.escape(pattern).replace(r"\*", ".*")).fullmatch
        own = np.array([match(name) is not None for name in names], bool)
        if not own.any():
            raise InputError(
                f"Pair({side}={pattern!r}): nothing in the scene is called so{did_you_mean(pattern, names)}; expected one of "
                f"{', '.join(map(repr, names[:20]))}{', …' if len(names) > 20 else ''}"
            )
        found |= own
    return found


@dataclass(frozen=True, eq=False)
class Grips:
    """Friction between groups of bodies, and of them on obstacles; APART where they pass through each other."""

    group: np.ndarray  # (bodies,) of each body
    bodies: np.ndarray  # (groups, groups)
    obstacles: np.ndarray  # (obstacles, groups)
    # (obstacles, groups, 5) directions of friction there, and shares of it along and across
    ways: np.ndarray | None = None

    def of(self, bodies: np.ndarray) -> Grips:
        """Those of other bodies, each of which belongs to one of these."""
        return replace(self, group=self.group[bodies])

    def between(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """(c,) friction of pairs of bodies."""
        return self.bodies[self.group[one], self.group[other]]

    @property
    def largest(self) -> float:
        """The largest friction of any two."""
        return float(max(0.0, self.bodies.max(initial=0.0), self.obstacles.max(initial=0.0)))

    def directed(self) -> tuple[np.ndarray, np.ndarray]:
        """(obstacles, groups, 3) directions of friction in frames of obstacles, and (obstacles, groups, 2) shares of it."""
        ways = np.broadcast_to(ALIKE, (*self.obstacles.shape, 5)) if self.ways is None else self.ways
        return ways[..., :3].copy(), ways[..., 3:].copy()

    @property
    def rubs(self) -> float:
        """1 where any two bodies have friction, else 0."""
        return float((self.bodies > 0).any())

    @property
    def apart(self) -> np.ndarray | None:
        """(bodies, bodies) which of them pass through each other; None where none do."""
        if (self.bodies >= 0).all():
            return None
        return (self.bodies < 0)[np.ix_(self.group, self.group)]


def grips(
    pairs: Sequence[Pair], friction: float, bodies: Sequence[str], obstacles: Sequence[str] = (),
    joined: Sequence[tuple[int, int]] = (),
) -> Grips:  # fmt: skip
    """What ``pairs`` say of bodies and obstacles of these names, and ``friction`` of all others.

    Two bodies (numbers) that are ``joined`` pass through each other whatever ``pairs`` say.
    """
    count, names = len(bodies), [*bodies, *obstacles]
    rule = np.full((count, len(names)), -1)
    for number, pair in enumerate(pairs):
        one, other = pair.sides(names)
        rule[one[:count, None] & other] = number
        rule[other[:count, None] & one] = number
    for one, other in joined:
        rule[[one, other], [other, one]] = len(pairs)
    known, group = np.unique(rule, axis=0, return_index=True, return_inverse=True)[1:]
    given = [friction if pair.friction is None else pair.friction for pair in pairs]
    askew = [isinstance(value, Anisotropic) for value in given]
    own = [value.largest if directed else value for value, directed in zip(given, askew)]
    own = [value if pair.touch else APART for value, pair in zip(own, pairs)]
    ways = [(*value.direction, *value.shares) if directed else ALIKE for value, directed in zip(given, askew)]
    wrong = np.argwhere(np.array([*askew, False, False])[rule[:, :count]])
    if len(wrong):
        raise InputError(
            f"Pair(friction=Anisotropic(…)) means {bodies[wrong[0, 0]]!r} and {bodies[wrong[0, 1]]!r}; expected a body and an "
            "obstacle, whose frame the direction is of"
        )
    table = np.array([*own, APART, friction], float)[rule[known]]
    directed = np.array([*ways, ALIKE, ALIKE])[rule[known, count:]].transpose(1, 0, 2)
    return Grips(group.reshape(-1), table[:, known], table[:, count:].T.copy(), directed if any(askew) else None)
