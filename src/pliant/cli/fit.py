"""Find the material, damping, gravity or ground of a scene from scans or markers, with confidence intervals.

Each cloud is a frame, in the order of the numbers in their names; a file of markers (csv, c3d) holds all frames. The report, a
replay with the points in it and the values as JSON go next to the scene or into --out. A fit that was stopped or killed goes on
where it was when the same command is given.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments.progress import status
from ..errors import InputError, StepError, did_you_mean
from .common.interrupt import Halted
from .common.paths import existing, writable
from .common.terminal import print_json, start

if TYPE_CHECKING:
    from ..inverse.observations.depth_images import Camera
    from ..simulate.simulation import Simulation

EXAMPLE = "pliant fit scene.toml scan/*.ply --fps 30 --free young=1e3:2e4 --free poisson=0.2:0.48"
CAMERA = '{"size": [width, height], "focal": pixels, "pose": [4 rows of 4 numbers]} and perhaps "centre": [x, y]'
MARKERS = (".csv", ".c3d")  # endings of files that hold markers
OWN = ("delay", "shift", "rotation")  # numbers of what was seen; of a body as BODY:shift


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", help="a scene file (toml); its values are the start")
    parser.add_argument(
        "scans", nargs="+",
        help="point clouds or meshes (ply, stl, npz, …) or depth images (png, exr, npy), one for each frame, or a file of "
        "markers (csv, c3d)",
    )  # fmt: skip
    parser.add_argument(
        "--free", action="append", default=[], metavar="NAME=LOW:HIGH",
        help="a number to find, its bounds, and if known :VALUE:DEVIATION as a prior; of a certain body as BODY:NAME; delay, "
        "shift and rotation are those of the observations (repeat for several)",
    )  # fmt: skip
    parser.add_argument(
        "--fps", type=float, help="frames a second of the files (default: 30, and for markers what their file says)"
    )
    parser.add_argument("--start", type=float, default=0.0, help="time of the first file [s] (default: 0)")
    parser.add_argument(
        "--unit",
        type=float,
        help="metres that 1 in the files is, 0.001 for mm (default: 1, or as a c3d file says, 0.001 for depth images)",
    )
    parser.add_argument("--sigma", type=float, help="standard deviation of the points [m]: weighs priors and tests residuals")
    parser.add_argument(
        "--camera", help="a JSON file with size, focal, pose and centre of a depth camera, whose images the files are"
    )
    parser.add_argument("--robust", type=float, metavar="WIDTH", help="points further off than this [m] count less")
    parser.add_argument("--iterations", type=int, help="most iterations (default: those of the optimiser)")
    parser.add_argument("--starts", type=int, default=1, help="starting points, spread over the bounds (default: 1)")
    parser.add_argument("--out", help="folder for the results (default: that of the scene)")
    parser.add_argument("--device", help="cpu or cuda, instead of what the scene file says")


def run(args: argparse.Namespace) -> int:
    existing(args.scene, "a scene file")
    files = [existing(name, "a point cloud, a mesh or a file of markers") for name in args.scans]
    _check_numbers(args)
    bounds = [_bounds(text) for text in args.free]
    if not bounds:
        raise InputError("nothing is to be found; expected such as --free young=1e3:2e4")
    folder = writable(Path(args.scene).parent if args.out is None else args.out, "the folder" if args.out is None else "--out")
    start()
    from ..inverse.fitting.fit import fit
    from ..inverse.fitting.free_parameters import Free
    from ..simulate.simulation import Simulation
    from .inputs.scene_file import read_scene

    with status(f"reading {len(files)} files"):
        seen, points = _observed(files, args)
    times = [float(time) for time in seen.times]
    with status(f"reading {args.scene}"):
        read = read_scene(args.scene, args.out, max(times[-1], 0.0) + 0.1, device=args.device)
        if read.cuts:
            raise InputError(f"{read.path}: a body that is cut cannot be fitted; expected a scene without [[cuts]]")
        sim = Simulation(read.scene, **read.settings)
    free = {_key(sim, name): Free.between(*numbers[:2], tuple(numbers[2:]) or None) for name, numbers in bounds}
    if args.sigma is None and any(one.prior is not None for one in free.values()):
        raise InputError("--free has a prior, which is weighed against the noise of the points; expected --sigma METRES too")
    names = {ending: folder / f"{read.path.stem}.fit{ending}" for ending in (".npz", ".html", ".json", ".replay.html")}
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # they are among the results
            found = fit(sim, seen, free, _optimiser(args), checkpoint=names[".npz"])
    except KeyboardInterrupt:
        raise Halted(f"stopped; the same command goes on from {names['.npz']}") from None
    written = _write(found, sim, points, times, names)
    names[".npz"].unlink(missing_ok=True)
    _print(found, written, args.json)
    if not found.converged:
        raise StepError(f"{read.path}: the fit did not converge: {found.why}; what it reached is in {names['.json']}")
    return 0


def _check_numbers(args: argparse.Namespace) -> None:
    from ..arguments.checks import is_positive

    for name in ("fps", "unit", "sigma", "robust", "iterations", "starts"):
        value = getattr(args, name)
        if value is not None and not is_positive(value):
            raise InputError(f"--{name} {value:g}: expected a positive number")


def _bounds(text: str) -> tuple[str, list[float]]:
    name, equals, ends = text.rpartition("=")
    parts = ends.split(":")
    try:
        if not (name and equals and len(parts) in (2, 4)):
            raise ValueError
        numbers = [float(part) for part in parts]
    except ValueError:
        raise InputError(
            f"--free {text}: expected NAME=LOW:HIGH, such as young=1e3:2e4, or with a prior NAME=LOW:HIGH:VALUE:DEVIATION"
        ) from None
    if not numbers[0] < numbers[1]:
        raise InputError(f"--free {text}: {parts[0]} is not below {parts[1]}; expected the smaller bound first")
    return name, numbers


def _key(sim: Simulation, name: str) -> tuple[int | None, str]:
    """The key of a number: of the first body that has it, of the one that is named, or of the scene."""
    from ..inverse.gradients.free_values import Values

    if name in OWN:
        return None, f"observation 0.{name}"
    known = list(Values(sim).known)
    body, colon, own = name.partition(":")
    if colon:
        names = list(sim.scene.names)
        if body not in names:
            raise InputError(f"--free {name}: there is no body {body!r}{did_you_mean(body, names)}; there are {', '.join(names)}")
        keys = [(names.index(body), own)]
    else:
        keys = [key for key in known if key[1] == name]
    for key in keys:
        if key in known:
            return key
    every = [*dict.fromkeys(key[1] for key in known), *OWN]
    raise InputError(f"--free {name}: there is no such number{did_you_mean(own or name, every)}; there are {', '.join(every)}")


def _observed(files: list[Path], args: argparse.Namespace) -> tuple[Any, list[Any]]:
    """What was seen, clouds, markers or depth images, and its points in each frame."""
    import numpy as np

    from ..inverse import GemanMcClure, Markers, Quadratic, read_clouds, read_depths, read_markers

    loss = Quadratic() if args.robust is None else GemanMcClure(args.robust)
    marked = [file for file in files if file.suffix.lower() in MARKERS]
    if marked and len(files) > 1:
        raise InputError(f"{marked[0]} is a file of markers and there are {len(files)} files; expected it alone")
    if args.camera is not None:
        camera = _camera(existing(args.camera, "a file with a camera"))
        images = read_depths(files, camera, args.fps or 30.0, args.unit or 1e-3, args.start, loss=loss, sigma=args.sigma)
        return images, [camera.points(image) for image in images.images]
    if marked:
        tracks = read_markers(files[0], args.fps, args.unit)
        first = np.flatnonzero(np.isfinite(tracks.positions[0]).all(axis=1))
        if not len(first):
            raise InputError(f"{files[0]}: no marker is seen in the first frame, which says where they are on the body")
        kept = tracks.positions[:, first]
        seen = Markers(kept, tracks.times + args.start, loss=loss, sigma=args.sigma)
        return seen, [frame[np.isfinite(frame).all(axis=1)] for frame in kept]
    clouds = read_clouds(files, args.fps or 30.0, args.unit or 1.0, args.start, loss=loss, sigma=args.sigma)
    return clouds, list(clouds.points)


def _camera(file: Path) -> Camera:
    """That of a JSON file, whose keys are the arguments of Camera."""
    import json

    from ..inverse import Camera

    try:
        given = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{file} is no JSON; expected {CAMERA}") from None
    if not isinstance(given, dict) or not {"size", "focal", "pose"} <= given.keys() <= {"size", "focal", "pose", "centre"}:
        keys = ", ".join(given) if isinstance(given, dict) else type(given).__name__
        raise InputError(f"{file} has {keys or 'nothing'}; expected {CAMERA}")
    return Camera(**given)


def _optimiser(args: argparse.Namespace) -> Any:
    from ..inverse import GaussNewton, MultiStart

    inner = GaussNewton() if args.iterations is None else GaussNewton(args.iterations)
    return inner if args.starts == 1 else MultiStart(inner, args.starts, min(2, args.starts))


def _write(found: Any, sim: Simulation, points: list[Any], times: list[float], names: dict[str, Path]) -> list[str]:
    """The report, the replay and the values."""
    import json
    import tempfile

    from ..arguments.atomic_files import write_text
    from ..output.picture import picture
    from ..view.pages.fit_page import fit_page
    from ..view.pages.overlay import overlaid
    from ..view.pages.replay_page import page

    with status("writing the report"):
        seconds = max(times[-1], sim.integrator.dt)
        run = sim.run(seconds, must_succeed=False)
        there = [k for k, frame in enumerate(points) if len(frame)]
        shown = overlaid(run, [times[k] for k in there], [points[k] for k in there])
        page(shown, names[".replay.html"], title="Fit and observation")
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(picture(shown, Path(folder) / "fit.png", size=(960, 720))).read_bytes()
        title = f"Fit of {names['.html'].stem.removesuffix('.fit')}"
        fit_page(found, names[".html"], title, names[".replay.html"].name, drawn)
        write_text(names[".json"], json.dumps(_plain(found), indent=2))
    return [str(names[ending]) for ending in (".html", ".replay.html", ".json")]


def _plain(found: Any) -> dict[str, Any]:
    """A fit as plain data; what is not known is null."""
    import numpy as np

    sure = found.uncertainty is not None
    numbers = []
    for key, value in found.values.items():
        ends = found.intervals[key] if sure else None
        ends = ends.tolist() if ends is not None and np.isfinite(ends).all() else None
        numbers.append({"body": key[0], "name": key[1], "value": value.tolist(), "interval": ends})
    return {
        "numbers": numbers, "converged": found.converged, "why": found.why, "runs": found.runs, "distance": found.distance,
        "explained": found.explained, "noise": found.noise if sure else None, "warnings": list(found.warnings),
        "residuals": [_tested(one) for one in found.goodness],
    }  # fmt: skip


def _tested(one: Any) -> dict[str, Any]:
    """The tests of the residuals of an observation as plain data."""
    import math

    def known(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "observation": one.observation, "count": one.count, "effective": one.effective, "size": one.size, "unit": one.unit,
        "chi_square_p": known(one.chi), "along_time": known(one.along[0]), "along_time_p": known(one.along[1]),
        "between_neighbours": known(one.near[0]), "between_neighbours_p": known(one.near[1]),
    }  # fmt: skip


def _print(found: Any, written: list[str], as_json: bool) -> None:
    if as_json:
        print_json(_plain(found) | {"files": written})
        return
    print(found)
    for file in written:
        print(f"wrote       {file}")
