"""Scenes from any file with a shape."""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...arguments.progress import status
from ...errors import InputError, StepError
from ..common import checkpoints, label_options, outputs, placement_options, resume
from ..common.interrupt import stoppable
from ..common.paths import RESULTS, writable
from ..common.summary import print_summary, summary
from ..common.terminal import print_table, start
from . import cloth_file

if TYPE_CHECKING:
    import numpy as np

    from ...geometry.distance.sdf import Sdf
    from ...geometry.distance.volume import Volume
    from ...geometry.mesh.mesh import TriMesh
    from ...simulate.record.run import Run
    from ...simulate.scene.body import Body, Scene
    from ...simulate.simulation import Simulation

CELLS = 24  # across the longest side, by default
DENSITY, POISSON = 1000.0, 0.45
STEP, TOLERANCE = 1 / 60, 1e-3  # [s], and of the forces: enough to look at
OPTIONS = (
    *label_options.OPTIONS,
    "level",
    "spacing",
    "young",
    "hang",
    "cloth",
    "scale",
    "turn",
    "export",
    *placement_options.OPTIONS,
)


def arguments(parser: argparse.ArgumentParser) -> None:
    own = parser.add_argument_group("for a shape")
    label_options.arguments(own)
    own.add_argument("--level", type=float, help="of a volume: the solid is where the grey value is above this")
    placement_options.arguments(own)
    own.add_argument(
        "--edge",
        "--spacing",
        dest="spacing",
        metavar="EDGE",
        type=float,
        help=f"size of the cells [m] (default: 1/{CELLS} of the longest side)",
    )
    own.add_argument(
        "--young",
        type=label_options.moduli,
        help="Young's modulus [Pa], or one for each label, 3e3,3e4 (default: so soft that it sags)",
    )
    own.add_argument("--hang", action="store_true", help="hang it by its top (default: drop it on a floor)")
    own.add_argument("--cloth", action="store_true", help="of a surface: treat it as a sheet that falls over a ball")
    own.add_argument("--scale", type=float, help="factor on all lengths, in place of --unit")
    own.add_argument("--turn", type=float, nargs=2, metavar=("X", "Z"), help="degrees about x, then about z, to set it upright")
    own.add_argument(
        "--export",
        metavar="FILE",
        action="append",
        help="write the motion with the looks of the file: .glb, .usd, .pc2, .mdd, .npz and others; may repeat",
    )


class Found(NamedTuple):
    """A solid [m] that rests on z = 0, the surface to draw, and rows of a table that say what the file held."""

    solid: Sdf
    drawn: TriMesh
    spacing: float
    rows: tuple[tuple[str, str], ...]
    tissues: dict[str, int] = {}  # its regions, in
    scan: Volume | None = None  # which lies where the solid does


def run(args: argparse.Namespace) -> int:
    import pliant as pl

    page = _page(args)
    writable(page.parent)
    start()
    picture, checkpoint = page.with_suffix(".png"), page.with_name(f"{page.stem}.checkpoint.npz")
    results = [
        outputs.Output("filmstrip", picture, lambda run: pl.filmstrip(run, picture, moments(run), size=(420, 420))),
        outputs.Output("page", page, lambda run: pl.page(run, page, title=Path(args.scene).stem)),
    ]
    results += [
        outputs.Output("export", place, lambda run, place=place: pl.export(run, place)) for place in map(Path, args.export or ())
    ]
    outputs.check(results)
    if args.resume == "":
        args.resume = str(checkpoints.newest(checkpoint))
    simulation, options, about = _begun(args) if args.resume is None else _resumed(args)
    with stoppable() as stop:
        moved = checkpoints.stepped(simulation, options, stop, checkpoint, about, args.checkpoint)
        stopped = resume.halted(stop, args, checkpoint, simulation, moved, about)
        failed = moved.reports[-1] if not moved.reports[-1].kept else None
        if failed is not None and len(moved) < 2:
            raise StepError(f"{args.scene}: the first step failed: {failed.why}; try a larger --spacing or --young")
        written = outputs.write(moved, results, page.stem, page.parent)
    numbers = summary(moved) | about["numbers"]
    if args.json:
        numbers |= {"found": dict(about["rows"])}
    else:
        print_table(("", ""), about["rows"])
    print_summary(numbers, written.files, args.json, stopped)
    if failed is not None:
        raise StepError(f"{args.scene}: the step after t = {simulation.t:.4g} s failed: {failed.why}")
    if written.faults:
        raise written.error
    if stopped is not None:
        raise stopped.error
    return 0


