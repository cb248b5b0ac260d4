"""Loads on lattices act on the cut surface: their totals, their moments, their work, and what is refused."""

import numpy as np
import pytest

import pliant as pl
from pliant.effects.effect_layout import Part
from pliant.effects.loads import nodal_forces
from pliant.energy.volume.volume_energy import CellPressure
from pliant.geometry.lattice.fragments import shape_functions

LAW = pl.LinearElastic(young=1e5, poisson=0.3)
TILTED = pl.box((0.4, 0.1, 0.1)).rotated((1, 2, 3), 25)


def resultants(shape: pl.Lattice, forces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return forces.sum(axis=0), np.cross(shape.rest, forces).sum(axis=0)


@pytest.mark.parametrize(("h", "tolerance"), [(0.03, 0.05), (0.0075, 0.005)])
def test_traction_on_a_cap(h, tolerance):
    """Force t A with A = 2πR(R − z₀), and the moment of t at the centroid z = (R + z₀)/2, but for what the lattice cuts off."""
    shape = pl.Lattice(pl.sphere(0.1), h, origin=(0.003, 0.007, 0.011))
    t = np.array([100.0, 20.0, -30.0])
    cap = pl.Traction(t, lambda X: X[:, 2] > 0.02)
    force, moment = resultants(shape, nodal_forces(Part(shape, LAW), cap))
    chosen = shape.cut.centres[:, 2] > 0.02
    area = shape.cut.areas[chosen].sum()
    assert shape.dropped and force == pytest.approx(t * area, rel=1e-12)  # the shape functions sum to one
    assert area == pytest.approx(2 * np.pi * 0.1 * 0.08, rel=tolerance)
    expected = np.cross([0, 0, 0.06], t) * area
    assert np.abs(moment - expected).max() <= tolerance * np.abs(expected).max()


def test_uniform_stress_is_in_balance_with_its_tractions():
    """Tractions P n over the whole cut surface keep an affine state in balance, but for the slivers left out."""
    shape = pl.Lattice(TILTED, 0.03)
    law = pl.LinearElastic(young=1e5, poisson=0.3)
    e = 1e-3 * np.array([[1.0, 0.4, 0.0], [0.4, -0.5, 0.2], [0.0, 0.2, 0.3]])
    P = 2 * float(law.mu) * e + float(law.lam) * np.trace(e) * np.eye(3)
    sim = pl.Simulation(pl.Scene([pl.Body(shape, law)], gravity=(0, 0, 0)))
    out = sim.vectors.new()
    x = sim.device.array(shape.rest + shape.rest @ e, sim.device.types.vec3)
    sim.world["elastic"][0].gradient(x, out)
    for surface, tolerance in ((shape.boundary, 1e-11), (shape.cut, 0.1)):
        traction = np.zeros_like(shape.rest)
        normal = surface.area_vectors / np.maximum(surface.areas, 1e-300)[:, None]
        share = surface.shares[:, :, None] * (normal @ P.T)[:, None]
        np.add.at(traction, shape.nodes[surface.cells].ravel(), share.reshape(-1, 3))
        assert np.abs(out.numpy() - traction).max() <= tolerance * np.abs(traction).max()


def test_load_is_spread_by_area_and_sums_to_the_force():
    shape = pl.Lattice(pl.sphere(0.1), 0.03)
    upper = lambda X: X[:, 2] > 0.0
    load, traction = (nodal_forces(Part(shape, LAW), kind((1.0, 2.0, 3.0), upper)) for kind in (pl.Load, pl.Traction))
    assert load.sum(axis=0) == pytest.approx([1.0, 2.0, 3.0], rel=1e-12)
    assert load * 2 * np.pi * 0.1**2 == pytest.approx(traction, rel=0.05, abs=1e-6)
    mask = upper(shape.cut.centres)
    for same in (mask, np.flatnonzero(mask)):
        assert np.array_equal(nodal_forces(Part(shape, LAW), pl.Load((1.0, 2.0, 3.0), same)), load)


def test_pressure_pushes_along_the_normals_of_the_deformed_cut_surface():
    """E = −p (V − V₀) of the surface, its gradient the forces ∫ N_i p cof(F) n, and no force or moment in all."""
    shape = pl.Lattice(pl.torus(0.1, 0.04), 0.03)
    sim = pl.Simulation(pl.Scene([pl.Body(shape, LAW, effects=pl.Pressure(50.0))]))
    (energy,) = sim.world["pressure"]
    array = lambda x: sim.device.array(x, sim.device.types.vec3)
    assert shape.dropped and isinstance(energy, CellPressure)
    surface, h = shape.boundary, shape.spacing
    volume = np.sum(surface.corners.mean(axis=1) * surface.area_vectors) / 3
    assert volume == pytest.approx(shape.volumes.sum(), rel=1e-12)
    assert energy.value(array(shape.rest)) == pytest.approx(0.0, abs=1e-12 * volume)
    A = np.array([[1.2, 0.3, 0.0], [0.0, 0.9, -0.2], [0.1, 0.0, 1.1]])
    assert energy.value(array(shape.rest @ A.T + 5.0)) == pytest.approx(-50.0 * volume * (np.linalg.det(A) - 1), rel=1e-10)

    def forces(x):
        out = sim.vectors.new()
        energy.gradient(array(x), out)
        return out.numpy()

    expected = np.zeros_like(shape.rest)  # of the affine map: cof A n, the same all over a triangle
    normal = surface.area_vectors / np.maximum(surface.areas, 1e-300)[:, None]
    push = -50.0 * surface.shares[:, :, None] * (normal @ (np.linalg.det(A) * np.linalg.inv(A)))[:, None]
    np.add.at(expected, shape.nodes[surface.cells].ravel(), push.reshape(-1, 3))
    assert np.abs(forces(shape.rest @ A.T) - expected).max() <= 1e-12 * np.abs(expected).max()
    wavy = shape.rest + 0.02 * np.sin(20 * shape.rest[:, [1, 2, 0]])
    xi = (surface.corners - shape.lowest[surface.cells][:, None]) / h
    y = np.einsum("tci,tij->tcj", shape_functions(xi), wavy[shape.nodes[surface.cells]])
    carried = np.einsum("tc,tc->", y[:, 0], np.cross(y[:, 1], y[:, 2])) / 6  # volume of the surface that rides along
    assert energy.value(array(wavy)) == pytest.approx(-50.0 * (carried - volume), abs=5e-3 * 50.0 * volume)
    f = forces(wavy)
    assert np.abs(f.sum(axis=0)).max() <= 1e-13 * np.abs(f).sum()
    assert np.abs(np.cross(wavy, f).sum(axis=0)).max() <= 1e-13 * np.abs(f).sum()


@pytest.mark.parametrize("rule", [pl.quadrature.Moments(), pl.quadrature.Centre()], ids=["Moments", "Centre"])
def test_pressure_swells_a_ball_as_its_bulk_modulus_says(rule):
    """3K s = p (1 + s)² for the stretch 1 + s, K = E / 3(1 − 2ν), at every node and for every rule."""
    shape = pl.Lattice(pl.sphere(0.1, centre=(0.002, 0.001, 0.0)), 0.04, rule)
    law = pl.Corotated(young=1e5, poisson=0.3)
    body = pl.Body(shape, law, effects=pl.Pressure(100.0), damping=pl.Damping(mass=1.0))
    solver = pl.Newton(linear=pl.linear.Direct(), tolerance=1e-9)
    sim = pl.Simulation(pl.Scene([body], gravity=(0, 0, 0)), pl.ImplicitEuler(dt=10.0, solver=solver))
    for _ in range(4):
        assert sim.step().kept
    bulk = 1e5 / (3 * (1 - 0.6))
    s = 100.0 / (3 * bulk)
    s *= (1 + s) ** 2
    u, X = sim.x - shape.rest, shape.rest - shape.rest.mean(axis=0)
    assert u - u.mean(axis=0) == pytest.approx(s * X, abs=1e-5 * 0.1 * s)


def test_loads_go_on_after_a_checkpoint(tmp_path):
    loads = [
        pl.Load((0, 0, 0.1), lambda X: X[:, 2] > 0.05),
        pl.Traction((1.0, 0, 0), lambda X: X[:, 0] > 0),
        pl.Pressure(5.0),
    ]
    sim = pl.Simulation(pl.Scene([pl.Body(pl.Lattice(pl.sphere(0.1), 0.05), LAW, effects=loads)]))
    assert sim.step().kept
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert sim.step().kept and again.step().kept and np.array_equal(sim.x, again.x)


def test_a_box_on_the_lattice_lands():
    """A body without any sliver has a surface too."""
    shape = pl.Lattice(pl.box((0.1, 0.1, 0.1), (0.05, 0.05, 0.06)), 0.05, origin=(0.0, 0.0, 0.01))
    assert not shape.dropped and shape.areas.sum() == pytest.approx(0.06)
    sim = pl.Simulation(pl.Scene([pl.Body(shape, LAW)], [pl.plane(z=0)]))
    sim.run(0.2)
    assert -0.005 < sim.x[:, 2].min() < 0.01


def test_a_condition_that_picks_no_surface_is_named():
    body = pl.Body(pl.Lattice(pl.sphere(0.1), 0.05), LAW, effects=pl.Traction((1, 0, 0), lambda X: X[:, 0] > 1))
    with pytest.raises(pl.errors.InputError, match="no triangle of the surface was selected"):
        pl.Simulation(pl.Scene([body]))
    with pytest.raises(pl.errors.InputError, match="one entry per triangle"):
        nodal_forces(Part(body.shape, LAW), pl.Load((1, 0, 0), np.ones(3, bool)))
