"""Model files that a run used: which they are, and what the guard rail says of them.

They are known from the command line, and from the program itself: one that opens a range of roctx
called model=PATH says so, however it came to the file. Our own engine does.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from greta.errors import GretaError
from greta.printable import printable
from greta.runs.files import sha256_of, stat_facts
from greta.trace.evidence import ModelFact
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
        for path in map(Path, (word, word.partition("=")[2])):
            if _is_model(path) and (real := os.path.realpath(path)) not in found:
                found[real] = _facts(word, path)
    return list(found.values())


def with_annotated(known: Sequence[ModelFile], texts: Iterable[str]) -> list[ModelFile]:
    """`known`, and the model files that these annotations name and it does not have."""
    named = sorted({text for text in texts if text.startswith(_ANNOTATION)})[:_MOST_ANNOTATED]
    paths = {one.path for one in known}
    found = [replace(one, argument=None) for one in model_files(named)]
    return [*known, *(one for one in found if one.path not in paths)]


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


def model_facts(models: Sequence[ModelFile]) -> tuple[ModelFact, ...]:
    """What the guard rail says of each model that run.json names."""
    return tuple(_fact(one) for one in models if one.path)


def _fact(named: ModelFile) -> ModelFact:
    from greta.model import Support, check, open_model  # few runs have a model

    path = Path(named.path)
    if problem := _not_as_it_was(path, named):
        return ModelFact(str(path), problem=problem)
    try:
        model = open_model(path)
    except (GretaError, OSError) as error:
        return ModelFact(str(path), problem=str(error))
    # A model that fits itself; which types and keys it knows is the program's own affair.
    types = frozenset(tensor.type.name for tensor in model.tensors.values())
    support = Support(types=types, norm_types=types, heeds_every_key=True)
    found = tuple(
        (printable(one.field), printable(str(one.expected)), printable(str(one.found)))
        for one in check(model, support)
        if one.fatal
    )
    config = model.config
    dimensions = {
        "heads": config.heads,
        "kv_heads": config.kv_heads,
        "head_dim": config.head_dim,
        "hidden": config.hidden_size,
        "feed_forward": config.feed_forward_size,
        "layers": config.layers,
        "vocabulary": config.vocabulary_size,
        "context": config.context_length,
    }
    name, counted = printable(model.name), (model.parameters,)
    return ModelFact(str(path), dimensions, found, name=name, parameters=counted)


def _not_as_it_was(path: Path, named: ModelFile) -> str | None:
    try:
        size = path.stat().st_size
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not path.is_file():
        return "is no file"
    if named.bytes is not None and size != named.bytes:
        return f"has {size} bytes now and had {named.bytes} when it was used"
    return None
