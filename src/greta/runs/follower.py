"""Children of the program may outlive it: a process of its own passes on what they write then.

Without it they would be ended by SIGPIPE at their next write.
"""

from __future__ import annotations

import subprocess
from pathlib import Path


def follow(source: int, target: int | None, log: Path | None) -> bool:
    """Starts `tee`, which ends when the last writer has gone or, as they do, with our reader.

    False where there is no tee. Signals for us are held back here and so in it, too: it must not
    end before those whose output it takes.
    """
    try:
        process = subprocess.Popen(
            ["tee", "-a", *([str(log)] if log else [])],
            stdin=source,
            stdout=subprocess.DEVNULL if target is None else target,
            stderr=subprocess.DEVNULL,  # a pseudoterminal's end is an error to it
            cwd="/",
            start_new_session=True,
        )
    except OSError:
        return False
    process.returncode = 0  # nobody waits for it
    return True
