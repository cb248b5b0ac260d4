"""NumPy archive: everything a run holds, and the way back."""

from __future__ import annotations

import dataclasses
import json
import os
import zipfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from ...errors import InputError
from ...geometry.mesh import TriMesh
from ...progress import track
from ...simulate.run import Prop, Run, Skin
from ...simulate.solid import Solid
from ..atomic import whole_file
from ..frames import checked

VERSION = 1
_SKIN_ARRAYS = ("triangles", "parents", "weights", "tets", "edges")


def _plain(value: Any) -> Any:
    """Turn a report, or a part of one, into what JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, SimpleNamespace):
        return _plain(vars(value))
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(v) for v in value]
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def write(run: Run, frames: np.ndarray, path: Path) -> None:
    """Write ``frames`` of a run, with all its fields, energies, bodies, obstacles and reports."""
    arrays = {"times": run.times[frames], "rest": run.rest, "step_seconds": run.step_seconds}
    moving = {"positions": run.positions, "velocities": run.velocities}  # written frame by frame
    moving |= {f"field_{i}": np.asarray(v) for i, v in enumerate(run.fields.values())}
    about: dict[str, Any] = {"pliant_run": VERSION, "dt": float(run.dt), "reports": _plain(run.reports)}
    about["fields"], about["energies"] = list(run.fields), list(run.energies)
    arrays |= {f"energy_{i}": np.asarray(v)[frames] for i, v in enumerate(run.energies.values())}
    about["skins"] = [{"name": s.name, "start": int(s.start), "stop": int(s.stop), "colour": s.colour} for s in run.skins]
    for i, skin in enumerate(run.skins):
        parts = {name: getattr(skin, name) for name in _SKIN_ARRAYS}
        arrays |= {f"skin_{i}_{name}": np.asarray(a) for name, a in parts.items() if a is not None}
        if skin.solid is not None:
            arrays |= {f"skin_{i}_solid_{name}": a for name, a in skin.solid.arrays().items()}
    about["props"] = [{"name": p.name} for p in run.props]
    for i, prop in enumerate(run.props):
        arrays[f"prop_{i}_vertices"], arrays[f"prop_{i}_triangles"] = prop.mesh.vertices, prop.mesh.triangles
        arrays[f"prop_{i}_poses"] = prop.poses[frames]
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, values in arrays.items():
            values = np.asarray(values)
            _put(archive, name, values.dtype, values.shape, [values])
        with closing(track(range(len(moving) * len(frames)), "writing npz")) as ticks:
            for name, values in moving.items():
                rows = (values[frame] for frame, _ in zip(frames, ticks))
                _put(archive, name, values.dtype, (len(frames), *values.shape[1:]), rows)


def _put(archive: zipfile.ZipFile, name: str, kind: np.dtype, shape: tuple[int, ...], parts: Iterable[np.ndarray]) -> None:
    """Add an array to an archive as NumPy would, part by part."""
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        about = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, about)
        for part in parts:
            file.write(np.ascontiguousarray(part).tobytes())


def holds_run(path: str | os.PathLike) -> bool:
    """Whether a file is a run, by the names of what it holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {"about.npy", "times.npy", "positions.npy"} <= set(archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def read_run(path: str | os.PathLike) -> Run:
    """Read a run that ``export`` wrote as ``.npz``; its reports come back as plain namespaces."""
    try:
        file = Path(os.fspath(path))
    except TypeError:
        raise InputError(f"path is {path!r}; expected a file name") from None
    if not file.is_file():
        raise InputError(f"no file {str(file)!r}; expected a run that export wrote as .npz")
    try:
        with np.load(file, allow_pickle=False) as archive:
            if not hasattr(archive, "files") or "about" not in archive.files:
                raise InputError(f"{str(file)!r} holds no run; expected a file that export wrote as .npz")
            about = json.loads(archive["about"].tobytes())
            if about["pliant_run"] != VERSION:
                raise InputError(f"{str(file)!r} has run format {about['pliant_run']!r}; this Pliant reads {VERSION}")
            run = _run(about, archive)
        _check_skins(run)
        return checked(run)
    except InputError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise many kinds on damaged data
        raise InputError(f"{str(file)!r} is not a whole run file ({str(error)[:80] or type(error).__name__})") from None


def _run(about: dict, archive: Any) -> Run:
    skins = tuple(
        Skin(
            str(s["name"]), int(s["start"]), int(s["stop"]),
            **{n: archive[f"skin_{i}_{n}"] if f"skin_{i}_{n}" in archive.files else None for n in _SKIN_ARRAYS},
            colour=s.get("colour"),
            solid=_solid(archive, f"skin_{i}_solid_"),
        )
        for i, s in enumerate(about["skins"])
    )  # fmt: skip
    props = tuple(
        Prop(
            str(p["name"]), TriMesh(archive[f"prop_{i}_vertices"], archive[f"prop_{i}_triangles"]),
            archive[f"prop_{i}_poses"],
        )
        for i, p in enumerate(about["props"])
    )
    return Run(
        archive["times"], archive["positions"], archive["velocities"], archive["rest"], skins, props,
        {str(name): archive[f"field_{i}"] for i, name in enumerate(about["fields"])},
        {str(name): archive[f"energy_{i}"] for i, name in enumerate(about["energies"])},
        tuple(SimpleNamespace(**r) if isinstance(r, dict) else r for r in about["reports"]),
        archive["step_seconds"], float(about["dt"]),
    )  # fmt: skip


def _solid(archive: Any, prefix: str) -> Solid | None:
    found = {name.removeprefix(prefix): archive[name] for name in archive.files if name.startswith(prefix)}
    return Solid.from_arrays(found) if found else None


def _check_skins(run: Run) -> None:
    for skin in run.skins:
        nodes, surface = skin.stop - skin.start, len(skin.parents)
        limits = {"triangles": (3, surface), "parents": (None, nodes), "tets": (4, nodes), "edges": (2, nodes)}
        for name, (width, limit) in limits.items():
            cells = getattr(skin, name)
            if cells is None:
                continue
            if cells.ndim != 2 or (width and cells.shape[1] != width) or not np.issubdtype(cells.dtype, np.integer):
                raise InputError(f"{name} of body {skin.name!r} have shape {cells.shape}; expected rows of numbers")
            if cells.size and (cells.min() < 0 or cells.max() >= limit):
                raise InputError(f"{name} of body {skin.name!r} name a vertex outside 0…{limit - 1}")
        if skin.solid is not None and (skin.solid.cells.max() >= nodes or len(skin.solid.band.active) != nodes):
            raise InputError(f"cells of body {skin.name!r} name a node outside 0…{nodes - 1}")
        if skin.weights.shape != skin.parents.shape:
            shape = skin.weights.shape
            raise InputError(f"weights of body {skin.name!r} have shape {shape}; expected {skin.parents.shape}")
