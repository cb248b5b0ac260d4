"""Reader of robots and models: ``scenes.read``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..arguments import checks
from ..errors import InputError
from .omissions import parsed, root_of
from .scene_contents import Contents

ROOTS = ("robot", "mujoco")
SUFFIXES = (".urdf", ".mjcf", ".xml", ".usd", ".usda", ".usdc", ".usdz")


def is_description(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a robot or a model that ``read`` takes; a scene of meshes alone is none."""
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix.startswith(".usd"):
        from .usd_physics import has_physics

        return has_physics(file)
    return suffix in (".urdf", ".mjcf") or (suffix == ".xml" and root_of(file) in ROOTS)


def read(
    path: str | os.PathLike[str],
    joints: Mapping[str, Any] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    free: bool | None = None,
) -> Contents:
    """Bodies and obstacles from a robot in URDF, a model in MJCF (MuJoCo's XML) or the physics of a USD stage, in metres, z up.

    What moves freely becomes a rigid body, flexes become soft bodies, all else obstacles. ``joints`` are values by name [rad, m],
    0 unless told, or functions of time such as ``schedule.Table``, with which obstacles move. ``packages`` says in which folders
    the packages of URDF lie; ``free`` whether a robot of URDF falls or is held by its first link: by default only a single link
    with a mass falls.
    """
    file = path if isinstance(path, str | os.PathLike) else None
    if file is None or not str(file):
        raise checks.refusal("read(path=…)", path, "the name of a file")
    file = Path(file)
    if packages is not None and not isinstance(packages, Mapping):
        raise checks.refusal("read(packages=…)", packages, "names and folders, {'my_robot': 'folder'}")
    if free is not None:
        checks.flag("read(free=…)", free)
    if file.suffix.lower() not in SUFFIXES:
        raise InputError(f"{file} ends in {file.suffix!r}; expected {', '.join(SUFFIXES)}")
    if file.suffix.lower().startswith(".usd"):
        from . import usd_physics

        if joints or packages or free is not None:
            raise InputError(f"read({file.name}, …): joints, packages and free are for URDF and MJCF; expected none")
        return usd_physics.read(file)
    root = parsed(file)
    if root.tag == "robot":
        from . import urdf

        return urdf.read(file, root, joints, packages, free)
    if root.tag == "mujoco":
        from . import mjcf

        if free is not None:
            raise InputError(f"read(free={free}): {file.name} names its free bodies itself; expected None")
        return mjcf.read(file, root, joints)
    raise InputError(f"{file} begins with <{str(root.tag)[:40]}>; expected <robot> (URDF) or <mujoco> (MJCF)")
