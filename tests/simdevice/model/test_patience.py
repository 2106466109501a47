"""A program that hangs is told, one that is slow is not."""

from __future__ import annotations

import threading
import time

from tests.simdevice.model.patience import Patience

SHORT = Patience(asleep=0.6, busy=0.6, step=0.2)


def started(work: threading.Thread) -> threading.Thread:
    work.start()
    return work


def turn(until: threading.Event) -> None:
    while not until.is_set():
        pass


def test_who_sleeps_hangs() -> None:
    wakes = threading.Event()
    sleeper = started(threading.Thread(target=wakes.wait, daemon=True))
    assert SHORT.is_over(sleeper)
    wakes.set()


def test_who_turns_around_and_around_hangs() -> None:
    stops = threading.Event()
    assert SHORT.is_over(started(threading.Thread(target=turn, args=(stops,), daemon=True)))
    stops.set()


def test_who_is_slow_does_not_hang() -> None:
    stops = threading.Event()
    worker = started(threading.Thread(target=turn, args=(stops,), daemon=True))
    timer = threading.Timer(2.0, stops.set)
    timer.start()
    patient = Patience(asleep=0.6, busy=60.0, step=0.2)
    assert not patient.is_over(worker)


def test_who_waits_for_one_who_works_does_not_hang() -> None:
    stops = threading.Event()
    started(threading.Thread(target=turn, args=(stops,), daemon=True))
    worker = started(threading.Thread(target=stops.wait, daemon=True))
    threading.Timer(1.5, stops.set).start()
    assert not Patience(asleep=0.6, busy=60.0, step=0.2).is_over(worker)


def test_short_sleeps_are_no_hang() -> None:
    def naps() -> None:
        for _ in range(5):
            time.sleep(0.3)

    assert not Patience(asleep=10.0, busy=60.0, step=0.2).is_over(
        started(threading.Thread(target=naps, daemon=True))
    )
