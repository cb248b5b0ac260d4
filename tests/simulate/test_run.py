"""Runs put together."""

import warnings

import numpy as np
import pytest

import pliant as pl

SHIFT = (0.0, 0.5, 0.0)


def fallen(young: float, name: str, **options) -> pl.Run:
    body = pl.Body(pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1)), pl.StableNeoHookean(young=young, poisson=0.3), name=name)
    scene = pl.Scene([body], obstacles=[pl.sphere(0.05, centre=(0.1, 0.0, -0.05))])
    return pl.Simulation(scene, pl.ImplicitEuler(dt=0.02)).run(0.1, **options)


def test_runs_beside_each_other_are_one_scene(tmp_path):
    """Each body keeps its motion, the other's bodies and obstacles stand aside, and what can be added is."""
    soft, firm = fallen(1e4, "soft"), fallen(1e5, "firm")
    both = soft.beside(firm, SHIFT)
    assert len(both) == len(soft) and [s.name for s in both.skins] == ["soft", "firm"]
    for skin, own, offset in zip(both.skins, (soft, firm), ((0, 0, 0), SHIFT)):
        assert np.array_equal(both.positions[:, skin.start : skin.stop], own.positions + offset)
        assert np.array_equal(both.rest[skin.start : skin.stop], own.rest + offset)
        assert np.array_equal(both.values("stress")[:, skin.start : skin.stop], own.values("stress"))
        assert np.allclose(both.values("displacement")[:, skin.start : skin.stop], own.values("displacement"))
    here, there = both.positions[-1, : len(soft.rest)], both.positions[-1, len(soft.rest) :]
    assert np.abs(here + SHIFT - there).max() > 1e-4  # they do differ
    assert np.allclose(both.props[1].poses[:, :3, 3] - both.props[0].poses[:, :3, 3], SHIFT)
    for name in soft.energies:
        assert np.allclose(both.energies[name], soft.energies[name] + firm.energies[name])
    assert np.allclose(both.step_seconds, soft.step_seconds + firm.step_seconds)
    assert len(both.reports) == len(soft.reports) + len(firm.reports)
    three = both.beside(soft, (0, 1.0, 0))
    assert len(three.skins) == 3 and three.skins[2].stop == 3 * len(soft.rest)
    assert pl.picture(both, tmp_path / "both.png", size=(64, 48)).is_file()


def test_runs_that_do_not_fit_are_refused():
    run = fallen(1e4, "soft")
    with pytest.raises(pl.errors.InputError, match=r"shift=\(0, 1\)"):
        run.beside(run, (0, 1))
    with pytest.raises(pl.errors.InputError, match=r"6 frames up to 0\.1 s with \['stress'\], the other 6 .* with \[\]"):
        run.beside(fallen(1e4, "soft", fields=()), SHIFT)


def test_a_run_says_once_that_bodies_pass_through_each_other():
    law, cube = pl.StableNeoHookean(young=1e5, poisson=0.3, density=1000.0), pl.tet_grid((0.1, 0.1, 0.1), (1, 1, 1))
    bodies = [pl.Body(cube.translated((0, 0, 0.15 * k)), law, name=name) for k, name in enumerate(("lower", "upper"))]

    def seen(**given) -> list[str]:
        simulation = pl.Simulation(pl.Scene(bodies, [pl.plane(z=0.0)], **given), pl.ImplicitEuler(dt=1 / 30))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            simulation.run(0.2)
        return [str(one.message) for one in caught]

    (note,) = seen(contact=pl.Contact(response=None))
    assert "lower and upper may pass through each other" in note
    assert seen() == seen(contact=pl.Contact(response=pl.contact.Penalty())) == []
