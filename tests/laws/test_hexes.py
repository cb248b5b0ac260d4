"""Hexahedra of any shape: what physics demands of them, and closed forms that they must come near to."""

import numpy as np
import pytest
from hexahedra import bent

import pliant as pl
from pliant.elements.hexes import Hexes
from pliant.energy.volume.volume_energy import AveragedVolume
from pliant.geometry.lattice.hex_mesh import HexMesh, hex_box
from pliant.runtime.device import Device

from .cases import EVERY, Gathered, elastic, make, rotations

QUICK = ("StableNeoHookean", "LinearElastic")  # each law takes seconds to compile
CASES = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in EVERY]
STRAIN = np.array([[1.15, 0.12, -0.05], [-0.08, 0.93, 0.1], [0.06, -0.04, 1.08]])


def averaged() -> Gathered:
    """The volume of whole cells alone."""
    device = Device("cpu", "f64")
    return Gathered(AveragedVolume(device, Hexes(bent()), 3e4, "excess"), device)


def energy_of(name: str) -> Gathered:
    return averaged() if name == "volume" else elastic(name, elements=Hexes(bent()))


def shaken(X: np.ndarray, size: float = 0.02) -> np.ndarray:
    return X + size * np.random.default_rng(0).standard_normal(X.shape)


@pytest.mark.parametrize("name", [*CASES, "volume"])
def test_patch_of_crooked_cells(name):
    """Any affine field gives one F everywhere, so that no inner node feels a force."""
    energy, mesh = energy_of(name), bent()
    force = energy.gradient(mesh.vertices @ STRAIN.T + [0.1, 0.2, 0.3])
    inner = np.setdiff1d(np.arange(len(mesh.vertices)), mesh.boundary_vertices)
    assert len(inner) == 2 and np.abs(force[inner]).max() <= 1e-12 * np.abs(force).max()


@pytest.mark.parametrize("name", [*CASES, "volume"])
def test_forces_are_those_of_an_energy_without_a_preferred_frame(name):
    """Gradient and tangent by differences; no net force and torque; a turned body feels the same, turned."""
    energy, X = energy_of(name), bent().vertices
    x, d, h = shaken(X), np.random.default_rng(3).standard_normal(X.shape), 1e-6
    force = energy.gradient(x)
    slope = (energy.value(x + h * d) - energy.value(x - h * d)) / (2 * h)
    assert slope == pytest.approx(np.sum(force * d), rel=1e-6)
    change = (energy.gradient(x + h * d) - energy.gradient(x - h * d)) / (2 * h)
    product = energy.tangent(x, d)
    assert np.abs(product - change).max() <= 2e-6 * np.abs(change).max()
    assert np.abs((energy.matrix(x) @ d.ravel()).reshape(-1, 3) - product).max() <= 1e-10 * np.abs(product).max()
    size = np.abs(force).sum()
    assert np.abs(force.sum(axis=0)).max() <= 1e-13 * size
    if name == "volume" or make(name).rotation_invariant:
        assert np.abs(np.cross(x, force).sum(axis=0)).max() <= 1e-13 * size
        Q = rotations(1, 5)[0]
        assert np.abs(energy.gradient(x @ Q.T + [0.3, -1.2, 0.7]) - force @ Q.T).max() <= 1e-10 * np.abs(force).max()


def at_rest(body: pl.Body, gravity=(0, 0, 0)) -> tuple[np.ndarray, pl.Simulation]:
    """Displacements in equilibrium."""
    solver = pl.Newton(tolerance=1e-9, linear=pl.linear.Direct())
    sim = pl.Simulation(pl.Scene([body], gravity=gravity), pl.QuasiStatic(solver=solver))
    report = sim.step()
    assert report.kept, report.why
    return sim.x - body.shape.rest, sim


