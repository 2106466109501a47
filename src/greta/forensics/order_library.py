"""libgreta_order.so: where it is, and its functions. native/order/order.h is the agreement."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from greta.errors import UsageError
from greta.forensics._answers import CONFLICT, SUMMARY, Status
from greta.large_arrays import large_array
from greta.native_library import find_native_library
from greta.reading_library import address_of_let_go
from greta.trace._tables import CHECKSUM
from greta.trace.trace import (
    ACCESS,
    ALLOCATION,
    BLOCK,
    NONE,
    OPERATION,
    STREAM,
    Row,
    Table,
    Trace,
)

LIBRARY_VARIABLE: Final = "GRETA_ORDER_LIBRARY"
_NAME: Final = "libgreta_order.so"
_POINTER, _COUNT = ctypes.c_void_p, ctypes.c_int64
_FUNCTIONS: Final = {
    "greta_order_conflicts": (_POINTER, _POINTER, _COUNT, _POINTER),
    "greta_order_pairs": (_POINTER, _POINTER, _COUNT),
    "greta_order_completion": (_POINTER,) * 3,
    "greta_order_alike": (_POINTER, *(_COUNT,) * 3, *(_POINTER,) * 4),
    "greta_order_outputs": (_POINTER, _COUNT, _POINTER),
}
Mask = npt.NDArray[np.bool_]


class _Tables(ctypes.Structure):
    _fields_ = (
        ("operations", ctypes.c_void_p),
        ("accesses", ctypes.c_void_p),
        ("allocations", ctypes.c_void_p),
        ("streams", ctypes.c_void_p),
        ("blocks", ctypes.c_void_p),
        ("outputs", ctypes.c_void_p),
        ("fresh", ctypes.c_void_p),
        ("operation_count", ctypes.c_int64),
        ("access_count", ctypes.c_int64),
        ("allocation_count", ctypes.c_int64),
        ("stream_count", ctypes.c_int64),
        ("block_count", ctypes.c_int64),
        ("faulted", ctypes.c_int64),
        ("let_go", ctypes.c_void_p),
    )


def find_conflicts(
    trace: Trace, most: int, outputs: Mask, fresh: Mask, faulted: Row = NONE
) -> tuple[Table, Table]:
    """The conflicts (CONFLICT rows, at most that many) and one SUMMARY row.

    `outputs`: for each access whether a kernel surely writes there. `fresh`: for each allocation
    whether nobody had written to it before. `faulted`: work that was queued although its own call
    reported an error.
    """
    given = tuple(np.ascontiguousarray(one).view(np.uint8) for one in (outputs, fresh))
    conflicts = np.zeros(most, CONFLICT)
    summary = np.zeros(1, SUMMARY)
    asked = (conflicts.ctypes.data, most, summary.ctypes.data)
    known = tuple(one.ctypes.data for one in given)
    _call("conflicts", trace, *asked, known=known, faulted=faulted)
    return conflicts[: int(summary["found"][0])].copy(), summary[0]


def answer_pairs(trace: Trace, pairs: Table) -> None:
    """Fill `how` and `via` of PAIR rows."""
    _call("pairs", trace, pairs.ctypes.data, len(pairs))


def find_completion(trace: Trace, before: Row) -> tuple[Table, Table]:
    """The call by which each operation before a row was known to be done; the same for streams.

    Rows of calls; NONE: never.
    """
    known_by = large_array(before, np.int64)
    streams = np.empty(len(trace.streams), np.int64)
    _call("completion", trace, known_by.ctypes.data, streams.ctypes.data, before=before)
    return known_by, streams


def find_alike(trace: Trace, first: Row, count: int, last: Row) -> tuple[Table, Table, Mask]:
    """Some accesses, from `first` on, in kinds that no check can tell apart.

    For each access the number of its kind; for each kind its first access, and whether the bytes of
    its accesses may meet those of one beside them. `last`: the last operation that counts.
    """
    kinds, firsts = np.empty(count, np.uint32), np.empty(count, np.int64)
    meets, found = np.empty(count, bool), ctypes.c_int64()
    answers = (kinds.ctypes.data, firsts.ctypes.data, meets.ctypes.data, ctypes.addressof(found))
    _call("alike", trace, first, count, last, *answers)
    return kinds, firsts[: found.value].copy(), meets[: found.value].copy()


def find_outputs(trace: Trace, fresh: Mask, last: Row) -> Mask:
    """For each access whether its kernel, in that argument, was ever given what nobody had written.

    It would have had nothing to read there, and who used it next would not have, either. The nodes
    of graphs have theirs, too. `fresh`: for each allocation whether all is seen that was written to
    it; `last`: the last operation that counts.
    """
    fresh = np.ascontiguousarray(fresh)
    outputs = large_array(len(trace.accesses), bool)
    _call("outputs", trace, last, outputs.ctypes.data, known=(None, fresh.ctypes.data))
    return outputs


def _call(
    question: str,
    trace: Trace,
    *arguments: int,
    known: tuple[int | None, ...] = (None, None),
    faulted: Row = NONE,
    before: Row | None = None,
) -> None:
    kept = [  # for as long as the call takes
        np.ascontiguousarray(table, dtype)
        for table, dtype in (
            (trace.operations[:before], OPERATION),
            (trace.accesses, ACCESS),
            (trace.allocations, ALLOCATION),
            (trace.streams, STREAM),
            (trace.blocks, BLOCK),
        )
    ]
    places = (table.ctypes.data for table in kept)
    tables = _Tables(*places, *known, *map(len, kept), faulted, address_of_let_go())
    _check(getattr(_library(), f"greta_order_{question}")(ctypes.byref(tables), *arguments))


def _check(status: int) -> None:
    if status == Status.NO_MEMORY:
        raise MemoryError("not enough memory to put the operations of a trace in order")
    if status != Status.DONE:
        raise UsageError("the trace has more rows than can be put in order")


@functools.cache
def _library() -> ctypes.CDLL:
    path = find_library()
    library = ctypes.CDLL(str(path))
    if _checksum(library) != CHECKSUM or not all(hasattr(library, name) for name in _FUNCTIONS):
        raise UsageError(f"{path} was built from other sources than this Python code; build it")
    for name, types in _FUNCTIONS.items():
        getattr(library, name).argtypes = types
    return library


def _checksum(library: ctypes.CDLL) -> int | None:
    """The checksum of the tables that the library was built with; an older library has none."""
    if not hasattr(library, "greta_order_checksum"):
        return None
    library.greta_order_checksum.restype = ctypes.c_uint32
    return int(library.greta_order_checksum())


def find_library() -> Path:
    """The library; raises UsageError when there is none."""
    return find_native_library(_NAME, LIBRARY_VARIABLE)
