"""Gzip data of a known size: unpacked only as far as that, whatever the file claims."""

from __future__ import annotations

import zlib

from ..source import Source

_RATIO = 1100  # deflate cannot expand further than this


def inflated(source: Source, packed: bytes, size: int, what: str, whole: bool = True, wbits: int = 31) -> bytes:
    """The first ``size`` bytes of gzip data, in one or several members; where ``whole``, there may be no more.

    ``wbits`` is zlib's: 31 for gzip, 47 for gzip or zlib.
    """
    if size > _RATIO * len(packed):
        raise source.error(f"promises {size} bytes for {what}, more than its {len(packed)} packed bytes can hold")
    source.claim(size, f"unpacking {what}")
    out, left, rest = [], size + 1, packed
    while rest and left > 0:
        inflate = zlib.decompressobj(wbits=wbits)
        try:
            out.append(inflate.decompress(rest, left))
        except zlib.error as error:
            raise source.error(f"{what} cannot be unpacked ({str(error)[:80]})") from None
        left -= len(out[-1])
        if not inflate.eof:
            break
        rest = inflate.unused_data
        if rest[:2] != b"\x1f\x8b":  # zeros that pad to a block of tape
            break
    data = b"".join(out)
    if len(data) < size or (whole and (len(data) > size or not inflate.eof)):
        unpacked = f"more than {size}" if len(data) > size else f"{len(data)}"
        raise source.error(f"unpacks to {unpacked} bytes for {what}, or ends too early; expected {size} bytes")
    return data if len(data) == size else data[:size]
