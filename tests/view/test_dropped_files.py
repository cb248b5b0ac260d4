"""Files that people drop on a page, as a raw client sends them: what is taken, what is refused, and what is left behind."""

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest
from websockets.sync.client import connect

import pliant as pl
from pliant.arguments.atomic_files import scratch_folder
from pliant.errors import InputError
from pliant.view.protocol.dropped_files import KEPT, MOST, Parcel, announced, safe_name

from .clients import Page, simulation

CUBE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def reader(path, up=None, unit=None):
    """A beam as long as the mesh in the file is wide."""

    def make():
        mesh = pl.read(path, up=up, unit=unit)
        make.notes = [f"{path.name} is {np.ptp(mesh.vertices[:, 0]):g} m wide, {up or 'z'} up."]
        return simulation()

    make.notes = []
    return make


@pytest.fixture(scope="module")
def viewer():
    options = {"library": {"beam": simulation}, "name": "beam", "reader": reader}
    with pl.view(simulation(), port=0, open=False, block=False, **options) as opened:
        yield opened


def sent(viewer, files: dict[str, bytes], sizes: dict[str, int] | None = None, query: str | None = None) -> dict:
    """Send files as the page does; the last word of the server."""
    query = f"?token={viewer.server.token}" if query is None else query
    with connect(f"ws://127.0.0.1:{viewer.server.port}/open{query}", compression=None, proxy=None) as line:
        sizes = sizes or {name: len(data) for name, data in files.items()}
        line.send(json.dumps({"files": [[name, size] for name, size in sizes.items()]}))
        answer = json.loads(line.recv(timeout=30))
        if answer["say"] == "go":
            for data in files.values():
                for at in range(0, len(data), 50):
                    line.send(data[at : at + 50])
            answer = json.loads(line.recv(timeout=30))
        return answer


def left(viewer) -> list[str]:
    """Files in the temporary folder."""
    folder = viewer.loop.shelf._folder
    return [] if folder is None else sorted(name for _, _, names in os.walk(folder) for name in names)  # while some go


def test_a_mesh_becomes_a_scene_of_the_menu_and_is_read_again_with_another_axis_up(viewer):
    with Page(viewer) as page:
        assert sent(viewer, {"../my cube.obj": CUBE}) == {"say": "taken"}
        page.listen(lambda p: p.scene.get("name") == "my cube.obj" and p.state.get("busy") == "")
        assert page.scene["notes"] == ["my cube.obj is 1 m wide, z up."]
        assert page.scene["examples"] == ["beam", "my cube.obj"]
        assert page.scene["opens"]["placed"] == {"up": "", "unit": ""} and page.scene["opens"]["most"] == MOST
        page.do("place", up="y", unit="cm")
        page.listen(lambda p: p.scene["opens"]["placed"] == {"up": "y", "unit": "cm"})
        assert page.scene["notes"] == ["my cube.obj is 0.01 m wide, y up."]
        page.do("example", name="beam")
        page.listen(lambda p: p.scene["name"] == "beam" and p.scene["opens"]["placed"] is None)
        page.do("place", up="y", unit="")
        page.listen(lambda p: "was not opened from a file" in p.state["note"][1])
        page.do("example", name="my cube.obj")  # and from the menu again
        page.listen(lambda p: p.scene["name"] == "my cube.obj")


def gltf(uri: str) -> bytes:
    """A tetrahedron whose numbers are in another file."""
    about = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 48}],
        "buffers": [{"uri": uri, "byteLength": 96}],
    }  # fmt: skip
    return json.dumps(about).encode()


