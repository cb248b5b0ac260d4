"""A sweep is the runs that it stands for, on any executor, once each, whatever is killed meanwhile."""

import errno
import importlib.util
import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sentences import check_sentence

import pliant as pl
from pliant.study import journal

xarray = pytest.importorskip("xarray")
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # on Windows, both end a process at once
MESH = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))
YOUNG = [2e4, 5e4, 1e5]
SQUARE = {"square": lambda number: number**2}


def beam(young: float, poisson: float = 0.3) -> pl.Scene:
    law = pl.StableNeoHookean(young=young, poisson=poisson)
    return pl.Scene(pl.Body(MESH, law, pinned=lambda X: X[:, 0] < 1e-9))


def tip(run: pl.Run) -> np.ndarray:
    return run.positions[:, :, 2].min(axis=1)


def counted(folder: Path, number: int, slow: float = 0.0) -> int:
    """The number, after a line in a file of this process."""
    time.sleep(slow)
    with (folder / f"{os.getpid()}.log").open("a") as log:
        log.write(f"{number}\n")
    return number


def times_made(folder: Path) -> dict[int, int]:
    lines = [int(line) for log in folder.glob("*.log") for line in log.read_text().split()]
    return {number: lines.count(number) for number in lines}


def test_members_are_the_runs_that_they_stand_for():
    steps = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-10))
    measure = {"tip": tip, "middle": lambda run: run.positions[-1].mean(axis=0), "frames": len}
    parameters = {"young": YOUNG, "poisson": np.array([0.2, 0.4])}
    found = pl.sweep(beam, parameters, measure, 0.1, runs=pl.study.Runs(together=4, integrator=steps))
    assert found.tip.dims == ("young", "poisson", "time") and found.middle.dims == ("young", "poisson", "middle_0")
    assert not found.failure.values.any() and (found.spent > 0).all() and (found.unconverged == 0).all()
    assert found.attrs["seconds"] == 0.1 and found.attrs["seed"] == 0 and "pliant" in found.attrs["versions"]
    for young in YOUNG:
        run = pl.Simulation(beam(young, 0.4), steps).run(0.1)
        assert np.allclose(found.tip.sel(young=young, poisson=0.4), tip(run), atol=1e-8)
        assert np.allclose(found.time, run.times) and (found.frames == len(run)).all()


def test_simulations_keep_their_own_solver():
    def make(young):
        return pl.Simulation(beam(young), pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(tolerance=1e-9)))

    found = pl.sweep(make, {"young": YOUNG}, {"tip": tip}, 0.1)
    assert np.array_equal(found.tip.sel(young=5e4), tip(make(5e4).run(0.1)))


def test_simulations_of_one_scheme_go_into_one_batch(monkeypatch):
    batches, run = [], pl.Batch.run
    monkeypatch.setattr(pl.Batch, "run", lambda self, *a, **k: (batches.append(len(self)), run(self, *a, **k))[1])
    steps = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(tolerance=1e-10))

    def make(young, lifted=0.0):
        sim = pl.Simulation(beam(young), steps)
        sim.v = np.tile([0, 0, lifted], (len(sim.v), 1))
        return sim

    found = pl.sweep(make, {"young": YOUNG, "lifted": [0.0, 0.5]}, {"tip": tip}, 0.05)
    assert batches == [6]
    assert np.allclose(found.tip.sel(young=2e4, lifted=0.5), tip(make(2e4, 0.5).run(0.05)), atol=1e-8)


def test_failures_keep_their_sentence_and_the_others_go_on():
    def make(number):
        if number == 2:
            raise ValueError("two is\none too many")
        return "three" if number == 3 else number

    found = pl.sweep(make, {"number": [1, 2, 3, 4]}, {"square": lambda n: np.square(n)})
    assert np.array_equal(found.square, [1, np.nan, np.nan, 16], equal_nan=True)
    assert found.failure.values.tolist()[:2] == ["", "ValueError: two is one too many"]
    assert "measure 'square' raised" in str(found.failure.values[2])


def test_other_times_are_a_failure_and_numbers_are_not():
    def make(dt):
        return pl.Simulation(beam(2e4), pl.ImplicitEuler(dt=dt))

    found = pl.sweep(make, {"dt": [0.02, 0.01]}, {"tip": tip, "last": lambda run: tip(run)[-1]}, 0.04)
    assert "shape (5,), and (3,) that of member 0" in str(found.failure.values[1])
    alone = pl.sweep(make, {"dt": [0.02, 0.01]}, {"last": lambda run: tip(run)[-1]}, 0.04)
    assert not alone.failure.values.any() and np.isfinite(alone.last).all()


