"""One small scene for each law, element, solver, scheme and response: what ``make check`` asks of the physics in seconds.

``tests/laws`` asks far more of each; a fault in a kernel that many share shows here as well.
"""

import numpy as np
import pytest
from every import check_every

import pliant as pl
from pliant import integrate
from pliant.material import __all__ as every_law

YOUNG, POISSON, STRAIN = 1e4, 0.3, 1e-5
SIZE = (0.2, 0.1, 0.1)
GRID = pl.tet_grid(SIZE, (2, 1, 1))
SOFT = pl.StableNeoHookean(young=YOUNG, poisson=POISSON)
FIBRED = ("Fibres", "Muscle", "StrainLimit", "VolumePreservation")  # terms, which stand beside a law
TIGHT = pl.Newton(tolerance=1e-10, linear=pl.linear.Direct())


def law(name: str) -> pl.extend.Material:
    kind = getattr(pl.material, name)
    if name == "ValanisLandel":
        return kind.neo_hookean_like(YOUNG, POISSON, compression=2.0, tension=1.5)
    return kind(young=YOUNG) if name == "Arap" else kind(young=YOUNG, poisson=POISSON)


def stretched(shape, material, strain: float = STRAIN) -> float:
    """Energy stored in a free body that is stretched along x and held in width."""
    sim = pl.Simulation(pl.Scene(pl.Body(shape, material), gravity=(0, 0, 0)))
    sim.x = sim.world.rest * (1 + strain, 1, 1)
    return sim.energies()["elastic"]


def test_laws_are_linear_elasticity_at_small_strain():
    """Energy of a uniaxial strain: ½ (λ + 2μ) ε² V, without λ where a law has no volume."""

    def check(name: str) -> None:
        poisson = 0.0 if name == "Arap" else POISSON
        modulus = YOUNG * (1 - poisson) / (1 + poisson) / (1 - 2 * poisson)
        assert stretched(GRID, law(name)) == pytest.approx(0.5 * modulus * STRAIN**2 * np.prod(SIZE), rel=1e-3)

    check_every([name for name in every_law if name not in FIBRED], check)


SOLIDS = {
    "Tets": GRID,
    "QuadraticTets": GRID.quadratic(),
    "Hexes": pl.meshes.hex_box(SIZE, (2, 1, 1)),
    "Lattice": pl.Lattice(pl.box(SIZE), spacing=0.05),
}
SHEET = pl.Membrane(pl.cloth_grid(SIZE[:2], (2, 1)), thickness=0.01)
THREADS = pl.Springs(pl.meshes.rod((0, 0, 0), (SIZE[0], 0, 0), 2), radius=0.01)


def test_elements_are_exact_where_the_strain_is_the_same_everywhere():
    """Solids at a uniaxial strain; a sheet held in width and a thread, which get thinner freely."""
    modulus = YOUNG * (1 - POISSON) / (1 + POISSON) / (1 - 2 * POISSON)
    wanted = {name: 0.5 * modulus * np.prod(SIZE) for name in SOLIDS}
    wanted["Membrane"] = 0.5 * YOUNG / (1 - POISSON**2) * SIZE[0] * SIZE[1] * 0.01
    wanted["Springs"] = 0.5 * YOUNG * np.pi * 0.01**2 * SIZE[0]
    shapes = SOLIDS | {"Membrane": SHEET, "Springs": THREADS}

    def check(name: str) -> None:
        assert stretched(shapes[name], SOFT) == pytest.approx(wanted[name] * STRAIN**2, rel=1e-3)

    check_every(shapes, check)


def held(solver, material=SOFT, shape=GRID) -> np.ndarray:
    """Where a bar is after two steps that is held at an end and falls."""
    body = pl.Body(shape, material, pinned=lambda X: X[:, 0] < X[:, 0].min() + 1e-3)
    sim = pl.Simulation(pl.Scene(body), pl.ImplicitEuler(0.01, solver))
    for report in (sim.step(), sim.step()):
        assert report.kept, report.why
    return sim.x - sim.world.rest