def moments(run: Run) -> list[int]:
    """Four frames that tell the story: as much happens from one to the next, in how far things move and change their speed."""
    import numpy as np

    x = [run.moment(i).x for i in range(len(run))]
    way = np.array([0.0, *(_apart(a, b) for a, b in pairwise(x))])  # [m] from the frame before
    turn = np.abs(np.diff(way, prepend=0.0))
    told = np.cumsum(way / (way.sum() or 1.0) + turn / (turn.sum() or 1.0))
    return sorted({int(np.argmin(np.abs(told - part * told[-1]))) for part in (0.0, 1 / 3, 2 / 3)} | {len(run) - 1})


def _apart(a: np.ndarray, b: np.ndarray) -> float:
    """How far nodes have moved on average [m]; nothing where a cut has made others."""
    import numpy as np

    return float(np.linalg.norm(b - a, axis=1).mean()) if len(a) == len(b) else 0.0


def _begun(args: argparse.Namespace) -> tuple[Simulation, dict[str, Any], dict[str, Any]]:
    """The simulation of the shape in a file, the arguments of its ``run``, and what a checkpoint keeps beside it."""
    import numpy as np

    import pliant as pl

    with status(f"reading {args.scene}"):
        held = pl.read(args.scene)
    if args.cloth:
        return _cloth(held, args)
    with status(f"finding the solid in {args.scene}"):
        found = solids_of(held, args)
    low, high = (end([part.drawn.bounds[i] for part in found], axis=0) for i, end in ((0, np.min), (1, np.max)))
    long, top = float((high - low).max()), float(high[2])
    asked = label_options.asked(args)
    given = float(f"{12 * DENSITY * 9.81 * long:.2g}") if args.young is None else args.young
    young = dict(zip(asked or [Path(args.scene).stem], label_options.each(given, asked)))
    with status(f"cutting cells of {1e3 * found[0].spacing:.3g} mm"):
        made = [_body(part, young, top, args) for part in found]
    bodies, rows = [body for body, _ in made], [row for _, own in made for row in own]
    floor = [] if args.hang else [pl.Obstacle(pl.plane(z=-0.25 * long), name="floor")]
    contact = pl.Contact(friction=0.5, response=pl.contact.Penalty() if len(bodies) > 1 else None)
    scene = pl.Scene(bodies, floor, contact=contact)
    simulation = _simulation(scene, args)
    stiff = ", ".join(f"{value:.3g}" for value in dict.fromkeys(young.values()))
    soft = ("material", f"Young's modulus {stiff} Pa, Poisson's ratio {POISSON:g}, {DENSITY:g} kg/m³")
    numbers = {
        "cells": sum(body.shape.count for body in bodies),
        "volume_m3": float(sum(body.shape.volumes.sum() for body in bodies)),
        "young_Pa": young if len(young) > 1 else next(iter(young.values())),
    }
    return simulation, *_about(args, (*found[0].rows, *rows, soft), numbers)


def _simulation(scene: Scene, args: argparse.Namespace) -> Simulation:
    import pliant as pl

    settings = {"device": args.device or "cpu", "precision": args.precision or "f64"}
    with status("preparing the simulation"):
        return pl.Simulation(scene, pl.ImplicitEuler(dt=STEP, solver=pl.Newton(tolerance=TOLERANCE)), **settings)


