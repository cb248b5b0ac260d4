"""A recording as files to download, made in a temporary folder that goes when the viewer closes."""

from __future__ import annotations

import importlib.util
import re
import shutil
import threading
import zipfile
from pathlib import Path
from typing import Any

from ...arguments.atomic_files import scratch_folder
from ...errors import InputError, did_you_mean
from ...output.export import export
from ...simulate.record.run import Run
from .replay_page import page

# kind → what the page calls it, and its type; the kind is the suffix as well, but that of pc2, which is two files
KINDS = {
    "html": ("Replay page", "text/html"),
    "glb": ("GLB", "model/gltf-binary"),
    "usd": ("USD", "application/octet-stream"),
    "pc2": ("PC2 and OBJ", "application/zip"),
    "npz": ("Pliant run (npz)", "application/octet-stream"),
}
EXTRAS = {"usd": ("pxr", "pliant[usd]")}  # kind → module it needs, and the extra that brings it
KEPT = 4  # files that wait to be fetched


def offered() -> list[dict[str, str]]:
    """Kind, label, and what has to be installed first ("" where nothing) of each file that can be made."""
    formats = []
    for kind, (label, _) in KINDS.items():
        module, extra = EXTRAS.get(kind, ("", ""))
        missing = extra if module and importlib.util.find_spec(module) is None else ""
        formats.append({"kind": kind, "label": label, "missing": missing})
    return formats


class Saves:
    """Files of runs, each at a path below /recording/; the last few are kept."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._files: dict[str, tuple[Path, str]] = {}
        self._number = 0
        self._lock = threading.Lock()  # one at a time: each may take as much memory as the run

    def make(self, run: Run | None, kind: str, name: str = "") -> dict[str, Any]:
        """Write a run as a file and return its path on the server, its name and its size [bytes]. Takes its time."""
        if kind not in KINDS:
            raise InputError(f"cannot save as {kind!r}{did_you_mean(kind, KINDS)}; there are {', '.join(KINDS)}")
        if run is None:
            raise InputError("there is nothing to save yet; record something, then stop")
        stem = re.sub(r"[^A-Za-z0-9_-]+", "_", Path(name).stem).strip("_")[:60] or "pliant"
        with self._lock:
            if self._folder is None:
                self._folder = scratch_folder()
            self._number += 1
            place = self._folder / str(self._number)
            place.mkdir()
            file = _written(run, kind, place, stem)
            path = f"/recording/{self._number}/{file.name}"
            self._files[path] = (file, KINDS[kind][1])
            while len(self._files) > KEPT:
                old, _ = self._files.pop(next(iter(self._files)))
                shutil.rmtree(old.parent, ignore_errors=True)
        return {"path": path, "name": file.name, "bytes": file.stat().st_size}

    def read(self, path: str) -> tuple[str, str, bytes] | None:
        """Name, type and bytes of what was made, or None."""
        file, kind = self._files.get(path, (None, ""))
        try:
            return None if file is None else (file.name, kind, file.read_bytes())
        except FileNotFoundError:  # made room for another just now
            return None

    def close(self) -> None:
        """Take all files away."""
        with self._lock:
            self._files.clear()
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)


def _written(run: Run, kind: str, folder: Path, stem: str) -> Path:
    file = folder / f"{stem}.{kind}"
    if kind == "html":
        return page(run, file, title=stem.replace("_", " "))
    export(run, file)
    if kind != "pc2":
        return file
    packed = folder / f"{stem}_pc2.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in (file, file.with_suffix(".obj")):
            archive.write(part, part.name)
            part.unlink()
    return packed
