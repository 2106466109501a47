"""Ends the test run when a test hangs: for some faults of a device that is the only sign.

pytest's own faulthandler_timeout says where a test hangs, but lets it hang. This takes its place in
the same watchdog of Python, which needs no cooperation of the thread that hangs.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys

import pytest

LIMIT = 300.0
_DEADLY = (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2)
"""What a test may be hit by that was meant for a child of it: it ends without a word."""
_STDERR = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "end the run with a failure when a test takes longer than this (default: %(default)s)"
    parser.addoption("--test-limit", type=float, default=LIMIT, metavar="SECONDS", help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_STDERR] = os.dup(sys.stderr.fileno())  # during a test it is captured
    for number in _DEADLY:
        if signal.getsignal(number) is signal.SIG_DFL:
            faulthandler.register(number, file=config.stash[_STDERR], chain=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    faulthandler.cancel_dump_traceback_later()
    for number in _DEADLY:
        faulthandler.unregister(number)
    os.close(config.stash[_STDERR])


# Within the test's protocol: after pytest has set its timer, which this replaces and it cancels.
@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    limit = item.config.getoption("--test-limit")
    faulthandler.dump_traceback_later(limit, exit=True, file=item.config.stash[_STDERR])


def pytest_runtest_logfinish() -> None:
    faulthandler.cancel_dump_traceback_later()
