"""A robot or a model of another program as a scene file: what it holds, how to step it, what to write, and what was left out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError

if TYPE_CHECKING:
    from ...importers.scene_contents import Contents
    from ...simulate.scene.body import Body, Scene
    from .scene_file import SceneFile

STEP, FRAMES = 1 / 100, 60.0  # [s] where the file asks for no other, and pictures in a second
BALL = 0.15  # radius of the ball that falls on what has nothing that moves, by its size


def arguments(parser: Any) -> None:
    parser.add_argument(
        "--joint",
        metavar="NAME=VALUE",
        action="append",
        help="of a robot (urdf, mjcf): value of a joint [rad or m] (default: 0); may repeat",
    )


def asked(args: argparse.Namespace) -> dict[str, float]:
    """The values of joints that were asked for."""
    values = {}
    for text in args.joint or ():
        name, sign, value = text.rpartition("=")
        try:
            values[name] = float(value)
        except ValueError:
            sign = ""
        if not name or not sign:
            raise InputError(f"--joint {text}: expected a name and a number, --joint elbow=0.5")
    return values


def described(
    path: Path, out: Path, seconds: float | None, joints: dict[str, float] | None, live: bool, settings: dict[str, Any]
) -> SceneFile:
    """What a description holds; ``live`` takes longer steps than it asks for."""
    import pliant as pl

    from .scene_file import SceneFile

    contents = pl.scenes.read(path, joints or None)
    scene, notes = _scene(contents)
    dt = STEP if contents.dt is None or live else min(contents.dt, STEP)
    integrator = pl.ImplicitEuler(dt=dt)
    run = {"seconds": 1.0 if seconds is None else seconds} | ({"frames_per_second": FRAMES} if dt < 1 / FRAMES else {})
    output = {
        "filmstrip": {"path": out / f"{path.stem}.png", "size": (420, 420)},
        "page": {"path": out / f"{path.stem}.html", "title": path.stem},
    }
    given = {"integrator": integrator} | {name: value for name, value in settings.items() if value is not None}
    return SceneFile(path, scene, given, run, output, notes=notes, left_out=contents.left_out)


def _scene(contents: Contents) -> tuple[Scene, tuple[str, ...]]:
    """The scene, with a soft ball above it where nothing in it moves by itself; and lines about it."""
    if contents.bodies:
        return contents.scene(), (contents.summary,)
    ball = _ball(contents)
    return contents.scene([ball]), (contents.summary, "nothing in it moves by itself: a soft ball falls on it")


def _ball(contents: Contents) -> Body:
    import numpy as np

    import pliant as pl

    bounds = [o.shape.bounds for o in contents.obstacles if o.motion is None and np.isfinite(o.shape.bounds).all()]
    if not bounds:
        raise InputError(f"{contents.path} has neither a body nor an obstacle with an end; expected links with shapes")
    low, high = np.min([b[0] for b in bounds], axis=0), np.max([b[1] for b in bounds], axis=0)
    radius = BALL * float((high - low).max())
    centre = np.append(0.5 * (low + high)[:2], high[2] + 1.5 * radius)
    mesh = pl.tetrahedralise(pl.sphere(radius, centre=centre), edge=0.4 * radius)
    law = pl.StableNeoHookean(young=float(f"{40 * 1000 * 9.81 * radius:.1g}"), poisson=0.4, density=1000.0)
    return pl.Body(mesh, law, damping=pl.Damping(stiffness=0.003), name="ball")
