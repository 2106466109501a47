"""Where the recorder is, and the environment in which a program loads it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from greta.errors import UsageError
from greta.native_library import find_native_library

RECORDER_VARIABLE = "GRETA_RECORDER"
RECORD_VARIABLE = "GRETA_RECORD"
_NAME = "libgreta_recorder.so"
_WATCH_NAME = "libgreta_hostwatch.so"
_SANITIZER = re.compile(r"lib(clang_rt\.)?(a|hwa|l|t|ub)san\b")
_SEPARATORS = frozenset(" :\t\n")
_WRITABLE_BY_OTHERS = 0o022


def find_recorder() -> Path:
    """The recorder's library; raises UsageError when there is none."""
    return find_native_library(_NAME, RECORDER_VARIABLE)


def recording_environment(
    base: Mapping[str, str],
    recorder: Path,
    folder: Path,
    *,
    ring: int | None = None,
    watch_host: bool = False,
    sync: str | None = None,
    more: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """`base` with what makes a program, and its children, load the recorder and write there.

    `ring` None: all is kept. `watch_host`: pinned memory is watched while copies are in flight.
    `sync`: which operations the recorder waits for, as in native/recorder/watch/added_sync.h.
    `more`: other variables of the recorder, in the place of those in `base`.
    """
    ours = [recorder, recorder.with_name(_WATCH_NAME)][: 2 if watch_host else 1]
    known = {_NAME, _WATCH_NAME, recorder.name}
    given = base.get("LD_PRELOAD", "").replace(":", " ").split()
    others = [word for word in given if Path(word).name not in known]
    asked: dict[str, str | None] = {
        RECORD_VARIABLE: str(folder),
        "GRETA_RECORD_RING": None if ring is None else str(ring),
        "GRETA_RECORD_WATCH_HOST": "1" if watch_host else None,
        "GRETA_RECORD_SYNC": sync,
    }
    asked |= more or {}
    kept = {name: value for name, value in base.items() if name not in asked}
    said = {name: value for name, value in asked.items() if value is not None}
    first = [word for word in others if _SANITIZER.match(Path(word).name)]  # they insist on it
    last = [word for word in others if word not in first]
    preload = ":".join([*first, *map(str, ours), *last])
    # One that the program is linked with comes after us, which it checks and need not.
    asan = f"{base.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0".lstrip(":")
    return {**kept, "LD_PRELOAD": preload, "ASAN_OPTIONS": asan, **said}


def require_watch(recorder: Path) -> None:
    """Raises UsageError where the recorder's companion for --watch-host is not there."""
    companion = recorder.with_name(_WATCH_NAME)
    if not companion.is_file():
        raise UsageError(
            f"--watch-host needs {companion}, which is not there; run `pip install .` in the "
            "source folder"
        )


def preloadable_recorder(recorder: Path) -> Path:
    """A path of it that LD_PRELOAD can hold, or of a link to it; its companion is beside it."""
    if not _is_split(recorder):
        return recorder
    number = hashlib.sha256(os.fsencode(recorder)).hexdigest()[:16]
    for base in _places():
        with contextlib.suppress(OSError):  # the next one may do
            folder = _own_folder(base / f"greta-recorder-{os.geteuid()}-{number}")
            _link(folder / _WATCH_NAME, recorder.with_name(_WATCH_NAME))
            return _link(folder / _NAME, recorder)
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
