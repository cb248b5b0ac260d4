"""Minutes of random cutting, tearing and dragging in the viewer: what goes wrong, and what memory and mesh come to.

    python -m benchmarks.cut_in_viewer [--seconds 600] [--seed 0] [--no-page] [--out FILE]

The viewer's loop runs in its own thread against the clock; this one plays a person. It sends the messages that a page sends,
which are checked as there, at random: strokes of the knife, right through and shallow, undo, hands that close, drag, let go or
leave a pin, the slider of what tears, stiffness, colours, pause, reset, and another of three scenes every minute. It packs each
frame that comes. Of each second it keeps the memory of the process and the number of nodes. Meanwhile a page in Chromium draws
it all, clipped, seen through, with edges and contacts at times; of every ten seconds its memory is kept (``page_memory``).
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import pliant as pl
from pliant.view.live_loop import Loop
from pliant.view.protocol.messages import Command, pack_frame, parse

from .page_memory import PageMemory

EVERY = 60.0  # [s] after which another scene is chosen
PAUSE = 10.0  # [s] between two looks at the memory of the page
PAGE = "/proc/self/statm"


def solid() -> pl.Simulation:
    """A block under a finer surface and a bar that tears, over a floor."""
    fine = pl.surface(pl.box((0.2, 0.2, 0.12), centre=(0.1, 0.1, 0.16)), 0.02)
    block = pl.tet_grid((0.2, 0.2, 0.12), (6, 6, 4), origin=(0, 0, 0.1))
    bar = pl.tet_grid((0.4, 0.08, 0.08), (14, 3, 3), origin=(0, 0.4, 0.3))
    soft = pl.StableNeoHookean(young=2e4, poisson=0.4)
    bodies = [
        pl.Body(block, soft, surface=fine, name="block"),
        pl.Body(bar, soft, pinned=lambda X: X[:, 0] < 1e-9, effects=[pl.Tearing(stretch=1.6)], name="bar"),
    ]
    scene = pl.Scene(bodies, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=8)), precision="f32")


def sheet() -> pl.Simulation:
    """A sheet in the wind that tears, beside a ball that can be cut."""
    cloth = pl.cloth_grid((0.6, 0.4), (24, 16)).rotated((1, 0, 0), 90).translated((0, 0, 0.6))
    tears = pl.Tearing(stretch=1.25, noise=0.1, seed=4)
    wind = pl.Wind((1.0, 8.0, 0.0), drag=1.2, lift=1.0)
    flag = pl.Body(
        pl.Membrane(cloth, thickness=2e-4), pl.Corotated(young=3e5, poisson=0.3, density=600.0), effects=[wind, tears],
        pinned=lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > 0.6 - 1e-9), damping=pl.Damping(stiffness=2e-4), name="flag",
    )  # fmt: skip
    ball = pl.Body(pl.tetrahedralise(pl.surface(pl.sphere(0.1, centre=(0.3, -0.6, 0.2)), 0.03), edge=0.035),
                   pl.StableNeoHookean(young=1e4, poisson=0.4), name="ball")  # fmt: skip
    scene = pl.Scene([flag, ball], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=6)))


def lattice() -> pl.Simulation:
    """A ring of cells on a floor, by Newton's method."""
    ring = pl.Lattice(pl.torus(0.1, 0.03, centre=(0, 0, 0.06)), spacing=0.03)
    body = pl.Body(ring, pl.StableNeoHookean(young=2e4, poisson=0.4), name="ring")
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(iterations=2)))


SCENES = {"solid": solid, "sheet": sheet, "lattice": lattice}


def memory() -> float:
    """Memory of the process [MiB]."""
    return int(Path(PAGE).read_text().split()[1]) * 4096 / 2**20


class Faults(logging.Handler):
    """What the loop logs: sentences that refuse something, and errors that nobody expected, with where they come from."""

    def __init__(self):
        super().__init__()
        self.said: Counter[str] = Counter()
        self.unexpected: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        kind, error, _ = sys.exc_info()
        if "unexpected" in text or (kind is not None and not issubclass(kind, pl.errors.PliantError)):
            self.unexpected.append(text + "\n" + "".join(traceback.format_exception(error)[-6:]))
        self.said["".join("#" if c.isdigit() else c for c in text)[:110]] += 1


