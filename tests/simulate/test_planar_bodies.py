"""Flat bodies in scenes: they fall and land in their plane, are saved, drawn and seen, and say what does not fit."""

import numpy as np
import pytest

import pliant as pl
from pliant.view.scene.element_edges import Edges

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4)
GRAVITY, FLOOR = (0, -9.81, 0), pl.plane(point=(0, 0, 0), normal=(0, 1, 0))


def disc(state=None, **changes) -> pl.Body:
    shape = pl.planar.Squares(pl.sphere(0.1, (0, 0.12, 0)), 0.025, 0.02, state or pl.planar.PlaneStrain())
    return pl.Body(**({"shape": shape, "material": SOFT} | changes))


def slab(state=None, **changes) -> pl.Body:
    mesh = pl.cloth_grid((0.2, 0.1), (6, 3), (0.2, 0.02, 0))
    return pl.Body(**({"shape": pl.planar.Triangles(mesh, 0.02, state or pl.planar.PlaneStrain()), "material": SOFT} | changes))


@pytest.mark.parametrize("solver", [pl.Newton(), pl.QuasiNewton(iterations=15)])
def test_flat_bodies_land_in_their_plane(solver):
    """Both kinds in both states beside a solid block: all fall, touch the floor with their outline, and keep to their plane."""
    stress = pl.planar.PlaneStress()
    bodies = [disc(name="a"), slab(name="b"), disc(stress, name="c", velocity=(0.5, 0, 0)), slab(stress, name="d")]
    bodies.append(pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1), 5, (1, 0.02, 0)), SOFT, name="block"))
    sim = pl.Simulation(pl.Scene(bodies, [FLOOR], GRAVITY), pl.ImplicitEuler(dt=1 / 120, solver=solver))
    run = sim.run(0.25)
    assert all(report.kept for report in run.reports)
    for i in range(4):
        x = sim.bodies[i].x
        outline = bodies[i].shape.outline.of(x)
        assert np.all(x[:, 2] == 0) and -0.004 < outline[:, 1].min() < 0.01
    assert sim.bodies[2].x[:, 0].mean() > 0.02


def test_saved_drawn_exported_and_grabbed(tmp_path):
    bodies = [
        disc(name="a", pinned=lambda X: X[:, 1] > 0.2),
        slab(pl.planar.PlaneStress(), name="b", damping=pl.Damping(viscosity=1.0)),
    ]
    bodies[0] = disc(
        name="a",
        pinned=lambda X: X[:, 1] > 0.2,
        effects=[pl.Hold([[0.05, 0.1, 0]], by=pl.hold.Springs(10.0))],
        damping=pl.Damping(stiffness=0.01, viscosity=1.0),
    )
    sim = pl.Simulation(pl.Scene(bodies, [FLOOR], GRAVITY), pl.ImplicitEuler(dt=0.01), precision="f32")
    sim.grab(vertex=5, target=(0.3, 0.3, 0.0), body=1, stiffness=5.0)
    run = sim.run(0.05, fields=["stress"])
    sim.save(tmp_path / "flat.npz")
    again = pl.Simulation.load(tmp_path / "flat.npz")
    sim.step(), again.step()
    assert np.array_equal(sim.x, again.x) and again.scene.bodies[1].shape.state == pl.planar.PlaneStress()
    assert pl.picture(run, tmp_path / "flat.png", colour="stress", size=(160, 120), view=(-90, 89)).exists()
    pl.export(run, tmp_path / "flat.pvd")
    edges = Edges(sim)
    lengths = np.linalg.norm(np.diff(sim.world.layout.rest[edges.nodes][edges.pairs], axis=1)[:, 0], axis=1)
    assert lengths.max() < 0.05 and np.isclose(lengths, 0.025, atol=1e-3).sum() > 50  # cells without diagonals


def test_what_does_not_fit_is_said():
    stress = pl.planar.PlaneStress()
    with pytest.warns(pl.errors.PliantWarning, match="is normal to the plane of 'body 0'"):
        pl.Scene([disc()])
    with pytest.warns(
        pl.errors.PliantWarning,
        match=r"Triangles with Poisson's ratio 0.499 locks: .*planar.Squares\(…, volume=Averaged",
    ):
        slab(material=pl.NeoHookean(young=1e4, poisson=0.499))
    barrier = pl.Scene([slab(), disc()], gravity=(0, 0, 0), contact=pl.Contact(response=pl.contact.Barrier()))
    with pytest.raises(pl.errors.InputError, match=r"contact.Barrier\(\): body 0 is flat, and the outlines"):
        pl.Simulation(barrier)
    cases = [
        (lambda: slab(stress, material=pl.LinearElastic(young=1e4)), "LinearElastic does not work in plane stress"),
        (lambda: slab(surface=pl.meshes.sphere(0.1)), "carries no other surface|expected a TriMesh carried by a solid"),
        (lambda: slab(effects=[pl.Hold(lambda X: X[:, 0] < 1, by=pl.hold.Weakly())]), "hold.Weakly is for the cut cells"),
        (lambda: slab(stress, effects=[pl.Pressure(10.0)]), "surface is not closed"),
        (lambda: pl.Body(pl.cloth_grid((1, 1), (1, 1)), SOFT), r"or a flat body, planar.Triangles\(surface"),
    ]  # fmt: skip
    for make, words in cases:
        with pytest.raises(pl.errors.InputError, match=words):
            pl.Simulation(pl.Scene([make()], gravity=(0, 0, 0)))


def test_a_ring_on_a_slope_rolls_on_cut_cells_as_on_a_mesh():
    """The torus of Weiß (2018, §2.8) in the plane: it falls on a slope, gives way, bounces and rolls; paths within 3 mm."""
    inner, outer, start, slope = 0.05, 0.1, 0.12, np.deg2rad(20)
    long = [pl.cylinder((0, start, -5), (0, start, 5), radius) for radius in (outer, inner)]
    grid = pl.cloth_grid((1, 1), (60, 6))
    angle, r = 2 * np.pi * grid.vertices[:, 0], inner + (outer - inner) * grid.vertices[:, 1]
    X = np.stack([r * np.cos(angle), start + r * np.sin(angle), 0 * r], axis=1)
    mesh = pl.TriMesh(X[: 60 * 7], grid.triangles % (60 * 7))  # its ends joined
    ground = pl.plane(point=(0, 0, 0), normal=(np.sin(slope), np.cos(slope), 0))
    paths = []
    for shape in (pl.planar.Squares(long[0] - long[1], 0.0125, 0.02), pl.planar.Triangles(mesh, 0.02)):
        body = pl.Body(shape, pl.StableNeoHookean(young=1e5, poisson=0.3))
        scene = pl.Scene([body], [ground], GRAVITY, contact=pl.Contact(friction=0.3))
        sim = pl.Simulation(scene, pl.NewmarkTheta(dt=1 / 240, theta=0.6))
        run, mass = sim.run(0.25), sim.world.mass
        paths.append(np.einsum("n,fnc->fc", mass, run.positions) / mass.sum())
        assert mass.sum() == pytest.approx(1000 * 0.02 * np.pi * (outer**2 - inner**2), rel=0.005)
    assert np.abs(paths[0] - paths[1]).max() < 3e-3 and paths[1][-1, 0] > 0.05 and np.ptp(paths[1][:, 1]) > 0.025
