"""Hands on the page of a real browser: a mouse or fingers that pull, pin, turn the view and cut."""

import numpy as np

from .browser import DISTANCE, EYE, NEAREST, needs_browser, orange, pixels, place_of


@needs_browser
def test_dragging_pulls_the_point_and_its_neighbours_follow(tab):
    tab.run("pliant.link.say('strength', {value: 10})")
    at = tab.run(NEAREST)
    vertex = at["vertex"]
    before = tab.run("Array.from(pliant.stage.bodies[0].positions)")
    tab.drag(at["x"], at["y"], 0, -200, release=False)
    goal = {"x": at["x"], "y": at["y"] - 200}
    tab.wait(f"{place_of(vertex)}.y", holds=lambda y: y < at["y"] - 60)
    held = tab.wait("pliant.latest().hands.length && pliant.latest().hands[0].force")
    assert held > 0 and not tab.run("pliant.of('force').hidden")
    now = tab.run(place_of(vertex))
    assert np.hypot(now["x"] - goal["x"], now["y"] - goal["y"]) < 0.8 * 200
    x, X = (np.array(v).reshape(-1, 3) for v in (tab.run("Array.from(pliant.stage.bodies[0].positions)"), before))
    neighbours = np.argsort(np.linalg.norm(X - X[vertex], axis=1))[1:4]
    moved = x - X
    assert np.all(moved[neighbours] @ moved[vertex] > 0.2 * moved[vertex] @ moved[vertex])  # the same way, and not little
    fixed = X[:, 0] < 1e-3
    assert np.abs(moved[fixed]).max() < 1e-3  # the clamped end stays
    tab.mouse("up", goal["x"], goal["y"])
    tab.wait("pliant.latest().hands.length === 0 && pliant.of('force').hidden")
    assert tab.run("pliant.of('hint').hidden")  # nobody needs to be told any more


@needs_browser
def test_dragging_beside_the_body_turns_the_view(tab):
    before = tab.run(EYE)
    tab.drag(480, 560, 120, -30)
    tab.wait(EYE, holds=lambda eye: np.linalg.norm(np.subtract(before, eye)) > 0.05)
    assert tab.run("pliant.latest().hands.length") == 0


# where the only pin is on the screen
PIN = "pliant.stage.onScreen(pliant.stage.camera.position.clone().fromArray(pliant.latest().hands[0].anchor))"

PINNED = "pliant.latest().hands.length === 1 && pliant.latest().hands[0].pinned"


@needs_browser
def test_shift_drag_leaves_a_pin_that_holds_and_that_a_click_takes_away(tab):
    tab.run("pliant.panel.holds.input.click()")  # their marks have the colour of a pin
    at = tab.run(NEAREST)
    assert not orange(pixels(tab)).any()
    tab.drag(at["x"], at["y"], 0, -80, shift=True)
    tab.wait(PINNED)
    there = tab.run(PIN)
    rows, columns = np.nonzero(orange(pixels(tab)))
    assert np.hypot(columns.mean() - there["x"], rows.mean() - there["y"]) < 4  # it is drawn where it holds
    tab.run("pliant.link.say('gravity', {value: [0, 0, -30]})")
    tab.wait(f"pliant.latest().time > {tab.run('pliant.latest().time') + 0.4}")
    now = tab.run(PIN)
    assert np.hypot(now["x"] - there["x"], now["y"] - there["y"]) < 2  # three times the weight moves nothing there
    tab.mouse("move", now["x"], now["y"], pressed=False, button="none")
    tab.mouse("down", now["x"], now["y"])
    tab.mouse("up", now["x"], now["y"])
    tab.wait("pliant.latest().hands.length === 0")
    tab.run("pliant.panel.holds.input.click()")


