"""Options for axis, unit and size of shapes."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...errors import InputError

OPTIONS = ("up", "unit", "size")
USUAL, SCALED = (0.005, 5.0), 0.2  # [m] sizes that are believed, and the size given to what is no length at all
MILLIMETRES = 5000.0  # what is longer than usual and not over this is taken to be in millimetres


def arguments(parser: Any) -> None:
    parser.add_argument(
        "--up", metavar="AXIS", help="axis of the file that points up: x, y, z, -x, -y or -z (default: z; glTF: y)"
    )
    parser.add_argument("--unit", help="unit of lengths in the file: m, cm, mm, in, ft or a number of metres (default: guessed)")
    parser.add_argument("--size", type=float, help="length of the longest side [m], in place of --unit")


def asked(args: argparse.Namespace) -> dict[str, Any]:
    """The options as arguments of ``read``."""
    unit = args.unit
    if unit is not None:
        with suppress(ValueError):  # or else the name of one
            unit = float(unit)
    if args.size is not None and not 0 < args.size < 1e4:
        raise InputError(f"--size {args.size:g}: expected a positive number of metres")
    if unit is not None and args.size is not None:
        raise InputError("--unit and --size were given together; expected one of them")
    return {"up": args.up, "unit": unit, "size": args.size}


def guessed(long: float, file: Path | str) -> tuple[float, str]:
    """Factor on lengths that nobody gave a unit for, unless the file did, and words about it."""
    from ...geometry.files import is_measured

    if is_measured(file):
        return 1.0, "as the file says"
    if USUAL[0] <= long <= USUAL[1]:
        return 1.0, "taken as metres"
    if USUAL[1] < long <= MILLIMETRES:
        return 0.001, f"{long:.4g} units taken as millimetres"
    return SCALED / long, f"{long:.4g} units scaled to {SCALED:g} m"


@contextmanager
def as_options() -> Iterator[None]:
    """Advice about ``edge=…`` in a sentence becomes one about the option of the shell."""
    try:
        yield
    except InputError as error:
        advice = "pliant view FILE --cloth, or run, takes a sheet as cloth"
        said = str(error).replace("Membrane(mesh, thickness) is cloth of a sheet", advice)
        raise InputError(said.replace("try edge=", "try --edge ")) from None


def is_said(file: Path | str) -> bool:
    """Whether the file itself says what its lengths are."""
    from ...geometry.files import is_measured

    return is_measured(file)


def unguessed(file: Path | str) -> str:
    """Words about lengths that are left as the file has them."""
    from ...geometry.files import is_measured

    return "as the file says" if is_measured(file) else "taken as metres"


def sentence(file: Path | str, bounds: Any, up: str | None, words: str) -> str:
    """What a file was taken for, in one line."""
    sides = " × ".join(f"{side:.3g}" for side in bounds[1] - bounds[0])
    axis = up or ("y" if Path(file).suffix.lower() in (".glb", ".gltf") else "z")
    return f"{Path(file).name} is {sides} m, {axis} up, {words} (--up, --unit and --size say otherwise)"
