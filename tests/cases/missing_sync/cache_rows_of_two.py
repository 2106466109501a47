"""Two sequences append to one cache, each on its stream and at its own positions."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, launch, ok

WIDTH, STEPS = 128, 8
kernels = Kernels()
append = kernels.kv_append
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2)]
keys = [ok(hip.hipMalloc(WIDTH * 4)) for _ in range(2)]
cache = ok(hip.hipMalloc(2 * STEPS * WIDTH * 4))
pinned = ok(hip.hipHostMalloc(2 * STEPS * WIDTH * 4, 0))
for key in keys:
    ok(hip.hipMemset(key, 0, WIDTH * 4))
ok(hip.hipDeviceSynchronize())
for step in range(STEPS):
    for row, (key, stream) in enumerate(zip(keys, streams, strict=True)):
        launch(append, 1, WIDTH, stream, key, cache, 2 * step + row, WIDTH)
for stream in streams:
    ok(hip.hipStreamSynchronize(stream))
ok(hip.hipMemcpyAsync(pinned, cache, 2 * STEPS * WIDTH * 4, TO_HOST, streams[0]))
ok(hip.hipStreamSynchronize(streams[0]))
