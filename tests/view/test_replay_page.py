"""The page in a real browser: it loads without complaint, shows the body, and its settings, keys and buttons do what they say."""

import numpy as np
import pytest

import pliant as pl

from .browser import needs_browser, pixels
from .clients import Page, simulation


@needs_browser
def test_the_page_loads_and_shows_the_body(tab, viewer):
    seen = pixels(tab)
    background = seen[2, 2]
    red = (seen[..., 0] > seen[..., 2] + 40).mean()  # the first body's hue, which nothing else on the stage has
    assert red > 0.01 and (np.abs(seen - background).max(axis=2) > 12).mean() > 0.05
    assert tab.run("document.title") == "beam · Pliant"
    assert tab.run("pliant.of('panel').querySelectorAll('.slider').length") == 8  # three of the material, five of the world
    assert tab.run("pliant.of('facts').textContent").startswith("40 elements · ")
    host = f"127.0.0.1:{viewer.server.port}"
    assert tab.requests and all(f"//{host}/" in r or r.startswith("data:") for r in tab.requests)
    assert tab.run("pliant.stage.simple") and not tab.run("pliant.stage.renderer.shadowMap.enabled")


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
    tab.wait("Math.min(...pliant.stage.bodies[0].positions.filter((_, i) => i % 3 === 2))", holds=lambda z: z < firm - 0.02)
    tab.run("pliant.link.say('set', {body: 0, name: 'young', value: 4e4})")


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
    assert not tab.run("pliant.stage.bodies[0].material.polygonOffset")  # at low angles it would go behind what it lies on
    tab.key("?")
    assert tab.run("pliant.of('help').open")
    tab.key("?")
    assert not tab.run("pliant.of('help').open")
    tab.key("r")
    tab.wait("pliant.state().running && pliant.latest().time < 5")


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
def test_a_telephone_shows_the_body_first(chromium, viewer):
    other = chromium.open("about:blank")
    other.call("Emulation.setDeviceMetricsOverride", width=390, height=780, deviceScaleFactor=1, mobile=True)
    other.call("Page.navigate", url=viewer.url)
    other.wait("globalThis.pliant?.latest() != null")
    assert other.run("getComputedStyle(pliant.of('panel')).display") == "none" and other.run("pliant.of('plots').hidden")
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
    from pliant.solve.objective.report import Report

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
