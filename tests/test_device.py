"""The door to kernels: slices over threads, recorded launches, errors that say what to do."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import warp as wp

from pliant.errors import InputError, NoMemory
from pliant.runtime import device as devices
from pliant.runtime import launch_cache
from pliant.runtime.device import Device, family
from pliant.runtime.threads import thread_count
from pliant.runtime.vectors import vector_kernels


@family
def counting_kernels(t):
    @t.kernel
    def count(start: int, scale: t.real, shift: t.vec3, out: wp.array(dtype=t.vec3)):
        i = start + wp.tid()
        out[i] = out[i] + scale * t.vec3(t.real(i), t.real(1.0), t.real(0.0)) + shift

    return locals()


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 7, 100, 10_001])
def test_slices_cover_every_item_once(threads, n):
    device = Device("cpu", "f64", threads)
    out = device.zeros(n, device.types.vec3)
    for scale in (1.0, 10.0):  # the second launch is a replay with another scalar
        device.launch(counting_kernels("f64").count, n, scale, device.types.vec3(0.0, 0.0, scale), out, grain=10)
    expected = np.column_stack([11.0 * np.arange(n), np.full(n, 11.0), np.full(n, 11.0)])
    assert np.array_equal(out.numpy(), expected)
    assert len(device._recorded) == 1


def test_nothing_to_do_is_fine():
    device = Device()
    out = device.zeros(3, device.types.vec3)
    device.launch(counting_kernels("f64").count, 0, 1.0, device.types.vec3(), out)
    assert not out.numpy().any()
    device.launch(counting_kernels("f64").count, 3, 1.0, device.types.vec3(), out)
    assert out.numpy().any()


def test_forget_drops_recordings():
    device = Device()
    out = device.zeros(3, device.types.vec3)
    device.launch(counting_kernels("f64").count, 3, 1.0, device.types.vec3(), out)
    device.forget()
    assert not device._recorded
    device.launch(counting_kernels("f64").count, 3, 1.0, device.types.vec3(), out)
    assert np.array_equal(out.numpy()[:, 0], [0, 2, 4])


def test_forget_drops_the_recordings_of_some_arrays():
    device = Device()
    kept, gone = (device.zeros(3, device.types.vec3) for _ in range(2))
    for out in (kept, gone, kept):
        device.launch(counting_kernels("f64").count, 3, 1.0, device.types.vec3(), out)
    assert len(device._recorded) == 2
    device.forget(gone)
    assert len(device._recorded) == 1
    device.launch(counting_kernels("f64").count, 3, 1.0, device.types.vec3(), kept)
    assert len(device._recorded) == 1 and np.array_equal(kept.numpy()[:, 0], [0, 3, 6])


def test_arrays_are_copies():
    device = Device("cpu", "f32")
    data = np.ones((4, 3))
    made = device.array(data, device.types.vec3)
    data[:] = 5
    assert made.numpy().dtype == np.float32 and np.all(made.numpy() == 1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"precision": "f16"}, "f32"), ({"name": "tpu"}, "cpu"), ({"name": 3}, "cpu"), ({"threads": 0}, "from 1 to 1024"),
        ({"threads": 1.5}, "from 1 to 1024"),
    ],
)  # fmt: skip
def test_bad_options(options, words):
    with pytest.raises(InputError, match=words):
        Device(**options)


def test_cuda_without_a_gpu_says_what_to_do():
    Device()
    if wp.is_cuda_available():
        pytest.skip("there is a GPU")
    with pytest.raises(InputError, match="device='cpu'"):
        Device("cuda")


def test_threads_from_the_environment(monkeypatch):
    monkeypatch.setenv("PLIANT_THREADS", "3")
    assert thread_count() == 3 and Device().threads == 3
    assert Device(threads=2).threads == 2
    for bad in ("0", "-1", "two", "1.5"):
        monkeypatch.setenv("PLIANT_THREADS", bad)
        with pytest.raises(InputError, match="PLIANT_THREADS"):
            thread_count()
    monkeypatch.setenv("PLIANT_THREADS", "")
    assert thread_count() >= 1


def test_families_are_known_and_built_once():
    assert counting_kernels in devices.FAMILIES
    assert counting_kernels("f64") is counting_kernels("f64")
    assert counting_kernels("f64").count is not counting_kernels("f32").count
    assert counting_kernels.__name__ == "counting_kernels"


def test_first_use_is_announced_counted_and_kept(tmp_path):
    """A new cache folder: the first process says that it compiles, with a count and a time; the second says nothing."""
    program = (
        f"import warp as wp; wp.config.kernel_cache_dir = {str(tmp_path)!r}\n"
        "from pliant.runtime.device import Device\nfrom pliant.runtime.vectors import Vectors\n"
        "v = Vectors(Device(), 4); v.dot(v.new(), v.new())\n"
    )
    said = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ), check=True).stderr
        for _ in range(2)
    ]
    assert re.fullmatch(r"pliant: compiled vector_kernels_f64 in [\d.]+ s \(1 in [\d.]+ s in all\)\n", said[0])
    assert "compil" not in said[1]


def test_kernels_that_are_known_are_compiled_together(tmp_path):
    """One line for all that the first steps of a scene need, which no step counts as its own time; then none is missing."""
    program = (
        f"import warp as wp; wp.config.kernel_cache_dir = {str(tmp_path)!r}\n"
        "import pliant as pl, time\nfrom pliant.runtime.compilation import Compilation\n"
        "body = pl.Body(pl.tet_grid((1, 1, 1), (1, 1, 1)), pl.Corotated(young=1e4))\n"
        "sim = pl.Simulation(pl.Scene(body, [pl.plane(z=-9.0)]), pl.ImplicitEuler(solver=pl.Newton()), threads=1)\n"
        "begin, before = time.perf_counter(), Compilation.seconds\nreport = sim.step()\n"
        "spent, compiling = time.perf_counter() - begin, Compilation.seconds - before\n"
        "print(Compilation.count, report.seconds['total'] <= spent - compiling)\n"
    )
    env = dict(os.environ) | {"PLIANT_THREADS": "2"}
    first, second = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, check=True) for _ in range(2)
    )
    assert re.search(r"^pliant: compiled \d+ modules of kernels in [\d.]+ s", first.stderr, re.MULTILINE), first.stderr
    count, honest = first.stdout.split()
    assert int(count) > len(first.stderr.splitlines()) and honest == "True"
    assert second.stdout.split() == ["0", "True"] and second.stderr == ""


def test_import_starts_nothing():
    program = "import sys, pliant; assert 'warp' not in sys.modules and 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


@wp.struct
class Line:
    """A structure with an array and a number."""

    points: wp.array(dtype=float)
    slope: float


@wp.kernel(enable_backward=False)
def rise(start: int, line: Line, out: wp.array(dtype=float)):
    i = start + wp.tid()
    out[i] = line.slope * line.points[i]


def test_structures_are_told_apart(place):
    """A launch with another structure is another launch, though all other arrays are the same."""
    device = Device(place, "f32", threads=2)
    out = device.zeros(8, wp.float32)
    for slope, points in ((2.0, np.arange(8)), (3.0, np.ones(8))):
        line = Line()
        line.points, line.slope = device.array(points, wp.float32), slope
        device.launch(rise, 8, line, out, grain=1)
        np.testing.assert_allclose(out.numpy(), slope * points)


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("Failed to allocate 8000000000 bytes on device 'cpu'")])
def test_no_memory_is_one_sentence_with_sizes(monkeypatch, error):
    def full(*args, **options):
        raise error

    device = Device("cpu", "f64")
    monkeypatch.setattr(wp, "array", full)
    with pytest.raises(NoMemory, match=r"no memory for an array of shape \(1000, 1000\) on cpu, 24.0 MB; try fewer"):
        device.zeros((1000, 1000), device.types.vec3)
    with pytest.raises(MemoryError, match=r"shape \(5, 3\) on cpu, 0.0 MB"):
        device.array(np.zeros((5, 3)), device.types.vec3)


def test_other_errors_of_warp_stay_what_they_are(monkeypatch):
    def failing(*args, **options):
        raise RuntimeError("something else")

    device = Device("cpu", "f64")
    monkeypatch.setattr(wp, "array", failing)
    with pytest.raises(RuntimeError, match="something else"):
        device.zeros(3, device.types.vec3)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of memory are those of Linux")
def test_a_limit_of_memory_is_a_sentence_on_the_shell(tmp_path):
    (tmp_path / "large.toml").write_text(
        "[[bodies]]\nshape = { tet_grid = { size = [1, 1, 1], cells = [1200, 1200, 1200] } }\n"
        "material = { LinearElastic = { young = 1e4 } }\n[run]\nseconds = 0.1\n"
    )
    code = (
        "import resource, sys; from pliant.cli.main import main\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30)); sys.exit(main(['inspect', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "large.toml"], capture_output=True, text=True, timeout=120,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr and "fault of pliant" not in done.stderr
    assert "Unable to allocate" in done.stderr and done.stderr.count("\n") == 1


def test_arrays_are_read_as_they_are(device):
    """By a reader that is kept, and one at a time; two of one shape do not share what was read."""
    a, b = (device.array([[k, 1.0, 2.0]] * 5, wp.vec3d) for k in (3.0, 4.0))
    later = device.reader(a)
    first, second = device.read(a), device.read(b)
    assert (first[:, 0] == 3.0).all() and (second[:, 0] == 4.0).all()
    a.fill_(7.0)
    assert (later() == 7.0).all() and (device.read(a) == 7.0).all()
    assert device.read(device.zeros(0, wp.float64)).shape == (0,)


def test_launches_that_warp_starts_are_bound_again_without_it(monkeypatch):
    """As on a GPU: after the first launch of a kernel others are made of it, whatever their arrays, sizes and numbers."""
    device, place = Device("cpu"), SimpleNamespace(is_cpu=False, name="cpu")
    asked, launch, rng = [], wp.launch, np.random.default_rng(0)
    monkeypatch.setattr(wp, "launch", lambda *args, **told: asked.append(args) or launch(*args, **told))
    monkeypatch.setattr(launch_cache, "_LIKE", {})
    for n in (5, 9, 1):
        x, y = (device.array(rng.random((n, 3)), device.types.vec3) for _ in range(2))
        out = device.zeros(n, device.types.vec3)
        made = launch_cache.Recorded(place, vector_kernels("f64").mix, n, (2.0, x, -1.0, y, out), 1)
        for a, b in ((2.0, -1.0), (2.0, 0.5), (-3.0, 0.5)):
            made.run((a, x, b, y, out))
            np.testing.assert_allclose(out.numpy(), a * x.numpy() + b * y.numpy(), rtol=1e-15, atol=1e-15)
    assert len(asked) == 1
    shift, out = device.types.vec3(1.0, 2.0, 3.0), device.zeros(4, device.types.vec3)
    for times in (1, 2):  # with an argument that is no plain number
        launch_cache.Recorded(place, counting_kernels("f64").count, 4, (0.0, shift, out), 1).run((0.0, shift, out))
        assert len(asked) == 1 + times and np.array_equal(out.numpy(), [[times, 2 * times, 3 * times]] * 4)
