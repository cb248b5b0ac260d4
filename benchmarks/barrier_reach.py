"""What the reach of a barrier costs and how far apart bodies rest: ``python benchmarks/barrier_reach.py [scene …]``.

Scenes are those of ``pliant bench contact``, such as cloth-2-12 and pile-8-2; a second of each with every reach."""

import sys

import numpy as np

import pliant as pl
from pliant.bench import contact_scenes

SHARES = (0.1, 0.05, 0.02, 0.01)  # of an edge
STEPS = 60


def rest(scene: str, share: float) -> str:
    """Iterations of each step, and the least gap at the end, with a reach of that share of an edge."""
    name, *sizes = scene.split("-")
    make, numbers = getattr(contact_scenes, name), [int(size) for size in sizes]
    edge = make(*numbers, response=pl.contact.Barrier()).world["barrier"][0].surface.usual_edge()
    sim = make(*numbers, response=pl.contact.Barrier(reach=share * edge))
    reports = [sim.step() for _ in range(STEPS)]
    counts = [report.iterations for report in reports]
    kept = sum(report.converged for report in reports)
    return (
        f"{scene}, reach {share:g} of an edge = {1e3 * share * edge:.2f} mm: {sum(counts)} iterations, median "
        f"{np.median(counts):g}, {np.percentile(counts, 99):.0f} in 99 of 100, {kept} of {STEPS} converged, "
        f"gap {1e3 * reports[-1].worst_gap:.2f} mm"
    )


if __name__ == "__main__":
    for scene in sys.argv[1:] or ("cloth-2-12", "pile-8-2"):
        for share in SHARES:
            print(rest(scene, share), flush=True)
