"""Recordings: frames kept while somebody plays, ended by hand, by a reset or by their size, and saved as files."""

import io
import itertools
import json
import re
import socket
import threading
import time
import zipfile

import numpy as np
import pytest
import trimesh

import pliant as pl
from pliant.view.live_loop import Loop
from pliant.view.pages import downloads
from pliant.view.protocol.client import Audience
from pliant.view.scene.recording import Recording

from .clients import Page, simulation
from .test_server import fetched

MARKS = itertools.count(1)


@pytest.fixture(scope="module")
def viewer():
    library = {"beam": simulation, "another": simulation}
    with pl.view(simulation(), port=0, open=False, block=False, name="beam", library=library) as opened:
        yield opened


@pytest.fixture
def page(viewer):
    with Page(viewer) as opened:
        opened.saved = {}
        opened.do("record", value=False)
        opened.do("reset")
        mark = 1 + next(MARKS) * 1e-6  # when this has come back, all before it has been obeyed
        opened.do("strength", value=mark)
        opened.listen(lambda p: p.frame and p.state["strength"] == mark and p.statistics)
        opened.refused.clear()
        yield opened


def begun(page, frames: int = 3, python: bool = False) -> None:
    """Begin a recording and wait until it has some frames."""
    before = page.state["recording"]["number"]
    if not python:
        page.do("record", value=True)
    page.listen(lambda p: p.state["recording"]["number"] > before and p.state["recording"]["on"])
    number = page.state["recording"]["number"]
    page.listen(lambda p: p.statistics["recording"]["number"] == number and p.statistics["recording"]["frames"] >= frames)


def recorded(page, frames: int = 10) -> dict:
    """Record for a while; returns what the page is told of it."""
    begun(page, frames)
    page.do("record", value=False)
    page.listen(lambda p: not p.state["recording"]["on"])
    return page.state["recording"]


def saved(page, viewer, kind: str) -> tuple[bytes, dict]:
    """Ask for a file and fetch it."""
    page.saved = {}
    page.do("save", kind=kind)
    page.listen(lambda p: p.saved or p.refused)
    assert not page.refused, page.refused
    answer = fetched(viewer, f"{page.saved['path']}?token={viewer.server.token}")
    body = answer.read()
    assert answer.status == 200 and len(body) == page.saved["bytes"]
    return body, dict(answer.headers)


def test_what_is_recorded_is_a_run_of_what_was_simulated(page, viewer):
    about = recorded(page)
    run = viewer.recording
    assert isinstance(run, pl.Run) and len(run) == about["frames"] >= 10
    assert np.allclose(np.diff(run.times), 1 / 30) and run.dt == viewer.sim.integrator.dt
    assert len(run.reports) == len(run.step_seconds) and len(run.reports) in (2 * len(run) - 2, 2 * len(run) - 1)
    assert {"kinetic", "elastic", "total"} <= run.energies.keys() and run.fields["stress"].shape == run.positions.shape[:2]
    assert run.props[0].poses.shape == (len(run), 4, 4)
    assert np.ptp(run.positions[:, :, 2], axis=0).max() > 1e-3  # the beam sank meanwhile


def test_the_frames_are_those_that_run_would_have_made():
    sim, recorder = simulation(), Recording()
    recorder.start()
    for _ in range(12):
        recorder.begin(sim)
        assert recorder.keep(sim, sim.step())
    assert recorder.run is None  # it still goes on
    recorder.stop()
    expected = simulation().run(0.2, frames_per_second=30)
    found = recorder.run
    assert np.array_equal(found.times, expected.times) and np.array_equal(found.positions, expected.positions)
    assert np.array_equal(found.velocities, expected.velocities) and found.energies.keys() == expected.energies.keys()
    assert all(np.array_equal(found.energies[k], expected.energies[k]) for k in found.energies)
    assert np.array_equal(found.fields["stress"], expected.fields["stress"]) and recorder.run is found


