"""What `--trace SITE[:LAYERS][:STEPS]` asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from greta.errors import UsageError

Site = Literal["logits", "rmsnorm", "attention", "mlp", "kv"]
SITES: tuple[Site, ...] = get_args(Site)

NO_LAYER = -1  # of tensors that belong to no block, such as logits

_SPAN = re.compile(r"(\d+)(?:-(\d+))?")


@dataclass(frozen=True)
class Spans:
    """Numbers such as 0,2-4; none at all stands for every number.

    >>> 3 in Spans(((0, 0), (2, 4)))
    True
    """

    spans: tuple[tuple[int, int], ...] = ()

    def __contains__(self, number: int) -> bool:
        return not self.spans or any(first <= number <= last for first, last in self.spans)

    def __str__(self) -> str:
        return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in self.spans) or "*"


@dataclass(frozen=True)
class TraceSelection:
    """One site, in some layers and at some steps. Step 0 is prefill, step n the nth decode."""

    site: Site
    layers: Spans = Spans()
    steps: Spans = Spans()

    def wants(self, site: Site, layer: int) -> bool:
        """This tensor is asked for, at some step."""
        return site == self.site and (layer == NO_LAYER or layer in self.layers)

    def __str__(self) -> str:
        return f"{self.site}:{self.layers}:{self.steps}"


def parse_trace(text: str) -> TraceSelection:
    """The selection that a word of the command line means.

    >>> parse_trace("attention:0,3-5:1").layers
    Spans(spans=((0, 0), (3, 5)))
    """
    name, *parts = text.split(":")
    site = next((site for site in SITES if site == name), None)
    if site is None:
        raise UsageError(f"--trace: there is no site {name!r}; there are {', '.join(SITES)}")
    if len(parts) > 2:
        raise UsageError(f"--trace: {text!r} has too many parts; write SITE[:LAYERS][:STEPS]")
    layers, steps = (*parts, "", "")[:2]
    return TraceSelection(site, _spans(layers, text), _spans(steps, text))


def _spans(text: str, whole: str) -> Spans:
    if text in ("", "*"):
        return Spans()
    found = [_SPAN.fullmatch(word) for word in text.split(",")]
    spans = [(int(m[1]), int(m[2] or m[1])) for m in found if m]
    if len(spans) < len(found) or any(first > last for first, last in spans):
        raise UsageError(
            f"--trace: {text!r} in {whole!r} are no numbers; write them as 3 or 0,2-4, or * for all"
        )
    return Spans(tuple(spans))
