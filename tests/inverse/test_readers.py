"""Files of scanners and motion capture, as they are found in folders, and what is wrong with them."""

import contextlib
import io
import struct
import sys
import time
import tracemalloc
from importlib.util import find_spec

import numpy as np
import pytest
from PIL import Image

import pliant as pl
from pliant.errors import InputError
from pliant.inverse import Camera, read_clouds, read_depths, read_markers

POINTS = np.arange(36.0).reshape(12, 3) / 7


def test_clouds_in_the_order_of_their_numbers(tmp_path):
    for i in (10, 9, 2):
        pl.write(pl.PointCloud(1000 * (POINTS + i)), tmp_path / f"scan_{i}.ply")
    clouds = read_clouds(tmp_path / "scan_*.ply", 25.0, unit=1e-3, start=0.5, sigma=0.01)
    assert np.allclose([frame[0, 0] for frame in clouds.points], [2, 9, 10])
    assert np.allclose(clouds.times, 0.5 + np.arange(3) / 25) and clouds.sigma == 0.01
    assert len(read_clouds(tmp_path, 25.0).points) == 3  # the folder


def test_clouds_of_arrays(tmp_path):
    np.savez(tmp_path / "all.npz", points=np.stack([POINTS, POINTS + 1]))
    assert [frame[0, 0] for frame in read_clouds(tmp_path / "all.npz", 10.0).points] == [0, 1]
    np.save(tmp_path / "one.npy", POINTS)
    assert np.array_equal(read_clouds(tmp_path / "one.npy", 10.0).points[0], POINTS)


def c3d_file(positions: np.ndarray, residuals: np.ndarray, labels: list[str], unit: str, rate: float) -> bytes:
    """A file of motion capture in the least that the format allows, points as floats."""
    import c3d

    writer = c3d.Writer(point_rate=rate, point_scale=-1.0, point_units=unit)
    for frame, bad in zip(positions, residuals):
        writer.add_frames([(np.column_stack([frame, bad, np.zeros(len(frame))]).astype(np.float32), np.zeros((0, 0)))])
    writer.set_point_labels(labels)
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


def test_markers_of_a_motion_capture(tmp_path):
    frames = np.repeat(POINTS[None, :2], 3, axis=0) * 1000
    bad = np.zeros((3, 2))
    bad[1, 0] = -1
    (tmp_path / "a.c3d").write_bytes(c3d_file(frames, bad, ["tip", "base"], "mm", 100.0))
    tracks = read_markers(tmp_path / "a.c3d")
    assert tracks.names == ("tip", "base") and np.allclose(tracks.times, (0, 0.01, 0.02))
    assert np.allclose(tracks.positions[0], POINTS[:2], atol=1e-6)
    assert np.isnan(tracks.positions[1, 0]).all() and np.isfinite(tracks.positions[:, 1]).all()
    cut = tracks.between(0.01, 0.02)
    assert np.allclose(cut.times, [0.0]) and cut.positions.shape == (1, 2, 3)
    assert np.allclose(read_markers(tmp_path / "a.c3d", unit=1.0).positions[0], frames[0], atol=1e-3)


def test_markers_of_a_table(tmp_path):
    (tmp_path / "a.csv").write_text("time,tip.x,tip.y,tip.z,base_X,base_Y,base_Z\n0,1,2,3,4,5,6\n0.5,,,,4,5,7\n")
    tracks = read_markers(tmp_path / "a.csv")
    assert tracks.names == ("tip", "base") and np.array_equal(tracks.times, [0, 0.5])
    assert np.isnan(tracks.positions[1, 0]).all() and np.array_equal(tracks.positions[1, 1], (4, 5, 7))
    (tmp_path / "b.csv").write_text("a.x,a.y,a.z\n1,2,3\n1,2,3\n")
    assert np.allclose(read_markers(tmp_path / "b.csv", frames_per_second=10.0, unit=0.1).times, (0, 0.1))