def _about(
    args: argparse.Namespace, rows: tuple[tuple[str, str], ...], numbers: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of a simulation's ``run``, and what a checkpoint keeps beside it."""
    options = {"seconds": 1.0 if args.seconds is None else args.seconds}
    shape = {name: getattr(args, name) for name in OPTIONS}
    return options, {
        "source": Path(args.scene).name, "options": options, "shape": shape, "rows": rows, "numbers": numbers,
    }  # fmt: skip


def _cloth(held: Any, args: argparse.Namespace) -> tuple[Simulation, dict[str, Any], dict[str, Any]]:
    """The same of a surface that is a sheet itself, as ``pliant view --cloth`` shows it."""
    import numpy as np

    import pliant as pl

    for name in [*label_options.given(args), *(["--level"] if args.level is not None else ())]:
        raise InputError(f"{name} is for volumes; {args.scene} is taken for a sheet")
    if isinstance(args.young, list | tuple):
        raise InputError("--cloth is a surface of one material; several moduli were given")
    if not isinstance(held, pl.TriMesh):
        raise InputError(f"--cloth is for a surface; {args.scene} holds a {type(held).__name__}")
    shape, units = _standing(held, args)
    long = float((shape.bounds[1] - shape.bounds[0]).max())
    middle, low = shape.bounds.mean(axis=0), shape.bounds[0, 2]
    shape = shape.translated(-np.array([*middle[:2], low - (1.0 if args.hang else 0.5) * long]))
    scene = cloth_file.scene(shape, Path(args.scene), args.spacing, args.young, args.hang, exact=True)
    (body,) = scene.bodies
    cloth, law, report = body.shape, body.material, pl.inspect(held)
    young = float(law.young)
    rows = [
        ("surface", f"{len(held.triangles):,} triangles, {_many(report.components, 'piece')}, {_many(report.holes, 'hole')}"),
        ("size", " × ".join(f"{1e3 * side:.4g}" for side in np.ptp(shape.bounds, axis=0)) + f" mm, {units}"),
        ("sheet", f"{cloth.count:,} triangles, {1e3 * float(cloth.thickness):.3g} mm thick"),
        ("material", f"Young's modulus {young:.3g} Pa, Poisson's ratio {float(law.poisson):g}, {float(law.density):g} kg/m³"),
    ]  # fmt: skip
    numbers = {"cells": cloth.count, "volume_m3": float(cloth.volumes.sum()), "young_Pa": young}
    return _simulation(scene, args), *_about(args, tuple(rows), numbers)


def _body(part: Found, young: dict[str, float], top: float, args: argparse.Namespace) -> tuple[Body, list[tuple[str, str]]]:
    """The soft body of a solid, each tissue of it with its own modulus, and rows of a table about its cells."""
    import numpy as np

    import pliant as pl

    from ...geometry.tetrahedra.label_tets import regions

    shape = pl.Lattice(part.solid, part.spacing)
    several = len(part.tissues) > 1
    name = next(iter(part.tissues)) if len(part.tissues) == 1 and len(young) > 1 else Path(args.scene).stem
    stiff = [young[tissue] for tissue in part.tissues] or [next(iter(young.values()))]
    rows = [("cells", f"{shape.count:,} of {1e3 * part.spacing:.3g} mm, {shape.dropped} slivers dropped")]
    values = stiff[0]
    if several:
        place = regions(part.scan, shape.rest[shape.nodes].mean(axis=1), list(part.tissues.values()))
        values = np.array(stiff)[place]
        rows += [("", line) for line in label_options.counted(place, part.tissues, "cells")]
    elif len(young) > 1:
        rows[0] = (name, rows[0][1].replace(" of ", " cells of ", 1))
    body = pl.Body(
        shape,
        pl.StableNeoHookean(young=values, poisson=POISSON, density=DENSITY),
        surface=part.drawn,
        damping=pl.Damping(viscosity=0.05 * min(stiff) * STEP),
        name=name,
        pinned=(lambda X: X[:, 2] > top - 1.5 * part.spacing) if args.hang else None,
    )
    return body, rows


def _resumed(args: argparse.Namespace) -> tuple[Simulation, dict[str, Any], dict[str, Any]]:
    """The same from a checkpoint, which holds the shape as well; the file itself is not read again."""
    checkpoint = resume.load_stopped(args, device=args.device, precision=args.precision)
    for name in OPTIONS:
        given, then = getattr(args, name), checkpoint.about.get("shape", {}).get(name)
        if given not in (None, False, then):
            raise InputError(f"--{name} {given}: {args.resume} was begun with {then}; expected the same, or no --resume")
    options = checkpoint.options(args)
    kept = {name: value for name, value in options.items() if name != "after"}
    description = {name: checkpoint.about[name] for name in ("source", "shape", "rows", "numbers")}
    return checkpoint.simulation, options, description | {"options": kept}


def solids_of(shape: Any, args: argparse.Namespace) -> list[Found]:
    """The largest connected solid in what was read, or one for each label, in metres, standing on z = 0."""
    import pliant as pl

    if isinstance(shape, pl.TetMesh | pl.meshes.HexMesh):
        shape = shape.boundary
    if isinstance(shape, pl.Volume):
        from .scan_file import solids

        return solids(shape, args)
    if not isinstance(shape, pl.TriMesh):
        raise InputError(
            f"{args.scene} holds a {type(shape).__name__}; expected a surface, a solid or a volume of voxels{_instead(shape)}"
        )
    for name in [*label_options.given(args), *(["--level"] if args.level is not None else ())]:
        raise InputError(f"{name} is for volumes; {args.scene} holds a surface")
    import numpy as np

    from ...geometry.tetrahedra.stuffing_fill import nothing_inside

    shape, units = _standing(shape, args)
    long = float((shape.bounds[1] - shape.bounds[0]).max())
    shape = shape.translated(-np.array([*shape.bounds.mean(axis=0)[:2], shape.bounds[0, 2]]))
    step = spacing(args.spacing, long)
    report = pl.inspect(shape)
    solid, parts, left = largest(pl.sdf.from_mesh(shape, step / 3))
    if parts == 0:
        with placement_options.as_options():
            raise InputError(f"{args.scene}: {nothing_inside(shape.bounds, step)}")
    kept = shape if parts == 1 else _around(shape, solid, step)
    drawn = kept or pl.surface(solid, step / 3)
    rows = [
        ("surface", f"{len(shape.triangles):,} triangles, {_many(report.components, 'piece')}, {_many(report.holes, 'hole')}"),
        ("faults", "; ".join(report.problems) or "none"), *size(solid, units, drawn.bounds), *pieces(parts, left),
    ]  # fmt: skip
    if kept is None and shape.looks is not None:
        rows.append(("looks", "lost, as the surface of the largest part is a new one"))
    return [Found(solid, drawn, step, tuple(rows))]


def _standing(shape: TriMesh, args: argparse.Namespace) -> tuple[TriMesh, str]:
    """A surface of a file in metres and upright, and words about its unit."""
    from ...geometry.mesh.up_axis import upright

    times, units = factor(float((shape.bounds[1] - shape.bounds[0]).max()), args)
    reader = "y" if Path(args.scene).suffix.lower() in (".glb", ".gltf") else "z"  # the axis that has become z already
    return turned(upright(shape.scaled(times), args.up or reader, reader), args.turn), units


def _instead(shape: Any) -> str:
    if type(shape).__name__ != "PointCloud":
        return ""
    return ": in Python sdf.from_points makes a solid of points with normals"


def _around(shape: TriMesh, solid: Sdf, step: float) -> TriMesh | None:
    """The pieces of a surface that lie around the solid that is left of it, None where one reaches further than a cell."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial import cKDTree

    from ...geometry.mesh.mesh import edges_of

    count, edges = len(shape.vertices), edges_of(shape.triangles)
    piece = connected_components(coo_array((np.ones(len(edges)), edges.T), shape=(count, count)))[1]
    (grid,) = solid.program
    # not by its values: near to what was left out they are small, too
    inside = np.argwhere(grid.values < 0) * np.array(grid.shape) * grid.scale
    away = cKDTree(grid.origin + inside @ grid.rotation.T).query(shape.vertices)[0]
    middle = np.array([np.median(away[piece == number]) for number in range(piece.max() + 1)])
    kept = (middle < step)[piece]
    used = np.zeros(count, bool)
    used[shape.triangles[kept[shape.triangles[:, 0]]]] = True
    return shape.with_vertices(used) if used.any() and away[used].max() < step else None


def largest(solid: Sdf) -> tuple[Sdf, int, float]:
    """The largest connected part of a sampled solid, the number of parts, and the share of volume that is left out."""
    from dataclasses import replace

    import numpy as np
    from scipy.ndimage import label

    (step,) = solid.program
    numbers, count = label(step.values < 0)
    if count < 2:
        return solid, count, 0.0
    sizes = np.bincount(numbers.ravel())[1:]
    other = (numbers > 0) & (numbers != 1 + int(np.argmax(sizes)))
    values = np.where(other, -step.values, step.values)
    values.setflags(write=False)
    return replace(solid, program=(replace(step, values=values),)), count, float(1 - sizes.max() / sizes.sum())


def factor(long: float, args: argparse.Namespace) -> tuple[float, str]:
    """Factor on all lengths of a solid that is so ``long`` in the file, and words about it."""
    from ...arguments.checks import is_positive
    from ...geometry.files import check_unit
    from ...geometry.mesh.up_axis import metres

    given = placement_options.asked(args)
    if args.scale is not None:
        if given["unit"] is not None or given["size"] is not None:
            raise InputError("--scale was given with --unit or --size; expected one of them")
        if not is_positive(args.scale):
            raise InputError(f"--scale {args.scale:g}: expected a positive number")
        return args.scale, f"scaled by {args.scale:g}"
    if given["unit"] is not None:
        check_unit(args.scene, given["unit"])
        return metres(given["unit"]), f"in {args.unit}"
    if given["size"] is not None:
        return given["size"] / long, "as asked for"
    factor, words = placement_options.guessed(long, args.scene)
    return factor, words if factor == 1.0 and words == "as the file says" else f"{words}; --unit says otherwise"


def spacing(given: float | None, long: float) -> float:
    from ...arguments.checks import is_positive

    if given is None:
        return float(f"{long / CELLS:.3g}")
    if not is_positive(given) or not long / 400 <= given <= long / 3:
        raise InputError(f"--spacing {given:g}: expected from {long / 400:.2g} to {long / 3:.2g} m for a solid of {long:.3g} m")
    return given


def turned(shape: Any, turn: list[float] | None) -> Any:
    return shape if turn is None else shape.rotated((1, 0, 0), turn[0]).rotated((0, 0, 1), turn[1])


def size(solid: Sdf, units: str, bounds: Any = None) -> list[tuple[str, str]]:
    low, high = solid.bounds if bounds is None else bounds
    return [("size", " × ".join(f"{1e3 * side:.4g}" for side in high - low) + f" mm, {units}")]


def pieces(parts: int, left: float) -> list[tuple[str, str]]:
    return [] if parts < 2 else [("parts", f"{parts}, of which the largest is kept; {left:.2g} of the volume is left out")]


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _page(args: argparse.Namespace) -> Path:
    out = Path(args.out or ".")
    if out.suffix.lower() in (".html", ".htm") and not out.is_dir():
        return out
    if not out.is_dir() and (out.exists() or out.suffix.lower() in RESULTS):
        raise InputError(f"--out {out} is a file; expected a folder, or a name ending in .html")
    return out / f"{Path(args.scene).name.split('.')[0]}.html"
