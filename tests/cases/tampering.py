"""What can happen to a recording before somebody looks at it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from greta.cli.main import main


def lose_process(run: Path) -> None:
    """The folder of the process with the most records is gone; run.json still lists it."""
    folders = [folder for folder in (run / "recording").iterdir() if folder.is_dir()]
    shutil.rmtree(max(folders, key=_bytes))


def empty_stderr(run: Path) -> None:
    """What the program and the device printed is gone."""
    (run / "stderr.log").write_text("")


def pin(run: Path) -> None:
    """`greta pin` has looked at it."""
    main(["pin", "--yes", str(run)])


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


TAMPERINGS: dict[str, Callable[[Path], None]] = {
    "lose_process": lose_process,
    "empty_stderr": empty_stderr,
    "pin": pin,
}
