"""What is tuned in the page: presets, defaults, and text that makes the same scene again."""

import tomllib
from operator import attrgetter

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.scene_file import read_scene
from pliant.material.laws.presets import PRESETS
from pliant.view.live_loop import Loop
from pliant.view.protocol.client import Audience
from pliant.view.protocol.messages import Command, parse
from pliant.view.scene.scene_description import preset_values
from pliant.view.tuning_export import Unwritten, _name, as_python

from .clients import simulation

SHAPE = """shape = { tet_grid = { size = [0.4, 0.1, 0.1], cells = [8, 1, 1], origin = [0.0, 0.0, 0.3] } }
pinned = { below = { x = 1e-6 } }

[run]
seconds = 0.1
"""
STEPS = 8


def tuned(**options) -> Loop:
    """A loop whose stiffness, gravity, friction and solver were changed as sliders change them."""
    loop = Loop(simulation(), **options)
    for do, values in (
        ("preset", {"body": 0, "name": "liver"}),
        ("set", {"body": 0, "name": "young", "value": 7777.125}),
        ("gravity", {"value": [0.0, 0.7, -3.1]}),
        ("friction", {"value": 0.65}),
        ("solver", {"name": "quasi-Newton × 30"}),
    ):
        loop._obey(Command(do, values))
    assert loop._note[0] == 0, loop._note
    return loop


def moved(sim: pl.Simulation) -> np.ndarray:
    sim.reset()
    for _ in range(STEPS):
        assert sim.step().kept
    return sim.state.x.numpy()


def test_the_copied_python_gives_the_same_positions():
    loop = tuned()
    known = {"sim": simulation()}
    exec(loop.state["tuned"]["python"], known)
    shown = moved(loop.sim)
    assert np.array_equal(moved(known["sim"]), shown)
    assert np.abs(shown - moved(simulation())).max() > 1e-4  # and other ones than those of the scene as it was


def test_the_copied_keys_make_the_same_scene(tmp_path):
    loop = tuned()
    file = tmp_path / "scene.toml"
    file.write_text('obstacles = [{ plane = { z = 0.0 } }]\nprecision = "f64"\n' + loop.state["tuned"]["toml"] + SHAPE)
    assert np.array_equal(moved(read_scene(file).simulation()), moved(loop.sim))


def test_a_scene_of_the_menu_is_copied_with_the_lines_that_make_it():
    from pliant.cli.view import Maker

    make = Maker(simulation, "from tests.view.clients import simulation\nsim = simulation()")
    loop = Loop(simulation(), library={"beam": make}, name="beam")
    loop._obey(Command("gravity", {"value": [0.0, 0.0, -2.0]}))
    known: dict = {}
    exec(loop.state["tuned"]["python"], known)
    assert known["sim"].scene.gravity[2] == -2.0


def test_what_is_written_is_what_it_was():
    for value in (
        1.5,
        float("inf"),
        True,
        "rope",
        [1, 2.5],
        pl.BDF2(dt=0.01, solver=pl.Newton(linear=pl.linear.Direct())),
    ):
        again = eval(as_python(value), {"pl": pl})
        assert again == value or as_python(again) == as_python(value)
    with pytest.raises(Unwritten):
        as_python(lambda t: t)


def test_the_name_of_a_body_stays_in_its_comment():
    body = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.StableNeoHookean(young=1e4), name='a"\nraise SystemExit\r#')
    loop = Loop(pl.Simulation(pl.Scene([body])))
    loop._obey(Command("set", {"body": 0, "name": "young", "value": 2e4}))
    exec(loop.state["tuned"]["python"], {"sim": pl.Simulation(pl.Scene([body]))})
    (found,) = tomllib.loads(loop.state["tuned"]["toml"])["bodies"]
    assert found["name"] == body.name and found["material"]["StableNeoHookean"]["young"] == 2e4


def test_values_that_differ_from_place_to_place_are_copied_as_multiples():
    young = np.linspace(1e4, 9e4, 80)
    body = pl.Body(pl.tet_grid((0.4, 0.1, 0.1), (16, 1, 1)), pl.StableNeoHookean(young=young, poisson=0.4))
    loop = Loop(pl.Simulation(pl.Scene([body])))
    loop._obey(Command("set", {"body": 0, "name": "young", "value": 1e5}))
    known = {"sim": pl.Simulation(pl.Scene([body]))}
    exec(loop.state["tuned"]["python"], known)
    (law,) = known["sim"].scene.bodies[0].material.terms
    assert np.allclose(law.young, 2 * young, rtol=1e-12)
    assert "cannot say" in loop.state["tuned"]["toml"]