def patch(volume=None) -> tuple[pl.Hexes, list[pl.Hold]]:
    """A box of crooked cells with flat faces, and what holds it so that it may change its size along each axis."""
    mesh = hex_box((1.0, 0.8, 0.6), (3, 2, 2))
    inner = np.setdiff1d(np.arange(len(mesh.vertices)), mesh.boundary_vertices)
    X = mesh.vertices.copy()
    X[inner] += 0.07 * np.random.default_rng(0).uniform(-1, 1, (len(inner), 3))
    sides = np.isclose(X[:, 1], 0.4) & ~np.isin(np.arange(len(X)), inner) & (np.abs(X[:, 0] - 0.5) < 0.49)
    X[sides, 0] += 0.05 * np.sin(9 * X[sides, 2])  # skews the faces, which stay in their planes
    holds = [pl.Hold(lambda X, a=a: X[:, a] < 1e-9, by=pl.hold.Rigidly("xyz"[a])) for a in range(3)]
    return pl.Hexes(HexMesh(X, mesh.hexes), volume), holds


@pytest.mark.parametrize("volume", [None, pl.quadrature.Averaged()])
def test_a_crooked_patch_under_traction_is_stretched_evenly(volume):
    """Tractions on bilinear faces: displacements are those of uniaxial stress, to the last digits."""
    young, poisson, stress, (shape, holds) = 1e5, 0.3, 10.0, patch(volume)
    pull = pl.Traction((stress, 0, 0), lambda X: X[:, 0] > 1 - 1e-9)
    u, sim = at_rest(pl.Body(shape, pl.LinearElastic(young=young, poisson=poisson), effects=[*holds, pull]))
    expected = shape.rest * [stress / young, -poisson * stress / young, -poisson * stress / young]
    assert np.abs(u - expected).max() < 1e-9 * stress / young
    assert sim.field("stress") == pytest.approx(np.full(len(u), stress), rel=1e-4)  # over the deformed area


def test_pressure_blows_a_crooked_block_up_evenly():
    """p inside a block of linear elasticity: strain (1 − 2ν) p / E in each direction, whatever its cells."""
    young, poisson, pressure, (shape, holds) = 1e5, 0.3, 20.0, patch()
    body = pl.Body(shape, pl.LinearElastic(young=young, poisson=poisson), effects=[*holds, pl.Pressure(pressure)])
    u, _ = at_rest(body)
    strain = (1 - 2 * poisson) * pressure / young
    assert np.abs(u - strain * shape.rest).max() < 1e-3 * strain  # the pressed area grows along


def harmonic(X: np.ndarray) -> np.ndarray:
    """∇φ of a φ with Δφ = 0: it has no divergence and Δu = 0, so it is in equilibrium whatever Poisson's ratio is."""
    a, b, c = 1.6, 1.2, 2.0
    x, y, z = (X * [a, b, c]).T
    return 1e-3 * np.stack(
        [
            a * np.cos(x) * np.sin(y) * np.sinh(z),
            b * np.sin(x) * np.cos(y) * np.sinh(z),
            c * np.sin(x) * np.sin(y) * np.cosh(z),
        ],
        axis=1,
    )


def test_errors_fall_with_the_square_of_the_size():
    """On crooked meshes, whose crookedness falls with the cells as in a mapped mesh; stresses with the size itself."""
    errors = []
    for n in (3, 6):
        mesh = hex_box((1, 1, 1), (n, n, n))
        X = mesh.vertices + 0.06 * np.sin(np.pi * mesh.vertices)[:, [1, 2, 0]] * np.sin(np.pi * mesh.vertices)
        outer = mesh.boundary_vertices
        hold = pl.Hold(outer, motion=lambda X, t: X + harmonic(X))
        body = pl.Body(pl.Hexes(HexMesh(X, mesh.hexes)), pl.LinearElastic(young=1e5, poisson=0.4), effects=[hold])
        u, _ = at_rest(body)
        inner = np.setdiff1d(np.arange(len(X)), outer)
        errors.append(np.sqrt(np.mean((u - harmonic(X))[inner] ** 2)) / np.sqrt(np.mean(harmonic(X)[inner] ** 2)))
    assert errors[1] < 2e-2 and 3.0 < errors[0] / errors[1] < 6.0, errors


