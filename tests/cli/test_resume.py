"""A run that is stopped by Ctrl-C or SIGTERM, in a process of its own, and goes on to the same end."""

import argparse
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
from pliant.cli.common.interrupt import stoppable
from pliant.cli.common.resume import keep, load_stopped
from pliant.cli.main import main
from pliant.simulate.record.recorder import Recorder

pytestmark = pytest.mark.usefixtures("default_signals")
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="signals that are caught are read from /proc")
PATIENCE = 300  # [s] in which a step is compiled and taken on a busy machine
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
    end, bit = time.monotonic() + PATIENCE, 1 << (signal.SIGTERM - 1)
    while time.monotonic() < end and process.poll() is None:
        caught = re.search(r"SigCgt:\s*(\w+)", Path(f"/proc/{process.pid}/status").read_text())
        if int(caught[1], 16) & bit:
            time.sleep(0.3)
            return process
        time.sleep(0.02)
    raise AssertionError(f"no step in {PATIENCE} s: {process.communicate()}")


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
    out, err = process.communicate(timeout=PATIENCE)
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
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and pl.Simulation.load(tmp_path / "fall.checkpoint.npz").t > 0
    assert resumed(err)[1:] == [str(tmp_path / "fall.toml"), "--resume", str(tmp_path / "fall.checkpoint.npz")]


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_is_closed_leaves_a_checkpoint(tmp_path, number):
    process = stepping(scene(tmp_path), cwd=tmp_path)
    process.stderr.close()  # as it is gone
    process.send_signal(number)
    process.wait(timeout=PATIENCE)
    assert pl.Simulation.load(tmp_path / "fall.checkpoint.npz").t > 0


@linux
def test_what_nohup_ignores_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable() as stop:
            os.kill(os.getpid(), signal.SIGHUP)
            assert not stop(None, None)
    finally:
        signal.signal(signal.SIGHUP, before)


@linux
def test_a_run_that_is_killed_goes_on_from_its_last_checkpoint(capsys, tmp_path):
    """SIGKILL leaves no time for anything; what was kept before it is enough to come to the same end."""
    out = tmp_path / "out"
    process = stepping(scene(tmp_path), "--out", "out", "--checkpoint", "0.05", cwd=tmp_path)
    end = time.monotonic() + PATIENCE
    while not (out / "fall.checkpoint.previous.npz").exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.kill()
    process.communicate(timeout=PATIENCE)
    kept = sorted(f.name for f in out.iterdir() if not f.name.startswith("."))
    assert kept in (["fall.checkpoint.npz", "fall.checkpoint.previous.npz"], ["fall.checkpoint.previous.npz"])
    (out / "fall.checkpoint.npz").write_bytes(b"damaged")  # then the one before it is there
    (out / f".pliant-{mark()}-{process.pid}-00000000.npz").write_bytes(b"left behind by the kill")
    steps = len(json.loads(bytes(np.load(out / "fall.checkpoint.previous.npz")["more.about"]))["reports"])
    seconds = str((steps + 3) / 100)
    found = result(capsys, "run", tmp_path / "fall.toml", "--out", out, "--seconds", seconds, "--resume", "--json")
    assert found["steps"] == steps + 3
    assert main(["run", str(scene(tmp_path)), "--out", str(tmp_path / "whole"), "--seconds", seconds]) == 0
    capsys.readouterr()
    a, b = (pl.Simulation.load(folder / "end.npz") for folder in (out, tmp_path / "whole"))
    assert np.array_equal(a.state.x.numpy(), b.state.x.numpy()) and a.t == b.t
    first, second = (pl.read(folder / "frames.npz") for folder in (out, tmp_path / "whole"))
    assert np.array_equal(first.positions, second.positions) and np.array_equal(first.times, second.times)
    assert not [f for f in out.iterdir() if f.name.startswith(".")]  # swept


def mark() -> str:
    from pliant.arguments.atomic_files import _mark

    return _mark().split("-")[1]


@pytest.mark.parametrize("seconds", ["1e-9", "0"])
def test_a_run_that_ends_leaves_no_checkpoint(capsys, tmp_path, seconds, monkeypatch):
    from pliant.cli.common import checkpoints

    kept, honest = [], checkpoints._kept
    monkeypatch.setattr(checkpoints, "SHARE", 0)
    monkeypatch.setattr(checkpoints, "_kept", lambda *args: (kept.append(args[0].exists()), honest(*args))[1])
    assert main(["run", str(scene(tmp_path, 0.2)), "--checkpoint", seconds]) == 0
    capsys.readouterr()
    assert kept == ([False] + 18 * [True] if seconds == "1e-9" else [])
    assert {f.name for f in tmp_path.iterdir()} == {"fall.toml", "frames.npz", "end.npz"}
    assert len(pl.read(tmp_path / "frames.npz")) == 6 and len(pl.read(tmp_path / "frames.npz").reports) == 20


def test_a_full_disk_stops_no_run(capsys, tmp_path, monkeypatch):
    from pliant.cli.common import checkpoints, resume

    def full(*args):
        raise pl.errors.InputError("a cannot be written: No space left on device; choose another place")

    monkeypatch.setattr(checkpoints, "SHARE", 0)
    monkeypatch.setattr(resume, "keep", full)
    assert main(["run", str(scene(tmp_path, 0.03)), "--checkpoint", "1e-9"]) == 0
    assert "No space left on device" in capsys.readouterr().err and (tmp_path / "end.npz").exists()


