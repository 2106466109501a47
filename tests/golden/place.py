"""Where the frozen runs lie, and how a folder is made of them.

runs.tar.xz   what there is to judge: run folders as `greta run` left them, the programs, models and
              sources that their run.json names, the logs that tests read; runs.json lists them
expected.tar.xz   what is said of each of them, one text a run
"""

from __future__ import annotations

import json
import secrets
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
RUNS = HERE / "runs.tar.xz"
EXPECTED = HERE / "expected.tar.xz"

PREFIX = "/tmp/greta-golden-"
RECORDED = Path(PREFIX + "00000000")
"""The folder in which everything was recorded."""
REWRITTEN = frozenset({"run.json", "tables.jsonl", "runs.json", "stdout.log", "stderr.log"})
"""Files of text that name other files by their path."""


@dataclass(frozen=True)
class Frozen:
    """A run folder, a log or a folder of logs, and what `greta analyze` is told beside it."""

    name: str
    path: Path
    options: tuple[str, ...] = ()

    @property
    def is_run(self) -> bool:
        """Whether it was recorded."""
        return (self.path / "run.json").is_file()


@contextmanager
def unpacked() -> Iterator[tuple[Path, list[Frozen]]]:
    """All that is frozen, in a folder of its own; paths in it are those of the folder."""
    # As long as RECORDED, and no underscore, which Markdown escapes.
    folder = Path(PREFIX + secrets.token_hex(4))
    folder.mkdir(mode=0o700)
    try:
        with tarfile.open(RUNS) as archive:
            # Releases of Python before 3.10.12 and 3.11.4 have no filters; the archive is our own.
            filters = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
            archive.extractall(folder, **filters)  # type: ignore[arg-type]  # noqa: S202
        for path in folder.rglob("*"):
            if path.name in REWRITTEN and path.is_file():
                _rewrite(path, folder)
        yield folder, listed(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def listed(folder: Path) -> list[Frozen]:
    """What runs.json of a folder names."""
    entries = json.loads((folder / "runs.json").read_text())
    return [Frozen(one["name"], Path(one["path"]), tuple(one["options"])) for one in entries]


def _rewrite(path: Path, folder: Path) -> None:
    text = path.read_bytes()
    path.write_bytes(text.replace(bytes(RECORDED), bytes(folder)))
