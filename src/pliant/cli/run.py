"""Simulate a scene file, or drop the shape in a mesh or volume file, and write pictures and pages of it.

A shape, be it a broken surface or a label of a scan, is laid on a lattice of cells, dropped on a floor or hung up, and
written as a page and a film strip. Keys of a scene file are the arguments of the constructors: bodies, obstacles, gravity,
contact, integrator, device, precision, threads, [run] seconds and frames_per_second, [output] picture, filmstrip,
animation, video, page, export, save.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, StepError
from ..output.video import encoder
from . import shape_file
from .summary import print_summary, summary

if TYPE_CHECKING:
    from ..simulate.run import Run
    from ..simulate.simulation import Simulation

EXAMPLE = "pliant run examples/scenes/cantilever.toml --out out --seconds 1, or: pliant run ct.nii.gz --label 1 --out liver.html"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", help="a TOML scene, a mesh or a volume (as in pliant inspect)")
    where = "folder for the results, or of a shape the page's name (default: beside the scene file, or here)"
    parser.add_argument("--out", "-o", metavar="DIR", help=where)
    parser.add_argument("--seconds", type=float, help="seconds to simulate, in place of those in the file (a shape: 1)")
    parser.add_argument("--device", help="cpu or cuda, in place of the file's")
    parser.add_argument("--precision", help="f32 or f64, in place of the file's")
    shape_file.arguments(parser)


def run(args: argparse.Namespace) -> int:
    from ..simulate.simulation import Simulation
    from .scene_file import read_scene

    if Path(args.scene).is_dir():
        raise InputError(f"{args.scene} is a folder; expected a scene file, a mesh or a volume")
    if Path(args.scene).suffix.lower() != ".toml":
        return shape_file.run(args)
    for name in shape_file.OPTIONS:
        if getattr(args, name, None) not in (None, False):
            raise InputError(f"--{name} is for shapes; {args.scene} is a scene file, whose own keys say it")
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
    """Refuse a field that the run will not have, and a video that nothing can write, before computing it."""
    if "video" in output:
        encoder()
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
