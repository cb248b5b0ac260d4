"""Ten-node tets against theory: orders of convergence, beams, volumes kept, frequencies, falls, blows and spins."""

import sys
import warnings
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import bsr_matrix, diags
from scipy.sparse.linalg import eigsh

import pliant as pl
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.energy.points.node_energies import DeadForces
from pliant.errors import PliantWarning
from pliant.geometry.mesh import tet10
from pliant.linear.matrix.block_matrix import BlockMatrix
from pliant.runtime.device import Device

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.elements.meshes import hollow_octant, shaken
from benchmarks.elements.problems import BALL, PLATE, SHELL, Loaded, solved, symmetric
from benchmarks.elements.problems import YOUNG as YOUNG_OF_PROBLEMS

from .beams import clamped

YOUNG, POISSON, DENSITY = 1e7, 0.3, 1000.0


def errors(sim: pl.Simulation, exact, lower: float = 0.0) -> np.ndarray:
    """(2,) L² errors of displacement and of all stresses, at the points of each tet, over the norms of the exact ones."""
    e, law = sim.scene.bodies[0].shape, sim.scene.bodies[0].material
    X = np.einsum("qk,mkc->mqc", tet10.shape_functions(tet10.POINTS), e.rest[e.nodes]) - [0, 0, lower]
    u = np.einsum("qk,mkc->mqc", tet10.shape_functions(tet10.POINTS), (sim.x - e.rest)[e.nodes])
    G = np.einsum("mki,mqkj->mqij", (sim.x - e.rest)[e.nodes], e.gradients)
    trace = np.trace(G, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)
    S = law.mu * (G + np.swapaxes(G, -1, -2)) + law.lam * trace
    norm = lambda v: np.sqrt(np.sum(e.weights * np.sum(v.reshape(*X.shape[:2], -1) ** 2, axis=2)))
    right, wanted = exact.displacement(X), exact.stress(X)
    return np.array([norm(u - right) / norm(right), norm(S - wanted) / norm(wanted)])


def hollow_ball(layers: int) -> np.ndarray:
    mesh = hollow_octant(2 * layers, layers, BALL.inner, BALL.outer).quadratic(onto=SHELL)
    load = Loaded(lambda X, n: -BALL.pressure * n, lambda X: np.linalg.norm(X, axis=1) < BALL.inner + 1e-9)
    return errors(solved(pl.QuadraticTets(mesh), [*symmetric(), load])[0], BALL)


def plate(cells: int) -> np.ndarray:
    half, t = 0.5 * PLATE.side, PLATE.thickness
    mesh = shaken(pl.tet_grid((half, half, t), (2 * cells, 2 * cells, cells), 6), 0.15)
    holds = [(lambda X: X[:, 0] < 1e-9, "yz"), (lambda X: X[:, 1] < 1e-9, "xz")]
    holds += [(lambda X: X[:, 0] > half - 1e-9, "x"), (lambda X: X[:, 1] > half - 1e-9, "y")]
    load = Loaded(lambda X, n: -PLATE.pressed(X)[:, None] * [0, 0, 1], lambda X: X[:, 2] > t - 1e-9)
    effects = [*(pl.Hold(where, by=pl.hold.Rigidly(axes)) for where, axes in holds), load]
    return errors(solved(pl.QuadraticTets(mesh), effects)[0], PLATE, 0.5 * t)


class Cubic:
    """A displacement of third degree and the stress it needs, for orders that no rim and no steep place disturbs."""

    def __init__(self, law: pl.extend.Material):
        self.law = law

    def displacement(self, X: np.ndarray) -> np.ndarray:
        x, y, z = np.moveaxis(X, -1, 0)
        return 1e-3 * np.stack([x**3 + y * y * z, y**3 - x * z * z, x * y * z + z**3], axis=-1)

    def stress(self, X: np.ndarray) -> np.ndarray:
        x, y, z = np.moveaxis(X, -1, 0)
        rows = [[3 * x * x, 2 * y * z, y * y], [-z * z, 3 * y * y, -2 * x * z], [y * z, x * z, x * y + 3 * z * z]]
        G = 1e-3 * np.moveaxis(np.array(rows), (0, 1), (-2, -1))
        trace = np.trace(G, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)
        return self.law.mu * (G + np.swapaxes(G, -1, -2)) + self.law.lam * trace

    def force(self, X: np.ndarray) -> np.ndarray:
        """−div σ [N/m³], by central differences, which are exact for second degree."""
        sides = [(self.stress(X + e) - self.stress(X - e))[..., i] / 0.2 for i, e in enumerate(0.1 * np.eye(3))]
        return -np.sum(sides, axis=0)


