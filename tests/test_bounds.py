"""Guards of ``make bounds`` see what is written behind an array, and change nothing else."""

import numpy as np
import pytest
from bounds import guarded

from pliant.runtime.host_native import Routines

fill = Routines("test_bounds").add(
    "fill_some",
    "const int* value, long long count, int* out",
    "for (long long i = 0; i < count; ++i) out[i] = value[0];",
)


def test_guards_see_a_write_behind_the_end():
    call = guarded("fill_some", [False, False, True], fill)
    room = np.zeros(20, np.int32)
    out, value = room[:4], np.array([7], np.int32)
    call(value, 3, out)
    assert out.tolist() == [7, 7, 7, 0]
    with pytest.raises(AssertionError, match=r"fill_some writes beyond argument 2, int32 of shape \(4,\)"):
        call(value, 5, out)
    assert not room[4:].any()
