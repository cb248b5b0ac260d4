"""Initial modulus of a law from its stress.

C = ∂P/∂F at F = I in the six strains, by central differences; E is the largest 1/(C⁻¹)ᵢᵢ along an axis, or the largest
Cᵢᵢ of laws that leave some strain free, such as fibres alone.
"""

import copy
from collections.abc import Sequence

import numpy as np
import warp as wp

from ..runtime.build_lock import alone
from ..runtime.device import Device, Types
from .base import Elastic, Material, engineering
from .parameter_gradients import Gradients, pulled_back

_KERNELS: dict[tuple, wp.Kernel] = {}
_STRAINS = np.zeros((6, 3, 3))  # a unit vector each in the space of strains
for _n, (_i, _j) in enumerate(((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))):
    _STRAINS[_n, _i, _j] = _STRAINS[_n, _j, _i] = 1.0 if _i == _j else np.sqrt(0.5)
STEP = 1e-6
WIDE = 1e-3  # of a parameter, over which moduli are compared


def initial_modulus(material: Material) -> float:
    """The largest Young's modulus [Pa] of a law and of its rows: as given, or at rest by its own stress; 0 for none."""
    known = [law for law in material.terms if law.moduli is not None]
    if known:
        return max(float(np.max(law.young if isinstance(law, Elastic) else engineering(*law.moduli)[0])) for law in known)
    modulus = _at_rest(material.terms)
    return max(float(modulus.max()), 0.0) if np.all(np.isfinite(modulus)) else 0.0


def _at_rest(laws: Sequence[Material]) -> np.ndarray:
    """(rows,) Young's modulus [Pa] of laws that name none, by their stress."""
    stiffness = sum(initial_stiffness(law) for law in laws)
    values = np.linalg.eigvalsh(stiffness)
    modulus = np.max(np.einsum("rii->ri", stiffness)[:, :3], axis=1)
    firm = values[:, 0] > 1e-6 * values[:, -1]
    if firm.any():
        modulus[firm] = 1 / np.min(np.einsum("rii->ri", np.linalg.inv(stiffness[firm]))[:, :3], axis=1)
    return modulus


def pulled_back_modulus(material: Material, gradient: float) -> Gradients:
    """Gradient by the parameters for that by ``initial_modulus``, which the stiffest row of the stiffest law decides."""
    known = [law for law in material.terms if law.moduli is not None]
    if not known:
        return _pulled_back_at_rest(material, gradient)
    values = [np.atleast_1d(_young(law)) for law in known]
    law = known[int(np.argmax([value.max() for value in values]))]
    rows = np.atleast_1d(_young(law))
    return material.in_sum(law, pulled_back(law, _young, gradient * (np.arange(len(rows)) == np.argmax(rows))))


def _pulled_back_at_rest(material: Material, gradient: float) -> Gradients:
    """The same for laws that name no moduli, by differences of fourth order: kernels of stress take no complex steps."""
    laws, total = list(material.terms), {}
    row = int(np.argmax(_at_rest(laws)))
    for j, law in enumerate(laws):
        by_name = {}
        for name, value in law.parameters().items():
            value = np.asarray(value, float)
            entry = np.zeros(value.shape)
            entry[(row,) if value.size > 1 else ...] = 1.0
            step, moduli = WIDE * max(float(np.abs(value * entry).max()), WIDE), []
            for times in (1, -1, 2, -2):
                beside = copy.copy(law)
                object.__setattr__(beside, name, value + times * step * entry)
                moduli.append(_at_rest([*laws[:j], beside, *laws[j + 1 :]])[row])
            slope = (8 * (moduli[0] - moduli[1]) - (moduli[2] - moduli[3])) / (12 * step)
            by_name[name] = gradient * slope * entry
        total |= material.in_sum(law, by_name)
    return total


def _young(law: Material) -> np.ndarray:
    return np.atleast_1d(law.young if isinstance(law, Elastic) else engineering(*law.moduli)[0])


@alone
def initial_stiffness(law: Material) -> np.ndarray:
    """(rows, 6, 6) ∂P/∂F at rest in the strains xx, yy, zz, yz, xz, xy, the mixed ones times √2 [Pa]."""
    device = Device("cpu", "f64", threads=1)
    key = (law.key, law.width)
    if key not in _KERNELS:
        _KERNELS[key] = _build(law)
    table, t = law.table(), device.types
    F = np.concatenate([np.eye(3) + sign * STEP * _STRAINS for sign in (1.0, -1.0)])
    out = device.zeros(len(table) * len(F), t.mat33)
    rows = device.array(table, t.vector(law.width))
    device.launch(_KERNELS[key], out.shape[0], rows, device.array(F, t.mat33), out)
    P = out.numpy().reshape(len(table), 2, 6, 3, 3)
    C = np.einsum("rnij,mij->rmn", (P[:, 0] - P[:, 1]) / (2 * STEP), _STRAINS)
    return 0.5 * (C + np.swapaxes(C, 1, 2))


def _build(law: Material) -> wp.Kernel:
    t = Types("f64", f"initial_modulus_{law.key}")
    mat33, params, stress = t.mat33, t.vector(law.width), law.functions(t, 3).stress

    @t.kernel
    def sample(
        start: int,
        # params:
        table: wp.array(dtype=params),
        # in:
        F: wp.array(dtype=mat33),
        # out:
        out: wp.array(dtype=mat33),
    ):
        i = start + wp.tid()
        out[i] = stress(F[i % F.shape[0]], table[i // F.shape[0]])

    return sample
