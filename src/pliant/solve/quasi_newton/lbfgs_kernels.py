"""L-BFGS kernels, with scalars on the device.

Steps s and changes of gradient t are rows of two ring buffers: pair i, counted from the newest, is row
(turn − 1 − i) mod window. A missing or rejected pair has the inverse curvature 0 and no effect.
"""

import functools
from types import SimpleNamespace
from typing import Any

import warp as wp

from ...runtime.build_lock import alone
from ...runtime.device import Types, family
from ...runtime.vectors import Chunks, sum_functions
from ..objective.objective_kernels import group_function

# columns of ``state``
VALUE, MAGNITUDE, SLOPE, ALPHA, FIRST, STAGE, TURN, ITERATIONS, TRIALS, AFRESH, WHY = range(11)
TRIAL_VALUE, TRIAL_MAGNITUDE, CURVATURE = range(11, 14)
LENGTH = 14  # [m] of the last direction, when all is done
RECENT = 15  # and on: s·t [J] of the last steps, or twice the energy decrease, as a ring buffer
REMEMBERED = 9
WIDTH = RECENT + REMEMBERED
PATIENCE = 2  # successive drops of a history
CUT_SHORT = 0.1  # of its first guess: a shorter accepted step indicates a misleading history
CLEAR = 100.0  # times the rounding of energies, above which their differences resolve the onset of contact
TINY = 1e-8  # of a direction: shorter steps are tried only where energies resolve their decrease
# state of a group
STOPPED, READY, SEARCHING, ACCEPTED, MISLED = range(5)
# why it stopped
RUNNING, NOT_FINITE, NO_DECREASE, NO_SLOPE, CONVERGED = range(5)


@alone
@functools.cache
def history_struct(precision: str) -> Any:
    """Steps and changes of gradient, the data of each pair, and the scalars of each group."""
    t = Types(precision, "lbfgs_structs")
    doubles, rows = wp.array2d(dtype=wp.float64), wp.array2d(dtype=t.vec3)

    @functools.partial(wp.struct, module=t.module)
    class History:
        steps: rows
        changes: rows
        inverse: doubles  # of s·t
        zeta: doubles
        state: doubles

    return History


@family
def lbfgs_kernels(t):
    return {**_bound_kernels(t), **_direction_kernels(t), **_search_kernels(t), **_history_kernels(t)}


def _history_functions(t: Types) -> SimpleNamespace:
    doubles, History = wp.array2d(dtype=wp.float64), history_struct(t.precision)

    def pair_row(history: History, g: int, i: int):
        """Row of pair i; 0 is the newest."""
        window = history.inverse.shape[1]
        return (int(history.state[g, TURN]) - 1 - i + 2 * window) % window

    def met(sizes: doubles, g: int, tolerance: wp.float64):
        return tolerance > wp.float64(0.0) and sizes[g, 0] <= tolerance * sizes[g, 1]

    def forgotten(history: History, g: int):
        """Drop the history; says whether there was any."""
        known = wp.float64(0.0)
        for i in range(history.inverse.shape[1]):
            known += history.inverse[g, i]
            history.inverse[g, i] = wp.float64(0.0)
        return known > wp.float64(0.0)

    return SimpleNamespace(**{f.__name__: t.function(f.__name__, f) for f in (pair_row, met, forgotten)})


