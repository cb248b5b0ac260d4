"""Simulate a scene file, or drop the shape in a mesh or volume file, and write pictures and pages of it.

A shape, even a broken surface or a label of a scan, is filled with a lattice of cells, dropped on a floor or hung up,
and written as a page and a film strip. Keys of a scene file are the arguments of the constructors: bodies, obstacles,
gravity, contact, integrator, [[cuts]], device, precision, threads, [run] seconds and frames_per_second, [output]
picture, filmstrip, animation, video, page, export, save. Ctrl-C ends a run after the step under way, writes the results so
far and a checkpoint, and prints the command that goes on from it.
"""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments.progress import status
from ..errors import InputError, StepError
from .common import checkpoints, outputs, resume
from .common.interrupt import stoppable
from .common.paths import existing, writable
from .common.summary import print_summary, summary
from .common.terminal import start
from .inputs import robot_file, shape_file

if TYPE_CHECKING:
    from ..simulate.cutting.cut_schedule import PlannedCut
    from ..simulate.simulation import Simulation
    from .inputs.scene_file import SceneFile

NEWEST = ""  # --resume without a name
EXAMPLE = "pliant run examples/scenes/cantilever.toml --out out --seconds 1, or: pliant run ct.nii.gz --label 1 --out liver.html"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", help="a TOML scene, a robot, a mesh or a volume (as in pliant inspect)")
    where = "folder for the results, or of a shape the page's name (default: the folder of the scene file, or this one)"
    parser.add_argument("--out", "-o", metavar="DIR", help=where)
    parser.add_argument("--seconds", type=float, help="seconds to simulate, in place of those in the file (a shape: 1)")
    parser.add_argument("--device", help="cpu or cuda, in place of the file's")
    parser.add_argument("--precision", help="f32 or f64, in place of the file's")
    resume_help = "go on from the checkpoint of a run that was stopped (default: the last one in the folder for the results)"
    parser.add_argument("--resume", metavar="NPZ", nargs="?", const=NEWEST, help=resume_help)
    often = "seconds between checkpoints of a run that takes longer than that (default: 60); 0 writes none"
    parser.add_argument("--checkpoint", type=float, metavar="SECONDS", default=60.0, help=often)
    robot_file.arguments(parser)
    shape_file.arguments(parser)


def run(args: argparse.Namespace) -> int:
    if not (args.checkpoint >= 0):
        raise InputError(f"--checkpoint {args.checkpoint:g}: expected a number of seconds, or 0 for none")
    from ..arguments.checks import is_positive
    from ..importers.scene_reader import is_description

    if args.seconds is not None and not is_positive(args.seconds):
        raise InputError(f"--seconds {args.seconds:g}: expected a positive number of seconds")
    if args.resume is None or Path(args.scene).suffix.lower() == ".toml":  # a stopped shape is in its checkpoint
        existing(args.scene, "a scene file, a mesh or a volume", folder=True)
    if Path(args.scene).suffix.lower() != ".toml" and not is_description(args.scene):
        if args.joint:
            raise InputError(f"--joint is for robots; {args.scene} is none")
        return shape_file.run(args)
    start()
    from ..simulate.record.nodal_fields import NAMES
    from .inputs.scene_file import read_scene

    for name in shape_file.OPTIONS:
        if getattr(args, name, None) not in (None, False):
            raise InputError(f"--{name} is for shapes; {args.scene} is a scene file, whose own keys say it")
    if args.out is not None:
        writable(args.out)
    with status(f"reading {args.scene}"):
        given = {"joints": robot_file.asked(args), "device": args.device, "precision": args.precision}
        read = read_scene(args.scene, args.out, args.seconds, **given)
    for line in read.notes:
        print(f"pliant: {line}", file=sys.stderr)
    folder = writable(read.path.parent if args.out is None else args.out, "the folder")
    checkpoint = folder / f"{read.path.stem}.checkpoint.npz"
    read.run.setdefault("fields", ["stress", *sorted(set(_colours(read.output)) & set(NAMES) - {"stress"})])
    about = {"source": read.path.name, "digest": resume.digest(read.path), "options": read.run}
    try:
        simulation, options = _begun(args, read, about, checkpoint)
        planned = simulation.planned
        results = _outputs(simulation, read.output)
        outputs.check(results)
        _check_colours(simulation, read.output, options.get("fields", ("stress",)))
        with stoppable() as stop:
            recorded = checkpoints.stepped(simulation, options, stop, checkpoint, about, args.checkpoint)
            stopped = resume.halted(stop, args, checkpoint, simulation, recorded, about)
            failed = recorded.reports[-1] if not recorded.reports[-1].kept else None
            if failed is not None and len(recorded) < 2:
                raise StepError(f"{read.path}: the first step failed: {failed.why}")
            written = outputs.write(recorded, results, read.path.stem, folder)
    except InputError as error:
        raise InputError(f"{read.path}: {error}") from None
    if stopped is None and failed is None:
        _tell_of_cuts(planned, simulation, len(recorded.chapters) > 1)
    print_summary(summary(recorded), written.files, args.json, stopped)
    if failed is not None:
        raise StepError(f"{read.path}: the step after t = {simulation.t:.4g} s failed: {failed.why}")
    if written.faults:
        raise written.error
    if stopped is not None:
        raise stopped.error
    return 0


