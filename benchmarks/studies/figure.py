"""A standing figure of capsules, about as large as an adult: a shape with limbs for lattices of any fineness."""

from __future__ import annotations

from functools import reduce

from pliant.geometry.distance.sdf import Sdf, capsule, sphere

# start and end [m] and radius [m] of the limbs on one side; the other mirrors them in x
_LIMBS = (
    ((0.10, 0.0, 0.92), (0.115, 0.0, 0.50), 0.085),  # thigh
    ((0.115, 0.0, 0.50), (0.125, 0.0, 0.10), 0.056),  # shin
    ((0.125, 0.0, 0.06), (0.135, -0.17, 0.04), 0.04),  # foot
    ((0.20, 0.0, 1.40), (0.33, 0.0, 1.14), 0.05),  # upper arm
    ((0.33, 0.0, 1.14), (0.42, -0.05, 0.90), 0.04),  # forearm and hand
)
_TRUNK = (
    ((-0.07, 0.0, 1.0), (0.07, 0.0, 1.0), 0.12),
    ((-0.07, 0.0, 1.15), (0.07, 0.0, 1.15), 0.115),
    ((-0.11, 0.0, 1.34), (0.11, 0.0, 1.34), 0.11),
)


def figure() -> Sdf:
    """The figure, 1.78 m tall, its feet at z = 0."""
    parts = [capsule(a, b, r) for a, b, r in _TRUNK]
    for side in (1, -1):
        parts += [capsule((side * a[0], *a[1:]), (side * b[0], *b[1:]), r) for a, b, r in _LIMBS]
    parts += [capsule((0.0, 0.0, 1.40), (0.0, 0.0, 1.58), 0.055), sphere(0.115, (0.0, 0.0, 1.665))]
    return reduce(lambda a, b: a | b, parts)
