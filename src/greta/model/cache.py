"""Where models are kept, and how a file gets there: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from greta.model.errors import ModelUnavailableError


def cache_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """$GRETA_MODEL_CACHE, or greta/models in the user's cache."""
    if chosen := environment.get("GRETA_MODEL_CACHE"):
        return Path(chosen)
    if base := environment.get("XDG_CACHE_HOME"):
        return Path(base) / "greta" / "models"
    return Path.home() / ".cache" / "greta" / "models"


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A name to write to; what is there takes the name `path` if nothing went wrong."""
    import tempfile  # here: seldom needed, and slow to import

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise ModelUnavailableError(
            f"{path.parent}: cannot be written: {error.strerror}; "
            "set GRETA_MODEL_CACHE to a folder that can"
        ) from None
    os.close(descriptor)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
