"""Contact at every scale: time, iterations, error and depth of cloth stacks, piles, knots, arches and random scenes.

Depths and crossings are found from positions alone, by winding numbers and by edges against faces (``judge.py``), and the error
of a step by solving it again, from the same state, to a tolerance a hundred times smaller.
"""

from __future__ import annotations

import ast
import contextlib
import re
import signal
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import warp as wp

import pliant as pl

from ..arguments.progress import bar
from ..errors import InputError, did_you_mean
from ..integrate.state import State
from ..solve.objective.report import TOLERANCE, Report
from .contact_scenes import SCENES, Case
from .judge import Judge, Verdict, writhe

Row = tuple[str, Any, str]
SHARPER = 100.0  # times the tolerance of the step that errors are measured against
STIRRED = 0.01  # [m/s] below which nothing moves that energies are measured by
WHILE = 3  # the part of all steps in which contact may hold energy before it gives it back
LONGEST, SHORTEST = 2.0, 5.0  # of the budget, that one step may take, and the least [s]
MOVES = 1e-6  # of the size of a scene: the least motion of a step that an error is a share of
STATUS = Path("/proc/self/status")


class TooLong(BaseException):
    """A step that has taken more than its time."""


@dataclass(frozen=True)
class Pace:
    """How long a scene goes on, and how often it is looked at."""

    budget: float = 20.0  # [s] of steps
    seconds: float = 0.0  # of the scene's own time; 0 for all of it
    judged: int = 1  # steps from one verdict to the next
    checked: int = 10  # and from one error to the next


@dataclass
class Seen:
    """What a scene has shown so far."""

    ms: list[float] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)  # of checked steps, as shares of their motion
    verdict: Verdict = field(default_factory=Verdict)
    judged: int = 0
    energies: list[float] = field(default_factory=list)
    liveliest: float = 0.0  # [J] the greatest kinetic energy
    checking: float = 0.0  # [s] on the errors of steps
    memory: float = 0.0  # [MiB] the most of a GPU's after a step
    passed: int = 0  # times that a thread went through itself
    times: list[float] = field(default_factory=list)
    watched: list[Any] = field(default_factory=list)
    stopped: str = ""


def run(
    scene: str = "",
    size: str = "",
    response: str = "",
    solver: str = "",
    iterations: int = 0,
    device: str = "cpu",
    precision: str = "f64",
    budget: float = 20.0,
    seconds: float = 0.0,
    judged: int = 1,
    checked: int = 10,
) -> Iterator[Row]:
    """Rows of each scene, or of those named, "cloth,pile", at its smallest size, others, "5x20,5x40", "all", or seeds, "0-99".

    ``response`` is that of contact by its name in ``pliant.contact``, or several, "Barrier(reach=1e-3),Penalty"; without one, it
    is the default. ``solver`` is Newton or QuasiNewton, with ``iterations`` where they are counted. A scene ends after its own
    time, after ``seconds`` of it, or where its steps have taken ``budget`` [s] of ours, which is then said; no step goes on for
    twice as long. Every so many steps are ``judged``, the last always; the error of every so many is ``checked``, until that has
    taken as long. Times are of the CPU, of all threads together, or of a GPU's clock.
    """
    for name in _named(scene, SCENES, "scene"):
        for own in _sizes(name, size):
            for word, law in _responses(response):
                label = f"{name} {'x'.join(map(str, own))} {word}"
                given = {"response": law, "solver": _solver(solver, iterations)}
                where = {"device": device, "precision": precision}
                pace = Pace(budget, seconds, judged, checked)
                found = measured(SCENES[name], own, given, where, pace, label)
                yield from ((f"{label}: {what}", value, unit) for what, value, unit in found)


def _named(asked: str, known: Any, what: str) -> list[str]:
    """Names that were asked for, all where none were."""
    names = [part.strip() for part in asked.split(",")] if asked else list(known)
    for name in names:
        if name not in known:
            raise InputError(f"{what}={name!r}: unknown{did_you_mean(name, known)}; expected one of {', '.join(known)}")
    return names


