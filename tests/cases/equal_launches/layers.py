"""A token passes 16 equal layers; ids that the embedding cannot have are used in the first."""

import sys

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, expect, floats, ints, launch, ok

ROWS, WIDTH, LAYERS = 512, 64, 16
wrong = sys.argv[1:] == ["wrong"]
kernels = Kernels()
embed, rmsnorm = kernels.embed, kernels.rmsnorm
table, weight = ok(hip.hipMalloc(ROWS * WIDTH * 4)), ok(hip.hipMalloc(WIDTH * 4))
ids, x, y = ok(hip.hipMalloc(4)), ok(hip.hipMalloc(WIDTH * 4)), ok(hip.hipMalloc(WIDTH * 4))
ok(hip.hipMemcpy(table, floats(ROWS * WIDTH), ROWS * WIDTH * 4, TO_DEVICE))
ok(hip.hipMemcpy(weight, floats(WIDTH), WIDTH * 4, TO_DEVICE))
ok(hip.hipMemcpy(ids, ints(ROWS + 40 if wrong else 7), 4, TO_DEVICE))
launch(kernels.linger, 1, 1, None, 20000000)  # so that all of them are launched in time
for _ in range(LAYERS):
    launch(embed, 1, WIDTH, None, table, ids, x, WIDTH)
    launch(rmsnorm, 1, WIDTH, None, x, weight, y, WIDTH)
host = floats(WIDTH, 0.0)
ok(hip.hipMemcpy(host, y, WIDTH * 4, TO_HOST))
expect(not wrong and abs(host[0] - 1.0) < 0.01, "the last norm is there")
