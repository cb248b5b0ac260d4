"""What export takes, refuses and leaves behind; test_real_readers.py reads every format back."""

from __future__ import annotations

import builtins
from dataclasses import dataclass, replace

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError
from pliant.output.export import FORMATS, export
from pliant.output.formats import glb, npz
from pliant.output.formats.npz import read_run


def listed(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_npz_brings_everything_back(run, tmp_path):
    file = export(run, tmp_path / "run.npz")
    again = pl.read(file)
    for name in ("times", "positions", "velocities", "rest", "step_seconds"):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))
    np.testing.assert_array_equal(again.fields["stress"], run.fields["stress"])
    np.testing.assert_array_equal(again.energies["kinetic"], run.energies["kinetic"])
    assert again.dt == run.dt
    assert [s.name for s in again.skins] == [s.name for s in run.skins]
    np.testing.assert_array_equal(again.skins[0].tets, run.skins[0].tets)
    assert again.skins[1].tets is None
    np.testing.assert_array_equal(again.props[1].poses, run.props[1].poses)
    assert listed(tmp_path) == ["run.npz"]


def test_npz_brings_reports_back(run, tmp_path):
    @dataclass(frozen=True)
    class Report:
        ok: bool
        why: str
        times: dict
        iterations: int

    reports = (Report(True, "converged", {"solve": np.float32(0.5)}, np.int64(4)), Report(False, "stuck", {}, 9))
    again = read_run(export(run.changed(reports=reports), tmp_path / "run.npz")).reports
    assert [(r.kept, r.why, r.iterations) for r in again] == [(True, "converged", 4), (False, "stuck", 9)]
    assert again[0].times == {"solve": 0.5}
    twice = read_run(export(run.changed(reports=again), tmp_path / "run.npz")).reports
    assert twice == again


def test_npz_with_cells_out_of_range_is_refused(run, tmp_path):
    for change, says in (
        ({"triangles": run.skins[0].triangles + 10**6}, "name a vertex outside"),
        ({"tets": run.skins[0].tets[:, :3]}, "expected rows of numbers"),
        ({"weights": run.skins[0].weights[:-1]}, "weights of body 'beam'"),
    ):
        bad = run.changed(skins=(replace(run.skins[0], **change),))
        with pytest.raises(InputError, match=says):
            read_run(export(bad, tmp_path / "bad.npz"))


def test_npz_of_some_frames(run, tmp_path):
    again = read_run(export(run, tmp_path / "run.npz", frames=[0, -1]))
    np.testing.assert_array_equal(again.positions, run.positions[[0, -1]])
    np.testing.assert_array_equal(again.fields["stress"], run.fields["stress"][[0, -1]])


def test_broken_npz_gives_one_sentence(run, tmp_path):
    whole = export(run, tmp_path / "run.npz").read_bytes()
    rng = np.random.default_rng(3)
    refused = 0
    for i in range(60):
        data = bytearray(whole[: rng.integers(1, len(whole))] if i % 2 else whole)
        for at in rng.integers(0, len(data), 20):
            data[at] = rng.integers(256)
        (tmp_path / "bad.npz").write_bytes(data)
        try:
            read_run(tmp_path / "bad.npz")
        except InputError:
            refused += 1
    assert refused > 50
    with pytest.raises(InputError, match="no file"):
        read_run(tmp_path / "none.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(InputError, match="holds no run"):
        read_run(tmp_path / "other.npz")


def test_one_frame_and_a_folder(run, tmp_path):
    export(run, tmp_path / "last.ply", frames=-1)
    export(run, tmp_path / "folder", frames=[0, 2])
    assert listed(tmp_path) == ["folder/frame_0000.ply", "folder/frame_0002.ply", "last.ply"]


def test_glb_says_when_it_would_grow_too_large(run, tmp_path, monkeypatch):
    monkeypatch.setattr(glb, "LIMIT", 30_000)
    with pytest.raises(InputError, match=r"choose at most \d+ frames"):
        export(run, tmp_path / "run.glb")
    assert listed(tmp_path) == []


@pytest.mark.parametrize(("library", "suffix"), [("pxr", "usd"), ("h5py", "vtkhdf")])
def test_a_missing_library_says_what_to_install(run, tmp_path, monkeypatch, library, suffix):
    honest = builtins.__import__

    def without(name, *rest, **more):
        if name.split(".")[0] == library:
            raise ImportError(name)
        return honest(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(InputError, match=rf"pip install 'pliant\[{suffix}\]'"):
        export(run, tmp_path / f"run.{suffix}")
    assert listed(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "frames", "says"),
    [
        ("run.gbl", None, r"did you mean '\.glb'.*the formats are"),
        ("run.ply", 99, "no frame 99"),
        ("run.ply", [0.5], "expected whole numbers"),
        ("run.ply", [], "no frames were chosen"),
        ("run_{a}.ply", None, "frame number"),
        ("run_{:.0s}.ply", None, "frame number|one name"),
        ("run_{{}}.ply", None, "one name to several"),
        (7, None, "expected a file name"),
    ],
)
def test_bad_requests_leave_nothing(run, tmp_path, name, frames, says):
    path = tmp_path / name if isinstance(name, str) else name
    with pytest.raises(InputError, match=says):
        export(run, path, frames)
    assert listed(tmp_path) == []


@pytest.mark.parametrize("suffix", sorted(set(FORMATS) - {".usdc", ".usd"}))
def test_a_failure_halfway_leaves_nothing(run, tmp_path, monkeypatch, suffix):
    calls = iter(range(100))
    honest = type(run.skins[0]).of

    def failing(self, values):
        if next(calls) > 6:
            raise OSError(28, "No space left on device")
        return honest(self, values)

    def honest_failure():
        raise OSError(28, "No space left on device")

    if suffix == ".npz":
        monkeypatch.setattr(npz, "_put", lambda *_: honest_failure())
    if suffix == ".csv":
        monkeypatch.setattr(type(run), "wrenches", property(lambda _: honest_failure()), raising=False)
    monkeypatch.setattr(type(run.skins[0]), "of", failing)
    with pytest.raises((InputError, OSError), match="No space"):
        export(run, tmp_path / f"run{suffix}")
    assert listed(tmp_path) == []


def test_colours_that_cannot_be(run, tmp_path):
    with pytest.raises(InputError, match=r"no field 'stres' in this run \(did you mean 'stress'"):
        export(run, tmp_path / "run.ply", colour="stres")
    for name in ("run.pc2", "run.obj", "run.npz", "run.glb"):
        with pytest.raises(InputError, match=r"holds no colours.*use \.ply or \.usd"):
            export(run, tmp_path / name, colour="stress")
    assert listed(tmp_path) == []


def test_folder_that_cannot_be_written(run, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="cannot be written"):
        export(run, tmp_path / "file" / "run.npz")
