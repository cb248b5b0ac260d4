"""Rigid bodies: their mass and moments, how they spin, fall, stack and press soft ones, and what is refused."""

import numpy as np
import pytest
from pliant.meshes import box, sphere, torus

import pliant as pl
from pliant.contact import Rigid
from pliant.contact.detect.edge_crossings import crossings
from pliant.errors import InputError
from pliant.geometry.mesh.solid_moments import solid_moments
from pliant.runtime.device import Device

SOFT = pl.StableNeoHookean(young=5e4, poisson=0.3, density=1000.0)


def strain(body: pl.Body, x: np.ndarray) -> float:
    F = np.einsum("ki,kj->ij", x, body.shape.gradients[0, 0])
    return float(np.abs(F.T @ F - np.eye(3)).max() / 2)


def rigid_nodes(simulation: pl.Simulation) -> list[tuple[pl.Body, np.ndarray]]:
    x, starts = simulation.state.x.numpy().astype(float), simulation.world.starts
    every = zip(simulation.scene.bodies, starts, starts[1:])
    return [(body, x[a:b]) for body, a, b in every if isinstance(body.shape, Rigid)]


def crossing_count(simulation: pl.Simulation) -> int:
    surface = next(energy for energy in simulation.world.objective.energies if energy.name == "barrier").surface
    x = simulation.state.x.numpy().astype(float)
    return len(crossings(Device("cpu", "f64"), surface, np.einsum("pk,pkx->px", surface.weights, x[surface.nodes])))


# --- mass and moments


def irregular() -> pl.TriMesh:
    """A crooked solid without any symmetry, far from the origin."""
    mesh = torus(0.3, 0.1, 14, 9).rotated((1, 2, 0.5), 40).scaled((1.0, 0.6, 1.7))
    bend = 0.05 * np.sin(7 * mesh.vertices[:, [1, 2, 0]])
    return pl.TriMesh(mesh.vertices + bend + [3.0, -2.0, 1.0], mesh.triangles)


def by_integrals(mesh: pl.TriMesh) -> tuple[float, np.ndarray, np.ndarray]:
    """∫ 1, ∫ x and ∫ x xᵀ by the divergence theorem along x, with a rule on triangles that is exact for degree 5."""
    a, b = (6 - np.sqrt(15)) / 21, (6 + np.sqrt(15)) / 21
    shares = [(155 - np.sqrt(15)) / 1200, (155 + np.sqrt(15)) / 1200]
    points = [(1 / 3, 1 / 3, 1 / 3)] + [np.roll([1 - 2 * c, c, c], i) for c in (a, b) for i in range(3)]
    rule = np.array([0.225] + [shares[0]] * 3 + [shares[1]] * 3)
    x = np.einsum("qk,mkc->mqc", np.array(points), mesh.vertices[mesh.triangles])
    w = rule * mesh.area_vectors[:, None, 0]
    X, Y, Z = np.moveaxis(x, 2, 0)
    total = lambda f: float((w * f).sum())
    first = np.array([total(X**2 / 2), total(X * Y), total(X * Z)])
    xx, xy, xz = total(X**3 / 3), total(X**2 * Y / 2), total(X**2 * Z / 2)
    yy, yz, zz = total(X * Y**2), total(X * Y * Z), total(X * Z**2)
    return total(X), first, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_box_has_its_closed_form():
    a, b, c = 0.3, 0.2, 0.1
    rigid = Rigid(box((a, b, c), centre=(1, 2, 3)), mass=3.0)
    np.testing.assert_allclose(rigid.centre, [1, 2, 3], rtol=1e-14)
    expected = 3.0 / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    np.testing.assert_allclose(rigid.inertia, np.diag(expected), atol=1e-15)
    assert float(rigid.material.density) == pytest.approx(3.0 / (a * b * c), rel=1e-13)


@pytest.mark.parametrize("shape", [sphere(0.2, 4), pl.sphere(0.2)], ids=["mesh", "distance"])
def test_ball_nears_its_closed_form(shape):
    rigid = Rigid(shape, density=1000.0)
    assert rigid.lumped(rigid.material.density).sum() == pytest.approx(1000 * 4 / 3 * np.pi * 0.2**3, rel=0.03)
    mass = rigid.lumped(rigid.material.density).sum()
    np.testing.assert_allclose(rigid.inertia, 0.4 * mass * 0.2**2 * np.eye(3), atol=0.02 * 0.4 * mass * 0.2**2)


