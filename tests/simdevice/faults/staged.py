"""Two hundred faults, staged one per process, and their correct twins.

The cases are drawn from a seed, so that every run stages the same ones. A process stages one fault,
because it is permanent; it is forked from one that has loaded the library but has not yet called
it, so that two hundred cost seconds.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import select
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from tests.leash import die_with_parent
from tests.simdevice import memory
from tests.simdevice.faults.kernels import load
from tests.simdevice.faults.staging import codes_of_later_calls
from tests.simdevice.launching import Kernels
from tests.simdevice.library import done, hip_library
from tests.simdevice.truth import reported_faults

SEED = 20260
PATIENCE = 30.0  # seconds; only a hang takes so long

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
SIZES = (
    *(1, 2, 3, 5, 7, 8, 13, 16, 31, 64, 100, 255, 256, 257, 1000, 1023, 4095, 4096, 4097, 5000),
    *(8191, 8192, 12289, 65535, 65537, MIB - 1, MIB + 1, 3 * MIB + 5, 5 * MIB, 7 * MIB + 777),
)
DISTANCES = (
    *(1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 64, 100, 255, 256, 257, 1000, 4095, 4096, 4097, 5000),
    *(64 * KIB - 1, 64 * KIB, 64 * KIB + 1, MIB - 1, MIB, MIB + 1, 16 * MIB, 100 * MIB),
    *(256 * MIB, 512 * MIB + 3, GIB - 4096, GIB - 1, GIB),
)
WIDTHS = (1, 2, 4, 8, 16)
# One access at an offset from a pointer: given directly, in a structure, in device memory, after a
# barrier.
BY_OFFSET = ("access", "access_piece", "access_through", "access_after_barrier")


@dataclass(frozen=True)
class Case:
    """One access, or one range of them. Offsets count from the start of an allocation."""

    kind: str
    kernel: str
    size: int = 0
    offset: int = 0
    width: int = 1
    write: int = 0
    address: int = 0  # instead of an allocation
    first_bad: int = 0  # where the fault must be: an offset, or an address
    last_bad: int = 0

    @property
    def name(self) -> str:
        where = hex(self.address) if self.address else f"{self.size}{self.offset:+}"
        how = "write" if self.write else "read"
        return f"{self.kind}-{self.kernel}-{where}-{how}{self.width}"


def draw_cases() -> list[Case]:
    source = random.Random(SEED)  # noqa: S311 (nothing secret)
    cases = [
        *(draw_past_end(source, distance) for distance in DISTANCES + DISTANCES[:26]),
        *(draw_before_start(source, distance) for distance in DISTANCES + DISTANCES[:7]),
        *(draw_freed(source) for _ in range(35)),
        *(draw_null(source) for _ in range(15)),
        *(draw_wild(source) for _ in range(26)),
        *(draw_sweep(source) for _ in range(15)),
        *(draw_atomic(source) for _ in range(10)),
    ]
    assert len(cases) == 200
    return cases


def aligned(offset: int, width: int) -> int:
    """Vector types must be aligned; allocations are."""
    return offset // 16 * 16 if width == 16 else offset


def single(source: random.Random, kind: str, size: int, offset: int, width: int) -> Case:
    kernel, write = source.choice(BY_OFFSET), source.randrange(2)
    return Case(kind, kernel, size, offset, width, write, 0, offset, offset + width - 1)


def draw_past_end(source: random.Random, distance: int) -> Case:
    """The last byte of the access is so many bytes past the end."""
    size, width = source.choice(SIZES), source.choice(WIDTHS)
    width = min(width, 1 << (size + distance).bit_length() - 1)
    offset = size + distance - width
    if width == 16:
        offset = -(-offset // 16) * 16
    return single(source, "past the end", size, offset, width)


def draw_before_start(source: random.Random, distance: int) -> Case:
    """The first byte of the access is so many bytes before the start."""
    width = source.choice(WIDTHS)
    offset = aligned(-distance, width)
    return single(source, "before the start", source.choice(SIZES), offset, width)


def draw_freed(source: random.Random) -> Case:
    size = source.choice(SIZES)
    width = max(w for w in WIDTHS if w <= min(size, source.choice(WIDTHS)))
    offset = aligned(source.randrange(size - width + 1), width)
    return single(source, "freed", size, offset, width)


def draw_null(source: random.Random) -> Case:
    address = source.choice((0, 1, 4, 8, 64, 100, 1000, 4000, 4088))
    return at_address(source, "null", address, source.choice((1, 2, 4, 8)))


def draw_wild(source: random.Random) -> Case:
    address = source.choice(
        (
            source.randrange(1 << 16, 1 << 47),
            source.randrange(1 << 47, 1 << 63),  # not an address at all
            source.randrange(0xFFFF << 48, 1 << 64),  # of the operating system
            source.randrange(1 << 16, 1 << 32),
            0xDEADBEEF,
            0xCDCDCDCDCDCDCDCD,
            0x0101010101010101,
        )
    )
    return at_address(source, "wild", address, source.choice((1, 2, 4, 8)))


def at_address(source: random.Random, kind: str, address: int, width: int) -> Case:
    kernel = source.choice(("access", "access_number", "access_piece", "access_through"))
    write = source.randrange(2)
    return Case(kind, kernel, 0, 0, width, write, address, address, address + width - 1)


def draw_sweep(source: random.Random) -> Case:
    """Many threads, each with its byte, some of them outside; `width` is how many there are."""
    size, past = source.choice(SIZES[:20]), source.choice((1, 2, 63, 64, 500))
    kernel = source.choice(("sweep", "clear"))
    offset = 0 if kernel == "clear" or source.randrange(2) else -past
    last = size + past - 1 if offset == 0 else -1
    write = 1 if kernel == "clear" else source.randrange(2)
    bad = size if offset == 0 else offset
    return Case("sweep", kernel, size, offset, size + past, write, 0, bad, last)


def draw_atomic(source: random.Random) -> Case:
    size, distance = source.choice(SIZES), source.choice(DISTANCES)
    offset = source.choice((size + distance - 4, -distance))
    return Case("atomic", "access_atomic", size, offset, 4, 1, 0, offset, offset + 3)


# --- staging


def launch(kernels: Kernels, case: Case, base: int) -> int:
    """The launch of a case whose allocation begins at `base`."""
    width, write = case.width, case.write
    if case.kernel == "access_number":
        return kernels.launch(case.kernel, base, width, write)
    if case.kernel == "access_piece":
        piece = (ctypes.c_int64 * 3)(7, ctypes.c_int64(base).value, case.offset)
        return kernels.launch(case.kernel, piece, width, write)
    if case.kernel == "access_through":
        where = memory.device(8)
        where.write(base.to_bytes(8, "little"))
        return kernels.launch(case.kernel, where.address, signed(case.offset), width, write)
    if case.kernel == "clear":
        return kernels.launch(case.kernel, base, width)
    if case.kernel == "sweep":
        shape = {"grid": -(-width // 64), "block": 64}
        return kernels.launch(case.kernel, base, signed(case.offset), width, write, **shape)
    shape = {"grid": 1, "block": 64 if "barrier" in case.kernel else 3}
    if case.kernel == "access_atomic":
        shape = {"grid": 1, "block": 1}
    return kernels.launch(case.kernel, base, signed(case.offset), width, write, **shape)


def signed(value: int) -> int:
    """As launches pass numbers: 64 bits without a sign."""
    return value % (1 << 64)


def stage(path: str, case: Case) -> dict[str, Any]:
    """Makes the fault and tells what the program and what the device saw of it."""
    neighbours = [memory.device(5000)]
    block = memory.device(case.size) if case.size else None
    neighbours.append(memory.device(5000))
    base = block.address if block else case.address
    if case.kind == "freed" and block:
        block.free()
    launched = launch(load(path), case, base)
    code = hip_library().hipDeviceSynchronize()
    faults = reported_faults()
    return {
        "launched": launched,
        "code": code,
        "later": sorted(set(codes_of_later_calls().values())),
        "kinds": [fault.kind for fault in faults],
        "kernels": [fault.kernel for fault in faults],
        "writes": [fault.is_write for fault in faults],
        "offsets": [fault.address - (base if block else 0) for fault in faults],
    }


def stage_all(path: str, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The outcome of each case, each in a process of its own."""
    hip_library()  # loaded, but not called
    return [in_fork(path, Case(**case)) for case in cases]


