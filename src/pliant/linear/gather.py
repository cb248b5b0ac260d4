"""Sums of contributions, each target adding up its own list in a fixed order: the opposite of atomic scatter."""

import numpy as np
import warp as wp

from ..device import family


def gather_lists(targets: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each target 0 … count−1: where its contributions are, as (starts, indices), in ascending order."""
    order = np.argsort(targets, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(targets, minlength=count))])
    return starts.astype(np.int32), order.astype(np.int32)


@family
def gather_kernels(t):
    vec3, mat33 = t.vec3, t.mat33

    @t.kernel
    def gather_vectors(
        start: int,
        # mesh:
        starts: wp.array(dtype=wp.int32),
        lists: wp.array(dtype=wp.int32),
        first: wp.int32,
        # in:
        parts: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        n = start + wp.tid()
        total = vec3()
        for i in range(starts[n], starts[n + 1]):
            total += parts[lists[i]]
        out[first + n] = out[first + n] + total

    @t.kernel
    def gather_blocks(
        start: int,
        # mesh: contribution c as it is for c ≥ 0, the transpose of contribution −c−1 otherwise; where the sum goes, and its
        # transpose, if that is another place
        targets: wp.array(dtype=wp.int32),
        mirrors: wp.array(dtype=wp.int32),
        starts: wp.array(dtype=wp.int32),
        lists: wp.array(dtype=wp.int32),
        # in:
        parts: wp.array(dtype=mat33),
        # out:
        out: wp.array(dtype=mat33),
    ):
        n = start + wp.tid()
        total = mat33()
        for i in range(starts[n], starts[n + 1]):
            c = lists[i]
            if c >= 0:
                total += parts[c]
            else:
                total += wp.transpose(parts[-c - 1])
        out[targets[n]] = out[targets[n]] + total
        mirror = mirrors[n]
        if mirror >= 0:
            out[mirror] = out[mirror] + wp.transpose(total)

    @t.kernel
    def add_blocks(
        start: int,
        # mesh: where each value goes, −1 for nowhere
        targets: wp.array(dtype=wp.int32),
        # in:
        scale: t.real,
        values: wp.array(dtype=mat33),
        # out:
        out: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        at = targets[i]
        if at >= 0:
            out[at] = out[at] + scale * values[i]

    @t.kernel
    def add_product(
        start: int,
        # mesh:
        rows: wp.array(dtype=wp.int32),
        columns: wp.array(dtype=wp.int32),
        # in:
        scale: t.real,
        values: wp.array(dtype=mat33),
        x: wp.array(dtype=vec3),
        # out:
        out: wp.array(dtype=vec3),
    ):
        """out += scale A x."""
        r = start + wp.tid()
        total = vec3()
        for i in range(rows[r], rows[r + 1]):
            total += values[i] * x[columns[i]]
        out[r] = out[r] + scale * total

    return locals()
