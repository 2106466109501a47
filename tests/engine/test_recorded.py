"""An inference under `greta run`: the lines about its transfers against what the recorder saw."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from greta.engine import SITES
from greta.hip import SimTree
from greta.recording import CallEvent, open_recording
from tests.conftest import Run
from tests.engine.d2h.strict_log import (
    AuditStart,
    Check,
    Record,
    TraceAfter,
    TraceBefore,
    pairs,
    parse_log,
)

WORDS = ["infer", "--device", "sim", "--model", "tiny", "--prompt", "Hello", "--greedy"]
TOKENS = 6
DEVICE_TO_HOST = 2
# Each site and the tensors of one layer and step that it copies.
TENSORS = {
    "logits": {"logits"},
    "rmsnorm": {
        f"{norm}.{part}"
        for norm in ("attn_norm", "ffn_norm", "output_norm")
        for part in ("input", "output", "weight")
    },
    "attention": {"q", "k", "v", "output"},
    "wo": {"output"},
    "mlp": {"input", "output"},
    "kv": {"k", "v"},
}


@dataclass(frozen=True)
class Recorded:
    """What a run left behind."""

    stderr: str
    copies: list[CallEvent]  # from device to host

    @property
    def seen(self) -> list[tuple[object, ...]]:
        """Target, source, bytes and stream of each copy."""
        keys = ("dst", "src", "sizeBytes", "stream")
        return [tuple(copy.arguments[key] for key in keys) for copy in self.copies]


RecordInference = Callable[..., Recorded]


@pytest.fixture
def recorded(run_greta: Run, sim_tree: SimTree, tmp_path: Path) -> RecordInference:
    """Runs `greta run -- greta infer ...` and reads the recording."""

    def run(*words: str, **variables: str) -> Recorded:
        command = [sys.executable, "-m", "greta", *WORDS, "--max-tokens", str(TOKENS), *words]
        run_words = ["run", "--quiet", "--device", "sim", "--out", str(tmp_path / "run")]
        done = run_greta(*run_words, "--", *command, **variables)
        assert done.returncode == 0, done.stderr
        (process,) = open_recording(tmp_path / "run" / "recording").processes
        return Recorded(done.stderr, [event for event in process.events() if _is_d2h(event)])

    return run


def _is_d2h(event: CallEvent) -> bool:
    return "Memcpy" in event.call and event.arguments.get("kind") == DEVICE_TO_HOST


def _starts(records: list[Record]) -> list[AuditStart]:
    """The starts of pairs that are all complete."""
    found = pairs(records)
    assert all(pair.end is not None and pair.end.result == "hipSuccess" for pair in found)
    return [pair.start for pair in found]


def _facts(starts: list[AuditStart]) -> list[tuple[object, ...]]:
    return [(start.host_ptr, start.dev_ptr, start.bytes, start.stream) for start in starts]


def test_the_audit_has_one_pair_for_each_copy(recorded: RecordInference) -> None:
    run = recorded(GCORE_D2H_AUDIT="1")
    starts = _starts(parse_log(run.stderr, skip_others=True))
    assert len(run.copies) == TOKENS
    assert _facts(starts) == run.seen
    assert [(start.tensor, start.step, start.layer) for start in starts] == [
        ("tokens", step, -1) for step in range(TOKENS)
    ]


def test_the_log_has_the_lines_and_stderr_has_none(
    recorded: RecordInference, tmp_path: Path
) -> None:
    log = tmp_path / "audit.log"
    run = recorded(GCORE_D2H_AUDIT="1", GCORE_D2H_AUDIT_LOG=str(log))
    assert _facts(_starts(parse_log(log.read_text()))) == run.seen
    assert parse_log(run.stderr, skip_others=True) == []


def test_debug_checks_each_copy(recorded: RecordInference) -> None:
    run = recorded(GRETA_D2H_DEBUG="1")
    records = parse_log(run.stderr, skip_others=True)
    checks = [record for record in records if isinstance(record, Check)]
    assert [(c.dst_ptr, c.src_ptr, c.size) for c in checks] == [seen[:3] for seen in run.seen]
    assert all(c.offset + c.size <= c.alloc for c in checks)


def test_trace_shows_each_copy_before_and_after(recorded: RecordInference) -> None:
    run = recorded(GRETA_TRACE_MEMCPY="1")
    records = parse_log(run.stderr, skip_others=True)
    before = [(r.src_ptr, r.bytes, r.stream) for r in records if isinstance(r, TraceBefore)]
    after = [(r.dst_ptr, r.bytes) for r in records if isinstance(r, TraceAfter)]
    assert before == [seen[1:] for seen in run.seen]
    assert after == [(seen[0], seen[2]) for seen in run.seen]


def test_all_at_once(recorded: RecordInference, tmp_path: Path) -> None:
    log = tmp_path / "audit.log"
    run = recorded(
        GCORE_D2H_AUDIT="1",
        GCORE_D2H_AUDIT_LOG=str(log),
        GRETA_D2H_DEBUG="1",
        GRETA_TRACE_MEMCPY="1",
    )
    assert _facts(_starts(parse_log(log.read_text()))) == run.seen
    kinds = Counter(type(record) for record in parse_log(run.stderr, skip_others=True))
    assert kinds[Check] == kinds[TraceBefore] == kinds[TraceAfter] == len(run.copies)


@pytest.mark.parametrize("site", SITES)
def test_a_site_copies_under_its_name(site: str, recorded: RecordInference, tmp_path: Path) -> None:
    options = ["--trace", site, "--trace-file", str(tmp_path / "trace.jsonl")]
    run = recorded(*options, GCORE_D2H_AUDIT="1")
    starts = _starts(parse_log(run.stderr, skip_others=True))
    assert _facts(starts) == run.seen
    traced = [start for start in starts if start.tensor != "tokens"]
    assert {start.tensor for start in traced} == {f"{site}.{name}" for name in TENSORS[site]}
    assert {start.step for start in traced} == set(range(TOKENS))
    lines = (tmp_path / "trace.jsonl").read_text().splitlines()
    assert len(lines) == len(traced)
    assert len(run.copies) == len(lines) + TOKENS
