"""run.json: what ran, so that it can never be in doubt later.

schema, greta, finished           false until the program has ended: a run whose parent was
                                  killed leaves it so
command, folder, started          the words, the working folder, ISO 8601 with the offset
masked                            the names of what is written as *** in command and environment
ended, seconds, exit, resources   null until then
program, script, module           the machine code, and what it interpreted
provenance                        of a program that is no script: its sources, other builds
device, recorder, ring            which HIP library was meant, which recorder wrote
models, environment, host, logs
processes, libraries, versions    what the recording says was really there
unfollowed                        processes that were not recorded and may have used HIP, and why
"""

from __future__ import annotations

import resource
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import greta
from greta.masking import masked_words
from greta.runs.child import Ending
from greta.runs.elf import read_elf
from greta.runs.files import file_facts
from greta.runs.host import host_facts
from greta.runs.models import model_facts
from greta.runs.program import Program
from greta.runs.provenance import provenance_facts
from greta.runs.stream import OutputStream

SCHEMA = 1


def starting_facts(command: Sequence[str], program: Program) -> dict[str, Any]:
    """What can be said before the program runs, while its files are those that will run."""
    executed = file_facts(program.path)
    words, masked = masked_words(command)
    return {
        "schema": SCHEMA,
        "greta": greta.__version__,
        "finished": False,
        "command": words,
        "masked": masked,
        "folder": str(Path.cwd()),
        "started": None,
        "ended": None,
        "seconds": None,
        "exit": None,
        "resources": None,
        "program": executed,
        "script": file_facts(program.script) if program.script else None,
        "module": program.module,
        "provenance": None if _interprets(program) else provenance_facts(executed),
        "models": model_facts(command[1:]),
        "host": host_facts(),
        "logs": {},
        "processes": [],
        "executables": [],
        "libraries": [],
        "versions": {},
    }


def _interprets(program: Program) -> bool:
    """Whether what was asked for is a script: the interpreter's own sources do not matter."""
    return program.script is not None or program.module is not None


def recorder_facts(recorder: Path) -> dict[str, Any]:
    """Which recorder wrote."""
    elf = read_elf(recorder)
    return {"path": str(recorder), "build_id": elf.build_id if elf else None}


def exit_facts(ending: Ending) -> dict[str, Any]:
    """How the program ended: one of code and signal is null."""
    return {
        "code": ending.code,
        "signal": ending.signal_name,
        "core_dumped": ending.core_dumped,
    }


def resource_facts(usage: resource.struct_rusage) -> dict[str, Any]:
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


def log_facts(stream: OutputStream) -> dict[str, Any]:
    """What went through a stream.

    `left_open`: children that outlived the program still held it; `followed`: what they write later
    is passed on and kept all the same.
    """
    return {
        "bytes": stream.bytes,
        "terminal": stream.is_terminal,
        "left_open": stream.left_open,
        "followed": stream.followed,
        "problem": stream.problem,
    }
