"""Writes recordings as the recorder does, byte by byte from contract/recording.h.

Independent of the reader on purpose: what both have wrong in common, no test would find.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGE = 4096
SLOT = 128

OPEN, EXIT, SIGNAL, QUICK = range(4)
TSC, RING, INCOMPLETE = 1, 2, 4
FINISHED, CUT = 1, 2
FILLER, WORDS, KERNARG, STRUCT, ARRAY = range(5)

RECORD = struct.Struct("<IHHQQQiIII10Q")
MORE = struct.Struct("<IBBHII112s")
MORE_MARK = 0xFFFFFFFF

# As the recorder's table of calls has them.
CALLS: dict[str, list[str]] = {
    "hipMalloc": ["ptr:void*:out", "size:size_t:in"],
    "hipMallocPitch": [
        *("ptr:void*:out", "pitch:size_t:out"),
        *("width:size_t:in", "height:size_t:in"),
    ],
    "hipHostMalloc": ["ptr:void*:out", "size:size_t:in", "flags:unsigned int:in"],
    "hipHostRegister": ["hostPtr:void*:in", "sizeBytes:size_t:in", "flags:unsigned int:in"],
    "hipHostUnregister": ["hostPtr:void*:in"],
    "hipMallocManaged": ["dev_ptr:void*:out", "size:size_t:in", "flags:unsigned int:in"],
    "hipMallocAsync": ["dev_ptr:void*:out", "size:size_t:in", "stream:hipStream_t:in"],
    "hipFree": ["ptr:void*:in"],
    "hipHostFree": ["ptr:void*:in"],
    "hipMemMap": ["ptr:void*:in", "size:size_t:in"],
    "hipMemUnmap": ["ptr:void*:in", "size:size_t:in"],
    "hipFreeAsync": ["dev_ptr:void*:in", "stream:hipStream_t:in"],
    "hipMemcpyAsync": [
        *("dst:void*:in", "src:const void*:in", "sizeBytes:size_t:in"),
        *("kind:hipMemcpyKind:in", "stream:hipStream_t:in"),
    ],
    "hipMemcpyAsync_spt": [
        *("dst:void*:in", "src:const void*:in", "sizeBytes:size_t:in"),
        *("kind:hipMemcpyKind:in", "stream:hipStream_t:in"),
    ],
    "hipSetDevice": ["deviceId:int:in"],
    "hipDeviceReset": [],
    "hipDeviceSynchronize": [],
    "hipStreamCreate": ["stream:hipStream_t:out"],
    "hipStreamDestroy": ["stream:hipStream_t:in"],
    "hipEventCreateWithFlags": ["event:hipEvent_t:out", "flags:unsigned int:in"],
    "hipEventDestroy": ["event:hipEvent_t:in"],
    "hipEventElapsedTime": ["ms:float:out", "start:hipEvent_t:in", "stop:hipEvent_t:in"],
    "hipModuleLoad": ["module:hipModule_t:out", "fname:const char*:in:text"],
    "hipModuleUnload": ["module:hipModule_t:in"],
    "hipGraphCreate": ["pGraph:hipGraph_t:out", "flags:unsigned int:in"],
    "hipGraphDestroy": ["graph:hipGraph_t:in"],
    "hipGraphInstantiate": ["pGraphExec:hipGraphExec_t:out", "graph:hipGraph_t:in"],
    "hipGraphExecDestroy": ["graphExec:hipGraphExec_t:in"],
    "hipMemPoolCreate": [
        "mem_pool:hipMemPool_t:out",
        "pool_props:const hipMemPoolProps*:in:struct",
    ],
    "hipMemPoolDestroy": ["mem_pool:hipMemPool_t:in"],
    "hipGraphAddEmptyNode": [
        *("pGraphNode:hipGraphNode_t:out", "graph:hipGraph_t:in"),
        *("pDependencies:const hipGraphNode_t*:in:array", "numDependencies:size_t:in"),
    ],
    "hipModuleLaunchKernel": [
        "f:hipFunction_t:in",
        *(f"{size}Dim{axis}:unsigned int:in" for size in ("grid", "block") for axis in "XYZ"),
        *("sharedMemBytes:unsigned int:in", "stream:hipStream_t:in"),
    ],
    "twelveWords": [f"w{number}:int:in" for number in range(12)],
}
IDS = {name: number for number, name in enumerate(CALLS, start=1)}


@dataclass
class Payload:
    """What follows a record."""

    kind: int
    word: int
    data: bytes

    def parts(self) -> list[bytes]:
        starts = range(0, max(len(self.data), 1), 112)
        return [self._part(start, self.data[start : start + 112]) for start in starts]

    def _part(self, start: int, data: bytes) -> bytes:
        head = (MORE_MARK, self.kind, self.word, len(data), start, len(self.data))
        return MORE.pack(*head, data)


def filler() -> bytes:
    return MORE.pack(MORE_MARK, FILLER, 0, 0, 0, 0, b"")


@dataclass
class LaneWriter:
    """One thread. Slots are kept in memory and laid out when the lane is written."""

    number: int
    thread_id: int
    ring_records: int = 0
    name: bytes = b"worker"
    slots: list[bytes] = field(default_factory=list)
    spare_slots: int = 0  # reserved and empty, behind the last

    def call(
        self,
        name: str | int,
        words: Sequence[int] = (),
        *,
        begin: int,
        end: int | None = None,
        result: int = 0,
        site: int = 0x401000,
        script: int = 0,
        annotation: int = 0,
        kernel: int = 0,
        payloads: Iterable[Payload] = (),
        flags: int = 0,
    ) -> None:
        """A record; without `end` it has not returned."""
        parts = [part for payload in payloads for part in payload.parts()]
        head = (
            *(IDS[name] if isinstance(name, str) else name, len(parts)),
            *(flags | (FINISHED if end is not None else 0), begin, end or 0, site, result),
            *(script, annotation, kernel),
        )
        self.slots += [RECORD.pack(*head, *[*words, *[0] * 10][:10]), *parts]

    def content(self) -> bytes:
        return self.first_page() + self._laid_out()

    def first_page(self) -> bytes:
        page = struct.pack(
            "<8sIIIIQQQ16s",
            *(b"GRETALN1", 1, self.number, self.thread_id, 0),
            *(self.ring_records, len(self.slots), 1000, self.name),
        )
        return page.ljust(PAGE, b"\0")

    def _laid_out(self) -> bytes:
        if not self.ring_records:
            return b"".join(self.slots) + bytes(SLOT * self.spare_slots)
        ring = [bytes(SLOT)] * self.ring_records
        for number, slot in enumerate(self.slots):
            ring[number % self.ring_records] = slot
        return b"".join(ring)


@dataclass
class ProcessWriter:
    """One process: fill in, then write."""

    folder: Path
    pid: int = 4711
    flags: int = 0
    ring_records: int = 0
    start: tuple[int, int, int] = (1000, 5000, 1_700_000_000_000_000_000)
    latest: tuple[int, int] = (1000, 5000)
    end: int = EXIT
    end_code: int = 0
    end_ticks: int = 1 << 40
    dropped: int = 0
    lanes: list[LaneWriter] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    live: list[tuple[int, ...]] = field(default_factory=list)
    named: Iterable[str] = tuple(CALLS)  # in the table of calls

    def lane(self, thread_id: int = 100) -> LaneWriter:
        lane = LaneWriter(len(self.lanes), thread_id, self.ring_records)
        self.lanes.append(lane)
        return lane

    def line(self, t: str, **fields: Any) -> None:
        self.lines.append({"t": t, **fields})

    def live_entry(self, kind: int, handle: int, **fields: int) -> None:
        names = ("flags", "bytes", "number", "since", "site", "stack", "annotation", "call")
        values = {name: fields.get(name, 0) for name in (*names, "device")}
        flags, bytes_, *rest = values.values()
        self.live.append((kind, flags, handle, bytes_, *rest))

    def write(self) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, content in self.files().items():
            (self.folder / name).write_bytes(content)
        return self.folder

    def files(self) -> dict[str, bytes]:
        lanes = {f"lane.{lane.number}": lane.content() for lane in self.lanes}
        return {
            "header": self._header(),
            "live": self._live(),
            "tables.jsonl": self._tables(),
            **lanes,
        }

    def _header(self) -> bytes:
        page = struct.pack(
            "<8sIIIIQQQQQQIiQQI",
            *(b"GRETAHD1", 1, self.flags | (RING if self.ring_records else 0)),
            *(self.pid, 1, self.ring_records, *self.start, *self.latest),
            *(self.end, self.end_code, self.end_ticks, self.dropped, len(self.lanes)),
        )
        return page.ljust(PAGE, b"\0")

    def _live(self) -> bytes:
        page = struct.pack("<8sIIQQQ", b"GRETALV1", 1, 64, len(self.live), 4096, 1024)
        slots = (struct.pack("<IIQQQQQIIIi", *entry) for entry in self.live)
        return page.ljust(PAGE, b"\0") + b"".join(slots)

    def _tables(self) -> bytes:
        calls = [
            {"t": "call", "id": number, "name": name, "words": CALLS[name]}
            for name, number in IDS.items()
            if name in self.named
        ]
        lines = (json.dumps(line, separators=(",", ":")) for line in [*calls, *self.lines])
        return "".join(f"{line}\n" for line in lines).encode()