ARAP = pl.Arap(young=YOUNG, density=1000.0)
AVERAGED = pl.Lattice(pl.box(SIZE), spacing=0.05, volume=pl.quadrature.Averaged())
SOLVERS = {  # name → solver, law and shape that it is for, share of the motion by which it may differ
    "Newton": (pl.Newton(tolerance=1e-10), SOFT, GRID, 1e-6),
    "QuasiNewton": (pl.QuasiNewton(iterations=200, tolerance=1e-10), SOFT, GRID, 1e-6),
    "ProjectiveDynamics": (pl.ProjectiveDynamics(iterations=2000, tolerance=1e-10), ARAP, GRID, 1e-6),
    "Mixed": (pl.Mixed(tolerance=1e-10), pl.NeoHookean(young=YOUNG, poisson=POISSON), AVERAGED, 1e-6),
    "LinearlyImplicit": (pl.solver.LinearlyImplicit(tolerance=1e-10), SOFT, GRID, 0.05),
}


def test_solvers_find_the_same_step():
    def check(name: str) -> None:
        solver, material, shape, share = SOLVERS[name]
        wanted = held(TIGHT, material, shape)
        assert np.abs(wanted).max() > 1e-4
        assert np.abs(held(solver, material, shape) - wanted).max() < share * np.abs(wanted).max()

    check_every(SOLVERS, check)


def test_schemes_keep_momentum():
    """The centre of a free body that was given a push and a stretch goes on at its speed."""
    push, steps, dt = np.array([0.3, -0.2, 0.1]), 4, 1e-3
    body = pl.Body(GRID, SOFT, velocity=push + (GRID.vertices - GRID.vertices.mean(axis=0)) * (2.0, 0, 0))

    def check(name: str) -> None:
        implicit = name not in ("SymplecticEuler", "CentralDifferences")
        scheme = getattr(pl, name)(dt, TIGHT) if implicit else getattr(pl, name)(dt)
        sim = pl.Simulation(pl.Scene(body, gravity=(0, 0, 0)), scheme)
        begin = sim.world.mass @ sim.x
        for _ in range(steps):
            assert sim.step().kept
        drift = (sim.world.mass @ sim.x - begin) / sim.world.mass.sum()
        expected = (sim.world.mass @ body.velocity) / sim.world.mass.sum() * steps * dt
        assert np.abs(drift - expected).max() < 1e-7 * np.abs(expected).max()
        assert sim.energies()["elastic"] > 0

    check_every([name for name in integrate.__all__ if name != "QuasiStatic"], check)


RESPONSES = {  # name → response, and the share of the energy that it may lend and take back
    "Penalty": (pl.contact.Penalty(), 1e-9),
    "Barrier": (pl.contact.Barrier(reach=0.004), 1e-9),
    "Complementarity": (pl.contact.Complementarity(), 1e-9),
    "Intersection": (pl.contact.Intersection(), 0.25),  # one that fixes its direction within a step
}
ABOVE = pl.tet_grid((0.05, 0.05, 0.05), (1, 1, 1), origin=(0.05, 0.025, 0.105))


def test_responses_hold_a_body_that_falls_on_another():
    """Momentum passes from one to the other, none is lost, no energy comes and nothing goes through."""

    def check(name: str) -> None:
        response, gain = RESPONSES[name]
        bodies = [pl.Body(GRID, SOFT, name="below"), pl.Body(ABOVE, SOFT, velocity=(0, 0, -1.0), name="above")]
        scene = pl.Scene(bodies, gravity=(0, 0, 0), contact=pl.Contact(friction=0.3, response=response))
        sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 200, pl.Newton(tolerance=1e-9)))
        split, before, energy = len(GRID.vertices), sim.world.mass @ sim.v, [sim.energies()["total"]]
        for _ in range(6):
            report = sim.step()
            assert report.kept, report.why
            energy.append(sim.energies()["total"])
        assert np.abs(sim.world.mass @ sim.v - before).max() < 1e-7 * np.abs(before).max()
        assert (sim.world.mass[:split] @ sim.v[:split])[2] < 0.2 * before[2]
        assert np.diff(energy).max() <= gain * energy[0]
        assert sim.x[split:, 2].min() > sim.x[:split, 2].max() - 0.02

    check_every(RESPONSES, check)
