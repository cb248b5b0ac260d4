"""What all tests share: the devices to run on."""

import pytest
import warp as wp

from pliant.device import Device


def _cuda() -> bool:
    wp.config.log_level = wp.LOG_ERROR
    wp.init()
    return wp.is_cuda_available()


@pytest.fixture(params=["cpu", pytest.param("cuda", marks=pytest.mark.cuda)])
def place(request) -> str:
    """The name of a device; "cuda" is skipped where there is none."""
    if request.param == "cuda" and not _cuda():
        pytest.skip("no CUDA device")
    return request.param


@pytest.fixture
def device(place) -> Device:
    """A device in double precision."""
    return Device(place, "f64")
