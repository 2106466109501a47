"""`python -m greta` is the command `greta`."""

import atexit
import os
import signal
import sys
from contextlib import suppress

# Ctrl-C while we are being loaded ends us as it ends any program, with no word from Python. Under
# nohup and its like it stays ignored.
_HEEDED = signal.getsignal(signal.SIGINT) is signal.default_int_handler
if _HEEDED:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def main() -> int:
    """Runs the command line."""
    from greta.cli.main import main as run

    if _HEEDED:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = run()
    leave_before_a_leak_checker(code)
    return code


def leave_before_a_leak_checker(code: int) -> None:
    """Ends before a preloaded leak checker, which is for the program, looks at Python.

    It would report what Python never frees, and its exit code would take the place of `code`.
    """
    if "asan" in (preloaded := os.environ.get("LD_PRELOAD", "")) or "lsan" in preloaded:
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):  # nobody reads it any more
                stream.flush()
        os._exit(code)


if __name__ == "__main__":
    sys.exit(main())
