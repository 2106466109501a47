from __future__ import annotations

import gc

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
