"""The values a kernel was given, as other tools can read them."""

from __future__ import annotations

from typing import Any

from greta.recording import CallEvent, KernelArgument
from greta.recording.events import decoder_of

_WORD_BYTES = 8
_ADDRESSES = range(1 << 12, 1 << 47)  # of a process


def kernel_values(event: CallEvent) -> list[dict[str, Any]]:
    """Name, kind, size and value of each argument. Bytes that are no number are hexadecimal.

    Of these, `pointers` are the words that may be addresses.
    """
    parameters = event.kernel.arguments if event.kernel else ()
    types = [parameter.type for parameter in parameters] or [""]
    return [
        {
            "name": argument.name,
            "kind": argument.kind,
            "bytes": argument.bytes,
            "value": _value(argument, type_),
            **_pointers(argument),
        }
        for argument, type_ in zip(event.kernel_arguments, types, strict=False)
    ]


def _value(argument: KernelArgument, type_: str) -> int | float | str | None:
    value = argument.value
    if value is None:
        return None
    if isinstance(value, bytes):
        return value.hex()
    if argument.kind != "by_value" and argument.bytes == _WORD_BYTES:
        return hex(value)
    return decoder_of(type_)(value) if type_ else value


def _pointers(argument: KernelArgument) -> dict[str, list[str]]:
    if not isinstance(argument.value, bytes):
        return {}
    found = [hex(word) for word in argument.pointers if word in _ADDRESSES]
    return {"pointers": found} if found else {}
