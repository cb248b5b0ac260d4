"""Videos, decoded again: as many pictures of the size asked for, at the right rate and with the right colours."""

import builtins
import subprocess

import numpy as np
import pytest

import pliant as pl
from pliant.output.picture import moving
from pliant.output.video import VIEW, encoder, video

imageio_ffmpeg = pytest.importorskip("imageio_ffmpeg")
SMALL = {"size": (96, 64), "samples": 1}


def decoded(file) -> tuple[dict, np.ndarray]:
    """What the file says of itself, and its pictures as (count, height, width, 3)."""
    reader = imageio_ffmpeg.read_frames(str(file))
    about = next(reader)
    width, height = about["size"]
    return about, np.stack([np.frombuffer(data, np.uint8).reshape(height, width, 3) for data in reader])


@pytest.mark.parametrize("suffix, codec", [(".mp4", "h264"), (".webm", "vp9")])
def test_a_video_holds_the_pictures_that_were_drawn(run, tmp_path, suffix, codec):
    file = video(run, tmp_path / f"a{suffix}", fps=10, colour="stress", title="beam", **SMALL)
    about, seen = decoded(file)
    drawn = np.stack(list(moving(run, 10, "stress", SMALL["size"], VIEW, 1, False, None, "beam", None)))
    assert about["codec"].startswith(codec) and about["fps"] == 10 and about["duration"] == pytest.approx(1.3, abs=0.05)
    assert seen.shape == drawn.shape == (13, 64, 96, 3)
    assert np.abs(seen.astype(int) - drawn).mean() < 4
    assert np.abs(seen[:, 2, 2].astype(int) - drawn[:, 2, 2]).max() <= 6  # the sky, whose colour is known exactly
    moved = np.abs(drawn[6].astype(int) - drawn[0]).max(axis=2) > 60
    assert moved.any() and np.abs(seen[6].astype(int) - seen[0])[moved].mean() > 40


def test_slices_become_videos_as_well(run, tmp_path):
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), pl.StableNeoHookean(young=1e4), pinned=lambda X: X[:, 2] < 1e-9)
    run = pl.Simulation(pl.Scene([body])).run(0.1)
    file = pl.video(run, tmp_path / "slice.mp4", look=pl.render.Slice(), colour="stress", **SMALL)
    assert decoded(file)[1].shape == (4, 64, 96, 3)


def test_a_scene_file_writes_one(tmp_path):
    scene = tmp_path / "drop.toml"
    scene.write_text(
        "[[bodies]]\nshape = { tet_grid = { size = [0.1, 0.1, 0.1], cells = [1, 1, 1] } }\n"
        "material = { StableNeoHookean = { young = 1e4 } }\n[run]\nseconds = 0.1\n"
        '[output]\nvideo = { path = "drop.webm", size = [64, 48], samples = 1, fps = 20 }\n'
    )
    from pliant.cli.main import main

    assert main(["run", str(scene)]) == 0
    assert decoded(tmp_path / "drop.webm")[1].shape == (3, 48, 64, 3)


BAD = {
    "suffix": ({"path": "a.avi"}, "expected a name ending in .mp4 or .webm"),
    "no path": ({"path": 3}, "expected a name ending in .mp4 or .webm"),
    "odd": ({"size": (97, 64)}, "expected even numbers"),
    "too short": ({"fps": 0.1}, "less than two pictures"),
    "field": ({"colour": "stres"}, "did you mean 'stress'"),
}


@pytest.mark.parametrize("change, said", BAD.values(), ids=BAD)
def test_bad_input(run, tmp_path, change, said):
    given = SMALL | change
    path = given.pop("path", "a.mp4")
    with pytest.raises(pl.errors.InputError, match=said):
        video(run, tmp_path / path if isinstance(path, str) else path, **given)
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_it_is_named(run, tmp_path, monkeypatch):
    usual = builtins.__import__

    def missing(name, *rest):
        if name == "imageio_ffmpeg":
            raise ImportError(name)
        return usual(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(pl.errors.InputError, match=r"pip install 'pliant\[video\]'"):
        video(run, tmp_path / "a.mp4", **SMALL)


def test_what_the_encoder_says_is_said(run, tmp_path, monkeypatch):
    from pliant.output import video as module

    monkeypatch.setitem(module.ENCODERS, ".mp4", ["-c:v", "nonsense"])
    with pytest.raises(pl.errors.InputError, match=r"the encoder says .*nonsense"):
        video(run, tmp_path / "a.mp4", fps=10, **SMALL)
    assert list(tmp_path.iterdir()) == []


def test_an_error_while_drawing_leaves_no_file_and_no_process(run, tmp_path, monkeypatch):
    from pliant.output import video as module

    def breaks(*_):
        def images():
            yield np.zeros((64, 96, 3), np.uint8)
            raise KeyboardInterrupt

        return images()

    begun = []
    usual = subprocess.Popen
    monkeypatch.setattr(module, "moving", breaks)
    monkeypatch.setattr(module.subprocess, "Popen", lambda *a, **k: begun.append(usual(*a, **k)) or begun[-1])
    with pytest.raises(KeyboardInterrupt):
        video(run, tmp_path / "a.mp4", **SMALL)
    assert list(tmp_path.iterdir()) == [] and begun[0].poll() is not None


def test_the_encoder_is_a_program_of_its_own():
    assert "ffmpeg version" in subprocess.run([encoder(), "-version"], capture_output=True, text=True).stdout
