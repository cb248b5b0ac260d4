"""``pl.view``: a loop, a server and a browser, opened and closed together."""

from __future__ import annotations

import atexit
import secrets
import signal
import sys
import threading
import webbrowser
from collections.abc import Callable, Mapping
from types import TracebackType

from ..errors import InputError
from ..simulate.record.run import Run
from ..simulate.simulation import Simulation
from ..solve.objective.report import Report
from .live_loop import Loop
from .pages.replay import Replay
from .protocol.access import check_port, is_loopback
from .protocol.dropped_files import Reader
from .protocol.messages import Command
from .server import Server

PORT = 8600  # tried first where none is asked for


class Viewer:
    """A live simulation, or the replay of a run, shown at ``url`` until ``close``; also a context manager."""

    def __init__(self, loop: Loop | Replay, server: Server):
        self.loop, self.server = loop, server
        self._closed = threading.Event()
        atexit.register(self.close)

    @property
    def url(self) -> str:
        """Where the page is, with the token that lets one in."""
        host = self.server.host
        host = "127.0.0.1" if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.server.port}/?token={self.server.token}"

    @property
    def sim(self) -> Simulation:
        """The simulation that is shown; read it while paused, as it moves on in another thread."""
        return self._live("sim").sim

    def record(self) -> None:
        """Start recording, as the page's button does.

        Returns with the first moment. An earlier recording is dropped.
        """
        loop = self._live("record()")
        loop.recorder.start()
        loop.post(Command("recording", {}))
        while not loop.recorder.began.wait(0.5) and loop.alive:
            pass

    def stop_recording(self) -> Run | None:
        """End the recording and return it; None where not even one moment was kept."""
        loop = self._live("stop_recording()")
        loop.recorder.stop()
        loop.post(Command("recording", {}))
        return self.recording

    @property
    def recording(self) -> Run | None:
        """The last recording, made here or in a page, or None; of a replay the run that is shown."""
        return self.loop.recorded

    def _live(self, what: str) -> Loop:
        if not isinstance(self.loop, Loop):
            raise InputError(f"{what}: this viewer replays a run; pl.view(sim) shows a simulation")
        return self.loop

    def wait(self) -> None:
        """Return when the viewer has been closed, or at Ctrl-C; SIGTERM and SIGHUP close it before they end the process."""
        heard: list[int] = []
        numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
        if threading.current_thread() is not threading.main_thread():  # signals are for the main thread alone
            numbers = []
        before = {n: signal.getsignal(n) for n in numbers if signal.getsignal(n) == signal.SIG_DFL}
        for number in before:
            signal.signal(number, lambda number, frame: heard.append(number))
        try:
            while not self._closed.wait(0.5) and not heard:
                pass
        except KeyboardInterrupt:
            print(file=sys.stderr)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        if heard:
            self.close()
            signal.raise_signal(heard[0])

    def close(self) -> None:
        """End the page's connections and both threads."""
        if not self._closed.is_set():
            self._closed.set()
            self.server.stop()
            self.loop.stop()
            atexit.unregister(self.close)

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Viewer({self.url!r}{', closed' if self._closed.is_set() else ''})"


def view(
    sim: Simulation | Run,
    *,
    port: int | None = None,
    host: str = "127.0.0.1",
    open: bool = True,
    block: bool = True,
    library: Mapping[str, Callable[[], Simulation]] | None = None,
    name: str = "",
    quick: bool = False,
    on_step: Callable[[Simulation, Report], object] | None = None,
    reader: Reader | None = None,
) -> Viewer:
    """Show a simulation in the browser, running, to be grabbed and pulled, or play a run again; returns at Ctrl-C.

    With ``block=False`` it returns a Viewer at once, whose ``url`` is the page and whose ``close`` ends it.
    ``open=False`` leaves the browser to you. ``host`` other than this machine lets others in who have the token in the
    url. ``library`` is a menu of other simulations: name → function that makes one. ``quick`` begins with ten
    quasi-Newton iterations a step in place of Newton's method, as ``pliant view`` does, and waits at t = 0 for the first
    page to open. In a notebook
    ``pl.widget(sim)`` shows the same page in a cell. ``on_step(sim, report)`` is called after each good step, in the thread
    that steps, to read forces or move what is held; it pauses by returning True. ``reader(path, up=None, unit=None)`` returns a
    function that makes a simulation of a file, as ``library`` has them: then files can be dropped on the page.
    """
    if not isinstance(sim, Simulation | Run):
        kind = type(sim).__name__
        raise InputError(f"view({kind}): expected a Simulation, as in pl.view(pl.Simulation(scene)), or a Run")
    if isinstance(sim, Run) and (library or quick or on_step or reader):
        raise InputError("view(run, …): library, quick, on_step and reader are for simulations; a run is only played again")
    check_port(port)
    if not isinstance(host, str) or not host:
        raise InputError(f"view(host={host!r}): expected a name or an address such as '127.0.0.1'")
    loop = Replay(sim, name) if isinstance(sim, Run) else Loop(sim, library, name, quick, on_step, reader)
    if quick:
        loop.hold()
    server = _listening(loop, host, port)
    loop.start()
    viewer = Viewer(loop, server)
    if open:
        webbrowser.open(viewer.url)
    if not block:
        return viewer
    print(f"Pliant is at {viewer.url}", file=sys.stderr)
    if not is_loopback(host):
        print("Anybody on the network who has this address can look and pull.", file=sys.stderr)
    print("Ctrl-C ends it.", file=sys.stderr, flush=True)
    try:
        viewer.wait()
    finally:
        viewer.close()
    return viewer


def _listening(loop: Loop | Replay, host: str, port: int | None) -> Server:
    """A server on the port asked for; where none is, on the usual one or, if that is taken, on any free one."""
    token = secrets.token_urlsafe(16)
    server = Server(loop, host, PORT if port is None else port, token)
    try:
        server.start()
    except InputError:
        if port is not None:
            raise
        server = Server(loop, host, 0, token)
        server.start()
    return server
