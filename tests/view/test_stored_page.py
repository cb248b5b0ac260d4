"""The page with a run inside holds it within its quantum, reaches for nothing outside, and plays in a browser from a file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib

import numpy as np
import pytest
from runs import cut_run, swinging_run

from pliant.errors import InputError
from pliant.output.formats.merged_mesh import Merged
from pliant.output.frames import resampled
from pliant.output.raster.creases import split_creases
from pliant.output.render_looks import RayCast, Slice
from pliant.output.slices import SliceRenderer
from pliant.view.pages import replay_page as page_module
from pliant.view.pages.replay_page import page

from .browser import needs_browser, pixels

READY = "document.documentElement?.dataset.state === 'ready'"
KINDS = {"f4": "<f4", "u4": "<u4", "u1": "u1"}


def parts(text):
    """Return the description and the sections of a page, unpacked as its script does."""
    about = json.loads(re.search(r'id="pliant-run">(.*?)</script>', text, re.S).group(1), parse_constant=pytest.fail)
    data = zlib.decompress(base64.b64decode(re.search(r'id="pliant-data">(.*?)</script>', text, re.S).group(1)))
    sections = {}
    for name, (at, kind, count) in about["sections"].items():
        sections[name] = np.frombuffer(data, KINDS[kind], count, at)
    return about, sections


def places(about, sections, k):
    """(frames, n, 3) positions of a chapter, and what one of their steps is [m]."""
    chapter = about["chapters"][k]
    raw = sections[f"positions {k}"].astype(np.uint16).reshape(2, chapter["count"], chapter["vertices"], 3)
    steps = np.cumsum((raw[0] + 256 * raw[1]).astype(np.uint16), axis=0, dtype=np.uint16)
    low, high = np.array(chapter["box"])
    quantum = (high - low) / 65535
    return low + steps * quantum, quantum


@pytest.fixture(scope="module")
def run():
    return swinging_run()


@pytest.fixture(scope="module")
def cut():
    return cut_run()


@pytest.fixture(scope="module")
def text(run, tmp_path_factory):
    return page(run, tmp_path_factory.mktemp("page") / "run.html", title="A <b>run</b> @DATA@").read_text()


def test_positions_come_back_within_the_quantum(run, text):
    about, sections = parts(text)
    assert len(about["times"]) == len(run)
    found, quantum = places(about, sections, 0)
    merged = Merged(run)
    for f in range(len(run)):
        assert (np.abs(found[f] - merged.places(f)) <= 0.5 * quantum + 1e-7).all()


def test_every_chapter_comes_back(cut, tmp_path):
    about, sections = parts(page(cut, tmp_path / "cut.html").read_text())
    assert [(c["first"], c["count"]) for c in about["chapters"]] == [(0, 7), (7, 6)]
    for k, frame in ((0, 6), (1, 7), (1, 12)):
        found, quantum = places(about, sections, k)
        error = np.abs(found[frame - about["chapters"][k]["first"]] - Merged(cut, k).places(frame))
        assert (error <= 0.5 * quantum + 1e-7).all()
        assert len(sections[f"field {k} stress"]) == found.shape[0] * found.shape[1]
    scenes = [c["scene"] for c in about["chapters"]]
    assert [[b["name"] for b in s["bodies"]] for s in scenes] == [["beam", "cloth", "rod"], ["beam", "cloth"]]
    assert scenes[0]["replay"]["series"] == scenes[1]["replay"]["series"]


def test_fields_and_energies_come_back(run, text):
    about, sections = parts(text)
    field = next(f for f in about["fields"] if f["name"] == "stress")
    assert field["unit"] == "Pa"
    coded = sections["field 0 stress"].reshape(len(run), -1)
    values = np.cumsum(coded, axis=0, dtype=np.uint8)[5] / 255 * (field["high"] - field["low"]) + field["low"]
    truth = np.clip(Merged(run).values("stress", 5), field["low"], field["high"])
    assert np.abs(values - truth).max() <= 0.51 / 255 * (field["high"] - field["low"])
    scene = about["chapters"][0]["scene"]
    at = scene["replay"]["energies"].index("kinetic")
    np.testing.assert_allclose(sections[f"scene 0 energy:{at}"], run.energies["kinetic"], rtol=1e-6)
    assert [b["name"] for b in scene["bodies"]] == ["beam", "cloth", "rod"]
    assert [p["ground"] for p in scene["props"]] == [True, False]


def test_only_its_own_script_may_run_and_nothing_else_is_reached(text):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
    script = re.search(r'<script type="module">(.*)</script>\n</body>', text, re.S).group(1)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "</script" not in script and "<!--" not in script  # either would end it early
    around = text.replace(script, "")
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://|\sstyle=""", around)


