"""Video files of a run (extra pliant[video])."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from ..arguments.atomic_files import whole_file
from ..errors import InputError, did_you_mean
from ..simulate.record.run import Run
from .picture import VIEW, moving
from .render_looks import RayCast, Slice

# suffix → how ffmpeg is asked for it: what every browser and player of today shows
ENCODERS = {
    ".mp4": ["-c:v", "libx264", "-crf", "18", "-preset", "medium", "-movflags", "+faststart"],
    ".webm": ["-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"],
}
# Pictures are sRGB; they are stored as BT.709 and the file says so, or players would guess by its size.
COLOURS = [
    "-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709",
    "-color_trc", "bt709", "-color_range", "tv",
]  # fmt: skip


def video(
    run: Run, path: str | PathLike[str], fps: float = 30.0, colour: str | None = None, size: tuple[int, int] = (960, 720),
    view: tuple[float, float] = VIEW, samples: int = 2, wire: bool = False, limits: tuple[float, float] | None = None,
    title: str | None = None, look: Slice | RayCast | None = None,
) -> Path:  # fmt: skip
    """Draw a run as a video that plays in real time, and return its path. Needs the extra ``pliant[video]``.

    The suffix says which: ``.mp4`` (H.264) or ``.webm`` (VP9). ``fps`` is in pictures per simulated second; ``size`` is
    in pixels, both even; see ``picture`` for the rest.
    """
    suffix = Path(path).suffix.lower() if isinstance(path, str | PathLike) else ""
    if suffix not in ENCODERS:
        raise InputError(f"video path is {str(path)!r}{did_you_mean(suffix, ENCODERS)}; expected a name ending in .mp4 or .webm")
    program = encoder()
    images = moving(run, fps, colour, size, view, samples, wire, limits, title, look)
    if any(int(side) % 2 for side in size):
        raise InputError(f"size is {tuple(size)}; expected even numbers of pixels, as video stores colours by two")
    shape = "x".join(str(int(side)) for side in size)
    rate = str(Fraction(float(fps)).limit_denominator(1001))
    command = [program, "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24"]
    command += ["-s", shape, "-r", rate, "-i", "pipe:0", *COLOURS, *ENCODERS[suffix]]
    with whole_file(path) as temporary, _running([*command, str(temporary.resolve())], Path(path)) as pipe:
        for image in images:
            pipe.write(image.tobytes())
    return Path(path)


def encoder() -> str:
    """The ffmpeg program, or a sentence about how to get it."""
    try:
        from imageio_ffmpeg import get_ffmpeg_exe

        return get_ffmpeg_exe()
    except ImportError:
        raise InputError("cannot write a video: no encoder is installed; pip install 'pliant[video]'") from None
    except RuntimeError as error:
        raise InputError(f"cannot write a video: {' '.join(str(error).split())[:200]}") from None


@contextlib.contextmanager
def _running(command: list[str], path: Path) -> Iterator[BinaryIO]:
    """Its input; when left, ffmpeg has ended well, or what it said is raised."""
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=messages)
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):  # it ended early: its reason follows
                yield process.stdin
                process.stdin.close()
            process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if process.returncode:
            messages.seek(0)
            why = " ".join(messages.read().decode(errors="replace").split())[:300] or f"it ended with {process.returncode}"
            raise InputError(f"cannot write {str(path)!r}: the encoder says {why}")
