"""Sentences for calls whose arguments do not fit.

Public functions and the methods of public classes are wrapped when their name is first asked for, not on import. The
wrapper keeps signature and docstring, and does nothing but call until Python itself refuses the arguments.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from ..errors import ArgumentError, did_you_mean
from .renamed import ARGUMENTS, renamed, say

# words of other programs and of the literature → ours
WORDS = {
    "E": "young", "youngs_modulus": "young", "stiffness": "young", "nu": "poisson", "poissons_ratio": "poisson",
    "rho": "density", "mass_density": "density", "steps": "seconds", "duration": "seconds", "time": "seconds",
    "mesh": "shape", "elements": "shape", "law": "material", "fixed": "pinned", "fps": "frames_per_second",
    "h": "dt", "timestep": "dt", "time_step": "dt", "max_iterations": "iterations", "tol": "tolerance",
    "filename": "path", "file": "path", "resolution": "spacing", "cell_size": "spacing",
    "x": "x_label", "y": "y_label",
}  # fmt: skip
MOVED = {"itself": "Contact(self_contact=…)"}  # arguments of before 0.2 → what they are now, elsewhere
FIRST = {"dt": "ImplicitEuler"}  # of several classes with such an argument, the one that is named before the others
Public = Callable[[], Iterable[tuple[str, Any]]]  # names of the package and what they stand for
_done: set[type] = set()


def explained(value: Any, public: Public) -> Any:
    """A public function wrapped, or a public class whose constructor and methods are; anything else as it is."""
    if isinstance(value, FunctionType):
        return _wrapped(value, value.__name__, 0, public)
    if isinstance(value, type):
        for kind in value.__mro__:
            if kind.__module__.startswith("pliant.") and kind not in _done:
                _done.add(kind)
                _wrap_methods(kind, public)
    return value


def published(namespace: str) -> None:
    """Explain every public name of a module that is a namespace of the package, however it is imported."""
    module = sys.modules[namespace]
    module.__getattr__ = functools.partial(renamed, namespace.rpartition(".")[2])  # type: ignore[method-assign]
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, FunctionType | type):
            wrapped = explained(value, sys.modules["pliant"]._public)
            setattr(module, name, wrapped)
            setattr(sys.modules[value.__module__], value.__name__, wrapped)


def _wrap_methods(kind: type, public: Public) -> None:
    for name, member in list(vars(kind).items()):
        if name.startswith("_") and name != "__init__":
            continue
        if isinstance(member, classmethod | staticmethod):
            if isinstance(member.__func__, FunctionType):
                skip = 1 if isinstance(member, classmethod) else 0
                setattr(kind, name, type(member)(_wrapped(member.__func__, f"{kind.__name__}.{name}", skip, public)))
        elif isinstance(member, FunctionType):
            setattr(kind, name, _wrapped(member, "" if name == "__init__" else f".{name}", 1, public))


def _wrapped(function: FunctionType, label: str, skip: int, public: Public) -> FunctionType:
    """A function that explains calls which do not fit.

    ``label``: its name in a sentence, after that of the object's class;
    ``skip``: first arguments (self, cls) that are not written.
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if error.__traceback__.tb_next is not None:  # from inside the function, so its arguments did fit
                raise
            owner = type(args[0]).__name__ if skip and args and not isinstance(args[0], type) else ""
            old = {name: new for name in kwargs if (new := ARGUMENTS.get(f"{owner}{label}.{name}")) not in (None, *kwargs)}
            why = _sentence(function, owner + label, args[skip:], kwargs, skip, public)
        if not old:
            raise ArgumentError(why) from None
        for name, new in old.items():
            say(f"{owner}{label}({name}=…)", f"{new}=…")
        return call(*args, **{old.get(name, name): value for name, value in kwargs.items()})

    return call


def _sentence(function: Callable, label: str, args: tuple, kwargs: dict, skip: int, public: Public) -> str:
    parameters = dict(list(inspect.signature(function).parameters.items())[skip:])
    named = [name for name, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    places = [n for n in named if parameters[n].kind is not inspect.Parameter.KEYWORD_ONLY]
    there = f"; its arguments are {', '.join(named)}" if named else "; it takes no arguments"
    unknown = [name for name in kwargs if name not in named]
    if unknown:
        return f"{label} has no argument {unknown[0]!r}{_hint(unknown[0], named, public)}{there}"
    if len(args) > len(places):
        most = f"at most {len(places)}" if places or not named else f"all of them by name, as in {label}({named[-1]}=…)"
        return f"{label} was given {len(args)} arguments without a name; expected {most}{there}"
    twice = [name for name in places[: len(args)] if name in kwargs]
    if twice:
        return f"{label} was given {twice[0]} twice, by place and by name{there}"
    given = {*places[: len(args)], *kwargs}
    missing = [n for n in named if n not in given and parameters[n].default is inspect.Parameter.empty]
    return f"{label} needs {' and '.join(missing)}{there}"


def _hint(name: str, named: list[str], public: Public) -> str:
    """What was perhaps meant: a name much like it, another word for it, or what it is an argument of."""
    if name in MOVED:
        return f"; it is now {MOVED[name]}"
    if WORDS.get(name) in named:
        return f" (did you mean {WORDS[name]!r}?)"
    near = did_you_mean(name, named)
    if near:
        return near
    owners = []
    for owner, value in public():
        if isinstance(value, type) and value.__module__.startswith("pliant."):
            try:
                has_it = name in inspect.signature(value).parameters
            except (ValueError, TypeError):  # it has none that Python can tell
                continue
            owners += [owner] if has_it else []
    if not owners:
        return ""
    owners.sort(key=lambda owner: owner != FIRST.get(name))
    return f" ({', '.join(f'{owner}({name}=…)' for owner in owners[:3])} {'has' if len(owners) == 1 else 'have'} one)"
