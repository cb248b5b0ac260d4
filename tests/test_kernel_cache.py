"""Compiled kernels that are damaged are built anew; a cache that cannot be written is one sentence."""

import errno

import numpy as np
import pytest
import warp as wp

from pliant.errors import InputError
from pliant.runtime import kernel_cache, threads
from pliant.runtime.device import Device, Types


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A small module of its own, in a cache of its own."""
    Device("cpu")
    monkeypatch.setattr(wp.config, "kernel_cache_dir", str(tmp_path))
    types = Types("f64", f"cache_test_{tmp_path.name}")

    @types.kernel
    def double(start: int, x: wp.array(dtype=wp.float64)):
        i = start + wp.tid()
        x[i] = wp.float64(2.0) * x[i]

    return types.module, double


def doubled(kernel) -> bool:
    x = wp.array(np.ones(3), dtype=wp.float64, device="cpu")
    wp.launch(kernel, 3, [0, x], device="cpu", block_dim=1)
    return np.array_equal(x.numpy(), np.full(3, 2.0))


def files_of(module) -> list:
    folder = kernel_cache.folder_of(module, 1)
    return [f for f in sorted(folder.iterdir()) if f.name != kernel_cache.LIST]


def flip(file) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0xFF
    file.write_bytes(data)


def test_a_module_is_compiled_once_where_that_is_asked_for(module):
    """The second version of a kernel, for arrays without gaps, is not there; and Warp is as it was before."""
    module, kernel = module
    twice, cpu = wp._src.codegen.cpu_linear_contiguous_specialization_candidate, wp.get_device("cpu")
    kernel_cache.compile_once(module)
    kernel_cache.load(module, cpu, 1)
    source = next(f for f in files_of(module) if f.suffix == ".cpp").read_text()
    assert "_cpu_forward_tasks<false>" in source and "_cpu_forward_tasks<true>" not in source
    assert wp._src.codegen.cpu_linear_contiguous_specialization_candidate is twice
    assert doubled(kernel)


DAMAGES = {
    "flipped": flip,
    "cut": lambda file: file.write_bytes(file.read_bytes()[:50]),
    "empty": lambda file: file.write_bytes(b""),
    "gone": lambda file: file.unlink(),
}


def test_all_modules_share_one_precompiled_header():
    """Which holds for one set of flags."""
    flags = {kernel.module.options["cpu_compiler_flags"] for kernel in threads._kernels()}
    assert flags == {Types("f32", "types").module.options["cpu_compiler_flags"]}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("suffix", [".o", ".meta"])
def test_damaged_kernels_are_built_anew(module, suffix, damage):
    module, kernel = module
    cpu = wp.get_device("cpu")
    kernel_cache.load(module, cpu, 1)
    whole = {f.name: f.read_bytes() for f in files_of(module)}
    (file,) = (f for f in files_of(module) if f.name.endswith(suffix))
    DAMAGES[damage](file)
    module.unload()
    kernel_cache.load(module, cpu, 1)
    assert file.read_bytes() == whole[file.name] or suffix == ".o"
    assert doubled(kernel) and kernel_cache._whole(kernel_cache.folder_of(module, 1))


def test_a_folder_without_a_list_is_tried_and_then_built_anew(module):
    module, kernel = module
    cpu = wp.get_device("cpu")
    kernel_cache.load(module, cpu, 1)
    folder = kernel_cache.folder_of(module, 1)
    (folder / kernel_cache.LIST).unlink()
    for file in files_of(module):
        if file.suffix == ".meta":
            file.write_text("{")
    module.unload()
    kernel_cache.load(module, cpu, 1)
    assert doubled(kernel)


def test_a_cache_that_cannot_be_written_is_one_sentence(module, monkeypatch):
    module, _ = module

    def refused(*args):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(type(module), "load", refused)
    with pytest.raises(InputError, match=r"kernels cannot be kept in .*: Read-only file system; .* WARP_CACHE_PATH"):
        kernel_cache.load(module, wp.get_device("cpu"), 1)


def test_names_are_short_and_different():
    long = "pliant_" + "NeoHookean_" * 31
    assert len(kernel_cache.short(long)) <= kernel_cache.LONGEST
    assert kernel_cache.short(long) != kernel_cache.short(long + "x") and kernel_cache.short("pliant_a") == "pliant_a"
    assert len(Types("f64", "Corotated_" * 40).module.name) <= kernel_cache.LONGEST
