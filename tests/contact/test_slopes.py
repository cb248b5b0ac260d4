"""Closed forms of friction on slopes: what sticks does not creep, with each response; where sliding begins with the barrier."""

import numpy as np
import pytest

import pliant as pl

HEIGHT = 0.04
SIZE = (0.1, 0.1, HEIGHT)
BARRIER = (
    0.0019,
    pl.contact.Barrier(reach=0.002),
    None,
)  # the gap at first, the response, and iterations of Newton's method
OTHERS = {
    "complementarity": (0.001, pl.contact.Complementarity(gap=0.001), 1),
    "penalty": (1e-5, pl.contact.Penalty(), None),
}


def _on_slope(kind: str, young: float, degrees: float, friction: float, by: tuple = BARRIER) -> tuple[pl.Simulation, np.ndarray]:
    """Flat blocks, one or two, soft or rigid, just above a slope; and the way down."""
    angle, (gap, response, iterations) = np.radians(degrees), by
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1000.0)
    turned = lambda mesh: mesh.rotated((0, 1, 0), degrees)
    middle = lambda k: (0.05, 0.05, k * (HEIGHT + gap) + 0.5 * HEIGHT + gap)
    more = {"damping": pl.Damping(viscosity=3e-3 * young)}

    grid = lambda k: turned(pl.tet_grid(SIZE, (2, 2, 2), origin=(0, 0, k * (HEIGHT + gap) + gap)))

    def tets(k: int) -> pl.Body:
        return pl.Body(grid(k), law, **more)

    def lattice(k: int) -> pl.Body:
        skin = grid(k).boundary
        return pl.Body(pl.Lattice(pl.sdf.from_mesh(skin), 0.04), law, surface=skin, **more)

    def rigid(k: int) -> pl.Body:
        return pl.Body(pl.contact.Rigid(turned(pl.meshes.box(SIZE).translated(middle(k))), density=1000.0))

    kind, _, stacked = kind.partition(", ")
    bodies = [{"tets": tets, "lattice": lattice, "rigid": rigid}[kind](k) for k in range(2 if stacked else 1)]
    slope = pl.plane(point=(0, 0, 0), normal=(np.sin(angle), 0, np.cos(angle)))
    scene = pl.Scene(bodies, obstacles=[slope], contact=pl.Contact(friction=friction, response=response))
    down = np.array([np.cos(angle), 0.0, -np.sin(angle)])
    return pl.Simulation(scene, pl.ImplicitEuler(1 / 100, pl.Newton(iterations=iterations))), down


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize(
    "kind, young",
    [("tets", 1e4), ("tets", 1e7), ("lattice", 1e4), ("lattice", 1e7), ("rigid", 1e9)]
    + [
        pytest.param(kind, young, marks=pytest.mark.slow)
        for kind, young in [
            ("tets", 1e5), ("tets", 1e6), ("lattice", 1e6), ("tets, stacked", 1e4), ("tets, stacked", 1e7),
            ("lattice, stacked", 1e4), ("lattice, stacked", 1e7), ("rigid, stacked", 1e9),
        ]
    ],
)  # fmt: skip
def test_what_sticks_at_twenty_degrees_creeps_by_less_than_a_hundredth_of_a_millimetre_a_second(kind, young):
    assert _creep(kind, young, BARRIER) < 1e-5


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize(
    "kind, young",
    [("rigid", 1e9)]
    + [
        pytest.param(kind, young, marks=pytest.mark.slow)
        for kind, young in [
            ("tets", 1e4), ("tets", 1e7), ("lattice", 1e4), ("lattice", 1e7), ("tets, stacked", 1e4),
            ("tets, stacked", 1e7), ("lattice, stacked", 1e5), ("rigid, stacked", 1e9),
        ]
    ],
)  # fmt: skip
def test_nor_does_it_creep_with_the_other_responses(kind, young, name):
    assert _creep(kind, young, OTHERS[name]) < 1e-5


def _creep(kind: str, young: float, by: tuple) -> float:
    """How fast it goes down at 20° with μ = 0.5, from one and a half seconds on [m/s]."""
    simulation, down = _on_slope(kind, young, 20.0, 0.5, by)
    for k in range(200):
        assert simulation.step().kept
        if k == 149:
            before = simulation.x.mean(axis=0)
    return abs((simulation.x.mean(axis=0) - before) @ down) / 0.5


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tets", "rigid"])
@pytest.mark.parametrize("off", [-0.0005, 0.0005], ids=["slides", "sticks"])
def test_sliding_begins_at_the_tangent_of_the_slope_within_a_thousandth(kind, off):
    friction = np.tan(np.radians(10.0)) + off
    simulation, down = _on_slope(kind, 1e6, 10.0, friction)
    for k in range(1500):  # it stops from a first slip, at 0.005 m/s²
        assert simulation.step().kept
        if k >= 99 and (off < 0 or abs(simulation.v.mean(axis=0) @ down) < 1e-7):
            break
    before = float(simulation.v.mean(axis=0) @ down)
    for _ in range(50):
        assert simulation.step().kept
    gained = (float(simulation.v.mean(axis=0) @ down) - before) / 0.5
    slides = 9.81 * np.cos(np.radians(10.0)) * -off
    assert gained == pytest.approx(max(slides, 0.0), abs=0.01 * abs(slides))
    assert slides > 0 or abs(before) < 1e-6


SLIDES = {  # response, the gap at first, iterations of Newton's method, and what is gained of 0.196 m/s²
    "barrier": (pl.contact.Barrier(), 2e-4, None, 0.197),
    "springs": (pl.contact.Penalty(), 0.0, None, 0.106),
    "complementarity": (pl.contact.Complementarity(), 1e-4, 1, -0.113),
}


@pytest.mark.filterwarnings("ignore:the scene has gained")
@pytest.mark.parametrize("name", SLIDES)
def test_what_slides_from_edge_to_edge_of_another_mesh(name):
    """With μ that leaves 2 % of g on a soft ramp: all but the barrier brake where nodes come to its edges, as the page says."""
    response, gap, iterations, expected = SLIDES[name]
    angle, law = np.radians(20.0), pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
    up, down = np.array([np.sin(angle), 0, np.cos(angle)]), np.array([np.cos(angle), 0, -np.sin(angle)])
    ramp = pl.tet_grid((0.4, 0.12, 0.04), (10, 4, 2), origin=(-0.2, -0.06, -0.04)).rotated((0, 1, 0), 20.0)
    block = pl.tet_grid((0.08, 0.08, 0.05), (5, 5, 3), origin=(-0.15, -0.04, gap)).rotated((0, 1, 0), 20.0)
    bodies = [pl.Body(ramp, law, pinned=lambda X: X @ up < -0.0399), pl.Body(block, law)]
    contact = pl.Contact(friction=(np.sin(angle) - 0.02) / np.cos(angle), response=response)
    sim = pl.Simulation(pl.Scene(bodies, contact=contact), pl.ImplicitEuler(1 / 60, pl.Newton(iterations=iterations)))
    rows, speeds = sim.bodies[1].rows, []
    for count in (12, 24):
        assert all(sim.step().kept for _ in range(count))
        speeds.append(np.average(sim.v[rows], axis=0, weights=sim.world.mass[rows]) @ down)
    gained = (speeds[1] - speeds[0]) / (24 / 60)
    print(f"{name}: {gained:.3f} m/s² of {0.02 * 9.81:.3f}")
    assert gained == pytest.approx(expected, abs=0.002 if name == "barrier" else 0.03)
