"""MetaImage volumes: types, byte orders, packing, values beside the header, frame and unit."""

import zlib

import numpy as np
import pytest

import pliant as pl

VALUES = np.arange(24, dtype=np.int16).reshape(2, 3, 4) - 5
HEAD = "ObjectType = Image\nNDims = 3\nDimSize = 2 3 4\nElementSpacing = 1 2 3\nOffset = 10 20 30\n"


def written(folder, more="", kind="MET_SHORT", data=None, name="LOCAL"):
    data = VALUES.tobytes(order="F") if data is None else data
    file = folder / ("a.mha" if name == "LOCAL" else "a.mhd")
    head = f"{HEAD}{more}ElementType = {kind}\nElementDataFile = {name}\n".encode()
    file.write_bytes(head + (data if name == "LOCAL" else b""))
    if name != "LOCAL":
        (folder / name).write_bytes(data)
    return file


@pytest.mark.parametrize(
    ("more", "data", "name"),
    [("", VALUES.tobytes(order="F"), "LOCAL"), ("", VALUES.tobytes(order="F"), "a.raw"),
     ("CompressedData = True\n", zlib.compress(VALUES.tobytes(order="F")), "LOCAL"),
     ("CompressedData = True\n", zlib.compress(VALUES.tobytes(order="F")), "a.zraw"),
     ("BinaryDataByteOrderMSB = True\n", VALUES.astype(">i2").tobytes(order="F"), "LOCAL")],
)  # fmt: skip
def test_values_and_frame(tmp_path, more, data, name):
    volume = pl.read(written(tmp_path, more, data=data, name=name))
    assert np.array_equal(volume.values, VALUES)
    assert np.allclose(volume.spacing, [0.001, 0.002, 0.003]) and np.allclose(volume.origin, [-0.01, -0.02, 0.03])
    assert np.allclose(volume.axes, np.diag([-1, -1, 1]))


def test_rows_of_the_matrix_are_directions(tmp_path):
    volume = pl.read(written(tmp_path, "TransformMatrix = 0 1 0 -1 0 0 0 0 1\n"))
    assert np.allclose(volume.axes[:, 0], [0, -1, 0]) and np.allclose(volume.axes[:, 1], [1, 0, 0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [({"kind": "MET_ODD"}, "has the type"), ({"data": b"123"}, "holds 3 bytes of values"),
     ({"more": "NDims = 2\n"}, "expected one 3-D volume"), ({"more": "nonsense\n"}, "Key = Value"),
     ({"more": "CompressedData = True\n", "data": b"xx" * 40}, "cannot be unpacked"),
     ({"more": "ElementSpacing = 1 a 1\n"}, "finite number"), ({"name": "../a.raw"}, "in the same folder or below"),
     ({"name": "LIST"}, "several files")],
)  # fmt: skip
def test_sentences(tmp_path, arguments, sentence):
    (tmp_path / "in").mkdir()
    with pytest.raises(pl.errors.InputError, match=sentence):
        pl.read(written(tmp_path / "in", **arguments))
