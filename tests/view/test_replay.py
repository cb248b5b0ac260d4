"""``pl.view(run)``: the same server and protocol, played against the clock, with seeks in place of hands."""

import json
import time

import numpy as np
import pytest
from runs import cut_run

import pliant as pl
from pliant.view.pages.replay import Replay
from pliant.view.protocol.messages import Command

from .clients import Page, simulation


@pytest.fixture(scope="module")
def run() -> pl.Run:
    return simulation().run(1.0, frames_per_second=30)


@pytest.fixture(scope="module")
def viewer(run):
    with pl.view(run, port=0, open=False, block=False, name="beam") as opened:
        yield opened


@pytest.fixture
def page(viewer):
    with Page(viewer) as opened:
        opened.do("pause", value=True)
        opened.do("speed", value=1.0)
        opened.do("loop", value=True)
        opened.do("colour", name="none")
        opened.do("seek", time=0.0)
        opened.listen(lambda p: p.frame and p.frame["time"] == 0 and not p.frame["running"] and p.statistics)
        yield opened


def test_the_page_learns_what_it_is(page, run, viewer):
    assert page.scene["replay"]["times"] == pytest.approx(run.times) and page.scene["name"] == "beam"
    (body,) = page.scene["bodies"]
    assert body["count"] == 36 and body["sliders"] == [] and page.scene["solvers"] == [] and not page.scene["contact"]
    assert [f["name"] for f in page.scene["fields"]] == ["displacement", "speed", "stress"]
    assert page.scene["fields"][2] == {"name": "stress", "label": "von Mises stress", "unit": "Pa", "two": False}
    assert page.scene["props"] == [{"name": "obstacle 0", "ground": True, "moves": False}]
    assert page.state["loop"] is True and "recording" not in page.state
    assert viewer.recording is run


@pytest.mark.parametrize("at, frame", [(0.0, 0), (0.51, 15), (0.4999, 15), (99.0, 30), (-5.0, 0)])
def test_it_seeks_to_the_nearest_frame(page, run, at, frame):
    page.do("seek", time=0.3)
    page.listen(lambda p: p.frame["time"] == pytest.approx(0.3))
    page.do("seek", time=at)
    page.listen(lambda p: p.frame["time"] == pytest.approx(run.times[frame]))
    exact = run.skins[0].of(run.positions[frame])
    assert np.abs(page.frame["x"] - exact).max() <= page.frame["span"].max() / 65535 + 1e-7
    assert not page.frame["running"]
    page.listen(lambda p: p.statistics["t"] == pytest.approx(run.times[frame]))
    assert page.statistics["energies"]["elastic"] == pytest.approx(run.energies["elastic"][frame])


@pytest.mark.alone
def test_it_plays_in_real_time_and_at_other_speeds(page, run):
    for speed in (0.5, 2.0):
        page.do("seek", time=0.0)
        page.listen(lambda p: p.frame["time"] == 0)
        page.do("speed", value=speed)
        begin, seen = time.perf_counter(), {0.0}
        page.do("pause", value=False)
        while (at := page.frame["time"]) < 0.8:
            seen.add(at)
            page.listen(lambda p, at=at: p.frame["time"] != at)
        took = time.perf_counter() - begin
        page.do("pause", value=True)
        page.listen(lambda p: not p.state["running"])
        assert 0.9 * 0.8 / speed < took < 10
        assert all(np.abs(run.times - t).min() < 1e-12 for t in seen) and len(seen) > 8


def test_it_begins_again_or_stays_at_the_end(page, run):
    page.do("seek", time=0.9)
    page.do("pause", value=False)
    page.listen(lambda p: p.frame["time"] >= 0.9)
    page.listen(lambda p: p.frame["time"] < 0.5)
    page.do("loop", value=False)
    page.do("seek", time=0.9)
    page.listen(lambda p: p.state["loop"] is False and not p.state["running"])
    page.listen(lambda p: p.frame["time"] == pytest.approx(run.times[-1]))
    page.do("pause", value=False)  # from its end it begins anew
    page.listen(lambda p: p.state["running"] and p.frame["time"] < 0.5)


