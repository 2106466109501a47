"""C++ names as people write them, by the demangler of the binutils or of LLVM, if one is installed.

It runs in a process of its own: there are names, made on purpose, whose readable form would fill
the memory or take forever, and a recording may come from anywhere.
"""

from __future__ import annotations

import re
import resource
import select
import shutil
import subprocess
import weakref

PROGRAMS = ("c++filt", "llvm-cxxfilt")
MANGLED = re.compile(r"_Z[\w.$@]+", re.ASCII)
NAME_LIMIT = 4096
READABLE_LIMIT = 16384
SECONDS_LIMIT = 5.0
MEMORY_LIMIT = 1 << 30

Process = subprocess.Popen[bytes]


class Demangler:
    """Translates names; one that cannot be translated stays as it is."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._process: Process | None = None
        self._gave_up = False

    def readable(self, name: str) -> str:
        """`foo::bar(int)` for `_ZN3foo3barEi`."""
        if not MANGLED.fullmatch(name) or len(name) > NAME_LIMIT:
            return name
        if name not in self._known and not self._gave_up:
            self._known[name] = self._ask(name)
        return self._known.get(name, name)

    def _ask(self, name: str) -> str:
        try:
            process = self._process or self._start()
            return _exchange(process, name)
        except (OSError, ValueError, TimeoutError):
            self._gave_up = True
            return name

    def _start(self) -> Process:
        program = next(filter(None, map(shutil.which, PROGRAMS)), None)
        if program is None:
            raise FileNotFoundError
        process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        weakref.finalize(self, _end, process)
        resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
        self._process = process
        return process


def _exchange(process: Process, name: str) -> str:
    """One name in, one line out."""
    assert process.stdin is not None  # noqa: S101 - pipes, as asked for
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(name.encode() + b"\n")
    process.stdin.flush()
    answer = b""
    while not answer.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], SECONDS_LIMIT)
        part = process.stdout.read1(READABLE_LIMIT) if ready else b""  # type: ignore[attr-defined]
        if not part or len(answer) > READABLE_LIMIT:
            raise TimeoutError
        answer += part
    return answer.decode("utf-8", "replace").rstrip("\n")


def _end(process: Process) -> None:
    process.kill()
    process.communicate()
