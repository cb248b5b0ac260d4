"""PNG and animated PNG, written by hand: no imaging library needed."""

from __future__ import annotations

import struct
import zlib

import numpy as np

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TRUECOLOUR, _PALETTE = 2, 3


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _header(width: int, height: int, colour_type: int) -> bytes:
    return _SIGNATURE + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour_type, 0, 0, 0))


def _filtered(image: np.ndarray) -> bytes:
    """Prefix each row with the filter (left, up or Paeth) whose remainder is smallest, and return the rows."""
    height, width, channels = image.shape
    now = image.astype(np.int16).reshape(height, width * channels)
    left = np.zeros_like(now)
    left[:, channels:] = now[:, :-channels]
    up = np.zeros_like(now)
    up[1:] = now[:-1]
    corner = np.zeros_like(now)
    corner[1:, channels:] = now[:-1, :-channels]
    guess = left + up - corner
    near = [np.abs(guess - side) for side in (left, up, corner)]
    paeth = np.where((near[0] <= near[1]) & (near[0] <= near[2]), left, np.where(near[1] <= near[2], up, corner))
    kinds = np.array([1, 2, 4], dtype=np.uint8)
    rows = np.stack([(now - side).astype(np.uint8) for side in (left, up, paeth)])
    best = np.abs(rows.astype(np.int8).astype(np.int16)).sum(axis=2).argmin(axis=0)
    chosen = rows[best, np.arange(height)]
    return np.concatenate([kinds[best][:, None], chosen], axis=1).tobytes()


def png(image: np.ndarray) -> bytes:
    """Return the PNG file of an (height, width, 3) uint8 sRGB image."""
    height, width, _ = image.shape
    body = zlib.compress(_filtered(image), 5)
    return _header(width, height, _TRUECOLOUR) + _chunk(b"sRGB", b"\0") + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def apng(frames: np.ndarray, palette: np.ndarray, fps: float) -> bytes:
    """Return the animated PNG of (n, height, width) uint8 palette indices; it plays for ever.

    ``palette`` is (≤ 255, 3) uint8: the next index is kept for "as before", so that only what changed is stored.
    """
    count, height, width = frames.shape
    keep = len(palette)
    parts = [
        _header(width, height, _PALETTE),
        _chunk(b"acTL", struct.pack(">II", count, 0)),
        _chunk(b"PLTE", palette.astype(np.uint8).tobytes() + b"\0\0\0"),
        _chunk(b"tRNS", b"\xff" * keep + b"\0"),
    ]
    sequence = 0
    for i, frame in enumerate(frames):
        x = y = 0
        if i:
            changed = frame != frames[i - 1]
            rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
            if len(rows):
                y, x = int(rows[0]), int(columns[0])
                window = np.s_[y : rows[-1] + 1, x : columns[-1] + 1]
            else:
                window = np.s_[0:1, 0:1]
            frame = np.where(changed, frame, np.uint8(keep))[window]
        rows = np.concatenate([np.zeros((len(frame), 1), np.uint8), frame], axis=1)
        data = zlib.compress(rows.tobytes(), 9)
        blend = 1 if i else 0  # over what is there; the first frame replaces all
        high, wide = frame.shape
        control = struct.pack(">IIIIIHHBB", sequence, wide, high, x, y, 1000, round(1000 * fps), 0, blend)
        parts.append(_chunk(b"fcTL", control))
        sequence += 1
        if i == 0:
            parts.append(_chunk(b"IDAT", data))
        else:
            parts.append(_chunk(b"fdAT", struct.pack(">I", sequence) + data))
            sequence += 1
    return b"".join([*parts, _chunk(b"IEND", b"")])