def test_what_a_small_page_weighs(text):
    """Most of it is the script of the viewer."""
    assert len(text.encode()) < 1_000_000


def test_title_is_text_and_not_markup(text):
    assert "<b>run</b>" not in text
    assert "<title>A &lt;b&gt;run&lt;/b&gt; @DATA@</title>" in text


def test_a_slice_comes_back(run, tmp_path):
    """Every frame of the panel is the slice that a picture draws, in the nearest of 255 colours."""
    look = Slice(point=run.positions[0, : run.skins[0].stop].mean(axis=0), colour="stress")
    about, sections = parts(page(run, tmp_path / "a.html", fps=4, look=look).read_text())
    width, height = about["slice"]["size"]
    coded = sections["slice"].reshape(len(about["times"]), height, width)
    palette = sections["slice palette"].reshape(-1, 3)
    image = palette[np.cumsum(coded, axis=0, dtype=np.uint8)[-1]] / 255.0
    frames = np.unique(resampled(run, 4))
    truth = SliceRenderer(run, frames, None, (width, height), look, 2, None).render(int(frames[-1]))
    kept = int(0.8 * width)  # the legend is on the right
    assert np.abs(image - truth)[:, :kept].mean() < 0.01 and about["slice"]["title"].startswith("stress")
    with pytest.raises(InputError, match="expected Slice"):
        page(run, tmp_path / "b.html", look=RayCast())
    assert parts(page(run, tmp_path / "c.html", fps=2).read_text())[0]["slice"] is None


def test_fps_and_colours_choose(run, tmp_path):
    about, sections = parts(page(run, tmp_path / "a.html", colours=("height",), fps=5).read_text())
    assert [f["name"] for f in about["fields"]] == ["height"] and about["fields"][0]["unit"] == "m"
    assert about["times"] == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2])
    assert "field 0 stress" not in sections


def test_creases_are_split_and_smooth_places_are_not():
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]], float)
    flat, bent = [[0, 1, 2], [0, 2, 3]], [[1, 0, 4], [1, 4, 5]]
    source, cells, wires = split_creases(corners, np.array(flat))
    assert len(source) == 4 and len(wires) == 5
    np.testing.assert_array_equal(source[cells], flat)
    source, cells, wires = split_creases(corners, np.array(flat + bent))
    assert len(source) == 8 and len(wires) == 9  # the two vertices of the fold are doubled, its edge drawn once
    np.testing.assert_array_equal(source[cells], flat + bent)
    with np.errstate(all="raise"):  # a triangle without area in single precision has no direction, and says nothing of it
        assert len(split_creases(corners.astype(np.float32), np.array([*flat, [0, 1, 1]]))[0])
    middle = np.array([*corners, [0.5, 0, 0]])  # of the fold, which only one side knows: the other has a triangle without area
    cells = split_creases(middle, np.array([[0, 6, 2], [6, 1, 2], [0, 2, 3], *bent, [0, 1, 6]]))[1]
    assert set(cells[-1]) < set(cells[:-1].ravel())  # it is lit as its neighbours are


@pytest.mark.parametrize(
    ("path", "options", "says"),
    [
        ("run.txt", {}, "ending in .html"),
        ("run.html", {"colours": ("strain",)}, "no field 'strain'"),
        ("run.html", {"colours": "stres"}, "did you mean 'stress'"),
        ("run.html", {"fps": 0}, "fps is 0"),
    ],
)
def test_bad_requests_leave_nothing(run, tmp_path, path, options, says):
    with pytest.raises(InputError, match=says):
        page(run, tmp_path / path, **options)
    assert list(tmp_path.iterdir()) == []


def test_too_large_a_run_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr(page_module, "LIMIT", 20_000)
    with pytest.raises(InputError, match="lower fps until at most"):
        page(run, tmp_path / "run.html")


# --- what is not finite


def spoilt(run):
    """A run with a frame astray, a field without a number, one with a few, and infinite energies."""
    positions = run.positions.copy()
    positions[3, 5] = np.nan
    some = run.fields["stress"].copy()
    some[:, 0], some[4] = np.inf, np.nan
    fields = {"stress": np.full_like(some, np.inf), "pressure": some}
    energies = {name: values.copy() for name, values in run.energies.items()}
    energies["kinetic"][5:] = np.inf
    return run.changed(positions=positions, fields=fields, energies=energies)