def cantilever(shape, poisson: float, load: float = 1e-2, law=pl.StableNeoHookean) -> float:
    """Sinking of the tip of a bar 1 × 0.125 × 0.125 m under a small load at its end, over that of Timoshenko's beam."""
    young, length, width = 1e6, 1.0, 0.125
    material = law(young=young, poisson=poisson)
    body = pl.Body(
        shape,
        material,
        pinned=lambda X: X[:, 0] < 1e-9,
        effects=[pl.Load((0, 0, -load), lambda X: X[:, 0] > length - 1e-9)],
    )
    u, _ = at_rest(body)
    beam = load * length**3 / (3 * young * width**4 / 12) + load * length / (5 / 6 * float(material.mu) * width**2)
    return -np.mean(u[body.shape.rest[:, 0] > length - 1e-9, 2]) / beam


def bar(cells=(16, 2, 2), crooked: float = 0.0) -> HexMesh:
    """A bar of cells whose inner nodes, and those on the sides along the bar, are moved by a share of the cells."""
    mesh = hex_box((1.0, 0.125, 0.125), cells)
    X, random = mesh.vertices.copy(), np.random.default_rng(4)
    inside = (X[:, 0] > 1e-9) & (X[:, 0] < 1 - 1e-9)
    X[inside, 0] += crooked / cells[0] * random.uniform(-1, 1, inside.sum())
    return HexMesh(X, mesh.hexes)


def test_a_cantilever_bends_as_a_beam():
    """Cells of two thicknesses' length; the mean volume at ν = 0.4999 bends as ν = 0.3 does, single points lock."""
    straight, crooked = bar(), bar(crooked=0.25)
    averaged = pl.quadrature.Averaged()
    plain = cantilever(pl.Hexes(straight), 0.3)
    assert 0.85 < plain < 1.0 and cantilever(pl.Hexes(crooked), 0.3) == pytest.approx(plain, abs=0.08)
    fine = cantilever(pl.Hexes(bar((32, 4, 4), 0.25)), 0.3)
    assert abs(1 - fine) < 0.5 * abs(1 - plain) + 0.01
    kept = [cantilever(pl.Hexes(crooked, averaged), poisson) for poisson in (0.3, 0.4999)]
    assert kept[1] == pytest.approx(kept[0], abs=0.05) and 0.8 < kept[1] < 1.05
    with pytest.warns(pl.errors.PliantWarning, match=r"use Hexes\(…, volume=Averaged\(\)\) with Newton\(\)"):
        locked = cantilever(pl.Hexes(crooked), 0.4999)
    assert locked < 0.5 * kept[1]


def test_an_incompressible_block_is_squeezed_without_locking():
    """A block of ν = 0.4999 pressed flat by a third bulges as much as it must: its volume stays, in large strain."""
    mesh = hex_box((1, 1, 1), (4, 4, 4))
    X = mesh.vertices + 0.03 * np.sin(2 * np.pi * mesh.vertices)[:, [1, 2, 0]]
    flat = [
        pl.Hold(lambda X: X[:, 2] < 1e-9),
        pl.Hold(lambda X: X[:, 2] > 1 - 1e-9, motion=lambda X, t: X - [0, 0, 1 / 3]),
    ]
    X[:, 2] = np.where(np.isin(mesh.vertices[:, 2], (0, 1)), mesh.vertices[:, 2], X[:, 2])
    body = pl.Body(
        pl.Hexes(HexMesh(X, mesh.hexes), pl.quadrature.Averaged()),
        pl.StableNeoHookean(young=1e5, poisson=0.4999),
        effects=flat,
    )
    u, _ = at_rest(body)
    after = HexMesh(X + u, mesh.hexes)
    assert after.volume == pytest.approx(HexMesh(X, mesh.hexes).volume, rel=2e-3)
    assert np.all(after.least_jacobians > 0) and 0.12 < u[:, 0].max() < 0.4


def test_single_precision_agrees_with_double():
    double, single = (
        elastic("StableNeoHookean", elements=Hexes(bent())),
        elastic("StableNeoHookean", precision="f32", elements=Hexes(bent())),
    )
    x = shaken(bent().vertices).astype(np.float32).astype(float)
    force = double.gradient(x)
    assert np.abs(single.gradient(x) - force).max() <= 2e-5 * np.abs(force).max()
