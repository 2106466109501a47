"""Runs in which the recorder cannot record: nobody must take them for runs without HIP."""

from __future__ import annotations

import sys

import pytest

from tests.runs.running import Runner

CALL = "from rocm.bindings import hip; hip.hipGetDevice()"
NO_DESCRIPTOR = """
import ctypes, os, resource
library = ctypes.CDLL("libamdhip64.so")
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
try:
    while True: os.open("/dev/null", 0)
except OSError:
    library.hipGetDevice(ctypes.byref(ctypes.c_int()))
"""
NO_FOLDER = f"""
import os
os.rmdir(os.environ["GRETA_RECORD"])
open(os.environ["GRETA_RECORD"], "w").close()
{CALL}
"""


@pytest.mark.parametrize("script", [NO_DESCRIPTOR, NO_FOLDER])
def test_it_is_said_that_nothing_could_be_recorded(real: Runner, script: str) -> None:
    done = real(sys.executable, "-c", script, options=())
    said = done.stderr.decode()
    assert done.returncode == 0
    assert "INCONCLUSIVE  What the program did is not known: the recorder could not record" in said
    assert "Give the recorder what it lacked" in said
    assert "Nothing ran" not in said
    assert "Check that the command" not in said


def test_a_run_of_which_one_process_is_missing_is_not_whole(real: Runner) -> None:
    script = f"import os\nif os.fork():\n os.wait()\n {CALL}\nelse:\n exec({NO_DESCRIPTOR!r})"
    done = real(sys.executable, "-c", script, options=())
    said = done.stderr.decode()
    assert "calls     1 in 1 thread of 1 process" in said
    assert "INCONCLUSIVE  No fault was seen, but not everything was: what could not be" in said
