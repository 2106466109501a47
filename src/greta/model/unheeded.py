"""Keys of a Llama file that change what the model computes, and that greta does not heed.

A model that is run without what such a key asks for gives other text than it was trained to give,
and nothing shows it. The keys are llama.cpp's; a file of a plain Llama model has none of them, or
has them with the value by which they change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from greta.model.metadata import Metadata
from greta.model.mismatch import Mismatch

_ADVICE = "use another model; greta would run this one as if it did not say so"

_NEUTRAL: dict[str, tuple[object, ...]] = {
    "attention.causal": (True,),
    "attention.clamp_kqv": (0,),
    "attention.max_alibi_bias": (0,),
    "attention.output_scale": (0, 1),
    "attention.scale": (0,),  # 0: by the head dimension
    "attention.temperature_length": (0,),
    "attention.temperature_scale": (0,),
    "attn_logit_softcapping": (0,),
    "embedding_scale": (0, 1),
    "final_logit_softcapping": (0,),
    "logit_scale": (0, 1),
    "pooling_type": (0,),
    "residual_scale": (0, 1),
    "rope.scaling.alpha": (0, 1),
    "rope.scaling.attn_factor": (1,),
    "rope.scaling.yarn_attn_factor": (1,),
    "use_parallel_residual": (False,),
}

_WINDOW = "llama.attention.sliding_window"


def unheeded(metadata: Metadata, context: int | None) -> Iterator[Mismatch]:
    """What the file asks for in vain; `context` is how many tokens the run will have."""
    for name, neutral in _NEUTRAL.items():
        found = metadata.get(f"llama.{name}", neutral[0])
        if not _is_one_of(found, neutral):
            yield Mismatch(f"llama.{name}", _words(neutral), found, _ADVICE)
    yield from _sliding_window(metadata, context)


def _is_one_of(found: object, neutral: tuple[object, ...]) -> bool:
    return isinstance(found, (bool, int, float)) and found in neutral


def _words(neutral: tuple[object, ...]) -> str:
    return f"{' or '.join(str(value).lower() for value in neutral)}, or no such key"


def _sliding_window(metadata: Metadata, context: int | None) -> Iterator[Mismatch]:
    """A window as wide as the whole text changes nothing."""
    window = metadata.get(_WINDOW, 0)
    if not isinstance(window, int) or (window and window < (context or window)):
        expected = f"a window of the whole context, {context} tokens"
        yield Mismatch(_WINDOW, expected, window, "ask for fewer tokens")
