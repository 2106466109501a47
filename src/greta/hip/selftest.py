"""A minimal HIP program that shows whether a device works: a copy, a kernel, the right bytes back.

    python -m greta.hip.selftest

Prints one line of JSON. `greta doctor` runs it in a process of its own, so that a device which
crashes or hangs is a finding and not the end of the command.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from greta import hip
from greta.errors import GretaError

_SOURCE = """
extern "C" __global__ void greta_selftest(float* x, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}
"""
_COUNT = 1000


@dataclass(frozen=True)
class SelftestOutcome:
    """What happened; `ok` says whether the numbers came back right."""

    ok: bool
    error: str | None = None
    device: str | None = None
    name: str | None = None
    arch: str | None = None
    hip_version: str | None = None
    copy_ms: float = 0.0
    compile_ms: float = 0.0
    kernel_ms: float = 0.0

    def facts(self) -> dict[str, object]:
        """What is known; of a device that did not work, the error alone."""
        return dict(vars(self)) if self.device else {"ok": self.ok, "error": self.error}


def run_selftest() -> SelftestOutcome:
    """Tries the device that is chosen."""
    choice = hip.choose_device()
    properties = hip.device_properties()
    given = np.arange(_COUNT, dtype=np.float32)
    started = perf_counter()
    buffer = hip.Buffer.from_array(given)
    copied_back = np.array_equal(buffer.to_array(np.float32), given)
    copied = perf_counter()
    kernel = hip.Module.compile(_SOURCE, "greta_selftest.hip").kernel("greta_selftest")
    compiled = perf_counter()
    kernel(4, 256, buffer, np.float32(2), np.int32(_COUNT))
    computed = np.array_equal(buffer.to_array(np.float32), given * 2)
    finished = perf_counter()
    return SelftestOutcome(
        ok=copied_back and computed,
        error=None if copied_back and computed else "the bytes that came back are wrong",
        device=choice.kind.value,
        name=properties.name,
        arch=properties.arch,
        hip_version=".".join(map(str, hip.runtime_version())),
        copy_ms=round((copied - started) * 1e3, 3),
        compile_ms=round((compiled - copied) * 1e3, 3),
        kernel_ms=round((finished - compiled) * 1e3, 3),
    )


def main() -> int:
    """Prints the outcome; the exit code is 0 if the device works."""
    try:
        outcome = run_selftest()
    except GretaError as error:
        outcome = SelftestOutcome(ok=False, error=str(error))
    print(json.dumps(outcome.facts()))
    return 0 if outcome.ok else 1


if __name__ == "__main__":
    sys.exit(main())
