"""Notebook kernel: a loop and its pages inside Jupyter.

All of it happens in the thread of the event loop that was running when the widget was made.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import anywidget
import traitlets

from ..simulate.record.run import Run
from ..simulate.simulation import Simulation
from .live_loop import Loop
from .protocol.client import Audience, Client
from .protocol.session import PATIENCE

BREATH, SHARE = 0.001, 0.05  # [s] that other work gets at least between two steps, and its share of the time of a step
NAME = 40  # characters of the name of a view
STOPPED = "Stopped in the notebook; start() goes on."
log = logging.getLogger("pliant.view")


class Widget(anywidget.AnyWidget):
    """A simulation in a cell; ``stop`` and ``start`` hold it up and let it go on, ``close`` ends it."""

    _esm = resources.files(__package__).joinpath("static", "app.js").read_text(encoding="utf-8")
    height = traitlets.Int().tag(sync=True)

    def __init__(
        self, sim: Simulation, *, height: int, library: Mapping[str, Callable[[], Simulation]] | None, name: str, quick: bool
    ):
        super().__init__(height=height)
        self._aio = asyncio.get_running_loop()
        self._loop = Loop(sim, library, name, quick)
        self._audience, self._views = Audience(self._loop), dict[str, Client]()
        self._task: asyncio.Task | None = None
        self._news = asyncio.Event()
        self._loop.listeners.append(self._audience.wake)
        self.on_msg(self._letter)
        self.start()

    @property
    def sim(self) -> Simulation:
        """The simulation that is shown; between two cells nobody else touches it."""
        return self._loop.sim

    @property
    def recording(self) -> Run | None:
        """The last recording made in the page, or None."""
        return self._loop.recorded

    @property
    def stepping(self) -> bool:
        """Whether steps are taken while a page looks."""
        return self._task is not None

    def start(self) -> None:
        """Go on after ``stop``."""
        if self._task is None:
            self._loop.set_busy("")
            self._task = self._aio.create_task(self._run())

    def stop(self) -> None:
        """Take no more steps; what is seen stays."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self._loop.set_busy(STOPPED)
            for view in self._views:
                self.send({"view": view, "still": True})

    def close(self) -> None:
        """End the steps and take the widget away."""
        self.stop()
        for view in list(self._views):
            self._leave(view)
        super().close()

    # --- steps

    async def _run(self) -> None:
        try:
            self._loop.begin()
            while True:
                wait = self._loop.due() if self._views else PATIENCE
                if wait:
                    timer = self._aio.call_later(min(wait, PATIENCE), self._news.set)
                    try:
                        await self._news.wait()
                    finally:
                        timer.cancel()
                    self._news.clear()
                begin = time.perf_counter()
                self._loop.turn(self._loop.commands.take(), wait)
                await asyncio.sleep(max(BREATH, SHARE * (time.perf_counter() - begin)))
        except Exception:
            log.exception("the steps of the widget ended")
            self._task = None

    # --- messages

    def _letter(self, _: Any, content: Any, buffers: Any) -> None:
        """What a page says; kernels hand it over in whatever thread they like."""
        self._aio.call_soon_threadsafe(self._read, content)

    def _read(self, content: Any) -> None:
        view = content.get("view") if isinstance(content, dict) else None
        if self.comm is None or not isinstance(view, str) or not 0 < len(view) <= NAME:
            log.warning("refused a message from the notebook: it names no view")
            return
        if isinstance(content.get("open"), bool):
            self._leave(view)
            if content["open"]:
                self._join(view)
        elif view in self._views and (why := self._views[view].hear(content.get("text"))):
            self.send({"view": view, "gone": why})
            self._leave(view)
        self._news.set()

    def _join(self, view: str) -> None:
        if self._audience.full:
            log.warning("refused a view of the notebook: %d are open already", len(self._views))
            self.send({"view": view, "gone": f"{len(self._views)} views are open already"})
            return
        client = self._views[view] = self._audience.join("the notebook", lambda: self._send_owed(view))
        client.wake()
        if self._task is None:
            self.send({"view": view, "still": True})

    def _leave(self, view: str) -> None:
        if view in self._views:
            self._audience.leave(self._views.pop(view))

    def _send_owed(self, view: str) -> None:
        for message in self._views[view].owed():
            if isinstance(message, str):
                self.send({"view": view, "text": message})
            else:
                self.send({"view": view}, [message])