def test_a_pause_stretches_nothing(page, viewer):
    page.do("pause", value=True)
    page.listen(lambda p: not p.state["running"])
    page.do("record", value=True)
    page.listen(lambda p: p.state["recording"]["on"])
    for _ in range(4):
        at = viewer.sim.t
        page.do("step")
        page.listen(lambda p, at=at: p.frame["time"] > at)
    time.sleep(0.3)
    page.do("record", value=False)
    page.listen(lambda p: not p.state["recording"]["on"])
    assert len(viewer.recording) == 3 and np.allclose(np.diff(viewer.recording.times), 1 / 30)


@pytest.mark.parametrize(
    "command, words", [({"what": "reset"}, "put back"), ({"what": "example", "name": "another"}, "another scene")]
)
def test_a_reset_and_another_example_end_it_and_say_so(page, viewer, command, words):
    begun(page)
    page.do(**command)
    page.listen(lambda p: not p.state["recording"]["on"] and words in p.state["note"][1])
    run = viewer.recording
    assert len(run) > 2 and np.all(np.diff(run.times) > 0) and len(run.reports) >= len(run) - 1
    assert viewer.loop.recorded_as == "beam" or words == "put back"


def test_it_ends_by_itself_where_memory_does(page, viewer, monkeypatch):
    monkeypatch.setattr(viewer.loop.recorder, "most", 30_000)
    page.do("record", value=True)
    page.listen(lambda p: "all it may" in p.state["note"][1] and not p.state["recording"]["on"])
    assert page.state["running"] and page.state["recording"]["full"] == 1.0
    size = 2 * viewer.recording.positions.nbytes + sum(values.nbytes for values in viewer.recording.fields.values())
    assert len(viewer.recording) > 2 and size < 30_000
    with pytest.raises(pl.errors.InputError, match="positive number of frames"):
        Recording(rate=0)


def test_from_python(page, viewer):
    viewer.record()
    with pytest.raises(pl.errors.InputError, match="under way; stop it"):
        viewer.record()
    begun(page, 4, python=True)
    assert viewer.recording is None
    run = viewer.stop_recording()
    assert run is viewer.recording and len(run) > 3
    page.listen(lambda p: not p.state["recording"]["on"])
    page.do("record", value=True)
    page.do("record", value=True)  # twice is refused, and the first goes on
    page.listen(lambda p: "under way" in p.state["note"][1] and p.state["recording"]["on"])
    page.do("record", value=False)


def test_a_fault_while_keeping_a_frame_ends_the_recording_only(page, viewer, monkeypatch):
    begun(page)
    monkeypatch.setattr("pliant.simulate.record.nodal_fields.values", lambda *_: 1 / 0)
    page.listen(lambda p: "The recording ended" in p.state["note"][1] and not p.state["recording"]["on"])
    monkeypatch.undo()
    at = page.frame["time"]
    page.listen(lambda p: p.frame["time"] > at + 0.1)
    assert len(viewer.recording) > 1


# --- files


@pytest.fixture(scope="module")
def kept(viewer):
    """A viewer with a recording that the tests of files share."""
    with Page(viewer) as page:
        page.listen(lambda p: p.frame and p.state)
        page.do("example", name="beam")
        page.do("reset")
        page.listen(lambda p: p.frame["time"] < 1 and p.scene["name"] == "beam")
        recorded(page)
        run = viewer.recording
        page.do("pause", value=True)
        yield run


@pytest.fixture
def asking(viewer, kept):
    with Page(viewer) as opened:
        opened.saved = {}
        opened.listen(lambda p: p.frame and p.state)
        yield opened


def test_npz_is_read_back_whole(asking, viewer, kept, tmp_path):
    body, headers = saved(asking, viewer, "npz")
    assert headers["Content-Disposition"] == 'attachment; filename="beam.npz"' and headers["X-Content-Type-Options"] == "nosniff"
    file = tmp_path / "beam.npz"
    file.write_bytes(body)
    run = pl.read(file)
    assert np.array_equal(run.positions, kept.positions) and np.array_equal(run.times, kept.times)
    assert len(run.reports) == len(kept.reports)


