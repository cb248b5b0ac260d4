"""A motor turns a crank on its hinge, whose rod drives a piston along a rail into a soft cushion, again and again."""

import numpy as np

import pliant as pl

CRANK, ROD, APART = 0.05, 0.16, 0.035  # m: arm of the crank, length of the rod, between the planes of crank and rod
HUB = np.array([0.0, 0.0, 0.08])
PIN = HUB + np.array([-CRANK, -APART, 0.0])  # of the crank at rest, and the other end of the rod
END = PIN + np.array([ROD, 0.0, 0.0])
SPEED = 2 * np.pi  # rad/s that the motor holds
PISTON, GAP = 0.08, 0.01  # m: length of the piston, and from it to the cushion where it comes nearest without one


def bodies() -> list[pl.Body]:
    """At rest the crank points away from the piston, with all of them in a row along x."""
    steel = {"density": 2000.0}
    crank = pl.meshes.box((0.14, 0.02, 0.06)).translated(HUB)
    rod = pl.meshes.box((ROD, 0.02, 0.015)).translated(0.5 * (PIN + END))
    piston = pl.meshes.box((PISTON, 0.04, 0.05)).translated((END[0] + 0.02 + 0.5 * PISTON, 0.0, HUB[2]))
    face = HUB[0] + CRANK + ROD + 0.02 + PISTON - GAP  # of the cushion, GAP short of the end of the stroke
    side = np.array([0.08, 0.08, 0.1])
    cushion = pl.tet_grid(side, (4, 4, 5))
    cushion = cushion.translated((face, -0.04, 0.03) - cushion.vertices.min(axis=0))
    back = face + side[0] - 1e-6
    return [
        pl.Body(pl.contact.Rigid(crank, **steel), name="crank"),
        pl.Body(pl.contact.Rigid(rod, **steel), name="rod"),
        pl.Body(pl.contact.Rigid(piston, **steel), name="piston"),
        pl.Body(
            cushion,
            pl.StableNeoHookean(young=2e4, poisson=0.4),
            pinned=lambda X: X[:, 0] > back,
            damping=pl.Damping(stiffness=0.01),
            name="cushion",
        ),
    ]


def simulation(dt: float = 1 / 120) -> pl.Simulation:
    motor = pl.joint.Motor(target=lambda t: SPEED * t, stiffness=200.0, damping=2.0)
    joints = [
        pl.joint.Hinge("crank", None, HUB, (0, 1, 0), motor=motor, name="drive"),
        pl.joint.Ball("rod", "crank", PIN, name="crank pin"),
        pl.joint.Ball("rod", "piston", END, name="wrist pin"),
        pl.joint.Slider("piston", None, HUB, (1, 0, 0), name="rail"),
    ]
    scene = pl.Scene(bodies(), joints=joints, contact=pl.Contact(response=pl.contact.Penalty()))
    return pl.Simulation(scene, pl.ImplicitEuler(dt))


def stroke(angle: np.ndarray) -> np.ndarray:
    """Way of the piston [m] for angles of the crank [rad], from the triangle of crank and rod."""
    x, z = -CRANK * np.cos(angle), CRANK * np.sin(angle)
    return x + np.sqrt(ROD**2 - z**2) + CRANK - ROD


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, frames_per_second=60, progress=True, forces=["drive", "rail"])


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.2, 0.5)]
    pl.filmstrip(run, path, frames=moments, view=(-75, 18), size=(460, 260))


if __name__ == "__main__":
    run = main()
    print(f"torque of the motor up to {np.abs(run.torque('drive', about=HUB)[:, 1]).max():.2f} N m")
    draw(run, "out/hinge_and_motor.png")
