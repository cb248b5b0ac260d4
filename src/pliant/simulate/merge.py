"""Bodies of one make as one set of elements, so that one launch serves them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..device import Device
from ..elements.base import Elements
from ..energy.elastic import ElasticEnergy
from ..material.base import Material
from ..material.stacked import Stacked


@dataclass(frozen=True, eq=False)
class Piece:
    """The elements of one body: its number, the row of its first node, its material and the parameter rows of its elements.

    ``kind`` is what must agree beside the law and the shape of the elements.
    """

    body: int
    first: int
    elements: Elements
    material: Material
    rows: np.ndarray | None
    kind: tuple = ()

    @property
    def key(self) -> tuple:
        e, m = self.elements, self.material
        return (e.nodes.shape[1], e.gradients.shape[1], e.dimension, e.cubic, m.key, m.width, m.barrier, *self.kind)


def merged(device: Device, rest: np.ndarray, pieces: Sequence[Piece]) -> list[tuple[tuple[int, ...], ElasticEnergy]]:
    """The energies of all pieces, those alike in one; with each, the numbers of its bodies."""
    like: dict[tuple, list[Piece]] = {}
    for piece in pieces:
        like.setdefault(piece.key, []).append(piece)
    return [(tuple(p.body for p in group), _energy(device, rest, group)) for group in like.values()]


def stacked(materials: Sequence[Material]) -> Material:
    """One table for all."""
    return materials[0] if len(materials) == 1 else Stacked(materials=tuple(materials))


def _energy(device: Device, rest: np.ndarray, pieces: list[Piece]) -> ElasticEnergy:
    if len(pieces) == 1:
        piece = pieces[0]
        return ElasticEnergy(device, piece.elements, piece.material, piece.first, piece.rows)
    elements = Elements(
        rest,
        np.concatenate([p.elements.nodes + p.first for p in pieces]),
        np.concatenate([p.elements.gradients for p in pieces]),
        np.concatenate([p.elements.weights for p in pieces]),
        pieces[0].elements.dimension,
        *(
            np.concatenate([getattr(p.elements, name) for p in pieces]) if pieces[0].elements.cubic else None
            for name in ("places", "edges")
        ),
    )
    material = stacked([p.material for p in pieces])
    own = [np.zeros(p.elements.count, int) if p.rows is None else p.rows for p in pieces]
    rows = np.concatenate([rows + start for rows, start in zip(own, material.starts)])
    return ElasticEnergy(device, elements, material, 0, rows)
