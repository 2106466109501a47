"""Uploads a table and uses it, but never looks at a result."""

from rocm.bindings import hip

from tests.cases.gpu import TO_DEVICE, Kernels, floats, launch, ok

N = 4096
kernels = Kernels()
table = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemcpy(table, floats(N), N * 4, TO_DEVICE))
launch(kernels.scale, N // 256, 256, None, table, 2.0, N)
ok(hip.hipDeviceSynchronize())
ok(hip.hipFree(table))
print("STATUS=OK")
