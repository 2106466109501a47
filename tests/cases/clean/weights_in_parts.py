"""Weights go up in eight parts on two streams, and are used when both are done."""

import ctypes

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, at, expect, floats, launch, ok

WIDTH, PARTS = 64, 8
BYTES = WIDTH * WIDTH * 4
kernels = Kernels()
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2)]
weights, x, y = (ok(hip.hipMalloc(size)) for size in (BYTES, WIDTH * 4, WIDTH * 4))
pinned = ok(hip.hipHostMalloc(BYTES, 0))
values = (ctypes.c_float * (WIDTH * WIDTH)).from_address(int(pinned))
values[:] = [1.0] * (WIDTH * WIDTH)
ok(hip.hipMemcpy(x, floats(WIDTH), WIDTH * 4, TO_DEVICE))
for part in range(PARTS):
    place, stream = part * BYTES // PARTS, streams[part % 2]
    ok(hip.hipMemcpyAsync(at(weights, place), at(pinned, place), BYTES // PARTS, TO_DEVICE, stream))
for stream in streams:
    ok(hip.hipStreamSynchronize(stream))
launch(kernels.matvec, 1, WIDTH, streams[0], weights, x, y, WIDTH, WIDTH)
host = floats(WIDTH, 0.0)
ok(hip.hipMemcpyAsync(host, y, WIDTH * 4, TO_HOST, streams[0]))
ok(hip.hipStreamSynchronize(streams[0]))
expect(host[WIDTH - 1] == WIDTH, "every weight is used")
