"""From what hipGetErrorString says to the number of the error."""

from __future__ import annotations

from typing import Final

from greta.recording import ERROR_NAMES

_LONGEST: Final = 400

TEXTS: Final[dict[int, str]] = {
    1: "invalid argument",
    2: "out of memory",
    3: "initialization error",
    4: "driver shutting down",
    5: "the profiler is disabled",
    6: "the profiler is not initialized",
    7: "the profiler is already started",
    8: "the profiler is already stopped",
    9: "invalid configuration argument",
    12: "invalid pitch argument",
    13: "invalid device symbol",
    17: "invalid device pointer",
    21: "invalid copy direction for memcpy",
    35: "driver version is insufficient for runtime version",
    52: "__global__ function call is not configured",
    53: "unspecified launch failure in prior launch",
    98: "invalid device function",
    100: "no ROCm-capable device is detected",
    101: "invalid device ordinal",
    201: "invalid device context",
    202: "the context is already current",
    205: "the mapping failed",
    206: "unmapping failed",
    207: "the array is mapped",
    208: "already mapped",
    209: "no kernel image is available for execution on the device",
    210: "already acquired",
    211: "not mapped",
    212: "not mapped as an array",
    213: "not mapped as a pointer",
    214: "uncorrectable memory error",
    215: "this limit is not supported",
    216: "the context is already in use",
    217: "these devices cannot access each other",
    218: "invalid kernel file",
    219: "invalid graphics context",
    301: "file not found",
    302: "shared object symbol not found",
    303: "shared object initialization failed",
    304: "OS call failed or operation not supported on this OS",
    400: "invalid resource handle",
    401: "the operation cannot be performed in the present state",
    500: "named symbol not found",
    600: "device not ready",
    700: "an illegal memory access was encountered",
    701: "too many resources requested for launch",
    702: "the launch timed out and was terminated",
    704: "peer access is already enabled",
    705: "peer access has not been enabled",
    708: "cannot set while device is active in this process",
    709: "context is destroyed",
    710: "device-side assert triggered",
    712: "part or all of the requested memory range is already mapped",
    713: "pointer does not correspond to a registered memory region",
    719: "unspecified launch failure",
    720: "too many blocks in cooperative launch",
    801: "operation not supported",
    900: "operation not permitted when stream is capturing",
    901: "operation failed due to a previous error during capture",
    902: "operation would result in a merge of separate capture sequences",
    903: "capture was not ended in the same stream as it began",
    904: "capturing stream has unjoined work",
    905: "dependency created on uncaptured work in another stream",
    906: "operation would make the legacy stream depend on a capturing blocking stream",
    907: "operation not permitted on an event last recorded in a capturing stream",
    908: "attempt to terminate a thread-local capture sequence from another thread",
    910: "the graph update was not performed because it included changes which v"
    "iolated constraints specific to instantiated graph update",
    911: "invalid channel descriptor",
    912: "invalid texture",
    914: "invalid resource type",
    915: "invalid resource configuration",
    916: "the stream is detached",
    999: "unknown error",
    1052: "runtime memory call returned error",
    1053: "runtime call other than memory returned error",
    1054: "a kernel launch error has occurred due to cluster misconfiguration",
    1055: "not yet specified",
}
_NUMBERS: Final = {name: code for code, name in ERROR_NAMES.items()}
# The longest first, so that a text that is part of another does not win.
_ORDERED: Final = sorted(TEXTS.items(), key=lambda item: -len(item[1]))


def error_in(text: str) -> int | None:
    """The error that a sentence speaks of, by its name or its text."""
    start = text[:_LONGEST]
    at = start.find("hipError")
    if at >= 0:
        name = start[at:].replace("(", " ").replace(")", " ").split()[0].rstrip(".,:;'\"")
        if name in _NUMBERS:
            return _NUMBERS[name]
    return next((code for code, words in _ORDERED if words in start), None)


def number_of(name: str) -> int | None:
    """Of an error's name; 0 is hipSuccess."""
    return _NUMBERS.get(name)
