"""Fetches the newest row of a cache."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, at, floats, ok

ROWS, WIDTH = 32, 1024
cache = ok(hip.hipMalloc(ROWS * WIDTH * 4))
ok(hip.hipMemset(cache, 0, ROWS * WIDTH * 4))
last = at(cache, ROWS * WIDTH * 4)
row = floats(WIDTH)
print(hip.hipMemcpy(row, last, WIDTH * 4, TO_HOST))
ok(hip.hipMemcpy(row, cache, WIDTH * 4, TO_HOST))
