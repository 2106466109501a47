"""What is known of a finding beyond its sentence, with a name for each fact."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any, Final

from greta.reports.document import Document
from greta.reports.lang import LANGUAGES, Say, shown

_CALLS: Final = ("allocated_by", "freed_by", "origin")
"""Their values are numbers of calls."""
UNTOLD: Final = frozenset({"seq", "other", "stream", "other_stream", "user_stream"})
"""The evidence shows the calls, and a stream's place in our tables means nothing to a reader."""
_THREADS: Final = ("thread", "other_thread")
"""Worth a word where it is not all the first thread."""
_OUR_CALLS: Final = "greta_"
"""What the recorder writes of the host is no call of HIP."""
_ONE_IS_USUAL: Final = ("fault_bytes", "repeats")
_NONE_IS_USUAL: Final = ("may_write", "refused", "past_end")


def details(finding: Document, say: Say) -> list[str]:
    """`name: value`; none if the finding's own sentence says it all."""
    return [f"{say(f'field_{name}')}: {text}" for name, text in _facts(finding, say)]


def _facts(finding: Document, say: Say) -> Iterator[tuple[str, str]]:
    data = dict(finding.part("data").items())
    told = _placeholders(finding.text("code"))
    said = {shown(data.get(name)) for name in told}
    for name, value in data.items():
        if name in told or not _is_telling(name, value):
            continue
        if name in _THREADS and not any(data.get(one) for one in _THREADS):
            continue
        text = f"#{value}" if name in _CALLS else _value(name, value, say)
        if len(text) == 1 or text not in said:
            yield name, text


def _placeholders(code: str) -> set[str]:
    sentence = LANGUAGES["en"].get(code, "")
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def _is_telling(name: str, value: Any) -> bool:
    if value is None or name in UNTOLD or name.startswith("remedy"):
        return False
    if name == "call" and str(value).startswith(_OUR_CALLS):
        return False
    if name in _ONE_IS_USUAL or name == "past_end_below":
        return isinstance(value, int) and value > 1
    if name in _NONE_IS_USUAL:
        return bool(value)
    return not (name == "side" and value == "argument") and value != -1


def _value(name: str, value: Any, say: Say) -> str:
    word = f"word_{name}_{str(value).lower()}"
    return say(word) if say.has(word) else shown(value)
