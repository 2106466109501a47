"""`python -m greta` is the command `greta`."""

import signal
import sys

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
    return run()


if __name__ == "__main__":
    sys.exit(main())
