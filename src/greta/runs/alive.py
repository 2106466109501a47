"""Processes of a run that are still running and have made no HIP call that was recorded."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_GRACE_SECONDS: Final = 0.5
"""For processes that are about to end, as helpers of a program that has just ended are."""
_PAUSE_SECONDS: Final = 0.02


@dataclass(frozen=True)
class LivingProcess:
    """One of them."""

    pid: int
    program: Path
    command: tuple[str, ...]


def living_processes(recording: Path) -> list[LivingProcess]:
    """Those that record into this folder, if they call HIP, and do not end at once."""
    deadline = time.monotonic() + _GRACE_SECONDS
    while (found := list(_found(recording))) and time.monotonic() < deadline:
        time.sleep(_PAUSE_SECONDS)
    return found


def _found(recording: Path) -> Iterator[LivingProcess]:
    wanted = b"GRETA_RECORD=" + os.fsencode(recording)
    begun = {folder.name.partition(".")[0] for folder in recording.glob("*.*")}
    for entry in _PROC.iterdir():
        if not entry.name.isdecimal() or entry.name in begun:
            continue
        try:
            if wanted in (entry / "environ").read_bytes().split(b"\0"):
                yield _living(entry)
        except OSError:
            continue  # it has ended, or is another user's


def _living(entry: Path) -> LivingProcess:
    words = (entry / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    command = tuple(os.fsdecode(word) for word in words)
    return LivingProcess(int(entry.name), Path((entry / "exe").readlink()), command)