def _bound_kernels(t: Types) -> dict:
    """Kernels for the start of the solve, and the end of each iteration."""
    ints, doubles, History = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.float64), history_struct(t.precision)
    of = _history_functions(t)
    met, forgotten = of.met, of.forgotten

    @t.kernel
    def begin(
        start: int, tolerance: wp.float64, budget: ints,
        # in:
        sums: doubles, sizes: doubles,
        # out:
        history: History, running: ints,
    ):  # fmt: skip
        g = start + wp.tid()
        for i in range(history.inverse.shape[1]):
            history.inverse[g, i] = wp.float64(0.0)
        history.state[g, VALUE] = sums[g, 0]
        history.state[g, MAGNITUDE] = sums[g, 1]
        history.state[g, ALPHA] = wp.float64(0.0)
        history.state[g, TURN] = wp.float64(0.0)
        history.state[g, ITERATIONS] = wp.float64(0.0)
        history.state[g, TRIALS] = wp.float64(0.0)
        history.state[g, AFRESH] = wp.float64(0.0)
        history.state[g, STAGE] = wp.float64(STOPPED)
        if not wp.isfinite(sums[g, 0]):
            history.state[g, WHY] = wp.float64(NOT_FINITE)
        elif met(sizes, g, tolerance):
            history.state[g, WHY] = wp.float64(CONVERGED)
        else:
            history.state[g, WHY] = wp.float64(RUNNING)
            history.state[g, STAGE] = wp.float64(READY)
            if budget[0] > 0:
                running[0] = 1  # whichever group says so, it is the same

    @t.kernel
    def tally(
        start: int, tolerance: wp.float64, budget: ints, sizes: doubles,
        # out:
        history: History, running: ints,
    ):  # fmt: skip
        """Make the accepted point the present one, and say whether to go on."""
        g = start + wp.tid()
        stage = int(history.state[g, STAGE])
        if stage != STOPPED:
            row = int(history.state[g, TURN]) % history.inverse.shape[1]
            history.inverse[g, row] = wp.float64(0.0)
            if stage == ACCEPTED:
                # s·t must be safely positive
                if history.state[g, CURVATURE] > wp.float64(-1.0e-8) * history.state[g, ALPHA] * history.state[g, SLOPE]:
                    history.inverse[g, row] = wp.float64(1.0) / history.state[g, CURVATURE]
                fallen = wp.float64(2.0) * (history.state[g, VALUE] - history.state[g, TRIAL_VALUE])
                at = RECENT + int(history.state[g, ITERATIONS]) % REMEMBERED
                history.state[g, at] = wp.max(wp.max(history.state[g, CURVATURE], fallen), wp.float64(0.0))
                history.state[g, VALUE] = history.state[g, TRIAL_VALUE]
                history.state[g, MAGNITUDE] = history.state[g, TRIAL_MAGNITUDE]
                history.state[g, ITERATIONS] = history.state[g, ITERATIONS] + wp.float64(1.0)
                # a step cut short from a fair guess: begin afresh, unless that was of no use several times over
                if int(history.state[g, AFRESH]) < PATIENCE:
                    if history.state[g, ALPHA] < wp.float64(CUT_SHORT) * history.state[g, FIRST]:
                        forgotten(history, g)
                        history.state[g, ALPHA] = wp.float64(0.0)
                        history.state[g, AFRESH] = history.state[g, AFRESH] + wp.float64(1.0)
                    else:
                        history.state[g, AFRESH] = wp.float64(0.0)
            history.state[g, TURN] = history.state[g, TURN] + wp.float64(1.0)
            history.state[g, STAGE] = wp.float64(READY)
            if met(sizes, g, tolerance):
                history.state[g, STAGE] = wp.float64(STOPPED)
                history.state[g, WHY] = wp.float64(CONVERGED)
            elif int(history.state[g, TURN]) < budget[0]:
                running[0] = 1

    return locals()


def _direction_kernels(t: Types) -> dict:
    """The two loops of Alg 4. Each pass over the nodes applies one pair and computes the dot product for the next."""
    real, doubles, nodes = t.real, wp.array2d(dtype=wp.float64), wp.array(dtype=t.vec3)
    History, sums_of, pair_row = history_struct(t.precision), sum_functions(t), _history_functions(t).pair_row
    first, beyond, row_sum = sums_of.first, sums_of.beyond, sums_of.row_sum

    @t.kernel
    def back(
        start: int, cut: Chunks,
        # params: pairs 0 … i−1 are done
        i: int, pairs: int,
        # in:
        history: History, gradient: nodes,
        # out:
        q: nodes, out: doubles,
    ):  # fmt: skip
        """q ← q − ζ t of the pair before (−∇g at first), and parts of s·q of pair i."""
        c = start + wp.tid()
        g = c // cut.count
        done = pair_row(history, g, i - 1)
        ahead = pair_row(history, g, i)
        total = wp.float64(0.0)
        for n in range(first(c, cut), beyond(c, cut), cut.step):
            v = -gradient[n]
            if i > 0:
                v = q[n] - real(history.zeta[g, i - 1]) * history.changes[done, n]
            q[n] = v
            if i < pairs:
                u = history.steps[ahead, n]
                total += wp.float64(u[0]) * wp.float64(v[0])
                total += wp.float64(u[1]) * wp.float64(v[1])
                total += wp.float64(u[2]) * wp.float64(v[2])
        sums_of.deposit(c, cut, total, out)

    @t.kernel
    def forth(
        start: int, cut: Chunks,
        # params: pairs i+1 … are done
        i: int, pairs: int,
        # in:
        history: History, gradient: nodes,
        # out:
        d: nodes, out: doubles,
    ):  # fmt: skip
        """d ← d + (ζ−η) s of pair i, and parts of t·d of the pair that is next, or of ∇g·d after the last."""
        c = start + wp.tid()
        g = c // cut.count
        now = pair_row(history, g, i)
        ahead = pair_row(history, g, i - 1)
        total = wp.float64(0.0)
        for n in range(first(c, cut), beyond(c, cut), cut.step):
            v = d[n]
            if i < pairs:
                v = v + real(history.zeta[g, i]) * history.steps[now, n]
                d[n] = v
            u = gradient[n]
            if i > 0:
                u = history.changes[ahead, n]
            total += wp.float64(u[0]) * wp.float64(v[0])
            total += wp.float64(u[1]) * wp.float64(v[1])
            total += wp.float64(u[2]) * wp.float64(v[2])
        sums_of.deposit(c, cut, total, out)

    @t.kernel
    def choose_zeta(start: int, i: int, parts: doubles, history: History):
        """ζ = s·q / s·t of pair i."""
        j = start + wp.tid()
        total = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            g = j // wp.block_dim()
            history.zeta[g, i] = total * history.inverse[g, pair_row(history, g, i)]

    @t.kernel
    def choose_eta(start: int, i: int, parts: doubles, history: History):
        """ζ − η with η = t·d / s·t of pair i."""
        j = start + wp.tid()
        total = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            g = j // wp.block_dim()
            history.zeta[g, i] = history.zeta[g, i] - total * history.inverse[g, pair_row(history, g, i)]

    return locals()


