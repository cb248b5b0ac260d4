"""Run a scene file with many values of its settings, here or on a cluster, to one data set and a page of charts.

A --set names a key of the file, with numbers for tables in a list, and its values: 1e4,1e5 or LOW:HIGH:COUNT, with COUNTlog by
equal factors; several make a grid. With --design they are LOW:HIGH or LOW:HIGH:log, and points are spread between them. Every
member is in STUDY.journal once it is done, so that the same command goes on after a kill; STUDY.zarr and STUDY.html come last.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..arguments.progress import status
from ..errors import InputError, did_you_mean
from .common.interrupt import Halted
from .common.paths import existing, writable
from .common.terminal import print_json, print_table, start

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..simulate.simulation import Simulation

EXAMPLE = "pliant sweep cantilever.toml --set bodies.0.material.young=1e4:1e6:20log --on local --out study.zarr"
DESIGNS = {"lhs": "LatinHypercube", "sobol": "Sobol", "random": "Random"}
LOG = "log"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", help="a scene file (toml)")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUES",
        help="a key of the file, as bodies.0.material.young, and its values: 1,2,5, LOW:HIGH:COUNT or LOW:HIGH:COUNTlog (repeat)",
    )  # fmt: skip
    parser.add_argument("--design", metavar="KIND:COUNT", help="lhs:64, sobol:64 or random:64 points in place of a grid")
    parser.add_argument("--seed", type=int, default=0, help="of the design (default: 0)")
    parser.add_argument(
        "--measure", default="lowest,displacement,stress,energy",
        help="with commas between: lowest, highest, displacement, speed, stress, energy (default: all but highest and speed)",
    )  # fmt: skip
    parser.add_argument("--at", action="append", default=[], metavar="X,Y,Z", help="measure this point too (repeat)")
    parser.add_argument("--seconds", type=float, help="seconds to simulate, in place of those in the file")
    parser.add_argument("--fps", type=float, help="measured frames a second, in place of the file's")
    parser.add_argument(
        "--on", default="here", metavar="WHERE",
        help="here, local[:COUNT] for processes of this machine (one for each GPU with --device cuda), dask://host:8786 or "
        "slurm[:PARTITION] (default: here)",
    )  # fmt: skip
    parser.add_argument("--together", type=int, default=8, help="members in one task, in one batch if they can (default: 8)")
    parser.add_argument("--device", help="cpu or cuda, in place of the file's")
    parser.add_argument("--precision", help="f32 or f64, in place of the file's")
    parser.add_argument("--out", "-o", required=True, metavar="ZARR", help="the data set, study.zarr")


@dataclass(frozen=True)
class SceneMaker:
    """The simulation of a scene file with other values; meshes are read from its folder, the file itself is not read again."""

    path: str
    data: dict[str, Any]
    settings: dict[str, Any]

    def __call__(self, **values: Any) -> Simulation:
        from .inputs.scene_file import read_scene

        return read_scene(self.path, data=changed(self.data, values), **self.settings).simulation()


def run(args: argparse.Namespace) -> int:
    path = existing(args.scene, "a scene file")
    if path.suffix.lower() != ".toml":
        raise InputError(f"{path} is no scene file; expected one that ends in .toml")
    out = Path(args.out)
    writable(out.parent)
    parameters = _parameters(args)
    start()
    from ..study.members import Runs
    from ..study.page import page
    from ..study.sweep import sweep
    from .inputs.scene_file import parsed, read_scene

    with status(f"reading {path}"):
        settings = {"device": args.device, "precision": args.precision}
        make = SceneMaker(str(path.absolute()), parsed(path), settings)
        length = {} if args.seconds is None else {"seconds": args.seconds}
        for values in _ends(parameters):
            read = read_scene(path, data=changed(make.data, values), **length, **settings)
    if "seconds" not in read.run:
        raise InputError(f"{path} does not say how long to run; expected --seconds, or seconds under [run]")
    fps = read.run.get("frames_per_second") if args.fps is None else args.fps
    measure = _measures(args)
    with _executor(args.on, read.settings.get("device", "cpu")) as executor:
        try:
            found = sweep(make, parameters, measure, read.run["seconds"], executor, out, Runs(args.together, fps), progress=True)
        except KeyboardInterrupt:
            if executor is not None:
                executor.shutdown(False, cancel_futures=True)
            raise Halted(f"stopped; the same command goes on from {out.with_suffix('.journal')}") from None
    html = page(found, out.with_suffix(".html"), f"Study of {path.stem}")
    failed = [str(text) for text in found.failure.values.ravel() if text]
    if args.json:
        counts = {"members": int(found.failure.size), "failed": len(failed), "failures": failed}
        print_json(counts | {"spent_s": float(found.spent.sum()), "files": [str(out), str(html)]})
        return 0
    rows = [("members", f"{found.failure.size}, {len(failed)} failed"), ("spent on them", f"{float(found.spent.sum()):.3g} s")]
    print_table(("", ""), [*rows, *[("failed", text) for text in failed[:5]], ("wrote", str(out)), ("wrote", str(html))])
    return 0


def changed(data: dict[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the tables of a scene file with other values, each by its key, "bodies.0.material.young".

    The names of classes may be left out: material.young is that of material.StableNeoHookean.young.
    """
    data = copy.deepcopy(data)
    for key, value in values.items():
        *way, last = key.split(".")
        at: Any = data
        for i, word in enumerate(way):
            at = _inner(at, word, ".".join(way[:i]), key)
            at = at[int(word)] if isinstance(at, list) else at.setdefault(word, {})
        at = _inner(at, last, ".".join(way), key)
        at[int(last) if isinstance(at, list) else last] = value
    return data


