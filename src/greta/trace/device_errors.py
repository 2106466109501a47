"""Errors of the device, by their numbers: which of them every later call repeats."""

from __future__ import annotations

from typing import Final

ILLEGAL_ADDRESS: Final = 700
LAUNCH_TIMEOUT: Final = 702
ASSERT: Final = 710
LAUNCH_FAILURE: Final = 719
UNKNOWN: Final = 999

STICKY: Final = (ILLEGAL_ADDRESS, LAUNCH_TIMEOUT, ASSERT, LAUNCH_FAILURE, UNKNOWN)
"""After any other error a program can go on."""

STOPPED: Final = (LAUNCH_TIMEOUT, ASSERT, LAUNCH_FAILURE)
"""Those that do not speak of memory: a trap, an assert, a kernel without end."""