def _search_kernels(t: Types) -> dict:
    """The line search."""
    ints, doubles, nodes = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.float64), wp.array(dtype=t.vec3)
    places, History, group = wp.array(dtype=t.position), history_struct(t.precision), group_function(t)
    row_sum, forgotten = sum_functions(t).row_sum, _history_functions(t).forgotten

    @t.kernel
    def judge(
        start: int,
        # params: times the last step that the first guess is at most
        growth: wp.float64,
        # in:
        parts: doubles, limits: doubles,
        # out:
        history: History, searching: ints,
    ):  # fmt: skip
        """Look whether d descends; a history that misleads is forgotten."""
        j = start + wp.tid()
        g = j // wp.block_dim()
        slope = row_sum(parts, j)
        if j % wp.block_dim() == 0 and int(history.state[g, STAGE]) == READY:
            history.state[g, SLOPE] = slope
            if slope < wp.float64(0.0):
                alpha = limits[g, 0]
                if history.state[g, ALPHA] > wp.float64(0.0):
                    alpha = wp.min(alpha, growth * history.state[g, ALPHA])
                history.state[g, ALPHA] = alpha
                history.state[g, FIRST] = alpha
                history.state[g, STAGE] = wp.float64(SEARCHING)
                searching[0] = 1
            else:
                history.state[g, ALPHA] = wp.float64(0.0)
                history.state[g, STAGE] = wp.float64(MISLED)
                if not forgotten(history, g):
                    history.state[g, STAGE] = wp.float64(STOPPED)
                    history.state[g, WHY] = wp.float64(NO_SLOPE)

    @t.kernel
    def attempt(start: int, of: ints, history: History, x: places, d: nodes, trial: places):
        """trial = x + α d."""
        i = start + wp.tid()
        trial[i] = x[i] + history.state[group(of, i), ALPHA] * t.position(d[i])

    @t.kernel
    def decide(
        start: int, shrink: wp.float64, slope: wp.float64, least: wp.float64, noise: wp.float64, clear: wp.float64,
        resolution: wp.array(dtype=wp.float64),
        # in: energies at the trial point, and parts of ∇g·d there
        sums: doubles, parts: doubles,
        # out:
        history: History, searching: ints,
    ):  # fmt: skip
        """Armijo's condition, or the slope at the trial point where the energies cannot tell it from x (Hager & Zhang 2005)."""
        j = start + wp.tid()
        g = j // wp.block_dim()
        there = row_sum(parts, j)
        if j % wp.block_dim() == 0 and int(history.state[g, STAGE]) == SEARCHING:
            alpha, known = history.state[g, ALPHA], history.state[g, SLOPE]
            history.state[g, TRIALS] = history.state[g, TRIALS] + wp.float64(1.0)
            value = sums[g, 0]
            finite = wp.isfinite(value)
            accepted = finite and value <= history.state[g, VALUE] + slope * alpha * known
            blur = noise * wp.max(history.state[g, MAGNITUDE], sums[g, 1]) + resolution[g]
            if finite and not accepted and wp.abs(value - history.state[g, VALUE]) <= blur:
                accepted = there <= (wp.float64(2.0) * slope - wp.float64(1.0)) * known
            if accepted:
                history.state[g, STAGE] = wp.float64(ACCEPTED)
                history.state[g, TRIAL_VALUE] = value
                history.state[g, TRIAL_MAGNITUDE] = sums[g, 1]
                history.state[g, CURVATURE] = alpha * (there - known)  # s·t = (∇g(x+αd) − ∇g(x))·αd
            else:
                # the least of a line that becomes a parabola on the way, where contact sets in; else of a parabola from the
                # start, where the slope vanishes if it changes evenly
                shorter = shrink * alpha
                if there > known:
                    above = value - history.state[g, VALUE] - alpha * known
                    seen_well = finite and above > clear * blur
                    bent = wp.where(seen_well, wp.min(wp.float64(2.0) * above / (there - known), alpha), alpha)
                    least_at = alpha - bent * there / (there - known)
                    shorter = wp.clamp(least_at, wp.float64(0.05) * alpha, shrink * alpha)
                history.state[g, ALPHA] = shorter
                # elements turned inside out may be far stiffer than the matrix knows, so that only tiny steps descend
                seen = -shorter * known > noise * history.state[g, MAGNITUDE] + resolution[g]
                if shorter >= least and (shorter >= wp.float64(TINY) or seen):
                    searching[0] = 1
                else:
                    history.state[g, ALPHA] = wp.float64(0.0)
                    history.state[g, STAGE] = wp.float64(MISLED)
                    if not forgotten(history, g):
                        history.state[g, STAGE] = wp.float64(STOPPED)
                        history.state[g, WHY] = wp.float64(NO_DECREASE)

    return locals()


