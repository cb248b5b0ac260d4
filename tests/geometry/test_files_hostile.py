"""Files made to be slow or large: reading takes time in proportion to their size, and memory within a limit."""

import base64
import gzip
import io
import struct
import time
import tracemalloc
import zlib

import numpy as np
import pytest

import pliant as pl

MSH_2 = b"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
MSH_4 = b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
PLY = b"ply\nformat %s 1.0\n"
XYZ = b"property float x\nproperty float y\nproperty float z\n"


def normal(n: int) -> bytes:
    rows = b"".join(b"%d 0 0\n" % i for i in range(n))
    return PLY % b"ascii" + b"element vertex %d\n" % n + XYZ + b"end_header\n" + rows


def ply_elements(n: int) -> bytes:
    others = b"".join(b"element e%d 0\n" % i for i in range(n))
    return PLY % b"ascii" + others + b"element vertex 1\n" + XYZ + b"end_header\n0 0 0\n"


def ply_properties(n: int, kind: bytes = b"uchar") -> bytes:
    names = b"".join(b"property %s p%d\n" % (kind, i) for i in range(n))
    return PLY % b"binary_little_endian" + b"element vertex 2\n" + XYZ + names + b"end_header\n" + bytes(12 + n) * 2


def ply_uneven_lists(n: int) -> bytes:
    data = ply_properties(n, b"list uchar uchar")
    return data[:-1] + b"\1\7"


def msh_blocks(n: int) -> bytes:
    nodes = b"$Nodes\n%d 1 1 1\n" % (n + 1) + b"0 1 0 0\n" * n + b"0 1 0 1\n1\n0 0 0\n$EndNodes\n"
    return MSH_4 + nodes + b"$Elements\n%d 0 1 1\n" % n + b"0 1 15 0\n" * n + b"$EndElements\n"


def msh_binary_blocks(n: int) -> bytes:
    empty, one = struct.pack("<3iq", 0, 1, 0, 0), struct.pack("<3iqq3d", 0, 1, 0, 1, 1, 0, 0, 0)
    nodes = b"$Nodes\n" + struct.pack("<4q", n + 1, 1, 1, 1) + empty * n + one + b"\n$EndNodes\n"
    elements = b"$Elements\n" + struct.pack("<4q", n, 0, 1, 1) + struct.pack("<3iq", 0, 1, 15, 0) * n
    return MSH_4.replace(b" 0 8\n", b" 1 8\n\1\0\0\0\n") + nodes + elements + b"\n$EndElements\n"


def msh_entities(n: int) -> bytes:
    entities = b"$Entities\n%d 0 0 0\n" % n + b"1 0 0 0 0\n" * n + b"$EndEntities\n"
    return MSH_4 + entities + msh_blocks(0)[len(MSH_4) :]


def msh_bad_word(n: int) -> bytes:
    rows = b"".join(b"%d 0 0 0\n" % i for i in range(1, n)) + b"%d 0 0 x\n" % n
    return MSH_2 + b"$Nodes\n%d\n" % n + rows + b"$EndNodes\n$Elements\n0\n$EndElements\n"


def msh_mixed_rows(n: int) -> bytes:
    rows = b"".join(b"%d 15 0 1\n%d 1 0 1 2\n" % (2 * i + 1, 2 * i + 2) for i in range(n))
    nodes = b"$Nodes\n2\n1 0 0 0\n2 0 0 1\n$EndNodes\n"
    return MSH_2 + nodes + b"$Elements\n%d\n" % (2 * n) + rows + b"$EndElements\n"


def nrrd_line_skip(n: int) -> bytes:
    head = b"NRRD0004\ntype: uchar\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nline skip: %d\n\n"
    return head % n + b"\n" * n + bytes(8)


def vtu_pieces(n: int) -> bytes:
    array = b'<DataArray type="Float64" NumberOfComponents="3" format="appended" offset="%d"/>'
    piece = b'<Piece NumberOfPoints="1" NumberOfCells="0"><Points>' + array + b"</Points></Piece>"
    return vtu(b"".join(piece % (28 * i) for i in range(n)), (struct.pack("<I", 24) + bytes(24)) * n)


def vtu(pieces: bytes, appended: bytes, more: bytes = b"") -> bytes:
    head = b'<VTKFile type="UnstructuredGrid"' + more + b"><UnstructuredGrid>" + pieces + b"</UnstructuredGrid>"
    return head + b'<AppendedData encoding="raw">_' + appended + b"</AppendedData></VTKFile>"


def veg_regions(n: int) -> bytes:
    points = b"*VERTICES\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
    tets = b"*ELEMENTS\nTET\n%d 4 0\n" % n + b"".join(b"%d 1 2 3 4\n" % (i + 1) for i in range(n))
    return points + tets + b"*SET a\n" + b"".join(b"%d\n" % (i + 1) for i in range(n)) + b"*REGION\na, d\n" * n


def gltf_nodes(n: int) -> bytes:
    return b'{"asset": {"version": "2.0"}, "nodes": [' + b"{}, " * n + b"{}]}"


