"""What the program says in plain lines: its status, its errors, its model, its guard rail."""

from __future__ import annotations

import re
from typing import Final

from greta.trace.evidence import Message
from greta.trace.logs.error_texts import UNKNOWN_ERROR, error_in
from greta.trace.logs.formats.greta.printed_model import read_model
from greta.trace.logs.lines import Line
from greta.trace.logs.logged import Logged, Story
from greta.trace.logs.message_start import message_of
from greta.trace.trace import Kind

_GENERATION: Final = re.compile(r"Generation error: (.{1,1000})")
_FAILED_CALL: Final = re.compile(r"\b(hip[A-Z]\w{1,60})\b(?: [A-Z0-9]{2,4})? failed: ")
_LAUNCH: Final = re.compile(
    r"(?:Generation error: )?(\S{1,120}(?: \S{1,60}){0,2}) launch failed: (.+)"
)
_STATUS: Final = re.compile(r"STATUS=([A-Z_]{1,40})\b")
_SPEED: Final = re.compile(r"Tokens/second: {0,8}([0-9.]{1,30})")
_STAGE: Final = re.compile(
    r"Weights loaded\b|Loading weights from: |Generator initialized|Generating\.\.\."
    r"|Generated tokens: |Buffers allocated"
)
_FOUND: Final = re.compile(r"the guard rail found (\d{1,9}) mismatch")
_UNSUPPORTED: Final = re.compile(r"greta-sim: (\w{1,80}) is not supported by the simulated device")
MARKS: Final = (
    "greta-sim: ",
    "STATUS=",
    "Tokens/second:",
    "Generation error: ",
    " launch failed: ",
    "Model config: ",
    "Model: ",
    "the guard rail found ",
    "Weights loaded",
    "Loading weights from: ",
    "Generator initialized",
    "Generating...",
    "Generated tokens: ",
    "Buffers allocated",
    "Loaded GGUF vocab: ",
)
"""What such lines have in them."""


def read_plain(story: Story, line: Line) -> bool:
    """Reads a line without a tag of its own. Text that quotes such a line does not begin so."""
    text = message_of(line.text, MARKS)
    found = read_model(story, line, text) | _stage(story, text)
    return (
        found
        or _status(story, line, text)
        or _unsupported(story, line, text)
        or _launch_failed(story, line, text)
        or _generation_error(story, line, text)
        or (_FOUND.search(text) is not None and guard_rail(story, line, "GUARD_RAIL_ERROR", text))
    )


def guard_rail(story: Story, line: Line, tag: str, text: str) -> bool:
    """A line of the guard rail; `tag` says how bad it is."""
    story.counts["guard_rail"] += 1
    story.say(Message("guard_rail", f"[{tag}] {text.strip()}", line=line.number))
    return True


def _stage(story: Story, text: str) -> bool:
    """A program that says how far it has come has run, whatever calls the log shows."""
    if _STAGE.match(text) is None:
        return False
    story.counts["stage"] += 1
    return True


def _unsupported(story: Story, line: Line, text: str) -> bool:
    """The simulated device's own word that it lacks a call."""
    found = _UNSUPPORTED.match(text)
    if found is None:
        return False
    story.counts["simulator"] += 1
    story.say(Message("simulator", found[0], call=found[1], line=line.number))
    return True


def _status(story: Story, line: Line, text: str) -> bool:
    for pattern, name in ((_STATUS, "STATUS"), (_SPEED, "Tokens/second")):
        if (found := pattern.match(text)) and not line.cut:
            story.counts["status"] += 1
            story.say(Message("status", f"{name}={found[1]}", line=line.number))
            return True
    return False


def _generation_error(story: Story, line: Line, text: str) -> bool:
    found = _GENERATION.match(text)
    if found is None:
        return False
    call = _FAILED_CALL.search(found[1])
    _say_failed(story, line, found[1], call[1] if call else None, None)
    return True


def _launch_failed(story: Story, line: Line, text: str) -> bool:
    found = _LAUNCH.match(text)
    if found is None or error_in(found[2]) is None:
        return False
    words = f"{found[1]} launch failed: {found[2][:400]}"
    _say_failed(story, line, words, "hipLaunchKernel", found[1])
    return True


def _say_failed(story: Story, line: Line, text: str, call: str | None, kernel: str | None) -> None:
    error = error_in(text)
    story.say(Message("greta", text.strip(), call=call, error=error, line=line.number))
    if call:
        code = UNKNOWN_ERROR if error is None else error
        kind = Kind.LAUNCH if kernel else Kind.COPY if "Memcpy" in call else Kind.OTHER
        failed = Logged(line.number, line.offset, call, kind, failed=True, result=code)
        failed.kernel = kernel
        story.add(failed)
