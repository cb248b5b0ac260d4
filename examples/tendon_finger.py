"""A finger of three bones on hinges curls around a soft ball as a tendon over its pulleys is pulled."""

import numpy as np

import pliant as pl

LENGTHS = (0.05, 0.035, 0.025)  # m, of the bones, from the palm to the tip
THICK, ARM, GAP = 0.014, 0.012, 0.012  # m: of a bone, of the tendon about a hinge, between two bones
STIFFNESS = (0.03, 0.04, 0.05)  # N m/rad of the ligaments that straighten the hinges
TENSION, RAMP = 4.0, 0.6  # N, reached after so many s
BENDS = (0.0, 1.4)  # rad, of each hinge
BALL = 0.02  # m, its radius


def ends() -> np.ndarray:
    """x of the hinges and of the tip [m]; the finger lies along x, and the tendon runs below it."""
    return np.concatenate([[0.0], np.cumsum(LENGTHS)])


def bodies() -> list[pl.Body]:
    x, made = ends(), []
    for i in range(3):
        size = (LENGTHS[i] - GAP, THICK, THICK)
        mesh = pl.meshes.box(size).translated((0.5 * (x[i] + x[i + 1]), 0.0, 0.0))
        made.append(pl.Body(pl.contact.Rigid(mesh, density=1500.0), name=f"bone {i + 1}"))
    middle = np.array([0.055, 0.0, -0.045])
    mesh = pl.tetrahedralise(pl.sphere(BALL, middle), edge=0.012)
    held = lambda X: np.linalg.norm(X - middle, axis=1) < 0.5 * BALL
    ball = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.4), pinned=held, damping=pl.Damping(stiffness=0.01))
    return [*made, ball]


def joints(tension: float = TENSION) -> list:
    x, made = ends(), []
    for i in range(3):
        ligament = pl.joint.Motor(stiffness=STIFFNESS[i], damping=0.02 * STIFFNESS[i])
        other = f"bone {i}" if i else None
        made.append(pl.joint.Hinge(f"bone {i + 1}", other, (x[i], 0, 0), (0, 1, 0), BENDS, ligament, name=f"hinge {i + 1}"))
    path = [(-0.02, 0.0, -ARM)]
    for i in range(3):
        start, end = x[i] + 0.009, x[i + 1] - 0.009
        path += [(f"bone {i + 1}", (s, 0.0, -ARM)) for s in ((start, end) if i < 2 else (start,))]
    pull = pl.schedule.Table([0.0, RAMP], [0.0, tension])
    return [*made, pl.joint.Tendon(path, tension=pull, name="tendon")]


def simulation(dt: float = 1 / 100) -> pl.Simulation:
    scene = pl.Scene(bodies(), joints=joints(), contact=pl.Contact(friction=0.5, response=pl.contact.Penalty()))
    return pl.Simulation(scene, pl.ImplicitEuler(dt))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=50, progress=True, forces=["tendon"])


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.4, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-80, 8), size=(380, 320))


if __name__ == "__main__":
    run = main()
    print(f"the tendon pulls with {np.linalg.norm(run.force('tendon')[-1]):.2f} N at the tip")
    draw(run, "out/tendon_finger.png")
