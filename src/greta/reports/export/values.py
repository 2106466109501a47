"""Values of a recording as other tools take them: texts, addresses, the arguments of a kernel."""

from __future__ import annotations

import re
from functools import lru_cache

from greta.recording import CallEvent, KernelArgument
from greta.recording.events import decoder_of


def plain(text: str) -> str:
    r"""A text that can be encoded: a byte that was not UTF-8 is shown as \udc80 to \udcff."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# Types that end in _t as handles do, and are numbers.
_NUMBERS = {"hipDevice_t", "hipDeviceAttribute_t", "hipError_t", "hipFuncCache_t", "hipLimit_t"}


@lru_cache(maxsize=1024)
def is_address(c_type: str) -> bool:
    """Whether a value of this type is an address or a handle, which people read in hexadecimal."""
    bare = re.sub(r"\b(?:const|volatile)\b", "", c_type).strip()
    handle = re.fullmatch(r"hip\w+_t", bare) is not None and bare not in _NUMBERS
    return "*" in bare or handle


_WORD_BYTES = 8
_ADDRESSES = range(1 << 12, 1 << 47)  # of a process


def kernel_values(event: CallEvent) -> list[dict[str, object]]:
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
            **({"pointers": found} if (found := _pointers(argument)) else {}),
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


def _pointers(argument: KernelArgument) -> list[str]:
    words = argument.pointers if isinstance(argument.value, bytes) else ()
    return [hex(word) for word in words if word in _ADDRESSES]
