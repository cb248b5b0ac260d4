"""Natural frequencies and shapes against closed forms, on stated meshes."""

import numpy as np
import pytest

import pliant as pl
from pliant import contact, hold
from pliant.errors import InputError
from pliant.output.export import export

YOUNG, POISSON, DENSITY = 1e6, 0.3, 1000.0
LAW = pl.LinearElastic(young=YOUNG, poisson=POISSON, density=DENSITY)
CLAMPED, FREE = (1.87510407, 4.69409113, 7.85475744), (4.73004074, 7.85320462, 10.9956079)  # βl of Euler's beam


def beam(length: float, side: float, roots: tuple[float, ...]) -> np.ndarray:
    """Hz of a slender beam (Euler and Bernoulli): β² √(EI/ρA)/2π."""
    return np.array(roots) ** 2 / length**2 * np.sqrt(YOUNG * side**2 / (12 * DENSITY)) / (2 * np.pi)


def left(X: np.ndarray) -> np.ndarray:
    return X[:, 0] < X[:, 0].min() + 1e-9


def check_orthonormal(found, mass: np.ndarray) -> None:
    flat = found.shapes.reshape(len(found), -1)
    assert np.abs(flat @ (np.repeat(mass, 3) * flat).T - np.eye(len(found))).max() < 1e-6


@pytest.mark.parametrize("pinned", [left, None])
def test_beams_of_quadratic_tets_within_two_percent(pinned):
    """1.0 × 0.02 × 0.02 m, 40 × 1 × 1 cells of five quadratic tets: 401 + 280 nodes. Modes come in pairs, across y and z."""
    mesh = pl.tet_grid((1.0, 0.02, 0.02), (40, 1, 1)).quadratic()
    body = pl.Body(mesh, LAW, pinned=pinned)
    found = pl.modes(body, 6)
    expected = beam(1.0, 0.02, FREE if pinned is None else CLAMPED)
    assert np.abs(found.frequencies.reshape(3, 2) / expected[:, None] - 1).max() < 0.02
    assert found.rigid == (6 if pinned is None else 0)
    check_orthonormal(found, pl.Simulation(pl.Scene(body)).world.mass)
    if pinned is not None:
        assert not np.any(found.shapes[:, left(mesh.vertices)])


def test_free_plate_of_quadratic_tets_within_two_percent():
    """Square, 1 × 1 × 0.02 m, 12 × 12 × 1 cells: ω a² √(ρh/D) = 13.49, 19.79, 24.43 (Leissa 1969, ν = 0.3)."""
    found = pl.modes(pl.Body(pl.tet_grid((1, 1, 0.02), (12, 12, 1)).quadratic(), LAW), 3)
    rigidity = YOUNG * 0.02**3 / (12 * (1 - POISSON**2))
    expected = np.array([13.489, 19.789, 24.432]) * np.sqrt(rigidity / (DENSITY * 0.02)) / (2 * np.pi)
    assert np.abs(found.frequencies / expected - 1).max() < 0.02 and found.rigid == 6


@pytest.mark.slow
def test_clamped_plate_of_quadratic_tets_within_two_percent():
    """20 × 20 × 1 cells: 35.99 and twice 73.41 (Leissa 1969)."""
    edge = lambda X: np.abs(X[:, :2] - 0.5).max(axis=1) > 0.5 - 1e-9
    found = pl.modes(pl.Body(pl.tet_grid((1, 1, 0.02), (20, 20, 1)).quadratic(), LAW, pinned=edge), 3)
    rigidity = YOUNG * 0.02**3 / (12 * (1 - POISSON**2))
    expected = np.array([35.99, 73.41, 73.41]) * np.sqrt(rigidity / (DENSITY * 0.02)) / (2 * np.pi)
    assert np.abs(found.frequencies / expected - 1).max() < 0.02


