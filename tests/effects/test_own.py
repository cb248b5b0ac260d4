"""Effects of a user's own are stepped, reported, saved, reset, batched and found in scene files like those of the package."""

from dataclasses import dataclass

import numpy as np
import pytest

import pliant as pl
from pliant.cli.inputs.scene_file import SceneError, read_scene
from pliant.energy.points.tethers import TetherEnergy

from .fatigue import Gale
from .leash import Leash

SOFT = pl.StableNeoHookean(young=1e4, poisson=0.3, density=1000)
BLOCK = pl.tet_grid((0.2, 0.1, 0.1), (2, 1, 1))
GALE = Gale((2.0, 0.0, 0.0), 0.5)


def scene(young=1e4, effects=(GALE,), **given):
    law = pl.StableNeoHookean(young=young, poisson=0.3, density=1000)
    return pl.Scene([pl.Body(BLOCK, law, **given)], gravity=(0, 0, 0), effects=effects)


def seen(sim, steps):
    values = []
    for _ in range(steps):
        assert sim.step().kept
        values += [sim.x, sim.v, np.array(list(sim.energies().values()))]
    return values


def equal(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_an_effect_fits_forty_lines():
    with open(__file__.replace("test_own", "fatigue"), encoding="utf-8") as file:
        assert len(file.read().splitlines()) <= 40


def test_it_is_stepped_and_reported():
    """Half of the force is left after each step: v = h a (1 + ½ + ¼ + …)."""
    sim = pl.Simulation(scene(), pl.ImplicitEuler(dt=0.01))
    assert {"gale", "elastic", "total"} <= sim.energies().keys()
    for k in range(4):
        assert sim.step().kept
        assert sim.v == pytest.approx(np.tile([0.02 * (2 - 0.5**k), 0, 0], (len(BLOCK.vertices), 1)), abs=1e-9)
    run = sim.run(0.02)
    assert run.energies["gale"].shape == (3,)


@pytest.mark.parametrize("solver", [pl.Newton, pl.QuasiNewton])
def test_it_is_saved_reset_and_kept(tmp_path, solver):
    sim = pl.Simulation(scene(effects=[GALE], pinned=[0, 1]), pl.ImplicitEuler(dt=0.01, solver=solver()))
    first = seen(sim, 2)
    sim.save(tmp_path / "a.npz")
    kept, then = sim.state.copy(), seen(sim, 2)
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert again.scene.effects == (GALE,) and equal(seen(again, 2), then)
    sim.assign(kept)
    assert equal(seen(sim, 2), then)
    sim.reset()
    assert equal(seen(sim, 2), first)


def test_it_is_batched():
    scenes = [scene(young, pinned=[0, 1]) for young in (1e4, 3e4)]
    scheme = pl.ImplicitEuler(dt=0.01, solver=pl.QuasiNewton())
    batch = pl.Batch(scenes, scheme)
    runs = batch.run(0.03)
    for one, run in zip(scenes, runs):
        alone = pl.Simulation(one, scheme).run(0.03)
        assert np.abs(alone.positions - run.positions).max() < 1e-9
        assert run.energies["gale"] == pytest.approx(alone.energies["gale"], rel=1e-6)
    with pytest.raises(pl.errors.InputError, match="scene 1 has other effects"):
        pl.Batch([scenes[0], scene(effects=[Gale((1, 0, 0))])])


def test_bodies_have_their_own(tmp_path):
    bodies = [pl.Body(BLOCK, SOFT, effects=[Leash(k)], name=name) for k, name in ((5.0, "a"), (50.0, "b"))]
    sim = pl.Simulation(pl.Scene(bodies, contact=pl.Contact(response=None)), pl.ImplicitEuler(dt=0.01))
    seen(sim, 2)
    springs = sim.world["held by springs"]
    assert [(e.first, e.constants[0]) for e in springs] == [(0, 5.0), (len(BLOCK.vertices), 50.0)]
    sim.save(tmp_path / "a.npz")
    again = pl.Simulation.load(tmp_path / "a.npz")
    assert [b.effects for b in again.scene.bodies] == [(Leash(5.0),), (Leash(50.0),)]
    assert equal(seen(again, 2), seen(sim, 2))


def test_effects_of_the_package_may_stand_among_them():
    listed = pl.Body(BLOCK, SOFT, effects=[pl.Hold([0, 1]), pl.Pressure(10.0), pl.Damping(mass=1.0), Leash()])
    assert len(listed.effects) == 4 and len(listed.of(pl.Hold)) == len(listed.of(pl.Pressure)) == 1
    fields = pl.Body(BLOCK, SOFT, pinned=[0, 1], effects=[pl.Pressure(10.0), Leash()], damping=pl.Damping(mass=1.0))
    sims = [pl.Simulation(pl.Scene([body])) for body in (fields, listed)]
    assert equal(seen(sims[0], 2), seen(sims[1], 2))


@pytest.mark.parametrize(
    "make",
    [
        lambda: pl.Body(BLOCK, SOFT, effects=[7]),
        lambda: pl.Scene(pl.Body(BLOCK, SOFT), effects=[SOFT]),
        lambda: pl.Scene(pl.Body(BLOCK, SOFT), effects=[pl.Pressure(5.0)]),
        lambda: pl.Scene(pl.Body(BLOCK, SOFT), effects=[pl.Contact()]),
        lambda: pl.Body(BLOCK, SOFT, effects=[pl.Contact()]),
    ],
)
def test_what_is_no_effect_is_refused(make):
    with pytest.raises(pl.errors.InputError, match="effects=…"):
        make()


def test_a_class_that_cannot_be_found_again_is_named(tmp_path):
    @dataclass(frozen=True)
    class Local:
        stiffness: float = 5.0

        def energies(self, part, device):
            nodes = np.array([[0]])
            return [TetherEnergy(device, part.elements.rest, nodes, np.ones((1, 1)), self.stiffness, part.first)]

    body = pl.Scene([pl.Body(BLOCK, SOFT, effects=[Local()])])
    sim = pl.Simulation(body)
    sim.save(tmp_path / "a.npz")
    with pytest.raises(pl.errors.InputError, match=r"effects\[0\] \(Local\) could not be stored"):
        pl.Simulation.load(tmp_path / "a.npz")
    assert pl.Simulation.load(tmp_path / "a.npz", scene=body).step().kept


def test_a_file_imports_nothing(tmp_path):
    pl.Simulation(scene()).save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as archive:
        arrays = {name: archive[name] for name in archive.files}
    text = bytes(arrays["about"]).decode()
    for other, words in (("antigravity:fly", "antigravity.fly is not known here"), ("os:system", "not an effect")):
        changed = text.replace(f"{Gale.__module__}:Gale", other)
        assert changed != text
        np.savez(tmp_path / "b.npz", **arrays | {"about": np.frombuffer(changed.encode(), np.uint8)})
        with pytest.raises(pl.errors.InputError, match=words):
            pl.Simulation.load(tmp_path / "b.npz")


def test_scene_files_name_what_they_were_given(tmp_path):
    (tmp_path / "a.toml").write_text(
        "effects = [{ Gale = { acceleration = [1.0, 0.0, 0.0] } }]\nrun.seconds = 1.0\n[[bodies]]\n"
        "shape = { tet_grid = { size = [1, 1, 1], cells = [1, 1, 1] } }\n"
        "material = { Corotated = { young = 1e4 } }\neffects = [{ Pressure = { pascals = 5.0 } }, { Leash = {} }]\n"
    )
    read = read_scene(tmp_path / "a.toml", effects=(Gale, Leash)).scene
    assert list(read.effects[0].acceleration) == [1.0, 0.0, 0.0]
    assert Leash() in read.bodies[0].effects and read.bodies[0].of(pl.Pressure)[0].pascals == 5.0
    with pytest.raises(SceneError, match="unknown name 'Gale'"):
        read_scene(tmp_path / "a.toml")
