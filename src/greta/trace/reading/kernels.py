"""The memory that kernels were given, and how much of it they are likely to access.

Of a pointer the ABI shows where it begins and nothing else. How far the kernel goes is an estimate
from what launches usually look like: a thread for each element, and a count among the arguments.
A count that is larger than the launch (each thread goes on to further elements) is believed where
it fills most of what the allocation has from the pointer on; strides and seeds seldom do. Where all
counts are smaller (a grid that is always the same, and threads that have nothing to do), the
launch may reach as far as its threads, but no more than the largest count is held against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from greta.recording import KernelEntry, KernelParameter, Launch, PayloadKind
from greta.trace.reading.calls import CallRows
from greta.trace.reading.meanings import Numbers, product
from greta.trace.trace import Known, Mode, Role

WORD = 8
MOST_BYTES = 1120  # of arguments; the recorder keeps no more

ELEMENT_BYTES = {
    **dict.fromkeys(("char", "signed char", "unsigned char", "uchar", "int8_t", "uint8_t"), 1),
    **dict.fromkeys(("bool", "_Bool", "std::byte"), 1),
    **dict.fromkeys(("short", "unsigned short", "ushort", "int16_t", "uint16_t"), 2),
    **dict.fromkeys(("half", "__half", "_Float16", "__fp16", "__hip_bfloat16", "__bf16"), 2),
    **dict.fromkeys(("int", "unsigned int", "unsigned", "uint", "int32_t", "uint32_t"), 4),
    **dict.fromkeys(("float", "half2", "__half2", "hip_bfloat162", "short2", "ushort2"), 4),
    **dict.fromkeys(("long", "unsigned long", "ulong", "int64_t", "uint64_t", "size_t"), 8),
    **dict.fromkeys(("long long", "unsigned long long", "double", "float2", "int2"), 8),
    **dict.fromkeys(("float4", "int4", "uint4", "double2"), 16),
}
NO_ADDRESS = frozenset(("long", "unsigned long", "long long", "unsigned long long", "double"))
INTEGER_BYTES = (4, 8)
FLOATING = frozenset(("float", "double"))
INTEGERS = frozenset(
    name
    for name, size in ELEMENT_BYTES.items()
    if size >= 4 and not re.search("float|half|double|short", name)
)
Flags = npt.NDArray[np.uint8]
_STRUCT_BYTES = 256
_LARGEST_MODE = 16
LARGEST_BUFFER = 1 << 62
_PRINTING = ("hidden_printf_buffer", "hidden_hostcall_buffer")


@dataclass(frozen=True)
class Given:
    """One pointer of many launches: which launches, and where it points."""

    which: npt.NDArray[np.int64]
    address: Numbers
    bytes: Numbers
    larger: tuple[Numbers, ...]
    """Bytes by counts that are larger than the launch; 0 where there is none."""
    smaller: Numbers
    """Bytes by the largest count, where all are smaller than the launch; else 0."""
    argument: int
    element: int
    mode: Mode
    role: Role
    known: Flags
    """Bits of Known."""
    empty: npt.NDArray[np.bool_]
    """The launch has nothing to do: every whole number that it was given is zero."""
    flag_bytes: int = 0
    """A buffer of so many bytes or fewer may tell the kernel what not to do; 0: it cannot."""


@dataclass(frozen=True)
class Threads:
    """How many threads launches have, and how many of them in a block."""

    all: Numbers
    in_block: Numbers

    @staticmethod
    def of(rows: CallRows, grid: Launch) -> Threads:
        mask = np.uint64(0xFFFFFFFF)
        size = [rows.word(name) & mask for name in grid.grid]
        block = [rows.word(name) & mask for name in grid.block]
        in_block = product(product(block[0], block[1]), block[2])
        count = product(product(size[0], size[1]), size[2])
        return Threads(count if grid.grid_in_threads else product(count, in_block), in_block)

    @property
    def surely_busy(self) -> Numbers:
        """Threads that have something to do, if the launch is no larger than it must be."""
        least = np.minimum(self.in_block, self.all)
        busy: Numbers = np.maximum(self.all - least + np.uint64(1), np.uint64(1))
        return busy


@dataclass(frozen=True)
class Counts:
    """How many elements launches of one kernel are likely to access."""

    likely: Numbers
    """By their threads, or by a count that fits them."""
    larger: tuple[Numbers, ...]
    """Where none fits: counts that are larger than the launch, or 0."""
    smaller: Numbers
    """Where none fits: the largest of those that are smaller, or 0."""


@dataclass(frozen=True)
class Readings:
    """What the arguments of launches leave no other reading of."""

    known: Flags
    empty: npt.NDArray[np.bool_]


class Launches:
    def __init__(self, rows: CallRows, kernel: KernelEntry | None, threads: Threads) -> None:
        self._kernel = kernel
        self._threads = threads
        bytes_ = _bytes_of(kernel) if kernel and kernel.arguments else MOST_BYTES
        data, kept = rows.continuations.payload(PayloadKind.KERNARG, max(bytes_, WORD))
        self._data, self._kept = data, np.minimum(kept, data.shape[1])

    @property
    def unknown(self) -> npt.NDArray[np.bool_]:
        """Launches whose arguments, or their meaning, could not be read."""
        if self._kernel is None or (not self._kernel.arguments and self._kernel.kernarg_bytes):
            return np.ones(len(self._kept), bool)
        needed = min(_bytes_of(self._kernel), MOST_BYTES)
        found: npt.NDArray[np.bool_] = self._kept < needed
        return found

    def given(self) -> Iterator[Given]:
        if self._kernel is None or not self._kernel.arguments:
            yield from self._words(0, 0, int(self._kept.max(initial=0)))
            return
        counts, read = self._counts(), self._read()
        for number, parameter in enumerate(self._kernel.arguments):
            if parameter.offset < 0:
                continue  # damage
            if parameter.kind == "global_buffer":
                yield self._pointer(number, parameter, counts, read)
            elif parameter.kind == "by_value" and _may_hold_addresses(parameter):
                yield from self._words(number, parameter.offset, parameter.bytes)

    def different(self) -> Iterator[tuple[bytes, int]]:
        """For each set of whole numbers that they were given: the numbers, and one of them."""
        arguments = self._kernel.arguments if self._kernel is not None else ()
        spans = [
            (one.offset, one.offset + one.bytes)
            for one in arguments
            if one.kind == "by_value"
            and _is_integer(one)
            and 0 <= one.offset <= self._data.shape[1] - one.bytes
        ]
        if not spans:
            return
        numbers = np.ascontiguousarray(
            np.concatenate([self._data[:, begin:end] for begin, end in spans], axis=1)
        )
        rows = numbers.view(np.dtype((np.void, numbers.shape[1]))).reshape(-1)
        for key, place in zip(*np.unique(rows, return_index=True), strict=True):
            yield bytes(key), int(place)

    def _pointer(
        self, number: int, parameter: KernelParameter, counts: Counts, read: Readings
    ) -> Given:
        which, address = self._numbers(parameter.offset, WORD)
        element = element_bytes(parameter.type)
        each = np.full(len(which), max(element, 1), np.uint64)
        return Given(
            which,
            address,
            bytes=product(counts.likely[which], each),
            larger=tuple(product(count[which], each) for count in counts.larger),
            smaller=product(counts.smaller[which], each),
            argument=number,
            element=element,
            mode=Mode.READ if is_read_only(parameter) else Mode.MAY_WRITE,
            role=Role.ARGUMENT,
            known=read.known[which]
            | np.uint8(Known.POINTERS if _may_hold_pointers(parameter) else 0),
            empty=read.empty[which],
            flag_bytes=_flag_bytes(parameter),
        )

    def _read(self) -> Readings:
        """A second number may be a place, and so may what a table holds.

        A kernel may leave a pointer alone if a number is zero or a mode, or if one is not below a
        later one: the loop from the first to the second has no round.
        """
        parameters = self._kernel.arguments if self._kernel else ()
        pointers = [one for one in parameters if one.kind == "global_buffer"]
        by_value = [one for one in parameters if one.kind == "by_value" and one.offset >= 0]
        has_structs = any(map(_may_be_struct, by_value))
        is_led = has_structs or any(map(_may_hold_places, pointers))
        numbers = [self._column(one) for one in by_value if _is_integer(one)]
        sized = [one for one in by_value if one.bytes in (2, 4, 8)]
        others = [self._column(one) for one in sized]
        # By a bool, most likely, or by what a struct has.
        is_told = has_structs or any(one.bytes == 1 for one in by_value)
        none = np.zeros(len(self._kept), bool)
        told = np.full(len(self._kept), is_told)
        zero = np.any([none, *(number == 0 for number in numbers)], axis=0)
        other = np.any([none, *(number != 0 for number in numbers)], axis=0)
        off = (_is_zero(column, one.bytes) for column, one in zip(others, sized, strict=True))
        whole = (one for one in by_value if _is_integer(one) or _is_short(one))
        modes = (self._may_be_mode(self._column(one), one.bytes) for one in whole)
        nothing = (self._is_empty(begin, end) for begin, end in combinations(numbers, 2))
        switched = np.any([told, *off, *modes, *nothing], axis=0)
        known = np.where(switched, 0, Known.ACCESSED).astype(np.uint8)
        known |= np.uint8(Known.PLAIN if len(numbers) <= 1 and not is_led else 0)
        prints = any(one.kind in _PRINTING for one in parameters)
        is_lone = len(pointers) == 1 and not has_structs and not prints
        known |= np.uint8(Known.LONE if is_lone else 0)
        return Readings(known, zero & ~other)

    def _is_empty(self, begin: Numbers, end: Numbers) -> npt.NDArray[np.bool_]:
        """Whether a loop from one number to a later one has no round; rows of threads are none."""
        found: npt.NDArray[np.bool_] = (begin == end) | (
            (begin > end) & (begin != self._threads.all)
        )
        return found

    def _may_be_mode(self, number: Numbers, bytes_: int) -> npt.NDArray[np.bool_]:
        """Small or negative, and not the number of threads."""
        is_negative = number >> np.uint64(8 * bytes_ - 1) == 1
        found: npt.NDArray[np.bool_] = ((number <= _LARGEST_MODE) | is_negative) & (
            number != self._threads.all
        )
        return found

    def _column(self, parameter: KernelParameter) -> Numbers:
        """A number of all launches; 0 of those that did not keep it."""
        column = np.zeros(len(self._kept), np.uint64)
        which, value = self._numbers(parameter.offset, parameter.bytes)
        column[which] = value
        return column

    def _words(self, number: int, offset: int, bytes_: int) -> Iterator[Given]:
        """The words of a struct; which of them are addresses, the allocations will show."""
        end = min(offset + bytes_, self._data.shape[1])
        for start in range(offset + -offset % WORD, end - WORD + 1, WORD):
            which, address = self._numbers(start, WORD)
            likely = (address >= 4096) & (address < 1 << 47)
            which, address = which[likely], address[likely]
            extent = self._threads.surely_busy[which]
            none = np.zeros(len(which), np.uint64)
            role, mode = Role.STRUCT_WORD, Mode.MAY_WRITE
            known, busy = np.zeros(len(which), np.uint8), np.zeros(len(which), bool)
            yield Given(which, address, extent, (), none, number, 0, mode, role, known, busy)

    def _counts(self) -> Counts:
        elements = self._threads.surely_busy
        larger = []
        smaller = np.zeros(len(elements), np.uint64)
        counted = np.zeros(len(elements), bool)
        fewest, most = self._threads.surely_busy, self._threads.all
        for parameter in self._kernel.arguments if self._kernel else ():
            if parameter.kind != "by_value" or not _is_integer(parameter) or parameter.offset < 0:
                continue
            which, value = self._numbers(parameter.offset, parameter.bytes)
            fits = (value >= fewest[which]) & (value <= most[which])
            elements[which[fits]] = value[fits]
            counted[which[fits]] = True
            below = np.where(value < fewest[which], value, np.uint64(0))
            smaller[which] = np.maximum(smaller[which], below)
            beyond = np.zeros(len(elements), np.uint64)
            beyond[which] = np.where(value > most[which], value, np.uint64(0))
            if beyond.any():
                larger.append(beyond)
        none = np.uint64(0)
        others = tuple(np.where(counted, none, count) for count in larger)
        return Counts(elements, others, np.where(counted, none, smaller))

    def _numbers(self, offset: int, bytes_: int) -> tuple[npt.NDArray[np.int64], Numbers]:
        """The launches that kept these bytes, and what they are as a number."""
        which = np.flatnonzero(self._kept >= offset + bytes_)
        data = self._data if len(which) == len(self._data) else self._data[which]
        part = np.ascontiguousarray(data[:, offset : offset + bytes_])
        return which, part.view(f"<u{bytes_}").reshape(-1).astype(np.uint64)


def _is_zero(number: Numbers, bytes_: int) -> npt.NDArray[np.bool_]:
    """Also the negative zero of floating point."""
    found: npt.NDArray[np.bool_] = (number & np.uint64((1 << (8 * bytes_ - 1)) - 1)) == 0
    return found


def _bytes_of(kernel: KernelEntry) -> int:
    ends = (parameter.offset + parameter.bytes for parameter in kernel.arguments)
    return min(max(ends, default=0), MOST_BYTES)


def _is_integer(parameter: KernelParameter) -> bool:
    return parameter.bytes in INTEGER_BYTES and _plain(parameter.type) not in FLOATING


def _is_short(parameter: KernelParameter) -> bool:
    return parameter.bytes == 2 and not re.search("half|float|fp16|bf16", parameter.type.lower())


def _may_hold_addresses(parameter: KernelParameter) -> bool:
    return parameter.bytes >= WORD and _plain(parameter.type) not in NO_ADDRESS


def _may_be_struct(parameter: KernelParameter) -> bool:
    is_number = parameter.bytes <= WORD and _plain(parameter.type) in ELEMENT_BYTES
    return not is_number and _may_hold_addresses(parameter)


def _pointee(parameter: KernelParameter) -> str:
    return _plain(parameter.type.replace("*", "").replace("__restrict__", ""))


def _may_hold_pointers(parameter: KernelParameter) -> bool:
    """Whether it points to pointers, or to numbers that are as wide."""
    pointee = _pointee(parameter)
    is_wide = pointee in INTEGERS - {"int2"} and ELEMENT_BYTES[pointee] == WORD
    return is_wide or parameter.type.count("*") > 1


def _may_hold_places(parameter: KernelParameter) -> bool:
    """Whether what it points to may tell a kernel where to go: whole numbers, pointers, structs."""
    if parameter.type.count("*") > 1:
        return True
    return is_read_only(parameter) and _pointee(parameter) not in ELEMENT_BYTES.keys() - INTEGERS


def _flag_bytes(parameter: KernelParameter) -> int:
    """Whole numbers (lengths, pages, a mask), or a struct of parameters."""
    pointee = _pointee(parameter)
    if pointee in ELEMENT_BYTES and not re.search("float|half|double|fp16|bf16", pointee.lower()):
        return LARGEST_BUFFER
    return _STRUCT_BYTES if _may_hold_places(parameter) else 0


def is_read_only(parameter: KernelParameter) -> bool:
    """Whether the kernel cannot write through it, as the compiler or the type says."""
    return parameter.access == "read_only" or parameter.type.lstrip().startswith("const ")


@lru_cache(maxsize=1024)
def element_bytes(pointer_type: str) -> int:
    """The size of what a pointer points to; 0 if it is not known."""
    pointee = pointer_type.rstrip(" &")
    pointee = re.sub(r"\*\s*(?:__restrict__|__restrict|restrict|const)?\s*$", "", pointee)
    if "*" in pointee:
        return WORD
    return ELEMENT_BYTES.get(_plain(pointee), 0)


def _plain(c_type: str) -> str:
    return re.sub(r"\b(?:const|volatile|struct)\b", "", c_type).strip()


def with_larger(bytes_: Numbers, larger: tuple[Numbers, ...], room: Numbers) -> Numbers:
    """Estimates with the larger counts that fill most of the room behind the pointer."""
    for count in larger:
        believed = (count <= room) & (count > room // np.uint64(2)) & (count > bytes_)
        bytes_ = np.where(believed, count, bytes_)
    return bytes_


def surely(given: Given, reach: Numbers) -> Numbers:
    """What a launch accesses if all its counts are smaller than it is: no more than they say."""
    by_threads = (given.smaller > 0) & (reach == given.bytes)
    return np.where(by_threads, given.smaller, reach)


def room_behind(address: Numbers, base: Numbers, size: Numbers) -> Numbers:
    """What an allocation has from an address in it on; 0 if it is not in it."""
    inside = (address >= base) & (address - base < size)
    room: Numbers = np.where(inside, base + size - address, np.uint64(0))
    return room


def clipped(bytes_: Numbers, room: Numbers) -> Numbers:
    """Estimates end where their allocation does, where that is known."""
    result: Numbers = np.where(room > 0, np.minimum(bytes_, room), bytes_)
    return result
