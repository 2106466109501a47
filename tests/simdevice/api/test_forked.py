"""A forked child has none of the threads that do the work: it is told so, and does not hang."""

from __future__ import annotations

import os
import signal

from tests.simdevice import memory
from tests.simdevice.child import answer_of
from tests.simdevice.codes import SUCCESS
from tests.simdevice.library import hip_library

NOT_INITIALIZED = 3
PATIENCE = 20  # seconds


def fill_and_wait(address: int) -> int:
    hip = hip_library()
    return int(hip.hipMemset(address, 1, 4096) or hip.hipDeviceSynchronize())


def fill_in_forked_child(address: int) -> int:
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        os._exit(fill_and_wait(address))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def fork_and_fill(works_first: bool) -> list[int]:
    """The codes of the child and then of its parent."""
    address = memory.device(4096).address
    if works_first:
        fill_and_wait(address)
    return [fill_in_forked_child(address), fill_and_wait(address)]


def test_a_child_forked_after_work_was_queued_is_refused() -> None:
    assert answer_of(fork_and_fill, True) == [NOT_INITIALIZED, SUCCESS]


def test_a_child_forked_before_may_use_the_device() -> None:
    assert answer_of(fork_and_fill, False) == [SUCCESS, SUCCESS]
