"""Kernels of the quasi-Newton iteration. Its scalars live on the device, a row of ``state`` for each group of nodes.

Steps s and changes of gradient t are rows of two arrays that are filled round and round: pair i, counted from the newest, is row
(turn − 1 − i) mod window. A pair that is missing or of no use has the inverse curvature 0 and changes nothing.
"""

import warp as wp

from ...runtime.device import family
from ...runtime.vectors import sum_functions
from ..objective.objective_kernels import group_function

# columns of ``state``
VALUE, MAGNITUDE, SLOPE, ALPHA, FIRST, STAGE, TURN, ITERATIONS, TRIALS, AFRESH, WHY = range(11)
TRIAL_VALUE, TRIAL_MAGNITUDE, CURVATURE = range(11, 14)
LENGTH = 14  # [m] of the last direction, when all is done
RECENT = 15  # and on: s·t [J] of the last steps, or twice what the energy fell, round and round
REMEMBERED = 9
WIDTH = RECENT + REMEMBERED
PATIENCE = 2  # times in a row that a history is dropped
CUT_SHORT = 0.1  # share of its first guess below which an accepted step shows that the history misleads
CLEAR = 100.0  # times what rounding makes of energies, above which their differences tell where contact sets in
TINY = 1e-8  # of a direction: shorter steps are tried only where energies would still show what they gain
# what a group is doing
STOPPED, READY, SEARCHING, ACCEPTED, MISLED = range(5)
# why it stopped
RUNNING, NOT_FINITE, NO_DECREASE, NO_SLOPE, CONVERGED = range(5)


