"""From log files to evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from greta.errors import UsageError
from greta.trace.evidence import Evidence
from greta.trace.logs.formats.amd_log import AmdLog
from greta.trace.logs.formats.clr_fault import ClrFault
from greta.trace.logs.formats.dmesg import Dmesg
from greta.trace.logs.formats.format import LogFormat
from greta.trace.logs.formats.greta.log import GretaLog
from greta.trace.logs.formats.llama_cpp import LlamaCpp
from greta.trace.logs.formats.pytorch import PyTorch
from greta.trace.logs.formats.rocprof import RocprofCsv
from greta.trace.logs.formats.rocr import Rocr
from greta.trace.logs.joining import join
from greta.trace.logs.lines import LogLine, first_bytes, read_lines
from greta.trace.logs.logged import ProcessLog
from greta.trace.logs.message_start import denies, without_quotations
from greta.trace.logs.not_a_log import Manuscript, why_binary
from greta.trace.logs.tables import trace_of
from greta.trace.trace import Gap

# A line goes to the first that takes it: fault lines of the runtime before its other lines,
# PyTorch's errors before those of llama.cpp, which have fewer marks of their own.
FORMATS: Final[tuple[type[LogFormat], ...]] = (
    RocprofCsv,
    GretaLog,
    Rocr,
    ClrFault,
    AmdLog,
    Dmesg,
    PyTorch,
    LlamaCpp,
)


_KNOWN: Final = (
    "GRETA's own logs, ROCr and HIP fault lines, AMD_LOG_LEVEL, rocprofv3 CSV, "
    "errors of PyTorch and llama.cpp, and the kernel's log"
)


def read_log(paths: Path | str | Iterable[Path | str]) -> list[Evidence]:
    """What one log, or several about one run, tell: one evidence for each process.

    Raises UsageError if nothing in them is understood.
    """
    files = [Path(paths)] if isinstance(paths, Path | str) else [Path(path) for path in paths]
    return evidence_of((log for path in files for log in read_process_logs(path)), files)


def evidence_of(logs: Iterable[ProcessLog], files: Sequence[Path]) -> list[Evidence]:
    """The same, of files that have been read."""
    joined = join(logs)
    if not joined:
        raise UsageError(f"{_named(files)}: no line is of a kind that is known: {_KNOWN}")
    return [_evidence(log) for log in joined]


def read_process_logs(path: Path) -> list[ProcessLog]:
    """What a file tells, by format and process; nothing if nothing in it is understood."""
    logs, why = _read(path)
    if why is not None:
        raise UsageError(f"{path} {why}")
    return logs


def process_logs_if_any(path: Path) -> list[ProcessLog]:
    """The same; nothing of a file that is no log."""
    return _read(path)[0]


def process_logs_of_output(path: Path) -> list[ProcessLog]:
    """Of what is known to be a program's output, whatever it looks like."""
    return _read(path, is_output=True)[0]


def _read(path: Path, is_output: bool = False) -> tuple[list[ProcessLog], str | None]:
    """What a file tells, or why it is no log."""
    formats = [make(path) for make in FORMATS]
    ended_whole, manuscript = True, Manuscript()
    try:
        why = None if is_output else why_binary(first_bytes(path))
        if why:
            return [], why
        for line in read_lines(path):
            ended_whole = not line.cut
            manuscript.see(line.text, _offer(line, formats))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    logs = [one for one in _finished(formats, ended_whole) if not one.empty]
    why = manuscript.why if logs and not is_output else None
    return ([], why) if why else (logs, None)


def _offer(line: LogLine, formats: Sequence[LogFormat]) -> bool:
    own_words = without_quotations(line.text)
    for one in formats:
        text = line.text if one.in_quotes else own_words
        wanted = one.follows or any(needle in text for needle in one.needles)
        if wanted and not denies(line.text) and one.take(line):
            return True
    return False


def _finished(formats: Sequence[LogFormat], ended_whole: bool) -> Iterator[ProcessLog]:
    for one in formats:
        one.ended_whole = ended_whole
        yield from one.finish()


def _evidence(log: ProcessLog) -> Evidence:
    gaps = dict(log.gaps)
    if not log.operations:
        gaps = {Gap.NO_RECORDING: "the log has messages, and no operation"}
    trace = trace_of(log.operations, gaps, log.total_calls, log.pid, log.source)
    return Evidence(
        trace=trace,
        faults=tuple(log.faults),
        messages=tuple(log.messages),
        models=tuple(log.models),
        printed=tuple(log.models),
    )


def _named(files: Sequence[Path]) -> str:
    shown = ", ".join(str(path) for path in files[:3])
    return shown + (f" and {len(files) - 3} more" if len(files) > 3 else "")
