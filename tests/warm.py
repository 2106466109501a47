"""A Python that has imported `greta`, and becomes a child process of a test where one is asked for.

Most of what a short child costs is the start of Python and the imports: half a second, thousands of
times. `warm.py SOCKET` has already done both. children.py asks over the socket, and it forks. The
child differs from one that was started in nothing that tests look at: where a test sets variables
that the loader or Python reads at the start, children.py starts one as usual.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import socket
import struct
import sys
import tempfile
import types
from dataclasses import dataclass
from typing import Any

LENGTH = struct.Struct("=I")
PR_SET_PDEATHSIG = 1
PRELOADED = (
    "greta.api",
    "greta.cli.main",
    "greta.cli.analyze",
    "greta.cli.run",
    "greta.forensics.analysis",
    "greta.hip",
    "greta.reports.terminal",
    "greta.runs.record",
    "greta.runs.review",
    "pytest",  # of the modules whose functions are called in a child
)


@dataclass(frozen=True)
class Request:
    """What a child is to be."""

    words: list[str]
    """Behind the interpreter: -m greta ..., or -c and source."""
    environment: dict[str, str]
    folder: str


def serve(line: socket.socket) -> Request:
    """Answers requests until the tests end; returns in each child that was asked for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the keepers of children
    while True:
        head, files, _, _ = socket.recv_fds(line, LENGTH.size, 4)
        if len(head) < LENGTH.size:
            sys.exit()
        text = line.recv(LENGTH.unpack(head)[0], socket.MSG_WAITALL)
        if os.fork() == 0:
            line.close()
            return _kept(Request(**json.loads(text)), files)
        for file in files:
            os.close(file)


def _kept(request: Request, files: list[int]) -> Request:
    """In a process of its own, whose parent tells how it ended and does nothing else."""
    *streams, status = files
    os.setsid()  # a group of its own, to be killed with all its members
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.write(status, LENGTH.pack(os.getpid()))
    if child := os.fork():
        for file in (0, 1, 2, *streams):
            os.close(file)
        _, how = os.waitpid(child, 0)
        os.write(status, LENGTH.pack(how))
        os._exit(0)
    _die_with_parent()
    os.close(status)
    for standard, file in enumerate(streams):
        os.dup2(file, standard)
        os.close(file)
    return request


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def become(request: Request) -> None:
    """Python, as it was asked for; it ends as Python does."""
    os.environ.clear()
    os.environ.update(request.environment)
    os.chdir(request.folder)
    tempfile.tempdir = None
    sys.path[0] = ""
    kind, what, *words = request.words
    if kind == "-m":
        import greta.__main__

        sys.argv = [greta.__main__.__file__ or "", *words]
        sys.exit(greta.__main__.main())
    sys.argv = [kind, *words]
    program: Any = types.ModuleType("__main__")
    sys.modules["__main__"] = program
    exec(compile(what, "<string>", "exec"), program.__dict__)  # noqa: S102


if __name__ == "__main__":
    for _name in PRELOADED:
        __import__(_name)
    gc.freeze()
    become(serve(socket.socket(fileno=int(sys.argv[1]))))
