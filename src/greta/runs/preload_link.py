"""A path of the recorder that LD_PRELOAD can hold, wherever the recorder is installed.

The loader splits LD_PRELOAD at spaces and colons, and knows no way to quote them. A link stands in
for such a path. It is not removed with the run, whose children may go on and start others; there
is one for each recorder, so they do not grow in number.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from greta.errors import UsageError

_SEPARATORS = frozenset(" :\t\n")
_WRITABLE_BY_OTHERS = 0o022


def preloadable(recorder: Path, name: str, companion: Path) -> Path:
    """Its own path, or that of a link called `name`, beside which is one to its companion."""
    if not _is_split(recorder):
        return recorder
    number = hashlib.sha256(os.fsencode(recorder)).hexdigest()[:16]
    for base in _places():
        with contextlib.suppress(OSError):  # the next one may do
            folder = _own_folder(base / f"greta-recorder-{os.geteuid()}-{number}")
            _link(folder / companion.name, companion)
            return _link(folder / name, recorder)
    raise UsageError(
        f"{str(recorder)!r} cannot be preloaded, since its path has a space or a colon, and there "
        "is no place for a link; set TMPDIR to a folder that can be written and has no such name"
    )


def _is_split(path: Path) -> bool:
    return bool(_SEPARATORS & set(str(path)))


def _places() -> Iterator[Path]:
    cache = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    for place in (Path(cache) / "greta", Path(tempfile.gettempdir())):
        if place.is_absolute() and not _is_split(place):
            yield place


def _own_folder(path: Path) -> Path:
    """Makes it; OSError if it is somebody else's, who could put another library there."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = path.lstat()
    if status.st_uid != os.geteuid() or status.st_mode & _WRITABLE_BY_OTHERS or path.is_symlink():
        raise PermissionError(f"{path} is not ours alone")
    return path


def _link(link: Path, target: Path) -> Path:
    if not (link.is_symlink() and link.readlink() == target):
        fresh = link.with_name(f"{link.name}.{os.getpid()}")
        fresh.symlink_to(target)
        fresh.replace(link)
    return link
