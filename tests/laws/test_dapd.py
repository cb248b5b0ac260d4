"""Frames of elements that collapse and turn inside out, and tangents that keep the frame fixed: against their definitions."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import pliant as pl
from pliant.elements.tets import Tets
from pliant.energy.elastic.dapd_energy import DapdEnergy
from pliant.extend import check_conservative
from pliant.geometry.mesh.mesh import TetMesh
from pliant.runtime.device import Device
from pliant.simulate.scene.conservative_forces import potentials

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import crush

from .cases import Samples, inverted, rotations, stretched, upright

YOUNG, POISSON = 10.0, 0.3
MU, LAM = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
SMOOTH = pl.rotations.Smooth(push=1.2, beyond=0.3, power=3.0)
NAMES = [n for n in pl.rotations.__all__ if getattr(pl.rotations, n).__module__ == pl.rotations.Smooth.__module__]
EVERY = (SMOOTH, *(getattr(pl.rotations, name)() for name in NAMES))
FROZEN = (pl.rotations.Truncated(), pl.rotations.Warped(), pl.rotations.Hybrid())
I = np.eye(3)


def law(rotation=None, tangent=None):
    return pl.Dapd(
        young=YOUNG,
        poisson=POISSON,
        rotation=rotation or pl.rotations.Smooth(),
        tangent=tangent or pl.rotations.Hybrid(),
    )


class Remembering(Samples):
    """Samples of Dapd, which remember nothing but rest unless told to."""

    def __init__(self, law, count, precision="f64", place="cpu"):
        super().__init__(pl.Corotated(young=1.0), count, precision=precision, place=place)
        self.elastic = DapdEnergy(self.device, self.elastic.elements, law)

    def accept(self, F):
        self.elastic.accept(self._positions(F), 0.0)


def states():
    """Upright, inside out, and nearly flat."""
    flat = np.random.default_rng(0).uniform([0.8, 0.7, 0.02], [1.4, 1.3, 0.08], (12, 3))
    return np.concatenate([upright(12, 0), inverted(12, 1), stretched(flat, 5)])


def polar(F):
    U, _, Vt = np.linalg.svd(F)
    U[..., 2] *= np.linalg.det(U @ Vt)[..., None]
    return U @ Vt


# --- tangents


@pytest.mark.parametrize("tangent", FROZEN, ids=lambda t: type(t).__name__)
def test_frozen_tangents_of_corotated(tangent):
    """Their formulas, the matrix as the product, and no negative eigenvalue, at every F."""
    F = states()
    samples, dF = (
        Samples(pl.Corotated(young=YOUNG, poisson=POISSON, tangent=tangent), len(F)),
        np.random.default_rng(2).standard_normal(F.shape),
    )
    R = polar(F)
    A = np.swapaxes(R, 1, 2) @ dF
    strain = np.minimum(np.linalg.norm(np.swapaxes(R, 1, 2) @ F - I, axis=(1, 2)) / np.sqrt(3), 1.0)[:, None, None]
    share = {"Truncated": 1.0, "Warped": 0.0, "Hybrid": strain}[type(tangent).__name__]
    shear = 2 * MU * (share * dF + (1 - share) * R @ (A + np.swapaxes(A, 1, 2)) / 2)
    expected = shear + LAM * np.trace(A, axis1=1, axis2=2)[:, None, None] * R
    for project in (False, True):
        assert np.allclose(samples.tangent(F, dF, project), expected, rtol=0, atol=1e-9)
        M = samples.stiffness(F, project)
        product = np.einsum("mij,mj->mi", M, dF.reshape(-1, 9)).reshape(-1, 3, 3)
        assert np.allclose(product, expected, rtol=0, atol=1e-9)
        assert np.linalg.eigvalsh(M).min() >= -1e-9 and np.abs(M - np.swapaxes(M, 1, 2)).max() <= 1e-12


def test_warped_and_hybrid_are_exact_at_rest():
    Q, dF = rotations(6, 3), np.random.default_rng(1).standard_normal((6, 3, 3))
    exact = Samples(pl.Corotated(young=YOUNG, poisson=POISSON), 6).tangent(Q, dF)
    for tangent, same in zip(FROZEN, (False, True, True)):
        found = Samples(pl.Corotated(young=YOUNG, poisson=POISSON, tangent=tangent), 6).tangent(Q, dF)
        assert np.allclose(found, exact, rtol=0, atol=1e-9) == same


def test_forces_do_not_depend_on_the_tangent():
    F = states()
    every = [pl.Corotated(young=YOUNG, poisson=POISSON, tangent=t) for t in (pl.rotations.Exact(), *FROZEN)]
    one, other = (Samples(m, len(F)).stress(F) for m in every[:2])
    assert np.allclose(one, other, rtol=0, atol=1e-12)
    assert len({m.key for m in every}) == 2  # one kernel for the three


# --- frames


@pytest.mark.parametrize("rotation", EVERY, ids=lambda r: type(r).__name__)
def test_exact_differential(rotation):
    """δP, and in it δR, by differences, with the collapse of every element remembered."""
    F, step = states(), 1e-6
    samples = Remembering(law(rotation, pl.rotations.Exact()), len(F))
    samples.accept(F)
    for seed in range(3):
        dF = np.random.default_rng(seed).standard_normal(F.shape)
        expected = (samples.stress(F + step * dF) - samples.stress(F - step * dF)) / (2 * step)
        assert np.abs(samples.tangent(F, dF) - expected).max() <= 1e-6 * np.abs(expected).max()


def test_polar_is_corotated_and_identity_is_linear():
    F = states()
    for rotation, same in ((pl.rotations.Polar(), pl.Corotated), (pl.rotations.Identity(), pl.LinearElastic)):
        other = Samples(same(young=YOUNG, poisson=POISSON), len(F))
        found = Remembering(law(rotation), len(F))
        assert np.allclose(found.stress(F), other.stress(F), rtol=0, atol=1e-12)
        assert np.allclose(found.energy(F), other.energy(F), rtol=0, atol=1e-12)


def test_every_frame_is_corotated_before_collapse():
    F = upright(20, 4)
    expected = Samples(pl.Corotated(young=YOUNG, poisson=POISSON), len(F)).stress(F)
    for rotation in (pl.rotations.Smooth(), pl.rotations.Project(), pl.rotations.Reflect()):
        assert np.allclose(Remembering(law(rotation), len(F)).stress(F), expected, rtol=0, atol=1e-12)


# --- paths of collapse, against the construction with nodes

X = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
INVERSE = np.linalg.inv((X[1:] - X[0]).T)
TURN = rotations(1, 8)[0]


def vertex_to_face(s):
    """The last vertex through the face below it."""
    x = X.copy()
    x[3] = [0.25 + 0.1 * s, 0.3 - 0.05 * s, 1 - 2.2 * s]
    return x @ TURN.T


def edge_to_edge(s):
    """The first two vertices across the edge of the others."""
    x = X.copy()
    x[:2] += 1.9 * s * ((X[2] + X[3]) / 2 - (X[0] + X[1]) / 2)
    x[0] += 0.03 * s
    return x @ TURN.T


def frame_by_nodes(x, moved, alpha=0.1):
    """The rotation by moving nodes along the normal of a face, or of two edges, as it was published."""
    still = [i for i in range(4) if i not in moved]
    ratio = np.linalg.det((x[1:] - x[0]).T @ INVERSE)
    x = x.copy()
    if ratio <= alpha:
        if len(moved) == 1:
            u = np.cross(x[still[1]] - x[still[0]], x[still[2]] - x[still[0]])
        else:
            u = np.cross(x[moved[1]] - x[moved[0]], x[still[1]] - x[still[0]])
        d, height = u / np.linalg.norm(u), alpha / np.linalg.norm(u)
        w = (x[moved[0]] - x[still].mean(axis=0)) @ d
        if w * ratio < 0:
            d, w = -d, -w
        t = 1 - w / height
        x[list(moved)] += height * (2 * t**2 - t**3 if w >= 0 else t) * d
    return polar((x[1:] - x[0]).T @ INVERSE)


@pytest.mark.parametrize(("path", "moved"), [(vertex_to_face, (3,)), (edge_to_edge, (0, 1))])
def test_no_jump_on_the_way_through_collapse(path, moved, device):
    """Neither at det F = α nor at 0, where the frame of singular values turns over; and it is the published frame."""
    s = np.linspace(0, 1, 2001)
    places = np.array([path(a) for a in s])
    elements = Tets(TetMesh(np.tile(X, (len(s), 1)), np.arange(4 * len(s)).reshape(-1, 4)))
    energy = DapdEnergy(device, elements, law())
    out = device.zeros(4 * len(s), device.types.vec3)
    energy.accept(device.array(np.tile(places[0], (len(s), 1)), device.types.position), 0.0)
    energy.gradient(device.array(places.reshape(-1, 3), device.types.position), out)
    forces = out.numpy().astype(float).reshape(-1, 4, 3)
    F = np.swapaxes(places[:, 1:] - places[:, :1], 1, 2) @ INVERSE
    R = np.array([frame_by_nodes(x, moved) for x in places])
    S = np.swapaxes(R, 1, 2) @ F
    e = (S + np.swapaxes(S, 1, 2)) / 2 - I
    P = R @ (2 * MU * e + LAM * np.trace(e, axis1=1, axis2=2)[:, None, None] * I)
    G = np.vstack([-INVERSE.sum(axis=0), INVERSE]) / 6
    ratio = np.linalg.det(F)
    assert ratio[0] > 0.5 and ratio[-1] < -0.5
    assert np.abs(forces - np.einsum("mij,aj->mai", P, G)).max() <= 1e-5 * YOUNG  # which bounds no normal
    # a jump would stay as it is on a finer path; at the threshold and at 0 not even the slope changes
    for values in (R, forces):
        fine, coarse = (np.linalg.norm(np.diff(values[::k], axis=0), axis=(1, 2)) for k in (1, 4))
        assert coarse.max() >= 3.9 * fine.max()
        for level in (0.1, 0.0):
            (near,) = np.flatnonzero(np.diff(np.sign(ratio - level)))
            assert fine[near - 2 : near + 3].max() <= 1.2 * fine[near - 2 : near + 3].min() + 1e-6
    back = (places[0] - places[-1])[list(moved)]  # the way back, along which nodes that have gone through are pushed
    assert -np.sum(forces[-1][list(moved)] * back) > 0


def test_features_that_meet_are_those_of_the_flat_shape():
    """A vertex in the face of the others, or two edges that cross, as the convex hull of the flat tetrahedron has it."""
    random, count = np.random.default_rng(5), 300
    flat = random.standard_normal((count, 4, 2))
    Q = rotations(count, 2)
    q = np.einsum("mij,maj->mai", Q, np.concatenate([flat, 1e-3 * random.standard_normal((count, 4, 1))], axis=2))
    volume = np.linalg.det(np.swapaxes(q[:, 1:] - q[:, :1], 1, 2))
    q = q * np.sign(volume)[:, None, None]  # a mirror image changes no hull
    device = Device("cpu", "f64")
    elements = Tets(TetMesh(np.tile(X, (count, 1)), np.arange(4 * count).reshape(-1, 4)))
    energy = DapdEnergy(device, elements, law())
    energy.before.assign(np.swapaxes(q[:, 1:] - q[:, :1], 1, 2) @ INVERSE)  # flat all the way: the collapse is where it is
    energy.accept(device.array(q.reshape(-1, 3), device.types.position), 0.0)
    n = energy.collapse.numpy()
    gradients = elements.gradients[:, 0]
    wrong = 0
    for k in range(count):
        hull = ConvexHull(flat[k]).vertices
        inner = sorted(set(range(4)) - set(hull))
        moved = inner if inner else [hull[0], hull[2]]
        expected = gradients[k, moved].sum(axis=0)
        wrong += abs(n[k] @ expected) < (1 - 1e-9) * np.linalg.norm(expected)
    assert wrong == 0


def test_a_collapse_is_remembered_until_it_is_over():
    samples = Remembering(law(), 3)
    collapse = samples.elastic.collapse
    samples.accept(np.array([np.diag([1.0, 1.0, 0.5])] * 3))
    assert not collapse.numpy().any()
    samples.accept(np.array([np.diag([1.0, 1.0, -0.4]), np.diag([-0.4, 1.0, 1.0]), np.diag([1.0, 1.0, 0.4])]))
    kept = collapse.numpy().copy()
    assert np.allclose(np.abs(kept), [[0, 0, 1], [1, 0, 0], [0, 0, 0]])
    samples.accept(np.array([np.diag([-0.4, 1.0, 1.0])] * 3))  # as flat along another direction, but on the same side
    assert np.array_equal(collapse.numpy()[:2], kept[:2]) and np.allclose(np.abs(collapse.numpy()[2]), [1, 0, 0])
    samples.accept(np.array([I] * 3))
    assert not collapse.numpy().any()


# --- potentials


def test_potentials_of_a_known_field():
    u, v = np.linspace(-1, 1, 41), np.linspace(0, 2, 61)
    x, y = np.meshgrid(u, v, indexing="ij")
    first, second = potentials(np.stack([y, x], axis=-1), (u[1] - u[0], v[1] - v[0]))  # of xy
    assert np.allclose(first, second) and np.allclose(first - first[0, 0], x * y - x[0, 0] * y[0, 0])
    first, second = potentials(np.stack([-y, x], axis=-1), (u[1] - u[0], v[1] - v[0]))  # a whirl
    assert np.abs(first - second).max() > 1


@pytest.mark.parametrize("name", NAMES)
def test_laws_say_whether_their_forces_have_a_potential(name):
    material = law(getattr(pl.rotations, name)())
    found = check_conservative(material, samples=101)
    assert found.ok == material.conservative
    assert found.gap <= 2e-4 if found.ok else found.gap >= 1e-2
    assert ("have a potential" if found.ok else "have no potential") in str(found)


# --- bodies


def test_small_crush():
    """A block that is crushed flat, to a line, to a point, mirrored and stirred comes back; see benchmarks/crush.py."""
    found = crush.study(crush.law(pl.rotations.Smooth()), count=5)
    assert [kind for kind, *_ in found] == list(crush.KINDS)
    assert all(outcome.recovered for _, outcome in found)


def block(material=None, **given):
    mesh = pl.tet_grid((0.3, 0.2, 0.2), (3, 2, 2), 6)
    return pl.Body(mesh, material or law(), pinned=lambda X: X[:, 0] < 1e-9, **given)


WHOLE = pl.Newton(line_search=None)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: pl.Simulation(pl.Scene([block()])), "expected Newton\\(line_search=None\\)"),
        (lambda: pl.Simulation(pl.Scene([block()]), pl.ImplicitEuler(solver=pl.QuasiNewton())), "line_search=None"),
        (lambda: pl.Simulation(pl.Scene([block()]), pl.Newmark(solver=WHOLE)), "expected ImplicitEuler\\(\\) or BDF2"),
        (
            lambda: pl.Simulation(pl.Scene([block(law(None, pl.rotations.Exact()))]), pl.ImplicitEuler(solver=WHOLE)),
            "expected linear.GMRES",
        ),
        (
            lambda: pl.Simulation(pl.Scene([pl.Body(pl.Lattice(pl.sphere(0.1), 0.05), law())]), pl.ImplicitEuler(0.01, WHOLE)),
            "expected Tets",
        ),
        (lambda: law() + pl.Arap(young=1.0), "cannot be part of a sum"),
        (
            lambda: pl.Corotated(young=1.0, tangent=pl.rotations.Warped()) + pl.Arap(young=1.0),
            "cannot be part of a sum",
        ),
        (lambda: pl.Plastic(pl.Corotated(young=1.0, tangent=pl.rotations.Warped()), 1.0), "approximate tangent"),
        (
            lambda: pl.Simulation(
                pl.Scene([pl.Body(pl.Membrane(pl.cloth_grid((1, 1), (1, 1)), 0.1), pl.Corotated(young=1.0, tangent=FROZEN[2]))])
            ),
            "solids only",
        ),
        (lambda: pl.Corotated(young=1.0, tangent=pl.solver.Exact), "rotations.Exact"),
        (lambda: pl.Dapd(young=1.0, rotation="smooth"), "rotations.Smooth"),
        (lambda: pl.rotations.Smooth(threshold=0.0), "threshold"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(pl.errors.InputError, match=words):
        make()


@pytest.mark.parametrize("name", ["Polar", "Identity"])
def test_frames_with_a_potential_are_taken_by_all(name):
    material = law(getattr(pl.rotations, name)())
    for solver in (pl.Newton(), pl.QuasiNewton(iterations=20)):
        assert pl.Simulation(pl.Scene([block(material)]), pl.ImplicitEuler(0.01, solver)).step().kept


def test_no_gradients_of_runs():
    sim = pl.Simulation(pl.Scene([block(pl.Corotated(young=1e4, tangent=FROZEN[2]))]), pl.ImplicitEuler(0.01))
    with pytest.raises(pl.errors.InputError, match="approximate tangent"):
        pl.inverse.Adjoint(sim)


def test_exact_tangent_by_gmres_needs_fewer_iterations():
    """Of a block with flat and inverted elements; both end at the same place."""
    ends, spent = [], []
    for tangent, linear in ((pl.rotations.Hybrid(), pl.linear.PCG()), (pl.rotations.Exact(), pl.linear.GMRES())):
        sim = pl.Simulation(
            pl.Scene([block(pl.Dapd(young=1e4, poisson=0.3, tangent=tangent))]),
            pl.ImplicitEuler(0.02, pl.Newton(linear=linear, line_search=None)),
        )
        sim.x = np.where(sim.x[:, :1] > 0.25, sim.x - [0.16, 0, 0], sim.x)  # the last cells beyond those before them
        report = sim.step()
        assert report.kept and report.converged
        ends.append(sim.x)
        spent.append(report.iterations)
    assert np.abs(ends[0] - ends[1]).max() <= 1e-5
    assert spent[1] < spent[0]


def test_checkpoint_and_reset_bring_the_collapse_back(tmp_path):
    sim = pl.Simulation(pl.Scene([block()]), pl.ImplicitEuler(0.01, pl.Newton(iterations=3, line_search=None)))
    sim.x = crushed = sim.x * [1, 1, 0.02]
    sim.step()
    (energy,) = sim.world["elastic"]
    assert energy.collapse.numpy().any()
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert repr(again.scene.bodies[0].material.rotation) == repr(pl.rotations.Smooth())
    for _ in range(2):
        sim.step()
        again.step()
    assert np.array_equal(sim.x, again.x)
    sim.reset()
    assert not energy.collapse.numpy().any()
    assert np.abs(crushed - sim.x).max() > 0.1


def test_bodies_that_share_a_launch():
    """Two blocks of one law beside one of another frame: each as if it were alone."""

    def run(*bodies):
        scene = pl.Scene(bodies, contact=pl.Contact(response=None))
        sim = pl.Simulation(scene, pl.ImplicitEuler(0.01, pl.Newton(iterations=2, line_search=None)))
        sim.x = sim.x * [1, 1, -0.3]
        sim.step()
        return sim

    every = [block(law()), block(pl.Dapd(young=30.0, poisson=0.2)), block(law(pl.rotations.Polar()))]
    sim = run(*every)
    assert len(sim.world["elastic"]) == 2
    n = len(every[0].shape.rest)
    for i, body in enumerate(every):
        assert np.allclose(run(body).x, sim.x[i * n : (i + 1) * n], rtol=0, atol=2e-3)


def test_scene_files_can_have_it(tmp_path):
    """With no word for None there, the step that is not searched has a name."""
    from pliant.cli.inputs.scene_file import read_scene

    (tmp_path / "a.toml").write_text(
        "[[bodies]]\nshape = { tet_grid = { size = [0.3, 0.2, 0.2], cells = [3, 2, 2] } }\n"
        'material = { Dapd = { young = 2e4, rotation = { "rotations.Reflect" = {} }, tangent = { "rotations.Warped" = {} } } }\n'
        "[integrator.ImplicitEuler]\nsolver = { Newton = { iterations = 2, line_search = { WholeStep = {} } } }\n"
        "[run]\nseconds = 0.1\n",
        encoding="utf-8",
    )
    sim = read_scene(tmp_path / "a.toml").simulation()
    assert sim.integrator.solver == pl.Newton(iterations=2, line_search=None)
    assert sim.scene.bodies[0].material.kind == ("Reflect", "Warped") and sim.step().kept
