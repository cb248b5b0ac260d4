"""Programs as a user writes them at the first try, and the sentences that put wrong ones right."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError

LEFT = lambda X: X[:, 0] < 1e-9


def beam(young: float) -> pl.Simulation:
    shape = pl.tet_grid((0.2, 0.05, 0.05), (4, 1, 1))
    body = pl.Body(shape, pl.StableNeoHookean(young=young), pinned=LEFT)
    return pl.Simulation(pl.Scene(body), pl.ImplicitEuler(0.01))


def test_a_jelly_falls_and_is_cut():
    shape = pl.tet_grid(size=(0.1, 0.1, 0.1), cells=(4, 4, 4), origin=(0, 0, 0.05))
    jelly = pl.Body(shape, pl.preset("jelly"))
    sim = pl.Simulation(pl.Scene([jelly], obstacles=[pl.plane(z=0)]))
    run = sim.run(seconds=0.1)
    assert run.positions[-1, :, 2].min() > -0.01 and run.positions[-1, :, 2].mean() < run.positions[0, :, 2].mean()
    before, top = len(sim.x), sim.x[:, 2].max() + 0.01
    sim.cut(pl.Blade([(0.051, -0.02, top), (0.051, 0.12, top)], depth=0.05))
    assert len(sim.x) > before


def test_two_blocks_touch_without_being_told():
    block, law = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2)), pl.StableNeoHookean(young=1e5)
    above = pl.tet_grid((0.1, 0.1, 0.1), (2, 2, 2), origin=(0, 0, 0.105))
    low = pl.Body(block, law, pinned=lambda X: X[:, 2] < 1e-9)
    sim = pl.Simulation(pl.Scene([low, pl.Body(above, law)]), pl.ImplicitEuler(0.01))
    sim.run(0.3)
    upper = sim.bodies[1].x
    assert upper[:, 2].min() > sim.bodies[0].x[:, 2].max() - 0.01
    assert pl.Contact(self_contact=True).self_contact is True


def test_clouds_are_fitted_at_the_first_try():
    scans = [pl.PointCloud(x) for x in beam(2e4).run(0.1).positions]
    found = pl.fit(beam(4e4), scans, {"young": (1e3, 1e5)}, fps=100, progress=False)
    assert found.values["young"] == pytest.approx(2e4, rel=1e-3)


def test_a_law_is_two_functions():
    """tests/material/test_two_functions.py compares its runs; here is what is said of half a law."""

    class Mine(pl.extend.Elastic):
        pass

    with pytest.raises(InputError, match=r"Mine has no energy and no stress; expected energy\(F, p\) and stress\(F, p\)"):
        pl.Simulation(pl.Scene(pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), Mine(young=1e4))))


def test_a_run_is_shown_and_written(tmp_path):
    run = beam(2e4).run(0.05)
    files = [pl.picture(run, tmp_path / "a.png", size=(160, 120)), pl.page(run, tmp_path / "a.html")]
    files += [
        pl.picture(run, tmp_path / "b.png", size=(160, 120), look=pl.render.Slice(point=(0.1, 0.02, 0.02)), colour="height")
    ]
    assert all(file.stat().st_size > 100 for file in map(tmp_path.joinpath, ["a.png", "a.html", "b.png"])) and len(files) == 3


@pytest.mark.parametrize(
    "place",
    [
        "contact.Penalty",
        "contact.Barrier",
        "inverse.read_clouds",
        "inverse.Clouds",
        "inverse.GaussNewton",
        "schedule.Keyframes",
    ],
)
def test_names_without_their_namespace_say_it(place):
    with pytest.raises(AttributeError, match=rf"pliant\.{place}$"):
        getattr(pl, place.partition(".")[2])


def test_words_of_other_programs_say_ours():
    with pytest.raises(InputError, match="did you mean 'young'"):
        pl.StableNeoHookean(E=1e4)
    with pytest.raises(InputError, match="did you mean 'frames_per_second'"):
        beam(2e4).run(0.1, fps=30)
    with pytest.raises(InputError, match=r"it is now Contact\(self_contact=…\)"):
        pl.contact.Penalty(itself=True)
    assert np.isfinite(beam(2e4).x).all()
