"""Solids in a scan, by label or by level."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...errors import InputError
from ...geometry.distance.volume import Volume
from ...geometry.distance.volume_distance import from_volume
from ...geometry.mesh.up_axis import upright
from ...geometry.tetrahedra.isosurface import surface
from ..common import label_options
from .shape_file import Found, factor, largest, pieces, size, spacing, turned


def solids(volume: Volume, args: argparse.Namespace) -> list[Found]:
    """The solid in a scan, all labels together, or those of its labels that were asked for ``apart``."""
    asked = label_options.asked(args)
    _check_choice(volume, asked, args)
    groups = [{name: value} for name, value in asked.items()] if args.apart else [asked]
    parts = [_part(volume, group, args.level) for group in groups]
    all_of_them = np.logical_or.reduce([part.inside for part in parts])
    times, units = factor(_longest(all_of_them, volume), args)
    step = spacing(args.spacing, _longest(all_of_them, volume) * times)
    scan = turned(upright(volume.scaled(times), args.up or "z"), args.turn)
    made, drawn = [], []
    for part in parts:
        # specks beside the largest part are no longer there
        own = scan if args.level is not None else replace(scan, values=part.inside)
        choice = {"level": args.level} if args.level is not None else {"label": 1}
        made.append(largest(from_volume(own, **choice, spacing=step / 3))[0])
        drawn.append(surface(made[-1], step / 3))
    low = np.min([skin.bounds[0] for skin in drawn], axis=0)
    high = np.max([skin.bounds[1] for skin in drawn], axis=0)
    offset = -np.array([*0.5 * (low + high)[:2], low[2]])
    sides = " × ".join(f"{1e3 * s:.3g}" for s in scan.spacing)
    rows = [("volume", " × ".join(map(str, volume.values.shape)) + f" voxels of {sides} mm")]
    for part, group in zip(parts, groups):
        count = int(np.count_nonzero(part.inside))
        named = f"level {args.level:g}" if args.level is not None else _called(group)
        rows += [(named, f"{count:,} voxels, {count * scan.voxel * 1e6:.4g} ml"), *pieces(part.parts, part.left)]
    rows += size(made[0], units, np.stack([low, high]))
    return [
        Found(solid.translated(offset), skin.translated(offset), step, tuple(rows), group, scan.translated(offset))
        for solid, skin, group in zip(made, drawn, groups)
    ]


class _Part(NamedTuple):
    inside: np.ndarray  # samples of the largest connected part
    parts: int
    left: float  # share of all parts that the others have


def _part(volume: Volume, group: dict[str, int], level: float | None) -> _Part:
    """The largest connected part of what is above a level, of some labels together, or of all labels but 0."""
    from scipy.ndimage import label

    inside = volume.values > level if level is not None else volume.values != 0
    inside = volume.having(list(group.values())) if group else inside
    if not inside.any():
        from_volume(volume, level=level)  # says what there is
    numbers, count = label(inside)
    sizes = np.bincount(numbers.ravel())[1:]
    return _Part(numbers == 1 + int(np.argmax(sizes)), count, float(1 - sizes.max() / sizes.sum()))


def _longest(inside: np.ndarray, volume: Volume) -> float:
    from scipy.ndimage import find_objects

    at = find_objects(inside.view(np.uint8))[0]
    return float(max((part.stop - part.start) * step for part, step in zip(at, volume.spacing)))


def _called(group: dict[str, int]) -> str:
    return ", ".join(label_options.phrases(group)) or "label ≠ 0"


def _check_choice(volume: Volume, asked: dict[str, int], args: argparse.Namespace) -> None:
    if asked and args.level is not None:
        raise InputError("--label and --level were given together; expected one of them")
    if args.level is None and not asked and not volume.labels():
        low, high = volume.values.min(), volume.values.max()
        raise InputError(
            f"{args.scene} holds grey values from {low:g} to {high:g}; expected --level, the least grey value of the solid"
        )
