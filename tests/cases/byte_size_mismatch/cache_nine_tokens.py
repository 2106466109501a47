"""Appends keys of one token after the other to a cache of eight, behind a header."""

from rocm.bindings import hip

from tests.cases.gpu import ON_DEVICE, TO_DEVICE, TO_HOST, at, floats, ok

WIDTH, TOKENS, HEADER = 256, 8, 256
stream = ok(hip.hipStreamCreate())
cache = ok(hip.hipMalloc(HEADER + WIDTH * TOKENS * 4))
key = ok(hip.hipMalloc(WIDTH * 4))
ok(hip.hipMemcpyAsync(key, floats(WIDTH), WIDTH * 4, TO_DEVICE, stream))
for token in range(TOKENS + 1):
    ok(hip.hipMemcpyAsync(at(cache, token * WIDTH * 4), key, WIDTH * 4, ON_DEVICE, stream))
host = floats(WIDTH * TOKENS)
ok(hip.hipMemcpyAsync(host, cache, WIDTH * TOKENS * 4, TO_HOST, stream))
ok(hip.hipStreamSynchronize(stream))