@pytest.mark.parametrize("name", ["LatinHypercube", "Sobol", "Random"])
def test_designs_are_members(name):
    space = {"young": pl.inverse.Free(1e3, 1e5, log=True), "poisson": (0.1, 0.4)}
    plan = getattr(pl.study, name)(space, 16, seed=3)
    found = pl.sweep(lambda young, poisson: young * poisson, plan, {"product": float})
    assert found["product"].dims == ("member",) and found.attrs["seed"] == 3
    assert np.allclose(found["product"], found.young * found.poisson)
    assert found.young.min() >= 1e3 and found.young.max() <= 1e5 and found.poisson.min() >= 0.1
    assert np.median(found.young) == pytest.approx(1e4, rel=1.0)
    assert found.equals(
        pl.sweep(lambda young, poisson: young * poisson, plan, {"product": float}).assign_coords(spent=found.spent)
    )
    if name == "LatinHypercube":
        assert sorted((np.log10(found.young.values / 1e3) * 8).astype(int)) == list(range(16))


@pytest.fixture(scope="module")
def pool():
    with pl.distributed.processes(2) as executor:
        [task.result() for task in [executor.submit(time.sleep, 0.1) for _ in range(2)]]
        yield executor


def when_logged(folder: Path, process: int, act) -> None:
    """Act once a process has made a member."""

    def watch():
        while not (folder / f"{process}.log").exists():
            time.sleep(0.01)
        act()

    threading.Thread(target=watch, daemon=True).start()


def test_own_processes_replace_one_that_is_killed(tmp_path, pool):
    make, victim = partial(counted, tmp_path, slow=0.05), pool.each[0].process
    when_logged(tmp_path, victim.pid, victim.kill)
    found = pl.sweep(make, {"number": list(range(12))}, SQUARE, executor=pool, runs=pl.study.Runs(together=2))
    assert np.array_equal(found.square, np.arange(12) ** 2) and not found.failure.values.any()
    assert victim.wait() != 0


def test_a_member_that_kills_its_worker_is_a_failure(pool):
    def make(number):
        if number == 1:
            os.kill(os.getpid(), signal.SIGTERM)
        return number

    found = pl.sweep(make, {"number": [0, 1, 2]}, SQUARE, executor=pool)
    assert np.array_equal(found.square, [0, np.nan, 4], equal_nan=True)
    assert str(found.failure.values[1]).startswith("there was no answer in 2 tries: Lost: a worker ended by itself")


def test_a_broken_pool_keeps_what_is_done(tmp_path):
    """As pools of the standard library do not replace a process; what is done is in the error and in the journal."""
    store = tmp_path / "study.zarr"
    with ThreadPoolExecutor(1) as threads:
        executor = _Broken(threads, 2)
        with pytest.raises(pl.errors.StudyError) as caught:
            pl.sweep(
                lambda number: number,
                {"number": range(4)},
                SQUARE,
                executor=executor,
                store=store,
                runs=pl.study.Runs(1),
            )
    assert "2 of 4 members are done and the same call goes on from there" in check_sentence(caught.value)
    assert np.array_equal(caught.value.dataset.square, [0, 1, np.nan, np.nan], equal_nan=True)
    assert str(caught.value.dataset.failure.values[3]) == "this was not run" and not store.exists()


class _Broken(ProcessPoolExecutor):
    """Answers so many tasks, and then is as one whose process was killed."""

    def __init__(self, inner, count):
        self.inner, self.count, self._max_workers = inner, count, 4

    def submit(self, function, *arguments):
        from concurrent.futures import Future
        from concurrent.futures.process import BrokenProcessPool

        self.count -= 1
        if self.count >= 0:
            return self.inner.submit(function, *arguments)
        future = Future()
        self.inner.submit(lambda: (time.sleep(0.1), future.set_exception(BrokenProcessPool("ended"))))
        return future


def test_dask_goes_on_where_a_worker_is_killed(tmp_path):
    from distributed import Client, LocalCluster

    make = partial(counted, tmp_path, slow=0.1)
    options = {
        "n_workers": 2,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": None,
        "silence_logs": 50,
    }
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))
        when_logged(tmp_path, victim, lambda: os.kill(victim, KILL))
        found = pl.sweep(
            make, {"number": list(range(24))}, SQUARE, executor=pl.distributed.dask(client), store=tmp_path / "a.zarr",
            runs=pl.study.Runs(together=1),
        )  # fmt: skip
        assert np.array_equal(found.square, np.arange(24) ** 2) and not found.failure.values.any()
        assert (tmp_path / f"{victim}.log").exists() and len(list(tmp_path.glob("*.log"))) > 1


