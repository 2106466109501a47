"""gretaSimGetFaults: what the device knows and HIP does not tell."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from typing import Any

from tests.simdevice.library import hip_library

ILLEGAL_ACCESS, TRAP, RED_ZONE_DAMAGE = 1, 2, 3


class _Fault(ctypes.Structure):
    """gretaSimFault."""

    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("device", ctypes.c_int32),
        ("operation_number", ctypes.c_uint64),
        ("stream", ctypes.c_uint64),
        ("address", ctypes.c_uint64),
        ("address_known", ctypes.c_uint8),
        ("is_write", ctypes.c_uint8),
        ("thread_known", ctypes.c_uint8),
        ("reserved", ctypes.c_uint8 * 5),
        ("block", ctypes.c_uint32 * 3),
        ("thread", ctypes.c_uint32 * 3),
        ("operation", ctypes.c_char * 32),
        ("kernel", ctypes.c_char * 256),
        ("message", ctypes.c_char * 256),
    )


@dataclass(frozen=True)
class Truth:
    """One fault; as plain values, so that a child can send it to its parent."""

    kind: int
    device: int
    operation_number: int
    stream: int
    address: int
    address_known: bool
    is_write: bool
    thread_known: bool
    block: list[int]
    thread: list[int]
    operation: str
    kernel: str
    message: str

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def reported_faults() -> list[Truth]:
    room = (_Fault * 16)()
    count = int(hip_library().gretaSimGetFaults(room, len(room)))
    return [_plain(fault) for fault in room[: min(count, len(room))]]


def _plain(fault: _Fault) -> Truth:
    return Truth(
        kind=fault.kind,
        device=fault.device,
        operation_number=fault.operation_number,
        stream=fault.stream,
        address=fault.address,
        address_known=bool(fault.address_known),
        is_write=bool(fault.is_write),
        thread_known=bool(fault.thread_known),
        block=list(fault.block),
        thread=list(fault.thread),
        operation=fault.operation.decode(),
        kernel=fault.kernel.decode(),
        message=fault.message.decode(),
    )
