"""The loop without a server: time, commands, hands, failures, solvers and examples."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant.solve.objective.report import Report
from pliant.view.live_loop import TRIES, Loop
from pliant.view.protocol.command_queue import Mailbox
from pliant.view.protocol.messages import Command
from pliant.view.scene.hands import HANDS, Hands
from pliant.view.scene.scene_description import AS_GIVEN, QUICK

from .clients import simulation


class Running:
    """A loop that is stopped at the end."""

    def __init__(self, sim=None, **options):
        self.loop = Loop(sim or simulation(), **options)

    def __enter__(self) -> Loop:
        self.loop.start()
        return self.loop

    def __exit__(self, *_):
        self.loop.stop()
        assert not self.loop._thread.is_alive()


def wait(holds, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


def test_a_function_of_ones_own_is_called_after_each_step_and_may_end_it():
    seen = []

    def watch(sim, report):
        seen.append((sim.t, report.kept, float(np.abs(sim.force(sim.scene.names[0])).max())))
        return len(seen) == 3

    with Running(on_step=watch) as loop:
        wait(lambda: not loop.running)
        assert len(seen) == 3 and all(ok for _, ok, _ in seen) and "on_step ended it" in loop.trouble
    with Running(on_step=lambda sim, report: 1 / 0) as loop:
        wait(lambda: not loop.running)
        assert "on_step failed" in loop.trouble and "division" in loop.trouble
    with pytest.raises(pl.errors.InputError, match=r"view\(on_step=3\): expected a function"):
        Loop(simulation(), on_step=3)


def test_later_commands_replace_earlier_ones_of_their_kind():
    box = Mailbox()
    for k in range(5):
        assert box.put(Command("move", {"hand": 0, "at": [k, 0, 0]}, 1))
    box.put(Command("move", {"hand": 1, "at": [9, 0, 0]}, 1))
    box.put(Command("set", {"body": 0, "name": "young", "value": 1.0}))
    box.put(Command("set", {"body": 0, "name": "poisson", "value": 0.1}))
    box.put(Command("step", {}))
    box.put(Command("step", {}))
    taken = box.take()
    assert [c.do for c in taken] == ["move", "move", "set", "set", "step", "step"]
    assert taken[0].values["at"] == [4, 0, 0] and box.take() == []


def test_the_queue_is_bounded_but_hands_always_open():
    box = Mailbox(limit=3)
    assert [box.put(Command("step", {})) for _ in range(5)] == [True, True, True, False, False]
    assert box.put(Command("release", {"hand": 0, "pin": False})) and len(box.take()) == 4


@pytest.mark.alone
def test_time_follows_the_clock_at_the_speed_asked_for():
    with Running() as loop:
        wait(lambda: not loop.busy and loop.sim.t > 0)
        loop.post(Command("speed", {"value": 0.2}))
        wait(lambda: loop.speed == 0.2)
        begin, t = time.perf_counter(), loop.sim.t
        time.sleep(0.8)
        rate = (loop.sim.t - t) / (time.perf_counter() - begin)
        assert 0.1 < rate < 0.3
        loop.post(Command("pause", {"value": True}))
        wait(lambda: not loop.running)
        t = loop.sim.t
        time.sleep(0.1)
        assert loop.sim.t == t
        loop.post(Command("step", {}))
        wait(lambda: loop.sim.t > t)
        time.sleep(0.1)
        assert loop.sim.t == pytest.approx(t + 1 / 60)


@pytest.mark.parametrize("library", (3, {"beam": 3}, ["beam"]))
def test_a_menu_of_anything_but_functions_is_refused(library):
    with pytest.raises(pl.errors.InputError, match="functions that make simulations"):
        Loop(simulation(), library)


def test_single_steps_are_counted():
    loop = Loop(simulation())
    loop.begin()
    loop.turn([Command("pause", {"value": True}), *[Command("step", {})] * 3], loop.due())
    while loop.due() == 0.0:
        loop.turn([], 0.0)
    assert loop.sim.t == pytest.approx(3 / 60) and not loop.running


def test_pulled_coloured_and_recorded_on_any_device(place):
    loop = Loop(simulation(device=place, precision="f32"))
    loop.begin()
    held = {"hand": 0, "body": 0, "vertices": [0], "weights": [1.0], "at": [0.0, 0.0, 0.6]}
    tip = int(np.argmax(loop.snapshots.surfaces.positions()[:, 0]))
    loop.turn([Command("colour", {"name": "pressure"}), Command("grab", held | {"vertices": [tip]}, 1)], 1.0)
    loop.recorder.start()
    for _ in range(12):
        loop.turn([], 0.0)
    loop.recorder.stop()
    shot, run = loop.latest, loop.recorded
    assert shot.positions[tip, 2] > 0.31 and np.abs(shot.values).max() > 0 and not loop.trouble
    assert len(run) == 7 and set(run.fields) == {"stress", "pressure", "stretch"}
    assert all(np.isfinite(values).all() for values in (run.positions, *run.fields.values()))


def test_nobody_watching_costs_no_snapshots():
    with Running() as loop:
        wait(lambda: loop.sim.t > 0.05)
        loop.wanted = False
        time.sleep(0.1)
        number, t = loop.latest.number, loop.sim.t
        wait(lambda: loop.sim.t > t + 0.1)
        assert loop.latest.number == number


def test_a_failed_step_pauses_and_says_why_and_reset_goes_on(monkeypatch):
    sim = simulation()
    with Running(sim) as loop:
        wait(lambda: sim.t > 0)
        step = sim.step
        monkeypatch.setattr(sim, "step", lambda: Report(False, "the spoon is bent; try a fork"))
        wait(lambda: not loop.running and loop.state["trouble"])
        assert "the spoon is bent; try a fork" in loop.state["trouble"] and not loop.state["running"]
        monkeypatch.setattr(sim, "step", step)
        loop.post(Command("reset", {}))
        wait(lambda: loop.running and loop.state["trouble"] == "" and 0 < sim.t < 1)


def test_an_exception_in_a_step_is_said_and_the_thread_lives(monkeypatch):
    sim = simulation()
    with Running(sim) as loop:
        wait(lambda: sim.t > 0)
        monkeypatch.setattr(sim, "step", lambda: 1 / 0)
        wait(lambda: "unexpected ZeroDivisionError" in loop.state["trouble"])
        assert loop._thread.is_alive()


def test_a_step_that_fails_under_a_hand_is_tried_again_more_gently(monkeypatch):
    loop = Loop(simulation())
    loop.hands.grab(1, 0, 0, [35], [1.0], [0, 0, 5])
    pulls, step = [], loop.sim.step

    def fails_when_pulled_hard() -> Report:
        pulls.append(loop.hands.shown(loop.sim.x)[0][4])
        return step() if len(pulls) == TRIES else Report(False, "too hard")

    monkeypatch.setattr(loop.sim, "step", fails_when_pulled_hard)
    assert loop._tried().kept and loop.hands.ease < 0.2
    assert pulls[2] < 0.5 * pulls[1] < 0.25 * pulls[0]


def test_the_force_of_a_hand_is_bounded():
    sim = simulation()
    hands = Hands(sim)
    hands.grab(1, 0, 0, [35], [1.0], [0.0, 0.0, 1e4])
    weight = 9.81 * sim.world.mass.sum()
    for _ in range(40):
        hands.pull()
        springs = [sim.hands.points[h] for h in hands.held[1, 0].handles]
        x = sim.x
        force = sum(k * (target - weights @ x[nodes]) for nodes, weights, k, target in springs)
        assert np.linalg.norm(force) <= 60.001 * weight
        assert sim.step().kept
    assert np.all(np.isfinite(sim.x)) and sim.x[:, 2].max() < 5


def test_a_hand_brings_its_point_to_where_it_is():
    sim = simulation()
    hands = Hands(sim)
    goal = sim.bodies[0].surface[35] + [0, 0, 0.02]
    hands.strength = 10.0
    hands.grab(1, 0, 0, [35], [1.0], goal.tolist())
    for _ in range(60):
        hands.pull()
        sim.step()
    ((_, pinned, point, target, force),) = hands.shown(sim.x)
    assert not pinned and np.linalg.norm(point - target) < 0.01 and force > 0
    hands.release(1, 0)
    assert not sim.hands.points


@pytest.mark.parametrize("solver", [pl.QuasiNewton(iterations=10), pl.Newton()], ids=["quick", "converged"])
def test_a_pin_does_not_give(solver):
    sim = simulation(precision="f32")
    sim.integrator = pl.ImplicitEuler(dt=1 / 60, solver=solver)
    sim.set(gravity=(0, 0, -30))
    hands, tip = Hands(sim), int(np.argmax(sim.bodies[0].surface[:, 0]))
    start = sim.bodies[0].surface[tip]
    hands.grab(1, 0, 0, [tip], [1.0], np.add(start, [0, 0.05, 0.1]).tolist())
    for _ in range(10):
        hands.pull()
        assert sim.step().kept
    hands.release(1, 0, pin=True)
    ((_, pinned, point, target, _),) = hands.shown(sim.x)
    assert pinned and np.allclose(point, target, atol=1e-12)  # it holds what is there, with the force of the hand
    away = []
    for _ in range(60):
        hands.pull()
        assert sim.step().kept
        ((_, _, point, target, force),) = hands.shown(sim.x)
        away.append(np.linalg.norm(point - target))
    weight = 30 * sim.world.mass.sum()
    assert max(away) < 5e-4 and away[-1] < 2e-5 and 0.1 * weight < force < 5 * weight, (max(away), away[-1], force)


def test_hands_and_pins_come_and_go():
    sim = simulation()
    hands = Hands(sim)
    hands.grab(1, 0, 0, [3], [1.0], [0, 0, 0])
    hands.grab(1, 0, 0, [9], [1.0], [0, 0, 0])  # the same hand lets go first
    hands.grab(2, 0, 0, [12], [1.0], [0, 0, 0])
    assert len(hands.held) == 2
    hands.release(1, 0, pin=True)
    hands.leave(2)
    hands.move(2, 0, [1, 1, 1])
    assert [h.pinned for h in hands.held.values()] == [True]
    hands.unpin(-1)
    assert not hands.held and not sim.hands.points
    for k in range(HANDS):
        hands.grab(k, 0, 0, [k], [1.0], [0, 0, 0])
    with pytest.raises(pl.errors.InputError, match="let go of some"):
        hands.grab(99, 0, 0, [0], [1.0], [0, 0, 0])
    with pytest.raises(pl.errors.InputError, match="body=3"):
        hands.grab(0, 0, 3, [0], [1.0], [0, 0, 0])


def test_quick_begins_with_cheap_iterations_and_the_menu_goes_back():
    with Running(quick=True) as loop:
        given = loop.given
        assert loop.solver == QUICK and loop.sim.integrator.solver.iterations == 10
        loop.post(Command("solver", {"name": AS_GIVEN}))
        wait(lambda: loop.state["solver"] == AS_GIVEN)
        assert loop.sim.integrator is given
        loop.post(Command("solver", {"name": "Newton, direct"}))
        t = loop.sim.t
        wait(lambda: loop.state["solver"] == "Newton, direct" and loop.sim.t > t + 0.05)
        assert not loop.trouble


def test_an_example_takes_the_place_of_the_scene():
    other = simulation()
    with Running(library={"other": lambda: other, "broken": lambda: 1 / 0}, name="first") as loop:
        wait(lambda: loop.sim.t > 0)
        loop.post(Command("example", {"name": "broken"}))
        wait(lambda: "ZeroDivisionError" in loop.state["note"][1])
        assert loop.epoch == 1 and loop.busy == ""
        loop.post(Command("example", {"name": "other"}))
        wait(lambda: loop.epoch == 2 and loop.latest.epoch == 2 and other.t > 0)
        assert loop.sim is other


def test_projective_dynamics_says_that_it_has_no_hands():
    sheet = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.Arap(young=1e4), pinned=[0, 1, 2])
    loop = Loop(pl.Simulation(pl.Scene([sheet]), pl.ImplicitEuler(solver=pl.ProjectiveDynamics(iterations=5))))
    loop._obey(Command("grab", {"hand": 0, "body": 0, "vertices": [0], "weights": [1.0], "at": [0, 0, 0]}, 1))
    assert "choose another solver" in loop.state["note"][1] and not loop.hands.held
