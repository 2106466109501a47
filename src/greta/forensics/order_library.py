"""libgreta_order.so: where it is, and its functions. native/order/order.h is the agreement."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Final

import numpy as np

from greta.errors import UsageError
from greta.native_library import find_native_library
from greta.trace.trace import ACCESS, ALLOCATION, OPERATION, STREAM, Table, Trace

LIBRARY_VARIABLE: Final = "GRETA_ORDER_LIBRARY"
_NAME: Final = "libgreta_order.so"

CONFLICT: Final = np.dtype(
    [
        ("first", "<i8"),  # row of the operation that came first
        ("second", "<i8"),  # and of the one that does not wait for it
        ("first_access", "<i8"),  # rows in accesses; -1: the allocation or the free itself
        ("second_access", "<i8"),
        ("address", "<u8"),  # bytes that both touch
        ("bytes", "<u8"),
        ("repeats", "<u8"),  # how often the same was seen later
        ("allocation", "<i4"),
        ("kind", "<u1"),
        ("flags", "<u1"),
    ],
    align=True,
)

SUMMARY: Final = np.dtype(
    [
        (name, "<i8")
        for name in (
            "found",
            "repeats",
            "left_off",
            "reads",
            "may_writes",
            "writes",
            "frees",
            "transfer_reads",
            "transfer_writes",
            "host_sources",
            "host_destinations",
            "inexact",
            "doubtful_read_after_write",
            "doubtful_write_after_read",
            "doubtful_write_after_write",
            "unknown_streams",
            "unknown_events",
            "rows",
        )
    ]
)

PAIR: Final = np.dtype(
    [("first", "<i8"), ("second", "<i8"), ("via", "<i8"), ("how", "<i4")], align=True
)

STRUCTS: Final = {
    "greta_operation": OPERATION,
    "greta_access": ACCESS,
    "greta_allocation": ALLOCATION,
    "greta_stream": STREAM,
    "greta_conflict": CONFLICT,
    "greta_summary": SUMMARY,
    "greta_pair": PAIR,
}

_PROBLEMS: Final = {1: MemoryError("not enough memory to put the operations of a trace in order")}


class _Tables(ctypes.Structure):
    _fields_ = (
        ("operations", ctypes.c_void_p),
        ("accesses", ctypes.c_void_p),
        ("allocations", ctypes.c_void_p),
        ("streams", ctypes.c_void_p),
        ("operation_count", ctypes.c_int64),
        ("access_count", ctypes.c_int64),
        ("allocation_count", ctypes.c_int64),
        ("stream_count", ctypes.c_int64),
    )


def find_conflicts(trace: Trace, most: int) -> tuple[Table, Table]:
    """The conflicts (CONFLICT rows, at most that many) and one SUMMARY row."""
    conflicts = np.zeros(most, CONFLICT)
    summary = np.zeros(1, SUMMARY)
    with_tables = _InMemory(trace)
    _check(
        _library().greta_order_conflicts(
            ctypes.byref(with_tables.tables), conflicts.ctypes.data, most, summary.ctypes.data
        )
    )
    return conflicts[: int(summary["found"][0])].copy(), summary[0]


def answer_pairs(trace: Trace, pairs: Table) -> None:
    """Fill `how` and `via` of PAIR rows."""
    with_tables = _InMemory(trace)
    _check(
        _library().greta_order_pairs(
            ctypes.byref(with_tables.tables), pairs.ctypes.data, len(pairs)
        )
    )


class _InMemory:
    """The tables of a trace as C sees them, for as long as this object lives."""

    def __init__(self, trace: Trace) -> None:
        self._kept = [
            np.ascontiguousarray(table, dtype)
            for table, dtype in (
                (trace.operations, OPERATION),
                (trace.accesses, ACCESS),
                (trace.allocations, ALLOCATION),
                (trace.streams, STREAM),
            )
        ]
        self.tables = _Tables(
            *(table.ctypes.data for table in self._kept), *(len(table) for table in self._kept)
        )


def _check(status: int) -> None:
    if status:
        raise _PROBLEMS.get(status, UsageError("the trace has more rows than can be put in order"))


def layout() -> dict[str, tuple[int, dict[str, tuple[int, int]]]]:
    """Of each struct of the library: its size, and offset and size of its fields."""
    return _parse_layout(_library().greta_order_layout().decode())


def _parse_layout(text: str) -> dict[str, tuple[int, dict[str, tuple[int, int]]]]:
    structs = {}
    for line in text.split(";"):
        name, size, *fields = line.split()
        places = {}
        for field in fields:
            field_name, _, place = field.partition("@")
            offset, _, length = place.partition("+")
            places[field_name] = (int(offset), int(length))
        structs[name] = (int(size), places)
    return structs


def layout_of(dtype: np.dtype[np.void]) -> tuple[int, dict[str, tuple[int, int]]]:
    """The same of a dtype."""
    if dtype.fields is None:
        return dtype.itemsize, {}
    places = {name: (int(field[1]), field[0].itemsize) for name, field in dtype.fields.items()}
    return dtype.itemsize, places


@functools.cache
def _library() -> ctypes.CDLL:
    path = find_library()
    library = ctypes.CDLL(str(path))
    library.greta_order_layout.restype = ctypes.c_char_p
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    library.greta_order_conflicts.argtypes = (pointer, pointer, count, pointer)
    library.greta_order_pairs.argtypes = (pointer, pointer, count)
    found = _parse_layout(library.greta_order_layout().decode())
    if found != {name: layout_of(dtype) for name, dtype in STRUCTS.items()}:
        raise UsageError(f"{path} was built from other sources than this Python code; build it")
    return library


def find_library() -> Path:
    """The library; raises UsageError when there is none."""
    return find_native_library(_NAME, LIBRARY_VARIABLE)
