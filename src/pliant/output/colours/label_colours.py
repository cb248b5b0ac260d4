"""Colours of the labels of a scan: flat ones, each with its name, where a slice shows whole numbers and not a scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ...errors import InputError
from ...geometry.distance.volume import Volume
from . import colour as colours
from .legend import INK
from .stroke_font import draw_text

MOST = 24  # labels beside 0 that are told apart by colour; more are drawn as a scale
OTHERS = "#c9ced6"  # labels that were not asked for


@dataclass(frozen=True)
class Label:
    value: int
    name: str
    colour: str


def labels_of(volume: Volume, names: Mapping[str, int] | None) -> tuple[Label, ...]:
    """What a volume's slice tells apart: the labels that have names, or all but 0; none where its values are no labels."""
    known = [value for value in volume.labels() if value != 0]
    if names is not None:
        for name, value in names.items():
            if value not in known:
                near = ", ".join(map(str, known[:12])) or "none"
                raise InputError(f"Slice(labels={{{name!r}: {value}}}): no voxel has that label; the labels are {near}")
        known, called = list(names.values()), list(names)
    else:
        known = known if len(known) <= MOST and min(known, default=0) >= 0 else []
        called = [str(value) for value in known]
    return tuple(Label(*pair, colours.body_colour(i)) for i, pair in enumerate(zip(known, called)))


def middle_of(volume: Volume, labels: tuple[Label, ...]) -> np.ndarray:
    """(3,) the mean place of the voxels that have one of some labels [m]."""
    index = np.argwhere(np.isin(volume.values, [label.value for label in labels])).mean(axis=0)
    return volume.origin + volume.axes @ (volume.spacing * index)


def painted(values: np.ndarray, labels: tuple[Label, ...], ground: np.ndarray) -> np.ndarray:
    """(n, 3) linear light of (n,) labels: each its colour, others grey, and 0 a little darker than the ``ground`` (n, 3)."""
    drawn = np.where((values == 0)[:, None], 0.93 * ground, colours.linear(colours.parsed(OTHERS)))
    for label in labels:
        drawn[values == label.value] = colours.linear(colours.parsed(label.colour))
    return drawn


def draw_names(image: np.ndarray, labels: tuple[Label, ...], what: str = "label") -> None:
    """Draw a square and a name for each label at the right edge of a float sRGB image, in place; ``what`` stands above them."""
    height, width = image.shape[:2]
    size = 0.0135 * height + 1.0
    side, step = max(int(1.3 * size), 6), 2.1 * size
    left, top = int(0.86 * width), 0.5 * (height - step * len(labels))
    draw_text(image, what, (left, top - size), size, INK, weight=1.25)
    for i, label in enumerate(labels):
        row = int(top + i * step)
        image[row : row + side, left : left + side] = colours.parsed(label.colour)
        draw_text(image, label.name, (left + side + 0.7 * size, row + 0.5 * side + 0.5 * size), size, INK)
