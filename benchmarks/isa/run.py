"""Machine code of gfx942 on the simulated device, beside hipRTC's kernels and plain loops.

    python benchmarks/isa/run.py

Six kernels from one source (kernels.hip): as machine code, every access checked; compiled by
hipRTC, unchecked; and as loops for the CPU by `g++ -O2`. CPU milliseconds on one core, the best of
several launches, so that what else the machine does matters little. Then eight figures, each with
its bound: means, products of matrices, the first launch, what footprints cost, the instruction sets
this processor has, two cores. The last is wall time, which only a quiet machine tells.
"""

from __future__ import annotations

import ctypes
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
ROUNDS = int(os.environ.get("GRETA_BENCH_ROUNDS", "5"))
MANY, SIDE, ROWS, COLUMNS, STARTS = 1 << 22, 512, 1024, 4096, 1 << 18
KERNELS = ("saxpy", "gemm_tiled", "gemm_naive", "rmsnorm", "collatz", "shuffle_sum")
PRODUCTS = 4000  # of 4 instructions, by 4 blocks of one wave
Times = dict[str, float]


def code_object() -> bytes:
    """kernels.hip as clang-22 -O3 compiles it; keep.py writes it."""
    return lzma.decompress((HERE / "kernels.co.xz").read_bytes())


def best(run: Callable[[], object], clock: Callable[[], float]) -> float:
    """Milliseconds of the fastest of several runs, after one that warms up."""
    run()
    times = []
    for _ in range(ROUNDS):
        begin = clock()
        run()
        times.append(clock() - begin)
    return min(times) * 1000


def inputs() -> dict[str, Any]:
    r = np.random.default_rng(1)
    return {
        "floats": r.normal(size=MANY).astype(np.float32),
        "ints": r.integers(-1000, 1000, MANY, np.int32),
    }


