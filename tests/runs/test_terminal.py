"""Where the user has a terminal, the program has one too."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.runs.running import TIMEOUT, Runner, read_facts, wait_until

ARE_TERMINALS = "import os; print([os.isatty(n) for n in (0, 1, 2)], flush=True)"
SIZES = """
import os, signal
def show(*_): print([tuple(os.get_terminal_size(n)) for n in (1, 2)], flush=True)
signal.signal(signal.SIGWINCH, show)
show()
while True: signal.pause()
"""
KILLED = "import os; from rocm.bindings import hip; hip.hipMalloc(64); os.kill(os.getpid(), 9)"
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class Terminal:
    """A terminal with `greta run` in its foreground, and what was seen on it so far."""

    descriptor: int
    pid: int
    seen: bytes = b""

    def resize(self, rows: int, columns: int) -> None:
        size = struct.pack("4H", rows, columns, 0, 0)
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, size)

    def type(self, keys: bytes) -> None:
        os.write(self.descriptor, keys)

    def read_until(self, text: bytes) -> None:
        wait_until(lambda: text in self._read())

    def end(self) -> int:
        """Its exit code; all that it wrote has been seen."""
        deadline = time.monotonic() + TIMEOUT
        while (ended := os.waitpid(self.pid, os.WNOHANG)) == (0, 0):
            assert time.monotonic() < deadline, self.seen
            self._read()
        self._read()
        return os.waitstatus_to_exitcode(ended[1])

    def _read(self) -> bytes:
        with contextlib.suppress(OSError):  # the last one has closed it
            while select.select([self.descriptor], [], [], 0.02)[0]:
                self.seen += os.read(self.descriptor, 4096)
        return self.seen


@contextlib.contextmanager
def terminal(
    runner: Runner,
    *words: str,
    stderr: int | None = None,
    options: tuple[str, ...] = ("--quiet",),
    through: tuple[str, ...] = (),
) -> Iterator[Terminal]:
    command = [*through, *runner.command(*words, options=options)]
    pid, descriptor = pty.fork()
    if pid == 0:
        if stderr is not None:
            os.dup2(stderr, 2)
        os.chdir(runner.place)
        os.execvpe(command[0], command, runner.environment)  # noqa: S606
    screen = Terminal(descriptor, pid)
    screen.resize(30, 90)
    yield screen
    with contextlib.suppress(ProcessLookupError, ChildProcessError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    os.close(descriptor)


pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def test_the_program_sees_a_terminal_of_the_same_size(runner: Runner) -> None:
    with terminal(runner, sys.executable, "-c", ARE_TERMINALS) as screen:
        assert screen.end() == 0
    assert b"[True, True, True]" in screen.seen


def test_a_stream_that_is_no_terminal_stays_none(runner: Runner) -> None:
    reading, writing = os.pipe()
    with terminal(runner, sys.executable, "-c", ARE_TERMINALS, stderr=writing) as screen:
        assert screen.end() == 0
    os.close(reading)
    os.close(writing)
    assert b"[True, True, False]" in screen.seen
    logs = read_facts(runner.folder)["logs"]
    assert [logs[name]["terminal"] for name in ("stdout", "stderr")] == [True, False]


def test_a_new_size_is_passed_on(runner: Runner) -> None:
    with terminal(runner, sys.executable, "-c", SIZES) as screen:
        screen.read_until(b"[(90, 30), (90, 30)]")
        screen.resize(11, 22)
        screen.read_until(b"[(22, 11), (22, 11)]")


def test_lines_reach_the_terminal_as_they_should_and_the_log_as_they_were(runner: Runner) -> None:
    with terminal(runner, "printf", r"a\nb\n\t\001c") as screen:
        assert screen.end() == 0
    assert b"a\r\nb\r\n\t\x01c" in screen.seen
    assert (runner.folder / "stdout.log").read_bytes() == b"a\nb\n\t\x01c"


def test_much_output_through_a_terminal_is_complete(runner: Runner) -> None:
    with terminal(runner, sys.executable, "-c", "print('0123456789' * 300_000)") as screen:
        assert screen.end() == 0
    assert screen.seen.count(b"0123456789") == 300_000
    assert (runner.folder / "stdout.log").stat().st_size == 3_000_001


def test_a_child_that_outlives_the_program_still_writes_to_the_terminal(runner: Runner) -> None:
    waits = "while [ ! -e go ]; do sleep 0.05; done"
    script = f"( {waits}; test -t 1 && echo late ) & echo early"
    shell = ("sh", "-c", '"$@"; echo over; read line', "sh")
    with terminal(runner, "sh", "-c", script, through=shell) as screen:
        screen.read_until(b"over\r\n")
        (runner.place / "go").touch()
        screen.read_until(b"late\r\n")
    assert (runner.folder / "stdout.log").read_bytes() == b"early\nlate\n"
    assert read_facts(runner.folder)["logs"]["stdout"]["followed"] is True


def test_ctrl_c_ends_the_program_and_the_run_is_kept(runner: Runner) -> None:
    with terminal(runner, "sh", "-c", "echo ready; exec sleep 100") as screen:
        screen.read_until(b"ready")
        screen.type(b"\x03")
        assert screen.end() == 128 + signal.SIGINT
    facts = read_facts(runner.folder)
    assert (facts["finished"], facts["exit"]["signal"]) == (True, "SIGINT")


def test_ctrl_c_reaches_a_program_that_handles_it_once(runner: Runner) -> None:
    script = """
import signal, time
count = 0
def handle(*_):
    global count
    count += 1
signal.signal(signal.SIGINT, handle)
print("ready", flush=True)
end = time.monotonic() + 1.5
while time.monotonic() < end: time.sleep(0.1)
print("times:", count)
exit(5)
"""
    with terminal(runner, sys.executable, "-c", script) as screen:
        screen.read_until(b"ready")
        screen.type(b"\x03")
        assert screen.end() == 5
    assert b"times: 1" in screen.seen


def test_stdin_is_the_terminal(runner: Runner) -> None:
    with terminal(runner, sys.executable, "-c", "print('heard', input('say: '))") as screen:
        screen.read_until(b"say: ")
        screen.type(b"hello\n")
        assert screen.end() == 0
    assert b"heard hello" in screen.seen


def test_the_command_of_a_next_step_can_be_pasted_however_long_it_is(real: Runner) -> None:
    program = [sys.executable, "-c", KILLED, *(f"word {number}" for number in range(20))]
    with terminal(real, *program, options=()) as screen:
        assert screen.end() == 128 + signal.SIGKILL
    shown = _COLOURS.sub("", screen.seen.decode()).replace("\r\n", "\n")
    command = shown.replace("\\\n", "").split("    greta run -- ")[1].split("\n")[0]
    assert shlex.split(command) == program
