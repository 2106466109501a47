"""Weights arrive on a copy stream; the product runs on another."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, TO_HOST, Kernels, floats, launch, ok

ROWS, COLUMNS = 256, 128
kernels = Kernels()
compute = ok(hip.hipStreamCreate())
copies = ok(hip.hipStreamCreate())
uploaded = ok(hip.hipEventCreate())
staging = ok(hip.hipHostMalloc(ROWS * COLUMNS * 4, 0))
weights = ok(hip.hipMalloc(ROWS * COLUMNS * 4))
x = ok(hip.hipMalloc(COLUMNS * 4))
y = ok(hip.hipMalloc(ROWS * 4))
ok(hip.hipMemcpyAsync(x, floats(COLUMNS), COLUMNS * 4, TO_DEVICE, compute))
ok(hip.hipMemcpyAsync(weights, staging, ROWS * COLUMNS * 4, TO_DEVICE, copies))
ok(hip.hipEventRecord(uploaded, copies))
launch(kernels.matvec, 1, ROWS, compute, weights, x, y, ROWS, COLUMNS)
host = floats(ROWS)
ok(hip.hipMemcpyAsync(host, y, ROWS * 4, TO_HOST, compute))
ok(hip.hipDeviceSynchronize())