@pytest.mark.parametrize(
    "name, data, words",
    [
        ("broken.obj", b"v 0 0\nf 1 2 3\n", "broken.obj"),
        ("cut off.stl", b"solid nothing", "cut off.stl: ends before 'endsolid'"),
        ("noise.ply", bytes(range(256)), "noise.ply"),
        ("outside.gltf", gltf("../secret.bin"), "'../secret.bin'; expected one in the same folder"),
        ("elsewhere.gltf", gltf("/etc/hostname"), "'/etc/hostname'; expected one in the same folder"),
    ],
)
def test_a_bad_file_is_said_in_a_sentence_and_the_scene_goes_on(viewer, name, data, words, caplog):
    caplog.set_level(logging.ERROR)
    with Page(viewer) as page:
        page.do("example", name="beam")
        page.listen(lambda p: p.frame and p.scene["name"] == "beam")
        noted, kept = page.state["note"][0], left(viewer)
        assert sent(viewer, {name: data}) == {"say": "taken"}
        page.listen(lambda p: p.state["note"][0] > noted)
        assert words in page.state["note"][1] and str(viewer.loop.shelf._folder) not in page.state["note"][1]
        time = page.frame["time"]
        page.listen(lambda p: p.frame["time"] > time and p.state["busy"] == "")
        assert page.scene["name"] == "beam" and name not in page.scene["examples"]
        assert left(viewer) == kept


def test_files_that_belong_together_come_together(viewer):
    with Page(viewer) as page:
        points = np.array([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4").tobytes()
        faces = np.array([0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2], "<u4").tobytes()
        files = {"data.bin": points + faces, "solid.gltf": gltf("data.bin")}
        assert sent(viewer, files) == {"say": "taken"}
        page.listen(lambda p: p.scene.get("name") == "solid.gltf")
        assert page.scene["notes"] == ["solid.gltf is 2 m wide, z up."]


def test_too_big_and_unknown_are_refused_before_a_byte_is_sent(viewer):
    before = left(viewer)
    big = sent(viewer, {}, {"a.stl": MOST + 1})
    assert big["say"] == "refused" and "at most 256" in big["why"] and "a.stl has 256 MiB" in big["why"]
    for name in ("a.blend", "a", "stl", "a.obj.exe"):
        assert "expected one of toml, obj" in sent(viewer, {name: CUBE})["why"]
    assert "use pliant view a.usda" in sent(viewer, {"all.toml": b"x", "a.usda": b"#usda 1.0"})["why"]
    assert "is empty" in sent(viewer, {}, {"a.stl": 0})["why"]
    assert "expected names and sizes" in sent(viewer, {}, {f"{k}.stl": 9 for k in range(17)})["why"]
    assert left(viewer) == before


def test_what_is_longer_than_announced_or_ends_too_soon_is_not_kept(viewer):
    before = left(viewer)
    assert "not as long as announced" in sent(viewer, {"long.obj": CUBE}, {"long.obj": len(CUBE) - 1})["why"]
    url = f"ws://127.0.0.1:{viewer.server.port}/open?token={viewer.server.token}"
    with connect(url, compression=None, proxy=None) as line:
        line.send(json.dumps({"files": [["short.obj", 1000]]}))
        assert json.loads(line.recv(timeout=30)) == {"say": "go"}
        line.send(CUBE)
    with Page(viewer) as page:  # the server has heard of the end before it answers anew
        page.listen(lambda p: p.frame and left(viewer) == before)


def test_who_may_not_look_may_not_send():
    with pl.view(simulation(), port=0, open=False, block=False) as without, pytest.raises(Exception, match="404"):
        sent(without, {"a.obj": CUBE})
    with pl.view(simulation(), port=0, open=False, block=False, reader=reader) as viewer:
        with pytest.raises(Exception, match="401"):
            sent(viewer, {"a.obj": CUBE}, query="?token=wrong")
        with Page(viewer) as page:
            page.do("opened", path="/etc/passwd")
            page.listen(lambda p: p.refused)
            assert "a message to do 'opened'" in page.refused[0]
        assert sent(viewer, {"a.obj": CUBE}) == {"say": "taken"}
        folder = viewer.loop.shelf._folder
        assert folder.is_dir() and folder.stat().st_mode & 0o077 == 0
    assert not folder.exists()


SHOWN = """import json, sys, pliant as pl
sys.path.insert(0, {tests!r})
from view.clients import simulation
viewer = pl.view(simulation(), port=0, open=False, block=False, reader=lambda path, **_: simulation)
folder = viewer.loop.shelf.begin(json.dumps({{"files": [["a.obj", 3]]}})).folder
print(folder.parent, flush=True)
viewer.wait()
"""


@pytest.mark.usefixtures("default_signals")
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_viewer_that_is_ended_leaves_no_files(number, tmp_path):
    """Those of one that could not clear up go with the next."""
    code = SHOWN.format(tests=str(Path(__file__).parents[1]))
    command, places = [sys.executable, "-c", code], os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=places) as process:
        try:
            folder = Path(process.stdout.readline().strip())
            assert folder.is_dir() and folder.parent == tmp_path and folder.stat().st_mode & 0o077 == 0
            time.sleep(1.0)  # it waits
            process.send_signal(number)
            assert process.wait(60) == -number
        finally:
            process.kill()
    assert folder.is_dir() == (number == signal.SIGKILL)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path))
        mine = scratch_folder()
    assert [path.name for path in tmp_path.iterdir()] == [mine.name]


