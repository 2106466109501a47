"""What goes into run.json (greta.trace.run_facts) before the recording is read."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Sequence
from pathlib import Path

import greta
from greta.runs.child import ProgramEnd
from greta.runs.elf import read_elf
from greta.runs.files import file_facts
from greta.runs.masking import masked_words
from greta.runs.models import model_files
from greta.runs.program import CommandFiles
from greta.runs.provenance import provenance_facts
from greta.runs.stream import OutputStream
from greta.trace.run_facts import ExitFacts, HostFacts, LibraryFacts, LogFacts, RunFacts

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
        provenance=None if _interprets(program) else provenance_facts(executed),
        models=tuple(model_files(command[1:])),
        host=host_facts(),
    )


def _interprets(program: CommandFiles) -> bool:
    """Whether what was asked for is a script: the interpreter's own sources do not matter."""
    return program.script is not None or program.module is not None


def recorder_facts(recorder: Path) -> LibraryFacts:
    """Which recorder wrote."""
    elf = read_elf(recorder)
    return LibraryFacts(str(recorder), elf.build_id if elf else None)


def exit_facts(ending: ProgramEnd) -> ExitFacts:
    """How the program ended."""
    return ExitFacts(ending.code, ending.signal_name, ending.core_dumped)


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


def log_facts(stream: OutputStream) -> LogFacts:
    """What went through a stream."""
    return LogFacts(
        stream.bytes, stream.is_terminal, stream.left_open, stream.followed, stream.problem
    )


def host_facts() -> HostFacts:
    """Name, kernel, processor, memory, and the GPU driver's version where one is loaded."""
    return HostFacts(
        name=platform.node(),
        kernel=f"{platform.system()} {platform.release()}",
        kernel_build=platform.version(),
        machine=platform.machine(),
        cpu=_field("/proc/cpuinfo", "model name") or None,
        cores=os.cpu_count(),
        cores_usable=len(os.sched_getaffinity(0)),
        memory_bytes=_memory_bytes(),
        gpu_driver=_read(_GPU_DRIVER).strip() or None,
    )


def _memory_bytes() -> int | None:
    words = _field("/proc/meminfo", "MemTotal").split()
    return int(words[0]) * 1024 if words and words[0].isdecimal() else None


def _field(path: str, name: str) -> str:
    lines = _read(Path(path)).splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
