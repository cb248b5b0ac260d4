"""Volumes from NIfTI, NRRD, VTI and npz, and to NRRD and npz."""

import gzip
from importlib.util import find_spec

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from volume_cases import nifti, nrrd, vti

from pliant.errors import InputError
from pliant.geometry.distance.volume import Volume
from pliant.geometry.files import read, write
from pliant.geometry.inspection.mesh_inspection import inspect

RNG = np.random.default_rng(4)
VALUES = RNG.integers(-90, 90, (3, 4, 5))
KINDS = ("u1", "i2", "i4", "f4", "f8", "i1", "u2", "u4", "i8", "u8")


def of(kind):
    return np.abs(VALUES).astype(kind) if kind[0] == "u" else VALUES.astype(kind)


def saved(path, data):
    path.write_bytes(data)
    return read(path)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("kind", KINDS)
def test_nifti_values_of_every_type(kind, order, tmp_path):
    got = saved(tmp_path / "a.nii", nifti(of(kind), order, pixdim=(1, 2, 3, 4)))
    assert got.values.dtype == np.dtype(kind) and np.array_equal(got.values, of(kind))
    assert np.allclose(got.spacing, [0.002, 0.003, 0.004])  # millimetres
    assert np.array_equal(got.axes, np.eye(3)) and np.array_equal(got.origin, np.zeros(3))


def test_nifti_packed_in_one_or_two_members(tmp_path):
    data = nifti(of("i2"))
    for packed in (gzip.compress(data), gzip.compress(data[:500]) + gzip.compress(data[500:])):
        assert np.array_equal(saved(tmp_path / "A.NII.GZ", packed).values, VALUES)


def test_nifti_slope_and_units(tmp_path):
    got = saved(tmp_path / "a.nii", nifti(of("i2"), scale=(0.5, -3.0), units=1))
    assert np.array_equal(got.values, VALUES * 0.5 - 3) and np.array_equal(got.spacing, np.ones(3))
    got = saved(tmp_path / "a.nii", nifti(of("i2"), scale=(0.0, 7.0), units=3))
    assert np.array_equal(got.values, VALUES) and np.allclose(got.spacing, 1e-6)


def test_nifti_sform_places_voxels(tmp_path):
    affine = np.array([[0, -2, 0, 10], [1.5, 0, 0, -20], [0, 0, 3, 30]])
    got = saved(tmp_path / "a.nii", nifti(of("i2"), affine=affine, quaternion=(0, 0, 0, 9, 9, 9)))
    assert np.allclose(got.affine[:3], affine * 1e-3)
    at = affine[:, :3] @ [2, 1, 3] + affine[:, 3]
    assert got.at([at * 1e-3 + 1e-4])[0] == VALUES[2, 1, 3]


@pytest.mark.parametrize("handed", [1, -1])
def test_nifti_qform_is_the_rotation_of_its_quaternion(handed, tmp_path):
    turn = Rotation.from_euler("xyz", [20, -35, 50], degrees=True)
    x, y, z, w = turn.as_quat()
    assert w > 0
    data = nifti(of("i2"), quaternion=(x, y, z, 5, 6, 7), pixdim=(handed, 1, 2, 3))
    got = saved(tmp_path / "a.nii", data)
    assert np.allclose(got.axes, turn.as_matrix() * [1, 1, handed], atol=1e-6)
    assert np.allclose(got.spacing, [0.001, 0.002, 0.003]) and np.allclose(got.origin, [0.005, 0.006, 0.007])


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("encoding", ["raw", "gzip", "ascii"])
@pytest.mark.parametrize("kind", ["u1", "i2", "u2", "i4", "f4", "f8"])
def test_nrrd_in_one_file_and_in_two(kind, encoding, order, tmp_path):
    head, data = nrrd(of(kind), order, encoding)
    got = saved(tmp_path / "a.nrrd", head + data)
    assert got.values.dtype == np.dtype(kind) and np.array_equal(got.values, of(kind))
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.raw").write_bytes(data)
    got = saved(tmp_path / "b.nhdr", nrrd(of(kind), order, encoding, data_file="data/a.raw")[0])
    assert np.array_equal(got.values, of(kind)) and np.allclose(got.spacing, 1e-3)


