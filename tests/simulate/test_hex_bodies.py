"""Bodies of hexahedra in scenes: contact, grabs, every solver, checkpoints, files, pictures, and what is refused."""

import warnings

import numpy as np
import pytest
from hexahedra import bent

import pliant as pl
from pliant.geometry.lattice.hex_mesh import HexMesh, hex_box

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4)


def block(**changes) -> pl.Body:
    return pl.Body(**({"shape": bent((2, 2, 2)), "material": SOFT} | changes))


def test_a_mesh_is_enough():
    body = block()
    assert isinstance(body.shape, pl.Hexes) and body.shape.volume is None
    assert (
        pl.Body(HexMesh(bent().vertices, bent().hexes, np.arange(12) // 6), pl.Corotated(young=[1e4, 2e4])).rows().tolist()
        == [0] * 6 + [1] * 6
    )


@pytest.mark.parametrize("solver", [pl.Newton(), pl.Newton(linear=pl.linear.Direct()), pl.QuasiNewton(iterations=15)])
def test_it_falls_and_lands_with_every_solver(solver):
    """A block beside a tet block and a lattice, on a floor, thrown: all land, none sinks in."""
    bodies = [
        pl.Body(hex_box((0.2, 0.2, 0.2), (2, 2, 2), (0, 0, 0.02)), SOFT, velocity=(0.3, 0, -1), name="hexes"),
        pl.Body(pl.tet_grid((0.2, 0.2, 0.2), (2, 2, 2), 5, (0.5, 0, 0.02)), SOFT, name="tets"),
        pl.Body(pl.Lattice(pl.box(0.2, (1.1, 0.1, 0.12)), 0.1), SOFT, name="lattice"),
    ]
    scene = pl.Scene(bodies, [pl.plane(z=0)], contact=pl.Contact(friction=0.5))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60, solver=solver))
    run = sim.run(0.3)
    assert all(report.kept for report in run.reports), run.reports[-1].why
    heights = np.array([bodies[i].shape.outline.of(sim.bodies[i].x)[:, 2].min() for i in range(3)])
    assert np.all(np.abs(heights) < 0.01), heights


def test_blocks_of_hexahedra_lie_on_each_other():
    """With a barrier between bodies: the upper block comes to lie on the lower one, and nothing crosses."""
    low = hex_box((0.2, 0.2, 0.1), (2, 2, 1))
    bodies = [
        pl.Body(low, SOFT, pinned=lambda X: X[:, 2] < 1e-9, name="low"),
        pl.Body(hex_box((0.1, 0.1, 0.1), (1, 1, 1), (0.04, 0.06, 0.105)), SOFT, name="high"),
    ]
    scene = pl.Scene(bodies, contact=pl.Contact(response=pl.contact.Barrier()))
    sim = pl.Simulation(scene, pl.ImplicitEuler(dt=1 / 60))
    assert sim.run(0.2).reports[-1].kept
    assert 0.09 < sim.bodies[1].x[:, 2].min() < 0.11  # the reach of the barrier is 0.01 m; free fall would have gone 0.2 m


@pytest.mark.slow
def test_projective_dynamics_goes_where_newton_goes():
    """A hanging block of a projective law, after many local and global steps."""
    body = pl.Body(bent((2, 2, 2)), pl.Arap(young=3e4), pinned=lambda X: X[:, 2] > 0.8)
    ends = []
    for solver in (pl.Newton(tolerance=1e-8), pl.ProjectiveDynamics(iterations=300)):
        sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.02, solver=solver))
        sim.run(0.1)
        ends.append(sim.x - body.shape.rest)
    assert np.abs(ends[0] - ends[1]).max() < 1e-3 * np.abs(ends[0]).max()


