"""A dragon of capsules, about 1.9 m from snout to tail: a body with a long neck, limbs and a tail, to be hung up by its head."""

from __future__ import annotations

from functools import reduce
from itertools import pairwise

from ..geometry.distance.sdf import Sdf, capsule

# x, z [m] and radius [m] along the back, from the snout to the end of the tail
_BACK = (
    (-0.86, 0.60, 0.050),
    (-0.68, 0.66, 0.080),
    (-0.52, 0.58, 0.070),
    (-0.42, 0.40, 0.080),
    (-0.30, 0.24, 0.120),
    (-0.10, 0.18, 0.150),
    (0.12, 0.18, 0.145),
    (0.32, 0.14, 0.105),
    (0.52, 0.04, 0.075),
    (0.70, 0.00, 0.060),
    (0.86, 0.08, 0.050),
    (0.98, 0.24, 0.045),
)
# start and end [m] and radius [m] of what is on one side; the other mirrors them in y
_SIDE = (
    ((-0.22, 0.12, 0.14), (-0.30, 0.20, -0.08), 0.060),  # upper foreleg
    ((-0.30, 0.20, -0.08), (-0.24, 0.20, -0.26), 0.050),
    ((-0.24, 0.20, -0.26), (-0.36, 0.22, -0.29), 0.042),  # its claw
    ((0.22, 0.11, 0.12), (0.16, 0.20, -0.08), 0.070),  # upper hind leg
    ((0.16, 0.20, -0.08), (0.28, 0.20, -0.26), 0.050),
    ((0.28, 0.20, -0.26), (0.14, 0.22, -0.29), 0.042),
    ((-0.12, 0.08, 0.28), (0.02, 0.34, 0.52), 0.045),  # the bone of a wing
    ((0.02, 0.34, 0.52), (0.26, 0.50, 0.46), 0.040),
    ((-0.64, 0.04, 0.72), (-0.54, 0.09, 0.84), 0.035),  # a horn
)
_SPIKES = ((-0.40, 0.52), (-0.20, 0.39), (0.02, 0.37), (0.22, 0.31))  # x, z [m] of those on the back
HEAD = 0.62  # [m]: above it is the head, by which it hangs


def dragon() -> Sdf:
    """The dragon, its snout towards −x."""
    parts = []
    for (x, z, r), (x1, z1, r1) in pairwise(_BACK):
        parts.append(capsule((x, 0.0, z), (x1, 0.0, z1), 0.5 * (r + r1)))
    for side in (1, -1):
        parts += [capsule((a[0], side * a[1], a[2]), (b[0], side * b[1], b[2]), r) for a, b, r in _SIDE]
    parts += [capsule((x, 0.0, z - 0.08), (x + 0.03, 0.0, z), 0.035) for x, z in _SPIKES]
    return reduce(lambda a, b: a | b, parts)
