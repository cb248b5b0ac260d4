"""What somebody sees in the first minute, as pictures: regions and mean colours, which hold on any machine."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli.view import library
from pliant.view.realtime import quickened
from pliant.view.scene import scene_description

from .browser import needs_browser, orange, pixels, ready

EXAMPLES = Path(__file__).parents[2] / "examples"
WIDE, HIGH = 960, 640  # [px] the page
SIDE = 276  # that the settings cover


def falling() -> pl.Simulation:
    """A red block above a floor, and a blue one beside it that lies there."""
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    red = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(-0.12, 0, 0.12)), law, name="red")
    blue = pl.Body(pl.tet_grid((0.08, 0.08, 0.08), (1, 1, 1), origin=(0.06, 0, 0)), law, name="blue")
    scene = pl.Scene([red, blue], [pl.plane(z=0.0)], contact=pl.Contact(friction=0.5))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10)), precision="f32")


class Hanging:
    """A beam held at one end, without a floor, accurate or in real time."""

    def __call__(self) -> pl.Simulation:
        law = pl.StableNeoHookean(young=6e4, poisson=0.4, density=1000)
        beam = pl.tet_grid((0.3, 0.06, 0.06), (5, 1, 1))
        body = pl.Body(beam, law, pinned=lambda X: X[:, 0] < 1e-9, name="beam")
        return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 60))

    def quick(self) -> pl.Simulation:
        return quickened(self())


def bowl() -> pl.Simulation:
    """The lowest layer of the showpiece at real-time settings: four soft bodies that touch each other in a bowl."""
    spec = importlib.util.spec_from_file_location("bowl_of_jelly", EXAMPLES / "bowl_of_jelly.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return quickened(module.simulation(layers=1))


bowl.view = library()["bowl_of_jelly"].view


@pytest.fixture(scope="module")
def viewer():
    menu = {"falling": falling, "hanging": Hanging(), "bowl": bowl}
    with pl.view(falling(), port=0, open=False, block=False, name="falling", library=menu, quick=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(chromium, viewer):
    with ready(chromium, viewer.url, (WIDE, HIGH)) as opened:
        opened.sim = lambda: viewer.loop.sim
        opened.speeds = iter(np.linspace(1.0, 1.1, 1000))
        yield opened


def red(seen: np.ndarray) -> np.ndarray:
    return seen[..., 0] > seen[..., 2] + 40


def blue(seen: np.ndarray) -> np.ndarray:
    return (seen[..., 2] > seen[..., 0] + 50) & (seen[..., 1] < 150)


def box(mask: np.ndarray) -> tuple[float, float, float, float]:
    """Left, right, top and bottom of what was found, but for stray pixels [px]."""
    rows, columns = np.nonzero(mask)
    assert len(rows) > 300
    return *np.percentile(columns, [1, 99]), *np.percentile(rows, [1, 99])


def paused(tab, name: str) -> None:
    """A scene at its very start."""
    epoch = tab.run("pliant.state().epoch")
    tab.run(f"pliant.link.say('example', {{name: '{name}'}}); pliant.link.say('pause', {{value: true}})")
    tab.wait(f"pliant.state().epoch > {epoch} && pliant.latest()?.epoch > {epoch} && !pliant.latest().running")
    for _ in range(20):  # on a busy machine time goes on between the two
        tab.run("pliant.link.say('reset'); pliant.link.say('pause', {value: true})")
        done(tab)
        if tab.sim().t < 0.05:
            break
    tab.wait(f"Math.abs(pliant.latest().time - {tab.sim().t}) < 1e-3 && !pliant.latest().running")


def done(tab) -> None:
    """Wait until all that was said has been done: what is said is done in order, and this comes last."""
    speed = float(next(tab.speeds))
    tab.run(f"pliant.link.say('speed', {{value: {speed}}})")
    tab.wait(f"Math.abs(pliant.state().speed - {speed}) < 1e-9")


def until(tab, time: float) -> None:
    """Let time go on to a moment, by single steps of a sixtieth of a second."""
    done(tab)
    tab.run(f"for (let k = 0; k < {round(60 * (time - tab.sim().t))}; k++) pliant.link.say('step')")
    tab.wait(f"Math.abs(pliant.latest().time - {time}) < 1e-3 && !pliant.stage.going")


@needs_browser
def test_it_falls_when_the_page_opens_says_that_it_can_be_dragged_and_is_in_the_middle_of_the_picture(tab):
    tab.wait("pliant.latest().time > 0.02")
    assert tab.run("[document.title, pliant.of('brand').textContent]") == ["falling · Pliant", "Pliant"]
    paused(tab, "falling")
    above = pixels(tab)
    left, right, top, bottom = box(red(above) | blue(above))
    assert left > 40 and right < WIDE - SIDE - 20 and top > 40 and bottom < HIGH - 50
    assert right - left > 0.3 * (WIDE - SIDE)  # they fill the picture
    until(tab, 0.4)
    fallen = pixels(tab)
    assert box(red(fallen))[3] > box(red(above))[3] + 25 and np.allclose(box(blue(fallen)), box(blue(above)), atol=12)
    hint = tab.run("(({left, top, width, height}) => [left, top, width, height])(pliant.of('hint').getBoundingClientRect())")
    x, y, width, height = hint
    at = tab.run("pliant.stage.topOnScreen()")
    assert width > 40 and height > 15 and abs(x + width / 2 - at["x"]) < 4 and abs(y + height - at["y"]) < 25


@needs_browser
def test_a_jelly_is_flatter_than_rubber(tab):
    heights = []
    for name in ("rubber", "jelly"):
        paused(tab, "falling")
        menu = "pliant.panel.preset.select"
        assert tab.run(f"[...{menu}.options].map((o) => o.value)")[1:] == list(pl.material.laws.presets.PRESETS)
        tab.run(f"{menu}.value = '{name}'; {menu}.dispatchEvent(new Event('change'))")
        tab.wait("pliant.panel.source.textContent.length > 10")
        until(tab, 0.5)
        top, bottom = box(red(pixels(tab)))[2:]
        heights.append(bottom - top)
    assert heights[1] < 0.9 * heights[0], heights
    folded = tab.run("[...pliant.of('panel').querySelectorAll('.more')].map((d) => [d.open, d.offsetHeight < 40])")
    assert folded == [[False, True]]  # what experts need waits


@needs_browser
def test_bodies_are_hidden_and_the_theme_is_dark(tab):
    paused(tab, "falling")
    light = pixels(tab)
    tab.run("pliant.of('panel').querySelectorAll('.bodies .tick input')[1].click()")
    assert blue(light).sum() > 300 and blue(pixels(tab)).sum() < 20
    tab.run("pliant.of('panel').querySelectorAll('.bodies .tick input')[1].click()")
    tab.key("t")
    tab.wait("pliant.theme.dark === true")
    dark = pixels(tab)
    assert light[:40].mean() > 200 and dark[:40].mean() < 60
    assert np.allclose(box(red(dark)), box(red(light)), atol=4)  # the same bodies
    assert tab.run("getComputedStyle(pliant.of('panel')).backgroundColor").startswith("rgba(35, 43, 55")
    tab.key("t")
    tab.wait("pliant.theme.dark === false")


@needs_browser
def test_there_is_a_floor_only_where_one_is_with_axes_and_a_scale_and_what_is_held_is_marked(tab):
    ground = {}
    for name in ("falling", "hanging"):
        paused(tab, name)
        ground[name] = np.median(pixels(tab)[HIGH - 120 : HIGH - 70, 200:500].reshape(-1, 3), axis=0)
        assert tab.run("pliant.of('scale').textContent").endswith("squares")
    data = "pliant.of('axes').getContext('2d').getImageData(0, 0, pliant.of('axes').width, pliant.of('axes').height).data"
    seen = np.array(tab.run(f"Array.from({data})")).reshape(-1, 4)
    seen = seen[seen[:, 3] > 200, :3]
    assert all((seen.argmax(axis=1) == hue).sum() > 10 for hue in range(3))  # x, y and z
    assert np.all(ground["falling"] > ground["hanging"] + 3), ground
    left, right = box(red(pixels(tab)))[:2]
    columns = np.nonzero(orange(pixels(tab)))[1]
    assert len(columns) > 8 and columns.max() < left + 0.35 * (right - left)  # its clamped end


@needs_browser
def test_the_lid_of_a_clipped_body_has_the_colours_and_the_values_of_what_is_inside(tab):
    """A beam that bends, cut along its length: how far each place of its axis has moved is seen there, and told."""
    paused(tab, "hanging")
    until(tab, 0.2)
    tab.run("pliant.link.say('colour', {name: 'displacement'})")
    choose = "((s, v) => { s.value = v; s.dispatchEvent(new Event('change')); })(pliant.panel.clip.select, '%s')"
    tab.run(choose % "4")  # before y
    tab.wait("pliant.latest().inside && pliant.latest().colours && pliant.stage.insides")
    sim, seen = tab.sim(), pixels(tab)
    scale = np.array(tab.run("Array.from(pliant.stage.about.arrays.scale)")).reshape(-1, 3)
    low, high = tab.run("pliant.latest().range")
    for x in (0.12, 0.18, 0.24):
        section = np.abs(sim.world.rest[:, 0] - x) < 1e-6
        middle = sim.x[section].mean(axis=0)
        moved = np.linalg.norm(sim.x - sim.world.rest, axis=1)[section].mean()
        at = tab.run(f"pliant.stage.onScreen(pliant.stage.camera.position.clone().set(...{middle.tolist()}))")
        colour = seen[round(at["y"]), round(at["x"])]
        shown = np.linalg.norm(scale - colour, axis=1).argmin() / 255
        assert np.linalg.norm(scale - colour, axis=1).min() < 8, colour  # one of the legend, and not the body's
        told = tab.run(f"pliant.stage.onLid({at['x']}, {at['y']}).value")
        assert told == pytest.approx((moved - low) / (high - low), abs=0.02) and shown == pytest.approx(told, abs=0.03)
    tab.run("pliant.link.say('colour', {name: 'none'})")
    tab.wait("!pliant.state().inside && !pliant.latest().inside")
    at = tab.run(f"pliant.stage.onScreen(pliant.stage.camera.position.clone().set(...{middle.tolist()}))")
    tint = pixels(tab)[round(at["y"]), round(at["x"])]
    assert tint[0] > tint[2] + 40, tint  # the body's own again
    tab.run(choose % "-1")


@needs_browser
def test_a_scene_is_shown_in_real_time_or_as_it_was_given(tab, viewer):
    paused(tab, "hanging")
    assert "cpu f32" in tab.run("pliant.of('facts').textContent")
    menu = "pliant.panel.accurate.select"
    assert tab.run(f"{menu}.value") == "quick" and viewer.loop.sim.integrator.solver.iterations == 1
    assert "Newton × 1" in tab.run(f"{menu}.closest('details').textContent")
    until(tab, 0.2)
    quick = box(red(pixels(tab)))
    tab.run(f"{menu}.value = 'given'; {menu}.dispatchEvent(new Event('change'))")
    tab.wait("pliant.state().accurate && pliant.of('facts').textContent.includes('cpu f64')")
    paused(tab, "hanging")
    assert tab.run(f"{menu}.value") == "given" and viewer.loop.sim.integrator.solver.iterations is None
    until(tab, 0.2)
    assert np.allclose(box(red(pixels(tab))), quick, atol=6)  # the same motion
    paused(tab, "falling")
    assert tab.run("pliant.panel.accurate") is None and tab.complaints == []


@needs_browser
def test_the_jellies_of_the_showpiece_come_to_lie_in_their_bowl(tab):
    """Each by its colour: in the picture, beside each other and not within each other."""
    paused(tab, "bowl")
    colours = [tab.run(f"'#' + pliant.stage.bodies[{k}].material.color.getHexString()") for k in range(4)]
    assert len(set(colours)) == 4
    above = pixels(tab)
    until(tab, 0.4)
    seen = pixels(tab)
    bright = lambda picture: np.ptp(picture, axis=2) > 55
    assert bright(seen).sum() > 2000 and 0.5 < bright(seen).sum() / bright(above).sum() < 2.0
    ground = ~bright(seen) & (seen.max(axis=2) < 190)  # the bowl, darker than the page
    left, right, top, bottom = box(ground[:, : WIDE - SIDE])
    jellies = box(bright(seen)[:, : WIDE - SIDE])
    assert left < jellies[0] and jellies[1] < right and top - 20 < jellies[2] and jellies[3] < bottom
    assert abs(seen[bright(seen)].mean() - above[bright(above)].mean()) < 40 and tab.complaints == []


@needs_browser
def test_the_name_leads_to_the_documentation_or_to_the_keys(tab, monkeypatch):
    paused(tab, "falling")
    assert tab.run("pliant.of('home').click(), pliant.of('help').open")
    assert tab.run("pliant.of('more').textContent").startswith("More: pliant --help")
    tab.run("pliant.actions.help()")
    monkeypatch.setattr("pliant.view.live_loop.documentation", lambda: "https://example.org/docs")
    tab.run("pliant.link.say('example', {name: 'falling'})")
    tab.wait("pliant.of('home').href === 'https://example.org/docs'")
    assert tab.run("[pliant.of('more').textContent, pliant.of('more').firstChild.href]") == [
        "Documentation",
        "https://example.org/docs",
    ]


def test_the_documentation_is_where_the_package_says_it_is(monkeypatch):
    class Told(dict):
        def get_all(self, name):
            return self.get(name)

    for lines, place in (
        (None, ""),
        (["Homepage, https://example.org", "Documentation, https://example.org/docs"], "https://example.org/docs"),
        (["Homepage, javascript:alert(1)"], ""),
    ):
        monkeypatch.setattr(scene_description, "metadata", lambda name, lines=lines: Told({"Project-URL": lines}))
        assert scene_description.documentation.__wrapped__() == place