def test_held_grabbed_saved_and_exported(tmp_path):
    """A checkpoint goes on bit for bit; ParaView's file holds hexahedra; a picture and a slice are drawn."""
    muscle = pl.muscles.EmbeddedMuscle(pl.sphere(0.25, (0.6, 0.6, 0.6)), (1, 0, 0), activation=0.5)
    point = pl.Hold([[0.6, 0.6, 0.85]], by=pl.hold.Springs(50.0))
    body = block(
        shape=pl.Hexes(bent(), pl.quadrature.Averaged()),
        material=pl.StableNeoHookean(young=2e4, poisson=0.49),
        pinned=lambda X: X[:, 0] < 0.2,
        effects=[muscle, point],
        damping=pl.Damping(viscosity=5.0),
        surface=pl.meshes.sphere(0.3, 1, (0.6, 0.6, 0.6)),
    )
    sim = pl.Simulation(pl.Scene([body]), pl.ImplicitEuler(dt=0.01))
    sim.grab(vertex=3, target=(0.5, 0.5, 1.2), stiffness=30.0)
    run = sim.run(0.03, fields=["stress", "pressure"])
    assert run.reports[-1].kept
    sim.save(tmp_path / "run.npz")
    again = pl.Simulation.load(tmp_path / "run.npz")
    sim.step(), again.step()
    assert np.array_equal(sim.x, again.x) and isinstance(again.scene.bodies[0].shape.mesh, HexMesh)
    pl.export(run, tmp_path / "run.pvd")
    back = pl.read(sorted(tmp_path.glob("**/*.vtu"))[0])
    assert np.array_equal(back.hexes, body.shape.mesh.hexes)
    pl.export(run, tmp_path / "kept.npz")
    assert np.array_equal(pl.read(tmp_path / "kept.npz").skins[0].hexes, body.shape.mesh.hexes)
    for look in (None, pl.render.Slice()):
        assert pl.picture(run, tmp_path / "a.png", size=(160, 120), look=look).exists()
    assert pl.picture(body.shape.mesh, tmp_path / "mesh.png", size=(160, 120), wire=True).exists()


def test_what_does_not_fit_is_said_at_construction():
    averaged = pl.Hexes(bent(), pl.quadrature.Averaged())

    def simulation(shape, law, **options):
        return pl.Simulation(pl.Scene([block(shape=shape, material=law)]), pl.ImplicitEuler(dt=0.01, **options))

    neo, weakly = pl.NeoHookean(young=1e4), pl.Hold(lambda X: X[:, 0] < 0.2, by=pl.hold.Weakly())
    cases = [
        (
            lambda: simulation(averaged, neo, solver=pl.Mixed()),
            "pressure for each cell of a Lattice; got Hexes, use Newton",
        ),
        (lambda: simulation(averaged, pl.Arap(young=1e4)), r"Hexes\(volume=.*Arap is not"),
        (lambda: block(effects=[weakly]), "hold.Weakly is for the cut cells of a Lattice, not for Hexes"),
        (lambda: simulation(bent(), neo).bodies[0].pressure_smoothness(), "Hexes keeps no pressures"),
    ]
    for make, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        block(shape=averaged, material=pl.NeoHookean(young=1e4, poisson=0.499))


def test_stiff_and_fast_in_single_precision():
    """A block of E = 1e8 Pa spins in f32: it keeps its shape, and its energy to a few parts in a hundred."""
    mesh = bent((3, 3, 3), 0.04).translated((-0.6, -0.6, -0.6))
    spin = np.cross([0, 0, 20.0], mesh.vertices)
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e8, poisson=0.3), velocity=spin)
    sim = pl.Simulation(
        pl.Scene([body], gravity=(0, 0, 0)),
        pl.ImplicitMidpoint(dt=2e-3, solver=pl.Newton(tolerance=1e-3)),
        precision="f32",
    )
    start = np.sum(sim.world.mass[:, None] * sim.v**2)
    run = sim.run(0.1)
    assert run.reports[-1].kept
    after = HexMesh(sim.x, mesh.hexes)
    assert np.all(after.least_jacobians > 0) and after.volume == pytest.approx(mesh.volume, rel=0.01)
    assert np.sum(sim.world.mass[:, None] * sim.v**2) == pytest.approx(start, rel=0.05)
