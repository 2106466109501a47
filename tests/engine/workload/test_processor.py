"""What a busy machine adds to a duration is told apart from the duration."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from greta.engine.workload.processor import ProcessorTimes, processor_times, share_waited

START = ProcessorTimes(5.0, 1.0)


@pytest.mark.parametrize(
    ("ran", "waited", "share"),
    [
        (1.0, 0.0, 0.0),  # alone
        (0.4, 0.6, 0.6),  # one thread, at work all the time
        (0.8, 1.2, 0.6),  # two at once, each as before
        (0.01, 0.01, 0.01),  # the device works, the thread waits for it
        (0.0, 0.0, 0.0),  # a kernel that does not count
    ],
)
def test_waiting_is_a_part_of_a_second(ran: float, waited: float, share: float) -> None:
    after = ProcessorTimes(START.ran + ran, START.waited + waited)
    assert share_waited(1.0, START, after) == pytest.approx(share)


def test_a_thread_that_has_ended_takes_its_times_along() -> None:
    assert share_waited(1.0, START, ProcessorTimes(4.0, 0.5)) == 0.0


def test_times_of_all_threads_add_up(tmp_path: Path) -> None:
    for thread, text in {
        "1": "2000000000 500000000 7\n",
        "2": "1000000000 250000000 3\n",
        "3": "",
    }.items():
        (tmp_path / thread).mkdir()
        (tmp_path / thread / "schedstat").write_text(text)
    assert processor_times(tmp_path).waited == 0.75


def test_where_the_kernel_does_not_count_nothing_was_waited_for(tmp_path: Path) -> None:
    """A container that hides the files, too."""
    before = processor_times(tmp_path)
    assert share_waited(0.5, before, processor_times(tmp_path / "none")) == 0.0


def test_work_shorter_than_a_tick_of_the_kernel_s_counts() -> None:
    before = processor_times()
    until = time.thread_time() + 0.0005
    while time.thread_time() < until:
        pass
    assert 0.0005 <= processor_times().ran - before.ran < 0.1


COUNTED = Path("/proc/self/schedstat")


@pytest.mark.skipif(not COUNTED.exists(), reason="this kernel does not count it")
def test_a_process_that_shares_its_processor_waits() -> None:
    """Both on one processor: neither gets all of it."""
    pin = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
    rival = subprocess.Popen([sys.executable, "-c", f"{pin}\nwhile True: pass"])
    code = (
        f"{pin}\nimport time\nfrom greta.engine.workload.processor import *\n"
        "before, began = processor_times(), time.perf_counter()\n"
        "while time.perf_counter() < began + 0.5: pass\n"
        "print(share_waited(0.5, before, processor_times()))"
    )
    try:
        shared = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    finally:
        rival.kill()
        rival.wait()
    assert float(shared.stdout) > 0.05


def test_a_thread_of_one_s_own_counts() -> None:
    before = processor_times()
    go_on = threading.Event()

    def work() -> None:
        until = time.thread_time() + 0.05
        while time.thread_time() < until:
            pass
        go_on.wait()

    worker = threading.Thread(target=work)
    worker.start()
    deadline = time.monotonic() + 10
    while processor_times().ran < before.ran + 0.05 and time.monotonic() < deadline:
        time.sleep(0.01)
    found = processor_times().ran - before.ran
    go_on.set()
    worker.join()
    assert found >= 0.05
