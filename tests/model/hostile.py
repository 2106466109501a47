"""Damaged and malicious GGUF files, and all that greta does with a file before it runs it."""

from __future__ import annotations

import random
import struct
from pathlib import Path

from greta.model import ModelError, Support, check, dequantize
from greta.model.file import read_model

_NUMBERS = (0, 1, 2**31, 2**32 - 1, 2**60, 2**63, 2**64 - 1)


def examine(data: bytes) -> str:
    """What became of the file: an error's message, or nothing if it is a model."""
    try:
        model = read_model(memoryview(data), Path("hostile.gguf"))
        check(model, Support())
        tokens = model.tokenizer.encode("Hello <|im_end|> 123 ñ")
        model.tokenizer.decode(tokens)
        model.chat.encode([{"role": "user", "content": "Hello"}])
        dequantize(model.output_norm)
        dequantize(model.embedding, slice(0, 2))
    except ModelError as error:
        return str(error)
    return ""


def header_size(data: bytes) -> int:
    """Where the weights begin, about: the mutations are for what stands before them."""
    return data.index(b"output_norm.weight") + 4096


def mutated(data: bytes, chance: random.Random) -> bytes:
    """One to four changes to the header: bits, bytes, big numbers, cuts, copies."""
    changed = bytearray(data)
    size = header_size(data)
    for _ in range(chance.randint(1, 4)):
        _change(changed, size, chance)
    return bytes(changed)


def _change(data: bytearray, size: int, chance: random.Random) -> None:
    at = chance.randrange(min(size, len(data)))
    kind = chance.randrange(6)
    if kind == 0:
        data[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        data[at] = chance.randrange(256)
    elif kind == 2:
        number = struct.pack("<Q", chance.choice(_NUMBERS))
        data[at : at + 8] = number[: len(data) - at]
    elif kind == 3 and chance.random() < 0.2:
        del data[at + 1 :]
    elif kind == 4:
        del data[at : at + chance.randint(1, 16)]
        data += b"\0" * 16
    else:
        source = chance.randrange(min(size, len(data)))
        piece = data[source : source + chance.randint(1, 64)]
        data[at : at + len(piece)] = piece
