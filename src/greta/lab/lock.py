"""One audit per device at a time.

The lock is the kernel's (flock), so that it goes with the process that holds it, however that ends.
The file says who it is; a file without a lock is a trace of one that is gone.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from greta.errors import UsageError


@contextmanager
def device_lock(device: str, folder: Path | None = None) -> Iterator[Path]:
    """Holds the lock of a device; raises UsageError that names the holder if somebody has it."""
    path = lock_path(device, folder)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise UsageError(f"cannot make the lock {path}: {error.strerror}") from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
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
    """The same for everybody on this machine who means the same device."""
    name = hashlib.sha256(device.encode()).hexdigest()[:12]
    return (folder or Path(tempfile.gettempdir())) / f"greta-audit-{os.getuid()}-{name}.lock"


def _holder(path: Path) -> str:
    try:
        pid = json.loads(path.read_text(encoding="utf-8")).get("pid")
    except (OSError, ValueError, AttributeError):
        return ""
    return f" (process {pid})" if isinstance(pid, int) else ""
