"""Bodies of all kinds at random places, of random sizes and stiffnesses, that fly at one another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import pliant as pl

YOUNG, SIZES, FASTEST, COUNT = (1e3, 1e9), (1e-3, 1.0), 30.0, (2, 8)  # [Pa], [m], [m/s], bodies
SOLID = 0.35  # the Poisson's ratio of solids


def _solid(young: float) -> Any:
    return pl.StableNeoHookean(young=young, poisson=SOLID, density=1000.0)


def _flat(young: float) -> Any:
    return pl.Corotated(young=young, poisson=0.3, density=1000.0)


def _turned(mesh: Any, turn: np.ndarray, at: np.ndarray) -> Any:
    return mesh.rotated(turn, np.degrees(np.linalg.norm(turn))).translated(at)


def _tets(size: float, place: Callable) -> tuple[Any, Any]:
    return place(pl.tet_grid((size, size, 0.7 * size), (2, 2, 2), origin=(-size / 2, -size / 2, -0.35 * size))), _solid


def _quadratic(size: float, place: Callable) -> tuple[Any, Any]:
    mesh = place(pl.tet_grid((size, 0.6 * size, 0.6 * size), (2, 1, 1), origin=(-size / 2, -0.3 * size, -0.3 * size)))
    return pl.QuadraticTets(mesh), _solid


def _hexes(size: float, place: Callable) -> tuple[Any, Any]:
    mesh = pl.meshes.hex_box((size, 0.8 * size, 0.6 * size), (2, 2, 2), origin=(-size / 2, -0.4 * size, -0.3 * size))
    return place(mesh), _solid


def _lattice(size: float, place: Callable) -> tuple[Any, Any]:
    return pl.Lattice(place(pl.box((size, 0.7 * size, 0.7 * size))), size / 4), _solid


def _sheet(size: float, place: Callable) -> tuple[Any, Any]:
    sheet = place(pl.cloth_grid((size, size), (6, 6), origin=(-size / 2, -size / 2, 0)))
    return pl.Membrane(sheet, thickness=size / 50), _flat


def _thread(size: float, place: Callable) -> tuple[Any, Any]:
    return pl.Springs(place(pl.meshes.rod((-size / 2, 0, 0), (size / 2, 0, 0), 10)), size / 40), _flat


def _rigid(size: float, place: Callable) -> tuple[Any, Any]:
    return pl.contact.Rigid(place(pl.meshes.box((size, 0.7 * size, 0.4 * size))), density=1000.0), None


KINDS = {
    "tets": _tets, "quadratic tets": _quadratic, "hexes": _hexes, "lattice": _lattice, "sheet": _sheet, "thread": _thread,
    "rigid": _rigid,
}  # fmt: skip


def bodies_at_random(rng: np.random.Generator) -> tuple[list[pl.Body], float]:
    """Bodies, none of them in another, and the size of the scene they are of [m]; sizes differ by up to two either way."""
    size = float(np.exp(rng.uniform(*np.log(SIZES))))
    bodies, centres, radii = [], [], []
    for k in range(rng.integers(COUNT[0], COUNT[1] + 1)):
        own = float(np.clip(size * np.exp(rng.uniform(-np.log(2), np.log(2))), *SIZES))
        centre = _free(rng, centres, radii, own, size)
        turn = Rotation.from_quat(rng.normal(size=4)).as_rotvec()
        kind = str(rng.choice(list(KINDS)))
        shape, law = KINDS[kind](own, lambda mesh, turn=turn, at=centre: _turned(mesh, turn, at))
        young = float(np.exp(rng.uniform(*np.log(YOUNG))))
        inwards = -centre / max(np.linalg.norm(centre), 1e-9 * size) + 0.3 * rng.normal(size=3)
        velocity = tuple(rng.uniform(0.0, FASTEST) * inwards / np.linalg.norm(inwards))
        bodies.append(pl.Body(shape, None if law is None else law(young), velocity=velocity, name=f"{k} {kind}"))
        centres.append(centre)
        radii.append(own)
    return bodies, size


def _free(rng: np.random.Generator, centres: list, radii: list, own: float, size: float) -> np.ndarray:
    """A place (3,) at which a body of its size, whose corners are less than that from its centre, meets no other."""
    spread = 2.0 * size
    while True:
        at = rng.uniform(-spread, spread, 3)
        if all(np.linalg.norm(at - c) > own + r for c, r in zip(centres, radii)):
            return at
        spread *= 1.02
