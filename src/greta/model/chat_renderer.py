"""Starts `template_rendering` in a process with limits, and takes its answer with care.

The process gets nothing of ours but the question: no environment, no open file, no folder.
"""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from greta.model.template_rendering import TOO_LARGE, TOO_LONG, TOO_MUCH_TEXT

WALL_SECONDS = 20.0  # the limit that counts is that of the processor's time; this ends a sleeper
_LONGEST = 1 << 20  # characters of an answer, beside four times those of the question
_PROGRAM = Path(__file__).with_name("template_rendering.py")
_KEPT = ("LD_LIBRARY_PATH", "TZ")  # where Python finds its libraries, and what time it is


class TemplateError(Exception):
    """There is no text; the words are the file's own, or about what it did."""


class TemplateRefusedError(TemplateError):
    """The template itself refuses these messages."""


def rendered(source: str, variables: Mapping[str, Any]) -> str:
    """The text of a template; TemplateError with the reason if there is none."""
    question = {"source": source, "variables": variables, "folders": _folders()}
    longest = _LONGEST + 4 * len(json.dumps(variables))
    answer = _answer(json.dumps({**question, "longest": longest}), longest)
    if isinstance(refused := answer.get("refused"), str):
        raise TemplateRefusedError(refused)
    if not isinstance(text := answer.get("text"), str):
        raise TemplateError(str(answer.get("wrong")))
    return text


def _folders() -> list[str]:
    """Where Jinja is, wherever this process has it from."""
    specs = [importlib.util.find_spec(name) for name in ("jinja2", "markupsafe")]
    folders = [Path(spec.origin).parents[1] for spec in specs if spec and spec.origin]
    return list(dict.fromkeys(str(folder.resolve()) for folder in folders))


def _answer(question: str, longest: int) -> dict[str, Any]:
    with _process() as process:
        try:
            output, _ = process.communicate(question, timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            raise TemplateError(TOO_LONG) from None
        finally:  # Ctrl-C as well: nothing of it outlives this
            process.kill()
            process.wait()
    if process.returncode:
        raise TemplateError(_what_ended(process.returncode))
    if len(output) > longest:
        raise TemplateError(TOO_MUCH_TEXT)
    answer = json.loads(output)
    return answer if isinstance(answer, dict) else {}


def _process() -> subprocess.Popen[str]:
    return subprocess.Popen(
        # Isolated and without site: no current folder, no variables, no .pth files.
        [sys.executable, "-I", "-S", str(_PROGRAM)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="ascii",
        env={name: os.environ[name] for name in _KEPT if name in os.environ},
        cwd="/",
    )


def _what_ended(code: int) -> str:
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return TOO_LONG
    if code < 0:
        return f"it ended its process by {signal.Signals(-code).name}"
    return TOO_LARGE
