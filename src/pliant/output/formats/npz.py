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

from ...arguments import checks
from ...arguments.atomic_files import LIMIT, unpacked, whole_file, why
from ...arguments.progress import track
from ...errors import InputError
from ...geometry.mesh.mesh import TriMesh
from ...geometry.mesh.mesh_looks import Looks
from ...simulate.record.deformed_solid import Solid
from ...simulate.record.events import restored
from ...simulate.record.run import Chapter, Prop, Run, Skin
from ..frames import checked, fitting
from .npz_checks import check_run

VERSION = 2  # 1 where there is one chapter
_POSITIONS = {"positions.npy", "chapter_0_positions.npy"}
_SKIN_ARRAYS = ("triangles", "parents", "weights", "tets", "hexes", "edges")


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
    """Write ``frames`` of a run, with all its fields, energies, bodies, obstacles and reports.

    A run of one chapter has the layout of version 1; of several, the arrays of each have its number in their names.
    """
    frames = np.asarray(frames)
    order = np.array([run.chapter_of(int(frame)) for frame in frames])
    if np.any(np.diff(order) < 0):
        raise InputError("these frames go back to an earlier chapter of the run; expected them in the order of the run")
    chapters = {k: frames[order == k] for k in sorted(set(order.tolist()))}  # number → its frames
    version = 1 if len(chapters) == 1 else VERSION
    reports = [_plain(report) | {"ok": bool(report.ok)} for report in run.reports]
    about: dict[str, Any] = {"pliant_run": version, "dt": float(run.dt), "reports": reports}
    about["fields"], about["energies"] = list(run.field_names), list(run.energies)
    about["props"] = [{"name": p.name} for p in run.props]
    arrays: dict[str, Any] = {"times": run.times[frames], "step_seconds": run.step_seconds}
    arrays |= {f"energy_{i}": np.asarray(v)[frames] for i, v in enumerate(run.energies.values())}
    about["forces"], about["events"] = list(run.wrenches), [_plain(event) for event in run.events]
    arrays |= {f"force_{i}": np.asarray(v)[frames] for i, v in enumerate(run.wrenches.values())}
    for i, prop in enumerate(run.props):
        arrays[f"prop_{i}_vertices"], arrays[f"prop_{i}_triangles"] = prop.mesh.vertices, prop.mesh.triangles
        arrays[f"prop_{i}_poses"] = prop.poses[frames]
    moving: dict[str, tuple[np.ndarray, np.ndarray]] = {}  # written frame by frame: values and which rows of them
    headers = []
    for i, (k, own) in enumerate(chapters.items()):
        prefix, chapter, rows = _prefix(i, version), run.chapters[k], own - run.starts[k]
        headers.append(put_surfaces(chapter, prefix, arrays))
        moving[f"{prefix}positions"] = (chapter.positions, rows)
        moving[f"{prefix}velocities"] = (chapter.velocities, rows)
        for j, name in enumerate(run.field_names):
            moving[f"{prefix}field_{j}"] = (np.asarray(chapter.fields[name]), rows)
    about |= headers[0] if version == 1 else {"chapters": headers}
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, values in arrays.items():
            values = np.asarray(values)
            _put(archive, name, values.dtype, values.shape, [values])
        with closing(track(range(sum(len(rows) for _, rows in moving.values())), "writing npz")) as ticks:
            for name, (values, rows) in moving.items():
                parts = (values[row] for row, _ in zip(rows, ticks))
                _put(archive, name, values.dtype, (len(rows), *values.shape[1:]), parts)


def _prefix(chapter: int, version: int) -> str:
    """What the names of a chapter's arrays begin with."""
    return "" if version == 1 else f"chapter_{chapter}_"


