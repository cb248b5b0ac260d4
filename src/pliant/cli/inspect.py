"""Describe a mesh, volume or scene file, and list its faults."""

from __future__ import annotations

import argparse
import re
from math import isfinite
from pathlib import Path
from typing import Any

from ..arguments.progress import status
from ..geometry.file_suffixes import MESHES, VOLUMES
from .common import label_options, placement_options
from .common.paths import existing
from .common.terminal import print_json, print_table, start

EXAMPLE = "pliant inspect liver.stl"
FACING = {"x": (1.0, 0.0, 0.0), "y": (0.0, -1.0, 0.0), "z": (0.0, 0.0, 1.0)}  # towards the eye


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", help=f"a mesh ({', '.join(MESHES)}), a volume ({', '.join(VOLUMES)}) or a scene (toml, urdf, mjcf, xml)"
    )
    label_options.arguments(parser, apart=False)
    parser.add_argument("--picture", metavar="PNG", help="draw a mesh, or a slice of a volume, into this file")
    parser.add_argument(
        "--slice",
        metavar="AXIS[=M]",
        help="of a volume's picture: across x, y (default) or z, in the middle or so many metres along it, z=0.12",
    )


def run(args: argparse.Namespace) -> int:
    import pliant as pl

    from ..importers.scene_reader import is_description

    existing(args.file, "a mesh, a volume or a scene", folder=True)
    asked = label_options.asked(args)
    if Path(args.file).suffix.lower() == ".toml" or is_description(args.file):
        if args.picture is not None:
            raise pl.errors.InputError(f"--picture draws meshes and volumes, not the scene {args.file}; use pliant run for that")
        if asked:
            raise pl.errors.InputError(f"{label_options.given(args)[0]} is for volumes; {args.file} is a scene")
        return _scene(args)
    if args.slice is not None and args.picture is None:
        raise pl.errors.InputError("--slice chooses the plane of --picture; expected --picture FILE.png too")
    start()
    with status(f"reading {args.file}"):
        thing = pl.read(args.file)
        report = pl.inspect(thing)
        if asked and not isinstance(thing, pl.Volume):
            raise pl.errors.InputError(
                f"{label_options.given(args)[0]} is for volumes; {args.file} holds a {type(thing).__name__}"
            )
        found = label_options.table(thing, asked) if asked else []
    if args.picture is not None:
        with status(f"drawing {args.picture}"):
            pl.picture(thing, args.picture, look=_look(args, thing, asked))
    if args.json:
        print_json(report.as_dict() | ({"asked": found} if found else {}))
    else:
        print(report)
        if isinstance(thing, pl.TriMesh) and not placement_options.is_said(args.file):
            words = placement_options.guessed(max(thing.bounds[1] - thing.bounds[0]), args.file)[1]
            print(f"unit        none in the file; view, run and mesh --edge: {words} (--unit says otherwise)")
        if found:
            print_table(("name", "label", "volume", "size", "parts", "touches"), [_row(label) for label in found])
    return 0


def _look(args: argparse.Namespace, thing: Any, asked: dict[str, int]) -> Any:
    """The slice of a volume that is drawn, and nothing for a mesh."""
    from ..errors import InputError
    from ..geometry.distance.volume import Volume
    from ..output.render_looks import Slice

    if not isinstance(thing, Volume):
        if args.slice is not None:
            raise InputError(f"--slice is for volumes; {args.file} holds a {type(thing).__name__}")
        return None
    axis, given, place = (args.slice or "y").partition("=")
    try:
        metres = float(place) if given else None
    except ValueError:
        metres = float("nan")
    if axis not in FACING or (metres is not None and not isfinite(metres)):
        raise InputError(f"--slice {args.slice}: expected an axis, x, y or z, and metres along it if you like, z=0.12")
    point = None if metres is None else tuple(metres if name == axis else 0.0 for name in "xyz")
    return Slice(normal=FACING[axis], point=point, labels=asked or None)


def _row(label: dict[str, Any]) -> tuple[str, ...]:
    """What ``labels.table`` found of a label, in words."""
    size = " × ".join(f"{1e3 * side:.4g}" for side in label["size_m"])
    beside = ", ".join(map(str, label["touches"])) or "none"
    return (label["name"], str(label["label"]), f"{1e6 * label['volume_m3']:.4g} ml", f"{size} mm", str(label["parts"]), beside)


def _scene(args: argparse.Namespace) -> int:
    """The bodies of a scene file that has no faults."""
    start()
    with status(f"reading {args.file}"):
        from .inputs.scene_file import read_scene

        read = read_scene(args.file)
    bodies = [
        {
            "name": name,
            "elements": f"{body.shape.count} {_words(type(body.shape).__name__)}",
            "nodes": len(body.shape.rest),
            "material": body.material.name,
            "mass_kg": float(body.shape.lumped(body.densities).sum()),
        }
        for name, body in zip(read.scene.names, read.scene.bodies)
    ]
    if args.json:
        more = {"not_taken_over": list(read.left_out)} if read.notes else {}
        print_json({"bodies": bodies, "obstacles": len(read.scene.obstacles), "run": read.run, "ok": True} | more)
        return 0
    rows = [(b["name"], b["elements"], str(b["nodes"]), b["material"], f"{b['mass_kg']:.4g} kg") for b in bodies]
    print_table(("body", "elements", "nodes", "material", "mass"), rows)
    print(f"obstacles: {len(read.scene.obstacles)}; run: {read.run['seconds']:g} s; problems: none")
    for line in read.notes[1:]:
        print(line)
    for line in read.left_out:
        print(f"not taken over: {line}")
    return 0


def _words(name: str) -> str:
    """The name of a class as words, ``QuadraticTets`` as quadratic tets."""
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", name).lower()
