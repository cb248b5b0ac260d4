"""Rotations of a deformation gradient that may be flat or turned inside out, and their differentials.

A tetrahedron collapses as a vertex meets the opposite face, or as two opposite edges meet. In both cases the nodes that
meet the others are moved along the normal of the collapse, which in terms of F is F̄ = F + κ c⊗n/‖c‖²: n is the gradient at
rest of the shape functions of the moved nodes, c = cof(F) n the area vector of the face, or of the two edges, and det F̄ = J + κ.
The rotation is that of the polar decomposition of F̄. How far the nodes are moved, κ(J), is all in which the smooth one, the
projection and the reflection differ (Civit-Flores & Susín 2014; Schmedding & Teschner 2008).
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import warp as wp

from ...arguments import checks
from ...runtime.device import Types
from ...runtime.math3 import cofactor, cofactor_differential, double_dot, polar_rotation, rotation_differential

FLAT = 1.0e-3  # ‖c‖ below which an element is a line or a point, which has no normal


class Lifted:
    """Rotations of F̄; ``threshold`` is the volume ratio at or below which an element counts as degenerate."""

    conservative: ClassVar[bool] = False
    invariant: ClassVar[bool] = True

    @property
    def numbers(self) -> tuple[float, ...]:
        """Which it is, then threshold, push, beyond and power, as the device has them."""
        return (self.number, self.threshold, 1.0, 0.0, 2.0)


class Plain:
    """Rotations of F alone, which remember nothing."""

    conservative: ClassVar[bool] = True
    invariant: ClassVar[bool] = True

    @property
    def numbers(self) -> tuple[float, ...]:
        """As those of others."""
        return (self.number, -1e30, 1.0, 0.0, 2.0)


@dataclass(frozen=True)
class Smooth(Lifted):
    """Degeneration-aware polar decomposition: smooth through collapse and inversion.

    From the volume ratio ``threshold`` on, nodes that meet are moved apart by a cubic of J, and from J < 0 on back to the
    threshold. ``push`` scales that, ``beyond`` adds a share of (−J/threshold)^``power`` for inverted elements (τ, η and p).
    """

    number: ClassVar[int] = 0
    threshold: float = 0.1
    push: float = 1.0
    beyond: float = 0.0
    power: float = 2.0

    def __post_init__(self):
        checks.number("Smooth(threshold=…)", self.threshold, 1e-3, 0.9, "0.001 ≤ threshold ≤ 0.9")
        checks.number("Smooth(push=…)", self.push, 0.5, 10, "0.5 ≤ push ≤ 10")
        checks.number("Smooth(beyond=…)", self.beyond, 0, 10, "0 ≤ beyond ≤ 10")
        checks.number("Smooth(power=…)", self.power, 1, 8, "1 ≤ power ≤ 8")

    @property
    def numbers(self) -> tuple[float, ...]:
        return (self.number, self.threshold, self.push, self.beyond, self.power)


@dataclass(frozen=True)
class Project(Lifted):
    """Inverted elements have the frame of their projection onto the plane of collapse: continuous, with a kink."""

    number: ClassVar[int] = 1
    threshold: ClassVar[float] = 1e-3  # beside flat, where the normal is still known


@dataclass(frozen=True)
class Reflect(Lifted):
    """Inverted elements have the frame of their mirror image in the plane of collapse: continuous, with a kink."""

    number: ClassVar[int] = 2
    threshold: ClassVar[float] = 0.0


@dataclass(frozen=True)
class Polar(Plain):
    """The nearest rotation, by singular values of which the least changes its sign: as Corotated. It jumps where two cancel
    (Irving et al. 2004)."""

    number: ClassVar[int] = 3


@dataclass(frozen=True)
class QR(Plain):
    """Gram and Schmidt's frame of the columns of F: cheap, and another for other axes (Nesme et al. 2005)."""

    number: ClassVar[int] = 4
    conservative: ClassVar[bool] = False


@dataclass(frozen=True)
class Identity(Plain):
    """None: linear elasticity, which swells as it turns."""

    number: ClassVar[int] = 5
    invariant: ClassVar[bool] = False


SMOOTH, PROJECT, REFLECT = (wp.constant(kind.number) for kind in (Smooth, Project, Reflect))
GRAM_SCHMIDT, NO_ROTATION = (wp.constant(kind.number) for kind in (QR, Identity))
Rotation = Smooth | Project | Reflect | Polar | QR | Identity
ROTATIONS = (Smooth, Project, Reflect, Polar, QR, Identity)


