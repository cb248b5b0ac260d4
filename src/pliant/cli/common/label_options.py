"""Options for the labels of a scan."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from ...geometry.distance.volume import Volume

OPTIONS = ("label", "labels", "apart")


def arguments(parser: Any, apart: bool = True) -> None:
    parser.add_argument(
        "--label",
        metavar="[NAME=]VALUE",
        action="append",
        help="of a volume: value that the solid has, with a name if you like (default: any but 0); may repeat",
    )
    parser.add_argument(
        "--labels", metavar="A,B,…", help="of a volume: several values, each of them a region with a material of its own"
    )
    if apart:
        parser.add_argument("--apart", action="store_true", help="make a body of each label, in place of a region")


def asked(args: argparse.Namespace) -> dict[str, int]:
    """The labels that were asked for, by name; a label without a name is called by its number."""
    found: dict[str, int] = {}
    for text in [*(args.label or ()), *(args.labels.split(",") if args.labels else ())]:
        name, _, value = text.rpartition("=")
        try:
            number = int(value)
        except ValueError:
            raise InputError(
                f"--label {text}: expected a whole number or a name and one, --label liver=1, or --labels 1,2,5"
            ) from None
        name = name.strip() or f"label {number}"
        if name in found or number in found.values():
            raise InputError(f"--label {text}: there is one of that name or number already; expected each once")
        found[name] = number
    if getattr(args, "apart", False) and len(found) < 2:
        raise InputError("--apart makes a body of each label; expected several, --labels 1,2")
    return found


def given(args: argparse.Namespace) -> list[str]:
    """The options that were used, for whom they are not meant."""
    return [f"--{name}" for name in OPTIONS if getattr(args, name, None) not in (None, False)]


def by_name(label: int | Sequence[int] | Mapping[str, int] | None) -> dict[str, int]:
    """Labels in any of the forms that Python may give them in, as ``asked`` has them."""
    if label is None:
        return {}
    if isinstance(label, Mapping):
        return dict(label)
    return {f"label {one}": one for one in ([label] if isinstance(label, int) else label)}


def moduli(text: str) -> float | list[float]:
    """One modulus, or one for each label: ``3e3,3e4``."""
    numbers = [float(part) for part in text.split(",")]
    return numbers if len(numbers) > 1 else numbers[0]


def each(young: float | Sequence[float], labels: Mapping[str, int]) -> list[float]:
    """A modulus for each label."""
    numbers = list(young) if isinstance(young, Sequence) else [young] * max(len(labels), 1)
    if len(numbers) != max(len(labels), 1):
        raise InputError(
            f"--young has {len(numbers)} numbers for {len(labels) or 'no'} labels; expected one, or one for each of --labels"
        )
    return numbers


def table(volume: Volume, labels: Mapping[str, int]) -> list[dict[str, Any]]:
    """Of each label its volume [m³], size along the axes of the scan [m], parts, and the labels that it touches."""
    import numpy as np
    from scipy.ndimage import binary_dilation, find_objects
    from scipy.ndimage import label as connected

    volume.having(list(labels.values()))
    rows = []
    for name, value in labels.items():
        inside = volume.values == value
        at = find_objects(inside.view(np.uint8))[0]
        box = tuple(slice(max(part.start - 1, 0), part.stop + 1) for part in at)
        beside = volume.values[box][binary_dilation(inside[box]) & ~inside[box]]
        size = [(part.stop - part.start) * step for part, step in zip(at, volume.spacing)]
        count = int(np.count_nonzero(inside))
        rows.append(
            {
                "name": name,
                "label": value,
                "voxels": count,
                "volume_m3": count * volume.voxel,
                "size_m": [float(s) for s in size],
                "parts": int(connected(inside[box])[1]),
                "touches": [int(v) for v in np.unique(beside) if v != 0],
            }
        )
    return rows


def counted(regions: np.ndarray, labels: Mapping[str, int], what: str) -> list[str]:
    """Of each region its name, its label and the number of its elements, as phrases."""
    import numpy as np

    counts = np.bincount(regions, minlength=len(labels))
    return [f"region {i} is {name}, {counts[i]:,} {what}" for i, name in enumerate(phrases(labels))]


def phrases(labels: Mapping[str, int]) -> list[str]:
    """Each label with its name where it has one."""
    return [name if name == f"label {value}" else f"{name} (label {value})" for name, value in labels.items()]
