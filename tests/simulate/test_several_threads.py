"""Simulations in several Python threads at once: as far apart as in several processes."""

import subprocess
import sys

SEVERAL = """
import threading
import numpy as np
import pliant as pl

def moved(steps=25):
    shape = pl.tet_grid((0.4, 0.1, 0.1), (8, 2, 2), origin=(0, 0, 0.3))
    body = pl.Body(shape, pl.StableNeoHookean(young=4e4, poisson=0.4), pinned=lambda X: X[:, 0] < 1e-6)
    sim = pl.Simulation(pl.Scene([body], [pl.plane(z=0.0)], contact=pl.Contact(friction=0.3)), pl.ImplicitEuler(dt=1 / 60))
    for _ in range(steps):
        assert sim.step().kept
    return sim.x

found = []
workers = [threading.Thread(target=lambda: found.extend(moved() for _ in range(8))) for _ in range(3)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
alone = moved()
assert len(found) == 24 and all(np.array_equal(x, alone) for x in found)
print("all alike")
"""


def test_simulations_in_several_threads_are_bit_for_bit_those_of_one():
    """In a process of its own, where nothing is loaded yet: the threads make, load and run the same kernels at once."""
    done = subprocess.run([sys.executable, "-c", SEVERAL], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and done.stdout == "all alike\n", done.stderr[-2000:]
