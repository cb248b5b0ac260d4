"""Results of a run: tried before it, independent of each other after it, the run itself never lost."""

import errno
import functools
import os
import tempfile

import pytest

import pliant as pl
from pliant.cli.main import main

SCENE = """
[[bodies]]
shape = { tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }
material = { StableNeoHookean = { young = 2e4 } }
[run]
seconds = 0.05
[output]
"""
ALL = "picture = { path = 'a.png', size = [32, 32] }\npage = 'a.html'\nsave = 'end.npz'\n"


def scene(folder, output: str):
    file = folder / "fall.toml"
    file.write_text(SCENE + output)
    return str(file)


def names(folder) -> set[str]:
    return {f.name for f in folder.iterdir()}


def instead(monkeypatch, name: str, function) -> None:
    """Let a public function do something else; scene files still read the arguments of the true one."""
    monkeypatch.setattr(pl, name, functools.wraps(getattr(pl, name))(function))


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EXDEV, "Invalid cross-device link"),
        pl.errors.InputError("it would not"),
        MemoryError(),
        ZeroDivisionError("a slip"),
    ],
)
def test_one_result_that_fails_costs_no_other(capsys, tmp_path, monkeypatch, error):
    def failing(*args, **options):
        raise error

    instead(monkeypatch, "picture", failing)
    assert main(["run", scene(tmp_path, ALL)]) == 1
    out, err = capsys.readouterr()
    assert names(tmp_path) == {"fall.toml", "a.html", "end.npz", "fall.rescued.npz"}
    assert err.count("\n") == 1 and "picture: " in err and "the run itself is kept in" in err and "a.html" in out
    assert len(pl.read(tmp_path / "fall.rescued.npz").reports) == 3


def test_an_exported_run_needs_no_rescue_and_comes_first(capsys, tmp_path, monkeypatch):
    seen = []
    instead(monkeypatch, "picture", lambda run, path, **options: seen.append(names(tmp_path)))
    instead(monkeypatch, "page", lambda run, path, **options: 1 / 0)
    assert main(["run", scene(tmp_path, ALL + "export = 'run.npz'\n")]) == 1
    assert seen == [{"fall.toml", "run.npz", "end.npz"}] == [names(tmp_path)]
    assert "page: unexpected ZeroDivisionError" in capsys.readouterr().err


def test_a_full_disk_is_one_sentence_and_the_run_goes_elsewhere(capsys, tmp_path, monkeypatch):
    honest, elsewhere = os.replace, tmp_path / "elsewhere"
    elsewhere.mkdir()

    def full(source, place):
        if elsewhere not in place.parents:
            raise OSError(errno.ENOSPC, "No space left on device")
        honest(source, place)

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    assert main(["run", scene(tmp_path, ALL)]) == 1
    err = capsys.readouterr().err
    assert err.startswith("pliant: 4 results failed: ") and err.count("No space left on device") == 3
    assert names(elsewhere) == {"fall.rescued.npz"} and names(tmp_path) == {"fall.toml", "elsewhere"}


@pytest.mark.parametrize("output", ["page = 'file/a.html'", "picture = 'folder.png'"])
def test_places_are_tried_before_the_run(capsys, tmp_path, monkeypatch, output):
    monkeypatch.setattr(pl.Simulation, "step", lambda self: 1 / 0)
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder.png").mkdir()
    assert main(["run", scene(tmp_path, output)]) == 2
    assert output.split(" ")[0] in capsys.readouterr().err


def test_forces_of_a_scene_file_become_a_table(tmp_path, capsys):
    text = SCENE.replace("[run]", "name = 'cube'\npinned = { above = { z = 0.099 } }\n[run]\nforces = true")
    file = tmp_path / "fall.toml"
    file.write_text(text + "export = 'fall.csv'\n")
    assert main(["run", str(file), "--out", str(tmp_path)]) == 0
    head, *rows = (tmp_path / "fall.csv").read_text().splitlines()
    assert '"force on pinned, z [N]"' in head and '"torque on cube, x [N m]"' in head and len(rows) == 4
    file.write_text(text.replace("forces = true", "forces = ['pined']") + "export = 'fall.csv'\n")
    assert main(["run", str(file), "--out", str(tmp_path)]) == 2
    assert "nothing here is called 'pined' (did you mean 'pinned'?)" in capsys.readouterr().err