def _history_kernels(t: Types) -> dict:
    """Kernels that store an accepted step."""
    real, ints, reals = t.real, wp.array(dtype=wp.int32), wp.array(dtype=t.real)
    nodes, places, doubles = wp.array(dtype=t.vec3), wp.array(dtype=t.position), wp.array2d(dtype=wp.float64)
    History, sums_of, group = history_struct(t.precision), sum_functions(t), group_function(t)
    first, beyond, row_sum = sums_of.first, sums_of.beyond, sums_of.row_sum

    # Rigid bodies go along arcs, whose s is not αd, and are in the matrix as they are: pairs are 0 at their nodes.

    @t.kernel
    def bend(
        start: int, cut: Chunks,
        # in: nodes that are not of rigid bodies, the direction, and gradients at the beginning and the end of the step
        soft: reals, d: nodes, gradient: nodes, trial_gradient: nodes,
        # out: parts of d·t
        out: doubles,
    ):  # fmt: skip
        c = start + wp.tid()
        total = wp.float64(0.0)
        for n in range(first(c, cut), beyond(c, cut), cut.step):
            change = wp.vec3d(trial_gradient[n]) - wp.vec3d(gradient[n])
            total += wp.float64(soft[n]) * wp.dot(wp.vec3d(d[n]), change)
        sums_of.deposit(c, cut, total, out)

    @t.kernel
    def note_curvature(start: int, parts: doubles, history: History):
        j = start + wp.tid()
        g = j // wp.block_dim()
        total = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            history.state[g, CURVATURE] = history.state[g, ALPHA] * total

    @t.kernel
    def push(
        start: int, of: ints,
        # params: pairs that are kept, and nodes that are in them; all where there is one entry
        window: int, soft: reals,
        # in:
        d: nodes, trial: places, trial_gradient: nodes,
        # out:
        history: History, x: places, gradient: nodes,
    ):  # fmt: skip
        """Go to the accepted point; remember the step and the change of gradient."""
        i = start + wp.tid()
        g = group(of, i)
        if int(history.state[g, STAGE]) == ACCEPTED:
            if window > 0:
                row = int(history.state[g, TURN]) % window
                share = real(1.0)
                if soft.shape[0] > 1:
                    share = soft[i]
                history.steps[row, i] = (share * real(history.state[g, ALPHA])) * d[i]
                history.changes[row, i] = share * (trial_gradient[i] - gradient[i])
            x[i] = trial[i]
            gradient[i] = trial_gradient[i]

    return locals()
