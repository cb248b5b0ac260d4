"""What constructors take and what is then held, told to type checkers; at run time the kinds that are taken."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

Vector = Sequence[float] | np.ndarray  # numbers by axis, or one after another

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    Given = TypeVar("Given")
    Held = TypeVar("Held")

    class Becomes(Generic[Given, Held]):
        """A field that is given as one kind and made into another."""

        def __get__(self, owner: object, kind: Any = None) -> Held: ...
        def __set__(self, owner: object, value: Given) -> None: ...

    class Array:
        """A field that is given as anything like an array and holds one."""

        def __get__(self, owner: object, kind: Any = None) -> np.ndarray: ...
        def __set__(self, owner: object, value: ArrayLike) -> None: ...

    class Many(Generic[Held]):
        """A field that is given as one or several and holds several."""

        def __get__(self, owner: object, kind: Any = None) -> tuple[Held, ...]: ...
        def __set__(self, owner: object, value: Held | Sequence[Held]) -> None: ...

else:
    Array, Many = np.ndarray, Sequence

    class Becomes:
        def __class_getitem__(cls, kinds: tuple[Any, Any]) -> Any:
            return kinds[0]