def _sizes(name: str, asked: Any) -> Sequence[tuple[int, ...]]:
    """The sizes of a scene: the smallest, all, ranges of seeds, or some in whole numbers with an x between."""
    known, found = SCENES[name].sizes, []
    if not asked or asked == "all":
        return known if asked else known[:1]
    for part in str(asked).split(","):
        seeds = re.fullmatch(r"(\d+)-(\d+)", part) if len(known[0]) == 1 else None
        if seeds:
            found += [(one,) for one in range(int(seeds[1]), int(seeds[2]) + 1)]
        elif re.fullmatch(r"\d+(x\d+)*", part) and part.count("x") < len(known[0]):
            found.append(tuple(map(int, part.split("x"))))
        else:
            shape = "x".join(map(str, known[0]))
            raise InputError(f"size={asked!r}: expected sizes such as {shape} for {name}, with commas between, or all")
    return found


def _responses(asked: str) -> list[tuple[str, Any]]:
    """Responses and what they are called: of "Barrier,Penalty(hardness=100)", or the default."""
    if not asked:
        return [("default", None)]
    try:
        nodes = ast.parse(f"[{asked}]", mode="eval").body.elts  # type: ignore[attr-defined]
        calls = [node if isinstance(node, ast.Call) else ast.Call(node, [], []) for node in nodes]
        found = [(call.func.id, {k.arg: ast.literal_eval(k.value) for k in call.keywords}) for call in calls]
    except (SyntaxError, ValueError, AttributeError):
        raise InputError(f"response={asked!r}: expected names such as Barrier,Penalty(hardness=100)") from None
    kinds = [getattr(pl.contact, _named(name, pl.contact.__all__, "response")[0]) for name, _ in found]
    words = [ast.unparse(node).replace(" ", "") for node in nodes]
    return [(word, kind(**values)) for word, kind, (_, values) in zip(words, kinds, found)]


def _solver(name: str, iterations: int) -> Any:
    counted = {"iterations": iterations} if iterations else {}
    if not name and not counted:
        return None
    return getattr(pl, _named(name or "Newton", ("Newton", "QuasiNewton"), "solver")[0])(**counted)


def measured(
    case: Case, size: tuple[int, ...], given: dict[str, Any], where: dict[str, Any], pace: Pace, label: str = ""
) -> Iterator[Row]:
    """What, its value and its unit, of one scene; a scene that is refused, fails or breaks says so in the row "stopped"."""
    _forget_peak()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            sim = case.make(*size, **given, **where)
        except InputError as error:
            yield "stopped", f"refused: {error}", ""
            return
        yield "unknowns", 3 * len(sim.x), ""
        seen = _watched(sim, case, pace, lambda: _sharper(case, size, given, where), label)
        yield from _rows(sim, case, seen)


def _watched(sim: pl.Simulation, case: Case, pace: Pace, sharper: Callable[[], pl.Simulation], label: str) -> Seen:
    """Run a scene to its end, or to that of the budget."""
    steps, seen, sharp = max(1, round((pace.seconds or case.seconds) / sim.integrator.dt)), Seen(), None
    limit = max(LONGEST * pace.budget, SHORTEST)
    try:
        with _limited(limit):
            _warm(sim)
    except TooLong:
        seen.stopped = f"step 1 took more than {limit:g} s"
        return seen
    look = Judge.of(sim)
    _see(sim, case, seen)
    with bar(label, steps) as advance:
        for k in range(steps):
            checks = pace.checked and k % pace.checked == pace.checked // 2 and seen.checking <= pace.budget
            before = sim.state.copy() if checks else None
            seen.stopped = _stepped(sim, case, seen, limit)
            if not seen.stopped and k + 1 < steps and sum(seen.ms) > 1e3 * pace.budget:
                seen.stopped = f"after {k + 1} of {steps} steps, as {pace.budget:g} s were over"
            if seen.stopped or k + 1 == steps or (pace.judged and k % pace.judged == 0):
                seen.verdict = seen.verdict.worse(look.look(sim.x, sim.scene.obstacles, sim.t))
                seen.judged += 1
            if before is not None and sim.state.steps > before.steps:  # it was kept
                begun = time.perf_counter()
                with contextlib.suppress(TooLong), _limited(limit):
                    sharp = sharp or sharper()
                    seen.errors += _error(sim, before, sharp)
                seen.checking += time.perf_counter() - begun
            advance()
            if seen.stopped:
                break
    return seen


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TooLong after so much time of the CPU, where the system can tell: no budget counts within a step."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _warm(sim: pl.Simulation) -> None:
    """Take a step for the kernels that it compiles, and go back."""
    start = sim.state.copy()
    sim.step()
    sim.assign(start)


