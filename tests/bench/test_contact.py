"""The benchmark of contact: what it says of scenes whose answers are known, of those that fail, and of bad options."""

import numpy as np
import pytest

import pliant as pl
from pliant.bench import contact
from pliant.bench.contact_scenes import Case
from pliant.errors import InputError


def rows(**options):
    return list(contact.run(**options))


def values(found):
    return {name.split(": ", 1)[1]: value for name, value, _ in found}


def test_a_block_on_a_slope_is_right_and_its_row_says_so():
    found = rows(scene="slope", response="Penalty", seconds=0.2, checked=4)
    named = values(found)
    assert named["steps"] == 12 and named["converged"] == 1 and "stopped" not in named
    assert abs(named["acceleration, error"]) < 1e-3 and named["error, worst"] < 1e-5
    assert named["inside"] == named["crossings"] == 0 and 0.01 < named["below"] < 1  # mm, into a floor of springs
    assert named["energy gained"] < 1e-6 and named["memory, most"] > 50 and named["step, worst"] >= named["step, mean"] > 0
    head, lines = contact.table([dict(zip(("name", "value", "unit"), row)) for row in found])
    assert len(lines) == 1 and len(lines[0]) == len(head) and lines[0][0] == "slope 1 Penalty"


def test_a_solver_of_few_iterations_is_found_out():
    """One Newton iteration is far from the solution where bodies land, and its own residual is not asked."""
    good = values(rows(scene="pile", response="Penalty", seconds=0.2, checked=3, judged=0))
    poor = values(rows(scene="pile", response="Penalty", seconds=0.2, checked=3, judged=0, solver="QuasiNewton", iterations=1))
    assert good["error, worst"] < 1e-3 < 0.02 < poor["error, worst"] and good["judged"] == 1


def test_errors_of_single_precision_are_against_double():
    """From the same anchors of friction, so that a step which is solved is right."""
    found = values(rows(scene="pile", response="Penalty", seconds=0.5, checked=3, judged=0, precision="f32"))
    assert found["converged"] > 0.9 and 1e-7 < found["error, worst"] < 0.02
    slides = values(rows(scene="slope", response="Penalty", seconds=0.3, checked=3, judged=0, precision="f32"))
    assert 1e-8 < slides["error, worst"] < 1e-3


def test_bodies_that_pass_through_one_another_are_seen(monkeypatch):
    ghosts = lambda **options: contact.SCENES["pile"].make(4, 2, **(options | {"response": None}))

    def without(*size, **options):
        sim = ghosts(**options)
        scene = pl.Scene(sim.scene.bodies, sim.scene.obstacles, contact=pl.Contact(response=None))
        return pl.Simulation(scene, pl.ImplicitEuler(1 / 60))

    monkeypatch.setitem(contact.SCENES, "ghosts", Case(without, ((1,),), 0.5))
    named = values(rows(scene="ghosts", checked=0))
    assert named["inside"] > 5 and named["depth"] > 5 and named["crossings"] > 20


def test_scenes_that_are_refused_fail_break_or_take_too_long_say_so(monkeypatch):
    refused = values(rows(scene="bars", response="Barrier"))
    assert refused == {"stopped": refused["stopped"]} and refused["stopped"].startswith("refused: ImplicitMidpoint")
    short = values(rows(scene="pile", response="Penalty", budget=1e-9, checked=0))
    assert short["stopped"] == "after 1 of 60 steps, as 1e-09 s were over" and short["steps"] == 1 == short["judged"]
    broken = lambda **options: pl.Simulation(
        pl.Scene(pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.StableNeoHookean(young=1e5))), pl.ImplicitEuler(1 / 60)
    )

    def breaks(*size, **options):
        sim = broken()
        step, taken = sim.step, []
        sim.step = lambda: taken.append(0) or (step() if len(taken) < 4 else 1 / 0)
        return sim

    monkeypatch.setitem(contact.SCENES, "breaks", Case(breaks, ((1,),), 0.5))
    assert values(rows(scene="breaks", checked=0))["stopped"] == "step 3 broke: ZeroDivisionError: division by zero"


