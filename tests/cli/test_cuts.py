"""Planned cuts from the shell: those that miss, or that a run does not come to, are said in a sentence."""

from __future__ import annotations

import pytest

from pliant.cli.main import main

SCENE = """
[[bodies]]
shape = { tet_grid = { size = [0.4, 0.1, 0.1], cells = [4, 1, 1] } }
material = { StableNeoHookean = { young = 2e4 } }
[run]
seconds = 0.05
[[cuts]]
"""


@pytest.mark.parametrize(
    ("cut", "said"),
    [
        ("at = 0.02\nblade = { path = [[0.2, -1, 1], [0.2, 1, 1]], depth = 2 }", ""),
        ("at = 0.02\nblade = { path = [[5, -1, 1], [5, 1, 1]], depth = 2 }", "pliant: nothing was cut: the blade misses"),
        ("at = 0.01\nuntil = 0.04\nblade = { path = [[5, -1, 1], [5, 1, 1]], depth = 2 }", "pliant: none of the planned cuts"),
        ("at = 9\nblade = { path = [[0.2, -1, 1], [0.2, 1, 1]], depth = 2 }", "pliant: 1 of 1 planned cuts lie later"),
    ],
    ids=["cuts", "misses", "misses growing", "too late"],
)  # fmt: skip
def test_what_became_of_planned_cuts(tmp_path, capsys, cut, said):
    (tmp_path / "scene.toml").write_text(SCENE + cut, encoding="utf-8")
    assert main(["run", str(tmp_path / "scene.toml")]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "compiled" not in line]
    assert [line[: len(said)] for line in lines] == ([said] if said else [])


def test_a_name_that_stands_for_a_table_is_shown_as_one(tmp_path, capsys):
    (tmp_path / "scene.toml").write_text('contact = { response = "Barrier" }' + SCENE.replace("[[cuts]]", ""), encoding="utf-8")
    assert main(["run", str(tmp_path / "scene.toml")]) == 2
    assert capsys.readouterr().err.rstrip().endswith("Intersection, Penalty, as { Barrier = {} }")
