"""Stress and strain as tensors, at nodes and at points: uniform states exactly, a plate with a hole within 3 %."""

import numpy as np
import pytest

import pliant as pl
from pliant import hold
from pliant.errors import InputError
from pliant.material.base import lame
from pliant.output.export import export
from pliant.output.raster.frame_shapes import vertex_values
from pliant.output.reader import read
from pliant.view.scene.surface_fields import Surfaces

YOUNG, POISSON = 1e6, 0.3
LAW = pl.StableNeoHookean(young=YOUNG, poisson=POISSON)
BOX = (0.2, 0.1, 0.1)
F = np.array([[1.1, 0.2, 0.0], [0.0, 0.9, 0.1], [0.05, 0.0, 1.05]])
SHAPES = {
    "tets": pl.tet_grid(BOX, (4, 2, 2)),
    "quadratic": pl.tet_grid(BOX, (2, 1, 1)).quadratic(),
    "hexes": pl.Hexes(pl.meshes.hex_box(BOX, (4, 2, 2))),
    "lattice": pl.Lattice(pl.box(BOX, centre=(0.1, 0.05, 0.05)), spacing=0.03),
}


def neo_hookean(F: np.ndarray) -> np.ndarray:
    """σ of the stable law by hand (Smith, de Goes and Kim 2018): P = μ̂ I/(I+1) F + λ̂ (J − α) cof F."""
    mu, lam = (float(v) for v in lame(YOUNG, POISSON))
    mu, lam = 4 / 3 * mu, lam + 5 / 6 * mu
    J, I = np.linalg.det(F), np.sum(F * F)
    P = mu * I / (I + 1) * F + lam * (J - 1 - 0.75 * mu / lam) * J * np.linalg.inv(F).T
    return P @ F.T / J


@pytest.mark.parametrize("name", SHAPES)
def test_uniform_states_have_the_tensors_worked_out_by_hand(name):
    sim = pl.Simulation(pl.Scene(pl.Body(SHAPES[name], LAW), gravity=(0, 0, 0)))
    sim.x = sim.x @ F.T
    sigma, points = neo_hookean(F), np.array([[0.05, 0.05, 0.05], [0.13, 0.02, 0.07], [0.2, 0.1, 0.1]])
    stress, strain = sim.field("stress tensor"), sim.at(points, "strain tensor")
    assert np.abs(stress - sigma).max() < 1e-9 * np.abs(sigma).max()
    assert np.abs(strain - 0.5 * (F.T @ F - np.eye(3))).max() < 1e-9
    assert sim.at(points, "principal stress") == pytest.approx(np.tile(np.linalg.eigvalsh(sigma)[::-1], (3, 1)))
    assert sim.at(points, "stress xy") == pytest.approx(sigma[0, 1])
    assert sim.at(points, "stress") == pytest.approx(sim.field("stress").mean(), rel=1e-9)
    assert sim.at(points, "position") == pytest.approx(points @ F.T)
    assert -np.trace(stress, axis1=1, axis2=2) / 3 == pytest.approx(sim.field("pressure"), rel=1e-9)


def test_averaged_cells_have_their_pressure_in_the_tensor():
    shape = pl.Lattice(pl.box(BOX), spacing=0.05, volume=pl.quadrature.Averaged())
    sim = pl.Simulation(pl.Scene(pl.Body(shape, LAW), gravity=(0, 0, 0)))
    sim.x = sim.x * 0.99
    assert -np.trace(sim.field("stress tensor"), axis1=1, axis2=2) / 3 == pytest.approx(sim.field("pressure"), rel=1e-9)


def hole(radial: int, around: int, far: float) -> pl.TetMesh:
    """A quarter of a plate of thickness 0.2 around a hole of radius 1 out to ``far``, of bent quadratic tets."""
    grid = pl.tet_grid((1, 1, 0.2), (radial, around, 1)).quadratic()
    s, t, z = grid.vertices.T
    r, angle = far**s, 0.5 * np.pi * t
    return pl.TetMesh(np.column_stack([r * np.cos(angle), r * np.sin(angle), z]), grid.tets, middles=grid.middles)


