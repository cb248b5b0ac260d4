"""Charts are well-formed, hold their data in place, and say what is wrong with what they are given."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from pliant.errors import InputError
from pliant.output.plot import Chart

SVG = "{http://www.w3.org/2000/svg}"


def chart():
    x = np.linspace(0, 2, 21)
    return (
        Chart("Stress & stretch", "stretch", "stress", y_unit="Pa")
        .line(x, 3e3 * x, "a < b")
        .points(x[::5], 2e3 * x[::5], "measured")
    )


def drawn(svg, kind):
    return list(ElementTree.fromstring(svg).iter(SVG + kind))


def test_svg_is_whole_and_holds_everything():
    svg = chart().svg()
    texts = [t.text for t in drawn(svg, "text")]
    assert {"Stress & stretch", "a < b", "measured", "stress [kPa]", "stretch", "0", "2"} <= set(texts)
    assert len(drawn(svg, "circle")) == 5 + 1  # points, and their mark in the legend
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_a_straight_line_is_straight_and_within_the_frame():
    lines = [line.get("points") for line in drawn(chart().svg(), "polyline")]
    data = np.array([[float(v) for v in p.split(",")] for p in max(lines, key=len).split()])
    assert len(data) == 21
    steps = np.diff(data, axis=0)
    np.testing.assert_allclose(steps, steps.mean(axis=0) * np.ones((20, 1)), atol=0.02)
    assert steps[0, 0] > 0 > steps[0, 1] and data.min() > 0 and data[:, 0].max() <= 640 and data[:, 1].max() <= 400


def test_log_axes_turn_powers_into_lines():
    n = np.array([1.0, 10, 100, 1000])
    svg = Chart("", "n", "error", log_x=True, log_y=True).line(n, n**-2.0, "e").svg()
    lines = [line.get("points") for line in drawn(svg, "polyline") if len(line.get("points").split()) == 4]
    data = np.array([[float(v) for v in p.split(",")] for p in lines[0].split()])
    np.testing.assert_allclose(np.diff(data, axis=0), np.diff(data, axis=0)[:1] * np.ones((3, 1)), atol=0.02)
    assert {"1", "10", "100", "1000", "1e−6"} <= {t.text for t in drawn(svg, "text")}


def test_lines_break_at_gaps():
    svg = Chart().line([0, 1, 2, 3, 4], [0, 1, np.nan, 1, 2]).svg()
    pieces = [p for p in drawn(svg, "polyline") if p.get("stroke") == "#d9654f"]
    assert [len(p.get("points").split()) for p in pieces] == [2, 2]


def test_charts_are_values():
    empty = Chart("t")
    one = empty.line([0, 1], [0, 1], "a")
    assert len(empty.series) == 0 and len(one.series) == 1
    both = one.points([0, 1], [0, 1], "a").line([0, 1], [1, 0], "b")
    assert both.series[0].colour == both.series[1].colour != both.series[2].colour


def test_png_shows_the_same_chart(tmp_path):
    library = pytest.importorskip("PIL.Image")
    image = np.asarray(library.open(chart().save(tmp_path / "c.png")).convert("RGB"), dtype=int)
    assert image.shape == (800, 1280, 3)
    red = (np.abs(image - [0xD9, 0x65, 0x4F]).max(axis=2) < 30).mean()
    assert 0.002 < red < 0.05
    assert chart().save(tmp_path / "c.svg").read_text() == chart().svg()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Chart().svg(), "has no series"),
        (lambda: Chart().line([1, 2], [1]), "one length"),
        (lambda: Chart().line(["a"], [1]), "cannot be read as numbers"),
        (lambda: Chart(log_y=True).line([1, 2], [-1, 0]), "no positive, finite point"),
        (lambda: Chart().line([1], [1], colour="red"), "#rrggbb"),
        (lambda: Chart().line([1], [1]).save("chart.pdf"), "ending in .svg or .png"),
    ],
)
def test_bad_charts(make, says):
    with pytest.raises(InputError, match=says):
        make()


def test_a_flat_series_still_has_axes():
    texts = {t.text for t in drawn(Chart("", "t", "E", y_unit="J").line([0, 1], [5, 5]).svg(), "text")}
    assert "E [J]" in texts and "5" in texts


def test_ticks_between_powers_of_ten_say_which_they_are():
    narrow = {t.text for t in drawn(Chart("", "tets", "", log_x=True).line([1.5e5, 6e5], [1, 2]).svg(), "text")}
    assert {"2e5", "5e5"} <= narrow