def bent_cube(cells: int) -> np.ndarray:
    """A cube of irregular tets whose surface is held where the exact solution has it."""
    e = pl.QuadraticTets(shaken(pl.tet_grid((1.0, 1.0, 1.0), (cells,) * 3, 6), 0.15))
    exact = Cubic(pl.LinearElastic(young=YOUNG_OF_PROBLEMS, poisson=0.3))
    N = tet10.shape_functions(tet10.POINTS)
    f = np.einsum("mq,qk,mqc->mkc", e.weights, N, exact.force(np.einsum("qk,mkc->mqc", N, e.rest[e.nodes])))
    f = np.stack([np.bincount(e.nodes.ravel(), f[..., c].ravel(), len(e.rest)) for c in range(3)], axis=1)
    outside = lambda X: np.abs(X - 0.5).max(axis=1) > 0.5 - 1e-9
    load = SimpleNamespace(energies=lambda part, device: [DeadForces(device, f)])
    return errors(solved(e, [pl.Hold(outside, lambda X, t: X + exact.displacement(X)), load])[0], exact)


def test_orders_on_a_smooth_problem():
    """Three and two, as theory has them."""
    order = np.log2(bent_cube(2) / bent_cube(4))
    assert order[0] > 2.9 and order[1] > 1.95


@pytest.mark.parametrize("problem", [hollow_ball, plate])
def test_orders_of_convergence(problem):
    """Three in displacement and two in stress, which it nears from below.

    A thick-walled ball under pressure with bent tets (Lamé), and a thick plate with irregular ones.
    """
    coarse, fine = problem(2), problem(4)
    order = np.log2(coarse / fine)
    assert order[0] > 2.8 and order[1] > (1.35 if problem is hollow_ball else 1.75)
    assert fine[0] < 1.5e-3 and fine[1] < 0.025


@pytest.mark.slow
@pytest.mark.parametrize("problem", [hollow_ball, plate])
def test_orders_of_convergence_on_finer_meshes(problem):
    """Between 4 and 8 tets across: 3.0 and 1.73 for the ball, and of the stress 1.42 between 2 and 4."""
    coarse, fine = problem(4), problem(8)
    order = np.log2(coarse / fine)
    assert order[0] > 2.9 and order[1] > 1.7


def test_flat_faces_lose_an_order():
    """What bending is for: the same ball with nodes half-way on the chords of its surface."""
    mesh = hollow_octant(8, 4, BALL.inner, BALL.outer)
    load = Loaded(lambda X, n: -BALL.pressure * n, lambda X: np.linalg.norm(X, axis=1) < 1.2 * BALL.inner)
    flat = errors(solved(pl.QuadraticTets(mesh), [*symmetric(), load])[0], BALL)
    assert flat[0] > 5 * hollow_ball(4)[0]


def settled(mesh: pl.TetMesh, law: pl.extend.Material) -> float:
    """How far the tip of a clamped beam sinks under its weight [m]."""
    sim = pl.Simulation(
        pl.Scene([pl.Body(mesh, law, pinned=clamped)]), pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct()))
    )
    assert sim.step().kept
    end = mesh.vertices[:, 0] > mesh.vertices[:, 0].max() - 1e-9
    return -(sim.x - mesh.vertices)[end, 2].mean()


def test_cantilever_tends_to_timoshenko():
    """Four tets across give 98.0 % of 38.32 mm, as 819,200 linear ones do: a clamp that lets nothing contract is stiffer.

    Without contraction, at ν = 0, they are off by less than 0.1 %. A quarter as many nodes of linear tets give 87 %.
    """
    law = pl.LinearElastic(young=YOUNG, poisson=POISSON, density=DENSITY)
    beam = lambda cells: pl.tet_grid((1.0, 0.2, 0.2), cells, 5)
    found = [settled(beam(c).quadratic(), law) / 0.0383179 for c in ((10, 2, 2), (20, 4, 4))]
    assert found == pytest.approx([0.973, 0.980], abs=1e-3)
    assert settled(beam((20, 4, 4)), law) / 0.0383179 < 0.88
    theory = DENSITY * 9.81 * (0.2**2 / (8 * YOUNG * 0.2**4 / 12) + 1 / (2 * 5 / 6 * YOUNG / 2))
    assert settled(beam((20, 4, 4)).quadratic(), replace(law, poisson=0.0)) == pytest.approx(theory, rel=1e-3)