def _inner(at: Any, word: str, where: str, key: str) -> Any:
    """The table that a word is to be looked up in: this one, or that of the one class which this one names."""
    if isinstance(at, list):
        if not word.isdigit() or int(word) >= len(at):
            raise InputError(f"--set {key}: {where} has {len(at)} entries, counted from 0; expected such as {where}.0")
        return at
    if not isinstance(at, dict):
        raise InputError(f"--set {key}: {where} is {at!r}; expected a table or a list in the scene file")
    if word not in at and len(at) == 1 and isinstance(inner := next(iter(at.values())), dict) and next(iter(at))[:1].isupper():
        return inner
    if word not in at and not where:
        near = did_you_mean(word, at)
        raise InputError(f"--set {key}: the scene file has no {word!r}{near}; it has {', '.join(at)}")
    return at


def _parameters(args: argparse.Namespace) -> Any:
    if not args.set:
        raise InputError("nothing is swept; expected such as --set bodies.0.material.young=1e4:1e6:20log")
    pairs = [text.partition("=") for text in args.set]
    for text, (key, equals, values) in zip(args.set, pairs):
        if not (key and equals and values):
            raise InputError(f"--set {text}: expected KEY=VALUES, such as bodies.0.material.young=1e4,1e5")
    keys = [key for key, _, _ in pairs]
    twice = next((key for key in keys if keys.count(key) > 1), None)
    if twice is not None:
        raise InputError(f"--set {twice} was given twice; expected all its values in one")
    if args.design is None:
        return {key: _values(f"--set {key}={text}", text) for key, _, text in pairs}
    kind, _, count = args.design.partition(":")
    if kind not in DESIGNS or not count.isdigit():
        raise InputError(f"--design {args.design}: expected {', '.join(DESIGNS)} and a count, such as sobol:64")
    from .. import study

    space = {key: _bounds(f"--set {key}={text}", text) for key, _, text in pairs}
    return getattr(study, DESIGNS[kind])(space, int(count), args.seed)


def _values(what: str, text: str) -> list[Any]:
    """1,2,5 or low:high:count or low:high:countlog."""
    import numpy as np

    parts = text.split(":")
    if len(parts) == 1:
        return [_plain(part) for part in text.split(",")]
    with contextlib.suppress(ValueError):
        low, high, count = float(parts[0]), float(parts[1]), int(parts[2].removesuffix(LOG))
        if len(parts) == 3 and count >= 0 and (low * high > 0 or not parts[2].endswith(LOG)):
            return (np.geomspace if parts[2].endswith(LOG) else np.linspace)(low, high, count).tolist()
    raise InputError(f"{what}: expected values as 1,2,5, LOW:HIGH:COUNT, or LOW:HIGH:COUNTlog between positive bounds")


def _bounds(what: str, text: str) -> Any:
    from ..inverse.fitting.free_parameters import Free

    parts = text.split(":")
    with contextlib.suppress(ValueError, IndexError):
        if parts[2:] in ([], [LOG]):
            return Free(float(parts[0]), float(parts[1]), log=len(parts) == 3)
    raise InputError(f"{what}: expected LOW:HIGH or LOW:HIGH:log with --design")


def _plain(text: str) -> Any:
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return {"true": True, "false": False}.get(text, text)


def _ends(parameters: Any) -> list[dict[str, Any]]:
    """The first member and the last: whether the file takes them is told before any is run."""
    from ..study.designs import design

    members = design(parameters).members
    return [members[-1], members[0]]


def _measures(args: argparse.Namespace) -> dict[str, Any]:
    from ..study.measures import MEASURES, Place

    chosen: dict[str, Any] = {}
    for name in args.measure.split(","):
        if name not in MEASURES:
            raise InputError(f"--measure {name}: there is none{did_you_mean(name, MEASURES)}; expected {', '.join(MEASURES)}")
        chosen[name] = MEASURES[name]
    for text in args.at:
        point = [_plain(part) for part in text.split(",")]
        if len(point) != 3 or not all(isinstance(x, int | float) for x in point):
            raise InputError(f"--at {text}: expected X,Y,Z in metres")
        chosen[f"at {text}"] = Place(tuple(float(x) for x in point))
    return chosen


def _executor(on: str, device: str) -> Executor | contextlib.nullcontext[None]:
    from .. import distributed

    kind, _, more = on.partition(":")
    if kind == "here" and not more:
        return contextlib.nullcontext()
    if kind == "dask" and more.startswith("//"):
        return distributed.dask(on)
    if kind == "slurm":
        return distributed.slurm(**({"slurm_partition": more} if more else {}))
    if kind == "local" and (not more or more.isdigit()):
        count = int(more) if more else None
        if device != "cuda":
            return distributed.processes(count)
        import warp

        return distributed.processes(gpus=count or max(1, warp.get_cuda_device_count()))
    raise InputError(f"--on {on}: expected here, local, local:4, dask://host:8786, slurm or slurm:PARTITION")
