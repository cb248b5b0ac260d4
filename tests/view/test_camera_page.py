"""The view in a real browser: it goes along in the first moments, stays where somebody turned it, and finds what is lost."""

import numpy as np
import pytest

import pliant as pl

from .browser import needs_browser, ready


def thrown() -> pl.Simulation:
    """A cube that flies sideways and falls, with no floor below."""
    law = pl.StableNeoHookean(young=4e4, poisson=0.4)
    cube = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), law, velocity=(0.9, 0, 0), name="cube")
    return pl.Simulation(pl.Scene([cube], gravity=(0, 0, -0.2)), pl.ImplicitEuler(dt=1 / 60))


@pytest.fixture(scope="module")
def viewer():
    with pl.view(thrown(), port=0, open=False, block=False, name="thrown", library={"thrown": thrown}) as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(chromium, viewer):
    with ready(chromium, viewer.url) as opened:
        yield opened


@needs_browser
def test_the_page_notes_when_its_first_picture_was_drawn(tab):
    """What benchmarks/first_picture.py prints; how long it takes is that benchmark's business."""
    first = float(tab.wait("document.documentElement.dataset.first"))
    begun = tab.run("performance.getEntriesByType('navigation')[0].responseEnd")
    assert begun < first + 1 and first <= tab.run("performance.now()") + 1


# where the corners of the box of the bodies are on the screen
PLACES = """[0, 1, 2, 3, 4, 5, 6, 7].map((k) => {
    const [s, { low, span }] = [pliant.stage, pliant.stage.where];
    const { x, y } = s.onScreen(s.camera.position.clone().set(...[0, 1, 2].map((i) => low[i] + ((k >> i) & 1) * span[i])));
    return [x, y]; })"""


def begin(tab) -> None:
    """The scene anew, standing still."""
    tab.run("pliant.link.say('example', { name: 'thrown' }); pliant.link.say('pause', { value: true })")
    tab.wait("pliant.latest() && !pliant.latest().running && pliant.latest().time < 0.1")


def steps(tab, count: int) -> None:
    """So many steps, one after the other; the view has then come to rest."""
    time = tab.run("pliant.latest().time")
    tab.run(f"for (let k = 0; k < {count}; k++) pliant.link.say('step')")
    tab.wait(f"pliant.latest().time > {time + (count - 0.5) / 60} && !pliant.stage.going")


@needs_browser
def test_what_flies_off_in_the_first_moments_stays_in_the_picture(tab):
    begin(tab)
    at = tab.run("pliant.stage.camera.position.toArray()")
    steps(tab, 27)
    assert tab.run("pliant.stage.where.low[0]") > 0.35  # where the first view does not reach
    assert tab.run("pliant.stage.camera.position.toArray()") != at
    for x, y in tab.run(PLACES):
        assert 0 < x < 1280 - 264 and 0 < y < 800 - 60
    assert tab.run("pliant.of('lost').hidden") is True and not tab.complaints


@needs_browser
def test_a_view_that_was_turned_stays_and_what_is_lost_is_found(tab):
    begin(tab)
    tab.drag(120, 420, 40, 0)  # beside the body
    tab.wait("pliant.stage.turned === true")
    steps(tab, 120)
    tab.wait("!pliant.of('lost').hidden")
    assert not any(0 < x < 1280 and 0 < y < 800 for x, y in tab.run(PLACES))
    tab.run("pliant.of('lost').click()")
    tab.wait("pliant.of('lost').hidden")
    assert all(0 < x < 1280 - 264 and 0 < y < 800 - 60 for x, y in tab.run(PLACES))


@needs_browser
def test_the_view_is_turned_by_keys_and_by_its_axes_time_goes_back_and_values_have_other_colours(tab):
    begin(tab)
    axis = "pliant.stage.camera.getWorldDirection(pliant.stage.camera.position.clone()).toArray()"
    for key, along in (("1", [0, 1, 0]), ("2", [-1, 0, 0]), ("3", [0, 0, -1])):
        tab.key(key)
        tab.wait(axis, holds=lambda seen, along=along: np.allclose(seen, along, atol=2e-3))
    tab.key("4")
    tab.wait(axis, holds=lambda seen: seen[2] > -0.6)
    left, top, size = tab.run("(({left, top, width}) => [left, top, width])(pliant.of('axes').getBoundingClientRect())")
    tab.wait("pliant.stage.stale === false")
    x = "pliant.stage.camera.position.clone().set(1, 0, 0)"
    end = tab.run(f"{x}.applyQuaternion(pliant.stage.camera.quaternion.clone().invert()).toArray()")
    at = [left + size * (0.5 + 0.34 * end[0]), top + size * (0.5 - 0.34 * end[1])]
    tab.drag(*at, 0, 0)  # a click on the end of x
    tab.wait(axis, holds=lambda seen: np.allclose(seen, [-1, 0, 0], atol=2e-3))
    steps(tab, 3)
    time = tab.run("pliant.latest().time")
    tab.run("pliant.of('back').click()")
    tab.wait(f"Math.abs(pliant.latest().time - {time - 1 / 60}) < 1e-4")
    tab.key(",")
    tab.wait(f"Math.abs(pliant.latest().time - {time - 2 / 60}) < 1e-4")
    tab.run("pliant.link.say('colour', {name: 'speed'})")
    tab.wait("pliant.latest().colours")
    choose = "((s, v) => { s.value = v; s.dispatchEvent(new Event('change')); })(pliant.panel.scale.select, '%s')"
    bar = "Array.from(pliant.of('legend-bar').getContext('2d').getImageData(255, 0, 1, 1).data).slice(0, 3)"
    ends = {}
    for name in ("usual", "viridis", "grey"):
        tab.run(choose % name)
        last = "Array.from(pliant.stage.palettes[0].image.data.slice(1020, 1023))"
        ends[name] = tab.run(last)
        steps(tab, 1)
        tab.wait(bar, holds=lambda seen, name=name: np.allclose(seen, ends[name], atol=2))
    assert ends["viridis"] == [253, 231, 37] and ends["grey"] == [245, 245, 245]
    tab.complaints[:] = [text for text in tab.complaints if "willReadFrequently" not in text]  # of this test itself
    assert not tab.complaints
