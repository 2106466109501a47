"""The key cache grows: a larger one is made, filled from the old one, and takes its place."""

from rocm.bindings import hip

from tests.cases.gpu import ON_DEVICE, TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

WIDTH = 128
kernels = Kernels()
append = kernels.kv_append
stream = ok(hip.hipStreamCreate())
key = ok(hip.hipMalloc(WIDTH * 4))
ok(hip.hipMemcpy(key, floats(WIDTH), WIDTH * 4, TO_DEVICE))
tokens = 8
cache = ok(hip.hipMalloc(tokens * WIDTH * 4))
for position in range(tokens):
    launch(append, 1, WIDTH, stream, key, cache, position, WIDTH)
larger = ok(hip.hipMalloc(2 * tokens * WIDTH * 4))
ok(hip.hipMemcpyAsync(larger, cache, tokens * WIDTH * 4, ON_DEVICE, stream))
ok(hip.hipFree(cache))
launch(append, 1, WIDTH, stream, key, cache, tokens - 1, WIDTH)
host = floats(tokens * WIDTH)
ok(hip.hipMemcpyAsync(host, larger, tokens * WIDTH * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
