"""Soft bodies in Python: elasticity, contact, cutting, fits. Importing starts nothing."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from .arguments.renamed import FLAT as _OLD_FLAT
from .arguments.renamed import NAMES as _RENAMED
from .arguments.renamed import SPACES as _OLD_SPACES
from .arguments.renamed import say as _say

__version__ = "0.2.0"

# what ``__init__.pyi`` imports is the public interface: name → module that defines it, and modules that hold more names
_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8"))
_FOUND = {name.name: node.module for node in _STUB.body if isinstance(node, ast.ImportFrom) for name in node.names}
_HOME = {name: module for name, module in _FOUND.items() if module not in (None, "namespaces")}
_NAMESPACES = tuple(sorted(_FOUND.keys() - _HOME.keys()))
__path__.append(str(Path(__file__).with_name("namespaces")))  # so that ``import pliant.hold`` finds namespaces/hold.py
# names of before 0.2 that are called otherwise now: for the message, they are not found by it
_MOVED = {
    "rod_grid": "meshes.rod",
    "net_grid": "meshes.net",
    "sphere_mesh": "meshes.sphere",
    "box_mesh": "meshes.box",
    "torus_mesh": "meshes.torus",
    "sdf_from_mesh": "sdf.from_mesh",
    "sdf_from_volume": "sdf.from_volume",
    "sdf_from_points": "sdf.from_points",
    "Linear": "LinearElastic",
    "Pins": "Hold(where)",
    "Attachment": "Hold(where, by=hold.Springs(stiffness))",
    "Tether": "Hold(points, by=hold.Springs(stiffness))",
    "Clamp": "Hold(where, by=hold.Weakly())",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name in _NAMESPACES:
        return import_module(f".{name}", __name__)
    if name in _HOME:
        from .arguments.argument_errors import explained

        module = import_module(f".{_HOME[name]}", __name__)
        value = explained(getattr(module, name), _public)
        globals()[name] = value
        setattr(module, name, value)
        return value
    if name in _OLD_FLAT:
        space, _, bare = _OLD_FLAT[name].partition(".")
        _say(f"{__name__}.{name}", f"{__name__}.{_OLD_FLAT[name]}")
        return getattr(import_module(f".{space}", __name__), bare)
    if name in _OLD_SPACES:
        return sys.modules[f"{__name__}.{name}"]
    if name.startswith("__"):  # what tools ask every module for, again and again
        raise AttributeError(f"module 'pliant' has no attribute {name!r}")
    from .errors import did_you_mean

    moved = _MOVED.get(name, _RENAMED.get(name))
    places = [moved] if moved else _spaces_with(name)
    known = f"; it is now pliant.{' or pliant.'.join(places)}" if places else did_you_mean(name, __dir__())
    raise AttributeError(f"module 'pliant' has no attribute {name!r}{known}")


def _spaces_with(name: str) -> list[str]:
    """Where namespaces have a name, by their lists, which are read: to import them would load what computes."""
    folder, found = Path(__file__).parent, []
    for space in _NAMESPACES:
        places = (folder / space / "__init__.py", folder / f"{space}.py", folder / "namespaces" / f"{space}.py")
        file = next(file for file in places if file.is_file())
        if f'"{name}"' in file.read_text("utf-8").partition("__all__ = [")[2].partition("]")[0]:
            found.append(f"{space}.{name}")
    return found


def _drawn(thing: Any) -> Any:
    from .output.notebook_pictures import drawn

    return drawn(thing)


def _offer_pictures() -> None:
    """Have a notebook draw meshes, solids, bodies, scenes, simulations and runs that end a cell."""
    shell = sys.modules["IPython"].get_ipython()
    if shell is not None:
        images = shell.display_formatter.formatters["image/png"]
        for name in ("TriMesh", "TetMesh", "EdgeMesh", "Sdf", "Volume", "Body", "Scene", "Simulation", "Run"):
            images.for_type_by_name(f"{__name__}.{_HOME[name]}", name, _drawn)
        images.for_type_by_name(f"{__name__}.geometry.lattice.hex_mesh", "HexMesh", _drawn)
        images.for_type_by_name(f"{__name__}.simulate.modes", "Modes", _drawn)


if "IPython" in sys.modules:
    _offer_pictures()


def __dir__() -> list[str]:
    return [*__all__, *_NAMESPACES, "__version__"]


def _public() -> list[tuple[str, Any]]:
    """Every public name but those of extend, those of namespaces with that of theirs before it, and what it stands for."""
    package = import_module(__name__)
    flat = [(name, getattr(package, name)) for name in _HOME]
    spaces = [(space, getattr(package, space)) for space in _NAMESPACES if space != "extend"]
    return flat + [(f"{space}.{name}", getattr(module, name)) for space, module in spaces for name in module.__all__]
