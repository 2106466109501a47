"""Children of audits that were killed: found by what they are, ended by their own pid."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from greta.lab.children import stat_of

_MARK: Final = b"GRETA_RECORD="
_PATIENCE_SECONDS: Final = 3.0


def end_leftovers(root: Path) -> list[int]:
    """Ends processes that are recorded into an audit under `root` although nobody audits.

    Called by who holds the lock, before and after its own children: an audit that still ran would
    hold it.
    """
    found = list(_leftovers(root))
    for pid in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while any(stat_of(pid) for pid in found) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in filter(stat_of, found):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
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
