"""What the viewer costs: 15,000 tets under 20,000 triangles, stepped while a client in another process watches and pulls.

``python benchmarks/view.py`` prints one ``name value`` line each; ``--out FILE`` keeps them. Steps are those of
``pliant view`` unless ``--dt`` and ``--iterations`` say otherwise; ``--soak`` adds random drags and slider moves. The delay is
from the moment when a movement of the hand is sent, which is when a frame has just come, the worst one, to the frame of a
step that was begun with it.
"""

import argparse
import json
import os
import platform
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
from websockets.sync.client import connect

import pliant as pl


def block(tets: int, dt: float, iterations: int, device: str) -> pl.Simulation:
    """A block of about so many tets, five a cell, that lies on the floor and is drawn by a surface of 20,000 triangles."""
    size, edge = (0.30, 0.20, 0.10), (0.006 / (tets / 5)) ** (1 / 3)
    cells = tuple(max(1, round(length / edge)) for length in size)
    mesh = pl.tet_grid(size=size, cells=cells, origin=(-0.15, -0.10, 0.0))
    fine = pl.surface(pl.box(size, centre=(0, 0, 0.05)), 0.0066)
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0), surface=fine, name="block")
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    integrator = pl.ImplicitEuler(dt=dt, solver=pl.QuasiNewton(iterations=iterations))
    return pl.Simulation(scene, integrator, device=device, precision="f32")


def watch(url: str, seconds: float, soak: bool) -> None:
    """The client: acknowledges each frame, moves a hand, and times how long a movement takes to come back."""
    rng = np.random.default_rng(0)
    address = url.replace("http://", "ws://").replace("/?", "/live?")
    frames, size, waits, sent, last = 0, 0, [], None, 0.0
    with connect(address, compression=None, max_size=2**27, proxy=None) as socket:
        do = lambda what, **values: socket.send(json.dumps({"do": what, **values}))
        do("colour", name="stress")
        do("grab", hand=0, body=0, vertices=[0], weights=[1.0], at=[0.1, 0.0, 0.1])
        begin = acted = time.perf_counter()
        while (now := time.perf_counter()) - begin < seconds:
            message = socket.recv()
            if isinstance(message, str) or struct.unpack_from("<I", message)[0] != 2:
                continue
            frames, size = frames + 1, len(message)
            do("ack", frame=struct.unpack_from("<I", message, 4)[0])
            held, (time_shown,) = struct.unpack_from("<I", message, 16)[0], struct.unpack_from("<d", message, 32)
            moved, last = time_shown > last, time_shown
            if sent and held and moved and abs(struct.unpack_from("<2I7f", message, 72)[5] - sent[1]) < 1e-6:
                waits.append(time.perf_counter() - sent[0])
                sent = None
            if sent is None and held:
                goal = rng.uniform([-0.2, -0.2, 0.0], [0.2, 0.2, 0.3]).astype(np.float32).astype(float).tolist()
                sent = (time.perf_counter(), goal[0])
                do("move", hand=0, at=goal)
            if soak and now - acted > 0.5:
                acted, sent = now, None
                do("set", body=0, name="young", value=float(10 ** rng.uniform(3.8, 4.8)))
                do("release", hand=0, pin=False)
                do("grab", hand=0, body=0, vertices=[int(rng.integers(1000))], weights=[1.0], at=[0.1, 0.0, 0.2])
    waits = np.array(waits or [np.nan]) * 1e3
    rate = frames / seconds
    print(json.dumps({"rate": rate, "bytes": size, "p50": np.percentile(waits, 50), "p95": np.percentile(waits, 95)}))


def cpu(thread: threading.Thread) -> float:
    """Processor time of a thread [s]."""
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


def memory() -> float:
    """Resident memory [MB]."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--dt", type=float, default=1 / 60)
    parser.add_argument("--iterations", type=int, default=6)
    parser.add_argument("--tets", type=int, nargs="+", default=[15_000], help="sizes, one after the other")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--soak", action="store_true", help="random drags and slider moves")
    parser.add_argument("--out", type=Path, help="a JSON file, to which the rows of this run are added")
    parser.add_argument("--machine", default=platform.platform(), help="what to call this machine there")
    parser.add_argument("--watch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        return watch(options.watch, options.seconds, options.soak)
    for tets in options.tets:
        found = measured(block(tets, options.dt, options.iterations, options.device), options)
        for name, value in found.items():
            print(f"{found['tets']} tets, {name} {value}")
        if options.out:
            kept = json.loads(options.out.read_text()) if options.out.exists() else []
            now = {"machine": options.machine, "commit": commit(), "date": time.strftime("%Y-%m-%d")}
            options.out.write_text(json.dumps([*kept, now | found], indent=1, ensure_ascii=False) + "\n")


def commit() -> str:
    """What is checked out, with a mark where files differ from it."""
    asked = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, cwd=Path(__file__).parent)
    return asked.stdout.strip() or "unknown"


def measured(sim: pl.Simulation, options: argparse.Namespace) -> dict:
    """Run a simulation in a viewer that one client watches, and say what it costs."""
    for _ in range(5):
        sim.step()
    sim.reset()
    viewer = pl.view(sim, port=0, open=False, block=False)
    snapshot, spent = viewer.loop._publish, []

    def timed() -> None:
        begin = time.thread_time()
        snapshot()
        spent.append(time.thread_time() - begin)

    viewer.loop._publish = timed
    command = [sys.executable, __file__, "--watch", viewer.url, "--seconds", str(options.seconds)]
    with subprocess.Popen(command + ["--soak"] * options.soak, stdout=subprocess.PIPE, text=True) as client:
        warm = 2.0 + 0.1 * options.seconds * options.soak  # a slider's first move factors anew and keeps what it needs
        time.sleep(warm)
        spent.clear()
        server, frames, steps = cpu(viewer.server._thread), viewer.server.audience.frames_sent, sim.state.steps
        begin, held = time.time(), [memory()]
        for _ in range(4):
            time.sleep((options.seconds - warm - 1.0) / 4)
            held.append(memory())
        passed = time.time() - begin
        server = cpu(viewer.server._thread) - server
        frames, steps = viewer.server.audience.frames_sent - frames, sim.state.steps - steps
        seen = json.loads(client.communicate()[0])
    trouble = viewer.loop.trouble
    viewer.close()
    left = [t.name for t in threading.enumerate() if t.name in ("pliant simulation", "pliant server")]
    return {
        "tets": len(sim.skins[0].tets), "triangles": len(sim.skins[0].triangles), "device": sim.device.name,
        "dt [s]": round(options.dt, 5), "iterations": options.iterations, "seconds": options.seconds, "soak": options.soak,
        "steps [1/s]": round(steps / passed, 1), "of real time": round(options.dt * steps / passed, 2),
        "frames delivered [1/s]": round(seen["rate"], 1), "frame [bytes]": seen["bytes"],
        "server [CPU-ms/frame]": round(1e3 * server / max(frames, 1), 2),
        "snapshot with stress [CPU-ms/frame]": round(1e3 * float(np.mean(spent)), 2),
        "movement to frame, median [ms]": round(seen["p50"]), "movement to frame, 95 % [ms]": round(seen["p95"]),
        "memory in quarters [MB]": [round(m) for m in held], "trouble": trouble or "none", "threads left": left or "none",
        "load of the machine": round(os.getloadavg()[0], 1),
    }  # fmt: skip


if __name__ == "__main__":
    main()
