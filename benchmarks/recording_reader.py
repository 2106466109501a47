"""Opening a large recording: greta.recording against NumPy reading and adding up the same bytes.

Writes 10 million calls of 4 threads (1.28 GB) to a temporary folder. Ours opens them, brings them
into their common order and counts them by call; the peer reads the lanes with `np.fromfile` and
sums them. Each round is a process of its own, whose peak memory is measured; they take turns, and
the best round counts.

    python benchmarks/recording_reader.py [EVENTS]
"""

from __future__ import annotations

import json
import resource
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from greta.recording import _format as f
from greta.recording import open_recording

EVENTS = 10_000_000
LANES = 4
ROUNDS = 3
CHUNK = 1 << 18
NAMES = ["hipMalloc", "hipFree", "hipMemcpyAsync", "hipModuleLaunchKernel", "hipEventRecord"]


def write_recording(folder: Path, events: int) -> None:
    folder.mkdir()
    header = struct.pack(
        "<8sIIIIQQQQQQIiQQI",
        *(b"GRETAHD1", 1, 1, 4711, 1, 0),  # ticks are those of a CPU
        *(0, 0, 0, 3_000_000_000, 1_000_000_000, f.End.EXIT, 0, 0, 0, LANES),
    )
    (folder / "header").write_bytes(header.ljust(f.PAGE_BYTES, b"\0"))
    (folder / "live").write_bytes(
        struct.pack("<8sIIQQQ", b"GRETALV1", 1, 64, 0, 0, 0).ljust(f.PAGE_BYTES, b"\0")
    )
    lines = [{"t": "call", "id": i, "name": name, "words": []} for i, name in enumerate(NAMES, 1)]
    (folder / "tables.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for lane in range(LANES):
        write_lane(folder, lane, events // LANES)


def write_lane(folder: Path, lane: int, events: int) -> None:
    random = np.random.default_rng(lane)
    first_page = struct.pack(
        *("<8sIIIIQQQ16s", b"GRETALN1", 1, lane, 100 + lane, 0, 0, events, 0, b"thread")
    )
    begin = 0
    with (folder / f"lane.{lane}").open("wb") as file:
        file.write(first_page.ljust(f.PAGE_BYTES, b"\0"))
        for start in range(0, events, CHUNK):
            records = np.zeros(min(CHUNK, events - start), f.RECORD)
            steps = random.integers(100, 3000, len(records))
            records["call"] = random.integers(1, len(NAMES) + 1, len(records))
            records["flags"] = f.RecordFlags.FINISHED
            records["begin"] = begin + np.cumsum(steps)
            records["end"] = records["begin"] + 90
            records["words"] = random.integers(0, 1 << 40, (len(records), 1))
            begin = int(records["begin"][-1])
            records.tofile(file)


def read_with_greta(folder: Path) -> int:
    (process,) = open_recording(folder).processes
    calls = process.columns.call
    assert len(calls) == sum(process.calls_by_name.values())
    assert process.complete
    return len(calls)


def read_with_numpy(folder: Path) -> int:
    return sum(int(np.fromfile(lane, np.uint64).sum()) for lane in sorted(folder.glob("lane.*")))


READERS = {"greta": read_with_greta, "numpy": read_with_numpy}


def measure_here(reader: str, folder: Path) -> None:
    started = perf_counter()
    READERS[reader](folder)
    elapsed = perf_counter() - started
    print(elapsed, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20))


def measure(reader: str, folder: Path) -> tuple[float, float]:
    command = [sys.executable, __file__, "--measure", reader, str(folder)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, gibibytes = map(float, output.split())
    return seconds, gibibytes


def main() -> None:
    if sys.argv[1:2] == ["--measure"]:
        measure_here(sys.argv[2], Path(sys.argv[3]))
        return
    events = int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS
    with tempfile.TemporaryDirectory(prefix="greta-benchmark-") as temporary:
        folder = Path(temporary) / "4711.1"
        write_recording(folder, events)
        rounds = [[measure(name, folder) for name in READERS] for _ in range(ROUNDS)]
    ours, peer = (min(results) for results in zip(*rounds, strict=True))
    size = events * f.RECORD_BYTES / 1e9
    print(f"recording of {events:,} calls in {LANES} lanes, {size:.2f} GB:")
    print(f"  opened, ordered and counted in {ours[0]:.2f} s, peak {ours[1]:.2f} GiB")
    print(f"  np.fromfile and sum in {peer[0]:.2f} s, peak {peer[1]:.2f} GiB")
    print(f"ratio {ours[0] / peer[0]:.1f} times the time of reading and adding up the same bytes")


if __name__ == "__main__":
    main()
