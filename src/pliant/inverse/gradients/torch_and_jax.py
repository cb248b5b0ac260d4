"""Interfaces to PyTorch and JAX: forward run, backward adjoint."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import InputError

if TYPE_CHECKING:
    from .run_function import Motion


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise InputError(f"the Python package {name!r} is not installed here; install it with: pip install {name}") from None


def _check_count(motion: Motion, given: Any) -> None:
    if len(given) != len(motion.free):
        raise InputError(f"{len(given)} values were given; expected one for each of {list(motion.free)}, in this order")


def torch_function(motion: Motion) -> Callable[..., Any]:
    """A ``torch.autograd.Function`` applied: tensors in the order of the keys → tensors of positions and velocities."""
    torch = _package("torch")

    class Run(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, *tensors: Any) -> tuple[Any, Any]:
            _check_count(motion, tensors)
            context.values = {key: t.detach().cpu().double().numpy() for key, t in zip(motion.free, tensors)}
            context.like = [(t.dtype, t.device) for t in tensors]
            kind, place = context.like[0]
            x, v = motion.run(context.values)
            return tuple(torch.as_tensor(a).to(dtype=kind, device=place) for a in (x, v))

        @staticmethod
        def backward(context: Any, *by: Any) -> tuple[Any, ...]:
            arrays = [None if b is None else b.detach().cpu().double().numpy() for b in by]
            slopes = motion.pull_back(context.values, *arrays)
            return tuple(
                torch.as_tensor(slopes[key]).to(dtype=kind, device=place) for key, (kind, place) in zip(motion.free, context.like)
            )

    return Run.apply


def jax_function(motion: Motion) -> Callable[..., Any]:
    """A ``jax.custom_vjp``: arrays in the order of the keys → positions and velocities; runs are calls back to the host."""
    jax = _package("jax")
    kind = jax.numpy.result_type(float)
    shape = jax.ShapeDtypeStruct((motion.steps + 1, motion.sim.world.count, 3), kind)

    def values(arrays: Any) -> dict[Any, np.ndarray]:
        return {key: np.asarray(a, float) for key, a in zip(motion.free, arrays)}

    def on_host(*arrays: Any) -> tuple[np.ndarray, ...]:
        return tuple(np.asarray(a, kind) for a in motion.run(values(arrays)))

    def back_on_host(arrays: Any, by: Any) -> tuple[np.ndarray, ...]:
        slopes = motion.pull_back(values(arrays), *(np.asarray(b, float) for b in by))
        return tuple(np.asarray(slopes[key], a.dtype) for key, a in zip(motion.free, arrays))

    @jax.custom_vjp
    def run(*arrays: Any) -> Any:
        _check_count(motion, arrays)
        return jax.pure_callback(on_host, (shape, shape), *arrays, vmap_method="sequential")

    def forward(*arrays: Any) -> Any:
        return run(*arrays), arrays

    def backward(arrays: Any, by: Any) -> Any:
        like = tuple(jax.ShapeDtypeStruct(a.shape, a.dtype) for a in arrays)
        return jax.pure_callback(back_on_host, like, arrays, by, vmap_method="sequential")

    run.defvjp(forward, backward)
    return run
