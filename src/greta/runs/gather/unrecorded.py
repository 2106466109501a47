"""What says that the recorder was in the program and could not record it.

It makes a folder for each process, and files in it. Where it cannot make a file, as where no
descriptor is free, the folder stays empty; where it cannot even make the folder, only its own
sentence in the program's stderr is left, which the program could have written as well. Neither
can do harm: all that follows from it is that less is known.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from greta.outside import is_there
from greta.recording import unrecorded_processes
from greta.trace.logs.lines import read_lines

# native/recorder/lanes/process_recording.cpp; "for now": it goes on trying.
_FOR_GOOD: Final = "the program goes on unrecorded"
_SAID: Final = re.compile(rf"greta: (.+); ({_FOR_GOOD}|not recorded for now)")


def unrecorded(path: Path) -> str | None:
    """Why a process of a run was not recorded, and who says so; None if there is no such."""
    said = _said(path / "stderr.log")
    for folder in unrecorded_processes(path):
        of_it = [words for words, _ in said if folder.name in words]
        return f"stderr.log: {of_it[0]}" if of_it else f"{folder.name}: empty"
    return next((f"stderr.log: {words}" for words, end in said if end == _FOR_GOOD), None)


def _said(log: Path) -> list[tuple[str, str]]:
    """The recorder's words, and what follows from them."""
    lines = read_lines(log) if is_there(log) else ()
    matches = (_SAID.fullmatch(line.text) for line in lines)
    return [(match[1], match[2]) for match in matches if match]
