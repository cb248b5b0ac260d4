"""Simulate a scene file and write what its [output] asks for.

Keys of the file are the arguments of the constructors: bodies, obstacles, gravity, contact, integrator, device,
precision, threads, [run] seconds and frames_per_second, [output] picture, filmstrip, animation, page, export, save.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, StepError
from .summary import print_summary, summary

if TYPE_CHECKING:
    from ..simulate.run import Run
    from ..simulate.simulation import Simulation

EXAMPLE = "pliant run examples/scenes/cantilever.toml --out out --seconds 1"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", help="a TOML scene file")
    parser.add_argument("--out", metavar="DIR", help="folder for the results (default: beside the scene file)")
    parser.add_argument("--seconds", type=float, help="seconds to simulate, in place of those in the file")
    parser.add_argument("--device", help="cpu or cuda, in place of the file's")
    parser.add_argument("--precision", help="f32 or f64, in place of the file's")


def run(args: argparse.Namespace) -> int:
    from ..simulate.simulation import Simulation
    from .scene_file import read_scene

    if args.out is not None and Path(args.out).exists() and not Path(args.out).is_dir():
        raise InputError(f"--out {args.out} is a file; expected a folder")
    read = read_scene(args.scene, args.out, args.seconds, device=args.device, precision=args.precision)
    try:
        simulation = Simulation(read.scene, **read.settings)
        _check_colours(simulation, read.output)
        found = simulation.run(**read.run, progress=sys.stderr.isatty(), must_succeed=False)
    except InputError as error:
        raise InputError(f"{read.path}: {error}") from None
    failed = found.reports[-1] if not found.reports[-1].ok else None
    if failed is not None and len(found) < 2:
        raise StepError(f"{read.path}: the first step failed: {failed.why}")
    files = write(simulation, found, read.output)
    print_summary(summary(found), files, args.json)
    if failed is not None:
        raise StepError(f"{read.path}: the step after t = {simulation.t:.4g} s failed: {failed.why}")
    return 0


def _check_colours(simulation: Simulation, output: dict[str, dict[str, Any]]) -> None:
    """Refuse a field that the run will not have before computing it."""
    frame = simulation.frame()
    for options in output.values():
        names = options.get("colours") or [options.get("colour")]
        for name in [names] if isinstance(names, str) else names:
            if name is not None:
                frame.values(name)


def write(simulation: Simulation, found: Run, output: dict[str, dict[str, Any]]) -> list[Path]:
    """Write each result and return their paths."""
    import pliant

    files = []
    for name, options in output.items():
        path = Path(options["path"])
        if name == "save":
            path.parent.mkdir(parents=True, exist_ok=True)
            simulation.save(path)
        else:
            getattr(pliant, name)(found, **options)
        files.append(path)
    return files