def test_moments_of_an_irregular_solid_are_its_integrals():
    mesh = irregular()
    volume, first, second = by_integrals(mesh)
    moments = solid_moments(mesh)
    assert moments.volume == pytest.approx(volume, rel=1e-12)
    np.testing.assert_allclose(moments.centre, first / volume, rtol=1e-12)
    central = second - np.outer(first, first) / volume
    np.testing.assert_allclose(moments.second, central, atol=1e-10 * np.abs(second).max())


def test_four_masses_have_the_moments_of_the_body():
    rigid = Rigid(irregular(), density=700.0)
    mass, X = rigid.lumped(rigid.material.density), rigid.rest
    np.testing.assert_allclose(mass, mass[0])
    np.testing.assert_allclose(mass @ X / mass.sum(), rigid.centre, rtol=1e-13)
    second = np.einsum("n,ni,nj->ij", mass, X - rigid.centre, X - rigid.centre)
    np.testing.assert_allclose(second, 700 * rigid.moments.second, atol=1e-12 * np.trace(second))
    np.testing.assert_allclose(np.einsum("ki,kj->ij", X, rigid.gradients[0, 0]), np.eye(3), atol=1e-12)
    np.testing.assert_allclose(rigid.outline.of(X), rigid.mesh.vertices, atol=1e-13)


def test_a_hollow_body_is_lighter_inside():
    outer, inner = box(0.2), box(0.1)
    hollow = pl.TriMesh(
        np.concatenate([outer.vertices, inner.vertices]),
        np.concatenate([outer.triangles, inner.triangles[:, ::-1] + 8]),
    )
    assert solid_moments(hollow).volume == pytest.approx(0.2**3 - 0.1**3)
    expected = (0.2**5 - 0.1**5) / 12
    np.testing.assert_allclose(solid_moments(hollow).second, expected * np.eye(3), atol=1e-15)


# --- motion


@pytest.mark.parametrize("solver", [pl.Newton(), pl.QuasiNewton(iterations=50)], ids=["Newton", "QuasiNewton"])
def test_a_box_tumbles_on_a_floor_and_comes_to_rest(solver):
    body = pl.Body(Rigid(box(0.1, centre=(0, 0, 0.2)), density=1000.0), velocity=(0.5, 0, 0), spin=(1, 2, 0))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0)], contact=pl.Contact(friction=0.4))
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, solver))
    for _ in range(90):
        assert simulation.step().kept
        assert strain(body, simulation.state.x.numpy()) < 1e-4
    heights = body.shape.outline.of(simulation.state.x.numpy())[:, 2]
    np.testing.assert_allclose(np.sort(heights), [0] * 4 + [0.1] * 4, atol=1e-3)
    assert np.abs(simulation.state.v.numpy()).max() < 1e-2


def test_a_ball_rolls_down_a_slope_without_slipping():
    angle = np.radians(10.0)
    normal = np.array([np.sin(angle), 0, np.cos(angle)])
    ball = pl.Body(Rigid(sphere(0.05, 4).translated(0.05 * normal), density=1000.0))
    slope = pl.plane(point=(0, 0, 0), normal=normal)
    scene = pl.Scene([ball], obstacles=[slope], contact=pl.Contact(friction=0.5))
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 200))
    for _ in range(80):
        simulation.step()
    speed = np.linalg.norm(simulation.state.v.numpy().mean(axis=0))
    assert speed == pytest.approx(5 / 7 * 9.81 * np.sin(angle) * 0.4, rel=0.1)  # the ball has facets


# --- with others


def test_a_ball_rests_on_a_soft_block():
    soft = pl.Body(pl.tet_grid((0.2, 0.2, 0.1), (2, 2, 1)), SOFT, pinned=lambda X: X[:, 2] < 1e-9, name="soft")
    ball = pl.Body(Rigid(sphere(0.05, 1).translated((0.1, 0.1, 0.16)), density=2000.0), name="ball")
    scene = pl.Scene([soft, ball], contact=pl.Contact(friction=0.5, response=pl.contact.Barrier()))
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 60))
    for _ in range(30):
        assert simulation.step().kept
        assert crossing_count(simulation) == 0
        assert all(strain(body, x) < 1e-4 for body, x in rigid_nodes(simulation))
    x = simulation.state.x.numpy()
    lowest = ball.shape.outline.of(x[-4:])[:, 2].min()
    assert 0.07 < lowest < 0.115 and np.abs(simulation.state.v.numpy()).max() < 0.1
    assert x[:-4, 2].max() < 0.105


