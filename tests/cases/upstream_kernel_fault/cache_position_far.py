"""Appends keys to a cache, then saves it."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

WIDTH, TOKENS = 1024, 4
kernels = Kernels()
append = kernels.kv_append
stream = ok(hip.hipStreamCreate())
key = ok(hip.hipMalloc(WIDTH * 4))
cache = ok(hip.hipMalloc(TOKENS * WIDTH * 4))
ok(hip.hipMemcpy(key, floats(WIDTH), WIDTH * 4, TO_DEVICE))
for position in (0, 1, 2, 4):
    launch(append, 4, 256, stream, key, cache, position, WIDTH)
    if position < 3:
        ok(hip.hipStreamSynchronize(stream))
pinned = ok(hip.hipHostMalloc(TOKENS * WIDTH * 4, 0))
ok(hip.hipMemcpyAsync(pinned, cache, TOKENS * WIDTH * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
