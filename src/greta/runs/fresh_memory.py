"""Whether bytes that nobody wrote reach the host: what copies bring, compared between runs.

The simulated device fills fresh memory with one byte, and notes words of what copies bring to the
host when it is told which byte (GRETA_SIM_FRESH). Two runs have one byte, two another. What is the
same in runs with the same byte and another in the others depends on what nobody wrote. What differs
between runs with the same byte (times, addresses, races) says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from greta.recording import CallEvent, Process, Recording
from greta.runs.files import sha256_of
from greta.runs.folder import Pin
from greta.runs.pinned_operation import Fault, counterpart

FRESH: Final = "GRETA_SIM_FRESH"
BYTES: Final = (0xBC, 0xBC, 0x4B, 0x4B)
"""As numbers of any type negative and positive; as floats small and large: two that are both too
large for what follows would end in the same NaN. No NaN itself: zero times it is no zero."""
_Words = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Trial:
    """One of the runs; `fault` is how it failed, if it did."""

    recording: Recording
    folder: Path
    fault: Fault | None


@dataclass(frozen=True)
class Shown:
    """What the runs show together; the process and the call are of the first."""

    reach: Literal["used", "part", "none"]
    process: Process | None = None
    copy: CallEvent | None = None


def loads_unwritten(recording: Recording) -> bool:
    """Whether the device noted that kernels read what nobody had written."""
    notes = (note for process in recording.processes for note in process.device_faults())
    return any(note.event == "unwritten" and note.kernel and not note.by_pattern for note in notes)


def pin_of(trials: Sequence[Trial], original: Recording, say: Callable[..., str]) -> Pin:
    """What four runs with BYTES show, in the numbers of the run that was asked about."""
    shown = compared(trials)
    if shown is None:
        return Pin(False, say("pin_fresh_unlike"))
    used = shown.reach == "used"
    if shown.process is None or shown.copy is None:
        reason = say("pin_fresh_shows" if used else "pin_fresh_none")
        return Pin(used, reason, fresh_bytes=shown.reach)
    found = counterpart(shown.process, shown.copy, trials[0].recording, original)
    return Pin(
        pinned=used,
        reason=say("pin_fresh_used" if used else "pin_fresh_part"),
        pid=found.process.pid if found else None,
        seq=found.event.seq if found else None,
        call=shown.copy.call,
        exact_mapping=found is not None and found.exact,
        fresh_bytes=shown.reach,
    )


def compared(trials: Sequence[Trial]) -> Shown | None:
    """Of four runs, with BYTES; None if runs with the same byte did not copy the same."""
    one, again, other, other_again = (_brought(trial.recording) for trial in trials)
    if _sizes(one) != _sizes(again) or _sizes(other) != _sizes(other_again):
        return None
    if _sizes(one) != _sizes(other) or _ends_otherwise(trials):
        return Shown("used")
    partly: Shown | None = None
    for copies in zip(one, again, other, other_again, strict=True):
        a, a2, b, b2 = (each.words for each in copies)
        depends = (a == a2) & (b == b2) & (a != b)
        if depends.all():
            return Shown("used", copies[0].process, copies[0].event)
        if depends.any() and partly is None:
            partly = Shown("part", copies[0].process, copies[0].event)
    return partly or Shown("none")


@dataclass(frozen=True, eq=False)
class _Copy:
    process: Process
    event: CallEvent
    words: _Words


def _brought(recording: Recording) -> list[_Copy]:
    """By process and thread: how threads interleave is not what is compared."""
    copies = [
        _Copy(process, process.event(note.seq), _words(note.message))
        for process in recording.processes
        for note in process.device_faults()
        if note.event == "brought" and note.seq is not None and note.message
    ]
    places = [process.folder for process in recording.processes]
    copies.sort(key=lambda one: (places.index(one.process.folder), one.event.lane, one.event.seq))
    return copies


def _words(message: str) -> _Words:
    try:
        return np.frombuffer(bytes.fromhex(message), ">u4").astype(np.uint32)
    except ValueError:
        return np.zeros(0, np.uint32)


def _sizes(copies: list[_Copy]) -> list[tuple[str, int]]:
    return [(one.event.call, len(one.words)) for one in copies]


def _ends_otherwise(trials: Sequence[Trial]) -> bool:
    """Whether what the program prints, or how it ends, goes with the byte."""
    said = [(sha256_of(one.folder / "stdout.log"), one.fault) for one in trials]
    one, again, other, other_again = said
    return one == again and other == other_again and one != other
