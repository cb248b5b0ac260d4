"""The widget of a notebook: a kernel's event loop steps it, and its messages go through a comm that is written down here."""

import asyncio
import base64
import builtins
import http.server
import io
import json
import re
import struct
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.view.live_loop import Loop
from pliant.view.protocol.client import BURST, IN_FLIGHT, REFUSALS
from pliant.view.protocol.messages import SCENE, pack_frame

from . import browser
from .clients import simulation, unpacked

APP = Path(__file__).parents[2] / "src" / "pliant" / "view" / "static" / "app.js"
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<style>.panel, #panel, button {{ color: rgb(1, 2, 3) }}</style><button id="pause">mine</button>
<div id="one"></div><div id="two"></div>
<script type="module">
import widget, {{ mount, socket }} from "./app.js";
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const [scene, frame] = [bytes("{scene}"), bytes("{frame}")];
const state = {state};
function placed(data) {{ // as a kernel hands it over: a view into something larger, which begins where it likes
  const all = new Uint8Array(data.length + 11);
  all.set(data, 3);
  return new DataView(all.buffer, 3, data.length);
}}
function model() {{
  const [heard, listeners] = [[], new Set()];
  const answer = (content, buffers) => listeners.forEach((listener) => listener(content, buffers));
  return {{
    heard, answer, get: (name) => ({{ height: 400 }})[name],
    on: (name, listener) => name === "msg:custom" && listeners.add(listener),
    off: (name, listener) => listeners.delete(listener),
    send(content) {{
      heard.push(content);
      const {{ view }} = content;
      if (content.open) setTimeout(() => {{
        answer({{ view }}, [placed(scene)]);
        answer({{ view, text: JSON.stringify(state) }}, []);
        answer({{ view: "somebody else" }}, [placed(new Uint8Array(4))]);
        answer({{ view }}, [placed(frame)]);
        answer({{ view, still: true }}, []);
      }});
    }},
  }};
}}
const views = ["one", "two"].map((id) => {{
  const [el, own] = [document.getElementById(id), model()];
  return {{ el, model: own, end: widget.render({{ model: own, el }}), tree: el.firstElementChild.shadowRoot }};
}});
globalThis.shown = {{ views, kinds: [typeof widget.render, typeof mount, typeof socket] }};
</script>"""


class Notebook:
    """A page in a notebook, spoken to as the browser does: what the widget sends is kept, and acknowledged if asked for."""

    def __init__(self, widget, acknowledge: bool = True, view: str = "v1"):
        self.widget, self.view, self.acknowledge = widget, view, acknowledge
        self.state: dict = {}
        self.frames: list[dict] = []
        self.scenes = self.statistics = 0
        self.refused: list[str] = []
        self.other: list[dict] = []
        before = widget.comm.publish_msg

        def publish(kind, data=None, metadata=None, buffers=None, **keys):
            if kind == "comm_msg" and data["method"] == "custom" and data["content"]["view"] == view:
                self._take(data["content"], buffers or [])
            before(kind, data=data, metadata=metadata, buffers=buffers, **keys)

        widget.comm.publish_msg = publish

    def _take(self, content: dict, buffers: list[bytes]) -> None:
        if "text" in content:
            found = json.loads(content["text"])
            if found["say"] == "state":
                self.state = found
            elif found["say"] == "refused":
                self.refused.append(found["why"])
            else:
                self.statistics += 1
        elif not buffers:
            self.other.append(content)
        for data in buffers:
            if struct.unpack_from("<I", data)[0] == SCENE:
                self.scenes += 1
            else:
                self.frames.append(unpacked(data))
                if self.acknowledge:
                    self.do("ack", frame=self.frames[-1]["number"])

    def tell(self, **content) -> None:
        message = {"content": {"data": {"method": "custom", "content": {"view": self.view, **content}}}, "buffers": []}
        self.widget._handle_msg(message)

    def do(self, what: str, **values) -> None:
        self.tell(text=json.dumps({"do": what, **values}))

    async def until(self, holds, seconds: float = 60.0):
        end = time.monotonic() + seconds
        while not (found := holds()):
            assert time.monotonic() < end, f"nothing happened in {seconds} s; {self.state}"
            await asyncio.sleep(0.005)
        return found


def played(play) -> None:
    """Run a play with a widget and a page in an event loop, as a kernel has one; afterwards nothing is left in it."""
    pytest.importorskip("anywidget")

    async def run() -> None:
        widget = pl.widget(simulation(), name="beam", library={"beam": simulation})
        try:
            await play(widget, Notebook(widget))
        finally:
            widget.close()
        await asyncio.sleep(0.01)
        assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []

    asyncio.run(run())


def test_it_steps_while_a_page_looks_and_other_work_goes_on():
    async def play(widget, page):
        await asyncio.sleep(0.05)
        assert widget.sim.state.steps == 0 and not page.frames  # nobody looks
        page.tell(open=True)
        await page.until(lambda: len(page.frames) > 5 and page.statistics and widget.sim.state.steps > 5)
        assert page.scenes == 1 and page.state["running"] and page.frames[-1]["time"] > page.frames[0]["time"]
        turns, steps = 0, widget.sim.state.steps
        while widget.sim.state.steps < steps + 10:  # a cell that waits gets its turn between steps
            await asyncio.sleep(0)
            turns += 1
        assert turns >= 10
        page.tell(open=False)
        await page.until(lambda: not widget._views)
        steps = widget.sim.state.steps
        await asyncio.sleep(0.1)
        assert widget.sim.state.steps == steps

    played(play)


def test_at_most_two_frames_are_under_way_and_the_next_is_the_latest():
    async def play(widget, page):
        page.acknowledge = False
        page.tell(open=True)
        await page.until(lambda: widget.sim.state.steps > 20)
        assert len(page.frames) == IN_FLIGHT
        page.do("ack", frame=page.frames[0]["number"])
        await page.until(lambda: len(page.frames) == IN_FLIGHT + 1)
        assert page.frames[-1]["time"] > page.frames[1]["time"] + 5 / 60
        page.tell(open=True)  # a page that begins anew is owed everything
        await page.until(lambda: page.scenes == 2 and len(page.frames) == 2 * IN_FLIGHT + 1)
        assert len(widget._views) == 1

    played(play)


def test_a_grab_moves_the_body_and_a_page_that_leaves_lets_go():
    async def play(widget, page):
        page.tell(open=True)
        page.do("gravity", value=[0, 0, 0])
        await page.until(lambda: page.frames)
        at = page.frames[-1]["x"]
        vertex = int(np.argmax(at[:, 0]))
        goal = at[vertex] + [0, 0, 0.1]
        page.do("grab", hand=1, body=0, vertices=[vertex], weights=[1.0], at=at[vertex].tolist())
        page.do("move", hand=1, at=goal.tolist())
        await page.until(lambda: page.frames[-1]["x"][vertex, 2] > at[vertex, 2] + 0.03)
        assert page.frames[-1]["held"][0]["force"] > 0
        page.tell(open=False)
        await page.until(lambda: not widget._loop.hands.held)

    played(play)


def test_bad_messages_are_refused_and_at_last_the_page_has_to_go(caplog):
    async def play(widget, page):
        page.tell(open=True)
        for text in ("{", json.dumps({"do": "explode"}), "x" * 5000, 7, json.dumps({"do": "speed", "value": 1e9})):
            page.tell(text=text)
        await page.until(lambda: len(page.refused) == 5)
        assert "not JSON" in page.refused[0] and "5000 characters" in page.refused[2]
        widget._handle_msg({"content": {"data": {"method": "custom", "content": "hello"}}, "buffers": []})
        page.tell(view="w" * 100, text="{}")
        for _ in range(REFUSALS):
            page.tell(text="{")
        gone = await page.until(lambda: page.other)
        assert gone[0]["gone"] == "too many messages that do not fit" and not widget._views
        assert "names no view" in caplog.text
        page.do("pause", value=True)
        await asyncio.sleep(0.05)
        assert widget._loop.running  # who is gone is not heard

    played(play)


def test_a_flood_of_messages_ends_the_page():
    async def play(widget, page):
        page.tell(open=True)
        for _ in range(int(BURST) + 50):
            page.do("ack", frame=1)
        gone = await page.until(lambda: page.other)
        assert gone[0]["gone"] == "too many messages" and not widget._views

    played(play)


def test_stop_start_and_close():
    async def play(widget, page):
        page.tell(open=True)
        await page.until(lambda: widget.sim.state.steps > 2)
        widget.stop()
        widget.stop()
        steps = widget.sim.state.steps
        assert not widget.stepping and page.other[-1]["still"]
        await asyncio.sleep(0.1)
        assert widget.sim.state.steps == steps and "start()" in page.state["busy"]
        widget.start()
        await page.until(lambda: widget.sim.state.steps > steps + 2 and not page.state["busy"])
        other = Notebook(widget, view="v2")
        other.tell(open=True)
        await other.until(lambda: len(other.frames) > 2)
        other.do("pause", value=True)
        await page.until(lambda: not page.state["running"])
        widget.close()
        assert not widget.stepping and not widget._views and widget.comm is None

    played(play)


def test_messages_may_come_from_another_thread():
    async def play(widget, page):
        await asyncio.to_thread(page.tell, open=True)
        await page.until(lambda: page.frames)
        await asyncio.to_thread(page.do, "speed", value=0.5)
        await page.until(lambda: page.state["speed"] == 0.5)

    played(play)


def test_what_it_asks_for_is_said():
    with pytest.raises(pl.errors.InputError, match="expected a Simulation"):
        pl.widget("beam")
    with pytest.raises(pl.errors.InputError, match=r"height=40.*160"):
        pl.widget(simulation(), height=40)
    pytest.importorskip("anywidget")
    with pytest.raises(pl.errors.InputError, match=r"pl\.view"):
        pl.widget(simulation())  # no event loop


def test_what_the_docs_say_runs_in_a_kernel():
    """The cell in docs/view.md, run as a kernel runs it, with the simulation that the page makes before."""
    pytest.importorskip("anywidget")
    text = (Path(__file__).parents[2] / "docs" / "view.md").read_text(encoding="utf-8")
    (cell,) = re.findall(r"^```ipython\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)

    async def run() -> None:
        names = {"pl": pl, "sim": simulation()}
        exec(compile(cell, "cell", "exec"), names)
        page = Notebook(names["w"])
        page.tell(open=True)
        await page.until(lambda: len(page.frames) > 2)
        assert names["w"].height == 480
        names["w"].close()

    asyncio.run(run())


def test_without_the_extra_it_is_named(monkeypatch):
    real = builtins.__import__

    def absent(name, *rest, **keys):
        if name == "anywidget":
            raise ModuleNotFoundError("No module named 'anywidget'", name="anywidget")
        return real(name, *rest, **keys)

    monkeypatch.delitem(sys.modules, "pliant.view.notebook_kernel", raising=False)
    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(pl.errors.InputError, match=r"pliant\[jupyter\]"):
        pl.widget(simulation())


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *parts):
        pass


@pytest.fixture
def served(tmp_path):
    """The address of a page that shows a recorded scene and frame in two widgets."""
    loop = Loop(simulation(), name="beam")
    encoded = {
        "scene": base64.b64encode(loop.scene[1]).decode(),
        "frame": base64.b64encode(pack_frame(loop.latest)).decode(),
    }
    (tmp_path / "index.html").write_text(PAGE.format(**encoded, state=json.dumps(loop.state)), encoding="utf-8")
    (tmp_path / "app.js").write_bytes(APP.read_bytes())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/"
    server.shutdown()
    thread.join()
    server.server_close()


@browser.needs_browser
def test_the_module_draws_and_acknowledges_in_a_browser(chromium, served):
    tab = chromium.open(served, (900, 860))
    try:
        tab.wait("globalThis.shown?.views.every((v) => v.model.heard.some((m) => m.text?.includes('ack')))")
        assert tab.run("shown.kinds") == ["function"] * 3
        for k in range(2):
            heard = tab.run(f"shown.views[{k}].model.heard")
            assert heard[0]["open"] is True and len({m["view"] for m in heard}) == 1
            assert [m["text"] for m in heard[1:]] == ['{"do":"ack","frame":1}']
            of = lambda id, k=k: f"shown.views[{k}].tree.getElementById('{id}')"
            assert tab.run(f"{of('title')}.textContent").startswith("Pliantbeam40 elements")
            assert tab.run(f"{of('status')}.hidden") and tab.run(f"{of('stage')}.clientHeight") == 400
            assert tab.run(f"{of('panel')}.querySelectorAll('.slider').length") >= 6
            assert tab.run(f"getComputedStyle({of('pause')}).color") != "rgb(1, 2, 3)"  # styles do not get in
        shade = "getComputedStyle(document.getElementById('pause'))"
        assert tab.run(f"[{shade}.color, {shade}.borderRadius]") == ["rgb(1, 2, 3)", "0px"]  # nor out
        assert red(tab.picture()) > 0.005 and tab.run("document.title") == ""
        # keys count where the focus is
        tab.run("shown.views[1].tree.getElementById('stage').focus()")
        tab.key("p")
        assert tab.run("shown.views.map((v) => v.tree.getElementById('plots').hidden)") == [True, False]
        tab.run("document.activeElement.blur()")
        tab.key("p")
        assert tab.run("shown.views.map((v) => v.tree.getElementById('plots').hidden)") == [True, False]
        # one ends, the other lives
        tab.run("shown.views[0].end()")
        assert tab.run("shown.views[0].model.heard.at(-1).open") is False
        assert tab.run("shown.views.map((v) => v.tree.childElementCount > 0)") == [False, True]
        tab.run("shown.views[1].model.answer({view: shown.views[1].model.heard[0].view, gone: 'the end'}, [])")
        assert tab.run("shown.views[1].tree.getElementById('status-text').textContent") == "the end"
        assert tab.complaints == []
    finally:
        tab.close()


def red(picture: bytes) -> float:
    """The share of a picture that has the hue of the first body."""
    from PIL import Image

    seen = np.asarray(Image.open(io.BytesIO(picture)).convert("RGB")).astype(int)
    return float((seen[..., 0] > seen[..., 2] + 40).mean())
