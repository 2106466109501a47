"""However a process dies, its recording opens and holds every call that had returned."""

from __future__ import annotations

import os
import random
import signal
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from greta.recording import Process, open_recording
from tests.leash import die_with_parent
from tests.recorder.conftest import Build

THREADS = 4
# The full count takes minutes: GRETA_TEST_DEATHS=300 (see the make target).
KILLS = int(os.environ.get("GRETA_TEST_DEATHS", "12"))
OTHER_DEATHS = max(KILLS // 3, 4)
ENDINGS = {"segv": signal.SIGSEGV, "abort": signal.SIGABRT}


def moment(number: int) -> float:
    """Some time after the program is ready, in seconds; the same in every run."""
    return random.Random(number).uniform(0.0, 0.05)  # noqa: S311


class Hammer:
    """The program, its counters, and its recording."""

    def __init__(self, program: Path, folder: Path, ending: str, env: dict[str, str]) -> None:
        self.counters = folder / "counters"
        self.counters.write_bytes(bytes(4096))
        parent = os.getpid()
        self.process = subprocess.Popen(
            [program, self.counters, str(THREADS), ending],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: die_with_parent(parent),
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def tell(self) -> None:
        """To die."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"now\n")
        self.process.stdin.flush()

    def finished_calls(self) -> dict[int, int]:
        """By thread id, as the program counted them."""
        content = self.counters.read_bytes()
        pairs = (struct.unpack_from("<QQ", content, 64 * i) for i in range(THREADS))
        return {thread: finished for finished, thread in pairs}


@contextmanager
def hammering(build: Build, folder: Path, ending: str, env: dict[str, str]) -> Iterator[Hammer]:
    folder.mkdir()
    hammer = Hammer(build("hammer"), folder, ending, {**env, "GRETA_RECORD": str(folder / "rec")})
    try:
        yield hammer
    finally:
        hammer.process.kill()
        hammer.process.communicate()


def check(folder: Path, hammer: Hammer) -> Process:
    """No call that had returned is missing."""
    (process,) = open_recording(folder / "rec").processes
    columns = process.columns
    for thread, finished in hammer.finished_calls().items():
        mine = columns.thread_id == thread
        assert int(columns.finished[mine].sum()) >= finished
        assert int(mine.sum()) <= finished + 2, "calls that were never made"
    assert process.problems == []
    return process


@pytest.mark.parametrize("number", range(KILLS))
def test_killed(
    number: int, build: Build, tmp_path: Path, recorded_environment: dict[str, str]
) -> None:
    folder = tmp_path / "run"
    with hammering(build, folder, "wait", recorded_environment) as hammer:
        time.sleep(moment(number))
        hammer.process.send_signal(signal.SIGKILL)
        hammer.process.wait()
        process = check(folder, hammer)
    assert process.ending.how == "open"
    assert not process.complete


@pytest.mark.parametrize("number", range(OTHER_DEATHS))
@pytest.mark.parametrize("ending", ENDINGS)
def test_died(
    number: int,
    ending: str,
    build: Build,
    tmp_path: Path,
    recorded_environment: dict[str, str],
) -> None:
    folder = tmp_path / "run"
    with hammering(build, folder, ending, recorded_environment) as hammer:
        time.sleep(moment(number))
        hammer.tell()
        assert hammer.process.wait() == -ENDINGS[ending]
        process = check(folder, hammer)
    assert (process.ending.how, process.ending.code) == ("signal", ENDINGS[ending])


def test_terminated(build: Build, tmp_path: Path, recorded_environment: dict[str, str]) -> None:
    folder = tmp_path / "run"
    with hammering(build, folder, "wait", recorded_environment) as hammer:
        hammer.process.send_signal(signal.SIGTERM)
        assert hammer.process.wait() == -signal.SIGTERM
        process = check(folder, hammer)
    assert (process.ending.how, process.ending.code) == ("signal", signal.SIGTERM)
