"""Which operation a fault comes from, by running the program again with added synchronization.

Every operation is waited for first; if the fault is gone then, the number of those that are waited
for is halved. A fault that shows in one run of many is looked for in up to `tries` runs each time.

A run without a fault in which kernels load what nobody wrote is repeated with other bytes in fresh
memory instead (greta.runs.fresh_memory).
"""

from __future__ import annotations

import itertools
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from greta.errors import UsageError
from greta.recording import ERROR_NAMES, Recording, RecordingError, open_recording
from greta.runs.again import masked_then, require_consent, require_own, require_recorded, unmasked
from greta.runs.folder import Attempt, Pin, read_run, write_pin
from greta.runs.fresh_memory import BYTES, FRESH, Trial, loads_unwritten, pin_of
from greta.runs.masking import MASK, PREFIXES
from greta.runs.pinned_operation import (
    Exposed,
    Fault,
    counterpart,
    exposed_operation,
    fault_of,
    kernel_of,
    marked_operation,
    operations_in,
    same_fault,
)
from greta.runs.program import find_program
from greta.runs.record import RunRequest, record
from greta.runs.recorder import find_recorder
from greta.runs.review import review
from greta.runs.tally import tally
from greta.trace.run_facts import DeviceFacts, RunFacts

_SET_ANEW = ("GRETA_RECORD", "GRETA_DEVICE", "GRETA_SIM_TREE")
"""By every `greta run`."""


@dataclass(frozen=True)
class Original:
    path: Path
    facts: RunFacts
    recording: Recording
    fault: Fault | None
    """None: what is asked is whether bytes that nobody wrote matter."""
    command: list[str]
    """With what was masked in it when it was written down."""

    def environment(self, current: Mapping[str, str]) -> dict[str, str]:
        """`current` with the kept variables as they were: run.json does not have the others."""
        kept = self.facts.environment
        others = {n: v for n, v in current.items() if not n.startswith(PREFIXES)}
        return {**others, **kept, **masked_then(kept, current)}

    def request(self, out: Path, sync: str | None, more: Mapping[str, str]) -> RunRequest:
        """The same command, with operations waited for as `sync` says."""
        return RunRequest(
            command=self.command,
            environment={**self.environment(os.environ), **more},
            device=self.facts.device or DeviceFacts(),
            recorder=find_recorder(),
            out=str(out),
            sync=sync,
            echo=False,
        )

    def require_same_program(self) -> None:
        """Raises UsageError if what would run now is not what ran then."""
        command = self.command
        folder = Path(self.facts.folder or "")
        if not folder.is_dir():
            raise UsageError(f"the folder that the run was started in, {folder}, is gone")
        try:
            os.chdir(folder)
            program = find_program(command, self.environment(os.environ))
        except OSError as error:
            raise UsageError(f"{command[0]} cannot be run again: {error.strerror}") from None
        for path, then in ((program.path, self.facts.program), (program.script, self.facts.script)):
            if path is not None:
                require_recorded(path, then.sha256 if then else None)

    def require_consent(self, *, yes: bool) -> None:
        """Raises UsageError unless the folder is the caller's own, and he wants this run."""
        require_own(self.path, "run.json")
        self.require_same_program()
        changed = {  # variables that the folder brings and that are others now
            name: value
            for name, value in self.facts.environment.items()
            if os.environ.get(name) != value and not name.startswith(_SET_ANEW) and value != MASK
        }
        require_consent(self.command, self.facts.folder or "", changed, yes=yes)


