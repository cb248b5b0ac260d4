"""Every kernel compiles for CUDA; Warp can tell without a GPU."""

import importlib
import pkgutil

import pytest
import warp as wp

import pliant
from pliant import device as devices
from pliant.energy.elastic_kernels import elastic_kernels

from .cases import EVERY, LAWS, SHEETS, THREADS, make

SHAPES = [*[(n, 4, 3) for n in EVERY], *[(n, 3, 2) for n in SHEETS], *[(n, 2, 1) for n in THREADS]]


def every_module() -> None:
    """Import all of the package, so that every family is known."""
    for item in pkgutil.walk_packages(pliant.__path__, "pliant."):
        if not item.name.endswith("__main__"):
            try:
                importlib.import_module(item.name)
            except ImportError as missing:  # extras such as usd-core
                if "pliant" in str(missing):
                    raise


def compile_for_hopper(module: wp.Module, folder) -> None:
    wp.compile_aot_module(module, arch=90, module_dir=str(folder))
    assert [p for p in folder.iterdir() if p.suffix in (".cubin", ".ptx")]


def modules_of(kernels) -> set:
    return {k.module for k in vars(kernels).values()}


every_module()


@pytest.mark.parametrize("precision", ["f32", pytest.param("f64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", [f.__name__ for f in devices.FAMILIES])
def test_family(family, precision, tmp_path):
    devices.Device("cpu", precision)
    kernels = next(f for f in devices.FAMILIES if f.__name__ == family)(precision)
    for module in modules_of(kernels):
        compile_for_hopper(module, tmp_path)


def law_cases():
    """Solids of every law in f32 always; sums, sheets, threads and f64 take minutes more."""
    for precision in ("f32", "f64"):
        for name, nodes, dimension in SHAPES:
            quick = precision == "f32" and dimension == 3 and name in LAWS
            yield pytest.param(name, nodes, dimension, precision, marks=[] if quick else pytest.mark.slow)


@pytest.mark.parametrize(("name", "nodes", "dimension", "precision"), list(law_cases()))
def test_law(name, nodes, dimension, precision, tmp_path):
    devices.Device("cpu", precision)
    for module in modules_of(elastic_kernels(make(name), nodes, 1, dimension, precision)):
        compile_for_hopper(module, tmp_path)
