"""Damaged recordings: what can be read is written, in every format, whatever it is."""

from __future__ import annotations

import io
import random

import pytest

from greta.recording import RecordingError, open_recording
from greta.reports.export import FORMATS, write
from tests.recording.writer import KERNARG, RING, Payload
from tests.reports.export.made import D2H, H2D, Program, exported, parsed
from tests.reports.export.trace import read_trace

S = 0x5000


def fill(program: Program) -> None:
    program.writer.line("kernel", id=5, name="rope", function="0xf")
    program.writer.line("annotation", id=1, text="step", parent=0)
    program.call("hipStreamCreate", S)
    program.call("hipMalloc", 0x7000, 64)
    for thread in (100, 7):
        program.call("roctxRangePushA", program.text(thread, "step"), thread=thread)
        program.call("hipMemcpyAsync", 1, 2, 64, H2D, S, thread=thread, annotation=1)
        block = [Payload(KERNARG, 0, bytes(200))]
        words = (0xF, 20, 1, 1, 256, 1, 1, 0, S)
        program.call("hipModuleLaunchKernel", *words, thread=thread, kernel=5, payloads=block)
        program.call("hipEventRecord", 0xE, S, thread=thread)
        program.call("hipEventSynchronize", 0xE, thread=thread)
        program.call("hipMemcpy", 1, 2, 64, D2H, thread=thread)
        program.call("roctxRangePop", thread=thread)
    program.call("hipDeviceSynchronize", end=None)


def test_no_damage_stops_an_export(program: Program) -> None:
    fill(program)
    program.writer.write()
    files = program.writer.files()
    chance = random.Random(3)  # noqa: S311
    opened = 0
    for _ in range(150):
        for name, content in files.items():
            data = bytearray(content)
            for _ in range(chance.choice([0, 1, 3, 20])):
                data[chance.randrange(len(data))] = chance.randrange(256)
            cut = chance.randrange(len(data)) if chance.random() < 0.1 else len(data)
            (program.writer.folder / name).write_bytes(data[:cut])
        try:
            recording = open_recording(program.folder)
        except RecordingError:
            continue
        opened += 1
        read_trace(exported(recording, "perfetto"))
        assert len(exported(recording, "parquet")) > 0
        calls = sum(len(process) for process in recording.processes)
        assert len(list(parsed(exported(recording, "jsonl")))) == calls
    assert opened > 100


def test_a_ring(program: Program) -> None:
    program.writer.flags |= RING
    program.writer.ring_records = 8
    fill(program)
    recording = program.recorded()
    assert recording.processes[0].overwritten > 0
    assert len(list(parsed(exported(recording, "jsonl")))) == len(recording.processes[0])
    read_trace(exported(recording, "perfetto"))


@pytest.mark.parametrize("format_", FORMATS)
def test_a_process_without_calls(program: Program, format_: str) -> None:
    recording = program.recorded()
    told: list[int] = []
    write(recording, format_, io.BytesIO(), told.append)
    assert sum(told) == 0


@pytest.mark.parametrize("format_", FORMATS)
def test_progress_adds_up(program: Program, format_: str) -> None:
    for _ in range(10_000):
        program.call("hipDeviceSynchronize")
    told: list[int] = []
    write(program.recorded(), format_, io.BytesIO(), told.append)
    assert sum(told) == 10_000
