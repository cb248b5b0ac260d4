"""Wind against closed forms: a plate at an angle, one that slows down, one that falls, and the sides of a solid."""

import numpy as np
import pytest

import pliant as pl

LAW = pl.StableNeoHookean(young=1e6, poisson=0.3, density=100.0)
PLATE = pl.Membrane(pl.cloth_grid((0.6, 0.4), (3, 2)), thickness=1e-3)
AREA, MASS = 0.24, 0.024
QUICK = pl.ImplicitEuler(dt=0.01, solver=pl.Newton(linear=pl.linear.Direct()))


def moving(shape=PLATE, wind=(0, 0, 0), velocity=(0, 0, 0), device="cpu", gravity=(0, 0, 0), scheme=QUICK, **options):
    body = pl.Body(shape, LAW, effects=[pl.Wind(wind, **options)], velocity=velocity)
    return pl.Simulation(pl.Scene(body, gravity=gravity), scheme, device)


def momentum(sim):
    return sim.world.mass @ sim.v


@pytest.mark.parametrize("angle", [0.0, 0.3, 0.8, np.pi / 2, 2.5])
def test_a_plate_at_an_angle(angle, place):
    """Drag ½ρ|u|²A C_D sin α along the wind and lift ½ρ|u|²A C_L sin α cos α across it, as momentum of a short step."""
    u, dt = 7.0 * np.array([np.cos(angle), 0, np.sin(angle)]), 1e-5
    scheme = pl.ImplicitEuler(dt=dt, solver=pl.Newton(linear=pl.linear.Direct()))
    sim = moving(wind=u, drag=1.3, lift=0.7, density=1.1, scheme=scheme, device=place)
    assert sim.step().kept
    force, size = momentum(sim) / dt, 0.5 * 1.1 * 49.0 * AREA
    along = u / 7.0
    assert force @ along == pytest.approx(size * 1.3 * np.sin(angle), rel=1e-3, abs=1e-9)
    across = force - (force @ along) * along
    assert np.linalg.norm(across) == pytest.approx(size * 0.7 * abs(np.sin(angle) * np.cos(angle)), rel=1e-3, abs=1e-6)


def test_a_plate_slows_down_as_it_should():
    """v' = −c |v| v in air at rest has v₀ / (1 + c v₀ t), which linear steps meet exactly, however long they are."""
    sim = moving(velocity=(0, 0, 5.0), drag=1.2, lift=0.0)
    for _ in range(10):
        assert sim.step().kept
    c = 0.5 * 1.2 * 1.2 * AREA / MASS
    assert momentum(sim)[2] / MASS == pytest.approx(5.0 / (1 + c * 5.0 * 0.1), rel=1e-9)


def test_a_falling_sheet_reaches_its_last_velocity():
    """m g = ½ρ C_D A v², in steps that are long beside the time it takes."""
    scheme = pl.ImplicitEuler(dt=0.1, solver=pl.Newton(linear=pl.linear.Direct()))
    sim = moving(gravity=(0, 0, -9.81), drag=1.0, lift=0.5, scheme=scheme)
    for _ in range(40):
        assert sim.step().kept
    assert momentum(sim)[2] / MASS == pytest.approx(-np.sqrt(2 * 9.81 * MASS / (1.2 * AREA)), rel=1e-6)


def test_air_at_rest_takes_energy_whatever_the_lift():
    """Spinning, tumbling and folding: the kinetic energy goes down in every step."""
    body = pl.Body(PLATE, LAW, effects=[pl.Wind((0, 0, 0), drag=0.8, lift=0.8)], velocity=(3, 1, 2), spin=(9, 4, -7))
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), QUICK)
    before = sim.energies()
    for _ in range(15):
        assert sim.step().kept
        now = sim.energies()
        assert now["total"] < before["total"]
        before = now
    assert "wind" not in before


def test_only_the_sides_of_a_solid_that_face_the_wind_feel_it():
    """A box in a wind along x: the drag of one of its faces, and no lift."""
    box, dt = pl.tet_grid((0.3, 0.2, 0.1), (3, 2, 1)), 1e-5
    scheme = pl.ImplicitEuler(dt=dt, solver=pl.Newton(linear=pl.linear.Direct()))
    sim = moving(box, wind=(4.0, 0, 0), drag=1.05, lift=0.5, scheme=scheme)
    assert sim.step().kept
    size = 0.5 * 1.2 * 16 * 0.2 * 0.1 * 1.05
    assert momentum(sim) / dt == pytest.approx([size, 0, 0], rel=1e-3, abs=1e-3 * size)


def test_winds_that_vary():
    """A function of place and time, a course, a part of the nodes; and wind at rest on a sheet that is held."""
    seen = []

    def gust(places, t):
        seen.append((places.shape, t))
        return np.stack([0 * places[:, 0], 0 * places[:, 0], np.where(places[:, 0] < 0.3, 6.0, -6.0)], axis=1)

    sim = moving(wind=gust)
    assert sim.step().kept and seen[-1] == ((12, 3), 0.01)
    v = sim.v[:, 2]
    X = PLATE.rest[:, 0]
    assert v[X < 0.1].min() > 0 > v[X > 0.5].max()
    off = moving(wind=(0, 0, 6.0), course=lambda t: 0.0)
    assert off.step().kept and np.abs(off.v).max() < 1e-12
    half = moving(wind=(0, 0, 6.0), where=lambda X: X[:, 0] < 0.21)
    assert half.step().kept and half.v[X < 0.1, 2].min() > 1e3 * np.abs(half.v[X > 0.5, 2]).max()


def test_a_sheet_at_rest_in_the_wind():
    """The supports of a sheet that is held along its rim carry the drag on the shape in which it came to rest."""
    body = pl.Body(
        PLATE,
        LAW,
        pinned=lambda X: (X[:, 0] < 1e-9) | (X[:, 0] > 0.6 - 1e-9) | (X[:, 1] < 1e-9) | (X[:, 1] > 0.4 - 1e-9),
        effects=[pl.Wind((0, 0, 20.0), drag=1.0, lift=0.0)],
    )
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic(dt=1.0))
    for _ in range(2):
        report = sim.step()
        assert report.kept, report.why
    corners = sim.x[PLATE.nodes]
    vectors = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert sim.force("pinned")[2] == pytest.approx(0.5 * 1.2 * 400 * np.abs(vectors[:, 2]).sum(), rel=1e-4)


def test_what_cannot_blow_says_so():
    with pytest.raises(pl.errors.InputError, match="at most the drag"):
        pl.Wind((1, 0, 0), drag=0.5, lift=0.6)
    net = pl.Springs(pl.meshes.rod((0, 0, 0), (1, 0, 0), 2), radius=0.01)
    with pytest.raises(pl.errors.InputError, match="no triangles for it"):
        moving(net, wind=(1, 0, 0))
    with pytest.raises(pl.errors.InputError, match="returned shape"):
        moving(wind=lambda places, t: np.zeros(2)).step()
