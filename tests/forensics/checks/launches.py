"""Evidence of launches with given arguments, for checks that look at nothing else."""

from __future__ import annotations

from pathlib import Path

from greta.trace.evidence import Evidence, Message, ModelFact
from greta.trace.logs.logged import LoggedOperation, ProcessLog
from greta.trace.logs.tables import trace_of
from greta.trace.trace import Gap, Kind

Launch = tuple[str, dict[str, int]]

LLAMA = {
    "heads": 32,
    "kv_heads": 8,
    "head_dim": 128,
    "hidden": 4096,
    "feed_forward": 14336,
    "layers": 32,
    "vocabulary": 128256,
    "context": 8192,
}


def launched(
    *launches: Launch,
    models: tuple[ModelFact, ...] = (ModelFact("llama.gguf", LLAMA),),
    messages: tuple[Message, ...] = (),
    gaps: dict[Gap, str] | None = None,
) -> Evidence:
    """One launch a line: the kernel's name and its integer arguments."""
    operations = [
        LoggedOperation(
            number,
            0,
            "hipModuleLaunchKernel",
            Kind.LAUNCH,
            kernel=kernel,
            arguments=(
                ("x", "float*", 0x7F00),
                *((name, "int", value) for name, value in arguments.items()),
            ),
        )
        for number, (kernel, arguments) in enumerate(launches, start=1)
    ]
    log = ProcessLog(
        "recording", Path("log"), 1, operations=operations, total_calls=len(operations)
    )
    return Evidence(trace_of(log, gaps or {}), models=models, messages=messages)
