"""Unload a layer's weights and run what is left of the step."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

ROWS, COLUMNS = 512, 64
kernels = Kernels()
weights = ok(hip.hipMalloc(ROWS * COLUMNS * 4))
x = ok(hip.hipMalloc(COLUMNS * 4))
y = ok(hip.hipMalloc(ROWS * 4))
ok(hip.hipMemcpy(weights, floats(ROWS * COLUMNS), ROWS * COLUMNS * 4, TO_DEVICE))
ok(hip.hipMemcpy(x, floats(COLUMNS), COLUMNS * 4, TO_DEVICE))
ok(hip.hipFree(weights))
launch(kernels.matvec, 2, 256, None, weights, x, y, ROWS, COLUMNS)
host = floats(ROWS)
ok(hip.hipMemcpy(host, y, ROWS * 4, TO_HOST))
print(host[0])