def test_steps_and_the_beginning(page, run):
    page.do("step")
    page.listen(lambda p: p.frame["time"] == pytest.approx(run.times[1]) and not p.state["running"])
    page.do("seek", time=9)
    page.listen(lambda p: p.frame["time"] == pytest.approx(run.times[-1]))
    page.do("step")  # after the last comes the first
    page.listen(lambda p: p.frame["time"] == 0)
    page.do("seek", time=0.7)
    page.listen(lambda p: p.frame["time"] == pytest.approx(0.7))
    page.do("reset")
    page.listen(lambda p: p.state["running"] and p.frame["time"] < 0.3)


def test_colours_keep_their_scale_through_the_run(page, run):
    page.do("colour", name="stress")
    page.listen(lambda p: p.state["field"] == "stress" and p.frame["colours"] is not None)
    ends = page.frame["low"], page.frame["high"]
    assert ends[0] == 0 and 0.3 * run.fields["stress"].max() < ends[1] <= run.fields["stress"].max()
    early = page.frame["colours"].copy()
    page.do("seek", time=0.5)
    page.listen(lambda p: p.frame["time"] == pytest.approx(0.5) and p.frame["colours"] is not None)
    assert (page.frame["low"], page.frame["high"]) == ends and page.frame["colours"].mean() > early.mean() + 5
    shown = np.clip(run.skins[0].of(run.fields["stress"][15]) / ends[1], 0, 1) * 255
    assert np.abs(page.frame["colours"] - shown).max() <= 1


@pytest.mark.parametrize(
    "command, words",
    [
        (
            {"what": "grab", "hand": 0, "body": 0, "vertices": [0], "weights": [1.0], "at": [0, 0, 0]},
            "grab: this is a replay",
        ),
        ({"what": "set", "body": 0, "name": "young", "value": 1e4}, "set: this is a replay"),
        ({"what": "record", "value": True}, "record: this is a replay"),
        ({"what": "colour", "name": "stres"}, "did you mean 'stress'"),
    ],
)
def test_what_a_replay_has_not_is_refused_with_a_sentence(page, command, words):
    page.do(**command)
    page.listen(lambda p: words in p.state["note"][1])
    assert page.frame["held"] == []


def test_a_simulation_has_no_time_line():
    with pl.view(simulation(), port=0, open=False, block=False) as live, Page(live) as page:
        page.do("seek", time=0.0)
        page.listen(lambda p: p.state and "time only goes on" in p.state["note"][1])
        assert "replay" not in page.scene


def test_several_pages_share_it_and_one_that_leaves_costs_nothing(page, viewer):
    with Page(viewer) as other:
        other.listen(lambda p: p.frame and p.state)
        other.do("seek", time=0.6)
        for each in (page, other):
            each.listen(lambda p: p.frame["time"] == pytest.approx(0.6))
    page.do("seek", time=0.2)
    page.listen(lambda p: p.frame["time"] == pytest.approx(0.2))
    assert not viewer.loop.state["note"][1].startswith("leave")


def test_rods_sheets_and_moving_obstacles():
    law = pl.Corotated(young=1e4, poisson=0.3, density=1000)
    sheet = pl.Body(pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)), thickness=1e-3), law, name="sheet")
    thread = pl.Body(pl.Springs(pl.meshes.rod((0, 0, 0.2), (0.3, 0, 0.2), 5), radius=1e-3), law, name="thread")
    there = lambda t: np.array([[1, 0, 0, t], [0, 1, 0, 0], [0, 0, 1, -0.3], [0, 0, 0, 1]])
    ball = pl.Obstacle(pl.sphere(0.05), motion=there)
    run = pl.Simulation(pl.Scene([sheet, thread], [ball])).run(0.1)
    replay = Replay(run, "swing")
    replay._go(6)
    replay._publish()
    shot = replay.latest
    x = np.concatenate([skin.of(run.positions[6]) for skin in run.skins])
    assert np.allclose(shot.positions, x, atol=1e-6) and np.allclose(shot.poses[0], run.props[0].poses[6])
    still = Replay(simulation().frame())
    assert still.latest.poses is None and still.due() <= 1 / 30  # one moment: nothing moves, nothing fails
    still.turn([], True)
    assert still.latest.number == 1


