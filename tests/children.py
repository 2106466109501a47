"""Runs programs that may hang: neither they nor what they start outlive the test."""

from __future__ import annotations

import atexit
import functools
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.warm import LENGTH

LEASH = [sys.executable, "-I", "-S", str(Path(__file__).with_name("leash.py"))]
WARM = Path(__file__).with_name("warm.py")
READ_AT_START = ("LANG", "LC_", "LD_", "MALLOC_", "GLIBC_", "PYTHON")
"""How variables begin that the loader, the C library and Python read once."""
PATIENCE = 120.0  # seconds; only a hang takes so long

Done = subprocess.CompletedProcess[str]
Bytes = subprocess.CompletedProcess[bytes]


def run(
    command: Sequence[object],
    *,
    timeout: float = PATIENCE,
    check: bool = False,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Done:
    """As subprocess.run, with output captured as text."""
    raw = run_raw(command, timeout=timeout, env=env, cwd=cwd)
    said = [printed.decode().replace("\r\n", "\n") for printed in (raw.stdout, raw.stderr)]
    done = subprocess.CompletedProcess(raw.args, raw.returncode, *said)
    if check:
        done.check_returncode()
    return done


def run_raw(
    command: Sequence[object],
    *,
    timeout: float = PATIENCE,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Bytes:
    """The same, with what was printed as it is."""
    words = [os.fsdecode(word) if isinstance(word, bytes) else str(word) for word in command]
    environment = dict(os.environ if env is None else env)
    if _is_warm(words, environment):
        return _ask(words, environment, str(cwd or Path.cwd()), timeout)
    return _start(words, environment, cwd, timeout)


def _start(words: list[str], env: Mapping[str, str], cwd: Path | None, timeout: float) -> Bytes:
    with subprocess.Popen(
        [*LEASH, str(os.getpid()), *words],
        env=env,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a group of its own, to be killed with all its members
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(words, process.returncode, stdout, stderr)


# --- children that need not be started: see warm.py -----------------------------------------------


def _is_warm(words: list[str], environment: Mapping[str, str]) -> bool:
    """Whether a fork of a Python that has been started is as good."""
    starts = words[:1] == [sys.executable] and (
        words[1:2] == ["-c"] or words[1:3] == ["-m", "greta"]
    )
    return starts and _read_at_start(environment) == _read_at_start(os.environ)


def _read_at_start(environment: Mapping[str, str]) -> dict[str, str]:
    """What the loader and Python read once; a path to `greta` is there already."""
    read = {name: value for name, value in environment.items() if name.startswith(READ_AT_START)}
    paths = read.pop("PYTHONPATH", "").split(os.pathsep)
    extra = [path for path in paths if path and path not in sys.path]
    return read | {"extra": os.pathsep.join(extra)}


@functools.cache
def _server(_process: int) -> socket.socket:
    """Of this process: one that was forked from it has none."""
    ours, theirs = socket.socketpair()
    command = [*LEASH, str(os.getpid()), sys.executable, str(WARM), str(theirs.fileno())]
    server = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    theirs.close()
    atexit.register(_end, server, ours)
    return ours


def _end(server: subprocess.Popen[bytes], line: socket.socket) -> None:
    line.close()
    server.wait()


def _ask(words: list[str], environment: dict[str, str], cwd: str, timeout: float) -> Bytes:
    request = {"words": words[1:], "environment": environment, "folder": cwd}
    text = json.dumps(request).encode()
    pipes = [os.pipe() for _ in range(3)]
    reading, writing = [one for one, _ in pipes], [other for _, other in pipes]
    nothing = os.open(os.devnull, os.O_RDONLY)
    line = _server(os.getpid())
    socket.send_fds(line, [LENGTH.pack(len(text))], [nothing, *writing])
    line.sendall(text)
    for file in (nothing, *writing):
        os.close(file)
    try:
        printed, errors, told = _read(reading, timeout, words)
    finally:
        for file in reading:
            os.close(file)
    code = os.waitstatus_to_exitcode(LENGTH.unpack(told[LENGTH.size :])[0])
    return subprocess.CompletedProcess(words, code, printed, errors)


def _read(files: list[int], timeout: float, words: list[str]) -> list[bytes]:
    """What each of the files holds, until nobody writes to it any more."""
    found = {file: bytearray() for file in files}
    deadline = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector:
        for file in files:
            selector.register(file, selectors.EVENT_READ)
        try:
            while selector.get_map():
                ready = selector.select(max(deadline - time.monotonic(), 0))
                if not ready and time.monotonic() >= deadline:
                    said = (bytes(found[file]) for file in files[:2])
                    raise subprocess.TimeoutExpired(words, timeout, *said)
                for key, _ in ready:
                    part = os.read(key.fd, 1 << 16)
                    found[key.fd] += part
                    if not part:
                        selector.unregister(key.fd)
        except BaseException:
            if len(found[files[-1]]) >= LENGTH.size:
                os.killpg(LENGTH.unpack(found[files[-1]][: LENGTH.size])[0], signal.SIGKILL)
            raise
    return [bytes(one) for one in found.values()]
