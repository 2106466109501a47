"""What the program says of its model.

Model config: layers=32, dim=4096, heads=32, hidden=14336, vocab=128256, params=8.8353B
Model: Llama-2-7B (6.73815B params)
Weights loaded and config updated (vocab size: 128256)
[TOKENIZER] Loaded GGUF vocab: 128256
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from greta.trace.evidence import ModelFact
from greta.trace.logs.lines import Line
from greta.trace.logs.logged import Story
from greta.trace.logs.numbers import count

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


def read_model(story: Story, line: Line, text: str) -> bool:
    """Adds what a line says to the one model that the log tells of; `text`: without prefixes."""
    known = story.models[0] if story.models else _UNSEEN
    new = None if line.cut else _said(known, text)
    if new is None:
        return False
    story.counts["model"] += 1
    story.models[:] = [new]
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
