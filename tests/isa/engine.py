"""Runs jobs on the instruction engine, through the program greta-isa."""

from __future__ import annotations

import struct
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from greta.hip import SimTree

LANES = 64
SCALARS = 128
VCC, M0, EXEC = 106, 124, 126
ALL_LANES = (1 << 64) - 1
MODE = 0xF0
ENDPGM = 0xBF810000
OUTCOMES = ("ended", "faulted", "running", "not loaded")
FAULTS = ("none", "memory", "lds", "scratch", "program", "trap")
ACCESSES = ("read", "write", "atomic")

Words = NDArray[np.uint32]


@dataclass
class WaveState:
    """The registers of a wave, before or after."""

    vgprs: int = 16
    accs: int = 0
    s: Words = field(default_factory=lambda: np.zeros(SCALARS, np.uint32))
    scc: int = 0
    v: Words = field(default_factory=lambda: np.zeros(0, np.uint32))

    def __post_init__(self) -> None:
        if not len(self.v):
            self.v = np.zeros((self.vgprs + self.accs, LANES), np.uint32)
            self.set_pair(EXEC, ALL_LANES)

    def set_pair(self, code: int, value: int) -> None:
        self.s[code], self.s[code + 1] = value & 0xFFFFFFFF, value >> 32

    def pair(self, code: int) -> int:
        return int(self.s[code]) | int(self.s[code + 1]) << 32


@dataclass
class Region:
    """Memory at an address that the test chooses; it starts on a page."""

    address: int
    data: bytes
    writable: bool = True


@dataclass
class Job:
    """Code and the state it starts from."""

    code: Sequence[int]
    waves: list[WaveState]
    lds: bytes = b""
    scratch: int = 0
    regions: list[Region] = field(default_factory=list)
    mode: int = MODE
    budget: int = 10_000_000
    entry: int = 0

    def packed(self, lanes: int) -> bytes:
        first = self.waves[0]
        parts = [
            struct.pack(
                "<12IQ", 2, lanes, len(self.code), self.entry, len(self.waves), len(self.lds),
                self.scratch, first.vgprs, first.accs, len(self.regions), self.mode, 0, self.budget,
            ),
            np.asarray(self.code, np.uint32).tobytes(),
        ]  # fmt: skip
        for wave in self.waves:
            parts += [wave.s.tobytes(), struct.pack("<I", wave.scc), wave.v.tobytes()]
        parts.append(self.lds)
        for region in self.regions:
            head = struct.pack("<3Q", region.address, len(region.data), region.writable)
            parts += [head, region.data]
        return b"".join(parts)


@dataclass
class Outcome:
    """What a job came to."""

    status: str
    reason: str = ""
    fault: str = "none"
    access: str = "read"
    size: int = 0
    lane: int = 0
    lanes: int = 0
    address: int = 0
    at: int = 0
    wave: int = 0
    instructions: int = 0
    waves: list[WaveState] = field(default_factory=list)
    lds: bytes = b""
    regions: list[bytes] = field(default_factory=list)


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]

    def words(self, count: int) -> tuple[int, ...]:
        return struct.unpack(f"<{count}I", self.take(4 * count))


def _outcome(job: Job, reader: _Reader) -> Outcome:
    (status,) = reader.words(1)
    if OUTCOMES[status] == "not loaded":
        (length,) = reader.words(1)
        return Outcome("not loaded", reader.take(length).decode())
    kind, access, size, lane, at, wave = reader.words(6)
    lanes, address, instructions = struct.unpack("<3Q", reader.take(24))
    out = Outcome(OUTCOMES[status], "", FAULTS[kind], ACCESSES[access], size, lane, lanes, address)
    out.at, out.wave, out.instructions = at, wave, instructions
    for before in job.waves:
        scalars = np.frombuffer(reader.take(4 * SCALARS), np.uint32)
        (scc,) = reader.words(1)
        rows = before.vgprs + before.accs
        vectors = np.frombuffer(reader.take(4 * rows * LANES), np.uint32).reshape(rows, LANES)
        out.waves.append(WaveState(before.vgprs, before.accs, scalars, scc, vectors))
    out.lds = reader.take(len(job.lds))
    out.regions = [reader.take(len(region.data)) for region in job.regions]
    return out


class Engine:
    """The program greta-isa, which lies beside the simulated device's files."""

    def __init__(self, tree: SimTree) -> None:
        self.path = tree.root.parent / "bin" / "greta-isa"

    def _output(self, *arguments: str, data: bytes = b"") -> bytes:
        done = subprocess.run([self.path, *arguments], input=data, capture_output=True, check=False)
        assert done.returncode == 0, (done.returncode, done.stderr.decode())
        return done.stdout

    def run(self, jobs: Sequence[Job], lanes: int = 0) -> list[Outcome]:
        reader = _Reader(self._output("run", data=b"".join(job.packed(lanes) for job in jobs)))
        return [_outcome(job, reader) for job in jobs]

    def decode(self, slots: Words, architecture: str = "gfx942") -> list[tuple[int, str] | None]:
        """Decodes each row of words: its length and text, or None."""
        text = self._output("decode", architecture, str(slots.shape[1]), data=slots.tobytes())
        lines = text.decode().splitlines()
        return [(int(line[0]), line[2:]) if line != "0" else None for line in lines]

    def opcodes(self) -> dict[str, tuple[int, bool, bool]]:
        """Of each opcode: architectures as a mask, whether it runs, whether it is approximate."""
        rows = (line.split() for line in self._output("opcodes").decode().splitlines())
        return {name: (int(mask), runs == "1", near == "1") for name, mask, runs, near in rows}