def test_nrrd_frames_units_and_skips(tmp_path):
    fields = (
        "space: left-posterior-superior\nspace directions: (2,0,0) (0,0,3) (0,1,0)\nspace origin: (10,20,30)\n"
        'space units: "cm" "cm" "cm"\nline skip: 2\nbyte skip: 3\n'
    )
    head, data = nrrd(of("i2"), fields=fields)
    got = saved(tmp_path / "a.nrrd", head + b"one\ntwo\nabc" + data)
    assert np.array_equal(got.values, VALUES) and np.allclose(got.spacing, [0.02, 0.03, 0.01])
    assert np.allclose(got.origin, [-0.1, -0.2, 0.3])
    assert np.allclose(got.axes, [[-1, 0, 0], [0, 0, -1], [0, 1, 0]])
    head, data = nrrd(of("i2"), fields="spacings: 1 2 3\nbyte skip: -1\n")
    got = saved(tmp_path / "a.nrrd", head + b"anything" + data)
    assert np.array_equal(got.values, VALUES) and np.allclose(got.spacing, [0.001, 0.002, 0.003])


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("how", ["ascii", "binary", "raw", "base64"])
def test_vti_in_every_packing(how, packed, order, tmp_path):
    for kind in ("u1", "i2", "f4", "f8"):
        got = saved(tmp_path / "a.vti", vti(of(kind), order, how, packed))
        assert got.values.dtype == np.dtype(kind) and np.array_equal(got.values, of(kind))
        assert np.array_equal(got.spacing, [0.5, 1, 2]) and np.allclose(got.origin, [1.1, 2.2, 4.3])


