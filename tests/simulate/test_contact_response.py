"""What a Contact() that names no response is: the barrier where it can be, springs elsewhere; which one is said, and kept."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant import contact
from pliant.bench.judge import judge
from pliant.errors import InputError

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
MOVES = pl.Obstacle(pl.plane(z=-1.0), lambda t: np.eye(4))
BLOCK = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2))
FAST = pl.ImplicitEuler(1 / 60, pl.QuasiNewton(iterations=10))


def two(gap: float = 1e-3, above: float = 0.02, **law) -> pl.Scene:
    """A cube falls askew on another, which is ``gap`` [m] above a floor."""
    upper = BLOCK.rotated((0, 0, 1), 12).translated((0.02, 0.01, 0.1 + gap + above))
    bodies = [pl.Body(BLOCK.translated((0, 0, gap)), SOFT, name="low"), pl.Body(upper, SOFT, name="high")]
    return pl.Scene(bodies, [pl.plane(z=0.0)], contact=pl.Contact(**{"friction": 0.3} | law))


def driven() -> pl.Body:
    lid = pl.Hold(lambda X: X[:, 2] < 2e-3, lambda X, t: X + 0.1 * t)
    return pl.Body(BLOCK.translated((0, 0, 1e-3)), SOFT, effects=[lid])


def bouncing() -> pl.Scene:
    balls = [pl.Body(contact.Rigid(pl.sphere(0.05, (0, 0, z)), density=1000.0)) for z in (0.1, 0.3)]
    return pl.Scene(balls, [pl.plane(z=0.0)], contact=pl.Contact(restitution=0.0))


def torn() -> pl.Body:
    sheet = pl.Membrane(pl.cloth_grid((0.1, 0.1), (2, 2), origin=(0.5, 0.5, 0.5)), thickness=1e-3)
    return pl.Body(sheet, pl.Corotated(young=1e5, poisson=0.3, density=500), effects=[pl.Tearing(stretch=1.5)])


def test_bodies_that_begin_apart_have_the_barrier():
    sim = pl.Simulation(two())
    assert sim.response == "Barrier" and repr(sim).endswith("contact by Barrier)")
    named = pl.Simulation(two(response=contact.Barrier()))
    for _ in range(20):
        assert sim.step().kept and named.step().kept
        assert judge(sim).clean  # by winding numbers
    assert np.array_equal(sim.x, named.x)
    assert sim.contacts().between("low", "high").total[2] != 0  # they have met


SPRINGS = {
    "another solver": (lambda: two(), FAST, r"QuasiNewton\(\) takes no barrier"),
    "a budget": (lambda: two(), pl.ImplicitEuler(solver=pl.Newton(iterations=2)), r"Newton\(iterations=…\) need not"),
    "no line search": (lambda: two(), pl.ImplicitEuler(solver=pl.Newton(line_search=None)), r"Newton\(line_search=None\)"),
    "a scheme that goes on": (lambda: two(), pl.ImplicitMidpoint(1e-3), r"ImplicitMidpoint\(\) extrapolates beyond"),
    "an explicit scheme": (lambda: two(), pl.SymplecticEuler(1e-5), r"SymplecticEuler\(\) takes no barrier"),
    "bodies that touch": (lambda: two(above=0.0), None, r"low and high touch at the start"),
    "bodies in one another": (lambda: two(above=-0.03), None, r"high and low intersect|low and high intersect"),
    "a body on the floor": (lambda: two(gap=0.0), None, r"points of low are inside or on obstacle 0"),
    "a stiffness": (lambda: two(stiffness=1e3), None, r"Contact\(stiffness=…\) needs springs"),
    "a smooth onset": (lambda: two(smoothing=1e-3), None, r"Contact\(smoothing=…\) needs springs"),
    "restitution": (lambda: bouncing(), None, r"Contact\(restitution=…\) needs springs"),
    "an obstacle that moves": (lambda: replace(two(), obstacles=[MOVES]), None, "obstacles or held nodes move"),
    "held nodes that move": (lambda: replace(two(), bodies=[driven(), two().bodies[1]]), None, "held nodes move"),
    "a body that tears": (lambda: replace(two(), bodies=[torn(), *two().bodies]), None, "a body tears"),
    "values of springs": (lambda: two(response=contact.Automatic(hardness=5.0)), None, r"was given values of springs"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::pliant.errors.PliantWarning")
@pytest.mark.parametrize("case", SPRINGS)
def test_others_have_springs_and_say_why(case):
    scene, integrator, why = SPRINGS[case]
    sim = pl.Simulation(scene(), integrator)
    assert sim.response.startswith("Penalty, since ")
    assert repr(sim).endswith("contact by Penalty)")
    with pytest.raises(InputError, match=why):
        raise InputError(sim.response)
    assert sim.world["body contact"] and not sim.world["barrier"]


def test_one_body_and_bodies_that_are_not_to_touch_have_none():
    assert pl.Simulation(pl.Scene(pl.Body(BLOCK, SOFT), [pl.plane(z=-0.1)])).response == ""
    assert pl.Simulation(two(response=None)).response == ""
    assert pl.Simulation(two(response=contact.Complementarity())).response == "Complementarity"


def test_batches_and_other_solvers_begin_again_with_what_they_can_have():
    sim = pl.Simulation(two())
    assert not pl.Batch([sim.scene]).world["barrier"]
    assert pl.Simulation(sim.scene, FAST).response.startswith("Penalty")
    assert pl.Simulation(pl.Simulation(two(), FAST).scene).response == "Barrier"


def test_what_was_chosen_is_kept(tmp_path):
    """By changes of values, by cuts and by checkpoints, from which it goes on bit for bit."""
    sim = pl.Simulation(two())
    sim.run(0.1, fields=())
    sim.set(friction=0.5)
    sim.save(tmp_path / "a.npz")
    again, given = (pl.Simulation.load(tmp_path / "a.npz", **which) for which in ({}, {"scene": two(friction=0.5)}))
    for one in (sim, again, given):
        assert one.response == "Barrier"
        one.run(0.1, fields=())
    assert np.array_equal(sim.x, again.x) and np.array_equal(sim.x, given.x)
    with pytest.raises(InputError, match=r"QuasiNewton\(\) takes no barrier, and the checkpoint has contact.Barrier"):
        pl.Simulation.load(tmp_path / "a.npz", integrator=FAST)


@pytest.mark.filterwarnings("ignore::pliant.errors.PliantWarning")
def test_springs_are_kept_by_checkpoints_though_bodies_are_apart_by_then(tmp_path):
    sim = pl.Simulation(two(gap=0.0))
    sim.x = sim.x + np.array([0, 0, 0.01])
    sim.save(tmp_path / "a.npz")
    assert pl.Simulation.load(tmp_path / "a.npz").response == "Penalty, since it began with springs"


@pytest.mark.parametrize("gap", [1e-3, 1e-5])
def test_nothing_is_lifted_off_the_floor_that_it_begins_near(gap):
    sim = pl.Simulation(two(gap))
    for _ in range(10):
        assert sim.step().kept
        assert 0 < sim.x[sim.bodies[0].rows][:, 2].min() < gap


def test_the_reach_is_a_share_of_an_edge_and_less_on_obstacles_that_something_begins_near():
    """A tenth with sheets, which take more iterations the shorter it is; half of that without."""
    sheet = pl.Membrane(pl.cloth_grid((0.1, 0.1), (2, 2), origin=(0.0, 0.0, 0.5)), thickness=1e-3)
    thin = pl.Body(sheet, pl.Corotated(young=1e5, poisson=0.3, density=500))
    for more, share in (((), 0.05), ((thin,), 0.1)):
        sim = pl.Simulation(replace(two(1e-3), bodies=[*two(1e-3).bodies, *more]))
        edge = sim.world["barrier"][0].surface.usual_edge()
        assert sim.world["barrier"][0].reach == pytest.approx(share * edge)
        assert sim.world["obstacle barrier"][0].reach == pytest.approx(1e-3)
