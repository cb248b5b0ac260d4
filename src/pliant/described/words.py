"""What a reader meets and does not take over, counted and told in one line each; and XML that cannot harm."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..errors import InputError

LARGEST = 64 * 2**20  # [bytes] of a file of XML
DEEPEST = 200  # elements within elements
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


def parsed(file: Path) -> ET.Element:
    """The root of an XML file; a DOCTYPE, which alone can declare entities, is refused."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise InputError(f"{file} has {len(data) >> 20} MiB; expected a description of at most {LARGEST >> 20} MiB")
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
        raise InputError(
            f"{file} has elements within elements more than {DEEPEST} deep; expected a description of things"
        )
    return root


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
