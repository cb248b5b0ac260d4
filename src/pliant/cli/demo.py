"""Drop a soft torus and a soft cube on a ball and the ground, and write a picture and a page that replays it.

Simulates two seconds; the first time, kernels are compiled, which takes about a minute more.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..arguments.progress import status
from ..errors import InputError
from .common.paths import writable
from .common.summary import print_summary, summary
from .common.terminal import start

if TYPE_CHECKING:
    from ..simulate.scene.body import Scene

EXAMPLE = "pliant demo --out demo"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", default="out", metavar="DIR", help="folder for demo.png and demo.html (default: out)")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds to simulate (default: 2)")
    parser.add_argument("--device", default="cpu", help="cpu or cuda (default: cpu)")
    parser.add_argument("--precision", default="f64", help="f32 or f64 (default: f64)")


def scene() -> Scene:
    """Two bodies above a ball on the ground."""
    import pliant as pl

    ring = pl.tetrahedralise(pl.torus(0.16, 0.06), edge=0.04).rotated((1, 0, 0), 25).translated((0, 0, 0.7))
    cube = pl.tet_grid((0.2, 0.2, 0.2), (5, 5, 5), origin=(-0.1, -0.1, -0.1)).rotated((1, 1, 0), 35)
    soft = pl.StableNeoHookean(young=1.8e4, poisson=0.45, density=1000)
    firm = pl.StableNeoHookean(young=2e4, poisson=0.4, density=800)
    bodies = [
        pl.Body(ring, soft, damping=pl.Damping(stiffness=0.002), name="torus"),
        pl.Body(cube.translated((0.45, 0.0, 0.6)), firm, damping=pl.Damping(stiffness=0.004), name="cube"),
    ]
    obstacles = [pl.Obstacle(pl.plane(z=0.0), name="ground"), pl.Obstacle(pl.sphere(0.18, centre=(0, 0, 0.18)), name="ball")]
    return pl.Scene(bodies, obstacles, contact=pl.Contact(friction=0.5, response=pl.contact.Penalty()))


def run(args: argparse.Namespace) -> int:
    import pliant as pl

    from ..arguments.checks import is_positive

    folder = writable(args.out)
    if not is_positive(args.seconds):
        raise InputError(f"--seconds {args.seconds:g}: expected a positive number of seconds")
    start()
    with status("making the bodies and taking the first step"):
        simulation = pl.Simulation(scene(), device=args.device, precision=args.precision)
        simulation.step()  # compiles what is not yet compiled, so that the timing below is of simulating alone
        simulation.reset()
    recorded = simulation.run(args.seconds, progress=True)
    with status("drawing a picture and a page"):
        files = [
            pl.picture(recorded, folder / "demo.png", colour="stress", title="pliant demo"),
            pl.page(recorded, folder / "demo.html", title="Pliant demo"),
        ]
    print_summary(summary(recorded), files, args.json)
    return 0
