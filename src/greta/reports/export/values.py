"""Calls of a recording as other tools take them: times, places, texts, addresses, arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from greta.recording import CallEvent, KernelArgument, Process
from greta.recording.events import decoder_of
from greta.symbols.sites import Demangler, NativeSite, short_name
from greta.symbols.stacks import CallStacks, StackFrame

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


AT_ONCE = 4096

TimedEvent = tuple[CallEvent, int, int]  # begin and end in ns since the process started; end is 0
#                                      of a call that has not returned


def timed_events(process: Process) -> Iterator[TimedEvent]:
    events = process.events()
    while chunk := list(islice(events, AT_ONCE)):
        begin = process.clock.ns(np.array([event.begin_ticks for event in chunk], np.uint64))
        end = process.clock.ns(np.array([event.end_ticks for event in chunk], np.uint64))
        for event, began, ended in zip(chunk, begin.tolist(), end.tolist(), strict=True):
            yield event, began, ended if event.finished else 0


class Places:
    """The places of one process; each is looked up once."""

    def __init__(self, process: Process) -> None:
        self.stacks = CallStacks(process)
        self.sites = self.stacks.sites
        self._tables = process.tables
        self._demangler = Demangler()

    def kernel(self, symbol: str) -> dict[str, str]:
        """A kernel as people name it, with its types, and as the code object does."""
        signature = self._demangler.readable(symbol)
        return {
            "kernel": short_name(signature),
            "kernel_signature": signature,
            "kernel_symbol": symbol,
        }

    def script(self, stack_id: int) -> StackFrame | None:
        """The line of the user's own code, or the innermost one if all of it is of libraries."""
        return self.stacks.script_line(stack_id)

    def native(self, site: int, stack_id: int, ticks: int) -> NativeSite | None:
        """The native caller; of a call from Python that is only AMD's bindings, so None."""
        return None if self._tables.script(stack_id) else self.sites.native(site, ticks)

    def is_native(self, stack_ids: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
        """Whether no Python code made the call."""
        stacks = self._tables.stacks
        with_script = {*self._tables.scripts, *(id_ for id_ in stacks if self._tables.script(id_))}
        return ~np.isin(stack_ids, list(with_script))
