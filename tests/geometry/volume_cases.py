"""Volume files built byte by byte from the formats' definitions, apart from the readers that they test."""

import base64
import gzip
import struct
import zlib

import numpy as np


def nifti(values, order="<", affine=None, quaternion=None, scale=(1.0, 0.0), units=2, pixdim=(1, 1, 1, 1)) -> bytes:
    """A NIfTI-1 file; ``affine`` (3, 4) becomes the sform, ``quaternion`` (b, c, d, x, y, z) the qform."""
    codes = {"u1": 2, "i2": 4, "i4": 8, "f4": 16, "f8": 64, "i1": 256, "u2": 512, "u4": 768, "i8": 1024, "u8": 1280}
    kind = values.dtype.str[1:]
    head = bytearray(352)
    struct.pack_into(order + "i", head, 0, 348)
    struct.pack_into(order + "8h", head, 40, 3, *values.shape, 1, 1, 1, 1)
    struct.pack_into(order + "2h", head, 70, codes[kind], 8 * values.dtype.itemsize)
    struct.pack_into(order + "4f", head, 76, *pixdim)
    struct.pack_into(order + "3f", head, 108, 352.0, *scale)
    head[123] = units | 8  # time in seconds, too
    if quaternion is not None:
        struct.pack_into(order + "h", head, 252, 1)
        struct.pack_into(order + "6f", head, 256, *quaternion)
    if affine is not None:
        struct.pack_into(order + "h", head, 254, 1)
        struct.pack_into(order + "12f", head, 280, *np.ravel(affine))
    head[344:348] = b"n+1\0"
    return bytes(head) + values.astype(order + kind).tobytes(order="F")


def nrrd(values, order="<", encoding="raw", fields="", data_file=None) -> tuple[bytes, bytes]:
    """Header and data of a NRRD file; ``fields`` are further lines."""
    names = {"u1": "uchar", "i2": "short", "u2": "unsigned short", "i4": "int", "f4": "float", "f8": "double"}
    kind = values.dtype.str[1:]
    head = f"NRRD0005\n# a comment\ntype: {names[kind]}\ndimension: 3\nsizes: {' '.join(map(str, values.shape))}\n"
    head += f"endian: {'little' if order == '<' else 'big'}\nencoding: {encoding}\n{fields}key:=value\n"
    raw = values.astype(order + kind).tobytes(order="F")
    if encoding == "gzip":
        raw = gzip.compress(raw, mtime=0)
    elif encoding == "ascii":
        raw = " ".join(map(repr, values.reshape(-1, order="F").tolist())).encode()
    return (head + (f"data file: {data_file}\n" if data_file else "\n")).encode(), raw


def vti(values, order="<", how="ascii", packed=False, section="PointData", attributes="") -> bytes:
    """An ImageData file: ``how`` is ascii, binary, or appended raw or base64."""
    names = {"u1": "UInt8", "i2": "Int16", "i4": "Int32", "f4": "Float32", "f8": "Float64"}
    raw = values.astype(order + values.dtype.str[1:]).tobytes(order="F")
    if packed:
        parts = [raw[: len(raw) // 2], raw[len(raw) // 2 :]]
        blocks = [zlib.compress(part) for part in parts]
        head = np.array([2, len(parts[0]), len(parts[1]), *map(len, blocks)], order + "u4").tobytes()
        pieces = [head, b"".join(blocks)]
    else:
        pieces = [np.array(len(raw), order + "u4").tobytes() + raw]
    coded = b"".join(map(base64.b64encode, pieces))
    text = " ".join(map(repr, values.reshape(-1, order="F").tolist())).encode()
    body = {"ascii": text, "binary": coded}.get(how, b"")
    form = how if how in ("ascii", "binary") else 'appended" offset="0'
    more = 1 if section == "CellData" else 0
    extent = " ".join(f"2 {1 + n + more}" for n in values.shape)
    endian = "LittleEndian" if order == "<" else "BigEndian"
    compressor = ' compressor="vtkZLibDataCompressor"' if packed else ""
    out = f'<VTKFile type="ImageData" version="0.1" byte_order="{endian}"{compressor}>'
    out += f'<ImageData WholeExtent="{extent}" Origin="0.1 0.2 0.3" Spacing="0.5 1 2"{attributes}>'
    out += f'<Piece Extent="{extent}"><{section} Scalars="s"><DataArray type="Float32" Name="v" NumberOfComponents="3" '
    out += f'format="ascii">1 2 3</DataArray><DataArray type="{names[values.dtype.str[1:]]}" Name="s" format="{form}">'
    out = out.encode() + body + f"</DataArray></{section}></Piece></ImageData>".encode()
    if how in ("raw", "base64"):
        out += f'<AppendedData encoding="{how}">_'.encode() + (b"".join(pieces) if how == "raw" else coded)
        out += b"</AppendedData>"
    return out + b"</VTKFile>"