@wp.func
def lift(kind: int, ratio: Any, alpha: Any, push: Any, beyond: Any, power: Any):
    """κ and ∂κ/∂J. Smooth: τ α (2t² − t³) from 0 to α, τ α (t + η s^p) below, with s = −J/α and t = 1 + s; projected: as far as
    the plane of collapse, or rather to the threshold beside it; reflected: as far on the other side."""
    zero = type(ratio)(0.0)
    one = type(ratio)(1.0)
    two = type(ratio)(2.0)
    kappa = zero
    slope = zero
    if kind == SMOOTH and ratio < alpha:
        s = -ratio / alpha
        t = one + s
        kappa = push * alpha * t * t * (two - t)
        slope = -push * t * (two + two - (two + one) * t)
        if ratio < zero:
            kappa = push * alpha * (t + beyond * wp.pow(s, power))
            slope = -push * (one + beyond * power * wp.pow(s, power - one))
    if kind == PROJECT and ratio < alpha:
        kappa = alpha - ratio
        slope = -one
    if kind == REFLECT and ratio < zero:
        kappa = -two * ratio
        slope = -two
    return kappa, slope


@wp.func
def unit(a: Any, da: Any, instead: Any):
    """a/‖a‖ and its change along da; ``instead`` where there is no direction."""
    length = wp.length(a)
    u = instead
    du = a.dtype(0.0) * da
    if length > a.dtype(FLAT):
        u = a / length
        du = (da - wp.dot(u, da) * u) / length
    return u, du


@wp.func
def gram_schmidt(F: Any, dF: Any):
    """Columns made orthogonal one after the other, the third by a cross product, so that it is a rotation; and its change."""
    one = F.dtype(1.0)
    zero = F.dtype(0.0)
    A = wp.transpose(F)
    dA = wp.transpose(dF)
    a, da = unit(A[0], dA[0], wp.vector(one, zero, zero))
    c, dc = wp.cross(a, A[1]), wp.cross(da, A[1]) + wp.cross(a, dA[1])
    other = wp.cross(a, wp.vector(zero, one, zero))
    if wp.abs(a[1]) > F.dtype(0.9):
        other = wp.cross(a, wp.vector(one, zero, zero))
    c, dc = unit(c, dc, wp.normalize(other))
    b, db = wp.cross(c, a), wp.cross(dc, a) + wp.cross(c, da)
    return wp.matrix_from_cols(a, b, c), wp.matrix_from_cols(da, db, dc)


def rotation_functions(first: int, t: Types) -> SimpleNamespace:
    """``of(F, p)`` and ``change(F, dF, p)`` → R and δR; p has the ``numbers`` from entry ``first`` on, then n.

    One function for all, so that a comparison compiles nothing.
    """
    real, vec3, mat33 = t.real, t.vec3, t.mat33
    flat = real(FLAT * FLAT)

    def lifted(F: mat33, dF: mat33, p: Any):
        """F̄ and its change; F itself where nothing has collapsed, or no direction of the collapse is known."""
        n = vec3(p[first + 5], p[first + 6], p[first + 7])
        K = cofactor(F)
        kind = int(p[first])
        kappa, slope = lift(kind, wp.dot(F[0], K[0]), p[first + 1], p[first + 2], p[first + 3], p[first + 4])
        c = K * n
        dc = cofactor_differential(F, dF) * n
        q = wp.dot(c, c) + flat
        dkappa = slope * double_dot(K, dF)
        along = (dkappa / q - real(2.0) * kappa * wp.dot(c, dc) / (q * q)) * c + (kappa / q) * dc
        return F + (kappa / q) * wp.outer(c, n), dF + wp.outer(along, n)

    lifted = t.function("dapd_lifted", lifted)

    def of(F: mat33, p: Any):
        R = wp.identity(n=3, dtype=real)
        none = real(0.0) * F
        kind = int(p[first])
        if kind == GRAM_SCHMIDT:
            R, _dR = gram_schmidt(F, none)
        elif kind != NO_ROTATION:
            G, _dG = lifted(F, none, p)
            R = polar_rotation(G)
        return R

    def change(F: mat33, dF: mat33, p: Any):
        R = wp.identity(n=3, dtype=real)
        dR = real(0.0) * F
        kind = int(p[first])
        if kind == GRAM_SCHMIDT:
            R, dR = gram_schmidt(F, dF)
        elif kind != NO_ROTATION:
            G, dG = lifted(F, dF, p)
            R = polar_rotation(G)
            dR = rotation_differential(R, wp.transpose(R) * G, dG)
        return R, dR

    return SimpleNamespace(of=t.function("dapd_rotation", of), change=t.function("dapd_rotation_change", change))
