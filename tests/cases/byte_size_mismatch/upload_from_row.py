"""Refresh a table from its third row on."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, at, floats, ok

ROWS, WIDTH = 16, 300
table = ok(hip.hipMalloc(ROWS * WIDTH * 4))
other = ok(hip.hipMalloc(ROWS * WIDTH * 4))
values = floats(ROWS * WIDTH, 2.0)
ok(hip.hipMemcpy(table, values, ROWS * WIDTH * 4, TO_DEVICE))
first = 2 * WIDTH * 4
answer = hip.hipMemcpy(at(table, first), values, ROWS * WIDTH * 4, TO_DEVICE)
print(answer)
back = floats(ROWS * WIDTH)
ok(hip.hipMemcpy(back, table, ROWS * WIDTH * 4, TO_HOST))
ok(hip.hipFree(other))
ok(hip.hipFree(table))
