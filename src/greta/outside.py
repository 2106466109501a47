"""Files that came from outside: the one place that opens what lies in a run or artifact folder.

Such a folder may have been sent by anybody. Only a regular file is opened: a FIFO would wait for a
writer for ever, a device may have no end. A symbolic link may not lead out of the folder, else a
report would show what its reader may read and its sender may not. A file that is larger than what
is expected there is refused by its size, before a byte is read.

Here too is what the JSON files may hold: a field of another type is refused by its name, so that
whoever reads on need not ask again.
"""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

from greta.errors import NotJsonError, OutsideError
from greta.printable import printable

LARGEST_JSON: Final = 256 << 20
LARGEST_LOG: Final = 64 << 30
_SPARSE: Final = 1 << 30
_HOLES: Final = 64
"""A file system that compresses does not come to so much."""
_NUMBERS: Final = 1 << 63
_FLAGS: Final = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_NAMED: Final = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
_NAMED_NUMBERS: Final = {int: "a whole number", float: "a number"}


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


def read_object(path: Path, shape: Shape | None = None) -> dict[str, Any]:
    """The JSON object in a file of a folder, its fields of the types that `shape` says.

    Raises OutsideError where it is something else, OSError where it is not there.
    """
    data = read_outside(path, within=path.parent)
    try:
        found = json.loads(data.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError, MemoryError):
        raise NotJsonError(f"{_shown(path)} is not JSON") from None
    if not isinstance(found, dict):
        raise NotJsonError(f"{_shown(path)} is no JSON object")
    if shape is not None:
        require_shape(found, shape, path)
    return found


# What a field may be. Null and a missing field are always allowed: not known.
#   a type            str, bool, int (not bool, at most 64 bits), float (any finite number), dict,
#                     list
#   a tuple           one of these
#   [shape]           a list of such
#   {"name": shape}   an object with these fields, and any others
#   {"*": shape}      an object of which every field is such
Shape = Any


def require_shape(value: Any, shape: Shape, path: Path, field: str = "") -> None:
    """Raises OutsideError that names the first field which is not of its type."""
    if value is None:
        return
    if isinstance(shape, tuple):
        _require_one_of(value, shape, path, field)
        return
    kind = type(shape) if isinstance(shape, list | Mapping) else shape
    if not _is(value, kind):
        name = printable(field)[:200] or "(the whole)"
        raise OutsideError(f"{_shown(path)}: the field {name} is not {_name(kind)}")
    if isinstance(shape, list):
        for place, one in enumerate(value):
            require_shape(one, shape[0], path, f"{field}[{place}]")
    elif isinstance(shape, Mapping):
        _require_fields(value, shape, path, field)


def _require_fields(value: dict[str, Any], shape: Shape, path: Path, field: str) -> None:
    prefix = f"{field}." if field else ""
    names = value if "*" in shape else shape
    for name in names:
        require_shape(value.get(name), shape.get(name, shape.get("*")), path, f"{prefix}{name}")


def _require_one_of(value: Any, shapes: tuple[Shape, ...], path: Path, field: str) -> None:
    for shape in shapes[:-1]:
        try:
            require_shape(value, shape, path, field)
        except OutsideError:
            continue
        return
    require_shape(value, shapes[-1], path, field)


def _is(value: Any, kind: type) -> bool:
    if isinstance(value, bool):
        return kind is bool
    if kind is int:
        return isinstance(value, int) and abs(value) < _NUMBERS
    if kind is float:
        if isinstance(value, int):
            return abs(value) < _NUMBERS
        return isinstance(value, float) and math.isfinite(value)
    if kind is str:  # no name of a file and no word of a command has a zero in it
        return isinstance(value, str) and "\0" not in value
    return isinstance(value, kind)


def _name(kind: type) -> str:
    return {**_NAMED, **_NAMED_NUMBERS}[kind]


def _refuse_way_out(path: Path, folder: Path) -> None:
    home, real = Path(os.path.realpath(folder)), Path(os.path.realpath(path))
    if not real.is_relative_to(home):
        raise OutsideError(f"{_shown(path)} is a link that leads out of its folder")


def _shown(path: Path) -> str:
    return printable(str(path))


def _kind(mode: int) -> str:
    for is_kind, name in (
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISSOCK, "a socket"),
    ):
        if is_kind(mode):
            return name
    return "a device"
