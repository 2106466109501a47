"""Summaries as an audit writes them, made up for the tests, and read as from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from greta.forensics.verdict import HYPOTHESES
from greta.lab.summary_json import load_summary
from greta.reports import Reported
from greta.typed_json import JsonField


def reported(data: dict[str, Any]) -> Reported:
    """What a report shows of such a file."""
    read = load_summary({"verdict": "REPRODUCED", **data}, JsonField(Path("summary.json")))
    return Reported(read, data.get("kept", ""), data.get("source") == "log")


def summary(**changes: Any) -> dict[str, Any]:
    """An audit in which a kernel overran its buffer in 3 of 200 iterations."""
    tests = (("A", "baseline", 50, 0), ("B", "audit", 50, 0), ("C", "stress", 100, 3))
    document: dict[str, Any] = {
        "schema": 1,
        "case": "logits",
        "verdict": "REPRODUCED",
        "started": "2026-11-16T10:00:00+00:00",
        "tests": [
            {
                "id": id_,
                "mode": mode,
                "iterations": count,
                "completed": count,
                "errors": errors,
                "result": "FAIL" if errors else "PASS",
                "tokens_per_second": 180.25,
            }
            for id_, mode, count, errors in tests
        ],
        "iterations": [*_iterations(tests)],
        "statistics": {
            "runs": 200,
            "failures": 3,
            "failure_rate_interval_95": [0.0031, 0.0432],
            "failure_rate_upper_95": 0.0383,
        },
        "observer": {"slowdown": 1.012, "interval_95": [0.993, 1.031]},
        "coverage": {
            "calls": 123456,
            "d2h": {"calls": 1600, "bytes": 6400000, "audited": 1600},
            "launches": 48000,
            "dropped": 0,
            "complete": True,
            "gaps": [{"code": "unknown_kernels", "detail": "3"}],
        },
        "hypotheses": [
            {
                "id": id_,
                "verdict": "CONFIRMED" if id_ == "upstream_kernel_fault" else "REFUTED",
                "reason": "",
                "evidence": [4711] if id_ == "upstream_kernel_fault" else [],
                "examined": 1600,
            }
            for id_ in HYPOTHESES
        ],
        "blamed": {
            "seq": 4713,
            "call": "hipMemcpyAsync",
            "error": "hipErrorIllegalAddress (700)",
            "where": {"file": "transfer.py", "line": 88, "function": "to_host"},
        },
        "cause": {
            "hypothesis": "upstream_kernel_fault",
            "seq": 4711,
            "call": "hipModuleLaunchKernel",
            "kernel": "rope",
            "where": {"file": "forward.py", "line": 120},
            "buffer": {"address": "0x7ec0", "bytes": 16, "allocated_at": 12, "name": "positions"},
            "access": {"address": "0x7ed0", "bytes": 4, "past_end": 4},
            "confidence": 0.95,
            "alternatives": [{"seq": 4712, "call": "x", "kernel": "attention", "confidence": 0.05}],
        },
        "around": {
            "address": "0x7ed0",
            "operations": [
                {"seq": 4711, "call": "x", "kernel": "rope", "stream": "0x5e10", "role": "cause"},
                {"seq": 4713, "call": "hipMemcpyAsync", "stream": "0x5e10", "role": "blamed"},
            ],
            "memory": [
                {"address": "0x7ec0", "bytes": 16, "name": "positions", "state": "live"},
                {"address": "0x8000", "bytes": 1 << 20, "name": "cache", "state": "freed"},
            ],
        },
        "environment": {"host": "vm", "variables": {"GCORE_D2H_AUDIT": "1"}},
        "model": {"name": "smollm2"},
        "rerun": {"command": ["greta", "audit", "--seed", "7"], "environment": {"X": "a b"}},
        "next_steps": ["Look at rope."],
    }
    return document | changes


def _iterations(tests: tuple[tuple[str, str, int, int], ...]) -> list[dict[str, Any]]:
    draw = np.random.default_rng(1)
    return [
        {
            "test": id_,
            "iteration": place,
            "result": "PASS",
            "seconds": float(draw.lognormal()),
            "tokens_per_second": float(180 * draw.lognormal(0, 0.05)),
            "first_token_seconds": float(0.1 * draw.lognormal(0, 0.1)),
        }
        for id_, _, count, _ in tests
        for place in range(count)
    ]
