"""Journal of a fit, from which it resumes.

Searches are deterministic, so that the same answers repeat them, bit for bit; nothing else is stored.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...arguments.atomic_files import packed, target, unpacked, write_bytes
from ...errors import InputError

EXPECTED = "a checkpoint that fit(checkpoint=…) wrote"
KINDS = ("slope", "normal", "rejected", "cost")


@dataclass(frozen=True, eq=False)
class Answer:
    """The result for some shares: a cost, its gradient and JᵀJ if requested, or why there is none."""

    kind: str
    shares: np.ndarray
    cost: float = np.nan
    slope: np.ndarray | None = None
    normal: np.ndarray | None = None
    why: str = ""


class Journal:
    """The answers so far, in order; with a ``path`` every new one is on the disk before it is used.

    ``question`` identifies the problem: a file with another one is refused.
    """

    def __init__(self, path: str | os.PathLike[str] | None, question: dict[str, str], size: int):
        self.path, self.question, self.size = None if path is None else target(path), question, size
        self.answers: list[Answer] = []
        self.next = 0
        if self.path is not None and self.path.exists():
            self.answers = self._read(self.path)

    def recall(self, kind: str, shares: np.ndarray) -> Answer | None:
        """The next answer, if it is for these shares; those of another search are dropped."""
        if self.next < len(self.answers):
            answer = self.answers[self.next]
            if answer.kind in (kind, "rejected") and np.array_equal(answer.shares, shares):
                self.next += 1
                return answer
            del self.answers[self.next :]
        return None

    def keep(self, answer: Answer) -> Answer:
        """Store a new answer."""
        self.answers.append(answer)
        self.next = len(self.answers)
        if self.path is not None:
            write_bytes(self.path, packed(self._arrays()))
        return answer

    def _arrays(self) -> dict[str, np.ndarray]:
        none = np.full(self.size, np.nan)
        normals = [a.normal for a in self.answers if a.normal is not None]
        return {
            "question": np.array(json.dumps(self.question)),
            "kind": np.array([KINDS.index(a.kind) for a in self.answers], np.int64),
            "shares": np.array([a.shares for a in self.answers]),
            "cost": np.array([a.cost for a in self.answers]),
            "slope": np.array([none if a.slope is None else a.slope for a in self.answers]),
            "normal": np.array(normals).reshape(len(normals), self.size, self.size) if normals else np.zeros((0, 0, 0)),
            "why": np.array([a.why for a in self.answers], dtype="U400"),
        }

    def _read(self, path: Path) -> list[Answer]:
        arrays = unpacked(path, EXPECTED)
        try:
            question = json.loads(str(arrays["question"]))
            changed = [name for name in self.question if question.get(name) != self.question[name]]
            if changed:
                raise InputError(
                    f"{path} is of another fit: {', '.join(changed)} differ; delete it or choose another checkpoint="
                )
            normals, answers = iter(arrays["normal"]), []
            for i, number in enumerate(arrays["kind"]):
                kind = KINDS[int(number)]
                answers.append(
                    Answer(
                        kind,
                        arrays["shares"][i],
                        float(arrays["cost"][i]),
                        arrays["slope"][i] if kind in ("slope", "normal") else None,
                        next(normals) if kind == "normal" else None,
                        str(arrays["why"][i]),
                    )
                )
        except InputError:
            raise
        except Exception:  # any error of a file that only looks like a journal
            raise InputError(f"{path} cannot be read; expected {EXPECTED}") from None
        return answers
