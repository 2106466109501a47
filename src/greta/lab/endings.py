"""How the program of a run ended and what it printed, as its run folder tells it.

Without an expectation nobody knows which output is right, and many programs print times or
addresses: a difference is then told, and is no failure.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from greta.errors import OutsideError
from greta.lab.judge import Judgement
from greta.lab.outcomes import IterationOutcome
from greta.lab.summary import OutputKinds, ProgramEnding
from greta.outside import open_outside
from greta.printable import printable
from greta.runs.files import sha256_of
from greta.runs.folder import read_run_if_whole

STACKS: Final = "stacks.txt"
_OWN_STACKS: Final = "stderr.log"
"""Where our own workload writes its stacks when it is asked to."""
_MOST_LINES: Final = 5
_LONGEST_LINE: Final = 200
_TAIL_BYTES: Final = 8192

UNEXPECTED: Final = "output_unexpected"
EMPTY: Final = "output_empty"
_STDOUT: Final = "stdout.log"
_MOST_BYTES: Final = 64 << 20
"""That are searched; of more, nobody says that it is not there."""
_MOST_PRINTED: Final = 3
_LONGEST_PRINTED: Final = 160


def ending_of(folder: Path, judged: Judgement, timeout: float | None = None) -> ProgramEnding:
    """How a run ended; `timeout`: we ended it after so many seconds."""
    if timeout is not None:
        stacks = STACKS if (folder / STACKS).is_file() else _OWN_STACKS
        ending = ProgramEnding("timeout", seconds=timeout, stacks=stacks)
    else:
        facts = read_run_if_whole(folder)
        ended = facts.exit if facts.finished else None
        if ended is None:
            ending = ProgramEnding("unknown")
        elif ended.signal:
            ending = ProgramEnding("signal", signal=ended.signal)
        else:
            ending = ProgramEnding("exit_code", exit_code=ended.code or 0)
    if judged.last_call is not None:
        last = judged.last_call
        ending = replace(ending, call=last.call, seq=last.seq, returned=last.returned)
    return replace(ending, stderr=last_lines(folder))


def last_lines(folder: Path) -> tuple[str, ...]:
    """What the program wrote last to its stderr: few lines, short and harmless."""
    try:
        with open_outside(folder / "stderr.log", within=folder) as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - _TAIL_BYTES))
            tail = log.read(_TAIL_BYTES).decode("utf-8", "replace")
    except (OSError, OutsideError):
        return ()
    lines = [line.rstrip() for line in tail.splitlines() if line.strip()]
    return tuple(printable(line[:_LONGEST_LINE]) for line in lines[-_MOST_LINES:])


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


def take_output(outcome: IterationOutcome, folder: Path, expected: re.Pattern[str] | None) -> None:
    """What the run printed; who printed something else than expected has failed."""
    log = folder / _STDOUT
    try:
        outcome.stdout = sha256_of(log)
        if expected is None or outcome.problems:
            return
        with open_outside(log) as file:
            data = file.read(_MOST_BYTES + 1)
    except OSError:
        outcome.conclusive &= expected is None
        return
    text = data[:_MOST_BYTES].decode("utf-8", "replace")
    if expected.search(text):
        return
    if len(data) > _MOST_BYTES:
        outcome.conclusive = False
        return
    outcome.problems.append(UNEXPECTED)
    printed = _first_lines(text)
    outcome.ending = replace(
        outcome.ending or ProgramEnding(""),
        how=UNEXPECTED if printed else EMPTY,
        expected=printable(expected.pattern),
        printed=printed,
    )


def _first_lines(text: str) -> tuple[str, ...]:
    lines = [line.strip() for line in text[: 64 * _LONGEST_PRINTED].splitlines() if line.strip()]
    shown = tuple(printable(line[:_LONGEST_PRINTED]) for line in lines[:_MOST_PRINTED])
    return (*shown, "...") if len(lines) > _MOST_PRINTED else shown


def outputs_of(outcomes: Iterable[IterationOutcome]) -> OutputKinds | None:
    """How many kinds of output the runs had that passed; None if all printed the same.

    Only runs under one environment are compared: a program may print more where that asks for it.
    """
    groups: dict[str, list[str]] = {}
    for one in outcomes:
        if one.result == "PASS" and one.stdout:
            groups.setdefault(str(sorted(one.iteration.test.environment.items())), []).append(
                one.stdout
            )
    differing = [Counter(own) for own in groups.values() if len(set(own)) > 1]
    if not differing:
        return None
    kinds = sum(differing, Counter[str]())
    counts = [count for _, count in kinds.most_common()]
    return OutputKinds(len(counts), sum(counts), tuple(counts[:16]))
