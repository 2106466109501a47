"""What `greta infer` says beside the text: notices, statistics, STATUS, and the JSON file."""

from __future__ import annotations

import errno
import json
import os
import sys
import time
from pathlib import Path

from greta.engine import Generation, Statistics
from greta.errors import UsageError
from greta.hip import DeviceChoice
from greta.model import Mismatch, Model
from greta.model.guard_rail import VARIABLE, listed

_RULE = "═" * 59


class InferReport:
    """Gathers what is known as the run goes on, so that a failure can be reported at any point."""

    def __init__(self, json_file: str | None) -> None:
        self._json_file = json_file
        self.device: DeviceChoice | None = None
        self.model: Model | None = None
        self.generation: Generation | None = None
        self._loaded_after: float | None = None

    def require_writable(self) -> None:
        """Raises UsageError for a JSON file that cannot be written, before there is one to lose."""
        if self._json_file is not None and (problem := _why_unwritable(Path(self._json_file))):
            name, self._json_file = self._json_file, None
            raise UsageError(f"--json: cannot write {name!r}: {problem}")

    def notice(self, text: str) -> None:
        """Something the user should know."""
        print(f"greta: {text}", file=sys.stderr)

    def guard_rail(self, mismatches: list[Mismatch]) -> None:
        """Warnings, and a loud one if a model goes on that should not."""
        if any(mismatch.fatal for mismatch in mismatches):
            _tell(f"[GUARD_RAIL] WARNING: Guard rail DISABLED via {VARIABLE}")
        for line in listed(mismatches):
            _tell(f"[GUARD_RAIL] WARNING: {line}")
        if any(mismatch.fatal for mismatch in mismatches):
            _tell("[GUARD_RAIL] Continuing with potentially incompatible model...")

    def loaded(self) -> None:
        """The model is on the device."""
        self._loaded_after = _process_age()

    def succeeded(self) -> None:
        """The end of a run in which nothing failed."""
        if self.generation is None:
            raise RuntimeError("nothing was generated")
        self._write_json("OK", None)
        _tell(f"{_RULE}\nStatistics:")
        for title, text in self._lines(self.generation.statistics):
            _tell(f"  {title}: {text}")
        _tell("\nSTATUS=OK")

    def failed(self, error: BaseException) -> None:
        """The end of a run that failed; the error itself is printed by others."""
        sentence = str(error) or type(error).__name__
        try:
            self._write_json("ERROR", sentence)
        except UsageError as unwritable:  # the first error is the one to raise
            _tell(f"greta: {unwritable}")
        _tell("STATUS=ERROR")

    def _lines(self, statistics: Statistics) -> list[tuple[str, str]]:
        lines = [
            ("Prompt tokens", str(statistics.prompt_tokens)),
            ("Generated tokens", str(statistics.generated_tokens)),
            ("Total time", _milliseconds(statistics.total_time)),
            ("Time to first token", _milliseconds(statistics.time_to_first_token)),
            ("Tokens/second", f"{statistics.tokens_per_second:.4f}"),
            ("Prefill tokens/second", f"{statistics.prefill_tokens_per_second:.1f}"),
            ("Decode tokens/second", f"{statistics.decode_tokens_per_second:.1f}"),
        ]
        if self._loaded_after is not None:
            lines.append(("Start-up", _milliseconds(self._loaded_after)))
        return lines

    def _write_json(self, status: str, error: str | None) -> None:
        if self._json_file is None:
            return
        text = json.dumps(self._facts(status, error), indent=2, ensure_ascii=False) + "\n"
        try:
            Path(self._json_file).write_text(text, encoding="utf-8")
        except OSError as problem:
            raise UsageError(
                f"--json: cannot write {self._json_file!r}: {problem.strerror}"
            ) from None

    def _facts(self, status: str, error: str | None) -> dict[str, object]:
        generation = self.generation
        return {
            "schema": 1,
            "status": status,
            "error": error,
            "model": str(self.model.path) if self.model else None,
            "device": self.device.kind.value if self.device else None,
            "texts": generation.texts if generation else [],
            "tokens": generation.tokens if generation else [],
            "finish": generation.finishes if generation else [],
            "statistics": self._numbers() if status == "OK" else None,
        }

    def _numbers(self) -> dict[str, float | None]:
        if self.generation is None:
            return {}
        s = self.generation.statistics
        return {
            "prompt_tokens": s.prompt_tokens,
            "generated_tokens": s.generated_tokens,
            "total_ms": s.total_time * 1e3,
            "time_to_first_token_ms": s.time_to_first_token * 1e3,
            "tokens_per_second": s.tokens_per_second,
            "prefill_tokens_per_second": s.prefill_tokens_per_second,
            "decode_tokens_per_second": s.decode_tokens_per_second,
            "startup_ms": None if self._loaded_after is None else self._loaded_after * 1e3,
        }


def _why_unwritable(path: Path) -> str | None:
    """Found without opening it: it may be a pipe, whose reader would take that for the end."""
    if path.is_dir():
        return os.strerror(errno.EISDIR)
    if not path.parent.is_dir():
        return os.strerror(errno.ENOENT)
    is_allowed = os.access(path if path.exists() else path.parent, os.W_OK)
    return None if is_allowed else os.strerror(errno.EACCES)


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms"


def _process_age() -> float:
    stat = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
    started = int(stat.rpartition(")")[2].split()[19]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started
