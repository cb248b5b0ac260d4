"""Programs: what is recorded and replayed in one call gives the bits of launches one by one, and is never stale."""

import ast
import threading
from pathlib import Path

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.extend import Energy
from pliant.runtime import launch_cache as launches
from pliant.runtime import launch_graph as programs
from pliant.runtime.device import Device, family
from pliant.runtime.launch_graph import RECORDING, Program
from pliant.runtime.threads import MOST_SLICES, pool

SOURCE = Path(pl.__file__).parent


@family
def stepping_kernels(t):
    @t.kernel
    def step(start: int, by: wp.int32, out: wp.array(dtype=wp.int32)):
        i = start + wp.tid()
        out[i] = out[i] + by

    @t.kernel
    def count_down(start: int, flag: wp.array(dtype=wp.int32)):
        flag[0] = flag[0] - 1

    return locals()


def numbers(device: Device, *values: int) -> wp.array:
    return device.array(np.array(values), wp.int32)


@pytest.mark.parametrize("threads", (1, 3))
def test_loops_run_until_their_flag_is_zero(threads):
    """Two rounds that differ, then one over and over; a loop inside a loop."""
    device, kernels = Device("cpu", "f64", threads=threads), stepping_kernels("f64")
    outer, inner, out, kept = numbers(device, 0), numbers(device, 0), device.zeros(40, wp.int32), {}

    def turn() -> None:
        device.launch(kernels.step, 40, 1, out, grain=4)
        device.launch(kernels.count_down, 1, inner)

    def round_() -> None:
        device.fill(inner, 3)
        device.launch(kernels.step, 40, 100 * round_.number, out, grain=4)
        round_.number = min(round_.number + 1, 3)
        device.loop(inner, turn)
        device.launch(kernels.count_down, 1, outer)

    def work() -> None:
        round_.number = 1
        device.loop(outer, round_, unlike=2)

    for rounds, by_round in ((4, 100 + 200 + 300 + 300), (4, 900), (1, 100), (0, 0), (7, 100 + 200 + 5 * 300)):
        out.zero_()
        outer.fill_(rounds)
        device.replayed(work, ("key",), kept)
        assert np.all(out.numpy() == by_round + 3 * rounds)
    assert isinstance(kept["program"], Program)


def test_memory_is_cleared_copied_and_filled():
    device, kept = Device("cpu", "f64", threads=3), {}
    size = 5 * programs.LARGE // 8 + 3  # several slices and a rest
    a, b, c = (device.zeros(size, wp.float64) for _ in range(3))

    def work() -> None:
        device.copy(a, b)
        device.clear(a)
        device.fill(c, 7.0)

    for k in range(3):
        a.assign(np.arange(size) + k)
        device.replayed(work, (), kept)
        assert np.array_equal(b.numpy(), np.arange(size) + k)
        assert not a.numpy().any() and np.all(c.numpy() == 7.0)


def test_numbers_are_those_of_the_recording_and_another_key_records_anew():
    device, kernels, kept = Device("cpu", "f64", threads=2), stepping_kernels("f64"), {}
    out = device.zeros(3, wp.int32)
    seen = []
    for by in (1, 1, 1, 5, 5, 5):
        out.zero_()
        device.replayed(lambda by=by: device.launch(kernels.step, 3, by, out), (by,), kept)
        seen.append((int(out.numpy()[0]), "program" in kept))
    assert seen == [(1, False), (1, True), (1, True), (5, False), (5, True), (5, True)]
    device.replayed(lambda: device.launch(kernels.step, 3, 9, out), None, kept)  # never recorded
    assert int(out.numpy()[0]) == 14


def test_a_program_goes_alone_where_the_threads_are_busy():
    device, kernels, kept = Device("cpu", "f64", threads=3), stepping_kernels("f64"), {}
    out = device.zeros(64, wp.int32)
    with pool().lock:
        for _ in range(3):
            device.replayed(lambda: device.launch(kernels.step, 64, 1, out, grain=1), (), kept)
    assert np.all(out.numpy() == 3)