@dataclass
class Person:
    """Somebody at the page, who does something at random."""

    loop: Loop
    rng: np.random.Generator
    held: dict[int, np.ndarray] = field(default_factory=dict)
    did: Counter = field(default_factory=Counter)
    said: list[Command] = field(default_factory=list)  # where no thread takes what is posted
    waits: int = 0  # for the frame of this number before the next cut

    def send(self, do: str, **values) -> None:
        self.did[do] += 1
        command = parse(json.dumps({"do": do, **values}), client=1)
        if self.loop.alive:
            self.loop.post(command)
        else:
            self.said.append(command)

    def act(self) -> None:
        rng = self.rng
        what = rng.choice(
            ["cut", "drag", "grab", "release", "uncut", "tear", "set", "colour", "pause", "reset", "unpin", "elements"],
            p=[0.14, 0.39, 0.15, 0.10, 0.02, 0.06, 0.03, 0.02, 0.03, 0.02, 0.02, 0.02],
        )
        getattr(self, f"_{what}")()

    def _box(self) -> tuple[np.ndarray, float]:
        """A point of what is shown, and the size of that."""
        shown = self.loop.latest.positions
        return shown[self.rng.integers(len(shown))].astype(float), float(np.linalg.norm(np.ptp(shown, axis=0)))

    def _cut(self) -> None:
        if self.loop.latest.number < self.waits:  # until the last one is seen
            return
        self.waits = self.loop.latest.number + 2
        rng, (middle, size) = self.rng, self._box()
        into, along = rng.normal(size=3), rng.normal(size=3)
        into /= np.linalg.norm(into)
        along -= along @ into * into
        along /= np.linalg.norm(along)
        t = np.linspace(-0.5, 0.5, int(rng.integers(2, 9)))[:, None]
        bend = rng.normal(scale=0.3) * np.cross(along, into)
        path = middle + size * rng.uniform(0.1, 1.0) * (t * along + t**2 * bend) - 0.5 * size * into
        depth = size * (1.0 if rng.random() < 0.6 else rng.uniform(0.4, 0.6))
        self.send("cut", path=path.tolist(), into=into.tolist(), depth=depth)

    def _grab(self) -> None:
        shown, first = self.loop.latest.positions, self.loop.snapshots.surfaces.first
        body, hand = int(self.rng.integers(len(first) - 1)), int(self.rng.integers(3))
        vertex = int(self.rng.integers(first[body + 1] - first[body]))
        self.held[hand] = shown[min(first[body] + vertex, len(shown) - 1)].astype(float)
        self.send("grab", hand=hand, body=body, vertices=[vertex], weights=[1.0], at=self.held[hand].tolist())

    def _drag(self) -> None:
        for hand in self.held:
            self.held[hand] = self.held[hand] + self.rng.normal(scale=0.05, size=3)
            self.send("move", hand=hand, at=self.held[hand].tolist())

    def _release(self) -> None:
        hand = int(self.rng.integers(3))
        self.held.pop(hand, None)
        self.send("release", hand=hand, pin=bool(self.rng.random() < 0.3))

    def _uncut(self) -> None:
        self.send("uncut")

    def _tear(self) -> None:
        for body, values in enumerate(self.loop.state["bodies"]):
            if "tear stretch" in values:
                self.send("set", body=body, name="tear stretch", value=float(self.rng.uniform(1.15, 2.5)))

    def _set(self) -> None:
        body = int(self.rng.integers(len(self.loop.state["bodies"])))
        young = self.loop.state["bodies"][body]["young"]
        self.send("set", body=body, name="young", value=float(np.clip(young * self.rng.uniform(0.5, 2), 5e3, 5e5)))

    def _colour(self) -> None:
        self.send("colour", name=str(self.rng.choice(["stress", "stretch", "none"])))

    def _pause(self) -> None:
        self.send("pause", value=bool(self.loop.running and self.rng.random() < 0.3))

    def _reset(self) -> None:
        self.held.clear()
        self.send("reset")

    def _unpin(self) -> None:
        self.send("unpin", pin=-1)

    def _elements(self) -> None:
        self.send("elements", value=bool(self.rng.random() < 0.5))

    def again(self) -> None:
        """After a step that failed: go on, or put everything back."""
        if self.rng.random() < 0.5:
            self._reset()
        else:
            self.send("pause", value=False)

    def choose(self, name: str) -> None:
        """Another scene."""
        self.held.clear()
        self.send("example", name=name)


