"""Inference goes wrong: a kernel reads past its positions, and the copy of the logits is blamed.

Run it with `greta run -- python examples/rope_overrun.py`; with `--fixed` the buffer is large.
"""

from __future__ import annotations

import sys
from ctypes import c_int
from typing import Any

import numpy as np
from rocm.bindings import hip, hiprtc

TOKENS, WIDTH, VOCABULARY = 512, 64, 1000

SOURCE = b"""
extern "C" __global__ void embed(float* x, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = i;
  for (int round = 0; round < rounds; ++round) value = value * 0.999f + 1.0f;
  x[i] = value;
}
extern "C" __global__ void rope(float* x, const int* positions, int tokens, int width) {
  int token = blockIdx.x, i = threadIdx.x;
  if (token < tokens) x[token * width + i] *= 1.0f / (1 + positions[token * 16]);
}
extern "C" __global__ void attention(const float* x, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] * 0.5f;
}
extern "C" __global__ void logits(const float* hidden, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = hidden[i % 64];
}
"""


def check(result: Any) -> Any:
    """What a HIP call returned, or the end."""
    code, *values = result
    if int(code) != 0:
        sys.exit(f"Generation error: {code.name}")
    return values[0] if values else None


def kernels(*names: bytes) -> list[Any]:
    """Compiled for the device."""
    program = check(hiprtc.hiprtcCreateProgram(SOURCE, b"inference.hip", 0, [], []))
    check(hiprtc.hiprtcCompileProgram(program, 0, []))
    code = bytearray(check(hiprtc.hiprtcGetCodeSize(program)))
    check(hiprtc.hiprtcGetCode(program, code))
    module = check(hip.hipModuleLoadData(code))
    return [check(hip.hipModuleGetFunction(module, name)) for name in names]


def launch(kernel: Any, blocks: int, threads: int, stream: Any, *arguments: Any) -> None:
    """Queues a kernel."""
    check(
        hip.hipModuleLaunchKernel(
            kernel, blocks, 1, 1, threads, 1, 1, 0, stream, kernelParams=None, extra=arguments
        )
    )


def main(fixed: bool) -> None:
    """One pass through a network of one layer."""
    embed, rope, attention, logits = kernels(b"embed", b"rope", b"attention", b"logits")
    stream = check(hip.hipStreamCreate())
    x = check(hip.hipMalloc(TOKENS * WIDTH * 4))
    out = check(hip.hipMalloc(TOKENS * WIDTH * 4))
    scores = check(hip.hipMalloc(VOCABULARY * 4))
    # Room for one token, as when it was written for decode; prefill has many.
    positions = check(hip.hipMalloc((TOKENS if fixed else 1) * 64))
    count = c_int(TOKENS * WIDTH)
    check(hip.hipMemsetAsync(positions, 0, (TOKENS if fixed else 1) * 64, stream))
    # Takes a while: all that follows is queued before any of it runs.
    launch(embed, TOKENS, WIDTH, stream, x, c_int(4000))
    launch(rope, TOKENS, WIDTH, stream, x, positions, c_int(TOKENS), c_int(WIDTH))
    launch(attention, TOKENS, WIDTH, stream, x, out, count)
    launch(logits, 4, 256, stream, out, scores, c_int(VOCABULARY))
    host = np.zeros(VOCABULARY, np.float32)
    kind = hip.hipMemcpyKind.hipMemcpyDeviceToHost
    check(hip.hipMemcpyAsync(host, scores, host.nbytes, kind, stream))
    check(hip.hipStreamSynchronize(stream))
    print("best token:", int(host.argmax()))


if __name__ == "__main__":
    main(fixed="--fixed" in sys.argv)