def test_boxes_stack():
    base = pl.Body(Rigid(box((0.4, 0.4, 0.1), centre=(0, 0, -0.05)), density=1000.0), pinned=True, name="base")
    one = pl.Body(Rigid(box(0.1, centre=(0.01, 0, 0.06)), density=1000.0))
    two = pl.Body(Rigid(box(0.1, centre=(0, 0.013, 0.17)), density=1000.0))
    law = pl.Contact(friction=0.5, response=pl.contact.Barrier(reach=0.004))
    simulation = pl.Simulation(pl.Scene([base, one, two], contact=law), pl.ImplicitEuler(1 / 60))
    for _ in range(30):
        assert simulation.step().kept
        assert crossing_count(simulation) == 0
        assert all(strain(body, x) < 1e-4 for body, x in rigid_nodes(simulation))
    lowest = [body.shape.outline.of(x)[:, 2].min() for body, x in rigid_nodes(simulation)]
    assert 0 < lowest[1] < 0.004 and 0.1 < lowest[2] < 0.108
    assert np.abs(simulation.state.v.numpy()).max() < 1e-3


def test_a_driven_plate_squeezes_a_soft_cube():
    cube = pl.Body(pl.tet_grid((0.1,) * 3, (2, 2, 2)), SOFT, pinned=lambda X: X[:, 2] < 1e-9, name="cube")
    down = pl.Hold(True, lambda X, t: X - np.array([0.0, 0.0, min(0.03, 0.1 * t)]))
    plate = pl.Body(Rigid(box((0.2, 0.2, 0.02), centre=(0.05, 0.05, 0.116)), density=1000.0), effects=[down], name="plate")
    scene = pl.Scene([cube, plate], contact=pl.Contact(response=pl.contact.Barrier()))
    simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 40))
    for _ in range(20):
        assert simulation.step().kept
    assert crossing_count(simulation) == 0
    x = simulation.state.x.numpy()
    np.testing.assert_allclose(x[-4:], plate.shape.rest - [0, 0, 0.03], atol=1e-12)
    assert 0.064 < x[:-4, 2].max() < 0.076


# --- files, pictures, sentences


def test_a_checkpoint_goes_on_bit_for_bit_and_the_skin_is_the_mesh(tmp_path):
    shape = Rigid(irregular(), mass=2.0, stiffness=1e8)
    body = pl.Body(shape, spin=(1, 2, 3), velocity=(0, 0, 1), damping=pl.Damping(mass=0.1), name="ring")
    simulation = pl.Simulation(pl.Scene([body], obstacles=[pl.plane(z=0)]))
    simulation.run(0.1)
    simulation.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    run, other = simulation.run(0.1), again.run(0.1)
    assert np.array_equal(run.positions, other.positions)
    assert len(run.skins[0].triangles) == len(shape.mesh.triangles)
    assert again.scene.bodies[0].shape.mass == 2.0 and again.scene.bodies[0].spin == (1.0, 2.0, 3.0)
    pl.picture(run, tmp_path / "a.png", size=(80, 60))
    pl.export(run, tmp_path / "a.glb")
    assert (tmp_path / "a.png").stat().st_size > 100 and (tmp_path / "a.glb").stat().st_size > 100


def test_a_scene_file_names_it(tmp_path):
    from pliant.cli.inputs.scene_file import read_scene

    (tmp_path / "a.toml").write_text(
        "[[bodies]]\npinned = true\nspin = [0, 0, 1]\n"
        "shape = { Rigid = { shape = { meshes.box = 0.1 }, mass = 2 } }\n[run]\nseconds = 0.1\n"
    )
    body = read_scene(tmp_path / "a.toml").scene.bodies[0]
    assert body.shape.mass == 2 and body.spin == (0.0, 0.0, 1.0)
    free = pl.Simulation(pl.Scene([body])).world.layout.free
    assert not free.any()


def test_a_load_acts_where_it_is_put():
    """A force on one face, off the centre, gives m dv = F dt and I dω = r × F dt."""
    shape, force = Rigid(box((0.3, 0.2, 0.1)), mass=3.0), np.array([0.0, 0.0, 6.0])
    end = pl.Load(force, lambda X: X[:, 0] > 0.1499)
    simulation = pl.Simulation(pl.Scene([pl.Body(shape, effects=[end])], gravity=(0, 0, 0)), pl.ImplicitEuler(1e-4))
    simulation.step()
    x, v, mass = simulation.state.x.numpy(), simulation.state.v.numpy(), simulation.world.mass[:, None]
    np.testing.assert_allclose((mass * v).sum(axis=0), force * 1e-4, rtol=1e-6, atol=1e-12)
    turning = (mass * np.cross(x - shape.centre, v)).sum(axis=0)
    np.testing.assert_allclose(turning, np.cross([0.15, 0, 0], force) * 1e-4, rtol=1e-3, atol=1e-9)


