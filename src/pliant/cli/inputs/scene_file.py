"""A scene, its integrator and what to write, from one TOML file."""

from __future__ import annotations

import inspect
import os
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pliant

from ...errors import InputError, did_you_mean
from ...importers.scene_reader import is_description
from ...integrate.base import Implicit
from ...integrate.explicit import Explicit
from ...simulate.cutting.cut_schedule import PlannedCut
from ...simulate.scene.body import Scene
from ...simulate.simulation import Simulation
from ..common.resume import RUN
from .object_builder import MISSING, Builder
from .robot_file import described

SCENE = tuple(inspect.signature(Scene).parameters)
SETTINGS = tuple(n for n in inspect.signature(Simulation).parameters if n != "scene")
OUTPUT = {  # function of pliant → endings its path may have
    "picture": (".png",),
    "filmstrip": (".png",),
    "animation": (".png", ".apng"),
    "video": (".mp4", ".webm"),
    "page": (".html", ".htm"),
    "export": None,
    "save": (".npz",),
}


class SceneError(InputError):
    """A scene file with ``faults``, each one sentence that begins with its place in the file."""

    def __init__(self, path: Path, faults: list[str]):
        self.path, self.faults = path, tuple(faults)
        count = "" if len(faults) == 1 else f" {len(faults)} faults:"
        super().__init__(f"{path}:{count} {'; '.join(faults)}")


@dataclass(frozen=True, eq=False)
class SceneFile:
    """What a scene file says: arguments of Simulation, of its ``run``, and of each output function."""

    path: Path
    scene: Scene
    settings: dict[str, Any]
    run: dict[str, Any]
    output: dict[str, dict[str, Any]]
    cuts: tuple[PlannedCut, ...] = ()
    notes: tuple[str, ...] = ()  # lines about what another program's file was taken for
    left_out: tuple[str, ...] = ()

    def simulation(self) -> Simulation:
        """The simulation at its start, with the cuts that are planned."""
        simulation = Simulation(self.scene, **self.settings)
        for plan in self.cuts:
            simulation.plan_cut(plan.blade, plan.at, plan.until, plan.body)
        return simulation


def is_scene(path: str | os.PathLike[str]) -> bool:
    """Whether a file describes a scene: a TOML file, or a robot or model of another program."""
    return Path(path).suffix.lower() == ".toml" or is_description(path)


def read_scene(
    path: str | os.PathLike[str],
    out: str | os.PathLike[str] | None = None,
    seconds: float | None = None,
    effects: Sequence[type] = (),
    kept: bool = False,
    joints: dict[str, float] | None = None,
    live: bool = False,
    data: dict[str, Any] | None = None,
    **settings: Any,
) -> SceneFile:
    """Read a scene, or another program's; meshes are looked for beside it, and results go there or into the folder ``out``.

    ``seconds`` and ``settings`` (device, precision, …) replace what the file says. Every fault in the file is found
    before any is reported. ``effects`` are classes of your own that the file may name: no file can name others.
    ``kept`` refuses meshes that are not in its folder. ``joints`` are values of the joints of a robot, and ``live`` takes longer
    steps than its file asks for, for a hand to play with. ``data`` stands for what the file holds.
    """
    file = Path(path)
    if is_description(file):
        return described(file, file.parent if out is None else Path(out), seconds, joints, live, settings)
    if joints:
        raise InputError(f"--joint {next(iter(joints))} is for robots; {file} is a scene file, whose own keys say it")
    data = parsed(file) if data is None else data
    builder = Builder(file.parent, kept=kept, own={kind.__name__: kind for kind in effects})
    known = (*SCENE, *SETTINGS, "cuts", "run", "output")
    for name in data:
        if name not in known:
            builder.fault("", f"unknown key {name!r}{did_you_mean(name, known)}; expected {', '.join(known)}")
    chosen = {k: v for k, v in data.items() if k in SETTINGS} | {k: v for k, v in settings.items() if v is not None}
    settings = builder.arguments(Simulation, chosen, "", leave=("scene",))
    if settings is not MISSING and not isinstance(settings.get("integrator"), Implicit | Explicit | None):
        builder.fault("integrator", f"is a {type(settings['integrator']).__name__}; expected one such as ImplicitEuler")
    others = tuple(n for n in inspect.signature(Simulation.run).parameters if n not in RUN)
    length = {} if seconds is None else {"seconds": seconds}
    run = builder.arguments(Simulation.run, _section(builder, data, "run") | length, "run", leave=others)
    output = _output(builder, _section(builder, data, "output"), file.parent if out is None else Path(out))
    cuts = _cuts(builder, data.get("cuts", []))
    scene = builder.call(Scene, {k: v for k, v in data.items() if k in SCENE}, "")
    if builder.faults:
        raise SceneError(file, builder.faults)
    return SceneFile(file, scene, settings, run, output, cuts)


def parsed(file: Path) -> dict[str, Any]:
    """The tables of a scene file."""
    try:
        text = file.read_bytes().decode()
    except OSError as error:
        near = did_you_mean(file.name, [f.name for f in file.parent.glob("*.toml")])
        raise InputError(f"{file} cannot be read: {error.strerror or error}{near}; expected a scene file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not text (byte {error.start} is not UTF-8); expected a TOML scene file") from None
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise InputError(f"{file} is not TOML: {' '.join(str(error).split())}") from None


def _section(builder: Builder, data: dict, name: str) -> dict:
    section = data.get(name, {})
    if isinstance(section, dict):
        return section
    builder.fault(name, f"is {section!r}; expected a table [{name}]")
    return {}


def _cuts(builder: Builder, given: Any) -> tuple[PlannedCut, ...]:
    """The cuts that a simulation makes by itself, each a table [[cuts]]."""
    if not isinstance(given, list):
        builder.fault("cuts", f"is {given!r}; expected tables [[cuts]] with blade and at")
        return ()
    made = [builder.call(PlannedCut, one, f"cuts[{i}]") for i, one in enumerate(given)]
    return tuple(plan for plan in made if plan is not MISSING)


def _output(builder: Builder, section: dict, folder: Path) -> dict[str, dict[str, Any]]:
    """Arguments of each output function, checked before anything is computed."""
    place = Builder(folder, builder.faults, kept=True)
    calls = {}
    for name, given in section.items():
        if name not in OUTPUT:
            builder.fault("output", f"unknown key {name!r}{did_you_mean(name, OUTPUT)}; expected {', '.join(OUTPUT)}")
            continue
        function = Simulation.save if name == "save" else getattr(pliant, name)
        arguments = place.arguments(function, given, f"output.{name}", skip=1)
        if arguments is MISSING:
            continue
        suffix = Path(arguments["path"]).suffix.lower()
        endings = OUTPUT[name] or _formats()
        if suffix not in endings and not (name == "export" and not suffix):
            near = did_you_mean(suffix, endings)
            builder.fault(f"output.{name}", f"ends in {suffix!r}{near}; expected {' or '.join(endings)}")
        calls[name] = arguments
    return calls


def _formats() -> tuple[str, ...]:
    from ...output.export import FORMATS

    return tuple(FORMATS)
