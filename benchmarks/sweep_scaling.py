"""How a sweep scales over processes, and what a task costs: python benchmarks/sweep_scaling.py [--processes 1,2] [--record NAME]

64 beams of 540 tets take 30 steps each by Newton's method, one thread to a process, on 1, 2, … workers that have run one before;
the share of linear is t₁ / (n tₙ). Overhead is the time of a sweep of members that do nothing, by its tasks: on one worker, with
every answer on the disk, and on a Dask cluster of two. --batch COUNT runs so many small beams in batches on --device instead.
The load before each figure is recorded with it: those of a machine on which others are at work say little.
--record names the machine in benchmarks/results/sweep_scaling.json; without it nothing is written.
"""

import argparse
import json
import os
import tempfile
import time
from datetime import date
from pathlib import Path

import numpy as np
from machine import commit

import pliant as pl

RESULTS = Path(__file__).parent / "results" / "sweep_scaling.json"
MEMBERS, TASKS, SECONDS = 64, 200, 0.5
MESH, SMALL = pl.tet_grid((0.4, 0.1, 0.1), (10, 3, 3)), pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))


def scene(mesh: pl.TetMesh, young: float) -> pl.Scene:
    law = pl.StableNeoHookean(young=young, poisson=0.4, density=1000)
    return pl.Scene(pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9))


def beam(young: float) -> pl.Simulation:
    return pl.Simulation(scene(MESH, young), pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton()), threads=1)


def tip(run: pl.Run) -> float:
    return run.positions[-1, :, 2].min()


def scaled(processes: list[int]) -> list[dict]:
    """Seconds of the same study on so many workers."""
    rows = []
    for count in processes:
        with pl.distributed.processes(count) as executor:
            warm = np.geomspace(1e4, 2e4, count).tolist()
            alone = pl.study.Runs(together=1)
            pl.sweep(beam, {"young": warm}, {"tip": tip}, SECONDS, executor, runs=alone, progress=False)
            load, begin = os.getloadavg()[0], time.perf_counter()
            young = np.geomspace(1e4, 1e6, MEMBERS)
            found = pl.sweep(beam, {"young": young}, {"tip": tip}, SECONDS, executor, runs=alone, progress=False)
            seconds = time.perf_counter() - begin
        assert not found.failure.values.any()
        rows.append({"processes": count, "seconds": seconds, "load_before": load})
        share = rows[0]["seconds"] * rows[0]["processes"] / (count * seconds)
        rows[-1]["share_of_linear"] = share
        print(
            f"{count:3d} processes: {seconds:7.1f} s for {MEMBERS} members, {share:.2f} of linear, load before {load:.1f}",
            flush=True,
        )
    return rows


def nothing(n: int) -> int:
    return n


def overhead(name: str, executor: object, store: str | None = None) -> dict:
    """Milliseconds of a task that does nothing, wall and CPU time of this process."""
    options = {"executor": executor, "runs": pl.study.Runs(together=1), "progress": False}
    study = lambda count, store=None: pl.sweep(nothing, {"n": range(count)}, {"same": float}, store=store, **options)
    study(4)
    wall, own = time.perf_counter(), time.process_time()
    study(TASKS, store)
    row = {
        "executor": name,
        "ms": 1e3 * (time.perf_counter() - wall) / TASKS,
        "own_ms": 1e3 * (time.process_time() - own) / TASKS,
    }
    print(f"{name}: {row['ms']:.2f} ms a task, {row['own_ms']:.2f} ms of it here", flush=True)
    return row


def overheads() -> list[dict]:
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as folder, pl.distributed.processes(1) as executor:
        rows = [overhead("a process", executor), overhead("a process, kept", executor, f"{folder}/study.zarr")]
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        return [*rows, overhead("Dask", pl.distributed.dask(client))]


def batched(count: int, device: str) -> dict:
    """Seconds of a study of small members in batches of 1,000."""
    steps = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=10))
    runs = pl.study.Runs(together=1000, frames_per_second=2, integrator=steps, device=device, precision="f32")
    make = lambda young: scene(SMALL, young)
    pl.sweep(make, {"young": np.geomspace(1e4, 1e6, min(count, 1000))}, {"tip": tip}, 1 / 60, runs=runs, progress=False)
    begin = time.perf_counter()
    found = pl.sweep(make, {"young": np.geomspace(1e4, 1e6, count)}, {"tip": tip}, SECONDS, runs=runs)
    seconds = time.perf_counter() - begin
    failed = int((found.failure != "").sum())
    print(f"{count} members of {len(SMALL.tets)} tets for {SECONDS} s on {device}: {seconds:.1f} s, {failed} failed")
    return {"members": count, "device": device, "seconds": seconds, "failed": failed}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", default="1,2", help="numbers of workers, with commas between")
    parser.add_argument("--batch", type=int, help="so many small members in batches")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--record", metavar="MACHINE")
    args = parser.parse_args()
    found: dict = {"date": date.today().isoformat(), "commit": commit()}
    if args.batch:
        found["batch"] = batched(args.batch, args.device)
    else:
        found["scaling"] = scaled([int(count) for count in args.processes.split(",")])
        found["overhead"] = overheads()
    if args.record:
        known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        known[args.record] = known.get(args.record, {}) | found
        RESULTS.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
