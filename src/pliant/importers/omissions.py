"""Omissions of an importer, counted; and XML without harm."""

from __future__ import annotations

import copy
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..errors import InputError

LARGEST = 64 * 2**20  # [bytes] of a description, with all files that it includes
DEEPEST = 200  # elements within elements, likewise
ELEMENTS, SHARE = 10_000, 20  # elements after includes, or so many times those in the files if that is more
AFTER = (" of ", " without ", " that ", " for ", " on ", " given ", " (")  # what may follow a noun


class LeftOut:
    """Things that were not taken over: by their kind, with how many there are, and sentences about single ones."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}
        self._notes: dict[str, None] = {}

    def count(self, kind: str, number: int = 1) -> None:
        """``number`` more of a kind, which is named in the singular."""
        if number:
            self._counts[kind] = self._counts.get(kind, 0) + number

    def note(self, sentence: str) -> None:
        """Something that was taken otherwise than the file says."""
        self._notes[sentence] = None

    @property
    def lines(self) -> tuple[str, ...]:
        """Such as "3 actuators", the counted ones first."""
        return (*(f"{n} {kind if n == 1 else _plural(kind)}" for kind, n in self._counts.items()), *self._notes)


def _plural(kind: str) -> str:
    noun, joint, rest = next(((a, b, c) for a, b, c in map(kind.partition, AFTER) if b), (kind, "", ""))
    if noun.endswith("y") and noun[-2] not in "aeou":
        noun = f"{noun[:-1]}ies"
    else:
        noun += "es" if noun.endswith(("s", "sh", "x")) else "s"
    return noun + joint + rest


class _Plain(ET.TreeBuilder):
    """Refuses what could make other files or endless text part of this one."""

    def doctype(self, *_: object) -> None:
        raise InputError("has a DOCTYPE, which may pull in anything; expected a file without one")


def parsed(file: Path, before: int = 0) -> ET.Element:
    """The root of an XML file, after ``before`` bytes of others; a DOCTYPE, which alone can declare entities, is refused."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    size = before + len(data)
    if size > LARGEST:
        raise InputError(f"{file} has {size >> 20} MiB; expected a description of at most {LARGEST >> 20} MiB")
    parser = ET.XMLParser(target=_Plain())
    try:
        parser.feed(data)
        root = parser.close()
    except ET.ParseError as error:
        hint = "; run xacro first, xacro FILE > robot.urdf" if b"xacro:" in data else ""
        raise InputError(f"{file} is not XML: {error}{hint}") from None
    except InputError as error:
        raise InputError(f"{file} {error}") from None
    except (LookupError, ValueError) as error:  # an encoding that nobody knows
        raise InputError(f"{file} is not XML: {error}") from None
    level = [root]
    for _ in range(DEEPEST):
        level = [child for element in level for child in element]
    if level:
        raise too_deep(file)
    return root


def too_deep(file: Path) -> InputError:
    return InputError(f"{file} has elements within elements more than {DEEPEST} deep; expected a description of things")


class Included:
    """Puts the contents of included files in their places; names are meant beside the main file.

    The elements of all files together are limited, as includes of includes multiply.
    """

    def __init__(self, main: Path, root: ET.Element):
        self.main, self.files = main, {main.resolve(): root}
        self.bytes, self.held, self.made = main.stat().st_size, 0, 0
        self._count(root)
        self._fill(root, [main.resolve()], 0)

    def _count(self, root: ET.Element) -> None:
        self.held += sum(1 for _ in root.iter())

    def _fill(self, element: ET.Element, above: list[Path], depth: int) -> None:
        """Replace the includes within an element, ``depth`` deep; last first, so that places stay."""
        self.made += len(element)
        if self.made > max(ELEMENTS, SHARE * self.held):
            raise InputError(
                f"includes multiply {self.held} elements to more than {self.made - 1}; expected fewer, or them in one file"
            )
        if depth > DEEPEST:
            raise too_deep(self.main)
        for place, child in reversed(list(enumerate(element))):
            if child.tag == "include":
                path = self._found(child.get("file", ""), above)
                other = copy.copy(self.files[path])
                self._fill(other, [*above, path], depth + 1)
                element[place : place + 1] = list(other)
            elif len(child):
                element[place] = own = copy.copy(child)  # a file may be included several times
                self._fill(own, above, depth + 1)

    def _found(self, name: str, above: list[Path]) -> Path:
        path = self.main.parent / name
        if not path.is_file():
            raise InputError(f"includes {name[:80]!r}, which is not there; expected a file in the same folder")
        path = path.resolve()
        if path in above:
            raise InputError(f"includes {path.name} in itself; expected files that do not go in a circle")
        if path not in self.files:
            self.files[path] = parsed(path, self.bytes)
            self.bytes += path.stat().st_size
            self._count(self.files[path])
        return path


def root_of(file: Path) -> str:
    """The name of the first element of an XML file, or nothing where there is none."""
    try:
        for _, element in ET.iterparse(file, ("start",)):
            return str(element.tag)
    except (OSError, ET.ParseError, LookupError, ValueError):
        pass
    return ""


def numbers(what: str, text: str, count: int | tuple[int, ...] | None = None) -> np.ndarray:
    """The finite numbers of an attribute, as many as expected."""
    try:
        found = np.array([float(word) for word in text.split()])
    except ValueError:
        found = np.full(1, np.nan)
    counts = (count,) if isinstance(count, int) else count
    if not np.isfinite(found).all() or (counts is not None and len(found) not in counts):
        many = "numbers" if counts is None else f"{' or '.join(map(str, counts))} number{'s' if counts != (1,) else ''}"
        raise InputError(f'{what}="{text[:60]}": expected {many}')
    return found


def tags(element: ET.Element) -> Iterator[ET.Element]:
    """The children that are elements: no comments."""
    return (child for child in element if isinstance(child.tag, str))
