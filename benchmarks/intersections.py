"""What finding an intersection costs: Table 5.2's ablation, on two lumpy rings of 102,400 triangles each in coarse tets.

    python benchmarks/intersections.py [triangles of each body, in thousands] [times] [cpu or cuda]

Phases are those of the thesis: BVH of tets, pairs of triangles (FindITP), curves (MergeIC), what they cut off (FindCP), depths by
rays (RayCDG). CPU time on one thread, or time on a GPU; the least of several runs.
"""

import sys
import time

import numpy as np

import pliant as pl
from pliant.contact.intersection.intersection_regions import BRUTE, FEW, Intersections
from pliant.contact.intersection.surface_pieces import Pieces
from pliant.geometry.mesh.surface_partition import partition
from pliant.runtime.device import Device

PHASES = ("BVH", "FindITP", "MergeIC", "FindCP", "RayCDG")
ROWS = {
    "all of it": {},
    "no b-DOP-tree": {"few": BRUTE},
    "trees down to single triangles": {"few": 1},
    "no patch flood": {"by_patch": False},
}


def ring(thousands: float, seed: int, at=(0.0, 0.0, 0.0), axis=(1, 0, 0), degrees=0.0):
    """A lumpy ring, and the tets of a grid around it that it reaches, so that its hole stays open."""
    around = int(round((thousands * 1000) ** 0.5))
    surface = pl.meshes.torus(0.2, 0.08, around, around // 2)
    rng = np.random.default_rng(seed)
    X = surface.vertices
    lumps = sum(0.004 * np.sin(X @ rng.normal(scale=40.0, size=3) + rng.uniform(0, 6)) for _ in range(4))
    surface = pl.TriMesh(X + lumps[:, None] * surface.vertex_normals, surface.triangles)
    mesh = pl.tet_grid(size=(0.64, 0.64, 0.24), cells=(8, 8, 3), origin=(-0.32, -0.32, -0.12)).rotated((0, 0, 1), 13.0 * seed)
    used = np.unique(partition(surface, mesh).tets)
    corners, tets = np.unique(mesh.tets[used], return_inverse=True)
    mesh = pl.TetMesh(mesh.vertices[corners], tets.reshape(-1, 4))
    return tuple(own.rotated(axis, degrees).translated(at) for own in (surface, mesh))


def pair(thousands: float, depth: float = 0.1):
    """Two rings, one pushed ``depth`` [m] into the side of the other."""
    return [ring(thousands, 1), ring(thousands, 2, (0.56 - depth, 0.03, 0.02), (1, 0.2, 0), 35.0)]


def laid(bodies):
    """Pieces of bodies side by side in one vector of nodes, and where these are."""
    first = np.cumsum([0, *(len(mesh.vertices) for _, mesh in bodies)])
    X = np.concatenate([mesh.vertices for _, mesh in bodies])
    tets = [mesh.tets + i for (_, mesh), i in zip(bodies, first)]
    return Pieces([partition(*body) for body in bodies], tets, first[:-1], X), X


def watched(finder, phases=True):
    """The seconds of each phase of a finder and of all of it, which add up as it is used; a GPU is waited for after each."""
    seconds, inside = dict.fromkeys(("all of it", *PHASES), 0.0), []
    clock = time.process_time if finder.device.is_cpu else time.perf_counter

    def watch(name, owner, verb):
        own = getattr(owner, verb)

        def measured(*args):
            inside.append(name)
            begin = clock()
            out = own(*args)
            finder.device.synchronize()
            inside.pop()
            if name not in inside:
                seconds[name] += clock() - begin
            return out

        setattr(owner, verb, measured)

    watch("all of it", finder, "find")
    if phases:
        finder.device.replayed = lambda work, *_: work()
        verbs = ((finder, "_pair_cells"), (finder, "_pair_triangles"), (finder.flooded, "trace"))
        verbs = (*verbs, (finder.flooded, "flood"), (finder, "_cast"), (finder, "_told"))
        for name, (owner, verb) in zip((*PHASES, PHASES[-1]), verbs):
            watch(name, owner, verb)
    return seconds


def timed(device, pieces, X, times, **options):
    """What is found, and the least milliseconds of each phase."""
    finder = Intersections(device, pieces, np.zeros(pieces.bodies, int), **options)
    seconds = watched(finder)
    x = device.array(X, device.types.position)
    found, rows = finder.find(x), []
    for _ in range(times):
        seconds.update(dict.fromkeys(seconds, 0.0))
        found = finder.find(x)
        rows.append([seconds[name] for name in PHASES])
    return found, 1e3 * np.min(rows, axis=0)


def at_once(device, pieces, X, times):
    """The least milliseconds of a look without waiting between phases."""
    finder = Intersections(device, pieces, np.zeros(pieces.bodies, int))
    seconds = watched(finder, phases=False)
    x, spent = device.array(X, device.types.position), []
    for _ in range(times + 3):  # the first ones make room and record
        seconds["all of it"] = 0.0
        finder.find(x)
        spent.append(seconds["all of it"])
    return 1e3 * min(spent[3:])


def main():
    thousands = float(sys.argv[1]) if len(sys.argv) > 1 else 102.4
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    place = sys.argv[3] if len(sys.argv) > 3 else "cpu"
    device = Device(place, "f64", threads=1)
    begin = time.perf_counter()
    pieces, X = laid(pair(thousands))
    trees = sum(getattr(pieces.trees, name).nbytes for name in ("first", "count", "child", "low", "high", "order"))
    print(f"{len(pieces.triangles)} triangles in {len(pieces.trees.tets)} tets and {pieces.bounds[-1]} patches, cut and planted "
          f"in {time.perf_counter() - begin:.1f} s; trees {trees / 1e6:.1f} MB")  # fmt: skip
    print(f"{'ms':32}{'total':>8}" + "".join(f"{name:>9}" for name in PHASES))
    for name, options in ROWS.items():
        found, row = timed(device, pieces, X, times if options.get("few", FEW) != BRUTE else 1, **options)
        print(f"{name:32}{row.sum():8.1f}" + "".join(f"{value:9.2f}" for value in row))
    inside = found.inside.triangles.sum()
    print(f"all of it, on a GPU as one graph: {at_once(device, pieces, X, times):.2f} ms")
    print(f"{found.curves} curves, {found.open} open, {len(found.pairs)} pairs of triangles, {inside} triangles inside, "
          f"{len(found.inside.patch)} patches, {len(found.contacts.gaps)} contacts")  # fmt: skip
    print("at the same intersection, by triangles; then by depth")
    for k in (0.05, 0.1, 0.25, 0.5, 1.0):
        own, X = laid(pair(k * thousands))
        found, row = timed(device, own, X, times)
        print(
            f"{len(own.triangles):9} triangles {row.sum():8.1f} ms, {len(found.pairs)} pairs, {len(found.contacts.gaps)} contacts"
        )
    for depth in (0.02, 0.05, 0.1, 0.15):
        own, X = laid(pair(thousands, depth))
        found, row = timed(device, own, X, times)
        print(f"{depth:6.2f} m deep {row.sum():8.1f} ms, {len(found.pairs)} pairs, {len(found.contacts.gaps)} contacts, "
              f"{found.inside.triangles.sum()} triangles inside")  # fmt: skip


if __name__ == "__main__":
    main()
