"""What the product says of a run: the commands of users, in this process, their output caught."""

from __future__ import annotations

import contextlib
import io
import json
import select
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from greta.api import Run
from greta.cli import run as run_command
from greta.cli.main import main
from greta.reports import reported
from greta.reports.lang import Language, Say
from greta.runs.child import ProgramEnd
from greta.runs.folder import RunFolder, read_run
from greta.runs.record import CompletedRun
from tests.golden.place import RECORDED, Frozen


def said_of(frozen: Frozen, folder: Path) -> str:
    """All that is said, in sections; the same in whatever folder it was unpacked."""
    # Debug information names the folder in which it was compiled, wherever that lies now.
    there, look = (str(RECORDED), str(folder)), reported._lines_around

    def lines_around(path: Path, line: int, started: float) -> reported.SourceLines | None:
        return look(Path(str(path).replace(*there)), line, started)

    with mock.patch.object(reported, "_lines_around", lines_around):
        sections = [f"===== {title}\n{_caught(say)}" for title, say in _asked(frozen)]
    return "".join(sections).replace(str(folder), str(RECORDED))


def _asked(frozen: Frozen) -> Iterator[tuple[str, Callable[[], int]]]:
    path = str(frozen.path)

    def command(*words: str) -> tuple[str, Callable[[], int]]:
        return f"greta {words[0]} {' '.join(words[2:])}", lambda: main(words)

    yield command("analyze", path, "--json", "-", *frozen.options)
    for language in ("en", "es"):
        yield command("report", path, "--lang", language, "--format", "md")
    if frozen.is_run:
        yield command("export", path, "--format", "jsonl")
        # Last, because it completes run.json.
        yield "greta run", lambda: summary_of(frozen.path)


def _caught(say: Callable[[], int]) -> str:
    """What is written to both streams, and the exit code."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _patience():
        code = say()
    texts = [stream.buffer.getvalue() for stream in (out, err)]
    return b"".join([*texts, f"exit code {int(code)}\n".encode()]).decode()


@contextlib.contextmanager
def _patience() -> Iterator[None]:
    """Lines of debug information and readable names are waited for only so long.

    A busy machine must say the same as an idle one: the clock stands still, and waiting has no end.
    """
    wait = select.select

    def select_patiently(*descriptors: Any) -> Any:
        return wait(*descriptors[:3])

    with (
        mock.patch("time.monotonic", return_value=0.0),
        mock.patch("select.select", select_patiently),
    ):
        yield


def summary_of(folder: Path, lang: Language = "en") -> int:
    """What `greta run` prints when the program has ended, of a run that ended long ago."""
    facts = json.loads((folder / "run.json").read_text())
    known = read_run(folder)
    assert known
    completed = CompletedRun(RunFolder(folder), _pid(facts), _ending(facts), known, True)
    run = Run(folder, known, completed)
    assert run.review
    run_command._print_summary(run, completed, run.review, Say(lang))
    return completed.ending.exit_code


def _pid(facts: dict[str, Any]) -> int:
    """Of the program itself: the process that no other one started."""
    pids = {one["pid"] for one in facts["processes"]}
    return next((int(one["pid"]) for one in facts["processes"] if one["parent_pid"] not in pids), 0)


def _ending(facts: dict[str, Any]) -> ProgramEnd:
    used: Any = SimpleNamespace(
        ru_utime=facts["resources"]["user_seconds"], ru_stime=facts["resources"]["system_seconds"]
    )
    name = facts["exit"]["signal"]
    return ProgramEnd(
        code=facts["exit"]["code"],
        signal=signal.Signals[name].value if name else None,
        core_dumped=facts["exit"]["core_dumped"],
        usage=used,
        ended=0.0,
        seconds=facts["seconds"],
    )
