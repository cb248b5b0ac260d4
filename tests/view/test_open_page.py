"""Files of one's own in a real browser: dropped on the page, or chosen with its button."""

import base64

import numpy as np
import pytest

import pliant as pl
from pliant.cli.view import reader as of_shell

from .browser import needs_browser, pixels, ready
from .clients import simulation
from .test_dropped_files import CUBE, reader


@pytest.fixture(scope="module")
def viewer():
    read = lambda path, **place: (of_shell(None) if path.name == "tower.obj" else reader)(path, **place)
    options = {"library": {"beam": simulation}, "name": "beam", "reader": read}
    with pl.view(simulation(), port=0, open=False, block=False, **options) as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(chromium, viewer):
    with ready(chromium, viewer.url) as opened:
        yield opened


def dropped(tab, name: str, data: bytes) -> None:
    """Drag a file over the page and let go of it."""
    tab.run(f"""(() => {{ const held = new DataTransfer();
        held.items.add(new File([Uint8Array.from(atob('{base64.b64encode(data).decode()}'), (c) => c.charCodeAt(0))], '{name}'));
        for (const kind of ['dragover', 'drop']) {{
          document.body.dispatchEvent(new DragEvent(kind, {{ dataTransfer: held, bubbles: true, cancelable: true }}));
          if (kind === 'dragover') globalThis.invited = !pliant.of('drop').hidden;
        }} }})()""")


NAME = "pliant.stage.about.name"
SAID = "pliant.of('status').hidden ? '' : pliant.of('status-text').textContent"


@needs_browser
def test_a_file_dropped_on_the_page_is_shown_with_its_line_and_can_be_turned(tab, viewer):
    dropped(tab, "cube.obj", CUBE)
    assert tab.run("invited") is True and tab.run("pliant.of('drop').hidden") is True
    tab.wait(f"{NAME} === 'cube.obj'")
    assert tab.run("pliant.of('notes').textContent") == "cube.obj is 1 m wide, z up."
    scene, up = (f"pliant.panel.node.querySelector('select[aria-label={what}]')" for what in ("Scene", "Up"))
    assert tab.run(f"{scene}.value") == "cube.obj" and tab.run(f"[...{scene}.options].map((o) => o.value)") == [
        "beam",
        "cube.obj",
    ]
    tab.run(f"{up}.value = 'y'; {up}.dispatchEvent(new Event('change'))")
    tab.wait("pliant.of('notes').textContent === 'cube.obj is 1 m wide, y up.'")
    assert tab.run(f"{up}.value") == "y"
    before = tab.wait("pliant.latest()?.time")
    tab.wait(f"pliant.latest()?.time > {before}")
    assert not tab.complaints


@needs_browser
def test_a_tower_with_y_up_lies_until_it_is_told_so_and_then_stands(tab, viewer):
    """As the picture shows it, before anything has moved: the box of what is not grey."""
    corners = [(x, y, z) for x in (0, 0.4) for y in (0, 1.6) for z in (0, 0.4)]
    quads = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
    tower = "".join(f"v {x} {y} {z}\n" for x, y, z in corners) + "".join(f"f {a} {b} {c} {d}\n" for a, b, c, d in quads)
    up = "pliant.panel.node.querySelector('select[aria-label=Up]')"
    shapes = []
    for _ in range(2):
        epoch = tab.run("pliant.state().epoch")
        if shapes:
            tab.run(f"{up}.value = 'y'; {up}.dispatchEvent(new Event('change'))")
        else:
            dropped(tab, "tower.obj", tower.encode())
        tab.wait(f"{NAME} === 'tower.obj' && pliant.latest()?.epoch > {epoch}")
        tab.run("pliant.link.say('reset'); pliant.link.say('pause', {value: true})")
        tab.wait("pliant.latest()?.time < 0.02 && !pliant.latest().running && !pliant.stage.going")
        seen = pixels(tab)
        rows, columns = np.nonzero(seen[..., 0] > seen[..., 2] + 40)
        assert len(rows) > 1000
        shapes.append(np.ptp(rows) / np.ptp(columns))
    assert shapes[0] < 1.2 and shapes[1] > 2.0 and not tab.complaints, shapes
    tab.run("pliant.link.say('pause', {value: false})")


@needs_browser
def test_a_bad_file_is_said_on_the_page_and_the_scene_goes_on(tab, viewer):
    shown = tab.run(NAME)
    dropped(tab, "broken.stl", b"solid nothing")
    tab.wait(SAID, holds=lambda text: text == "broken.stl: ends before 'endsolid'")
    dropped(tab, "film.mp4", b"0000")
    tab.wait(SAID, holds=lambda text: text.startswith("film.mp4 has suffix '.mp4'"))
    tab.run("pliant.opening.send([{ name: 'huge.stl', size: 2 ** 29 }])")
    assert tab.run(SAID) == "huge.stl has 512 MiB; a page takes at most 256: use pliant view FILE."
    before = tab.wait("pliant.latest()?.time")
    tab.wait(f"pliant.latest()?.time > {before}")
    assert tab.run(NAME) == shown and not tab.complaints


@needs_browser
def test_the_button_opens_a_file_of_many_parts(tab, viewer, tmp_path):
    """Of 300 kB, so that it comes in several messages."""
    ball = pl.meshes.sphere(0.1, 5)
    pl.write(ball, tmp_path / "ball.obj")
    assert (tmp_path / "ball.obj").stat().st_size > 2 * 2**16
    button = "[...pliant.panel.node.querySelectorAll('button')].find((b) => b.textContent === 'Open…')"
    assert "256 MiB" in tab.run(f"{button}.title")
    tab.run("globalThis.asked = 0; pliant.opening.input.click = () => { globalThis.asked += 1; }")
    tab.run(f"{button}.click()")
    assert tab.run("asked") == 1
    found = tab.call("Runtime.evaluate", expression="pliant.opening.input")["result"]["objectId"]
    tab.call("DOM.setFileInputFiles", files=[str(tmp_path / "ball.obj")], objectId=found)
    tab.wait(f"{NAME} === 'ball.obj'")
    read = pl.read(viewer.loop.shelf.paths["ball.obj"])
    assert np.array_equal(read.vertices, pl.read(tmp_path / "ball.obj").vertices)
    assert not tab.complaints
