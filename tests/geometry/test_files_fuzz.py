"""Damaged files of every format: a mesh or one clear sentence comes out, quickly, and nothing else."""

import base64
import dataclasses
import gzip
import re
import resource
import time
import warnings
import zlib

import meshio
import numpy as np
import pytest
from volume_cases import nifti, nrrd, vti

from pliant import meshes
from pliant.errors import InputError
from pliant.geometry.distance.volume import Volume
from pliant.geometry.files import read, write
from pliant.geometry.inspection.mesh_inspection import inspect
from pliant.geometry.mesh.mesh import EdgeMesh, PointCloud, TetMesh, TriMesh
from pliant.geometry.mesh.primitives import cloth_grid, tet_grid

TETS = TetMesh(tet_grid((0.3, 0.1, 0.2), (1, 1, 1)).vertices, tet_grid((1, 1, 1), (1, 1, 1)).tets, [0, 1, 1, 0, 2])
CLOTH = cloth_grid((0.3, 0.2), (2, 1))
NET = meshes.net((0.3, 0.2), (1, 1))
CLOUD = PointCloud(CLOTH.vertices, np.tile([0.0, 0.6, 0.8], (6, 1)))
SCAN = np.arange(24, dtype=np.int16).reshape(2, 3, 4)
WORDS = b"0 -1 1 3 7 8 9 255 65536 2147483647 2147483648 4294967295 99999999999999999999".split()
WORDS += b"1e400 nan inf -inf 0x1 1_0 1.5 a".split()
NUMBERS = [np.array(v, k).tobytes() for k in ("<i4", ">i4", "<i8") for v in (-1, 2**31 - 1, 2**30, 0, 1, 100)]


def gmsh_1(mesh: TetMesh) -> bytes:
    nodes = "".join(f"{i} {x} {y} {z}\n" for i, (x, y, z) in enumerate(mesh.vertices.tolist(), 10))
    tets = "".join(
        f"{i} 4 {r + 1} 1 4 {' '.join(str(n + 10) for n in tet)}\n"
        for i, (tet, r) in enumerate(zip(mesh.tets.tolist(), mesh.regions.tolist()), 1)
    )
    faces = "9 2 1 1 3 10 11 12\n"
    return f"$NOD\n{len(mesh.vertices)}\n{nodes}$ENDNOD\n$ELM\n{len(mesh.tets) + 1}\n{faces}{tets}$ENDELM\n".encode()


def gmsh_4(mesh: TetMesh, order: str | None) -> bytes:
    """Version 4.1 with one volume per region, tets grouped by it; as text where there is no byte order."""

    def pack(kind: str, *values) -> bytes:
        flat = np.concatenate([np.ravel(v) for v in values]).tolist()
        if order is None:
            return (" ".join(repr(float(v)) if kind == "f8" else str(int(v)) for v in flat) + "\n").encode()
        return np.array(flat, order + kind).tobytes()

    volumes = b"".join(
        pack("i4", [11 + r])
        + pack("f8", np.zeros(6))
        + pack("i8", [1])
        + pack("i4", [r + 1])
        + pack("i8", [1])
        + pack("i4", [-5])
        for r in range(3)
    )
    nodes, half = b"", 3
    for rows in (np.arange(half), np.arange(half, len(mesh.vertices))):
        parametric = 1 if rows[0] == 0 else 0
        points = mesh.vertices[rows]
        if parametric:
            points = np.concatenate([points, np.ones((len(rows), 2))], axis=1)
        nodes += pack("i4", [2, 5, parametric]) + pack("i8", [len(rows)]) + pack("i8", 100 - rows) + pack("f8", points)
    blocks = pack("i4", [2, 5, 2]) + pack("i8", [1]) + pack("i8", [1, 100, 99, 98])
    for r in range(3):
        tets = 100 - mesh.tets[mesh.regions == r]
        rows = np.concatenate([np.arange(len(tets))[:, None] + 2, tets], axis=1)
        blocks += pack("i4", [3, 11 + r, 4]) + pack("i8", [len(rows)]) + pack("i8", rows)
    count, cells = len(mesh.vertices), len(mesh.tets) + 1
    head = b"4.1 0 8\n" if order is None else b"4.1 1 8\n" + np.array(1, order + "i4").tobytes() + b"\n"
    sections = {
        b"MeshFormat": head,
        b"PhysicalNames": b'1\n3 1 "liver"\n',
        b"Entities": pack("i8", [0, 0, 0, 3]) + volumes,
        b"Nodes": pack("i8", [2, count, 1, 100]) + nodes,
        b"Elements": pack("i8", [4, cells, 1, cells]) + blocks,
    }
    return b"".join(b"$%s\n%s%s$End%s\n" % (k, v, b"" if order is None else b"\n", k) for k, v in sections.items())


