"""Energy, gradient and tangent product of every law: ms per 100,000 tets, by threads, precision and size, and bytes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import warp as wp

from .. import material as laws
from ..elements.tets import Tets
from ..energy.elastic.elastic_energy import ElasticEnergy
from ..geometry.mesh.primitives import tet_grid
from ..runtime.device import Device
from .reference import reference_gradient_ms
from .timing import alternated, copy_bandwidth

Row = tuple[str, float, str]

# Scalar C++ (g++ -O3 -march=native) measured once on a two-core 64-bit ARM server, ms for 101,400 tets on one thread.
QUOTED = {"StableNeoHookean f32": 4.91, "FixedCorotated f32": 24.8, "StableNeoHookean f64": 5.95, "FixedCorotated f64": 30.8}


def example_laws() -> dict[str, laws.base.Material]:
    """One of each law that can stand alone, at 10 kPa."""
    examples = {}
    for name in laws.__all__:
        law = getattr(laws, name)
        if name == "Arap":
            examples[name] = law(young=1e4)
        elif name == "ValanisLandel":
            examples[name] = law.neo_hookean_like(1e4, 0.3, compression=3.0)
        elif name in ("Fibres", "Muscle"):
            fibres = law(stiffness=1e3) if name == "Fibres" else law(activation=0.5)
            examples[f"StableNeoHookean + {name}"] = laws.StableNeoHookean(young=1e4, poisson=0.3) + fibres
        elif name in ("StrainLimit", "VolumePreservation"):
            examples[f"Arap + {name}"] = laws.Arap(young=1e4) + law(stiffness=1e4)
        else:
            examples[name] = law(young=1e4, poisson=0.3)
    return examples


class Problem:
    """A perturbed 6-tet grid of about ``tets`` tets with one law on one device."""

    def __init__(self, tets: int, material: laws.base.Material, device: Device):
        side = max(1, round((tets / 6) ** (1 / 3)))
        mesh = tet_grid((1.0, 1.0, 1.0), (side, side, max(1, round(tets / 6 / side**2))), 6)
        self.tets, self.nodes, self.device = len(mesh.tets), len(mesh.vertices), device
        self.energy = ElasticEnergy(device, Tets(mesh), material)
        noise = np.random.default_rng(0).standard_normal(mesh.vertices.shape)
        kind = device.types.vec3
        self.x = device.array(mesh.vertices + 0.1 / side * noise, device.types.position)
        self.d = device.array(np.random.default_rng(1).standard_normal(mesh.vertices.shape), kind)
        self.out = device.zeros(self.nodes, kind)

    def jobs(self) -> dict:
        e, x, d, out = self.energy, self.x, self.d, self.out
        return {
            "energy": lambda: e.value(x),
            "gradient": lambda: e.gradient(x, out),
            "tangent": lambda: e.tangent(x, d, out),
            "projected tangent": lambda: e.tangent(x, d, out, project=True),
        }

    @property
    def gradient_bytes(self) -> int:
        """Bytes that the gradient must move: mesh, forces out and in again, the lists of both sums, positions, forces."""
        real = 4 if self.device.precision == "f32" else 8
        per_tet = 4 * 4 + 3 * 3 * real + real
        given = self.energy.corner.size * (2 * 3 * real + 4) + 4 * self.energy.fold.size
        return self.tets * per_tet + given + self.nodes * (3 * 8 + 2 * 3 * real + 4)  # positions are double in either

    @property
    def resident_bytes(self) -> int:
        """Bytes that the energy keeps."""
        arrays = (v for v in vars(self.energy).values() if isinstance(v, wp.array))
        unique = {a.ptr: a.capacity for a in arrays if a.ptr}
        return sum(unique.values())


def run(tets: int = 100_000, device: str = "cpu", quick: bool = False) -> Iterator[Row]:
    """Rows for one machine; ``quick`` keeps to the four laws that matter most."""
    chosen = example_laws()
    if quick:
        chosen = {k: chosen[k] for k in ("StableNeoHookean", "NeoHookean", "Corotated", "FixedCorotated")}
    cpu = device == "cpu"
    threads = (1, Device("cpu").threads) if cpu else (1,)
    for precision in ("f32", "f64"):
        for name, law in chosen.items():
            problems = {t: Problem(tets, law, Device(device, precision, threads=t)) for t in dict.fromkeys(threads)}
            first = next(iter(problems.values()))
            scale = 100_000 / first.tets
            jobs = {(t, job): work for t, p in problems.items() for job, work in p.jobs().items()}
            best = alternated(jobs, first.device, rounds=5 if quick else 7)
            for (t, job), taken in best.items():
                label = f"{name} {precision} {job}" + (f" {t} thread{'s' * (t > 1)}" if cpu else f" {first.tets} tets")
                yield label, 1e3 * taken * (scale if cpu else 1.0), "ms/100k tets" if cpu else "ms"
            if cpu and len(problems) > 1:
                one, all_ = best[1, "gradient"], best[max(problems), "gradient"]
                yield f"{name} {precision} gradient speed-up on {max(problems)} threads", one / all_, "x"
            if cpu and f"{name} {precision}" in QUOTED:
                yield from _against_cpp(name, precision, best[1, "gradient"] * 1e3 / first.tets)
    yield from _growth(device, quick)
    if not cpu:
        yield from _bandwidth(device)


def _against_cpp(name: str, precision: str, ms_per_tet: float) -> Iterator[Row]:
    measured = reference_gradient_ms(name, precision)
    if measured is not None:
        yield f"{name} {precision} gradient 1 thread / scalar C++ measured here", ms_per_tet * 101_400 / measured, "x"
    quoted = QUOTED[f"{name} {precision}"]
    yield f"{name} {precision} gradient 1 thread / scalar C++ quoted", ms_per_tet * 101_400 / quoted, "x"


def _growth(device: str, quick: bool) -> Iterator[Row]:
    """Exponent of gradient time against tets, and bytes kept per tet."""
    sizes = (10_000, 50_000, 200_000) if quick else (10_000, 30_000, 100_000, 300_000, 1_000_000)
    law = laws.StableNeoHookean(young=1e4, poisson=0.3)
    counts, times = [], []
    for size in sizes:
        problem = Problem(size, law, Device(device, "f32"))
        best = alternated({"gradient": problem.jobs()["gradient"]}, problem.device)
        counts.append(problem.tets)
        times.append(best["gradient"])
        yield f"StableNeoHookean f32 gradient at {problem.tets} tets", 1e3 * best["gradient"], "ms"
    yield (
        f"growth exponent of gradient time, {counts[0]} to {counts[-1]} tets",
        float(np.polyfit(np.log(counts), np.log(times), 1)[0]),
        "",
    )
    yield "bytes kept per tet, f32", problem.resident_bytes / problem.tets, "B"


def _bandwidth(device: str, sizes: tuple[int, ...] = (1_000_000, 8_000_000)) -> Iterator[Row]:
    """Share of the copy bandwidth that the gradient reaches, at sizes that fill a GPU."""
    where = Device(device, "f32")
    copy = copy_bandwidth(where, 2048)
    yield "copy bandwidth", copy / 1e9, "GB/s"
    for size in sizes:
        for name in ("StableNeoHookean", "NeoHookean", "FixedCorotated"):
            problem = Problem(size, example_laws()[name], Device(device, "f32"))
            with wp.ScopedCapture(problem.device.warp) as capture:
                for _ in range(10):
                    problem.jobs()["gradient"]()
            taken = alternated({"graph": lambda graph=capture.graph: wp.capture_launch(graph)}, problem.device)["graph"] / 10
            reached = problem.gradient_bytes / taken
            yield f"{name} f32 gradient at {problem.tets} tets", 1e3 * taken, "ms"
            yield (f"{name} f32 gradient at {problem.tets} tets, bytes moved", problem.gradient_bytes / problem.tets, "B/tet")
            yield f"{name} f32 gradient at {problem.tets} tets, share of copy bandwidth", 100 * reached / copy, "%"
