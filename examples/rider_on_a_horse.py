"""A rider drops into the saddle of a horse of rubber, sways, and falls off in the end; both are detailed surfaces on few tets."""

import pliant as pl


def horse(spacing: float) -> pl.TriMesh:
    """Barrel, neck, head, legs and tail, 2.4 m long; it stands on z = 0."""
    solid = pl.capsule((-0.55, 0, 1.15), (0.5, 0, 1.15), 0.34)
    solid = solid | pl.capsule((0.6, 0, 1.3), (1.0, 0, 1.85), 0.16) | pl.capsule((1.0, 0, 1.85), (1.35, 0, 1.65), 0.12)
    for x, y in ((0.5, 0.2), (0.5, -0.2), (-0.6, 0.2), (-0.6, -0.2)):
        solid = solid | pl.capsule((x, y, 1.05), (x, 1.1 * y, 0.11), 0.11)
    return pl.surface(solid | pl.capsule((-0.85, 0, 1.25), (-1.1, 0, 0.75), 0.07), spacing)


def rider(spacing: float) -> pl.TriMesh:
    """Hips, trunk, head, arms held forwards, and legs astride."""
    solid = (
        pl.capsule((0, 0, 0.1), (0, 0, 0.55), 0.16) | pl.sphere(0.13, (0, 0, 0.85)) | pl.capsule((0, 0, 0.6), (0, 0, 0.8), 0.06)
    )
    for side in (1, -1):
        hip, knee, foot = (0, 0.1 * side, 0.02), (0.15, 0.47 * side, -0.25), (0.05, 0.52 * side, -0.65)
        solid = solid | pl.capsule(hip, knee, 0.1) | pl.capsule(knee, foot, 0.075)
        solid = solid | pl.capsule((0, 0.16 * side, 0.55), (0.4, 0.14 * side, 0.4), 0.06)
    return pl.surface(solid, spacing)


def simulation(spacing: float = 0.07) -> pl.Simulation:
    """Triangles are about as long as ``spacing`` [m]: 0.12, 0.055 and 0.018 give the horse 1,900, 9,600 and 94,000."""
    firm = pl.StableNeoHookean(young=4e5, poisson=0.4, density=500.0)
    soft = pl.StableNeoHookean(young=1e5, poisson=0.4, density=500.0)
    steed = pl.meshes.bounding_tets(horse(spacing), cells=8, fit=2)
    seated = pl.meshes.bounding_tets(rider(spacing).translated((-0.1, 0, 1.75)), cells=6, fit=2)
    hooves = lambda X: X[:, 2] < 0.08
    bodies = [
        pl.Body(steed, firm, pinned=hooves, damping=pl.Damping(stiffness=0.01), name="horse"),
        pl.Body(seated, soft, damping=pl.Damping(stiffness=0.01), name="rider"),
    ]
    contact = pl.Contact(friction=0.6, response=pl.contact.Intersection(damping=0.02))
    return pl.Simulation(pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=contact), pl.ImplicitEuler(dt=1 / 60))


def main(seconds: float | None = None) -> pl.Run:
    return simulation().run(seconds or 1.0, frames_per_second=30, progress=True)


def draw(run: pl.Run, path: str) -> None:
    frames = [int(f * (len(run) - 1)) for f in (0, 0.35, 1)]
    pl.filmstrip(run, path, frames=frames, view=(-50, 14), size=(380, 380))


if __name__ == "__main__":
    run = main()
    draw(run, "out/rider_on_a_horse.png")
    pl.page(run, "out/rider_on_a_horse.html", title="A rider on a horse")