def test_vti_cells_and_direction(tmp_path):
    turn = ' Direction="0 -1 0 1 0 0 0 0 1"'
    got = saved(tmp_path / "a.vti", vti(of("f4"), section="CellData", attributes=turn))
    assert np.array_equal(got.values, VALUES) and np.array_equal(got.axes, [[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    assert np.allclose(got.origin, [0.1 - 2.5, 0.2 + 1.25, 0.3 + 5])


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_reads_back(kind, text, tmp_path):
    turn = Rotation.from_euler("xyz", [20, -35, 50], degrees=True).as_matrix()
    volume = Volume(of(kind), (0.0007, 0.001, 0.0013), (0.1, -0.2, 1 / 3), turn)
    for suffix in ("nrrd",) if text else ("nrrd", "npz"):
        write(volume, tmp_path / f"a.{suffix}", text=text)
        got = read(tmp_path / f"a.{suffix}")
        assert got.values.dtype == np.dtype(kind) and np.array_equal(got.values, of(kind))
        assert np.allclose(got.affine, volume.affine, rtol=0 if suffix == "npz" else 1e-14, atol=1e-17)


def test_npz_made_by_numpy(tmp_path):
    np.savez_compressed(tmp_path / "a.npz", values=of("i2"), spacing=0.002)
    assert np.array_equal(read(tmp_path / "a.npz").spacing, [0.002] * 3)
    np.savez(tmp_path / "a.npz", values=of("i2") > 0, spacing=[1, 2, 3], axes=np.eye(3)[::-1])
    got = read(tmp_path / "a.npz")
    assert got.values.dtype == np.uint8 and np.array_equal(got.axes, np.eye(3)[::-1])


def broken(at, new):
    data = bytearray(nifti(of("i2")))
    data[at : at + len(new)] = new
    return bytes(data)


@pytest.mark.parametrize(
    "name, data, words",
    [
        ("a.nii", nifti(of("i2"))[:200], "cut short after 200 bytes"),
        ("a.nii", nifti(of("i2"))[:-1], "holds 471 bytes; 3 × 4 × 5 values need 472"),
        ("a.nii", nifti(of("i2")) + b"0", "holds 473 bytes"),
        ("a.nii", broken(344, b"ni1\0"), "its data are in another file"),
        ("a.nii", broken(70, b"\x80\0"), "data type 128"),
        ("a.nii", broken(46, b"\x02\0"), "holds 472 bytes"),
        ("a.nii", broken(40, b"\x04\0\x03\0\x04\0\x05\0\x02\0"), "expected one 3-D volume"),
        ("a.nii.gz", gzip.compress(broken(42, b"\xff\x7f\xff\x7f\xff\x7f"), mtime=0), "more than its"),
        ("a.nii.gz", gzip.compress(nifti(of("i2")), mtime=0)[:-9], "ends too early"),
        ("a.nrrd", b"".join(nrrd(of("i2")))[:-1], "holds 119 bytes of values"),
        ("a.nrrd", b"".join(nrrd(of("i2"))).replace(b"endian: little", b"#"), "expected little or big"),
        ("a.nrrd", b"".join(nrrd(of("i2"))).replace(b"3 4 5", b"999999999 999999999 999999999"), "need"),
        ("a.nrrd", b"".join(nrrd(of("i2"), encoding="bzip2")), "expected raw, gzip or ascii"),
        ("a.nrrd", b"".join(nrrd(of("i2"), fields='space units: "km" "km" "km"\n')), "expected one of m, cm, mm"),
        ("a.nhdr", nrrd(of("i2"), data_file="../a.raw")[0], "expected one in the same folder"),
        ("a.nhdr", nrrd(of("i2"), data_file="a.raw")[0], "its data: there is no file"),
        ("a.nhdr", nrrd(of("i2"), data_file="a%03d.raw 1 9 1")[0], "several files"),
        ("a.vti", vti(of("i2")).replace(b"2 4", b"2 5"), "has 60 numbers; its extent has 4 × 4 × 5"),
        ("a.vti", vti(of("i2")).replace(b'Spacing="0.5', b'Spacing="0'), "spacing of a Volume"),
        ("a.vti", vti(of("i2")).replace(b'Scalars="s"', b"").replace(b'Name="s"', b'NumberOfComponents="2"'), "no array"),
        ("a.vti", vti(of("i4")).replace(b"Int32", b"Int8").replace(b"-", b"-9"), "beyond its type"),
    ],
)  # fmt: skip
def test_damage_is_one_sentence_that_names_the_file(name, data, words, tmp_path):
    with pytest.raises(InputError) as caught:
        saved(tmp_path / name, data)
    assert str(tmp_path / name) in str(caught.value) and words in str(caught.value)


def test_volumes_only_go_where_they_fit(tmp_path):
    volume = Volume(of("u1"), 0.001)
    of_meshio = ["xdmf"] if find_spec("meshio") else []  # a suffix that nothing else knows
    for suffix in ["nii", "nii.gz", "vti", "nhdr", "stl", *of_meshio]:
        with pytest.raises(InputError, match=r"(cannot hold voxels|is read but not written); use npz"):
            write(volume, tmp_path / f"a.{suffix}")
    with pytest.raises(InputError, match="which text cannot hold"):
        write(Volume(np.full((2, 2, 2), np.nan), 1.0), tmp_path / "a.nrrd", text=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((np.zeros((2, 2)), 1.0), "shape (2, 2)"),
        ((np.zeros((2, 0, 2)), 1.0), "none of them 0"),
        ((np.zeros((2, 2, 2), complex), 1.0), "cannot be read as numbers"),
        ((np.zeros((2, 2, 2)), (1, 0, 1)), "spacing of a Volume is (1, 0, 1)"),
        ((np.zeros((2, 2, 2)), 1.0, (0, np.inf, 0)), "origin of a Volume"),
        ((np.zeros((2, 2, 2)), 1.0, (0, 0, 0), np.ones((3, 3)) / np.sqrt(3)), "independent"),
        ((np.zeros((2, 2, 2)), 1.0, (0, 0, 0), 2 * np.eye(3)), "of length 1"),
    ],
)
def test_volume_says_what_is_wrong(arguments, words):
    with pytest.raises(InputError) as caught:
        Volume(*arguments)
    assert words in str(caught.value)


def test_volume_moves_and_reports():
    values = np.zeros((3, 4, 5), np.uint8)
    values[1, 1:3, 1:4], values[0, 0, 0] = 2, 7
    volume = Volume(values, (0.01, 0.02, 0.03), (1, 2, 3))
    assert np.allclose(volume.bounds, [[1, 2, 3], [1.02, 2.06, 3.12]])
    moved = volume.translated((0, 0, 1)).scaled(2)
    assert np.allclose(moved.origin, [2, 4, 8]) and np.allclose(moved.spacing, [0.02, 0.04, 0.06])
    assert volume.labels() == {0: 53, 2: 6, 7: 1}
    report = inspect(volume)
    assert report.labels == pytest.approx({2: 6 * 6e-6, 7: 6e-6}) and report.range == (0, 7) and report.ok
    assert "2: 36 ml" in str(report) and "3 × 4 × 5 voxels of type uint8" in str(report)
    assert report.as_dict()["shape"] == (3, 4, 5)
    grey = inspect(Volume(np.array([[[0.5, np.nan]]]), 1.0))
    assert grey.labels == {} and "1 of 2 values are not finite" in grey.problems[0]


@pytest.mark.parametrize("packed", [False, True])
def test_a_nifti_2_header_is_not_believed(packed, tmp_path):
    """One that promises 2⁶⁰ values, one that is cut off, and one whose data are elsewhere."""
    head = bytearray(544)
    head[:12] = np.int32(540).tobytes() + b"n+2\0\r\n\x1a\n"
    head[12:16], head[16:48] = np.array([4, 16], "<i2").tobytes(), np.array([3, 2**20, 2**20, 2**20], "<i8").tobytes()
    head[168:176] = np.int64(544).tobytes()
    apart = bytes(head[:4]) + b"ni2\0" + bytes(head[8:])
    cases = [
        (bytes(head), "values"),
        (bytes(head[:400]), "is cut short after 400 bytes|ends"),
        (apart, "in another file"),
    ]
    for data, why in cases:
        file = tmp_path / ("a.nii.gz" if packed else "a.nii")
        file.write_bytes(gzip.compress(data) if packed else data)
        with pytest.raises(InputError, match=why):
            read(file)
