"""Device functions are told apart by what they compute, not by what they are called."""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import warp as wp

from pliant.runtime.device import Device, Types
from pliant.runtime.fingerprint import fingerprint


def scaled(factor):
    def function(x: float):
        return x * factor

    return function


def nested(inner):
    holder = SimpleNamespace(inner=inner, unused=3)

    def function(x: float):
        return holder.inner(x)

    return function


def test_equal_bodies_have_equal_fingerprints():
    assert fingerprint(scaled(2.0)) == fingerprint(scaled(2.0))
    assert fingerprint(nested(scaled(2.0))) == fingerprint(nested(scaled(2.0)))
    assert len(fingerprint(scaled(2.0))) == 8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (2.0, 3.0), (2, 2.0), (wp.float64(2.0), wp.float32(2.0)), (wp.float64(2.0), wp.float64(3.0)), ((1, 2), (1, 3)),
        (wp.vec3, wp.vec3d), (wp.sin, wp.cos), (np.zeros(2), np.ones(2)),
    ],
)  # fmt: skip
def test_captured_constants_count(one, other):
    assert fingerprint(scaled(one)) != fingerprint(scaled(other))


def test_functions_that_are_called_count():
    assert fingerprint(nested(scaled(2.0))) != fingerprint(nested(scaled(3.0)))
    assert fingerprint(nested(nested(scaled(2.0)))) != fingerprint(nested(nested(scaled(3.0))))


def test_annotations_count():
    def one(x: wp.float32):
        return x

    def other(x: wp.float64):
        return x

    assert fingerprint(one) != fingerprint(other)


def test_a_function_may_call_itself():
    def fall(n: int):
        return fall(n - 1) if n else 0

    assert fingerprint(fall) == fingerprint(fall)


def test_a_name_may_stand_for_two_bodies():
    t = Types("f64", "two_bodies")

    def made(amount):
        def shift(x: wp.float64):
            return x + amount

        return t.function("shift", shift)

    one, two = made(wp.float64(1.0)), made(wp.float64(2.0))
    assert made(wp.float64(1.0)) is one and one is not two and one.key == "shift_f64" != two.key

    def shifted(start: int, out: wp.array(dtype=wp.float64)):
        i = start + wp.tid()
        out[i] = one(two(wp.float64(0.0)))

    device = Device("cpu", "f64", threads=1)
    out = device.zeros(1, wp.float64)
    device.launch(t.kernel(shifted), 1, out)
    assert out.numpy()[0] == 3.0


SCRIPT = """
import numpy as np, warp as wp
from dataclasses import dataclass
from typing import Any
from pliant.material.isotropic import Isotropic
from pliant.material.mean_stiffness import principal_stress

@dataclass(frozen=True, kw_only=True, eq=False)
class Kept(Isotropic):
    @wp.func
    def energy(F: Any, p: Any):
        return F.dtype(0.0)
    @wp.func
    def principal(s: Any, p: Any):
        return s.dtype(FACTOR) * s, s.dtype(FACTOR) * wp.identity(n=3, dtype=s.dtype)

print(float(principal_stress(Kept(young=1.0), np.array([2.0]))[0, 0]))
"""


def test_kernels_on_disk_are_those_of_the_body(tmp_path):
    """The same file with another factor, a process each: the kernels kept from the first do not serve the second."""
    for factor in ("3.0", "30.0"):
        (tmp_path / "law.py").write_text(SCRIPT.replace("FACTOR", factor))
        done = subprocess.run([sys.executable, str(tmp_path / "law.py")], capture_output=True, text=True, timeout=120)
        assert done.stdout.strip() == str(2 * float(factor)), done.stderr