def open_original(path: str, command: Sequence[str], say: Words) -> Original:
    """Reads a run folder; raises UsageError where there is none, or no fault in it."""
    folder = Path(path).absolute()
    facts = read_run(folder)
    if facts is None:
        raise UsageError(f"{path} is not a run folder: it has no run.json")
    for name in ("command", "folder", "environment", "device", "program"):
        if not getattr(facts, name):
            raise UsageError(f"{path}/run.json cannot be read: it does not say {name!r}")
    try:
        recording = open_recording(folder)
    except RecordingError as error:
        raise UsageError(f"{error}; there is no operation that could be pinned") from None
    fault = fault_of(facts, recording)
    if fault is None and not loads_unwritten(recording):
        if race := _silent_race(folder, recording):
            raise UsageError(
                f"the run in {path} shows a race ({race}) that made no call fail, and what is "
                f"pinned is a call that fails; `greta analyze {shlex.quote(path)}` names both of "
                "its sides"
            )
        raise UsageError(
            f"the run in {path} has no fault to look for: it ended with 0 and the device reported "
            f"no error{refused_call(recording, path, say)}"
        )
    words = unmasked(facts.command, command, facts.masked)
    return Original(folder, facts, recording, fault, words)


def _silent_race(folder: Path, recording: Recording) -> str:
    """The hypothesis, if that is what the run shows."""
    # What judges is slow to import, and a run that can be pinned has no need of it.
    from greta.forensics.analysis import analyze
    from greta.forensics.verdict import RACES
    from greta.runs.gather import gather_recorded
    from greta.trace.evidence import Expectations

    cause = analyze(gather_recorded(folder, (), Expectations(), recording)).cause
    return cause.hypothesis if cause and cause.hypothesis in RACES else ""


def refused_call(recording: Recording, run: str, say: Words) -> str:
    """What to say of a call that HIP refused: it is no fault of the device, and comes at once."""
    failed = tally(recording).first_error
    if failed is None:
        return ""
    command = f"greta analyze {shlex.quote(run)}"
    about = {"call": failed.call, "seq": str(failed.seq), "error": failed.error}
    return say("pin_refused_call", command=command, **about)


# What makes AMD's library wait as well: launches, then kernels and copies one at a time.
SERIALIZED = {"HIP_LAUNCH_BLOCKING": "1", "AMD_SERIALIZE_KERNEL": "3", "AMD_SERIALIZE_COPY": "3"}
Tell = Callable[[str], None]
Words = Callable[..., str]
"""Makes a sentence of a code and its data."""


@dataclass(frozen=True)
class Repeat:
    folder: Path
    recording: Recording
    fault: Fault | None
    shows: bool
    """Whether that is the fault that is looked for."""
    operations: int

    def ending(self, say: Words) -> str:
        if self.fault is None:
            return say("pin_no_fault")
        text = self.fault.text(say)
        return text if self.shows else say("pin_other_fault", fault=text)


