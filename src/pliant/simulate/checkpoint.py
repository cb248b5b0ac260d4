"""Checkpoints: a simulation as one archive, resumed bit for bit.

The scene is stored as JSON of nested constructor arguments whose arrays lie beside it; only the classes listed here are
ever rebuilt. Conditions on nodes are stored as the node numbers they chose. Functions of time cannot be stored.
"""

from __future__ import annotations

import inspect
import json
import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import contact, elements, integrate, linear, material, solve
from ..arguments.atomic_files import packed, unpacked, why, write_bytes
from ..arguments.renamed import NAMES
from ..contact.barrier.barrier_energy import Barrier
from ..cut.blade import Blade
from ..effects.base import OnBody, select
from ..effects.effect_layout import Beginning
from ..effects.elasticity.holds import MEANS
from ..effects.keyframes import Keyframes, Table
from ..effects.registry import VALUES
from ..elements.base import Elements
from ..elements.lattice.cut_lattice import CutLattice
from ..elements.lattice.fibre_field import FibreField
from ..elements.quadrature import Averaged, Centre, Corners, Gauss, Moments
from ..energy.memory import remembering
from ..errors import InputError, did_you_mean
from ..geometry.distance.sdf import Instruction, Sdf
from ..geometry.lattice.cut_cells import Carved
from ..geometry.lattice.hex_mesh import HexMesh
from ..geometry.mesh.embedded_surface import HeldSurface
from ..geometry.mesh.groups import Group
from ..geometry.mesh.mesh import EdgeMesh, TetMesh, TriMesh
from ..geometry.mesh.mesh_looks import Finish, Looks
from ..integrate.state import State
from ..material.law_sum import Combined
from ..material.laws.dapd_law import Dapd
from ..material.laws.degenerate_rotations import ROTATIONS
from ..material.laws.rotation_tangents import TANGENTS
from ..material.plasticity.plastic_law import FLOWS, Plastic
from ..runtime.scatter_writes import write_rows
from ..solve.quasi_newton.factor_after_cut import WAYS
from .checkpoint_checks import check_kinds, real, reals, whole
from .cutting.cut_schedule import PlannedCut
from .scene.body import Body, Scene
from .scene.contact_response import answering
from .user_classes import class_at, fields_of, path_of

if TYPE_CHECKING:
    from .scene.world import World
    from .simulation import Simulation

FORMAT = "pliant checkpoint"
VERSION = 3
OPTIONS = ("integrator", "device", "precision", "threads")
EXPECTED = "a checkpoint that sim.save wrote"


def _classes() -> dict[str, type]:
    """Name → class of everything that may be rebuilt from a file."""
    known = [TetMesh, HexMesh, TriMesh, EdgeMesh, Looks, Finish, Group, HeldSurface, Blade, PlannedCut, Sdf, Instruction]
    known += [Combined, Dapd, Keyframes, Table, Plastic, *FLOWS, *ROTATIONS, Carved, CutLattice]
    known += [Body, Scene, Averaged, Centre, Corners, FibreField, Gauss, Moments, *VALUES, *WAYS]
    rooms: tuple[ModuleType, ...] = (contact, elements, integrate, linear, material, solve)
    known += [getattr(room, name) for room in rooms for name in room.__all__]
    named = {kind.__name__: kind for kind in known if isinstance(kind, type)}
    named |= {f"tangents.{kind.__name__}": kind for kind in TANGENTS}
    return named | {f"hold.{kind.__name__}": kind for kind in MEANS}  # some of which are called as elements are


def save(simulation: Simulation, path: str | os.PathLike[str], more: dict[str, np.ndarray] | None = None) -> None:
    """Write the state, the scene and the integrator of a simulation; the file appears whole or not at all.

    ``more`` arrays lie beside them under ``more.NAME``, for ``read_more``.
    """
    file = _path(path)
    writer = _Writer()
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
        "integrator": writer.plain(simulation.integrator, "integrator"),
        "scene": writer.plain(simulation.scene, "scene"),
        "barrier": getattr(simulation.scene.contact.response, "barrier", None) is not None,
        "planned": writer.plain(list(simulation.planned), "planned cuts"),
    }
    alive = simulation.world.alive
    arrays = {f"state.{name}": getattr(simulation.state, name).numpy()[:alive] for name in State.FIELDS}
    for owner, memory in simulation.state.memory.items():
        arrays |= {f"memory.{owner}.{name}": _of_nodes(value, simulation.world) for name, value in memory.items()}
    arrays |= {f"more.{name}": value for name, value in (more or {}).items()}
    arrays |= {f"array.{i}": a for i, a in enumerate(writer.arrays)}
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), np.uint8)
    write_bytes(file, packed(arrays), make=False)


