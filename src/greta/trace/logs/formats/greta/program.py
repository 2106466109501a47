"""What the program says in plain lines: its status, its errors, its model, its guard rail."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from greta.trace.evidence import Message, ModelFact
from greta.trace.logs.lines import LogLine, message_of
from greta.trace.logs.logged import LoggedOperation, ProcessLog
from greta.trace.logs.numbers import UNKNOWN_ERROR, count, error_in
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


def read_plain(log: ProcessLog, line: LogLine) -> bool:
    """Reads a line without a tag of its own. Text that quotes such a line does not begin so."""
    text = message_of(line.text, MARKS)
    found = read_model(log, line, text) | _stage(log, text)
    return (
        found
        or _status(log, line, text)
        or _unsupported(log, line, text)
        or _launch_failed(log, line, text)
        or _generation_error(log, line, text)
        or (_FOUND.search(text) is not None and guard_rail(log, line, "GUARD_RAIL_ERROR", text))
    )


def guard_rail(log: ProcessLog, line: LogLine, tag: str, text: str) -> bool:
    """A line of the guard rail; `tag` says how bad it is."""
    log.counts["guard_rail"] += 1
    log.say(Message("guard_rail", f"[{tag}] {text.strip()}", line=line.number))
    return True


def _stage(log: ProcessLog, text: str) -> bool:
    """A program that says how far it has come has run, whatever calls the log shows."""
    if _STAGE.match(text) is None:
        return False
    log.counts["stage"] += 1
    return True


def _unsupported(log: ProcessLog, line: LogLine, text: str) -> bool:
    """The simulated device's own word that it lacks a call."""
    found = _UNSUPPORTED.match(text)
    if found is None:
        return False
    log.counts["simulator"] += 1
    log.say(Message("simulator", found[0], call=found[1], line=line.number))
    return True


def _status(log: ProcessLog, line: LogLine, text: str) -> bool:
    for pattern, name in ((_STATUS, "STATUS"), (_SPEED, "Tokens/second")):
        if (found := pattern.match(text)) and not line.cut:
            log.counts["status"] += 1
            log.say(Message("status", f"{name}={found[1]}", line=line.number))
            return True
    return False


def _generation_error(log: ProcessLog, line: LogLine, text: str) -> bool:
    found = _GENERATION.match(text)
    if found is None:
        return False
    call = _FAILED_CALL.search(found[1])
    _say_failed(log, line, found[1], call[1] if call else None, None)
    return True


def _launch_failed(log: ProcessLog, line: LogLine, text: str) -> bool:
    found = _LAUNCH.match(text)
    if found is None or error_in(found[2]) is None:
        return False
    words = f"{found[1]} launch failed: {found[2][:400]}"
    _say_failed(log, line, words, "hipLaunchKernel", found[1])
    return True


def _say_failed(
    log: ProcessLog, line: LogLine, text: str, call: str | None, kernel: str | None
) -> None:
    error = error_in(text)
    log.say(Message("greta", text.strip(), call=call, error=error, line=line.number))
    if call:
        code = UNKNOWN_ERROR if error is None else error
        kind = Kind.LAUNCH if kernel else Kind.COPY if "Memcpy" in call else Kind.OTHER
        failed = LoggedOperation(line.number, line.offset, call, kind, failed=True, result=code)
        failed.kernel = kernel
        log.add(failed)


_CONFIG: Final = re.compile(r"\b(layers|dim|heads|kv_heads|head_dim|hidden|vocab)=(\d{1,12})\b")
_COUNTED: Final = re.compile(r"\bparams=(\d{1,6}(?:\.\d{1,8})?)([BM])\b")
_NAMED: Final = re.compile(r"Model: ([!-~]{1,80}) \((\d{1,6}(?:\.\d{1,8})?)([BM]) params\)")
_VOCABULARY: Final = re.compile(
    r"(?:Weights loaded.{0,60}\(vocab size: |Loaded GGUF vocab: )(\d{1,9})\b"
)
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
_SCALE: Final = {"B": 1e9, "M": 1e6}
_UNSEEN: Final = ModelFact("the log", problem="known only from what the program printed")


def read_model(log: ProcessLog, line: LogLine, text: str) -> bool:
    """Adds what a line says to the one model that the log tells of; `text`: without prefixes."""
    known = log.models[0] if log.models else _UNSEEN
    new = None if line.cut else _said(known, text)
    if new is None:
        return False
    log.counts["model"] += 1
    log.models[:] = [new]
    return True


def _said(known: ModelFact, text: str) -> ModelFact | None:
    if text.startswith("Model config: "):
        return _config(known, text)
    if found := _NAMED.match(text):
        counted = round(float(found[2]) * _SCALE[found[3]])
        return replace(known, name=found[1], parameters=(*known.parameters, counted))
    if found := _VOCABULARY.match(text):
        return _with(known, {"vocabulary": count(found[1]) or 0})
    return None


def _config(known: ModelFact, text: str) -> ModelFact | None:
    values = {_DIMENSIONS[name]: count(value) or 0 for name, value in _CONFIG.findall(text)}
    if "hidden" not in values:
        return None
    counted = tuple(round(float(size) * _SCALE[unit]) for size, unit in _COUNTED.findall(text))
    return replace(_with(known, values), parameters=(*known.parameters, *counted))


def _with(known: ModelFact, values: dict[str, int]) -> ModelFact:
    """The first value of a dimension stays; another one that differs is a contradiction."""
    other = tuple(
        (name, str(known.dimensions[name]), str(value))
        for name, value in values.items()
        if known.dimensions.get(name, value) != value
    )
    contradictions = tuple(dict.fromkeys((*known.contradictions, *other)))
    return replace(
        known, dimensions={**values, **known.dimensions}, contradictions=contradictions[:8]
    )
