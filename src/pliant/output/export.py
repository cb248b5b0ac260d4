"""A run as files that other programs read; the suffix says which."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from pathlib import Path

from ..arguments import checks
from ..arguments.atomic_files import target
from ..errors import InputError, did_you_mean
from ..simulate.record.run import Run
from .frames import as_run, picked

# suffix → module of formats/ that writes it; imported on use, as usd and vtkhdf need an extra
FORMATS = {
    ".npz": "npz", ".ply": "sequence", ".obj": "sequence", ".pvd": "pvd", ".vtkhdf": "vtkhdf", ".pc2": "point_cache",
    ".mdd": "point_cache", ".glb": "glb", ".usd": "usd", ".usda": "usd", ".usdc": "usd",
    ".csv": "csv",
}  # fmt: skip

_COLOURED = ("sequence", "usd")


def export(
    run: Run,
    path: str | os.PathLike[str],
    frames: int | slice | Sequence[int] | None = None,
    colour: str | None = None,
    skin: bool = False,
) -> Path:
    """Write a run to ``path`` in the format of its suffix and return the path.

    Known: ``.npz`` (everything; ``read`` reads it), ``.ply`` and ``.obj`` (one file a frame: a pattern such as
    ``out/frame_{:04d}.ply``, or a folder for PLY), ``.pvd`` (ParaView, with a folder of ``.vtu``), ``.vtkhdf``
    (ParaView, one file; extra ``pliant[vtkhdf]``), ``.pc2`` and ``.mdd`` (point caches, with an ``.obj``), ``.glb``
    (morph targets), ``.usd``, ``.usda``, ``.usdc`` (extra ``pliant[usd]``), ``.csv`` (a table of energies, forces and
    torques over time). ``frames`` is one number, a slice, a list,
    or None for all. ``colour`` names a field ("stress", "displacement", …) that colours the vertices, in PLY and USD;
    without it each body has its own hue. ``skin=True`` writes a ``.glb`` whose vertices are there once, on bones that are the
    nodes of their tets: smaller by far where a fine surface rides on few of them, and what game engines play. Files
    appear whole or not at all.
    """
    run, skin = as_run(run), checks.flag("export(skin=…)", skin)
    chosen = picked(run, frames)
    try:
        place = Path(os.fspath(path))
    except TypeError:
        raise InputError(f"path is {path!r}; expected a file name") from None
    suffix = place.suffix.lower()
    if colour is not None:
        run.moment(0).values(colour)  # an unknown field is told apart before anything is made
    if skin and suffix != ".glb":
        raise InputError(f"export(skin=True): {place.name!r} holds no skins; expected a name that ends in .glb")
    if not suffix and str(path):
        importlib.import_module(".formats.sequence", __package__).write(run, chosen, place, colour)
        return place
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError(f"cannot write {place.name!r}{did_you_mean(suffix, FORMATS)}; the formats are {known}")
    kind = FORMATS[suffix]
    if colour is not None and kind not in _COLOURED:
        raise InputError(f"colour={colour!r}: {suffix} holds no colours that change; use .ply or .usd")
    writer = importlib.import_module(f".formats.{kind}", __package__)
    more = [colour] if kind in _COLOURED else [skin] if kind == "glb" else []
    writer.write(run, chosen, target(place), *more)
    return place
