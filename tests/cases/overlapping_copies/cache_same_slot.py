"""Two sequences append their keys to a shared cache, each on its stream."""

from rocm.bindings import hip

from tests.cases.gpu import ON_DEVICE, TO_HOST, at, floats, ok

WIDTH, SLOTS = 512, 8
streams = [ok(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking)) for _ in range(2)]
keys = [ok(hip.hipMalloc(WIDTH)) for _ in range(2)]
cache = ok(hip.hipMalloc(WIDTH * SLOTS))
ok(hip.hipMemset(cache, 0, WIDTH * SLOTS))
for key in keys:
    ok(hip.hipMemset(key, 1, WIDTH))
ok(hip.hipDeviceSynchronize())
slots = [(0, 1), (2, 3), (4, 4)]
for pair in slots:
    for slot, key, stream in zip(pair, keys, streams, strict=True):
        ok(hip.hipMemcpyAsync(at(cache, slot * WIDTH), key, WIDTH, ON_DEVICE, stream))
ok(hip.hipDeviceSynchronize())
ok(hip.hipMemcpy(floats(WIDTH * SLOTS // 4), cache, WIDTH * SLOTS, TO_HOST))
