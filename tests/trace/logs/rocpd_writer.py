"""Writes rocpd databases as rocprofiler-sdk's schema describes them.

From rocm-systems, projects/rocprofiler-sdk: the SQL of the schema, version 3 (rocpd_tables.sql of
ROCm 7) and version 4, and "Using rocpd output format". Only columns that hold something are made.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

UUID = "_0000aaaa_1111_7222_8333_444455556666"
COMMON = "id INTEGER PRIMARY KEY, guid TEXT DEFAULT ''"
ON_TRACK = "track_id INTEGER, start_id INTEGER, end_id INTEGER"
IN_ROW = 'nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT, "end" BIGINT'
SIZES = ", ".join(f"{what}_size_{axis} INTEGER" for what in ("workgroup", "grid") for axis in "xyz")


def schema(version: int) -> dict[str, str]:
    """The columns of each table."""
    timed = IN_ROW if version == 3 else ON_TRACK
    return {
        "rocpd_metadata": "id INTEGER PRIMARY KEY, tag TEXT, value TEXT",
        "rocpd_string": f"{COMMON}, string TEXT",
        "rocpd_info_process": f"{COMMON}, nid INTEGER, ppid INTEGER, pid INTEGER",
        "rocpd_info_thread": f"{COMMON}, nid INTEGER, pid INTEGER, tid INTEGER",
        "rocpd_info_agent": f"{COMMON}, nid INTEGER, pid INTEGER, type TEXT",
        "rocpd_info_kernel_symbol": f"{COMMON}, kernel_name TEXT, display_name TEXT",
        "rocpd_track": f"{COMMON}, nid INTEGER, pid INTEGER, tid INTEGER",
        "rocpd_timestamp": f"{COMMON}, value BIGINT",
        "rocpd_event": f"{COMMON}, category_id INTEGER, stack_id INTEGER, correlation_id INTEGER",
        "rocpd_arg": f"{COMMON}, event_id INTEGER, position INTEGER, type TEXT, name TEXT, "
        "value TEXT",
        "rocpd_region": f"{COMMON}, {timed}, name_id INTEGER, event_id INTEGER",
        "rocpd_kernel_dispatch": f"{COMMON}, {timed}, kernel_id INTEGER, dispatch_id INTEGER, "
        f"{SIZES}, event_id INTEGER",
        "rocpd_memory_copy": f"{COMMON}, {timed}, name_id INTEGER, dst_agent_id INTEGER, "
        "dst_address INTEGER, src_agent_id INTEGER, src_address INTEGER, size INTEGER, "
        "event_id INTEGER",
        "rocpd_memory_allocate": f"{COMMON}, {timed}, agent_id INTEGER, type TEXT, level TEXT, "
        "address INTEGER, size INTEGER, event_id INTEGER",
    }


@dataclass
class Database:
    """What one process did; `version` is that of the schema."""

    path: Path
    version: int = 3
    pid: int = 4242
    with_arguments: bool = True
    rows: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    now: int = 1000
    numbers: dict[str, int] = field(default_factory=dict)

    def _add(self, table: str, **values: Any) -> int:
        number = self.numbers.get(table, 0) + 1
        self.numbers[table] = number
        self.rows.append((table, {"id": number, **values}))
        return number

    def _text(self, text: str) -> int:
        return self._add("rocpd_string", string=text)

    def _timed(self, table: str, **values: Any) -> None:
        self.now += 100
        if self.version == 3:
            when = {"nid": 1, "pid": 1, "tid": 1, "start": self.now, "end": self.now + 50}
        else:
            ends = (self._add("rocpd_timestamp", value=self.now + add) for add in (0, 50))
            when = dict(zip(("start_id", "end_id"), ends, strict=True)) | {"track_id": 1}
        self._add(table, **when, **values)

    def call(self, function: str, **arguments: object) -> int:
        """A HIP call; gives the number that it shares with what it causes."""
        stack = self.numbers.get("rocpd_event", 0) + 100
        event = self._add("rocpd_event", stack_id=stack, correlation_id=0)
        self._timed("rocpd_region", name_id=self._text(function), event_id=event)
        for position, (name, value) in enumerate(arguments.items()):
            if self.with_arguments:
                shown = hex(value) if isinstance(value, int) and value > 1 << 32 else str(value)
                told = {"position": position, "type": "?", "name": name, "value": shown}
                self._add("rocpd_arg", event_id=event, **told)
        return stack

    def _event(self, stack: int) -> int:
        return self._add("rocpd_event", stack_id=stack, correlation_id=0)

    def kernel(self, stack: int, name: str) -> None:
        symbol = self._add("rocpd_info_kernel_symbol", kernel_name=f"{name}.kd", display_name=name)
        sizes = dict.fromkeys((f"workgroup_size_{axis}" for axis in "yz"), 1)
        sizes |= dict.fromkeys((f"grid_size_{axis}" for axis in "yz"), 1)
        sizes |= {"workgroup_size_x": 256, "grid_size_x": 1024}
        event = self._event(stack)
        self._timed(
            "rocpd_kernel_dispatch", kernel_id=symbol, dispatch_id=1, **sizes, event_id=event
        )

    def copy(self, stack: int, to: int, source: int, size: int, direction: str = "") -> None:
        """Agent 1 is the CPU, agent 2 the GPU."""
        to_host = direction.endswith("TO_HOST")
        self._timed(
            "rocpd_memory_copy",
            name_id=self._text(f"MEMORY_COPY_{direction}"),
            dst_agent_id=1 if to_host else 2,
            dst_address=to,
            src_agent_id=2 if to_host else 1,
            src_address=source,
            size=size,
            event_id=self._event(stack),
        )

    def allocation(self, stack: int, address: int, size: int, kind: str = "ALLOC") -> None:
        told = {"agent_id": 2, "type": kind, "level": "REAL", "address": address, "size": size}
        self._timed("rocpd_memory_allocate", **told, event_id=self._event(stack))

    def malloc(self, address: int, size: int) -> None:
        stack = self.call("hipMalloc", ptr=0x7FFE_0000_0000, size=size)
        self.allocation(stack, address, -(-size // 4096) * 4096)

    def free(self, address: int) -> None:
        self.allocation(self.call("hipFree", ptr=address), address, 0, "FREE")

    def launch(self, name: str, stream: int = 0) -> None:
        self.kernel(self.call("hipLaunchKernel", function_address=1 << 40, stream=stream), name)

    def memcpy(self, to: int, source: int, size: int, kind: str) -> None:
        named = f"hipMemcpy{kind.title().replace('_To_', 'To').replace('_', '')}"
        stack = self.call("hipMemcpy", dst=to, src=source, sizeBytes=size, kind=named)
        self.copy(stack, to, source, size, kind)

    def write(self) -> Path:
        self.path.unlink(missing_ok=True)
        with sqlite3.connect(self.path) as database:
            for table, columns in schema(self.version).items():
                database.execute(f'CREATE TABLE "{table}{UUID}" ({columns})')
                view = f'CREATE VIEW {table} AS SELECT * FROM "{table}{UUID}"'  # noqa: S608
                database.execute(view)
            own: list[tuple[str, dict[str, Any]]] = [
                ("rocpd_metadata", {"tag": "schema_version", "value": str(self.version)}),
                ("rocpd_info_process", {"id": 1, "nid": 1, "pid": self.pid}),
                ("rocpd_info_thread", {"id": 1, "nid": 1, "pid": 1, "tid": 77}),
                ("rocpd_info_agent", {"id": 1, "type": "CPU"}),
                ("rocpd_info_agent", {"id": 2, "type": "GPU"}),
                ("rocpd_track", {"id": 1, "nid": 1, "pid": 1, "tid": 1}),
            ]
            for table, values in (*own, *self.rows):
                names = ", ".join(f'"{name}"' for name in values)
                marks = ", ".join("?" * len(values))
                statement = f'INSERT INTO "{table}{UUID}" ({names}) VALUES ({marks})'  # noqa: S608
                database.execute(statement, tuple(values.values()))
        database.close()
        return self.path
