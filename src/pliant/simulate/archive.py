"""Checkpoints: a simulation as one .npz file without pickled objects, from which it goes on bit for bit.

The scene is stored as JSON of nested constructor arguments whose arrays lie beside it; only the classes listed here are
ever rebuilt. Conditions on nodes are stored as the node numbers they chose. Functions of time cannot be stored.
"""

from __future__ import annotations

import inspect
import io
import json
import os
import tempfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import elements, integrate, linear, material, solve
from ..elements.base import Elements
from ..elements.fibre_field import FibreField
from ..elements.quadrature import Averaged, Centre, Corners, Gauss, Moments
from ..energy.obstacles import Obstacle
from ..errors import InputError, did_you_mean
from ..geometry.mesh import EdgeMesh, TetMesh, TriMesh
from ..geometry.sdf import Instruction, Sdf
from ..integrate.base import State
from ..linear.block import Block
from ..linear.sqmr import SQMR
from ..material.combined import Combined
from .body import (
    Attachment,
    Body,
    Clamp,
    Contact,
    Damping,
    Load,
    Pins,
    Pressure,
    Scene,
    Tether,
    Traction,
    asked,
    select,
)
from .muscles import EmbeddedMuscle

if TYPE_CHECKING:
    from .simulation import Simulation

FORMAT = "pliant checkpoint"
VERSION = 1
OPTIONS = ("integrator", "device", "precision", "threads")
_RATIO = 1100  # deflate cannot expand further than this


def _classes() -> dict[str, type]:
    """Name → class of everything that may be rebuilt from a file."""
    known = [TetMesh, TriMesh, EdgeMesh, Sdf, Instruction, Obstacle, Combined, Block, SQMR]
    known += [Attachment, Body, Clamp, Contact, Damping, Load, Pins, Pressure, Scene, Tether, Traction]
    known += [Averaged, Centre, Corners, EmbeddedMuscle, FibreField, Gauss, Moments]
    rooms: tuple[ModuleType, ...] = (elements, integrate, linear, material, solve)
    known += [getattr(room, name) for room in rooms for name in room.__all__]
    return {kind.__name__: kind for kind in known if isinstance(kind, type)}


def save(simulation: Simulation, path: str | os.PathLike, more: dict[str, np.ndarray] | None = None) -> None:
    """Write the state, the scene and the integrator of a simulation; the file appears whole or not at all.

    ``more`` arrays lie beside them under ``more.NAME``, for ``read_more``.
    """
    file = _path(path)
    writer = _Writer()
    grabs = simulation.world.grabs.points
    about = {
        "format": FORMAT,
        "version": VERSION,
        "time": simulation.t,
        "steps": simulation.state.steps,
        "device": simulation.device.name,
        "precision": simulation.device.precision,
        "names": list(simulation.scene.names),
        "counts": np.diff(simulation.world.starts).tolist(),
        "next_handle": simulation._next_handle,
        "grabs": {str(handle): writer.plain(list(grab), "grab") for handle, grab in grabs.items()},
        "integrator": writer.plain(simulation.integrator, "integrator"),
        "scene": writer.plain(simulation.scene, "scene"),
    }
    arrays = {f"state.{name}": getattr(simulation.state, name).numpy() for name in State.FIELDS}
    if simulation.world.contact is not None:
        arrays |= {f"contact.{name}": value for name, value in simulation.world.contact.state().items()}
    arrays |= {f"more.{name}": value for name, value in (more or {}).items()}
    text = np.frombuffer(json.dumps(about).encode(), np.uint8)
    stream = io.BytesIO()
    np.savez(stream, about=text, **arrays, **{f"array.{i}": a for i, a in enumerate(writer.arrays)})
    _replace(file, stream.getvalue())


