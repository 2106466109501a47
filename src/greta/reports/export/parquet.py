"""Parquet: one table, one row a call.

Arguments that many calls share under many names are columns: dst, src, bytes, kind, stream ... To
add one, write how its words are called in _NAMES, or what type they have in _TYPES.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import compress
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from greta.printable import plain
from greta.recording import (
    CallEntry,
    CallKind,
    PayloadKind,
    Process,
    Recording,
    effects_of,
    result_name,
)
from greta.reports.export import Advance
from greta.reports.export.jsonl import json_text
from greta.reports.export.values import Places, kernel_values
from greta.symbols.sites import NativeSite
from greta.symbols.stacks import StackFrame

WORDS = 10  # of a record
Column = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint64]  # rows x WORDS

_NAMES: dict[str, tuple[str, ...]] = {
    "ptr": ("ptr", "dev_ptr", "dptr", "devPtr", "hostPtr"),
    "dst": ("dst", "dest", "dstDevice", "dstHost", "dstArray", "pitchedDevPtr.ptr"),
    "src": ("src", "srcDevice", "srcHost", "srcArray"),
    "grid_x": ("gridDimX", "numBlocks.x", "gridDim.x"),
    "grid_y": ("gridDimY", "numBlocks.y", "gridDim.y"),
    "grid_z": ("gridDimZ", "numBlocks.z", "gridDim.z"),
    "block_x": ("blockDimX", "dimBlocks.x", "blockDimX.x", "localWorkSizeX"),
    "block_y": ("blockDimY", "dimBlocks.y", "blockDimX.y", "localWorkSizeY"),
    "block_z": ("blockDimZ", "dimBlocks.z", "blockDimX.z", "localWorkSizeZ"),
    "shared_bytes": ("sharedMemBytes",),
}
_TYPES = {"kind": "hipMemcpyKind", "stream": "hipStream_t", "event": "hipEvent_t"}

COLUMNS = (*_NAMES, *_TYPES, "bytes")

# Only of these does a size mean bytes that are moved, filled or allocated.
_SIZED = (CallKind.COPY, CallKind.MEMSET, CallKind.ALLOCATE)


@dataclass(frozen=True)
class Source:
    """From which words of a call a column is made: their product, and a factor."""

    column: str
    words: tuple[int, ...]
    factor: int = 1
    divisor: int | None = None  # a word
    out: bool = False  # the call fills it, so that it is not there before the call has returned

    def values(self, words: Words) -> Column:
        product: Column = words[:, list(self.words)].prod(axis=1) * np.uint64(self.factor)
        if self.divisor is not None:
            product //= np.maximum(words[:, self.divisor], np.uint64(1))
        return product


def sources_of(entry: CallEntry) -> list[Source]:
    words = entry.words[:WORDS]
    names = {word.name: at for at, word in enumerate(words)}
    types = {word.type: at for at, word in reversed(list(enumerate(words)))}
    found = []
    for column, spellings in _NAMES.items():
        found += [Source(column, (names[name],)) for name in spellings if name in names][:1]
    found += [*_blocks_of_items(names), *_bytes(entry.name, names)]
    found += [Source(c, (types[type_],)) for c, type_ in _TYPES.items() if type_ in types]
    return [replace(one, out=any(words[at].out for at in one.words)) for one in found]


def _blocks_of_items(names: dict[str, int]) -> Iterator[Source]:
    """Some launches say how many threads there are in all, and not how many blocks."""
    for axis in "XYZ":
        items, block = names.get(f"globalWorkSize{axis}"), names.get(f"localWorkSize{axis}")
        if items is not None and block is not None:
            yield Source(f"grid_{axis.lower()}", (items,), divisor=block)


def _bytes(call: str, names: dict[str, int]) -> Iterator[Source]:
    does = effects_of(call)
    if does is None or does.kind not in _SIZED or does.is_node:
        return
    moved, made = does.writes or does.reads, does.creates
    factors = moved.size if moved else made.bytes if made else ()
    unit = moved.unit if moved else 1
    if factors and isinstance(unit, int) and names.keys() >= set(factors):
        yield Source("bytes", tuple(names[name] for name in factors), unit)


ROWS_AT_ONCE = 1 << 16
FINISHED = 1
CUT = 2

_NAME = pa.dictionary(pa.int32(), pa.string())
_KERNEL: Final = ("kernel", "kernel_signature", "kernel_symbol")
SCHEMA = pa.schema(
    [
        ("seq", pa.int64()),
        ("process", pa.int64()),
        ("process_start_ns", pa.int64()),
        ("thread", pa.int64()),
        ("call", _NAME),
        ("result", pa.int32()),
        ("result_name", _NAME),
        ("begin_ns", pa.int64()),
        ("end_ns", pa.int64()),
        ("finished", pa.bool_()),
        *((name, pa.uint64()) for name in COLUMNS),
        *((name, _NAME) for name in _KERNEL),
        ("kernel_arguments", pa.string()),
        ("cut", pa.bool_()),
        ("annotation", pa.list_(pa.string())),
        ("site", pa.uint64()),
        ("script_file", _NAME),
        ("script_function", _NAME),
        ("script_line", pa.int32()),
        ("native_file", _NAME),
        ("native_function", _NAME),
        ("native_line", pa.int32()),
        ("words", pa.list_(pa.uint64(), WORDS)),
    ]
)


def write_parquet(recording: Recording, file: IO[bytes], advance: Advance) -> None:
    with pq.ParquetWriter(file, SCHEMA, compression="zstd") as writer:
        for process in recording.processes:
            for _, batch in batches(process):
                writer.write_batch(batch)
                advance(len(batch))


def batches(process: Process) -> Iterator[tuple[int, pa.RecordBatch]]:
    """The first row of each, and its rows."""
    table = _ProcessTable(process)
    for first in range(0, len(process), ROWS_AT_ONCE):
        yield first, table.batch(first, min(first + ROWS_AT_ONCE, len(process)))


class _ProcessTable:
    def __init__(self, process: Process) -> None:
        self._process = process
        self._places = Places(process)
        tables = process.tables
        self._sources = {id_: sources_of(entry) for id_, entry in tables.calls.items()}
        kernels = tables.kernels.items()
        self._kernels = {id_: self._places.kernel(kernel.name) for id_, kernel in kernels}

    def batch(self, first: int, stop: int) -> pa.RecordBatch:
        process, rows = self._process, np.arange(first, stop)
        started = process.header.start_realtime_ns & (2**63 - 1)
        records = process.columns.records(rows)
        unfinished = (records["flags"] & FINISHED) == 0
        scripts, places = np.unique(records["stack"], return_inverse=True)
        columns: dict[str, pa.Array] = {
            "seq": pa.array(rows + 1),
            "process": pa.array(np.full(len(rows), process.pid, np.int64)),
            "process_start_ns": pa.array(np.full(len(rows), started, np.int64)),
            "thread": pa.array(process.columns.thread_id[rows].astype(np.int64)),
            "call": _names(records["call"], process.tables.call_name),
            "result": pa.array(records["result"], mask=unfinished),
            "result_name": self._result_names(records, unfinished),
            "begin_ns": pa.array(process.clock.ns(records["begin"])),
            "end_ns": pa.array(process.clock.ns(records["end"]), mask=unfinished),
            "finished": pa.array(~unfinished),
            **self._arguments(records, unfinished),
            **{name: self._kernel(name, records) for name in _KERNEL},
            "kernel_arguments": self._kernel_arguments(records, first),
            "cut": pa.array((records["flags"] & CUT) != 0),
            "annotation": self._annotations(records["annotation"]),
            "site": pa.array(records["site"]),
            **_line_columns("script", map(self._places.script, scripts.tolist()), places),
            **self._natives(records),
            "words": pa.FixedSizeListArray.from_arrays(
                pa.array(np.ascontiguousarray(records["words"]).ravel()), WORDS
            ),
        }
        arrays = [columns[field.name] for field in SCHEMA]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)

    def _result_names(self, records: Any, unfinished: npt.NDArray[np.bool_]) -> pa.Array:
        # One number for the call and the result: which name a result has depends on both.
        both = records["call"].astype(np.uint64) << np.uint64(32)
        both |= records["result"].astype(np.uint32)
        names = self._process.tables.call_name

        def name(key: int) -> str | None:
            result = np.array(key & 0xFFFFFFFF, np.uint32).view(np.int32)
            return result_name(names(key >> 32), int(result))

        return _names(both, name, unfinished)

    def _arguments(self, records: Any, unfinished: npt.NDArray[np.bool_]) -> dict[str, pa.Array]:
        values = {name: np.zeros(len(records), np.uint64) for name in COLUMNS}
        missing = {name: np.ones(len(records), np.bool_) for name in COLUMNS}
        for call in np.unique(records["call"]):
            chosen = records["call"] == call
            words = records["words"][chosen]
            sources: Iterable[Source] = self._sources.get(int(call), ())
            for source in sources:
                values[source.column][chosen] = source.values(words)
                missing[source.column][chosen] = unfinished[chosen] if source.out else False
        return {name: pa.array(values[name], mask=missing[name]) for name in COLUMNS}

    def _kernel(self, name: str, records: Any) -> pa.Array:
        return _names(records["kernel"], lambda id_: self._kernels.get(id_, {}).get(name))

    def _kernel_arguments(self, records: Any, first: int) -> pa.Array:
        texts: list[str | None] = [None] * len(records)
        launched = (records["more"] > 0) & (records["kernel"] > 0)
        events = self._process.events(first + 1, first + 1 + len(records)) if launched.any() else ()
        for event in compress(events, launched.tolist()):
            if any(payload.kind is PayloadKind.KERNARG for payload in event.payloads):
                texts[event.seq - 1 - first] = json_text(kernel_values(event))
        return pa.array(texts, pa.string())

    def _annotations(self, ids: npt.NDArray[np.uint32]) -> pa.Array:
        unique, places = np.unique(ids, return_inverse=True)
        chain = self._process.tables.annotation_chain
        texts = [[plain(entry.text) for entry in chain(int(id_))] or None for id_ in unique]
        return pa.array(texts, pa.list_(pa.string())).take(pa.array(places))

    def _natives(self, records: Any) -> dict[str, pa.Array]:
        sites = np.where(self._places.is_native(records["stack"]), records["site"], 0)
        _, numbers = np.unique(sites, return_inverse=True)
        changes = np.array(self._places.sites.changes, np.uint64)
        eras = np.searchsorted(changes, records["begin"], side="right")
        _, rows, places = np.unique(
            numbers * (len(changes) + 1) + eras, return_index=True, return_inverse=True
        )
        begin = records["begin"]
        lines = [self._places.native(int(sites[row]), 0, int(begin[row])) for row in rows]
        return _line_columns("native", lines, places)


def _line_columns(
    name: str, found: Iterable[StackFrame | NativeSite | None], places: npt.NDArray[np.int64]
) -> dict[str, pa.Array]:
    lines, taken = list(found), pa.array(places)
    numbers = pa.array([line.line if line else None for line in lines], pa.int32())
    return {
        f"{name}_file": _taken((line.file if line else None for line in lines), taken),
        f"{name}_function": _taken((line.function if line else None for line in lines), taken),
        f"{name}_line": numbers.take(taken),
    }


def _names(ids: Any, name_of: Any, missing: npt.NDArray[np.bool_] | None = None) -> pa.Array:
    unique, places = np.unique(ids, return_inverse=True)
    names = (name_of(int(id_)) for id_ in unique)
    return _taken(names, pa.array(places, mask=missing))


def _taken(names: Iterable[str | None], places: pa.Array) -> pa.Array:
    texts = [None if name is None else plain(name) for name in names]
    return pa.array(texts, pa.string()).dictionary_encode().take(places)
