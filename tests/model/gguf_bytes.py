"""GGUF files written by hand, so that a test can lie in any field."""

from __future__ import annotations

import struct

from greta.model.header import Strings, read_header

U32, STRING, ARRAY = 4, 8, 9


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


def key(name: bytes, kind: int, value: bytes) -> bytes:
    return text(name) + struct.pack("<I", kind) + value


def tensor(name: bytes, shape: tuple[int, ...], kind: int = 0, offset: int = 0) -> bytes:
    dimensions = struct.pack(f"<I{len(shape)}Q", len(shape), *shape)
    return text(name) + dimensions + struct.pack("<IQ", kind, offset)


def gguf(
    keys: list[bytes] | None = None,
    tensors: list[bytes] | None = None,
    *,
    version: int = 3,
    key_count: int | None = None,
    tensor_count: int | None = None,
    data: bytes = b"",
) -> bytes:
    keys, tensors = keys or [], tensors or []
    counts = (
        len(tensors) if tensor_count is None else tensor_count,
        len(keys) if key_count is None else key_count,
    )
    head = b"GGUF" + struct.pack("<IQQ", version, *counts) + b"".join(keys) + b"".join(tensors)
    return head + b"\0" * (-len(head) % 32) + data


def strings_in_a_file(strings: list[bytes]) -> Strings:
    """The list as greta reads it back under the key `w`."""
    words = struct.pack("<IQ", STRING, len(strings)) + b"".join(map(text, strings))
    header = read_header(memoryview(gguf([key(b"w", ARRAY, words)])), "file.gguf")
    found: Strings = header.metadata["w"]
    return found