@family
def lbfgs_kernels(t):
    real, vec3 = t.real, t.vec3
    ints, doubles = wp.array(dtype=wp.int32), wp.array2d(dtype=wp.float64)
    reals = wp.array(dtype=real)
    nodes, rows, places = wp.array(dtype=vec3), wp.array2d(dtype=vec3), wp.array(dtype=t.position)
    sums_of = sum_functions(t)
    first, beyond, row_sum = sums_of.first, sums_of.beyond, sums_of.row_sum

    def pair_row(state: doubles, g: int, i: int, window: int):
        """Row of pair i; 0 is the newest."""
        return (int(state[g, TURN]) - 1 - i + 2 * window) % window

    pair_row = t.function("pair_row", pair_row)
    group = group_function(t)

    def met(sizes: doubles, g: int, tolerance: wp.float64):
        return tolerance > wp.float64(0.0) and sizes[g, 0] <= tolerance * sizes[g, 1]

    met = t.function("met", met)

    def forgotten(inverse: doubles, g: int):
        """Drop the history; says whether there was any."""
        known = wp.float64(0.0)
        for i in range(inverse.shape[1]):
            known += inverse[g, i]
            inverse[g, i] = wp.float64(0.0)
        return known > wp.float64(0.0)

    forgotten = t.function("forgotten", forgotten)

    @t.kernel
    def begin(
        start: int,
        tolerance: wp.float64,
        budget: ints,
        # in:
        sums: doubles,
        sizes: doubles,
        # out:
        inverse: doubles,
        state: doubles,
        running: ints,
    ):
        g = start + wp.tid()
        for i in range(inverse.shape[1]):
            inverse[g, i] = wp.float64(0.0)
        state[g, VALUE] = sums[g, 0]
        state[g, MAGNITUDE] = sums[g, 1]
        state[g, ALPHA] = wp.float64(0.0)
        state[g, TURN] = wp.float64(0.0)
        state[g, ITERATIONS] = wp.float64(0.0)
        state[g, TRIALS] = wp.float64(0.0)
        state[g, AFRESH] = wp.float64(0.0)
        state[g, STAGE] = wp.float64(STOPPED)
        if not wp.isfinite(sums[g, 0]):
            state[g, WHY] = wp.float64(NOT_FINITE)
        elif met(sizes, g, tolerance):
            state[g, WHY] = wp.float64(CONVERGED)
        else:
            state[g, WHY] = wp.float64(RUNNING)
            state[g, STAGE] = wp.float64(READY)
            if budget[0] > 0:
                running[0] = 1  # whichever group says so, it is the same

    # The two loops of Alg 4. Each pass over the nodes takes up one pair and finds the dot product for the next.

    @t.kernel
    def back(
        start: int,
        chunks: int,
        hop: int,
        step: int,
        reach: int,
        bounds: ints,
        # params: pairs 0 … i−1 are done
        i: int,
        pairs: int,
        # in:
        steps: rows,
        changes: rows,
        zeta: doubles,
        state: doubles,
        gradient: nodes,
        # out:
        q: nodes,
        out: doubles,
    ):
        """q ← q − ζ t of the pair before (−∇g at first), and parts of s·q of pair i."""
        c = start + wp.tid()
        g = c // chunks
        window = steps.shape[0]
        done = pair_row(state, g, i - 1, window)
        ahead = pair_row(state, g, i, window)
        total = wp.float64(0.0)
        for n in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            v = -gradient[n]
            if i > 0:
                v = q[n] - real(zeta[g, i - 1]) * changes[done, n]
            q[n] = v
            if i < pairs:
                u = steps[ahead, n]
                total += wp.float64(u[0]) * wp.float64(v[0])
                total += wp.float64(u[1]) * wp.float64(v[1])
                total += wp.float64(u[2]) * wp.float64(v[2])
        sums_of.deposit(c, chunks, total, out)

    @t.kernel
    def forth(
        start: int,
        chunks: int,
        hop: int,
        step: int,
        reach: int,
        bounds: ints,
        # params: pairs i+1 … are done
        i: int,
        pairs: int,
        # in:
        steps: rows,
        changes: rows,
        zeta: doubles,
        state: doubles,
        gradient: nodes,
        # out:
        d: nodes,
        out: doubles,
    ):
        """d ← d + (ζ−η) s of pair i, and parts of t·d of the pair that is next, or of ∇g·d after the last."""
        c = start + wp.tid()
        g = c // chunks
        window = steps.shape[0]
        now = pair_row(state, g, i, window)
        ahead = pair_row(state, g, i - 1, window)
        total = wp.float64(0.0)
        for n in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            v = d[n]
            if i < pairs:
                v = v + real(zeta[g, i]) * steps[now, n]
                d[n] = v
            u = gradient[n]
            if i > 0:
                u = changes[ahead, n]
            total += wp.float64(u[0]) * wp.float64(v[0])
            total += wp.float64(u[1]) * wp.float64(v[1])
            total += wp.float64(u[2]) * wp.float64(v[2])
        sums_of.deposit(c, chunks, total, out)

    @t.kernel
    def choose_zeta(start: int, i: int, parts: doubles, inverse: doubles, state: doubles, zeta: doubles):
        """ζ = s·q / s·t of pair i."""
        j = start + wp.tid()
        total = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            g = j // wp.block_dim()
            zeta[g, i] = total * inverse[g, pair_row(state, g, i, inverse.shape[1])]

    @t.kernel
    def choose_eta(start: int, i: int, parts: doubles, inverse: doubles, state: doubles, zeta: doubles):
        """ζ − η with η = t·d / s·t of pair i."""
        j = start + wp.tid()
        total = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            g = j // wp.block_dim()
            zeta[g, i] = zeta[g, i] - total * inverse[g, pair_row(state, g, i, inverse.shape[1])]

    @t.kernel
    def judge(
        start: int,
        # params: times the last step that the first guess is at most
        growth: wp.float64,
        # in:
        parts: doubles,
        limits: doubles,
        # out:
        inverse: doubles,
        state: doubles,
        searching: ints,
    ):
        """Look whether d descends; a history that misleads is forgotten."""
        j = start + wp.tid()
        g = j // wp.block_dim()
        slope = row_sum(parts, j)
        if j % wp.block_dim() == 0 and int(state[g, STAGE]) == READY:
            state[g, SLOPE] = slope
            if slope < wp.float64(0.0):
                alpha = limits[g, 0]
                if state[g, ALPHA] > wp.float64(0.0):
                    alpha = wp.min(alpha, growth * state[g, ALPHA])
                state[g, ALPHA] = alpha
                state[g, FIRST] = alpha
                state[g, STAGE] = wp.float64(SEARCHING)
                searching[0] = 1
            else:
                state[g, ALPHA] = wp.float64(0.0)
                state[g, STAGE] = wp.float64(MISLED)
                if not forgotten(inverse, g):
                    state[g, STAGE] = wp.float64(STOPPED)
                    state[g, WHY] = wp.float64(NO_SLOPE)

    @t.kernel
    def attempt(start: int, of: ints, state: doubles, x: places, d: nodes, trial: places):
        """trial = x + α d."""
        i = start + wp.tid()
        trial[i] = x[i] + state[group(of, i), ALPHA] * t.position(d[i])

    @t.kernel
    def decide(
        start: int,
        shrink: wp.float64,
        slope: wp.float64,
        least: wp.float64,
        noise: wp.float64,
        clear: wp.float64,
        resolution: wp.array(dtype=wp.float64),
        # in: energies at the trial point, and parts of ∇g·d there
        sums: doubles,
        parts: doubles,
        # out:
        inverse: doubles,
        state: doubles,
        searching: ints,
    ):
        """Armijo's condition, or the slope at the trial point where the energies cannot tell it from x (Hager & Zhang 2005)."""
        j = start + wp.tid()
        g = j // wp.block_dim()
        there = row_sum(parts, j)
        if j % wp.block_dim() == 0 and int(state[g, STAGE]) == SEARCHING:
            alpha, known = state[g, ALPHA], state[g, SLOPE]
            state[g, TRIALS] = state[g, TRIALS] + wp.float64(1.0)
            value = sums[g, 0]
            finite = wp.isfinite(value)
            accepted = finite and value <= state[g, VALUE] + slope * alpha * known
            blur = noise * wp.max(state[g, MAGNITUDE], sums[g, 1]) + resolution[g]
            if finite and not accepted and wp.abs(value - state[g, VALUE]) <= blur:
                accepted = there <= (wp.float64(2.0) * slope - wp.float64(1.0)) * known
            if accepted:
                state[g, STAGE] = wp.float64(ACCEPTED)
                state[g, TRIAL_VALUE] = value
                state[g, TRIAL_MAGNITUDE] = sums[g, 1]
                state[g, CURVATURE] = alpha * (there - known)  # s·t = (∇g(x+αd) − ∇g(x))·αd
            else:
                # the least of a line that becomes a parabola on the way, where contact sets in; else of a parabola from the
                # start, where the slope vanishes if it changes evenly
                shorter = shrink * alpha
                if there > known:
                    above = value - state[g, VALUE] - alpha * known
                    seen_well = finite and above > clear * blur
                    bent = wp.where(seen_well, wp.min(wp.float64(2.0) * above / (there - known), alpha), alpha)
                    least_at = alpha - bent * there / (there - known)
                    shorter = wp.clamp(least_at, wp.float64(0.05) * alpha, shrink * alpha)
                state[g, ALPHA] = shorter
                # elements turned inside out may be far stiffer than the matrix knows, so that only tiny steps descend
                seen = -shorter * known > noise * state[g, MAGNITUDE] + resolution[g]
                if shorter >= least and (shorter >= wp.float64(TINY) or seen):
                    searching[0] = 1
                else:
                    state[g, ALPHA] = wp.float64(0.0)
                    state[g, STAGE] = wp.float64(MISLED)
                    if not forgotten(inverse, g):
                        state[g, STAGE] = wp.float64(STOPPED)
                        state[g, WHY] = wp.float64(NO_DECREASE)

    # Rigid bodies go along arcs, whose s is not αd, and are in the matrix as they are: pairs are 0 at their nodes.

    @t.kernel
    def bend(
        start: int,
        chunks: int,
        hop: int,
        step: int,
        reach: int,
        bounds: ints,
        # in: nodes that are not of rigid bodies, the direction, and gradients at the beginning and the end of the step
        soft: reals,
        d: nodes,
        gradient: nodes,
        trial_gradient: nodes,
        # out: parts of d·t
        out: doubles,
    ):
        c = start + wp.tid()
        total = wp.float64(0.0)
        for n in range(first(c, chunks, hop, bounds), beyond(c, chunks, hop, reach, bounds), step):
            change = wp.vec3d(trial_gradient[n]) - wp.vec3d(gradient[n])
            total += wp.float64(soft[n]) * wp.dot(wp.vec3d(d[n]), change)
        sums_of.deposit(c, chunks, total, out)

    @t.kernel
    def note_curvature(start: int, parts: doubles, state: doubles):
        j = start + wp.tid()
        g = j // wp.block_dim()
        total = row_sum(parts, j)
        if j % wp.block_dim() == 0:
            state[g, CURVATURE] = state[g, ALPHA] * total

    @t.kernel
    def push(
        start: int,
        of: ints,
        # params: pairs that are kept, and nodes that are in them; all where there is one entry
        window: int,
        soft: reals,
        state: doubles,
        # in:
        d: nodes,
        trial: places,
        trial_gradient: nodes,
        # out:
        x: places,
        gradient: nodes,
        steps: rows,
        changes: rows,
    ):
        """Go to the accepted point; remember the step and the change of gradient."""
        i = start + wp.tid()
        g = group(of, i)
        if int(state[g, STAGE]) == ACCEPTED:
            if window > 0:
                row = int(state[g, TURN]) % window
                share = real(1.0)
                if soft.shape[0] > 1:
                    share = soft[i]
                steps[row, i] = (share * real(state[g, ALPHA])) * d[i]
                changes[row, i] = share * (trial_gradient[i] - gradient[i])
            x[i] = trial[i]
            gradient[i] = trial_gradient[i]

    @t.kernel
    def tally(
        start: int,
        tolerance: wp.float64,
        budget: ints,
        sizes: doubles,
        # out:
        inverse: doubles,
        state: doubles,
        running: ints,
    ):
        """Make the accepted point the present one, and say whether to go on."""
        g = start + wp.tid()
        stage = int(state[g, STAGE])
        if stage != STOPPED:
            row = int(state[g, TURN]) % inverse.shape[1]
            inverse[g, row] = wp.float64(0.0)
            if stage == ACCEPTED:
                # s·t must be safely positive
                if state[g, CURVATURE] > wp.float64(-1.0e-8) * state[g, ALPHA] * state[g, SLOPE]:
                    inverse[g, row] = wp.float64(1.0) / state[g, CURVATURE]
                fallen = wp.float64(2.0) * (state[g, VALUE] - state[g, TRIAL_VALUE])
                at = RECENT + int(state[g, ITERATIONS]) % REMEMBERED
                state[g, at] = wp.max(wp.max(state[g, CURVATURE], fallen), wp.float64(0.0))
                state[g, VALUE] = state[g, TRIAL_VALUE]
                state[g, MAGNITUDE] = state[g, TRIAL_MAGNITUDE]
                state[g, ITERATIONS] = state[g, ITERATIONS] + wp.float64(1.0)
                # a step cut short from a fair guess: begin afresh, unless that was of no use several times over
                if int(state[g, AFRESH]) < PATIENCE:
                    if state[g, ALPHA] < wp.float64(CUT_SHORT) * state[g, FIRST]:
                        forgotten(inverse, g)
                        state[g, ALPHA] = wp.float64(0.0)
                        state[g, AFRESH] = state[g, AFRESH] + wp.float64(1.0)
                    else:
                        state[g, AFRESH] = wp.float64(0.0)
            state[g, TURN] = state[g, TURN] + wp.float64(1.0)
            state[g, STAGE] = wp.float64(READY)
            if met(sizes, g, tolerance):
                state[g, STAGE] = wp.float64(STOPPED)
                state[g, WHY] = wp.float64(CONVERGED)
            elif int(state[g, TURN]) < budget[0]:
                running[0] = 1

    return locals()