def test_points_of_a_rigid_body_hang_on_springs():
    body = pl.Body(
        Rigid(box(0.1), density=1000.0),
        effects=[pl.Hold(pl.PointCloud([[0.0, 0.0, 0.3]]), by=pl.hold.Springs(1e5))],
        velocity=(0.1, 0, 0),
    )
    simulation = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(1 / 60))
    for _ in range(30):
        assert simulation.step().kept
    x = simulation.state.x.numpy()
    nodes, weights = body.shape.bind_points(np.array([[0.0, 0.0, 0.3]]), "the hook")
    np.testing.assert_allclose(weights[0] @ x[nodes[0]], [0, 0, 0.3], atol=1e-3)


OPEN = pl.TriMesh(box(1.0).vertices, box(1.0).triangles[1:])
TURNED = pl.TriMesh(box(1.0).vertices, np.concatenate([box(1.0).triangles[:1, ::-1], box(1.0).triangles[1:]]))
REFUSED = {
    "open": (lambda: Rigid(OPEN, mass=1), r"not closed: 3 of its 18 edges"),
    "one face turned": (lambda: Rigid(TURNED, mass=1), r"not closed: 3 of its 18 edges"),
    "inside out": (lambda: Rigid(pl.TriMesh(OPEN.vertices, box(1.0).triangles[:, ::-1]), mass=1), "face inwards"),
    "flat": (lambda: Rigid(pl.TriMesh(np.eye(3), [[0, 1, 2], [0, 2, 1]]), mass=1), "encloses no volume"),
    "empty": (lambda: Rigid(pl.TriMesh(np.zeros((0, 3)), []), mass=1), "has no triangles"),
    "endless": (lambda: Rigid(pl.plane(z=0), mass=1), "has no end|bounded"),
    "no mass": (lambda: Rigid(box(1.0)), "has neither; expected one"),
    "two masses": (lambda: Rigid(box(1.0), mass=1, density=1), "has both; expected one"),
    "negative": (lambda: Rigid(box(1.0), mass=-1), "mass"),
    "tets": (lambda: Rigid(pl.tet_grid((1, 1, 1), (1, 1, 1)), mass=1), "expected a closed TriMesh"),
    "spacing of a mesh": (lambda: Rigid(box(1.0), mass=1, spacing=0.1), "spacing is for signed distances"),
    "soft": (lambda: pl.Body(Rigid(box(1.0), mass=1), SOFT), "leave the material out"),
    "held by a corner": (
        lambda: pl.Body(Rigid(box(1.0), mass=1), pinned=lambda X: X[:, 2] > 0),
        "pinned: Rigid has four nodes that are not points of it, and 2 of them were chosen",
    ),
    "sprung by a corner": (
        lambda: pl.Body(Rigid(box(1.0), mass=1), effects=[pl.Hold([0], by=pl.hold.Springs(1.0))]),
        "expected True",
    ),
    "no material": (lambda: pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1))), "expected a material such as"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_rigid_body_is_refused(name):
    make, sentence = REFUSED[name]
    with pytest.raises(InputError, match=sentence):
        make()


def test_pressure_inside_a_rigid_body_is_refused_with_what_to_use():
    body = pl.Body(pl.contact.Rigid(pl.meshes.box((0.1, 0.1, 0.1)), density=1000.0), effects=[pl.Pressure(100.0)])
    with pytest.raises(pl.errors.InputError, match=r"keeps its volume.*expected Traction"):
        pl.Simulation(pl.Scene([body]))


def test_any_mass_and_inertia(tmp_path):
    """A centre and a tensor of one's own, carried exactly by the four nodes, through a checkpoint too."""
    R = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    tensor = R @ np.diag([0.02, 0.03, 0.04]) @ R.T
    given = pl.contact.Inertia(2.0, (0.1, 0.0, -0.2), tensor)
    body = pl.Body(pl.contact.Rigid(pl.meshes.box(0.2), mass=given), name="odd")
    assert np.allclose(body.shape.inertia, tensor, rtol=1e-12) and np.allclose(body.shape.centre, (0.1, 0, -0.2))
    m, r = body.shape.lumped(body.densities), body.shape.rest - np.array([0.1, 0, -0.2])
    second = np.einsum("n,ni,nj->ij", m, r, r)
    assert m.sum() == pytest.approx(2.0) and np.allclose(np.trace(second) * np.eye(3) - second, tensor, rtol=1e-12)
    sim = pl.Simulation(pl.Scene(body))
    sim.save(tmp_path / "odd.npz")
    again = pl.Simulation.load(tmp_path / "odd.npz").scene.bodies[0].shape
    assert np.array_equal(again.rest, body.shape.rest) and again.mass.mass == 2.0


