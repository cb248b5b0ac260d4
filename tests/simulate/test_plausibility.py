"""Warnings when a simulation is made: units, steps, bodies inside one another, sheets without a thickness."""

import time
import warnings

import numpy as np
import pytest

import pliant as pl
from pliant.errors import PliantWarning
from pliant.simulate.plausibility import doubts

CUBE = pl.tet_grid((0.1, 0.1, 0.1), (3, 3, 3))
RUBBER = pl.StableNeoHookean(young=1e5)


def warned(bodies, integrator=None, **scene) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pl.Simulation(pl.Scene(bodies, **scene), integrator)
    return [str(one.message) for one in caught if issubclass(one.category, PliantWarning)]


def cube(shift=(0.0, 0.0, 0.0), name="", material=RUBBER) -> pl.Body:
    return pl.Body(CUBE.translated(shift), material, name=name)


def test_usual_scenes_say_nothing():
    assert warned([cube(), cube((0, 0, 0.11))], pl.ImplicitEuler(1 / 60), obstacles=[pl.plane(z=-0.01)]) == []
    assert warned([cube()], pl.QuasiStatic(dt=5.0)) == []
    steel = pl.StableNeoHookean(young=210e9, poisson=0.3, density=7850.0)
    assert warned([cube(material=steel)]) == []