def test_glb_is_read_back(asking, viewer, kept):
    body, headers = saved(asking, viewer, "glb")
    assert headers["Content-Type"] == "model/gltf-binary" and 'filename="beam.glb"' in headers["Content-Disposition"]
    scene = trimesh.load(io.BytesIO(body), file_type="glb")
    shapes = [m for m in scene.geometry.values() if len(m.faces) == len(kept.skins[0].triangles)]
    assert len(shapes) == 1
    length = int.from_bytes(body[12:16], "little")
    document = json.loads(body[20 : 20 + length])
    times = document["accessors"][document["animations"][0]["samplers"][0]["input"]]
    assert times["count"] == len(kept)


def test_usd_is_read_back(asking, viewer, kept, tmp_path):
    pxr = pytest.importorskip("pxr.Usd")
    from pxr import UsdGeom

    body, _ = saved(asking, viewer, "usd")
    file = tmp_path / "beam.usd"
    file.write_bytes(body)
    stage = pxr.Stage.Open(str(file))
    points = UsdGeom.Mesh(stage.GetPrimAtPath("/run/beam")).GetPointsAttr()
    assert len(points.GetTimeSamples()) == len(kept)
    last = np.array(points.Get(points.GetTimeSamples()[-1]))
    assert np.allclose(last, kept.skins[0].of(kept.positions[-1]), atol=1e-6)


def test_pc2_comes_zipped_with_its_mesh(asking, viewer, kept):
    body, headers = saved(asking, viewer, "pc2")
    assert headers["Content-Type"] == "application/zip" and 'filename="beam_pc2.zip"' in headers["Content-Disposition"]
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert sorted(archive.namelist()) == ["beam.obj", "beam.pc2"] and archive.testzip() is None
        cache, mesh = archive.read("beam.pc2"), archive.read("beam.obj")
    count, frames = int.from_bytes(cache[16:20], "little"), int.from_bytes(cache[28:32], "little")
    assert frames == len(kept) and mesh.count(b"\nv ") + mesh.startswith(b"v ") == count
    x = np.frombuffer(cache, "<f4", offset=32).reshape(frames, count, 3)
    assert np.allclose(x[-1, : len(kept.skins[0].parents)], kept.skins[0].of(kept.positions[-1]), atol=1e-6)


def test_the_page_is_whole(asking, viewer, kept):
    body, headers = saved(asking, viewer, "html")
    assert headers["Content-Type"].startswith("text/html") and "attachment" in headers["Content-Disposition"]
    text = body.decode()
    about = json.loads(re.search(r'id="pliant-run">(.*?)</script>', text).group(1))
    assert "<title>beam</title>" in text and len(about["times"]) == len(kept)


def test_what_cannot_be_saved_is_refused_with_a_sentence(asking, viewer, kept, monkeypatch):
    asking.do("save", kind="gbl")
    asking.listen(lambda p: any("did you mean 'glb'" in why for why in p.refused))
    asking.do("save", kind="")
    asking.listen(lambda p: any("one of the kinds" in why for why in p.refused))

    def full(*_):
        raise pl.errors.InputError("cannot write 'a': the disk is full; choose a folder you can write to")

    monkeypatch.setattr(downloads, "export", full)
    asking.do("save", kind="npz")
    asking.listen(lambda p: any("the disk is full" in why for why in p.refused))


def test_with_nothing_recorded_there_is_nothing_to_save():
    with pytest.raises(pl.errors.InputError, match="nothing to save yet; record something"):
        downloads.Saves().make(None, "glb")