@pytest.mark.slow
def test_a_scheduler_that_is_killed_loses_nothing(tmp_path):
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at" in line)
    threading.Thread(target=scheduler.stderr.read, daemon=True).start()
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    where = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    workers = [subprocess.Popen(worker, stderr=subprocess.DEVNULL, env=where) for _ in range(2)]
    parameters, runs = {"number": list(range(40))}, pl.study.Runs(together=1)
    make, store = partial(counted, tmp_path, slow=0.2), tmp_path / "study.zarr"
    try:
        executor = pl.distributed.dask(address)
        executor.client.wait_for_workers(2)
        threading.Thread(target=_kill_after, args=(store.with_suffix(".journal"), 5, scheduler), daemon=True).start()
        with pytest.raises(pl.errors.StudyError, match="the same call goes on from there"):
            pl.sweep(make, parameters, SQUARE, executor=executor, store=store, runs=runs)
        executor.shutdown(False)
    finally:
        for process in [scheduler, *workers]:
            process.kill()
            process.wait()
    done = lines_of(store)
    assert 5 <= len(done) < 40
    before = times_made(tmp_path)
    found = pl.sweep(partial(counted, tmp_path, slow=0.2), parameters, SQUARE, store=store, runs=runs)
    assert np.array_equal(found.square, np.arange(40) ** 2)
    assert {i: times_made(tmp_path)[i] for i in done} == {i: before[i] for i in done}


def lines_of(store: Path) -> list[int]:
    lines = store.with_suffix(".journal").read_text().splitlines()
    return [json.loads(line)["member"] for line in lines[1:]]


def _kill_after(path: Path, lines: int, process: subprocess.Popen) -> None:
    """SIGKILL once a journal has so many answers."""
    while not (path.exists() and path.read_bytes().count(b"\n") > lines):
        time.sleep(0.01)
    process.kill()


CLIENT = """
import os, sys, time
from pathlib import Path
import pliant as pl

def make(number):
    time.sleep(0.05)
    with open(Path(os.environ["LOG"]) / f"{os.getpid()}.log", "a") as log:
        log.write(f"{number}\\n")
    return number

def study(store, executor=None):
    runs = pl.study.Runs(together=2)
    return pl.sweep(make, {"number": list(range(40))}, {"square": lambda n: n**2}, executor=executor, store=store, runs=runs)

if __name__ == "__main__":
    with pl.distributed.processes(2) as executor:
        study(sys.argv[1], executor)
"""