def test_a_step_that_does_not_end_is_left(monkeypatch):
    monkeypatch.setattr(contact, "SHORTEST", 0.2)
    known = contact.SCENES["pile"].make(4, 2)
    for _ in range(3):  # so that no kernel is compiled in steps that have a limit of time
        known.step()

    def endless(*size, **options):
        sim = contact.SCENES["pile"].make(4, 2)
        step, taken = sim.step, []

        def steps():
            taken.append(0)
            while len(taken) > 3:
                sum(range(1000))
            return step()

        sim.step = steps
        return sim

    monkeypatch.setitem(contact.SCENES, "endless", Case(endless, ((1,),), 0.5))
    named = values(rows(scene="endless", budget=0.4, checked=0))
    assert named["stopped"] == "step 3 took more than 0.8 s" and named["steps"] == 2 and named["crossings"] == 0


def test_responses_are_names_with_values():
    found = contact._responses("Barrier(reach=1e-3), Penalty,Penalty(hardness=100, damping=0.1)")
    words, laws = zip(*found)
    assert words == ("Barrier(reach=0.001)", "Penalty", "Penalty(hardness=100,damping=0.1)")
    assert laws == (pl.contact.Barrier(reach=1e-3), pl.contact.Penalty(), pl.contact.Penalty(hardness=100, damping=0.1))
    assert contact._responses("") == [("default", None)]


def test_sizes_are_whole_numbers_ranges_or_all():
    assert contact._sizes("pile", "7x2") == [(7, 2)] and contact._sizes("random", "3-5") == [(3,), (4,), (5,)]
    assert contact._sizes("random", "1,7-8") == [(1,), (7,), (8,)] and contact._sizes("pile", 9) == [(9,)]
    assert contact._sizes("cloth", "")[0] == (2, 12) and len(contact._sizes("cloth", "all")) == 5


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"scene": "pyle"}, "scene='pyle': unknown; did you mean 'pile'"),
        ({"scene": "pile", "size": "big"}, "size='big': expected sizes such as 4x2 for pile"),
        ({"scene": "pile", "response": "Barier"}, "did you mean 'Barrier'"),
        ({"scene": "pile", "response": "Slides"}, "response='Slides': unknown"),
        ({"scene": "pile", "response": "Barrier(reach=x)"}, "expected names such as Barrier,Penalty(hardness=100)"),
        ({"scene": "pile", "response": "Barrier("}, "expected names such as Barrier"),
        ({"scene": "pile", "solver": "Mixed"}, "solver='Mixed': unknown; expected one of Newton, QuasiNewton"),
    ],
)
def test_bad_options_are_one_sentence(options, sentence):
    with pytest.raises(InputError) as raised:
        rows(**options)
    assert sentence in str(raised.value).replace(" (did", "; did").replace("?)", "")


def test_energy_that_contact_hands_out_is_gained(monkeypatch):
    """Two cubes that are in one another at the start are thrown apart: what the springs hold at first is not theirs to give."""

    def within(*size, response, solver, device, precision):
        law = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
        cubes = [pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0.01 * i, 0.098 * i)), law) for i in range(2)]
        scene = pl.Scene(cubes, gravity=(0, 0, 0), contact=pl.Contact(response=response))
        return pl.Simulation(scene, pl.ImplicitEuler(1 / 200))

    monkeypatch.setitem(contact.SCENES, "within", Case(within, ((1,),), 0.1))
    assert values(rows(scene="within", response="Penalty", checked=0))["energy gained"] > 0.5


def test_energy_that_comes_back_from_contact_is_not_gained():
    dip = np.array([5.0, 5.0, 3.0, 5.0, 5.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0])
    assert contact._gained(dip) == 0.0
    dip[-1] = 4.5
    assert contact._gained(dip) == 0.5
