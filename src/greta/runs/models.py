"""Model files that a run used, and a hash of each that does not take all day.

They are known from the command line, and from the program itself: one that opens a range of roctx
called model=PATH says so, however it came to the file. Our own engine does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from greta.runs.files import sha256_of, stat_facts
from greta.trace.run_facts import ModelFile

_SUFFIXES = {".gguf", ".safetensors", ".bin", ".pt"}
_GGUF_MAGIC = b"GGUF"
_ANNOTATION = "model="
_MOST_ANNOTATED = 16

LARGEST_HASHED_WHOLE = 64 << 20
_END = 1 << 20
_BLOCK = 64 << 10
_BLOCKS = 64
SAMPLED = (
    "sampled: sha256 over the first 1 MiB, then 64 blocks of 64 KiB, the i-th at offset "
    "i * (size - 65536) // 63, then the last 1 MiB"
)


def model_files(arguments: Sequence[str]) -> list[ModelFile]:
    """The model files among the arguments, `FILE` or `--option=FILE`, each once."""
    found: dict[str, ModelFile] = {}
    for word in arguments:
        for path in _paths(word):
            if _is_model(path) and (real := os.path.realpath(path)) not in found:
                found[real] = _facts(word, path)
    return list(found.values())


def with_annotated(known: Sequence[ModelFile], texts: Iterable[str]) -> list[ModelFile]:
    """`known`, and the model files that these annotations name and it does not have."""
    named = sorted({text for text in texts if text.startswith(_ANNOTATION)})[:_MOST_ANNOTATED]
    paths = {one.path for one in known}
    found = [replace(one, argument=None) for one in model_files(named)]
    return [*known, *(one for one in found if one.path not in paths)]


def _paths(word: str) -> Iterator[Path]:
    yield Path(word)
    _, equals, value = word.partition("=")
    if equals and value:
        yield Path(value)


def _is_model(path: Path) -> bool:
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return path.suffix.lower() in _SUFFIXES or file.read(4) == _GGUF_MAGIC
    except (OSError, ValueError):  # unreadable; not a path at all
        return False


def _facts(word: str, path: Path) -> ModelFile:
    file = ModelFile(word, os.path.realpath(path))
    try:
        size, modified = stat_facts(path)
        method, digest = _digest(path, size)
    except OSError as error:
        return replace(file, problem=f"cannot be read: {error.strerror}")
    return replace(file, bytes=size, modified=modified, hash=digest, hash_method=method)


def _digest(path: Path, size: int) -> tuple[str, str]:
    if size <= LARGEST_HASHED_WHOLE:
        return "sha256", sha256_of(path)
    with path.open("rb") as file:
        return SAMPLED, sampled_digest(file, size)


def sampled_digest(file: BinaryIO, size: int) -> str:
    """A hash of about 6 MiB of the file: a GGUF header, the end, and blocks from all over."""
    digest = hashlib.sha256(file.read(_END))
    for number in range(_BLOCKS):
        file.seek(number * (size - _BLOCK) // (_BLOCKS - 1))
        digest.update(file.read(_BLOCK))
    file.seek(size - _END)
    digest.update(file.read(_END))
    return digest.hexdigest()