def test_inertias_that_nothing_has_are_refused():
    flat = pl.contact.Inertia(1.0, (0, 0, 0), np.diag([1.0, 2.0, 3.0]))  # a plate: A + B = C
    assert np.isfinite(pl.contact.Rigid(pl.meshes.box(0.2), mass=flat).rest).all()
    for tensor in (
        np.zeros((3, 3)),
        np.diag([1.0, 1.0, 3.0]),
        -np.eye(3),
        [[1, 1, 0], [0, 1, 0], [0, 0, 1]],
        np.eye(2),
    ):
        with pytest.raises(pl.errors.InputError, match="expected"):
            pl.contact.Inertia(1.0, (0, 0, 0), tensor)


@pytest.mark.parametrize("size, mass", [(2.0, 0.2), (20.0, 0.01), (0.1, 1.0)])
def test_a_large_body_of_next_to_no_weight_falls_as_any_other_in_single_precision(size, mass):
    """With 1e9 Pa rounding is more than its weight: the first falls half as fast, the second not at all."""
    shape = pl.meshes.box((size, size, size)).rotated((1, 0.3, 0.2), 31).translated((3, 2, 24))
    body = Rigid(shape, mass=mass)
    sim = pl.Simulation(pl.Scene([pl.Body(body)]), pl.ImplicitEuler(dt=0.01), precision="f32")
    for _ in range(20):
        assert sim.step().kept
    assert sim.v[:, 2].mean() == pytest.approx(-9.81 * 0.2, rel=2e-3)
    assert body.stiffness <= 1e9 and Rigid(shape, mass=mass, stiffness=1e9).stiffness == 1e9


RESPONSES = [None, pl.contact.Penalty(), pl.contact.Barrier(), pl.contact.Complementarity()]


@pytest.mark.parametrize("precision", ["f64", "f32"])
@pytest.mark.parametrize("size", [0.005, 0.05])
@pytest.mark.parametrize("response", RESPONSES, ids=lambda response: type(response).__name__)
def test_a_small_box_tumbles_onto_a_floor_with_what_is_chosen_unless_told(response, size, precision):
    """Straight steps stretch what turns: they were cut down to nothing, and boxes of centimetres failed to land."""
    mesh = box((size, 1.3 * size, 0.8 * size)).rotated((1, 2, 0.5), 31).translated((0, 0, 1.5 * size))
    body = pl.Body(Rigid(mesh, density=1000), spin=(3, 8, 1), velocity=(0.3, 0, 0))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0)], contact=pl.Contact(friction=0.4, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision)
    reports = [sim.step() for _ in range(15)]
    assert all(report.kept for report in reports), next(report.why for report in reports if not report.kept)
    assert np.mean([report.iterations for report in reports]) < 25
    lowest = body.shape.outline.of(sim.x)[:, 2].min()
    assert -0.01 * size < lowest < 0.2 * size and strain(body, sim.x) < 1e-4


@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_a_small_box_lands_in_single_precision_where_it_does_in_double(place, friction):
    """Rounding of the deformation of what is stiff was a tenth of its weight: 0.1 mm off after one step of free flight."""
    mesh = box((0.05, 0.065, 0.04)).rotated((1, 2, 0.5), 31).translated((0, 0, 0.075))
    places = []
    for precision in ("f64", "f32"):
        body = pl.Body(Rigid(mesh, density=1000), spin=(3, 8, 1), velocity=(0.3, 0, 0))
        contact = pl.Contact(friction=friction, response=pl.contact.Barrier())
        scene = pl.Scene([body], obstacles=[pl.plane(z=0)], contact=contact)
        integrator = pl.ImplicitEuler(1 / 60, solver=pl.Newton(tolerance=1e-5))
        sim = pl.Simulation(scene, integrator, precision=precision, device=place)
        reports = [sim.step() for _ in range(8)]
        assert all(report.why == "converged" for report in reports)
        places.append(sim.x.copy())
    assert np.abs(places[1] - places[0]).max() < 2e-6