def appended(mesh: TetMesh, encoding: str, packed: bool, order: str) -> bytes:
    """The same grid with its arrays after the XML, as ParaView writes them."""
    out, parts, offset = [], [], 0
    arrays = [
        ("Points", "Float64", 3, mesh.vertices.astype(order + "f8")),
        ("connectivity", "Int64", 1, mesh.tets.astype(order + "i8")),
        ("offsets", "Int32", 1, (4 * np.arange(1, len(mesh.tets) + 1)).astype(order + "i4")),
        ("types", "UInt8", 1, np.full(len(mesh.tets), 10, "u1")),
        ("region", "Int32", 1, mesh.regions.astype(order + "i4")),
    ]
    for name, kind, width, values in arrays:
        raw = values.tobytes()
        if packed:
            halves = [zlib.compress(raw[:64]), zlib.compress(raw[64:])] if len(raw) > 64 else [zlib.compress(raw)]
            head = [len(halves), 64 if len(halves) > 1 else len(raw), len(raw) - 64 if len(halves) > 1 else 0]
            if len(halves) > 1 and len(raw) > 128:
                halves, head = [zlib.compress(raw)], [1, len(raw), 0]
            pieces = [np.array([*head, *map(len, halves)], order + "u4").tobytes(), b"".join(halves)]
        else:
            pieces = [np.array(len(raw), order + "u4").tobytes() + raw]
        chunk = b"".join(map(base64.b64encode, pieces)) if encoding == "base64" else b"".join(pieces)
        array = f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{width}" format="appended" offset="{offset}"/>'
        out.append(array)
        parts.append(chunk)
        offset += len(chunk)
    compressor = ' compressor="vtkZLibDataCompressor"' if packed else ""
    endian = "LittleEndian" if order == "<" else "BigEndian"
    return (
        (
            f'<VTKFile type="UnstructuredGrid" version="0.1" byte_order="{endian}"{compressor}><UnstructuredGrid>'
            f'<Piece NumberOfPoints="{len(mesh.vertices)}" NumberOfCells="{len(mesh.tets)}"><Points>{out[0]}</Points>'
            f"<Cells>{''.join(out[1:4])}</Cells><CellData>{out[4]}</CellData></Piece></UnstructuredGrid>"
            f'<AppendedData encoding="{encoding}">_'
        ).encode()
        + b"".join(parts)
        + b"</AppendedData></VTKFile>"
    )


def big_endian_ply(mesh: TriMesh) -> bytes:
    head = (
        f"ply\r\nformat binary_big_endian 1.0\r\ncomment fan\r\nelement vertex {len(mesh.vertices)}\r\n"
        "property float x\r\nproperty float y\r\nproperty float z\r\nproperty uchar red\r\nelement face 2\r\n"
        "property uchar flags\r\nproperty list uchar uint vertex_index\r\nend_header\r\n"
    ).encode()
    rows = np.zeros(len(mesh.vertices), [("x", ">f4", 3), ("red", "u1")])
    rows["x"] = mesh.vertices
    quad = b"\1\4" + np.array([0, 2, 3, 1], ">u4").tobytes()
    return head + rows.tobytes() + quad + b"\0\3" + np.array([2, 4, 5], ">u4").tobytes()