def test_nothing_to_go_on_from(capsys, tmp_path):
    assert main(["run", str(scene(tmp_path)), "--resume"]) == 2
    assert "there is no checkpoint" in capsys.readouterr().err
    assert main(["run", str(scene(tmp_path)), "--checkpoint", "-1"]) == 2
    assert "--checkpoint -1: expected a number of seconds" in capsys.readouterr().err


@linux
def test_a_shape_goes_on_without_its_file(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.write(pl.meshes.sphere(0.1, 2), tmp_path / "ball.stl")
    words = ("--spacing", "0.04", "--young", "2e4", "--out", "here")
    process = stepping("ball.stl", "--seconds", 500, *words, cwd=tmp_path)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "here/ball.html" in out and "here/ball.checkpoint.npz" in out
    again = resumed(err)
    assert again == shlex.split(
        "run ball.stl --resume here/ball.checkpoint.npz --out here --seconds 500.0 --edge 0.04 --young 20000.0"
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
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130 and "Go on with" not in err and "Traceback" not in err
    assert [f.name for f in tmp_path.iterdir()] == ["large.toml"]


def test_a_second_signal_ends_even_compiled_code():
    """A minute in a function of C, which hears of no signal before it returns."""
    code = (
        "import hashlib\nfrom pliant.cli.common.interrupt import stoppable\nwith stoppable():\n"
        "    print('begun', flush=True)\n    hashlib.pbkdf2_hmac('sha256', b'a', b'b', 200_000_000)\n"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert "stopping after this step" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=PATIENCE) == 130  # one that returns from there dies of the signal, with code -2


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
        (lambda path: None, "there is no file"),
        (lambda path: path.write_bytes(b"PK nothing"), "not a whole .npz archive"),
        (lambda path: np.savez(path, a=1), "not a checkpoint of a simulation"),
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
    with pytest.raises(pl.errors.InputError, match="after=str"):
        sim.run(3 / 60, after="a run")
    part = sim.run(3 / 60)
    with pytest.raises(pl.errors.InputError, match="that run has 3 of 3 steps"):
        sim.run(3 / 60, after=part)
    sim.step()
    with pytest.raises(pl.errors.InputError, match="expected a run of this simulation"):
        sim.run(9 / 60, after=part)


def test_a_run_of_several_chapters_goes_on(tmp_path):
    """As a cut leaves it: frames of other nodes first, then those of the simulation that is stopped."""

    def simulation(cells):
        body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), cells), pl.NeoHookean(young=1e4, poisson=0.3))
        return pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.01, solver=pl.QuasiNewton()))

    coarse, fine = simulation((3, 1, 1)), simulation((4, 1, 1))
    recorder, reports = Recorder(coarse, ("stress",)), []
    recorder.record()
    for sim in (coarse, fine):
        if sim is fine:
            recorder.simulation, fine.t = fine, coarse.t
        for _ in range(2):
            reports.append(sim.step())
            recorder.record()
    run = recorder.run(tuple(reports), np.arange(4.0))
    file = tmp_path / "cut.checkpoint.npz"
    keep(file, fine, run, {"source": "cut.toml", "digest": "", "options": {"seconds": 0.08, "fields": ["stress"]}})
    args = argparse.Namespace(resume=file, scene="cut.toml", seconds=None)
    stopped = load_stopped(args)
    assert [len(chapter) for chapter in stopped.run.chapters] == [3, 2]
    for frame in range(len(run)):
        one, other = run.moment(frame), stopped.run.moment(frame)
        assert one.time == other.time and np.array_equal(one.x, other.x) and np.array_equal(one.v, other.v)
        assert np.array_equal(one.fields["stress"], other.fields["stress"]) and np.array_equal(one.rest, other.rest)
        assert np.array_equal(one.skins[0].triangles, other.skins[0].triangles)
        assert np.array_equal(one.skins[0].parents, other.skins[0].parents)
    longer, again = fine.run(0.08, after=run), stopped.simulation.run(**stopped.options(args))
    assert [len(chapter) for chapter in again.chapters] == [3, 6]
    for one, other in zip(longer.chapters, again.chapters):
        assert np.array_equal(one.positions, other.positions) and np.array_equal(one.velocities, other.velocities)
    assert np.array_equal(longer.energies["total"], again.energies["total"])


def test_a_chapter_that_is_damaged_is_named(tmp_path):
    body = pl.Body(pl.tet_grid((0.3, 0.1, 0.1), (3, 1, 1)), pl.NeoHookean(young=1e4, poisson=0.3))
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.01, solver=pl.QuasiNewton()))
    run = sim.run(0.02)
    file = tmp_path / "cut.checkpoint.npz"
    keep(file, sim, run, {"source": "cut.toml", "digest": "", "options": {"seconds": 0.08}})
    with np.load(file) as archive:
        arrays = dict(archive)
    del arrays["more.chapter_0_positions"]
    np.savez(file, **arrays)
    with pytest.raises(pl.errors.InputError, match="is damaged"):
        load_stopped(argparse.Namespace(resume=file, scene="cut.toml", seconds=None))
