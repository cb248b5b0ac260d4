"""Tables and JSON on the terminal."""

import json
import sys

import numpy as np

from pliant.cli.common.terminal import print_json, print_table


def test_plain_tables_line_up(capsys):
    print_table(("law", "unit"), [("Ogden", "Pa"), ("x", "")])
    assert capsys.readouterr().out == "law    unit\nOgden  Pa\nx\n"
    print_table(("", ""), [("a", "1")])
    assert capsys.readouterr().out == "a  1\n"


def test_terminals_get_a_drawn_table(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_table(("law", "unit"), [("[Linear]", "Pa")], title="laws")
    out = capsys.readouterr().out
    assert "[Linear]" in out and "─" in out and "laws" in out


def test_json_has_only_plain_values(capsys):
    print_json({"a": np.arange(2), "b": np.float32(0.5), "c": float("nan"), "d": (1, None, True), "e": print_json})
    found = json.loads(capsys.readouterr().out)
    assert found["a"] == [0, 1] and found["b"] == 0.5 and found["c"] is None and found["d"] == [1, None, True]
    assert isinstance(found["e"], str)
