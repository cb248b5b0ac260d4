"""Named parameters with bounds: what is accepted, refused, converted and added."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import warp as wp

from pliant import Tets, material, tet_grid
from pliant.energy.elastic.elastic_energy import ElasticEnergy
from pliant.errors import InputError
from pliant.material.base import Elastic, Material, engineering, lame
from pliant.material.isotropic import Isotropic
from pliant.runtime.device import Device


def test_moduli_go_there_and_back():
    young, poisson = np.array([1e3, 2e5, 7e9]), np.array([-0.3, 0.0, 0.49])
    assert np.allclose(engineering(*lame(young, poisson)), [young, poisson], rtol=1e-12)
    law = material.Corotated.from_lame(mu=3.0, lam=7.0)
    assert float(law.mu) == pytest.approx(3.0) and float(law.lam) == pytest.approx(7.0)


def test_every_public_law_is_a_material_with_described_parameters():
    for name in material.__all__:
        cls = getattr(material, name)
        assert issubclass(cls, Material) and cls.__doc__
        for parameter, about in cls.PARAMETERS.items():
            assert about.meaning, f"{name}.{parameter}"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"young": -1.0}, "young"), ({"young": 0.0}, "Pa"), ({"young": np.nan}, "young"), ({"young": "stiff"}, "number"),
        ({"young": 1e4, "poisson": 0.5}, "poisson"), ({"young": 1e4, "poisson": -1.0}, "poisson"),
        ({"young": 1e4, "density": 0.0}, "kg/m³"), ({"young": [1e4, -1.0]}, "1 places, first 1"), ({"young": True}, "young"),
        ({"young": None}, "young"), ({"young": []}, "expected a number in Pa"),
    ],
)  # fmt: skip
def test_bad_parameters(given, words):
    with pytest.raises(InputError, match=words):
        material.StableNeoHookean(**given)


def test_laws_do_not_change_under_the_hand():
    law = material.Corotated(young=[1e3, 1e4])
    with pytest.raises(ValueError):
        law.young[0] = 5.0
    with pytest.raises(AttributeError):
        law.young = 3.0


def test_table_has_one_row_or_one_per_value():
    assert material.Corotated(young=1e4).table().shape == (1, 2)
    table = material.Corotated(young=[1e4, 2e4, 3e4], poisson=0.2).table()
    assert table.shape == (3, 2) and np.allclose(table[:, 0] * 2.4, [1e4, 2e4, 3e4])
    with pytest.raises(InputError, match="2 of young, 3 of poisson"):
        material.Corotated(young=[1e4, 2e4], poisson=[0.1, 0.2, 0.3])


def test_flags():
    assert material.NeoHookean(young=1.0).inversion_safe and not material.NeoHookean(young=1.0).barrier
    true = material.NeoHookean(young=1.0, extended_below=0.0)
    assert true.barrier and not true.inversion_safe
    assert material.Ogden(young=1.0).barrier
    assert not material.LinearElastic(young=1.0).rotation_invariant
    assert issubclass(material.StVenantKirchhoff, Elastic) and not material.StVenantKirchhoff(young=1.0).inversion_safe


def test_arap_has_no_poisson_ratio():
    with pytest.raises(InputError, match="Corotated"):
        material.Arap(young=1.0, poisson=0.3)


@pytest.mark.parametrize(
    "options",
    [{"exponents": (1.0, 2.0), "weights": (1.0,)}, {"exponents": (0.0,), "weights": (1.0,)}, {"weights": (0.5, 0.2, 0.1)},
     {"exponents": (1, 2, 3, 4), "weights": (0.25,) * 4}, {"exponents": (2.0, -2.0, 1.0), "weights": (2.0, -1.0, 0.0)}],
)  # fmt: skip
def test_ogden_refuses(options):
    with pytest.raises(InputError, match="Ogden"):
        material.Ogden(young=1.0, **options)


def test_valanis_landel_refuses():
    for options in (
        {},
        {"a": lambda x: x},
        {"a": [1.0, 2.0]},
        {"a": lambda x: x - 1, "stretch": (1.2, 2.0)},
        {"a": lambda x: np.full_like(x, np.nan)},
    ):
        with pytest.raises(InputError, match="ValanisLandel"):
            material.ValanisLandel(**options)


def test_directions():
    assert np.allclose(material.Fibres(stiffness=1.0, direction=(0, 3, 4)).direction, (0, 0.6, 0.8))
    assert material.Fibres(stiffness=1.0, direction=np.eye(3)).table().shape == (3, 4)
    for bad in ((0, 0, 0), (1, 2), np.ones((2, 2, 3)), "x"):
        with pytest.raises(InputError, match="direction"):
            material.Fibres(stiffness=1.0, direction=bad)
    with pytest.raises(InputError, match="activation"):
        material.Muscle(activation=1.5)
    with pytest.raises(InputError, match="rows"):
        material.Fibres(stiffness=[1.0, 2.0], direction=np.eye(3)).table()


def scaled_law(factor):
    @dataclass(frozen=True, kw_only=True, eq=False)
    class Edited(Isotropic):
        @wp.func
        def energy(F: Any, p: Any):
            return F.dtype(factor) * p[0] * (wp.trace(wp.transpose(F) * F) - F.dtype(3.0))

        @wp.func
        def principal(s: Any, p: Any):
            k = s.dtype(2.0 * factor) * p[0]
            return k * s, k * wp.identity(n=3, dtype=s.dtype)

    return Edited(young=1e5, poisson=0.3)


def test_a_law_defined_anew_under_its_name_is_another_law():
    device, elements = Device("cpu", "f64", threads=1), Tets(tet_grid(size=(0.2, 0.1, 0.1), cells=(1, 1, 1)))
    x, force = device.array(1.1 * elements.rest, device.types.vec3), []
    laws = [scaled_law(factor) for factor in (1.0, 10.0, 1.0)]
    energies = [ElasticEnergy(device, elements, law) for law in laws]
    for energy in energies:
        out = device.zeros(len(elements.rest), device.types.vec3)
        energy.gradient(x, out)
        force.append(out.numpy())
    assert energies[1].value(x) == pytest.approx(10 * energies[0].value(x), rel=1e-12)
    assert np.allclose(force[1], 10 * force[0], rtol=1e-12, atol=0) and np.abs(force[0]).max() > 1
    assert laws[0].key != laws[1].key and laws[0].key == laws[2].key and laws[0].name == laws[1].name == "Edited"
    assert energies[0].kernels is energies[2].kernels
    assert energies[2].value(x) == energies[0].value(x)


def test_sums_with_a_law_defined_anew_differ_too():
    one, other = (scaled_law(factor) + material.Fibres(stiffness=1.0) for factor in (1.0, 10.0))
    assert one.key != other.key and one.name == other.name == "Edited + Fibres"


def test_laws_of_the_package_keep_short_names():
    for name in ("NeoHookean", "LinearElastic", "Fibres"):
        given = {"stiffness": 1.0} if name == "Fibres" else {"young": 1.0}
        assert getattr(material, name)(**given).key == name


def test_a_sum_of_many_laws_has_a_key_that_names_a_file():
    fibres = [material.Fibres(stiffness=1.0)] * 31
    assert len(sum(fibres, material.NeoHookean(young=1.0)).key) < 100