def loops_times() -> Times:
    """The same work as plain loops."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "loops.so")
        command = ["g++", "-O2", "-shared", "-fPIC", str(HERE / "loops.cpp"), "-o", str(library)]
        subprocess.run(command, check=True)
        loops = ctypes.CDLL(str(library))
    given = inputs()
    out = np.zeros(MANY, np.float32)
    f, i, o = (a.ctypes.data_as(ctypes.c_void_p) for a in (given["floats"], given["ints"], out))
    calls = {
        "saxpy": lambda: loops.saxpy(o, f, ctypes.c_float(2), MANY),
        "gemm_tiled": lambda: loops.gemm(o, f, f, SIDE),
        "gemm_naive": lambda: loops.gemm(o, f, f, SIDE),
        "rmsnorm": lambda: loops.rmsnorm(o, f, f, ROWS, COLUMNS),
        "collatz": lambda: loops.collatz(o, STARTS),
        "shuffle_sum": lambda: loops.shuffle_sum(o, i, MANY),
    }
    return {name: best(call, time.process_time) for name, call in calls.items()}


def device_times(way: str) -> Times:
    """In a process of its own, which has the simulated device."""
    from greta import hip

    clock = time.perf_counter if way.endswith("-wall") else time.process_time
    machine = way.startswith("gfx")
    module = hip.Module(code_object()) if machine else hip.Module.compile(_source())
    given = inputs()
    floats, ints = (hip.Buffer.from_array(given[name]) for name in ("floats", "ints"))
    out = hip.Buffer(4 * MANY)
    out.fill(0)
    n, side, columns = np.int32(MANY), np.int32(SIDE), np.int32(COLUMNS)
    tiles = (SIDE // 16, SIDE // 16)
    launches: dict[str, tuple[Any, ...]] = {
        "saxpy": (MANY // 256, 256, out, floats, np.float32(2), n),
        "gemm_tiled": (tiles, (16, 16), out, floats, floats, side),
        "gemm_naive": (tiles, (16, 16), out, floats, floats, side),
        "rmsnorm": (ROWS, 256, out, floats, floats, columns),
        "collatz": (STARTS // 256, 256, out, np.int32(STARTS)),
        "shuffle_sum": (MANY // 256, 256, out, ints),
    }
    if machine:
        launches["matrix_products"] = (4, 64, out, floats, np.int32(PRODUCTS))
    times = {}
    for name, (grid, block, *arguments) in launches.items():
        launch = module.kernel(name).bind(grid, block, *arguments)

        def run(launch: Callable[[], None] = launch) -> None:
            launch()
            hip.synchronize()

        times[name] = best(run, clock)
    if machine:
        times["first"] = first_launch()
    return times


def first_launch() -> float:
    """Milliseconds from the launch of a kernel of a thousand instructions to its end."""
    from greta import hip

    out = hip.Buffer(256)
    out.fill(0)
    times = []
    for _ in range(ROUNDS):
        kernel = hip.Module(code_object()).kernel("thousand")
        begin = time.perf_counter()
        kernel(1, 64, out)
        hip.synchronize()
        times.append(time.perf_counter() - begin)
    return min(times) * 1000


def _source() -> str:
    return (HERE / "kernels.hip").read_text()


def child(way: str, recorded: bool = False, **variables: str) -> Times:
    """The times of a way, measured in a process with these variables."""
    import greta

    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "times.json")
        command = [sys.executable, __file__, way, str(result)]
        if recorded:
            greta.run(command, device="sim", out=Path(folder, "run"), environment=variables)
        else:
            sim = [sys.executable, "-m", "greta", "sim", "--", *command]
            subprocess.run(sim, check=True, env={**os.environ, **variables})
        return dict(json.loads(result.read_text()))


def turns(*ways: Callable[[], Times]) -> list[Times]:
    """The best times of several ways, measured in turn: a busy machine is unfair to none."""
    found = [[way() for way in ways] for _ in range(2)]
    return [
        {name: min(times[name] for times in of_way) for name in of_way[0]}
        for of_way in zip(*found, strict=True)
    ]


def mean(ratios: list[float]) -> float:
    return float(np.exp(np.mean(np.log(ratios))))


def ratios(times: Times, to: Times) -> list[float]:
    return [times[name] / to[name] for name in KERNELS]


def row(name: str, cells: list[float], form: str = "10.2f") -> None:
    print(f"{name:16}" + "".join(f"{cell:{form}}" for cell in cells), flush=True)


def main() -> None:
    """Prints the table and the figures below it."""
    if len(sys.argv) > 1:
        Path(sys.argv[2]).write_text(json.dumps(device_times(sys.argv[1])))
        return
    one = {"GRETA_SIM_THREADS": "1"}
    loops, hiprtc, gfx = turns(
        loops_times, lambda: child("hiprtc", **one), lambda: child("gfx", **one)
    )
    print(f"{'':16}{'loops ms':>10}{'hipRTC ms':>10}{'gfx942 ms':>10}{'/hipRTC':>10}{'/loops':>10}")
    for name in KERNELS:
        times = [loops[name], hiprtc[name], gfx[name]]
        row(name, [*times, gfx[name] / hiprtc[name], gfx[name] / loops[name]])
    print()
    figure("geometric mean, of hipRTC's time", mean(ratios(gfx, hiprtc)), at_most=0.7)
    figure("geometric mean, of the loops' time", mean(ratios(gfx, loops)), at_most=4.5)
    figure("slowest kernel, of hipRTC's time", max(ratios(gfx, hiprtc)), at_most=2)
    operations = 4 * PRODUCTS * 4 * 2 * 32 * 32 * 8
    figure("MFMA f16, GFLOP/s of a core", operations / gfx["matrix_products"] / 1e6, at_least=10)
    figure("first launch, 1,000 instructions, ms", gfx["first"], at_most=5)
    noting = [{"GRETA_SIM_FOOTPRINTS": noted, **one} for noted in ("0", "1")]
    plain, noted = turns(*(lambda v=v: child("gfx", recorded=True, **v) for v in noting))
    figure("with footprints, times the time", mean(ratios(noted, plain)), at_most=1.25)
    sets = ("avx512", "avx2", "baseline")
    widths = turns(*(lambda i=i: child("gfx", GRETA_SIM_ISA=i, **one) for i in sets))
    slower = [mean(ratios(times, widths[0])) for times in widths[1:]]
    figure("AVX2, times the time of the best set", slower[0], at_most=2)
    figure("neither, times the time of the best set", slower[1])
    walls = turns(*(lambda n=n: child("gfx-wall", GRETA_SIM_THREADS=n) for n in ("1", "2")))
    figure("two cores, times faster (wall time)", mean(ratios(*walls)), at_least=1.8)
    shared = mean(ratios(child("gfx", GRETA_SIM_THREADS="2"), gfx))
    figure("two cores, CPU time of both, of one's", shared)


def figure(what: str, value: float, *, at_most: float = 0, at_least: float = 0) -> None:
    """One line: the figure, and the bound that it is held to on a quiet machine."""
    bound = f"at most {at_most:g}" if at_most else f"at least {at_least:g}" if at_least else ""
    kept = value <= at_most if at_most else value >= at_least
    print(f"{what:42}{value:8.2f}  {bound:14}{'' if kept else 'MISSED'}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
