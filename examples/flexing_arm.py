"""An arm of flesh on two bones: the biceps tenses, swells, and turns the forearm to where all forces are in balance."""

from functools import cache

import numpy as np

import pliant as pl

CELL, STIFF, JOINT = 0.014, 2e4, 0.5  # [m], [N/m] of flesh on each point of a bone, [N m s] of friction in the elbow
ANGLE = [0.0]  # of the forearm, from rest [degrees]
TENSE = {"biceps": lambda t: min(t / 0.8, 1.0), "triceps": 0.0}  # activation over time [s]


def fore(along: float, across: float = 0.0, side: float = 0.0) -> np.ndarray:
    """A place on the forearm [m] seen from the elbow, which is the origin and bent by 50° at rest."""
    return np.array([0.643 * along - 0.766 * across, side, 0.766 * along + 0.643 * across])


HUMERUS, ULNA = pl.capsule((-0.28, 0, 0), (-0.02, 0, 0), 0.014), pl.capsule(fore(-0.015), fore(0.26), 0.012)
ENDS = {"biceps": ((-0.28, 0, 0.008), fore(0.04)), "triceps": ((-0.28, 0, -0.014), fore(-0.03))}
BELLY = {name: pl.sdf.spindle(*ends, 0.025) for name, ends in ENDS.items()}
UPPER = pl.sdf.spindle((-0.33, 0, 0), (0.03, 0, 0), 0.052) | pl.capsule((-0.28, 0, 0), (0, 0, 0), 0.042)
LOWER = pl.sdf.spindle(fore(-0.05), fore(0.26), 0.045) | pl.capsule((0, 0, 0), fore(0.27), 0.027) | pl.sphere(0.046)
HAND = pl.sphere(0.037, fore(0.28)) | pl.capsule(fore(0.295, 0.014, -0.024), fore(0.295, 0.014, 0.024), 0.02)
ARM = ((UPPER | LOWER | pl.sphere(0.053, (-0.28, 0, 0.002))).rounded(0.012, 0.004) | HAND).rounded(0.005, 0.004)
BONES = [X[np.linalg.norm(X, axis=1) > 0.03] for X in (pl.surface(b, 0.008).vertices for b in (HUMERUS, ULNA))]
LOOK = {"biceps": "#b23a34", "triceps": "#cf8478", "humerus": "#ece5d2", "ulna": "#ece5d2"}


@cache
def flesh(cell: float) -> tuple[pl.Lattice, tuple[np.ndarray, np.ndarray]]:  # and what carries the ulna's points
    shape = pl.Lattice(ARM, cell, volume=pl.quadrature.Averaged())
    return shape, shape.embedded(BONES[1])


def turned(X: np.ndarray, t: float) -> np.ndarray:
    return pl.PointCloud(X).rotated((0, -1, 0), ANGLE[0]).vertices


def control(sim: pl.Simulation, report: pl.extend.Report | None) -> None:
    """The forearm turns as the flesh pulls at its bone."""
    ANGLE[0] = 0.0 if sim.t < 1.5 * sim.integrator.dt else ANGLE[0]
    nodes, weights = flesh(sim.scene.bodies[0].shape.spacing)[1]
    goal, there = turned(BONES[1], sim.t), np.einsum("pk,pkc->pc", weights, sim.x[nodes])
    torque = -np.cross(goal, STIFF * (there - goal)).sum(axis=0)[1]  # of the flesh on the bone [N m]
    ANGLE[0] += np.degrees(sim.integrator.dt * torque / JOINT)


def simulation(cell: float = CELL) -> pl.Simulation:
    muscles = [
        pl.muscles.EmbeddedMuscle(BELLY[n], pl.muscles.FibreField(BELLY[n], *ENDS[n], 0.006), TENSE[n], name=n) for n in BELLY
    ]
    ANGLE[0], by = 0.0, pl.hold.Springs(STIFF)
    bones = [pl.Hold(BONES[0], by=by), pl.Hold(BONES[1], motion=turned, by=by)]
    body = pl.Body(flesh(cell)[0], pl.NeoHookean(young=3e4, poisson=0.499), effects=[*bones, *muscles])
    return pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(1 / 30, pl.Mixed()))


def main(seconds: float | None = None) -> pl.Run:
    sim = simulation()
    run, arm = sim.run(seconds or 1.2, on_step=control, progress=True), sim.bodies[0]
    skin = arm.carried(pl.surface(ARM, 0.005), "skin", "#d9a789")
    old, new = (pl.TriMesh(x, skin.triangles) for x in skin.of(run.positions[[0, -1]]))
    high = [1e3 * m.vertices[np.abs(old.vertices[:, 0] + 0.13) < 0.06, 2].max() for m in (old, new)]
    print(*arm.muscles.values(), sep="\n")
    print(f"elbow turned by {ANGLE[0]:.1f}°, volume {new.volume / old.volume - 1:+.2%}")
    print(f"skin over the humerus {high[0]:.1f} mm, now {high[1]:.1f} mm")
    inner = zip((pl.surface(solid, 0.004) for solid in (*BELLY.values(), HUMERUS, ULNA)), LOOK.items())
    return run.drawn(skin).beside(run.drawn([arm.carried(solid, *look) for solid, look in inner]), shift=(0, 0, -0.44))


def draw(run: pl.Run, path: str) -> None:
    pl.filmstrip(run, path, frames=3, view=(-84, 7), size=(400, 540))


if __name__ == "__main__":
    run = main()
    draw(run, "out/flexing_arm.png")
    pl.page(run, "out/flexing_arm.html", title="A flexing arm")
