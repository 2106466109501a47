"""A plugin for pytest: keeps the logs that tests give to the reader, each once."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import greta.runs.gather
from tests.golden.place import RECORDED
from tests.trace.logs.reading import Logs

LARGEST = 64 << 10
_seen: set[bytes] = set()


def _keep(files: list[Path]) -> None:
    texts = [path.read_bytes() for path in files]
    digest = hashlib.sha256(b"\0".join(texts)).digest()
    if digest in _seen or not texts or sum(map(len, texts)) > LARGEST:
        return
    if b"/tmp/" in b"".join(texts):  # a place that is gone
        return
    _seen.add(digest)
    test = os.environ["PYTEST_CURRENT_TEST"].partition(" (")[0].replace("tests/", "")
    name = re.sub(r"[^A-Za-z0-9_.]+", "-", test)[:100].strip("-")
    folder = RECORDED / "logs" / name
    number = 1
    while folder.exists():
        number += 1
        folder = folder.with_name(f"{name}.{number}")
    folder.mkdir()
    for path in files:
        shutil.copyfile(path, folder / path.name)


def _read(self: Logs, *texts: str | bytes) -> Any:
    _keep([self.write(text, f"{number}.log") for number, text in enumerate(texts)])
    return _original_read(self, *texts)


def _gather(paths: Any, *others: Any, **named: Any) -> Any:
    given = [Path(paths)] if isinstance(paths, Path | str) else [Path(path) for path in paths]
    _keep(list(_files(given)))
    return _original_gather(given, *others, **named)


def _files(given: list[Path]) -> Iterable[Path]:
    for path in given:
        if path.is_file():
            yield path
        elif path.is_dir() and not (path / "run.json").is_file():
            yield from (one for one in sorted(path.iterdir()) if one.is_file())


_original_read, _original_gather = Logs.read, greta.runs.gather.gather
Logs.read = _read  # type: ignore[method-assign]
greta.runs.gather.gather = _gather
