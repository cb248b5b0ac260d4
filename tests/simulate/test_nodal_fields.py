"""Fields at the nodes: closed forms in a body that is turned and stretched evenly, and what has no such field."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError

A = np.diag([1.2, 0.95, 0.9])
TURN = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])


def stretched(shape, material, device: str = "cpu") -> pl.Simulation:
    sim = pl.Simulation(pl.Scene([pl.Body(shape, material)], gravity=(0, 0, 0)), device=device)
    sim.state.x.assign(sim.world.rest @ (TURN @ A).T)
    return sim


def neo_hooke(law: pl.NeoHookean) -> dict[str, float]:
    """The fields of ψ = μ/2 (I−3) − μ log J + λ/2 log²J at A, by hand."""
    mu, lam, J = float(np.ravel(law.mu)[0]), float(np.ravel(law.lam)[0]), np.linalg.det(A)
    sigma = (mu * (A @ A - np.eye(3)) + lam * np.log(J) * np.eye(3)) / J
    dev = sigma - np.trace(sigma) / 3 * np.eye(3)
    psi = mu / 2 * ((A**2).sum() - 3) - mu * np.log(J) + lam / 2 * np.log(J) ** 2
    mises = np.sqrt(1.5 * (dev**2).sum())
    return {"stress": mises, "pressure": -np.trace(sigma) / 3, "energy density": psi, "stretch": 1.2, "volume ratio": J}


SOLIDS = {
    "tets": lambda: pl.tet_grid(size=(1, 1, 1), cells=(2, 2, 2)),
    "lattice": lambda: pl.Lattice(pl.sphere(0.5), 0.2),
}


@pytest.mark.parametrize("solid", SOLIDS)
def test_every_field_of_an_even_stretch_is_that_of_the_law(solid, place):
    law = pl.NeoHookean(young=1e5, poisson=0.3)
    sim = stretched(SOLIDS[solid](), law, place)
    for name, expected in neo_hooke(law).items():
        assert np.abs(sim.field(name) / expected - 1).max() < 1e-9, name
    assert np.array_equal(sim.stress(), sim.field("stress"))


def test_averaged_volume_counts_in_pressure_and_energy():
    law = pl.NeoHookean(young=1e5, poisson=0.45)
    plain = stretched(pl.Lattice(pl.sphere(0.5), 0.2), law)
    averaged = stretched(pl.Lattice(pl.sphere(0.5), 0.2, volume=pl.quadrature.Averaged()), law)
    lam, J = float(np.ravel(law.lam)[0]), np.linalg.det(A)
    assert np.abs(averaged.field("energy density") / plain.field("energy density") - 1).max() < 1e-9
    # the part that is averaged is −κM with M = log J, not divided by J
    other = lam * np.log(J) * (1 / J - 1)
    assert np.abs(averaged.field("pressure") - plain.field("pressure") - other).max() < 1e-6 * abs(lam)


def test_runs_record_what_is_asked_for():
    sim = stretched(SOLIDS["tets"](), pl.NeoHookean(young=1e5, poisson=0.3))
    run = sim.frame(fields=("pressure", "stretch"))
    assert set(run.fields) == {"pressure", "stretch"} and run.values("stretch").shape == (1, len(sim.x))
    assert np.abs(run.values("stretch") - 1.2).max() < 1e-9
    assert set(sim.frame(fields="stretch").fields) == {"stretch"}


def test_unknown_fields_and_those_of_sheets_are_refused():
    sim = stretched(SOLIDS["tets"](), pl.NeoHookean(young=1e5))
    with pytest.raises(InputError, match=r"'stres'.*stress"):
        sim.field("stres")
    with pytest.raises(InputError, match="names such as"):
        sim.frame(fields=3)
    sheet = pl.Body(pl.Membrane(pl.cloth_grid((0.3, 0.3), (3, 3)), thickness=0.002), pl.StVenantKirchhoff(young=1e5))
    flat = pl.Simulation(pl.Scene([sheet]))
    assert np.abs(flat.field("stretch") - 1).max() < 1e-9
    for name in ("pressure", "volume ratio"):
        with pytest.raises(InputError, match="solids"):
            flat.run(seconds=0.01, fields=(name,))