def test_depths(tmp_path):
    camera = Camera.looking((0, 0, 1), (0, 0, 0), size=(4, 3))
    millimetres = np.arange(500, 512, dtype=np.uint16).reshape(3, 4)
    for i in range(2):
        Image.fromarray(millimetres + np.uint16(i)).save(tmp_path / f"{i}.png")
    images = read_depths(tmp_path / "*.png", camera, 30.0)
    assert np.allclose(images.images[1], 1e-3 * (millimetres + 1)) and np.allclose(images.times, (0, 1 / 30))
    np.savez(tmp_path / "all.npz", depth=np.ones((2, 3, 4)))
    assert read_depths(tmp_path / "all.npz", camera, 30.0, unit=1.0).images.shape == (2, 3, 4)


def test_what_is_wrong_with_files_is_said(tmp_path):
    camera = Camera.looking((0, 0, 1), (0, 0, 0), size=(4, 3))
    pl.write(pl.PointCloud(POINTS), tmp_path / "a.ply")
    np.save(tmp_path / "a.npy", POINTS)
    np.savez(tmp_path / "two.npz", a=POINTS, b=POINTS)
    np.savez(tmp_path / "none.npz", points=POINTS[:0])
    header = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
    (tmp_path / "nan.ply").write_text(header + "nan 0 0\n")
    (tmp_path / "broken.c3d").write_bytes(struct.pack("<512B", *[0] * 512))
    (tmp_path / "rows.csv").write_text("time,a.x,a.y,a.z\n0,1,2\n")
    (tmp_path / "word.csv").write_text("time,a.x,a.y,a.z\n0,1,2,far\n")
    (tmp_path / "half.csv").write_text("time,a.x,a.y\n0,1,2\n")
    (tmp_path / "late.csv").write_text("a.x,a.y,a.z\n0,1,2\n")
    Image.fromarray(np.zeros((5, 5), np.uint16)).save(tmp_path / "a.png")
    Image.fromarray(np.zeros((3, 4, 3), np.uint8)).save(tmp_path / "colour.png")
    for wrong, sentence in [
        (lambda: read_clouds(tmp_path / "*.obj", 10.0), "no such files"),
        (lambda: read_clouds(tmp_path / "a.*", 10.0), "several kinds"),
        (lambda: read_clouds(tmp_path / "two.npz", 10.0), "arrays a, b"),
        (lambda: read_clouds(tmp_path / "none.npz", 10.0), "has no points"),
        (lambda: read_clouds(tmp_path / "nan.ply", 10.0), "expected a finite number"),
        (lambda: read_clouds(tmp_path / "a.ply", 0.0), "positive"),
        (lambda: read_markers(tmp_path / "none.c3d"), "there is no file"),
        (lambda: read_markers(tmp_path / "a.ply"), "ends in .c3d or .csv"),
        (lambda: read_markers(tmp_path / "broken.c3d"), "cannot be read"),
        (lambda: read_markers(tmp_path / "rows.csv"), "line 2: 3 cells"),
        (lambda: read_markers(tmp_path / "word.csv"), "'far' is no number"),
        (lambda: read_markers(tmp_path / "half.csv"), "tip.x, tip.y, tip.z"),
        (lambda: read_markers(tmp_path / "late.csv"), "no column of times"),
        (lambda: read_depths(tmp_path / "a.png", camera, 30.0), "5 × 5 pixels; the camera has 4 × 3"),
        (lambda: read_depths(tmp_path / "colour.png", camera, 30.0), "mode 'RGB'"),
    ]:
        with pytest.raises(InputError, match=sentence):
            wrong()


def seconds(action) -> float:
    start = time.process_time()
    with contextlib.suppress(InputError):
        action()
    return time.process_time() - start


