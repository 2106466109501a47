"""The guard rail: a model is checked against itself and against the kernels before it is run.

Nothing is allocated and no weight is read. A kernel that is given other dimensions than it was made
for reads outside its buffers, and the error appears elsewhere, as an illegal memory access in some
later copy. Each check below is a function from the model to mismatches.

A model's name is checked against its dimensions ("Llama-2-7B" on a Llama 3 8B file has misled
people); names are given by hand, so that only ever warns.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from greta.errors import ModelError
from greta.model.config import expected_shapes
from greta.model.file import Model
from greta.model.header import Metadata, Strings
from greta.model.tensors import WEIGHT_TYPES
from greta.printable import printable


@dataclass(frozen=True)
class Mismatch:
    """What was expected of a field and what was found. A warning if it is not fatal."""

    field: str
    expected: object
    found: object
    advice: str
    fatal: bool = True
    waivable: bool = True  # the model can be run all the same, for those who insist

    def __str__(self) -> str:
        return printable(
            f"{self.field}: expected {self.expected}, found {self.found}; {self.advice}"
        )


VARIABLE = "GRETA_DISABLE_GUARD_RAIL"

_LISTED = 20
_FETCH = "fetch the file again, or convert it again from the original weights"
_OTHER = "use another model, or another quantization of this one"
_OTHER_MODEL = "use another model (no quantization of this one changes it)"


@dataclass(frozen=True)
class Support:
    """What an engine's kernels can do; None is no limit."""

    types: frozenset[str] = frozenset(kind.name for kind in WEIGHT_TYPES)
    norm_types: frozenset[str] = frozenset(["F32"])
    head_dims: frozenset[int] | None = None
    size_multiple: int = 1  # of the hidden and the feed-forward size: kernels take whole groups
    max_hidden_size: int | None = None
    max_feed_forward_size: int | None = None
    max_vocabulary_size: int | None = None
    max_context_length: int | None = None
    max_heads: int | None = None
    max_layers: int | None = None
    hidden_is_all_heads: bool = False  # kernels that need hidden_size = heads * head_dim
    heeds_every_key: bool = False  # of the file, also those that no plain Llama model has


class GuardRailError(ModelError):
    """A model that must not be run: every mismatch, with what to do about it."""

    def __init__(self, file: str, mismatches: list[Mismatch]) -> None:
        self.mismatches = mismatches
        count = "1 mismatch" if len(mismatches) == 1 else f"{len(mismatches)} mismatches"
        title = f"{file}: the guard rail found {count}:"
        way_out = f"{VARIABLE}=1 runs the model anyway"
        if not all(mismatch.waivable for mismatch in mismatches):
            why = "a tensor is missing, or of a type that no kernel reads"
            way_out = f"no variable runs this model: {why}"
        super().__init__(title, *(f"  {line}" for line in listed(mismatches)), way_out)


def listed(mismatches: Sequence[Mismatch]) -> list[str]:
    """A line for each, as far as anybody reads on; those that nothing can waive come first."""
    ordered = sorted(mismatches, key=lambda mismatch: mismatch.waivable)
    lines = [str(mismatch) for mismatch in ordered[:_LISTED]]
    rest = len(ordered) - len(lines)
    return [*lines, f"and {rest} more of the kind"] if rest else lines


def check(model: Model, support: Support, context_length: int | None = None) -> list[Mismatch]:
    """All mismatches; `context_length` is what the run will need."""
    return [
        *_file(model),
        *_heads(model, support),
        *_limits(model, support, context_length),
        *([] if support.heeds_every_key else _keys_ignored(model.metadata, context_length)),
        *_vocabulary(model),
        *_shapes(model),
        *_unknown_tensors(model),
        *_types(model, support),
        *name_mismatches(model),
    ]


def enforce(
    model: Model,
    support: Support,
    environment: Mapping[str, str] = os.environ,
    context_length: int | None = None,
) -> list[Mismatch]:
    """Raises GuardRailError, unless switched off; what is returned is for the caller to print."""
    mismatches = check(model, support, context_length)
    fatal = [mismatch for mismatch in mismatches if mismatch.fatal]
    if environment.get(VARIABLE) == "1" and all(mismatch.waivable for mismatch in fatal):
        return mismatches
    if fatal:
        raise GuardRailError(str(model.path), fatal)
    return mismatches