def test_what_is_not_finite_is_said_and_loses_nothing_else(run, tmp_path):
    text = page(spoilt(run), tmp_path / "a.html").read_text()
    about, _ = parts(text)
    (chapter,) = about["chapters"]
    notes = " ".join(chapter["scene"]["notes"])
    assert "1 of 13 frames hold positions that are not finite, first at 3" in notes
    assert "The energy 'kinetic' is not finite" in notes
    assert "Field 'stress' has no finite value on the surface, so it is left out." in notes
    assert [f["name"] for f in about["fields"]] == ["displacement", "speed", "pressure"]
    assert chapter["count"] == 12 and len(about["times"]) == 12
    assert all(np.isfinite([f["low"], f["high"]]).all() for f in about["fields"])
    assert "Infinity" not in re.search(r'id="pliant-run">(.*?)</script>', text, re.S).group(1)


def test_a_run_of_nothing_finite_is_refused_in_one_sentence(run, tmp_path):
    with pytest.raises(InputError, match="none of the 13 frames holds positions that are all finite"):
        page(run.changed(positions=np.full_like(run.positions, np.inf)), tmp_path / "a.html")


# --- in a browser


SIZE = (1100, 720)  # [px] of the page


def opened(chromium, file, link=""):
    tab = chromium.open(f"{file.as_uri()}{link}", SIZE)
    tab.wait(READY)
    return tab


@needs_browser
def test_a_browser_draws_it_from_a_file(run, tmp_path, chromium):
    look = Slice(point=run.positions[0, : run.skins[0].stop].mean(axis=0), colour="stress")
    file = page(run, tmp_path / "run.html", look=look, title="Beam")
    tab = opened(chromium, file, "#colour=stress&t=0.3&pause=1&theme=light")
    tab.wait("Math.abs(pliant.latest().time - 0.3) < 1e-6 && pliant.latest().colours !== null")
    colourful = np.ptp(pixels(tab), axis=2) > 60  # the rest is grey
    assert colourful.mean() > 0.01
    tab.wait("pliant.of('legend-name').textContent.startsWith('von Mises stress [')")
    assert tab.run("pliant.of('slice-title').textContent") == "stress on a plane"
    low, high = tab.run("pliant.latest().range")
    colours = np.array(tab.run("Array.from(pliant.latest().colours)"))
    tab.run("pliant.of('hold').click()")
    tab.run(f"pliant.link.say('range', {{ends: [{low}, {low + 2 * (high - low)}]}})")
    tab.wait(f"Math.abs(pliant.latest().range[1] - {low + 2 * (high - low)}) < 1e-6 * {high}")
    assert np.abs(np.array(tab.run("Array.from(pliant.latest().colours)")) - colours / 2).max() <= 1
    assert tab.run("document.title") == "Beam" and tab.run("pliant.of('notes').hidden")
    x = np.array(tab.run("Array.from(pliant.stage.bodies[0].positions)")).reshape(-1, 3)
    assert np.abs(x - run.skins[0].of(run.positions[3])).max() < 1e-4
    assert tab.complaints == [] and tab.requests == [tab.requests[0]]
    tab.close()


@needs_browser
def test_its_clock_never_lies_before_the_beginning(run, tmp_path, chromium):
    """The browser may give a picture a time before the moment at which the page began to count."""
    early = """globalThis.seen = []; const plain = requestAnimationFrame;
    globalThis.requestAnimationFrame = (f) => plain((now) => {
      f(now - 500); const at = globalThis.pliant?.latest()?.time; if (at !== undefined) seen.push(at); });"""
    file = page(run, tmp_path / "run.html")
    tab = chromium.open("about:blank", SIZE)
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=early)
    tab.call("Page.navigate", url=file.as_uri())
    tab.wait("globalThis.seen?.length > 8")
    assert min(tab.run("seen")) >= 0 and max(tab.run("seen")) <= run.times[-1]
    tab.close()


