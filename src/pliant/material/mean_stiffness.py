"""One number for a law's stiffness: the slope of the straight line nearest to its stress over a range of stretches.

k minimises ∫ (k(s−1) − f(s))² ds, f(s) the stress along a stretch s with the others held at 1 (Eq 7.13–7.14), by least
squares over samples 0.01 apart. The slope at rest would not do: it is zero for the polynomial law. Projective laws
bring their own k, with which the quasi-Newton method is projective dynamics.
"""

import numpy as np
import warp as wp

from ..runtime.build_lock import alone
from ..runtime.device import Device, Types
from .base import Material
from .parameter_rows import Stacked

_KERNELS: dict[tuple, wp.Kernel] = {}


def fitted_stiffness(material: Material, dimension: int = 3, stretches: tuple[float, float] = (0.5, 1.5)) -> np.ndarray:
    """(rows,) k [Pa] of each row of the material's table.

    Fibres and muscles, which act in one direction, are left out.
    """
    if isinstance(material, Stacked):
        each = [np.broadcast_to(fitted_stiffness(m, dimension, stretches), len(m.table())) for m in material.materials]
        return np.concatenate(each)
    s = np.arange(round(100 * stretches[0]), round(100 * stretches[1]) + 1) / 100
    total = np.zeros(1)
    for law in material.terms:
        if law.projective is not None:
            total = total + law.projective
        elif law.isotropic or not law.rotation_invariant:
            total = total + _slope(law, dimension, s)
    scale = np.abs(total).max()
    return np.maximum(total, 1e-3 * scale if scale > 0 else 1.0)


def _slope(law: Material, dimension: int, s: np.ndarray) -> np.ndarray:
    f = principal_stress(law, s, dimension)
    return f @ (s - 1) / np.sum((s - 1) ** 2)


@alone
def principal_stress(law: Material, s: np.ndarray, dimension: int = 3) -> np.ndarray:
    """(rows, samples) stress P₀₀ [Pa] at F = diag(s, 1, 1), cut down to the sheet or the thread."""
    device = Device("cpu", "f64", threads=1)
    key = (law.key, law.width, dimension)
    if key not in _KERNELS:
        _KERNELS[key] = _build(law, dimension)
    table = law.table()
    t = device.types
    out = device.zeros(len(table) * len(s), wp.float64)
    device.launch(_KERNELS[key], out.shape[0], device.array(table, t.vector(law.width)), device.array(s, t.real), out)
    return out.numpy().reshape(len(table), len(s)).copy()


def _build(law: Material, dimension: int) -> wp.Kernel:
    t = Types("f64", f"mean_stiffness_{law.key}_{dimension}d")
    real, mat33, params, stress = t.real, t.mat33, t.vector(law.width), law.functions(t, dimension).stress
    second, third = real(1.0 if dimension > 1 else 0.0), real(1.0 if dimension > 2 else 0.0)

    @t.kernel
    def sample(
        start: int,
        # params:
        table: wp.array(dtype=params),
        # in:
        s: wp.array(dtype=real),
        # out:
        out: wp.array(dtype=wp.float64),
    ):
        i = start + wp.tid()
        o = real(0.0)
        F = mat33(s[i % s.shape[0]], o, o, o, second, o, o, o, third)
        out[i] = stress(F, table[i // s.shape[0]])[0, 0]

    return sample
