"""Contact: Hertz, a patch of two meshes, rolling, sliding, and two bars that meet."""

from __future__ import annotations

import numpy as np

import pliant as pl

from .meshes import bent, near, rolled
from .problem import Problem, Quantity, Solved, still

GRAVITY = 9.81


def run(scene: pl.Scene, integrator: object, seconds: float) -> tuple[pl.Simulation, np.ndarray, np.ndarray]:
    """A simulation at its end, and mean velocities (t, bodies, 3) [m/s] at times (t,)."""
    sim = pl.Simulation(scene, integrator)
    times, speeds = [], []
    while sim.t < seconds - 1e-12:
        report = sim.step()
        if not report.ok:
            raise pl.errors.StepError(report.why)
        times.append(sim.t)
        mass = sim.world.mass
        speeds.append([np.average(sim.v[b.rows], axis=0, weights=mass[b.rows]) for b in sim.bodies])
    return sim, np.array(times), np.array(speeds)


def rolling_ball() -> Solved:
    """Down 20° from rest, half a second."""
    angle = np.radians(20)
    ball = pl.meshes.sphere(0.05, 4).rotated((1.0, 0.3, 0.2), 33.0)
    ball = ball.translated((0, 0, -ball.vertices[:, 2].min()))
    gravity = (GRAVITY * np.sin(angle), 0, -GRAVITY * np.cos(angle))
    body = pl.Body(pl.contact.Rigid(ball, density=1000))
    scene = pl.Scene([body], [pl.plane(z=0)], gravity, pl.Contact(friction=0.5))
    sim, times, speeds = run(scene, pl.ImplicitEuler(1 / 60), 0.5)
    return Solved([times @ speeds[:, 0, 0] / (times @ times)], sim)


def stopping_block() -> Solved:
    """A soft block thrown along a floor at 2 m/s, until it lies."""
    mesh = pl.tet_grid((0.2, 0.2, 0.1), (3, 3, 2))
    law = pl.StableNeoHookean(young=1e6, poisson=0.3, density=1000)
    body = pl.Body(mesh, law, velocity=(2, 0, 0))
    scene = pl.Scene([body], [pl.plane(z=0)], contact=pl.Contact(friction=0.3))
    sim, _times, _speeds = run(scene, pl.ImplicitEuler(1 / 200), 1.0)
    return Solved([np.average(sim.x - mesh.vertices, axis=0, weights=sim.world.mass)[0]], sim)


def patch() -> Solved:
    """A block on another, meshes that do not match, pressed by a hundredth: the same pressure everywhere in both."""
    gap, law = 2e-5, pl.LinearElastic(young=1e6, poisson=0.0)
    lower = pl.Body(pl.tet_grid((0.5, 0.5, 0.25), (5, 5, 3)), law, pinned=lambda X: X[:, 2] < 1e-9, name="lower")
    mesh = pl.tet_grid((0.5, 0.5, 0.25), (4, 4, 2), origin=(0, 0, 0.25 + gap))
    down = pl.Hold(lambda X: X[:, 2] > 0.4999, lambda X, t: X - np.array([0, 0, gap + 0.005 * t]))
    upper = pl.Body(mesh, law, effects=down, name="upper")
    sim = still([lower, upper], contact=pl.Contact(response=pl.contact.Barrier(reach=gap)))
    stress = -sim.field("stress zz")
    return Solved([stress.min(), stress.max()], sim)


def _pole(cells: int, radius: float, above: bool) -> tuple[pl.TetMesh, np.ndarray]:
    """A quarter of half a ball without its rim, finer towards its pole at the origin."""

    def place(u, v, w):
        x, y, z = (np.sinh(3 * np.stack([u, v, w])) / np.sinh(3)) * np.array([[0.8], [0.8], [1.0]])
        c = z - 1  # a cube made a ball
        ball = np.stack([
            x * np.sqrt(1 - y**2 / 2 - c**2 / 2 + y**2 * c**2 / 3),
            y * np.sqrt(1 - x**2 / 2 - c**2 / 2 + x**2 * c**2 / 3),
            1 + c * np.sqrt(1 - x**2 / 2 - y**2 / 2 + x**2 * y**2 / 3),
        ], axis=1)  # fmt: skip
        return radius * ball * [1, 1, 1 if above else -1]

    return bent((cells, cells, cells + 2), place)


