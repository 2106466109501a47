"""`python -m greta` is the command `greta`."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> int:
    """Runs the command line; Ctrl-C ends it quietly, also while it is still being loaded."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not under nohup
    if heeded:
        signal.signal(signal.SIGINT, _leave)
    from greta.cli.main import main as run

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()


def _leave(_number: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
