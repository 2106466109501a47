"""Random kernels three ways: for the CPU, by hipRTC and in machine code, bit for bit.

    python -m tests.isa.compiled.three_ways --seed 1000000 --kernels 10000 --log LOG
    python -m tests.isa.compiled.three_ways --seed 1000123 --every-build

Fifty kernels share a source, since a compiler's start costs more than a small kernel. Each source
runs in a process of its own, so that a fault ends no other. The log has a line for each, and one
for each difference: it names the kernel, and the second form compares that one alone.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from greta.hip import HipError, Module
from tests.isa.compiled import oracle, random_kernels
from tests.isa.compiled.oracle import CLANGS, Run, Words
from tests.isa.compiled.runs import words

TOGETHER = 50
DIFFERENT = 3  # exit code of a process that found differences
LEVELS = ("-O2", "-O0", "-O3", "-O1")
BUILDS = [(clang, level) for clang in CLANGS for level in LEVELS]
# clang-22 moves instructions that cost nothing, as vectorizers make them, to where lanes of another
# way through a switch get their result (LLVM's pull request 183792); so it would be on hardware.
# Where it forms clauses of loads, it computes anew which parts of a register are live, and may lose
# one: the copy of it disappears, and lanes read what an address left there. Its own
# -mllvm -verify-machineinstrs refuses such a kernel ("No live subrange at use").
RIGHT = {
    "clang-22": (
        "-fno-vectorize", "-fno-slp-vectorize", "-mllvm", "-amdgpu-max-memory-clause=1",
    ),
    "clang-19": (),
}  # fmt: skip


class Ways(NamedTuple):
    """How the kernels of one source are compiled."""

    cpu: str
    hiprtc: tuple[str, ...]
    machine: tuple[tuple[str, str], ...]


def ways_of(seed: int) -> Ways:
    """One level for each way, the compilers and levels in turn."""
    turn = seed // TOGETHER
    high = "-O1" if turn % 4 == 0 else "-O0"
    return Ways("-O1" if turn % 4 == 2 else "-O0", (high,), (BUILDS[turn % len(BUILDS)],))


EVERY_WAY = Ways("-O0", ("-O0", "-O1"), tuple(BUILDS))


def random_run(seed: int) -> Run:
    threads, blocks = random_kernels.THREADS, random_kernels.BLOCKS
    out = np.zeros(64 + 32 * threads * blocks, np.uint32)
    out[24:40] = 0xFFFFFFFF
    given = words(509, seed).astype(np.uint32)
    return Run(f"kernel_{seed}", (blocks, 1, 1), (threads, 1, 1), given, out, len(given))


def _differing(module: Module, wanted: dict[int, Words], way: str) -> Iterator[str]:
    for seed, right in wanted.items():
        got = oracle.run_on_gpu(module, random_run(seed))
        wrong = np.flatnonzero(right != got)
        if len(wrong):
            first = [(int(i), hex(right[i]), hex(got[i])) for i in wrong[:4]]
            yield f"kernel_{seed} {way}: {len(wrong)} of {len(got)} words differ: {first}"


def differences(seeds: list[int], folder: Path, ways: Ways) -> Iterator[str]:
    """A line for each kernel that does not compute what the CPU does, and each way."""
    source = folder / f"random_{seeds[0]}.cpp"
    source.write_text(random_kernels.source_of(seeds))
    cpu = oracle.build_for_cpu(source, source.with_suffix(".so"), ways.cpu)
    wanted = {seed: cpu(random_run(seed)) for seed in seeds}
    for level in ways.hiprtc:
        with oracle.build_by_hiprtc(source, level) as module:
            yield from _differing(module, wanted, f"by hipRTC {level}")
    for clang, level in ways.machine:
        options = (level, *RIGHT[clang])
        image = oracle.build_for_gpu(source, folder / "random.co", *options, clang=clang)
        with Module(image) as module:
            yield from _differing(module, wanted, f"in machine code, {clang} {level}")


def groups(start: int, count: int) -> Iterator[list[int]]:
    for first in range(start, start + count, TOGETHER):
        yield list(range(first, min(first + TOGETHER, start + count)))


def _compare(seeds: list[int], ways: Ways, log: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, log.open("a") as out:
        found = 0
        try:
            for line in differences(seeds, Path(folder), ways):
                print(line, file=out, flush=True)
                found += 1
        except HipError as error:  # standard error has named the kernel
            print(f"kernels {seeds[0]} to {seeds[-1]}: {error}", file=out)
            found += 1
        print(f"{seeds[0]} {len(seeds)} kernels, {found} differences, {ways}", file=out)
    sys.exit(DIFFERENT if found else 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--kernels", type=int, default=1)
    parser.add_argument("--every-build", action="store_true")
    parser.add_argument("--log", type=Path, default=Path("/dev/stdout"))
    options = parser.parse_args()
    os.environ.update(GRETA_DEVICE="sim", GRETA_SIM_CACHE="0")
    failed = 0
    for seeds in groups(options.seed, options.kernels):
        ways = EVERY_WAY if options.every_build else ways_of(seeds[0])
        context = multiprocessing.get_context("fork")
        child = context.Process(target=_compare, args=(seeds, ways, options.log))
        child.start()
        child.join()
        failed += child.exitcode != 0
        if child.exitcode not in (0, DIFFERENT):
            with options.log.open("a") as out:
                print(f"{seeds[0]} ended with {child.exitcode}", file=out)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
