"""Files that appear whole or not at all, what killed processes left behind, and archives that promise too much."""

import io
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from pliant.arguments.atomic_files import (
    Archive,
    packed,
    sweep,
    target,
    unpacked,
    whole_file,
    whole_folder,
    write_bytes,
    write_text,
)
from pliant.errors import InputError


def test_files_appear_whole_or_not_at_all(tmp_path):
    path = tmp_path / "deep" / "er" / "a.txt"
    write_text(path, "one")
    with pytest.raises(RuntimeError), whole_file(path) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert path.read_text() == "one" and [p.name for p in path.parent.iterdir()] == ["a.txt"]
    with pytest.raises(RuntimeError), whole_folder(tmp_path / "many") as folder:
        (folder / "x").write_text("half")
        raise RuntimeError
    assert sorted(p.name for p in tmp_path.iterdir()) == ["deep"]
    for bad, says in ((tmp_path, "is a folder"), (3, "expected a file name"), ("a\0b", "expected a file name")):
        with pytest.raises(InputError, match=says):
            target(bad)


def test_a_place_that_is_not_there_is_made_or_refused(tmp_path):
    with pytest.raises(InputError, match="there is no folder"):
        write_bytes(tmp_path / "none" / "a", b"1", make=False)
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match=r"file.a cannot be written: .*; choose another place"):
        write_bytes(tmp_path / "file" / "a", b"1")
    with pytest.raises(InputError, match="cannot be written: File name too long"):
        write_bytes(tmp_path / ("n" * 300), b"1")
    longest = tmp_path / ("n" * 255)
    assert write_bytes(longest, b"1") == longest  # the temporary beside it has a short name


def test_what_is_written_reaches_the_disk_before_its_name_does(tmp_path, monkeypatch):
    """Without that, a power cut leaves a file of the right name and no contents."""
    order = []
    monkeypatch.setattr(os, "fsync", lambda handle: order.append("disk"))
    honest = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (order.append("name"), honest(a, b)))
    write_text(tmp_path / "a", "1")
    assert order == ["disk", "name", "disk"]
    order.clear()
    with whole_folder(tmp_path / "many") as folder:
        for name in "xy":
            (folder / name).write_text(name)
    assert order == ["disk", "disk", "name", "name", "disk"]
    assert (tmp_path / "many" / "y").read_text() == "y"


def test_a_folder_on_another_disk_needs_no_link_across(tmp_path, monkeypatch):
    """Files move up from within the folder itself: it may be a disk of its own."""
    moved = []
    honest = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (moved.append((a, b)), honest(a, b)))
    (tmp_path / "disk").mkdir()
    with whole_folder(tmp_path / "disk") as folder:
        (folder / "x").write_text("1")
    ((source, place),) = moved
    assert source.parent.parent == place.parent == tmp_path / "disk"


def test_what_killed_processes_left_is_swept(tmp_path):
    code = (
        "import os, sys; from pathlib import Path; from pliant.arguments.atomic_files import whole_file, whole_folder\n"
        "with whole_file(sys.argv[1]) as a, whole_folder(Path(sys.argv[2])) as b:\n"
        "    a.write_text('half'); (b / 'x').write_text('half'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "run.npz", tmp_path], check=False, timeout=60)
    (tmp_path / ".pliant-00000000-1-aabbccdd").write_text("of another machine")
    (tmp_path / ".pliant-note").write_text("of somebody else")
    assert len(list(tmp_path.iterdir())) == 4
    with whole_file(tmp_path / "mine.txt") as mine:
        sweep(tmp_path)
        assert mine.exists()
    assert {p.name for p in tmp_path.iterdir()} == {".pliant-00000000-1-aabbccdd", ".pliant-note", "mine.txt"}
    sweep(tmp_path / "none")


def test_archives_come_back(tmp_path):
    given = {
        "a": np.arange(6.0).reshape(2, 3),
        "b": np.array("text"),
        "c": np.asfortranarray(np.ones((3, 2), np.float32)),
    }
    write_bytes(tmp_path / "a.npz", packed(given))
    found = unpacked(tmp_path / "a.npz", "arrays")
    assert found.keys() == given.keys() and all(np.array_equal(found[n], given[n]) for n in given)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: b"", "not a whole .npz archive"),
        (lambda: packed({"a": np.zeros(9)})[:-20], "not a whole .npz archive"),
        (lambda: zipped(np.lib.format.magic(1, 0) + b"\x05\x00{'a'}"), "is damaged"),
        (lambda: zipped(header((1 << 40,))), "does not match its header"),
        (lambda: zipped(header((-1,))), "damaged|does not match its header"),
        (lambda: zipped(header((3,), "|O")), "does not match its header"),
        (lambda: zipped(header((10**8,)) + bytes(8 * 10**7), zipfile.ZIP_DEFLATED), "takes more than"),
        (lambda: zipped(b"x", zipfile.ZIP_LZMA), "in a way that NumPy does not use"),
    ],
)
def test_archives_that_promise_too_much_are_one_sentence(tmp_path, make, words):
    (tmp_path / "a.npz").write_bytes(make())
    with pytest.raises(InputError, match=words) as caught:
        unpacked(tmp_path / "a.npz", "something", limit=1e6)
    assert "a.npz" in str(caught.value) and "\n" not in str(caught.value)


def test_an_array_that_is_not_there():
    with pytest.raises(ValueError, match="has no array 'b'"):
        Archive(packed({"a": np.zeros(1)}), lambda size, what: None).array("b")


def header(shape: tuple, kind: str = "<f8") -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": kind, "fortran_order": False, "shape": shape})
    return stream.getvalue()


def zipped(data: bytes, how: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", how) as archive:
        archive.writestr("a.npy", data)
    return stream.getvalue()
