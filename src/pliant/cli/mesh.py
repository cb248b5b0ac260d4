"""Turn a surface or a label of a scan into tetrahedra, or a file into another format.

With --edge the surface in the file, or a label or level of its voxels, is filled with tets of that size, several labels
as regions of one mesh, and lengths without a unit are taken as in view and run; without, its mesh is written unchanged.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ..arguments.progress import status
from ..errors import InputError
from ..geometry.file_suffixes import MESHES, VOLUMES
from .common import label_options, placement_options
from .common.paths import existing, writable
from .common.terminal import print_json, start

EXAMPLE = "pliant mesh liver.stl liver.msh --edge 0.004 --unit mm, or: pliant mesh ct.nii.gz liver.msh --label 1 --edge 0.004"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", help=f"mesh ({', '.join(MESHES)}) or volume ({', '.join(VOLUMES)})")
    parser.add_argument("output", help="file to write; its ending names the format")
    parser.add_argument("--edge", type=float, help="length of the tets' edges [m], after scaling")
    parser.add_argument("--grading", type=float, default=1.0, help="how much longer edges may be inside (default: 1)")
    placement_options.arguments(parser)
    parser.add_argument("--scale", type=float, default=1.0, help="factor on all lengths, in place of --unit")
    label_options.arguments(parser, apart=False)
    parser.add_argument("--level", type=float, help="of a volume: the solid is where the grey value is above this")
    parser.add_argument("--smooth", type=float, help="of a volume: width of the smoothing in voxels")
    parser.add_argument("--quadratic", action="store_true", help="write ten-node tets; of a surface or volume, bent like it")
    parser.add_argument("--text", action="store_true", help="write the readable form of formats that have two")


def run(args: argparse.Namespace) -> int:
    import numpy as np

    import pliant as pl

    existing(args.input, "a mesh or a volume", folder=True)
    start()
    if args.edge is not None:
        _check_output(args)
    with status(f"reading {args.input}"):
        if args.scale != 1.0 and (args.unit or args.size):
            raise InputError("--scale was given with --unit or --size; expected one of them")
        shape = _read(args)
    if args.scale != 1.0:
        shape = shape.scaled(args.scale)
    given = bool(args.unit or args.size or args.scale != 1.0)
    words = "as asked for" if given else placement_options.unguessed(args.input)
    if args.edge is not None and not given and isinstance(shape, pl.TriMesh):  # as view and run do
        factor, words = placement_options.guessed(float(np.ptp(shape.bounds, axis=0).max()), args.input)
        shape = shape.scaled(factor) if factor != 1.0 else shape
    if args.edge is None and args.grading != 1.0:
        raise InputError(f"--grading {args.grading:g} was given without --edge; expected both or neither")
    tissues = label_options.asked(args)
    choices = {name: v for name in ("level", "smooth") if (v := getattr(args, name)) is not None}
    choices |= {"label": list(tissues.values())} if tissues else {}
    if choices and (args.edge is None or not isinstance(shape, pl.Volume)):
        raise InputError(f"--{next(iter(choices))} is for filling a volume with tets; expected a volume and --edge")
    if args.edge is not None and isinstance(shape, pl.Volume):
        scan = shape
        with status("finding the solid in the voxels"):
            if tissues:
                scan.having(choices["label"])  # says which are there
            solid = pl.sdf.from_volume(scan, **choices)
        with status(f"filling it with tets of {args.edge:g} m"), placement_options.as_options():
            shape = pl.tetrahedralise(solid, args.edge, args.grading)
            if len(tissues) > 1:
                shape = pl.TetMesh(shape.vertices, shape.tets, regions=_regions(scan, shape, choices["label"]))
            shape = shape.quadratic(onto=solid) if args.quadratic else shape
    elif args.edge is not None:
        surface = shape.boundary if isinstance(shape, pl.TetMesh | pl.meshes.HexMesh) else shape
        if not isinstance(surface, pl.TriMesh):
            raise InputError(f"{args.input} holds a {type(shape).__name__}; expected a surface to fill with tets")
        with status(f"filling {args.input} with tets of {args.edge:g} m"), placement_options.as_options():
            shape = pl.tetrahedralise(surface, args.edge, args.grading)
            shape = shape.quadratic(onto=surface) if args.quadratic else shape
    elif args.quadratic:
        if not isinstance(shape, pl.TetMesh):
            raise InputError(f"--quadratic: {args.input} holds a {type(shape).__name__}; expected tets, or --edge to make them")
        shape = shape.quadratic()
    with status(f"writing {args.output}"):
        pl.write(shape, args.output, text=args.text)
        report = pl.inspect(shape)
    if args.json:
        named = {"regions": [{"name": n, "label": v} for n, v in tissues.items()]} if len(tissues) > 1 else {}
        print_json(report.as_dict() | {"file": args.output} | named)
    else:
        print(f"wrote       {args.output}")
        if hasattr(shape, "bounds"):
            print(placement_options.sentence(args.input, shape.bounds, args.up, words))
        print(report)
        for line in label_options.counted(shape.regions, tissues, "tets") if len(tissues) > 1 else ():
            print(line)
    return 0


def _regions(scan: Any, mesh: Any, values: list[int]) -> Any:
    from ..geometry.tetrahedra.label_tets import regions

    return regions(scan, mesh.vertices[mesh.tets].mean(axis=1), values)


def _read(args: argparse.Namespace) -> Any:
    """What the file holds, upright and in metres as the options say."""
    import pliant as pl

    return pl.read(args.input, **placement_options.asked(args))


def _check_output(args: argparse.Namespace) -> None:
    """Refuse a name that tets cannot be written to before they are made, by writing one cube of them elsewhere."""
    import tempfile

    import pliant as pl

    output = Path(args.output)
    writable(output.parent, "the folder of the output,")
    with tempfile.TemporaryDirectory() as folder:
        try:
            cube = pl.tet_grid((1, 1, 1), (1, 1, 1))
            pl.write(cube.quadratic() if args.quadratic else cube, Path(folder) / output.name, text=args.text)
        except InputError as error:
            raise InputError(str(error).replace(str(Path(folder) / output.name), args.output)) from None
