"""Files that came from outside: the one place that opens what lies in a run or artifact folder.

Such a folder may have been sent by anybody. Only a regular file is opened: a FIFO would wait for a
writer for ever, a device may have no end. A symbolic link may not lead out of the folder, else a
report would show what its reader may read and its sender may not. A file that is larger than what
is expected there is refused by its size, before a byte is read.
"""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import BinaryIO, Final

from greta.errors import NotJsonError, OutsideError
from greta.printable import printable
from greta.typed_json import Json

LARGEST_JSON: Final = 256 << 20
LARGEST_LOG: Final = 64 << 30
_SPARSE: Final = 1 << 30
_HOLES: Final = 64
"""A file system that compresses does not come to so much."""
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


def open_outside(path: Path, most: int = LARGEST_LOG, within: Path | None = None) -> BinaryIO:
    """A regular file of at most `most` bytes; raises OutsideError, or OSError if it is not there.

    `within`: the folder that it is part of, which no link may leave; without it, any link that the
    caller has named himself is followed.
    """
    if within is not None:
        _refuse_way_out(path, within)
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        if isinstance(error, FileNotFoundError | NotADirectoryError | PermissionError):
            raise
        # ENXIO of a socket, ELOOP, ENAMETOOLONG ...
        raise OutsideError(f"{_shown(path)} cannot be read: {error.strerror}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OutsideError(f"{_shown(path)} is {_kind(status.st_mode)}, not a regular file")
        if status.st_size > most:
            raise OutsideError(
                f"{_shown(path)} has {status.st_size:,} bytes; at most {most:,} are read"
            )
        if status.st_size > _SPARSE and status.st_blocks * 512 * _HOLES < status.st_size:
            raise OutsideError(
                f"{_shown(path)} has {status.st_size:,} bytes, nearly all of it holes"
            )
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_outside(path: Path, most: int = LARGEST_JSON, within: Path | None = None) -> bytes:
    """All of it; raises as `open_outside`."""
    with open_outside(path, most, within) as file:
        data = file.read(most + 1)
    if len(data) > most:  # it has grown
        raise OutsideError(f"{_shown(path)} has more than {most:,} bytes; no more are read")
    return data


def is_there(path: Path) -> bool:
    """Whether something of this name is in the folder, be it a link that leads nowhere."""
    return os.path.lexists(path)


def read_object(path: Path) -> Json:
    """The JSON object in a file of a folder.

    Raises OutsideError where it is something else, OSError where it is not there.
    """
    data = read_outside(path, within=path.parent)
    try:
        found = json.loads(data.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError, MemoryError):
        raise NotJsonError(f"{_shown(path)} is not JSON") from None
    if not isinstance(found, dict):
        raise NotJsonError(f"{_shown(path)} is no JSON object")
    return found


def _refuse_way_out(path: Path, folder: Path) -> None:
    home, real = Path(os.path.realpath(folder)), Path(os.path.realpath(path))
    if not real.is_relative_to(home):
        raise OutsideError(f"{_shown(path)} is a link that leads out of its folder")


def _shown(path: Path) -> str:
    return printable(str(path))


def _kind(mode: int) -> str:
    kinds = {stat.S_IFIFO: "a FIFO", stat.S_IFDIR: "a folder", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")
