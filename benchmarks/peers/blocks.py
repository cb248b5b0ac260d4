"""The scenes that contact of Pliant and its peers is compared on: soft blocks on a floor, a slope, one another, and in a pile.

Here so that all of them are given the same.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

SIZE, CELLS, YOUNG, POISSON, MASS = 0.1, 3, 1e5, 0.3, 1.0  # of a block [m], [Pa], [kg]
DAMPING, FRICTION = 0.002, 0.5  # [s] of the stiffness
NEAR, APART = 0.001, 0.0035  # [m] between the floor and a block, and between blocks, at the start


class Block(NamedTuple):
    """The middle of the lower face [m], and how far it is turned about the vertical [degrees]."""

    x: float
    y: float
    z: float
    turned: float


def _pile() -> list[Block]:
    """Two layers of four, the upper one across the gaps of the lower."""
    layers = ((NEAR, 0.0, 0.0), (NEAR + SIZE + 0.02, 0.035, 20.0))
    at = ((-0.072, -0.072), (0.072, -0.072), (-0.072, 0.072), (0.072, 0.072))
    return [Block(x + shift, y + 0.5 * shift, z, 5 * i + turned) for z, shift, turned in layers for i, (x, y) in enumerate(at)]


SCENES: dict[str, tuple[list[Block], float]] = {  # blocks, and the lean of the floor [degrees]
    "drop": ([Block(0, 0, 0.011, 0)], 0.0),
    "slope": ([Block(0, 0, NEAR, 0)], 20.0),
    "stack": ([Block(0, 0, NEAR + i * (SIZE + APART), 7 * i) for i in range(3)], 0.0),
    "pile": (_pile(), 0.0),
}


def gravity(lean: float) -> tuple[float, float, float]:
    """[m/s²] beside a floor that leans."""
    return 9.81 * np.sin(np.radians(lean)), 0.0, -9.81 * np.cos(np.radians(lean))


def report(who: str, dt: float, seconds: float, step: Callable[[], object], at: Callable[[], np.ndarray], depth) -> None:
    """Run and print: CPU time of a step, how deep points are in what they touch, and the creep over the last second.

    It ends where ``step`` returns False.
    """
    spent, before, count = 0.0, at(), round(seconds / dt)
    for k in range(count):
        begin = time.process_time()
        if step() is False:
            print(f"{who}: step {k} does not converge", flush=True)
            return
        spent += time.process_time() - begin if k >= 3 else 0.0  # the first may compile
        if k == round((seconds - 1.0) / dt):
            before = at()
    x = at()
    creep, kept = np.linalg.norm(x - before, axis=1).max(), np.isfinite(x).all() and np.abs(x).max() < 10
    print(
        f"{who}: {1e3 * spent / (count - 3):.2f} ms a step of {1e3 * dt:.0f} ms, {spent / (count - 3) / dt:.2f} s a second, "
        f"depth {1e3 * depth():.3f} mm, creep {1e3 * creep:.4f} mm/s, top {x[:, 2].max():.4f} m, {'finite' if kept else 'lost'}",
        flush=True,
    )
