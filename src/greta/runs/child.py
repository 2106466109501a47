"""The program as a child process: started, its signals seen to, waited for."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from greta.inherited import give_back
from greta.runs.stream import OutputStream

_PASSED_ON = {
    *(signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM),
    *(signal.SIGUSR1, signal.SIGUSR2),
}
_ENDING = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM}
_WATCHED = {*_PASSED_ON, signal.SIGCHLD, signal.SIGWINCH}
# A terminal sends its signals to the whole foreground group, program included, and so does who
# signals the group. A program that ends by such a signal has done so before it would get ours.
_MOMENT_SECONDS = 0.1
_LOOK_AGAIN_SECONDS = 1.0
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True)
class ProgramEnd:
    code: int | None
    signal: int | None
    core_dumped: bool
    usage: resource.struct_rusage
    ended: float
    """The clock's time, in seconds."""
    seconds: float

    @property
    def exit_code(self) -> int:
        """What a shell would make of it."""
        return 128 + self.signal if self.signal is not None else self.code or 0

    @property
    def signal_name(self) -> str | None:
        return None if self.signal is None else signal_name(self.signal)


class EndedBySignalError(Exception):
    """We were asked to end, and the program was not to end with us."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__(number.name)
        self.number = number


def signal_name(number: int) -> str:
    """Such as "SIGSEGV"."""
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"


def leash(number: signal.Signals) -> Callable[[], None]:
    """For `preexec_fn`: the system sends `number` to the child when this process ends, however."""
    parent, libc = os.getpid(), ctypes.CDLL(None)

    def put_on() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, int(number))
        if os.getppid() != parent:  # it was faster
            os._exit(1)

    return put_on


def _let_go(announce: Callable[[], None]) -> Callable[[], None]:
    def prepare() -> None:
        os.setsid()
        announce()

    return prepare


@contextlib.contextmanager
def signals_held() -> Iterator[set[int]]:
    """Holds back the signals that are for the program or about it; yields the mask from before.

    They wait until they are asked for, so that none of them can end this process before it has
    written down how the program ended.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _WATCHED)
    try:
        yield before
    finally:
        while signal.sigtimedwait(_WATCHED, 0) is not None:
            pass  # sent to a run that is over
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Child:
    def __init__(
        self,
        command: Sequence[str],
        executed: str,
        environment: Mapping[str, str],
        streams: tuple[OutputStream, OutputStream],
        mask: set[int],
        *,
        has_input: bool = True,
        announce: Callable[[], None] | None = None,
    ) -> None:
        """Starts it, within `signals_held`; raises OSError if it cannot be executed.

        `announce`: called in the new process, which is to live on without us: it has a session of
        its own, where no terminal's signal reaches it.
        """
        self._streams, self._keep_running = streams, announce is not None
        # As under nohup; the program ignores it too, and an ignored signal that is held back would
        # still be seen.
        ignored = {one for one in _PASSED_ON if signal.getsignal(one) is signal.SIG_IGN}
        self._heeded = _WATCHED - ignored
        prepare = leash(signal.SIGKILL) if announce is None else _let_go(announce)
        self._began = time.monotonic()
        self._process = subprocess.Popen(
            command,
            executable=executed,
            env=environment,
            stdin=None if has_input else subprocess.DEVNULL,
            stdout=streams[0].given,
            stderr=streams[1].given,
            # Descriptors that we were given are for the program; ours close by themselves.
            close_fds=False,
            # It gets the signals as we were started with them. No thread runs yet. Whatever ends
            # us without asking ends it as well: nobody would wait for it, or keep what it writes.
            preexec_fn=lambda: _prepare(mask, prepare),
        )
        for stream in streams:
            stream.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait(self, look: Callable[[], None] | None = None) -> ProgramEnd:
        """Returns when it has ended and what it wrote has been passed on.

        `look` is called now and then while it runs. Raises EndedBySignalError if it is to run on
        without us.
        """
        while not (found := os.wait4(self.pid, os.WNOHANG))[0]:
            # Of a process with threads, another one may take the signal that the child has ended.
            if info := signal.sigtimedwait(self._heeded, _LOOK_AGAIN_SECONDS):
                self._heed(info)
            elif look:
                look()
        ending = self._ending(found[1], found[2])
        for stream in self._streams:
            stream.finish()
        return ending

    def _heed(self, info: signal.struct_siginfo) -> None:
        number = signal.Signals(info.si_signo)
        if self._keep_running and number in _ENDING:
            raise EndedBySignalError(number)
        if number is signal.SIGWINCH and any(stream.is_terminal for stream in self._streams):
            for stream in self._streams:
                stream.resize()
            # It may have been told by the terminal before the new size was there to be read.
            os.kill(self.pid, signal.SIGWINCH)
        elif number in _PASSED_ON and info.si_code <= 0:  # sent by a process, not by the terminal
            signal.sigtimedwait({signal.SIGCHLD}, _MOMENT_SECONDS)
            os.kill(self.pid, number)

    def _ending(self, status: int, usage: resource.struct_rusage) -> ProgramEnd:
        code = os.waitstatus_to_exitcode(status)
        self._process.returncode = code  # it must not wait again
        return ProgramEnd(
            code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            core_dumped=os.WCOREDUMP(status),
            usage=usage,
            ended=time.time(),
            seconds=time.monotonic() - self._began,
        )


def _prepare(mask: set[int], prepare: Callable[[], None]) -> None:
    prepare()
    give_back()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