def test_small_files_take_neither_memory_nor_time(tmp_path):
    """An archive of a MB took gigabytes, a table of markers time in the square of its columns."""
    camera = Camera.looking((0, 0, 1), (0, 0, 0), size=(4, 3))
    np.savez_compressed(tmp_path / "big.npz", points=np.zeros((30_000_000, 3), np.float32))
    for i in range(3):
        np.savez_compressed(tmp_path / f"part_{i}.npz", points=np.zeros((5_000_000, 3), np.float32))
    np.save(tmp_path / "cut.npy", POINTS)
    (tmp_path / "cut.npy").write_bytes((tmp_path / "cut.npy").read_bytes()[:-8])
    Image.new("I;16", (9000, 9000)).save(tmp_path / "big.png")
    n = 20_000
    (tmp_path / "short.csv").write_text(",".join(f"m{i}.x,m{i}.y,m{i}.z" for i in range(n)) + "\n" + "1\n" * 60_000)
    tracemalloc.start()
    try:
        for wrong, sentence in [
            (lambda: read_clouds(tmp_path / "big.npz", 10.0), "takes more than 300 MB, from .* MB in files"),
            (lambda: read_clouds(tmp_path / "part_*.npz", 10.0), "takes more than 300 MB, from .* MB in files"),
            (lambda: read_clouds(tmp_path / "cut.npy", 10.0), "does not match its header"),
            (lambda: read_depths(tmp_path / "big.png", camera, 30.0), "9000 × 9000 pixels; the camera has 4 × 3"),
            (lambda: read_markers(tmp_path / "short.csv", 30.0), "line 2: 1 cells; expected 60000"),
        ]:
            with pytest.raises(InputError, match=sentence):
                wrong()
        assert tracemalloc.get_traced_memory()[1] < 5e8
    finally:
        tracemalloc.stop()
    names = ",".join(f"m{i}.x,m{i}.y,m{i}.z" for i in range(2 * n))
    (tmp_path / "wide.csv").write_text(f"{names}\n{','.join('1' * 6 * n)}\n")
    assert read_markers(tmp_path / "wide.csv", 30.0).positions.shape == (1, 2 * n, 3)
    assert seconds(lambda: read_markers(tmp_path / "wide.csv", 30.0)) < 5.0


def test_a_motion_capture_without_markers_ends(tmp_path):
    data = bytearray(c3d_file(1000 * POINTS[None, :2], np.zeros((1, 2)), ["tip", "base"], "mm", 100.0))
    used = data.rindex(b"USED") + len("USED") + 4  # after the offset of the next parameter, its type and dimensions
    data[2:4] = data[used : used + 2] = b"\0\0"
    end = data.index(b"ACTUAL_END_FIELD") + len("ACTUAL_END_FIELD") + 5
    data[end : end + 4] = b"\xff\xff\xff\xff"
    (tmp_path / "a.c3d").write_bytes(data)
    with pytest.raises(InputError, match="holds no markers"):
        read_markers(tmp_path / "a.c3d")


def test_images_without_a_reader(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "OpenEXR", None)
    (tmp_path / "a.exr").write_bytes(b"v/1")
    camera = Camera.looking((0, 0, 1), (0, 0, 0), (4, 3))
    with pytest.raises(InputError, match=r"pip install 'pliant.exr.', or convert it to PNG of 16 bits or NPY"):
        read_depths(tmp_path / "*.exr", camera, 30.0)


if find_spec("OpenEXR"):

    def test_depths_of_a_renderer(tmp_path):
        import OpenEXR

        camera = Camera.looking((0, 0, 1), (0, 0, 0), (4, 3))
        depth = np.linspace(0.5, 1.5, 12, dtype=np.float32).reshape(3, 4)
        depth[0, 0], depth[1, 1] = 65504.0, np.inf  # nothing there
        head = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
        colour = {name: np.zeros((3, 4), np.float32) for name in "RGB"}
        for i in range(2):
            OpenEXR.File(head, colour | {"Z": depth + np.float32(i)}).write(str(tmp_path / f"{i}.exr"))
        images = read_depths(tmp_path / "*.exr", camera, 30.0, unit=1.0).images
        assert images.shape == (2, 3, 4) and np.isnan(images[:, [0, 1], [0, 1]]).all()
        assert np.allclose(images[1, 2], depth[2] + 1)
        OpenEXR.File(head, colour).write(str(tmp_path / "colours.exr"))
        (tmp_path / "broken.exr").write_bytes(b"v/1")
        for name, sentence in [("colours", "the channels B, G, R; expected Z"), ("broken", "cannot be read")]:
            with pytest.raises(InputError, match=sentence):
                read_depths(tmp_path / f"{name}.exr", camera, 30.0)
