"""The header of a GGUF file, read with every count and length checked before it is believed.

The `gguf` package has a reader too. It trusts the file: an array of 2^60 elements keeps it busy for
ever. And it builds a NumPy array per word of the vocabulary, which takes 2.6 s for SmolLM2. So the
header is read here, in one pass over the map, in 0.04 s; dequantization and writing are
gguf's.

GGUF, versions 2 and 3, little-endian:

    magic "GGUF"   version u32   tensor count u64   key count u64
    key count times:      name string   type u32   value
    tensor count times:   name string   dimensions u32   that many u64   type u32   offset u64
    padding to general.alignment, then the tensors' bytes; offsets count from here

    string: length u64, bytes       array: type u32, count u64, elements
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from greta.errors import ModelError
from greta.model.tensors import TensorEntry, TensorType

LENGTH_BYTES = 8  # of the number that stands before each string
# They were text when the file was opened. Should someone write into it since, that is no crash.
_CHANGED = "replace"


class Strings:
    """A list of strings in the file, each after its length; known to be UTF-8, decoded on demand.

    A vocabulary has a hundred thousand of them. As Python strings they would take ten times their
    bytes in the file, for as long as the model is open, and most are needed once.
    """

    def __init__(self, data: memoryview, begins: array[int], end: int) -> None:
        """`begins` is where the text of each begins; `end` is where that of the last ends."""
        self._data = data
        self._begins = begins
        self._end = end

    def __len__(self) -> int:
        return len(self._begins)

    def __getitem__(self, number: int) -> str:
        begin = self._begins[number]
        is_last = number in (-1, len(self) - 1)
        end = self._end if is_last else self._begins[number + 1] - LENGTH_BYTES
        return str(self._data[begin:end], "utf-8", _CHANGED)

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_list())

    def to_list(self) -> list[str]:
        """All of them, as Python strings."""
        joined = self._joined()
        if joined.count(0) != LENGTH_BYTES * len(self):  # some string has a NUL in it
            return [self[number] for number in range(len(self))]
        return joined.decode("utf-8", _CHANGED).split("\0" * LENGTH_BYTES)[1:]

    def first_that_is_not_text(self) -> int | None:
        """The number of a string that is not UTF-8."""
        try:
            self._joined().decode()
        except UnicodeDecodeError as error:
            at = error.start + self._start
            return int(np.searchsorted(self._places(), at, side="right")) - 1
        return None

    @property
    def _start(self) -> int:
        return self._begins[0] - LENGTH_BYTES if self._begins else 0

    def _places(self) -> npt.NDArray[np.uint64]:
        return np.frombuffer(self._begins, np.uint64)

    def _joined(self) -> bytes:
        """The bytes of all, with NULs in place of the lengths: no character crosses those."""
        if not self._begins:
            return b""
        whole = np.frombuffer(self._data[self._start : self._end], np.uint8).copy()
        lengths_at = self._places().astype(np.int64) - (self._start + LENGTH_BYTES)
        longest = int(np.diff(lengths_at, append=len(whole)).max())
        for byte in range((longest.bit_length() + 7) // 8):  # the others are 0 in any length
            whole[lengths_at + byte] = 0
        return bytes(whole)


# What a value may be. Arrays stay views of the map.
Value = Any

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY, _BOOL = 8, 9, 7
_SCALARS = dict(
    zip(
        (0, 1, 2, 3, 4, 5, 6, _BOOL, 10, 11, 12),
        ("<u1", "<i1", "<u2", "<i2", "<u4", "<i4", "<f4", "<u1", "<u8", "<i8", "<f8"),
        strict=True,
    )
)
_SMALLEST_PAIR = 8 + 4 + 1
_SMALLEST_TENSOR = 8 + 4 + 8 + 4 + 8

# Far above any model, far below what would hurt: each costs memory or time per element.
MOST_KEYS = 1 << 14
MOST_TENSORS = 1 << 16
MOST_STRINGS = 1 << 21  # in all lists together; a vocabulary makes objects of them
LARGEST_ALIGNMENT = 1 << 16

_U32 = struct.Struct("<I")
_U64 = struct.Struct("<Q")


@dataclass(frozen=True)
class GgufHeader:
    """All that stands before the tensors' bytes."""

    version: int
    metadata: dict[str, Value]
    tensors: tuple[TensorEntry, ...]
    alignment: int


