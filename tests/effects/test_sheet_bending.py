"""Bending of sheets: whose modulus counts, and what damps it."""

import numpy as np
import pytest
from scipy.linalg import eigh

import pliant as pl
from pliant.effects.effect_layout import Part
from pliant.effects.elasticity.sheet_bending import plate
from pliant.elements.sheets.plates import plates
from pliant.energy.base import Step
from pliant.energy.capabilities import OfStep

STRIP = pl.cloth_grid((1.0, 0.2), (16, 3))
HALVES = np.where(STRIP.vertices[STRIP.triangles].mean(axis=1)[:, 0] < 0.5, 0, 1)
T = 0.01


def sheet(law, **given):
    return pl.Body(pl.Membrane(STRIP, thickness=T), law, pinned=lambda X: X[:, 0] < 1 / 16 + 1e-9, **given)


def damping_ratio(damping: pl.Damping, poisson: float) -> tuple[float, float]:
    """ζ and ω of the first bending mode of a strip, by the matrices of its energies."""
    sim = pl.Simulation(pl.Scene([sheet(pl.Corotated(young=1e6, poisson=poisson), damping=damping)], gravity=(0, 0, 0)))
    n, x = sim.world.count, sim.state.x
    free = sim.world.free.ravel() > 0
    K, D, unit = np.zeros((3 * n, 3 * n)), np.zeros((3 * n, 3 * n)), np.zeros((n, 3))
    sim.world.begin(Step(x, 0.0, 1.0, x))
    for i in np.flatnonzero(free):
        unit[:] = 0
        unit.ravel()[i] = 1
        d = sim.device.array(unit, sim.device.types.vec3)
        for energy in sim.world.energies:
            out = sim.vectors.new()
            energy.tangent(x, d, out, project=True)
            if energy.name in ("elastic", "bending"):
                K[:, i] += out.numpy().ravel()
            elif isinstance(energy, OfStep) and energy.name != "inertia":
                D[:, i] += out.numpy().ravel()
    M = np.diag(np.repeat(sim.world.mass, 3))
    keep = np.ix_(free, free)
    assert D[keep] == pytest.approx(D[keep].T, abs=1e-9 * np.abs(D).max())
    squares, modes = eigh(K[keep], M[keep])
    first = modes[:, 0]
    assert np.abs(first.reshape(-1, 3)[:, 2]).max() > 10 * np.abs(first.reshape(-1, 3)[:, :2]).max()  # it bends
    omega = np.sqrt(squares[0])
    return float(first @ D[keep] @ first) / (2 * omega), float(omega)


def test_stiffness_damping_reaches_bending():
    """ζ = β ω / 2."""
    ratio, omega = damping_ratio(pl.Damping(stiffness=0.005), 0.3)
    assert ratio == pytest.approx(0.0025 * omega, rel=1e-6)


def test_viscosity_reaches_bending():
    """A plate of stress 2η Ė has 2η t³/12 where an elastic one without Poisson's ratio has E t³/12."""
    ratio, omega = damping_ratio(pl.Damping(viscosity=1000.0), 0.0)
    assert ratio == pytest.approx(0.5 * omega * 2 * 1000.0 / 1e6, rel=1e-4)


def test_a_swinging_strip_comes_to_rest():
    def left(damping):
        body = sheet(
            pl.Corotated(young=1e9, poisson=0.3),
            velocity=np.outer(STRIP.vertices[:, 0] ** 2, [0, 0, 0.05]),
            damping=damping,
        )
        sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitMidpoint(dt=0.02))
        start = sim.energies()["total"]
        for _ in range(60):
            assert sim.step().kept
        return sim.energies()["total"] / start

    assert left(pl.Damping()) > 0.9
    assert left(pl.Damping(stiffness=0.05)) < 0.3
    assert left(pl.Damping(viscosity=2.5e7)) < 0.3


def test_no_rigid_motion_feels_the_viscosity_of_bending():
    """A bent strip that turns as a whole: what its plates dissipate falls with the cube of the angle and faster."""
    sim = pl.Simulation(
        pl.Scene([pl.Body(pl.Membrane(STRIP, thickness=T), pl.Corotated(young=1e6), damping=pl.Damping(viscosity=100.0))])
    )
    X = STRIP.vertices
    bent = X + np.stack([0 * X[:, 0], 0 * X[:, 0], 0.5 * X[:, 0] ** 2], axis=1)
    viscosity = [e for e in sim.world["viscosity"] if e.cells().shape[1] > 3]
    assert len(viscosity) == 1
    array = lambda x: sim.device.array(x, sim.device.types.vec3)

    def dissipated(move):
        x = array(move(bent))
        viscosity[0].begin(Step(x, 0.0, 1.0, array(bent)))
        return viscosity[0].value(x)

    def turned(angle):
        c, s = np.cos(angle), np.sin(angle)
        return lambda x: x @ np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])

    folded = lambda x: x + 0.1 * (x[:, 2:] - X[:, 2:]) * [0, 0, 1]
    assert dissipated(turned(1e-2)) < 1e-4 * dissipated(folded)
    assert dissipated(turned(1e-2)) < 2e-3 * dissipated(turned(1e-1))


