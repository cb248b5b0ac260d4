"""Newton's cradle: the first of five steel balls strikes the row, and the last one leaves with its speed, to and fro."""

import numpy as np

import pliant as pl

# Gaps are wider than an impact is deep, so that one ends before the next begins; balls that touch push several at once. Steps
# are short beside an impact, 2 ms, and Newmark's scheme takes no energy, of which implicit Euler takes four fifths.
RADIUS, LENGTH, GAP = 0.02, 0.15, 0.002  # m: of a ball, of its threads, between two balls
LIFT = 30.0  # degrees, of the first
STEEL = 7800.0  # kg/m³
DT = 5e-4


def ball() -> pl.TriMesh:
    """A sphere with a face, and the one opposite, square to the row."""
    mesh = pl.meshes.sphere(RADIUS, 2)
    normals = mesh.area_vectors / np.linalg.norm(mesh.area_vectors, axis=1)[:, None]
    middles = mesh.vertices[mesh.triangles].mean(axis=1)
    normal = normals[np.argmax((normals * middles).sum(axis=1))]  # of the face that is furthest out
    return mesh.rotated(np.cross(normal, (1, 0, 0)), np.degrees(np.arccos(normal[0])))


def simulation(gap: float = GAP, integrator=None) -> pl.Simulation:
    mesh, bodies = ball(), []
    spacing = np.ptp(mesh.vertices[:, 0]) + gap
    for i in range(5):
        above = np.array([spacing * i, 0.0, LENGTH])
        threads = above + np.array([[0, -0.06, 0], [0, 0.06, 0]])  # both ends, which turn with the ball
        hung = mesh.translated((0, 0, -LENGTH)).rotated((0, 1, 0), LIFT if i == 0 else 0.0).translated(above)
        rigid = pl.contact.Rigid(hung, density=STEEL)
        bodies.append(pl.Body(rigid, effects=[pl.Hold(threads, by=pl.hold.Springs(1e6))], name=f"ball {i + 1}"))
    contact = pl.Contact(response=pl.contact.Penalty(stiffness=1e5, reach=GAP))
    solver = pl.Newton(linear=pl.linear.Direct())
    return pl.Simulation(pl.Scene(bodies, contact=contact), integrator or pl.Newmark(DT, solver=solver))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 0.8, frames_per_second=100, progress=True)


def draw(run: pl.Run, path: str) -> None:
    moments = [int(f * (len(run) - 1)) for f in (0.0, 0.3, 0.5, 1.0)]
    pl.filmstrip(run, path, frames=moments, view=(-70, 12), size=(450, 260))


def speeds(run: pl.Run, frame: int) -> np.ndarray:
    """(5,) of the balls along the row [m/s], from the frames around one."""
    before, after = (run.positions[frame + side].reshape(5, 4, 3).mean(axis=1)[:, 0] for side in (-1, 1))
    return (after - before) / (run.times[frame + 1] - run.times[frame - 1])


if __name__ == "__main__":
    run = main()
    falls = [speeds(run, frame) for frame in range(1, len(run) - 1)]
    print(f"first ball {max(v[0] for v in falls):.3f} m/s, last ball {max(v[4] for v in falls):.3f} m/s")
    draw(run, "out/newtons_cradle.png")