@pytest.mark.parametrize(
    "given, name",
    [
        ("../../etc/passwd.obj", "passwd.obj"), ("C:\\Users\\me\\a.stl", "a.stl"), ("/a/b/.hidden.ply", "hidden.ply"),
        ("a\nb\0c.obj", "a_b_c.obj"), ("nul.obj", "_nul.obj"), ("a:b?.obj", "a_b_.obj"), ("Körper 1.obj", "Körper 1.obj"),
        ("x" * 300 + ".obj", "x" * 96 + ".obj"),
    ],
)  # fmt: skip
def test_names_are_names_of_files_and_nothing_else(given, name):
    assert safe_name(given) == name


@pytest.mark.parametrize("given", ["", "..", "/", "...", "a/", "\0"])
def test_what_is_no_name_is_refused(given):
    with pytest.raises(InputError, match="expected a name"):
        safe_name(given)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"files": 3}', '{"files": []}', '{"files": [["a.obj"]]}', '{"files": [["a.obj", true]]}', b"{}",
     '{"files": [["a.obj", 1.5]]}', '{"files": [["a.obj", -1]]}', '{"files": [["a.obj", 1], ["b/a.obj", 1]]}'],
)  # fmt: skip
def test_announcements_that_do_not_fit_are_refused(text):
    with pytest.raises(InputError):
        announced(text)


def test_a_scene_is_read_before_its_meshes(tmp_path):
    parcel = Parcel(tmp_path, announced('{"files": [["a.obj", 3], ["all.toml", 2]]}'))
    assert parcel.path == tmp_path / "all.toml" and not parcel.whole
    parcel.take(b"abc")
    with pytest.raises(InputError, match="not as long"):
        parcel.take(b"abc")
    parcel.take(b"de")
    assert parcel.whole and (tmp_path / "a.obj").read_bytes() == b"abc"


def test_the_last_few_are_kept_and_the_same_name_takes_the_place_of_the_one_before(viewer):
    with Page(viewer) as page:
        for k in (*range(KEPT + 1), KEPT):
            assert sent(viewer, {f"n{k}.obj": CUBE}) == {"say": "taken"}
            page.listen(lambda p, k=k: p.scene.get("name") == f"n{k}.obj" and p.state["busy"] == "")
        page.listen(lambda p: left(viewer) == sorted(f"n{k}.obj" for k in range(1, KEPT + 1)))
        page.do("example", name="beam")
        page.listen(lambda p: p.scene["name"] == "beam")
        assert page.scene["examples"] == ["beam", *(f"n{k}.obj" for k in range(1, KEPT + 1))]


def test_a_reader_is_a_function_of_a_path_and_only_for_simulations():
    with pytest.raises(InputError, match="expected a function of a path"):
        pl.view(simulation(), port=0, open=False, block=False, reader=3)