def test_they_keep_their_volume_without_locking():
    """At ν = 0.4999 against cells with averaged volume, eight across: two tets across sink less by 9 %, four by 2 %.

    Linear tets, four across, sink less by a third.
    """
    size, law = (0.4, 0.1, 0.1), pl.LinearElastic(young=1e6, poisson=0.4999, density=DENSITY)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [settled(pl.tet_grid(size, c).quadratic(), law) / 0.03746 for c in ((8, 2, 2), (16, 4, 4))]
    assert found == pytest.approx([0.913, 0.981], abs=5e-3)
    with pytest.warns(PliantWarning, match="locks"):
        assert settled(pl.tet_grid(size, (16, 4, 4)), law) / 0.03746 < 0.7


def stiffness(elements: pl.QuadraticTets, law: pl.extend.Material):
    """The stiffness matrix at rest, as the engine assembles it."""
    device = Device("cpu", "f64")
    energy = ElasticEnergy(device, elements, law)
    pattern = BlockMatrix(device, len(elements.rest), [energy.cells()])
    energy.attach(pattern)
    energy.blocks(device.array(elements.rest, device.types.vec3), pattern, project=False)
    return bsr_matrix((pattern.values.numpy(), pattern.columns, pattern.row_start))


def test_frequencies_of_a_slender_bar():
    """The lowest two bending modes and the lowest axial one of a clamped bar: β₁² = 3.516 and π/2, within 2 %."""
    length, width = 1.0, 0.05
    elements = pl.QuadraticTets(pl.tet_grid((length, width, width), (20, 1, 1), 5))
    law = pl.LinearElastic(young=YOUNG, poisson=0.0, density=DENSITY)
    free = np.flatnonzero(np.repeat(~clamped(elements.rest), 3))
    K = stiffness(elements, law).tocsr()[free][:, free]
    M = diags(np.repeat(elements.lumped(np.array(DENSITY)), 3)[free])
    omega = np.sqrt(eigsh(K.tocsc(), 12, M.tocsc(), sigma=0, which="LM")[0])
    speed = np.sqrt(YOUNG / DENSITY)
    bending, axial = 3.5160 * speed * width / np.sqrt(12) / length**2, np.pi / 2 * speed / length
    assert omega[:2] == pytest.approx(bending, rel=0.02)
    assert np.min(np.abs(omega / axial - 1)) < 0.01


def test_falling_without_deforming():
    """Weight and inertia are shared alike among the nodes, so that a fall at rest is a fall."""
    mesh = pl.tetrahedralise(pl.sphere(0.1), edge=0.08).quadratic(onto=pl.sphere(0.1))
    sim = pl.Simulation(pl.Scene([pl.Body(mesh, pl.StableNeoHookean(young=1e4))]), pl.ImplicitEuler(dt=0.01))
    sim.run(0.2)
    moved = sim.x - mesh.vertices
    assert np.ptp(moved, axis=0).max() < 1e-8 and moved[0, 2] == pytest.approx(-9.81 * 0.01**2 * 20 * 21 / 2, rel=1e-6)


def test_a_fast_spin_keeps_its_momenta():
    """Five turns a second and 4 m/s upwards: momentum and angular momentum of an irregular block."""
    mesh = shaken(pl.tet_grid((0.2, 0.1, 0.1), (4, 2, 2)), 0.1).quadratic()
    velocity = np.cross([0.0, 0.0, 30.0], mesh.vertices - mesh.vertices.mean(axis=0)) + np.array([1.0, 0.0, 4.0])
    body = pl.Body(mesh, pl.StableNeoHookean(young=3e5, poisson=0.4, density=DENSITY), velocity=velocity)
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitMidpoint(dt=1 / 200))
    m = sim.world.mass[:, None]
    linear = np.sum(m * sim.v, axis=0)
    fall = np.array([0, 0, -9.81]) * m.sum()
    centre = lambda: np.sum(m * sim.x, axis=0) / m.sum()
    spin = lambda: np.sum(np.cross(sim.x - centre(), m * sim.v), axis=0)
    began = spin()
    for _ in range(60):
        assert sim.step().kept
    assert np.sum(m * sim.v, axis=0) == pytest.approx(linear + fall * sim.t, rel=1e-6, abs=1e-8)
    assert spin() == pytest.approx(began, rel=1e-5, abs=1e-6 * np.abs(began).max())