def _of_nodes(value: Any, world: World) -> np.ndarray:
    """A memory without what it has in rows to spare, where it is of nodes."""
    values = value.numpy()
    return values[:, : world.alive] if value.ndim == 2 and value.shape[1] == world.count > world.alive else values


def load(cls: type[Simulation], path: str | os.PathLike[str], scene: Scene | None = None, **options: Any) -> Simulation:
    """Read a checkpoint. ``scene`` stands in for the saved one; options are those of ``Simulation``."""
    for name in options:
        if name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise InputError(f"load({name}=…): unknown option{did_you_mean(name, OPTIONS)}; known are {known}")
    file = _path(path)
    arrays = unpacked(file, EXPECTED)
    try:
        about = json.loads(bytes(arrays["about"]).decode())
        if about["format"] != FORMAT:
            raise KeyError
        version = whole(about["version"], "version")
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{file} is not a checkpoint of a simulation; expected a file that sim.save wrote") from None
    if version != VERSION:
        other = "a newer pliant" if version > VERSION else "the pliant that wrote it"
        raise InputError(f"{file} has version {version}; this pliant reads version {VERSION}: use {other}")
    try:
        reader = _Reader(arrays)
        settings = {"device": about["device"], "precision": about["precision"]} | options
        if "integrator" not in options:
            settings["integrator"] = reader.built(about["integrator"])
            _complain(file, reader.lost, "integrator")
        if scene is None:
            scene = reader.built(about["scene"])
            _complain(file, reader.lost, "scene")
        simulation = cls.__new__(cls)
        if isinstance(scene, Scene):
            scene = answering(scene, Barrier() if about.get("barrier") else None)
            count = _check_fits(file, scene, about)
            x = reals(arrays["state.x"], "state.x", (count, 3))
            simulation._resumes = Beginning(x, real(about["time"], "time", 0.0))
        simulation.__init__(scene, **settings)
        simulation._resumes = None
        _restore(simulation, about, arrays)
        planned = reader.built(about.get("planned", []))
        if not isinstance(planned, list) or not all(isinstance(plan, PlannedCut) for plan in planned):
            raise ValueError("planned cuts")
        simulation.planned = tuple(planned)
    except InputError as error:
        raise error if str(error).startswith(str(file)) else InputError(f"{file}: {error}") from None
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise InputError(f"{file} is damaged ({why(error)}); expected a file that sim.save wrote") from None
    return simulation