def test_a_client_that_is_killed_goes_on_and_no_member_runs_twice_once_it_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("LOG", str(tmp_path))
    script, store = tmp_path / "client.py", tmp_path / "study.zarr"
    script.write_text(CLIENT)
    client = subprocess.Popen([sys.executable, str(script), str(store)])
    _kill_after(store.with_suffix(".journal"), 8, client)
    client.wait()
    with store.with_suffix(".journal").open("a") as file:
        file.write('{"member": 39, "spe')  # as a kill in the middle of a line leaves it
    time.sleep(0.5)  # workers end with their client, after the task under way
    done, before = lines_of_whole(store), times_made(tmp_path)
    assert 8 <= len(done) < 40 and not store.exists()
    spec = importlib.util.spec_from_file_location("client", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.study(store)
    assert np.array_equal(found.square, np.arange(40) ** 2)
    after = times_made(tmp_path)
    assert {i: after[i] for i in done} == {i: before[i] for i in done}
    assert sorted(after) == list(range(40)) and sorted(lines_of(store)) == list(range(40))


def lines_of_whole(store: Path) -> list[int]:
    lines = store.with_suffix(".journal").read_text().splitlines()
    return [json.loads(line)["member"] for line in lines[1:-1]]


def test_a_finished_study_is_read_and_not_run(tmp_path):
    store, parameters = tmp_path / "study.zarr", {"number": [1, 2, 3], "word": ["a", "bc"]}
    make = lambda number, word: counted(tmp_path, number) if word == "a" else 1 / 0
    found = pl.sweep(make, parameters, {"square": lambda n: [n, n**2]}, store=store)
    again = pl.sweep(make, parameters, {"square": lambda n: [n, n**2]}, store=store)
    assert found.identical(again) and times_made(tmp_path) == {1: 1, 2: 1, 3: 1}
    with xarray.open_zarr(store) as read:
        assert read.load().equals(found) and read.attrs == found.attrs
    assert str(found.failure.sel(number=2, word="bc").values) == "ZeroDivisionError: division by zero"
    assert not list(tmp_path.glob(".pliant*"))
    for change in (
        {"measure": {"cube": lambda n: n}},
        {"parameters": {"number": [1, 2], "word": ["a"]}},
        {"seconds": 2.0},
    ):
        arguments = {"make": make, "parameters": parameters, "measure": {"square": lambda n: [n, n**2]}} | change
        with pytest.raises(pl.errors.InputError, match="is of another study: the"):
            pl.sweep(**arguments, store=store)


def test_a_full_disk_loses_nothing(tmp_path, monkeypatch):
    store, calls, fsync = tmp_path / "study.zarr", [], os.fsync

    def full(handle):
        calls.append(handle)
        if len(calls) == 4:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    monkeypatch.setattr(journal.os, "fsync", full)
    make, runs = partial(counted, tmp_path), pl.study.Runs(together=1)
    with pytest.raises(pl.errors.StudyError) as caught:
        pl.sweep(make, {"number": range(6)}, SQUARE, store=store, runs=runs)
    assert "No space left on device" in check_sentence(caught.value) and "2 of 6 members are done" in str(caught.value)
    found = pl.sweep(make, {"number": range(6)}, SQUARE, store=store, runs=runs)
    assert np.array_equal(found.square, np.arange(6) ** 2)
    assert [times_made(tmp_path)[i] for i in (0, 1)] == [1, 1]


LOCK = threading.Lock()
ENDED = ThreadPoolExecutor(1)
ENDED.shutdown()
BAD = {
    "no such name": ({"parameters": {"yuong": [1]}}, "make has no argument 'yuong' (did you mean 'young'?)"),
    "a name that is missing": ({"parameters": {"poisson": [0.3]}}, "make needs 'young'"),
    "no members": ({"parameters": {"young": []}}, "young has no values, and a grid with it no members"),
    "no parameters": ({"parameters": {}}, "this has no members"),
    "a number": ({"parameters": {"young": 1e4}}, "young is 10000.0; expected a list of values"),
    "objects": (
        {"parameters": {"young": [pl.sphere(1)]}},
        "the values of young have a Sdf; expected different numbers",
    ),
    "twice": ({"parameters": {"young": [1, 1]}}, "the values of young have some twice"),
    "an ended executor": ({"executor": ENDED}, "the executor takes no more tasks"),
    "no executor": ({"executor": 4}, "sweep(executor=…) is 4; expected one of concurrent.futures"),
    "no function": ({"make": 3}, "sweep(make=…) is 3; expected a function"),
    "no measure": ({"measure": {}}, "functions of a Run by name"),
    "a name of ours": ({"make": lambda time: 1, "parameters": {"time": [1]}}, "a parameter is named 'time'"),
    "no place": ({"store": "study.nc"}, "a name ending in .zarr"),
    "what cannot be sent": (
        {"make": lambda young: (LOCK, young), "executor": pl.distributed.processes(1)},
        "LOCK of make is a lock, which cannot be pickled",
    ),
    "not of two": ({"parameters": pl.study.Sobol({"young": (1, 2)}, 6)}, "expected a power of two, as 8"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_used_is_told_in_a_sentence(name):
    given, words = BAD[name]
    with pytest.raises(pl.errors.InputError) as caught:
        pl.sweep(**{"make": beam, "parameters": {"young": [1e4]}, "measure": {"tip": tip}} | given)
    assert words in check_sentence(caught.value)


def test_without_the_extra_it_says_which(monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(pl.errors.InputError, match=r"'xarray'; expected pip install 'pliant\[sweep\]'"):
        pl.sweep(beam, {"young": [1e4]}, {"tip": tip})


def test_the_extra_is_imported_by_its_functions_alone():
    code = (
        "import sys, pliant as pl; pl.sweep, pl.optimise, pl.study, pl.distributed; import pliant.cli.main; "
        "print([m for m in ('xarray', 'zarr', 'dask', 'distributed', 'optuna', 'submitit', 'joblib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[]", done.stderr


def test_fits_are_members_too():
    """A coverage study: fits to the same motion with noise of several seeds, most of whose intervals hold the truth."""
    truth = pl.Simulation(beam(2e4), pl.BDF2(0.02)).run(0.1)

    def make(seed):
        noise = 1e-4 * np.random.default_rng(seed).standard_normal(truth.positions.shape)
        sim = pl.Simulation(beam(3e4), pl.BDF2(0.02))
        free = {(0, "young"): pl.inverse.Free(5e3, 2e5, log=True)}
        return pl.fit(sim, pl.inverse.NodePositions(truth.positions + noise, sigma=1e-4), free, progress=False)

    key = (0, "young")
    measure = {"young": lambda fit: fit.values[key], "interval": lambda fit: np.ravel(fit.intervals[key])}
    found = pl.sweep(make, {"seed": range(6)}, measure)
    assert not found.failure.values.any() and found.interval.dims == ("seed", "interval_0")
    inside = (found.interval[:, 0] < 2e4) & (found.interval[:, 1] > 2e4)
    assert inside.sum() >= 4 and 0 < found.young.std() < 1e3
