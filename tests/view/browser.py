"""A real browser without a screen, driven through its debugging port: Chromium, and nothing that has to be installed for it."""

import base64
import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import found as found
from websockets.sync.client import connect

PROGRAM = found()
PATIENCE = 180  # [s] for an answer: machines have busy minutes
OPTIONS = (
    "--headless=new", "--no-first-run", "--no-default-browser-check", "--no-sandbox", "--hide-scrollbars",
    "--enable-unsafe-swiftshader", "--use-angle=swiftshader", "--disable-dev-shm-usage", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio", "--remote-debugging-port=0", "--disable-extensions",
)  # fmt: skip

without = pytest.mark.skipif(
    PROGRAM is None,
    reason="no Chromium was found on the path or in PLIANT_CHROMIUM: the page was not tried in a browser",
)


def needs_browser(test):
    return pytest.mark.browser(without(test))


class Browser:
    """One browser process; ``open`` gives a tab."""

    def __init__(self, program: str, size: tuple[int, int] = (1280, 800)):
        self.folder = tempfile.mkdtemp(prefix="pliant-browser-")
        command = [
            program,
            *OPTIONS,
            f"--user-data-dir={self.folder}",
            f"--window-size={size[0]},{size[1]}",
            "about:blank",
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.size = size
        self._numbers = itertools.count(1)
        self._opened = connect(self._address(), compression=None, max_size=2**28, proxy=None, ping_interval=None)
        self.socket = self._opened.__enter__()
        self.tabs: dict[str, Tab] = {}

    def _address(self) -> str:
        file, end = Path(self.folder) / "DevToolsActivePort", time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            if file.is_file() and len(lines := file.read_text().split()) == 2:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            time.sleep(0.05)
        self.close()
        raise RuntimeError("the browser did not open its debugging port in 60 s")

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict:
        """Ask for something and return the answer; events that come meanwhile go to their tabs."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv(timeout=PATIENCE))
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            tab = self.tabs.get(answer.get("sessionId", ""))
            if tab is not None and "method" in answer:
                tab.heard(answer)

    def open(self, url: str, size: tuple[int, int] | None = None) -> "Tab":
        target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = self.tabs[session] = Tab(self, session, target)
        for part in ("Runtime", "Log", "Page", "Network"):
            tab.call(f"{part}.enable")
        width, height = size or self.size
        tab.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        tab.call("Page.navigate", url=url)
        return tab

    def close(self) -> None:
        if getattr(self, "_opened", None) is not None:
            self._opened.__exit__(None, None, None)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)


class Tab:
    """One page: run JavaScript, move the mouse, press keys, take pictures."""

    def __init__(self, browser: Browser, session: str, target: str):
        self.browser, self.session, self.target = browser, session, target
        self.complaints: list[str] = []
        self.requests: list[str] = []

    def call(self, method: str, **parameters: Any) -> dict:
        return self.browser.call(method, self.session, **parameters)

    def heard(self, event: dict) -> None:
        """Keep errors, warnings and the addresses of requests."""
        values = event.get("params", {})
        if event["method"] == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif event["method"] == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in values["args"]))
        elif event["method"] == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{values['entry']['text']} {values['entry'].get('url', '')}")
        elif event["method"] == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def run(self, script: str) -> Any:
        """The value of an expression on the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']['exception'].get('description')}")
        return answer["result"].get("value")

    def wait(self, script: str, seconds: float = PATIENCE, holds: Callable[[Any], bool] = bool) -> Any:
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + seconds
        while not holds(value := self.run(script)):
            assert time.monotonic() < end, f"{script} is still {value!r} after {seconds} s; {self.complaints}"
            time.sleep(0.05)
        return value

    def mouse(self, kind: str, x: float, y: float, button: str = "left", shift: bool = False, pressed: bool = True) -> None:
        names = {"down": "mousePressed", "up": "mouseReleased", "move": "mouseMoved"}
        self.call(
            "Input.dispatchMouseEvent", type=names[kind], x=x, y=y, button=button, buttons=int(pressed and kind != "up"),
            modifiers=8 * shift, clickCount=int(kind != "move"),
        )  # fmt: skip

    def drag(self, x: float, y: float, dx: float, dy: float, steps: int = 12, shift: bool = False, release: bool = True) -> None:
        self.mouse("move", x, y, pressed=False, button="none")
        self.mouse("down", x, y, shift=shift)
        for k in range(1, steps + 1):
            self.mouse("move", x + dx * k / steps, y + dy * k / steps, shift=shift)
            time.sleep(0.02)
        if release:
            self.mouse("up", x + dx, y + dy, shift=shift)

    def grab(self, dx: float, dy: float) -> tuple[float, float]:
        """Press on the first body, again if it has moved from under the mouse, and drag; where the mouse is then."""
        for _ in range(60):
            at = self.run(NEAREST)
            self.mouse("move", at["x"], at["y"], pressed=False, button="none")
            self.mouse("down", at["x"], at["y"])
            if self.run("pliant.stage.canvas.style.cursor") == "grabbing":
                self.mouse("move", at["x"] + dx, at["y"] + dy)
                return at["x"] + dx, at["y"] + dy
            self.mouse("up", at["x"], at["y"])
        raise AssertionError("the body was never under the mouse")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """All fingers that are on the screen after a touch has begun, moved or ended."""
        names = {"down": "touchStart", "move": "touchMove", "up": "touchEnd"}
        places = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        self.call("Input.dispatchTouchEvent", type=names[kind], touchPoints=places)

    def key(self, key: str) -> None:
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def picture(self) -> bytes:
        """The page as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        self.browser.tabs.pop(self.session, None)
        self.browser.call("Target.closeTarget", targetId=self.target)


@contextmanager
def ready(browser: Browser, url: str, size: tuple[int, int] | None = None) -> Iterator[Tab]:
    """A tab in which the page of a viewer is there, closed in the end."""
    tab = browser.open(url, size)
    try:
        tab.wait("document.documentElement?.dataset.state === 'ready'")
        yield tab
    finally:
        tab.close()


def pixels(tab) -> np.ndarray:
    """The canvas alone as (height, width, 3), read right after it has been drawn."""
    width, height, text = tab.run(
        """(() => { const s = pliant.stage; s.stale = true; s.draw(); const gl = s.renderer.getContext();
        const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; const data = new Uint8Array(4 * w * h);
        gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
        let text = ''; for (let i = 0; i < data.length; i += 32768) text += String.fromCharCode(...data.subarray(i, i + 32768));
        return [w, h, btoa(text)]; })()"""
    )
    return np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[::-1, :, :3].astype(int)


def orange(seen: np.ndarray) -> np.ndarray:
    """Where the picture has the colour of pins, which nothing else has while holds are not drawn."""
    red, green, blue = seen.transpose(2, 0, 1)
    return (red > green + 40) & (green > blue + 60)


# the middle of the visible triangle that is nearest to the camera and farthest along x, and a vertex of it
NEAREST = """(() => {
  const [body, eye] = [pliant.stage.bodies[0], pliant.stage.camera.position];
  const [x, t] = [body.positions, body.triangles];
  const corner = (k) => eye.clone().fromArray(x, 3 * k);
  let [best, least] = [null, Infinity];
  for (let i = 0; i < t.length; i += 3) {
    const point = corner(t[i]).add(corner(t[i + 1])).add(corner(t[i + 2])).multiplyScalar(1 / 3);
    const at = pliant.stage.onScreen(point);
    const away = point.distanceTo(eye) - 3 * point.x;
    const hit = pliant.stage.pick(at.x, at.y);
    if (away < least && hit && hit.point.distanceTo(point) < 1e-3) [best, least] = [{ vertex: t[i], ...at }, away];
  }
  return best;
})()"""

EYE = "pliant.stage.camera.position.toArray()"
DISTANCE = "pliant.stage.controls.getDistance()"


def place_of(vertex: int) -> str:
    """JavaScript for where a surface vertex is on the screen."""
    point = f"pliant.stage.camera.position.clone().fromArray(pliant.stage.bodies[0].positions, {3 * vertex})"
    return f"pliant.stage.onScreen({point})"
