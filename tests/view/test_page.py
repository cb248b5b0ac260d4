"""The page in a real browser: it loads without complaint, shows the body, and a mouse that drags moves it."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

from . import browser
from .browser import PROGRAM, needs_browser, pixels
from .clients import Page, simulation

# the stage with the body at rest; delete it and run its test for a new one
REFERENCE = Path(__file__).with_name("beam.png")
MARKS = itertools.count(1)

# the middle of the visible triangle that is nearest to the camera and farthest along x, and a vertex of it
NEAREST = """(() => {
  const [body, eye] = [pliant.stage.bodies[0], pliant.stage.camera.position];
  const [x, t] = [body.positions, body.triangles];
  const corner = (k) => eye.clone().fromArray(x, 3 * k);
  let [best, least] = [null, Infinity];
  for (let i = 0; i < t.length; i += 3) {
    const point = corner(t[i]).add(corner(t[i + 1])).add(corner(t[i + 2])).multiplyScalar(1 / 3);
    const at = pliant.stage.onScreen(point);
    const away = point.distanceTo(eye) - 3 * point.x;
    const hit = pliant.stage.pick(at.x, at.y);
    if (away < least && hit && hit.point.distanceTo(point) < 1e-3) [best, least] = [{ vertex: t[i], ...at }, away];
  }
  return best;
})()"""

EYE = "pliant.stage.camera.position.toArray()"
DISTANCE = "pliant.stage.controls.getDistance()"


def place_of(vertex: int) -> str:
    """JavaScript for where a surface vertex is on the screen."""
    point = f"pliant.stage.camera.position.clone().fromArray(pliant.stage.bodies[0].positions, {3 * vertex})"
    return f"pliant.stage.onScreen({point})"


@pytest.fixture(scope="module")
def chromium():
    opened = browser.Browser(PROGRAM, (960, 640))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def page(chromium, viewer):
    opened = chromium.open(viewer.url)
    opened.wait("globalThis.pliant?.latest() != null && pliant.state() != null")
    return opened


@pytest.fixture
def tab(page):
    """The page as at first, with the body at rest, weightless and uncoloured; afterwards nothing was complained about."""
    mark = 1 + next(MARKS) * 1e-6  # a strength that no test before has asked for: when it is there, so is the rest
    page.run(
        f"""pliant.link.say('gravity', {{value: [0, 0, 0]}}); pliant.link.say('reset');
        for (const name of ['contacts', 'elements']) pliant.link.say(name, {{value: false}});
        pliant.link.say('speed', {{value: 1}}); pliant.link.say('set', {{body: 0, name: 'young', value: 4e4}});
        pliant.link.say('colour', {{name: 'none'}}); pliant.link.say('strength', {{value: {mark}}})"""
    )
    page.wait("pliant.state().strength", holds=lambda strength: strength == mark)
    page.wait(
        "pliant.latest() && Math.min(...pliant.latest().positions.filter((_, i) => i % 3 === 2)) > 0.2999"
    )  # at rest
    page.wait("pliant.state().field === 'none' && pliant.latest().hands.length === 0 && !pliant.latest().nodes")
    page.run("pliant.stage.frameView()")  # where it is now, and not where the test before left it
    yield page
    assert page.complaints == []


@needs_browser
def test_the_page_loads_and_shows_the_body(tab, viewer):
    seen = pixels(tab)
    background = seen[2, 2]
    red = (seen[..., 0] > seen[..., 2] + 40).mean()  # the first body's hue, which nothing else on the stage has
    assert red > 0.01 and (np.abs(seen - background).max(axis=2) > 12).mean() > 0.05
    assert tab.run("document.title") == "beam · Pliant"
    assert (
        tab.run("pliant.of('panel').querySelectorAll('.slider').length") == 8
    )  # three of the material, five of the world
    assert tab.run("pliant.of('facts').textContent").startswith("40 elements · ")
    host = f"127.0.0.1:{viewer.server.port}"
    assert tab.requests and all(f"//{host}/" in r or r.startswith("data:") for r in tab.requests)
    assert tab.run("pliant.stage.simple") and not tab.run("pliant.stage.renderer.shadowMap.enabled")


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
    assert np.all(
        moved[neighbours] @ moved[vertex] > 0.2 * moved[vertex] @ moved[vertex]
    )  # the same way, and not little
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


def orange(seen: np.ndarray) -> np.ndarray:
    """Where the picture has the colour of pins, which nothing else has while holds are not drawn."""
    red, green, blue = seen.transpose(2, 0, 1)
    return (red > green + 40) & (green > blue + 60)


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
@pytest.mark.parametrize("name", ["young", "poisson", "density", "gravity", "friction", "strength"])
def test_each_slider_changes_the_simulation(tab, viewer, name):
    values = "(({bodies, gravity, ...others}) => ({...bodies[0], gravity: 0 - gravity[2], ...others}))(pliant.state())"
    before = tab.run(values)[name]
    tab.run(
        f"""(() => {{ const s = pliant.of('panel').querySelector('input[data-name={name}]');
        s.value = Number(s.value) > 500 ? 300 : 700;
        s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change')); }})()"""
    )
    after = tab.wait(f"{values}.{name}", holds=lambda v: abs(v - before) > 1e-3 * max(abs(before), 1))
    scene = viewer.sim.scene
    own = scene.bodies[0].material.parameters()
    now = {
        **own,
        "gravity": -scene.gravity[2],
        "friction": scene.contact.friction,
        "strength": viewer.loop.hands.strength,
    }
    assert float(now[name]) == pytest.approx(after)
    tab.run(  # and a double click on its name puts it back
        f"""pliant.of('panel').querySelector('input[data-name={name}]').parentNode.querySelector('.name')
        .dispatchEvent(new Event('dblclick'))"""
    )
    first = 9.81 if name == "gravity" else before
    tab.wait(f"{values}.{name}", holds=lambda v: v == pytest.approx(first, rel=1e-3))


@needs_browser
def test_presets_defaults_and_what_was_tuned_on_the_clipboard(tab, viewer):
    menu = "pliant.panel.preset.select"
    tab.run(f"{menu}.value = 'liver'; {menu}.dispatchEvent(new Event('change'))")
    tab.wait("pliant.state().bodies[0].young === 5500 && pliant.panel.source.textContent.includes('elastography')")
    assert viewer.loop.sim.scene.bodies[0].material.density == 1060
    tab.run("navigator.clipboard.writeText = async (text) => (globalThis.kept = text)")
    press = "[...pliant.of('panel').querySelectorAll('button')].find((b) => b.textContent === '{}').click()"
    tab.run(press.format("Copy Python"))
    assert "sim.set(body=0, young=5500.0" in tab.wait("globalThis.kept")
    tab.wait("pliant.of('status-text').textContent.startsWith('Copied as Python')")
    tab.run("globalThis.kept = ''")
    tab.run(press.format("Copy TOML"))
    assert 'name = "beam"' in tab.wait("globalThis.kept")
    tab.run(press.format("Defaults"))
    tab.wait("pliant.state().bodies[0].young === 4e4 && pliant.state().gravity[2] === -9.81")
    assert tab.run(f"{menu}.value") == "" and viewer.loop.sim.scene.bodies[0].material.density == 1000


@needs_browser
def test_a_weaker_body_sinks_deeper(tab, viewer):
    tab.run("pliant.link.say('gravity', {value: [0, 0, -2]})")
    tab.wait("pliant.latest().time > 0.6")
    tip = lambda: min(tab.run("Array.from(pliant.stage.bodies[0].positions)")[2::3])
    firm = tip()
    tab.run("pliant.link.say('set', {body: 0, name: 'young', value: 1e4})")
    tab.wait(
        "Math.min(...pliant.stage.bodies[0].positions.filter((_, i) => i % 3 === 2))", holds=lambda z: z < firm - 0.02
    )
    tab.run("pliant.link.say('set', {body: 0, name: 'young', value: 4e4})")


@needs_browser
def test_colours_change_with_the_field_and_the_legend_says_so(tab):
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    plain = pixels(tab)
    assert tab.run("pliant.of('legend').hidden")
    tab.key("c")
    tab.wait("pliant.state().field === 'displacement' && pliant.latest().colours != null")
    tab.run(
        """(() => { const s = pliant.of('panel').querySelector('select[aria-label=Colour]'); s.value = 'stress';
        s.dispatchEvent(new Event('change')); })()"""
    )
    tab.wait("pliant.state().field === 'stress' && new Set(pliant.latest().colours).size > 5")
    tab.wait("!pliant.of('legend').hidden")
    tab.wait("pliant.of('legend-name').textContent", holds=lambda t: t.startswith("von Mises stress ["))
    ticks = tab.run("[...pliant.of('legend-ticks').children].map((t) => [t.textContent, Number(t.dataset.share)])")
    assert len(ticks) >= 3 and all(len(text.strip("0.−")) == 1 or float(text) == 0 for text, _ in ticks), ticks  # round
    assert all(0 <= share <= 1 for _, share in ticks)
    coloured = pixels(tab)
    hot = lambda seen: ((seen[..., 1] > seen[..., 0] + 20) | (seen[..., 2] > seen[..., 0] + 60)).sum()
    assert hot(coloured) > hot(plain) + 500


# a place on the screen where the value hardly changes, its body's value there as a byte, and the scale
EVEN = """(() => {
  const [body, eye] = [pliant.stage.bodies[0], pliant.stage.camera.position];
  let best = null;
  for (let i = 0; i < body.triangles.length; i += 3) {
    const corners = [...body.triangles.subarray(i, i + 3)];
    const values = corners.map((v) => body.values[v]);
    const place = (v) => eye.clone().fromArray(body.positions, 3 * v);
    const middle = place(corners[0]).add(place(corners[1])).add(place(corners[2])).multiplyScalar(1 / 3);
    const at = pliant.stage.onScreen(middle);
    const hit = pliant.stage.pick(at.x, at.y);
    const spread = Math.max(...values) - Math.min(...values);
    if (hit && hit.point.distanceTo(middle) < 1e-3 && (!best || spread < best.spread)) {
      best = { ...at, spread, byte: values.reduce((a, b) => a + b) / 3, vertex: corners[0] };
    }
  }
  return best;
})()"""


@needs_browser
def test_colours_are_those_of_the_legend_and_the_mouse_reads_their_value(tab, viewer):
    from pliant.output.colour import scale, two_sided

    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    tab.wait("Math.min(...pliant.latest().positions.filter((_, i) => i % 3 === 2)) < 0.295")
    tab.run("pliant.link.say('pause', {value: true})")
    for field, shades in (("stress", scale()), ("pressure", two_sided())):
        tab.run(f"pliant.link.say('colour', {{name: '{field}'}})")
        tab.wait(f"pliant.latest().two === {str(field == 'pressure').lower()} && pliant.latest().colours != null")
        tab.wait(f"pliant.state().field === '{field}' && !pliant.latest().running && !pliant.of('legend').hidden")
        tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        at = tab.run(EVEN)
        seen = pixels(tab)[round(at["y"]), round(at["x"])]
        assert np.abs(seen - 255 * shades[round(at["byte"])]).max() < 28, (field, seen, at)
    tab.mouse("move", at["x"], at["y"], pressed=False, button="none")
    text = tab.wait("!pliant.of('probe').hidden && pliant.of('probe').textContent")
    low, high = tab.run("pliant.latest().range")
    value, unit = text.split("beam at")[0].strip("≥≤ ").replace("−", "-").split()
    factor = {"Pa": 1, "kPa": 1e3}[unit]
    assert low == -high and float(value) * factor == pytest.approx(
        low + at["byte"] / 255 * (high - low), abs=0.05 * high
    )
    tab.run("pliant.of('hold').click()")
    tab.wait("pliant.state().range.length === 2 && !pliant.of('ends').hidden")
    tab.run(f"pliant.link.say('range', {{ends: [0, {high / 2}]}})")
    tab.wait(f"Math.abs(pliant.latest().range[1] - {high / 2}) < 1e-3 * {high}")
    tab.run("pliant.link.say('pause', {value: false}); pliant.link.say('gravity', {value: [0, 0, -30]})")
    tab.wait("pliant.latest().running && pliant.latest().range[0] === 0")  # it stays where it is held
    tab.run("pliant.of('hold').click()")
    tab.wait("pliant.state().range.length === 0 && pliant.latest().range[0] < 0")


PLACE = "pliant.stage.onScreen(pliant.stage.camera.position.clone().set(%s, %s, %s))"


def inside(seen: np.ndarray, corners: list[dict[str, float]]) -> np.ndarray:
    """(n, 3) the pixels in a convex polygon."""
    rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]]
    points = np.array([(c["x"], c["y"]) for c in corners])
    sides = [
        (b - a)[0] * (rows - a[1]) - (b - a)[1] * (columns - a[0]) for a, b in zip(points, np.roll(points, -1, axis=0))
    ]
    return seen[np.all(np.array(sides) > 0, axis=0) | np.all(np.array(sides) < 0, axis=0)]


