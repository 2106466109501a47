"""Fixtures of the tests that call the library directly; their conftest files import them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from greta.hip import SimTree
from tests.simdevice.borrowed import Borrowed
from tests.simdevice.kernels import SOURCE
from tests.simdevice.library import Library, compile_kernels, done, hip_library


@pytest.fixture
def hip(sim_tree: SimTree) -> Iterator[Library]:
    """The library. Whatever a test does to it, it must work afterwards."""
    library = hip_library()
    library.hipGetLastError()
    yield library
    done(library.hipDeviceSynchronize())


@pytest.fixture
def device(hip: Library) -> Iterator[Borrowed]:
    borrowed = Borrowed(hip)
    yield borrowed
    borrowed.return_all()


@pytest.fixture(scope="session")
def image(sim_tree: SimTree) -> bytes:
    """A code object with the kernels and variables of tests/simdevice/kernels.py."""
    return compile_kernels(SOURCE)
