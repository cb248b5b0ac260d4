"""What the viewer costs: 15,000 tets under 20,000 triangles, stepped while a client in another process watches and pulls.

``python benchmarks/view.py`` prints one ``name value unit`` line each. Steps are those of ``pliant view`` unless ``--dt`` and
``--iterations`` say otherwise; ``--soak`` adds random drags and slider moves. The delay is from the moment when a movement of the
hand is sent, which is when a frame has just come, the worst one, to the frame of a step that was begun with it.
"""

import argparse
import json
import os
import struct
import subprocess
import sys
import threading
import time

import numpy as np
from websockets.sync.client import connect

import pliant as pl


def block(dt: float, iterations: int) -> pl.Simulation:
    """A block of 3,000 cells, five tets each, that lies on the floor and is drawn by a finer surface."""
    size = (0.30, 0.20, 0.10)
    mesh = pl.tet_grid(size=size, cells=(20, 15, 10), origin=(-0.15, -0.10, 0.0))
    fine = pl.surface(pl.box(size, center=(0, 0, 0.05)), 0.0066)
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0), surface=fine, name="block")
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    return pl.Simulation(scene, pl.ImplicitEuler(dt=dt, solver=pl.QuasiNewton(iterations=iterations)), precision="f32")


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
    parser.add_argument("--soak", action="store_true", help="random drags and slider moves")
    parser.add_argument("--watch", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.watch:
        return watch(options.watch, options.seconds, options.soak)
    sim = block(options.dt, options.iterations)
    for _ in range(5):
        sim.step()
    sim.reset()
    tets, triangles = len(sim.skins[0].tets), len(sim.skins[0].triangles)
    viewer = pl.view(sim, port=0, open=False, block=False)
    snapshot, spent = viewer.loop._publish, []

    def timed() -> None:
        begin = time.thread_time()
        snapshot()
        spent.append(time.thread_time() - begin)

    viewer.loop._publish = timed
    command = [sys.executable, __file__, "--watch", viewer.url, "--seconds", str(options.seconds)]
    with subprocess.Popen(command + ["--soak"] * options.soak, stdout=subprocess.PIPE, text=True) as client:
        time.sleep(2.0)
        spent.clear()
        server, frames, steps, held, begin = (
            cpu(viewer.server._thread),
            viewer.server.frames_sent,
            sim.state.steps,
            memory(),
            time.time(),
        )
        grown = [held]
        for _ in range(4):
            time.sleep((options.seconds - 3.0) / 4)
            grown.append(memory())
        passed = time.time() - begin
        server = cpu(viewer.server._thread) - server
        frames, steps = viewer.server.frames_sent - frames, sim.state.steps - steps
        seen = json.loads(client.communicate()[0])
    trouble = viewer.loop.trouble or "none"
    viewer.close()
    left = [t.name for t in threading.enumerate() if t.name in ("pliant simulation", "pliant server")]
    label = f"{tets} tets, {triangles} triangles"
    print(f"{label}, steps {steps / passed:.1f} per second, {options.dt * steps / passed:.2f} of real time")
    print(f"{label}, frames delivered {seen['rate']:.1f} per second")
    print(f"{label}, server thread {1e3 * server / max(frames, 1):.2f} CPU-ms per frame")
    print(f"{label}, snapshot with stress in the simulation's thread {1e3 * np.mean(spent):.2f} CPU-ms per frame")
    print(f"{label}, frame {seen['bytes']} bytes")
    print(f"{label}, movement to frame, median {seen['p50']:.0f} ms")
    print(f"{label}, movement to frame, 95 % {seen['p95']:.0f} ms")
    print(f"{label}, memory in quarters {', '.join(f'{m:.0f}' for m in grown)} MB")
    print(f"{label}, trouble {trouble}; threads left {left or 'none'}; load of the machine {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
