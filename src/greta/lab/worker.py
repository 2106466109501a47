"""The parent's side of a workload: a recorded child that runs one iteration at a time."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from greta.errors import GretaError
from greta.lab.artifacts import start_log
from greta.lab.children import end_group, end_the_rest
from greta.lab.drills.catalog import StagedFault
from greta.lab.outcomes import WorkloadAnswer
from greta.lab.plan import Iteration, MatrixTest
from greta.runs.child import leash
from greta.typed_json import JsonField, decode, require_object


def parse_line(line: bytes) -> WorkloadAnswer | StagedFault | None:
    """An answer, or what a drill has staged; None if it is neither."""
    field = JsonField(Path("the workload's answer"))
    try:
        answer = require_object(json.loads(line), field)
        if "staged" in answer:
            return decode(StagedFault, answer["staged"], field)
        return decode(WorkloadAnswer, answer, field)
    except (ValueError, GretaError):
        return None


START_SECONDS: Final = 300.0
_STACK_SECONDS: Final = 2.0
_LONGEST_LINE: Final = 64 << 20


@dataclass(frozen=True)
class Setup:
    model: str | None
    device: str
    max_tokens: int
    context: int
    workload: Sequence[str] = ("greta.engine.workload",)
    """The module that is run, and words for it."""
    watch_host: bool = False


class WorkerEndedError(Exception):
    """The child is gone, or was ended because it took too long; `reason` is a code."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Worker:
    """A child process under `greta run`, and the two pipes to it."""

    def __init__(
        self,
        setup: Setup,
        test: MatrixTest,
        folder: Path,
        environment: Mapping[str, str],
        *,
        recorded: bool,
    ) -> None:
        self.folder = folder
        self._setup = setup
        self._buffer = b""
        folder.parent.mkdir(parents=True, exist_ok=True)
        with start_log(folder).open("wb") as log:
            requests, self._requests = os.pipe()
            self._answers, answers = os.pipe()
            command = _command(setup, test, requests, answers)
            if recorded:
                command = under_recorder(command, setup.device, folder, watch_host=setup.watch_host)
            self._process = subprocess.Popen(
                command,
                env={**environment, **test.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=(requests, answers),
                start_new_session=True,  # Ctrl-C is for the audit, which then ends its children
                # `greta run` passes it on; the workload alone might not heed it.
                preexec_fn=leash(signal.SIGTERM if recorded else signal.SIGKILL),
            )
        os.close(requests)
        os.close(answers)
        self.pid = 0
        """The pid of the workload itself; 0 until it has said hello."""
        self.staged: list[StagedFault] = []
        """What a drill says that it has done, beside the answers."""

    def hello(self) -> None:
        """Waits until the model is loaded; raises WorkerEndedError if that does not come."""
        self.pid = self._read(START_SECONDS).pid

    def run(self, iteration: Iteration, seconds: float) -> WorkloadAnswer:
        """One iteration; raises WorkerEndedError if the child dies in it or takes too long."""
        test = iteration.test
        order = {
            "iteration": iteration.number,
            "text": iteration.prompt.text,
            "seed": iteration.seed,
            "max_tokens": self._setup.max_tokens,
            "streams": test.streams,
            "delays": test.delays,
            "pressure": test.pressure,
        }
        line = json.dumps(order).encode() + b"\n"
        try:
            while line:
                line = line[os.write(self._requests, line) :]
        except OSError:
            raise WorkerEndedError("died") from None
        return self._read(seconds)

    def finish(self, seconds: float = 30.0) -> int | None:
        """Lets it end by itself; returns its exit code, None if it had to be killed."""
        self._close()
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        end_the_rest(self._process)
        return code

    def kill(self) -> None:
        """Ends it and all that it has started, by their own process group."""
        self._close()
        end_group(self._process)

    def _read(self, seconds: float) -> WorkloadAnswer:
        deadline = time.monotonic() + seconds
        while isinstance(answer := self._read_line(deadline), StagedFault):
            self.staged.append(answer)
        return answer

    def _read_line(self, deadline: float) -> WorkloadAnswer | StagedFault:
        while b"\n" not in self._buffer:
            ready, _, _ = select.select(
                [self._answers], [], [], max(0.0, deadline - time.monotonic())
            )
            if not ready:
                self._ask_where_it_hangs()
                self.kill()
                raise WorkerEndedError("timeout")
            chunk = os.read(self._answers, 1 << 16)
            if not chunk or len(self._buffer) > _LONGEST_LINE:
                self.finish()
                raise WorkerEndedError("died")
            self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        answer = parse_line(line)
        if answer is None:
            self.kill()
            raise WorkerEndedError("garbled")
        return answer

    def _ask_where_it_hangs(self) -> None:
        """The stacks of its threads go to stderr.log of the run."""
        if not self.pid:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGUSR2)
            time.sleep(_STACK_SECONDS)

    def _close(self) -> None:
        for descriptor in (self._requests, self._answers):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self._requests = self._answers = -1


def _command(setup: Setup, test: MatrixTest, requests: int, answers: int) -> list[str]:
    module, *words = setup.workload
    command = [sys.executable, "-m", module, *words]
    command += ["--requests", str(requests), "--answers", str(answers)]
    command += ["--context", str(setup.context), "--streams", str(test.streams)]
    command += ["--delays"] if test.delays else []
    return command + (["--model", setup.model] if setup.model else [])


def under_recorder(
    command: Sequence[str], device: str, folder: Path, *, watch_host: bool
) -> list[str]:
    """The command under `greta run`, for who ends what outlives it."""
    greta = [sys.executable, "-m", "greta", "run", "--quiet", "--drop-late-output"]
    watch = ["--watch-host"] if watch_host else []
    return [*greta, *watch, "--device", device, "--out", str(folder), "--", *command]