@needs_browser
def test_a_plane_clips_bodies_fade_and_change_colour_and_holds_are_marked(tab):
    red = lambda: int((np.subtract(*pixels(tab)[..., [0, 2]].transpose(2, 0, 1)) > 40).sum())
    assert tab.run("pliant.stage.holds.node.count") == 4  # the corners of the clamped end
    whole, at = red(), tab.run(NEAREST)
    assert tab.run(f"pliant.stage.pick({at['x']}, {at['y']}) !== null")
    choose = "((s, v) => { s.value = v; s.dispatchEvent(new Event('change')); })(pliant.panel.clip.select, '%s')"
    tab.run(choose % "0")
    assert red() < 0.75 * whole
    assert tab.run(f"pliant.stage.pick({at['x']}, {at['y']})") is None  # nor can it be pulled there
    corners = [tab.run(PLACE % (0.2, y, z)) for y, z in ((0.02, 0.32), (0.08, 0.32), (0.08, 0.38), (0.02, 0.38))]
    lid = inside(pixels(tab), corners)  # of one colour, and not the walls of a hollow beam
    assert len(lid) > 200 and lid.std(axis=0).max() < 3 and lid[:, 0].mean() > lid[:, 2].mean() + 40
    tab.run("pliant.stage.bodies[0].cap.lid.visible = false")
    hollow = inside(pixels(tab), corners)
    assert np.abs(hollow.mean(axis=0) - lid.mean(axis=0)).max() > 8, (hollow.mean(axis=0), lid.mean(axis=0))
    tab.run("pliant.stage.bodies[0].cap.lid.visible = true")
    tab.run(choose % "-1")
    assert red() == whole
    tab.run("pliant.of('panel').querySelector('.body button').click()")
    assert tab.run("pliant.stage.bodies[0].material.opacity") == 0.25 and red() != whole
    tab.run("pliant.of('panel').querySelector('.body button').click()")
    chip = "pliant.of('panel').querySelector('.body input[type=color]')"
    tab.run(f"{chip}.value = '#2050d0'; {chip}.dispatchEvent(new Event('input'))")
    assert red() < 0.1 * whole
    tab.run("pliant.stage.colour('beam', pliant.stage.bodies[0].about.colour)")
    assert red() == whole


