"""PyTorch's memory snapshots and HRR's region files: read as plain data, never run."""

from __future__ import annotations

import pickle
import struct
from pathlib import Path
from typing import Any

import pytest

from greta.errors import UsageError
from greta.trace import memory_history
from greta.trace.memory_history import DatedBlock, is_memory_history, read_memory_history
from greta.trace.plain_pickle import NotPlainError, load

BASE = 0x7F00_0000_0000
FRAMES = [
    {"filename": "/venv/lib/python3.11/site-packages/torch/nn/linear.py", "line": 9, "name": "f"},
    {"filename": "/home/user/train.py", "line": 31, "name": "forward"},
]


def entry(action: str, at: int, size: int = 512, time: int = 0, **more: Any) -> dict[str, Any]:
    told = {"action": action, "addr": BASE + at, "size": size, "stream": 0, "frames": FRAMES}
    return told | ({"time_us": time} if time else {}) | more


def block(at: int, size: int, state: str = "active_allocated") -> dict[str, Any]:
    return {"address": BASE + at, "size": size, "requested_size": size - 12, "state": state}


def snapshot(blocks: list[dict[str, Any]], *events: dict[str, Any]) -> dict[str, Any]:
    """As torch.cuda.memory._snapshot() gives it."""
    segment = {
        "device": 0,
        "address": BASE,
        "total_size": 1 << 21,
        "stream": 0,
        "segment_type": "small",
        "segment_pool_id": (0, 0),
        "is_expandable": False,
        "blocks": blocks,
    }
    return {"segments": [segment], "device_traces": [list(events)], "allocator_settings": {}}


def read(tmp_path: Path, content: Any) -> list[DatedBlock]:
    path = tmp_path / "snapshot.pickle"
    path.write_bytes(content if isinstance(content, bytes) else pickle.dumps(content))
    assert is_memory_history(path)
    return sorted(read_memory_history(path).blocks, key=lambda one: (one.base, one.begun))


def test_events_with_times_are_lifetimes(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        snapshot(
            [block(0, 512), block(512, 1024, "inactive"), block(4096, 512)],
            entry("segment_alloc", 0, 1 << 21, 10),
            entry("alloc", 0, 500, 20),
            entry("alloc", 512, 600, 30),
            entry("free_requested", 512, 600, 40),
            entry("free_completed", 512, 600, 41),
            entry("alloc", 512, 1024, 50),
            entry("free_requested", 512, 1024, 60),
        ),
    )
    name = "train.py:31 (forward)"
    assert found == [
        DatedBlock(BASE, 500, name, 20_000),
        DatedBlock(BASE + 512, 600, name, 30_000, 40_000),
        DatedBlock(BASE + 512, 1024, name, 50_000, 60_000),
        DatedBlock(BASE + 4096, 500, "", 10_000),  # in the state, and older than the history
    ]


def test_without_times_only_what_was_nobody_elses(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        snapshot(
            [block(0, 512), block(512, 512, "inactive"), block(1024, 512)],
            entry("alloc", 0, 500),
            entry("alloc", 1024, 2048),  # another lay over what is there now
            entry("free_requested", 1024, 2048),
        ),
    )
    assert [(one.base - BASE, one.is_dated) for one in found] == [(0, False)]


def test_old_snapshots_do_not_say_where_blocks_begin(tmp_path: Path) -> None:
    blocks = [{"size": 512, "state": "inactive"}, {"size": 1024, "state": "active_allocated"}]
    found = read(tmp_path, snapshot(blocks))
    assert [(one.base - BASE, one.bytes) for one in found] == [(512, 1024)]


class Evil:
    def __reduce__(self) -> Any:
        return (print, ("run",))


DEEP = b"\x80\x04}(N" + b"\x85" * 200_000 + b"K\x01u."