def hertz() -> Solved:
    """Two balls pressed together: the radius that the mean square distance of the forces from the axis has, √(2/5) a."""
    radius, young, poisson, gap = 0.05, 1e5, 0.3, 2e-6
    law, bodies = pl.LinearElastic(young=young, poisson=poisson), []
    for cells, above in ((CELLS, False), (CELLS - 1, True)):
        mesh, (u, v, w) = _pole(cells, radius, above)
        way = (lambda X, t: X - np.array([0, 0, 0.0166 * radius * t])) if above else None
        holds = [rolled(near(u, 0), "x"), rolled(near(v, 0), "y"), pl.Hold(near(w, 1), way, by=pl.hold.Rigidly("z"))]
        bodies.append(pl.Body(mesh.translated((0, 0, gap if above else 0)), law, effects=holds))
    sim = still(bodies, contact=pl.Contact(response=pl.contact.Complementarity(gap=gap)))
    found = sim.contacts()
    force, place = found.normal_force, found.point[:, :2]
    a = np.sqrt(2.5 * (force @ (place**2).sum(axis=1)) / force.sum())
    expected = (3 * 4 * force.sum() * radius / 2 / (4 * young / (2 * (1 - poisson**2)))) ** (1 / 3)
    return Solved([a / expected], sim)


CELLS = 9
BAR, SPEED, WAVE = 0.254, 5.13588, np.sqrt(206.84e9 / 7844.0)


def two_bars() -> Solved:
    """Two equal bars meet: they exchange their speeds in the time in which waves run there and back."""
    cells, gap = 60, 1e-5
    law = pl.LinearElastic(young=206.84e9, poisson=0.0, density=7844)
    bars = []
    for side in (-1, 1):
        mesh = pl.tet_grid((BAR, 0.01, 0.01), (cells, 1, 1), origin=(0 if side > 0 else -BAR - gap, 0, 0))
        straight = pl.Hold(lambda X: X[:, 0] > -1, by=pl.hold.Rigidly("yz"))
        bars.append(pl.Body(mesh, law, velocity=(-side * SPEED, 0, 0), effects=straight))
    dt = BAR / WAVE / cells / 2
    sim, times, speeds = run(pl.Scene(bars, gravity=(0, 0, 0)), pl.HHT(dt), 3 * BAR / WAVE)
    gained = speeds[:, 1, 0] - speeds[0, 1, 0]
    early, late = (np.interp(share * gained[-1], gained, times) for share in (0.2, 0.8))
    return Solved([speeds[-1, 1, 0], 1e6 * (late - early) / 0.6], sim)


PROBLEMS = (
    Problem(
        "Hertz, two balls",
        "contact",
        "Hertz 1882, Über die Berührung fester elastischer Körper, J. reine angew. Math. 92:156: a³ = 3FR*/4E*",
        (Quantity("radius over Hertz's", 1.0),),
        "9×9×11 and 8×8×10 cells of five ten-node tets on a quarter of half a ball, LinearElastic, Complementarity(), Direct()",
        hertz,
    ),
    Problem(
        "patch of two meshes",
        "contact",
        "El-Abbasi and Bathe 2001, Stability and patch test performance of contact discretizations, Comput. Struct. 79:1473: "
        "the pressure is the same everywhere",
        (Quantity("least pressure", 1e4, "Pa"), Quantity("largest pressure", 1e4, "Pa")),
        "5×5×3 and 4×4×2 cells of five linear tets, LinearElastic, Barrier(reach=2e-5), Direct()",
        patch,
        slow=False,
        note="By Barrier(). Where the upper block is held from above alone, Automatic(), the default, does not come to rest, and "
        "Complementarity() leaves 7,865 to 12,603 Pa.",
    ),
    Problem(
        "ball rolls down a slope",
        "contact",
        "5/7 g sin θ where tan θ ≤ 7/2 μ (Goldstein 1980, Classical mechanics)",
        (Quantity("acceleration", 5 / 7 * GRAVITY * np.sin(np.radians(20)), "m/s²"),),
        "Rigid() of 5,120 triangles, θ = 20°, μ = 0.5, defaults at 1/60 s",
        rolling_ball,
    ),
    Problem(
        "block slides to rest",
        "contact",
        "Coulomb's law: v²/2μg",
        (Quantity("way", 4 / (2 * 0.3 * GRAVITY), "m"),),
        "3×3×2 cells of five linear tets, E = 1 MPa, defaults at 1/200 s",
        stopping_block,
        slow=False,
    ),
    Problem(
        "two bars meet",
        "contact",
        "Saint-Venant's exchange of speeds in 2L/c (Goldsmith 1960, Impact); sizes of Carpenter, Taylor and Katona 1991, "
        "Lagrange constraints for transient finite element surface contact, IJNME 32:103",
        (Quantity("speed after", SPEED, "m/s"), Quantity("time of contact", 2e6 * BAR / WAVE, "µs")),
        "60×1×1 cells of five linear tets each, LinearElastic, ν = 0, default contact, HHT(), two steps for each cell's wave",
        two_bars,
    ),
)