UNITS = {
    "young in kPa": (pl.StableNeoHookean(young=5.0), "cannot bear its own weight", "is young in Pa?"),
    "young of steel in GPa": (pl.StableNeoHookean(young=210.0), "young 210 Pa", "is young in Pa?"),
    "density in g/cm³": (pl.StableNeoHookean(young=1e5, density=1.0), "density of 1 kg/m³", "is density in kg/m³?"),
    "density of steel in g/cm³": (
        pl.StableNeoHookean(young=210e9, poisson=0.3, density=7.85), "density of 7.85 kg/m³", "is density in kg/m³?"
    ),
    "density in g/m³": (pl.StableNeoHookean(young=1e8, density=1e6), "density of 1e+06 kg/m³", "is density in kg/m³?"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNITS)
def test_units_that_seem_wrong_are_asked_about_once(case):
    law, what, cure = UNITS[case]
    (sentence,) = warned([cube(name="part", material=law)])
    assert sentence.startswith("part ") and what in sentence and sentence.endswith(cure)
    (both,) = warned([cube(material=law), cube((0.2, 0, 0), material=law)])
    assert "1 other body alike" in both


def test_millimetres_taken_for_metres():
    (sentence,) = warned([pl.Body(CUBE.scaled(1000), pl.StableNeoHookean(young=1e8))])
    assert "100 m long" in sentence and "scaled(0.001)" in sentence
    assert warned([pl.Body(CUBE.scaled(1000), pl.StableNeoHookean(young=1e8))], gravity=(0, 0, 0)) == []


def test_a_step_longer_than_any_motion_is_named():
    """A cube of 0.1 m falls by its size in √(2 L/g) = 0.143 s; a slender bar swings for longer, so its step may be longer."""
    (sentence,) = warned([cube()], pl.ImplicitEuler(5.0))
    assert "a step of 5 s" in sentence and "0.14 s" in sentence and "dt=0.01" in sentence
    assert warned([cube()], pl.ImplicitEuler(0.14)) == []
    bar = pl.Body(pl.tet_grid((1.0, 0.02, 0.02), (10, 1, 1)), RUBBER)
    assert warned([bar], pl.ImplicitEuler(5.0), gravity=(0, 0, 0)) == []


def test_the_longest_period_is_that_of_a_clamped_bar():
    """The bound on steps is the first bending period 2π/1.875² · √12 · L²/(h c) of a slender bar, as its modes have it."""
    long, thick = 0.4, 0.04
    mesh = pl.tet_grid((long, thick, thick), (20, 2, 2)).quadratic()
    body = pl.Body(mesh, pl.LinearElastic(young=1e6, poisson=0.0), pinned=lambda X: X[:, 0] < 1e-9)
    scene = pl.Scene([body], gravity=(0, 0, 0))
    period = 1 / pl.modes(pl.Simulation(scene), 1).frequencies[0]
    assert warned([body], pl.ImplicitEuler(0.9 * period), gravity=(0, 0, 0)) == []
    assert len(warned([body], pl.ImplicitEuler(1.1 * period), gravity=(0, 0, 0))) == 1


def test_bodies_inside_one_another_are_named_with_their_depth():
    lower, upper = cube(name="lower"), cube((0.03, 0.05, 0.08), "upper")
    (sentence,) = warned([lower, upper])
    assert "lower and upper overlap at the start, up to 0.02 m deep" in sentence and "Contact(response=" in sentence
    (apart,) = warned([lower, upper], contact=pl.Contact(response=None))
    assert "up to 0.02 m deep, and nothing separates them" in apart
    parted = pl.Contact(response=pl.contact.Penalty(), fallback=pl.contact.Intersection())
    assert warned([lower, upper], contact=parted) == []
    assert warned([lower, cube((0, 0, 0.1), "upper")]) == []  # face to face
    small = pl.Body(CUBE.scaled(0.1).translated((0.045, 0.045, 0.045)), RUBBER, name="inner")
    (nested,) = warned([small, lower], contact=pl.Contact(response=None))
    assert "inner and lower overlap at the start, up to 0.045 m deep" in nested
    balls = [
        pl.Body(pl.tetrahedralise(pl.meshes.sphere(0.05, 2).translated(s), edge=0.02), RUBBER) for s in ((0,) * 3, (0.07,) * 3)
    ]
    assert warned(balls) == []  # their boxes meet, they do not


def test_sheets_that_touch_with_their_middle():
    grid = pl.cloth_grid((0.1, 0.1), (4, 4))
    pair = [
        pl.Body(pl.Membrane(grid.translated((0, 0, z)), thickness=1e-3), pl.StableNeoHookean(young=1e6), name=name)
        for z, name in ((0.0, "one"), (0.01, "two"))
    ]
    (sentence,) = warned(pair, contact=pl.Contact(response=pl.contact.Penalty()))
    assert "one and two are sheets" in sentence and "thickness=True" in sentence
    assert warned(pair, contact=pl.Contact(response=pl.contact.Penalty(), thickness=True)) == []
    assert warned(pair, contact=pl.Contact(response=pl.contact.Barrier())) == []


def test_a_checkpoint_does_not_ask_again(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PliantWarning)
        sim = pl.Simulation(pl.Scene([cube(material=pl.StableNeoHookean(young=5.0))]))
    sim.save(str(tmp_path / "a.npz"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pl.Simulation.load(str(tmp_path / "a.npz")).doubts == ()
    assert len(sim.doubts) == 1


def test_the_shell_and_the_page_show_them(tmp_path, capsys):
    from pliant.cli.main import main
    from pliant.view.live_loop import Loop

    (tmp_path / "soft.toml").write_text(
        "[[bodies]]\nshape = { tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }\n"
        'material = { StableNeoHookean = { young = 5.0 } }\n[run]\nseconds = 0.02\n[output]\nexport = { path = "end.npz" }\n'
    )
    main(["run", str(tmp_path / "soft.toml")])
    assert "pliant: body 0 cannot bear its own weight" in capsys.readouterr().err
    with pytest.warns(PliantWarning, match="own weight"):
        sim = pl.Simulation(pl.Scene([cube(material=pl.StableNeoHookean(young=5.0))]))
    loop = Loop(sim)
    assert b"is young in Pa?" in loop.scene[1]


@pytest.mark.alone
def test_questions_cost_less_than_a_millisecond():
    sim = pl.Simulation(pl.Scene([cube(), cube((0, 0, 0.11))]))
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        assert doubts(sim.scene, sim.integrator, sim.skins, sim.x) == ()
        times.append(time.perf_counter() - begin)
    assert np.min(times) < 1e-3
