"""A caching allocator as PyTorch's, whose memory snapshot is written beside the run."""

import pickle
import sys
import time
from pathlib import Path
from typing import Any

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

what, path = sys.argv[1:]
SEGMENT, SIZE = 1 << 21, 2048
N = SIZE // 4
kernels = Kernels()
segment = ok(hip.hipMalloc(SEGMENT))
ok(hip.hipMemset(segment, 0, SEGMENT))
events: list[dict[str, Any]] = []


def note(action: str, place: int, size: int) -> None:
    """Apart from the calls before and after, as far as clocks can tell."""
    time.sleep(0.003)
    frame = {"filename": "/home/user/model.py", "line": 10 + len(events), "name": "forward"}
    entry = {"action": action, "addr": int(segment) + place, "size": size, "stream": 0}
    now = {} if what == "without times" else {"time_us": time.time_ns() // 1000}
    events.append({**entry, "frames": [frame], **now})
    time.sleep(0.003)


note("segment_alloc", 0, SEGMENT)
note("alloc", 0, SIZE)
note("alloc", SIZE, SIZE)
first, second = segment, at(segment, SIZE)
size = SIZE + 64 if what in ("too long", "without times") else SIZE
ok(hip.hipMemcpy(first, floats(2 * N), size, TO_DEVICE))
launch(kernels.square, 4, 128, None, first, second, N)
ok(hip.hipDeviceSynchronize())
if what != "without times":
    note("free_requested", 0, SIZE)
    note("free_completed", 0, SIZE)
if what == "again":
    note("alloc", 0, SIZE // 2)
if what in ("late", "again"):
    launch(kernels.scale, 2, 128, None, first, 2.0, N // 2)
ok(hip.hipMemcpy(floats(N), second, SIZE, TO_HOST))
block = {"address": int(segment) + SIZE, "size": SIZE, "requested_size": SIZE, "frames": []}
state = {
    "address": int(segment),
    "total_size": SEGMENT,
    "blocks": [{**block, "state": "active_allocated"}],
}
Path(path).write_bytes(pickle.dumps({"segments": [state], "device_traces": [events]}))