def in_fork(path: str, case: Case) -> dict[str, Any]:
    reader, writer = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        die_with_parent(parent)
        os.close(reader)
        answer = json.dumps(stage(path, case))
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    text = b"".join(read_patiently(reader))
    os.close(reader)
    hung = not text.endswith(b"}") and os.waitpid(child, os.WNOHANG) == (0, 0)
    if hung:
        os.kill(child, 9)
    _, status = os.waitpid(child, 0)
    return {"ended": "hung" if hung else status, **json.loads(text or b"{}")}


def read_patiently(reader: int) -> Iterator[bytes]:
    while select.select([reader], [], [], PATIENCE)[0]:
        part = os.read(reader, 65536)
        if not part:
            return
        yield part


def as_json(cases: list[Case]) -> list[dict[str, Any]]:
    return [asdict(case) for case in cases]


# --- the twins: the same sizes and kernels, exactly within bounds


def touch_both_ends(path: str) -> list[str]:
    """What went wrong; nothing should."""
    kernels, hip = load(path), hip_library()
    for size in SIZES:
        block, neighbour = memory.device(size), memory.device(size)
        for case in within_bounds(size):
            done(launch(kernels, case, block.address))
            if hip.hipDeviceSynchronize() != 0:
                return [case.name, *(fault.message for fault in reported_faults())]
        block.free()
        neighbour.free()
    return [str(fault) for fault in reported_faults()]


def within_bounds(size: int) -> Iterator[Case]:
    for width in WIDTHS:
        last = aligned(size - width, width)
        for offset in {0, last} if last >= 0 else ():
            for kernel in BY_OFFSET:
                yield Case("within bounds", kernel, size, offset, width, 0)
                yield Case("within bounds", kernel, size, offset, width, 1)
    if size >= 4:
        yield Case("within bounds", "access_atomic", size, size - 4, 4, 1)
    yield Case("within bounds", "clear", size, 0, size, 1)
    if size <= MIB:
        yield Case("within bounds", "sweep", size, 0, size, 0)
        yield Case("within bounds", "sweep", size, 0, size, 1)
