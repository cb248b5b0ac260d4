"""The small rooms of output: units, colours, type, PNG, palettes and frames."""

from __future__ import annotations

import io

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.output.colours import colour as colours
from pliant.output.colours.palette import indexed, palette_of
from pliant.output.colours.png import apng, png
from pliant.output.colours.stroke_font import _GLYPHS, draw_text, text_width
from pliant.output.colours.units import decades, number, prefix, quantity, round_step, ticks
from pliant.output.frames import picked, resampled


@pytest.mark.parametrize(
    ("value", "unit", "says"),
    [
        (12300, "Pa", "12.3 kPa"), (0.0034, "m", "3.4 mm"), (0, "Pa", "0 Pa"), (-1.5e-7, "m", "−150 nm"),
        (1e3, "Pa", "1 kPa"), (999, "Pa", "999 Pa"), (5e20, "Pa", "5e8 TPa"), (0.25, "", "0.25"), (100, "m", "100 m"),
    ],
)  # fmt: skip
def test_quantities_read_well(value, unit, says):
    assert quantity(value, unit) == says


def test_prefix_and_numbers():
    assert prefix(4.2e6, "Pa") == (pytest.approx(1e-6), "MPa")
    assert prefix(float("nan"), "m") == (1.0, "m")
    assert number(1234.5, 3) == "1234" and number(0.5, 3) == "0.5" and number(-2e-9) == "−2e−9"


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 7.7), (1e-9, 3e-9), (99.5, 100.2), (-1e6, 1e6)])
def test_ticks_are_round_and_inside(low, high):
    found = ticks(low, high, 5)
    assert 3 <= len(found) <= 8 and found[0] >= low - 1e-12 and found[-1] <= high * (1 + 1e-9)
    step = found[1] - found[0]
    leading = step / 10 ** np.floor(np.log10(step) + 1e-9)
    assert min(abs(leading - m) for m in (1, 2, 5)) < 1e-6
    with pytest.raises(InputError, match="finite"):
        ticks(0, float("inf"))


def test_decades_and_steps():
    np.testing.assert_allclose(decades(1, 1e6), 10.0 ** np.arange(7))
    np.testing.assert_allclose(decades(10, 100), [10, 20, 50, 100])
    assert [round_step(x) for x in (0.9, 2.0, 4.9, 73)] == pytest.approx([0.5, 2, 2, 50])


def test_the_scale_grows_evenly_lighter():
    light = colours.oklab(colours.linear(colours.scale(64)))[:, 0]
    steps = np.diff(light)
    assert steps.min() > 0 and steps.max() / steps.min() < 1.3
    assert light[0] > 0.3  # shading stays visible at the low end


def test_oklab_goes_there_and_back():
    rgb = np.random.default_rng(0).random((100, 3))
    np.testing.assert_allclose(colours.from_oklab(colours.oklab(rgb)), rgb, atol=1e-6)
    np.testing.assert_allclose(colours.encoded(colours.linear(rgb)), rgb, atol=1e-9)
    with pytest.raises(InputError, match="#rrggbb"):
        colours.parsed("#12")


def test_every_glyph_has_ink_and_they_differ():
    drawn = {}
    for character in _GLYPHS:
        image = np.ones((40, 40, 3))
        draw_text(image, character, (10, 28), 16, np.zeros(3))
        assert (1 - image).sum() > 0.9, character
        drawn[character] = image.tobytes()
    same = {"µμ", "-–", "−—"}  # one letter twice; dashes differ in length only
    different = len(set(drawn.values()))
    assert different >= len(drawn) - len(same)
    needed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;%()[]/+-−=°·×±²³µ"
    assert not set(needed) - set(_GLYPHS)


def test_text_is_placed_by_its_alignment():
    for align, where in (("left", slice(60, 120)), ("right", slice(0, 60))):
        image = np.ones((30, 120, 3))
        draw_text(image, "mmm", (60, 20), 10, np.zeros(3), align)
        ink = 1 - image[:, :, 0]
        assert ink[:, where].sum() > 0.94 * ink.sum()  # but for half a stroke
    assert text_width("mm", 10) > text_width("ii", 10) > 0
    image = np.ones((8, 8, 3))
    draw_text(image, "outside", (300, 300), 10, np.zeros(3))
    assert (image == 1).all()


def test_png_is_read_back_exactly():
    library = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(1)
    smooth = np.add.outer(np.arange(37), np.arange(53))[..., None] * [1, 2, 3] % 256
    for image in (rng.integers(0, 256, (37, 53, 3)), smooth, np.zeros((1, 1, 3))):
        image = image.astype(np.uint8)
        np.testing.assert_array_equal(np.asarray(library.open(io.BytesIO(png(image)))), image)


def test_apng_keeps_what_does_not_change():
    library = pytest.importorskip("PIL.Image")
    palette = np.array([[255, 255, 255], [200, 0, 0], [0, 0, 200]], np.uint8)
    frames = np.zeros((4, 20, 30), np.uint8)
    frames[1, 5:9, 7:11] = 1
    frames[2] = frames[1]
    frames[3, 15:, 20:] = 2
    moving = library.open(io.BytesIO(apng(frames, palette, 25)))
    assert moving.n_frames == 4
    for k in range(4):
        moving.seek(k)
        np.testing.assert_array_equal(np.asarray(moving.convert("RGB")), palette[frames[k]])
        assert moving.info["duration"] == pytest.approx(40)


def test_a_palette_is_near_every_colour():
    y, x = np.mgrid[0:64, 0:64] / 63.0
    image = (np.stack([x, y, 0.5 + 0.5 * np.sin(6 * x)], axis=2) * 255).astype(np.uint8)
    palette = palette_of([image])
    assert len(palette) <= 255
    assert np.abs(palette[indexed(image, palette)].astype(int) - image).mean() < 9
    few = palette_of([np.zeros((4, 4, 3), np.uint8)])
    assert few.tolist() == [[0, 0, 0]]


def test_frames_are_picked_and_resampled(run):
    assert picked(run, None).tolist() == list(range(13))
    assert picked(run, -1).tolist() == [12] and picked(run, slice(0, 5, 2)).tolist() == [0, 2, 4]
    assert resampled(run, 5).tolist() == [0, 2, 4, 6, 8, 10, 12]
    assert resampled(run, 20).max() == 12 and len(resampled(run, 20)) == 25
    with pytest.raises(InputError, match="it has 13, numbered 0…12"):
        picked(run, 13)