@needs_browser
def test_keys_pause_step_reset_and_show_help(tab, viewer):
    tab.key(" ")
    tab.wait("!pliant.state().running && !pliant.latest().running")
    before = tab.run("pliant.latest().time")
    tab.key(".")
    assert tab.wait("pliant.latest().time", holds=lambda t: t > before) == pytest.approx(before + 1 / 60)
    tab.key("w")
    assert tab.run("pliant.stage.bodies[0].lines.visible && pliant.stage.bodies[0].material.polygonOffset")
    tab.key("w")
    assert not tab.run(
        "pliant.stage.bodies[0].material.polygonOffset"
    )  # at low angles it would go behind what it lies on
    tab.key("?")
    assert tab.run("pliant.of('help').open")
    tab.key("?")
    assert not tab.run("pliant.of('help').open")
    tab.key("r")
    tab.wait("pliant.state().running && pliant.latest().time < 5")


@needs_browser
def test_the_stage_looks_as_it_did(tab):
    """A paused body, drawn by the processor, against a stored picture: colours within a tolerance, and nearly everywhere."""
    from PIL import Image

    tab.run("pliant.link.say('pause', {value: true})")
    tab.wait("!pliant.latest().running")
    small = lambda seen: seen.reshape(160, 4, 240, 4, 3).mean(axis=(1, 3))  # thin lines of the grid blur
    seen = small(pixels(tab))
    if not REFERENCE.exists():
        Image.fromarray(np.uint8(seen + 0.5)).save(REFERENCE, optimize=True)
        pytest.fail(f"{REFERENCE.name} was missing and has been written; look at it, and run this again")
    stored = np.asarray(Image.open(REFERENCE).convert("RGB")).astype(int)
    other = lambda now: float((np.abs(now - stored).max(axis=2) > 16).mean())  # the share of pixels that are not alike
    assert seen.shape == stored.shape and np.abs(seen - stored).mean() < 2 and other(seen) < 0.01
    tab.run("pliant.stage.camera.position.x += 0.1")
    assert other(small(pixels(tab))) > 0.02  # another view is seen to be another