class Search:
    """Runs the program again and again; every run is kept under RUN/pin/."""

    def __init__(self, original: Original, tries: int, tell: Tell, say: Words) -> None:
        self._say = say
        self._original = original
        self._tries = tries
        self._tell = tell
        self._history: list[Attempt] = []

    def pin(self) -> Pin:
        """All of it; the result is in RUN/pin.json too."""
        self._original.require_same_program()
        result = replace(self._searched(), history=tuple(self._history))
        write_pin(result, self._original.path)
        return result

    def _searched(self) -> Pin:
        say, fault = self._say, self._original.fault
        unwritten = loads_unwritten(self._original.recording)
        if fault is None or (fault.kind == "exit" and unwritten):
            return self._with_other_bytes()
        self._tell(say("pin_looking", fault=fault.text(say)))
        serialized = self._until_it_shows("all", SERIALIZED)
        if serialized.shows:
            return self._from_serialized(serialized)
        self._tell(say("pin_gone_when_waited"))
        if not self._until_it_shows(None).shows:
            return Pin(False, say("pin_not_again"))
        self._tell(say("pin_timing"))
        return self._from_halves(serialized.operations)

    def _until_it_shows(self, sync: str | None, more: Mapping[str, str] | None = None) -> Repeat:
        """The run in which the fault shows, or the last of `tries` in which it does not."""
        for _ in range(self._tries - 1):
            rerun = self._run(sync, more or {})
            if rerun.shows:
                return rerun
        return self._run(sync, more or {})

    def _with_other_bytes(self) -> Pin:
        """Whether what nobody wrote matters; waits keep races from looking like it."""
        say = self._say
        self._tell(say("pin_fresh_looking"))
        runs = [self._run("all", SERIALIZED | {FRESH: str(byte)}) for byte in BYTES]
        trials = [Trial(one.recording, one.folder, one.fault) for one in runs]
        return pin_of(trials, self._original.recording, say)

    def _run(self, sync: str | None, more: Mapping[str, str]) -> Repeat:
        folders = (self._original.path / "pin" / str(number) for number in itertools.count(1))
        folder = next(folder for folder in folders if not folder.exists())
        run = record(self._original.request(folder, sync, more))
        recording = review(run).recording or Recording(folder, [], {})
        fault = fault_of(run.facts, recording)
        wanted = self._original.fault
        shows = wanted is not None and same_fault(wanted, fault)
        rerun = Repeat(folder, recording, fault, shows, operations_in(recording))
        number, place = len(self._history) + 1, f"pin/{folder.name}"
        ending = rerun.ending(self._say)
        self._history.append(Attempt(number, sync, place, shows, ending, rerun.operations))
        waits = _waits(sync, self._say)
        if FRESH in more:
            waits = self._say("pin_fresh_holds", waits=waits, byte=f"{int(more[FRESH]):#x}")
        self._tell(self._say("pin_run", number=number, waits=waits, ending=ending))
        return rerun

    def _from_serialized(self, rerun: Repeat) -> Pin:
        died = rerun.fault is not None and rerun.fault.kind == "signal"
        exposed = exposed_operation(rerun.recording, died=died)
        if exposed is None:
            return Pin(False, self._why_none(rerun.fault), persists_serialized=True)
        # Launches wait for themselves then (HIP_LAUNCH_BLOCKING).
        reason = self._say("pin_died" if exposed.error is None else "pin_at_once")
        return self._mapped(rerun, exposed, reason, persists=True)

    def _why_none(self, fault: Fault | None) -> str:
        """Every operation was waited for, the fault shows, and no wait brought it."""
        if fault is None or fault.kind == "error":
            return self._say("pin_no_operation")
        original, say = self._original, self._say
        refused = refused_call(original.recording, os.path.relpath(original.path), say)
        return say("pin_not_singled_out", fault=fault.text(say), refused=refused)

    def _from_halves(self, total: int) -> Pin:
        if total == 0:
            return Pin(False, self._say("pin_nothing_to_wait_for"), persists_serialized=False)
        number = self._smallest_that_hides(total)
        alone = self._until_it_shows(str(number))
        if alone.shows:
            return Pin(False, self._say("pin_not_by_one"), persists_serialized=False)
        exposed = marked_operation(alone.recording, number)
        if exposed is None:
            reason = self._say("pin_did_not_come", number=number)
            return Pin(False, reason, persists_serialized=False, operation=number)
        reason = self._say("pin_stayed_away", count=self._tries)
        return self._mapped(alone, exposed, reason, persists=False)

    def _smallest_that_hides(self, total: int) -> int:
        """Waiting for that many operations hides the fault, and for one less does not."""
        shows, hides = 0, total
        while hides - shows > 1:
            self._tell(self._say("pin_left", count=hides - shows))
            middle = (shows + hides) // 2
            if self._until_it_shows(f"..{middle}").shows:
                shows = middle
            else:
                hides = middle
        return hides

    def _mapped(self, rerun: Repeat, exposed: Exposed, reason: str, *, persists: bool) -> Pin:
        found = counterpart(
            exposed.process, exposed.event, rerun.recording, self._original.recording
        )
        error = exposed.error
        return Pin(
            pinned=True,
            reason=reason,
            persists_serialized=persists,
            pid=found.process.pid if found else None,
            seq=found.event.seq if found else None,
            call=exposed.event.call,
            kernel=kernel_of(exposed.event),
            operation=exposed.number,
            error=error,
            error_name=ERROR_NAMES.get(error) if error is not None else None,
            exact_mapping=found is not None and found.exact,
        )


def _waits(sync: str | None, say: Words) -> str:
    if sync is None:
        return say("pin_no_wait")
    if sync == "all":
        return say("pin_waits_all")
    code = "pin_waits_up_to" if sync.startswith("..") else "pin_waits_one"
    return say(code, number=sync.removeprefix(".."))
