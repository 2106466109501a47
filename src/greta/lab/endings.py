"""How the program of a run ended, as its run folder tells it: for failures that are not HIP's.

how        exit_code, signal, timeout, or unknown: who watched it was ended before it
exit_code, signal, seconds
call, seq  the HIP call that had not returned, else the last; `returned` says which
early      it ended before its first HIP call
stacks     the file that has the stacks of a program that hung
stderr     the last lines that it wrote there
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any, Final

from greta.errors import OutsideError
from greta.lab.factors import run_facts
from greta.lab.judge import Judgement
from greta.outside import open_outside
from greta.printable import printable

STACKS: Final = "stacks.txt"
_OWN_STACKS: Final = "stderr.log"
"""Where our own workload writes its stacks when it is asked to."""
_MOST_LINES: Final = 5
_LONGEST_LINE: Final = 200
_TAIL_BYTES: Final = 8192


def ending_of(folder: Path, judged: Judgement, timeout: float | None = None) -> dict[str, Any]:
    """Of a run that has ended; `timeout`: after so many seconds it was ended by us."""
    seen: dict[str, Any] = {**_how(folder, timeout), **(judged.last_call or {})}
    if lines := last_lines(folder):
        seen["stderr"] = lines
    return seen


def failed(ending: dict[str, Any]) -> bool:
    """Whether a program that ended so has failed; of an end that nobody saw, nothing is known."""
    return ending["how"] in ("signal", "timeout") or bool(ending.get("exit_code"))


def last_lines(folder: Path) -> list[str]:
    """What the program wrote last to its stderr: few lines, short and harmless."""
    try:
        with open_outside(folder / "stderr.log", within=folder) as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            tail = log.read(_TAIL_BYTES).decode("utf-8", "replace")
    except (OSError, OutsideError):
        return []
    lines = [line.rstrip() for line in tail.splitlines() if line.strip()]
    return [printable(line[:_LONGEST_LINE]) for line in lines[-_MOST_LINES:]]


def _how(folder: Path, timeout: float | None) -> dict[str, Any]:
    if timeout is not None:
        stacks = STACKS if (folder / STACKS).is_file() else _OWN_STACKS
        return {"how": "timeout", "seconds": timeout, "stacks": stacks}
    facts = run_facts(folder / "run.json")
    ended = facts.exit if facts.finished else None
    if ended is None:
        return {"how": "unknown"}
    if ended.signal:
        return {"how": "signal", "signal": ended.signal}
    return {"how": "exit_code", "exit_code": ended.code or 0}


def keep_stacks(leader: int, folder: Path) -> None:
    """What the kernel says of each thread of a hung process and its children."""
    lines = []
    for status in Path("/proc").glob("[0-9]*/task/[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            head, _, rest = status.read_text(errors="replace").rpartition(")")
            if int(rest.split()[3]) == leader:  # the session
                waiting = (status.parent / "wchan").read_text(errors="replace")
                lines.append(f"{head}) {rest.split()[0]} waits in {waiting or '-'}")
    with contextlib.suppress(OSError):
        (folder / STACKS).write_text("\n".join(lines) + "\n", encoding="utf-8")