def test_single_precision_on_a_stiff_bar():
    """E = 1e9 Pa: the swing in f32 is that in f64 within a hundredth."""
    beam, law = (
        pl.tet_grid((1.0, 0.2, 0.2), (5, 1, 1), 5).quadratic(),
        pl.Corotated(young=1e9, poisson=0.3, density=DENSITY),
    )
    end = beam.vertices[:, 0] > 1 - 1e-9
    swings = []
    for precision in ("f64", "f32"):
        body = pl.Body(beam, law, pinned=clamped)
        sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=1 / 2000), precision=precision)
        heights = []
        for _ in range(40):
            assert sim.step().kept
            heights.append((sim.x - beam.vertices)[end, 2].mean())
        swings.append(np.array(heights))
    assert np.abs(swings[1] - swings[0]).max() < 0.01 * np.abs(swings[0]).max()


def test_two_runs_are_the_same_bits():
    mesh = pl.tetrahedralise(pl.sphere(0.1), edge=0.08).quadratic(onto=pl.sphere(0.1))
    law = pl.StableNeoHookean(young=2e4)
    runs = []
    for _ in range(2):
        sim = pl.Simulation(
            pl.Scene([pl.Body(mesh, law)], obstacles=[pl.plane(z=-0.12)]),
            pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton()),
        )
        sim.run(0.2)
        runs.append(sim.x)
    assert np.array_equal(*runs)


def test_strongly_bent_tets_keep_a_constant_stress():
    """A ball of eight tets, edges bent by 90 degrees: under equal pull from all sides it grows evenly."""
    X = np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)])
    signs = [(a, b, c) for a in (1, 4) for b in (2, 5) for c in (3, 6)]
    tets = np.array([[0, a, b, c] if (a < 4) ^ (b > 3) ^ (c > 3) else [0, b, a, c] for a, b, c in signs])
    mesh = pl.TetMesh(X, tets).quadratic(onto=pl.sphere(1.0))
    assert mesh.volume > 2.5 * mesh.linear().volume  # flat faces make an octahedron
    law = pl.LinearElastic(young=YOUNG, poisson=POISSON)
    pull = Loaded(lambda X, n: 1e4 * n, lambda X: X[:, 0] > -9)
    holds = [pl.Hold([node], by=pl.hold.Rigidly(axes)) for node, axes in enumerate(("xyz", "yz", "z"))]
    body = pl.Body(mesh, law, effects=[*holds, pull])
    sim = pl.Simulation(
        pl.Scene([body], gravity=(0, 0, 0)),
        pl.QuasiStatic(solver=pl.Newton(linear=pl.linear.Direct(), tolerance=1e-10)),
    )
    assert sim.step().kept
    strain = 1e4 * (1 - 2 * POISSON) / YOUNG
    assert sim.x - mesh.vertices == pytest.approx(strain * mesh.vertices, rel=1e-6, abs=1e-12)
    assert sim.field("pressure") == pytest.approx(-1e4, rel=1e-3)


def test_a_mesh_with_tets_of_both_kinds_and_a_lattice_side_by_side():
    """Three bars of one material in one scene: each moves as it does alone."""
    law = pl.StableNeoHookean(young=1e5, poisson=0.4)
    grid, held = pl.tet_grid((0.4, 0.1, 0.1), (4, 1, 1)), lambda X: X[:, 0] < 1e-9
    shapes = [
        pl.Tets(grid),
        pl.QuadraticTets(replace(grid)),
        pl.Lattice(pl.box((0.4, 0.1, 0.1), (0.2, 0.05, 0.05)), 0.05),
    ]
    scheme = pl.ImplicitEuler(dt=1 / 60, solver=pl.Newton(tolerance=1e-10, linear=pl.linear.Direct()))
    bodies = [pl.Body(shape, law, pinned=held, name=str(i)) for i, shape in enumerate(shapes)]
    together = pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=None)), scheme)  # they are in one place
    alone = [pl.Simulation(pl.Scene([body]), scheme) for body in bodies]
    for sim in (together, *alone):
        sim.run(1 / 6)
    for i, sim in enumerate(alone):
        assert together.bodies[i].x == pytest.approx(sim.x, abs=1e-7)
    sunk = [-(together.bodies[i].x - s.rest)[s.rest[:, 0] > 0.39, 2].mean() for i, s in enumerate(shapes)]
    assert sunk[0] < 0.8 * sunk[1]
