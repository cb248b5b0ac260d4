"""Every kernel compiles for CUDA; Warp can tell without a GPU."""

import importlib
import pkgutil
from types import SimpleNamespace

import pytest
import warp as wp

import pliant
from pliant.elements.base import Form
from pliant.energy.clamp.nitsche_clamp import clamp_kernels
from pliant.energy.clamp.nitsche_sensitivity import clamp_sensitivity_kernel
from pliant.energy.damping.damping_sensitivity import entry_kernel, plate_kernel, strain_kernel
from pliant.energy.damping.viscous_kernels import viscous_kernels
from pliant.energy.elastic.elastic_kernels import elastic_kernels
from pliant.energy.elastic.elastic_sensitivity import sensitivity_parts
from pliant.energy.plasticity.plastic_kernels import plastic_kernels
from pliant.energy.sensitivity import segment_kernels
from pliant.energy.sheets.bending_flow_kernels import bending_flow_kernels
from pliant.energy.sheets.bending_matrix import turning_kernels
from pliant.energy.volume.cell_kernels import cell_kernels
from pliant.energy.volume.volume_energy import volume_kernels
from pliant.material.laws.bending_law import Bending, ViscousBending
from pliant.material.laws.corotated import Corotated
from pliant.material.laws.dapd_law import Dapd
from pliant.material.laws.rotation_tangents import Hybrid
from pliant.material.plasticity.plastic_law import Additive, Plastic
from pliant.runtime import device as devices

from .cases import EVERY, FLAT, SHEETS, THREADS, make

FLOWS = Plastic(make("StableNeoHookean"), yield_stress=1e3)
ADDS = Plastic(make("StableNeoHookean"), yield_stress=1e3, flow=Additive())
SHAPES = [
    *[(n, 4, 3) for n in EVERY],
    *[(n, 3, 2) for n in (*SHEETS, *FLAT)],
    *[(n, 2, 1) for n in (*THREADS, *FLAT)],
]


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
    """As far as PTX and without optimising, which finds every fault of the source in half the time."""
    before = module.options["optimization_level"]
    module.options["optimization_level"] = 0
    try:
        wp.compile_aot_module(module, arch=90, module_dir=str(folder), use_ptx=True)
    finally:
        module.options["optimization_level"] = before
    assert [p for p in folder.iterdir() if p.suffix == ".ptx"]


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


# in f32 on tets always, of sums of laws one; the same source in f64 takes minutes more, as it does on sheets and threads, but for
# one law of each
FIRST = {SHEETS[0], THREADS[0], FLAT[0]}
SUMS = [name for name in EVERY if "+" in name][1:]
QUICK = {shape for shape in SHAPES if (shape[1] == 4 and shape[0] not in SUMS) or shape[0] in FIRST}
CASES = [
    pytest.param(*shape, p, marks=[] if p == "f32" and shape in QUICK else pytest.mark.slow)
    for p in devices.PRECISIONS
    for shape in SHAPES
]


@pytest.mark.parametrize(("name", "nodes", "dimension", "precision"), CASES)
def test_law(name, nodes, dimension, precision, tmp_path):
    devices.Device("cpu", precision)
    for module in modules_of(elastic_kernels(make(name), nodes, 1, dimension, precision)):
        compile_for_hopper(module, tmp_path)


LATTICES = {
    "law": lambda p: elastic_kernels(make("StableNeoHookean"), 8, 4, 3, p, Form.CUBIC),
    "plane strain": lambda p: elastic_kernels(make("StableNeoHookean"), 4, 4, 3, p, Form.PLANE_STRAIN),
    "volume in plane strain": lambda p: volume_kernels(4, 4, Form.PLANE_STRAIN, "log", False, p),
    "hexahedra": lambda p: elastic_kernels(make("StableNeoHookean"), 8, 8, 3, p),
    "ten-node tets": lambda p: elastic_kernels(make("StableNeoHookean"), 10, 4, 3, p),
    "flow of tets": lambda p: plastic_kernels(FLOWS, 4, 1, 3, p),
    "tets that collapse": lambda p: elastic_kernels(Dapd(young=1e4), 4, 1, 3, p),
    "corotated with a fixed frame": lambda p: elastic_kernels(Corotated(young=1e4, tangent=Hybrid()), 4, 1, 3, p),
    "plastic tets": lambda p: elastic_kernels(FLOWS, 4, 1, 3, p),
    "additive flow of sheets": lambda p: plastic_kernels(ADDS, 3, 1, 2, p),
    "plastic tets, additive": lambda p: elastic_kernels(ADDS, 4, 1, 3, p),
    "viscosity of ten-node tets": lambda p: viscous_kernels(10, Form.GENERAL, p),
    "volume": lambda p: volume_kernels(8, 4, Form.CUBIC, "log", False, p),
    "centre of cells": lambda p: cell_kernels(make("NeoHookean"), 1, "log", False, p),
    "points of cells": lambda p: cell_kernels(make("NeoHookean"), 4, "log", True, p),
    "clamp": lambda p: clamp_kernels(make("Corotated"), p),
    "viscosity": lambda p: viscous_kernels(8, Form.CUBIC, p),
    "viscosity of tets": lambda p: viscous_kernels(4, Form.GENERAL, p),
    "sums over rows": lambda p: segment_kernels(3, p),
    "sums of numbers": lambda p: segment_kernels(0, p),
    "sensitivity of clamps": lambda p: SimpleNamespace(of=clamp_sensitivity_kernel(make("Corotated"), p)),
    "history of viscosity": lambda p: SimpleNamespace(of=strain_kernel(8, Form.CUBIC, p), entry=entry_kernel(p)),
    "bending of regular sheets": lambda p: elastic_kernels(Bending(), 8, 1, 3, p),
    "bending of irregular sheets": lambda p: elastic_kernels(Bending(), 12, 1, 3, p),
    "matrix of curved sheets": lambda p: turning_kernels(12, p),
    "flow of curved sheets": lambda p: bending_flow_kernels(8, p),
    "viscosity of bending": lambda p: elastic_kernels(ViscousBending(), 8, 1, 3, p),
    "history of bending viscosity": lambda p: SimpleNamespace(of=plate_kernel(8, p)),
}


@pytest.mark.parametrize("precision", ["f32", pytest.param("f64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("kernels", list(LATTICES))
def test_lattices(kernels, precision, tmp_path):
    devices.Device("cpu", precision)
    for module in modules_of(LATTICES[kernels](precision)):
        compile_for_hopper(module, tmp_path)


@pytest.mark.parametrize(("name", "nodes", "dimension", "precision"), [c for c in CASES if c.values[2] == 3])
def test_sensitivity_of_law(name, nodes, dimension, precision, tmp_path):
    devices.Device("cpu", precision)
    for part in sensitivity_parts(make(name), (nodes, 1, dimension, Form.GENERAL), precision):
        for module in {k.module for k in vars(part).values() if k is not None}:
            compile_for_hopper(module, tmp_path)