@pytest.fixture(scope="module")
def samples(tmp_path_factory) -> dict[str, tuple[dict[str, bytes], object]]:
    """Name → the files of one sample, the first of which is damaged and read, and the mesh they hold."""
    folder, found = tmp_path_factory.mktemp("samples"), {}
    wanted = [
        (TETS, "msh vtu ele node veg npz"), (CLOTH, "obj stl ply off glb msh npz"), (NET, "obj ply vtu npz"),
        (CLOUD, "obj ply off vtu npz"),
    ]  # fmt: skip
    for mesh, suffixes in wanted:
        for suffix in suffixes.split():
            for text in (False, True) if suffix in ("stl", "ply", "msh", "vtu") else (False,):
                path = folder / f"m.{suffix}"
                write(mesh, path, text=text)
                pair = {"ele": ".node", "node": ".ele"}.get(suffix)
                files = {path.name: path.read_bytes()}
                if pair:
                    files["m" + pair] = path.with_suffix(pair).read_bytes()
                found[f"{type(mesh).__name__} {suffix} {'text' if text else ''}".strip()] = files, mesh
                for file in folder.iterdir():
                    file.unlink()
    bare = TetMesh(TETS.vertices, TETS.tets)
    for name, binary in (("gmsh", True), ("gmsh", False), ("gmsh22", True)):
        grid = meshio.Mesh(TETS.vertices, [("tetra", TETS.tets)])
        meshio.write(folder / "g.msh", grid, file_format=name, binary=binary)
        found[f"meshio {name} {binary}"] = {"g.msh": (folder / "g.msh").read_bytes()}, bare
    found["gmsh 1"] = {"g.msh": gmsh_1(TETS)}, TETS
    order = np.argsort(TETS.regions, kind="stable")
    grouped = TetMesh(TETS.vertices, TETS.tets[order], TETS.regions[order])
    for code in (None, "<", ">"):
        found[f"gmsh 4.1 {code}"] = {"g.msh": gmsh_4(TETS, code)}, grouped
    single = CLOTH.vertices.astype(np.float32)
    quads = TriMesh(single, [[0, 2, 3], [0, 3, 1], [2, 4, 5]])
    found["PLY big-endian quads"] = {"q.ply": big_endian_ply(CLOTH)}, quads
    for encoding in ("raw", "base64"):
        for packed in (False, True):
            code = ">" if packed else "<"
            found[f"vtu {encoding} {packed}"] = {"a.vtu": appended(TETS, encoding, packed, code)}, TETS
    text = b"# q\nv 0 0 0 1\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng a\nf 1/1/1 2//2 3 \\\n -1\nf -4 -3 -2\n"
    square = TriMesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3], [0, 1, 2]])
    found["obj quads"] = {"q.obj": text}, square
    return found | volumes(folder)


def volumes(folder) -> dict[str, tuple[dict[str, bytes], Volume]]:
    """The same voxels in every format, each with the place it gives them."""
    affine, turned = np.diag([1.0, 2, 3, 1]), "space: lps\nspace directions: (1,0,0) (0,2,0) (0,0,3)\n"
    plain, inside = Volume(SCAN, (0.001, 0.002, 0.003)), Volume(SCAN, (0.5, 1, 2), (1.1, 2.2, 4.3))
    flipped = Volume(SCAN, plain.spacing, axes=np.diag([-1, -1, 1]))
    found = {
        "nii": ({"v.nii": nifti(SCAN, affine=affine[:3])}, plain),
        "nii big-endian": ({"v.nii": nifti(SCAN, ">", quaternion=np.zeros(6), pixdim=(1, 1, 2, 3))}, plain),
        "nii.gz": ({"v.nii.gz": gzip.compress(nifti(SCAN, pixdim=(1, 1, 2, 3)))}, plain),
        "nhdr": ({"v.nhdr": nrrd(SCAN, fields=turned, data_file="v.raw")[0], "v.raw": nrrd(SCAN)[1]}, flipped),
    }
    for encoding in ("raw", "gzip", "ascii"):
        found[f"nrrd {encoding}"] = {"v.nrrd": b"".join(nrrd(SCAN, ">", encoding, turned))}, flipped
    for how in ("ascii", "binary", "raw", "base64"):
        for packed in (False, True):
            found[f"vti {how} {packed}"] = {"v.vti": vti(SCAN, "<", how, packed)}, inside
    for suffix, text in (("npz", False), ("nrrd", False), ("nrrd", True)):
        write(plain, folder / f"v.{suffix}", text=text)
        found[f"our {suffix} {text}"] = {f"v.{suffix}": (folder / f"v.{suffix}").read_bytes()}, plain
    return found


