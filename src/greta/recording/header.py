"""The file `header`: who was recorded, when, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from greta.recording import _format as f
from greta.recording.errors import RecordingError
from greta.recording.files import opened, read_struct
from greta.recording.problems import Problems


@dataclass(frozen=True)
class Header:
    """The facts of a process. All zero if the file could not be read."""

    readable: bool
    flags: f.HeaderFlags
    pid: int
    parent_pid: int
    ring_records: int
    start_ticks: int
    start_monotonic_ns: int
    start_realtime_ns: int
    latest_ticks: int
    latest_monotonic_ns: int
    end: f.End
    end_code: int
    end_ticks: int
    dropped: int
    lanes: int

    @property
    def ring(self) -> bool:
        """Whether lanes keep only the last records."""
        return bool(self.flags & f.HeaderFlags.RING)

    @property
    def gave_up(self) -> bool:
        """Whether the recorder had to stop recording, as without space."""
        return bool(self.flags & f.HeaderFlags.INCOMPLETE)


def read_header(path: Path, problems: Problems) -> Header:
    """The header, as far as it can be read; RecordingError if it is of another version."""
    try:
        with opened(path) as descriptor:
            structs, found = read_struct(descriptor, f.HEADER)
    except OSError as error:
        problems.add("header", None, f"cannot be read: {error.strerror or error}")
        return _unreadable()
    values = dict(zip(f.HEADER.fields or {}, structs[0].item(), strict=True))
    if values["magic"] != f.HEADER_MAGIC:
        problems.add("header", 0, "does not begin as the header of a recording does")
        return _unreadable()
    _require_version(path, values["version"])
    if found < f.HEADER.itemsize:
        problems.add("header", found, f"is cut short: {found} of {f.HEADER.itemsize} bytes")
    return Header(
        readable=True,
        flags=f.HeaderFlags(values["flags"] & 7),
        end=_end(values["end"], problems),
        **{name: values[name] for name in _PLAIN},
    )


_PLAIN = (
    *("pid", "parent_pid", "ring_records", "start_ticks", "start_monotonic_ns"),
    *("start_realtime_ns", "latest_ticks", "latest_monotonic_ns"),
    *("end_code", "end_ticks", "dropped", "lanes"),
)


END_OFFSET = 72  # of `end` in struct greta_header


def _unreadable() -> Header:
    zeros = dict.fromkeys(_PLAIN, 0)
    return Header(readable=False, flags=f.HeaderFlags(0), end=f.End.OPEN, **zeros)


def _require_version(path: Path, version: int) -> None:
    if version != f.VERSION:
        raise RecordingError(
            f"{path.parent} is a recording of version {version}, and this greta reads version "
            f"{f.VERSION}; use the greta that recorded it"
        )


def _end(value: int, problems: Problems) -> f.End:
    try:
        return f.End(value)
    except ValueError:
        problems.add("header", END_OFFSET, f"has an unknown way to end, {value}")
        return f.End.OPEN