def sag(young) -> float:
    """Deflection [m] of the tip of a strip under 1e-4 N there."""
    law = pl.Corotated(young=young if np.ndim(young) == 0 else np.asarray(young)[HALVES], poisson=0.0)
    body = sheet(law, effects=pl.Load((0, 0, 1e-4), lambda X: X[:, 0] > 1 - 1e-9))
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct())))
    assert sim.step().kept
    return float(sim.x[STRIP.vertices[:, 0] > 1 - 1e-9, 2].mean())


def test_each_triangle_bends_with_its_own_modulus():
    """δ = P/3b [(L³ − l³)/D₁ + l³/D₂] with D₁ towards the clamp, l being the half of the strip that is free."""
    stiff_first, soft_first, even = sag([1e8, 1e6]), sag([1e6, 1e8]), sag(1e6)
    L, half = 15 / 16, 0.5
    assert even == pytest.approx(1e-4 * L**3 / (3 * 0.2 * 1e6 * T**3 / 12), rel=0.01)
    assert stiff_first / even == pytest.approx(((L**3 - half**3) * 0.01 + half**3) / L**3, rel=0.01)
    assert soft_first / even == pytest.approx(((L**3 - half**3) + half**3 * 0.01) / L**3, rel=0.01)


def test_all_laws_of_a_sum_bend():
    part = lambda law: Part(pl.Membrane(STRIP, thickness=T), law)
    (group,) = plates(STRIP)
    law, twice = pl.Corotated(young=1e7, poisson=0.3), pl.Corotated(young=2e7, poisson=0.3)
    fibres = pl.laws.Fibres(stiffness=1e6, direction=(1, 0, 0))
    double = plate(part(twice), group)
    assert double.stiffness == pytest.approx(2e7 * T**3 / (12 * (1 - 0.3**2)))
    for both in (law + law, fibres + twice):
        assert plate(part(both), group).stiffness == pytest.approx(double.stiffness, rel=1e-12)
        assert plate(part(both), group).poisson == pytest.approx(0.3, rel=1e-12)


def test_laws_without_a_modulus_are_refused():
    limit = pl.laws.StrainLimit(stiffness=1e4, low=0.9, high=1.1)
    with pytest.raises(pl.errors.InputError, match=r"StrainLimit has no Young's modulus, .* Membrane\(…, bending=False\)"):
        pl.Simulation(pl.Scene([sheet(limit)]))
    body = pl.Body(pl.Membrane(STRIP, thickness=T, bending=False), limit)
    with pytest.raises(pl.errors.InputError, match=r"StrainLimit of body 0 has no Young's modulus .* Contact\(stiffness=…\)"):
        pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=-1.0)]))
    assert pl.Simulation(pl.Scene([body], [pl.plane(z=-1.0)], contact=pl.Contact(stiffness=10.0))).step().kept


def test_a_new_stiffness_reaches_the_damping_of_a_curved_sheet():
    """Steps that were recorded with the modulus before go on as if the sheet had begun with the new one."""
    arch = pl.TriMesh(STRIP.vertices + [0, 0, 1] * STRIP.vertices[:, :1] ** 2, STRIP.triangles)

    def simulated(young):
        law, held = pl.Corotated(young=young, poisson=0.3), lambda X: X[:, 0] < 1e-9
        body = pl.Body(pl.Membrane(arch, T), law, pinned=held, damping=pl.Damping(stiffness=0.01))
        return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(0.01, pl.Newton(1e-10)))

    changed, new = simulated(1e5), simulated(3e5)
    for _ in range(3):
        changed.step()
    changed.reset()
    changed.set(young=3e5)
    for sim in (changed, new):
        for _ in range(4):
            sim.step()
    assert changed.x == pytest.approx(new.x, abs=1e-9)


def test_a_sheet_that_hangs_is_not_called_inverted():
    """Columns of curvature have no volume, whatever their determinant is."""
    sim = pl.Simulation(pl.Scene(sheet(pl.Corotated(young=1e5, poisson=0.3))), pl.ImplicitEuler(0.02))
    for _ in range(3):
        report = sim.step()
        assert report.inverted == 0 and "inverted" not in report.why