@needs_browser
def test_a_finger_leaves_a_pin_and_takes_it_away(tab):
    tab.run("pliant.of('pin').click()")
    assert tab.run("pliant.of('pin').getAttribute('aria-pressed')") == "true"
    at = tab.run(NEAREST)
    tab.touch("down", (at["x"], at["y"]))
    for k in range(1, 9):
        tab.touch("move", (at["x"], at["y"] - 6 * k))
    tab.touch("up")
    tab.wait(PINNED)
    tab.key("n")
    assert tab.run("pliant.of('pin').getAttribute('aria-pressed')") == "false"
    there = tab.run(PIN)
    tab.touch("down", (there["x"], there["y"]))
    tab.touch("up")
    tab.wait("pliant.latest().hands.length === 0")


@needs_browser
def test_one_finger_pulls_or_turns_and_two_move_and_zoom(tab):
    at = tab.run(NEAREST)
    x, y = at["x"], at["y"]
    eye = tab.run(EYE)
    # on the body it pulls
    tab.touch("down", (x, y))
    for k in range(1, 9):
        tab.touch("move", (x, y - 10 * k))
    tab.wait("pliant.latest().hands.length === 1 && pliant.latest().hands[0].force > 0")
    assert np.allclose(tab.run(EYE), eye)
    tab.touch("up")
    tab.wait("pliant.latest().hands.length === 0")
    # beside it, it turns the view
    tab.touch("down", (480, 560))
    for k in range(1, 9):
        tab.touch("move", (480 + 10 * k, 560))
    tab.touch("up")
    tab.wait(EYE, holds=lambda now: np.linalg.norm(np.subtract(now, eye)) > 0.05)
    # two zoom and move, also where the first one came down on the body
    tab.run("pliant.stage.frameView()")
    at = tab.run(NEAREST)
    x, y = at["x"], at["y"]
    far, aim = tab.run(DISTANCE), tab.run("pliant.stage.controls.target.toArray()")
    tab.touch("down", (x, y))
    tab.touch("down", (x, y), (x + 40, y))
    for k in range(1, 9):
        tab.touch("move", (x - 10 * k, y + 6 * k), (x + 40 + 10 * k, y + 6 * k))
    tab.wait(DISTANCE, holds=lambda now: now < 0.8 * far)
    tab.wait("pliant.stage.controls.target.toArray()", holds=lambda now: np.linalg.norm(np.subtract(now, aim)) > 0.01)
    tab.touch("up")
    tab.wait("pliant.latest().hands.length === 0 && pliant.link.open")


@needs_browser
def test_a_stroke_of_the_knife_cuts_the_view_stays_and_the_cut_is_undone(tab, viewer):
    middle = "pliant.stage.onScreen(pliant.stage.camera.position.clone().set(0.22, 0.05, 0.35))"
    view = "[...pliant.stage.camera.position.toArray(), ...pliant.stage.controls.target.toArray()]"
    points = "pliant.stage.bodies[0].positions?.length / 3"
    sim, at, before = viewer.loop.sim, tab.run(middle), tab.run(view)
    nodes = len(sim.x)
    assert tab.run("pliant.of('uncut').hidden") and not tab.run("pliant.knife.on")
    tab.key("k")
    assert tab.run("pliant.of('knife').getAttribute('aria-pressed')") == "true"
    tab.drag(at["x"], at["y"] - 150, 3, 300, steps=6, release=False)
    assert tab.run("pliant.of('stroke-line').getAttribute('points')").count(",") > 3
    tab.mouse("up", at["x"] + 3, at["y"] + 150)
    tab.wait("pliant.state().cuts === 1 && !pliant.of('uncut').hidden")
    assert len(sim.x) == nodes + 4 and not sim.hands.points
    tab.wait(points, holds=lambda n: n == nodes + 4)
    assert np.allclose(tab.run(view), before)
    tab.drag(30, 30, 40, 0, steps=2)
    tab.wait("pliant.of('status-text').textContent", holds=lambda text: "does not cross" in text)
    tab.key("k")
    tab.key("z")
    tab.wait("pliant.state().cuts === 0 && pliant.of('uncut').hidden")
    tab.wait(points, holds=lambda n: n == nodes)
    assert len(sim.x) == nodes and np.allclose(tab.run(view), before)
