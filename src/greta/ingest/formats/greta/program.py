"""What the program says in plain lines: its status, its errors, its model, its guard rail."""

from __future__ import annotations

import re
from typing import Final

from greta.forensics.evidence import Message, ModelFact
from greta.forensics.trace import Kind
from greta.ingest.error_texts import UNKNOWN_ERROR, error_in
from greta.ingest.lines import Line
from greta.ingest.logged import Logged, Story
from greta.ingest.numbers import count

_GENERATION: Final = re.compile(r"Generation error: (.{1,1000})")
_FAILED_CALL: Final = re.compile(r"\b(hip[A-Z]\w{1,60})\b(?: [A-Z0-9]{2,4})? failed: ")
_LAUNCH: Final = " launch failed: "
_LONGEST_NAME: Final = 120
_STATUS: Final = re.compile(r"\bSTATUS=([A-Z_]{1,40})\b")
_SPEED: Final = re.compile(r"\bTokens/second: {0,8}([0-9.]{1,30})")
_CONFIG: Final = re.compile(r"\b(layers|dim|heads|kv_heads|head_dim|hidden|vocab)=(\d{1,12})\b")
_FOUND: Final = re.compile(r"the guard rail found (\d{1,9}) mismatch")
# In this line "hidden" stands beside "dim", the width of the residual stream: it is the width of
# the feed-forward part.
_DIMENSIONS: Final = {
    "layers": "layers",
    "dim": "hidden",
    "heads": "heads",
    "kv_heads": "kv_heads",
    "head_dim": "head_dim",
    "hidden": "feed_forward",
    "vocab": "vocabulary",
}


def read_plain(story: Story, line: Line) -> bool:
    """Reads a line without a tag."""
    text = line.text
    return (
        _status(story, line)
        or _generation_error(story, line)
        or _launch_failed(story, line)
        or ("Model config: " in text and _config(story, line))
        or (_FOUND.search(text) is not None and guard_rail(story, line, "GUARD_RAIL_ERROR", text))
    )


def guard_rail(story: Story, line: Line, tag: str, text: str) -> bool:
    """A line of the guard rail; `tag` says how bad it is."""
    story.counts["guard_rail"] += 1
    story.say(Message("guard_rail", f"[{tag}] {text.strip()}", line=line.number))
    return True


def _status(story: Story, line: Line) -> bool:
    for pattern, name in ((_STATUS, "STATUS"), (_SPEED, "Tokens/second")):
        if (found := pattern.search(line.text)) and not line.cut:
            story.counts["status"] += 1
            story.say(Message("status", f"{name}={found[1]}", line=line.number))
            return True
    return False


def _generation_error(story: Story, line: Line) -> bool:
    found = _GENERATION.search(line.text)
    if found is None:
        return False
    call = _FAILED_CALL.search(found[1])
    _say_failed(story, line, found[1], call[1] if call else None, None)
    return True


def _launch_failed(story: Story, line: Line) -> bool:
    before, found, why = line.text.partition(_LAUNCH)
    # What comes before the name are prefixes of loggers, "error: RoPE Q launch failed: ...".
    kernel = before.rpartition(": ")[2].rpartition("] ")[2].strip()[-_LONGEST_NAME:]
    if not found or not kernel:
        return False
    _say_failed(story, line, f"{kernel}{_LAUNCH}{why[:400]}", "hipLaunchKernel", kernel)
    return True


def _say_failed(story: Story, line: Line, text: str, call: str | None, kernel: str | None) -> None:
    error = error_in(text)
    story.say(Message("greta", text.strip(), call=call, error=error, line=line.number))
    if call:
        code = UNKNOWN_ERROR if error is None else error
        failed = Logged(line.number, line.offset, call, Kind.OTHER, failed=True, result=code)
        failed.kernel = kernel
        story.add(failed)


def _config(story: Story, line: Line) -> bool:
    values = {_DIMENSIONS[name]: count(value) or 0 for name, value in _CONFIG.findall(line.text)}
    if "hidden" not in values:
        return False
    story.counts["model"] += 1
    if not story.models:
        printed = "known only from what the program printed"
        story.models.append(ModelFact("the log", values, problem=printed))
    return True
