"""Run files with something wrong in them are drawn and written, or refused in one sentence when they are read."""

import json

import numpy as np
import pytest
from mutations import mutated

from pliant.arguments.atomic_files import packed, unpacked
from pliant.errors import InputError
from pliant.output.export import export
from pliant.output.formats.npz import read_run
from pliant.output.picture import picture
from pliant.view.pages.replay_page import page


@pytest.fixture(scope="module")
def arrays(run, tmp_path_factory):
    return unpacked(export(run, tmp_path_factory.mktemp("run") / "run.npz"), "a run")


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_mutated_runs(arrays, tmp_path):
    refused, drawn = 0, 0
    for seed in range(150):
        (tmp_path / "m.npz").write_bytes(packed(mutated(arrays, seed)))
        try:
            found = read_run(tmp_path / "m.npz")
        except InputError as error:
            refused += 1
            assert "\n" not in str(error)
            continue
        try:
            drawn += 1
            str(found.reports)
            if drawn % 4 == 0:
                picture(found, tmp_path / "m.png", size=(32, 32), samples=1, colour="stress")
                page(found, tmp_path / "m.html")
            export(found, tmp_path / "m.ply", frames=[0])
            export(found, tmp_path / "m.glb", frames=[0])
        except InputError:
            pass
        except BaseException as error:
            raise AssertionError(f"seed {seed}") from error
    assert refused > 60 and drawn > 10


@pytest.mark.parametrize(
    "change, words",
    [
        ({"pliant_run": True}, "has run format True"),
        ({"pliant_run": -5}, "has run format -5"),
        ({"dt": float("nan")}, "dt is nan"),
        ({"dt": "x"}, "not a whole run file"),
        ({"reports": [3]}, "not a whole run file"),
        ({"skins": {}}, "this run has no bodies"),
    ],
)
def test_what_a_run_says_is_checked(arrays, tmp_path, change, words):
    about = json.loads(bytes(arrays["about"])) | change
    file = tmp_path / "a.npz"
    file.write_bytes(packed(arrays | {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}))
    with pytest.raises(InputError, match=words):
        read_run(file)


@pytest.mark.parametrize(
    "name, change, words",
    [
        ("times", lambda a: a[::-1], "times go back"),
        ("times", lambda a: a * np.nan, "times: not all finite"),
        ("times", lambda a: a.astype("U9"), "times.* is an array of <U9"),
        ("positions", lambda a: a.astype(int), "positions: int64"),
        ("velocities", lambda a: a.astype("S3"), "not match its header|velocities"),
        ("field_0", lambda a: a.astype("U3"), "field 'stress' is an array of <U3"),
        ("skin_0_weights", lambda a: a * np.inf, "weights of body 'beam': not all finite"),
        ("energy_0", lambda a: a.astype(bool), "energy .* is an array of bool"),
    ],
)
def test_arrays_of_a_run_are_numbers(arrays, tmp_path, name, change, words):
    file = tmp_path / "a.npz"
    file.write_bytes(packed(arrays | {name: change(arrays[name])}))
    with pytest.raises(InputError, match=words):
        read_run(file)


def test_a_run_that_takes_much_memory_says_how_to_allow_it(arrays, tmp_path):
    file = tmp_path / "a.npz"
    np.savez_compressed(file, **arrays | {"velocities": np.zeros((4000, 400, 3))})
    with pytest.raises(InputError, match=r"takes more than \d+ MB"):
        read_run(file, limit=1e6)


def test_a_shorter_set_for_paraview_leaves_no_frame_of_the_longer(run, tmp_path):
    listing, folder = tmp_path / "set.pvd", tmp_path / "set"
    export(run, listing)
    (folder / "notes.txt").write_text("mine")
    (folder / "bodies_of_mine.vtu").write_text("mine")
    export(run, listing, frames=[0, 1])
    kinds = ["bodies", "obstacles"]
    expected = {f"{kind}_000{i}.vtu" for kind in kinds for i in (0, 1)} | {"notes.txt", "bodies_of_mine.vtu"}
    assert {f.name for f in folder.iterdir()} == expected
    assert listing.read_text().count("<DataSet") == 4


def test_no_list_for_paraview_names_frames_of_two_runs(run, tmp_path, monkeypatch):
    """Whenever it ends, a list that is there names files that are there and belong to it."""
    import os

    listing = tmp_path / "set.pvd"
    export(run, listing)
    honest, left = os.replace, [3]

    def failing(source, place):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        honest(source, place)

    monkeypatch.setattr(os, "replace", failing)
    with pytest.raises(InputError, match="No space left"):
        export(run, listing, frames=[0, 2, 4])
    assert not listing.exists()
