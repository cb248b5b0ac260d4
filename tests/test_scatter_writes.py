"""Rows and columns of arrays that are given other numbers where they are, and read back."""

import numpy as np
import pytest
import warp as wp

from pliant.runtime import scatter_writes
from pliant.runtime.device import Device
from pliant.runtime.scatter_writes import read_rows, together, write, write_columns, write_rows


@pytest.mark.parametrize("precision", ["f32", "f64"])
@pytest.mark.parametrize("kind", ["int", "real", "vec3", "position"])
def test_some_rows_and_columns_are_written_where_they_are(place, precision, kind):
    d = Device(place, precision)
    dtype = wp.int32 if kind == "int" else getattr(d.types, kind)
    inner = (3,) if kind in ("vec3", "position") else ()
    rng = np.random.default_rng(1)
    expected, wide = rng.integers(0, 99, (50, *inner)), rng.integers(0, 99, (3, 2000, *inner))
    line, plane = d.array(expected, dtype), d.array(wide, dtype)
    for chosen in (np.array([7, 3, 49]), np.zeros(0, int), np.arange(50)[::-1]):
        given = rng.integers(0, 99, (len(chosen), *inner))
        write_rows(d, line, chosen, given)
        expected[chosen] = given
        columns = 40 * chosen
        given = rng.integers(0, 99, (3, len(columns), *inner))
        write_columns(d, plane, columns, given)
        wide[:, columns] = given
    write_rows(d, line, slice(4), expected[10:14])
    expected[:4] = expected[10:14]
    every = np.concatenate([np.arange(2000)[::2], np.arange(2000)[1::2]])  # more than was ever sent before
    write_columns(d, plane, every, wide[:, every] + 1)
    assert np.array_equal(line.numpy(), expected) and np.array_equal(plane.numpy(), wide + 1)


def test_words_go_to_their_places_and_come_back(place):
    """Written together and read, by the kernels that a GPU is told of once; on the CPU, where nobody needs them, too."""
    device = Device(place, "f32")
    mail = scatter_writes._Mail(device)
    t, rng = device.types, np.random.default_rng(2)
    kinds = {wp.int32: (), t.real: (), t.vec3: (3,), t.position: (3,), t.mat33: (3, 3)}
    mail.held, rows, pairs = True, np.array([5, 0, 3]), []
    for dtype, inner in kinds.items():
        whole, wide = rng.integers(1, 99, (7, *inner)), rng.integers(1, 99, (4, 6, *inner))
        line, plane = device.zeros(7, dtype), device.array(wide, dtype)
        some, columns, two = (rng.integers(1, 99, (*n, *inner)) for n in ((3,), (4, 3), (2,)))
        mail.add(line, 0, None, whole)
        mail.add(plane, 0, rows, columns)
        assert not line.numpy().any()  # nothing yet
        mail.add(line, 0, rows, some)  # comes after what was written before
        assert np.array_equal(line.numpy(), whole)
        mail.add(line, 1, None, two)
        whole[rows], wide[:, rows] = some, columns
        whole[1:3] = two
        pairs += [(line, whole), (plane, wide)]
    device.copy(pairs[0][0], device.zeros(7, wp.int32))  # whatever else is done, it is written before
    assert device.settle is None and all(np.array_equal(array.numpy(), values) for array, values in pairs)
    lines = [array for array, _ in pairs[::2]]
    read = mail.get(rows, tuple(lines))
    assert all(np.array_equal(one, array.numpy()[rows]) for one, array in zip(read, lines))


def test_writes_together(place):
    device = Device(place, "f64")
    a, b = device.zeros(5, device.types.real), device.zeros((2, 5), wp.int32)
    with pytest.raises(ZeroDivisionError), together(device):
        write(device, a, np.arange(5.0))
        write_columns(device, b, np.array([1, 4]), np.array([[1, 2], [3, 4]]))
        _ = 1 / 0
    assert np.array_equal(a.numpy(), np.arange(5.0))  # what was written before is
    assert np.array_equal(b.numpy(), [[0, 1, 0, 0, 2], [0, 3, 0, 0, 4]])
    assert np.array_equal(read_rows(device, np.array([3, 3, 1]), a)[0], [3, 3, 1])