def _tell_of_cuts(planned: Sequence[PlannedCut], simulation: Simulation, cut: bool) -> None:
    """Say which planned cuts the run did not come to, or that none of them met a body."""
    late = len(simulation.planned)
    if late:
        ends = f"the run ends at {simulation.t:.4g} s"
        print(f"pliant: {late} of {len(planned)} planned cuts lie later or are not drawn to their end: {ends}", file=sys.stderr)
    elif not cut and any(plan.until is not None for plan in planned):  # others say so when they miss
        print("pliant: none of the planned cuts opened a body; check where they are then, in metres", file=sys.stderr)


def _begun(
    args: argparse.Namespace, read: SceneFile, about: dict[str, Any], checkpoint: Path
) -> tuple[Simulation, dict[str, Any]]:
    """The simulation, at its start or where a checkpoint left it, and the arguments of its ``run``."""
    if args.resume is None:
        with status("preparing the simulation"):
            return read.simulation(), read.run
    if args.resume == NEWEST:
        args.resume = str(checkpoints.newest(checkpoint))
    resumed = resume.load_stopped(args, device=args.device, precision=args.precision, threads=read.settings.get("threads"))
    if resumed.about["digest"] != about["digest"]:
        sentence = "has changed since; only its [output] is used, all else is as in the checkpoint"
        print(f"pliant: {read.path} {sentence}", file=sys.stderr)
    options = resumed.options(args)
    about["options"] = {name: value for name, value in options.items() if name != "after"}
    return resumed.simulation, options


def _check_colours(simulation: Simulation, output: dict[str, dict[str, Any]], fields: Sequence[str]) -> None:
    """Refuse a field that the run will not have, and a video that nothing can write, before computing it."""
    from ..output.video import encoder

    if "video" in output:
        encoder()
    frame = simulation.frame(fields)
    for name in _colours(output):
        frame.values(name)


def _colours(output: dict[str, dict[str, Any]]) -> list[str]:
    """The fields that some result is to be coloured by."""
    fields = []
    for options in output.values():
        names = options.get("colours") or options.get("colour") or ()
        fields += [names] if isinstance(names, str) else list(names)
    return fields


def _outputs(simulation: Simulation, output: dict[str, dict[str, Any]]) -> list[outputs.Output]:
    """What to write, each with the function that does it."""
    import pliant

    results = []
    for name, options in output.items():
        path = Path(options["path"])
        if name == "save":
            put = lambda run, path=path: (path.parent.mkdir(parents=True, exist_ok=True), simulation.save(path))
        else:
            put = functools.partial(getattr(pliant, name), **options)
        results.append(outputs.Output(name, path, put))
    return results
