"""The trace sites: what they show, where, and that they change nothing."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

from greta.engine import SITES, Capacity, Engine, Request, TraceSelection, parse_trace
from greta.engine.trace import describe
from greta.engine.workspace import TILE
from greta.errors import UsageError
from tests.engine.conftest import OpenEngine, OpenModel
from tests.engine.tiny import PROMPT, prompts

Record = dict[str, Any]
LAYERS = 2


def traced(
    tiny: OpenModel, texts: list[str], request: Request, weights: str = "q4_1"
) -> tuple[list[Record], list[list[int]]]:
    file = io.StringIO()
    selections = [parse_trace(text) for text in texts]
    capacity = Capacity(len(request.prompts), 128)
    engine = Engine(tiny(weights), capacity, traces=selections, trace_file=file)
    tokens = engine.generate(request).run().tokens
    return [json.loads(line) for line in file.getvalue().splitlines()], tokens


@pytest.mark.parametrize("weights", ["f32", "q4_1"])
def test_tracing_everything_changes_no_token(
    weights: str, tiny: OpenModel, engine: OpenEngine
) -> None:
    request = Request([PROMPT], 4)
    records, tokens = traced(tiny, list(SITES), request, weights)
    assert tokens == engine(weights).generate(request).run().tokens
    assert {record["site"] for record in records} == set(SITES)
    assert all(record["nan"] == record["inf"] == 0 for record in records)


def test_logits_of_each_step(tiny: OpenModel, engine: OpenEngine) -> None:
    records, _ = traced(tiny, ["logits"], Request([PROMPT[:5]], 3))
    assert [(r["phase"], r["step"], r["layer"], r["shape"]) for r in records] == [
        ("prefill", 0, -1, [1, 512]),
        ("decode", 1, -1, [1, 512]),
        ("decode", 2, -1, [1, 512]),
    ]
    plain = engine("q4_1")
    plain.generate(Request([PROMPT[:5]], 3)).run()
    last = describe(plain.scheduler.logits().wait())
    assert {key: records[-1][key] for key in last} == last


def test_the_tensors_of_each_site(tiny: OpenModel) -> None:
    records, _ = traced(tiny, list(SITES), Request([PROMPT[:5]], 1))
    seen = {(r["site"], r["tensor"], tuple(r["shape"])) for r in records if r["layer"] == 1}
    norms = {
        ("rmsnorm", f"{norm}.{part}", shape)
        for norm in ("attn_norm", "ffn_norm")
        for part, shape in (("input", (5, 256)), ("output", (5, 256)), ("weight", (256,)))
    }
    assert seen == norms | {
        ("attention", "q", (5, 256)),
        ("attention", "k", (5, 128)),
        ("attention", "v", (5, 128)),
        ("attention", "output", (5, 256)),
        ("wo", "output", (5, 256)),
        ("mlp", "input", (5, 256)),
        ("mlp", "output", (5, 256)),
        ("kv", "k", (2, 5, 64)),
        ("kv", "v", (2, 5, 64)),
    }


def test_layers_and_steps_are_selected(tiny: OpenModel) -> None:
    records, _ = traced(tiny, ["mlp:1:0,2-3", "kv:0:1"], Request([PROMPT[:5]], 6))
    mlp = [(r["layer"], r["step"]) for r in records if r["site"] == "mlp"]
    kv = [(r["layer"], r["step"]) for r in records if r["site"] == "kv"]
    assert mlp == [(1, step) for step in (0, 2, 3) for _ in ("input", "output")]
    assert kv == [(0, 1)] * 2


def test_the_cache_is_shown_as_far_as_it_is_written(tiny: OpenModel) -> None:
    records, _ = traced(tiny, ["kv:0"], Request(prompts([3, 70]), 2))
    shown = [(r["step"], r["sequence"], r["shape"][1]) for r in records if r["tensor"] == "k"]
    tiles = [(0, 1, end) for end in (*range(TILE, 70, TILE), 70)]
    assert shown == [(0, 0, 3), *tiles, (1, 0, 4), (1, 1, 71)]


def test_no_step_is_shown_that_nobody_asked_for(tiny: OpenModel, engine: OpenEngine) -> None:
    whole = engine("q4_1").generate(Request([PROMPT[:5]], 6)).run().tokens[0]
    stops = frozenset([whole[2]])
    records, tokens = traced(tiny, ["logits"], Request([PROMPT[:5]], 6, stops=stops))
    assert len(records) == len(tokens[0]) + 1  # the step that chose the stop token


def test_numbers_that_are_none_are_counted() -> None:
    described = describe(np.array([1, np.nan, 3, np.inf, -np.inf], np.float32))
    hash_ = described.pop("hash")
    assert described == {
        "shape": [5],
        "dtype": "float32",
        "min": 1.0,
        "max": 3.0,
        "mean": 2.0,
        "nan": 1,
        "inf": 2,
    }
    assert len(str(hash_)) == 64


def test_nothing_but_nan_has_no_extremes() -> None:
    described = describe(np.full(3, np.nan, np.float32))
    assert (described["min"], described["max"], described["mean"]) == (None, None, None)
    assert describe(np.zeros((0, 3), np.float32))["min"] is None


def test_a_site_alone_means_all_of_it() -> None:
    for site in SITES:
        for text in (site, f"{site}:", f"{site}::", f"{site}:*:*"):
            assert parse_trace(text) == TraceSelection(site)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("logit", "no site 'logit'; there are logits, rmsnorm, attention, wo, mlp, kv"),
        ("mlp:x", "'x' in 'mlp:x' are no numbers"),
        ("mlp:3-1", "'3-1'"),
        ("mlp:0:1:2", "too many parts"),
        ("mlp:-1", "'-1'"),
        ("mlp:0,,1", "'0,,1'"),
    ],
)
def test_selections_that_mean_nothing(text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        parse_trace(text)