@needs_browser
def test_edges_of_the_elements_move_with_the_body(tab, viewer):
    plain = pixels(tab)
    tab.key("e")
    tab.wait("pliant.latest().nodes && pliant.stage.elements?.node.visible")
    assert tab.run("pliant.stage.bodies[0].material.opacity") < 1  # one looks into it
    lined = pixels(tab)
    assert (np.abs(lined - plain).max(axis=2) > 20).mean() > 0.01
    assert tab.run("pliant.stage.elements.node.geometry.index.count / 2") == len(viewer.loop.snapshots.edges.pairs)
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    tab.wait("Math.min(...pliant.stage.elements.place.array.filter((_, i) => i % 3 === 2))", holds=lambda z: z < 0.25)
    tab.run("pliant.panel.elements.input.click()")
    tab.wait("!pliant.latest().nodes && !pliant.stage.elements.node.visible && !pliant.state().elements")
    assert tab.run("pliant.stage.bodies[0].material.opacity") == 1


@needs_browser
def test_arrows_at_contacts_are_as_long_as_their_forces_and_a_scale_says_how_much_that_is(tab):
    """Of points under a body and under one three times as heavy, and after a blow that passes."""
    lengths = """(([contacts, times]) => { const own = new pliant.stage.contacts.constructor(2);
        for (const time of times) own.update(new Float32Array(contacts), time);
        const {array} = own.node.instanceMatrix;
        const columns = Array.from({length: own.node.count}, (_, i) => array.subarray(16 * i + 4, 16 * i + 7));
        return [columns.map((c) => Math.hypot(...c)), own.full, own.stands]; })"""
    light, heavy = [0, 0, 0, 0, 0, 1.2], [1, 0, 0, 0, 0, 3.6]
    found, full, stands = tab.run(f"{lengths}([{light + heavy}, [0]])")
    assert stands == 5 and found == pytest.approx([full * 1.2 / 5, full * 3.6 / 5])
    pressed = "pliant.stage.contacts.update(new Float32Array({}), {})"
    show = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    tab.run("pliant.link.say('pause', {value: true})")
    tab.wait("!pliant.latest().running")
    said = []
    for contacts, time in (
        (light + heavy, 100),
        ([0, 0, 0, 0, 0, 400.0], 100.01),
        (light + heavy, 100.1),
        (light + heavy, 103),
    ):
        tab.run(pressed.format(contacts, time) + "; " + show)
        said.append(tab.run("pliant.of('force-scale').hidden ? '' : pliant.of('force-size').textContent"))
    assert said == ["5 N at a contact", "500 N at a contact", "500 N at a contact", "5 N at a contact"]
    drawn = tab.run(
        "pliant.of('force-arrow').getBoundingClientRect().width / pliant.stage.pixels(pliant.stage.contacts.full)"
    )
    assert drawn == pytest.approx(1, abs=0.02)
    tab.run("pliant.link.say('pause', {value: false})")