@needs_browser
def test_light_and_dark(run, tmp_path, chromium):
    file = page(run, tmp_path / "run.html")
    light, dark = (opened(chromium, file, f"#t=0.3&pause=1&theme={name}") for name in ("light", "dark"))
    assert pixels(light)[:40].mean() > 200 and pixels(dark)[:40].mean() < 60
    dark.key("t")
    dark.wait("pliant.theme.dark === false")
    assert pixels(dark)[:40].mean() > 200
    for tab in (light, dark):
        assert tab.complaints == []
        tab.close()


@needs_browser
def test_ticks_keys_speed_and_plots(run, tmp_path, chromium):
    tab = opened(chromium, page(run, tmp_path / "run.html"), "#pause=1&t=0.5")
    tab.wait("!pliant.state().running")
    tab.run("pliant.of('panel').querySelector('.bodies .tick input').click()")
    assert tab.run("pliant.stage.bodies.map((b) => b.node.visible)") == [False, True, True]
    tab.key("ArrowRight")
    tab.wait("Math.abs(pliant.latest().time - 0.6) < 1e-6")
    tab.key(",")
    tab.wait("Math.abs(pliant.latest().time - 0.5) < 1e-6")
    tab.key("End")
    tab.wait("Math.abs(pliant.latest().time - 1.2) < 1e-6")
    tab.key("+")
    tab.wait("pliant.of('speed-value').textContent === '1.5×'")
    tab.key("c")
    tab.wait("pliant.latest().colours !== null && pliant.of('legend-name').textContent.startsWith('displacement [')")
    keys = "[...pliant.of('energies-key').children].map((c) => c.children[1].textContent)"
    assert tab.run(keys) == ["kinetic", "elastic"]
    box = tab.run("(({left, top, width}) => [left, top, width])(pliant.of('energies').getBoundingClientRect())")
    tab.mouse("move", box[0] + 0.5 * box[2], box[1] + 20, pressed=False, button="none")
    tab.mouse("down", box[0] + 0.5 * box[2], box[1] + 20)
    tab.mouse("up", box[0] + 0.5 * box[2], box[1] + 20)
    tab.wait("Math.abs(pliant.latest().time - 0.6) < 0.02")
    tab.key("x")
    assert tab.run("pliant.of('saves').textContent.includes('this page itself')")
    tab.key(" ")
    tab.wait("pliant.state().running")
    assert tab.complaints == []
    tab.close()


@needs_browser
def test_it_turns_to_another_chapter_and_keeps_the_view(cut, tmp_path, chromium):
    tab = opened(chromium, page(cut, tmp_path / "cut.html"), "#pause=1&t=0.2")
    tab.wait("pliant.stage.bodies.length === 3")
    tab.run("pliant.stage.camera.position.x += 0.1; pliant.stage.see('cloth', false)")
    eye = tab.run("pliant.stage.camera.position.toArray()")
    tab.run("pliant.link.say('seek', {time: 0.9})")
    tab.wait("pliant.stage.bodies.length === 2 && Math.abs(pliant.latest()?.time - 0.9) < 1e-6")
    x = np.array(tab.run("Array.from(pliant.stage.bodies[0].positions)")).reshape(-1, 3)
    moment = cut.moment(9)
    assert np.abs(x - moment.skins[0].of(moment.x)).max() < 1e-4
    assert np.allclose(tab.run("pliant.stage.camera.position.toArray()"), eye, atol=0.02)
    assert tab.run("pliant.stage.bodies.map((b) => b.node.visible)") == [True, False]
    tab.run("pliant.link.say('seek', {time: 0.65})")  # between the chapters lies the last frame of the first
    tab.wait("pliant.stage.bodies.length === 3")
    assert tab.complaints == []
    tab.close()


@needs_browser
def test_a_page_says_what_it_leaves_out(run, tmp_path, chromium):
    tab = opened(chromium, page(spoilt(run), tmp_path / "a.html"))
    assert "1 of 13 frames" in tab.run("pliant.of('notes').textContent")
    assert tab.complaints == []
    tab.close()


@needs_browser
def test_without_webgl_there_is_a_sentence(run, tmp_path, chromium):
    file = page(run, tmp_path / "a.html")
    tab = chromium.open("about:blank", SIZE)
    without = "HTMLCanvasElement.prototype.getContext = () => null; console.error = () => {}"
    tab.call("Page.addScriptToEvaluateOnNewDocument", source=without)
    tab.call("Page.navigate", url=file.as_uri())
    tab.wait("document.documentElement?.dataset.state === 'failed'")
    assert "has no WebGL2" in tab.run("document.querySelector('main').shadowRoot.textContent")
    tab.close()
