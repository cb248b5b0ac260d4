"""Write the add-on that simulates objects inside Blender, one file to install, with instructions.

In Blender: Edit > Preferences > Add-ons > Install (from disk), choose the file and tick Pliant; the panel is in the
sidebar of the 3D view (N). The file has the place of this pliant in it. Blender 3.4 and newer.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .common.paths import writable
from .common.terminal import print_json

EXAMPLE = "pliant blender"
NAME = "pliant_blender"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help=f"file or folder to write to (default: {NAME}.zip here)")


def run(args: argparse.Namespace) -> int:
    from ..arguments.atomic_files import write_bytes
    from ..errors import InputError

    path = Path(args.path or ".")
    path = path / f"{NAME}.zip" if path.is_dir() else path
    if path.suffix.lower() != ".zip":
        raise InputError(f"{path}: expected a folder that exists, or a name ending in .zip")
    writable(path.parent, "the folder")
    write_bytes(path, archive(sys.executable))
    if args.json:
        print_json({"file": str(path), "program": sys.executable})
        return 0
    print(f"wrote {path}")
    print("In Blender: Edit > Preferences > Add-ons > Install (from disk), choose this file, tick Pliant.")
    print("Then select an object, press N over the 3D view, and open the tab Pliant.")
    return 0


def archive(program: str) -> bytes:
    """The add-on as a zip that runs ``program``; the same bytes for the same program."""
    import io
    import zipfile

    folder, packed = Path(__file__).with_name("blender_addon"), io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for part in sorted([*folder.glob("*.py"), folder / "blender_manifest.toml"]):
            text = part.read_text(encoding="utf-8")
            if part.name == "exchange.py":
                text = text.replace('PROGRAM = ""', f"PROGRAM = {program!r}", 1)
            file.writestr(zipfile.ZipInfo(f"{NAME}/{part.name}", (2026, 1, 1, 0, 0, 0)), text)
    return packed.getvalue()
