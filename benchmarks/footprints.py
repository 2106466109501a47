"""What it costs that each launch notes what it accesses.

    python benchmarks/footprints.py

The same kernels, recorded, on the simulated device: as they are, with footprints, with the checks
of --strict alone, and with both. Each number is the best of several rounds, as a multiple of the
kernels as they are; the last column is footprints on top of strict.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

import greta

ROUNDS = 3
MODES: dict[str, dict[str, str]] = {
    "plain": {"GRETA_SIM_FOOTPRINTS": "0"},
    "footprints": {"GRETA_SIM_FOOTPRINTS": "1"},
    "strict": {"GRETA_SIM_PLACEMENT": "strict", "GRETA_SIM_FOOTPRINTS": "0"},
    "both": {"GRETA_SIM_PLACEMENT": "strict", "GRETA_SIM_FOOTPRINTS": "1"},
}

SOURCE = """
extern "C" __global__ void scale(float* v, const float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = w[i] * 1.5f;
}
extern "C" __global__ void transpose(float* v, const float* w, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < n) v[x * n + y] = w[y * n + x];
}
extern "C" __global__ void product(float* c, const float* a, const float* b, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum;
}
extern "C" __global__ void histogram(int* bins, const int* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] & 255], 1);
}
extern "C" __global__ void sum(float* out, const float* v, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = i < n ? v[i] : 0;
  __syncthreads();
  for (int step = 128; step; step /= 2) {
    if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
"""


def measure() -> dict[str, float]:
    """Seconds of the CPU for each kernel, in this process."""
    import numpy as np

    from greta.hip import Buffer, Module, synchronize

    module = Module.compile(SOURCE)
    a, b, c = (Buffer(4 << 20) for _ in range(3))
    for buffer in (a, b, c):
        buffer.fill(0)
    many, side, small = np.int32(1 << 20), np.int32(1024), np.int32(192)
    launches = {
        "scale": lambda: module.kernel("scale")(4096, 256, a, b, many),
        "transpose": lambda: module.kernel("transpose")((4, 1024), 256, a, b, side),
        "product": lambda: module.kernel("product")((3, 192), 64, a, b, c, small),
        "histogram": lambda: module.kernel("histogram")(4096, 256, a, b, many),
        "sum": lambda: module.kernel("sum")(1024, 256, a, b, many),
        "small": lambda: module.kernel("scale")(1, 64, a, b, np.int32(64)),
    }
    return {
        name: min(_timed(launch, synchronize) for _ in range(ROUNDS))
        for name, launch in launches.items()
    }


def _timed(launch, synchronize) -> float:  # type: ignore[no-untyped-def]
    launch()
    synchronize()
    begin = time.process_time()  # of all threads: what else the machine does matters less
    launch()
    synchronize()
    return time.process_time() - begin


def main() -> None:
    """Measures in a recorded child for each mode, and prints the table."""
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(measure()))
        return
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        for mode, variables in MODES.items():
            result = Path(folder, f"{mode}.json")
            command = [sys.executable, __file__, str(result)]
            greta.run(command, device="sim", out=Path(folder, mode), environment=variables)
            times[mode] = json.loads(result.read_text())
    print(
        f"{'kernel':12}{'plain':>12}{'footprints':>12}{'strict':>10}{'both':>10}{'both/strict':>13}"
    )
    widths = (12, 10, 10)
    for kernel, plain in times["plain"].items():
        others = [times[mode][kernel] / plain for mode in ("footprints", "strict", "both")]
        cells = "".join(f"{ratio:>{width}.1f}" for ratio, width in zip(others, widths, strict=True))
        print(f"{kernel:12}{plain * 1e6:>9.0f} us{cells}{others[2] / others[1]:>13.2f}")


if __name__ == "__main__":
    main()
