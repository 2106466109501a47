"""Weights lie on the second of two devices, and the first works with them, as it is allowed to."""

from rocm.bindings import hip

from tests.cases.gpu import TO_HOST, Kernels, floats, launch, ok

N = 4096
ok(hip.hipSetDevice(1))
weights = ok(hip.hipMalloc(N * 4))
ok(hip.hipMemset(weights, 0, N * 4))
ok(hip.hipDeviceSynchronize())
ok(hip.hipSetDevice(0))
ok(hip.hipDeviceEnablePeerAccess(1, 0))
kernels = Kernels()
result = ok(hip.hipMalloc(N * 4))
launch(kernels.square, N // 256, 256, None, weights, result, N)
host = floats(N)
ok(hip.hipMemcpy(host, result, N * 4, TO_HOST))
