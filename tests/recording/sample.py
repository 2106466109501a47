"""A small recording with something of everything, and how to damage it."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from pathlib import Path

from greta.recording import LiveKind
from tests.recording.writer import ARRAY, KERNARG, STRUCT, TSC, Payload, ProcessWriter, filler

MEMORY = LiveKind.DEVICE_MEMORY
NAMED = (
    *("hipSetDevice", "hipMalloc", "hipMemPoolCreate", "hipModuleLoad", "hipModuleLaunchKernel"),
    *("hipGraphAddEmptyNode", "hipFree", "hipDeviceReset", "hipDeviceSynchronize"),
)


def sample(folder: Path, *, ring: bool) -> ProcessWriter:
    """Two threads that allocate, copy, launch and free; in a ring only the last of it is left."""
    writer = ProcessWriter(folder, flags=TSC, latest=(4000, 6000))
    writer.ring_records = 16 if ring else 0
    writer.named = NAMED
    _add_tables(writer)
    for thread in range(2):
        _add_calls(writer, thread)
    writer.live_entry(MEMORY, 0x7000, bytes=64, number=1, since=1105)
    writer.live_entry(LiveKind.STREAM, 0x9000, number=2, since=1)
    writer.live_entry(LiveKind.FREE, 0, number=3)
    return writer


def _add_tables(writer: ProcessWriter) -> None:
    argument = {"offset": 0, "bytes": 8, "kind": "global_buffer", "name": "x"}
    view = {"offset": 8, "bytes": 24, "kind": "by_value"}
    writer.line("process", pid=4711, executable="/usr/bin/x", arguments=["x"])
    writer.line("library", path="/lib/x.so", begin="0x7f00", end="0x7fff", base="0x7000")
    writer.line("text", id=1, text="model.co")
    writer.line("module", id=1, handle="0x90", bytes=10, targets=["gfx942"])
    writer.line("kernel", id=1, module=1, function="0x10", name="k", arguments=[argument, view])
    writer.line("script", id=1, python="3.11", frames=[{"file": "run.py", "first_line": 3}])
    writer.line("annotation", id=1, text="step")
    writer.line("annotation", id=2, parent=1, text="layer")
    writer.line("note", text="nothing")


def _add_calls(writer: ProcessWriter, thread: int) -> None:
    lane, at = writer.lane(100 + thread), 1100 + thread
    address = 0x7000 + 0x1000 * thread
    values = struct.pack("<4Q", address, 1, address, 3)
    lane.call("hipSetDevice", [thread], begin=at, end=at + 1)
    lane.call("hipMalloc", [address, 64], begin=at + 2, end=at + 5, script=1, annotation=2)
    lane.call(
        "hipMemPoolCreate",
        [1, 2],
        begin=at + 6,
        end=at + 7,
        payloads=[Payload(STRUCT, 1, bytes(150))],
    )
    lane.call("hipModuleLoad", [0x90, 1], begin=at + 8, end=at + 9)
    for step in range(3):
        begin = at + 10 + step * 4
        arguments = Payload(KERNARG, 0, values)
        lane.call(
            "hipModuleLaunchKernel", begin=begin, end=begin + 1, kernel=1, payloads=[arguments]
        )
    nodes = Payload(ARRAY, 2, struct.pack("<2Q", 5, 6))
    lane.call("hipGraphAddEmptyNode", [1, 2, 3, 2], begin=at + 40, end=at + 41, payloads=[nodes])
    lane.slots.append(filler())
    lane.call("hipFree", [address], begin=at + 50, end=at + 51)
    lane.call("hipDeviceReset", begin=at + 60, end=at + 61, result=700 * thread)
    lane.call("hipDeviceSynchronize", begin=at + 70)
    lane.spare_slots = 4


Damage = Callable[[random.Random, bytearray], None]


def place(dice: random.Random, content: bytearray) -> int:
    """Anywhere, but half of the time among the first bytes, where the headers are."""
    if not content:
        return 0
    return dice.randrange(min(len(content), 128 if dice.random() < 0.5 else len(content)))


def flip_bits(dice: random.Random, content: bytearray) -> None:
    for _ in range(dice.randint(1, 4) if content else 0):
        content[place(dice, content)] ^= 1 << dice.randrange(8)


def cut_off(dice: random.Random, content: bytearray) -> None:
    del content[dice.randrange(len(content) + 1) :]


def put_noise(dice: random.Random, content: bytearray) -> None:
    at, length = place(dice, content), dice.randint(1, 64)
    content[at : at + length] = dice.randbytes(length)


def put_extreme(dice: random.Random, content: bytearray) -> None:
    at, length = place(dice, content) & ~3, dice.choice((4, 8))
    content[at : at + length] = dice.choice((bytes(length), b"\xff" * length, b"\x7f" * length))


def remove_some(dice: random.Random, content: bytearray) -> None:
    at = place(dice, content)
    del content[at : at + dice.randint(1, 200)]


def repeat_some(dice: random.Random, content: bytearray) -> None:
    at, to = place(dice, content), place(dice, content)
    content[to:to] = content[at : at + dice.choice((1, 64, 128, 300))]


DAMAGES: list[Damage] = [
    *(flip_bits, cut_off, put_noise, put_extreme, remove_some, repeat_some),
]
