"""Programs of signed distances are checked when they are made: a kernel runs them without looking."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.geometry.distance.sdf_codes import BOX, COMPLEMENT, GRID, INTERSECTION, SPHERE, TORUS, UNION
from pliant.geometry.distance.sdf_program import LONGEST, Instruction

BALL = pl.sphere(1.0).program[0]
SAMPLED = pl.sphere(1.0).resampled(0.5).program[0]


@pytest.mark.parametrize(
    "program, words",
    [
        ((BALL,) * 64, "leaves 64 shapes"),
        ((BALL,) * 400, "leaves 400 shapes"),
        ((BALL,) * 9 + (Instruction(UNION),) * 8, "9 deep"),
        ((Instruction(UNION),), "combines 2 shapes where 0 are left"),
        ((BALL, Instruction(UNION)), "combines 2 shapes where 1 are left"),
        ((Instruction(COMPLEMENT), BALL), "combines 1 shapes where 0 are left"),
        ((BALL, Instruction(INTERSECTION), BALL), "where 1 are left"),
        ((), "has 0 instructions"),
        ((BALL,) * (LONGEST + 1), f"has {LONGEST + 1} instructions"),
        ((BALL, 3), "something else than instructions"),
        ([BALL], "something else than instructions"),
        (None, "something else than instructions"),
        ("abc", "something else than instructions"),
    ],
)
def test_a_program_is_whole_and_fits_the_stack(program, words):
    with pytest.raises(pl.errors.InputError, match=words):
        pl.Sdf(program)


@pytest.mark.parametrize(
    "given",
    [
        {"op": 10}, {"op": -1}, {"op": 1.0}, {"op": True}, {"op": None}, {"op": "0"},
        {"shape": ()}, {"shape": (1.0, 1.0)}, {"shape": (np.nan,)}, {"shape": (np.inf,)}, {"shape": (-1.0,)}, {"shape": [1.0]},
        {"shape": (None,)}, {"shape": ("a",)}, {"shape": (True,)}, {"shape": 3},
        {"rotation": np.zeros((3, 3))}, {"rotation": np.full((3, 3), np.nan)}, {"rotation": np.eye(2)}, {"rotation": None},
        {"rotation": 1e200 * np.eye(3)}, {"rotation": np.eye(3).tolist()}, {"rotation": np.eye(3).astype(int)},
        {"origin": np.zeros(2)}, {"origin": np.array([0, 0, np.inf])}, {"origin": ()}, {"origin": np.array(["a", "b", "c"])},
        {"scale": 0.0}, {"scale": -1.0}, {"scale": np.nan}, {"scale": "1"}, {"scale": None},
        {"values": SAMPLED.values}, {"op": GRID}, {"op": GRID, "shape": (1.0,) * 3}, {"op": BOX}, {"op": UNION},
        {"op": TORUS, "shape": (-1.0, -1.0)},
    ],
)  # fmt: skip
def test_an_instruction_has_what_its_operation_needs(given):
    with pytest.raises(pl.errors.InputError, match="instruction of a signed distance"):
        replace(BALL, **given)


@pytest.mark.parametrize(
    "values",
    [np.zeros((2, 2)), np.zeros((1, 2, 2)), np.full((2, 2, 2), np.nan), np.zeros((2, 2, 2), int), np.zeros((2, 0, 2))],
)
def test_a_grid_has_finite_samples(values):
    with pytest.raises(pl.errors.InputError, match="grid values"):
        replace(SAMPLED, values=values)


def test_every_operation_has_its_count_and_good_ones_pass():
    assert replace(BALL, shape=(2.0,)).op == SPHERE and replace(SAMPLED, scale=2.0).op == GRID
    ring = pl.sdf.spindle((0, 0, -1), (0, 0, 1), 0.3)  # a torus of negative ring
    assert ring(np.zeros((1, 3)))[0] == pytest.approx(-0.3)


def test_a_grid_far_away_reads_no_sample_that_is_not_there():
    """Places that overflow become not-a-number in the kernel; the index still is one of the grid."""
    shape = pl.Sdf((replace(SAMPLED, origin=np.array([-1.7e308, 0.0, 0.0]), scale=1e-3),)).rotated((1, 1, 1), 40)
    assert shape(np.full((4, 3), 9e99)).shape == (4,)
