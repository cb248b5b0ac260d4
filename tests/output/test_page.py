"""The page holds the run within its quantum, reaches for nothing outside, and draws in a real browser."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import zlib

import numpy as np
import pytest
from chromium import found

from pliant.errors import InputError
from pliant.output import page as page_module
from pliant.output.formats.merged import Merged
from pliant.output.frames import resampled
from pliant.output.looks import RayCast, Slice
from pliant.output.page import page, split_creases
from pliant.output.slices import SliceStage

CHROMIUM = found()


def parts(text):
    """Return the description and the sections of a page, unpacked as its script does."""
    about = json.loads(re.search(r'id="about">(.*?)</script>', text, re.S).group(1))
    data = zlib.decompress(base64.b64decode(re.search(r'id="data">(.*?)</script>', text, re.S).group(1)))
    return about, {name: data[at : at + size] for name, (at, size) in about["sections"].items()}


@pytest.fixture(scope="module")
def text(run, tmp_path_factory):
    return page(run, tmp_path_factory.mktemp("page") / "run.html", title="A <b>run</b> @DATA@").read_text()


def test_positions_come_back_within_the_quantum(run, text):
    about, sections = parts(text)
    frames, n = len(about["times"]), about["vertices"]
    assert frames == len(run)
    raw = np.frombuffer(sections["positions"], np.uint8).astype(np.uint16).reshape(2, frames, n, 3)
    steps = np.cumsum((raw[0] + 256 * raw[1]).astype(np.uint16), axis=0, dtype=np.uint16)
    low, high = np.array(about["box"])
    quantum = (high - low) / 65535
    merged = Merged(run)
    for f in range(frames):
        error = np.abs(low + steps[f] * quantum - merged.places(f))
        assert (error <= 0.5 * quantum + 1e-12).all()


def test_fields_and_energies_come_back(run, text):
    about, sections = parts(text)
    field = next(f for f in about["fields"] if f["name"] == "stress")
    assert field["unit"] == "Pa"
    coded = np.frombuffer(sections["field:stress"], np.uint8).reshape(len(run), -1)
    values = np.cumsum(coded, axis=0, dtype=np.uint8)[5] / 255 * (field["high"] - field["low"]) + field["low"]
    truth = np.clip(Merged(run).values("stress", 5), field["low"], field["high"])
    assert np.abs(values - truth).max() <= 0.51 / 255 * (field["high"] - field["low"])
    np.testing.assert_allclose(about["energies"]["kinetic"], run.energies["kinetic"])
    assert [b["name"] for b in about["bodies"]] == ["beam", "cloth", "rod"]
    assert about["grid"] and [p["ground"] for p in about["props"]] == [True, False]


def test_nothing_from_outside_and_only_its_own_script(text):
    assert not re.search(r"""(src|href)\s*=|url\(|@import|https?://|fetch\(|XMLHttpRequest|WebSocket""", text)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text).group(1)
    assert "default-src 'none'" in policy and "unsafe" not in policy
    for tag in ("script", "style"):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S).group(1)
        digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not re.search(r'<[^>]*\sstyle="', text.split("<script")[0])


def test_title_is_text_and_not_markup(text):
    assert "<b>run</b>" not in text
    assert "<title>A &lt;b&gt;run&lt;/b&gt; @DATA@</title>" in text


def test_a_slice_comes_back(run, tmp_path):
    """Every frame of the panel is the slice that a picture draws, in the nearest of 255 colours."""
    look = Slice(point=run.positions[0, : run.skins[0].stop].mean(axis=0), colour="stress")
    about, sections = parts(page(run, tmp_path / "a.html", fps=4, look=look).read_text())
    width, height = about["slice"]["size"]
    coded = np.frombuffer(sections["slice"], np.uint8).reshape(len(about["times"]), height, width)
    palette = np.frombuffer(sections["slice:palette"], np.uint8).reshape(-1, 3)
    image = palette[np.cumsum(coded, axis=0, dtype=np.uint8)[-1]] / 255.0
    frames = np.unique(resampled(run, 4))
    truth = SliceStage(run, frames, None, (width, height), look, 2, None).render(int(frames[-1]))
    kept = int(0.8 * width)  # the legend is on the right
    assert np.abs(image - truth)[:, :kept].mean() < 0.01 and about["slice"]["title"].startswith("stress")
    with pytest.raises(InputError, match="expected Slice"):
        page(run, tmp_path / "b.html", look=RayCast())
    assert parts(page(run, tmp_path / "c.html", fps=2).read_text())[0]["slice"] is None


def test_fps_and_colours_choose(run, tmp_path):
    about, sections = parts(page(run, tmp_path / "a.html", colours=("height",), fps=5).read_text())
    assert [f["name"] for f in about["fields"]] == ["height"]
    assert about["times"] == pytest.approx([0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2])
    assert "field:stress" not in sections


def test_creases_are_split_and_smooth_places_are_not():
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]], float)
    flat, bent = [[0, 1, 2], [0, 2, 3]], [[1, 0, 4], [1, 4, 5]]
    source, cells, wires = split_creases(corners, np.array(flat))
    assert len(source) == 4 and len(wires) == 5
    np.testing.assert_array_equal(source[cells], flat)
    source, cells, wires = split_creases(corners, np.array(flat + bent))
    assert len(source) == 8 and len(wires) == 9  # the two vertices of the fold are doubled, its edge drawn once
    np.testing.assert_array_equal(source[cells], flat + bent)


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


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed; the page is drawn by no browser here")
def test_a_browser_draws_it(run, tmp_path):
    image_library = pytest.importorskip("PIL.Image")
    file = page(run, tmp_path / "run.html")
    shot = tmp_path / "shot.png"
    subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1000,700",
         "--virtual-time-budget=3000", f"--screenshot={shot}", f"file://{file}#colour=stress&t=0.3&pause=1"],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    image = np.asarray(image_library.open(shot).convert("RGB"), dtype=int)
    # The backdrop and the panels are grey; the beam is coloured from indigo to yellow.
    colourful = np.ptp(image[80:480, :720], axis=2) > 60
    assert colourful.mean() > 0.02


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed; the page is run by no browser here")
def test_a_browser_reports_no_fault(run, tmp_path):
    look = Slice(point=run.positions[0, : run.skins[0].stop].mean(axis=0), colour="stress")
    file = page(run, tmp_path / "run.html", look=look)
    done = subprocess.run(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader",
         "--enable-unsafe-swiftshader", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--no-first-run", f"--user-data-dir={tmp_path / 'profile'}", "--enable-logging=stderr",
         "--virtual-time-budget=3000", "--dump-dom", f"file://{file}#colour=speed&wire=1&pause=1"],
        check=True, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert 'data-state="ready"' in done.stdout
    assert "speed [" in done.stdout and "stress on a plane" in done.stdout
    faults = [line for line in done.stderr.splitlines() if "CONSOLE" in line and "Refused" in line]
    assert not faults
