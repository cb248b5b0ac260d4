"""A page of a study has the chart that fits what was varied, its failures, and nothing that a browser would load."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import pliant as pl

pytest.importorskip("xarray")
TIMES = np.linspace(0, 1, 5)


def still(value: float) -> pl.Run:
    return pl.Run.single(TIMES, np.full((5, 1, 3), value), np.zeros((5, 1, 3)), np.zeros((1, 3)), ())


def drawn(parameters, measure, tmp_path, make=lambda **values: float(sum(values.values()))) -> tuple[str, list[ET.Element]]:
    path = pl.study.page(pl.sweep(make, parameters, measure), tmp_path / "study.html", "A <study>")
    text = path.read_text(encoding="utf-8")
    assert "A &lt;study&gt;" in text and "default-src 'none'" in text and "<script" not in text
    return text, [ET.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL)]


def count(svg: ET.Element, tag: str) -> int:
    return sum(one.tag.endswith(tag) for one in svg.iter())


def test_one_parameter_is_a_line(tmp_path):
    _, (svg,) = drawn({"a": [1.0, 2, 3]}, {"sum": lambda s: s}, tmp_path)
    assert count(svg, "circle") == 3


def test_two_are_a_heat_map_with_a_hole_where_a_member_failed(tmp_path):
    make = lambda a, b: a * b if a * b < 6 else 1 / 0
    text, (svg,) = drawn({"a": [1, 2, 3], "b": [1, 2]}, {"product": float}, tmp_path, make)
    assert count(svg, "rect") == 5 and "1 failed: ZeroDivisionError: division by zero" in text
    fills = {one.get("fill") for one in svg.iter() if one.tag.endswith("rect")}
    assert len(fills) == 4, "1, 2, 2, 3 and 4"


def test_more_are_parallel_axes(tmp_path):
    _, (svg,) = drawn({"a": [1, 2], "b": [1, 2], "c": [1.0, 100]}, {"sum": lambda s: s}, tmp_path)
    assert count(svg, "polyline") == 8 and count(svg, "path") == 4


def test_a_design_is_parallel_axes_too(tmp_path):
    plan = pl.study.LatinHypercube({"a": (0.0, 1.0), "b": (0.0, 1.0)}, 10)
    _, (svg,) = drawn(plan, {"sum": lambda s: s}, tmp_path)
    assert count(svg, "polyline") == 10 and count(svg, "path") == 3


def test_series_are_lines_over_time_and_arrays_have_no_chart(tmp_path):
    measure = {"height": lambda run: run.positions[:, 0, 2], "where": lambda run: run.positions[-1, 0]}
    text, charts = drawn({"a": [1.0, 2.0]}, measure, tmp_path, make=lambda a: still(a))
    assert len(charts) == 2 and "over time" in text and "no chart" in text


def test_words_are_axes(tmp_path):
    make = lambda a, word: a * len(word)
    text, (svg,) = drawn({"a": [1.0, 2.0], "word": ["i", "iii"]}, {"n": float}, tmp_path, make)
    assert count(svg, "rect") == 4 and ">iii<" in text
    _, (svg,) = drawn({"word": ["i", "iii"]}, {"n": float}, tmp_path, lambda word: len(word))
    assert count(svg, "circle") == 2


def test_what_is_no_study_is_refused(tmp_path):
    with pytest.raises(pl.errors.InputError, match="the Dataset that sweep returned"):
        pl.study.page({}, tmp_path / "study.html")
    with pytest.raises(pl.errors.InputError, match=r"ending in \.html"):
        pl.study.page({}, tmp_path / "study.png")