def turned(turns: int, seed: int, make=solid) -> tuple[Loop, Person, Faults]:
    """So many turns of a loop without a thread or a clock, a few things done before each."""
    faults, log = Faults(), logging.getLogger("pliant.view")
    log.addHandler(faults)
    try:
        loop = Loop(make())
        loop.begin()
        person = Person(loop, np.random.default_rng(seed))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pl.errors.PliantWarning)  # blades that cut nothing
            for _ in range(turns):
                for _ in range(3):
                    person.act()
                if loop.trouble:
                    person.again()
                said, person.said = person.said, []
                loop.turn(said, 0.0)
                loop._publish()
                pack_frame(loop.latest)
    finally:
        log.removeHandler(faults)
    return loop, person, faults


def handled(
    seconds: float,
    seed: int = 0,
    every: float = EVERY,
    scenes: dict = SCENES,
    told=lambda line: None,
    page: bool = False,
) -> dict:
    """Play for so many seconds of the clock, with a page that draws it or without one; what came of it."""
    faults, log, died = Faults(), logging.getLogger("pliant.view"), []
    hook, threading.excepthook = (
        threading.excepthook,
        lambda args: died.append("".join(traceback.format_exception(args.exc_value)[-6:])),
    )
    log.addHandler(faults)
    counts: Counter[str] = Counter()

    def watch(sim: pl.Simulation, report: pl.Report) -> None:
        counts["steps"] += 1
        counts["nodes torn"] += report.torn

    names = list(scenes)
    first, ended = scenes[names[0]](), ExitStack()
    if page:
        viewer = ended.enter_context(
            pl.view(first, port=0, open=False, block=False, library=scenes, name=names[0], on_step=watch)
        )
        loop, seen = viewer.loop, ended.enter_context(PageMemory(viewer.url))
    else:
        loop, seen = Loop(first, scenes, names[0], on_step=watch), None
        loop.start()
    person, rows, shown, turn, kept = Person(loop, np.random.default_rng(seed)), [], 0, 0, []
    begin = noted = read = time.monotonic()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pl.errors.PliantWarning)  # blades that cut nothing
            while (now := time.monotonic() - begin) < seconds and loop.alive and not died:
                person.act()
                if loop.trouble:
                    counts["steps that failed"] += 1
                    person.again()
                if loop.latest.number != shown:
                    shown, counts["bytes"] = loop.latest.number, counts["bytes"] + len(pack_frame(loop.latest))
                    counts["frames"] += 1
                if now // every > turn:
                    turn = int(now // every)
                    person.choose(names[turn % len(names)])
                if time.monotonic() - noted > 1.0:
                    noted = time.monotonic()
                    sim = loop.sim
                    rows.append((round(now, 1), loop.name, sim.world.count, sim.cuts, round(memory(), 1)))
                    if len(rows) % 20 == 0:
                        told(f"{rows[-1]} {dict(counts)} {len(faults.unexpected)} unexpected")
                if seen and time.monotonic() - read > PAUSE:
                    kept.append([round(now, 1), loop.name, loop.sim.world.count, *seen.read().values()])
                    columns = ["s", "scene", "nodes", *seen.read()]
                    seen.look(int(person.rng.integers(-1, 3)), *(bool(flag) for flag in person.rng.random(3) < 0.4))
                    read = time.monotonic()
                time.sleep(float(person.rng.uniform(0.05, 0.25)))
        drawn = {"page": {"columns": columns, "rows": kept, "complaints": seen.complaints}} if kept else {}
    finally:
        ended.close()
        loop.stop()
        log.removeHandler(faults)
        threading.excepthook = hook
    assert not loop.alive, "the loop hangs"
    nodes = {name: (min(some), max(some)) for name in names if (some := [row[2] for row in rows if row[1] == name])}
    return {
        "seconds": round(time.monotonic() - begin, 1), "seed": seed, "did": dict(person.did), **dict(counts),
        "nodes, least and most": nodes, "rows (s, scene, nodes, cuts, MiB)": rows, "said": dict(faults.said.most_common()),
        "unexpected": faults.unexpected, "threads that died": died,
        "finite": bool(np.isfinite(loop.sim.x).all() and np.isfinite(loop.sim.v).all()), **drawn,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=float, default=EVERY, help="seconds after which another scene is chosen")
    parser.add_argument("--no-page", action="store_true", help="without a browser that draws it")
    parser.add_argument("--out", default="")
    options = parser.parse_args()
    found = handled(
        options.seconds,
        options.seed,
        options.every,
        told=lambda line: print(line, flush=True),
        page=not options.no_page,
    )
    rows = found.pop("rows (s, scene, nodes, cuts, MiB)")
    print(json.dumps(found, indent=1))
    if options.out:
        Path(options.out).write_text(json.dumps(found | {"rows (s, scene, nodes, cuts, MiB)": rows[::10]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
