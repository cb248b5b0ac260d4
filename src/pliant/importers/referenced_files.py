"""Referenced files of a description, found and read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

import numpy as np

from ..errors import InputError
from ..geometry import files
from ..geometry.mesh.mesh import TetMesh, TriMesh


def found(name: str, folder: Path, packages: Mapping[str, str | os.PathLike[str]] | None = None) -> Path:
    """The file of a name, which may be package://NAME/…, file://… or a path from ``folder``."""
    if name.startswith(("package://", "model://")):
        package, _, rest = unquote(name.partition("://")[2]).partition("/")
        if not package.strip(". ") or Path(rest).is_absolute() or ".." in Path(rest).parts:
            raise InputError(f"{name[:80]} leads out of its package; expected a file in it")
        given = (packages or {}).get(package)
        places = [Path(given)] if given is not None else []
        above = [folder, *folder.parents]
        places += [up for up in above if up.name == package] + [up / package for up in above]
        places += [Path(p) / package for p in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep) if p]
        for place in places:
            if (place / rest).is_file():
                return place / rest
        raise InputError(
            f"there is no file {name} for {folder.name or folder}; expected a folder {package!r} around the description, or "
            f"packages={{{package!r}: FOLDER}}"
        )
    if "://" in name and not name.startswith("file://"):
        raise InputError(f"{name} is not on this machine; expected a file in the folder of the description")
    path = folder / unquote(name.removeprefix("file://"))
    if not path.is_file():
        raise InputError(f"there is no mesh file {path}; expected it where the description says")
    return path


def surface_in(path: Path, scale: np.ndarray) -> TriMesh:
    """The surface in a mesh file, scaled; a reflection turns its triangles round."""
    mesh = files.read(path)
    if isinstance(mesh, TetMesh):
        mesh = mesh.boundary
    if not isinstance(mesh, TriMesh):
        raise InputError(f"{path} holds a {type(mesh).__name__}; expected a surface")
    if not np.all(np.abs(scale) > 0):
        raise InputError(f"{path} is scaled by {scale.tolist()}; expected factors that are not 0")
    triangles = mesh.triangles if np.prod(scale) > 0 else mesh.triangles[:, ::-1]
    return TriMesh(mesh.vertices * scale, triangles)