def _file(model: Model) -> Iterator[Mismatch]:
    """A file that was cut since it was opened would kill the process where it is read."""
    end = max((t.offset + t.nbytes for t in model.tensors.values()), default=0)
    try:
        size = model.path.stat().st_size
    except OSError:  # gone, but the map holds it
        return
    if size < end:
        yield Mismatch("file size", f"{end} bytes or more", f"{size} bytes", _FETCH)


def _heads(model: Model, support: Support) -> Iterator[Mismatch]:
    c = model.config
    needs_all = support.hidden_is_all_heads or not c.head_dim_is_stated
    if needs_all and c.hidden_size != c.query_size:
        expected = f"{c.heads} heads * {c.head_dim} = {c.query_size}"
        yield Mismatch("hidden size", expected, c.hidden_size, _FETCH)
    if c.heads % c.kv_heads:
        expected = f"a multiple of the {c.kv_heads} key heads"
        yield Mismatch("heads", expected, c.heads, _FETCH)
    if support.head_dims is not None and c.head_dim not in support.head_dims:
        known = ", ".join(str(size) for size in sorted(support.head_dims))
        yield Mismatch("head dimension", f"one of {known}", c.head_dim, _OTHER_MODEL)
    if c.rope.dimensions > c.head_dim or c.rope.dimensions % 2:
        expected = f"even, at most the head dimension {c.head_dim}"
        yield Mismatch("rope dimensions", expected, c.rope.dimensions, _FETCH)


def _limits(model: Model, support: Support, context: int | None) -> Iterator[Mismatch]:
    c, each = model.config, support.size_multiple
    # Blocks of quantized types are whole groups themselves; rows of floats may have any length.
    for name, size in (("hidden size", c.hidden_size), ("feed-forward size", c.feed_forward_size)):
        if size % each:
            yield Mismatch(name, f"a multiple of {each}, by the kernels", size, _OTHER_MODEL)
    sizes = (
        ("hidden size", c.hidden_size, support.max_hidden_size),
        ("feed-forward size", c.feed_forward_size, support.max_feed_forward_size),
        ("vocabulary size", c.vocabulary_size, support.max_vocabulary_size),
        ("heads", c.heads, support.max_heads),
        ("layers", c.layers, support.max_layers),
    )
    for name, size, most in sizes:
        if most is not None and size > most:
            yield Mismatch(name, f"at most {most}, by the kernels", size, _OTHER)
    able = min(c.context_length, support.max_context_length or c.context_length)
    if context is not None and context > able:
        advice = "ask for fewer tokens or give a shorter prompt"
        yield Mismatch("context length", f"at most {able}", context, advice)


def _vocabulary(model: Model) -> Iterator[Mismatch]:
    rows = model.config.vocabulary_size
    tokens = model.metadata.get("tokenizer.ggml.tokens")
    if isinstance(tokens, Strings) and len(tokens) != rows:
        expected = f"{rows}, the rows of token_embd.weight"
        yield Mismatch("tokens of the tokenizer", expected, len(tokens), _FETCH)
    stated = model.metadata.get("llama.vocab_size", rows)
    if not isinstance(stated, int) or stated != rows:
        expected = f"{rows}, the rows of token_embd.weight"
        yield Mismatch("llama.vocab_size", expected, stated, _FETCH)


def _shapes(model: Model) -> Iterator[Mismatch]:
    for name, shape in expected_shapes(model.config):
        tensor = model.tensors.get(name)
        found = "missing" if tensor is None else tensor.shape
        if found != shape:
            yield Mismatch(name, f"shape {shape}", found, _FETCH, waivable=tensor is not None)