def _stepped(sim: pl.Simulation, case: Case, seen: Seen, limit: float) -> str:
    """Take a step; why it was not kept."""
    threads, clock = ([writhe(line) for line in _threads(sim)], time.process_time if sim.device.is_cpu else time.perf_counter)
    begun = clock()
    try:
        with _limited(limit):
            seen.reports.append(sim.step())
    except TooLong:
        return f"step {len(seen.reports) + 1} took more than {limit:g} s"
    except Exception as error:  # a scene that breaks is a result too
        return f"step {len(seen.reports) + 1} broke: {type(error).__name__}: {error}"
    sim.x  # noqa: B018  a step is over when its positions are here
    seen.ms.append(1e3 * (clock() - begun))
    if not seen.reports[-1].kept:
        return f"step {len(seen.reports)} failed: {seen.reports[-1].why}"
    _see(sim, case, seen)
    seen.passed += sum(abs(writhe(line) - was) > 1.0 for line, was in zip(_threads(sim), threads))
    return ""


def _see(sim: pl.Simulation, case: Case, seen: Seen) -> None:
    """Keep the energy of a state, without that of contact, which a response may get wrong; and what is watched."""
    energies = sim.energies()
    contact = {energy.name for energy in sim.world.touching}
    seen.energies.append(float(energies["total"] - sum(energies.get(name, 0.0) for name in contact)))
    seen.liveliest = max(seen.liveliest, energies["kinetic"])
    seen.times.append(sim.t)
    if not sim.device.is_cpu:
        seen.memory = max(seen.memory, wp.get_mempool_used_mem_current(sim.device.warp) / 2**20)
    if case.watch is not None:
        seen.watched.append(case.watch(sim))


def _threads(sim: pl.Simulation) -> list[np.ndarray]:
    """(n, 3) the nodes of threads that are one line."""
    lines = [skin for skin in sim.skins if skin.edges is not None and not len(skin.triangles)]
    lines = [skin for skin in lines if np.array_equal(np.diff(skin.edges, axis=0), np.ones((len(skin.edges) - 1, 2)))]
    return [sim.x[skin.start : skin.stop] for skin in lines]


def _sharper(case: Case, size: tuple[int, ...], given: dict[str, Any], where: dict[str, Any]) -> pl.Simulation:
    """The same scene in double precision, solved to a tolerance a hundred times smaller."""
    tolerance = getattr(given["solver"], "tolerance", None) or TOLERANCE[where["precision"]]
    solver = pl.Newton(tolerance=tolerance / SHARPER)
    sharp = case.make(*size, **(given | {"solver": solver}), **(where | {"precision": "f64"}))
    _warm(sharp)
    return sharp


def _error(sim: pl.Simulation, before: State, sharp: pl.Simulation) -> list[float]:
    """How far a step ended from the solution, over the largest motion in it; none where that was not found, or nothing moved."""
    start = before.x.numpy()[: before.alive].astype(float)
    _put(sharp, before)
    report = sharp.step()
    if not report.kept or not report.converged:
        return []
    exact = sharp.x
    motion = np.linalg.norm(exact - start, axis=1).max()
    error = np.linalg.norm(sim.x - exact, axis=1).max()
    return [float(error / motion)] if motion > MOVES * np.ptp(start, axis=0).max() else []