@needs_browser
def test_contacts_are_arrows_along_the_normals(tab):
    tab.run(
        "pliant.link.say('gravity', {value: [0, 0, -9.81]}); pliant.link.say('set', {body: 0, name: 'young', value: 1e4})"
    )
    tab.run("pliant.panel.contacts.input.click()")
    tab.wait("pliant.latest().contacts.length > 0 && pliant.stage.contacts.node.count > 0")
    crimson = lambda seen: (
        (seen[..., 0] > 140) & (seen[..., 2] > seen[..., 1] + 25)
    ).sum()  # nothing else has that hue
    tab.wait("pliant.latest().contacts.length / 6 >= 2")
    contacts = np.array(tab.run("Array.from(pliant.latest().contacts)")).reshape(-1, 6)
    assert contacts[:, 2] == pytest.approx(0.0, abs=0.01)  # of the floor
    assert np.all(contacts[:, 5] > 0) and np.allclose(contacts[:, 3:5], 0, atol=1e-6)
    assert crimson(pixels(tab)) > 30
    tab.run("pliant.panel.contacts.input.click()")
    tab.wait("pliant.latest().contacts.length === 0 && pliant.stage.contacts.node.count === 0")
    tab.wait("pliant.of('force-scale').hidden")
    assert crimson(pixels(tab)) == 0