def _unknown_tensors(model: Model) -> Iterator[Mismatch]:
    """A bias or a norm that the kernels do not know would silently be left out."""
    known = {name for name, _ in expected_shapes(model.config)} | {"rope_freqs.weight"}
    for name in model.tensors:
        harmless = name.endswith(("attn_rot_embd.weight", "rope_freqs.weight"))
        if name not in known and not harmless:
            yield Mismatch(name, "not there in a Llama model", "there", _OTHER)


def _types(model: Model, support: Support) -> Iterator[Mismatch]:
    for name, _ in expected_shapes(model.config):
        tensor = model.tensors.get(name)
        if tensor is None:
            continue
        known = support.norm_types if len(tensor.shape) == 1 else support.types
        if tensor.type.name not in known:
            expected = f"type {', '.join(sorted(known))}"
            there_are_kernels = tensor.type in WEIGHT_TYPES
            yield Mismatch(name, expected, tensor.type.name, _OTHER, waivable=there_are_kernels)


_SIZE = re.compile(r"(?<![\d.xX])(\d+(?:\.(\d+))?)\s?([BbMm])(?![A-Za-z0-9])")
_UNITS = {"b": 1e9, "m": 1e6}
_TOLERANCE = 0.12  # "30B" for 32.5 billion is usual, "7B" for 8.03 is wrong

# The vocabularies that tell the Llamas apart; models made from them add a few tokens.
_FAMILIES = {r"llama[-_ ]?2(?![\d.])": 32000, r"llama[-_ ]?3(?!\d)": 128256}

_NAME_ADVICE = "check that this is the file you mean"


def name_mismatches(model: Model) -> Iterator[Mismatch]:
    """Warnings for each name that says another size or another family than the weights do."""
    keys = [(key, model.metadata.get(key)) for key in ("general.name", "general.size_label")]
    named = [*keys, ("file name", model.path.stem)]
    for source, name in [(source, name) for source, name in named if isinstance(name, str)]:
        sizes = list(_sizes(name))
        if sizes and not any(_fits(size, slack, model.parameters) for size, slack in sizes):
            found = f"{model.parameters / 1e9:.3g}B parameters"
            yield Mismatch(source, f'a model as "{name}" says', found, _NAME_ADVICE, fatal=False)
        for pattern, usual in _FAMILIES.items():
            is_named = re.search(pattern, name, re.IGNORECASE)
            if is_named and not usual / 2 < model.config.vocabulary_size < usual * 2:
                expected = f'a vocabulary of about {usual}, as "{name}" says'
                yield Mismatch(
                    source, expected, model.config.vocabulary_size, _NAME_ADVICE, fatal=False
                )


def _sizes(name: str) -> Iterator[tuple[float, float]]:
    """The sizes in a name, and half of what their last digit is worth."""
    for digits, decimals, unit in _SIZE.findall(name):
        worth = _UNITS[unit.lower()]
        yield float(digits) * worth, worth * 10 ** -len(decimals) / 2


def _fits(size: float, slack: float, parameters: int) -> bool:
    return abs(size - parameters) <= max(slack, _TOLERANCE * parameters)


_KEY_ADVICE = "use another model; greta would run this one as if it did not say so"

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


def _keys_ignored(metadata: Metadata, context: int | None) -> Iterator[Mismatch]:
    """Keys that change what a model computes and that greta does not implement.

    Run without them, the model gives other text than it was trained to give, and nothing shows it.
    The keys are llama.cpp's; a plain Llama file has none of them, or has their neutral values.
    `context` is the number of tokens of the run.
    """
    for name, neutral in _NEUTRAL.items():
        found = metadata.get(f"llama.{name}", neutral[0])
        if not isinstance(found, (bool, int, float)) or found not in neutral:
            expected = f"{' or '.join(str(value).lower() for value in neutral)}, or no such key"
            yield Mismatch(f"llama.{name}", expected, found, _KEY_ADVICE)
    # A window as wide as the whole text changes nothing.
    window = metadata.get(_WINDOW, 0)
    if not isinstance(window, int) or (window and window < (context or window)):
        expected = f"a window of the whole context, {context} tokens"
        yield Mismatch(_WINDOW, expected, window, "ask for fewer tokens")