def test_stress_beside_a_hole_is_kirschs_within_three_percent():
    """Plane strain, 10 × 12 × 1 cells of five quadratic tets, graded; displacements at r = 5a are those of the endless plate."""
    S, far = 1e-4 * YOUNG, 5.0
    mu, kappa = float(lame(YOUNG, POISSON)[0]), 3 - 4 * POISSON

    def kirsch(X: np.ndarray, t: float) -> np.ndarray:
        r, a = np.hypot(X[:, 0], X[:, 1]), np.arctan2(X[:, 1], X[:, 0])
        u = r * (kappa + 1) * np.cos(a) + 2 / r * ((1 + kappa) * np.cos(a) + np.cos(3 * a)) - 2 / r**3 * np.cos(3 * a)
        v = r * (kappa - 3) * np.sin(a) + 2 / r * ((1 - kappa) * np.sin(a) + np.sin(3 * a)) - 2 / r**3 * np.sin(3 * a)
        return X + S / (8 * mu) * np.column_stack([u, v, 0 * r])

    held = [
        pl.Hold(lambda X: np.hypot(X[:, 0], X[:, 1]) > far - 1e-6, motion=kirsch, by=hold.Rigidly("xy")),
        pl.Hold(lambda X: X[:, 0] < 1e-6, by=hold.Rigidly("x")), pl.Hold(lambda X: X[:, 1] < 1e-6, by=hold.Rigidly("y")),
        pl.Hold(lambda X: (X[:, 2] < 1e-9) | (X[:, 2] > 0.2 - 1e-9), by=hold.Rigidly("z")),
    ]  # fmt: skip
    body = pl.Body(hole(10, 12, far), pl.LinearElastic(young=YOUNG, poisson=POISSON), effects=held)
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic())
    run = sim.run(sim.integrator.dt, fields=("stress tensor",))
    top, side = run.at([[0, 1, 0.1], [1, 0, 0.1]], "stress tensor")[-1]
    assert top[0, 0] == pytest.approx(3 * S, rel=0.03)
    assert side[1, 1] == pytest.approx(-S, rel=0.03)
    assert np.abs(top[1]).max() < 0.06 * S and np.abs(side[0]).max() < 0.06 * S  # the hole is free
    way, across = run.along((0, 1, 0.1), (0, 4, 0.1), "stress xx", count=20)
    r = 1 + way
    assert np.abs(across[-1] - S * (1 + 0.5 / r**2 + 1.5 / r**4)).max() < 0.03 * 3 * S
    assert run.at([0, 1, 0.1], "principal stress")[-1, 0, 0] == pytest.approx(3 * S, rel=0.03)


def test_von_mises_is_never_negative_between_nodes(tmp_path):
    body = pl.Body(SHAPES["quadratic"], LAW, pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene(body), pl.QuasiStatic())
    run = sim.run(sim.integrator.dt)
    points = np.random.default_rng(0).uniform(0, BOX, (400, 3))
    assert run.at(points, "stress").min() >= 0 and sim.at(points, "stress").min() >= 0
    again = read(export(sim.run(sim.integrator.dt, fields="stress tensor"), tmp_path / "run.npz"))
    assert again.at(points, "stress tensor").shape == (2, 400, 3, 3)
    assert again.at(points, "stress").min() >= 0


def test_surfaces_outside_of_the_elements_show_no_negative_stress():
    mesh = pl.tet_grid(BOX, (4, 1, 1))
    skin = pl.meshes.box((0.21, 0.11, 0.11), centre=(0.1, 0.05, 0.05))
    body = pl.Body(mesh, LAW, surface=skin, pinned=lambda X: X[:, 0] < 1e-9)
    sim = pl.Simulation(pl.Scene(body))
    nodal = np.where(mesh.vertices[:, 0] < 0.16, 0.0, 1e3)  # which falls to nothing, and below it where it is continued
    assert sim.skins[0].of(nodal - 500).min() < -500
    assert vertex_values(sim.skins[0], nodal).min() >= 0 and vertex_values(sim.skins[0], nodal - 500).min() < -500
    sim.step()
    assert Surfaces(sim).values("stress").min() >= 0


def test_two_bodies_are_told_apart_and_what_is_outside_is_refused():
    bodies = [pl.Body(pl.tet_grid(BOX, (2, 1, 1)), LAW), pl.Body(pl.tet_grid(BOX, (2, 1, 1), origin=(0.3, 0, 0)), LAW)]
    sim = pl.Simulation(pl.Scene(bodies, gravity=(0, 0, 0)))
    x = sim.x
    x[sim.bodies[1].rows] += 1.0
    sim.x = x
    assert sim.at([[0.1, 0.05, 0.05], [0.4, 0.05, 0.05]], "position")[:, 2] == pytest.approx([0.05, 1.05])
    with pytest.raises(InputError, match="1 of 2 points lie outside the body"):
        sim.at([[0.1, 0.05, 0.05], [9, 0, 0]], "stress")
    with pytest.raises(InputError, match=r"points have shape \(2, 2\); expected \(p, 3\)"):
        sim.at(np.zeros((2, 2)), "stress")
    with pytest.raises(InputError, match="unknown field 'stress zx'"):
        sim.field("stress zx")
    with pytest.raises(InputError, match=r"no field 'stress xx' in this run.*sim.run\(…, fields=…\)"):
        sim.frame().at([0.1, 0.05, 0.05], "stress tensor")
    sheet = pl.Body(pl.Membrane(pl.cloth_grid((1, 1), (2, 2)), thickness=0.01), LAW)
    cloth = pl.Simulation(pl.Scene(sheet))
    with pytest.raises(InputError, match="'stress tensor' is for solids only"):
        cloth.field("stress tensor")
    with pytest.raises(InputError, match="no body here has an interior"):
        cloth.at([0, 0, 0], "stress")
