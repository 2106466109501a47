"""Runs a program under the recorder, and keeps the run with what can be said of it at once."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import greta
from greta.errors import LeftRunningError, UsageError
from greta.inherited import heed_children, open_missing_descriptors
from greta.runs.child import Child, EndedBySignalError, ProgramEnd, signals_held
from greta.runs.elf import read_elf
from greta.runs.files import file_facts, iso_time, model_files
from greta.runs.folder import RunFolder, create_run_folder
from greta.runs.keeper import Successor, kept_together
from greta.runs.masking import MASK, kept_environment, masked_words
from greta.runs.program import CommandFiles, find_program
from greta.runs.provenance import provenance_facts
from greta.runs.recorder import RECORD_VARIABLE, preloadable_recorder, recording_environment
from greta.runs.stream import OutputStream
from greta.trace.run_facts import (
    DeviceFacts,
    ExitFacts,
    HostFacts,
    LibraryFacts,
    LogFacts,
    RunFacts,
)

_GPU_DRIVER = Path("/sys/module/amdgpu/version")


def starting_facts(command: Sequence[str], program: CommandFiles) -> RunFacts:
    """What can be said before the program runs, while its files are those that will run."""
    executed = file_facts(program.path)
    words, masked = masked_words(command)
    return RunFacts(
        greta=greta.__version__,
        command=tuple(words),
        masked=tuple(masked),
        folder=str(Path.cwd()),
        program=executed,
        script=file_facts(program.script) if program.script else None,
        module=program.module,
        # Of a script the interpreter's own sources do not matter.
        provenance=None if program.script or program.module else provenance_facts(executed),
        models=tuple(model_files(command[1:])),
        host=host_facts(),
    )


def resource_facts(usage: resource.struct_rusage) -> dict[str, float]:
    """What the program used, and those of its children that it waited for.

    The system counts the memory of the process that started it too, so the largest resident size
    is never less than ours, about 30 MB.
    """
    return {
        "user_seconds": usage.ru_utime,
        "system_seconds": usage.ru_stime,
        "max_resident_bytes": usage.ru_maxrss * 1024,
        "minor_page_faults": usage.ru_minflt,
        "major_page_faults": usage.ru_majflt,
        "voluntary_context_switches": usage.ru_nvcsw,
        "involuntary_context_switches": usage.ru_nivcsw,
    }


def host_facts() -> HostFacts:
    """Name, kernel, processor, memory, and the GPU driver's version where one is loaded."""
    memory = _field("/proc/meminfo", "MemTotal").split()
    return HostFacts(
        name=platform.node(),
        kernel=f"{platform.system()} {platform.release()}",
        kernel_build=platform.version(),
        machine=platform.machine(),
        cpu=_field("/proc/cpuinfo", "model name") or None,
        cores=os.cpu_count(),
        cores_usable=len(os.sched_getaffinity(0)),
        memory_bytes=int(memory[0]) * 1024 if memory and memory[0].isdecimal() else None,
        gpu_driver=_read(_GPU_DRIVER).strip() or None,
    )


def _field(path: str, name: str) -> str:
    lines = _read(Path(path)).splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


Streams = tuple[OutputStream, OutputStream]


def print_on_stderr(text: str) -> None:
    print("greta:", text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class RunRequest:
    """What to run: `environment` is the program's but for the recorder, `device` goes to run.json.

    `out` None means a new folder under greta-runs/, `ring` None that everything is kept.
    `checks`: the tools of `greta check` that look at it. `watch_host`, `sync` and `more` are for
    the recorder; see runs.recorder.
    `disk_budget`: bytes that the recording may take, None: see default_disk_budget.
    `follow_children`: what children write that outlive the program is still passed on and kept.
    `echo`: the program has our standard streams; if not, it gets no input, and its output is only
    kept.
    `keep_running`: the program lives on if we are ended, and gets no input from a terminal.
    `tell` hears what is worth a line while the program runs.
    """

    command: Sequence[str]
    environment: Mapping[str, str]
    device: DeviceFacts
    recorder: Path
    out: str | None = None
    ring: int | None = None
    watch_host: bool = False
    checks: Sequence[str] = ()
    sync: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)
    disk_budget: int | None = None
    guard: str | None = None
    follow_children: bool = False
    echo: bool = True
    keep_running: bool = False
    tell: Callable[[str], None] = print_on_stderr


@dataclass
class CompletedRun:
    folder: RunFolder
    pid: int
    ending: ProgramEnd
    facts: RunFacts
    at_line_start: bool
    """What the program wrote last ended its line."""
    problems: list[str] = field(default_factory=list)

    def keep_facts(self, facts: RunFacts) -> None:
        """Writes run.json anew; a disk that is full must not hide how the program ended."""
        self.facts = facts
        try:
            self.folder.write_facts(facts)
        except OSError as error:
            self.problems.append(f"cannot write {self.folder.facts}: {error.strerror}")


