"""Checkpoints with something wrong in them load and step, or are refused in one sentence; nothing else happens."""

import copy
import json

import numpy as np
import pytest
from mutations import mutated

import pliant as pl
from pliant.arguments.atomic_files import packed, unpacked

SOFT = pl.StableNeoHookean(young=2e4, poisson=0.4)


def falling() -> pl.Simulation:
    """Tets that slide and are held, a sheet, a grab: most of what a checkpoint may hold."""
    cube = pl.tet_grid((0.2, 0.2, 0.2), (1, 1, 1))
    bodies = [
        pl.Body(cube.translated((0, 0, 0.01)), SOFT, velocity=(1.0, 0.0, 0.0), name="slider"),
        pl.Body(
            pl.Membrane(pl.cloth_grid((0.3, 0.3), (2, 2)).translated((1, 0, 1)), 0.002),
            pl.Corotated(young=1e5),
            pinned=[0, 2],
        ),
    ]
    scene = pl.Scene(
        bodies,
        [pl.plane(normal=(0.2, 0, 1)), pl.sphere(0.1, (0, 0, -0.1)) - pl.box(0.1)],
        contact=pl.Contact(friction=0.4),
    )
    sim = pl.Simulation(scene, pl.ImplicitEuler(1 / 60, pl.Newton(iterations=5)))
    sim.grab(0, (1.0, 0.0, 0.9), body=1)
    assert sim.step().kept
    return sim


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    path = tmp_path_factory.mktemp("mutated") / "good.npz"
    falling().save(path)
    return path, unpacked(path, "a checkpoint")


def test_mutated_checkpoints(saved, tmp_path):
    path, refused, went_on = tmp_path / "m.npz", 0, 0
    for seed in range(120):
        path.write_bytes(packed(mutated(saved[1], seed)))
        try:
            sim = pl.Simulation.load(path)
            sim.step()
            sim.save(path)
            went_on += 1
        except pl.errors.InputError as error:
            refused += 1
            assert "\n" not in str(error) and len(str(error)) < 2000
        except BaseException as error:
            raise AssertionError(f"seed {seed}") from error
    assert refused > 80 and went_on > 3


@pytest.mark.parametrize(
    "path, value, words",
    [
        (("integrator", "with", "dt"), 1e300, "expected a positive number of seconds"),
        (("integrator", "with", "dt"), 1e-300, "expected a positive number of seconds"),
        (("integrator", "with", "solver", "with", "line_search"), 3, "Newton.line_search is '3'; expected Armijo"),
        (("integrator", "with", "solver", "with", "iterations"), True, "Newton.iterations"),
        (("integrator", "with", "solver"), {"class": "PCG", "with": {}}, "solver"),
        (("scene", "with", "contact"), {"class": "Newton", "with": {}}, "Scene.contact is .*; expected Contact"),
        (("scene", "with", "bodies", "tuple", 0, "with", "material"), {"class": "Damping", "with": {}}, "material"),
        (("device",), "x" * 400, "device"),
    ],
)
def test_values_go_through_the_checks_of_constructors(saved, tmp_path, path, value, words):
    about = json.loads(bytes(saved[1]["about"]))
    place = about
    for key in path[:-1]:
        place = place[key]
    assert path[-1] in place
    place[path[-1]] = copy.deepcopy(value)
    arrays = saved[1] | {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    (tmp_path / "bad.npz").write_bytes(packed(arrays))
    with pytest.raises(pl.errors.InputError, match=words):
        pl.Simulation.load(tmp_path / "bad.npz")
