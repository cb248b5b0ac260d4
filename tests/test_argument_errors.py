"""Arguments that do not fit: an InputError that is a TypeError too, for every public name, and nothing else is changed."""

import dataclasses
import inspect
import pickle
import subprocess
import sys

import pytest
from every import check_every
from sentences import check_sentence

import pliant as pl

SHAPE = pl.tet_grid((1, 1, 1), (1, 1, 1))
SOFT = pl.Corotated(young=1e4)
PUBLIC = dict(pl._public())
CALLED = [n for n, v in PUBLIC.items() if inspect.isfunction(v) or (inspect.isclass(v) and not issubclass(v, BaseException))]
CALLED.remove("inverse.BoundObservation")  # to be derived from, and nothing to be made of


def simulation() -> pl.Simulation:
    return pl.Simulation(pl.Scene(pl.Body(SHAPE, SOFT)))


CASES = {
    "a colour": (lambda: pl.Obstacle(pl.plane(0), color="red"), "Obstacle has no argument 'color'"),
    "a chart": (lambda: pl.render.Chart(x="time"), "Chart has no argument 'x' (did you mean 'x_label'?)"),
    "a picture": (lambda: pl.picture(simulation().frame(), "a.png", color="red"), "(did you mean 'colour'?)"),
    "a Greek letter": (lambda: pl.Corotated(young=1, nu=0.3), "(did you mean 'poisson'?); its arguments are"),
    "two letters off": (lambda: pl.Corotated(yuong=1), "Corotated has no argument 'yuong' (did you mean 'young'?)"),
    "a step": (lambda: pl.Simulation(pl.Scene(pl.Body(SHAPE, SOFT)), dt=0.01), "ImplicitEuler(dt=…)"),
    "friction": (
        lambda: pl.Scene(pl.Body(SHAPE, SOFT), friction=0.3),
        "(Contact(friction=…), contact.Needle(friction=…)",
    ),
    "steps": (lambda: simulation().run(steps=3), "Simulation.run has no argument 'steps' (did you mean 'seconds'?)"),
    "by place": (lambda: pl.StableNeoHookean(1e4), "expected all of them by name, as in StableNeoHookean("),
    "too many": (lambda: pl.sphere(1, (0, 0, 0), 3), "was given 3 arguments without a name; expected at most 2"),
    "twice": (lambda: pl.sphere(1, radius=2), "sphere was given radius twice, by place and by name"),
    "none": (lambda: pl.sphere(), "sphere needs radius; its arguments are radius"),
    "a method": (lambda: SHAPE.scaled(with_=2), "TetMesh.scaled has no argument 'with_'; its arguments are factor"),
    "a class method": (lambda: pl.Corotated.from_lame(mu=1), "from_lame needs lam"),
    "without any": (lambda: simulation().step(3), "Simulation.step was given 1 arguments without a name"),
}


def test_the_sentences():
    check_every(CASES, check_case)


def check_case(name: str) -> None:
    action, words = CASES[name]
    with pytest.raises(pl.errors.InputError) as caught:
        action()
    assert words in check_sentence(caught.value) and isinstance(caught.value, TypeError)


def test_no_public_name_escapes():
    check_every(CALLED, check_refusal)


def check_refusal(name: str) -> None:
    thing = PUBLIC[name]
    takes_any = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(thing).parameters.values())
    if not takes_any:
        with pytest.raises(pl.errors.InputError, match="has no argument 'xyzzy'"):
            thing(xyzzy=1)


def test_errors_from_within_stay_what_they_are():
    def wrong(X):
        raise TypeError("mine")

    sim = simulation()
    with pytest.raises(TypeError, match="mine") as caught:
        sim.run(0.1, on_step=lambda sim, report: wrong(1))
    assert not isinstance(caught.value, pl.errors.InputError)


def test_signatures_pickles_and_copies_are_as_before():
    assert list(inspect.signature(pl.sphere).parameters) == ["radius", "centre"]
    assert next(iter(inspect.signature(pl.Contact).parameters)) == "friction"
    assert pickle.loads(pickle.dumps(pl.sphere)) is pl.sphere
    assert dataclasses.replace(pl.Contact(friction=0.1), friction=0.2).friction == 0.2
    assert pl.sphere.__doc__.startswith("A ball") and pl.sphere.__module__ == "pliant.geometry.distance.sdf"


def test_nothing_is_wrapped_before_it_is_asked_for():
    code = "import sys, pliant; print('pliant.arguments.argument_errors' in sys.modules, 'inspect' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split()[0] == "False"
