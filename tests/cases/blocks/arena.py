"""Tensors of one allocation, announced; a copy, a kernel or a lifetime goes wrong, or none."""

import sys

from rocm.bindings import hip

from greta import blocks
from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, floats, launch, ok

N = 512
what = sys.argv[1]
kernels = Kernels()
arena = ok(hip.hipMalloc(16 * N * 4))
ok(hip.hipMemset(arena, 0, 16 * N * 4))


def tensor(name: str, place: int) -> object:
    """N floats."""
    blocks.created(int(arena) + place * N * 4, N * 4, name=name)
    return at(arena, place * N * 4)


weights, hidden, logits = (tensor(name, i) for i, name in enumerate(("w", "hidden", "logits")))
size = N * 4 + (64 if what == "copy" else 0)
ok(hip.hipMemcpy(hidden, floats(2 * N), size, TO_DEVICE))
count = N + (16 if what == "kernel" else 0)
launch(kernels.scale, 8, 128, None, hidden, 2.0, count)
ok(hip.hipDeviceSynchronize())
if what == "lifetime":
    blocks.destroyed(int(arena) + N * 4)
ok(hip.hipMemcpy(floats(N), hidden, N * 4, TO_HOST))
blocks.destroyed(int(arena) + N * 4)
