from __future__ import annotations

import gc
import subprocess
import sys

import numpy as np
import pytest

from greta import large_arrays
from greta.large_arrays import GrowingArray


def test_a_small_array_keeps_no_more_than_its_rows() -> None:
    array = GrowingArray(np.int64)
    array.add(3)[:] = (1, 2, 3)
    found = array.finished()
    assert found.tolist() == [1, 2, 3]
    assert found.base is None  # no view of more
    assert found.nbytes == 24


def test_a_lack_of_memory_is_no_file_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(12, "Cannot allocate memory")

    taken = large_arrays._memory._taken
    monkeypatch.setattr("mmap.mmap", refused)
    with pytest.raises(MemoryError):
        GrowingArray(np.int64).add(1 << 20)
    gc.collect()
    assert large_arrays._memory._taken == taken


LOOKS_AT_EXIT = """
import atexit, os, tempfile
import numpy as np
from greta.reading_library import map_file

atexit.register(lambda: os._exit(int(array[-1]) - 7))
with tempfile.TemporaryFile() as file:
    os.ftruncate(file.fileno(), 1 << 20)
    array = np.frombuffer(map_file(file.fileno(), 1 << 20, 0), np.uint8)
    array[-1] = 7
if (child := os.fork()) == 0:
    del array  # nobody there holds what the parent's thread held
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def test_mapped_files_outlive_a_fork_and_are_there_until_the_end() -> None:
    for _ in range(5):
        subprocess.run([sys.executable, "-c", LOOKS_AT_EXIT], check=True, timeout=60)


def test_values_of_rows_that_are_far_apart() -> None:
    table = np.zeros(5000, [("one", np.int32), ("two", np.int64)])
    table["two"] = np.arange(5000) * 3
    rows = np.random.default_rng(7).integers(0, 5000, 4321)
    found = large_arrays.values_at(table, "two", rows)
    assert found.dtype == np.int64
    assert found.tolist() == (rows * 3).tolist()
    assert not len(large_arrays.values_at(table, "one", rows[:0]))