def load(cls: type[Simulation], path: str | os.PathLike, scene: Scene | None = None, **options: Any) -> Simulation:
    """Read a checkpoint. ``scene`` stands in for the saved one; options are those of ``Simulation``."""
    for name in options:
        if name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise InputError(f"load({name}=…): unknown option{did_you_mean(name, OPTIONS)}; known are {known}")
    file = _path(path)
    arrays = _arrays(file)
    try:
        about = json.loads(bytes(arrays["about"]).decode())
        if about["format"] != FORMAT:
            raise KeyError
        version = int(about["version"])
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{file} is no checkpoint of a simulation; expected a file that sim.save wrote") from None
    if version > VERSION:
        raise InputError(f"{file} has version {version}; this pliant reads up to {VERSION}: install a newer one")
    try:
        reader = _Reader(arrays)
        settings = {"device": about["device"], "precision": about["precision"]} | options
        if "integrator" not in options:
            settings["integrator"] = reader.built(about["integrator"])
            _complain(file, reader.lost, "integrator")
        if scene is None:
            scene = reader.built(about["scene"])
            _complain(file, reader.lost, "scene")
        simulation = cls(scene, **settings)
        _check_fits(file, simulation, about)
        _restore(simulation, about, arrays, reader)
    except InputError as error:
        raise error if str(error).startswith(str(file)) else InputError(f"{file}: {error}") from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise InputError(f"{file} is damaged ({_why(error)}); expected a file that sim.save wrote") from None
    return simulation


def read_more(path: str | os.PathLike) -> dict[str, np.ndarray]:
    """The arrays that were given to ``save`` beside the simulation; none where it was saved without."""
    return {name.removeprefix("more."): a for name, a in _arrays(_path(path)).items() if name.startswith("more.")}


def _complain(file: Path, lost: list[str], what: str) -> None:
    if lost:
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise InputError(f"{file}: {lost[0]}{more} could not be stored in a file; load it with {what}=…")


def _check_fits(file: Path, simulation: Simulation, about: dict) -> None:
    """A scene that stands in for the saved one has the same bodies."""
    names, counts = list(simulation.scene.names), np.diff(simulation.world.starts).tolist()
    if (names, counts) != (about["names"], about["counts"]):
        given = ", ".join(f"{n} ({c} nodes)" for n, c in zip(names, counts))
        saved = ", ".join(f"{n} ({c} nodes)" for n, c in zip(about["names"], about["counts"]))
        raise InputError(f"{file}: the scene given has {given}; expected the bodies that were saved, {saved}")


def _restore(simulation: Simulation, about: dict, arrays: dict[str, np.ndarray], reader: _Reader) -> None:
    """Put time, state, contact and grabs back as they were."""
    kind, world = simulation.device.types.numpy, simulation.world
    for name in State.FIELDS:
        values = arrays[f"state.{name}"]
        if values.shape != (world.count, 3) or not np.all(np.isfinite(values)):
            raise ValueError(f"state.{name} has shape {values.shape}, or is not finite")
        getattr(simulation.state, name).assign(values.astype(kind))
    simulation.t, simulation.state.steps = float(about["time"]), int(about["steps"])
    world.at_time(simulation.t)
    saved = {key.removeprefix("contact."): a.astype(kind) for key, a in arrays.items() if key.startswith("contact.")}
    if (world.contact is None) != (not saved):
        raise InputError("the scene given has other obstacles; expected those that were saved")
    if world.contact is not None:
        for key, now in world.contact.state().items():
            if saved[key].shape != now.shape:
                raise InputError(f"the scene given has {len(now)} obstacles; expected {len(saved[key])}, as saved")
        world.contact.restore(saved)
    for handle, grab in about["grabs"].items():
        nodes, weights, stiffness, target = reader.built(grab)
        if np.any((nodes < 0) | (nodes >= world.count)):
            raise ValueError("a grab holds a node that is not there")
        world.grabs.put(int(handle), nodes, weights, stiffness, target)
    simulation._next_handle = int(about["next_handle"])


