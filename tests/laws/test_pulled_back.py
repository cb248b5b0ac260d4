"""Gradients by public parameters from those by what follows from them, for every law, by central differences."""

from dataclasses import replace

import numpy as np
import pytest

from pliant import material
from pliant.elements.lattice.lattice import Lattice
from pliant.elements.tets import Tets
from pliant.geometry.distance.sdf import sphere
from pliant.geometry.mesh.primitives import tet_grid
from pliant.material.base import Material
from pliant.material.law_sum import Combined
from pliant.material.parameter_gradients import moduli_of, projective_of

from .cases import EVERY, make

ROWS = 3


def with_rows(law: Material) -> Material:
    """The law with one value per region of every parameter that may vary."""
    random = np.random.default_rng(3)
    if law.terms != (law,):
        return Combined(laws=tuple(with_rows(term) for term in law.terms))
    names = [n for n in law.parameters() if not (n == "poisson" and isinstance(law, material.Arap))]
    if isinstance(law, material.ValanisLandel):
        names = []
    spread = {n: np.asarray(getattr(law, n)) * random.uniform(0.97, 1.0, ROWS) for n in names}
    return replace(law, **{n: np.minimum(v, 1.0) if n == "low" else np.maximum(v, 1.0) if n == "high" else v
                           for n, v in spread.items()})  # fmt: skip


def changed(law: Material, name: str, value: np.ndarray) -> Material:
    if law.terms == (law,):
        return replace(law, **{name: value})
    owner, own = name.split(".")
    return Combined(laws=tuple(replace(t, **{own: value}) if t.name == owner else t for t in law.terms))


def check(law: Material, quantity, gradient: np.ndarray, found: dict[str, np.ndarray]) -> None:
    """``found`` against central differences of Σ gradient · quantity(law) in every parameter."""
    assert set(found) == set(law.parameters())
    for name, value in law.parameters().items():
        value, own = np.asarray(value), np.atleast_1d(found[name])
        assert found[name].shape == value.shape
        if name.endswith("poisson") and "Arap" in law.name:
            continue  # cannot be set
        for row in range(own.size):
            step = 1e-5 * max(abs(float(np.atleast_1d(value)[row])), 1e-3)
            totals = []
            for sign in (1, -1):
                moved = np.array(np.atleast_1d(value), float)
                moved[row] += sign * step
                totals.append(np.sum(gradient * quantity(changed(law, name, moved.reshape(value.shape)))))
            slope = (totals[0] - totals[1]) / (2 * step)
            size = np.abs(gradient * quantity(law)).sum() / max(abs(float(np.atleast_1d(value)[row])), 1e-3)
            assert abs(own[row] - slope) <= 1e-6 * max(size, abs(slope)), (name, row)


def rounded(law: Material) -> Material:
    """Away from the ends of what parameters may be, so that steps to both sides are allowed."""
    inside = {"extended_below": 0.2, "split": 0.25, "activation": 0.7}
    if law.terms != (law,):
        return Combined(laws=tuple(rounded(term) for term in law.terms))
    own = {n: v for n, v in inside.items() if n in law.parameters()}
    own |= {"density": 900.0} if np.any(np.asarray(law.density) == 0) else {}
    own |= {"low": 0.93, "high": 1.06} if "low" in law.parameters() else {}
    return replace(law, **own)


def laws(has=lambda law: True):
    """A test's ``law``: every one, and every sum, that has what is asked for, with one value and with one per region."""
    every = {f"{name} {rows}": (name, rows) for name in EVERY for rows in (False, True) if has(rounded(make(name)))}
    assert len(every) >= 4
    return pytest.mark.parametrize("law", list(every.values()), ids=list(every), indirect=True)


@pytest.fixture
def law(request):
    name, rows = request.param
    law = rounded(make(name))
    return with_rows(law) if rows else law


@laws()
def test_table(law):
    gradient = np.random.default_rng(0).standard_normal(law.table().shape)
    check(law, lambda m: m.table(), gradient, law.pulled_back(gradient))


@laws(lambda law: law.moduli is not None)
def test_moduli(law):
    def every(m):
        return np.stack(np.broadcast_arrays(*m.moduli), axis=-1)

    gradient = np.random.default_rng(0).standard_normal(every(law).shape)
    check(law, every, gradient, law.pulled_back_from(moduli_of, gradient))


@laws(lambda law: law.projective is not None)
def test_projective(law):
    gradient = np.random.default_rng(0).standard_normal(law.projective.shape)
    check(law, lambda m: m.projective, gradient, law.pulled_back_from(projective_of, gradient))


@laws(lambda law: law.without_volume() is not None)
def test_volume(law):
    """The law without its resistance to volume, and that resistance."""
    rest, kappa, _ = law.without_volume()
    random = np.random.default_rng(0)
    table, of_kappa = random.standard_normal(rest.table().shape), random.standard_normal(np.shape(kappa))

    def both(m):
        rest, kappa, _ = m.without_volume()
        return np.concatenate([np.ravel(rest.table()), np.ravel(kappa)])

    gradient = np.concatenate([table.ravel(), of_kappa.ravel()])
    check(law, both, gradient, law.pulled_back_volume(rest.pulled_back(table), of_kappa))


@pytest.mark.parametrize("elements", [Tets(tet_grid((1, 1, 1), (2, 2, 2))), Lattice(sphere(0.1), 0.06)])
def test_masses(elements):
    random = np.random.default_rng(0)
    density, gradient = random.uniform(1, 2, elements.count), random.standard_normal(len(elements.rest))
    value = elements.lumped(density) @ gradient  # linear, so the product is all there is to know
    assert elements.pulled_back_masses(gradient) @ density == pytest.approx(value, rel=1e-12)
