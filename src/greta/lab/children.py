"""One audit per device at a time, and children that do not outlive it or leave anybody behind.

The lock is the kernel's (flock), so that it goes with the process that holds it, however that ends.
The file says who it is; a file without a lock is a trace of one that is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import platform
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from greta.errors import UsageError

_PATIENCE_SECONDS = 5.0
_MOMENT_SECONDS: Final = 1.0


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Ends a child and all others of its process group; returns when none of them runs."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        if _is_gone(process, _PATIENCE_SECONDS):
            return


def end_the_rest(process: subprocess.Popen[bytes]) -> None:
    """What a child that has ended by itself left of its group: waits a little, then ends it."""
    if not _is_gone(process, _MOMENT_SECONDS):
        end_group(process)


def _is_gone(process: subprocess.Popen[bytes], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while process.poll() is None or _has_members(process.pid):
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.01)
    return True


def _has_members(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    # There is one, but a zombie that nobody waits for counts for the system, not for us.
    return any(group_of(int(path.name)) == group for path in Path("/proc").glob("[0-9]*"))


def group_of(pid: int) -> int | None:
    """The process group; None if it does not run any more."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2]
        state, _, group, *_ = text.split()
    except (OSError, ValueError):
        return None
    return None if state in "ZX" else int(group)


_MARK: Final = b"GRETA_RECORD="
_LEFTOVER_SECONDS: Final = 3.0


def end_leftovers(root: Path) -> list[int]:
    """Ends processes that are recorded into an audit under `root` although nobody audits.

    Called by who holds the lock, before and after its own children: an audit that still ran would
    hold it.
    """
    found = list(_leftovers(root))
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in filter(group_of, found):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
        deadline = time.monotonic() + _LEFTOVER_SECONDS
        while any(map(group_of, found)) and time.monotonic() < deadline:
            time.sleep(0.05)
    return found


def _leftovers(root: Path) -> Iterator[int]:
    marks = {_MARK + os.fsencode(path) + b"/" for path in (root.absolute(), root.resolve())}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if process.stat().st_uid != os.getuid() or int(process.name) == os.getpid():
                continue
            variables = (process / "environ").read_bytes().split(b"\0")
            if any(one.startswith(tuple(marks)) for one in variables):
                yield int(process.name)


@contextmanager
def device_locks(kind: str, devices: Sequence[str]) -> Iterator[None]:
    """Those of the devices of a kind, of all if none is named; raises UsageError as below."""
    with ExitStack() as locks:
        locks.enter_context(device_lock(kind, shared=bool(devices)))
        for device in devices:
            locks.enter_context(device_lock(f"{kind} {device}"))
        yield


@contextmanager
def device_lock(device: str, folder: Path | None = None, *, shared: bool = False) -> Iterator[Path]:
    """Holds the lock of a device; raises UsageError that names the holder if somebody has it.

    `shared`: others may hold it in the same way.
    """
    path = lock_path(device, folder)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise UsageError(f"cannot make the lock {path}: {error.strerror}") from None
    try:
        try:
            how = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"another audit is running on {device}{_holder(path)}; wait for it or end it"
            ) from None
        os.ftruncate(descriptor, 0)
        with contextlib.suppress(OSError):  # on a full disk the lock holds, nobody knows whose
            os.write(descriptor, json.dumps({"pid": os.getpid(), "device": device}).encode())
        yield path
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def lock_path(device: str, folder: Path | None = None) -> Path:
    """The same for all of the user's audits on this machine that mean the same device."""
    name = hashlib.sha256(f"{device} {platform.node()}".encode()).hexdigest()[:12]
    return (folder or _lock_folder()) / f"audit-{name}.lock"


def _lock_folder() -> Path:
    """In the user's own cache: in /tmp anybody could make the file first, and hold its lock."""
    own = Path(tempfile.gettempdir())  # TMPDIR may name a folder of the user's own
    if _is_own(own) and not own.stat().st_mode & 0o022:
        return own
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "greta" / "locks"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(folder):
            raise UsageError(f"{folder} is not your folder; locks of audits go there: remove it")
        folder.chmod(0o700)
    except OSError as error:
        raise UsageError(f"cannot make the folder of locks {folder}: {error.strerror}") from None
    return folder


def _is_own(folder: Path) -> bool:
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()


def _holder(path: Path) -> str:
    try:
        pid = json.loads(path.read_text(encoding="utf-8")).get("pid")
    except (OSError, ValueError, AttributeError):
        return ""
    return f" (process {pid})" if isinstance(pid, int) else ""
