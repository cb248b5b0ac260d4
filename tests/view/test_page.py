"""The page in a real browser: it loads without complaint, shows the body, and a mouse that drags moves it."""

import base64
import hashlib
import itertools
import time
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

from . import browser
from .clients import Page, simulation

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "pliant" / "view" / "static"
PROGRAM = browser.found()
MARKS = itertools.count(1)
without = pytest.mark.skipif(
    PROGRAM is None,
    reason="no Chromium was found on the path or in PLIANT_CHROMIUM: the page was not tried in a browser",
)


def needs_browser(test):
    return pytest.mark.browser(without(test))


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
def viewer():
    with pl.view(simulation(), port=0, open=False, block=False, name="beam", library={"beam": simulation}) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(chromium, viewer):
    opened = chromium.open(viewer.url)
    opened.wait("globalThis.pliant?.latest() != null && pliant.state() != null")
    return opened


@pytest.fixture
def tab(page):
    """The page with the body at rest and weightless, uncoloured, seen as at first; afterwards nothing was complained about."""
    mark = 1 + next(MARKS) * 1e-6  # a strength that no test before has asked for: when it is there, so is the rest
    page.run(
        f"""pliant.link.say('gravity', {{value: [0, 0, 0]}}); pliant.link.say('reset'); pliant.stage.frameView();
        pliant.link.say('colour', {{name: 'none'}}); pliant.link.say('strength', {{value: {mark}}})"""
    )
    page.wait("pliant.state().strength", holds=lambda strength: strength == mark)
    page.wait(
        "pliant.latest() && Math.min(...pliant.latest().positions.filter((_, i) => i % 3 === 2)) > 0.2999"
    )  # at rest
    page.wait("pliant.state().field === 'none' && pliant.latest().hands.length === 0")
    yield page
    assert page.complaints == []


def pixels(tab) -> np.ndarray:
    """The canvas alone as (height, width, 3), read right after it has been drawn."""
    width, height, text = tab.run(
        """(() => { const s = pliant.stage; s.stale = true; s.draw(); const gl = s.renderer.getContext();
        const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; const data = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
        let text = ''; for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
        return [w, h, btoa(text)]; })()"""
    )
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[::-1, :, :3].astype(int)


def test_the_bundle_is_built_from_what_is_in_web():
    files = sorted(f for f in (ROOT / "web" / "src").iterdir())
    found = hashlib.sha256()
    for file in files:
        found.update(file.name.encode() + b"\0" + file.read_bytes())
    found.update((ROOT / "web" / "package-lock.json").read_bytes())
    assert (STATIC / "built_from").read_text().strip() == found.hexdigest(), "run make web: the page is old"


def test_the_bundle_is_small_asks_nobody_and_names_its_licence():
    text = (STATIC / "app.js").read_text(encoding="utf-8")
    assert len(text.encode()) < 700_000
    assert "Three.js Authors" in text and "MIT" in (STATIC / "three.LICENSE").read_text()
    assert "eval(" not in text and "new Function" not in text and "innerHTML" not in text.split("pliant")[-1]
    page = (STATIC / "index.html").read_text(encoding="utf-8")
    assert "http://" not in page and "https://" not in page and "style=" not in page and "onclick" not in page


@needs_browser
def test_the_page_loads_and_shows_the_body(tab, viewer):
    seen = pixels(tab)
    background = seen[2, 2]
    red = (seen[..., 0] > seen[..., 2] + 40).mean()  # the first body's hue, which nothing else on the stage has
    assert red > 0.01 and (np.abs(seen - background).max(axis=2) > 12).mean() > 0.05
    assert tab.run("document.title") == "beam · Pliant"
    assert (
        tab.run("pliant.of('panel').querySelectorAll('.slider').length") == 6
    )  # three of the material, three of the world
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


@needs_browser
def test_dragging_beside_the_body_turns_the_view(tab):
    before = tab.run("pliant.stage.camera.position.toArray()")
    tab.drag(480, 560, 120, -30)
    after = tab.run("pliant.stage.camera.position.toArray()")
    assert np.linalg.norm(np.subtract(before, after)) > 0.05 and tab.run("pliant.latest().hands.length") == 0


@needs_browser
def test_shift_drag_leaves_a_pin_that_a_click_takes_away(tab):
    at = tab.run(NEAREST)
    tab.drag(at["x"], at["y"], 0, -80, shift=True)
    tab.wait("pliant.latest().hands.length === 1 && pliant.latest().hands[0].pinned")
    tab.mouse("move", at["x"], at["y"] - 80, pressed=False, button="none")
    tab.mouse("down", at["x"], at["y"] - 80)
    tab.mouse("up", at["x"], at["y"] - 80)
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
    assert tab.run("pliant.of('legend-ticks').querySelectorAll('li').length") == 5
    coloured = pixels(tab)
    hot = lambda seen: ((seen[..., 1] > seen[..., 0] + 20) | (seen[..., 2] > seen[..., 0] + 60)).sum()
    assert hot(coloured) > hot(plain) + 500


@needs_browser
def test_keys_pause_step_reset_and_show_help(tab, viewer):
    tab.key(" ")
    tab.wait("!pliant.state().running && !pliant.latest().running")
    before = tab.run("pliant.latest().time")
    tab.key(".")
    assert tab.wait("pliant.latest().time", holds=lambda t: t > before) == pytest.approx(before + 1 / 60)
    tab.key("w")
    assert tab.run("pliant.stage.bodies[0].lines.visible")
    tab.key("w")
    tab.key("?")
    assert tab.run("pliant.of('help').open")
    tab.key("?")
    assert not tab.run("pliant.of('help').open")
    tab.key("r")
    tab.wait("pliant.state().running && pliant.latest().time < 5")


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
    time.sleep(0.1)
    tab.close()
