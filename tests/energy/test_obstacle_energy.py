"""Contact with rigid obstacles: what is not evaluated again changes no result."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energy.capabilities import LaggedFriction
from pliant.energy.obstacles.obstacle_energy import Obstacle, ObstacleContact


def _bowl() -> pl.Sdf:
    """A solid on a grid whose values are steeper than distances."""
    axes = np.linspace(-0.6, 0.6, 25)
    x, y, z = np.meshgrid(axes, axes, axes, indexing="ij")
    return pl.Sdf.from_grid(1.7 * (0.35 - np.sqrt(x**2 + y**2 + (z - 0.2) ** 2)), (-0.6, -0.6, -0.6), 0.05)


def _shaken(t: float) -> np.ndarray:
    pose = np.eye(4)
    pose[:3, 3] = 0.05 * np.sin(40 * t), 0.0, 0.04 * np.sin(60 * t)
    return pose


SCENES = {
    "a fast fall on a floor": ([Obstacle(pl.plane(z=0.0))], (0.5, 0.0, -12.0)),
    "a steep grid": ([Obstacle(_bowl())], (0.3, 0.2, -2.0)),
    "a shaken table": ([Obstacle(pl.box((0.6, 0.6, 0.1), centre=(0, 0, -0.05)), _shaken)], (0.0, 0.0, -1.0)),
}


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("name", SCENES)
def test_what_is_known_to_be_apart_changes_no_bit(name, precision, monkeypatch):
    obstacles, velocity = SCENES[name]
    ball = pl.Body(
        pl.tet_grid((0.2, 0.2, 0.2), (3, 3, 3), origin=(-0.1, -0.1, 0.05)),
        pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0),
        velocity=velocity,
    )
    scene = pl.Scene([ball], obstacles=obstacles, contact=pl.Contact(friction=0.4))
    forces, ends, touched = ObstacleContact._forces, [], []

    def anew(self, x, out):
        self.clearance.zero_()
        forces(self, x, out)

    for own in (forces, anew):
        monkeypatch.setattr(ObstacleContact, "_forces", own)
        simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 100, pl.QuasiNewton(iterations=8)), precision=precision)
        contact = next(energy for energy in simulation.world.objective.energies if energy.name == "contact")
        for _ in range(25):
            assert simulation.step().kept
            touched.append(contact.limit.numpy().max())
        ends.append(simulation.state.x.numpy())
    assert max(touched) > 0  # or else nothing was tried
    assert np.array_equal(*ends)


def test_other_shapes_are_seen_at_once():
    ball = pl.Body(pl.tet_grid((0.2, 0.2, 0.2), (2, 2, 2)), pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0))
    simulation = pl.Simulation(pl.Scene([ball], obstacles=[pl.plane(z=-1.0)]))
    simulation.step()
    contact = next(energy for energy in simulation.world.objective.energies if energy.name == "contact")
    assert contact.value(simulation.state.x) == 0.0
    contact.reshape([Obstacle(pl.plane(z=0.05))])
    assert contact.value(simulation.state.x) > 0.0


def test_a_motion_that_stretches_is_refused():
    table = Obstacle(pl.box((1, 1, 1)), lambda t: np.diag([2.0, 1.0, 1.0, 1.0]))
    with pytest.raises(pl.errors.InputError, match="stretches its obstacle"):
        table.pose(0.0)


@pytest.mark.parametrize("precision", ["f32", "f64"])
def test_points_that_come_to_rest_are_not_carried_past_it(precision, monkeypatch):
    """Where friction would turn around a step of Newton's method ends: the same motion, in fewer iterations, and in fewer yet
    where the next tangent knows the force that it was to have there."""
    cube = pl.tet_grid((0.2, 0.2, 0.2), (3, 3, 3), origin=(-0.1, -0.1, 0.0)).rotated((0, 0, 1), 20)
    body = pl.Body(cube, pl.StableNeoHookean(young=2e4, poisson=0.4, density=1000.0), velocity=(0.6, 0.1, -0.5))
    scene = pl.Scene([body], obstacles=[pl.plane(z=0.0)], contact=pl.Contact(friction=0.5))
    ends, spent = [], []
    for hints in ({}, {"learns": False}, {"stops": False, "learns": False}):
        for name, value in hints.items():
            monkeypatch.setattr(ObstacleContact, name, value)
        simulation = pl.Simulation(scene, pl.ImplicitEuler(1 / 60), precision=precision)
        reports = [simulation.step() for _ in range(30)]
        assert all(report.kept for report in reports)
        ends.append(simulation.x)
        spent.append(sum(report.iterations for report in reports))
    assert max(np.abs(end - ends[0]).max() for end in ends) < (1e-6 if precision == "f64" else 1e-4)
    assert spent[0] < spent[1] < spent[2]


@pytest.mark.parametrize("response", [None, pl.contact.Penalty()])
def test_a_sheet_that_slides_and_sticks_on_a_ball_takes_few_iterations(response):
    """Points of it that slide are to stick within 30 nm of their anchors. With nodes alone the step at 0.417 s found no end in
    200 iterations, going from one side of those to the other; with faces the worst took 23."""
    mesh = pl.cloth_grid((0.3, 0.3), (10, 10), origin=(-0.15, -0.15, 0.25))
    rubber = pl.StableNeoHookean(young=1.2e6, density=1100)
    sheet = pl.Body(pl.Membrane(mesh, thickness=2e-3), rubber, damping=pl.Damping(stiffness=0.003))
    scene = pl.Scene([sheet], [pl.sphere(0.1, centre=(0, 0, 0.1))], contact=pl.Contact(friction=0.5, response=response))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 24, solver=pl.Newton(1e-3)))
    reports = [sim.step() for _ in range(12)]
    assert all(report.kept and report.converged for report in reports), reports
    assert max(report.iterations for report in reports) < 18
    contact = sim.world.objective.having(LaggedFriction)[-1]
    assert not contact.drag.numpy().any()  # so that tangents are those of the energy again
    contact.update_lagged(sim.state.x, wp.clone(sim.state.x))
    length, pressed = np.linalg.norm(contact.drag.numpy()[0], axis=1), contact.limit.numpy()[0] > 0
    assert pressed.any() and not length[~pressed].any() and 0 < length[pressed].max() <= 1 + 1e-12


def test_hardness_says_how_many_times_stiffer_than_the_material():
    """A cube of jelly on a floor: points ten times as stiff with ten times the hardness, and less than 1 % of it in the floor."""

    def scene(hardness):
        body = pl.Body(pl.tet_grid((0.1,) * 3, (2, 2, 2)), pl.preset("jelly"), damping=pl.Damping(viscosity=100.0))
        contact = pl.Contact(hardness=hardness)
        return pl.Scene([body], [pl.plane(z=0.0)], contact=contact)

    usual, hard = (pl.Simulation(scene(hardness), pl.ImplicitEuler(1 / 60)) for hardness in (None, 100.0))
    stiffness = [sim.world["contact"][0].stiffness.numpy() for sim in (usual, hard)]
    np.testing.assert_allclose(stiffness[1], 10 * stiffness[0], rtol=1e-12)
    for _ in range(40):
        assert hard.step().kept
    assert -1e-3 < hard.x[:, 2].min() < 0


def test_friction_on_a_grid_whose_slope_is_not_one_has_a_definite_tangent():
    """Normals of another length than 1 made friction push along them, and the tangent indefinite however it was projected."""
    ball = pl.sdf.from_mesh(pl.meshes.sphere(0.1, 3).translated((0, 0, 0.1)), spacing=0.006)
    cloth = pl.Membrane(pl.cloth_grid((0.3, 0.3), (10, 10), origin=(-0.15, -0.15, 0.25)), thickness=2e-3)
    rubber = pl.StableNeoHookean(young=1.2e6, density=1100.0)
    sheet = pl.Body(cloth, rubber, damping=pl.Damping(stiffness=0.003))
    scene = pl.Scene([sheet], [ball], contact=pl.Contact(friction=0.5, response=pl.contact.Penalty()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 24, solver=pl.Newton(1e-3)))
    reports = [sim.step() for _ in range(10)]
    assert all(report.kept for report in reports)
    assert sum(report.iterations for report in reports) < 220  # 141; with trilinear distances 165
    contacts = [energy for energy in sim.world.energies if "contact" in energy.name]
    normals = np.concatenate([energy.normal.numpy()[energy.limit.numpy() > 0] for energy in contacts])
    assert len(normals) > 5 and np.abs(np.linalg.norm(normals, axis=1) - 1).max() < 1e-12
    for energy in contacts:
        matrix = sim.world.objective.matrix()
        matrix.clear()
        energy.blocks(sim.state.x, matrix, project=True)
        n = matrix.row_start.size - 1
        dense = np.zeros((n, 3, n, 3))
        dense[np.repeat(np.arange(n), np.diff(matrix.row_start)), :, matrix.columns[: matrix.entries]] = matrix.blocks
        eigenvalues = np.linalg.eigvalsh(dense.reshape(3 * n, 3 * n))
        assert eigenvalues[0] >= -1e-9 * eigenvalues[-1]