def record(request: RunRequest) -> CompletedRun:
    """Runs it to its end.

    Raises OSError if the program cannot be executed, UsageError if there is no place for the run
    folder; neither leaves anything behind. Raises LeftRunningError if a signal ended us and the
    program lives on.
    """
    heed_children()
    open_missing_descriptors(inheritable=True)
    try:
        Path.cwd()
    except FileNotFoundError:
        raise UsageError("the working folder has been removed; change to another") from None
    program, elf = find_program(request.command, request.environment), read_elf(request.recorder)
    facts = replace(
        starting_facts(request.command, program),
        device=request.device,
        ring=request.ring,
        watch_host=request.watch_host,
        checks=tuple(request.checks),
        sync=request.sync,
        guard=request.guard,
        recorder=LibraryFacts(str(request.recorder), elf.build_id if elf else None),
    )
    recorder = preloadable_recorder(request.recorder)
    with signals_held() as mask:
        folder = create_run_folder(request.out, program.name, datetime.now().astimezone())
        budget = request.disk_budget or default_disk_budget(folder.path)
        facts = replace(facts, disk_budget=budget)
        environment = recording_environment(
            request.environment,
            recorder,
            folder.recording,
            ring=request.ring,
            watch_host=request.watch_host,
            sync=request.sync,
            more={**request.more, "GRETA_RECORD_BUDGET": str(budget)},
        )
        kept = kept_environment(environment)
        masked = (*facts.masked, *(name for name, value in kept.items() if MASK in value))
        facts = replace(facts, environment=kept, masked=masked, started=iso_time(time.time()))
        mark = f"{RECORD_VARIABLE}={environment[RECORD_VARIABLE]}"
        start = _Start(request, program.executed, environment, folder, facts, mask)
        if request.keep_running:
            return _run_on(start)
        with kept_together(mark):
            return _run(start)


@dataclass(frozen=True)
class _Start:
    request: RunRequest
    executed: str
    environment: Mapping[str, str]
    folder: RunFolder
    facts: RunFacts
    mask: set[int]

    def streams(self) -> Streams:
        return _begin(self.folder, self.facts, self.request)

    def child(self, streams: Streams, successor: Successor | None = None) -> Child:
        request = self.request
        try:
            return Child(
                request.command,
                self.executed,
                self.environment,
                streams,
                self.mask,
                # What follows in the terminal is for whoever comes after us.
                has_input=request.echo and not (successor and os.isatty(0)),
                announce=successor.announce if successor else None,
            )
        except OSError:
            for stream in streams:
                stream.abandon()
            self.folder.discard()
            raise

    def finish(self, child: Child, streams: Streams) -> CompletedRun:
        request, counter = self.request, self.folder.recording / "used"
        budget = self.facts.disk_budget or 0
        watch = DiskWatch(counter, budget, request.tell) if request.echo else None
        return _finish(child, self.folder, self.facts, streams, watch)


def _run(start: _Start) -> CompletedRun:
    streams = start.streams()
    return start.finish(start.child(streams), streams)


def _run_on(start: _Start) -> CompletedRun:
    """The program lives on without us, if it comes to that."""
    streams, folder = start.streams(), start.folder.path
    successor = Successor(streams, lambda pid: start.request.tell(_lives_on(pid, folder)))
    try:
        child = start.child(streams, successor)
        run = start.finish(child, streams)
    except EndedBySignalError as ended:
        for stream in streams:
            stream.hand_over()
        successor.take_over()
        raise LeftRunningError(_lives_on(child.pid, folder), child.pid, ended.number) from None
    except BaseException:
        successor.dismiss()
        raise
    successor.dismiss()
    return run


def _lives_on(pid: int, folder: Path) -> str:
    return (
        f"the program lives on as process {pid}, is recorded, and what it writes is kept; when it "
        f"has ended: greta analyze {folder}"
    )


_LEAST_BUDGET = 2 * 10**9
_TOLD_AT = (0.25, 0.5, 0.75)


def default_disk_budget(folder: Path) -> int:
    """A tenth of what is free, and at least 2 GB: the recorder stops before the disk is full."""
    return max(_LEAST_BUDGET, shutil.disk_usage(folder).free // 10)


class DiskWatch:
    """Says on the way how much of its budget a recording has taken."""

    def __init__(self, counter: Path, budget: int, tell: Callable[[str], None]) -> None:
        self._counter, self._budget, self._tell = counter, budget, tell
        self._left = [*_TOLD_AT]

    def look(self) -> None:
        try:
            used = int.from_bytes(self._counter.read_bytes()[:8], "little")
        except OSError:
            return  # nothing was recorded yet
        passed = [share for share in self._left if used >= share * self._budget]
        if passed:
            self._left = self._left[len(passed) :]
            told = f"{used / 1e9:.2f} of {self._budget / 1e9:.2f} GB"
            self._tell(f"recorded {told} that this run may take (--disk)")


def _begin(folder: RunFolder, facts: RunFacts, request: RunRequest) -> Streams:
    def stream(name: str, ours: int) -> OutputStream:
        return OutputStream(
            name,
            ours if request.echo else None,
            folder.log(name),
            follow_children=request.follow_children,
            outlast_reader=request.keep_running,
        )

    try:
        folder.write_facts(facts)
        return stream("stdout", 1), stream("stderr", 2)
    except OSError as error:
        folder.discard()
        raise UsageError(
            f"cannot write into the run folder {str(folder.path)!r}: {error.strerror}; "
            "name another with --out DIR"
        ) from None


def _finish(
    child: Child, folder: RunFolder, facts: RunFacts, streams: Streams, watch: DiskWatch | None
) -> CompletedRun:
    ending = child.wait(watch.look if watch else None)
    at_line_start = all(stream.at_line_start for stream in streams)
    run = CompletedRun(folder, child.pid, ending, facts, at_line_start)
    run.keep_facts(
        replace(
            facts,
            finished=True,
            ended=iso_time(ending.ended),
            seconds=ending.seconds,
            exit=ExitFacts(ending.code, ending.signal_name, ending.core_dumped),
            resources=resource_facts(ending.usage),
            logs={
                one.name: LogFacts(
                    one.bytes, one.is_terminal, one.left_open, one.followed, one.problem
                )
                for one in streams
            },
        )
    )
    return run