@needs_browser
def test_gravity_is_tilted_and_turned(tab, viewer):
    move = lambda name, value: tab.run(
        f"""(() => {{ const s = pliant.of('panel').querySelector('input[data-name={name}]'); s.value = {value};
        s.dispatchEvent(new Event('input')); s.dispatchEvent(new Event('change')); }})()"""
    )
    near = lambda goal: lambda g: np.allclose(g, goal, atol=0.05)
    tab.run("pliant.link.say('gravity', {value: [0, 0, -10]})")
    tab.wait("pliant.state().gravity", holds=near([0, 0, -10]))
    move("tilt", 500)
    tab.wait("pliant.state().gravity", holds=near([10, 0, 0]))
    move("heading", 750)
    tab.wait("pliant.state().gravity", holds=near([0, 10, 0]))
    assert viewer.sim.scene.gravity == pytest.approx((0, 10, 0), abs=0.05)
    move("gravity", 0)
    tab.wait("pliant.state().gravity", holds=near([0, 0, 0]))
    move("gravity", 100)  # what had no strength kept its direction
    tab.wait("pliant.state().gravity", holds=near([0, 3, 0]))
    assert tab.run("pliant.panel.tilt.output.textContent") == "90°"


@needs_browser
def test_every_field_has_colours_and_a_legend_with_its_unit(tab, viewer):
    tab.run("pliant.link.say('gravity', {value: [0, 0, -9.81]})")
    for field in tab.run("pliant.panel.scene.fields"):
        tab.key("c")
        tab.wait(f"pliant.state().field === '{field['name']}' && pliant.latest().colours != null")
        begins = field["label"] + (" [" if field["unit"] else "")
        tab.wait(
            "pliant.of('legend-name').textContent",
            holds=lambda t, b=begins, u=field["unit"]: t.startswith(b) and u in t,
        )
    assert {f["name"] for f in tab.run("pliant.panel.scene.fields")} >= {
        "displacement", "stretch", "stress", "pressure", "energy density",
    }  # fmt: skip
    tab.key("c")
    tab.wait("pliant.state().field === 'none' && pliant.latest().colours === null && pliant.of('legend').hidden")