def _put(sim: pl.Simulation, state: State) -> None:
    """Go to a state of the same scene with another solver, and perhaps in another precision."""
    own = sim.state.copy()
    for name in state.FIELDS:
        getattr(own, name).assign(getattr(state, name).numpy())
    own.t, own.steps = state.t, state.steps
    for owner in (own.memory.keys() & state.memory.keys()) - {"solver"}:
        now, then = own.memory[owner], state.memory[owner]
        now.update({key: sim.device.array(then[key].numpy(), now[key].dtype) for key in now.keys() & then.keys()})
    sim.assign(own)


def _rows(sim: pl.Simulation, case: Case, seen: Seen) -> Iterator[Row]:
    """The numbers of a scene."""
    turns = [report.iterations for report in seen.reports]
    if seen.stopped:
        yield "stopped", seen.stopped, ""
    yield "steps", len(turns), ""
    if not turns:
        return
    yield "step, mean", float(np.mean(seen.ms)), "ms"
    yield "step, worst", max(seen.ms), "ms"
    for name, share in (("median", 50), ("of 99 in 100", 99), ("most", 100)):
        yield f"iterations, {name}", float(np.percentile(turns, share, method="higher")), ""
    yield "converged", float(np.mean([report.kept and report.converged for report in seen.reports])), "of the steps"
    if seen.errors:
        yield "error, worst", max(seen.errors), f"of the motion, of {len(seen.errors)} steps"
    for name, value in asdict(seen.verdict).items():
        yield name, 1e3 * value if isinstance(value, float) else value, "mm" if isinstance(value, float) else ""
    yield "judged", seen.judged, "steps"
    if _threads(sim):
        yield "passed through itself", seen.passed, "times"
    yield "contacts, most", max(report.contacts for report in seen.reports), ""
    yield "memory, most", seen.memory or _peak(), "MiB"
    if not case.driven:
        least = 0.5 * float(sim.world.mass[: len(sim.x)].sum()) * STIRRED**2
        share = _gained(np.array(seen.energies)) / max(seen.liveliest, least)
        yield "energy gained", share, f"of the greatest kinetic energy, at least that of {STIRRED:g} m/s"
    if case.truth is not None and len(seen.times) > 2:
        yield from ((name, value, "") for name, value in case.truth(np.array(seen.times), np.array(seen.watched)).items())


def _gained(energies: np.ndarray) -> float:
    """How far energies [J] went over the greatest of a while before: what contact stores for a moment does not count."""
    back = max(len(energies) // WHILE, 1)
    over = [energies[k] - energies[max(k - back, 0) : k].max() for k in range(1, len(energies))]
    return max([0.0, *map(float, over)])


def _forget_peak() -> None:
    """Count the most memory of this process anew, where the system can."""
    if STATUS.is_file():
        Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """The most memory of this process since then, or since it began [MiB]; no number on Windows."""
    if STATUS.is_file():
        line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 2**10
    if sys.platform == "win32":
        return float("nan")
    import resource  # which Windows has not

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (2**20 if sys.platform == "darwin" else 2**10)


COLUMNS = {
    "steps": ("steps", "{:.0f}"), "ms": ("step, mean", "{:.3g}"), "worst": ("step, worst", "{:.3g}"),
    "iterations": ("iterations, median", "{:.0f}"), "99 of 100": ("iterations, of 99 in 100", "{:.0f}"),
    "converged": ("converged", "{:.0%}"), "error": ("error, worst", "{:.1e}"), "inside": ("inside", "{:d}"),
    "depth [mm]": ("depth", "{:.3g}"), "crossings": ("crossings", "{:d}"), "contacts": ("contacts, most", "{:d}"),
    "MiB": ("memory, most", "{:.0f}"), "gained": ("energy gained", "{:.1e}"), "stopped": ("stopped", "{}"),
}  # fmt: skip


def table(rows: Sequence[dict[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The rows side by side: a line for each scene, size and response."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        label, what = row["name"].split(": ", 1)
        found.setdefault(label, {})[what] = row["value"]
    lines = [
        (label, *(textwrap.shorten(form.format(values[what]), 60) if what in values else "" for what, form in COLUMNS.values()))
        for label, values in found.items()
    ]
    return ("scene", *COLUMNS), lines
