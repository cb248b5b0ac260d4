"""Settings, default classes and attributes of an MJCF file."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from ..errors import InputError, did_you_mean
from . import poses
from .omissions import LeftOut, numbers, tags

TURNS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
QUIET = ("name", "class", "childclass", "group", "user")  # say nothing about what happens
LOOKS = ("rgba", "material")


class Given:
    """The attributes of an element over those of its default class."""

    def __init__(self, tag: str, values: dict[str, str], degrees: bool, sequence: str):
        self.tag, self.values, self.degrees, self.sequence = tag, values, degrees, sequence
        self._asked: set[str] = set(QUIET)

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def what(self, name: str) -> str:
        called = self.values.get("name", "")
        return f"{self.tag}{f' {called!r}' if called else ''} {name}"

    def text(self, name: str, usual: str = "") -> str:
        self._asked.add(name)
        return self.values.get(name, usual)

    def one_of(self, name: str, usual: str, known: Iterable[str]) -> str:
        value, known = self.text(name, usual), list(known)
        if value not in known:
            raise InputError(f'{self.what(name)}="{value}"{did_you_mean(value, known)}: expected {", ".join(known)}')
        return value

    def array(self, name: str, count: int | tuple[int, ...] | None, usual: Iterable[float] = ()) -> np.ndarray:
        self._asked.add(name)
        if name not in self.values:
            return np.array(list(usual), float)
        return numbers(self.what(name), self.values[name], count)

    def number(self, name: str, usual: float) -> float:
        return float(self.array(name, 1, [usual])[0])

    def whole(self, name: str, count: int | tuple[int, ...] | None, usual: Iterable[int] = ()) -> np.ndarray:
        found = self.array(name, count, usual)
        if np.any(found != np.round(found)) or np.any(np.abs(found) > 2**31):
            raise InputError(f"{self.what(name)}: expected whole numbers")
        return found.astype(int)

    def rows(self, name: str, wide: int, whole: bool = False) -> np.ndarray:
        """(n, wide) numbers of an attribute."""
        found = self.whole(name, None) if whole else self.array(name, None)
        if not len(found) or len(found) % wide:
            raise InputError(f"{self.what(name)} has {len(found)} numbers; expected {wide} for each row")
        return found.reshape(-1, wide)

    def flag(self, name: str, usual: bool = False) -> bool:
        return self.one_of(name, "true" if usual else "false", ("true", "false")) == "true"

    def turn(self) -> np.ndarray:
        """(3, 3) the orientation, in whichever of five ways it is given."""
        given = [name for name in TURNS if name in self.values]
        self._asked |= set(TURNS)
        if len(given) > 1:
            raise InputError(f"{self.what('')}has {' and '.join(given)}; expected one of them")
        if not given:
            return np.eye(3)
        count = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}[given[0]]
        values = numbers(self.what(given[0]), self.values[given[0]], count)
        if given[0] == "quat":
            return poses.quaternion(values)
        if given[0] == "axisangle":
            return poses.about(values[:3], self.radians(values[3]))
        if given[0] == "zaxis":
            return poses.from_z(values)
        if given[0] == "euler":
            turn = np.eye(3)
            for letter, angle in zip(self.sequence, values):
                step = poses.about(np.eye(3)["xyz".index(letter.lower())], self.radians(angle))
                turn = turn @ step if letter.islower() else step @ turn
            return turn
        x = poses.unit(values[:3], self.what("xyaxes"))
        y = poses.unit(values[3:] - x @ values[3:] * x, self.what("xyaxes"))
        return np.column_stack([x, y, np.cross(x, y)])

    def radians(self, angle: float) -> float:
        return float(np.deg2rad(angle)) if self.degrees else float(angle)

    def pose(self) -> np.ndarray:
        return poses.pose(self.array("pos", 3, (0, 0, 0)), self.turn())

    def tell(self, left_out: LeftOut) -> None:
        """Count what nobody asked for."""
        rest = [name for name in self.values if name not in self._asked]
        owner = f"{'an' if self.tag[0] in 'aeiou' else 'a'} {self.tag}"
        left_out.count(f"look of {owner}", any(name in LOOKS for name in rest))
        for name in rest:
            if name not in LOOKS:
                left_out.count(f"{name} of {owner}")


class Settings:
    """Compiler and default classes of a model."""

    def __init__(self, folder: Path, root: ET.Element):
        self.values: dict[str, str] = {}
        for element in root.iter("compiler"):
            self.values |= dict(element.attrib)
        self.degrees = self.values.get("angle", "degree") == "degree"
        self.sequence = self.values.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            raise InputError(f'compiler eulerseq="{self.sequence}": expected three letters such as xyz or XYZ')
        assets = self.values.get("assetdir", "")
        self.meshes = folder / self.values.get("meshdir", assets)
        self.strip = self.values.get("strippath", "false") == "true"
        self.balance = self.values.get("balanceinertia", "false") == "true"
        self.inertia = self.values.get("inertiafromgeom", "auto")
        self.classes: dict[str, dict[str, dict[str, str]]] = {"main": {}}
        for element in root.iter("mujoco"):
            for default in element.findall("default"):
                self._learn(default, {}, default.get("class", "main"))

    def _learn(self, element: ET.Element, above: dict[str, dict[str, str]], name: str) -> None:
        own = {tag: dict(values) for tag, values in (self.classes.get(name) or above).items()}
        for child in tags(element):
            if child.tag != "default":
                own[child.tag] = over(own.get(child.tag, {}), child.attrib)
        self.classes[name] = own
        for child in element.findall("default"):
            self._learn(child, own, child.get("class", ""))

    def given(self, element: ET.Element, inherited: str = "main", tag: str = "") -> Given:
        """The attributes of an element, within a body that has a class for its children."""
        tag = tag or element.tag
        name = element.get("class") or inherited
        if name not in self.classes:
            near = did_you_mean(name, self.classes)
            raise InputError(f"{tag} {element.get('name', '')!r} has the class {name!r}{near}; expected a default of the file")
        return Given(tag, over(self.classes[name].get(tag, {}), element.attrib), self.degrees, self.sequence)


def over(usual: dict[str, str], own: dict[str, str]) -> dict[str, str]:
    """Attributes in place of usual ones; an orientation or a place given in one way replaces that given in another."""
    gone = TURNS if any(name in own for name in TURNS) else ()
    return {name: value for name, value in usual.items() if name not in gone} | own