class _Writer:
    """Turns nested objects into JSON, and collects their arrays."""

    def __init__(self):
        self.arrays: list[np.ndarray] = []
        self.classes = _classes()

    def plain(self, value: Any, where: str, shape: Elements | None = None) -> Any:
        """JSON of ``value``; ``where`` names it, ``shape`` is what conditions on nodes and surfaces are asked about."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, np.ndarray):
            self.arrays.append(value)
            return {"array": len(self.arrays) - 1}
        if isinstance(value, np.generic):
            return value.item()
        if isinstance(value, int | float):
            return value
        if isinstance(value, list | tuple):
            parts = [self.plain(v, f"{where}[{i}]", shape) for i, v in enumerate(value)]
            return {"tuple": parts} if isinstance(value, tuple) else parts
        if self.classes.get(type(value).__name__) is not type(value):
            return {"lost": f"{where} ({'a function' if callable(value) else type(value).__name__})"}
        given = {name: getattr(value, name) for name in inspect.signature(type(value)).parameters}
        if isinstance(value, Body):
            shape = value.shape
            given["pinned"], given["clamped"] = list(value.pins) or None, list(value.clamps) or None
        if shape is not None and "where" in given:
            given["where"] = select(asked(shape, value)[0], given["where"], where)
        if isinstance(value, material.ValanisLandel):
            given |= {name: value._samples(name, *map(float, value.stretch)) for name in "abc"}
        name = type(value).__name__
        return {"class": name, "with": {key: self.plain(v, f"{name}.{key}", shape) for key, v in given.items()}}


class _Reader:
    """Builds the objects again; ``lost`` collects what a file cannot hold."""

    def __init__(self, arrays: dict[str, np.ndarray]):
        self.arrays, self.classes = arrays, _classes()
        self.lost: list[str] = []

    def built(self, data: Any) -> Any:
        if isinstance(data, list):
            return [self.built(part) for part in data]
        if not isinstance(data, dict):
            return data
        if "array" in data:
            return self.arrays[f"array.{data['array']}"]
        if "tuple" in data:
            return tuple(self.built(part) for part in data["tuple"])
        if "lost" in data:
            self.lost.append(str(data["lost"]))
            return None
        before = len(self.lost)
        given = {str(key): self.built(part) for key, part in data["with"].items()}
        if len(self.lost) > before:
            return None
        made = self.classes[data["class"]](**given)
        for key, value in given.items():
            # constructors may normalise again what was normalised before, and so change the last bit
            now = getattr(made, key)
            if isinstance(value, np.ndarray) and isinstance(now, np.ndarray) and np.allclose(value, now, 1e-12, 0):
                object.__setattr__(made, key, value)
        return made


def _path(path: object) -> Path:
    try:
        file = Path(os.fspath(path))  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"checkpoint path is {path!r}; expected the name of a file") from None
    if file.suffix.lower() != ".npz" or "\0" in str(file):
        raise InputError(f"checkpoint path is {str(file)!r}; expected a name ending in .npz")
    return file


def _arrays(file: Path) -> dict[str, np.ndarray]:
    """Every array of an archive, or one sentence about why there are none."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if any(member.file_size > _RATIO * len(data) for member in archive.infolist()):
                raise ValueError("it claims more than it can hold")
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:  # zipfile, zlib and NumPy raise many kinds on damaged data
        raise InputError(f"{file} is not a whole .npz archive ({_why(error)}); expected a checkpoint") from None


def _replace(file: Path, data: bytes) -> None:
    """Write beside the target and rename, so that no part of a file is ever seen."""
    if file.is_dir():
        raise InputError(f"{file} is a folder; expected the name of a file to write")
    if not file.parent.is_dir():
        raise InputError(f"{file} cannot be written: there is no folder {file.parent}")
    part = None
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=f".{file.stem}.", delete=False) as stream:
            part = Path(stream.name)
            stream.write(data)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)  # temporary files are for their owner alone; a result is for everyone allowed
        os.replace(part, file)
    except OSError as error:
        if part is not None:
            part.unlink(missing_ok=True)
        raise InputError(f"{file} cannot be written: {error.strerror or error}") from None


def _why(error: Exception) -> str:
    return " ".join(str(error).split())[:80] or type(error).__name__