def read_header(data: memoryview, file: str) -> GgufHeader:
    """The header of a mapped file, or ModelError with the file and the field at fault."""
    return _HeaderReader(data, file).read()


class _HeaderReader:
    """A position in the file that never moves past its end."""

    def __init__(self, data: memoryview, file: str) -> None:
        self._data = data
        self._size = len(data)
        self._file = file
        self._at = 0
        self._field = "header"
        self._strings_left = MOST_STRINGS

    def read(self) -> GgufHeader:
        version = self._version()
        tensor_count = self._count("tensor count", _SMALLEST_TENSOR, MOST_TENSORS)
        key_count = self._count("key count", _SMALLEST_PAIR, MOST_KEYS)
        metadata = self._metadata(key_count)
        self._field = "general.alignment"
        value = metadata.get("general.alignment", 32)
        sound = isinstance(value, int) and 0 < value <= LARGEST_ALIGNMENT
        if not sound or value & (value - 1):
            raise self.wrong("must be a power of two")
        alignment = int(value)
        raw = [self._tensor(number) for number in range(tensor_count)]
        start = -(-self._at // alignment) * alignment
        tensors = tuple(self._placed(entry, start, alignment) for entry in raw)
        self._refuse_overlaps(tensors)
        return GgufHeader(version, metadata, tensors, alignment)

    def wrong(self, why: str) -> ModelError:
        return ModelError(f"{self._file}: {self._field}: {why}")

    def _take(self, size: int) -> int:
        """Passes over `size` bytes; where they began."""
        begin = self._at
        if size > self._size - begin:
            raise self.wrong(
                f"needs {size} bytes at {begin}, and the file ends at {self._size}; "
                "it is cut short or damaged, fetch it again"
            )
        self._at = begin + size
        return begin

    def _u32(self) -> int:
        return int(_U32.unpack_from(self._data, self._take(4))[0])

    def _u64(self) -> int:
        return int(_U64.unpack_from(self._data, self._take(8))[0])

    def _version(self) -> int:
        if bytes(self._data[self._take(4) : 4]) != _MAGIC:
            raise self.wrong("does not begin with GGUF, so this is not a GGUF model")
        version = self._u32()
        if version not in _VERSIONS:
            big_endian = version & 0xFFFF == 0
            what = "big-endian" if big_endian else f"GGUF version {version}"
            raise self.wrong(f"is {what}; greta reads little-endian GGUF of version 2 or 3")
        return version

    def _count(self, field: str, smallest: int, most: int) -> int:
        self._field = field
        count = self._u64()
        if count > min(most, (self._size - self._at) // smallest):
            raise self.wrong(f"{count} cannot be right for a file of {self._size} bytes")
        return count

    def _string(self) -> str:
        length = self._u64()
        begin = self._take(length)
        try:
            return str(self._data[begin : begin + length], "utf-8")
        except UnicodeDecodeError:
            raise self.wrong("is not text in UTF-8") from None

    def _metadata(self, count: int) -> dict[str, Value]:
        metadata: dict[str, Value] = {}
        for number in range(count):
            self._field = f"key {number}"
            key = self._string()
            self._field = key
            if key in metadata:
                raise self.wrong("is there twice")
            metadata[key] = self._value(self._u32())
        return metadata

    def _value(self, kind: int) -> Value:
        if kind == _STRING:
            return self._string()
        if kind == _ARRAY:
            return self._array()
        number = self._numbers(kind, 1)[0].item()
        return bool(number) if kind == _BOOL else number

    def _array(self) -> Value:
        kind, count = self._u32(), self._u64()
        if kind == _STRING:
            if count > min(self._strings_left, (self._size - self._at) // LENGTH_BYTES):
                raise self.wrong(f"has {count} strings, more than can be right")
            self._strings_left -= count
            # Where each string begins; written flat, for this runs a hundred thousand times.
            data, size, length_at = self._data, self._size, _U64.unpack_from
            begins = array("Q")
            at = self._at
            try:
                for _ in range(count):
                    begin = at + LENGTH_BYTES
                    at = begin + length_at(data, at)[0]
                    if at > size:
                        raise self.wrong(f"string {len(begins)} runs past the end of the file")
                    begins.append(begin)
            except struct.error:
                raise self.wrong("runs past the end of the file") from None
            self._at = at
            strings = Strings(self._data, begins, self._at)
            if (number := strings.first_that_is_not_text()) is not None:
                raise self.wrong(f"string {number} is not text in UTF-8")
            return strings
        return self._numbers(kind, count)

    def _numbers(self, kind: int, count: int) -> Any:
        if kind not in _SCALARS:
            raise self.wrong(f"has values of the type {kind}, which greta does not read")
        dtype = np.dtype(_SCALARS[kind])
        begin = self._take(count * dtype.itemsize)
        return np.frombuffer(self._data, dtype, count, begin)

    def _tensor(self, number: int) -> TensorEntry:
        self._field = f"tensor {number}"
        name = self._string()
        self._field = name
        dimensions = self._u32()
        if not 1 <= dimensions <= 4:
            raise self.wrong(f"has {dimensions} dimensions; a tensor has 1 to 4")
        shape = tuple(self._u64() for _ in range(dimensions))[::-1]
        type_number = self._u32()
        try:
            kind = TensorType(type_number)
        except ValueError:
            raise self.wrong(f"has the type {type_number}, which does not exist") from None
        offset = self._u64()
        blocks = kind.blocks
        if 0 in shape or shape[-1] % blocks.elements:
            raise self.wrong(
                f"has the shape {shape}, which blocks of {blocks.elements} do not fill"
            )
        size = math.prod(shape) // blocks.elements * blocks.bytes
        return TensorEntry(name, kind, shape, offset, size)

    def _placed(self, entry: TensorEntry, start: int, alignment: int) -> TensorEntry:
        self._field = entry.name
        offset = start + entry.offset
        if entry.offset % alignment:
            raise self.wrong(f"begins at {entry.offset}, not at a multiple of {alignment}")
        if offset + entry.bytes > self._size:
            raise self.wrong(
                f"ends at byte {offset + entry.bytes} and the file at {self._size}; "
                "it is cut short or damaged, fetch it again"
            )
        return replace(entry, offset=offset)

    def _refuse_overlaps(self, tensors: tuple[TensorEntry, ...]) -> None:
        names = {entry.name for entry in tensors}
        end, before = 0, ""
        for entry in sorted(tensors, key=lambda entry: entry.offset):
            self._field = entry.name
            if entry.offset < end:
                raise self.wrong(f"lies over {before} in the file")
            end, before = entry.offset + entry.bytes, entry.name
        if len(names) < len(tensors):
            self._field = "tensor names"
            raise self.wrong("the same name is given to two tensors")


class Metadata(Mapping[str, object]):
    """The keys and values; what is missing or of another type is told with file and key."""

    def __init__(self, file: str, values: Mapping[str, object]) -> None:
        self.file = file
        self._values = values

    def __getitem__(self, key: str) -> object:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def wrong(self, key: str, why: str) -> ModelError:
        """The error that says what is wrong with a key."""
        return ModelError(f"{self.file}: {key}: {why}")

    def text(self, key: str, default: str | None = None) -> str:
        """A string."""
        return str(self._typed(key, default, str, "text"))

    def flag(self, key: str, default: bool) -> bool:
        """A truth value."""
        return bool(self._typed(key, default, bool, "true or false"))

    def whole(self, key: str, default: int | None = None, *, least: int, most: int) -> int:
        """An integer within bounds."""
        value = self._typed(key, default, int, "one whole number")
        if isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, f"is {value}, and must be from {least} to {most}")
        return int(value)

    def number(self, key: str, default: float | None = None) -> float:
        """A finite number above zero; all of a model's are."""
        value = float(self._typed(key, default, (int, float), "a number"))
        if not (math.isfinite(value) and value > 0):
            raise self.wrong(key, f"is {value}, and must be above zero")
        return value

    def strings(self, key: str) -> Strings:
        """A list of strings."""
        value: Strings = self._typed(key, None, Strings, "a list of strings")
        return value

    def numbers(self, key: str, count: int) -> npt.NDArray[Any]:
        """An array of `count` numbers or more."""
        value = self._typed(key, None, np.ndarray, "a list of numbers")
        if len(value) < count:
            raise self.wrong(key, f"has {len(value)} entries, and must have {count}")
        return np.asarray(value)[:count]

    def _typed(self, key: str, default: Any, kind: Any, words: str) -> Any:
        value = self._values.get(key, default)
        if value is None:
            raise self.wrong(key, "is missing")
        if not isinstance(value, kind):
            raise self.wrong(key, f"must be {words}")
        return value