def test_programs_of_several_python_threads_keep_apart():
    def work(k: int, found: dict) -> None:
        device, kept = Device("cpu", "f64", threads=3), {}
        out = device.zeros(50 + k, wp.int32)
        for _ in range(500):
            device.replayed(lambda: device.launch(stepping_kernels("f64").step, 50 + k, 1, out, grain=1), (), kept)
        found[k] = out.numpy()

    found: dict[int, np.ndarray] = {}
    workers = [threading.Thread(target=work, args=(k, found)) for k in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(np.array_equal(found[k], np.full(50 + k, 500)) for k in range(4))


def test_too_many_slices_are_refused():
    with pytest.raises(pl.errors.InputError, match="at most"):
        Program(pool()).add([None] * (MOST_SLICES + 1))


# --- whole steps


def bodies(law: pl.extend.Material) -> list[pl.Body]:
    mesh = pl.tet_grid(size=(0.3, 0.1, 0.1), cells=(9, 3, 3))
    hung = pl.Body(mesh, law, pinned=lambda X: X[:, 0] < 1e-9, damping=pl.Damping(0.1, 0.002))
    return [hung, pl.Body(mesh.translated((0, 0.3, 0.02)), law, velocity=(1, 0, -1))]


SOLVERS = {
    "newton": pl.Newton(),
    "matrix-free": pl.Newton(linear=pl.linear.PCG(assembled=False)),
    "direct": pl.Newton(linear=pl.linear.Direct()),
    "quasi": pl.QuasiNewton(),
    "quasi to tolerance": pl.QuasiNewton(tolerance=1e-3),
    "on time": pl.QuasiNewton(iterations=pl.solver.Budget(seconds=10.0, most=7)),
    "projective": pl.ProjectiveDynamics(),
}


def steps(solver: str, precision: str = "f64", count: int = 7) -> list[np.ndarray]:
    projective = solver == "projective"
    law = pl.Arap(young=2e4, density=1000) if projective else pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    obstacles = [] if projective else [pl.plane(z=0.0), pl.sphere(0.05, (0.1, 0.3, -0.02))]
    contact = pl.Contact(response=None) if projective else pl.Contact()
    scene = pl.Scene(bodies(law), obstacles, contact=contact)
    sim = pl.Simulation(scene, pl.ImplicitEuler(solver=SOLVERS[solver]), precision=precision)
    out = []
    for k in range(count):
        if k == 3 and not projective:
            sim.grab(3, (0.3, 0.0, 0.2))
        if k == 5 and not projective:
            sim.set(0, young=3e4)
        assert sim.step().kept
        out += [sim.x, sim.v]
    return out


@pytest.mark.parametrize("solver", SOLVERS)
def test_steps_are_the_same_bits_as_launches_one_by_one(solver, monkeypatch):
    replayed = steps(solver)
    monkeypatch.setattr(Device, "_written", lambda self, work: None)
    assert all(np.array_equal(a, b) for a, b in zip(replayed, steps(solver), strict=True))


@pytest.mark.parametrize("solver", SOLVERS)
def test_no_program_is_stale(solver, monkeypatch):
    """Recorded afresh before each replay, it would be the same."""
    replayed, count = Device.replayed, []

    def checked(self, work, key, kept, clock=None, at_once=False):
        if key is not None and kept.get("key") == key and kept.get("program") and RECORDING.program is None:
            turn = vars(getattr(work, "__self__", object)).get("turn")
            assert self._written(work).words == kept["program"].words
            if turn is not None:
                work.__self__.turn = turn
            count.append(1)
        replayed(self, work, key, kept, clock, at_once)

    monkeypatch.setattr(Device, "replayed", checked)
    steps(solver)
    assert len(count) > 2


def test_what_loops_often_is_a_program_at_once():
    device, kept = Device("cpu", "f64"), {}
    kernels, out = stepping_kernels("f64"), device.zeros(3, wp.int32)
    for by in (2, 2, 5):
        device.replayed(lambda by=by: device.launch(kernels.step, 3, by, out), (by,), kept, at_once=True)
        assert kept["key"] == (by,) and kept["program"] is not None
    assert out.numpy().tolist() == [9, 9, 9]


@pytest.mark.parametrize("solver, most", [("newton", 200), ("quasi", 60)])
def test_a_step_makes_few_calls_from_python(solver, most, monkeypatch):
    calls = []

    def counted(method):
        return lambda *args: (calls.append(1), method(*args))[1]

    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    sim = pl.Simulation(pl.Scene(bodies(law)[:1]), pl.ImplicitEuler(solver=SOLVERS[solver]))
    for _ in range(4):
        sim.step()
    monkeypatch.setattr(Program, "run", counted(Program.run))
    monkeypatch.setattr(launches.Recorded, "run", counted(launches.Recorded.run))
    report = sim.step()
    assert report.kept and len(calls) <= most, (len(calls), report)


def test_the_parts_of_a_solve_are_timed_inside_a_program():
    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    sim = pl.Simulation(pl.Scene(bodies(law)[:1]), pl.ImplicitEuler(solver=pl.QuasiNewton(iterations=20)))
    reports = [sim.step() for _ in range(6)]
    for part in ("elements", "linear", "vectors"):
        assert 0 < reports[-1].seconds[part] < reports[-1].seconds["total"]


def test_energies_that_promise_nothing_are_launched_each_time():
    """A number that changes between steps, of an energy that does not say so."""

    class Push(Energy):
        name, strength = "push", 0.0

        def __init__(self, device: Device, count: int):
            super().__init__(device)
            self.count = count
            self.ones = device.array(np.ones((count, 3)), device.types.vec3)

        def evaluate(self, x, out):
            self.sums.add_to(out, -self.strength, self.sums.kernels.dot_chunk, self.ones, x)

        def gradient(self, x, out):
            pl.runtime.vectors.Vectors(self.device, self.count).move(out, -self.strength, self.ones, out)

    law = pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000)
    body = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), law)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler())
    energy = Push(sim.device, sim.world.count)
    sim.world.objective.energies.append(energy)
    for k in range(6):
        energy.strength = 0.001 * k
        before = sim.v
        sim.step()
        gained = (sim.world.mass[:, None] * (sim.v - before)).sum(axis=0) * 60
        assert np.allclose(gained, energy.strength * sim.world.count, rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("folder", ("energy", "linear", "solve", "effects"))
def test_arrays_are_cleared_and_copied_by_the_device(folder):
    """What writes into arrays past the device is not recorded; memories are put back, and factors made, between solves."""
    apart = ("memory.py", "block_factor_device.py")
    for file in sorted(f for f in (SOURCE / folder).rglob("*.py") if "cholesky" not in f.parts):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and file.name not in apart:
                bare = node.func.attr == "zero_" or ast.unparse(node.func) == "wp.copy"
                assert not bare, f"{file.name}:{node.lineno}: {ast.unparse(node)}"


def test_every_energy_of_the_package_says_what_its_launches_take_along():
    """One that did not would be right, and slow; only pairs that come and go cannot say."""

    def below(cls: type) -> list[type]:
        return [c for s in cls.__subclasses__() for c in (s, *below(s))]

    steps("newton", count=1)  # imports all effects
    silent = {c.__name__ for c in below(Energy) if c.__module__.startswith("pliant.") and c.recordable is Energy.recordable}
    assert silent <= {"BarrierContact", "BodyContact"}
