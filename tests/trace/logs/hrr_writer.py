"""Writes archives of HIP record and replay as AMD's documentation describes them.

From rocm-systems, projects/hrr: DESIGN.md ("Archive Format (v8)", "`hrr_args_*` Struct Layout
Rules", "Kernel Argument Capture"), include/hrr/hrr_api_args.h (numbers of calls, order of fields).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

VERSION = 8


@dataclass
class Archive:
    """The calls of one process, each of which succeeded."""

    folder: Path
    pid: int = 4242
    version: int = VERSION
    records: list[bytes] = field(default_factory=list)
    now: int = 5_000_000_000

    def _record(self, number: int, payload: bytes, thread: int = 1) -> None:
        self.now += 1_000_000_000
        head = struct.pack("<H", number) + struct.pack("<Q", len(self.records) + 1)
        head += struct.pack("<Q", self.now) + struct.pack("<Q", thread)
        head += struct.pack("<I", 32 + len(payload)) + b"\0\0"
        self.records.append(head + payload)

    def _call(self, number: int, layout: str, *values: int, thread: int = 1) -> None:
        self._record(number, struct.pack("<i" + layout, 0, *values), thread)

    def malloc(self, address: int, size: int) -> None:
        self._call(215, "QQ", address, size)

    def host_malloc(self, address: int, size: int) -> None:
        self._call(197, "QQI", address, size, 0)

    def free(self, address: int) -> None:
        self._call(90, "Q", address)

    def memcpy(self, to: int, source: int, size: int, kind: int) -> None:
        self._call(259, "QQQiQQ", to, source, size, kind, 0, 0)

    def memcpy_async(self, to: int, source: int, size: int, kind: int, stream: int) -> None:
        self._call(268, "QQQiQQQ", to, source, size, kind, stream, 0, 0)

    def memcpy_async_spt(self, to: int, source: int, size: int, kind: int, thread: int) -> None:
        self._call(402, "QQQiQQQ", to, source, size, kind, 0, 0, 0, thread=thread)

    def memset_d16(self, to: int, value: int, count: int) -> None:
        self._call(294, "QHQ", to, value, count)

    def stream_create(self, stream: int, flags: int = 1) -> None:
        self._call(335, "QI", stream, flags)

    def event_record(self, event: int, stream: int) -> None:
        self._call(81, "QQ", event, stream)

    def stream_wait_event(self, stream: int, event: int) -> None:
        self._call(348, "QQI", stream, event, 0)

    def stream_synchronize(self, stream: int) -> None:
        self._call(346, "Q", stream)

    def device_synchronize(self) -> None:
        self._call(66, "")

    def copy_3d(self) -> None:
        self._call(266, "Q", 0x7FFE_0000_0000)

    def other(self) -> None:
        """A call that has no meaning for memory: hipGetDevice."""
        self._call(102, "Q", 0x7FFE_0000_1000)

    def launch(self, name: str, *arguments: int | bytes, stream: int = 0, blocks: int = 4) -> None:
        """An address is whole; bytes are a number or a struct."""
        text = name.encode()
        data = struct.pack("<QH", stream, len(text)) + text + struct.pack("<QQ", 1, 2)
        data += struct.pack("<3I3II", blocks, 1, 1, 256, 1, 1, 0)
        data += struct.pack("<HH", len(arguments), 0)
        for argument in arguments:
            if isinstance(argument, int):
                data += struct.pack("<BHQ", 1, 8, argument)
            else:
                data += struct.pack("<BH", 0, len(argument)) + argument
        self._record(308, data + struct.pack("<II", 0, 0))

    def launch_with_struct(self, name: str, words: bytes, *offsets: int) -> None:
        """A struct passed by value, with addresses at these offsets."""
        text = name.encode()
        data = struct.pack("<QH", 0, len(text)) + text + struct.pack("<QQ", 1, 2)
        data += struct.pack("<3I3IIHH", 4, 1, 1, 256, 1, 1, 0, 1, 0)
        data += struct.pack("<BH", 3, len(words)) + words
        data += struct.pack(f"<H{len(offsets)}H", len(offsets), *offsets)
        self._record(308, data + struct.pack("<II", 0, 0))

    def data(self, complete: bool = True) -> bytes:
        """events.bin."""
        head = struct.pack("<IHH", 0x52524845, self.version, 1)
        end = struct.pack("<HQQQI2x", 0xFFFF, len(self.records) + 1, 0, 0, 44)
        end += struct.pack("<QI", len(self.records), 0x464F4548)
        return head + b"".join(self.records) + (end if complete else b"")

    def write(self, complete: bool = True) -> Path:
        own = self.folder / f"pid-{self.pid}"
        own.mkdir(parents=True, exist_ok=True)
        (own / "events.bin").write_bytes(self.data(complete))
        (own / "manifest.json").write_text('{"pid": 1, "complete": true}')
        return self.folder

    def regions(self, *blocks: tuple[int, int, int, int]) -> None:
        """Base, bytes, when it began and when it ended (0: never); producers/README.md."""
        records = b"".join(
            struct.pack("<BBBBIQQq", op, 0, 0, 0, 0, base, size, time)
            for base, size, begun, ended in blocks
            for op, time in ((0, begun), (1, ended))
            if op == 0 or time
        )
        count = len(records) // 32
        batch = struct.pack("<HQQQI2xII", 0xFFFD, 1, self.now, 1, 40 + len(records), count, 0)
        folder = self.folder / f"pid-{self.pid}" / "regions"
        folder.mkdir(parents=True, exist_ok=True)
        file = struct.pack("<4sHH", b"HRRR", 1, 0)
        (folder / "torch.hrrr").write_bytes(file + batch + records)
