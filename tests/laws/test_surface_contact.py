"""Bodies touch obstacles where their surface is: drawn surfaces and lattices at their vertices, sheets outside."""

import numpy as np
import pytest

import pliant as pl
from pliant.elements.base import Elements
from pliant.material.initial_modulus import initial_modulus, initial_stiffness

GRAVITY = 9.81
BALL = pl.sphere(0.1, centre=(0.003, 0.001, 0.1))
LAW = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0)
SKIN = pl.surface(BALL, 0.02)
SHAPES = {
    "drawn surface of tets": lambda: (pl.tetrahedralise(BALL, edge=0.07), SKIN),
    "drawn surface of a lattice": lambda: (pl.Lattice(BALL, 0.05), SKIN),
    "lattice": lambda: (pl.Lattice(BALL, 0.05), None),
    "lattice elsewhere": lambda: (pl.Lattice(BALL, 0.03, refine=2, origin=(0.01, 0.01, 0.004)), None),
}


def touching(sim: pl.Simulation) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the points that touch, and their stiffness."""
    contact = sim.world["contact"][0]
    carrier = contact.carrier
    return np.einsum("pk,pkc->pc", carrier.weights, sim.x[carrier.nodes]), contact.stiffness.numpy()


@pytest.mark.filterwarnings("ignore:Lattice")
@pytest.mark.parametrize("name", SHAPES)
def test_a_ball_rests_on_its_surface(name):
    """k Σ depth = m g over the points, which are on the surface drawn; it sinks by what the springs give way, not further."""
    shape, surface = SHAPES[name]()
    body = pl.Body(shape, LAW, surface=surface, damping=pl.Damping(mass=10.0))
    scene = pl.Scene(body, obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.3))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))
    for _ in range(60):
        assert sim.step().kept
    points, stiffness = touching(sim)
    depth = np.maximum(-points[:, 2], 0.0)
    weight = sim.world.mass.sum() * GRAVITY
    assert np.sum(stiffness * depth) == pytest.approx(weight, rel=2e-3)
    assert 0 < depth.max() < 3e-3 and np.abs(sim.v).max() < 1e-2
    lowest = sim.bodies[0].surface[:, 2].min()
    assert -(2e-3 if surface is not None else 0.1 * shape.spacing) < lowest < 0.5e-3
    if surface is not None:
        assert lowest == pytest.approx(points[:, 2].min(), abs=1e-9)


def test_friction_holds_points_on_a_slope():
    """A lattice on a slope sticks without creeping below the angle of friction, and slides above it."""
    shape = pl.Lattice(pl.box(0.1, (0.0, 0.0, 0.0501)), 0.05)
    moved = {}
    for friction in (0.1, 0.5):
        scene = pl.Scene(pl.Body(shape, LAW), [pl.plane(z=0.0)], (GRAVITY * 0.25, 0.0, -GRAVITY), pl.Contact(friction=friction))
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))
        for _ in range(40):
            assert sim.step().kept
        before = sim.x.mean(axis=0)
        for _ in range(20):
            assert sim.step().kept
        moved[friction] = sim.x.mean(axis=0)[0] - before[0]
    assert moved[0.1] > 0.1 and abs(moved[0.5]) < 2e-5


def test_scenes_of_a_batch_touch_alone():
    """Points are grouped by scene: a batch of lattices on a floor goes as each alone."""
    shape = pl.Lattice(pl.sphere(0.06, centre=(0.0, 0.0, 0.059)), 0.03)
    ground = pl.Obstacle(pl.plane(z=0.0))

    def scene(young):
        law = pl.StableNeoHookean(young=young, poisson=0.3)
        return pl.Scene(pl.Body(shape, law), obstacles=[ground], contact=pl.Contact(friction=0.2))

    solver = pl.ImplicitEuler(dt=1 / 60, solver=pl.QuasiNewton(iterations=20))
    batch, alone = pl.Batch([scene(2e4), scene(5e4)], solver), pl.Simulation(scene(5e4), solver)
    for _ in range(5):
        batch.step()
        alone.step()
    assert np.asarray(batch.x)[1] == pytest.approx(alone.x, abs=1e-7)


def test_contact_of_sheets_and_threads_with_their_outside():
    """A sheet lies half its thickness above the ground, a thread its radius, where they are told to."""
    law = pl.Corotated(young=1e5, poisson=0.3, density=200.0)
    sheet = pl.Membrane(pl.cloth_grid((0.2, 0.2), (3, 3)).translated((0, 0, 0.012)), thickness=0.02)
    thread = pl.Springs(pl.meshes.rod((0, 0.3, 0.012), (0.2, 0.3, 0.012), 3), radius=0.01)
    for thickness, height in ((True, 0.01), (False, 0.0)):
        bodies = [pl.Body(s, law, damping=pl.Damping(mass=20.0), name=n) for s, n in ((sheet, "a"), (thread, "b"))]
        contact = pl.Contact(friction=0.5, thickness=thickness, response=pl.contact.Penalty())
        scene = pl.Scene(bodies, [pl.plane(z=0.0)], contact=contact)
        sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 30))
        for _ in range(60):
            sim.step()
        assert sim.x[:, 2] == pytest.approx(height, abs=1e-3)
    with pytest.raises(pl.errors.InputError, match=r"Contact\(thickness=…\) is 1; expected True or False"):
        pl.Contact(thickness=1)


def test_the_modulus_of_laws_that_name_none_is_that_at_rest():
    young, poisson = 3e4, 0.3
    splines = pl.ValanisLandel.neo_hookean_like(young, poisson)
    assert not hasattr(splines, "young") and initial_modulus(splines) == pytest.approx(young, rel=0.02)
    assert initial_modulus(pl.laws.Fibres(stiffness=2e4, direction=(1, 0, 0))) > 0
    assert initial_modulus(LAW) == 1e5
    C = initial_stiffness(pl.Corotated(young=young, poisson=poisson))[0]
    lam, mu = (float(v) for v in (LAW.lam * young / 1e5, LAW.mu * young / 1e5))
    assert C[0, 0] == pytest.approx(lam + 2 * mu, rel=1e-5) and C[0, 1] == pytest.approx(lam, rel=1e-5)
    assert C[3, 3] == pytest.approx(2 * mu, rel=1e-5)


def test_contact_without_a_modulus_is_measured_or_refused():
    grid = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    splines = pl.ValanisLandel.neo_hookean_like(3e4, 0.3)
    scenes = [pl.Scene(pl.Body(grid, law), [pl.plane(z=-1.0)]) for law in (splines, pl.NeoHookean(young=3e4, poisson=0.3))]
    found, expected = (pl.Simulation(scene).world["contact"][0].stiffness.numpy() for scene in scenes)
    assert found == pytest.approx(expected, rel=0.02)
    limit = pl.laws.StrainLimit(stiffness=1e4, low=0.9, high=1.1, density=1000.0)
    with pytest.raises(pl.errors.InputError, match=r"no stiffness at rest .* Contact\(stiffness=…\)"):
        pl.Simulation(pl.Scene(pl.Body(grid, limit), [pl.plane(z=-1.0)]))
    pl.Simulation(pl.Scene(pl.Body(grid, limit), [pl.plane(z=-1.0)], contact=pl.Contact(stiffness=100.0)))


def test_elements_of_ones_own_touch_at_their_nodes():
    tets = pl.Tets(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)))
    own = Elements(tets.rest, tets.nodes, tets.gradients, tets.weights, faces=tets.surface_faces)
    sim = pl.Simulation(pl.Scene(pl.Body(own, LAW), [pl.plane(z=-1.0)]))
    contact = sim.world["contact"][0]
    assert contact.carrier is None and np.all(contact.stiffness.numpy() > 0)
