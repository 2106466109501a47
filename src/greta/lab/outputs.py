"""What a program printed: whether it is what was expected, and whether the runs differ in it.

Without an expectation nobody knows which output is right, and many programs print times or
addresses: a difference is then told, and is no failure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from greta.lab.outcomes import Outcome
from greta.outside import open_outside
from greta.printable import printable
from greta.runs.files import sha256_of

UNEXPECTED: Final = "output_unexpected"
EMPTY: Final = "output_empty"
_LOG: Final = "stdout.log"
_MOST_BYTES: Final = 64 << 20
"""That are searched; of more, nobody says that it is not there."""
_MOST_LINES: Final = 3
_LONGEST_LINE: Final = 160


def take_output(outcome: Outcome, folder: Path, expected: re.Pattern[str] | None) -> None:
    """What the run printed; who printed something else than expected has failed."""
    log = folder / _LOG
    try:
        outcome.stdout = sha256_of(log)
        if expected is None or outcome.problems:
            return
        text, whole = _read(log)
    except OSError:
        outcome.conclusive &= expected is None
        return
    if expected.search(text):
        return
    if not whole:
        outcome.conclusive = False
        return
    outcome.problems.append(UNEXPECTED)
    printed = _first_lines(text)
    seen = {"how": UNEXPECTED if printed else EMPTY, "expected": printable(expected.pattern)}
    outcome.ending = {**(outcome.ending or {}), **seen, "printed": printed}


def _read(log: Path) -> tuple[str, bool]:
    """The text, and whether that is all of it."""
    with open_outside(log) as file:
        data = file.read(_MOST_BYTES + 1)
    return data[:_MOST_BYTES].decode("utf-8", "replace"), len(data) <= _MOST_BYTES


def _first_lines(text: str) -> list[str]:
    """Few, short and harmless."""
    lines = [line.strip() for line in text[: 64 * _LONGEST_LINE].splitlines() if line.strip()]
    shown = [printable(line[:_LONGEST_LINE]) for line in lines[:_MOST_LINES]]
    return [*shown, "..."] if len(lines) > _MOST_LINES else shown


def outputs_of(outcomes: Iterable[Outcome]) -> dict[str, Any] | None:
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
    return {"kinds": len(counts), "runs": sum(counts), "counts": counts[:16]}
