"""Scene files and commands that cannot be followed: one clear sentence, exit code 2 and no file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sentences import check_folder

import pliant as pl
from pliant.cli.main import main

SCENE = """
[[bodies]]
shape = { tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] } }
material = { StableNeoHookean = { young = 1e4 } }
BODY
[run]
seconds = 0.05
[output]
page = "a.html"
save = "a.npz"
"""
# what replaces what in a scene that is fine, and words of the complaint
SCENES = {
    "negative modulus": (
        "young = 1e4",
        "young = -1e4",
        "material.StableNeoHookean: StableNeoHookean(young=…) is -10000 Pa",
    ),
    "poisson of a half": ("young = 1e4", "young = 1e4, poisson = 0.5", "expected -1 < poisson < 0.5"),
    "nan modulus": ("young = 1e4", "young = nan", "is nan Pa"),
    "text modulus": ("young = 1e4", "young = '10 kPa'", "young: is text '10 kPa'; expected a number"),
    "boolean modulus": ("young = 1e4", "young = true", "young: is true; expected a number"),
    "date as modulus": ("young = 1e4", "young = 2024-01-01", "expected a number"),
    "missing modulus": ("young = 1e4", "", "young: is missing; expected a number"),
    "unknown law": ("StableNeoHookean", "StableNeoHokean", "did you mean 'StableNeoHookean'?"),
    "unknown key": ("young = 1e4", "young = 1e4, densty = 1", "did you mean 'density'?"),
    "shape as material": (
        "StableNeoHookean = { young = 1e4 }",
        "sphere = { radius = 1 }",
        "expected a material such as",
    ),
    "cells of text": ("cells = [1, 1, 1]", "cells = ['a', 1, 1]", "cells[0]: is text 'a'; expected a whole number"),
    "huge grid": ("cells = [1, 1, 1]", "cells = [2000000, 2000000, 2]", "expected fewer cells"),
    "missing mesh": ("tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] }", "read = 'liver.msh'", "there is no file"),
    "two keys alike": ("young = 1e4", "young = 1e4, young = 2e4", "is not TOML"),
    "nothing pinned": ("BODY", "pinned = { below = { x = -1 } }", "no node was selected"),
    "pressure in nothing": ("BODY", "effects = [ { Pressure = { pascals = 'a' } } ]", "pascals: is text 'a'"),
    "friction below zero": ("[run]", "[contact]\nfriction = -1\n[run]", "Contact(friction=…) is -1"),
    "gravity of two": ("[run]", "[[bodies]]\n[run]", "bodies[1].shape: is missing"),
    "no time step": ("[run]", "[integrator.ImplicitEuler]\ndt = 0\n[run]", "ImplicitEuler(dt=0): expected a positive"),
    "unknown integrator": ("[run]", "[integrator.RungeKutta]\n[run]", "unknown name 'RungeKutta'; expected one of"),
    "unknown solver key": (
        "[run]",
        "[integrator.BDF2]\nsolver = { Newton = { tolerence = 1 } }\n[run]",
        "did you mean 'tolerance'?",
    ),
    "unknown section": ("[run]", "[runn]", "unknown key 'runn' (did you mean 'run'?)"),
    "no seconds": ("seconds = 0.05", "", "run.seconds: is missing"),
    "negative seconds": ("seconds = 0.05", "seconds = -1", "run(seconds=-1): expected a positive number"),
    "no frames": ("seconds = 0.05", "seconds = 1\nframes_per_second = 0", "expected a positive number"),
    "unknown output": ("page", "pages", "did you mean 'page'?"),
    "picture as jpg": ('page = "a.html"', 'picture = "a.jpg"', "output.picture: ends in '.jpg'"),
    "page without a name": ('"a.html"', "3", "output.page.path: is 3"),
    "unstable step": ("[run]", "[integrator.SymplecticEuler]\ndt = 1.0\n[run]", "the largest stable step is"),
}


@pytest.mark.parametrize("name", SCENES)
def test_scene_files(name, tmp_path, capsys):
    old, new, words = SCENES[name]
    assert old in SCENE
    path = tmp_path / "scene.toml"
    path.write_text(SCENE.replace(old, new, 1).replace("BODY", ""))
    assert main(["run", str(path)]) == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("pliant: compil")]
    assert out == "" and words in err and str(path) in lines[0] and "Traceback" not in err
    assert len(lines) == 1 or lines[0].endswith("faults:")
    check_folder(tmp_path, {"scene.toml"})


def test_the_scene_that_the_others_spoil_is_fine(tmp_path, capsys):
    path = tmp_path / "scene.toml"
    path.write_text(SCENE.replace("BODY", ""))
    assert main(["run", str(path)]) == 0
    assert {f.name for f in tmp_path.iterdir()} == {"scene.toml", "a.html", "a.npz"}


COMMANDS = {
    "no such scene": (["run", "none.toml"], "there is no file none.toml"),
    "folder as a scene": (["run", "."], "is a folder"),
    "label of a mesh": (["run", "ball.stl", "--label", "2"], "--label is for volumes"),
    "bad device": (["run", "scene.toml", "--device", "tpu"], "expected 'cpu', 'cuda' or 'cuda:0'"),
    "bad precision": (["run", "scene.toml", "--precision", "f16"], "expected 'f32' or 'f64'"),
    "negative seconds": (["run", "scene.toml", "--seconds", "-1"], "expected a positive number of seconds"),
    "nan seconds": (["run", "scene.toml", "--seconds", "nan"], "expected a positive number of seconds"),
    "out is a file": (["run", "scene.toml", "--out", "ball.stl"], "is a file; expected a folder"),
    "demo out is a file": (["demo", "--out", "ball.stl"], "is a file; expected a folder"),
    "demo of no time": (["demo", "--seconds", "0"], "positive number of seconds"),
    "demo elsewhere": (["demo", "--device", "abacus"], "expected 'cpu', 'cuda' or 'cuda:0'"),
    "edge of zero": (["mesh", "ball.stl", "a.msh", "--edge", "0"], "edge"),
    "nan edge": (["mesh", "ball.stl", "a.msh", "--edge", "nan"], "edge"),
    "edge too long": (["mesh", "ball.stl", "a.msh", "--edge", "100"], "edge"),
    "scale of zero": (["mesh", "ball.stl", "a.msh", "--scale", "0"], "expected one positive number"),
    "tets into stl": (["mesh", "ball.stl", "a.stl", "--edge", "0.5"], "stl cannot hold tets"),
    "unknown format": (["mesh", "ball.stl", "a.ms"], "did you mean '.msh'?"),
    "inspect nothing": (["inspect", "none.stl"], "there is no file none.stl"),
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder with a good scene and a good mesh, to work in."""
    monkeypatch.chdir(tmp_path)
    Path("scene.toml").write_text(SCENE.replace("BODY", ""))
    pl.write(pl.meshes.sphere(1.0, 1), "ball.stl")
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_commands(name, folder, capsys):
    argv, words = COMMANDS[name]
    assert main(argv) == 2
    out, err = capsys.readouterr()
    lines = [line for line in err.splitlines() if not line.startswith("pliant: compil")]
    assert out == "" and len(lines) == 1 and words in lines[0] and lines[0].startswith("pliant: ")
    check_folder(folder, {"scene.toml", "ball.stl"})


@pytest.mark.parametrize(
    "argv, words",
    [
        (["run", "scene.toml", "--device", "tpu"], "expected 'cpu', 'cuda' or 'cuda:0'"),
        (["inspect", "none.stl"], "there is no file none.stl"),
        (["mesh", "ball.stl", "a.msh", "--edge", "-1"], "edge"),
    ],
)
def test_real_processes(folder, argv, words):
    command = [sys.executable, "-m", "pliant.cli.main", *argv]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ)
    assert done.returncode == 2 and done.stdout == "" and "Traceback" not in done.stderr
    assert words in done.stderr.splitlines()[-1]
    check_folder(folder, {"scene.toml", "ball.stl"})