SHAPES = {
    "tets": (pl.tet_grid((1, 0.05, 0.05), (40, 2, 2)), 0.25),  # which lock
    "hexes": (pl.Hexes(pl.meshes.hex_box((1, 0.05, 0.05), (40, 2, 2))), 0.07),
    "lattice": (pl.Lattice(pl.box((1, 0.05, 0.05)), spacing=0.025), 0.07),
    "one point": (pl.Lattice(pl.box((1, 0.05, 0.05)), spacing=0.025, quadrature=pl.quadrature.Centre()), 0.1),
    "averaged": (pl.Lattice(pl.box((1, 0.05, 0.05)), spacing=0.025, volume=pl.quadrature.Averaged()), 0.05),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_solid_has_the_modes_of_a_beam(name):
    shape, within = SHAPES[name]
    found = pl.modes(pl.Body(shape, LAW), 4)
    assert np.abs(found.frequencies.reshape(2, 2) / beam(1, 0.05, FREE)[:2, None] - 1).max() < within
    assert found.rigid == 6


def test_a_sheet_bends_as_a_beam_between_narrow_and_wide():
    sheet = pl.Membrane(pl.cloth_grid((1.0, 0.2), (20, 4)), thickness=0.01)
    found = pl.modes(pl.Body(sheet, pl.Corotated(young=YOUNG, poisson=POISSON, density=DENSITY)), 2)
    assert found.frequencies[0] == pytest.approx(beam(1.0, 0.01, FREE)[0], rel=0.02) and found.rigid == 6


def test_held_by_one_point_or_by_springs():
    """A bar held in the middle of its end turns about it; on soft springs it bounces at √(k/m)."""
    mesh = pl.tet_grid((0.2, 0.1, 0.1), (2, 2, 2))
    middle = np.flatnonzero(np.linalg.norm(mesh.vertices - [0, 0.05, 0.05], axis=1) < 1e-9)
    assert pl.modes(pl.Body(mesh, LAW, pinned=middle), 2).rigid == 3
    springs = pl.Hold(True, by=hold.Springs(0.01))
    body = pl.Body(mesh, LAW, effects=[springs])
    found = pl.modes(body, 6)
    whole = np.sqrt(0.01 * len(mesh.vertices) / (DENSITY * 0.002)) / (2 * np.pi)
    assert found.rigid == 0 and np.any(np.abs(found.frequencies / whole - 1) < 0.2)


def test_two_free_bodies_have_twelve_rigid_motions():
    one = pl.Body(pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1)), LAW)
    other = pl.Body(pl.tet_grid((0.1, 0.1, 0.2), (1, 1, 1), origin=(0.3, 0, 0)), LAW)
    assert pl.modes(pl.Scene([one, other]), 2).rigid == 12


def test_a_stretched_bar_sounds_as_a_string():
    """f = √(T/ρA)/2l of a string under the force T, with what bending adds: √(1 + (π²EI)/(T l²))."""
    side, length = 0.01, 1.0
    right = lambda X: X[:, 0] > length - 1e-9
    pull = pl.Hold(right, motion=lambda X, t: X + np.array([0.05 * length, 0, 0]), name="peg")
    body = pl.Body(
        pl.tet_grid((length, side, side), (24, 1, 1)).quadratic(),
        pl.StableNeoHookean(young=YOUNG, poisson=POISSON, density=DENSITY), pinned=left, effects=[pull],
    )  # fmt: skip
    sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), pl.QuasiStatic())
    assert sim.step().kept
    tension = -sim.force("peg")[0]
    per_length = DENSITY * side**2 * length / (1.05 * length)
    string = np.sqrt(tension / per_length) / (2 * 1.05 * length)
    assert pl.modes(sim, 2).frequencies == pytest.approx(string, rel=0.05)
    slack = pl.Simulation(pl.Scene(pl.Body(body.shape, body.material, pinned=lambda X: left(X) | right(X))))
    assert pl.modes(slack, 1).frequencies[0] < 0.5 * string


def test_modes_are_told_drawn_and_played(tmp_path):
    found = pl.modes(pl.Body(pl.tet_grid((0.3, 0.1, 0.05), (3, 1, 1)), LAW, name="bar"), 5)
    assert repr(found).startswith("Modes(5 of bar: ") and "6 rigid ones left out" in repr(found)
    run = found.run(2, size=0.1, cycles=3)
    most = np.linalg.norm(run.positions - run.rest, axis=2).max()
    assert most == pytest.approx(0.1 * np.linalg.norm([0.3, 0.1, 0.05]), rel=1e-9) and run.times[-1] == 3.0
    assert pl.picture(found, tmp_path / "modes.png", size=(160, 120), colour="displacement").stat().st_size > 1000
    assert len(found.side_by_side(3).skins) == 3
    export(run, tmp_path / "mode.glb")


def test_what_has_no_modes_is_refused():
    mesh = pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    body = pl.Body(mesh, LAW)
    with pytest.raises(InputError, match="expected a Body, a Scene or a Simulation"):
        pl.modes(mesh)
    with pytest.raises(InputError, match="24 coordinates can move, 6 of the motions rigid; expected fewer"):
        pl.modes(body, 18)
    with pytest.raises(InputError, match="there are 2 modes, numbered from 0"):
        pl.modes(body, 2).run(2)
    with pytest.raises(InputError, match="Complementarity\\(\\) has no stiffness"):
        pl.modes(pl.Scene(body, contact=pl.Contact(response=contact.Complementarity())))
    sim = pl.Simulation(pl.Scene(pl.Body(mesh, pl.StVenantKirchhoff(young=1e4, poisson=0.3)), gravity=(0, 0, 0)))
    sim.x = sim.x * [1, 1, 0.3]  # which buckles
    with pytest.raises(InputError, match="the stiffness is not positive"):
        pl.modes(sim, 2)