def read_more(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """The arrays that were given to ``save`` beside the simulation; none where it was saved without."""
    return {name.removeprefix("more."): a for name, a in unpacked(_path(path), EXPECTED).items() if name.startswith("more.")}


def _complain(file: Path, lost: list[str], what: str) -> None:
    if lost:
        more = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        raise InputError(f"{file}: {lost[0]}{more} could not be stored in a file; load it with {what}=…")


def _check_fits(file: Path, scene: Scene, about: dict) -> int:
    """A scene that stands in for the saved one has the same bodies; returns the number of their nodes."""
    names, counts = list(scene.names), [len(body.shape.rest) for body in scene.bodies]
    if (names, counts) != (about["names"], about["counts"]):
        given = ", ".join(f"{n} ({c} nodes)" for n, c in zip(names, counts))
        saved = ", ".join(f"{n} ({c} nodes)" for n, c in zip(about["names"], about["counts"]))
        raise InputError(f"{file}: the scene given has {given}; expected the bodies that were saved, {saved}")
    return sum(counts)


def _restore(simulation: Simulation, about: dict, arrays: dict[str, np.ndarray]) -> None:
    """Put time, state and every memory back as they were."""
    device, count = simulation.device, simulation.world.alive
    state = simulation.state.copy()
    for name in State.FIELDS:
        values = reals(arrays[f"state.{name}"], f"state.{name}", (count, 3))
        write_rows(device, getattr(state, name), slice(count), values)
    state.t, state.steps = real(about["time"], "time", 0.0), whole(about["steps"], "steps")
    remembered, owners = simulation.state.memory, simulation.state.owners()
    arrays = {"memory.rounding.sizes": np.zeros(0)} | arrays  # which older files do not have
    known = {f"memory.{owner}.{name}" for owner, memory in remembered.items() for name in memory}
    strange = known ^ {name for name in arrays if name.startswith("memory.")}
    if strange:
        owner = sorted(strange)[0].split(".")[1]
        raise InputError(f"the scene given and the one saved do not both have {owner!r}; expected the effects that were saved")
    for owner, memory in remembered.items():
        saved = {name: arrays[f"memory.{owner}.{name}"] for name in memory}
        try:
            remembering(owners[owner]).check(saved, count)
        except ValueError as error:
            raise InputError(f"the saved memory of {owner!r} does not fit: {error}") from None
        state.memory[owner] = {name: device.array(saved[name], now.dtype) for name, now in memory.items()}
    simulation.assign(state)
    simulation._next_handle = whole(about["next_handle"], "next_handle")


class _Writer:
    """Turns nested objects into JSON, and collects their arrays."""

    def __init__(self):
        self.arrays: list[np.ndarray] = []
        self.names = {kind: name for name, kind in _classes().items()}

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
        own = path_of(value)
        if own is not None:
            given = fields_of(value)
            if shape is not None and "where" in given and isinstance(value, OnBody):
                given["where"] = value.chosen(shape, where)
            name = type(value).__name__
            return {"effect": own, "with": {key: self.plain(v, f"{name}.{key}", shape) for key, v in given.items()}}
        if type(value) not in self.names:
            return {"lost": f"{where} ({'a function' if callable(value) else type(value).__name__})"}
        given = {name: getattr(value, name) for name in inspect.signature(type(value)).parameters}
        if isinstance(value, Body):
            shape = value.shape
            given["pinned"] = None if value.pinned is None else select(shape.rest, value.pinned, where)
        if shape is not None and "where" in given:
            given["where"] = value.chosen(shape, where)
        if isinstance(value, material.ValanisLandel):
            given |= {name: value._samples(name, *map(float, value.stretch)) for name in "abc"}
        name = type(value).__name__
        return {
            "class": self.names[type(value)],
            "with": {key: self.plain(v, f"{name}.{key}", shape) for key, v in given.items()},
        }


class _Reader:
    """Builds the objects again; ``lost`` collects what a file cannot hold."""

    def __init__(self, arrays: dict[str, np.ndarray]):
        self.arrays, self.classes = arrays, _classes()
        new = {old: name.rpartition(".")[2] for old, name in NAMES.items()}
        self.classes |= {old: self.classes[name] for old, name in new.items() if name in self.classes}
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
        if "effect" in data:
            return class_at(str(data["effect"]))(**given)
        check_kinds(self.classes[data["class"]], given)
        instance = self.classes[data["class"]](**given)
        for key, value in given.items():
            # constructors may normalise again what was normalised before, and so change the last bit
            now = getattr(instance, key)
            arrays = isinstance(value, np.ndarray) and isinstance(now, np.ndarray)
            alike = arrays and value.shape == now.shape and value.dtype == now.dtype
            if alike and np.allclose(value, now, 1e-12, 0):
                object.__setattr__(instance, key, value)
        return instance


def _path(path: object) -> Path:
    try:
        file = Path(os.fspath(path))  # type: ignore[arg-type]
    except TypeError:
        raise InputError(f"checkpoint path is {path!r}; expected the name of a file") from None
    if file.suffix.lower() != ".npz" or "\0" in str(file):
        raise InputError(f"checkpoint path is {str(file)!r}; expected a name ending in .npz")
    return file