HOSTILE = {
    "class": pickle.dumps(Evil()),
    "class of protocol 2": pickle.dumps(Evil(), protocol=2),
    "set": pickle.dumps({"segments": {1, 2}}),
    "bytearray": pickle.dumps(bytearray(b"1")),
    "cut short": pickle.dumps(snapshot([block(0, 512)]))[:-20],
    "empty": b"\x80\x04",
    "nothing on the stack": b"\x80\x04.",
    "no mark": b"\x80\x04u.",
    "tuple of nothing": b"\x80\x04\x87.",
    "append to none": b"\x80\x04Na.",
    "unknown place": b"\x80\x04h\x07.",
    "long text": b"\x80\x04\x8d" + b"\xff" * 8,
    "long frame": b"\x80\x04\x95" + b"\xff" * 8 + b"N.",
    "deep key": DEEP,
    "by name": b"\x80\x02cos\nsystem\n(X\x04\x00\x00\x00trueo.",
    "persistent": b"\x80\x02X\x01\x00\x00\x00aQ.",
    "extension": b"\x80\x02\x82\x01.",
    "keys of one hash": pickle.dumps({(1 << 61) - 1: 0, ((1 << 61) - 1) * 2: 0}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pickles_are_refused(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(UsageError, match="it is not read"):
        read(tmp_path, HOSTILE[name])
    assert capsys.readouterr().out == ""


def test_what_is_no_text_is_none(tmp_path: Path) -> None:
    doubled: list[Any] = []
    for _ in range(60):  # as text it would fill any memory
        doubled = [doubled, doubled]
    odd = {"filename": doubled, "name": doubled, "line": doubled}
    told = entry("alloc", 0, 512, 20, frames=[odd], state=doubled)
    (found,) = read(tmp_path, snapshot([], told | {"stream": doubled}))
    assert found.name == ":0 ()"


def test_a_first_event_that_is_none(tmp_path: Path) -> None:
    content = snapshot([block(0, 512)])
    content["device_traces"] = [[None, {"action": "alloc", "time_us": 5}]]
    assert [one.base for one in read(tmp_path, content)] == [BASE]


def test_a_small_file_cannot_tell_of_one_thing_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_history, "MOST", 1000)
    content = snapshot([block(0, 512)] * 100)
    content["segments"] *= 11
    with pytest.raises(UsageError, match="more than 1,000 events or blocks"):
        read(tmp_path, content)


@pytest.mark.parametrize(
    "content",
    [
        *(None, 7, [], {}, {"segments": None}, {"segments": [], "device_traces": []}),
        {"segments": [7, {"blocks": 7}, {"blocks": [7]}], "device_traces": [7, [7]]},
        snapshot(
            [block(0, 512, "inactive")], {"action": 7, "addr": "x", "size": -1, "time_us": 1 << 80}
        ),
    ],
)
def test_what_is_no_snapshot_is_refused(tmp_path: Path, content: Any) -> None:
    with pytest.raises(UsageError):
        read(tmp_path, content)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_data_is_what_it_was(protocol: int) -> None:
    same = "the same text"
    data = {
        "numbers": [0, 255, 65535, -1, 1 << 31, -(1 << 40), 1 << 61, 1.5],
        "texts": ["", "\u00e9" * 300, same, same],
        "others": (None, True, False, (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)),
        3: {"nested": [{}, []]},
    }
    assert load(pickle.dumps(data, protocol)) == data


def test_protocols_before_are_refused() -> None:
    with pytest.raises(NotPlainError):
        load(pickle.dumps({}, 0))


# --- HRR's region files ---------------------------------------------------------------------------


def batch(written: int, *records: tuple[int, int, int, int, int]) -> bytes:
    """Records of op, kind, base, size and time."""
    rows = b"".join(
        struct.pack("<BBBBIQQq", op, kind, 0, 0, 0, BASE + base, size, time)
        for op, kind, base, size, time in records
    )
    head = struct.pack("<HQQQIH", 0xFFFD, 0, written, 0, 40 + len(rows), 0)
    return head + struct.pack("<II", len(records), 0) + rows


def regions(*batches: bytes, version: int = 1) -> bytes:
    return b"HRRR" + struct.pack("<HH", version, 0) + b"".join(batches)


def test_region_files(tmp_path: Path) -> None:
    first = batch(5, (0, 1, 0, 1 << 21, 0), (0, 0, 0, 512, 0))
    second = batch(20, (0, 0, 512, 256, 10), (1, 0, 512, 256, 15))
    torn = batch(30, (1, 0, 0, 512, 25))[:-8]
    found = read(tmp_path, regions(first, second, torn))
    assert found == [
        DatedBlock(BASE, 512, "", 5),
        DatedBlock(BASE + 512, 256, "", 10, 15),
    ]


@pytest.mark.parametrize(
    "data",
    [
        *(b"HRRR", regions(), regions(version=2), regions(b"\0" * 64), regions(b"\xff" * 64)),
        regions(batch(1, (7, 9, 0, 0, -1))),
    ],
)
def test_region_files_without_blocks_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UsageError):
        read(tmp_path, data)
