"""Resumption of a stopped run from its checkpoint."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...arguments.atomic_files import why
from ...arguments.progress import status
from ...errors import InputError
from .interrupt import Halted, Stop

if TYPE_CHECKING:
    from ...simulate.record.run import Run
    from ...simulate.simulation import Simulation


RUN = ("seconds", "frames_per_second", "fields", "forces", "events")  # options of a run that a checkpoint keeps


class Stopped(NamedTuple):
    """What a checkpoint of ``pliant run`` holds: the simulation, its frames so far, and ``about`` the command."""

    simulation: Simulation
    run: Run
    about: dict[str, Any]

    def options(self, args: argparse.Namespace) -> dict[str, Any]:
        """Arguments of ``Simulation.run`` that go on; --seconds may ask for more than was asked for then."""
        options = dict(self.about["options"])
        if args.seconds is not None:
            options["seconds"] = args.seconds
        if args.seconds is not None and steps(args.seconds, self.run.dt) <= len(self.run.reports):
            raise InputError(
                f"--seconds {args.seconds:g}: {args.resume} is already at t = {self.simulation.t:.4g} s; expected more than that"
            )
        return options | {"after": self.run}


def steps(seconds: float, dt: float) -> int:
    """Steps of a run, as ``Simulation.run`` counts them."""
    return max(1, round(seconds / dt))


def digest(file: str | Path) -> str:
    """What a file holds, in a few letters."""
    import hashlib

    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def keep(path: Path, simulation: Simulation, run: Run, about: dict[str, Any]) -> None:
    """Write a checkpoint with the frames of a run; ``Simulation.load`` reads it too."""
    import dataclasses
    import json

    import numpy as np

    from ...output.formats.npz import put_surfaces
    from ...simulate.checkpoint import save

    arrays = {"times": run.times, "step_seconds": run.step_seconds}
    *ended, _last = run.chapters  # the simulation has the nodes and surfaces of the last itself
    description = about | {
        "reports": [dataclasses.asdict(report) for report in run.reports],
        "fields": list(run.field_names),
        "energies": list(run.energies),
        "forces": list(run.wrenches),
        "events": [dataclasses.asdict(event) for event in run.events],
        "ended": [put_surfaces(chapter, f"chapter_{i}_", arrays) for i, chapter in enumerate(ended)],
    }
    for i, chapter in enumerate(run.chapters):
        arrays |= {f"chapter_{i}_{name}": getattr(chapter, name) for name in ("positions", "velocities")}
        arrays |= {f"chapter_{i}_field_{j}": chapter.fields[name] for j, name in enumerate(run.field_names)}
    arrays |= {f"energy.{name}": values for name, values in run.energies.items()}
    arrays |= {f"force_{i}": values for i, values in enumerate(run.wrenches.values())}
    arrays["about"] = np.frombuffer(json.dumps(description, default=lambda value: value.item()).encode(), np.uint8)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(simulation, path, arrays)


def load_stopped(args: argparse.Namespace, **options: Any) -> Stopped:
    """The stopped run in ``args.resume``; ``options`` are those of ``Simulation.load``."""
    import json

    from ...arguments.checks import is_positive
    from ...output.formats.npz import chapter
    from ...output.formats.npz_checks import check_run
    from ...output.frames import fitting
    from ...simulate.checkpoint import read_more
    from ...simulate.record import events
    from ...simulate.record.run import Chapter, Run
    from ...simulate.simulation import Simulation
    from ...solve.objective.report import restored

    with status(f"reading {args.resume}"):
        simulation = Simulation.load(args.resume, **{name: value for name, value in options.items() if value is not None})
        more = read_more(args.resume)
    if "about" not in more:
        raise InputError(f"{args.resume} holds no frames; expected a checkpoint that pliant run wrote when it was stopped")
    try:
        about = json.loads(bytes(more["about"]).decode())
        names, ended = about["fields"], about["ended"]
        prefix = f"chapter_{len(ended)}_"
        last = Chapter(
            more[f"{prefix}positions"],
            more[f"{prefix}velocities"],
            simulation.world.rest,
            simulation.skins,
            {name: more[f"{prefix}field_{j}"] for j, name in enumerate(names)},
        )
        run = Run(
            times=more["times"],
            chapters=(*(chapter(own, names, more, f"chapter_{i}_") for i, own in enumerate(ended)), last),
            step_seconds=more["step_seconds"],
            energies={name: more[f"energy.{name}"] for name in about["energies"]},
            reports=tuple(restored(report) for report in about["reports"]),
            dt=simulation.integrator.dt,
            wrenches={name: more[f"force_{i}"] for i, name in enumerate(about.get("forces", ()))},
            events=events.restored(about),
        )
        source = str(about["source"])
        check_run(fitting(run))
        if set(about["options"]) - set(RUN) or not is_positive(about["options"]["seconds"]):
            raise ValueError("its options are none of a run")
        if not len(run.reports) == len(run.step_seconds) > 0:
            raise ValueError("its steps and their times differ in number")
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"{args.resume} is damaged ({why(error)}); expected a checkpoint") from None
    if Path(args.scene).name != source:
        raise InputError(f"{args.resume} is of {source}, not of {Path(args.scene).name}; expected the file that was run then")
    return Stopped(simulation, run, about)


class Halt(NamedTuple):
    """A run that a signal stopped before its end: where it came to, and the command that goes on."""

    checkpoint: Path
    command: str
    sentence: str

    @property
    def error(self) -> Halted:
        return Halted(f"{self.sentence} Go on with:\n  {self.command}")


def halted(
    stop: Stop, args: argparse.Namespace, checkpoint: Path, simulation: Simulation, run: Run, about: dict[str, Any]
) -> Halt | None:
    """Write the checkpoint of a run that was stopped, or do nothing for one that came to its end."""
    total = steps(about["options"]["seconds"], run.dt)
    if not stop.count or not run.reports[-1].kept or len(run.reports) >= total:
        return None
    with status(f"writing {checkpoint}"):
        keep(checkpoint, simulation, run, about)
    sentence = f"stopped at t = {run.times[-1]:.4g} s after {len(run.reports)} of {total} steps."
    return Halt(checkpoint, command(args, checkpoint), sentence)


def command(args: argparse.Namespace, path: Path) -> str:
    """``pliant run`` with the options that ``args`` hold, read off the parser, going on from a checkpoint."""
    from ..run import arguments

    words = ["pliant", "run", str(args.scene), "--resume", str(path)]
    parser = argparse.ArgumentParser(add_help=False)
    arguments(parser)
    for action in parser._actions:
        value = getattr(args, action.dest, None)
        if not action.option_strings or action.dest == "resume" or value in (None, False, action.default):
            continue
        words.append(action.option_strings[0])
        if action.nargs != 0:
            words += map(str, value) if isinstance(value, list) else [str(value)]
    return shlex.join([*words, *(["--json"] if args.json else [])])
