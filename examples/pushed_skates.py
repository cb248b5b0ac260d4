"""Five blocks on skates are pushed the same way over a floor, and each turns aside to where its skates point before it stops."""

import numpy as np
from scipy.integrate import solve_ivp

import pliant as pl

ANGLES = (-80, -40, 0, 40, 80)  # degrees of the skates from the push
ALONG, ACROSS = 0.1, 0.6  # friction along skates and across them
SPEED = 1.2  # m/s of the push, along x
SIZE, EVERY = (0.1, 0.06, 0.04), 0.18  # m: of a block, and from one to the next
START = 2e-4  # m above the floor


def skate(angle: float) -> pl.contact.Anisotropic:
    """The friction of skates turned by so many degrees."""
    turn = np.radians(angle)
    return pl.contact.Anisotropic(ALONG, ACROSS, (np.cos(turn), np.sin(turn), 0.0))


def simulation(dt: float = 1 / 120) -> pl.Simulation:
    bodies, pairs = [], []
    for i, angle in enumerate(ANGLES):
        mesh = pl.meshes.box(SIZE).rotated((0, 0, 1), angle).translated((0, EVERY * (i - 2), 0.5 * SIZE[2] + START))
        body = pl.Body(pl.contact.Rigid(mesh, density=500.0), velocity=(SPEED, 0, 0), name=f"at {angle}")
        bodies.append(body)
        pairs.append(pl.contact.Pair(body.name, "floor", friction=skate(angle)))
    law = pl.Contact(response=pl.contact.Barrier(reach=START), pairs=pairs)
    floor = pl.Obstacle(pl.plane(z=0.0), name="floor")
    return pl.Simulation(pl.Scene(bodies, [floor], contact=law), pl.ImplicitEuler(dt))


def paths(angle: float, times: np.ndarray) -> np.ndarray:
    """(t, 2) the way [m] of a point with that friction, −g M² v / |M v| with M = diag(along, across) by the skates."""
    turn = np.radians(angle)
    frame = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    M = np.array([ALONG, ACROSS])

    def slows(t, state):
        v = frame @ state[2:]
        return [*state[2:], *(frame.T @ (-9.81 * M**2 * v / np.sqrt(np.sum((M * v) ** 2) + 1e-10)))]

    return solve_ivp(slows, (0, times[-1]), [0, 0, SPEED, 0], "LSODA", times, rtol=1e-8, atol=1e-8).y[:2].T


def ways(run: pl.Run) -> np.ndarray:
    """(frames, blocks, 3) how far each block has gone [m]."""
    return (run.positions - run.rest).reshape(len(run), len(ANGLES), -1, 3).mean(axis=2)


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.5, frames_per_second=60, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.3, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-60, 40), size=(420, 300))


if __name__ == "__main__":
    run = main()
    for angle, way in zip(ANGLES, ways(run)[-1]):
        print(f"{angle:4d}°: {way[0]:.3f} m ahead and {way[1]:+.3f} m to the side")
    draw(run, "out/pushed_skates.png")
