"""Archives with one thing in them changed at random: a number, a name, a list, an array."""

import copy
import json
import random

import numpy as np

NASTY = (
    None, True, False, -5, 0, -1, 1, 3, 2**31, 2**63, 10**30, 1e300, -1e300, 5e-324, float("nan"), float("inf"), "",
    "x" * 400, "cuda", "../x", [], [1], {}, {"tuple": []}, {"array": 0}, {"array": 999}, {"array": "x"}, {"lost": "y"},
    {"class": "Scene", "with": {}}, {"class": "Sdf", "with": {"program": {"tuple": []}}}, {"class": 3}, {"with": 3}, [[]],
    {"class": "Newton", "with": {}}, {"tuple": [1, 2, 3]},
)  # fmt: skip


def mutated(arrays: dict[str, np.ndarray], seed: int) -> dict[str, np.ndarray]:
    """A copy with one or two changes in the JSON under "about", or one in an array."""
    rnd = random.Random(seed)
    if rnd.random() < 0.7:
        about = json.loads(bytes(arrays["about"]))
        for _ in range(rnd.choice((1, 1, 1, 2))):
            _change(about, rnd)
        return arrays | {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    name = rnd.choice([name for name in arrays if name != "about"])
    return arrays | {name: _changed(arrays[name], rnd)}


def _paths(data, path=()):
    yield path
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, part in inner:
        yield from _paths(part, (*path, key))


def _at(data, path):
    for key in path:
        data = data[key]
    return data


def _change(about, rnd: random.Random) -> None:
    paths = [path for path in _paths(about) if path]
    *way, key = rnd.choice(paths)
    place, how = _at(about, way), rnd.random()
    if how < 0.75:
        place[key] = copy.deepcopy(rnd.choice(NASTY))
    elif how < 0.85:
        del place[key]
    elif how < 0.92:
        place[key] = copy.deepcopy(_at(about, rnd.choice(paths)))
    elif isinstance(place, list):
        place.extend(copy.deepcopy(place) * rnd.choice((1, 5, 50)))
    else:
        place["nonsense"] = 1


def _changed(array: np.ndarray, rnd: random.Random) -> np.ndarray:
    how = rnd.randrange(9)
    if array.ndim == 0 or how == 0:
        return np.zeros((2, 3)) if how % 2 else np.array(np.nan)
    if how == 1 and array.size:
        one = array.copy()
        whole = array.dtype.kind in "iu"
        one.flat[rnd.randrange(one.size)] = rnd.choice((0, 1, -1, 2**30) if whole else (np.nan, np.inf, 1e300, -1e300, 0))
        return one
    return (
        array[:0], array[:1], np.concatenate([array, array]), array.ravel(), array[..., None], np.full_like(array, 7),
        array.astype(rnd.choice(("f2", "f4", "i4", "i8", "u1", "S5", "?"))), array.T,
    )[how - 1]  # fmt: skip