def put_surfaces(chapter: Chapter, prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Describe what all frames of a chapter share, its nodes at rest and its skins, and add their arrays."""
    arrays[f"{prefix}rest"], skins = chapter.rest, chapter.skins
    for i, skin in enumerate(skins):
        parts = {name: getattr(skin, name) for name in _SKIN_ARRAYS}
        arrays.update({f"{prefix}skin_{i}_{name}": np.asarray(a) for name, a in parts.items() if a is not None})
        if skin.solid is not None:
            arrays.update({f"{prefix}skin_{i}_solid_{name}": a for name, a in skin.solid.arrays().items()})
        if skin.looks is not None:
            arrays.update({f"{prefix}skin_{i}_looks_{name}": a for name, a in skin.looks.arrays().items()})
    every = [{"name": s.name, "start": int(s.start), "stop": int(s.stop), "colour": s.colour} for s in skins]
    return {"skins": every}


def _put(archive: zipfile.ZipFile, name: str, kind: np.dtype, shape: tuple[int, ...], parts: Iterable[np.ndarray]) -> None:
    """Add an array to an archive as NumPy would, part by part."""
    with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
        about = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, about)
        for part in parts:
            file.write(np.ascontiguousarray(part).tobytes())


def holds_run(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a run, by the names of what it holds."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            return {"about.npy", "times.npy"} <= names and not names.isdisjoint(_POSITIONS)
    except (OSError, zipfile.BadZipFile):
        return False


def read_run(path: str | os.PathLike[str], limit: float = LIMIT) -> Run:
    """Read a run that ``export`` wrote as ``.npz``; its reports come back as plain namespaces.

    ``limit``: bytes of memory that it may take, or 20 times the size of the file if that is more.
    """
    try:
        file = Path(os.fspath(path))
    except TypeError:
        raise InputError(f"path is {path!r}; expected a file name") from None
    arrays = unpacked(file, "a run that export wrote as .npz", checks.positive("limit", limit, "bytes"))
    if "about" not in arrays:
        raise InputError(f"{file} holds no run; expected a file that export wrote as .npz")
    try:
        about = json.loads(arrays["about"].tobytes())
        version = about["pliant_run"]
        if type(version) is not int or version not in (1, VERSION):
            raise InputError(f"has run format {version!r}; this Pliant reads up to {VERSION}")
        run = fitting(_run(about, arrays))
        check_run(run)
        return checked(run)
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise InputError(f"{file} is not a whole run file ({why(error)}); expected one that export wrote") from None


def _run(about: dict, archive: dict[str, np.ndarray]) -> Run:
    version = about["pliant_run"]
    described = [about] if version == 1 else about["chapters"]
    props = tuple(
        Prop(str(p["name"]), TriMesh(archive[f"prop_{i}_vertices"], archive[f"prop_{i}_triangles"]), archive[f"prop_{i}_poses"])
        for i, p in enumerate(about["props"])
    )
    return Run(
        times=archive["times"],
        chapters=tuple(chapter(own, about["fields"], archive, _prefix(i, version)) for i, own in enumerate(described)),
        props=props,
        energies={str(name): archive[f"energy_{i}"] for i, name in enumerate(about["energies"])},
        reports=tuple(SimpleNamespace(**{"kept": r.get("ok", True)} | r) for r in about["reports"]),
        step_seconds=archive["step_seconds"],
        dt=float(about["dt"]),
        wrenches={str(name): archive[f"force_{i}"] for i, name in enumerate(about.get("forces", ()))},
        events=restored(about),
    )


def chapter(about: dict, fields: list, archive: dict[str, np.ndarray], prefix: str) -> Chapter:
    """The chapter that ``put_surfaces`` described, with its frames."""
    skins = tuple(
        Skin(
            str(s["name"]), int(s["start"]), int(s["stop"]),
            **{n: archive[key] if (key := f"{prefix}skin_{i}_{n}") in archive else None for n in _SKIN_ARRAYS},
            colour=s.get("colour"),
            solid=_made(Solid, archive, f"{prefix}skin_{i}_solid_"),
            looks=_made(Looks, archive, f"{prefix}skin_{i}_looks_"),
        )
        for i, s in enumerate(about["skins"])
    )  # fmt: skip
    return Chapter(
        positions=archive[f"{prefix}positions"],
        velocities=archive[f"{prefix}velocities"],
        rest=archive[f"{prefix}rest"],
        skins=skins,
        fields={str(name): archive[f"{prefix}field_{i}"] for i, name in enumerate(fields)},
    )


def _made(kind: type[Solid] | type[Looks], archive: dict[str, np.ndarray], prefix: str) -> Any:
    """What a body has beside its surface, from arrays of its own; None where there are none."""
    arrays = {name.removeprefix(prefix): archive[name] for name in archive if name.startswith(prefix)}
    return kind.from_arrays(arrays) if arrays else None
