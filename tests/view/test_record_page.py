"""Recordings and replays in a real browser: record, save, open what was saved, film, scrub."""

import io
import time
from pathlib import Path

import numpy as np
import pytest

import pliant as pl

from .browser import needs_browser, pixels
from .clients import simulation

SIZE = (800, 520)  # [px] of the page
WAIT = "globalThis.pliant?.latest() != null && pliant.state() != null"


@pytest.fixture(scope="module")
def downloads(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("downloads")


@pytest.fixture(scope="module")
def recorded(chromium, viewer, downloads):
    """A page where something has been recorded and filmed, by its button and its key."""
    chromium.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
    tab = chromium.open(viewer.url, SIZE)
    tab.wait(WAIT)
    assert tab.run("pliant.of('timeline').hidden && pliant.of('saves').hidden && !pliant.record.filming.checked")
    tab.key("x")
    assert kinds(tab) == {
        "png": True,
        "video": False,
        "html": False,
        "glb": False,
        "usd": False,
        "pc2": False,
        "npz": False,
    }
    tab.run("pliant.record.filming.click()")  # drawn by the processor, it films only if told to
    tab.key("x")
    tab.run("pliant.of('record').click()")
    tab.wait("pliant.of('record').getAttribute('aria-pressed') === 'true' && pliant.record.kept.frames > 20")
    filmed(tab)
    assert tab.run("!pliant.of('recorded').hidden && pliant.of('recorded').textContent").endswith(" s")
    tab.key("o")
    tab.wait("pliant.of('record').getAttribute('aria-pressed') === 'false' && pliant.record.film.blob != null")
    assert not tab.run("pliant.of('saves').hidden")
    tab.run("pliant.link.say('pause', {value: true})")
    yield tab
    assert tab.complaints == []
    tab.close()


def filmed(tab, frames: int = 8) -> None:
    """Wait until the encoder has begun and has seen some more frames; an mp4 is written in large pieces."""
    tab.wait("pliant.record.film.bytes > 0")
    first = tab.run("pliant.latest().number")
    tab.wait("pliant.latest().number", holds=lambda n: n >= first + frames)


def kinds(tab) -> dict[str, bool]:
    """What the menu offers, and whether it can be had."""
    items = "[...pliant.of('saves').querySelectorAll('button')].map((b) => [b.dataset.kind, !b.disabled])"
    return dict(tab.run(items))


def click(tab, kind: str) -> None:
    tab.run(f"pliant.of('saves').querySelector('[data-kind={kind}]').click()")


def came(folder: Path, name: str) -> bytes:
    """The bytes of a download, when it is whole; it is taken away, so that the next has its name."""
    file, end = folder / name, time.monotonic() + 30
    while not file.is_file() or list(folder.glob("*.crdownload")):
        assert time.monotonic() < end, f"no {name} after 30 s; there are {[f.name for f in folder.iterdir()]}"
        time.sleep(0.05)
    data = file.read_bytes()
    file.unlink()
    return data


def picture(data: bytes) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


@needs_browser
def test_the_replay_page_is_saved_and_plays(recorded, viewer, chromium, downloads, tmp_path):
    click(recorded, "html")
    body = came(downloads, "beam.html")
    recorded.wait("pliant.of('status-text').textContent", holds=lambda t: "goes to your downloads" in t)
    file = tmp_path / "beam.html"
    file.write_bytes(body)
    tab = chromium.open(file.as_uri(), SIZE)
    tab.wait("document.documentElement?.dataset.state === 'ready'")
    first = tab.run("pliant.latest().time")
    tab.wait("pliant.latest().time", holds=lambda t: t != first)
    seen = picture(tab.picture())
    assert (seen[..., 0] > seen[..., 2] + 40).mean() > 0.005  # the body's hue
    assert tab.complaints == [] and [r for r in tab.requests if not r.startswith(("file:", "data:", "blob:"))] == []
    tab.close()


@needs_browser
def test_other_files_come_down_as_well(recorded, viewer, downloads, tmp_path):
    assert all(kinds(recorded).values())
    click(recorded, "npz")
    (tmp_path / "beam.npz").write_bytes(came(downloads, "beam.npz"))
    run = pl.read(tmp_path / "beam.npz")
    assert np.array_equal(run.positions, viewer.recording.positions)
    click(recorded, "pc2")
    assert came(downloads, "beam_pc2.zip")[:2] == b"PK"


@needs_browser
def test_the_picture_is_what_is_seen_with_its_legend(recorded, downloads):
    recorded.run("pliant.link.say('colour', {name: 'stress'})")
    recorded.wait("!pliant.state().running && !pliant.of('legend').hidden")
    click(recorded, "png")
    saved = picture(came(downloads, "beam.png"))
    seen = pixels(recorded)
    covered = recorded.run("pliant.stage.covered")
    assert covered > 0 and saved.shape == (seen.shape[0], seen.shape[1] - covered, 3)
    assert np.abs(saved[80:] - seen[80:, : saved.shape[1]]).mean() < 1
    assert (np.abs(saved[:80] - saved[2, 2]).max(axis=2) > 60).sum() > 500  # the legend, where the canvas is empty


@needs_browser
def test_the_film_is_a_video(recorded, downloads, tmp_path):
    suffix = recorded.run("pliant.record.film.suffix")
    assert suffix in ("mp4", "webm") and recorded.run("pliant.record.film.blob.size") > 5000
    click(recorded, "video")
    data = came(downloads, f"beam.{suffix}")
    assert (data[4:8] == b"ftyp") if suffix == "mp4" else (data[:4] == b"\x1aE\xdf\xa3")
    reader = pytest.importorskip("imageio_ffmpeg").read_frames
    file = tmp_path / f"beam.{suffix}"
    file.write_bytes(data)
    frames = reader(str(file))
    width, height = next(frames)["size"]
    images = [np.frombuffer(f, np.uint8).reshape(height, width, 3).astype(int) for f in frames]
    assert (width, height) == (800, 520) and len(images) > 1
    red = [(i[..., 0] > i[..., 2] + 40).mean() for i in images]
    assert min(red) > 0.005  # the body is on all of them


@needs_browser
def test_what_is_refused_is_said_and_can_be_tried_again(recorded, monkeypatch):
    from pliant.view.pages import downloads as saves

    def full(*_):
        raise pl.errors.InputError("cannot write 'beam.glb': the disk is full; choose a folder you can write to")

    monkeypatch.setattr(saves, "export", full)
    click(recorded, "glb")
    recorded.wait("pliant.of('status-text').textContent", holds=lambda t: "the disk is full" in t)
    assert recorded.run("pliant.record.busy") == "" and kinds(recorded)["glb"]


@pytest.fixture(scope="module")
def replay(chromium):
    run = simulation().run(1.0, frames_per_second=30)
    with pl.view(run, port=0, open=False, block=False, name="beam.npz") as shown:
        tab = chromium.open(shown.url, SIZE)
        tab.wait(WAIT)
        yield tab, shown, run
        assert tab.complaints == []
        tab.close()


@needs_browser
def test_a_replay_plays_and_is_scrubbed_with_the_mouse(replay):
    tab, _, run = replay
    assert not tab.run("pliant.of('timeline').hidden")
    assert tab.run("pliant.of('facts').textContent").startswith("replay · 31 frames")
    assert tab.run("pliant.of('panel').querySelectorAll('.slider').length") == 0
    first = tab.run("pliant.latest().time")
    tab.wait("pliant.latest().time", holds=lambda t: t != first)  # it plays
    box = tab.run("(({left, top, width, height}) => [left, top, width, height])(pliant.of('time').getBoundingClientRect())")
    y = box[1] + box[3] / 2
    tab.drag(box[0] + 0.2 * box[2], y, 0.4 * box[2], 0, release=False)
    to = tab.run("pliant.of('time').valueAsNumber")
    assert abs(to - 18) <= 1
    tab.wait(f"!pliant.state().running && Math.abs(pliant.latest().time - {to} / 30) < 1e-6")
    at = tab.run("pliant.latest().time")
    tab.wait(f"pliant.of('frames').textContent === '{round(30 * at) + 1} / 31'")
    x = np.array(tab.run("Array.from(pliant.stage.bodies[0].positions)")).reshape(-1, 3)
    assert np.abs(x - run.skins[0].of(run.positions[round(30 * at)])).max() < 1e-4
    tab.mouse("up", box[0] + 0.6 * box[2], y)
    tab.wait("pliant.state().running")


@needs_browser
def test_keys_of_a_replay(replay):
    tab, _, _ = replay
    tab.run("pliant.link.say('pause', {value: true}); pliant.link.say('seek', {time: 0.5})")
    tab.wait("!pliant.state().running && Math.abs(pliant.latest().time - 0.5) < 1e-6")
    tab.key(",")
    tab.wait("Math.abs(pliant.latest().time - 14 / 30) < 1e-6")
    tab.key(".")
    tab.wait("Math.abs(pliant.latest().time - 0.5) < 1e-6")
    tab.key("l")
    tab.wait("pliant.of('loop').getAttribute('aria-pressed') === 'false'")
    tab.key("l")
    tab.wait("pliant.of('loop').getAttribute('aria-pressed') === 'true'")
    tab.key("c")
    tab.wait("pliant.of('legend-name').textContent", holds=lambda t: t.startswith("displacement ["))
    tab.key("w")
    assert tab.run("pliant.stage.bodies[0].lines.visible")


@needs_browser
def test_a_replay_has_no_hands_and_the_mouse_turns_the_view(replay):
    tab, shown, _ = replay
    middle = tab.run("pliant.stage.onScreen(pliant.stage.controls.target)")
    eye = tab.run("pliant.stage.camera.position.toArray()")
    tab.drag(middle["x"], middle["y"], 120, 0)
    tab.wait("pliant.stage.camera.position.toArray()", holds=lambda now: np.linalg.norm(np.subtract(now, eye)) > 0.01)
    assert tab.run("pliant.latest().hands.length") == 0 and shown.loop.state["note"][1] == ""


@needs_browser
def test_a_replay_is_filmed_and_saved(replay, downloads):
    tab, _, _ = replay
    tab.run("pliant.link.say('pause', {value: false})")
    tab.key("o")
    assert tab.run("pliant.of('recorded').textContent") == "recording"
    filmed(tab)
    tab.key("o")
    tab.wait("pliant.record.film.blob?.size > 1000")
    tab.key("x")
    assert all(kinds(tab).values())
    click(tab, "glb")
    assert came(downloads, "beam.glb")[:4] == b"glTF"
