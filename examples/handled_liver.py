"""A liver on its ligament is pulled by forceps, pressed by a round probe, and cut and drawn open."""

import numpy as np

import pliant as pl

PULL, PRESS, CUT, END = 0.3, 0.6, 0.65, 1.0  # [s] until then it is pulled, pressed, left alone, drawn open
STROKE = [(-0.06, -0.004, 0.1), (-0.03, -0.016, 0.1), (0.01, -0.016, 0.1), (0.05, -0.002, 0.1)]
HELD: list[tuple[int, np.ndarray, np.ndarray, int]] = []  # vertex, where it was, how far it is taken, the hand on it


def organ() -> pl.TriMesh:
    """A thick and a thin lobe with a notch between them: where a function in a volume is above 0."""
    n, h = (26, 19, 15), 0.004
    x, y, z = np.meshgrid(*[h * np.arange(-k, k + 1) for k in n], indexing="ij")
    thick = np.clip(0.046 - 0.24 * x - 1.6 * x**2, 0.012, None)
    inside = 1 - (x / 0.092) ** 2 - (y / (0.056 - 0.18 * x)) ** 2 - ((z + 2.2 * x**2 - 0.004) / thick) ** 2
    notch = 0.5 * np.exp(-((x - 0.035) ** 2 + (y + 0.05) ** 2 + (z + 0.01) ** 2) / 0.018**2)
    return pl.surface(pl.sdf.from_volume(pl.Volume(inside - notch, h, origin=[-h * k for k in n]), level=0.0), 0.0045)


def probe(t: float) -> np.ndarray:
    """Its pose: from the side onto the organ, and back."""
    there = np.sin(np.pi * np.clip((t - PULL) / (PRESS - PULL), 0, 1)) ** 2
    pose = np.eye(4)
    pose[:3, 3] = (1 - there) * np.array([-0.05, 0.06, -0.015]) + there * np.array([0.0, 0.0, -0.045])
    return pose


def simulation(edge: float = 0.014) -> pl.Simulation:
    surface = organ()
    ligament = pl.Hold(lambda X: X[:, 0] < -0.06, by=pl.hold.Springs(100.0), name="ligament")
    tissue = pl.StableNeoHookean(young=4e3, poisson=0.45, density=1060.0)
    mesh, damping = pl.tetrahedralise(surface, edge=edge), pl.Damping(viscosity=10.0)
    body = pl.Body(mesh, tissue, surface=surface, effects=[ligament], damping=damping, name="liver")
    ball = pl.Obstacle(pl.sphere(0.02, (-0.01, -0.01, 0.07)), motion=probe, name="probe")
    scene = pl.Scene([body], [pl.plane(z=-0.05), ball], contact=pl.Contact(friction=0.2))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10)), precision="f32")


def hold(sim: pl.Simulation, near: tuple[float, float, float], way: tuple[float, float, float]) -> None:
    surface = sim.bodies[0].surface
    for vertex in map(int, np.argsort(np.linalg.norm(surface - near, axis=1))[:160:10]):
        HELD.append((vertex, surface[vertex], np.array(way), sim.grab(vertex, surface[vertex], stiffness=8.0)))


def control(sim: pl.Simulation, report) -> None:
    """Forceps on the thin lobe at first; after the cut one on each side of it, which move apart."""
    t, dt = sim.t, sim.integrator.dt
    if t < 1.5 * dt:
        HELD.clear()
        hold(sim, (0.08, 0.0, -0.01), (0.025, 0.0, 0.055))
    if abs(t - PULL) < 0.5 * dt:
        for *_, hand in HELD:
            sim.release(hand)
        HELD.clear()
    if abs(t - CUT) < 0.5 * dt:
        sim.cut(pl.Blade(STROKE, depth=0.105))
        hold(sim, (-0.01, -0.034, 0.05), (0.0, -0.025, -0.005))
        hold(sim, (-0.01, 0.002, 0.05), (0.0, 0.02, 0.005))
    share = min((t if t < PULL else t - CUT) / 0.28, 1.0)
    for vertex, place, way, hand in HELD:
        sim.grab(vertex, place + share * way, handle=hand, stiffness=8.0)


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or END, progress=True, on_step=control)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(np.argmin(np.abs(run.times - t))) for t in (PULL, 0.45, END)]
    pl.filmstrip(run, path, frames=moments, view=(-65, 42), size=(310, 230))


if __name__ == "__main__":
    run = main()
    draw(run, "out/handled_liver.png")
    pl.page(run, "out/handled_liver.html", title="A liver is pulled, pressed and cut")