def test_defaults_put_everything_back_and_time_goes_on():
    loop = tuned(quick=True)
    first = Loop(simulation(), quick=True)
    loop.sim.step()
    loop._obey(Command("strength", {"value": 9.0}))
    loop._obey(Command("defaults", {}))
    for name in ("gravity", "friction", "solver", "bodies", "strength"):
        assert loop.state[name] == first.state[name], name
    assert loop.sim.t > 0 and loop.state["tuned"] == first.state["tuned"]


def test_what_a_body_bears_before_it_tears_is_copied_and_put_back():
    make = lambda: pl.Simulation(
        pl.Scene(
            [
                pl.Body(
                    pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)),
                    pl.StableNeoHookean(young=1e4),
                    effects=[pl.Tearing(stretch=1.5)],
                )
            ]
        )
    )
    loop = Loop(make())
    loop._obey(Command("set", {"body": 0, "name": "tear stretch", "value": 1.75}))
    known = {"sim": make()}
    exec(loop.state["tuned"]["python"], known)
    assert float(known["sim"].scene.bodies[0].of(pl.Tearing)[0].stretch) == 1.75
    loop._obey(Command("defaults", {}))
    assert loop.state["bodies"][0]["tear stretch"] == 1.5 and "tearing" not in loop.state["tuned"]["python"]


def test_presets_are_set_and_say_where_they_come_from():
    loop = Loop(simulation())
    for name, preset in PRESETS.items():
        loop._obey(parse(f'{{"do": "preset", "body": 0, "name": "{name}"}}'))
        assert loop.state["bodies"][0] == pytest.approx(preset.values)
        assert len(preset.source) > 20
    for values in ({"body": 0, "name": "jely"}, {"body": 3, "name": "jelly"}):
        before = loop._note[0]
        loop._obey(Command("preset", values))
        assert loop._note[0] == before + 1
    assert "jelly" in PRESETS and PRESETS["jelly"].young < PRESETS["liver"].young < PRESETS["rubber"].young


def test_a_law_without_a_modulus_has_no_presets():
    assert preset_values(pl.laws.Fibres(stiffness=1e4, direction=(1, 0, 0)), PRESETS["jelly"]) == {}


def test_forces_are_told_when_asked_for_and_a_replay_has_their_course():
    from pliant.view.pages.playback import Playback

    loop = Loop(simulation())
    assert loop.sim.step().kept
    loop._take_statistics()
    assert loop.statistics["forces"] == {}
    loop._obey(Command("forces", {"value": True}))
    loop._take_statistics()
    assert loop.statistics["forces"]["pinned"] == pytest.approx(np.linalg.norm(loop.sim.force("pinned")), rel=1e-6)
    run = simulation().run(0.1, forces=True)
    about, arrays = Playback(run).scene(0)
    k = about["replay"]["forces"].index("pinned")
    assert arrays[f"force:{k}"] == pytest.approx(np.linalg.norm(run.force("pinned"), axis=1), rel=1e-6)


def test_a_simulation_that_waits_begins_when_the_first_page_has_drawn_it():
    loop = Loop(simulation(), quick=True)
    loop.hold()
    for _ in range(4):
        loop.pace.owed = 1.0
        loop.turn([], loop.due())
    assert loop.sim.t == 0.0 and not loop._fresh  # what a step needs is there, and nothing has moved
    assert np.array_equal(loop.sim.state.x.numpy(), simulation().state.x.numpy())
    page = Audience(loop).join("a page", lambda: None)
    for drawn in (False, True):
        if drawn:
            page.hear('{"do": "ack", "frame": 1}')
        loop.pace.owed = 1.0
        loop.turn([], loop.due())
        assert (loop.sim.t > 0.0) == drawn


def test_every_public_class_is_called_by_its_name():
    for name, thing in pl._public():
        if isinstance(thing, type) and thing.__module__.startswith("pliant."):
            found = _name(thing)
            assert found.rpartition(".")[2] == thing.__name__ and attrgetter(found)(pl) is thing, name
    assert _name(Loop) == ""