@needs_browser
def test_menus_buttons_and_plots(tab, viewer):
    choose = "(() => { const s = pliant.panel.solver.select; s.value = '%s'; s.dispatchEvent(new Event('change')); })()"
    tab.run(choose % "quasi-Newton × 10")
    tab.wait("pliant.state().solver === 'quasi-Newton × 10'")
    assert isinstance(viewer.sim.integrator.solver, pl.QuasiNewton)
    tab.run(choose % "as given")
    tab.wait("pliant.state().solver === 'as given'")
    tab.wait("pliant.of('rate').textContent", holds=lambda t: "× real time" in t and "steps/s" in t)
    for plot, names in (("energies", {"total", "kinetic", "elastic", "gravity"}), ("times", {"linear", "other"})):
        tab.wait(
            f"Array.from(pliant.of('{plot}-key').querySelectorAll('li span'), (n) => n.textContent)",
            holds=lambda seen, names=names: names <= set(seen),
        )
        drawn = f"pliant.of('{plot}').getContext('2d').getImageData(0, 0, 9999, 9999).data.some((v) => v > 0)"
        tab.wait(drawn.replace("9999, 9999", f"pliant.of('{plot}').width, pliant.of('{plot}').height"))
    assert tab.run("pliant.of('force-figure').hidden")
    tab.run("pliant.panel.forces.input.click()")
    tab.wait("Array.from(pliant.of('forces-key').querySelectorAll('li span'), (n) => n.textContent).includes('pinned')")
    assert not tab.run("pliant.of('force-figure').hidden")
    tab.run("pliant.panel.forces.input.click()")
    tab.run("pliant.of('pause').click()")
    tab.wait("!pliant.state().running && pliant.of('rate').textContent === 'paused'")
    before = tab.run("pliant.latest().time")
    tab.run("pliant.of('step').click()")
    tab.wait("pliant.latest().time", holds=lambda t: t > before)
    tab.run("pliant.of('speed').value = -1; pliant.of('speed').dispatchEvent(new Event('input'))")
    tab.wait("pliant.state().speed", holds=lambda v: v == pytest.approx(0.1))
    tab.run("pliant.of('reset').click()")
    tab.wait("pliant.state().running")
    tab.key("s")
    assert tab.run("getComputedStyle(pliant.of('panel')).display") == "none"
    tab.key("s")
    assert tab.run("getComputedStyle(pliant.of('panel')).display") != "none"


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
def test_a_telephone_shows_the_body_first(chromium, viewer):
    other = chromium.open("about:blank")
    other.call("Emulation.setDeviceMetricsOverride", width=390, height=780, deviceScaleFactor=1, mobile=True)
    other.call("Page.navigate", url=viewer.url)
    other.wait("globalThis.pliant?.latest() != null")
    assert other.run("getComputedStyle(pliant.of('panel')).display") == "none" and other.run(
        "pliant.of('plots').hidden"
    )
    assert other.wait("!pliant.of('hint').hidden && pliant.of('hint').textContent") == "Drag me"
    left, right = other.run("(({left, right}) => [left, right])(pliant.of('transport').getBoundingClientRect())")
    assert left >= 0 and right <= 390
    shown = "[...pliant.of('help').querySelectorAll('dl')].map((list) => getComputedStyle(list).display !== 'none')"
    assert other.run(shown) == [False, True]  # keys
    other.call("Emulation.setTouchEmulationEnabled", enabled=True)
    other.wait(shown, holds=lambda lists: lists == [True, False])  # fingers
    other.run("pliant.of('fold').click()")
    assert other.run("getComputedStyle(pliant.of('panel')).display") != "none"
    assert other.complaints == []
    other.close()


@needs_browser
def test_a_failed_step_is_said_and_reset_goes_on(tab, viewer, monkeypatch):
    from pliant.solve.report import Report

    monkeypatch.setattr(viewer.sim, "step", lambda: Report(False, "the spoon is bent; try a fork"))
    tab.wait("pliant.of('status').classList.contains('trouble')")
    assert "try a fork" in tab.run("pliant.of('status-text').textContent")
    monkeypatch.undo()
    tab.run("pliant.of('status-reset').click()")
    tab.wait("pliant.of('status').hidden && pliant.state().running")


@needs_browser
def test_two_pages_and_the_menu_of_examples(chromium, viewer, tab):
    other = chromium.open(viewer.url)
    other.wait("globalThis.pliant?.latest() != null")
    epoch = tab.run("pliant.state().epoch")
    tab.run("pliant.link.say('example', {name: 'beam'})")
    for page in (tab, other):
        page.wait("pliant.state().epoch", holds=lambda e: e > epoch)
        page.wait("pliant.latest()?.epoch", holds=lambda e: e is not None and e > epoch)
    assert other.complaints == []
    other.close()


@needs_browser
def test_the_page_comes_back_by_itself(chromium):
    sim = simulation()
    first = pl.view(sim, port=0, open=False, block=False)
    port = first.server.port
    tab = chromium.open(f"http://127.0.0.1:{port}/")
    tab.wait("globalThis.pliant?.latest() != null")
    first.close()
    tab.wait("pliant.of('status').classList.contains('wait')")
    with pl.view(sim, port=port, open=False, block=False) as second:
        tab.wait("pliant.of('status').hidden && pliant.link.open")
        with Page(second) as page:
            page.listen(lambda p: p.frame and len(second.server.clients) == 2)
            seen = tab.wait("pliant.latest()?.number")
            tab.wait("pliant.latest().number", holds=lambda n: n != seen)
    tab.close()


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
