"""Where the time of a step goes on one CPU thread: calls from Python, and kernels launched one by one.

``python benchmarks/kernels.py`` prints ``name value unit`` lines for the demo's scene and a beam of 1,600 tets. Kernel
times are processor times of the thread, so that a busy machine disturbs them little.
"""

from __future__ import annotations

import time
from collections import Counter

import pliant as pl
from pliant.cli.demo import scene as demo
from pliant.runtime.device import Device
from pliant.runtime.launch_cache import Recorded
from pliant.runtime.launch_graph import Program


def beam() -> pl.Scene:
    law = pl.StableNeoHookean(young=1e5, poisson=0.4)
    return pl.Scene([pl.Body(pl.tet_grid((1.0, 0.2, 0.2), (20, 4, 4)), law, pinned=lambda X: X[:, 0] < 1e-9)])


SCENES = {
    "demo, Newton": (demo, pl.Newton()),
    "beam, Newton": (beam, pl.Newton()),
    "beam, QuasiNewton": (beam, pl.QuasiNewton()),
}


def watched(sim: pl.Simulation, steps: int, one_by_one: bool) -> tuple[Counter, Counter, float]:
    """Calls and seconds by kernel (programs under "") in so many steps, and the processor time of all."""
    calls, seconds, methods = Counter(), Counter(), (Recorded.run, Program.run, Device._written)

    def timed(method):
        def run(self, *args):
            begin = time.thread_time()
            method(self, *args)
            name = self.kernel.key.rsplit("__", 1)[-1] if isinstance(self, Recorded) else ""
            calls[name] += 1
            seconds[name] += time.thread_time() - begin

        return run

    try:
        Recorded.run, Program.run = timed(methods[0]), timed(methods[1])
        if one_by_one:
            Device._written = lambda self, work: None
        begin = time.thread_time()
        for _ in range(steps):
            sim.step()
        return calls, seconds, time.thread_time() - begin
    finally:
        Recorded.run, Program.run, Device._written = methods


def main(steps: int = 20) -> None:
    for name, (scene, solver) in SCENES.items():
        for one_by_one in (True, False):
            sim = pl.Simulation(scene(), pl.ImplicitEuler(solver=solver), threads=1)
            for _ in range(4 if one_by_one else 6):
                watched(sim, 1, one_by_one)
            calls, seconds, total = watched(sim, steps, one_by_one)
            how = "one by one" if one_by_one else "programs"
            print(f"{name}, {how}, step {1e3 * total / steps:.3g} ms")
            print(f"{name}, {how}, calls from Python {calls.total() / steps:.4g}")
            for kernel, spent in seconds.most_common(6) if one_by_one else ():
                print(f"{name}, {kernel} {1e3 * spent / steps:.3g} ms ({calls[kernel] / steps:.4g} launches)")


if __name__ == "__main__":
    main()
