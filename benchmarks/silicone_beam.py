"""A real object: a clamped silicone beam, its stiffness fitted to one motion and tried on another that the fit has not seen.

The recordings are those of the public repository srl-ethz/diffPD_sim2real (Dubied et al. 2022, arXiv 2201.12560), which are no
part of this one: a beam of Dragon Skin 10, 3 × 3 × 10 cm, clamped at one end, released from the horizontal under its own weight
(beam_gravity_V2_a.c3d) and with 52 g at the upper edge of its tip (beam_load52_V2_a.c3d).

    python benchmarks/silicone_beam.py FOLDER [--cells 14 4 4] [--swing]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.inverse import Free, Markers, Tracks, aligned, read_markers

GRAVITY, LOAD = (0.0, 0.0, -9.80709), (0.0, 0.0, -0.51012)  # [m/s²], [N]
PUBLISHED = 263_824.0  # [Pa], with ν = 0.499
STILL, RELEASED, SETTLED = 0.2, 0.70, 1.0  # [s]: at rest until, released at about, settled in the last
# where the markers were put, from the middle of the tip's lower edges [m]; good to a millimetre
PLACES = {
    "Tip - 1": (0.0, 0.015, 0.036), "Tip - 2": (0.0, -0.006, 0.024), "Tip - 3": (0.0, 0.036, 0.006),
    "Base - 1": (-0.094, -0.010, -0.001), "Base - 2": (-0.094, 0.040, 0.0275), "Base - 3": (-0.094, 0.040, 0.0),
}  # fmt: skip
TIP = [name for name in PLACES if name.startswith("Tip")]


def beam(cells: tuple[int, ...], young: float, damping: float = 0.0, loaded: bool = False) -> pl.Scene:
    """The beam from x = −0.1 m, where it is clamped, to its tip at 0."""
    mesh = pl.meshes.hex_box((0.1, 0.03, 0.03), cells, origin=(-0.1, 0.0, 0.0))
    edge = pl.Load(LOAD, where=lambda X: (X[:, 0] > -1e-6) & (X[:, 2] > 0.03 - 1e-6))
    body = pl.Body(
        pl.Hexes(mesh, volume=pl.quadrature.Averaged()),
        pl.StableNeoHookean(young=young, poisson=0.499, density=1070.0),
        pinned=lambda X: X[:, 0] < -0.1 + 1e-6,
        damping=pl.Damping(mass=damping),
        effects=(edge,) if loaded else (),
    )
    return pl.Scene(body, gravity=GRAVITY)


def recorded(file: Path) -> tuple[Tracks, Markers]:
    """Tracks of a file, and its tip markers as they are at rest, in the coordinates of the beam."""
    tracks = read_markers(file)
    rest = tracks.between(0.0, STILL)
    first = np.nanmean(rest.positions, axis=0)
    rotation, shift = aligned(first, np.array([PLACES[name] for name in tracks.names]))
    chosen = [tracks.names.index(name) for name in TIP]
    return tracks, Markers(first[None, chosen], [0.0], names=TIP, rotation=rotation, shift=shift)


def settled(tracks: Tracks, at_rest: Markers) -> np.ndarray:
    """(3, 3) how far the tip markers have moved in the end [m]."""
    from scipy.spatial.transform import Rotation

    last = tracks.between(tracks.times[-1] - SETTLED)
    chosen = [tracks.names.index(name) for name in TIP]
    moved = np.nanmean(last.positions[:, chosen], axis=0) - at_rest.positions[0]
    return Rotation.from_rotvec(at_rest.rotation).apply(moved)


def in_equilibrium(tracks: Tracks, at_rest: Markers, cells: tuple[int, ...]):
    """Young's modulus with which the beam hangs as the tip markers do in the end."""
    last = tracks.between(tracks.times[-1] - SETTLED)
    chosen = [tracks.names.index(name) for name in TIP]
    mean = np.nanmean(last.positions[:, chosen], axis=0)
    seen = Markers(mean[None], [1.0], at=at_rest.at, rotation=at_rest.rotation, shift=at_rest.shift)
    sim = pl.Simulation(beam(cells, 2e5), pl.QuasiStatic(1.0, pl.Newton(iterations=200)))
    return pl.fit(sim, seen, {(0, "young"): Free(1e5, 1e6, log=True)})


def swinging(tracks: Tracks, at_rest: Markers, cells: tuple[int, ...], dt: float, seconds: float):
    """Young's modulus, damping and the moment of release, from what the tip markers did in the first seconds."""
    swing = tracks.between(RELEASED, RELEASED + seconds)
    chosen = [tracks.names.index(name) for name in TIP]
    seen = Markers(swing.positions[:, chosen], swing.times, at=at_rest.at, rotation=at_rest.rotation, shift=at_rest.shift)
    sim = pl.Simulation(beam(cells, 2.2e5, 4.0), pl.Newmark(dt, pl.Newton(linear=pl.linear.Direct())))
    free = {
        (0, "young"): Free(5e4, 1e6, log=True),
        (0, "damping.mass"): Free(0.1, 50.0, log=True),
        (None, "observation 0.delay"): Free(-0.03, 0.03),
    }
    return pl.fit(sim, seen, free)


def told(what: str, found) -> float:
    values = {name: float(value) for (_, name), value in found.values.items()}
    off = 100 * (values["young"] / PUBLISHED - 1)
    apart = 1e3 * np.sqrt(3) * found.distance  # of points, where residuals are coordinates
    print(f"{what}: {values}, rms {apart:.3f} mm, {found.runs} runs; {off:+.1f} % of {PUBLISHED:.0f} Pa")
    return values["young"]


def predicted(cells: tuple[int, ...], young: float, at: np.ndarray, loaded: bool) -> np.ndarray:
    """(3, 3) how far the tip markers move from rest to equilibrium [m]."""
    sim = pl.Simulation(beam(cells, young, loaded=loaded), pl.QuasiStatic(1.0, pl.Newton(iterations=200)))
    start = Markers(at[None], [0.0]).bound(sim)
    report = sim.step()
    if not report.converged:
        raise SystemExit(f"no equilibrium: {report.why}")
    return start.at(0, sim.x, start.parameters).r.reshape(-1, 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cells", type=int, nargs=3, default=(14, 4, 4))
    parser.add_argument("--swing", action="store_true", help="fit damping to the swing as well: minutes")
    parser.add_argument("--dt", type=float, default=0.005)
    parser.add_argument("--seconds", type=float, default=1.5)
    given = parser.parse_args()
    cells = tuple(given.cells)
    recordings = {"gravity": "beam_gravity_V2_a.c3d", "loaded": "beam_load52_V2_a.c3d"}
    try:
        seen = {name: recorded(given.folder / file) for name, file in recordings.items()}
    except pl.errors.InputError as error:
        sys.exit(str(error))
    young = told("in equilibrium", in_equilibrium(*seen["gravity"], cells))
    if given.swing:
        told("swinging", swinging(*seen["gravity"], cells, given.dt, given.seconds))
    for name, (tracks, at_rest) in seen.items():
        measured, computed = settled(tracks, at_rest), predicted(cells, young, at_rest.at, name == "loaded")
        for marker, a, b in zip(TIP, measured, computed):
            size = np.linalg.norm(a)
            print(
                f"{name:8} {marker}: measured {1e3 * size:6.2f} mm, computed {1e3 * np.linalg.norm(b):6.2f} mm "
                f"({100 * (np.linalg.norm(b) / size - 1):+.1f} %), apart by {1e3 * np.linalg.norm(a - b):.2f} mm"
            )


if __name__ == "__main__":
    main()