def damaged(data: bytes, rng: np.random.Generator) -> bytes:
    """One to three random injuries."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        size = len(data)
        if not size:
            return data
        a, b = sorted(rng.integers(0, size + 1, 2).tolist())
        b = min(b, a + 40)
        match int(rng.integers(0, 9)):
            case 0:
                flipped = bytearray(data)
                for at in rng.integers(0, size, rng.integers(1, 9)):
                    flipped[at] ^= 1 << int(rng.integers(0, 8))
                data = bytes(flipped)
            case 1:
                data = data[:a]
            case 2:
                data = data[:a] + b" " + WORDS[rng.integers(len(WORDS))] + b" " + data[a:]
            case 3:
                data = data[:b] + data[a:b] * int(rng.integers(1, 4)) + data[b:]
            case 4:
                data = data[:a] + data[b:]
            case 5:
                number = NUMBERS[rng.integers(len(NUMBERS))]
                data = data[:a] + number + data[a + len(number) :]
            case 6:
                data = data[:a] + rng.bytes(int(rng.integers(1, 12))) + data[a:]
            case 7:  # put another number in place of one
                numbers = [*re.finditer(rb"-?\d[\d.e-]*", data)]
                if numbers:
                    found, word = numbers[rng.integers(len(numbers))], WORDS[rng.integers(len(WORDS))]
                    data = data[: found.start()] + word + data[found.end() :]
            case 8:  # drop, double or swap whole lines
                lines = data.splitlines(keepends=True)
                i, j = rng.integers(0, len(lines), 2)
                lines[i], lines[j] = lines[j], lines[i]
                data = b"".join(lines[: rng.integers(1, len(lines) + 1)] + lines[j:])
    return data


def mesh_report(mesh, where: str) -> None:
    """Whatever was read can also be looked over, or is said to be too large for it."""
    try:
        assert str(inspect(mesh)), where
    except InputError as error:
        assert "expected a smaller one" in str(error), where


def fuzz(samples: dict, folder, seed: int, count: int) -> dict[str, int]:
    """Damage and read ``count`` files of each sample; return how many were still meshes, by sample."""
    survived = {}
    for number, (name, (files, _)) in enumerate(samples.items()):
        first, *others = files
        for file in others:
            (folder / file).write_bytes(files[file])
        survived[name] = 0
        for case in range(count):
            bad = damaged(files[first], np.random.default_rng([seed, number, case]))
            (folder / first).write_bytes(bad)
            where, start = f"{name}, seed {seed}, case {case}: {bad[:2000]!r}", time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                try:
                    mesh = read(folder / first)
                    assert isinstance(mesh, TetMesh | TriMesh | EdgeMesh | PointCloud | Volume), where
                    survived[name] += 1
                    mesh_report(mesh, where)
                except InputError as error:
                    assert str(folder) in str(error) and len(str(error)) < 600, (where, str(error))
                    assert "\n" not in str(error) and str(error).isprintable(), (where, str(error))
                except Exception as error:
                    raise AssertionError(f"{type(error).__name__}: {error} from {where}") from error
            assert time.process_time() - start < 2.0, where
        for file in files:
            (folder / file).unlink()
    return survived


def test_samples_are_whole(samples, tmp_path):
    """Every sample reads, undamaged, as the mesh it was made from."""
    for name, (files, wanted) in samples.items():
        for file, data in files.items():
            (tmp_path / file).write_bytes(data)
        mesh = read(tmp_path / next(iter(files)))
        assert type(mesh) is type(wanted), name
        if "glb" in name:
            assert np.array_equal(mesh.triangles, wanted.triangles), name
            assert np.array_equal(mesh.vertices, wanted.vertices.astype(np.float32)), name
        elif "stl" in name:  # its vertices are numbered by first appearance
            corners = wanted.vertices[wanted.triangles].astype(np.float64 if "text" in name else np.float32)
            assert np.array_equal(mesh.vertices[mesh.triangles], corners), name
            assert len(mesh.vertices) == len(wanted.vertices), name
        else:
            looks = getattr(mesh, "looks", None)
            assert looks is None or looks.fits(mesh.triangles), name
            for field in dataclasses.fields(mesh):
                if field.name in ("looks", "groups"):
                    continue
                was, now = getattr(wanted, field.name), getattr(mesh, field.name)
                same = np.allclose(was, now, rtol=1e-6) if isinstance(mesh, Volume) else np.array_equal(was, now)
                assert (was is None and now is None) or same, (name, field.name)
        for file in files:
            (tmp_path / file).unlink()


@pytest.mark.parametrize("files", [2_500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_damaged_files(samples, tmp_path, capfd, files):
    """Nothing but meshes and clear sentences; nothing printed; no memory taken from a header's word."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    survived = fuzz(samples, tmp_path, seed=1, count=1 + files // len(samples))
    assert capfd.readouterr() == ("", "")
    assert 0.05 * files < sum(survived.values()) < 0.5 * files  # the damage is neither total nor harmless
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kB