# the file of a size → what its name ends in, and how many of its parts make about 500 kB
SLOW = {
    ply_elements: (".ply", 30_000), ply_properties: (".ply", 20_000), ply_uneven_lists: (".ply", 13_000),
    msh_blocks: (".msh", 30_000), msh_binary_blocks: (".msh", 12_000), msh_entities: (".msh", 50_000),
    msh_bad_word: (".msh", 45_000), msh_mixed_rows: (".msh", 20_000), nrrd_line_skip: (".nrrd", 500_000),
    vtu_pieces: (".vtu", 2_700), veg_regions: (".veg", 15_000), gltf_nodes: (".gltf", 120_000),
}  # fmt: skip


def seconds(path) -> float:
    start = time.process_time()
    try:
        pl.read(path)
    except pl.errors.InputError as error:
        assert len(str(error)) < 500
    return time.process_time() - start


@pytest.mark.parametrize("make", SLOW, ids=lambda make: make.__name__)
def test_time_is_linear_in_the_size(make, tmp_path):
    """Half a megabyte of anything takes no longer than some plain files of that size; it took from ten seconds to minutes."""
    suffix, n = SLOW[make]
    plain, slow = tmp_path / "plain.ply", tmp_path / f"slow{suffix}"
    plain.write_bytes(normal(50_000))
    slow.write_bytes(make(n))
    assert 0.2 < slow.stat().st_size / plain.stat().st_size < 2
    seconds(plain)  # the first brings in what it needs
    assert seconds(slow) < 20 * seconds(plain) + 0.5


def packed_npz(values: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.savez_compressed(out, kind=np.array("PointCloud"), vertices=values)
    return out.getvalue()


def packed_nifti(count: int) -> bytes:
    head = bytearray(352)
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, 3, 100, 100, count // 10_000, 1, 1, 1, 1)
    struct.pack_into("<2h", head, 70, 2, 8)
    struct.pack_into("<8f", head, 76, 1, 1, 1, 1, 1, 1, 1, 1)
    struct.pack_into("<f", head, 108, 352)
    head[344:348] = b"n+1\0"
    return gzip.compress(bytes(head) + bytes(count), 9)


def packed_nrrd(count: int) -> bytes:
    sizes = b"100 100 %d" % (count // 10_000)
    head = b"NRRD0004\ntype: uchar\ndimension: 3\nsizes: " + sizes + b"\nencoding: gzip\n\n"
    return head + gzip.compress(bytes(count), 9)


def packed_vtu(count: int) -> bytes:
    block = zlib.compress(bytes(count), 9)
    raw = base64.b64encode(struct.pack("<4I", 1, count, count, len(block)) + block)
    array = b'<DataArray type="Float64" NumberOfComponents="3" format="binary">' + raw + b"</DataArray>"
    piece = b'<Piece NumberOfPoints="%d" NumberOfCells="0"><Points>' % (count // 24) + array + b"</Points></Piece>"
    return vtu(piece, b"", b' compressor="vtkZLibDataCompressor"')


PACKED = {
    "nii.gz": packed_nifti,
    "nrrd": packed_nrrd,
    "npz": lambda count: packed_npz(np.zeros((count // 24, 3))),
    "vtu": packed_vtu,
}


@pytest.mark.parametrize("suffix", PACKED)
def test_small_files_that_unpack_to_much_are_refused_before_they_do(suffix, tmp_path):
    file = tmp_path / f"a.{suffix}"
    file.write_bytes(PACKED[suffix](24_000_000))
    assert file.stat().st_size < 100_000
    tracemalloc.start()
    try:
        with pytest.raises(pl.errors.InputError, match=r"in memory, from a file of .* MB; the limit is 6 MB: .* read\(path, lim"):
            pl.read(file, limit=6e6)
        assert tracemalloc.get_traced_memory()[1] < 8e6
    finally:
        tracemalloc.stop()
    pl.read(file, limit=1e8)


def test_the_usual_limit_is_for_packed_files_of_any_size(tmp_path):
    """A file of 400 kB that claims 350 MB, and whose data are in truth not there."""
    file = tmp_path / "a.nii.gz"
    file.write_bytes(packed_nifti(350_000_000 // 1000)[:-8] + bytes(400_000))
    whole = bytearray(gzip.decompress(packed_nifti(10_000)))
    struct.pack_into("<3h", whole, 42, 700, 1000, 500)
    file.write_bytes(gzip.compress(bytes(whole), 0) + bytes(400_000))
    with pytest.raises(pl.errors.InputError, match="350 MB in memory"):
        pl.read(file)


def test_arrays_that_share_their_bytes_count_each(tmp_path):
    """A thousand pieces that all point at one megabyte."""
    array = b'<DataArray type="Float64" NumberOfComponents="3" format="appended" offset="0"/>'
    piece = b'<Piece NumberOfPoints="41666" NumberOfCells="0"><Points>' + array + b"</Points></Piece>"
    file = tmp_path / "a.vtu"
    file.write_bytes(vtu(piece * 1000, struct.pack("<I", 999_984) + bytes(999_984)))
    with pytest.raises(pl.errors.InputError, match="the limit is 23 MB"):
        pl.read(file, limit=1e6)


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), "1 GB", True, None])
def test_limits_that_are_none(limit, tmp_path):
    file = tmp_path / "a.ply"
    file.write_bytes(normal(3))
    with pytest.raises(pl.errors.InputError, match=r"limit is .*; expected a positive number of bytes"):
        pl.read(file, limit=limit)
