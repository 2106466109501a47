"""Runs programs that may hang: neither they nor what they start outlive the test."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

LEASH = [sys.executable, "-I", "-S", str(Path(__file__).with_name("leash.py"))]
PATIENCE = 120.0  # seconds; only a hang takes so long

Done = subprocess.CompletedProcess[str]


def run(
    command: Sequence[object],
    *,
    timeout: float = PATIENCE,
    check: bool = False,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> Done:
    """As subprocess.run, with output captured as text."""
    words = [str(word) for word in command]
    with subprocess.Popen(
        [*LEASH, str(os.getpid()), *words],
        env=env,
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a group of its own, to be killed with all its members
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    done = subprocess.CompletedProcess(words, process.returncode, stdout, stderr)
    if check:
        done.check_returncode()
    return done
