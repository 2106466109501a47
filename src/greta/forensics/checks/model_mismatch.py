"""The model's dimensions or types are not those that the kernels were given.

What it does:
    Takes what the guard rail says of the model files that the run used, and the guard rail's own
    lines in the program's output. Then compares kernel arguments whose names are dimensions
    (head_dim, num_kv_heads, intermediate_size ...) with the model's, and what the program printed
    of it (dimensions, vocabulary, parameters) with the file's header. Where no kernel ran, as
    after a refusal, nothing was given a wrong dimension. Printed lines that contradict each other
    leave it open.

Evidence:
    The model files that run.json names, or what the program printed of its model; names and values
    of kernel arguments.

Known problems:
    Only names that leave no doubt are compared. "dim", "n" or "size" can be anything. "hidden"
    alone means the residual stream to some and the feed-forward part to others: hidden size and
    feed-forward size are different things, so either is accepted under that name, and neither
    under the other's own. "num_heads" may be that of the queries or of the keys. A program that
    splits a model over devices gives its kernels a part of a dimension: such values count as
    weaker evidence, and as none where all that differ are divided by one number.

Example:
    A kernel gets head_dim = 128 for a model whose heads have 64.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from greta.forensics.attribution import blamed_call
from greta.forensics.case import Case
from greta.forensics.scan import count_of
from greta.forensics.verdict import Finding, Ruling, Value
from greta.forensics.wording import KEPT, ruling_codes, settled
from greta.trace.evidence import Evidence, Message, ModelFact
from greta.trace.trace import Call, Gap, Kind, Seq, Trace, hiding

HYPOTHESIS: Final = "model_mismatch"
CODES: Final[dict[str, tuple[str, ...]]] = {
    "guard_rail_refuses": ("model", "field", "expected", "found"),
    "guard_rail_line": ("text", "line"),
    "other_dimension": ("kernel", "argument", "value", "dimension", "expected", "is_the", "model"),
    "printed_dimension": ("dimension", "value", "expected", "model"),
    "printed_parameters": ("name", "printed", "expected", "model"),
    **ruling_codes(HYPOTHESIS),
}
DOUBTS: Final = (
    "model_file",
    "named_dimensions",
    "all_launches",
    "split_model",
    "printed_model",
)
"""What `missing` may name beside gaps."""

_WORK: Final = (Kind.COPY, Kind.LAUNCH, Kind.GRAPH_LAUNCH)
_ESTIMATE: Final = 0.125
"""How far off a printed number of parameters may be: some programs count as if all heads had keys
of their own."""
_FAMILY: Final = re.compile(r"llama[-_ ]?([23])(?:[-_. ]|$)", re.IGNORECASE)
_VOCABULARIES: Final = {"2": 32000, "3": 128256}
"""Of the generations of Llama: what a model is called can be checked by its vocabulary."""
_MOST_LAUNCHES: Final = 5_000
_VOCABULARY_PADDING: Final = 512
"""Kernels like vocabularies that are a multiple of something."""


class _Meaning(NamedTuple):
    """What a name means: the value is one of these dimensions of the model."""

    dimensions: tuple[str, ...]
    at_most: bool = False
    splits: bool = True
    """Programs that use several devices divide it."""


_HEAD_DIM: Final = _Meaning(("head_dim",), splits=False)
_HEADS: Final = _Meaning(("heads", "kv_heads"))
_KV_HEADS: Final = _Meaning(("kv_heads",))
_HIDDEN: Final = _Meaning(("hidden",), splits=False)
_EITHER: Final = _Meaning(("hidden", "feed_forward"))
_FEED_FORWARD: Final = _Meaning(("feed_forward",))
_VOCABULARY: Final = _Meaning(("vocabulary",))
_LAYERS: Final = _Meaning(("layers",))
_CONTEXT: Final = _Meaning(("context",), at_most=True)

NAMES: Final[dict[str, _Meaning]] = {
    **dict.fromkeys(("headdim", "headsize", "dhead", "dimhead", "headdimension"), _HEAD_DIM),
    **dict.fromkeys(("heads", "nheads", "numheads", "nhead", "numattentionheads"), _HEADS),
    **dict.fromkeys(("qheads", "nqheads", "numqheads"), _Meaning(("heads",))),
    **dict.fromkeys(("kvheads", "nkvheads", "numkvheads", "nheadkv", "nheadskv"), _KV_HEADS),
    "numkeyvalueheads": _KV_HEADS,
    **dict.fromkeys(("hiddensize", "dmodel", "nembd", "embeddim", "embeddinglength"), _HIDDEN),
    **dict.fromkeys(("hidden", "hiddendim"), _EITHER),
    **dict.fromkeys(("ff", "ffn", "ffdim", "ffndim", "dff", "nff", "ffsize"), _FEED_FORWARD),
    **dict.fromkeys(("intermediate", "intermediatesize", "intermediatedim"), _FEED_FORWARD),
    **dict.fromkeys(("feedforward", "feedforwardsize", "feedforwardlength"), _FEED_FORWARD),
    **dict.fromkeys(("vocab", "vocabsize", "nvocab", "vocabulary", "vocabularysize"), _VOCABULARY),
    **dict.fromkeys(("layers", "nlayers", "numlayers", "nlayer", "numhiddenlayers"), _LAYERS),
    **dict.fromkeys(("maxseqlen", "seqlen", "contextlength", "nctx", "maxcontext"), _CONTEXT),
}
"""By name, in small letters and without underscores."""


class _Given(NamedTuple):
    seq: Seq
    kernel: str
    argument: str
    value: int
    meaning: _Meaning


def examine(case: Case) -> Ruling:
    evidence = case.evidence
    lines = [one for one in evidence.messages if refuses(one)]
    if not (evidence.models or lines) or not _ran(evidence):
        return settled(HYPOTHESIS, 0)
    given, all_seen = _dimensions_given(evidence.trace)
    launches = evidence.trace.operations["seq"][evidence.trace.operations["kind"] == Kind.LAUNCH]
    at = int(launches[0]) if len(launches) else 0
    known = [model for model in evidence.models if model.dimensions]
    others = [one for one in given if known and not any(_fits(one, model) for model in known)]
    # The share of one of several devices, if all that differ are divided by one number.
    shares = {_devices(one, known[0]) for one in others}
    is_split = len(shares) == 1 and shares != {0}
    findings = (
        *_refused(evidence.models, at),
        *(
            Finding("guard_rail_line", at, data={"text": one.text, "line": one.line})
            for one in lines
        ),
        *_printed(evidence, at),
        *(() if is_split else (_contradiction(one, known[0]) for one in others)),
    )
    missing = (*_missing(evidence, given, all_seen), *(("split_model",) if is_split else ()))
    examined = len(evidence.models) + len(lines) + len(given)
    return settled(HYPOTHESIS, examined, findings[:KEPT], missing, len(findings))


def refuses(message: Message) -> bool:
    """What the guard rail only warns of, or that it is switched off, is no mismatch."""
    bad = ("[GUARD_RAIL_ERROR]", "[GUARD_RAIL_FATAL]")
    return message.source == "guard_rail" and message.text.startswith(bad)


def _ran(evidence: Evidence) -> bool:
    """Whether the device was given anything: a model that was refused in time does no harm."""
    if evidence.trace.source == "recording":
        return bool(count_of(evidence.trace, *_WORK)) or blamed_call(evidence) is not None
    said = any(message.source == "status" for message in evidence.messages)
    return bool(len(evidence.trace.operations)) or said or blamed_call(evidence) is not None


def _missing(evidence: Evidence, given: Sequence[_Given], all_seen: bool) -> tuple[str, ...]:
    """What stands against saying that the model fits."""
    missing = list(hiding(evidence.trace, Gap.NO_ARGUMENTS, Gap.UNKNOWN_KERNELS))
    if any(model.problem for model in evidence.models):
        missing.append("model_file")
    if not given:
        missing.append("named_dimensions")
    if not all_seen:
        missing.append("all_launches")
    if any(_is_contradictory(evidence.models, printed) for printed in evidence.printed):
        missing.append("printed_model")
    return tuple(missing)


def _refused(models: Sequence[ModelFact], at: Seq) -> Iterator[Finding]:
    for model in models:
        for name, expected, found in model.mismatches:
            words: dict[str, Value] = {"model": model.path, "field": name}
            words |= {"expected": expected, "found": found}
            yield Finding("guard_rail_refuses", at, data=words)


def _printed(evidence: Evidence, at: Seq) -> Iterator[Finding]:
    """Dimensions that the program printed and that no model file of the run has."""
    files = [model for model in evidence.models if model.dimensions and model.problem is None]
    for printed in evidence.printed if files else ():
        for name, value in printed.dimensions.items():
            if not any(_is_as_in(model, name, value) for model in files):
                words: dict[str, Value] = {"dimension": name, "value": value}
                words |= {"expected": files[0].dimensions[name], "model": files[0].path}
                yield Finding("printed_dimension", at, data=words)
        if not any(_have_as_many(printed, model) for model in files):
            counted, has = printed.parameters[0], files[0].parameters[0]
            words = {"name": printed.name or "?", "model": files[0].path}
            words |= {"printed": _billions(counted), "expected": _billions(has)}
            yield Finding("printed_parameters", at, data=words, strength=1)


def _is_as_in(model: ModelFact, name: str, value: int) -> bool:
    size = model.dimensions.get(name)
    padding = _VOCABULARY_PADDING if name == "vocabulary" else 1
    return size is None or 0 <= value - size < padding


def _have_as_many(one: ModelFact, other: ModelFact) -> bool:
    """Also where either does not say; programs estimate, and one good estimate is enough."""
    pairs = [(a, b) for a in one.parameters for b in other.parameters]
    return not pairs or any(abs(a - b) <= _ESTIMATE * max(a, b) for a, b in pairs)


def _billions(parameters: int) -> str:
    return f"{parameters / 1e9:.3g}B"


def _is_contradictory(models: Sequence[ModelFact], printed: ModelFact) -> bool:
    """Whether the program's own lines, or its name for the model and the file's, do not agree."""
    counted = printed.parameters
    estimates_differ = any(abs(a - counted[0]) > _ESTIMATE * max(a, counted[0]) for a in counted)
    family = _FAMILY.search(printed.name)
    vocabulary = printed.dimensions.get("vocabulary")
    usual = _VOCABULARIES.get(family[1]) if family else None
    odd = False
    if usual is not None and vocabulary is not None:
        odd = abs(vocabulary - usual) > _VOCABULARY_PADDING
    others = [_FAMILY.search(model.name) for model in models if model.problem is None]
    renamed = bool(family) and any(one and family and one[1] != family[1] for one in others)
    return bool(printed.contradictions) or estimates_differ or odd or renamed


def _dimensions_given(trace: Trace) -> tuple[list[_Given], bool]:
    """Each value that a kernel was given under a telling name, once; whether all were looked at."""
    seen: dict[tuple[str, str, int], _Given] = {}
    seqs, all_seen = _launches_to_look_at(trace)
    for seq in seqs:
        for one in _telling(trace.describe(seq)):
            seen.setdefault((one.kernel, one.argument, one.value), one)
    return list(seen.values()), all_seen


def _launches_to_look_at(trace: Trace) -> tuple[Sequence[Seq], bool]:
    """Those that differ in their numbers, where that is known; else some, and whether it is all."""
    if trace.different_launches is not None:
        return trace.different_launches, True
    launches = trace.operations["seq"][trace.operations["kind"] == Kind.LAUNCH]
    step = max(1, -(-len(launches) // _MOST_LAUNCHES))
    return launches[::step].tolist(), step == 1


def _telling(call: Call) -> Iterator[_Given]:
    for name, kind, value in call.kernel_arguments:
        meaning = NAMES.get(name.lower().replace("_", ""))
        if meaning is not None and value is not None and "*" not in kind:
            yield _Given(call.seq, call.kernel or "?", name, value, meaning)


def _devices(one: _Given, model: ModelFact) -> int:
    """By how many a dimension is divided; 0 if it is no part of the model's."""
    whole = model.dimensions[one.meaning.dimensions[0]]
    is_part = one.meaning.splits and 0 < one.value < whole and whole % one.value == 0
    return whole // one.value if is_part and not one.meaning.at_most else 0


def _fits(one: _Given, model: ModelFact) -> bool:
    """Also where the model does not say."""
    sizes = [model.dimensions.get(name) for name in one.meaning.dimensions]
    if None in sizes:
        return True
    known = [size for size in sizes if size is not None]
    if one.meaning.at_most:
        return one.value <= max(known)
    if one.meaning is _VOCABULARY and 0 <= one.value - known[0] < _VOCABULARY_PADDING:
        return True
    return one.value in known


def _contradiction(one: _Given, model: ModelFact) -> Finding:
    dimension = one.meaning.dimensions[0]
    expected = model.dimensions[dimension]
    other = next((name for name, size in model.dimensions.items() if size == one.value), None)
    weak = _devices(one, model) > 0 or one.meaning.at_most or model.problem is not None
    words: dict[str, Value] = {"kernel": one.kernel, "argument": one.argument, "value": one.value}
    words |= {"dimension": dimension, "expected": expected, "is_the": other, "model": model.path}
    return Finding("other_dimension", one.seq, data=words, strength=1 if weak else 2)