@pytest.mark.parametrize(
    "given, words",
    [
        ({"sim": 3}, "expected a Simulation"),
        ({"library": {"a": simulation}}, "library, quick, on_step and reader are for simulations"),
        ({"quick": True}, "library, quick, on_step and reader are for simulations"),
    ],
)
def test_bad_input(run, given, words):
    with pytest.raises(pl.errors.InputError, match=words):
        pl.view(**({"sim": run, "block": False, "open": False, "port": 0} | given))


def test_a_run_without_frames_or_surfaces_is_refused(run):
    from dataclasses import replace

    skin = replace(run.skins[0], triangles=np.zeros((0, 3), int), parents=np.zeros((0, 1), int), weights=np.zeros((0, 1)))
    with pytest.raises(pl.errors.InputError, match="nothing to show"):
        Replay(run.changed(skins=(skin,)))
    with pytest.raises(pl.errors.InputError, match="no frames"):
        Replay(run.selected(np.zeros(0, int)))


def test_simulations_are_not_to_be_had_from_a_replay(viewer):
    for ask in (lambda: viewer.sim, viewer.record, viewer.stop_recording):
        with pytest.raises(pl.errors.InputError, match="replays a run"):
            ask()


def test_each_chapter_has_its_scene(run):
    cut = cut_run()
    with pl.view(cut, port=0, open=False, block=False) as viewer, Page(viewer) as page:
        page.do("pause", value=True)
        page.do("colour", name="stress")
        for time_, bodies, frame in ((0.2, 3, 2), (0.9, 2, 9), (0.1, 3, 1)):
            page.do("seek", time=time_)
            page.listen(
                lambda p, n=bodies, t=time_: len(p.scene.get("bodies", ())) == n and p.frame.get("time") == pytest.approx(t)
            )
            page.listen(lambda p: p.frame["epoch"] == p.scene["epoch"] and p.frame["colours"] is not None)
            assert page.scene["replay"]["chapter"] == cut.chapter_of(frame)
            assert len(page.frame["x"]) == sum(body["count"] for body in page.scene["bodies"])
            moment = cut.moment(frame)
            beam = page.frame["x"][: page.scene["bodies"][0]["count"]]
            assert np.abs(beam - moment.skins[0].of(moment.x)).max() <= page.frame["span"].max() / 65535 + 1e-6


def test_what_is_not_finite_is_said_and_never_sent(run):
    positions, stress = run.positions.copy(), run.fields["stress"].copy()
    positions[4, 0], stress[:, 3] = np.inf, np.nan
    energies = run.energies | {"elastic": np.full(len(run), np.inf)}
    replay = Replay(run.changed(positions=positions, fields={"stress": stress, "gone": stress * np.nan}, energies=energies))
    assert len(replay.run) == len(run) - 1
    said = " ".join(replay.shown.notes)
    assert "1 of 31 frames hold positions that are not finite, first at 4" in said and "'elastic' is not finite" in said
    for name in ("stress", "gone"):
        replay.turn([Command("colour", {"name": name}), Command("seek", {"time": 0.5})], 1.0)
        replay._take_statistics()
        json.dumps([replay.state, replay.statistics], allow_nan=False)
        assert np.isfinite(replay.latest.values).all() and np.isfinite([replay.latest.low, replay.latest.high]).all()
    assert "'gone' has no finite value" in replay.state["note"][1] and replay.field == "stress"
    assert replay.statistics["energies"]["elastic"] is None
