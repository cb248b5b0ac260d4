"""A run that is stopped by Ctrl-C or SIGTERM, in a process of its own, and goes on to the same end."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli.interrupt import stoppable
from pliant.cli.main import main

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals that are caught are read from /proc")
PLIANT = (sys.executable, "-m", "pliant.cli.main")
SCENE = """
contact = {{ friction = 0.3 }}
obstacles = [{{ plane = {{ z = 0.0 }} }}]
integrator = {{ BDF2 = {{ dt = 0.01 }} }}
[[bodies]]
shape = {{ tet_grid = {{ size = [0.1, 0.1, 0.1], cells = [2, 1, 1], origin = [0.0, 0.0, 0.05] }} }}
material = {{ StableNeoHookean = {{ young = 2e4, poisson = 0.4 }} }}
[run]
seconds = {seconds}
frames_per_second = 25
[output]
export = "frames.npz"
save = "end.npz"
"""


def scene(folder: Path, seconds: float = 1e4) -> Path:
    file = folder / "fall.toml"
    file.write_text(SCENE.format(seconds=seconds))
    return file


def stepping(*argv, cwd) -> subprocess.Popen:
    """A run that has begun to step: SIGTERM is caught only then."""
    command = [*PLIANT, "run", *map(str, argv)]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    end, bit = time.monotonic() + 120, 1 << (signal.SIGTERM - 1)
    while time.monotonic() < end and process.poll() is None:
        caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())
        if int(caught[1], 16) & bit:
            time.sleep(0.3)
            return process
        time.sleep(0.02)
    raise AssertionError(f"no step in two minutes: {process.communicate()}")


def resumed(said: str) -> list[str]:
    """The words of the command that a stopped run printed."""
    words = shlex.split(said.split("Go on with:\n")[1].strip())
    assert words[:2] == ["pliant", "run"]
    return words[1:]


def differing(first: Path, second: Path) -> set[str]:
    """Names of the arrays that are not the same, bit for bit, in two files."""
    one, two = np.load(first), np.load(second)
    return set(one.files) ^ set(two.files) | {n for n in one.files if n in two.files and not np.array_equal(one[n], two[n])}


def result(capsys, *words) -> dict:
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)


@linux
def test_a_scene_goes_on_bit_for_bit(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    process = stepping(scene(tmp_path).name, "--out", "part", "--json", cwd=tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "stopping after this step" in err and "Traceback" not in err
    found = json.loads(out)
    assert found["files"] == ["part/frames.npz", "part/end.npz", "part/fall.checkpoint.npz"]
    assert found["resume"] == "pliant run fall.toml --resume part/fall.checkpoint.npz --out part --json"
    assert shlex.split(found["resume"])[1:] == resumed(err)
    assert found["steps"] >= 1 and found["stopped"] in err
    sim = pl.Simulation.load(tmp_path / "part" / "fall.checkpoint.npz")  # a checkpoint like any other
    assert sim.t == pytest.approx(0.01 * found["steps"])
    seconds = 0.01 * (found["steps"] + 22)
    for words in (resumed(err), ["run", "fall.toml", "--out", "whole", "--json"]):
        assert result(capsys, *words, "--seconds", seconds)["steps"] == found["steps"] + 22
    assert differing(tmp_path / "part" / "end.npz", tmp_path / "whole" / "end.npz") == set()
    timed = {"about", "step_seconds"}  # wall times of the steps
    assert differing(tmp_path / "part" / "frames.npz", tmp_path / "whole" / "frames.npz") <= timed
    file = tmp_path / "fall.toml"
    file.write_text(file.read_text().replace("2e4", "9e4"))
    assert main([*resumed(err), "--seconds", "1e-3"]) == 2
    said = capsys.readouterr().err
    assert "is already at t = " in said and "has changed since; only its [output] is used" in said


@linux
def test_sigterm_too_leaves_a_checkpoint(tmp_path):
    process = stepping(scene(tmp_path), cwd=tmp_path)
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and pl.Simulation.load(tmp_path / "fall.checkpoint.npz").t > 0
    assert resumed(err)[1:] == [str(tmp_path / "fall.toml"), "--resume", str(tmp_path / "fall.checkpoint.npz")]


@linux
def test_a_shape_goes_on_without_its_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.write(pl.sphere_mesh(0.1, 2), tmp_path / "ball.stl")
    words = ("--spacing", "0.04", "--young", "2e4", "--out", "here")
    process = stepping("ball.stl", "--seconds", 500, *words, cwd=tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "here/ball.html" in out and "here/ball.checkpoint.npz" in out
    again = resumed(err)
    assert again == shlex.split(
        "run ball.stl --resume here/ball.checkpoint.npz --out here --seconds 500.0 --spacing 0.04 --young 20000.0"
    )
    steps = int(re.search(r"after (\d+) of 30000 steps", err)[1])
    more = [*again, "--seconds", str((steps + 3) / 60), "--json"]
    assert main([*more, "--hang"]) == 2 and "was begun with False" in capsys.readouterr().err
    (tmp_path / "ball.stl").unlink()
    found = result(capsys, *more)
    assert found["steps"] == steps + 3 and found["frames"] == steps + 4 and "cells" in found["found"]


@linux
def test_a_second_signal_stops_at_once(tmp_path):
    text = SCENE.format(seconds=10).replace("cells = [2, 1, 1]", "cells = [10, 10, 10]")
    (tmp_path / "large.toml").write_text(text)
    process = stepping("large.toml", cwd=tmp_path)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)  # of another kind, so that the two are not taken for one
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Go on with" not in err and "Traceback" not in err
    assert [f.name for f in tmp_path.iterdir()] == ["large.toml"]


def test_a_second_signal_ends_even_compiled_code():
    """A minute in a function of C, which hears of no signal before it returns."""
    code = (
        "import hashlib\nfrom pliant.cli.interrupt import stoppable\nwith stoppable():\n"
        "    print('begun', flush=True)\n    hashlib.pbkdf2_hmac('sha256', b'a', b'b', 200_000_000)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert "stopping after this step" in process.stderr.readline()
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130 and time.monotonic() - begin < 20


def test_signals_are_given_back():
    before = [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)]
    with stoppable() as stop:
        assert not stop(None, None)
        os.kill(os.getpid(), signal.SIGINT)
        assert stop(None, None)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1)
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda path: None, "cannot be read"),
        (lambda path: path.write_bytes(b"PK nothing"), "not a whole .npz archive"),
        (lambda path: np.savez(path, a=1), "no checkpoint of a simulation"),
        (lambda path: tiny().save(path), "holds no frames"),
    ],
)
def test_what_is_no_checkpoint_is_refused(capsys, tmp_path, make, words):
    make(tmp_path / "old.npz")
    assert main(["run", str(scene(tmp_path)), "--resume", str(tmp_path / "old.npz")]) == 2
    assert words in capsys.readouterr().err


def tiny() -> pl.Simulation:
    return pl.Simulation(pl.Scene(pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.StableNeoHookean(young=1e5))))


@pytest.mark.parametrize("every, stop", [(1, 4), (3, 5), (3, 6)])
def test_a_run_goes_on_after_another(every, stop):
    """Ended in turn or out of turn with the frames, both parts make the run that was never ended."""
    options = {"frames_per_second": 60 / every}
    whole = tiny().run(12 / 60, **options)
    sim = tiny()
    part = sim.run(12 / 60, **options, on_step=lambda sim, report: sim.state.steps >= stop)
    assert len(part.reports) == stop and part.times[-1] == sim.t
    joined = sim.run(12 / 60, **options, after=part)
    for name in ("times", "positions", "velocities"):
        assert np.array_equal(getattr(joined, name), getattr(whole, name))
    assert np.array_equal(joined.fields["stress"], whole.fields["stress"])
    assert joined.energies.keys() == whole.energies.keys() and len(joined.reports) == len(joined.step_seconds) == 12


def test_what_cannot_go_on():
    sim = tiny()
    with pytest.raises(pl.InputError, match="after=str"):
        sim.run(3 / 60, after="a run")
    part = sim.run(3 / 60)
    with pytest.raises(pl.InputError, match="that run has 3 steps, of 3 in all"):
        sim.run(3 / 60, after=part)
    sim.step()
    with pytest.raises(pl.InputError, match="expected one of this simulation up to now"):
        sim.run(9 / 60, after=part)
