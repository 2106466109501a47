"""What `greta pin` has found out about a run: its pin.json."""

from __future__ import annotations

from pathlib import Path

from greta.folder_files import read_pin_file
from greta.trace.evidence import Pinned


def pinned_of(run: Path, pid: int) -> Pinned | None:
    """For a process of the run; None if it was not pinned, or not to a call of this recording.

    A fault that is a matter of timing is pinned to the operation whose wait hides it, which need
    not be the one that makes it: no evidence of the cause.
    """
    found = read_pin_file(run)
    if not found.get("pinned") or found.get("pid") != pid:
        return None
    if found.get("persists_serialized") is not True:
        return None
    seq, kernel, runs = found.get("seq"), found.get("kernel"), found.get("runs", 0)
    if not isinstance(seq, int) or not isinstance(runs, int):
        return None
    return Pinned(seq, runs, kernel if isinstance(kernel, str) else None)