def test_the_page_is_told_which_extra_is_missing(monkeypatch):
    assert {s["kind"] for s in downloads.offered()} == set(downloads.KINDS)
    found = downloads.importlib.util.find_spec
    monkeypatch.setattr(downloads.importlib.util, "find_spec", lambda name: None if name == "pxr" else found(name))
    assert [s for s in downloads.offered() if s["missing"]] == [{"kind": "usd", "label": "USD", "missing": "pliant[usd]"}]


def test_a_download_needs_what_every_request_needs(asking, viewer, kept):
    saved(asking, viewer, "npz")
    path = asking.saved["path"]
    assert fetched(viewer, f"{path}?token=wrong").status == 401
    assert fetched(viewer, path, Host="evil.example").status == 403
    assert fetched(viewer, path, Origin="http://evil.example").status == 403
    assert fetched(viewer, "/recording/999/beam.npz").status == 404
    assert fetched(viewer, "/recording/../../etc/passwd").status == 404


def test_without_loopback_a_download_needs_the_token(kept):
    with pl.view(kept, port=0, host="0.0.0.0", open=False, block=False, name="a b/../c") as shown, Page(shown) as page:
        page.saved = {}
        page.listen(lambda p: p.frame and p.state)
        body, headers = saved(page, shown, "npz")
        assert len(body) > 1000 and headers["Content-Disposition"] == 'attachment; filename="c.npz"'
        assert fetched(shown, page.saved["path"]).status == 401
        folder = shown.server.saves._folder
        assert folder.is_dir()
    assert not folder.exists()


def test_a_slow_reader_gets_the_whole_file(viewer, monkeypatch):
    """Longer than a connection that closes is given otherwise."""
    whole = bytes(30_000_000)
    monkeypatch.setattr(viewer.server.saves, "read", lambda path: ("big.npz", "application/octet-stream", whole))
    answer = fetched(viewer, f"/recording/1/big.npz?token={viewer.server.token}")
    time.sleep(1.5)
    assert len(answer.read()) == int(answer.headers["Content-Length"]) == len(whole)


def test_who_comes_and_asks_for_nothing_has_to_go(monkeypatch):
    monkeypatch.setattr("pliant.view.server.ASK", 0.3)
    with (
        pl.view(simulation(), port=0, open=False, block=False) as shown,
        socket.create_connection(("127.0.0.1", shown.server.port), timeout=20) as silent,
        Page(shown) as page,
    ):
        assert silent.recv(1) == b""
        page.listen(lambda p: p.frames > 3)  # who asked stays


def test_without_a_server_there_is_no_download():
    audience = Audience(Loop(simulation()))
    with pytest.raises(pl.errors.InputError, match=r"write them in Python: pl.export\(widget.recording"):
        audience.save(audience.join("a notebook", lambda: None), "glb")


def test_only_the_last_few_files_are_kept(asking, viewer, kept):
    paths = []
    for _ in range(downloads.KEPT + 1):
        saved(asking, viewer, "npz")
        paths.append(asking.saved["path"])
    states = [fetched(viewer, f"{p}?token={viewer.server.token}").status for p in paths]
    assert states == [404] + [200] * downloads.KEPT


def test_neither_simulation_nor_server_wait_for_a_file(viewer, kept, monkeypatch):
    usual = downloads.export

    written = threading.Event()

    def slowly(*rest):
        assert written.wait(300)
        return usual(*rest)

    monkeypatch.setattr(downloads, "export", slowly)
    with Page(viewer) as page:
        page.saved = {}
        page.do("pause", value=False)
        page.listen(lambda p: p.frame and p.state and p.state["running"])
        frames, t = page.frames, page.frame["time"]
        page.do("save", kind="npz")
        page.do("save", kind="glb")  # one at a time for a page
        page.listen(lambda p: any("being written already" in why for why in p.refused))
        page.listen(lambda p: p.frames - frames > 10 and p.frame["time"] > t + 0.3)
        assert not page.saved
        written.set()
        page.listen(lambda p: p.saved)
        page.do("pause", value=True)
        page.listen(lambda p: not p.state["running"])
